//! Every command on a finished session: what it prints, what it refuses, and how it ends.

mod bad_input;
mod edits;
mod errors;
mod help;
mod logs;
mod settings;
mod terminal;
mod usage;

use std::path::Path;

use research::cli::COMMANDS;
use serde_json::Value;

use crate::harness::{Scratch, TOPIC, parsed, skipped, tree};

fn finished() -> Scratch {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch
}

/// The published report, with links from the working directory.
fn printed_report(scratch: &Scratch) -> String {
    let report = scratch.read("research-output/s/final_report.md");
    report.replace("](sources/", "](research-output/s/sources/")
}

fn json(scratch: &Scratch, arguments: &[&str]) -> Value {
    parsed(&scratch.expect(0, &[arguments, &["--json"]].concat()).stdout)
}

#[test]
fn run_prints_the_report_and_nothing_else() {
    let scratch = Scratch::with_few();
    let ran = scratch.research();
    assert_eq!(ran.stdout, printed_report(&scratch));
    assert!(ran.stderr.contains("complete"), "{}", ran.stderr);
    // A report that is up to date is printed as well: `> report.md` would empty the file.
    let again = scratch.research();
    assert_eq!(again.stdout, ran.stdout);
    assert!(again.stderr.contains("nothing to do"), "{}", again.stderr);
    let arguments = ["run", TOPIC, "--docs", "docs", "--session", "quiet", "-q"];
    assert_eq!(scratch.expect(0, &arguments).stderr, "");
}

#[cfg(target_os = "linux")]
#[test]
fn links_of_a_report_lead_from_the_file_that_output_is_redirected_to() {
    let scratch = Scratch::with_few();
    std::fs::create_dir(scratch.path().join("notes")).unwrap();
    let file = std::fs::File::create(scratch.path().join("notes/report.md")).unwrap();
    let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s", "-q"];
    let status = scratch.command(&arguments).stdout(file).status().unwrap();
    assert!(status.success());
    let report = scratch.read("notes/report.md");
    let (_, link) = report.split_once("](").unwrap();
    assert!(
        link.starts_with("../research-output/s/sources/"),
        "{report}"
    );
}

#[test]
fn run_writes_the_report_to_the_output_file_and_its_links_lead_to_the_sources() {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s", "-o"];
    let run = |code, file| scratch.expect(code, &[&arguments[..], &[file]].concat());
    let refused = run(2, "nowhere/report.md");
    assert!(refused.stderr.contains("nowhere"), "{}", refused.stderr);
    assert!(!scratch.session().exists());
    std::fs::create_dir(scratch.path().join("out")).unwrap();
    assert_eq!(run(0, "out/report.md").stdout, "");
    let report = scratch.read("out/report.md");
    let (_, link) = report.split_once("](").unwrap();
    let source = link.split_once([' ', ')']).unwrap().0;
    assert!(scratch.path().join("out").join(source).exists(), "{source}");
    run(0, "out/report.html");
    assert!(
        scratch
            .read("out/report.html")
            .starts_with("<!DOCTYPE html>")
    );
    let refused = run(2, "research-output/s/report.json");
    assert!(
        refused.stderr.contains("file of the session"),
        "{}",
        refused.stderr
    );
}

#[test]
fn json_of_every_command_parses() {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s"];
    let run = json(&scratch, &arguments);
    assert!(run["done"].as_u64().unwrap() > 4);
    assert_eq!(run["session"]["state"], "COMPLETE");
    assert_eq!(json(&scratch, &["run", "--resume", "s"])["done"], 0);
    let explained = json(&scratch, &["explain", "s"]);
    assert_eq!(explained["nothing_to_do"], true);
    assert_eq!(explained["stages"].as_array().unwrap().len(), 4);
    assert_eq!(json(&scratch, &["status", "s"])["topic"], TOPIC);
    assert_eq!(json(&scratch, &["list"])[0]["id"], "s");
    assert_eq!(
        json(&scratch, &["verify", "s"])["problems"],
        serde_json::json!([])
    );
    assert!(json(&scratch, &["graph", "s"])["nodes"].is_array());
    assert_eq!(json(&scratch, &["show", "s"])["status"], "COMPLETE");
    assert!(json(&scratch, &["show", "s", "analysis.json"])["content"].is_object());
    assert!(json(&scratch, &["doctor"]).is_array());
    assert!(json(&scratch, &["schema"]).is_array());
    let prompt = json(&scratch, &["prompts", "planner"]);
    assert_eq!(
        prompt["text"].as_str().unwrap(),
        scratch.expect(0, &["prompts", "planner"]).stdout
    );
}

#[test]
fn every_command_in_the_table_prints_json_with_the_json_option() {
    let scratch = finished();
    scratch.write("topics.txt", format!("{TOPIC}\n"));
    #[cfg(feature = "s3")]
    let store = format!("file://{}", scratch.path().join("store").display());
    let cases: &[(&str, &[&str])] = &[
        ("run", &["--resume", "s"]),
        #[cfg(feature = "s3")]
        ("push", &["s", "--store", &store]),
        #[cfg(feature = "s3")]
        ("pull", &["s", "--store", &store]),
        ("batch", &["topics.txt", "--docs", "docs"]),
        ("update", &["s"]),
        ("explain", &["s"]),
        ("status", &["s"]),
        ("calls", &["s"]),
        ("list", &[]),
        ("show", &["s"]),
        ("verify", &["s"]),
        (
            "check",
            &["docs/costs.md", "--docs", "docs", "--fail-on", "never"],
        ),
        ("export", &["s"]),
        ("diff", &["s", "s"]),
        ("graph", &["s"]),
        ("search", &["heat", "--docs", "docs"]),
        ("read", &["docs/costs.md"]),
        ("prompts", &[]),
        ("cache", &[]),
        ("config", &[]),
        ("doctor", &[]),
        ("completions", &["bash"]),
        ("man", &["run"]),
        ("schema", &["report"]),
        ("gc", &["--yes"]),
        ("rename", &["s", "t"]),
        ("rm", &["t", "--yes"]),
    ];
    for command in COMMANDS {
        // The servers do not end, and the queue needs one.
        let is_excepted = ["serve", "mcp", "submit", "worker"].contains(&command.name);
        if is_excepted {
            continue;
        }
        let mut names = cases.iter().map(|(name, _)| *name);
        assert!(names.any(|name| name == command.name), "{}", command.name);
    }
    for (name, arguments) in cases {
        let printed = json(&scratch, &[&[*name], *arguments].concat());
        // A schema is one itself.
        if *name != "schema" {
            assert_fits_schema(&scratch, name, &printed);
            assert!(printed.is_array() || printed["version"] == 1, "{name}");
        }
    }
}

/// Fails unless a result has the fields of the schema of this name, and no others.
fn assert_fits_schema(scratch: &Scratch, name: &str, printed: &Value) {
    let mut schema = parsed(&scratch.expect(0, &["schema", name]).stdout);
    close(&mut schema);
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(printed)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, [""; 0], "{name}");
}

/// Allows no fields but those that a schema names.
fn close(schema: &mut Value) {
    if let Value::Object(object) = schema {
        if object.get("properties").is_some_and(Value::is_object) {
            object.insert("unevaluatedProperties".to_owned(), Value::Bool(false));
        }
        object.values_mut().for_each(close);
    }
    if let Value::Array(values) = schema {
        values.iter_mut().for_each(close);
    }
}

#[test]
fn further_results_of_commands_fit_their_schemas() {
    let scratch = finished();
    let pairs = r#"{"claim": "Heat pumps cost money.", "passage": "A heat pump costs money."}"#;
    scratch.write("pairs.jsonl", pairs);
    for (name, arguments) in [
        ("status", &["status", "s"][..]),
        ("statuses", &["status"]),
        ("prompt", &["prompts", "planner"]),
        ("knowledge_graph", &["graph", "s", "--knowledge"]),
        (
            "checked_pair",
            &["check", "pairs.jsonl", "--fail-on", "never"],
        ),
        ("explain", &["explain", "s"]),
        (
            "explain",
            &["run", "another", "--docs", "docs", "--dry-run"],
        ),
        ("diff", &["diff", "s", "s"]),
        ("analysis", &["show", "s", "analysis.json"]),
        ("shown_file", &["show", "s", "report.md"]),
        ("exported", &["export", "s", "--format", "html"]),
        ("exported", &["export", "s", "--format", "bibtex"]),
    ] {
        assert_fits_schema(&scratch, name, &json(&scratch, arguments));
    }
}

#[test]
fn what_json_cannot_hold_is_no_result_of_json() {
    let scratch = finished();
    let docx = ["export", "s", "--format", "docx", "--json"];
    let refused = scratch.expect(2, &docx);
    assert_eq!(parsed(&refused.stdout)["error"]["kind"], "usage");
    scratch.expect(0, &[&docx[..], &["-o", "report.docx"]].concat());
}

#[test]
fn session_is_resolved_by_id_prefix_path_and_last() {
    let scratch = finished();
    scratch.expect(0, &["run", TOPIC, "--docs", "docs", "--session", "other"]);
    for reference in [
        "s",
        "othe",
        "last",
        "research-output/s",
        "./research-output/s/",
    ] {
        scratch.expect(0, &["explain", reference]);
    }
    let nothing = scratch.expect(2, &["explain", "nothing"]);
    assert!(
        nothing.stderr.contains("research list"),
        "{}",
        nothing.stderr
    );
}

#[test]
fn show_refuses_path_traversal_and_links_out_of_the_session() {
    let scratch = finished();
    let shown = scratch.expect(0, &["show", "s"]);
    assert_eq!(shown.stdout, printed_report(&scratch));
    for file in [
        "analysis.json",
        "sources/S1.md",
        "research/steps/1-overview.json",
    ] {
        let shown = scratch.expect(0, &["show", "s", file]);
        assert_eq!(
            shown.stdout,
            scratch.read(&format!("research-output/s/{file}"))
        );
    }
    for file in [
        "../x",
        "../../docs/costs.md",
        "/etc/passwd",
        "research/../../x",
        ".",
    ] {
        scratch.expect(2, &["show", "s", file]);
    }
    let outside = scratch.path().join("docs/costs.md");
    std::os::unix::fs::symlink(outside, scratch.session().join("link.md")).unwrap();
    let refused = scratch.expect(2, &["show", "s", "link.md"]);
    assert!(refused.stderr.contains("link"), "{}", refused.stderr);
    let missing = scratch.expect(2, &["show", "s", "nothing.json"]).stderr;
    assert!(
        missing.contains("analysis.json, ") && missing.contains("sources/"),
        "{missing}"
    );
    scratch.expect(1, &["show", "s", "research"]);
}

#[test]
fn verify_finds_one_changed_byte() {
    let scratch = finished();
    let verified = scratch.expect(0, &["verify", "s"]);
    assert!(
        verified.stdout.contains(" 0 problems"),
        "{}",
        verified.stdout
    );
    let text = scratch.read("research-output/s/sources/S1.md");
    let offset = text.find("heat").unwrap();
    let changed = format!("{}H{}", &text[..offset], &text[offset + 1..]);
    scratch.write("research-output/s/sources/S1.md", changed);
    let refused = scratch.expect(1, &["verify", "s"]);
    assert!(
        refused.stderr.contains("sources/S1.md"),
        "{}",
        refused.stderr
    );
    let report = parsed(&scratch.run(&["verify", "s", "--json"]).stdout);
    assert!(!report["problems"].as_array().unwrap().is_empty());
}

#[test]
fn verify_of_all_sessions_names_the_one_with_a_problem() {
    let scratch = finished();
    let topic = "What does a heat pump cost?";
    scratch.expect(0, &["run", topic, "--docs", "docs", "--session", "costs"]);
    let verified = scratch.expect(0, &["verify", "--all"]).stdout;
    assert!(
        verified.ends_with("of 2 sessions: 0 problems\n"),
        "{verified}"
    );
    let text = scratch.read("research-output/costs/sources/S1.md");
    scratch.write(
        "research-output/costs/sources/S1.md",
        text.replace("heat", "Heat"),
    );
    let refused = scratch.expect(1, &["verify", "--all"]).stderr;
    assert!(refused.contains("costs: sources/S1.md"), "{refused}");
    let report = parsed(&scratch.run(&["verify", "--all", "--json"]).stdout);
    let problems = |number: usize| report[number]["problems"].as_array().unwrap().len();
    assert_eq!(report[1]["session"], "s");
    assert!(problems(0) > 0 && problems(1) == 0, "{report}");
}

#[test]
fn verify_finds_a_plan_that_was_edited_after_its_steps() {
    let scratch = finished();
    scratch.edit("research/plan-1.json", "\"title\": \"", "\"title\": \"Not ");
    let refused = scratch.expect(1, &["verify", "s"]).stderr;
    assert!(
        refused.contains("research/plan-1.json has changed since its steps were carried out"),
        "{refused}"
    );
}

#[test]
fn plan_that_was_edited_after_its_steps_is_told_with_the_way_to_carry_it_out() {
    let scratch = finished();
    scratch.edit("research/plan-1.json", "\"title\": \"", "\"title\": \"Not ");
    let told = "research/plan-1.json: changed by hand since its steps were carried out";
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(status.contains(told), "{status}");
    for arguments in [["explain", "s"].as_slice(), &["run", "--resume", "s"]] {
        let ran = scratch.expect(0, arguments);
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
        assert!(ran.stderr.contains("delete research.json and resume"));
    }
    std::fs::remove_file(scratch.session().join("research.json")).unwrap();
    scratch.expect(0, &["run", "--resume", "s"]);
    let plan = scratch.json("research.json")["content"]["plan"].clone();
    assert!(
        plan["title"].as_str().unwrap().starts_with("Not "),
        "{plan}"
    );
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(!status.contains(told), "{status}");
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn verify_finds_an_edited_quotation_and_a_missing_source() {
    let scratch = finished();
    let quote = "\"quote\": \"";
    scratch.edit("report.json", quote, &format!("{quote}Surely, "));
    let refused = scratch.expect(1, &["verify", "s"]);
    assert!(refused.stderr.contains("report.json"), "{}", refused.stderr);
    std::fs::remove_file(scratch.session().join("sources/S1.md")).unwrap();
    let refused = scratch.expect(1, &["verify", "s"]);
    assert!(
        refused.stderr.contains("sources/S1.md"),
        "{}",
        refused.stderr
    );
}

#[test]
fn every_schema_is_json_and_fits_its_name() {
    let scratch = Scratch::new();
    let names = scratch.expect(0, &["schema"]).stdout;
    assert!(names.lines().count() >= 14, "{names}");
    for name in names.lines() {
        let schema = parsed(&scratch.expect(0, &["schema", name]).stdout);
        let is_list = schema["type"] == "array";
        assert!(is_list || schema["type"] == "object", "{name}");
    }
    let refused = scratch.expect(2, &["schema", "nothing"]);
    assert!(refused.stderr.contains("research"), "{}", refused.stderr);
    assert!(tree(scratch.path()).is_empty());
}

#[test]
fn completions_help_and_version_need_no_session() {
    let scratch = Scratch::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = scratch.expect(0, &["completions", shell]).stdout;
        assert!(script.contains("RESEARCH_COMPLETE"), "{shell}");
    }
    assert!(
        scratch
            .expect(0, &["--version"])
            .stdout
            .starts_with("research ")
    );
    let help = scratch.expect(0, &["--help"]).stdout;
    assert!(help.contains("Exit codes"), "{help}");
    scratch.expect(0, &["list"]);
    scratch.expect(0, &["status"]);
    assert!(tree(scratch.path()).is_empty());
}

#[test]
fn graph_shows_the_stages_and_their_state() {
    let scratch = finished();
    let plain = scratch.expect(0, &["graph"]).stdout;
    assert!(plain.starts_with("flowchart TD"), "{plain}");
    for stage in ["research", "analysis", "write", "review"] {
        assert!(plain.contains(&format!("    {stage}[")), "{plain}");
    }
    let dot = scratch.expect(0, &["graph", "s", "--format", "dot"]).stdout;
    assert!(
        dot.starts_with("digraph") && dot.contains("up to date"),
        "{dot}"
    );
    std::fs::remove_file(scratch.session().join("review.json")).unwrap();
    let open = scratch.expect(0, &["graph", "s"]).stdout;
    assert!(open.contains("not made yet"), "{open}");
    scratch.expect(2, &["graph", "s", "--format", "json-ld"]);
}

#[test]
fn graph_of_knowledge_is_printed_in_every_language() {
    let scratch = finished();
    let graph = ["graph", "s", "--knowledge"];
    let in_format = |format| {
        let arguments = [&graph[..], &["--format", format]].concat();
        scratch.expect(0, &arguments).stdout
    };
    let mermaid = scratch.expect(0, &graph).stdout;
    assert!(mermaid.contains("[\"heat pump<br>concept\"]"), "{mermaid}");
    assert_eq!(mermaid, in_format("mermaid"));
    let dot = in_format("dot");
    assert!(dot.contains("[label=\"heat pump\\nconcept\"];"), "{dot}");
    let linked = parsed(&in_format("json-ld"));
    assert_eq!(linked["@graph"][0]["name"], "heat pump");
    let json = parsed(
        &scratch
            .expect(0, &[&graph[..], &["--json"]].concat())
            .stdout,
    );
    let mut expected = scratch.json("analysis.json")["content"]["knowledge_graph"].clone();
    expected["version"] = 1.into();
    assert_eq!(json, expected);
    scratch.expect(2, &["graph", "--knowledge"]);
    let mut analysis = scratch.json("analysis.json");
    let session = "research-output/s/analysis.json";
    analysis["content"]["knowledge_graph"] = serde_json::json!({});
    scratch.write(session, analysis.to_string());
    let empty = scratch.expect(0, &graph);
    assert_eq!(empty.stdout, "flowchart TD\n");
    assert!(
        empty.stderr.contains("the graph is empty"),
        "{}",
        empty.stderr
    );
    // A session of an older version has ids and stems only.
    analysis["content"]["knowledge_graph"] = serde_json::json!({ "nodes": ["S1"], "edges": [] });
    scratch.write(session, analysis.to_string());
    let old = scratch.expect(1, &graph).stderr;
    assert!(old.contains("--from analysis"), "{old}");
    std::fs::remove_file(scratch.path().join(session)).unwrap();
    let missing = scratch.expect(1, &graph).stderr;
    assert!(missing.contains("does not exist yet"), "{missing}");
}

#[test]
fn doctor_checks_pass_and_leave_no_files() {
    let scratch = Scratch::new();
    let printed = scratch.expect(0, &["doctor"]).stdout;
    assert!(
        printed.lines().all(|line| line.starts_with("ok")),
        "{printed}"
    );
    assert!(tree(scratch.path()).is_empty());
    assert!(!scratch.path().join("research-output").exists());
    scratch.write("taken", "a file");
    let printed = scratch
        .expect(1, &["doctor", "--output-dir", "taken"])
        .stdout;
    assert!(printed.contains("FAIL  output"), "{printed}");
}

#[test]
fn broken_pipe_exits_with_0() {
    let scratch = finished();
    for arguments in [
        &["show", "s"][..],
        &["list"],
        &["schema", "research"],
        &["completions", "bash"],
        &["explain", "s", "--json"],
        &["--help"],
        &["run", "--resume", "s", "--from", "review"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ran = scratch.command(arguments).stdout(writer).output().unwrap();
        let ran = crate::harness::Ran::from(ran);
        ran.assert_ended(0, &arguments.join(" "));
    }
    assert!(scratch.tree().contains_key("final_report.md"));
}

#[test]
fn man_shows_a_page_on_a_terminal_and_prints_roff_elsewhere() {
    let scratch = Scratch::new();
    let roff = scratch.expect(0, &["man", "run"]).stdout;
    assert!(roff.contains(".SH NAME"), "{roff:.200}");
    let shown = scratch.on_terminal(&["man", "run"], &[("MANPAGER", "cat")], "");
    let Some(shown) = shown.filter(|_| Path::new("/usr/bin/man").exists()) else {
        return skipped("there is no terminal or no man");
    };
    assert!(shown.contains("research-run"), "{shown:.200}");
    assert!(!shown.contains(".SH"), "{shown:.200}");
}

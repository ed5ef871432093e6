//! Bad input: damaged files, misused options, closed streams. Every command says what failed, where
//! and what to do, with the exit code of its kind.

use std::fs::{self, File};
use std::os::unix::fs::symlink;

use super::finished;
use crate::harness::{Ran, Scratch, TOPIC, parsed};

#[test]
fn damaged_gate_is_reported_with_line_column_and_remedy_by_every_reader() {
    let scratch = finished();
    scratch.write("research-output/s/report.json", "{\n  \"version\": 1,\n");
    for arguments in [
        &["verify", "s"][..],
        &["export", "s"],
        &["export", "s", "--format", "html"],
        &["diff", "s", "s"],
        &["run", "--resume", "s"],
    ] {
        let stderr = scratch.expect(1, arguments).stderr;
        for words in ["research-output/s/report.json:3:0: EOF", "--from write"] {
            assert!(stderr.contains(words), "{arguments:?}: {stderr}");
        }
    }
}

#[test]
fn unreadable_gate_is_not_called_missing() {
    let scratch = finished();
    let gate = scratch.session().join("research.json");
    fs::remove_file(&gate).unwrap();
    let stderr = scratch.expect(1, &["verify", "s"]).stderr;
    assert!(
        stderr.contains("research.json is not there yet"),
        "{stderr}"
    );
    fs::create_dir(&gate).unwrap();
    let stderr = scratch.expect(1, &["verify", "s"]).stderr;
    assert!(
        stderr.contains("research.json: not a regular file"),
        "{stderr}"
    );
    let stderr = scratch.expect(1, &["prompts", "writer", "s"]).stderr;
    assert!(
        stderr.contains("research.json cannot be read: not a regular file"),
        "{stderr}"
    );
}

#[test]
fn damaged_record_of_costs_does_not_stop_an_export() {
    let scratch = finished();
    let report = scratch.expect(0, &["export", "s"]).stdout;
    scratch.write("research-output/s/calls/000001.json", "{");
    for name in ["status", "calls"] {
        let stderr = scratch.expect(1, &[name, "s"]).stderr;
        let words = "calls/000001.json is not a recorded call; repair it, or move it away";
        assert!(stderr.contains(words), "{stderr}");
    }
    assert_eq!(scratch.expect(0, &["export", "s"]).stdout, report);
    scratch.expect(0, &["diff", "s", "s"]);
}

#[test]
fn damaged_line_of_the_reflection_log_is_named_by_its_line() {
    let scratch = finished();
    let log = "research-output/s/research/reflections.jsonl";
    let first = scratch.read(log).lines().next().unwrap().to_owned();
    fs::remove_file(scratch.session().join("research.json")).unwrap();
    scratch.write(log, format!("{first}\n{{\"version\"\n"));
    let stderr = scratch.expect(1, &["run", "--resume", "s"]).stderr;
    assert!(stderr.contains("reflections.jsonl:2:10: EOF"), "{stderr}");
}

#[test]
fn session_without_report_names_the_command_that_resumes_it() {
    let scratch = Scratch::with_few();
    let ask = ["run", TOPIC, "--docs", "docs", "--session", "s"];
    scratch.expect(0, &[&ask[..], &["--until", "research"]].concat());
    let stderr = scratch.expect(1, &["show", "s"]).stderr;
    let command = "research run --resume research-output/s";
    assert!(stderr.contains(command), "{stderr}");
    // A report that is there and cannot be read is another problem, which resuming may not mend.
    scratch.write("research-output/s/report.md", b"\xff\xfe");
    let stderr = scratch.expect(1, &["show", "s"]).stderr;
    assert!(stderr.contains("s/report.md: "), "{stderr}");
}

#[test]
fn negative_number_is_an_invalid_value_of_its_option() {
    let scratch = Scratch::with_few();
    let ask = ["run", TOPIC, "--docs", "docs"];
    for (command, option) in [
        (&ask[..], "--max-rounds"),
        (&ask, "--max-tokens"),
        (&ask, "--timeout"),
        (&ask, "--max-cost"),
        (&["batch", "list"], "--jobs"),
        (&["search", "heat"], "--limit"),
        (&["export", "s"], "--round"),
    ] {
        let ran = scratch.expect(2, &[command, &[option, "-1"]].concat());
        let stderr = ran.stderr;
        assert!(stderr.contains(option), "{option}: {stderr}");
        assert!(
            !stderr.contains("unexpected argument"),
            "{option}: {stderr}"
        );
    }
    let stderr = scratch
        .expect(2, &["search", "heat", "--limit", "0"])
        .stderr;
    assert!(stderr.contains("--limit"), "{stderr}");
}

#[test]
fn a_number_of_jobs_is_refused_with_what_it_may_be() {
    let scratch = Scratch::new();
    for number in ["0", "many", "20001"] {
        let stderr = scratch
            .expect(2, &["batch", "list", "--jobs", number])
            .stderr;
        assert!(
            stderr.contains("a whole number from 1 to 20000"),
            "{stderr}"
        );
    }
}

#[test]
fn options_that_would_be_ignored_are_refused() {
    let scratch = finished();
    for (options, words) in [
        (&["--search", "wikipedia"][..], "--search"),
        (&["--domains", "example.org"], "--domains"),
        (
            &["--from", "write", "--until", "research"],
            "nothing would run",
        ),
    ] {
        let ran = scratch.expect(2, &[&["run", "--resume", "s"], options].concat());
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    let ask = ["run", TOPIC, "--docs", "docs", "--dry-run", "--search"];
    let ran = scratch.expect(2, &[&ask[..], &["none,wikipedia"]].concat());
    assert!(ran.stderr.contains("none cannot be"), "{}", ran.stderr);
}

#[test]
fn settings_that_would_overflow_or_wait_for_ever_are_refused() {
    let scratch = Scratch::new();
    for (section, key) in [
        ("network", "per_host"),
        ("network", "gap_milliseconds"),
        ("read", "timeout_seconds"),
        ("read", "memory_mebibytes"),
    ] {
        let text = format!("[{section}]\n{key} = {}\n", i64::MAX);
        scratch.write("config/research.toml", text);
        let stderr = scratch.expect(2, &["doctor"]).stderr;
        let words = format!("{section}.{key} must be ");
        assert!(stderr.contains(&words), "{stderr}");
    }
}

#[test]
fn price_that_is_no_amount_is_refused() {
    let scratch = Scratch::with_few();
    let ask = ["run", TOPIC, "--docs", "docs", "-n", "--search", "searxng"];
    let refused = |case: &str, model: &str, words: &str| {
        let mut command = scratch.command(&ask);
        let variables = [
            ("RESEARCH_MODEL", model),
            ("OPENAI_API_KEY", "key"),
            ("SEARXNG_URL", "http://127.0.0.1:1"),
        ];
        let ran: Ran = command.envs(variables).output().unwrap().into();
        ran.assert_ended(2, case);
        assert!(ran.stderr.contains(words), "{case}: {}", ran.stderr);
    };
    for amount in ["-1", "nan", "inf"] {
        let price = format!("[models.\"openai:m\"]\ninput = {amount}\n");
        scratch.write("config/prices.toml", price);
        refused(amount, "openai:m", "config/prices.toml");
    }
    scratch.write("config/prices.toml", "");
    let service = "[searxng]\nbase_url = \"http://127.0.0.1:1\"\nusd_per_thousand = -1\n";
    scratch.write(".config/research/services.toml", service);
    refused("service", "rules", "searxng.usd_per_thousand");
}

#[test]
fn unusable_search_service_is_refused_with_the_reason_and_its_setting() {
    let scratch = Scratch::new();
    for (variable, value, words) in [
        ("SEARXNG_URL", "localhost", "\"localhost\" is no address"),
        ("SEARXNG_URL", "", "set SEARXNG_URL"),
        ("RESEARCH_SEARCH__SERVICES", "nothing", "search.services: "),
    ] {
        let mut command = scratch.command(&["run", TOPIC, "-n"]);
        command.env("RESEARCH_SEARCH__SERVICES", "searxng");
        let ran: Ran = command.env(variable, value).output().unwrap().into();
        ran.assert_ended(2, value);
        assert!(ran.stderr.contains(words), "{value}: {}", ran.stderr);
    }
}

#[test]
fn full_standard_output_is_named_in_the_error() {
    let scratch = finished();
    let report = "research-output/s/final_report.md";
    for (code, arguments) in [
        (1, &["list"][..]),
        (1, &["show", "s"]),
        (1, &["export", "s", "--json"]),
        (1, &["run", "--help"]),
        // Of these, 1 is a finding.
        (2, &["check", report]),
        (2, &["search", "heat", "--docs", "docs"]),
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = scratch.command(arguments).stdout(full).output().unwrap();
        let ran = Ran::from(output);
        ran.assert_ended(code, &arguments.join(" "));
        assert!(ran.stderr.contains("standard output: "), "{}", ran.stderr);
    }
}

#[test]
fn path_that_is_no_document_is_named_for_what_it_is() {
    let scratch = Scratch::with_few();
    symlink("me.md", scratch.path().join("me.md")).unwrap();
    for (path, words) in [
        ("nothing", "there is no such file"),
        ("docs", "it is a directory"),
        ("me.md", "symbolic links"),
    ] {
        let stderr = scratch.expect(2, &["read", path]).stderr;
        assert!(stderr.contains(words), "{path}: {stderr}");
    }
    for (path, words) in [
        ("/dev/null", "neither a file nor a directory"),
        ("me.md", "symbolic links"),
    ] {
        for command in [&["run", TOPIC][..], &["search", "heat"]] {
            let stderr = scratch
                .expect(2, &[command, &["--docs", path]].concat())
                .stderr;
            assert!(stderr.contains(words), "{path}: {stderr}");
        }
    }
}

#[test]
fn output_directory_that_is_empty_or_a_file_is_refused_by_every_command() {
    let scratch = Scratch::with_few();
    scratch.write("taken", "mine");
    let ask = ["run", TOPIC, "--docs", "docs", "-n"];
    for arguments in [&ask[..], &["status", "s"]] {
        let taken = [arguments, &["--output-dir", "taken"]].concat();
        let stderr = scratch.expect(2, &taken).stderr;
        assert!(stderr.contains("taken is a file"), "{stderr}");
    }
    let stderr = scratch.expect(1, &["list", "--output-dir", "taken"]).stderr;
    assert!(stderr.contains("taken is a file"), "{stderr}");
    for arguments in [&ask[..], &["list"], &["doctor"]] {
        let mut command = scratch.command(arguments);
        let ran: Ran = command
            .env("RESEARCH_OUTPUT_DIR", "")
            .output()
            .unwrap()
            .into();
        ran.assert_ended(2, &arguments.join(" "));
        assert!(ran.stderr.contains("RESEARCH_OUTPUT_DIR"), "{}", ran.stderr);
    }
    let mut command = scratch.command(&["list"]);
    let ran: Ran = command.env("RESEARCH_CONFIG", "").output().unwrap().into();
    ran.assert_ended(0, "an empty RESEARCH_CONFIG is none");
}

#[test]
fn escape_sequences_of_a_foreign_session_do_not_reach_the_terminal() {
    let scratch = Scratch::with_few();
    let topic = "\u{1b}[2JDo heat pumps work in old houses?\r";
    let ran = scratch.expect(0, &["run", topic, "--docs", "docs", "--session", "s"]);
    let ran = [ran].into_iter().chain(
        [
            &["list"][..],
            &["status", "s"],
            &["show", "s"],
            &["export", "s"],
            &["diff", "s", "s"],
        ]
        .map(|arguments| scratch.expect(0, arguments)),
    );
    for Ran { stdout, stderr, .. } in ran {
        assert!(!(stdout + &stderr).contains(['\u{1b}', '\r']));
    }
    // For programs, the topic is what it is.
    let status = parsed(&scratch.expect(0, &["status", "s", "--json"]).stdout);
    assert_eq!(status["topic"], topic);
}

#[test]
fn a_report_is_not_written_under_the_extension_of_another_format() {
    let scratch = finished();
    for (format, file) in [("html", "x.docx"), ("md", "x.HTML"), ("docx", "x.md")] {
        let refused = scratch.expect(2, &["export", "s", "--format", format, "-o", file]);
        assert!(refused.stderr.contains("name it x."), "{}", refused.stderr);
        assert!(!scratch.path().join(file).exists(), "{file}");
    }
    for (format, file) in [("html", "x.htm"), ("html", "x"), ("csl-json", "x.csl.json")] {
        scratch.expect(0, &["export", "s", "--format", format, "-o", file]);
    }
}

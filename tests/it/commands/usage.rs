//! How the program ends, and what it says when it is used in a way that cannot work.

use crate::harness::{Ran, Scratch, TOPIC, WIDE_TOPIC, tree};

/// Expects exit code 2, these words, and that nothing was written.
fn assert_usage(scratch: &Scratch, arguments: &[&str], words: &[&str]) {
    let before = tree(scratch.path());
    let ran = scratch.run(arguments);
    assert_stderr(&ran, 2, words, &arguments.join(" "));
    assert!(tree(scratch.path()) == before, "{arguments:?}");
}

fn assert_stderr(ran: &Ran, code: i32, words: &[&str], case: &str) {
    ran.assert_ended(code, case);
    for word in words {
        assert!(ran.stderr.contains(word), "{case}: {word}: {}", ran.stderr);
    }
}

#[test]
fn usage_errors_exit_with_2_and_write_nothing() {
    let scratch = Scratch::with_few();
    let ask = ["run", TOPIC, "--docs", "docs"];
    assert_usage(&scratch, &[], &["Usage"]);
    assert_usage(&scratch, &["run"], &["TOPIC"]);
    assert_usage(&scratch, &["run", "  \n "], &["empty"]);
    assert_usage(&scratch, &["run", TOPIC], &["--docs"]);
    assert_usage(&scratch, &["research"], &["unrecognized subcommand"]);
    for (option, value, word) in [
        ("--from", "nothing", "analysis"),
        ("--until", "nothing", "analysis"),
        ("--depth", "bottomless", "standard"),
        ("--threshold", "1.5", "between 0 and 1"),
        ("--threshold", "NaN", "between 0 and 1"),
        ("--threshold", "high", "--threshold"),
        ("--timeout", "-5", "not a whole number"),
        ("--max-cost", "abc", "not a number"),
        ("--max-tokens", "", "no number"),
        ("--max-rounds", "0", "--max-rounds"),
        ("--max-rounds", "101", "between 1 and 100"),
        ("--resume", "s", "cannot be used with"),
    ] {
        let arguments = [&ask[..], &[option, value]].concat();
        assert_usage(&scratch, &arguments, &[word]);
    }
    assert_usage(
        &scratch,
        &["run", "--resume", "s", "--docs", "docs"],
        &["--docs"],
    );
    assert_usage(&scratch, &["run", "--resume", "s"], &["no session"]);
    let negative = [&ask[..], &["--threshold=-0.1"]].concat();
    assert_usage(&scratch, &negative, &["between 0 and 1"]);
    assert_usage(&scratch, &["-C", "nowhere", "list"], &["nowhere"]);
}

#[test]
fn a_command_of_a_feature_that_is_not_built_in_names_the_feature() {
    let scratch = Scratch::with_few();
    let commands = [
        (cfg!(feature = "s3"), "push", "--features s3"),
        (cfg!(feature = "s3"), "pull", "--features s3"),
        (cfg!(feature = "nats"), "submit", "--features nats"),
        (cfg!(feature = "nats"), "worker", "--features nats"),
    ];
    for (is_built_in, command, feature) in commands {
        if is_built_in {
            scratch.run(&[command, "--help"]).assert_ended(0, command);
        } else {
            assert_usage(&scratch, &[command, "x"], &["built without it", feature]);
        }
    }
}

#[test]
fn session_id_of_another_topic_is_a_usage_error() {
    let scratch = Scratch::with_few();
    scratch.research();
    let arguments = ["run", WIDE_TOPIC, "--docs", "docs", "--session", "s"];
    assert_usage(&scratch, &arguments, &["another topic", "--resume"]);
}

#[test]
fn missing_directory_of_an_exported_report_is_named_in_plain_words() {
    let scratch = Scratch::with_few();
    scratch.research();
    let arguments = ["export", "s", "-o", "nowhere/report.md"];
    let words = ["there is no directory nowhere; make it first"];
    assert_usage(&scratch, &arguments, &words);
}

#[test]
fn invalid_settings_name_their_layer_and_key() {
    let scratch = Scratch::with_few();
    for (text, word) in [
        ("[run]\nthreshhold = 0.5\n", "threshhold"),
        ("[run]\nthreshold = 5\n", "between 0 and 1"),
        ("[run]\nthreshold = \"high\"\n", "threshold"),
        ("[runs]\n", "runs"),
        ("[run\n", "research.toml"),
        ("[depth.quick]\nmin_steps = 0\n", "min_steps"),
    ] {
        scratch.write("config/research.toml", text);
        for arguments in [
            &["run", TOPIC, "--docs", "docs"][..],
            &["list"],
            &["doctor"],
        ] {
            assert_usage(&scratch, arguments, &["config/research.toml", word]);
        }
    }
}

#[test]
fn invalid_environment_variables_are_named() {
    let scratch = Scratch::with_few();
    for (variable, value, word) in [
        ("RESEARCH_RUN__THRESHOLD", "abc", "RESEARCH_RUN__THRESHOLD"),
        ("RESEARCH_RUN__THRESHOLD", "2", "between 0 and 1"),
        ("RESEARCH_RUN__NOTHING", "1", "RESEARCH_RUN__NOTHING"),
        ("RESEARCH_NOW", "yesterday", "RESEARCH_NOW"),
        ("RESEARCH_CONFIG", "nowhere.toml", "nowhere.toml"),
    ] {
        let mut command = scratch.command(&["run", TOPIC, "--docs", "docs"]);
        let ran = Ran::from(command.env(variable, value).output().unwrap());
        assert_stderr(&ran, 2, &[word], variable);
        assert!(!scratch.path().join("research-output").exists());
    }
}

#[test]
fn later_layers_of_settings_override_earlier_ones() {
    let scratch = Scratch::with_few();
    scratch.write("home.toml", "[run]\nthreshold = 0.1\nowner = \"file\"\n");
    scratch.write("config/research.toml", "[run]\nthreshold = 0.2\n");
    let ask = [
        "run",
        TOPIC,
        "--docs",
        "docs",
        "--until",
        "research",
        "--session",
    ];
    let threshold = |name: &str, environment: &[(&str, &str)], more: &[&str]| {
        let mut command = scratch.command(&[&ask[..], &[name], more].concat());
        let ran = command.envs(environment.iter().copied()).output().unwrap();
        Ran::from(ran).assert_ended(0, name);
        let session = scratch.read(&format!("research-output/{name}/session.json"));
        let session = crate::harness::parsed(&session);
        (session["threshold"].as_f64().unwrap() * 10.0).round()
    };
    let named = ("RESEARCH_CONFIG", "home.toml");
    let variable = ("RESEARCH_RUN__THRESHOLD", "0.3");
    assert_eq!(threshold("work", &[], &[]), 2.0);
    assert_eq!(threshold("named", &[named], &[]), 1.0);
    assert_eq!(threshold("variable", &[named, variable], &[]), 3.0);
    assert_eq!(
        threshold("flag", &[named, variable], &["--threshold", "0.4"]),
        4.0
    );
}

#[test]
fn round_below_the_threshold_exits_with_3_only_if_strict() {
    let scratch = Scratch::with_few();
    let narrow = "How much carbon dioxide do heat pumps save in poorly insulated houses?";
    let arguments = [
        "run",
        narrow,
        "--docs",
        "docs",
        "--session",
        "s",
        "--threshold",
        "1",
    ];
    let ran = scratch.expect(0, &arguments);
    assert!(ran.stderr.contains("below threshold"), "{}", ran.stderr);
    scratch.expect(3, &["run", "--resume", "s", "--strict"]);
    let report = scratch.read("research-output/s/final_report.md");
    assert!(report.contains("Low review score"), "{report}");
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(status.contains("  reason   the score "), "{status}");
    let other = ["run", TOPIC, "--docs", "docs", "--session", "t", "--strict"];
    scratch.expect(0, &other);
}

#[test]
fn an_address_is_no_directory_of_sessions() {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--docs", "docs", "--output-dir", "s3://b/x"];
    let refused = scratch.expect(2, &arguments).stderr;
    assert!(
        refused.contains("research push SESSION --store s3://b/x"),
        "{refused}"
    );
    assert!(!scratch.path().join("s3:").exists());
}

#[test]
fn no_evidence_exits_with_5_and_claims_nothing() {
    let scratch = Scratch::with_few();
    let arguments = [
        "run",
        "How do volcanoes form?",
        "--docs",
        "docs",
        "--session",
        "s",
    ];
    let ran = scratch.run(&arguments);
    assert_stderr(&ran, 5, &["no evidence"], "volcanoes");
    assert!(
        ran.stdout.contains("No evidence was found"),
        "{}",
        ran.stdout
    );
    let report = scratch.json("report.json")["content"].clone();
    assert_eq!(report["outcome"], "no_evidence");
    for part in [
        "claims",
        "sections",
        "executive_summary",
        "references",
        "conclusion",
    ] {
        assert_eq!(report[part], serde_json::json!([]), "{part}");
    }
    scratch.expect(5, &["run", "--resume", "s"]);
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn file_of_an_unknown_extension_is_not_written_as_markdown() {
    let scratch = Scratch::with_few();
    let run = ["run", TOPIC, "--docs", "docs", "--session", "s", "-o"];
    let words = ["no format has the extension .xyz", ".html", ".docx"];
    let ran = scratch.run(&[&run[..], &["x.xyz"]].concat());
    assert_stderr(&ran, 2, &words, "x.xyz");
    if cfg!(not(feature = "pdf")) {
        let ran = scratch.run(&[&run[..], &["x.pdf"]].concat());
        assert_stderr(&ran, 2, &["built without pdf", "--features pdf"], "x.pdf");
    }
    assert!(!scratch.path().join("research-output").exists());
    scratch.expect(0, &[&run[..], &["report"]].concat());
    assert!(scratch.read("report").starts_with("# "));
    let ran = scratch.run(&["export", "s", "-o", "x.xyz"]);
    assert_stderr(&ran, 2, &words, "export");
    scratch.expect(0, &["export", "s", "--format", "csv", "-o", "x.xyz"]);
}

#[test]
fn a_report_is_not_written_among_its_documents() {
    let scratch = Scratch::with_few();
    let run = |docs: &str, output: &str| {
        let run = ["run", TOPIC, "--session", "s", "--docs", docs, "-o", output];
        scratch.run(&run)
    };
    for (docs, output) in [("docs", "docs/report.md"), (".", "report.md")] {
        let words = ["the next run would take it for one", "-o ../"];
        assert_stderr(&run(docs, output), 2, &words, output);
        assert!(!scratch.path().join("research-output").exists());
    }
    // Hidden files and those of no kind are not read, and a file is no folder.
    assert_eq!(run("docs", "docs/.report.md").code, Some(0));
    assert_eq!(run("docs", "report.md").code, Some(0));
    let resumed = ["run", "--resume", "s", "-o", "docs/report.md"];
    assert_stderr(&scratch.run(&resumed), 2, &["the next run"], "resumed");
}

#[test]
fn options_for_prose_are_not_ignored_without_a_word() {
    let scratch = Scratch::with_few();
    let run = ["run", TOPIC, "--docs", "docs"];
    let ran = scratch.expect(0, &[&run[..], &["--lang", "de", "--words", "50"]].concat());
    let words = "no effect without a model, since the report quotes its sources: --lang, --words";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    let ran = scratch.expect(0, &run);
    assert!(!ran.stderr.contains("no effect"), "{}", ran.stderr);
}

#[test]
fn help_without_a_command_is_the_help_as_it_is_written() {
    let ran = Scratch::new().expect(2, &[]);
    assert!(ran.stderr.contains("Print more to standard error: "));
    assert!(!ran.stderr.contains("standard research"), "{}", ran.stderr);
}

#[test]
fn empty_query_is_a_usage_error() {
    let ran = Scratch::with_few().run(&["search", "", "--docs", "docs"]);
    assert_stderr(&ran, 2, &["a value is required for '<QUERY>'"], "search");
}

#[test]
fn session_without_a_report_says_how_to_resume_it() {
    let scratch = Scratch::with_few();
    let run = ["run", TOPIC, "--docs", "docs", "--session", "s"];
    scratch.expect(0, &[&run[..], &["--until", "research"]].concat());
    let ran = scratch.run(&["show", "s"]);
    let words = ["no report yet; to resume it: research run --resume"];
    assert_stderr(&ran, 1, &words, "show");
    assert!(!ran.stderr.contains("os error"), "{}", ran.stderr);
}

#[test]
fn year_is_not_repeated_after_a_title_that_has_it() {
    let scratch = Scratch::new();
    let text = "---\ndate: 2026-03-04\n---\n# Ops meeting, 4 March 2026\n\nThe migration starts \
                on Monday.\n";
    scratch.write("docs/ops.md", text);
    let run = ["run", "When does the migration start?", "--docs", "docs"];
    let report = scratch.expect(0, &run).stdout;
    assert!(
        report.contains("**Ops meeting, 4 March 2026:**"),
        "{report}"
    );
}

#[test]
fn only_an_option_of_a_similar_name_is_suggested() {
    let scratch = Scratch::new();
    for (typed, similar) in [
        ("--treshhold", Some("--threshold")),
        ("--dry", Some("--dry-run")),
        ("--no-input", None),
        ("-docs", Some("a similar argument exists: '--docs'")),
        ("-json", Some("'--json'")),
        ("-threshold=0.5", Some("'--threshold'")),
        ("-x", None),
    ] {
        let ran = scratch.expect(2, &["run", "a topic", typed]);
        match similar {
            Some(similar) => assert!(ran.stderr.contains(similar), "{}", ran.stderr),
            None => assert!(!ran.stderr.contains("similar"), "{}", ran.stderr),
        }
    }
}

#[test]
fn tips_and_helps_say_what_values_mean() {
    let scratch = Scratch::with_few();
    let ran = scratch.expect(2, &["help", "--json"]);
    assert!(!ran.stdout.contains("research run"), "{}", ran.stdout);
    let help = scratch.expect(0, &["run", "-h"]).stdout;
    let line = |option: &str| {
        let (_, rest) = help.split_once(&format!("{option} <")).unwrap();
        let words: Vec<&str> = rest.split_whitespace().take(30).collect();
        words.join(" ")
    };
    assert!(line("--depth").contains("standard (six)"), "{help}");
    assert!(line("--words").contains("250 for a brief"), "{help}");
    for arguments in [["read", "nofile"], ["check", "nofile"]] {
        let ran = scratch.expect(2, &arguments);
        let said = "cannot read nofile: there is no such file; name ";
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn broken_session_file_names_two_ways_out() {
    let scratch = super::finished();
    scratch.write("research-output/s/session.json", "{");
    let ran = scratch.expect(1, &["show", "s"]);
    let said = "fix the file, or remove the session: research rm s";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    scratch.expect(0, &["rm", "s", "--yes"]);
    assert!(!scratch.session().exists());
}

#[test]
fn brief_part_of_a_report_is_its_summary() {
    let scratch = super::finished();
    let part = |kind: &str| scratch.expect(0, &["export", "s", "--kind", kind]).stdout;
    assert_eq!(part("brief"), part("summary"));
    assert!(part("brief").len() < part("detailed").len());
}

#[test]
fn several_reports_are_checked_each_by_itself() {
    let scratch = Scratch::with_few();
    scratch.write(
        "good.md",
        "Insulation does not have to come before a heat pump in an old house.\n",
    );
    scratch.write(
        "bad.md",
        "A heat pump costs 99,999 euros in every old house.\n",
    );
    let check = ["check", "good.md", "bad.md", "--docs", "docs", "--offline"];
    let ran = scratch.expect(1, &check);
    for file in ["good.md", "bad.md"] {
        let totals = format!("{file}: checked 1 sentence");
        assert!(ran.stdout.contains(&totals), "{}", ran.stdout);
    }
    let ran = scratch.expect(1, &[&check[..], &["--json"]].concat());
    let results: Vec<_> = ran.stdout.lines().map(crate::harness::parsed).collect();
    assert_eq!(results[0]["passed"], true);
    assert_eq!(results[1]["passed"], false);
}

#[test]
fn explain_names_the_first_of_many_files_that_are_moved_aside() {
    let scratch = super::finished();
    scratch.write("docs/new.md", "# New\n\nA heat pump works in old houses.\n");
    let explained = scratch.expect(0, &["explain", "s"]).stdout;
    let next = explained.lines().last().unwrap();
    assert!(next.contains("move aside research.json and "), "{next}");
    assert!(next.contains(" more files ("), "{next}");
}

#[test]
fn topic_beside_a_session_to_resume_is_a_further_question() {
    let scratch = Scratch::new();
    for resume in [&["--resume", "last"][..], &["--resume=last"]] {
        let refused = scratch.expect(2, &[&["run"], resume, &["a topic"]].concat());
        let tip = "research run \"TOPIC\" --follow last";
        assert!(refused.stderr.contains(tip), "{}", refused.stderr);
        assert!(!refused.stderr.contains("Usage"), "{}", refused.stderr);
    }
    let unknown = scratch.expect(2, &["show", "research"]).stderr;
    assert!(unknown.contains("last means the latest"), "{unknown}");
}

//! The sessions of a directory: what a list shows of each, and what tells their states apart.

use std::fs;
use std::process::Command;

use research::pipeline::Lock;

use crate::harness::{NOW, Scratch, TOPIC, parsed, skipped};

/// The state that `status` shows of session `s`, and that `list` does.
fn states(scratch: &Scratch) -> [String; 2] {
    let of = |arguments: &[&str]| parsed(&scratch.expect(0, arguments).stdout);
    let status = of(&["status", "s", "--json"]);
    let listed = of(&["list", "--json"]);
    [&status, &listed[0]].map(|value| value["state"].as_str().unwrap().to_owned())
}

fn assert_state(scratch: &Scratch, state: &str) {
    assert_eq!(states(scratch), [state, state]);
    let listed = scratch.expect(0, &["list", "--state", &state.to_lowercase()]);
    assert!(listed.stdout.contains(state), "{}", listed.stdout);
    let others = scratch.expect(0, &["list", "--state", "pending"]).stdout;
    assert_eq!(others, "");
}

/// A session `s` without a report, the last event of which is this.
fn ended_with(event: &str) -> Scratch {
    let scratch = Scratch::with_few();
    let run = ["run", TOPIC, "--docs", "docs", "--session", "s"];
    scratch.expect(0, &[&run[..], &["--until", "research"]].concat());
    let log = "research-output/s/events.jsonl";
    let line = format!("{{\"at\": \"2026-11-21T12:00:00Z\", \"event\": {event}}}\n");
    scratch.write(log, scratch.read(log) + &line);
    scratch
}

#[test]
fn states_of_unfinished_sessions_are_told_apart_and_lead_on() {
    let resume = "research run --resume research-output/s";
    let failed = r#"{"stage_failed": {"stage": "write", "problem": "p"}}"#;
    let exhausted = r#"{"stage_failed": {"stage": "write", "problem": "p", "exhausted": true}}"#;
    let late = r#"{"stage_failed": {"stage": "write", "exhausted": true,
                  "problem": "the budget of 1 second is used up; go on with a larger --timeout"}}"#;
    let late = late.replace('\n', " ");
    for (event, state, hint) in [
        (
            late.as_str(),
            "BUDGET_ENDED",
            "  # goes on without a limit of time, or give a larger --timeout",
        ),
        ("\"run_finished\"", "ANALYZING", ""),
        ("\"interrupted\"", "INTERRUPTED", ""),
        (r#"{"run_started": {"pid": 1}}"#, "INTERRUPTED", ""),
        (failed, "FAILED", ""),
        (
            exhausted,
            "BUDGET_ENDED",
            " --dry-run  # says how much money and how many tokens are enough",
        ),
        (
            r#"{"stage_waits": {"stage": "research", "message": "m"}}"#,
            "WAITING",
            "",
        ),
    ] {
        let scratch = ended_with(event);
        assert_state(&scratch, state);
        let status = scratch.expect(0, &["status", "s"]).stdout;
        assert!(
            status.contains(&format!("next     {resume}{hint}")),
            "{status}"
        );
    }
}

#[test]
fn status_says_the_command_that_the_run_said() {
    let scratch = Scratch::with_few();
    let options = ["--model", "rules", "--timeout", "99"];
    let arguments = ["run", "the of", "--docs", "docs", "--session", "s"];
    let ran = scratch.expect(4, &[&arguments[..], &options].concat());
    let (_, resume) = ran.stderr.rsplit_once("to resume: ").unwrap();
    assert!(resume.contains("s --model rules --timeout 99 "), "{resume}");
    let status = scratch.expect(0, &["status", "s"]).stdout;
    let next = format!("next     {resume}");
    assert!(status.ends_with(&next), "{status}{next}");
}

#[test]
fn session_that_waits_for_an_answer_says_how_to_give_it() {
    let scratch = Scratch::with_few();
    let ran = scratch.expect(4, &["run", "the of", "--docs", "docs", "--session", "s"]);
    let hint = "research run --resume research-output/s --answer \"TEXT\"";
    assert!(ran.stderr.contains(hint), "{}", ran.stderr);
    assert_state(&scratch, "WAITING");
}

#[test]
fn list_marks_a_report_below_the_threshold() {
    let scratch = Scratch::with_few();
    scratch.expect(0, &["run", TOPIC, "--docs", "docs", "--threshold", "1"]);
    let list = scratch.expect(0, &["list"]).stdout;
    assert!(list.contains("(below threshold) Do heat pumps"), "{list}");
}

#[test]
fn session_without_evidence_is_not_listed_as_complete() {
    let scratch = Scratch::with_few();
    let topic = "What is the boiling point of tungsten?";
    scratch.expect(5, &["run", topic, "--docs", "docs", "--session", "s"]);
    assert_state(&scratch, "NO_EVIDENCE");
}

#[test]
fn broken_file_is_a_state_of_its_own_with_a_single_remedy() {
    let scratch = Scratch::with_few();
    scratch.research();
    assert_state(&scratch, "COMPLETE");
    scratch.write("research-output/s/analysis.json", "{ not json");
    assert_state(&scratch, "BROKEN");
    let remedy = "fix the file, or run again with --from analysis";
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(
        status.contains(remedy) && !status.contains("--resume"),
        "{status}"
    );
    let ran = scratch.expect(1, &["run", "--resume", "s"]);
    assert!(ran.stderr.contains(remedy), "{}", ran.stderr);
    assert!(!ran.stderr.contains("to resume"), "{}", ran.stderr);
    scratch.expect(0, &["run", "--resume", "s", "--from", "analysis"]);
    assert_state(&scratch, "COMPLETE");
    scratch.write("research-output/s/session.json", "{");
    let listed = parsed(&scratch.expect(0, &["list", "--json"]).stdout);
    assert_eq!(listed[0]["state"], "BROKEN");
}

#[test]
fn broken_file_that_is_no_gate_has_a_single_remedy_too() {
    let scratch = Scratch::with_few();
    scratch.research();
    let session = scratch.session();
    scratch.write("research-output/s/research/plan-1.json", "garbage");
    std::fs::remove_file(session.join("research.json")).unwrap();
    let ran = scratch.expect(1, &["run", "--resume", "s"]);
    let remedy = "fix the file, or run again with --from research";
    assert!(ran.stderr.contains(remedy), "{}", ran.stderr);
    assert!(!ran.stderr.contains("to resume"), "{}", ran.stderr);
    assert_state(&scratch, "BROKEN");
    let status = scratch.expect(0, &["status", "s"]).stdout;
    let is_single = status.contains(remedy) && !status.contains("--resume");
    assert!(is_single, "{status}");
    scratch.expect(0, &["run", "--resume", "s", "--from", "research"]);
    assert_state(&scratch, "COMPLETE");
}

#[test]
fn report_older_than_what_it_was_made_from_is_outdated() {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch.edit("analysis.json", "\"confidence\": 0.", "\"confidence\": 0.0");
    assert_state(&scratch, "OUTDATED");
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(
        status.contains("reason   report.json: analysis.json changed"),
        "{status}"
    );
    scratch.research();
    assert_state(&scratch, "COMPLETE");
    // A record of an older version holds neither score nor outcome.
    let record = scratch.json("published.json");
    let older = ["version", "round", "below_threshold", "decision"].map(|key| (key, &record[key]));
    let older: std::collections::BTreeMap<_, _> = older.into_iter().collect();
    let older = serde_json::to_vec(&older).unwrap();
    scratch.write("research-output/s/published.json", older);
    assert_state(&scratch, "COMPLETE");
    let listed = parsed(&scratch.expect(0, &["list", "--json"]).stdout);
    assert_eq!(
        listed[0]["score"],
        scratch.json("review.json")["content"]["score"]
    );
}

#[test]
fn last_is_the_first_of_the_list_also_within_a_second() {
    let scratch = Scratch::with_few();
    for name in ["zebra", "ant"] {
        let run = ["run", TOPIC, "--docs", "docs", "--session", name];
        let mut command = scratch.command(&run);
        let output = command.env("RESEARCH_NOW", "2026-11-20T12:00:00Z").output();
        assert!(output.unwrap().status.success());
    }
    let listed = scratch.expect(0, &["list"]).stdout;
    let first = listed.split("  ").next().unwrap();
    let unknown = scratch.expect(2, &["status", "zerba"]).stderr;
    assert!(unknown.contains("did you mean \"zebra\"?"), "{unknown}");
    let last = scratch.expect(0, &["status", "last"]).stdout;
    assert!(last.contains(&format!("/{first}\n")), "{listed}{last}");
}

#[test]
fn last_is_the_session_begun_last_of_one_second() {
    let scratch = Scratch::with_few();
    for (name, now) in [
        ("ant", "2026-11-20T12:00:00.25Z"),
        ("zebra", "2026-11-20T12:00:00.75Z"),
        ("bee", "2026-11-20T12:00:00.5Z"),
    ] {
        let run = ["run", TOPIC, "--docs", "docs", "--session", name];
        let output = scratch.command(&run).env("RESEARCH_NOW", now).output();
        assert!(output.unwrap().status.success());
    }
    let status = scratch.expect(0, &["status", "last"]).stdout;
    assert!(status.starts_with("zebra\n"), "{status}");
    assert!(status.contains(" 2026-11-20T12:00:00Z\n"), "{status}");
    let listed = scratch.expect(0, &["list"]).stdout;
    let names: Vec<_> = listed.lines().map(|line| line.split("  ").next()).collect();
    assert_eq!(names, ["zebra", "bee", "ant"].map(Some));
}

#[test]
fn list_shows_score_and_age_latest_first_and_finds_by_words_and_time() {
    let scratch = Scratch::with_few();
    for (topic, name, now) in [
        (TOPIC, "old", "2025-11-21T12:00:00Z"),
        ("What does a heat pump cost?", "new", "2026-11-20T12:00:00Z"),
    ] {
        let run = ["run", topic, "--docs", "docs", "--session", name];
        let mut command = scratch.command(&run);
        assert!(
            command
                .env("RESEARCH_NOW", now)
                .output()
                .unwrap()
                .status
                .success()
        );
    }
    let list = |arguments: &[&str]| {
        let listed = scratch.expect(0, &[&["list"], arguments].concat()).stdout;
        let names = listed
            .lines()
            .map(|line| line.split("  ").next().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(list(&[]), ["new", "old"]);
    let text = scratch.expect(0, &["list"]).stdout;
    let score = scratch.run(&["status", "new"]).stdout;
    let score = score
        .lines()
        .find_map(|line| line.strip_prefix("  score    "));
    let line = format!(
        "new  COMPLETE  {}  1 d  What does a heat pump cost?",
        score.unwrap()
    );
    assert_eq!(text.lines().next().unwrap(), line);
    assert_eq!(list(&["COST"]), ["new"]);
    assert_eq!(list(&["pump", "houses"]), ["old"]);
    assert_eq!(list(&["heat pump"]), ["new", "old"]);
    assert_eq!(list(&["bees"]), Vec::<String>::new());
    assert_eq!(list(&["--since", "2d"]), ["new"]);
    assert_eq!(list(&["--older-than", "2026-01-01"]), ["old"]);
    assert_eq!(list(&["--limit", "1"]), ["new"]);
    assert_eq!(list(&["--limit", "1", "--sort", "oldest"]), ["old"]);
    // "Do heat pumps …", "What does …".
    assert_eq!(list(&["--sort", "topic"]), ["old", "new"]);
    assert_eq!(list(&["--state", "failed,broken"]), Vec::<String>::new());
    assert_eq!(list(&["--state", "not_answered"]), Vec::<String>::new());
    let refused = scratch.expect(2, &["list", "--since", "yesterday"]).stderr;
    assert!(
        refused.contains("--since") && refused.contains("30d"),
        "{refused}"
    );
    scratch.expect(2, &["list", "--state", "done"]);
}

#[test]
fn list_fits_the_width_of_a_terminal() {
    if !Command::new("script")
        .arg("--version")
        .output()
        .is_ok_and(|ran| ran.status.success())
    {
        return skipped("script, which makes a terminal, is not installed");
    }
    let scratch = Scratch::with_few();
    let topic = format!("{TOPIC} {}", "And what does it cost? ".repeat(9));
    scratch.expect(0, &["run", &topic, "--docs", "docs", "--session", "s"]);
    let list = |columns: usize| {
        let program = env!("CARGO_BIN_EXE_research");
        let line = format!("stty rows 24 cols {columns}; exec '{program}' list");
        let command = scratch.command(&[]);
        let mut terminal = Command::new("script");
        terminal
            .args(["-qec", &line, "/dev/null"])
            .current_dir(scratch.path())
            .env("HOME", "/");
        command.get_envs().for_each(|(name, value)| {
            terminal.env(name, value.unwrap_or_default());
        });
        let output = terminal
            .env("PATH", std::env::var("PATH").unwrap())
            .output()
            .unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        anstream::adapter::strip_str(shown.trim_end()).to_string()
    };
    let line = list(60);
    assert_eq!(line.chars().count(), 60, "{line}");
    assert!(
        line.contains("Do heat pumps") && line.ends_with('…'),
        "{line}"
    );
    assert!(!list(30).contains("Do heat"));
    assert!(scratch.expect(0, &["list"]).stdout.len() > 100);
    assert!(fs::metadata(scratch.session()).is_ok());
}

#[test]
fn removed_session_is_gone_and_a_running_one_is_not_removed() {
    let scratch = Scratch::with_few();
    scratch.research();
    let refused = scratch.expect(2, &["rm", "s"]).stderr;
    assert!(refused.contains("--yes"), "{refused}");
    for option in ["--dry-run", "-n"] {
        let shown = scratch.expect(0, &["rm", "s", option]).stdout;
        assert!(shown.ends_with("would remove 1 session\n"), "{shown}");
    }
    assert!(scratch.session().join("final_report.md").exists());
    let lock = Lock::acquire(&scratch.session(), true, NOW).unwrap();
    scratch.expect(7, &["rm", "s", "--yes"]);
    drop(lock);
    assert!(scratch.session().join("final_report.md").exists());
    scratch.expect(2, &["rm", "s", "nothing", "--yes"]);
    assert!(scratch.session().exists());
    let removed = scratch.expect(0, &["rm", "s", "s", "--yes"]).stdout;
    assert!(removed.starts_with("removed 1 session, "), "{removed}");
    assert_eq!(scratch.expect(0, &["list"]).stdout, "");
    let left = fs::read_dir(scratch.path().join("research-output")).unwrap();
    assert_eq!(left.count(), 0);
    scratch.expect(2, &["rm", "docs", "--yes"]);
    scratch.research();
}

#[test]
fn what_is_left_of_a_session_is_removed_by_its_name() {
    let scratch = Scratch::with_few();
    scratch.research();
    fs::remove_file(scratch.session().join("session.json")).unwrap();
    let listed = scratch.expect(0, &["list"]).stderr;
    let tip = "research rm research-output/s removes the rest";
    assert!(listed.contains(tip), "{listed}");
    scratch.expect(2, &["rm", "s"]);
    let shown = scratch.expect(0, &["rm", "research-output/s", "-n"]).stdout;
    assert!(shown.contains("(no session any more)"), "{shown}");
    // What was no session is nothing to remove, nor what a link leads to.
    fs::create_dir(scratch.path().join("research-output/other")).unwrap();
    scratch.expect(2, &["rm", "other", "--yes"]);
    fs::rename(scratch.session(), scratch.path().join("elsewhere")).unwrap();
    scratch.expect(2, &["rm", "elsewhere", "--yes"]);
    scratch.expect(2, &["rm", "../elsewhere", "--yes"]);
    std::os::unix::fs::symlink("../elsewhere", scratch.session()).unwrap();
    let refused = scratch.run(&["rm", "s", "--yes"]);
    assert_ne!(refused.code, Some(0));
    assert!(
        refused.stderr.contains("is a symbolic link"),
        "{}",
        refused.stderr
    );
    fs::remove_file(scratch.session()).unwrap();
    fs::rename(scratch.path().join("elsewhere"), scratch.session()).unwrap();
    scratch.expect(0, &["rm", "s", "--yes"]);
    assert!(!scratch.session().exists());
}

#[test]
fn reference_to_more_sessions_than_are_named_says_so() {
    let scratch = Scratch::new();
    for (number, separator) in [(5, ":"), (6, ", such as")] {
        for number in 1..=number {
            scratch.write(&format!("research-output/web-{number}/session.json"), "{}");
        }
        let ran = scratch.run(&["status", "web"]);
        let said = format!("means any of {number} sessions{separator} web-1, web-2");
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    }
}

#[test]
fn removal_of_a_linked_session_leaves_what_the_link_leads_to() {
    let scratch = Scratch::with_few();
    scratch.research();
    let elsewhere = scratch.path().join("elsewhere");
    fs::rename(scratch.session(), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, scratch.session()).unwrap();
    let refused = scratch.run(&["rm", "s", "--yes"]);
    assert_ne!(refused.code, Some(0));
    assert!(elsewhere.join("final_report.md").exists());
}

#[test]
fn follow_up_session_names_documents_and_not_the_copies_of_its_predecessor() {
    let scratch = Scratch::with_few();
    scratch.research();
    let topic = "Can the old radiators stay, and is insulation first?";
    let ran = scratch.expect(0, &["run", topic, "--follow", "s"]);
    let (_, references) = ran.stdout.split_once("## References").unwrap();
    let entries = references.lines().filter(|line| line.contains("sources/"));
    for entry in entries {
        let (words, _) = entry.split_once(" ([S").unwrap();
        assert!(!words.contains(", S"), "{entry}");
    }
}

#[test]
fn clarification_names_the_documents_of_the_session_that_it_follows() {
    let scratch = Scratch::new();
    scratch.write(
        "docs/keepers.txt",
        "Lighthouse keepers\n\nThe last keeper left in 1998.\n",
    );
    scratch.expect(
        0,
        &[
            "run",
            "When did the last keeper leave?",
            "--docs",
            "docs",
            "--session",
            "s",
        ],
    );
    fs::remove_dir_all(scratch.path().join("docs")).unwrap();
    let ran = scratch.expect(0, &["run", "What about the last keeper?", "--follow", "s"]);
    assert!(
        ran.stdout.contains("**Lighthouse keepers:**"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("keepers.txt"), "{}", ran.stdout);
}

#[test]
fn a_follow_up_quotes_a_document_as_it_is_and_not_the_text_that_was_stored_before() {
    let scratch = Scratch::new();
    let trial = |dry: &str| {
        format!("# Brine trial\n\nThe use of salt was 8 g with brine and {dry} with dry salt.\n")
    };
    scratch.write("docs/brine.md", trial("20 g"));
    let topic = "How much salt is used with brine?";
    scratch.expect(0, &["run", topic, "--docs", "docs", "--session", "s"]);
    scratch.write("docs/brine.md", trial("19 g"));
    let topic = "And how much salt is used with dry salt?";
    for (session, documents) in [("t", &["--docs", "docs"][..]), ("u", &[])] {
        let command = ["run", topic, "--follow", "s", "--session", session];
        let ran = scratch.expect(0, &[&command[..], documents].concat());
        assert!(ran.stdout.contains("19 g"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("20 g"), "{}", ran.stdout);
        // A change of the document is one of this session, too.
        scratch.write("docs/brine.md", trial("18 g"));
        let explained = scratch.expect(0, &["explain", session]).stdout;
        assert!(explained.contains("brine.md"), "{explained}");
        assert!(!explained.contains("S1.md"), "{explained}");
        scratch.write("docs/brine.md", trial("19 g"));
    }
}

#[test]
fn a_chain_of_follow_ups_has_each_document_once_and_is_not_outdated_by_copies() {
    let scratch = Scratch::new();
    scratch.write(
        "docs/boat.md",
        "# The boat\n\nThe boat is 14 m long. The boat was built in 1931.\n",
    );
    scratch.write(
        "docs/crew.md",
        "# The crew\n\nThe crew of the boat has 6 members.\n",
    );
    scratch.write("docs/port.md", "# The port\n\nThe port is 5 m deep.\n");
    let first = "How long is the boat?";
    scratch.expect(0, &["run", first, "--docs", "docs", "--session", "one"]);
    for (session, before, topic) in [
        (
            "two",
            "one",
            "How many members does the crew of the boat have?",
        ),
        ("three", "two", "When was the boat built?"),
        ("four", "three", "How deep is the port?"),
    ] {
        let ran = scratch.expect(0, &["run", topic, "--follow", before, "--session", session]);
        assert!(
            ran.stdout.contains("3 documents were searched"),
            "{}",
            ran.stdout
        );
        let manifest = scratch.read(&format!("research-output/{session}/manifest.json"));
        assert!(!manifest.contains("S1.md"), "{manifest}");
    }
    scratch.write(
        "docs/boat.md",
        "# The boat\n\nThe boat is 15 m long. The boat was built in 1931.\n",
    );
    let updated = scratch.run(&["update", "--all"]);
    let updated = updated.stdout + &updated.stderr;
    assert!(!updated.contains("gone"), "{updated}");
    let again = scratch.expect(0, &["update", "--all"]);
    let again = again.stdout + &again.stderr;
    assert!(again.contains("4 as before"), "{again}");
}

#[test]
fn session_that_another_follows_is_neither_removed_nor_renamed() {
    let scratch = Scratch::with_few();
    scratch.research();
    let ask = [
        "run",
        "And what does it cost?",
        "--follow",
        "s",
        "--session",
        "t",
    ];
    scratch.expect(0, &ask);
    let refused = scratch.expect(2, &["rm", "s", "--yes"]).stderr;
    assert!(refused.contains("t follows"), "{refused}");
    scratch.expect(2, &["rename", "s", "u"]);
    scratch.expect(0, &["rm", "s", "t", "--yes"]);
}

#[test]
fn renamed_session_is_the_same_under_its_new_name() {
    let scratch = Scratch::with_few();
    scratch.research();
    for name in ["../up", "", "a/b", "last", ".hidden"] {
        scratch.expect(2, &["rename", "s", name]);
    }
    scratch.expect(0, &["run", TOPIC, "--docs", "docs", "--session", "taken"]);
    scratch.expect(2, &["rename", "s", "taken"]);
    let renamed = scratch.expect(0, &["rename", "s", "houses"]);
    let line = "research-output/s is now research-output/houses\n";
    assert_eq!(renamed.stdout, line);
    // A report that was saved elsewhere has links to the old name.
    let remark = "to save it again: research export houses --output FILE";
    assert!(renamed.stderr.contains(remark), "{}", renamed.stderr);
    let ran = scratch.expect(0, &["run", "--resume", "houses"]);
    assert!(ran.stderr.contains("nothing to do"), "{}", ran.stderr);
    scratch.expect(0, &["verify", "houses"]);
    scratch.expect(2, &["status", "s"]);
}

#[test]
fn gc_removes_superseded_files_and_says_how_many_bytes() {
    let scratch = Scratch::with_few();
    scratch.research();
    let nothing = scratch.expect(0, &["gc"]).stdout;
    assert_eq!(nothing, "0 entries, 0 B: nothing was removed\n");
    scratch.expect(0, &["run", "--resume", "s", "--from", "analysis"]);
    let superseded = scratch.session().join("superseded");
    let foreseen = scratch.expect(0, &["gc", "--dry-run"]).stdout;
    assert!(
        foreseen.contains("KiB  research-output/s/superseded\n"),
        "{foreseen}"
    );
    scratch.expect(2, &["gc"]);
    assert!(superseded.exists());
    let lock = Lock::acquire(&scratch.session(), true, NOW).unwrap();
    let busy = scratch.expect(0, &["gc", "--yes"]).stdout;
    assert!(busy.starts_with("0 entries"), "{busy}");
    drop(lock);
    let gone = parsed(&scratch.expect(0, &["gc", "s", "--yes", "--json"]).stdout);
    assert!(
        gone["bytes"].as_u64().unwrap() > 10_000 && gone["removed"] == true,
        "{gone}"
    );
    assert!(!superseded.exists());
    let ran = scratch.expect(0, &["run", "--resume", "s"]);
    assert!(ran.stderr.contains("nothing to do"), "{}", ran.stderr);
    // The index of the documents, in the cache of the scratch directory.
    let cleared = scratch.expect(0, &["gc", "--yes", "--caches"]).stdout;
    assert!(cleared.contains("/documents-"), "{cleared}");
    assert!(
        scratch
            .expect(0, &["gc", "--caches"])
            .stdout
            .starts_with("0 entries")
    );
}

#[test]
fn name_of_a_session_with_other_documents_is_refused_with_the_difference() {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch.write("others/one.md", "# Pumps\n\nA heat pump is quiet.\n");
    let other = ["run", TOPIC, "--docs", "others", "--session", "s"];
    let ran = scratch.expect(2, &other);
    let difference = "session s has other documents (../../docs; here: ../../others); give it the \
                      same, choose another name with --session, or go on with it by --resume s";
    assert!(ran.stderr.contains(difference), "{}", ran.stderr);
    let ran = scratch.expect(2, &["run", "Noise", "--docs", "docs", "--session", "s"]);
    let difference = format!("session s has another topic ({TOPIC}; here: Noise)");
    assert!(ran.stderr.contains(&difference), "{}", ran.stderr);
}

#[test]
fn a_folder_that_holds_its_own_sessions_is_researched_once() {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--docs", ".", "--session", "s"];
    scratch.expect(0, &arguments);
    let before = scratch.tree();
    let again = scratch.expect(0, &arguments).stderr;
    assert!(again.contains("nothing to do"), "{again}");
    assert_eq!(scratch.tree(), before);
}

#[test]
fn offline_with_nothing_but_services_makes_no_session() {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--offline", "--search", "wikipedia"];
    let refused = scratch.expect(2, &arguments).stderr;
    assert!(refused.contains("--docs PATH"), "{refused}");
    assert!(!scratch.path().join("research-output").exists());
}

#[test]
fn explanation_of_a_broken_session_is_a_failure() {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch.write("research-output/s/analysis.json", "{ \"a\": ");
    let explained = scratch.expect(1, &["explain", "s"]).stdout;
    assert!(explained.contains("next: stop: "), "{explained}");
}

#[test]
fn list_of_more_sessions_than_are_held_shows_the_latest_of_all() {
    let scratch = Scratch::with_few();
    let run = ["run", TOPIC, "--docs", "docs", "--session", "s0", "--quiet"];
    scratch.expect(0, &run);
    let session = scratch.read("research-output/s0/session.json");
    let begun = parsed(&session)["started_at"].as_str().unwrap().to_owned();
    for number in 1..=1100 {
        // The names are in another order than the times.
        let minute = number * 7 % 1440;
        let time = format!("2020-01-01T{:02}:{:02}:00Z", minute / 60, minute % 60);
        let name = format!("research-output/s{number}/session.json");
        scratch.write(&name, session.replace(&begun, &time));
    }
    let all = parsed(&scratch.expect(0, &["list", "--json"]).stdout);
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 1101);
    let two = parsed(
        &scratch
            .expect(0, &["list", "--limit", "2", "--json"])
            .stdout,
    );
    assert_eq!(two.as_array().unwrap()[..], all[..2]);
}

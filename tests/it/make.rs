//! GNU make over sessions: their files are targets, rebuilt exactly when they are stale.

use std::fs::File;
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::harness::{Ran, Scratch, TOPIC, parsed, tree};

/// One file per topic, one session per file. The stages within a session are left to `research`.
const MAKEFILE: &str = "\
REPORTS = $(patsubst topics/%.txt,out/%/final_report.md,$(wildcard topics/*.txt))

summary.txt: $(REPORTS)
\tcat $^ > $@

out/%/research.json: topics/%.txt
\t$(RESEARCH) run \"$$(cat $<)\" --docs docs --output-dir out --session $* --until research
\ttouch $@

out/%/final_report.md: out/%/research.json
\t$(RESEARCH) run --output-dir out --resume $*
\ttouch $@

.PRECIOUS: out/%/research.json
";

const SESSIONS: [&str; 2] = ["cost", "pumps"];

/// A directory with topics and the makefile; `None` where there is no make.
fn scratch() -> Option<Scratch> {
    let version = Command::new("make").arg("--version").output();
    if !version.is_ok_and(|version| version.status.success()) {
        crate::harness::skipped("make is not installed");
        return None;
    }
    let scratch = Scratch::with_few();
    scratch.write("Makefile", MAKEFILE);
    scratch.write("topics/cost.txt", "What does a heat pump cost?");
    scratch.write("topics/pumps.txt", TOPIC);
    Some(scratch)
}

fn make(scratch: &Scratch) -> Ran {
    let mut command = Command::new("make");
    command
        .current_dir(scratch.path())
        .arg(format!("RESEARCH={}", env!("CARGO_BIN_EXE_research")))
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", scratch.path())
        .env("RESEARCH_NOW", crate::harness::NOW);
    let ran: Ran = command.output().unwrap().into();
    ran.assert_ended(0, "make");
    ran
}

/// Sets the modification times of all files into the past, in the order of their dependencies, so
/// that a file touched afterwards is newer.
fn age(scratch: &Scratch) {
    let gates = SESSIONS.map(|session| format!("out/{session}/research.json"));
    let reports = SESSIONS.map(|session| format!("out/{session}/final_report.md"));
    let topics = SESSIONS.map(|session| format!("topics/{session}.txt"));
    let files = [&topics[..], &gates, &reports, &["summary.txt".to_owned()]].concat();
    for (name, minute) in files.iter().zip(1..) {
        let file = File::options().append(true).open(scratch.path().join(name));
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000 + 60 * minute);
        file.unwrap().set_modified(time).unwrap();
    }
}

/// The stages that were run in a session so far, in order.
fn stages(scratch: &Scratch, session: &str) -> Vec<String> {
    let events = scratch.read(&format!("out/{session}/events.jsonl"));
    let finished = |line: &str| {
        let stage = parsed(line)["event"]["stage_finished"]["stage"].clone();
        stage.as_str().map(str::to_owned)
    };
    events.lines().filter_map(finished).collect()
}

fn assert_up_to_date(scratch: &Scratch) {
    let ran = make(scratch);
    assert!(ran.stdout.contains("up to date"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("--resume"), "{}", ran.stdout);
}

#[test]
fn make_builds_missing_reports_and_then_nothing() {
    let Some(scratch) = scratch() else {
        return;
    };
    make(&scratch);
    for session in SESSIONS {
        assert_eq!(stages(&scratch, session)[0], "research");
        let report = scratch.read(&format!("out/{session}/final_report.md"));
        assert!(scratch.read("summary.txt").contains(&report));
    }
    assert_up_to_date(&scratch);
}

#[test]
fn touched_gate_is_checked_and_nothing_reruns() {
    let Some(scratch) = scratch() else {
        return;
    };
    make(&scratch);
    age(&scratch);
    assert_up_to_date(&scratch);
    let gate = scratch.path().join("out/pumps/research.json");
    let (before, ran) = (tree(gate.parent().unwrap()), stages(&scratch, "pumps"));
    let touched = File::options().append(true).open(&gate).unwrap();
    touched.set_modified(SystemTime::now()).unwrap();
    let made = make(&scratch);
    assert!(made.stdout.contains("--resume pumps"), "{}", made.stdout);
    assert!(!made.stdout.contains("--resume cost"), "{}", made.stdout);
    assert!(made.stderr.contains("nothing to do"), "{}", made.stderr);
    assert_eq!(stages(&scratch, "pumps"), ran);
    assert!(tree(gate.parent().unwrap()) == before);
    assert_up_to_date(&scratch);
}

#[test]
fn edited_gate_is_kept_and_downstream_stages_rerun() {
    let Some(scratch) = scratch() else {
        return;
    };
    make(&scratch);
    age(&scratch);
    let [before, other] = ["pumps", "cost"].map(|session| stages(&scratch, session));
    let gate = "out/pumps/research.json";
    let edited = scratch
        .read(gate)
        .replacen(crate::harness::NOW, "2026-11-21T13:00:00Z", 1);
    scratch.write(gate, &edited);
    make(&scratch);
    assert_eq!(scratch.read(gate), edited);
    assert_eq!(stages(&scratch, "cost"), other);
    let again = &stages(&scratch, "pumps")[before.len()..];
    assert_eq!(again[..3], ["analysis", "write", "review"]);
    assert!(!again.contains(&"research".to_owned()), "{again:?}");
    let report = scratch.read("out/pumps/final_report.md");
    assert!(scratch.read("summary.txt").contains(&report));
    assert_up_to_date(&scratch);
}

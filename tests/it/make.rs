//! GNU make over reports: the shipped makefile, whole.

use std::fs::File;
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::harness::{Ran, Scratch, parsed};

const MAKEFILE: &str = include_str!("../../examples/reports.mk");

const REPORTS: [&str; 2] = ["reports/cost.html", "reports/radiators.md"];

/// A directory with the makefile; `None` where there is no make.
fn scratch() -> Option<Scratch> {
    let version = Command::new("make").arg("--version").output();
    if !version.is_ok_and(|version| version.status.success()) {
        crate::harness::skipped("make is not installed");
        return None;
    }
    let scratch = Scratch::with_few();
    scratch.write("reports.mk", MAKEFILE);
    Some(scratch)
}

fn make(scratch: &Scratch) -> Ran {
    make_of(scratch, "docs")
}

fn make_of(scratch: &Scratch, documents: &str) -> Ran {
    let mut command = Command::new("make");
    command
        .current_dir(scratch.path())
        .args(["-f", "reports.mk", &format!("DOCS={documents}")])
        .arg(format!("RESEARCH={}", env!("CARGO_BIN_EXE_research")))
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", scratch.path())
        .env("RESEARCH_NOW", crate::harness::NOW);
    let ran: Ran = command.output().unwrap().into();
    ran.assert_ended(0, "make");
    ran
}

/// The stages that were run in all sessions so far.
fn stages(scratch: &Scratch) -> usize {
    let listed = parsed(&scratch.expect(0, &["list", "--json"]).stdout);
    let sessions = listed.as_array().unwrap().iter();
    let logs = sessions.map(|session| {
        let id = session["id"].as_str().unwrap();
        scratch.read(&format!("research-output/{id}/events.jsonl"))
    });
    logs.map(|log| log.matches("\"stage_finished\"").count())
        .sum()
}

/// Sets the modification time of a file to so many seconds from now.
fn touch(scratch: &Scratch, name: &str, seconds: u64) {
    let file = File::options().append(true).open(scratch.path().join(name));
    let time = SystemTime::now() + Duration::from_secs(seconds);
    file.unwrap().set_modified(time).unwrap();
}

fn assert_up_to_date(scratch: &Scratch) {
    let ran = make(scratch);
    assert!(ran.stdout.contains("Nothing to be done"), "{}", ran.stdout);
}

#[test]
fn make_builds_missing_reports_and_then_nothing() {
    let Some(scratch) = scratch() else {
        return;
    };
    make(&scratch);
    assert!(scratch.read(REPORTS[0]).starts_with("<!DOCTYPE html>"));
    let report = scratch.read(REPORTS[1]);
    let link = report.split("](").nth(1).unwrap();
    let source = link.split_once([' ', ')']).unwrap().0;
    assert!(
        scratch.path().join("reports").join(source).exists(),
        "{source}"
    );
    assert_up_to_date(&scratch);
    std::fs::remove_file(scratch.path().join(REPORTS[1])).unwrap();
    let ran = stages(&scratch);
    make(&scratch);
    assert_eq!(scratch.read(REPORTS[1]), report);
    assert_eq!(stages(&scratch), ran);
}

#[test]
fn documents_that_are_not_there_are_an_error_and_not_up_to_date() {
    let Some(scratch) = scratch() else {
        return;
    };
    make(&scratch);
    let mut command = Command::new("make");
    command
        .current_dir(scratch.path())
        .args(["-f", "reports.mk", "DOCS=nowhere"]);
    let ran: Ran = command.output().unwrap().into();
    ran.assert_ended(2, "make");
    let said = "DOCS names no folder or file: nowhere";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(!ran.stdout.contains("Nothing to be done"), "{}", ran.stdout);
}

#[test]
fn changed_document_rebuilds_the_reports() {
    let Some(scratch) = scratch() else {
        return;
    };
    make(&scratch);
    let sentence = "A heat pump costs 99,999 euros.";
    let text = scratch.read("docs/costs.md");
    scratch.write("docs/costs.md", format!("{text}\n\n{sentence}\n"));
    touch(&scratch, "docs/costs.md", 1);
    make(&scratch);
    assert!(scratch.read(REPORTS[0]).contains(sentence));
}

#[test]
fn touched_document_runs_no_stage() {
    let Some(scratch) = scratch() else {
        return;
    };
    make(&scratch);
    let ran = stages(&scratch);
    touch(&scratch, "docs/costs.md", 1);
    let made = make(&scratch);
    assert!(
        made.stdout.contains("--output reports/cost.html"),
        "{}",
        made.stdout
    );
    assert_eq!(stages(&scratch), ran);
}

#[test]
fn names_with_spaces_and_topics_with_apostrophes_are_one_word() {
    let Some(scratch) = scratch() else {
        return;
    };
    let topic = "What is the heat pump's cost?";
    let makefile = MAKEFILE.replace("What does a heat pump cost?", topic);
    scratch.write("reports.mk", makefile);
    std::fs::rename(scratch.path().join("docs"), scratch.path().join("my docs")).unwrap();
    scratch.write("my docs/the boiler's age.md", "The boiler is of 1998.\n");
    scratch.write("my docs/Re: an offer; second.md", "The offer is of May.\n");
    let made = make_of(&scratch, "my docs").stdout;
    let line = r"run 'What is the heat pump'\''s cost?' --docs 'my docs' ";
    assert!(made.contains(line), "{made}");
    assert!(scratch.path().join(REPORTS[0]).exists());
    let again = make_of(&scratch, "my docs").stdout;
    assert!(again.contains("Nothing to be done"), "{again}");
}

#[test]
fn reports_are_made_again_of_other_documents() {
    let Some(scratch) = scratch() else {
        return;
    };
    make(&scratch);
    let sentence = "A heat pump costs 99,999 euros.";
    let text = format!("# Costs\n\n{sentence} Old radiators can stay.\n");
    scratch.write("others/costs.md", text);
    make_of(&scratch, "others");
    assert!(scratch.read(REPORTS[0]).contains(sentence));
    make(&scratch);
    assert!(!scratch.read(REPORTS[0]).contains(sentence));
    assert_up_to_date(&scratch);
}

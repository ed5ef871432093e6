//! A session that an earlier version of this program wrote (`tests/recorded/session-of-0.1.0`): the
//! present one resumes, verifies, shows and exports it.

use std::fs;
use std::path::Path;

use crate::harness::{Scratch, copy, differences, example};

/// A scratch directory that holds the recorded session as `s`, and the documents it was made from.
fn recorded_session() -> Scratch {
    let scratch = Scratch::new();
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/session-of-0.1.0");
    copy(&recorded, &scratch.session());
    copy(&example(), &scratch.path().join("heat-pumps"));
    scratch
}

#[test]
fn a_recorded_session_is_complete_and_resuming_it_changes_nothing() {
    let scratch = recorded_session();
    let before = scratch.tree();
    let ran = scratch.expect(0, &["run", "--resume", "s"]);
    assert!(ran.stderr.contains("nothing to do"), "{}", ran.stderr);
    assert_eq!(differences(&scratch.tree(), &before), Vec::<&str>::new());
}

#[test]
fn a_recorded_session_is_verified_shown_and_exported() {
    let scratch = recorded_session();
    scratch.expect(0, &["verify", "s"]);
    let report = scratch.read("research-output/s/final_report.md");
    let linked = report.replace("](sources/", "](research-output/s/sources/");
    assert_eq!(scratch.expect(0, &["show", "s"]).stdout, linked);
    scratch.expect(0, &["status", "s"]);
    scratch.expect(0, &["explain", "s"]);
    scratch.expect(0, &["diff", "s"]);
    for (format, start) in [("md", "# "), ("html", "<!DOCTYPE html>"), ("json", "{")] {
        let exported = scratch
            .expect(0, &["export", "s", "--format", format])
            .stdout;
        assert!(exported.starts_with(start), "{format}: {exported:.80}");
    }
}

#[test]
fn an_edit_of_a_recorded_session_remakes_only_what_follows() {
    let scratch = recorded_session();
    let research = scratch.read("research-output/s/research.json");
    scratch.edit("analysis.json", "\n}", "\n}\n");
    let ran = scratch.expect(0, &["run", "--resume", "s"]);
    // The score of the round that is made again may be lower than that of the version before.
    assert!(ran.stderr.contains("final_report.md"), "{}", ran.stderr);
    assert_eq!(scratch.read("research-output/s/research.json"), research);
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn a_recorded_session_that_was_killed_before_its_review_is_completed() {
    let scratch = recorded_session();
    for name in ["review.json", "published.json", "final_report.md"] {
        fs::remove_file(scratch.session().join(name)).unwrap();
    }
    scratch.expect(0, &["run", "--resume", "s"]);
    assert!(scratch.session().join("final_report.md").exists());
    scratch.expect(0, &["verify", "s"]);
}

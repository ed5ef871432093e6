//! The stamps: a cache that saves reading, and is never believed against the file.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use research::pipeline::{DigestCache, Request};
use serde_json::Value;

use super::session::{ROUNDS, SHORT, Session, engine, reporter};

/// What the stamps know, by file.
fn known(directory: &Path) -> BTreeMap<String, Value> {
    let bytes = fs::read(directory.join(".stamps.json")).unwrap();
    let kept: Value = serde_json::from_slice(&bytes).unwrap();
    serde_json::from_value(kept["files"].clone()).unwrap()
}

#[test]
fn broken_stamps_are_passed_over() {
    let deep = "[".repeat(100_000);
    for text in [
        "",
        "{",
        "[]",
        "null",
        "{\"draft.json\":{}}",
        "\u{0}\u{0}",
        &deep,
    ] {
        let session = Session::finished(ROUNDS);
        let before = session.tree();
        session.write(".stamps.json", text);
        let outcome = session.run();
        assert_eq!((outcome.actions, outcome.complete), (0, true), "{text:.20}");
        assert_eq!(session.tree(), before);
    }
}

#[test]
fn same_things_happen_without_stamps() {
    let [with, without] = [Session::finished(ROUNDS), Session::finished(ROUNDS)];
    for session in [&with, &without] {
        session.edit("draft.json", "note2", "mine!");
    }
    let _ = fs::remove_file(without.at(".stamps.json"));
    assert_eq!(
        with.plan(&Request::default()),
        without.plan(&Request::default())
    );
    with.run();
    without.run();
    assert_eq!(with.tree(), without.tree());
}

#[test]
fn edit_of_the_same_size_right_after_a_run_is_noticed() {
    // Many times over, since what could hide the edit is a clock that has not ticked.
    for _ in 0..20 {
        let session = Session::finished(SHORT);
        for (old, new) in [("FIRST", "OTHER"), ("OTHER", "THIRD")] {
            session.edit("polish.json", old, new);
            session.run();
            assert_eq!(session.calls(), ["judge"], "{new}");
        }
    }
}

#[test]
fn edit_of_the_same_size_during_a_run_is_noticed() {
    // The moment the gate is known to the engine, someone writes over it, and the run goes on.
    for _ in 0..20 {
        let session = Session::new(SHORT);
        let path = session.at("gather.json");
        let edit = move |event: &research::pipeline::Event| {
            if let research::pipeline::Event::StageFinished { stage, .. } = event
                && stage == "gather"
            {
                let text = fs::read_to_string(&path).unwrap();
                fs::write(&path, text.replacen("\"a@", "\"A@", 1)).unwrap();
            }
        };
        let engine = research::pipeline::Engine {
            reporter: reporter(edit),
            ..engine()
        };
        assert!(
            session
                .try_run(&engine, &Request::default())
                .unwrap()
                .complete
        );
        assert!(session.artifact("draft.json").text.contains("A@"));
        assert!(!session.exists("superseded"));
        assert_eq!(session.run().actions, 0);
    }
}

#[test]
fn stamps_of_another_directory_do_not_match() {
    let session = Session::finished(ROUNDS);
    session.run();
    let copy = session.copy();
    assert!(copy.exists(".stamps.json"));
    copy.edit("draft.json", "note2", "NOTE2");
    let outcome = copy.run();
    assert!(outcome.complete);
    assert_eq!(copy.calls(), ["polish", "judge"]);
}

#[test]
fn stamp_for_other_times_does_not_count() {
    // A stranger's stamps that claim a header for a gate which is none.
    let session = Session::finished(SHORT);
    let mut stamps = DigestCache::load(session.path());
    session.write("judge.json", "{");
    let found = stamps.header("judge.json", |bytes| {
        serde_json::from_slice::<research::pipeline::Header>(bytes)
    });
    assert!(found.unwrap().unwrap().is_err());
}

#[test]
fn finished_session_is_known_by_its_stamps() {
    // A file is left out while the clock could still hide a change, so this may take more than one
    // look.
    let session = Session::finished(SHORT);
    let gates = [
        "gather.json",
        "draft.json",
        "polish.json",
        "judge.json",
        "request.txt",
    ];
    let path = session.at(".stamps.json");
    let written = || {
        let metadata = fs::metadata(&path).ok()?;
        Some((metadata.ino(), metadata.modified().unwrap()))
    };
    let learns_nothing = || {
        let before = written();
        assert_eq!(session.run().actions, 0);
        before.is_some() && written() == before
    };
    assert!((0..1_000).any(|_| learns_nothing()));
    let known = known(session.path());
    for gate in gates {
        assert!(known.contains_key(gate), "{gate}");
    }
}

#[test]
fn stamps_are_not_taken_for_a_file_that_is_gone() {
    let session = Session::finished(SHORT);
    session.run();
    session.remove("gather.json");
    let mut stamps = DigestCache::load(session.path());
    assert_eq!(stamps.digest("gather.json").unwrap(), None);
    assert!(session.run().complete);
    assert_eq!(session.calls()[0], "gather");
}

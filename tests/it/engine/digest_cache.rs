//! The digest cache (`.stamps.json`): it saves reading, and the file always takes precedence.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use research::pipeline::{Digest, DigestCache, Request, Stamp};
use serde_json::Value;

use super::session::{ROUNDS, SHORT, Session, engine, reporter};

/// The entries of the digest cache, by file.
fn cached(directory: &Path) -> BTreeMap<String, Value> {
    let bytes = fs::read(directory.join(".stamps.json")).unwrap();
    let cache: Value = serde_json::from_slice(&bytes).unwrap();
    serde_json::from_value(cache["files"].clone()).unwrap()
}

#[test]
fn damaged_digest_cache_is_ignored() {
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
fn results_are_the_same_without_the_digest_cache() {
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
fn same_size_edit_right_after_a_run_is_detected() {
    // Repeated, since the edit could be hidden by a clock that has not ticked.
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
fn same_size_edit_during_a_run_is_detected() {
    // The gate is overwritten as soon as the engine knows it, and the run continues.
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
fn document_that_changes_within_a_moment_of_the_last_look_is_read_again() {
    let mut session = Session::new(SHORT);
    let outside = session.beside();
    let document = outside.path().join("document.md");
    fs::write(&document, "one").unwrap();
    session.toy.document = Some(document.clone());
    // After the last stage: no plan but the final one can notice.
    let edit = move |event: &research::pipeline::Event| {
        if let research::pipeline::Event::StageFinished { stage, .. } = event
            && stage == "judge"
        {
            fs::write(&document, "two").unwrap();
        }
    };
    let engine = research::pipeline::Engine {
        reporter: reporter(edit),
        ..engine()
    };
    let outcome = session.try_run(&engine, &Request::default()).unwrap();
    assert!(outcome.complete);
    let calls = session.calls();
    assert_eq!(calls.iter().filter(|call| *call == "gather").count(), 2);
    assert!(session.exists("superseded/1/gather.json"));
    assert_eq!(session.run().actions, 0);
}

#[test]
fn new_session_hashes_only_documents_that_no_session_has_hashed() {
    let outside = tempfile::tempdir().unwrap();
    let [document, digests] = ["document.md", "digests.json"].map(|name| outside.path().join(name));
    fs::write(&document, "one").unwrap();
    let manifest = || {
        let mut session = Session::new(SHORT);
        session.toy.document = Some(document.clone());
        session.toy.digests_outside = Some(digests.clone());
        assert!(session.run().complete);
        session.read("manifest.json")
    };
    // A document that has just changed is hashed each time.
    while Stamp::of_file(&document).unwrap().is_racy() {
        std::thread::yield_now();
    }
    let digest = Digest::of("one").to_string();
    assert!(manifest().contains(&digest));
    // Another digest shows that the document is not hashed again.
    let text = fs::read_to_string(&digests).unwrap();
    let other = Digest::of("other").to_string();
    fs::write(&digests, text.replace(&digest, &other)).unwrap();
    assert!(manifest().contains(&other));
    fs::write(&document, "two").unwrap();
    assert!(manifest().contains(Digest::of("two").as_str()));
}

#[test]
fn digest_cache_of_another_directory_does_not_match() {
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
fn digest_cache_entry_with_other_times_is_a_miss() {
    // An untrusted cache that claims a header for an invalid gate.
    let session = Session::finished(SHORT);
    let mut cache = DigestCache::load(session.path());
    session.write("judge.json", "{");
    let header = cache.header("judge.json", |bytes| {
        serde_json::from_slice::<research::pipeline::Header>(bytes)
    });
    assert!(header.unwrap().unwrap().is_err());
}

#[test]
fn finished_session_is_entirely_in_the_digest_cache() {
    // A file is left out while the clock could still hide a change, so this may take several runs.
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
    let adds_nothing = || {
        let before = written();
        assert_eq!(session.run().actions, 0);
        before.is_some() && written() == before
    };
    assert!((0..1_000).any(|_| adds_nothing()));
    let cached = cached(session.path());
    for gate in gates {
        assert!(cached.contains_key(gate), "{gate}");
    }
}

#[test]
fn digest_cache_entry_of_a_deleted_file_is_ignored() {
    let session = Session::finished(SHORT);
    session.run();
    session.remove("gather.json");
    let mut cache = DigestCache::load(session.path());
    assert_eq!(cache.digest("gather.json").unwrap(), None);
    assert!(session.run().complete);
    assert_eq!(session.calls()[0], "gather");
}

//! Untrusted sessions: whatever they contain, nothing outside of them changes.

use std::fs;
use std::os::unix::fs::symlink;

use research::pipeline::{Lock, Request};
use tempfile::TempDir;

use super::damage::make_fifo;
use super::session::{ROUNDS, Session, Tree, engine, from, tree_of, until};

/// A directory beside the session, with files named like those of a session.
fn outside(session: &Session) -> (TempDir, Tree) {
    let directory = session.beside();
    for name in ["draft.json", "judge.json", "secret", "parts.json"] {
        fs::write(directory.path().join(name), "not yours").unwrap();
    }
    fs::create_dir(directory.path().join("1")).unwrap();
    let tree = tree_of(directory.path());
    (directory, tree)
}

fn intent(to: &str, files: &[&str]) -> String {
    serde_json::json!({ "version": 1, "to": to, "reason": "r", "files": files }).to_string()
}

#[test]
fn move_intent_out_of_the_session_is_refused() {
    let finished = Session::finished(ROUNDS).copy();
    let (other, before) = outside(&finished);
    let absolute = other.path().join("secret").display().to_string();
    let up = format!("../{}/secret", other.path().file_name().unwrap().display());
    let hidden = format!("parts/../{up}");
    let directory = other.path().display().to_string();
    let intents = [
        intent("superseded/1", &[&absolute]),
        intent("superseded/1", &[&up]),
        intent("superseded/1", &[&hidden]),
        intent("superseded/1", &["/etc/hostname"]),
        intent("superseded/1", &["./draft.json"]),
        intent("superseded/1", &[""]),
        intent("superseded/1", &["request.txt"]),
        intent("superseded/1", &[".lock"]),
        intent("superseded/1", &["draft.json", "events.jsonl"]),
        intent(&directory, &["draft.json"]),
        intent("../x", &["draft.json"]),
        intent("rounds/../../x", &["draft.json"]),
        intent("rounds/1/../../../x", &["draft.json"]),
        intent("rounds/", &["draft.json"]),
        intent("rounds/-1", &["draft.json"]),
        intent("superseded", &["draft.json"]),
        intent("", &["draft.json"]),
        intent("superseded/1", &["draft.json"]).replace(":1", ":2"),
        intent("superseded/1", &["draft.json"]).replace("reason", "raison"),
        "{".to_owned(),
        "[".repeat(100_000),
    ];
    for text in intents {
        let session = finished.copy();
        session.write(".aside.json", &text);
        let tree = session.tree();
        let error = session.try_run(&engine(), &Request::default()).unwrap_err();
        let shown: String = text.chars().take(200).collect();
        let error = format!("{error:#}");
        assert!(error.contains("remove it to go on"), "{shown}: {error}");
        assert_eq!(session.tree(), tree, "{shown}");
        assert_eq!(tree_of(other.path()), before, "{shown}");
        session.remove(".aside.json");
        assert_eq!(session.run().actions, 0, "{shown}");
    }
}

#[test]
fn move_intent_through_a_symlink_changes_nothing_outside() {
    // (the path of the link in the session, the move intent)
    let cases = [
        ("rounds", intent("rounds/1", &["draft.json"])),
        ("rounds", intent("rounds/2", &["draft.json"])),
        ("superseded", intent("superseded/2", &[])),
        ("superseded", intent("superseded/1", &["draft.json"])),
        ("superseded/1", intent("superseded/1", &["draft.json"])),
        (
            "superseded/1/parts",
            intent("superseded/1", &["parts/a.json"]),
        ),
        ("parts/link", intent("superseded/1", &["parts/link/secret"])),
        ("parts", intent("superseded/1", &["parts/secret"])),
    ];
    let finished = Session::finished("part: a\njudge: 0.9 accept\n");
    for (link, text) in cases {
        let session = finished.copy();
        let (other, before) = outside(&session);
        let path = session.at(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_dir_all(&path);
        symlink(other.path(), &path).unwrap();
        session.write(".aside.json", &text);
        let ended = session.try_run(&engine(), &Request::default());
        assert_eq!(tree_of(other.path()), before, "{link}: {ended:?}");
        let error = format!("{:#}", ended.unwrap_err());
        assert!(error.contains("symbolic link"), "{link}: {error}");
        assert!(session.exists("draft.json"), "{link}");
    }
}

#[test]
fn superseded_symlink_is_moved_not_followed() {
    let session = Session::finished("part: a\njudge: 0.9 accept\n");
    let (other, before) = outside(&session);
    fs::remove_dir_all(session.at("parts")).unwrap();
    symlink(other.path(), session.at("parts")).unwrap();
    assert!(session.run_with(&from("gather")).complete);
    let moved = fs::read_link(session.at("superseded/1/parts")).unwrap();
    assert_eq!(moved, other.path());
    assert_eq!(tree_of(other.path()), before);
}

#[test]
fn checkpoints_are_not_written_through_a_symlink() {
    let session = Session::new(ROUNDS);
    let (other, before) = outside(&session);
    symlink(other.path(), session.at("parts")).unwrap();
    let error = session.try_run(&engine(), &Request::default()).unwrap_err();
    assert!(format!("{error:#}").contains("symbolic link"));
    assert_eq!(tree_of(other.path()), before);
}

#[test]
fn rounds_are_not_moved_through_a_symlink() {
    let session = Session::new(ROUNDS);
    session.run_with(&until("gather"));
    let (other, before) = outside(&session);
    symlink(other.path(), session.at("rounds")).unwrap();
    let error = session.try_run(&engine(), &Request::default()).unwrap_err();
    assert!(format!("{error:#}").contains("symbolic link"));
    assert_eq!(tree_of(other.path()), before);
    assert!(session.exists("judge.json"));
}

#[test]
fn symlinked_engine_files_are_not_followed() {
    for name in [
        ".lock",
        "events.jsonl",
        ".aside.json",
        ".stamps.json",
        ".draft.json.tmp",
        "out.md",
        "polish.md",
    ] {
        let session = Session::new(ROUNDS);
        let (other, before) = outside(&session);
        symlink(other.path().join("secret"), session.at(name)).unwrap();
        let _ = session.try_run(&engine(), &Request::default());
        assert_eq!(tree_of(other.path()), before, "{name}");
    }
}

#[test]
fn cleanup_of_temporary_files_does_not_follow_symlinks() {
    let session = Session::new(ROUNDS);
    let (other, _) = outside(&session);
    fs::write(other.path().join(".x.tmp"), "not yours").unwrap();
    symlink(other.path(), session.at("elsewhere")).unwrap();
    session.write(".left.tmp", "left by a crash");
    assert!(session.run().complete);
    assert!(other.path().join(".x.tmp").exists());
    assert!(!session.exists(".left.tmp"));
}

#[test]
fn fifos_in_place_of_engine_files_do_not_block() {
    for name in [
        ".lock",
        "events.jsonl",
        ".aside.json",
        ".stamps.json",
        "request.txt",
    ] {
        let session = Session::new(ROUNDS);
        let _ = fs::remove_file(session.at(name));
        make_fifo(&session.at(name));
        super::unreadable::with_timeout(move || {
            let _ = session.try_run(&engine(), &Request::default());
            let _ = research::pipeline::read_events(session.path());
            let _ = research::pipeline::holder(session.path());
            let _ = Lock::is_locked(session.path());
        });
    }
}

#[test]
fn input_outside_the_session_is_never_read() {
    let session = Session::finished("part: a\njudge: 0.9 accept\n");
    let (other, before) = outside(&session);
    let path = other.path().join("secret").display().to_string();
    session.edit("draft.json", "\"gather.json\"", &format!("{path:?}"));
    assert!(session.run().complete, "stale, so made again");
    assert_eq!(session.calls(), ["draft", "polish", "judge"]);
    assert_eq!(tree_of(other.path()), before);
}

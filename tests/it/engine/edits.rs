//! Files that a user edits or deletes: an edit is preserved, and only what depends on it is
//! rebuilt.

use research::pipeline::{Digest, MoveIntent, Next, Reason, Request};

use super::session::{ROUNDS, SHORT, Session, Tree};

/// The record in `superseded/N` of the reason for the move.
fn record(session: &Session, number: u32) -> MoveIntent {
    let text = session.read(&format!("superseded/{number}/aside.json"));
    serde_json::from_str(&text).unwrap()
}

/// The entries of `tree` with these names are the entries of `now` below `directory`.
fn assert_moved(tree: &Tree, now: &Tree, directory: &str, names: &[&str]) {
    for name in names {
        let moved = now.get(&format!("{directory}/{name}"));
        assert_eq!(moved, tree.get(*name), "{directory}/{name}");
        assert!(moved.is_some(), "{directory}/{name}");
    }
}

#[test]
fn edited_first_gate_is_preserved_and_later_stages_rerun() {
    let session = Session::finished(SHORT);
    let recorded = Digest::of(session.read("gather.json"));
    session.edit("gather.json", "a@", "A PERSON WROTE THIS@");
    let before = session.tree();
    let plan = session.plan(&Request::default());
    assert_eq!(plan.stages[0].reason, Reason::Fresh);
    let stale = Reason::Stale {
        input: "gather.json".to_owned(),
        recorded: recorded.clone(),
        current: Some(Digest::of(session.read("gather.json"))),
    };
    assert_eq!(plan.stages[1].reason, stale);

    let outcome = session.run();
    assert!(outcome.complete);
    assert_eq!(session.calls(), ["draft", "polish", "judge"]);
    let now = session.tree();
    assert_eq!(now["gather.json"], before["gather.json"]);
    assert!(session.read("out.md").contains("A PERSON WROTE THIS"));
    let moved = [
        "draft.json",
        "polish.json",
        "polish.md",
        "judge.json",
        "published.json",
        "out.md",
    ];
    assert_moved(&before, &now, "superseded/1", &moved);
    let intent = record(&session, 1);
    assert_eq!(intent.files, moved);
    assert_eq!(intent.to, "superseded/1");
    let reason = format!("draft.json: {stale}");
    assert_eq!(intent.reason, reason);
    assert!(reason.contains("gather.json changed") && reason.contains(recorded.short()));
}

#[test]
fn edited_middle_gate_reruns_only_later_stages() {
    let session = Session::finished(SHORT);
    session.edit("draft.json", "first", "second thoughts");
    let before = session.tree();
    assert!(session.run().complete);
    assert_eq!(session.calls(), ["polish", "judge"]);
    let now = session.tree();
    for name in ["gather.json", "draft.json", "parts/a.json"] {
        assert_eq!(now[name], before[name]);
    }
    assert!(session.read("out.md").contains("SECOND THOUGHTS"));
    assert_moved(
        &before,
        &now,
        "superseded/1",
        &[
            "polish.json",
            "polish.md",
            "judge.json",
            "published.json",
            "out.md",
        ],
    );
    assert!(record(&session, 1).reason.contains("draft.json changed"));
}

#[test]
fn superseded_directories_are_numbered() {
    let session = Session::finished(SHORT);
    for (number, word) in ["first", "second"].into_iter().enumerate() {
        session.edit("draft.json", word, ["second", "third"][number]);
        assert!(session.run().complete);
    }
    assert!(record(&session, 2).reason.contains("draft.json changed"));
    assert!(session.read("superseded/1/polish.json").contains("FIRST"));
    assert!(session.read("superseded/2/polish.json").contains("SECOND"));
}

#[test]
fn deleted_middle_gate_is_rebuilt() {
    let session = Session::finished(ROUNDS);
    let before = session.tree();
    session.remove("draft.json");
    assert!(session.run().complete);
    assert_eq!(session.calls(), ["draft", "polish", "judge"]);
    let mut now = session.tree();
    assert_moved(
        &before,
        &now,
        "superseded/1",
        &[
            "polish.json",
            "polish.md",
            "judge.json",
            "published.json",
            "out.md",
        ],
    );
    assert!(record(&session, 1).reason.contains("not made yet"));
    now.retain(|name, _| !name.starts_with("superseded"));
    assert_eq!(now, before, "made again as it was, in the same round");
}

#[test]
fn deleted_first_gate_keeps_its_checkpoints() {
    let session = Session::finished(SHORT);
    let before = session.tree();
    session.remove("gather.json");
    assert!(session.run().complete);
    assert_eq!(session.calls(), ["gather", "draft", "polish", "judge"]);
    let mut now = session.tree();
    now.retain(|name, _| !name.starts_with("superseded"));
    assert_eq!(now, before);
}

#[test]
fn changed_input_makes_its_checkpoints_stale() {
    let session = Session::finished(SHORT);
    let before = session.tree();
    session.edit("request.txt", "part: b", "part: c");
    assert!(session.run().complete);
    let stages = ["gather", "part a", "part c", "draft", "polish", "judge"];
    assert_eq!(session.calls(), stages);
    let now = session.tree();
    assert_moved(
        &before,
        &now,
        "superseded/1",
        &["gather.json", "draft.json", "published.json", "out.md"],
    );
    assert_moved(&before, &now, "superseded/2", &["parts/a.json"]);
    assert_eq!(now["parts/b.json"], before["parts/b.json"]);
}

#[test]
fn deleted_rendering_is_rendered_without_a_rerun() {
    let session = Session::finished(ROUNDS);
    let before = session.tree();
    session.remove("polish.md");
    assert_eq!(session.plan(&Request::default()).next, Next::Render(2));
    let outcome = session.run();
    assert_eq!((outcome.actions, outcome.complete), (1, true));
    assert_eq!(session.calls(), [""; 0]);
    assert_eq!(session.tree(), before);
}

#[test]
fn deleted_publication_is_published_without_a_rerun() {
    let session = Session::finished(ROUNDS);
    let before = session.tree();
    session.remove("out.md");
    assert!(!session.plan(&Request::default()).complete);
    let outcome = session.run();
    assert_eq!((outcome.actions, outcome.complete), (1, true));
    assert_eq!(session.calls(), [""; 0]);
    assert_eq!(session.tree(), before);
}

#[test]
fn edited_gate_is_rendered_again() {
    let session = Session::finished(SHORT);
    session.edit("polish.json", "FIRST", "MINE");
    assert!(session.run().complete);
    assert_eq!(session.calls(), ["judge"]);
    assert!(session.read("out.md").contains("MINE"));
    assert!(session.read("polish.md").contains("MINE"));
}

#[test]
fn edited_decision_takes_effect() {
    let session = Session::finished(SHORT);
    session.edit(
        "judge.json",
        "\"Accept\"",
        "{ \"Revise\": { \"from\": \"draft\" } }",
    );
    let outcome = session.run();
    assert!(outcome.complete);
    assert_eq!(outcome.round, 2);
    assert_eq!(session.calls(), ["draft", "polish", "judge"]);
    assert!(session.read("rounds/1/out.md").contains("round 1"));
}

#[test]
fn decision_edited_to_accept_is_republished() {
    let session = Session::new("part: a\njudge: 0.3 draft\n");
    assert!(session.run().best.unwrap().below_threshold);
    assert!(session.read("out.md").contains("below threshold: true"));
    let text = session.read("judge.json");
    let (head, _) = text.split_once("\"decision\"").unwrap();
    session.write("judge.json", &format!("{head}\"decision\": \"Accept\"}}}}"));
    let outcome = session.run();
    assert!(outcome.complete);
    assert!(!outcome.best.unwrap().below_threshold);
    assert!(session.read("out.md").contains("below threshold: false"));
}

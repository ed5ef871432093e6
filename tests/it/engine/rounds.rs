//! Rounds: a round that is sent back is archived, its note is an input of the next round, and the
//! best round is published.

use research::pipeline::{Next, Request};

use super::session::{ROUNDS, Session};

const EXHAUSTED: &str =
    "part: a\njudge: 0.3 draft\njudge: 0.8 draft\njudge: 0.4 draft\njudge: 0.9 accept\n";

#[test]
fn rounds_sent_back_are_archived_in_full() {
    let session = Session::new(ROUNDS);
    let outcome = session.run();
    assert!(outcome.complete);
    assert_eq!(outcome.round, 3);
    let calls = session.calls();
    let round = ["draft", "polish", "judge"];
    let first = [&["gather", "part a", "part b"][..], &round].concat();
    let third = [&["gather", "part rounds-2-judge"][..], &round].concat();
    assert_eq!(
        calls,
        [&first[..], &round, &third].concat(),
        "checkpoints are reused"
    );
    let files = |number: u32| -> Vec<String> {
        let prefix = format!("rounds/{number}/");
        let tree = session.tree();
        let names = tree.keys().filter_map(|name| name.strip_prefix(&prefix));
        names.map(str::to_owned).collect()
    };
    let made = ["draft.json", "judge.json", "polish.json", "polish.md"];
    assert_eq!(files(1), [&["aside.json"], &made[..]].concat());
    let again = [
        "aside.json",
        "draft.json",
        "gather.json",
        "judge.json",
        "polish.json",
        "polish.md",
    ];
    assert_eq!(files(2), again);
    let reason = session.read("rounds/1/aside.json");
    assert!(
        reason.contains("round 1 scored 0.30 and goes back to draft"),
        "{reason}"
    );
}

#[test]
fn review_note_is_an_input_of_the_next_round() {
    let session = Session::finished(ROUNDS);
    let [first, second, third] =
        ["rounds/1/", "rounds/2/", ""].map(|round| session.artifact(&format!("{round}draft.json")));
    assert!(first.text.contains("first"));
    assert!(second.text.contains("note1 on"));
    assert!(third.text.contains("note2 on"));
    assert!(third.text.contains("rounds-2-judge@"), "more was gathered");
    let rounds = [first, second, third].map(|draft| draft.provenance.round);
    assert_eq!(rounds, [1, 2, 3]);
    assert!(session.read("out.md").contains("NOTE2"));
}

#[test]
fn best_round_is_published_when_rounds_are_exhausted() {
    let session = Session::new(EXHAUSTED);
    let outcome = session.run();
    assert!(outcome.complete);
    let best = outcome.best.unwrap();
    assert_eq!((best.round, best.directory.as_str()), (2, "rounds/2/"));
    assert!(best.below_threshold);
    assert!(session.read("out.md").contains("NOTE1"));
    assert!(
        session
            .read("out.md")
            .contains("round 2, below threshold: true")
    );
    let again = session.run();
    assert_eq!((again.actions, again.round, again.complete), (0, 2, true));
}

#[test]
fn ties_between_rounds_go_to_the_latest() {
    let session = Session::new("part: a\njudge: 0.5 draft\njudge: 0.5 draft\njudge: 0.4 draft\n");
    assert_eq!(session.run().best.unwrap().directory, "rounds/2/");
    let session = Session::new("part: a\njudge: 0.5 draft\n");
    let best = session.run().best.unwrap();
    assert_eq!((best.round, best.directory.as_str()), (3, ""));
}

#[test]
fn edited_score_of_an_earlier_round_republishes_the_best() {
    let session = Session::finished(EXHAUSTED);
    session.edit("rounds/1/judge.json", "\"score\": 0.3", "\"score\": 0.85");
    let outcome = session.run();
    assert!(outcome.complete);
    assert_eq!(outcome.best.unwrap().directory, "rounds/1/");
    assert_eq!(session.calls(), [""; 0]);
    assert!(
        session
            .read("out.md")
            .contains("round 1, below threshold: true")
    );
    assert!(session.read("superseded/1/out.md").contains("round 2"));
    assert_eq!(session.run().actions, 0);
}

#[test]
fn damaged_publication_record_is_ignored() {
    for text in ["", "{", "{\"version\": 2}"] {
        let session = Session::finished(EXHAUSTED);
        session.write("published.json", text);
        let before = session.tree();
        assert_eq!(session.run().actions, 0);
        assert_eq!(session.tree(), before);
        session.remove("published.json");
        assert_eq!(session.run().actions, 0);
    }
}

#[test]
fn raised_max_rounds_continues_the_session() {
    let mut session = Session::finished(EXHAUSTED);
    session.toy.max_rounds = 4;
    assert!(matches!(
        session.plan(&Request::default()).next,
        Next::SendBack { round: 3, .. }
    ));
    let outcome = session.run();
    assert!(outcome.complete);
    assert_eq!(session.calls(), ["draft", "polish", "judge"]);
    assert!(!outcome.best.unwrap().below_threshold);
    assert!(
        session
            .read("out.md")
            .contains("round 4, below threshold: false")
    );
    let earlier = session.read("rounds/3/out.md");
    assert!(earlier.contains("round 2, below threshold: true"));
}

#[test]
fn raised_max_rounds_ends_like_a_run_with_that_limit() {
    let mut straight = Session::new(EXHAUSTED);
    straight.toy.max_rounds = 4;
    straight.run();
    let mut raised = Session::finished(EXHAUSTED);
    raised.toy.max_rounds = 4;
    raised.run();
    let mut tree = raised.tree();
    assert!(tree.remove("rounds/3/out.md").is_some());
    assert!(tree.remove("rounds/3/published.json").is_some());
    // The record names the publication too.
    let mut expected = straight.tree();
    tree.remove("rounds/3/aside.json");
    expected.remove("rounds/3/aside.json");
    assert_eq!(tree, expected);
}

#[test]
fn lowered_max_rounds_keeps_an_accepted_round() {
    let mut session = Session::finished(ROUNDS);
    session.toy.max_rounds = 1;
    let outcome = session.run();
    assert_eq!(
        (outcome.actions, outcome.complete, outcome.round),
        (0, true, 3)
    );
}

#[test]
fn max_rounds_of_one_never_sends_back() {
    let mut session = Session::new(ROUNDS);
    session.toy.max_rounds = 1;
    let outcome = session.run();
    assert!(outcome.complete);
    assert!(outcome.best.unwrap().below_threshold);
    assert!(!session.exists("rounds"));
}

#[test]
fn edit_before_the_round_restarts_the_rounds() {
    let session = Session::finished(EXHAUSTED);
    let before = session.tree();
    session.edit("gather.json", "a@", "mine@");
    let outcome = session.run();
    assert!(outcome.complete);
    assert_eq!(session.calls(), ["draft", "polish", "judge"].repeat(3));
    let now = session.tree();
    for moved in ["rounds/1/draft.json", "rounds/2/judge.json", "judge.json"] {
        assert_eq!(now[&format!("superseded/1/{moved}")], before[moved]);
    }
    let redone = session.artifact("rounds/1/draft.json");
    assert!(redone.text.contains("mine@"));
    assert_eq!(redone.provenance.round, 1);
    assert_eq!(session.artifact("draft.json").provenance.round, 3);
}

#[test]
fn edited_gate_that_depends_on_a_round_is_preserved_with_the_rounds() {
    // Without the rounds the edited gate would be stale, and the user's edit would be superseded.
    let session = Session::finished(ROUNDS);
    session.edit("gather.json", "a@", "mine@");
    let before = session.tree();
    let outcome = session.run();
    assert_eq!((outcome.complete, outcome.round), (true, 3));
    assert_eq!(session.calls(), ["draft", "polish", "judge"]);
    let now = session.tree();
    for name in ["gather.json", "rounds/1/draft.json", "rounds/2/gather.json"] {
        assert_eq!(now[name], before[name]);
    }
    assert!(session.read("out.md").contains("MINE@"));
}

#[test]
fn edit_within_the_round_keeps_earlier_rounds() {
    let session = Session::finished(ROUNDS);
    let before = session.tree();
    session.edit("draft.json", "note2", "my note");
    assert_eq!(session.run().round, 3);
    assert_eq!(session.calls(), ["polish", "judge"]);
    let now = session.tree();
    let rounds = |tree: &super::session::Tree| -> Vec<_> {
        let entries = tree.iter().filter(|(name, _)| name.starts_with("rounds"));
        entries
            .map(|(name, entry)| (name.clone(), entry.clone()))
            .collect()
    };
    assert_eq!(rounds(&now), rounds(&before));
}

#[test]
fn edited_note_of_an_earlier_round_is_preserved_and_applied() {
    let session = Session::finished(ROUNDS);
    session.edit("rounds/2/judge.json", "note2", "a person's note");
    let before = session.tree();
    let outcome = session.run();
    assert_eq!((outcome.complete, outcome.round), (true, 3));
    let calls = ["gather", "part rounds-2-judge", "draft", "polish", "judge"];
    assert_eq!(session.calls(), calls);
    assert_eq!(
        session.tree()["rounds/2/judge.json"],
        before["rounds/2/judge.json"]
    );
    assert!(session.read("out.md").contains("A PERSON'S NOTE"));
}

#[test]
fn deleted_decision_of_an_earlier_round_restarts_the_rounds() {
    for request in [ROUNDS, EXHAUSTED] {
        let session = Session::finished(request);
        let before = session.tree();
        session.remove("rounds/2/judge.json");
        assert!(session.run().complete);
        let mut now = session.tree();
        assert!(now.contains_key("superseded/1/rounds/2/draft.json"));
        now.retain(|name, _| !name.starts_with("superseded"));
        assert_eq!(now, before);
    }
}

#[test]
fn settle_publishes_the_best_round_before_max_rounds() {
    let session = Session::new("part: a\njudge: 0.5 draft\njudge: 0.4 settle\n");
    let outcome = session.run();
    assert_eq!((outcome.complete, outcome.round), (true, 1));
    assert!(outcome.best.unwrap().below_threshold);
    assert!(!session.exists("rounds/2") && session.exists("judge.json"));
    assert_eq!(session.run().actions, 0);
}

#[test]
fn decision_for_an_unknown_stage_is_ignored() {
    let session = Session::new("part: a\njudge: 0.4 nowhere\n");
    let outcome = session.run();
    assert!(outcome.complete);
    assert!(outcome.best.unwrap().below_threshold);
}

//! `--from`, `--until` and `--refresh`: the options of a run.

use research::pipeline::{Next, Reason, Request};

use super::session::{ROUNDS, SHORT, Session, from, refresh, until};

#[test]
fn from_reruns_a_stage_and_all_later_ones() {
    for (stage, calls) in [
        (
            "gather",
            &["gather", "part a", "part b", "draft", "polish", "judge"][..],
        ),
        ("draft", &["draft", "polish", "judge"]),
        ("polish", &["polish", "judge"]),
        ("judge", &["judge"]),
    ] {
        let session = Session::finished(SHORT);
        let before = session.tree();
        assert!(session.run_with(&from(stage)).complete);
        assert_eq!(session.calls(), calls);
        let mut now = session.tree();
        let gate = format!("superseded/1/{stage}.json");
        assert_eq!(now[&gate], before[&format!("{stage}.json")]);
        assert_eq!(
            now.contains_key("superseded/1/parts/a.json"),
            stage == "gather"
        );
        now.retain(|name, _| !name.starts_with("superseded"));
        assert_eq!(now, before, "nothing else changed");
    }
}

#[test]
fn from_before_the_round_supersedes_earlier_rounds() {
    let drafts = "part: a\njudge: 0.3 draft\njudge: 0.9 accept\n";
    for (stage, afresh) in [("gather", true), ("draft", true), ("polish", false)] {
        let session = Session::finished(drafts);
        assert_eq!(session.run_with(&from(stage)).round, 2);
        let moved = session.exists("superseded/1/rounds/1/judge.json");
        assert_eq!(moved, afresh, "{stage}");
    }
}

#[test]
fn from_keeps_rounds_that_an_earlier_gate_depends_on() {
    let session = Session::finished(ROUNDS);
    let before = session.tree();
    assert_eq!(session.run_with(&from("draft")).round, 3);
    assert_eq!(
        session.calls(),
        ["draft", "polish", "judge"],
        "gather is before `from`"
    );
    let mut now = session.tree();
    now.retain(|name, _| !name.starts_with("superseded"));
    assert_eq!(now, before);
}

#[test]
fn from_in_a_new_session_supersedes_nothing() {
    let session = Session::new(SHORT);
    assert!(session.run_with(&from("gather")).complete);
    assert!(!session.exists("superseded"));
}

#[test]
fn from_applies_after_a_missing_rendering() {
    let session = Session::finished(SHORT);
    session.remove("polish.md");
    assert!(session.run_with(&from("judge")).complete);
    assert_eq!(session.calls(), ["judge"]);
    assert!(session.exists("polish.md"));
}

#[test]
fn from_applies_after_a_pending_move() {
    let session = Session::finished(SHORT);
    let intent = r#"{"version":1,"to":"superseded/1","reason":"x","files":["judge.json"]}"#;
    session.write(".aside.json", intent);
    assert!(session.run_with(&from("polish")).complete);
    assert_eq!(session.calls(), ["polish", "judge"]);
    assert!(
        session.exists("superseded/1/judge.json") && session.exists("superseded/2/polish.json")
    );
}

#[test]
fn until_stops_after_its_gate() {
    let session = Session::new(SHORT);
    let outcome = session.run_with(&until("draft"));
    assert!(!outcome.complete);
    assert_eq!(session.calls(), ["gather", "part a", "part b", "draft"]);
    assert!(session.exists("draft.json") && !session.exists("polish.json"));
    let beyond = Reason::AfterUntil {
        until: "draft".to_owned(),
    };
    let plan = session.plan(&until("draft"));
    assert_eq!(
        (&plan.stages[2].reason, &plan.next),
        (&beyond, &Next::Nothing)
    );
    assert_eq!(session.run_with(&until("draft")).actions, 0);
    assert!(session.run().complete);
    assert_eq!(session.tree(), Session::finished(SHORT).tree());
}

#[test]
fn until_does_nothing_in_a_finished_session() {
    let session = Session::finished(ROUNDS);
    let outcome = session.run_with(&until("draft"));
    assert_eq!((outcome.actions, outcome.complete), (0, true));
}

#[test]
fn until_the_last_stage_runs_all_rounds() {
    let session = Session::new(ROUNDS);
    assert!(session.run_with(&until("judge")).complete);
    assert_eq!(session.tree(), Session::finished(ROUNDS).tree());
}

#[test]
fn from_and_until_rerun_the_stages_between() {
    let session = Session::finished(SHORT);
    let request = Request {
        from: Some("draft".to_owned()),
        until: Some("polish".to_owned()),
        ..Request::default()
    };
    assert!(!session.run_with(&request).complete);
    assert_eq!(session.calls(), ["draft", "polish"]);
    assert!(!session.exists("judge.json") && session.exists("superseded/1/judge.json"));
}

#[test]
fn from_after_until_does_nothing() {
    let session = Session::finished(SHORT);
    let before = session.tree();
    let request = Request {
        from: Some("judge".to_owned()),
        until: Some("draft".to_owned()),
        ..Request::default()
    };
    assert_eq!(session.run_with(&request).actions, 0);
    assert_eq!(session.tree(), before);
}

#[test]
fn changed_recipe_is_reported_without_a_rerun() {
    let mut session = Session::finished(SHORT);
    let before = session.tree();
    session.toy.prompts[1] = "another";
    let plan = session.plan(&Request::default());
    assert!(plan.complete);
    assert_eq!(plan.stages[1].recipe_changes.len(), 1);
    assert!(plan.stages[1].recipe_changes[0].starts_with("prompt was "));
    assert!(plan.stages[0].recipe_changes.is_empty() && plan.stages[2].recipe_changes.is_empty());
    assert_eq!(session.run().actions, 0);
    assert_eq!(session.tree(), before);
}

#[test]
fn refresh_reruns_outdated_stages_and_all_later_ones() {
    let mut session = Session::finished(ROUNDS);
    session.toy.prompts[2] = "another";
    assert_eq!(session.plan(&refresh()).stages[2].reason, Reason::Refreshed);
    let outcome = session.run_with(&refresh());
    assert!(outcome.complete);
    assert_eq!(session.calls(), ["polish", "judge"]);
    assert!(session.exists("superseded/1/polish.json") && session.exists("rounds/2/judge.json"));
    assert!(
        session
            .plan(&refresh())
            .stages
            .iter()
            .all(|line| line.recipe_changes.is_empty())
    );
    assert_eq!(session.run_with(&refresh()).actions, 0);
}

#[test]
fn refresh_with_current_recipes_does_nothing() {
    let session = Session::finished(ROUNDS);
    assert_eq!(session.run_with(&refresh()).actions, 0);
}

#[test]
fn refresh_applies_after_a_missing_rendering() {
    let mut session = Session::finished(SHORT);
    session.toy.prompts[3] = "another";
    session.remove("polish.md");
    assert!(session.run_with(&refresh()).complete);
    assert_eq!(session.calls(), ["judge"]);
}

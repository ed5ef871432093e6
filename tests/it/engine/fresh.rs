//! A first run completes, a second run has nothing to do, and planning has no side effects.

use research::pipeline::{DigestCache, Next, Reason, Request, Snapshot, plan};

use super::session::{ROUNDS, SHORT, Session, from, tree_of};

#[test]
fn first_run_completes() {
    let session = Session::new(SHORT);
    let outcome = session.run();
    assert!(outcome.complete);
    assert_eq!(outcome.round, 1);
    assert!(!outcome.best.unwrap().below_threshold);
    let stages = ["gather", "part a", "part b", "draft", "polish", "judge"];
    assert_eq!(session.calls(), stages);
    let names: Vec<String> = session.tree().into_keys().collect();
    let expected = [
        "draft.json",
        "gather.json",
        "judge.json",
        "out.md",
        "parts",
        "parts/a.json",
        "parts/b.json",
        "polish.json",
        "polish.md",
        "published.json",
        "request.txt",
    ];
    assert_eq!(names, expected);
}

#[test]
fn runs_are_deterministic_to_the_byte() {
    let [first, second] = [Session::finished(ROUNDS), Session::finished(ROUNDS)];
    assert_eq!(first.tree(), second.tree());
}

#[test]
fn second_run_writes_nothing() {
    let session = Session::finished(ROUNDS);
    let (tree, times, log) = (
        session.tree(),
        session.times(),
        session.read("events.jsonl"),
    );
    for _ in 0..2 {
        let outcome = session.run();
        assert_eq!(outcome.actions, 0);
        assert!(outcome.complete);
        assert_eq!(outcome.round, 3);
    }
    assert_eq!(session.calls(), [""; 0]);
    assert_eq!(session.tree(), tree);
    assert_eq!(session.times(), times);
    assert_eq!(session.read("events.jsonl"), log);
}

#[test]
fn planning_has_no_side_effects() {
    let session = Session::finished(ROUNDS);
    session.edit("draft.json", "(", "[");
    let before = tree_of(session.path());
    let pipeline = session.toy.pipeline();
    let snapshot = Snapshot::read(
        session.path(),
        &pipeline,
        &mut DigestCache::load(session.path()),
    )
    .unwrap();
    for request in [Request::default(), from("draft")] {
        let first = plan(&pipeline, &snapshot, &request);
        assert_eq!(plan(&pipeline, &snapshot, &request), first);
        assert_eq!(session.plan(&request), first);
    }
    assert_eq!(tree_of(session.path()), before);
}

#[test]
fn planning_works_before_the_first_run() {
    let session = Session::new(SHORT);
    let plan = session.plan(&Request::default());
    assert_eq!(plan.next, Next::RunStage(0));
    assert!(!plan.complete);
    assert_eq!(plan.stages[0].reason, Reason::Missing);
    let follows = Reason::Follows {
        stage: "gather".to_owned(),
    };
    assert!(plan.stages[1..].iter().all(|line| line.reason == follows));
    assert_eq!(tree_of(session.path()).len(), 1);
}

#[test]
fn run_follows_its_plan_at_every_step() {
    // Each run goes a stage further; it begins with the action that the plan names as next.
    let session = Session::new(SHORT);
    for stage in ["gather", "draft", "polish", "judge"] {
        let index = session.toy.pipeline().position(stage).unwrap();
        let next = session.plan(&Request::default()).next;
        assert!(
            [
                Next::RunStage(index),
                Next::Render(index - usize::from(index > 0))
            ]
            .contains(&next),
            "{stage}: {next:?}"
        );
        session.run_with(&super::session::until(stage));
        assert_eq!(session.calls().first().unwrap(), stage);
    }
    assert!(session.exists("out.md"));
}

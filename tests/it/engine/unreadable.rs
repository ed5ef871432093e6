//! Unreadable gates are neither trusted nor deleted: the error names the position and the remedies,
//! and both remedies work.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use research::pipeline::{Next, Reason, Request, Unreadable};

use super::damage::{self, Damage};
use super::session::{Session, engine, from, tree_of};

/// A round is sent back, so that there is a decision of an earlier round.
const TWO_ROUNDS: &str = "part: a\njudge: 0.3 draft\njudge: 0.9 accept\n";

/// Runs a function that might block, and fails after a timeout.
pub(crate) fn with_timeout<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::spawn(move || {
        let _ = sender.send(run());
    });
    match receiver.recv_timeout(Duration::from_secs(20)) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("timeout"),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            let problem = worker.join().err().unwrap();
            std::panic::resume_unwind(problem)
        }
    }
}

/// Damages `gate` in every way; `stage` is the stage for `--from`.
fn test_damage(gate: &'static str, stage: &'static str) {
    let finished = Session::finished(TWO_ROUNDS);
    for damage in damage::ALL {
        let session = finished.copy();
        let case = format!("{gate} {damage:?}");
        with_timeout(move || check(&session, gate, stage, damage, &case));
    }
}

fn check(session: &Session, gate: &str, stage: &str, damage: Damage, case: &str) {
    let outside = session.beside();
    damage.apply(session, gate, outside.path());
    let (before, foreign) = (session.tree(), tree_of(outside.path()));

    let plan = session.plan(&Request::default());
    assert!(matches!(plan.next, Next::Stop(_)), "{case}: {plan:?}");
    let error = session.try_run(&engine(), &Request::default()).unwrap_err();
    let message = format!("{error:#}");
    let problem: Unreadable = error
        .downcast()
        .unwrap_or_else(|error| panic!("{case}: {error:#}"));
    assert_eq!(problem.path, session.at(gate), "{case}");
    assert_eq!(problem.stage, stage, "{case}");
    assert_eq!(
        problem.location.starts_with(':'),
        damage.has_position(),
        "{case}: {problem:?}"
    );
    assert!(
        problem.problem.contains(damage.message()),
        "{case}: {problem:?}"
    );
    assert!(
        message.contains(&format!("--from {stage}")),
        "{case}: {message}"
    );
    assert_eq!(session.tree(), before, "{case}: something moved");
    assert_eq!(session.calls(), [""; 0], "{case}");

    let outcome = session.try_run(&engine(), &from(stage)).unwrap();
    assert!(outcome.complete, "{case}");
    assert_eq!(session.calls().first().unwrap(), stage, "{case}");
    let now = session.tree();
    assert_eq!(now[&format!("superseded/1/{gate}")], before[gate], "{case}");
    assert_eq!(
        tree_of(outside.path()),
        foreign,
        "{case}: something outside changed"
    );
    assert_eq!(session.run().actions, 0, "{case}");
}

#[test]
fn unreadable_first_gate() {
    test_damage("gather.json", "gather");
}

#[test]
fn unreadable_first_gate_of_the_round() {
    test_damage("draft.json", "draft");
}

#[test]
fn unreadable_middle_gate() {
    test_damage("polish.json", "polish");
}

#[test]
fn unreadable_last_gate() {
    test_damage("judge.json", "judge");
}

#[test]
fn unreadable_decision_of_an_earlier_round() {
    test_damage("rounds/1/judge.json", "draft");
}

#[test]
fn unreadable_earlier_decision_that_an_earlier_gate_depends_on() {
    let finished = Session::finished(super::session::ROUNDS);
    for damage in [Damage::Truncated, Damage::Link, Damage::Directory] {
        for gate in ["rounds/1/judge.json", "rounds/2/judge.json"] {
            let session = finished.copy();
            let outside = session.beside();
            damage.apply(&session, gate, outside.path());
            let before = session.tree();
            let error = session.try_run(&engine(), &Request::default()).unwrap_err();
            let problem = error.downcast::<Unreadable>().unwrap();
            assert_eq!(session.tree(), before);
            assert!(session.run_with(&from(&problem.stage)).complete);
            let moved = format!("superseded/1/{gate}");
            assert_eq!(session.tree()[&moved], before[gate]);
        }
    }
}

#[test]
fn error_location_is_line_and_column() {
    let session = Session::finished(TWO_ROUNDS);
    session.write("draft.json", "{\n  \"version\": 1,\n  ?\n}");
    let error = session.try_run(&engine(), &Request::default()).unwrap_err();
    let problem: Unreadable = error.downcast().unwrap();
    assert_eq!(problem.location, ":3:3");
    let start = format!("{}:3:3: ", session.at("draft.json").display());
    assert!(problem.to_string().starts_with(&start), "{problem}");
    assert!(!problem.to_string().contains(" at line "), "{problem}");
}

#[test]
fn repaired_gate_is_used() {
    let session = Session::finished(TWO_ROUNDS);
    let (text, before) = (session.read("draft.json"), session.tree());
    session.write("draft.json", "{");
    assert!(session.try_run(&engine(), &Request::default()).is_err());
    session.write("draft.json", &text);
    assert_eq!(session.run().actions, 0);
    assert_eq!(session.tree(), before);
}

#[test]
fn unreadable_gate_after_a_stale_one_is_superseded() {
    let session = Session::finished(TWO_ROUNDS);
    session.edit("draft.json", "note1", "mine");
    session.write("judge.json", "{");
    let plan = session.plan(&Request::default());
    assert!(matches!(plan.stages[2].reason, Reason::Stale { .. }));
    assert!(session.run().complete);
    assert_eq!(session.read("superseded/1/judge.json"), "{");
}

#[test]
fn unreadable_gate_after_until_is_ignored() {
    let session = Session::finished(TWO_ROUNDS);
    session.write("judge.json", "{");
    let outcome = session.run_with(&super::session::until("polish"));
    assert_eq!((outcome.actions, outcome.complete), (0, false));
    assert_eq!(session.read("judge.json"), "{");
}

#[test]
fn unreadable_gates_are_reported_one_at_a_time() {
    let session = Session::finished(TWO_ROUNDS);
    session.write("draft.json", "{");
    session.write("judge.json", "{");
    let error = session.try_run(&engine(), &Request::default()).unwrap_err();
    assert_eq!(error.downcast::<Unreadable>().unwrap().stage, "draft");
    assert!(session.run_with(&from("draft")).complete);
}

#[test]
fn deeply_nested_json_is_refused() {
    for open in ["[", "{\"a\":"] {
        let session = Session::finished(TWO_ROUNDS);
        session.write("gather.json", &open.repeat(100_000));
        let error = session.try_run(&engine(), &Request::default()).unwrap_err();
        assert!(error.is::<Unreadable>());
    }
}

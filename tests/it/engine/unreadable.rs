//! A gate that cannot be read is neither trusted nor deleted: the error says where and what to do,
//! and both ways work.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use research::pipeline::{Next, Reason, Request, Unreadable};

use super::damage::{self, Damage};
use super::session::{Session, engine, from, tree_of};

/// One round was sent back, so that there is a decision of an earlier round too.
const TWO_ROUNDS: &str = "part: a\njudge: 0.3 draft\njudge: 0.9 accept\n";

/// Runs something that might wait for ever, and fails instead.
pub(crate) fn within_time<T: Send + 'static>(what: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::spawn(move || {
        let _ = sender.send(what());
    });
    match receiver.recv_timeout(Duration::from_secs(20)) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("it hangs"),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            let problem = worker.join().err().unwrap();
            std::panic::resume_unwind(problem)
        }
    }
}

/// Breaks `gate` in every way; `stage` is the one to start from.
fn break_gate(gate: &'static str, stage: &'static str) {
    let finished = Session::finished(TWO_ROUNDS);
    for damage in damage::ALL {
        let session = finished.copy();
        let case = format!("{gate} {damage:?}");
        within_time(move || check(&session, gate, stage, damage, &case));
    }
}

fn check(session: &Session, gate: &str, stage: &str, damage: Damage, case: &str) {
    let outside = session.beside();
    damage.inflict(session, gate, outside.path());
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
        damage.has_place(),
        "{case}: {problem:?}"
    );
    assert!(
        problem.problem.contains(damage.told_as()),
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
    break_gate("gather.json", "gather");
}

#[test]
fn unreadable_first_gate_of_the_round() {
    break_gate("draft.json", "draft");
}

#[test]
fn unreadable_middle_gate() {
    break_gate("polish.json", "polish");
}

#[test]
fn unreadable_last_gate() {
    break_gate("judge.json", "judge");
}

#[test]
fn unreadable_decision_of_an_earlier_round() {
    break_gate("rounds/1/judge.json", "draft");
}

#[test]
fn unreadable_decision_of_an_earlier_round_that_a_gate_before_was_made_from() {
    let finished = Session::finished(super::session::ROUNDS);
    for damage in [Damage::Truncated, Damage::Link, Damage::Directory] {
        for gate in ["rounds/1/judge.json", "rounds/2/judge.json"] {
            let session = finished.copy();
            let outside = session.beside();
            damage.inflict(&session, gate, outside.path());
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
fn place_is_the_line_and_column() {
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
fn unreadable_gate_after_a_stale_one_is_moved_aside_untrusted() {
    let session = Session::finished(TWO_ROUNDS);
    session.edit("draft.json", "note1", "mine");
    session.write("judge.json", "{");
    let plan = session.plan(&Request::default());
    assert!(matches!(plan.stages[2].reason, Reason::Stale { .. }));
    assert!(session.run().complete);
    assert_eq!(session.read("superseded/1/judge.json"), "{");
}

#[test]
fn unreadable_gate_beyond_what_is_wanted_is_left_alone() {
    let session = Session::finished(TWO_ROUNDS);
    session.write("judge.json", "{");
    let outcome = session.run_with(&super::session::until("polish"));
    assert_eq!((outcome.actions, outcome.complete), (0, false));
    assert_eq!(session.read("judge.json"), "{");
}

#[test]
fn two_unreadable_gates_are_told_one_after_the_other() {
    let session = Session::finished(TWO_ROUNDS);
    session.write("draft.json", "{");
    session.write("judge.json", "{");
    let error = session.try_run(&engine(), &Request::default()).unwrap_err();
    assert_eq!(error.downcast::<Unreadable>().unwrap().stage, "draft");
    assert!(session.run_with(&from("draft")).complete);
}

#[test]
fn deep_nesting_in_every_value_is_refused_without_a_crash() {
    for open in ["[", "{\"a\":"] {
        let session = Session::finished(TWO_ROUNDS);
        session.write("gather.json", &open.repeat(100_000));
        let error = session.try_run(&engine(), &Request::default()).unwrap_err();
        assert!(error.is::<Unreadable>());
    }
}

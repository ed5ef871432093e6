//! Interruption at every event: finished work is preserved.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use research::pipeline::{Engine, Event, Interrupted, Request, read_events};

use super::scenario;
use super::session::{SHORT, Session, engine, reporter};

/// An engine that is interrupted at the event with this number, and the number of its events.
fn interrupted_at(number: usize) -> (Engine, Arc<AtomicUsize>) {
    let (seen, interrupted) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let (count, flag) = (seen.clone(), interrupted.clone());
    let stop = move |_: &Event| {
        if count.fetch_add(1, Ordering::SeqCst) == number {
            flag.store(true, Ordering::SeqCst);
        }
    };
    let engine = Engine {
        interrupted,
        reporter: reporter(stop),
        ..engine()
    };
    (engine, seen)
}

#[test]
fn run_interrupted_at_any_event_resumes_to_the_same_end() {
    for scenario in scenario::all() {
        for number in 0.. {
            let session = scenario.session();
            let (engine, seen) = interrupted_at(number);
            let ended = session.try_run(&engine, &scenario.request);
            if seen.load(Ordering::SeqCst) <= number {
                assert!(ended.unwrap().complete);
                break;
            }
            let case = format!("interrupted at event {number}");
            match ended {
                Err(error) => {
                    assert!(error.is::<Interrupted>(), "{case}: {error:#}");
                    let last = read_events(session.path()).pop().unwrap();
                    assert_eq!(last.event, Event::Interrupted, "{case}");
                }
                // The interruption came after the last action.
                Ok(outcome) => assert!(outcome.complete, "{case}"),
            }
            let resumed = scenario.resume(&session);
            scenario.assert_ended(&session, &resumed, &case);
        }
    }
}

#[test]
fn interruption_takes_effect_at_the_next_step() {
    // Events: run started, stage started, part a, part b, …
    let session = Session::new(SHORT);
    let (engine, _) = interrupted_at(2);
    let error = session.try_run(&engine, &Request::default()).unwrap_err();
    assert!(error.is::<Interrupted>());
    assert_eq!(session.calls(), ["gather", "part a"]);
    assert!(session.exists("parts/a.json") && !session.exists("gather.json"));
    session.run();
    assert_eq!(
        session.calls()[..2],
        ["gather", "part b"],
        "the checkpoint of part a is reused"
    );
    let events = read_events(session.path());
    let failed = |event: &Event| matches!(event, Event::StageFailed { .. });
    assert!(
        !events.iter().any(|entry| failed(&entry.event)),
        "an interruption is not a failure"
    );
}

#[test]
fn interruption_before_the_start_makes_nothing() {
    let session = Session::new(SHORT);
    let engine = engine();
    engine.interrupted.store(true, Ordering::SeqCst);
    let error = session.try_run(&engine, &Request::default()).unwrap_err();
    assert!(error.is::<Interrupted>());
    assert_eq!(session.calls(), [""; 0]);
    assert_eq!(session.tree().len(), 1);
}

#[test]
fn interruption_of_a_complete_session_is_ignored() {
    let session = Session::finished(SHORT);
    let engine = engine();
    engine.interrupted.store(true, Ordering::SeqCst);
    assert!(
        session
            .try_run(&engine, &Request::default())
            .unwrap()
            .complete
    );
}

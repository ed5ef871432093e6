//! SQLite's way: let the Nth operation on the disk fail, for every N, and see that what is left
//! ends as it should.

use std::io;
use std::sync::{Arc, Mutex};

use research::pipeline::{Disk, Engine, Event, Interrupted, Operation, read_events};

use super::disk_faults::{Failure, Trap};
use super::scenario::{self, Scenario, assert_no_half_artifact};
use super::session::{engine_on, reporter};

/// Lets operation N fail, for every N until a run sees none fail, and resumes each time.
fn fail_everywhere(scenario: &Scenario, failure: Failure) -> usize {
    for number in 0.. {
        let session = scenario.session();
        let trap = Trap::new(number, failure);
        let ended = session.try_run(&engine_on(trap.disk()), &scenario.request);
        if !trap.sprang() {
            assert!(ended.unwrap().complete);
            return number;
        }
        let case = format!("operation {number} of {} fails {failure:?}", scenario.name);
        if let Err(error) = ended {
            assert!(!error.is::<Interrupted>(), "{case}: {error:#}");
        }
        assert_no_half_artifact(&session, &case);
        let resumed = scenario.resume(&session);
        scenario.assert_ended(&session, &resumed, &case);
    }
    unreachable!("a run ends")
}

#[test]
fn any_operation_may_fail_once() {
    for scenario in scenario::all() {
        let operations = fail_everywhere(&scenario, Failure::Once);
        assert!(operations > 30, "{}: {operations}", scenario.name);
    }
}

#[test]
fn process_may_die_before_any_operation() {
    for scenario in scenario::all() {
        fail_everywhere(&scenario, Failure::Dead);
    }
}

#[test]
fn failure_is_told_and_never_taken_for_success() {
    // Only the log's and the cache's own operations may fail without failing the run; that the log
    // does is told.
    let scenario = scenario::short();
    let operations = Trap::new(usize::MAX, Failure::Once);
    let session = scenario.session();
    let counted = engine_on(operations.disk());
    assert!(session.try_run(&counted, &scenario.request).is_ok());
    let cache = 3;
    let mut lines = 0;
    for number in 0..operations.seen() - cache {
        let session = scenario.session();
        let disk = Trap::new(number, Failure::Once).disk();
        let (engine, told) = engine_telling(disk);
        let case = format!("operation {number}");
        match session.try_run(&engine, &scenario.request) {
            Ok(outcome) => {
                assert!(outcome.complete, "{case}");
                assert_eq!(*told.lock().unwrap(), 1, "{case}");
                assert_no_half_artifact(&session, &case);
                lines += 1;
            }
            Err(error) => {
                let error = format!("{error:#}");
                let is_ours = error.contains("os error 28") || error.contains("os error 5");
                assert!(is_ours, "{case}: {error}");
                assert_eq!(*told.lock().unwrap(), 0, "{case}");
            }
        }
    }
    assert_eq!(lines, read_events(session.path()).len());
}

/// An engine, and how often it told that its log is lost.
fn engine_telling(disk: Disk) -> (Engine, Arc<Mutex<usize>>) {
    let told = Arc::new(Mutex::new(0));
    let count = told.clone();
    let counted = move |event: &Event| {
        *count.lock().unwrap() += usize::from(matches!(event, Event::LogLost { .. }));
    };
    let engine = Engine {
        reporter: reporter(counted),
        ..engine_on(disk)
    };
    (engine, told)
}

#[test]
fn a_log_that_cannot_be_written_at_all_is_told_once_and_changes_nothing_else() {
    for scenario in scenario::all() {
        let disk = Disk::observed(Arc::new(|operation: &Operation<'_>| match operation {
            Operation::Append(..) => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }));
        let (engine, told) = engine_telling(disk);
        let session = scenario.session();
        let ended = session.try_run(&engine, &scenario.request).unwrap();
        assert_eq!(*told.lock().unwrap(), 1, "{}", scenario.name);
        scenario.assert_made(&session, &ended, "without a log");
    }
}

#[test]
fn run_may_die_again_while_it_mends() {
    // Dies at some operation, then in the resumed run at another; every pair of the short scenario.
    let scenario = scenario::short();
    let mut first = 0;
    loop {
        let mut sprang = false;
        for second in 0.. {
            let session = scenario.session();
            let trap = Trap::new(first, Failure::Dead);
            let _ = session.try_run(&engine_on(trap.disk()), &scenario.request);
            sprang |= trap.sprang();
            let again = Trap::new(second, Failure::Dead);
            let _ = session.try_run(&engine_on(again.disk()), &scenario.request);
            let resumed = scenario.resume(&session);
            scenario.assert_ended(&session, &resumed, &format!("{first} and {second}"));
            if !again.sprang() {
                break;
            }
        }
        if !sprang {
            break;
        }
        first += 7;
    }
}

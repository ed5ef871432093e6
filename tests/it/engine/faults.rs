//! Fault injection as in SQLite: the Nth disk operation fails, for every N, and the resumed session
//! must end as it should.

use std::io;
use std::sync::{Arc, Mutex};

use research::pipeline::{Disk, Engine, Event, Interrupted, Operation, read_events};

use super::disk_faults::{Failure, FaultInjector};
use super::scenario::{self, Scenario, assert_artifacts_complete};
use super::session::{engine_on, reporter};

/// Makes operation N fail, for every N until a run has no failure, and resumes each time.
fn fail_everywhere(scenario: &Scenario, failure: Failure) -> usize {
    for number in 0.. {
        let session = scenario.session();
        let injector = FaultInjector::new(number, failure);
        let ended = session.try_run(&engine_on(injector.disk()), &scenario.request);
        if !injector.triggered() {
            assert!(ended.unwrap().complete);
            return number;
        }
        let case = format!("operation {number} of {} fails {failure:?}", scenario.name);
        if let Err(error) = ended {
            assert!(!error.is::<Interrupted>(), "{case}: {error:#}");
        }
        assert_artifacts_complete(&session, &case);
        let resumed = scenario.resume(&session);
        scenario.assert_ended(&session, &resumed, &case);
    }
    unreachable!("a run ends")
}

#[test]
fn run_recovers_from_any_single_disk_fault() {
    for scenario in scenario::all() {
        let operations = fail_everywhere(&scenario, Failure::Once);
        assert!(operations > 30, "{}: {operations}", scenario.name);
    }
}

#[test]
fn run_recovers_from_a_crash_before_any_disk_operation() {
    for scenario in scenario::all() {
        fail_everywhere(&scenario, Failure::Dead);
    }
}

#[test]
fn disk_faults_are_reported_as_errors() {
    // Only failures of the event log and the digest cache do not fail the run; a lost log is
    // reported.
    let scenario = scenario::short();
    let counter = FaultInjector::new(usize::MAX, Failure::Once);
    let session = scenario.session();
    let counted = engine_on(counter.disk());
    assert!(session.try_run(&counted, &scenario.request).is_ok());
    let cache = 3;
    let mut lines = 0;
    for number in 0..counter.operations() - cache {
        let session = scenario.session();
        let disk = FaultInjector::new(number, Failure::Once).disk();
        let (engine, reports) = engine_counting_lost_logs(disk);
        let case = format!("operation {number}");
        match session.try_run(&engine, &scenario.request) {
            Ok(outcome) => {
                assert!(outcome.complete, "{case}");
                assert_eq!(*reports.lock().unwrap(), 1, "{case}");
                assert_artifacts_complete(&session, &case);
                lines += 1;
            }
            Err(error) => {
                let error = format!("{error:#}");
                let is_ours = error.contains("os error 28") || error.contains("os error 5");
                assert!(is_ours, "{case}: {error}");
                assert_eq!(*reports.lock().unwrap(), 0, "{case}");
            }
        }
    }
    assert_eq!(lines, read_events(session.path()).len());
}

/// An engine, and the number of its reports of a lost event log.
fn engine_counting_lost_logs(disk: Disk) -> (Engine, Arc<Mutex<usize>>) {
    let reports = Arc::new(Mutex::new(0));
    let count = reports.clone();
    let counted = move |event: &Event| {
        *count.lock().unwrap() += usize::from(matches!(event, Event::LogLost { .. }));
    };
    let engine = Engine {
        reporter: reporter(counted),
        ..engine_on(disk)
    };
    (engine, reports)
}

#[test]
fn unwritable_event_log_is_reported_once_and_the_run_completes() {
    for scenario in scenario::all() {
        let disk = Disk::observed(Arc::new(|operation: &Operation<'_>| match operation {
            Operation::Append(..) => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }));
        let (engine, reports) = engine_counting_lost_logs(disk);
        let session = scenario.session();
        let ended = session.try_run(&engine, &scenario.request).unwrap();
        assert_eq!(*reports.lock().unwrap(), 1, "{}", scenario.name);
        scenario.assert_made(&session, &ended, "without a log");
    }
}

#[test]
fn run_recovers_from_a_crash_during_crash_recovery() {
    // A crash at some operation, then another one in the resumed run: pairs of the short scenario.
    let scenario = scenario::short();
    let mut first = 0;
    loop {
        let mut triggered = false;
        for second in 0.. {
            let session = scenario.session();
            let injector = FaultInjector::new(first, Failure::Dead);
            let _ = session.try_run(&engine_on(injector.disk()), &scenario.request);
            triggered |= injector.triggered();
            let again = FaultInjector::new(second, Failure::Dead);
            let _ = session.try_run(&engine_on(again.disk()), &scenario.request);
            let resumed = scenario.resume(&session);
            scenario.assert_ended(&session, &resumed, &format!("{first} and {second}"));
            if !again.triggered() {
                break;
            }
        }
        if !triggered {
            break;
        }
        first += 7;
    }
}

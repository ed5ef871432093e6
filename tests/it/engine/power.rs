//! A loss of power: unflushed changes are lost, in several ways, and the resumed session must end
//! as it should.

use std::sync::{Arc, Mutex};

use research::pipeline::{Digest, Engine, Event};

use super::disk_faults::{Failure, FaultInjector, Loss, UnflushedChanges};
use super::scenario::{self, Scenario, assert_artifacts_complete, is_temporary};
use super::session::{Entry, Session, engine_on, reporter};

/// Crashes at operation N, for every N, loses unflushed changes, and resumes.
fn lose_power_everywhere(scenario: &Scenario, loss: Loss) {
    for number in 0.. {
        let session = scenario.session();
        let (injector, unflushed) = (
            FaultInjector::new(number, Failure::Dead),
            Arc::new(UnflushedChanges::default()),
        );
        let finished = Arc::new(Mutex::new(Vec::new()));
        let sink = finished.clone();
        let engine = Engine {
            reporter: reporter(move |event: &Event| {
                if let Event::StageFinished { digest, .. } = event {
                    sink.lock().unwrap().push(digest.clone());
                }
            }),
            ..engine_on(injector.tracked_disk(&unflushed))
        };
        let ended = session.try_run(&engine, &scenario.request);
        unflushed.lose_power(loss);
        let case = format!("power lost at {number} of {}: {loss:?}", scenario.name);
        assert_artifacts_complete(&session, &case);
        assert_durable(&session, &finished.lock().unwrap(), &case);
        if !injector.triggered() {
            assert!(ended.unwrap().complete);
            let mut tree = session.tree();
            tree.retain(|name, _| !is_temporary(name));
            assert!(
                tree == scenario.expected,
                "{case}: a complete session is durable"
            );
        }
        let resumed = scenario.resume(&session);
        scenario.assert_ended(&session, &resumed, &case);
        if !injector.triggered() {
            return;
        }
    }
}

/// Asserts that every gate that was reported as finished is durable.
fn assert_durable(session: &Session, finished: &[Digest], case: &str) {
    let tree = session.tree();
    let digests: Vec<Digest> = tree
        .values()
        .filter_map(|entry| match entry {
            Entry::File(bytes) => Some(Digest::of(bytes)),
            _ => None,
        })
        .collect();
    for digest in finished {
        assert!(digests.contains(digest), "{case}: a finished gate is lost");
    }
}

#[test]
fn run_recovers_from_the_loss_of_all_unflushed_changes() {
    for scenario in scenario::all() {
        lose_power_everywhere(&scenario, Loss::Everything);
    }
}

#[test]
fn run_recovers_from_the_loss_of_unflushed_bytes() {
    for scenario in [scenario::three_rounds(), scenario::from_the_start()] {
        lose_power_everywhere(&scenario, Loss::Bytes);
    }
}

#[test]
fn run_recovers_from_the_loss_of_the_last_directory_change() {
    for scenario in scenario::all() {
        lose_power_everywhere(&scenario, Loss::LastName);
    }
}

#[test]
fn run_recovers_from_power_loss_after_a_crash() {
    // Unflushed changes of the first run are still unflushed when the second run reads them.
    let scenario = scenario::short();
    for first in 0.. {
        let mut triggered = false;
        for second in 0.. {
            let session = scenario.session();
            let unflushed = Arc::new(UnflushedChanges::default());
            let injector = FaultInjector::new(first, Failure::Dead);
            let _ = session.try_run(
                &engine_on(injector.tracked_disk(&unflushed)),
                &scenario.request,
            );
            triggered |= injector.triggered();
            if unflushed.is_empty() {
                break;
            }
            let again = FaultInjector::new(second, Failure::Dead);
            let _ = session.try_run(
                &engine_on(again.tracked_disk(&unflushed)),
                &scenario.request,
            );
            unflushed.lose_power(Loss::Everything);
            let case = format!("{first} and {second}");
            assert_artifacts_complete(&session, &case);
            let resumed = scenario.resume(&session);
            scenario.assert_ended(&session, &resumed, &case);
            if !again.triggered() {
                break;
            }
        }
        if !triggered {
            return;
        }
    }
}

//! A loss of power: what was not flushed is gone, in several ways, and the session still ends as it
//! should.

use std::sync::{Arc, Mutex};

use research::pipeline::{Digest, Engine, Event};

use super::disk_faults::{Book, Failure, Loss, Trap};
use super::scenario::{self, Scenario, assert_no_half_artifact, is_temporary};
use super::session::{Entry, Session, engine_on, reporter};

/// Stops at operation N, for every N, loses what was not flushed, and resumes.
fn lose_power_everywhere(scenario: &Scenario, loss: Loss) {
    for number in 0.. {
        let session = scenario.session();
        let (trap, book) = (Trap::new(number, Failure::Dead), Arc::new(Book::default()));
        let told = Arc::new(Mutex::new(Vec::new()));
        let sink = told.clone();
        let engine = Engine {
            reporter: reporter(move |event: &Event| {
                if let Event::StageFinished { digest, .. } = event {
                    sink.lock().unwrap().push(digest.clone());
                }
            }),
            ..engine_on(trap.disk_with(&book))
        };
        let ended = session.try_run(&engine, &scenario.request);
        book.lose(loss);
        let case = format!("power lost at {number} of {}: {loss:?}", scenario.name);
        assert_no_half_artifact(&session, &case);
        assert_kept(&session, &told.lock().unwrap(), &case);
        if !trap.sprang() {
            assert!(ended.unwrap().complete);
            let mut tree = session.tree();
            tree.retain(|name, _| !is_temporary(name));
            assert!(
                tree == scenario.expected,
                "{case}: what is complete is safe"
            );
        }
        let resumed = scenario.resume(&session);
        scenario.assert_ended(&session, &resumed, &case);
        if !trap.sprang() {
            return;
        }
    }
}

/// What was told to be finished is there, whatever was lost since.
fn assert_kept(session: &Session, told: &[Digest], case: &str) {
    let tree = session.tree();
    let kept: Vec<Digest> = tree
        .values()
        .filter_map(|entry| match entry {
            Entry::File(bytes) => Some(Digest::of(bytes)),
            _ => None,
        })
        .collect();
    for digest in told {
        assert!(kept.contains(digest), "{case}: a finished gate is lost");
    }
}

#[test]
fn everything_unflushed_may_be_lost() {
    for scenario in scenario::all() {
        lose_power_everywhere(&scenario, Loss::Everything);
    }
}

#[test]
fn unflushed_bytes_may_be_lost_behind_their_names() {
    for scenario in [scenario::three_rounds(), scenario::from_the_start()] {
        lose_power_everywhere(&scenario, Loss::Bytes);
    }
}

#[test]
fn last_change_of_a_name_may_be_lost() {
    for scenario in scenario::all() {
        lose_power_everywhere(&scenario, Loss::LastName);
    }
}

#[test]
fn power_may_be_lost_in_the_run_after_a_death() {
    // What the first run left without flushing it is not flushed by being found there.
    let scenario = scenario::short();
    for first in 0.. {
        let mut sprang = false;
        for second in 0.. {
            let session = scenario.session();
            let book = Arc::new(Book::default());
            let trap = Trap::new(first, Failure::Dead);
            let _ = session.try_run(&engine_on(trap.disk_with(&book)), &scenario.request);
            sprang |= trap.sprang();
            if book.is_clear() {
                break;
            }
            let again = Trap::new(second, Failure::Dead);
            let _ = session.try_run(&engine_on(again.disk_with(&book)), &scenario.request);
            book.lose(Loss::Everything);
            let case = format!("{first} and {second}");
            assert_no_half_artifact(&session, &case);
            let resumed = scenario.resume(&session);
            scenario.assert_ended(&session, &resumed, &case);
            if !again.sprang() {
                break;
            }
        }
        if !sprang {
            return;
        }
    }
}

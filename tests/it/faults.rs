//! SQLite's way on the real pipeline: let the Nth operation on the disk fail, from the making of
//! the session on, for every N; lose what was not flushed; go on, and the session ends byte for
//! byte as if nothing had happened.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use futures::executor::block_on;
use research::artifact::session::Depth;
use research::config::Settings;
use research::pipeline::{Clock, Disk, Engine, Outcome, Request};
use research::run::{self, BackendConfig, Overrides, Shared};
use research::session::{self, NewSession, ReviewTerms};

use crate::disk_faults::{Failure, FaultInjector, Loss, UnflushedChanges};
use crate::harness::{NOW, Scratch, differences, tree};

const LOFTS: &str = "\
# What the insulation of a loft costs

The insulation of a loft costs about 40 euros per square metre in most houses. Owners should \
insulate the loft before they
buy any new heating, because the insulation of a loft saves about 15 % of the energy.
";

const WALLS: &str = "\
# What the insulation of walls costs

The insulation of outer walls costs about 200 euros per square metre in most houses. The \
insulation of walls should be
combined with a repair of the render, because the scaffolding costs more than the material.
";

/// What is asked of two documents, and the sessions in which it was.
struct Question {
    scratch: Scratch,
    asked: NewSession,
    terms: ReviewTerms,
    expected: BTreeMap<String, Vec<u8>>,
}

impl Question {
    fn new() -> Self {
        let scratch = Scratch::in_memory();
        scratch.write("docs/lofts.md", LOFTS);
        scratch.write("docs/walls.md", WALLS);
        let mut question = Self {
            asked: NewSession {
                topic: "What does insulation cost?".to_owned(),
                depth: Depth::Quick,
                documents: vec![scratch.path().join("docs")],
                web: research::session::WebScope::default(),
            },
            terms: ReviewTerms {
                threshold: 0.5,
                max_rounds: 2,
                clarify: true,
                owner: "local".to_owned(),
                messages: Vec::new(),
            },
            scratch,
            expected: BTreeMap::new(),
        };
        let place = question.output_dir("undisturbed");
        assert!(question.work(&place, Disk::default()).unwrap().complete);
        question.expected = tree(&place.join("s"));
        assert!(question.expected.contains_key("sources/S2.md"));
        question
    }

    fn output_dir(&self, case: &str) -> PathBuf {
        self.scratch.path().join(case)
    }

    /// Opens the session and runs it, as the command line does.
    fn work(&self, output_dir: &Path, disk: Disk) -> Result<Outcome> {
        let clock = Clock::fixed(NOW.parse().unwrap());
        let place = session::locate(output_dir, &self.asked, Some("s"), clock)?;
        let session = session::open_or_create(&place.path, &self.asked, &self.terms, &disk, clock)?;
        let settings = Settings::load()?;
        let pipeline = run::pipeline(
            &place.path,
            &session,
            &settings,
            Overrides::default(),
            &BackendConfig::default(),
            Shared::default(),
        )?;
        let engine = Engine {
            disk,
            clock,
            // A program that another test is about to start holds a copy of every open file for a
            // moment, locks included.
            wait: true,
            ..Engine::default()
        };
        block_on(engine.run(&place.path, &pipeline, &Request::default()))
    }

    /// Goes on where the disk failed, and expects the end.
    fn assert_resumes(&self, output_dir: &Path, case: &str) {
        let resumed = self.work(output_dir, Disk::default());
        let resumed = resumed.unwrap_or_else(|error| panic!("{case}: {error:#}"));
        assert!(resumed.complete, "{case}");
        let found = tree(&output_dir.join("s"));
        assert_eq!(
            differences(&found, &self.expected),
            Vec::<&str>::new(),
            "{case}"
        );
    }

    /// Lets operation N fail, for every N until a run sees none fail. Returns how many there are.
    fn fail_everywhere(&self, failure: Failure, loss: Option<Loss>) -> usize {
        for number in 0.. {
            let case = format!("operation {number} fails {failure:?}, {loss:?} is lost");
            let output_dir = self.output_dir("failed");
            let (injector, unflushed) = (
                FaultInjector::new(number, failure),
                Arc::new(UnflushedChanges::default()),
            );
            let ended = match loss {
                None => self.work(&output_dir, injector.disk()),
                Some(_) => self.work(&output_dir, injector.tracked_disk(&unflushed)),
            };
            if let Some(loss) = loss {
                unflushed.lose_power(loss);
            }
            self.assert_resumes(&output_dir, &case);
            fs::remove_dir_all(&output_dir).unwrap();
            if !injector.triggered() {
                assert!(ended.unwrap().complete, "{case}");
                return number;
            }
        }
        unreachable!("a run ends")
    }
}

#[test]
fn any_operation_may_fail_once() {
    let operations = Question::new().fail_everywhere(Failure::Once, None);
    assert!(operations > 100, "{operations}");
}

#[test]
fn process_may_die_before_any_operation() {
    Question::new().fail_everywhere(Failure::Dead, None);
}

#[test]
fn everything_unflushed_may_be_lost() {
    Question::new().fail_everywhere(Failure::Dead, Some(Loss::Everything));
}

#[test]
fn unflushed_bytes_may_be_lost() {
    Question::new().fail_everywhere(Failure::Dead, Some(Loss::Bytes));
}

#[test]
fn last_change_of_a_name_may_be_lost() {
    Question::new().fail_everywhere(Failure::Dead, Some(Loss::LastName));
}

#[test]
fn run_may_die_again_while_it_mends() {
    // Every pair would take minutes: the steps have no common divisor with the five operations that
    // a file takes.
    let question = Question::new();
    let output_dir = question.output_dir("twice");
    for first in (0..).step_by(13) {
        let mut triggered = false;
        for second in (0..).step_by(17) {
            let unflushed = Arc::new(UnflushedChanges::default());
            let injector = FaultInjector::new(first, Failure::Dead);
            let _ = question.work(&output_dir, injector.tracked_disk(&unflushed));
            triggered = injector.triggered();
            let again = FaultInjector::new(second, Failure::Dead);
            let _ = question.work(&output_dir, again.tracked_disk(&unflushed));
            if !unflushed.is_empty() {
                unflushed.lose_power(Loss::Everything);
            }
            question.assert_resumes(&output_dir, &format!("{first} and {second}"));
            fs::remove_dir_all(&output_dir).unwrap();
            if !again.triggered() {
                break;
            }
        }
        if !triggered {
            return;
        }
    }
}

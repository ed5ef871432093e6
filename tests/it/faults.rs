//! Fault injection on the real pipeline, as in SQLite: the Nth disk operation fails, from the
//! creation of the session on, for every N; unflushed changes are lost; the resumed session must
//! end with the same bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use futures::executor::block_on;
use research::artifact::session::{Depth, Mode};
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

/// A session over two documents, which is run under fault injection.
struct FaultTest {
    scratch: Scratch,
    new_session: NewSession,
    terms: ReviewTerms,
    expected: BTreeMap<String, Vec<u8>>,
}

impl FaultTest {
    fn new() -> Self {
        let scratch = Scratch::in_memory();
        scratch.write("docs/lofts.md", LOFTS);
        scratch.write("docs/walls.md", WALLS);
        let mut test = Self {
            new_session: NewSession {
                topic: "What does insulation cost?".to_owned(),
                mode: Mode::default(),
                depth: Depth::Quick,
                documents: vec![scratch.path().join("docs")],
                follows: None,
                inherited: Vec::new(),
                web: research::session::WebScope::default(),
                style: research::artifact::session::Style::default(),
            },
            terms: ReviewTerms {
                threshold: 0.5,
                max_rounds: 2,
                clarify: true,
                owner: "local".to_owned(),
                first_run: None,
                messages: Vec::new(),
            },
            scratch,
            expected: BTreeMap::new(),
        };
        let output_dir = test.output_dir("without-faults");
        assert!(test.work(&output_dir, Disk::default()).unwrap().complete);
        test.expected = tree(&output_dir.join("s"));
        assert!(test.expected.contains_key("sources/S2.md"));
        test
    }

    fn output_dir(&self, case: &str) -> PathBuf {
        self.scratch.path().join(case)
    }

    /// Opens the session and runs it, as the command line does.
    fn work(&self, output_dir: &Path, disk: Disk) -> Result<Outcome> {
        let clock = Clock::fixed(NOW.parse().unwrap());
        let session_path = session::locate(output_dir, &self.new_session, Some("s"))?;
        let session = session::open_or_create(
            &session_path.path,
            &self.new_session,
            &self.terms,
            &disk,
            clock,
        )?;
        let settings = Settings::load()?;
        let pipeline = run::pipeline(
            &session_path.path,
            &session,
            &settings,
            Overrides::default(),
            &BackendConfig::default(),
            Shared::default(),
        )?;
        let engine = Engine {
            disk,
            clock,
            // A process that another test starts inherits every open file for a moment, locks
            // included.
            wait: true,
            ..Engine::default()
        };
        block_on(engine.run(&session_path.path, &pipeline, &Request::default()))
    }

    /// Resumes after a fault, and asserts that the session ends with the expected files.
    fn assert_resumes(&self, output_dir: &Path, case: &str) {
        let resumed = self.work(output_dir, Disk::default());
        let resumed = resumed.unwrap_or_else(|error| panic!("{case}: {error:#}"));
        assert!(resumed.complete, "{case}");
        let files = tree(&output_dir.join("s"));
        assert_eq!(
            differences(&files, &self.expected),
            Vec::<&str>::new(),
            "{case}"
        );
    }

    /// Makes operation N fail, for every N until a run has no failure. Returns their number.
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
fn session_recovers_from_any_single_disk_fault() {
    let operations = FaultTest::new().fail_everywhere(Failure::Once, None);
    assert!(operations > 100, "{operations}");
}

#[test]
fn session_recovers_from_a_crash_before_any_disk_operation() {
    FaultTest::new().fail_everywhere(Failure::Dead, None);
}

#[test]
fn session_recovers_from_the_loss_of_all_unflushed_changes() {
    FaultTest::new().fail_everywhere(Failure::Dead, Some(Loss::Everything));
}

#[test]
fn session_recovers_from_the_loss_of_unflushed_bytes() {
    FaultTest::new().fail_everywhere(Failure::Dead, Some(Loss::Bytes));
}

#[test]
fn session_recovers_from_the_loss_of_the_last_directory_change() {
    FaultTest::new().fail_everywhere(Failure::Dead, Some(Loss::LastName));
}

#[test]
fn session_recovers_from_a_crash_during_crash_recovery() {
    // Not every pair, which would take minutes: the step widths are coprime to the five operations
    // of a file.
    let test = FaultTest::new();
    let output_dir = test.output_dir("twice");
    for first in (0..).step_by(13) {
        let mut triggered = false;
        for second in (0..).step_by(17) {
            let unflushed = Arc::new(UnflushedChanges::default());
            let injector = FaultInjector::new(first, Failure::Dead);
            let _ = test.work(&output_dir, injector.tracked_disk(&unflushed));
            triggered = injector.triggered();
            let again = FaultInjector::new(second, Failure::Dead);
            let _ = test.work(&output_dir, again.tracked_disk(&unflushed));
            if !unflushed.is_empty() {
                unflushed.lose_power(Loss::Everything);
            }
            test.assert_resumes(&output_dir, &format!("{first} and {second}"));
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

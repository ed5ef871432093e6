//! The states of a session, as its files show them at every event of a run.

use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::executor::block_on;
use research::artifact::session::{Depth, Mode, State, Style};
use research::config::Settings;
use research::inspect;
use research::pipeline::{Clock, Engine, Request};
use research::run::{self, BackendConfig, Overrides, Shared};
use research::session::{self, NewSession, ReviewTerms, WebScope};

use crate::harness::{NOW, Scratch, copy};

/// The states that may follow each state of a session that is worked on.
const TRANSITIONS: [(State, &[State]); 5] = [
    (State::Pending, &[State::Researching]),
    (State::Researching, &[State::Analyzing]),
    (State::Analyzing, &[State::Writing]),
    (State::Writing, &[State::Reviewing]),
    (
        State::Reviewing,
        &[State::Researching, State::Analyzing, State::Complete],
    ),
];

/// Runs session `s` to its end, on a topic whose first round is sent back; returns the state at
/// each event where it is another one than before.
fn states(scratch: &Scratch) -> Vec<State> {
    let mut settings = Settings::load().unwrap();
    settings.agents.planner.max_plan_iterations = 1;
    settings.search.cache_dir = scratch.path().join("cache");
    let request = NewSession {
        topic: "Should a heat pump replace a gas boiler?".to_owned(),
        mode: Mode::default(),
        depth: Depth::Quick,
        documents: vec![scratch.path().join("docs")],
        follows: None,
        inherited: Vec::new(),
        web: WebScope::default(),
        style: Style::default(),
    };
    let terms = ReviewTerms {
        threshold: 1.0,
        max_rounds: 3,
        clarify: true,
        owner: "local".to_owned(),
        messages: Vec::new(),
        first_run: None,
    };
    let (path, seen) = (scratch.session(), Arc::new(Mutex::new(Vec::new())));
    let (watched, noted, own) = (path.clone(), seen.clone(), settings.clone());
    let engine = Engine {
        clock: Clock::fixed(NOW.parse().unwrap()),
        wait: true,
        reporter: Some(Arc::new(move |_| {
            let state = inspect::status(&watched, &own).unwrap().state;
            let mut noted = noted.lock().unwrap();
            if noted.last() != Some(&state) {
                noted.push(state);
            }
        })),
        ..Engine::default()
    };
    let disk = engine.disk.clone();
    let opened = session::open_or_create(&path, &request, &terms, &disk, engine.clock);
    let (rules, overrides) = (BackendConfig::default(), Overrides::default());
    let pipeline = run::pipeline(
        &path,
        &opened.unwrap(),
        &settings,
        overrides,
        &rules,
        Shared::default(),
    );
    let ran = block_on(engine.run(&path, &pipeline.unwrap(), &Request::default()));
    assert!(ran.unwrap().complete);
    let ended = inspect::status(&path, &settings).unwrap().state;
    assert_eq!(ended, State::Complete);
    let mut states = seen.lock().unwrap().clone();
    states.extend((states.last() != Some(&ended)).then_some(ended));
    states
}

#[test]
fn a_job_in_the_wrong_directory_fails_and_a_broken_session_has_its_reason() {
    let scratch = Scratch::new();
    for command in ["update", "verify"] {
        let ran = scratch.expect(2, &[command, "--all", "--quiet"]);
        let words = "research-output does not exist";
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    let scratch = Scratch::with_few();
    scratch.research();
    scratch.write("research-output/s/report.json", "{");
    let ran = scratch.expect(0, &["show", "s"]);
    assert!(ran.stderr.contains("report.json"), "{}", ran.stderr);
}

#[test]
fn states_follow_one_another_through_two_rounds_and_complete_is_the_last() {
    let scratch = Scratch::new();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/rounds/docs");
    copy(&golden, &scratch.path().join("docs"));
    let first = states(&scratch);
    for pair in first.windows(2) {
        let next = TRANSITIONS.iter().find(|(state, _)| *state == pair[0]);
        assert!(
            next.is_some_and(|(_, next)| next.contains(&pair[1])),
            "{first:?}"
        );
    }
    let reviews = first.iter().filter(|state| **state == State::Reviewing);
    assert!(reviews.count() > 1, "{first:?}");
    // Finished, it stays so.
    assert_eq!(states(&scratch), [State::Complete]);
}

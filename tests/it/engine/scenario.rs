//! The scenarios of fault injection: the state of a session, the request to the engine, and the
//! files after a run without faults.

use std::fs;

use research::pipeline::{LogEntry, Next, Outcome, Request};

use super::session::{ROUNDS, SHORT, Session, Tree, from};
use super::toy::parse;

pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    before: Session,
    pub(crate) request: Request,
    pub(crate) expected: Tree,
}

impl Scenario {
    fn new(name: &'static str, before: Session, request: Request) -> Self {
        let without_faults = before.copy();
        assert!(without_faults.run_with(&request).complete);
        Self {
            name,
            before,
            request,
            expected: without_faults.tree(),
        }
    }

    /// A session in the state before.
    pub(crate) fn session(&self) -> Session {
        self.before.copy()
    }

    /// Resumes without repeating the request, as a user would after a crash; only if the crashed
    /// run changed nothing is the request repeated.
    pub(crate) fn resume(&self, session: &Session) -> Outcome {
        let mut tree = session.tree();
        tree.retain(|name, _| !is_temporary(name));
        let untouched = tree == self.before.tree();
        let request = if untouched {
            self.request.clone()
        } else {
            Request::default()
        };
        session.run_with(&request)
    }

    /// Asserts that the session ended as without faults: the same bytes, and no files left over.
    pub(crate) fn assert_ended(&self, session: &Session, resumed: &Outcome, case: &str) {
        self.assert_made(session, resumed, case);
        assert_log_intact(session, resumed, &format!("{}, {case}", self.name));
    }

    /// The same, whatever the state of the event log.
    pub(crate) fn assert_made(&self, session: &Session, resumed: &Outcome, case: &str) {
        let case = format!("{}, {case}", self.name);
        assert!(resumed.complete, "{case}");
        let tree = session.tree();
        let keys = |tree: &Tree| tree.keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&tree), keys(&self.expected), "{case}");
        for (name, entry) in &tree {
            assert_eq!(entry, &self.expected[name], "{case}: {name}");
        }
        let next = session.plan(&Request::default()).next;
        assert_eq!(next, Next::Nothing, "{case}");
    }
}

/// A run of three rounds in a new session.
pub(crate) fn three_rounds() -> Scenario {
    Scenario::new("three rounds", Session::new(ROUNDS), Request::default())
}

/// A finished session with its first gate edited.
pub(crate) fn hand_edit() -> Scenario {
    let session = Session::finished(ROUNDS);
    session.edit("gather.json", "a@", "mine@");
    Scenario::new("hand edit", session, Request::default())
}

/// A finished session with its request edited: everything is superseded, rounds and checkpoints
/// included.
pub(crate) fn changed_request() -> Scenario {
    let session = Session::finished("part: a\njudge: 0.3 draft\njudge: 0.9 accept\n");
    session.edit("request.txt", "0.3", "0.2");
    Scenario::new("changed request", session, Request::default())
}

/// A finished session that is rerun from the first stage.
pub(crate) fn from_the_start() -> Scenario {
    let session = Session::finished("part: a\njudge: 0.3 draft\njudge: 0.9 accept\n");
    Scenario::new("from gather", session, from("gather"))
}

/// A single round with two parts, for tests with many repetitions.
pub(crate) fn short() -> Scenario {
    Scenario::new("short", Session::new(SHORT), Request::default())
}

pub(crate) fn all() -> [Scenario; 4] {
    [
        three_rounds(),
        hand_edit(),
        changed_request(),
        from_the_start(),
    ]
}

/// Asserts that no artifact is incomplete.
pub(crate) fn assert_artifacts_complete(session: &Session, case: &str) {
    for name in session.tree().keys() {
        let record = name.ends_with("aside.json") || name.ends_with("published.json");
        if name.ends_with(".json") && !record {
            let bytes = fs::read(session.at(name)).unwrap();
            assert!(parse(&bytes).is_ok(), "{case}: {name} is incomplete");
        }
    }
}

/// Asserts that every line of the log parses. A run with nothing to do does not repair the log, so
/// then the last line may be torn.
fn assert_log_intact(session: &Session, resumed: &Outcome, case: &str) {
    let log = session.read("events.jsonl");
    let (whole, torn) = log.rsplit_once('\n').unwrap_or(("", &log));
    assert!(torn.is_empty() || resumed.actions == 0, "{case}: {torn}");
    for line in whole.lines() {
        let read = serde_json::from_str::<LogEntry>(line);
        assert!(read.is_ok(), "{case}: {line}");
    }
}

pub(crate) fn is_temporary(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap();
    name.starts_with('.') && name.ends_with(".tmp")
}

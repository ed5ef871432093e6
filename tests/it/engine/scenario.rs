//! What is going on when something fails: a state of a session, what is asked of it, and how it
//! ends undisturbed.

use std::fs;

use research::pipeline::{Entry as StagePlan, Next, Outcome, Request};

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
        let undisturbed = before.copy();
        assert!(undisturbed.run_with(&request).complete);
        Self {
            name,
            before,
            request,
            expected: undisturbed.tree(),
        }
    }

    /// A session in the state before.
    pub(crate) fn session(&self) -> Session {
        self.before.copy()
    }

    /// Goes on without asking again, as a person would who only knows that the run broke off; only
    /// if nothing at all had been set in motion is it asked again.
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

    /// Whether the session ended as if nothing had happened: the same bytes, and nothing left lying
    /// about.
    pub(crate) fn assert_ended(&self, session: &Session, resumed: &Outcome, case: &str) {
        self.assert_made(session, resumed, case);
        assert_log_is_whole(session, resumed, &format!("{}, {case}", self.name));
    }

    /// The same, whatever the log says.
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

/// A run through three rounds, with nothing there yet.
pub(crate) fn three_rounds() -> Scenario {
    Scenario::new("three rounds", Session::new(ROUNDS), Request::default())
}

/// A finished session whose first gate a person edited.
pub(crate) fn hand_edit() -> Scenario {
    let session = Session::finished(ROUNDS);
    session.edit("gather.json", "a@", "mine@");
    Scenario::new("hand edit", session, Request::default())
}

/// A finished session whose request a person edited: everything moves aside, rounds and inner work
/// too.
pub(crate) fn changed_request() -> Scenario {
    let session = Session::finished("part: a\njudge: 0.3 draft\njudge: 0.9 accept\n");
    session.edit("request.txt", "0.3", "0.2");
    Scenario::new("changed request", session, Request::default())
}

/// A finished session of which a person wants everything made again.
pub(crate) fn from_the_start() -> Scenario {
    let session = Session::finished("part: a\njudge: 0.3 draft\njudge: 0.9 accept\n");
    Scenario::new("from gather", session, from("gather"))
}

/// One round with two parts, for what must be tried many times over.
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

/// No artifact that a stage reads was ever there in half.
pub(crate) fn assert_no_half_artifact(session: &Session, case: &str) {
    for name in session.tree().keys() {
        let record = name.ends_with("aside.json") || name.ends_with("published.json");
        if name.ends_with(".json") && !record {
            let bytes = fs::read(session.at(name)).unwrap();
            assert!(parse(&bytes).is_ok(), "{case}: {name} is there in half");
        }
    }
}

/// Every line of the log parses. A run that found nothing to do mends nothing, so after it a last
/// line may be torn.
fn assert_log_is_whole(session: &Session, resumed: &Outcome, case: &str) {
    let log = session.read("events.jsonl");
    let (whole, torn) = log.rsplit_once('\n').unwrap_or(("", &log));
    assert!(torn.is_empty() || resumed.actions == 0, "{case}: {torn}");
    for line in whole.lines() {
        let read = serde_json::from_str::<StagePlan>(line);
        assert!(read.is_ok(), "{case}: {line}");
    }
}

pub(crate) fn is_temporary(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap();
    name.starts_with('.') && name.ends_with(".tmp")
}

//! A run dies with calls in flight: the next one asks only for what was not answered, and ends with
//! the same bytes.

use std::time::Duration;

use futures::executor::block_on;
use research::artifact::session::{Depth, Mode};
use research::config::Settings;
use research::model::Catalogue;
use research::pipeline::{Clock, Disk, Engine, Outcome, Request};
use research::run::{BackendConfig, Overrides, Shared};
use research::session::{self, NewSession, ReviewTerms};

use super::server::{Act, Server};
use super::{RUN_ARGUMENTS, command, hanging_from, kill_during, run};
use crate::disk_faults::{Failure, FaultInjector};
use crate::harness::{NOW, Scratch, TOPIC, differences};
use crate::serve::wait_until;

/// Calls that may be in flight at once: the steps of a batch.
const IN_FLIGHT: usize = 3;

#[test]
fn crash_recovery_after_a_kill_during_any_call() {
    let undisturbed = Scratch::with_few();
    let sound = Server::sound(Duration::ZERO);
    run(&undisturbed, &sound, &RUN_ARGUMENTS).assert_ended(0, "undisturbed");
    let (expected, calls) = (undisturbed.tree(), sound.calls());
    for number in 0..calls {
        let scratch = Scratch::with_few();
        let hanging = hanging_from(number, |_, _| Act::Answer);
        kill_during(
            number,
            command(&scratch, &hanging, &RUN_ARGUMENTS),
            &hanging,
        );
        let rest = Server::sound(Duration::ZERO);
        run(&scratch, &rest, &RUN_ARGUMENTS)
            .assert_ended(0, &format!("killed during call {number}"));
        let actual = scratch.tree();
        assert_eq!(
            differences(&actual, &expected),
            Vec::<&str>::new(),
            "call {number}"
        );
        let all = hanging.calls() + rest.calls();
        assert!(
            all <= calls + IN_FLIGHT,
            "call {number}: {all} instead of {calls}"
        );
        let log = scratch.read("research-output/s/events.jsonl");
        assert!(log.contains("possibly_billed"), "call {number}: {log}");
    }
}

#[test]
fn a_run_killed_while_it_waits_for_another_try_has_no_call_in_flight() {
    let scratch = Scratch::with_few();
    let plan = |_: u64, _: &_| {
        let body = r#"{"error":{"message":"slow down"}}"#.to_owned();
        Act::Status(429, body, "retry-after: 30".to_owned())
    };
    let busy = Server::start(Duration::ZERO, Box::new(plan));
    let mut child = command(&scratch, &busy, &RUN_ARGUMENTS).spawn().unwrap();
    let calls = scratch.session().join("calls");
    let failed_tries = || {
        let files = std::fs::read_dir(&calls).into_iter().flatten().flatten();
        files
            // What is written is no record of a call before it has its name.
            .filter(|file| file.path().extension().is_some_and(|own| own == "json"))
            .filter_map(|file| std::fs::read_to_string(file.path()).ok())
            .filter(|call| call.contains("slow down"))
            .count()
    };
    wait_until("a call waits", || failed_tries() > 0);
    child.kill().unwrap();
    child.wait().unwrap();
    let up = Server::sound(Duration::ZERO);
    run(&scratch, &up, &RUN_ARGUMENTS).assert_ended(0, "up");
    let log = scratch.read("research-output/s/events.jsonl");
    assert!(!log.contains("possibly_billed"), "{log}");
    assert!(failed_tries() > 0, "the failed try is lost");
}

#[test]
fn refused_call_falls_back_to_the_rule_and_nothing_is_paid_twice() {
    let scratch = Scratch::with_few();
    let plan = |_: u64, request: &super::server::ChatRequest| match request.agent.as_str() {
        "writer" => Act::Status(
            401,
            r#"{"error":{"message":"no"}}"#.to_owned(),
            String::new(),
        ),
        _ => Act::Answer,
    };
    // The writer's model alone is another one, which nobody may use.
    let refusing = Server::start(Duration::ZERO, Box::new(plan));
    let mut first = command(&scratch, &refusing, &RUN_ARGUMENTS);
    let ran = first.env("RESEARCH_MODELS__TRIES", "1").output().unwrap();
    let ran = crate::harness::Ran::from(ran);
    ran.assert_ended(0, "the writer is refused");
    let report = scratch.json("report.json");
    let limits = report["content"]["limits"].to_string();
    assert!(
        limits.contains("The writer was answered by rule"),
        "{limits}"
    );
    assert!(refusing.answered().values().all(|times| *times == 1));
}

#[test]
fn outage_stops_the_run_which_can_be_resumed() {
    let scratch = Scratch::with_few();
    let plan = |_: u64, _: &_| Act::Status(503, "{}".to_owned(), String::new());
    let down = Server::start(Duration::ZERO, Box::new(plan));
    let ran = run(&scratch, &down, &RUN_ARGUMENTS);
    ran.assert_ended(1, "down");
    assert!(
        ran.stderr.contains("provider not available: 503"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--resume"), "{}", ran.stderr);
    assert_eq!(down.calls(), 3);
    let up = Server::sound(Duration::ZERO);
    run(&scratch, &up, &RUN_ARGUMENTS).assert_ended(0, "up");
    assert_eq!(up.calls(), 10);
}

#[test]
fn exceeded_quota_is_not_retried() {
    let scratch = Scratch::with_few();
    let plan = |_: u64, _: &_| {
        let body = r#"{"error":{"code":"insufficient_quota",
            "message":"You exceeded your current quota"}}"#;
        Act::Status(429, body.to_owned(), "retry-after: 1".to_owned())
    };
    let empty = Server::start(Duration::ZERO, Box::new(plan));
    let ran = run(&scratch, &empty, &RUN_ARGUMENTS);
    ran.assert_ended(1, "empty");
    let said = "account exhausted: 429: You exceeded your current quota (insufficient_quota)";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert_eq!(empty.calls(), 1);
}

/// A session in this process, with a disk of its own.
fn work(scratch: &Scratch, server: &Server, disk: Disk) -> anyhow::Result<Outcome> {
    let clock = Clock::fixed(NOW.parse().unwrap());
    let output_dir = scratch.path().join("research-output");
    let request = NewSession {
        topic: TOPIC.to_owned(),
        mode: Mode::default(),
        depth: Depth::Quick,
        documents: vec![scratch.path().join("docs")],
        follows: None,
        inherited: Vec::new(),
        web: research::session::WebScope::default(),
        style: research::artifact::session::Style::default(),
    };
    let terms = ReviewTerms {
        threshold: 0.5,
        max_rounds: 2,
        clarify: true,
        owner: "local".to_owned(),
        first_run: None,
        messages: Vec::new(),
    };
    let location = session::locate(&output_dir, &request, Some("s"))?;
    let session = session::open_or_create(&location.path, &request, &terms, &disk, clock)?;
    let mut settings = Settings::load()?;
    settings.models.default = "openai:fake".to_owned();
    let mut catalogue = Catalogue::built_in()?;
    catalogue.set_base_url("openai", &server.url());
    let answers = BackendConfig::with_catalogue(&settings, &catalogue)?;
    let overrides = Overrides::default();
    let (path, shared) = (&location.path, Shared::default());
    let pipeline = research::run::pipeline(path, &session, &settings, overrides, &answers, shared)?;
    let engine = Engine {
        disk,
        clock,
        wait: true,
        ..Engine::default()
    };
    block_on(engine.run(&location.path, &pipeline, &Request::default()))
}

#[test]
fn crash_recovery_after_a_full_disk_at_any_write() {
    let server = Server::sound(Duration::ZERO);
    // One directory for all: a session names its documents.
    let scratch = Scratch::in_memory().and_few();
    work(&scratch, &server, Disk::default()).unwrap();
    let (expected, calls) = (scratch.tree(), server.calls());
    for number in 0.. {
        std::fs::remove_dir_all(scratch.path().join("research-output")).unwrap();
        let server = Server::sound(Duration::ZERO);
        let injector = FaultInjector::new(number, Failure::Once);
        let ended = work(&scratch, &server, injector.disk());
        work(&scratch, &server, Disk::default()).unwrap();
        let actual = scratch.tree();
        assert_eq!(
            differences(&actual, &expected),
            Vec::<&str>::new(),
            "operation {number}"
        );
        assert!(
            server.calls() <= calls + IN_FLIGHT,
            "operation {number}: {}",
            server.calls()
        );
        if !injector.triggered() {
            assert!(ended.unwrap().complete);
            return;
        }
    }
}

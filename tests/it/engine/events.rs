//! The event log: for people only, in whole lines, repaired at the next start; no decision reads
//! it.

use std::fs;
use std::sync::{Arc, Mutex};

use research::pipeline::{Engine, Event, InputRequired, Request, read_events};

use super::session::{ROUNDS, SHORT, Session, engine, reporter};

fn names(session: &Session) -> Vec<String> {
    let events = read_events(session.path()).into_iter();
    let name = |event: Event| match event {
        Event::StageStarted { stage, round, .. } => format!("{stage} {round} started"),
        Event::StageFinished { stage, round, .. } => format!("{stage} {round} finished"),
        Event::StageFailed { stage, .. } => format!("{stage} failed"),
        Event::Progress { message, .. } => message,
        Event::StageWaits { stage, message } => format!("{stage} waits: {message}"),
        Event::LogLost { problem } => format!("log lost: {problem}"),
        Event::Superseded { to, .. } => format!("to {to}"),
        Event::Published { round, .. } => format!("published {round}"),
        Event::RunStarted { .. } => "run started".to_owned(),
        Event::RunFinished => "run finished".to_owned(),
        Event::PossiblyBilled { .. } => "possibly billed".to_owned(),
        Event::Interrupted => "interrupted".to_owned(),
        other => other.to_string(),
    };
    events.map(|entry| name(entry.event)).collect()
}

#[test]
fn event_log_records_the_run_in_order() {
    let session = Session::finished("part: a\njudge: 0.3 draft\njudge: 0.9 accept\n");
    let expected = [
        "run started",
        "gather 1 started",
        "part a",
        "gather 1 finished",
        "draft 1 started",
        "draft 1 finished",
        "polish 1 started",
        "polish 1 finished",
        "judge 1 started",
        "judge 1 finished",
        "to rounds/1",
        "draft 2 started",
        "draft 2 finished",
        "polish 2 started",
        "polish 2 finished",
        "judge 2 started",
        "judge 2 finished",
        "published 2",
        "run finished",
    ];
    assert_eq!(names(&session), expected);
}

#[test]
fn reporter_gets_every_logged_event() {
    let session = Session::new(ROUNDS);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = seen.clone();
    let engine = Engine {
        reporter: reporter(move |event| sink.lock().unwrap().push(event.clone())),
        ..engine()
    };
    session.try_run(&engine, &Request::default()).unwrap();
    let logged = read_events(session.path())
        .into_iter()
        .map(|entry| entry.event);
    assert_eq!(*seen.lock().unwrap(), logged.collect::<Vec<_>>());
}

#[test]
fn torn_last_line_of_the_event_log_is_truncated() {
    let session = Session::finished(SHORT);
    let intact = session.read("events.jsonl");
    session.write("events.jsonl", &format!("{intact}{{\"at\":\"2026-11-21T"));
    assert_eq!(read_events(session.path()).len(), intact.lines().count());
    session.remove("judge.json");
    session.run();
    let repaired = session.read("events.jsonl");
    assert!(repaired.starts_with(&intact));
    let lines = repaired.lines().count();
    assert_eq!(
        read_events(session.path()).len(),
        lines,
        "every line parses"
    );
}

#[test]
fn unparsable_lines_of_the_event_log_are_skipped() {
    let session = Session::finished(SHORT);
    let intact = session.read("events.jsonl");
    let events = read_events(session.path());
    let newer = r#"{"at":"2026-11-21T00:00:00Z","event":{"of_a_newer_program":{}}}"#;
    let deep = "[".repeat(100_000);
    let text = format!("\n{newer}\n{deep}\n\u{0}\u{0}\n{intact}{{\"at\"");
    fs::write(
        session.at("events.jsonl"),
        [text.as_bytes(), b"\xff"].concat(),
    )
    .unwrap();
    assert_eq!(read_events(session.path()), events);
}

#[test]
fn event_log_does_not_influence_a_run() {
    for damage in ["", "garbage", "{}\n{}\n"] {
        let session = Session::finished(ROUNDS);
        let before = session.tree();
        session.write("events.jsonl", damage);
        assert_eq!(session.run().actions, 0);
        session.remove("events.jsonl");
        assert!(read_events(session.path()).is_empty());
        assert_eq!(session.run().actions, 0);
        assert_eq!(session.tree(), before);
    }
}

#[test]
fn stage_that_waits_for_input_has_not_failed() {
    let session = Session::new("wait: which river?\npart: a\njudge: 0.9 accept\n");
    let error = session.try_run(&engine(), &Request::default()).unwrap_err();
    assert_eq!(
        error.downcast_ref::<InputRequired>().unwrap().0,
        "which river?"
    );
    assert_eq!(
        names(&session).last().unwrap(),
        "gather waits: which river?"
    );
    assert!(!session.exists("gather.json") && !session.exists("draft.json"));
    session.edit("request.txt", "wait: which river?\n", "");
    assert!(session.run().complete);
}

#[test]
fn failed_stage_is_reported_and_logged() {
    let session = Session::new("part: a\n");
    let error = session.try_run(&engine(), &Request::default()).unwrap_err();
    assert!(
        format!("{error:#}").starts_with("stage judge failed"),
        "{error:#}"
    );
    assert_eq!(names(&session).last().unwrap(), "judge failed");
    session.write("request.txt", SHORT);
    assert!(session.run().complete);
}

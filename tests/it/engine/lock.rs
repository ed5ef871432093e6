//! The lock of a session: a second run fails with the name of the holder, or waits; the lock of a
//! dead process is free.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use research::pipeline::{Busy, Engine, Lock, Request, holder};

use super::session::{SHORT, Session, engine, from};

#[test]
fn locked_session_is_busy_and_the_error_names_the_holder() {
    let session = Session::new(SHORT);
    let lock = Lock::acquire(session.path(), false, "2026-11-21T00:00:00Z").unwrap();
    assert!(Lock::is_locked(session.path()));
    let error = session.try_run(&engine(), &Request::default()).unwrap_err();
    let busy: Busy = error.downcast().unwrap();
    assert!(
        busy.holder.contains(&format!("pid {}", std::process::id())),
        "{busy}"
    );
    assert!(busy.holder.contains("since 2026-11-21T00:00:00Z"), "{busy}");
    assert_eq!(busy.session, session.path());
    assert_eq!(session.tree().len(), 1, "nothing was written");
    drop(lock);
    assert!(!Lock::is_locked(session.path()));
    assert!(session.run().complete);
}

#[test]
fn readers_need_no_lock() {
    let session = Session::finished(SHORT);
    let _lock = Lock::acquire(session.path(), false, "").unwrap();
    assert!(session.plan(&Request::default()).complete);
    assert!(!research::pipeline::read_events(session.path()).is_empty());
}

#[test]
fn waiting_run_continues_when_the_lock_is_released() {
    let session = Session::new(SHORT);
    let lock = Lock::acquire(session.path(), false, "").unwrap();
    let free = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let seen = free.clone();
    let waiting = Engine {
        wait: true,
        reporter: Some(Arc::new(move |_| {
            assert!(seen.load(Ordering::SeqCst), "did not wait")
        })),
        ..engine()
    };
    let waiter = thread::spawn(move || {
        sender.send(()).unwrap();
        let outcome = session.try_run(&waiting, &Request::default()).unwrap();
        (outcome, session)
    });
    receiver.recv().unwrap();
    free.store(true, Ordering::SeqCst);
    drop(lock);
    let (outcome, _session) = waiter.join().unwrap();
    assert!(outcome.complete);
}

#[test]
fn failed_run_releases_the_lock() {
    let session = Session::new("part: a\n");
    assert!(session.try_run(&engine(), &Request::default()).is_err());
    assert!(!Lock::is_locked(session.path()));
}

#[test]
fn stale_lock_file_does_not_block() {
    let session = Session::new(SHORT);
    session.write(".lock", "pid 1 on elsewhere since 1970-01-01T00:00:00Z\n");
    assert!(!Lock::is_locked(session.path()));
    assert!(session.run().complete);
    assert!(holder(session.path()).contains(&format!("pid {}", std::process::id())));
    assert_eq!(
        session.read(".lock").lines().count(),
        1,
        "the longer earlier text is truncated"
    );
}

#[test]
fn lock_holder_is_sanitized_for_display() {
    let session = Session::new(SHORT);
    assert_eq!(holder(session.path()), "another process");
    session.write(".lock", &"x".repeat(100_000));
    assert_eq!(holder(session.path()).len(), 200);
    session.write(".lock", "pid 1\u{1b}[31m\nmore");
    assert_eq!(holder(session.path()), "pid 1");
}

#[test]
fn concurrent_runs_execute_each_stage_once() {
    let session = Session::finished(SHORT);
    let waiting = Engine {
        wait: true,
        ..engine()
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| session.try_run(&waiting, &Request::default()).unwrap());
        }
    });
    assert_eq!(session.calls(), [""; 0]);
    session.run_with(&from("judge"));
    session.remove("judge.json");
    session.calls();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| session.try_run(&waiting, &Request::default()).unwrap());
        }
    });
    assert_eq!(session.calls(), ["judge"]);
}

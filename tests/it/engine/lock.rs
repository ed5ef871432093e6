//! One writer: who comes second is told who holds the session, or waits; the dead hold nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use research::pipeline::{Busy, Engine, Lock, Request, holder};

use super::session::{SHORT, Session, engine, from};

#[test]
fn held_session_is_busy_and_names_the_holder() {
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
fn waiting_run_goes_on_when_the_session_is_free() {
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
fn run_frees_the_session_also_when_it_fails() {
    let session = Session::new("part: a\n");
    assert!(session.try_run(&engine(), &Request::default()).is_err());
    assert!(!Lock::is_locked(session.path()));
}

#[test]
fn lock_file_of_a_dead_process_does_not_block() {
    let session = Session::new(SHORT);
    session.write(".lock", "pid 1 on elsewhere since 1970-01-01T00:00:00Z\n");
    assert!(!Lock::is_locked(session.path()));
    assert!(session.run().complete);
    assert!(holder(session.path()).contains(&format!("pid {}", std::process::id())));
    assert_eq!(
        session.read(".lock").lines().count(),
        1,
        "the longer text before is gone"
    );
}

#[test]
fn what_the_lock_says_is_made_fit_to_print() {
    let session = Session::new(SHORT);
    assert_eq!(holder(session.path()), "another process");
    session.write(".lock", &"x".repeat(100_000));
    assert_eq!(holder(session.path()).len(), 200);
    session.write(".lock", "pid 1\u{1b}[31m\nmore");
    assert_eq!(holder(session.path()), "pid 1");
}

#[test]
fn two_runs_at_once_make_everything_once() {
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

//! Concurrent runs of a session: one works, and the others fail with the lock holder, wait, or have
//! nothing to do.

use std::io::{self, BufRead, BufReader, PipeReader, Read as _, Write as _};
use std::process::{Child, ChildStderr, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use research::pipeline::{Event, Lock, read_events};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use crate::harness::{NOW, Ran, Scratch, TOPIC, parsed};
use crate::models::server::Server as Models;
use crate::models::{RUN_ARGUMENTS, command};
use crate::online;
use crate::server::Server;

const RESUME: [&str; 3] = ["run", "--resume", "s"];

fn unfinished() -> Scratch {
    let scratch = Scratch::with_few();
    let first = ["run", TOPIC, "--docs", "docs", "--session", "s"];
    scratch.expect(0, &[&first[..], &["--until", "research"]].concat());
    scratch
}

fn spawn(scratch: &Scratch, arguments: &[&str]) -> Child {
    let mut command = scratch.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn ended(child: Child) -> Ran {
    child.wait_with_output().unwrap().into()
}

#[test]
fn second_run_fails_and_names_the_lock_holder() {
    let scratch = unfinished();
    let before = scratch.tree();
    let _lock = Lock::acquire(&scratch.session(), true, NOW).unwrap();
    let refused = scratch.expect(7, &RESUME);
    let holder = format!("pid {} on ", std::process::id());
    assert!(refused.stderr.contains(&holder), "{}", refused.stderr);
    assert!(refused.stderr.contains("--wait"), "{}", refused.stderr);
    assert!(scratch.tree() == before);
}

/// Each look at the lock holds it for a moment; a run of a server that began just then failed.
#[test]
fn a_look_at_the_lock_of_a_session_fails_no_run() {
    let scratch = unfinished();
    let (session, is_over) = (scratch.session(), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::SeqCst) {
                Lock::is_locked(&session);
            }
        });
        let refused = (0..1000).find_map(|_| Lock::acquire(&session, false, NOW).err());
        is_over.store(true, Ordering::SeqCst);
        assert!(refused.is_none(), "{refused:?}");
    });
}

#[test]
fn locked_session_can_be_read() {
    let scratch = unfinished();
    let _lock = Lock::acquire(&scratch.session(), true, NOW).unwrap();
    scratch.expect(0, &["explain", "s"]);
    let status = scratch.expect(0, &["status", "s"]);
    let running = format!("running  pid {} on ", std::process::id());
    assert!(status.stdout.contains(&running), "{}", status.stdout);
    scratch.expect(0, &["list"]);
    scratch.expect(0, &["show", "s", "research.json"]);
    scratch.expect(0, &["run", "--resume", "s", "--dry-run"]);
}

/// Starts the program and stops it (SIGSTOP) once it has printed `word`; tries again if it was too
/// far by then.
fn stopped(arguments: &[&str], word: &str, prepare: impl Fn() -> Scratch) -> (Scratch, Child) {
    for _ in 0..20 {
        let scratch = prepare();
        let mut child = spawn(&scratch, arguments);
        let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(stderr.any(|line| line.unwrap().contains(word)));
        let pid = Pid::from_child(&child);
        kill_process(pid, Signal::STOP).unwrap();
        let (_, status) = waitpid(Some(pid), WaitOptions::UNTRACED).unwrap().unwrap();
        if status.stopped() {
            return (scratch, child);
        }
        // Fails if it has ended.
        let _ = child.kill();
        let _ = child.wait();
    }
    panic!("never stopped in time");
}

/// A run in the middle of its first stage: the search service does not answer before `release` is
/// dropped.
struct Searching {
    scratch: Scratch,
    child: Child,
    release: mpsc::Sender<()>,
    _service: Server,
}

impl Searching {
    fn start() -> Self {
        let (release, released) = mpsc::channel::<()>();
        let (signal, is_asked) = mpsc::channel();
        let released = Mutex::new(released);
        let service = Server::new(move |path, stream| {
            let _ = signal.send(());
            let _ = released.lock().unwrap().recv();
            online::answer(0, path, stream)
        });
        let scratch = online::scratch(&service);
        let mut command = scratch.command(&["run", TOPIC, "--search", "searxng"]);
        command.args(["--session", "s", "--depth", "quick", "-v"]);
        online::let_onto(&service, &mut command);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        is_asked.recv().unwrap();
        Self {
            scratch,
            child,
            release,
            _service: service,
        }
    }
}

/// The last event in the log of a session.
fn last_event(scratch: &Scratch) -> Event {
    read_events(&scratch.session()).pop().unwrap().event
}

#[test]
fn status_shows_the_step_of_a_running_process() {
    let running = Searching::start();
    let (scratch, mut child) = (running.scratch, running.child);
    let message = last_event(&scratch).to_string();
    let status = scratch.expect(0, &["status", "s"]).stdout;
    let lines: Vec<&str> = status.lines().rev().take(3).collect();
    let running = format!("  running  pid {} on ", child.id());
    assert!(lines[2].starts_with(&running), "{status}");
    let expected = [
        format!("  step     {message}, since {NOW}"),
        format!("  stage    research (round 1), since {NOW}"),
    ];
    assert_eq!(lines[..2], expected);
    let all = scratch.expect(0, &["status"]).stdout;
    assert!(all.contains(&format!("(running: {message})")), "{all}");
    let json = parsed(&scratch.expect(0, &["status", "s", "--json"]).stdout);
    assert_eq!(json["running"]["step"]["what"], message);

    child.kill().unwrap();
    child.wait().unwrap();
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(!status.contains("running"), "{status}");
    // The next lock holder has not started the stage of the killed run.
    let _lock = Lock::acquire(&scratch.session(), true, NOW).unwrap();
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(status.contains("running") && !status.contains("stage "));
}

#[test]
fn status_shows_the_progress_of_a_running_batch() {
    let prepare = || {
        let scratch = Scratch::with_few();
        let topics =
            (0..9).map(|number| format!("What does a heat pump cost?{}\n", "!".repeat(number)));
        scratch.write("list.txt", topics.collect::<String>());
        scratch
    };
    let batch = ["batch", "list.txt", "--docs", "docs", "-j1"];
    let (scratch, mut child) = stopped(&batch, "[2/9] complete", prepare);
    let status = scratch.expect(0, &["status"]).stdout;
    let first = status.lines().next().unwrap();
    let (count, rest) = first.split_once(" of 9 topics, ").unwrap();
    let count: u64 = count.strip_prefix("batch: ").unwrap().parse().unwrap();
    assert!((2..=9).contains(&count), "{first}");
    assert!(rest.starts_with(&format!("pid {} on ", child.id())));
    let json = parsed(&scratch.expect(0, &["status", "--json"]).stdout);
    assert_eq!(json["runners"][0]["finished"], count);
    assert_eq!(json["runners"][0]["record"], "research-output/batch.json");

    child.kill().unwrap();
    child.wait().unwrap();
    let status = scratch.expect(0, &["status"]).stdout;
    assert!(!status.contains("batch:"), "{status}");
}

#[test]
fn waiting_run_continues_when_the_lock_is_released() {
    let scratch = unfinished();
    let lock = Lock::acquire(&scratch.session(), true, NOW).unwrap();
    let (child, _stderr) = waiting(&scratch);
    drop(lock);
    ended(child).assert_ended(0, "waiting");
    assert!(scratch.tree().contains_key("final_report.md"));
}

/// A run that waits for the lock, after it has printed so.
fn waiting(scratch: &Scratch) -> (Child, BufReader<ChildStderr>) {
    let mut child = spawn(scratch, &["run", "--resume", "s", "--wait"]);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    let holder = format!("waiting for pid {} on ", std::process::id());
    assert!(line.starts_with(&holder), "{line}");
    (child, stderr)
}

#[test]
fn waiting_run_can_be_interrupted() {
    let scratch = unfinished();
    let before = scratch.tree();
    let _lock = Lock::acquire(&scratch.session(), true, NOW).unwrap();
    let (mut child, stderr) = waiting(&scratch);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut stderr: Vec<String> = stderr.lines().map(|line| line.unwrap()).collect();
    // The acknowledgement is another thread's, and may come before or after.
    stderr.retain(|line| !line.starts_with("stopping: "));
    let expected = [
        "research: interrupted; everything so far is kept",
        "to resume: research run --resume research-output/s",
    ];
    assert_eq!(stderr, expected);
    assert!(scratch.tree() == before);
}

#[test]
fn concurrent_runs_of_a_topic_make_a_single_session() {
    let reference = Scratch::with_few();
    reference.research();
    for round in 0..5 {
        let scratch = Scratch::with_few();
        let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s"];
        let pair = [(); 2].map(|()| spawn(&scratch, &arguments)).map(ended);
        let case = format!("pair {round}: {} {}", pair[0].stderr, pair[1].stderr);
        assert!(pair.iter().any(|ran| ran.code == Some(0)), "{case}");
        for ran in &pair {
            assert!(matches!(ran.code, Some(0 | 7)), "{case}");
        }
        assert!(scratch.tree() == reference.tree(), "{case}");
    }
}

#[test]
fn all_waiting_runs_succeed() {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s", "--wait"];
    for ran in [(); 3].map(|()| spawn(&scratch, &arguments)).map(ended) {
        ran.assert_ended(0, "waiting");
    }
    let reference = Scratch::with_few();
    reference.research();
    assert!(scratch.tree() == reference.tree());
}

#[test]
fn runs_without_a_session_name_choose_the_same_session() {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--docs", "docs", "--wait"];
    for ran in [(); 2].map(|()| spawn(&scratch, &arguments)).map(ended) {
        ran.assert_ended(0, "waiting");
    }
    let listed = scratch.expect(0, &["list"]);
    assert_eq!(listed.stdout.lines().count(), 1, "{}", listed.stdout);
}

#[test]
fn watch_follows_a_run_until_it_ends() {
    let running = Searching::start();
    let (scratch, mut child) = (running.scratch, running.child);
    let watches = [&["-v"][..], &["-q"], &["--json"]].map(|flags| {
        let arguments = [&["status", "s", "--watch"], flags].concat();
        spawn(&scratch, &arguments)
    });
    let [mut verbose, quiet, mut json] = watches;
    // All follow it before it goes on.
    let mut stderr = BufReader::new(verbose.stderr.take().unwrap()).lines();
    let message = last_event(&scratch).to_string();
    assert!(stderr.any(|line| line.unwrap().contains(&message)));
    let mut stdout = BufReader::new(json.stdout.take().unwrap()).lines();
    let first = stdout.next().unwrap().unwrap();
    drop(running.release);
    assert_eq!(stderr.last().unwrap().unwrap(), "finished");
    let status = ended(verbose).stdout;
    assert!(status.contains("COMPLETE"), "{status}");
    assert!(!status.contains("running"), "{status}");
    let quiet = ended(quiet);
    assert_eq!((quiet.stdout, quiet.stderr), (status, String::new()));
    let lines = std::iter::once(first).chain(stdout.map(Result::unwrap));
    let lines: Vec<_> = lines.map(|line| parsed(&line)).collect();
    let (last, events) = lines.split_last().unwrap();
    assert_eq!(last["result"]["state"], "COMPLETE");
    let logged = read_events(&scratch.session());
    assert_eq!(events.len(), logged.len());
    for (line, logged) in events.iter().zip(logged) {
        assert_eq!(*line, serde_json::to_value(logged).unwrap());
    }
    assert!(json.wait().is_ok() && child.wait().is_ok());
    // A session that nobody runs has nothing to follow.
    let ran = scratch.expect(0, &["status", "s", "--watch", "-v"]);
    assert_eq!(ran.stderr, "");
}

#[test]
fn events_are_printed_as_json_lines_and_the_result_last() {
    let scratch = Scratch::with_few();
    let run = ["run", TOPIC, "--docs", "docs", "--session", "s", "--events"];
    let ran = scratch.expect(0, &run);
    assert_eq!(ran.stderr, "");
    let lines: Vec<_> = ran.stdout.lines().map(parsed).collect();
    let (last, events) = lines.split_last().unwrap();
    assert_eq!(last["result"]["session"]["state"], "COMPLETE");
    let logged = read_events(&scratch.session());
    let logged = logged
        .into_iter()
        .map(|entry| serde_json::to_value(entry).unwrap());
    assert_eq!(events, logged.collect::<Vec<_>>());
    let names: Vec<&str> = events
        .iter()
        .filter_map(|line| match &line["event"] {
            serde_json::Value::Object(event) => event.keys().next().map(String::as_str),
            name => name.as_str(),
        })
        .collect();
    for name in [
        "classified",
        "planned",
        "step_started",
        "step_finished",
        "reflected",
    ] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    for name in [
        "analyzed",
        "claims_verified",
        "reviewed",
        "published",
        "run_finished",
    ] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    let step = events
        .iter()
        .find_map(|line| line["event"].get("step_finished"));
    assert!(step.unwrap()["passages"].as_u64().unwrap() > 0);
    // A resumed run says of finished steps that they were made before.
    std::fs::remove_file(scratch.session().join("research.json")).unwrap();
    let again = ["run", "--resume", "s", "--events"];
    let lines = scratch.expect(0, &again).stdout;
    let resumed = lines.lines().map(parsed).filter_map(|line| {
        let event = line.get("event")?;
        assert!(event.get("step_started").is_none() && event.get("reflected").is_none());
        Some(event.get("step_finished")?["reused"].as_bool())
    });
    assert!(resumed.into_iter().all(|reused| reused == Some(true)));
}

/// The bytes that a pipe holds before a writer has to wait.
const PIPE_BYTES: usize = 65_536;

/// A run that cannot write its last remark before it begins, since standard error is full.
fn between_the_session_and_its_run(scratch: &Scratch, models: &Models) -> (Child, PipeReader) {
    let run = [&RUN_ARGUMENTS[..], &["--max-tokens", "1000"]].concat();
    let elsewhere = Scratch::with_few();
    let free: Ran = command(&elsewhere, models, &run).output().unwrap().into();
    let before = free.stderr.find("the budget of 1000 tokens is less than");
    let (full, mut end) = io::pipe().unwrap();
    let taken = before.unwrap_or_else(|| panic!("{}", free.stderr)) + "research: ".len();
    end.write_all(&vec![b'.'; PIPE_BYTES - taken]).unwrap();
    let mut run = command(scratch, models, &run);
    (run.stdout(Stdio::null()).stderr(end).spawn().unwrap(), full)
}

#[test]
fn a_session_that_is_made_is_locked_before_anybody_sees_it() {
    let (scratch, models) = (Scratch::with_few(), Models::sound(Duration::ZERO));
    let (mut child, mut full) = between_the_session_and_its_run(&scratch, &models);
    while !scratch.session().join("session.json").exists() {
        assert!(child.try_wait().unwrap().is_none());
        thread::sleep(Duration::from_millis(5));
    }
    // It is not written yet that it runs; it cannot go on before this pipe is read.
    for others in [&RESUME[..], &["rm", "s", "--yes"], &["rename", "s", "t"]] {
        let refused = scratch.expect(7, others);
        let holder = format!("pid {} on ", child.id());
        assert!(refused.stderr.contains(&holder), "{}", refused.stderr);
    }
    let mut rest = String::new();
    full.read_to_string(&mut rest).unwrap();
    // The budget is too small, as was said; nothing else is wrong.
    assert_eq!(child.wait().unwrap().code(), Some(6), "{rest}");
}

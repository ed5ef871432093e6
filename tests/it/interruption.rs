//! Ctrl-C while pages are on their way: it is acknowledged, the run stops at once, and what it has
//! stays.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::harness::{Ran, TOPIC, parsed, skipped};
use crate::online::{html, scratch};
use crate::server::{Server, page};

/// A web whose pages are held back until the gate is opened, and then come.
struct SlowWeb {
    server: Server,
    is_open: Arc<(Mutex<bool>, Condvar)>,
    was_asked: Arc<AtomicBool>,
}

impl SlowWeb {
    fn new() -> Self {
        let is_open: Arc<(Mutex<bool>, Condvar)> = Arc::default();
        let was_asked: Arc<AtomicBool> = Arc::default();
        let (gate, flag) = (is_open.clone(), was_asked.clone());
        let server = Server::new(move |path, stream| {
            let host = stream.local_addr()?;
            if path.starts_with("/search") {
                let url = format!("http://{host}/pages/costs.md");
                let reply = json!({ "results": [{ "url": url, "title": "Costs" }] }).to_string();
                return page(stream, "200 OK", "application/json", reply.as_bytes());
            }
            flag.store(true, Ordering::SeqCst);
            let open = gate.0.lock().unwrap();
            let _open = gate.1.wait_while(open, |open| !*open).unwrap();
            let text = path.strip_prefix("/pages/").and_then(html);
            page(
                stream,
                "200 OK",
                "text/html",
                text.unwrap_or_default().as_bytes(),
            )
        });
        Self {
            server,
            is_open,
            was_asked,
        }
    }

    fn open(&self) {
        *self.is_open.0.lock().unwrap() = true;
        self.is_open.1.notify_all();
    }

    fn prepare<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
            .env("SEARXNG_URL", self.server.url(""))
            .env("RESEARCH_NETWORK__ALLOW", "127.0.0.1")
            .env("RESEARCH_NETWORK__GAP_MILLISECONDS", "0")
            .env("RESEARCH_NETWORK__ARCHIVE", "")
    }
}

#[test]
fn the_first_ctrl_c_is_acknowledged_and_abandons_pages_which_a_resumed_run_reads() {
    let web = SlowWeb::new();
    let scratch = scratch(&web.server);
    let ask = [
        "run",
        TOPIC,
        "--search",
        "searxng",
        "--session",
        "s",
        "--json",
        "-v",
    ];
    let mut command = scratch.command(&ask);
    let child = web
        .prepare(&mut command)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let mut messages = BufReader::new(child.stderr.take().unwrap());
    while !web.was_asked.load(Ordering::SeqCst) {
        std::thread::yield_now();
    }
    let process = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(process, Signal::INT).unwrap();
    // The pages never come: only the interruption ends the run.
    let mut stderr = String::new();
    while !stderr.contains("to resume") && messages.read_line(&mut stderr).unwrap() > 0 {}
    assert!(
        stderr.contains("a second Ctrl-C or signal stops it now"),
        "{stderr}"
    );
    assert!(
        stderr.contains("research run --resume research-output/s"),
        "{stderr}"
    );
    let mut stdout = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut stdout)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(parsed(&stdout)["error"]["kind"], "interrupted");
    let pages = scratch.session().join("research/web");
    let pages = pages.read_dir().unwrap().flatten();
    let recorded = pages.filter(|entry| entry.file_name().to_string_lossy().starts_with("page-"));
    assert_eq!(recorded.count(), 0, "what was abandoned is no failure");
    web.open();
    let mut command = scratch.command(&["run", "--resume", "s"]);
    let ran = web.prepare(&mut command).output().unwrap();
    crate::harness::Ran::from(ran).assert_ended(0, "resumed");
    assert!(
        scratch
            .read("research-output/s/final_report.md")
            .contains("heat pump")
    );
}

#[test]
fn ctrl_c_in_a_terminal_removes_all_lines_of_the_progress() {
    let web = SlowWeb::new();
    let scratch = scratch(&web.server);
    let program = env!("CARGO_BIN_EXE_research");
    let ask = "run 'How heat pumps heat old houses' --search searxng --session s";
    // The shell says whether ^C is echoed: during the run, when the pipe is opened, and after it.
    let echo = "stty -a <&2 | tr '\\n' ' ' | grep -o '.echoctl'";
    let line = format!(
        "stty rows 24 cols 40 echoctl; mkfifo go; (read word < go; {echo}) & trap : INT; \
         {program} {ask}; {echo}"
    );
    let mut command = scratch.terminal_command(&line);
    let Ok(mut child) = web.prepare(&mut command).spawn() else {
        return skipped("there is no `script`");
    };
    let mut terminal = child.stdin.take().unwrap();
    let mut screen = child.stdout.take().unwrap();
    let mut shown = String::new();
    let mut read_until = |words: &str| {
        let mut byte = [0];
        let mut bytes = Vec::new();
        while !shown.contains(words) && screen.read(&mut byte).is_ok_and(|read| read > 0) {
            bytes.extend(byte);
            shown = String::from_utf8_lossy(&bytes).into_owned();
        }
        std::mem::take(&mut shown)
    };
    read_until("stage 1 of 4");
    scratch.write("go", "now\n");
    // The ^C would move the cursor to the next line, from which the progress is removed.
    let during = read_until("echoctl");
    assert!(during.ends_with("-echoctl"), "{during:?}");
    terminal.write_all(b"\x03").unwrap();
    let after = read_until("to resume: ") + &read_until("echoctl");
    assert!(after.ends_with(" echoctl"), "{after:?}");
    assert!(!after.contains("^C"), "{after:?}");
    drop(terminal);
    child.wait().unwrap();
}

#[test]
fn a_run_without_time_for_any_page_is_exhausted_and_a_resumed_run_reads_them() {
    let web = SlowWeb::new();
    let scratch = scratch(&web.server);
    let ask = ["run", TOPIC, "--search", "searxng", "--session", "s"];
    let late = [&ask[..], &["--timeout", "1", "--json"]].concat();
    let mut command = scratch.command(&late);
    let ran: Ran = web.prepare(&mut command).output().unwrap().into();
    ran.assert_ended(6, "no time for any page");
    assert_eq!(parsed(&ran.stdout)["error"]["kind"], "exhausted");
    assert!(!ran.stderr.contains("o evidence"), "{}", ran.stderr);
    assert!(!scratch.session().join("report.json").exists());
    let status = parsed(&scratch.expect(0, &["status", "s", "--json"]).stdout);
    assert_eq!(status["state"], "BUDGET_ENDED");
    web.open();
    let mut command = scratch.command(&["run", "--resume", "s"]);
    let ran: Ran = web.prepare(&mut command).output().unwrap().into();
    ran.assert_ended(0, "resumed");
    let report = scratch.read("research-output/s/final_report.md");
    assert!(report.contains("heat pump"), "{report}");
}

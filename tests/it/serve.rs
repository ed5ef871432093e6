//! The server: the built program on a free port of loopback, which ends with its test.

mod chat;
mod demo;
mod deploy;
mod evidence;
mod files;
mod guard;
mod identity;
mod kill;
mod life;
mod mcp;
mod mcp_http;
mod metrics;
mod openapi;
mod page;
mod rsa;
mod sessions;
mod workflow;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::harness::{Scratch, parsed};

/// The longest time that anything here takes, on a busy machine.
pub(crate) const LONGEST: Duration = Duration::from_secs(120);

/// A running server.
pub(crate) struct Serving {
    child: Child,
    stdout: BufReader<ChildStdout>,
    address: String,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Answer {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self
            .headers
            .lines()
            .filter_map(|line| line.split_once(": "));
        let (_, value) = lines.find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        Some(value)
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        parsed(&self.body)
    }

    /// Fails unless this is a problem with this status.
    pub(crate) fn assert_problem(&self, status: u16, case: &str) {
        assert_eq!(self.status, status, "{case}: {}", self.body);
        let kind = self.header("content-type");
        assert_eq!(kind, Some("application/problem+json"), "{case}");
        let problem = self.json();
        assert_eq!(problem["status"], status, "{case}");
        assert_eq!(problem["type"], "about:blank", "{case}");
        assert!(
            problem["detail"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{case}"
        );
    }
}

impl Serving {
    /// A server in a scratch directory with these arguments and variables.
    pub(crate) fn start(scratch: &Scratch, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        Self::start_with_errors(scratch, arguments, variables, Stdio::null())
    }

    /// The same, with another standard error.
    pub(crate) fn start_with_errors(
        scratch: &Scratch,
        arguments: &[&str],
        variables: &[(&str, &str)],
        errors: Stdio,
    ) -> Self {
        let all = [&["serve", "--listen", "127.0.0.1:0"], arguments].concat();
        let mut command = scratch.command(&all);
        command
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(errors);
        let mut child = command.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let address = line
            .trim()
            .strip_prefix("listening on http://")
            .unwrap()
            .to_owned();
        Self {
            child,
            stdout,
            address,
        }
    }

    /// The address that it listens on.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Sends a request as it is, but for `HOST`, and reads the answer.
    pub(crate) fn send(&self, request: &str) -> Answer {
        let mut stream = self.open(request);
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        answer(&bytes)
    }

    /// Sends a request, and leaves the answer to the caller.
    pub(crate) fn open(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(LONGEST)).unwrap();
        let request = request.replace("HOST", &self.address);
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(&request("GET", path, "", ""))
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(&post(path, body))
    }

    /// Sends SIGTERM and waits for the end; expects success.
    pub(crate) fn terminate(mut self) {
        let pid = Pid::from_raw(self.child.id().cast_signed()).unwrap();
        kill_process(pid, Signal::TERM).unwrap();
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), Some(0));
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of a request with further header lines.
pub(crate) fn request(method: &str, path: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\
         Content-Length: {length}\r\n{headers}\r\n{body}"
    )
}

/// The text of a POST request.
pub(crate) fn post(path: &str, body: &Value) -> String {
    request(
        "POST",
        path,
        "Content-Type: application/json\r\n",
        &body.to_string(),
    )
}

fn answer(bytes: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text
        .split_once("\r\n\r\n")
        .unwrap_or_else(|| panic!("{text:?}"));
    let (first, headers) = head.split_once("\r\n").unwrap();
    Answer {
        status: first.split(' ').nth(1).unwrap().parse().unwrap(),
        headers: headers.to_owned(),
        body: body.to_owned(),
    }
}

/// Waits until something is the case.
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < LONGEST, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The states of the sessions by their topics.
pub(crate) fn states(scratch: &Scratch) -> Vec<(String, String)> {
    let listed = parsed(&scratch.expect(0, &["list", "--json"]).stdout);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let sessions = listed.as_array().unwrap().iter();
    sessions
        .map(|one| (text(&one["topic"]), text(&one["state"])))
        .collect()
}

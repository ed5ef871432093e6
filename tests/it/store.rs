//! Sessions in an object store: whichever machine is lost, another one goes on to the same bytes.
//! `make test-s3`.

use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, mpsc};

use crate::harness::{Ran, Scratch, TOPIC, copy, skipped, tree};
use crate::online;
use crate::serve::wait_until;
use crate::server::Server;

/// The session of the topic over the documents of a scratch directory.
fn session_of(scratch: &Scratch) -> PathBuf {
    let listed = fs::read_dir(scratch.path().join("research-output")).unwrap();
    let mut names = listed.map(|entry| entry.unwrap().path());
    names
        .find(|path| path.is_dir() && !is_hidden(path))
        .unwrap()
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().unwrap().to_str().unwrap().starts_with('.')
}

/// The files of a session but for those of its machine: the event log and what begins with a dot.
fn content(session: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = tree(session);
    files.retain(|name, _| name != "events.jsonl" && !name.starts_with('.'));
    files
}

/// A machine with the documents and a list of the topic.
fn machine() -> Scratch {
    let scratch = Scratch::with_few();
    scratch.write("list.txt", format!("{TOPIC}\n"));
    scratch
}

fn batch(scratch: &Scratch, store: &str) -> Ran {
    scratch.run(&["batch", "list.txt", "--docs", "docs", "--store", store])
}

fn url_of(directory: &Path) -> String {
    format!("file://{}", directory.display())
}

/// The numbers of commits of the only session in a store that is a directory.
fn commits(store: &Path) -> (PathBuf, Vec<String>) {
    let mut sessions = fs::read_dir(store)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let log = sessions.find(|path| !is_hidden(path)).unwrap().join("log");
    let listed = fs::read_dir(&log).unwrap();
    let mut names: Vec<String> = listed
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    (log, names)
}

#[test]
fn machine_lost_after_any_commit_is_replaced_by_another_with_the_same_bytes() {
    let (first, stores) = (machine(), tempfile::tempdir().unwrap());
    let whole = stores.path().join("whole");
    batch(&first, &url_of(&whole)).assert_ended(0, "first");
    let expected = content(&session_of(&first));
    let (_, names) = commits(&whole);
    assert!(names.len() > 10, "{names:?}");
    for lost_after in 0..names.len() {
        let store = stores.path().join(lost_after.to_string());
        copy(&whole, &store);
        let (log, _) = commits(&store);
        for later in &names[lost_after..] {
            fs::remove_file(log.join(later)).unwrap();
        }
        let second = machine();
        batch(&second, &url_of(&store)).assert_ended(0, &format!("after {lost_after}"));
        assert!(
            content(&session_of(&second)) == expected,
            "after {lost_after}"
        );
    }
}

#[test]
fn finished_session_of_another_machine_is_pulled_and_not_run() {
    let (first, second) = (machine(), machine());
    let store = tempfile::tempdir().unwrap();
    batch(&first, &url_of(store.path())).assert_ended(0, "first");
    let before = tree(store.path());
    let ran = batch(&second, &url_of(store.path()));
    ran.assert_ended(0, "second");
    assert!(ran.stderr.contains("nothing to do for 1"), "{}", ran.stderr);
    assert!(content(&session_of(&second)) == content(&session_of(&first)));
    assert!(tree(store.path()) == before, "something was written");
}

/// A run whose first search is not answered before `release` is dropped; those of others are.
struct Stalled {
    service: Server,
    release: mpsc::Sender<()>,
    child: Child,
}

impl Stalled {
    fn start(scratch: &Scratch, store: &str) -> Self {
        let (release, released) = mpsc::channel::<()>();
        let (signal, is_asked) = mpsc::channel();
        let first = Mutex::new(Some(released));
        let service = Server::new(move |path, stream| {
            let first = path
                .starts_with("/search")
                .then(|| first.lock().unwrap().take());
            if let Some(released) = first.flatten() {
                let _ = signal.send(());
                let _ = released.recv();
            }
            online::answer(0, path, stream)
        });
        let mut command = online_batch(scratch, &service, store);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        is_asked.recv().unwrap();
        Self {
            service,
            release,
            child,
        }
    }
}

fn online_batch(scratch: &Scratch, service: &Server, store: &str) -> Command {
    scratch.write("list.txt", format!("{TOPIC}\n"));
    let mut command =
        scratch.command(&["batch", "list.txt", "--search", "searxng", "--store", store]);
    command.args(["--depth", "quick"]);
    online::let_onto(service, &mut command);
    command
}

#[test]
fn worker_that_wakes_up_after_another_took_over_changes_nothing() {
    let store = tempfile::tempdir().unwrap();
    let url = url_of(store.path());
    let (sleeper, successor) = (Scratch::new(), Scratch::new());
    let stalled = Stalled::start(&sleeper, &url);
    let ran: Ran = online_batch(&successor, &stalled.service, &url)
        .output()
        .unwrap()
        .into();
    ran.assert_ended(0, "successor");
    let finished = tree(store.path());
    drop(stalled.release);
    let ran: Ran = stalled.child.wait_with_output().unwrap().into();
    ran.assert_ended(7, "sleeper");
    assert!(ran.stderr.contains("is in use by pid "), "{}", ran.stderr);
    assert!(
        log_of(&tree(store.path())) == log_of(&finished),
        "the log has changed"
    );
    // It has what won as soon as it is asked again.
    let ran: Ran = online_batch(&sleeper, &stalled.service, &url)
        .output()
        .unwrap()
        .into();
    ran.assert_ended(0, "again");
    assert!(ran.stderr.contains("nothing to do for 1"), "{}", ran.stderr);
    assert!(content(&session_of(&sleeper)) == content(&session_of(&successor)));
}

/// The commits of a store.
fn log_of(store: &BTreeMap<String, Vec<u8>>) -> Vec<(&String, &Vec<u8>)> {
    store
        .iter()
        .filter(|(name, _)| name.contains("/log/"))
        .collect()
}

#[test]
fn sessions_are_pushed_and_pulled_and_no_change_is_overwritten_unasked() {
    let store = tempfile::tempdir().unwrap();
    let url = url_of(store.path());
    let (here, there) = (machine(), machine());
    here.research();
    let ran = here.expect(0, &["push", "s", "--store", &url]);
    assert!(ran.stdout.starts_with("s: pushed, "), "{}", ran.stdout);
    there.expect(0, &["pull", "s", "--store", &url]);
    assert!(content(&there.session()) == content(&here.session()));
    let ran = there.expect(0, &["pull", "--all", "--store", &url]);
    assert!(ran.stdout.starts_with("s: up to date, "), "{}", ran.stdout);

    here.write("research-output/s/notes.md", "A note.\n");
    here.expect(0, &["push", "s", "--store", &url]);
    there.write("research-output/s/notes.md", "Another note.\n");
    let ran = there.expect(1, &["push", "s", "--store", &url]);
    assert!(ran.stderr.contains("pull it first"), "{}", ran.stderr);
    let ran = there.expect(1, &["pull", "s", "--store", &url]);
    assert!(
        ran.stderr.contains("notes.md is different"),
        "{}",
        ran.stderr
    );
    there.expect(0, &["pull", "s", "--force", "--store", &url]);
    assert_eq!(there.read("research-output/s/notes.md"), "A note.\n");
    let replaced = there.read("research-output/.replaced/s/1/notes.md");
    assert_eq!(replaced, "Another note.\n");
    there.expect(0, &["list"]);
}

#[test]
fn hostile_stores_write_nothing_outside_of_the_session() {
    let (here, there) = (machine(), machine());
    let store = tempfile::tempdir().unwrap();
    let url = url_of(store.path());
    here.research();
    here.expect(0, &["push", "s", "--store", &url]);
    let (log, names) = commits(store.path());
    let commit = fs::read_to_string(log.join(&names[0])).unwrap();
    for name in ["../../../escaped", "/tmp/escaped", ".lock", "a/../b"] {
        let named = commit.replacen("session.json", name, 1);
        fs::write(log.join("0000000009.json"), named).unwrap();
        let ran = there.expect(1, &["pull", "s", "--store", &url]);
        assert!(ran.stderr.contains("0000000009.json"), "{}", ran.stderr);
    }
    // Bytes that are not those of their digest.
    fs::remove_file(log.join("0000000009.json")).unwrap();
    for blob in fs::read_dir(log.with_file_name("blobs")).unwrap() {
        fs::write(blob.unwrap().path(), "other bytes").unwrap();
    }
    let ran = there.expect(1, &["pull", "s", "--store", &url]);
    assert!(ran.stderr.contains("other bytes"), "{}", ran.stderr);
    assert!(!there.session().join("session.json").exists());
    for escaped in [there.path().join("escaped"), "/tmp/escaped".into()] {
        assert!(!escaped.exists(), "{}", escaped.display());
    }
}

#[test]
fn stores_that_cannot_be_used_are_named() {
    let scratch = machine();
    let ran = scratch.expect(2, &["pull", "--all"]);
    assert!(ran.stderr.contains("store.url"), "{}", ran.stderr);
    let ran = scratch.expect(2, &["pull", "--all", "--store", "ftp://host/x"]);
    assert!(ran.stderr.contains("s3:// or file://"), "{}", ran.stderr);
    let ran = scratch.expect(2, &["pull", "--all", "--store", "here"]);
    assert!(ran.stderr.contains("s3://BUCKET/PREFIX"), "{}", ran.stderr);
    let store = tempfile::tempdir().unwrap();
    let ran = scratch.expect(1, &["pull", "s", "--store", &url_of(store.path())]);
    assert!(
        ran.stderr.contains("there is no session s in"),
        "{}",
        ran.stderr
    );
}

/// A server of S3 with an empty bucket, which ends with its test.
pub(crate) struct S3 {
    child: Child,
    pub(crate) port: u16,
}

impl S3 {
    /// `None` if it is not installed.
    pub(crate) fn start() -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let program = root.join("target/ministack/bin/ministack");
        if !program.exists() {
            skipped("ministack is not installed; make test-s3 does so");
            return None;
        }
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let mut command = Command::new(program);
        command.env("BIND_HOST", "127.0.0.1");
        command.env("GATEWAY_PORT", port.to_string());
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let server = Self {
            child: child.unwrap(),
            port,
        };
        wait_until("the server of S3 listens", || {
            TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        let ended = put(&format!("http://127.0.0.1:{port}/bucket"));
        assert!(ended.starts_with("HTTP/1.1 200"), "{ended}");
        Some(server)
    }

    /// The keys of its users, who reach it at this port.
    pub(crate) fn variables(port: u16) -> Vec<(&'static str, String)> {
        let variables = [
            ("AWS_ACCESS_KEY_ID", "an-id"),
            ("AWS_SECRET_ACCESS_KEY", "a-secret-key"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ALLOW_HTTP", "true"),
        ];
        let endpoint = ("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{port}"));
        let variables = variables.map(|(name, value)| (name, value.to_owned()));
        variables.into_iter().chain([endpoint]).collect()
    }

    fn run(&self, scratch: &Scratch, arguments: &[&str]) -> Ran {
        let mut command = scratch.command(arguments);
        command.envs(Self::variables(self.port));
        command.output().unwrap().into()
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request without a body, and returns the reply.
fn put(url: &str) -> String {
    use std::io::{Read as _, Write as _};
    let (host, path) = url["http://".len()..].split_once('/').unwrap();
    let mut connection = TcpStream::connect(host).unwrap();
    let request = format!(
        "PUT /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    connection.write_all(request.as_bytes()).unwrap();
    let mut reply = String::new();
    connection.read_to_string(&mut reply).unwrap();
    reply
}

#[test]
fn sessions_are_kept_by_a_server_of_s3() {
    let Some(s3) = S3::start() else { return };
    let (first, second) = (machine(), machine());
    let store = "s3://bucket/research";
    let arguments = ["batch", "list.txt", "--docs", "docs", "--store", store];
    s3.run(&first, &arguments).assert_ended(0, "first");
    let ran = s3.run(&second, &arguments);
    ran.assert_ended(0, "second");
    assert!(ran.stderr.contains("nothing to do for 1"), "{}", ran.stderr);
    assert!(content(&session_of(&second)) == content(&session_of(&first)));

    second.write(
        ".config/research/research.toml",
        format!("[store]\nurl = \"{store}\"\n"),
    );
    let ran = s3.run(&second, &["doctor"]);
    assert!(
        ran.stdout.contains("refuses to a second time"),
        "{}",
        ran.stdout
    );
    let ran = s3.run(
        &second,
        &["pull", "--all", "--store", "s3://another/research"],
    );
    ran.assert_ended(1, "no such bucket");
    assert!(ran.stderr.contains("NoSuchBucket"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("a-secret-key"), "{}", ran.stderr);
}

//! A NATS server for tests and measurements: Debian's package, fetched once.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

/// The server of Debian, fetched once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| fetched_package("nats-server").join("usr/sbin/nats-server"))
}

/// The files of a package of Debian, fetched once.
pub(super) fn fetched_package(name: &str) -> PathBuf {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let root = cache.join("root");
    if !root.exists() {
        fs::create_dir_all(&cache).unwrap();
        // Moved at the end, so that what is there is whole.
        let fetch = format!("apt-get download {name} && dpkg -x {name}_*.deb part && mv part root");
        let mut shell = Command::new("sh");
        let fetched = shell.args(["-ec", &fetch]).current_dir(&cache).status();
        assert!(fetched.unwrap().success(), "{name} could not be fetched");
    }
    root
}

/// A running server, on a port of its own.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    pub(crate) directory: TempDir,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::on(
            tempfile::tempdir().unwrap(),
            -1,
            "jetstream: { store_dir: store }",
        )
    }

    pub(crate) fn on(directory: TempDir, port: i32, jetstream: &str) -> Self {
        // Larger than the longest topic, so that a longer one gets through.
        let settings = format!("listen: \"127.0.0.1:{port}\"\nmax_payload: 4194304\n{jetstream}\n");
        fs::write(directory.path().join("nats.conf"), settings).unwrap();
        let mut child = Command::new(program())
            .args(["-c", "nats.conf"])
            .current_dir(directory.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut port = 0;
        for line in log.by_ref().map(|line| line.unwrap()) {
            if let Some((_, address)) = line.split_once("client connections on 127.0.0.1:") {
                port = address.trim().parse().unwrap();
            }
            if line.contains("Server is ready") {
                break;
            }
        }
        // Nobody else reads the log, and a full pipe would stop the server.
        std::thread::spawn(move || log.for_each(drop));
        Self {
            child,
            port,
            directory,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The number of its process.
    #[allow(dead_code, reason = "a measurement asks for it")]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again over the same files, after it was killed.
    pub(crate) fn start_again(&mut self) {
        let directory = std::mem::replace(&mut self.directory, tempfile::tempdir().unwrap());
        *self = Self::on(
            directory,
            self.port.into(),
            "jetstream: { store_dir: store }",
        );
    }

    /// Publishes bytes, as another program would, and waits for an answer.
    pub(crate) fn publish(&self, subject: &str, payload: &[u8]) {
        self.request(subject, payload, "MSG answer ");
    }

    /// Takes a topic of a lane, as a worker would that then vanishes.
    #[allow(dead_code, reason = "a measurement takes none")]
    pub(crate) fn take(&self, lane: &str) {
        let next = format!("$JS.API.CONSUMER.MSG.NEXT.RESEARCH.{lane}");
        self.request(&next, b"", "MSG research.topics.");
    }

    /// Asks the server, and waits for a line that begins like this.
    fn request(&self, subject: &str, payload: &[u8], expected: &str) {
        let mut connection = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let length = payload.len();
        let begin = format!(
            "CONNECT {{\"verbose\":false}}\r\nSUB answer 1\r\nPUB {subject} answer {length}\r\n"
        );
        connection
            .write_all(&[begin.as_bytes(), payload, b"\r\n"].concat())
            .unwrap();
        let answers = BufReader::new(connection).lines();
        let mut answers = answers.map(|line| line.unwrap());
        assert!(answers.any(|line| line.starts_with(expected)));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

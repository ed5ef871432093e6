//! A session of the toy pipeline in a temporary directory, with helpers to run, plan and compare.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use chrono::DateTime;
use futures::executor::block_on;
use research::pipeline::{Clock, Disk, Engine, Event, Outcome, Plan, Report, Reporter, Request};
use tempfile::TempDir;

use super::toy::{Artifact, Toy, parse};

/// The script of a session that is accepted in the first round.
pub(crate) const SHORT: &str = "part: a\npart: b\njudge: 0.9 accept\n";

/// Sent back to `draft`, then to `gather`, then accepted.
pub(crate) const ROUNDS: &str =
    "part: a\npart: b\njudge: 0.3 draft\njudge: 0.5 gather\njudge: 0.9 accept\n";

/// Files that are no artifacts: the event log, the lock, the digest cache.
const NO_ARTIFACTS: [&str; 3] = ["events.jsonl", ".lock", ".stamps.json"];

/// An entry of a directory.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    Directory,
    File(Vec<u8>),
    /// A file too large to compare by its bytes.
    Large(u64),
    Link(PathBuf),
    Fifo,
}

impl fmt::Debug for Entry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory => write!(formatter, "directory"),
            Self::File(bytes) => write!(formatter, "{}", String::from_utf8_lossy(bytes)),
            Self::Large(length) => write!(formatter, "{length} bytes"),
            Self::Link(target) => write!(formatter, "link to {}", target.display()),
            Self::Fifo => write!(formatter, "pipe"),
        }
    }
}

/// The artifacts of a session, by relative path.
pub(crate) type Tree = BTreeMap<String, Entry>;

/// A reporter that passes each event to a function.
pub(crate) fn reporter(on_event: impl Fn(&Event) + Send + Sync + 'static) -> Option<Reporter> {
    Some(Arc::new(move |report| {
        if let Report::Session { event, .. } = *report {
            on_event(event);
        }
    }))
}

pub(crate) struct Session {
    directory: TempDir,
    pub(crate) toy: Toy,
}

impl Session {
    /// An empty session with this `request.txt`.
    pub(crate) fn new(request: &str) -> Self {
        let session = Self::empty(Toy::new());
        session.write("request.txt", request);
        session
    }

    /// A session that has run to its end.
    pub(crate) fn finished(request: &str) -> Self {
        let session = Self::new(request);
        assert!(session.run().complete);
        session.toy.calls();
        session
    }

    fn empty(toy: Toy) -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { directory, toy }
    }

    /// A copy in another directory, for the same pipeline. In `/dev/shm` if it exists: a copy is
    /// made for each of thousands of faults, and a real flush would only cost time.
    pub(crate) fn copy(&self) -> Self {
        let mut toy = Toy::new();
        toy.max_rounds = self.toy.max_rounds;
        toy.prompts = self.toy.prompts;
        let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let directory = directory.unwrap();
        let copy = Self { directory, toy };
        copy_directory(self.path(), copy.path());
        copy
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// An empty directory beside it, on the same device.
    pub(crate) fn beside(&self) -> TempDir {
        tempfile::tempdir_in(self.path().parent().unwrap()).unwrap()
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.at(name)).unwrap();
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        fs::symlink_metadata(self.at(name)).is_ok()
    }

    pub(crate) fn artifact(&self, name: &str) -> Artifact {
        parse(self.read(name).as_bytes()).unwrap()
    }

    /// Edits a file in place, as a user would.
    pub(crate) fn edit(&self, name: &str, old: &str, new: &str) {
        let text = self.read(name);
        assert!(text.contains(old), "{name} has no {old:?}: {text}");
        self.write(name, &text.replacen(old, new, 1));
    }

    pub(crate) fn run(&self) -> Outcome {
        self.run_with(&Request::default())
    }

    pub(crate) fn run_with(&self, request: &Request) -> Outcome {
        self.try_run(&engine(), request).unwrap()
    }

    pub(crate) fn try_run(&self, engine: &Engine, request: &Request) -> Result<Outcome> {
        block_on(engine.run(self.path(), &self.toy.pipeline(), request))
    }

    pub(crate) fn plan(&self, request: &Request) -> Plan {
        let pipeline = self.toy.pipeline();
        engine().plan(self.path(), &pipeline, request).unwrap()
    }

    pub(crate) fn calls(&self) -> Vec<String> {
        self.toy.calls()
    }

    /// All files but the event log, the lock and the digest cache.
    pub(crate) fn tree(&self) -> Tree {
        let mut tree = tree_of(self.path());
        for name in NO_ARTIFACTS {
            tree.remove(name);
        }
        tree
    }

    /// The time of the last change of each file, with its inode.
    pub(crate) fn times(&self) -> BTreeMap<String, (i64, i64, u64)> {
        let tree = self.tree().into_keys();
        let times = tree.map(|name| {
            let metadata = fs::symlink_metadata(self.at(&name)).unwrap();
            let times = (metadata.ctime(), metadata.ctime_nsec(), metadata.ino());
            (name, times)
        });
        times.collect()
    }
}

/// An engine with a fixed clock.
pub(crate) fn engine() -> Engine {
    Engine {
        clock: clock(),
        ..Engine::default()
    }
}

/// The same over this disk.
pub(crate) fn engine_on(disk: Disk) -> Engine {
    Engine { disk, ..engine() }
}

pub(crate) fn clock() -> Clock {
    Clock::fixed(DateTime::from_timestamp(1_795_000_000, 0).unwrap())
}

pub(crate) fn from(stage: &str) -> Request {
    Request {
        from: Some(stage.to_owned()),
        ..Request::default()
    }
}

pub(crate) fn until(stage: &str) -> Request {
    Request {
        until: Some(stage.to_owned()),
        ..Request::default()
    }
}

pub(crate) fn refresh() -> Request {
    Request {
        refresh: true,
        ..Request::default()
    }
}

/// Everything below a directory, by relative path.
pub(crate) fn tree_of(directory: &Path) -> Tree {
    let mut tree = Tree::new();
    collect(directory, "", &mut tree);
    tree
}

fn collect(directory: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().unwrap();
        let entry = if kind.is_dir() {
            collect(&entry.path(), &format!("{name}/"), tree);
            Entry::Directory
        } else if kind.is_symlink() {
            Entry::Link(fs::read_link(entry.path()).unwrap())
        } else if kind.is_fifo() {
            Entry::Fifo
        } else {
            match entry.metadata().unwrap().len() {
                length if length > 1 << 20 => Entry::Large(length),
                _ => Entry::File(fs::read(entry.path()).unwrap()),
            }
        };
        tree.insert(name, entry);
    }
}

fn copy_directory(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir(&target).unwrap();
            copy_directory(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}

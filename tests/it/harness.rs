//! A scratch directory with documents and sessions, and the built program in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// The moment at which all tests run.
pub(crate) const NOW: &str = "2026-11-21T12:00:00Z";

/// The topic that the shipped example is about.
pub(crate) const TOPIC: &str = "Do heat pumps work in old houses?";

/// The shipped example corpus.
pub(crate) fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat-pumps")
}

/// A directory of its own for one test.
pub(crate) struct Scratch {
    directory: TempDir,
}

/// How a run of the program ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Scratch {
    /// An empty directory.
    pub(crate) fn new() -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    /// A directory with the example corpus in `docs`.
    pub(crate) fn with_example() -> Self {
        let scratch = Self::new();
        for entry in fs::read_dir(example()).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            scratch.write(&format!("docs/{name}"), fs::read(entry.path()).unwrap());
        }
        scratch
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The program, to be run in this directory: no settings but its own, and a clock that stands still.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
        command
            .current_dir(self.path())
            .args(arguments)
            .env_clear()
            .env("HOME", self.path())
            .env("RESEARCH_NOW", NOW);
        command
    }

    /// Runs the program in this directory.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    /// Researches the example's topic in session `s` and expects a report.
    pub(crate) fn research(&self) -> Ran {
        let ran = self.run(&["run", TOPIC, "--docs", "docs", "--session", "s"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Every file below `root` but the advice (event log, lock, stamps), by name.
pub(crate) fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    collect(root, root, &mut files);
    files
}

fn collect(root: &Path, directory: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().display().to_string();
        if path.is_dir() {
            collect(root, &path, files);
        } else if !["events.jsonl", ".lock", ".stamps.json"].contains(&name.as_str()) {
            files.insert(name, fs::read(&path).unwrap());
        }
    }
}

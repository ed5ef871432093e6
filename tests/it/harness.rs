//! A scratch directory with documents and sessions, and the built program in it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The moment at which all tests run.
pub(crate) const NOW: &str = "2026-11-21T12:00:00Z";

/// The topic that the shipped example is about.
pub(crate) const TOPIC: &str = "Do heat pumps work in old houses?";

/// Documents of the example that are read fast, and enough for a report.
pub(crate) const FEW: [&str; 4] = [
    "costs.md",
    "insulation-can-wait.md",
    "insulation-first.md",
    "radiators-can-stay.md",
];

/// A question of which [`FEW`] hold more than the first report uses: the round is sent back to
/// analysis.
pub(crate) const WIDE_TOPIC: &str = "Should radiators of an old house be replaced?";

/// A question of which no first step finds all: the round is sent back to research, under
/// [`ONE_PLAN`].
pub(crate) const MANY_TOPIC: &str =
    "insulation, grants, compressors, windows, carbon dioxide and maintenance of heat pumps";

/// Arguments under which every round with notes is sent back.
pub(crate) const DEMANDING: [&str; 4] = ["--threshold", "1", "--max-rounds", "3"];

/// Leaves it to the reviewer to ask for what no passage speaks of.
pub(crate) const ONE_PLAN: (&str, &str) = ("RESEARCH_AGENTS__PLANNER__MAX_PLAN_ITERATIONS", "1");

/// The gates, in the order of the stages.
pub(crate) const GATES: [&str; 4] = [
    "research.json",
    "analysis.json",
    "report.json",
    "review.json",
];

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

    /// A directory with documents in `docs/`, by name.
    pub(crate) fn with_docs(docs: &[(&str, &str)]) -> Self {
        let scratch = Self::new();
        for (name, text) in docs {
            scratch.write(&format!("docs/{name}"), text);
        }
        scratch
    }

    /// The sentences of a report with what `research check` says of each by these documents.
    pub(crate) fn checked(&self, report: &str) -> Vec<Value> {
        self.write("report.md", report);
        let check = [
            "check",
            "report.md",
            "--docs",
            "docs",
            "--offline",
            "--json",
            "--fail-on",
            "never",
        ];
        let checked = parsed(&self.expect(0, &check).stdout);
        checked["sentences"].as_array().unwrap().clone()
    }

    /// An empty directory in memory, if there is such a directory: where thousands of faults are
    /// simulated, a real flush would only cost time.
    pub(crate) fn in_memory() -> Self {
        let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self {
            directory: directory.unwrap(),
        }
    }

    /// A directory with the example corpus in `docs`.
    pub(crate) fn with_example() -> Self {
        let scratch = Self::new();
        copy(&example(), &scratch.path().join("docs"));
        scratch
    }

    /// A directory with [`FEW`] documents of the example in `docs`.
    pub(crate) fn with_few() -> Self {
        Self::new().and_few()
    }

    /// This one, with [`FEW`] documents of the example in `docs`.
    pub(crate) fn and_few(self) -> Self {
        for name in FEW {
            let bytes = fs::read(example().join(name)).unwrap();
            self.write(&format!("docs/{name}"), bytes);
        }
        self
    }

    /// A directory with everything that is in this one.
    pub(crate) fn copy(&self) -> Self {
        let scratch = Self::new();
        copy(self.path(), scratch.path());
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

    /// The program, to be run in this directory: no settings but its own, and a clock that stands
    /// still.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
        command
            .current_dir(self.path())
            .args(arguments)
            .env_clear()
            .env("HOME", self.path())
            .env("RESEARCH_MODEL", "rules")
            // No test goes on the web but to its own servers.
            .env("RESEARCH_SEARCH__SERVICES", "")
            .env("RESEARCH_NOW", NOW);
        command
    }

    /// Runs the program in this directory.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    /// Runs the program in this directory and expects this exit code, and never a panic.
    pub(crate) fn expect(&self, code: i32, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        ran.assert_ended(code, &arguments.join(" "));
        ran
    }

    /// The directory of session `s`.
    pub(crate) fn session(&self) -> PathBuf {
        self.path().join("research-output/s")
    }

    /// What a terminal of 24 lines of 80 columns shows when the program runs there and this is
    /// typed; `None` without the program `script`.
    pub(crate) fn on_terminal(
        &self,
        arguments: &[&str],
        environment: &[(&str, &str)],
        typed: &str,
    ) -> Option<String> {
        let quoted = |word: &&str| format!("'{}'", word.replace('\'', r"'\''"));
        let mut words: Vec<String> = arguments.iter().map(quoted).collect();
        words.insert(0, env!("CARGO_BIN_EXE_research").to_owned());
        let line = format!("stty rows 24 cols 80; exec {}", words.join(" "));
        let mut command = self.terminal_command(&line);
        let mut child = command.envs(environment.iter().copied()).spawn().ok()?;
        let mut terminal = child.stdin.take().unwrap();
        terminal.write_all(typed.as_bytes()).unwrap();
        let shown = child.wait_with_output().unwrap().stdout;
        drop(terminal);
        Some(String::from_utf8_lossy(&shown).into_owned())
    }

    /// The command by which `script` runs a line of the shell in a terminal, with pipes to it.
    pub(crate) fn terminal_command(&self, line: &str) -> Command {
        let own = self.command(&[]);
        let mut command = Command::new("script");
        command
            .args(["-qec", line, "/dev/null"])
            .current_dir(self.path())
            .env_clear()
            .envs(
                own.get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .envs([
                ("PATH", "/usr/bin:/bin"),
                ("TERM", "xterm"),
                ("SHELL", "/bin/sh"),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        command
    }

    /// Every file of session `s` but the advice.
    pub(crate) fn tree(&self) -> BTreeMap<String, Vec<u8>> {
        tree(&self.session())
    }

    /// Replaces words in a file of session `s`, once, as a person would.
    pub(crate) fn edit(&self, name: &str, words: &str, others: &str) {
        let name = format!("research-output/s/{name}");
        let text = self.read(&name);
        assert!(text.contains(words), "{name} does not say {words:?}");
        self.write(&name, text.replacen(words, others, 1));
    }

    /// A file of session `s` as JSON.
    pub(crate) fn json(&self, name: &str) -> Value {
        parsed(&self.read(&format!("research-output/s/{name}")))
    }

    /// Researches the example's topic in session `s` and expects a report.
    pub(crate) fn research(&self) -> Ran {
        let ran = self.run(&["run", TOPIC, "--docs", "docs", "--session", "s"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran
    }
}

impl Ran {
    /// Fails unless the program ended with this code and without a panic.
    pub(crate) fn assert_ended(&self, code: i32, case: &str) {
        let Self { stdout, stderr, .. } = self;
        let output = format!("{case}\n{stdout}\n{stderr}");
        assert!(!stderr.contains("panicked"), "{output}");
        assert_eq!(self.code, Some(code), "{output}");
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

/// Says why a test that needs another program does not run here.
#[expect(
    clippy::print_stderr,
    reason = "whoever reads the tests' output should know"
)]
pub(crate) fn skipped(reason: &str) {
    eprintln!("skipped: {reason}");
}

/// Text as JSON.
pub(crate) fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The result of a command without the version of its schema, as the server has it.
pub(crate) fn unversioned(text: &str) -> Value {
    let mut result = parsed(text);
    let version = result.as_object_mut().unwrap().remove("version");
    assert_eq!(version, Some(1.into()), "{text}");
    result
}

/// Copies the files below `from` to below `to`.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// The names that are only in one of two trees, and those whose bytes differ.
pub(crate) fn differences<'a>(
    one: &'a BTreeMap<String, Vec<u8>>,
    other: &'a BTreeMap<String, Vec<u8>>,
) -> Vec<&'a str> {
    let names = one.keys().chain(other.keys()).map(String::as_str);
    let mut different: Vec<&str> = names
        .filter(|name| one.get(*name) != other.get(*name))
        .collect();
    different.sort_unstable();
    different.dedup();
    different
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

//! Benchmark of `research batch`: the cost of a batch over finished sessions against ninja over the
//! same targets, and the throughput of a first run.
//!
//! `cargo bench --bench batch`, or one half of it with `-- first` or `-- nothing`. Ten thousand
//! finished sessions are written, each a copy of a real one with its own topic and the hashes that
//! follow from it; ninja gets a file with their four gates as targets. The result is a ratio: 1.00
//! is the limit, less is better. Without ninja, a stated time of ninja is the reference.

mod measure;
#[path = "measure/parts.rs"]
mod parts;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use research::artifact::session::{Depth, Mode};
use research::pipeline::Digest;
use research::session::{self, SessionKey, SessionNames};

use measure::{children, print};
use parts::Parts;

/// The number of finished sessions, of four gates each.
const SESSIONS: usize = 10_000;
/// The number of topics of the first run.
const TOPICS: usize = 1000;
/// The number of runs of each program in one turn, and of turns. The programs alternate, so that
/// other load on the machine falls on both alike.
const RUNS: u32 = 5;
const TURNS: u32 = 8;
/// The limit of processor time, as a share of ninja's.
const SHARE: f64 = 0.5;
/// The processor time of ninja 1.11 for the same targets on the reference machine, in milliseconds.
const NINJA_MILLISECONDS: f64 = 217.0;
/// The limit of memory.
const MAX_MEBIBYTES: f64 = 10.0;

const GATES: [&str; 4] = ["research", "analysis", "report", "review"];

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let root = scratch.path();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat-pumps");
    let parts = Parts::of_arguments();
    if parts.have("first") {
        first_run(root, &docs)?;
    }
    if parts.have("nothing") {
        nothing_to_do(root, &docs)?;
    }
    Ok(())
}

/// The cost of one run of a program.
#[derive(Clone, Copy, Default)]
struct Cost {
    milliseconds: f64,
    mebibytes: f64,
}

impl Cost {
    /// Adds one turn's mean.
    fn add(&mut self, turn: Self) {
        self.milliseconds += turn.milliseconds / f64::from(TURNS);
        self.mebibytes = self.mebibytes.max(turn.mebibytes);
    }
}

fn nothing_to_do(root: &Path, docs: &Path) -> Result<()> {
    let output = root.join("large");
    let list = tree(&output, &docs.join("insulation-first.md"))?;
    let docs = docs.join("insulation-first.md");
    let batch = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
        command.arg("batch").arg(&list).arg("--docs").arg(&docs);
        command.arg("--output-dir").arg(&output);
        command
    };
    let first = cost(1, batch)?;
    cost(1, batch)?;
    let printed = String::from_utf8(batch().output()?.stderr)?;
    let expected = format!("nothing to do for {SESSIONS}");
    ensure!(printed.contains(&expected), "the batch printed {printed:?}");
    let ninja = ninja(&output)?;
    let (mut again, mut other) = (Cost::default(), Cost::default());
    for _ in 0..TURNS {
        again.add(cost(RUNS, batch)?);
        if ninja {
            other.add(cost(RUNS, || ninja_in(&output))?);
        }
    }
    print(&format!(
        "{SESSIONS} finished sessions: {:.0} ms of processor time, {:.1} MiB \
         ({:.0} ms with an empty skip cache)",
        again.milliseconds, again.mebibytes, first.milliseconds
    ));
    let (ninja, by) = if ninja {
        print(&format!(
            "ninja, the same {} targets: {:.0} ms, {:.1} MiB",
            GATES.len() * SESSIONS,
            other.milliseconds,
            other.mebibytes
        ));
        (other.milliseconds, "half of ninja's")
    } else {
        print("ninja is not installed: the stated time is the reference");
        (NINJA_MILLISECONDS, "half of ninja's, as stated")
    };
    let limit = SHARE * ninja;
    print(&format!(
        "processor time: {:.2} of the limit ({by}); \
         memory: {:.2} of the limit ({MAX_MEBIBYTES} MiB)",
        again.milliseconds / limit,
        again.mebibytes / MAX_MEBIBYTES
    ));
    Ok(())
}

/// Writes a tree of finished sessions and the list of their topics. Each is a copy of one real
/// session, with its own topic and the hashes that follow from it.
fn tree(output: &Path, docs: &Path) -> Result<PathBuf> {
    let topic =
        |number: usize| format!("Must insulation come before a heat pump in house {number}?");
    let made = output.join("made");
    let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
    command.args(["run", &topic(0), "--session", "made", "--docs"]);
    command.arg(docs).arg("--output-dir").arg(output);
    ensure!(
        command.output()?.status.success(),
        "no session could be made"
    );
    let names = GATES.map(|gate| format!("{gate}.json"));
    let names: Vec<&str> = std::iter::once("session.json")
        .chain(names.iter().map(String::as_str))
        .chain(["published.json"])
        .collect();
    let mut texts = Vec::new();
    for name in &names {
        texts.push(fs::read_to_string(made.join(name))?);
    }
    let documents: Arc<[String]> = session::name_documents(output, &[docs.to_owned()])?.into();
    let list = output.join("topics.txt");
    let mut lines = String::new();
    for number in 1..=SESSIONS {
        let key = SessionKey {
            topic: topic(number),
            mode: Mode::default(),
            depth: Depth::Auto,
            documents: documents.clone(),
            follows: None,
            web: Arc::default(),
            style: Arc::default(),
        };
        let directory = key.locate(output, None, &SessionNames::default())?.path;
        let id = directory.file_name().context("a session has no name")?;
        let id = id.to_string_lossy().into_owned();
        fs::create_dir(&directory)?;
        let mut replaced = vec![
            (topic(0), topic(number)),
            ("\"made\"".to_owned(), format!("{id:?}")),
        ];
        for (name, text) in names.iter().zip(&texts) {
            let before = Digest::of(text).to_string();
            let apply = |text: String, (old, new): &(String, String)| text.replace(old, new);
            let text = replaced.iter().fold(text.clone(), apply);
            replaced.push((before, Digest::of(&text).to_string()));
            fs::write(directory.join(name), text)?;
        }
        for name in ["manifest.json", "report.md", "final_report.md"] {
            fs::hard_link(made.join(name), directory.join(name))?;
        }
        lines.push_str(&key.topic);
        lines.push('\n');
    }
    fs::write(&list, lines)?;
    Ok(list)
}

/// Writes a `build.ninja` with the gates as targets and fills ninja's log; returns `false` if ninja
/// is not installed.
fn ninja(output: &Path) -> Result<bool> {
    let version = Command::new("ninja").arg("--version").output();
    if !version.is_ok_and(|version| version.status.success()) {
        return Ok(false);
    }
    let file = output.join("build.ninja");
    let mut text = fs::File::create(&file)?;
    // Each output is newer than its inputs, as the sessions were written in this order; the first
    // run only fills ninja's log.
    writeln!(text, "rule make\n  command = :")?;
    for entry in fs::read_dir(output)? {
        let entry = entry?;
        let id = entry.file_name().to_string_lossy().into_owned();
        if !entry.path().join("published.json").exists() || id == "made" {
            continue;
        }
        let mut input = format!("{id}/session.json");
        for gate in GATES {
            let made = format!("{id}/{gate}.json");
            writeln!(text, "build {made}: make {input}")?;
            input = made;
        }
    }
    drop(text);
    cost(1, || ninja_in(output))?;
    let printed = String::from_utf8(ninja_in(output).output()?.stdout)?;
    ensure!(
        printed.contains("no work to do"),
        "ninja printed {printed:?}"
    );
    Ok(true)
}

fn ninja_in(output: &Path) -> Command {
    let mut command = Command::new("ninja");
    command.arg("-C").arg(output);
    command
}

/// The mean processor time and the peak memory of some runs.
fn cost(runs: u32, command: impl Fn() -> Command) -> Result<Cost> {
    let (before, mut peak) = (children()?.all(), 0.0_f64);
    for _ in 0..runs {
        let mut command = command();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let status = loop {
            // The kernel forgets the peak when the child is reaped, so it is polled while it runs.
            peak = peak.max(peak_mebibytes(child.id()).unwrap_or(0.0));
            if let Some(status) = child.try_wait()? {
                break status;
            }
            std::thread::yield_now();
        };
        ensure!(status.success(), "{command:?} ended with {status}");
    }
    let spent = children()?.all() - before;
    Ok(Cost {
        milliseconds: spent / f64::from(runs),
        mebibytes: peak,
    })
}

/// The peak memory of a process so far.
fn peak_mebibytes(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    // Between fork and exec the child is still a copy of this program, and larger.
    let line = status.lines().find(|line| line.starts_with("Name:"))?;
    let own = fs::read_to_string("/proc/self/comm").ok()?;
    let is_own = line.split_whitespace().nth(1)? == own.trim();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    (!is_own).then_some(kibibytes / 1024.0)
}

/// Measures a first run on disk and in memory; the difference is the cost of flushes and the disk.
fn first_run(root: &Path, docs: &Path) -> Result<()> {
    let list = root.join("topics.txt");
    let topics: String = (0..TOPICS)
        .map(|number| format!("What does a heat pump cost in old house {number}?\n"))
        .collect();
    fs::write(&list, topics)?;
    let batch = |output: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
        command.arg("batch").arg(&list).arg("--docs").arg(docs);
        command.arg("--no-clarify").arg("--output-dir").arg(output);
        command
    };
    let start = Instant::now();
    let spent = cost(1, || batch(&root.join("first")))?;
    let on_disk = start.elapsed().as_secs_f64();
    print(&format!(
        "first run of {TOPICS} topics: {:.1} sessions per second, {:.1} ms of processor time each, \
         {:.1} MiB",
        TOPICS as f64 / on_disk,
        spent.milliseconds / TOPICS as f64,
        spent.mebibytes
    ));
    let Ok(memory) = tempfile::tempdir_in("/dev/shm") else {
        return Ok(());
    };
    let start = Instant::now();
    cost(1, || batch(memory.path()))?;
    let in_memory = start.elapsed().as_secs_f64();
    print(&format!(
        "in memory: {:.1} sessions per second; flushes and the disk take {:.0} % of the time of a \
         first run",
        TOPICS as f64 / in_memory,
        100.0 * (1.0 - in_memory / on_disk)
    ));
    Ok(())
}

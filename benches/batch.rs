//! A batch measured: how much of ninja's work a batch over finished sessions needs, and how a first
//! run spends its time.
//!
//! `cargo bench --bench batch`, or one half of it with `-- first` or `-- nothing`. Ten thousand
//! finished sessions are written, each a copy of one that was really made with its own topic and
//! the hashes that follow from it; ninja gets a file with their four gates as targets. Ratios are
//! what counts: 1.00 is the limit, less is better. Without ninja, the time is compared with what
//! ninja took where this was written.

mod measure;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use research::artifact::session::Depth;
use research::pipeline::Digest;
use research::session::{self, SessionKey, WebScope};

use measure::{children, print};

/// Finished sessions in the large tree, of four gates each.
const SESSIONS: usize = 10_000;
/// Topics of the first run.
const TOPICS: usize = 1000;
/// Runs of each program in one turn, and turns: what else goes on here then falls on both alike.
const RUNS: u32 = 5;
const TURNS: u32 = 8;
/// The share of ninja's processor time that is allowed.
const SHARE: f64 = 0.5;
/// What ninja 1.11 took for the same targets where this was written, in milliseconds.
const NINJA_MILLISECONDS: f64 = 217.0;
/// The memory that is allowed.
const MOST_MEBIBYTES: f64 = 10.0;

const GATES: [&str; 4] = ["research", "analysis", "report", "review"];

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let root = scratch.path();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat-pumps");
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let is_asked = |part: &str| {
        let mut names = asked.iter().filter(|it| !it.starts_with('-')).peekable();
        names.peek().is_none() || names.any(|name| name == part)
    };
    if is_asked("first") {
        first_run(root, &docs)?;
    }
    if is_asked("nothing") {
        nothing_to_do(root, &docs)?;
    }
    Ok(())
}

/// What one run of a program takes.
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
    let said = String::from_utf8(batch().output()?.stderr)?;
    let expected = format!("nothing to do for {SESSIONS}");
    ensure!(said.contains(&expected), "the batch said {said:?}");
    let ninja = ninja(&output)?;
    let (mut again, mut other) = (Cost::default(), Cost::default());
    for _ in 0..TURNS {
        again.add(cost(RUNS, batch)?);
        if ninja {
            other.add(cost(RUNS, || ninja_in(&output))?);
        }
    }
    print(&format!(
        "{SESSIONS} finished sessions: {:.0} ms of processor time, {:.1} MiB ({:.0} ms where they are met for the first time)",
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
        print("there is no ninja here: the stated time is taken");
        (NINJA_MILLISECONDS, "half of ninja's, as stated")
    };
    let limit = SHARE * ninja;
    print(&format!(
        "processor time: {:.2} of the limit ({by}); memory: {:.2} of the limit ({MOST_MEBIBYTES} MiB)",
        again.milliseconds / limit,
        again.mebibytes / MOST_MEBIBYTES
    ));
    Ok(())
}

/// Writes a tree of finished sessions, and the list of their topics. Each is a copy of one that was
/// made, with its own topic and the hashes that follow.
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
    let documents = session::name_documents(output, &[docs.to_owned()])?;
    let list = output.join("topics.txt");
    let mut lines = String::new();
    for number in 1..=SESSIONS {
        let question = SessionKey {
            topic: topic(number),
            depth: Depth::Auto,
            documents: documents.clone(),
            web: WebScope::default(),
        };
        let hash = question.hash();
        let id = (6..).map(|digits| format!("research-20261121-{}", &hash.as_str()[..digits]));
        let free = |id: &String| !output.join(id).exists();
        let id = id.into_iter().find(free).context("no name is free")?;
        let directory = output.join(&id);
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
        for name in ["report.md", "final_report.md"] {
            fs::hard_link(made.join(name), directory.join(name))?;
        }
        lines.push_str(&question.topic);
        lines.push('\n');
    }
    fs::write(&list, lines)?;
    Ok(list)
}

/// Gives ninja the gates as targets, all of them made; whether there is a ninja.
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
        if !id.starts_with("research-") {
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
    let said = String::from_utf8(ninja_in(output).output()?.stdout)?;
    ensure!(said.contains("no work to do"), "ninja said {said:?}");
    Ok(true)
}

fn ninja_in(output: &Path) -> Command {
    let mut command = Command::new("ninja");
    command.arg("-C").arg(output);
    command
}

/// The mean cost of so many runs.
fn cost(runs: u32, command: impl Fn() -> Command) -> Result<Cost> {
    let (before, mut most) = (children()?.all(), 0.0_f64);
    for _ in 0..runs {
        let mut command = command();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let status = loop {
            // The most memory so far; it is gone when the child is.
            most = most.max(peak_mebibytes(child.id()).unwrap_or(0.0));
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
        mebibytes: most,
    })
}

/// The most memory that a process had so far.
fn peak_mebibytes(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    // Before it became the program that is measured, it was a copy of this one.
    let line = status.lines().find(|line| line.starts_with("Name:"))?;
    let own = fs::read_to_string("/proc/self/comm").ok()?;
    let is_own = line.split_whitespace().nth(1)? == own.trim();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    (!is_own).then_some(kibibytes / 1024.0)
}

/// A first run, on disk and then in memory: what the second saves is what flushes take.
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
        "first run of {TOPICS} topics: {:.1} sessions a second, {:.1} ms of processor time each, {:.1} MiB",
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
        "in memory: {:.1} sessions a second; flushes and the disk take {:.0} % of the time of a first run",
        TOPICS as f64 / in_memory,
        100.0 * (1.0 - in_memory / on_disk)
    ));
    Ok(())
}

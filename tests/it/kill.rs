//! Crash recovery of the real program: it is killed at random moments, its files are always intact,
//! and resumed sessions end with the same files.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::harness::{
    DEMANDING, GATES, MANY_TOPIC, ONE_PLAN, Scratch, TOPIC, WIDE_TOPIC, differences,
};

const KILL: i32 = 9;

/// The number of sessions that are killed concurrently: a run mostly waits for the disk.
const WORKERS: u64 = 4;

/// A run that is killed and resumed.
struct KillTest {
    name: &'static str,
    /// The state before the run.
    start: Scratch,
    arguments: Vec<&'static str>,
    expected: BTreeMap<String, Vec<u8>>,
    /// The duration of an uninterrupted run.
    duration: Duration,
}

impl KillTest {
    fn new(name: &'static str, start: Scratch, arguments: Vec<&'static str>) -> Self {
        let uninterrupted = start.copy();
        let begun = Instant::now();
        let mut test = Self {
            name,
            start,
            arguments,
            expected: BTreeMap::new(),
            duration: Duration::ZERO,
        };
        test.finish(&uninterrupted, "uninterrupted");
        test.duration = begun.elapsed();
        test.expected = uninterrupted.tree();
        test
    }

    fn finish(&self, scratch: &Scratch, case: &str) {
        let ended = self.command(scratch).output().unwrap();
        crate::harness::Ran::from(ended).assert_ended(0, case);
    }

    fn command(&self, scratch: &Scratch) -> std::process::Command {
        let mut command = scratch.command(&self.arguments);
        command.env(ONE_PLAN.0, ONE_PLAN.1);
        command
    }

    /// Kills runs until the number of kills is reached.
    fn kill(&self, kills_in_total: u64) {
        let share = kills_in_total.div_ceil(WORKERS);
        thread::scope(|scope| {
            for worker in 0..WORKERS {
                scope.spawn(move || {
                    let mut random = SplitMix64(worker);
                    let mut kills = 0;
                    while kills < share {
                        kills += self.kill_and_resume(&mut random);
                    }
                });
            }
        });
    }

    /// Kills the runs of a session up to three times, then completes it. Returns the number of
    /// kills.
    fn kill_and_resume(&self, random: &mut SplitMix64) -> u64 {
        let scratch = self.start.copy();
        let mut hits = 0;
        let mut case = format!("{}, killed after", self.name);
        for _ in 0..=random.next() % 3 {
            // Up to 1.1 times the duration of an uninterrupted run.
            let delay = self.duration * u32::try_from(random.next() % 1100).unwrap() / 1000;
            case.push_str(&format!(" {delay:?}"));
            let mut child = self
                .command(&scratch)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            thread::sleep(delay);
            child.kill().unwrap();
            let ended = child.wait().unwrap();
            hits += u64::from(ended.signal() == Some(KILL));
            assert!(ended.signal() == Some(KILL) || ended.success(), "{case}");
            assert_intact(&scratch, &case);
        }
        self.finish(&scratch, &case);
        self.assert_same(&scratch, &case);
        let again = self.command(&scratch).output().unwrap();
        let stderr = String::from_utf8_lossy(&again.stderr);
        assert!(stderr.contains("nothing to do"), "{case}: {stderr}");
        self.assert_same(&scratch, &case);
        hits
    }

    fn assert_same(&self, scratch: &Scratch, case: &str) {
        let tree = scratch.tree();
        assert_eq!(
            differences(&tree, &self.expected),
            Vec::<&str>::new(),
            "{case}"
        );
        assert!(tree.keys().all(|name| !name.ends_with(".tmp")), "{case}");
    }
}

/// Asserts that every gate is complete or missing, and that only the last line of the log is torn.
fn assert_intact(scratch: &Scratch, case: &str) {
    for gate in GATES {
        if let Ok(bytes) = fs::read(scratch.session().join(gate)) {
            let parsed = serde_json::from_slice::<serde_json::Value>(&bytes);
            assert!(parsed.is_ok(), "{case}: {gate}: {parsed:?}");
        }
    }
    let log = fs::read(scratch.session().join("events.jsonl")).unwrap_or_default();
    let mut lines: Vec<&[u8]> = log.split(|byte| *byte == b'\n').collect();
    lines.pop();
    for line in lines {
        let parsed = serde_json::from_slice::<serde_json::Value>(line);
        assert!(parsed.is_ok(), "{case}: {parsed:?}");
    }
}

/// A deterministic pseudo-random generator (SplitMix64, Steele et al., OOPSLA 2014).
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

fn arguments_for(topic: &'static str) -> Vec<&'static str> {
    vec!["run", topic, "--docs", "docs", "--session", "s"]
}

fn strict_arguments_for(topic: &'static str) -> Vec<&'static str> {
    let mut arguments = arguments_for(topic);
    arguments.extend(DEMANDING);
    arguments
}

#[test]
fn killed_new_session_resumes_to_the_same_files() {
    KillTest::new("new", Scratch::with_few(), arguments_for(TOPIC)).kill(36);
}

#[test]
fn killed_revision_resumes_to_the_same_files() {
    let test = KillTest::new(
        "analysis",
        Scratch::with_few(),
        strict_arguments_for(WIDE_TOPIC),
    );
    assert!(test.expected.contains_key("rounds/1/analysis.json"));
    test.kill(24);
}

#[test]
fn killed_research_round_resumes_to_the_same_files() {
    let test = KillTest::new(
        "research",
        Scratch::with_few(),
        strict_arguments_for(MANY_TOPIC),
    );
    assert!(test.expected.contains_key("rounds/1/research.json"));
    test.kill(24);
}

#[test]
fn killed_run_after_an_edit_resumes_to_the_same_files() {
    let scratch = Scratch::with_few();
    let mut first = scratch.command(&strict_arguments_for(WIDE_TOPIC));
    let made = first.env(ONE_PLAN.0, ONE_PLAN.1).output().unwrap();
    assert!(made.status.success());
    let observation = "\"observation\": \"";
    let edited = format!("{observation}By hand: ");
    scratch.edit("research.json", observation, &edited);
    let test = KillTest::new("edited", scratch, strict_arguments_for(WIDE_TOPIC));
    assert!(test.expected.contains_key("superseded/1/analysis.json"));
    assert!(
        test.expected
            .contains_key("superseded/1/rounds/1/review.json")
    );
    test.kill(24);
}

#[test]
fn sigint_exits_with_130_and_the_run_resumes() {
    let test = KillTest::new("interrupted", Scratch::with_few(), arguments_for(TOPIC));
    // A run that ends before the signal arrives is tried again.
    for attempt in 0..50 {
        let scratch = test.start.copy();
        let mut command = test.command(&scratch);
        let mut child = command
            .arg("--verbose")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        // The signal handler is installed before the first line is printed.
        lines.next().unwrap().unwrap();
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let rest: Vec<String> = lines.map(Result::unwrap).collect();
        let code = child.wait().unwrap().code();
        let case = format!("attempt {attempt}: {rest:?}");
        assert!(matches!(code, Some(0 | 130)), "{code:?} {case}");
        assert_intact(&scratch, &case);
        test.finish(&scratch, &case);
        test.assert_same(&scratch, &case);
        if code == Some(130) {
            assert!(rest.iter().any(|line| line.contains("--resume")), "{case}");
            return;
        }
    }
    panic!("no run was interrupted");
}

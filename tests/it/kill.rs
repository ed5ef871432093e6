//! The real program is killed at any moment, again and again: what it leaves is whole, and the end
//! is the same.

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

/// Sessions that are killed side by side: most of a run is waiting for the disk.
const AT_ONCE: u64 = 4;

/// What is run, and killed.
struct Plot {
    name: &'static str,
    /// What is there before the run that is killed.
    start: Scratch,
    arguments: Vec<&'static str>,
    expected: BTreeMap<String, Vec<u8>>,
    /// How long the run takes undisturbed.
    takes: Duration,
}

impl Plot {
    fn new(name: &'static str, start: Scratch, arguments: Vec<&'static str>) -> Self {
        let undisturbed = start.copy();
        let begun = Instant::now();
        let mut plot = Self {
            name,
            start,
            arguments,
            expected: BTreeMap::new(),
            takes: Duration::ZERO,
        };
        plot.finish(&undisturbed, "undisturbed");
        plot.takes = begun.elapsed();
        plot.expected = undisturbed.tree();
        plot
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

    /// Kills runs until there were this many kills.
    fn kill(&self, wanted: u64) {
        let share = wanted.div_ceil(AT_ONCE);
        thread::scope(|scope| {
            for worker in 0..AT_ONCE {
                scope.spawn(move || {
                    let mut chance = Chance(worker);
                    let mut kills = 0;
                    while kills < share {
                        kills += self.disturb(&mut chance);
                    }
                });
            }
        });
    }

    /// One session: killed up to three times, then finished. Returns how often it was hit.
    fn disturb(&self, chance: &mut Chance) -> u64 {
        let scratch = self.start.copy();
        let mut hits = 0;
        let mut case = format!("{}, killed after", self.name);
        for _ in 0..=chance.next() % 3 {
            // Up to 1.1 times as long as the undisturbed run took.
            let delay = self.takes * u32::try_from(chance.next() % 1100).unwrap() / 1000;
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
            assert_whole(&scratch, &case);
        }
        self.finish(&scratch, &case);
        self.assert_same(&scratch, &case);
        let again = self.command(&scratch).output().unwrap();
        let told = String::from_utf8_lossy(&again.stderr);
        assert!(told.contains("nothing to do"), "{case}: {told}");
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

/// Every gate is there as a whole or not at all, and so is every line of the log but a torn last
/// one.
fn assert_whole(scratch: &Scratch, case: &str) {
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

/// Numbers that look random and are the same every time (SplitMix64, Steele and others, OOPSLA
/// 2014).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

fn asking(topic: &'static str) -> Vec<&'static str> {
    vec!["run", topic, "--docs", "docs", "--session", "s"]
}

fn demanding(topic: &'static str) -> Vec<&'static str> {
    let mut arguments = asking(topic);
    arguments.extend(DEMANDING);
    arguments
}

#[test]
fn new_session_may_be_killed() {
    Plot::new("new", Scratch::with_few(), asking(TOPIC)).kill(36);
}

#[test]
fn rounds_sent_back_to_analysis_may_be_killed() {
    let plot = Plot::new("analysis", Scratch::with_few(), demanding(WIDE_TOPIC));
    assert!(plot.expected.contains_key("rounds/1/analysis.json"));
    plot.kill(24);
}

#[test]
fn rounds_sent_back_to_research_may_be_killed() {
    let plot = Plot::new("research", Scratch::with_few(), demanding(MANY_TOPIC));
    assert!(plot.expected.contains_key("rounds/1/research.json"));
    plot.kill(24);
}

#[test]
fn run_after_a_hand_edit_may_be_killed() {
    let scratch = Scratch::with_few();
    let mut first = scratch.command(&demanding(WIDE_TOPIC));
    let made = first.env(ONE_PLAN.0, ONE_PLAN.1).output().unwrap();
    assert!(made.status.success());
    let observation = "\"observation\": \"";
    let edited = format!("{observation}By hand: ");
    scratch.edit("research.json", observation, &edited);
    let plot = Plot::new("edited", scratch, demanding(WIDE_TOPIC));
    assert!(plot.expected.contains_key("superseded/1/analysis.json"));
    assert!(
        plot.expected
            .contains_key("superseded/1/rounds/1/review.json")
    );
    plot.kill(24);
}

#[test]
fn interrupted_run_ends_with_130_and_goes_on() {
    let plot = Plot::new("interrupted", Scratch::with_few(), asking(TOPIC));
    // A run that is faster than the signal ends well: then it is tried again.
    for attempt in 0..50 {
        let scratch = plot.start.copy();
        let mut command = plot.command(&scratch);
        let mut child = command
            .arg("--verbose")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stderr.take().unwrap()).lines();
        // From its first word on it listens.
        told.next().unwrap().unwrap();
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let rest: Vec<String> = told.map(Result::unwrap).collect();
        let code = child.wait().unwrap().code();
        let case = format!("attempt {attempt}: {rest:?}");
        assert!(matches!(code, Some(0 | 130)), "{code:?} {case}");
        assert_whole(&scratch, &case);
        plot.finish(&scratch, &case);
        plot.assert_same(&scratch, &case);
        if code == Some(130) {
            assert!(rest.iter().any(|line| line.contains("--resume")), "{case}");
            return;
        }
    }
    panic!("no run was interrupted");
}

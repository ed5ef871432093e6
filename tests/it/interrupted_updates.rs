//! An update that was interrupted is taken up by the next one, which has its news.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::harness::{Scratch, parsed};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Three finished sessions of which the documents have changed since.
fn outdated() -> Scratch {
    let scratch = Scratch::with_few();
    let topics = [
        "What does a heat pump cost?",
        "Is insulation needed?",
        "Can radiators stay?",
    ];
    for (name, topic) in NAMES.iter().zip(topics) {
        scratch.expect(0, &["run", topic, "--docs", "docs", "--session", name]);
    }
    let costs = scratch.read("docs/costs.md");
    scratch.write(
        "docs/costs.md",
        costs.replace("25,000 to 35,000", "45,000 to 55,000"),
    );
    let first = scratch.read("docs/insulation-first.md");
    let other = first.replace("Insulation must come before", "Insulation can follow");
    scratch.write("docs/insulation-first.md", other);
    scratch
}

/// Ends an update of all sessions after this time by a signal, and returns what it has printed.
fn ended_after(scratch: &Scratch, delay: Duration, signal: Signal) -> (Option<i32>, String) {
    let mut child = scratch
        .command(&["update", "--all"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    thread::sleep(delay);
    if child.try_wait().unwrap().is_none() {
        let _ = kill_process(Pid::from_child(&child), signal);
    }
    let ended = child.wait_with_output().unwrap();
    let printed = String::from_utf8(ended.stdout).unwrap();
    (ended.status.code(), printed)
}

#[test]
fn news_of_an_interrupted_update_are_those_of_the_next_one() {
    let outdated = outdated();
    let undisturbed = outdated.copy();
    let begun = Instant::now();
    let news = undisturbed.expect(8, &["update", "--all"]).stdout;
    let duration = begun.elapsed();
    assert!(news.contains("45,000 to 55,000"), "{news}");
    let mut hits = 0;
    for part in 1..=12 {
        let scratch = outdated.copy();
        let signal = [Signal::KILL, Signal::INT][part % 2];
        let delay = duration * u32::try_from(part).unwrap() / 10;
        let (code, printed) = ended_after(&scratch, delay, signal);
        let next = scratch.run(&["update", "--all"]);
        let case = format!("{signal:?} after {delay:?}: {}", next.stderr);
        if printed.is_empty() {
            hits += 1;
            assert_eq!((next.code, next.stdout), (Some(8), news.clone()), "{case}");
        } else {
            assert_eq!(printed, news, "{case}");
        }
        assert_ne!(code, Some(0), "{case}");
        // Once they are printed, there are none any more.
        let last = scratch.expect(0, &["update", "--all"]);
        assert_eq!(last.stdout, "", "{case}");
        assert!(last.stderr.contains("3 reports: 3 as before"), "{case}");
        for name in NAMES {
            let report = format!("research-output/{name}/report.json");
            assert_eq!(scratch.read(&report), undisturbed.read(&report), "{case}");
        }
    }
    assert!(hits > 0, "no update was interrupted");
}

#[test]
fn news_are_compared_with_the_published_report_also_after_a_run_in_between() {
    let scratch = outdated();
    let news = scratch.copy().expect(8, &["update", "--all"]).stdout;
    // As an update of an older version that ended here leaves it: without a report.
    for name in NAMES {
        scratch.expect(0, &["run", "--resume", name, "--until", "research"]);
    }
    assert_eq!(scratch.expect(8, &["update", "--all"]).stdout, news);
}

#[test]
fn report_that_a_run_has_finished_for_an_update_is_news_still() {
    let scratch = outdated();
    let news = scratch.copy().expect(8, &["update", "a"]).stdout;
    let mut command = scratch.command(&["update", "a"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.spawn().unwrap();
    let baseline = scratch.path().join("research-output/a/.update.json");
    while !baseline.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    scratch.expect(0, &["run", "--resume", "a"]);
    let foreseen = scratch.expect(8, &["update", "a", "--dry-run"]).stdout;
    assert!(foreseen.contains("interrupted"), "{foreseen}");
    assert_eq!(scratch.expect(8, &["update", "a"]).stdout, news);
    assert_eq!(scratch.expect(0, &["update", "a"]).stdout, "");
    assert!(!baseline.exists());
}

#[test]
fn interrupted_update_names_the_command_that_takes_it_up() {
    let scratch = outdated();
    let mut command = scratch.command(&["update", "--all", "--offline", "--jobs", "1"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let baseline = scratch.path().join("research-output/a/.update.json");
    while !baseline.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before");
        thread::sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{stderr}");
    let resume = "to resume: research update --all --offline\n";
    assert!(stderr.contains(resume), "{stderr}");
}

#[test]
fn session_without_a_report_is_left_out_with_its_reason() {
    let scratch = Scratch::with_few();
    fs::create_dir(scratch.path().join("research-output")).unwrap();
    let none = scratch.expect(0, &["update", "--all"]);
    assert!(!none.stderr.contains("0 reports"), "{}", none.stderr);
    let topic = "What does a heat pump cost?";
    scratch.expect(0, &["run", topic, "--docs", "docs", "--session", "a"]);
    let until = ["run", topic, "--docs", "docs", "--session", "b", "--until"];
    scratch.expect(0, &[&until[..], &["research"]].concat());
    let ran = scratch.expect(0, &["update", "--all", "--quiet"]);
    assert_eq!(ran.stdout, "");
    let line = "left out: research-output/b: no report yet: ANALYZING; research run --resume";
    assert!(ran.stderr.contains(line), "{}", ran.stderr);
    let ran = scratch.expect(0, &["update", "--all"]).stderr;
    assert!(
        ran.contains("1 report: 1 as before, 1 session left out"),
        "{ran}"
    );
    let all = parsed(&scratch.expect(0, &["update", "--all", "--json"]).stdout);
    assert_eq!(all[1]["outcome"], "left_out");
    fs::remove_file(scratch.path().join("docs/costs.md")).unwrap();
    scratch.expect(8, &["update", "--all"]);
}

#[test]
fn same_error_of_several_sessions_is_one_line() {
    let scratch = outdated();
    fs::rename(scratch.path().join("docs"), scratch.path().join("away")).unwrap();
    let ran = scratch.expect(1, &["update", "--all"]);
    let line = "(the same of 2 other sessions)";
    assert_eq!(ran.stderr.matches(line).count(), 1, "{}", ran.stderr);
    let error = "was made from";
    assert_eq!(ran.stderr.matches(error).count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("3 reports: 3 failed"), "{}", ran.stderr);
    fs::rename(scratch.path().join("away"), scratch.path().join("docs")).unwrap();
    scratch.expect(8, &["update", "--all"]);
}

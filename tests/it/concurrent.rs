//! Two runs at once: one of them works, and the other says so, waits, or finds everything done.

use std::process::{Child, Stdio};

use research::pipeline::Lock;

use crate::harness::{NOW, Ran, Scratch, TOPIC};

const RESUME: [&str; 3] = ["run", "--resume", "s"];

fn unfinished() -> Scratch {
    let scratch = Scratch::with_few();
    let first = ["run", TOPIC, "--docs", "docs", "--session", "s"];
    scratch.expect(0, &[&first[..], &["--until", "research"]].concat());
    scratch
}

fn spawn(scratch: &Scratch, arguments: &[&str]) -> Child {
    let mut command = scratch.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn ended(child: Child) -> Ran {
    child.wait_with_output().unwrap().into()
}

#[test]
fn second_run_says_who_holds_the_session() {
    let scratch = unfinished();
    let before = scratch.tree();
    let _lock = Lock::take(&scratch.session(), true, NOW).unwrap();
    let refused = scratch.expect(7, &RESUME);
    let holder = format!("pid {} on ", std::process::id());
    assert!(refused.stderr.contains(&holder), "{}", refused.stderr);
    assert!(refused.stderr.contains("--wait"), "{}", refused.stderr);
    assert!(scratch.tree() == before);
}

#[test]
fn held_session_can_be_read() {
    let scratch = unfinished();
    let _lock = Lock::take(&scratch.session(), true, NOW).unwrap();
    scratch.expect(0, &["explain", "s"]);
    let status = scratch.expect(0, &["status", "s"]);
    assert!(status.stdout.contains("in use"), "{}", status.stdout);
    scratch.expect(0, &["list"]);
    scratch.expect(0, &["show", "s", "research.json"]);
    scratch.expect(0, &["run", "--resume", "s", "--dry-run"]);
}

#[test]
fn waiting_run_goes_on_when_the_session_is_free() {
    let scratch = unfinished();
    let lock = Lock::take(&scratch.session(), true, NOW).unwrap();
    let mut child = spawn(&scratch, &["run", "--resume", "s", "--wait"]);
    // It can only have ended by not waiting.
    assert_eq!(child.try_wait().unwrap(), None);
    drop(lock);
    ended(child).assert_ended(0, "waiting");
    assert!(scratch.tree().contains_key("final_report.md"));
}

#[test]
fn two_runs_of_one_question_end_with_one_session() {
    let reference = Scratch::with_few();
    reference.research();
    for round in 0..5 {
        let scratch = Scratch::with_few();
        let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s"];
        let pair = [(); 2].map(|()| spawn(&scratch, &arguments)).map(ended);
        let case = format!("pair {round}: {} {}", pair[0].stderr, pair[1].stderr);
        assert!(pair.iter().any(|ran| ran.code == Some(0)), "{case}");
        for ran in &pair {
            assert!(matches!(ran.code, Some(0 | 7)), "{case}");
        }
        assert!(scratch.tree() == reference.tree(), "{case}");
    }
}

#[test]
fn two_waiting_runs_both_end_well() {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s", "--wait"];
    for ran in [(); 3].map(|()| spawn(&scratch, &arguments)).map(ended) {
        ran.assert_ended(0, "waiting");
    }
    let reference = Scratch::with_few();
    reference.research();
    assert!(scratch.tree() == reference.tree());
}

#[test]
fn runs_without_a_name_choose_the_same_one() {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--docs", "docs", "--wait"];
    for ran in [(); 2].map(|()| spawn(&scratch, &arguments)).map(ended) {
        ran.assert_ended(0, "waiting");
    }
    let listed = scratch.expect(0, &["list"]);
    assert_eq!(listed.stdout.lines().count(), 1, "{}", listed.stdout);
}

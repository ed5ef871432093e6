//! What a batch says when it ends: stopped while it waits for its list, in use, at the end of a
//! list, in a dry run.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use research::pipeline::Lock;
use rustix::process::{Pid, Signal, kill_process};

use crate::harness::{DEMANDING, NOW, Ran, Scratch, TOPIC, WIDE_TOPIC, parsed};

fn spawn(scratch: &Scratch, list: &str, stdin: Stdio) -> Child {
    let mut command = scratch.command(&["batch", list, "--docs", "docs"]);
    let command = command.stdin(stdin).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

/// Stops a batch once the first topic is complete, while its list is still open.
fn stopped(child: Child, mut list: impl Write, signal: Signal) -> Ran {
    let mut child = child;
    writeln!(list, "{TOPIC}").unwrap();
    let mut reports = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    reports.read_line(&mut first).unwrap();
    assert!(first.ends_with("final_report.md\n"), "{first}");
    let process = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(process, signal).unwrap();
    let ran = child.wait_with_output().unwrap().into();
    drop(list);
    ran
}

#[test]
fn a_batch_that_waits_for_its_list_obeys_the_first_signal() {
    for signal in [Signal::INT, Signal::TERM] {
        let scratch = Scratch::with_few();
        let mut child = spawn(&scratch, "-", Stdio::piped());
        let list = child.stdin.take().unwrap();
        let ran = stopped(child, list, signal);
        ran.assert_ended(130, "batch -");
        let words = "1 topic: 1 complete; the rest of the list was not started";
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        assert!(ran.stderr.contains("to resume: "), "{}", ran.stderr);
    }
}

fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

#[test]
fn a_named_pipe_is_read_once_and_waited_for_no_longer_than_wanted() {
    let scratch = Scratch::with_few();
    let pipe = scratch.path().join("pipe");
    make_pipe(&pipe);
    let child = spawn(&scratch, "pipe", Stdio::null());
    let list = File::create(&pipe).unwrap();
    stopped(child, list, Signal::INT).assert_ended(130, "batch pipe");

    let child = spawn(&scratch, "pipe", Stdio::null());
    let mut list = File::create(&pipe).unwrap();
    writeln!(list, "{TOPIC}").unwrap();
    drop(list);
    let ran: Ran = child.wait_with_output().unwrap().into();
    ran.assert_ended(0, "batch pipe");
    assert!(ran.stderr.contains("nothing to do for 1"), "{}", ran.stderr);
}

/// A topic on which the documents are silent.
const SILENT: &str = "Who won the chess championship of 1972?";

const BATCH: [&str; 4] = ["batch", "list.txt", "--docs", "docs"];

fn batch(scratch: &Scratch, code: i32, list: &[&str], arguments: &[&str]) -> Ran {
    scratch.write("list.txt", list.join("\n"));
    scratch.expect(code, &[&BATCH[..], arguments].concat())
}

#[test]
fn a_quiet_batch_says_in_a_line_why_it_fails() {
    let scratch = Scratch::with_few();
    let says = |code: i32, topic: &str, arguments: &[&str], words: &str| {
        let quiet = [arguments, &["-q"]].concat();
        let ran = batch(&scratch, code, &[topic], &quiet);
        let expected =
            format!("research: 1 topic: 1 {words}; research-output/batch.json says which\n");
        let said = ran.stderr.replace("; nothing to do for 1", "");
        assert_eq!(said, expected);
    };
    says(5, SILENT, &[], "no evidence");
    let strict = [&DEMANDING[..], &["--strict"]].concat();
    says(3, WIDE_TOPIC, &strict, "below threshold");
    let complete = batch(&scratch, 0, &[TOPIC], &["-q"]);
    assert_eq!(complete.stderr, "");
    let session = complete.stdout.trim().rsplit_once('/').unwrap().0;
    let _lock = Lock::acquire(&scratch.path().join(session), false, NOW).unwrap();
    says(7, TOPIC, &["--force"], "in use");
}

#[test]
fn a_dry_run_as_json_lists_the_topics() {
    let scratch = Scratch::with_few();
    batch(&scratch, 0, &[TOPIC], &[]);
    let list = [
        TOPIC,
        r#"{"topic": "What does a heat pump cost?", "session": "costs"}"#,
        TOPIC,
    ];
    let dry = batch(&scratch, 0, &list, &["--dry-run", "--json"]);
    let printed = parsed(&dry.stdout);
    assert_eq!(printed["version"], 1);
    let topics = printed["topics"].as_array().unwrap();
    let endings: Vec<_> = topics.iter().map(|topic| &topic["ending"]).collect();
    assert_eq!(endings, ["complete", "would_run", "duplicate"]);
    assert_eq!(topics[1]["session"], "costs");
    assert_eq!(topics[1]["path"], "research-output/costs");
    let reason = topics[1]["reason"].as_str().unwrap();
    assert!(reason.contains("not made yet"), "{reason}");
    let schema = parsed(&scratch.expect(0, &["schema", "batch"]).stdout);
    assert!(jsonschema::is_valid(&schema, &printed), "{printed}");
    assert!(schema["properties"]["topics"].is_object(), "{schema}");

    let made = parsed(&batch(&scratch, 0, &list, &["--json"]).stdout);
    assert!(made.get("topics").is_none(), "{made}");
    let record = parsed(&scratch.read("research-output/batch.json"));
    let path = record["topics"][0]["path"].as_str().unwrap();
    assert!(scratch.path().join(path).join("final_report.md").exists());
    assert_eq!(record["topics"][1]["path"], "research-output/costs");
}

#[test]
fn a_list_whose_last_topic_fails_has_no_rest() {
    let scratch = Scratch::with_few();
    let fails = r#"{"topic": "What does a heat pump cost?", "docs": ["nowhere"]}"#;
    let ran = batch(&scratch, 1, &[fails], &[]);
    assert!(ran.stderr.contains("1 topic: 1 failed"), "{}", ran.stderr);
    assert!(
        !ran.stderr.contains("the rest of the list"),
        "{}",
        ran.stderr
    );
    let ran = batch(&scratch, 1, &[fails], &["--dry-run", "--json"]);
    assert_eq!(parsed(&ran.stdout)["summary"]["whole_list"], true);
    let ran = batch(&scratch, 1, &[fails, TOPIC], &["-j1"]);
    assert!(
        ran.stderr.contains("the rest of the list"),
        "{}",
        ran.stderr
    );
}

//! The batch: each topic runs once whatever else fails, finished ones are skipped.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use research::pipeline::Lock;
use serde_json::Value;

use crate::harness::{GATES, NOW, ONE_PLAN, Ran, Scratch, TOPIC, parsed, tree};

const TOPICS: [&str; 4] = [
    TOPIC,
    "Must insulation come before a heat pump?",
    "What does a heat pump cost?",
    "Can old radiators stay when a heat pump comes?",
];

/// A topic on which the documents are silent.
const SILENT: &str = "Who won the chess championship of 1972?";

const BATCH: [&str; 4] = ["batch", "list.txt", "--docs", "docs"];

fn with_list(lines: &[&str]) -> Scratch {
    let scratch = Scratch::with_few();
    scratch.write("list.txt", lines.join("\n"));
    scratch
}

fn batch(scratch: &Scratch, code: i32, arguments: &[&str]) -> Ran {
    scratch.expect(code, &[&BATCH[..], arguments].concat())
}

fn sessions(scratch: &Scratch) -> BTreeSet<String> {
    let listing = fs::read_dir(scratch.path().join("research-output"));
    listing
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect()
}

/// Every file of all sessions, but for caches and logs.
fn all_files(scratch: &Scratch) -> Vec<(String, Vec<u8>)> {
    let output = scratch.path().join("research-output");
    sessions(scratch)
        .into_iter()
        .flat_map(|id| {
            let files = tree(&output.join(&id)).into_iter();
            files.map(move |(name, bytes)| (format!("{id}/{name}"), bytes))
        })
        .collect()
}

fn record(scratch: &Scratch) -> serde_json::Value {
    parsed(&scratch.read("research-output/batch.json"))
}

/// The session of each topic in the order of the list, from the record.
fn recorded_sessions(scratch: &Scratch) -> Vec<String> {
    let record = record(scratch);
    let topics = record["topics"].as_array().unwrap();
    let id = |entry: &serde_json::Value| entry["session"].as_str().unwrap_or_default().to_owned();
    topics.iter().map(id).collect()
}

/// Breaks a gate of the session of the topic at this index of the list.
fn break_gate(scratch: &Scratch, index: usize) -> String {
    let id = recorded_sessions(scratch).swap_remove(index);
    let gate = format!("research-output/{id}/research.json");
    scratch.write(&gate, "{ broken");
    id
}

/// Runs batches until every session is in the skip cache, which files younger than the clock's
/// resolution do not enter.
fn fill_skip_cache(scratch: &Scratch) {
    let is_cached = |id: &String| {
        let records = fs::read(scratch.path().join("research-output/.batch-stamps"));
        let is_there =
            |records: Vec<u8>| records.windows(id.len()).any(|part| part == id.as_bytes());
        records.is_ok_and(is_there)
    };
    let runs = (0..100).find(|_| {
        // A record of before stays while the files are too new for another one.
        let ran = batch(scratch, 0, &["-k", "-vv"]);
        !ran.stderr.contains("is stale") && sessions(scratch).iter().all(is_cached)
    });
    assert!(
        runs.is_some(),
        "finished sessions never entered the skip cache"
    );
}

#[test]
fn batch_reports_each_topic_and_a_later_run_does_nothing() {
    let scratch = with_list(&TOPICS);
    let first = batch(&scratch, 0, &["-j", "3"]);
    assert_eq!(sessions(&scratch).len(), TOPICS.len());
    let ids = recorded_sessions(&scratch);
    let reports: Vec<&str> = first.stdout.lines().collect();
    let expected: Vec<String> = ids
        .iter()
        .map(|id| format!("research-output/{id}/final_report.md"))
        .collect();
    assert_eq!(reports, expected);
    for (topic, entry) in TOPICS
        .iter()
        .zip(record(&scratch)["topics"].as_array().unwrap())
    {
        assert_eq!(entry["topic"], *topic);
        assert_eq!(entry["ending"], "complete");
        let line = format!("complete         {}", entry["session"].as_str().unwrap());
        assert!(first.stderr.contains(&line), "{}", first.stderr);
    }
    assert!(first.stderr.contains("/4] "), "{}", first.stderr);
    let before = all_files(&scratch);
    for day in ["2026-11-22T00:00:01Z", "2027-01-01T00:00:00Z"] {
        let mut command = scratch.command(&BATCH);
        let again: Ran = command.env("RESEARCH_NOW", day).output().unwrap().into();
        again.assert_ended(0, day);
        assert_eq!(again.stdout, first.stdout);
        let summary = "4 topics: 4 complete; nothing to do for 4\n";
        assert_eq!(again.stderr, summary);
        assert!(all_files(&scratch) == before);
    }
}

#[test]
fn batch_is_deterministic_whatever_the_number_of_workers() {
    let (one, many) = (with_list(&TOPICS), with_list(&TOPICS));
    let ran = [batch(&one, 0, &["-j1"]), batch(&many, 0, &["-j4"])];
    assert_eq!(ran[0].stdout, ran[1].stdout);
    assert!(all_files(&one) == all_files(&many));
    assert_eq!(record(&one), record(&many));
}

#[test]
fn more_jobs_than_open_files_are_refused_with_the_limit() {
    let scratch = with_list(&TOPICS);
    let batch = scratch.command(&[&BATCH[..], &["-j", "2000"]].concat());
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -n 700 && exec \"$0\" \"$@\""])
        .arg(batch.get_program())
        .args(batch.get_args())
        .current_dir(scratch.path());
    let ran = Ran::from(limited.output().unwrap());
    ran.assert_ended(2, "too many jobs");
    let text = "--jobs 2000 needs 2512 open files, and this process may have 700; raise the limit \
                (ulimit -n), or give fewer jobs";
    assert!(ran.stderr.contains(text), "{}", ran.stderr);
    assert!(!scratch.path().join("research-output").exists());
}

#[test]
fn batch_and_run_share_sessions() {
    let scratch = with_list(&TOPICS[..2]);
    scratch.expect(0, &["run", TOPICS[1], "--docs", "docs"]);
    batch(&scratch, 0, &[]);
    assert_eq!(sessions(&scratch).len(), 2);
    let again = scratch.expect(0, &["run", TOPICS[0], "--docs", "docs"]);
    assert!(again.stderr.contains("nothing to do"), "{}", again.stderr);
    assert_eq!(sessions(&scratch).len(), 2);
}

#[test]
fn json_lines_override_the_options_of_the_batch() {
    let scratch = with_list(&[
        "# two topics",
        "",
        concat!(
            r#"{"topic": "What does a heat pump cost?", "docs": ["docs/costs.md"], "#,
            r#""depth": "quick", "threshold": 0.9, "max_rounds": 2, "session": "costs"}"#
        ),
        "  What does a heat pump cost?  ",
    ]);
    batch(&scratch, 0, &[]);
    let session = parsed(&scratch.read("research-output/costs/session.json"));
    assert_eq!(session["depth"], "quick");
    assert_eq!(session["threshold"], 0.9);
    assert_eq!(session["max_rounds"], 2);
    assert_eq!(
        session["documents"],
        serde_json::json!(["../../docs/costs.md"])
    );
    assert_eq!(sessions(&scratch).len(), 2);
    let record = record(&scratch);
    let lines: Vec<_> = record["topics"].as_array().unwrap().iter().collect();
    assert_eq!(
        (&lines[0]["line"], &lines[1]["line"]),
        (&3.into(), &4.into())
    );
}

#[test]
fn list_is_read_from_standard_input() {
    let scratch = Scratch::with_few();
    let mut command = scratch.command(&["batch", "-", "--docs", "docs", "--json"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut list = child.stdin.take().unwrap();
    list.write_all(TOPICS[..2].join("\n").as_bytes()).unwrap();
    drop(list);
    let ran: Ran = child.wait_with_output().unwrap().into();
    ran.assert_ended(0, "batch -");
    let printed = parsed(&ran.stdout);
    assert_eq!(printed["summary"]["complete"], 2);
    assert_eq!(printed["summary"]["whole_list"], true);
    assert_eq!(printed["record"], "research-output/batch.json");
}

#[test]
fn duplicate_topics_run_once() {
    let scratch = with_list(&[TOPICS[0], TOPICS[1], TOPICS[0], TOPICS[0]]);
    let ran = batch(&scratch, 0, &["-j4"]);
    assert_eq!(sessions(&scratch).len(), 2);
    assert_eq!(ran.stdout.lines().count(), 2);
    assert_eq!(record(&scratch)["summary"]["duplicate"], 2);
}

#[test]
fn malformed_line_is_a_usage_error_before_the_first_topic() {
    let scratch = with_list(&[TOPICS[0], r#"{"topic": "bees", "dept": "deep"}"#]);
    let refused = batch(&scratch, 2, &[]);
    for expected in ["list.txt: line 2: unknown field `dept`", "`depth`"] {
        assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    }
    assert!(!scratch.path().join("research-output").exists());
    let ran = batch(&scratch, 1, &["--keep-going"]);
    assert_eq!(ran.stdout.lines().count(), 1);
    let failure = "list.txt:2: failed: {\"topic\"";
    assert!(ran.stderr.contains(failure), "{}", ran.stderr);
}

#[test]
fn a_table_with_a_header_is_a_usage_error() {
    let scratch = with_list(&[]);
    scratch.write("topics.csv", format!("topic,depth\n{},quick\n", TOPICS[0]));
    let refused = scratch.expect(2, &["batch", "topics.csv", "--docs", "docs"]);
    let expected = "topics.csv is a table with the columns topic,depth";
    assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    // Without a header it is a list like any other.
    scratch.write("topics.csv", format!("{}\n", TOPICS[0]));
    scratch.expect(0, &["batch", "topics.csv", "--docs", "docs"]);
}

#[test]
fn a_session_that_two_lines_name_is_a_usage_error_before_the_first_topic() {
    let named = |topic: &str| format!(r#"{{"topic": "{topic}", "session": "same"}}"#);
    let [first, second] = [named(TOPICS[0]), named(TOPICS[1])];
    let scratch = with_list(&[&first, TOPICS[2], &second]);
    let refused = batch(&scratch, 2, &[]);
    let expected = "list.txt: line 3: line 1 names the session same too";
    assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    assert!(!scratch.path().join("research-output").exists());
    // Who wants to go on has the others, and the reason.
    let ran = batch(&scratch, 1, &["--keep-going"]);
    assert_eq!(ran.stdout.lines().count(), 2);
    let reason = "line 1 names the session same too";
    assert!(ran.stderr.contains(reason), "{}", ran.stderr);
    // The same line twice is one topic.
    let scratch = with_list(&[&first, &first]);
    batch(&scratch, 0, &[]);
    assert_eq!(record(&scratch)["summary"]["duplicate"], 1);
}

#[test]
fn failure_stops_the_batch_unless_keep_going() {
    let scratch = with_list(&TOPICS[..1]);
    batch(&scratch, 0, &[]);
    let broken = break_gate(&scratch, 0);
    scratch.write("list.txt", TOPICS.join("\n"));
    let stopped = batch(&scratch, 1, &["-j1"]);
    assert_eq!(sessions(&scratch).len(), 1);
    let rest = "the rest of the list was not started";
    assert!(stopped.stderr.contains(rest), "{}", stopped.stderr);

    let ran = batch(&scratch, 1, &["-j1", "-k"]);
    assert_eq!(sessions(&scratch).len(), 4);
    assert_eq!(ran.stdout.lines().count(), 3);
    let end: Vec<&str> = ran.stderr.lines().rev().take(2).collect();
    assert_eq!(end[0], "4 topics: 3 complete, 1 failed");
    assert!(end[1].contains("list.txt:1: failed") && end[1].contains("research.json:1:3"));

    // The remedy that the message names works.
    let again = format!("research-output/{broken}");
    scratch.expect(0, &["run", "--resume", &again, "--from", "research"]);
    batch(&scratch, 0, &[]);
}

#[test]
fn missing_documents_fail_only_their_topic() {
    let line = r#"{"topic": "bees", "docs": ["nowhere"]}"#;
    let scratch = with_list(&[line, TOPICS[0]]);
    let ran = batch(&scratch, 1, &["-k"]);
    assert_eq!(ran.stdout.lines().count(), 1);
    assert!(
        ran.stderr.contains("nowhere does not exist"),
        "{}",
        ran.stderr
    );
    scratch.expect(2, &["batch", "list.txt", "--docs", "elsewhere"]);
}

#[test]
fn locked_session_is_skipped_or_waited_for() {
    let scratch = with_list(&TOPICS[..3]);
    batch(&scratch, 0, &["--until", "research"]);
    let id = recorded_sessions(&scratch).swap_remove(1);
    let path = scratch.path().join("research-output").join(&id);
    let lock = Lock::acquire(&path, true, NOW).unwrap();
    let ran = batch(&scratch, 7, &[]);
    assert_eq!(ran.stdout.lines().count(), 2);
    let line = format!("in use           {id}  {}", TOPICS[1]);
    assert!(ran.stderr.contains(&line), "{}", ran.stderr);
    let mut waiting = spawn(&scratch, &["--wait", "-v", "-j1"]);
    let mut lines = BufReader::new(waiting.stderr.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.starts_with("[1/3] complete"), "{first}");
    drop(lock);
    let rest: Vec<String> = lines.map(|line| line.unwrap()).collect();
    assert_eq!(waiting.wait().unwrap().code(), Some(0), "{rest:?}");
    assert_eq!(batch(&scratch, 0, &[]).stdout.lines().count(), 3);
}

fn spawn(scratch: &Scratch, arguments: &[&str]) -> Child {
    let mut command = scratch.command(&[&BATCH[..], arguments].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

#[test]
fn concurrent_batches_run_each_topic_once() {
    let topics: Vec<String> = (0..12)
        .map(|number| format!("What does a heat pump cost?{}", "!".repeat(number)))
        .collect();
    let lines: Vec<&str> = topics.iter().map(String::as_str).collect();
    let scratch = with_list(&lines);
    let batches = [(); 3].map(|()| spawn(&scratch, &["-k", "-j2"]));
    for batch in batches {
        let ran: Ran = batch.wait_with_output().unwrap().into();
        assert!(matches!(ran.code, Some(0 | 7)), "{}", ran.stderr);
    }
    assert_eq!(sessions(&scratch).len(), topics.len());
    for id in sessions(&scratch) {
        let events = scratch.read(&format!("research-output/{id}/events.jsonl"));
        let published = events
            .lines()
            .filter(|line| line.contains("final_report.md"));
        assert_eq!(published.count(), 1, "{id}: {events}");
    }
    assert_eq!(record(&scratch)["summary"]["topics"], topics.len());
    let last = batch(&scratch, 0, &[]);
    assert!(
        last.stderr.contains("nothing to do for 12"),
        "{}",
        last.stderr
    );
}

#[test]
fn shards_partition_the_list() {
    let scratch = with_list(&TOPICS);
    let mut seen = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let ran = batch(&scratch, 0, &["--shard", shard]);
        seen.extend(ran.stdout.lines().map(str::to_owned));
        let again = batch(&scratch, 0, &["--shard", shard]);
        assert_eq!(again.stdout, ran.stdout);
        let name = format!("research-output/batch-{}.json", shard.replace('/', "-of-"));
        assert!(scratch.path().join(name).exists());
    }
    let whole = batch(&scratch, 0, &[]);
    assert!(
        whole.stderr.contains("nothing to do for 4"),
        "{}",
        whole.stderr
    );
    let mut expected: Vec<&str> = whole.stdout.lines().collect();
    expected.sort_unstable();
    seen.sort_unstable();
    assert_eq!(seen, expected);
    batch(&scratch, 2, &["--shard", "4/3"]);
}

#[test]
fn skip_cache_notices_changed_and_removed_files() {
    let scratch = with_list(&TOPICS[..1]);
    batch(&scratch, 0, &[]);
    let id = recorded_sessions(&scratch).swap_remove(0);
    let path = |name: &str| format!("research-output/{id}/{name}");
    for gate in &GATES[..3] {
        fill_skip_cache(&scratch);
        let text = scratch.read(&path(gate));
        // In place, and as long as before.
        scratch.write(&path(gate), text.replacen(NOW, "2026-11-21T12:00:09Z", 1));
        let ran = batch(&scratch, 0, &[]);
        assert!(
            !ran.stderr.contains("nothing to do"),
            "{gate}: {}",
            ran.stderr
        );
        assert!(scratch.read(&path(gate)).contains("12:00:09Z"), "{gate}");
    }
    for name in ["final_report.md", "report.md", "review.json"] {
        fill_skip_cache(&scratch);
        fs::remove_file(scratch.path().join(path(name))).unwrap();
        batch(&scratch, 0, &[]);
        assert!(scratch.path().join(path(name)).exists(), "{name}");
    }
    fill_skip_cache(&scratch);
    // The program replaces its own record whole, which shows in the times of the directory.
    let is_stale = || batch(&scratch, 0, &["-vv"]).stderr.contains("is stale");
    assert!(!is_stale());
    scratch.write("other", scratch.read(&path("session.json")));
    let record = scratch.path().join(path("session.json"));
    fs::rename(scratch.path().join("other"), record).unwrap();
    assert!(is_stale());
    fill_skip_cache(&scratch);
    fs::remove_dir_all(scratch.path().join("research-output").join(&id)).unwrap();
    batch(&scratch, 0, &[]);
    assert!(scratch.path().join(path("final_report.md")).exists());
}

#[test]
fn skip_cache_is_never_a_source_of_truth() {
    let scratch = with_list(&TOPICS[..2]);
    batch(&scratch, 0, &[]);
    fill_skip_cache(&scratch);
    let file = "research-output/.batch-stamps";
    let before = all_files(&scratch);
    let records = fs::read(scratch.path().join(file)).unwrap();
    let mut torn = records.clone();
    torn.iter_mut()
        .skip(40)
        .step_by(3)
        .for_each(|byte| *byte ^= 1);
    for bytes in [
        &[][..],
        &records[..records.len() - 28],
        &torn,
        b"something else",
    ] {
        scratch.write(file, bytes);
        let ran = batch(&scratch, 0, &[]);
        assert!(
            ran.stderr.ends_with("nothing to do for 2\n"),
            "{}",
            ran.stderr
        );
        assert!(all_files(&scratch) == before);
    }
    // A record of the third topic names a session that is not in this tree: it is made here.
    let other = Scratch::with_few();
    other.write("list.txt", TOPICS[2]);
    batch(&other, 0, &[]);
    fill_skip_cache(&other);
    scratch.write(file, fs::read(other.path().join(file)).unwrap());
    scratch.write("list.txt", TOPICS[..3].join("\n"));
    batch(&scratch, 0, &[]);
    assert_eq!(sessions(&scratch).len(), 3);
}

#[test]
fn skip_cache_misses_under_another_configuration() {
    let scratch = with_list(&TOPICS[..1]);
    batch(&scratch, 0, &[]);
    fill_skip_cache(&scratch);
    // The configuration hash differs, so the session is planned; its plan has nothing to do.
    let before = all_files(&scratch);
    let ran = batch(&scratch, 0, &["--max-rounds", "2", "--threshold", "0.1"]);
    assert!(ran.stderr.contains("nothing to do for 1"), "{}", ran.stderr);
    assert!(all_files(&scratch) == before);
}

#[test]
fn batch_leaves_no_status_file_and_prints_events_as_json_lines_on_request() {
    let scratch = with_list(&TOPICS[..2]);
    let ran = batch(&scratch, 0, &["--events"]);
    let lines: Vec<Value> = ran.stdout.lines().map(parsed).collect();
    let (last, events) = lines.split_last().unwrap();
    assert_eq!(last["result"]["summary"]["complete"], 2);
    let name = |line: &Value| match &line["event"] {
        Value::Object(event) => event.keys().next().unwrap().clone(),
        name => name.as_str().unwrap().to_owned(),
    };
    for wanted in [
        "topic_started",
        "run_started",
        "step_finished",
        "topic_finished",
    ] {
        let of_worker = |line: &&Value| name(line) == wanted && line["worker"].is_u64();
        assert!(events.iter().filter(of_worker).count() >= 2, "{wanted}");
    }
    let finished = events.iter().rfind(|line| name(line) == "topic_finished");
    let finished = &finished.unwrap()["event"]["topic_finished"];
    assert_eq!(finished["finished"], 2);
    assert_eq!(finished["topic"]["ending"], "complete");
    let schema = parsed(&scratch.expect(0, &["schema", "batch-event"]).stdout);
    let validator = jsonschema::validator_for(&schema).unwrap();
    for line in events {
        assert!(validator.is_valid(line), "{line}");
    }
    let left = tree(&scratch.path().join("research-output")).into_keys();
    assert!(!left.into_iter().any(|name| name.starts_with(".batch")));
    // Topics with nothing to do are events too.
    let again = batch(&scratch, 0, &["--events"]).stdout;
    assert_eq!(again.matches("\"topic_finished\"").count(), 2, "{again}");
}

#[test]
fn dry_run_lists_stale_topics_and_writes_nothing() {
    let scratch = with_list(&TOPICS[..2]);
    let ran = batch(&scratch, 0, &["-n"]);
    assert_eq!(ran.stdout.lines().count(), 2);
    assert!(
        ran.stdout.contains("research.json: not made yet"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("2 would run"), "{}", ran.stderr);
    assert!(!scratch.path().join("research-output").exists());
    batch(&scratch, 0, &[]);
    let ran = batch(&scratch, 0, &["--dry-run"]);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("nothing to do for 2"), "{}", ran.stderr);
}

#[test]
fn force_reruns_every_topic_and_refresh_only_outdated_ones() {
    let scratch = with_list(&TOPICS[..2]);
    let first = batch(&scratch, 0, &[]);
    fill_skip_cache(&scratch);
    let before = all_files(&scratch);
    let ran = batch(&scratch, 0, &["--force", "--dry-run"]);
    let reason = "research.json: asked for with --from";
    assert_eq!(ran.stdout.matches(reason).count(), 2, "{}", ran.stdout);
    let nothing = "2 topics: 2 complete; nothing to do for 2\n";
    for arguments in [&["--refresh", "--dry-run"][..], &["--refresh"]] {
        assert_eq!(batch(&scratch, 0, arguments).stderr, nothing);
        assert!(all_files(&scratch) == before);
    }
    let forced = batch(&scratch, 0, &["--force"]);
    assert_eq!(forced.stdout, first.stdout);
    assert!(forced.stderr.ends_with("2 topics: 2 complete\n"));
    for id in recorded_sessions(&scratch) {
        let session = scratch.path().join("research-output").join(&id);
        assert!(session.join("superseded/1/research.json").exists());
    }
    // Another configuration outdates the topic from the first stage on that depends on it.
    let mut command = scratch.command(&[&BATCH[..], &["--refresh", "-n"]].concat());
    let outdated = command.env(ONE_PLAN.0, ONE_PLAN.1).output().unwrap();
    let outdated = Ran::from(outdated).stdout;
    assert_eq!(outdated.matches("outdated").count(), 2, "{outdated}");
}

#[test]
fn full_disk_on_standard_output_is_an_error_and_a_broken_pipe_is_none() {
    let scratch = with_list(&TOPICS[..2]);
    let to = |file: Stdio| -> Ran {
        let mut command = scratch.command(&BATCH);
        command.stdout(file).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        child.wait_with_output().unwrap().into()
    };
    let (reader, nobody) = std::io::pipe().unwrap();
    drop(reader);
    to(nobody.into()).assert_ended(0, "a broken pipe");
    if let Ok(full) = fs::File::options().write(true).open("/dev/full") {
        let ran = to(full.into());
        ran.assert_ended(1, "a full disk");
        let end: Vec<&str> = ran.stderr.lines().collect();
        assert_eq!(end[0], "2 topics: 2 complete; nothing to do for 2");
        assert!(end[1].starts_with("research: failed to write to standard output: "));
    }
}

#[test]
fn exit_code_is_that_of_the_worst_outcome() {
    let silent = with_list(&[SILENT]);
    batch(&silent, 5, &[]);
    silent.write("list.txt", [SILENT, TOPIC].join("\n"));
    batch(&silent, 0, &[]);
    let strict = with_list(&[TOPIC]);
    let demanding = ["--threshold", "1", "--max-rounds", "1"];
    batch(&strict, 0, &demanding);
    let below = record(&strict)["summary"]["below_threshold"] == 1;
    batch(&strict, if below { 3 } else { 0 }, &["--strict"]);
    assert_eq!(batch(&with_list(&["# nothing"]), 0, &[]).stdout, "");
    Scratch::new().expect(2, &["batch", "nowhere.txt"]);
}

#[test]
fn unclear_topic_waits_and_stops_no_other() {
    let scratch = with_list(&["the of", TOPIC]);
    let ran = batch(&scratch, 4, &["-j1"]);
    assert_eq!(ran.stdout.lines().count(), 1);
    let end: Vec<&str> = ran.stderr.lines().rev().take(2).collect();
    assert!(end[1].starts_with("  to resume: research run --resume"));
    assert!(
        ran.stderr.contains("list.txt:1: not clear: the of"),
        "{}",
        ran.stderr
    );
    batch(&scratch, 0, &["--no-clarify"]);
}

#[test]
fn force_reruns_all_stages_of_a_session() {
    let scratch = Scratch::with_few();
    scratch.research();
    let before = scratch.tree();
    scratch.expect(0, &["run", "--resume", "s", "--force"]);
    for gate in GATES {
        assert_eq!(scratch.tree()[gate], before[gate]);
        let moved = format!("superseded/1/{gate}");
        assert_eq!(scratch.tree()[&moved], before[gate]);
    }
}

#[test]
fn document_that_changes_while_a_batch_watches_is_read_anew() {
    let scratch = with_list(&[TOPICS[0], ""]);
    let mut child = spawn(&scratch, &["--watch"]);
    let mut reports = BufReader::new(child.stdout.take().unwrap()).lines();
    reports.next().unwrap().unwrap();
    scratch.write(
        "docs/quokka.md",
        "# Quokkas\n\nThe quokka of Rottnest Island weighs 3.5 kg.\n",
    );
    let path = scratch.path().join("list.txt");
    let mut list = OpenOptions::new().append(true).open(path).unwrap();
    writeln!(list, "How much does the quokka weigh?").unwrap();
    let report = reports.next().unwrap().unwrap();
    assert!(scratch.read(&report).contains("weighs 3.5 kg"), "{report}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn batch_goes_on_as_lines_are_appended_to_its_list() {
    let scratch = with_list(&[TOPICS[0], ""]);
    let mut child = spawn(&scratch, &["--watch"]);
    let mut reports = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut report = || reports.next().unwrap().unwrap();
    let mut all = vec![report()];
    let path = scratch.path().join("list.txt");
    let mut list = OpenOptions::new().append(true).open(path).unwrap();
    // A line counts once it is complete, one that fails ends nothing, and one that was there is
    // passed over.
    let parts = ["{\n", TOPICS[0], "\n", &TOPICS[1][..9]];
    list.write_all(parts.concat().as_bytes()).unwrap();
    write!(list, "{}\n{}", &TOPICS[1][9..], TOPICS[2]).unwrap();
    all.push(report());
    let pid = child.id().to_string();
    let ended = Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    assert!(ended.success());
    // The last line has no end yet, so that its topic was not started.
    let ran: Ran = child.wait_with_output().unwrap().into();
    ran.assert_ended(130, "--watch");
    assert_eq!(reports.count(), 0);
    let recorded = recorded_sessions(&scratch);
    assert_eq!(recorded.iter().filter(|id| id.is_empty()).count(), 2);
    let of_record = recorded.iter().filter(|id| !id.is_empty());
    let of_record = of_record.map(|id| format!("research-output/{id}/final_report.md"));
    assert_eq!(all, of_record.collect::<Vec<_>>());
    let outcomes = ["complete", "failed", "duplicate", "complete"];
    let record = record(&scratch);
    let topics = record["topics"].as_array().unwrap().iter();
    assert!(topics.map(|entry| &entry["ending"]).eq(&outcomes));
}

#[test]
fn interrupted_batch_resumes() {
    let topics: Vec<String> = (0..40)
        .map(|number| format!("What does a heat pump cost?{}", "!".repeat(number)))
        .collect();
    let lines: Vec<&str> = topics.iter().map(String::as_str).collect();
    let scratch = with_list(&lines);
    let mut child = spawn(&scratch, &["-j2"]);
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut first = String::new();
    errors.read_line(&mut first).unwrap();
    assert!(first.contains("complete"), "{first}");
    let pid = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(killed.success());
    let rest: Vec<String> = errors.lines().map(|line| line.unwrap()).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
    let says = |words: &str| rest.iter().any(|line| line.contains(words));
    assert!(says("the rest of the list was not started"), "{rest:?}");
    assert!(says("to resume: run the same command again"), "{rest:?}");
    assert_eq!(record(&scratch)["summary"]["whole_list"], false);

    let whole = with_list(&lines[..4]);
    scratch.write("list.txt", lines[..4].join("\n"));
    batch(&scratch, 0, &[]);
    batch(&whole, 0, &[]);
    let ids = recorded_sessions(&scratch);
    assert_eq!(ids, recorded_sessions(&whole));
    for id in ids {
        let report = format!("research-output/{id}/final_report.md");
        assert_eq!(scratch.read(&report), whole.read(&report));
    }
}

#[test]
fn list_without_topics_says_so() {
    let scratch = Scratch::with_few();
    scratch.write("list.txt", "# Nothing yet\n\n");
    let ran = scratch.expect(0, &["batch", "list.txt", "--docs", "docs", "--quiet"]);
    assert!(
        ran.stderr.contains("list.txt has no topics"),
        "{}",
        ran.stderr
    );
}

#[test]
fn rules_and_front_matter_of_a_list_are_passed_over() {
    let lines = [
        "---",
        "title: Pumps",
        "---",
        "",
        TOPICS[1],
        "---",
        TOPICS[2],
    ];
    let scratch = with_list(&lines);
    let ran = batch(&scratch, 0, &[]);
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
    assert_eq!(sessions(&scratch).len(), 2);
}

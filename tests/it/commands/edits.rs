//! The heart of it: a file that a person changed or took away is built upon, what depends on it is
//! made again, and nothing else is touched.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::{finished, json};
use crate::harness::{Scratch, TOPIC, differences, tree};

/// Size, inode and both times of every file: what a rewrite would change even with the same bytes.
fn stamps(root: &Path) -> BTreeMap<String, [i64; 6]> {
    let names = tree(root).into_keys();
    names
        .map(|name| {
            let metadata = fs::symlink_metadata(root.join(&name)).unwrap();
            let stamp = [
                i64::try_from(metadata.size()).unwrap(),
                i64::try_from(metadata.ino()).unwrap(),
                metadata.mtime(),
                metadata.mtime_nsec(),
                metadata.ctime(),
                metadata.ctime_nsec(),
            ];
            (name, stamp)
        })
        .collect()
}

fn sha256(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Puts the person's own words into the first finding of `research.json`.
fn edit_research(scratch: &Scratch) {
    let observation = "\"observation\": \"";
    scratch.edit(
        "research.json",
        observation,
        &format!("{observation}By hand: "),
    );
}

/// The stages that the last run ran, in order.
fn ran(scratch: &Scratch) -> Vec<String> {
    let log = scratch.read("research-output/s/events.jsonl");
    let last = log.rsplit("run_started").next().unwrap().to_owned();
    let mut stages = Vec::new();
    for line in last.lines().skip(1) {
        let event = crate::harness::parsed(line)["event"].clone();
        if let Some(stage) = event["stage_finished"]["stage"].as_str() {
            stages.push(stage.to_owned());
        }
    }
    stages
}

/// The session without superseded files.
fn current(scratch: &Scratch) -> BTreeMap<String, Vec<u8>> {
    let mut files = scratch.tree();
    files.retain(|name, _| !name.starts_with("superseded/"));
    files
}

#[test]
fn edited_research_is_built_upon_and_stale_stages_rerun() {
    let scratch = finished();
    let before = scratch.tree();
    let stamps_before = stamps(&scratch.session());
    edit_research(&scratch);
    let edited = scratch.read("research-output/s/research.json");
    scratch.expect(0, &["run", "--resume", "s"]);

    assert_eq!(ran(&scratch), ["analysis", "write", "review"]);
    assert_eq!(scratch.read("research-output/s/research.json"), edited);
    let stamps_after = stamps(&scratch.session());
    for name in before.keys() {
        if name.starts_with("research/") || name.starts_with("sources/") {
            assert_eq!(stamps_after[name], stamps_before[name], "{name}");
        }
    }
    let after = scratch.tree();
    for name in [
        "analysis.json",
        "report.json",
        "review.json",
        "final_report.md",
        "claims.json",
    ] {
        assert!(
            after[&format!("superseded/1/{name}")] == before[name],
            "{name}"
        );
        assert!(after.contains_key(name), "{name}");
    }
    assert!(!after.contains_key("superseded/1/research.json"));
    let input = &scratch.json("analysis.json")["provenance"]["inputs"]["research.json"];
    assert_eq!(*input, sha256(edited.as_bytes()));
    let again = scratch.expect(0, &["run", "--resume", "s"]);
    assert!(again.stderr.contains("nothing to do"), "{}", again.stderr);
    assert!(scratch.tree() == after);
}

#[test]
fn explain_names_the_changed_input_and_both_digests() {
    let scratch = finished();
    let was = sha256(scratch.read("research-output/s/research.json").as_bytes());
    edit_research(&scratch);
    let is = sha256(scratch.read("research-output/s/research.json").as_bytes());
    let before = tree(scratch.path());
    let printed = scratch.expect(0, &["explain", "s"]).stdout;
    for expected in [
        "research.json",
        &was,
        &is,
        "keep  research",
        "run   analysis",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    let explained = json(&scratch, &["explain", "s"]);
    let changed = &explained["stages"][1]["changed"];
    assert_eq!(changed["file"], "research.json");
    assert_eq!(changed["was"], was);
    assert_eq!(changed["is"], is);
    let runs = explained["stages"].as_array().unwrap();
    let runs: Vec<bool> = runs.iter().map(|stage| stage["runs"] == true).collect();
    assert_eq!(runs, [false, true, true, true]);
    let dry = scratch
        .expect(0, &["run", "--resume", "s", "--dry-run"])
        .stdout;
    assert_eq!(dry, printed);
    assert!(tree(scratch.path()) == before);
}

#[test]
fn missing_gate_reruns_its_stage_and_those_after_it() {
    let gates = ["research", "analysis", "write", "review"];
    let files = [
        "research.json",
        "analysis.json",
        "report.json",
        "review.json",
    ];
    for (index, file) in files.into_iter().enumerate() {
        let scratch = finished();
        let before = scratch.tree();
        fs::remove_file(scratch.session().join(file)).unwrap();
        scratch.expect(0, &["run", "--resume", "s"]);
        assert_eq!(ran(&scratch), gates[index..], "{file}");
        assert_eq!(differences(&current(&scratch), &before), Vec::<&str>::new());
        let again = scratch.expect(0, &["run", "--resume", "s"]);
        assert!(again.stderr.contains("nothing to do"), "{}", again.stderr);
    }
}

#[test]
fn missing_rendered_report_is_rendered_again_without_a_stage() {
    let scratch = finished();
    let before = scratch.tree();
    for file in ["final_report.md", "report.md"] {
        fs::remove_file(scratch.session().join(file)).unwrap();
        scratch.expect(0, &["run", "--resume", "s"]);
        assert_eq!(ran(&scratch), Vec::<String>::new(), "{file}");
        assert!(scratch.tree() == before, "{file}");
    }
}

#[test]
fn edited_report_is_reviewed_and_published_as_edited() {
    let scratch = finished();
    scratch.edit("report.json", "\"title\": \"", "\"title\": \"My words: ");
    scratch.expect(0, &["run", "--resume", "s"]);
    assert_eq!(ran(&scratch), ["review"]);
    let report = scratch.read("research-output/s/final_report.md");
    assert!(report.starts_with("# My words: "), "{report}");
    assert_eq!(scratch.read("research-output/s/report.md"), report);
}

#[test]
fn edited_review_sends_the_round_back() {
    let scratch = finished();
    scratch.edit(
        "review.json",
        "\"decision\": \"accept\"",
        "\"decision\": \"revise\"",
    );
    scratch.expect(0, &["run", "--resume", "s"]);
    assert_eq!(ran(&scratch), ["analysis", "write", "review"]);
    assert!(scratch.tree().contains_key("rounds/1/review.json"));
    assert_eq!(json(&scratch, &["status", "s"])["round"], 2);
}

#[test]
fn from_supersedes_files_and_reruns_stages() {
    let stages = ["research", "analysis", "write", "review"];
    for (index, stage) in stages.into_iter().enumerate() {
        let scratch = finished();
        let before = scratch.tree();
        scratch.expect(0, &["run", "--resume", "s", "--from", stage]);
        assert_eq!(ran(&scratch), stages[index..], "{stage}");
        assert_eq!(differences(&current(&scratch), &before), Vec::<&str>::new());
        let gate = [
            "research.json",
            "analysis.json",
            "report.json",
            "review.json",
        ][index];
        assert!(scratch.tree()[&format!("superseded/1/{gate}")] == before[gate]);
        let why = scratch.read("research-output/s/superseded/1/aside.json");
        assert!(why.contains("--from"), "{why}");
    }
}

#[test]
fn until_stops_after_the_stage_and_a_later_run_resumes() {
    let scratch = Scratch::with_few();
    let mut ask = vec!["run", TOPIC, "--docs", "docs", "--session", "s", "--until"];
    let gates = [
        ("research", "research.json", "analysis.json"),
        ("analysis", "analysis.json", "report.json"),
        ("write", "report.json", "review.json"),
        ("review", "review.json", "nothing"),
    ];
    for (stage, made, missing) in gates {
        ask.push(stage);
        scratch.expect(0, &ask);
        assert_eq!(ran(&scratch), [stage]);
        let files = scratch.tree();
        assert!(
            files.contains_key(made) && !files.contains_key(missing),
            "{stage}"
        );
        ask.pop();
    }
    let uninterrupted = finished();
    assert!(scratch.tree() == uninterrupted.tree());
}

#[test]
fn changed_settings_are_outdated_and_rerun_only_with_refresh() {
    let scratch = finished();
    let before = scratch.tree();
    scratch.write(
        "config/research.toml",
        "[reviewer.weights]\nclarity = 2.0\n",
    );
    let ran_again = scratch.expect(0, &["run", "--resume", "s"]);
    assert!(
        ran_again.stderr.contains("nothing to do"),
        "{}",
        ran_again.stderr
    );
    assert!(scratch.tree() == before);
    let printed = scratch.expect(0, &["explain", "s"]).stdout;
    assert!(printed.contains("outdated: configuration was"), "{printed}");
    scratch.expect(0, &["run", "--resume", "s", "--refresh"]);
    assert_eq!(ran(&scratch), ["review"]);
    assert!(scratch.tree()["superseded/1/review.json"] == before["review.json"]);
    let printed = scratch.expect(0, &["explain", "s"]).stdout;
    assert!(!printed.contains("outdated"), "{printed}");
}

#[test]
fn dry_run_writes_nothing_at_all() {
    let scratch = Scratch::with_few();
    let before = tree(scratch.path());
    let arguments = ["run", TOPIC, "--docs", "docs", "--dry-run"];
    let printed = scratch.expect(0, &arguments).stdout;
    assert!(printed.contains("run   research"), "{printed}");
    json(&scratch, &arguments);
    assert!(tree(scratch.path()) == before);
    assert!(!scratch.path().join("research-output").exists());

    scratch.research();
    edit_research(&scratch);
    let stamps_before = stamps(scratch.path());
    for more in [
        &["--from", "research"][..],
        &["--refresh"],
        &["--until", "write"],
        &[],
    ] {
        scratch.expect(0, &[&["run", "--resume", "s", "-n"][..], more].concat());
        assert_eq!(stamps(scratch.path()), stamps_before);
    }
}

#[test]
fn report_without_its_sources_is_broken_and_one_that_was_edited_says_so() {
    let scratch = Scratch::with_docs(&[("pump.md", "# Pumps\n\nA pump moves heat.\n")]);
    scratch.expect(
        0,
        &[
            "run",
            "What does a pump move?",
            "--docs",
            "docs",
            "-q",
            "--session",
            "s",
        ],
    );
    fs::remove_dir_all(scratch.path().join("research-output/s/sources")).unwrap();
    let lost = "research-output/s lacks sources/S1.md";
    let ran = scratch.expect(0, &["run", "--resume", "s"]);
    assert_eq!(ran.stderr.matches(lost).count(), 1, "{}", ran.stderr);
    let ran = scratch.expect(0, &["status", "s"]);
    let again = "next     research run --resume research-output/s --from research";
    assert!(ran.stdout.contains("state    BROKEN"), "{}", ran.stdout);
    assert!(ran.stdout.contains(again), "{}", ran.stdout);
    scratch.expect(0, &["run", "--resume", "s", "--from", "research", "-q"]);
    let ran = scratch.expect(0, &["status", "s"]);
    assert!(ran.stdout.contains("state    COMPLETE"), "{}", ran.stdout);

    let report = scratch.path().join("research-output/s/final_report.md");
    let text = fs::read_to_string(&report).unwrap();
    fs::write(&report, text.replace("moves heat", "moves cold")).unwrap();
    let ran = scratch.expect(0, &["show", "s"]);
    assert!(ran.stderr.contains("changed by hand"), "{}", ran.stderr);

    let analysis = scratch.path().join("research-output/s/analysis.json");
    let text = fs::read_to_string(&analysis).unwrap();
    fs::write(
        &analysis,
        text.replace("A pump moves heat.", "A pump is loud."),
    )
    .unwrap();
    let ran = scratch.expect(1, &["verify", "s"]);
    assert!(ran.stderr.contains("analysis.json:"), "{}", ran.stderr);
}

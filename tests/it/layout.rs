//! A sharded output directory: its sessions lie in folders by the hashes of their names, and every
//! command finds them there.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::harness::{Ran, Scratch, TOPIC, parsed, tree};

/// Topics of which the documents speak.
const TOPICS: [&str; 4] = [
    TOPIC,
    "What does a heat pump cost?",
    "Should radiators of an old house be replaced?",
    "Is insulation needed before a heat pump?",
];

fn sharded() -> Scratch {
    let scratch = Scratch::with_few();
    scratch.write("list.txt", TOPICS.join("\n"));
    scratch.write("research.toml", "[run]\nsharded = true\n");
    scratch
}

fn command(scratch: &Scratch, arguments: &[&str]) -> Command {
    let mut command = scratch.command(arguments);
    command.env("RESEARCH_CONFIG", scratch.path().join("research.toml"));
    command
}

fn expect(scratch: &Scratch, code: i32, arguments: &[&str]) -> Ran {
    let ran: Ran = command(scratch, arguments).output().unwrap().into();
    ran.assert_ended(code, &arguments.join(" "));
    ran
}

/// The sessions by their names, each with its directory.
fn sessions(scratch: &Scratch) -> BTreeMap<String, PathBuf> {
    let mut sessions = BTreeMap::new();
    for shard in fs::read_dir(scratch.path().join("research-output")).unwrap() {
        let shard = shard.unwrap().path();
        for session in fs::read_dir(&shard).into_iter().flatten() {
            let path = session.unwrap().path();
            if path.join("session.json").exists() {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                sessions.insert(name, path);
            }
        }
    }
    sessions
}

#[test]
fn sessions_of_a_sharded_directory_are_found_by_every_command() {
    let scratch = sharded();
    let batch = ["batch", "list.txt", "--docs", "docs", "--quiet"];
    expect(&scratch, 0, &batch);
    let made = sessions(&scratch);
    assert_eq!(made.len(), 4);
    // The marker is enough from now on, and nothing is made again.
    let reports = || {
        let mut files = tree(&scratch.path().join("research-output"));
        files.retain(|name, _| name.ends_with("/final_report.md"));
        files
    };
    let before = reports();
    let again = scratch.expect(0, &["batch", "list.txt", "--docs", "docs"]);
    assert!(
        again.stderr.contains("nothing to do for 4"),
        "{}",
        again.stderr
    );
    scratch.expect(0, &["run", TOPIC, "--docs", "docs", "--quiet"]);
    assert_eq!((before.len(), reports() == before), (4, true));
    assert_eq!(sessions(&scratch), made);

    let listed = parsed(&scratch.expect(0, &["list", "--json"]).stdout);
    assert_eq!(listed.as_array().unwrap().len(), 4);
    for (name, path) in &made {
        let digits = name.rsplit('-').next().unwrap();
        for reference in [name.as_str(), &name[..12], digits, path.to_str().unwrap()] {
            let status = scratch.expect(0, &["status", reference, "--json"]).stdout;
            assert!(status.contains(name.as_str()), "{status}");
        }
        scratch.expect(0, &["verify", name]);
        // What a session names its documents leads to them from its own directory.
        let session = parsed(&fs::read_to_string(path.join("session.json")).unwrap());
        let documents = session["documents"][0].as_str().unwrap();
        assert_eq!(documents, "../../../docs");
        assert!(path.join(documents).join("costs.md").is_file());
        scratch.expect(0, &["run", "--resume", name, "--from", "write", "--quiet"]);
    }
    scratch.expect(0, &["update", "--all"]);
    let last = scratch.expect(0, &["status", "last", "--json"]).stdout;
    let is_last = |name: &&String| last.contains(name.as_str());
    assert_eq!(made.keys().filter(is_last).count(), 1, "{last}");
}

#[test]
fn sessions_of_a_sharded_directory_are_followed_renamed_and_removed() {
    let scratch = sharded();
    let run = [
        "run",
        TOPIC,
        "--docs",
        "docs",
        "--session",
        "first",
        "--quiet",
    ];
    expect(&scratch, 0, &run);
    let follow = [
        "run",
        "What about radiators?",
        "--follow",
        "first",
        "--session",
        "second",
    ];
    scratch.expect(0, &follow);
    let second = sessions(&scratch)["second"].clone();
    let session = parsed(&fs::read_to_string(second.join("session.json")).unwrap());
    let earlier = second.join(session["follows"].as_str().unwrap());
    assert!(earlier.join("session.json").is_file());
    let refused = scratch.expect(2, &["rm", "first", "--yes"]);
    assert!(refused.stderr.contains("second"), "{}", refused.stderr);
    scratch.expect(0, &["rename", "second", "third"]);
    scratch.expect(0, &["verify", "third"]);
    let renamed = sessions(&scratch);
    assert_eq!(renamed.keys().collect::<Vec<_>>(), ["first", "third"]);
    scratch.expect(
        0,
        &["run", "--resume", "third", "--from", "analysis", "--quiet"],
    );
    scratch.expect(0, &["rm", "third", "--yes"]);
    scratch.expect(0, &["gc", "--yes"]);
    assert_eq!(sessions(&scratch).len(), 1);
}

#[test]
fn a_directory_with_sessions_does_not_become_sharded() {
    let scratch = Scratch::with_few();
    scratch.expect(
        0,
        &["run", TOPIC, "--docs", "docs", "--session", "s", "--quiet"],
    );
    scratch.write("research.toml", "[run]\nsharded = true\n");
    let run = ["run", "What does a heat pump cost?", "--docs", "docs"];
    let refused = expect(&scratch, 2, &run);
    assert!(
        refused.stderr.contains("--output-dir"),
        "{}",
        refused.stderr
    );
    let elsewhere = [&run[..], &["--output-dir", "others", "--quiet"]].concat();
    expect(&scratch, 0, &elsewhere);
    assert!(scratch.path().join("others/.sharded").is_file());
}

//! Damaged session files, in many ways: a run names the file, stops and changes nothing; with
//! `--from` it supersedes the file and rebuilds it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::harness::{DEMANDING, GATES, ONE_PLAN, Ran, Scratch, TOPIC, WIDE_TOPIC, differences};

/// One byte above the size limit of session files.
const TOO_LARGE: u64 = (64 << 20) + 1;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Damage {
    Empty,
    Truncated,
    Broken,
    Foreign,
    OtherFile,
    UnknownField,
    WrongVersion,
    DeeplyNested,
    NotUtf8,
    TooLarge,
    Link,
    Directory,
}

impl Damage {
    const ALL: [Self; 12] = [
        Self::Empty,
        Self::Truncated,
        Self::Broken,
        Self::Foreign,
        Self::OtherFile,
        Self::UnknownField,
        Self::WrongVersion,
        Self::DeeplyNested,
        Self::NotUtf8,
        Self::TooLarge,
        Self::Link,
        Self::Directory,
    ];

    /// `true` if it is still a regular file of allowed size, so that an error has a line and
    /// column.
    fn has_position(self) -> bool {
        !matches!(self, Self::TooLarge | Self::Link | Self::Directory)
    }

    fn apply(self, session: &Path, name: &str) {
        let path = session.join(name);
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        let write = |bytes: &[u8]| fs::write(&path, bytes).unwrap();
        match self {
            Self::Empty => write(b""),
            Self::Truncated => write(&bytes[..bytes.len() / 2]),
            Self::Broken => write(text.replacen(':', ";", 2).as_bytes()),
            Self::Foreign => write(b"{\"a\":1}\n"),
            Self::OtherFile => {
                let others = [
                    "review.json",
                    "analysis.json",
                    "research.json",
                    "session.json",
                ];
                let mut others = others.iter();
                let other =
                    others.find(|other| !name.ends_with(*other) && session.join(other).exists());
                write(&fs::read(session.join(other.unwrap())).unwrap());
            }
            Self::UnknownField => write(text.replacen('{', "{\"surprise\": 1,", 1).as_bytes()),
            Self::WrongVersion => {
                let other = text.replacen("\"version\": 1", "\"version\": 2", 1);
                write(
                    other
                        .replacen("\"version\":1", "\"version\":2", 1)
                        .as_bytes(),
                );
            }
            Self::DeeplyNested => write("[".repeat(200_000).as_bytes()),
            Self::NotUtf8 => write(&[b"{\"version\": 1, \"a\xff\": ", &bytes[..]].concat()),
            Self::TooLarge => {
                let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
                file.set_len(TOO_LARGE).unwrap();
            }
            Self::Link => {
                fs::remove_file(&path).unwrap();
                symlink("/etc/hostname", &path).unwrap();
            }
            Self::Directory => {
                fs::remove_file(&path).unwrap();
                fs::create_dir(&path).unwrap();
                fs::write(path.join("file"), "not lost").unwrap();
            }
        }
    }
}

/// A session that ran until a stage, without the gate of that stage, so that its checkpoints are
/// read again.
fn session_without_gate(until: &str, gate: &str) -> Scratch {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s", "--until"];
    scratch.expect(0, &[&arguments[..], &[until]].concat());
    fs::remove_file(scratch.session().join(gate)).unwrap();
    scratch
}

fn finished() -> Scratch {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch
}

fn with_rounds() -> Scratch {
    let scratch = Scratch::with_few();
    let arguments = ["run", WIDE_TOPIC, "--docs", "docs", "--session", "s"];
    let ran = run(&scratch, &[&arguments[..], &DEMANDING].concat());
    ran.assert_ended(0, "rounds");
    scratch
}

fn run(scratch: &Scratch, arguments: &[&str]) -> Ran {
    let mut command = scratch.command(arguments);
    command.env(ONE_PLAN.0, ONE_PLAN.1).output().unwrap().into()
}

/// The files of the session, without the to-do list, which every run rewrites.
fn user_files(scratch: &Scratch) -> BTreeMap<String, Vec<u8>> {
    let mut tree = scratch.tree();
    tree.remove("research/todo.md");
    tree
}

/// Damages a file in every way. A run refuses each with its name and position, and changes nothing.
fn assert_refused(scratch: &Scratch, name: &str, accepted: &[Damage]) {
    for damage in Damage::ALL {
        if accepted.contains(&damage) {
            continue;
        }
        let case = format!("{name}: {damage:?}");
        let scratch = scratch.copy();
        damage.apply(&scratch.session(), name);
        let before = user_files(&scratch);
        let ran = run(&scratch, &["run", "--resume", "s"]);
        let stderr = &ran.stderr;
        assert!(!stderr.contains("panicked"), "{case}: {stderr}");
        assert!(
            matches!(ran.code, Some(1 | 2)),
            "{case}: {:?} {stderr}",
            ran.code
        );
        assert!(stderr.len() < 2000, "{case}: {stderr}");
        let after = user_files(&scratch);
        let changed = differences(&after, &before);
        assert_eq!(changed, Vec::<&str>::new(), "{case}");
        if damage.has_position() {
            assert!(names_line_and_column(stderr, name), "{case}: {stderr}");
        } else {
            // A directory without this file is not a session.
            let file = match (name, damage) {
                ("session.json", Damage::Directory) => "no session \"s\"",
                _ => name,
            };
            assert!(stderr.contains(file), "{case}: {stderr}");
        }
    }
}

/// `true` if a message contains `NAME:LINE:COLUMN: …`.
fn names_line_and_column(message: &str, name: &str) -> bool {
    message.split(&format!("/{name}:")).skip(1).any(|rest| {
        let mut parts = rest.split(':');
        let mut number = || {
            parts
                .next()
                .is_some_and(|part| part.trim().parse::<u32>().is_ok())
        };
        number() && number()
    })
}

/// Damages a gate in every way. A run with `--from` supersedes it and ends with the same files.
fn assert_superseded(scratch: &Scratch, name: &str, stage: &str) {
    let mut expected = scratch.tree();
    expected.retain(|file, _| !file.starts_with("superseded/"));
    for damage in Damage::ALL {
        let case = format!("{name}: {damage:?}");
        let scratch = scratch.copy();
        damage.apply(&scratch.session(), name);
        let arguments = ["run", "--resume", "s", "--from", stage];
        run(&scratch, &[&arguments[..], &DEMANDING].concat()).assert_ended(0, &case);
        let moved = scratch.session().join("superseded/1").join(name);
        assert!(fs::symlink_metadata(&moved).is_ok(), "{case}");
        let mut tree = scratch.tree();
        tree.retain(|file, _| !file.starts_with("superseded/"));
        let changed = differences(&tree, &expected);
        assert_eq!(changed, Vec::<&str>::new(), "{case}");
    }
}

#[test]
fn damaged_gates_are_refused() {
    let scratch = finished();
    for gate in GATES {
        assert_refused(&scratch, gate, &[]);
    }
}

#[test]
fn damaged_session_file_is_refused() {
    assert_refused(&finished(), "session.json", &[]);
}

#[test]
fn damaged_earlier_review_is_refused() {
    assert_refused(&with_rounds(), "rounds/1/review.json", &[]);
}

#[test]
fn damaged_research_checkpoints_are_refused() {
    let scratch = session_without_gate("research", "research.json");
    for name in [
        "research/classification.json",
        "research/documents.json",
        "research/plan-1.json",
        "research/steps/1-overview.json",
        "sources/S1.json",
    ] {
        assert_refused(&scratch, name, &[]);
    }
    // An empty log has no reflections, as in a new session.
    assert_refused(&scratch, "research/reflections.jsonl", &[Damage::Empty]);
}

#[test]
fn damaged_write_checkpoints_are_refused() {
    let scratch = session_without_gate("write", "report.json");
    fs::remove_file(scratch.session().join("report.md")).unwrap();
    for name in ["claims.json", "verification.json"] {
        assert_refused(&scratch, name, &[]);
    }
}

#[test]
fn damaged_gates_are_superseded_by_from() {
    let scratch = with_rounds();
    let stages = ["research", "analysis", "write", "review"];
    for (gate, stage) in GATES.into_iter().zip(stages) {
        assert_superseded(&scratch, gate, stage);
    }
}

#[test]
fn damaged_earlier_review_is_superseded_by_from() {
    let scratch = with_rounds();
    for damage in Damage::ALL {
        let case = format!("{damage:?}");
        let scratch = scratch.copy();
        let expected = scratch.tree();
        damage.apply(&scratch.session(), "rounds/1/review.json");
        let arguments = ["run", "--resume", "s", "--from", "analysis"];
        run(&scratch, &[&arguments[..], &DEMANDING].concat()).assert_ended(0, &case);
        let mut tree = scratch.tree();
        tree.retain(|file, _| !file.starts_with("superseded/"));
        let changed = differences(&tree, &expected);
        assert_eq!(changed, Vec::<&str>::new(), "{case}");
    }
}

#[test]
fn no_command_panics_on_damaged_gates() {
    let scratch = finished();
    for gate in GATES {
        for damage in Damage::ALL {
            let scratch = scratch.copy();
            damage.apply(&scratch.session(), gate);
            for command in ["explain", "status", "list", "verify", "graph", "show"] {
                let arguments: &[&str] = match command {
                    "list" => &["list"],
                    _ => &[command, "s"],
                };
                let ran = scratch.run(arguments);
                let case = format!("{command}, {gate}: {damage:?}: {}", ran.stderr);
                assert!(!ran.stderr.contains("panicked"), "{case}");
                assert!(matches!(ran.code, Some(0..=2)), "{case}");
            }
        }
    }
}

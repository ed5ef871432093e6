//! Files of a session that are broken in every way we could think of: a run names them, stops, and
//! touches nothing; or moves them aside when it is asked to make the stage again.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::harness::{DEMANDING, GATES, ONE_PLAN, Ran, Scratch, TOPIC, WIDE_TOPIC, differences};

/// One byte more than a file of a session may have.
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
    OverDeep,
    NotUtf8,
    OverLarge,
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
        Self::OverDeep,
        Self::NotUtf8,
        Self::OverLarge,
        Self::Link,
        Self::Directory,
    ];

    /// Whether a regular file of a usual size is left, so that the place of the fault can be told.
    fn has_a_place(self) -> bool {
        !matches!(self, Self::OverLarge | Self::Link | Self::Directory)
    }

    fn inflict(self, session: &Path, name: &str) {
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
            Self::OverDeep => write("[".repeat(200_000).as_bytes()),
            Self::NotUtf8 => write(&[b"{\"version\": 1, \"a\xff\": ", &bytes[..]].concat()),
            Self::OverLarge => {
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

/// A session whose first stages were run, without the last gate of these: so its inner files are
/// needed again.
fn half_made(until: &str, gate: &str) -> Scratch {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s", "--until"];
    scratch.expect(0, &[&arguments[..], &[until]].concat());
    fs::remove_file(scratch.session().join(gate)).unwrap();
    scratch
}

fn whole() -> Scratch {
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

/// What a person would miss. The list of what is to be done is written anew by every run.
fn kept(scratch: &Scratch) -> BTreeMap<String, Vec<u8>> {
    let mut tree = scratch.tree();
    tree.remove("research/todo.md");
    tree
}

/// Damages a file in every way. Each is refused by name and place, and nothing moves.
fn assert_refused(scratch: &Scratch, name: &str, accepted: &[Damage]) {
    for damage in Damage::ALL {
        if accepted.contains(&damage) {
            continue;
        }
        let case = format!("{name}: {damage:?}");
        let scratch = scratch.copy();
        damage.inflict(&scratch.session(), name);
        let before = kept(&scratch);
        let ran = run(&scratch, &["run", "--resume", "s"]);
        let told = &ran.stderr;
        assert!(!told.contains("panicked"), "{case}: {told}");
        assert!(
            matches!(ran.code, Some(1 | 2)),
            "{case}: {:?} {told}",
            ran.code
        );
        assert!(told.len() < 2000, "{case}: {told}");
        let found = kept(&scratch);
        let moved = differences(&found, &before);
        assert_eq!(moved, Vec::<&str>::new(), "{case}");
        if damage.has_a_place() {
            assert!(names_place(told, name), "{case}: {told}");
        } else {
            // Without its file a directory is no session at all.
            let file = match (name, damage) {
                ("session.json", Damage::Directory) => "no session \"s\"",
                _ => name,
            };
            assert!(told.contains(file), "{case}: {told}");
        }
    }
}

/// Whether a message says `NAME:LINE:COLUMN: …`.
fn names_place(told: &str, name: &str) -> bool {
    told.split(&format!("/{name}:")).skip(1).any(|rest| {
        let mut parts = rest.split(':');
        let mut number = || {
            parts
                .next()
                .is_some_and(|part| part.trim().parse::<u32>().is_ok())
        };
        number() && number()
    })
}

/// Damages a gate in every way. Asked to make its stage again, a run moves it aside and ends as
/// before.
fn assert_moved_aside(scratch: &Scratch, name: &str, stage: &str) {
    let mut expected = scratch.tree();
    expected.retain(|file, _| !file.starts_with("superseded/"));
    for damage in Damage::ALL {
        let case = format!("{name}: {damage:?}");
        let scratch = scratch.copy();
        damage.inflict(&scratch.session(), name);
        let arguments = ["run", "--resume", "s", "--from", stage];
        run(&scratch, &[&arguments[..], &DEMANDING].concat()).assert_ended(0, &case);
        let aside = scratch.session().join("superseded/1").join(name);
        assert!(fs::symlink_metadata(&aside).is_ok(), "{case}");
        let mut found = scratch.tree();
        found.retain(|file, _| !file.starts_with("superseded/"));
        let changed = differences(&found, &expected);
        assert_eq!(changed, Vec::<&str>::new(), "{case}");
    }
}

#[test]
fn gates_are_refused_when_damaged() {
    let scratch = whole();
    for gate in GATES {
        assert_refused(&scratch, gate, &[]);
    }
}

#[test]
fn session_file_is_refused_when_damaged() {
    assert_refused(&whole(), "session.json", &[]);
}

#[test]
fn earlier_review_is_refused_when_damaged() {
    assert_refused(&with_rounds(), "rounds/1/review.json", &[]);
}

#[test]
fn inner_files_of_research_are_refused_when_damaged() {
    let scratch = half_made("research", "research.json");
    for name in [
        "research/classification.json",
        "research/documents.json",
        "research/plan-1.json",
        "research/steps/1-overview.json",
        "sources/S1.json",
    ] {
        assert_refused(&scratch, name, &[]);
    }
    // No line is no reflection, which is where a session starts.
    assert_refused(&scratch, "research/reflections.jsonl", &[Damage::Empty]);
}

#[test]
fn inner_files_of_write_are_refused_when_damaged() {
    let scratch = half_made("write", "report.json");
    fs::remove_file(scratch.session().join("report.md")).unwrap();
    for name in ["claims.json", "verification.json"] {
        assert_refused(&scratch, name, &[]);
    }
}

#[test]
fn damaged_gates_move_aside_on_request() {
    let scratch = with_rounds();
    let stages = ["research", "analysis", "write", "review"];
    for (gate, stage) in GATES.into_iter().zip(stages) {
        assert_moved_aside(&scratch, gate, stage);
    }
}

#[test]
fn damaged_earlier_review_moves_aside_on_request() {
    let scratch = with_rounds();
    for damage in Damage::ALL {
        let case = format!("{damage:?}");
        let scratch = scratch.copy();
        let expected = scratch.tree();
        damage.inflict(&scratch.session(), "rounds/1/review.json");
        let arguments = ["run", "--resume", "s", "--from", "analysis"];
        run(&scratch, &[&arguments[..], &DEMANDING].concat()).assert_ended(0, &case);
        let mut found = scratch.tree();
        found.retain(|file, _| !file.starts_with("superseded/"));
        let changed = differences(&found, &expected);
        assert_eq!(changed, Vec::<&str>::new(), "{case}");
    }
}

#[test]
fn every_command_survives_damage() {
    let scratch = whole();
    for gate in GATES {
        for damage in Damage::ALL {
            let scratch = scratch.copy();
            damage.inflict(&scratch.session(), gate);
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

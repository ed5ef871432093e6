//! Untrusted sessions: symbolic links out of the session, FIFOs, path traversal. Nothing outside
//! the session is written, and no command blocks.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::harness::{DEMANDING, GATES, ONE_PLAN, Ran, Scratch, TOPIC, WIDE_TOPIC, skipped, tree};

/// The timeout: far longer than any command here takes.
const TIMEOUT_SECONDS: &str = "15";

/// The exit code of `timeout` after a timeout.
const TIMED_OUT: i32 = 124;

/// A finished session with a directory that is a symbolic link to a directory outside.
fn with_symlink(directory: &str) -> Scratch {
    let scratch = Scratch::with_few();
    scratch.research();
    let (inside, outside) = (
        scratch.session().join(directory),
        scratch.path().join("out"),
    );
    if inside.exists() {
        fs::rename(&inside, &outside).unwrap();
    } else {
        fs::create_dir(&outside).unwrap();
    }
    fs::write(outside.join("mine"), "untouched").unwrap();
    symlink(&outside, &inside).unwrap();
    scratch
}

fn outside(scratch: &Scratch) -> BTreeMap<String, Vec<u8>> {
    let mut files = tree(&scratch.path().join("out"));
    files.extend(tree(&scratch.path().join("docs")));
    files
}

/// Runs the program with a timeout.
fn run_limited(scratch: &Scratch, arguments: &[&str]) -> Ran {
    let program = scratch.command(&[]);
    let mut command = Command::new("timeout");
    command
        .arg(TIMEOUT_SECONDS)
        .arg(program.get_program())
        .args(arguments)
        .current_dir(scratch.path())
        .env("HOME", scratch.path())
        .env("RESEARCH_NOW", crate::harness::NOW)
        .env(ONE_PLAN.0, ONE_PLAN.1);
    command.output().unwrap().into()
}

fn make_fifo(path: &Path) {
    let _ = fs::remove_file(path);
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
}

#[test]
fn checkpoints_are_not_written_through_symlinked_directories() {
    for directory in ["research", "sources"] {
        let scratch = with_symlink(directory);
        fs::remove_file(scratch.session().join("research.json")).unwrap();
        // Files are missing behind the link, so that something has to be written there.
        let _ = fs::remove_file(scratch.path().join("out/S1.md"));
        let _ = fs::remove_file(scratch.path().join("out/plan-1.json"));
        fs::remove_dir_all(scratch.session().join("research/steps")).unwrap();
        let before = outside(&scratch);
        let ran = scratch.expect(1, &["run", "--resume", "s"]);
        assert!(ran.stderr.contains("symbolic link"), "{}", ran.stderr);
        assert!(ran.stderr.contains(directory), "{}", ran.stderr);
        assert!(outside(&scratch) == before, "{directory}");
    }
}

#[test]
fn symlinked_checkpoint_directories_are_superseded_as_links() {
    for directory in ["research", "sources"] {
        let scratch = with_symlink(directory);
        let before = outside(&scratch);
        scratch.expect(0, &["run", "--resume", "s", "--from", "research"]);
        assert!(outside(&scratch) == before, "{directory}");
        let link = scratch.session().join("superseded/1").join(directory);
        assert!(fs::symlink_metadata(link).unwrap().is_symlink());
        assert!(scratch.session().join(directory).is_dir());
    }
}

#[test]
fn files_are_not_moved_through_symlinked_superseded_or_rounds() {
    let scratch = with_symlink("superseded");
    let before = outside(&scratch);
    let ran = scratch.expect(1, &["run", "--resume", "s", "--from", "analysis"]);
    assert!(ran.stderr.contains("symbolic link"), "{}", ran.stderr);
    assert!(outside(&scratch) == before);

    let scratch = Scratch::with_few();
    let arguments = ["run", WIDE_TOPIC, "--docs", "docs", "--session", "s"];
    scratch.expect(0, &[&arguments[..], &["--until", "write"]].concat());
    fs::create_dir(scratch.path().join("out")).unwrap();
    symlink(scratch.path().join("out"), scratch.session().join("rounds")).unwrap();
    let before = outside(&scratch);
    let resume = ["run", "--resume", "s"];
    let ran = run_limited(&scratch, &[&resume[..], &DEMANDING].concat());
    ran.assert_ended(1, "rounds");
    assert!(ran.stderr.contains("symbolic link"), "{}", ran.stderr);
    assert!(outside(&scratch) == before);
}

#[test]
fn symlinked_files_are_replaced_not_written_through() {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch.write("out/mine", "untouched");
    for name in ["report.md", "final_report.md", "research/todo.md"] {
        let path = scratch.session().join(name);
        fs::remove_file(&path).unwrap();
        symlink(scratch.path().join("out/mine"), &path).unwrap();
    }
    for name in [".research.json.tmp", ".analysis.json.tmp"] {
        symlink(
            scratch.path().join("out/mine"),
            scratch.session().join(name),
        )
        .unwrap();
    }
    scratch.expect(0, &["run", "--resume", "s", "--from", "research"]);
    assert_eq!(scratch.read("out/mine"), "untouched");
    assert!(scratch.read("research-output/s/final_report.md").len() > 100);
}

#[test]
fn symlinked_lock_event_log_and_digest_cache_are_not_written_through() {
    for name in [".lock", "events.jsonl", ".stamps.json"] {
        let scratch = Scratch::with_few();
        scratch.research();
        scratch.write("out/mine", "untouched");
        let path = scratch.session().join(name);
        fs::remove_file(&path).unwrap();
        symlink(scratch.path().join("out/mine"), &path).unwrap();
        let ran = scratch.run(&["run", "--resume", "s", "--from", "review"]);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        assert_eq!(ran.code == Some(0), name != ".lock", "{}", ran.stderr);
        let is_reported = ran.stderr.matches("its event log is incomplete").count() == 1;
        assert_eq!(is_reported, name == "events.jsonl", "{}", ran.stderr);
        assert_eq!(scratch.read("out/mine"), "untouched", "{name}");
    }
}

#[test]
fn no_command_blocks_on_a_fifo() {
    let whole = Scratch::with_few();
    whole.research();
    let sources = [
        "sources/S1.md",
        "sources/S1.json",
        "final_report.md",
        "report.md",
    ];
    let others = ["events.jsonl", ".lock", ".stamps.json", ".aside.json"];
    let mut blocked = Vec::new();
    for name in GATES.iter().chain(&sources).chain(&others) {
        let scratch = whole.copy();
        make_fifo(&scratch.session().join(name));
        for arguments in [
            &["explain", "s"][..],
            &["status", "s"],
            &["list"],
            &["show", "s"],
            &["show", "s", name],
            &["verify", "s"],
            &["graph", "s"],
            &["graph", "s", "--knowledge"],
            &["run", "--resume", "s"],
            &["run", "--resume", "s", "--from", "write"],
        ] {
            let ran = run_limited(&scratch, arguments);
            let case = format!("{name}: {arguments:?}");
            assert!(!ran.stderr.contains("panicked"), "{case}: {}", ran.stderr);
            if ran.code == Some(TIMED_OUT) {
                blocked.push(case);
                break;
            }
        }
    }
    assert_eq!(blocked, Vec::<String>::new());
}

#[test]
fn step_names_cannot_traverse_paths() {
    for id in ["../../../../out/x", "/tmp/x", "a/b", "", "..", "a\\u0000b"] {
        let scratch = Scratch::with_few();
        let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s"];
        scratch.expect(0, &[&arguments[..], &["--until", "research"]].concat());
        fs::remove_file(scratch.session().join("research.json")).unwrap();
        scratch.edit(
            "research/plan-1.json",
            "\"id\": \"1-overview\"",
            &format!("\"id\": \"{id}\""),
        );
        let before = scratch.tree();
        let ran = scratch.expect(1, &["run", "--resume", "s"]);
        assert!(ran.stderr.contains("plan-1.json"), "{id}: {}", ran.stderr);
        assert!(scratch.tree() == before, "{id}");
        assert!(!scratch.path().join("out").exists());
    }
}

#[test]
fn verify_reads_no_text_outside_the_session() {
    let scratch = Scratch::with_few();
    scratch.research();
    fs::create_dir(scratch.path().join("private")).unwrap();
    let diary = scratch.path().join("private/diary.md");
    fs::write(&diary, "TOP SECRET DIARY ENTRY of the year").unwrap();
    let research = scratch.read("research-output/s/research.json");
    let elsewhere = research.replace("\"S1\"", "\"../../../private/diary\"");
    scratch.write("research-output/s/research.json", elsewhere);
    let ran = run_limited(&scratch, &["verify", "s"]);
    ran.assert_ended(1, "an id that is a path");
    assert!(
        ran.stderr.contains("is not the id of a source"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("SECRET"), "{}", ran.stderr);

    scratch.write("research-output/s/research.json", research);
    let sources = scratch.session().join("sources");
    fs::rename(&sources, scratch.path().join("private/sources")).unwrap();
    symlink(scratch.path().join("private/sources"), &sources).unwrap();
    let ran = run_limited(&scratch, &["verify", "s"]);
    ran.assert_ended(1, "a link out of the session");
    assert!(
        ran.stderr.contains("link out of the session"),
        "{}",
        ran.stderr
    );
}

#[test]
fn inputs_outside_the_session_make_a_gate_stale_and_are_not_read() {
    let scratch = Scratch::with_few();
    scratch.research();
    for input in ["/etc/passwd", "../../docs/costs.md", "/dev/zero"] {
        let copy = scratch.copy();
        copy.edit(
            "report.json",
            "\"analysis.json\":",
            &format!("\"{input}\":"),
        );
        let explained = run_limited(&copy, &["explain", "s"]);
        explained.assert_ended(0, input);
        assert!(explained.stdout.contains("is gone"), "{}", explained.stdout);
        run_limited(&copy, &["run", "--resume", "s"]).assert_ended(0, input);
    }
}

#[test]
fn move_intents_out_of_the_session_are_refused() {
    let scratch = Scratch::with_few();
    scratch.research();
    for (to, file) in [
        ("../../out", "review.json"),
        ("superseded/1", "../../docs/costs.md"),
        ("superseded/1", "session.json"),
        ("/tmp", "review.json"),
        ("rounds/../../../out/1", "review.json"),
    ] {
        let intent =
            format!("{{\"version\":1,\"to\":\"{to}\",\"reason\":\"\",\"files\":[\"{file}\"]}}");
        scratch.write("research-output/s/.aside.json", intent);
        let before = (scratch.tree(), tree(&scratch.path().join("docs")));
        let ran = scratch.expect(1, &["run", "--resume", "s"]);
        assert!(ran.stderr.contains(".aside.json"), "{}", ran.stderr);
        assert!((scratch.tree(), tree(&scratch.path().join("docs"))) == before);
    }
}

#[test]
fn files_of_a_session_send_no_escape_sequence_to_a_terminal() {
    let scratch = Scratch::with_few();
    scratch.research();
    let hostile = "a\u{1b}]52;c;cHduZWQ=\u{7}b\u{9b}31mc\u{202e}d\n";
    scratch.write("research-output/s/evil.md", hostile);
    // Into a pipe it is shown as it is.
    assert_eq!(scratch.expect(0, &["show", "s", "evil.md"]).stdout, hostile);
    let program = scratch.command(&[]);
    let show = format!("{:?} show s evil.md", program.get_program());
    let on_terminal = Command::new("script")
        .args(["--quiet", "--return", "--command", &show, "/dev/null"])
        .current_dir(scratch.path())
        .output();
    match on_terminal {
        Ok(ran) if ran.status.success() => {
            let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
            assert!(shown.contains("]52;c;cHduZWQ="), "{shown:?}");
            assert!(
                !shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
                "{shown:?}"
            );
        }
        _ => skipped("this needs `script` of util-linux"),
    }
}

#[test]
fn doctor_leaves_what_others_put_into_the_temporary_directory() {
    let scratch = Scratch::new();
    scratch.write("victim/.lock", "precious");
    scratch.write("tmp/x", "");
    let program = scratch.command(&["doctor"]);
    // The shell's process becomes the program's, so its number is known beforehand.
    let script = "ln -s ../victim tmp/research-doctor-$$; exec \"$0\" doctor";
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .arg(program.get_program())
        .current_dir(scratch.path())
        .env("HOME", scratch.path())
        .env("RESEARCH_MODEL", "rules")
        .env("TMPDIR", scratch.path().join("tmp"));
    Ran::from(command.output().unwrap()).assert_ended(0, "doctor");
    assert_eq!(scratch.read("victim/.lock"), "precious");
    assert_eq!(fs::read_dir(scratch.path().join("tmp")).unwrap().count(), 2);
}

#[test]
fn documents_that_a_session_names_elsewhere_are_read_once_they_are_confirmed() {
    let (scratch, elsewhere) = (Scratch::with_few(), Scratch::with_few());
    scratch.research();
    scratch.write(
        ".ssh/notes.md",
        "# Notes\n\nHeat pumps work in old houses.\n",
    );
    let again = ["run", "--resume", "s", "--from", "research"];
    let ran = scratch.expect(0, &again);
    assert!(!ran.stderr.contains("surroundings"), "{}", ran.stderr);
    let mut documents = "../../docs".to_owned();
    for other in [elsewhere.path().to_str().unwrap(), "../../.ssh"] {
        let quoted = |text: &str| format!("\"{text}\"");
        scratch.edit("session.json", &quoted(&documents), &quoted(other));
        let before = scratch.tree();
        let follow = ["run", "And the radiators?", "--follow", "s"];
        for arguments in [&again[..], &follow, &["update", "s"]] {
            let ran = scratch.expect(2, arguments);
            for words in [
                "outside of its surroundings",
                "research run --resume research-output/s --trust-documents",
            ] {
                assert!(ran.stderr.contains(words), "{}", ran.stderr);
            }
        }
        assert_eq!(scratch.tree(), before);
        let confirmed = [&again[..], &["--trust-documents"]].concat();
        scratch.expect(0, &confirmed);
        // What was confirmed once is not asked about again.
        scratch.expect(0, &again);
        documents = other.to_owned();
    }
}

#[test]
fn documents_that_the_command_line_names_are_not_asked_about_later() {
    let (scratch, elsewhere) = (Scratch::new(), Scratch::with_few());
    let docs = elsewhere.path().join("docs");
    let docs = docs.to_str().unwrap();
    scratch.expect(0, &["run", TOPIC, "--docs", docs, "--session", "s"]);
    scratch.expect(0, &["run", "--resume", "s", "--from", "research"]);
}

#[test]
fn documents_of_a_batch_are_not_asked_about_by_updates() {
    let (scratch, elsewhere) = (Scratch::new(), Scratch::with_few());
    let docs = elsewhere.path().join("docs");
    scratch.write("topics.txt", format!("{TOPIC}\n"));
    let docs_arg = docs.to_str().unwrap();
    scratch.expect(0, &["batch", "topics.txt", "--docs", docs_arg]);
    std::fs::write(docs.join("new.md"), "# News\n\nRain fell in June.\n").unwrap();
    let ran = scratch.run(&["update", "--all"]);
    assert!(!ran.stderr.contains("surroundings"), "{}", ran.stderr);
}

#[test]
fn check_follows_no_link_below_a_session() {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch.write("private.md", "# Diary\n\nThe secret is 4711.\n");
    let source = scratch.session().join("sources/S1.md");
    fs::remove_file(&source).unwrap();
    symlink(scratch.path().join("private.md"), &source).unwrap();
    scratch.write(
        "research-output/s/final_report.md",
        "The secret is 4711 [1](sources/S1.md).\n",
    );
    let report = "research-output/s/final_report.md";
    let ran = scratch.expect(2, &["check", report, "--offline"]);
    assert!(!ran.stdout.contains("supported"), "{}", ran.stdout);
    fs::remove_file(&source).unwrap();
    fs::copy(scratch.path().join("private.md"), &source).unwrap();
    scratch.expect(0, &["check", report, "--offline", "--all"]);
}

#[test]
fn default_directory_of_sessions_is_no_link_to_elsewhere() {
    let (scratch, elsewhere) = (Scratch::with_few(), Scratch::new());
    symlink(elsewhere.path(), scratch.path().join("research-output")).unwrap();
    let run = ["run", TOPIC, "--docs", "docs", "--session", "s"];
    let ran = scratch.expect(2, &run);
    let problem = "research-output is a link to";
    assert!(ran.stderr.contains(problem), "{}", ran.stderr);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    scratch.expect(
        0,
        &[&run[..], &["--output-dir", "research-output"]].concat(),
    );
    // One that stays below the working directory leads nowhere else.
    fs::remove_file(scratch.path().join("research-output")).unwrap();
    fs::create_dir(scratch.path().join("sessions")).unwrap();
    symlink("sessions", scratch.path().join("research-output")).unwrap();
    scratch.expect(0, &run);
}

#[test]
fn name_in_the_file_of_a_session_stands_for_no_other_one() {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch.edit(
        "session.json",
        "\"id\": \"s\"",
        "\"id\": \"../../../posing\"",
    );
    for arguments in [&["list"][..], &["status"], &["status", "s"]] {
        let shown = scratch.expect(0, arguments).stdout;
        assert!(
            shown.starts_with('s') && !shown.contains("posing"),
            "{shown}"
        );
    }
}

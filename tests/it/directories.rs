//! Read-only directories, missing permissions and full disks: nothing is lost, the error names the
//! path, and a later run ends with the same files.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use walkdir::WalkDir;

use crate::harness::{Ran, Scratch, TOPIC, differences};

/// The conventional user id of `nobody`.
const NOBODY: u32 = 65_534;

const ASK: [&str; 6] = ["run", TOPIC, "--docs", "docs", "--session", "s"];

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Makes a temporary directory accessible to all users, since the program runs as another user.
fn open_to_all(scratch: &Scratch) {
    set_mode(scratch.path(), 0o777);
    set_mode(&scratch.path().join("docs"), 0o755);
    // A session is its user's alone.
    for entry in WalkDir::new(scratch.path().join("research-output"))
        .into_iter()
        .flatten()
    {
        let mode = if entry.file_type().is_dir() {
            0o755
        } else {
            0o644
        };
        set_mode(entry.path(), mode);
    }
}

/// A link to the program, or a copy, that an unprivileged user can execute.
fn reachable(scratch: &Scratch) -> PathBuf {
    let path = scratch.path().join("program");
    let program = env!("CARGO_BIN_EXE_research");
    if !path.exists() && fs::hard_link(program, &path).is_err() {
        fs::copy(program, &path).unwrap();
    }
    path
}

/// Runs the program as an unprivileged user.
fn run_unprivileged(scratch: &Scratch, arguments: &[&str]) -> Ran {
    let mut command = Command::new(reachable(scratch));
    command
        .current_dir(scratch.path())
        .args(arguments)
        .env_clear()
        .env("HOME", scratch.path())
        .env("RESEARCH_NOW", crate::harness::NOW);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.output().unwrap().into()
}

/// Runs the program with a limit on the size of its files, in blocks, as if the disk were full.
fn run_on_full_disk(scratch: &Scratch, blocks: u32, arguments: &[&str]) -> Ran {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command
        .args(["-c", &script, env!("CARGO_BIN_EXE_research")])
        .args(arguments)
        .current_dir(scratch.path())
        .env("HOME", scratch.path())
        .env("RESEARCH_NOW", crate::harness::NOW);
    command.output().unwrap().into()
}

#[test]
fn full_disk_fails_the_run_and_loses_nothing() {
    let expected = Scratch::with_few();
    expected.research();
    let mut failures = 0;
    for blocks in [0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 64] {
        let scratch = Scratch::with_few();
        let ran = run_on_full_disk(&scratch, blocks, &ASK);
        let case = format!("{blocks} blocks: {}", ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{case}");
        if ran.code != Some(0) {
            failures += 1;
            assert_eq!(ran.code, Some(1), "{case}");
            assert!(ran.stderr.contains("os error 27"), "{case}");
        }
        scratch.research();
        let files = scratch.tree();
        let expected = expected.tree();
        let changed = differences(&files, &expected);
        assert_eq!(changed, Vec::<&str>::new(), "{case}");
    }
    assert!(failures > 5, "{failures}");
}

#[test]
fn finished_session_is_read_on_a_full_disk() {
    let scratch = Scratch::with_few();
    scratch.research();
    for arguments in [
        &["run", "--resume", "s"][..],
        &["show", "s"],
        &["verify", "s"],
        &["status", "s"],
        &["explain", "s"],
    ] {
        run_on_full_disk(&scratch, 0, arguments).assert_ended(0, &arguments.join(" "));
    }
}

#[test]
fn read_only_output_directory_is_an_error_with_its_name() {
    let scratch = Scratch::with_few();
    open_to_all(&scratch);
    let output = scratch.path().join("research-output");
    fs::create_dir(&output).unwrap();
    set_mode(&output, 0o555);
    let ran = run_unprivileged(&scratch, &ASK);
    ran.assert_ended(1, "read-only");
    assert!(ran.stderr.contains("research-output/s"), "{}", ran.stderr);
    set_mode(&output, 0o777);
    run_unprivileged(&scratch, &ASK).assert_ended(0, "writable");
}

#[test]
fn read_only_session_can_be_read_and_resuming_names_the_cause() {
    let scratch = Scratch::with_few();
    scratch.research();
    open_to_all(&scratch);
    for directory in ["research-output", "research-output/s"] {
        set_mode(&scratch.path().join(directory), 0o555);
    }
    for name in ["explain", "status", "show", "verify", "graph"] {
        run_unprivileged(&scratch, &[name, "s"]).assert_ended(0, name);
    }
    let ran = run_unprivileged(&scratch, &["run", "--resume", "s", "--from", "review"]);
    ran.assert_ended(1, "read-only");
    assert!(ran.stderr.contains("denied"), "{}", ran.stderr);
    set_mode(&scratch.session(), 0o755);
    scratch.expect(0, &["run", "--resume", "s", "--from", "review"]);
}

#[test]
fn output_directory_that_is_a_file_is_an_error_with_its_name() {
    let scratch = Scratch::with_few();
    scratch.write("taken", "mine");
    let ran = scratch.run(&[&ASK[..], &["--output-dir", "taken"]].concat());
    assert!(matches!(ran.code, Some(1 | 2)), "{}", ran.stderr);
    assert!(ran.stderr.contains("taken"), "{}", ran.stderr);
    assert_eq!(scratch.read("taken"), "mine");
    let ran = scratch.run(&[&ASK[..], &["--output-dir", "taken/below"]].concat());
    assert!(matches!(ran.code, Some(1 | 2)), "{}", ran.stderr);
    assert!(ran.stderr.contains("taken"), "{}", ran.stderr);
}

#[test]
fn missing_documents_are_a_usage_error() {
    let scratch = Scratch::with_few();
    for path in ["nowhere", "docs/nothing.md", "/nonexistent/docs"] {
        let ran = scratch.expect(2, &["run", TOPIC, "--docs", path]);
        assert!(ran.stderr.contains(path), "{}", ran.stderr);
        assert!(!scratch.path().join("research-output").exists());
    }
}

#[test]
fn unreadable_documents_are_named_among_the_limits() {
    let scratch = Scratch::with_few();
    scratch.write(
        "docs/secret.md",
        "# Secret\n\nHeat pumps work in old houses.\n",
    );
    open_to_all(&scratch);
    set_mode(&scratch.path().join("docs/secret.md"), 0o000);
    run_unprivileged(&scratch, &ASK).assert_ended(0, "unreadable document");
    let report = scratch.read("research-output/s/final_report.md");
    let limits = report.split("## Limits").nth(1).unwrap();
    assert!(limits.contains("Not read: "), "{limits}");
    assert!(limits.contains("secret.md"), "{limits}");
}

#[test]
fn broken_documents_are_named_among_the_limits() {
    let scratch = Scratch::with_few();
    scratch.write("docs/broken.pdf", "%PDF-1.7\nthis is no PDF\n");
    scratch.research();
    let report = scratch.read("research-output/s/final_report.md");
    let limits = report.split("## Limits").nth(1).unwrap();
    assert!(limits.contains("broken.pdf"), "{limits}");
}

#[test]
fn unreadable_folders_are_named_and_do_not_hide_the_rest() {
    let scratch = Scratch::with_few();
    scratch.write("docs/private/secret.md", "# Secret\n\nHeat pumps.\n");
    open_to_all(&scratch);
    let private = scratch.path().join("docs/private");
    set_mode(&private, 0o000);
    let ran = run_unprivileged(&scratch, &ASK);
    set_mode(&private, 0o755);
    ran.assert_ended(0, "unreadable folder");
    let report = scratch.read("research-output/s/final_report.md");
    let limits = report.split("## Limits").nth(1).unwrap();
    assert!(limits.contains("private"), "{limits}");
}

#[test]
fn unreadable_folder_of_documents_is_an_error_and_not_an_empty_folder() {
    let scratch = Scratch::with_few();
    open_to_all(&scratch);
    let docs = scratch.path().join("docs");
    for (mode, path) in [(0o000, "docs"), (0o000, "docs/costs.md")] {
        set_mode(&docs, mode);
        let run = run_unprivileged(&scratch, &["run", TOPIC, "--docs", path, "--session", "s"]);
        let search = run_unprivileged(&scratch, &["search", "heat", "--docs", path]);
        set_mode(&docs, 0o755);
        for ran in [run, search] {
            assert!(matches!(ran.code, Some(1 | 2)), "{}", ran.stderr);
            assert!(ran.stderr.contains(path), "{}", ran.stderr);
            assert!(
                ran.stderr.to_lowercase().contains("permission denied"),
                "{}",
                ran.stderr
            );
        }
    }
}

#[test]
fn unreadable_session_is_not_called_missing() {
    let scratch = Scratch::with_few();
    scratch.research();
    open_to_all(&scratch);
    set_mode(&scratch.session(), 0o000);
    for arguments in [
        &["list"][..],
        &["status", "s"],
        &["show", "s"],
        &["export", "research-output/s"],
        &["run", "--resume", "s"],
    ] {
        let ran = run_unprivileged(&scratch, arguments);
        let case = arguments.join(" ");
        ran.assert_ended(i32::from(arguments.len() > 1), &case);
        assert!(
            ran.stderr.contains("Permission denied"),
            "{case}: {}",
            ran.stderr
        );
    }
    set_mode(&scratch.session(), 0o755);
}

#[test]
fn session_tree_may_be_moved_with_its_documents() {
    let scratch = Scratch::with_few();
    scratch.research();
    let moved = scratch.copy();
    let ran = moved.expect(0, &["run", "--resume", "s"]);
    assert!(ran.stderr.contains("nothing to do"), "{}", ran.stderr);
    moved.expect(0, &["run", "--resume", "s", "--from", "research"]);
    let files = moved.tree();
    let mut files: Vec<&String> = files.keys().collect();
    files.retain(|name| !name.starts_with("superseded/"));
    assert_eq!(files, scratch.tree().keys().collect::<Vec<_>>());
}

#[test]
fn sessions_and_caches_are_private_and_exports_are_not() {
    let scratch = Scratch::with_few();
    let command = scratch.command(&[]);
    let program = command.get_program().to_str().unwrap();
    let line = format!(
        "umask 0; {program} run '{TOPIC}' --docs docs --session s -o report.html && \
         {program} export s -o report.md"
    );
    let mut shell = Command::new("sh");
    let environment = command.get_envs();
    let environment = environment.filter_map(|(name, value)| Some((name, value?)));
    shell.args(["-c", &line]).env_clear().envs(environment);
    shell.current_dir(scratch.path());
    Ran::from(shell.output().unwrap()).assert_ended(0, "umask 0");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for file in ["report.html", "report.md"] {
        assert_eq!(mode(&scratch.path().join(file)), 0o666, "{file}");
    }
    let mut entries = 0;
    for root in ["research-output", ".cache"] {
        for entry in WalkDir::new(scratch.path().join(root)) {
            let entry = entry.unwrap();
            let is_file = entry.file_type().is_file();
            // The files of an index are written by a library, into a private directory.
            let is_of_index = entry.path().to_string_lossy().contains("/documents-");
            if !is_file || !is_of_index {
                let expected = if is_file { 0o600 } else { 0o700 };
                assert_eq!(mode(entry.path()), expected, "{}", entry.path().display());
            }
            entries += 1;
        }
    }
    assert!(entries > 20, "{entries}");
}

#[test]
fn a_report_keeps_the_permissions_of_its_file_and_follows_a_link() {
    let scratch = Scratch::with_few();
    let at = |name: &str| scratch.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
    scratch.write("shared/target.md", "old");
    set_mode(&at("shared/target.md"), 0o600);
    symlink("shared/target.md", at("link.md")).unwrap();
    scratch.expect(0, &[&ASK[..], &["-o", "link.md"]].concat());
    let report = scratch.read("shared/target.md");
    assert!(report.contains("](research-output/s/sources/S"), "{report}");
    assert_eq!(mode("shared/target.md"), 0o600);

    scratch.write("mine.html", "old");
    set_mode(&at("mine.html"), 0o640);
    symlink("new.md", at("dangling.md")).unwrap();
    for (target, written) in [
        ("mine.html", "mine.html"),
        ("link.md", "shared/target.md"),
        ("dangling.md", "new.md"),
    ] {
        scratch.expect(0, &["export", "s", "-o", target]);
        assert_ne!(scratch.read(written), "old", "{target}");
    }
    assert_eq!(mode("mine.html"), 0o640);
    assert_eq!(mode("shared/target.md"), 0o600);
    for link in ["link.md", "dangling.md"] {
        assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink());
    }
}

#[test]
fn a_link_leads_no_report_over_a_document_or_out_of_a_session() {
    let scratch = Scratch::with_few();
    scratch.research();
    let at = |name: &str| scratch.path().join(name);
    scratch.write("outside.html", "old");
    let in_session = "research-output/s/final_report.html";
    symlink(at("outside.html"), at(in_session)).unwrap();
    scratch.expect(0, &["export", "s", "-o", in_session]);
    assert_eq!(scratch.read("outside.html"), "old");

    symlink("docs/costs.md", at("document.md")).unwrap();
    symlink("docs/new.md", at("new.md")).unwrap();
    symlink("research-output/s/report.json", at("final_report.html")).unwrap();
    symlink("circle.md", at("circle.md")).unwrap();
    let before = scratch.tree();
    for (link, code) in [
        ("document.md", 2),
        ("new.md", 2),
        ("final_report.html", 2),
        ("circle.md", 1),
    ] {
        scratch.expect(code, &["export", "s", "-o", link]);
    }
    assert!(scratch.tree() == before);
}

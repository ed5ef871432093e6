//! The README and the pages of the manual, run: every command in them, in order, as a reader would
//! who copies line by line, and what they say it prints.
//!
//! A ```` ```console ```` block holds commands behind `$ ` and what they print, standard error
//! included. Of the commands of a
//! ```` ```sh ```` block the output is not shown. All share one directory with the examples, where
//! the clock stands still, so what is printed is compared byte for byte; `make readme` writes it
//! anew. Every command has to end well.
//!
//! Not by `trycmd`, which knows no shell: with `head` and `grep` a block shows a part of a long
//! output, and still is that part after the output has changed.

use std::cell::RefCell;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use research::cli::COMMANDS;
use research::export::FORMATS;
use research::read::Kinds;
use research::stage::STAGES;
use research::web::PROVIDERS;
use similar::TextDiff;

use crate::harness::{NOW, Scratch, copy, skipped};
use crate::online;
use crate::serve::wait_until;
use crate::server::Server;

/// The pages in the order in which their commands are run, the README first.
const PAGES: [&str; 10] = [
    "README.md",
    "docs/documents.md",
    "docs/sessions.md",
    "docs/batch.md",
    "docs/output.md",
    "docs/check.md",
    "docs/models.md",
    "docs/web.md",
    "docs/server.md",
    "docs/settings.md",
];

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(page)
}

fn read(page: &str) -> String {
    fs::read_to_string(path(page)).unwrap()
}

/// The one command that is not run here: this test is a part of it.
const TESTS: &str = "cargo test --locked";

/// The address of the server, and the file of what it prints.
const SERVER: (&str, &str) = ("127.0.0.1:8731", "server.log");

/// Stands in for cargo: the program was built for this test already.
const CARGO: &str = r#"#!/bin/sh
case "$*" in
"run --release --locked -- "*) shift 4 && exec research "$@" ;;
"build --release --locked") ;;
*) echo "cargo $* is not what the test expects" >&2 && exit 101 ;;
esac
"#;

/// A piece of a page.
enum Piece<'a> {
    /// Lines that are only read.
    Prose(Vec<&'a str>),
    /// Lines of a fenced block and what kind it is of.
    Block(&'a str, Vec<&'a str>),
}

fn pieces(page: &str) -> Vec<Piece<'_>> {
    let mut pieces = vec![Piece::Prose(Vec::new())];
    for line in page.lines() {
        let piece = pieces.last_mut().unwrap();
        match (piece, line.strip_prefix("```")) {
            (Piece::Prose(_), Some(kind)) => pieces.push(Piece::Block(kind, Vec::new())),
            (Piece::Block(..), Some(_)) => pieces.push(Piece::Prose(Vec::new())),
            (Piece::Prose(lines) | Piece::Block(_, lines), None) => lines.push(line),
        }
    }
    pieces
}

/// A page with what its commands print now.
fn run(page: &str, surroundings: &Surroundings) -> String {
    let mut text = String::new();
    for piece in pieces(page) {
        match piece {
            Piece::Prose(lines) => lines.iter().for_each(|line| push(&mut text, line)),
            Piece::Block(kind, lines) => {
                push(&mut text, &format!("```{kind}"));
                match kind {
                    "sh" => lines.iter().for_each(|line| {
                        push(&mut text, line);
                        surroundings.printed(line);
                    }),
                    "console" => console(&lines, surroundings, &mut text),
                    _ => panic!("nobody tests a block of kind {kind:?}"),
                }
                push(&mut text, "```");
            }
        }
    }
    text
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn console(lines: &[&str], surroundings: &Surroundings, text: &mut String) {
    assert!(lines[0].starts_with("$ "), "{lines:?}");
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            push(text, line);
            text.push_str(&surroundings.printed(command));
        }
    }
}

/// Where the commands run, and what they leave running.
struct Surroundings {
    scratch: Scratch,
    web: Server,
    /// The process groups of commands that end in `&`.
    groups: RefCell<Vec<u32>>,
}

impl Drop for Surroundings {
    fn drop(&mut self) {
        for group in self.groups.borrow().iter() {
            research::platform::kill_process_group(*group);
        }
    }
}

impl Surroundings {
    /// What a command prints, as on a terminal.
    fn printed(&self, line: &str) -> String {
        if line.is_empty() || line == TESTS {
            return String::new();
        }
        let path = std::env::var("PATH").unwrap();
        let bin = self.scratch.path().join("bin").display().to_string();
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("exec 2>&1\n{}", self.with_address(line))])
            .process_group(0)
            .current_dir(self.scratch.path())
            .env_clear()
            .env("PATH", format!("{bin}:{path}"))
            .env("HOME", self.scratch.path())
            .env("RESEARCH_MODEL", "rules")
            .env("RESEARCH_SEARCH__SERVICES", "searxng")
            .env("SEARXNG_URL", self.web.url(""))
            .env("RESEARCH_NETWORK__ALLOW", "127.0.0.1")
            .env("RESEARCH_NETWORK__GAP_MILLISECONDS", "0")
            .env("RESEARCH_SERVER__LISTEN", "127.0.0.1:0")
            .env("RESEARCH_NOW", NOW)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let child = shell.spawn().unwrap();
        if line.ends_with('&') {
            self.groups.borrow_mut().push(child.id());
        }
        let output = child.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{line}\n{printed}");
        assert!(printed.is_empty() || printed.ends_with('\n'), "{line}");
        printed
    }

    /// A command with the address that the server took here.
    fn with_address(&self, line: &str) -> String {
        let (address, log) = SERVER;
        if !line.contains(address) {
            return line.to_owned();
        }
        let taken = || {
            let printed = fs::read_to_string(self.scratch.path().join(log)).unwrap();
            let url = printed.strip_prefix("listening on http://")?;
            Some(url.strip_suffix('\n')?.to_owned())
        };
        wait_until("the server listens", || taken().is_some());
        line.replace(address, &taken().unwrap())
    }
}

/// A directory like the repository after `cargo build --release`, as far as the pages speak of it.
fn repository() -> Scratch {
    let scratch = Scratch::new();
    let (root, program) = (
        Path::new(env!("CARGO_MANIFEST_DIR")),
        env!("CARGO_BIN_EXE_research"),
    );
    copy(&root.join("examples"), &scratch.path().join("examples"));
    scratch.write("Makefile", fs::read(root.join("Makefile")).unwrap());
    scratch.write("bin/cargo", CARGO);
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(scratch.path().join("bin/cargo"), executable).unwrap();
    for directory in ["bin", "target/release"] {
        let directory = scratch.path().join(directory);
        fs::create_dir_all(&directory).unwrap();
        symlink(program, directory.join("research")).unwrap();
    }
    scratch
}

#[test]
fn readme_and_manual_show_the_output_of_their_commands() {
    if Command::new("make").arg("--version").output().is_err() {
        return skipped("make is not installed");
    }
    let surroundings = Surroundings {
        scratch: repository(),
        web: online::web(),
        groups: RefCell::default(),
    };
    let update = std::env::var_os("UPDATE_README").is_some();
    let mut differences = String::new();
    for page in PAGES {
        let text = read(page);
        let now = run(&text, &surroundings);
        if update {
            fs::write(path(page), &now).unwrap();
        }
        let difference = TextDiff::from_lines(&text, &now)
            .unified_diff()
            .header(page, "what its commands print (make readme)")
            .to_string();
        differences.push_str(&difference);
    }
    assert!(update || differences.is_empty(), "{differences}");
}

#[test]
fn readme_begins_with_two_commands_of_which_ci_runs_the_second() {
    let readme = read(PAGES[0]);
    let Some(Piece::Block("sh", commands)) = pieces(&readme).into_iter().nth(1) else {
        panic!("the README does not begin with commands");
    };
    assert_eq!(commands.len(), 2, "{commands:?}");
    assert!(commands[0].starts_with("cargo run --release --locked -- run "));
    assert_eq!(commands[1], TESTS);
    let script = include_str!("../../.ci/run");
    assert!(script.lines().any(|line| line == TESTS));
}

#[test]
fn readme_names_the_stages_in_order_with_the_agents_that_they_ask() {
    let readme = read("README.md");
    let rows = readme.lines().filter(|line| line.starts_with("| "));
    let rows: Vec<&str> = rows
        .skip_while(|row| !row.contains("agents"))
        .skip(1)
        .take(STAGES.len())
        .collect();
    for (stage, row) in STAGES.iter().zip(rows) {
        let agents: Vec<&str> = stage.agents.iter().map(|agent| agent.name).collect();
        assert!(row.starts_with(&format!("| {} |", stage.name)), "{row}");
        assert!(
            row.ends_with(&format!("| {} |", agents.join(", "))),
            "{row}"
        );
    }
}

#[test]
fn manual_names_every_command_format_document_kind_and_search_service() {
    let manual: String = PAGES.map(read).concat();
    // Names are broken across lines and written as their owners do: `hacker-news` is Hacker News.
    let plain = |text: &str| {
        let text = text.to_lowercase().replace('-', " ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = plain(&manual);
    let commands = COMMANDS.iter().map(|command| command.name);
    // Hidden commands are called by the program itself.
    for command in commands.filter(|name| !name.starts_with('_')) {
        assert!(manual.contains(&format!("research {command}")), "{command}");
    }
    // The first format is the default, which needs no option.
    for format in &FORMATS[1..] {
        let option = format!("--format {}", format.name);
        assert!(manual.contains(&option), "{option}");
    }
    for kind in Kinds::BUILT_IN {
        assert!(text.contains(&plain(kind.label)), "{kind:?}");
    }
    for provider in PROVIDERS {
        assert!(text.contains(&plain(provider.name)), "{}", provider.name);
    }
}

#[test]
fn links_of_the_manual_lead_to_files_and_headings() {
    for page in PAGES {
        let text = read(page);
        let prose = pieces(&text).into_iter().filter_map(|piece| match piece {
            Piece::Prose(lines) => Some(lines.join("\n")),
            Piece::Block(..) => None,
        });
        for link in prose.flat_map(|text| links(&text)) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => path(page),
                file => path(page).parent().unwrap().join(file),
            };
            assert!(target.exists(), "{page}: {link}");
            let has = |heading: &str| has_heading(&fs::read_to_string(&target).unwrap(), heading);
            assert!(heading.is_empty() || has(heading), "{page}: {link}");
        }
    }
}

/// The targets of the links in a text, but for addresses.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1);
    let targets = targets.filter_map(|rest| Some(rest.split_once(')')?.0));
    let local = targets.filter(|target| !target.contains("://"));
    local.map(str::to_owned).collect()
}

/// Whether a text has a heading with this anchor, as GitHub makes them.
fn has_heading(text: &str, anchor: &str) -> bool {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let mut anchors = headings.map(|line| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        words.replace(' ', "-").replace([',', ':', '`'], "")
    });
    anchors.any(|other| other == anchor)
}

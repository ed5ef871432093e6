//! The rules of style that can be counted, and the arrows between the rooms.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test where it stands"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The longest file, tests included, in lines.
const FILE_LINES: usize = 800;
/// The longest function, in lines.
const FUNCTION_LINES: usize = 70;
/// The longest line outside of unit tests, in characters: what rustfmt leaves of long strings and
/// documentation.
const LINE_CHARACTERS: usize = 160;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(directory: &str, extension: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![root().join(directory)];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push((name(&path), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

/// The rooms in the order of the table in `src/lib.rs`.
fn rooms() -> Vec<String> {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! | [`"));
    rows.map(|row| row.split('`').next().unwrap().to_owned())
        .collect()
}

/// The part of a file before its unit tests.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap()
}

#[test]
fn the_table_lists_every_room() {
    let listed: BTreeSet<String> = rooms().into_iter().collect();
    let mut there = BTreeSet::new();
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !["lib", "main"].contains(&stem.as_str()) {
            there.insert(stem);
        }
    }
    assert_eq!(listed, there);
}

#[test]
fn a_room_uses_only_rooms_above_it() {
    let rooms = rooms();
    let mut forbidden = Vec::new();
    for (file, text) in files("src", "rs") {
        let room = file
            .trim_start_matches("src/")
            .split(['/', '.'])
            .next()
            .unwrap();
        let Some(own) = rooms.iter().position(|other| other == room) else {
            continue;
        };
        for (place, below) in rooms.iter().enumerate().skip(own + 1) {
            let uses = text.contains(&format!("crate::{below}")) || nested_use(&text, below);
            if uses {
                forbidden.push(format!("{file} uses {below}, room {place} below {own}"));
            }
        }
    }
    assert_eq!(forbidden, Vec::<String>::new());
}

/// Whether `use crate::{…}` names a room.
fn nested_use(text: &str, room: &str) -> bool {
    text.split("use crate::{").skip(1).any(|rest| {
        let list = rest.split("};").next().unwrap();
        list.split([',', '{', '}', '\n'])
            .any(|part| part.trim() == room || part.trim().starts_with(&format!("{room}::")))
    })
}

#[test]
fn files_functions_and_lines_are_short() {
    let mut long = Vec::new();
    let sources = files("src", "rs")
        .into_iter()
        .chain(files("tests", "rs"))
        .chain(files("benches", "rs"));
    for (file, text) in sources {
        let lines: Vec<&str> = text.lines().collect();
        let code = without_tests(&text).lines().count();
        if lines.len() > FILE_LINES {
            long.push(format!("{file}: {} lines", lines.len()));
        }
        for (number, line) in lines.iter().enumerate() {
            if number < code && line.chars().count() > LINE_CHARACTERS {
                long.push(format!(
                    "{file}:{}: {} characters",
                    number + 1,
                    line.chars().count()
                ));
            }
            if let Some(length) = function_length(&lines[number..])
                && length > FUNCTION_LINES
            {
                long.push(format!(
                    "{file}:{}: a function of {length} lines",
                    number + 1
                ));
            }
        }
    }
    assert_eq!(long, Vec::<String>::new());
}

/// The lines of the function that starts on the first line, if one does: to the brace at its own
/// depth.
fn function_length(lines: &[&str]) -> Option<usize> {
    let first = lines.first()?;
    let start = first.trim_start();
    let is_function = [
        "fn ",
        "pub fn ",
        "pub(super) fn ",
        "pub(crate) fn ",
        "async fn ",
        "pub async fn ",
    ]
    .iter()
    .any(|word| start.starts_with(word));
    let indent = &first[..first.len() - start.len()];
    let close = format!("{indent}}}");
    is_function.then(|| {
        lines
            .iter()
            .position(|line| **line == close)
            .map_or(0, |end| end + 1)
    })
}

#[test]
fn every_file_opens_with_its_job() {
    let all = files("src", "rs")
        .into_iter()
        .chain(files("tests", "rs"))
        .chain(files("benches", "rs"));
    let bare: Vec<String> = all
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(file, _)| file)
        .collect();
    assert_eq!(bare, Vec::<String>::new());
}

#[test]
fn only_one_place_writes_and_only_one_room_prints() {
    let writers = [
        "fs::write",
        "File::create",
        "fs::rename",
        "fs::create_dir",
        "OpenOptions",
        "set_len",
    ];
    let printers = [
        "println!",
        "eprintln!",
        "print!(",
        "eprint!(",
        "io::stdout",
        "io::stderr",
    ];
    // The lock, the log's repair and the readers that refuse links open files by options; the
    // doctor cleans up its probe.
    let may_open = [
        "src/pipeline/disk.rs",
        "src/pipeline/lock.rs",
        "src/pipeline/events.rs",
        "src/pipeline/stamps.rs",
        "src/platform/files.rs",
    ];
    let mut found = Vec::new();
    for (file, text) in files("src", "rs") {
        let code = without_tests(&text);
        for word in writers.iter().filter(|word| code.contains(**word)) {
            if !may_open.contains(&file.as_str()) {
                found.push(format!("{file}: {word}"));
            }
        }
        for word in printers.iter().filter(|word| code.contains(**word)) {
            if !file.starts_with("src/cli/") {
                found.push(format!("{file}: {word}"));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn only_the_platform_room_names_what_only_unix_has() {
    let words = [
        "std::os::unix",
        "rustix",
        "signal_hook",
        "cfg(unix)",
        "cfg(not(unix))",
    ];
    let mut forbidden = Vec::new();
    for (file, text) in files("src", "rs") {
        if file.starts_with("src/platform/") {
            continue;
        }
        let code = without_tests(&text);
        forbidden.extend(
            words
                .iter()
                .filter(|word| code.contains(**word))
                .map(|word| format!("{file}: {word}")),
        );
    }
    assert_eq!(forbidden, Vec::<String>::new());
}

#[test]
fn every_agent_has_a_prompt_and_is_in_the_table() {
    // Those that every agent is told, or that another prompt includes.
    let shared = ["workflow", "delegation"].map(str::to_owned);
    let registered: BTreeSet<String> = research::agent::AGENTS
        .iter()
        .map(|agent| agent.name.to_owned())
        .collect();
    let agents: BTreeSet<String> = files("src/agent", "rs")
        .into_iter()
        .filter(|(_, text)| text.contains("impl Agent for"))
        .map(|(file, _)| {
            file.trim_start_matches("src/agent/")
                .trim_end_matches("/mod.rs")
                .to_owned()
        })
        .collect();
    assert_eq!(
        agents, registered,
        "each folder of an agent has its line in AGENTS"
    );
    let agents: BTreeSet<String> = agents.into_iter().chain(shared).collect();
    let prompts: BTreeSet<String> = files("prompts", "md")
        .into_iter()
        .map(|(file, _)| {
            file.trim_start_matches("prompts/")
                .trim_end_matches(".md")
                .to_owned()
        })
        .collect();
    assert_eq!(agents, prompts);
}

#[test]
fn nothing_is_left_unfinished_or_ignored() {
    let words = [
        "todo!(",
        "unimplemented!(",
        "FIXME",
        "XXX",
        "#[ignore",
        "use super::super::super",
        "mod utils",
    ];
    let mut found = Vec::new();
    for (file, text) in files("src", "rs").into_iter().chain(files("tests", "rs")) {
        if file == "tests/tidy.rs" {
            continue;
        }
        found.extend(
            words
                .iter()
                .filter(|word| text.contains(**word))
                .map(|word| format!("{file}: {word}")),
        );
    }
    assert_eq!(found, Vec::<String>::new());
}

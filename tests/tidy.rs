//! The rules of style that can be counted, and the arrows between the rooms.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test where it stands"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use research::read::Kinds;

/// The longest file, tests included, in lines.
const FILE_LINES: usize = 800;
/// The longest function, in lines.
const FUNCTION_LINES: usize = 70;
/// The longest line, in characters, strings and documentation included. A row of a table in
/// documentation cannot be broken.
const LINE_CHARACTERS: usize = 100;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(directory: &str, extension: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut open = vec![root().join(directory)];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                files.push((name(&path), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
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
        for (position, below) in rooms.iter().enumerate().skip(own + 1) {
            let uses = text.contains(&format!("crate::{below}")) || nested_use(&text, below);
            if uses {
                forbidden.push(format!("{file} uses {below}, room {position} below {own}"));
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
        if lines.len() > FILE_LINES {
            long.push(format!("{file}: {} lines", lines.len()));
        }
        for (number, line) in lines.iter().enumerate() {
            let length = line.chars().count();
            if length > LINE_CHARACTERS && !line.starts_with("//! |") {
                long.push(format!("{file}:{}: {length} characters", number + 1));
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
        "src/pipeline/session_files.rs",
        "src/pipeline/status_file.rs",
        "src/platform/files.rs",
    ];
    let mut violations = Vec::new();
    for (file, text) in files("src", "rs") {
        let code = without_tests(&text);
        for word in writers.iter().filter(|word| code.contains(**word)) {
            if !may_open.contains(&file.as_str()) {
                violations.push(format!("{file}: {word}"));
            }
        }
        for word in printers.iter().filter(|word| code.contains(**word)) {
            if !file.starts_with("src/cli/") {
                violations.push(format!("{file}: {word}"));
            }
        }
    }
    assert_eq!(violations, Vec::<String>::new());
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
    let shared = ["workflow", "delegation", "observation"].map(str::to_owned);
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
        .filter(|(file, _)| !file.starts_with("prompts/reports/"))
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
    let mut violations = Vec::new();
    for (file, text) in files("src", "rs").into_iter().chain(files("tests", "rs")) {
        if file == "tests/tidy.rs" {
            continue;
        }
        violations.extend(
            words
                .iter()
                .filter(|word| text.contains(**word))
                .map(|word| format!("{file}: {word}")),
        );
    }
    assert_eq!(violations, Vec::<String>::new());
}

/// The files of a room must not use each other in a circle.
///
/// An edge goes from a file to each file of its room that it names by `super::`, `crate::ROOM::`
/// or, in a `mod.rs`, by the name of a module below it. A name that a `mod.rs` only re-exports
/// counts as the file that defines it, so a `mod.rs` that merely lists and re-exports has no edges;
/// `pub use` makes none. Unit tests and comments do not count.
#[test]
fn the_files_of_a_room_form_no_circle() {
    let mut circles = Vec::new();
    for room in rooms() {
        let modules = modules_of(&room);
        let edges: BTreeMap<&Module, BTreeSet<Module>> = modules
            .iter()
            .map(|(module, text)| (module, uses_of(&room, module, text, &modules)))
            .collect();
        let circle = circle(&edges);
        if !circle.is_empty() {
            circles.push(format!("{room}: {circle:?}"));
        }
    }
    assert_eq!(circles, Vec::<String>::new());
}

/// The path of a module below its room: empty for the room's own file.
type Module = Vec<String>;

/// The modules of a room and their code, without comments and unit tests.
fn modules_of(room: &str) -> BTreeMap<Module, String> {
    let mut modules = BTreeMap::new();
    for (file, text) in files("src", "rs") {
        let path = file.trim_start_matches("src/").trim_end_matches(".rs");
        let mut module: Module = path.split('/').map(str::to_owned).collect();
        if module.remove(0) != room {
            continue;
        }
        if module.last().is_some_and(|last| last == "mod") {
            module.pop();
        }
        let code: Vec<&str> = without_tests(&text)
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        // A visibility is no use.
        let code = code.join("\n").replace("pub(in crate::", "pub(in ");
        modules.insert(module, code);
    }
    modules
}

/// The modules of its room that a module uses.
fn uses_of(
    room: &str,
    module: &Module,
    code: &str,
    modules: &BTreeMap<Module, String>,
) -> BTreeSet<Module> {
    let is_parent = modules
        .keys()
        .any(|other| other.len() == module.len() + 1 && other.starts_with(module));
    let mut uses = BTreeSet::new();
    for statement in statements(code) {
        if is_parent && statement.trim_start().starts_with("pub") && statement.contains(" use ") {
            continue;
        }
        for path in paths(&statement) {
            let (base, rest) = match path.first().map(String::as_str) {
                Some("super") => {
                    let up = path.iter().take_while(|part| *part == "super").count();
                    (
                        module[..module.len().saturating_sub(up)].to_vec(),
                        &path[up..],
                    )
                }
                Some("crate") if path.get(1).is_some_and(|part| part == room) => {
                    (Module::new(), &path[2..])
                }
                Some("self") => (module.clone(), &path[1..]),
                Some(first) if is_parent && modules.contains_key(&below(module, first)) => {
                    (module.clone(), &path[..])
                }
                _ => continue,
            };
            if let Some(used) = resolve(base, rest, modules).filter(|used| used != module) {
                uses.insert(used);
            }
        }
    }
    uses
}

fn below(module: &Module, name: &str) -> Module {
    let mut module = module.clone();
    module.push(name.to_owned());
    module
}

/// The module that defines the item at `path`, starting from `base`.
fn resolve(
    mut base: Module,
    path: &[String],
    modules: &BTreeMap<Module, String>,
) -> Option<Module> {
    for (index, part) in path.iter().enumerate() {
        let next = below(&base, part);
        if modules.contains_key(&next) {
            base = next;
            continue;
        }
        // A name that is re-exported here is defined further down.
        for statement in statements(&modules[&base]) {
            let is_use = statement.trim_start().starts_with("pub") && statement.contains(" use ");
            for reexported in paths(&statement).into_iter().filter(|_| is_use) {
                if reexported.last() == Some(part) && reexported.len() > 1 {
                    let mut further = reexported;
                    further.extend_from_slice(&path[index + 1..]);
                    if modules.contains_key(&below(&base, &further[0])) {
                        return resolve(base, &further, modules);
                    }
                }
            }
        }
        break;
    }
    modules.contains_key(&base).then_some(base)
}

/// Code cut at each `;` outside of strings, which is enough to tell `use` statements apart.
fn statements(code: &str) -> Vec<String> {
    code.split(';').map(str::to_owned).collect()
}

/// The paths in a piece of code, with the groups of `use` statements spread out.
fn paths(code: &str) -> Vec<Module> {
    let mut paths = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
        rest = &rest[start..];
        let (branches, length) = tree(rest);
        paths.extend(branches.into_iter().filter(|path| path.len() > 1));
        rest = &rest[length..];
    }
    paths
}

/// The paths of the tree that `code` starts with, and its length in bytes.
fn tree(code: &str) -> (Vec<Module>, usize) {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut prefix = Module::new();
    let mut at = 0;
    loop {
        let length = code[at..]
            .find(|c: char| !is_name(c))
            .unwrap_or(code.len() - at);
        if length == 0 {
            break;
        }
        prefix.push(code[at..at + length].to_owned());
        at += length;
        if !code[at..].starts_with("::") {
            return (vec![prefix], at);
        }
        at += 2;
    }
    if !code[at..].starts_with('{') {
        return (vec![prefix], at.max(1));
    }
    at += 1;
    let mut paths = Vec::new();
    while at < code.len() && !code[at..].starts_with('}') {
        if code[at..].starts_with(is_name) {
            let (branches, length) = tree(&code[at..]);
            paths.extend(
                branches
                    .into_iter()
                    .map(|path| [prefix.clone(), path].concat()),
            );
            at += length;
        } else {
            at += code[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    (paths, (at + 1).min(code.len()))
}

/// The modules of some circle; none if there is no circle. Takes away, again and again, each module
/// that uses no module which is left (Kahn's algorithm).
fn circle(edges: &BTreeMap<&Module, BTreeSet<Module>>) -> Vec<String> {
    let mut left: BTreeSet<&Module> = edges.keys().copied().collect();
    loop {
        let before = left.len();
        let still = left.clone();
        left.retain(|module| edges[module].iter().any(|used| still.contains(used)));
        if left.len() == before {
            return left.iter().map(|module| module.join("/")).collect();
        }
    }
}

#[test]
fn no_file_matches_on_a_bool() {
    let mut violations = Vec::new();
    for (file, text) in files("src", "rs").into_iter().chain(files("tests", "rs")) {
        let count = text
            .lines()
            .filter(|line| line.trim_start().starts_with(concat!("true", " =>")))
            .count();
        if count > 0 {
            violations.push(format!("{file}: {count}"));
        }
    }
    assert_eq!(violations, Vec::<String>::new());
}

/// Names that say nothing of what they stand for; a standard word takes their place.
#[test]
fn nothing_has_a_name_of_a_private_vocabulary() {
    let values = [
        "told", "found", "kept", "asked", "standing", "place", "held",
    ];
    let types = [
        "Told", "Teller", "Asked", "Purse", "Panel", "Standing", "Place",
    ];
    let mut violations = Vec::new();
    for (file, text) in files("src", "rs") {
        for (number, line) in text.lines().enumerate() {
            let words: Vec<&str> = line
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .filter(|word| !word.is_empty())
                .collect();
            let defines = words.windows(2).any(|pair| match pair {
                ["fn" | "let" | "mut" | "mod", name] => values.contains(name),
                ["struct" | "enum" | "trait" | "type", name] => types.contains(name),
                _ => false,
            });
            let is_parameter = values
                .iter()
                .any(|name| line.contains(&format!("|{name}|")));
            if (defines || is_parameter) && !line.trim_start().starts_with("//") {
                violations.push(format!("{file}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert_eq!(violations, Vec::<String>::new());
}

#[test]
fn each_kind_of_document_has_a_fuzz_target_and_each_target_has_seeds() {
    let targets = files("fuzz/fuzz_targets", "rs");
    for kind in Kinds::BUILT_IN {
        let name = format!("\"{}\"", kind.name);
        let is_fuzzed = targets.iter().any(|(_, text)| text.contains(&name));
        assert!(
            is_fuzzed,
            "fuzz/fuzz_targets has no target that reads {name}"
        );
    }
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    for (file, _) in targets {
        let stem = Path::new(&file).file_stem().unwrap().to_str().unwrap();
        assert!(manifest.contains(&format!("name = \"{stem}\"")), "{file}");
        let seeds = root().join("fuzz/seeds").join(stem);
        assert!(
            fs::read_dir(seeds).unwrap().next().is_some(),
            "{file} has no seeds"
        );
    }
}

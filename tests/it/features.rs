//! The list of features: each line of it names tests that exist, and the settings have the defaults
//! that it promises.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;
use serde_json::Value;
use walkdir::WalkDir;

use crate::harness::{Scratch, TOPIC, parsed};

const FEATURES: &str = include_str!("../../docs/features.md");

/// The number of lines by their chapter: none may vanish.
const LINES: [usize; 6] = [33, 18, 20, 11, 20, 4];

/// The settings that the list promises, with their defaults.
const DEFAULTS: [(&str, &str); 18] = [
    ("run.depth", "\"auto\""),
    ("run.threshold", "0.6"),
    ("run.web_search_timeout_seconds", "15"),
    ("agents.coordinator.enable_clarification", "true"),
    ("agents.coordinator.max_clarifying_questions", "3"),
    ("agents.background.max_queries", "3"),
    ("agents.planner.max_plan_iterations", "3"),
    ("agents.planner.preserve_completed_steps", "true"),
    ("agents.researcher.max_concurrent_research_units", "3"),
    ("agents.researcher.max_researcher_iterations", "3"),
    ("agents.researcher.max_search_queries", "2"),
    ("agents.researcher.max_urls_to_crawl", "3"),
    ("agents.researcher.max_searches", "5"),
    ("agents.reflector.enforce_min_steps", "true"),
    ("report.verify", "true"),
    ("budget.timeout_seconds", "300"),
    ("models.temperature", "0.0"),
    ("models.tries", "3"),
];

/// The steps of each depth: least, greatest; and its tool calls of a step.
const DEPTHS: [(&str, [i64; 3]); 3] = [
    ("quick", [1, 3, 8]),
    ("standard", [3, 6, 12]),
    ("deep", [5, 10, 20]),
];

/// The names of all tests of this project.
fn tests() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let test = Regex::new(r"#\[test\]\s*(?:#\[[^\]]*\]\s*)*fn (\w+)").unwrap();
    let mut names = BTreeSet::new();
    for folder in ["src", "tests"] {
        for entry in WalkDir::new(root.join(folder)) {
            let entry = entry.unwrap();
            if entry.path().extension().is_some_and(|own| own == "rs") {
                let text = fs::read_to_string(entry.path()).unwrap();
                names.extend(
                    test.captures_iter(&text)
                        .map(|captures| captures[1].to_owned()),
                );
            }
        }
    }
    names
}

/// The lines of the list: their numbers, and what they say in the last column.
fn lines() -> BTreeMap<String, String> {
    let rows = FEATURES.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix('|')?.split('|').map(str::trim).collect();
        let number = cells[0].split_once('.')?;
        number.0.parse::<usize>().ok()?;
        Some((cells[0].to_owned(), cells[2].to_owned()))
    });
    rows.collect()
}

#[test]
fn every_feature_names_tests_that_exist() {
    let (tests, lines) = (tests(), lines());
    let of_chapter = |chapter: usize| {
        let prefix = format!("{chapter}.");
        lines
            .keys()
            .filter(|line| line.starts_with(&prefix))
            .count()
    };
    let counted: Vec<usize> = (0..LINES.len()).map(of_chapter).collect();
    assert_eq!(counted, LINES);
    for (line, shown_by) in &lines {
        let named: Vec<&str> = shown_by.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "{line} names no test");
        for name in named {
            assert!(tests.contains(name), "{line}: there is no test {name}");
        }
    }
}

#[test]
fn defaults_are_the_documented_ones() {
    let settings: Value = toml::from_str(include_str!("../../config/research.toml")).unwrap();
    let value = |path: &str| {
        let mut keys = path.split('.');
        keys.try_fold(&settings, |value, key| value.get(key))
            .cloned()
    };
    for (path, expected) in DEFAULTS {
        let value = value(path).map(|value| value.to_string());
        assert_eq!(value.as_deref(), Some(expected), "{path}");
    }
    for (depth, expected) in DEPTHS {
        let keys = ["min_steps", "max_steps", "tool_calls_per_step"];
        let values = keys.map(|key| value(&format!("depth.{depth}.{key}")).unwrap().as_i64());
        assert_eq!(values, expected.map(Some), "{depth}");
    }
}

#[test]
fn a_topic_is_searched_for_by_five_to_eight_queries() {
    let scratch = Scratch::with_example();
    for (depth, expected) in [("quick", 1..=3), ("standard", 5..=8), ("deep", 5..=8)] {
        let run = [
            "run",
            TOPIC,
            "--docs",
            "docs",
            "--offline",
            "--depth",
            depth,
        ];
        scratch.expect(0, &[&run[..], &["--session", depth]].concat());
        let research = scratch.read(&format!("research-output/{depth}/research.json"));
        let queries = parsed(&research)["content"]["search_queries"].clone();
        let queries: BTreeSet<String> = serde_json::from_value(queries).unwrap();
        assert!(expected.contains(&queries.len()), "{depth}: {queries:?}");
    }
}

//! A stranger's session: values in one of its files are replaced, then its state is read, its
//! quotations are checked and its report is exported in each format.

#![no_main]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use research::config::Settings;
use research::export::FORMATS;
use research::inspect::{self, ExportOptions};
use serde_json::{Value, json};
use tempfile::TempDir;

static SETTINGS: LazyLock<Settings> = LazyLock::new(|| Settings::load().expect("no settings"));

/// A copy of a session, of which one file at a time is changed.
static COPY: LazyLock<TempDir> = LazyLock::new(|| {
    let copy = tempfile::tempdir().expect("a directory");
    research_fuzz::copy(Path::new(research_fuzz::SESSION), copy.path()).expect("a copy");
    copy
});

const FILES: &[&str] = &[
    "research.json",
    "analysis.json",
    "claims.json",
    "verification.json",
    "report.json",
    "review.json",
    "session.json",
    "published.json",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((file, edits)) = research_fuzz::choice(bytes, FILES) else {
        return;
    };
    let path = COPY.path().join(file);
    let original = fs::read(&path).expect("a file of the copy");
    let mut value = serde_json::from_slice(&original).expect("JSON");
    for edit in edits.chunks_exact(4) {
        change(&mut value, edit);
    }
    fs::write(&path, value.to_string()).expect("a file of the copy");
    inspect_all(COPY.path());
    fs::write(&path, original).expect("a file of the copy");
});

/// Replaces the value at a position, counted through the tree, by another one.
fn change(root: &mut Value, edit: &[u8]) {
    let position = usize::from(edit[0]) << 8 | usize::from(edit[1]);
    let count = count(root);
    let mut left = position % count;
    if let Some(value) = nth(root, &mut left) {
        *value = replacement(edit[2], edit[3]);
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum::<usize>(),
        _ => 0,
    }
}

fn nth<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        Value::Object(fields) => fields.values_mut().find_map(|field| nth(field, left)),
        _ => None,
    }
}

fn replacement(kind: u8, argument: u8) -> Value {
    let number = u64::from(argument);
    match kind % 12 {
        0 => json!(number),
        1 => json!(u64::MAX - number),
        2 => json!(-1 - i64::from(argument)),
        3 => json!(1.0 / (number as f64)),
        4 => json!(""),
        5 => json!(format!("S{number}")),
        6 => json!(format!("P{number}")),
        7 => json!("é\u{202e}</script>[a](javascript:b)\u{1b}[0m".repeat(usize::from(argument))),
        8 => json!([]),
        9 => json!({}),
        10 => json!(number % 2 == 0),
        _ => Value::Null,
    }
}

fn inspect_all(session: &Path) {
    let _ = inspect::status(session, &SETTINGS);
    let _ = inspect::verify(session);
    for format in FORMATS {
        let _ = inspect::export(session, &SETTINGS, format, ExportOptions::default());
    }
}

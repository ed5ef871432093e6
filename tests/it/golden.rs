//! Golden sessions: runs of the rule agents, compared byte for byte with
//! `tests/golden/<case>/session`.
//!
//! `UPDATE_GOLDEN=1 cargo test --test it golden` writes them anew; each difference is a change of
//! behaviour to be read.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{Scratch, copy, differences, tree};

/// A case: its directory, and the scratch directory in which it was run.
struct Golden {
    directory: PathBuf,
    scratch: Scratch,
}

impl Golden {
    /// Runs the case as its files say: `arguments`, one a line; `docs`, else the example; `config`,
    /// if any.
    fn run(case: &str, code: i32) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let directory = root.join("tests/golden").join(case);
        let documents = directory.join("docs");
        let scratch = if documents.exists() {
            let scratch = Scratch::new();
            copy(&documents, &scratch.path().join("docs"));
            scratch
        } else {
            Scratch::with_example()
        };
        let config = directory.join("config");
        if config.exists() {
            copy(&config, &scratch.path().join("config"));
        }
        let arguments = fs::read_to_string(directory.join("arguments")).unwrap();
        scratch.expect(code, &arguments.lines().collect::<Vec<_>>());
        let golden = Self { directory, scratch };
        golden.compare();
        golden
    }

    fn compare(&self) {
        let expected = self.directory.join("session");
        let actual = self.scratch.tree();
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            let _ = fs::remove_dir_all(&expected);
            for (name, bytes) in &actual {
                let path = expected.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
        }
        let expected = tree(&expected);
        let changed = differences(&actual, &expected);
        assert_eq!(
            changed,
            Vec::<&str>::new(),
            "{}: these files differ; see the module's documentation",
            self.directory.display()
        );
    }
}

#[test]
fn golden_of_a_complete_session() {
    let golden = Golden::run("heat-pumps", 0);
    golden.scratch.expect(0, &["verify", "s"]);
    let sources = golden.scratch.json("research.json")["content"]["sources"].clone();
    let kinds: Vec<&str> = sources
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|source| source["kind"].as_str())
        .collect();
    assert!(kinds.contains(&"markdown"), "{kinds:?}");
    assert_eq!(
        golden.scratch.json("research.json")["content"]["documents"]["failures"],
        serde_json::json!([])
    );
}

#[test]
fn golden_of_two_rounds() {
    let golden = Golden::run("rounds", 0);
    let analysis = |name: &str| golden.scratch.json(name)["content"].clone();
    assert_ne!(
        analysis("rounds/1/analysis.json"),
        analysis("analysis.json")
    );
    let notes = golden.scratch.json("rounds/1/review.json")["content"]["notes"].clone();
    assert!(!notes.as_array().unwrap().is_empty());
    golden.scratch.expect(0, &["verify", "s"]);
}

#[test]
fn golden_without_evidence() {
    let golden = Golden::run("silent", 5);
    let report = golden.scratch.json("report.json")["content"].clone();
    assert_eq!(report["claims"], serde_json::json!([]));
    assert_eq!(report["outcome"], "no_evidence");
}

#[test]
fn golden_of_a_comparison() {
    let golden = Golden::run("comparison", 0);
    let classification = golden.scratch.json("research/classification.json")["content"].clone();
    assert_eq!(classification["sides"], serde_json::json!(["R290", "R32"]));
    golden.scratch.expect(0, &["verify", "s"]);
}

//! `research check`: the status of the documents that support a sentence, and what others say.

use serde_json::Value;

use crate::harness::{Ran, Scratch, parsed};

const OLD_PRICES: &str = "# Prices from 1 April 2024\n\nStatus: superseded by the list of 1 April \
                          2026\n\n| Item | Price | Unit |\n|---|---:|---|\n\
                          | Full membership | £49 | per month |\n| Day pass | £15 | per day |\n";

/// A directory with documents and a report, `report.md`.
fn scratch(documents: &[(&str, &str)], report: &str) -> Scratch {
    let scratch = Scratch::new();
    for (name, text) in documents {
        scratch.write(&format!("docs/{name}"), text);
    }
    scratch.write("report.md", report);
    scratch
}

fn check(scratch: &Scratch, code: i32, more: &[&str]) -> Ran {
    let arguments = ["check", "report.md", "--docs", "docs", "--offline"];
    scratch.expect(code, &[&arguments, more].concat())
}

fn sentences(scratch: &Scratch, code: i32) -> Vec<Value> {
    let checked = parsed(&check(scratch, code, &["--json"]).stdout);
    checked["sentences"].as_array().unwrap().clone()
}

#[test]
fn a_sentence_that_a_superseded_document_supports_is_marked() {
    let report = "Full membership is £49 per month [old.md].\n\nWork is kept for six weeks \
                  [rules.md].\n";
    let rules = "# Rules\n\nWork is kept for six weeks.\n";
    let scratch = scratch(&[("old.md", OLD_PRICES), ("rules.md", rules)], report);
    let text = check(&scratch, 0, &[]).stdout;
    let status = "superseded by the list of 1 April 2026";
    for words in [
        "report.md:1:1: supported: Full membership",
        &format!("    status of old.md: {status}\n"),
        "2 supported; 1 by a source that is not in force",
    ] {
        assert!(text.contains(words), "{text}");
    }
    assert!(!text.contains("six weeks"), "{text}");
    let sentences = sentences(&scratch, 0);
    assert_eq!(sentences[0]["match"]["status"], status);
    assert_eq!(sentences[1]["match"].get("status"), None);
    check(&scratch, 1, &["--fail-on", "not-in-force"]);
    check(&scratch, 0, &["--fail-on", "partial,unreachable"]);
}

#[test]
fn documents_in_force_go_first_for_a_text_without_citations() {
    let new_prices = "# Prices from 1 April 2026\n\n| Item | Price | Unit |\n|---|---:|---|\n\
                      | Day pass | £18 | per day |\n";
    // By name, the superseded list comes first.
    let documents = [("2024.md", OLD_PRICES), ("2026.md", new_prices)];
    let scratch = scratch(&documents, "A day pass costs £16.\n");
    let sentences = sentences(&scratch, 1);
    assert_eq!(sentences[0]["verdict"], "contradicted");
    assert_eq!(sentences[0]["reasons"][0], "16 £ against 18 £");
    assert_eq!(sentences[0]["match"]["source"], "2026.md");
}

#[test]
fn a_contradiction_is_by_the_same_noun_a_prohibition_or_another_holder_of_a_role() {
    let staff = "# Who is who\n\n| Name | Role |\n|---|---|\n| Helen Marsh | Chair |\n\
                 | Bea Lockwood | Secretary and safeguarding officer |\n";
    let faq = "# Questions\n\n## Can I have a private party?\n\nYes, for six people. We don't allow \
               alcohol, because people are using blades.\n";
    let history = "# History\n\nToday there are 64 members, and two kilns.\n";
    let documents = [
        ("staff.md", staff),
        ("faq.md", faq),
        ("history.md", history),
    ];
    let report = "The chair is Bea Lockwood [staff.md].\n\nThe chair is Helen Marsh [staff.md].\n\n\
                  Members may bring alcohol to private parties [faq.md].\n\n\
                  All six wheels are there today [history.md].\n";
    let scratch = scratch(&documents, report);
    let sentences = sentences(&scratch, 1);
    let verdicts: Vec<&str> = sentences
        .iter()
        .map(|one| one["verdict"].as_str().unwrap())
        .collect();
    let expected = ["contradicted", "supported", "contradicted", "unsupported"];
    assert_eq!(verdicts, expected, "{sentences:#?}");
    let reason = "\"Chair\" is \"Helen Marsh\" in that table";
    assert!(
        sentences[0]["reasons"][0]
            .as_str()
            .unwrap()
            .starts_with(reason)
    );
}

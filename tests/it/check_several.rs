//! `research check`: several files, whatever becomes of one, pointers, and rows in thousands.

use crate::harness::{Ran, Scratch, parsed};

const CHECK: [&str; 4] = ["check", "--docs", "docs", "--offline"];

fn scratch() -> Scratch {
    let scratch = Scratch::with_docs(&[("prices.md", "The urea costs 185 euros a tonne.\n")]);
    scratch.write("good.md", "The urea costs 185 euros a tonne [prices.md].\n");
    scratch.write("bad.md", "The urea costs 999 euros a tonne [prices.md].\n");
    scratch.write("headings.md", "# Urea\n\n## Prices\n");
    scratch.write("empty.md", "");
    scratch
}

fn check(scratch: &Scratch, code: i32, arguments: &[&str]) -> Ran {
    scratch.expect(code, &[&CHECK[..], arguments].concat())
}

#[test]
fn several_files_are_checked_after_one_that_cannot_be() {
    let scratch = scratch();
    let files = ["headings.md", "missing.md", "good.md", "bad.md", "empty.md"];
    let ran = check(&scratch, 2, &files);
    assert!(
        ran.stdout.contains("good.md: checked 1 sentence"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("bad.md:1:1: contradicted"),
        "{}",
        ran.stdout
    );
    for file in ["headings.md", "missing.md", "empty.md"] {
        let named = ran.stderr.lines().filter(|line| line.contains(file));
        assert_eq!(named.count(), 1, "{}", ran.stderr);
    }
    check(&scratch, 1, &["bad.md", "good.md"]);
    check(&scratch, 1, &["good.md", "bad.md"]);
    check(&scratch, 2, &["good.md", "headings.md"]);
    check(&scratch, 0, &["good.md", "good.md"]);
    // What is wrong with all of them is said once.
    let refused = scratch.expect(2, &["check", "good.md", "bad.md", "--docs", "nowhere"]);
    assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
}

#[test]
fn a_file_that_cannot_be_checked_is_a_line_of_json() {
    let scratch = scratch();
    let files = ["missing.md", "bad.md", "headings.md", "--json"];
    let ran = check(&scratch, 2, &files);
    let lines: Vec<_> = ran.stdout.lines().map(parsed).collect();
    let reports: Vec<_> = lines.iter().map(|line| &line["report"]).collect();
    assert_eq!(reports, ["missing.md", "bad.md", "headings.md"]);
    assert_eq!(lines[0]["error"]["kind"], "usage");
    assert_eq!(lines[0]["error"]["exit_code"], 2);
    assert_eq!(lines[1]["passed"], false);
    let schema = parsed(&scratch.expect(0, &["schema", "unchecked"]).stdout);
    assert!(jsonschema::is_valid(&schema, &lines[2]), "{}", lines[2]);
}

#[test]
fn the_sentences_that_were_left_out_are_counted_if_there_are_any() {
    let scratch = scratch();
    let ran = check(&scratch, 2, &["empty.md"]);
    assert!(!ran.stderr.contains("0 sentences"), "{}", ran.stderr);
}

#[test]
fn a_pointer_is_no_claim_and_one_citation_has_the_verdict_of_its_sentence() {
    let scratch = Scratch::new();
    let trial = "# Trial\n\nThe use of salt was 8 g per square metre with brine.\n";
    scratch.write("docs/trial.md", trial);
    let report = "With brine the use of salt was 8 g per square metre. See [trial](trial.md).\n\n\
                  See [trial](trial.md).\n\n\
                  With brine the use of salt was 9 g per square metre ([trial](trial.md)).\n";
    let sentences = scratch.checked(report);
    assert_eq!(sentences.len(), 2, "{sentences:#?}");
    assert_eq!(sentences[0]["verdict"], "supported");
    for sentence in sentences {
        assert_eq!(sentence["citations"][0]["verdict"], sentence["verdict"]);
    }
}

#[test]
fn a_number_below_a_column_of_thousands_belongs_to_that_column() {
    let scratch = Scratch::new();
    let budget = "# Budget\n\n| Item | 2024 actual thousand EUR | Plan thousand EUR |\n\
                  |---|---:|---:|\n| Salt and grit | 390 | 460 |\n";
    scratch.write("docs/budget.md", budget);
    for (amount, verdict) in [("460,000", "supported"), ("390,000", "partial")] {
        let report = format!("The plan for salt and grit is EUR {amount} ([b](budget.md)).\n");
        let sentences = scratch.checked(&report);
        assert_eq!(sentences[0]["verdict"], verdict, "{sentences:#?}");
    }
}

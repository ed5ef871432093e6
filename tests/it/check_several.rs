//! Several files are checked, whatever becomes of one of them.

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

//! Tables as a whole: how many there are in all, which rows say "no", who held an office in a year;
//! and clauses with a new text.

use dom_query::Document;

use crate::harness::Scratch;
use crate::laboratory::{in_brief, report_on};

const STOCK: &str = "\
# Stock of the yard

| Goods | Barrels | Crates |
|---|---|---|
| Oil | 12 | 40 |
| Wine | 7 | 22 |
| Total | 19 | 62 |
";

const NOTES: &str = "\
# Notes

In March 3 barrels were damaged by the flood. A barrel may stand at the gate for two days.
";

const BOATS: &str = "\
# Survey of the boats

| Boat | Built | Seaworthy |
|---|---|---|
| Heron | 1998 | yes |
| Otter | 1961 | no |
| Swift | 2004 | yes |
| Teal | 1955 | no |

Boats with a steel hull are seaworthy for long.
";

const WARDENS: &str = "\
# Wardens of the harbour

| Warden | From | To |
|---|---|---|
| Ruth Alm | 1978 | 1986 |
| Karl Brune | 1987 | 1994 |
| Siv Dahl | 1995 | 2006 |
";

const BY_LAW: &str = "\
---
title: By-law on the fish market
date: 2015-04-02
---
§ 1 The market takes place on the quay.

§ 2 Trading hours are from 7:00 to 14:00 on Saturdays.
";

const AMENDMENT: &str = "\
---
title: Amendment to the by-law on the fish market
date: 2022-09-15
---
The by-law on the fish market is amended as follows:

1. § 2 is replaced by: \"The market is open from 8:00 to 15:00 on Saturdays.\"
";

fn first(documents: &[(&str, &str)], question: &str) -> String {
    let report = report_on(documents, question);
    let mut lines = in_brief(&report).lines();
    let first = lines.find(|line| line.starts_with("- "));
    first.map(str::to_owned).unwrap_or(report)
}

#[test]
fn number_of_all_is_that_of_the_total() {
    let documents = [("stock.md", STOCK), ("notes.md", NOTES)];
    let first = first(&documents, "How many barrels are there?");
    assert!(first.contains("Barrels: 19"), "{first}");
}

#[test]
fn row_of_a_table_without_a_total_does_not_tell_how_many_there_are() {
    let parts = STOCK.replace("| Total | 19 | 62 |\n", "");
    let report = report_on(&[("stock.md", &parts)], "How many barrels are there?");
    assert!(report.contains("**Not answered as asked.**"), "{report}");
}

#[test]
fn rows_that_deny_are_what_is_not_so() {
    let report = report_on(&[("boats.md", BOATS)], "Which boats are not seaworthy?");
    let brief = in_brief(&report);
    assert!(
        brief.contains("Otter") && brief.contains("Teal"),
        "{report}"
    );
    assert!(!brief.contains("Heron"), "{report}");
}

#[test]
fn row_whose_tenure_has_the_year_tells_who_it_was() {
    let letters: Vec<(String, String)> = (1..=12)
        .map(|number| {
            let text = format!(
                "# Letter {number}\n\nThe warden opened quay {number} of the harbour. In 19{} the \
                 warden spoke at the fair.\n",
                50 + number
            );
            (format!("letter{number}.md"), text)
        })
        .collect();
    let letters = letters
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()));
    let documents: Vec<_> = letters.chain([("wardens.md", WARDENS)]).collect();
    let report = report_on(&documents, "Who was warden in 1990?");
    assert!(in_brief(&report).contains("Karl Brune"), "{report}");
    assert!(!report.contains("No document mentions"), "{report}");
}

#[test]
fn rows_within_a_bound_are_of_the_table_of_the_things_that_are_asked_for() {
    let report = "# Report on uptake\n\n| Kind of school | Schools | Uptake |\n|---|---|---|\n\
                  | With a kitchen | 26 | 68 % |\n| Without | 31 | 52 % |\n";
    let numbers = "School,pupils,uptake percent\nPell Street,412,64\nQuarry Lane,310,51\n\
                   Castle Rise,288,46\n";
    let documents = [("report.md", report), ("numbers.csv", numbers)];
    let report = report_on(&documents, "Which schools have an uptake below 55 percent?");
    let brief = in_brief(&report);
    assert!(brief.contains("Quarry Lane"), "{report}");
    assert!(brief.contains("Castle Rise"), "{report}");
    assert!(!brief.contains("Pell Street"), "{report}");
    let lowest = first(&documents, "Which school has the lowest uptake?");
    assert!(lowest.contains("Castle Rise"), "{lowest}");
    let small = first(&documents, "Which new schools have fewer than 300 pupils?");
    assert!(small.contains("Castle Rise"), "{small}");
}

#[test]
fn quoted_row_is_marked_in_its_table_on_the_page() {
    let scratch = Scratch::with_docs(&[("wardens.md", WARDENS)]);
    let question = "Who was warden in 1990?";
    let run = ["run", question, "--docs", "docs", "--session", "s", "-q"];
    scratch.expect(0, &run);
    let page = scratch
        .expect(0, &["export", "s", "--format", "html"])
        .stdout;
    let document = Document::from(page.as_str());
    let table = document.select("blockquote table").first();
    let texts = |selection: &str| {
        let cells = table.select(selection);
        cells
            .iter()
            .map(|cell| cell.text().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts("th"), ["Warden", "From", "To"], "{page}");
    assert_eq!(texts("tr").len(), 4, "{page}");
    assert_eq!(texts("mark"), ["Karl Brune", "1987", "1994"], "{page}");
    assert!(
        !document.select("blockquote").text().contains('|'),
        "{page}"
    );
}

#[test]
fn new_text_of_a_clause_leads() {
    let documents = [("law.md", BY_LAW), ("amendment.md", AMENDMENT)];
    let first = first(&documents, "What are the trading hours today?");
    assert!(first.contains("8:00 to 15:00"), "{first}");
}

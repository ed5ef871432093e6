//! The claims as CSV, for spreadsheets: a row for each claim and source.

use anyhow::{Context as _, Result};

use super::outline::Outline;
use super::{Edition, Format};
use crate::artifact::claims::Claim;
use crate::text::{one_line, without_controls};

/// The claims as CSV.
pub const FORMAT: Format = Format {
    name: "csv",
    extension: "csv",
    media_type: "text/plain; charset=utf-8",
    about: "The claims as a table, a row for each claim and source",
    needs_texts: false,
    missing: None,
    render,
};

const COLUMNS: [&str; 15] = [
    "claim",
    "sentence",
    "verdict",
    "score",
    "reason",
    "confidence",
    "source",
    "title",
    "author",
    "date",
    "location",
    "quote",
    "start",
    "end",
    "remark",
];

/// The characters with which a spreadsheet begins a formula, in their wide forms too; the list of
/// the OWASP on CSV injection.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Without this mark Excel takes the text for one in the old character set of the system.
const BYTE_ORDER_MARK: &str = "\u{feff}";

fn render(edition: &Edition<'_>) -> Result<Vec<u8>> {
    let outline = Outline::of_edition(edition);
    // RFC 4180 ends lines like this.
    let mut table = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(BYTE_ORDER_MARK.as_bytes().to_vec());
    table.write_record(COLUMNS)?;
    let mut written: Vec<&str> = Vec::new();
    for claim in outline.parts.iter().flat_map(|part| part.body.claims()) {
        // A claim of the summary stands in a section too.
        if written.contains(&claim.id.as_str()) {
            continue;
        }
        written.push(&claim.id);
        for row in rows(edition, &outline, claim) {
            table.write_record(row.map(|cell| guarded(&cell)))?;
        }
    }
    table.into_inner().context("failed to write the table")
}

fn rows<'a>(
    edition: &'a Edition<'_>,
    outline: &'a Outline<'_>,
    claim: &'a Claim,
) -> impl Iterator<Item = [String; COLUMNS.len()]> + 'a {
    let mut verdicts = edition.report.verdicts.iter();
    // A post has no verdict: it is no statement of the report.
    let verdict = verdicts.find(|verdict| verdict.claim == claim.id);
    let score = verdict.and_then(|own| own.score);
    claim.citations.iter().filter_map(move |citation| {
        let entry = outline.entry(&citation.source)?;
        let reference = entry.reference;
        // What is in force no longer, was corrected since, or is implausible.
        let of_source = outline.remark_beside(claim, entry).map(str::to_owned);
        let remarks = outline.remarks(claim).into_iter().chain(of_source);
        let remarks: Vec<String> = remarks.collect();
        let optional = |text: &Option<String>| one_line(text.as_deref().unwrap_or_default());
        Some([
            claim.id.clone(),
            one_line(&claim.text),
            verdict.map_or(String::new(), |own| own.verdict.name().to_owned()),
            // Only a claim in words of its own is scored: a quotation is right or wrong.
            score.map_or(String::new(), |score| format!("{score:.2}")),
            verdict.map_or(String::new(), |own| one_line(&own.reason)),
            verdict.map_or(String::new(), |_| format!("{:.2}", claim.confidence)),
            entry.number.to_string(),
            one_line(&reference.title),
            optional(&reference.author),
            optional(&reference.date),
            one_line(&reference.locator),
            citation.quote.clone(),
            citation.start.to_string(),
            citation.end.to_string(),
            remarks.join(" "),
        ])
    })
}

/// A cell that no spreadsheet takes for a formula: an apostrophe in front makes it text.
fn guarded(cell: &str) -> String {
    let cell = without_controls(cell);
    // A line feed or tab at its beginning is skipped by some of them.
    let apostrophe = if cell.trim_start().starts_with(FORMULA) {
        "'"
    } else {
        ""
    };
    format!("{apostrophe}{cell}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_text() {
        for (cell, shown) in [
            ("=1+1", "'=1+1"),
            ("-5 °C", "'-5 °C"),
            ("\t\n@SUM(A1)", "'\t\n@SUM(A1)"),
            ("＝cmd", "'＝cmd"),
            ("a = b", "a = b"),
            ("\r=1", "\u{fffd}=1"),
            ("", ""),
        ] {
            assert_eq!(guarded(cell), shown);
        }
    }
}

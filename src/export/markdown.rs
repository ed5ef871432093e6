//! A report as Markdown.
//!
//! What documents say is printed so that it stays text: no markup of theirs can become a link, a picture or a tag.

use std::fmt::Write;

use crate::artifact::Report;
use crate::artifact::report::{Reference, ReportOutcome};

/// That a report is published although no round reached the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BelowThreshold {
    /// The score of the round published.
    pub score: f64,
    /// The score wanted.
    pub threshold: f64,
}

/// The report as Markdown, headed by a warning if it is below the threshold.
pub fn render(report: &Report, below: Option<&BelowThreshold>) -> String {
    let mut text = format!("# {}\n", inert(&report.title));
    if report.outcome == ReportOutcome::NoEvidence {
        text.push_str("\n> **No evidence was found.** Nothing is claimed here.\n");
    } else if let Some(BelowThreshold { score, threshold }) = below {
        let _ = write!(
            text,
            "\n> **Below threshold.** This is the best round; its review scored {score:.2}, and {threshold:.2} was wanted.\n"
        );
    }
    section(
        &mut text,
        "In brief",
        &claims(report, &report.executive_summary),
    );
    for part in &report.sections {
        section(&mut text, &part.heading, &claims(report, &part.claims));
    }
    section(
        &mut text,
        "Where the documents disagree",
        &disagreements(report),
    );
    section(&mut text, "Open questions", &open_questions(report));
    if !report.themes.is_empty() {
        let _ = write!(
            text,
            "\n## Themes\n\n{}.\n",
            inert(&report.themes.join(", "))
        );
    }
    section(&mut text, "Limits of this research", &limits(report));
    if !report.references.is_empty() {
        text.push_str("\n## References\n\n");
        for reference in &report.references {
            text.push_str(&entry(reference));
        }
    }
    text
}

fn section(text: &mut String, heading: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = write!(text, "\n## {}\n\n", inert(heading));
    for item in items {
        let _ = writeln!(text, "- {item}");
    }
}

fn claims(report: &Report, ids: &[String]) -> Vec<String> {
    ids.iter().filter_map(|id| claim(report, id)).collect()
}

/// A claim with its citations: `Words. [1](sources/S1.md "S1, bytes 10 to 40")`.
fn claim(report: &Report, id: &str) -> Option<String> {
    let claim = report.claim(id)?;
    let mut line = inert(&claim.text);
    for citation in &claim.citations {
        let number = report.number_of(&citation.source)?;
        let source = &citation.source;
        let (start, end) = (citation.start, citation.end);
        let _ = write!(
            line,
            " [\\[{number}\\]](sources/{source}.md \"{source}, bytes {start} to {end}\")"
        );
    }
    Some(line)
}

fn disagreements(report: &Report) -> Vec<String> {
    let found = report.disagreements.iter().filter_map(|found| {
        let (one, other) = (claim(report, &found.one)?, claim(report, &found.other)?);
        Some(format!(
            "{}:\n  - {one}\n  - {other}",
            capitalised(&inert(&found.difference))
        ))
    });
    found.collect()
}

fn open_questions(report: &Report) -> Vec<String> {
    let gaps = report.open_questions.iter();
    gaps.map(|gap| format!("Nothing was found on: {}.", inert(gap)))
        .collect()
}

fn limits(report: &Report) -> Vec<String> {
    report.limits.iter().map(|limit| inert(limit)).collect()
}

fn entry(reference: &Reference) -> String {
    let mut line = format!("{}. {}", reference.number, inert(&reference.title));
    for part in [&reference.author, &reference.date].into_iter().flatten() {
        let _ = write!(line, ", {}", inert(part));
    }
    let _ = writeln!(
        line,
        ", {} ([{}](sources/{}.md))",
        inert(&reference.locator),
        reference.source,
        reference.source
    );
    line
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

/// Text of a document, so that it is shown and not obeyed: one line, outside of code spans no tags, links or pictures.
fn inert(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown = String::with_capacity(line.len());
    // A code span shows what is in it as it is; an unclosed one is no span.
    let pieces: Vec<&str> = line.split('`').collect();
    let closed = pieces.len() % 2 == 1;
    for (place, piece) in pieces.iter().enumerate() {
        if place > 0 {
            shown.push_str(if closed { "`" } else { "\\`" });
        }
        if closed && place % 2 == 1 {
            shown.push_str(piece);
        } else {
            shown.push_str(
                &piece
                    .replace('<', "&lt;")
                    .replace("](", "]\\(")
                    .replace("][", "]\\[")
                    .replace("![", "!\\["),
            );
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_documents_say_stays_text() {
        for (text, shown) in [
            ("a `Vec<T>` of T", "a `Vec<T>` of T"),
            (
                "<script>alert(1)</script>",
                "&lt;script>alert(1)&lt;/script>",
            ),
            (
                "[here](http://evil.example)",
                "[here]\\(http://evil.example)",
            ),
            ("![x](y)", "!\\[x]\\(y)"),
            ("an ` open <b>", "an \\` open &lt;b>"),
            ("two\n\n# lines", "two # lines"),
        ] {
            assert_eq!(inert(text), shown);
        }
    }
}

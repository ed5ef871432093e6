//! A report as Markdown.
//!
//! What documents say is printed so that it stays text: no markup of theirs can become a link, a
//! picture or a tag.

use std::fmt::Write;

use percent_encoding::{PercentEncode, utf8_percent_encode};

use super::citation::Segment;
use super::outline::{Body, Entry, Outline, Voice};
use super::{BelowThreshold, Edition, Format, LINK_SEGMENT};
use crate::artifact::Report;
use crate::artifact::claims::Claim;
use crate::artifact::report::Reference;

/// Markdown, as `final_report.md` is.
pub const FORMAT: Format = Format {
    name: "md",
    extension: "md",
    about: "Markdown, like final_report.md",
    needs_texts: false,
    render: |edition| Ok(self::edition(edition).into_bytes()),
};

/// The report as Markdown, headed by a warning if it is below the threshold.
pub fn render(report: &Report, below: Option<&BelowThreshold>) -> String {
    print(&Outline::of_report(report, below), "")
}

/// What an edition wants of its report, as Markdown.
pub fn edition(edition: &Edition<'_>) -> String {
    print(&Outline::of_edition(edition), &edition.base)
}

fn print(outline: &Outline<'_>, base: &str) -> String {
    let page = Page { outline, base };
    let mut text = format!("# {}\n", inert(outline.title));
    if let Some(warning) = outline.warning {
        let _ = write!(text, "\n> **{}** {}\n", warning.title(), warning.text());
    }
    if let Some(unanswered) = &outline.unanswered {
        let _ = write!(
            text,
            "\n> **Not answered as asked.** {}\n",
            inert(unanswered)
        );
    }
    for part in &outline.parts {
        let _ = write!(text, "\n## {}\n\n", inert(&part.heading));
        text.push_str(&page.body(&part.body));
    }
    if !outline.references.is_empty() {
        text.push_str("\n## References\n\n");
        for entry in &outline.references {
            text.push_str(&page.entry(entry));
        }
    }
    text
}

/// What the parts of a page share.
struct Page<'a> {
    outline: &'a Outline<'a>,
    /// What links to `sources/` begin with.
    base: &'a str,
}

impl Page<'_> {
    fn body(&self, body: &Body<'_>) -> String {
        match body {
            Body::Claims(voices) => list(voices.iter().map(|voice| self.voice(voice))),
            Body::Abstract(claims) => {
                let claims: Vec<String> = claims.iter().map(|claim| self.claim(claim)).collect();
                format!("{}\n", claims.join(" "))
            }
            Body::Disagreements(pairs) => list(pairs.iter().map(|pair| {
                let [one, other] = pair.sides.each_ref().map(|side| self.voice(side));
                format!("{}:\n  - {one}\n  - {other}", inert(&pair.difference))
            })),
            Body::Sentences(sentences) => list(sentences.iter().map(|sentence| inert(sentence))),
            Body::Phrases(phrases) => format!("{}.\n", inert(&phrases.join(", "))),
        }
    }

    /// What one source says: `**Title (2024):** Words. [1](…) […] Other words. [1](…)`.
    fn voice(&self, voice: &Voice<'_>) -> String {
        let claims: Vec<String> = voice.claims.iter().map(|claim| self.claim(claim)).collect();
        let words = joined(&claims);
        match &voice.lead {
            Some(lead) => format!("**{}:** {words}", inert(lead)),
            None => words,
        }
    }

    /// A claim with its citations: `Words. [1](sources/S1.md "S1, bytes 10 to 40")`.
    fn claim(&self, claim: &Claim) -> String {
        let mut line = inert(&claim.text);
        for citation in &claim.citations {
            let Some(entry) = self.outline.entry(&citation.source) else {
                continue;
            };
            let label = inert(&entry.label).replace('[', "\\[").replace(']', "\\]");
            let (source, base) = (path_segment(&citation.source), self.base);
            let (start, end) = (citation.start, citation.end);
            let _ = write!(
                line,
                " [{label}]({base}sources/{source}.md \"{source}, bytes {start} to {end}\")"
            );
        }
        line
    }

    fn entry(&self, entry: &Entry<'_>) -> String {
        let reference = entry.reference;
        let mut line = match &entry.styled {
            Some(segments) => segments.iter().map(segment).collect(),
            None => plain(reference),
        };
        let mark = if self.outline.by_author {
            "-".to_owned()
        } else {
            format!("{}.", entry.number)
        };
        let (source, base) = (path_segment(&reference.source), self.base);
        let _ = write!(line, " ([{source}]({base}sources/{source}.md))");
        if let Some(dead) = &reference.dead {
            let copy = dead.archived.as_deref().unwrap_or_default();
            let _ = write!(line, " — {}", inert(&format!("{}{copy}", dead.told())));
        }
        line.push('\n');
        format!("{mark} {line}")
    }
}

/// The id of a source, percent-encoded as a segment of a link's path.
fn path_segment(source: &str) -> PercentEncode<'_> {
    utf8_percent_encode(source, LINK_SEGMENT)
}

/// Quotations in a row, with a mark where words are left out between them.
fn joined(claims: &[String]) -> String {
    let mut words = String::new();
    for claim in claims {
        if !words.is_empty() {
            words.push_str(if claim.starts_with("[…]") {
                " "
            } else {
                " […] "
            });
        }
        words.push_str(claim);
    }
    words
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.map(|item| format!("- {item}\n")).collect()
}

/// A reference as the session's own report writes it: title, author, date, place.
fn plain(reference: &Reference) -> String {
    let mut line = inert(&reference.title);
    for part in [&reference.author, &reference.date].into_iter().flatten() {
        let _ = write!(line, ", {}", inert(part));
    }
    let _ = write!(line, ", {}", inert(&reference.locator));
    line
}

fn segment(segment: &Segment) -> String {
    match segment {
        // White space at the ends joins it to its neighbours.
        Segment::Plain(text) => {
            let (start, end) = (text.starts_with(' '), text.ends_with(' '));
            let space = |is_there: bool| if is_there { " " } else { "" };
            match inert(text) {
                line if line.is_empty() => space(start).to_owned(),
                line => format!("{}{line}{}", space(start), space(end)),
            }
        }
        Segment::Italic(text) => format!("*{}*", inert(text).replace('*', "\\*")),
        Segment::Locator(text) => inert(text),
    }
}

/// Text of a document, so that it is shown and not obeyed: one line, outside of code spans no tags,
/// links or pictures.
fn inert(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown = String::with_capacity(line.len());
    // A code span shows what is in it as it is; an unclosed one is no span, nor one of which
    // backticks in a row or after a backslash leave open where it ends.
    let pieces: Vec<&str> = line.split('`').collect();
    let closed = pieces.len() % 2 == 1 && !line.contains("``") && !line.contains("\\`");
    for (place, piece) in pieces.iter().enumerate() {
        if place > 0 {
            shown.push_str(if closed { "`" } else { "&#96;" });
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
            ("an ` open <b>", "an &#96; open &lt;b>"),
            ("two\n\n# lines", "two # lines"),
        ] {
            assert_eq!(inert(text), shown);
        }
    }
}

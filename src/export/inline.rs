//! Inline Markdown in a sentence of a document, as runs of text: code and emphasis remain; links
//! and images are reduced to their text.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::artifact::claims::Claim;
use crate::cite::{self, ListingLine};
use crate::text::{one_line, without_controls};

/// A run of text in one style.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Inline {
    pub(super) text: String,
    pub(super) is_code: bool,
    pub(super) is_emphasis: bool,
    pub(super) is_strong: bool,
    /// `true` for the break between two lines, which has no text.
    pub(super) is_break: bool,
}

/// A prefix for sentences that are parsed as Markdown, so that none of them begins a block.
const GUARD: &str = "x ";

/// The lines of a claim that quotes a list or code; `None` for any other.
pub(super) fn listing(claim: &Claim) -> Option<Vec<ListingLine>> {
    let citation = claim.citations.first()?;
    // Of a claim that was altered or written, the lines of its source say nothing.
    let is_quoted = cite::is_printed(citation, &claim.text);
    is_quoted.then(|| cite::listing(&citation.quote)).flatten()
}

/// The runs of a claim; those of a list or of code with a break between their lines.
pub(super) fn runs_of(claim: &Claim) -> Vec<Inline> {
    let Some(lines) = listing(claim) else {
        return runs(&claim.text);
    };
    let lines = lines.into_iter().enumerate().flat_map(|(index, line)| {
        let line = match line {
            ListingLine::Text(text) => runs(&text),
            ListingLine::Item(marker, text) => {
                let marker = if marker == "-" { "•" } else { &marker };
                runs(&format!("{marker} {text}"))
            }
            ListingLine::Code(code) => vec![Inline {
                text: without_controls(&code).into_owned(),
                is_code: true,
                ..Inline::default()
            }],
        };
        let line_break = Inline {
            is_break: true,
            ..Inline::default()
        };
        let breaks = (index > 0).then_some(line_break);
        breaks.into_iter().chain(line)
    });
    lines.collect()
}

/// The runs of a sentence.
pub(super) fn runs(sentence: &str) -> Vec<Inline> {
    let source = format!("{GUARD}{}", one_line(sentence));
    let mut runs: Vec<Inline> = Vec::new();
    let mut style = Inline::default();
    let mut is_first = true;
    // CommonMark without extensions: no tables, no footnotes.
    for event in Parser::new(&source) {
        let (text, is_code) = match event {
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                // The first event contains the guard, but not its space if nothing follows.
                let guarded = text.strip_prefix(GUARD).or(text.strip_prefix('x'));
                let text = guarded.filter(|_| is_first).unwrap_or(&text).to_owned();
                is_first = false;
                (text, false)
            }
            Event::Code(code) => (code.to_string(), true),
            Event::SoftBreak | Event::HardBreak => (" ".to_owned(), false),
            // The tags of links and images are dropped; other blocks cannot begin behind the guard.
            event => {
                let is_start = matches!(event, Event::Start(_));
                match event {
                    Event::Start(Tag::Emphasis) | Event::End(TagEnd::Emphasis) => {
                        style.is_emphasis = is_start;
                    }
                    Event::Start(Tag::Strong) | Event::End(TagEnd::Strong) => {
                        style.is_strong = is_start;
                    }
                    _ => {}
                }
                continue;
            }
        };
        push(
            &mut runs,
            Inline {
                text,
                is_code,
                ..style.clone()
            },
        );
    }
    runs
}

/// Adds a run; to the last one if it has the same style.
fn push(runs: &mut Vec<Inline>, run: Inline) {
    let style = |run: &Inline| (run.is_code, run.is_emphasis, run.is_strong);
    match runs.last_mut() {
        Some(last) if style(last) == style(&run) && !run.is_code => last.text.push_str(&run.text),
        _ if run.text.is_empty() => {}
        _ => runs.push(run),
    }
}

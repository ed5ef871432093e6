//! A report as Markdown.
//!
//! Text of documents is escaped (`escape_markdown`): no markup in it can become a link, an image
//! or a tag.

use std::fmt::Write;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use pulldown_cmark::{Event, Parser, Tag};

use super::citation::Segment;
use super::claim_group::ClaimGroup;
use super::headings::Heading;
use super::inline;
use super::notices::NOT_ANSWERED;
use super::outline::{Body, DatedTable, Outline, ReferenceEntry};
use super::{BelowThreshold, Edition, Format};
use crate::artifact::Report;
use crate::artifact::claims::{Citation, Claim};
use crate::artifact::report::{ClaimPosition, QuotedTable, Reference};
use crate::cite::ListingLine;
use crate::text::{Table, one_line, without_controls};

/// Markdown, as `final_report.md` is.
pub const FORMAT: Format = Format {
    name: "md",
    extension: "md",
    media_type: "text/markdown; charset=utf-8",
    about: "Markdown, like final_report.md",
    needs_texts: false,
    missing: None,
    render: |edition| Ok(self::edition(edition).into_bytes()),
};

/// The characters that are percent-encoded in a segment of a link's path: all but ASCII letters,
/// digits, `-`, `_` and `.`.
pub const LINK_SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// The start of a link's destination in a report of a session. A bracket of a document's own words
/// is escaped, so that none of them looks like this.
const LINK: &str = "](sources/";

/// A report of a session with links that lead into `base` of the session: empty, or ending in `/`.
pub fn with_link_base(report: &str, base: &str) -> String {
    report.replace(LINK, &format!("]({base}sources/"))
}

/// Renders a report as in the files of the session, with a warning if it is below the threshold,
/// and with the sentence on the judgements that rules made in place of a model.
pub fn render(report: &Report, below: Option<&BelowThreshold>, by_rules: Option<&str>) -> String {
    print(&Outline::of_report(report, below, by_rules), "")
}

/// Renders an edition.
pub fn edition(edition: &Edition<'_>) -> String {
    print(&Outline::of_edition(edition), &edition.base)
}

/// Returns the position of each sentence in the text of [`render`] of a report that is not below
/// the threshold.
pub fn positions(report: &Report, by_rules: Option<&str>) -> Vec<ClaimPosition> {
    positions_in(&Outline::of_report(report, None, by_rules))
}

/// Returns the position of each sentence in the text of an edition with this outline, whose links
/// begin in the session's directory.
pub(super) fn positions_in(outline: &Outline<'_>) -> Vec<ClaimPosition> {
    let (page, text) = (Page { outline, base: "" }, print(outline, ""));
    // A table of dates and values shows the citations of its claims, and not their sentences.
    let bodies = outline.parts.iter().map(|part| &part.body);
    let bodies = bodies.filter(|body| !matches!(body, Body::Series(_)));
    let mut positions: Vec<ClaimPosition> = Vec::new();
    // Each sentence is looked for after the one printed before it.
    let mut rest = text.as_str();
    let claims = bodies.flat_map(|body| {
        let is_prose = matches!(body, Body::Prose(_));
        body.claims()
            .into_iter()
            .map(move |claim| (claim, is_prose))
    });
    for (claim, is_prose) in claims {
        let sentence = if is_prose {
            escape_markdown(&claim.text)
        } else {
            words(claim)
        };
        let Some(offset) = rest.find(&page.with_citations(sentence.clone(), claim)) else {
            continue;
        };
        let before = &rest[..offset];
        let previous = positions.last().map_or(0, |position| position.end);
        let start = previous + before.chars().count();
        positions.push(ClaimPosition {
            claim: claim.id.clone(),
            start,
            end: start + sentence.chars().count(),
        });
        rest = &rest[offset + sentence.len()..];
    }
    positions
}

fn print(outline: &Outline<'_>, base: &str) -> String {
    // Here and below, `write!` to a string cannot fail: its result is dropped.
    let page = Page { outline, base };
    let mut text = format!("# {}\n", without_autolinks(&escape_markdown(outline.title)));
    if let Some(about) = &outline.about {
        let _ = write!(text, "\n*{}*\n", escape_markdown(about));
    }
    for warning in &outline.warnings {
        let _ = write!(text, "\n> **{}** {}\n", warning.title(), warning.text());
    }
    if let Some(unanswered) = &outline.unanswered {
        let _ = write!(
            text,
            "\n> **{NOT_ANSWERED}** {}\n",
            escape_markdown(unanswered)
        );
    }
    for part in &outline.parts {
        let _ = write!(text, "\n## {}\n\n", escape_markdown(&part.heading));
        text.push_str(&page.body(&part.body));
    }
    if !outline.references.is_empty() {
        let heading = outline.headings.get(Heading::References);
        let _ = write!(text, "\n## {heading}\n\n");
        for entry in &outline.references {
            text.push_str(&page.entry(entry));
        }
    }
    text
}

/// The renderer of the parts.
struct Page<'a> {
    outline: &'a Outline<'a>,
    /// The prefix of links to `sources/`.
    base: &'a str,
}

impl Page<'_> {
    fn body(&self, body: &Body<'_>) -> String {
        match body {
            Body::Claims(groups) => list(groups.iter().map(|group| self.group(group))),
            Body::Prose(claims) => {
                // In a paragraph no line begins a list or a block of code.
                let line =
                    |claim: &&Claim| self.with_citations(escape_markdown(&claim.text), claim);
                let claims: Vec<String> = claims.iter().map(line).collect();
                format!("{}\n", claims.join(" "))
            }
            Body::Disagreements(conflicts) => list(conflicts.iter().map(|conflict| {
                let sides = conflict.sides.iter().map(|side| self.group(side));
                let sides: String = sides.map(|side| format!("\n  - {side}")).collect();
                format!("{}:{sides}", escape_markdown(&conflict.difference))
            })),
            Body::Series(tables) => {
                let tables = tables.iter().map(|table| self.dated_table(table));
                tables.collect::<Vec<_>>().join("\n")
            }
            Body::Opinion(sentences, positions) => {
                let mut text = list(sentences.iter().map(|sentence| escape_markdown(sentence)));
                for (label, groups) in positions {
                    let _ = write!(text, "\n### {}\n\n", escape_markdown(label));
                    text.push_str(&list(groups.iter().map(|group| self.group(group))));
                }
                text
            }
            Body::Sentences(sentences) => {
                list(sentences.iter().map(|sentence| escape_markdown(sentence)))
            }
            Body::Tables(tables) => {
                let tables = tables
                    .iter()
                    .map(|(quoted, table)| self.table(quoted, table));
                tables.collect::<Vec<_>>().join("\n")
            }
            Body::Phrases(phrases) => format!("{}.\n", escape_markdown(&phrases.join(", "))),
        }
    }

    /// The claims of one source: `**Title (2024):** Words. [1](…) […] Other words. [1](…)`.
    fn group(&self, group: &ClaimGroup<'_>) -> String {
        let claims: Vec<String> = group.claims.iter().map(|claim| self.claim(claim)).collect();
        let text = join_quotations(&claims);
        match &group.attribution {
            Some(source) => {
                let blank = if text.starts_with('\n') { "" } else { " " };
                format!("**{}:**{blank}{text}", escape_markdown(source))
            }
            None => text,
        }
    }

    /// A table of dates and values, with the citation of each.
    fn dated_table(&self, table: &DatedTable<'_>) -> String {
        let mut text = String::new();
        if !table.statement.is_empty() {
            let _ = writeln!(text, "**{}**\n", escape_markdown(table.statement));
        }
        let _ = writeln!(text, "| {} |", table.columns.join(" | "));
        let _ = writeln!(text, "|{}", " --- |".repeat(table.columns.len()));
        for row in &table.rows {
            let cells = row.iter().map(|cell| {
                let claim = cell.claim;
                let citations = claim.iter().flat_map(|own| &own.citations);
                // The dates of several things tell which values are the earlier ones.
                let citations: String = match table.statement {
                    "" => citations.map(|own| self.mark(own)).collect(),
                    _ => citations.map(|own| self.citation(own, claim)).collect(),
                };
                format!(
                    " {}{citations} |",
                    escape_markdown(&cell.text).replace('|', "\\|")
                )
            });
            let _ = writeln!(text, "|{}", cells.collect::<String>());
        }
        text
    }

    /// A table under its title and citation.
    fn table(&self, quoted: &QuotedTable, table: &Table) -> String {
        let mut text = format!("**{}**", escape_markdown(&quoted.title));
        text.push_str(&self.citation(&quoted.citation, None));
        text.push_str("\n\n");
        let row = |cells: &[String]| -> String {
            let cells = cells.iter();
            let cells = cells.map(|cell| escape_markdown(cell).replace('|', "\\|"));
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        text.push_str(&row(&table.columns));
        let columns = 0..table.columns.len();
        let rules = columns.map(|column| {
            if column > 0 && table.is_numeric(column) {
                "---:"
            } else {
                "---"
            }
        });
        let _ = writeln!(text, "| {} |", rules.collect::<Vec<_>>().join(" | "));
        text.extend(table.rows.iter().map(|cells| row(cells)));
        text
    }

    /// A claim with its citations: `Words. [1](sources/S1.md "S1, bytes 10 to 40")`.
    fn claim(&self, claim: &Claim) -> String {
        self.with_citations(words(claim), claim)
    }

    fn with_citations(&self, mut line: String, claim: &Claim) -> String {
        let citations = claim.citations.iter();
        line.extend(citations.map(|citation| self.citation(citation, Some(claim))));
        for remark in self.outline.remarks(claim) {
            let _ = write!(line, " {}", escape_markdown(&remark));
        }
        line
    }

    /// A citation after a blank, with the remark on its source; empty if the list of references has
    /// no entry for that.
    fn citation(&self, citation: &Citation, claim: Option<&Claim>) -> String {
        let entry = self.outline.entry(&citation.source);
        let remark = entry.and_then(|entry| match claim {
            Some(claim) => self.outline.remark_beside(claim, entry),
            None => entry.remark.as_deref(),
        });
        self.mark(citation) + &after_blank(remark)
    }

    /// The mark of a citation after a blank.
    fn mark(&self, citation: &Citation) -> String {
        let Some(entry) = self.outline.entry(&citation.source) else {
            return String::new();
        };
        // A bracket in the label would end the text of the link.
        let label = escape_markdown(&entry.label)
            .replace('[', "\\[")
            .replace(']', "\\]");
        let (source, base) = (path_segment(&citation.source), self.base);
        let position = citation.position();
        format!(" [{label}]({base}sources/{source}.md \"{source}, {position}\")")
    }

    fn entry(&self, entry: &ReferenceEntry<'_>) -> String {
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
        line.push_str(&after_blank(entry.remark.as_deref()));
        if let Some(dead) = &reference.dead {
            let copy = dead.archived.as_deref().unwrap_or_default();
            let _ = write!(
                line,
                " — {}",
                escape_markdown(&format!("{}{copy}", dead.describe()))
            );
        }
        line.push('\n');
        format!("{mark} {line}")
    }
}

/// The remark on a source that is not in force, after a blank; empty without one.
fn after_blank(remark: Option<&str>) -> String {
    let remark = remark.map(escape_markdown);
    remark.map_or(String::new(), |remark| format!(" {remark}"))
}

/// The id of a source, percent-encoded as a segment of a link's path.
fn path_segment(source: &str) -> PercentEncode<'_> {
    // The unreserved characters of RFC 3986, section 2.3, stay, except `~`: encoding it is
    // harmless.
    utf8_percent_encode(source, LINK_SEGMENT)
}

/// The indentation of the items of a quoted list: below an item of the report's own, or two.
const INDENTATION: usize = 4;

/// The words of a claim: in one line, or the lines of a list or of code.
fn words(claim: &Claim) -> String {
    let lines = inline::listing(claim);
    lines.map_or_else(|| escape_markdown(&claim.text), |lines| listing(&lines))
}

/// A quoted list, each item in a line of its own, with code in fences.
fn listing(lines: &[ListingLine]) -> String {
    let mut text = String::new();
    let mut column = INDENTATION;
    for piece in lines.chunk_by(|one, other| one.is_code() && other.is_code()) {
        match &piece[0] {
            ListingLine::Item(marker, words) => {
                // CommonMark, section 5.2: only a list that begins with 1 interrupts a paragraph.
                let interrupts = marker == "-" || marker.trim_end_matches(['.', ')']) == "1";
                let is_first = column == INDENTATION;
                text.push_str(if is_first && !interrupts {
                    "\n\n"
                } else {
                    "\n"
                });
                column = INDENTATION + marker.len() + 1;
                let words = escape_markdown(words);
                let _ = write!(text, "{:INDENTATION$}{marker} {}", "", as_paragraph(&words));
            }
            ListingLine::Text(words) => {
                let indentation = if text.is_empty() { 0 } else { column };
                text.push_str(if text.is_empty() { "" } else { "\n\n" });
                let words = escape_markdown(words);
                let _ = write!(text, "{:indentation$}{}", "", as_paragraph(&words));
            }
            ListingLine::Code(_) => text.push_str(&code_block(piece, column)),
        }
    }
    // A citation behind the fence would be part of it.
    if lines.last().is_some_and(ListingLine::is_code) {
        let _ = write!(text, "\n{:INDENTATION$}", "");
    }
    text
}

/// A line that is a paragraph, whatever its first characters are: the mark with which another block
/// would begin is escaped.
fn as_paragraph(line: &str) -> String {
    if let Some(Event::Start(Tag::Paragraph)) | None = Parser::new(line).next() {
        return line.to_owned();
    }
    // `12. ` begins a list with its point, anything else a block with its first character.
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    format!("{}\\{}", &line[..digits], &line[digits..])
}

/// A block of code in a fence that is longer than any in it.
fn code_block(lines: &[ListingLine], column: usize) -> String {
    let lines: Vec<&str> = lines.iter().map(ListingLine::text).collect();
    let runs = lines.iter().flat_map(|line| line.split(|c| c != '`'));
    let longest = runs.map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let mut text = format!("\n{:column$}{fence}\n", "");
    for line in lines {
        let _ = writeln!(text, "{:column$}{}", "", without_controls(line));
    }
    let _ = write!(text, "{:column$}{fence}", "");
    text
}

/// Joins the quotations of one source, with a mark for the words left out between them.
fn join_quotations(claims: &[String]) -> String {
    let mut text = String::new();
    for claim in claims {
        if !text.is_empty() {
            let mark = match claim.chars().next() {
                Some('\n') => " […]",
                Some('[') if claim.starts_with("[…]") => " ",
                _ => " […] ",
            };
            text.push_str(mark);
        }
        text.push_str(claim);
    }
    text
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.map(|item| format!("- {item}\n")).collect()
}

/// A reference without a citation style: title, author, date, category, locator.
fn plain(reference: &Reference) -> String {
    let mut line = escape_markdown(&reference.title);
    for part in [&reference.author, &reference.date].into_iter().flatten() {
        let _ = write!(line, ", {}", escape_markdown(part));
    }
    if let Some(category) = reference.category {
        let _ = write!(line, ", {}", category.name());
    }
    let _ = write!(line, ", {}", escape_markdown(&reference.locator));
    line
}

fn segment(segment: &Segment) -> String {
    match segment {
        // Escaping trims the segment, but white space at its ends separates it from its neighbors.
        Segment::Plain(text) => {
            let (start, end) = (text.starts_with(' '), text.ends_with(' '));
            let space = |is_there: bool| if is_there { " " } else { "" };
            match escape_markdown(text) {
                line if line.is_empty() => space(start).to_owned(),
                line => format!("{}{line}{}", space(start), space(end)),
            }
        }
        Segment::Italic(text) => format!("*{}*", escape_markdown(text).replace('*', "\\*")),
        Segment::Locator(text) => escape_markdown(text),
    }
}

/// Escapes text of a document or model for Markdown: one line, without control characters, and
/// without tags, links or images outside of code spans.
pub fn escape_markdown(text: &str) -> String {
    let line = one_line(text);
    let line = without_controls(&line);
    let mut escaped = String::with_capacity(line.len());
    // CommonMark shows the content of a code span literally. Spans are left unchanged only if their
    // ends are certain: backticks in pairs, none doubled and none escaped.
    let pieces: Vec<&str> = line.split('`').collect();
    let closed = pieces.len() % 2 == 1 && !line.contains("``") && !line.contains("\\`");
    // A definition begins a block, and is read before the spans in it.
    let closed = closed
        && !pieces
            .iter()
            .skip(1)
            .step_by(2)
            .any(|code| code.contains("]:"));
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 {
            escaped.push_str(if closed { "`" } else { "&#96;" });
        }
        // Every second piece lies within a span.
        if closed && index % 2 == 1 {
            escaped.push_str(piece);
        } else {
            // `<` begins a tag or an autolink, `](` and `][` a link's target, `![` an image, and
            // `]:` a definition, by which `[words]` anywhere else become a link.
            escaped.push_str(
                &piece
                    .replace('<', "&lt;")
                    .replace("](", "]\\(")
                    .replace("]:", "]\\:")
                    .replace("][", "]\\[")
                    .replace("![", "!\\["),
            );
        }
    }
    escaped
}

/// Escapes the addresses in escaped text, of which GitHub Flavored Markdown makes links by itself;
/// a code span has none.
fn without_autolinks(escaped: &str) -> String {
    let pieces = escaped.split('`').enumerate().map(|(index, piece)| {
        if index % 2 == 1 {
            return piece.to_owned();
        }
        let piece = piece.replace("://", ":\\//").replace('@', "\\@");
        piece.replace("www.", "www\\.")
    });
    pieces.collect::<Vec<String>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_in_documents_make_no_links() {
        use pulldown_cmark::{Event, Parser, Tag};
        for definition in [
            "[ref]: javascript:alert(1)",
            "[ref\\]: javascript:alert(1)",
            "> - [ref]: javascript:alert(1)",
            "[ref `x]: javascript:alert(1)`",
        ] {
            let document = list(
                ["[ref], [ref\\], [ref `x]", definition]
                    .map(escape_markdown)
                    .into_iter(),
            );
            let mut events = Parser::new(&document);
            let is_link = |event| matches!(event, Event::Start(Tag::Link { .. }));
            assert!(!events.any(is_link), "{document}");
        }
    }

    #[test]
    fn lines_of_a_hostile_list_stay_items_and_code() {
        let item = |text: &str| ListingLine::Item("7.".to_owned(), text.to_owned());
        let code = |text: &str| ListingLine::Code(text.to_owned());
        let lines = [
            item("# One <b>"),
            code("``` </code>"),
            code("\r<script>"),
            ListingLine::Text("- two ```".to_owned()),
            item("> three"),
        ];
        let page = format!("- **Title:**{} [1](x.md)\n", listing(&lines));
        let mut blocks = Vec::new();
        for event in Parser::new(&page) {
            assert!(
                !matches!(event, Event::Html(_) | Event::InlineHtml(_)),
                "{page}"
            );
            if let Event::Start(tag) = event {
                blocks.push(tag);
            }
        }
        let is_strange = |tag: &Tag<'_>| {
            matches!(
                tag,
                Tag::Heading { .. } | Tag::BlockQuote(_) | Tag::HtmlBlock
            )
        };
        assert!(!blocks.iter().any(is_strange), "{page}: {blocks:?}");
        let codes = blocks.iter().filter(|tag| matches!(tag, Tag::CodeBlock(_)));
        assert_eq!(codes.count(), 1, "{page}");
    }

    #[test]
    fn addresses_in_a_title_make_no_links() {
        for (title, shown) in [
            (
                "Is https://a.example/x safe?",
                "Is https:\\//a.example/x safe?",
            ),
            ("Who is ann@a.example?", "Who is ann\\@a.example?"),
            ("Is www.a.example up?", "Is www\\.a.example up?"),
            ("Is `http://a.example` one?", "Is `http://a.example` one?"),
        ] {
            assert_eq!(without_autolinks(&escape_markdown(title)), shown);
            let events = Parser::new(shown).filter_map(|event| match event {
                Event::Text(text) => Some(text.into_string()),
                Event::Code(code) => Some(format!("`{code}`")),
                _ => None,
            });
            assert_eq!(events.collect::<String>(), title);
        }
    }

    #[test]
    fn markdown_of_documents_is_escaped() {
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
            ("[ref]: javascript:alert(1)", "[ref]\\: javascript:alert(1)"),
            ("an ` open <b>", "an &#96; open &lt;b>"),
            ("two\n\n# lines", "two # lines"),
        ] {
            assert_eq!(escape_markdown(text), shown);
        }
    }
}

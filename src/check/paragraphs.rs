//! The paragraphs of a report in Markdown: their plain text, the links, notes and superscripts in
//! it, and the place of every piece of it in the source.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The kind of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A heading, of a level from 1.
    Heading(usize),
    /// Running text.
    Prose,
    /// A list item.
    Item,
    /// A block quotation.
    Quote,
    /// A row of a table below its header.
    Row,
    /// The text of a footnote.
    Note,
}

/// A paragraph as plain text.
#[derive(Debug)]
pub(super) struct Paragraph {
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) spans: Vec<(Range<usize>, Span)>,
    /// The number of an item of an ordered list, or the label of a footnote.
    pub(super) label: Option<String>,
    /// Offsets in the text and in the source of the pieces, ascending.
    origins: Vec<(usize, usize)>,
}

/// A part of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Span {
    /// A link to this address.
    Link(String),
    /// A reference to the footnote of this label; it has no text.
    Note(String),
    /// Superscript.
    Superscript,
    /// Bold.
    Strong,
    /// Code.
    Code,
}

/// Returns the addresses of the links in a report in Markdown, in order.
pub fn links(markdown: &str) -> Vec<String> {
    let spans = paragraphs(markdown).into_iter().flat_map(|own| own.spans);
    let links = spans.filter_map(|(_, span)| match span {
        Span::Link(address) => Some(address),
        _ => None,
    });
    links.collect()
}

impl Paragraph {
    /// The offset in the source of a byte of the text.
    pub(super) fn origin(&self, at: usize) -> usize {
        let piece = self.origins.partition_point(|(own, _)| *own <= at);
        let (own, source) = self.origins[..piece].last().copied().unwrap_or_default();
        source + (at - own)
    }
}

/// The paragraphs of a text in Markdown, in order. Code, HTML and metadata are left out.
pub(super) fn paragraphs(markdown: &str) -> Vec<Paragraph> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let mut walk = Walk::default();
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        walk.step(event, range);
    }
    walk.close();
    walk.paragraphs
}

/// The state of one pass over the events of a document.
#[derive(Default)]
struct Walk {
    paragraphs: Vec<Paragraph>,
    open: Option<Paragraph>,
    /// The next number of each open list, if it has numbers.
    lists: Vec<Option<u64>>,
    /// The label of an item whose first paragraph is not open yet.
    item: Option<Option<String>>,
    note: Option<String>,
    quotes: usize,
    /// The number of open blocks and images whose text is left out.
    skipped: usize,
    links: Vec<(usize, String)>,
    superscript: Option<usize>,
    strong: Option<usize>,
}

impl Walk {
    fn step(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range.start),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.push(&text, range.start),
            Event::Code(text) => self.push_code(&text, range.start + 1),
            Event::SoftBreak | Event::HardBreak => self.push("\n", range.start),
            Event::FootnoteReference(label) => self.mark(Span::Note(label.to_string())),
            Event::InlineHtml(tag) => self.tag(&tag, range.start),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, at: usize) {
        match tag {
            Tag::Paragraph => self.open_paragraph(),
            Tag::Heading { level, .. } => self.open(Kind::Heading(level as usize)),
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_) => {
                self.close();
                self.skipped += 1;
            }
            Tag::Image { .. } | Tag::TableHead => self.skipped += 1,
            Tag::List(first) => {
                self.close();
                self.lists.push(first);
            }
            Tag::Item => self.start_item(),
            Tag::FootnoteDefinition(label) => {
                self.close();
                self.note = Some(label.to_string());
            }
            Tag::TableRow => self.open(Kind::Row),
            Tag::TableCell => {
                let is_first = self.open.as_ref().is_none_or(|row| row.text.is_empty());
                if !is_first {
                    self.push(", ", at);
                }
            }
            Tag::Strong => {
                self.ensure_open();
                self.strong = self.open.as_ref().map(|open| open.text.len());
            }
            Tag::Link { dest_url, .. } => {
                self.ensure_open();
                let begin = self.open.as_ref().map_or(0, |open| open.text.len());
                self.links.push((begin, dest_url.to_string()));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableRow => self.close(),
            TagEnd::BlockQuote(_) => {
                self.close();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::CodeBlock
            | TagEnd::HtmlBlock
            | TagEnd::MetadataBlock(_)
            | TagEnd::Image
            | TagEnd::TableHead => self.skipped = self.skipped.saturating_sub(1),
            TagEnd::List(_) => {
                self.close();
                self.lists.pop();
            }
            TagEnd::Item => {
                self.close();
                self.item = None;
            }
            TagEnd::FootnoteDefinition => {
                self.close();
                self.note = None;
            }
            TagEnd::Strong => {
                if let Some(begin) = self.strong.take() {
                    self.span(begin, Span::Strong);
                }
            }
            TagEnd::Link => {
                if let Some((begin, address)) = self.links.pop() {
                    self.span(begin, Span::Link(address));
                }
            }
            _ => {}
        }
    }

    fn start_item(&mut self) {
        self.close();
        let number = self.lists.last_mut().and_then(Option::as_mut);
        let label = number.map(|number| {
            *number += 1;
            (*number - 1).to_string()
        });
        self.item = Some(label);
    }

    /// HTML inside of a paragraph: superscripts, links and line breaks.
    fn tag(&mut self, tag: &str, at: usize) {
        let end = self.open.as_ref().map_or(0, |open| open.text.len());
        let lower = tag.to_ascii_lowercase();
        if lower.starts_with("<sup") {
            self.superscript = Some(end);
        } else if lower.starts_with("</sup") {
            if let Some(begin) = self.superscript.take() {
                self.span(begin, Span::Superscript);
            }
        } else if lower.starts_with("<br") {
            self.push("\n", at);
        } else if lower.starts_with("<a ") {
            let address = attribute(tag, "href").unwrap_or_default();
            self.links.push((end, address));
        } else if lower.starts_with("</a")
            && let Some((begin, address)) = self.links.pop()
        {
            self.span(begin, Span::Link(address));
        }
    }

    fn push_code(&mut self, text: &str, at: usize) {
        self.ensure_open();
        let begin = self.open.as_ref().map_or(0, |open| open.text.len());
        self.push(text, at);
        self.span(begin, Span::Code);
    }

    fn push(&mut self, text: &str, at: usize) {
        if self.skipped > 0 {
            return;
        }
        self.ensure_open();
        if let Some(open) = &mut self.open {
            open.origins.push((open.text.len(), at));
            open.text.push_str(text);
        }
    }

    fn mark(&mut self, span: Span) {
        self.ensure_open();
        let at = self.open.as_ref().map_or(0, |open| open.text.len());
        self.span(at, span);
    }

    fn span(&mut self, begin: usize, span: Span) {
        if let Some(open) = self.open.as_mut().filter(|_| self.skipped == 0) {
            let end = open.text.len();
            open.spans.push((begin.min(end)..end, span));
        }
    }

    /// A tight list item has no paragraph of its own: one is opened with its first words.
    fn ensure_open(&mut self) {
        if self.open.is_none() && self.skipped == 0 {
            self.open_paragraph();
        }
    }

    fn open_paragraph(&mut self) {
        let item = self.item.take();
        let kind = match &item {
            _ if self.note.is_some() => Kind::Note,
            _ if self.quotes > 0 => Kind::Quote,
            Some(_) => Kind::Item,
            None => Kind::Prose,
        };
        self.open(kind);
        if let Some(open) = &mut self.open {
            open.label = self.note.clone().or(item.flatten());
        }
    }

    fn open(&mut self, kind: Kind) {
        self.close();
        self.open = Some(Paragraph {
            kind,
            text: String::new(),
            spans: Vec::new(),
            label: None,
            origins: Vec::new(),
        });
    }

    fn close(&mut self) {
        self.links.clear();
        (self.superscript, self.strong) = (None, None);
        if let Some(open) = self.open.take()
            && (!open.text.trim().is_empty() || !open.spans.is_empty())
        {
            self.paragraphs.push(open);
        }
    }
}

/// The value of an attribute in the start tag of an element.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!("{name}="))?;
    let quote = rest.chars().next()?;
    let value = match quote {
        '"' | '\'' => rest[1..].split(quote).next()?,
        _ => rest.split([' ', '>']).next()?,
    };
    Some(html_escape::decode_html_entities(value).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_have_their_kind_their_spans_and_their_place() {
        let text = "---\na: b\n---\n\n# On *heat*\n\nPumps [move](http://a.b/c) heat[^n].\nSo \
                    `do` we.<sup>2</sup>\n\n3. One\n4. Two\n   - inner\n\n| a | b |\n| - | - |\n\
                    | c | d |\n\n> said\n\n```\ncode\n```\n\n[^n]: Ann, *Heat*.\n";
        let paragraphs = paragraphs(text);
        let plain: Vec<(Kind, Option<&str>, &str)> = paragraphs
            .iter()
            .map(|one| (one.kind, one.label.as_deref(), one.text.as_str()))
            .collect();
        assert_eq!(
            plain,
            [
                (Kind::Heading(1), None, "On heat"),
                (Kind::Prose, None, "Pumps move heat.\nSo do we.2"),
                (Kind::Item, Some("3"), "One"),
                (Kind::Item, Some("4"), "Two"),
                (Kind::Item, None, "inner"),
                (Kind::Row, None, "c, d"),
                (Kind::Quote, None, "said"),
                (Kind::Note, Some("n"), "Ann, Heat."),
            ]
        );
        let prose = &paragraphs[1];
        assert_eq!(
            prose.spans,
            [
                (6..10, Span::Link("http://a.b/c".to_owned())),
                (15..15, Span::Note("n".to_owned())),
                (20..22, Span::Code),
                (26..27, Span::Superscript),
            ]
        );
        for word in ["Pumps", "heat.", "So", "do", "we."] {
            let at = prose.text.find(word).unwrap();
            assert!(text[prose.origin(at)..].starts_with(&word[..2]), "{word}");
        }
    }

    #[test]
    fn hostile_markdown_ends() {
        for unit in ["[", "<sup>", "> ", "[^a]: ", "| a |\n|-|\n", "</a>", "- "] {
            let _ = paragraphs(&unit.repeat(3000));
        }
    }
}

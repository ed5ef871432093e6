//! The block structure of a Markdown text (CommonMark with GFM tables, footnotes and task lists):
//! its paragraphs, items, quotations, code and headings, each with its byte range.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::fences::forgotten_end;
use super::notice::is_notice;

/// The kind of a block in the structure of its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// The text of a heading.
    Heading,
    /// A paragraph of running text, also a further paragraph of a list item.
    Paragraph,
    /// The first paragraph of a list item.
    Item,
    /// A paragraph or item inside a block quotation.
    Quote,
    /// A fenced or indented code block, without its fences.
    Code,
    /// A whole table; of [`with_rows`](super::tables::with_rows), its head.
    Table,
    /// A row of a table below its head; only of [`with_rows`](super::tables::with_rows).
    Row,
    /// HTML, front matter, a footnote: text that is not prose of the document.
    Other,
}

/// The number with which a line of a plain text begins as an item of a list: "3. The light is out."
pub fn item_number(line: &str) -> Option<usize> {
    let (number, rest) = line.split_once(['.', ')'])?;
    number.parse().ok().filter(|_| rest.starts_with(' '))
}

impl Block {
    /// The number before an item of a numbered list of its text, "3. "; `None` of any other block.
    pub fn number_in(&self, text: &str) -> Option<usize> {
        let before = text[..self.range.start].rsplit('\n').next()?;
        let number = before.trim().strip_suffix(['.', ')'])?;
        // Of a list in a list or a quotation, the innermost marker.
        let number = number.rsplit([' ', '>']).next()?;
        let is_item = self.kind == BlockKind::Item;
        number.parse().ok().filter(|_| is_item)
    }
}

impl BlockKind {
    /// `true` if a block of the kind states something: it can be found and quoted.
    pub fn is_prose(self) -> bool {
        matches!(self, Self::Paragraph | Self::Item | Self::Quote | Self::Row)
    }
}

/// A leaf block: it contains no other block and overlaps none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The kind.
    pub kind: BlockKind,
    /// The byte range of its inline content, without list marker, `#` or final line end.
    pub range: Range<usize>,
    /// The plain titles of the enclosing headings, outermost first; a heading does not enclose
    /// itself.
    pub headings: Arc<[String]>,
    /// The number of headings up to and including this block: 0 before the first.
    pub section: usize,
}

/// The characters that a parser of Markdown makes nodes of.
const MARKS: &[u8] = b"[*_`<>|~#&\\\n";

/// The maximum number of marks in a text that is parsed, whose nodes take up to 200 bytes each. Far
/// more than a book has.
const MAX_MARKS: usize = 1 << 20;

/// The maximum number of fences in a text whose ends were forgotten: for each, the rest is parsed
/// anew. Chosen by hand.
const MAX_FORGOTTEN: usize = 16;

/// `true` for a text that is read as plain, since the nodes of its marks would take too much
/// memory.
pub fn has_too_many_marks(text: &str) -> bool {
    // Most texts have fewer bytes than that.
    let marks = || text.bytes().filter(|byte| MARKS.contains(byte)).count();
    text.len() > MAX_MARKS && marks() > MAX_MARKS
}

/// The leaf blocks of a Markdown text in source order; those of a plain text if it has too many
/// marks.
pub fn blocks(markdown: &str) -> Vec<Block> {
    if has_too_many_marks(markdown) {
        return paragraphs(markdown);
    }
    let mut walk = Walk::new(markdown);
    let mut start = Some(0);
    for number in 0.. {
        let Some(from) = start else {
            break;
        };
        start = walk.read(from, number < MAX_FORGOTTEN);
    }
    walk.blocks
}

/// The blocks of a plain text: paragraphs separated by blank lines, and the headings above them,
/// which are all of one level, since nothing tells their levels.
pub fn paragraphs(text: &str) -> Vec<Block> {
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut position = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            ranges.push(trimmed(text, start..position));
            start = position + line.len();
        }
        position += line.len();
    }
    ranges.push(trimmed(text, start..position));
    ranges.retain(|range| !range.is_empty());
    let parts = ranges
        .into_iter()
        .map(|range| without_first_heading(text, range));
    let parts: Vec<Vec<Range<usize>>> = parts.collect();
    let parted = parts.iter().filter(|parts| parts.len() > 1);
    let parted: BTreeSet<usize> = parted.map(|parts| parts[0].start).collect();
    let ranges: Vec<Range<usize>> = parts.into_iter().flatten().collect();
    let mut blocks: Vec<Block> = Vec::with_capacity(ranges.len());
    let mut headings: Arc<[String]> = Arc::from(Vec::new());
    let mut section = 0;
    for (number, range) in ranges.iter().enumerate() {
        let own = &text[range.clone()];
        let below = ranges.get(number + 1).map(|next| &text[next.clone()]);
        let is_heading = below
            .is_some_and(|below| is_plain_heading(own, below) || parted.contains(&range.start));
        section += usize::from(is_heading);
        blocks.push(Block {
            kind: if is_heading {
                BlockKind::Heading
            } else {
                BlockKind::Paragraph
            },
            range: range.clone(),
            headings: if is_heading {
                Arc::from(Vec::new())
            } else {
                headings.clone()
            },
            section,
        });
        if is_heading {
            headings = Arc::from(vec![own.to_owned()]);
        }
    }
    blocks
}

/// The range of a paragraph of plain text, parted after its first line if that is a heading: with a
/// number, such as "2. Costs" in minutes, or above lines that are all indented.
fn without_first_heading(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let own = &text[range.clone()];
    let parts = own
        .split_once('\n')
        .map(|(first, rest)| (first.trim_end(), rest))
        .filter(|(first, rest)| {
            let title = first.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            let is_numbered = title.len() < first.len() && title.starts_with([' ', ')']);
            let title = title.trim_start_matches([' ', ')']);
            is_numbered && is_plain_heading(title, rest.trim_start())
                || is_above_indented(first, rest)
        });
    match parts {
        Some((first, rest)) => vec![
            range.start..range.start + first.len(),
            range.end - rest.trim_start().len()..range.end,
        ],
        None => vec![range],
    }
}

/// The maximum number of words of a heading above indented lines; chosen by hand.
const INDENTED_HEADING_WORDS: usize = 6;

/// `true` if a line is the heading of the lines below it, which are all indented: a short one that
/// no sentence goes on from, as in a paragraph with a hanging indent.
fn is_above_indented(line: &str, below: &str) -> bool {
    let is_new = below.trim_start().starts_with(|c: char| !c.is_lowercase());
    is_new
        && is_heading_line(line)
        && line.split_whitespace().count() <= INDENTED_HEADING_WORDS
        && below
            .lines()
            .all(|line| line.starts_with("  ") || line.starts_with('\t'))
}

/// The maximum number of words of a heading of plain text; chosen by hand.
const HEADING_WORDS: usize = 10;

/// `true` if a paragraph of plain text is the heading of the one below: a short line that does not
/// end as a sentence does, above one that does and is longer.
fn is_plain_heading(own: &str, below: &str) -> bool {
    let is_prose = below.ends_with(['.', '!', '?', '。', '！', '？', '"', '”', ')', ':']);
    is_heading_line(own)
        && is_prose
        && own.split_whitespace().count() <= HEADING_WORDS
        && below.len() > own.len()
}

/// `true` if a text is one line that begins as a heading does and does not end as a sentence.
fn is_heading_line(own: &str) -> bool {
    let first = own.chars().next();
    let begins = first.is_some_and(|c| c.is_alphanumeric() && !c.is_lowercase());
    let ends = own.ends_with(|c: char| c.is_alphanumeric() || c == ')');
    let has_columns = own.trim().contains("   ");
    begins && ends && !has_columns && !own.contains('\n')
}

/// The plain title of the first heading of a Markdown text.
pub fn first_heading(markdown: &str) -> Option<String> {
    let mut lines = markdown.lines();
    let first = lines
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    // The parser begins with all blocks of a text, and most texts begin with their title. What a
    // link in it leads to may be said anywhere below.
    let is_heading = first.starts_with("# ") && !first.contains('[');
    let markdown = if is_heading { first } else { markdown };
    let mut title: Option<String> = None;
    for event in Parser::new_ext(markdown, options()) {
        match (event, &mut title) {
            (Event::Start(Tag::Heading { .. }), _) => title = Some(String::new()),
            (Event::End(TagEnd::Heading(_)), _) => break,
            (Event::Text(text) | Event::Code(text), Some(title)) => title.push_str(&text),
            (Event::SoftBreak | Event::HardBreak, Some(title)) => title.push(' '),
            _ => {}
        }
    }
    title
        .map(|title| title.trim().to_owned())
        .filter(|title| !title.is_empty())
}

pub(super) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
}

/// A container block; only those that change the kind of a paragraph inside are distinguished.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    /// A list item before its first paragraph.
    FreshItem,
    Quote,
    Footnote,
    Neutral,
}

/// The block being read. Its range grows with each inline event.
struct Leaf {
    kind: BlockKind,
    range: Option<Range<usize>>,
}

/// The state of one pass over the events of a document.
struct Walk<'a> {
    markdown: &'a str,
    blocks: Vec<Block>,
    containers: Vec<Container>,
    quotes: usize,
    footnotes: usize,
    leaf: Option<Leaf>,
    /// The level and the title of each enclosing heading, outermost first.
    enclosing: Vec<(HeadingLevel, String)>,
    headings: Arc<[String]>,
    section: usize,
    /// The heading being read.
    title: Option<(HeadingLevel, String)>,
}

impl<'a> Walk<'a> {
    fn new(markdown: &'a str) -> Self {
        Walk {
            markdown,
            blocks: Vec::new(),
            containers: Vec::new(),
            quotes: 0,
            footnotes: 0,
            leaf: None,
            enclosing: Vec::new(),
            headings: Arc::from(Vec::new()),
            section: 0,
            title: None,
        }
    }

    /// Reads the text from an offset on, up to its end, or to that of a block of code whose closing
    /// fence was forgotten, if that is looked for; then the offset to go on from.
    fn read(&mut self, from: usize, looks_for_forgotten: bool) -> Option<usize> {
        let mut end = None;
        let parser = Parser::new_ext(&self.markdown[from..], options());
        for (event, range) in parser.into_offset_iter() {
            let range = from + range.start..from + range.end;
            if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) = event {
                end = forgotten_end(self.markdown, &range).filter(|_| looks_for_forgotten);
            }
            let last = end.unwrap_or(range.end);
            if range.start < last {
                self.step(&event, range.start..range.end.min(last));
            }
            if end.is_some() && matches!(event, Event::End(TagEnd::CodeBlock)) {
                break;
            }
        }
        self.close();
        while !self.containers.is_empty() {
            self.leave();
        }
        end
    }

    fn step(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(*tag),
            // GFM: the box of a task is a marker, as the bullet is, and not content.
            Event::TaskListMarker(_) => {}
            Event::Rule => self.close(),
            _ => self.inline(event, range),
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                let kind = self.paragraph_kind();
                self.open(kind, None);
            }
            Tag::Heading { level, .. } => self.start_heading(*level),
            Tag::CodeBlock(_) => self.open(BlockKind::Code, None),
            Tag::Table(_) => self.open(BlockKind::Table, Some(range)),
            Tag::HtmlBlock | Tag::MetadataBlock(_) => self.open(BlockKind::Other, Some(range)),
            Tag::Item => self.enter(Container::FreshItem),
            Tag::BlockQuote(_) => self.enter(Container::Quote),
            Tag::FootnoteDefinition(_) => self.enter(Container::Footnote),
            Tag::List(_) | Tag::DefinitionList | Tag::DefinitionListDefinition => {
                self.enter(Container::Neutral)
            }
            Tag::TableHead | Tag::TableRow | Tag::TableCell => {}
            // Every other tag is inline, such as emphasis or a link.
            _ => self.grow(range),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph
            | TagEnd::CodeBlock
            | TagEnd::Table
            | TagEnd::HtmlBlock
            | TagEnd::MetadataBlock(_) => {
                self.close();
            }
            TagEnd::Heading(_) => self.end_heading(),
            TagEnd::Item
            | TagEnd::BlockQuote(_)
            | TagEnd::FootnoteDefinition
            | TagEnd::List(_)
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListDefinition => self.leave(),
            _ => {}
        }
    }

    fn inline(&mut self, event: &Event<'_>, range: Range<usize>) {
        if let (Some((_, title)), Event::Text(text) | Event::Code(text)) = (&mut self.title, event)
        {
            title.push_str(text);
        } else if let (Some((_, title)), Event::SoftBreak | Event::HardBreak) =
            (&mut self.title, event)
        {
            title.push(' ');
        }
        self.grow(range);
    }

    /// Adds inline content to the block being read. A tight list item has no paragraph of its own:
    /// one is opened here.
    fn grow(&mut self, range: Range<usize>) {
        if self.leaf.is_none() {
            let kind = self.paragraph_kind();
            self.open(kind, None);
        }
        if let Some(leaf) = &mut self.leaf {
            leaf.range = Some(match leaf.range.take() {
                Some(old) => old.start.min(range.start)..old.end.max(range.end),
                None => range,
            });
        }
    }

    fn paragraph_kind(&mut self) -> BlockKind {
        // CommonMark, section 5.2: only the first paragraph of an item carries its marker; further
        // ones are indented paragraphs.
        let fresh = match self.containers.last_mut() {
            Some(last) if *last == Container::FreshItem => {
                *last = Container::Neutral;
                true
            }
            _ => false,
        };
        match (self.footnotes > 0, self.quotes > 0, fresh) {
            // The order is the precedence: a quotation in a footnote is part of the footnote.
            (true, _, _) => BlockKind::Other,
            (_, true, _) => BlockKind::Quote,
            (_, _, true) => BlockKind::Item,
            _ => BlockKind::Paragraph,
        }
    }

    fn open(&mut self, kind: BlockKind, range: Option<Range<usize>>) {
        self.close();
        self.leaf = Some(Leaf { kind, range });
    }

    fn close(&mut self) {
        let Some(Leaf {
            kind,
            range: Some(range),
        }) = self.leaf.take()
        else {
            return;
        };
        let range = trimmed(self.markdown, range);
        // Leaf blocks never overlap: the range of a container may include blocks inside it.
        let is_disjoint = self
            .blocks
            .last()
            .is_none_or(|last| last.range.end <= range.start);
        if !range.is_empty() && is_disjoint {
            self.blocks.push(Block {
                kind,
                range,
                headings: Arc::clone(&self.headings),
                section: self.section,
            });
        }
    }

    fn enter(&mut self, container: Container) {
        self.close();
        self.quotes += usize::from(container == Container::Quote);
        self.footnotes += usize::from(container == Container::Footnote);
        self.containers.push(container);
    }

    fn leave(&mut self) {
        self.close();
        match self.containers.pop() {
            Some(Container::Quote) => self.quotes -= 1,
            Some(Container::Footnote) => self.footnotes -= 1,
            _ => {}
        }
    }

    fn start_heading(&mut self, level: HeadingLevel) {
        self.close();
        self.section += 1;
        // A heading ends all sections of its own and of deeper levels.
        self.enclosing.retain(|(enclosing, _)| *enclosing < level);
        self.headings = self
            .enclosing
            .iter()
            .map(|(_, title)| title.clone())
            .collect();
        self.title = Some((level, String::new()));
        self.open(BlockKind::Heading, None);
    }

    fn end_heading(&mut self) {
        self.close();
        if let Some((level, title)) = self.title.take() {
            if is_notice(&title) {
                self.blocks
                    .last_mut()
                    .into_iter()
                    .for_each(|block| block.kind = BlockKind::Paragraph);
                return;
            }
            // Added at its end, since a heading does not enclose itself.
            self.enclosing.push((level, title.trim().to_owned()));
            self.headings = self
                .enclosing
                .iter()
                .map(|(_, title)| title.clone())
                .collect();
        }
    }
}

/// The range without white space at its ends.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (slice.len() - slice.trim_start().len());
    start..start + slice.trim().len()
}

/// The headings of summaries.
const SUMMARY_HEADINGS: [&str; 5] = [
    "summary",
    "abstract",
    "overview",
    "introduction",
    "in brief",
];

/// `true` if a heading is that of a document's own summary.
pub fn is_summary_heading(heading: &str) -> bool {
    SUMMARY_HEADINGS.contains(&heading.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(markdown: &str) -> Vec<(BlockKind, &str)> {
        blocks(markdown)
            .iter()
            .map(|block| (block.kind, &markdown[block.range.clone()]))
            .collect()
    }

    #[test]
    fn what_is_below_a_fence_without_an_end_is_read_as_ever() {
        let markdown = "# Raw\n\n- one\n\n  ```rust\n  let a;\n\n## Syntax\n\n\
            It is an identifier.\n\n```rust\nlet b;\n\n\
            It has a prefix of two characters.\n\n## Drawbacks\n\nNone.\n";
        use BlockKind::{Code, Heading, Item, Paragraph};
        assert_eq!(
            seen(markdown),
            [
                (Heading, "Raw"),
                (Item, "one"),
                (Code, "let a;"),
                (Heading, "Syntax"),
                (Paragraph, "It is an identifier."),
                (Code, "let b;"),
                (Paragraph, "It has a prefix of two characters."),
                (Heading, "Drawbacks"),
                (Paragraph, "None."),
            ]
        );
        let last = blocks(markdown).pop().unwrap();
        assert_eq!(*last.headings, ["Raw", "Drawbacks"]);
    }

    #[test]
    fn every_kind_gives_its_inline_content_only() {
        let markdown = "---\ntitle: x\n---\n\n## A *title* ##\n\nTwo\nlines **bold**\n\n\
            * one `c`\n* [ ] two\n  - deep\n\n  more of two\n\n> said\n> on\n\n\
            ```rust\nlet a;\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n\
            <div>\nhtml\n</div>\n\nlast[^1]\n\n[^1]: a note\n";
        use BlockKind::{Code, Heading, Item, Other, Paragraph, Quote, Table};
        assert_eq!(
            seen(markdown),
            [
                (Other, "---\ntitle: x\n---"),
                (Heading, "A *title*"),
                (Paragraph, "Two\nlines **bold**"),
                (Item, "one `c`"),
                (Item, "two"),
                (Item, "deep"),
                (Paragraph, "more of two"),
                (Quote, "said\n> on"),
                (Code, "let a;"),
                (Table, "|a|b|\n|-|-|\n|1|2|"),
                (Other, "<div>\nhtml\n</div>"),
                (Paragraph, "last[^1]"),
                (Other, "a note"),
            ]
        );
    }

    #[test]
    fn blocks_know_the_headings_above_them_and_their_section() {
        let blocks = blocks("zero\n\n# A\n\none\n\n## B `c`\n\ntwo\n\n# D\n\nthree\n");
        let sections: Vec<(usize, String)> = blocks
            .iter()
            .map(|block| (block.section, block.headings.join("/")))
            .collect();
        let sections: Vec<(usize, &str)> = sections
            .iter()
            .map(|(section, path)| (*section, path.as_str()))
            .collect();
        assert_eq!(
            sections,
            [
                (0, ""),
                (1, ""),
                (1, "A"),
                (2, "A"),
                (2, "A/B c"),
                (3, ""),
                (3, "D")
            ]
        );
    }

    #[test]
    fn first_heading_is_plain() {
        assert_eq!(
            first_heading("text\n\n# On `Vec` *and* more\n").as_deref(),
            Some("On Vec and more")
        );
        assert_eq!(
            first_heading("\n# On [a]\n\ntext\n\n[a]: https://example.com\n").as_deref(),
            Some("On a")
        );
        assert_eq!(first_heading("text only"), None);
    }

    #[test]
    fn plain_paragraphs_are_split_at_blank_lines() {
        let text = "\n  one\ntwo\n \t\nthree";
        let texts: Vec<&str> = paragraphs(text)
            .iter()
            .map(|block| &text[block.range.clone()])
            .collect();
        assert_eq!(texts, ["one\ntwo", "three"]);
    }

    #[test]
    fn a_numbered_heading_is_not_glued_to_the_sentence_below_it() {
        let text = "Minutes\n\n1. Bread\nThe bakery delivers bread in one crate.\n\n3) Boat \
            house\nIt is closed in winter.\n\n2. buy bread\nand butter for all of us.\n";
        let texts: Vec<&str> = paragraphs(text)
            .iter()
            .filter(|block| block.kind == BlockKind::Paragraph)
            .map(|block| &text[block.range.clone()])
            .collect();
        assert_eq!(
            texts,
            [
                "Minutes",
                "The bakery delivers bread in one crate.",
                "It is closed in winter.",
                "2. buy bread\nand butter for all of us."
            ]
        );
    }

    #[test]
    fn a_heading_of_plain_text_is_no_paragraph() {
        let text = "Pumps in use\n\nHow it was measured\n\nMeters were installed in each \
            house.\n\nIt took a year.\n\nPump: 55 dB\n\nFan: 40 dB\n\nwith a cover\n\nIt is \
            quiet by night.\n";
        let blocks = paragraphs(text);
        let headings: Vec<&str> = blocks
            .iter()
            .filter(|block| block.kind == BlockKind::Heading)
            .map(|block| &text[block.range.clone()])
            .collect();
        assert_eq!(headings, ["How it was measured"]);
        assert_eq!(blocks[3].headings[..], ["How it was measured".to_owned()]);
        assert_eq!((blocks[0].section, blocks[3].section), (0, 1));
    }

    #[test]
    fn a_line_above_indented_ones_is_their_heading() {
        let text = "Late updates\n\nWhat happened\n  Updates were late.\n  All had one.\n\n\
            Lessons\n  * consumers first\n\nWe have moved to another\n  queue since then.\n";
        let blocks = paragraphs(text);
        let shown: Vec<(BlockKind, &str)> = blocks
            .iter()
            .map(|block| (block.kind, &text[block.range.clone()]))
            .collect();
        let (heading, paragraph) = (BlockKind::Heading, BlockKind::Paragraph);
        assert_eq!(
            shown[1..],
            [
                (heading, "What happened"),
                (paragraph, "Updates were late.\n  All had one."),
                (heading, "Lessons"),
                (paragraph, "* consumers first"),
                (paragraph, "We have moved to another\n  queue since then."),
            ]
        );
    }

    #[test]
    fn hostile_nesting_ends_soon_and_without_overflow() {
        let lists: String = (0..1000)
            .map(|depth| format!("{}- a\n", " ".repeat(2 * depth.min(400))))
            .collect();
        for text in [
            ">".repeat(100_000),
            "[".repeat(100_000),
            "[a](".repeat(30_000),
            "*a _b ".repeat(20_000),
            "- ".repeat(50_000),
            "`".repeat(100_000),
            "<".repeat(100_000),
            "a".repeat(1_000_000),
            lists,
        ] {
            for block in blocks(&text) {
                assert!(text.get(block.range).is_some());
            }
        }
    }

    #[test]
    fn a_text_of_more_marks_than_memory_allows_has_the_blocks_of_plain_text() {
        let brackets = "[a](".repeat(MAX_MARKS + 1);
        let text = format!("# Pumps\n\n{brackets}\n\nThey are quiet.\n");
        let kinds: Vec<BlockKind> = blocks(&text).iter().map(|block| block.kind).collect();
        assert!(!kinds.contains(&BlockKind::Heading), "{kinds:?}");
        assert_eq!(kinds.len(), 3);
    }

    #[test]
    fn right_to_left_and_ideographs_keep_their_boundaries() {
        assert_eq!(
            seen("# 标题\n\n这是一句话。\n\n- مرحبا بالعالم\n"),
            [
                (BlockKind::Heading, "标题"),
                (BlockKind::Paragraph, "这是一句话。"),
                (BlockKind::Item, "مرحبا بالعالم"),
            ]
        );
    }
}

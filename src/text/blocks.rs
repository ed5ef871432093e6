//! The block structure of a Markdown text (CommonMark with GFM tables, footnotes and task lists):
//! its paragraphs, items, quotations, code and headings, each with its byte range.

use std::ops::Range;
use std::sync::Arc;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::block::{Block, BlockKind, trimmed};
use super::fences::forgotten_end;
use super::notice::is_notice;
use super::paragraphs::paragraphs;
use super::questions::{question_line, reply_label};

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

/// The level of a question in bold that is a heading: below all others.
const QUESTION_LEVEL: HeadingLevel = HeadingLevel::H6;

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
        let mut range = trimmed(self.markdown, range);
        if kind == BlockKind::Paragraph {
            range.start = self.below_question(&range);
        }
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

    /// Reads the question that a paragraph begins with as a heading; then where the rest begins.
    fn below_question(&mut self, range: &Range<usize>) -> usize {
        let paragraph = &self.markdown[range.clone()];
        let Some((question, length)) = question_line(paragraph) else {
            let is_reply = self.headings.last().is_some_and(|last| last.ends_with('?'));
            let label = if is_reply { reply_label(paragraph) } else { 0 };
            return range.start + label;
        };
        self.start_heading(QUESTION_LEVEL);
        self.leaf = None;
        let end = range.start + length;
        self.blocks.push(Block {
            kind: BlockKind::Heading,
            range: range.start..end,
            headings: Arc::clone(&self.headings),
            section: self.section,
        });
        self.title = Some((QUESTION_LEVEL, question));
        self.end_heading();
        let reply = trimmed(self.markdown, end..range.end);
        reply.start + reply_label(&self.markdown[reply.clone()])
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
    fn a_question_in_bold_is_the_heading_of_the_reply_below_it() {
        let markdown = "## Aid\n\n**Who can apply?**\nAnyone.\n\n**Until when?**\n\nMay.\n\n\
            It is over then.\n\n## Staff\n\nAnn.\n";
        let replies: Vec<(String, &str)> = blocks(markdown)
            .iter()
            .filter(|block| block.kind == BlockKind::Paragraph)
            .map(|block| (block.headings.join("/"), &markdown[block.range.clone()]))
            .collect();
        let under = |heading: &str, text| (heading.to_owned(), text);
        assert_eq!(
            replies,
            [
                under("Aid/Who can apply?", "Anyone."),
                under("Aid/Until when?", "May."),
                under("Aid/Until when?", "It is over then."),
                under("Staff", "Ann."),
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

//! A block of a text: a paragraph, an item, a heading, with its byte range.

use std::ops::Range;
use std::sync::Arc;

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

/// The range without white space at its ends.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (slice.len() - slice.trim_start().len());
    start..start + slice.trim().len()
}

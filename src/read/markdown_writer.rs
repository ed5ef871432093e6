//! A writer of Markdown: headings, paragraphs, list items, quotations, code and tables, with blank
//! lines between them.
//!
//! Markup characters at the beginning of a line and `<` are escaped; others inside of a line stay
//! as they are, since people quote the text.

use crate::text::one_line;
use crate::text::sentences::code_spans;

/// The indentation of each level of a list: enough for what is inside of `- ` and of `10. `, too
/// little for a code block inside (CommonMark, 5.2).
const INDENT: usize = 4;

/// Marks that begin another block than a paragraph.
const BLOCK_MARKERS: &[&str] = &["#", ">", "=", "```", "~~~", "|"];

/// Markdown that grows block by block.
#[derive(Debug, Default)]
pub(crate) struct MarkdownWriter {
    text: String,
    /// The level of the last item, from 1; 0 outside of lists.
    depth: usize,
}

impl MarkdownWriter {
    /// A heading of a level from 1 to 6.
    pub(crate) fn heading(&mut self, level: usize, words: &str) {
        let words = escape_inline(words);
        if !words.is_empty() {
            self.block();
            // There are six levels (CommonMark, 4.2); deeper headings are of the sixth.
            let marks = "#".repeat(level.clamp(1, 6));
            self.text += &format!("{marks} {words}\n");
        }
    }

    /// A paragraph.
    pub(crate) fn paragraph(&mut self, words: &str) {
        let words = escape_inline(words);
        if !words.is_empty() {
            self.block();
            self.text.push_str(marker_escape(&words));
            self.text.push_str(&words);
            self.text.push('\n');
        }
    }

    /// An item of a list, at a level from 0, behind a mark such as `-` or `3.`.
    pub(crate) fn item(&mut self, level: usize, mark: &str, words: &str) {
        let words = escape_inline(words);
        if words.is_empty() {
            return;
        }
        if self.depth == 0 {
            self.block();
        }
        // An item that skips a level would be a code block.
        let level = level.min(self.depth);
        self.depth = level + 1;
        let indent = " ".repeat(level * INDENT);
        self.text += &format!("{indent}{mark} {}{words}\n", marker_escape(&words));
    }

    /// A paragraph of a quotation.
    pub(super) fn quote(&mut self, words: &str) {
        let words = escape_inline(words);
        if !words.is_empty() {
            self.block();
            self.text += &format!("> {}{words}\n", marker_escape(&words));
        }
    }

    /// A fenced block of code in a language, which may be empty.
    pub(super) fn code(&mut self, language: &str, code: &str) {
        let code = code.trim_matches(['\n', '\r']).trim_end();
        if code.is_empty() {
            return;
        }
        // A fence is longer than any run of its character inside (CommonMark, 4.5).
        let runs = code.split(|c| c != '`').map(str::len);
        let fence = "`".repeat(runs.max().map_or(3, |longest| (longest + 1).max(3)));
        self.block();
        let language = language.split_whitespace().next().unwrap_or_default();
        self.text += &format!("{fence}{language}\n{code}\n{fence}\n");
    }

    /// The text of a footnote.
    pub(super) fn footnote(&mut self, label: &str, words: &str) {
        let words = escape_inline(words);
        if !words.is_empty() {
            self.block();
            let label: String = label
                .chars()
                .map(|c| if c.is_alphanumeric() { c } else { '-' })
                .collect();
            self.text += &format!("[^{label}]: {words}\n");
        }
    }

    /// A table; its first row is the header.
    pub(super) fn table(&mut self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        if rows.iter().flatten().all(|cell| cell.trim().is_empty()) {
            return;
        }
        self.block();
        for (index, row) in rows.iter().enumerate() {
            // Rows may be short, but columns beyond the header row are dropped by parsers.
            let missing = if index == 0 { columns - row.len() } else { 0 };
            self.text.push('|');
            // A `|` in a cell is escaped, as it would end the cell (GFM, 4.10).
            for cell in row {
                self.text += &format!(" {} |", escape_inline(cell).replace('|', "\\|"));
            }
            self.text += &"  |".repeat(missing);
            self.text.push('\n');
            if index == 0 {
                self.text += &format!("|{}\n", " --- |".repeat(columns));
            }
        }
    }

    /// Blocks that are Markdown already.
    pub(super) fn markdown(&mut self, blocks: &str) {
        let blocks = blocks.trim_matches(['\n', '\r']).trim_end();
        if !blocks.is_empty() {
            self.block();
            self.text.push_str(blocks);
            self.text.push('\n');
        }
    }

    /// The number of bytes written.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The Markdown that was written.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// Begins a block that is not a list item: after a blank line.
    fn block(&mut self) {
        self.depth = 0;
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }
}

/// The escape before words that begin with a block marker.
fn marker_escape(words: &str) -> &'static str {
    if BLOCK_MARKERS.iter().any(|mark| words.starts_with(mark)) {
        "\\"
    } else {
        ""
    }
}

/// Words in one line in which nothing begins an HTML tag. In code spans nothing does.
fn escape_inline(words: &str) -> String {
    let words = one_line(words);
    if !words.contains('<') {
        return words;
    }
    let mut escaped = String::with_capacity(words.len() + 1);
    let mut end = 0;
    for span in code_spans(&words, 0..words.len()) {
        escaped += &words[end..span.start].replace('<', "\\<");
        escaped += &words[span.clone()];
        end = span.end;
    }
    escaped + &words[end..].replace('<', "\\<")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{BlockKind, blocks};

    #[test]
    fn markdown_blocks_are_parsed_back_as_written() {
        let mut markdown = MarkdownWriter::default();
        markdown.heading(2, "On\nheat");
        markdown.paragraph("# is a  number sign in Vec<T>");
        markdown.paragraph(" \n");
        markdown.item(3, "-", "one");
        markdown.item(1, "1.", "inner");
        markdown.item(9, "-", "innermost");
        markdown.item(0, "-", "two");
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        markdown.table(&[row(&["a"]), row(&["b|c", "d"])]);
        markdown.table(&[row(&["", " "])]);
        markdown.quote("> said\non");
        markdown.code("rust", "\n  let a = \"```\";\n");
        markdown.markdown("\n*last*\n\n");
        let text = markdown.finish();
        assert_eq!(
            text,
            "## On heat\n\n\\# is a number sign in Vec\\<T>\n\n- one\n    1. inner\n        - \
             innermost\n- two\n\n\
             | a |  |\n| --- | --- |\n| b\\|c | d |\n\n> \\> said on\n\n\
             ````rust\n  let a = \"```\";\n````\n\n*last*\n"
        );
        let kinds: Vec<BlockKind> = blocks(&text).iter().map(|block| block.kind).collect();
        use BlockKind::{Code, Heading, Item, Paragraph, Quote, Table};
        assert_eq!(
            kinds,
            [
                Heading, Paragraph, Item, Item, Item, Item, Table, Quote, Code, Paragraph
            ]
        );
    }
}

//! The blocks that a reader of markup finds, as Markdown: paragraphs become items or quotations
//! where they stand inside of one.

use super::lines::dedented;
use crate::read::markdown_writer::MarkdownWriter;

/// Markdown that grows block by block.
#[derive(Default)]
pub(super) struct Output {
    markdown: MarkdownWriter,
    /// The number of quotations around the next block.
    quotes: usize,
    /// The level and the mark of the item that the next paragraph begins.
    item: Option<(usize, String)>,
}

impl Output {
    /// A heading of a level from 1.
    pub(super) fn heading(&mut self, level: usize, words: &str) {
        self.item = None;
        self.markdown.heading(level, words);
    }

    /// A paragraph, or the item or quotation that it is.
    pub(super) fn paragraph(&mut self, words: &str) {
        match self.item.take() {
            _ if self.quotes > 0 => self.markdown.quote(words),
            Some((level, mark)) => self.markdown.item(level, &mark, words),
            None => self.markdown.paragraph(words),
        }
    }

    /// Begins an item at a level from 0; the next paragraph is its text.
    pub(super) fn begin_item(&mut self, level: usize, mark: impl Into<String>) {
        self.item = Some((level, mark.into()));
    }

    /// Ends an item, also one that has no paragraph.
    pub(super) fn end_item(&mut self) {
        self.item = None;
    }

    /// An item of one paragraph.
    pub(super) fn item(&mut self, level: usize, mark: &str, words: &str) {
        self.begin_item(level, mark);
        self.paragraph(words);
    }

    /// Begins a quotation.
    pub(super) fn begin_quote(&mut self) {
        self.quotes += 1;
    }

    /// Ends the innermost quotation.
    pub(super) fn end_quote(&mut self) {
        self.quotes = self.quotes.saturating_sub(1);
    }

    /// A block of code.
    pub(super) fn code(&mut self, language: &str, lines: &[&str]) {
        self.item = None;
        // With a backtick in its info string no fence begins (CommonMark, 4.5).
        let language = language.split('`').next().unwrap_or_default();
        self.markdown.code(language, &dedented(lines).join("\n"));
    }

    /// A table; its first row is the header.
    pub(super) fn table(&mut self, rows: &[Vec<String>]) {
        self.item = None;
        self.markdown.table(rows);
    }

    /// The text of a footnote or of an entry of a bibliography.
    pub(super) fn footnote(&mut self, label: &str, words: &str) {
        self.item = None;
        self.markdown.footnote(label, words);
    }

    /// Returns `true` if nothing was written.
    pub(super) fn is_empty(&self) -> bool {
        self.markdown.len() == 0
    }

    /// The Markdown that was written.
    pub(super) fn finish(self) -> String {
        self.markdown.finish()
    }
}

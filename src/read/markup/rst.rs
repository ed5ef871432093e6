//! reStructuredText: its blocks as Markdown, its docinfo fields, or the header of an enhancement
//! proposal (PEP), as front matter.
//!
//! Follows the specification of docutils, and knows the directives and roles of Sphinx.

use super::fields::{Fields, header_line};
use super::inline;
use super::lines::{Lines, MAX_DEPTH, indentation, is_blank};
use super::output::Output;
use super::rst_directives::{Part, explicit, field};
use super::rst_inline::Inline;
use super::rst_tables::{self, Table};
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;

/// The characters of section adornments and transitions.
const ADORNMENTS: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/// The shortest adornment that may be shorter than its title, and the shortest transition
/// (docutils).
const MIN_ADORNMENT: usize = 4;

/// The least number of header lines such as `PEP: 8` at the top of a document, chosen by hand: one
/// may be a sentence.
const MIN_HEADERS: usize = 2;

/// reStructuredText: the clean text is the document as Markdown.
pub static KIND: SourceKind = SourceKind {
    name: "rst",
    label: "reStructuredText",
    extensions: &["rst", "rest"],
    shared_extensions: &[],
    media_types: &["text/x-rst", "text/prs.fallenstein.rst"],
    signature: Signature::None,
    markup: Markup::Markdown,
    isolation: Isolation::ProcessIfLarge,
    remedy: "save it again as UTF-8",
    read,
};

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let text = input.text()?;
    // Tab stops are every eight columns; a tab inside of a line is white space like any other.
    let text = text.replace('\t', "        ");
    let mut lines = Lines::of(&text);
    let mut rst = Rst {
        inline: Inline::with_substitutions(&text),
        ..Rst::default()
    };
    rst.headers(&mut lines);
    rst.blocks(lines, Nesting::default());
    rst.fields.document(input, &rst.out.finish())
}

/// The state of reading a document.
#[derive(Default)]
struct Rst {
    out: Output,
    inline: Inline,
    fields: Fields,
    /// The section styles in the order of their levels: the character, and whether there is an
    /// overline.
    styles: Vec<(char, bool)>,
    /// `true` once there was anything but titles, fields and comments.
    has_body: bool,
}

/// The nesting of blocks: inside of how many blocks, and of how many lists.
#[derive(Clone, Copy, Default)]
struct Nesting {
    depth: usize,
    lists: usize,
}

impl Nesting {
    /// The nesting inside of a block here that is no list.
    fn inner(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    fn in_item(self) -> Self {
        Self {
            depth: self.depth + 1,
            lists: self.lists + 1,
        }
    }
}

/// The marker of a list item: its mark in Markdown, none for the next number, and where its text
/// begins.
struct Marker {
    number: Option<usize>,
    is_bullet: bool,
    is_word: bool,
    text: usize,
}

impl Rst {
    /// Reads the header of a proposal: lines such as `Status: Final`, as in RFC 2822, up to an
    /// empty line.
    fn headers(&mut self, lines: &mut Lines<'_>) {
        lines.skip_blank();
        let mut count = 0;
        while let Some(line) = lines.peek_at(count)
            && !is_blank(line)
        {
            let is_continued = count > 0 && indentation(line) > 0;
            if !is_continued && header_line(line).is_none() {
                return;
            }
            count += 1;
        }
        let header = lines.peek().into_iter();
        let starts = (0..count).filter_map(|at| lines.peek_at(at));
        if starts
            .chain(header)
            .filter(|line| indentation(line) == 0)
            .count()
            <= MIN_HEADERS
        {
            return;
        }
        let mut fields: Vec<(&str, String)> = Vec::new();
        for line in lines.take(count) {
            match (header_line(line), fields.last_mut()) {
                (Some((name, value)), _) if indentation(line) == 0 => {
                    fields.push((name, value.to_owned()));
                }
                (_, Some((_, value))) => *value = format!("{value} {}", line.trim()),
                _ => {}
            }
        }
        for (name, value) in fields {
            let value = self.inline.to_markdown(&value);
            self.fields.push(name, &value);
        }
    }

    /// Reads the blocks of a document, or of another block.
    fn blocks(&mut self, mut lines: Lines<'_>, nesting: Nesting) {
        if nesting.depth > MAX_DEPTH {
            let rest = lines.take_while(|_| true).join(" ");
            return self.paragraph(&rest);
        }
        // The number of the last item of the list that is being read.
        let mut last = 0;
        loop {
            lines.skip_blank();
            let Some(line) = lines.peek() else { break };
            if let Some(marker) = marker(line, lines.peek_at(1)) {
                last = if marker.is_bullet {
                    0
                } else {
                    marker.number.unwrap_or(last + 1)
                };
                self.item(&mut lines, &marker, last, nesting);
                continue;
            }
            last = 0;
            self.block(&mut lines, line, nesting);
        }
    }

    /// Reads a block that is no item of a list.
    fn block(&mut self, lines: &mut Lines<'_>, line: &str, nesting: Nesting) {
        if indentation(line) > 0 {
            self.out.begin_quote();
            self.blocks(lines.indented(1).into(), nesting.inner());
            self.out.end_quote();
        } else if line.starts_with(".. ") || line.trim_end() == ".." {
            self.explicit(lines, nesting);
        } else if line.starts_with("__ ") {
            // The target of an anonymous reference.
            lines.next();
        } else if nesting.depth == 0 && self.section(lines) {
        } else if rst_tables::is_grid(line) {
            self.table(rst_tables::grid(lines));
        } else if rst_tables::is_simple(line) {
            self.table(rst_tables::simple(lines));
        } else if let Some((name, value)) = field(line) {
            self.field(lines, name, value, nesting);
        } else if line.starts_with("| ") || line == "|" {
            self.line_block(lines);
        } else if line.starts_with(">>> ") {
            let session = lines.take_while(|line| !is_blank(line));
            self.code("python", &session);
        } else if let Some((option, text)) = option(line) {
            self.option(lines, option, text);
        } else if adornment(line).is_some_and(|(_, length)| length >= MIN_ADORNMENT) {
            // A transition between paragraphs.
            lines.next();
        } else {
            self.text(lines, nesting);
        }
    }

    /// Reads a block that begins with `.. `.
    fn explicit(&mut self, lines: &mut Lines<'_>, nesting: Nesting) {
        for part in explicit(lines) {
            match part {
                Part::Paragraph(text) => self.paragraph(&text),
                Part::Blocks(blocks) => self.blocks(blocks.into(), nesting.inner()),
                Part::Code(language, code) => self.code(language, &code),
                Part::Table(rows) => self.table(Table::Rows(rows)),
                Part::Footnote(label, text) => {
                    let words = self.inline.to_markdown(&text);
                    self.out.footnote(label, &words);
                }
            }
        }
    }

    /// Writes a table, or the code that stands for it.
    fn table(&mut self, table: Table<'_>) {
        self.has_body = true;
        match table {
            Table::Rows(rows) => {
                let to_markdown = |cell: &String| self.inline.to_markdown(cell);
                let rows: Vec<Vec<String>> = rows
                    .iter()
                    .map(|row| row.iter().map(to_markdown).collect())
                    .collect();
                self.out.table(&rows);
            }
            Table::Lines(lines) => self.out.code("", &lines),
        }
    }

    /// Reads a section title, if there is one: text with a line of punctuation below, and maybe one
    /// above.
    fn section(&mut self, lines: &mut Lines<'_>) -> bool {
        let line = |offset| lines.peek_at(offset).unwrap_or_default().trim_end();
        let (first, second, third) = (line(0), line(1), line(2));
        let overline = adornment(first);
        let (title, adornment, count) = if overline.is_some() && first == third {
            (second, overline, 3)
        } else {
            (first, adornment(second), 2)
        };
        let Some((style, length)) = adornment.filter(|_| !title.is_empty()) else {
            return false;
        };
        if length < title.chars().count().min(MIN_ADORNMENT) {
            return false;
        }
        let style = (style, count == 3);
        let level = self.styles.iter().position(|own| *own == style);
        let level = level.unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        let title = self.inline.to_markdown(title);
        self.out.heading(level + 1, &title);
        lines.take(count);
        true
    }

    /// Reads an item of a list.
    fn item(&mut self, lines: &mut Lines<'_>, marker: &Marker, number: usize, nesting: Nesting) {
        let first = lines.next().unwrap_or_default();
        let mut body = vec![first.get(marker.text..).unwrap_or_default().trim_start()];
        body.extend(lines.indented(1));
        let mark = if marker.is_bullet {
            "-".to_owned()
        } else {
            format!("{number}.")
        };
        self.has_body = true;
        self.out.begin_item(nesting.lists, mark);
        self.blocks(body.into(), nesting.in_item());
        self.out.end_item();
    }

    /// Reads a field: metadata at the top of a document, an item with its name elsewhere.
    fn field(&mut self, lines: &mut Lines<'_>, name: &str, value: &str, nesting: Nesting) {
        lines.next();
        let words = [vec![value], lines.indented(1)].concat().join(" ");
        let words = self.inline.to_markdown(&words);
        if nesting.depth == 0 && !self.has_body {
            self.fields.push(name, &words);
        } else if !words.trim().is_empty() {
            let name = self.inline.to_markdown(name);
            self.out
                .item(nesting.lists, "-", &format!("{name}: {words}"));
        }
    }

    /// Reads lines behind `|`, whose breaks are meant: a paragraph.
    fn line_block(&mut self, lines: &mut Lines<'_>) {
        let block = lines.take_while(|line| line.starts_with('|') || indentation(line) > 0);
        let words: Vec<&str> = block
            .iter()
            .map(|line| line.trim_start_matches('|').trim())
            .collect();
        self.paragraph(&words.join(" "));
    }

    /// Reads an option of a command and its description.
    fn option(&mut self, lines: &mut Lines<'_>, option: &str, text: &str) {
        lines.next();
        let words = [vec![text], lines.indented(1)].concat().join(" ");
        let words = self.inline.to_markdown(&words);
        let option = inline::code_span(option);
        self.has_body = true;
        self.out.item(0, "-", &format!("{option}: {words}"));
    }

    /// Reads a paragraph, or the term of a definition list and what it means.
    fn text(&mut self, lines: &mut Lines<'_>, nesting: Nesting) {
        let first = lines.next().unwrap_or_default();
        let is_term = lines
            .peek()
            .is_some_and(|next| !is_blank(next) && indentation(next) > 0);
        if is_term && !first.trim_end().ends_with("::") {
            return self.definition(lines, first, nesting);
        }
        let mut text = first.trim_end().to_owned();
        if !is_term {
            for line in lines.take_while(|line| !is_blank(line)) {
                text.push('\n');
                text.push_str(line.trim());
            }
        }
        match text.strip_suffix("::") {
            Some(before) => {
                // The colons are one if they follow a word, and none if they stand apart.
                let colon = if before.is_empty() || before.ends_with(char::is_whitespace) {
                    ""
                } else {
                    ":"
                };
                let before = format!("{}{colon}", before.trim_end());
                self.paragraph(&before);
                self.literal_block(lines);
            }
            None => self.paragraph(&text),
        }
    }

    /// Reads the block after `::`: indented, or each line behind the same punctuation.
    fn literal_block(&mut self, lines: &mut Lines<'_>) {
        lines.skip_blank();
        let Some(first) = lines.peek() else { return };
        if indentation(first) > 0 {
            let code = lines.indented(1);
            return self.code("", &code);
        }
        let quote = first.chars().next().filter(|c| ADORNMENTS.contains(*c));
        if let Some(quote) = quote {
            let code = lines.take_while(|line| line.starts_with(quote));
            self.code("", &code);
        }
    }

    /// Reads the definition of a term: an item with both, and what follows its first paragraph.
    fn definition(&mut self, lines: &mut Lines<'_>, term: &str, nesting: Nesting) {
        let mut body: Lines<'_> = lines.indented(1).into();
        let is_plain = body.peek().is_some_and(|line| {
            let is_marked = marker(line, body.peek_at(1)).is_some() || line.starts_with(".. ");
            !is_marked && field(line).is_none()
        });
        let mut words = format!("{}:", term.trim_end_matches(':'));
        if is_plain {
            let first = body.take_while(|line| !is_blank(line)).join(" ");
            words = format!("{words} {first}");
        }
        let code = words.strip_suffix("::").map(str::to_owned);
        let words = self
            .inline
            .to_markdown(&code.clone().map_or(words, |words| words + ":"));
        self.has_body = true;
        self.out.item(nesting.lists, "-", &words);
        if code.is_some() {
            self.literal_block(&mut body);
        }
        self.blocks(body, nesting.in_item());
    }

    /// Writes a paragraph of text with inline markup.
    fn paragraph(&mut self, text: &str) {
        self.has_body = true;
        let words = self.inline.to_markdown(text);
        self.out.paragraph(&words);
    }

    /// Writes a block of code.
    fn code(&mut self, language: &str, lines: &[&str]) {
        self.has_body = true;
        self.out.code(language, lines);
    }
}

/// The character of a line of one punctuation character, and how often it stands there.
fn adornment(line: &str) -> Option<(char, usize)> {
    let line = line.trim_end();
    let first = line.chars().next().filter(|c| ADORNMENTS.contains(*c))?;
    let is_uniform = line.chars().all(|c| c == first);
    is_uniform.then_some((first, line.len()))
}

/// The option and the description of a line such as `-a, --all  Show all.`
fn option(line: &str) -> Option<(&str, &str)> {
    let is_option = line.starts_with('-') && !line.starts_with("- ") && !line.starts_with("---");
    let (option, text) = line.split_once("  ")?;
    is_option.then(|| (option, text.trim()))
}

/// The marker of a list item: a bullet or a number, with a space or nothing behind.
fn marker(line: &str, next: Option<&str>) -> Option<Marker> {
    let end = line.find(' ').unwrap_or(line.len());
    let word = &line[..end];
    if matches!(word, "*" | "+" | "-" | "•" | "‣" | "⁃") {
        return Some(Marker {
            number: None,
            is_bullet: true,
            is_word: false,
            text: end,
        });
    }
    let number = word
        .strip_suffix('.')
        .or_else(|| Some(word.strip_suffix(')')?.trim_start_matches('(')))?;
    let is_word = number.bytes().all(|byte| byte.is_ascii_alphabetic());
    let marker = Marker {
        number: number.parse().ok(),
        is_bullet: false,
        is_word,
        text: end,
    };
    if number == "#" || marker.number.is_some() && number.len() < 10 {
        return Some(marker);
    }
    // The initial of a name also begins a line. An item goes on indented, or ends.
    let is_roman = number.chars().all(|c| "ivxIVX".contains(c));
    let is_one = number.len() == 1 || is_roman && !number.is_empty();
    let goes_on = next.is_none_or(|next| is_blank(next) || indentation(next) > 0);
    let goes_on = goes_on || next.is_some_and(|next| is_next_letter(number, next));
    (marker.is_word && is_one && goes_on && end < line.len()).then_some(marker)
}

/// Returns `true` for a line that begins with a number of letters, as the item after another does.
fn is_next_letter(number: &str, line: &str) -> bool {
    let word = line.split(' ').next().unwrap_or_default();
    let letters = word.trim_matches(['(', ')', '.']);
    letters != word && letters.len() <= number.len() + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Document {
        super::read(&Input::of_bytes(&KIND, "a.rst", text.as_bytes(), 10_000)).unwrap()
    }

    #[test]
    fn header_of_a_proposal_is_front_matter() {
        let document = read(
            "PEP: 3105\nTitle: Make :func:`print` a function\nAuthor: Ann B,\n        C D\n\
             Status: Final\nCreated: 19-Nov-2006\nSuperseded-By: 9999\nPost-History:\n\n\
             Abstract\n========\n\nThe title says it all.\n",
        );
        assert_eq!(document.title, "Make print() a function");
        assert_eq!(document.author.as_deref(), Some("Ann B, C D"));
        assert_eq!(document.date.as_deref(), Some("2006-11-19"));
        assert_eq!(
            document.text,
            "---\nPEP: 3105\nTitle: Make print() a function\nAuthor: Ann B, C D\nStatus: Final\n\
             Created: 19-Nov-2006\nSuperseded-By: 9999\n---\n\n# Abstract\n\n\
             The title says it all.\n"
        );
        assert_eq!(
            read("Note: a sentence.\n\nText.\n").text,
            "Note: a sentence.\n\nText.\n"
        );
    }

    #[test]
    fn docinfo_after_the_title_is_front_matter() {
        let document =
            read("=====\nTitle\n=====\n\n:Author: Ann\n:Date: 2020-05-06\n\nText.\n\n:a: b\n");
        assert_eq!(document.title, "Title");
        assert_eq!(document.author.as_deref(), Some("Ann"));
        assert_eq!(
            document.text,
            "---\nAuthor: Ann\nDate: 2020-05-06\n---\n\n# Title\n\nText.\n\n- a: b\n"
        );
    }

    #[test]
    fn levels_of_headings_are_the_order_of_their_styles() {
        let text = "===\nOne\n===\n\nTwo\n===\n\nThree\n-----\n\nRejected Ideas\n\
            ==============\n\n----\n\nx\n";
        assert_eq!(
            read(text).text,
            "# One\n\n## Two\n\n### Three\n\n## Rejected Ideas\n\nx\n"
        );
    }

    #[test]
    fn blocks_are_those_of_markdown() {
        let text = "Two\nlines::\n\n    code\n      more\n\n* a\n  goes on\n\n  - b\n\n\
            \u{20} Rest of a.\n\n\
            #. one\n#. two\n\nA. Einstein wrote it\nin 1905.\n\nterm : kind\n    Its meaning.\n\n\
            -v, --all  Show all.\n\n| a verse\n| of two lines\n\n>>> 1 + 1\n2\n\nSaid::\n\n> x\n\n\
            Then:\n\n   A quotation.\n";
        assert_eq!(
            read(text).text,
            "Two lines:\n\n```\ncode\n  more\n```\n\n- a goes on\n    - b\n\nRest of a.\n\n\
             1. one\n2. two\n\nA. Einstein wrote it in 1905.\n\n- term : kind: Its meaning.\n\
             - `-v, --all`: Show all.\n\na verse of two lines\n\n```python\n>>> 1 + 1\n2\n```\n\n\
             Said:\n\n```\n> x\n```\n\nThen:\n\n> A quotation.\n"
        );
    }

    #[test]
    fn directives_are_text_code_or_left_out() {
        let text = ".. index:: x\n.. note:: Mind\n   it.\n\n.. _target:\n\n.. a comment\n\
            \u{20}  goes on\n\n\
            .. code-block:: rust\n   :linenos:\n\n   let x;\n\n.. image:: x.png\n   :alt: no\n\n\
            .. versionadded:: 3.1\n   The rest.\n\n.. function:: f(x)\n\n   Does it.\n\n\
            .. [1] A note\n   goes on.\n\n.. |s| replace:: said\n\nIt is |s| [1]_.\n";
        assert_eq!(
            read(text).text,
            "Mind it.\n\n```rust\nlet x;\n```\n\nAdded in version 3.1: The rest.\n\n\
             ```\nf(x)\n```\n\nDoes it.\n\n[^1]: A note goes on.\n\nIt is said.\n"
        );
    }

    #[test]
    fn tables_are_tables_or_code() {
        let text = "+---+----+\n| a | b  |\n+===+====+\n| 1 | 2  |\n|   | 3  |\n+---+----+\n\n\
            ==  ===\nc   d\n==  ===\n1   two\n    more\n==  ===\n\n\
            .. list-table::\n   :header-rows: 1\n\n   * - e\n     - f\n   * - 1\n     - 2\n\n\
            +---+---+\n| a     |\n+---+---+\n";
        assert_eq!(
            read(text).text,
            "| a | b |\n| --- | --- |\n| 1 | 2 3 |\n\n| c | d |\n| --- | --- |\n\
            | 1 | two more |\n\n\
             | e | f |\n| --- | --- |\n| 1 | 2 |\n\n```\n+---+---+\n| a     |\n+---+---+\n```\n"
        );
    }
}

//! AsciiDoc: its blocks as Markdown; author, revision and attributes of its header as front matter.
//!
//! Follows the language as Asciidoctor reads it. Nothing is included, and conditions count as met.

use super::asciidoc_inline::Inline;
use super::fields::Fields;
use super::lines::{Lines, MAX_DEPTH, indentation, is_blank};
use super::output::Output;
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;

/// The underlines of titles in two lines, outermost first.
const UNDERLINES: &str = "=-~^+";

/// The labels of admonitions.
const ADMONITIONS: &[&str] = &["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"];

/// Macros of a line of their own that are left out.
const BLOCK_MACROS: &[&str] = &[
    "include", "image", "video", "audio", "toc", "ifdef", "ifndef", "ifeval", "endif",
];

/// AsciiDoc: the clean text is the document as Markdown.
pub static KIND: SourceKind = SourceKind {
    name: "asciidoc",
    label: "AsciiDoc",
    extensions: &["adoc", "asciidoc"],
    shared_extensions: &[],
    media_types: &["text/asciidoc", "text/x-asciidoc"],
    signature: Signature::None,
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "save it again as UTF-8",
    read,
};

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let text = input.text()?;
    let mut asciidoc = AsciiDoc::default();
    let mut lines = Lines::of(&text);
    asciidoc.header(&mut lines);
    asciidoc.has_body = true;
    asciidoc.blocks(lines, 0);
    asciidoc.fields.document(input, &asciidoc.out.finish())
}

/// The state of reading a document.
#[derive(Default)]
struct AsciiDoc {
    out: Output,
    inline: Inline,
    fields: Fields,
    /// `true` after the header.
    has_body: bool,
    /// The attributes of the next block: `source,rust` of `[source,rust]`.
    style: String,
    /// The markers of the lists around the next line, outermost first.
    lists: Vec<String>,
}

impl AsciiDoc {
    /// Reads the header: title, authors, revision and attributes, up to an empty line.
    fn header(&mut self, lines: &mut Lines<'_>) {
        lines.take_while(|line| is_blank(line) || is_comment(line));
        self.attributes(lines);
        let is_title = lines.peek().is_some_and(|line| line.starts_with("= "));
        if !is_title && Self::underlined(lines).is_none_or(|(level, _)| level > 1) {
            return;
        }
        self.title(lines);
        let mut is_author = true;
        while let Some(line) = lines.peek().filter(|line| !is_blank(line)) {
            let is_revision = line.starts_with(|c: char| c == 'v' || c.is_ascii_digit());
            if is_comment(line) {
                lines.next();
            } else if attribute(line).is_some() {
                self.attributes(lines);
            } else if is_author {
                lines.next();
                self.fields.push("author", &line.replace(';', ","));
                is_author = false;
            } else if is_revision {
                lines.next();
                let (revision, remark) = line.split_once(": ").unwrap_or((line, ""));
                let (version, date) = revision.split_once(',').unwrap_or(("", revision));
                self.fields.push("revnumber", version);
                self.fields.push("revdate", date);
                self.fields.push("revremark", remark);
            } else {
                break;
            }
        }
    }

    /// Reads the attribute entries that are next.
    fn attributes(&mut self, lines: &mut Lines<'_>) {
        while let Some((name, value)) = lines.peek().and_then(attribute) {
            lines.next();
            let mut value = value.to_owned();
            // A backslash at the end of a line goes on in the next one.
            while let Some(begun) = value.strip_suffix(" \\").map(str::to_owned)
                && let Some(line) = lines.next()
            {
                value = format!("{begun} {}", line.trim());
            }
            let value = self.inline.to_markdown(&value);
            // Those at the top are about the document.
            if !self.has_body {
                self.fields.push(name, &value);
            }
            self.inline.define(name, &value);
        }
    }

    /// Reads the blocks of a document, or of a block in it.
    fn blocks(&mut self, mut lines: Lines<'_>, depth: usize) {
        if depth > MAX_DEPTH {
            let rest = lines.take_while(|_| true).join(" ");
            return self.paragraph(&rest);
        }
        loop {
            lines.skip_blank();
            let Some(line) = lines.peek() else { break };
            if attribute(line).is_some() {
                self.attributes(&mut lines);
            } else if is_left_out(line) {
                lines.next();
            } else if let Some(style) = block_attributes(line) {
                lines.next();
                style.clone_into(&mut self.style);
            } else if line.starts_with('.') && is_block_title(line) {
                lines.next();
                let words = self.inline.to_markdown(&line[1..]);
                self.out.paragraph(&words);
            } else if let Some(fence) = fence(line) {
                self.fenced(&mut lines, fence, depth);
            } else if line.starts_with("|===") || line.starts_with(",===") {
                self.table(&mut lines, line);
            } else if depth == 0 && self.title(&mut lines) {
            } else {
                self.text(&mut lines, line);
            }
        }
        self.lists.clear();
    }

    /// The level and the text of a title in two lines that is next.
    fn underlined<'a>(lines: &Lines<'a>) -> Option<(usize, &'a str)> {
        let (title, line) = (lines.peek()?.trim_end(), lines.peek_at(1)?.trim_end());
        let mark = line.chars().next()?;
        let level = UNDERLINES.find(mark)?;
        // Asciidoctor allows a difference of one character, the first AsciiDoc one of two.
        let is_line = line.chars().all(|c| c == mark)
            && line.chars().count().abs_diff(title.chars().count()) <= 2;
        let is_title = line.len() > 2 && title.contains(char::is_alphanumeric);
        (is_line && is_title).then_some((level + 1, title))
    }

    /// Reads a title: behind `==`, behind `##`, or underlined.
    fn title(&mut self, lines: &mut Lines<'_>) -> bool {
        let line = lines.peek().unwrap_or_default();
        let marked = ['=', '#'].iter().find_map(|mark| {
            let title = line.trim_start_matches(*mark);
            let level = line.len() - title.len();
            let is_title = (1..=6).contains(&level) && title.starts_with(' ');
            is_title.then_some((level, title.trim()))
        });
        let heading = marked.map(|heading| (1, heading));
        let heading = heading.or_else(|| Some((2, Self::underlined(lines)?)));
        let Some((count, (level, title))) = heading else {
            return false;
        };
        lines.take(count);
        self.lists.clear();
        let words = self.inline.to_markdown(title.trim_end_matches(['=', ' ']));
        self.out.heading(level, &words);
        self.style.clear();
        true
    }

    /// Reads a delimited block.
    fn fenced(&mut self, lines: &mut Lines<'_>, fence: &str, depth: usize) {
        lines.next();
        let body = lines.until(|line| line.trim_end() == fence);
        let style = std::mem::take(&mut self.style);
        let mut parts = style.split(',').map(str::trim);
        let (kind, detail) = (
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
        );
        match fence.chars().next() {
            Some('/') => {}
            Some('+') if kind == "stem" || kind == "latexmath" => self.out.code("latex", &body),
            Some('+') => {}
            Some('-') if fence == "--" && kind != "source" => self.blocks(body.into(), depth + 1),
            Some('-' | '.' | '`') => {
                let language = fence.trim_start_matches('`');
                let language = if kind == "source" { detail } else { language };
                self.out.code(language.trim_matches(['-', '.']), &body);
            }
            Some('_') => {
                self.out.begin_quote();
                self.blocks(body.into(), depth + 1);
                self.out.end_quote();
            }
            _ => self.blocks(body.into(), depth + 1),
        }
    }

    /// Reads a table of cells behind `|`, in as many columns as its attributes or its first line
    /// say.
    fn table(&mut self, lines: &mut Lines<'_>, fence: &str) {
        lines.next();
        let fence = fence.trim_end();
        let body = lines.until(|line| line.trim_end() == fence);
        let style = std::mem::take(&mut self.style);
        if fence.starts_with(',') || style.contains("format=") {
            return self.out.code("", &body);
        }
        let mut cells: Vec<String> = Vec::new();
        let mut columns = declared_columns(&style);
        for line in body.iter().filter(|line| !is_blank(line)) {
            let mut parts = line.split('|');
            // What stands before the first mark goes on with the cell of the line above; what
            // specifies the cell after it, such as `2+`, is left out.
            let before = parts.next().unwrap_or_default();
            match cells.last_mut().filter(|_| !is_cell_specification(before)) {
                Some(cell) if !is_blank(before) => *cell = format!("{cell} {}", before.trim()),
                _ => {}
            }
            let count = cells.len();
            cells.extend(parts.map(str::to_owned));
            columns = columns.or((cells.len() > count).then_some(cells.len() - count));
        }
        let cells: Vec<String> = cells
            .iter()
            .map(|cell| self.inline.to_markdown(cell))
            .collect();
        let rows: Vec<Vec<String>> = cells
            .chunks(columns.unwrap_or(1).max(1))
            .map(<[String]>::to_vec)
            .collect();
        self.out.table(&rows);
    }

    /// Reads a paragraph, an item of a list or a literal paragraph.
    fn text(&mut self, lines: &mut Lines<'_>, first: &str) {
        let style = std::mem::take(&mut self.style);
        if let Some((marker, mark, text)) = item(first) {
            lines.next();
            return self.item(lines, &marker, mark, text);
        }
        if let Some((term, text)) = description(first) {
            lines.next();
            return self.description(lines, term, text);
        }
        let is_literal = indentation(first) > 0 && self.lists.is_empty();
        if is_literal || style.starts_with("source") || style.starts_with("listing") {
            let language = style.split(',').nth(1).unwrap_or_default();
            let code = lines.take_while(|line| !is_blank(line));
            return self.out.code(language.trim(), &code);
        }
        // A line of `+` joins the next block to the item above.
        if first.trim() == "+" {
            lines.next();
            return;
        }
        if !first.starts_with([' ', '\t']) {
            self.lists.clear();
        }
        let paragraph = lines.take_while(|line| !is_blank(line) && !is_paragraph_end(line));
        // A line that begins no block that is known is text, so that the reading goes on.
        let paragraph = if paragraph.is_empty() {
            lines.take(1).to_vec()
        } else {
            paragraph
        };
        let is_quote = style.starts_with("quote") || style.starts_with("verse");
        if is_quote {
            self.out.begin_quote();
        }
        self.lines(&paragraph);
        if is_quote {
            self.out.end_quote();
        }
    }

    /// Reads an item: its text up to an empty line or another item.
    fn item(&mut self, lines: &mut Lines<'_>, marker: &str, mark: &str, text: &str) {
        // A marker that was seen in a list around this one ends the lists inside.
        let level = self.lists.iter().position(|own| own == marker);
        let level = level.unwrap_or(self.lists.len());
        self.lists.truncate(level);
        self.lists.push(marker.to_owned());
        let more = lines.take_while(is_item_text);
        self.out.begin_item(level, mark);
        self.lines(&[vec![text], more].concat());
        self.out.end_item();
    }

    /// Reads the description of a term: an item with both.
    fn description(&mut self, lines: &mut Lines<'_>, term: &str, text: &str) {
        if text.is_empty() {
            lines.skip_blank();
        }
        let more = lines.take_while(is_item_text);
        let words = [vec![text], more].concat().join(" ");
        let words = self
            .inline
            .to_markdown(&format!("{term}: {}", words.trim()));
        self.out.item(self.lists.len(), "-", &words);
    }

    /// Writes the lines of a paragraph without comments, hard line breaks and the label of an
    /// admonition.
    fn lines(&mut self, lines: &[&str]) {
        let lines = lines.iter().filter(|line| !is_comment(line));
        let text: Vec<&str> = lines
            .map(|line| line.strip_suffix(" +").unwrap_or(line).trim())
            .collect();
        let text = text.join("\n");
        match text.split_once(": ") {
            Some((label, text)) if ADMONITIONS.contains(&label) => self.paragraph(text),
            _ => self.paragraph(&text),
        }
    }

    fn paragraph(&mut self, text: &str) {
        let words = self.inline.to_markdown(text);
        self.out.paragraph(&words);
    }
}

/// The name and the value of an attribute entry: `:name: value`, or `:name!:` without one.
fn attribute(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix(':')?.split_once(':')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '!');
    let is_entry = !name.is_empty() && name.chars().all(is_name);
    let is_apart = value.is_empty() || value.starts_with(' ');
    (is_entry && is_apart).then(|| (name, value.trim()))
}

fn is_comment(line: &str) -> bool {
    line.starts_with("//") && !line.starts_with("///")
}

/// Returns `true` for a line that is no text: a comment, a macro, a break.
fn is_left_out(line: &str) -> bool {
    let words = line.trim_end();
    let is_macro = words.ends_with(']')
        && words
            .split_once("::")
            .is_some_and(|(name, _)| BLOCK_MACROS.contains(&name));
    is_comment(line) || is_macro || matches!(words, "'''" | "---" | "***" | "<<<")
}

/// The attributes of the next block: `[source,rust]`; those of an anchor `[[id]]` are none.
fn block_attributes(line: &str) -> Option<&str> {
    let attributes = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
    // A line of text may begin with a bracket, and end with another one.
    let is_anchor = attributes.starts_with('[');
    (is_anchor || !attributes.contains([']', '['])).then_some(attributes)
}

/// Returns `true` for the title of a block: `.Title`.
fn is_block_title(line: &str) -> bool {
    let title = &line[1..];
    title.starts_with(|c: char| !c.is_whitespace() && c != '.')
}

/// The delimiter of a block that begins here.
fn fence(line: &str) -> Option<&str> {
    let line = line.trim_end();
    if line.starts_with("```") {
        return Some(if line.len() > 3 { "```" } else { line });
    }
    let first = line.chars().next().filter(|c| "-.=*_+/".contains(*c))?;
    let is_uniform = line.chars().all(|c| c == first);
    (is_uniform && (line.len() >= 4 || line == "--")).then_some(line)
}

/// The number of columns that the attributes of a table state: `cols="1,2"` or `cols=3*`.
fn declared_columns(style: &str) -> Option<usize> {
    let (_, columns) = style.split_once("cols=")?;
    let quoted = columns
        .strip_prefix('"')
        .and_then(|rest| rest.split('"').next());
    let columns = quoted.unwrap_or_else(|| columns.split(',').next().unwrap_or_default());
    let count = |column: &str| {
        let times = column
            .split_once('*')
            .map(|(times, _)| times.trim().parse());
        times.and_then(Result::ok).unwrap_or(1)
    };
    // More columns than cells are one row; the limit only keeps the sum from overflowing.
    let counts = columns.split(',').map(|column| count(column).min(1_000));
    Some(counts.sum::<usize>())
}

/// Returns `true` for what may stand before the mark of a cell: `2+`, `.3+^` or `a`.
fn is_cell_specification(before: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || ".+*<>^adehlmsv".contains(c);
    before.len() <= 6 && before.chars().all(is_part)
}

/// The marker, the mark in Markdown and the text of an item of a list.
fn item(line: &str) -> Option<(String, &'static str, &str)> {
    let (word, text) = line.trim_start().split_once(' ')?;
    let text = text.trim_start();
    let first = word.chars().next()?;
    let is_callout = first == '<' && word.ends_with('>') && word.len() > 2;
    let number = word.strip_suffix('.').unwrap_or_default();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_marker = word.len() <= 6 && word.chars().all(|c| c == first);
    let mark = match first {
        '*' if is_marker => "-",
        '-' if word == "-" => "-",
        '.' if is_marker => "1.",
        _ if is_number || is_callout => "1.",
        _ => return None,
    };
    let boxes = ["[ ] ", "[x] ", "[X] ", "[*] "];
    let unboxed = boxes.iter().find_map(|mark| text.strip_prefix(mark));
    let marker = if mark == "-" || first == '.' {
        word
    } else {
        "1."
    };
    Some((marker.to_owned(), mark, unboxed.unwrap_or(text)))
}

/// The term and the text of `term:: text`.
fn description(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let (term, text) = match line.split_once(":: ") {
        Some(parts) => parts,
        None => (line.strip_suffix("::")?, ""),
    };
    let term = term.trim_end_matches(':');
    (!term.is_empty() && !term.ends_with(':')).then(|| (term, text.trim()))
}

/// Returns `true` for a line that goes on with the text of an item.
fn is_item_text(line: &str) -> bool {
    let is_other = item(line).is_some() || description(line).is_some() || line.trim() == "+";
    !is_blank(line) && !is_other && !is_paragraph_end(line)
}

/// Returns `true` for a line that ends a paragraph without an empty line.
fn is_paragraph_end(line: &str) -> bool {
    fence(line).is_some() || block_attributes(line).is_some() || line.starts_with("|===")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Document {
        super::read(&Input::of_bytes(&KIND, "a.adoc", text.as_bytes(), 10_000)).unwrap()
    }

    #[test]
    fn header_is_front_matter() {
        let document = read(
            "// a comment\n= On Heat\nAnn B <a@e.org>; C D\nv1.2, 2020-05-06: first\n\
             :status: Final\n:toc:\n:url-x: https://e.org \\\n/x\n\nSee {url-x}.\n",
        );
        assert_eq!(document.title, "On Heat");
        assert_eq!(document.author.as_deref(), Some("Ann B <a@e.org>, C D"));
        assert_eq!(document.date.as_deref(), Some("2020-05-06"));
        assert_eq!(
            document.text,
            "---\nauthor: Ann B <a@e.org>, C D\nrevnumber: v1.2\nrevdate: 2020-05-06\n\
             revremark: first\nstatus: Final\nurl-x: https://e.org /x\n---\n\n# On Heat\n\n\
             See https://e.org /x.\n"
        );
    }

    #[test]
    fn blocks_are_those_of_markdown() {
        let text = "== Motivation\n\nOne\ntwo +\nthree.\n\n[[id]]\n.Title\n[source,rust]\n----\n\
            let x;\n----\n\n* a\nmore\n** b\n. c\n- [x] d\n+\nStill d.\n\nterm:: means\n\n\
            NOTE: Mind it.\n\n[quote,Ann]\nSaid.\n\n____\nSaid too.\n____\n\n////\nhidden\n////\n\
            [WARNING]\n====\nHot.\n====\n\n literal\n\ninclude::x[]\n\nOld title\n---------\n\
            Text.\n";
        assert_eq!(
            read(text).text,
            "## Motivation\n\nOne two three.\n\nTitle\n\n```rust\nlet x;\n```\n\n- a more\n\
             \u{20}   - b\n        1. c\n            - d\n\nStill d.\n\n- term: means\n\n\
             Mind it.\n\n> Said.\n\n> Said too.\n\nHot.\n\n```\nliteral\n```\n\n\
             ## Old title\n\nText.\n"
        );
    }

    #[test]
    fn tables_have_the_columns_of_their_first_line_or_attribute() {
        let text =
            "|===\n|a |b\n\n|1\n|2\nmore\n|===\n\n[cols=\"1,2*\"]\n|===\n|x\n|y\n2+|z\n|===\n";
        assert_eq!(
            read(text).text,
            "| a | b |\n| --- | --- |\n| 1 | 2 more |\n\n\
             | x | y | z |\n| --- | --- | --- |\n"
        );
    }
}

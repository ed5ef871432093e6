//! Markdown on a terminal: headings, emphasis, lists, tables and links as escape sequences, wrapped
//! to the width.
//!
//! pulldown-cmark parses and textwrap wraps; of the renderers on crates.io none fits: termimad
//! does not parse links or escapes, which every sentence of a report has, and mdcat fetches images.
//! Text of documents stays text: control characters, also those that an entity stands for, are
//! removed before anything is styled.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Effects, Style};
use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use textwrap::WordSplitter;
use textwrap::core::display_width;
use url::Url;

use crate::text::without_controls;

/// The widest line of text, in columns (chosen by hand: longer ones are hard to read).
const MAX_COLUMNS: usize = 100;

/// The least width of text beside its indentation, in columns.
const MIN_COLUMNS: usize = 20;

/// Renders Markdown for a terminal of `columns`. Links are relative to `base`; without it, their
/// text stands alone.
pub(super) fn render(markdown: &str, columns: usize, base: Option<&Url>) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut page = Page {
        columns: columns.min(MAX_COLUMNS),
        base: base.cloned(),
        ..Page::default()
    };
    for event in Parser::new_ext(markdown, options) {
        page.add(event);
    }
    page.flush();
    page.text
}

/// The page so far.
#[derive(Default)]
struct Page {
    text: String,
    columns: usize,
    /// The address that links are relative to.
    base: Option<Url>,
    /// The inline text of the block that is being read, with its escape sequences.
    block: String,
    /// The styles that are in effect, the last one innermost.
    styles: Vec<Style>,
    /// For each list around: the number of its next item, if it is numbered.
    lists: Vec<Option<u64>>,
    /// The marker of the list item that begins.
    marker: Option<String>,
    /// The number of quotations around.
    quotes: usize,
    /// `true` in a link that can be followed.
    is_link: bool,
    /// `true` in a block of code, whose lines are not wrapped.
    is_code: bool,
    table: Table,
}

/// A table that is being read.
#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<String>>,
}

impl Page {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.push(&text),
            Event::Code(text) => self.styled(&text, Style::new().effects(Effects::BOLD)),
            Event::SoftBreak => self.push(if self.is_code { "\n" } else { " " }),
            Event::HardBreak => self.block.push('\n'),
            Event::Rule => {
                self.flush();
                let _ = writeln!(self.text, "{}\n", "─".repeat(self.width()));
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.open(heading(level));
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
            }
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::Item => {
                self.flush();
                self.marker = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "• ".to_owned(),
                });
            }
            Tag::CodeBlock(_) => {
                self.flush();
                self.is_code = true;
            }
            Tag::Emphasis => self.open(Style::new().italic()),
            Tag::Strong => self.open(Style::new().bold()),
            Tag::Strikethrough => self.open(Style::new().strikethrough()),
            Tag::Link { dest_url, .. } => self.open_link(&dest_url),
            Tag::Table(alignments) => {
                self.flush();
                self.table = Table {
                    alignments,
                    rows: Vec::new(),
                };
            }
            Tag::TableHead | Tag::TableRow => self.table.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.close();
                self.flush();
            }
            TagEnd::Paragraph => self.flush(),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes -= 1;
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                if self.lists.is_empty() {
                    self.blank_line();
                }
            }
            TagEnd::Item => self.flush(),
            TagEnd::CodeBlock => {
                self.flush();
                self.is_code = false;
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => self.close(),
            TagEnd::Link => self.close_link(),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.block);
                if let Some(row) = self.table.rows.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::Table => self.add_table(),
            _ => {}
        }
    }

    /// Adds text of the document, which is only text.
    fn push(&mut self, text: &str) {
        self.block.push_str(&without_controls(text));
    }

    fn styled(&mut self, text: &CowStr<'_>, style: Style) {
        self.open(style);
        self.push(text);
        self.close();
    }

    fn open(&mut self, style: Style) {
        let _ = write!(self.block, "{style}");
        self.styles.push(style);
    }

    /// Ends the innermost style: a terminal has one reset for all of them.
    fn close(&mut self) {
        self.styles.pop();
        let _ = write!(self.block, "{}", anstyle::Reset);
        for style in &self.styles {
            let _ = write!(self.block, "{style}");
        }
    }

    /// Begins a link: OSC 8, which a terminal without links ignores.
    fn open_link(&mut self, destination: &str) {
        let base = self.base.as_ref();
        let joined = base.and_then(|base| Some((base, base.join(destination).ok()?)));
        // A report may be somebody else's: only pages, and files below it, are worth a click.
        let address = joined.and_then(|(base, address)| {
            let is_page = matches!(address.scheme(), "http" | "https");
            (is_page || address.as_str().starts_with(base.as_str())).then_some(address)
        });
        // The specification of OSC 8 allows printable ASCII only, as an address is written.
        let is_plain = |url: &Url| url.as_str().chars().all(|c| c.is_ascii_graphic());
        if let Some(address) = address.filter(is_plain) {
            let _ = write!(self.block, "\u{1b}]8;;{address}\u{1b}\\");
            self.is_link = true;
        }
        self.open(Style::new().fg_color(Some(AnsiColor::Cyan.into())));
    }

    fn close_link(&mut self) {
        self.close();
        if std::mem::take(&mut self.is_link) {
            self.block.push_str("\u{1b}]8;;\u{1b}\\");
        }
    }

    fn width(&self) -> usize {
        self.columns
            .saturating_sub(self.indent().len())
            .max(MIN_COLUMNS)
    }

    /// The indentation of the block.
    fn indent(&self) -> String {
        let lists = "  ".repeat(self.lists.len().saturating_sub(1));
        "│ ".repeat(self.quotes) + &lists
    }

    /// Writes the block that was read, wrapped.
    fn flush(&mut self) {
        let block = std::mem::take(&mut self.block);
        let block = block.trim_end();
        let marker = self.marker.take();
        if display_width(block) == 0 && marker.is_none() {
            return;
        }
        let indent = self.indent();
        let marker = marker.unwrap_or_else(|| {
            let is_in_list = !self.lists.is_empty();
            if is_in_list {
                "  ".to_owned()
            } else {
                String::new()
            }
        });
        let below = " ".repeat(display_width(&marker));
        if self.is_code {
            for line in block.lines() {
                let _ = writeln!(self.text, "{indent}    {line}");
            }
        } else {
            let (first, rest) = (format!("{indent}{marker}"), format!("{indent}{below}"));
            let width = self.columns.max(display_width(&rest) + MIN_COLUMNS);
            let options = unhyphenated(width)
                .initial_indent(&first)
                .subsequent_indent(&rest);
            let _ = writeln!(self.text, "{}", textwrap::fill(block, options));
        }
        if self.lists.is_empty() {
            self.blank_line();
        }
    }

    fn blank_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Writes the table that was read: columns as wide as their cells, or cut to the width.
    fn add_table(&mut self) {
        let Table { alignments, rows } = std::mem::take(&mut self.table);
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths = column_widths(&rows, count, self.width());
        for (number, row) in rows.iter().enumerate() {
            let cells: Vec<Vec<String>> = (0..count)
                .map(|column| {
                    let cell = row.get(column).map_or("", String::as_str);
                    let lines = textwrap::wrap(cell, unhyphenated(widths[column]));
                    lines.iter().map(|line| line.clone().into_owned()).collect()
                })
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                let parts: Vec<String> = (0..count)
                    .map(|column| {
                        let text = cells[column].get(line).map_or("", String::as_str);
                        let alignment = alignments.get(column).copied();
                        aligned(text, widths[column], alignment.unwrap_or(Alignment::None))
                    })
                    .collect();
                let _ = writeln!(self.text, "{}", parts.join("  ").trim_end());
            }
            if number == 0 {
                let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                let _ = writeln!(self.text, "{}", rules.join("  "));
            }
        }
        self.blank_line();
    }
}

/// Options to wrap at spaces only: the address of a link may have hyphens.
fn unhyphenated<'a>(width: usize) -> textwrap::Options<'a> {
    textwrap::Options::new(width).word_splitter(WordSplitter::NoHyphenation)
}

/// The widths of the columns of a table: those of their widest cells, of which the widest are cut
/// until all fit.
fn column_widths(rows: &[Vec<String>], count: usize, columns: usize) -> Vec<usize> {
    let mut widths = vec![1; count];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = display_width(cell).max(*width);
        }
    }
    let available = columns.saturating_sub(2 * count.saturating_sub(1));
    while widths.iter().sum::<usize>() > available {
        match widths.iter_mut().max() {
            Some(widest) if *widest > MIN_COLUMNS / 4 => *widest -= 1,
            _ => break,
        }
    }
    widths
}

fn aligned(text: &str, width: usize, alignment: Alignment) -> String {
    let space = width.saturating_sub(display_width(text));
    let left = match alignment {
        Alignment::Right => space,
        Alignment::Center => space / 2,
        Alignment::None | Alignment::Left => 0,
    };
    format!("{}{text}{}", " ".repeat(left), " ".repeat(space - left))
}

fn heading(level: HeadingLevel) -> Style {
    match level {
        HeadingLevel::H1 => Style::new().bold().underline(),
        HeadingLevel::H2 => Style::new().bold().fg_color(Some(AnsiColor::Green.into())),
        _ => Style::new().bold(),
    }
}

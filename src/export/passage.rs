//! The context of a quotation: the text before and after it in the stored text, cut at paragraph or
//! word boundaries.

use std::ops::Range;

use crate::text::tables::is_row;

/// The number of characters to show on each side. This and the two limits below were chosen by
/// hand.
const TARGET_CHARACTERS: usize = 400;
/// The minimum number of characters to show if the text is cut at a paragraph boundary.
const MIN_CHARACTERS: usize = 250;
/// The maximum number of characters to show if the text is cut at a paragraph boundary.
const MAX_CHARACTERS: usize = 550;

/// A quotation and the text around it. The three texts are adjacent in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context<'a> {
    pub(super) before: &'a str,
    pub(super) quote: &'a str,
    pub(super) after: &'a str,
    /// `true` if the source has more text before `before`.
    pub(super) is_cut_before: bool,
    /// `true` if the source has more text after `after`.
    pub(super) is_cut_after: bool,
}

/// The context of a quotation; `None` if it is not in `range` of the text.
pub(super) fn context<'a>(text: &'a str, range: Range<usize>, quote: &str) -> Option<Context<'a>> {
    // In a damaged session the range may be reversed or split a character: `get` does not panic.
    let quoted = text.get(range.clone()).filter(|text| *text == quote)?;
    // Front matter is left out of the context, unless the quotation is in it.
    let body = Some(front_matter(text)).filter(|front| *front <= range.start);
    let before = text.get(body.unwrap_or(0)..range.start)?;
    let after = text.get(range.end..)?;
    let (start, end) = (context_start(before), context_end(after));
    Some(Context {
        before: before.get(start..)?,
        quote: quoted,
        after: after.get(..end)?,
        is_cut_before: start > 0,
        is_cut_after: !after.get(end..)?.trim().is_empty(),
    })
}

/// The length of the front matter in bytes: the lines between `---` at the top of a text.
fn front_matter(text: &str) -> usize {
    let closed = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.find("\n---\n"));
    closed.map_or(0, |end| "---\n".len() + end + "\n---\n".len())
}

/// The offset in `before` at which the context starts.
fn context_start(before: &str) -> usize {
    // Lengths count characters, so that scripts with several bytes per character get as much
    // context.
    let [Some(max), Some(target), Some(min)] = [MAX_CHARACTERS, TARGET_CHARACTERS, MIN_CHARACTERS]
        .map(|characters| Some(before.char_indices().nth_back(characters)?.0))
    else {
        return 0;
    };
    // The paragraph boundary closest to the target, else a word boundary, else the target itself.
    before[max..min]
        .match_indices("\n\n")
        .map(|(index, gap)| max + index + gap.len())
        .min_by_key(|end| end.abs_diff(target))
        .or_else(|| Some(target + before[target..].find(char::is_whitespace)?))
        .unwrap_or(target)
}

/// The offset in `after` at which the context ends.
fn context_end(after: &str) -> usize {
    let [Some(min), Some(target), Some(max)] = [MIN_CHARACTERS, TARGET_CHARACTERS, MAX_CHARACTERS]
        .map(|characters| Some(after.char_indices().nth(characters)?.0))
    else {
        return after.len();
    };
    after[min..max]
        .match_indices("\n\n")
        .map(|(index, _)| min + index)
        .min_by_key(|end| end.abs_diff(target))
        .or_else(|| after[..target].rfind(char::is_whitespace))
        .unwrap_or(target)
}

/// A paragraph of a context: runs of text, with `true` for those that are quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paragraph<'a> {
    pub(super) runs: Vec<(&'a str, bool)>,
    /// `true` if its line breaks matter: a table, a list, code.
    pub(super) has_lines: bool,
}

/// A cell of a table: runs of text, with `true` for those that are quoted.
pub(super) type Cell = Vec<(String, bool)>;

/// The rows of a table by their cells.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// `true` if the first one has the names of the columns.
    pub(super) has_head: bool,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Paragraph<'_> {
    /// The rows of a GFM table, without the line below its head; `None` if the paragraph is
    /// anything else, or a row of it is cut.
    pub(super) fn rows(&self) -> Option<Rows> {
        let text: String = self.runs.iter().map(|(run, _)| *run).collect();
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let is_table = lines.clone().count() > 1 && lines.all(|line| is_row(line.trim()));
        let mut rows: Vec<Vec<Cell>> = vec![Vec::new()];
        let of_run = |(run, is_quoted): &(&str, bool)| {
            let is_quoted = *is_quoted;
            run.chars().map(move |c| (c, is_quoted)).collect::<Vec<_>>()
        };
        let mut characters = self.runs.iter().flat_map(of_run).peekable();
        while let Some((character, is_quoted)) = characters.next() {
            let bar = characters.next_if(|(next, _)| character == '\\' && *next == '|');
            let character = bar.map_or(character, |(bar, _)| bar);
            let row = rows.last_mut()?;
            match (character, row.last_mut()) {
                ('\n', _) => rows.push(Vec::new()),
                ('|', _) if bar.is_none() => row.push(Cell::new()),
                (_, Some(cell)) => push_character(cell, character, is_quoted),
                (_, None) => {}
            }
        }
        // A row ends with a bar, which begins no cell.
        for row in &mut rows {
            row.pop();
            row.iter_mut().for_each(trim);
        }
        rows.retain(|row| !row.is_empty());
        let has_head = rows.get(1).is_some_and(|row| row.iter().all(is_delimiter));
        if has_head {
            rows.remove(1);
        }
        Some(Rows { has_head, rows }).filter(|_| is_table)
    }

    /// `true` if it starts with a Markdown heading.
    pub(super) fn is_heading(&self) -> bool {
        self.runs.first().is_some_and(|(run, _)| is_heading(run))
    }
}

impl<'a> Context<'a> {
    /// The context as paragraphs; the whole quotation is in one of them.
    pub(super) fn paragraphs(&self) -> Vec<Paragraph<'a>> {
        let mut paragraphs = vec![Vec::new()];
        push_paragraphs(&mut paragraphs, self.before);
        push_run(&mut paragraphs, self.quote, true);
        push_paragraphs(&mut paragraphs, self.after);
        paragraphs
            .into_iter()
            .filter(|runs| runs.iter().any(|(run, _)| !run.trim().is_empty()))
            .map(|runs| Paragraph {
                has_lines: has_lines(&runs),
                runs,
            })
            .collect()
    }
}

/// Adds text around the quotation: its beginning belongs to the last paragraph, every blank line
/// and every heading starts a new paragraph.
fn push_paragraphs<'a>(paragraphs: &mut Vec<Vec<(&'a str, bool)>>, text: &'a str) {
    for (index, part) in text.split("\n\n").enumerate() {
        if index > 0 {
            paragraphs.push(Vec::new());
        }
        let heading = part.split_once('\n').filter(|(line, _)| is_heading(line));
        if let Some((heading, _)) = heading {
            push_run(paragraphs, heading, false);
            paragraphs.push(Vec::new());
        }
        push_run(paragraphs, heading.map_or(part, |(_, rest)| rest), false);
    }
}

/// Adds a character to a cell: to its last run, if that is quoted as well, or not either.
fn push_character(cell: &mut Cell, character: char, is_quoted: bool) {
    match cell.last_mut().filter(|run| run.1 == is_quoted) {
        Some((run, _)) => run.push(character),
        None => cell.push((character.to_string(), is_quoted)),
    }
}

/// Takes the white space off both ends of a cell.
fn trim(cell: &mut Cell) {
    cell.retain(|(run, _)| !run.trim().is_empty());
    if let Some((first, _)) = cell.first_mut() {
        *first = first.trim_start().to_owned();
    }
    if let Some((last, _)) = cell.last_mut() {
        *last = last.trim_end().to_owned();
    }
}

/// `true` for a cell of the line below the head of a table.
fn is_delimiter(cell: &Cell) -> bool {
    let is_dash = |c: char| matches!(c, '-' | ':');
    !cell.is_empty() && cell.iter().all(|(run, _)| run.chars().all(is_dash))
}

/// `true` for a line that is a Markdown heading.
fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#') && line.trim_start_matches('#').starts_with(' ')
}

fn push_run<'a>(paragraphs: &mut [Vec<(&'a str, bool)>], text: &'a str, is_quoted: bool) {
    if let Some(last) = paragraphs.last_mut()
        && !text.is_empty()
    {
        last.push((text, is_quoted));
    }
}

/// `true` if the line breaks of a paragraph matter; those of wrapped prose do not.
fn has_lines(runs: &[(&str, bool)]) -> bool {
    let text: String = runs.iter().map(|(run, _)| *run).collect();
    let text = text.trim_matches('\n');
    text.contains("\n\n") || (text.contains('\n') && text.lines().any(is_block_line))
}

/// `true` if a line belongs to a Markdown block other than a paragraph.
fn is_block_line(line: &str) -> bool {
    let bare = line.trim_start();
    let number = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    // Tables, quotations, headings and code fences; lists; ordered lists; indented code.
    bare.starts_with(['|', '>', '#', '`', '~'])
        || ["- ", "* ", "+ "].iter().any(|mark| bare.starts_with(mark))
        || (number.len() < bare.len() && number.starts_with(". "))
        || line.starts_with("    ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(text: &str, quote: &str) -> Context<'static> {
        let text: &'static str = text.to_owned().leak();
        let start = text.find(quote).unwrap();
        context(text, start..start + quote.len(), quote).unwrap()
    }

    #[test]
    fn short_text_is_context_without_front_matter() {
        let context = around(
            "---\ntitle: T\n---\n\nÄpfel.\n\nA quote. More.\n",
            "A quote.",
        );
        assert_eq!(
            (context.before, context.after),
            ("\nÄpfel.\n\n", " More.\n")
        );
        assert!(!context.is_cut_before && !context.is_cut_after);
        assert_eq!(context.paragraphs().len(), 2);
        assert_eq!(around("---\ntitle: T\n---\nx", "title: T").before, "---\n");
    }

    #[test]
    fn context_is_cut_at_paragraph_or_word_boundaries() {
        let words = "wärme ".repeat(200);
        let context = around(&format!("{words}QUOTE {words}"), "QUOTE");
        assert!(context.is_cut_before && context.is_cut_after);
        assert!((390..=401).contains(&context.before.chars().count()));
        assert!(context.before.starts_with(" wärme") && context.after.ends_with("wärme"));

        let part = "é".repeat(300);
        let context = around(
            &format!("{words}\n\n{part} QUOTE {part}\n\n{words}"),
            "QUOTE",
        );
        assert_eq!(context.before.trim(), part);
        assert_eq!(context.after.trim(), part);

        let wall = "é".repeat(2000);
        let context = around(&format!("{wall}QUOTE{wall}"), "QUOTE");
        assert_eq!(context.after.chars().count(), 400);
    }

    #[test]
    fn quotation_that_does_not_match_has_no_context() {
        assert_eq!(context("ä quote", 1..4, "x"), None);
        assert_eq!(context("a quote", 2..70, "quote"), None);
        #[expect(clippy::reversed_empty_ranges, reason = "a session may say anything")]
        let reversed = context("a quote", 5..2, "quote");
        assert_eq!(reversed, None);
        assert_eq!(context("a quote", 2..7, "other"), None);
    }

    #[test]
    fn heading_right_above_the_quotation_is_a_paragraph_of_its_own() {
        let context = around(
            "# Trial\n\n## Method\nWe used brine. It is salty.\n",
            "We used brine.",
        );
        let paragraphs = context.paragraphs();
        assert_eq!(paragraphs.len(), 3);
        assert!(paragraphs[1].is_heading());
        assert_eq!(paragraphs[2].runs[0], ("We used brine.", true));
    }

    #[test]
    fn rows_of_a_table_have_the_quoted_cells() {
        let table = "| Pump | Price |\n| --- | ---: |\n| A \\| B | 12 |\n| C | 9 |";
        let context = around(&format!("Prices:\n\n{table}\n\nEnd."), "| C | 9 |");
        let paragraphs = context.paragraphs();
        let Rows { has_head, rows } = paragraphs[1].rows().unwrap();
        assert!(has_head);
        let cell = |text: &str, is_quoted| vec![(text.to_owned(), is_quoted)];
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0], [cell("Pump", false), cell("Price", false)]);
        assert_eq!(rows[1], [cell("A | B", false), cell("12", false)]);
        assert_eq!(rows[2], [cell("C", true), cell("9", true)]);
        assert_eq!(paragraphs[0].rows(), None);
        // A row that is cut, or a single one.
        for text in ["price |\n| A | 12 |", "| A | 12 |"] {
            assert_eq!(around(text, "12").paragraphs()[0].rows(), None, "{text}");
        }
    }

    #[test]
    fn quotation_over_paragraphs_stays_in_one_piece() {
        let context = around("a\n\nb c\n\nd e\n\nf", "c\n\nd");
        let paragraphs = context.paragraphs();
        assert_eq!(paragraphs.len(), 3);
        assert_eq!(
            paragraphs[1].runs,
            [("b ", false), ("c\n\nd", true), (" e", false)]
        );
        assert!(paragraphs[1].has_lines);
    }
}

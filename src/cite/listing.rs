//! The lines of a quotation whose lines are read one by one: the items of a list, the commands in a
//! block of code.

use super::{as_line, begins_inside, item_of, number_of_first};
use crate::text::tables;

/// The fences of a block of code; longer ones begin with these.
const FENCES: [&str; 2] = ["```", "~~~"];

/// A line of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingLine {
    /// Running text: what introduces a list, or goes on behind a block of code.
    Text(String),
    /// An item with its marker, `1.` or `-`.
    Item(String, String),
    /// A line of a block of code, word for word.
    Code(String),
}

impl ListingLine {
    /// The words or the code of the line, without its marker.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Item(_, text) | Self::Code(text) => text,
        }
    }

    /// `true` for a line of code.
    pub fn is_code(&self) -> bool {
        matches!(self, Self::Code(_))
    }
}

/// The lines of a quotation as printed; `None` for one in running text.
pub fn listing(quote: &str) -> Option<Vec<ListingLine>> {
    if !quote.contains('\n') || tables::is_row(quote) {
        return None;
    }
    let mut reader = Reader::default();
    let first = if begins_inside(quote) {
        format!("[…] {quote}")
    } else {
        mark_of_first(quote) + quote
    };
    first.lines().for_each(|line| reader.read(line));
    let is_item = |line: &&ListingLine| !matches!(line, ListingLine::Text(_));
    let items = reader.lines.iter().filter(is_item).count();
    (items > 1).then_some(reader.lines)
}

/// The mark of the item that a quotation begins in: its number, or a dash where the next line is an
/// item without one. What introduces a list ends in a colon, or is followed by an empty line.
fn mark_of_first(quote: &str) -> String {
    let number = number_of_first(quote);
    let mut lines = quote.lines();
    let (first, next) = (lines.next().unwrap_or_default(), lines.next());
    let is_bullet = |line: &str| line.trim_start().starts_with(['-', '*', '+']);
    let is_item = next.is_some_and(|next| is_bullet(next) && item_of(next.trim()).is_some());
    let is_of_list = is_item && !first.trim_end().ends_with(':') && item_of(first).is_none();
    if number.is_empty() && is_of_list {
        "- ".to_owned()
    } else {
        number
    }
}

/// The lines read so far.
#[derive(Default)]
struct Reader {
    lines: Vec<ListingLine>,
    /// The fence of the block of code that is open, and its indentation.
    fence: Option<(&'static str, usize)>,
    /// `true` behind a block of code or an empty line, where a line begins anew.
    begins_anew: bool,
}

impl Reader {
    fn read(&mut self, line: &str) {
        let trimmed = line.trim();
        let fence = FENCES.into_iter().find(|fence| trimmed.starts_with(fence));
        match (self.fence, fence) {
            (Some((open, _)), Some(fence)) if open == fence => self.fence = None,
            (Some((_, indentation)), _) => self.lines.push(ListingLine::Code(
                dedented(line, indentation).trim_end().to_owned(),
            )),
            (None, Some(fence)) => {
                self.fence = Some((fence, line.len() - line.trim_start().len()));
                self.begins_anew = true;
            }
            (None, None) if !trimmed.is_empty() => self.read_text(trimmed),
            (None, None) => self.begins_anew = true,
        }
    }

    fn read_text(&mut self, line: &str) {
        let is_first = self.lines.is_empty();
        // The first line begins behind its marker: a `>` there is part of the sentence.
        let line = line.trim_start_matches(|c| !is_first && (c == '>' || c == ' '));
        if let Some(text) = item_of(line) {
            let marker = line[..line.len() - text.len()].trim_end();
            let marker = if marker.starts_with(|c: char| c.is_ascii_digit()) {
                marker
            } else {
                "-"
            };
            self.lines
                .push(ListingLine::Item(marker.to_owned(), as_line(text)));
        } else {
            match self.lines.last_mut().filter(|_| !self.begins_anew) {
                Some(ListingLine::Text(last) | ListingLine::Item(_, last)) => {
                    last.push(' ');
                    last.push_str(&as_line(line));
                }
                _ => self.lines.push(ListingLine::Text(as_line(line))),
            }
        }
        self.begins_anew = false;
    }
}

/// A line without up to `indentation` blanks at its beginning.
fn dedented(line: &str, indentation: usize) -> &str {
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    &line[blanks.min(indentation)..]
}

#[cfg(test)]
mod tests {
    use super::ListingLine::{Code, Item, Text};
    use super::*;

    #[test]
    fn commands_of_steps_are_lines_of_their_own() {
        let quote = "Drain the node.\n2. Restart it:\n\n   ```sh\n   service stop\n     \
                     service start\n   ```\n\n   Then wait.\n3. Check\n   the lag.";
        let item = |marker: &str, text: &str| Item(marker.to_owned(), text.to_owned());
        assert_eq!(
            listing(quote).unwrap(),
            [
                item("1.", "Drain the node."),
                item("2.", "Restart it:"),
                Code("service stop".to_owned()),
                Code("  service start".to_owned()),
                Text("Then wait.".to_owned()),
                item("3.", "Check the lag."),
            ]
        );
    }

    #[test]
    fn a_list_begins_with_its_first_item_and_ends_before_the_next_paragraph() {
        let item = |text: &str| Item("-".to_owned(), text.to_owned());
        assert_eq!(
            listing("Who pays?\n- Who repairs\n  the boat?\n\nNext meeting: 3 May").unwrap(),
            [
                item("Who pays?"),
                item("Who repairs the boat?"),
                Text("Next meeting: 3 May".to_owned()),
            ]
        );
        let introduced = listing("It is open:\n- on Monday\n- on Friday").unwrap();
        assert_eq!(introduced[0], Text("It is open:".to_owned()));
        let introduced = listing("Some days are free.\n\n- Monday\n- Friday").unwrap();
        assert_eq!(introduced[0], Text("Some days are free.".to_owned()));
    }

    #[test]
    fn running_text_and_rows_are_no_listing() {
        assert_eq!(listing("It rains\nall day."), None);
        let inside = listing("then:\n- Stop it.\n- Wait.").unwrap();
        assert_eq!(inside[0], Text("[…] then:".to_owned()));
        assert_eq!(listing("One of them:\n- a house"), None);
        assert_eq!(listing("| a | b |\n| - | - |"), None);
        let list = listing("Bring:\n* a [map](m.md)\n* **water**").unwrap();
        let item = |text: &str| Item("-".to_owned(), text.to_owned());
        assert_eq!(
            list,
            [Text("Bring:".to_owned()), item("a map"), item("water")]
        );
    }
}

//! A row of a table beside a claim: which of its cells and columns the claim says.

use std::ops::Range;

use crate::check::sources::Source;
use crate::cite;
use crate::text::{self, Table};

/// Stems of the words with which a claim gives the value of any row.
const OF_ANY_ROW: &[&str] = &[
    "had", "has", "have", "was", "were", "is", "are", "amount", "stand", "stood", "total",
    "number", "count", "reach", "come", "came", "cost", "price", "contain", "measur", "show",
];

/// Stems of units of a claim, and what a cell or the name of a column has for each.
const UNITS: &[(&str, [&str; 2])] = &[
    ("euro", ["eur", "€"]),
    ("dollar", ["usd", "$"]),
    ("pound", ["gbp", "£"]),
    ("percent", ["pct", "%"]),
    ("litr", [" l", "/l"]),
    ("liter", [" l", "/l"]),
];

/// Stop words of a claim that gives a value as it is: no negation, no bound, no comparison.
const OF_ANY_CLAIM: &[&str] = &[
    "a", "an", "and", "are", "at", "for", "had", "has", "have", "in", "is", "it", "its", "of",
    "on", "the", "there", "was", "were", "with", "per",
];

/// The name of a column without what it has in brackets: "Early" of "Early (07:30–15:30)".
pub(super) fn label(name: &str) -> &str {
    let label = name.split(" (").next().unwrap_or_default().trim();
    Some(label).filter(|own| !own.is_empty()).unwrap_or(name)
}

/// The stems of the words of a text, with its number words as digits.
pub(super) fn words(text: &str) -> Vec<String> {
    text::words(&cite::with_digits(text))
        .map(|word| text::stem(&text::fold(word.text)))
        .collect()
}

/// The numbers of a text, as they are written but for commas between thousands: "18:00", "5.00".
pub(super) fn numbers(text: &str) -> Vec<String> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, '–' | '-' | ';' | '(' | ')');
    // "SO2" is a name.
    let parts = text.split(is_between);
    let parts = parts.filter(|part| !part.starts_with(char::is_alphabetic));
    let parts = parts.map(|part| part.trim_matches(|c: char| !c.is_ascii_digit()));
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(|part| part.replace(',', "")).collect()
}

/// Numbers, and what cells say for them below a column in thousands or millions: "460" for 460000.
fn scaled(numbers: Vec<String>, columns: &[String]) -> Vec<String> {
    let scales = columns.iter().map(|name| text::scale_of_label(name));
    let scale = scales.fold(1.0, f64::max);
    let of_cell = |number: &String| {
        let number = number.parse::<f64>().ok().filter(|_| scale > 1.0)?;
        Some((number / scale).to_string())
    };
    let of_cells: Vec<String> = numbers.iter().filter_map(of_cell).collect();
    [numbers, of_cells].concat()
}

/// The stems of the words of a cell that say something.
pub(super) fn content(cell: &str) -> impl Iterator<Item = String> {
    let words = text::words(cell).filter(|word| word.text.starts_with(char::is_alphabetic));
    let words = words.filter(|word| !text::is_stop_word(&text::fold(word.text)));
    words.map(|word| text::stem(&text::fold(word.text)))
}

/// A row of a table beside a claim.
pub(in crate::check) struct Row<'a> {
    /// The claim, as it is written.
    pub(super) sentence: &'a str,
    /// The stems of its words.
    pub(super) claim: Vec<String>,
    /// Its numbers, as they are written.
    pub(super) numbers: Vec<String>,
    pub(super) table: &'a Table,
    pub(super) cells: Vec<String>,
}

impl<'a> Row<'a> {
    /// The row of a table of a source that has a range of its text, if it has a cell for each
    /// column; `None` if the range is no such row.
    pub(in crate::check) fn of(
        claim: &'a str,
        source: &'a Source,
        range: &Range<usize>,
    ) -> Option<Self> {
        Self::of_tables(claim, source.tables(), &source.text, range)
    }

    pub(super) fn of_tables(
        claim: &'a str,
        tables: &'a [Table],
        text: &str,
        range: &Range<usize>,
    ) -> Option<Self> {
        let is_around =
            |table: &&Table| table.range.start <= range.start && range.end <= table.range.end;
        let table = tables.iter().find(is_around)?;
        let cells = table.cells_of(text.get(range.clone())?)?;
        let is_whole = cells.len() == table.columns.len();
        is_whole.then(|| Self {
            sentence: claim,
            // "A" may be a value, and the article is none.
            claim: words(&claim.replace(" a ", " ")),
            numbers: scaled(numbers(claim), &table.columns),
            table,
            cells,
        })
    }

    /// The names of the columns behind the first, which names the row, with its cells below them.
    pub(super) fn values(&self) -> impl DoubleEndedIterator<Item = (&String, &String)> {
        self.table.columns.iter().zip(&self.cells).skip(1)
    }

    /// `true` if the claim is the row, word for word: as a record with the names of its columns, or
    /// its cells alone.
    pub(super) fn is_claim(&self) -> bool {
        let cells: Vec<String> = self.cells.iter().flat_map(|cell| words(cell)).collect();
        let pairs = self.table.columns.iter().zip(&self.cells);
        let record = pairs.flat_map(|(name, cell)| [words(name), words(cell)].concat());
        self.claim == cells || record.eq(self.claim.iter().cloned())
    }

    /// `true` if the claim has the words of a cell, one after another.
    pub(super) fn says(&self, cell: &str) -> bool {
        let cell = words(cell);
        !cell.is_empty() && self.claim.windows(cell.len()).any(|own| own == cell)
    }

    /// `true` if the claim says nothing but what is in the row and the names of its columns, and
    /// what is said of any row: no negation, no bound, no comparison.
    pub(super) fn is_of_plain(&self) -> bool {
        self.has_plain_words(self.sentence) && self.has_plain_stop_words()
    }

    /// [`Self::is_of_plain`] but for stop words, of a claim or a part of it.
    pub(super) fn has_plain_words(&self, claim: &str) -> bool {
        let names = self.table.columns.iter().chain(&self.cells);
        let written: String = names.clone().map(|text| text.to_lowercase()).collect();
        let names: Vec<String> = names.flat_map(|name| content(name)).collect();
        let mut others = content(claim).filter(|word| !names.contains(word));
        let is_unit = |word: &str| {
            let mut units = UNITS.iter();
            // "30 litres" is no "30 mg per litre".
            let is_per = word.starts_with("lit") && !claim.to_lowercase().contains(" per lit");
            let unit = units.find(|(unit, _)| *unit == word && !is_per);
            unit.is_some_and(|(_, signs)| signs.iter().any(|sign| written.contains(sign)))
        };
        others.all(|word| OF_ANY_ROW.contains(&word.as_str()) || is_unit(&word))
    }

    /// `true` if the stop words of the claim are those of any claim, or of the name of a column.
    fn has_plain_stop_words(&self) -> bool {
        let claimed = text::folded(self.sentence);
        let is_number = |at: usize| {
            let word = claimed.get(at);
            word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        };
        // "30 to 59" is a range, and "every 24 hours" an interval.
        let is_of_number = |at: usize| match claimed[at].as_str() {
            "to" => at > 0 && is_number(at - 1) && is_number(at + 1),
            "every" => is_number(at + 1),
            _ => false,
        };
        // "To" of "cycles to 80 percent".
        let is_of_name = |at: usize| {
            let mut names = self.table.columns.iter().filter(|own| self.says_whole(own));
            names.any(|name| text::folded(name).contains(&claimed[at]))
        };
        let mut stop_words = (0..claimed.len()).filter(|at| text::is_stop_word(&claimed[*at]));
        stop_words.all(|at| {
            OF_ANY_CLAIM.contains(&claimed[at].as_str()) || is_of_number(at) || is_of_name(at)
        })
    }

    /// `true` if the claim has a word of the name of a column that no other one has: "EUR" of all
    /// of them names none.
    pub(super) fn names_column(&self, name: &str) -> bool {
        let others = self.table.columns.iter().filter(|own| *own != name);
        let others: Vec<String> = others.flat_map(|own| content(own)).collect();
        content(name).any(|word| self.claim.contains(&word) && !others.contains(&word))
    }

    /// `true` if the claim has a word of a cell.
    pub(super) fn says_a_word(&self, cell: &str) -> bool {
        content(cell).any(|word| self.claim.contains(&word))
    }

    /// `true` if the claim has a word of the first cell, and none of that of any other row.
    pub(super) fn is_named_alone(&self) -> bool {
        let says_own = |cell: &String, other: &str| {
            let others: Vec<String> = content(other).collect();
            content(cell).any(|word| self.claim.contains(&word) && !others.contains(&word))
        };
        let key = &self.cells[0];
        let mut others = self.table.rows.iter().filter(|row| row[0] != *key);
        self.says_a_word(key) && !others.any(|row| says_own(&row[0], key) || self.says(&row[0]))
    }

    /// `true` if the claim has a word of a cell that neither this row nor a name of a column has.
    pub(super) fn says_a_word_only_of(&self, cell: &str) -> bool {
        let here = self.cells.iter().chain(&self.table.columns);
        let here: Vec<String> = here.flat_map(|cell| content(cell)).collect();
        content(cell).any(|word| self.claim.contains(&word) && !here.contains(&word))
    }

    /// `true` if the claim has all words and numbers of the name of a column.
    pub(super) fn says_whole(&self, name: &str) -> bool {
        let mut words = content(name).peekable();
        words.peek().is_some()
            && words.all(|word| self.claim.contains(&word))
            && numbers(name).iter().all(|own| self.numbers.contains(own))
    }

    /// `true` if the claim has a number of a cell.
    pub(super) fn says_number_of(&self, cell: &str) -> bool {
        numbers(cell).iter().any(|own| self.numbers.contains(own))
    }
}

//! Rows of tables: whether a row that has the words of a claim is the row, and its cell the column,
//! that the claim is about.

use std::ops::Range;

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

/// Signs before a number that is not what it seems: "-5", "(1,200)", "< 30".
const SIGNS: [char; 8] = ['-', '−', '(', '<', '>', '~', '≤', '≥'];

/// Stop words of a claim that gives a value as it is: no negation, no bound, no comparison.
const OF_ANY_CLAIM: &[&str] = &[
    "a", "an", "and", "are", "at", "for", "had", "has", "have", "in", "is", "it", "its", "of",
    "on", "the", "there", "was", "were", "with", "per",
];

/// Why a row does not say what a claim says, though it has its words: the claim names the value of
/// another row, "e-bike" where the row has "city bike", or a column of which the row has another
/// value, "The station shop is open" where only the workshop is. `None` if nothing speaks against
/// it, or if the range is no row of the tables.
pub(super) fn objection(
    claim: &str,
    tables: &[Table],
    text: &str,
    range: &Range<usize>,
) -> Option<String> {
    let row = Row::of(claim, tables, text, range).filter(|row| !row.is_claim())?;
    row.of_another()
        .or_else(|| row.of_another_column())
        .or_else(|| row.number_of_another_column())
        .or_else(|| row.answered_otherwise())
        .or_else(|| row.exchanged())
}

/// `true` if a row states a claim: its cells have all numbers of it, and its cells and the names of
/// its columns all other words but those that are said of any row, "had", "in total"; nothing
/// speaks against it.
pub(super) fn states(claim: &str, tables: &[Table], text: &str, range: &Range<usize>) -> bool {
    let Some(row) = Row::of(claim, tables, text, range) else {
        return false;
    };
    // "Cycles to 80 percent" has a number of its own.
    let names = row.table.columns.iter().filter(|name| row.says_whole(name));
    let having: Vec<String> = names
        .chain(&row.cells)
        .flat_map(|cell| numbers(cell))
        .collect();
    let has_numbers = !row.numbers.is_empty() && row.numbers.iter().all(|own| having.contains(own));
    let mut said_cells = row.cells.iter().filter(|cell| row.says_number_of(cell));
    let is_signed = said_cells.any(|cell| cell.starts_with(SIGNS));
    // The cell that names the row, and the one that tells something of it.
    let said = row.cells.iter().filter(|cell| row.says(cell)).count();
    row.is_of_plain(claim)
        && !is_signed
        && has_numbers
        && said > 1
        && objection(claim, tables, text, range).is_none()
        && row.number_beside_its_column().is_none()
}

/// Why a row of a table excludes what a claim says: the claim gives its name what one other row
/// alone has, "The chair is Bea" where the row of Ann has "Chair", and that of Bea another role.
/// The claim has to say nothing else.
pub(super) fn exclusion(
    claim: &str,
    tables: &[Table],
    text: &str,
    range: &Range<usize>,
) -> Option<String> {
    let row = Row::of(claim, tables, text, range)?;
    let name = row.cells.first().filter(|name| row.says(name))?;
    let claimed = text::folded(claim);
    let says = |list: &[&str]| claimed.iter().any(|own| list.contains(&own.as_str()));
    let is_plain = says(&["is"]) && !says(&["not", "no", "never", "and", "or", "nor", "neither"]);
    let has_digit = claim.contains(|c: char| c.is_ascii_digit());
    if has_digit || !is_plain {
        return None;
    }
    row.table
        .columns
        .iter()
        .enumerate()
        .skip(1)
        .find_map(|(at, _)| {
            let own = row.cells.get(at).filter(|own| !row.says_a_word(own))?;
            let mut holders = row.table.rows.iter().filter(|other| row.says(&other[at]));
            let holder = holders.next()?;
            let says_no_more = content(claim)
                .all(|word| words(name).contains(&word) || words(&holder[at]).contains(&word));
            // A column of "yes" and "no", or of prices, is not of roles.
            let is_one = holders.next().is_none()
                && row
                    .table
                    .rows
                    .iter()
                    .filter(|other| other[at] == *own)
                    .count()
                    == 1
                && content(&holder[at]).next().is_some()
                && !own.contains(|c: char| c.is_ascii_digit());
            let is_other = is_one && says_no_more && !row.says(&holder[0]) && !own.is_empty();
            is_other.then(|| {
                let (role, other) = (&holder[at], &holder[0]);
                format!("{role:?} is {other:?} in that table, and {name:?} is {own:?}")
            })
        })
}

/// Why a row contradicts what a claim says: the claim names the row and a column of names, and a
/// name that is another cell of the table, "Ann works early on Monday" where the row of Monday has
/// Bea under "Early". The claim has to say little else.
pub(super) fn misnaming(
    claim: &str,
    tables: &[Table],
    text: &str,
    range: &Range<usize>,
) -> Option<String> {
    const NEGATIONS: [&str; 6] = ["not", "no", "never", "or", "nor", "neither"];
    let row = Row::of(claim, tables, text, range)?;
    let key = row.cells.first().filter(|key| row.says(key))?;
    let claimed = text::folded(claim);
    if claimed.iter().any(|own| NEGATIONS.contains(&own.as_str())) {
        return None;
    }
    let columns = || row.table.columns.iter().enumerate().skip(1);
    let mut named = columns().filter(|(_, name)| row.says(label(name)));
    let (Some((at, name)), None) = (named.next(), named.next()) else {
        return None;
    };
    let own = row.cells.get(at).filter(|own| is_name(own))?;
    let others = row.table.rows.iter().flat_map(|other| other.iter().skip(1));
    let mut others = others.filter(|other| is_name(other) && row.says(other));
    let other = others.find(|other| *other != own)?;
    let is_used = |word: &String| {
        let parts = [key.as_str(), name, other, &row.table.columns[0]];
        parts.iter().any(|part| words(part).contains(word))
    };
    let is_brief = content(claim).filter(|word| !is_used(word)).count() <= FURTHER;
    let is_silent = content(own).all(|word| !row.claim.contains(&word));
    (is_brief && is_silent).then(|| format!("{name:?} is {own:?} in that row, not {other:?}"))
}

/// Why a row contradicts what a claim says: the claim names the row and a word of the name of a
/// column, and the value that another row has there, "The depot is heated with oil" where the row
/// of the depot has "gas" under "Heating source". The claim has to say little else.
pub(super) fn misvaluing(
    claim: &str,
    tables: &[Table],
    text: &str,
    range: &Range<usize>,
) -> Option<String> {
    let row = Row::of(claim, tables, text, range)?;
    let key = row.cells.first().filter(|_| row.is_named_alone())?;
    let is_open = |own: &String| OF_SEVERAL.contains(&own.as_str());
    if claim.contains(|c: char| c.is_ascii_digit()) || text::folded(claim).iter().any(is_open) {
        return None;
    }
    let is_value =
        |cell: &str| content(cell).next().is_some() && !cell.contains(|c: char| c.is_ascii_digit());
    let mut columns = row.table.columns.iter().enumerate().skip(1);
    columns.find_map(|(at, name)| {
        let own = row
            .cells
            .get(at)
            .filter(|own| is_value(own) && !row.says_a_word(own))?;
        let roots: Vec<String> = content(name).collect();
        let is_of_column = |word: &String| roots.iter().any(|own| text::same_root(own, word));
        let named = row.claim.iter().any(is_of_column);
        let mut others = row.table.rows.iter().map(|other| &other[at]);
        let other = others.find(|other| is_value(other) && row.says(other))?;
        let is_used = |word: &String| {
            let parts = [key.as_str(), other, &row.table.columns[0]];
            is_of_column(word) || parts.iter().any(|part| words(part).contains(word))
        };
        let is_brief = content(claim).filter(|word| !is_used(word)).count() <= FURTHER;
        (named && is_brief).then(|| format!("{name:?} is {own:?} in that row, not {other:?}"))
    })
}

/// Why a row contradicts what a claim says: the claim has all words of the name of the row, names
/// one of several columns, and gives the number of another one: "Plan B needs 30 pumps" where that
/// is the number of plan C.
pub(super) fn misplacing(
    claim: &str,
    tables: &[Table],
    text: &str,
    range: &Range<usize>,
) -> Option<String> {
    let row = Row::of(claim, tables, text, range)?;
    let open = OF_SEVERAL
        .iter()
        .filter(|own| !matches!(**own, "will" | "would"));
    let is_open = open
        .into_iter()
        .any(|own| text::folded(claim).iter().any(|word| word == own));
    let is_named = row.cells.first().is_some_and(|key| row.says_whole(key));
    let is_plain = !is_open && is_named && row.numbers.len() == 1;
    row.number_of_another_column().filter(|_| is_plain)
}

/// Words by which a claim denies, compares, or speaks of several things or of another time.
const OF_SEVERAL: &[&str] = &[
    "not", "no", "never", "or", "nor", "neither", "and", "also", "than", "like", "except", "will",
    "would", "before", "until", "formerly",
];

/// The maximum number of words that a claim says besides the row, the column and the name.
const FURTHER: usize = 1;

/// `true` for a cell of words that all begin with a capital, as the names of people do.
fn is_name(cell: &str) -> bool {
    let mut words = text::words(cell).peekable();
    words.peek().is_some() && words.all(|word| word.text.starts_with(char::is_uppercase))
}

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

/// A row of a GFM table and the names of its columns; `None` for any other range.
fn row_of_table<'a>(text: &'a str, range: &Range<usize>) -> Option<(Vec<String>, &'a str)> {
    let columns = text::tables::columns_of_row(text, range.clone());
    let row = text.get(range.clone()).filter(|_| columns.len() > 1)?;
    Some((columns, row))
}

/// A row of a table with the names of its columns, as a record: "Day: Monday; Shop: closed."
pub(super) fn plain_record(text: &str, range: &Range<usize>) -> Option<String> {
    let (columns, row) = row_of_table(text, range)?;
    Some(text::tables::row_as_record(&columns, row))
}

/// The same with the unit behind the name of the row as that of its numbers: "Length (m)".
pub(super) fn record(text: &str, range: &Range<usize>) -> Option<String> {
    let (columns, row) = row_of_table(text, range)?;
    let cells = text::tables::row_cells(row);
    let unit = cells.first().and_then(|own| unit(own));
    let Some(unit) = unit else {
        return Some(text::tables::row_as_record(&columns, row));
    };
    let fields = columns
        .iter()
        .zip(&cells)
        .filter(|(_, cell)| !cell.is_empty());
    let fields = fields.map(|(name, cell)| {
        if cell.contains(char::is_alphabetic) || numbers(cell).is_empty() {
            format!("{name}: {cell}")
        } else {
            format!("{name}: {cell} {unit}")
        }
    });
    Some(fields.collect::<Vec<_>>().join("; ") + ".")
}

/// The unit in brackets behind the name of a row.
fn unit(name: &str) -> Option<&str> {
    let (_, unit) = name.trim().strip_suffix(')')?.rsplit_once(" (")?;
    let quantities = text::quantities(&format!("1 {unit}"));
    let is_unit = |own: &text::Quantity| !own.unit.is_empty();
    quantities.first().is_some_and(is_unit).then_some(unit)
}

/// A row beside a claim, whose words are stems.
pub(super) struct Row<'a> {
    pub(super) claim: Vec<String>,
    /// The numbers of the claim, as they are written.
    pub(super) numbers: Vec<String>,
    pub(super) table: &'a Table,
    pub(super) cells: Vec<String>,
}

impl<'a> Row<'a> {
    /// The row of a table that has a range of a text, if it has a cell for each column; `None` if
    /// the range is no such row.
    pub(super) fn of(
        claim: &str,
        tables: &'a [Table],
        text: &str,
        range: &Range<usize>,
    ) -> Option<Self> {
        let table = tables
            .iter()
            .find(|table| table.range.start <= range.start && range.end <= table.range.end)?;
        let cells = table.cells_of(text.get(range.clone())?)?;
        let is_whole = cells.len() == table.columns.len();
        is_whole.then(|| Self {
            // "A" may be a value, and the article is none.
            claim: words(&claim.replace(" a ", " ")),
            numbers: scaled(numbers(claim), &table.columns),
            table,
            cells,
        })
    }

    /// `true` if the claim is the row, word for word: as a record with the names of its columns, or
    /// its cells alone.
    fn is_claim(&self) -> bool {
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

    /// `true` if a claim says nothing but what is in the row and the names of its columns, and what
    /// is said of any row: no negation, no bound, no comparison.
    pub(super) fn is_of_plain(&self, claim: &str) -> bool {
        self.has_plain_words(claim) && self.has_plain_stop_words(claim)
    }

    /// [`Self::is_of_plain`] but for stop words.
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

    /// `true` if the stop words of a claim are those of any claim, or of the name of a column.
    fn has_plain_stop_words(&self, claim: &str) -> bool {
        let claimed = text::folded(claim);
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

    /// The claim has a cell of another row in words, or a word of one, in place of that of this
    /// row.
    fn of_another(&self) -> Option<String> {
        // Numbers of other rows are in many claims by chance.
        let is_in_words = |cell: &&String| {
            cell.contains(char::is_alphabetic) && !cell.contains(|c: char| c.is_ascii_digit())
        };
        self.table
            .columns
            .iter()
            .enumerate()
            .find_map(|(at, name)| {
                let own = &self.cells[at];
                if self.says(own) {
                    return None;
                }
                let others = || self.table.rows.iter().map(|row| &row[at]);
                // "15 June" or "above 90" where the row begins with "1 June" or "60 to 90".
                let is_key = |cell: &&String| {
                    at == 0
                        && cell.contains(char::is_alphabetic)
                        && cell.contains(|c: char| c.is_ascii_digit())
                };
                // What another column says of this row, the claim may have from there.
                let mut whole = others().filter(|cell| is_in_words(cell) || is_key(cell));
                let whole = whole.find(|other| self.says(other) && !self.cells.contains(*other));
                let other = whole.or_else(|| {
                    let is_silent = !self.says_a_word(own);
                    // The first column names the row, which a claim may do in other words.
                    let is_open = is_silent && at > 0;
                    others().find(|other| is_open && self.says_a_word_only_of(other))
                })?;
                Some(format!("{name:?} is {own:?} in that row, not {other:?}"))
            })
    }

    /// `true` if the claim has a word of the name of a column that no other one has: "EUR" of all
    /// of them names none.
    fn names_column(&self, name: &str) -> bool {
        let others = self.table.columns.iter().filter(|own| *own != name);
        let others: Vec<String> = others.flat_map(|own| content(own)).collect();
        content(name).any(|word| self.claim.contains(&word) && !others.contains(&word))
    }

    /// `true` if the claim has a word of a cell.
    fn says_a_word(&self, cell: &str) -> bool {
        content(cell).any(|word| self.claim.contains(&word))
    }

    /// `true` if the claim has a word of the first cell, and none of that of any other row.
    fn is_named_alone(&self) -> bool {
        let says_own = |cell: &String, other: &str| {
            let others: Vec<String> = content(other).collect();
            content(cell).any(|word| self.claim.contains(&word) && !others.contains(&word))
        };
        let key = &self.cells[0];
        let mut others = self.table.rows.iter().filter(|row| row[0] != *key);
        self.says_a_word(key) && !others.any(|row| says_own(&row[0], key) || self.says(&row[0]))
    }

    /// `true` if the claim has a word of a cell that neither this row nor a name of a column has.
    fn says_a_word_only_of(&self, cell: &str) -> bool {
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
    fn says_number_of(&self, cell: &str) -> bool {
        numbers(cell).iter().any(|own| self.numbers.contains(own))
    }

    /// The claim names a column of numbers, but has a number of another one, which it does not
    /// name: "The library is open until 18:00" where it closes at 20:00, and the reading room at
    /// 18:00.
    fn number_of_another_column(&self) -> Option<String> {
        let columns = || self.table.columns.iter().zip(&self.cells).skip(1);
        self.numbers.iter().find_map(|number| {
            let has = |cell: &str| numbers(cell).contains(number);
            // "eu-west-2" names the row.
            let is_in_name =
                |cell: &&String| cell.contains(char::is_alphabetic) && has(cell) && self.says(cell);
            if self.cells.iter().any(|cell| is_in_name(&cell)) {
                return None;
            }
            let mut having = columns().filter(|(_, cell)| has(cell)).peekable();
            having.peek()?;
            if having.any(|(name, _)| self.names_column(name)) {
                return None;
            }
            // "Electric buses" names no column of all buses.
            let has_whole = columns().any(|(name, _)| self.says_whole(name));
            let is_named = |name: &str| {
                if has_whole {
                    self.says_whole(name)
                } else {
                    self.names_column(name)
                }
            };
            let named = columns().filter(|(name, _)| is_named(name)).rev();
            let is_number = |cell: &str| !numbers(cell).is_empty() && !self.says_number_of(cell);
            let named = named.filter(|(_, cell)| is_number(cell));
            // The first of those with most words: "Plan B" rather than "Plan".
            let (name, cell) = named.max_by_key(|(name, _)| content(name).count())?;
            Some(format!("{name:?} is {cell:?} in that row"))
        })
    }

    /// The claim names a column whole, and has the number of another one in its place: "345
    /// electric buses" where 345 is the total.
    fn number_beside_its_column(&self) -> Option<String> {
        let columns = || self.table.columns.iter().zip(&self.cells).skip(1);
        let (name, cell) = columns().find(|(name, cell)| {
            self.says_whole(name) && !numbers(cell).is_empty() && !self.says_number_of(cell)
        })?;
        let mut others = columns();
        let is_other =
            others.any(|(other, cell)| self.says_number_of(cell) && !self.says_whole(other));
        is_other.then(|| format!("{name:?} is {cell:?} in that row"))
    }

    /// The claim gives the values of two columns to each other: "Ann is the secondary and Bea the
    /// primary" where it is the other way round.
    fn exchanged(&self) -> Option<String> {
        let position = |text: &str| {
            let words = words(text);
            let mut windows = self.claim.windows(words.len().max(1));
            windows.position(|own| own == words)
        };
        let columns = self.table.columns.iter().zip(&self.cells).skip(1);
        let said: Vec<(&String, usize, &String, usize)> = columns
            .filter_map(|(name, cell)| Some((name, position(name)?, cell, position(cell)?)))
            .collect();
        said.iter().enumerate().find_map(|(index, one)| {
            let other = said[index + 1..].iter().find(|other| {
                let straight = one.1.abs_diff(one.3) + other.1.abs_diff(other.3);
                let turned = one.1.abs_diff(other.3) + other.1.abs_diff(one.3);
                turned < straight && one.2 != other.2
            })?;
            let (name, cell) = (one.0, one.2);
            Some(format!(
                "{name:?} is {cell:?} in that row, not {:?}",
                other.2
            ))
        })
    }

    /// The claim says that something is so where the row says "no", or that it is not where the row
    /// says "yes".
    fn answered_otherwise(&self) -> Option<String> {
        const NEGATIONS: [&str; 7] = ["not", "no", "never", "without", "none", "neither", "nor"];
        let is_negation =
            |word: &String| NEGATIONS.contains(&word.as_str()) || word.ends_with("n't");
        let is_denied = self.claim.iter().any(is_negation);
        let otherwise = if is_denied { "yes" } else { "no" };
        let mut columns = self.table.columns.iter().zip(&self.cells).skip(1);
        let (name, cell) = columns.find(|(name, cell)| {
            cell.eq_ignore_ascii_case(otherwise)
                && content(name).any(|word| self.claim.contains(&word))
        })?;
        Some(format!("{name:?} is {cell:?} in that row"))
    }

    /// The claim names a column, but has the value of another one.
    fn of_another_column(&self) -> Option<String> {
        // The first column says what a row is about, and has no value that could be another's.
        let columns = || self.table.columns.iter().zip(&self.cells);
        let is_other =
            |(name, cell): (&String, &String)| self.says(cell) && !self.says(label(name));
        let has_other = columns().skip(1).any(is_other);
        let mut named = columns()
            .skip(1)
            .filter(|(name, cell)| self.says(label(name)) && !cell.is_empty() && !self.says(cell));
        let (name, cell) = named.next().filter(|_| has_other)?;
        Some(format!("{name:?} is {cell:?} in that row"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOURS: &str = "# Hours\n\n| Day | Canal Row workshop | Station shop |\n\
        | --- | --- | --- |\n| Monday | closed | 07:00-19:00 |\n\
        | Saturday | 09:00-14:00 | closed |\n\n\
        - Service: Repair; Bicycle: city bike; Price: 9.\n\
        - Service: Repair; Bicycle: e-bike; Price: 14.\n";

    #[test]
    fn words_and_numbers_of_another_row_or_column_are_none_of_this_one() {
        const EVENTS: &str = "# Events\n\n\
            - Event: Quiz night; For: adults; Place: Old barn; Entry: 18:00; Closing: 22:00.\n\
            - Event: Play; For: children from 4; Place: Main hall; Entry: 15:00; Closing: 16:00.\n\
            ";
        let tables = text::tables::tables(EVENTS);
        let row = "Event: Quiz night; For: adults; Place: Old barn; Entry: 18:00; Closing: 22:00.";
        let start = EVENTS.find(row).unwrap();
        const CARE: &str = "# Care\n\n- Treatment: Nail clipping; Vet required: no; eur: 9.\n\
                            - Treatment: Scaling; Vet required: yes; eur: 90; note: new.\n";
        let care = text::tables::tables(CARE);
        let of_care = |claim: &str, row: &str| {
            let start = CARE.find(row).unwrap();
            let end = start + CARE[start..].find('.').unwrap() + 1;
            objection(claim, &care, CARE, &(start..end))
        };
        let clipping = "Treatment: Nail";
        assert!(of_care("Nail clipping must be done by a vet.", clipping).is_some());
        assert!(of_care("Nail clipping need not be done by a vet.", clipping).is_none());
        assert!(of_care("Scaling does not need a vet.", "Treatment: Scaling").is_some());
        assert!(of_care("Scaling costs 9 euros.", clipping).is_some());
        for (claim, expected) in [
            ("The quiz night is for adults, in the old barn.", None),
            (
                "The quiz night takes place in the hall.",
                Some("\"Place\" is \"Old barn\" in that row, not \"Main hall\""),
            ),
            (
                "The quiz night is for children.",
                Some("\"For\" is \"adults\" in that row, not \"children from 4\""),
            ),
            ("The entry to the quiz night is at 18:00.", None),
            (
                "At the quiz night, closing is at 18:00 and entry at 22:00.",
                Some("\"Entry\" is \"18:00\" in that row, not \"22:00\""),
            ),
            (
                "The entry to the quiz night is at 22:00.",
                Some("\"Entry\" is \"18:00\" in that row"),
            ),
        ] {
            let objection = objection(claim, &tables, EVENTS, &(start..start + row.len()));
            assert_eq!(objection.as_deref(), expected, "{claim}");
        }
    }

    #[test]
    fn a_name_stands_in_the_row_and_under_the_column_of_the_claim() {
        const ROTA: &str = "# Rota\n\n| Week of | Early (07:30–15:30) | Late | On call (nights) |\n\
            |---|---|---|---|\n| 1 June | Priya Nair | Dan Hock | Helen Teg |\n\
            | 15 June | Lucy Bray | Priya Nair | Sofia Alme |\n";
        let tables = text::tables::tables(ROTA);
        for (row, claim, is_misnamed, is_of_another) in [
            (
                "| 15 June |",
                "Priya Nair works early in the week of 15 June.",
                true,
                true,
            ),
            (
                "| 15 June |",
                "Priya Nair works late in the week of 15 June.",
                false,
                false,
            ),
            (
                "| 15 June |",
                "Dan Hock is on call in the week of 15 June.",
                true,
                true,
            ),
            (
                "| 1 June |",
                "Dan Hock is on call in the week of 15 June.",
                false,
                true,
            ),
            (
                "| 15 June |",
                "Sofia Alme is on call in the week of 15 June.",
                false,
                false,
            ),
            (
                "| 15 June |",
                "Dan Hock asked Martin to be on call in the week of 15 June.",
                false,
                true,
            ),
        ] {
            let start = ROTA.find(row).unwrap();
            let end = start + ROTA[start..].find('\n').unwrap();
            let misnamed = misnaming(claim, &tables, ROTA, &(start..end));
            assert_eq!(misnamed.is_some(), is_misnamed, "{claim} {misnamed:?}");
            let objected = objection(claim, &tables, ROTA, &(start..end));
            assert_eq!(
                objected.is_some(),
                is_of_another,
                "{row} {claim} {objected:?}"
            );
        }
    }

    #[test]
    fn what_one_row_alone_has_is_not_that_of_another() {
        const STAFF: &str = "# Who\n\n| Name | Role | Paid |\n|---|---|---|\n\
            | Ann Marsh | Chair | no |\n| Bea Lock | Secretary and safeguarding officer | no |\n\
            | Dan Rees | Treasurer | yes |\n";
        let tables = text::tables::tables(STAFF);
        for (row, claim, is_excluded) in [
            ("| Bea Lock |", "The chair is Bea Lock.", true),
            ("| Ann Marsh |", "The treasurer is Ann Marsh.", true),
            ("| Ann Marsh |", "Ann Marsh is the chair.", false),
            ("| Bea Lock |", "The chair and Bea Lock met.", false),
            (
                "| Bea Lock |",
                "Bea Lock is the safeguarding officer.",
                false,
            ),
            ("| Ann Marsh |", "Ann Marsh wrote to the treasurer.", false),
        ] {
            let start = STAFF.find(row).unwrap();
            let end = start + STAFF[start..].find('\n').unwrap();
            let excluded = exclusion(claim, &tables, STAFF, &(start..end));
            assert_eq!(excluded.is_some(), is_excluded, "{claim} {excluded:?}");
        }
    }

    #[test]
    fn row_is_the_one_and_its_cell_the_column_of_the_claim() {
        let tables = text::tables::tables(HOURS);
        for (row, claim, expected) in [
            (
                "| Saturday | 09:00-14:00 | closed |",
                "The Canal Row workshop is closed on Saturday.",
                Some("\"Canal Row workshop\" is \"09:00-14:00\" in that row"),
            ),
            (
                "| Saturday | 09:00-14:00 | closed |",
                "The station shop is closed on Saturday.",
                None,
            ),
            (
                "| Monday | closed | 07:00-19:00 |",
                "The Canal Row workshop is closed on Monday.",
                None,
            ),
            (
                "| Monday | closed | 07:00-19:00 |",
                "The Canal Row workshop is closed on Saturday.",
                Some("\"Day\" is \"Monday\" in that row, not \"Saturday\""),
            ),
            (
                "Service: Repair; Bicycle: city bike; Price: 9.",
                "A repair of an e-bike costs 9 pounds.",
                Some("\"Bicycle\" is \"city bike\" in that row, not \"e-bike\""),
            ),
            (
                "Service: Repair; Bicycle: city bike; Price: 9.",
                "A repair of a city bike costs 9 pounds, of an e-bike more.",
                None,
            ),
            ("# Hours", "Hours are long on Monday.", None),
        ] {
            let start = HOURS.find(row).unwrap();
            let objection = objection(claim, &tables, HOURS, &(start..start + row.len()));
            assert_eq!(objection.as_deref(), expected, "{claim}");
        }
    }
}

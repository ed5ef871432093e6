//! Mismatches: why a row does not say what a claim says, though it has its words.

use super::row::{Row, content, label, numbers, words};

/// Signs before a number that is not what it seems: "-5", "(1,200)", "< 30".
const SIGNS: [char; 8] = ['-', '−', '(', '<', '>', '~', '≤', '≥'];

/// The rules by which a row is of another thing than a claim, in the order in which they count.
const RULES: [fn(&Row<'_>) -> Option<String>; 5] = [
    of_another,
    of_another_column,
    number_of_another_column,
    answered_otherwise,
    exchanged,
];

/// Why a row does not say what a claim says, though it has its words: the claim names the value of
/// another row, "e-bike" where the row has "city bike", or a column of which the row has another
/// value, "The station shop is open" where only the workshop is. `None` if nothing speaks against
/// it.
pub(in crate::check) fn mismatch(row: &Row<'_>) -> Option<String> {
    if row.is_claim() {
        return None;
    }
    RULES.iter().find_map(|rule| rule(row))
}

/// `true` if a row states a claim: its cells have all numbers of it, and its cells and the names of
/// its columns all other words but those that are said of any row, "had", "in total"; nothing
/// speaks against it.
pub(in crate::check) fn states(row: &Row<'_>) -> bool {
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
    row.is_of_plain()
        && !is_signed
        && has_numbers
        && said > 1
        && mismatch(row).is_none()
        && number_beside_its_column(row).is_none()
}

/// The claim has a cell of another row in words, or a word of one, in place of that of this
/// row.
fn of_another(row: &Row<'_>) -> Option<String> {
    // Numbers of other rows are in many claims by chance.
    let is_in_words = |cell: &&String| {
        cell.contains(char::is_alphabetic) && !cell.contains(|c: char| c.is_ascii_digit())
    };
    row.table.columns.iter().enumerate().find_map(|(at, name)| {
        let own = &row.cells[at];
        if row.says(own) {
            return None;
        }
        let others = || row.table.rows.iter().map(|row| &row[at]);
        // "15 June" or "above 90" where the row begins with "1 June" or "60 to 90".
        let is_key = |cell: &&String| {
            at == 0
                && cell.contains(char::is_alphabetic)
                && cell.contains(|c: char| c.is_ascii_digit())
        };
        // What another column says of this row, the claim may have from there.
        let mut whole = others().filter(|cell| is_in_words(cell) || is_key(cell));
        let whole = whole.find(|other| row.says(other) && !row.cells.contains(*other));
        let other = whole.or_else(|| {
            let is_silent = !row.says_a_word(own);
            // The first column names the row, which a claim may do in other words.
            let is_open = is_silent && at > 0;
            others().find(|other| is_open && row.says_a_word_only_of(other))
        })?;
        Some(format!("{name:?} is {own:?} in that row, not {other:?}"))
    })
}

/// The claim names a column of numbers, but has a number of another one, which it does not
/// name: "The library is open until 18:00" where it closes at 20:00, and the reading room at
/// 18:00.
pub(super) fn number_of_another_column(row: &Row<'_>) -> Option<String> {
    row.numbers.iter().find_map(|number| {
        let has = |cell: &str| numbers(cell).contains(number);
        // "eu-west-2" names the row.
        let is_in_name =
            |cell: &&String| cell.contains(char::is_alphabetic) && has(cell) && row.says(cell);
        if row.cells.iter().any(|cell| is_in_name(&cell)) {
            return None;
        }
        let mut having = row.values().filter(|(_, cell)| has(cell)).peekable();
        having.peek()?;
        if having.any(|(name, _)| row.names_column(name)) {
            return None;
        }
        // "Electric buses" names no column of all buses.
        let has_whole = row.values().any(|(name, _)| row.says_whole(name));
        let is_named = |name: &str| {
            if has_whole {
                row.says_whole(name)
            } else {
                row.names_column(name)
            }
        };
        let named = row.values().filter(|(name, _)| is_named(name)).rev();
        let is_number = |cell: &str| !numbers(cell).is_empty() && !row.says_number_of(cell);
        let named = named.filter(|(_, cell)| is_number(cell));
        // The first of those with most words: "Plan B" rather than "Plan".
        let (name, cell) = named.max_by_key(|(name, _)| content(name).count())?;
        Some(format!("{name:?} is {cell:?} in that row"))
    })
}

/// The claim names a column whole, and has the number of another one in its place: "345
/// electric buses" where 345 is the total.
fn number_beside_its_column(row: &Row<'_>) -> Option<String> {
    let (name, cell) = row.values().find(|(name, cell)| {
        row.says_whole(name) && !numbers(cell).is_empty() && !row.says_number_of(cell)
    })?;
    let mut others = row.values();
    let is_other = others.any(|(other, cell)| row.says_number_of(cell) && !row.says_whole(other));
    is_other.then(|| format!("{name:?} is {cell:?} in that row"))
}

/// The claim gives the values of two columns to each other: "Ann is the secondary and Bea the
/// primary" where it is the other way round.
fn exchanged(row: &Row<'_>) -> Option<String> {
    let position = |text: &str| {
        let words = words(text);
        let mut windows = row.claim.windows(words.len().max(1));
        windows.position(|own| own == words)
    };
    let columns = row.values();
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
fn answered_otherwise(row: &Row<'_>) -> Option<String> {
    const NEGATIONS: [&str; 7] = ["not", "no", "never", "without", "none", "neither", "nor"];
    let is_negation = |word: &String| NEGATIONS.contains(&word.as_str()) || word.ends_with("n't");
    let is_denied = row.claim.iter().any(is_negation);
    let otherwise = if is_denied { "yes" } else { "no" };
    let mut columns = row.values();
    let (name, cell) = columns.find(|(name, cell)| {
        cell.eq_ignore_ascii_case(otherwise) && content(name).any(|word| row.claim.contains(&word))
    })?;
    Some(format!("{name:?} is {cell:?} in that row"))
}

/// The claim names a column, but has the value of another one.
fn of_another_column(row: &Row<'_>) -> Option<String> {
    let is_other = |(name, cell): (&String, &String)| row.says(cell) && !row.says(label(name));
    let has_other = row.values().any(is_other);
    let mut named = row
        .values()
        .filter(|(name, cell)| row.says(label(name)) && !cell.is_empty() && !row.says(cell));
    let (name, cell) = named.next().filter(|_| has_other)?;
    Some(format!("{name:?} is {cell:?} in that row"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::of_row;
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
        const CARE: &str = "# Care\n\n- Treatment: Nail clipping; Vet required: no; eur: 9.\n\
                            - Treatment: Scaling; Vet required: yes; eur: 90; note: new.\n";
        let of_care = |claim: &str, row: &str| of_row(mismatch, CARE, row, claim);
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
            let mismatch = of_row(mismatch, EVENTS, "Event: Quiz", claim);
            assert_eq!(mismatch.as_deref(), expected, "{claim}");
        }
    }

    #[test]
    fn row_is_the_one_and_its_cell_the_column_of_the_claim() {
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
            let mismatch = of_row(mismatch, HOURS, row, claim);
            assert_eq!(mismatch.as_deref(), expected, "{claim}");
        }
    }
}

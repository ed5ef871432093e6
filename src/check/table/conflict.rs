//! Conflicts: why a row contradicts what a claim says of it.

use super::measures::mismeasuring;
use super::mismatch::number_of_another_column;
use super::row::{Row, content, label, words};
use crate::text;

/// The rules by which a row contradicts a claim, in the order in which they count.
const RULES: [fn(&Row<'_>) -> Option<String>; 5] =
    [exclusion, misnaming, misvaluing, misplacing, mismeasuring];

/// Why a row contradicts what a claim says; `None` if nothing in it does.
pub(in crate::check) fn conflict(row: &Row<'_>) -> Option<String> {
    RULES.iter().find_map(|rule| rule(row))
}

/// Why a row of a table excludes what a claim says: the claim gives its name what one other row
/// alone has, "The chair is Bea" where the row of Ann has "Chair", and that of Bea another role.
/// The claim has to say nothing else.
fn exclusion(row: &Row<'_>) -> Option<String> {
    let name = row.cells.first().filter(|name| row.says(name))?;
    let claimed = text::folded(row.sentence);
    let says = |list: &[&str]| claimed.iter().any(|own| list.contains(&own.as_str()));
    let is_plain = says(&["is"]) && !says(&["not", "no", "never", "and", "or", "nor", "neither"]);
    let has_digit = row.sentence.contains(|c: char| c.is_ascii_digit());
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
            let says_no_more = content(row.sentence)
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
/// Bea under "Early". The claim has to say little else; if it names no column, nothing but the
/// whole name of the row, "Ann orders the paint" where the row "Order paint" has Bea.
fn misnaming(row: &Row<'_>) -> Option<String> {
    const NEGATIONS: [&str; 6] = ["not", "no", "never", "or", "nor", "neither"];
    let key = row.cells.first()?;
    // The words of a task stand in another order: "writes the form" for "Write the form".
    let is_task = content(key).count() > 1 && row.says_whole(key);
    let claimed = text::folded(row.sentence);
    if !is_task && !row.says(key) || claimed.iter().any(|own| NEGATIONS.contains(&own.as_str())) {
        return None;
    }
    let columns = || row.table.columns.iter().enumerate().skip(1);
    let named: Vec<_> = columns()
        .filter(|(_, name)| row.says(label(name)))
        .collect();
    let has_name = |at: usize| {
        let mut others = row.table.rows.iter().map(|other| &other[at]);
        others.any(|other| is_name(other) && row.says(other))
    };
    let (at, name) = match named.as_slice() {
        [column] => *column,
        [] if is_task => columns().find(|(at, _)| has_name(*at))?,
        _ => return None,
    };
    let own = row.cells.get(at).filter(|own| is_name(own))?;
    let others = row.table.rows.iter().flat_map(|other| other.iter().skip(1));
    let mut others = others.filter(|other| is_name(other) && row.says(other));
    let other = others.find(|other| *other != own)?;
    let is_used = |word: &String| {
        let parts = [key.as_str(), name, other, &row.table.columns[0]];
        parts.iter().any(|part| words(part).contains(word))
    };
    let further = content(row.sentence).filter(|word| !is_used(word)).count();
    let is_brief = further <= if named.is_empty() { 0 } else { FURTHER };
    let is_silent = content(own).all(|word| !row.claim.contains(&word));
    (is_brief && is_silent).then(|| format!("{name:?} is {own:?} in that row, not {other:?}"))
}

/// Why a row contradicts what a claim says: the claim names the row and a word of the name of a
/// column, and the value that another row has there, "The depot is heated with oil" where the row
/// of the depot has "gas" under "Heating source". The claim has to say little else.
fn misvaluing(row: &Row<'_>) -> Option<String> {
    let key = row.cells.first().filter(|_| row.is_named_alone())?;
    let is_open = |own: &String| OF_SEVERAL.contains(&own.as_str());
    if row.sentence.contains(|c: char| c.is_ascii_digit())
        || text::folded(row.sentence).iter().any(is_open)
    {
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
        let is_brief = content(row.sentence).filter(|word| !is_used(word)).count() <= FURTHER;
        (named && is_brief).then(|| format!("{name:?} is {own:?} in that row, not {other:?}"))
    })
}

/// Why a row contradicts what a claim says: the claim has all words of the name of the row, names
/// one of several columns, and gives the number of another one: "Plan B needs 30 pumps" where that
/// is the number of plan C.
fn misplacing(row: &Row<'_>) -> Option<String> {
    let open = OF_SEVERAL
        .iter()
        .filter(|own| !matches!(**own, "will" | "would"));
    let is_open = open
        .into_iter()
        .any(|own| text::folded(row.sentence).iter().any(|word| word == own));
    let is_named = row.cells.first().is_some_and(|key| row.says_whole(key));
    let is_plain = !is_open && is_named && row.numbers.len() == 1;
    number_of_another_column(row).filter(|_| is_plain)
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

#[cfg(test)]
mod tests {
    use super::super::mismatch::mismatch;
    use super::super::tests::of_row;
    use super::*;

    #[test]
    fn a_name_stands_in_the_row_and_under_the_column_of_the_claim() {
        const ROTA: &str = "# Rota\n\n| Week of | Early (07:30–15:30) | Late | On call (nights) |\n\
            |---|---|---|---|\n| 1 June | Priya Nair | Dan Hock | Helen Teg |\n\
            | 15 June | Lucy Bray | Priya Nair | Sofia Alme |\n";
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
            let misnamed = of_row(misnaming, ROTA, row, claim);
            assert_eq!(misnamed.is_some(), is_misnamed, "{claim} {misnamed:?}");
            let mismatch = of_row(mismatch, ROTA, row, claim);
            assert_eq!(
                mismatch.is_some(),
                is_of_another,
                "{row} {claim} {mismatch:?}"
            );
        }
    }

    #[test]
    fn a_task_is_that_of_the_name_in_its_row() {
        const TASKS: &str = "# Tasks\n\n| Task | Who | Until |\n|---|---|---|\n\
            | Order paint | Ann Marsh | 3 May |\n| Clean the gutter | Dan Rees | 5 May |\n";
        for (row, claim, is_misnamed) in [
            ("| Order paint |", "Dan Rees orders the paint.", true),
            ("| Order paint |", "Ann Marsh orders the paint.", false),
            ("| Order paint |", "Dan Rees carries the paint.", false),
            (
                "| Order paint |",
                "Dan Rees praised the order of paint.",
                false,
            ),
            ("| Clean the gutter |", "Dan Rees orders the paint.", false),
        ] {
            let misnamed = of_row(misnaming, TASKS, row, claim);
            assert_eq!(misnamed.is_some(), is_misnamed, "{claim} {misnamed:?}");
        }
    }

    #[test]
    fn what_one_row_alone_has_is_not_that_of_another() {
        const STAFF: &str = "# Who\n\n| Name | Role | Paid |\n|---|---|---|\n\
            | Ann Marsh | Chair | no |\n| Bea Lock | Secretary and safeguarding officer | no |\n\
            | Dan Rees | Treasurer | yes |\n";
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
            let excluded = of_row(exclusion, STAFF, row, claim);
            assert_eq!(excluded.is_some(), is_excluded, "{claim} {excluded:?}");
        }
    }
}

//! Numbers that a passage gives and then takes back: "I said that it was 23.8 million. The right
//! number is 22.8 million."

use std::ops::Range;

use super::statement::Statement;
use super::statement::figure::Figure;

/// Words for what is right, and words for a number behind them; closed lists, written by hand.
const RIGHT: &[&str] = &["actual", "correct", "right", "true"];
const NUMBER: &[&str] = &[
    "amount",
    "count",
    "figure",
    "number",
    "percentage",
    "price",
    "sum",
    "total",
    "value",
];

/// The number of sentences before a correction among which is what it corrects; chosen by hand.
const REACH: usize = 2;

/// The factor by which a right number is beside a wrong one at most, so that it is of the same
/// thing; chosen by hand.
const FACTOR: f64 = 10.0;

/// A statement whose number is taken back, and the right number.
pub(super) struct Rectification {
    /// The position of the statement.
    pub(super) of: usize,
    /// The end of the correction in the passage.
    pub(super) end: usize,
    wrong: Figure,
    right: Figure,
}

/// The corrections among the statements of a passage.
pub(super) fn rectifications(statements: &[(Range<usize>, Statement)]) -> Vec<Rectification> {
    let corrections = statements.iter().enumerate();
    let rectifications = corrections.filter_map(|(number, (range, correction))| {
        let right = right_number(correction)?;
        let before = number.saturating_sub(REACH)..number;
        before.rev().find_map(|of| {
            let wrong =
                only_size(&statements[of].1).filter(|wrong| are_of_one_thing(wrong, right))?;
            Some(Rectification {
                of,
                end: range.end,
                wrong: wrong.clone(),
                right: right.clone(),
            })
        })
    });
    rectifications.collect()
}

impl Rectification {
    /// Puts the right number in the place of the wrong one.
    pub(super) fn apply(&self, statement: &mut Statement) {
        let mut figures = statement.figures.iter_mut();
        // Of several clauses one has it.
        let Some(figure) = figures.find(|own| own.equals(&self.wrong)) else {
            return;
        };
        figure.value = self.right.value;
        figure.count = self.right.count;
        figure.digits.clone_from(&self.right.digits);
        figure.written.clone_from(&self.right.written);
        let (wrong, right) = (&self.wrong.digits, &self.right.digits);
        let words = statement.normal.split(' ');
        let words = words.map(|word| if word == wrong { right } else { word });
        statement.normal = words.collect::<Vec<&str>>().join(" ");
    }
}

/// The number of a statement that says which number is right.
fn right_number(statement: &Statement) -> Option<&Figure> {
    let words: Vec<&str> = statement.normal.split(' ').collect();
    // "The right number of lifts" is of another thing.
    let is_right =
        |own: &[&str]| RIGHT.contains(&own[0]) && NUMBER.contains(&own[1]) && own[2] != "of";
    only_size(statement).filter(|_| words.windows(3).any(is_right))
}

/// The only number of a statement that is no date.
fn only_size(statement: &Statement) -> Option<&Figure> {
    let mut sizes = statement.figures.iter().filter(|own| !own.is_date());
    sizes.next().filter(|_| sizes.next().is_none())
}

fn are_of_one_thing(wrong: &Figure, right: &Figure) -> bool {
    let have_unit = wrong.unit == right.unit || right.unit.is_empty();
    let (less, more) = (wrong.value.min(right.value), wrong.value.max(right.value));
    have_unit && less > 0.0 && more <= FACTOR * less && less < more
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn a_number_that_is_taken_back_is_not_said_and_the_right_one_is() {
        let trams = "I said that trams carried 23.8 million people. That was a typing mistake. The \
                     right number is 22.8 million.";
        let tower = "The tower has 10 floors. The correct figure is 12.";
        let other = "The tower has 10 floors. The right number of lifts is 3.";
        assert_supported(&[
            ("Trams carried 22.8 million people.", trams, true),
            ("Trams carried 23.8 million people.", trams, false),
            ("The tower has 12 floors.", tower, true),
            ("The tower has 10 floors.", tower, false),
            ("The tower has 10 floors.", other, true),
        ]);
    }
}

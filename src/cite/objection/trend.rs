//! Trends: whether an amount is more or less than before.

use super::super::coverage::Coverage;
use super::super::restatement::Difference;
use super::super::statement::Statement;
use super::super::statement::figure::Figure;
use super::super::statement::opposites;
use crate::text;

/// A change by an amount in the other direction than in each sentence that gives the amount: "8 per
/// cent more was spent" for "Spending fell by 8 per cent".
pub(super) fn turned(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let rises = rises_in(claim)?;
    let is_change = |figure: &&Figure| figure.unit == "%" || figure.is_difference;
    let mut changes = claim.figures.iter().filter(is_change);
    let is_turned = |figure: &Figure| {
        let says = |own: &&Statement| own.figures.iter().any(|other| figure.is_said_by(other));
        let mut sentences = coverage.sentences().filter(says).peekable();
        sentences.peek().is_some() && sentences.all(|own| rises_in(own) == Some(!rises))
    };
    let figure = changes.find(|figure| is_turned(figure))?;
    let [one, other] = if rises {
        ["more", "less"]
    } else {
        ["less", "more"]
    };
    let [one, other] = [one, other].map(|word| format!("{} {word}", figure.shown()));
    Some(Difference::Opposite(one, other))
}

/// A number of a claim that says of no change, where each sentence that gives the number says by
/// how much something changed: "Costs were 4,000 euros" for "Costs rose by 4,000 euros".
pub(super) fn as_level(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let is_compared = |token: &str| matches!(token, "more" | "less" | "fewer" | "than" | "by");
    if rises_in(claim).is_some() || claim.normal.split(' ').any(is_compared) {
        return None;
    }
    let mut figures = claim.figures.iter().filter(|own| !own.is_date());
    let is_change = |own: &Statement, figure: &Figure| {
        let mut others = own.figures.iter().filter(|other| figure.is_said_by(other));
        rises_in(own).is_some() && others.all(|other| other.is_difference)
    };
    let figure = figures.find(|figure| {
        let says = |own: &&Statement| own.figures.iter().any(|other| figure.is_said_by(other));
        let mut sentences = coverage.sentences().filter(says).peekable();
        sentences.peek().is_some() && sentences.all(|own| is_change(own, figure))
    })?;
    Some(Difference::Binding(figure.shown()))
}

/// Whether a sentence says that something is more than before, or less; `None` if it says neither
/// or both.
pub fn rises(sentence: &str) -> Option<bool> {
    rises_in(&Statement::parse(sentence))
}

/// Whether a statement says that something is more than before, or less; `None` if it says neither
/// or both.
fn rises_in(statement: &Statement) -> Option<bool> {
    let words = statement.words.iter();
    let sides = words.flat_map(|word| opposites::sides(&word.stem));
    let sides = sides.chain(statement.sides.keys());
    let sides = sides
        .filter(|(row, _)| *row == opposites::CHANGE)
        .map(|(_, side)| *side);
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let mut sides = sides.chain(tokens.windows(2).filter_map(goes));
    let first = sides.next()?;
    (sides.all(|side| side == first) && statement.negations == 0).then_some(first)
}

/// Forms of verbs that are a change with "up" or "down"; a closed list, written by hand.
const GOING: &[&str] = &[
    "go", "goes", "going", "gone", "went", "come", "comes", "coming", "came", "move", "moved",
];

/// The side on which two words are that say a change by a particle: `up` as the words for more.
fn goes(words: &[&str]) -> Option<bool> {
    let is_up = match words {
        [verb, "up"] if GOING.contains(verb) => true,
        [verb, "down"] if GOING.contains(verb) => false,
        _ => return None,
    };
    let mut more = opposites::sides(&text::stem("increase")).iter();
    let (_, more) = more.find(|(row, _)| *row == opposites::CHANGE)?;
    Some(*more == is_up)
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn more_by_an_amount_is_not_less_by_it() {
        let report = "In 2023 the laboratory analysed 3,420 samples, 12 percent more than in 2022. \
                      Spending on chemicals fell by 8 percent to 41,500 euros.";
        let use_of = "Electricity use went up by 1.8 percent.";
        assert_supported(&[
            ("Electricity use fell by 1.8 percent.", use_of, false),
            (
                "The laboratory spent 8 percent more on chemicals in 2023.",
                report,
                false,
            ),
            (
                "The laboratory spent 8 per cent more on chemicals in 2023 than in 2022.",
                report,
                false,
            ),
            ("Spending on chemicals fell by 8 percent.", report, true),
            (
                "The laboratory analysed 12 percent more samples in 2023.",
                report,
                true,
            ),
        ]);
    }

    #[test]
    fn by_how_much_something_changed_is_not_how_much_it_is() {
        let costs = "Costs rose by 4,000 euros.";
        assert_supported(&[
            ("Costs were 4,000 euros.", costs, false),
            ("Costs rose by 4,000 euros.", costs, true),
        ]);
    }
}

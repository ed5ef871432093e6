//! Sides: on which side of something a claim puts its subject, and its sentence puts it on the
//! other. "Below the trigger but above the limit" does not say "above the trigger".

use super::super::alignment::has_word;
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon;
use super::super::statement::{ContentWord, Statement};

/// Words between such a word and the thing.
const BETWEEN: [&str; 6] = ["of", "the", "a", "an", "its", "their"];

/// The largest number of words of the thing.
const THING: usize = 3;

/// A thing, and the side of it that a statement names.
struct Side<'a> {
    word: &'a str,
    /// The axis and the side, as [`lexicon::side`] tells them.
    axis: (usize, bool),
    thing: Vec<&'a ContentWord>,
}

impl Side<'_> {
    /// `true` if another one is of the same thing, all words of this one among its words.
    fn is_of_thing_of(&self, other: &Self) -> bool {
        let is_in = |word: &&ContentWord| other.thing.iter().any(|own| own.stem == word.stem);
        self.axis.0 == other.axis.0 && self.thing.iter().all(is_in)
    }
}

/// The objection to a claim by sentences that put something on the other side of a thing, and by
/// none that puts it on the claim's.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    if claim.is_question || claim.negations > 0 {
        return None;
    }
    let own: Vec<Side<'_>> = coverage
        .chosen()
        .iter()
        .map(|at| coverage.sentence(*at))
        .filter(|own| own.negations == 0 && !own.is_question)
        .flat_map(sides)
        .collect();
    sides(claim).into_iter().find_map(|side| {
        let mut of_thing = own.iter().filter(|own| side.is_of_thing_of(own));
        let other = of_thing.next()?;
        let is_other = |own: &Side<'_>| own.axis.1 != side.axis.1;
        let is_turned = is_other(other) && of_thing.all(is_other);
        let difference = Difference::Opposite(side.word.to_owned(), other.word.to_owned());
        is_turned.then(|| {
            if is_rest_said(coverage, claim, &side) {
                Objection::contradiction(difference)
            } else {
                Objection::doubt(difference)
            }
        })
    })
}

/// `true` if the sentences say all of a claim but its side.
fn is_rest_said(coverage: &Coverage<'_>, claim: &Statement, side: &Side<'_>) -> bool {
    let mut rest = claim.words.iter().filter(|word| word.folded != side.word);
    let is_said = |word: &ContentWord| {
        let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
        chosen.any(|own| has_word(&own.words, word))
    };
    rest.all(|word| word.is_light() || is_said(word))
}

/// The sides that a statement names.
fn sides(statement: &Statement) -> Vec<Side<'_>> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let named = tokens.iter().enumerate().filter_map(|(at, word)| {
        let axis = lexicon::side(word)?;
        let behind = tokens.iter().skip(at + 1);
        let first = at + 1 + behind.take_while(|token| BETWEEN.contains(token)).count();
        let thing: Vec<&ContentWord> = (first..first + THING)
            .map_while(|position| {
                let mut words = statement.words.iter();
                let word = words.find(|word| word.position == position)?;
                (position == first || !word.follows_mark).then_some(word)
            })
            .collect();
        (!thing.is_empty()).then_some(Side { word, axis, thing })
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn what_is_on_the_other_side_of_a_thing_is_not_supported() {
        let stock = "The stock is at 148,200 t. This is below MSY Btrigger (165,000 t) but above \
                     Blim (110,000 t).";
        for (claim, passage) in [
            ("The stock is above MSY Btrigger.", stock),
            ("The stock is below Blim.", stock),
            ("SSB is above the trigger.", "SSB is below the trigger."),
            (
                "The kiosk is inside the gate.",
                "The kiosk is outside the gate, near the tram stop.",
            ),
        ] {
            let verdict = support(claim, passage).verdict;
            assert_eq!(verdict, Verdict::Contradicted, "{claim}");
        }
        for (claim, passage) in [
            ("The stock is below MSY Btrigger.", stock),
            ("The stock is above Blim.", stock),
            (
                "The house is outside the village.",
                "The house is inside the zone but outside the village.",
            ),
            (
                "The lake lies above the mill.",
                "The lake lies below the village but above the mill.",
            ),
            (
                "The flat is above the bakery.",
                "The flat is above the bakery, and the cellar is below the bakery.",
            ),
        ] {
            let verdict = support(claim, passage).verdict;
            assert_ne!(verdict, Verdict::Contradicted, "{claim}");
        }
    }
}

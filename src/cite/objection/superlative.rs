//! Superlatives and qualities: a claim that says "best", "cheapest" or "heavy" where nothing does.

use super::super::alignment::{Alignment, has_word};
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon::BE;
use super::super::statement::opposites::{are_qualities, is_quality};
use super::super::statement::{ContentWord, Statement};
use crate::text::is_superlative;

/// The doubt in a claim with a superlative that its sentence does not have, nor any other one, if
/// none of the sentences that say the claim has any; or with a quality that none of them has: what
/// is said of cheese need not be so of hard cheese.
pub(super) fn objection(coverage: &Coverage<'_>, there: &Alignment<'_>) -> Option<Objection> {
    let is_told = |word: &&&ContentWord| is_superlative(&word.folded) || is_quality(&word.folded);
    let missing: Vec<&ContentWord> = there.missing().collect();
    let word = missing.iter().find(is_told)?;
    let chosen = coverage.chosen().iter();
    let mut sentences = chosen.map(|at| coverage.sentence(*at)).chain([there.other]);
    let has_one = sentences.any(|own| {
        is_superlative(&word.folded) && own.normal.split(' ').any(is_superlative)
            || is_extreme(there.one, word, own)
            || has_word(&own.words, word)
    });
    (!has_one).then(|| Objection::doubt(Difference::Addition(word.folded.clone())))
}

/// `true` if a sentence has an adjective that says as much as a superlative of a claim: "optimal",
/// or "leading" where the claim says "one of the largest".
pub(super) fn is_extreme(claim: &Statement, word: &ContentWord, own: &Statement) -> bool {
    let is_one_of_several = claim.normal.contains(" one of the ");
    let is_other =
        |token: &str| EXTREMES.contains(&token) || is_one_of_several && LEADING.contains(&token);
    is_superlative(&word.folded) && own.normal.split(' ').any(is_other)
}

/// Adjectives that are superlatives by themselves; a closed list, written by hand.
const EXTREMES: &[&str] = &[
    "maximal", "maximum", "minimal", "minimum", "optimal", "optimum",
];

/// Adjectives for one of the first of its kind: "one of the largest mills" is "a leading mill".
const LEADING: &[&str] = &["foremost", "leading", "main", "major", "top"];

/// The number of words between a form of "be" and a quality: "were 0.3 mm too thin".
const BEFORE_QUALITY: usize = 4;

/// `true` if a claim says a thing to be what its sentence says it not to be: "is lighter than air",
/// "is heavier than air".
pub(super) fn are_opposed(
    (claim, word): (&Statement, &ContentWord),
    (own, other): (&Statement, &ContentWord),
) -> bool {
    are_qualities(&word.folded, &other.folded)
        && is_said_to_be(claim, word)
        && is_said_to_be(own, other)
}

/// `true` for a quality behind a form of "be", and before no noun.
fn is_said_to_be(statement: &Statement, word: &ContentWord) -> bool {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let at = word.position.min(tokens.len());
    let before = &tokens[at.saturating_sub(BEFORE_QUALITY)..at];
    let be = before.iter().rposition(|token| BE.contains(token));
    let is_article = |token: &&str| matches!(*token, "a" | "an" | "the");
    let follows = be.is_some_and(|be| !before[be..].iter().any(is_article));
    let behind = statement.words.iter().find(|own| own.position == at + 1);
    follows && behind.is_none_or(|own| own.follows_mark)
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn adjectives_for_the_first_of_a_kind_are_superlatives() {
        let mill = "Holm is a leading paper mill in Norway.";
        let route = "The method finds an optimal route through a set of towns.";
        let claim = "The method finds the best route through a set of towns.";
        assert_supported(&[
            (
                "Holm is one of the largest paper mills in Norway.",
                mill,
                true,
            ),
            ("Holm is the largest paper mill in Norway.", mill, false),
            (claim, route, true),
            (claim, &route.replace("an optimal", "a"), false),
        ]);
    }
}

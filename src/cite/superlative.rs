//! Superlatives: a claim that says "best" or "cheapest" where nothing does. The lists are English
//! and were written by hand.

use super::alignment::Alignment;
use super::coverage::Coverage;
use super::restatement::{Difference, Objection};

/// Superlatives without an ending of their own; "first" and "last" are as often a place in a row.
const SUPERLATIVES: [&str; 4] = ["best", "worst", "most", "least"];

/// Words that end like a superlative.
const LIKE_SUPERLATIVES: &str = "arrest contest crest digest east forest guest harvest honest \
                                 infest interest invest latest manifest modest nearest protest \
                                 request rest suggest test vest west";

/// `true` if a folded word is a superlative: "best", "cheapest".
fn is_superlative(folded: &str) -> bool {
    SUPERLATIVES.contains(&folded)
        || folded.len() > 5
            && folded.ends_with("est")
            && !LIKE_SUPERLATIVES.split(' ').any(|own| own == folded)
}

/// The doubt in a claim with a superlative that its sentence does not have, nor any other one, if
/// none of the sentences that say the claim has any.
pub(super) fn objection(coverage: &Coverage<'_>, there: &Alignment<'_>) -> Option<Objection> {
    let word = there.missing().find(|word| is_superlative(&word.folded))?;
    let chosen = coverage.chosen().iter();
    let mut sentences = chosen.map(|at| coverage.sentence(*at)).chain([there.other]);
    let has_one = sentences.any(|own| own.normal.split(' ').any(is_superlative));
    (!has_one).then(|| Objection::doubt(Difference::Addition(word.folded.clone())))
}

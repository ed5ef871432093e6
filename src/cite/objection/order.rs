//! Order: what is done first, and what only then. "Pull the grey plug first, then the black one"
//! has all words of "The black plug is pulled first".

use super::super::alignment::Alignment;
use super::super::restatement::{Difference, Objection};
use super::super::statement::Statement;
use super::super::statement::lexicon::BE;

/// Words with which a sentence goes on to what comes later; a closed list, written by hand.
const LATER: &[&str] = &["then", "afterwards", "followed", "finally", "subsequently"];

/// The objection to a claim that something comes first, which its sentence says of something else,
/// and of the claim's only what comes later.
pub(super) fn objection(there: &Alignment<'_>) -> Option<Objection> {
    let tokens: Vec<&str> = there.other.normal.split(' ').collect();
    if !puts_first(there.one) {
        return None;
    }
    let later = tokens.iter().position(|token| LATER.contains(token))?;
    let is_told = later == 0 || tokens[..later].contains(&"first");
    let is_later = |other: usize| there.other.words[other].position > later;
    let stems = |wanted: bool| {
        let words = there.other.words.iter();
        words.filter(move |word| (word.position > later) == wanted)
    };
    // A word of the claim that stands on both sides tells nothing.
    let is_only_later = |(one, other): (usize, usize)| {
        let is_before = |stem: &str| stems(false).any(|own| own.stem == stem);
        is_later(other) && !is_before(&there.one.words[one].stem)
    };
    let mut pairs = there
        .pairs()
        .filter(|(one, _)| there.one.words[*one].folded != "first");
    let is_turned = is_told && pairs.any(is_only_later);
    is_turned.then(|| Objection::contradiction(Difference::Order))
}

/// `true` if a claim says of a thing that it comes first, and of no other what comes later: "The
/// plug is pulled first", and not "the first plug".
fn puts_first(claim: &Statement) -> bool {
    let tokens: Vec<&str> = claim.normal.split(' ').collect();
    let is_alone = |at: usize| {
        let before = at.checked_sub(1).map(|before| tokens[before]);
        let is_last = at + 1 == tokens.len();
        let is_adverb = before.is_some_and(|before| BE.contains(&before));
        at == 0 || is_last && before.is_none_or(|before| before != "the") || is_adverb
    };
    let mut places = (0..tokens.len()).filter(|at| tokens[*at] == "first");
    places.any(is_alone) && !tokens.iter().any(|token| LATER.contains(token))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_is_done_then_is_not_done_first() {
        let plugs = "Pull the grey plug first, then the black one.";
        let sugar = "First add the sugar, then the salt.";
        let speech = "Bea spoke first, followed by Ann.";
        assert_supported(&[
            ("The grey plug is pulled first.", plugs, true),
            ("The black plug is pulled first.", plugs, false),
            (
                "The grey plug is pulled first, then the black one.",
                plugs,
                true,
            ),
            ("The grey plug must be pulled first.", plugs, true),
            (
                "The grey plug must be pulled first.",
                "The grey plug was pulled first, then the black one.",
                false,
            ),
            ("The sugar is added first.", sugar, true),
            ("The salt is added first.", sugar, false),
            ("Bea spoke first.", speech, true),
            ("Ann spoke first.", speech, false),
            (
                "The pool is filled first.",
                "The filter is cleaned first. Then the pool is filled.",
                false,
            ),
        ]);
    }
}

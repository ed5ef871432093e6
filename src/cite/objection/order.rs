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

/// Words that put one clause before or after another one, or give it as its reason.
const JOINS: &[&str] = &["after", "because", "before", "until"];

/// A claim whose main clause is the subordinate one of its sentence, and the other way round: "It
/// was weighed before it was frozen" for "It was frozen before it was weighed".
pub(super) fn exchanged(there: &Alignment<'_>) -> Option<Objection> {
    let is_exchanged = JOINS.iter().any(|join| are_exchanged(there, join, join));
    is_exchanged.then(|| Objection::contradiction(Difference::Order))
}

/// `true` if what is on one side of a word in a claim is on the other side of another one in its
/// sentence, for both sides. The subject of both may be the same.
pub(super) fn are_exchanged(there: &Alignment<'_>, join: &str, other_join: &str) -> bool {
    let (Some(claimed), Some(own)) = (
        subordinate(there.one, join),
        subordinate(there.other, other_join),
    ) else {
        return false;
    };
    let pairs = there.pairs().filter(|pair| *pair != (0, 0));
    let sides: Vec<(bool, bool)> = pairs
        .map(|(one, other)| (claimed.contains(&one), own.contains(&other)))
        .collect();
    let are_turned = sides.iter().all(|(one, other)| one != other);
    are_turned && sides.contains(&(true, false)) && sides.contains(&(false, true))
}

/// The indices of the words of the clause behind the only occurrence of a word that joins two:
/// until the next mark, if the sentence begins with it.
fn subordinate(statement: &Statement, join: &str) -> Option<std::ops::Range<usize>> {
    let mut tokens = statement.normal.split(' ');
    let at = tokens.position(|token| token == join)?;
    let words = &statement.words;
    if tokens.any(|token| token == join) {
        return None;
    }
    if at > 0 {
        return Some(words.partition_point(|word| word.position < at)..words.len());
    }
    let end = words.iter().skip(1).position(|word| word.follows_mark)? + 1;
    Some(0..end)
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

    #[test]
    fn what_comes_before_something_does_not_come_after_it() {
        let samples = "The samples were frozen before they were weighed.";
        let tram = "Weil der Strom ausfiel, blieb die Bahn stehen.";
        assert_supported(&[
            (
                "The samples were weighed before they were frozen.",
                samples,
                false,
            ),
            (
                "The samples were weighed after they had been frozen.",
                samples,
                true,
            ),
            (
                "Der Strom fiel aus, weil die Bahn stehen blieb.",
                tram,
                false,
            ),
            ("Die Bahn blieb stehen, weil der Strom ausfiel.", tram, true),
        ]);
    }
}

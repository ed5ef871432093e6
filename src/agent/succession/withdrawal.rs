//! Withdrawals: sentences that say that something is no longer so, of themselves or of a thing that
//! is abolished.

use std::sync::LazyLock;

use super::phrases::{meets_all, share_most};
use crate::answering::Question;
use crate::text::{self, LazyPhrases, Phrases, Quantity};

/// Words with which a sentence says that what it states is no longer so; a closed list, written by
/// hand.
static WITHDRAWALS: LazyPhrases = LazyLock::new(|| {
    Phrases::new(
        "superseded, this is obsolete, this is outdated, is now obsolete, is now outdated, \
         no longer valid, no longer in force, no longer applies, former rule, old rule",
    )
});

/// `true` if a sentence says of itself that it is no longer so, and the other one states the same
/// kind of fact and does not.
pub(super) fn is_withdrawn(question: &Question, later: &str, earlier: &str) -> bool {
    WITHDRAWALS.are_in(earlier)
        && !WITHDRAWALS.are_in(later)
        && meets_all(question, earlier, &question.met(later))
        && question.is_answered_by_type(later)
}

/// `true` if a sentence of a text gives the numbers that another text gives of the same thing, and
/// the next one says that this is wrong: "I said 31%. That is wrong."
pub(super) fn retracts(later: &str, earlier: &str) -> bool {
    if !text::may_retract(later) {
        return false;
    }
    let stated = text::quantities(earlier);
    let is_same = |own: &Quantity| {
        let mut stated = stated.iter();
        stated.any(|other| own.value == other.value && own.unit == other.unit)
    };
    let is_stated = |sentence: &str| {
        let own = text::quantities(sentence);
        let is_measured = |own: &&Quantity| !own.unit.is_empty() && own.unit != "year";
        let mut measured = own.iter().filter(is_measured).peekable();
        share_most(sentence, earlier) && measured.peek().is_some() && measured.all(is_same)
    };
    let sentences = text::sentences(later, 0..later.len());
    let mut pairs = sentences.windows(2);
    pairs.any(|pair| {
        text::retracts_previous(&later[pair[1].clone()]) && is_stated(&later[pair[0].clone()])
    })
}

/// Words with which a request is refused, and with which one is granted; closed lists, written by
/// hand.
static REFUSALS: LazyPhrases = LazyLock::new(|| {
    Phrases::new("refused, rejected, declined, denied, turned down, not approved")
});
static GRANTS: LazyPhrases = LazyLock::new(|| {
    Phrases::new("accepted, added, admitted, agreed, approved, granted, permitted")
});

/// `true` if a sentence says that something is granted, and the other one that it was refused, and
/// both are on what is asked about: "Decision: plasters are added to the list".
pub(super) fn grants(question: &Question, later: &str, earlier: &str) -> bool {
    let is_granted = REFUSALS.are_in(earlier) && GRANTS.are_in(later) && !REFUSALS.are_in(later);
    is_granted && {
        let met = question.met(earlier);
        met.len() > 1 && meets_all(question, later, &met)
    }
}

/// `true` if a sentence says that there is no longer what is asked about, and the other one is on
/// that: "The evening ticket is abolished" ends its price.
pub(super) fn abolishes(question: &Question, later: &str, earlier: &str) -> bool {
    text::abolished(later).is_some_and(|thing| {
        let stated = question.named_in(earlier);
        thing.iter().all(|word| {
            let terms = question.named_in(word);
            !terms.is_empty() && terms.iter().all(|term| stated.contains(term))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_retracted_by_the_sentence_behind_it() {
        let later = "I said that 25 000 tonnes mean a probability of 31% of a fall. That is wrong.";
        let earlier = "Dr Eide stated that 25 000 tonnes mean a probability of 31% of a fall.";
        assert!(retracts(later, earlier));
        assert!(!retracts(later, &earlier.replace("31%", "38%")));
        let other = "28 000 tonnes would mean a probability of 46% of a fall, Dr Eide stated.";
        assert!(!retracts(later, other));
        assert!(!retracts(earlier, later));
    }
}

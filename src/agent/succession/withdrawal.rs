//! Withdrawals: sentences that say that something is no longer so, of themselves or of a thing that
//! is abolished.

use super::phrases::{has_one_of, meets_all};
use crate::answering::Question;
use crate::text;

/// Words with which a sentence says that what it states is no longer so; a closed list, written by
/// hand.
const WITHDRAWALS: &str = "superseded, this is obsolete, this is outdated, is now obsolete, \
    is now outdated, no longer valid, no longer in force, no longer applies, former rule, old rule";

/// `true` if a sentence says of itself that it is no longer so, and the other one states the same
/// kind of fact and does not.
pub(super) fn is_withdrawn(question: &Question, later: &str, earlier: &str) -> bool {
    has_one_of(earlier, WITHDRAWALS)
        && !has_one_of(later, WITHDRAWALS)
        && meets_all(question, earlier, &question.met(later))
        && question.is_answered_by_type(later)
}

/// Words with which a request is refused, and with which one is granted; closed lists, written by
/// hand.
const REFUSALS: &str = "refused, rejected, declined, denied, turned down, not approved";
const GRANTS: &str = "accepted, added, admitted, agreed, approved, granted, permitted";

/// `true` if a sentence says that something is granted, and the other one that it was refused, and
/// both are on what is asked about: "Decision: plasters are added to the list".
pub(super) fn grants(question: &Question, later: &str, earlier: &str) -> bool {
    let met = question.met(earlier);
    has_one_of(earlier, REFUSALS)
        && has_one_of(later, GRANTS)
        && !has_one_of(later, REFUSALS)
        && met.len() > 1
        && meets_all(question, later, &met)
}

/// `true` if a sentence says that there is no longer what is asked about, and the other one is on
/// that: "The evening ticket is abolished" ends its price.
pub(super) fn abolishes(question: &Question, later: &str, earlier: &str) -> bool {
    let stated = question.named_in(earlier);
    let is_same = |word: &String| {
        let terms = question.named_in(word);
        !terms.is_empty() && terms.iter().all(|term| stated.contains(term))
    };
    text::abolished(later).is_some_and(|thing| thing.iter().all(is_same))
}

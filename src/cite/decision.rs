//! Decisions: a claim says of something as if it were so what its sentence only puts forward, or
//! what its record says was turned down.

use super::alignment::Alignment;
use super::restatement::{Difference, Objection};
use super::statement::Statement;

/// The objection to a claim of something that was not decided.
pub(super) fn objection(there: &Alignment<'_>) -> Option<Objection> {
    undecided(there).or_else(|| turned_down(there))
}

/// The words of a claim that say that something was decided, and those of a sentence that it was
/// only put forward.
const DECISIONS: &[&str] = &[
    "decided", "resolved", "approved", "agreed", "adopted", "passed", "accepted",
];
const MOTIONS: &[&str] = &[
    "proposed",
    "suggested",
    "moved",
    "recommended",
    "requested",
    "asked",
    "considered",
    "discussed",
    "postponed",
    "rejected",
];

/// "The board decided to raise the price" for "Ann moved to raise the price".
fn undecided(there: &Alignment<'_>) -> Option<Objection> {
    let word = |statement: &Statement, words: &[&str]| {
        let mut tokens = statement.normal.split(' ');
        tokens
            .find(|token| words.contains(token))
            .map(str::to_owned)
    };
    let decision = word(there.one, DECISIONS)?;
    let motion = word(there.other, MOTIONS).filter(|_| word(there.other, DECISIONS).is_none())?;
    Some(Objection::doubt(Difference::Opposite(decision, motion)))
}

/// What a record may say of a matter that did not come about, as the value of a field.
const TURNED_DOWN: &[&str] = &[
    "rejected",
    "declined",
    "deferred",
    "postponed",
    "withdrawn",
    "cancelled",
    "canceled",
    "denied",
];

/// What a claim says of something as if it were so, where its record says that it was turned down:
/// "The meeting will be moved" for "Move the meeting; Decision: rejected".
fn turned_down(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let word = own
        .normal
        .split(' ')
        .find(|word| TURNED_DOWN.contains(word))?;
    let asserts = |word: &str| {
        matches!(
            word,
            "will" | "is" | "are" | "was" | "were" | "has" | "have"
        )
    };
    // Any other word for "rejected" is another verdict too.
    let is_plain = !claim
        .normal
        .split(' ')
        .any(|word| TURNED_DOWN.contains(&word))
        && claim.negations == 0
        && claim.normal.split(' ').any(asserts);
    let is_about_it = there.pairs().all(|(_, at)| own.words[at].folded != *word);
    (own.is_record && is_plain && is_about_it)
        .then(|| Objection::doubt(Difference::Opposite("is".to_owned(), word.to_owned())))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_was_moved_or_turned_down_is_not_decided() {
        let motion = "Karl Finke moved to raise adult admission from 9 to 10 euros.";
        let row = "Item: D5; Proposal: Move the stand-up to 10:00; Decision: rejected.";
        assert_supported(&[
            (
                "The board decided to raise adult admission to 10 euros.",
                motion,
                false,
            ),
            (
                "Karl Finke moved to raise adult admission to 10 euros.",
                motion,
                true,
            ),
            ("The stand-up will be moved to 10:00.", row, false),
        ]);
    }
}

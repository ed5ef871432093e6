//! Sentences that take something back: "That is wrong", "We gave the wrong winner: it was Ann".

use std::sync::LazyLock;

use super::misstatement::misstated;
use crate::text::keywords::{Keywords, LazyKeywords};
use crate::text::words::{first_phrase, fold, folded, words};

/// Words with which a sentence says that something said before was wrong; a closed list, written by
/// hand.
const ERRORS: &str = "the wrong, wrongly, in error, by mistake, misprint, erratum";

/// `true` if a sentence says that something said before was wrong, and then what is right: "We gave
/// the wrong winner: it was Ann."
pub fn admits_error(sentence: &str) -> bool {
    if !sentence.contains(": ") {
        return false;
    }
    let folded = folded(sentence);
    let folded = format!(" {} ", folded.join(" "));
    let mut errors = ERRORS.split(", ");
    errors.any(|error| folded.contains(&format!(" {error} ")))
}

static CORRECT_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(["correct"]));

/// `true` if a sentence says what is right, and what is not: "The correct fee is 12 euros, not 10."
pub fn rectifies(sentence: &str) -> bool {
    if !CORRECT_KEYWORDS.are_in(sentence) {
        return misstated(sentence).is_some();
    }
    let folded = folded(sentence);
    let has = |own: &str| folded.iter().any(|word| word == own);
    (has("correct") || has("corrected")) && has("not") || misstated(sentence).is_some()
}

/// Words with which the sentence before is said to be wrong; a closed list, written by hand.
const WRONG: &str = "error, false, inaccurate, incorrect, mistake, mistaken, overestimate, \
    underestimate, untrue, wrong";

static WRONG_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(WRONG.split(", ")));

/// The maximum number of words of such a sentence. Chosen by hand.
const RETRACTION_WORDS: usize = 6;

/// `false` for a text none of whose sentences [`retracts_previous`].
pub fn may_retract(text: &str) -> bool {
    WRONG_KEYWORDS.are_in(text)
}

/// `true` if a sentence says that the one before it is wrong: "That is wrong."
pub fn retracts_previous(sentence: &str) -> bool {
    if !may_retract(sentence) {
        return false;
    }
    let folded = folded(sentence);
    let begins = matches!(
        folded.first().map(String::as_str),
        Some("that" | "this" | "it" | "these" | "those" | "they")
    );
    let is_copula = |word: &String| matches!(word.as_str(), "is" | "was" | "are" | "were");
    begins
        && folded.len() <= RETRACTION_WORDS
        && folded.get(1).is_some_and(is_copula)
        && !folded.iter().any(|word| word == "not")
        && folded
            .iter()
            .any(|word| WRONG.split(", ").any(|own| own == word))
}

/// Participles of a day or a plan that stays; a closed list, written by hand.
const KEPT: &str = "held, kept, maintained, met, reached";

static KEPT_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(KEPT.split(", ")));

/// `true` if a sentence says that something cannot stay as planned: "10 May cannot be held".
pub fn gives_up_plan(sentence: &str) -> bool {
    if !KEPT_KEYWORDS.are_in(sentence) {
        return false;
    }
    let folded = folded(sentence);
    let is_negated = |at: usize| {
        let before = &folded[at.saturating_sub(2)..at];
        before
            .iter()
            .any(|word| matches!(word.as_str(), "cannot" | "not" | "can't" | "won't"))
    };
    let pairs = folded.windows(2).enumerate();
    let is_kept = |pair: &[String]| {
        pair[0] == "be" && KEPT.split(", ").any(|participle| participle == pair[1])
    };
    let mut plans = pairs.filter(|(_, pair)| is_kept(pair));
    plans.any(|(at, _)| is_negated(at))
}

/// Phrases of what will be another value; a closed list, written by hand, in English and German.
const REVISIONS: &str = "under review, under revision, being reviewed, being revised, \
    will be reviewed, will be revised, will be updated, wird uberpruft, wird aktualisiert";

/// `true` if a sentence says that what it names is under review: "The forecast will be updated."
pub fn announces_revision(sentence: &str) -> bool {
    // Looked for in all sentences of many documents.
    let may_be = ["review", "revis", "updated", "überprüft", "aktualisiert"];
    may_be.iter().any(|part| sentence.contains(part))
        && first_phrase(&folded(sentence), REVISIONS).is_some()
}

/// Words with which a note begins that was added later; a closed list, written by hand.
const LATER: &str = "edit, edited, update, updated, correction, corrected, addendum";

/// `true` for a note on the sentence before it that was added later: "(Edit, May: it slipped.)"
pub fn is_later_note(sentence: &str) -> bool {
    let first = words(sentence).next();
    let is_later = first.is_some_and(|word| {
        let is_capital = word.text.starts_with(char::is_uppercase);
        is_capital && LATER.split(", ").any(|own| own == fold(word.text))
    });
    is_later && sentence.contains(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_retracts_the_one_before_it() {
        assert!(retracts_previous("That is wrong."));
        assert!(retracts_previous("This was an underestimate."));
        assert!(!retracts_previous("That is not wrong."));
        assert!(!retracts_previous(
            "It was wrong to sell the mill in the year of the flood."
        ));
    }

    #[test]
    fn what_will_be_another_value_is_under_review() {
        assert!(announces_revision(
            "The forecast of 400 trams is under review."
        ));
        assert!(!announces_revision("The reviewers read 400 papers."));
    }

    #[test]
    fn a_day_that_cannot_be_held_is_given_up() {
        assert!(gives_up_plan("Olu says 2024-12-15 cannot be held."));
        assert!(!gives_up_plan(
            "The meeting cannot be moved, and will be held."
        ));
    }

    #[test]
    fn an_error_is_admitted_before_what_is_right() {
        assert!(admits_error("We gave the wrong winner: it was Ann."));
        assert!(!admits_error("The wrong key was used."));
        assert!(!admits_error("The winner was: Ann."));
    }
}

//! Repetition: a sentence supports itself, whatever it refers to.

use super::coverage::Sentence;
use super::objection::belief::ends_with_belief;
use super::objection::pairing::is_exchanged;
use super::restatement::Statements;
use super::statement::Statement;
use super::statement::final_denial::ends_with_denial;
use super::statement::lexicon::{self, Qualifier};

/// The number of words from a negation to what it says of a clause: "it is not the case that".
const TO_TRUTH: usize = 3;

/// `true` if what comes behind these words is denied: "do not", "neither the mayor nor", "it is not
/// true, as was said, that".
fn is_denied_behind(before: &str) -> bool {
    let words: Vec<&str> = before.split_whitespace().collect();
    let Some((last, words)) = words.split_last() else {
        return false;
    };
    let is_negation =
        |word: &str| matches!(word, "not" | "never" | "cannot" | "nicht") || word.ends_with("n't");
    let denies_truth = |at: usize| {
        let mut near = words[at + 1..].iter().take(TO_TRUTH);
        is_negation(words[at]) && near.any(|word| matches!(*word, "case" | "true" | "correct"))
    };
    let near = || words.iter().rev().take(2).any(|word| is_negation(word));
    is_negation(last)
        || matches!(*last, "neither" | "nor" | "weder" | "noch")
        || *last == "that" && (near() || (0..words.len()).any(denies_truth))
}

/// `true` if the first noun behind these words belongs to them: "half of" before "the windows are
/// new". A closed list, written by hand.
fn is_phrase_begun(before: &str) -> bool {
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default();
    matches!(
        last,
        "of" | "in" | "at" | "on" | "for" | "from" | "with" | "without" | "under" | "except"
    )
}

/// `true` if each sentence of a claim stands word for word in the evidence: as a sentence of it, as
/// several, or as a part of one that neither begins with "if", "whether", a belief or a denial nor
/// goes on with one or ends with a denial.
pub(super) fn is_repeated(claim: &Statements, sentences: &[Sentence<'_>]) -> bool {
    // "I said that it is 31" is so, though it was wrong.
    let mut words = claim.iter().flat_map(|own| own.normal.split(' '));
    let is_of_saying = words.any(lexicon::is_giving);
    let statements = || {
        let statements = sentences.iter().map(|own| own.statement);
        statements.filter(move |own| is_of_saying || !own.is_retracted)
    };
    let words = statements().map(|own| own.with_pronoun.as_ref().unwrap_or(&own.normal).as_str());
    let words: Vec<&str> = words.collect();
    let read: Vec<&str> = statements().map(|own| own.normal.as_str()).collect();
    let words = [words, read].map(|own| format!(" {} ", own.join(" ")));
    // "Whether the office moves was not decided" has the words of "the office moves".
    let is_open = |own: &Statement| {
        let mut wholes = sentences.iter().map(|one| one.statement);
        wholes.any(|statement| {
            let whole = format!(" {} ", statement.normal);
            let around = whole.split_once(&format!(" {} ", own.normal));
            let is_condition = |word: &str| lexicon::qualifier(word) == Some(Qualifier::Hypothesis);
            // "It may be used if" is more than "It may be used".
            around.is_some_and(|(before, after)| {
                let next = after.split(' ').next().unwrap_or_default();
                is_exchanged(own, statement)
                    || before.split(' ').any(is_condition)
                    || is_denied_behind(before)
                    || is_phrase_begun(before)
                    || ends_with_belief(before)
                    || is_condition(next)
                    || next == "provided"
                    || ends_with_denial(after)
            })
        })
    };
    let is_repeated = |own: &Statement| {
        let is_there = !own.normal.is_empty()
            && words
                .iter()
                .any(|all| all.contains(&format!(" {} ", own.normal)));
        is_there && !is_open(own)
    };
    !claim.statements.is_empty() && claim.iter().all(is_repeated)
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn the_end_of_a_sentence_is_not_repeated_if_its_beginning_denies_or_restricts_it() {
        assert_supported(&[
            (
                "The treasurer signed the contract.",
                "Neither the mayor nor the treasurer signed the contract.",
                false,
            ),
            (
                "The treasurer signed the contract.",
                "The mayor was away, and the treasurer signed the contract.",
                true,
            ),
            (
                "The windows have been replaced.",
                "Half of the windows have been replaced.",
                false,
            ),
        ]);
    }
}

//! Sentences that only put something forward: what is proposed is not so by that.

use std::sync::LazyLock;

use super::correction::ends_decision;
use super::keywords::{Keywords, LazyKeywords};
use super::numbers::MONTHS;
use super::words::{fold, folded, words};

/// Words of what somebody puts forward or asks for; a closed list, written by hand.
const PROPOSING: &[&str] = &[
    "ask",
    "asked",
    "asks",
    "motion",
    "propose",
    "proposed",
    "proposes",
    "recommend",
    "recommended",
    "recommends",
    "request",
    "requested",
    "requests",
    "suggest",
    "suggested",
    "suggests",
];

/// Words of what came of it; a closed list, written by hand.
const SETTLED: &[&str] = &[
    "accepted", "adopted", "agreed", "approved", "carried", "decided", "granted", "passed",
    "resolved",
];

/// The keywords of a decision.
static SETTLED_KEYWORDS: LazyKeywords =
    LazyLock::new(|| Keywords::new(SETTLED.iter().copied().chain(["changed", "decision"])));

/// `true` for a folded word with which something is put forward or asked for: "proposed", "motion".
pub fn is_proposing(word: &str) -> bool {
    PROPOSING.contains(&word)
}

/// The number of words from "moved" to the motion: "moved, Councillor Ann Lee seconded, that".
const TO_MOTION: usize = 8;

/// `true` if a motion begins at a position of folded words: "moved, Ann Lee seconded, that".
pub fn moves<W: AsRef<str>>(words: &[W], at: usize) -> bool {
    let mut behind = words.iter().skip(at + 1).take(TO_MOTION);
    matches!(words[at].as_ref(), "moved" | "moves" | "seconded")
        && behind.any(|word| word.as_ref() == "that")
}

/// `true` if a sentence puts something forward, or asks for it, and does not say that it was
/// accepted: "Ann proposed to raise the fee to 38 euros".
pub fn is_proposal(sentence: &str) -> bool {
    let words = folded(sentence);
    (0..words.len()).any(|at| is_proposing(&words[at]) || moves(&words, at))
        && !words.iter().any(|word| SETTLED.contains(&word.as_str()))
}

/// Nouns for what is put forward; a closed list, written by hand.
const PUT_FORWARD: &[&str] = &["draft", "motion", "proposal"];

/// `true` if a sentence puts something forward, or tells of what was: "Ann presented the draft".
pub fn puts_forward(sentence: &str) -> bool {
    let mut words = words(sentence).map(|word| fold(word.text));
    is_proposal(sentence) || words.any(|word| PUT_FORWARD.contains(&word.as_str()))
}

/// `true` if a sentence says what was decided, or that something was not: "No decision was taken".
pub fn is_decision(sentence: &str) -> bool {
    words(sentence).any(|word| {
        let word = fold(word.text);
        SETTLED.contains(&word.as_str()) || DECIDED.contains(&word.as_str())
    })
}

/// `true` if a sentence says that something is still to be decided: "The board will decide", "The
/// board has not yet decided".
pub fn is_undecided(sentence: &str) -> bool {
    let words = folded(sentence);
    let mut pairs = words.windows(2);
    let will_decide = pairs.any(|pair| pair[0] == "will" && pair[1] == "decide");
    let mut triples = words.windows(3);
    let is_open = |own: &[String]| own[0] == "not" && own[1] == "yet" && own[2] == "decided";
    will_decide || triples.any(is_open)
}

/// `true` if a sentence says what was decided to be so from some day on: "Decided: the pool is
/// lowered to 27 °C from 1 April".
pub fn decides_from(sentence: &str) -> bool {
    if !SETTLED_KEYWORDS.are_in(sentence) {
        return false;
    }
    let words = folded(sentence);
    let is_settled = words.iter().enumerate().any(|(at, word)| {
        // What "should only be approved" is not yet.
        let is_open = at
            .checked_sub(1)
            .is_some_and(|before| words[before] == "be");
        SETTLED.contains(&word.as_str()) && !is_open || word == "decision"
    });
    // "Changed: from 1 June the taproom is open Friday to Sunday."
    let is_settled = is_settled || words.first().is_some_and(|first| first == "changed");
    // "The decision of 12 March is withdrawn" ends something, and begins nothing.
    let is_settled = is_settled && !ends_decision(sentence);
    is_settled && is_from_day(sentence)
}

/// `true` if a sentence says from which day or month on something is so: "from 1 July".
pub fn is_from_day(sentence: &str) -> bool {
    let words = folded(sentence);
    let is_month = |at: usize| {
        words
            .get(at)
            .is_some_and(|word| MONTHS.contains(&word.as_str()))
    };
    let begins = |at: usize| {
        let is_first = matches!(words[at].as_str(), "from" | "since");
        is_first && (is_month(at + 1) || is_month(at + 2))
    };
    (0..words.len()).any(begins)
}

/// Labels before the votes for one side; a closed list, written by hand.
const TALLIES: &str = "for, against, in favour, in favor, opposed, abstained, abstaining, \
    abstention, abstentions, ayes, noes";

/// `true` if a sentence counts the votes for one side: "For: 3."
pub fn is_tally(sentence: &str) -> bool {
    sentence.split_once(':').is_some_and(|(label, votes)| {
        let label = fold(label.trim());
        let first = words(votes).next();
        TALLIES.split(", ").any(|own| own == label)
            && first.is_some_and(|word| is_number(&fold(word.text)))
    })
}

/// `true` for a folded word that is a small number.
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || VOTES.split(", ").any(|own| own == word)
}

/// The words for small numbers of votes.
const VOTES: &str =
    "none, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve";

/// Further words of what was decided.
const DECIDED: &[&str] = &[
    "decision",
    "decides",
    "declined",
    "defeated",
    "deferred",
    "postponed",
    "refused",
    "rejected",
    "withdrawn",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_forward_is_told_from_what_was_decided() {
        for (sentence, is_put_forward, is_decided) in [
            ("Ann proposed to raise the fee to 38 euros.", true, false),
            ("The motion of Ann was adopted.", false, true),
            ("The proposal was rejected with two votes.", false, true),
            ("No decision on the roof was taken.", false, true),
            (
                "Reed moved, Berg seconded, that the roof be sold.",
                true,
                false,
            ),
            ("The motion was defeated by 6 votes to 3.", true, true),
            ("The office moved to Mill Road.", false, false),
            ("The fee is 36 euros.", false, false),
        ] {
            assert_eq!(is_proposal(sentence), is_put_forward, "{sentence}");
            assert_eq!(is_decision(sentence), is_decided, "{sentence}");
        }
        assert!(is_tally("Against: 2 (Eide, Moe)."));
        assert!(!is_tally("Against: the wind."));
        assert!(decides_from("Decided: it is on Thursday from 1 September."));
        assert!(!decides_from("They decided to raise it from £62 to £70."));
    }
}

//! Beliefs: what somebody suspected, feared or hoped is not said to be so.

use super::super::alignment::Alignment;
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon::{BE, Qualifier};

/// Verbs by which somebody takes a thing to be so; a closed list, written by hand. Forms that are
/// nouns as well are left out.
const BELIEFS: &[&str] = &[
    "assume",
    "assumed",
    "assumes",
    "believe",
    "believed",
    "believes",
    "feared",
    "guessed",
    "hoped",
    "imagined",
    "supposed",
    "suspect",
    "suspected",
    "suspects",
    "think",
    "thinks",
    "thought",
];

/// Verbs that take a thing as their object as well, "assumed office", and then say no belief.
const WITH_OBJECT: &[&str] = &[
    "assume", "assumed", "assumes", "feared", "imagined", "supposed",
];

/// Words that begin what is believed; a closed list, written by hand.
const BEGINNINGS: &[&str] = &[
    "that", "the", "a", "an", "it", "he", "she", "they", "we", "there", "this", "these", "those",
    "its", "his", "her", "their", "our",
];

/// Words by which a sentence goes on to say that it was so.
const CONFIRMED: &[&str] = &[
    "confirmed",
    "right",
    "rightly",
    "correctly",
    "proved",
    "proven",
    "true",
];

/// The number of words from a belief to what stands word for word behind it: "assumed that".
const TO_CLAUSE: usize = 3;

/// Nouns for what somebody thinks, in English and German; a closed list, written by hand.
const OPINIONS: &[&str] = &[
    "opinion",
    "view",
    "ansicht",
    "auffassung",
    "meinung",
    "uberzeugung",
];

/// `true` if some words, in front of a part of their sentence, say that somebody believes it.
pub(in crate::cite) fn ends_with_belief(before: &str) -> bool {
    let tokens: Vec<&str> = before.split_whitespace().collect();
    let mut words = tokens.iter().rev().take(TO_CLAUSE);
    words.any(|word| BELIEFS.contains(word)) || opinion(&tokens).is_some()
}

/// The position of the noun with which a sentence gives what follows as what somebody thinks: "in
/// the opinion of the dealer", "nach Ansicht des Händlers".
fn opinion(tokens: &[&str]) -> Option<usize> {
    let is_given = |at: &usize| {
        let before = &tokens[..*at];
        let is_english = matches!(
            before,
            [.., "in", "the" | "my" | "our" | "his" | "her" | "their"]
        );
        OPINIONS.contains(&tokens[*at]) && (is_english || before.last() == Some(&"nach"))
    };
    (0..tokens.len()).find(is_given)
}

/// The objection to a claim of what its sentence says as a belief only: "There was a fault" for "We
/// suspected a fault, but found none".
pub(super) fn objection(there: &Alignment<'_>) -> Option<Objection> {
    let tokens: Vec<&str> = there.other.normal.split(' ').collect();
    let belief = (0..tokens.len()).find(|at| is_belief(&tokens, *at));
    let at = belief.or_else(|| opinion(&tokens))?;
    let says = |words: &[&str]| {
        words
            .iter()
            .any(|word| is_in(there.one.normal.as_str(), word))
    };
    let is_open = says(BELIEFS)
        || says(OPINIONS)
        || there.one.qualifiers.contains_key(&Qualifier::Possibility);
    let is_confirmed = tokens[at..].iter().any(|token| CONFIRMED.contains(token));
    let mut pairs = there.pairs().peekable();
    let is_behind =
        pairs.peek().is_some() && pairs.all(|(_, other)| there.other.words[other].position > at);
    let difference = Difference::Belief(tokens[at].to_owned());
    (is_behind && !is_open && !is_confirmed).then(|| Objection::doubt(difference))
}

/// `true` if the verb at a position says a belief: "suspected a fault", "was thought to be", and
/// not "the thought of it".
fn is_belief(tokens: &[&str], at: usize) -> bool {
    if !BELIEFS.contains(&tokens[at]) {
        return false;
    }
    let before = at.checked_sub(1).map(|before| tokens[before]);
    let next = tokens.get(at + 1).copied().unwrap_or_default();
    let is_passive = next == "to" && before.is_some_and(|before| BE.contains(&before));
    let begins = if WITH_OBJECT.contains(&tokens[at]) {
        matches!(next, "that" | "it" | "there")
    } else {
        BEGINNINGS.contains(&next)
    };
    is_passive || begins
}

fn is_in(words: &str, word: &str) -> bool {
    words.split(' ').any(|own| own == word)
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_was_only_believed_is_not_so() {
        let fault = "At first we suspected a fault of the cells, but the cells that were opened \
                     showed no defect.";
        let pump = "The caretaker assumed that the pump leaks, but it was dry.";
        let right = "The caretaker assumed that the pump leaks, and he was right.";
        let chair = "Ann Berg assumed the office of chair in May.";
        let lake = "The lake was thought to be of volcanic origin.";
        assert_supported(&[
            ("There was a fault of the cells.", fault, false),
            ("We suspected a fault of the cells.", fault, true),
            ("The cells that were opened showed no defect.", fault, true),
            ("The pump leaks.", pump, false),
            ("The caretaker assumed that the pump leaks.", pump, true),
            ("The pump leaks.", right, true),
            ("Ann Berg assumed the office of chair.", chair, true),
            ("The lake is of volcanic origin.", lake, false),
        ]);
    }

    #[test]
    fn what_is_turned_is_contradicted_by_what_we_think() {
        let passage = "We think that the leak caused the damage.";
        for (claim, expected) in [
            ("The damage caused the leak.", Verdict::Contradicted),
            ("The leak was caused by the damage.", Verdict::Contradicted),
            ("The leak caused the damage.", Verdict::Partial),
        ] {
            assert_eq!(support(claim, passage).verdict, expected, "{claim}");
        }
    }

    #[test]
    fn what_we_think_is_not_so() {
        let roof = "We think that the old roof leaks.";
        let both = "The old roof leaks. We think that it is from 1950.";
        assert_supported(&[
            ("The old roof leaks.", roof, false),
            ("The old roof leaks.", "I think the old roof leaks.", false),
            (
                "The old roof leaks.",
                "We assume that the old roof leaks.",
                false,
            ),
            (roof, roof, true),
            ("The old roof leaks.", both, true),
        ]);
    }

    #[test]
    fn an_opinion_is_no_fact() {
        let soil = "In the opinion of the tenant, the soil is too wet.";
        let boden = "Nach Ansicht des Pächters ist der Boden zu nass.";
        assert_supported(&[
            ("The soil is too wet.", soil, false),
            (
                "The tenant is of the opinion that the soil is too wet.",
                soil,
                true,
            ),
            ("Der Boden ist zu nass.", boden, false),
        ]);
    }
}

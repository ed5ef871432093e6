//! Soft matching of words: the degree to which a word of a text is one of the question.

use super::super::question::QuestionTerm;
use super::super::question::arabic;
use super::super::question::compared::Degrees;
use super::super::vocabulary::{Entry, Token, Vocabulary, is_ideograph};

/// The least similarity of trigrams (Dice's coefficient) from which two words match.
const LEAST_DICE: f32 = 0.6;

/// The match of two words by their trigrams, in units of Dice's coefficient.
const DICE_WEIGHT: f32 = 0.9;

/// The match of two words that begin with the same letters, such as "electric" and
/// "electrification".
const PREFIX_MATCH: f32 = 0.5;

/// The number of these letters.
const PREFIX_LETTERS: usize = 5;

/// The least share of the shorter word that these letters are: "committee" is no "commissioning".
const PREFIX_SHARE: f32 = 0.6;

/// The number of these letters in Arabic, whose words without vowels are shorter.
const ARABIC_PREFIX_LETTERS: usize = 4;

/// The match of a compound and its head.
const COMPOUND_MATCH: f32 = 0.7;

/// The least length of the head of a compound, in bytes.
const HEAD_BYTES: usize = 5;

/// The least length of an adjective that has other degrees, in bytes.
const DEGREE_BYTES: usize = 4;

/// The match of synonyms.
const SYNONYM_MATCH: f32 = 0.7;

/// The match of a word and the acronym of its phrase, unless that is shorter than three letters.
const ACRONYM_MATCH: f32 = 0.9;
const SHORT_ACRONYM: usize = 3;

/// The terms that each word of a text matches, computed once for each distinct word.
pub(in crate::answering) struct Matches<'a> {
    terms: &'a [QuestionTerm],
    vocabulary: &'a Vocabulary,
    /// By token: the terms that it matches, with the degrees.
    cache: Vec<Option<Degrees>>,
}

impl<'a> Matches<'a> {
    pub(in crate::answering) fn new(terms: &'a [QuestionTerm], vocabulary: &'a Vocabulary) -> Self {
        Self {
            terms,
            vocabulary,
            cache: vec![None; vocabulary.len()],
        }
    }

    /// Goes on from the words that were compared before, of a vocabulary that has grown since.
    pub(in crate::answering) fn resume(&mut self, mut cache: Vec<Option<Degrees>>) {
        cache.resize(self.vocabulary.len(), None);
        self.cache = cache;
    }

    /// By token: the terms that each word matches, for [`Matches::resume`].
    pub(in crate::answering) fn into_cache(self) -> Vec<Option<Degrees>> {
        self.cache
    }

    /// The terms that a word matches, with the degrees, 0 to 1.
    pub(in crate::answering) fn of(&mut self, token: Token) -> &[(usize, f32)] {
        let Some(slot) = self.cache.get_mut(token as usize) else {
            return &[];
        };
        let (terms, vocabulary) = (self.terms, self.vocabulary);
        slot.get_or_insert_with(|| {
            let entry = vocabulary.entry(token);
            let degrees = terms.iter().enumerate().filter_map(|(number, term)| {
                let degree = degree(term, entry?);
                (degree > 0.0).then_some((number, degree))
            });
            degrees.collect()
        })
    }
}

/// The degree to which a word matches a term: by its stem, by the table of synonyms, by trigrams,
/// by the first letters. The numbers are those of a prototype that learnt the weights of the
/// features with them.
fn degree(term: &QuestionTerm, entry: &Entry) -> f32 {
    if term.stem == *entry.stem {
        return 1.0;
    }
    // "5" is also written as a word.
    if arabic::is_arabic(&term.word) || arabic::is_arabic(&entry.word) {
        return arabic_degree(term, &entry.word);
    }
    // A character by itself is a word that may stand in any pair.
    if is_ideograph(&term.word) && entry.word.contains(&term.word) {
        return PREFIX_MATCH;
    }
    if term.acronyms.iter().any(|own| **own == *entry.word) {
        let is_short = entry.word.len() < SHORT_ACRONYM;
        return if is_short {
            SYNONYM_MATCH
        } else {
            ACRONYM_MATCH
        };
    }
    if term.synonyms.contain(&entry.stem) || are_degrees(&term.word, &entry.word) {
        return SYNONYM_MATCH;
    }
    // Numbers match exactly or not at all.
    let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    if has_digit(&term.word) || has_digit(&entry.word) {
        return 0.0;
    }
    if is_compound(&term.word, &entry.word) || is_compound(&entry.word, &term.word) {
        return COMPOUND_MATCH;
    }
    // Derivations begin alike: a cheap filter before the trigrams, which prefixes such as "un-"
    // do not pass.
    if !term.word.chars().take(2).eq(entry.word.chars().take(2)) {
        return 0.0;
    }
    let dice = dice(&term.word, &entry.word);
    if dice >= LEAST_DICE {
        return DICE_WEIGHT * dice;
    }
    let shared = shared_beginning(&term.word, &entry.word);
    let shorter = term.word.chars().count().min(entry.word.chars().count());
    if shared >= PREFIX_LETTERS && shared as f32 >= PREFIX_SHARE * shorter as f32 {
        PREFIX_MATCH
    } else {
        0.0
    }
}

/// `true` for two degrees of an adjective: "high", "higher", "highest".
fn are_degrees(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let ending = long.strip_prefix(short.trim_end_matches('e'));
    short.len() >= DEGREE_BYTES && ending.is_some_and(|own| matches!(own, "er" | "est"))
}

/// The degree to which two Arabic words match: by their light stems, which the clitics of another
/// sentence do not change, by the table of synonyms, by trigrams, or by their first letters.
fn arabic_degree(term: &QuestionTerm, other: &str) -> f32 {
    let (one, other) = (arabic::light_stem(&term.word), arabic::light_stem(other));
    if arabic::are_same(&one, &other) {
        return 1.0;
    }
    if term.synonyms.contain(arabic::verb(&other)) {
        return SYNONYM_MATCH;
    }
    let dice = dice(&one, &other);
    if dice >= LEAST_DICE {
        DICE_WEIGHT * dice
    } else if shared_beginning(&one, &other) >= ARABIC_PREFIX_LETTERS {
        PREFIX_MATCH
    } else {
        0.0
    }
}

/// The number of first letters that two words share.
fn shared_beginning(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    pairs.take_while(|(a, b)| a == b).count()
}

/// `true` if a word ends with another one, as a compound ends with its head: "Kernkraftwerk" is a
/// "Kraftwerk".
fn is_compound(word: &str, head: &str) -> bool {
    head.len() >= HEAD_BYTES && word.len() > head.len() && word.ends_with(head)
}

/// Dice's coefficient of the trigrams of two words: twice the common ones among all.
fn dice(one: &str, other: &str) -> f32 {
    // Words of two ideographs have no trigrams.
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len() < 3 || other.len() < 3 {
        return 0.0;
    }
    // A cheap bound: no more trigrams can be common than the shorter word has.
    let (short, long) = (
        one.len().min(other.len()) - 2,
        one.len().max(other.len()) - 2,
    );
    if 2.0 * (short as f32) < LEAST_DICE * (short + long) as f32 {
        return 0.0;
    }
    let common = one
        .windows(3)
        .filter(|trigram| other.windows(3).any(|own| own == *trigram))
        .count();
    2.0 * common as f32 / (one.len() + other.len() - 4) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answering::Question;

    #[test]
    fn degrees_of_an_adjective_match() {
        assert!(are_degrees("high", "highest") && are_degrees("larger", "large"));
        assert!(!are_degrees("high", "highway") && !are_degrees("for", "forest"));
    }

    #[test]
    fn derivations_match_by_trigrams_or_first_letters() {
        assert!(dice("noisy", "noise") >= LEAST_DICE);
        assert!(dice("electrification", "electric") < LEAST_DICE);
        assert!(dice("insulate", "insulation") >= LEAST_DICE);
        assert!(dice("heat", "pump") == 0.0 && dice("热泵", "热泵") == 0.0);
    }

    #[test]
    fn numbers_are_met_as_digits_and_as_words() {
        for (question, sentence, word) in [
            ("谁买了五座风车？", "他买了 5 座风车。", "五座"),
            ("谁买了 2 座风车？", "他买了两座风车。", "二座"),
            ("من باع خمسة قوارب؟", "باع التاجر 5 قوارب.", "خمسة"),
            ("من باع ٥ قوارب؟", "باع التاجر خمسة قوارب.", "5"),
            (
                "¿Quién vendió treinta barcos?",
                "Vendió 30 barcos.",
                "treinta",
            ),
        ] {
            let question = Question::parse(question);
            let met = question.met(sentence);
            assert!(met.iter().any(|term| term.word == word), "{question:?}");
        }
        let terms = Question::parse("他写了什么书？").terms;
        assert!(terms.iter().any(|term| term.word == "书"));
    }
}

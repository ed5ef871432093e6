//! The alignment of two statements: which word of one is which word of the other, and the
//! differences that are left.

use std::collections::BTreeSet;

use super::statement::figure::Figure;
use super::statement::lexicon;
use super::statement::validity::Validity;
use super::statement::verb::is_past_auxiliary;
use super::statement::{ContentWord, Statement};
use crate::text;

/// The value of a match by derivation: "insulate" and "insulation".
const DERIVED: f64 = 0.85;
/// The value of a match of names with their initials: "United States" and "US".
const ACRONYM: f64 = 0.9;
/// The value of a match by synonym.
pub(super) const SYNONYM: f64 = 0.8;
/// The share of a trigram overlap that counts.
const TRIGRAM_SHARE: f64 = 0.9;
/// The least Dice coefficient of the trigrams of two words that match.
const TRIGRAMS: f64 = 0.6;
/// The least number of letters at the beginning that words which match by their spelling share.
const LEAST_BEGINNING: usize = 3;
/// The value of a match by the first five letters alone.
const SAME_BEGINNING: f64 = 0.5;

/// The least value of a match that counts as the same word.
pub(super) const SAME_WORD: f64 = 0.6;

/// The number of content words on either side of a number that say what it measures.
const ROLE: usize = 3;

/// The words for the other things of a kind, those right before them if they are all the others,
/// and the number of words at the beginning of a sentence among which they are: "All the other".
const OTHERS: [&str; 5] = ["other", "others", "remaining", "anderen", "ubrigen"];
const DEFINITE: [&str; 6] = ["the", "all", "die", "den", "alle", "allen"];
const FIRST_WORDS: usize = 3;

/// The alignment of the words of a statement with those of another.
pub(super) struct Alignment<'a> {
    pub(super) one: &'a Statement,
    pub(super) other: &'a Statement,
    /// For each word of `one` its best word of `other`, and the value of the match.
    matches: Vec<Option<(usize, f64)>>,
    /// For each word of `other`, `true` if a word of `one` matches it.
    used: Vec<bool>,
}

impl<'a> Alignment<'a> {
    pub(super) fn of(one: &'a Statement, other: &'a Statement) -> Self {
        let mut alignment = Self {
            one,
            other,
            matches: vec![None; one.words.len()],
            used: vec![false; other.words.len()],
        };
        alignment.match_equal();
        alignment.match_similar();
        alignment
    }

    /// Matches equal stems one to one; of several the next in order.
    fn match_equal(&mut self) {
        let mut next = 0;
        for (index, word) in self.one.words.iter().enumerate() {
            let others = &self.other.words;
            let is_equal = |at: &usize| !self.used[*at] && others[*at].stem == word.stem;
            if let Some(at) = (next..others.len()).chain(0..next).find(is_equal) {
                self.matches[index] = Some((at, 1.0));
                self.used[at] = true;
                next = at + 1;
            }
        }
    }

    /// Matches what is left with the most similar word, an unused one first.
    fn match_similar(&mut self) {
        for (index, word) in self.one.words.iter().enumerate() {
            if self.matches[index].is_some() {
                continue;
            }
            let others = self.other.words.iter().enumerate();
            let best = others
                .map(|(at, other)| (at, similarity(word, other)))
                // A word that is said twice may match one that is said once, but only the same.
                .filter(|(at, value)| *value > 0.0 && (!self.used[*at] || *value >= 1.0))
                .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
            if let Some((at, _)) = best {
                self.matches[index] = best;
                self.used[at] = true;
            }
        }
    }

    /// The value of the match of a word of `one`, 0 if there is none.
    pub(super) fn value(&self, index: usize) -> f64 {
        self.matches
            .get(index)
            .and_then(|matched| matched.map(|(_, value)| value))
            .unwrap_or(0.0)
    }

    /// The words of `one` that no word of `other` is.
    pub(super) fn missing(&self) -> impl Iterator<Item = &'a ContentWord> {
        let words = self.one.words.iter().enumerate();
        words
            .filter(|(index, _)| self.value(*index) < SAME_WORD)
            .map(|(_, word)| word)
    }

    /// The words of `other` that no word of `one` is.
    pub(super) fn added(&self) -> impl Iterator<Item = &'a ContentWord> {
        let words = self.other.words.iter().enumerate();
        words
            .filter(|(index, word)| {
                let one = self.one.words.iter();
                !self.used[*index] && one.map(|one| similarity(one, word)).fold(0.0, f64::max) < 1.0
            })
            .map(|(_, word)| word)
    }

    /// The pairs of words that match.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let matches = self.matches.iter().enumerate();
        matches.filter_map(|(index, matched)| {
            let (at, value) = (*matched)?;
            (value >= SAME_WORD).then_some((index, at))
        })
    }

    /// The share of the weight of `other` that `one` does not have.
    pub(super) fn excess(&self) -> f64 {
        let all: f64 = self.other.words.iter().map(|word| word.weight).sum();
        let added: f64 = self.added().map(|word| word.weight).sum();
        if all > 0.0 { added / all } else { 0.0 }
    }

    /// A word of `one` of which `other` says the opposite instead or besides, with that opposite.
    pub(super) fn opposites(&self) -> Option<(&'a ContentWord, &'a ContentWord)> {
        // "Outside the village" is so "inside the zone but outside the village".
        let is_side_of_both = |word: &ContentWord| {
            let mut others = self.other.words.iter();
            lexicon::side(&word.folded).is_some() && others.any(|own| own.stem == word.stem)
        };
        self.added().find_map(|other| {
            let mut words = self.one.words.iter();
            let word = words.find(|word| are_opposite(word, other) && !is_side_of_both(word))?;
            Some((word, other))
        })
    }

    /// `true` if exactly one of the two statements negates a word that both have.
    pub(super) fn is_negated(&self) -> bool {
        let negates = |(index, at): (usize, usize)| {
            self.one.words[index].is_negated != self.other.words[at].is_negated
        };
        self.differ_in_negation() && self.pairs().any(negates)
    }

    /// `true` if one of the two has an odd number of negations and the other an even one, but for
    /// those of nouns that only one of them has: "no fan" in "has no fan and makes no noise" says
    /// nothing of "makes no noise".
    pub(super) fn differ_in_negation(&self) -> bool {
        if ends_what_was(self.one, self.other)
            || ends_what_was(self.other, self.one)
            || self.tells_of_change()
        {
            return false;
        }
        let own = denials_of_others(self.one, self.other);
        let others = denials_of_others(self.other, self.one);
        (self.one.negations - own.min(self.one.negations)) % 2
            != (self.other.negations - others.min(self.other.negations)) % 2
    }

    /// `true` if a number or a word of `one` is in `other` what a change led to.
    pub(super) fn says_result(&self) -> bool {
        let is_result = |validity| validity == Validity::Result;
        let mut results = self
            .other
            .figures
            .iter()
            .filter(|own| is_result(own.validity));
        let says = |own: &Figure| self.one.figures.iter().any(|one| one.is_said_by(own));
        let mut pairs = self.pairs();
        results.any(says) || pairs.any(|(_, at)| is_result(self.other.words[at].validity))
    }

    /// `true` if the one says that something is no longer so, and the other has a word of its own
    /// for the change: "is no longer on the list", "is removed from the list".
    pub(super) fn tells_of_change(&self) -> bool {
        let has = |token: &str| self.one.normal.split(' ').any(|own| own == token);
        let is_change = |token: &str| CHANGED.split(' ').any(|word| word == token) && !has(token);
        self.one.normal.contains(" no longer ") && self.other.normal.split(' ').any(is_change)
    }

    /// `true` if the other one begins with the other things, "All other clauses remain in force",
    /// and this one does not.
    pub(super) fn is_of_others(&self) -> bool {
        let is_other = |token: &str| OTHERS.contains(&token);
        let first: Vec<&str> = self.other.normal.split(' ').take(FIRST_WORDS).collect();
        // "In other words" and "no other" are of none.
        let is_definite = |at: usize| at == 0 || DEFINITE.contains(&first[at - 1]);
        let mut places = (0..first.len()).filter(|at| is_other(first[*at]));
        places.any(is_definite) && !self.one.normal.split(' ').any(is_other)
    }

    /// `true` if the other one denies something, and only in a clause of which this one names
    /// nothing: "It is fired slowly, because the pipes must not freeze".
    pub(super) fn denies_other_clause_alone(&self) -> bool {
        let others = denials_of_others(self.other, self.one);
        others > 0 && others >= self.other.negations
    }

    /// `true` if one of the two denies what the other asserts, by another word than "without".
    pub(super) fn turns_denial(&self) -> bool {
        self.one.denials() % 2 != self.other.denials() % 2
    }

    /// `true` if a negation of one of the two begins with a word that the other asserts.
    pub(super) fn turns_negation(&self) -> bool {
        let turns = |one: &ContentWord, other: &ContentWord| {
            one.stem == other.stem && one.heads_negation && !other.is_negated
        };
        self.pairs().any(|(index, at)| {
            let (one, other) = (&self.one.words[index], &self.other.words[at]);
            turns(one, other) || turns(other, one)
        })
    }

    /// The number of `other` with the role of a number of `one`: beside the same words.
    pub(super) fn counterpart(&self, figure: &Figure) -> Option<&'a Figure> {
        let candidates = self.other.figures.iter();
        candidates
            .filter(|other| other.unit == figure.unit && self.have_one_role(figure, other))
            .min_by_key(|other| (!figure.equals(other), other.at.abs_diff(figure.at)))
    }

    /// The number of `other` with the unit of a number of `one`, if each of the two statements has
    /// one number with it.
    pub(super) fn only_of_unit(&self, figure: &Figure) -> Option<&'a Figure> {
        let alone = |statement: &'a Statement| {
            let mut figures = statement.figures.iter();
            let first = figures.find(|other| other.unit == figure.unit);
            first.filter(|_| !figures.any(|other| other.unit == figure.unit))
        };
        let has_unit = !matches!(figure.unit.as_str(), "" | "year");
        alone(self.one).filter(|_| has_unit).and(alone(self.other))
    }

    /// `true` if at least half of the words beside two numbers are the same.
    pub(super) fn have_one_role(&self, one: &Figure, other: &Figure) -> bool {
        let (own, others) = (neighbours(self.one, one), neighbours(self.other, other));
        let shared = own.intersection(&others).count();
        own.is_empty() && others.is_empty() || 2 * shared >= own.len().min(others.len()).max(1)
    }

    /// The number of words beside both of two numbers.
    pub(super) fn shared_neighbours(&self, one: &Figure, other: &Figure) -> usize {
        let (own, others) = (neighbours(self.one, one), neighbours(self.other, other));
        own.intersection(&others).count()
    }

    /// The share of neighbouring matched words in the same order, 1 if there are none.
    pub(super) fn order(&self) -> f64 {
        let pairs: Vec<_> = self.pairs().collect();
        let steps = pairs.windows(2).count();
        let forward = pairs.windows(2).filter(|pair| pair[0].1 <= pair[1].1);
        if steps == 0 {
            1.0
        } else {
            forward.count() as f64 / steps as f64
        }
    }
}

/// Words of a change, by which something is so no longer; a closed list, written by hand.
const CHANGED: &str = "abolished cancelled changed closed dropped ended ends former formerly left \
    lowered moved raised reduced removed replaced resigned retired reversed revoked rose stopped \
    stepped taken withdrawn";

/// `true` if a statement says that what another one says was so, is so no longer.
fn ends_what_was(statement: &Statement, other: &Statement) -> bool {
    let mut tokens = other.normal.split(' ');
    statement.normal.contains(" no longer ") && tokens.any(is_past_auxiliary)
}

/// Words between two clauses, in English and German, and those that are also before a phrase,
/// "since May", and count between two denials alone; closed lists, written by hand.
const BETWEEN_CLAUSES: &str = "although and because but though whereas while aber denn obwohl und \
    weil";
const BETWEEN_DENIALS: &str = "as since so da wahrend";

/// The number of negations of what another statement does not name: those by "no" of a noun, and
/// those of another clause than what both name: "It was not tested, because the network was not
/// available" denies once that it was tested.
fn denials_of_others(statement: &Statement, other: &Statement) -> usize {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let words = statement.words.iter().enumerate();
    let heads = words.filter(|(_, word)| word.heads_negation);
    let is_between = |one: &ContentWord, head: &ContentWord, list: &str| {
        let range = one.position.min(head.position)..one.position.max(head.position);
        let mut clause = tokens.get(range).unwrap_or_default().iter();
        clause.any(|token| list.split(' ').any(|own| own == *token))
    };
    let is_of_other_clause = |head: &ContentWord| {
        let mut others = statement.words.iter();
        others.any(|word| {
            has_word(&other.words, word) && is_between(word, head, BETWEEN_CLAUSES)
                || word.heads_negation && is_between(word, head, BETWEEN_DENIALS)
        })
    };
    let others = heads.filter(|(at, head)| {
        let before = &tokens[..head.position.min(tokens.len())];
        let is_noun = matches!(before, [.., "no"] | [.., "no", "other"]);
        let row = statement.words[*at..].windows(2);
        let row = row.take_while(|pair| pair[0].position + 1 == pair[1].position);
        let phrase = &statement.words[*at..=at + row.count()];
        let is_named = phrase.iter().any(|word| has_word(&other.words, word));
        (is_noun || is_of_other_clause(head)) && !is_named
            || is_noun && is_asserted_beside(statement, phrase, other)
    });
    others.count()
}

/// `true` if a statement denies a noun of one kind and asserts it of another, and another statement
/// does not name the first kind: "no overall fee, but a small fee for guests" beside "guests pay a
/// fee".
fn is_asserted_beside(statement: &Statement, denied: &[ContentWord], other: &Statement) -> bool {
    let Some((noun, kind)) = denied.split_last() else {
        return false;
    };
    let mut words = statement.words.iter();
    let is_asserted = words.any(|own| own.stem == noun.stem && !own.is_negated);
    let is_of_kind = kind.iter().any(|word| has_word(&other.words, word));
    !kind.is_empty() && is_asserted && !is_of_kind
}

/// The stems beside a number.
fn neighbours<'a>(statement: &'a Statement, figure: &Figure) -> BTreeSet<&'a str> {
    let from = figure.at.saturating_sub(ROLE);
    let to = (figure.at + ROLE).min(statement.words.len());
    statement.words[from..to]
        .iter()
        .map(|word| word.stem.as_str())
        .collect()
}

/// The similarity of two words, 0 to 1: the maximum over equal stems, derivation, synonyms and
/// spelling; 0 for opposites.
pub(super) fn similarity(one: &ContentWord, other: &ContentWord) -> f64 {
    let (left, right) = (one.stem.as_str(), other.stem.as_str());
    if left == right {
        return 1.0;
    }
    let is_exact = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    if names_gas(left, right) || names_gas(right, left) {
        return 1.0;
    }
    if other.is_name && one.initials == right || one.is_name && other.initials == left {
        return ACRONYM;
    }
    let beginning = shared_beginning(left, right);
    let is_synonym = one.entry.is_synonym(other.entry);
    // Most pairs of words end here, before the slow checks: nothing below makes them match.
    if beginning < LEAST_BEGINNING && !is_synonym {
        return 0.0;
    }
    if is_exact(left) || is_exact(right) || are_opposite(one, other) {
        return 0.0;
    }
    // "Santa" is not "Santana": a name matches by its root at most.
    let is_name = one.is_name || other.is_name;
    let is_long = is_long(left) && is_long(right);
    if beginning >= 4 && text::same_root(left, right) {
        DERIVED
    } else if is_name {
        0.0
    } else if is_synonym {
        SYNONYM
    } else if is_long && dice(left, right) >= TRIGRAMS {
        TRIGRAM_SHARE * dice(left, right)
    } else if is_long && beginning >= 5 {
        SAME_BEGINNING
    } else {
        0.0
    }
}

/// `true` for the formula of carbon dioxide and a word of its name, as stems.
fn names_gas(formula: &str, name: &str) -> bool {
    matches!(formula, "co2" | "co₂") && matches!(name, "carbon" | "dioxid")
}

/// `true` if a word is among others, in any form.
pub(super) fn has_word(words: &[ContentWord], word: &ContentWord) -> bool {
    words.iter().any(|own| similarity(word, own) >= SAME_WORD)
}

/// `true` if two words exclude each other.
fn are_opposite(one: &ContentWord, other: &ContentWord) -> bool {
    lexicon::are_opposite((&one.stem, one.entry), (&other.stem, other.entry))
}

/// `true` for a word of five letters or more.
fn is_long(word: &str) -> bool {
    word.chars().nth(4).is_some()
}

fn shared_beginning(left: &str, right: &str) -> usize {
    let pairs = left.chars().zip(right.chars());
    pairs.take_while(|(a, b)| a == b).count()
}

/// The Dice coefficient of the sets of trigrams of two words.
fn dice(left: &str, right: &str) -> f64 {
    let trigrams = |word: &str| -> BTreeSet<[char; 3]> {
        let letters: Vec<char> = word.chars().collect();
        let windows = letters.windows(3);
        windows
            .filter_map(|window| window.try_into().ok())
            .collect()
    };
    let (left, right) = (trigrams(left), trigrams(right));
    let shared = left.intersection(&right).count();
    2.0 * shared as f64 / (left.len() + right.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

    #[test]
    fn a_noun_that_is_denied_of_one_kind_is_said_of_another() {
        let fee =
            "There is no yearly fee for the harbour, but there is a small fee for each guest.";
        assert_supported(&[
            ("Guests in the harbour have a small fee.", fee, true),
            ("Guests in the harbour have a yearly fee.", fee, false),
        ]);
    }

    #[test]
    fn what_would_not_have_been_is_not_what_would_have_been() {
        let band = "With the new singer, the band would have been renamed Hills in May.";
        let other = band.replace("would have", "would not have");
        assert_supported(&[(&other, band, false), (band, &other, false)]);
    }

    #[test]
    fn what_is_said_of_the_other_things_contradicts_nothing_of_one() {
        let verdict = |claim, passage| support(claim, passage).verdict;
        let others = "All other clauses remain in force.";
        for claim in [
            "Clause 4 was repealed.",
            "The clause was repealed.",
            "Clauses were repealed.",
        ] {
            assert_ne!(verdict(claim, others), Verdict::Contradicted, "{claim}");
        }
        let clauses = "Clauses remain in force.";
        assert_eq!(
            verdict("Clauses were repealed.", clauses),
            Verdict::Contradicted
        );
    }
}

//! What passages of different sources have to do with each other: whether they say the like, and
//! whether they contradict.
//!
//! Sentences are compared, each with each. Two that say the like contradict each other by a number
//! of the same unit, by a date, by words that exclude each other, or by a negation. Refuses to know
//! which side is right.

use std::collections::BTreeMap;

use super::super::similarity::{ALIKE, shares};
use crate::artifact::analysis::{Contradiction, ContradictionKind};
use crate::artifact::source::{Passage, ordinal};
use crate::text;

/// So much must two sentences share besides the words of the topic to say the like. A prototype
/// over design documents took 0.33 and three shared words; short sentences have fewer.
const OWN_ALIKE: f64 = 0.5;

/// Sentences that say the like have this many words in common at least, those of the topic
/// included.
const SHARED: usize = 2;

/// Words that turn a sentence into its contrary.
const NEGATIONS: [&str; 7] = ["not", "no", "never", "rarely", "cannot", "hardly", "nor"];

/// So much must they share if only a negation tells them apart: a negation is often of something
/// else.
const NEGATED_ALIKE: f64 = 0.7;

/// States that exclude each other, stemmed like the text.
const STATES: [(&str, &str); 14] = [
    ("accepted", "rejected"),
    ("approved", "rejected"),
    ("accepted", "withdrawn"),
    ("stable", "unstable"),
    ("required", "optional"),
    ("mandatory", "optional"),
    ("allowed", "forbidden"),
    ("permitted", "forbidden"),
    ("enabled", "disabled"),
    ("supported", "unsupported"),
    ("safe", "unsafe"),
    ("increases", "decreases"),
    ("cheaper", "dearer"),
    ("necessary", "unnecessary"),
];

/// A passage, taken apart once.
pub(super) struct Spoken<'a> {
    passage: &'a Passage,
    sentences: Vec<Sentence>,
}

/// A sentence and its words.
struct Sentence {
    terms: Vec<String>,
    /// Without those of the topic: every passage shares these.
    own_terms: Vec<String>,
    negated: bool,
    quantities: BTreeMap<String, Vec<f64>>,
}

impl<'a> Spoken<'a> {
    pub(super) fn of(passage: &'a Passage, topic: &[String]) -> Self {
        let quote = &passage.quote;
        let sentences = text::sentences(quote, 0..quote.len())
            .into_iter()
            .map(|range| Sentence::of(&quote[range], topic))
            .collect();
        Self { passage, sentences }
    }

    /// Whether another source says the like.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.pairs(other).any(|(one, other)| one.is_like(other))
    }

    /// In what two passages that say the like differ, if they do.
    fn contradicts(&self, other: &Self) -> Option<(ContradictionKind, String)> {
        self.pairs(other)
            .find_map(|(one, other)| one.contradicts(other))
    }

    /// Each sentence with each of another source.
    fn pairs<'b>(&'b self, other: &'b Self) -> impl Iterator<Item = (&'b Sentence, &'b Sentence)> {
        let is_other = self.passage.source != other.passage.source;
        let mine = self.sentences.iter().filter(move |_| is_other);
        mine.flat_map(|one| other.sentences.iter().map(move |other| (one, other)))
    }
}

impl Sentence {
    fn of(sentence: &str, topic: &[String]) -> Self {
        let is_number = |term: &String| term.chars().any(|c| c.is_ascii_digit());
        let mut words = text::words(sentence).map(|word| text::fold(word.text));
        let mut quantities: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        // A number in code is a name there: `resolver = "2"`.
        for found in text::quantities(&text::prose(sentence)) {
            quantities.entry(found.unit).or_default().push(found.value);
        }
        let mut terms = text::terms(sentence);
        terms.retain(|term| !is_number(term) && !NEGATIONS.contains(&term.as_str()));
        let own = terms.iter().filter(|term| !topic.contains(term));
        Self {
            own_terms: own.cloned().collect(),
            terms,
            negated: words.any(|word| NEGATIONS.contains(&word.as_str())),
            quantities,
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        // Most sentences share little, which is seen faster than how little.
        shares(&self.terms, &other.terms, SHARED)
            && text::cosine(&self.terms, &other.terms) >= ALIKE
            && text::cosine(&self.own_terms, &other.own_terms) >= OWN_ALIKE
    }

    fn contradicts(&self, other: &Self) -> Option<(ContradictionKind, String)> {
        if !self.is_like(other) {
            return None;
        }
        self.other_number(other)
            .or_else(|| self.other_state(other))
            .or_else(|| self.other_way(other))
    }

    /// A unit in which each gives one number that the other does not.
    fn other_number(&self, other: &Self) -> Option<(ContradictionKind, String)> {
        self.quantities.iter().find_map(|(unit, mine)| {
            let theirs = other.quantities.get(unit)?;
            let (mine, theirs) = (without(mine, theirs), without(theirs, mine));
            let ([one], [two]) = (mine.as_slice(), theirs.as_slice()) else {
                return None;
            };
            Some(match unit.as_str() {
                "year" => (ContradictionKind::Date, format!("{one} against {two}")),
                _ => {
                    let difference = format!("{one} against {two} {unit}");
                    (ContradictionKind::Number, difference.trim_end().to_owned())
                }
            })
        })
    }

    /// Two states of which each says one, and that exclude each other.
    fn other_state(&self, other: &Self) -> Option<(ContradictionKind, String)> {
        let says = |sentence: &Self, word: &str, not: &str| {
            let says = |word: &str| sentence.terms.contains(&text::stem(word));
            says(word) && !says(not)
        };
        STATES.iter().find_map(|(one, two)| {
            let difference = if says(self, one, two) && says(other, two, one) {
                format!("{one} against {two}")
            } else if says(self, two, one) && says(other, one, two) {
                format!("{two} against {one}")
            } else {
                return None;
            };
            (self.negated == other.negated).then_some((ContradictionKind::Status, difference))
        })
    }

    /// Whether one says that it is so, and the other that it is not.
    fn other_way(&self, other: &Self) -> Option<(ContradictionKind, String)> {
        let alike = text::cosine(&self.own_terms, &other.own_terms) >= NEGATED_ALIKE;
        (alike && self.negated != other.negated).then(|| {
            let difference = "one says so, the other says not".to_owned();
            (ContradictionKind::Negation, difference)
        })
    }
}

/// The numbers that are not among the others. They were read from text, so equal ones are equal to
/// the bit.
fn without(numbers: &[f64], others: &[f64]) -> Vec<f64> {
    let mine = numbers.iter().copied();
    mine.filter(|one| !others.contains(one)).collect()
}

/// All contradictions between passages, in their order.
pub(super) fn all<'a>(passages: impl Iterator<Item = &'a Spoken<'a>>) -> Vec<Contradiction> {
    let mut in_order: Vec<&Spoken<'_>> = passages.collect();
    in_order.sort_by_key(|one| ordinal(&one.passage.id));
    let mut found: Vec<Contradiction> = Vec::new();
    for (place, one) in in_order.iter().enumerate() {
        for other in &in_order[place + 1..] {
            let Some((kind, difference)) = one.contradicts(other) else {
                continue;
            };
            let is_told = found.iter().any(|told| {
                told.difference == difference
                    && (told.one == one.passage.id || told.other == other.passage.id)
            });
            // A third source that says the like of one side adds no other disagreement.
            if !is_told {
                found.push(Contradiction {
                    kind,
                    difference,
                    one: one.passage.id.clone(),
                    other: other.passage.id.clone(),
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differ(one: &str, other: &str) -> Option<(ContradictionKind, String)> {
        let passage = |source: &str, quote: &str| Passage {
            id: "P1".to_owned(),
            source: source.to_owned(),
            start: 0,
            end: quote.len(),
            quote: quote.to_owned(),
            headings: Vec::new(),
            relevance: 0.9,
        };
        let (one, other) = (passage("S1", one), passage("S2", other));
        Spoken::of(&one, &[]).contradicts(&Spoken::of(&other, &[]))
    }

    #[test]
    fn numbers_of_the_same_thing_differ() {
        let three = "In 56 old houses, pumps reached a mean seasonal performance factor of 3.1 over one year.";
        let thirty = "Pumps are quiet now. In 56 old houses, pumps reached a mean seasonal performance factor of 31 over one year.";
        assert_eq!(differ(three, three), None);
        assert_eq!(differ(three, thirty).unwrap().1, "3.1 against 31");
        assert!(
            differ(
                "About 60 % of old radiators have to be replaced.",
                "About 20 % of old radiators have to be replaced."
            )
            .is_some()
        );
        assert_eq!(differ(thirty, "Bees make 5 kg of honey."), None);
    }

    #[test]
    fn dates_and_states_of_the_same_thing_differ() {
        let found = differ(
            "The heat pump of the town hall was installed in 2014 by the owner.",
            "The heat pump of the town hall was installed in 2016 by the owner.",
        );
        assert_eq!(
            found,
            Some((ContradictionKind::Date, "2014 against 2016".to_owned()))
        );
        let found = differ(
            "The subsidy for heat pumps in old houses was accepted by the council.",
            "The subsidy for heat pumps in old houses was rejected by the council.",
        );
        assert_eq!(
            found,
            Some((
                ContradictionKind::Status,
                "accepted against rejected".to_owned()
            ))
        );
    }

    #[test]
    fn a_negated_sentence_contradicts() {
        let yes = "Insulation must come before a heat pump in an old house.";
        let no = "Insulation does not have to come before a heat pump in an old house.";
        assert!(differ(yes, no).is_some());
        assert_eq!(differ(yes, yes), None);
    }
}

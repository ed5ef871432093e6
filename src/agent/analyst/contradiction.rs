//! The comparison of passages of different sources: similarity, and contradictions.
//!
//! Sentences are compared pairwise. Two similar ones contradict each other by a number of the same
//! unit, by a date, by words that exclude each other, or by a negation; which side is right is not
//! decided. The thresholds were set by hand over the shipped example and the 648 Rust RFCs.

use std::collections::BTreeMap;

use super::super::similarity::{SIMILAR, shares};
use crate::artifact::analysis::{Contradiction, ContradictionKind};
use crate::artifact::source::{Passage, ordinal};
use crate::text;

/// The least cosine of two similar sentences over the terms that are not of the topic (0.33 with
/// three common words was tried over the RFCs; short sentences have fewer).
const OWN_SIMILARITY: f64 = 0.5;

/// The least number of terms that two similar sentences have in common, those of the topic
/// included.
const COMMON_TERMS: usize = 2;

/// Words that negate a sentence.
const NEGATIONS: [&str; 7] = ["not", "no", "never", "rarely", "cannot", "hardly", "nor"];

/// The least cosine of two sentences that contradict each other by a negation alone; higher, since
/// a negation often concerns something else in the sentence.
const NEGATION_SIMILARITY: f64 = 0.7;

/// Pairs of states that exclude each other; stemmed like the text before they are compared.
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

/// A passage, parsed once for all comparisons.
pub(super) struct ParsedPassage<'a> {
    passage: &'a Passage,
    sentences: Vec<ParsedSentence>,
}

/// A sentence with the features that are compared.
struct ParsedSentence {
    /// Its terms without numbers and negations.
    terms: Vec<String>,
    /// Its terms without numbers, negations and the terms of the topic, which every passage shares.
    own_terms: Vec<String>,
    is_negated: bool,
    /// Its numbers by unit.
    quantities: BTreeMap<String, Vec<f64>>,
}

impl<'a> ParsedPassage<'a> {
    pub(super) fn of(passage: &'a Passage, topic: &[String]) -> Self {
        let quote = &passage.quote;
        let sentences = text::sentences(quote, 0..quote.len())
            .into_iter()
            .map(|range| ParsedSentence::of(&quote[range], topic))
            .collect();
        Self { passage, sentences }
    }

    /// `true` if a passage of another source makes a similar statement.
    pub(super) fn is_similar(&self, other: &Self) -> bool {
        self.pairs(other).any(|(own, other)| own.is_similar(other))
    }

    /// The contradiction between two similar passages; `None` if there is none.
    fn contradiction(&self, other: &Self) -> Option<(ContradictionKind, String)> {
        self.pairs(other)
            .find_map(|(own, other)| own.contradiction(other))
    }

    /// All pairs of a sentence of each passage; none if both passages are of the same source.
    fn pairs<'b>(
        &'b self,
        other: &'b Self,
    ) -> impl Iterator<Item = (&'b ParsedSentence, &'b ParsedSentence)> {
        let is_of_other_source = self.passage.source != other.passage.source;
        let own = self.sentences.iter().filter(move |_| is_of_other_source);
        own.flat_map(|own| other.sentences.iter().map(move |other| (own, other)))
    }
}

impl ParsedSentence {
    fn of(sentence: &str, topic: &[String]) -> Self {
        let is_number = |term: &String| term.chars().any(|c| c.is_ascii_digit());
        let mut words = text::words(sentence).map(|word| text::fold(word.text));
        let mut quantities: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        // A number in code is a name, not a quantity: `resolver = "2"`.
        for quantity in text::quantities(&text::prose(sentence)) {
            let numbers = quantities.entry(quantity.unit).or_default();
            numbers.push(quantity.value);
        }
        // The terms say what a sentence is about; numbers and negations are compared apart, so that
        // they do not make contradicting sentences dissimilar.
        let mut terms = text::terms(sentence);
        terms.retain(|term| !is_number(term) && !NEGATIONS.contains(&term.as_str()));
        let own = terms.iter().filter(|term| !topic.contains(term));
        Self {
            own_terms: own.cloned().collect(),
            terms,
            is_negated: words.any(|word| NEGATIONS.contains(&word.as_str())),
            quantities,
        }
    }

    fn is_similar(&self, other: &Self) -> bool {
        // A cheap filter before the cosine: most pairs share few terms.
        shares(&self.terms, &other.terms, COMMON_TERMS)
            && text::cosine(&self.terms, &other.terms) >= SIMILAR
            && text::cosine(&self.own_terms, &other.own_terms) >= OWN_SIMILARITY
    }

    fn contradiction(&self, other: &Self) -> Option<(ContradictionKind, String)> {
        if !self.is_similar(other) {
            return None;
        }
        // From the most certain kind to the least: a number beats a state, a state a negation.
        self.numeric_contradiction(other)
            .or_else(|| self.contradicting_state(other))
            .or_else(|| self.contradicting_negation(other))
    }

    /// A unit in which each sentence gives exactly one number that the other does not give.
    fn numeric_contradiction(&self, other: &Self) -> Option<(ContradictionKind, String)> {
        self.quantities.iter().find_map(|(unit, own)| {
            // Two numbers of different units say nothing about each other.
            let others = other.quantities.get(unit)?;
            let (own, others) = (without(own, others), without(others, own));
            let ([one], [two]) = (own.as_slice(), others.as_slice()) else {
                return None;
            };
            Some(match unit.as_str() {
                // A year is read as a date, not as a quantity.
                "year" => (ContradictionKind::Date, format!("{one} against {two}")),
                _ => {
                    let difference = format!("{one} against {two} {unit}");
                    (ContradictionKind::Number, difference.trim_end().to_owned())
                }
            })
        })
    }

    /// Two states that exclude each other, one named by each sentence.
    fn contradicting_state(&self, other: &Self) -> Option<(ContradictionKind, String)> {
        let names = |sentence: &Self, word: &str| sentence.terms.contains(&text::stem(word));
        // A sentence that names both states does not take a side.
        let says =
            |sentence: &Self, word: &str, not: &str| names(sentence, word) && !names(sentence, not);
        STATES.iter().find_map(|(one, two)| {
            let difference = if says(self, one, two) && says(other, two, one) {
                format!("{one} against {two}")
            } else if says(self, two, one) && says(other, one, two) {
                format!("{two} against {one}")
            } else {
                return None;
            };
            // "accepted" and "not rejected" agree.
            (self.is_negated == other.is_negated).then_some((ContradictionKind::Status, difference))
        })
    }

    /// A negation in only one of two very similar sentences.
    fn contradicting_negation(&self, other: &Self) -> Option<(ContradictionKind, String)> {
        // Without the terms of the topic, which would make any two sentences on it similar.
        let similarity = text::cosine(&self.own_terms, &other.own_terms);
        (similarity >= NEGATION_SIMILARITY && self.is_negated != other.is_negated).then(|| {
            let difference = "one says so, the other says not".to_owned();
            (ContradictionKind::Negation, difference)
        })
    }
}

/// The numbers that are not among the others. Both were parsed from text, so equal numbers are
/// equal to the bit.
fn without(numbers: &[f64], others: &[f64]) -> Vec<f64> {
    numbers
        .iter()
        .copied()
        .filter(|number| !others.contains(number))
        .collect()
}

/// Finds all contradictions between passages, in the order of their ids.
pub(super) fn find<'a>(
    passages: impl Iterator<Item = &'a ParsedPassage<'a>>,
) -> Vec<Contradiction> {
    // Ids sort by number: "P10" comes after "P9".
    let mut in_order: Vec<&ParsedPassage<'_>> = passages.collect();
    in_order.sort_by_key(|parsed| ordinal(&parsed.passage.id));
    let mut contradictions: Vec<Contradiction> = Vec::new();
    for (index, own) in in_order.iter().enumerate() {
        // Each unordered pair once: the comparison is symmetric.
        for other in &in_order[index + 1..] {
            let Some((kind, difference)) = own.contradiction(other) else {
                continue;
            };
            // A third source that agrees with a side adds no further disagreement.
            let is_repeated = contradictions.iter().any(|earlier| {
                earlier.difference == difference
                    && (earlier.one == own.passage.id || earlier.other == other.passage.id)
            });
            if !is_repeated {
                contradictions.push(Contradiction {
                    kind,
                    difference,
                    one: own.passage.id.clone(),
                    other: other.passage.id.clone(),
                });
            }
        }
    }
    contradictions
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
        ParsedPassage::of(&one, &[]).contradiction(&ParsedPassage::of(&other, &[]))
    }

    #[test]
    fn numbers_of_the_same_unit_contradict() {
        let three = "In 56 old houses, pumps reached a mean seasonal performance factor of 3.1 \
                     over one year.";
        let thirty = "Pumps are quiet now. In 56 old houses, pumps reached a mean seasonal \
                      performance factor of 31 over one year.";
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
    fn dates_and_states_contradict() {
        let difference = differ(
            "The heat pump of the town hall was installed in 2014 by the owner.",
            "The heat pump of the town hall was installed in 2016 by the owner.",
        );
        assert_eq!(
            difference,
            Some((ContradictionKind::Date, "2014 against 2016".to_owned()))
        );
        let difference = differ(
            "The subsidy for heat pumps in old houses was accepted by the council.",
            "The subsidy for heat pumps in old houses was rejected by the council.",
        );
        assert_eq!(
            difference,
            Some((
                ContradictionKind::Status,
                "accepted against rejected".to_owned()
            ))
        );
    }

    #[test]
    fn a_negation_contradicts() {
        let yes = "Insulation must come before a heat pump in an old house.";
        let no = "Insulation does not have to come before a heat pump in an old house.";
        assert!(differ(yes, no).is_some());
        assert_eq!(differ(yes, yes), None);
    }
}

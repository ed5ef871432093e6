//! The support check: does a passage support a claim? By words alone, without a model.
//!
//! The claim's sentences are aligned with those of the passage. A claim is supported by the share
//! of its words that the passage has, and only if the passage gives its numbers, names, negations
//! and directions; it is contradicted only for a reason that can be named. The measures and their
//! weights are from `benches/claims.rs` over the development halves of WiCE and Factcheck-GPT.

use std::fmt;
use std::ops::Range;

use super::alignment::Alignment;
use super::statement::Statement;
use crate::text;

/// The reason why a statement does not say what another says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// A statement depends on its context: on a pronoun, or on the document that makes it.
    Context,
    /// A number of the claim, and the one in its place, if there is one.
    Number(String, Option<String>),
    /// A name is missing.
    Name(String),
    /// One of the two negates what the other asserts.
    Negation,
    /// Two words that exclude each other.
    Opposite(String, String),
    /// One of the two is weakened or bounded: by "may", "some", "if".
    Qualifier,
    /// A word is missing.
    Word(String),
    /// The same words in another order.
    Order,
    /// The passage says more than the claim, or of something narrower.
    Excess,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Context => f.write_str("it depends on its context"),
            Self::Number(own, Some(other)) => write!(f, "{own} against {other}"),
            Self::Number(own, None) => write!(f, "the number {own} is missing"),
            Self::Name(name) => write!(f, "the name {name:?} is missing"),
            Self::Negation => f.write_str("only one of the two negates it"),
            Self::Opposite(own, other) => write!(f, "{own:?} against {other:?}"),
            Self::Qualifier => f.write_str("only one of the two is qualified"),
            Self::Word(word) => write!(f, "{word:?} is missing"),
            Self::Order => f.write_str("the words are in another order"),
            Self::Excess => f.write_str("the passage is about something narrower"),
        }
    }
}

/// The maximum share of a restatement, by weight, that the claim does not have.
const EXCESS: f64 = 0.25;

/// The least share of words in the same order.
const ORDER: f64 = 0.7;

/// The least number of content words that two statements share.
const SHARED_WORDS: usize = 3;

impl Statement {
    /// The first reason why another statement does not restate this one; `None` if it does: with
    /// the same numbers, names, negations, qualifiers and directions, and in nearly the same words.
    ///
    /// It is strict: a second source that is not noticed does less harm than one that says
    /// something else.
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        if self.is_deictic || other.is_deictic || self.is_question || other.is_question {
            return Some(Difference::Context);
        }
        let alignment = Alignment::of(self, other);
        alignment
            .number_difference()
            .or_else(|| alignment.sense_difference())
            .or_else(|| alignment.word_difference())
    }
}

impl Alignment<'_> {
    /// A number that only one of the two gives.
    fn number_difference(&self) -> Option<Difference> {
        let unpaired = self.one.figures.iter().find(|figure| {
            let counterpart = self.counterpart(figure);
            !counterpart.is_some_and(|other| figure.equals(other) && figure.bound == other.bound)
        });
        if let Some(figure) = unpaired {
            let other = self.counterpart(figure).map(|other| other.written.clone());
            return Some(Difference::Number(figure.written.clone(), other));
        }
        // A further number narrows the statement down: a year, a temperature, a count.
        let is_narrower = self.other.figures.iter().any(|other| {
            let mut figures = self.one.figures.iter();
            !figures.any(|figure| figure.equals(other))
        });
        is_narrower.then_some(Difference::Excess)
    }

    /// A negation, a direction or a qualification of only one of the two.
    fn sense_difference(&self) -> Option<Difference> {
        if self.one.negations != self.other.negations || self.is_negated() {
            return Some(Difference::Negation);
        }
        if let Some((own, other)) = self.opposites() {
            return Some(Difference::Opposite(
                own.folded.clone(),
                other.folded.clone(),
            ));
        }
        (self.one.qualifiers != self.other.qualifiers).then_some(Difference::Qualifier)
    }

    /// A name or another word that is missing, another order, or too much else.
    fn word_difference(&self) -> Option<Difference> {
        let missing = self.missing().filter(|word| !word.is_light());
        if let Some(word) = missing.max_by(|a, b| a.weight.total_cmp(&b.weight)) {
            let difference = if word.is_name {
                Difference::Name
            } else {
                Difference::Word
            };
            return Some(difference(word.folded.clone()));
        }
        // The first word is of the subject, whatever its case.
        let is_other_subject = || {
            let first = self.other.words.first();
            self.added().any(|word| word.is_name || Some(word) == first)
        };
        if self.pairs().count() < SHARED_WORDS || self.excess() > EXCESS || is_other_subject() {
            return Some(Difference::Excess);
        }
        (self.order() < ORDER).then_some(Difference::Order)
    }
}

/// The statements of a passage, parsed once for many comparisons.
#[derive(Debug, Clone, PartialEq)]
pub struct Statements {
    /// The statements with their byte ranges in the passage.
    statements: Vec<(Range<usize>, Statement)>,
}

impl Statements {
    /// Parses the sentences of a passage.
    pub fn parse(passage: &str) -> Self {
        let sentences = text::sentences(passage, 0..passage.len()).into_iter();
        Self {
            statements: sentences
                .map(|range| (range.clone(), Statement::parse(&passage[range])))
                .collect(),
        }
    }

    /// The statements in order.
    pub fn iter(&self) -> impl Iterator<Item = &Statement> {
        self.statements.iter().map(|(_, statement)| statement)
    }

    /// `true` if another passage states all that this one states.
    pub fn are_restated_by(&self, other: &Self) -> bool {
        !self.statements.is_empty()
            && self.iter().all(|own| {
                let mut others = other.iter();
                others.any(|other| own.difference(other).is_none())
            })
    }
}

//! Restatement: does a sentence say what another says? Strictly, by words alone, so that a second
//! source is cited for a claim only if it makes it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::alignment::Alignment;
use super::rectification::{self, Rectification};
use super::statement::label::labelled_lines;
use super::statement::parts::main_clauses;
use super::statement::pronoun::Antecedent;
use super::statement::{ContentWord, Statement};
use crate::text;

/// The least number of words that two statements share beside the one in which they differ.
const SHARED_BESIDE_ONE: usize = 2;

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
    /// One of the two is weakened or bounded: by "may", "some", "if", "more", "before".
    Qualifier,
    /// One of the two leaves open which of several: "or".
    Alternative,
    /// A word is missing.
    Word(String),
    /// Words of the claim that nothing says, as they stand there.
    Addition(String),
    /// A word or number of the claim that its sources say of something else.
    Binding(String),
    /// A comparison that no sentence of the evidence makes.
    Comparison,
    /// The same words in another order.
    Order,
    /// Words by which the sources restrict what the claim denies altogether.
    Restriction(String),
    /// A word of the claim for what is no longer so.
    Former(String),
    /// A word of the claim for what is excepted.
    Exception(String),
    /// A word of the claim for what somebody only asks for.
    Proposal(String),
    /// The verb by which somebody only believes what the claim says.
    Belief(String),
    /// The passage says more than the claim, or of something narrower.
    Excess,
}

/// An amount as it is written in English: "£145" for "145 £". Of other units as it is.
fn written(amount: &str) -> Cow<'_, str> {
    let signs = ["£", "$"].into_iter();
    let mut signed = signs.filter_map(|sign| {
        let number = amount.strip_suffix(sign)?.trim_end();
        Some(format!("{sign}{number}"))
    });
    signed.next().map_or(amount.into(), Cow::from)
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Context => f.write_str("it depends on its context"),
            Self::Number(own, Some(other)) => {
                write!(f, "{} against {}", written(own), written(other))
            }
            Self::Number(own, None) => {
                write!(f, "the number {} is not in the passage", written(own))
            }
            Self::Name(name) => write!(f, "the name {name:?} is not in the passage"),
            Self::Negation => f.write_str("only one of the two negates it"),
            Self::Opposite(own, other) => write!(f, "{own:?} against {other:?}"),
            Self::Qualifier => f.write_str("only one of the two is qualified"),
            Self::Alternative => f.write_str("only one of the two names an alternative"),
            Self::Word(word) => write!(f, "{word:?} is not in the passage"),
            Self::Addition(words) => write!(f, "nothing says {words:?}"),
            Self::Binding(word) => write!(f, "{word:?} is said of something else"),
            Self::Comparison => f.write_str("no sentence compares the two"),
            Self::Order => f.write_str("the words are in another order"),
            Self::Restriction(words) => write!(f, "it is said only {words:?}"),
            Self::Former(word) => write!(f, "{word:?} is what it was before"),
            Self::Exception(word) => write!(f, "{word:?} is excepted"),
            Self::Proposal(word) => write!(f, "{word:?} is only asked for"),
            Self::Belief(verb) => write!(f, "it is only {verb:?}"),
            Self::Excess => f.write_str("the passage is about something narrower"),
        }
    }
}

/// An objection to a claim.
pub(super) struct Objection {
    pub(super) difference: Difference,
    /// `true` if both cannot be true.
    pub(super) is_contradiction: bool,
}

impl Objection {
    pub(super) fn contradiction(difference: Difference) -> Self {
        Self {
            difference,
            is_contradiction: true,
        }
    }

    pub(super) fn doubt(difference: Difference) -> Self {
        Self {
            difference,
            is_contradiction: false,
        }
    }

    /// The word of the sources that excludes one of the claim.
    pub(super) fn opposite(&self) -> Option<String> {
        match &self.difference {
            Difference::Opposite(_, other) => Some(other.clone()),
            _ => None,
        }
    }

    /// `true` if the sources say the claim under a restriction only.
    pub(super) fn is_restriction(&self) -> bool {
        matches!(self.difference, Difference::Restriction(_))
    }

    /// `true` if another number is in the place of one of the claim.
    pub(super) fn is_of_other_number(&self) -> bool {
        self.is_contradiction && matches!(self.difference, Difference::Number(_, Some(_)))
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
        if self.leans_on_context() || other.leans_on_context() {
            return Some(Difference::Context);
        }
        let alignment = Alignment::of(self, other);
        alignment
            .number_difference()
            .or_else(|| alignment.sense_difference())
            .or_else(|| alignment.word_difference())
    }

    /// `true` if another statement has another value in the place of one of this one's: another
    /// number or name, a negation, or the opposite. In similar words, the one cannot stand for the
    /// other.
    pub fn is_rival_of(&self, other: &Self) -> bool {
        let alignment = Alignment::of(self, other);
        let has_other_name = alignment.missing().any(|word| word.is_name)
            && alignment.added().any(|word| word.is_name);
        self.has_other_number(other)
            || has_other_name
            || self.negations != other.negations
            || alignment.opposites().is_some()
            || alignment.has_other_word()
    }
}

impl Statement {
    /// `true` if another statement has another number in the place of one of this one's: beside the
    /// same words, or the only one of its unit. Of statements in similar words.
    pub fn has_other_number(&self, other: &Self) -> bool {
        let alignment = Alignment::of(self, other);
        self.figures.iter().any(|figure| {
            let counterpart = alignment.counterpart(figure);
            let counterpart = counterpart.or_else(|| alignment.only_of_unit(figure));
            counterpart.is_some_and(|other| !figure.equals(other))
        })
    }
}

impl Alignment<'_> {
    /// `true` if the two differ in one word, behind the same one: "heated with gas", "heated with
    /// oil". A predicate in other words may mean the same.
    fn has_other_word(&self) -> bool {
        let is_weighty = |word: &&ContentWord| !word.is_light();
        let own: Vec<_> = self.missing().filter(is_weighty).collect();
        let others: Vec<_> = self.added().filter(is_weighty).collect();
        let ([own], [other]) = (own.as_slice(), others.as_slice()) else {
            return false;
        };
        let before = |statement: &Statement, word: &ContentWord| {
            let before = word.position.checked_sub(1)?;
            statement.normal.split(' ').nth(before).map(str::to_owned)
        };
        let word_before = before(self.one, own);
        self.pairs().count() >= SHARED_BESIDE_ONE
            && ![own, other].iter().any(|word| word.is_predicate)
            && word_before.is_some()
            && word_before == before(self.other, other)
    }

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

    /// A negation, a direction, a qualification or an alternative of only one of the two.
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
        let is_qualified = self.one.qualifiers != self.other.qualifiers;
        if is_qualified || self.one.sides != self.other.sides {
            return Some(Difference::Qualifier);
        }
        let is_open = self.one.disjunctions != self.other.disjunctions;
        is_open.then_some(Difference::Alternative)
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

/// Statements with their byte ranges.
type Parsed = Vec<(Range<usize>, Statement)>;

/// The statements of a passage, parsed once for many comparisons.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statements {
    /// The statements with their byte ranges in the passage.
    pub(super) statements: Parsed,
    /// The main clauses of those that have several, by the number of the statement.
    clauses: Vec<(usize, Parsed)>,
}

impl Statements {
    /// Parses the sentences of a text.
    pub fn parse(text: &str) -> Self {
        Self::parse_each(text, |text, _| Statement::parse(text))
    }

    /// Parses the sentences of a passage. A pronoun that begins one is read as the subject of the
    /// sentence before it in the paragraph.
    pub fn parse_passage(passage: &str) -> Self {
        let mut antecedent = Antecedent::default();
        let mut end = 0;
        let parsed = Self::parse_each(passage, |sentence, range| {
            // A clause of the sentence that was read last is read again.
            let is_next = range.start >= end;
            if is_next && passage[end..range.start].contains('\n') {
                antecedent.forget();
            }
            end = end.max(range.end);
            if let Some(resolved) = antecedent.resolve(sentence) {
                return Statement {
                    with_pronoun: Some(Statement::parse(sentence).normal),
                    ..Statement::parse(&resolved)
                };
            }
            let statement = Statement::parse(sentence);
            if is_next {
                antecedent.note(sentence, &statement);
            }
            statement
        });
        parsed.rectified(passage)
    }

    /// The same with the right number where a passage takes one back: what it says of it is said by
    /// both sentences.
    fn rectified(mut self, passage: &str) -> Self {
        let rectifications = rectification::rectifications(&self.statements);
        self.note_retractions(&rectifications);
        for own in rectifications {
            self.drop_request(own.of, passage);
            let clauses = self.clauses.iter_mut().filter(|(of, _)| *of == own.of);
            for (_, clause) in clauses.flat_map(|(_, clauses)| clauses) {
                own.apply(clause);
            }
            let (range, statement) = &mut self.statements[own.of];
            range.end = range.end.max(own.end);
            own.apply(statement);
        }
        self
    }

    /// Records that what is said to be wrong right after it is denied, unless its right number is
    /// known.
    fn note_retractions(&mut self, rectifications: &[Rectification]) {
        for number in 1..self.statements.len() {
            let is_rectified = rectifications.iter().any(|own| own.of == number - 1);
            if !is_rectified && rectification::retracts(&self.statements[number].1) {
                let is_number = rectification::retracts_number(&self.statements[number].1);
                let clauses = self.clauses.iter_mut().filter(|(of, _)| *of == number - 1);
                let clauses = clauses.flat_map(|(_, clauses)| clauses);
                let whole = &mut self.statements[number - 1];
                for (_, retracted) in clauses.chain([whole]) {
                    let sizes = retracted.figures.iter_mut();
                    let sizes: Vec<_> = sizes.filter(|own| !own.is_date()).collect();
                    // "That figure is wrong" denies the number, and nothing else of its sentence.
                    if is_number && !sizes.is_empty() {
                        sizes.into_iter().for_each(|own| own.is_denied = true);
                    } else {
                        retracted.negations += 1;
                    }
                    retracted.is_retracted = true;
                }
            }
        }
    }

    /// Leaves out the request not to use what a statement has, which has the right number now.
    fn drop_request(&mut self, number: usize, passage: &str) {
        let (range, statement) = &mut self.statements[number];
        let sentence = &passage[range.clone()];
        if let Some(length) = rectification::request_length(sentence) {
            *statement = Statement::parse(&sentence[length..]);
            range.start += length;
        }
    }

    /// Parses the sentences of a text, and the clauses of each after it.
    fn parse_each(text: &str, mut parse: impl FnMut(&str, &Range<usize>) -> Statement) -> Self {
        let sentences = text::sentences(text, 0..text.len()).into_iter();
        let mut parsed = Self::default();
        for range in sentences.flat_map(|range| labelled_lines(text, range)) {
            let statement = parse(&text[range.clone()], &range);
            let clauses = main_clauses(text, range.clone());
            if clauses.len() > 1 {
                let number = parsed.statements.len();
                let clauses = clauses.into_iter().map(|own| {
                    let statement = parse(&text[own.clone()], &own);
                    (own, statement)
                });
                parsed.clauses.push((number, clauses.collect()));
            }
            parsed.statements.push((range, statement));
        }
        parsed
    }

    /// For each main clause, the number of its statement.
    pub(super) fn numbers_by_clause(&self) -> Vec<usize> {
        let mut clauses = self.clauses.iter().peekable();
        let numbers = (0..self.statements.len()).flat_map(|number| {
            let own = clauses.next_if(|(other, _)| *other == number);
            std::iter::repeat_n(number, own.map_or(1, |(_, own)| own.len()))
        });
        numbers.collect()
    }

    /// The same with the main clauses of a sentence as statements of their own.
    pub(super) fn by_clause(&self) -> Self {
        let mut clauses = self.clauses.iter().peekable();
        let statements = self.statements.iter().enumerate();
        let statements = statements.flat_map(|(number, own)| {
            match clauses.next_if(|(other, _)| *other == number) {
                Some((_, clauses)) => clauses.clone(),
                None => vec![own.clone()],
            }
        });
        Self {
            statements: statements.collect(),
            clauses: Vec::new(),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(one: &str, other: &str) -> Option<Difference> {
        Statement::parse(one).difference(&Statement::parse(other))
    }

    #[test]
    fn a_rival_has_another_value_in_the_same_place() {
        let is_rival =
            |one: &str, other: &str| Statement::parse(one).is_rival_of(&Statement::parse(other));
        for (one, other) in [
            ("The warranty lasts 5 years.", "The warranty lasts 2 years."),
            (
                "We recommend 86 °C as the outlet set point for low heat powder on dryer 2.",
                "The outlet set point for low heat powder on dryer 2 is 84 °C from now on.",
            ),
            (
                "Dogs are allowed in the office.",
                "Dogs are not allowed in the office.",
            ),
            ("The server is in Rotterdam.", "The server is in Ghent."),
            ("The release is on 4 May.", "The release is on 11 May."),
            (
                "The lease ends on 31 October 2026.",
                "The lease ends on 30 November 2026.",
            ),
            ("The price rises in spring.", "The price falls in spring."),
        ] {
            assert!(is_rival(one, other), "{one} {other}");
            assert!(is_rival(other, one), "{other} {one}");
            assert!(!is_rival(one, one), "{one}");
        }
        for (one, other) in [
            (
                "The warranty lasts 5 years.",
                "The warranty lasts five years.",
            ),
            (
                "The warranty lasts 5 years.",
                "In Ghent the warranty lasts 5 years.",
            ),
        ] {
            assert!(!is_rival(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_restatement_says_the_same_in_nearly_the_same_words() {
        let claim = "Insulating the outer walls of a house costs about two million euros, or 3 %.";
        for same in [
            claim,
            "Insulating the outer walls of a house costs 2 million euros, or three per cent.",
            "Insulating a house's outer walls currently costs about 2,000,000 €, or 3 percent.",
        ] {
            assert_eq!(difference(claim, same), None, "{same}");
        }
        for other in [
            "Insulating the outer walls of a house costs about two billion euros, or 3 %.",
            "Insulating the outer walls of a house costs about two million dollars, or 3 %.",
            "Insulating the outer walls of a house costs more than two million euros, or 3 %.",
            "Insulating the inner walls of a house costs about two million euros, or 3 %.",
            "Insulating the outer walls of a house may cost about two million euros, or 3 %.",
            "Insulating the outer walls of a house never costs about two million euros, or 3 %.",
            "Insulating the outer walls of a barn costs about two million euros, or 3 %.",
            "In 2020, insulating the outer walls of a house cost about two million euros, or 3 %.",
            "This costs about two million euros, or 3 %.",
        ] {
            assert!(difference(claim, other).is_some(), "{other}");
            assert!(difference(other, claim).is_some(), "{other}");
        }
    }

    #[test]
    fn passage_that_adds_an_alternative_does_not_restate_a_claim() {
        let claim = "The outdoor unit of a large heat pump needs a foundation of solid concrete.";
        let wider = "The outdoor unit of a large heat pump needs a foundation of solid concrete \
                     or steel.";
        assert_eq!(difference(claim, claim), None);
        assert_eq!(difference(claim, wider), Some(Difference::Alternative));
        assert!(difference(wider, claim).is_some());
        assert_eq!(difference(wider, wider), None);
    }

    #[test]
    fn names_and_the_order_of_time_are_part_of_a_statement() {
        let claim = "Ada Lovelace met Charles Babbage before the first engine was finished.";
        assert_eq!(difference(claim, claim), None);
        for other in [
            "Ada Lovelace met Charles Dickens before the first engine was finished.",
            "Ada Lovelace met Charles Babbage after the first engine was finished.",
        ] {
            assert!(difference(claim, other).is_some(), "{other}");
        }
        assert_eq!(
            difference(claim, "Ada Lovelace met Charles Babbage.")
                .map(|difference| difference.to_string()),
            Some("only one of the two is qualified".to_owned())
        );
    }

    #[test]
    fn what_depends_on_its_context_is_restated_by_nothing() {
        for claim in [
            "This RFC adds a keyword to the language.",
            "The station is served by two local trains.",
            "In 1971, they won the first cup of the league.",
            "Measurements were made at four angles of the wing.",
        ] {
            assert_eq!(
                difference(claim, claim),
                Some(Difference::Context),
                "{claim}"
            );
        }
    }
}

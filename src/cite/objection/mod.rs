//! Objections: the rules by which a claim is doubted or contradicted, whose words the sentences of
//! its sources have. Each rule is a file; [`objection`] tries them, the weightiest first.

mod addition;
mod aside;
pub(super) mod attribution;
mod ballot;
pub(super) mod belief;
pub(super) mod binding;
pub(super) mod clause;
mod comparative;
mod comparison;
mod copula;
mod counted;
mod date;
mod decision;
mod denial;
mod exception;
mod exchange;
mod gapping;
mod giving;
mod lapse;
mod mentions;
mod necessity;
mod numbered;
mod order;
mod other_subject;
pub(super) mod pairing;
mod past;
mod perception;
pub(super) mod permission;
pub(super) mod predicate;
mod reserved;
mod roles;
mod scope;
mod side;
mod signature;
mod span;
mod stand_in;
mod strength;
mod substitution;
mod sufficiency;
mod superlative;
mod taken;
pub(super) mod trend;
mod values;
mod venue;

use std::ops::Range;

use super::alignment::Alignment;
use super::coverage::Coverage;
use super::restatement::{Difference, Objection};
use super::statement::figure::Figure;
use super::statement::lexicon;
use super::statement::{ContentWord, Statement};
use crate::text;
use comparison::Comparison;

/// A rule for a statement of a claim and the range of its items.
type Rule = fn(&Coverage<'_>, &Statement, &Range<usize>) -> Option<Objection>;

/// The rules for who does something, how many of what, and who only signs.
const OF_PERSONS: [Rule; 3] = [
    roles::objection,
    counted::objection,
    |coverage, claim, _| signature::objection(coverage, claim),
];

/// The rules for what is said of another thing, or of more things.
const OF_THINGS: [Rule; 3] = [
    predicate::objection,
    |coverage, claim, items| binding::difference(coverage, claim, items).map(Objection::doubt),
    |coverage, claim, _| scope::difference(coverage, claim).map(Objection::doubt),
];

/// The rule for one word in the place of another.
const OF_WORDS: [Rule; 1] = [|coverage, claim, _| substitution::objection(coverage, claim)];

/// The objection to a claim by the sentences that say most of it, the weightiest first.
pub(super) fn objection(claim: &str, coverage: &Coverage<'_>) -> Option<Objection> {
    let first = |rules: &[Rule]| {
        rules.iter().find_map(|rule| {
            let mut statements = coverage.statements();
            statements.find_map(|(claim, items)| rule(coverage, claim, &items))
        })
    };
    let objection = retracted(claim, coverage)
        .or_else(|| difference(coverage))
        .or_else(|| first(&OF_PERSONS))
        .or_else(|| missing_number(coverage))
        .or_else(|| missing_person(coverage))
        .or_else(|| addition(claim, coverage))
        .or_else(|| first(&OF_THINGS))
        .or_else(|| exchange::sequence(coverage))
        .or_else(|| first(&OF_WORDS))?;
    let is_of_other = objection.is_of_other_number() && coverage.has_all_numbers();
    Some(if is_of_other {
        Objection::doubt(objection.difference)
    } else {
        objection
    })
}

/// What the sentences say in the place of a part of a claim; a contradiction comes first.
fn difference(coverage: &Coverage<'_>) -> Option<Objection> {
    let compared = coverage
        .statements()
        .filter_map(|(claim, items)| compared(coverage, claim, items));
    let given = coverage
        .statements()
        .filter_map(|(claim, _)| giving::objection(coverage, claim));
    let gapped = coverage
        .statements()
        .filter_map(|(claim, _)| gapping::objection(coverage, claim));
    let numbered = coverage
        .statements()
        .filter_map(|(claim, _)| numbered::objection(coverage, claim));
    let paired = coverage
        .statements()
        .filter_map(|(claim, items)| pairing::objection(coverage, claim, &items));
    let sides = coverage
        .statements()
        .filter_map(|(claim, _)| side::objection(coverage, claim));
    let ballots = coverage
        .statements()
        .filter_map(|(claim, _)| ballot::objection(coverage, claim));
    // Who does it to whom is turned, whether it is so or only thought.
    let mut statements = coverage.statements();
    let turned = statements.find_map(|(claim, items)| roles::objection(coverage, claim, &items));
    let objections = compared
        .chain(ballots)
        .chain(values::objection(coverage))
        .chain(paired)
        .chain(sides)
        .chain(gapped)
        .chain(given)
        .chain(numbered)
        .chain(turned.filter(|own| own.is_contradiction));
    objections.min_by_key(|objection| !objection.is_contradiction)
}

/// The objection by the sentence that says most of a statement, or else by another one that counts.
fn compared(coverage: &Coverage<'_>, claim: &Statement, items: Range<usize>) -> Option<Objection> {
    let best = Comparison::of(coverage, claim, items)?;
    // What is denied outside of a span is said within it.
    if span::are_one(best.claim(), best.own()) {
        return None;
    }
    best.objection().or_else(|| {
        let chosen = coverage.chosen().iter();
        let mut others = chosen.map(|sentence| best.beside(*sentence));
        others.find_map(|other| {
            let lapse = || lapse::beside(&best.there, &other.there);
            let decided = other.exclusion().or_else(|| other.as_decided());
            decided.or_else(|| lapse().filter(|_| best.is_simple()))
        })
    })
}

/// A number of a claim that no sentence has.
fn missing_number(coverage: &Coverage<'_>) -> Option<Objection> {
    let number = coverage.missing_number()?.to_owned();
    Some(Objection::doubt(Difference::Number(number, None)))
}

/// What the sentence that says most of a claim says, though the next one says that it is wrong.
fn retracted(claim: &str, coverage: &Coverage<'_>) -> Option<Objection> {
    let best = coverage.chosen().first()?;
    let sentence = coverage.sentence(*best);
    // What is said of another thing, or with another number, is not what the claim says.
    let is_said = || {
        let statement = Statement::parse(claim);
        let there = Alignment::of(&statement, sentence);
        let is_size = |own: &&Figure| !own.is_date();
        let mut sizes = statement.figures.iter().filter(is_size).peekable();
        // "The mill in Ghent ground 420 tonnes. That figure is wrong": the mill is there.
        let has_own = sizes.peek().is_some() || !sentence.figures.iter().any(|own| is_size(&own));
        has_own
            && 2 * there.missing().count() <= statement.words.len()
            && sizes.all(|own| sentence.figures.iter().any(|other| own.has_value_of(other)))
    };
    let is_retracted = sentence.is_retracted && is_said();
    let is_report = || {
        text::folded(claim)
            .iter()
            .any(|word| lexicon::is_giving(word))
    };
    (is_retracted && !is_report()).then(|| Objection::contradiction(Difference::Negation))
}

/// The name of somebody in a German claim that no sentence has. All nouns have a capital there, so
/// that it is told by the noun before it: "Stadträtin Lohse".
fn missing_person(coverage: &Coverage<'_>) -> Option<Objection> {
    let of = |claim: &Statement| {
        let is_person = |name: &&ContentWord| {
            let before = claim.words.iter().filter(|own| own.is_name);
            let mut before = before.map(|own| own.position + 1);
            claim.has_free_order && before.any(|at| at == name.position)
        };
        coverage.missing_names().find(is_person)
    };
    let person = coverage.statements().find_map(|(claim, _)| of(claim))?;
    Some(Objection::doubt(Difference::Name(person.folded.clone())))
}

/// What a claim adds to that which its sentences say.
fn addition(claim: &str, coverage: &Coverage<'_>) -> Option<Objection> {
    let words = claim.get(addition::of(coverage)?)?.to_owned();
    Some(Objection::doubt(Difference::Addition(words)))
}

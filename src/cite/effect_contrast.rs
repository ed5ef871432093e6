//! The contrast of two statements on an effect: "Tea reduced the pain in old people", "Tea did not
//! reduce the pain of people in homes". Whom each is on, it says in its own words, so that only who
//! wants to know what the documents differ in is shown them.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::contrast::{Contrast, INDEFINITE, said};
use super::statement::{ContentWord, Statement};
use crate::artifact::analysis::ContradictionKind;
use crate::text;

/// Verbs of effects; a closed list, written by hand.
const EFFECTS: &[&str] = &[
    "accelerate",
    "decrease",
    "delay",
    "extend",
    "improve",
    "increase",
    "lengthen",
    "lower",
    "prevent",
    "prolong",
    "raise",
    "reduce",
    "shorten",
    "slow",
    "weaken",
    "worsen",
];

static EFFECT_STEMS: LazyLock<Vec<String>> =
    LazyLock::new(|| EFFECTS.iter().map(|effect| text::stem(effect)).collect());

/// Words behind what an effect is on, before whom, where and when.
const BEHIND_OBJECT: &[&str] = &[
    "after", "against", "among", "at", "because", "between", "but", "by", "compared", "during",
    "for", "from", "if", "in", "on", "or", "over", "than", "to", "when", "where", "while", "with",
    "within",
];

/// The labels of the parts of an abstract, which may stand before what they give.
const ABSTRACT: &[&str] = &[
    "conclusion",
    "conclusions",
    "finding",
    "findings",
    "interpretation",
    "result",
    "results",
];

/// Auxiliaries by which an effect is denied, before "not".
const AUXILIARIES: &[&str] = &["did", "do", "does"];

/// An effect that a statement affirms or denies.
struct Effect<'a> {
    verb: &'a str,
    is_denied: bool,
    /// The stems of what has it, of what it is on, and of the rest.
    cause: BTreeSet<&'a str>,
    object: BTreeSet<&'a str>,
    rest: BTreeSet<&'a str>,
    /// The names in the rest.
    names: BTreeSet<&'a str>,
}

impl<'a> Effect<'a> {
    /// The effect that a statement is on: "Tea reduced the pain", "Tea did not reduce it".
    fn of(statement: &'a Statement) -> Option<Self> {
        let words = statement.words.get(statement.label..)?;
        let at = words
            .iter()
            .position(|word| EFFECT_STEMS.contains(&word.stem))?;
        let (before, verb, behind) = (&words[..at], &words[at], &words[at + 1..]);
        // "**Conclusions:** Tea reduced it", "In this trial, tea reduced it".
        let start = before.iter().rposition(|word| word.follows_mark);
        let before = &before[start.unwrap_or(0)..];
        let is_label = |word: &ContentWord| ABSTRACT.contains(&&*word.folded);
        let before = &before[before.iter().take_while(|word| is_label(word)).count()..];
        let tokens: Vec<&str> = statement.normal.split(' ').collect();
        let token = |back: usize| Some(*tokens.get(verb.position.checked_sub(back)?)?);
        let is_denied = token(1) == Some("not")
            && token(2).is_some_and(|own| AUXILIARIES.contains(&own))
            && statement.negations == 1;
        // "To reduce", "was reduced" and "reducing" state no effect.
        let is_finite = verb.folded.ends_with("ed") || verb.folded.ends_with('s');
        let is_affirmed = is_finite && statement.negations == 0 && !verb.follows_be;
        let ends = |word: &ContentWord| {
            let between = tokens
                .get(verb.position + 1..=word.position)
                .unwrap_or_default();
            between.iter().any(|own| BEHIND_OBJECT.contains(own))
        };
        let end = behind.iter().position(ends).unwrap_or(behind.len());
        let (object, rest) = behind.split_at(end);
        let stems = |words: &'a [ContentWord]| -> BTreeSet<&'a str> {
            let words = words.iter().filter(|word| !word.is_light());
            words.map(|word| word.stem.as_str()).collect()
        };
        let names = rest.iter().filter(|word| word.is_name);
        (is_denied || is_affirmed).then(|| Self {
            verb: &verb.stem,
            is_denied,
            cause: stems(before),
            object: stems(object),
            rest: stems(rest),
            names: names.map(|word| word.stem.as_str()).collect(),
        })
    }

    /// `true` if one affirms what the other denies: of one cause, which one of them may name more
    /// closely, on the same, and of people and places that have a word in common.
    fn excludes(&self, other: &Self) -> bool {
        let is_within = |one: &BTreeSet<&str>, other: &BTreeSet<&str>| {
            one.is_subset(other) || other.is_subset(one)
        };
        let are_both = |one: &BTreeSet<&str>, other: &BTreeSet<&str>| {
            !one.is_empty() && !other.is_empty() && one.is_disjoint(other)
        };
        self.verb == other.verb
            && self.is_denied != other.is_denied
            && !self.cause.is_empty()
            && !other.cause.is_empty()
            && is_within(&self.cause, &other.cause)
            && !self.object.is_empty()
            && self.object == other.object
            && !are_both(&self.rest, &other.rest)
            && !are_both(&self.names, &other.names)
    }
}

impl Statement {
    /// The contrast of an effect that one of two statements affirms and the other one denies.
    pub fn contrast_of_effects(&self, other: &Self) -> Option<Contrast> {
        let is_definite = |own: &Self| {
            let mut indefinite = INDEFINITE.iter();
            !own.is_question
                && !own.is_deictic
                && indefinite.all(|one| !own.qualifiers.contains_key(one))
        };
        let (times, others) = (self.times(), other.times());
        let have_common_times = times.is_subset(&others) || others.is_subset(&times);
        let (effect, rival) = (Effect::of(self)?, Effect::of(other)?);
        let is_contrast =
            is_definite(self) && is_definite(other) && have_common_times && effect.excludes(&rival);
        is_contrast.then(|| Contrast {
            kind: ContradictionKind::Negation,
            one: said(self),
            other: said(other),
            unit: String::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_is_denied_of_people_who_are_named_otherwise() {
        let reduced = "Daily black tea reduced severe joint pain in old residents.";
        for (other, excludes) in [
            (
                "Results: Black tea did not reduce severe joint pain among residents of homes.",
                true,
            ),
            (
                "Daily black tea did not reduce severe joint pain in old residents of two towns.",
                true,
            ),
            (
                "Black tea did not reduce severe joint pain in children.",
                false,
            ),
            (
                "Black tea did not reduce severe falls in old residents.",
                false,
            ),
            (
                "Green tea did not reduce severe joint pain in old residents.",
                false,
            ),
            ("Black tea reduced severe joint pain in residents.", false),
            ("We wanted to reduce severe joint pain by black tea.", false),
        ] {
            let (one, other) = (Statement::parse(reduced), Statement::parse(other));
            assert_eq!(
                one.contrast_of_effects(&other).is_some(),
                excludes,
                "{other:?}"
            );
            assert_eq!(
                other.contrast_of_effects(&one).is_some(),
                excludes,
                "{other:?}"
            );
        }
    }
}

//! Comparatives: which of two things has more of a quality, and in which respect. "More expensive
//! to buy than a boiler and cheaper to run" has the words of both claims that exchange the two, and
//! of those that exchange the things.

use std::collections::BTreeSet;

use super::super::alignment::Alignment;
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon;
use super::super::statement::opposites;
use super::super::statement::{ContentWord, Statement};
use crate::text;

/// Words that make a comparative of the adjective behind them, and whether they say that there is
/// more.
const DEGREES: &[(&str, bool)] = &[("more", true), ("less", false)];

/// Stems of verbs that say with "more" what an adjective says of their subject: "costs more" is "is
/// more expensive"; a closed list, written by hand.
const VERBS: &[(&str, &str)] = &[
    ("cost", "expensive"),
    ("last", "longer"),
    ("weigh", "heavier"),
];

/// Words behind which a thing that another one is compared with has ended; a closed list, written
/// by hand.
const ENDS: &[&str] = &[
    "and", "or", "but", "as", "if", "when", "while", "because", "so", "in", "on", "at", "by",
    "for", "per", "over", "during", "is", "are", "was", "were", "to",
];

/// The number of words before a comparative among which its negation is.
const NEGATED: usize = 3;

/// A comparative of a statement.
struct Degree {
    /// The index of its first word.
    at: usize,
    /// What it measures, as [`opposites::scale`] names it, or the stem of the word behind "more".
    scale: String,
    /// `true` on the side of more of that.
    is_more: bool,
    /// Its words.
    words: String,
    /// The stem of the verb behind "to" that says in which respect: "buy".
    respect: Option<String>,
}

/// The outcome of a comparison of two statements that compare the same things.
enum Outcome {
    Agrees,
    Differs(Objection),
}

/// The objection to a claim that compares two things the other way round than its sentence.
pub(super) fn objection(there: &Alignment<'_>) -> Option<Objection> {
    match outcome(there)? {
        Outcome::Agrees => None,
        Outcome::Differs(objection) => Some(objection),
    }
}

/// `true` if a claim compares two things as its sentence does, perhaps from the other side: "a
/// boiler is cheaper than a pump", "a pump is more expensive than a boiler".
pub(super) fn agree(there: &Alignment<'_>) -> bool {
    matches!(outcome(there), Some(Outcome::Agrees))
}

fn outcome(there: &Alignment<'_>) -> Option<Outcome> {
    let (claim, own) = (there.one, there.other);
    let (degrees, others) = (degrees(claim), degrees(own));
    let is_turned = is_turned(Sides::of(claim, &degrees)?, Sides::of(own, &others)?)?;
    degrees.iter().find_map(|degree| {
        let of_scale = others.iter().filter(|other| other.scale == degree.scale);
        let of_scale: Vec<&Degree> = of_scale.collect();
        let says = |respect: &String| claim.words.iter().any(|word| word.stem == *respect);
        let in_respect = of_scale.iter().filter(|other| match &degree.respect {
            Some(_) => other.respect == degree.respect,
            None => other.respect.as_ref().is_some_and(says),
        });
        let mut relevant: Vec<&Degree> = in_respect.copied().collect();
        if relevant.is_empty() && degree.respect.is_none() {
            relevant = of_scale;
        }
        let first = relevant.first()?;
        let agrees = |other: &Degree| (other.is_more == degree.is_more) != is_turned;
        if relevant.iter().all(|other| agrees(other)) {
            return Some(Outcome::Agrees);
        }
        let difference = if is_turned {
            Difference::Order
        } else {
            Difference::Opposite(degree.words.clone(), first.words.clone())
        };
        // In one respect it may be so, and in another one the contrary.
        let is_contrary = relevant.iter().all(|other| !agrees(other));
        let objection = match (is_contrary, agrees(first)) {
            (true, _) => Objection::contradiction(difference),
            (false, false) => Objection::doubt(difference),
            (false, true) => return None,
        };
        Some(Outcome::Differs(objection))
    })
}

/// The stems of what is compared, and of what it is compared with, each without those of both.
struct Sides<'a> {
    subject: BTreeSet<&'a str>,
    /// Empty without "than".
    standard: BTreeSet<&'a str>,
}

impl<'a> Sides<'a> {
    /// The sides of a statement with a comparative and at most one "than" that no number follows.
    fn of(statement: &'a Statement, degrees: &[Degree]) -> Option<Self> {
        let tokens: Vec<&str> = statement.normal.split(' ').collect();
        let is_than = |at: &usize| tokens[*at] == "than" && !is_number(tokens.get(at + 1));
        let thans: Vec<usize> = (0..tokens.len()).filter(is_than).collect();
        let first = degrees.first()?.at;
        let stems = |from: usize, to: usize| {
            let words = statement.words.iter();
            let words = words.filter(|word| (from..to).contains(&word.position));
            words.map(|word: &ContentWord| word.stem.as_str()).collect()
        };
        let subject: BTreeSet<&str> = stems(0, first);
        let standard: BTreeSet<&str> = match thans[..] {
            [] => BTreeSet::new(),
            [than] if than > first => {
                let mark = statement.words.iter().find(|word| {
                    let is_behind = word.position > than + 2;
                    is_behind && word.follows_mark
                });
                let mark = mark.map_or(tokens.len(), |word| word.position);
                let behind = &tokens[than + 1..mark];
                let end = behind.iter().position(|token| ENDS.contains(token));
                stems(than + 1, than + 1 + end.unwrap_or(behind.len()))
            }
            _ => return None,
        };
        Some(Self {
            subject: &subject - &standard,
            standard: &standard - &subject,
        })
    }
}

/// `true` if a claim has the two sides of a sentence in each other's places, `false` if in the same
/// ones; `None` if it compares other things.
fn is_turned(claim: Sides<'_>, own: Sides<'_>) -> Option<bool> {
    let share = |one: &BTreeSet<&str>, other: &BTreeSet<&str>| !one.is_disjoint(other);
    let (subject, standard) = (&claim.subject, &claim.standard);
    let is_straight = share(subject, &own.subject) && !share(subject, &own.standard);
    let is_turned = share(subject, &own.standard) && !share(subject, &own.subject);
    let is_whole = standard.is_empty();
    if own.standard.is_empty() {
        return None;
    }
    if is_straight && (is_whole || share(standard, &own.standard)) && !share(standard, &own.subject)
    {
        return Some(false);
    }
    let is_other_turned = share(standard, &own.subject) && !share(standard, &own.standard);
    (is_turned && (is_whole || is_other_turned)).then_some(true)
}

fn is_number(token: Option<&&str>) -> bool {
    token.is_some_and(|token| token.starts_with(|c: char| c.is_ascii_digit()))
}

/// The comparatives of a statement that nothing negates.
fn degrees(statement: &Statement) -> Vec<Degree> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let is_plain = |degree: &Degree| {
        let before = &tokens[degree.at.saturating_sub(NEGATED)..degree.at];
        !before.iter().any(|token| lexicon::is_negation(token))
    };
    let degrees = (0..tokens.len()).filter_map(|at| degree(&tokens, at));
    degrees.filter(is_plain).collect()
}

/// The comparative that begins with a word, if one does.
fn degree(tokens: &[&str], at: usize) -> Option<Degree> {
    let (token, next) = (tokens[at], tokens.get(at + 1));
    let more = DEGREES.iter().find(|(word, _)| *word == token);
    let (scale, is_more, count) = match (more, next) {
        // "More than 5" bounds a number.
        (Some(_), Some(&"than")) if is_number(tokens.get(at + 2)) => return None,
        (Some((_, is_more)), Some(next)) if !text::is_stop_word(next) && !is_number(Some(next)) => {
            let scale = opposites::scale(next);
            let (scale, side) = scale.unwrap_or_else(|| (text::stem(next), true));
            (scale, side == *is_more, 2)
        }
        (Some((_, is_more)), _) => {
            let mut before = tokens[..at].iter().rev().map(|own| text::stem(own));
            let adjective = before.find_map(|stem| {
                let verb = VERBS.iter().find(|(verb, _)| *verb == stem)?;
                Some(verb.1)
            });
            let (scale, side) = opposites::scale(adjective?)?;
            (scale, side == *is_more, 1)
        }
        (None, _) if token.ends_with("er") => {
            let (scale, side) = opposites::scale(token)?;
            (scale, side, 1)
        }
        (None, _) => return None,
    };
    let behind = tokens.get(at + count..).unwrap_or_default();
    let respect = match behind {
        ["to", verb, ..] if !text::is_stop_word(verb) => {
            Some(text::stem(lexicon::base(verb).unwrap_or(verb)))
        }
        _ => None,
    };
    Some(Degree {
        at,
        scale,
        is_more,
        words: tokens[at..at + count].join(" "),
        respect,
    })
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict::{self, Contradicted, Partial, Supported};
    use crate::cite::support;

    #[test]
    fn what_is_more_of_one_thing_is_less_of_the_other() {
        let costs = "A pump is more expensive to buy than a boiler and usually cheaper to run.";
        let plain = "A pump is more expensive than a boiler.";
        let less = "Line A costs 18 % less than line B.";
        let cases: &[(&str, &str, Verdict)] = &[
            (
                "A pump is more expensive to buy than a boiler.",
                costs,
                Supported,
            ),
            ("A pump is cheaper to run than a boiler.", costs, Supported),
            ("A boiler is cheaper to buy than a pump.", costs, Supported),
            (
                "A boiler is more expensive to run than a pump.",
                costs,
                Supported,
            ),
            (
                "A pump is cheaper to buy than a boiler.",
                costs,
                Contradicted,
            ),
            (
                "A pump is less expensive to buy than a boiler.",
                costs,
                Contradicted,
            ),
            (
                "A boiler is more expensive to buy than a pump.",
                costs,
                Contradicted,
            ),
            (
                "Running a pump is usually more expensive than running a boiler.",
                costs,
                Contradicted,
            ),
            // In one respect so, in the other one not.
            ("A boiler costs more than a pump.", costs, Partial),
            // Not said in these words, but no contradiction.
            ("A boiler is cheaper than a pump.", plain, Partial),
            ("A boiler is less expensive than a pump.", plain, Partial),
            ("A boiler costs more than a pump.", plain, Contradicted),
            ("A pump is cheaper than a boiler.", plain, Contradicted),
            ("Line A costs 18 % more than line B.", less, Contradicted),
            ("Line A costs 18 % less than line B.", less, Supported),
        ];
        for (claim, passage, verdict) in cases {
            let support = support(claim, passage);
            assert_eq!(support.verdict, *verdict, "{claim} {support:?}");
        }
    }
}

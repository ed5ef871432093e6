//! Permissions: of two answers to one question, one permits what the other forbids.

use super::super::alignment::{Alignment, has_word};
use super::super::restatement::{Difference, Objection};
use super::super::statement::{ContentWord, Statement};

/// Words that permit, or with a negation forbid.
const PERMISSIONS: &[&str] = &["may", "can", "allowed", "permitted"];

/// Other words that do, where a condition stands beside them.
const POSSIBILITIES: &[&str] = &["must", "cannot", "possible"];

/// Words with which the condition of a statement begins, or what it excepts.
const CONDITIONS: &[&str] = &["if", "unless", "provided", "when", "except", "as"];

/// Words with which the reason of a statement begins.
const REASONS: &[&str] = &["because", "since"];

/// Verbs of permission, as their negation forbids: "We do not allow dogs".
const VERBS: &[&str] = &["allow", "permit"];

/// Words that leave open how much is forbidden, or when.
const LIMITS: &[&str] = &[
    "without", "only", "before", "after", "until", "unless", "other", "more", "always", "any",
];

/// Words that forbid.
const PROHIBITIONS: &[&str] = &["banned", "forbidden", "prohibited"];

/// Words before examples or reasons of a prohibition, which do not limit it.
const ADDITIONS: &[&str] = &["because", "even", "including", "since"];

/// Words of a place that make it no other.
const WHOLE: &[&str] = &["all", "entire", "whole"];

/// The least number of content words of what is forbidden.
const FORBIDDEN_WORDS: usize = 2;

/// What a statement permits or forbids, if something is there or is not.
struct Rule<'a> {
    permits: bool,
    /// `true` for "with", and the word behind it or behind "without".
    condition: Option<(bool, &'a ContentWord)>,
}

impl<'a> Rule<'a> {
    fn of(statement: &'a Statement) -> Option<Self> {
        let words: Vec<&str> = statement.normal.split(' ').collect();
        let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let is_prohibition = has(PROHIBITIONS);
        let is_permission = has(PERMISSIONS) || has(VERBS) || has(POSSIBILITIES);
        let denials = statement.denials();
        let condition = words
            .iter()
            .position(|word| matches!(*word, "with" | "without"))
            .and_then(|at| {
                let mut behind = statement.words.iter();
                let word = behind.find(|word| word.position > at)?;
                Some((words[at] == "with", word))
            });
        let is_obligation = words.contains(&"must") && denials == 0;
        (is_prohibition || is_permission && !is_obligation).then_some(Self {
            permits: is_prohibition == (denials % 2 == 1),
            condition,
        })
    }
}

/// The rules of two statements with conditions of the same thing, and whether they are the same
/// condition: "with a permit" and "without a permit" are two.
fn conditional<'a>(pair: &Alignment<'a>) -> Option<([Rule<'a>; 2], bool)> {
    let [one, other] = [Rule::of(pair.one)?, Rule::of(pair.other)?];
    let ((has, word), (other_has, other_word)) = (one.condition?, other.condition?);
    (word.stem == other_word.stem).then_some(([one, other], has == other_has))
}

/// `true` if two statements are the same rule: both permit or both forbid, under the same condition
/// if any; or the one permits with what the other forbids without.
pub(in crate::cite) fn agree(pair: &Alignment<'_>) -> bool {
    if let Some(([one, other], is_same)) = conditional(pair) {
        return (one.permits == other.permits) == is_same;
    }
    let rules = Rule::of(pair.one).zip(Rule::of(pair.other));
    rules.is_some_and(|(one, other)| {
        let is_plain = one.condition.is_none() && other.condition.is_none();
        is_plain && !one.permits && !other.permits
    })
}

/// `true` if one of two statements says "unless" where the other says "without", and the two deny
/// as often: "may not be kept without consent", "shall not be kept unless he has consented".
pub(super) fn excepts_the_same(pair: &Alignment<'_>) -> bool {
    let says = |statement: &Statement, own: &str| {
        let mut words = statement.normal.split(' ');
        words.any(|word| word == own)
    };
    let turns = |one: &Statement, other: &Statement| {
        says(one, "without") && says(other, "unless") && one.denials() == other.denials()
    };
    turns(pair.one, pair.other)
        || turns(pair.other, pair.one)
        || leaves_out_the_same(pair.one, pair.other)
        || leaves_out_the_same(pair.other, pair.one)
}

/// Words before what an amount does not include: "50 euros before VAT".
const NOT_INCLUDED: &[&str] = &["before", "excl", "excluding", "net", "plus"];

/// `true` if one of two statements says "without" of what the other leaves out of an amount: "50
/// euros without VAT", "50 euros plus VAT".
fn leaves_out_the_same(one: &Statement, other: &Statement) -> bool {
    let behind = |statement: &Statement, words: &[&str]| -> Option<String> {
        let mut tokens = statement.normal.split(' ');
        tokens.find(|token| words.contains(token))?;
        tokens.find(|token| *token != "of").map(str::to_owned)
    };
    let left_out = behind(one, &["without"]);
    left_out.is_some() && !one.figures.is_empty() && left_out == behind(other, NOT_INCLUDED)
}

/// What one of two statements forbids under the condition under which the other permits it: "Anyone
/// may park without a permit" where "Parking is forbidden without a permit".
fn is_forbidden_so(pair: &Alignment<'_>) -> bool {
    conditional(pair).is_some_and(|([one, other], is_same)| {
        let (permission, prohibition) = if one.permits {
            (pair.one, pair.other)
        } else {
            (pair.other, pair.one)
        };
        let is_rule = |word: &ContentWord| {
            let lists = [PERMISSIONS, VERBS, POSSIBILITIES, PROHIBITIONS];
            lists.iter().any(|list| list.contains(&&*word.folded))
        };
        let mut forbidden = prohibition.words.iter();
        is_same
            && one.permits != other.permits
            && !pair.one.is_question
            && !pair.other.is_question
            && forbidden
                .all(|word| is_rule(word) || word.is_light() || has_word(&permission.words, word))
    })
}

/// `true` if one of two statements permits something, perhaps under a condition, and the other
/// forbids it: "Dogs may be let in if they are quiet", "Dogs must not be let in".
pub(in crate::cite) fn is_forbidden(pair: &Alignment<'_>) -> bool {
    let (permission, prohibition) = if forbids(pair.one) {
        (pair.other, pair.one)
    } else {
        (pair.one, pair.other)
    };
    pair.is_negated()
        && permits(permission)
        && forbids(prohibition)
        && [permission, prohibition].iter().all(|own| !own.is_question)
        && (says_all(permission, prohibition) || says_all(prohibition, permission))
}

fn permits(statement: &Statement) -> bool {
    let mut words = statement.normal.split(' ');
    words.any(|word| PERMISSIONS.contains(&word))
}

fn forbids(statement: &Statement) -> bool {
    statement.negations % 2 == 1 && (permits(statement) || statement.normal.contains("must not"))
}

/// What a claim permits, and its source forbids altogether: "Members may bring dogs to the yard"
/// where "We do not allow dogs". A prohibition that is limited by anything that the claim lacks
/// says nothing of it.
pub(super) fn objection(pair: &Alignment<'_>) -> Option<Objection> {
    let contradiction = || Objection::contradiction(Difference::Negation);
    if is_forbidden_so(pair) {
        return Some(contradiction());
    }
    let (claim, own) = (pair.one, pair.other);
    let says = |statement: &Statement, list: &[&str]| {
        let mut words = statement.normal.split(' ');
        words.any(|word| list.contains(&word))
    };
    let permits = says(claim, PERMISSIONS)
        && claim.negations == 0
        && !says(claim, CONDITIONS)
        && !claim.is_question;
    if permits && !says(own, CONDITIONS) && !says(own, LIMITS) && is_prohibited(claim, own) {
        return Some(contradiction());
    }
    if permits && denies_all_of(claim, own) {
        return Some(Objection::doubt(Difference::Negation));
    }
    let forbids = own.negations == 1
        && (says(own, PERMISSIONS) || says(own, VERBS))
        && !says(own, CONDITIONS)
        && !says(own, LIMITS);
    if !permits || !forbids || own.is_question || !own.figures.is_empty() {
        return None;
    }
    let is_permission = |word: &ContentWord| {
        let word = word.stem.as_str();
        VERBS.contains(&word) || PERMISSIONS.contains(&word)
    };
    let forbidden: Vec<&ContentWord> = own
        .words_before(REASONS)
        .filter(|word| !word.is_light() && !is_permission(word))
        .collect();
    let is_whole = forbidden.iter().all(|word| has_word(&claim.words, word));
    (is_whole && !forbidden.is_empty()).then(contradiction)
}

/// `true` if a source denies a possibility of all that a claim permits, perhaps of more: "Bicycles
/// are allowed on the bus" where "bicycles cannot be carried on the bus".
fn denies_all_of(claim: &Statement, own: &Statement) -> bool {
    let words: Vec<&str> = own.normal.split(' ').collect();
    let is_permission = |word: &str| word == "cannot" || PERMISSIONS.contains(&word);
    let is_negation = |pair: &[&str]| {
        is_permission(pair[0]) && pair[1] == "not" || pair[0] == "not" && is_permission(pair[1])
    };
    let permissions = words.iter().filter(|word| is_permission(word));
    let is_direct = words.contains(&"cannot") || words.windows(2).any(is_negation);
    let is_denied = own.negations == 1 && is_direct && permissions.count() == 1 && !own.is_question;
    let mut permitted = claim
        .words
        .iter()
        .filter(|word| !word.is_light() && !is_permission(&word.folded))
        .peekable();
    is_denied && permitted.peek().is_some() && permitted.all(|word| has_word(&own.words, word))
}

/// `true` if a source prohibits one of the things that it names, "Photographing and filming are
/// prohibited", and a claim names that, and the place if the source does.
fn is_prohibited(claim: &Statement, own: &Statement) -> bool {
    let is_prohibition = |word: &ContentWord| PROHIBITIONS.contains(&word.folded.as_str());
    let Some(verb) = own.words.iter().position(is_prohibition) else {
        return false;
    };
    let says_little = |word: &ContentWord| word.is_light() || WHOLE.contains(&&*word.folded);
    let is_claimed = |word: &ContentWord| says_little(word) || has_word(&claim.words, word);
    let normal: Vec<&str> = own.normal.split(' ').collect();
    let is_joint = |one: &ContentWord, next: &ContentWord| {
        let between = normal.get(one.position + 1..next.position);
        between.is_none_or(|between| !between.is_empty())
    };
    let mut things = own.words[..verb].chunk_by(|one, next| !is_joint(one, next));
    let mut location = own.words_before(ADDITIONS).skip(verb + 1);
    // "No. Photographing is prohibited."
    let replies = usize::from(normal.first() == Some(&"no"));
    own.negations == replies
        && !own.is_question
        && own.figures.is_empty()
        && things.any(|thing| thing.iter().all(is_claimed))
        && location.all(is_claimed)
}

/// `true` if the second of two statements has all content words of the first, but for those of its
/// condition.
fn says_all(one: &Statement, other: &Statement) -> bool {
    let words = one.words_before(CONDITIONS);
    let (shared, missing): (Vec<&ContentWord>, Vec<&ContentWord>) = words
        .filter(|word| !word.is_light())
        .partition(|word| has_word(&other.words, word));
    missing.is_empty() && shared.len() >= FORBIDDEN_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forbidden_altogether_is_not_permitted_somewhere() {
        for (claim, passage, expected) in [
            (
                "Members may bring alcohol to private parties.",
                "We don't allow alcohol, because people are using blades.",
                true,
            ),
            ("Dogs may stay in the yard.", "Dogs are not allowed.", true),
            (
                "Dogs may stay in the yard.",
                "Dogs are not allowed in the kiln room.",
                false,
            ),
            (
                "Assistance dogs may enter.",
                "Dogs are not allowed, except assistance dogs.",
                false,
            ),
            (
                "Dogs may not stay in the yard.",
                "Dogs are not allowed.",
                false,
            ),
            (
                "Guests may take photographs in the building.",
                "No. Photographing and filming are prohibited in the whole building, including \
                 with smart watches.",
                true,
            ),
            (
                "Guests may take photographs in the garden.",
                "Photographing is prohibited in the building.",
                false,
            ),
            (
                "Guests may bring plastic bottles.",
                "Glass bottles are forbidden.",
                false,
            ),
            (
                "Guests may take photographs.",
                "Photographing is prohibited without a permit.",
                false,
            ),
            (
                "Guests may take photographs.",
                "Photographing is not prohibited.",
                false,
            ),
        ] {
            let (one, other) = (Statement::parse(claim), Statement::parse(passage));
            let objection = objection(&Alignment::of(&one, &other));
            assert_eq!(objection.is_some(), expected, "{claim} {other:?}");
        }
    }

    #[test]
    fn what_is_denied_with_more_words_is_not_allowed() {
        let (denied, both) = (
            "Please note that bicycles cannot be carried on the bus.",
            "Bicycles are allowed on the bus, but they cannot be left there.",
        );
        for (claim, passage, expected) in [
            ("Bicycles are allowed on the bus.", denied, true),
            ("Bicycles are allowed on the tram.", denied, false),
            ("Bicycles are allowed on the bus.", both, false),
        ] {
            let (one, other) = (Statement::parse(claim), Statement::parse(passage));
            let objection = objection(&Alignment::of(&one, &other));
            assert_eq!(objection.is_some(), expected, "{claim}");
        }
    }

    #[test]
    fn permission_and_prohibition_of_one_thing_exclude_each_other() {
        for (one, other, expected) in [
            (
                "E-bike batteries may be charged overnight in the workshop if the detector is on.",
                "After the fire I want to be strict: e-bike batteries must not be charged in the \
                 workshop overnight.",
                true,
            ),
            (
                "Dogs are not allowed in the park.",
                "Dogs are allowed in the park.",
                true,
            ),
            (
                "Dogs may enter the garden.",
                "Dogs may not enter the building.",
                false,
            ),
            (
                "Students may borrow tools.",
                "Visitors may not borrow tools.",
                false,
            ),
            (
                "Dogs may enter the garden.",
                "Dogs may enter the garden on a lead.",
                false,
            ),
        ] {
            let (one, other) = (Statement::parse(one), Statement::parse(other));
            for (one, other) in [(&one, &other), (&other, &one)] {
                let pair = Alignment::of(one, other);
                assert_eq!(is_forbidden(&pair), expected, "{one:?} {other:?}");
            }
        }
    }
}

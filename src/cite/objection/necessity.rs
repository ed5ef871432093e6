//! Necessity: what one statement requires, and another one says to be needless.

use super::super::coverage::Item;
use super::super::restatement::{Difference, Objection};
use super::super::statement::Statement;
use super::super::statement::lexicon;
use crate::text;

/// Words that require, folded.
const REQUIRING: &[&str] = &[
    "must",
    "shall",
    "require",
    "requires",
    "required",
    "need",
    "needs",
    "needed",
    "demand",
    "demands",
    "demanded",
    "necessary",
    "mandatory",
    "obligatory",
    "compulsory",
    "obliged",
    "have",
    "has",
];

/// Words of a condition or an exception, under which both may be so.
const CONDITIONS: [&str; 7] = [
    "except",
    "if",
    "only",
    "otherwise",
    "provided",
    "unless",
    "when",
];

/// Of these, those that a negation turns into a prohibition: "must not".
const MODAL: [&str; 2] = ["must", "shall"];

/// The number of words from a negation to the thing that is needless. Chosen by hand.
const REACH: usize = 3;

/// The tokens of a statement.
fn tokens(statement: &Statement) -> Vec<&str> {
    statement.normal.split(' ').collect()
}

/// `true` for the word of what is required at a position: "have" only before "to".
fn requires_at(tokens: &[&str], at: usize) -> bool {
    let (word, next) = (tokens[at], tokens.get(at + 1).copied());
    REQUIRING.contains(&word) && (!matches!(word, "have" | "has") || next == Some("to"))
}

/// The positions of the negation and of the word in what says that something is needless: "is not
/// required", "do not need", "need not", "no need".
pub(super) fn waiver(tokens: &[&str]) -> Option<(usize, usize)> {
    let is_negation = |word: &str| matches!(word, "not" | "no" | "never") || word.ends_with("n't");
    (0..tokens.len()).find_map(|at| {
        if !is_negation(tokens[at]) {
            return None;
        }
        let is_needless = |word: usize| {
            word < tokens.len() && requires_at(tokens, word) && !MODAL.contains(&tokens[word])
        };
        // "No form is necessary."
        let reach = if tokens[at] == "no" { REACH } else { 2 };
        // "Not only required" requires.
        let is_only = tokens.get(at + 1) == Some(&"only");
        let behind = (at + 1..=at + reach).find(|word| is_needless(*word) && !is_only);
        let before = at.checked_sub(1).filter(|word| tokens[*word] == "need");
        Some((at, behind.or(before)?))
    })
}

/// `true` if a statement requires something.
fn requires(tokens: &[&str]) -> bool {
    let is_forbidden = |at: usize| tokens.get(at + 1) == Some(&"not");
    (0..tokens.len()).any(|at| requires_at(tokens, at) && !is_forbidden(at))
}

/// `true` for the word of a claim that says that something is required, allowed or neither.
pub(super) fn is_modal(item: &Item<'_>) -> bool {
    let is_one = |word: &str| is_of_necessity(word) || ALLOWING.contains(&word);
    matches!(item, Item::Word(word) if is_one(&word.folded))
}

/// `true` for a folded word by which something is required or not.
pub(super) fn is_of_necessity(folded: &str) -> bool {
    REQUIRING.contains(&folded)
}

/// The objection to a claim by a sentence, if one of them requires what the other says to be
/// needless. Each has a word of the other near its negation.
pub(super) fn objection(claim: &Statement, own: &Statement) -> Option<Objection> {
    let (claim, own) = (tokens(claim), tokens(own));
    let has_condition = |tokens: &[&str]| tokens.iter().any(|word| CONDITIONS.contains(word));
    if has_condition(&claim) || has_condition(&own) {
        return None;
    }
    if allows_without(&claim, &own) {
        return Some(Objection::contradiction(Difference::Negation));
    }
    let (waiving, other) = match (waiver(&claim), waiver(&own)) {
        (Some(waiver), None) => ((&claim, waiver), &own),
        (None, Some(waiver)) => ((&own, waiver), &claim),
        // What is not required "for children" may be required of others.
        (Some(waiver), Some(other)) if claim != own && waiver.1 + 1 == claim.len() => {
            return requires_near(&own, other, &near(&claim, waiver))
                .then(|| Objection::contradiction(Difference::Negation));
        }
        _ => return None,
    };
    let (tokens, (negation, word)) = waiving;
    // One that also requires something may require just this.
    let mut others = (0..tokens.len()).filter(|at| *at != word);
    if others.any(|at| requires_at(tokens, at)) {
        return None;
    }
    let has_shared = near(tokens, (negation, word))
        .iter()
        .any(|word| other.contains(word));
    (requires(other) && has_shared).then(|| Objection::contradiction(Difference::Negation))
}

/// Words with which a statement allows something.
const ALLOWING: [&str; 5] = ["allowed", "can", "may", "permitted", "possible"];

/// `true` if a claim allows something without what a sentence requires: "Photographs are allowed
/// without consent" of "Photographs need the consent of those who are shown".
fn allows_without(claim: &[&str], own: &[&str]) -> bool {
    let things = |tokens: &[&str], at: usize| {
        let behind = tokens[at + 1..].iter().take(REACH);
        let things: Vec<String> = behind
            .filter(|word| word.len() > REACH)
            .map(|word| text::stem(word))
            .collect();
        things
    };
    let without = claim.iter().position(|word| *word == "without");
    let needless = without.map(|at| things(claim, at)).unwrap_or_default();
    let mut required = (0..own.len()).filter(|at| requires_at(own, *at));
    claim.iter().any(|word| ALLOWING.contains(word))
        && waiver(claim).is_none()
        && waiver(own).is_none()
        && required.any(|at| things(own, at).iter().any(|thing| needless.contains(thing)))
}

/// The words near a waiver that name what is needless.
fn near<'a>(tokens: &[&'a str], (negation, word): (usize, usize)) -> Vec<&'a str> {
    let (first, last) = (negation.min(word), negation.max(word));
    let before = tokens[first.saturating_sub(REACH)..first].iter();
    let words = before.chain(tokens[last + 1..].iter().take(REACH));
    let is_thing = |word: &&&str| word.len() > REACH && !is_of_necessity(word);
    words.filter(is_thing).copied().collect()
}

/// `true` if a statement with a waiver says of one of some things that it is required: "A licence
/// is required; training is welcome but not necessary".
fn requires_near(tokens: &[&str], waiver: (usize, usize), things: &[&str]) -> bool {
    let waived = near(tokens, waiver);
    let is_required = |at: usize| {
        let is_passive = at > 1 && matches!(tokens[at - 1], "is" | "are");
        let thing = at.checked_sub(2).map(|thing| tokens[thing]);
        is_passive && thing.is_some_and(|own| things.contains(&own) && !waived.contains(&own))
    };
    let mut requiring = (0..tokens.len()).filter(|at| *at != waiver.1 && requires_at(tokens, *at));
    requiring.any(is_required)
}

/// Words of a claim that names a limit, and those with which a sentence denies what is beyond it.
const LIMITS: &[&str] = &[
    "cap", "ceiling", "least", "limit", "max", "maximum", "minimum", "most",
];
const BEYOND: &[&str] = &[
    "above", "below", "earlier", "exceed", "fewer", "later", "less", "longer", "more", "over",
];

/// The largest number of words from a negation to what is beyond a limit: "must not be more than".
const TO_LIMIT: usize = 3;

/// `true` if a claim names a limit, and its sentence denies what is beyond it: "the limit is 60"
/// for "it must not be more than 60".
pub(super) fn is_limit(claim: &Statement, own: &Statement) -> bool {
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let has_limit = claim.normal.split(' ').any(|token| LIMITS.contains(&token));
    let denies = |at: usize| {
        let mut behind = tokens.iter().skip(at + 1).take(TO_LIMIT);
        lexicon::is_negation(tokens[at]) && behind.any(|token| BEYOND.contains(token))
    };
    has_limit && claim.negations == 0 && own.negations == 1 && (0..tokens.len()).any(denies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_is_not_needless() {
        for (claim, own, is_turned) in [
            (
                "The council requires pantograph charging.",
                "Pantograph charging is not required.",
                true,
            ),
            (
                "New models do not need a warning sound.",
                "Since July new models must have a warning sound below 20 km/h.",
                true,
            ),
            (
                "Visitors need not wear a helmet.",
                "Visitors have to wear a helmet.",
                true,
            ),
            (
                "The fee must be paid.",
                "The fee must be paid, and a form is not required.",
                false,
            ),
            (
                "A licence is not required.",
                "A licence is required; training is welcome but not necessary.",
                true,
            ),
            (
                "Insurance is not required for the boat.",
                "Insurance is required for the car and is not necessary for the boat.",
                false,
            ),
            (
                "A visa is not required.",
                "A visa was required until 2010; today a passport is not necessary either.",
                false,
            ),
            (
                "Training is not necessary.",
                "A licence is required; training is welcome but not necessary.",
                false,
            ),
            (
                "Visitors must not wear a helmet.",
                "Visitors have to wear a helmet.",
                false,
            ),
            ("A form is not required.", "No form is necessary.", false),
            (
                "A permit is required if the tree is tall.",
                "A permit is not required unless the tree is tall.",
                false,
            ),
            (
                "Visitors must wear a helmet in the hall.",
                "Visitors must wear a helmet in the hall; guests of the office need not wear one.",
                false,
            ),
        ] {
            let [one, other] = [claim, own].map(Statement::parse);
            assert_eq!(objection(&one, &other).is_some(), is_turned, "{claim}");
        }
    }

    #[test]
    fn what_is_allowed_without_something_does_not_need_it() {
        let rule = Statement::parse("Photographs need the consent of those who are shown.");
        let objects = |claim| objection(&Statement::parse(claim), &rule).is_some();
        assert!(objects("Photographs are allowed without consent."));
        assert!(!objects("Photographs without consent must be deleted."));
        assert!(!objects("Photographs are allowed without a licence."));
    }
}

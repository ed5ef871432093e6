//! Perception: "the police did not see more accidents" and "the firm found no leak" deny that there
//! were any, as far as they know.

use super::super::alignment::{Alignment, similarity};
use super::super::statement::lexicon;
use super::super::statement::{ContentWord, Statement};

/// Verbs by which somebody comes to know of a thing, with their past; a closed list, written by
/// hand.
const VERBS: &[(&str, &str)] = &[
    ("see", "saw"),
    ("find", "found"),
    ("notice", "noticed"),
    ("observe", "observed"),
    ("detect", "detected"),
    ("discover", "discovered"),
    ("record", "recorded"),
    ("register", "registered"),
    ("receive", "received"),
    ("hear", "heard"),
];

/// Words by which a sentence says that there is something; a closed list, written by hand.
const BEING: &[&str] = &["is", "are", "was", "were", "been"];

/// Words by which a sentence takes its denial back or leaves it open; a closed list, written by
/// hand.
const OPEN: &[&str] = &[
    "but", "except", "unless", "until", "without", "only", "if", "whether", "yet",
];

/// Words that make an object less than the thing itself: who sees no further leak has seen one.
const FURTHER: &[&str] = &[
    "more",
    "further",
    "other",
    "another",
    "new",
    "additional",
    "any",
];

/// `true` for a verb by which somebody comes to know of a thing.
pub(super) fn is_perception(token: &str) -> bool {
    let mut verbs = VERBS.iter();
    verbs.any(|(verb, past)| *past == token || token.strip_suffix('s').unwrap_or(token) == *verb)
}

/// `true` if a sentence says that somebody did not perceive what the claim says there is, or that
/// somebody perceived.
pub(super) fn denies(there: &Alignment<'_>) -> bool {
    let (claim, own) = (there.one, there.other);
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let is_plain = |tokens: &[&str]| !tokens.iter().any(|own| OPEN.contains(own));
    if claim.negations > 0 || own.negations != 1 || !is_plain(&tokens) || own.is_question {
        return false;
    }
    let Some(at) = unperceiving(&tokens) else {
        return false;
    };
    asserts_being(claim) && object(own, at).any(|word| names_object(claim, word, &tokens))
}

/// The position of a verb of perception that is negated: "did not see", "found no".
fn unperceiving(tokens: &[&str]) -> Option<usize> {
    (0..tokens.len()).find(|at| {
        let before = at.checked_sub(1).map(|before| tokens[before]);
        let is_denied = before.is_some_and(|own| own != "no" && lexicon::is_negation(own))
            || tokens.get(at + 1) == Some(&"no");
        is_perception(tokens[*at]) && is_denied
    })
}

/// `true` for a claim that there is something, "there were more accidents", or that somebody
/// perceived it.
fn asserts_being(claim: &Statement) -> bool {
    let tokens: Vec<&str> = claim.normal.split(' ').collect();
    let mut pairs = tokens.windows(2);
    pairs.any(|pair| pair[0] == "there" && BEING.contains(&pair[1]) || pair == ["there", "have"])
        || tokens.iter().any(|own| is_perception(own))
}

/// The words behind a verb up to the next mark.
fn object(own: &Statement, verb: usize) -> impl Iterator<Item = &ContentWord> {
    let behind = own.words.iter().filter(move |word| word.position > verb);
    let mut is_first = true;
    behind.take_while(move |word| std::mem::take(&mut is_first) || !word.follows_mark)
}

/// `true` if a claim names the object, and as a further one where the sentence has a further one.
fn names_object(claim: &Statement, word: &ContentWord, tokens: &[&str]) -> bool {
    let is_there = |token: &&str| FURTHER.contains(token) && *token != "any";
    let before = |tokens: &[&str], position: usize| {
        let from = position.saturating_sub(2);
        tokens[from..position.min(tokens.len())]
            .iter()
            .any(&is_there)
    };
    let claimed: Vec<&str> = claim.normal.split(' ').collect();
    let mut words = claim
        .words
        .iter()
        .filter(|own| similarity(own, word) >= 1.0);
    words.any(|own| {
        let is_noun = !FURTHER.contains(&&*word.folded) && !is_perception(&word.folded);
        is_noun && (!before(tokens, word.position) || before(&claimed, own.position))
    })
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn what_nobody_saw_or_found_is_denied() {
        let police = "The police did not see more accidents or break-ins.";
        let leak = "The firm did not find a leak in the boiler.";
        let clean = "The firm found no leak in the boiler.";
        let complaints = "We did not receive more complaints.";
        for (claim, passage, verdict) in [
            (
                "The police saw more accidents.",
                police,
                Verdict::Contradicted,
            ),
            ("There were more accidents.", police, Verdict::Contradicted),
            (
                "According to the police there were more break-ins.",
                police,
                Verdict::Contradicted,
            ),
            (
                "There was a leak in the boiler.",
                leak,
                Verdict::Contradicted,
            ),
            (
                "There was a leak in the boiler.",
                clean,
                Verdict::Contradicted,
            ),
            (
                "The firm found a leak in the boiler.",
                leak,
                Verdict::Contradicted,
            ),
            (
                "There were more complaints.",
                complaints,
                Verdict::Contradicted,
            ),
            (
                "There was no leak in the boiler.",
                clean,
                Verdict::Supported,
            ),
            (police, police, Verdict::Supported),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
        let accidents = support("There were accidents.", police);
        assert_ne!(accidents.verdict, Verdict::Contradicted, "{accidents:?}");
        let leak = support(
            "The firm found a leak in the boiler.",
            "The firm found a leak in the \
                             boiler. It did not find a second one.",
        );
        assert_eq!(leak.verdict, Verdict::Supported, "{leak:?}");
    }
}

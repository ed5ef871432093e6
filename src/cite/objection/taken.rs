//! Taking away: what a sentence says is taken from somebody or from somewhere is not there any
//! more: "Ampoules are removed from all wards", "Ann takes over the keys from Bea".

use super::super::alignment::has_word;
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon::BE;
use super::super::statement::verb::is_past_auxiliary;
use super::super::statement::{ContentWord, Statement};

/// Participles of what is taken from somewhere; closed lists, as all here, written by hand.
const REMOVED: &[&str] = &["cleared", "deleted", "removed", "taken", "withdrawn"];

/// Verbs of who has from then on what somebody else had.
const TAKES: &[&str] = &["take", "taken", "takes", "taking", "took"];

/// Verbs of who has something, or of where it is.
const HOLDING: &[&str] = &[
    "contain", "contains", "has", "have", "held", "hold", "holds", "keep", "keeps", "kept", "own",
    "owns", "remain", "remains", "stay", "stays", "stock", "stocked", "stocks", "store", "stored",
    "stores",
];

/// Words behind a form of "be" by which something is somewhere.
const AT: &[&str] = &["available", "at", "by", "in", "inside", "on", "with"];

/// Words that end what something is taken from.
const ENDS: &[&str] = &[
    "after", "and", "at", "because", "before", "but", "by", "except", "for", "if", "in", "on",
    "save", "since", "so", "to", "unless", "until", "when", "while", "with",
];

/// Words of a claim of another time.
const OF_ANOTHER_TIME: &[&str] = &["until", "before", "formerly", "previously"];

/// The maximum number of words from a verb to "from", and from a form of "be" to its verb.
const REACH: usize = 8;
const AUXILIARY: usize = 3;

/// What a sentence says is taken, and from where or whom.
struct Taking<'a> {
    verb: &'a str,
    things: Vec<&'a ContentWord>,
    owners: Vec<&'a ContentWord>,
    /// The words behind those, of which it may not be said: "except the High Street shop".
    rest: Vec<&'a ContentWord>,
    /// The words of who takes it.
    takers: Vec<&'a ContentWord>,
}

impl<'a> Taking<'a> {
    fn of(own: &'a Statement) -> Option<Self> {
        let tokens: Vec<&str> = own.normal.split(' ').collect();
        let verbs = 0..tokens.len();
        verbs
            .filter(|at| REMOVED.contains(&tokens[*at]) || TAKES.contains(&tokens[*at]))
            .find_map(|verb| Self::at(own, &tokens, verb))
    }

    fn at(own: &'a Statement, tokens: &[&'a str], verb: usize) -> Option<Self> {
        let is_over = TAKES.contains(&tokens[verb]) && tokens.get(verb + 1) == Some(&"over");
        let before = &tokens[verb.saturating_sub(AUXILIARY)..verb];
        let is_removed = REMOVED.contains(&tokens[verb])
            && before.iter().any(|token| BE.contains(token))
            && !before.iter().any(|token| is_past_auxiliary(token));
        let behind = tokens.iter().skip(verb + 1).take(REACH);
        let from = verb + 1 + behind.into_iter().position(|token| *token == "from")?;
        let words = |range: std::ops::Range<usize>| -> Vec<&'a ContentWord> {
            let words = own.words.iter();
            let words = words.filter(|word| range.contains(&word.position) && !word.is_month());
            words.collect()
        };
        let marked = own.words.iter().find(|word| {
            let is_behind = word.position > from + 1;
            word.follows_mark && is_behind
        });
        let ends = (from + 1..tokens.len()).find(|at| ENDS.contains(&tokens[*at]));
        let end = ends.into_iter().chain(marked.map(|word| word.position));
        let end = end.min().unwrap_or(tokens.len());
        let before = words(0..verb);
        let first = before.iter().rposition(|word| word.follows_mark);
        let subject = before[first.unwrap_or_default()..].to_vec();
        let (things, takers) = match (is_over, is_removed) {
            (true, false) => (words(verb + 2..from), subject),
            (false, true) => (subject, Vec::new()),
            _ => return None,
        };
        Some(Self {
            verb: tokens[verb],
            things,
            owners: words(from + 1..end),
            rest: words(end..tokens.len()),
            takers,
        })
    }

    /// `true` if a claim names what is taken, and from where, and nothing of the rest.
    fn is_of(&self, claim: &Statement) -> bool {
        let says = |word: &&&ContentWord| has_word(&claim.words, word);
        let heavy = |words: &[&'a ContentWord]| -> Vec<&'a ContentWord> {
            let words = words.iter().copied();
            words.filter(|word| !word.is_light()).collect()
        };
        let says_last = |words: &[&ContentWord]| words.last().as_ref().is_some_and(says);
        says_last(&heavy(&self.things))
            && says_last(&heavy(&self.owners))
            && !heavy(&self.rest).iter().any(|word| says(&word))
            && !heavy(&self.takers).iter().any(|word| says(&word))
    }
}

/// The objection to a claim that somebody has, or that there is somewhere, what a sentence says is
/// taken from there.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let tokens: Vec<&str> = claim.normal.split(' ').collect();
    let is_somewhere = |at: usize| {
        let next = tokens.get(at + 1);
        BE.contains(&tokens[at]) && next.is_some_and(|next| AT.contains(next))
    };
    let verb = (0..tokens.len()).find(|at| HOLDING.contains(&tokens[*at]) || is_somewhere(*at))?;
    let is_of_past = |token: &&str| {
        let lists = [REMOVED, TAKES, OF_ANOTHER_TIME];
        is_past_auxiliary(token) || lists.iter().any(|list| list.contains(token))
    };
    if claim.negations > 0 || claim.is_question || tokens.iter().any(is_of_past) {
        return None;
    }
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let taking = chosen.find_map(|own| {
        let taking = Taking::of(own).filter(|_| own.negations == 0 && !own.is_question);
        taking.filter(|taking| taking.is_of(claim))
    })?;
    let difference = Difference::Opposite(tokens[verb].to_owned(), taking.verb.to_owned());
    Some(Objection::contradiction(difference))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_is_taken_from_somewhere_is_not_there() {
        let wards = "Decision: concentrated potassium chloride ampoules are removed from all wards \
                     except the Northern Unit, by 31 March 2026.";
        let keys = "Sofia Keane takes over the keys of the shed from Ruth Nair on 15 June.";
        let moved = "The old chairs have been taken away from the hall.";
        assert_supported(&[
            ("All wards hold potassium chloride ampoules.", wards, false),
            ("Wards may keep potassium chloride ampoules.", wards, false),
            (
                "Potassium chloride ampoules are kept on all wards.",
                wards,
                false,
            ),
            (
                "Potassium chloride ampoules are removed from all wards except the Northern Unit.",
                wards,
                true,
            ),
            ("Ruth Nair has the keys of the shed.", keys, false),
            (
                "Sofia Keane takes over the keys of the shed from Ruth Nair.",
                keys,
                true,
            ),
            ("The old chairs are in the hall.", moved, false),
            (
                "Swindon is no longer open.",
                "Swindon is open on Sundays.",
                false,
            ),
            (
                "Swindon stays on the list.",
                "Swindon is removed from the list.",
                false,
            ),
        ]);
    }
}

//! Giving away: who has handed a thing to somebody else, or from whom somebody else has taken it
//! over, has it no longer.

use std::ops::Range;

use super::super::alignment::has_word;
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::opposites::{self, Kind};
use super::super::statement::{ContentWord, Statement};

/// Verbs of who has a task or an office, besides those of who has a thing; a closed list, written
/// by hand.
const IN_CHARGE: &[&str] = &["chairs", "heads", "leads", "looks", "manages", "runs"];

/// Verbs before the "over" of who has taken something over; a closed list, written by hand.
const TAKING: &[&str] = &["takes", "took", "taken"];

/// Words before a verb by which it is not so yet; a closed list, written by hand.
const NOT_YET: &[&str] = &[
    "can", "could", "may", "might", "shall", "should", "to", "will", "would",
];

/// The objection to a claim that somebody has what he gave to somebody else, as himself or by name,
/// or what somebody else has taken over from him.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let tokens: Vec<&str> = claim.normal.split(' ').collect();
    let at = tokens.iter().position(|token| has(token))?;
    let (before, things): (Vec<&ContentWord>, Vec<&ContentWord>) =
        claim.words.iter().partition(|word| word.position < at);
    let holders: Vec<&ContentWord> = before.into_iter().filter(|word| is_person(word)).collect();
    let things: Vec<&ContentWord> = things
        .into_iter()
        .filter(|word| word.position > at)
        .collect();
    if holders.is_empty() || things.is_empty() || claim.negations > 0 {
        return None;
    }
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let verb = chosen.find_map(|own| {
        given_away(own, &holders, &things).or_else(|| taken_over(own, &holders, &things))
    })?;
    let difference = Difference::Opposite(tokens[at].to_owned(), verb);
    Some(Objection::contradiction(difference))
}

/// `true` for a verb of who has something, `false` for one of who gives it to somebody else.
fn side(token: &str) -> Option<bool> {
    opposites::side(Kind::Possession, token)
}

/// `true` for a verb of who has something, or looks after it.
fn has(token: &str) -> bool {
    side(token) == Some(true) || IN_CHARGE.contains(&token)
}

/// The words of a statement between two positions.
fn part(own: &Statement, positions: Range<usize>) -> Vec<ContentWord> {
    let words = own.words.iter();
    let words = words.filter(|word| positions.contains(&word.position));
    words.cloned().collect()
}

/// `true` if one of some words is one of the holders.
fn is_holder(holders: &[&ContentWord], words: &[ContentWord]) -> bool {
    holders.iter().any(|one| has_word(words, one))
}

/// `true` if some words are of all the things.
fn are_things(things: &[&ContentWord], words: &[ContentWord]) -> bool {
    let mut things = things.iter();
    things.all(|word| word.is_light() || has_word(words, word))
}

/// The words by which somebody else has taken things over from a holder: "Ann took over the
/// station from Bea, who retired".
fn taken_over(
    own: &Statement,
    holders: &[&ContentWord],
    things: &[&ContentWord],
) -> Option<String> {
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let is_taking = |pair: &[&str]| TAKING.contains(&pair[0]) && pair[1] == "over";
    let verb = tokens.windows(2).position(is_taking)?;
    let from = verb + tokens[verb..].iter().position(|token| *token == "from")?;
    let receivers = part(own, 0..verb);
    let givers = own.words.iter().filter(|word| word.position > from);
    let mut givers: Vec<ContentWord> = givers.cloned().collect();
    let end = givers.iter().skip(1).position(|word| word.follows_mark);
    givers.truncate(end.map_or(givers.len(), |end| end + 1));
    let is_by_other = receivers.iter().any(is_person) && !is_holder(holders, &receivers);
    let is_so = is_by_other
        && is_holder(holders, &givers)
        && are_things(things, &part(own, verb + 2..from))
        && own.negations == 0
        && !tokens[..verb].iter().any(|token| NOT_YET.contains(token));
    is_so.then(|| tokens[verb..verb + 2].join(" "))
}

/// The verb by which a holder of things, or who writes the sentence, gives them to somebody else.
fn given_away(
    own: &Statement,
    holders: &[&ContentWord],
    things: &[&ContentWord],
) -> Option<String> {
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let verb = tokens.iter().position(|token| side(token) == Some(false))?;
    let to = verb + tokens[verb..].iter().position(|token| *token == "to")?;
    let receivers = part(own, to..tokens.len());
    let is_giver = is_holder(holders, &part(own, 0..verb)) || tokens[..verb].contains(&"i");
    let is_to_other = receivers.iter().any(is_person) && !is_holder(holders, &receivers);
    let are_given = are_things(things, &part(own, verb + 1..to));
    let is_so = is_giver && is_to_other && are_given && own.negations == 0;
    is_so.then(|| tokens[verb].to_owned())
}

/// `true` for a name but that of a month. The first word of a sentence has a capital in any case.
pub(super) fn is_person(word: &ContentWord) -> bool {
    (word.is_name || word.position == 0) && !word.is_month()
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn who_has_been_succeeded_does_not_look_after_a_thing() {
        let station = "Ilse Berger took over the weather station from Hans Frey, who retired.";
        for (claim, passage, verdict) in [
            (
                "Hans Frey looks after the weather station.",
                station,
                Verdict::Contradicted,
            ),
            (
                "Hans Frey manages the weather station.",
                station,
                Verdict::Contradicted,
            ),
            (
                "Hans Frey has the weather station.",
                station,
                Verdict::Contradicted,
            ),
            (
                "Ilse Berger took over the weather station from Hans Frey.",
                station,
                Verdict::Supported,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
        for (claim, passage) in [
            ("Hans Frey looked after the weather station.", station),
            ("Ilse Berger looks after the weather station.", station),
            (
                "Hans Frey looks after the weather station.",
                "Ilse Berger will take over the weather station from Hans Frey in May.",
            ),
            (
                "Hans Frey looks after the rain gauge.",
                "Ilse Berger took over the weather station from Hans Frey.",
            ),
        ] {
            let support = support(claim, passage);
            assert_ne!(
                support.verdict,
                Verdict::Contradicted,
                "{claim} {support:?}"
            );
        }
    }

    #[test]
    fn who_has_given_a_thing_away_does_not_have_it() {
        let mail = "Dear all,\n\nI have handed the key of the tool shed to Ruth.\n\nBest wishes,\n\
                    Henry";
        let own = "Dear all,\n\nI have the key of the tool shed.\n\nBest wishes,\nHenry";
        let named = "Henry gave the key of the tool shed to Ruth.";
        for (claim, passage, verdict) in [
            (
                "Henry has the key of the tool shed.",
                mail,
                Verdict::Contradicted,
            ),
            (
                "Henry has the key of the tool shed.",
                named,
                Verdict::Contradicted,
            ),
            (
                "Ruth has the key of the tool shed.",
                mail,
                Verdict::Supported,
            ),
            (
                "Henry has the key of the tool shed.",
                own,
                Verdict::Supported,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }
}

//! Giving away: who has handed a thing to somebody else has it no longer.

use super::alignment::has_word;
use super::coverage::Coverage;
use super::opposites::{self, Kind};
use super::restatement::{Difference, Objection};
use super::statement::{ContentWord, Statement};

/// The objection to a claim that somebody has what he gave to somebody else, as himself or by name.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let tokens: Vec<&str> = claim.normal.split(' ').collect();
    let at = tokens.iter().position(|token| side(token) == Some(true))?;
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
    let verb = chosen.find_map(|own| given_away(own, &holders, &things))?;
    let difference = Difference::Opposite(tokens[at].to_owned(), verb);
    Some(Objection::contradiction(difference))
}

/// `true` for a verb of who has something, `false` for one of who gives it to somebody else.
fn side(token: &str) -> Option<bool> {
    opposites::side(Kind::Possession, token)
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
    let part = |from: usize, end: usize| {
        let words = own.words.iter();
        let words = words.filter(move |word| (from..end).contains(&word.position));
        words.cloned().collect::<Vec<ContentWord>>()
    };
    let (givers, given, receivers) = (part(0, verb), part(verb + 1, to), part(to, tokens.len()));
    let is_holder = |words: &[ContentWord]| holders.iter().any(|one| has_word(words, one));
    let is_giver = is_holder(&givers) || tokens[..verb].contains(&"i");
    let is_to_other = receivers.iter().any(is_person) && !is_holder(&receivers);
    let are_given = things
        .iter()
        .all(|word| word.is_light() || has_word(&given, word));
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

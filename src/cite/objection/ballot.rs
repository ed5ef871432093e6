//! Ballots: on which side somebody voted, where minutes list the names of each side: "For: 3.
//! Against: 2 (Eide, Moe)."

use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::Statement;

/// Verbs of who votes.
const VOTES: [&str; 4] = ["vote", "voted", "votes", "voting"];

/// The number of words from the label of a side to its number of votes: "Votes against: 2".
const TO_NUMBER: usize = 2;

/// The side of a vote that a folded word names.
pub(super) fn side(token: &str) -> Option<&'static str> {
    match token {
        "for" | "favour" | "favor" | "aye" | "ayes" => Some("for"),
        "against" | "opposed" | "noes" => Some("against"),
        word if word.starts_with("absten") || word.starts_with("abstain") => Some("abstained"),
        _ => None,
    }
}

/// The objection to a claim on how somebody voted, by lists that have the name on another side
/// alone.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let tokens: Vec<&str> = claim.normal.split(' ').collect();
    let is_verb = |token: &&str| VOTES.contains(token) || token.starts_with("abstain");
    let verb = tokens.iter().position(is_verb)?;
    let claimed = tokens[verb..].iter().find_map(|token| side(token))?;
    if claim.negations > 0 || claim.is_question {
        return None;
    }
    let is_on_vote = |own: &Statement| own.normal.split(' ').any(|token| token.starts_with("vot"));
    if !coverage.sentences().any(is_on_vote) {
        return None;
    }
    let listed: Vec<(&str, &'static str)> = coverage.sentences().flat_map(listed).collect();
    let mut voters = claim.words.iter().filter(|word| word.position < verb);
    voters.find_map(|voter| {
        let mut sides = listed.iter().filter(|(name, _)| *name == voter.stem);
        let (_, first) = sides.next()?;
        let is_other = *first != claimed && sides.all(|(_, side)| *side != claimed);
        let difference = Difference::Opposite(claimed.to_owned(), (*first).to_owned());
        is_other.then(|| Objection::contradiction(difference))
    })
}

/// The names that a sentence lists behind the label of a side, or behind its number of votes: "for
/// 3 days" and "For information: Moe" are neither.
fn listed(statement: &Statement) -> Vec<(&str, &'static str)> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let is_number = |token: &&str| {
        let mut figures = statement.figures.iter().filter(|own| own.digits == **token);
        figures.any(|own| own.unit.is_empty() && !own.counts())
    };
    let last = statement.label.checked_sub(1);
    let label = last.and_then(|last| statement.words.get(last));
    let labels: Vec<(usize, &'static str)> = (0..tokens.len())
        .filter_map(|at| {
            let mut behind = tokens[at + 1..].iter().take(TO_NUMBER);
            let is_label = label.is_some_and(|label| label.position == at);
            let is_side = is_label || behind.any(is_number);
            Some((at, side(tokens[at]).filter(|_| is_side)?))
        })
        .collect();
    let names = statement.words.iter();
    let names = names.filter(|word| word.is_name || statement.label > 0);
    let of = |position: usize| labels.iter().rfind(|(at, _)| *at < position);
    names
        .filter_map(|name| Some((name.stem.as_str(), of(name.position)?.1)))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn who_is_listed_on_the_other_side_did_not_vote_so() {
        let minutes = "The committee voted on the proposal. For: 3. Against: 2 (Eide, Moe).";
        for (claim, verdict) in [
            ("Moe voted for the proposal.", Verdict::Contradicted),
            (
                "Dr Moe voted in favour of the proposal.",
                Verdict::Contradicted,
            ),
            ("Eide abstained on the proposal.", Verdict::Contradicted),
        ] {
            assert_eq!(support(claim, minutes).verdict, verdict, "{claim}");
        }
        let named = "Vote on the proposal. In favour: Moe, Vik. Opposed: Eide.";
        let claim = "Eide voted for the proposal.";
        assert_eq!(support(claim, named).verdict, Verdict::Contradicted);
        let claim = "Moe voted against the proposal.";
        for passage in [
            minutes,
            "Moe voted against the proposal. It rained for 3 days, as Moe said.",
            "For information: Moe. There was a vote: Moe was against the proposal.",
        ] {
            let verdict = support(claim, passage).verdict;
            assert_ne!(verdict, Verdict::Contradicted, "{passage}");
        }
    }
}

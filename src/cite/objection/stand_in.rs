//! Stand-ins: who does something only while somebody else is away. "Released by the manager, and in
//! her absence by the head" does not say that the head releases anything else.

use super::super::alignment::Alignment;
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::Statement;

/// The number of words before "absence" among which its "in" is: "in the manager's absence".
const BEFORE: usize = 4;

/// Words by which a claim says so itself; a closed list, written by hand.
const AWAY: &[&str] = &["absence", "absent", "away", "unavailable", "otherwise"];

/// The doubt of a claim of whose words a sentence says some only for an absence.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let mut tokens = claim.normal.split(' ');
    let is_told = tokens.any(|token| AWAY.contains(&token) || token.starts_with("deput"));
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let words = chosen.find_map(|own| {
        let tokens: Vec<&str> = own.normal.split(' ').collect();
        let at = tokens.iter().position(|token| *token == "absence")?;
        let from = at.saturating_sub(BEFORE);
        let start = from + tokens[from..at].iter().position(|token| *token == "in")?;
        let there = Alignment::of(claim, own);
        let mut pairs = there.pairs();
        let is_behind = pairs.any(|(_, other)| own.words[other].position > at);
        is_behind.then(|| tokens[start..=at].join(" "))
    });
    let words = words.filter(|_| !is_told)?;
    Some(Objection::doubt(Difference::Restriction(words)))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn who_does_it_in_an_absence_only_does_not_do_it() {
        let rule = "Results are released by the technical manager, and in her absence by the \
                    laboratory head. The quality manager decides in cases of doubt.";
        let absent = "In the absence of the technical manager, results are released by the \
                      laboratory head.";
        assert_supported(&[
            ("Results are released by the laboratory head.", rule, false),
            ("Results are released by the technical manager.", rule, true),
            (absent, rule, true),
        ]);
    }
}

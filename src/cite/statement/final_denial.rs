//! The German denial behind what it denies: "Der Rat unterstützt den Bau nicht", "Sie stimmt dem
//! Verkauf nicht zu".

use super::digits::Digits;
use super::{Statement, Token};

/// Prefixes of verbs that stand at the end of a main clause, folded; a closed list, written by
/// hand.
const PREFIXES: &[&str] = &[
    "ab", "an", "auf", "aus", "bei", "ein", "fest", "her", "hin", "mit", "nach", "statt", "teil",
    "um", "vor", "weg", "weiter", "zu", "zuruck", "zusammen",
];

/// The starts of the tokens of a clause that a "nicht" at its end denies: those without a capital,
/// among which its verb is.
fn denied(tokens: &[Token<'_>]) -> Vec<usize> {
    let ends = |at: usize| tokens.get(at).is_none_or(|next| !next.is_joined);
    let is_prefix = |at: usize| {
        let token = tokens.get(at);
        token.is_some_and(|token| PREFIXES.contains(&token.folded.as_str()))
    };
    let is_final = |at: &usize| {
        tokens[*at].folded == "nicht" && (ends(at + 1) || is_prefix(at + 1) && ends(at + 2))
    };
    let denials = (0..tokens.len()).filter(is_final);
    let clauses = denials.flat_map(|at| {
        let first = (0..=at)
            .rev()
            .find(|own| *own == 0 || !tokens[*own].is_joined);
        tokens[first.unwrap_or(0)..at].iter()
    });
    let lower = clauses.filter(|token| token.text.starts_with(char::is_lowercase));
    lower.map(|token| token.start).collect()
}

impl Statement {
    /// Records the words that a denial behind them denies.
    pub(super) fn note_final_denial(&mut self, tokens: &[Token<'_>], digits: &Digits<'_>) {
        let denied = denied(tokens).into_iter();
        let starts: Vec<usize> = denied.map(|at| digits.original(at..at).start).collect();
        for word in &mut self.words {
            word.is_negated |= starts.contains(&word.range.start);
        }
    }
}

/// `true` if folded words end with such a denial.
pub(in crate::cite) fn ends_with_denial(words: &str) -> bool {
    let mut words = words.split_whitespace().rev();
    match words.next() {
        Some("nicht") => true,
        Some(last) => PREFIXES.contains(&last) && words.next() == Some("nicht"),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn a_denial_at_the_end_of_a_clause_denies_its_verb() {
        for (claim, passage) in [
            (
                "Der Rat unterstützt den Bau der Straße.",
                "Der Rat unterstützt den Bau der Straße nicht.",
            ),
            (
                "Der Rat unterstützt den Bau der Straße.",
                "Der Rat unterstützt den Bau der Straße nach langer Debatte und trotz der Zusage \
                 des Landes nicht.",
            ),
            (
                "Die Schule nimmt den Vorschlag der Eltern an.",
                "Die Schule nimmt den Vorschlag der Eltern für das Sommerfest nicht an.",
            ),
        ] {
            assert_ne!(
                support(claim, passage).verdict,
                Verdict::Supported,
                "{passage}"
            );
            assert_eq!(
                support(passage, passage).verdict,
                Verdict::Supported,
                "{passage}"
            );
            assert_eq!(support(claim, claim).verdict, Verdict::Supported, "{claim}");
        }
        let both =
            "Der Rat unterstützt den Bau der Straße, den Bau der Brücke unterstützt er nicht.";
        let claim = "Der Rat unterstützt den Bau der Straße.";
        assert_eq!(support(claim, both).verdict, Verdict::Supported);
    }
}

//! Exceptions: a claim says of what its sentence excepts that it is so, or says without exception
//! what its sentence says with one.

use super::super::alignment::Alignment;
use super::super::restatement::{Difference, Objection};
use super::super::statement::Statement;

/// The objection to a claim that leaves out the exception of its sentence.
pub(super) fn objection(there: &Alignment<'_>) -> Option<Objection> {
    excepted(there).or_else(|| without_exception(there))
}

/// Words behind which a sentence excepts something.
const EXCEPT: &[&str] = &["except", "excepting", "excluding", "save"];

/// The number of words behind "except" that are excepted.
const EXCEPTED: usize = 4;

/// What a sentence excepts, as if it were so: "on Wednesdays" for "weekdays except Wednesday".
fn excepted(there: &Alignment<'_>) -> Option<Objection> {
    let tokens: Vec<&str> = there.other.normal.split(' ').collect();
    let position = tokens.iter().position(|token| EXCEPT.contains(token))?;
    let is_told = there.one.negations > 0
        || there.one.normal.split(' ').any(|token| {
            EXCEPT.contains(&token) || matches!(token, "without" | "but" | "other" | "and")
        });
    let mut pairs = there.pairs();
    let word = pairs.find_map(|(one, other)| {
        let (word, other) = (&there.one.words[one], &there.other.words[other]);
        let is_excepted = other.position > position && other.position <= position + EXCEPTED;
        (is_excepted && !is_told && !word.is_month()).then(|| word.folded.clone())
    })?;
    let difference = Difference::Opposite(word, "except".to_owned());
    Some(Objection::contradiction(difference))
}

/// Words by which a claim is of all of a kind, or at all times; a closed list, written by hand.
const UNIVERSAL: &[&str] = &["all", "always", "any", "each", "every"];

/// What a claim says without exception, and its sentence with one: "at any time" for "except on
/// market days".
fn without_exception(there: &Alignment<'_>) -> Option<Objection> {
    let position = |own: &Statement| {
        let mut tokens = own.normal.split(' ');
        tokens.position(|token| EXCEPT.contains(&token))
    };
    let says = |words: &[&str]| {
        let mut tokens = there.one.normal.split(' ');
        tokens.any(|token| words.contains(&token))
    };
    let has_exception = position(there.other).is_some_and(|at| at > 0);
    let is_open = says(EXCEPT) || says(&["but", "other", "without"]) || there.one.negations > 0;
    (has_exception && says(UNIVERSAL) && !is_open).then(|| Objection::doubt(Difference::Qualifier))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_has_an_exception_is_not_so_at_any_time() {
        let park = "Staff may use the park except on market days. Bicycles may stay at any time.";
        assert_supported(&[
            ("Staff may use the park at any time.", park, false),
            ("Bicycles may stay at any time.", park, true),
        ]);
    }
}

//! Exceptions: what a sentence takes back of the permission right before it, "Unopened goods may be
//! returned. Chilled goods are not taken back.", or names as the exception to its section.
//!
//! The lists are English, closed, and were written by hand.

use super::candidate::Candidate;
use super::quotation::Run;
use crate::text;

/// The number of sentences behind a rule among which its exception is.
const NEAR: usize = 4;

/// The labels of an exception.
const LABELS: &[&str] = &["exception", "exceptions"];

/// Words with which something is permitted.
const PERMISSIONS: &[&str] = &["allowed", "can", "could", "may", "permitted"];

/// Words with which a permission is limited.
const LIMITS: &[&str] = &["cannot", "except", "never", "no", "not", "only", "unless"];

/// The sentence of the section of a quotation, soon behind it, that is labelled as an exception:
/// "Nobody works alone. Exception: the engineer on duty may."
pub(super) fn exception(candidates: &[Candidate], run: Run) -> Option<usize> {
    let own = &candidates[run.first];
    let is_beside =
        |other: &Candidate| other.document == own.document && other.headings == own.headings;
    let is_labelled = |sentence: &str| {
        let label = sentence
            .split_once(':')
            .map(|(label, _)| text::fold(label.trim()));
        label.is_some_and(|label| LABELS.contains(&label.as_str()))
    };
    let behind = run.last + 1..candidates.len().min(run.last + 1 + NEAR);
    behind
        .take_while(|index| is_beside(&candidates[*index]))
        .find(|index| is_labelled(&candidates[*index].sentence))
}

/// `true` if a sentence permits something without a limit of its own, and the next one has one.
pub(super) fn is_limited_by(permission: &str, next: &str) -> bool {
    let has = |sentence: &str, list: &[&str]| {
        let mut words = text::words(sentence);
        words.any(|word| list.contains(&text::fold(word.text).as_str()))
    };
    has(permission, PERMISSIONS) && !has(permission, LIMITS) && has(next, LIMITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permission_is_limited_by_what_stands_behind_it() {
        let permission = "Unopened goods may be returned within 14 days.";
        assert!(is_limited_by(
            permission,
            "Chilled goods are not taken back."
        ));
        assert!(!is_limited_by(permission, "A form is at the desk."));
        let limited = "Goods may be returned only within 14 days.";
        assert!(!is_limited_by(limited, "Chilled goods are not taken back."));
    }
}

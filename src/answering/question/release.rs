//! Questions on a release of a program: "What changed in 4.12.1?"

use super::Question;
use crate::text;

/// Stems of words for what a release does; a closed list, written by hand.
const OF_RELEASES: &[&str] = &[
    "ad", "add", "bring", "chang", "deprecat", "fix", "new", "news", "releas", "remov", "yank",
    "geandert", "neu",
];

impl Question {
    /// The number of the release that is asked for, with a point in it; `None` if the question is
    /// not on a release.
    pub fn release(&self) -> Option<&str> {
        let is_of_release = |word: &text::Word<'_>| {
            let stem = text::stem(&text::fold(word.text));
            OF_RELEASES.contains(&stem.as_str())
        };
        let mut words = text::words(&self.text);
        let is_asked = words.any(|word| is_of_release(&word));
        let mut parts = self.text.split_whitespace().map(bare);
        parts.find(|part| is_asked && is_version(part))
    }
}

/// `true` if a heading is that of a release: "[4.12.1] - 2026-03-13".
pub fn is_of_release(heading: &str, version: &str) -> bool {
    heading.split_whitespace().any(|part| bare(part) == version)
}

/// `true` if a heading is that of some release.
pub fn names_release(heading: &str) -> bool {
    heading.split_whitespace().map(bare).any(is_version)
}

/// A word without the signs around it, and without the `v` before a number.
fn bare(part: &str) -> &str {
    let part = part.trim_matches(|c: char| !c.is_alphanumeric());
    let number = part.strip_prefix(['v', 'V']);
    number.filter(|number| is_version(number)).unwrap_or(part)
}

/// `true` for numbers with points between them.
fn is_version(part: &str) -> bool {
    let mut numbers = part.split('.');
    let is_number = |own: &str| !own.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit());
    part.contains('.') && numbers.all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_asked_for_by_its_number() {
        for (question, release) in [
            ("What changed in 4.12.1?", Some("4.12.1")),
            ("When was v4.13.0 released?", Some("4.13.0")),
            ("What is new in version 2.0 of the pump?", Some("2.0")),
            ("Does it need 2.5 litres?", None),
            ("What changed in May?", None),
        ] {
            assert_eq!(Question::parse(question).release(), release, "{question}");
        }
        assert!(is_of_release("[4.12.1] - 2026-03-13", "4.12.1"));
        assert!(is_of_release("v4.12.1 (13 March)", "4.12.1"));
        assert!(!is_of_release("4.12.10", "4.12.1"));
    }
}

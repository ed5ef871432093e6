//! Tense: whether a statement says that something is so now, and of no other time.

use super::{ContentWord, Statement};

/// Auxiliaries of what is so, those of what was in German, and words for another time.
const PRESENT: &[&str] = &[
    "is", "are", "has", "have", "can", "may", "must", "still", "costs", "lasts", "needs", "runs",
    "takes",
];
const GERMAN_PAST: &[&str] = &["war", "waren", "wurde", "wurden", "hatte", "hatten"];
const NOT_PRESENT: &[&str] = &[
    "was",
    "were",
    "had",
    "did",
    "would",
    "until",
    "formerly",
    "previously",
    "originally",
    "initially",
];

impl Statement {
    /// `true` if it says what is so "before", or "before 2020", and not before a thing.
    fn is_of_time_before(&self) -> bool {
        let behind = self.normal.rsplit_once("before");
        let is_time =
            |rest: &str| rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit());
        behind.is_some_and(|(_, rest)| is_time(rest.trim_start()))
    }

    /// `true` if it says that something is so now, and of no other time.
    pub(super) fn is_of_now(&self) -> bool {
        let tokens = || self.normal.split(' ');
        let is_verb =
            |word: &ContentWord| word.is_predicate && !word.is_name && word.folded.ends_with('s');
        // Verbs of German have no ending that tells: what is not said of the past is said of now.
        let is_german = self.has_free_order && !tokens().any(|token| GERMAN_PAST.contains(&token));
        let is_present =
            tokens().any(|token| PRESENT.contains(&token)) || self.words.iter().any(is_verb);
        let is_past = tokens().any(|token| NOT_PRESENT.contains(&token));
        (is_present || is_german) && !is_past && !self.is_of_time_before()
    }
}

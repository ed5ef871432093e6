//! Cues: words of which a sentence has at least one where a rule applies to it. They are looked
//! for in its bytes, by the automaton of Aho and Corasick, so that only the few sentences with one
//! are split into words: some rules look at every sentence of every document.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// A list of cues, as words or parts of words in ASCII; case does not matter.
pub struct Cues(Option<AhoCorasick>);

/// A list of cues that is built when it is first used.
pub type LazyCues = LazyLock<Cues>;

impl Cues {
    /// The automaton of some cues.
    pub fn new<'a>(cues: impl IntoIterator<Item = &'a str>) -> Self {
        let mut builder = AhoCorasick::builder();
        Self(builder.ascii_case_insensitive(true).build(cues).ok())
    }

    /// `true` if a text has one of the cues. What no automaton could be built for may have one.
    pub fn are_in(&self, text: &str) -> bool {
        self.0.as_ref().is_none_or(|finder| finder.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cue_is_seen_within_a_word_and_in_capitals() {
        let cues = Cues::new(["correct", "should"]);
        assert!(cues.are_in("The CORRECTED figure is 12."));
        assert!(!cues.are_in("The figure is 12."));
    }
}

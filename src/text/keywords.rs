//! A filter by keywords, of which a sentence has one where a rule applies to it. They are looked
//! for in its bytes, by the automaton of Aho and Corasick, so that only the few sentences with one
//! are split into words: some rules look at every sentence of every document.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// A list of keywords, as words or parts of words in ASCII; case does not matter.
pub struct Keywords(Option<AhoCorasick>);

/// A list of keywords that is built when it is first used.
pub type LazyKeywords = LazyLock<Keywords>;

impl Keywords {
    /// The automaton of some keywords.
    pub fn new<'a>(keywords: impl IntoIterator<Item = &'a str>) -> Self {
        let mut builder = AhoCorasick::builder();
        Self(builder.ascii_case_insensitive(true).build(keywords).ok())
    }

    /// `true` if a text has one of the keywords. What no automaton could be built for may have one.
    pub fn are_in(&self, text: &str) -> bool {
        self.0.as_ref().is_none_or(|finder| finder.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keyword_is_seen_within_a_word_and_in_capitals() {
        let keywords = Keywords::new(["correct", "should"]);
        assert!(keywords.are_in("The CORRECTED figure is 12."));
        assert!(!keywords.are_in("The figure is 12."));
    }
}

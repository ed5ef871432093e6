//! A filter by keywords, of which a sentence has one where a rule applies to it. They are looked
//! for in its bytes, by the automaton of Aho and Corasick, so that only the few sentences with one
//! are split into words: some rules look at every sentence of every document.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::words::{first_phrase, folded};

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

/// The longest word of each of some phrases, which are separated by commas.
pub(super) fn longest_words(phrases: &'static str) -> impl Iterator<Item = &'static str> {
    let phrases = phrases.split(", ");
    phrases.filter_map(|phrase| phrase.split(' ').max_by_key(|word| word.len()))
}

/// Phrases that sentences are searched for: as folded words that are separated by spaces, with
/// commas between the phrases.
pub struct Phrases {
    list: &'static str,
    /// The longest word of each.
    keywords: Keywords,
}

/// A list of phrases whose filter is built when it is first used.
pub type LazyPhrases = LazyLock<Phrases>;

impl Phrases {
    /// A list of phrases with its filter.
    pub fn new(list: &'static str) -> Self {
        Self {
            list,
            keywords: Keywords::new(longest_words(list)),
        }
    }

    /// `true` if a sentence has one of the phrases.
    pub fn are_in(&self, sentence: &str) -> bool {
        self.position_in(sentence).is_some()
    }

    /// The position of the first of them among the words of a sentence.
    pub fn position_in(&self, sentence: &str) -> Option<usize> {
        self.may_be_in(sentence)
            .then(|| first_phrase(&folded(sentence), self.list))?
    }

    /// `false` for a text that has no word of the phrases.
    pub fn may_be_in(&self, text: &str) -> bool {
        // Folding takes accents off, which the bytes have.
        !text.is_ascii() || self.keywords.are_in(text)
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

    #[test]
    fn a_phrase_is_a_sequence_of_whole_words_and_may_have_accents() {
        let phrases = Phrases::new("steps down, geandert");
        assert_eq!(phrases.position_in("Ann steps\ndown."), Some(1));
        assert_eq!(phrases.position_in("Der Plan wird geändert."), Some(3));
        assert!(!phrases.are_in("Ann steps downhill."));
        assert!(!phrases.may_be_in("The step goes downhill."));
    }
}

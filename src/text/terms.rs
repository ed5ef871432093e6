//! Terms: the content words of a text in the form in which they are compared, including signs; and
//! phrases of stems.

use foldhash::HashMap;

use super::signs;
use super::words::{Word, fold, is_stop_word, stem, words};

/// The content words of a text in order: folded, stemmed, without stop words and single ASCII
/// letters. A sign that is a subject of the text is a term, and its name counts as the sign:
/// "question mark" and a quoted `?` are the same.
pub fn terms(text: &str) -> Vec<String> {
    terms_of(signs::words(text))
}

/// [`terms`] of the words and signs of a text.
pub fn terms_of<'a>(words: impl Iterator<Item = Word<'a>>) -> Vec<String> {
    in_order(words, term)
}

/// The terms of words that were met, for texts that have many words in common.
#[derive(Debug, Default)]
pub struct TermCache(HashMap<Box<str>, Option<String>>);

impl TermCache {
    /// As [`terms_of`].
    pub fn terms_of<'a>(&mut self, words: impl Iterator<Item = Word<'a>>) -> Vec<String> {
        in_order(words, |word| match self.0.get(word) {
            Some(hit) => hit.clone(),
            None => {
                let term = term(word);
                self.0.insert(word.into(), term.clone());
                term
            }
        })
    }
}

/// The term of a word; `None` for a stop word or a single ASCII letter.
fn term(word: &str) -> Option<String> {
    let folded = fold(word);
    let is_letter = folded.len() == 1 && folded.is_ascii();
    (!is_letter && !is_stop_word(&folded)).then(|| stem(&folded))
}

/// The terms of words and signs, given the term of a word.
fn in_order<'a>(
    words: impl Iterator<Item = Word<'a>>,
    mut term: impl FnMut(&str) -> Option<String>,
) -> Vec<String> {
    let mut terms: Vec<(usize, String)> = Vec::new();
    for word in words {
        let start = word.range.start;
        if word.text.contains(char::is_alphanumeric) {
            terms.extend(term(word.text).map(|term| (start, term)));
            continue;
        }
        // The words of the sign's name, just pushed, are replaced by the sign.
        while terms.last().is_some_and(|(at, _)| *at >= start) {
            terms.pop();
        }
        terms.push((start, word.text.to_owned()));
    }
    terms.into_iter().map(|(_, term)| term).collect()
}

/// The bytes of a word and what is between it and the next, at most (chosen by hand).
const WORD_BYTES: usize = 64;

/// `true` if a text in lower case contains a phrase, given as stems separated by spaces.
pub fn contains_phrase(lower: &str, phrase: &str) -> bool {
    let stems: Vec<&str> = phrase.split(' ').collect();
    // Stems of "-ies" end in `y`, which the text itself may not contain.
    let Some(first) = stems.first().map(|stem| stem.trim_end_matches('y')) else {
        return false;
    };
    // A substring search for the first stem is cheap, and only its hits are tokenized.
    lower.match_indices(first).any(|(at, _)| {
        let begins_word = !lower[..at].ends_with(char::is_alphanumeric);
        // The segmenter looks at the whole line first, which may be the whole text.
        let end = lower.floor_char_boundary(at + WORD_BYTES * stems.len());
        let mut following = words(&lower[at..end]).map(|word| stem(&fold(word.text)));
        begins_word
            && stems
                .iter()
                .all(|stem| following.next().as_deref() == Some(*stem))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_matches_other_inflections() {
        assert!(contains_phrase(
            "it has question marks, many",
            "question mark"
        ));
        assert!(contains_phrase("two studies made", "study mad"));
        assert!(!contains_phrase("a question of marks", "question mark"));
        assert!(!contains_phrase("requestion mark", "question mark"));
        assert!(!contains_phrase("question", "question mark"));
    }

    #[test]
    fn cached_terms_are_those_of_the_text() {
        let mut cache = TermCache::default();
        for text in [
            "Pumps, the pumps and a Pump?",
            "Use `?`: the question marks",
        ] {
            assert_eq!(cache.terms_of(signs::words(text)), terms(text));
        }
    }

    #[test]
    fn terms_are_stemmed_and_without_stop_words() {
        assert_eq!(
            terms("How does the borrow checker use C and 世界?"),
            ["borrow", "checker", "use", "世", "界"]
        );
        assert!(terms("").is_empty());
        assert_eq!(terms("The question mark operator"), ["?", "operator"]);
        assert_eq!(terms("Use `?` on a Result?"), ["use", "?", "result"]);
    }
}

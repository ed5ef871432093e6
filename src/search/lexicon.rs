//! Words as written and the terms of the index that they count as: each is looked up once,
//! whichever document it stands in.
//!
//! Refuses to know what a term tells.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use foldhash::HashMap;

use super::index::Index;
use super::language::Language;
use crate::text;

/// Words of a language that are kept in mind; a few megabytes of them.
const KNOWN_WORDS: usize = 1 << 16;

/// Terms and how often each stands in a text, by term.
pub(super) type Counts = BTreeMap<u32, u32>;

/// The words that were met.
#[derive(Default)]
pub(super) struct Lexicon {
    /// There are few languages, and this is asked for each text.
    known: Mutex<BTreeMap<Language, Words>>,
}

/// Words, each with its term if the index has one for it.
type Words = HashMap<Box<str>, Option<u32>>;

impl Lexicon {
    /// The terms of a text.
    pub(super) fn counts(&self, text: &str, language: Language, index: &Index) -> Counts {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(language).or_default();
        let mut terms: Vec<u32> = Vec::new();
        for word in text::signs::words(text) {
            let term = match known.get(word.text) {
                Some(term) => *term,
                None => {
                    if known.len() >= KNOWN_WORDS {
                        known.clear();
                    }
                    let term = language.term(word.text).and_then(|term| index.term(&term));
                    known.insert(word.text.into(), term);
                    term
                }
            };
            terms.extend(term);
        }
        terms.sort_unstable();
        let runs = terms.chunk_by(|one, other| one == other);
        runs.map(|run| (run[0], run.len() as u32)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Segment;
    use super::*;

    #[test]
    fn words_count_the_same_after_many_others() {
        let segment = Segment {
            terms: vec!["pump".to_owned()],
            records: Vec::new(),
        };
        let index = Index::new(&[&segment], &[]);
        let (lexicon, language) = (Lexicon::default(), Language::default());
        let counts = |text: &str| lexicon.counts(text, language, &index);
        let expected = Counts::from([(0, 2)]);
        assert_eq!(counts("Pumps and the pump of a house"), expected);
        for number in 0..KNOWN_WORDS {
            assert!(counts(&format!("house{number}")).is_empty());
        }
        assert_eq!(counts("Pumps and the pump of a house"), expected);
    }
}

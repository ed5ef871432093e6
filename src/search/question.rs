//! What a query asks for: its words as written, and its terms in the index.

use std::collections::BTreeMap;
use std::ops::Range;

use super::index::{Index, Weighted};
use super::language::Language;
use crate::text::{self, Word};

/// A query in words and terms.
pub(super) struct Question {
    /// All words in order.
    pub(super) words: Vec<Asked>,
    /// The terms that the index knows, each once, in their order, with how often they are asked
    /// for.
    pub(super) terms: Vec<Weighted>,
}

/// A word of a query.
pub(super) struct Asked {
    /// As written.
    pub(super) text: String,
    /// As names compare, see [`plain`].
    pub(super) plain: String,
    /// What it may count as: one term for each language that stems it otherwise. None for a stop
    /// word.
    pub(super) stems: Vec<String>,
}

impl Question {
    /// A query over documents in these languages.
    pub(super) fn new(query: &str, languages: &[Language], index: &Index) -> Self {
        let words: Vec<Asked> = text::words(query)
            .map(|word| Asked::new(word.text, languages))
            .collect();
        let mut terms: BTreeMap<u32, f64> = BTreeMap::new();
        let signs =
            text::signs::words(query).filter(|word| !word.text.contains(char::is_alphanumeric));
        let signs = signs.filter_map(|sign| Some((index.term(sign.text)?, sign.range)));
        let signs: Vec<(u32, Range<usize>)> = signs.collect();
        let alone = text::signs::isolated(query).filter_map(|sign| index.term(sign));
        // What is known as a sign is not searched by the words of its name.
        let is_name = |word: &Word<'_>| {
            let mut named = signs.iter().map(|(_, name)| name);
            named.any(|name| name.start <= word.range.start && word.range.end <= name.end)
        };
        let stems = text::words(query)
            .zip(&words)
            .filter(|(word, _)| !is_name(word));
        let stems = stems.flat_map(|(_, asked)| &asked.stems);
        let asked = stems.filter_map(|stem| index.term(stem));
        for term in asked
            .chain(signs.iter().map(|(term, _)| *term))
            .chain(alone)
        {
            *terms.entry(term).or_default() += 1.0;
        }
        Self {
            words,
            terms: terms.into_iter().collect(),
        }
    }

    /// Whether nothing is capitalised: then capitals say nothing.
    pub(super) fn is_lower_case(&self) -> bool {
        !self.words.iter().any(Asked::is_capitalised)
    }

    /// Whether it asks for something by name: a capital that is not the first word's, a leading
    /// digit, or a word that the documents mostly capitalise.
    pub(super) fn names_something(&self, index: &Index) -> bool {
        let is_name = |(place, word): (usize, &Asked)| {
            let is_known = || {
                let mut terms = word.stems.iter().filter_map(|stem| index.term(stem));
                terms.any(|term| index.is_name(term))
            };
            let has_digit = word.text.starts_with(|c: char| c.is_ascii_digit());
            place > 0 && word.is_capitalised() || has_digit || is_known()
        };
        self.words.iter().enumerate().any(is_name)
    }
}

impl Asked {
    fn new(word: &str, languages: &[Language]) -> Self {
        let mut stems: Vec<String> = languages
            .iter()
            .filter_map(|language| language.term(word))
            .collect();
        stems.sort_unstable();
        stems.dedup();
        Self {
            plain: plain(word),
            text: word.to_owned(),
            stems,
        }
    }

    /// Whether its first letter is a capital.
    pub(super) fn is_capitalised(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }
}

/// A word of a name as names compare: folded, without a possessive.
pub(super) fn plain(word: &str) -> String {
    let mut folded = text::fold(word);
    if folded.ends_with("'s") {
        folded.truncate(folded.len() - 2);
    }
    folded
}

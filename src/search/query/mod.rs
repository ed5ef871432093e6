//! Query analysis: a query into words as written and weighted terms of the index.

pub(super) mod entities;
pub(super) mod feedback;
mod informative;
pub(super) mod passages;
pub(super) mod rank;
pub(super) mod top_k;

use std::collections::BTreeMap;
use std::ops::Range;

use super::index::aliases::normalise;
use super::index::{Index, Weighted};
use crate::text::{self, Language, Word};

/// A query in words and terms.
pub(super) struct Query {
    /// All words in order.
    pub(super) words: Vec<QueryWord>,
    /// The terms that the index contains, each once, sorted by bytes, weighted by how often the
    /// query has them.
    pub(super) terms: Vec<Weighted>,
}

/// A word of a query.
pub(super) struct QueryWord {
    /// As written.
    pub(super) text: String,
    /// As names compare, see [`normalise`].
    pub(super) normalised: String,
    /// The terms that it may count as: one for each language that stems it otherwise. Empty for a
    /// stop word.
    pub(super) stems: Vec<String>,
}

impl Query {
    /// A query over documents in these languages.
    pub(super) fn new(query: &str, languages: &[Language], index: &Index) -> Self {
        let words: Vec<QueryWord> = text::words(query)
            .map(|word| QueryWord::new(word.text, languages))
            .collect();
        let signs: Vec<(&str, Range<usize>)> = text::signs::words(query)
            .filter(|word| !word.text.contains(char::is_alphanumeric))
            .filter(|sign| index.term(sign.text).is_some())
            .map(|sign| (sign.text, sign.range))
            .collect();
        // A sign that the index contains is not searched by the words of its name as well.
        let is_in_name = |word: &Word<'_>| {
            signs
                .iter()
                .any(|(_, name)| name.start <= word.range.start && word.range.end <= name.end)
        };
        let stems = text::words(query)
            .zip(&words)
            .filter(|(word, _)| !is_in_name(word))
            .flat_map(|(_, word)| word.stems.iter().map(String::as_str));
        // Sorted by bytes: the order of all sums over the query.
        let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
        for term in stems
            .chain(signs.iter().map(|(sign, _)| *sign))
            .chain(text::signs::isolated(query))
        {
            *counts.entry(term).or_default() += 1.0;
        }
        let terms = counts
            .into_iter()
            .filter_map(|(term, count)| Some((index.term(term)?, count)))
            .collect();
        Self { words, terms }
    }

    /// `true` if nothing is capitalised: then capitals are no evidence.
    pub(super) fn is_lower_case(&self) -> bool {
        !self.words.iter().any(QueryWord::is_capitalised)
    }

    /// `true` if it names something: a capital that is not the first word's, a leading digit, or a
    /// word that the documents mostly capitalise.
    pub(super) fn names_something(&self, index: &Index) -> bool {
        self.words.iter().enumerate().any(|(number, word)| {
            let has_digit = word.text.starts_with(|c: char| c.is_ascii_digit());
            number > 0 && word.is_capitalised()
                || has_digit
                || word
                    .stems
                    .iter()
                    .filter_map(|stem| index.term(stem))
                    .any(|term| index.is_name(term))
        })
    }
}

impl QueryWord {
    fn new(word: &str, languages: &[Language]) -> Self {
        let mut stems: Vec<String> = languages
            .iter()
            .filter_map(|language| language.term(word))
            .collect();
        stems.sort_unstable();
        stems.dedup();
        Self {
            normalised: normalise(word),
            text: word.to_owned(),
            stems,
        }
    }

    /// `true` if its first letter is a capital.
    pub(super) fn is_capitalised(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }
}

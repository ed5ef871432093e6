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
        let words = |language: Language| -> Vec<QueryWord> {
            text::words(query)
                .map(|word| QueryWord::new(word.text, language, languages))
                .collect()
        };
        // Only English documents: nothing to detect.
        let language = match languages {
            [_] => Language::default(),
            _ => Language::of_question(query),
        };
        let content = words(language);
        let has_content = content.iter().any(|word| !word.stems.is_empty());
        let words = if has_content {
            content
        } else {
            words(Language::default())
        };
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
    /// A word of a query in a language over documents in some languages. The index has the stop
    /// words of all languages but English, and in a few documents chance alone makes some of them
    /// rare, so that they would decide which documents match.
    fn new(word: &str, language: Language, languages: &[Language]) -> Self {
        let folded = text::fold(word);
        let is_content = !language.is_stop_word(&folded);
        let mut stems: Vec<String> = languages
            .iter()
            .filter(|_| is_content)
            .filter_map(|language| language.term_of(word, &folded))
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

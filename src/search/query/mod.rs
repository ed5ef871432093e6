//! Query analysis: a query into words as written and weighted terms of the index.

pub(super) mod entities;
pub(super) mod feedback;
mod informative;
pub(super) mod passages;
pub(super) mod rank;
pub(super) mod top_k;

use std::ops::Range;

use foldhash::HashMap;

use super::index::aliases::normalise_folded;
use super::index::analyzer::Term;
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
    /// As names compare, see [`normalise_folded`].
    pub(super) normalised: String,
    /// The terms that it may count as: one for each language that stems it otherwise. Empty for a
    /// stop word.
    pub(super) terms: Vec<Term>,
}

impl Query {
    /// A query over documents in these languages.
    pub(super) fn new(query: &str, languages: &[Language], index: &Index) -> Self {
        let written: Vec<Word<'_>> = text::words(query).collect();
        let words = |language: Language| -> Vec<QueryWord> {
            let written = written.iter();
            written
                .map(|word| QueryWord::new(word.text, language, languages, index))
                .collect()
        };
        // Only English documents: nothing to detect.
        let language = match languages {
            [_] => Language::default(),
            _ => Language::of_question(query),
        };
        let content = words(language);
        let has_content = content.iter().any(|word| !word.terms.is_empty());
        let words = if has_content {
            content
        } else {
            words(Language::default())
        };
        let signs: Vec<(Term, Range<usize>)> = text::signs::words(query)
            .filter(|word| !word.text.contains(char::is_alphanumeric))
            .filter_map(|sign| Some((index.term(sign.text)?, sign.range)))
            .collect();
        // A sign that the index contains is not searched by the words of its name as well.
        let is_in_name = |word: &Word<'_>| {
            signs
                .iter()
                .any(|(_, name)| name.start <= word.range.start && word.range.end <= name.end)
        };
        let own = written
            .iter()
            .zip(&words)
            .filter(|(word, _)| !is_in_name(word))
            .flat_map(|(_, word)| index.contained(&word.terms));
        let isolated = text::signs::isolated(query).filter_map(|sign| index.term(sign));
        let mut counts: HashMap<Term, f64> = HashMap::default();
        for term in own
            .chain(signs.iter().map(|(sign, _)| *sign))
            .chain(isolated)
        {
            *counts.entry(term).or_default() += 1.0;
        }
        // The order of all sums over the query.
        let mut terms: Vec<Weighted> = counts.into_iter().collect();
        index.sort(&mut terms);
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
                || index.contained(&word.terms).any(|term| index.is_name(term))
        })
    }
}

impl QueryWord {
    /// A word of a query in a language over documents in some languages. The index has the stop
    /// words of all languages but English, and in a few documents chance alone makes some of them
    /// rare, so that they would decide which documents match.
    fn new(word: &str, language: Language, languages: &[Language], index: &Index) -> Self {
        let folded = text::fold(word);
        let is_content = !language.is_stop_word(&folded);
        let mut terms: Vec<Term> = languages
            .iter()
            .filter(|_| is_content)
            .filter_map(|language| index.term_of(word, *language))
            .collect();
        terms.sort_unstable();
        terms.dedup();
        Self {
            normalised: normalise_folded(folded),
            text: word.to_owned(),
            terms,
        }
    }

    /// `true` if its first letter is a capital.
    pub(super) fn is_capitalised(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }
}

//! The evidence of a question in texts: which of its terms they cover, and how well.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::question::Question;
use super::super::question::answer_type::AnswerType;
use super::super::question::arabic;
use super::super::question::compared::Degrees;
use super::super::vocabulary::{Token, Vocabulary};
use super::matching::Matches;
use crate::text;

/// The parameters of BM25 (Robertson et al., "Okapi at TREC-3").
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// What is added to each idf: in a small collection the words of its subject have nearly none, and
/// any other word of a question would outweigh them. Half a unit costs half a point of accuracy on
/// encyclopaedia articles.
const IDF_FLOOR: f64 = 0.5;

/// The share of its idf that the focus of a question weighs where it is missing: it is the class
/// that the answer is one of, which a sentence with the answer need not name.
const FOCUS_WEIGHT: f64 = 0.5;

/// The share of its weight that is left to a pair of ideographs that no text has, behind one that
/// texts have, at the end of a run: it may be a word or straddle two. Chosen by hand.
const LAST_PAIR: f64 = 0.5;

/// The degree from which a term counts as met.
pub(in crate::answering) const MET: f32 = 0.5;

/// The coverage of each term of a question by a text, 0 to 1.
pub(in crate::answering) type Cover = Vec<f32>;

/// The occurrences of a question's terms in a text.
#[derive(Clone)]
pub(in crate::answering) struct Occurrences {
    /// The coverage of each term.
    pub(in crate::answering) cover: Cover,
    /// The number of words with the stem of each term.
    counts: Vec<f64>,
    /// The number of content words of the text.
    length: f64,
}

impl Occurrences {
    /// Those of an empty text.
    pub(in crate::answering) fn none(terms: usize) -> Self {
        Self {
            cover: vec![0.0; terms],
            counts: vec![0.0; terms],
            length: 0.0,
        }
    }

    /// Adds those of another text.
    pub(in crate::answering) fn add(&mut self, other: &Self) {
        raise(&mut self.cover, &other.cover);
        for (own, other) in self.counts.iter_mut().zip(&other.counts) {
            *own += other;
        }
        self.length += other.length;
    }

    /// The number of content words of the text.
    pub(in crate::answering) fn length(&self) -> f64 {
        self.length
    }
}

/// Raises each degree to that of another text, if it is higher.
pub(in crate::answering) fn raise(cover: &mut Cover, other: &Cover) {
    for (own, other) in cover.iter_mut().zip(other) {
        *own = own.max(*other);
    }
}

/// The number of terms that a text meets.
pub(in crate::answering) fn met(cover: &Cover) -> usize {
    cover.iter().filter(|degree| **degree >= MET).count()
}

impl Question {
    /// Raises the degrees of two names of one thing, "London (eu-west-2)", to the larger one: a
    /// text needs one of them.
    fn meet_other_name(&self, cover: &mut Cover) {
        let Some(names) = &self.names_twice else {
            return;
        };
        // A name is there as far as its rarest word is.
        let degree = |name: &Range<usize>| cover[name.clone()].iter().copied().fold(1.0, f32::min);
        let degree = names.iter().map(degree).fold(0.0, f32::max);
        for at in names.iter().flat_map(Clone::clone) {
            cover[at] = cover[at].max(degree);
        }
    }
}

/// Finds the terms of a question in texts whose words are in a vocabulary.
pub(in crate::answering) struct Evidence<'a> {
    pub(in crate::answering) question: &'a Question,
    vocabulary: &'a Vocabulary,
    matches: Matches<'a>,
    idf: Vec<f64>,
    /// The terms that are months, if yes or no is asked.
    months: Vec<usize>,
}

/// The largest number of words from one month of a span to the other: "1 April and 30 September".
const SPAN_WORDS: usize = 4;

impl<'a> Evidence<'a> {
    pub(in crate::answering) fn new(
        question: &'a Question,
        vocabulary: &'a Vocabulary,
        idf: &dyn Fn(&str) -> f64,
    ) -> Self {
        let terms = &question.terms;
        Self {
            question,
            vocabulary,
            matches: Matches::new(terms, vocabulary),
            idf: terms
                .iter()
                .map(|term| idf(&term.stem) + IDF_FLOOR)
                .collect(),
            months: (0..terms.len())
                .filter(|_| question.answer_type == AnswerType::YesNo)
                .filter(|at| text::MONTHS.contains(&terms[*at].word.as_str()))
                .collect(),
        }
    }

    /// Weighs the terms by the words of the texts that they match, where the stems of the index
    /// tell little: pairs of ideographs, and Arabic words, whose clitics it does not take off.
    pub(in crate::answering) fn weigh_words(
        &mut self,
        idf: &dyn Fn(&str) -> f64,
        paragraphs: impl FnOnce() -> Vec<Vec<Token>>,
    ) {
        let terms = &self.question.terms;
        if terms.iter().any(|term| arabic::is_arabic(&term.word)) {
            self.weigh_arabic(idf);
        } else if self.question.is_ideographic() {
            self.weigh_pairs(&paragraphs());
        }
    }

    /// Gives each Arabic term the least idf of the words with its light stem.
    fn weigh_arabic(&mut self, idf: &dyn Fn(&str) -> f64) {
        let stems: Vec<String> = self
            .question
            .terms
            .iter()
            .map(|term| arabic::light_stem(&term.word))
            .collect();
        for entry in self.vocabulary.entries() {
            if !arabic::is_arabic(&entry.word) {
                continue;
            }
            let own = arabic::light_stem(&entry.word);
            for (weight, stem) in self.idf.iter_mut().zip(&stems) {
                if arabic::are_same(&own, stem) {
                    *weight = weight.min(idf(&entry.stem) + IDF_FLOOR);
                }
            }
        }
    }

    /// Weighs pairs of ideographs by the paragraphs that have them, since the index counts single
    /// ideographs, of which the rarer is as frequent as the pair at least.
    fn weigh_pairs(&mut self, paragraphs: &[Vec<Token>]) {
        let mut counts = vec![0_u32; self.terms()];
        for tokens in paragraphs {
            let mut own = BTreeSet::new();
            for token in tokens {
                let exact = self.matches.of(*token).iter();
                own.extend(
                    exact
                        .filter(|(_, degree)| *degree >= 1.0)
                        .map(|(term, _)| *term),
                );
            }
            own.into_iter().for_each(|term| counts[term] += 1);
        }
        for (weight, with) in self.idf.iter_mut().zip(&counts) {
            let (with, all) = (f64::from(*with), paragraphs.len() as f64);
            // As BM25 has it.
            let own = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
            *weight = weight.max(own + IDF_FLOOR);
        }
        self.weigh_groups(&counts);
    }

    /// Weighs groups of pairs of ideographs that touch and that as many paragraphs have, which are
    /// mostly one word: a group weighs as many pairs as it has words of two ideographs. A pair that
    /// no text has between two that texts have straddles two words, and weighs nothing; half of it,
    /// if it is the last of its run.
    fn weigh_groups(&mut self, counts: &[u32]) {
        let terms = &self.question.terms;
        let touches_next = |at: usize| {
            let next = terms.get(at + 1);
            let last = terms[at].word.chars().next_back();
            next.is_some_and(|next| next.word.chars().next() == last)
        };
        let mut start = 0;
        while start < terms.len() {
            let goes_on = |at: &usize| touches_next(at - 1) && counts[*at] == counts[start];
            let pairs = (start + 1..terms.len()).take_while(goes_on).count() + 1;
            let end = start + pairs;
            let touched = [start > 0 && touches_next(start - 1), touches_next(end - 1)];
            let touched = touched.into_iter().filter(|touches| *touches).count();
            // Pairs of no text at the ends of a group are partly of the words beside it.
            let straddling = if counts[start] == 0 { touched } else { 0 };
            let share = match (pairs, straddling) {
                (1, 1) => LAST_PAIR,
                (1, 2) => 0.0,
                _ => (pairs + 1 - straddling) as f64 / (2 * pairs) as f64,
            };
            self.idf[start..end]
                .iter_mut()
                .for_each(|weight| *weight *= share);
            start = end;
        }
    }

    /// As [`Matches::resume`].
    pub(in crate::answering) fn resume(&mut self, degrees: Vec<Option<Degrees>>) {
        self.matches.resume(degrees);
    }

    /// As [`Matches::into_cache`].
    pub(in crate::answering) fn into_degrees(self) -> Vec<Option<Degrees>> {
        self.matches.into_cache()
    }

    /// The number of terms of the question.
    pub(in crate::answering) fn terms(&self) -> usize {
        self.question.terms.len()
    }

    /// The occurrences of the terms in a text.
    pub(in crate::answering) fn occurrences(&mut self, tokens: &[Token]) -> Occurrences {
        let mut occurrences = Occurrences::none(self.terms());
        occurrences.length = tokens.len() as f64;
        for token in tokens {
            for (term, degree) in self.matches.of(*token) {
                occurrences.cover[*term] = occurrences.cover[*term].max(*degree);
                occurrences.counts[*term] += f64::from(u8::from(*degree >= 1.0));
            }
        }
        // "Between 1 April and 30 September" tells what is so in November.
        if !self.months.is_empty() && self.spans_months(tokens) {
            for month in &self.months {
                occurrences.cover[*month] = 1.0;
            }
        }
        self.question.meet_other_name(&mut occurrences.cover);
        occurrences
    }

    /// `true` if a text has two months near each other: "between 1 April and 30 September".
    fn spans_months(&self, tokens: &[Token]) -> bool {
        let month = |token: &Token| {
            let word = &self.vocabulary.entry(*token)?.word;
            text::MONTHS.iter().position(|month| **month == **word)
        };
        let months = tokens.iter().enumerate();
        let months = months.filter_map(|(at, token)| Some((at, month(token)?)));
        let months: Vec<(usize, usize)> = months.collect();
        let mut pairs = months.windows(2);
        pairs.any(|pair| pair[0].1 != pair[1].1 && pair[1].0 - pair[0].0 <= SPAN_WORDS)
    }

    /// The soft coverage of the question: the share of its terms, by idf.
    pub(in crate::answering) fn coverage(&self, cover: &Cover) -> f64 {
        self.weighted_coverage(cover, 1.0)
    }

    /// The soft coverage by which a report is silent: a missing focus weighs less.
    pub(in crate::answering) fn lenient_coverage(&self, cover: &Cover) -> f64 {
        self.weighted_coverage(cover, FOCUS_WEIGHT)
    }

    fn weighted_coverage(&self, cover: &Cover, focus_weight: f64) -> f64 {
        let (mut all, mut covered) = (0.0, 0.0);
        for ((term, idf), degree) in self.question.terms.iter().zip(&self.idf).zip(cover) {
            let degree = f64::from(*degree);
            let weight = if term.is_focus {
                degree.max(focus_weight)
            } else {
                1.0
            };
            all += weight * idf;
            covered += degree * idf;
        }
        if all > 0.0 { covered / all } else { 0.0 }
    }

    /// The BM25 score of a text.
    pub(in crate::answering) fn bm25(&self, text: &Occurrences, average_length: f64) -> f64 {
        let norm = K1 * (1.0 - B + B * text.length / average_length);
        let terms = self.idf.iter().zip(&text.counts);
        terms
            .map(|(idf, count)| idf * count * (K1 + 1.0) / (count + norm))
            .sum()
    }

    /// The BM25 score of a text as a share of the idf of all terms.
    pub(in crate::answering) fn share_of_idf(&self, bm25: f64) -> f64 {
        let all: f64 = self.idf.iter().sum();
        bm25 / all.max(f64::MIN_POSITIVE)
    }

    /// The share of the neighbouring words of the question that are neighbours in a sentence.
    pub(in crate::answering) fn pairs(&mut self, tokens: &[Token]) -> f64 {
        let terms = self.question.terms.len();
        if terms < 2 {
            return 0.0;
        }
        let matched: Vec<Vec<usize>> = tokens
            .iter()
            .map(|token| {
                let of = self.matches.of(*token).iter();
                of.filter(|(_, degree)| *degree >= MET)
                    .map(|(term, _)| *term)
                    .collect()
            })
            .collect();
        let is_pair = |first: usize| {
            matched
                .windows(2)
                .any(|pair| pair[0].contains(&first) && pair[1].contains(&(first + 1)))
        };
        (0..terms - 1).filter(|first| is_pair(*first)).count() as f64 / (terms - 1) as f64
    }

    /// 1 if a sentence begins with all terms of the question, in any order; less if other words are
    /// before or between them, 0 if it does not begin with one.
    pub(in crate::answering) fn beginning(&mut self, tokens: &[Token]) -> f64 {
        let terms = self.question.terms.len();
        let mut met = vec![false; terms];
        for (position, token) in tokens.iter().take(2 * terms + 1).enumerate() {
            for (term, degree) in self.matches.of(*token) {
                met[*term] |= *degree >= MET;
            }
            if met.iter().all(|met| *met) {
                return terms as f64 / (position + 1) as f64;
            }
        }
        0.0
    }

    /// The coverage of the terms that are no names by a sentence, times that of the names by its
    /// paragraph and title: names tell the paragraph, the other words the sentence in it. Words of
    /// the title are as good as names where these have no capitals. 0 of a question without names,
    /// or of names alone.
    pub(in crate::answering) fn coverage_within(
        &self,
        sentence: &Cover,
        context: &Cover,
        title: &Cover,
    ) -> f64 {
        let is_named = |number: &usize| self.question.terms[*number].is_name;
        let is_titled = |number: &usize| !self.question.tells_names() && title[*number] >= MET;
        let is_all = (0..self.terms()).all(|number| is_named(&number) || is_titled(&number));
        let is_name = |number: &usize| is_named(number) || !is_all && is_titled(number);
        let share = |cover: &Cover, numbers: &[usize]| {
            let all: f64 = numbers.iter().map(|number| self.idf[*number]).sum();
            let covered: f64 = numbers
                .iter()
                .map(|number| self.idf[*number] * f64::from(cover[*number]))
                .sum();
            covered / all
        };
        let (names, others): (Vec<usize>, Vec<usize>) = (0..self.terms()).partition(is_name);
        if names.is_empty() || others.is_empty() {
            return 0.0;
        }
        share(sentence, &others) * share(context, &names)
    }

    pub(in crate::answering) fn is_under_heading(&self, headings: &[Token]) -> bool {
        let stems: Vec<&str> = headings
            .iter()
            .filter_map(|token| self.vocabulary.entry(*token))
            .map(|entry| &*entry.stem)
            .collect();
        self.question.answer_type.is_under_heading(&stems)
    }

    /// The share of the words of a title that the question has.
    pub(in crate::answering) fn share_of_title(&mut self, title: &[Token]) -> f64 {
        if title.is_empty() {
            return 0.0;
        }
        let matched = title
            .iter()
            .filter(|token| {
                self.matches
                    .of(**token)
                    .iter()
                    .any(|(_, degree)| *degree >= MET)
            })
            .count();
        matched as f64 / title.len() as f64
    }

    /// The share of the names and numbers of the question; 1 if it has none.
    pub(in crate::answering) fn names(&self, cover: &Cover) -> f64 {
        let names: Vec<f32> = self
            .question
            .terms
            .iter()
            .zip(cover)
            .filter(|(term, _)| term.is_name)
            .map(|(_, degree)| *degree)
            .collect();
        if names.is_empty() {
            return 1.0;
        }
        let sum: f32 = names.iter().sum();
        f64::from(sum) / names.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Language;

    #[test]
    fn pair_of_ideographs_between_two_words_has_no_weight() {
        let question = Question::parse("城市公园多大？");
        let mut vocabulary = Vocabulary::default();
        vocabulary.tokens("公园很大。城市很老。", Language::default());
        let mut evidence = Evidence::new(&question, &vocabulary, &|_| 1.0);
        evidence.weigh_groups(&[1, 0, 1]);
        let words: Vec<&str> = question.terms.iter().map(|term| &*term.word).collect();
        assert_eq!(words, ["城市", "市公", "公园"]);
        assert_eq!(evidence.idf, [1.5, 0.0, 1.5]);
    }

    #[test]
    fn words_of_the_title_name_the_paragraph() {
        let question = Question::parse("Wie tief ist der Alpensee im Sommer?");
        let vocabulary = Vocabulary::default();
        let evidence = Evidence::new(&question, &vocabulary, &|_| 1.0);
        let terms = evidence.terms();
        let of = |word: &str| -> Cover {
            let degree = |own: &str| f32::from(u8::from(own == word));
            question
                .terms
                .iter()
                .map(|term| degree(&term.word))
                .collect()
        };
        let (lake, none) = (of("alpensee"), vec![0.0; terms]);
        let within = |title: &Cover| evidence.coverage_within(&of("sommer"), &lake, title);
        assert!(within(&lake) > 0.0);
        assert_eq!(within(&none), 0.0);
    }
}

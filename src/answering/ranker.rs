//! The ranking of sentences by how well they answer a question.

use super::confidence::confidence;
use super::features::{self, Features, Signals};
use super::matching::Matches;
use super::question::Question;
use super::vocabulary::{Token, Vocabulary};

/// The number of sentences, best by BM25, for which all features are computed.
const CANDIDATES: usize = 40;

/// The parameters of BM25 (Robertson et al., "Okapi at TREC-3").
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The length from which a sentence is no better for being longer, in content words.
const FULL_LENGTH: f64 = 20.0;

/// The statistics of the collection.
pub struct Corpus<'a> {
    /// The inverse document frequency of a stem among the paragraphs of the collection.
    pub idf: &'a dyn Fn(&str) -> f64,
}

/// A document that may answer.
pub struct DocumentInput<'a> {
    /// The words of its title.
    pub title: Vec<Token>,
    /// Its score for the question, as a share of the best document's.
    pub score: f64,
    /// Its sentences in order.
    pub sentences: Vec<SentenceInput<'a>>,
}

/// A sentence of a document.
#[derive(Clone, Copy)]
pub struct SentenceInput<'a> {
    /// The sentence.
    pub text: &'a str,
    /// Its content words.
    pub tokens: &'a [Token],
    /// The number of its paragraph.
    pub paragraph: usize,
    /// The content words of the headings above it.
    pub headings: &'a [Token],
    /// `true` if it is in a summary or the first paragraph.
    pub is_lead: bool,
}

/// A sentence with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The number of its document.
    pub document: usize,
    /// Its number in the document.
    pub sentence: usize,
    /// Its score; comparable within one question.
    pub score: f64,
    /// The coverage of the question by it, 0 to 1.
    pub coverage: f64,
    /// Its features.
    pub features: Features,
}

/// The sentences that answer best.
#[derive(Debug, Clone, Default)]
pub struct Ranking {
    /// The sentences, best first.
    pub ranked: Vec<Ranked>,
    /// The probability that the first answers, 0 to 1.
    pub confidence: f64,
    /// The signals that the confidence is computed from.
    pub signals: Signals,
}

/// The coverage of each term of a question by a text, 0 to 1.
type Cover = Vec<f32>;

/// A sentence with what the question finds in it.
struct Unit {
    document: usize,
    sentence: usize,
    paragraph: usize,
    cover: Cover,
    bm25: f64,
}

/// A group of sentences: a paragraph, a document.
struct Group {
    cover: Cover,
    bm25: f64,
}

/// Ranks the sentences of documents.
pub struct Ranker<'a> {
    question: &'a Question,
    matches: Matches<'a>,
    idf: Vec<f64>,
}

impl<'a> Ranker<'a> {
    /// The ranker of a question over documents whose words are in a vocabulary.
    pub fn new(question: &'a Question, vocabulary: &'a Vocabulary, corpus: &Corpus<'_>) -> Self {
        let terms = &question.terms;
        Self {
            question,
            matches: Matches::new(terms, vocabulary),
            idf: terms.iter().map(|term| (corpus.idf)(&term.stem)).collect(),
        }
    }

    /// Ranks the sentences of documents, best first.
    pub fn rank(mut self, documents: &[DocumentInput<'_>]) -> Ranking {
        let terms = self.question.terms.len();
        let none: Cover = vec![0.0; terms];
        let titles: Vec<Cover> = documents
            .iter()
            .map(|document| self.cover(&document.title))
            .collect();
        let averages = averages(documents);
        let mut units = Vec::new();
        let mut paragraphs: Vec<Vec<Group>> = Vec::new();
        let mut wholes: Vec<Cover> = Vec::new();
        for (number, document) in documents.iter().enumerate() {
            let first = units.len();
            let mut groups: Vec<Group> = Vec::new();
            let mut counts = vec![0.0; terms];
            let mut length = 0.0;
            let mut last = None;
            let mut whole = titles[number].clone();
            for (at, sentence) in document.sentences.iter().enumerate() {
                if last != Some(sentence.paragraph) {
                    if last.is_some() {
                        self.close(&mut groups, &mut counts, &mut length, averages.1);
                    }
                    groups.push(Group { cover: none.clone(), bm25: 0.0 });
                    last = Some(sentence.paragraph);
                }
                let (cover, own) = self.cover_and_counts(sentence.tokens);
                let own_length = sentence.tokens.len() as f64;
                for (sum, count) in counts.iter_mut().zip(&own) {
                    *sum += count;
                }
                length += own_length;
                if let Some(group) = groups.last_mut() {
                    raise(&mut group.cover, &cover);
                }
                raise(&mut whole, &cover);
                units.push(Unit {
                    document: number,
                    sentence: at,
                    paragraph: groups.len() - 1,
                    bm25: self.bm25(&own, own_length, averages.0),
                    cover,
                });
            }
            if units.len() > first {
                self.close(&mut groups, &mut counts, &mut length, averages.1);
            }
            paragraphs.push(groups);
            wholes.push(whole);
        }
        self.order(documents, &titles, &units, &paragraphs, &wholes)
    }

    fn close(&self, groups: &mut [Group], counts: &mut [f64], length: &mut f64, average: f64) {
        if let Some(group) = groups.last_mut() {
            group.bm25 = self.bm25(counts, *length, average);
        }
        counts.fill(0.0);
        *length = 0.0;
    }

    fn order(
        &mut self,
        documents: &[DocumentInput<'_>],
        titles: &[Cover],
        units: &[Unit],
        paragraphs: &[Vec<Group>],
        wholes: &[Cover],
    ) -> Ranking {
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::MIN_POSITIVE, f64::max);
        let best_sentence = most(&mut units.iter().map(|unit| unit.bm25));
        let best_paragraph = most(&mut paragraphs.iter().flatten().map(|group| group.bm25));
        let plain = |unit: &Unit| {
            let group = &paragraphs[unit.document][unit.paragraph];
            unit.bm25 / best_sentence + group.bm25 / best_paragraph
                + documents[unit.document].score
        };
        let mut order: Vec<(f64, usize)> = units
            .iter()
            .enumerate()
            .map(|(number, unit)| (plain(unit), number))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate(CANDIDATES);
        let mut ranked: Vec<(Ranked, usize)> = Vec::new();
        for (_, number) in order {
            let unit = &units[number];
            let document = &documents[unit.document];
            let sentence = &document.sentences[unit.sentence];
            let group = &paragraphs[unit.document][unit.paragraph];
            let title = &titles[unit.document];
            let near = self.near(units, number, title);
            let coverage = self.coverage(&unit.cover);
            let typed = f64::from(
                self.question
                    .answer_type
                    .is_in(sentence.text, &self.question.text),
            );
            let title_coverage = self.coverage(title);
            let of_title = self.share_of_title(&document.title);
            let is_first = f64::from(unit.sentence == 0);
            let features: Features = [
                coverage,
                self.coverage(&near),
                self.coverage(&group.cover),
                self.coverage(&wholes[unit.document]),
                document.score,
                group.bm25 / best_paragraph,
                unit.bm25 / best_sentence,
                self.pairs(sentence.tokens),
                typed,
                typed * coverage,
                (sentence.tokens.len() as f64 / FULL_LENGTH).min(1.0),
                title_coverage,
                of_title,
                is_first * title_coverage,
                is_first * of_title,
                {
                    let cover = self.cover(sentence.headings);
                    self.coverage(&cover)
                },
                0.0,
                f64::from(sentence.is_lead),
            ];
            ranked.push((
                Ranked {
                    document: unit.document,
                    sentence: unit.sentence,
                    score: features::score(&features),
                    coverage,
                    features,
                },
                number,
            ));
        }
        ranked.sort_by(|a, b| b.0.score.total_cmp(&a.0.score).then(a.1.cmp(&b.1)));
        let signals = ranked.first().map_or_else(Signals::default, |(best, number)| {
            let near = self.near(units, *number, &titles[best.document]);
            let idf: f64 = self.idf.iter().sum();
            Signals {
                sentence: best.coverage,
                neighbourhood: self.coverage(&near),
                paragraph: paragraphs
                    .iter()
                    .flatten()
                    .map(|group| self.coverage(&group.cover))
                    .fold(0.0, f64::max),
                document: wholes
                    .iter()
                    .map(|cover| self.coverage(cover))
                    .fold(0.0, f64::max),
                names: self.names(&near),
                bm25: units[*number].bm25 / idf.max(f64::MIN_POSITIVE),
            }
        });
        Ranking {
            ranked: ranked.into_iter().map(|(ranked, _)| ranked).collect(),
            confidence: confidence(&signals),
            signals,
        }
    }

    /// The coverage of the terms by a sentence, the sentences next to it, and the title.
    fn near(&self, units: &[Unit], number: usize, title: &Cover) -> Cover {
        let unit = &units[number];
        let mut near = unit.cover.clone();
        let neighbours = [number.checked_sub(1), Some(number + 1)];
        for other in neighbours.into_iter().flatten().filter_map(|at| units.get(at)) {
            if other.document == unit.document && other.paragraph == unit.paragraph {
                raise(&mut near, &other.cover);
            }
        }
        raise(&mut near, title);
        near
    }

    fn cover(&mut self, tokens: &[Token]) -> Cover {
        self.cover_and_counts(tokens).0
    }

    /// The coverage of each term, and how often each occurs by its stem.
    fn cover_and_counts(&mut self, tokens: &[Token]) -> (Cover, Vec<f64>) {
        let terms = self.question.terms.len();
        let (mut cover, mut counts) = (vec![0.0_f32; terms], vec![0.0; terms]);
        for token in tokens {
            for (term, degree) in self.matches.of(*token) {
                cover[*term] = cover[*term].max(*degree);
                counts[*term] += f64::from(u8::from(*degree >= 1.0));
            }
        }
        (cover, counts)
    }

    /// The soft coverage of the question: the share of its terms, by idf.
    fn coverage(&self, cover: &Cover) -> f64 {
        let all: f64 = self.idf.iter().sum();
        let covered = self.idf.iter().zip(cover);
        let sum: f64 = covered.map(|(idf, degree)| idf * f64::from(*degree)).sum();
        if all > 0.0 { sum / all } else { 0.0 }
    }

    fn bm25(&self, counts: &[f64], length: f64, average: f64) -> f64 {
        let norm = K1 * (1.0 - B + B * length / average);
        let terms = self.idf.iter().zip(counts);
        terms
            .map(|(idf, count)| idf * count * (K1 + 1.0) / (count + norm))
            .sum()
    }

    /// The share of the neighbouring words of the question that are neighbours in a sentence.
    fn pairs(&mut self, tokens: &[Token]) -> f64 {
        let terms = self.question.terms.len();
        if terms < 2 {
            return 0.0;
        }
        let matched: Vec<Vec<usize>> = tokens
            .iter()
            .map(|token| {
                let of = self.matches.of(*token).iter();
                of.filter(|(_, degree)| *degree >= 0.5).map(|(term, _)| *term).collect()
            })
            .collect();
        let is_pair = |first: usize| {
            matched.windows(2).any(|pair| {
                pair[0].contains(&first) && pair[1].contains(&(first + 1))
            })
        };
        (0..terms - 1).filter(|first| is_pair(*first)).count() as f64 / (terms - 1) as f64
    }

    /// The share of the words of a title that the question has.
    fn share_of_title(&mut self, title: &[Token]) -> f64 {
        if title.is_empty() {
            return 0.0;
        }
        let matched = title
            .iter()
            .filter(|token| self.matches.of(**token).iter().any(|(_, degree)| *degree >= 0.5))
            .count();
        matched as f64 / title.len() as f64
    }

    /// The share of the names and numbers of the question; 1 if it has none.
    fn names(&self, cover: &Cover) -> f64 {
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

/// Raises each degree to that of another text, if it is higher.
fn raise(cover: &mut Cover, other: &Cover) {
    for (own, other) in cover.iter_mut().zip(other) {
        *own = own.max(*other);
    }
}

/// The average lengths of a sentence and of a paragraph, in content words.
fn averages(documents: &[DocumentInput<'_>]) -> (f64, f64) {
    let (mut words, mut sentences, mut paragraphs) = (0, 0, 0);
    for document in documents {
        let mut last = None;
        for sentence in &document.sentences {
            words += sentence.tokens.len();
            sentences += 1;
            paragraphs += usize::from(last != Some(sentence.paragraph));
            last = Some(sentence.paragraph);
        }
    }
    let average = |count: usize| (words as f64 / count.max(1) as f64).max(1.0);
    (average(sentences), average(paragraphs))
}

//! Retrieval for a step: the documents that are most on topic, with all their sentences, and the
//! results of the step's search queries.
//!
//! Topicality is judged by a document's content and title as a whole, not by single sentences that
//! share words with the subject: such sentences often answer nothing. The researcher selects which
//! sentences are quoted.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::answers::{self, Answers};
use crate::agent::{
    Candidate, TermWeight, TopicDocument, coverage, is_amendment_of, names_amendment,
};
use crate::answering::Question;
use crate::artifact::documents::{LARGE_COLLECTION, NearestDocument};
use crate::artifact::step::{HitRecord, SearchRecord};
use crate::search::{Hit, Library};
use crate::stage::libraries::Open;
use crate::stage::sentences::Sentence;
use crate::text;

/// The maximum number of blocks of documents that a search returns (chosen by hand).
const HITS: usize = 80;

/// The number of documents that are named as nearest if none answers.
const NEAREST_DOCUMENTS: usize = 3;

/// The maximum number of documents in the record of a search.
const RECORDED_DOCUMENTS: usize = 10;

/// The number of best-ranked documents whose topicality is scored (chosen by hand).
const SCORED_DOCUMENTS: usize = 80;

/// The maximum number of documents that are read in full (chosen by hand).
const READ_DOCUMENTS: usize = 24;

/// The maximum number of their bytes; the best document is always read (chosen by hand).
const READ_BYTES: u64 = 1 << 20;

/// The share of the best score from which a document is on topic whatever its title says (set on
/// twenty questions to 648 design documents, read by hand).
const SURE_SHARE: f64 = 0.9;

/// The weight of a document's rank in its topicality (that of a prototype over 648 design
/// documents, which ranked by BM25).
const RANK_WEIGHT: f64 = 0.6;

/// The weight of a document's title in its topicality (of the same prototype).
const TITLE_WEIGHT: f64 = 0.4;

/// The number of best sentences whose documents a further question is on. Chosen by hand.
const LEADING_ANSWERS: usize = 3;

/// The subject of a step.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    /// The subject in words.
    pub(super) words: String,
    /// The words by which its documents are ranked: these, and synonyms of those that no document
    /// has.
    query: String,
    /// The subject as a question, without the names of the documents that it cites.
    pub(super) question: Question,
    /// The documents that it cites by number.
    pub(super) cited: Vec<usize>,
    /// Its terms, weighted by inverse document frequency.
    pub(super) terms: Vec<TermWeight>,
    /// Its pairs of neighbouring words (bigrams), stemmed.
    pub(super) phrases: Vec<String>,
}

impl Subject {
    /// The subject of a query by itself.
    pub(super) fn of_query(library: &Library, query: &str) -> Self {
        let subject = Self::new(library, query, text::terms(query), Vec::new());
        // Who searches by words of their own gets what has them.
        Self {
            query: query.to_owned(),
            ..subject
        }
    }

    /// A subject in words, with its terms and phrases.
    pub(super) fn new(
        library: &Library,
        words: &str,
        terms: Vec<String>,
        phrases: Vec<String>,
    ) -> Self {
        let terms = terms.into_iter().map(|term| TermWeight {
            weight: library.weight(&term),
            term,
        });
        let question = Question::parse(words);
        let (cited, question) = match library.cited(words) {
            Some((documents, rest)) => (documents, question.without_name(&rest)),
            None => (Vec::new(), question),
        };
        let question = question.without_common_names(|term| library.is_common(term));
        Self {
            cited,
            query: with_known_words(library, words, &question),
            question,
            words: words.to_owned(),
            terms: terms.collect(),
            phrases,
        }
    }
}

/// The documents retrieved for a subject, and their sentences.
pub(super) struct Retrieval {
    /// The documents, best first.
    pub(super) documents: Vec<TopicDocument>,
    /// Their sentences, by document and position.
    pub(super) sentences: Vec<Sentence>,
    /// The sentences that answer, best first.
    pub(super) answers: Answers,
}

impl Retrieval {
    /// Retrieves the documents of a library on a subject.
    pub(super) fn of(open: &Open, subject: &Subject) -> Result<Self> {
        let library = &*open.library;
        let scored = if subject.question.asks_for_all_disagreements() {
            let originals = (0..library.documents.len()).map(|own| topic_document(library, own));
            originals.collect()
        } else {
            score_documents(library, subject)?
        };
        Self::within(open, subject, within_limits(library, scored))
    }

    /// Retrieves the sentences of one document on a subject.
    pub(super) fn of_document(open: &Open, subject: &Subject, document: usize) -> Result<Self> {
        let documents = vec![topic_document(&open.library, document)];
        Self::within(open, subject, documents)
    }

    /// Retrieves the sentences of some documents on a subject.
    pub(super) fn within(
        open: &Open,
        subject: &Subject,
        documents: Vec<TopicDocument>,
    ) -> Result<Self> {
        let library = &*open.library;
        open.sentences.with(|split| {
            let mut sentences = Vec::new();
            for (number, document) in documents.iter().enumerate() {
                let cached = split.sentences(library, document.index)?;
                // The cache is shared by retrievals, each of which numbers the documents anew.
                sentences.extend(cached.iter().cloned().map(|mut sentence| {
                    sentence.candidate.document = number;
                    sentence
                }));
            }
            let is_cited = |number: usize| subject.cited.contains(&documents[number].index);
            let answers = if !subject.cited.is_empty() && subject.question.asks_for_content() {
                answers::leads(&sentences, is_cited)
            } else {
                let vocabulary = &mut split.vocabulary;
                let question = &subject.question;
                answers::rank(library, question, &documents, &sentences, vocabulary)
            };
            Ok(Self {
                documents,
                sentences,
                answers,
            })
        })
    }

    /// The documents of the sentences that answer best.
    pub(super) fn leading(&self) -> Vec<TopicDocument> {
        let best = self.answers.ranked.iter().take(LEADING_ANSWERS);
        let numbers = best.map(|(position, _)| self.sentences[*position].candidate.document);
        let numbers: BTreeSet<usize> = numbers.collect();
        let documents = numbers
            .into_iter()
            .map(|number| self.documents[number].clone());
        documents.collect()
    }

    /// Returns the documents whose sentences come nearest to the subject, each with its nearest
    /// sentence.
    pub(super) fn nearest(&self, library: &Library) -> Vec<NearestDocument> {
        let mut seen = BTreeSet::new();
        self.answers
            .ranked
            .iter()
            .filter_map(|(number, _)| self.sentences.get(*number))
            .filter(|sentence| seen.insert(sentence.candidate.document))
            .take(NEAREST_DOCUMENTS)
            .map(|sentence| {
                let index = self.documents[sentence.candidate.document].index;
                let document = &library.documents[index];
                NearestDocument {
                    locator: document.locator.clone(),
                    title: document.title.clone(),
                    sentence: text::one_line(&sentence.candidate.sentence),
                }
            })
            .collect()
    }

    /// Returns the sentences as candidates, each with the score of its paragraph in these search
    /// results.
    pub(super) fn candidates(&self, results: &SearchResults) -> Vec<Candidate> {
        self.sentences
            .iter()
            .map(|sentence| {
                let document = self.documents[sentence.candidate.document].index;
                let block = (document, sentence.candidate.paragraph);
                Candidate {
                    match_score: results.scores.get(&block).copied().unwrap_or_default(),
                    ..sentence.candidate.clone()
                }
            })
            .collect()
    }
}

/// A document of a library, as one that is on the subject as a whole.
fn topic_document(library: &Library, index: usize) -> TopicDocument {
    let record = &library.documents[index];
    TopicDocument {
        index,
        title: record.title.clone(),
        date: record.date.clone(),
        lifecycle: record.status.lifecycle,
        successor: library.successor(index),
        score: 1.0,
        topicality: 1.0,
        anchor: 1.0,
    }
}

/// The words of a subject, and for those that no document has, the synonyms that some have: a
/// "bike" is sought as a "bicycle", too.
fn with_known_words(library: &Library, words: &str, question: &Question) -> String {
    let is_known = |word: &str| library.document_frequency(&text::stem(word)) > 0;
    let others = question.other_words(|term| !is_known(&term.word));
    let known = others.into_iter().filter(|word| is_known(word));
    // "When must it be done?" may be answered by a later document that calls it a deadline.
    let deadline = question.asks_for_deadline().then_some("deadline");
    std::iter::once(words)
        .chain(known)
        .chain(deadline)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the documents that match a subject best, by topicality.
///
/// Topicality is a linear combination of the document's rank and title, as shares of the best;
/// documents that contain the words of the subject but not its phrases are discounted.
fn score_documents(library: &Library, subject: &Subject) -> Result<Vec<TopicDocument>> {
    let ranked = library.rank_originals(&subject.query, SCORED_DOCUMENTS)?;
    let best_score = ranked.first().map_or(1.0, |best| best.score);
    let phrases = PhraseStatistics::of(library, subject, ranked.iter().map(|hit| hit.document))?;
    let mut scored: Vec<TopicDocument> = Vec::with_capacity(ranked.len());
    for (rank, ranked) in ranked.into_iter().enumerate() {
        let document = &library.documents[ranked.document];
        let title_terms = text::terms(&document.title);
        let title = coverage(&subject.terms, |term| {
            title_terms.iter().any(|own| own == term)
        });
        let phrase_share = phrases.share(rank);
        let discount = phrase_share.map_or(0.0, |share| phrases.discount() * (1.0 - share));
        let matched = ranked.score / best_score;
        let certain = if matched >= SURE_SHARE { matched } else { 0.0 };
        scored.push(TopicDocument {
            score: matched * document.in_force_share(),
            topicality: (RANK_WEIGHT * matched + TITLE_WEIGHT * title)
                * (1.0 - discount)
                * document.in_force_share(),
            anchor: title.max(phrase_share.unwrap_or_default()).max(certain),
            ..topic_document(library, ranked.document)
        });
    }
    // Ties go to the earlier document, so that the order does not depend on the sort.
    scored.sort_by(|a, b| {
        b.topicality
            .total_cmp(&a.topicality)
            .then(a.index.cmp(&b.index))
    });
    Ok(scored)
}

/// Returns the best documents, as many as may be read in full, and those that replace or amend one
/// of them, which may have no word of the subject.
fn within_limits(library: &Library, scored: Vec<TopicDocument>) -> Vec<TopicDocument> {
    let mut bytes = 0;
    let mut documents: Vec<TopicDocument> = scored
        .into_iter()
        .take(READ_DOCUMENTS)
        .take_while(|document| {
            let is_first = bytes == 0;
            bytes += library.documents[document.index].bytes;
            is_first || bytes <= READ_BYTES
        })
        .collect();
    let read: BTreeSet<usize> = documents.iter().map(|own| own.index).collect();
    let replaced = documents
        .iter()
        .filter_map(|own| Some((own.successor?, own)));
    let successors: BTreeMap<usize, &TopicDocument> = replaced
        .chain(amended(library, &documents))
        .filter(|(index, _)| !read.contains(index))
        .collect();
    let successors: Vec<TopicDocument> = successors
        .into_iter()
        .map(|(index, replaced)| TopicDocument {
            // It is on what the document is on that it replaces.
            score: replaced.score,
            topicality: replaced.topicality,
            anchor: replaced.anchor,
            ..topic_document(library, index)
        })
        .collect();
    documents.extend(successors);
    documents
}

/// The amendments of some documents, each with the document that it changes, by their titles; not
/// looked for in a large collection, where titles alone tell too little.
fn amended<'a>(
    library: &Library,
    documents: &'a [TopicDocument],
) -> impl Iterator<Item = (usize, &'a TopicDocument)> {
    let is_small = library.documents.len() < LARGE_COLLECTION;
    let amendments = library.documents.iter().enumerate();
    let changes = |title: &str| names_amendment(title) || text::is_correction(title);
    let amendments = amendments.filter(move |(_, own)| is_small && changes(&own.title));
    amendments.filter_map(|(index, own)| {
        let mut others = documents.iter();
        let amended = others.find(|other| {
            let titles = (&own.title, &other.title);
            is_amendment_of(titles.0, titles.1) || text::is_correction_of(titles.0, titles.1)
        })?;
        Some((index, amended))
    })
}

/// The occurrences of a subject's phrases in the best documents.
struct PhraseStatistics {
    /// For each document, in rank order, `true` for each phrase that it contains.
    occurrences: Vec<Vec<bool>>,
    /// The inverse document frequency of each phrase; 0 for a phrase that is too rare to count.
    weights: Vec<f64>,
}

impl PhraseStatistics {
    /// The number of documents below which a phrase may occur by chance (chosen by hand).
    const MIN_DOCUMENTS: usize = 3;

    fn of(
        library: &Library,
        subject: &Subject,
        documents: impl Iterator<Item = usize>,
    ) -> Result<Self> {
        let mut occurrences = Vec::new();
        for document in documents {
            // The index has no word positions: it only rules out documents that lack a word, so
            // that few texts have to be searched for the phrases themselves.
            let candidates: Vec<bool> = subject
                .phrases
                .iter()
                .map(|phrase| phrase.split(' ').all(|term| library.holds(document, term)))
                .collect();
            if !candidates.contains(&true) {
                occurrences.push(candidates);
                continue;
            }
            let text = library.content(document)?.text.to_lowercase();
            let phrases = subject.phrases.iter().zip(candidates);
            occurrences.push(
                phrases
                    .map(|(phrase, is_candidate)| {
                        is_candidate && text::contains_phrase(&text, phrase)
                    })
                    .collect(),
            );
        }
        let all = occurrences.len() as f64;
        // The inverse document frequency, over the scored documents and not the whole library.
        let weights = (0..subject.phrases.len())
            .map(|phrase| {
                let with = occurrences.iter().filter(|document| document[phrase]);
                match with.count() {
                    rare if rare < Self::MIN_DOCUMENTS => 0.0,
                    with => (1.0 + all / with as f64).ln(),
                }
            })
            .collect();
        Ok(Self {
            weights,
            occurrences,
        })
    }

    /// Returns the share of its score that a document loses if it contains none of the phrases.
    ///
    /// The more phrases there are, the less discriminative each one is, since not all neighbouring
    /// words of a question belong together: 1.4 / (1 + n) is 0.7 for one phrase and 0.35 for three
    /// (set on forty questions to two corpora, read by hand).
    fn discount(&self) -> f64 {
        let counted = self.weights.iter().filter(|weight| **weight > 0.0).count();
        1.4 / (1.0 + counted.max(1) as f64)
    }

    /// Returns the share of the phrases, by weight, that a document contains; `None` if no phrase
    /// is frequent enough to count.
    fn share(&self, document: usize) -> Option<f64> {
        let all: f64 = self.weights.iter().sum();
        let weights = self.weights.iter().zip(&self.occurrences[document]);
        let present: f64 = weights
            .filter(|(_, is_present)| **is_present)
            .map(|(weight, _)| weight)
            .sum();
        (all > 0.0).then(|| present / all)
    }
}

/// The results of the search queries of a step.
pub(super) struct SearchResults {
    /// The record of each query, in order.
    pub(super) records: Vec<SearchRecord>,
    /// By document and block, the best score of all queries, as a share of the query's best score.
    scores: BTreeMap<(usize, usize), f64>,
}

impl SearchResults {
    /// Searches a library with these queries.
    pub(super) fn of(library: &Library, queries: &[String]) -> Result<Self> {
        let mut records = Vec::new();
        let mut scores: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for query in queries {
            let hits = library.search(query, HITS)?;
            for hit in &hits {
                let score = scores.entry((hit.document, hit.block)).or_default();
                *score = score.max(hit.own);
            }
            records.push(record(library, query, &hits));
        }
        Ok(Self { records, scores })
    }
}

/// Returns the record of a query: its best documents, each with its best score.
fn record(library: &Library, query: &str, hits: &[Hit]) -> SearchRecord {
    let mut seen = BTreeSet::new();
    let hits = hits
        .iter()
        .filter(|hit| seen.insert(hit.document))
        .take(RECORDED_DOCUMENTS)
        .map(|hit| HitRecord {
            locator: library.documents[hit.document].locator.clone(),
            title: library.documents[hit.document].title.clone(),
            score: (hit.score * 1000.0).round() / 1000.0,
        })
        .collect();
    SearchRecord {
        query: query.to_owned(),
        hits,
    }
}

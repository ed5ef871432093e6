//! Passage scoring: which parts of the ranked documents answer a query, and the hits they make.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use foldhash::{HashSet, HashSetExt};

use super::Query;
use super::entities;
use super::informative::{is_informative, words_hash};
use super::top_k::Ranked;
use crate::read::Kind;
use crate::search::index::{Index, TermCounts, Weighted, bm25, chunks};
use crate::text::{Block, Language};

/// The least number of documents whose passages are scored. Chosen by hand.
const MIN_DOCUMENTS: usize = 10;

/// The maximum number of documents whose passages are scored. Chosen by hand.
const MAX_DOCUMENTS: usize = 50;

/// The document's share of the score of a passage: the document carries more evidence, such as
/// whether the query names it, and what it is about. Chosen by hand.
const DOCUMENT_SHARE: f64 = 0.85;

/// The weight of a query term that the title contains, in idf weights of the term. Chosen by hand.
const TITLE_WEIGHT: f64 = 2.0;

/// The weight of a query term that the headings above contain, in idf weights of the term. Chosen
/// by hand.
const HEADINGS_WEIGHT: f64 = 1.5;

/// A passage of a document that answers a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The number of the document in [`crate::search::Library::documents`].
    pub document: usize,
    /// The number of the block in [`Content::blocks`] that it is, or is a piece of.
    pub block: usize,
    /// Its first byte in [`Content::text`].
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// The score by itself and by its document, 0 to 1, comparable within one search.
    pub score: f64,
    /// The score by itself, as a share of the best passage's.
    pub own: f64,
}

/// The text of a document and its parts.
pub struct Content {
    /// The clean text, as it was indexed.
    pub text: String,
    /// Its parts, in order.
    pub blocks: Vec<Block>,
    title: String,
    /// The language of its words.
    pub(in crate::search) language: Language,
    counted: OnceLock<Counted>,
}

/// The terms of a document, part by part.
struct Counted {
    title: TermCounts,
    passages: Vec<Passage>,
}

/// A passage and its terms.
struct Passage {
    block: usize,
    range: Range<usize>,
    counts: TermCounts,
    /// The number of its terms.
    length: f64,
    /// The terms of the headings above it.
    headings: Arc<TermCounts>,
}

/// A query for passages.
pub(in crate::search) struct PassageQuery<'a> {
    /// Terms and their weights among all passages.
    terms: Vec<Weighted>,
    index: &'a Index,
}

impl<'a> PassageQuery<'a> {
    pub(in crate::search) fn new(query: &Query, index: &'a Index) -> Self {
        let weigh = |(term, weight): &Weighted| (*term, weight * index.idf_of_passages(*term));
        let citations = entities::citation_terms(query, index);
        let terms = query.terms.iter();
        Self {
            terms: terms
                .filter(|(term, _)| !citations.contains(term))
                .map(weigh)
                .collect(),
            index,
        }
    }
}

/// A passage of a document and its score for a query.
pub(in crate::search) struct ScoredPassage {
    block: usize,
    range: Range<usize>,
    /// By its text, its headings and the title of its document.
    score: f64,
    /// By the words of its text alone.
    text_score: f64,
}

/// A ranked document with the scores of its passages.
pub(in crate::search) struct ScoredDocument {
    pub(in crate::search) ranked: Ranked,
    pub(in crate::search) content: Arc<Content>,
    pub(in crate::search) passages: Vec<ScoredPassage>,
}

impl Content {
    pub(in crate::search) fn new(
        kind: Kind,
        title: String,
        language: Language,
        text: String,
    ) -> Self {
        Self {
            blocks: chunks::blocks(kind, &text),
            text,
            title,
            language,
            counted: OnceLock::new(),
        }
    }

    /// The scores of its passages: BM25 over their words, plus the weights of the query terms that
    /// the title or the headings above contain.
    pub(in crate::search) fn score(&self, query: &PassageQuery<'_>) -> Vec<ScoredPassage> {
        let counted = self.counted(query.index);
        let average = query.index.passage_length();
        let score = |passage: &Passage| {
            let above = |(term, weight): &Weighted| {
                let contains = |counts: &TermCounts| f64::from(counts.contains_key(term));
                weight
                    * (TITLE_WEIGHT * contains(&counted.title)
                        + HEADINGS_WEIGHT * contains(&passage.headings))
            };
            let terms = query
                .terms
                .iter()
                .filter_map(|(term, weight)| Some((*passage.counts.get(term)?, *weight)));
            // A passage is no better for being short: a heading's worth of words is all match and
            // says nothing. So its length is at least the average.
            let text_score = bm25::score(terms, passage.length.max(average), average);
            ScoredPassage {
                block: passage.block,
                range: passage.range.clone(),
                score: text_score + query.terms.iter().map(above).sum::<f64>(),
                text_score,
            }
        };
        counted.passages.iter().map(score).collect()
    }

    /// The terms of the passages that score best, until there are `enough` of them or no passage
    /// contains a word of the query.
    pub(in crate::search) fn best_terms(
        &self,
        query: &PassageQuery<'_>,
        enough: f64,
    ) -> TermCounts {
        let scored = self.score(query);
        let mut order: Vec<usize> = (0..scored.len()).collect();
        order.sort_by(|a, b| scored[*b].score.total_cmp(&scored[*a].score).then(a.cmp(b)));
        let passages = &self.counted(query.index).passages;
        // At least one passage, even if only the title of the document matches the query.
        let mut terms = TermCounts::default();
        let mut length = 0.0;
        for number in order {
            if length >= enough || length > 0.0 && scored[number].text_score <= 0.0 {
                break;
            }
            length += passages[number].length;
            for (term, times) in &passages[number].counts {
                *terms.entry(*term).or_default() += times;
            }
        }
        terms
    }

    /// Its terms, counted for the first query that scores it and then kept.
    fn counted(&self, index: &Index) -> &Counted {
        let counts = |text: &str| index.counts(text, self.language);
        self.counted.get_or_init(|| {
            // Headings are shared by all blocks of a section, and counted once.
            let mut above: (Arc<[String]>, Arc<TermCounts>) = (Arc::from([]), Arc::default());
            let mut passages = Vec::new();
            for (block, range) in chunks::passages(&self.text, &self.blocks) {
                let headings = &self.blocks[block].headings;
                if !Arc::ptr_eq(&above.0, headings) {
                    let terms = headings.iter().flat_map(|heading| counts(heading));
                    above = (headings.clone(), Arc::new(terms.collect()));
                }
                let counts = counts(&self.text[range.clone()]);
                passages.push(Passage {
                    block,
                    range,
                    length: counts.values().copied().map(f64::from).sum(),
                    counts,
                    headings: above.1.clone(),
                });
            }
            let title = counts(&self.title);
            Counted { title, passages }
        })
    }
}

/// The number of documents whose passages are scored for so many hits.
pub(in crate::search) fn documents_to_score(limit: usize) -> usize {
    limit.clamp(MIN_DOCUMENTS, MAX_DOCUMENTS)
}

/// The best passages of ranked documents, best first.
pub(in crate::search) fn hits_by_score(documents: &[ScoredDocument], limit: usize) -> Vec<Hit> {
    let mut hits: Vec<Hit> = hits(documents, answering).map(|(hit, _)| hit).collect();
    sort(&mut hits, |hit| hit);
    hits.truncate(limit);
    hits
}

/// The best passage of each document in the order of the documents, then the others, best first,
/// each of different words. Only a document without a passage that says something by itself has
/// others.
pub(in crate::search) fn hits_by_document(documents: &[ScoredDocument], limit: usize) -> Vec<Hit> {
    let words = |hit: &Hit, content: &Content| words_hash(&content.text[hit.start..hit.end]);
    let mut hits: Vec<(Hit, u64)> = hits(documents, informative)
        .map(|(hit, content)| (hit, words(&hit, content)))
        .collect();
    sort(&mut hits, |(hit, _)| hit);
    let mut first: BTreeMap<usize, Hit> = BTreeMap::new();
    let mut seen = HashSet::new();
    for (hit, words) in &hits {
        if let Entry::Vacant(entry) = first.entry(hit.document) {
            entry.insert(*hit);
            seen.insert(*words);
        }
    }
    // A document without a word of the query was ranked for being like those that have them. One
    // that is mentioned in a document that the query names scores above 1, and stays there.
    let (matching, alike): (Vec<_>, Vec<_>) = documents.iter().partition(|document| {
        let mut passages = document.passages.iter();
        document.ranked.score > 1.0 || passages.any(|passage| passage.score > 0.0)
    });
    let in_order = matching.into_iter().chain(alike);
    let firsts = in_order.filter_map(|document| first.get(&document.ranked.document));
    let others = hits
        .iter()
        .filter(|(_, words)| seen.insert(*words))
        .map(|(hit, _)| hit);
    firsts.chain(others).take(limit).copied().collect()
}

/// The chosen passages of ranked documents as hits, each with the content of its document.
fn hits<'a>(
    documents: &'a [ScoredDocument],
    choose: impl Fn(&'a ScoredDocument) -> Vec<&'a ScoredPassage>,
) -> impl Iterator<Item = (Hit, &'a Content)> {
    let best_document = documents.first().map_or(1.0, |first| first.ranked.score);
    let best_passage = documents
        .iter()
        .flat_map(|document| &document.passages)
        .map(|passage| passage.score)
        .fold(0.0, f64::max)
        .max(f64::MIN_POSITIVE);
    documents.iter().flat_map(move |document| {
        // Both scores are shares of the best, so that they can be interpolated.
        let share = document.ranked.score / best_document;
        let hit = move |passage: &ScoredPassage| {
            let own = passage.score / best_passage;
            let hit = Hit {
                document: document.ranked.document,
                block: passage.block,
                start: passage.range.start,
                end: passage.range.end,
                score: DOCUMENT_SHARE * share + (1.0 - DOCUMENT_SHARE) * own,
                own,
            };
            (hit, &*document.content)
        };
        choose(document).into_iter().map(hit)
    })
}

/// Sorts by score, best first, ties by position.
fn sort<T>(hits: &mut [T], hit: impl Fn(&T) -> &Hit) {
    let position = |hit: &Hit| (hit.document, hit.start);
    hits.sort_by(|a, b| {
        let (a, b) = (hit(a), hit(b));
        b.score
            .total_cmp(&a.score)
            .then(position(a).cmp(&position(b)))
    });
}

/// The passages that contain a word of the query; of a document that has none, those under headings
/// with such words; of one that is only mentioned, its beginning.
fn answering(document: &ScoredDocument) -> Vec<&ScoredPassage> {
    let matching = matching(document.passages.iter());
    if matching.is_empty() {
        document.passages.first().into_iter().collect()
    } else {
        matching
    }
}

/// As [`answering`], of the passages that say something by themselves; of a document without any,
/// whatever answers.
fn informative(document: &ScoredDocument) -> Vec<&ScoredPassage> {
    let content = &document.content;
    let says_something = |passage: &&ScoredPassage| {
        is_informative(&content.text[passage.range.clone()], &content.title)
    };
    let passages = || document.passages.iter();
    let scored = passages().filter(|passage| passage.score > 0.0);
    let matching = matching(scored.filter(says_something));
    if !matching.is_empty() {
        return matching;
    }
    match passages().find(says_something) {
        None => answering(document),
        Some(first) => vec![first],
    }
}

/// The passages that contain a word of the query; if there are none, those under headings with such
/// words.
fn matching<'a>(scored: impl Iterator<Item = &'a ScoredPassage>) -> Vec<&'a ScoredPassage> {
    let under_headings: Vec<&ScoredPassage> =
        scored.filter(|passage| passage.score > 0.0).collect();
    let by_text: Vec<&ScoredPassage> = under_headings
        .iter()
        .filter(|passage| passage.text_score > 0.0)
        .copied()
        .collect();
    if by_text.is_empty() {
        under_headings
    } else {
        by_text
    }
}

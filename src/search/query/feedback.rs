//! The ranking of a topical query, which names nothing: query expansion by pseudo-relevance
//! feedback (RM3), and smoothing of scores over the nearest neighbours of each document.
//!
//! Measured on abstracts, +0.03 nDCG@10 each (`benches/retrieval.rs`); both hurt a query that names
//! something, which is for [`super::rank`] to find out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use foldhash::HashMap;

use super::Query;
use super::passages::{Content, PassageQuery};
use super::top_k::{maximum, top_k};
use crate::search::index::analyzer::Term;
use crate::search::index::{Index, Weighted};

/// The number of terms of its best passages that stand for a document in the feedback: an
/// abstract's worth. The full text of a long document covers other subjects too, and its terms drew
/// queries away from their own (on 648 design documents recall@5 0.663 instead of 0.72 without any
/// feedback).
const FEEDBACK_TERMS: f64 = 100.0;

/// The number of best documents that RM3 takes to be relevant (Abdul-Jaleel et al., "UMass at TREC
/// 2004").
const RELEVANT_DOCUMENTS: usize = 5;

/// The number of expansion terms that RM3 takes from them. They are chosen by their share of a text
/// times their idf: by the share alone, they would be words that are frequent everywhere.
const EXPANSION_TERMS: usize = 40;

/// The weight of the query's own terms in RM3; the expansion terms have the rest.
const QUERY_SHARE: f64 = 0.5;

/// A term that more than this share of the documents contain is no expansion term.
const MAX_FREQUENCY: f64 = 0.3;

/// The share of the plain score in the score of a document; the expanded query has the rest. With
/// half of it, plain matches stay near the top even if the expansion has drifted off the subject.
/// Chosen by hand.
const PLAIN_SHARE: f64 = 0.5;

/// The number of best documents whose score is smoothed.
const SMOOTHED: usize = 50;

/// The number of neighbours over which the score of a document is smoothed.
const NEIGHBOURS: usize = 5;

/// The number of terms of a document by which its neighbours are found.
const LIKENESS_TERMS: usize = 25;

/// The neighbours' share of a score.
const NEIGHBOUR_SHARE: f64 = 0.6;

/// The number of terms up to which the neighbours of a document have their full share: a longer one
/// is about many things, and its neighbours count less.
const SHORT_TERMS: f64 = 300.0;

/// The text of a document and its parts.
pub(in crate::search) type Contents<'a> = dyn Fn(usize) -> Result<Arc<Content>> + 'a;

/// The data that the ranking works on.
pub(in crate::search) struct Ranking<'a> {
    pub(in crate::search) index: &'a Index,
    pub(in crate::search) neighbours: &'a Neighbours,
    pub(in crate::search) content: &'a Contents<'a>,
}

/// The nearest neighbours of a document, with weights that sum to 1.
type Nearest = Arc<[(usize, f64)]>;

/// The neighbours of the documents for which a query needed them.
#[derive(Default)]
pub(in crate::search) struct Neighbours {
    cache: Mutex<HashMap<usize, Nearest>>,
}

impl Neighbours {
    fn of(&self, ranking: &Ranking<'_>, document: usize) -> Result<Nearest> {
        let lock = || self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hit) = lock().get(&document) {
            return Ok(hit.clone());
        }
        let neighbours: Nearest = neighbours(ranking, document)?.into();
        lock().insert(document, neighbours.clone());
        Ok(neighbours)
    }
}

/// The scores of all documents for a topical query, from their plain scores.
pub(in crate::search) fn scores(
    ranking: &Ranking<'_>,
    query: &Query,
    plain: &[f64],
) -> Result<Vec<f64>> {
    let index = ranking.index;
    let expanded = index.scores(&expand_rm3(ranking, query, plain)?);
    let (max_plain, max_expanded) = (maximum(plain), maximum(&expanded));
    let fused: Vec<f64> = plain
        .iter()
        .zip(&expanded)
        .map(|(plain, expanded)| {
            PLAIN_SHARE * plain / max_plain + (1.0 - PLAIN_SHARE) * expanded / max_expanded
        })
        .collect();
    let mut scores: Vec<f64> = fused
        .iter()
        .map(|score| (1.0 - NEIGHBOUR_SHARE) * score)
        .collect();
    // Documents below the first SMOOTHED keep less of their score and stay below: smoothing all of
    // them gained at most 0.002 nDCG@10.
    for document in top_k(&fused, SMOOTHED) {
        let neighbours = ranking.neighbours.of(ranking, document)?;
        let smoothed: f64 = neighbours
            .iter()
            .map(|(other, weight)| weight * fused[*other])
            .sum();
        let share = NEIGHBOUR_SHARE * (SHORT_TERMS / index.length(document)).min(1.0);
        scores[document] = (1.0 - share) * fused[document] + share * smoothed;
    }
    Ok(scores)
}

/// RM3 query expansion: the terms of the query, interpolated with the expansion terms (RM1).
fn expand_rm3(ranking: &Ranking<'_>, query: &Query, plain: &[f64]) -> Result<Vec<Weighted>> {
    let index = ranking.index;
    let passages = PassageQuery::new(query, index);
    let mut shares: HashMap<Term, f64> = HashMap::default();
    for document in top_k(plain, RELEVANT_DOCUMENTS) {
        let counts = (ranking.content)(document)?.best_terms(&passages, FEEDBACK_TERMS);
        // RM1: the share of the term in the text, weighted by the score of the document.
        let length: f64 = counts.values().copied().map(f64::from).sum();
        for (term, times) in counts {
            let frequency = index.frequency(term);
            if frequency >= 2 && frequency as f64 <= MAX_FREQUENCY * index.len() as f64 {
                *shares.entry(term).or_default() += plain[document] * f64::from(times) / length;
            }
        }
    }
    let tf_idf = |(term, share): &Weighted| share * index.idf(*term);
    let added = index.heaviest(shares.into_iter().collect(), EXPANSION_TERMS, tf_idf);
    let sum = |terms: &[Weighted]| terms.iter().map(|(_, weight)| weight).sum::<f64>();
    let (all_added, all_query) = (sum(&added), sum(&query.terms));
    let mut weights: BTreeMap<Term, f64> = BTreeMap::new();
    for (term, weight) in &query.terms {
        *weights.entry(*term).or_default() += QUERY_SHARE * weight / all_query;
    }
    for (term, weight) in added {
        *weights.entry(term).or_default() += (1.0 - QUERY_SHARE) * weight / all_added;
    }
    let mut weights: Vec<Weighted> = weights.into_iter().collect();
    index.sort(&mut weights);
    Ok(weights)
}

/// The documents most like a document: BM25 with its terms of the highest tf-idf as the query.
fn neighbours(ranking: &Ranking<'_>, document: usize) -> Result<Vec<(usize, f64)>> {
    let index = ranking.index;
    let terms = index
        .frequencies(document)?
        .into_iter()
        .map(|(term, frequency)| {
            let tf = (1.0 + f64::from(frequency)).ln();
            (term, tf * index.idf(term))
        })
        .collect();
    let terms = index.heaviest(terms, LIKENESS_TERMS, |(_, weight)| *weight);
    let mut scores = index.scores(&terms);
    scores[document] = 0.0;
    let nearest = top_k(&scores, NEIGHBOURS);
    // Squared, so that a copy or a sequel counts more than what is merely of the same field.
    let likeness = |other: usize| scores[other] * scores[other];
    let all: f64 = nearest.iter().map(|other| likeness(*other)).sum();
    Ok(nearest
        .iter()
        .map(|other| (*other, likeness(*other) / all))
        .collect())
}

//! The ranking of a question that names nothing: widened by what the best documents say, and
//! smoothed over the documents that are like each other.
//!
//! Measured on abstracts, +0.03 nDCG@10 each; both hurt a question that names something, which is
//! not for this file to find out (see [`super::rank`]).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::index::{Index, Weighted};
use super::passages::Query;
use super::question::Question;
use super::rank::Ranking;

/// Terms of its best passages that are taken for what a document says: an abstract's worth. All of
/// a long document says a great deal else, which drew questions away from their subject (on 648
/// design documents recall@5 0.663 instead of 0.72 without any feedback).
const TOLD_TERMS: f64 = 100.0;

/// RM3 (Abdul-Jaleel et al., "UMass at TREC 2004"): documents that are taken to be right, terms
/// taken from them, and the weight of the question beside those. Which terms are taken is told by
/// their share of a text times their weight in BM25: by the share alone they are everyone's words.
const BELIEVED: usize = 5;
const ADDED: usize = 40;
const QUESTION_SHARE: f64 = 0.5;

/// A term that stands in more than this share of the documents adds nothing.
const COMMON: f64 = 0.3;

/// Documents whose score is smoothed, the neighbours of each, and the terms by which those are
/// found.
const SMOOTHED: usize = 50;
const NEIGHBOURS: usize = 5;
const LIKENESS_TERMS: usize = 25;

/// How much of a score is the neighbours'. A document of more terms than these is of many things,
/// and its neighbours count the less.
const NEAR_SHARE: f64 = 0.6;
const SHORT_TERMS: f64 = 300.0;

/// The neighbours of each document, found when first asked for.
#[derive(Default)]
pub(super) struct Neighbours {
    found: Vec<OnceLock<Vec<(usize, f64)>>>,
}

impl Neighbours {
    /// Room for this many documents.
    pub(super) fn new(documents: usize) -> Self {
        Self {
            found: (0..documents).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The documents most like this one, with weights that sum to 1.
    fn of(&self, index: &Index, document: usize) -> &[(usize, f64)] {
        self.found[document].get_or_init(|| neighbours(index, document))
    }
}

/// The scores of all documents for a topical question, from their plain scores.
pub(super) fn scores(
    ranking: &Ranking<'_>,
    question: &Question,
    plain: &[f64],
) -> anyhow::Result<Vec<f64>> {
    let index = ranking.index;
    let widened = index.scores(&widened(ranking, question, plain)?);
    let (top_plain, top_widened) = (top(plain), top(&widened));
    let both =
        |(plain, widened): (&f64, &f64)| 0.5 * plain / top_plain + 0.5 * widened / top_widened;
    let fused: Vec<f64> = plain.iter().zip(&widened).map(both).collect();
    let mut scores: Vec<f64> = fused
        .iter()
        .map(|score| (1.0 - NEAR_SHARE) * score)
        .collect();
    for document in best(&fused, SMOOTHED) {
        let near = ranking.neighbours.of(index, document).iter();
        let near = near
            .map(|(other, weight)| weight * fused[*other])
            .sum::<f64>();
        let share = NEAR_SHARE * (SHORT_TERMS / index.length(document)).min(1.0);
        scores[document] = (1.0 - share) * fused[document] + share * near;
    }
    Ok(scores)
}

/// The documents with the highest scores above 0, best first, ties by place.
pub(super) fn best(scores: &[f64], limit: usize) -> Vec<usize> {
    let mut found: Vec<usize> = (0..scores.len()).filter(|at| scores[*at] > 0.0).collect();
    let order = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
    if limit < found.len() {
        found.select_nth_unstable_by(limit, order);
        found.truncate(limit);
    }
    found.sort_unstable_by(order);
    found
}

/// The highest score, or 1 if there is none.
pub(super) fn top(scores: &[f64]) -> f64 {
    let top = scores.iter().copied().fold(0.0, f64::max);
    if top > 0.0 { top } else { 1.0 }
}

/// The question and the terms that the best documents add to it.
fn widened(
    ranking: &Ranking<'_>,
    question: &Question,
    plain: &[f64],
) -> anyhow::Result<Vec<Weighted>> {
    let (index, query) = (ranking.index, &question.terms);
    let asked = Query::new(question, index, ranking.lexicon);
    let mut told: BTreeMap<u32, f64> = BTreeMap::new();
    for document in best(plain, BELIEVED) {
        let counts = (ranking.content)(document)?.told(&asked, TOLD_TERMS);
        let length = counts.values().copied().map(f64::from).sum::<f64>();
        for (term, times) in counts {
            let frequency = index.frequency(term);
            if frequency >= 2 && frequency as f64 <= COMMON * index.len() as f64 {
                *told.entry(term).or_default() += plain[document] * f64::from(times) / length;
            }
        }
    }
    let telling = |(term, share): &Weighted| share * index.idf(*term);
    let added = heaviest(told.into_iter().collect(), ADDED, telling);
    let all_added: f64 = added.iter().map(|(_, weight)| weight).sum();
    let all_asked: f64 = query.iter().map(|(_, weight)| weight).sum();
    let mut sum: BTreeMap<u32, f64> = BTreeMap::new();
    for (term, weight) in query {
        *sum.entry(*term).or_default() += QUESTION_SHARE * weight / all_asked;
    }
    for (term, weight) in added {
        *sum.entry(term).or_default() += (1.0 - QUESTION_SHARE) * weight / all_added;
    }
    Ok(sum.into_iter().collect())
}

fn neighbours(index: &Index, document: usize) -> Vec<(usize, f64)> {
    let weigh = |term: u32, times: u32| (1.0 + f64::from(times)).ln() * index.idf(term);
    let counts = index.counts(document).iter();
    let terms = counts.map(|count| (count.term, weigh(count.term, count.times)));
    let terms = heaviest(terms.collect(), LIKENESS_TERMS, |(_, weight)| *weight);
    let mut scores = index.scores(&terms);
    scores[document] = 0.0;
    let near = best(&scores, NEIGHBOURS);
    // Squared, so that a copy or a sequel counts more than what is merely of the same field.
    let likeness = |other: usize| scores[other] * scores[other];
    let all: f64 = near.iter().map(|other| likeness(*other)).sum();
    near.iter()
        .map(|other| (*other, likeness(*other) / all))
        .collect()
}

/// The terms that count most, in the order of the terms.
fn heaviest(
    mut terms: Vec<Weighted>,
    limit: usize,
    count: impl Fn(&Weighted) -> f64,
) -> Vec<Weighted> {
    terms.sort_unstable_by(|a, b| count(b).total_cmp(&count(a)).then(a.0.cmp(&b.0)));
    terms.truncate(limit);
    terms.sort_unstable_by_key(|(term, _)| *term);
    terms
}

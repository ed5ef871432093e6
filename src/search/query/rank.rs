//! Document ranking: the documents that a query names first, or those that it is about.
//!
//! A query that names documents gets those (entity linking), then what they mention. One that names
//! something else gets plain BM25. Any other is about a topic and gets [`super::feedback`] (RM3 and
//! smoothing), which measured worse than plain BM25 on queries with names.

use anyhow::Result;

use super::Query;
use super::entities::{self, Link, MENTION_SCORE_BOUND};
use super::feedback::{self, Ranking};
use super::top_k::{Ranked, maximum, top_k};

/// Below this number of documents, the neighbours of a document are everything, and feedback tells
/// nothing. Chosen by hand.
const FEEDBACK_DOCUMENTS: usize = 100;

impl Ranking<'_> {
    /// The best documents, at most `limit`, ties by number.
    pub(in crate::search) fn rank(&self, query: &Query, limit: usize) -> Result<Vec<Ranked>> {
        // The order of the three is measured (`benches/retrieval.rs`): entity links take recall@5
        // on questions over two documents from 0.63 to 0.98.
        let plain = self.index.scores(&query.terms);
        let links = entities::links(query, self.index, &plain);
        if !links.is_empty() {
            return self.named(query, &links, &plain, limit);
        }
        let is_topic = self.index.len() >= FEEDBACK_DOCUMENTS && !query.names_something(self.index);
        if is_topic && plain.iter().any(|score| *score > 0.0) {
            let scores = feedback::scores(self, query, &plain)?;
            return Ok(ranked(&scores, limit));
        }
        Ok(ranked(&plain, limit))
    }

    /// The documents that the query names in its order, then what they mention, then the others.
    fn named(
        &self,
        query: &Query,
        links: &[Link],
        plain: &[f64],
        limit: usize,
    ) -> Result<Vec<Ranked>> {
        let is_in_name = |number: usize| {
            links
                .iter()
                .any(|link| (link.start..link.end).contains(&number))
        };
        let stems: Vec<String> = query
            .words
            .iter()
            .enumerate()
            .filter(|(number, _)| !is_in_name(*number))
            .flat_map(|(_, word)| &word.terms)
            .map(|term| self.index.text_of(*term))
            .collect();
        let mut mentions = Vec::new();
        for link in links {
            let content = (self.content)(link.document)?;
            let text = (content.text.as_str(), content.language);
            mentions.extend(entities::mentions(
                self.index,
                link.document,
                text,
                &stems,
                plain,
            ));
        }
        mentions.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.document.cmp(&b.document))
        });
        let maximum = maximum(plain);
        let mut scores: Vec<f64> = plain.iter().map(|score| score / maximum).collect();
        // Three bands: unnamed documents score 0 to 1, mentioned ones 1 to 2, named ones 2 to 3.
        // The best mention of a document is written last.
        for mention in mentions.iter().rev() {
            scores[mention.document] = 1.0 + mention.score / MENTION_SCORE_BOUND;
        }
        // The first name scores 3, and the later ones less in equal steps, all above 2.
        for (number, link) in links.iter().enumerate() {
            scores[link.document] = 3.0 - number as f64 / links.len() as f64;
        }
        let best = top_k(&scores, limit).into_iter();
        Ok(best
            .map(|document| Ranked {
                document,
                score: scores[document],
            })
            .collect())
    }
}

/// The best documents by scores, which are normalised to at most 1.
pub(in crate::search) fn ranked(scores: &[f64], limit: usize) -> Vec<Ranked> {
    let maximum = maximum(scores);
    top_k(scores, limit)
        .into_iter()
        .map(|document| Ranked {
            document,
            score: scores[document] / maximum,
        })
        .collect()
}

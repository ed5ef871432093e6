//! The order of documents for a question: what it names first, or what it is about.
//!
//! A question that names documents gets those, then what they mention. One that names something
//! else gets plain BM25. Any other is about a topic and gets [`super::feedback`], which measured
//! worse than plain on questions with names.

use super::entities::{Link, Names};
use super::feedback::{self, Neighbours, best, top};
use super::index::Index;
use super::lexicon::Lexicon;
use super::question::Question;

/// In a smaller collection the neighbours of a document are everything, and feedback tells nothing.
const FEEDBACK_DOCUMENTS: usize = 100;

/// A document and how well it answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Place of the document in [`super::Library::documents`].
    pub document: usize,
    /// Comparable within one ranking: 2 to 3 for a document that the question names, 1 to 2 for one
    /// that those mention, up to 1 for any other.
    pub score: f64,
}

/// The text of a document and its parts.
pub(super) type Contents<'a> = dyn Fn(usize) -> anyhow::Result<std::sync::Arc<super::Content>> + 'a;

/// What the ranking works on.
pub(super) struct Ranking<'a> {
    pub(super) index: &'a Index,
    pub(super) names: &'a Names,
    pub(super) neighbours: &'a Neighbours,
    pub(super) lexicon: &'a Lexicon,
    pub(super) content: &'a Contents<'a>,
}

impl Ranking<'_> {
    /// The best documents, at most `limit`, ties by place.
    pub(super) fn rank(&self, question: &Question, limit: usize) -> anyhow::Result<Vec<Ranked>> {
        let plain = self.index.scores(&question.terms);
        let links = self.names.links(question, self.index, &plain);
        if !links.is_empty() {
            return self.named(question, &links, &plain, limit);
        }
        let is_topic =
            self.index.len() >= FEEDBACK_DOCUMENTS && !question.names_something(self.index);
        if is_topic && plain.iter().any(|score| *score > 0.0) {
            let scores = feedback::scores(self, question, &plain)?;
            return Ok(ordered(&scores, limit));
        }
        Ok(ordered(&plain, limit))
    }

    fn named(
        &self,
        question: &Question,
        links: &[Link],
        plain: &[f64],
        limit: usize,
    ) -> anyhow::Result<Vec<Ranked>> {
        let is_name = |place: usize| {
            links
                .iter()
                .any(|link| (link.start..link.end).contains(&place))
        };
        let others = question.words.iter().enumerate();
        let others = others.filter(|(place, _)| !is_name(*place));
        let stems: Vec<&str> = others
            .flat_map(|(_, word)| word.stems.iter().map(String::as_str))
            .collect();
        let mut mentions = Vec::new();
        for link in links {
            let content = (self.content)(link.document)?;
            let text = (content.text.as_str(), content.language);
            mentions.extend(self.names.mentions(link.document, text, &stems, plain));
        }
        mentions.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.document.cmp(&b.document))
        });
        let top = top(plain);
        let mut scores: Vec<f64> = plain.iter().map(|score| score / top).collect();
        for mention in mentions.iter().rev() {
            scores[mention.document] = 1.0 + mention.score / 1.25;
        }
        for (place, link) in links.iter().enumerate() {
            scores[link.document] = 3.0 - place as f64 / links.len() as f64;
        }
        let found = best(&scores, limit).into_iter();
        Ok(found
            .map(|document| Ranked {
                document,
                score: scores[document],
            })
            .collect())
    }
}

/// The best documents by scores, which are brought to at most 1.
pub(super) fn ordered(scores: &[f64], limit: usize) -> Vec<Ranked> {
    let top = top(scores);
    let found = best(scores, limit).into_iter();
    let ranked = found.map(|document| Ranked {
        document,
        score: scores[document] / top,
    });
    ranked.collect()
}

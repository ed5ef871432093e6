//! The parts of a document, and which of them answer.
//!
//! A passage is a paragraph, an item or a quotation, or whole sentences of a long one. Refuses to know how documents are
//! ranked.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::index;
use super::language::Language;
use super::library::Hit;
use super::rank::Ranked;
use super::record;
use crate::read::Kind;
use crate::text::{self, Block, BlockKind};

/// Documents that are looked into for passages, at least and at most.
const FEWEST: usize = 10;
const MOST: usize = 50;

/// A longer paragraph is cut between sentences, in bytes.
const PASSAGE_BYTES: usize = 1200;

/// How much of a passage's score is its document's, which knows more: whether the query names it, and what it is about.
const DOCUMENT_SHARE: f64 = 0.85;

/// What a term of the query adds by standing in the title, or in the headings above, in weights of the term.
const IN_TITLE: f64 = 2.0;
const IN_HEADINGS: f64 = 1.5;

/// The text of a document and its parts.
pub struct Content {
    /// The clean text, as it was indexed.
    pub text: String,
    /// Its parts, in order.
    pub blocks: Vec<Block>,
    passages: OnceLock<Vec<Passage>>,
}

/// A part that can be found.
struct Passage {
    block: usize,
    range: Range<usize>,
    counts: HashMap<String, u32>,
    length: f64,
    headings: Arc<HashSet<String>>,
}

/// What passages are matched with.
pub(super) struct Query<'a> {
    /// Terms and their weights among all passages.
    pub(super) terms: Vec<(&'a str, f64)>,
    /// The average length of a passage, in terms.
    pub(super) average: f64,
}

/// A passage of a document and how well it matches.
pub(super) struct Matched {
    block: usize,
    range: Range<usize>,
    score: f64,
}

impl Content {
    pub(super) fn new(kind: Kind, text: String) -> Self {
        Self {
            blocks: record::blocks(kind, &text),
            text,
            passages: OnceLock::new(),
        }
    }

    /// How well each passage matches a query of terms with weights, in a document with this title: BM25 over its words,
    /// and what stands in title and headings besides.
    pub(super) fn matched(
        &self,
        title: &str,
        language: Language,
        query: &Query<'_>,
    ) -> Vec<Matched> {
        let passages = self.passages.get_or_init(|| self.passages(language));
        let title: HashSet<String> = terms(title, language).collect();
        let score = |passage: &Passage| {
            let above = |(term, weight): &(&str, f64)| {
                let in_title = if title.contains(*term) { IN_TITLE } else { 0.0 };
                let in_headings = if passage.headings.contains(*term) {
                    IN_HEADINGS
                } else {
                    0.0
                };
                weight * (in_title + in_headings)
            };
            let count = |term: &str| passage.counts.get(term).copied();
            let found = query
                .terms
                .iter()
                .filter_map(|(term, weight)| Some((count(term)?, *weight)));
            Matched {
                block: passage.block,
                range: passage.range.clone(),
                score: index::score(found, passage.length, query.average)
                    + query.terms.iter().map(above).sum::<f64>(),
            }
        };
        passages.iter().map(score).collect()
    }

    fn passages(&self, language: Language) -> Vec<Passage> {
        let mut above: (Arc<[String]>, Arc<HashSet<String>>) =
            (Arc::from(Vec::new()), Arc::default());
        let mut found = Vec::new();
        for (block, range) in ranges(&self.text, &self.blocks) {
            let headings = &self.blocks[block].headings;
            if !Arc::ptr_eq(&above.0, headings) {
                let words = headings.iter().flat_map(|heading| terms(heading, language));
                above = (headings.clone(), Arc::new(words.collect()));
            }
            let mut counts = HashMap::new();
            let mut length = 0.0;
            for term in terms(&self.text[range.clone()], language) {
                *counts.entry(term).or_default() += 1;
                length += 1.0;
            }
            let headings = above.1.clone();
            found.push(Passage {
                block,
                range,
                counts,
                length,
                headings,
            });
        }
        found
    }
}

fn terms(text: &str, language: Language) -> impl Iterator<Item = String> {
    text::words(text).filter_map(move |word| language.term(word.text))
}

/// The passages of a text: the place of the block and the bytes of each, in order.
pub(super) fn ranges<'a>(
    text: &'a str,
    blocks: &'a [Block],
) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
    let prose = blocks
        .iter()
        .enumerate()
        .filter(|(_, block)| is_prose(block.kind));
    prose.flat_map(|(place, block)| {
        let pieces = cut(text, block.range.clone()).into_iter();
        pieces.map(move |range| (place, range))
    })
}

/// A part as it is, or as runs of whole sentences if it is long.
fn cut(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    if part.len() <= PASSAGE_BYTES {
        return vec![part];
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for sentence in text::sentences(text, part) {
        match found.last_mut() {
            Some(last) if sentence.end - last.start <= PASSAGE_BYTES => last.end = sentence.end,
            _ => found.push(sentence),
        }
    }
    found
}

/// How many documents are looked into for this many passages.
pub(super) fn documents(limit: usize) -> usize {
    limit.clamp(FEWEST, MOST)
}

/// The best passages of documents that were ranked, each with how its passages match.
pub(super) fn hits(found: &[(Ranked, Vec<Matched>)], limit: usize) -> Vec<Hit> {
    let best_document = found.first().map_or(1.0, |(ranked, _)| ranked.score);
    let matched = found.iter().flat_map(|(_, matched)| matched);
    let best_passage = matched.map(|one| one.score).fold(0.0, f64::max);
    let mut hits = Vec::new();
    for (ranked, matched) in found {
        let document = ranked.score / best_document;
        // A document that shares no word with the query, as one that is only mentioned, is shown by its beginning.
        let is_silent = matched.iter().all(|one| one.score <= 0.0);
        let kept = matched.iter().enumerate();
        let kept = kept.filter(|(place, one)| one.score > 0.0 || is_silent && *place == 0);
        hits.extend(kept.map(|(_, one)| {
            let share = if best_passage > 0.0 {
                one.score / best_passage
            } else {
                0.0
            };
            Hit {
                document: ranked.document,
                block: one.block,
                start: one.range.start,
                end: one.range.end,
                score: DOCUMENT_SHARE * document + (1.0 - DOCUMENT_SHARE) * share,
                own: share,
            }
        }));
    }
    let place = |hit: &Hit| (hit.document, hit.start);
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(place(a).cmp(&place(b))));
    hits.truncate(limit);
    hits
}

fn is_prose(kind: BlockKind) -> bool {
    matches!(
        kind,
        BlockKind::Paragraph | BlockKind::Item | BlockKind::Quote
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_paragraph_is_cut_between_sentences() {
        let text = "The heat pump takes heat from the air outside. ".repeat(60);
        let text = text.trim_end();
        let found = cut(text, 0..text.len());
        assert!(found.len() > 1);
        assert_eq!(
            (found[0].start, found[found.len() - 1].end),
            (0, text.len())
        );
        for range in found {
            assert!(range.len() <= PASSAGE_BYTES);
            let passage = &text[range];
            assert!(passage.starts_with("The") && passage.ends_with("outside."));
        }
        assert_eq!(cut("A. B.", 0..5).len(), 1);
    }
}

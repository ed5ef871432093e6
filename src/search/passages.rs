//! The parts of a document, and which of them answer.
//!
//! A passage is a paragraph, an item or a quotation, or whole sentences of a long one. Refuses to
//! know how documents are ranked.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::index::{self, Index, Weighted};
use super::language::Language;
use super::lexicon::{Counts, Lexicon};
use super::library::Hit;
use super::question::Question;
use super::rank::Ranked;
use super::record;
use crate::read::Kind;
use crate::text::{self, Block, BlockKind};

/// Documents that are looked into for passages, at least and at most.
const FEWEST: usize = 10;
const MOST: usize = 50;

/// A longer paragraph is cut between sentences, in bytes.
const PASSAGE_BYTES: usize = 1200;

/// How much of a passage's score is its document's, which knows more: whether the query names it,
/// and what it is about.
const DOCUMENT_SHARE: f64 = 0.85;

/// What a term of the query adds by standing in the title, or in the headings above, in weights of
/// the term.
const IN_TITLE: f64 = 2.0;
const IN_HEADINGS: f64 = 1.5;

/// The text of a document and its parts.
pub struct Content {
    /// The clean text, as it was indexed.
    pub text: String,
    /// Its parts, in order.
    pub blocks: Vec<Block>,
    title: String,
    /// The language that its words are of.
    pub(super) language: Language,
    counted: OnceLock<Counted>,
}

/// The terms of a document, part by part.
struct Counted {
    title: Counts,
    passages: Vec<Passage>,
}

/// A part that can be found.
struct Passage {
    block: usize,
    range: Range<usize>,
    /// Terms of the index and how often each stands in it.
    counts: Counts,
    /// Its terms.
    length: f64,
    /// The terms of the headings above it.
    headings: Arc<Counts>,
}

/// What passages are matched with.
pub(super) struct Query<'a> {
    /// Terms and their weights among all passages.
    terms: Vec<Weighted>,
    index: &'a Index,
    lexicon: &'a Lexicon,
}

impl<'a> Query<'a> {
    pub(super) fn new(question: &Question, index: &'a Index, lexicon: &'a Lexicon) -> Self {
        let weigh = |(term, weight): &Weighted| (*term, weight * index.idf_of_passages(*term));
        Self {
            terms: question.terms.iter().map(weigh).collect(),
            index,
            lexicon,
        }
    }
}

/// A passage of a document and how well it matches.
pub(super) struct Matched {
    block: usize,
    range: Range<usize>,
    score: f64,
    /// By its own words alone.
    text: f64,
}

impl Content {
    pub(super) fn new(kind: Kind, title: String, language: Language, text: String) -> Self {
        Self {
            blocks: record::blocks(kind, &text),
            text,
            title,
            language,
            counted: OnceLock::new(),
        }
    }

    /// How well each passage matches a query: BM25 over its words, and what stands in title and
    /// headings besides.
    pub(super) fn matched(&self, query: &Query<'_>) -> Vec<Matched> {
        let counted = self.counted(query);
        let average = query.index.passage_length();
        let score = |passage: &Passage| {
            let above = |(term, weight): &Weighted| {
                let in_title = if counted.title.contains_key(term) {
                    IN_TITLE
                } else {
                    0.0
                };
                let in_headings = if passage.headings.contains_key(term) {
                    IN_HEADINGS
                } else {
                    0.0
                };
                weight * (in_title + in_headings)
            };
            let found = query.terms.iter();
            let found =
                found.filter_map(|(term, weight)| Some((*passage.counts.get(term)?, *weight)));
            // A passage is no better for being short: a heading's worth of words is all match and
            // says nothing.
            let text = index::score(found, passage.length.max(average), average);
            Matched {
                block: passage.block,
                range: passage.range.clone(),
                score: text + query.terms.iter().map(above).sum::<f64>(),
                text,
            }
        };
        counted.passages.iter().map(score).collect()
    }

    /// The terms of the passages that match a query best, until there are `enough` of them or no
    /// passage matches.
    pub(super) fn told(&self, query: &Query<'_>, enough: f64) -> Counts {
        let matched = self.matched(query);
        let mut order: Vec<usize> = (0..matched.len()).collect();
        order.sort_by(|a, b| {
            matched[*b]
                .score
                .total_cmp(&matched[*a].score)
                .then(a.cmp(b))
        });
        let passages = &self.counted(query).passages;
        let mut told = Counts::new();
        let mut length = 0.0;
        for place in order {
            if length >= enough || length > 0.0 && matched[place].text <= 0.0 {
                break;
            }
            length += passages[place].length;
            for (term, times) in &passages[place].counts {
                *told.entry(*term).or_default() += times;
            }
        }
        told
    }

    /// Its terms, counted when a query first comes to it.
    fn counted(&self, query: &Query<'_>) -> &Counted {
        let counts = |text: &str| query.lexicon.counts(text, self.language, query.index);
        self.counted.get_or_init(|| {
            let mut above: (Arc<[String]>, Arc<Counts>) = (Arc::from(Vec::new()), Arc::default());
            let mut passages = Vec::new();
            for (block, range) in ranges(&self.text, &self.blocks) {
                let headings = &self.blocks[block].headings;
                if !Arc::ptr_eq(&above.0, headings) {
                    let words = headings.iter().flat_map(|heading| counts(heading));
                    above = (headings.clone(), Arc::new(words.collect()));
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
    let best_passage = matched
        .map(|one| one.score)
        .fold(0.0, f64::max)
        .max(f64::MIN_POSITIVE);
    let mut hits = Vec::new();
    for (ranked, matched) in found {
        let document = ranked.score / best_document;
        hits.extend(telling(matched).map(|one| {
            let own = one.score / best_passage;
            Hit {
                document: ranked.document,
                block: one.block,
                start: one.range.start,
                end: one.range.end,
                score: DOCUMENT_SHARE * document + (1.0 - DOCUMENT_SHARE) * own,
                own,
            }
        }));
    }
    let place = |hit: &Hit| (hit.document, hit.start);
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(place(a).cmp(&place(b))));
    hits.truncate(limit);
    hits
}

/// The best passage of each document in the order of the documents, then the others, best first.
pub(super) fn results(found: &[(Ranked, Vec<Matched>)], limit: usize) -> Vec<Hit> {
    let hits = hits(found, usize::MAX);
    let mut first: BTreeMap<usize, Hit> = BTreeMap::new();
    for hit in &hits {
        first.entry(hit.document).or_insert(*hit);
    }
    let firsts = found
        .iter()
        .filter_map(|(ranked, _)| first.get(&ranked.document));
    let others = hits.iter().filter(|hit| first[&hit.document] != **hit);
    firsts.chain(others).take(limit).copied().collect()
}

/// The passages that hold a word of the query; of a document that has none, what stands under such
/// words; of one that is only mentioned, its beginning.
fn telling(matched: &[Matched]) -> impl Iterator<Item = &Matched> {
    let holds_words = matched.iter().any(|one| one.text > 0.0);
    let stands_under = matched.iter().any(|one| one.score > 0.0);
    let kept = matched.iter().enumerate();
    let kept = kept.filter(move |(place, one)| match (holds_words, stands_under) {
        (true, _) => one.text > 0.0,
        (false, true) => one.score > 0.0,
        (false, false) => *place == 0,
    });
    kept.map(|(_, one)| one)
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

//! The passages of one text, ranked by BM25: for a source that is in no index, such as a page that
//! was just fetched.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt as _};

use super::index::{bm25, chunks};
use crate::read::Kind;
use crate::text::{self, Block, BlockKind};

/// The limit on the header of a table, which each of its rows repeats; chosen by hand.
const HEADER_CHARACTERS: usize = 1000;

/// The passages of a text and their terms.
pub struct PassageIndex {
    passages: Vec<IndexedPassage>,
    /// The number of passages that contain a term.
    frequencies: HashMap<String, usize>,
    average: f64,
}

/// A passage, and what it is read under.
pub struct IndexedPassage {
    /// The byte range in the text.
    pub range: Range<usize>,
    /// The headings above, outermost first; of a row of a table, its header too.
    pub context: Vec<String>,
    counts: HashMap<String, u32>,
    length: f64,
}

impl PassageIndex {
    /// The index of the clean text of a document of a kind: its paragraphs, items and quotations,
    /// long ones in pieces, and the rows of its tables.
    pub fn new(kind: Kind, text: &str) -> Self {
        let blocks = text::tables::with_rows(text, chunks::blocks(kind, text));
        let contexts = contexts(text, &blocks);
        let passages: Vec<IndexedPassage> = chunks::passages(text, &blocks)
            .map(|(block, range)| IndexedPassage::new(text, range, contexts[block].clone()))
            .collect();
        let mut frequencies = HashMap::new();
        for term in passages.iter().flat_map(|passage| passage.counts.keys()) {
            *frequencies.entry(term.clone()).or_default() += 1;
        }
        let lengths: f64 = passages.iter().map(|passage| passage.length).sum();
        Self {
            average: lengths / passages.len().max(1) as f64,
            frequencies,
            passages,
        }
    }

    /// The passage with a byte of the text.
    pub fn at(&self, byte: usize) -> Option<&IndexedPassage> {
        self.passages.iter().find(|own| own.range.contains(&byte))
    }

    /// The best passages for a query, best first, at most `limit`, ties by position; none that
    /// shares no term with it.
    pub fn best(&self, query: &str, limit: usize) -> Vec<&IndexedPassage> {
        let mut terms = text::terms(query);
        terms.sort_unstable();
        terms.dedup();
        let weight = |term: &String| {
            let with = self.frequencies.get(term).copied().unwrap_or_default();
            bm25::idf(with, self.passages.len())
        };
        let weighted: Vec<(&String, f64)> = terms.iter().map(|term| (term, weight(term))).collect();
        let score = |passage: &IndexedPassage| {
            let matching = weighted
                .iter()
                .filter_map(|(term, weight)| Some((*passage.counts.get(*term)?, *weight)));
            bm25::score(matching, passage.length, self.average)
        };
        let mut ranked: Vec<(f64, &IndexedPassage)> = self
            .passages
            .iter()
            .map(|passage| (score(passage), passage))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        // Stable: of equal score the first in the text.
        ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        ranked.truncate(limit);
        ranked.into_iter().map(|(_, passage)| passage).collect()
    }
}

impl IndexedPassage {
    fn new(text: &str, range: Range<usize>, context: Vec<String>) -> Self {
        let mut counts: HashMap<String, u32> = HashMap::new();
        // A reply is one statement with the question above it: "No" has no word of its own.
        let question = context.last().filter(|heading| heading.ends_with('?'));
        let above = question
            .into_iter()
            .flat_map(|question| text::terms(question));
        for term in text::terms(&text[range.clone()]).into_iter().chain(above) {
            *counts.entry(term).or_default() += 1;
        }
        Self {
            length: counts.values().copied().map(f64::from).sum(),
            range,
            context,
            counts,
        }
    }
}

/// What each block is read under: the headings above, and the header of the table of a row.
fn contexts(text: &str, blocks: &[Block]) -> Vec<Vec<String>> {
    let mut header = String::new();
    let context = |block: &Block| {
        if block.kind == BlockKind::Table {
            let columns = text::tables::columns(&text[block.range.clone()]).join(" ");
            header = text::truncate(&columns, HEADER_CHARACTERS).to_owned();
        }
        let header = (block.kind == BlockKind::Row).then(|| header.clone());
        block.headings.iter().cloned().chain(header).collect()
    };
    blocks.iter().map(context).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::markdown;

    #[test]
    fn passages_and_rows_are_ranked_under_their_headings() {
        let text = "# Pumps\n\nA pump moves heat.\n\n| Kind | Factor |\n| --- | --- |\n\
                    | air | 3.1 |\n| ground | 3.9 |\n\n- Bees make honey.\n";
        let index = PassageIndex::new(&markdown::KIND, text);
        let best = |query| -> Vec<&str> {
            let passages = index.best(query, 2).into_iter();
            passages.map(|one| &text[one.range.clone()]).collect()
        };
        assert_eq!(best("What is the factor of ground?"), ["| ground | 3.9 |"]);
        assert_eq!(best("honey"), ["Bees make honey."]);
        assert!(best("volcano").is_empty() && best("").is_empty());
        let row = index.best("ground", 1)[0];
        assert_eq!(row.context[0], "Pumps");
        assert!(row.context[1].contains("Factor"), "{:?}", row.context);
        assert!(
            PassageIndex::new(&markdown::KIND, "")
                .best("a", 1)
                .is_empty()
        );
    }
}

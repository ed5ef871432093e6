//! Chunking: a clean text into blocks, and these into passages, which are what a search returns.
//!
//! A passage is a paragraph, an item or a quotation, or whole sentences of a long one, or a row of
//! a table.

use std::ops::Range;

use crate::read::{Kind, Markup};
use crate::text::{self, Block, BlockKind};

/// A longer paragraph is cut between sentences, in bytes.
const PASSAGE_BYTES: usize = 1200;

/// The blocks of a clean text, tables of words row by row.
pub(in crate::search) fn blocks(kind: Kind, text: &str) -> Vec<Block> {
    match kind.markup {
        Markup::Markdown => text::tables::with_rows_on_things(text, text::blocks(text)),
        Markup::Plain => text::paragraphs(text),
    }
}

/// The passages of a text, in order: the number of the block and the bytes of each.
pub(in crate::search) fn passages<'a>(
    text: &'a str,
    blocks: &'a [Block],
) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
    blocks
        .iter()
        .enumerate()
        .filter(|(_, block)| block.kind.is_prose())
        .flat_map(|(number, block)| {
            let pieces = match block.kind {
                BlockKind::Row => vec![block.range.clone()],
                _ => cut(text, block.range.clone()),
            };
            let pieces = pieces.into_iter();
            pieces.map(move |range| (number, range))
        })
}

/// A block as it is, or as runs of whole sentences if it is long.
fn cut(text: &str, block: Range<usize>) -> Vec<Range<usize>> {
    if block.len() <= PASSAGE_BYTES {
        return vec![block];
    }
    let mut pieces: Vec<Range<usize>> = Vec::new();
    // Greedy: a sentence joins the last piece while that stays within the limit.
    for sentence in text::sentences(text, block) {
        match pieces.last_mut() {
            Some(last) if sentence.end - last.start <= PASSAGE_BYTES => last.end = sentence.end,
            _ => pieces.push(sentence),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paragraph_is_cut_between_sentences() {
        let text = "The heat pump takes heat from the air outside. ".repeat(60);
        let text = text.trim_end();
        let pieces = cut(text, 0..text.len());
        assert!(pieces.len() > 1);
        assert_eq!(
            (pieces[0].start, pieces[pieces.len() - 1].end),
            (0, text.len())
        );
        for range in pieces {
            assert!(range.len() <= PASSAGE_BYTES);
            let passage = &text[range];
            assert!(passage.starts_with("The") && passage.ends_with("outside."));
        }
        assert_eq!(cut("A. B.", 0..5).len(), 1);
    }
}

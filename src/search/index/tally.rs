//! Term counting: the term vector of a document, with titles and headings weighted, in how many
//! passages each term occurs, and whether it is mostly capitalised.
//!
//! The vector of a document is a function of its text and title alone, and is counted when the
//! document is indexed.

use std::ops::Range;

use string_interner::Symbol;

use super::analyzer::{Analyzed, Analyzer, Term};
use super::chunks;
use crate::text::{self, Block, BlockKind, Language, Word};

/// The weight of the title, in occurrences, a heading that repeats it included (on abstracts
/// nDCG@10 is 0.462, 0.471 and 0.465 for 2, 3 and 4; `benches/retrieval.rs`).
const TITLE_COUNT: u32 = 3;

/// The weight of a heading, in occurrences, besides the one in the text. Chosen by hand.
const HEADING_COUNT: u32 = 1;

/// The clean text of a document and what is needed to count it.
#[derive(Clone, Copy)]
pub(in crate::search) struct Source<'a> {
    pub(in crate::search) title: &'a str,
    pub(in crate::search) text: &'a str,
    pub(in crate::search) blocks: &'a [Block],
    pub(in crate::search) language: Language,
}

/// A term of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct Count {
    pub(in crate::search) term: Term,
    /// The term frequency, titles and headings weighted.
    pub(in crate::search) frequency: u32,
    /// The number of passages of the document that contain it.
    pub(in crate::search) passages: u32,
    /// `true` if the text mostly capitalises it.
    pub(in crate::search) is_capitalised: bool,
}

/// The term vector of a document.
#[derive(Debug, Default, PartialEq)]
pub(in crate::search) struct Vector {
    /// Each term once, in the order of their first occurrence.
    pub(in crate::search) counts: Vec<Count>,
    /// The number of passages, and of terms in them.
    pub(in crate::search) passages: (u32, u32),
}

impl Vector {
    /// The length of the document for BM25: the sum of its term frequencies.
    pub(in crate::search) fn length(&self) -> u32 {
        self.counts.iter().map(|count| count.frequency).sum()
    }
}

/// The occurrences of a term in the document that is being counted.
#[derive(Clone, Copy, Default)]
struct Tally {
    frequency: u32,
    /// Occurrences in the text, and those of them with a capital.
    in_text: u32,
    capitals: u32,
    passages: u32,
    /// The last passage in which it occurred, from 1.
    last_passage: u32,
}

/// Counts the terms of documents, one document after the other.
#[derive(Default)]
pub(in crate::search) struct Tallier {
    pub(in crate::search) analyzer: Analyzer,
    /// By term: its position in `tallies` and one, or 0. Small, since it is accessed at random.
    slots: Vec<u32>,
    /// The terms of the document that is being counted, in the order of their first occurrence.
    tallies: Vec<(Term, Tally)>,
}

impl Tallier {
    /// The term vector of a document by its [`text::signs::words`], which were analysed.
    pub(in crate::search) fn vector(
        &mut self,
        source: Source<'_>,
        words: &[Word<'_>],
        analyzed: &[Analyzed],
    ) -> Vector {
        let mut vector = Vector::default();
        self.count_text(source, words.iter().zip(analyzed), &mut vector);
        self.count_titles(source);
        let counts = self.take().map(|(term, tally)| Count {
            term,
            frequency: tally.frequency,
            passages: tally.passages,
            is_capitalised: 2 * tally.capitals > tally.in_text,
        });
        vector.counts = counts.collect();
        vector
    }

    fn count_text<'a>(
        &mut self,
        source: Source<'_>,
        words: impl Iterator<Item = (&'a Word<'a>, &'a Analyzed)>,
        vector: &mut Vector,
    ) {
        let mut passages = chunks::passages(source.text, source.blocks).peekable();
        for (word, analyzed) in words {
            let has_ended = |passage: &(usize, Range<usize>)| passage.1.end <= word.range.start;
            while passages.next_if(has_ended).is_some() {
                vector.passages.0 += 1;
            }
            let Some(term) = analyzed.term else {
                continue;
            };
            // Text outside passages, such as headings and code, counts for the document alone.
            let passage = vector.passages.0 + 1;
            let is_inside = passages
                .peek()
                .is_some_and(|(_, passage)| passage.start <= word.range.start);
            let tally = self.tally(term);
            tally.frequency += 1;
            tally.in_text += 1;
            tally.capitals += u32::from(word.text.starts_with(char::is_uppercase));
            if is_inside {
                tally.passages += u32::from(tally.last_passage != passage);
                tally.last_passage = passage;
                vector.passages.1 += 1;
            }
        }
        vector.passages.0 += passages.count() as u32;
    }

    /// Adds the weights of the title and the headings.
    fn count_titles(&mut self, source: Source<'_>) {
        let headings = source
            .blocks
            .iter()
            .filter(|block| block.kind == BlockKind::Heading)
            .map(|block| &source.text[block.range.clone()]);
        // A heading that is the title was counted once with the text.
        let repeats = headings.clone().any(|heading| heading == source.title);
        let weighted = headings
            .filter(|heading| *heading != source.title)
            .map(|heading| (heading, HEADING_COUNT))
            .chain([(source.title, TITLE_COUNT - u32::from(repeats))]);
        for (heading, count) in weighted {
            let words = text::signs::words(heading).map(|word| word.text);
            let terms: Vec<Term> = self
                .analyzer
                .words(words, source.language)
                .filter_map(|word| word.term)
                .collect();
            for term in terms {
                self.tally(term).frequency += count;
            }
        }
    }

    fn tally(&mut self, term: Term) -> &mut Tally {
        let number = term.to_usize();
        if number >= self.slots.len() {
            self.slots.resize(number + 1, 0);
        }
        let slot = &mut self.slots[number];
        if *slot == 0 {
            self.tallies.push((term, Tally::default()));
            *slot = self.tallies.len() as u32;
        }
        &mut self.tallies[*slot as usize - 1].1
    }

    /// The tallies of the document; what comes next is another one.
    fn take(&mut self) -> impl Iterator<Item = (Term, Tally)> {
        let Self { slots, tallies, .. } = self;
        tallies
            .drain(..)
            .inspect(|(term, _)| slots[term.to_usize()] = 0)
    }
}

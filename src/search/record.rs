//! Documents as the index keeps them: their terms counted, their texts beside. Many of them make a
//! segment.
//!
//! A segment is a function of its documents alone. Refuses to know files and folders.

use std::collections::BTreeMap;

use foldhash::HashMap;
use serde::{Deserialize, Serialize};

use super::duplicates::{self, Sketch};
use super::entities;
use super::language::Language;
use super::passages;
use crate::read::{Document, Kind, Markup};
use crate::text::{self, Block, BlockKind};

/// How often the title counts, a heading that repeats it included (on abstracts nDCG@10 is 0.462,
/// 0.471 and 0.465 for 2, 3 and 4).
const TITLE_COUNT: u32 = 3;

/// How often a heading counts besides its place in the text.
const HEADING_COUNT: u32 = 1;

/// The mark of a word that is no term.
const NO_TERM: u32 = u32::MAX;

/// How often a term stands in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Count {
    /// Place of the term in its dictionary.
    pub(super) term: u32,
    /// How often, titles and headings weighted.
    pub(super) times: u32,
    /// In how many passages of the document.
    pub(super) passages: u32,
    /// Whether the text mostly capitalises it.
    pub(super) capital: bool,
}

/// What is known of a document, apart from its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) title: String,
    pub(super) kind: Kind,
    pub(super) author: Option<String>,
    pub(super) date: Option<String>,
    pub(super) language: Language,
    /// Names that the document itself goes by, as written.
    pub(super) aliases: Vec<String>,
    /// The sum of its counts.
    pub(super) length: u32,
    /// Its passages, and their terms altogether.
    pub(super) passages: (u32, u32),
    /// By term.
    pub(super) counts: Vec<Count>,
    pub(super) sketch: Sketch,
    /// Where its text lies among the texts.
    pub(super) text: Span,
}

/// A piece of the texts of a segment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) length: u64,
    /// CRC-32 of the bytes.
    pub(super) checksum: u32,
}

/// Many documents and the dictionary of their terms.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Segment {
    /// Sorted by bytes, each once.
    pub(super) terms: Vec<String>,
    pub(super) records: Vec<Record>,
}

/// What a word as written counts as.
#[derive(Clone, Copy)]
struct Known {
    term: u32,
    hash: u64,
    capital: bool,
}

/// Makes a segment, one document after the other.
#[derive(Default)]
pub(super) struct Builder {
    places: HashMap<String, u32>,
    /// There are few languages, and this is asked for each word.
    words: BTreeMap<Language, HashMap<String, Known>>,
    records: Vec<Record>,
    texts: Vec<u8>,
    /// By term; all empty between two documents.
    tallies: Vec<Tally>,
}

/// Which terms of another segment are which here, as far as they were met.
pub(super) struct Places<'a> {
    terms: &'a [String],
    found: Vec<u32>,
}

impl<'a> Places<'a> {
    pub(super) fn new(terms: &'a [String]) -> Self {
        Self {
            terms,
            found: vec![NO_TERM; terms.len()],
        }
    }
}

/// The occurrences of a term while a document is read.
#[derive(Clone, Copy, Default)]
struct Tally {
    times: u32,
    seen: u32,
    capitals: u32,
    passages: u32,
    /// The last passage in which it was seen, from 1.
    last: u32,
}

/// What is counted while a document is read.
#[derive(Default)]
struct Tallies {
    /// By term, for all terms.
    terms: Vec<Tally>,
    /// The terms that were met.
    met: Vec<u32>,
    /// Of all words in order.
    hashes: Vec<u64>,
    /// Passages, and their terms altogether.
    passages: (u32, u32),
}

impl Tallies {
    fn of(&mut self, term: u32) -> &mut Tally {
        let place = term as usize;
        if place >= self.terms.len() {
            self.terms.resize(place + 1, Tally::default());
        }
        let tally = &mut self.terms[place];
        if tally.times == 0 {
            self.met.push(term);
        }
        tally
    }

    /// The counts of what was met, after which nothing is.
    fn counts(&mut self) -> Vec<Count> {
        let met = std::mem::take(&mut self.met).into_iter();
        let counts = met.map(|term| {
            let tally = std::mem::take(&mut self.terms[term as usize]);
            Count {
                term,
                times: tally.times,
                passages: tally.passages,
                capital: 2 * tally.capitals > tally.seen,
            }
        });
        counts.collect()
    }
}

impl Builder {
    /// Documents so far.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// Bytes of text so far.
    pub(super) fn bytes(&self) -> usize {
        self.texts.len()
    }

    /// Takes in a document that was read.
    pub(super) fn add(&mut self, document: Document) {
        let blocks = blocks(document.kind, &document.text);
        let language = Language::of(&document.text);
        let mut tallies = Tallies {
            terms: std::mem::take(&mut self.tallies),
            ..Tallies::default()
        };
        self.tally_text(&document.text, &blocks, language, &mut tallies);
        self.tally_titles(&document, &blocks, language, &mut tallies);
        let counts = tallies.counts();
        let record = Record {
            kind: document.kind,
            language,
            aliases: entities::aliases(&document, &blocks),
            length: counts.iter().map(|count| count.times).sum(),
            passages: tallies.passages,
            counts,
            sketch: duplicates::sketch(&tallies.hashes),
            text: Span::default(),
            title: document.title,
            author: document.author,
            date: document.date,
        };
        self.tallies = tallies.terms;
        self.push(record, document.text.as_bytes());
    }

    fn tally_text(
        &mut self,
        text: &str,
        blocks: &[Block],
        language: Language,
        tallies: &mut Tallies,
    ) {
        let mut passages = passages::ranges(text, blocks).peekable();
        for word in text::signs::words(text) {
            let known = self.known(word.text, language);
            tallies.hashes.push(known.hash);
            while passages
                .next_if(|(_, passage)| passage.end <= word.range.start)
                .is_some()
            {
                tallies.passages.0 += 1;
            }
            if known.term == NO_TERM {
                continue;
            }
            let passage = tallies.passages.0 + 1;
            let tally = tallies.of(known.term);
            tally.times += 1;
            tally.seen += 1;
            tally.capitals += u32::from(known.capital);
            let inside = passages
                .peek()
                .is_some_and(|(_, passage)| passage.start <= word.range.start);
            if inside {
                tally.passages += u32::from(tally.last != passage);
                tally.last = passage;
                tallies.passages.1 += 1;
            }
        }
        tallies.passages.0 += passages.count() as u32;
    }

    /// Headings and the title count more than by their place in the text.
    fn tally_titles(
        &mut self,
        document: &Document,
        blocks: &[Block],
        language: Language,
        tallies: &mut Tallies,
    ) {
        let headings = blocks
            .iter()
            .filter(|block| block.kind == BlockKind::Heading);
        let headings = headings.map(|block| &document.text[block.range.clone()]);
        let is_title = |heading: &&str| *heading == document.title;
        let written = headings.clone().filter(is_title).count().min(1) as u32;
        let headings = headings.filter(|heading| !is_title(heading));
        let headings = headings.map(|heading| (heading, HEADING_COUNT));
        for (weighted, count) in headings.chain([(document.title.as_str(), TITLE_COUNT - written)])
        {
            for word in text::signs::words(weighted) {
                let known = self.known(word.text, language);
                if known.term != NO_TERM {
                    tallies.of(known.term).times += count;
                }
            }
        }
    }

    /// Takes over a document from another segment.
    pub(super) fn adopt(&mut self, record: &Record, places: &mut Places<'_>, text: &[u8]) {
        let mut record = record.clone();
        for count in &mut record.counts {
            let term = count.term as usize;
            if places.found[term] == NO_TERM {
                places.found[term] = self.place(&places.terms[term]);
            }
            count.term = places.found[term];
        }
        self.push(record, text);
    }

    fn push(&mut self, mut record: Record, text: &[u8]) {
        record.text = Span {
            start: self.texts.len() as u64,
            length: text.len() as u64,
            checksum: crc32fast::hash(text),
        };
        self.texts.extend_from_slice(text);
        self.records.push(record);
    }

    fn known(&mut self, word: &str, language: Language) -> Known {
        if let Some(known) = self.words.get(&language).and_then(|words| words.get(word)) {
            return *known;
        }
        let known = Known {
            term: match language.term(word) {
                Some(term) => self.place(&term),
                None => NO_TERM,
            },
            hash: duplicates::hash(text::fold(word).as_bytes()),
            capital: word.starts_with(char::is_uppercase),
        };
        let words = self.words.entry(language).or_default();
        words.insert(word.to_owned(), known);
        known
    }

    fn place(&mut self, term: &str) -> u32 {
        if let Some(place) = self.places.get(term) {
            return *place;
        }
        let place = self.places.len() as u32;
        self.places.insert(term.to_owned(), place);
        place
    }

    /// The segment and its texts.
    pub(super) fn finish(self) -> (Segment, Vec<u8>) {
        let mut terms: Vec<(String, u32)> = self.places.into_iter().collect();
        terms.sort_unstable();
        let mut sorted = vec![0; terms.len()];
        for (place, (_, first)) in terms.iter().enumerate() {
            sorted[*first as usize] = place as u32;
        }
        let mut records = self.records;
        for record in &mut records {
            for count in &mut record.counts {
                count.term = sorted[count.term as usize];
            }
            record.counts.sort_unstable_by_key(|count| count.term);
        }
        let terms = terms.into_iter().map(|(term, _)| term).collect();
        (Segment { terms, records }, self.texts)
    }
}

impl Segment {
    /// Whether every place in it is one that exists: what was read from a file may say anything.
    pub(super) fn is_sound(&self, texts: u64) -> bool {
        let terms = self.terms.len();
        let is_sorted = self.terms.is_sorted_by(|a, b| a < b);
        is_sorted
            && self.records.iter().all(|record| {
                let span = record.text;
                let inside = span
                    .start
                    .checked_add(span.length)
                    .is_some_and(|end| end <= texts);
                let counts = &record.counts;
                let in_order = counts.is_sorted_by(|a, b| a.term < b.term);
                inside
                    && in_order
                    && counts
                        .last()
                        .is_none_or(|count| (count.term as usize) < terms)
            })
    }
}

/// The parts of a clean text.
pub(super) fn blocks(kind: Kind, text: &str) -> Vec<Block> {
    match kind.markup {
        Markup::Markdown => text::blocks(text),
        Markup::Plain => text::paragraphs(text),
    }
}

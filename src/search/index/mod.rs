//! The index: documents and their postings in mapped segments, which tantivy writes, merges and
//! deletes from; exact statistics over the documents that are alive; BM25 in `f64`.
//!
//! Everything that is computed here is a function of the documents there are, whatever the
//! segments, the threads and the order of indexing: document frequencies and lengths do not count
//! deleted documents (tantivy's own statistics do until a merge), and the terms of a sum are taken
//! in their order by bytes.

pub(super) mod aliases;
pub(super) mod analyzer;
pub(super) mod bm25;
pub(super) mod chunks;
pub(super) mod corpus;
mod ingest;
mod manifest;
pub(super) mod near_duplicates;
mod schema;
pub(super) mod storage;
pub(super) mod tally;
mod writer;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use anyhow::{Context, Result, ensure};
use foldhash::HashMap;
use string_interner::Symbol;
use tantivy::TantivyDocument;
use tantivy::columnar::Column;
use tantivy::index::{InvertedIndexReader, SegmentReader};
use tantivy::postings::TermInfo;
use tantivy::schema::{Field, IndexRecordOption, Value};
use tantivy::store::StoreReader;

use self::analyzer::{Analyzer, Term};
use self::manifest::FileEntry;
use self::schema::{Fields, Property};
use crate::text::{self, Language};

pub(super) use self::ingest::without_path;
pub(super) use self::manifest::{DocumentRecord, Outcome};

/// The mark of a deleted document.
const DELETED: u32 = u32::MAX;

/// Blocks of 16 KiB of the document store that stay decompressed, for each segment: as many as the
/// documents that one query reads, so that the next finds them.
const STORE_BLOCKS: usize = 128;

/// The document frequency up to which postings stay decoded: those of one block of tantivy's. The
/// terms by which neighbours are found are rare, and near documents have them in common.
const CACHED_POSTINGS: u32 = 128;

/// A term and its weight in a query.
pub(super) type Weighted = (Term, f64);

/// Terms and how often each occurs, in no order.
pub(super) type TermCounts = HashMap<Term, u32>;

/// An index that is open for queries. A document is identified by its number among the documents,
/// which are sorted by name.
pub(super) struct Index {
    fields: Fields,
    segments: Vec<Segment>,
    /// By document: its segment and its number there.
    addresses: Vec<(u32, u32)>,
    /// By document: the sum of its term frequencies.
    lengths: Vec<u32>,
    /// By document: k1 · (1 − b + b · length / average length).
    norms: Vec<f64>,
    /// The number of passages, and of terms in them.
    passages: (u64, u64),
    lexicon: Mutex<Lexicon>,
}

/// A segment of tantivy's, and which documents are in it.
struct Segment {
    reader: SegmentReader,
    store: StoreReader,
    terms: Arc<InvertedIndexReader>,
    properties: Arc<InvertedIndexReader>,
    /// By tantivy's number: the document, or [`DELETED`].
    documents: Vec<u32>,
}

/// The terms that queries have met, and the statistics of those for which they were needed.
#[derive(Default)]
struct Lexicon {
    analyzer: Analyzer,
    /// By term: its entry, once it was needed.
    entries: Vec<Option<Arc<TermEntry>>>,
}

/// A term in the dictionaries.
struct TermEntry {
    /// The document frequency.
    frequency: u32,
    /// By segment: where its postings are.
    infos: Box<[Option<TermInfo>]>,
    /// Documents and term frequencies, if they are few and a query has read them.
    postings: OnceLock<Box<[(u32, u32)]>>,
}

impl Index {
    /// Opens tantivy's segments of the documents among `entries`.
    ///
    /// # Errors
    /// When the segments do not hold exactly these documents.
    fn open(index: &tantivy::Index, entries: &[FileEntry]) -> Result<Self> {
        let (_, fields) = schema::schema();
        let mut numbers: HashMap<u64, u32> = HashMap::default();
        let mut lengths = Vec::with_capacity(entries.len());
        let mut passages = (0, 0);
        for document in entries.iter().filter_map(FileEntry::document) {
            numbers.insert(document.id, lengths.len() as u32);
            lengths.push(document.length);
            passages.0 += u64::from(document.passages.0);
            passages.1 += u64::from(document.passages.1);
        }
        // The manifest numbers documents by name; tantivy numbers them by segment and arrival. The
        // column of ids joins the two.
        let mut addresses = vec![(DELETED, DELETED); lengths.len()];
        let mut segments = Vec::new();
        for segment in index.searchable_segments()? {
            let segment = Segment::open(&segment, fields, &numbers)?;
            for (local, document) in segment.documents.iter().enumerate() {
                if *document != DELETED {
                    addresses[*document as usize] = (segments.len() as u32, local as u32);
                }
            }
            segments.push(segment);
        }
        let is_complete = addresses.iter().all(|(segment, _)| *segment != DELETED);
        ensure!(is_complete, "the index lacks documents");
        // A sum of whole numbers is exact in any order.
        let sum: f64 = lengths.iter().copied().map(f64::from).sum();
        let average = sum / lengths.len().max(1) as f64;
        Ok(Self {
            fields,
            segments,
            addresses,
            norms: lengths
                .iter()
                .map(|length| bm25::norm(f64::from(*length), average))
                .collect(),
            lengths,
            passages,
            lexicon: Mutex::default(),
        })
    }

    /// The number of documents.
    pub(super) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// The number of a term, if a document contains it.
    pub(super) fn term(&self, term: &str) -> Option<Term> {
        let term = self.lexicon().analyzer.terms.get_or_intern(term);
        (self.frequency(term) > 0).then_some(term)
    }

    /// The term that a word counts as in a language, whether a document contains it or not.
    pub(super) fn term_of(&self, word: &str, language: Language) -> Option<Term> {
        let analyzer = &mut self.lexicon().analyzer;
        let analyzed = analyzer.words(std::iter::once(word), language).next();
        analyzed?.term
    }

    /// Those terms that a document contains.
    pub(super) fn contained(&self, terms: &[Term]) -> impl Iterator<Item = Term> {
        let terms = terms.iter().copied();
        terms.filter(|term| self.frequency(*term) > 0)
    }

    /// The text of a term.
    pub(super) fn text_of(&self, term: Term) -> String {
        let lexicon = self.lexicon();
        let text = lexicon.analyzer.terms.resolve(term);
        text.unwrap_or_default().to_owned()
    }

    /// The document frequency of a term.
    pub(super) fn frequency(&self, term: Term) -> usize {
        self.lexicon().entry(term, &self.segments).frequency as usize
    }

    /// The dictionary entry of a term.
    fn entry(&self, term: Term) -> Arc<TermEntry> {
        self.lexicon().entry(term, &self.segments).clone()
    }

    /// Visits the documents that contain a term, each with the term's frequency.
    fn visit(&self, term: Term, mut each: impl FnMut(u32, u32)) {
        let entry = self.entry(term);
        if entry.frequency > CACHED_POSTINGS {
            return entry.visit(&self.segments, each);
        }
        let postings = entry.postings.get_or_init(|| {
            let mut postings = Vec::with_capacity(entry.frequency as usize);
            entry.visit(&self.segments, |document, frequency| {
                postings.push((document, frequency));
            });
            postings.into()
        });
        for (document, frequency) in postings {
            each(*document, *frequency);
        }
    }

    /// The first document that contains a term.
    pub(super) fn first_document(&self, term: Term) -> Option<usize> {
        let mut first: Option<u32> = None;
        self.visit(term, |document, _| {
            first = Some(first.map_or(document, |first| first.min(document)));
        });
        first.map(|document| document as usize)
    }

    /// Visits the terms that begin with a character, segment by segment.
    pub(super) fn visit_terms(&self, first: char, mut each: impl FnMut(&str)) {
        for segment in &self.segments {
            let from = first.to_string();
            let range = segment.terms.terms().range().ge(&from);
            let Ok(mut stream) = range.into_stream() else {
                continue;
            };
            while stream.advance() {
                let Ok(term) = std::str::from_utf8(stream.key()) else {
                    continue;
                };
                if !term.starts_with(first) {
                    break;
                }
                each(term);
            }
        }
    }

    /// The inverse document frequency of a term.
    pub(super) fn idf(&self, term: Term) -> f64 {
        bm25::idf(self.frequency(term), self.len())
    }

    /// The inverse passage frequency of a term.
    pub(super) fn idf_of_passages(&self, term: Term) -> f64 {
        let text = self.text_of(term);
        // Most documents with the term have one passage with it: the postings beside those of the
        // vector hold what differs.
        let mut with = self.frequency(term) as u64;
        for segment in &self.segments {
            segment.visit_property(Property::Repeated, &text, |_, more| with += u64::from(more));
            with -= u64::from(segment.documents_with(Property::Outside, &text));
        }
        bm25::idf(with as usize, self.passages.0 as usize)
    }

    /// The inverse passage frequency of a term that no passage contains.
    pub(super) fn idf_of_unknown(&self) -> f64 {
        bm25::idf(0, self.passages.0 as usize)
    }

    /// The average length of a passage, in terms.
    pub(super) fn passage_length(&self) -> f64 {
        self.passages.1 as f64 / self.passages.0.max(1) as f64
    }

    /// `true` if most documents that contain a term capitalise it: a name.
    pub(super) fn is_name(&self, term: Term) -> bool {
        let text = self.text_of(term);
        let capitalised: u32 = self
            .segments
            .iter()
            .map(|segment| segment.documents_with(Property::Capitalised, &text))
            .sum();
        2 * capitalised as usize > self.frequency(term)
    }

    /// The length of a document, in terms, titles and headings weighted.
    pub(super) fn length(&self, document: usize) -> f64 {
        f64::from(self.lengths[document])
    }

    /// `true` if a document contains a term.
    pub(super) fn contains(&self, document: usize, term: Term) -> bool {
        let (segment, local) = self.addresses[document];
        let entry = self.entry(term);
        let Some(info) = &entry.infos[segment as usize] else {
            return false;
        };
        // A seek by tantivy's skip list, not a pass over the postings.
        let reader = &self.segments[segment as usize].terms;
        let postings = reader.read_block_postings_from_terminfo(info, IndexRecordOption::Basic);
        postings.is_ok_and(|mut postings| {
            let at = postings.seek(local);
            postings.docs().get(at) == Some(&local)
        })
    }

    /// The documents that contain any of these terms.
    pub(super) fn frequency_of_any(&self, terms: &[Term]) -> usize {
        let mut with = vec![false; self.len()];
        for term in terms {
            self.visit(*term, |document, _| with[document as usize] = true);
        }
        with.into_iter().filter(|contains| *contains).count()
    }

    /// Every document's BM25 for a query, 0 for one that contains nothing of it. Term at a time:
    /// the candidates are all documents that contain a term of the query, and only their postings
    /// are read.
    pub(super) fn scores(&self, query: &[Weighted]) -> Vec<f64> {
        let mut scores = vec![0.0; self.len()];
        // The terms come in the order of their bytes, so each document's sum is rounded alike
        // whatever the segments.
        for (term, weight) in query {
            let weight = weight * self.idf(*term);
            self.visit(*term, |document, frequency| {
                let document = document as usize;
                scores[document] += weight * bm25::saturation(frequency, self.norms[document]);
            });
        }
        scores
    }

    /// Sorts weighted terms by the bytes of the terms: the order of every sum.
    pub(super) fn sort(&self, terms: &mut [Weighted]) {
        let lexicon = self.lexicon();
        let texts = &lexicon.analyzer.terms;
        terms.sort_unstable_by(|(a, _), (b, _)| texts.resolve(*a).cmp(&texts.resolve(*b)));
    }

    /// The `limit` terms of the greatest rank, equal ones by their bytes, sorted by their bytes.
    pub(super) fn heaviest(
        &self,
        terms: Vec<Weighted>,
        limit: usize,
        rank: impl Fn(&Weighted) -> f64,
    ) -> Vec<Weighted> {
        // Ties go by bytes, since numbers of terms depend on which query came first.
        let mut ranked: Vec<(f64, Weighted)> =
            terms.into_iter().map(|term| (rank(&term), term)).collect();
        {
            let lexicon = self.lexicon();
            let texts = &lexicon.analyzer.terms;
            let order = |(a, (one, _)): &(f64, Weighted), (b, (other, _)): &(f64, Weighted)| {
                b.total_cmp(a)
                    .then_with(|| texts.resolve(*one).cmp(&texts.resolve(*other)))
            };
            if limit < ranked.len() {
                ranked.select_nth_unstable_by(limit, order);
                ranked.truncate(limit);
            }
        }
        let mut terms: Vec<Weighted> = ranked.into_iter().map(|(_, term)| term).collect();
        self.sort(&mut terms);
        terms
    }

    /// The term frequencies of a document, titles and headings weighted.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn frequencies(&self, document: usize) -> Result<Vec<(Term, u32)>> {
        let vector = self.stored(document, self.fields.terms)?;
        let terms = &mut self.lexicon().analyzer.terms;
        let counts = schema::counts(&vector);
        let frequencies: Vec<(Term, u32)> = counts
            .map(|(term, count)| (terms.get_or_intern(term), count))
            .collect();
        let length: u32 = frequencies.iter().map(|(_, count)| count).sum();
        ensure!(length == self.lengths[document], "the index is damaged");
        Ok(frequencies)
    }

    /// The terms of a text that stands in a document of the index.
    pub(super) fn counts(&self, text: &str, language: Language) -> TermCounts {
        let analyzer = &mut self.lexicon().analyzer;
        let words = text::signs::words(text).map(|word| word.text);
        let mut counts = TermCounts::default();
        for term in analyzer.words(words, language).filter_map(|word| word.term) {
            *counts.entry(term).or_default() += 1;
        }
        counts
    }

    /// The documents that go by the name of a key, in ascending order; `None` if there is none, or
    /// if more than `limit` share it.
    pub(super) fn documents_named(&self, key: &str, limit: usize) -> Option<Vec<usize>> {
        let mut documents = Vec::new();
        for segment in &self.segments {
            segment.visit_property(Property::Alias, key, |document, _| {
                documents.push(document as usize);
            });
        }
        documents.sort_unstable();
        (1..=limit).contains(&documents.len()).then_some(documents)
    }

    /// `true` if a key of [`Index::documents_named`] may begin with these words.
    pub(super) fn begins_name(&self, words: &str) -> bool {
        let first = Property::Alias.term(words);
        // The next character after a blank, which is what stands between the words of a key.
        let end = format!("{first}!");
        self.segments.iter().any(|segment| {
            let keys = segment.properties.terms().range().ge(&first).lt(&end);
            keys.into_stream().is_ok_and(|mut keys| keys.advance())
        })
    }

    /// The text of a document, as it was indexed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn text(&self, document: usize) -> Result<String> {
        self.stored(document, self.fields.text)
    }

    fn stored(&self, document: usize, field: Field) -> Result<String> {
        let (segment, local) = self.addresses[document];
        let stored: TantivyDocument = self.segments[segment as usize].store.get(local)?;
        let text = stored.get_first(field);
        let text = text.and_then(|value| value.as_str().map(str::to_owned));
        text.context("the text is not in the index")
    }

    /// The near-duplicate sketches of all documents, one after the other, and where each ends.
    fn sketches(&self) -> Result<(Vec<u32>, Vec<usize>)> {
        let (hashes, ends) = self.column(schema::SKETCH, near_duplicates::SKETCH_HASHES)?;
        Ok((hashes.into_iter().map(|hash| hash as u32).collect(), ends))
    }

    /// The fingerprints of all documents, in the same way.
    fn fingerprints(&self) -> Result<(Vec<u64>, Vec<usize>)> {
        self.column(schema::FINGERPRINTS, near_duplicates::FINGERPRINTS)
    }

    /// The values of a column of all documents, one after the other, and where each ends.
    fn column(&self, name: &str, values: usize) -> Result<(Vec<u64>, Vec<usize>)> {
        let mut columns: Vec<Column<u64>> = Vec::with_capacity(self.segments.len());
        for segment in &self.segments {
            columns.push(segment.reader.fast_fields().u64(name)?);
        }
        let mut all = Vec::with_capacity(self.len() * values);
        let mut ends = Vec::with_capacity(self.len());
        for (segment, local) in &self.addresses {
            all.extend(columns[*segment as usize].values_for_doc(*local));
            ends.push(all.len());
        }
        Ok((all, ends))
    }

    fn lexicon(&self) -> MutexGuard<'_, Lexicon> {
        self.lexicon.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lexicon {
    /// The dictionary entry of a term, looked up once.
    fn entry(&mut self, term: Term, segments: &[Segment]) -> &Arc<TermEntry> {
        let number = term.to_usize();
        if number >= self.entries.len() {
            self.entries.resize(number + 1, None);
        }
        let terms = &self.analyzer.terms;
        self.entries[number].get_or_insert_with(|| {
            let text = terms.resolve(term).unwrap_or_default();
            Arc::new(TermEntry::find(text, segments))
        })
    }
}

impl TermEntry {
    fn find(term: &str, segments: &[Segment]) -> Self {
        let mut frequency = 0;
        let infos = segments.iter().map(|segment| {
            // What cannot be read has no postings: the files were checked when they were opened.
            let info = segment.terms.terms().get(term.as_bytes()).ok().flatten()?;
            frequency += segment.frequency(&segment.terms, &info);
            Some(info)
        });
        let infos = infos.collect();
        Self {
            frequency,
            infos,
            postings: OnceLock::new(),
        }
    }

    /// Visits the documents of the postings, each with the term's frequency.
    fn visit(&self, segments: &[Segment], mut each: impl FnMut(u32, u32)) {
        for (segment, info) in segments.iter().zip(&self.infos) {
            if let Some(info) = info {
                segment.visit(&segment.terms, info, &mut each);
            }
        }
    }
}

impl Segment {
    /// Opens a segment; `numbers` has the documents by id.
    fn open(
        segment: &tantivy::Segment,
        fields: Fields,
        numbers: &HashMap<u64, u32>,
    ) -> Result<Self> {
        let reader = SegmentReader::open(segment)?;
        let ids = reader.fast_fields().u64(schema::ID)?;
        let alive = reader.alive_bitset();
        let mut documents = Vec::with_capacity(reader.max_doc() as usize);
        for local in 0..reader.max_doc() {
            let is_alive = alive.is_none_or(|alive| alive.is_alive(local));
            documents.push(if is_alive {
                let number = ids.first(local).and_then(|id| numbers.get(&id));
                *number.context("the index has a document that the manifest lacks")?
            } else {
                DELETED
            });
        }
        Ok(Self {
            store: reader.get_store_reader(STORE_BLOCKS)?,
            terms: reader.inverted_index(fields.terms)?,
            properties: reader.inverted_index(fields.properties)?,
            reader,
            documents,
        })
    }

    /// The number of documents in postings.
    fn frequency(&self, reader: &InvertedIndexReader, info: &TermInfo) -> u32 {
        // Tantivy's document frequency counts deleted documents until a merge.
        if !self.reader.has_deletes() {
            return info.doc_freq;
        }
        let mut count = 0;
        self.visit(reader, info, |_, _| count += 1);
        count
    }

    /// The number of documents with a property.
    fn documents_with(&self, property: Property, of: &str) -> u32 {
        self.property(property, of)
            .map_or(0, |info| self.frequency(&self.properties, &info))
    }

    /// Visits the documents with a property, each with its frequency.
    fn visit_property(&self, property: Property, of: &str, each: impl FnMut(u32, u32)) {
        if let Some(info) = self.property(property, of) {
            self.visit(&self.properties, &info, each);
        }
    }

    fn property(&self, property: Property, of: &str) -> Option<TermInfo> {
        let term = property.term(of);
        self.properties.terms().get(term).ok().flatten()
    }

    /// Visits the documents in postings, each with the term's frequency.
    fn visit(&self, reader: &InvertedIndexReader, info: &TermInfo, mut each: impl FnMut(u32, u32)) {
        let option = IndexRecordOption::WithFreqs;
        let Ok(mut postings) = reader.read_block_postings_from_terminfo(info, option) else {
            return;
        };
        loop {
            let locals = postings.docs();
            if locals.is_empty() {
                return;
            }
            for (at, local) in locals.iter().enumerate() {
                let document = self.documents[*local as usize];
                if document != DELETED {
                    each(document, postings.freq(at));
                }
            }
            postings.advance();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read::Reader;
    use crate::search::Library;

    #[test]
    fn a_name_begins_with_whole_words_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let text = "# Heat pump house\n\nIt is warm.\n";
        std::fs::write(folder.path().join("a.md"), text).unwrap();
        let roots = [folder.path().to_owned()];
        let library = Library::open(&roots, &Reader::in_process(), None).unwrap();
        let begins = |words| library.index.begins_name(words);
        let beginnings = ["heat", "heat pump", "heat pump house"];
        assert!(beginnings.into_iter().all(begins));
        let others = ["hea", "pump", "heat pum", "heat pump house is"];
        assert!(!others.into_iter().any(begins));
    }
}

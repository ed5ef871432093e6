//! What there is to quote on a subject: the documents that are most about it, read whole, sentence
//! by sentence.
//!
//! A document is about a subject by what it holds and by its title, not by single sentences that
//! share words with it: such sentences read well and answer nothing. Refuses to choose: that is the
//! researcher's.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use super::libraries::Open;
use crate::agent::{Candidate, TermWeight, TopicDocument, coverage};
use crate::artifact::step::{HitRecord, SearchRecord};
use crate::search::{Content, Hit, Library};
use crate::text::{self, Block, BlockKind};

/// Parts of documents that one search may bring.
const HITS: usize = 80;

/// Documents that a search's record names.
const RECORDED: usize = 10;

/// Documents that are looked at for how much they are about the subject.
const LOOKED_AT: usize = 80;

/// Documents that are read whole, and bytes of them, at most. The best one is always read.
const READ_DOCUMENTS: usize = 24;
const READ_BYTES: u64 = 1 << 20;

/// Bytes of a library whose sentences are kept; with their terms they take about ten times that.
const KEPT_BYTES: u64 = 1 << 20;

/// From this share of the best match on a document is on the subject whatever its title says (set
/// on twenty questions to 648 design documents, read by hand).
const SURE: f64 = 0.9;

/// What is looked for.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    /// In words.
    pub(super) words: String,
    /// Its terms, each with how much it tells.
    pub(super) terms: Vec<TermWeight>,
    /// Pairs of neighbouring words, stemmed.
    pub(super) phrases: Vec<String>,
}

/// The documents on a subject and their sentences.
pub(super) struct Reading {
    /// Best first.
    pub(super) documents: Vec<TopicDocument>,
    /// By document and place.
    pub(super) sentences: Vec<Sentence>,
    /// The largest share of the subject, by weight, that one document holds.
    pub(super) best_document_coverage: f64,
    /// … and that one sentence holds.
    pub(super) best_sentence_coverage: f64,
}

/// A sentence, and where it stands.
#[derive(Clone)]
pub(super) struct Sentence {
    pub(super) candidate: Candidate,
    pub(super) range: Range<usize>,
}

impl Reading {
    pub(super) fn of(open: &Open, subject: &Subject) -> Result<Self> {
        let library = &*open.library;
        let looked_at = looked_at(library, subject)?;
        let holds = |found: &TopicDocument| {
            coverage(&subject.terms, |term| library.holds(found.index, term))
        };
        let best_document_coverage = looked_at.iter().map(holds).fold(0.0, f64::max);
        let documents = read_whole(library, looked_at);
        let mut sentences = Vec::new();
        for (place, found) in documents.iter().enumerate() {
            let own = open.sentences.of_document(library, found.index)?;
            sentences.extend(own.iter().cloned().map(|mut sentence| {
                sentence.candidate.document = place;
                sentence
            }));
        }
        let said = |sentence: &Sentence| {
            let terms = &sentence.candidate.terms;
            coverage(&subject.terms, |term| terms.contains(term))
        };
        Ok(Self {
            best_sentence_coverage: sentences.iter().map(said).fold(0.0, f64::max),
            best_document_coverage,
            documents,
            sentences,
        })
    }

    /// The candidates, with how well the paragraph of each matches these searches.
    pub(super) fn candidates(&self, searches: &Searches) -> Vec<Candidate> {
        let matched = |sentence: &Sentence| {
            let document = self.documents[sentence.candidate.document].index;
            let score = searches
                .matched
                .get(&(document, sentence.candidate.paragraph));
            Candidate {
                match_score: score.copied().unwrap_or_default(),
                ..sentence.candidate.clone()
            }
        };
        self.sentences.iter().map(matched).collect()
    }
}

/// The documents that match best, with how much each is about the subject: 0.6 of its score in the
/// search, as a share of the best, and 0.4 of the share of the subject in its title (the weights of
/// a prototype over 648 design documents, there with BM25); and less for one that holds the words
/// of the subject but not its phrases.
fn looked_at(library: &Library, subject: &Subject) -> Result<Vec<TopicDocument>> {
    let ranked = library.rank(&subject.words, LOOKED_AT)?;
    let top = ranked.first().map_or(1.0, |best| best.score);
    let held = Phrases::of(library, subject, ranked.iter().map(|one| one.document))?;
    let mut found: Vec<TopicDocument> = Vec::with_capacity(ranked.len());
    for (rank, ranked) in ranked.into_iter().enumerate() {
        let document = &library.documents[ranked.document];
        // What repeats another document word for word is no second source.
        if document.duplicate_of.is_some() {
            continue;
        }
        let titled = coverage(&subject.terms, |term| {
            library.title_holds(ranked.document, term)
        });
        let phrases = held.share(rank);
        let phrased = phrases.map_or(1.0, |share| 1.0 - held.strength() * (1.0 - share));
        let matched = ranked.score / top;
        let topicality = (0.6 * matched + 0.4 * titled) * phrased;
        found.push(TopicDocument {
            index: ranked.document,
            title: document.title.clone(),
            date: document.date.clone(),
            topicality,
            anchor: titled
                .max(phrases.unwrap_or_default())
                .max(if matched >= SURE { matched } else { 0.0 }),
        });
    }
    found.sort_by(|a, b| {
        b.topicality
            .total_cmp(&a.topicality)
            .then(a.index.cmp(&b.index))
    });
    Ok(found)
}

fn read_whole(library: &Library, looked_at: Vec<TopicDocument>) -> Vec<TopicDocument> {
    let mut bytes = 0;
    let fits = |found: &TopicDocument| {
        let first = bytes == 0;
        bytes += library.documents[found.index].bytes;
        first || bytes <= READ_BYTES
    };
    looked_at
        .into_iter()
        .take(READ_DOCUMENTS)
        .take_while(fits)
        .collect()
}

/// Which documents hold which phrases of a subject.
struct Phrases {
    /// By document, the phrases that it holds.
    held: Vec<Vec<bool>>,
    /// By phrase, how much it tells: more the fewer documents hold it.
    weights: Vec<f64>,
}

impl Phrases {
    /// A pair of words that stands in fewer of the documents than this may stand there by chance.
    const OFTEN: usize = 3;

    fn of(
        library: &Library,
        subject: &Subject,
        documents: impl Iterator<Item = usize>,
    ) -> Result<Self> {
        let mut held = Vec::new();
        for document in documents {
            let holds = |phrase: &str| phrase.split(' ').all(|term| library.holds(document, term));
            let likely: Vec<bool> = subject.phrases.iter().map(|one| holds(one)).collect();
            if !likely.contains(&true) {
                held.push(likely);
                continue;
            }
            let content = library.content(document)?;
            let lower = content.text.to_lowercase();
            let phrases = subject.phrases.iter().zip(likely);
            held.push(
                phrases
                    .map(|(phrase, likely)| likely && text::contains_phrase(&lower, phrase))
                    .collect(),
            );
        }
        let all = held.len() as f64;
        let weigh = |place: usize| {
            let with = held.iter().filter(|held| held[place]).count();
            if with < Self::OFTEN {
                0.0
            } else {
                (1.0 + all / with as f64).ln()
            }
        };
        Ok(Self {
            weights: (0..subject.phrases.len()).map(weigh).collect(),
            held,
        })
    }

    /// How much of its figure a document loses that holds none of the phrases: the more there are,
    /// the less telling is any of them, since not every two neighbours in a question belong
    /// together. 0.7 for one phrase, 0.35 for three (set on forty questions to two corpora, read by
    /// hand).
    fn strength(&self) -> f64 {
        let telling = self.weights.iter().filter(|weight| **weight > 0.0).count();
        1.4 / (1.0 + telling.max(1) as f64)
    }

    /// The share of the phrases, by weight, that a document holds; none if there is no phrase that
    /// tells.
    fn share(&self, document: usize) -> Option<f64> {
        let all: f64 = self.weights.iter().sum();
        let weights = self.weights.iter().zip(&self.held[document]);
        let held: f64 = weights.filter(|(_, held)| **held).map(|(one, _)| one).sum();
        (all > 0.0).then(|| held / all)
    }
}

/// The sentences of a library's documents, by document: those of a small library are kept, for many
/// sessions over it.
pub(super) struct Sentences {
    kept: Option<Mutex<BTreeMap<usize, Arc<[Sentence]>>>>,
}

impl Sentences {
    /// None yet.
    pub(super) fn of(library: &Library) -> Self {
        let bytes: u64 = library.documents.iter().map(|it| it.bytes).sum();
        Self {
            kept: (bytes <= KEPT_BYTES).then(Mutex::default),
        }
    }

    fn of_document(&self, library: &Library, document: usize) -> Result<Arc<[Sentence]>> {
        let Some(kept) = &self.kept else {
            return Ok(sentences(&*library.content(document)?).into());
        };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.get(&document) {
            return Ok(known.clone());
        }
        let found: Arc<[Sentence]> = sentences(&*library.content(document)?).into();
        kept.insert(document, found.clone());
        Ok(found)
    }
}

/// Every sentence of a document that stands in running text.
fn sentences(content: &Content) -> Vec<Sentence> {
    let mut found = Vec::new();
    let is_caseless = !content.text.contains(char::is_uppercase);
    let mut section = usize::MAX;
    let mut in_section = 0;
    for (number, block) in content.blocks.iter().enumerate() {
        if !matches!(
            block.kind,
            BlockKind::Paragraph | BlockKind::Item | BlockKind::Quote
        ) {
            continue;
        }
        (section, in_section) = if block.section == section {
            (section, in_section + 1)
        } else {
            (block.section, 0)
        };
        let is_lead = is_lead(content, number);
        for range in text::sentences(&content.text, block.range.clone()) {
            found.push(Sentence {
                candidate: Candidate {
                    document: 0,
                    paragraph: number,
                    paragraph_in_section: in_section,
                    is_caseless,
                    terms: text::terms(&content.text[range.clone()]).into(),
                    sentence: content.text[range.clone()].into(),
                    headings: block.headings.clone(),
                    match_score: 0.0,
                    is_lead,
                    quotability: Arc::default(),
                },
                range,
            });
        }
    }
    found
}

/// Whether a part is the document's first paragraph, or stands under a heading that promises a
/// summary. A first line without a full stop is the title of a plain text.
fn is_lead(content: &Content, number: usize) -> bool {
    let is_prose = |block: &Block| {
        let text = content.text[block.range.clone()].trim_end();
        block.kind == BlockKind::Paragraph && text.ends_with(|c: char| c.is_ascii_punctuation())
    };
    let first = content.blocks.iter().position(is_prose);
    let summaries = [
        "summary",
        "abstract",
        "overview",
        "introduction",
        "in brief",
    ];
    let heading = content.blocks[number].headings.last();
    first == Some(number)
        || heading.is_some_and(|heading| summaries.contains(&heading.to_lowercase().as_str()))
}

/// The searches of one step.
pub(super) struct Searches {
    pub(super) records: Vec<SearchRecord>,
    /// By document and block, how well it matched as a share of the best match.
    matched: BTreeMap<(usize, usize), f64>,
}

impl Searches {
    pub(super) fn run(library: &Library, queries: &[String]) -> Result<Self> {
        let mut records = Vec::new();
        let mut matched: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for query in queries {
            let mut hits = library.search(query, HITS)?;
            hits.retain(|hit| library.documents[hit.document].duplicate_of.is_none());
            for hit in &hits {
                let score = matched.entry((hit.document, hit.block)).or_default();
                *score = score.max(hit.own);
            }
            records.push(record(library, query, &hits));
        }
        Ok(Self { records, matched })
    }
}

fn record(library: &Library, query: &str, hits: &[Hit]) -> SearchRecord {
    let mut seen = std::collections::BTreeSet::new();
    let first = hits.iter().filter(|hit| seen.insert(hit.document));
    SearchRecord {
        query: query.to_owned(),
        hits: first
            .take(RECORDED)
            .map(|hit| HitRecord {
                locator: library.documents[hit.document].locator.clone(),
                title: library.documents[hit.document].title.clone(),
                score: (hit.score * 1000.0).round() / 1000.0,
            })
            .collect(),
    }
}

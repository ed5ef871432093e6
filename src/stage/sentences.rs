//! The sentences of documents, as candidates for quotation: split once and cached.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use crate::agent::Candidate;
use crate::search::{Content, Library};
use crate::text::{self, Block, BlockKind};

/// The largest library whose sentences are cached, in bytes of text (chosen by hand).
const CACHED_BYTES: u64 = 1 << 20;

/// The headings of summaries.
const SUMMARY_HEADINGS: [&str; 5] = [
    "summary",
    "abstract",
    "overview",
    "introduction",
    "in brief",
];

/// A sentence, and its range of bytes in the document.
#[derive(Clone)]
pub(super) struct Sentence {
    /// The sentence as the researcher sees it.
    pub(super) candidate: Candidate,
    /// The range of the sentence in its document.
    pub(super) range: Range<usize>,
}

/// The sentences of a library's documents, by document; cached for a small library, which the
/// sessions of a batch share.
pub(super) struct Sentences {
    cache: Option<Mutex<BTreeMap<usize, Arc<[Sentence]>>>>,
}

impl Sentences {
    /// The sentences of a library; not cached if the library is too large.
    pub(super) fn of(library: &Library) -> Self {
        let bytes: u64 = library
            .documents
            .iter()
            .map(|document| document.bytes)
            .sum();
        Self {
            cache: (bytes <= CACHED_BYTES).then(Mutex::default),
        }
    }

    /// Returns the sentences of a document.
    pub(super) fn of_document(
        &self,
        library: &Library,
        document: usize,
    ) -> Result<Arc<[Sentence]>> {
        let Some(cache) = &self.cache else {
            return Ok(split(&*library.content(document)?).into());
        };
        // The lock is held while a document is split, so that no two sessions split the same
        // document.
        let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sentences) = cache.get(&document) {
            return Ok(sentences.clone());
        }
        let sentences: Arc<[Sentence]> = split(&*library.content(document)?).into();
        cache.insert(document, sentences.clone());
        Ok(sentences)
    }
}

/// Splits the running text of a document into sentences; headings, tables and code are left out.
fn split(content: &Content) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    // Decided for the whole document: a single sentence in lower case is more likely a fragment.
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
            sentences.push(Sentence {
                candidate: Candidate {
                    // Both are set by the retrieval that the sentence becomes part of.
                    document: 0,
                    match_score: 0.0,
                    paragraph: number,
                    paragraph_in_section: in_section,
                    is_caseless,
                    terms: text::terms(&content.text[range.clone()]).into(),
                    sentence: content.text[range.clone()].into(),
                    headings: block.headings.clone(),
                    is_lead,
                    quotability: Arc::default(),
                },
                range,
            });
        }
    }
    sentences
}

/// Returns `true` if a block is the document's first paragraph, or is under the heading of a
/// summary: news and articles begin with what matters most.
fn is_lead(content: &Content, number: usize) -> bool {
    // A first line without a full stop is the title of a plain text, not a paragraph.
    let is_prose = |block: &Block| {
        let text = content.text[block.range.clone()].trim_end();
        block.kind == BlockKind::Paragraph && text.ends_with(|c: char| c.is_ascii_punctuation())
    };
    let heading = content.blocks[number].headings.last();
    let is_summary =
        heading.is_some_and(|heading| SUMMARY_HEADINGS.contains(&heading.to_lowercase().as_str()));
    content.blocks.iter().position(is_prose) == Some(number) || is_summary
}

//! The tantivy schema: which fields a document has in the index, and how its term vector is put
//! into postings.
//!
//! Stems, weights and statistics are ours, so tantivy's tokenizers do not run: a document's vector
//! is given as text of `count, term` lines, which [`CountTokenizer`] expands, and the term
//! frequency in the postings is the count. The text is stored as well: a ranking reads whole
//! vectors. Statistics beyond that are postings of their own, which are short: most terms of a
//! document occur in exactly one passage and in lower case.

use std::fmt::Write;
use std::str::Lines;

use tantivy::TantivyDocument;
use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};

use super::analyzer::Terms;
use super::near_duplicates::{Fingerprints, Sketch};
use super::tally::Count;

/// The name of [`CountTokenizer`] in the schema.
const TOKENIZER: &str = "counts";

/// Stands before and after a count; clean text contains no control character but tab and line
/// end.
const SEPARATOR: char = '\u{1}';

/// What the numbers of a document take in the memory of one, at least: it grows by copying.
const NUMBERS_BYTES: usize = 1024;

/// The fields of a document.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    /// The number by which the manifest knows the document, a column.
    pub(super) id: Field,
    /// The term vector, stored: the term frequency is that of BM25.
    pub(super) terms: Field,
    /// The other properties of the document, each a term that begins with its [`Property`]. One
    /// field for all, since each has a dictionary, which costs more to build than few entries.
    pub(super) properties: Field,
    /// The hashes of the near-duplicate sketch, a column.
    pub(super) sketch: Field,
    /// The fingerprints by which repetitions are found, a column.
    pub(super) fingerprints: Field,
    /// The clean text, stored.
    pub(super) text: Field,
}

/// A property of a document, and the first character of its terms.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(super) enum Property {
    /// A term that two or more passages contain: the term frequency is their number less one.
    Repeated = b'r',
    /// A term that no passage contains, but a heading or the title does.
    Outside = b'o',
    /// A term that the text mostly capitalises.
    Capitalised = b'c',
    /// A key of the document's names.
    Alias = b'a',
    /// The document's number, by which it is deleted.
    Id = b'i',
}

impl Property {
    /// The term of a property.
    pub(super) fn term(self, of: &str) -> String {
        let mut term = String::with_capacity(1 + of.len());
        term.push(char::from(self as u8));
        term.push_str(of);
        term
    }
}

/// The column of [`Fields::id`].
pub(super) const ID: &str = "id";

/// The column of [`Fields::sketch`].
pub(super) const SKETCH: &str = "sketch";

/// The column of [`Fields::fingerprints`].
pub(super) const FINGERPRINTS: &str = "fingerprints";

/// The schema and its fields.
pub(super) fn schema() -> (Schema, Fields) {
    // Without field norms and positions: BM25 takes exact lengths from the manifest, and phrases
    // are not searched.
    let postings = || {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER)
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::WithFreqs);
        TextOptions::default().set_indexing_options(indexing)
    };
    let mut builder = Schema::builder();
    let fields = Fields {
        id: builder.add_u64_field(ID, FAST),
        terms: builder.add_text_field("terms", postings().set_stored()),
        properties: builder.add_text_field("properties", postings()),
        sketch: builder.add_u64_field(SKETCH, FAST),
        fingerprints: builder.add_u64_field(FINGERPRINTS, FAST),
        text: builder.add_text_field("text", STORED),
    };
    (builder.build(), fields)
}

/// Registers the tokenizer of the schema, for an index that is written to.
pub(super) fn register(tokenizers: &TokenizerManager) {
    tokenizers.register(TOKENIZER, CountTokenizer);
}

/// The parts of a document that go into the index.
pub(super) struct Indexed<'a> {
    pub(super) id: u64,
    pub(super) counts: &'a [Count],
    pub(super) aliases: &'a [String],
    pub(super) sketch: &'a Sketch,
    pub(super) fingerprints: &'a Fingerprints,
    pub(super) text: &'a str,
}

impl Fields {
    /// A document for tantivy.
    pub(super) fn document(self, indexed: &Indexed<'_>, terms: &Terms) -> TantivyDocument {
        let (mut vector, mut properties) = (String::new(), String::new());
        vector.reserve(indexed.text.len());
        properties.reserve(indexed.text.len() / 2);
        let mut add = |property: Property, term: &str, count: u32| {
            if count > 0 {
                push(&mut properties, Some(property), term, count);
            }
        };
        // The term frequency of a posting is the number of tokens, so a count of 3 is three tokens.
        for count in indexed.counts {
            let term = terms.resolve(count.term).unwrap_or_default();
            push(&mut vector, None, term, count.frequency);
            add(Property::Repeated, term, count.passages.saturating_sub(1));
            add(Property::Outside, term, u32::from(count.passages == 0));
            add(Property::Capitalised, term, u32::from(count.is_capitalised));
        }
        for alias in indexed.aliases {
            add(Property::Alias, alias, 1);
        }
        add(Property::Id, &indexed.id.to_string(), 1);
        let bytes = vector.len() + properties.len() + indexed.text.len();
        let mut document = TantivyDocument::with_capacity(bytes + NUMBERS_BYTES);
        document.add_u64(self.id, indexed.id);
        document.add_text(self.terms, vector);
        document.add_text(self.properties, properties);
        for hash in indexed.sketch {
            document.add_u64(self.sketch, u64::from(*hash));
        }
        for fingerprint in indexed.fingerprints {
            document.add_u64(self.fingerprints, *fingerprint);
        }
        document.add_text(self.text, indexed.text);
        document
    }
}

/// Adds a line for a term, of a property or of the vector.
fn push(lines: &mut String, property: Option<Property>, term: &str, count: u32) {
    // Most counts are 1 and left out.
    if count > 1 {
        // Writing into a string does not fail.
        let _ = write!(lines, "{SEPARATOR}{count}{SEPARATOR}");
    }
    lines.extend(property.map(|property| char::from(property as u8)));
    lines.push_str(term);
    lines.push('\n');
}

/// The terms of lines, each with its count.
pub(super) fn counts(lines: &str) -> impl Iterator<Item = (&str, u32)> {
    lines.lines().map(counted)
}

/// The term of a line, and its count.
fn counted(line: &str) -> (&str, u32) {
    line.strip_prefix(SEPARATOR)
        .and_then(|line| line.split_once(SEPARATOR))
        .map_or((line, 1), |(count, term)| {
            (term, count.parse().unwrap_or(1))
        })
}

/// Expands lines of a term and its count into so many tokens.
#[derive(Clone)]
struct CountTokenizer;

impl Tokenizer for CountTokenizer {
    type TokenStream<'a> = CountStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> CountStream<'a> {
        CountStream {
            lines: text.lines(),
            // The positions of tokens are not recorded; the default would overflow.
            token: Token {
                position: 0,
                ..Token::default()
            },
            left: 0,
        }
    }
}

struct CountStream<'a> {
    lines: Lines<'a>,
    token: Token,
    /// The number of repetitions of the token that are left.
    left: u32,
}

impl TokenStream for CountStream<'_> {
    fn advance(&mut self) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return true;
        }
        let Some(line) = self.lines.next() else {
            return false;
        };
        let (term, count) = counted(line);
        self.left = count.saturating_sub(1);
        self.token.text.clear();
        self.token.text.push_str(term);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

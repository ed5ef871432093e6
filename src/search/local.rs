//! Local documents in an embedded full-text index.
//!
//! Every paragraph and list item is a document of the index; its title and headings count too. Terms are those of
//! [`crate::text`], so that the index and the agents mean the same by a word. The index lives in memory, with one writer
//! thread, and ties go by place, so that the same documents give the same hits in the same order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};
use tantivy::{Index, IndexReader, TantivyDocument, Term};

use crate::artifact::research::Failure;
use crate::read::{Document, Kind, Reader, walk};
use crate::text::{self, Block, BlockKind};

/// The least that the index library accepts.
const WRITER_BYTES: usize = 15_000_000;

/// How much a match in each field counts against one in the text (a prototype over design documents counted titles
/// twice; headings lie between).
const TITLE_BOOST: f32 = 2.0;
const HEADING_BOOST: f32 = 1.5;

const ANALYZER: &str = "terms";

/// A document that can be searched.
pub struct LibraryDocument {
    /// Its path below the folder that was searched.
    pub locator: String,
    /// What was read.
    pub document: Document,
    /// Its parts, in order.
    pub blocks: Vec<Block>,
    /// The terms of its title, each once.
    pub title_terms: BTreeSet<String>,
    /// All its terms, each once.
    pub terms: BTreeSet<String>,
}

/// A part of a document that a query found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Place of the document in [`Library::documents`].
    pub document: usize,
    /// Place of the block in its document.
    pub block: usize,
    /// BM25 over text, headings and title.
    pub score: f64,
}

/// Documents and their index.
pub struct Library {
    /// By locator.
    pub documents: Vec<LibraryDocument>,
    /// What could not be read.
    pub failures: Vec<Failure>,
    document_frequency: BTreeMap<String, usize>,
    index: Option<Indexed>,
}

struct Indexed {
    reader: IndexReader,
    fields: Fields,
}

#[derive(Clone, Copy)]
struct Fields {
    title: Field,
    headings: Field,
    body: Field,
    document: Field,
    block: Field,
}

impl Library {
    /// Reads and indexes the documents below `roots`. A document that cannot be read is kept as a failure.
    ///
    /// # Errors
    /// When a root does not exist or the index cannot be built.
    pub fn open(roots: &[PathBuf], reader: &Reader) -> Result<Self> {
        let mut library = Self {
            documents: Vec::new(),
            failures: Vec::new(),
            document_frequency: BTreeMap::new(),
            index: None,
        };
        let walked = walk(roots)?;
        for failure in walked.failures {
            let below = roots
                .iter()
                .find_map(|root| failure.path().strip_prefix(root).ok());
            let locator = below.unwrap_or(failure.path()).display().to_string();
            library.failures.push(Failure {
                problem: without_path(&failure.to_string(), failure.path(), &locator),
                locator,
            });
        }
        for found in walked.found {
            match reader.read(&found.path) {
                Ok(document) => library.add(found.name, document),
                Err(error) => library.failures.push(Failure {
                    problem: without_path(&error.to_string(), &found.path, &found.name),
                    locator: found.name,
                }),
            }
        }
        if !library.documents.is_empty() {
            library.index = Some(library.build().context("failed to index the documents")?);
        }
        Ok(library)
    }

    fn add(&mut self, locator: String, document: Document) {
        let blocks = match document.kind {
            Kind::Markdown | Kind::Html => text::blocks(&document.text),
            Kind::Text | Kind::Pdf => text::paragraphs(&document.text),
        };
        let text = text::terms(&document.text).into_iter();
        let terms: BTreeSet<String> = text.chain(text::terms(&document.title)).collect();
        for term in &terms {
            *self.document_frequency.entry(term.clone()).or_default() += 1;
        }
        self.documents.push(LibraryDocument {
            locator,
            title_terms: text::terms(&document.title).into_iter().collect(),
            terms,
            blocks,
            document,
        });
    }

    fn build(&self) -> tantivy::Result<Indexed> {
        let (schema, fields) = schema();
        let index = Index::create_in_ram(schema);
        index
            .tokenizers()
            .register(ANALYZER, TextAnalyzer::from(TermTokenizer));
        let mut writer = index.writer_with_num_threads(1, WRITER_BYTES)?;
        for (place, document) in self.documents.iter().enumerate() {
            for (number, block) in document.blocks.iter().enumerate() {
                if !is_prose(block.kind) {
                    continue;
                }
                let mut entry = TantivyDocument::default();
                entry.add_text(fields.title, &document.document.title);
                entry.add_text(fields.headings, block.headings.join("\n"));
                entry.add_text(fields.body, &document.document.text[block.range.clone()]);
                entry.add_u64(fields.document, place as u64);
                entry.add_u64(fields.block, number as u64);
                writer.add_document(entry)?;
            }
        }
        writer.commit()?;
        writer.wait_merging_threads()?;
        Ok(Indexed {
            reader: index.reader()?,
            fields,
        })
    }

    /// The best parts for a query, best first, at most `limit`.
    ///
    /// # Errors
    /// When the index fails.
    pub fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>> {
        let terms: BTreeSet<String> = text::terms(query).into_iter().collect();
        match &self.index {
            Some(index) if !terms.is_empty() && limit > 0 => Ok(index.search(&terms, limit)?),
            _ => Ok(Vec::new()),
        }
    }

    /// In how many documents a term stands.
    pub fn document_frequency(&self, term: &str) -> usize {
        self.document_frequency.get(term).copied().unwrap_or(0)
    }

    /// How much a term tells, 0 to 1: ln(1 + N / (1 + n)) / ln(1 + N) for a term in n of N documents. Unlike the weight of
    /// BM25 it leaves something to a term that most documents hold, as in a folder on one subject.
    pub fn weight(&self, term: &str) -> f64 {
        let all = self.documents.len() as f64;
        let with = self.document_frequency(term) as f64;
        (1.0 + all / (1.0 + with)).ln() / (1.0 + all).ln()
    }
}

impl Indexed {
    fn search(&self, terms: &BTreeSet<String>, limit: usize) -> tantivy::Result<Vec<Hit>> {
        let searcher = self.reader.searcher();
        // Ties are broken here by place, so more are asked for than are wanted.
        let collector = TopDocs::with_limit(limit.saturating_mul(2)).order_by_score();
        let mut hits = Vec::new();
        for (score, address) in searcher.search(&self.query(terms), &collector)? {
            let entry: TantivyDocument = searcher.doc(address)?;
            let number = |field| entry.get_first(field).and_then(|value| value.as_u64());
            if let (Some(document), Some(block)) =
                (number(self.fields.document), number(self.fields.block))
            {
                hits.push(Hit {
                    document: usize::try_from(document).unwrap_or(usize::MAX),
                    block: usize::try_from(block).unwrap_or(usize::MAX),
                    score: f64::from(score),
                });
            }
        }
        let place = |hit: &Hit| (hit.document, hit.block);
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(place(a).cmp(&place(b))));
        hits.truncate(limit);
        Ok(hits)
    }

    fn query(&self, terms: &BTreeSet<String>) -> BooleanQuery {
        let fields = [
            (self.fields.body, 1.0),
            (self.fields.headings, HEADING_BOOST),
            (self.fields.title, TITLE_BOOST),
        ];
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for term in terms {
            for (field, boost) in fields {
                let wanted = Term::from_field_text(field, term);
                let query = TermQuery::new(wanted, IndexRecordOption::WithFreqs);
                clauses.push((
                    Occur::Should,
                    Box::new(BoostQuery::new(Box::new(query), boost)),
                ));
            }
        }
        BooleanQuery::new(clauses)
    }
}

fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(ANALYZER)
        .set_index_option(IndexRecordOption::WithFreqs);
    let text = TextOptions::default().set_indexing_options(indexing);
    let stored = NumericOptions::default().set_stored();
    let fields = Fields {
        title: builder.add_text_field("title", text.clone()),
        headings: builder.add_text_field("headings", text.clone()),
        body: builder.add_text_field("body", text),
        document: builder.add_u64_field("document", stored.clone()),
        block: builder.add_u64_field("block", stored),
    };
    (builder.build(), fields)
}

fn is_prose(kind: BlockKind) -> bool {
    matches!(
        kind,
        BlockKind::Paragraph | BlockKind::Item | BlockKind::Quote
    )
}

/// An error without the absolute path in it, so that what is written does not depend on where the documents lie.
fn without_path(problem: &str, path: &std::path::Path, name: &str) -> String {
    problem.replace(&path.display().to_string(), name)
}

/// Gives the index the terms of [`crate::text::terms`].
#[derive(Clone)]
struct TermTokenizer;

impl Tokenizer for TermTokenizer {
    type TokenStream<'a> = TermStream;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream {
        TermStream {
            terms: text::terms(text).into_iter(),
            token: Token::default(),
        }
    }
}

struct TermStream {
    terms: std::vec::IntoIter<String>,
    token: Token,
}

impl TokenStream for TermStream {
    fn advance(&mut self) -> bool {
        let Some(term) = self.terms.next() else {
            return false;
        };
        self.token.text = term;
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(files: &[(&str, &str)]) -> Library {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Library::open(&[folder.path().to_owned()], &Reader::new("/nonexistent")).unwrap()
    }

    #[test]
    fn the_paragraph_that_speaks_of_it_comes_first() {
        let library = library(&[
            (
                "a.md",
                "# Pumps\n\nA heat pump moves heat.\n\nA bicycle has two wheels.\n",
            ),
            ("b.md", "# Bees\n\nBees make honey.\n"),
        ]);
        let hits = library.search("How many wheels has a bicycle?", 5).unwrap();
        let best = hits[0];
        let document = &library.documents[best.document];
        assert_eq!(document.locator, "a.md");
        let range = document.blocks[best.block].range.clone();
        assert_eq!(&document.document.text[range], "A bicycle has two wheels.");
        assert!(library.search("what is the", 5).unwrap().is_empty());
    }

    #[test]
    fn chinese_is_found_by_its_characters() {
        let library = library(&[
            ("a.md", "# 热泵\n\n热泵可以在旧房子里使用。\n"),
            ("b.md", "# 蜜蜂\n\n蜜蜂酿蜜。\n"),
        ]);
        let hits = library.search("热泵好吗？", 5).unwrap();
        assert_eq!(library.documents[hits[0].document].locator, "a.md");
    }

    #[test]
    fn what_cannot_be_read_is_named_without_its_folder() {
        let library = library(&[("a.md", "# A\n\nSome text.\n"), ("b.txt", "a\0b")]);
        assert_eq!(library.failures.len(), 1);
        let failure = &library.failures[0];
        assert_eq!(failure.locator, "b.txt");
        assert!(
            failure.problem.starts_with("b.txt is not text"),
            "{}",
            failure.problem
        );
    }
}

//! A sentence of a document that could be quoted.

use std::sync::{Arc, OnceLock};

use crate::text::{self, Quotability};

/// A sentence of a document.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Which of the documents it is from.
    pub document: usize,
    /// Which paragraph of it.
    pub paragraph: usize,
    /// How many paragraphs stand before that one under the same heading.
    pub paragraph_in_section: usize,
    /// Whether its document has no capital letter: then a sentence may begin without one.
    pub is_caseless: bool,
    /// The sentence.
    pub sentence: Arc<str>,
    /// Its terms.
    pub terms: Arc<[String]>,
    /// The headings above it, outermost first.
    pub headings: Arc<[String]>,
    /// How well its paragraph matched the step's searches, 0 to 1.
    pub match_score: f64,
    /// Whether it stands in the document's own summary or its first paragraph.
    pub is_lead: bool,
    /// How it reads without its neighbours, once that was asked; its copies share it.
    pub quotability: Arc<OnceLock<Quotability>>,
}

impl Candidate {
    /// How it reads without its neighbours.
    pub fn quotability(&self) -> Quotability {
        *self.quotability.get_or_init(|| self.judged())
    }

    fn judged(&self) -> Quotability {
        if !self.is_caseless {
            return text::quotability(&self.sentence);
        }
        let mut cased = self.sentence.to_string();
        if let Some(first) = cased.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        match text::quotability(&cased) {
            // What was left out at the beginning could not be told from a whole sentence.
            Quotability::SelfContainedFrom(_) => Quotability::NeedsPrevious,
            other => other,
        }
    }
}

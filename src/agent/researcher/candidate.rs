//! A sentence of a document that may be quoted.

use std::sync::{Arc, OnceLock};

use crate::text::{self, Quotability};
use crate::web::detect_prompt_injection;

/// The part of a sentence in a list with an introduction, "It fits if:".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ListPart {
    /// None: it is in no such list.
    #[default]
    None,
    /// It introduces this number of following sentences.
    Introduction(usize),
    /// It is in an item, this number of sentences after the introduction.
    Item(usize),
}

/// A sentence of a document.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The index of its document among those of the input.
    pub document: usize,
    /// The number of its paragraph in the document.
    pub paragraph: usize,
    /// The number of paragraphs before it under the same heading.
    pub paragraph_in_section: usize,
    /// `true` if its document has no capital letters, so that sentences begin in lower case.
    pub is_caseless: bool,
    /// The sentence.
    pub sentence: Arc<str>,
    /// Its terms.
    pub terms: Arc<[String]>,
    /// The headings above it, outermost first.
    pub headings: Arc<[String]>,
    /// The terms of these headings.
    pub heading_terms: Arc<[String]>,
    /// The score of its paragraph in the step's searches, 0 to 1.
    pub match_score: f64,
    /// `true` if it is in the document's own summary or its first paragraph.
    pub is_lead: bool,
    /// Its part in a list.
    pub list: ListPart,
    /// The number of its item in a numbered list.
    pub step: Option<usize>,
    /// `true` if it is an item of a list of conditions, so that it states nothing by itself.
    pub is_condition: bool,
    /// The number of newer mails above the one that it is of, in the text of a mail.
    pub mail_age: usize,
    /// The cached result of [`Candidate::quotability`], shared by all clones.
    pub quotability: Arc<OnceLock<Quotability>>,
    /// The cached result of [`Candidate::stems`], shared by all clones.
    pub stems: Arc<OnceLock<Vec<String>>>,
}

impl Candidate {
    /// `true` if it is under the heading of a summary.
    pub fn is_summary(&self) -> bool {
        let heading = self.headings.last();
        heading.is_some_and(|heading| text::is_summary_heading(heading))
    }

    /// `true` if it introduces a list.
    pub fn introduces_list(&self) -> bool {
        matches!(self.list, ListPart::Introduction(_))
    }

    /// The number of the sentence that introduces its list, if it is an item and has this number.
    pub fn introduction(&self, number: usize) -> Option<usize> {
        match self.list {
            ListPart::Item(after) => number.checked_sub(after),
            ListPart::Introduction(_) | ListPart::None => None,
        }
    }

    /// The dependence of the sentence on its neighbours, computed once.
    pub fn quotability(&self) -> Quotability {
        *self.quotability.get_or_init(|| self.compute_quotability())
    }

    /// The stems of its words, stop words too, computed once.
    pub fn stems(&self) -> &[String] {
        self.stems.get_or_init(|| {
            text::words(&self.sentence)
                .map(|word| text::stem(&text::fold(word.text)))
                .collect()
        })
    }

    /// `true` if it gives orders to language models, which says nothing on a topic.
    pub fn gives_orders(&self) -> bool {
        detect_prompt_injection(&self.sentence).is_some()
    }

    fn compute_quotability(&self) -> Quotability {
        if self.gives_orders() {
            return Quotability::Unquotable;
        }
        if !self.is_caseless {
            return text::quotability(&self.sentence);
        }
        match text::quotability(&text::with_capital(&self.sentence)) {
            // Without capitals a quotation that begins after its connective would look like the
            // whole sentence.
            Quotability::SelfContainedFrom(_) => Quotability::NeedsPrevious,
            other => other,
        }
    }
}

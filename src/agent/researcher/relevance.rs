//! The relevance of a candidate sentence to a step: a weighted sum of features, times a style
//! factor.
//!
//! All weights and thresholds here were set by hand, while reading the reports on twenty questions
//! to the 648 Rust RFCs. `benches/reports.rs` guards their effect over the same corpus; no script
//! fitted them.

use std::collections::BTreeSet;

use super::aspect::{Aspect, UNDER_HEADING};
use super::candidate::Candidate;
use super::input::{ResearcherInput, TopicDocument, coverage};
use super::style;
use crate::artifact::documents::LARGE_COLLECTION;
use crate::artifact::plan::Facet;

/// The weight of the document's topicality.
const DOCUMENT_WEIGHT: f64 = 0.3;

/// The weight of the paragraph's score in the step's searches.
const MATCH_WEIGHT: f64 = 0.1;

/// The weight of the position: a section says early what it is about.
const POSITION_WEIGHT: f64 = 0.1;

/// The weights of the coverage of the topic and of the aspect's cue, together 0.5, for figures: a
/// sentence must be about the topic, whatever its cue.
const TOPIC_FIRST: (f64, f64) = (0.45, 0.05);

/// The same weights for terms and entries of a chronicle.
const TOPIC_AND_ASPECT: (f64, f64) = (0.25, 0.25);

/// The same weights for any other facet: a sentence under "Drawbacks" need not name the topic.
const ASPECT_FIRST: (f64, f64) = (0.15, 0.35);

/// The decay of the position: the fifth paragraph of a section counts half of the first.
const POSITION_DECAY: f64 = 0.25;

/// The discount of terms of the topic that are in the headings instead of the sentence.
const HEADING_DISCOUNT: f64 = 0.7;

/// The least topicality of a main document, as a share of the best document's.
pub(super) const MAIN_SHARE: f64 = 0.85;

/// Any other document must be anchored, that is, name at least this share of the topic.
const ANCHOR: f64 = 0.3;

/// The least share of the topic that a quoted sentence covers itself, in a document that is not a
/// main one.
const COVERAGE_ELSEWHERE: f64 = 0.6;

/// The least anchor of such a document.
const ANCHOR_ELSEWHERE: f64 = 0.6;

/// The coverage of the topic from which a sentence fits a chronicle without a full cue.
const ENTRY_COVERAGE: f64 = 0.6;

/// The same for figures.
const FIGURE_COVERAGE: f64 = 0.3;

/// The same for any other aspect.
const ASPECT_COVERAGE: f64 = 0.4;

/// The style factor of a sentence that begins with a term of the topic.
const BEGINS_ON_TOPIC: f64 = 1.12;

/// The scorer of a step.
pub(super) struct Scorer<'a> {
    input: &'a ResearcherInput,
    aspect: Aspect,
    /// The topicality of the best document.
    pub(super) top: f64,
    /// By document: the degree of its best section on the aspect.
    sections: Vec<u8>,
    /// `true` if most documents are about something else: then only main ones are quoted on an
    /// aspect.
    is_large: bool,
    /// The main documents, by number.
    main: BTreeSet<usize>,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(input: &'a ResearcherInput, main: BTreeSet<usize>) -> Self {
        let topicalities = input.documents.iter().map(|document| document.topicality);
        let aspect = Aspect::of(input.step.facet);
        let mut sections = vec![0; input.documents.len()];
        // Once for all sentences below the same headings.
        for below in input.candidates.chunk_by(|a, b| a.headings == b.headings) {
            let degree = aspect.section_degree(&below[0].heading_terms);
            for candidate in below {
                let section = &mut sections[candidate.document];
                *section = degree.max(*section);
            }
        }
        Self {
            input,
            aspect,
            top: topicalities.fold(0.0, f64::max),
            sections,
            is_large: input.documents_searched >= LARGE_COLLECTION,
            main,
        }
    }

    /// The relevance of a sentence to the step, 0 to 1; `None` if the sentence is off topic for it.
    pub(super) fn relevance(&self, candidate: &Candidate) -> Option<f64> {
        let headings = &candidate.heading_terms;
        // What a document has a section on is said there.
        let section = self.aspect.section_degree(headings);
        if self.aspect.excludes(headings) || section < self.sections[candidate.document] {
            return None;
        }
        let cue = self.aspect.cue(candidate, candidate.is_lead);
        let document = &self.input.documents[candidate.document];
        // By idf weight: a rare term of the topic counts more than a common one. A section of a
        // main document need not name the topic again.
        let covered = if section > 0 && self.is_main(candidate.document) {
            1.0
        } else {
            coverage(&self.input.terms, |term| candidate.terms.contains(term))
        };
        let belongs = match self.input.step.facet {
            // A main document, nearly as topical as the best one, need not name the subject.
            _ if self.is_main(candidate.document) => true,
            Facet::Entries => self.is_anchored(document),
            Facet::Term => true,
            _ => {
                !self.is_large
                    && document.anchor >= ANCHOR_ELSEWHERE
                    && covered >= COVERAGE_ELSEWHERE
            }
        };
        if !belongs || !self.fits(cue, covered) || !self.contains_required(candidate) {
            return None;
        }
        let in_headings = coverage(&self.input.terms, |term| headings.contains(term));
        let position = 1.0 / (1.0 + POSITION_DECAY * candidate.paragraph_in_section as f64);
        let (topic_weight, aspect_weight) = self.weights();
        // Features: topicality of the document, search score, coverage of the topic, cue of the
        // aspect, position. The weights sum to 1, the style factor may raise the sum above.
        let relevance = DOCUMENT_WEIGHT * document.topicality / self.top
            + MATCH_WEIGHT * candidate.match_score
            + topic_weight * covered.max(HEADING_DISCOUNT * in_headings)
            + aspect_weight * cue
            + POSITION_WEIGHT * position;
        Some((relevance * self.style(candidate, section > 0)).min(1.0))
    }

    /// The weights of coverage and cue. A sentence on the topic itself names it; a sentence under
    /// "Drawbacks" need not name the topic again.
    fn weights(&self) -> (f64, f64) {
        match self.input.step.facet {
            Facet::Figures => TOPIC_FIRST,
            Facet::Term | Facet::Entries => TOPIC_AND_ASPECT,
            _ => ASPECT_FIRST,
        }
    }

    /// `true` for a main document.
    pub(super) fn is_main(&self, document: usize) -> bool {
        self.main.contains(&document)
    }

    /// `true` if a document names the subject, or if no main document does.
    fn is_anchored(&self, document: &TopicDocument) -> bool {
        let documents = &self.input.documents;
        let mut main = self.main.iter().map(|number| &documents[*number]);
        document.anchor >= ANCHOR || main.all(|document| document.anchor < ANCHOR)
    }

    /// `true` if a sentence contains the term that the step requires, if any, and another term of
    /// the topic: alone, the required term may belong to another subject.
    fn contains_required(&self, candidate: &Candidate) -> bool {
        let Some(required) = &self.input.required_term else {
            return true;
        };
        let mut others = self
            .input
            .terms
            .iter()
            .filter(|weighted| weighted.term != *required);
        candidate.terms.contains(required)
            && others.any(|weighted| candidate.terms.contains(&weighted.term))
    }

    /// `true` if a sentence with this cue and this coverage of the topic belongs to the step.
    fn fits(&self, cue: f64, covered: f64) -> bool {
        match self.input.step.facet {
            Facet::Term => true,
            Facet::Entries => cue >= 1.0 || covered >= ENTRY_COVERAGE,
            Facet::Figures => cue > 0.0 && covered >= FIGURE_COVERAGE,
            _ => cue >= UNDER_HEADING || cue > 0.0 && covered >= ASPECT_COVERAGE,
        }
    }

    /// The style factor: the product of the factors that apply to a sentence. One in a section on
    /// the aspect need not begin with the topic.
    fn style(&self, candidate: &Candidate, is_in_section: bool) -> f64 {
        let mut factor = style::factor(&candidate.sentence);
        let is_of_topic = |term: &String| {
            let mut terms = self.input.terms.iter();
            terms.any(|weighted| weighted.term == *term)
        };
        // Two terms, so that an adjective before the subject does not hide it.
        if !is_in_section && candidate.terms.iter().take(2).any(is_of_topic) {
            factor *= BEGINS_ON_TOPIC;
        }
        factor
    }
}

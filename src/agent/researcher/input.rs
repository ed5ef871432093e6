//! The input and the output of the researcher.

use super::super::edition;
use super::candidate::Candidate;
use super::quotation::Selected;
use super::transcript::Transcript;
use crate::artifact::documents::LARGE_COLLECTION;
use crate::artifact::plan::{Facet, PlanStep};
use crate::artifact::source::Lifecycle;
use crate::extension::{SubAgent, ToolInterface};
use crate::text;

/// The researcher's input.
#[derive(Debug, Clone)]
pub struct ResearcherInput {
    /// The step.
    pub step: PlanStep,
    /// The topic of the research, as it was asked.
    pub research_topic: String,
    /// The subject of the step: the topic, or what the step looks into.
    pub topic: String,
    /// The aspect that the topic asks for.
    pub requested_facet: Facet,
    /// The terms of the subject with their weights.
    pub terms: Vec<TermWeight>,
    /// A term that every quotation must contain.
    pub required_term: Option<String>,
    /// The documents that are most on topic, best first.
    pub documents: Vec<TopicDocument>,
    /// Their sentences, by document and position.
    pub candidates: Vec<Candidate>,
    /// The candidates that answer the subject as a question, by number, with their scores, best
    /// first.
    pub answers: Vec<(usize, f64)>,
    /// The probability that the first of them answers, 0 to 1.
    pub confidence: f64,
    /// The margin of the first in the ranking; `None` if they were not ranked.
    pub margin: Option<f64>,
    /// The maximum number of quotations, corroborating ones aside.
    pub limit: usize,
    /// The number of documents that were searched.
    pub documents_searched: usize,
    /// What a model sees of the step; `None` where the rule answers.
    pub transcript: Option<Transcript>,
    /// The user's tools that it may run.
    pub tools: Vec<ToolInterface>,
    /// The sub-agent that it works as, with its instructions on the topic as its prompt.
    pub agent: Option<SubAgent>,
}

impl ResearcherInput {
    /// The degree to which a document is on the question, 0 to 1. Its topicality asks for the
    /// phrases of the question and for a title in its words; a question in everyday words has no
    /// phrase of the document that answers it, so in a large collection this is the mean of
    /// topicality and score.
    pub(super) fn on_question(&self, document: &TopicDocument) -> f64 {
        if self.documents_searched < LARGE_COLLECTION {
            document.topicality
        } else {
            document.topicality.midpoint(document.score)
        }
    }

    /// The day from which a row holds, that of the entry of a feed or the record, or the date of
    /// the document of a candidate, or else the year in its title: of two price lists.
    pub(super) fn time(&self, index: usize) -> Option<&str> {
        let candidate = &self.candidates[index];
        let document = &self.documents[candidate.document];
        let year = || edition::year_of_title(&document.title);
        let own = text::tables::valid_from(&candidate.sentence);
        let mut headings = candidate.headings.iter().rev();
        let of_entry = || headings.find_map(|heading| text::day_of_heading(heading));
        own.or_else(of_entry)
            .or(document.date.as_deref())
            .or_else(year)
    }

    /// The share of the subject that the title of a document names, 0 to 1.
    pub(super) fn share_named(&self, document: &TopicDocument) -> f64 {
        let title = text::terms(&document.title);
        coverage(&self.terms, |term| title.contains(term))
    }
}

/// A term of the subject and its idf weight.
#[derive(Debug, Clone, PartialEq)]
pub struct TermWeight {
    /// The term, stemmed.
    pub term: String,
    /// The inverse document frequency, scaled to 0 to 1: higher for a term in fewer documents.
    pub weight: f64,
}

/// A document that a search returned, with its scores.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicDocument {
    /// Its index in the library.
    pub index: usize,
    /// Its title.
    pub title: String,
    /// Its date, as far as it is given.
    pub date: Option<String>,
    /// The stage of its life cycle by its own words, if it states one.
    pub lifecycle: Option<Lifecycle>,
    /// The index in the library of the document that replaces it.
    pub successor: Option<usize>,
    /// The score of its search, as a share of the best document's.
    pub score: f64,
    /// The degree to which it is about the subject, 0 to 1.
    pub topicality: f64,
    /// The degree to which it names the subject itself, 0 to 1: the coverage of the subject by its
    /// title, or the share of the subject's phrases that it contains.
    pub anchor: f64,
}

/// The researcher's output.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResearcherOutput {
    /// The selected quotations, best first, each followed by those that corroborate it.
    pub selected: Vec<Selected>,
    /// The finding in one sentence.
    pub observation: String,
    /// The statements of a model, each with the indices of the quotations that show it.
    pub statements: Vec<(String, Vec<usize>)>,
    /// Questions that the finding raises and that are worth a step of their own.
    pub follow_up: Vec<String>,
    /// The probability that the first quotation answers, 0 to 1, of a step that looks for answers.
    pub confidence: Option<f64>,
    /// The margin of the best answer in the ranking, of such a step.
    pub margin: Option<f64>,
}

/// The coverage of a subject: the share of its terms, by idf weight, that a text contains.
pub fn coverage(terms: &[TermWeight], contains: impl Fn(&String) -> bool) -> f64 {
    let all: f64 = terms.iter().map(|term| term.weight).sum();
    // A topic without terms, or of terms without weight, is covered by nothing.
    if all <= 0.0 {
        return 0.0;
    }
    let covered = terms.iter().filter(|term| contains(&term.term));
    covered.map(|term| term.weight).sum::<f64>() / all
}

//! A draft of a report: claims that are numbered in the order of the report, each a quotation with
//! its citations.

use std::collections::BTreeMap;

use super::input::WriterInput;
use crate::artifact::Research;
use crate::artifact::analysis::Analysis;
use crate::artifact::claims::{Citation, Claim, Disagreement};
use crate::artifact::source::Passage;
use crate::cite;

/// The maximum number of disagreements: the first ones are those of the best passages.
const DISAGREEMENTS: usize = 8;

/// The repetitions that a draft refuses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repetition {
    /// Passages of a source that overlap.
    Overlap,
    /// The same passage.
    SamePassage,
}

/// A draft of a report.
pub(super) struct Draft<'a> {
    research: &'a Research,
    /// The confidence of the insight on a passage.
    confidence: BTreeMap<&'a str, f64>,
    refused: Repetition,
    /// The passages that the draft quotes already, so that none is quoted twice.
    quoted: Vec<&'a Passage>,
    pub(super) claims: Vec<Claim>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(input: &'a WriterInput, refused: Repetition) -> Self {
        let mut confidence = BTreeMap::new();
        for insight in &input.analysis.insights {
            confidence
                .entry(insight.passage.as_str())
                .or_insert(insight.confidence);
        }
        Self {
            research: &input.research,
            confidence,
            refused,
            quoted: Vec::new(),
            claims: Vec::new(),
        }
    }

    /// Adds a claim that quotes a passage and returns its id; `None` if that would be a repetition.
    pub(super) fn add(&mut self, passage: &'a Passage) -> Option<String> {
        let is_repeated = self.quoted.iter().any(|other| match self.refused {
            Repetition::Overlap => {
                // Half-open byte ranges: passages that only touch do not overlap.
                other.source == passage.source
                    && other.start < passage.end
                    && passage.start < other.end
            }
            Repetition::SamePassage => other.id == passage.id,
        });
        if is_repeated {
            return None;
        }
        self.quoted.push(passage);
        let id = format!("C{}", self.claims.len() + 1);
        let confidence = self.confidence.get(passage.id.as_str());
        self.claims.push(Claim {
            id: id.clone(),
            text: cite::as_sentence(&passage.quote),
            citations: vec![citation(passage)],
            confidence: confidence.copied().unwrap_or(0.0),
        });
        Some(id)
    }

    /// Adds citations of agreeing sources to the last claim, one per source.
    pub(super) fn corroborate(&mut self, agreeing: &[String]) {
        let mut citations: Vec<Citation> = Vec::new();
        for passage in agreeing.iter().filter_map(|id| self.research.passage(id)) {
            if citations
                .iter()
                .all(|citation| citation.source != passage.source)
            {
                citations.push(citation(passage));
            }
        }
        if let Some(claim) = self.claims.last_mut() {
            claim.citations.extend(citations);
        }
    }

    /// The disagreements with claims for both sides.
    pub(super) fn disagreements(&mut self, analysis: &'a Analysis) -> Vec<Disagreement> {
        let mut disagreements = Vec::new();
        for contradiction in analysis.contradictions.iter().take(DISAGREEMENTS) {
            let one = self.side(&contradiction.one, &contradiction.settled_by);
            let other = self.side(&contradiction.other, &[]);
            if let (Some(one), Some(other)) = (one, other) {
                disagreements.push(Disagreement {
                    difference: contradiction.difference.clone(),
                    one,
                    other,
                });
            }
        }
        disagreements
    }

    /// The claim for a side of a disagreement: an existing claim if one states it, else a new one
    /// with the sources that agree.
    fn side(&mut self, passage: &str, agreeing: &[String]) -> Option<String> {
        // An existing claim is referred to, since no passage is quoted twice.
        let stated = self.claims.iter().find(|claim| {
            claim
                .citations
                .iter()
                .any(|citation| citation.passage == passage)
        });
        if let Some(claim) = stated {
            return Some(claim.id.clone());
        }
        let passage = self.research.passage(passage)?;
        let id = self.add(passage)?;
        self.corroborate(agreeing);
        Some(id)
    }
}

fn citation(passage: &Passage) -> Citation {
    Citation {
        source: passage.source.clone(),
        passage: passage.id.clone(),
        start: passage.start,
        end: passage.end,
        quote: passage.quote.clone(),
    }
}

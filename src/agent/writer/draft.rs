//! A draft of a report: claims that are numbered in the order of the report, each a quotation with
//! its citations.

use std::collections::BTreeMap;

use super::dispute::{Dispute, disputes};
use crate::artifact::analysis::ContradictionKind;
use crate::artifact::claims::{Citation, Claim, ClaimKind, Disagreement};
use crate::artifact::source::Passage;
use crate::artifact::{Analysis, Claims, Research};
use crate::cite;
use crate::pipeline::Digest;
use crate::text;

/// The maximum number of disagreements: the first ones are those of the best passages.
const DISAGREEMENTS: usize = 12;

/// A draft of a report.
pub struct Draft<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) research: &'a Research,
    /// The confidence of the insight on a passage.
    confidence: BTreeMap<&'a str, f64>,
    /// The passages that the draft quotes already, so that none is quoted twice.
    quoted: Vec<&'a Passage>,
    /// The claims so far.
    pub claims: Vec<Claim>,
}

impl<'a> Draft<'a> {
    /// An empty draft.
    pub fn new(analysis: &'a Analysis, research: &'a Research) -> Self {
        let mut confidence = BTreeMap::new();
        for insight in &analysis.insights {
            confidence
                .entry(insight.passage.as_str())
                .or_insert(insight.confidence);
        }
        Self {
            analysis,
            research,
            confidence,
            quoted: Vec::new(),
            claims: Vec::new(),
        }
    }

    /// Adds a claim in words of its own with the passages that show it, and returns its id.
    pub fn write(&mut self, text: &str, passages: &[&Passage]) -> String {
        let confidence = passages
            .iter()
            .filter_map(|passage| self.confidence.get(passage.id.as_str()));
        let confidence = confidence.copied().fold(0.0, f64::max);
        let citations = passages.iter().copied().map(citation).collect();
        self.push(text.to_owned(), citations, ClaimKind::Written, confidence)
    }

    /// Adds a claim that quotes a passage and returns its id; `None` if the draft quotes a part of
    /// it already.
    pub(super) fn quote(&mut self, passage: &'a Passage) -> Option<String> {
        // Half-open byte ranges: passages that only touch do not overlap.
        let is_repeated = self.quoted.iter().any(|other| {
            other.source == passage.source && other.start < passage.end && passage.start < other.end
        });
        if is_repeated {
            return None;
        }
        self.quoted.push(passage);
        let confidence = self.confidence.get(passage.id.as_str()).copied();
        let text = cite::as_sentence(&passage.quote, &passage.columns);
        let confidence = confidence.unwrap_or(0.0);
        let source = self.research.source(&passage.source);
        let title = source.map_or("", |source| &source.title);
        let last = passage.headings.last().filter(|heading| {
            text::names_only_a_kind(&text) || text::tells_apart(heading, title, &text)
        });
        let heading = text::heading_of_change(&passage.headings).or_else(|| last.cloned());
        let id = self.push(text, vec![citation(passage)], ClaimKind::Quoted, confidence);
        if let Some(last) = self.claims.last_mut() {
            last.heading = heading;
        }
        Some(id)
    }

    /// Adds claims of a report in quotations, and returns their ids; a passage that the draft
    /// quotes already is not quoted again.
    pub fn quote_again(&mut self, report: &Claims, ids: &[String]) -> Vec<String> {
        let own = ids
            .iter()
            .filter_map(|id| report.claims.iter().find(|own| own.id == *id));
        let quoted = own.filter_map(|claim| {
            let (first, others) = claim.citations.split_first()?;
            let id = self.quote(self.research.passage(&first.passage)?)?;
            if let Some(last) = self.claims.last_mut() {
                last.citations.extend_from_slice(others);
            }
            Some(id)
        });
        quoted.collect()
    }

    fn push(
        &mut self,
        text: String,
        citations: Vec<Citation>,
        kind: ClaimKind,
        confidence: f64,
    ) -> String {
        let id = format!("C{}", self.claims.len() + 1);
        self.claims.push(Claim {
            id: id.clone(),
            sha256: (kind == ClaimKind::Written).then(|| Digest::of(&text)),
            text,
            kind,
            citations,
            confidence,
            superseded_by: None,
            superseded_from: None,
            heading: None,
        });
        id
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
    pub fn disagreements(&mut self) -> Vec<Disagreement> {
        let disputes = disputes(&self.analysis.contradictions).into_iter();
        let disagreements = disputes
            .take(DISAGREEMENTS)
            .filter_map(|dispute| self.disagreement(&dispute));
        disagreements.collect()
    }

    /// A disagreement with claims for its sides; `None` if one of the first two has none.
    fn disagreement(&mut self, dispute: &Dispute<'_>) -> Option<Disagreement> {
        let contradiction = dispute.first;
        let one = self.side(&contradiction.one, &contradiction.settled_by);
        let other = self.side(&contradiction.other, &[]);
        let (one, other) = (one?, other?);
        let mut further: Vec<String> = Vec::new();
        for side in dispute.sides.iter().skip(2) {
            // One claim may give several of the values.
            let claim = self.side(side.passage, &[]);
            let is_new = |own: &String| ![&one, &other].contains(&own) && !further.contains(own);
            further.extend(claim.filter(is_new));
        }
        Some(Disagreement {
            difference: dispute.difference(),
            denied: contradiction.denied.clone(),
            is_implausible: contradiction.kind == ContradictionKind::Implausible
                && !contradiction.settled_by.is_empty(),
            one,
            other,
            further,
        })
    }

    /// The claim for a side of a disagreement: an existing quotation if one states it, else a new
    /// one with the sources that agree.
    pub(super) fn side(&mut self, passage: &str, agreeing: &[String]) -> Option<String> {
        // An existing claim is referred to, since no passage is quoted twice.
        let is_cited = |claim: &&Claim| {
            let mut citations = claim.citations.iter();
            citations.any(|citation| citation.passage == passage)
        };
        let mut quoted = self.claims.iter().filter(|claim| !claim.is_written());
        let stated = quoted.find(is_cited);
        if let Some(claim) = stated {
            return Some(claim.id.clone());
        }
        let passage = self.research.passage(passage)?;
        let id = self.quote(passage)?;
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
        line: passage.line,
        page: passage.page,
        quote: passage.quote.clone(),
        columns: passage.columns.clone(),
    }
}

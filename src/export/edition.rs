//! The input of an export: a round of a session, and how much of it is exported.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::citation::Style;
use crate::artifact::analysis::Corroboration;
use crate::artifact::claims::Claim;
use crate::artifact::{Analysis, Report, Review, Session};

/// The score of a published round that did not reach the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BelowThreshold {
    /// The score of the round.
    pub score: f64,
    /// The threshold of the session.
    pub threshold: f64,
}

/// The part of a report that is exported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The whole report.
    #[default]
    Detailed,
    /// The summary, the disagreements and their references.
    Summary,
    /// An abstract, numbered sections and a bibliography in a citation style.
    Academic,
}

/// A round of a session and the options of its export.
pub struct Edition<'a> {
    /// The session.
    pub session: &'a Session,
    /// The number of the round, from 1.
    pub round: u32,
    /// The report of the round.
    pub report: &'a Report,
    /// The analysis that the report was made from, if it is there.
    pub analysis: Option<&'a Analysis>,
    /// The review of the round, if there is one.
    pub review: Option<&'a Review>,
    /// `true` if this round was published.
    pub is_published: bool,
    /// Its score and the threshold, if the score is below the threshold.
    pub below: Option<BelowThreshold>,
    /// The sentence on the judgements that rules made in place of a model; `None` if there are
    /// none.
    pub by_rules: Option<String>,
    /// The stored texts of the sources, by source id.
    pub texts: &'a BTreeMap<String, String>,
    /// The part of the report to export.
    pub kind: Kind,
    /// The citation style of the references. `None`: plain, as in the report in the session, or APA
    /// for an academic report.
    pub style: Option<Style>,
    /// The prefix of links to `sources/`, relative to the directory of the exported file: empty, or
    /// with a `/` at its end.
    pub base: String,
}

impl Edition<'_> {
    /// Round and date, in words. Not the score of the review: to whom gets the document it would
    /// look like the probability that it is right.
    pub(super) fn about(&self) -> String {
        let started = &self.session.started_at;
        let day = started.split('T').next().unwrap_or(started);
        format!("Round {}, started on {day}", self.round)
    }

    /// The comparison of the sources behind a claim.
    pub(super) fn corroboration(&self, claim: &Claim) -> Option<Corroboration> {
        let passage = &claim.citations.first()?.passage;
        let mut insights = self.analysis?.insights.iter();
        insights
            .find(|insight| insight.passage == *passage)?
            .corroboration
    }
}

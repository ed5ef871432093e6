//! A finished session as bytes: one file per format. Pure: it is given the texts.
//!
//! An [`Edition`] says what is exported and how much of it. `outline` decides which parts it has,
//! once for every format that people read; [`json`] is for programs.

pub mod citation;
pub mod difference;
pub mod html;
pub mod json;
pub mod markdown;
mod markup;
mod outline;
mod passage;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::artifact::{Report, Review, Session};
use citation::Style;
use markdown::BelowThreshold;

/// What a reader wants of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Everything.
    #[default]
    Detailed,
    /// In brief, where the documents disagree, and the references of these.
    Summary,
    /// An abstract, numbered parts, and references as journals print them.
    Academic,
}

/// A round of a session, to be exported.
pub struct Edition<'a> {
    /// What was asked.
    pub session: &'a Session,
    /// The round, from 1.
    pub round: u32,
    /// Its report.
    pub report: &'a Report,
    /// Its review, if it was made.
    pub review: Option<&'a Review>,
    /// Whether it is the round that was published.
    pub is_published: bool,
    /// If it did not reach the threshold, by how much.
    pub below: Option<BelowThreshold>,
    /// The stored texts of the sources, by id.
    pub texts: &'a BTreeMap<String, String>,
    /// What of the report is wanted.
    pub kind: Kind,
    /// How the references are written; as the session's own report does if `None`, or as APA in an
    /// academic one.
    pub style: Option<Style>,
    /// What links to `sources/` begin with, relative to where the export will lie: empty, or ending
    /// in `/`.
    pub base: String,
}

//! Export formats: a finished session rendered as bytes. Pure: texts are passed in, nothing is read
//! or written.
//!
//! An [`Edition`] is the input: a round of a session and how much of it is exported. A [`Format`]
//! renders it; [`FORMATS`] registers every format. `outline` decides which parts a report has, once
//! for all formats that people read; [`json`] is for programs.

pub mod citation;
pub mod difference;
pub mod html;
pub mod json;
pub mod markdown;
mod markup;
mod outline;
mod passage;

use std::collections::BTreeMap;

use anyhow::Result;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::artifact::{Report, Review, Session};
use citation::Style;

/// Every export format. The first one is the default of `research export`.
pub const FORMATS: &[Format] = &[markdown::FORMAT, html::FORMAT, json::FORMAT];

/// The characters that are percent-encoded in a segment of a link's path: all but ASCII letters,
/// digits, `-`, `_` and `.`.
pub const LINK_SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// An export format: one file in this folder and one line in [`FORMATS`]. Values of `--format`, the
/// help, and the files that `research run` writes beside the published report derive from it.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The value of `--format`.
    pub name: &'static str,
    /// The extension of its files, without the dot.
    pub extension: &'static str,
    /// A phrase for the help.
    pub about: &'static str,
    /// `true` if [`Edition::texts`] must hold the stored texts of the cited sources.
    pub needs_texts: bool,
    /// Renders an edition.
    pub render: fn(&Edition<'_>) -> Result<Vec<u8>>,
}

impl Format {
    /// The name of its file in a session directory.
    pub fn file_name(&self) -> String {
        format!("final_report.{}", self.extension)
    }
}

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
    /// The review of the round, if there is one.
    pub review: Option<&'a Review>,
    /// `true` if this round was published.
    pub is_published: bool,
    /// Its score and the threshold, if it did not reach that.
    pub below: Option<BelowThreshold>,
    /// The stored texts of the sources, by source id.
    pub texts: &'a BTreeMap<String, String>,
    /// The part of the report to export.
    pub kind: Kind,
    /// The citation style of the references. `None`: the plain one of the session's own report, or
    /// APA in an academic one.
    pub style: Option<Style>,
    /// The prefix of links to `sources/`, relative to the directory of the exported file: empty, or
    /// with a `/` at its end.
    pub base: String,
}

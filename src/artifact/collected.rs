//! `research/web-1.json`: the web searches of a plan and the pages that were read. The texts of the
//! pages are in `research/pages`.

use std::io;
use std::path::Path;

use anyhow::{Context as _, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::source::PageStarts;
use crate::pipeline::{Digest, Version, read_file};

/// The web searches of a plan, and the pages that they led to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Collected {
    /// Every query to every service.
    pub searches: Vec<WebSearch>,
    /// The pages that were tried, best first.
    pub pages: Vec<PageRecord>,
}

/// One query to one service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebSearch {
    /// The service.
    pub service: String,
    /// The query.
    pub query: String,
    /// The number of addresses in its response.
    pub hits: usize,
    /// The error, if it failed.
    pub problem: Option<String>,
    /// Its price in US dollars.
    // Optional in the file, as all fields with a default here: they were added later, and sessions
    // of older versions must stay readable.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cost_usd: f64,
}

fn is_zero(usd: &f64) -> bool {
    *usd == 0.0
}

impl Collected {
    /// The file of a plan's searches and pages, by the number of the plan.
    pub fn file(plan: u32) -> String {
        format!("research/web-{plan}.json")
    }

    /// The file of the searches and pages of a step's own, by the id of the step.
    pub fn file_of_step(step: &str) -> String {
        format!("research/steps/{step}.web.json")
    }
}

/// `paid.json`: the cost of a session's web searches, written as soon as it is incurred, even if
/// the results are lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Paid {
    /// The version of the file format.
    pub version: Version<1>,
    /// All searches so far, in US dollars.
    pub searches_usd: f64,
}

impl Paid {
    /// Its file.
    pub const NAME: &'static str = "paid.json";

    /// The cost of the searches of the session at `path`, in US dollars.
    ///
    /// # Errors
    /// When the file exists but cannot be read.
    pub fn searches_usd(path: &Path) -> Result<f64> {
        let file = path.join(Self::NAME);
        let bytes = match read_file(&file) {
            // A session that has not searched the web has no such file.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0.0),
            read => read.with_context(|| format!("failed to read {}", file.display()))?,
        };
        // An unreadable file is an error and not zero: the money would be forgotten.
        let paid: Self = super::parse(&bytes).with_context(|| {
            format!(
                "{} cannot be read; repair it, or remove it to forget what was paid",
                file.display()
            )
        })?;
        Ok(paid.searches_usd)
    }
}

/// A page that was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageRecord {
    /// Its URL, after all redirects; the requested one if it could not be read.
    pub url: String,
    /// The file in `research/pages` with its clean text, if it was read.
    pub file: Option<String>,
    /// The digest of that file, to detect that it has been replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The kind of the file before its text was extracted.
    pub kind: Option<String>,
    /// Where its pages begin in the clean text, of a PDF; absent in files of older versions.
    #[serde(default, skip_serializing_if = "PageStarts::is_empty")]
    pub pages: PageStarts,
    /// The points that readers gave a thread, if the service reports them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i64>,
    /// The number of its comments, if the service reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<u64>,
    /// The bytes of its text that were read, if there are more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_at: Option<u64>,
    /// `true` for a thread: posts of people.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_thread: bool,
    /// The time at which it was read, RFC 3339.
    pub read_at: String,
    /// The prompt injection that was detected in it, if any.
    // The name of the field in the file cannot change: sessions of older versions contain it.
    #[serde(rename = "speaks_to_models")]
    pub prompt_injection: Option<String>,
    /// `true` if a browser rendered its text, since the page as sent contained almost none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rendered: bool,
    /// The error, if it could not be read.
    pub problem: Option<String>,
    /// `true` if the time of the run was over before it could be read, so that the next run tries
    /// it again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_out_of_time: bool,
}

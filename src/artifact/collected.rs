//! `research/web-1.json`: what a plan's queries found on the web, and which pages were read. The
//! pages themselves lie in `research/pages`.

use std::io;
use std::path::Path;

use anyhow::{Context as _, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pipeline::{Digest, Version, read_file};

/// What was looked for on the web, and found.
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
    /// How many addresses it gave.
    pub hits: usize,
    /// Why it gave none, if it failed.
    pub problem: Option<String>,
    /// What it cost, in US dollars.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub cost_usd: f64,
}

fn is_nothing(usd: &f64) -> bool {
    *usd == 0.0
}

impl Collected {
    /// The file of a plan's searches and pages, by the number of the plan.
    pub fn file(plan: u32) -> String {
        format!("research/web-{plan}.json")
    }
}

/// `paid.json`: what searching the web has cost a session, written as soon as it is paid, whatever
/// becomes of what was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Paid {
    /// The version of this file's shape.
    pub version: Version<1>,
    /// All searches so far, in US dollars.
    pub searches_usd: f64,
}

impl Paid {
    /// Its file.
    pub const NAME: &'static str = "paid.json";

    /// What the searches of the session at `path` have cost, in US dollars.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn by(path: &Path) -> Result<f64> {
        let file = path.join(Self::NAME);
        let bytes = match read_file(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0.0),
            read => read.with_context(|| format!("failed to read {}", file.display()))?,
        };
        let paid: Self = super::parse(&bytes).with_context(|| {
            format!(
                "{} cannot be read; mend it, or remove it to forget what was paid",
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
    /// Where it was found, after all redirects; where it was looked for if it could not be read.
    pub url: String,
    /// The file in `research/pages` with its clean text, if it was read.
    pub file: Option<String>,
    /// The hash of that file; another file under its name is not what was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// What it was before it became text.
    pub kind: Option<String>,
    /// What readers gave for it, and how many comments they wrote, where a service says so of a
    /// thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i64>,
    /// … comments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<u64>,
    /// When it was read, RFC 3339.
    pub read_at: String,
    /// What in it gives orders to a language model, if something does.
    pub speaks_to_models: Option<String>,
    /// Whether its text is what a browser showed, since the page as it was sent held next to none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rendered: bool,
    /// Why it could not be read, if it could not.
    pub problem: Option<String>,
}

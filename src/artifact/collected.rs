//! `research/web-1.json`: what a plan's queries found on the web, and which pages were read. The pages themselves lie in
//! `research/pages`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context as _, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Artifact;
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
    /// What the searches of the session at `path` have cost, in US dollars: as it was written down when they were paid, and in
    /// a session that is older than that, those that it keeps and those that were set aside.
    ///
    /// # Errors
    /// When a file that it keeps cannot be read.
    pub fn cost(path: &Path) -> Result<f64> {
        let file = path.join(Paid::NAME);
        match read_file(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::told_cost(path),
            read => {
                let bytes = read.with_context(|| format!("failed to read {}", file.display()))?;
                let paid: Paid = super::parse(&bytes)
                    .with_context(|| format!("{} cannot be read", file.display()))?;
                Ok(paid.searches_usd)
            }
        }
    }

    /// The same by what the searches tell.
    fn told_cost(path: &Path) -> Result<f64> {
        let mut cost = 0.0;
        for file in Self::files(path)? {
            let bytes = read_file(&file);
            let bytes = bytes.with_context(|| format!("failed to read {}", file.display()))?;
            let collected: Artifact<Self> = super::parse(&bytes)
                .with_context(|| format!("{} cannot be read", file.display()))?;
            cost += collected.content.paid();
        }
        let aside = (1u32..).map(|number| path.join(format!("superseded/{number}")));
        for aside in aside.take_while(|aside| aside.is_dir()) {
            // What was set aside because it cannot be read is no obstacle any more.
            let bytes = Self::files(&aside)?
                .into_iter()
                .map(|file| read_file(&file));
            let parsed =
                bytes.filter_map(|bytes| super::parse::<Artifact<Self>>(&bytes.ok()?).ok());
            cost += parsed
                .map(|collected| collected.content.paid())
                .sum::<f64>();
        }
        Ok(cost)
    }

    fn paid(&self) -> f64 {
        self.searches.iter().map(|search| search.cost_usd).sum()
    }

    /// The files of all plans below a session, or below what was set aside of it.
    fn files(path: &Path) -> Result<Vec<PathBuf>> {
        let directory = path.join("research");
        let entries = match fs::read_dir(&directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            listed => listed.with_context(|| format!("failed to list {}", directory.display()))?,
        };
        let name = |entry: io::Result<fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        let mut names: Vec<String> = entries.filter_map(name).collect();
        names.retain(|name| name.starts_with("web-") && name.ends_with(".json"));
        names.sort_unstable();
        Ok(names.into_iter().map(|name| directory.join(name)).collect())
    }

    /// The file of a plan's searches and pages, by the number of the plan.
    pub fn file(plan: u32) -> String {
        format!("research/web-{plan}.json")
    }
}

/// `paid.json`: what searching the web has cost a session, written as soon as it is paid, whatever becomes of what was found.
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
    /// What readers gave for it, and how many comments they wrote, where a service says so of a thread.
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

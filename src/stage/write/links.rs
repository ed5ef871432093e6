//! The link check: pages that the report cites are probed again unless they were read recently.
//!
//! A page is dead only if its server says so: a server that is busy, or requires a login, gives no
//! information about the page.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use anyhow::{Context as _, Result};
use chrono::{DateTime, TimeDelta};

use crate::artifact::links::{CheckedLink, DeadLink};
use crate::artifact::{self, Artifact, Claims, Links, Research, Source};
use crate::pipeline::read_file;
use crate::stage::stage_run::StageRun;
use crate::text;
use crate::web::{WebClient, WebError};

/// The checkpoint of the link check.
pub(super) const LINKS: &str = "links.json";

/// The age from which a read page is probed again, in minutes (chosen by hand: a run that takes
/// no longer probes nothing).
const FRESH_MINUTES: i64 = 60;

/// Checks the addresses that a draft cites, unless the checkpoint is fresh.
pub(super) async fn check(
    run: StageRun<'_>,
    research: &Research,
    draft: &Claims,
    inputs: &[String],
) -> Result<Links> {
    if let Some(replayed) = &run.context.replay {
        return recorded(run, replayed, inputs).await;
    }
    let now = run.workspace.now();
    let client = run.context.web_client.as_deref();
    let mut stale = cited(research, draft);
    stale.retain(|source| client.is_some() && is_stale(source, &now));
    // Without stale links and an earlier check there is nothing to write.
    if stale.is_empty() && run.workspace.read(LINKS)?.is_none() {
        return Ok(Links::default());
    }
    let probe = async || match client {
        Some(client) if !stale.is_empty() => {
            let pages = text::counted(stale.len(), "cited page");
            run.progress(format!("{pages} checked again"))?;
            Ok(probe(client, &stale, &now).await)
        }
        _ => Ok(Links::default()),
    };
    run.checkpoint(LINKS, inputs, probe).await
}

/// Returns the links that the session at `path` found, for its replay.
async fn recorded(run: StageRun<'_>, path: &Path, inputs: &[String]) -> Result<Links> {
    let bytes = match read_file(&path.join(LINKS)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Links::default()),
        read => read.with_context(|| format!("failed to read {}", path.join(LINKS).display()))?,
    };
    let links: Artifact<Links> =
        artifact::parse(&bytes).map_err(|error| run.unreadable(LINKS, &error))?;
    run.checkpoint(LINKS, inputs, async || Ok(links.content))
        .await
}

/// Probes the addresses of these sources, and looks dead ones up in the web archive.
async fn probe(client: &WebClient, sources: &[&Source], now: &str) -> Links {
    let addresses: Vec<String> = sources
        .iter()
        .map(|source| source.locator.clone())
        .collect();
    let probed = client.probe(&addresses).await;
    // If no server answered at all, this machine is likely offline, and the links are not dead.
    let is_online = probed.iter().any(has_answered);
    let mut links = Links::default();
    for (source, probed) in sources.iter().zip(probed) {
        let problem = probed.err().and_then(|error| death(&error, is_online));
        let dead = match problem {
            None => None,
            Some(problem) => Some(DeadLink {
                missed_at: now.to_owned(),
                problem,
                archived: client.archived(&source.locator).await,
            }),
        };
        links.checked.push(CheckedLink {
            source: source.id.clone(),
            url: source.locator.clone(),
            dead,
        });
    }
    links
}

/// Returns the web pages that a draft cites, in the order of first citation.
fn cited<'a>(research: &'a Research, draft: &Claims) -> Vec<&'a Source> {
    let mut seen = BTreeSet::new();
    draft
        .claims
        .iter()
        .flat_map(|claim| &claim.citations)
        .filter(|citation| seen.insert(&citation.source))
        .filter_map(|citation| research.source(&citation.source))
        .filter(|source| source.read_at.is_some())
        .collect()
}

/// Returns `true` if a page was read too long ago to assume that its link works.
fn is_stale(source: &Source, now: &str) -> bool {
    let moment = |text: &str| DateTime::parse_from_rfc3339(text).ok();
    let read = source.read_at.as_deref().and_then(moment);
    match (read, moment(now)) {
        (Some(read), Some(now)) => now - read > TimeDelta::minutes(FRESH_MINUTES),
        _ => true,
    }
}

/// Returns `true` if a server answered, even with an error.
fn has_answered(probed: &Result<(), WebError>) -> bool {
    matches!(probed, Ok(()) | Err(WebError::Status { .. }))
}

/// Returns the reason for which a page counts as dead; `None` if it does not.
fn death(error: &WebError, is_online: bool) -> Option<String> {
    match error {
        // Not Found and Gone (RFC 9110, 15.5.5 and 15.5.11): all other errors may be temporary.
        WebError::Status { status, .. } if matches!(status, 404 | 410) => {
            Some(format!("the server answers {status}"))
        }
        WebError::Connection { problem, .. } if is_online => Some(problem.clone()),
        _ => None,
    }
}

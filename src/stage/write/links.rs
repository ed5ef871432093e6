//! Whether what is cited is still at its address: looked at when a report is written, for pages
//! that were not read just now.
//!
//! Only what says so is dead: a server that is busy, or wants a login, says nothing about its page.

use std::collections::BTreeSet;

use anyhow::Result;
use chrono::{DateTime, TimeDelta};

use crate::artifact::links::{CheckedLink, DeadLink};
use crate::artifact::{Claims, Links, Research, Source};
use crate::pipeline::{Stage, Workspace};
use crate::stage::{Context, inner};
use crate::web::{WebClient, WebError};

/// Where it is written down.
pub(super) const LINKS: &str = "links.json";

/// For so long nobody looks again, in minutes.
const FRESH_MINUTES: i64 = 60;

/// The addresses that a draft cites and that were looked at, now or earlier.
pub(super) async fn check(
    stage: &dyn Stage,
    context: &Context,
    workspace: &Workspace,
    research: &Research,
    draft: &Claims,
    inputs: &[String],
) -> Result<Links> {
    let now = workspace.now();
    let mut stale = cited(research, draft);
    stale.retain(|source| context.online.is_some() && is_stale(source, &now));
    if stale.is_empty() && workspace.read(LINKS)?.is_none() {
        return Ok(Links::default());
    }
    let look = async || match &context.online {
        Some(online) if !stale.is_empty() => {
            let message = format!("{} cited pages looked at again", stale.len());
            workspace.report_progress(stage, message)?;
            Ok(looked_at(online, &stale, &now).await)
        }
        _ => Ok(Links::default()),
    };
    inner(workspace, stage, LINKS, inputs, look).await
}

async fn looked_at(online: &WebClient, sources: &[&Source], now: &str) -> Links {
    let addresses: Vec<String> = sources.iter().map(|one| one.locator.clone()).collect();
    let found = online.probe(&addresses).await;
    let is_online = found.iter().any(has_answered);
    let mut links = Links::default();
    for (source, found) in sources.iter().zip(found) {
        let dead = match found.err().and_then(|error| missed(&error, is_online)) {
            None => None,
            Some(problem) => Some(DeadLink {
                missed_at: now.to_owned(),
                problem,
                archived: online.archived(&source.locator).await,
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

/// The pages of the web that a draft cites, in the order of first citation.
fn cited<'a>(research: &'a Research, draft: &Claims) -> Vec<&'a Source> {
    let mut seen = BTreeSet::new();
    let citations = draft.claims.iter().flat_map(|claim| &claim.citations);
    let first = citations.filter(|citation| seen.insert(&citation.source));
    let sources = first.filter_map(|citation| research.source(&citation.source));
    sources.filter(|source| source.read_at.is_some()).collect()
}

/// Whether a page was read too long ago to be sure of its address.
fn is_stale(source: &Source, now: &str) -> bool {
    let moment = |text: &str| DateTime::parse_from_rfc3339(text).ok();
    let read = source.read_at.as_deref().and_then(moment);
    match (read, moment(now)) {
        (Some(read), Some(now)) => now - read > TimeDelta::minutes(FRESH_MINUTES),
        _ => true,
    }
}

/// Whether a server was heard at all.
fn has_answered(found: &Result<(), WebError>) -> bool {
    matches!(found, Ok(()) | Err(WebError::Status { .. }))
}

/// How a page is missed, if it is. Where nobody answers at all, it is we who are cut off.
fn missed(error: &WebError, is_online: bool) -> Option<String> {
    match error {
        WebError::Status { status, .. } if matches!(status, 404 | 410) => {
            Some(format!("the server answers {status}"))
        }
        WebError::Connection { problem, .. } if is_online => Some(problem.clone()),
        _ => None,
    }
}

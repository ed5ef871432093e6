//! The context that a follow-up session takes over from an earlier one: its conversation, its
//! sources, its documents.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::artifacts::content;
use crate::agent::{ANSWER_PREFIX, QUESTION_PREFIX};
use crate::artifact::source::ordinal;
use crate::artifact::stored;
use crate::artifact::{Report, Source};
use crate::session;
use crate::text::{one_line, truncate};

/// The number of messages passed on to the coordinator (chosen by hand): two questions with their
/// answers, and the message before.
const MAX_MESSAGES: usize = 5;

/// The maximum length of a message, in characters (chosen by hand: about 200 words).
const MAX_MESSAGE_CHARACTERS: usize = 1000;

/// The conversation of the session at `path`, oldest message first: the messages of the session
/// that it follows up, its topic, and its executive summary or direct answer if it has a report.
///
/// # Errors
/// When it cannot be read.
pub fn messages(path: &Path) -> Result<Vec<String>> {
    let session = session::read(path)?;
    let mut messages = session.messages;
    messages.push(format!("{QUESTION_PREFIX}{}", message(&session.topic)));
    if let Some(report) = content::<Report>(path, "report.json") {
        let summary: Vec<&str> = report
            .executive_summary
            .iter()
            .filter_map(|id| report.claim(id))
            .map(|claim| claim.text.as_str())
            .chain(report.direct_response.as_deref())
            .collect();
        messages.push(format!("{ANSWER_PREFIX}{}", message(&summary.join(" "))));
    }
    let first = messages.len().saturating_sub(MAX_MESSAGES);
    Ok(messages.split_off(first))
}

fn message(text: &str) -> String {
    truncate(&one_line(text), MAX_MESSAGE_CHARACTERS).to_owned()
}

/// The stored texts of the sources of the session at `path`, in the order of their numbers. Web
/// pages are left out: the follow-up session copies them, with their addresses.
pub(super) fn stored_sources(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path.join("sources")).into_iter().flatten();
    let mut ids: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".md").map(str::to_owned))
        .collect();
    ids.sort_by_key(|id| ordinal(id));
    let is_page = |id: &String| {
        let source: Option<Source> = content(path, &format!("sources/{id}.json"));
        source.is_some_and(|source| source.read_at.is_some())
    };
    let others = ids.into_iter().filter(|id| !is_page(id));
    others
        .map(|id| path.join("sources").join(format!("{id}.md")))
        .collect()
}

/// The documents of the session at `path` that still exist, its own and those that it inherited;
/// of the texts that it has from the session that it follows itself, those whose document is gone.
///
/// # Errors
/// When the session cannot be read.
pub(super) fn documents_to_inherit(path: &Path) -> Result<Vec<PathBuf>> {
    let earlier = session::read(path)?;
    let own = session::documents(path, &earlier);
    let mut documents = stored::without_copies(&own, &session::inherited(path, &earlier));
    documents.retain(|document| document.exists());
    Ok(documents)
}

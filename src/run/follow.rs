//! The context that a follow-up session takes over from an earlier one: its conversation and the
//! texts of its sources.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::artifacts::content;
use crate::artifact::Report;
use crate::session;
use crate::text::{one_line, truncate};

/// The number of messages passed on to the coordinator (chosen by hand): two questions with their
/// answers, and the message before.
const MAX_MESSAGES: usize = 5;

/// The maximum length of a message, in characters (chosen by hand: about 200 words).
const MAX_MESSAGE_CHARACTERS: usize = 1000;

/// The conversation of the session at `path`, oldest message first: the messages of the session
/// that it follows up, its topic, and its executive summary if it has a report.
///
/// # Errors
/// When it cannot be read.
pub fn messages(path: &Path) -> Result<Vec<String>> {
    let session = session::read(path)?;
    let mut messages = session.messages;
    messages.push(format!("Asked: {}", message(&session.topic)));
    if let Some(report) = content::<Report>(path, "report.json") {
        let summary: Vec<&str> = report
            .executive_summary
            .iter()
            .filter_map(|id| report.claim(id))
            .map(|claim| claim.text.as_str())
            .collect();
        messages.push(format!("Answered: {}", message(&summary.join(" "))));
    }
    let first = messages.len().saturating_sub(MAX_MESSAGES);
    Ok(messages.split_off(first))
}

fn message(text: &str) -> String {
    truncate(&one_line(text), MAX_MESSAGE_CHARACTERS).to_owned()
}

/// The directory of the source texts in the session at `path`, if it exists.
pub fn stored_sources(path: &Path) -> Option<PathBuf> {
    Some(path.join("sources")).filter(|directory| directory.is_dir())
}

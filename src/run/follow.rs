//! A session that goes on from another one: what was said there, and what was read.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::artifacts::content;
use crate::artifact::Report;
use crate::session;
use crate::text::{one_line, truncate};

/// Messages that the coordinator is told.
const MESSAGES: usize = 5;

/// Characters of a message.
const CHARACTERS: usize = 1000;

/// The last messages of the session at `path`, oldest first: those that it was told itself, its
/// topic, and its answer in brief if it has one.
///
/// # Errors
/// When it cannot be read.
pub fn messages(path: &Path) -> Result<Vec<String>> {
    let session = session::read(path)?;
    let mut messages = session.messages;
    messages.push(format!("Asked: {}", shortened(&session.topic)));
    let report: Option<Report> = content(path, "report.json");
    if let Some(report) = report {
        let brief = report.executive_summary.iter();
        let brief: Vec<&str> = brief
            .filter_map(|id| report.claim(id))
            .map(|claim| claim.text.as_str())
            .collect();
        messages.push(format!("Answered: {}", shortened(&brief.join(" "))));
    }
    let first = messages.len().saturating_sub(MESSAGES);
    Ok(messages.split_off(first))
}

fn shortened(text: &str) -> String {
    truncate(&one_line(text), CHARACTERS).to_owned()
}

/// The texts that the session at `path` keeps of what it read, if there are any.
pub fn stored_sources(path: &Path) -> Option<PathBuf> {
    Some(path.join("sources")).filter(|directory| directory.is_dir())
}

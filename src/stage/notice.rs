//! The notice at the head of a report some of whose judgements rules made in place of a model.

use std::path::Path;

use anyhow::Result;

use crate::model::Fallbacks;

/// The notice of the session at `path`, as a paragraph of Markdown after an empty line; empty if
/// every judgement is the model's, or none.
pub(super) fn notice(path: &Path) -> Result<String> {
    let fallbacks = Fallbacks::read(path)?;
    let sentence = fallbacks.map(Fallbacks::of_report);
    Ok(sentence.map_or_else(String::new, |sentence| {
        format!("\n> **Rules answered.** {sentence}\n")
    }))
}

/// A report in Markdown with a notice below its title.
pub(super) fn with_notice(text: &str, notice: &str) -> String {
    let (title, rest) = text.split_at(end_of_title(text));
    format!("{title}{notice}{rest}")
}

/// The end of the line of the title.
fn end_of_title(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |end| end + 1)
}

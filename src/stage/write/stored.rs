//! The stored texts of sources.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};

use crate::pipeline::Workspace;

/// Returns the stored texts of sources, by id; without those that are missing.
pub(super) fn stored_texts<'a>(
    workspace: &Workspace,
    sources: impl IntoIterator<Item = &'a str>,
) -> Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for source in sources {
        let name = format!("sources/{source}.md");
        if let Some(bytes) = workspace.read(&name)? {
            let text = String::from_utf8(bytes).with_context(|| {
                format!("{} is not UTF-8", workspace.root().join(&name).display())
            })?;
            texts.insert(source.to_owned(), text);
        }
    }
    Ok(texts)
}

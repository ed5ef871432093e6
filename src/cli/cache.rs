//! `research cache`: what was kept of the web, and its removal.

use anyhow::{Context, Result};

use super::Program;
use super::exit::Exit;
use crate::run::fetching;

/// Says what is kept, and removes it if asked to.
pub(super) fn cache(program: &Program<'_>, clear: bool) -> Result<Exit> {
    let cache = fetching::cache(&program.settings);
    let cache = cache.context("there is no cache directory; set search.cache_dir to have one")?;
    let contents = match clear {
        true => cache.clear()?,
        false => cache.contents(),
    };
    if program.output.json {
        return program.output.value(&contents);
    }
    let verb = if clear { "removed" } else { "kept" };
    let (answers, bytes) = (contents.answers, contents.bytes);
    let folder = contents.folder.display();
    let text = format!("{answers} answers, {bytes} bytes, {verb} in {folder}\n");
    program.output.text(&text)
}

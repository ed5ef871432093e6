//! `research cache`: what was kept of the web, and its removal.

use anyhow::{Context, Result};

use super::Program;
use super::exit::Exit;
use crate::run::fetching;
use crate::web::Contents;

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
    program.output.text(&told(&contents, clear))
}

fn told(contents: &Contents, cleared: bool) -> String {
    let verb = if cleared { "removed" } else { "kept" };
    let folder = contents.folder.display();
    let (answers, bytes) = (contents.answers, contents.bytes);
    let (size, most) = (mebibytes(bytes), mebibytes(contents.max_bytes));
    let oldest = contents.oldest.map_or(String::new(), |oldest| {
        format!(", the oldest last used {}", oldest.format("%Y-%m-%d %H:%M"))
    });
    format!("{answers} answers, {size} of at most {most}{oldest}, {verb} in {folder}\n")
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

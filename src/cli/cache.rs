//! `research cache`: what was kept of the web, and its removal.

use anyhow::{Context, Result};
use clap::Args;

use super::{Action, Command, Exit, Program, arguments};
use crate::run::fetching;
use crate::web::CacheContents;

/// `research cache`.
pub(super) const COMMAND: Command = Command {
    name: "cache",
    about: "Show or clear the cache of web pages and search results",
    define: |command, _| CacheArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| cache(program, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct CacheArgs {
    /// Remove everything from the cache
    #[arg(long)]
    clear: bool,
}

fn cache(program: &Program<'_>, arguments: &CacheArgs) -> Result<Exit> {
    let cache = fetching::cache(&program.settings);
    let cache = cache.context("there is no cache directory; set search.cache_dir to have one")?;
    let contents = if arguments.clear {
        cache.clear()?
    } else {
        cache.contents()
    };
    if program.output.json {
        return program.output.value(&contents);
    }
    program.output.text(&summary(&contents, arguments.clear))
}

fn summary(contents: &CacheContents, cleared: bool) -> String {
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

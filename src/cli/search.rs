//! `research search`: passages of local documents for a query, without a session.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;

use super::exit::{self, Exit};
use super::{Action, Command, Program, arguments};
use crate::artifact::research::Failure;
use crate::run;
use crate::search::{Hit, Library};

/// `research search`.
pub(super) const COMMAND: Command = Command {
    name: "search",
    about: "Search local documents and print the best passages",
    define: |command, _| SearchArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| search(program, &arguments(matches)?)),
};

/// Not to be confused with `--search` of `research run`, which names search services of the web.
#[derive(Debug, Args)]
#[command(
    after_help = "This command searches local documents only, without a session. To search \
the web, use `research run --search SERVICES`; the settings for both are in `[search]`."
)]
struct SearchArgs {
    /// Question or keywords
    query: String,

    /// File or directory to search; may be repeated
    #[arg(long, value_name = "PATH")]
    docs: Vec<PathBuf>,

    /// Maximum number of passages
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
}

/// What a search found.
#[derive(Serialize)]
struct Found<'a> {
    query: &'a str,
    /// Documents searched.
    documents: usize,
    /// Documents that were new or had changed, and so were read.
    indexed: usize,
    /// What could not be read.
    failures: &'a [Failure],
    /// Best first.
    results: Vec<Passage<'a>>,
}

/// A passage that was found.
#[derive(Serialize)]
struct Passage<'a> {
    rank: usize,
    score: f64,
    file: &'a str,
    title: &'a str,
    author: Option<&'a str>,
    date: Option<&'a str>,
    /// The file that says nearly the same and is counted instead.
    duplicate_of: Option<&'a str>,
    headings: Vec<String>,
    /// Bytes in the clean text, as `research read` prints it.
    start: usize,
    end: usize,
    text: String,
}

/// Searches documents and prints the best passage of each, best first, then further passages. To
/// find nothing is no failure.
fn search(program: &Program<'_>, arguments: &SearchArgs) -> Result<Exit> {
    if arguments.docs.is_empty() {
        let problem = anyhow!("there is nothing to search: name documents with --docs PATH");
        return Err(exit::usage(problem));
    }
    let reader = run::reader(&program.settings)?;
    let cache = program.settings.cache_dir();
    let library = Library::open(&arguments.docs, &reader, cache.as_deref()).map_err(exit::usage)?;
    tell(program, &library);
    let hits = library.results(&arguments.query, arguments.limit)?;
    let results = hits.iter().enumerate();
    let results = results.map(|(place, hit)| passage(&library, place + 1, hit));
    let found = Found {
        query: &arguments.query,
        documents: library.documents.len(),
        indexed: library.indexed,
        failures: &library.failures,
        results: results.collect::<Result<_>>()?,
    };
    if program.output.json {
        return program.output.value(&found);
    }
    if found.results.is_empty() {
        let documents = found.documents;
        let remark = format!("nothing found in {documents} documents");
        program.output.remark(&remark);
    }
    program.output.text(&printed(&found.results))
}

fn tell(program: &Program<'_>, library: &Library) {
    for failure in &library.failures {
        program
            .output
            .remark(&format!("left out: {}", failure.problem));
    }
    if let Some(problem) = &library.problem {
        let remark = format!("the index cannot be kept for the next time: {problem}");
        program.output.remark(&remark);
    }
    if program.verbose {
        let (all, new) = (library.documents.len(), library.indexed);
        program
            .output
            .remark(&format!("{all} documents, {new} of them read anew"));
    }
}

fn passage<'a>(library: &'a Library, rank: usize, hit: &Hit) -> Result<Passage<'a>> {
    let document = &library.documents[hit.document];
    let content = library.content(hit.document)?;
    let original = document.duplicate_of;
    Ok(Passage {
        rank,
        score: (hit.score * 1000.0).round() / 1000.0,
        file: &document.locator,
        title: &document.title,
        author: document.author.as_deref(),
        date: document.date.as_deref(),
        duplicate_of: original.map(|place| library.documents[place].locator.as_str()),
        headings: content.blocks[hit.block].headings.to_vec(),
        start: hit.start,
        end: hit.end,
        text: content.text[hit.start..hit.end].to_owned(),
    })
}

fn printed(results: &[Passage<'_>]) -> String {
    let mut text = String::new();
    for found in results {
        // The name of a file may hold anything, even what a terminal would obey.
        let file = found.file.replace(char::is_control, "?");
        let same = if found.duplicate_of.is_some() {
            "  (a copy)"
        } else {
            ""
        };
        let Passage {
            rank,
            title,
            headings,
            start,
            end,
            ..
        } = found;
        let _ = write!(text, "{rank}  {file}:{start}-{end}{same}  {title}");
        if let Some(heading) = headings.last().filter(|heading| heading != title) {
            let _ = write!(text, " › {heading}");
        }
        text.push('\n');
        for line in found.text.lines() {
            let _ = writeln!(text, "    {line}");
        }
        text.push('\n');
    }
    text
}

//! `research search`: searches local documents for passages, without a session.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::exit::{self, Exit};
use super::help::Group;
use super::words::count;
use super::{Action, Command, Program, arguments};
use crate::artifact::documents::PassedOver;
use crate::artifact::research::Failure;
use crate::artifact::source::DocumentStatus;
use crate::run;
use crate::search::{Library, Passage};
use crate::text;

/// `research search`.
pub(super) const COMMAND: Command = Command {
    name: "search",
    about: "Search local documents and print the best passages",
    group: Group::Documents,
    examples: &[(
        "Search documents",
        "research search \"flow temperature\" --docs notes --limit 3",
    )],
    results: &[("search", || schema_for!(Results<'_>))],
    define: |command, _| SearchArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| {
        search(program, &arguments(matches)?).map_err(exit::of_finder)
    }),
};

/// Not to be confused with `--search` of `research run`, which names search services of the web.
#[derive(Debug, Args)]
#[command(
    after_help = "The exit code is 1 if nothing is found. This command searches local documents \
only, without a session. To search the web, use `research run --search SERVICES`; the settings for \
both are in `[search]`."
)]
struct SearchArgs {
    /// Question or keywords
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    query: String,

    /// File or directory to search; may be repeated
    #[arg(long, value_name = "PATH")]
    docs: Vec<PathBuf>,

    /// Maximum number of passages
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_least_one)]
    limit: NonZeroUsize,
}

/// The results of a search, for other programs.
#[derive(Serialize, JsonSchema)]
struct Results<'a> {
    query: &'a str,
    /// The number of documents searched.
    documents: usize,
    /// The number of documents that were new or had changed, and were indexed.
    indexed: usize,
    /// The documents that could not be read.
    failures: &'a [Failure],
    /// The files that were passed over, as their kind is not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    passed_over: Option<&'a PassedOver>,
    /// The passages, best first.
    results: Vec<Passage>,
}

/// Prints the best passage of each document, best first, then further passages. Exits with 1 if
/// there are none, as grep does.
fn search(program: &Program<'_>, arguments: &SearchArgs) -> Result<Exit> {
    if arguments.docs.is_empty() {
        let problem = anyhow!("there is nothing to search: name documents with --docs PATH");
        return Err(exit::usage(problem));
    }
    let reader = run::reader(&program.settings)?;
    let cache = program.settings.cache_dir();
    // A missing path is a usage error; an unreadable document is skipped.
    crate::read::require_roots(&arguments.docs).map_err(|error| exit::usage(error.into()))?;
    let library = Library::open(&arguments.docs, &reader, cache.as_deref()).map_err(exit::usage)?;
    library
        .require_documents(&arguments.docs)
        .map_err(|error| exit::usage(error.into()))?;
    remark_index(program, &library);
    let results = Results {
        query: &arguments.query,
        documents: library.documents.len(),
        indexed: library.indexed,
        failures: &library.failures,
        passed_over: Some(&library.passed_over).filter(|files| !files.is_empty()),
        results: library.passages(&arguments.query, arguments.limit.get())?,
    };
    for (word, similar) in misspelt(&library, &arguments.query) {
        let remark = format!("no document has “{word}”; did you mean “{similar}”?");
        program.output.remark(&remark);
    }
    let exit = if results.results.is_empty() {
        Exit::Failed
    } else {
        Exit::Complete
    };
    if program.output.json {
        return program.output.value(&results).map(|_| exit);
    }
    if exit == Exit::Failed {
        let documents = count(results.documents, "document");
        program
            .output
            .remark(&format!("nothing found in {documents}"));
    }
    let listing = listing(&results.results);
    program.output.text(&listing).map(|_| exit)
}

/// The words of a query that no document has, each with a similar one that some have; a word of
/// another language is none that is misspelt.
fn misspelt<'a>(library: &Library, query: &'a str) -> Vec<(&'a str, String)> {
    if !library.has_language_of(query) {
        return Vec::new();
    }
    let words = text::words(query).map(|word| (word.text, text::fold(word.text)));
    let words = words.filter(|(_, folded)| !text::is_stop_word(folded));
    let similar = words.filter_map(|(word, folded)| {
        let similar = library.similar_word(&text::stem(&folded))?;
        Some((word, similar))
    });
    similar.collect()
}

/// A number of passages, which is at least one.
fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse::<usize>().map_err(|error| error.to_string())?;
    NonZeroUsize::new(number).ok_or_else(|| "the least is 1".to_owned())
}

/// Prints the skipped documents, and with `--verbose` the number of indexed ones.
fn remark_index(program: &Program<'_>, library: &Library) {
    for failure in &library.failures {
        program
            .output
            .remark(&format!("skipped: {}", failure.problem));
    }
    if !library.passed_over.is_empty() {
        program.output.remark(&library.passed_over.to_string());
    }
    if let Some(problem) = &library.problem {
        let remark = format!("the index cannot be cached: {problem}");
        program.output.remark(&remark);
    }
    if program.verbose {
        let documents = count(library.documents.len(), "document");
        let indexed = library.indexed;
        program
            .output
            .remark(&format!("{documents}, {indexed} of them new or changed"));
    }
}

fn listing(results: &[Passage]) -> String {
    let mut text = String::new();
    for passage in results {
        // A file name may contain escape sequences.
        let file = passage.file.replace(char::is_control, "?");
        let copy = if passage.duplicate_of.is_some() {
            "  (near-duplicate)"
        } else {
            ""
        };
        let Passage {
            rank,
            title,
            headings,
            start,
            end,
            line,
            ..
        } = passage;
        let page = match passage.page {
            Some(page) => format!("page {page}, "),
            None => String::new(),
        };
        let _ = write!(
            text,
            "{rank}  {file}:{line} ({page}bytes {start}-{end}){copy}  {title}"
        );
        if let Some(remark) = passage.status.as_ref().and_then(DocumentStatus::remark) {
            let _ = write!(text, " ({remark})");
        }
        if let Some(heading) = headings.last().filter(|heading| *heading != title) {
            let _ = write!(text, " › {heading}");
        }
        text.push('\n');
        for line in passage.text.lines() {
            let _ = writeln!(text, "    {line}");
        }
        text.push('\n');
    }
    text
}

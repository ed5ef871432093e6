//! `research read`: prints a file or web page as clean text, from which quotations are taken.

use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::help::Group;
use super::{Action, Command, Exit, Program, arguments, exit};
use crate::artifact::source::{DocumentStatus, PageStarts, Publication};
use crate::pipeline::Digest;
use crate::read::{Document, Kind, Kinds, Reader};
use crate::run::{self, fetching};
use crate::text::line_number;
use crate::web::{self, Page, Rendering};

/// `research read`.
pub(super) const COMMAND: Command = Command {
    name: "read",
    about: "Print a file or web page as the clean text that quotations are taken from",
    group: Group::Documents,
    examples: &[(
        "Print the text of a document, as it is quoted from",
        "research read notes/costs.pdf",
    )],
    results: &[("read", || schema_for!(DocumentText<'_>))],
    define: |command, _| ReadArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| read(program, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct ReadArgs {
    #[arg(value_name = "FILE|URL", help = documents())]
    file: PathBuf,
}

/// The help on the documents that can be read: every kind in the table.
fn documents() -> String {
    let kinds = Kinds::built_in().labels();
    format!("A document ({kinds}), or the URL of a page")
}

/// A document, for other programs.
#[derive(Serialize, JsonSchema)]
struct DocumentText<'a> {
    title: &'a str,
    #[schemars(with = "&str")]
    kind: Kind,
    author: Option<&'a str>,
    date: Option<&'a str>,
    status: Option<&'a DocumentStatus>,
    /// Where it was published, by its own header.
    #[serde(skip_serializing_if = "Option::is_none")]
    publication: Option<&'a Publication>,
    language: Option<&'a str>,
    url: Option<&'a str>,
    bytes: usize,
    /// Where the pages of a PDF begin in the text, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<&'a PageStarts>,
    sha256: Digest,
    text: &'a str,
}

/// Prints the text of a file or page; with `--json`, its metadata too.
fn read(program: &Program<'_>, arguments: &ReadArgs) -> Result<Exit> {
    let file = &arguments.file;
    let name = file.to_string_lossy();
    let reader = run::reader(&program.settings)?;
    // By `://` and not by a list of schemes, so that ftp:// is refused as a URL and not looked up
    // as a file.
    let (document, speaks_to_models) = if name.contains("://") {
        let page = visit(program, &reader, &name)?;
        remark_rendering(program, &page.rendering);
        let mut document = page.document;
        // The canonical URL that a page declares takes precedence over its address.
        document.url.get_or_insert(page.url.into());
        (document, page.prompt_injection)
    } else {
        let missing = "name a document, or the URL of a page";
        let there = std::fs::metadata(file).map_err(|error| exit::of_file(error, missing));
        let problem = || format!("cannot read {}", file.display());
        let there = there.with_context(problem).map_err(exit::usage)?;
        if there.is_dir() {
            let problem = problem();
            return Err(exit::usage(anyhow!(
                "{problem}: it is a directory, not a file; {missing}"
            )));
        }
        (reader.read(file)?, None)
    };
    if let Some(words) = &speaks_to_models {
        let remark = format!(
            "this page contains instructions to language models (prompt injection), \
                which are treated as text: {words:?}"
        );
        program.output.remark(&remark);
    }
    if let Some(omission) = document.omission(&name) {
        program.output.remark(&format!("not read: {omission}"));
    }
    if !program.output.json {
        remark_pages(program, &document);
        return program.output.text(&document.text);
    }
    program.output.value(&DocumentText {
        title: &document.title,
        kind: document.kind,
        author: document.author.as_deref(),
        date: document.date.as_deref(),
        status: Some(&document.status).filter(|status| !status.is_empty()),
        publication: Some(&document.publication).filter(|own| !own.is_empty()),
        language: document.language.as_deref(),
        url: document.url.as_deref(),
        bytes: document.text.len(),
        pages: Some(&document.pages).filter(|pages| !pages.is_empty()),
        sha256: Digest::of(&document.text),
        text: &document.text,
    })
}

/// Prints the lines at which the pages of a PDF begin, which are not part of its text.
fn remark_pages(program: &Program<'_>, document: &Document) {
    let starts = document.pages.0.iter();
    let lines: Vec<String> = starts
        .map(|start| line_number(&document.text, *start).to_string())
        .collect();
    if lines.len() > 1 {
        let (pages, lines) = (lines.len(), lines.join(", "));
        let remark = format!("{pages} pages, which begin in lines {lines}");
        program.output.remark(&remark);
    }
}

/// Prints that a browser was needed, and whether it succeeded.
fn remark_rendering(program: &Program<'_>, rendering: &Rendering) {
    match rendering {
        Rendering::None => {}
        Rendering::Done => program.output.remark("this page was rendered by a browser"),
        Rendering::Failed(error) => program.output.remark(&error.to_string()),
    }
}

/// Fetches and reads a web page.
fn visit(program: &Program<'_>, reader: &Reader, address: &str) -> Result<Page> {
    let fetcher = fetching::fetcher(&program.settings, program.clock).map_err(exit::usage)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    Ok(runtime.block_on(web::visit(&fetcher, reader, address))?)
}

//! `research read`: a file or a page as clean text, the one that quotations are taken from.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use super::Program;
use super::exit::Exit;
use crate::pipeline::Digest;
use crate::read::Kind;
use crate::run::{self, fetching};
use crate::web::{self, Fetched};

/// A document as it is read.
#[derive(Serialize)]
struct Shown<'a> {
    title: &'a str,
    kind: Kind,
    author: Option<&'a str>,
    date: Option<&'a str>,
    language: Option<&'a str>,
    url: Option<&'a str>,
    bytes: usize,
    sha256: Digest,
    text: &'a str,
}

/// Prints the text of a file or a page; with `--json`, what it says about itself as well.
pub(super) fn read(program: &Program<'_>, file: &Path) -> Result<Exit> {
    let name = file.to_string_lossy();
    let reader = run::reader(&program.settings)?;
    let (document, speaks_to_models) =
        if name.starts_with("http://") || name.starts_with("https://") {
            let page = web::page(&reader, fetched(program, &name)?)?;
            let mut document = page.document;
            document.url.get_or_insert(page.url.into());
            (document, page.speaks_to_models)
        } else {
            (reader.read(file)?, None)
        };
    if let Some(words) = &speaks_to_models {
        let remark =
            format!("this page gives orders to language models, which are read as text: {words:?}");
        program.output.remark(&remark);
    }
    if !program.output.json {
        return program.output.text(&document.text);
    }
    program.output.value(&Shown {
        title: &document.title,
        kind: document.kind,
        author: document.author.as_deref(),
        date: document.date.as_deref(),
        language: document.language.as_deref(),
        url: document.url.as_deref(),
        bytes: document.text.len(),
        sha256: Digest::of(&document.text),
        text: &document.text,
    })
}

fn fetched(program: &Program<'_>, address: &str) -> Result<Fetched> {
    let fetcher = fetching::fetcher(&program.settings, program.clock)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    Ok(runtime.block_on(fetcher.fetch(address))?)
}

//! `research read`: a file as clean text, the one that quotations are taken from.

use std::path::Path;

use anyhow::{Result, anyhow};
use serde::Serialize;

use super::Program;
use super::exit::{self, Exit};
use crate::pipeline::Digest;
use crate::read::Kind;
use crate::run;

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

/// Prints the text of a file; with `--json`, what the file says about itself as well.
pub(super) fn read(program: &Program<'_>, file: &Path) -> Result<Exit> {
    let name = file.to_string_lossy();
    if name.starts_with("http://") || name.starts_with("https://") {
        let problem =
            anyhow!("{name} is an address, and only files can be read yet; save the page first");
        return Err(exit::usage(problem));
    }
    let document = run::reader(&program.settings)?.read(file)?;
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

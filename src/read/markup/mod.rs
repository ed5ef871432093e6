//! Markup languages that are read into Markdown: reStructuredText, AsciiDoc, Org and LaTeX.
//!
//! Each has a reader of its own, since no parser of these languages in Rust is both maintained and
//! complete enough for documents that people have: what such a parser does not know fails a
//! document or becomes a sentence of it. The readers know blocks and inline markup; what else they
//! meet is left out if it is an instruction, and kept if it is text. All take linear time: inline
//! markup is searched by `inline::Scanner`, which never looks for the same end twice, and blocks
//! inside of blocks nest to `lines::MAX_DEPTH`.
//!
//! The metadata of a document come first in its clean text, as YAML front matter (`fields`).

pub mod asciidoc;
mod asciidoc_inline;
mod fields;
mod inline;
pub(in crate::read) mod inline_tex;
pub mod latex;
mod latex_commands;
mod latex_formulas;
mod latex_parts;
mod latex_quantities;
mod lines;
pub mod org;
mod org_inline;
mod output;
pub mod rst;
mod rst_directives;
mod rst_inline;
mod rst_tables;

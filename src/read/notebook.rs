//! Jupyter notebooks: Markdown cells as they are, code cells as fenced code, and their short text
//! outputs. Pictures, HTML and long outputs are left out.

use serde::Deserialize;
use serde_json::Value;

use super::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use super::error::ReadError;
use super::markdown_writer::MarkdownWriter;
use super::{charset, metadata};
use crate::text;

/// The longest text output that is not left out, in bytes; chosen by hand, some twenty lines.
const MAX_OUTPUT_BYTES: usize = 1000;

/// Jupyter notebooks: the clean text is the cells as Markdown.
pub static KIND: SourceKind = SourceKind {
    name: "notebook",
    label: "Jupyter notebook",
    extensions: &["ipynb"],
    shared_extensions: &[],
    media_types: &["application/x-ipynb+json"],
    signature: Signature::None,
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "save it again in Jupyter, or as Markdown",
    read,
};

/// A notebook (nbformat 4, and 3 with its worksheets).
#[derive(Deserialize)]
struct Notebook {
    cells: Option<Vec<Cell>>,
    #[serde(default)]
    worksheets: Vec<Worksheet>,
    #[serde(default)]
    metadata: Value,
}

#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(default)]
    cell_type: String,
    /// The lines of the cell: a string, or a list of them.
    #[serde(default, alias = "input")]
    source: Value,
    /// The level of a heading cell (nbformat 3).
    level: Option<usize>,
    #[serde(default)]
    outputs: Vec<Output>,
}

#[derive(Deserialize)]
struct Output {
    /// Text of a stream, and of any output of nbformat 3.
    #[serde(default)]
    text: Value,
    #[serde(default)]
    data: Data,
    /// The name of an error.
    #[serde(default)]
    ename: Value,
}

#[derive(Default, Deserialize)]
struct Data {
    #[serde(default, rename = "text/plain")]
    plain: Value,
}

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let text = input.text()?;
    let notebook: Notebook = serde_json::from_str(&text).map_err(|error| {
        input.malformed(format!("its JSON is not that of a notebook ({error})"))
    })?;
    let about = &notebook.metadata;
    let title = about["title"].as_str().map(text::one_line);
    let author = authors(about);
    let text = charset::normalise(&notebook.into_markdown());
    let title = title
        .filter(|title| !title.is_empty())
        .or_else(|| text::first_heading(&text));
    let title = title.unwrap_or_else(|| metadata::name_as_title(input.path));
    Ok(Document {
        author,
        ..input.document(title, text)
    })
}

impl Notebook {
    fn into_markdown(self) -> String {
        let language = self.metadata["kernelspec"]["language"]
            .as_str()
            .or_else(|| self.metadata["language_info"]["name"].as_str())
            .unwrap_or_default();
        let sheets = self.worksheets.into_iter().flat_map(|sheet| sheet.cells);
        let cells = self.cells.into_iter().flatten().chain(sheets);
        let mut out = MarkdownWriter::default();
        for cell in cells {
            cell.write(language, &mut out);
        }
        out.finish()
    }
}

impl Cell {
    fn write(&self, language: &str, out: &mut MarkdownWriter) {
        let source = joined(&self.source);
        match (self.cell_type.as_str(), self.level) {
            ("markdown", _) => out.markdown(&closed(source)),
            ("heading", level) => out.heading(level.unwrap_or(1), &source),
            ("code", _) => {
                out.code(language, &source);
                for output in &self.outputs {
                    output.write(out);
                }
            }
            // Raw cells are for converters, and hold LaTeX, HTML or the like.
            _ => {}
        }
    }
}

impl Output {
    fn write(&self, out: &mut MarkdownWriter) {
        let text = [&self.text, &self.data.plain].map(joined).concat();
        let is_short = text.len() <= MAX_OUTPUT_BYTES;
        // A picture has the name of its object as text: `<Figure size 640x480 with 1 Axes>`.
        let is_object = text.trim_start().starts_with('<') && text.trim_end().ends_with('>');
        if is_short && !is_object && self.ename.is_null() {
            out.code("", &text);
        }
    }
}

/// A Markdown cell in which no fence of code is left open, as it would swallow the cells after it.
fn closed(mut source: String) -> String {
    for fence in ["```", "~~~"] {
        let fences = source
            .lines()
            .filter(|line| line.trim_start().starts_with(fence));
        if fences.count() % 2 == 1 {
            source.push('\n');
            source.push_str(fence);
        }
    }
    source
}

/// The names of the authors, from the metadata of a notebook.
fn authors(about: &Value) -> Option<String> {
    let authors = about["authors"].as_array()?.iter();
    let names: Vec<&str> = authors
        .filter_map(|author| author["name"].as_str())
        .collect();
    (!names.is_empty()).then(|| text::one_line(&names.join(", ")))
}

/// Text that is a string or a list of strings.
fn joined(text: &Value) -> String {
    match text {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Document, ReadError> {
        super::read(&Input::of_bytes(
            &KIND,
            "my-study.ipynb",
            text.as_bytes(),
            1_000_000,
        ))
    }

    #[test]
    fn cells_and_short_outputs_become_markdown() {
        let long = "x".repeat(MAX_OUTPUT_BYTES + 1);
        let notebook = serde_json::json!({
            "nbformat": 4,
            "metadata": {
                "authors": [{"name": "Ann B"}, {"name": "Bob"}],
                "kernelspec": {"language": "python"},
            },
            "cells": [
                {"cell_type": "markdown", "source": ["# On *heat*\n", "\n", "Pumps are quiet."]},
                {"cell_type": "markdown", "source": "```\nopen"},
                {"cell_type": "raw", "source": "\\newpage"},
                {"cell_type": "code", "source": ["a = '''\n", "```'''"], "outputs": [
                    {"output_type": "stream", "text": ["3\n"]},
                    {"output_type": "execute_result", "data": {"text/plain": "4"}},
                    {"output_type": "display_data", "data": {"text/plain": ["<Figure 1>"]}},
                    {"output_type": "stream", "text": long},
                    {"output_type": "error", "ename": "ValueError", "traceback": ["no"]},
                ]},
            ],
        });
        let document = read(&notebook.to_string()).unwrap();
        assert_eq!(document.title, "On heat");
        assert_eq!(document.author.as_deref(), Some("Ann B, Bob"));
        assert_eq!(
            document.text,
            "# On *heat*\n\nPumps are quiet.\n\n```\nopen\n```\n\n````python\na = '''\n```'''\n\
             ````\n\n```\n3\n```\n\n```\n4\n```\n"
        );
    }

    #[test]
    fn old_and_damaged_notebooks_are_read_or_refused() {
        let old = r#"{"nbformat": 3, "worksheets": [{"cells": [
            {"cell_type": "heading", "level": 2, "source": ["Heat"]},
            {"cell_type": "code", "input": ["1 + 1"], "outputs": [{"text": "2"}]}]}]}"#;
        let document = read(old).unwrap();
        assert_eq!(document.text, "## Heat\n\n```\n1 + 1\n```\n\n```\n2\n```\n");
        let deep = format!("{{\"metadata\": {}", "[".repeat(100_000));
        for text in ["", "[1]", "{\"cells\": 3}", &deep] {
            let error = read(text).unwrap_err().to_string();
            assert!(
                error.contains("Jupyter notebook my-study.ipynb: its JSON"),
                "{error}"
            );
        }
    }
}

//! The pages of a session: Markdown files with their addresses in the front matter.

use anyhow::Result;
use chrono::SecondsFormat;
use url::Url;

use crate::artifact::collected::PageRecord;
use crate::artifact::source::PageStarts;
use crate::pipeline::Digest;
use crate::read::{Document, omission};
use crate::stage::stage_run::StageRun;
use crate::text::one_line;
use crate::web::{Page, Rendering, WebError, detect_prompt_injection};

/// The directory of the web pages that were read for a session.
pub(crate) const PAGES: &str = "research/pages";

/// The number of hexadecimal digits of an address's hash that name its file. With 48 bits, two of
/// ten thousand pages share a name with a probability below one in five million.
const FILE_NAME_DIGITS: usize = 12;

/// Writes the pages of a session.
pub(super) struct PageStore<'a> {
    run: StageRun<'a>,
}

impl<'a> PageStore<'a> {
    pub(super) fn new(run: StageRun<'a>) -> Self {
        Self { run }
    }

    /// Returns `true` if the file of a page is missing or damaged, that is, does not match its
    /// digest. A damaged file is superseded.
    pub(super) fn supersede_damaged(&self, page: &PageRecord) -> Result<bool> {
        let Some(file) = &page.file else {
            return Ok(false);
        };
        let file = format!("{PAGES}/{file}");
        let workspace = self.run.workspace;
        let Some(bytes) = workspace.read(&file)? else {
            return Ok(true);
        };
        let digest = Digest::of(bytes);
        let is_damaged = page.digest.as_ref().is_some_and(|read| *read != digest);
        if is_damaged {
            workspace.supersede(&file, &format!("{file} is not what was read"))?;
        }
        Ok(is_damaged)
    }

    /// Writes a page that was read, and returns its record.
    pub(super) fn store(
        &self,
        page: &Page,
        points: Option<i64>,
        comments: Option<u64>,
    ) -> Result<PageRecord> {
        // If the browser fails, the text without scripts is used.
        if let Rendering::Failed(error) = &page.rendering {
            self.run.progress(error.to_string())?;
        }
        let is_rendered = page.rendering == Rendering::Done;
        let (file, text) = (
            file_of(&page.url),
            document(&page.url, &page.document, is_rendered),
        );
        self.run
            .workspace
            .write_unflushed(&format!("{PAGES}/{file}"), text.as_bytes())?;
        Ok(PageRecord {
            points,
            comments,
            url: page.url.to_string(),
            file: Some(file),
            digest: Some(Digest::of(text)),
            kind: Some(page.document.kind.name.to_owned()),
            pages: page.document.pages.clone(),
            cut_at: cut_at(&page.document),
            is_thread: page.is_thread,
            read_at: page.confirmed_at.to_rfc3339_opts(SecondsFormat::Secs, true),
            prompt_injection: page.prompt_injection.clone(),
            rendered: is_rendered,
            problem: None,
            is_out_of_time: false,
        })
    }

    /// Writes what a tool returned, and returns its record. It is flushed, unlike a page: a tool
    /// need not return the same again.
    pub(super) fn store_output(&self, url: &Url, output: &Document) -> Result<PageRecord> {
        let (file, text) = (file_of(url), document(url, output, false));
        self.run
            .workspace
            .write(&format!("{PAGES}/{file}"), text.as_bytes())?;
        Ok(PageRecord {
            file: Some(file),
            digest: Some(Digest::of(text)),
            kind: Some("tool".to_owned()),
            cut_at: cut_at(output),
            prompt_injection: detect_prompt_injection(&output.text),
            problem: None,
            ..self.failed(url.as_str(), "")
        })
    }

    /// Returns the record of a page that could not be read.
    pub(super) fn failed(&self, address: &str, problem: &str) -> PageRecord {
        PageRecord {
            url: address.to_owned(),
            points: None,
            comments: None,
            file: None,
            digest: None,
            kind: None,
            pages: PageStarts::default(),
            cut_at: None,
            is_thread: false,
            read_at: self.run.workspace.now(),
            prompt_injection: None,
            rendered: false,
            problem: Some(problem.to_owned()),
            is_out_of_time: false,
        }
    }

    /// Returns the record of a page that could not be read because of an error.
    pub(super) fn failed_by(&self, address: &str, error: &WebError) -> PageRecord {
        PageRecord {
            is_out_of_time: matches!(error, WebError::OutOfTime { .. }),
            ..self.failed(address, &error.to_string())
        }
    }
}

/// Returns the bytes of a text that was read, if there are more.
fn cut_at(document: &Document) -> Option<u64> {
    document.is_cut.then_some(document.text.len() as u64)
}

/// Returns what is not read of a page, if it is too long.
pub(super) fn omission_of(page: &PageRecord) -> Option<String> {
    page.cut_at.map(|bytes| omission(&page.url, bytes))
}

/// Returns the name of a page's file.
fn file_of(url: &Url) -> String {
    let hash = Digest::of(url.as_str());
    format!("{}.md", &hash.as_str()[..FILE_NAME_DIGITS])
}

/// Returns a page as a file: front matter, and the clean text.
fn document(url: &Url, read: &Document, is_rendered: bool) -> String {
    let fields = [
        ("title", Some(read.title.as_str())),
        ("url", Some(url.as_str())),
        ("author", read.author.as_deref()),
        ("date", read.date.as_deref()),
        ("rendered", is_rendered.then_some("by a browser")),
    ];
    let mut text = String::from("---\n");
    for (name, value) in fields {
        if let Some(value) = value {
            text.push_str(&format!("{name}: \"{}\"\n", quotable(value)));
        }
    }
    text.push_str("---\n\n");
    text.push_str(&read.text);
    text
}

/// Returns the clean text in a page's file.
pub(crate) fn text_of(file: &str) -> &str {
    file.split_once("\n---\n\n").map_or("", |(_, text)| text)
}

/// Returns the pages of a file, of which those of its clean text are known.
pub(crate) fn pages_of(file: &str, page: &PageRecord) -> PageStarts {
    page.pages.moved(file.len() - text_of(file).len())
}

/// Returns a value for the front matter, without quotes and line breaks.
fn quotable(value: &str) -> String {
    one_line(value).replace(['"', '\\'], "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_a_file_begin_after_its_front_matter() {
        let record: PageRecord = serde_json::from_value(serde_json::json!({
            "url": "https://e.org/a.pdf", "file": "a.md", "kind": "pdf", "pages": [0, 5],
            "read_at": "", "speaks_to_models": null, "problem": null,
        }))
        .unwrap();
        let file = "---\ntitle: \"Pumps\"\n---\n\nOne.\nTwo.\n";
        let pages = pages_of(file, &record);
        for (words, page) in [("title", None), ("One", Some(1)), ("Two", Some(2))] {
            assert_eq!(pages.page(file.find(words).unwrap()), page, "{words}");
        }
    }
}

//! The texts of the documents of a session as they are now, which its report may not quote.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::artifact::stored::{stored_text, without_copies};
use crate::artifact::{Report, Session};
use crate::read::{Reader, walk};
use crate::session;

/// The documents of a session by their locators.
#[derive(Debug, Default)]
pub struct PresentTexts {
    files: BTreeMap<String, PathBuf>,
}

impl PresentTexts {
    /// Those of the session at `path`; none if they cannot be listed.
    pub fn of(path: &Path, session: &Session, reader: &Reader) -> Self {
        let own = session::documents(path, session);
        let roots = without_copies(&own, &session::inherited(path, session));
        let listing = walk(&roots, &reader.kinds).unwrap_or_default();
        let files = listing.files.into_iter();
        Self {
            files: files.map(|file| (file.name, file.path)).collect(),
        }
    }

    /// The clean text of the document of a locator; of a page of the web, the text that is stored
    /// for the report. `None` where there is none.
    pub fn text(
        &self,
        path: &Path,
        report: &Report,
        reader: &Reader,
        locator: &str,
    ) -> Option<String> {
        if let Some(file) = self.files.get(locator) {
            return Some(reader.read(file).ok()?.text);
        }
        let mut references = report.references.iter();
        let reference = references.find(|reference| reference.locator == locator)?;
        stored_text(path, &reference.source).ok().flatten()
    }
}

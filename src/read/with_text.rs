//! Whether there is any text to read, before a session is made of it.

use std::path::PathBuf;

use super::error::ReadError;
use super::reader::Reader;
use super::walk::{SourceFile, require_documents, walk};

/// The problems that an error on documents without text names.
const NAMED_PROBLEMS: usize = 5;

/// Checks that a document at or below the roots has a text: reads them, the smallest first, until
/// one has.
///
/// # Errors
/// As [`require_documents`], and when none has: the reasons.
pub fn require_text(roots: &[PathBuf], reader: &Reader) -> Result<(), ReadError> {
    require_documents(roots, &reader.kinds)?;
    let listing = walk(roots, &reader.kinds)?;
    let mut files: Vec<&SourceFile> = listing.files.iter().collect();
    files.sort_by_cached_key(|file| std::fs::metadata(&file.path).map_or(0, |own| own.len()));
    let mut problems = Vec::new();
    for file in &files {
        match reader.require_text(&file.path) {
            Ok(()) => return Ok(()),
            Err(error) => problems.push(error.to_string()),
        }
    }
    if files.is_empty() {
        return Ok(());
    }
    let others = problems.len().saturating_sub(NAMED_PROBLEMS);
    problems.truncate(NAMED_PROBLEMS);
    if others > 0 {
        problems.push(format!("{others} more could not be read"));
    }
    let passed_over = &listing.passed_over;
    Err(ReadError::no_documents(roots, problems, passed_over))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_without_text_are_refused_by_name_and_one_with_text_is_enough() {
        let folder = tempfile::tempdir().unwrap();
        let roots = [folder.path().to_owned()];
        let reader = Reader::in_process();
        std::fs::write(folder.path().join("a.md"), "").unwrap();
        std::fs::write(folder.path().join("b.txt"), "  \n").unwrap();
        let error = require_text(&roots, &reader).unwrap_err();
        assert!(matches!(error, ReadError::NoDocuments { .. }), "{error:?}");
        for name in ["a.md", "b.txt"] {
            assert!(error.to_string().contains(name), "{error}");
        }
        std::fs::write(folder.path().join("c.md"), "Bees make honey.\n").unwrap();
        assert!(require_text(&roots, &reader).is_ok());
        assert!(require_text(&[], &reader).is_ok());
    }
}

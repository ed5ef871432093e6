//! The indexes in the cache, for those who want the space back.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// The beginning of the name of an index in the cache.
pub(super) const PREFIX: &str = "documents-";

/// Returns the directories of the indexes in a cache, with their sizes in bytes.
pub fn cached_indexes(cache: &Path) -> Vec<(PathBuf, u64)> {
    let entries = fs::read_dir(cache).into_iter().flatten().flatten();
    let is_index = |name: &str| {
        name.strip_prefix(PREFIX)
            .is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    };
    let mut indexes: Vec<(PathBuf, u64)> = entries
        .filter(|entry| is_index(&entry.file_name().to_string_lossy()))
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| {
            let files = WalkDir::new(entry.path()).into_iter().flatten();
            let sizes = files.filter_map(|file| file.metadata().ok());
            let bytes = sizes.filter(|file| file.is_file()).map(|file| file.len());
            (entry.path(), bytes.sum())
        })
        .collect();
    indexes.sort();
    indexes
}

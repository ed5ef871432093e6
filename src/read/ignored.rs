//! The files that `.gitignore` files at and below a root name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::bytes;

/// The largest `.gitignore` that is heeded, in bytes; chosen by hand.
const MAX_BYTES: u64 = 64 * 1024;

/// The `.gitignore` files below a root, read as they are needed.
pub(super) struct Ignored<'a> {
    root: &'a Path,
    by_folder: HashMap<PathBuf, Gitignore>,
}

impl<'a> Ignored<'a> {
    /// The files that are ignored below a root.
    pub(super) fn below(root: &'a Path) -> Self {
        Self {
            root,
            by_folder: HashMap::new(),
        }
    }

    /// Returns `true` for a file that is ignored, or that is in a folder that is.
    pub(super) fn holds(&mut self, file: &Path) -> bool {
        let folders = file.ancestors().skip(1);
        // The innermost file that names it decides (gitignore, "Pattern format").
        for folder in folders.take_while(|folder| folder.starts_with(self.root)) {
            let Ok(below) = file.strip_prefix(folder) else {
                break;
            };
            let patterns = self
                .by_folder
                .entry(folder.to_owned())
                .or_insert_with(|| patterns(folder));
            match patterns.matched_path_or_any_parents(below, false) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        false
    }
}

/// The patterns of the `.gitignore` in a folder; none if there is none, or it is unreadable.
fn patterns(folder: &Path) -> Gitignore {
    let bytes = bytes::of_file(&folder.join(".gitignore"), MAX_BYTES).unwrap_or_default();
    let mut builder = GitignoreBuilder::new("");
    for line in String::from_utf8_lossy(&bytes).lines() {
        // A pattern that is no glob is left out, as Git does.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

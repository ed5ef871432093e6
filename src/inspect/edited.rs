//! The files for people to read that were changed by hand since they were written.

use std::path::Path;

use crate::artifact::stored::read_inside;
use crate::pipeline::{Digest, Published};

/// Returns the names of the files of the session at `path` that are made from others, and were
/// changed by hand since: such an edit has no effect on anything else.
pub fn edited_renderings(path: &Path) -> Vec<String> {
    let recorded = Published::read(path).map(|published| published.renderings);
    let is_edited = |name: &String, digest: &Digest| {
        let bytes = read_inside(path, name).ok().flatten();
        bytes.is_some_and(|bytes| Digest::of(bytes) != *digest)
    };
    let recorded = recorded.into_iter().flatten();
    let edited = recorded.filter(|(name, digest)| is_edited(name, digest));
    edited.map(|(name, _)| name).collect()
}

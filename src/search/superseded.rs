//! The documents of a library that others of it say that they replace: what was published before
//! its successor does not name it.

use super::index::Index;
use super::query::entities;
use crate::artifact::source::DocumentStatus;

/// The numbers of replaced documents, with what each is replaced by: a title, or another edition of
/// its own title.
pub(super) fn replaced(
    documents: &[(&str, &DocumentStatus)],
    index: &Index,
) -> Vec<(usize, String)> {
    let mut replaced = Vec::new();
    for (number, (title, status)) in documents.iter().enumerate() {
        let Some(names) = &status.supersedes else {
            continue;
        };
        if status.is_not_in_force() {
            continue;
        }
        for name in names.split([',', ';']) {
            // "Edition 3" is another one of the same title.
            let edition = documents.iter().position(|(other, own)| {
                other == title && own.version.as_deref() == Some(name.trim())
            });
            let by_edition = edition.zip(status.version.clone());
            replaced.extend(by_edition.or_else(|| {
                let other = entities::document_of_name(index, name);
                let other = other.filter(|other| *other != number);
                other.map(|other| (other, (*title).to_owned()))
            }));
        }
    }
    replaced
}

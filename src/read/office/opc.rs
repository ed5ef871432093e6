//! Packages (Open Packaging Conventions, ECMA-376 part 2), which DOCX, PPTX and XLSX are: their
//! relationships and their core properties.

use std::collections::HashMap;

use super::zip::{self, Archive};
use crate::read::dates;
use crate::read::failure::Failure;
use crate::read::xml::{self, Piece, Pieces};
use crate::text::one_line;

/// The part that every package has.
pub(super) const CONTENT_TYPES: &str = "[Content_Types].xml";

/// What programs write in place of an author, in lower case.
const PLACEHOLDERS: &[&str] = &[
    "openpyxl",
    "python-docx",
    "docx4j",
    "apache poi",
    "author",
    "user",
    "unknown",
    "admin",
    "administrator",
    "microsoft office user",
    "windows user",
];

/// The metadata of a document.
#[derive(Default)]
pub(super) struct Properties {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) date: Option<String>,
    pub(super) language: Option<String>,
}

/// A relationship of a part: what it leads to.
pub(super) struct Relationship {
    /// The last part of its type: `officeDocument`. It is the same in both classes of ECMA-376,
    /// transitional and strict.
    pub(super) kind: String,
    /// The name of the part that it leads to, or an address outside of the package.
    pub(super) target: String,
}

/// Returns `true` for a package with parts in a folder: `word/`.
pub(super) fn is_package(bytes: &[u8], folder: &str) -> bool {
    zip::has_parts(bytes, |names| {
        names.contains(&CONTENT_TYPES) && names.iter().any(|name| name.starts_with(folder))
    })
}

/// The name of the main part of a package, or the usual one where no relationship names another.
pub(super) fn main_part(archive: &mut Archive<'_>, usual: &str) -> Result<String, Failure> {
    let mut relationships = relationships(archive, "")?.into_values();
    let main = relationships.find(|one| one.kind == "officeDocument");
    Ok(main.map_or_else(|| usual.to_owned(), |one| one.target))
}

/// The relationships of a part, or of the package for no name, by id.
pub(super) fn relationships(
    archive: &mut Archive<'_>,
    part: &str,
) -> Result<HashMap<String, Relationship>, Failure> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let path = joined(folder, &format!("_rels/{name}.rels"));
    let mut relationships = HashMap::new();
    let Some(xml) = archive.text(&path)? else {
        return Ok(relationships);
    };
    let mut pieces = Pieces::of(&xml);
    while let Some(piece) = pieces.next()? {
        if let Piece::Open(element) = piece
            && let Some(kind) = element.attribute("Type")
            && let Some(target) = element.attribute("Target")
        {
            let id = element.attribute("Id").unwrap_or_default();
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let is_outside = element.attribute("TargetMode").as_deref() == Some("External");
            let target = if is_outside {
                target
            } else {
                joined(folder, &target)
            };
            relationships.insert(id, Relationship { kind, target });
        }
    }
    Ok(relationships)
}

/// The name of the part at an address in a part of a folder. It cannot lead out of the archive.
fn joined(folder: &str, address: &str) -> String {
    if let Some(absolute) = address.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut names: Vec<&str> = Vec::new();
    for name in folder.split('/').chain(address.split('/')) {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    names.join("/")
}

/// The core properties (Dublin Core) of a document. Its date is that of the last change, since
/// that is the date of the text as it is.
pub(super) fn core_properties(archive: &mut Archive<'_>) -> Result<Properties, Failure> {
    let Some(xml) = archive.text("docProps/core.xml")? else {
        return Ok(Properties::default());
    };
    let names = ["title", "creator", "created", "modified", "language"];
    let texts = xml::texts(&xml, &names)?;
    let value = |name: &str| {
        let value = texts
            .iter()
            .find(|(own, text)| own == name && !text.trim().is_empty())?;
        Some(one_line(&value.1))
    };
    let date = |name| value(name).and_then(|time| dates::iso_date(&time));
    Ok(Properties {
        title: value("title"),
        author: value("creator").filter(|name| !PLACEHOLDERS.contains(&&*name.to_lowercase())),
        date: date("modified").or_else(|| date("created")),
        language: value("language"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_resolved_and_stay_in_the_archive() {
        for (folder, address, part) in [
            ("ppt/slides", "../notes/n1.xml", "ppt/notes/n1.xml"),
            ("", "xl/workbook.xml", "xl/workbook.xml"),
            ("xl", "/xl/a.xml", "xl/a.xml"),
            ("xl", "../../../etc/./passwd", "etc/passwd"),
        ] {
            assert_eq!(joined(folder, address), part, "{address}");
        }
    }
}

//! Zip archives, which office documents and EPUB are: parts by name, inflated in memory.
//!
//! No part is written to disk, so there is no path traversal (zip slip) by names such as `../../x`.
//! Only parts that are asked for are inflated, whatever sizes the archive states.

use std::io::{self, Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::read::charset;
use crate::read::failure::Failure;

/// The limit on parts, chosen by hand; long books have some thousands.
const MAX_PARTS: usize = 10_000;

/// The signature of an entry in the central directory.
const PART_MARK: &[u8] = b"PK\x01\x02";

/// The signature of a local file header, with which an archive begins.
const ARCHIVE_MARK: &[u8] = b"PK\x03\x04";

/// An archive in memory.
pub(super) struct Archive<'a>(ZipArchive<Cursor<&'a [u8]>>);

impl<'a> Archive<'a> {
    /// Opens an archive.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Failure> {
        Ok(Self(directory(bytes)?))
    }

    /// The text of a part; none where there is no such part.
    ///
    /// # Errors
    /// When it is damaged or no text.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Failure> {
        let mut part = match self.0.by_name(name) {
            Ok(part) => part,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(format!("its part {name:?} is damaged ({error})").into()),
        };
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes)
            .map_err(|error| match error.kind() {
                io::ErrorKind::OutOfMemory => Failure::OutOfMemory,
                _ => format!("its part {name:?} is damaged ({error})").into(),
            })?;
        if charset::is_binary(&bytes) {
            return Err(format!("its part {name:?} is no text, and may be encrypted").into());
        }
        Ok(Some(charset::decode(&bytes, true).into_owned()))
    }

    /// The names of the parts that are UTF-8.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.0.file_names_raw();
        names.filter_map(|name| str::from_utf8(name).ok())
    }

    /// Returns `true` if there is a part of a name.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.index_for_name(name).is_some()
    }
}

/// Returns `true` if bytes are an archive and its part names satisfy a condition; `false` for other
/// bytes.
pub(super) fn has_parts(bytes: &[u8], condition: impl FnOnce(&[&str]) -> bool) -> bool {
    if !bytes.starts_with(ARCHIVE_MARK) {
        return false;
    }
    let Ok(zip) = directory(bytes) else {
        return false;
    };
    let names: Vec<&str> = zip
        .file_names_raw()
        .filter_map(|name| str::from_utf8(name).ok())
        .collect();
    condition(&names)
}

/// Reads the central directory of an archive.
fn directory(bytes: &[u8]) -> Result<ZipArchive<Cursor<&[u8]>>, Failure> {
    // Counted before the directory is parsed, since each entry takes about ten times the memory of
    // its bytes.
    // Compressed data has the signature by chance once in 4 GiB: far too seldom to matter.
    let windows = bytes.windows(PART_MARK.len());
    if windows.filter(|window| *window == PART_MARK).count() > MAX_PARTS {
        return Err(format!("it has more than {MAX_PARTS} parts").into());
    }
    ZipArchive::new(Cursor::new(bytes))
        .map_err(|error| format!("it is not a complete zip archive ({error})").into())
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// An archive of some parts, for tests.
    pub(in crate::read) fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in parts {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn zip_parts_are_read_by_name() {
        let bytes = zipped(&[("a/b.xml", "one"), ("c", "two!"), ("../../x", "away")]);
        let mut archive = Archive::open(&bytes).unwrap_or_else(|_| unreachable!());
        assert_eq!(archive.text("a/b.xml"), Ok(Some("one".to_owned())));
        assert_eq!(archive.text("x"), Ok(None));
        assert_eq!(archive.text("../../x"), Ok(Some("away".to_owned())));
    }

    #[test]
    fn zip_that_is_truncated_damaged_or_crowded_is_an_error() {
        let whole = zipped(&[("a", &"some words ".repeat(50)), ("b", "more")]);
        for length in 0..whole.len() {
            assert!(Archive::open(&whole[..length]).is_err());
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            if let Ok(mut archive) = Archive::open(&damaged) {
                let _ = (archive.text("a"), archive.text("b"));
            }
        }
        let crowded = PART_MARK.repeat(MAX_PARTS + 1);
        let error = Archive::open(&crowded).err();
        assert_eq!(error, Some("it has more than 10000 parts".into()));
    }
}

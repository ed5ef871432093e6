//! Zip archives, which DOCX and EPUB are: parts by name, inflated in memory within a limit.
//!
//! No part is written to disk, so there is no path traversal (zip slip) by names such as `../../x`.
//! Only parts that are asked for are inflated, and they are counted while they are, whatever sizes
//! the archive states: a decompression bomb ends at the limit.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::read::charset;
use crate::read::sandbox::Failure;

/// The limit on parts, chosen by hand; long books have some thousands.
const MAX_PARTS: usize = 10_000;

/// The signature of an entry in the central directory.
const PART_MARK: &[u8] = b"PK\x01\x02";

/// The signature of a local file header, with which an archive begins.
const ARCHIVE_MARK: &[u8] = b"PK\x03\x04";

/// An archive in memory, and the number of bytes that may still be inflated.
pub(super) struct Archive {
    zip: ZipArchive<Cursor<Vec<u8>>>,
    left_bytes: u64,
}

impl Archive {
    /// Opens an archive with a limit on the bytes that are inflated, over all parts together.
    pub(super) fn open(bytes: Vec<u8>, limit: u64) -> Result<Self, Failure> {
        Ok(Self {
            zip: directory(bytes)?,
            left_bytes: limit,
        })
    }

    /// The text of a part; none where there is no such part.
    ///
    /// # Errors
    /// When it is damaged or no text, or when the limit is reached.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Failure> {
        let part = match self.zip.by_name(name) {
            Ok(part) => part,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(format!("its part {name:?} is damaged ({error})").into()),
        };
        // One byte more than is left tells a part that is too long from one that just fits.
        let mut bytes = Vec::new();
        part.take(self.left_bytes.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| format!("its part {name:?} is damaged ({error})"))?;
        self.left_bytes = self
            .left_bytes
            .checked_sub(bytes.len() as u64)
            .ok_or(Failure::TooLarge)?;
        if charset::is_binary(&bytes) {
            return Err(format!("its part {name:?} is no text, and may be encrypted").into());
        }
        Ok(Some(charset::decode(&bytes, true)))
    }

    /// The names of the parts that are UTF-8.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.zip.file_names_raw();
        names.filter_map(|name| str::from_utf8(name).ok())
    }

    /// Returns `true` if there is a part of a name.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
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
fn directory<B: AsRef<[u8]>>(bytes: B) -> Result<ZipArchive<Cursor<B>>, Failure> {
    // Counted before the directory is parsed, since each entry takes about ten times the memory of
    // its bytes.
    // Compressed data has the signature by chance once in 4 GiB: far too seldom to matter.
    let windows = bytes.as_ref().windows(PART_MARK.len());
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
    fn zip_parts_are_read_by_name_until_the_limit() {
        let bytes = zipped(&[("a/b.xml", "one"), ("c", "two!"), ("../../x", "away")]);
        let mut archive = Archive::open(bytes, 7).unwrap_or_else(|_| unreachable!());
        assert_eq!(archive.text("a/b.xml"), Ok(Some("one".to_owned())));
        assert_eq!(archive.text("x"), Ok(None));
        assert_eq!(archive.text("c"), Ok(Some("two!".to_owned())));
        assert_eq!(archive.text("../../x"), Err(Failure::TooLarge));
    }

    #[test]
    fn zip_bomb_is_refused_while_it_inflates() {
        let bytes = zipped(&[("a", &"0".repeat(3_000_000))]);
        assert!(bytes.len() < 30_000, "{}", bytes.len());
        let mut archive = Archive::open(bytes, 100_000).unwrap_or_else(|_| unreachable!());
        assert_eq!(archive.text("a"), Err(Failure::TooLarge));
    }

    #[test]
    fn zip_that_is_truncated_damaged_or_crowded_is_an_error() {
        let whole = zipped(&[("a", &"some words ".repeat(50)), ("b", "more")]);
        for length in 0..whole.len() {
            assert!(Archive::open(whole[..length].to_vec(), 1000).is_err());
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            if let Ok(mut archive) = Archive::open(damaged, 1000) {
                let _ = (archive.text("a"), archive.text("b"));
            }
        }
        let crowded = PART_MARK.repeat(MAX_PARTS + 1);
        let error = Archive::open(crowded, 1000).err();
        assert_eq!(error, Some("it has more than 10000 parts".into()));
    }
}

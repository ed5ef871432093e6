//! Reading files of a session, which may come from a stranger: only regular files of limited size,
//! never through a symbolic link, never outside of the session.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path};

use anyhow::{Result, bail};

use super::Stamp;
use crate::platform::refuse_links;

/// The largest file of a session that is read; chosen by hand, some hundred times the largest gate
/// seen so far.
pub(super) const MAX_BYTES: u64 = 64 << 20;

/// Reads a whole file of a session: a regular file of at most 64 MiB, never through a symbolic
/// link, and without waiting for a pipe. What is appended meanwhile is not read.
///
/// # Errors
/// When there is no such file, or it is of another kind, or too large.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_file_with_stamp(path).map(|(bytes, _)| bytes)
}

/// Reads a whole file of a session as [`read_file`] does, with the stamp that it had when it was
/// opened.
///
/// # Errors
/// As [`read_file`].
pub(super) fn read_file_with_stamp(path: &Path) -> io::Result<(Vec<u8>, Stamp)> {
    let (file, metadata) = open_regular(path)?;
    let length = metadata.len();
    if length > MAX_BYTES {
        let problem = format!(
            "larger than the {} MiB that a file of a session may have",
            MAX_BYTES >> 20
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(length).read_to_end(&mut bytes)?;
    Ok((bytes, Stamp::from(&metadata)))
}

/// Reads a whole file of a session as text.
///
/// # Errors
/// As [`read_file`], and when it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_file(path)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Opens a file of a session, or beside sessions: a regular file, never through a symbolic link,
/// and without waiting for a pipe.
///
/// # Errors
/// When there is no such file, or it is of another kind.
pub fn open_file(path: &Path) -> io::Result<File> {
    open_regular(path).map(|(file, _)| file)
}

/// The open file at `path`, and its metadata.
fn open_regular(path: &Path) -> io::Result<(File, Metadata)> {
    // Opened first, then checked, so that the file cannot be replaced in between.
    let file: File = refuse_links(OpenOptions::new().read(true)).open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        return Ok((file, metadata));
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "not a regular file",
    ))
}

/// `true` if something is at `path`, a dangling link included.
pub(super) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// The names in the directory of a session, read at once: of a young session, most of the files
/// that a plan asks for do not exist.
pub(super) struct Entries<'a> {
    session: &'a Path,
    /// `None` if the directory cannot be listed; its files may be readable still.
    names: Option<HashSet<OsString>>,
}

impl<'a> Entries<'a> {
    pub(super) fn of(session: &'a Path) -> Self {
        let names = fs::read_dir(session).and_then(|entries| {
            let names = entries.map(|entry| Ok(entry?.file_name()));
            names.collect()
        });
        Self {
            session,
            names: names.ok(),
        }
    }

    /// `true` if surely nothing has this name in the session.
    pub(super) fn lacks(&self, name: &str) -> bool {
        let names = self.names.as_ref();
        names.is_some_and(|names| !names.contains(OsStr::new(name)))
    }

    /// `true` if something has this name in the session, a dangling link included.
    pub(super) fn contains(&self, name: &str) -> bool {
        !self.lacks(name) && (self.names.is_some() || exists(&self.session.join(name)))
    }
}

/// `true` if a relative path stays below the directory that it starts from.
pub fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && Path::new(path)
            .components()
            // Rejects `..`, a leading `.`, a root and a drive.
            .all(|part| matches!(part, Component::Normal(_)))
}

/// Refuses a path below `session` that leads through a symbolic link, so that nothing is written
/// outside of the session.
///
/// # Errors
/// When a part of the path is a link.
pub(super) fn ensure_no_link(session: &Path, path: &Path) -> Result<()> {
    // The path of the session itself may contain a link; the part below the session may not.
    let link = path
        .ancestors()
        .take_while(|part| *part != session)
        .find(|part| fs::symlink_metadata(part).is_ok_and(|metadata| metadata.is_symlink()));
    match link {
        Some(link) => bail!("{} is a symbolic link; remove it to go on", link.display()),
        None => Ok(()),
    }
}

//! The documents that a session names outside of its surroundings: the session may be somebody
//! else's, so they are read only once the user has named or confirmed them.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

use super::{Program, exit, questions};
use crate::artifact::Session;
use crate::pipeline::{Digest, Disk};
use crate::session;

/// The folder in the cache with a file for each document that was confirmed.
const CONFIRMED: &str = "confirmed-documents";

/// Refuses documents of sessions that the user may not know of, unless this or an earlier command
/// confirms them; on a terminal they are asked about.
///
/// # Errors
/// When they are not confirmed, as a usage error with the way to confirm them.
pub(super) fn require_confirmed(
    program: &Program<'_>,
    sessions: &[PathBuf],
    is_confirmed: bool,
) -> Result<()> {
    for path in sessions.iter().filter(|_| !is_confirmed) {
        let elsewhere = session::documents_elsewhere(path, &session::read(path)?);
        let is_known =
            |document: &PathBuf| mark(program, path, document).is_some_and(|mark| mark.is_file());
        if let Some(first) = elsewhere.iter().find(|document| !is_known(document)) {
            confirm(program, path, first)?;
        }
    }
    Ok(())
}

fn confirm(program: &Program<'_>, path: &Path, document: &Path) -> Result<()> {
    let (path, document) = (path.display(), document.display());
    let problem = format!("{path} reads {document}, outside of its surroundings");
    let question = format!("{problem}; is the session yours, and may it? [y/N]");
    if questions::can_ask(program.output) && questions::confirm(program.output, &question)? {
        return Ok(());
    }
    Err(exit::usage(anyhow!(
        "{problem}; look at documents in session.json, since the session may be somebody else's; \
         to read them, confirm it: research run --resume {path} --trust-documents"
    )))
}

/// Notes that the user named or confirmed the documents of a session, so that later commands need
/// not ask. Where the cache cannot be written they do.
pub(super) fn note_confirmed(program: &Program<'_>, path: &Path, session: &Session) {
    for document in session::documents_elsewhere(path, session) {
        note(program, path, &document);
    }
}

/// Notes that the user named documents for the sessions of the output directory.
pub(super) fn note_named(program: &Program<'_>, documents: &[PathBuf]) {
    let any = program.output_dir().join("any");
    for document in documents.iter().filter_map(|own| own.canonicalize().ok()) {
        note(program, &any, &document);
    }
}

fn note(program: &Program<'_>, path: &Path, document: &Path) {
    if let Some(mark) = mark(program, path, document).filter(|mark| !mark.is_file()) {
        let disk = Disk::default();
        let folder = mark.parent().unwrap_or(Path::new("."));
        let created = disk.create_cache(folder);
        let _ = created.and_then(|()| disk.write_cache(&mark, &b""[..]));
    }
}

/// The file that says that a document was confirmed for the sessions in the directory of one;
/// `None` without a cache.
fn mark(program: &Program<'_>, path: &Path, document: &Path) -> Option<PathBuf> {
    let directory = session::output_dir_of(path)?.canonicalize().ok()?;
    let names = [directory.as_path(), document];
    let names = names.map(|name| Digest::of(name.as_os_str().as_encoded_bytes()).to_string());
    let folder = program.settings.cache_dir()?.join(CONFIRMED);
    Some(folder.join(Digest::of(names.concat()).as_str()))
}

//! Finds sessions in a directory, by what a user calls them.

use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use super::file::{FILE, read};
use super::layout::{self, Layout, entry_names};
use super::name::{check_name, hash_digits};
use crate::pipeline::EVENTS_FILE;

/// The fewest characters at the beginning of a name, and digits at its end, that mean a session, as
/// for a commit of git: where `k` was removed, it must not mean `k2`.
const MIN_CHARACTERS: usize = 4;

/// The least similarity (Jaro and Winkler's) of a misspelled name: as for commands,
/// of which clap chose it.
const MISSPELLED: f64 = 0.7;

/// The session that a reference names: its path, its name, a unique beginning of the name or of
/// the digits at its end, of four characters at least, or `last`.
///
/// # Errors
/// When it names no session, or several.
pub fn resolve(output_dir: &Path, reference: &str) -> Result<PathBuf> {
    ensure!(
        !reference.is_empty(),
        "an empty name means no session; see research list"
    );
    if reference.contains('/') || Path::new(reference).join(FILE).is_file() {
        let path = PathBuf::from(reference);
        ensure!(
            is_session(&path),
            "{reference} is no session: it holds no {FILE}"
        );
        return Ok(path);
    }
    let exact = layout::path(output_dir, reference);
    if check_name(reference).is_ok() && is_session(&exact) {
        return Ok(exact);
    }
    ensure!(
        !is_remnant(&exact),
        "{} is no session: it holds no {FILE}; research run \"TOPIC\" --session {reference} takes \
         it up again, research rm {reference} removes it",
        exact.display()
    );
    let ids = ids(output_dir)?;
    if reference == "last" {
        return last(output_dir, &ids);
    }
    let matches = |id: &&String| id.starts_with(reference) || ends_with_hash(id, reference);
    let matching: Vec<_> = ids.iter().filter(matches).collect();
    match matching.as_slice() {
        [id] if reference.chars().count() < MIN_CHARACTERS => bail!(
            "no session {reference:?} in {}; {id:?} begins so, and is meant by its name or by its \
             first {MIN_CHARACTERS} characters at least",
            output_dir.display()
        ),
        [id] => Ok(layout::path(output_dir, id)),
        [] => {
            let directory = output_dir.display();
            match similar(&ids, reference) {
                Some(id) => bail!("no session {reference:?} in {directory}; did you mean {id:?}?"),
                None => bail!(
                    "no session {reference:?} in {directory}; research list names those that there \
                     are, and last means the latest of them"
                ),
            }
        }
        several => {
            let names: Vec<_> = several.iter().take(5).map(|id| id.as_str()).collect();
            bail!(
                "{reference:?} means any of {} sessions{} {}",
                several.len(),
                if several.len() > names.len() {
                    ", such as"
                } else {
                    ":"
                },
                names.join(", ")
            )
        }
    }
}

/// The name most like a reference, if it is a misspelling of it.
fn similar<'a>(ids: &'a [String], reference: &str) -> Option<&'a String> {
    let likeness = |id: &String| strsim::jaro_winkler(id, reference);
    let best = ids
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= MISSPELLED).then_some(best)
}

/// `true` if the digits at the end of a session's name begin like this.
fn ends_with_hash(id: &str, reference: &str) -> bool {
    reference.len() >= MIN_CHARACTERS
        && hash_digits(id).is_some_and(|digits| digits.starts_with(reference))
}

/// The session with the latest start, as its file states it; of several the first by name, as in a
/// list of sessions.
fn last(output_dir: &Path, ids: &[String]) -> Result<PathBuf> {
    let layout = Layout::of(output_dir);
    let started = |id: &String| {
        let session = read(&layout.path(id)).ok()?;
        Some((session.started_at, Reverse(id.clone())))
    };
    match ids.iter().filter_map(started).max() {
        Some((_, Reverse(id))) => Ok(layout.path(&id)),
        None => bail!("there is no session in {} yet", output_dir.display()),
    }
}

/// The directory of what was a session, as [`is_remnant`] knows it, by its name or its path in the
/// directory of the sessions; `None` for any other reference.
pub fn remnant(output_dir: &Path, reference: &str) -> Option<PathBuf> {
    let in_output_dir = Path::new(reference).strip_prefix(output_dir).ok();
    let name = in_output_dir.and_then(Path::to_str).unwrap_or(reference);
    let path = layout::path(output_dir, name);
    (check_name(name).is_ok() && is_remnant(&path)).then_some(path)
}

/// `true` for the directory of what was a session, of which [`FILE`] was removed: it holds
/// the log of its runs.
pub fn is_remnant(path: &Path) -> bool {
    !path.join(FILE).exists() && path.join(EVENTS_FILE).is_file()
}

/// The ids of all sessions in a directory, sorted; none if it does not exist.
///
/// # Errors
/// When the directory cannot be listed.
pub fn ids(output_dir: &Path) -> Result<Vec<String>> {
    let mut ids = possible_ids(output_dir)?;
    let layout = Layout::of(output_dir);
    ids.retain(|id| is_session(&layout.path(id)));
    Ok(ids)
}

/// The names of the entries of a directory of sessions, sorted, without hidden ones: for those who
/// read each, and ask [`is_session`] of those that cannot be read.
///
/// # Errors
/// As [`ids`].
pub fn possible_ids(output_dir: &Path) -> Result<Vec<String>> {
    check_output_dir(output_dir)?;
    let mut ids = Vec::new();
    for folder in Layout::of(output_dir).folders()? {
        for name in entry_names(&folder)? {
            ids.push(name?);
        }
    }
    // A hidden one is a session that is being removed.
    ids.retain(|name| !name.starts_with('.'));
    ids.sort();
    Ok(ids)
}

/// Refuses a file in place of the directory of sessions, which would otherwise count as empty.
pub(super) fn check_output_dir(output_dir: &Path) -> Result<()> {
    ensure!(
        !output_dir.is_file(),
        "{} is a file, not a directory of sessions",
        output_dir.display()
    );
    Ok(())
}

/// `true` for the directory of a session, and for a directory without permission to read: an error
/// when it is read is better than a session that seems to be missing.
pub fn is_session(path: &Path) -> bool {
    match fs::metadata(path.join(FILE)) {
        Ok(metadata) => metadata.is_file(),
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    }
}

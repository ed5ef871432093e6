//! The documents of a session: how it names them, and where they are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::layout::{Layout, output_dir_of};
use crate::artifact::Session;
use crate::read::Kinds;

/// The documents of a session as paths that can be opened.
pub fn documents(path: &Path, session: &Session) -> Vec<PathBuf> {
    paths(path, &session.documents)
}

/// The documents that a session inherited from the one that it follows, as paths that can be
/// opened.
pub fn inherited(path: &Path, session: &Session) -> Vec<PathBuf> {
    paths(path, &session.inherited)
}

fn paths(session: &Path, names: &[String]) -> Vec<PathBuf> {
    names.iter().map(|name| session.join(name)).collect()
}

/// The documents of the session at `path` that lie neither in the directory that holds the sessions
/// and their surroundings nor in the working directory, or are hidden there: somebody else's
/// session could name what nobody meant to give away.
pub fn documents_elsewhere(path: &Path, session: &Session) -> Vec<PathBuf> {
    let real = |path: &Path| path.canonicalize().ok();
    let around = real(path).and_then(|path| Some(output_dir_of(&path)?.parent()?.to_owned()));
    let trees = [around, real(Path::new("."))];
    let is_inside = |document: &PathBuf| {
        let trees = trees.iter().flatten();
        let mut below = trees.filter_map(|tree| document.strip_prefix(tree).ok());
        below.any(|below| !is_hidden(below))
    };
    let follows = session.follows.iter().map(|earlier| path.join(earlier));
    let named = [documents(path, session), inherited(path, session)].concat();
    let documents: Vec<PathBuf> = named.into_iter().chain(follows).collect();
    let real = documents.iter().filter_map(|document| real(document));
    real.filter(|document| !is_inside(document)).collect()
}

/// `true` if a file that is written at `path` would be a document: one that is named itself, or one
/// below a folder of documents, of a kind that can be read, and not hidden.
pub fn holds(folder: &Path, path: &Path) -> bool {
    let Some(name) = path.file_name() else {
        return false;
    };
    let parent = path.parent().filter(|own| !own.as_os_str().is_empty());
    let real = |path: &Path| path.canonicalize().ok();
    let target = real(parent.unwrap_or(Path::new("."))).map(|own| own.join(name));
    let below = target.zip(real(folder)).and_then(|(target, folder)| {
        let below = target.strip_prefix(folder).ok()?;
        Some(below.to_owned())
    });
    let is_readable = Kinds::built_in().by_extension(path).is_some();
    let is_below = |below: PathBuf| {
        below.as_os_str().is_empty() || folder.is_dir() && is_readable && !is_hidden(&below)
    };
    below.is_some_and(is_below)
}

/// `true` if a part of the path begins with a dot.
fn is_hidden(path: &Path) -> bool {
    path.iter()
        .any(|part| part.as_encoded_bytes().starts_with(b"."))
}

/// The problem with a path that does not exist, with what may have been meant.
fn not_there(document: &Path) -> String {
    let text = document.to_string_lossy();
    let is_list =
        text.split(',').count() > 1 && text.split(',').all(|part| Path::new(part.trim()).exists());
    if is_list {
        return "does not exist: give each path a --docs of its own".to_owned();
    }
    if text.contains(['*', '?', '[']) {
        return "does not exist: patterns are not expanded; name the folder, or each file with a \
                --docs of its own"
            .to_owned();
    }
    "does not exist".to_owned()
}

/// Documents as a session names them: absolute as given, others relative to the session's
/// directory, so that a tree that contains both can be moved.
///
/// # Errors
/// When a document does not exist, or its name is not UTF-8.
pub fn name_documents(output_dir: &Path, documents: &[PathBuf]) -> Result<Vec<String>> {
    let base = absolute(&Layout::of(output_dir).base())?.join("session");
    let mut names = Vec::new();
    for document in documents {
        check_document(document)?;
        let named = if document.is_absolute() {
            document.clone()
        } else {
            let full = absolute(document)?;
            pathdiff::diff_paths(&full, &base).unwrap_or(full)
        };
        let Some(name) = named.to_str() else {
            bail!("{} is not UTF-8; rename it", document.display());
        };
        names.push(name.to_owned());
    }
    Ok(names)
}

/// The directory of an earlier session as a session in `output_dir` names it.
pub(super) fn name_session(output_dir: &Path, earlier: Option<&Path>) -> Result<Option<String>> {
    let names = name_documents(output_dir, earlier.map(Path::to_owned).as_slice())?;
    Ok(names.into_iter().next())
}

/// Checks that a path can be searched for documents.
fn check_document(document: &Path) -> Result<()> {
    let problem = match fs::metadata(document) {
        Ok(metadata) if metadata.is_file() || metadata.is_dir() => return Ok(()),
        Ok(_) => "is neither a file nor a directory".to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => not_there(document),
        Err(error) => format!("cannot be read: {error}"),
    };
    bail!(
        "{} {problem}; --docs names files or directories",
        document.display()
    )
}

/// A path without links in it, even if its last parts do not exist yet.
fn absolute(path: &Path) -> Result<PathBuf> {
    let full = std::path::absolute(path)
        .with_context(|| format!("failed to resolve {}", path.display()))?;
    let missing = |part: &&Path| fs::symlink_metadata(part).is_err();
    let existing = full.ancestors().find(|part| !missing(part));
    let Some(existing) = existing else {
        return Ok(full);
    };
    let resolved = fs::canonicalize(existing)
        .with_context(|| format!("failed to resolve {}", existing.display()))?;
    Ok(match full.strip_prefix(existing) {
        Ok(rest) if rest.as_os_str().is_empty() => resolved,
        Ok(rest) => resolved.join(rest),
        Err(_) => full,
    })
}

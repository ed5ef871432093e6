//! `session.json`: where it is, and how it is read.

use std::path::Path;

use anyhow::{Context, Result};

use crate::artifact::{self, Session};
use crate::pipeline::{Unreadable, read_file};

/// The file that makes a directory a session.
pub const FILE: &str = Session::FILE;

/// Reads the parameters of the session at `path`.
///
/// # Errors
/// When there is no session, or its file is broken.
pub fn read(path: &Path) -> Result<Session> {
    let file = path.join(FILE);
    let bytes = read_file(&file).with_context(|| format!("failed to read {}", file.display()))?;
    let session: Session = artifact::parse(&bytes).map_err(|error| {
        let problem = Unreadable::new(file, "research", &error).summary();
        let name = directory_name(path).unwrap_or_default();
        anyhow::anyhow!("{problem}; fix the file, or remove the session: research rm {name}")
    })?;
    // The directory's name is what commands take. The file's could be that of another session, or a
    // path, if the session is somebody else's.
    let id = directory_name(path).unwrap_or_default();
    Ok(Session { id, ..session })
}

/// The name of a directory; of `.`, say, that of the directory which it stands for.
pub(super) fn directory_name(path: &Path) -> Option<String> {
    let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
    name(path).or_else(|| name(&path.canonicalize().ok()?))
}

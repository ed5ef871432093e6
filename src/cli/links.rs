//! Links of a printed report: those of a session's report are relative to the session, and lead
//! nowhere from where the report is printed or written.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use percent_encoding::{AsciiSet, utf8_percent_encode};

use crate::export::{LINK_SEGMENT, markdown};
use crate::platform::standard_output_file;

/// The text of a report of `session` with links that hold from the file `target`; without one, from
/// the file that standard output is redirected to, or else from the working directory.
///
/// # Errors
/// When a directory does not exist.
pub(super) fn rebased(report: &str, session: &Path, target: Option<&Path>) -> Result<String> {
    let base = link_base(session, target)?;
    Ok(markdown::with_link_base(report, &base))
}

/// The prefix of links into the session in a file at `target`; without one, in the file that
/// standard output is redirected to, or else in one in the working directory: a relative,
/// percent-encoded path that ends in `/`, or nothing.
///
/// # Errors
/// When a directory does not exist.
pub(super) fn link_base(session: &Path, target: Option<&Path>) -> Result<String> {
    const LINK_PATH: &AsciiSet = &LINK_SEGMENT.remove(b'/');
    // `> notes/report.md` names the file as well as `-o` does.
    let redirected = standard_output_file().filter(|_| target.is_none());
    let parent = target
        .or(redirected.as_deref())
        .and_then(Path::parent)
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    ensure!(
        parent.exists(),
        "there is no directory {}; make it first",
        parent.display()
    );
    let resolved = |path: &Path| -> Result<PathBuf> {
        path.canonicalize()
            .with_context(|| format!("failed to find {}", path.display()))
    };
    // Both without symbolic links, past which `..` would lead elsewhere.
    let (session, parent) = (resolved(session)?, resolved(parent)?);
    let relative = pathdiff::diff_paths(&session, &parent).unwrap_or(session);
    let relative = relative.to_string_lossy();
    // RFC 3986: the segments of a path are encoded, the slashes between them are not.
    let mut base = utf8_percent_encode(&relative, LINK_PATH).to_string();
    if !base.is_empty() && !base.ends_with('/') {
        base.push('/');
    }
    Ok(base)
}

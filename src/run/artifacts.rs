//! Reads the artifacts of a session from its directory.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::de::DeserializeOwned;

use crate::artifact::{self, Artifact};
use crate::pipeline::read_file;

/// The artifact in the file `name` of the session at `path`; `None` if it is missing or unreadable.
pub fn artifact<T: DeserializeOwned>(path: &Path, name: &str) -> Option<Artifact<T>> {
    artifact::parse(&read_file(&path.join(name)).ok()?).ok()
}

/// The content of that artifact; `None` if it is missing or unreadable.
pub fn content<T: DeserializeOwned>(path: &Path, name: &str) -> Option<T> {
    artifact(path, name).map(|artifact| artifact.content)
}

/// The content of that artifact, which must be there.
///
/// # Errors
/// When it is missing or unreadable.
pub fn required_content<T: DeserializeOwned>(path: &Path, name: &str) -> Result<T> {
    let file = path.join(name);
    let Ok(bytes) = read_file(&file) else {
        bail!(
            "{} is not there yet: nothing can be verified",
            file.display()
        );
    };
    let artifact: Artifact<T> =
        artifact::parse(&bytes).with_context(|| format!("failed to read {}", file.display()))?;
    Ok(artifact.content)
}

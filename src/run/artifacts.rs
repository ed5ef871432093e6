//! Reads the artifacts of a session from its directory.

use std::io;
use std::path::Path;

use anyhow::{Result, anyhow};
use serde::de::DeserializeOwned;

use crate::artifact::{self, Artifact};
use crate::pipeline::{Unreadable, read_file};
use crate::stage::STAGES;

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
    let bytes = read_file(&file).map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            return anyhow!(
                "{} is not there yet: nothing can be verified",
                file.display()
            );
        }
        anyhow!(error).context(format!("failed to read {}", file.display()))
    })?;
    parsed_content(path, name, &bytes)
}

/// The content of the artifact in `bytes`, which the file `name` of the session at `path` holds.
///
/// # Errors
/// When they are not such an artifact, with line, column and remedy.
pub fn parsed_content<T: DeserializeOwned>(path: &Path, name: &str, bytes: &[u8]) -> Result<T> {
    let parsed: Result<Artifact<T>, _> = artifact::parse(bytes);
    let artifact = parsed.map_err(|error| unreadable(path, name, &error))?;
    Ok(artifact.content)
}

/// The error of the file `name` of the session at `path`, which is not what it should be.
pub(super) fn unreadable(path: &Path, name: &str, error: &serde_json::Error) -> anyhow::Error {
    let stage = STAGES.iter().find(|stage| stage.gate == name);
    let stage_name = stage.map_or("", |stage| stage.name);
    let problem = Unreadable::new(path.join(name), stage_name, error);
    // Only a gate of the current round is made again by its stage.
    match stage {
        Some(_) => anyhow!(problem),
        None => anyhow!("{}; fix the file", problem.summary()),
    }
}

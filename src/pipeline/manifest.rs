//! The manifest of a session: the files outside of it that a stage reads, by name, with the digests
//! that they had. It makes them inputs like any other.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::session_files::read_file;
use super::{Digest, DigestCache, Version};

/// A file outside of the session that a stage reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalFile {
    /// Its name in the manifest, unique there.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
}

/// The content of `manifest.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    version: Version<1>,
    /// The digests of the files, by name. A file that cannot be read is not among them.
    pub files: BTreeMap<String, Digest>,
}

/// A file outside of the session that is not as the manifest has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalChange {
    /// The name of the file.
    pub name: String,
    /// Its digest in the manifest; `None` for a new file.
    pub recorded: Option<Digest>,
    /// Its digest now; `None` if it is gone.
    pub current: Option<Digest>,
}

impl fmt::Display for ExternalChange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match (&self.recorded, &self.current) {
            (Some(was), Some(is)) => write!(
                formatter,
                "{name} changed: was {}, is {}",
                was.short(),
                is.short()
            ),
            (Some(was), None) => write!(formatter, "{name} is gone: was {}", was.short()),
            (None, Some(is)) => write!(formatter, "{name} is new: is {}", is.short()),
            (None, None) => write!(formatter, "{name} cannot be read"),
        }
    }
}

impl Manifest {
    /// The name of the file.
    pub const FILE: &'static str = "manifest.json";

    /// The manifest of these files as they are now.
    pub(super) fn of(files: &[ExternalFile], digests: &mut DigestCache) -> Self {
        let digests = files.iter().filter_map(|file| {
            let digest = digests.external(&file.name, &file.path).ok()?;
            Some((file.name.clone(), digest))
        });
        Self {
            version: Version,
            files: digests.collect(),
        }
    }

    /// The manifest of the session at `session`; `None` if there is none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn read(session: &Path) -> Result<Option<Self>> {
        let path = session.join(Self::FILE);
        let bytes = match read_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.with_context(|| format!("failed to read {}", path.display()))?,
        };
        let remedy = || {
            let path = path.display();
            format!("{path} cannot be used; delete it, and the documents are read again")
        };
        serde_json::from_slice(&bytes)
            .map(Some)
            .with_context(remedy)
    }

    /// The files that `now` has otherwise, by name.
    pub(super) fn changes(&self, now: &Self) -> Vec<ExternalChange> {
        if self == now {
            return Vec::new();
        }
        let mut names: Vec<&String> = self.files.keys().chain(now.files.keys()).collect();
        names.sort_unstable();
        names.dedup();
        names
            .into_iter()
            .map(|name| ExternalChange {
                name: name.clone(),
                recorded: self.files.get(name).cloned(),
                current: now.files.get(name).cloned(),
            })
            .filter(|change| change.recorded != change.current)
            .collect()
    }
}

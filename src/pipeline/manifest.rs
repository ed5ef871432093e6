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
    /// The other name of a file that was renamed: of one that is gone, the name that the same bytes
    /// have now; of a new one, that which they had.
    pub renamed: Option<String>,
}

impl ExternalChange {
    /// `true` if the bytes of the file are there under another name, before or now.
    pub fn is_rename(&self) -> bool {
        self.renamed.is_some()
    }
}

impl fmt::Display for ExternalChange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match (&self.renamed, &self.current) {
            (Some(now), None) => return write!(formatter, "{name} is {now} now"),
            (Some(was), Some(_)) => return write!(formatter, "{was} is {name} now"),
            (None, _) => {}
        }
        match (&self.recorded, &self.current) {
            (Some(was), Some(is)) => write!(
                formatter,
                "{name} changed: was {}, is {}",
                was.short(),
                is.short()
            ),
            (Some(was), None) => write!(formatter, "{name} is gone: was {}", was.short()),
            (None, Some(is)) => write!(formatter, "{name} is new ({})", is.short()),
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
    pub fn read(session: &Path) -> Result<Option<Self>> {
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
    pub fn changes(&self, now: &Self) -> Vec<ExternalChange> {
        if self == now {
            return Vec::new();
        }
        let mut names: Vec<&String> = self.files.keys().chain(now.files.keys()).collect();
        names.sort_unstable();
        names.dedup();
        let changes = names.into_iter().map(|name| ExternalChange {
            name: name.clone(),
            recorded: self.files.get(name).cloned(),
            current: now.files.get(name).cloned(),
            renamed: None,
        });
        let changes = changes.filter(|change| change.recorded != change.current);
        with_renames(changes.collect())
    }
}

/// The same changes, in which a file that is gone and a new one of the same bytes know each other.
fn with_renames(mut changes: Vec<ExternalChange>) -> Vec<ExternalChange> {
    let mut gone: BTreeMap<Digest, Vec<usize>> = BTreeMap::new();
    // The last one first, so that the first one is taken first.
    for (index, change) in changes.iter().enumerate().rev() {
        if let (Some(was), None) = (&change.recorded, &change.current) {
            gone.entry(was.clone()).or_default().push(index);
        }
    }
    for new in 0..changes.len() {
        let (None, Some(is)) = (&changes[new].recorded, &changes[new].current) else {
            continue;
        };
        let Some(old) = gone.get_mut(is).and_then(Vec::pop) else {
            continue;
        };
        let [was, now] = [old, new].map(|index| changes[index].name.clone());
        changes[old].renamed = Some(now);
        changes[new].renamed = Some(was);
    }
    changes
}

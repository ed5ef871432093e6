//! The baseline of an update: what its news are compared with, in a file of the session from before
//! the report is made again until the news are printed. So the next update has the news of one that
//! was interrupted, whatever has become of the report since.

use std::io;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::artifact::Report;
use crate::pipeline::{Busy, Clock, Disk, Lock, Manifest, Version, read_file};

/// The last report whose news are printed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    version: Version<1>,
    /// The report; `None` before the first one.
    pub report: Option<Report>,
    /// The documents that it was made from; `None` if the session is older than manifests.
    pub documents: Option<Manifest>,
}

impl Baseline {
    /// Its file in the session.
    const FILE: &'static str = ".update.json";

    /// The baseline of this report, made from these documents.
    pub fn new(report: Option<Report>, documents: Option<Manifest>) -> Self {
        Self {
            version: Version,
            report,
            documents,
        }
    }

    /// `true` if the session at `path` has news that are not printed yet, or an update of it was
    /// interrupted.
    pub fn is_pending(path: &Path) -> bool {
        path.join(Self::FILE).exists()
    }

    /// The baseline of the session at `path`; `None` if all its news are printed.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        let file = path.join(Self::FILE);
        let bytes = match read_file(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.with_context(|| format!("failed to read {}", file.display()))?,
        };
        let remedy = || format!("{} is broken; remove it to go on", file.display());
        serde_json::from_slice(&bytes)
            .map(Some)
            .with_context(remedy)
    }

    /// Writes the baseline of the session at `path`, whose lock the caller holds.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        Disk::default().write(&path.join(Self::FILE), &bytes)
    }

    /// Removes the baseline of the session at `path`, the news of which are printed; where a
    /// process works there, it may be an update that needs it still.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(path: &Path, clock: Clock) -> Result<()> {
        let _lock = match Lock::acquire(path, false, &clock.timestamp()) {
            Err(error) if error.is::<Busy>() => return Ok(()),
            acquired => acquired?,
        };
        let file = path.join(Self::FILE);
        match Disk::default().remove(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.with_context(|| format!("failed to remove {}", file.display())),
        }
    }
}

//! The workspace: a session as a stage sees it, with its files by name, the round and the event
//! log.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use super::session_files::{ensure_no_link, is_inside, read_file};
use super::supersede::{self, MoveIntent};
use super::{Clock, Digest, Disk, Event, EventLog, Interrupted, PastRound, Provenance, Stopwatch};

/// The access of a stage to its session. Paths are relative to the session, with `/` between their
/// parts.
pub struct Workspace {
    pub(super) root: PathBuf,
    pub(super) disk: Disk,
    pub(super) clock: Clock,
    pub(super) events: EventLog,
    pub(super) interrupted: Arc<AtomicBool>,
    pub(super) past: Vec<PastRound>,
    /// The digests of the files as this run read or wrote them, so that provenance names the bytes
    /// that were actually used.
    pub(super) digests: Mutex<BTreeMap<String, Digest>>,
}

impl Workspace {
    /// The session's directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The round that is being made, from 1.
    pub fn round(&self) -> u32 {
        self.past.last().map_or(1, |round| round.number + 1)
    }

    /// The rounds that were sent back, oldest first.
    pub fn past(&self) -> &[PastRound] {
        &self.past
    }

    /// The time now as it is written into artifacts.
    pub fn now(&self) -> String {
        self.clock.timestamp()
    }

    /// Reads a file, and records its digest; `None` if there is no such file.
    ///
    /// # Errors
    /// When it exists but cannot be read, is too large, or is not a regular file.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let path = self.resolve(name)?;
        let bytes = match read_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.with_context(|| format!("failed to read {}", path.display()))?,
        };
        self.record_digest(name, Digest::of(&bytes));
        Ok(Some(bytes))
    }

    /// Reads a file that must exist.
    ///
    /// # Errors
    /// As [`Self::read`], and when it does not exist.
    pub fn read_required(&self, name: &str) -> Result<Vec<u8>> {
        match self.read(name)? {
            Some(bytes) => Ok(bytes),
            None => bail!("{} is missing", self.root.join(name).display()),
        }
    }

    /// Writes a file atomically and durably, and records its digest.
    ///
    /// # Errors
    /// When any operation on the disk fails; then the file is absent, or the old one.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.resolve(name)?;
        self.create_parent(&path)?;
        self.disk.write(&path, bytes)?;
        self.record_digest(name, Digest::of(bytes));
        Ok(())
    }

    /// Writes a file atomically without flushing it: for content that can be obtained again, and
    /// whose digest is stored elsewhere.
    ///
    /// # Errors
    /// When any operation on the disk fails; then the file is absent, or the old one.
    pub fn write_unflushed(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.resolve(name)?;
        self.create_parent(&path)?;
        self.disk
            .write_cache(&path, bytes)
            .with_context(|| format!("failed to write {}", path.display()))
    }

    fn create_parent(&self, path: &Path) -> Result<()> {
        let directory = path.parent().unwrap_or(&self.root);
        if directory != self.root {
            ensure_no_link(&self.root, directory)?;
            self.disk.create_directory(directory)?;
        }
        Ok(())
    }

    /// `true` if every input that `provenance` names still has its recorded digest (the staleness
    /// rule, for an intermediate).
    ///
    /// # Errors
    /// When an input exists but cannot be read.
    pub fn is_fresh(&self, provenance: &Provenance) -> Result<bool> {
        for (name, recorded) in &provenance.inputs {
            if self.read(name)?.map(Digest::of).as_ref() != Some(recorded) {
                tracing::debug!(input = %name, stage = %provenance.stage, "intermediate is stale");
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Moves an intermediate to `superseded/N`, as the engine moves a gate.
    ///
    /// # Errors
    /// When any operation on the disk fails; the next run finishes the move.
    pub fn supersede(&self, name: &str, reason: &str) -> Result<()> {
        let to = supersede::next_superseded(&self.root);
        let files = vec![name.to_owned()];
        // As a one-file move of the engine, so that crash recovery is the same.
        MoveIntent::new(to.clone(), reason.to_owned(), files.clone()).begin(
            &self.root,
            &self.disk,
            &[],
        )?;
        self.events.log(Event::Superseded {
            to,
            reason: reason.to_owned(),
            files,
        });
        Ok(())
    }

    /// The flag that is `true` once the run is interrupted.
    pub fn interruption(&self) -> &AtomicBool {
        &self.interrupted
    }

    /// Stops the stage here if the run was interrupted.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn stop_if_interrupted(&self) -> Result<()> {
        if self.interrupted.load(Ordering::SeqCst) {
            return Err(Interrupted.into());
        }
        Ok(())
    }

    /// Reports an event, and logs it.
    pub fn log(&self, event: Event) {
        self.events.log(event);
    }

    /// A stopwatch, which shows zero if the clock is fixed.
    pub fn stopwatch(&self) -> Stopwatch {
        self.clock.stopwatch()
    }

    /// The digest of a file as this run read or wrote it last; if it did neither, the file is read
    /// now.
    pub(super) fn digest(&self, name: &str) -> Result<Digest> {
        // Not the digest of the file as it is now: the user may have edited it since.
        let recorded = self
            .digests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(name)
            .cloned();
        match recorded {
            Some(digest) => Ok(digest),
            None => Ok(Digest::of(self.read_required(name)?)),
        }
    }

    fn record_digest(&self, name: &str, digest: Digest) {
        let mut digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        digests.insert(name.to_owned(), digest);
    }

    fn resolve(&self, name: &str) -> Result<PathBuf> {
        if !is_inside(name) {
            bail!("{name:?} is not a file inside the session");
        }
        Ok(self.root.join(name))
    }
}

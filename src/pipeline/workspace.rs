//! The session as a stage sees it: files by name, the round, and who to tell.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use super::digest_cache::read_limited;
use super::supersede::{self, MoveIntent, refuse_link};
use super::{
    Clock, Digest, Disk, Event, EventLog, Interrupted, PastRound, Provenance, Stage, Stopwatch,
};

/// What a stage may do to its session. Paths are relative to the session, with `/` between their
/// parts.
pub struct Workspace {
    pub(super) root: PathBuf,
    pub(super) disk: Disk,
    pub(super) clock: Clock,
    pub(super) events: EventLog,
    pub(super) interrupted: Arc<AtomicBool>,
    pub(super) past: Vec<PastRound>,
    /// The hashes of the files as this run read them, so that provenance names what was really
    /// used.
    pub(super) read: Mutex<BTreeMap<String, Digest>>,
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

    /// The bytes of a file; `None` if there is none.
    ///
    /// # Errors
    /// When it is there and cannot be read, is too large, or is no regular file.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let path = self.place(name)?;
        let bytes = match read_limited(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.with_context(|| format!("failed to read {}", path.display()))?,
        };
        self.remember(name, Digest::of(&bytes));
        Ok(Some(bytes))
    }

    /// The bytes of a file that must be there.
    ///
    /// # Errors
    /// As [`Self::read`], and when it is not there.
    pub fn read_required(&self, name: &str) -> Result<Vec<u8>> {
        match self.read(name)? {
            Some(bytes) => Ok(bytes),
            None => bail!("{} is missing", self.root.join(name).display()),
        }
    }

    /// Writes a whole file, durably.
    ///
    /// # Errors
    /// When any operation on the disk fails; then the file is not there, or is the old one.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.place(name)?;
        self.prepare(path.parent().unwrap_or(&self.root))?;
        self.disk.write(&path, bytes)?;
        self.remember(name, Digest::of(bytes));
        Ok(())
    }

    /// Writes a whole file without flushing it: for what can be had again, and whose digest is kept
    /// elsewhere.
    ///
    /// # Errors
    /// When any operation on the disk fails; then the file is not there, or is the old one.
    pub fn write_unflushed(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.place(name)?;
        self.prepare(path.parent().unwrap_or(&self.root))?;
        let written = self.disk.write_cache(&path, bytes);
        written.with_context(|| format!("failed to write {}", path.display()))
    }

    fn prepare(&self, directory: &Path) -> Result<()> {
        if directory != self.root {
            refuse_link(&self.root, directory)?;
            self.disk.create_directory(directory)?;
        }
        Ok(())
    }

    /// How a gate of `stage` comes to be that is made now, from the stage's inputs as this run read
    /// them.
    ///
    /// # Errors
    /// When an input cannot be read.
    pub fn provenance(&self, stage: &dyn Stage) -> Result<Provenance> {
        let names = stage.inputs(&self.past);
        self.provenance_of(stage, &names)
    }

    /// The same for a piece of inner work that is made from `names`.
    ///
    /// # Errors
    /// When an input cannot be read.
    pub fn provenance_of(&self, stage: &dyn Stage, names: &[String]) -> Result<Provenance> {
        let mut inputs = BTreeMap::new();
        for name in names {
            inputs.insert(name.clone(), self.digest(name)?);
        }
        Ok(Provenance {
            stage: stage.name().to_owned(),
            round: self.round(),
            recipe: stage.recipe(),
            inputs,
        })
    }

    /// Whether every file that `provenance` names is still what it was.
    ///
    /// # Errors
    /// When one is there and cannot be read.
    pub fn is_fresh(&self, provenance: &Provenance) -> Result<bool> {
        for (name, recorded) in &provenance.inputs {
            if self.read(name)?.map(Digest::of).as_ref() != Some(recorded) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Moves a piece of inner work aside, as the engine moves a gate.
    ///
    /// # Errors
    /// When any operation on the disk fails; the next run finishes the move.
    pub fn supersede(&self, name: &str, reason: &str) -> Result<()> {
        let to = supersede::next_superseded(&self.root);
        let files = vec![name.to_owned()];
        MoveIntent::new(to.clone(), reason.to_owned(), files.clone())
            .begin(&self.root, &self.disk)?;
        self.events.log(Event::Superseded {
            to,
            reason: reason.to_owned(),
            files,
        });
        Ok(())
    }

    /// Tells people what `stage` is doing, and stops here if the run was interrupted.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn report_progress(&self, stage: &dyn Stage, message: impl Into<String>) -> Result<()> {
        if self.interrupted.load(Ordering::SeqCst) {
            return Err(Interrupted.into());
        }
        self.events.log(Event::Progress {
            stage: stage.name().to_owned(),
            message: message.into(),
        });
        Ok(())
    }

    /// Stops here if the run was interrupted.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn stop_if_interrupted(&self) -> Result<()> {
        match self.interrupted.load(Ordering::SeqCst) {
            true => Err(Interrupted.into()),
            false => Ok(()),
        }
    }

    /// Notes in the log that a paid call may have been lost: a run died waiting for it.
    pub fn report_possibly_billed(&self, file: String) {
        self.events.log(Event::PossiblyBilled { file });
    }

    /// A clock for how long things take; it stands still where the time does.
    pub fn stopwatch(&self) -> Stopwatch {
        self.clock.stopwatch()
    }

    fn digest(&self, name: &str) -> Result<Digest> {
        let known = self
            .read
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(name)
            .cloned();
        match known {
            Some(digest) => Ok(digest),
            None => Ok(Digest::of(self.read_required(name)?)),
        }
    }

    fn remember(&self, name: &str, digest: Digest) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.insert(name.to_owned(), digest);
    }

    fn place(&self, name: &str) -> Result<PathBuf> {
        if !supersede::is_inside(name) {
            bail!("{name:?} is not a file inside the session");
        }
        Ok(self.root.join(name))
    }
}

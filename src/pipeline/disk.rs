//! The one piece of code that writes into a session.
//!
//! A file is written beside its place under a temporary name, flushed, renamed, and its directory
//! flushed, so that it exists if and only if it is complete, even after a loss of power. A flush
//! that fails is an error and is not tried again on the same descriptor: the kernel may have
//! dropped the pages and would answer the second time with success.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use crate::platform::{self, is_same_file, refuse_links};

/// Processes that may write the same file piece by piece at once.
const MOST_WRITERS: u32 = 1000;

/// One operation on the file system, announced to a [`DiskObserver`] before it happens.
#[derive(Debug, Clone, Copy)]
pub enum Operation<'a> {
    /// Make a directory.
    CreateDirectory(&'a Path),
    /// Open a new, exclusive file.
    Create(&'a Path),
    /// Write these bytes into the file just created.
    Write(&'a Path, &'a [u8]),
    /// Flush a file's bytes to the device.
    Flush(&'a Path),
    /// Rename, replacing what is there.
    Rename(&'a Path, &'a Path),
    /// Flush a directory's entries to the device.
    FlushDirectory(&'a Path),
    /// Append these bytes (the event log, never flushed), or add them to a cache or to a file in
    /// the making.
    Append(&'a Path, &'a [u8]),
    /// Remove a left-over temporary file.
    Remove(&'a Path),
}

/// Sees every operation before it happens, and may refuse it: how tests make the Nth operation
/// fail, and keep book of what a loss of power would take away.
pub type DiskObserver = Arc<dyn Fn(&Operation<'_>) -> io::Result<()> + Send + Sync>;

/// The writer. Cheap to clone.
#[derive(Clone, Default)]
pub struct Disk {
    observer: Option<DiskObserver>,
}

impl Disk {
    /// A writer whose every operation `observer` sees first.
    pub fn observed(observer: DiskObserver) -> Self {
        Self {
            observer: Some(observer),
        }
    }

    fn announce(&self, operation: &Operation<'_>) -> io::Result<()> {
        self.observer
            .as_ref()
            .map_or(Ok(()), |observer| observer(operation))
    }

    /// Writes a whole file: after this it is there, complete and durable; before this, it is not
    /// there or the old one is.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let (parent, temporary) = beside(path)?;
        self.write_temporary(&temporary, bytes)
            .and_then(|()| self.rename(&temporary, path))
            .and_then(|()| self.flush_directory(parent))
            .with_context(|| format!("failed to write {}", path.display()))
    }

    /// Replaces a file that may be lost without harm (a cache, a copy): whole or not at all while
    /// there is power, and without flushing. After a loss of power it may hold anything, so whoever
    /// reads it has to check.
    pub fn write_cache(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let (_, temporary) = beside(path)?;
        let mut file = self.create(&temporary)?;
        self.announce(&Operation::Write(&temporary, bytes))?;
        file.write_all(bytes)?;
        Ok(self.rename(&temporary, path)?)
    }

    /// Begins a file that is written piece by piece, for what should not be held in memory: it is
    /// there when [`Stream::finish`] says so, and not before. Several processes may do this at
    /// once, and the last to finish wins.
    ///
    /// # Errors
    /// When no temporary file can be opened beside it.
    pub fn stream(&self, path: &Path) -> Result<Stream> {
        let claimed = self.claim(path);
        let (file, temporary) =
            claimed.with_context(|| format!("failed to write {}", path.display()))?;
        Ok(Stream {
            disk: self.clone(),
            file: BufWriter::with_capacity(1 << 16, file),
            temporary,
            path: path.to_owned(),
        })
    }

    /// Changes a cache in place. What stands in it must show by itself whether it is whole.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn patch_cache(&self, path: &Path, file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.announce(&Operation::Append(path, bytes))?;
        platform::write_all_at(file, bytes, at)
    }

    /// Opens a temporary file beside `path` that no living process writes, and empties it:
    /// `.NAME.1.tmp`, or the next number.
    pub(super) fn claim(&self, path: &Path) -> io::Result<(File, PathBuf)> {
        for temporary in numbered(path) {
            self.announce(&Operation::Create(&temporary))?;
            let mut options = OpenOptions::new();
            let file =
                refuse_links(options.read(true).write(true).create(true)).open(&temporary)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => continue,
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // Another process may have renamed it between opening and locking.
            if is_same_file(&file, &temporary) {
                file.set_len(0)?;
                return Ok((file, temporary));
            }
        }
        let problem = format!("{MOST_WRITERS} processes write it at once");
        Err(io::Error::new(io::ErrorKind::ResourceBusy, problem))
    }

    fn write_temporary(&self, temporary: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.create(temporary)?;
        self.announce(&Operation::Write(temporary, bytes))?;
        file.write_all(bytes)?;
        self.announce(&Operation::Flush(temporary))?;
        file.sync_all()
    }

    /// Opens the temporary file exclusively. One that is there was left by a run that died: the
    /// lock says so.
    fn create(&self, temporary: &Path) -> io::Result<File> {
        let open = || {
            self.announce(&Operation::Create(temporary))?;
            OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(temporary)
        };
        match open() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.remove(temporary)?;
                open()
            }
            other => other,
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.announce(&Operation::Remove(path))?;
        fs::remove_file(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.announce(&Operation::Rename(from, to))?;
        fs::rename(from, to)
    }

    fn flush_directory(&self, directory: &Path) -> io::Result<()> {
        self.announce(&Operation::FlushDirectory(directory))?;
        platform::flush_directory(directory)
    }

    /// Makes `directory` and what is missing above it, and flushes each parent. One that exists is
    /// left alone.
    pub fn create_directory(&self, directory: &Path) -> Result<()> {
        if directory.is_dir() {
            return Ok(());
        }
        let parent = parent_of(directory)?;
        self.create_directory(parent)?;
        let made = self
            .announce(&Operation::CreateDirectory(directory))
            .and_then(|()| fs::create_dir(directory));
        match made {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && directory.is_dir() => {}
            other => other.with_context(|| format!("failed to create {}", directory.display()))?,
        }
        self.flush_directory(parent)
            .with_context(|| format!("failed to flush {}", parent.display()))
    }

    /// Makes the folder of a cache and what is missing above it, without flushing.
    pub fn create_cache(&self, folder: &Path) -> Result<()> {
        self.announce(&Operation::CreateDirectory(folder))
            .and_then(|()| fs::create_dir_all(folder))
            .with_context(|| format!("failed to create {}", folder.display()))
    }

    /// Moves a file or a directory and flushes both directories concerned.
    pub fn move_durably(&self, from: &Path, to: &Path) -> Result<()> {
        self.create_directory(parent_of(to)?)?;
        self.rename(from, to)
            .and_then(|()| self.flush_directory(parent_of_io(to)?))
            .and_then(|()| self.flush_directory(parent_of_io(from)?))
            .with_context(|| format!("failed to move {} to {}", from.display(), to.display()))
    }

    /// Appends to a log without flushing: advice may be lost, never an artifact.
    pub fn append(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        self.announce(&Operation::Append(path, bytes))
            .and_then(|()| {
                let mut options = OpenOptions::new();
                let mut file = refuse_links(options.append(true).create(true)).open(path)?;
                file.write_all(bytes)
            })
            .with_context(|| format!("failed to append to {}", path.display()))
    }

    /// Removes the temporary files that a run that died left in `directory` and below it, and
    /// flushes the names that it may have left unflushed: they are built upon from here on.
    pub fn remove_leftovers(&self, directory: &Path) -> Result<()> {
        let listing = fs::read_dir(directory)
            .with_context(|| format!("failed to list {}", directory.display()))?;
        for entry in listing {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.remove_leftovers(&entry.path())?;
            } else if is_temporary(&entry.file_name().to_string_lossy()) {
                self.remove(&entry.path())
                    .with_context(|| format!("failed to remove {}", entry.path().display()))?;
            }
        }
        self.flush_directory(directory)
            .with_context(|| format!("failed to flush {}", directory.display()))
    }
}

/// A file in the making, of which memory holds a piece at a time.
pub struct Stream {
    disk: Disk,
    file: BufWriter<File>,
    temporary: PathBuf,
    path: PathBuf,
}

impl Stream {
    /// Adds bytes.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add(&mut self, bytes: &[u8]) -> Result<()> {
        let announced = self
            .disk
            .announce(&Operation::Append(&self.temporary, bytes));
        announced
            .and_then(|()| self.file.write_all(bytes))
            .with_context(|| format!("failed to write {}", self.path.display()))
    }

    /// Puts the file in its place, complete and durable.
    ///
    /// # Errors
    /// When an operation on the disk fails; then the file is not there, or the old one is.
    pub fn finish(mut self) -> Result<()> {
        let mut flush = || {
            self.file.flush()?;
            self.disk.announce(&Operation::Flush(&self.temporary))?;
            self.file.get_ref().sync_all()?;
            self.disk.rename(&self.temporary, &self.path)?;
            self.disk.flush_directory(parent_of_io(&self.path)?)
        };
        flush().with_context(|| format!("failed to write {}", self.path.display()))
    }
}

/// The directory of `path`, and the temporary name beside it: `.NAME.tmp`. One writer, so one name
/// is enough.
fn beside(path: &Path) -> Result<(&Path, PathBuf)> {
    let parent = parent_of(path)?;
    let Some(name) = path.file_name() else {
        bail!("{} names no file", path.display());
    };
    let temporary = parent.join(format!(".{}.tmp", name.to_string_lossy()));
    Ok((parent, temporary))
}

/// The temporary names of which each may be used by one process: `.NAME.1.tmp`, and so on.
pub(super) fn numbered(path: &Path) -> impl Iterator<Item = PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    (1..=MOST_WRITERS).map(move |number| path.with_file_name(format!(".{name}.{number}.tmp")))
}

fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".tmp")
}

fn parent_of(path: &Path) -> Result<&Path> {
    Ok(parent_of_io(path)?)
}

fn parent_of_io(path: &Path) -> io::Result<&Path> {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Ok(Path::new(".")),
        Some(parent) => Ok(parent),
        None => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{} has no directory", path.display()),
        )),
    }
}

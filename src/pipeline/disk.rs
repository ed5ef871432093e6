//! Atomic writes: the only code that writes into a session.
//!
//! A file is written beside its destination under a temporary name, flushed (fsync), renamed over
//! the destination, and its directory flushed. So it exists if and only if it is complete, even
//! after a power failure. A flush that fails is an error and is not retried on the same descriptor:
//! the kernel may have dropped the pages, and would report success the second time.
//!
//! Every operation is announced to a [`DiskObserver`] first, so that tests can make the Nth one
//! fail.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use tempfile::{Builder, NamedTempFile, PersistError, TempPath};
use walkdir::WalkDir;

use super::{Change, Replica};
use crate::platform::{self, create_private_directory, is_same_file, make_private, refuse_links};

/// The maximum number of processes that may write the same file at once (chosen by hand: far more
/// than anybody runs).
const MAX_WRITERS: u32 = 1000;

/// The maximum number of links that lead to a file, as Linux has it.
const MAX_LINKS: u32 = 40;

/// The buffer of a file that is written piece by piece: one system call for every 64 KiB (chosen by
/// hand).
const STREAM_BUFFER_BYTES: usize = 1 << 16;

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
    /// Rename, replacing the destination.
    Rename(&'a Path, &'a Path),
    /// Flush a directory's entries to the device.
    FlushDirectory(&'a Path),
    /// Append these bytes to the event log, which is never flushed, or write them into a cache or a
    /// file that is written piece by piece.
    Append(&'a Path, &'a [u8]),
    /// Remove a temporary file, or a directory with everything in it.
    Remove(&'a Path),
}

/// Is called before every operation, and may reject it (fault injection). Tests use it to make the
/// Nth operation fail, and to record what a power failure would lose.
pub type DiskObserver = Arc<dyn Fn(&Operation<'_>) -> io::Result<()> + Send + Sync>;

/// The writer. Cheap to clone.
#[derive(Clone, Default)]
pub struct Disk {
    observer: Option<DiskObserver>,
    replica: Option<Arc<dyn Replica>>,
    access: Access,
}

/// Who may read what is created: sessions and caches hold documents and the words of models.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Access {
    /// The user alone.
    #[default]
    Private,
    /// Whoever the process's umask lets.
    ByUmask,
}

/// The durability of a written file: its state after a power failure.
#[derive(Clone, Copy, PartialEq)]
enum Durability {
    /// The file is complete: its bytes and its name are flushed.
    Flushed,
    /// The file may be missing or have any content.
    Unflushed,
}

impl Disk {
    /// A writer that announces every operation to `observer`.
    pub fn observed(observer: DiskObserver) -> Self {
        Self {
            observer: Some(observer),
            ..Self::default()
        }
    }

    /// A writer of files that the user names, which others may read as the umask lets them; those
    /// of any other writer are the user's alone.
    pub fn by_umask() -> Self {
        Self {
            access: Access::ByUmask,
            ..Self::default()
        }
    }

    /// The same writer for one session, which tells `replica` of every change there.
    #[must_use]
    pub fn replicated(&self, replica: Arc<dyn Replica>) -> Self {
        Self {
            replica: Some(replica),
            ..self.clone()
        }
    }

    /// The options with which a file is created.
    fn options(&self) -> OpenOptions {
        let mut options = OpenOptions::new();
        if self.access == Access::Private {
            make_private(&mut options);
        }
        options
    }

    fn make_directory(&self, path: &Path, recursive: bool) -> io::Result<()> {
        match self.access {
            Access::Private => create_private_directory(path, recursive),
            Access::ByUmask => DirBuilder::new().recursive(recursive).create(path),
        }
    }

    /// The replica of the session, if it has one.
    pub(super) fn replica(&self) -> Option<&dyn Replica> {
        self.replica.as_deref()
    }

    fn replicate(&self, change: Change<'_>) -> Result<()> {
        self.replica()
            .map_or(Ok(()), |replica| replica.replicate(&change))
    }

    fn announce(&self, operation: &Operation<'_>) -> io::Result<()> {
        self.observer
            .as_ref()
            .map_or(Ok(()), |observer| observer(operation))
    }

    /// Writes a file atomically and durably: when this returns, the file is complete; until then it
    /// is absent or still the old one.
    ///
    /// # Errors
    /// When any operation fails.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let write = |temporary: &mut NamedTempFile| self.write_temporary(temporary, bytes);
        self.write_atomically(path, write, Durability::Flushed)
            .with_context(|| format!("failed to write {}", path.display()))?;
        self.replicate(Change::Written(path))
    }

    /// Writes a file that the user names, as [`Self::write`] does, and as a redirection of a shell
    /// treats it: a file that exists keeps its permissions, and a link is followed.
    ///
    /// # Errors
    /// When any operation fails, or links lead in a circle.
    pub fn write_over(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let write = || {
            let target = without_links(path)?;
            let old = fs::metadata(&target).ok();
            let write = |temporary: &mut NamedTempFile| {
                if let Some(old) = &old {
                    platform::copy_access(old, temporary.as_file())?;
                }
                self.write_temporary(temporary, bytes)
            };
            self.write_atomically(&target, write, Durability::Flushed)
        };
        write().with_context(|| format!("failed to write {}", path.display()))
    }

    /// Writes a file that may be lost without harm (a cache, a copy): atomically, but without
    /// flushing. After a power failure it may have any content, so readers must check it.
    ///
    /// `contents` is read to its end, piece by piece: it may be too large for memory.
    ///
    /// # Errors
    /// When any operation fails, or `contents` cannot be read.
    pub fn write_cache(&self, path: &Path, contents: impl Read) -> Result<()> {
        let copy = |temporary: &mut NamedTempFile| self.copy_to_temporary(contents, temporary);
        self.write_atomically(path, copy, Durability::Unflushed)?;
        self.replicate(Change::Unflushed(path))
    }

    fn write_atomically(
        &self,
        path: &Path,
        write: impl FnOnce(&mut NamedTempFile) -> io::Result<()>,
        durability: Durability,
    ) -> io::Result<()> {
        let directory = parent_of(path)?;
        let mut temporary = match durability {
            Durability::Flushed => self.create_temporary(directory, path)?,
            Durability::Unflushed => self.create_shared_temporary(path)?,
        };
        let written = write(&mut temporary);
        if let Err(error) = written.and_then(|()| self.publish(&temporary, path)) {
            self.discard(temporary);
            return Err(error);
        }
        // The rename is the moment at which the file exists.
        if let Err(PersistError { error, file }) = temporary.persist(path) {
            self.discard(file);
            return Err(error);
        }
        if durability == Durability::Flushed {
            self.flush_directory(directory)?;
        }
        Ok(())
    }

    /// Creates an exclusive temporary file beside `path`: `.NAME.tmp`. The session's lock ensures a
    /// single writer, so one name is enough, and an existing file of that name is left over from a
    /// run that crashed.
    fn create_temporary(&self, directory: &Path, path: &Path) -> io::Result<NamedTempFile> {
        let name = format!(".{}{TEMPORARY_SUFFIX}", file_name(path)?);
        let create = || {
            Builder::new()
                .prefix(&name)
                .suffix("")
                .rand_bytes(0)
                .make_in(directory, |temporary| self.create_new(temporary))
        };
        match create() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.remove(&directory.join(&name))?;
                create()
            }
            created => created,
        }
    }

    /// Creates a temporary file beside `path` that no living process uses: `.NAME.1.tmp`, or the
    /// next number. Several processes share a cache without a lock; with a single name, one process
    /// could remove or publish a file that another is still writing. The names are numbered, not
    /// random, so that the next writer reuses the file that a crash left behind and none
    /// accumulate.
    fn create_shared_temporary(&self, path: &Path) -> io::Result<NamedTempFile> {
        let (file, temporary) = self.open_numbered(path)?;
        let temporary = TempPath::try_from_path(temporary)?;
        Ok(NamedTempFile::from_parts(file, temporary))
    }

    fn create_new(&self, path: &Path) -> io::Result<File> {
        self.announce(&Operation::Create(path))?;
        // `O_EXCL` follows no link, and fails if the name is taken.
        self.options().write(true).create_new(true).open(path)
    }

    fn write_temporary(&self, temporary: &mut NamedTempFile, bytes: &[u8]) -> io::Result<()> {
        self.announce(&Operation::Write(temporary.path(), bytes))?;
        temporary.as_file_mut().write_all(bytes)?;
        self.announce(&Operation::Flush(temporary.path()))?;
        temporary.as_file().sync_all()
    }

    fn copy_to_temporary(
        &self,
        mut contents: impl Read,
        temporary: &mut NamedTempFile,
    ) -> io::Result<()> {
        let mut bytes = vec![0; STREAM_BUFFER_BYTES];
        loop {
            let piece = match contents.read(&mut bytes)? {
                0 => return Ok(()),
                length => &bytes[..length],
            };
            self.announce(&Operation::Write(temporary.path(), piece))?;
            temporary.as_file_mut().write_all(piece)?;
        }
    }

    fn publish(&self, temporary: &NamedTempFile, path: &Path) -> io::Result<()> {
        self.announce(&Operation::Rename(temporary.path(), path))
    }

    /// Removes a temporary file that will not be published. One that cannot be removed is left for
    /// [`Self::remove_leftovers`].
    fn discard(&self, mut temporary: NamedTempFile) {
        match self.announce(&Operation::Remove(temporary.path())) {
            Ok(()) => drop(temporary.close()),
            Err(_) => temporary.disable_cleanup(true),
        }
    }

    /// Starts a file that is written piece by piece, for content too large for memory. The file
    /// appears only with [`Stream::finish`]. Several processes may do this at once; the last to
    /// finish wins.
    ///
    /// # Errors
    /// When no temporary file can be opened beside it.
    pub fn stream(&self, path: &Path) -> Result<Stream> {
        let (file, temporary) = self
            .open_numbered(path)
            .with_context(|| format!("failed to write {}", path.display()))?;
        let mut temporary = NamedTempFile::from_parts(
            BufWriter::with_capacity(STREAM_BUFFER_BYTES, file),
            TempPath::try_from_path(temporary)?,
        );
        // The next writer reuses the name, so left-over files do not accumulate.
        temporary.disable_cleanup(true);
        Ok(Stream {
            disk: self.clone(),
            temporary,
            path: path.to_owned(),
        })
    }

    /// Changes a cache file in place. This is not atomic, so the content itself must show whether
    /// it is complete.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn patch_cache(&self, path: &Path, file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.announce(&Operation::Append(path, bytes))?;
        platform::write_all_at(file, bytes, at)
    }

    /// Opens, locks and empties a file beside `path` that no living process uses: `.NAME.1.tmp`, or
    /// the next number.
    pub(super) fn open_numbered(&self, path: &Path) -> io::Result<(File, PathBuf)> {
        for temporary in numbered_names(path) {
            self.announce(&Operation::Create(&temporary))?;
            let mut options = self.options();
            let file =
                refuse_links(options.read(true).write(true).create(true)).open(&temporary)?;
            match file.try_lock() {
                Ok(()) => {}
                // The kernel frees a lock when its process dies, so its owner is alive.
                Err(TryLockError::WouldBlock) => continue,
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // Another process may have renamed it between opening and locking.
            if is_same_file(&file, &temporary) {
                file.set_len(0)?;
                return Ok((file, temporary));
            }
        }
        let problem = format!("{MAX_WRITERS} processes write it at once");
        Err(io::Error::new(io::ErrorKind::ResourceBusy, problem))
    }

    /// Removes a file. After a power failure it may be there again.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        self.announce(&Operation::Remove(path))?;
        fs::remove_file(path)
    }

    fn flush_directory(&self, directory: &Path) -> io::Result<()> {
        self.announce(&Operation::FlushDirectory(directory))?;
        platform::flush_directory(directory)
    }

    /// Creates `directory` and its missing ancestors, and flushes the parent of each.
    ///
    /// # Errors
    /// When any operation fails.
    pub fn create_directory(&self, directory: &Path) -> Result<()> {
        if directory.is_dir() {
            return Ok(());
        }
        let parent = parent_of(directory)?;
        self.create_directory(parent)?;
        let created = self
            .announce(&Operation::CreateDirectory(directory))
            .and_then(|()| self.make_directory(directory, false));
        match created {
            // Another process has created it first.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && directory.is_dir() => {}
            other => other.with_context(|| format!("failed to create {}", directory.display()))?,
        }
        self.flush_directory(parent)
            .with_context(|| format!("failed to flush {}", parent.display()))
    }

    /// Creates the folder of a cache and its missing ancestors, without flushing.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create_cache(&self, folder: &Path) -> Result<()> {
        self.announce(&Operation::CreateDirectory(folder))
            .and_then(|()| self.make_directory(folder, true))
            .with_context(|| format!("failed to create {}", folder.display()))
    }

    /// Moves a file or a directory, and flushes both directories concerned.
    ///
    /// # Errors
    /// When any operation fails.
    pub fn move_durably(&self, from: &Path, to: &Path) -> Result<()> {
        let (source, target) = (parent_of(from)?, parent_of(to)?);
        self.create_directory(target)?;
        // The new name first: a crash between the two flushes then leaves both names, never none.
        self.announce(&Operation::Rename(from, to))
            .and_then(|()| fs::rename(from, to))
            .and_then(|()| self.flush_directory(target))
            .and_then(|()| self.flush_directory(source))
            .with_context(|| format!("failed to move {} to {}", from.display(), to.display()))?;
        self.replicate(Change::Moved(from, to))
    }

    /// Removes a directory with everything in it; links in it are removed, not followed.
    ///
    /// # Errors
    /// When anything in it cannot be removed.
    pub fn remove_tree(&self, directory: &Path) -> Result<()> {
        self.announce(&Operation::Remove(directory))
            .and_then(|()| fs::remove_dir_all(directory))
            .with_context(|| format!("failed to remove {}", directory.display()))?;
        self.replicate(Change::Removed(directory))
    }

    /// Removes the empty directories below `directory`.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn remove_empty_directories(&self, directory: &Path) -> Result<()> {
        let entries = WalkDir::new(directory)
            .min_depth(1)
            .follow_links(false)
            .contents_first(true);
        for entry in entries {
            let entry = entry.with_context(|| format!("failed to list {}", directory.display()))?;
            if entry.file_type().is_dir() {
                self.announce(&Operation::Remove(entry.path()))?;
                // One with files in it is refused by the system.
                let _ = fs::remove_dir(entry.path());
            }
        }
        Ok(())
    }

    /// Appends to a log without flushing: a power failure may lose log lines, never an artifact.
    ///
    /// # Errors
    /// When the bytes cannot be appended.
    pub fn append(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        self.announce(&Operation::Append(path, bytes))
            .and_then(|()| {
                let mut options = self.options();
                let mut file = refuse_links(options.append(true).create(true)).open(path)?;
                file.write_all(bytes)
            })
            .with_context(|| format!("failed to append to {}", path.display()))?;
        self.replicate(Change::Unflushed(path))
    }

    /// Crash recovery of a directory: removes the temporary files that an aborted run left anywhere
    /// below it, and flushes directory entries that the run may not have flushed, since later files
    /// depend on them.
    ///
    /// # Errors
    /// When a directory cannot be listed or flushed, or a file cannot be removed.
    pub fn remove_leftovers(&self, directory: &Path) -> Result<()> {
        // Links are not followed: a session may come from a stranger. Contents come first, so that
        // a directory is flushed after the files in it were removed.
        let entries = WalkDir::new(directory)
            .follow_links(false)
            .contents_first(true);
        for entry in entries {
            let entry = entry.with_context(|| format!("failed to list {}", directory.display()))?;
            let path = entry.path();
            if entry.file_type().is_dir() {
                self.flush_directory(path)
                    .with_context(|| format!("failed to flush {}", path.display()))?;
            } else if is_temporary(&entry.file_name().to_string_lossy()) {
                self.remove(path)
                    .with_context(|| format!("failed to remove {}", path.display()))?;
            }
        }
        Ok(())
    }
}

/// A file that is being written piece by piece.
pub struct Stream {
    disk: Disk,
    temporary: NamedTempFile<BufWriter<File>>,
    path: PathBuf,
}

impl Stream {
    /// Adds bytes.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add(&mut self, bytes: &[u8]) -> Result<()> {
        self.disk
            .announce(&Operation::Append(self.temporary.path(), bytes))
            .and_then(|()| self.temporary.as_file_mut().write_all(bytes))
            .with_context(|| format!("failed to write {}", self.path.display()))
    }

    /// Publishes the file, complete and durable.
    ///
    /// # Errors
    /// When an operation on the disk fails; then the file is absent, or the old one.
    pub fn finish(self) -> Result<()> {
        let (path, disk) = (self.path.clone(), self.disk.clone());
        self.publish()
            .with_context(|| format!("failed to write {}", path.display()))?;
        disk.replicate(Change::Written(&path))
    }

    fn publish(mut self) -> io::Result<()> {
        let disk = &self.disk;
        self.temporary.as_file_mut().flush()?;
        // The order matters: flush, rename, flush the directory. A rename before the flush could
        // survive a power failure without the bytes.
        disk.announce(&Operation::Flush(self.temporary.path()))?;
        self.temporary.as_file().get_ref().sync_all()?;
        disk.announce(&Operation::Rename(self.temporary.path(), &self.path))?;
        self.temporary
            .persist(&self.path)
            .map_err(|failed| failed.error)?;
        disk.flush_directory(parent_of(&self.path)?)
    }
}

/// The path to which links at `path` lead, whether there is a file or not.
///
/// # Errors
/// When they lead in a circle.
pub fn without_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(link) = fs::read_link(&target) else {
            return Ok(target);
        };
        // An absolute link replaces the directory.
        target = parent_of(&target)?.join(link);
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// The end of every temporary name.
const TEMPORARY_SUFFIX: &str = ".tmp";

/// The numbered temporary names, `.NAME.1.tmp` and so on; each is used by one process at a time.
fn numbered_names(path: &Path) -> impl Iterator<Item = PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    (1..=MAX_WRITERS)
        .map(move |number| path.with_file_name(format!(".{name}.{number}{TEMPORARY_SUFFIX}")))
}

/// The number of a file name among the [`numbered_names`] of a path.
pub(super) fn temporary_number(path: &Path, name: &OsStr) -> Option<u32> {
    let own = path.file_name()?.to_str()?;
    let rest = name.to_str()?.strip_prefix('.')?.strip_prefix(own)?;
    let number = rest.strip_prefix('.')?.strip_suffix(TEMPORARY_SUFFIX)?;
    number.parse().ok()
}

fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(TEMPORARY_SUFFIX)
}

fn file_name(path: &Path) -> io::Result<String> {
    match path.file_name() {
        Some(name) => Ok(name.to_string_lossy().into_owned()),
        None => Err(invalid(path, "names no file")),
    }
}

fn parent_of(path: &Path) -> io::Result<&Path> {
    match path.parent() {
        // The parent of a bare file name is the working directory.
        Some(parent) if parent.as_os_str().is_empty() => Ok(Path::new(".")),
        Some(parent) => Ok(parent),
        None => Err(invalid(path, "has no directory")),
    }
}

fn invalid(path: &Path, problem: &str) -> io::Error {
    let problem = format!("{} {problem}", path.display());
    io::Error::new(io::ErrorKind::InvalidInput, problem)
}

//! Watches of the disk: one makes the Nth operation fail, one keeps book of what a loss of power
//! would take away.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use research::pipeline::{Disk, Operation};

const NO_SPACE: i32 = 28;
const INPUT_OUTPUT: i32 = 5;

/// What fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Failure {
    /// Only the Nth operation: a disk that is full for a moment, a device that hiccups.
    Once,
    /// The Nth operation and all after it: the process is dead.
    Dead,
}

/// Fails at the Nth operation. Counts all kinds alike.
#[derive(Clone)]
pub(crate) struct Trap {
    at: usize,
    failure: Failure,
    seen: Arc<AtomicUsize>,
}

impl Trap {
    pub(crate) fn new(at: usize, failure: Failure) -> Self {
        Self {
            at,
            failure,
            seen: Arc::default(),
        }
    }

    /// How many operations there were.
    pub(crate) fn seen(&self) -> usize {
        self.seen.load(Ordering::SeqCst)
    }

    /// Whether an operation was made to fail.
    pub(crate) fn sprang(&self) -> bool {
        self.seen() > self.at
    }

    pub(crate) fn disk(&self) -> Disk {
        let trap = self.clone();
        Disk::observed(Arc::new(move |operation| trap.check(operation)))
    }

    /// The disk, whose every operation that is let through goes into the book.
    pub(crate) fn disk_with(&self, book: &Arc<Book>) -> Disk {
        let (trap, book) = (self.clone(), book.clone());
        Disk::observed(Arc::new(move |operation| {
            trap.check(operation)?;
            book.note(operation);
            Ok(())
        }))
    }

    fn check(&self, operation: &Operation<'_>) -> io::Result<()> {
        let number = self.seen.fetch_add(1, Ordering::SeqCst);
        let fails = match self.failure {
            Failure::Once => number == self.at,
            Failure::Dead => number >= self.at,
        };
        if !fails {
            return Ok(());
        }
        let code = match operation {
            Operation::Write(path, bytes) | Operation::Append(path, bytes) => {
                if number == self.at {
                    write_half(path, bytes);
                }
                NO_SPACE
            }
            Operation::CreateDirectory(_) | Operation::Create(_) => NO_SPACE,
            _ => INPUT_OUTPUT,
        };
        Err(io::Error::from_raw_os_error(code))
    }
}

/// A short write: what a full disk or a kill leaves.
fn write_half(path: &Path, bytes: &[u8]) {
    let mut options = OpenOptions::new();
    let mut file = options.append(true).create(true).open(path).unwrap();
    file.write_all(&bytes[..bytes.len() / 2]).unwrap();
}

/// What a loss of power takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Loss {
    /// Every name and every byte that was not flushed.
    Everything,
    /// Bytes only: the names are there, the files behind them empty.
    Bytes,
    /// The last change of a name only.
    LastName,
}

/// The book of what is not flushed yet.
#[derive(Default)]
pub(crate) struct Book {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    names: Vec<Pending>,
    /// Files with bytes that are not flushed, and how many are safe.
    bytes: BTreeMap<PathBuf, u64>,
}

/// A change of a name that is lost unless all of these directories are flushed after it. A rename
/// is one change: a journalling file system undoes it in both directories or in none.
struct Pending {
    change: Change,
    directories: Vec<PathBuf>,
}

enum Change {
    Directory(PathBuf),
    File(PathBuf),
    Renamed {
        from: PathBuf,
        to: PathBuf,
        replaced: Option<Vec<u8>>,
    },
    Removed(PathBuf, Vec<u8>),
}

impl Book {
    fn note(&self, operation: &Operation<'_>) {
        let mut state = self.state.lock().unwrap();
        match *operation {
            Operation::CreateDirectory(path) if !path.exists() => {
                state.pend(Change::Directory(path.to_owned()), &[path]);
            }
            Operation::Create(path) if !path.exists() => {
                state.pend(Change::File(path.to_owned()), &[path]);
            }
            Operation::Write(path, _) => {
                state.bytes.insert(path.to_owned(), 0);
            }
            Operation::Append(path, _) => {
                let length = fs::metadata(path).map_or(0, |found| found.len());
                state.bytes.entry(path.to_owned()).or_insert(length / 2);
                if !path.exists() {
                    state.pend(Change::File(path.to_owned()), &[path]);
                }
            }
            Operation::Flush(path) => {
                state.bytes.remove(path);
            }
            Operation::Rename(from, to) => state.rename(from, to),
            Operation::FlushDirectory(directory) => state.flush(directory),
            Operation::Remove(path) => {
                let bytes = fs::read(path).unwrap_or_default();
                state.bytes.remove(path);
                state.pend(Change::Removed(path.to_owned(), bytes), &[path]);
            }
            Operation::CreateDirectory(_) | Operation::Create(_) => {}
        }
    }

    /// Whether no change of a name would be lost.
    pub(crate) fn is_clear(&self) -> bool {
        self.state.lock().unwrap().names.is_empty()
    }

    /// Takes away what a loss of power now would take.
    pub(crate) fn lose(&self, loss: Loss) {
        let mut state = self.state.lock().unwrap();
        let State { names, bytes } = std::mem::take(&mut *state);
        if loss != Loss::LastName {
            for (path, safe) in bytes {
                if let Ok(file) = OpenOptions::new().write(true).open(&path) {
                    file.set_len(safe).unwrap();
                }
            }
        }
        let lost = match loss {
            Loss::Everything => names.len(),
            Loss::Bytes => 0,
            Loss::LastName => 1,
        };
        for pending in names.iter().rev().take(lost) {
            undo(&pending.change);
        }
    }
}

impl State {
    fn pend(&mut self, change: Change, concerned: &[&Path]) {
        let directories = concerned.iter().filter_map(|path| path.parent());
        let mut directories: Vec<PathBuf> = directories.map(Path::to_owned).collect();
        directories.dedup();
        self.names.push(Pending {
            change,
            directories,
        });
    }

    fn rename(&mut self, from: &Path, to: &Path) {
        let moved = |path: &Path| match path.strip_prefix(from) {
            Ok(rest) if rest.as_os_str().is_empty() => to.to_owned(),
            Ok(rest) => to.join(rest),
            Err(_) => path.to_owned(),
        };
        let bytes = std::mem::take(&mut self.bytes);
        let kept = bytes.into_iter().filter(|(path, _)| path != to);
        self.bytes = kept.map(|(path, safe)| (moved(&path), safe)).collect();
        for directory in self.names.iter_mut().flat_map(|it| &mut it.directories) {
            *directory = moved(directory);
        }
        let change = Change::Renamed {
            from: from.to_owned(),
            to: to.to_owned(),
            replaced: fs::read(to).ok(),
        };
        self.pend(change, &[from, to]);
    }

    fn flush(&mut self, directory: &Path) {
        for pending in &mut self.names {
            pending.directories.retain(|waits| waits != directory);
        }
        self.names.retain(|pending| !pending.directories.is_empty());
    }
}

fn undo(change: &Change) {
    match change {
        Change::Directory(path) => fs::remove_dir_all(path).unwrap(),
        Change::File(path) => fs::remove_file(path).unwrap(),
        Change::Renamed { from, to, replaced } => {
            fs::rename(to, from).unwrap();
            if let Some(bytes) = replaced {
                fs::write(to, bytes).unwrap();
            }
        }
        Change::Removed(path, bytes) => fs::write(path, bytes).unwrap(),
    }
}

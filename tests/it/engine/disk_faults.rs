//! Fault injection at the disk observer: a failure of the Nth operation, and a loss of power, which
//! undoes the changes that are not flushed.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use research::pipeline::{Disk, Operation};

const NO_SPACE: i32 = 28;
const INPUT_OUTPUT: i32 = 5;

/// The kind of a failure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Failure {
    /// Only the Nth operation: a transient fault, such as a full disk.
    Once,
    /// The Nth operation and all after it: a crash.
    Dead,
}

/// Makes the Nth operation fail; all kinds of operations count.
#[derive(Clone)]
pub(crate) struct FaultInjector {
    at: usize,
    failure: Failure,
    operations: Arc<AtomicUsize>,
}

impl FaultInjector {
    pub(crate) fn new(at: usize, failure: Failure) -> Self {
        Self {
            at,
            failure,
            operations: Arc::default(),
        }
    }

    /// The number of operations so far.
    pub(crate) fn operations(&self) -> usize {
        self.operations.load(Ordering::SeqCst)
    }

    /// `true` if an operation was made to fail.
    pub(crate) fn triggered(&self) -> bool {
        self.operations() > self.at
    }

    pub(crate) fn disk(&self) -> Disk {
        let injector = self.clone();
        Disk::observed(Arc::new(move |operation| injector.check(operation)))
    }

    /// The disk, with every successful operation recorded in `unflushed`.
    pub(crate) fn tracked_disk(&self, unflushed: &Arc<UnflushedChanges>) -> Disk {
        let (injector, unflushed) = (self.clone(), unflushed.clone());
        Disk::observed(Arc::new(move |operation| {
            injector.check(operation)?;
            unflushed.record(operation);
            Ok(())
        }))
    }

    fn check(&self, operation: &Operation<'_>) -> io::Result<()> {
        let number = self.operations.fetch_add(1, Ordering::SeqCst);
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

/// A short write, as after a full disk or a kill.
fn write_half(path: &Path, bytes: &[u8]) {
    let mut options = OpenOptions::new();
    let mut file = options.append(true).create(true).open(path).unwrap();
    file.write_all(&bytes[..bytes.len() / 2]).unwrap();
}

/// The extent of a loss of power.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Loss {
    /// All unflushed directory changes and bytes.
    Everything,
    /// Bytes only: the files exist, but are empty.
    Bytes,
    /// The last directory change only.
    LastName,
}

/// The changes that are not flushed yet.
#[derive(Default)]
pub(crate) struct UnflushedChanges {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    names: Vec<Pending>,
    /// Files with unflushed bytes, and the number of bytes that are flushed.
    bytes: BTreeMap<PathBuf, u64>,
}

/// A directory change that is lost unless all of these directories are flushed after it. A rename
/// is a single change: a journalling file system undoes it in both directories or in neither.
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

impl UnflushedChanges {
    fn record(&self, operation: &Operation<'_>) {
        let mut state = self.state.lock().unwrap();
        match *operation {
            Operation::CreateDirectory(path) if !path.exists() => {
                state.add(Change::Directory(path.to_owned()), &[path]);
            }
            Operation::Create(path) if !path.exists() => {
                state.add(Change::File(path.to_owned()), &[path]);
            }
            Operation::Write(path, _) => {
                state.bytes.insert(path.to_owned(), 0);
            }
            Operation::Append(path, _) => {
                let length = fs::metadata(path).map_or(0, |metadata| metadata.len());
                state.bytes.entry(path.to_owned()).or_insert(length / 2);
                if !path.exists() {
                    state.add(Change::File(path.to_owned()), &[path]);
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
                state.add(Change::Removed(path.to_owned(), bytes), &[path]);
            }
            Operation::CreateDirectory(_) | Operation::Create(_) => {}
        }
    }

    /// `true` if no directory change would be lost.
    pub(crate) fn is_empty(&self) -> bool {
        self.state.lock().unwrap().names.is_empty()
    }

    /// Undoes the changes that a loss of power would undo now.
    pub(crate) fn lose_power(&self, loss: Loss) {
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
    fn add(&mut self, change: Change, paths: &[&Path]) {
        let directories = paths.iter().filter_map(|path| path.parent());
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
        let others = bytes.into_iter().filter(|(path, _)| path != to);
        self.bytes = others.map(|(path, safe)| (moved(&path), safe)).collect();
        for directory in self
            .names
            .iter_mut()
            .flat_map(|pending| &mut pending.directories)
        {
            *directory = moved(directory);
        }
        let change = Change::Renamed {
            from: from.to_owned(),
            to: to.to_owned(),
            replaced: fs::read(to).ok(),
        };
        self.add(change, &[from, to]);
    }

    fn flush(&mut self, directory: &Path) {
        for pending in &mut self.names {
            pending
                .directories
                .retain(|unflushed| unflushed != directory);
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

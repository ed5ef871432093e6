//! Files and directories: stat data, opening without following links, durable directory entries,
//! positional reads and writes.

use std::ffi::CStr;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, OFlags, Stat, statat};

/// A time as the file system records it, since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct FileTime {
    /// Whole seconds; negative before 1970.
    pub seconds: i64,
    /// The rest, in nanoseconds.
    pub nanoseconds: u32,
}

/// The stat data of a file: its inode, size and times. While it stays equal, the file is assumed to
/// be unchanged, as in git's index.
///
/// Contract: it differs after a file was replaced (another inode), and after its content or its
/// metadata changed in a later tick of the file system's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatData {
    /// The length in bytes.
    pub size: u64,
    /// The inode number.
    pub inode: u64,
    /// The last change of the content (mtime).
    pub modified: FileTime,
    /// The last change of the content or of the metadata (ctime), which no program can set.
    pub changed: FileTime,
}

impl From<&Metadata> for StatData {
    fn from(metadata: &Metadata) -> Self {
        Self {
            size: metadata.len(),
            inode: metadata.ino(),
            modified: FileTime {
                seconds: metadata.mtime(),
                nanoseconds: nanoseconds(metadata.mtime_nsec()),
            },
            changed: FileTime {
                seconds: metadata.ctime(),
                nanoseconds: nanoseconds(metadata.ctime_nsec()),
            },
        }
    }
}

impl From<&Stat> for StatData {
    fn from(stat: &Stat) -> Self {
        Self {
            size: stat.st_size.cast_unsigned(),
            inode: stat.st_ino,
            modified: FileTime {
                seconds: stat.st_mtime,
                nanoseconds: nanoseconds(stat.st_mtime_nsec),
            },
            changed: FileTime {
                seconds: stat.st_ctime,
                nanoseconds: nanoseconds(stat.st_ctime_nsec),
            },
        }
    }
}

/// Platforms differ in the type of the field; all values fit.
fn nanoseconds(value: impl TryInto<u32>) -> u32 {
    value.try_into().unwrap_or(0)
}

/// The kind of a directory entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A pipe, a socket or a device.
    Other,
}

/// An open directory. Names below it are resolved from there, which is fast even if its own path is
/// long.
pub struct DirectoryHandle {
    directory: File,
}

impl DirectoryHandle {
    /// Opens a directory.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            directory: File::open(path)?,
        })
    }

    /// The stat data and the kind of the entry at `path`, relative to the directory.
    ///
    /// Contract: a link in the last part of the path is not followed.
    ///
    /// # Errors
    /// When there is no such entry, or access to it is denied.
    pub fn stat(&self, path: &CStr) -> io::Result<(StatData, FileKind)> {
        // `fstatat`: one system call, relative to the open directory.
        let stat = statat(&self.directory, path, AtFlags::SYMLINK_NOFOLLOW)?;
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => FileKind::File,
            FileType::Directory => FileKind::Directory,
            FileType::Symlink => FileKind::Link,
            _ => FileKind::Other,
        };
        Ok((StatData::from(&stat), kind))
    }
}

/// Makes `options` refuse to open a symbolic link (`O_NOFOLLOW`), and open a pipe without waiting
/// for its other end (`O_NONBLOCK`).
///
/// Contract: opening a link fails, and opening never blocks. Sessions may come from strangers.
pub fn refuse_links(options: &mut OpenOptions) -> &mut OpenOptions {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.custom_flags(flags.bits().cast_signed())
}

/// Makes `options` create a file that only its owner reads and writes (mode 0600).
///
/// Contract: the mode of a file that exists stays.
pub fn make_private(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o600)
}

/// Creates a directory that only its owner enters (mode 0700); if `recursive`, with the missing
/// ones above it, which are private as well.
///
/// Contract: the mode of a directory that exists stays.
///
/// # Errors
/// When it cannot be created; if not `recursive`, also when it exists.
pub fn create_private_directory(path: &Path, recursive: bool) -> io::Result<()> {
    DirBuilder::new()
        .recursive(recursive)
        .mode(0o700)
        .create(path)
}

/// Gives `file` the permissions of a file with this `metadata`, and its owner if the system allows
/// that, as it does for root.
///
/// Contract: whoever could not read the one file cannot read the other.
///
/// # Errors
/// When the permissions cannot be set.
pub fn copy_access(metadata: &Metadata, file: &File) -> io::Result<()> {
    // Whoever may not give a file away owns the new one.
    let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
    file.set_permissions(metadata.permissions())
}

/// `true` if `path` names the open `file`; links are not followed.
///
/// Contract: `false` once another process has renamed or removed the file.
pub fn is_same_file(file: &File, path: &Path) -> bool {
    let (Ok(opened), Ok(named)) = (file.metadata(), fs::symlink_metadata(path)) else {
        return false;
    };
    // Inode numbers are unique only within one device.
    opened.ino() == named.ino() && opened.dev() == named.dev()
}

/// Flushes the entries of a directory to the device (fsync of the directory).
///
/// Contract: names that were created, renamed or removed in it before survive a power failure.
///
/// # Errors
/// When the directory cannot be opened, or the device reports a failure.
pub fn flush_directory(directory: &Path) -> io::Result<()> {
    // fsync(2): flushing a file does not flush its name, which is part of the directory.
    File::open(directory)?.sync_all()
}

/// Reads up to `buffer.len()` bytes at `offset`, and returns their number.
///
/// Contract: the file's cursor is neither used nor moved, so threads may share the file.
///
/// # Errors
/// When the bytes cannot be read.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

/// Fills `buffer` from `offset`; as [`read_at`].
///
/// # Errors
/// When the bytes cannot be read, or the file ends before.
pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

/// Writes all of `bytes` at `offset`.
///
/// Contract: the file's cursor is neither used nor moved.
///
/// # Errors
/// When the bytes cannot be written.
pub fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

/// The path of the file that standard output is redirected to.
///
/// Contract: `None` for a terminal, a pipe, a file without a name, and where the system does not
/// tell (other than Linux).
pub fn standard_output_file() -> Option<PathBuf> {
    let path = fs::read_link("/proc/self/fd/1").ok()?;
    path.is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn stat_data_of_a_handle_equals_that_of_a_path_and_shows_a_replaced_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "one").unwrap();
        let by_path = StatData::from(&fs::symlink_metadata(&path).unwrap());
        let handle = DirectoryHandle::open(folder.path()).unwrap();
        let name = CString::new("file").unwrap();
        assert_eq!(handle.stat(&name).unwrap(), (by_path, FileKind::File));

        let opened = File::open(&path).unwrap();
        assert!(is_same_file(&opened, &path));
        fs::write(folder.path().join("other"), "two").unwrap();
        fs::rename(folder.path().join("other"), &path).unwrap();
        assert!(!is_same_file(&opened, &path));
        assert_ne!(handle.stat(&name).unwrap().0.inode, by_path.inode);
    }

    #[test]
    fn a_symbolic_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "text").unwrap();
        symlink(&file, &link).unwrap();
        let open = |path: &Path| refuse_links(OpenOptions::new().read(true)).open(path);
        assert!(open(&file).is_ok() && open(&link).is_err());
        assert!(!is_same_file(&open(&file).unwrap(), &link));
        let handle = DirectoryHandle::open(folder.path()).unwrap();
        let name = CString::new("link").unwrap();
        assert_eq!(handle.stat(&name).unwrap().1, FileKind::Link);
    }
}

//! The bytes of files, never more than a limit.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::error::ReadError;

/// The size of a file. Refuses a path that is missing, not a file, or too large, before anything is
/// spent on it.
pub(super) fn check_size(path: &Path, limit: u64) -> Result<u64, ReadError> {
    let failed = |cause| ReadError::Io {
        path: path.to_owned(),
        cause,
    };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    // A named pipe or a device has no size, and its end may never come.
    if !metadata.is_file() {
        return Err(failed(std::io::Error::other("it is not a file")));
    }
    if metadata.len() > limit {
        return Err(ReadError::TooLarge {
            path: path.to_owned(),
            limit,
        });
    }
    Ok(metadata.len())
}

/// The bytes of a file, never more than the limit, even of a file that grows.
pub(super) fn of_file(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let size = check_size(path, limit)?;
    let file = File::open(path).map_err(|cause| ReadError::Io {
        path: path.to_owned(),
        cause,
    })?;
    // The file may have grown since its size was checked, so that its bytes are counted as well:
    // one more than the limit tells a file that is too long from one that just fits.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    file.take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|cause| ReadError::Io {
            path: path.to_owned(),
            cause,
        })?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge {
            path: path.to_owned(),
            limit,
        });
    }
    Ok(bytes)
}

/// The first bytes of a file; none if it cannot be opened.
pub(super) fn prefix(path: &Path, length: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)
        .ok()?
        .take(length)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(bytes)
}

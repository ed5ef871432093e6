//! The body of a response: in memory while it is small, in an unnamed temporary file beyond that,
//! so that long bodies that wait for a reader take no memory.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::SpooledTempFile;

/// The size beyond which a body is in a file, chosen by hand: few pages are longer, and 32 at once
/// take no more than 32 MiB.
const MAX_MEMORY_BYTES: u64 = 1 << 20;

/// The size of the pieces in which a reader is copied, chosen by hand.
const PIECE_BYTES: usize = 1 << 16;

/// The body of a response, decompressed. Clones share the bytes.
#[derive(Clone)]
pub struct ResponseBody(Arc<Mutex<Spool>>);

struct Spool {
    file: SpooledTempFile,
    length: u64,
}

impl ResponseBody {
    /// The number of bytes.
    pub fn length(&self) -> u64 {
        self.spool().length
    }

    /// Adds bytes at the end.
    ///
    /// # Errors
    /// When the disk is full.
    pub(super) fn push(&self, bytes: &[u8]) -> io::Result<()> {
        let mut spool = self.spool();
        let length = spool.length + bytes.len() as u64;
        if length > MAX_MEMORY_BYTES && !spool.file.is_rolled() {
            // Without a folder for temporary files it stays in memory.
            let _ = spool.file.roll();
        }
        let end = spool.length;
        spool.file.seek(io::SeekFrom::Start(end))?;
        spool.file.write_all(bytes)?;
        spool.length = length;
        Ok(())
    }

    /// Adds all bytes of a reader at the end, piece by piece.
    ///
    /// # Errors
    /// When it cannot be read, or the disk is full.
    pub(super) fn push_all(&self, reader: impl Read) -> io::Result<()> {
        let mut reader = BufReader::with_capacity(PIECE_BYTES, reader);
        loop {
            let piece = reader.fill_buf()?;
            if piece.is_empty() {
                return Ok(());
            }
            let length = piece.len();
            self.push(piece)?;
            reader.consume(length);
        }
    }

    /// All bytes, read into memory.
    ///
    /// # Errors
    /// When the temporary file cannot be read.
    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.length()).unwrap_or_default());
        self.read_with(|reader| reader.read_to_end(&mut bytes))?;
        Ok(bytes)
    }

    /// Gives `read` a reader of all bytes, which are not read into memory.
    ///
    /// # Errors
    /// When the temporary file cannot be read, and those of `read`.
    pub(super) fn read_with<T>(
        &self,
        read: impl FnOnce(&mut dyn Read) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut spool = self.spool();
        spool.file.rewind()?;
        read(&mut spool.file)
    }

    fn spool(&self) -> MutexGuard<'_, Spool> {
        // A panic under this lock leaves the bytes as they are.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for ResponseBody {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Spool {
            file: SpooledTempFile::new(usize::MAX),
            length: 0,
        })))
    }
}

/// A body in memory.
impl From<Vec<u8>> for ResponseBody {
    fn from(bytes: Vec<u8>) -> Self {
        let body = Self::default();
        // Writing to memory does not fail.
        let _ = body.spool().file.write_all(&bytes);
        body.spool().length = bytes.len() as u64;
        body
    }
}

impl fmt::Debug for ResponseBody {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ResponseBody({} bytes)", self.length())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_bodies_are_in_a_file_and_short_ones_in_memory() {
        let body = ResponseBody::default();
        let chunk = [b'x'; 300_000];
        for number in 1..=5_u64 {
            body.push(&chunk).unwrap();
            assert_eq!(body.length(), number * 300_000);
            assert_eq!(body.spool().file.is_rolled(), number > 3, "{number}");
            assert_eq!(body.bytes().unwrap().len() as u64, number * 300_000);
        }
        assert!(
            body.clone()
                .bytes()
                .unwrap()
                .iter()
                .all(|byte| *byte == b'x')
        );
        assert_eq!(ResponseBody::from(vec![1, 2]).bytes().unwrap(), [1, 2]);
    }
}

//! The source of a batch's topics. The scheduler takes one after the other and knows nothing else
//! of where they come from.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::outcome::Entry;
use super::shard::Shard;
use super::topics::{TopicLine, TopicList};

/// The number of bytes of a stream that are read at once.
const PIECE_BYTES: usize = 1 << 13;

/// The interval at which a growing list is read, and waiting for a stream may end (chosen by hand:
/// a person sees no delay).
const POLL: Duration = Duration::from_millis(200);

/// A source of topics, which the scheduler and all workers share.
pub trait TopicSource: Sync {
    /// The next topic, waiting for it if there is none yet; `None` at the end.
    ///
    /// # Errors
    /// When the source cannot be read on.
    fn next_topic(&self) -> Result<Option<TopicLine>>;

    /// Takes note of the outcome of a topic.
    fn settle(&self, _entry: &Entry) {}

    /// Returns `true` if a topic may come again and again, without end and in no order. Then none
    /// is a duplicate of an earlier one, and there is no record.
    fn redelivers(&self) -> bool {
        false
    }
}

/// The topics of a list, or of a shard of it.
pub struct ListSource<R> {
    list: Mutex<TopicList<R>>,
    shard: Option<Shard>,
}

impl<R: BufRead + Send> ListSource<R> {
    /// The topics of a list from the current position of `reader`; of those, a shard.
    pub fn new(reader: R, shard: Option<Shard>) -> Self {
        Self {
            list: Mutex::new(TopicList::new(reader)),
            shard,
        }
    }
}

impl<R: BufRead + Send> TopicSource for ListSource<R> {
    fn next_topic(&self) -> Result<Option<TopicLine>> {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let line = list.next_line()?;
            let is_ours = |line: &TopicLine| self.shard.is_none_or(|shard| shard.contains(line));
            if line.as_ref().is_none_or(is_ours) {
                return Ok(line);
            }
        }
    }
}

/// A file that grows: at its end, reading waits for what is appended, as `tail -f` does. An
/// incomplete last line so waits for its end.
pub struct Growing<F> {
    file: File,
    /// The number of bytes read.
    position: u64,
    is_over: F,
}

impl<F: Fn() -> bool> Growing<F> {
    /// Reads a file from its start until `is_over` returns `true`.
    pub fn new(file: File, is_over: F) -> Self {
        Self {
            file,
            position: 0,
            is_over,
        }
    }
}

impl<F: Fn() -> bool> Read for Growing<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !(self.is_over)() {
            let count = self.file.read(buffer)?;
            self.position += count as u64;
            if count > 0 {
                return Ok(count);
            }
            if self.file.metadata()?.len() < self.position {
                return Err(io::Error::other(
                    "it became shorter; only append to a list that is watched",
                ));
            }
            thread::sleep(POLL);
        }
        Ok(0)
    }
}

/// A stream, such as a pipe, whose next bytes may be long in coming: a thread of its own waits for
/// them, so that reading ends at once when `is_over` returns `true`.
pub struct Stream<F> {
    pieces: Receiver<io::Result<Vec<u8>>>,
    /// What has come and is not read yet.
    piece: io::Cursor<Vec<u8>>,
    is_over: F,
}

impl<F: Fn() -> bool> Stream<F> {
    /// Reads what `open` opens, which may itself be long in coming, until `is_over` returns `true`.
    pub fn new<R: Read>(open: impl FnOnce() -> io::Result<R> + Send + 'static, is_over: F) -> Self {
        let (sender, pieces) = sync_channel(1);
        // It ends with the process at the latest: nothing but the stream can wake it.
        thread::spawn(move || {
            let mut stream = match open() {
                Ok(stream) => stream,
                Err(error) => return drop(sender.send(Err(error))),
            };
            loop {
                let piece = next_piece(&mut stream);
                let is_last = piece.as_ref().map_or(true, Vec::is_empty);
                if sender.send(piece).is_err() || is_last {
                    return;
                }
            }
        });
        Self {
            pieces,
            piece: io::Cursor::default(),
            is_over,
        }
    }
}

impl<F: Fn() -> bool> Read for Stream<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !(self.is_over)() {
            let count = self.piece.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            match self.pieces.recv_timeout(POLL) {
                Ok(piece) => self.piece = io::Cursor::new(piece?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(0)
    }
}

/// The next bytes of a stream; none at its end.
fn next_piece(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut piece = vec![0; PIECE_BYTES];
    let count = loop {
        match stream.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read?,
        }
    };
    piece.truncate(count);
    Ok(piece)
}

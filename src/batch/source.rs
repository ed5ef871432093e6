//! The source of a batch's topics. The scheduler takes one after the other and knows nothing else
//! of where they come from.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::outcome::Entry;
use super::shard::Shard;
use super::topics::{TopicLine, TopicList};

/// The interval at which a growing list is read (chosen by hand: a person sees no delay).
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

//! The bytes of documents that are in memory at once while they are read: a counting semaphore.
//! Bodies of pages wait in temporary files, and files where they are, until it is their turn.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The most bytes of documents in memory; chosen by hand, so that with all else a main process
/// stays below 100 MiB. A larger document is alone.
const MAX_BYTES: u64 = 16 << 20;

/// A counting semaphore over bytes. Clones share the count.
#[derive(Debug, Clone, Default)]
pub(super) struct InFlight(Arc<Count>);

#[derive(Debug, Default)]
struct Count {
    bytes: Mutex<u64>,
    /// Notified when bytes are released.
    released: Condvar,
}

/// Bytes of a document that may be in memory, until it is dropped.
#[derive(Debug)]
pub struct Reservation {
    count: Arc<Count>,
    bytes: u64,
}

impl InFlight {
    /// Waits until so many bytes more may be in memory.
    pub(super) fn reserve(&self, bytes: u64) -> Reservation {
        let mut reserved = self.0.lock();
        while *reserved > 0 && reserved.saturating_add(bytes) > MAX_BYTES {
            reserved = self
                .0
                .released
                .wait(reserved)
                .unwrap_or_else(PoisonError::into_inner);
        }
        *reserved = reserved.saturating_add(bytes);
        Reservation {
            count: Arc::clone(&self.0),
            bytes,
        }
    }
}

impl Count {
    fn lock(&self) -> MutexGuard<'_, u64> {
        // Nothing that panics is done under this lock.
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut reserved = self.count.lock();
        *reserved = reserved.saturating_sub(self.bytes);
        drop(reserved);
        self.count.released.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;

    #[test]
    fn documents_wait_for_their_turn_and_a_large_one_is_alone() {
        let all = InFlight::default();
        let small = [all.reserve(MAX_BYTES / 2), all.reserve(MAX_BYTES / 2)];
        let (sender, turns) = mpsc::channel();
        let other = all.clone();
        let waiting = thread::spawn(move || {
            let alone = other.reserve(3 * MAX_BYTES);
            sender.send(*other.0.lock()).unwrap();
            drop(alone);
        });
        assert!(turns.try_recv().is_err());
        drop(small);
        assert_eq!(turns.recv().unwrap(), 3 * MAX_BYTES);
        waiting.join().unwrap();
        assert_eq!(*all.0.lock(), 0);
    }
}

//! The skip cache of a batch: the topics that are finished, and the fingerprints of their
//! sessions' files. A cache hit with an unchanged fingerprint is skipped without opening the
//! session.
//!
//! A file of fixed-size records ([`super::skip_record`]) beside the sessions. It is a pure cache
//! and may be deleted at any time: a topic whose record is missing or damaged, or whose files
//! changed, is planned. Records are only appended, each in a single write, so processes share the
//! file without a lock, and the last record of a topic counts. They are in the order in which
//! topics were finished, nearly that of the list, so the next run of the list reads the file
//! sequentially.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Result;

use super::skip_record::{RECORD_BYTES, SkipRecord, TopicKey, key_of};
use crate::pipeline::{Disk, Fingerprint, FingerprintReader, open_file};
use crate::platform::read_at;

/// The name of the file in the output directory.
const FILE_NAME: &str = ".batch-stamps";

/// The number of records read at once for a lookup: 64 KiB. With 8 KiB, records that are nearly in
/// the order of the list were read three times (`cargo bench --bench batch -- nothing`).
const WINDOW_RECORDS: usize = 512;
/// The number of records read at once for the index: 64 KiB.
const SCAN_RECORDS: usize = 512;
/// The limit of the records read from a file: half a gibibyte.
const MAX_RECORDS: u64 = 1 << 22;
/// The number of superseded records below which the file is never compacted.
const MIN_SUPERSEDED: usize = 1 << 10;

/// The skip cache, which the scheduler and all workers share.
pub(super) struct SkipCache {
    records: Mutex<RecordFile>,
    /// The files that identify a finished session with a single round.
    files: Vec<String>,
}

impl SkipCache {
    /// Loads the cache of an output directory; empty if it cannot be read.
    pub(super) fn load(output_dir: &Path, disk: Disk, files: Vec<String>) -> Self {
        Self {
            records: Mutex::new(RecordFile::load(output_dir, disk)),
            files,
        }
    }

    /// The record of a topic; `None` is a cache miss.
    pub(super) fn find(&self, key: TopicKey) -> Option<SkipRecord> {
        self.lock().find(key)
    }

    /// Adds a record, for the next batch. A failure costs only time there.
    pub(super) fn add(&self, record: &SkipRecord) {
        self.lock().append(record);
    }

    /// The names of the files that identify a finished session with `rounds` rounds sent back.
    pub(super) fn files(&self, rounds: u16) -> impl Iterator<Item = String> {
        self.files.iter().cloned().chain(round_files(rounds))
    }

    /// The fingerprint of those files in the session `id`.
    pub(super) fn fingerprint(
        &self,
        tree: &mut FingerprintReader,
        id: &str,
        rounds: u16,
    ) -> io::Result<Fingerprint> {
        // Most sessions have no earlier round; then this does not allocate.
        let rounds: Vec<String> = round_files(rounds).collect();
        tree.fingerprint(id, self.files.iter().chain(&rounds).map(String::as_str))
    }

    fn lock(&self) -> MutexGuard<'_, RecordFile> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The names of the directory and the decisions of the rounds that were sent back.
fn round_files(rounds: u16) -> impl Iterator<Item = String> {
    let directory = (rounds > 0).then(|| "rounds".to_owned());
    let decisions = (1..=rounds).map(|round| format!("rounds/{round}/review.json"));
    directory.into_iter().chain(decisions)
}

/// The file of records, with an index of their keys in memory: 8 bytes per record.
struct RecordFile {
    path: PathBuf,
    disk: Disk,
    file: Option<File>,
    /// The prefix of the key and the position in the file of each record; sorted.
    index: Vec<(u32, u32)>,
    /// The prefixes that several records have, those of superseded ones among them; sorted.
    repeated: Vec<u32>,
    /// The position after that of the last record looked up: most likely the next one.
    next: u32,
    /// Set if the file must be compacted before a record is appended.
    needs_compaction: bool,
    /// The last window read from the file, and the position of its first record.
    window: (Vec<u8>, u32),
}

impl RecordFile {
    fn load(output_dir: &Path, disk: Disk) -> Self {
        let path = output_dir.join(FILE_NAME);
        let file = open_file(&path).ok();
        let index = file.as_ref().and_then(|file| index_of(file).ok());
        let index = index.unwrap_or_default();
        let pairs = index.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let mut repeated: Vec<u32> = pairs.map(|pair| pair[0].0).collect();
        let superseded = repeated.len();
        repeated.dedup();
        let length = file
            .as_ref()
            .and_then(|file| file.metadata().ok())
            .map_or(0, |metadata| metadata.len());
        // A torn last record would shift all later ones.
        let is_torn = !length.is_multiple_of(RECORD_BYTES as u64);
        let is_too_long = length > MAX_RECORDS * RECORD_BYTES as u64;
        Self {
            path,
            disk,
            file,
            // Compacting when half of the records are superseded keeps the cost of an appended
            // record constant on average.
            needs_compaction: is_torn
                || is_too_long
                || superseded > MIN_SUPERSEDED.max(index.len() / 2),
            repeated,
            next: 0,
            index,
            window: (Vec::new(), 0),
        }
    }

    /// The last record of a topic.
    fn find(&mut self, wanted: TopicKey) -> Option<SkipRecord> {
        let position = self.successor(wanted).or_else(|| self.search(wanted))?;
        self.next = position + 1;
        self.record(position)
    }

    /// The position after that of the last record looked up, if the record of a topic is there and
    /// is its only one. A list that is run again has its topics in the order of the records, so
    /// that the index need not be searched.
    fn successor(&self, wanted: TopicKey) -> Option<u32> {
        let is_its = key_of(self.in_window(self.next)?) == wanted;
        (is_its && self.repeated.binary_search(&wanted.prefix()).is_err()).then_some(self.next)
    }

    /// The position of the last record of a topic.
    fn search(&mut self, wanted: TopicKey) -> Option<u32> {
        // Binary search for the prefix, then backwards: within equal prefixes the index is sorted
        // by position, and the last record counts. The full key decides among candidates.
        let prefix = wanted.prefix();
        let end = self.index.partition_point(|(other, _)| *other <= prefix);
        for candidate in (0..end).rev() {
            let (other, position) = self.index[candidate];
            if other != prefix {
                break;
            }
            let record = self.record(position);
            if record.is_some_and(|record| record.key == wanted) {
                return Some(position);
            }
        }
        None
    }

    /// The record at a position of the file; `None` if it is damaged.
    fn record(&mut self, position: u32) -> Option<SkipRecord> {
        if self.in_window(position).is_none() {
            let (bytes, first) = &mut self.window;
            bytes.resize(WINDOW_RECORDS * RECORD_BYTES, 0);
            // The window begins a quarter before the record: concurrent sessions do not finish
            // exactly in the order of the list.
            *first = position.saturating_sub(WINDOW_RECORDS as u32 / 4);
            let offset = u64::from(*first) * RECORD_BYTES as u64;
            let read = read_at(self.file.as_ref()?, bytes, offset).unwrap_or(0);
            bytes.truncate(read);
        }
        SkipRecord::decode(self.in_window(position)?)
    }

    /// The bytes of the record at a position of the file, if the window has it.
    fn in_window(&self, position: u32) -> Option<&[u8; RECORD_BYTES]> {
        let (bytes, first) = &self.window;
        let (records, _) = bytes.as_chunks::<RECORD_BYTES>();
        records.get(usize::try_from(position.checked_sub(*first)?).ok()?)
    }

    fn append(&mut self, record: &SkipRecord) {
        let Some(bytes) = record.encode() else {
            return;
        };
        if self.needs_compaction && self.compact().is_err() {
            return;
        }
        self.needs_compaction = false;
        // One write per record, so that records of several processes do not interleave.
        let _ = self.disk.append(&self.path, &bytes);
    }

    /// Writes the file anew, with the last record of each topic in the order of the file.
    fn compact(&mut self) -> Result<()> {
        let mut positions: Vec<u32> = self.index.iter().map(|(_, position)| *position).collect();
        positions.sort_unstable();
        let mut stream = self.disk.stream(&self.path)?;
        for position in positions {
            // Damaged and superseded records are left out.
            if let Some(record) = self.record(position)
                && self.find(record.key).as_ref() == Some(&record)
                && let Some(bytes) = record.encode()
            {
                stream.add(&bytes)?;
            }
        }
        stream.finish()?;
        // The index and the window belong to the replaced file.
        *self = Self::load(self.path.parent().unwrap_or(&self.path), self.disk.clone());
        Ok(())
    }
}

/// Reads the file once, to index its keys.
fn index_of(file: &File) -> io::Result<Vec<(u32, u32)>> {
    let expected = file.metadata()?.len() / RECORD_BYTES as u64;
    let mut index = Vec::with_capacity(expected.min(MAX_RECORDS) as usize);
    // Checksums are not verified here, but when a record is looked up.
    let mut bytes = vec![0; SCAN_RECORDS * RECORD_BYTES];
    while (index.len() as u64) < MAX_RECORDS {
        let read = read_at(file, &mut bytes, (index.len() * RECORD_BYTES) as u64)?;
        let (records, _) = bytes[..read].as_chunks::<RECORD_BYTES>();
        if records.is_empty() {
            break;
        }
        for record in records {
            index.push((key_of(record).prefix(), index.len() as u32));
        }
    }
    index.sort_unstable();
    Ok(index)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::batch::Outcome;
    use crate::pipeline::Digest;

    fn record(number: u64) -> SkipRecord {
        SkipRecord {
            key: TopicKey::of(&Digest::of(number.to_le_bytes())),
            configuration: 7,
            fingerprint: number,
            score: Some(0.5),
            rounds: 2,
            outcome: Outcome::BelowThreshold,
            id: format!("research-20261121-{number:06x}"),
        }
    }

    fn load(folder: &tempfile::TempDir) -> RecordFile {
        RecordFile::load(folder.path(), Disk::default())
    }

    #[test]
    fn skip_cache_finds_every_record_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut records = load(&folder);
        let mut all: Vec<SkipRecord> = (0..5000).map(record).collect();
        assert_eq!(records.find(all[0].key), None);
        for record in &all {
            records.append(record);
        }
        let mut again = load(&folder);
        for turn in 0..2 {
            for record in &all {
                assert_eq!(again.find(record.key).as_ref(), Some(record), "{turn}");
            }
            all.sort_unstable_by_key(|record| record.key.low_bits());
        }
        assert_eq!(again.find(record(9999).key), None);
    }

    #[test]
    fn skip_cache_compaction_keeps_the_last_record_of_a_topic() {
        let folder = tempfile::tempdir().unwrap();
        let of = |number: u64, fingerprint: u64| SkipRecord {
            fingerprint,
            ..record(number)
        };
        for turn in 0..6 {
            for number in 0..1000 {
                load(&folder).append(&of(number, turn));
            }
            let mut records = load(&folder);
            for number in 0..1000 {
                assert_eq!(records.find(record(number).key), Some(of(number, turn)));
            }
        }
        let bytes = fs::metadata(folder.path().join(FILE_NAME)).unwrap().len();
        assert!(bytes <= (3000 * RECORD_BYTES) as u64, "{bytes}");
    }

    #[test]
    fn skip_cache_passes_over_a_superseded_record_that_comes_next() {
        let folder = tempfile::tempdir().unwrap();
        let last = SkipRecord {
            fingerprint: 9,
            ..record(1)
        };
        for record in [&record(0), &record(1), &record(2), &last] {
            load(&folder).append(record);
        }
        let mut records = load(&folder);
        for wanted in [record(0), last, record(2)] {
            assert_eq!(records.find(wanted.key), Some(wanted));
        }
    }

    #[test]
    fn skip_cache_takes_records_of_concurrent_writers() {
        let folder = tempfile::tempdir().unwrap();
        let append = |from: u64| {
            let mut records = load(&folder);
            (from..from + 500).for_each(|number| records.append(&record(number)));
        };
        std::thread::scope(|scope| {
            for from in [0, 500, 1000, 1500] {
                scope.spawn(move || append(from));
            }
        });
        let mut records = load(&folder);
        assert!((0..2000).all(|number| records.find(record(number).key) == Some(record(number))));
    }

    #[test]
    fn skip_cache_ignores_damaged_records() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let mut records = load(&folder);
        (0..300).for_each(|number| records.append(&record(number)));
        let whole = fs::read(&path).unwrap();
        for step in [1, 7, 100] {
            let mut bytes = whole.clone();
            let torn = bytes.iter_mut().skip(10).step_by(step);
            torn.for_each(|byte| *byte ^= 0x55);
            fs::write(&path, &bytes).unwrap();
            let mut records = load(&folder);
            let hits = (0..300).filter(|number| records.find(record(*number).key).is_some());
            assert_eq!(hits.count(), 0, "{step}");
            records.append(&record(1));
            assert_eq!(load(&folder).find(record(1).key), Some(record(1)));
        }
        for length in [0, 5, 140, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            load(&folder).append(&record(400));
            let mut records = load(&folder);
            assert_eq!(records.find(record(400).key), Some(record(400)), "{length}");
            assert_eq!(records.find(record(0).key).is_some(), length > RECORD_BYTES);
        }
    }
}

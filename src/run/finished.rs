//! Which questions were found finished, and what their sessions' files looked like then: records in
//! a file beside the sessions, so that a batch over thousands of them opens none.
//!
//! Advice, as the stamps of one session are. A question that is not in it, or whose files moved, is
//! planned; a record that is torn is none. Records are only ever added, so processes share the file
//! without a lock, and the last one on a question counts; it may go at any time. They stand in the
//! order in which questions were finished, nearly that of the list, so that going through the list
//! again reads the file from its beginning to its end.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::pipeline::{Digest, Disk, mixed, open_file};
use crate::platform::read_at;

/// Where it is kept in the output directory.
pub(super) const NAME: &str = ".batch-stamps";

/// What a checksum begins with. Another shape of records is another number.
const SHAPE: u64 = 2;
const RECORD_BYTES: usize = 128;
/// Where the name of the session stands in a record, up to its end.
const ID_AT: usize = 52;
const LONGEST_ID: usize = RECORD_BYTES - ID_AT;

/// Records read together when a question is looked up.
const WINDOW: usize = 64;
/// Records read together when all are.
const READ: usize = 512;
/// The most that are taken from a file: half a gibibyte.
const MOST_RECORDS: u64 = 1 << 22;
/// Records that no longer count are let stand up to here, and beyond it as long as they are not
/// most of all.
const SPARED: usize = 1 << 10;

/// A question's hash, as far as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(u128);

impl Key {
    /// The beginning of a digest.
    pub(super) fn of(digest: &Digest) -> Self {
        Self(u128::from_str_radix(&digest.as_str()[..32], 16).unwrap_or(0))
    }

    /// Half of it: enough to tell the topics of a list apart.
    pub(super) fn short(self) -> u64 {
        self.0 as u64
    }

    /// A quarter of it, to look a question up by.
    fn print(self) -> u32 {
        (self.0 >> 96) as u32
    }
}

/// What was found of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finished {
    /// Which question.
    pub(super) key: Key,
    /// By what configuration it was planned.
    pub(super) configuration: u64,
    /// What its files looked like: see [`crate::pipeline::Signature`].
    pub(super) signature: u64,
    /// The score of the published round.
    pub(super) score: f64,
    /// Rounds that were sent back.
    pub(super) rounds: u16,
    /// What it came to, as the batch numbers it.
    pub(super) ending: u8,
    /// The session.
    pub(super) id: String,
}

/// The records.
pub(super) struct Table {
    path: PathBuf,
    disk: Disk,
    file: Option<File>,
    /// Of each record a quarter of its question's hash, and its place in the file; sorted.
    index: Vec<(u32, u32)>,
    /// Set when the file is to be written anew before a record is added.
    is_worn: bool,
    /// A piece of the file, and the place of its first record.
    window: (Vec<u8>, u32),
}

impl Table {
    /// The records of an output directory; none if they cannot be read.
    pub(super) fn load(output_dir: &Path, disk: Disk) -> Self {
        let path = output_dir.join(NAME);
        let file = open_file(&path).ok();
        let index = file.as_ref().map(index).transpose();
        let index = index.ok().flatten().unwrap_or_default();
        let repeated = index.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let stale = repeated.count();
        let length = file.as_ref().and_then(|file| file.metadata().ok());
        let length = length.map_or(0, |it| it.len());
        let record = RECORD_BYTES as u64;
        let is_whole = length <= MOST_RECORDS * record && length.is_multiple_of(record);
        Self {
            path,
            disk,
            file,
            is_worn: !is_whole || stale > SPARED.max(index.len() / 2),
            index,
            window: (Vec::new(), 0),
        }
    }

    /// What is known of a question.
    pub(super) fn find(&mut self, wanted: Key) -> Option<Finished> {
        let print = wanted.print();
        let end = self.index.partition_point(|(it, _)| *it <= print);
        for before in (0..end).rev() {
            let (found, place) = self.index[before];
            if found != print {
                break;
            }
            let record = self.record(place);
            if record.as_ref().is_some_and(|record| record.key == wanted) {
                return record;
            }
        }
        None
    }

    /// The record at a place of the file, if it is whole.
    fn record(&mut self, place: u32) -> Option<Finished> {
        let (bytes, first) = &mut self.window;
        let held = |bytes: &[u8], first: u32| {
            let at = usize::try_from(place.checked_sub(first)?).ok()? * RECORD_BYTES;
            decode(bytes.get(at..at + RECORD_BYTES)?.first_chunk()?)
        };
        let count = (bytes.len() / RECORD_BYTES) as u32;
        if !(*first..*first + count).contains(&place) {
            bytes.resize(WINDOW * RECORD_BYTES, 0);
            // Sessions that were made at once did not quite finish in the order of the list.
            *first = place.saturating_sub(WINDOW as u32 / 4);
            let at = u64::from(*first) * RECORD_BYTES as u64;
            let read = read_at(self.file.as_ref()?, bytes, at).unwrap_or(0);
            bytes.truncate(read);
        }
        held(bytes, *first)
    }

    /// Keeps what is known of a question, for the next time. If that fails, it costs time, nothing
    /// else.
    pub(super) fn keep(&mut self, record: &Finished) {
        if record.id.len() > LONGEST_ID {
            return;
        }
        if self.is_worn && self.renew().is_err() {
            return;
        }
        self.is_worn = false;
        let _ = self.disk.append(&self.path, &encode(record));
    }

    /// Writes the file anew, with the last record of each question.
    fn renew(&mut self) -> Result<()> {
        let mut places: Vec<u32> = self.index.iter().map(|(_, place)| *place).collect();
        places.sort_unstable();
        let mut stream = self.disk.stream(&self.path)?;
        for place in places {
            if let Some(record) = self.record(place)
                && self.find(record.key).as_ref() == Some(&record)
            {
                stream.add(&encode(&record))?;
            }
        }
        stream.finish()?;
        // What is in memory belongs to the file that was.
        *self = Self::load(self.path.parent().unwrap_or(&self.path), self.disk.clone());
        Ok(())
    }
}

/// Reads through the file once.
fn index(file: &File) -> io::Result<Vec<(u32, u32)>> {
    let most = file.metadata()?.len() / RECORD_BYTES as u64;
    let mut index = Vec::with_capacity(most.min(MOST_RECORDS) as usize);
    let mut bytes = vec![0; READ * RECORD_BYTES];
    while (index.len() as u64) < MOST_RECORDS {
        let read = read_at(file, &mut bytes, (index.len() * RECORD_BYTES) as u64)?;
        let (records, _) = bytes[..read].as_chunks::<RECORD_BYTES>();
        if records.is_empty() {
            break;
        }
        for record in records {
            index.push((key_in(record).print(), index.len() as u32));
        }
    }
    index.sort_unstable();
    Ok(index)
}

fn key_in(bytes: &[u8; RECORD_BYTES]) -> Key {
    let mut key = [0; 16];
    key.copy_from_slice(&bytes[8..24]);
    Key(u128::from_le_bytes(key))
}

/// The first field of a record: a hash over the others.
fn checksum(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    words.fold(SHAPE, mixed)
}

fn encode(record: &Finished) -> [u8; RECORD_BYTES] {
    let mut bytes = [0; RECORD_BYTES];
    bytes[8..24].copy_from_slice(&record.key.0.to_le_bytes());
    bytes[24..32].copy_from_slice(&record.configuration.to_le_bytes());
    bytes[32..40].copy_from_slice(&record.signature.to_le_bytes());
    bytes[40..48].copy_from_slice(&record.score.to_le_bytes());
    bytes[48..50].copy_from_slice(&record.rounds.to_le_bytes());
    bytes[50] = record.ending;
    bytes[51] = u8::try_from(record.id.len()).unwrap_or(0);
    bytes[ID_AT..ID_AT + record.id.len()].copy_from_slice(record.id.as_bytes());
    let sum = checksum(&bytes[8..]);
    bytes[..8].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn decode(bytes: &[u8; RECORD_BYTES]) -> Option<Finished> {
    let number = |at: usize| Some(u64::from_le_bytes(bytes[at..at + 8].try_into().ok()?));
    if number(0)? != checksum(&bytes[8..]) {
        return None;
    }
    let id = bytes.get(ID_AT..ID_AT + usize::from(bytes[51]))?;
    let id = std::str::from_utf8(id).ok()?;
    // The file may come from a stranger: a name leads nowhere else.
    let is_name = !id.is_empty() && !id.starts_with('.') && !id.contains(['/', '\0']);
    is_name.then_some(Finished {
        key: key_in(bytes),
        configuration: number(24)?,
        signature: number(32)?,
        score: f64::from_bits(number(40)?),
        rounds: u16::from_le_bytes(bytes[48..50].try_into().ok()?),
        ending: bytes[50],
        id: id.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn record(number: u64) -> Finished {
        Finished {
            key: Key::of(&Digest::of(number.to_le_bytes())),
            configuration: 7,
            signature: number,
            score: 0.5,
            rounds: 2,
            ending: 1,
            id: format!("research-20261121-{number:06x}"),
        }
    }

    fn load(folder: &tempfile::TempDir) -> Table {
        Table::load(folder.path(), Disk::default())
    }

    #[test]
    fn what_is_kept_is_found_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut table = load(&folder);
        let mut all: Vec<Finished> = (0..5000).map(record).collect();
        assert_eq!(table.find(all[0].key), None);
        for record in &all {
            table.keep(record);
        }
        let mut again = load(&folder);
        for turn in 0..2 {
            for record in &all {
                assert_eq!(again.find(record.key).as_ref(), Some(record), "{turn}");
            }
            all.sort_unstable_by_key(|record| record.key.short());
        }
        assert_eq!(again.find(record(9999).key), None);
    }

    #[test]
    fn the_last_record_of_a_question_counts_and_earlier_ones_go_in_time() {
        let folder = tempfile::tempdir().unwrap();
        let of = |number: u64, signature: u64| Finished {
            signature,
            ..record(number)
        };
        for turn in 0..6 {
            for number in 0..1000 {
                load(&folder).keep(&of(number, turn));
            }
            let mut table = load(&folder);
            for number in 0..1000 {
                assert_eq!(table.find(record(number).key), Some(of(number, turn)));
            }
        }
        let bytes = fs::metadata(folder.path().join(NAME)).unwrap().len();
        assert!(bytes <= (3000 * RECORD_BYTES) as u64, "{bytes}");
    }

    #[test]
    fn several_add_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let keep = |from: u64| {
            let mut table = load(&folder);
            (from..from + 500).for_each(|number| table.keep(&record(number)));
        };
        std::thread::scope(|scope| {
            for from in [0, 500, 1000, 1500] {
                scope.spawn(move || keep(from));
            }
        });
        let mut table = load(&folder);
        assert!((0..2000).all(|number| table.find(record(number).key) == Some(record(number))));
    }

    #[test]
    fn what_is_damaged_is_not_found_and_breaks_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let mut table = load(&folder);
        (0..300).for_each(|number| table.keep(&record(number)));
        let whole = fs::read(&path).unwrap();
        for step in [1, 7, 100] {
            let mut bytes = whole.clone();
            let torn = bytes.iter_mut().skip(10).step_by(step);
            torn.for_each(|byte| *byte ^= 0x55);
            fs::write(&path, &bytes).unwrap();
            let mut table = load(&folder);
            let found = (0..300).filter(|number| table.find(record(*number).key).is_some());
            assert_eq!(found.count(), 0, "{step}");
            table.keep(&record(1));
            assert_eq!(load(&folder).find(record(1).key), Some(record(1)));
        }
        for length in [0, 5, 140, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            load(&folder).keep(&record(400));
            let mut table = load(&folder);
            assert_eq!(table.find(record(400).key), Some(record(400)), "{length}");
            assert_eq!(table.find(record(0).key).is_some(), length > 128);
        }
    }
}

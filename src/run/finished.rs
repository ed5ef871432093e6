//! Which questions were found finished, and what their sessions' files looked like then: a hash table in a file beside the
//! sessions, so that a batch over thousands of them opens none.
//!
//! Advice, as the stamps of one session are. A question that is not in it, or whose files moved, is planned; a record that
//! is torn or overwritten by another process is none. So processes share the file without a lock, and it may go at any time.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::pipeline::{Digest, Disk, mixed};

/// Where it is kept in the output directory.
pub(super) const NAME: &str = ".batch-stamps";

/// What the file begins with. Another shape is another number.
const MAGIC: &[u8; 16] = b"research batch 1";
const HEADER_BYTES: usize = 32;
const RECORD_BYTES: usize = 176;
/// Hexadecimal digits of a question's hash that are kept.
const KEY_BYTES: usize = 32;
const LONGEST_ID: usize = 100;

/// Slots of a new table.
const FIRST_SLOTS: u64 = 1 << 10;
/// Slots of the largest: room for some million sessions.
const MOST_SLOTS: u64 = 1 << 26;
/// Slots after its own in which a record may stand; where all are taken, the table grows.
const PROBED: u64 = 32;
/// Slots read together: enough for most.
const READ: usize = 2;

/// A question's hash, as far as it is kept.
pub(super) type Key = [u8; KEY_BYTES];

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

/// The table.
pub(super) struct Table {
    path: PathBuf,
    disk: Disk,
    open: Option<(File, u64)>,
}

/// The beginning of a digest as a key.
pub(super) fn key(digest: &Digest) -> Key {
    let mut key = Key::default();
    for (place, byte) in key.iter_mut().zip(digest.as_str().bytes()) {
        *place = byte;
    }
    key
}

impl Table {
    /// The table of an output directory; an empty one if there is none that can be read.
    pub(super) fn load(output_dir: &Path, disk: Disk) -> Self {
        let path = output_dir.join(NAME);
        let file = disk.open_cache(&path).ok();
        let open = file.and_then(|file| {
            let slots = slots(&file)?;
            Some((file, slots))
        });
        Self { path, disk, open }
    }

    /// What is known of a question.
    pub(super) fn find(&self, wanted: &Key) -> Option<Finished> {
        let (file, slots) = self.open.as_ref()?;
        let mut found = None;
        let _ = probe(file, *slots, wanted, |_, bytes| {
            if bytes[8..40] == wanted[..] {
                found = decode(bytes);
            }
            found.is_some() || is_free(bytes)
        });
        found
    }

    /// Keeps what is known of a question. If that fails, it costs time, nothing else.
    pub(super) fn keep(&mut self, record: &Finished) {
        if record.id.len() <= LONGEST_ID {
            let _ = self.try_keep(record);
        }
    }

    fn try_keep(&mut self, record: &Finished) -> io::Result<()> {
        if self.open.is_none() {
            self.open = Some((self.made(FIRST_SLOTS, None)?, FIRST_SLOTS));
        }
        while let Some((file, slots)) = &self.open {
            if let Some(slot) = place(file, *slots, &record.key)? {
                let at = offset(slot);
                return self.disk.patch_cache(&self.path, file, at, &encode(record));
            }
            let more = slots * 2;
            if more > MOST_SLOTS {
                break;
            }
            self.open = Some((self.made(more, self.open.as_ref())?, more));
        }
        Ok(())
    }

    /// A new table in place of the old, with what the old one holds.
    fn made(&self, slots: u64, old: Option<&(File, u64)>) -> io::Result<File> {
        let bytes = HEADER_BYTES as u64 + slots * RECORD_BYTES as u64;
        self.disk.replace_cache(&self.path, bytes, |file| {
            let mut header = [0; HEADER_BYTES];
            header[..16].copy_from_slice(MAGIC);
            header[16..24].copy_from_slice(&slots.to_le_bytes());
            file.write_all_at(&header, 0)?;
            let Some((old, old_slots)) = old else {
                return Ok(());
            };
            let mut bytes = [0; RECORD_BYTES];
            for slot in 0..*old_slots {
                old.read_exact_at(&mut bytes, offset(slot))?;
                if let Some(record) = decode(&bytes)
                    && let Some(slot) = place(file, slots, &record.key)?
                {
                    file.write_all_at(&bytes, offset(slot))?;
                }
            }
            Ok(())
        })
    }
}

/// The slots of a table that is one.
fn slots(file: &File) -> Option<u64> {
    let mut header = [0; HEADER_BYTES];
    file.read_exact_at(&mut header, 0).ok()?;
    let slots = u64::from_le_bytes(header[16..24].try_into().ok()?);
    let is_table = header[..16] == *MAGIC
        && slots.is_power_of_two()
        && (FIRST_SLOTS..=MOST_SLOTS).contains(&slots)
        && file.metadata().ok()?.len() == offset(slots);
    is_table.then_some(slots)
}

fn offset(slot: u64) -> u64 {
    HEADER_BYTES as u64 + slot * RECORD_BYTES as u64
}

/// The slot for a key: its own, or the first free one; none if all that are probed are taken by others.
fn place(file: &File, slots: u64, key: &Key) -> io::Result<Option<u64>> {
    let mut place = None;
    probe(file, slots, key, |slot, bytes| {
        let is_its = is_free(bytes) || decode(bytes).is_none_or(|record| record.key == *key);
        if is_its {
            place = Some(slot);
        }
        is_its
    })?;
    Ok(place)
}

/// Shows the slots in which a key may stand, until `look` has seen enough.
fn probe(
    file: &File,
    slots: u64,
    key: &Key,
    mut look: impl FnMut(u64, &[u8; RECORD_BYTES]) -> bool,
) -> io::Result<()> {
    let digits = std::str::from_utf8(&key[..16]).unwrap_or("0");
    let own = u64::from_str_radix(digits, 16).unwrap_or(0) & (slots - 1);
    let end = slots.min(own + PROBED);
    let mut slot = own;
    let mut bytes = [0; READ * RECORD_BYTES];
    while slot < end {
        let read = file.read_at(&mut bytes, offset(slot))?;
        let (records, _) = bytes[..read].as_chunks::<RECORD_BYTES>();
        if records.is_empty() {
            return Ok(());
        }
        for record in records {
            if look(slot, record) {
                return Ok(());
            }
            slot += 1;
            if slot == end {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn is_free(bytes: &[u8; RECORD_BYTES]) -> bool {
    bytes[..8] == [0; 8]
}

/// The first field of a record: a hash over the others, never zero.
fn checksum(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    words.fold(0, mixed) | 1
}

fn encode(record: &Finished) -> [u8; RECORD_BYTES] {
    let mut bytes = [0; RECORD_BYTES];
    bytes[8..40].copy_from_slice(&record.key);
    bytes[40..48].copy_from_slice(&record.configuration.to_le_bytes());
    bytes[48..56].copy_from_slice(&record.signature.to_le_bytes());
    bytes[56..64].copy_from_slice(&record.score.to_le_bytes());
    bytes[64..66].copy_from_slice(&record.rounds.to_le_bytes());
    bytes[66] = record.ending;
    bytes[67] = u8::try_from(record.id.len()).unwrap_or(0);
    bytes[68..68 + record.id.len()].copy_from_slice(record.id.as_bytes());
    let sum = checksum(&bytes[8..]);
    bytes[..8].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn decode(bytes: &[u8; RECORD_BYTES]) -> Option<Finished> {
    let number = |at: usize| Some(u64::from_le_bytes(bytes[at..at + 8].try_into().ok()?));
    if number(0)? != checksum(&bytes[8..]) {
        return None;
    }
    let id = bytes.get(68..68 + usize::from(bytes[67]))?;
    let id = std::str::from_utf8(id).ok()?;
    // The file may come from a stranger: a name leads nowhere else.
    let is_name = !id.is_empty() && !id.starts_with('.') && !id.contains(['/', '\0']);
    is_name.then_some(Finished {
        key: bytes[8..40].try_into().ok()?,
        configuration: number(40)?,
        signature: number(48)?,
        score: f64::from_bits(number(56)?),
        rounds: u16::from_le_bytes(bytes[64..66].try_into().ok()?),
        ending: bytes[66],
        id: id.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u64) -> Finished {
        Finished {
            key: key(&Digest::of(number.to_le_bytes())),
            configuration: 7,
            signature: number,
            score: 0.5,
            rounds: 2,
            ending: 1,
            id: format!("research-20261121-{number:06x}"),
        }
    }

    #[test]
    fn what_is_kept_is_found_and_outlives_growth() {
        let folder = tempfile::tempdir().unwrap();
        let mut table = Table::load(folder.path(), Disk::default());
        let all: Vec<Finished> = (0..5000).map(record).collect();
        assert_eq!(table.find(&all[0].key), None);
        for record in &all {
            table.keep(record);
        }
        let again = Table::load(folder.path(), Disk::default());
        assert!(again.open.as_ref().unwrap().1 > FIRST_SLOTS);
        for record in &all {
            assert_eq!(again.find(&record.key).as_ref(), Some(record));
        }
        assert_eq!(again.find(&record(9999).key), None);
    }

    #[test]
    fn a_later_record_of_a_question_replaces_the_earlier() {
        let folder = tempfile::tempdir().unwrap();
        let mut table = Table::load(folder.path(), Disk::default());
        table.keep(&record(1));
        let later = Finished {
            signature: 99,
            ..record(1)
        };
        table.keep(&later);
        assert_eq!(table.find(&later.key), Some(later));
    }

    #[test]
    fn what_is_damaged_is_not_found_and_breaks_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let mut table = Table::load(folder.path(), Disk::default());
        (0..300).for_each(|number| table.keep(&record(number)));
        let whole = std::fs::read(&path).unwrap();
        for step in [1, 7, 176] {
            let mut bytes = whole.clone();
            let torn = bytes.iter_mut().skip(HEADER_BYTES + 10).step_by(step);
            torn.for_each(|byte| *byte ^= 0x55);
            std::fs::write(&path, &bytes).unwrap();
            let mut table = Table::load(folder.path(), Disk::default());
            let found = (0..300).filter(|number| table.find(&record(*number).key).is_some());
            assert_eq!(found.count(), 0, "{step}");
            table.keep(&record(1));
            assert_eq!(table.find(&record(1).key), Some(record(1)));
        }
        for length in [0, 5, 40, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut table = Table::load(folder.path(), Disk::default());
            assert_eq!(table.find(&record(1).key), None);
            table.keep(&record(1));
            assert_eq!(table.find(&record(1).key), Some(record(1)));
        }
    }
}

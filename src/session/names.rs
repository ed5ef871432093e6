//! The names that older versions gave to sessions, such as `research-20261121-3fa9c1`: they hold
//! the day, so they do not follow from the key.

use std::path::Path;

use anyhow::Result;

use super::layout::entry_names;
use super::name::HASH_DIGITS;
use crate::pipeline::Digest;

/// The older names in a directory, indexed by the hash in them, so that many keys can be looked up
/// after a single listing. Eight bytes per session.
#[derive(Debug, Default)]
pub struct SessionNames {
    /// The parts of names: the first digits of the hash and the date, as numbers, sorted.
    plain: Vec<(u32, u32)>,
    /// The names with more digits of the hash, after a collision.
    longer: Vec<String>,
}

impl SessionNames {
    /// Lists a directory; a missing directory has no names.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn list(output_dir: &Path) -> Result<Self> {
        let mut names = Self::default();
        for name in entry_names(output_dir)? {
            let name = name?;
            match plain(&name) {
                Some(parts) => names.plain.push(parts),
                None if name.starts_with(PREFIX) => names.longer.push(name),
                None => {}
            }
        }
        names.plain.sort_unstable();
        Ok(names)
    }

    /// The names that contain the beginning of this hash, latest first.
    pub(super) fn candidates(&self, hash: &Digest) -> Vec<String> {
        let digits = &hash.as_str()[..HASH_DIGITS];
        let number = u32::from_str_radix(digits, 16).unwrap_or(0);
        let start = self.plain.partition_point(|(other, _)| *other < number);
        let same = self.plain[start..]
            .iter()
            .take_while(|(other, _)| *other == number);
        let plain = same.map(|(_, date)| format!("{PREFIX}{date:08}-{digits}"));
        let suffix = format!("-{digits}");
        let longer = self.longer.iter().filter(|id| id.contains(&suffix));
        let mut ids: Vec<String> = plain.chain(longer.cloned()).collect();
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids
    }
}

/// The beginning of every older name.
const PREFIX: &str = "research-";

/// The hash's digits and the date in a name such as `research-20261121-3fa9c1`, as numbers.
fn plain(name: &str) -> Option<(u32, u32)> {
    let (date, digits) = name.strip_prefix(PREFIX)?.split_once('-')?;
    let is_lower = |digit: u8| digit.is_ascii_digit() || matches!(digit, b'a'..=b'f');
    let fits = date.len() == 8
        && date.bytes().all(|digit| digit.is_ascii_digit())
        && digits.len() == HASH_DIGITS
        && digits.bytes().all(is_lower);
    let parts = || Some((u32::from_str_radix(digits, 16).ok()?, date.parse().ok()?));
    fits.then(parts).flatten()
}

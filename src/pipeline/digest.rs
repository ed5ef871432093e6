//! Digests: the SHA-256 hashes that identify the contents of files, settings and requests.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use data_encoding::HEXLOWER;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The bytes of a file that are read at once: enough that system calls cost little, and few enough
/// for the stack.
const BUFFER_BYTES: usize = 16 << 10;

/// A SHA-256 hash in lower-case hexadecimal. Only these are called digests in this program; faster
/// hashes, such as [`hash_mix`](super::hash_mix), are called hashes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self::from_hash(&Sha256::digest(bytes.as_ref()))
    }

    /// The digest of a file of any size.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        Self::of_reader(File::open(path)?)
    }

    /// The digest of all bytes up to the end of a reader.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of_reader(mut reader: impl Read) -> io::Result<Self> {
        let mut hasher = Sha256::new();
        let mut bytes = [0; BUFFER_BYTES];
        loop {
            match reader.read(&mut bytes)? {
                0 => return Ok(Self::from_hash(&hasher.finalize())),
                read => hasher.update(&bytes[..read]),
            }
        }
    }

    fn from_hash(hash: &[u8]) -> Self {
        Self(HEXLOWER.encode(hash))
    }

    /// The digest of a value's JSON. Field order is the type's, so equal values have equal digests;
    /// maps must be sorted.
    pub fn of_value(value: &impl Serialize) -> Self {
        // Serializing to memory fails only for maps whose keys are not strings, which callers
        // avoid.
        Self::of(serde_json::to_vec(value).unwrap_or_default())
    }

    /// The first twelve digits, for display (chosen by hand: enough to tell files apart).
    pub fn short(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }

    /// Its first 64 bits.
    pub fn leading_u64(&self) -> u64 {
        u64::from_str_radix(&self.0[..16], 16).unwrap_or(0)
    }

    /// All digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_sha256() {
        // The first test vector of FIPS 180-2.
        assert_eq!(
            Digest::of("abc").as_str(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(Digest::of("abc").short(), "ba7816bf8f01");
    }
}

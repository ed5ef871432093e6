//! The log of one session in the store: its commits, numbered from 1, and the bytes of its files.

use anyhow::{Context as _, Result, bail, ensure};

use super::commit::{Blob, Commit};
use super::connection::Connection;
use crate::pipeline::Digest;

/// A commit with its number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Numbered {
    pub(super) number: u64,
    pub(super) commit: Commit,
}

/// The log of one session.
pub(super) struct Log<'a> {
    connection: &'a Connection,
    session: &'a str,
}

impl<'a> Log<'a> {
    pub(super) fn new(connection: &'a Connection, session: &'a str) -> Self {
        Self {
            connection,
            session,
        }
    }

    /// The last commit; `None` if the store has no such session.
    pub(super) fn head(&self) -> Result<Option<Numbered>> {
        let folder = format!("{}/log", self.session);
        let Some(last) = self.connection.last(&folder)? else {
            return Ok(None);
        };
        let number = last.strip_suffix(".json").and_then(|own| own.parse().ok());
        let Some(number) = number.filter(|number| self.name(*number).ends_with(&last)) else {
            bail!("{folder}/{last} in the object store is not a commit of a session");
        };
        self.commit(number)
    }

    /// A commit; `None` if there is none of this number.
    pub(super) fn commit(&self, number: u64) -> Result<Option<Numbered>> {
        let name = self.name(number);
        let Some(bytes) = self.connection.read(&name)? else {
            return Ok(None);
        };
        let commit = Commit::parse(&bytes)
            .with_context(|| format!("failed to read {name} in the object store"))?;
        Ok(Some(Numbered { number, commit }))
    }

    /// Creates a commit of this number; `false` if there is one, which has won.
    pub(super) fn create(&self, number: u64, commit: &Commit) -> Result<bool> {
        self.connection
            .create(&self.name(number), commit.to_bytes()?)
    }

    /// Stores the bytes of a file, unless they are there.
    pub(super) fn create_blob(&self, blob: &Blob, bytes: Vec<u8>) -> Result<()> {
        self.connection.create(&self.blob_name(blob), bytes)?;
        Ok(())
    }

    /// The bytes of a file.
    pub(super) fn read_blob(&self, blob: &Blob) -> Result<Vec<u8>> {
        let name = self.blob_name(blob);
        let Some(bytes) = self.connection.read(&name)? else {
            bail!("{name} is missing in the object store");
        };
        ensure!(
            bytes.len() as u64 == blob.bytes && Digest::of(&bytes) == blob.sha256,
            "{name} in the object store has other bytes than its digest says"
        );
        Ok(bytes)
    }

    /// Ten digits, so that the order of names is that of numbers.
    fn name(&self, number: u64) -> String {
        format!("{}/log/{number:010}.json", self.session)
    }

    fn blob_name(&self, blob: &Blob) -> String {
        format!("{}/blobs/{}", self.session, blob.sha256)
    }
}

//! The log of one session in the store: its commits, numbered from 1, and the bytes of its files.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};

use super::commit::{Blob, Commit};
use super::connection::Connection;
use crate::pipeline::Digest;

/// The folder of a session's commits.
const FOLDER: &str = "log";

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

    /// The numbers of the last commits of all sessions.
    pub(super) fn heads(connection: &'a Connection) -> Result<BTreeMap<String, u64>> {
        let last = connection.last_of_all(FOLDER)?.into_iter();
        let numbered = last.map(|(session, name)| {
            let number = Log::new(connection, &session).number(&name)?;
            Ok((session, number))
        });
        numbered.collect()
    }

    /// The number of the last commit; `None` if the store has no such session.
    pub(super) fn head_number(&self) -> Result<Option<u64>> {
        let last = self.connection.last(&self.folder())?;
        last.map(|name| self.number(&name)).transpose()
    }

    /// The last commit; `None` if the store has no such session.
    pub(super) fn head(&self) -> Result<Option<Numbered>> {
        match self.head_number()? {
            None => Ok(None),
            Some(number) => self.commit(number),
        }
    }

    /// [`Log::head`] of a session that is likely new: most stores charge more for a listing than
    /// for a read, which suffices then.
    pub(super) fn head_if_any(&self) -> Result<Option<Numbered>> {
        match self.commit(1)? {
            None => Ok(None),
            Some(_) => self.head(),
        }
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

    fn folder(&self) -> String {
        format!("{}/{FOLDER}", self.session)
    }

    /// Ten digits, so that the order of names is that of numbers.
    fn name(&self, number: u64) -> String {
        format!("{}/{number:010}.json", self.folder())
    }

    /// The number of the commit with this name in the folder.
    fn number(&self, file: &str) -> Result<u64> {
        let number = file.strip_suffix(".json").and_then(|own| own.parse().ok());
        let number = number.filter(|number| self.name(*number).ends_with(file));
        number.with_context(|| {
            let folder = self.folder();
            format!("{folder}/{file} in the object store is not a commit of a session")
        })
    }

    fn blob_name(&self, blob: &Blob) -> String {
        format!("{}/blobs/{}", self.session, blob.sha256)
    }
}

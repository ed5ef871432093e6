//! The sessions of a store: opened for a run, pulled and pushed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::connection::Connection;
use super::copy::{Diverged, differing, local_files, restore};
use super::log::{Log, Numbered};
use super::replica::SessionReplica;
use crate::pipeline::{Disk, Lock, Replica, Replicas, process_label, read_file};

/// The file of a local copy that says from which commit it was pulled, or as which it was pushed.
const COPIED: &str = ".store.json";

/// The origin of a local copy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Copied {
    store: String,
    number: u64,
}

/// A session that was pulled or pushed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Transfer {
    /// The session.
    pub session: String,
    /// The number of its last commit in the store.
    pub commit: u64,
    /// The number of its files.
    pub files: usize,
    /// `true` if anything was copied: `false` if it was the same already.
    pub changed: bool,
}

/// The sessions of an object store. Cheap to clone.
#[derive(Clone)]
pub struct SessionStore {
    connection: Arc<Connection>,
    url: String,
}

impl SessionStore {
    /// Opens a store; nothing is sent yet.
    ///
    /// # Errors
    /// When the address is none, or its keys or its directory cannot be used.
    pub fn open(url: &str) -> Result<Self> {
        Ok(Self {
            connection: Arc::new(Connection::open(url)?),
            url: url.to_owned(),
        })
    }

    /// Shows that the store can be written, and refuses to create an object a second time.
    ///
    /// # Errors
    /// When it cannot, or does not.
    pub fn check(&self) -> Result<()> {
        self.connection.check()
    }

    /// All sessions with the numbers of their last commits.
    ///
    /// # Errors
    /// When the store cannot be listed, or has something else where the commits of a session are.
    pub fn heads(&self) -> Result<BTreeMap<String, u64>> {
        Log::heads(&self.connection)
    }

    /// The number of the last commit of a session.
    ///
    /// # Errors
    /// As for [`SessionStore::heads`], and when the store has no such session.
    pub fn head(&self, session: &str) -> Result<u64> {
        let head = self.log(session).head_number()?;
        head.with_context(|| format!("there is no session {session} in {}", self.url))
    }

    /// Pulls a session: its directory becomes what the store has in its commit `head`.
    ///
    /// # Errors
    /// When the store has no such session; [`Diverged`] when the directory has changes of its own,
    /// unless `force`.
    pub fn pull(
        &self,
        session: &Path,
        head: u64,
        force: bool,
        disk: &Disk,
        since: &str,
    ) -> Result<Transfer> {
        let name = name_of(session)?;
        let head = self.log(name).commit(head)?;
        let head =
            head.with_context(|| format!("{name} has lost its last commit in {}", self.url))?;
        let is_new = !session.exists();
        disk.create_directory(session)?;
        let _lock = Lock::acquire(session, false, since)?;
        let local = local_files(session)?;
        if !force && !is_new {
            // What is as it was pulled may be replaced: the store has it in an earlier commit.
            let base = self.base(session, &head)?;
            let files = match &base {
                Some(base) => differing(&local, &base.commit.files),
                None => differing(&local, &head.commit.files),
            };
            if !files.is_empty() && local != head.commit.files {
                return Err(Diverged {
                    session: session.to_owned(),
                    files,
                }
                .into());
            }
        }
        let changed = local != head.commit.files;
        restore(&self.log(name), session, &head.commit.files, disk)?;
        self.record_copy(session, head.number, disk)?;
        Ok(Transfer {
            session: name.to_owned(),
            commit: head.number,
            files: head.commit.files.len(),
            changed,
        })
    }

    /// Pushes a session: the store gets what its directory has.
    ///
    /// # Errors
    /// [`Diverged`] when the store has gone on since the session was pulled, unless `force`;
    /// [`crate::pipeline::Busy`] when it is being worked on, here or elsewhere.
    pub fn push(&self, session: &Path, force: bool, disk: &Disk, since: &str) -> Result<Transfer> {
        let name = name_of(session)?;
        let head = self.log(name).head()?;
        let _lock = Lock::acquire(session, false, since)?;
        let local = local_files(session)?;
        let is_same = head.as_ref().is_some_and(|head| head.commit.files == local);
        if let Some(head) = &head
            && !is_same
            && !force
            && self.copied(session) != Some(head.number)
        {
            return Err(Diverged {
                session: session.to_owned(),
                files: differing(&head.commit.files, &local),
            }
            .into());
        }
        let mut number = head.as_ref().map_or(0, |head| head.number);
        let files = local.len();
        if !is_same {
            let holder = process_label(since);
            // Its files are the local ones alone: what is gone here goes there.
            let head = head.map(|head| Numbered {
                number: head.number,
                commit: head.commit.without_files_but(&local),
            });
            let replica =
                SessionReplica::new(self.connection.clone(), session, name, &holder, head)?;
            replica.claim()?;
            number = replica.head();
        }
        self.record_copy(session, number, disk)?;
        Ok(Transfer {
            session: name.to_owned(),
            commit: number,
            files,
            changed: !is_same,
        })
    }

    fn log<'a>(&'a self, session: &'a str) -> Log<'a> {
        Log::new(&self.connection, session)
    }

    /// The commit from which a local copy was pulled; `None` for one that was not.
    fn base(&self, session: &Path, head: &Numbered) -> Result<Option<Numbered>> {
        match self.copied(session) {
            Some(number) if number == head.number => Ok(Some(head.clone())),
            Some(number) => self.log(name_of(session)?).commit(number),
            None => Ok(None),
        }
    }

    /// The number of the commit that a local copy was, if it came from this store or went there.
    fn copied(&self, session: &Path) -> Option<u64> {
        let bytes = read_file(&session.join(COPIED)).ok()?;
        let copied: Copied = serde_json::from_slice(&bytes).ok()?;
        (copied.store == self.url).then_some(copied.number)
    }

    fn record_copy(&self, session: &Path, number: u64, disk: &Disk) -> Result<()> {
        let store = self.url.clone();
        let bytes = serde_json::to_vec(&Copied { store, number })?;
        disk.write(&session.join(COPIED), &bytes)
    }
}

impl Replicas for SessionStore {
    fn checkout(&self, session: &Path, disk: &Disk, since: &str) -> Result<Arc<dyn Replica>> {
        let name = name_of(session)?;
        let head = self.log(name).head_if_any()?;
        if let Some(head) = &head {
            disk.create_directory(session)?;
            let _lock = Lock::acquire(session, false, since)?;
            restore(&self.log(name), session, &head.commit.files, disk)?;
        }
        let (connection, holder) = (self.connection.clone(), process_label(since));
        let replica = SessionReplica::new(connection, session, name, &holder, head)?;
        Ok(Arc::new(replica))
    }
}

/// The name of a session: that of its directory.
fn name_of(session: &Path) -> Result<&str> {
    let name = session.file_name().and_then(|name| name.to_str());
    name.with_context(|| format!("{} has no name for a store", session.display()))
}

//! The replica of a session in the store: each flushed change of its files is a commit.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Error, Result, bail};

use super::commit::{Blob, Commit, Files, is_named_later, is_replicated};
use super::connection::{Connection, random_name};
use super::copy::{local_bytes, local_files, name_in};
use super::log::{Log, Numbered};
use crate::pipeline::{Busy, Change, Digest, EVENTS_FILE, Replica};

/// The replica of a session, for one run.
pub(super) struct SessionReplica {
    connection: Arc<Connection>,
    /// The session's directory, and its name in the store.
    session: PathBuf,
    name: String,
    writer: String,
    holder: String,
    state: Mutex<State>,
}

/// What this run knows of the store.
struct State {
    /// The number of the last commit, 0 if there is none, and its files.
    head: u64,
    files: Files,
    /// `true` once the last commit is this run's.
    is_claimed: bool,
    /// The files that were written since the last commit, and are stored with the next one.
    unflushed: BTreeSet<String>,
    /// The process that has claimed the session since.
    taken_by: Option<String>,
    /// The reason why nothing is committed any more: what the store has is unknown then.
    failure: Option<String>,
}

impl SessionReplica {
    /// The replica of the session at `session`, whose local files are those of `head`.
    pub(super) fn new(
        connection: Arc<Connection>,
        session: &Path,
        name: &str,
        holder: &str,
        head: Option<Numbered>,
    ) -> Result<Self> {
        let (head, files) = head.map_or((0, Files::new()), |head| (head.number, head.commit.files));
        Ok(Self {
            connection,
            session: session.to_owned(),
            name: name.to_owned(),
            writer: random_name()?,
            holder: holder.to_owned(),
            state: Mutex::new(State {
                head,
                files,
                is_claimed: false,
                unflushed: BTreeSet::new(),
                taken_by: None,
                failure: None,
            }),
        })
    }

    /// The number of the last commit.
    pub(super) fn head(&self) -> u64 {
        self.state().head
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log(&self) -> Log<'_> {
        Log::new(&self.connection, &self.name)
    }

    /// Claims the session by a commit of what it is, with the local files that the store has not.
    fn claim_with(&self, state: &mut State) -> Result<()> {
        let names = local_files(&self.session)?.into_keys().collect();
        self.commit(state, names)?;
        state.is_claimed = true;
        Ok(())
    }

    /// Stores the bytes of these files as they are now, and commits.
    fn commit(&self, state: &mut State, names: BTreeSet<String>) -> Result<()> {
        if let Some(holder) = &state.taken_by {
            return Err(self.busy(holder));
        }
        if let Some(failure) = &state.failure {
            bail!("{failure}");
        }
        let committed = self.store(state, &names).and_then(|()| self.append(state));
        // Sticky: the files of the state may be ahead of the log by now, and a later commit would
        // skip what this one was to have.
        if let Err(error) = &committed {
            state.failure = Some(format!("{error:#}"));
        }
        committed
    }

    fn store(&self, state: &mut State, names: &BTreeSet<String>) -> Result<()> {
        // Blobs before the commit that names them, so that a commit never lacks one.
        for name in names {
            let path = self.session.join(name);
            let Some(bytes) = local_bytes(&path)? else {
                state.files.remove(name);
                continue;
            };
            let blob = Blob {
                sha256: Digest::of(&bytes),
                bytes: bytes.len() as u64,
            };
            if state.files.get(name) != Some(&blob) {
                self.log().create_blob(&blob, bytes)?;
                state.files.insert(name.clone(), blob);
            }
        }
        Ok(())
    }

    /// Appends a commit to the log.
    fn append(&self, state: &mut State) -> Result<()> {
        let number = state.head + 1;
        let commit = Commit::new(&self.writer, &self.holder, state.files.clone());
        if !self.log().create(number, &commit)? {
            // Either this very commit, whose receipt was lost, or another writer's.
            let won = self.log().commit(number)?;
            let holder = match won {
                Some(won) if won.commit == commit => None,
                Some(won) => Some(won.commit.holder),
                None => Some("another process".to_owned()),
            };
            if let Some(holder) = holder {
                let busy = self.busy(&holder);
                state.taken_by = Some(holder);
                return Err(busy);
            }
        }
        state.head = number;
        tracing::debug!(session = self.name, number, "committed to the object store");
        Ok(())
    }

    fn busy(&self, holder: &str) -> Error {
        Busy {
            session: self.session.clone(),
            holder: holder.to_owned(),
        }
        .into()
    }

    /// The name of a path, if it is replicated.
    fn name_of(&self, path: &Path) -> Option<String> {
        name_in(&self.session, path).filter(|name| is_replicated(name))
    }

    /// The names at a path: the file, or all files of a directory, here or in the last commit.
    fn below(&self, files: &Files, path: &Path) -> Result<Vec<String>> {
        let Some(name) = self.name_of(path) else {
            return Ok(Vec::new());
        };
        let folder = format!("{name}/");
        let is_below = |own: &&String| **own == name || own.starts_with(&folder);
        let mut names: Vec<String> = files.keys().filter(is_below).cloned().collect();
        if path.is_dir() {
            let inside = local_files(path)?.into_keys();
            names.extend(inside.map(|own| format!("{folder}{own}")));
        } else if path.is_file() {
            names.push(name);
        }
        Ok(names)
    }
}

impl Replica for SessionReplica {
    fn claim(&self) -> Result<()> {
        let mut state = self.state();
        if state.is_claimed {
            return Ok(());
        }
        self.claim_with(&mut state)
    }

    fn replicate(&self, change: &Change<'_>) -> Result<()> {
        let mut state = self.state();
        let mut changed = BTreeSet::new();
        // A directory that moved is told by its names alone: those there now, and those that the
        // last commit has below its old name.
        match change {
            Change::Unflushed(path) => {
                state.unflushed.extend(self.name_of(path));
                return Ok(());
            }
            Change::Written(path) => changed.extend(self.name_of(path)),
            Change::Moved(from, to) => {
                for path in [from, to] {
                    changed.extend(self.below(&state.files, path)?);
                }
            }
            Change::Removed(path) => changed.extend(self.below(&state.files, path)?),
        }
        if changed.is_empty() {
            return Ok(());
        }
        if !state.is_claimed {
            return self.claim_with(&mut state);
        }
        if changed.iter().all(|name| is_named_later(name)) {
            state.unflushed.extend(changed);
            return Ok(());
        }
        let mut unflushed = std::mem::take(&mut state.unflushed);
        // The event log grows with every step: it is stored with the files of whole stages, and at
        // the end, which a machine that dies does not reach.
        let ends_stage = changed
            .iter()
            .any(|name| !name.contains('/') && name.ends_with(".json"));
        if !ends_stage && let Some(log) = unflushed.take(EVENTS_FILE) {
            state.unflushed.insert(log);
        }
        changed.extend(unflushed);
        self.commit(&mut state, changed)
    }

    fn finish(&self) -> Result<()> {
        let mut state = self.state();
        let names = std::mem::take(&mut state.unflushed);
        if names.is_empty() || state.failure.is_some() {
            return Ok(());
        }
        self.commit(&mut state, names)
    }
}

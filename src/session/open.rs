//! Opens and creates sessions.

use std::path::Path;

use anyhow::{Result, bail};

use super::documents::{name_documents, name_session};
use super::file::{FILE, read};
use super::key::{NewSession, SessionKey};
use super::layout::output_dir_of;
use crate::artifact::session::{FirstRun, Mode};
use crate::artifact::{self, Session};
use crate::pipeline::{Clock, Disk, Lock, Version, to_the_second};

const REQUEST: &str = "research_request.md";

/// The terms of review of a new session, and its owner. Different terms are no different session.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewTerms {
    /// The score from which a round is accepted, 0 to 1.
    pub threshold: f64,
    /// The maximum number of rounds.
    pub max_rounds: u32,
    /// `true` if the coordinator may ask clarifying questions.
    pub clarify: bool,
    /// Its owner.
    pub owner: String,
    /// The terms of its first run, if whoever goes on with it has to know them.
    pub first_run: Option<FirstRun>,
    /// The last messages of the session that it follows up, oldest first.
    pub messages: Vec<String>,
}

/// A session that was read, or made for a run.
#[derive(Debug)]
pub struct Opened {
    /// Its parameters.
    pub session: Session,
    /// The lock of a session that was made, for the run that it was made for: between the two,
    /// nobody else may run or remove it.
    pub lock: Option<Lock>,
}

impl From<Session> for Opened {
    /// A session that nobody holds.
    fn from(session: Session) -> Self {
        Self {
            session,
            lock: None,
        }
    }
}

/// Creates the session at `path`, or reads it if it exists; nobody holds its lock afterwards.
///
/// # Errors
/// As [`open_for_run`].
pub fn open_or_create(
    path: &Path,
    new: &NewSession,
    terms: &ReviewTerms,
    disk: &Disk,
    clock: Clock,
) -> Result<Session> {
    Ok(open_for_run(path, new, terms, disk, clock)?.session)
}

/// Creates the session at `path` and keeps its lock, or reads it if it exists.
///
/// # Errors
/// When it cannot be written or read, or is that of another question: somebody else may have made
/// it since its name was chosen.
pub fn open_for_run(
    path: &Path,
    new: &NewSession,
    terms: &ReviewTerms,
    disk: &Disk,
    clock: Clock,
) -> Result<Opened> {
    if path.join(FILE).exists() {
        return existing(path, new);
    }
    let session = draft(path, new, terms, clock)?;
    disk.create_directory(path)?;
    // The holder of the lock is about to write the file; there is no need to wait once it exists.
    let lock = Lock::acquire_or_give_up(path, &clock.timestamp(), || path.join(FILE).exists())?;
    if path.join(FILE).exists() {
        return existing(path, new);
    }
    // The order matters: `session.json` makes the directory a session, so it comes last. A crash
    // between the two leaves a directory that the next run fills again.
    disk.write(&path.join(REQUEST), request(&session).as_bytes())?;
    disk.write(&path.join(FILE), &artifact::to_bytes(&session)?)?;
    Ok(Opened { session, lock })
}

/// The session at `path`, if it is that of a question.
fn existing(path: &Path, new: &NewSession) -> Result<Opened> {
    let session = read(path)?;
    if let Some(output_dir) = output_dir_of(path) {
        SessionKey::new(output_dir, new)?.require_match(&session.id, &session)?;
    }
    Ok(session.into())
}

/// The parameters of a new session at `path`, which is not written.
///
/// # Errors
/// When `path` names no directory, or a document does not exist.
pub fn draft(path: &Path, new: &NewSession, terms: &ReviewTerms, clock: Clock) -> Result<Session> {
    let (Some(output_dir), Some(id)) = (output_dir_of(path), path.file_name()) else {
        bail!("{} cannot hold a session", path.display());
    };
    Ok(Session {
        version: Version,
        id: id.to_string_lossy().into_owned(),
        topic: new.topic.clone(),
        mode: new.mode,
        depth: new.depth,
        documents: name_documents(output_dir, &new.documents)?,
        follows: name_session(output_dir, new.follows.as_deref())?,
        inherited: name_documents(output_dir, &new.inherited)?,
        search: new.web.search.clone(),
        domains: new.web.domains.clone(),
        style: new.style.clone(),
        threshold: terms.threshold,
        max_rounds: terms.max_rounds,
        clarify: terms.clarify,
        owner: terms.owner.clone(),
        first_run: terms.first_run.clone(),
        messages: terms.messages.clone(),
        // Of sessions begun in the same second, one is the last.
        started_at: clock.fine_timestamp(),
    })
}

/// The request (`research_request.md`), for people.
fn request(session: &Session) -> String {
    let mut text = format!(
        "# Research request\n\n{}\n\n- Session: {}\n- Asked: {}\n- Depth: {}\n\
         - Accepted from: {}\n- Rounds at most: {}\n",
        session.topic.trim(),
        session.id,
        to_the_second(&session.started_at),
        format!("{:?}", session.depth).to_lowercase(),
        session.threshold,
        session.max_rounds
    );
    if session.mode != Mode::default() {
        text.push_str(&format!("- Mode: {}\n", session.mode));
    }
    if let Some(earlier) = &session.follows {
        text.push_str(&format!("- Follows: {earlier}\n"));
    }
    for document in session.documents.iter().chain(&session.inherited) {
        text.push_str(&format!("- Documents: {document}\n"));
    }
    if !session.search.is_empty() {
        text.push_str(&format!("- Web: {}\n", session.search.join(", ")));
    }
    if !session.domains.is_empty() {
        text.push_str(&format!("- Hosts: {}\n", session.domains.join(", ")));
    }
    text
}

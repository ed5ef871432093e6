//! Opens and creates sessions.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::documents::{name_documents, name_session};
use super::key::NewSession;
use crate::artifact::session::Mode;
use crate::artifact::{self, Session};
use crate::pipeline::{Clock, Disk, Lock, Unreadable, Version, read_file};

/// The file that makes a directory a session.
pub const FILE: &str = "session.json";

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
    /// The last messages of the session that it follows up, oldest first.
    pub messages: Vec<String>,
}

/// Creates the session at `path`, or reads it if it exists.
///
/// # Errors
/// When it cannot be written or read.
pub fn open_or_create(
    path: &Path,
    new: &NewSession,
    terms: &ReviewTerms,
    disk: &Disk,
    clock: Clock,
) -> Result<Session> {
    if path.join(FILE).exists() {
        return read(path);
    }
    let session = draft(path, new, terms, clock)?;
    disk.create_directory(path)?;
    // The holder of the lock is about to write the file; there is no need to wait once it exists.
    let _lock = Lock::acquire_or_give_up(path, &clock.timestamp(), || path.join(FILE).exists())?;
    if path.join(FILE).exists() {
        return read(path);
    }
    // The order matters: `session.json` makes the directory a session, so it comes last. A crash
    // between the two leaves a directory that the next run fills again.
    disk.write(&path.join(REQUEST), request(&session).as_bytes())?;
    disk.write(&path.join(FILE), &artifact::to_bytes(&session)?)?;
    Ok(session)
}

/// The parameters of a new session at `path`, which is not written.
///
/// # Errors
/// When `path` names no directory, or a document does not exist.
pub fn draft(path: &Path, new: &NewSession, terms: &ReviewTerms, clock: Clock) -> Result<Session> {
    let (Some(output_dir), Some(id)) = (path.parent(), path.file_name()) else {
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
        messages: terms.messages.clone(),
        started_at: clock.timestamp(),
    })
}

/// Reads the parameters of the session at `path`.
///
/// # Errors
/// When there is no session, or its file is broken.
pub fn read(path: &Path) -> Result<Session> {
    let file = path.join(FILE);
    let bytes = read_file(&file).with_context(|| format!("failed to read {}", file.display()))?;
    let session: Session = artifact::parse(&bytes).map_err(|error| {
        let problem = Unreadable::new(file, "research", &error).summary();
        anyhow::anyhow!("{problem}; fix the file")
    })?;
    // The directory's name is what commands take. The file's could be that of another session, or a
    // path, if the session is somebody else's.
    let id = directory_name(path).unwrap_or_default();
    Ok(Session { id, ..session })
}

/// The name of a directory; of `.`, say, that of the directory which it stands for.
pub(super) fn directory_name(path: &Path) -> Option<String> {
    let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
    name(path).or_else(|| name(&path.canonicalize().ok()?))
}

/// The request (`research_request.md`), for people.
fn request(session: &Session) -> String {
    let mut text = format!(
        "# Research request\n\n{}\n\n- Session: {}\n- Asked: {}\n- Depth: {}\n\
         - Accepted from: {}\n- Rounds at most: {}\n",
        session.topic.trim(),
        session.id,
        session.started_at,
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

//! Sessions as directories: their names, opening, lookup and listing. Nothing here runs a stage.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use chrono::NaiveDate;
use serde::Serialize;
use walkdir::WalkDir;

use crate::artifact::session::{Depth, Mode, Style};
use crate::artifact::{self, Session};
use crate::pipeline::{Clock, Digest, Disk, Lock, Unreadable, Version, read_file};

/// The file that makes a directory a session.
pub const FILE: &str = "session.json";

const REQUEST: &str = "research_request.md";

/// Digits of the hash in a session's name; more are used where two topics share them.
const HASH_DIGITS: usize = 6;

/// The longest topic, in bytes: more than any question, less than would fill a disk by accident.
const MAX_TOPIC_BYTES: usize = 1 << 20;

/// The question of a new session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NewSession {
    /// The topic, word for word.
    pub topic: String,
    /// The mode of research.
    pub mode: Mode,
    /// The depth of the research.
    pub depth: Depth,
    /// Files and directories to read, as the user named them: absolute, or relative to the working
    /// directory.
    pub documents: Vec<PathBuf>,
    /// The directory of the session that it follows, if any.
    pub follows: Option<PathBuf>,
    /// The documents of that session, which are searched anew if the topic asks for more than a
    /// clarification.
    pub inherited: Vec<PathBuf>,
    /// The scope of web searches, if there are any.
    pub web: WebScope,
    /// The style of the report.
    pub style: Style,
}

impl NewSession {
    /// Checks that there is anything to search, or a model that answers all the same.
    ///
    /// # Errors
    /// When there is not, with what the mode needs.
    pub fn require_sources(&self, has_model: bool) -> Result<()> {
        let searches = !self.web.search.is_empty();
        let has_documents = !self.documents.is_empty() || self.follows.is_some();
        match self.mode {
            Mode::Simple => ensure!(
                has_documents || has_model,
                "mode simple needs a language model where there are no documents: name documents \
                 with --docs PATH or a session with --follow, or see `research doctor` on models"
            ),
            Mode::WebSearch => ensure!(
                searches,
                "mode web_search needs a search service: name one with --search; `research \
                 doctor` lists them"
            ),
            Mode::DeepResearch => ensure!(
                has_documents || searches,
                "there is nothing to search: name documents with --docs PATH, or search services \
                 with --search"
            ),
        }
        Ok(())
    }
}

/// The scope of web searches. A different scope means a different session.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WebScope {
    /// The names of services; none means that the web is not searched.
    pub search: Vec<String>,
    /// The hosts that may be read, or with `!` in front must not; none means any host.
    pub domains: Vec<String>,
}

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

/// The path of a session that exists or would be created.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionPath {
    /// The session's directory.
    pub path: PathBuf,
    /// `true` if it exists.
    pub exists: bool,
}

/// The key of a session: two sessions with equal keys are the same session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionKey {
    /// The topic, word for word.
    pub topic: String,
    /// The mode of research.
    pub mode: Mode,
    /// The depth of the research.
    pub depth: Depth,
    /// The documents as a session names them: see [`name_documents`].
    pub documents: Vec<String>,
    /// The session that it follows, named in the same way.
    pub follows: Option<String>,
    /// The scope of web searches, if there are any.
    pub web: WebScope,
    /// The style of the report.
    pub style: Style,
}

impl SessionKey {
    /// The key of a question as it would be stored in a session in `output_dir`.
    ///
    /// # Errors
    /// When the topic cannot be used, or a document does not exist.
    pub fn new(output_dir: &Path, new: &NewSession) -> Result<Self> {
        check_topic(&new.topic)?;
        Ok(Self {
            topic: new.topic.clone(),
            mode: new.mode,
            depth: new.depth,
            documents: name_documents(output_dir, &new.documents)?,
            follows: name_session(output_dir, new.follows.as_deref())?,
            web: new.web.clone(),
            style: new.style.clone(),
        })
    }

    /// The hash whose first digits end a session's name. It does not depend on the day.
    pub fn hash(&self) -> Digest {
        // What is left at its default is left out, as in sessions of older versions, whose names
        // stay what they are.
        let (topic, documents, web) = (&self.topic, &self.documents, &self.web);
        if self.style != Style::default() {
            let (mode, follows) = (self.mode, &self.follows);
            let question = (topic, self.depth, documents, web, mode, follows);
            return Digest::of_value(&(question, &self.style));
        }
        if self.mode != Mode::default() || self.follows.is_some() {
            let (mode, follows) = (self.mode, &self.follows);
            return Digest::of_value(&(topic, self.depth, documents, web, mode, follows));
        }
        if *web == WebScope::default() {
            return Digest::of_value(&(topic, self.depth, documents));
        }
        Digest::of_value(&(topic, self.depth, documents, web))
    }

    /// `true` if `session` has this key.
    pub fn matches(&self, session: &Session) -> bool {
        session.topic == self.topic
            && session.mode == self.mode
            && session.depth == self.depth
            && session.documents == self.documents
            && session.follows == self.follows
            && session.search == self.web.search
            && session.domains == self.web.domains
            && session.style == self.style
    }

    /// The session with this key: an existing one, or a new name; with `name`, that session.
    ///
    /// # Errors
    /// When the topic or the name cannot be used, or the name belongs to a session with another
    /// key.
    pub fn locate(
        &self,
        output_dir: &Path,
        name: Option<&str>,
        names: &SessionNames,
        clock: Clock,
    ) -> Result<SessionPath> {
        check_topic(&self.topic)?;
        match name {
            Some(name) => self.locate_by_name(output_dir, name),
            None => self.locate_by_hash(output_dir, names, clock),
        }
    }

    fn locate_by_name(&self, output_dir: &Path, name: &str) -> Result<SessionPath> {
        check_name(name)?;
        let path = output_dir.join(name);
        let exists = path.join(FILE).exists();
        ensure!(
            !exists || self.matches(&read(&path)?),
            "session {name} is about something else; choose another name with --session, \
             or go on with it by --resume {name}"
        );
        Ok(SessionPath { path, exists })
    }

    fn locate_by_hash(
        &self,
        output_dir: &Path,
        names: &SessionNames,
        clock: Clock,
    ) -> Result<SessionPath> {
        let hash = self.hash();
        let existing = |id: String| {
            let path = output_dir.join(id);
            let is_same = read(&path).is_ok_and(|session| self.matches(&session));
            is_same.then_some(SessionPath { path, exists: true })
        };
        if let Some(session) = names.candidates(&hash).into_iter().find_map(existing) {
            return Ok(session);
        }
        // A session created since the names were listed has a date between the day of the listing
        // and today.
        let today = clock.now().date_naive();
        let first = names.listed_on.unwrap_or(today).min(today);
        for day in first.iter_days().take_while(|day| *day <= today) {
            for digits in HASH_DIGITS..=hash.as_str().len() {
                let date = day.format("%Y%m%d");
                let id = format!("research-{date}-{}", &hash.as_str()[..digits]);
                let path = output_dir.join(&id);
                if !path.join(FILE).exists() {
                    if day == today {
                        let exists = false;
                        return Ok(SessionPath { path, exists });
                    }
                    break;
                }
                if let Some(session) = existing(id) {
                    return Ok(session);
                }
            }
        }
        bail!("no name is left for this topic in {}", output_dir.display())
    }
}

/// The names of a directory's sessions, indexed by the hash in them, so that many keys can be
/// looked up after a single listing. Eight bytes per session.
#[derive(Debug, Default)]
pub struct SessionNames {
    /// The parts of names in this program's own form: the first digits of the hash and the date, as
    /// numbers, sorted.
    plain: Vec<(u32, u32)>,
    /// All other names that may contain a hash.
    others: Vec<String>,
    listed_on: Option<NaiveDate>,
}

impl SessionNames {
    /// Lists a directory; a missing directory has no names.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn list(output_dir: &Path, clock: Clock) -> Result<Self> {
        let mut names = Self {
            listed_on: Some(clock.now().date_naive()),
            ..Self::default()
        };
        for name in entry_names(output_dir) {
            let name = name?;
            match plain(&name) {
                Some(parts) => names.plain.push(parts),
                None if name.contains('-') => names.others.push(name),
                None => {}
            }
        }
        names.plain.sort_unstable();
        Ok(names)
    }

    /// The names that contain the beginning of this hash, latest first.
    fn candidates(&self, hash: &Digest) -> Vec<String> {
        let digits = &hash.as_str()[..HASH_DIGITS];
        let number = u32::from_str_radix(digits, 16).unwrap_or(0);
        let start = self.plain.partition_point(|(other, _)| *other < number);
        let same = self.plain[start..]
            .iter()
            .take_while(|(other, _)| *other == number);
        let plain = same.map(|(_, date)| format!("research-{date:08}-{digits}"));
        let suffix = format!("-{digits}");
        let others = self.others.iter().filter(|id| id.contains(&suffix));
        let mut ids: Vec<String> = plain.chain(others.cloned()).collect();
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids
    }
}

/// The hash's digits and the date in a name such as `research-20261121-3fa9c1`, as numbers.
fn plain(name: &str) -> Option<(u32, u32)> {
    let (date, digits) = name.strip_prefix("research-")?.split_once('-')?;
    let is_lower = |digit: u8| digit.is_ascii_digit() || matches!(digit, b'a'..=b'f');
    let fits = date.len() == 8
        && date.bytes().all(|digit| digit.is_ascii_digit())
        && digits.len() == HASH_DIGITS
        && digits.bytes().all(is_lower);
    let parts = || Some((u32::from_str_radix(digits, 16).ok()?, date.parse().ok()?));
    fits.then(parts).flatten()
}

/// The session for a question: the existing session with the same key, or a new name; with `name`,
/// that session.
///
/// # Errors
/// When the topic or the name cannot be used, or the name belongs to a session with another key.
pub fn locate(
    output_dir: &Path,
    new: &NewSession,
    name: Option<&str>,
    clock: Clock,
) -> Result<SessionPath> {
    check_output_dir(output_dir)?;
    let key = SessionKey::new(output_dir, new)?;
    let names = match name {
        Some(_) => SessionNames::default(),
        None => SessionNames::list(output_dir, clock)?,
    };
    key.locate(output_dir, name, &names, clock)
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
fn directory_name(path: &Path) -> Option<String> {
    let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
    name(path).or_else(|| name(&path.canonicalize().ok()?))
}

/// The documents of the session at `path` that lie neither in the directory that holds the sessions
/// and their surroundings nor in the working directory, or are hidden there: somebody else's
/// session could name what nobody meant to give away.
pub fn documents_elsewhere(path: &Path, session: &Session) -> Vec<PathBuf> {
    let real = |path: &Path| path.canonicalize().ok();
    let around = real(path).and_then(|path| Some(path.parent()?.parent()?.to_owned()));
    let trees = [around, real(Path::new("."))];
    let is_inside = |document: &PathBuf| {
        let trees = trees.iter().flatten();
        let mut below = trees.filter_map(|tree| document.strip_prefix(tree).ok());
        below.any(|below| !is_hidden(below))
    };
    let follows = session.follows.iter().map(|earlier| path.join(earlier));
    let named = [documents(path, session), inherited(path, session)].concat();
    let documents: Vec<PathBuf> = named.into_iter().chain(follows).collect();
    let real = documents.iter().filter_map(|document| real(document));
    real.filter(|document| !is_inside(document)).collect()
}

/// `true` if a part of the path begins with a dot.
fn is_hidden(path: &Path) -> bool {
    path.iter()
        .any(|part| part.as_encoded_bytes().starts_with(b"."))
}

/// The session that a reference names: its path, its id, a unique prefix of its id, or `last`.
///
/// # Errors
/// When it names no session, or several.
pub fn resolve(output_dir: &Path, reference: &str) -> Result<PathBuf> {
    ensure!(
        !reference.is_empty(),
        "an empty name means no session; see research list"
    );
    if reference.contains('/') || Path::new(reference).join(FILE).is_file() {
        let path = PathBuf::from(reference);
        ensure!(
            is_session(&path),
            "{reference} is no session: it holds no {FILE}"
        );
        return Ok(path);
    }
    let ids = ids(output_dir)?;
    if reference == "last" {
        return last(output_dir, &ids);
    }
    if ids.iter().any(|id| id == reference) {
        return Ok(output_dir.join(reference));
    }
    let matching: Vec<_> = ids.iter().filter(|id| id.starts_with(reference)).collect();
    match matching.as_slice() {
        [id] => Ok(output_dir.join(id)),
        [] => bail!(
            "no session {reference:?} in {}; see research list",
            output_dir.display()
        ),
        several => {
            let names: Vec<_> = several.iter().take(5).map(|id| id.as_str()).collect();
            bail!(
                "{reference:?} begins {} sessions: {}",
                several.len(),
                names.join(", ")
            )
        }
    }
}

/// The session with the latest start, as its file states it; ties by name.
fn last(output_dir: &Path, ids: &[String]) -> Result<PathBuf> {
    let started = |id: &String| {
        let session = read(&output_dir.join(id)).ok()?;
        Some((session.started_at, id.clone()))
    };
    match ids.iter().filter_map(started).max() {
        Some((_, id)) => Ok(output_dir.join(id)),
        None => bail!("there is no session in {} yet", output_dir.display()),
    }
}

/// The ids of all sessions in a directory, sorted; none if it does not exist.
///
/// # Errors
/// When the directory cannot be listed.
pub fn ids(output_dir: &Path) -> Result<Vec<String>> {
    check_output_dir(output_dir)?;
    let mut ids = Vec::new();
    for name in entry_names(output_dir) {
        let name = name?;
        if is_session(&output_dir.join(&name)) {
            ids.push(name);
        }
    }
    ids.sort();
    Ok(ids)
}

/// Refuses a file in place of the directory of sessions, which would otherwise count as empty.
fn check_output_dir(output_dir: &Path) -> Result<()> {
    ensure!(
        !output_dir.is_file(),
        "{} is a file, not a directory of sessions",
        output_dir.display()
    );
    Ok(())
}

/// `true` for the directory of a session, and for a directory without permission to read: an error
/// when it is read is better than a session that seems to be missing.
fn is_session(path: &Path) -> bool {
    match fs::metadata(path.join(FILE)) {
        Ok(metadata) => metadata.is_file(),
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    }
}

/// The UTF-8 names of a directory's entries, in any order; none if it does not exist.
fn entry_names(directory: &Path) -> impl Iterator<Item = Result<String>> {
    // One level only: the files within sessions are not listed.
    let entries = WalkDir::new(directory).min_depth(1).max_depth(1);
    entries.into_iter().filter_map(move |entry| match entry {
        Ok(entry) => entry.file_name().to_str().map(|name| Ok(name.to_owned())),
        Err(error) => {
            let is_root = error.depth() == 0;
            let error = error
                .into_io_error()
                .unwrap_or_else(|| io::Error::other("a loop of links"));
            if is_root && error.kind() == io::ErrorKind::NotFound {
                return None;
            }
            let problem = format!("failed to list {}", directory.display());
            Some(Err(anyhow::Error::new(error).context(problem)))
        }
    })
}

/// The documents of a session as paths that can be opened.
pub fn documents(path: &Path, session: &Session) -> Vec<PathBuf> {
    paths(path, &session.documents)
}

/// The documents that a session inherited from the one that it follows, as paths that can be
/// opened.
pub fn inherited(path: &Path, session: &Session) -> Vec<PathBuf> {
    paths(path, &session.inherited)
}

fn paths(session: &Path, names: &[String]) -> Vec<PathBuf> {
    names.iter().map(|name| session.join(name)).collect()
}

/// The directory of an earlier session as a session in `output_dir` names it.
fn name_session(output_dir: &Path, earlier: Option<&Path>) -> Result<Option<String>> {
    let names = name_documents(output_dir, earlier.map(Path::to_owned).as_slice())?;
    Ok(names.into_iter().next())
}

/// Checks that a path can be searched for documents.
fn check_document(document: &Path) -> Result<()> {
    let problem = match fs::metadata(document) {
        Ok(metadata) if metadata.is_file() || metadata.is_dir() => return Ok(()),
        Ok(_) => "is neither a file nor a directory".to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => "does not exist".to_owned(),
        Err(error) => format!("cannot be read: {error}"),
    };
    bail!(
        "{} {problem}; --docs names files or directories",
        document.display()
    )
}

/// Documents as a session names them: absolute as given, others relative to the session's
/// directory, so that a tree that contains both can be moved.
///
/// # Errors
/// When a document does not exist, or its name is not UTF-8.
pub fn name_documents(output_dir: &Path, documents: &[PathBuf]) -> Result<Vec<String>> {
    let base = absolute(output_dir)?.join("session");
    let mut names = Vec::new();
    for document in documents {
        check_document(document)?;
        let named = if document.is_absolute() {
            document.clone()
        } else {
            let full = absolute(document)?;
            pathdiff::diff_paths(&full, &base).unwrap_or(full)
        };
        let Some(name) = named.to_str() else {
            bail!("{} is not UTF-8; rename it", document.display());
        };
        names.push(name.to_owned());
    }
    Ok(names)
}

/// A path without links in it, even if its last parts do not exist yet.
fn absolute(path: &Path) -> Result<PathBuf> {
    let full = std::path::absolute(path)
        .with_context(|| format!("failed to resolve {}", path.display()))?;
    let missing = |part: &&Path| fs::symlink_metadata(part).is_err();
    let existing = full.ancestors().find(|part| !missing(part));
    let Some(existing) = existing else {
        return Ok(full);
    };
    let resolved = fs::canonicalize(existing)
        .with_context(|| format!("failed to resolve {}", existing.display()))?;
    Ok(match full.strip_prefix(existing) {
        Ok(rest) if rest.as_os_str().is_empty() => resolved,
        Ok(rest) => resolved.join(rest),
        Err(_) => full,
    })
}

fn check_topic(topic: &str) -> Result<()> {
    ensure!(
        !topic.trim().is_empty(),
        "the topic is empty; say what to research: research run \"TOPIC\""
    );
    ensure!(
        topic.len() <= MAX_TOPIC_BYTES,
        "the topic has {} bytes, at most {MAX_TOPIC_BYTES} are taken; \
         put long texts into a file for --docs",
        topic.len()
    );
    Ok(())
}

/// Refuses a name that is not a plain path component.
fn check_name(name: &str) -> Result<()> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    ensure!(
        !name.is_empty()
            && name.len() <= 100
            && name.chars().all(fits)
            && !name.starts_with(['.', '-']),
        "the session name {name:?} cannot be used: at most 100 letters, digits, - _ and . are, \
         not beginning with . or -"
    );
    ensure!(
        name != "last",
        "the session name \"last\" is taken: it means the session started last"
    );
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn new_session(topic: &str) -> NewSession {
        NewSession {
            topic: topic.to_owned(),
            mode: Mode::default(),
            depth: Depth::Auto,
            documents: Vec::new(),
            follows: None,
            inherited: Vec::new(),
            web: WebScope::default(),
            style: Style::default(),
        }
    }

    fn terms() -> ReviewTerms {
        ReviewTerms {
            threshold: 0.6,
            max_rounds: 3,
            clarify: true,
            owner: "local".to_owned(),
            messages: Vec::new(),
        }
    }

    fn make(output_dir: &Path, topic: &str, name: Option<&str>) -> PathBuf {
        let (new, clock) = (new_session(topic), Clock::default());
        let session = locate(output_dir, &new, name, clock).unwrap();
        open_or_create(&session.path, &new, &terms(), &Disk::default(), clock).unwrap();
        session.path
    }

    #[test]
    fn equal_keys_are_the_same_session() {
        let folder = tempfile::tempdir().unwrap();
        let pumps = make(folder.path(), "heat pumps", None);
        assert_eq!(make(folder.path(), "heat pumps", None), pumps);
        assert_ne!(make(folder.path(), "bees", None), pumps);
        assert_eq!(ids(folder.path()).unwrap().len(), 2);
    }

    #[test]
    fn hash_collision_in_the_first_digits_gets_a_longer_name() {
        let folder = tempfile::tempdir().unwrap();
        let first = make(folder.path(), "heat pumps", None);
        let mut other = read(&first).unwrap();
        other.topic = "bees".to_owned();
        fs::write(first.join(FILE), artifact::to_bytes(&other).unwrap()).unwrap();
        let second = make(folder.path(), "heat pumps", None);
        assert_ne!(first, second);
        assert_eq!(make(folder.path(), "heat pumps", None), second);
    }

    #[test]
    fn session_names_with_path_traversal_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "..",
            "../x",
            "/etc",
            "a/b",
            "",
            ".hidden",
            "-f",
            "a\nb",
            "last",
            "ü",
            &"x".repeat(101),
        ] {
            let refused = locate(
                folder.path(),
                &new_session("bees"),
                Some(name),
                Clock::default(),
            );
            assert!(refused.is_err(), "{name:?}");
        }
        assert!(make(folder.path(), "bees", Some("my-bees_1.0")).ends_with("my-bees_1.0"));
        let other = locate(
            folder.path(),
            &new_session("wasps"),
            Some("my-bees_1.0"),
            Clock::default(),
        );
        assert!(other.unwrap_err().to_string().contains("something else"));
    }

    #[test]
    fn a_session_is_resolved_by_path_id_prefix_and_last() {
        let folder = tempfile::tempdir().unwrap();
        let bees = make(folder.path(), "bees", Some("bees"));
        make(folder.path(), "beetles", Some("beetles"));
        let find = |reference: &str| resolve(folder.path(), reference);
        assert_eq!(find("bees").unwrap(), bees);
        assert_eq!(find(bees.to_str().unwrap()).unwrap(), bees);
        assert!(find("beet").unwrap().ends_with("beetles"));
        assert!(find("bee").unwrap_err().to_string().contains("2 sessions"));
        assert!(find("wasps").is_err());
        assert!(find("").is_err());
        assert!(find("last").is_ok());
    }
}

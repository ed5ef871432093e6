//! The key of a session: what makes two questions the same. A session is found by it, or named
//! after it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail, ensure};
use serde::Serialize;

use super::documents::{name_documents, name_session};
use super::file::{FILE, read};
use super::layout::{self, Layout};
use super::lookup::check_output_dir;
use super::name::{self, HASH_DIGITS, check_name};
use super::names::SessionNames;
use crate::artifact::Session;
use crate::artifact::session::{Depth, Mode, Style};
use crate::pipeline::Digest;

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
    /// The documents as a session names them: see [`name_documents`]. The topics of a batch share
    /// them, the scope and the style.
    pub documents: Arc<[String]>,
    /// The session that it follows, named in the same way.
    pub follows: Option<String>,
    /// The scope of web searches, if there are any.
    pub web: Arc<WebScope>,
    /// The style of the report.
    pub style: Arc<Style>,
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
            documents: name_documents(output_dir, &new.documents)?.into(),
            follows: name_session(output_dir, new.follows.as_deref())?,
            web: Arc::new(new.web.clone()),
            style: Arc::new(new.style.clone()),
        })
    }

    /// The hash whose first digits end a session's name. It does not depend on the day.
    pub fn hash(&self) -> Digest {
        // What is left at its default is left out, as in sessions of older versions, whose names
        // stay what they are.
        let (topic, documents, web) = (&self.topic, &self.documents, &self.web);
        if !self.style.is_default() {
            let (mode, follows) = (self.mode, &self.follows);
            let question = (topic, self.depth, documents, web, mode, follows);
            return Digest::of_value(&(question, &self.style));
        }
        if self.mode != Mode::default() || self.follows.is_some() {
            let (mode, follows) = (self.mode, &self.follows);
            return Digest::of_value(&(topic, self.depth, documents, web, mode, follows));
        }
        if **web == WebScope::default() {
            return Digest::of_value(&(topic, self.depth, documents));
        }
        Digest::of_value(&(topic, self.depth, documents, web))
    }

    /// `true` if `session` has this key.
    pub fn matches(&self, session: &Session) -> bool {
        session.topic == self.topic
            && session.mode == self.mode
            && session.depth == self.depth
            && session.documents == *self.documents
            && session.follows == self.follows
            && session.search == self.web.search
            && session.domains == self.web.domains
            && session.style == *self.style
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
    ) -> Result<SessionPath> {
        check_topic(&self.topic)?;
        match name {
            Some(name) => self.locate_by_name(output_dir, name),
            None => self.locate_by_hash(output_dir, names),
        }
    }

    fn locate_by_name(&self, output_dir: &Path, name: &str) -> Result<SessionPath> {
        check_name(name)?;
        let path = layout::path(output_dir, name);
        let exists = path.join(FILE).exists();
        if exists {
            self.require_match(name, &read(&path)?)?;
        }
        Ok(SessionPath { path, exists })
    }

    /// Checks that the session of this name has this key.
    ///
    /// # Errors
    /// When it has another one.
    pub(super) fn require_match(&self, name: &str, session: &Session) -> Result<()> {
        ensure!(
            self.matches(session),
            "session {name} has {}; give it the same, choose another name with --session, or go on \
             with it by --resume {name}",
            self.differences(session).join(", and ")
        );
        Ok(())
    }

    /// The parts of the key that are different in `session`, each with both values.
    fn differences(&self, session: &Session) -> Vec<String> {
        let list = |values: &[String]| match values {
            [] => "none".to_owned(),
            values => values.join(", "),
        };
        let optional = |value: &Option<String>| list(value.as_slice());
        let parts = [
            ("another topic", session.topic.clone(), self.topic.clone()),
            ("another mode", word_of(&session.mode), word_of(&self.mode)),
            (
                "another depth",
                word_of(&session.depth),
                word_of(&self.depth),
            ),
            (
                "other documents",
                list(&session.documents),
                list(&self.documents),
            ),
            (
                "another session before it",
                optional(&session.follows),
                optional(&self.follows),
            ),
            (
                "other search services",
                list(&session.search),
                list(&self.web.search),
            ),
            (
                "other --domains",
                list(&session.domains),
                list(&self.web.domains),
            ),
        ];
        let mut differences: Vec<String> = parts
            .into_iter()
            .filter(|(_, own, given)| own != given)
            .map(|(part, own, given)| format!("{part} ({own}; here: {given})"))
            .collect();
        if session.style != *self.style {
            differences.push("another style of report".to_owned());
        }
        differences
    }

    fn locate_by_hash(&self, output_dir: &Path, names: &SessionNames) -> Result<SessionPath> {
        let (hash, layout) = (self.hash(), Layout::of(output_dir));
        let existing = |id: String| {
            let path = layout.path(&id);
            let is_same = read(&path).is_ok_and(|session| self.matches(&session));
            is_same.then_some(SessionPath { path, exists: true })
        };
        for digits in HASH_DIGITS..=hash.as_str().len() {
            let id = name::derived(&self.topic, &hash, digits);
            let path = layout.path(&id);
            if !path.join(FILE).exists() {
                let older = names.candidates(&hash).into_iter().find_map(existing);
                let exists = false;
                return Ok(older.unwrap_or(SessionPath { path, exists }));
            }
            if let Some(session) = existing(id) {
                return Ok(session);
            }
        }
        bail!("no name is left for this topic in {}", output_dir.display())
    }
}

/// The word for a value, as it is written in files and options.
fn word_of(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    json.trim_matches('"').to_owned()
}

/// The session for a question: the existing session with the same key, or a new name; with `name`,
/// that session.
///
/// # Errors
/// When the topic or the name cannot be used, or the name belongs to a session with another key.
pub fn locate(output_dir: &Path, new: &NewSession, name: Option<&str>) -> Result<SessionPath> {
    check_output_dir(output_dir)?;
    let key = SessionKey::new(output_dir, new)?;
    let names = match name {
        Some(_) => SessionNames::default(),
        None => SessionNames::list(output_dir)?,
    };
    key.locate(output_dir, name, &names)
}

/// Returns an error if a topic cannot be researched.
///
/// # Errors
/// When it is empty or too long.
pub fn check_topic(topic: &str) -> Result<()> {
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

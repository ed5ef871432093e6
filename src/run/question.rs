//! A question as a command line or a request asks it, and the new session that it means under the
//! settings.

use std::path::PathBuf;

use anyhow::{Error, Result, anyhow};

use super::backend::prompts;
use super::fetching::comma_separated;
use super::follow::{documents_to_inherit, messages, stored_sources};
use crate::agent;
use crate::artifact::session::{Depth, Mode, Style};
use crate::config::Settings;
use crate::session::{self, NewSession, WebScope};
use crate::web::{ProviderTable, check_domain};

/// The name of the service that turns the web search off.
const NO_SERVICE: &str = "none";

/// A question; for what it leaves out, the settings count.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// The topic, word for word; one that only names what is other than in the question that it
    /// follows up, such as another year, is that question of this.
    pub topic: String,
    /// The mode of research.
    pub mode: Option<Mode>,
    /// The depth of the research.
    pub depth: Option<Depth>,
    /// Files and directories to read.
    pub documents: Vec<PathBuf>,
    /// The search services.
    pub search: Option<Vec<String>>,
    /// The hosts that may be read.
    pub domains: Vec<String>,
    /// `true` if nothing may be sent out.
    pub is_offline: bool,
    /// The style of the report.
    pub style: Style,
    /// The directory of the session that it follows up.
    pub follow: Option<PathBuf>,
}

/// A question that cannot be researched as it is asked: nothing was written.
#[derive(Debug, thiserror::Error)]
#[error("{}{problem:#}", .option.map(|option| format!("--{option}: ")).unwrap_or_default())]
pub struct InvalidQuestion {
    /// The option of the command line, or the field of a request, that is at fault.
    pub option: Option<&'static str>,
    /// The fault.
    pub problem: Error,
}

impl InvalidQuestion {
    /// The error with a fault.
    pub fn new(problem: Error) -> Self {
        Self {
            option: None,
            problem,
        }
    }

    fn of(option: &'static str) -> impl Fn(Error) -> Self {
        move |problem| Self {
            option: Some(option),
            problem,
        }
    }
}

impl Question {
    /// The new session that it means, and the messages of the session that it follows up.
    ///
    /// # Errors
    /// [`InvalidQuestion`] when its parts do not fit together; another error when the session that
    /// it follows up cannot be read.
    pub fn new_session(&self, settings: &Settings) -> Result<(NewSession, Vec<String>)> {
        let (mode, depth) = self.mode_and_depth(settings)?;
        let mut session = NewSession {
            topic: self.topic.clone(),
            mode,
            depth,
            documents: self.documents.clone(),
            follows: None,
            inherited: Vec::new(),
            web: self.web_scope(settings, mode)?,
            style: self.report_style(settings)?,
        };
        let messages = self.follow_up(&mut session)?;
        Ok((session, messages))
    }

    /// The mode and the depth. A mode may force the depth.
    ///
    /// # Errors
    /// [`InvalidQuestion`] when it forces another one.
    pub fn mode_and_depth(&self, settings: &Settings) -> Result<(Mode, Depth), InvalidQuestion> {
        let mode = self.mode.unwrap_or(settings.run.mode);
        let forced = mode.depth();
        if let (Some(named), Some(forced)) = (self.depth, forced)
            && named != forced
        {
            return Err(InvalidQuestion::of("depth")(anyhow!(
                "mode {mode} works at depth quick; leave out the depth, or choose mode \
                 deep_research"
            )));
        }
        let depth = forced.or(self.depth).unwrap_or(settings.run.depth);
        Ok((mode, depth))
    }

    /// The search services and hosts: those that it names; without any and without documents, or in
    /// mode web_search, those of the settings.
    ///
    /// # Errors
    /// [`InvalidQuestion`] when a service or a host cannot be used.
    pub fn web_scope(&self, settings: &Settings, mode: Mode) -> Result<WebScope, InvalidQuestion> {
        let settings = &settings.search;
        // Local documents replace the web: nothing is sent out unless services are named.
        let search: Vec<String> = match &self.search {
            Some(names) => names.clone(),
            None if (self.documents.is_empty() || mode == Mode::WebSearch) && !self.is_offline => {
                comma_separated(&settings.services)
            }
            None => Vec::new(),
        };
        // Either may be meant: that the web is searched must not be a guess.
        if search.len() > 1 && search.iter().any(|name| name == NO_SERVICE) {
            return Err(InvalidQuestion::of("search")(anyhow!(
                "{NO_SERVICE} cannot be combined with services; leave out one or the other"
            )));
        }
        let search: Vec<String> = search
            .into_iter()
            .filter(|name| name != NO_SERVICE)
            .collect();
        if mode == Mode::Simple && self.search.is_some() && !search.is_empty() {
            return Err(InvalidQuestion::of("search")(anyhow!(
                "mode simple does not search the web; choose mode web_search"
            )));
        }
        if search.is_empty() || mode == Mode::Simple {
            return Ok(WebScope::default());
        }
        // Checked before a session is written.
        let services = ProviderTable::load().map_err(InvalidQuestion::new)?;
        services
            .select(&search, "")
            .map_err(|problem| match self.search {
                Some(_) => InvalidQuestion::of("search")(problem),
                None => InvalidQuestion::new(problem.context("search.services")),
            })?;
        let domains = if self.domains.is_empty() {
            comma_separated(&settings.domains)
        } else {
            self.domains.clone()
        };
        for domain in &domains {
            check_domain(domain).map_err(|problem| {
                if self.domains.is_empty() {
                    InvalidQuestion::new(problem.context("search.domains"))
                } else {
                    InvalidQuestion::of("domains")(problem)
                }
            })?;
        }
        Ok(WebScope { search, domains })
    }

    /// The style of the report.
    ///
    /// # Errors
    /// [`InvalidQuestion`] when there is no such kind of report.
    pub fn report_style(&self, settings: &Settings) -> Result<Style, InvalidQuestion> {
        let style = self.style.clone();
        if style.kind != Style::default().kind {
            let prompts = prompts(settings).map_err(InvalidQuestion::new)?;
            let checked = prompts.require_report_kind(&style.kind);
            checked.map_err(InvalidQuestion::new)?;
        }
        Ok(style)
    }

    /// Adds the sources of the session that it follows up to a new one, and returns the messages
    /// for its agents.
    fn follow_up(&self, session: &mut NewSession) -> Result<Vec<String>> {
        let Some(earlier) = &self.follow else {
            return Ok(Vec::new());
        };
        let messages = messages(earlier)?;
        // The report is of a whole question: "What about 2023?" is none.
        if let Some(full) = agent::in_full(&session.topic, &messages) {
            session.topic = full;
        }
        // Services replace the search scope of the earlier session, documents its documents.
        if self.search.is_none() && session.mode != Mode::Simple {
            let earlier = session::read(earlier)?;
            session.web = WebScope {
                search: earlier.search,
                domains: earlier.domains,
            };
        }
        if self.documents.is_empty() {
            session.inherited = documents_to_inherit(earlier)?;
        }
        session.documents.extend(stored_sources(earlier));
        session.follows = Some(earlier.clone());
        Ok(messages)
    }
}

//! The server as one owner has it: with the sessions of that owner and of nobody else.
//!
//! Each owner has a directory of sessions, named after the hash of the owner's name. So there is
//! nothing to filter: what is listed, counted, searched for and missed is in that directory, and a
//! name of another owner's session is a name of nothing, found out in the same time.

use std::fs;
use std::ops::Deref;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError, Weak};

use anyhow::Result;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use chrono::{DateTime, TimeDelta};
use tokio::sync::watch;

use super::app::App;
use super::ask::{Ask, RunTerms};
use super::identity::Owner;
use super::problem::Problem;
use super::queue::{Ended, Job};
use super::stream::length_of;
use crate::artifact::Session;
use crate::inspect;
use crate::model::{Amount, Budget, Needs};
use crate::pipeline::{Digest, Disk, Engine, Lock, holder};
use crate::read::{self, Kinds};
use crate::run::{self, BackendConfig, InvalidQuestion, Shared};
use crate::session::{self, NewSession, ReviewTerms, SessionPath};
use crate::web::WebClient;

/// The directory of the owners' directories. No session can have this name.
const OWNERS: &str = ".owners";

/// The number of digits of the hash that names the directory of an owner: 128 bits, so that no two
/// owners share one.
const OWNER_DIGITS: usize = 32;

/// The days whose sessions count for the budget of an owner.
const BUDGET_DAYS: TimeDelta = TimeDelta::days(30);

/// The sender of a request, with what is theirs. Without identity, everybody has everything.
#[derive(Clone)]
pub(super) struct Tenant {
    app: Arc<App>,
    /// The owner; `None` without identity.
    owner: Option<String>,
    output_dir: PathBuf,
}

/// A question with everything that it means under the settings.
pub(super) struct Prepared {
    pub(super) location: SessionPath,
    terms: RunTerms,
    new: NewSession,
    review: ReviewTerms,
}

/// A run that was put into the queue.
pub(super) struct Started {
    /// The name of the session.
    pub(super) id: String,
    /// Its directory.
    pub(super) path: PathBuf,
    /// `true` if the session was made for it.
    pub(super) is_new: bool,
    /// The length of the event log before it.
    pub(super) position: u64,
    /// Its end.
    pub(super) ended: watch::Receiver<Ended>,
}

impl Deref for Tenant {
    type Target = App;

    fn deref(&self) -> &App {
        &self.app
    }
}

impl FromRequestParts<Arc<App>> for Tenant {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        Self::of_request(app, parts)
    }
}

impl Tenant {
    /// The one tenant of a server without identity.
    pub(super) fn local(app: Arc<App>) -> Self {
        Self {
            output_dir: app.settings.run.output_dir.clone(),
            owner: None,
            app,
        }
    }

    fn of_owner(app: Arc<App>, owner: String) -> Self {
        let hash = Digest::of(&owner);
        let owners = app.settings.run.output_dir.join(OWNERS);
        Self {
            output_dir: owners.join(&hash.as_str()[..OWNER_DIGITS]),
            owner: Some(owner),
            app,
        }
    }

    /// The sender of a request that the guard has let pass.
    ///
    /// # Errors
    /// When tokens are needed, and it let it pass without one.
    pub(super) fn of_request(app: &Arc<App>, parts: &Parts) -> Result<Self, Problem> {
        match parts.extensions.get::<Owner>() {
            Some(Owner(owner)) => Ok(Self::of_owner(app.clone(), owner.clone())),
            None if app.identity.is_none() => Ok(Self::local(app.clone())),
            None => {
                let detail = "this route needs a token, and was reached without one";
                Err(Problem::new(StatusCode::UNAUTHORIZED, detail))
            }
        }
    }

    /// Every tenant of this server that has sessions.
    pub(super) fn all(&self) -> Vec<Self> {
        Self::every(&self.app)
    }

    /// Every tenant that has sessions.
    pub(super) fn every(app: &Arc<App>) -> Vec<Self> {
        if app.identity.is_none() {
            return vec![Self::local(app.clone())];
        }
        let owners = app.settings.run.output_dir.join(OWNERS);
        let directories = fs::read_dir(owners).into_iter().flatten().flatten();
        let tenant = |entry: fs::DirEntry| {
            let ids = session::ids(&entry.path()).ok()?;
            let mut sessions = ids.iter().map(|id| session::read(&entry.path().join(id)));
            let owner = sessions.find_map(Result::ok)?.owner;
            Some(Self::of_owner(app.clone(), owner))
        };
        directories.filter_map(tenant).collect()
    }

    /// The owner; `None` without identity.
    pub(super) fn owner(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// The directory of the sessions.
    pub(super) fn output_dir(&self) -> &Path {
        &self.output_dir
    }

    /// A key that no other tenant has.
    pub(super) fn scoped(&self, key: &[u8]) -> Vec<u8> {
        let directory = self.output_dir.as_os_str().as_encoded_bytes();
        [directory, b"\0", key].concat()
    }

    /// The session of this name, and its directory.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn session(&self, id: &str) -> Result<(PathBuf, Session), Problem> {
        let mut parts = Path::new(id).components();
        let is_plain = matches!(
            (parts.next(), parts.next()),
            (Some(Component::Normal(name)), None) if name == id
        );
        let path = session::path(&self.output_dir, id);
        if !is_plain || id.starts_with('.') || !path.join(session::FILE).is_file() {
            return Err(Problem::no_session());
        }
        let session = session::read(&path)?;
        // Moved here by hand, perhaps by mistake.
        if self
            .owner
            .as_ref()
            .is_some_and(|owner| *owner != session.owner)
        {
            return Err(Problem::no_session());
        }
        Ok((path, session))
    }

    /// What a question means under the settings. Nothing is written.
    ///
    /// # Errors
    /// When it cannot be researched as it is asked.
    pub(super) fn prepare(&self, ask: &Ask) -> Result<Prepared, Problem> {
        ask.check()?;
        ask.check_limit(&self.backend, &self.settings)?;
        let settings = ask.settings(&self.settings);
        let follow = ask.follow.as_deref().map(|id| self.session(id));
        let documents = ask.documents(&self.documents)?;
        let question = ask.question(&settings, documents, follow.transpose()?.map(|one| one.0));
        let (new, messages) = question.new_session(&settings)?;
        let location = self.locate(ask, &new)?;
        if !location.exists {
            read::require_documents(&question.documents, &Kinds::built_in())
                .map_err(|error| InvalidQuestion::new(error.into()))?;
            let has_model = !ask.offline && self.backend.models().is_some();
            new.require_sources(has_model).map_err(|_| {
                let detail = "there is nothing to search: start the server with --docs PATH, or \
                              name search services";
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
            })?;
        }
        let run = &settings.run;
        Ok(Prepared {
            location,
            new,
            review: ReviewTerms {
                threshold: ask.threshold.unwrap_or(run.threshold),
                max_rounds: ask.max_rounds.unwrap_or(run.max_rounds),
                clarify: !ask.no_clarify,
                owner: self.owner.as_ref().unwrap_or(&run.owner).clone(),
                first_run: ask.first_run(),
                messages,
            },
            terms: ask.run_terms(settings),
        })
    }

    /// The session of a question.
    ///
    /// # Errors
    /// When its name cannot be used, or is that of another question.
    fn locate(&self, ask: &Ask, new: &NewSession) -> Result<SessionPath, Problem> {
        let name = ask.session.as_deref();
        Ok(session::locate(&self.output_dir, new, name).map_err(InvalidQuestion::new)?)
    }

    /// Opens the session of a question, and says whether it is new.
    ///
    /// # Errors
    /// When it cannot be read or written, or another request has made one of this name since, of
    /// another question.
    fn open(&self, ask: &Ask, prepared: &mut Prepared) -> Result<(Session, bool), Problem> {
        // One at a time: while a session is made, it is locked.
        let _turn = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = !prepared.location.path.join(session::FILE).exists();
        if !is_new && !prepared.location.exists {
            prepared.location = self.locate(ask, &prepared.new)?;
        }
        let Prepared { new, review, .. } = &*prepared;
        let path = &prepared.location.path;
        let session = session::open_or_create(path, new, review, &Disk::default(), self.clock)?;
        Ok((session, is_new))
    }

    /// The session of a question as it would be written.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn draft(&self, prepared: &Prepared) -> Result<Session> {
        let path = &prepared.location.path;
        if prepared.location.exists {
            return session::read(path);
        }
        session::draft(path, &prepared.new, &prepared.review, self.clock)
    }

    /// Opens the session of a question, and puts its run into the queue.
    ///
    /// # Errors
    /// When it cannot be researched as it is asked, or not run now.
    pub(super) fn start(&self, ask: &Ask) -> Result<Started, Problem> {
        let mut prepared = self.prepare(ask)?;
        let (session, is_new) = self.open(ask, &mut prepared)?;
        let started = self.resume(prepared.location.path, session, prepared.terms)?;
        Ok(Started { is_new, ..started })
    }

    /// Puts a run of a session that is there into the queue.
    ///
    /// # Errors
    /// As [`Tenant::enqueue`].
    pub(super) fn resume(
        &self,
        path: PathBuf,
        session: Session,
        terms: RunTerms,
    ) -> Result<Started, Problem> {
        Ok(Started {
            id: session.id.clone(),
            position: length_of(&path),
            ended: self.enqueue(path.clone(), session, terms)?,
            path,
            is_new: false,
        })
    }

    /// Puts a run of a session into the queue.
    ///
    /// # Errors
    /// When the queue is full, another process runs the session, or it reads what this server does
    /// not serve.
    pub(super) fn enqueue(
        &self,
        path: PathBuf,
        session: Session,
        terms: RunTerms,
    ) -> Result<watch::Receiver<Ended>, Problem> {
        if !self.queue.has(&path) && Lock::is_locked(&path) {
            let holder = holder(&path);
            let detail = format!("the session is in use by {holder}; wait until that run ends");
            return Err(Problem::new(StatusCode::CONFLICT, detail));
        }
        self.refuse_documents_elsewhere(&path, &session)?;
        let backend = if terms.is_offline {
            BackendConfig::default()
        } else {
            self.backend_with_budget()?
        };
        let shared = Shared {
            web: self.own_web_client(&session, terms.is_offline)?,
            ..Shared::default()
        };
        let settings = terms.settings.unwrap_or_else(|| self.settings.clone());
        let (session_path, overrides) = (path.clone(), terms.overrides);
        self.queue.add(Job {
            path,
            request: terms.request,
            engine: Engine {
                clock: self.clock,
                reporter: Some(self.metrics.reporter()),
                ..Engine::default()
            },
            pipeline: Box::new(move || {
                run::pipeline(
                    &session_path,
                    &session,
                    &settings,
                    overrides,
                    &backend,
                    shared,
                )
            }),
        })
    }

    /// The web client for a session: where there are owners, with the pages of its own alone.
    fn own_web_client(
        &self,
        session: &Session,
        is_offline: bool,
    ) -> Result<Option<Arc<WebClient>>> {
        let client = self.web_client(&session.search, is_offline)?;
        let own = |client: Arc<WebClient>| match &self.owner {
            Some(owner) => Arc::new(client.of_owner(Digest::of(owner).as_str())),
            None => client,
        };
        Ok(client.map(own))
    }

    /// Refuses a session that names documents which nobody who starts runs here may have meant: a
    /// session may be somebody else's.
    fn refuse_documents_elsewhere(&self, path: &Path, session: &Session) -> Result<(), Problem> {
        let real = |path: &PathBuf| path.canonicalize().ok();
        let roots: Vec<PathBuf> = self.documents.iter().filter_map(real).collect();
        let elsewhere = session::documents_elsewhere(path, session);
        let is_served = |document: &&PathBuf| roots.iter().any(|root| document.starts_with(root));
        match elsewhere.iter().find(|document| !is_served(document)) {
            None => Ok(()),
            Some(document) => Err(Problem::new(
                StatusCode::CONFLICT,
                format!(
                    "the session reads {}, which this server does not serve; run it with \
                     `research run --resume`, or start the server with --docs",
                    document.display()
                ),
            )),
        }
    }

    /// The models with the budget of the owner, if owners have one. All runs of an owner share it
    /// while any of them lasts; the next one counts what the sessions have spent.
    fn backend_with_budget(&self) -> Result<BackendConfig, Problem> {
        let backend = self.backend.clone();
        let limits = self.settings.server.owner_budget();
        let Some(owner) = self.owner.as_ref().filter(|_| backend.models().is_some()) else {
            return Ok(backend);
        };
        let Some(limits) = limits else {
            return Ok(backend);
        };
        let mut budgets = self.budgets.lock().unwrap_or_else(PoisonError::into_inner);
        budgets.retain(|_, budget| budget.strong_count() > 0);
        if let Some(budget) = budgets.get(owner).and_then(Weak::upgrade) {
            return Ok(backend.with_owner_budget(budget));
        }
        let budget = Budget::new(limits, None);
        budget
            .begin(self.spent()?, Needs::default())
            .map_err(anyhow::Error::from)?;
        let budget = Arc::new(budget);
        budgets.insert(owner.clone(), Arc::downgrade(&budget));
        Ok(backend.with_owner_budget(budget))
    }

    /// The amount that the sessions begun in the last days have spent.
    fn spent(&self) -> Result<Amount, Problem> {
        let since = self.clock.now() - BUDGET_DAYS;
        let mut spent = Amount::default();
        for id in session::ids(&self.output_dir)? {
            let Ok((path, session)) = self.session(&id) else {
                continue;
            };
            let began = DateTime::parse_from_rfc3339(&session.started_at);
            if began.is_ok_and(|began| began >= since) {
                let total = inspect::spending(&path)?.total;
                spent = spent.plus(Amount {
                    tokens: total.input_tokens + total.output_tokens,
                    usd: total.cost_usd.unwrap_or_default(),
                });
            }
        }
        Ok(spent)
    }
}

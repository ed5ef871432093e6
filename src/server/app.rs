//! The state that all requests share, and the two things that they do with it: open a session for a
//! question, and put its run into the queue.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use axum::http::StatusCode;
use tokio::sync::{Semaphore, watch};

use super::ask::{Ask, RunTerms};
use super::idempotency::IdempotencyKeys;
use super::problem::Problem;
use super::queue::{Ended, Job, Queue};
use super::stream::Followed;
use crate::artifact::Session;
use crate::config::Settings;
use crate::pipeline::{Clock, Disk, Engine, Interrupted, Lock, holder};
use crate::read::{self, Kinds};
use crate::run::{self, BackendConfig, InvalidQuestion, Shared, fetching};
use crate::session::{self, NewSession, ReviewTerms, SessionPath};
use crate::web::WebClient;

/// The state that all requests share.
pub(super) struct App {
    /// The settings.
    pub(super) settings: Settings,
    /// The clock.
    pub(super) clock: Clock,
    /// The documents that questions may name, and the default of those that name none.
    pub(super) documents: Vec<PathBuf>,
    /// The models, or the rules.
    pub(super) backend: BackendConfig,
    /// The web client, made when the first session needs one.
    pub(super) web_client: Mutex<Option<Arc<WebClient>>>,
    /// The queue of runs.
    pub(super) queue: Arc<Queue>,
    /// The idempotency keys of the latest requests.
    pub(super) idempotency: IdempotencyKeys,
    /// The event logs that clients follow.
    pub(super) followed: Arc<Followed>,
    /// The names of this server besides those of the machine.
    pub(super) hosts: Vec<String>,
    /// The limit of requests at once.
    pub(super) requests: Arc<Semaphore>,
    /// `true` once the server is shutting down.
    pub(super) is_ending: watch::Receiver<bool>,
}

/// A question with everything that it means under the settings.
pub(super) struct Prepared {
    pub(super) location: SessionPath,
    pub(super) terms: RunTerms,
    new: NewSession,
    review: ReviewTerms,
}

impl App {
    /// The directory of the sessions.
    pub(super) fn output_dir(&self) -> &Path {
        &self.settings.run.output_dir
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
        let path = self.output_dir().join(id);
        if !is_plain || id.starts_with('.') || !path.join(session::FILE).is_file() {
            return Err(Problem::no_session());
        }
        Ok((path.clone(), session::read(&path)?))
    }

    /// What a question means under the settings. Nothing is written.
    ///
    /// # Errors
    /// When it cannot be researched as it is asked.
    pub(super) fn prepare(&self, ask: &Ask) -> Result<Prepared, Problem> {
        ask.check()?;
        let settings = ask.settings(&self.settings);
        let follow = ask.follow.as_deref().map(|id| self.session(id));
        let documents = ask.documents(&self.documents)?;
        let question = ask.question(&settings, documents, follow.transpose()?.map(|one| one.0));
        let (new, messages) = question.new_session(&settings)?;
        let name = ask.session.as_deref();
        let location =
            session::locate(self.output_dir(), &new, name).map_err(InvalidQuestion::new)?;
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
                owner: run.owner.clone(),
                messages,
            },
            terms: ask.run_terms(settings),
        })
    }

    /// Opens the session of a question: reads it, or writes it.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub(super) fn open(&self, prepared: &Prepared) -> Result<Session> {
        let Prepared { new, review, .. } = prepared;
        let path = &prepared.location.path;
        session::open_or_create(path, new, review, &Disk::default(), self.clock)
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
        if !self.queue.has(&session.id) && Lock::is_locked(&path) {
            let holder = holder(&path);
            let detail = format!("the session is in use by {holder}; wait until that run ends");
            return Err(Problem::new(StatusCode::CONFLICT, detail));
        }
        self.refuse_documents_elsewhere(&path, &session)?;
        let backend = if terms.is_offline {
            BackendConfig::default()
        } else {
            self.backend.clone()
        };
        let shared = Shared {
            web: self.web_client(&session.search, terms.is_offline)?,
            ..Shared::default()
        };
        let id = session.id.clone();
        let settings = terms.settings.unwrap_or_else(|| self.settings.clone());
        let (place, overrides) = (path.clone(), terms.overrides);
        self.queue.add(Job {
            id,
            path,
            request: terms.request,
            engine: Engine {
                clock: self.clock,
                ..Engine::default()
            },
            pipeline: Box::new(move || {
                run::pipeline(&place, &session, &settings, overrides, &backend, shared)
            }),
        })
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

    /// The web client for sessions with these search services; `None` without any, or offline.
    fn web_client(&self, search: &[String], is_offline: bool) -> Result<Option<Arc<WebClient>>> {
        if search.is_empty() || is_offline {
            return Ok(None);
        }
        let mut client = self
            .web_client
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if client.is_none() {
            *client = Some(fetching::web_client(&self.settings, self.clock)?);
        }
        Ok(client.clone())
    }
}

/// Runs work that computes or waits for the disk on a thread for that.
///
/// # Errors
/// Those of the work; a panic is one.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        let detail = "the program has a fault: it panicked";
        Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail))
    })
}

/// Waits for the end of a run.
///
/// # Errors
/// Its problem if it failed or was cancelled.
pub(super) async fn wait(mut ended: watch::Receiver<Ended>) -> Result<(), Problem> {
    match ended.wait_for(Option::is_some).await {
        Ok(ended) => ended.clone().unwrap_or(Ok(())),
        // It was taken out of the queue.
        Err(_) => Err(anyhow::Error::from(Interrupted).into()),
    }
}

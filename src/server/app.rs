//! The state that all requests share.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use anyhow::Result;
use axum::http::StatusCode;
use tokio::sync::{Semaphore, watch};

use super::idempotency::IdempotencyKeys;
use super::identity::Identity;
use super::metrics::Metrics;
use super::problem::Problem;
use super::queue::{Ended, Queue};
use super::rates::RequestRates;
use super::stream::{Followed, Follower};
use crate::config::Settings;
use crate::model::Budget;
use crate::pipeline::{Clock, Interrupted};
use crate::quota::SharedQuotas;
use crate::run::{BackendConfig, fetching};
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
    /// Held while a session is opened.
    pub(super) opening: Mutex<()>,
    /// The queue of runs.
    pub(super) queue: Arc<Queue>,
    /// The idempotency keys of the latest requests.
    pub(super) idempotency: IdempotencyKeys,
    /// The event logs that clients follow.
    pub(super) followed: Arc<Followed>,
    /// The names of this server besides those of the machine.
    pub(super) hosts: Vec<String>,
    /// The tokens that say who sends a request; `None` if everybody may do everything.
    pub(super) identity: Option<Identity>,
    /// The budgets of the owners whose sessions run.
    pub(super) budgets: Mutex<HashMap<String, Weak<Budget>>>,
    /// What is counted for `GET /metrics`.
    pub(super) metrics: Metrics,
    /// The requests of each client.
    pub(super) rates: RequestRates,
    /// The limit of requests at once.
    pub(super) requests: Arc<Semaphore>,
    /// The limit of open streams and sockets, which last: those who watch shut out nobody who asks.
    pub(super) streams: Arc<Semaphore>,
    /// `true` once the server is shutting down.
    pub(super) is_ending: watch::Receiver<bool>,
}

impl App {
    /// A follower of the session at `path` that has seen its log up to `position`.
    pub(super) fn follower(&self, path: PathBuf, position: u64) -> Follower {
        Follower::new(&self.followed, path, position, self.is_ending.clone())
    }

    /// The web client for sessions with these search services; `None` without any, or offline.
    pub(super) fn web_client(
        &self,
        search: &[String],
        is_offline: bool,
    ) -> Result<Option<Arc<WebClient>>> {
        if search.is_empty() || is_offline {
            return Ok(None);
        }
        let mut client = self
            .web_client
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if client.is_none() {
            let quotas = SharedQuotas::default();
            *client = Some(fetching::web_client(&self.settings, self.clock, &quotas)?);
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

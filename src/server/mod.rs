//! The HTTP server: a thin layer over the same sessions.
//!
//! It holds no state of its own but a queue of runs and open connections: whatever a request shows
//! is computed from the files, and whatever it does, the command line can do as well. Several
//! servers and command lines may share a directory of sessions; the lock of a session decides who
//! runs it.
//!
//! A run goes on when its client goes away. When the server ends, running sessions stop at the next
//! safe point and those that wait are left as they are; all of them can be resumed, by the server
//! itself with [`Options::resume_interrupted`].

mod app;
mod ask;
mod body;
mod chat;
mod connections;
mod demo;
mod evidence;
mod export;
mod extract;
mod files;
mod follow;
mod forecast;
mod guard;
mod idempotency;
mod identity;
mod jwks;
mod list;
mod mcp;
mod mcp_http;
mod metrics;
mod openapi;
mod page;
mod problem;
mod queue;
mod rates;
mod route;
mod routes;
mod sessions;
mod signature;
mod stream;
mod tenant;
mod workflow;

pub use queue::Warn;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::config::Settings;
use crate::inspect;
use crate::pipeline::Clock;
use crate::platform::termination_signal;
use crate::run::BackendConfig;
use crate::run::fetching::comma_separated;
use crate::session;
use app::App;
use ask::RunTerms;
use connections::Limits;
use idempotency::IdempotencyKeys;
use identity::Identity;
use metrics::Metrics;
use queue::Queue;
use rates::RequestRates;
use tenant::Tenant;

/// The time that open requests have to end when the server ends (chosen by hand).
const GRACE: Duration = Duration::from_secs(10);

/// The options of a server.
pub struct Options {
    /// The settings.
    pub settings: Settings,
    /// The clock.
    pub clock: Clock,
    /// The models, or the rules.
    pub backend: BackendConfig,
    /// The documents that questions may name; those of questions that name none.
    pub documents: Vec<PathBuf>,
    /// `true` to go on with the sessions whose last run was interrupted.
    pub resume_interrupted: bool,
    /// Takes warnings of runs that failed, each with its session and the reason.
    pub warn: Warn,
}

impl Options {
    /// Checks that only this machine can reach a server that does not know who sends a request.
    ///
    /// # Errors
    /// When others can, or the keys of tokens cannot be used.
    pub fn check(&self) -> Result<()> {
        let server = &self.settings.server;
        let identity = Identity::from_settings(server, self.clock)?;
        let address = server.listen;
        ensure!(
            address.ip().is_loopback() || identity.is_some(),
            "{address} can be reached from other machines, and this server does not know who sends \
             a request; listen on 127.0.0.1, or require tokens: set server.jwks, or {} in the \
             environment",
            identity::SECRET
        );
        Ok(())
    }
}

/// Serves until the first SIGINT or SIGTERM. Calls `announce` with the address once it is open.
///
/// # Errors
/// When the address cannot be used.
pub fn serve(options: Options, announce: impl FnOnce(SocketAddr) -> Result<()>) -> Result<()> {
    options.check()?;
    let (resumes, warn) = (options.resume_interrupted, options.warn.clone());
    let (end, is_ending) = watch::channel(false);
    let identity = Identity::from_settings(&options.settings.server, options.clock)?;
    within_runtime(options, identity, is_ending, async |app| {
        listen(app, end, announce, resumes.then_some(warn)).await
    })
}

/// Serves the Model Context Protocol on standard input and output until the input ends, or the
/// first SIGINT or SIGTERM.
///
/// # Errors
/// When what is sent first is not that protocol.
pub fn serve_mcp(options: Options) -> Result<()> {
    let (_end, is_ending) = watch::channel(false);
    // Whoever starts it is who it serves.
    within_runtime(options, None, is_ending, async |app| {
        mcp::serve(app.clone()).await
    })
}

/// Runs a server with the state that its requests share; what runs at its end is interrupted.
fn within_runtime(
    options: Options,
    identity: Option<Identity>,
    is_ending: watch::Receiver<bool>,
    serve: impl AsyncFnOnce(&Arc<App>) -> Result<()>,
) -> Result<()> {
    let server = &options.settings.server;
    // The last reference is dropped here: the models have a runtime of their own, which must not be
    // dropped within another one.
    let app = Arc::new(App {
        clock: options.clock,
        documents: options.documents,
        backend: options.backend,
        web_client: Mutex::default(),
        opening: Mutex::default(),
        queue: Arc::new(Queue::new(
            server.max_runs,
            server.max_queued,
            options.warn.clone(),
        )),
        idempotency: IdempotencyKeys::default(),
        followed: Arc::default(),
        hosts: comma_separated(&server.hosts),
        identity,
        budgets: Mutex::default(),
        metrics: Metrics::default(),
        rates: RequestRates::new(server.max_requests_per_minute),
        requests: Arc::new(Semaphore::new(server.max_requests)),
        streams: Arc::new(Semaphore::new(server.max_requests)),
        is_ending,
        settings: options.settings,
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("failed to start the threads of the server")?;
    let served = runtime.block_on(serve(&app));
    app.queue.close();
    runtime.shutdown_timeout(GRACE);
    served
}

async fn listen(
    app: &Arc<App>,
    end: watch::Sender<bool>,
    announce: impl FnOnce(SocketAddr) -> Result<()>,
    resume: Option<Warn>,
) -> Result<()> {
    let address = app.settings.server.listen;
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!("failed to listen on {address}; --listen names another address and port")
    })?;
    if let Some(warn) = resume {
        let app = app.clone();
        tokio::task::spawn_blocking(move || resume_interrupted(&app, &warn)).await??;
    }
    let signal = termination_signal().context("failed to listen for signals")?;
    announce(listener.local_addr()?)?;
    let mut is_ending = app.is_ending.clone();
    let ended = async move {
        // The only error is that the sender is gone, which is the end as well.
        let _ = is_ending.wait_for(|is_ending| *is_ending).await;
    };
    let server = &app.settings.server;
    let head_timeout = Duration::from_secs(server.read_timeout_seconds);
    let limits = Limits::new(server.max_requests, head_timeout);
    let serving = connections::serve(listener, routes::router(app), &limits, ended);
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        () = &mut serving => return Ok(()),
        () = signal => {}
    }
    end.send_replace(true);
    // Requests that wait for a run end when it is interrupted.
    let queue = app.queue.clone();
    let closed = tokio::task::spawn_blocking(move || queue.close());
    let both = async { tokio::join!(serving, closed) };
    // The time is over if a client neither sends nor reads; its session is safe.
    let _ = tokio::time::timeout(GRACE, both).await;
    Ok(())
}

/// The OpenAPI description of the server, as `GET /openapi.json` answers it.
pub fn openapi() -> serde_json::Value {
    openapi::description(routes::ROUTES)
}

/// The paths of all routes, those of the page included, with the names of their parameters.
pub fn paths() -> impl Iterator<Item = &'static str> {
    routes::paths()
}

/// Puts the sessions whose last run was interrupted into the queue.
fn resume_interrupted(app: &Arc<App>, warn: &Warn) -> Result<()> {
    for tenant in Tenant::every(app) {
        for id in session::ids(tenant.output_dir())? {
            let path = session::path(tenant.output_dir(), &id);
            // A session that cannot be read must not hide the others.
            let Ok(true) = inspect::is_interrupted(&path, &app.settings) else {
                continue;
            };
            let session = session::read(&path)?;
            let terms = RunTerms::of_session(&session, &app.settings);
            let shown = path.display().to_string();
            if let Err(problem) = tenant.enqueue(path, session, terms) {
                warn(&format!("{shown}: not resumed: {}", problem.detail));
            }
        }
    }
    Ok(())
}

//! The connection to the server, and the streams that it holds.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Error, Result, anyhow, ensure};
use async_nats::jetstream::stream::Stream;
use async_nats::jetstream::{self, Context};
use async_nats::{ConnectErrorKind, ConnectOptions, ServerAddr};
use tokio::runtime::{self, Runtime};

use super::bucket::{Bucket, Notice};
use super::fleet::{FleetLimits, FleetQuotas};
use super::lane::{DEAD, TOPICS};
use super::stream::open_stream;

/// The stream of the topics that wait or are leased.
const TOPICS_STREAM: &str = "RESEARCH";
/// The stream of dead letters.
const DEAD_STREAM: &str = "RESEARCH_DEAD";

/// The settings of the queue.
#[derive(Debug, Clone)]
pub struct QueueSettings {
    /// The addresses of the servers, separated by commas.
    pub url: String,
    /// The file with the user's credentials; `None` for a server without users.
    pub credentials: Option<PathBuf>,
    /// The number of servers that hold each message.
    pub replicas: usize,
    /// The time after which a topic that its worker does not renew is delivered again.
    pub lease: Duration,
}

/// A connection to the queue.
pub struct Connection {
    pub(super) runtime: Runtime,
    pub(super) context: Context,
    pub(super) topics: Stream,
    pub(super) dead: Stream,
    pub(super) lease: Duration,
    /// The quotas of all workers, if they are asked.
    pub(super) quotas: Option<FleetQuotas>,
    replicas: usize,
}

impl Connection {
    /// Connects to the server and creates the streams that are missing there. A connection that is
    /// lost later is made anew.
    ///
    /// # Errors
    /// When no server answers, it refuses the credentials, its JetStream is off, or its streams
    /// were made for something else.
    pub fn open(settings: &QueueSettings) -> Result<Self> {
        let servers = addresses(&settings.url)?;
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("queue")
            .enable_all()
            .build()
            .context("failed to start the thread of the queue")?;
        let (context, topics, dead) = runtime.block_on(async {
            let client = match &settings.credentials {
                Some(file) => ConnectOptions::with_credentials_file(file)
                    .await
                    .with_context(|| format!("failed to read {}", file.display()))?,
                None => ConnectOptions::new(),
            };
            let client = client.name("research").connect(servers).await;
            let client = client.map_err(|error| unreachable(&settings.url, &error))?;
            let context = jetstream::new(client);
            let replicas = settings.replicas;
            let topics = open_stream(&context, TOPICS_STREAM, TOPICS, true, replicas).await?;
            let dead = open_stream(&context, DEAD_STREAM, DEAD, false, replicas).await?;
            anyhow::Ok((context, topics, dead))
        })?;
        Ok(Self {
            runtime,
            context,
            topics,
            dead,
            lease: settings.lease,
            quotas: None,
            replicas: settings.replicas,
        })
    }

    /// The quotas that this worker shares with all others, within these limits. What people should
    /// know of them is told by `notice`.
    ///
    /// # Errors
    /// When the server has no bucket for them.
    pub fn share_quotas(&mut self, limits: &FleetLimits, notice: Notice) -> Result<FleetQuotas> {
        let bucket = Bucket::open(&self.context, self.replicas, notice);
        let bucket = self.runtime.block_on(bucket)?;
        let quotas = FleetQuotas::new(bucket, self.runtime.handle().clone(), limits);
        self.quotas = Some(quotas.clone());
        Ok(quotas)
    }
}

/// The servers' addresses. Those with a password are refused: it would be shown with the settings.
fn addresses(url: &str) -> Result<Vec<ServerAddr>> {
    ensure!(
        !url.trim().is_empty(),
        "no queue is set; give --queue nats://HOST:4222, or set queue.url"
    );
    let address = |url: &str| {
        let address: ServerAddr = url.trim().parse().map_err(|_| {
            anyhow!("the address of the queue must be like nats://HOST:4222 or tls://HOST:4222")
        })?;
        ensure!(
            address.username().is_none() && address.password().is_none(),
            "the address of the queue holds a name or a password, which would be shown with the \
             settings; put credentials into a file and set queue.credentials to its path"
        );
        Ok(address)
    };
    url.split(',').map(address).collect()
}

fn unreachable(url: &str, error: &async_nats::ConnectError) -> Error {
    match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => anyhow!(
            "the queue at {url} refuses the credentials; set queue.credentials to the path of a \
             file that its administrator made"
        ),
        _ => {
            anyhow!("the queue at {url} cannot be reached ({error}); is `nats-server -js` running?")
        }
    }
}

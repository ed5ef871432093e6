//! Language models: one request to one model, what it may cost, and the journal of every call.
//!
//! [`Models`] is who answers for each tier, found in settings and environment. [`Models::send`]
//! sends one request within the limits of its provider, and knows nothing of agents, sessions or
//! files. [`Journal`] keeps what was asked and what was answered in a session, so that nothing is
//! paid for twice. [`lenient`] makes a typed answer of a reply's text. [`Budget`] says whether a call
//! can still be paid.
//!
//! Invariants:
//! - **No key leaves this room**: replies and faults are cleared of every known key before anything
//!   else sees them.
//! - **Nothing here repeats a request on its own but after a fault**, and what is repeated is said
//!   in the journal.
//! - **A request depends on its content alone**: neither time, nor chance, nor another request's
//!   reply is in it.

mod budget;
mod catalogue;
mod client;
mod discovery;
mod error;
mod forecast;
mod journal;
pub mod lenient;
mod rate_limits;
mod request;
mod salvage;
mod secrets;
mod stream;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use tokio::runtime::Runtime;

pub use budget::{Amount, Budget, BudgetExhausted, Phase, Reservation};
pub use catalogue::{Catalogue, Price, Prices, Protocol, Provider, SchemaBy};
pub use discovery::{Found, Wanted};
pub use error::ModelError;
pub use forecast::{CallEstimate, ExpectedCalls, Forecast, ForecastLine};
pub use journal::{Call, FailedTry, Journal, Lookup, RecordedReply, Rejection, Replay, calls};
pub use request::{Message, Reply, Request, Role, Usage, estimate_tokens};

use client::Client;
use rate_limits::RateLimits;

use crate::config::ModelSettings;

/// Where the answer to a greeting is cut off.
const GREETING: u32 = 16;

/// How demanding a judgement is, and so which model serves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Quick and cheap.
    Simple,
    /// Careful.
    Analytical,
    /// The best there is.
    Complex,
}

impl Tier {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Simple, Self::Analytical, Self::Complex];
}

/// One model of one provider.
#[derive(Clone)]
pub struct Model {
    /// `provider:name`.
    pub name: String,
    /// What it costs and holds.
    pub price: Price,
    /// How its provider is told of a schema.
    pub schema: SchemaBy,
    client: Client,
    limits: Arc<RateLimits>,
}

/// The models that answer, and what they share in a process: connections, limits, the time they are
/// given.
pub struct Models {
    tiers: BTreeMap<Tier, Model>,
    settings: ModelSettings,
    prices_of: String,
    origin: String,
    runtime: Runtime,
    answered: AtomicBool,
}

/// The thread that waits for models, started when there is something to wait for.
#[derive(Default)]
struct Waiting(OnceCell<Runtime>);

impl Waiting {
    fn get(&self) -> Result<&Runtime> {
        if let Some(runtime) = self.0.get() {
            return Ok(runtime);
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("models")
            .enable_all()
            .build()
            .context("failed to start the thread that waits for models")?;
        Ok(self.0.get_or_init(|| runtime))
    }
}

impl Models {
    /// The models that settings or environment name; `None` if there are none, and then the rules
    /// answer.
    ///
    /// # Errors
    /// When a setting names a provider that is not known, or a catalogue cannot be read.
    pub fn find(settings: &ModelSettings, catalogue: &Catalogue) -> Result<Option<Self>> {
        let waiting = Waiting::default();
        let Some(found) = discovery::find(settings, catalogue, &waiting)? else {
            return Ok(None);
        };
        waiting.get()?;
        let Some(runtime) = waiting.0.into_inner() else {
            return Ok(None);
        };
        Self::with(found, settings, catalogue, runtime).map(Some)
    }

    fn with(
        found: Found,
        settings: &ModelSettings,
        catalogue: &Catalogue,
        runtime: Runtime,
    ) -> Result<Self> {
        // Each provider once: its connections and limits are shared by its models.
        let mut providers: BTreeMap<&str, (Client, Arc<RateLimits>)> = BTreeMap::new();
        let mut tiers = BTreeMap::new();
        for (tier, wanted) in &found.tiers {
            let provider = catalogue.provider(&wanted.provider)?;
            let known = providers.get(wanted.provider.as_str());
            let (client, limits) = match known {
                Some((client, limits)) => (client.to(&wanted.model), limits.clone()),
                None => {
                    let streams =
                        provider.streams || found.streaming.as_ref() == Some(&wanted.provider);
                    let client =
                        Client::new(provider, &wanted.model, settings, catalogue, streams)?;
                    (client, Arc::new(RateLimits::new(provider)))
                }
            };
            providers.insert(&wanted.provider, (client.clone(), limits.clone()));
            let name = wanted.name();
            let model = Model {
                price: catalogue.prices.price_of(&name),
                schema: provider.schema,
                client,
                limits,
                name,
            };
            tiers.insert(*tier, model);
        }
        Ok(Self {
            tiers,
            settings: settings.clone(),
            prices_of: catalogue.prices.taken_on.clone(),
            origin: found.origin,
            runtime,
            answered: AtomicBool::new(false),
        })
    }

    /// Who answers at a tier.
    pub fn for_tier(&self, tier: Tier) -> Option<&Model> {
        self.tiers.get(&tier)
    }

    /// Each model once, with the tiers that it serves.
    pub fn distinct(&self) -> BTreeMap<&str, (&Model, Vec<Tier>)> {
        let mut distinct: BTreeMap<&str, (&Model, Vec<Tier>)> = BTreeMap::new();
        for (tier, model) in &self.tiers {
            let entry = distinct.entry(&model.name).or_insert((model, Vec::new()));
            entry.1.push(*tier);
        }
        distinct
    }

    /// The settings under which they answer.
    pub fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    /// One line about who answers, and why they and not others.
    pub fn describe(&self) -> String {
        let distinct = self.distinct();
        let names: Vec<String> = match distinct.len() {
            1 => distinct.keys().map(|name| (*name).to_owned()).collect(),
            _ => self
                .tiers
                .iter()
                .map(|(tier, model)| format!("{} ({tier:?})", model.name).to_lowercase())
                .collect(),
        };
        let unpriced: Vec<&str> = distinct
            .values()
            .filter(|(model, _)| !model.price.is_known)
            .map(|(model, _)| model.name.as_str())
            .collect();
        let price = match unpriced.is_empty() {
            true => format!("prices of {}", self.prices_of),
            false => format!(
                "the price of {} is not known: tokens are counted, not money",
                unpriced.join(", ")
            ),
        };
        format!(
            "answered by {}, found in {}; {price}",
            names.join(", "),
            self.origin
        )
    }

    /// Sends a request once, within the limits of its provider.
    ///
    /// # Errors
    /// The fault, cleared of keys.
    pub async fn send(&self, model: &Model, request: &Request) -> Result<Reply, ModelError> {
        let (client, limits) = (model.client.clone(), model.limits.clone());
        let request = request.clone();
        let sent = self.runtime.spawn(async move {
            let estimated = request.max_tokens();
            let _turn = limits.acquire(estimated).await;
            let answered = client.send(&request).await;
            if let Ok(Reply { usage, .. }) = &answered {
                limits.correct(estimated, usage.input + usage.output);
            }
            answered
        });
        match sent.await {
            Ok(answered) => {
                self.answered.fetch_or(answered.is_ok(), Ordering::Relaxed);
                answered
            }
            Err(error) => Err(ModelError::ConnectionLost(format!(
                "the call was abandoned: {error}"
            ))),
        }
    }

    /// Whether a request was answered in this process.
    pub fn have_answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed)
    }

    /// Sends the smallest request that shows whether a model answers.
    ///
    /// # Errors
    /// The fault, cleared of keys.
    pub async fn ping(&self, model: &Model) -> Result<Reply, ModelError> {
        let request = Request {
            model: model.name.clone(),
            messages: vec![Message {
                role: Role::User,
                text: "Answer with the one word: ready".to_owned(),
            }],
            schema: None,
            schema_name: "greeting".to_owned(),
            max_output_tokens: GREETING.saturating_add(model.price.thinking_tokens),
            temperature: None,
        };
        self.send(model, &request).await
    }

    /// Waits on the models' own clock.
    pub async fn sleep(&self, time: std::time::Duration) {
        let slept = self
            .runtime
            .spawn(async move { tokio::time::sleep(time).await });
        // It cannot fail but when the process ends.
        let _ = slept.await;
    }
}

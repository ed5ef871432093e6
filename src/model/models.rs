//! The models of all tiers. They are selected once per process, and send requests within the rate
//! limits of their providers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;
use tokio::runtime::Runtime;
use tracing::Instrument as _;

use super::client::Client;
use super::discovery::{Selection, select};
use super::rate_limits::RateLimits;
use super::request::{Message, Reply, Request, Role};
use super::runtime::LazyRuntime;
use super::{Catalogue, ModelError, Price, SchemaBy, Tier};
use crate::config::ModelSettings;
use crate::quota::SharedQuotas;

/// The limit of the reply to a ping, in tokens (chosen by hand).
const PING_TOKENS: u32 = 16;

/// One model of one provider.
#[derive(Clone)]
pub struct Model {
    /// `provider:name`.
    pub name: String,
    /// Its price and context window.
    pub price: Price,
    /// The way in which its provider takes a schema.
    pub schema: SchemaBy,
    client: Client,
    limits: Arc<RateLimits>,
}

/// The models of all tiers, with the connections, rate limits and runtime that they share.
pub struct Models {
    tiers: BTreeMap<Tier, Model>,
    settings: ModelSettings,
    prices_of: String,
    origin: String,
    /// The hosts that are sent prompts and keys.
    hosts: BTreeSet<String>,
    /// The error of a server at which nobody listens.
    dead: Option<String>,
    runtime: Runtime,
    answered: AtomicBool,
}

impl Models {
    /// Selects the models by settings and environment; `None` if there are none; then the rules
    /// answer.
    ///
    /// # Errors
    /// When a setting names a provider that does not exist, or a catalogue cannot be read.
    pub fn find(settings: &ModelSettings, catalogue: &Catalogue) -> Result<Option<Self>> {
        let lazy = LazyRuntime::default();
        let Some(selection) = select(settings, catalogue, &lazy)? else {
            return Ok(None);
        };
        // Started now if the selection did not need it, so that errors are reported before the
        // first call.
        lazy.get()?;
        let Some(runtime) = lazy.into_inner() else {
            return Ok(None);
        };
        Self::build(selection, settings, catalogue, runtime).map(Some)
    }

    fn build(
        selection: Selection,
        settings: &ModelSettings,
        catalogue: &Catalogue,
        runtime: Runtime,
    ) -> Result<Self> {
        // Each provider once: its connections and limits are shared by its models.
        let mut providers: BTreeMap<&str, (Client, Arc<RateLimits>)> = BTreeMap::new();
        let mut tiers = BTreeMap::new();
        let mut hosts = BTreeSet::new();
        for (tier, name) in &selection.tiers {
            let provider = catalogue.provider(&name.provider)?;
            hosts.insert(provider.host());
            let (client, limits) = match providers.get(name.provider.as_str()) {
                Some((client, limits)) => (client.for_model(&name.model), limits.clone()),
                None => {
                    let streams =
                        provider.streams || selection.streaming.as_ref() == Some(&name.provider);
                    let client = Client::new(provider, &name.model, settings, catalogue, streams)?;
                    (client, Arc::new(RateLimits::new(provider)))
                }
            };
            providers.insert(&name.provider, (client.clone(), limits.clone()));
            let full_name = name.name();
            let model = Model {
                price: catalogue.prices.price_of(&full_name),
                schema: provider.schema,
                client,
                limits,
                name: full_name,
            };
            tiers.insert(*tier, model);
        }
        Ok(Self {
            tiers,
            settings: settings.clone(),
            prices_of: catalogue.prices.taken_on.clone(),
            origin: selection.origin,
            dead: selection.dead,
            hosts,
            runtime,
            answered: AtomicBool::new(false),
        })
    }

    /// Returns the model of a tier.
    pub fn for_tier(&self, tier: Tier) -> Option<&Model> {
        self.tiers.get(&tier)
    }

    /// Returns each model once, with the tiers that it serves.
    pub fn distinct(&self) -> BTreeMap<&str, (&Model, Vec<Tier>)> {
        let mut distinct: BTreeMap<&str, (&Model, Vec<Tier>)> = BTreeMap::new();
        for (tier, model) in &self.tiers {
            let entry = distinct.entry(&model.name).or_insert((model, Vec::new()));
            entry.1.push(*tier);
        }
        distinct
    }

    /// The names of those without a known price, whose costs nothing can limit.
    pub fn unpriced(&self) -> Vec<&str> {
        let distinct = self.distinct().into_values();
        let unpriced = distinct.filter(|(model, _)| !model.price.is_known);
        unpriced.map(|(model, _)| model.name.as_str()).collect()
    }

    /// The settings of the models.
    pub fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    /// Returns one line about the models and the reason for their selection.
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
        let unpriced = self.unpriced();
        let price = if unpriced.is_empty() {
            format!("prices of {}", self.prices_of)
        } else {
            format!(
                "the price of {} is not known: tokens are counted, not money",
                unpriced.join(", ")
            )
        };
        let hosts: Vec<&str> = self.hosts.iter().map(String::as_str).collect();
        format!(
            "answered by {} at {}, found in {}; {price}",
            names.join(", "),
            hosts.join(", "),
            self.origin
        )
    }

    /// Sends a request once, within the rate limits of its provider and the quotas, and abandons it
    /// at the time limit. The attempt and the number of the send, both from 1, are for diagnostics
    /// only.
    ///
    /// # Errors
    /// The redacted error.
    pub async fn send(
        &self,
        model: &Model,
        request: &Arc<Request>,
        (attempt, send): (u32, usize),
        time_limit: Option<Duration>,
        quotas: &SharedQuotas,
    ) -> Result<Reply, ModelError> {
        let (model, request, quotas) = (model.clone(), request.clone(), quotas.clone());
        // The span of the call never contains its prompt or reply.
        let span = tracing::debug_span!(
            "call",
            model = model.name,
            agent = request.schema_name,
            attempt,
            send
        );
        let call = async move {
            // The rate limiter counts an upper bound now; the difference is refunded afterwards.
            let estimated = request.max_tokens() as u64;
            let (mut is_counted, mut is_sent) = (false, false);
            let answered = within(time_limit, async {
                let _permit = model.limits.acquire(estimated).await;
                is_counted = quotas.admit_call(&model.name, estimated).await;
                is_sent = true;
                model.client.send(&request).await
            });
            let mut answered = answered.await;
            // What was never sent costs nothing.
            if let (Err(ModelError::Timeout(text)), false) = (&answered, is_sent) {
                let text = format!("its turn did not come: {text}");
                let retry_after = None;
                answered = Err(ModelError::RateLimited { text, retry_after });
            }
            if let Ok(Reply { usage, .. }) = &answered {
                let counted = usage.input + usage.output;
                model.limits.correct(estimated, counted);
                if is_counted {
                    // The reply does not wait for it.
                    tokio::spawn(async move {
                        let corrected = quotas.correct_tokens(&model.name, estimated, counted);
                        corrected.await;
                    });
                }
            }
            match &answered {
                Ok(reply) => tracing::debug!(
                    input = reply.usage.input,
                    output = reply.usage.output,
                    truncated = reply.truncated,
                    "answered"
                ),
                Err(error) => tracing::debug!(%error, "failed"),
            }
            answered
        };
        // On the models' own runtime: the executor of the caller has neither timers nor network
        // I/O.
        match self.runtime.spawn(call.instrument(span)).await {
            Ok(answered) => {
                self.answered.fetch_or(answered.is_ok(), Ordering::Relaxed);
                answered
            }
            Err(error) => Err(ModelError::ConnectionLost(format!(
                "the call was abandoned: {error}"
            ))),
        }
    }

    /// The error of a model whose provider wants a key that is not set; `None` if all have theirs.
    pub fn missing_key(&self) -> Option<ModelError> {
        let mut models = self.tiers.values();
        models.find_map(|model| model.client.missing_key())
    }

    /// The error of a server of the user's at which nobody listened when the models were selected.
    pub fn dead(&self) -> Option<&str> {
        self.dead.as_deref()
    }

    /// `true` if a request was answered in this process.
    pub fn have_answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed)
    }

    /// Sends the smallest request that shows whether a model answers.
    ///
    /// # Errors
    /// The redacted error.
    pub async fn ping(&self, model: &Model) -> Result<Reply, ModelError> {
        // An output limit includes thinking, so the tokens for thinking are added.
        let request = Request {
            model: model.name.clone(),
            messages: vec![Message {
                role: Role::User,
                text: "Answer with the one word: ready".to_owned(),
            }],
            schema: None,
            schema_name: "greeting".to_owned(),
            max_output_tokens: PING_TOKENS.saturating_add(model.price.thinking_tokens),
            temperature: None,
        };
        let quotas = SharedQuotas::default();
        let request = Arc::new(request);
        self.send(model, &request, (1, 1), None, &quotas).await
    }

    /// Sleeps on the models' runtime.
    pub async fn sleep(&self, time: Duration) {
        let slept = self
            .runtime
            .spawn(async move { tokio::time::sleep(time).await });
        // It fails only when the process ends.
        let _ = slept.await;
    }
}

/// The reply to a request within a limit, however slowly it arrives or waits for its turn: the
/// timeout of a stream ends silence alone.
async fn within(
    limit: Option<Duration>,
    answered: impl Future<Output = Result<Reply, ModelError>>,
) -> Result<Reply, ModelError> {
    let Some(limit) = limit else {
        return answered.await;
    };
    tokio::time::timeout(limit, answered)
        .await
        .unwrap_or_else(|_| {
            let seconds = limit.as_secs_f64();
            Err(ModelError::Timeout(format!(
                "it was not complete within {seconds:.1} s, when the time of the run was over"
            )))
        })
}

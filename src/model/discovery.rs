//! The selection of models: those named in the settings, else the first provider with a key in the
//! environment, else a server on this machine.

use std::collections::BTreeMap;
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;
use url::Url;

use super::client::{self, is_on_this_machine};
use super::runtime::LazyRuntime;
use super::stream::MAX_BYTES;
use super::{Catalogue, Provider, Tier};
use crate::config::ModelSettings;

/// The setting that makes the agents' rules (plain code) answer even if there is a model.
const RULES: &str = "rules";

/// The timeout for connecting to a server on this machine (chosen by hand).
const LOCAL_CONNECT_TIMEOUT: Duration = Duration::from_millis(300);

/// The timeout for listing the models of a server (chosen by hand).
const LISTING_TIMEOUT: Duration = Duration::from_secs(5);

/// The values of `owned_by` in lists of models that identify servers able to stream: llama.cpp,
/// vLLM, Ollama, LM Studio.
const STREAMING_OWNERS: [&str; 4] = ["llamacpp", "vllm", "library", "organization_owner"];

/// The provider that is probed on this machine.
const LOCAL: &str = "ollama";

/// The selected models by tier, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The model of each tier.
    pub tiers: BTreeMap<Tier, ModelName>,
    /// The setting, variable or server that named them.
    pub origin: String,
    /// The provider, if its server was recognized as able to stream.
    pub streaming: Option<String>,
    /// The error of a server of the user's at which nobody listens.
    pub dead: Option<String>,
}

/// The name of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName {
    /// The name of the provider's entry.
    pub provider: String,
    /// The model's name there.
    pub model: String,
}

impl ModelName {
    /// `provider:name`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.provider, self.model)
    }

    fn parse(text: &str) -> Result<Self> {
        match text.split_once(':') {
            Some((provider, model)) if !provider.is_empty() && !model.is_empty() => Ok(Self {
                provider: provider.to_owned(),
                model: model.to_owned(),
            }),
            _ => bail!("a model is named provider:model, as in openai:gpt-4o, not {text:?}"),
        }
    }
}

/// Selects the models.
pub(super) fn select(
    settings: &ModelSettings,
    catalogue: &Catalogue,
    runtime: &LazyRuntime,
) -> Result<Option<Selection>> {
    let named = [
        &settings.default,
        &settings.simple,
        &settings.analytical,
        &settings.complex,
    ];
    if settings.default == RULES {
        return Ok(None);
    }
    let is_each_named =
        !settings.default.is_empty() || named[1..].iter().all(|name| !name.is_empty());
    // The environment is searched only if a tier has no model yet, since the search may probe a
    // server.
    let detected = if is_each_named {
        None
    } else {
        from_environment(catalogue, runtime)?
    };
    if named.iter().all(|name| name.is_empty()) {
        return Ok(detected);
    }
    let mut tiers = BTreeMap::new();
    for (tier, own) in
        Tier::ALL
            .into_iter()
            .zip([&settings.simple, &settings.analytical, &settings.complex])
    {
        let name = if own.is_empty() {
            &settings.default
        } else {
            own
        };
        // The setting of the tier, else the default, else the detected model.
        let wanted = match (name.is_empty(), &detected) {
            (false, _) => ModelName::parse(name)?,
            (true, Some(detected)) => detected.tiers[&tier].clone(),
            (true, None) => {
                let tier = format!("{tier:?}").to_lowercase();
                bail!("models.{tier} names no model, nor does models.default, and none was found")
            }
        };
        catalogue.provider(&wanted.provider)?;
        tiers.insert(tier, wanted);
    }
    let dead = tiers.values().find_map(|model: &ModelName| {
        let provider = catalogue.provider(&model.provider).ok()?;
        unless_listening(provider)
    });
    Ok(Some(Selection {
        tiers,
        dead,
        origin: match settings.named_by.as_str() {
            "" => "the settings".to_owned(),
            named_by => named_by.to_owned(),
        },
        streaming: detected.and_then(|detected| detected.streaming),
    }))
}

/// Selects the first provider for which the environment has a key or an address, else the server on
/// this machine.
fn from_environment(catalogue: &Catalogue, runtime: &LazyRuntime) -> Result<Option<Selection>> {
    for (name, provider) in catalogue
        .providers()
        .filter(|(_, provider)| provider.auto_detect)
    {
        if provider.key.is_none() && !provider.has_base_url_override {
            continue;
        }
        let origin = match provider.key {
            Some(_) => provider.key_variable.clone(),
            None => provider.base_url_variable.clone(),
        };
        // A server other than the provider's own serves other models.
        let mut is_dead = false;
        let listed = if provider.has_base_url_override {
            list_models(provider, catalogue, runtime, &mut is_dead)?
        } else {
            None
        };
        return Ok(Some(Selection {
            dead: is_dead.then(|| no_server(provider)),
            streaming: listed.as_ref().and_then(|listed| listed.streaming(name)),
            tiers: match listed {
                Some(listed) => named(name, listed.at_each_tier()),
                None => named(name, of_provider(provider)),
            },
            origin,
        }));
    }
    let Ok(provider) = catalogue.provider(LOCAL) else {
        return Ok(None);
    };
    if !is_listening(&provider.base_url) {
        return Ok(None);
    }
    let Some(listed) = list_models(provider, catalogue, runtime, &mut false)? else {
        return Ok(None);
    };
    Ok(Some(Selection {
        dead: None,
        streaming: listed.streaming(LOCAL),
        tiers: named(LOCAL, listed.at_each_tier()),
        origin: format!("a server at {}", provider.shown_url()),
    }))
}

fn of_provider(provider: &Provider) -> BTreeMap<Tier, String> {
    let names = [&provider.simple, &provider.analytical, &provider.complex];
    Tier::ALL.into_iter().zip(names.map(Clone::clone)).collect()
}

fn named(provider: &str, tiers: BTreeMap<Tier, String>) -> BTreeMap<Tier, ModelName> {
    tiers
        .into_iter()
        .map(|(tier, model)| {
            let provider = provider.to_owned();
            (tier, ModelName { provider, model })
        })
        .collect()
}

/// `true` if a server listens at an address. For an address on this machine the answer is
/// immediate.
fn is_listening(base_url: &str) -> bool {
    let url = Url::parse(base_url).ok();
    let addresses = url.and_then(|url| url.socket_addrs(|| None).ok());
    let mut addresses = addresses.unwrap_or_default().into_iter();
    addresses.any(|address| TcpStream::connect_timeout(&address, LOCAL_CONNECT_TIMEOUT).is_ok())
}

/// Returns the error of the address of a server on this machine, named by the environment, at which
/// nobody listens. One elsewhere may be behind a proxy: it is asked for its models.
fn unless_listening(provider: &Provider) -> Option<String> {
    let is_here = provider.has_base_url_override && is_on_this_machine(&provider.base_url);
    (is_here && !is_listening(&provider.base_url)).then(|| no_server(provider))
}

fn no_server(provider: &Provider) -> String {
    let (address, variable) = (provider.shown_url(), &provider.base_url_variable);
    format!("no server answers at {address}: start it, or change {variable}")
}

/// The result of listing the models of a server.
struct Listed {
    model: String,
    streams: bool,
}

impl Listed {
    fn at_each_tier(&self) -> BTreeMap<Tier, String> {
        Tier::ALL.map(|tier| (tier, self.model.clone())).into()
    }

    fn streaming(&self, provider: &str) -> Option<String> {
        self.streams.then(|| provider.to_owned())
    }
}

/// Returns the first model that a server lists, if it lists any. Sets `is_dead` if no connection to
/// it can be made.
fn list_models(
    provider: &Provider,
    catalogue: &Catalogue,
    runtime: &LazyRuntime,
    is_dead: &mut bool,
) -> Result<Option<Listed>> {
    #[derive(Deserialize)]
    struct Listing {
        data: Vec<ListedModel>,
    }
    #[derive(Deserialize)]
    struct ListedModel {
        id: String,
        #[serde(default)]
        owned_by: String,
    }
    let client = client::http_client(&provider.base_url, Some(LISTING_TIMEOUT))?;
    let request =
        client::with_credentials(client.get(format!("{}models", provider.base_url)), provider);
    let listed = runtime.get()?.block_on(async {
        let response = request.send().await?.error_for_status()?;
        client::beginning(response, MAX_BYTES).await
    });
    let text = match listed {
        Ok(text) => text,
        // If a model is named, an unreachable server is reported with the first request.
        Err(error) if provider.auto_detect => {
            let problem = catalogue.secrets.redact(&error.to_string());
            if provider.simple.is_empty() {
                bail!("{} lists no models: {problem}", provider.shown_url());
            }
            *is_dead = error.is_connect();
            return Ok(None);
        }
        Err(_) => return Ok(None),
    };
    ensure!(
        text.len() < MAX_BYTES,
        "{}models is no list of models: it sends more than {} MiB",
        provider.shown_url(),
        MAX_BYTES >> 20
    );
    let listing: Listing = serde_json::from_slice(&text)
        .with_context(|| format!("{}models is no list of models", provider.shown_url()))?;
    let mut models = listing.data;
    // A proxy of the provider itself, which serves the models of the entry.
    if models.iter().any(|model| model.id == provider.analytical) {
        return Ok(None);
    }
    // The first by name: the order of a server's list may differ between two runs.
    models.sort_by(|left, right| left.id.cmp(&right.id));
    Ok(models.into_iter().next().map(|first| Listed {
        model: first.id,
        streams: STREAMING_OWNERS.contains(&first.owned_by.as_str()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_names_have_a_provider() {
        let wanted = ModelName::parse("openrouter:openai/gpt-4o:free").unwrap();
        assert_eq!(wanted.provider, "openrouter");
        assert_eq!(wanted.model, "openai/gpt-4o:free");
        for text in ["gpt-4o", ":x", "x:", ""] {
            assert!(ModelName::parse(text).is_err(), "{text}");
        }
    }
}

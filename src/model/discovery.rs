//! Which models answer: those that settings name, else the first that the environment gives away.

use std::collections::BTreeMap;
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::{Catalogue, Provider, Tier, Waiting, client};
use crate::config::ModelSettings;

/// The setting by which the rules answer although a model is there.
const RULES: &str = "rules";

/// How long a server on this machine may take to say that it is there.
const PATIENCE: Duration = Duration::from_millis(300);

/// How long it may take to list its models.
const LISTING: Duration = Duration::from_secs(5);

/// Who owns the models that servers list which are known to answer piece by piece: llama.cpp, vLLM,
/// Ollama, LM Studio.
const STREAMING: [&str; 4] = ["llamacpp", "vllm", "library", "organization_owner"];

/// The provider that is looked for on this machine.
const LOCAL: &str = "ollama";

/// Models by tier, and where they were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// For each tier.
    pub tiers: BTreeMap<Tier, Wanted>,
    /// Where.
    pub origin: String,
    /// The provider, if its server was found to be of a kind that answers piece by piece.
    pub streaming: Option<String>,
}

/// A model by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Its provider's entry.
    pub provider: String,
    /// Its name there.
    pub model: String,
}

impl Wanted {
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

/// Looks for models.
pub(super) fn find(
    settings: &ModelSettings,
    catalogue: &Catalogue,
    runtime: &Waiting,
) -> Result<Option<Found>> {
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
    let found = match is_each_named {
        true => None,
        false => environment(catalogue, runtime)?,
    };
    if named.iter().all(|name| name.is_empty()) {
        return Ok(found);
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
        let wanted = match (name.is_empty(), &found) {
            (false, _) => Wanted::parse(name)?,
            (true, Some(found)) => found.tiers[&tier].clone(),
            (true, None) => {
                bail!("models.{tier:?} names no model, nor does models.default, and none was found",)
            }
        };
        catalogue.provider(&wanted.provider)?;
        tiers.insert(tier, wanted);
    }
    Ok(Some(Found {
        tiers,
        origin: "the settings".to_owned(),
        streaming: found.and_then(|found| found.streaming),
    }))
}

/// The first provider of which the environment has a key, or says where it is; else what runs on
/// this machine.
fn environment(catalogue: &Catalogue, runtime: &Waiting) -> Result<Option<Found>> {
    for (name, provider) in catalogue.providers().filter(|(_, one)| one.found) {
        if provider.key.is_none() && !provider.has_base_url_override {
            continue;
        }
        let origin = match provider.key {
            Some(_) => provider.key_variable.clone(),
            None => provider.base_url_variable.clone(),
        };
        let served = match provider.has_base_url_override {
            // Another server than the provider's own knows other models.
            true => served(provider, catalogue, runtime)?,
            false => None,
        };
        return Ok(Some(Found {
            streaming: served.as_ref().and_then(|served| served.streaming(name)),
            tiers: match served {
                Some(served) => named(name, served.at_each_tier()),
                None => named(name, of_provider(provider)),
            },
            origin,
        }));
    }
    let Ok(provider) = catalogue.provider(LOCAL) else {
        return Ok(None);
    };
    if !answers(&provider.base_url) {
        return Ok(None);
    }
    let Some(served) = served(provider, catalogue, runtime)? else {
        return Ok(None);
    };
    Ok(Some(Found {
        streaming: served.streaming(LOCAL),
        tiers: named(LOCAL, served.at_each_tier()),
        origin: format!("a server at {}", provider.base_url),
    }))
}

fn of_provider(provider: &Provider) -> BTreeMap<Tier, String> {
    let names = [&provider.simple, &provider.analytical, &provider.complex];
    Tier::ALL.into_iter().zip(names.map(Clone::clone)).collect()
}

fn named(provider: &str, tiers: BTreeMap<Tier, String>) -> BTreeMap<Tier, Wanted> {
    let wanted = |model: String| Wanted {
        provider: provider.to_owned(),
        model,
    };
    tiers
        .into_iter()
        .map(|(tier, model)| (tier, wanted(model)))
        .collect()
}

/// Whether something listens there. On this machine that is known at once.
fn answers(base_url: &str) -> bool {
    let Some((_, rest)) = base_url.split_once("://") else {
        return false;
    };
    let authority = rest.split('/').next().unwrap_or(rest);
    let Ok(addresses) = authority.to_socket_addrs() else {
        return false;
    };
    addresses
        .into_iter()
        .any(|address| TcpStream::connect_timeout(&address, PATIENCE).is_ok())
}

/// What a server says of itself.
struct Served {
    model: String,
    streams: bool,
}

impl Served {
    fn at_each_tier(&self) -> BTreeMap<Tier, String> {
        Tier::ALL.map(|tier| (tier, self.model.clone())).into()
    }

    fn streaming(&self, provider: &str) -> Option<String> {
        self.streams.then(|| provider.to_owned())
    }
}

/// The first model that a server lists, if it lists any.
fn served(provider: &Provider, catalogue: &Catalogue, runtime: &Waiting) -> Result<Option<Served>> {
    #[derive(Deserialize)]
    struct Listing {
        data: Vec<Listed>,
    }
    #[derive(Deserialize)]
    struct Listed {
        id: String,
        #[serde(default)]
        owned_by: String,
    }
    let client = client::connections(&provider.base_url, Some(LISTING))?;
    let request = client::authorised(client.get(format!("{}models", provider.base_url)), provider);
    let listed = runtime
        .get()?
        .block_on(async { request.send().await?.error_for_status()?.text().await });
    let text = match listed {
        Ok(text) => text,
        // A server that cannot be reached is told of when it is asked for an answer.
        Err(error) if provider.found => {
            let problem = catalogue.secrets.clear(&error.to_string());
            return match provider.simple.is_empty() {
                true => bail!("{} lists no models: {problem}", provider.base_url),
                false => Ok(None),
            };
        }
        Err(_) => return Ok(None),
    };
    let listing: Listing = serde_json::from_str(&text)
        .with_context(|| format!("{}models is no list of models", provider.base_url))?;
    let mut models = listing.data;
    // The provider's own models behind another address are what its entry names.
    if models.iter().any(|model| model.id == provider.analytical) {
        return Ok(None);
    }
    models.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(models.into_iter().next().map(|first| Served {
        model: first.id,
        streams: STREAMING.contains(&first.owned_by.as_str()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_has_a_provider() {
        let wanted = Wanted::parse("openrouter:openai/gpt-4o:free").unwrap();
        assert_eq!(wanted.provider, "openrouter");
        assert_eq!(wanted.model, "openai/gpt-4o:free");
        for text in ["gpt-4o", ":x", "x:", ""] {
            assert!(Wanted::parse(text).is_err(), "{text}");
        }
    }
}

//! Which providers there are and what their models cost: tables that are built in and can be added
//! to.

use std::collections::BTreeMap;
use std::env;

use anyhow::{Context as _, Result, anyhow};
use secrecy::SecretString;
use serde::Deserialize;

use super::request::Usage;
use super::secrets::Secrets;
use crate::config;

const PROVIDERS: &str = include_str!("../../config/providers.toml");
const PRICES: &str = include_str!("../../config/prices.toml");

/// In a million tokens, by which prices are given.
const MILLION: f64 = 1e6;

/// Everything that is known of providers and models without asking them.
#[derive(Clone)]
pub struct Catalogue {
    /// In the order of their file; those of the user's files come first.
    providers: Vec<(String, Provider)>,
    /// What models cost.
    pub prices: Prices,
    pub(super) secrets: Secrets,
}

/// Somebody who serves models.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// What it speaks.
    pub protocol: Protocol,
    /// Where it is.
    pub base_url: String,
    /// The environment variable that says otherwise.
    #[serde(default)]
    pub base_url_variable: String,
    /// The environment variable with its key.
    #[serde(default)]
    pub key_variable: String,
    /// How it is told of a schema.
    pub schema: SchemaBy,
    /// Whether it is used without a setting when its key is there.
    #[serde(default)]
    pub found: bool,
    /// The model that then serves the tier `simple`.
    #[serde(default)]
    pub simple: String,
    /// … `analytical`.
    #[serde(default)]
    pub analytical: String,
    /// … `complex`.
    #[serde(default)]
    pub complex: String,
    /// How long a reply may take, in seconds, if longer than the settings say.
    #[serde(default)]
    pub reply_timeout_seconds: u64,
    /// Whether it answers piece by piece if it is asked to: then the time for a reply is that for
    /// each piece.
    #[serde(default)]
    pub streams: bool,
    /// Calls at once at most.
    #[serde(default = "one")]
    pub calls_at_once: usize,
    /// Requests a minute at most; 0 for any number.
    #[serde(default)]
    pub requests_per_minute: u64,
    /// Tokens a minute at most; 0 for any number.
    #[serde(default)]
    pub tokens_per_minute: u64,
    /// Its key, if the environment has it.
    #[serde(skip)]
    pub key: Option<SecretString>,
    /// Whether the environment says where it is.
    #[serde(skip)]
    pub has_base_url_override: bool,
}

impl Provider {
    /// Another server than the one of a provider that many imitate need not do all that it does.
    fn move_to(&mut self, url: &str) {
        self.base_url = as_base_url(url, self.protocol);
        self.has_base_url_override = true;
        self.streams &= !self.found;
    }
}

fn one() -> usize {
    1
}

/// What a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// Chat completions.
    Openai,
    /// Messages.
    Anthropic,
    /// Google's own.
    Gemini,
}

/// How a provider is told of the shape of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaBy {
    /// Beside the text.
    Native,
    /// In the text.
    Prompt,
    /// Both, where some who speak the protocol ignore what is beside the text.
    Both,
}

impl SchemaBy {
    /// Whether it stands beside the text.
    pub fn is_beside(self) -> bool {
        self != Self::Prompt
    }

    /// Whether it stands in the text.
    pub fn is_in_text(self) -> bool {
        self != Self::Native
    }
}

/// What models cost.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// The day they were looked up.
    pub taken_on: String,
    unknown: Unknown,
    #[serde(default)]
    models: BTreeMap<String, PriceEntry>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Unknown {
    context_tokens: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceEntry {
    input: Option<f64>,
    cached: Option<f64>,
    output: Option<f64>,
    context_tokens: Option<usize>,
    thinking_tokens: Option<u32>,
}

/// A table of the user's: it need not hold everything.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MorePrices {
    taken_on: Option<String>,
    unknown: Option<Unknown>,
    #[serde(default)]
    models: BTreeMap<String, PriceEntry>,
}

/// What one model costs and holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Whether the price is known; if not, everything costs 0 and is said to be unknown.
    pub is_known: bool,
    input: f64,
    cached: f64,
    output: f64,
    /// Tokens of a request and its reply at most.
    pub context_tokens: usize,
    /// Tokens that it may think before it answers.
    pub thinking_tokens: u32,
}

impl Catalogue {
    /// The built-in tables, the user's, and what the environment says of places and keys.
    ///
    /// # Errors
    /// When a table of the user's cannot be read.
    pub fn load() -> Result<Self> {
        let mut catalogue = Self::built_in()?;
        for path in config::companions("providers.toml") {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("failed to read {}", path.display()))?;
            catalogue.add_providers(&text).with_context(|| {
                format!("{} holds a provider that cannot be used", path.display())
            })?;
        }
        for path in config::companions("prices.toml") {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("failed to read {}", path.display()))?;
            catalogue
                .add_prices(&text)
                .with_context(|| format!("{} holds a price that cannot be used", path.display()))?;
        }
        catalogue.look_around();
        Ok(catalogue)
    }

    /// The built-in tables alone.
    ///
    /// # Errors
    /// When they cannot be read, which a test rules out.
    pub fn built_in() -> Result<Self> {
        let mut catalogue = Self {
            providers: Vec::new(),
            prices: toml::from_str(PRICES)?,
            secrets: Secrets::default(),
        };
        catalogue.add_providers(PROVIDERS)?;
        Ok(catalogue)
    }

    /// Adds entries in the form of `config/providers.toml`; they go before those of the same name.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn add_providers(&mut self, text: &str) -> Result<()> {
        // The order of a file counts, and a map would lose it.
        let table: toml::Table = toml::from_str(text)?;
        let mut by_place: Vec<(usize, String, Provider)> = Vec::new();
        for (name, value) in table {
            let place = text.find(&format!("[{name}]")).unwrap_or(usize::MAX);
            let provider: Provider = value.try_into().with_context(|| name.clone())?;
            by_place.push((place, name, provider));
        }
        by_place.sort_by_key(|(place, ..)| *place);
        let added: Vec<(String, Provider)> = by_place
            .into_iter()
            .map(|(_, name, provider)| (name, provider))
            .collect();
        self.providers
            .retain(|(name, _)| added.iter().all(|(other, _)| other != name));
        self.providers.splice(0..0, added);
        Ok(())
    }

    fn add_prices(&mut self, text: &str) -> Result<()> {
        let more: MorePrices = toml::from_str(text)?;
        self.prices.models.extend(more.models);
        if let Some(unknown) = more.unknown {
            self.prices.unknown = unknown;
        }
        if let Some(day) = more.taken_on {
            self.prices.taken_on = day;
        }
        Ok(())
    }

    fn look_around(&mut self) {
        for (_, provider) in &mut self.providers {
            if let Some(url) = variable(&provider.base_url_variable) {
                provider.move_to(&url);
            }
            provider.key = variable(&provider.key_variable).map(SecretString::from);
            if let Some(key) = &provider.key {
                self.secrets.add(key);
            }
        }
    }

    /// Says where a provider is, and what models it serves.
    pub fn set_base_url(&mut self, name: &str, base_url: &str) {
        for (_, provider) in self.providers.iter_mut().filter(|(other, _)| other == name) {
            provider.move_to(base_url);
        }
    }

    /// The provider of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn provider(&self, name: &str) -> Result<&Provider> {
        let mut providers = self.providers.iter();
        let found = providers.find(|(other, _)| other == name);
        found.map(|(_, provider)| provider).ok_or_else(|| {
            let names: Vec<_> = self.providers.iter().map(|(name, _)| name.as_str()).collect();
            anyhow!(
                "there is no provider {name:?}; there are {}, and an entry in config/providers.toml makes one",
                names.join(", ")
            )
        })
    }

    /// All providers, in the order in which they are looked for.
    pub fn providers(&self) -> impl Iterator<Item = (&str, &Provider)> {
        let providers = self.providers.iter();
        providers.map(|(name, provider)| (name.as_str(), provider))
    }
}

fn variable(name: &str) -> Option<String> {
    if name.is_empty() {
        return None;
    }
    let value = env::var(name).ok()?;
    let value = value.trim().to_owned();
    (!value.is_empty()).then_some(value)
}

/// An address as people write it: without its protocol, its version or its final slash.
fn as_base_url(text: &str, protocol: Protocol) -> String {
    let mut url = match text.contains("://") {
        true => text.to_owned(),
        false => format!("http://{text}"),
    };
    if let Some((_, rest)) = url.split_once("://")
        && !rest.trim_end_matches('/').contains('/')
        && protocol != Protocol::Gemini
    {
        url = format!("{}/v1", url.trim_end_matches('/'));
    }
    if !url.ends_with('/') {
        url.push('/');
    }
    url
}

impl Prices {
    /// The price of a model, by its full name.
    pub fn price_of(&self, name: &str) -> Price {
        let entry = self.models.get(name);
        let input = entry.and_then(|entry| entry.input);
        let output = entry.and_then(|entry| entry.output);
        Price {
            is_known: input.is_some() && output.is_some(),
            input: input.unwrap_or(0.0),
            cached: entry
                .and_then(|entry| entry.cached)
                .or(input)
                .unwrap_or(0.0),
            output: output.unwrap_or(0.0),
            context_tokens: entry
                .and_then(|entry| entry.context_tokens)
                .unwrap_or(self.unknown.context_tokens),
            thinking_tokens: entry.and_then(|entry| entry.thinking_tokens).unwrap_or(0),
        }
    }
}

impl Price {
    /// What so many tokens cost, in US dollars.
    pub fn cost(&self, usage: &Usage) -> f64 {
        let fresh = usage.input.saturating_sub(usage.cached) as f64;
        let cost = fresh * self.input
            + usage.cached as f64 * self.cached
            + usage.output as f64 * self.output;
        cost / MILLION
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_tables_can_be_used() {
        let catalogue = Catalogue::built_in().unwrap();
        for (name, provider) in catalogue.providers() {
            assert!(provider.base_url.ends_with('/'), "{name}");
            assert!(!provider.found || !provider.simple.is_empty(), "{name}");
        }
        let first = catalogue.providers().next().unwrap();
        assert_eq!(first.0, "openai");
    }

    #[test]
    fn every_model_that_is_found_has_a_price() {
        let catalogue = Catalogue::built_in().unwrap();
        for (name, provider) in catalogue.providers().filter(|(_, one)| one.found) {
            for model in [&provider.simple, &provider.analytical, &provider.complex] {
                assert!(
                    catalogue
                        .prices
                        .price_of(&format!("{name}:{model}"))
                        .is_known,
                    "{model}"
                );
            }
        }
    }

    #[test]
    fn an_entry_of_the_users_goes_before_the_built_in_one() {
        let mut catalogue = Catalogue::built_in().unwrap();
        let mine =
            "[mine]\nprotocol = \"openai\"\nbase_url = \"http://h/v1/\"\nschema = \"prompt\"\n";
        catalogue.add_providers(mine).unwrap();
        assert_eq!(catalogue.providers().next().unwrap().0, "mine");
        assert!(catalogue.provider("openai").is_ok());
        assert!(catalogue.provider("other").is_err());
    }

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (text, url) in [
            ("127.0.0.1:11434", "http://127.0.0.1:11434/v1/"),
            ("http://h:1/v1", "http://h:1/v1/"),
            ("https://h/", "https://h/v1/"),
            ("https://h/api/v2/", "https://h/api/v2/"),
        ] {
            assert_eq!(as_base_url(text, Protocol::Openai), url);
        }
    }

    #[test]
    fn cost_counts_cached_tokens_apart() {
        let price = Catalogue::built_in()
            .unwrap()
            .prices
            .price_of("openai:gpt-4o");
        let usage = Usage {
            input: 1_000_000,
            cached: 500_000,
            output: 100_000,
            estimated: false,
        };
        assert!((price.cost(&usage) - (1.25 + 0.625 + 1.0)).abs() < 1e-9);
    }
}

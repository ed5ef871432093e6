//! The catalogue of providers and of their models' prices: built-in tables, extended by the user's
//! files of the same names.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, anyhow};
use percent_encoding::percent_decode_str;
use secrecy::SecretString;
use serde::Deserialize;
use toml::Spanned;
use url::Url;

use super::request::Usage;
use super::secrets::Secrets;
use crate::config;

const PROVIDERS: &str = include_str!("../../config/providers.toml");
const PRICES: &str = include_str!("../../config/prices.toml");

/// Prices are given for a million tokens.
const MILLION: f64 = 1e6;

/// The providers and the prices of their models.
#[derive(Clone)]
pub struct Catalogue {
    /// In the order of their file; those of the user's files come first.
    providers: Vec<(String, Provider)>,
    /// The prices of models.
    pub prices: Prices,
    pub(super) secrets: Secrets,
}

/// A provider of models: one entry of `providers.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// The protocol of its API.
    pub protocol: Protocol,
    /// The address of its API.
    pub base_url: String,
    /// The environment variable that overrides the address.
    #[serde(default)]
    pub base_url_variable: String,
    /// The environment variable that contains its key.
    #[serde(default)]
    pub key_variable: String,
    /// The way in which it accepts a schema.
    pub schema: SchemaBy,
    /// `true` if it is selected without a setting when its key is in the environment.
    #[serde(default, rename = "found")]
    pub auto_detect: bool,
    /// The model that then serves the tier `simple`.
    #[serde(default)]
    pub simple: String,
    /// The same for the tier `analytical`.
    #[serde(default)]
    pub analytical: String,
    /// The same for the tier `complex`.
    #[serde(default)]
    pub complex: String,
    /// The timeout of a reply in seconds, if longer than that of the settings.
    #[serde(default)]
    pub reply_timeout_seconds: u64,
    /// `true` if it can stream: then the timeout applies to each event, not to the whole reply.
    #[serde(default)]
    pub streams: bool,
    /// The maximum number of concurrent calls.
    #[serde(default = "default_concurrency")]
    pub calls_at_once: usize,
    /// The maximum number of requests per minute; 0 for no limit.
    #[serde(default)]
    pub requests_per_minute: u64,
    /// The maximum number of tokens per minute; 0 for no limit.
    #[serde(default)]
    pub tokens_per_minute: u64,
    /// The key, if the environment has it.
    #[serde(skip)]
    pub key: Option<SecretString>,
    /// `true` if the environment overrides the address.
    #[serde(skip)]
    pub has_base_url_override: bool,
}

impl Provider {
    /// The settings that decide where prompts and keys are sent, and which variables with them.
    fn destination(&self) -> [(&'static str, &str); 4] {
        [
            ("base_url", &self.base_url),
            ("base_url_variable", &self.base_url_variable),
            ("key_variable", &self.key_variable),
            ("protocol", self.protocol.name()),
        ]
    }

    /// Returns the variable of its key if that is not set. Another server at an address of the
    /// user's may want none.
    pub(super) fn missing_key(&self) -> Option<String> {
        let is_missing = self.key.is_none() && !self.has_base_url_override;
        Some(self.key_variable.clone()).filter(|variable| is_missing && !variable.is_empty())
    }

    /// Returns the host and port of its API, without a password.
    pub(super) fn host(&self) -> String {
        let url = Url::parse(&self.base_url).ok();
        let authority = url.as_ref().and_then(|url| {
            let port = url.port().map_or(String::new(), |port| format!(":{port}"));
            Some(format!("{}{port}", url.host_str()?))
        });
        authority.unwrap_or_default()
    }

    /// Returns the address of its API as it may be shown: without user name, password and query.
    pub(super) fn shown_url(&self) -> String {
        let Ok(mut url) = Url::parse(&self.base_url) else {
            return self.base_url.clone();
        };
        // Both fail only for addresses that cannot have them.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.set_query(None);
        url.to_string()
    }

    /// The password and the values of the query in the address, which may be keys, as they are
    /// sent.
    fn secrets_in_address(&self) -> Vec<SecretString> {
        let Ok(url) = Url::parse(&self.base_url) else {
            return Vec::new();
        };
        let password = url.password().map(percent_decode_str);
        let password = password.map(|password| password.decode_utf8_lossy().into_owned());
        let values = url.query_pairs().map(|(_, value)| value.into_owned());
        values.chain(password).map(SecretString::from).collect()
    }

    /// Overrides the address.
    fn override_base_url(&mut self, url: &str) {
        self.base_url = as_base_url(url, self.protocol);
        self.has_base_url_override = true;
        // Another server that speaks the protocol of a detected provider may not be able to stream.
        self.streams &= !self.auto_detect;
    }
}

fn default_concurrency() -> usize {
    1
}

/// The protocol of a provider's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// OpenAI's chat completions.
    Openai,
    /// Anthropic's messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
}

impl Protocol {
    fn name(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }
}

/// The way in which a provider accepts the schema of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaBy {
    /// As a field of the request, separate from the text.
    Native,
    /// In the text.
    Prompt,
    /// Both: some servers that speak the protocol ignore the field.
    Both,
}

impl SchemaBy {
    /// `true` if the schema is a field of the request.
    pub fn is_beside(self) -> bool {
        self != Self::Prompt
    }

    /// `true` if the schema is part of the text.
    pub fn is_in_text(self) -> bool {
        self != Self::Native
    }
}

/// The prices of models.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// The day on which they were looked up.
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

/// A user's table of prices, which may be partial.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MorePrices {
    taken_on: Option<String>,
    unknown: Option<Unknown>,
    #[serde(default)]
    models: BTreeMap<String, PriceEntry>,
}

/// The price and the limits of one model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// `true` if there is a price. If not, costs are counted as 0, and reported as unknown.
    pub is_known: bool,
    input: f64,
    cached: f64,
    output: f64,
    /// The context window: the maximum number of tokens of a request and its reply.
    pub context_tokens: usize,
    /// The maximum number of tokens that it spends on thinking before it answers.
    pub thinking_tokens: u32,
}

impl Catalogue {
    /// Loads the built-in tables, the user's tables, and the addresses and keys in the environment.
    ///
    /// # Errors
    /// When one of the user's tables cannot be read.
    pub fn load() -> Result<Self> {
        let mut catalogue = Self::built_in()?;
        for file in config::companions("providers.toml") {
            let (text, path) = (file.read()?, file.path.display());
            let known = catalogue.clone();
            catalogue
                .add_providers(&text)
                .with_context(|| format!("{path} holds a provider that cannot be used"))?;
            for (name, provider) in catalogue.providers() {
                let known = known.provider(name).map(Provider::destination);
                let known = known.as_ref().map_or(&[][..], <[_; 4]>::as_slice);
                file.check_entry(&text, name, &provider.destination(), known)?;
            }
        }
        for file in config::companions("prices.toml") {
            let (text, path) = (file.read()?, file.path.display());
            catalogue
                .add_prices(&text)
                .with_context(|| format!("{path} holds a price that cannot be used"))?;
        }
        catalogue.read_environment();
        Ok(catalogue)
    }

    /// The built-in tables alone.
    ///
    /// # Errors
    /// When they cannot be parsed, which a test rules out.
    pub fn built_in() -> Result<Self> {
        let mut catalogue = Self {
            providers: Vec::new(),
            prices: toml::from_str(PRICES)?,
            secrets: Secrets::default(),
        };
        catalogue.add_providers(PROVIDERS)?;
        Ok(catalogue)
    }

    /// Adds entries in the format of `config/providers.toml`; they replace entries of the same
    /// name.
    ///
    /// # Errors
    /// When an entry cannot be read.
    pub fn add_providers(&mut self, text: &str) -> Result<()> {
        let table: BTreeMap<String, Spanned<Provider>> = toml::from_str(text)?;
        // Providers are detected in the order of their file, which a map loses.
        let mut ordered: Vec<(String, Spanned<Provider>)> = table.into_iter().collect();
        ordered.sort_by_key(|(_, provider)| provider.span().start);
        let ordered = ordered.into_iter();
        let added: Vec<(String, Provider)> = ordered
            .map(|(name, provider)| (name, provider.into_inner()))
            .collect();
        self.providers
            .retain(|(name, _)| added.iter().all(|(other, _)| other != name));
        // In front, so that a user's provider is detected before the built-in ones.
        self.providers.splice(0..0, added);
        Ok(())
    }

    fn add_prices(&mut self, text: &str) -> Result<()> {
        let more: MorePrices = toml::from_str(text)?;
        for (model, entry) in &more.models {
            // A negative price would refund the budget, and NaN compare as below every limit.
            for usd in [entry.input, entry.cached, entry.output]
                .into_iter()
                .flatten()
            {
                config::check_cost(usd).with_context(|| model.clone())?;
            }
        }
        self.prices.models.extend(more.models);
        if let Some(unknown) = more.unknown {
            self.prices.unknown = unknown;
        }
        if let Some(day) = more.taken_on {
            self.prices.taken_on = day;
        }
        Ok(())
    }

    fn read_environment(&mut self) {
        for (_, provider) in &mut self.providers {
            if let Some(url) = config::variable(&provider.base_url_variable) {
                provider.override_base_url(&url);
            }
            provider.key = config::variable(&provider.key_variable).map(SecretString::from);
            if let Some(key) = &provider.key {
                self.secrets.add(key);
            }
            for secret in provider.secrets_in_address() {
                self.secrets.add(&secret);
            }
        }
    }

    /// Overrides the address of the provider of this name.
    pub fn set_base_url(&mut self, name: &str, base_url: &str) {
        for (_, provider) in self.providers.iter_mut().filter(|(other, _)| other == name) {
            provider.override_base_url(base_url);
        }
    }

    /// Returns the provider of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn provider(&self, name: &str) -> Result<&Provider> {
        self.providers()
            .find(|(other, _)| *other == name)
            .map(|(_, provider)| provider)
            .ok_or_else(|| {
                let names: Vec<&str> = self.providers().map(|(name, _)| name).collect();
                anyhow!(
                    "there is no provider {name:?}; there are {}, and an entry in \
                     research/providers.toml in your configuration directory makes one",
                    names.join(", ")
                )
            })
    }

    /// Returns all providers, in the order in which they are detected.
    pub fn providers(&self) -> impl Iterator<Item = (&str, &Provider)> {
        let providers = self.providers.iter();
        providers.map(|(name, provider)| (name.as_str(), provider))
    }
}

/// Returns the base URL of an address as users write it, possibly without protocol, version or
/// final slash.
fn as_base_url(text: &str, protocol: Protocol) -> String {
    let mut url = if text.contains("://") {
        text.to_owned()
    } else {
        format!("http://{text}")
    };
    // `v1` is the version in the paths of the other two protocols; Gemini's API has other versions.
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
    /// Returns the price of a model, by its full name, with or without the date of its release.
    pub fn price_of(&self, name: &str) -> Price {
        let undated = without_date(name);
        let same = |(other, _): &(&String, _)| without_date(other) == undated;
        let dated = || self.models.iter().find(same).map(|(_, entry)| entry);
        let entry = self.models.get(name).or_else(dated);
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

/// The name of a model without the date of its release, such as `-20250929`.
fn without_date(name: &str) -> &str {
    let dated = name.rsplit_once('-').filter(|(_, date)| {
        date.len() == 8
            && date.starts_with("20")
            && date.bytes().all(|digit| digit.is_ascii_digit())
    });
    dated.map_or(name, |(undated, _)| undated)
}

/// The surcharge on tokens that are written into a cache, as a share of the price of input: what
/// Anthropic takes for a cache of five minutes, and the only provider that reports such tokens.
const CACHE_WRITE_SURCHARGE: f64 = 0.25;

impl Price {
    /// Returns the price of a call's tokens, in US dollars.
    pub fn cost(&self, usage: &Usage) -> f64 {
        // Tokens from the provider's cache are part of the input, at a separate price.
        let fresh = usage.input.saturating_sub(usage.cached) as f64;
        let cost = fresh * self.input
            + usage.cached as f64 * self.cached
            + usage.cache_written as f64 * self.input * CACHE_WRITE_SURCHARGE
            + usage.output as f64 * self.output;
        cost / MILLION
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_providers_are_usable() {
        let catalogue = Catalogue::built_in().unwrap();
        for (name, provider) in catalogue.providers() {
            assert!(provider.base_url.ends_with('/'), "{name}");
            assert!(
                !provider.auto_detect || !provider.simple.is_empty(),
                "{name}"
            );
        }
        let first = catalogue.providers().next().unwrap();
        assert_eq!(first.0, "openai");
    }

    #[test]
    fn price_is_that_of_the_model_with_or_without_its_date() {
        let prices = Catalogue::built_in().unwrap().prices;
        let dated = prices.price_of("anthropic:claude-sonnet-4-5-20250929");
        assert!(dated.is_known);
        assert_eq!(
            prices.price_of("anthropic:claude-sonnet-4-5").input,
            dated.input
        );
        assert!(!prices.price_of("anthropic:claude-sonnet-4").is_known);
    }

    #[test]
    fn every_auto_detected_model_has_a_price() {
        let catalogue = Catalogue::built_in().unwrap();
        for (name, provider) in catalogue
            .providers()
            .filter(|(_, provider)| provider.auto_detect)
        {
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
    fn user_providers_go_before_built_in_ones() {
        let mut catalogue = Catalogue::built_in().unwrap();
        let mine =
            "[mine]\nprotocol = \"openai\"\nbase_url = \"http://h/v1/\"\nschema = \"prompt\"\n";
        catalogue.add_providers(mine).unwrap();
        assert_eq!(catalogue.providers().next().unwrap().0, "mine");
        assert!(catalogue.provider("openai").is_ok());
        assert!(catalogue.provider("other").is_err());
    }

    #[test]
    fn base_urls_are_completed() {
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
            ..Usage::default()
        };
        assert!((price.cost(&usage) - (1.25 + 0.625 + 1.0)).abs() < 1e-9);
        let written = Usage {
            cache_written: 100_000,
            ..usage
        };
        let surcharge = price.cost(&written) - price.cost(&usage);
        assert!((surcharge - 0.0625).abs() < 1e-9);
    }
}

//! The table of search services: their settings from the built-in defaults, the user's
//! `services.toml` and the environment, and the selection of services for a topic.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use serde::Deserialize;
use url::Url;

use super::PROVIDERS;
use super::provider::{Defaults, PageApi, SearchProvider, ServiceConfig};
use crate::config;

/// The name that leaves the selection of services to the program.
pub const AUTO: &str = "auto";

/// The word in `suits` that stands for every topic.
const EVERY_TOPIC: &str = "*";

/// The settings of a service: an entry of `services.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    base_url: String,
    base_url_variable: String,
    key_variable: String,
    extra: String,
    extra_variable: String,
    suits: Vec<String>,
    usd_per_thousand: f64,
    gap_milliseconds: u64,
    queries: usize,
}

/// A service with its settings.
#[derive(Debug, Clone)]
struct ConfiguredService {
    provider: &'static SearchProvider,
    settings: Settings,
    config: ServiceConfig,
}

/// The search services, each with the configuration with which it is asked.
#[derive(Debug, Clone)]
pub struct ProviderTable {
    entries: Vec<ConfiguredService>,
}

impl ProviderTable {
    /// A table of these services with their built-in settings, and the addresses and keys that the
    /// environment gives.
    pub fn new(providers: &[&'static SearchProvider]) -> Self {
        let entries = providers.iter().map(|provider| {
            let settings = Settings::from(&provider.defaults);
            ConfiguredService {
                provider,
                config: settings.config(),
                settings,
            }
        });
        Self {
            entries: entries.collect(),
        }
    }

    /// The table of all services, with the settings of the user's files.
    ///
    /// # Errors
    /// When a file cannot be used.
    pub fn load() -> Result<Self> {
        let mut table = Self::new(PROVIDERS);
        for file in config::companions("services.toml") {
            let text = file.read()?;
            let known = table.clone();
            table
                .replace(&text)
                .with_context(|| format!("{} cannot be used", file.path.display()))?;
            for (entry, known) in table.entries.iter().zip(&known.entries) {
                let (values, known) = (entry.settings.destination(), known.settings.destination());
                file.check_entry(&text, entry.provider.name, &values, &known)?;
            }
        }
        Ok(table)
    }

    /// Replaces the settings of services by the entries of a `services.toml`.
    ///
    /// # Errors
    /// When the text is no such table, or names a service that there is not.
    pub fn replace(&mut self, text: &str) -> Result<()> {
        let table: BTreeMap<String, Settings> = toml::from_str(text)?;
        // Whole entries are replaced and not merged: what a user's entry leaves out is unset.
        for (name, settings) in table {
            let provider = self.provider(&name)?;
            config::check_cost(settings.usd_per_thousand)
                .with_context(|| format!("{name}.usd_per_thousand"))?;
            for entry in &mut self.entries {
                if entry.provider == provider {
                    entry.config = settings.config();
                    entry.settings = settings.clone();
                }
            }
        }
        Ok(())
    }

    /// The service of a name.
    ///
    /// # Errors
    /// When there is none, with the names that there are.
    pub fn provider(&self, name: &str) -> Result<&'static SearchProvider> {
        let mut providers = self.entries.iter().map(|entry| entry.provider);
        providers
            .find(|provider| provider.name == name)
            .ok_or_else(|| {
                anyhow!(
                    "there is no search service {name:?}; there are {AUTO}, {}",
                    join_names(&self.entries.iter().collect::<Vec<_>>())
                )
            })
    }

    fn entry(&self, provider: &SearchProvider) -> Option<&ConfiguredService> {
        self.entries.iter().find(|entry| entry.provider == provider)
    }

    /// The configuration with which a service is asked.
    pub fn config(&self, provider: &SearchProvider) -> ServiceConfig {
        let entry = self.entry(provider);
        entry.map_or_else(ServiceConfig::default, |entry| entry.config.clone())
    }

    /// The addresses of the services that are configured with one.
    pub(in crate::web) fn addresses(&self) -> Vec<Url> {
        let configured = self.entries.iter().map(|entry| &entry.config.base_url);
        let parsed = configured.flatten().map(|address| Url::parse(address));
        parsed.filter_map(Result::ok).collect()
    }

    /// The price of a query in US dollars.
    pub fn usd_per_query(&self, provider: &SearchProvider) -> f64 {
        let entry = self.entry(provider);
        entry.map_or(0.0, |entry| entry.settings.usd_per_thousand / 1000.0)
    }

    /// The limit of queries of one plan to a service.
    pub fn max_queries(&self, provider: &SearchProvider) -> usize {
        match self.entry(provider).map(|entry| entry.settings.queries) {
            None | Some(0) => usize::MAX,
            Some(limit) => limit,
        }
    }

    /// The service that gives a page to programs, if there is one, and how it is asked for it.
    pub(in crate::web) fn owner_of(
        &self,
        page: &Url,
    ) -> Option<(&'static SearchProvider, &'static PageApi)> {
        self.entries.iter().find_map(|entry| {
            let api = entry.provider.page_api.as_ref()?;
            (api.owns)(page).then_some((entry.provider, api))
        })
    }

    /// The services of these names; in place of `auto` those that are configured and those that
    /// suit the topic.
    ///
    /// # Errors
    /// When a name is none, or its service lacks an address or a key.
    pub fn select(&self, names: &[String], topic: &str) -> Result<Vec<&'static SearchProvider>> {
        let mut selected = Vec::new();
        for name in names {
            let providers = match name.as_str() {
                AUTO => self.suitable(topic),
                name => vec![self.usable(self.provider(name)?)?],
            };
            for provider in providers {
                // A service may be both named and selected by `auto`; it is asked once.
                if !selected.contains(&provider) {
                    selected.push(provider);
                }
            }
        }
        Ok(selected)
    }

    fn usable(&self, provider: &'static SearchProvider) -> Result<&'static SearchProvider> {
        match self.entry(provider) {
            Some(entry) if !entry.is_usable() => {
                bail!("{} cannot be asked: {}", provider.name, entry.remedy())
            }
            _ => Ok(provider),
        }
    }

    /// A summary for people: the services that can be asked, and the variables that the others
    /// need.
    pub fn describe(&self) -> String {
        let (usable, others): (Vec<&ConfiguredService>, Vec<&ConfiguredService>) =
            self.entries.iter().partition(|entry| entry.is_usable());
        let usable = join_names(&usable);
        if others.is_empty() {
            return usable;
        }
        let others: Vec<String> = others
            .iter()
            .map(|entry| {
                format!(
                    "{} wants {}",
                    entry.provider.name,
                    entry.missing_variables()
                )
            })
            .collect();
        format!("{usable} ({})", others.join("; "))
    }

    fn suitable(&self, topic: &str) -> Vec<&'static SearchProvider> {
        let lower = topic.to_lowercase();
        // Hyphens are kept, since words such as open-source are among those that suit.
        let words: Vec<&str> = lower
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .collect();
        self.entries
            .iter()
            .filter(|entry| entry.is_usable() && entry.suits(&words))
            .map(|entry| entry.provider)
            .collect()
    }
}

impl ConfiguredService {
    /// `true` if the service has the address and key that it needs: it can make a request.
    fn is_usable(&self) -> bool {
        // The provider itself knows what its request needs, so no list of that can drift from it.
        self.provider.request_for(&self.config, "a", 1).is_some()
    }

    /// `true` if `auto` selects the service for a topic of these words: whoever configures a
    /// service wants it for every topic.
    fn suits(&self, words: &[&str]) -> bool {
        let is_configured = self.config.key.is_some() || self.config.base_url.is_some();
        is_configured
            || self
                .settings
                .suits
                .iter()
                .any(|word| word == EVERY_TOPIC || words.contains(&word.as_str()))
    }

    /// The remedy for a service that cannot be asked.
    fn remedy(&self) -> String {
        let missing = self.missing_variables();
        match &self.config.base_url {
            Some(address) if Url::parse(address).is_err() => {
                format!("{address:?} is no address, which begins with http:// or https://")
            }
            _ if missing.is_empty() => {
                "its entry in services.toml names no address and no variables".to_owned()
            }
            _ => format!("set {missing}"),
        }
    }

    /// The environment variables that a service needs. One with a key has a public address, so the
    /// variable of its address is not needed.
    fn missing_variables(&self) -> String {
        let settings = &self.settings;
        let address =
            Some(&settings.base_url_variable).filter(|_| settings.key_variable.is_empty());
        let variables: Vec<&str> = address
            .into_iter()
            .chain([&settings.key_variable, &settings.extra_variable])
            .filter(|variable| !variable.is_empty())
            .map(String::as_str)
            .collect();
        variables.join(" and ")
    }
}

impl From<&Defaults> for Settings {
    fn from(defaults: &Defaults) -> Self {
        Self {
            base_url: defaults.base_url.to_owned(),
            base_url_variable: defaults.base_url_variable.to_owned(),
            key_variable: defaults.key_variable.to_owned(),
            extra: defaults.extra.to_owned(),
            extra_variable: defaults.extra_variable.to_owned(),
            suits: defaults.suits.iter().map(|&word| word.into()).collect(),
            usd_per_thousand: defaults.usd_per_thousand,
            gap_milliseconds: defaults.gap_milliseconds,
            queries: defaults.queries,
        }
    }
}

impl Settings {
    /// The settings that decide where queries and keys are sent, and which variables with them.
    fn destination(&self) -> [(&'static str, &str); 4] {
        [
            ("base_url", &self.base_url),
            ("base_url_variable", &self.base_url_variable),
            ("key_variable", &self.key_variable),
            ("extra_variable", &self.extra_variable),
        ]
    }

    /// The configuration by these settings: an environment variable goes before a written value.
    fn config(&self) -> ServiceConfig {
        let written = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        ServiceConfig {
            base_url: config::variable(&self.base_url_variable).or_else(|| written(&self.base_url)),
            key: config::variable(&self.key_variable),
            extra_param: config::variable(&self.extra_variable).or_else(|| written(&self.extra)),
            access_token: None,
            gap: Duration::from_millis(self.gap_milliseconds),
        }
    }
}

fn join_names(entries: &[&ConfiguredService]) -> String {
    let names: Vec<&str> = entries.iter().map(|entry| entry.provider.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_selected_by_name_and_by_topic() {
        let mut table = ProviderTable::new(PROVIDERS);
        table
            .replace("[searxng]\nbase_url = \"http://127.0.0.1:1\"\n")
            .unwrap();
        let names = |names: &[&str], topic: &str| -> Vec<&str> {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let selected = table.select(&names, topic).unwrap();
            selected.iter().map(|provider| provider.name).collect()
        };
        assert_eq!(names(&["reddit", "arxiv"], "bees"), ["reddit", "arxiv"]);
        assert_eq!(
            names(&["auto"], "Do bees dance?"),
            ["searxng", "wikipedia", "openalex"]
        );
        assert!(names(&["auto"], "A drug for bees").contains(&"pubmed"));
        let missing = table.select(&["exa".to_owned()], "bees").unwrap_err();
        assert!(missing.to_string().contains("EXA_API_KEY"), "{missing}");
        let brave = table.entry(table.provider("brave").unwrap()).unwrap();
        assert_eq!(brave.missing_variables(), "BRAVE_API_KEY");
        assert!(table.select(&["gogle".to_owned()], "bees").is_err());
        assert!(table.replace("[gogle]\n").is_err());
    }

    #[test]
    fn every_provider_has_a_name_of_its_own_and_says_which_variables_it_needs() {
        let mut names = std::collections::BTreeSet::new();
        for provider in PROVIDERS {
            let name = provider.name;
            let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(!name.is_empty() && name.chars().all(is_name), "{name:?}");
            assert!(name != AUTO && name != "none", "{name:?} is taken");
            assert!(names.insert(name), "two services are called {name}");
            // Without any address and key it either can be asked, or names what it lacks.
            let entry = ConfiguredService {
                provider,
                settings: Settings::from(&provider.defaults),
                config: ServiceConfig::default(),
            };
            assert!(
                entry.is_usable() || !entry.missing_variables().is_empty(),
                "{name} cannot be asked and does not say why"
            );
            // With all of them it can.
            let entry = ConfiguredService {
                config: ServiceConfig {
                    base_url: Some("http://127.0.0.1:1".to_owned()),
                    key: Some("key".to_owned()),
                    extra_param: Some("extra".to_owned()),
                    ..ServiceConfig::default()
                },
                ..entry
            };
            assert!(entry.is_usable(), "{name} makes no request");
        }
    }

    #[test]
    fn the_entry_in_the_description_of_services_toml_is_one() {
        let text = include_str!("../../../config/services.toml");
        let entry: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("#:"))
            .collect();
        let mut table = ProviderTable::new(PROVIDERS);
        table.replace(&entry.join("\n")).unwrap();
        let tavily = table.provider("tavily").unwrap();
        assert_eq!(table.max_queries(tavily), 8);
        // The file itself changes nothing: it may be read beside the work.
        ProviderTable::new(PROVIDERS).replace(text).unwrap();
    }
}

//! Which search services there are for whom: a table of places and keys, and the choice for a
//! topic.

use std::collections::BTreeMap;
use std::env;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::providers::{Provider, Setup};
use crate::config;

/// The built-in table.
const SERVICES: &str = include_str!("../../config/services.toml");

/// The name that leaves the choice to the program.
pub const AUTO: &str = "auto";

/// For a topic of any words.
const ANY: &str = "*";

/// An entry of the table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Service {
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

/// The services, with what each is asked with.
#[derive(Debug, Clone, Default)]
pub struct Services {
    known: BTreeMap<Provider, (Service, Setup)>,
}

impl Services {
    /// The built-in table, the user's, and what the environment says of places and keys.
    ///
    /// # Errors
    /// When a table of the user's cannot be used.
    pub fn load() -> Result<Self> {
        let mut services = Self::default();
        services.add(SERVICES)?;
        for path in config::companions("services.toml") {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("failed to read {}", path.display()))?;
            services
                .add(&text)
                .with_context(|| format!("{} cannot be used", path.display()))?;
        }
        Ok(services)
    }

    fn add(&mut self, text: &str) -> Result<()> {
        let table: BTreeMap<String, Service> = toml::from_str(text)?;
        for (name, service) in table {
            let provider = named(&name)?;
            let setup = service.setup();
            self.known.insert(provider, (service, setup));
        }
        Ok(())
    }

    /// What a service is asked with.
    pub fn setup(&self, provider: Provider) -> Setup {
        let known = self.known.get(&provider);
        known.map_or_else(Setup::default, |(_, setup)| setup.clone())
    }

    /// What a query costs, in US dollars.
    pub fn price(&self, provider: Provider) -> f64 {
        let known = self.known.get(&provider);
        known.map_or(0.0, |(service, _)| service.usd_per_thousand / 1000.0)
    }

    /// How many queries of one plan it is asked at most.
    pub fn queries(&self, provider: Provider) -> usize {
        let known = self.known.get(&provider);
        let most = known.map_or(0, |(service, _)| service.queries);
        if most == 0 { usize::MAX } else { most }
    }

    /// The services of these names; in place of `auto` those that are configured and those that
    /// suit the topic.
    ///
    /// # Errors
    /// When a name is none, or its service lacks what it must be told.
    pub fn chosen(&self, names: &[String], topic: &str) -> Result<Vec<Provider>> {
        let mut chosen = Vec::new();
        for name in names {
            let more = match name.as_str() {
                AUTO => self.suitable(topic),
                name => vec![self.usable(named(name)?)?],
            };
            for provider in more {
                if !chosen.contains(&provider) {
                    chosen.push(provider);
                }
            }
        }
        Ok(chosen)
    }

    fn usable(&self, provider: Provider) -> Result<Provider> {
        if self.can_be_asked(provider) {
            return Ok(provider);
        }
        bail!(
            "{} cannot be asked: set {}",
            provider.name(),
            self.wants(provider)
        )
    }

    /// Which services can be asked, and what the others want to be told.
    pub fn told(&self) -> String {
        let (usable, others): (Vec<Provider>, Vec<Provider>) = Provider::ALL
            .iter()
            .map(|(_, provider)| *provider)
            .partition(|provider| self.can_be_asked(*provider));
        let usable: Vec<&str> = usable.into_iter().map(Provider::name).collect();
        let wanting =
            |provider: Provider| format!("{} wants {}", provider.name(), self.wants(provider));
        let others: Vec<String> = others.into_iter().map(wanting).collect();
        match others.is_empty() {
            true => usable.join(", "),
            false => format!("{} ({})", usable.join(", "), others.join("; ")),
        }
    }

    /// The variables that a service must be told by; one with a key has a place of its own.
    fn wants(&self, provider: Provider) -> String {
        let known = self.known.get(&provider);
        let variables: Vec<&str> = known.map_or_else(Vec::new, |(service, _)| {
            let place =
                Some(&service.base_url_variable).filter(|_| service.key_variable.is_empty());
            let others = [&service.key_variable, &service.extra_variable];
            let all = place.into_iter().chain(others);
            let named = all.filter(|name| !name.is_empty());
            named.map(String::as_str).collect()
        });
        variables.join(" and ")
    }

    fn can_be_asked(&self, provider: Provider) -> bool {
        provider.request(&self.setup(provider), "a", 1).is_some()
    }

    fn suitable(&self, topic: &str) -> Vec<Provider> {
        let lower = topic.to_lowercase();
        let words: Vec<&str> = lower
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .collect();
        let suits = |(service, setup): &(Service, Setup)| {
            let is_configured = setup.key.is_some() || setup.base.is_some();
            is_configured
                || service
                    .suits
                    .iter()
                    .any(|word| word == ANY || words.contains(&word.as_str()))
        };
        let known = self.known.iter().filter(|(_, entry)| suits(entry));
        known
            .map(|(provider, _)| *provider)
            .filter(|provider| self.can_be_asked(*provider))
            .collect()
    }
}

impl Service {
    fn setup(&self) -> Setup {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Setup {
            base: variable(&self.base_url_variable).or_else(|| given(&self.base_url)),
            key: variable(&self.key_variable),
            extra: variable(&self.extra_variable).or_else(|| given(&self.extra)),
            pass: None,
            gap: Duration::from_millis(self.gap_milliseconds),
        }
    }
}

/// The service of a name.
///
/// # Errors
/// When there is none, with the names that there are.
pub(super) fn named(name: &str) -> Result<Provider> {
    let Some(provider) = Provider::of(name) else {
        let names: Vec<&str> = Provider::ALL.iter().map(|(name, _)| *name).collect();
        bail!(
            "there is no search service {name:?}; there are auto, {}",
            names.join(", ")
        );
    };
    Ok(provider)
}

fn variable(name: &str) -> Option<String> {
    let value = (!name.is_empty()).then(|| env::var(name).ok()).flatten()?;
    let value = value.trim().to_owned();
    (!value.is_empty()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_chosen_by_name_and_by_topic() {
        let mut services = Services::default();
        services.add(SERVICES).unwrap();
        services
            .add("[searxng]\nbase_url = \"http://127.0.0.1:1\"\n")
            .unwrap();
        let names = |names: &[&str], topic: &str| -> Vec<&str> {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let chosen = services.chosen(&names, topic).unwrap();
            chosen.into_iter().map(Provider::name).collect()
        };
        assert_eq!(names(&["reddit", "arxiv"], "bees"), ["reddit", "arxiv"]);
        assert_eq!(
            names(&["auto"], "Do bees dance?"),
            ["searxng", "wikipedia", "openalex"]
        );
        assert!(names(&["auto"], "A drug for bees").contains(&"pubmed"));
        let missing = services.chosen(&["exa".to_owned()], "bees").unwrap_err();
        assert!(missing.to_string().contains("EXA_API_KEY"), "{missing}");
        assert_eq!(services.wants(Provider::Brave), "BRAVE_API_KEY");
        assert!(services.chosen(&["gogle".to_owned()], "bees").is_err());
        assert!(services.add("[gogle]\n").is_err());
    }
}

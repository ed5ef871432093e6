//! Settings: from files, environment and flags into values, once.
//!
//! Built-in defaults (`config/research.toml`, embedded) < the user's file < the file beside the
//! work < `RESEARCH_CONFIG` < `RESEARCH_SECTION__KEY` < flags. Every layer is checked as it is
//! laid, so that an error says where the value came from.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use chrono::{DateTime, Utc};
use config::builder::DefaultState;
use config::{Config, ConfigBuilder, File, FileFormat};
use etcetera::{BaseStrategy, choose_base_strategy};
use serde::{Deserialize, Serialize};

use crate::artifact::session::Depth;
use crate::pipeline::Clock;

/// The defaults, with a word on each.
pub const DEFAULTS: &str = include_str!("../config/research.toml");

const FILE: &str = "config/research.toml";

/// All settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Of a run.
    pub run: RunSettings,
    /// Of the agents, by their names.
    pub agents: AgentSettings,
    /// How much is done at each depth.
    pub depth: Depths,
    /// Of the review.
    pub reviewer: ReviewerSettings,
    /// Of reading documents.
    pub read: ReadSettings,
    /// Of searching documents.
    pub search: SearchSettings,
    /// Of the language models.
    pub models: ModelSettings,
    /// What a session may take.
    pub budget: BudgetSettings,
    /// Of reading the web.
    pub network: NetworkSettings,
    /// Of trusting sources.
    pub credibility: CredibilitySettings,
}

/// Settings of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// Where sessions are kept.
    pub output_dir: PathBuf,
    /// How much is done.
    pub depth: Depth,
    /// The score from which a round is accepted, 0 to 1.
    pub threshold: f64,
    /// Rounds of analysis, writing and review at most.
    pub max_rounds: u32,
    /// Whom new sessions belong to.
    pub owner: String,
}

/// Settings of the agents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSettings {
    /// Of the coordinator.
    pub coordinator: CoordinatorSettings,
    /// Of the planner.
    pub planner: PlannerSettings,
    /// Of the researcher.
    pub researcher: ResearcherSettings,
    /// Of the reflector.
    pub reflector: ReflectorSettings,
}

/// Settings of the coordinator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoordinatorSettings {
    /// Whether it may ask back.
    pub enable_clarification: bool,
    /// How many questions at most.
    pub max_clarifying_questions: usize,
}

/// Settings of the planner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannerSettings {
    /// Plans of one session at most.
    pub max_plan_iterations: u32,
}

/// Settings of the researcher.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResearcherSettings {
    /// Steps that are worked on together.
    pub max_concurrent_research_units: usize,
    /// Searches of one step at most.
    pub max_search_queries: usize,
}

/// Settings of the reflector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReflectorSettings {
    /// Whether research may not end before the least number of steps is done.
    pub enforce_min_steps: bool,
}

/// How much is done at each depth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Depths {
    /// Of `quick`.
    pub quick: DepthSettings,
    /// Of `standard`.
    pub standard: DepthSettings,
    /// Of `deep`.
    pub deep: DepthSettings,
}

/// How much is done at one depth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DepthSettings {
    /// Steps at least.
    pub min_steps: usize,
    /// Steps at most.
    pub max_steps: usize,
    /// Passages that a step keeps at most, those that corroborate them aside.
    pub passages_per_step: usize,
}

/// Settings of the review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewerSettings {
    /// What the score is made up of.
    pub weights: ReviewWeights,
}

/// The weight of each criterion; only the proportions count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewWeights {
    /// Enough claims for the depth.
    pub length: f64,
    /// A summary that says something.
    pub summary: f64,
    /// Parts by aspect.
    pub structure: f64,
    /// Share of claims verified.
    pub citations: f64,
    /// Share of the topic that is covered.
    pub comprehensiveness: f64,
    /// Share of sentences that are understood out of their place.
    pub clarity: f64,
}

/// Settings of reading documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadSettings {
    /// The largest document that is read, packed and unpacked, in MiB.
    pub max_mebibytes: u64,
    /// How long the text of one PDF may take, in seconds.
    pub pdf_timeout_seconds: u64,
}

/// Settings of searching documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSettings {
    /// Where what was read is kept between runs; empty for a folder in the user's cache.
    pub cache_dir: PathBuf,
    /// Where the web is searched when no documents are named; empty for nowhere.
    pub services: String,
    /// Hosts that may be read, or with `!` in front may not; separated by commas.
    pub domains: String,
    /// Pages that are read for one plan at most.
    pub max_pages: usize,
}

/// Settings of the language models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSettings {
    /// `provider:name` for every tier; `rules` for none; empty for what is found.
    pub default: String,
    /// Another one for the tier `simple`.
    pub simple: String,
    /// … `analytical`.
    pub analytical: String,
    /// … `complex`.
    pub complex: String,
    /// 0 for the most likely words; less leaves it to the model.
    pub temperature: f64,
    /// How often a request is sent until it is answered.
    pub tries: u32,
    /// The wait before the second try, in seconds; it doubles each time.
    pub first_wait_seconds: f64,
    /// The longest wait.
    pub longest_wait_seconds: f64,
    /// How long a model may be silent, in seconds: between words, or until the reply is whole where
    /// it does not stream.
    pub reply_timeout_seconds: u64,
    /// A directory whose prompts go before the built-in ones; empty for none.
    pub prompts_dir: PathBuf,
}

/// What a session may take; 0 is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetSettings {
    /// US dollars.
    pub max_cost_usd: f64,
    /// Tokens, read and written.
    pub max_tokens: u64,
    /// Seconds of one run.
    pub timeout_seconds: u64,
}

/// Settings of trusting sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CredibilitySettings {
    /// Hosts of news and science, separated by commas.
    pub listed: String,
    /// Hosts of social networks, separated by commas.
    pub social: String,
}

/// Settings of reading the web.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkSettings {
    /// Who we say we are; empty for this program's name and version.
    pub user_agent: String,
    /// Hosts, addresses and networks that may be read although they are private, separated by
    /// commas.
    pub allow: String,
    /// Whether robots.txt is asked and obeyed.
    pub obey_robots: bool,
    /// The largest page, in MiB.
    pub max_mebibytes: u64,
    /// Redirects that are followed for one page.
    pub max_redirects: usize,
    /// How long one request may take, in seconds.
    pub timeout_seconds: u64,
    /// Requests at a time to one host.
    pub per_host: usize,
    /// The least time between two requests to one host, in milliseconds.
    pub gap_milliseconds: u64,
    /// How long an answer is kept at most, in days.
    pub cache_days: u64,
    /// How long the reply of a search service is good for the same question, in hours; 0 asks anew.
    pub reply_hours: u64,
    /// The size of all answers that are kept, in MiB; 0 keeps none.
    pub cache_mebibytes: u64,
    /// Where an archive is asked for copies of cited pages that are gone; empty for nowhere.
    pub archive: String,
    /// The browser for pages that are written by scripts: a path, empty for one that is found, or
    /// `none`.
    pub browser: PathBuf,
}

impl Settings {
    /// The settings that hold in this process: files, then environment. Flags are laid over them by
    /// the caller.
    ///
    /// # Errors
    /// When a layer cannot be read or holds an unknown key or a value out of range; the message
    /// names the layer.
    pub fn load() -> Result<Self> {
        let mut layers = Layers::default();
        for (path, must_exist) in files() {
            if must_exist || path.is_file() {
                let text = std::fs::read_to_string(&path)
                    .with_context(|| format!("failed to read settings from {}", path.display()))?;
                layers.lay_file(&text, &path.display().to_string())?;
            }
        }
        for (variable, value) in variables() {
            layers.lay_variable(&variable, value)?;
        }
        layers.settings()
    }

    /// The limits of a depth; `auto` has those of `standard`.
    pub fn limits(&self, depth: Depth) -> &DepthSettings {
        match depth {
            Depth::Quick => &self.depth.quick,
            Depth::Auto | Depth::Standard => &self.depth.standard,
            Depth::Deep => &self.depth.deep,
        }
    }

    /// The folder in which what was read is kept between runs; none if the user has no cache.
    pub fn cache_dir(&self) -> Option<PathBuf> {
        let own = &self.search.cache_dir;
        if !own.as_os_str().is_empty() {
            return Some(own.clone());
        }
        let directories = choose_base_strategy().ok()?;
        Some(directories.cache_dir().join("research"))
    }

    fn check(&self) -> Result<()> {
        check_threshold(self.run.threshold).context("run.threshold")?;
        check_rounds(self.run.max_rounds).context("run.max_rounds")?;
        for (name, depth) in [
            ("quick", &self.depth.quick),
            ("standard", &self.depth.standard),
            ("deep", &self.depth.deep),
        ] {
            let (least, most) = (depth.min_steps, depth.max_steps);
            ensure!(
                (1..=most).contains(&least) && most <= 100,
                "depth.{name}: min_steps {least} and max_steps {most} must be 1 ≤ min ≤ max ≤ 100"
            );
        }
        ensure!(
            (1..=100).contains(&self.agents.researcher.max_concurrent_research_units),
            "agents.researcher.max_concurrent_research_units must be 1 to 100"
        );
        self.models.check()?;
        check_cost(self.budget.max_cost_usd).context("budget.max_cost_usd")?;
        self.reviewer.weights.check()
    }
}

impl ModelSettings {
    fn check(&self) -> Result<()> {
        ensure!(
            (1..=20).contains(&self.tries),
            "models.tries must be 1 to 20"
        );
        ensure!(
            self.reply_timeout_seconds > 0,
            "models.reply_timeout_seconds must be at least 1"
        );
        let (first, longest) = (self.first_wait_seconds, self.longest_wait_seconds);
        ensure!(
            (0.0..=longest).contains(&first) && longest <= 3600.0,
            "models.first_wait_seconds {first} and longest_wait_seconds {longest} must be 0 ≤ first ≤ longest ≤ 3600"
        );
        ensure!(
            self.temperature.is_finite() && self.temperature <= 2.0,
            "models.temperature must be at most 2"
        );
        Ok(())
    }
}

impl ReviewWeights {
    fn check(&self) -> Result<()> {
        let all = [
            self.length,
            self.summary,
            self.structure,
            self.citations,
            self.comprehensiveness,
            self.clarity,
        ];
        let valid = all
            .iter()
            .all(|weight| weight.is_finite() && *weight >= 0.0);
        ensure!(
            valid && all.iter().sum::<f64>() > 0.0,
            "reviewer.weights must be finite, not negative, and not all zero"
        );
        Ok(())
    }
}

/// Refuses a threshold outside 0 to 1.
///
/// # Errors
/// For such a threshold.
pub fn check_threshold(threshold: f64) -> Result<()> {
    ensure!(
        (0.0..=1.0).contains(&threshold),
        "a threshold of {threshold} is not between 0 and 1"
    );
    Ok(())
}

/// Refuses a cost that is no amount of money.
///
/// # Errors
/// For such a cost.
pub fn check_cost(usd: f64) -> Result<()> {
    ensure!(
        usd.is_finite() && usd >= 0.0,
        "a cost of {usd} is not a number from 0 on"
    );
    Ok(())
}

/// Refuses a number of rounds outside 1 to 100.
///
/// # Errors
/// For such a number.
pub fn check_rounds(rounds: u32) -> Result<()> {
    ensure!(
        (1..=100).contains(&rounds),
        "{rounds} rounds are not between 1 and 100"
    );
    Ok(())
}

/// The clock: the system's, or `RESEARCH_NOW`.
///
/// # Errors
/// When `RESEARCH_NOW` is not an RFC 3339 time.
pub fn clock() -> Result<Clock> {
    match env::var("RESEARCH_NOW") {
        Err(_) => Ok(Clock::default()),
        Ok(text) => match DateTime::parse_from_rfc3339(&text) {
            Ok(moment) => Ok(Clock::fixed(moment.with_timezone(&Utc))),
            Err(error) => bail!("RESEARCH_NOW={text:?} is not an RFC 3339 time: {error}"),
        },
    }
}

/// The settings files in the order in which they are laid, and whether each must exist.
pub fn files() -> Vec<(PathBuf, bool)> {
    let mut files = Vec::new();
    if let Ok(directories) = choose_base_strategy() {
        let directory = directories.config_dir();
        files.push((directory.join("research/research.toml"), false));
    }
    files.push((Path::new(FILE).to_owned(), false));
    if let Some(path) = env::var_os("RESEARCH_CONFIG") {
        files.push((PathBuf::from(path), true));
    }
    files
}

/// The files of another name beside the settings files that are there, in the order in which they
/// count.
pub fn companions(name: &str) -> Vec<PathBuf> {
    let beside = files().into_iter();
    let beside = beside.filter_map(|(path, _)| Some(path.parent()?.join(name)));
    let mut found: Vec<PathBuf> = beside.filter(|path| path.is_file()).collect();
    found.dedup();
    found
}

/// `RESEARCH_SECTION__KEY` variables, sorted by name. Those without `__` are not settings.
fn variables() -> Vec<(String, String)> {
    let mut found: Vec<_> = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| name.starts_with("RESEARCH_") && name.contains("__"))
        .collect();
    for (short, long) in [
        ("RESEARCH_OUTPUT_DIR", "RESEARCH_RUN__OUTPUT_DIR"),
        ("RESEARCH_MODEL", "RESEARCH_MODELS__DEFAULT"),
    ] {
        found.extend(env::var(short).ok().map(|value| (long.to_owned(), value)));
    }
    found.sort();
    found
}

struct Layers {
    builder: ConfigBuilder<DefaultState>,
}

impl Default for Layers {
    fn default() -> Self {
        let defaults = File::from_str(DEFAULTS, FileFormat::Toml);
        Self {
            builder: Config::builder().add_source(defaults),
        }
    }
}

impl Layers {
    fn lay_file(&mut self, text: &str, name: &str) -> Result<()> {
        let layer = File::from_str(text, FileFormat::Toml);
        self.builder = self.builder.clone().add_source(layer);
        self.check(name)
    }

    fn lay_variable(&mut self, variable: &str, value: String) -> Result<()> {
        let key = variable.trim_start_matches("RESEARCH_").to_lowercase();
        let key = key.replace("__", ".");
        self.builder = self
            .builder
            .clone()
            .set_override(key, value)
            .with_context(|| format!("the environment variable {variable} names no setting"))?;
        self.check(&format!("the environment variable {variable}"))
    }

    fn check(&self, layer: &str) -> Result<()> {
        self.settings()
            .and_then(|settings| settings.check())
            .with_context(|| format!("{layer} holds a setting that cannot be used"))
    }

    fn settings(&self) -> Result<Settings> {
        Ok(self.builder.clone().build()?.try_deserialize()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_valid() {
        Layers::default().check("defaults").unwrap();
    }

    #[test]
    fn a_later_layer_wins() {
        let mut layers = Layers::default();
        layers.lay_file("[run]\nthreshold = 0.7", "a.toml").unwrap();
        layers
            .lay_variable("RESEARCH_RUN__THRESHOLD", "0.8".to_owned())
            .unwrap();
        let settings = layers.settings().unwrap();
        assert!((settings.run.threshold - 0.8).abs() < 1e-9);
        assert_eq!(settings.run.max_rounds, 3);
    }

    #[test]
    fn errors_name_the_layer_and_the_key() {
        for (text, expected) in [
            ("[run]\nthreshhold = 0.7", "threshhold"),
            ("[run]\nthreshold = 7", "not between 0 and 1"),
            ("[run]\nthreshold = \"high\"", "threshold"),
            ("[run\n", "TOML"),
        ] {
            let error = Layers::default().lay_file(text, "a.toml").unwrap_err();
            let message = format!("{error:#}");
            assert!(message.contains("a.toml"), "{message}");
            assert!(message.contains(expected), "{message}");
        }
        let error = Layers::default()
            .lay_variable("RESEARCH_RUN__MAX_ROUNDS", "many".to_owned())
            .unwrap_err();
        assert!(format!("{error:#}").contains("RESEARCH_RUN__MAX_ROUNDS"));
    }
}

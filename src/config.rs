//! Settings: layers of configuration merged into values, once per process.
//!
//! The layers; a later layer overrides earlier ones key by key:
//!
//! 1. the defaults, `config/research.toml` of the repository, embedded in the program;
//! 2. the user's file, `research/research.toml` in the configuration directory;
//! 3. the project's file, `config/research.toml` in the working directory, which may be somebody
//!    else's and may not change everything (see [`SettingsFile`]);
//! 4. the file that `RESEARCH_CONFIG` names, which must exist, or the one in the directory that it
//!    names;
//! 5. environment variables: `RESEARCH_SECTION__KEY`, `RESEARCH_OUTPUT_DIR`, `RESEARCH_MODEL`;
//! 6. flags, which the command line applies to the loaded [`Settings`].
//!
//! The merged settings are validated after each layer, so that an error names the layer that the
//! value came from.

mod keys;
mod layers;
mod queue;
mod server;
mod store;
mod trust;

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use chrono::{DateTime, Utc};
use etcetera::{BaseStrategy, choose_base_strategy};
use serde::{Deserialize, Serialize};

use crate::artifact::session::{Depth, Mode, Style};
use crate::pipeline::Clock;

pub use layers::{
    Loaded, Origin, Setting, check_text, companions, existing_files, files, ignored_variables,
    nearest_variable, trusted_files, untrusted_folders, user_file,
};
pub use queue::QueueSettings;
pub use server::ServerSettings;
pub use store::StoreSettings;
pub use trust::SettingsFile;

/// The default settings, with a comment on each.
pub const DEFAULTS: &str = include_str!("../config/research.toml");

/// All settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// `[run]`: sessions and review.
    pub run: RunSettings,
    /// `[agents.…]`: limits of single agents.
    pub agents: AgentSettings,
    /// `[depth.…]`: the amount of work at each depth.
    pub depth: Depths,
    /// `[reviewer.…]`: the score.
    pub reviewer: ReviewerSettings,
    /// `[report]`: the writing of reports.
    pub report: ReportSettings,
    /// `[read]`: limits of reading documents.
    pub read: ReadSettings,
    /// `[search]`: the local index and the web search.
    pub search: SearchSettings,
    /// `[models]`: language models and retries.
    pub models: ModelSettings,
    /// `[budget]`: limits of cost, tokens and time.
    pub budget: BudgetSettings,
    /// `[network]`: politeness, limits and cache of the web client.
    pub network: NetworkSettings,
    /// `[credibility]`: hosts that are trusted more or less.
    pub credibility: CredibilitySettings,
    /// `[queue]`: the queue.
    pub queue: QueueSettings,
    /// `[store]`: the object store of the sessions.
    pub store: StoreSettings,
    /// `[server]`: the server.
    pub server: ServerSettings,
}

/// Settings of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// The directory of the sessions.
    pub output_dir: PathBuf,
    /// `true` if the sessions of a new directory lie in folders by the hashes of their names.
    pub sharded: bool,
    /// The depth of new sessions.
    pub depth: Depth,
    /// The review score at which a round is accepted, 0 to 1.
    pub threshold: f64,
    /// The maximum number of rounds of analysis, writing and review.
    pub max_rounds: u32,
    /// The owner of new sessions.
    pub owner: String,
    /// The mode of new sessions.
    pub mode: Mode,
    /// The time limit of the search in mode web_search, in seconds.
    pub web_search_timeout_seconds: u64,
}

/// Settings of the agents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSettings {
    /// The coordinator.
    pub coordinator: CoordinatorSettings,
    /// The background agent.
    pub background: BackgroundSettings,
    /// The planner.
    pub planner: PlannerSettings,
    /// The researcher.
    pub researcher: ResearcherSettings,
    /// The reflector.
    pub reflector: ReflectorSettings,
}

/// Settings of the coordinator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoordinatorSettings {
    /// `true` if it may ask the user to clarify the topic.
    pub enable_clarification: bool,
    /// The maximum number of clarifying questions.
    pub max_clarifying_questions: usize,
}

/// Settings of the writing of reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportSettings {
    /// `true` if a model checks the sentences that the check in plain code is not sure of.
    pub verify: bool,
    /// The style of new sessions.
    pub style: Style,
}

/// Settings of the background agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackgroundSettings {
    /// `true` if it looks around before the first plan.
    pub enable: bool,
    /// The maximum number of its searches.
    pub max_queries: usize,
}

/// Settings of the planner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannerSettings {
    /// The maximum number of plans, not counting those for follow-up questions.
    pub max_plan_iterations: u32,
    /// `true` if a plan that a reflection asks for adds to what was found; `false` if it replaces
    /// it.
    pub preserve_completed_steps: bool,
}

/// Settings of the researcher.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResearcherSettings {
    /// The number of steps in a batch, which is followed by a reflection.
    pub max_concurrent_research_units: usize,
    /// The maximum number of searches of a step.
    pub max_search_queries: usize,
    /// The maximum number of plans for questions that findings raise.
    pub max_researcher_iterations: u32,
    /// The maximum number of pages that are read for a step before its researcher takes over.
    pub max_urls_to_crawl: usize,
    /// The maximum number of searches of a step, those of the plan included.
    pub max_searches: usize,
}

/// Settings of the reflector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReflectorSettings {
    /// `true` if research may not end before the minimum number of steps is done.
    pub enforce_min_steps: bool,
}

/// The amount of work at each depth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Depths {
    /// The depth `quick`.
    pub quick: DepthSettings,
    /// The depth `standard`.
    pub standard: DepthSettings,
    /// The depth `deep`.
    pub deep: DepthSettings,
}

/// The amount of work at one depth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DepthSettings {
    /// The minimum number of steps.
    pub min_steps: usize,
    /// The maximum number of steps.
    pub max_steps: usize,
    /// The maximum number of steps that a model plans, see [`DepthSettings::planned_steps`].
    pub model_steps: usize,
    /// `true` if a model looks around before the first plan.
    pub background: bool,
    /// `true` if a model reflects when every step of a plan is done.
    pub reflection: bool,
    /// The number of times that a model checks a sentence of the report of which the check in
    /// plain code is not sure: once, or a second time with the sentence before its passages.
    pub verifications: usize,
    /// The maximum number of passages of a step, not counting corroborating ones.
    pub passages_per_step: usize,
    /// The way in which a model researches a step.
    pub researcher: ResearcherMode,
    /// The maximum number of searches, pages and thoughts of a step.
    pub tool_calls_per_step: usize,
}

impl DepthSettings {
    /// The maximum number of steps that a model plans at first: one more for a comparison, and one
    /// more where posts are searched.
    pub fn planned_steps(&self, compares: bool, is_social: bool) -> usize {
        let more = usize::from(compares) + usize::from(is_social);
        self.max_steps.min(self.model_steps + more)
    }

    /// The maximum number of passages that a model finds in a step: half as many again where it
    /// plans fewer steps than the rules, which look into each aspect by itself.
    pub fn passages_of_model(&self) -> usize {
        let is_short = self.model_steps < self.max_steps;
        self.passages_per_step + usize::from(is_short) * self.passages_per_step.div_ceil(2)
    }
}

/// The way in which a model researches a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResearcherMode {
    /// The planned searches, the best pages, then the findings in one call.
    Classic,
    /// Reason and act (ReAct): after the planned searches the model searches, reads and thinks in
    /// turns.
    React,
}

/// Settings of the review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewerSettings {
    /// The weights of the criteria.
    pub weights: ReviewWeights,
}

/// The weight of each criterion; only the proportions count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewWeights {
    /// The weight of: enough claims for the depth.
    pub length: f64,
    /// The weight of: a summary with content.
    pub summary: f64,
    /// The weight of: sections by aspect.
    pub structure: f64,
    /// The weight of: the share of verified claims.
    pub citations: f64,
    /// The weight of: the share of the topic that is covered.
    pub comprehensiveness: f64,
    /// The weight of: the share of sentences that are understood out of context.
    pub clarity: f64,
    /// The weight of: supported claims for the searches and steps that they took.
    pub efficiency: f64,
}

/// Settings of reading documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadSettings {
    /// The maximum size of a document, compressed and uncompressed, in MiB.
    pub max_mebibytes: u64,
    /// The maximum memory that reading one document may take, in MiB.
    pub memory_mebibytes: u64,
    /// The maximum processor time that reading one document may take, in seconds.
    pub timeout_seconds: u64,
}

/// Settings of the local index and the web search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSettings {
    /// The directory of the index and the web cache; empty for the user's cache directory.
    pub cache_dir: PathBuf,
    /// The search services to use when no documents are given; empty for none.
    pub services: String,
    /// The hosts to read, or not to read with `!` in front, separated by commas.
    pub domains: String,
    /// The maximum number of pages to read for a plan.
    pub max_pages: usize,
}

/// Settings of the language models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSettings {
    /// The model of every tier as `provider:name`; `rules` for none; empty for the first available.
    pub default: String,
    /// A different model for the tier `simple`.
    pub simple: String,
    /// A different model for the tier `analytical`.
    pub analytical: String,
    /// A different model for the tier `complex`.
    pub complex: String,
    /// The sampling temperature; 0 for the most likely words, below 0 for the model's default.
    pub temperature: f64,
    /// The maximum number of attempts to send a request.
    pub tries: u32,
    /// The back-off before the second attempt, in seconds; it doubles with each attempt.
    pub first_wait_seconds: f64,
    /// The maximum back-off, in seconds.
    pub longest_wait_seconds: f64,
    /// The timeout without output of a model, in seconds: between words, or for the whole reply
    /// where it does not stream.
    pub reply_timeout_seconds: u64,
    /// A directory of prompts that override the built-in ones; empty for none.
    pub prompts_dir: PathBuf,
    /// The option or variable that names the model; empty for a file.
    #[serde(skip)]
    pub named_by: String,
}

/// The limits of a session or batch; 0 is no limit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetSettings {
    /// The maximum cost in US dollars.
    pub max_cost_usd: f64,
    /// The maximum number of tokens, input and output.
    pub max_tokens: u64,
    /// The time limit of a run, in seconds.
    pub timeout_seconds: u64,
    /// `true` if the time limit was given on the command line: it then holds in every mode.
    #[serde(skip)]
    pub has_timeout_flag: bool,
    /// The maximum number of tokens of single agents in a session, by name.
    #[serde(default)]
    pub components: BTreeMap<String, u64>,
}

/// Settings of the credibility of sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CredibilitySettings {
    /// The hosts of reputable news and science publishers, separated by commas.
    pub listed: String,
    /// The hosts of social networks, separated by commas.
    pub social: String,
}

/// Settings of the web client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkSettings {
    /// The user agent; empty for this program's name and version.
    pub user_agent: String,
    /// The exceptions of the SSRF guard: private hosts, addresses (either with a port, or with all)
    /// and networks that may be read, separated by commas.
    pub allow: String,
    /// `true` if robots.txt is respected.
    pub obey_robots: bool,
    /// The maximum size of a page, in MiB.
    pub max_mebibytes: u64,
    /// The maximum number of redirects for a page.
    pub max_redirects: usize,
    /// The timeout of a request, in seconds.
    pub timeout_seconds: u64,
    /// The rate limit per host: the maximum number of concurrent requests.
    pub per_host: usize,
    /// The rate limit per host: the minimum time between two requests, in milliseconds.
    pub gap_milliseconds: u64,
    /// The maximum age of a cached page, in days.
    pub cache_days: u64,
    /// The maximum age of a page that a session has read, in seconds; 0 for none. A cached page
    /// that is older is fetched anew.
    pub max_age_seconds: u64,
    /// The maximum age of a cached reply of a search service, in hours; 0 disables this cache.
    pub reply_hours: u64,
    /// The maximum size of the web cache, in MiB; 0 disables it.
    pub cache_mebibytes: u64,
    /// The archive to look up copies of cited pages that are gone; empty for none.
    pub archive: String,
    /// The browser that renders pages written by scripts: a path, empty to look for one, or `none`.
    pub browser: PathBuf,
}

impl Settings {
    /// Loads the layers from defaults to environment. The caller applies flags.
    ///
    /// # Errors
    /// When a layer cannot be read, or has an unknown key or an invalid value; the message names
    /// the layer.
    pub fn load() -> Result<Self> {
        Ok(Loaded::read()?.settings)
    }

    /// The limits of a depth. `auto` has those of `standard`.
    pub fn limits(&self, depth: Depth) -> &DepthSettings {
        match depth {
            Depth::Quick => &self.depth.quick,
            Depth::Auto | Depth::Standard => &self.depth.standard,
            Depth::Deep => &self.depth.deep,
        }
    }

    /// The directory of the index and the web cache; `None` if the user has no cache directory.
    pub fn cache_dir(&self) -> Option<PathBuf> {
        let configured = &self.search.cache_dir;
        if !configured.as_os_str().is_empty() {
            return Some(configured.clone());
        }
        // XDG base directories: `$XDG_CACHE_HOME`, or `~/.cache`.
        let directories = choose_base_strategy().ok()?;
        Some(directories.cache_dir().join("research"))
    }

    fn check(&self) -> Result<()> {
        // The upper limits here and below were chosen by hand, to catch typing errors.
        check_threshold(self.run.threshold).context("run.threshold")?;
        ensure!(
            !self.run.output_dir.as_os_str().is_empty(),
            "run.output_dir is empty; it names the directory of the sessions"
        );
        check_rounds(self.run.max_rounds).context("run.max_rounds")?;
        for (name, depth) in [
            ("quick", &self.depth.quick),
            ("standard", &self.depth.standard),
            ("deep", &self.depth.deep),
        ] {
            let (min, max) = (depth.min_steps, depth.max_steps);
            ensure!(
                (1..=max).contains(&min) && max <= 100,
                "depth.{name}: min_steps {min} and max_steps {max} must be 1 ≤ min ≤ max ≤ 100"
            );
            ensure!(
                depth.model_steps > 0,
                "depth.{name}: model_steps must be at least 1"
            );
        }
        ensure!(
            (1..=10).contains(&self.agents.background.max_queries),
            "agents.background.max_queries must be between 1 and 10; enable = false turns it off"
        );
        ensure!(
            (1..=100).contains(&self.agents.researcher.max_concurrent_research_units),
            "agents.researcher.max_concurrent_research_units must be between 1 and 100"
        );
        ensure!(
            (1..=24 * 3600).contains(&self.read.timeout_seconds),
            "read.timeout_seconds must be between 1 and 86400, a day"
        );
        ensure!(
            (1..=2048).contains(&self.read.memory_mebibytes),
            "read.memory_mebibytes must be between 1 and 2048"
        );
        self.network.check()?;
        self.models.check()?;
        self.queue.check()?;
        self.server.check()?;
        check_cost(self.budget.max_cost_usd).context("budget.max_cost_usd")?;
        self.reviewer.weights.check()
    }
}

impl NetworkSettings {
    fn check(&self) -> Result<()> {
        ensure!(
            self.per_host <= 1000,
            "network.per_host must be at most 1000"
        );
        ensure!(
            self.gap_milliseconds <= 3_600_000,
            "network.gap_milliseconds must be at most 3600000, an hour"
        );
        Ok(())
    }
}

impl ModelSettings {
    fn check(&self) -> Result<()> {
        ensure!(
            (1..=20).contains(&self.tries),
            "models.tries must be between 1 and 20"
        );
        ensure!(
            self.reply_timeout_seconds > 0,
            "models.reply_timeout_seconds must be at least 1"
        );
        // A range contains no NaN, so that such a wait is refused too.
        let (first, longest) = (self.first_wait_seconds, self.longest_wait_seconds);
        ensure!(
            (0.0..=longest).contains(&first) && longest <= 3600.0,
            "models.first_wait_seconds {first} and longest_wait_seconds {longest} \
            must be 0 ≤ first ≤ longest ≤ 3600"
        );
        // No lower limit: below 0, the model's default applies.
        ensure!(
            self.temperature.is_finite() && self.temperature <= 2.0,
            "models.temperature must be 2 or less"
        );
        Ok(())
    }
}

impl ReviewWeights {
    fn check(&self) -> Result<()> {
        let weights = [
            self.length,
            self.summary,
            self.structure,
            self.citations,
            self.comprehensiveness,
            self.clarity,
            self.efficiency,
        ];
        // The score is divided by the sum of the weights, which may therefore not be 0.
        let valid = weights
            .iter()
            .all(|weight| weight.is_finite() && *weight >= 0.0);
        ensure!(
            valid && weights.iter().sum::<f64>() > 0.0,
            "reviewer.weights must be finite, non-negative and not all zero"
        );
        Ok(())
    }
}

/// Checks that a threshold is between 0 and 1.
///
/// # Errors
/// When it is not.
pub fn check_threshold(threshold: f64) -> Result<()> {
    ensure!(
        (0.0..=1.0).contains(&threshold),
        "a threshold of {threshold} is not between 0 and 1"
    );
    Ok(())
}

/// Checks that a cost is a finite, non-negative amount.
///
/// # Errors
/// When it is not.
pub fn check_cost(usd: f64) -> Result<()> {
    ensure!(
        usd.is_finite() && usd >= 0.0,
        "a cost of {usd} is not a finite, non-negative amount"
    );
    Ok(())
}

/// Checks that a number of rounds is between 1 and 100.
///
/// # Errors
/// When it is not.
pub fn check_rounds(rounds: u32) -> Result<()> {
    ensure!(
        (1..=100).contains(&rounds),
        "the number of rounds, {rounds}, is not between 1 and 100"
    );
    Ok(())
}

/// The clock: that of the system, or one fixed at `RESEARCH_NOW`.
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

/// The trimmed value of an environment variable; `None` if it is blank or not set, or if the name
/// is empty, as in a table entry without a variable.
pub fn variable(name: &str) -> Option<String> {
    let value = env::var(name).ok()?;
    Some(value.trim().to_owned()).filter(|value| !value.is_empty())
}

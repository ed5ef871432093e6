//! Who answers for the agents in this process: the rules, or the models that settings and
//! environment name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use crate::agent::backend::{ModelBackend, Prompts, SessionBudget};
use crate::agent::{AGENTS, Backend, DepthShape, Tier, expected_calls};
use crate::artifact::Session;
use crate::artifact::session::Depth;
use crate::config::{BudgetSettings, ModelSettings, Settings};
use crate::model::{Budget, Catalogue, Forecast, Models, Replay, calls};

/// Who answers, and what they share; the default are the rules.
#[derive(Clone, Default)]
pub struct BackendConfig {
    models: Option<Arc<ModelSet>>,
    /// What all sessions together may spend, in a batch.
    whole: Option<Arc<Budget>>,
}

/// Models and what they are told.
struct ModelSet {
    models: Arc<Models>,
    prompts: Arc<Prompts>,
    replay: Option<PathBuf>,
}

impl BackendConfig {
    /// The models that settings or environment name, else the rules.
    ///
    /// # Errors
    /// When a setting, a table or a prompt cannot be used.
    pub fn from_settings(settings: &Settings) -> Result<Self> {
        Self::with_catalogue(settings, &Catalogue::load()?)
    }

    /// The same with a catalogue at hand.
    ///
    /// # Errors
    /// When a setting or a prompt cannot be used.
    pub fn with_catalogue(settings: &Settings, catalogue: &Catalogue) -> Result<Self> {
        match Models::find(&settings.models, catalogue)? {
            Some(models) => Self::with(models, settings, None),
            None => Ok(Self::default()),
        }
    }

    /// The answers in the journal of the session at `path`, and nothing else: no network.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn replay(path: &Path, settings: &Settings) -> Result<Self> {
        let mut names: BTreeMap<&str, String> = BTreeMap::new();
        let journal = calls(path)?;
        for call in &journal {
            names.insert(call.agent.as_str(), call.model.clone());
        }
        let any = names.values().next().cloned().unwrap_or_default();
        let of = |tier: Tier| {
            let mut named = AGENTS
                .iter()
                .filter(|agent| agent.tier == tier)
                .filter_map(|agent| names.get(agent.name));
            named.next().unwrap_or(&any).clone()
        };
        // Fails first where there is nothing to replay.
        Replay::load(path)?;
        let named = ModelSettings {
            default: String::new(),
            simple: of(Tier::Simple),
            analytical: of(Tier::Analytical),
            complex: of(Tier::Complex),
            ..settings.models.clone()
        };
        let Some(models) = Models::find(&named, &Catalogue::load()?)? else {
            return Ok(Self::default());
        };
        Self::with(models, settings, Some(path.to_owned()))
    }

    fn with(models: Models, settings: &Settings, replay: Option<PathBuf>) -> Result<Self> {
        let bench = ModelSet {
            models: Arc::new(models),
            prompts: Arc::new(prompts(settings)?),
            replay,
        };
        Ok(Self {
            models: Some(Arc::new(bench)),
            whole: None,
        })
    }

    /// The same for a batch: its topics share the budget, and only the time is each one's own.
    pub fn with_shared_budget(self, budget: &BudgetSettings) -> Self {
        let whole = BudgetSettings {
            timeout_seconds: 0,
            ..*budget
        };
        Self {
            whole: Some(Arc::new(Budget::new(whole, None))),
            ..self
        }
    }

    /// One line about who answers, if it is not the rules.
    pub fn describe(&self) -> Option<String> {
        let bench = self.models.as_ref()?;
        Some(match &bench.replay {
            Some(path) => format!("answered from the journal of {}", path.display()),
            None => bench.models.describe(),
        })
    }

    /// The models, if they answer.
    pub fn models(&self) -> Option<&Models> {
        self.models.as_ref().map(|bench| &*bench.models)
    }

    /// What one round at a depth will take, if models answer.
    pub fn forecast(&self, settings: &Settings, depth: Depth) -> Option<Forecast> {
        let models = self.models()?;
        Some(Forecast::of(
            &expected_calls(AGENTS, depth_shape(settings, depth)),
            |tier| {
                let model = models.for_tier(tier)?;
                Some((model.name.clone(), model.price))
            },
        ))
    }

    /// Who answers in one session.
    ///
    /// # Errors
    /// When the journal to be replayed cannot be read.
    pub(super) fn backend(&self, session: &Session, settings: &Settings) -> Result<Backend> {
        let mut own = settings.budget;
        if self.whole.is_some() {
            (own.max_cost_usd, own.max_tokens) = (0.0, 0);
        }
        // It is the time of models: rules take none, and pages as long as they take.
        if self.models.is_none() {
            own.timeout_seconds = 0;
        }
        let budget = SessionBudget::new(Budget::new(own, self.whole.clone()));
        let Some(bench) = &self.models else {
            return Ok(Backend::Rules(Arc::new(budget)));
        };
        let replay = bench.replay.as_ref().map(|path| Replay::load(path));
        // The day without the time: a session that goes on tomorrow asks the same.
        let date = session.started_at.split('T').next().unwrap_or_default();
        Ok(Backend::Models(Arc::new(ModelBackend::new(
            bench.models.clone(),
            bench.prompts.clone(),
            AGENTS,
            depth_shape(settings, session.depth),
            date.to_owned(),
            budget,
            replay.transpose()?,
        ))))
    }
}

/// The prompts, with those of the settings' directory.
///
/// # Errors
/// When one cannot be used.
pub fn prompts(settings: &Settings) -> Result<Prompts> {
    let built_in: Vec<(&str, &str)> = AGENTS.iter().map(|card| (card.name, card.prompt)).collect();
    let directory = &settings.models.prompts_dir;
    let own = (!directory.as_os_str().is_empty()).then_some(directory.as_path());
    Prompts::load(&built_in, own)
}

/// The figures of a depth that forecasts and reserves are made from.
pub fn depth_shape(settings: &Settings, depth: Depth) -> DepthShape {
    let limits = settings.limits(depth);
    DepthShape {
        steps: limits.max_steps,
        concurrent_steps: settings.agents.researcher.max_concurrent_research_units,
        passages_per_step: limits.passages_per_step,
    }
}

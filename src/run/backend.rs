//! The backend of the agents in this process: their rules (the plain code that stands in for a
//! model), or the models that the settings and the environment name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Error, Result, ensure};

use super::mode::settings_of;
use crate::agent::backend::{ModelBackend, Prompts, SessionBudget, Spent};
use crate::agent::{AGENTS, Backend, DepthShape, Tier, agents_of, expected_calls};
use crate::artifact::Session;
use crate::artifact::session::{Depth, Mode};
use crate::config::{BudgetSettings, ModelSettings, ResearcherMode, Settings};
use crate::model::{Budget, Catalogue, ComponentBudgets, Forecast, Models, Replay, calls};
use crate::quota::SharedQuotas;
use crate::stage::ExpectedSearches;
use crate::web::{AUTO, ProviderTable, is_social};

/// The configuration of the backend, and the parts of it that the sessions of this process share.
/// By default, the rules.
#[derive(Clone, Default)]
pub struct BackendConfig {
    models: Option<Arc<ModelSet>>,
    /// The budget that all sessions of a batch share.
    shared_budget: Option<Arc<Budget>>,
    /// The budget of an owner, from which sessions take besides their own.
    owner_budget: Option<Arc<Budget>>,
    /// The quotas that the processes of a fleet share.
    quotas: SharedQuotas,
}

/// The models of this process and their prompts.
struct ModelSet {
    models: Arc<Models>,
    prompts: Arc<Prompts>,
    /// The session whose journal is replayed instead of sending requests.
    replay: Option<PathBuf>,
}

impl BackendConfig {
    /// The models that the settings or the environment name, else the rules.
    ///
    /// # Errors
    /// When a setting, a table or a prompt cannot be used.
    pub fn from_settings(settings: &Settings) -> Result<Self> {
        Self::with_catalogue(settings, &Catalogue::load()?)
    }

    /// The same with a catalogue of providers that is already loaded.
    ///
    /// # Errors
    /// When a setting or a prompt cannot be used.
    pub fn with_catalogue(settings: &Settings, catalogue: &Catalogue) -> Result<Self> {
        match Models::find(&settings.models, catalogue)? {
            Some(models) => Self::with(models, settings, None),
            None => Ok(Self::default()),
        }
    }

    /// A replay of the journal of the session at `path`: its recorded replies answer, offline.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn replay(path: &Path, settings: &Settings) -> Result<Self> {
        let journal = calls(path)?;
        let models_by_agent: BTreeMap<&str, &str> = journal
            .iter()
            .map(|call| (call.agent.as_str(), call.model.as_str()))
            .collect();
        // The journal records a model per agent, the settings name one per tier. The model is part
        // of a request's hash, so a tier must get the model that its agents had. An agent that
        // never called has no reply to look up: any model will do for its tier.
        let any = models_by_agent.values().next().copied().unwrap_or_default();
        let model_of = |tier: Tier| {
            AGENTS
                .iter()
                .filter(|agent| agent.tier == tier)
                .find_map(|agent| models_by_agent.get(agent.name).copied())
                .unwrap_or(any)
                .to_owned()
        };
        // A session without recorded replies fails here, before its models are looked up.
        Replay::load(path)?;
        let recorded = ModelSettings {
            default: String::new(),
            simple: model_of(Tier::Simple),
            analytical: model_of(Tier::Analytical),
            complex: model_of(Tier::Complex),
            ..settings.models.clone()
        };
        let Some(models) = Models::find(&recorded, &Catalogue::load()?)? else {
            return Ok(Self::default());
        };
        Self::with(models, settings, Some(path.to_owned()))
    }

    fn with(models: Models, settings: &Settings, replay: Option<PathBuf>) -> Result<Self> {
        let set = ModelSet {
            models: Arc::new(models),
            prompts: Arc::new(prompts(settings)?),
            replay,
        };
        Ok(Self {
            models: Some(Arc::new(set)),
            ..Self::default()
        })
    }

    /// The same with a budget that all topics of a batch share, and with the quotas that all
    /// processes of a fleet share. Only the time limit is per topic.
    pub fn with_shared_budget(self, budget: &BudgetSettings, quotas: &SharedQuotas) -> Self {
        let shared = BudgetSettings {
            timeout_seconds: 0,
            components: BTreeMap::new(),
            ..budget.clone()
        };
        Self {
            shared_budget: Some(Arc::new(Budget::new(shared, None).drawn_on(quotas.clone()))),
            quotas: quotas.clone(),
            ..self
        }
    }

    /// The same with a budget of an owner. Each session has its own within it.
    #[must_use]
    pub fn with_owner_budget(self, budget: Arc<Budget>) -> Self {
        Self {
            owner_budget: Some(budget),
            ..self
        }
    }

    /// A description of the models as a line; `None` for the rules.
    pub fn describe(&self) -> Option<String> {
        let set = self.models.as_ref()?;
        Some(match &set.replay {
            Some(path) => format!("answered from the journal of {}", path.display()),
            None => set.models.describe(),
        })
    }

    /// The session whose journal is replayed, if any.
    pub fn replayed(&self) -> Option<&Path> {
        self.models.as_ref()?.replay.as_deref()
    }

    /// The models; `None` for the rules.
    pub fn models(&self) -> Option<&Models> {
        self.models.as_ref().map(|set| &*set.models)
    }

    /// The reason why a limit of money, in US dollars or 0 for none, cannot be kept; `None` if it
    /// can.
    pub fn unkept_limit(&self, usd: f64) -> Option<String> {
        let unpriced = self.models().map(Models::unpriced).unwrap_or_default();
        let is_kept = usd <= 0.0 || unpriced.is_empty();
        (!is_kept).then(|| {
            format!(
                "the price of {} is not known, so a limit of money cannot be kept",
                unpriced.join(", ")
            )
        })
    }

    /// The forecast of the calls of a round of the session at `path`; `None` for the rules.
    ///
    /// # Errors
    /// When the amount that it has spent so far cannot be read.
    pub fn forecast(
        &self,
        settings: &Settings,
        session: &Session,
        path: &Path,
    ) -> Result<Option<Forecast>> {
        let Some(models) = self.models() else {
            return Ok(None);
        };
        let distinct = models.distinct();
        let spent = Spent::read(path, |name| {
            distinct.get(name).map(|(model, _)| model.price)
        })?;
        let shape = depth_shape(settings, session, session.depth);
        let expected = expected_calls(agents_of(session.mode), shape);
        Ok(Some(Forecast::of(&expected, spent.total, |tier| {
            let model = models.for_tier(tier)?;
            Some((model.name.clone(), model.price))
        })))
    }

    /// The backend of a session, with its budget.
    ///
    /// # Errors
    /// When the journal to be replayed cannot be read, or a budget is for no agent.
    pub(super) fn backend(&self, session: &Session, settings: &Settings) -> Result<Backend> {
        let mut limits = settings.budget.clone();
        // Zero is no limit: in a batch the parent budget limits cost and tokens of all sessions.
        if self.shared_budget.is_some() {
            (limits.max_cost_usd, limits.max_tokens) = (0.0, 0);
        }
        let parent = self
            .shared_budget
            .as_ref()
            .or(self.owner_budget.as_ref())
            .cloned();
        let budget = match session.mode {
            Mode::Simple => {
                if !limits.has_timeout_flag {
                    limits.timeout_seconds = 0;
                }
                Budget::new(limits, parent)
            }
            Mode::WebSearch => Budget::new(limits, parent)
                .with_gathering_limit(settings.run.web_search_timeout_seconds),
            Mode::DeepResearch => Budget::new(limits, parent),
        };
        let components = settings.budget.components.clone();
        for name in components.keys() {
            let is_agent = AGENTS.iter().any(|agent| agent.name == name);
            ensure!(is_agent, "budget.components: there is no agent {name:?}");
        }
        let budget = SessionBudget::new(budget).with_components(ComponentBudgets::new(components));
        let Some(set) = &self.models else {
            return Ok(Backend::Rules(Arc::new(budget)));
        };
        let replay = set.replay.as_ref().map(|path| Replay::load(path));
        // The prompts state the day on which the session began, not today: a session resumed
        // tomorrow makes the same requests, which are journal hits.
        let date = session.started_at.split('T').next().unwrap_or_default();
        let backend = ModelBackend::new(
            set.models.clone(),
            set.prompts.clone(),
            agents_of(session.mode),
            depth_shape(settings, session, session.depth),
            date.to_owned(),
            budget,
            replay.transpose()?,
        )
        .with_quotas(self.quotas.clone());
        Ok(Backend::Models(Arc::new(match session.mode {
            Mode::WebSearch => backend.with_rules_when_exhausted(),
            Mode::Simple | Mode::DeepResearch => backend,
        })))
    }
}

/// The prompts: those of the settings' directory, and the built-in ones for the others.
///
/// # Errors
/// When a prompt cannot be used.
pub fn prompts(settings: &Settings) -> Result<Prompts> {
    let (prompts, problems) = usable_prompts(settings)?;
    problems.into_iter().next().map_or(Ok(prompts), Err)
}

/// The prompts that can be used, and for each file that cannot the reason why not.
///
/// # Errors
/// When their directory cannot be listed.
pub fn usable_prompts(settings: &Settings) -> Result<(Prompts, Vec<Error>)> {
    let built_in: Vec<(&str, &str)> = AGENTS
        .iter()
        .map(|agent| (agent.name, agent.prompt))
        .collect();
    let directory = &settings.models.prompts_dir;
    let overrides = (!directory.as_os_str().is_empty()).then_some(directory.as_path());
    Prompts::load(&built_in, overrides)
}

/// The number of turns that a researcher is expected to take for a step by ReAct: a search, a read
/// and the findings (chosen by hand).
const REACT_TURNS: usize = 3;

/// The maximum numbers of queries to a service in a round of a session, with models or by rule.
pub fn expected_searches(
    settings: &Settings,
    session: &Session,
    has_models: bool,
) -> ExpectedSearches {
    let limits = settings.limits(session.depth);
    let shape = depth_shape(settings, session, session.depth);
    let researcher = &settings.agents.researcher;
    let is_turns = has_models && shape.turns_per_step > 1;
    let steps = if has_models {
        shape.steps
    } else {
        limits.max_steps
    };
    let further = researcher
        .max_searches
        .saturating_sub(researcher.max_search_queries);
    ExpectedSearches {
        queries: steps * researcher.max_search_queries,
        background: usize::from(has_models) * shape.background_queries,
        turns: usize::from(is_turns) * steps * further,
        posts: usize::from(shape.is_social) * researcher.max_search_queries,
    }
}

/// `true` if a social service is among those that a session asks, also those that `auto` chooses.
fn searches_posts(session: &Session) -> bool {
    if !session.search.iter().any(|own| own == AUTO) {
        return session.search.iter().any(|own| is_social(own));
    }
    let chosen = ProviderTable::load()
        .and_then(|table| table.select(&session.search, &session.topic))
        .unwrap_or_default();
    chosen.iter().any(|service| service.is_social)
}

/// The figures of a session and a depth from which forecasts and budget reserves are computed.
pub fn depth_shape(settings: &Settings, session: &Session, depth: Depth) -> DepthShape {
    let settings = &settings_of(settings, session.mode);
    let limits = settings.limits(depth);
    let is_social = searches_posts(session);
    DepthShape {
        steps: limits.planned_steps(false, is_social),
        passages_per_step: limits.passages_of_model(),
        background_queries: if settings.agents.background.enable && limits.background {
            settings.agents.background.max_queries
        } else {
            0
        },
        reflects_at_end: limits.reflection,
        turns_per_step: match limits.researcher {
            ResearcherMode::Classic => 1,
            ResearcherMode::React => REACT_TURNS,
        },
        verifications: if settings.report.verify {
            limits.verifications
        } else {
            0
        },
        is_social,
    }
}

//! The body of a request for a new session, and the terms of a run that a session does not hold.

use std::path::{Component, Path, PathBuf};

use anyhow::{Error, anyhow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::problem::Problem;
use crate::artifact::Session;
use crate::artifact::session::{Depth, FirstRun, Mode, Style};
use crate::config::{self, Settings};
use crate::pipeline::Request;
use crate::run::{BackendConfig, Overrides, Question};

/// A question to research. For what is left out, the settings of the server count.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Ask {
    /// The topic or question.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    pub topic: String,
    /// Documents to search, relative to the directories that the server was started with; by
    /// default all of them, and none if services are named.
    pub docs: Option<Vec<String>>,
    /// The services to search the web with: `auto`, or names such as `wikipedia`.
    pub search: Option<Vec<String>>,
    /// The hosts that may be read, such as `*.gov`, or with `!` in front must not.
    pub domains: Vec<String>,
    /// The mode of research.
    pub mode: Option<Mode>,
    /// The amount of work.
    pub depth: Option<Depth>,
    /// The style of the report.
    pub style: Option<Style>,
    /// The session that it follows up.
    pub follow: Option<String>,
    /// The name of the new session.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$"))]
    pub session: Option<String>,
    /// `true` to use no model and no network: the agents follow their rules.
    pub offline: bool,
    /// The review score from which a round is accepted.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub threshold: Option<f64>,
    /// The maximum number of rounds.
    #[schemars(range(min = 1, max = 100))]
    pub max_rounds: Option<u32>,
    /// `true` to ask no clarifying questions.
    pub no_clarify: bool,
    /// `true` to stop after the first plan, for approval.
    pub approve_plan: bool,
    /// The maximum cost in US dollars; 0 for no limit.
    #[schemars(range(min = 0.0))]
    pub max_cost_usd: Option<f64>,
    /// The maximum number of tokens; 0 for no limit.
    pub max_tokens: Option<u64>,
    /// The time limit in seconds; 0 for no limit.
    pub timeout_seconds: Option<u64>,
}

/// The terms of a run that its session does not hold.
#[derive(Clone, Default)]
pub(super) struct RunTerms {
    /// The terms of the session that the run overrides.
    pub(super) overrides: Overrides,
    /// The request to the engine.
    pub(super) request: Request,
    /// `true` if nothing may be sent out.
    pub(super) is_offline: bool,
    /// The settings with the budget of the run; `None` for those of the server.
    pub(super) settings: Option<Settings>,
}

impl Ask {
    /// Checks the topic and the ranges of numbers.
    pub(super) fn check(&self) -> Result<(), Problem> {
        if self.topic.trim().is_empty() {
            return Err(Problem::of_field(
                "topic",
                "the topic is empty; say what to research",
            ));
        }
        self.check_terms()
    }

    /// Checks the terms of a run.
    pub(super) fn check_terms(&self) -> Result<(), Problem> {
        let of = |field: &'static str| {
            move |error: Error| Problem::of_field(field, format!("{error:#}"))
        };
        if let Some(threshold) = self.threshold {
            config::check_threshold(threshold).map_err(of("threshold"))?;
        }
        if let Some(rounds) = self.max_rounds {
            config::check_rounds(rounds).map_err(of("max_rounds"))?;
        }
        if let Some(usd) = self.max_cost_usd {
            config::check_cost(usd).map_err(of("max_cost_usd"))?;
        }
        Ok(())
    }

    /// Refuses a limit of money for models of which a price is not known.
    pub(super) fn check_limit(
        &self,
        backend: &BackendConfig,
        settings: &Settings,
    ) -> Result<(), Problem> {
        let usd = self.settings(settings).budget.max_cost_usd;
        let unkept = backend.unkept_limit(usd).filter(|_| !self.offline);
        unkept.map_or(Ok(()), |reason| {
            let detail = format!(
                "{reason}: leave it out, limit the tokens (max_tokens), or let the server name \
                 the price in config/prices.toml"
            );
            Err(Problem::of_field("max_cost_usd", detail))
        })
    }

    /// The settings with the budget of the request.
    pub(super) fn settings(&self, settings: &Settings) -> Settings {
        let mut settings = settings.clone();
        if self.offline {
            settings.models.default = "rules".to_owned();
        }
        let budget = &mut settings.budget;
        budget.max_cost_usd = self.max_cost_usd.unwrap_or(budget.max_cost_usd);
        budget.max_tokens = self.max_tokens.unwrap_or(budget.max_tokens);
        budget.timeout_seconds = self.timeout_seconds.unwrap_or(budget.timeout_seconds);
        settings
    }

    /// The paths of the documents that it names below `roots`, or by default all of these.
    ///
    /// # Errors
    /// When a name leads out of them, or to nothing.
    pub(super) fn documents(&self, roots: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
        let Some(names) = &self.docs else {
            let is_web_only = self.search.as_ref().is_some_and(|names| !names.is_empty())
                || self.mode.is_some_and(|mode| mode == Mode::WebSearch)
                || self.follow.is_some();
            return Ok(if is_web_only {
                Vec::new()
            } else {
                roots.to_vec()
            });
        };
        let path = |name: &String| {
            let document = roots.iter().find_map(|root| below(root, name));
            document.ok_or_else(|| {
                let problem = anyhow!("{name:?} is not among the documents of this server");
                Problem::of_field("docs", problem)
            })
        };
        names.iter().map(path).collect()
    }

    /// The question that it asks.
    pub(super) fn question(
        &self,
        settings: &Settings,
        documents: Vec<PathBuf>,
        follow: Option<PathBuf>,
    ) -> Question {
        Question {
            topic: self.topic.clone(),
            mode: self.mode,
            depth: self.depth,
            documents,
            search: self.search.clone(),
            domains: self.domains.clone(),
            is_offline: self.offline,
            style: self.style.clone().unwrap_or(settings.report.style.clone()),
            follow,
        }
    }

    /// The terms of its run that nobody who goes on with the session could know.
    pub(super) fn first_run(&self) -> Option<FirstRun> {
        let own = FirstRun {
            offline: self.offline,
            approve_plan: self.approve_plan,
            max_cost_usd: self.max_cost_usd,
            max_tokens: self.max_tokens,
            timeout_seconds: self.timeout_seconds,
        };
        Some(own).filter(|own| *own != FirstRun::default())
    }

    /// The terms of its run.
    pub(super) fn run_terms(&self, settings: Settings) -> RunTerms {
        RunTerms {
            overrides: Overrides {
                threshold: self.threshold,
                max_rounds: self.max_rounds,
                no_clarify: self.no_clarify,
                approve_plan: self.approve_plan,
            },
            request: Request::default(),
            is_offline: self.offline,
            settings: Some(settings),
        }
    }
}

impl RunTerms {
    /// The terms of a further run of a session, as of its first one.
    pub(super) fn of_session(session: &Session, settings: &Settings) -> Self {
        let Some(first) = session.first_run.clone() else {
            return Self::default();
        };
        let ask = Ask {
            offline: first.offline,
            approve_plan: first.approve_plan,
            max_cost_usd: first.max_cost_usd,
            max_tokens: first.max_tokens,
            timeout_seconds: first.timeout_seconds,
            ..Ask::default()
        };
        ask.run_terms(ask.settings(settings))
    }

    /// The same, but the plan is carried out.
    pub(super) fn approved(mut self) -> Self {
        self.overrides.approve_plan = false;
        self
    }
}

/// The document of this name below `root`: not beside it, not through a link out of it.
fn below(root: &Path, name: &str) -> Option<PathBuf> {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    let path = root.join(name);
    let real = path.canonicalize().ok()?;
    let is_inside =
        Path::new(name).components().all(is_plain) && real.starts_with(root.canonicalize().ok()?);
    is_inside.then_some(path)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn documents_are_those_below_the_roots() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("docs");
        fs::create_dir(&root).unwrap();
        fs::write(root.join("a.md"), "a").unwrap();
        fs::write(folder.path().join("secret.md"), "secret").unwrap();
        symlink(folder.path().join("secret.md"), root.join("link.md")).unwrap();
        let roots = [root.clone()];
        let named = |name: &str| Ask {
            docs: Some(vec![name.to_owned()]),
            ..Ask::default()
        };
        assert_eq!(
            named("a.md").documents(&roots).unwrap(),
            [root.join("a.md")]
        );
        assert_eq!(Ask::default().documents(&roots).unwrap(), roots);
        for name in [
            "../secret.md",
            "link.md",
            "/etc/passwd",
            "nothing.md",
            ".",
            "..",
        ] {
            let problem = named(name).documents(&roots).unwrap_err();
            assert_eq!(problem.pointer.as_deref(), Some("/docs"), "{name}");
        }
    }
}

//! Options that `run` and `batch` share, resolved against the settings: the model backend, the web
//! search and its client, and the signals that interrupt.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, anyhow};

use super::args::{ModelArgs, TopicArgs};
use super::exit::{self, Exit};
use super::{Output, Program};
use crate::artifact::session::{Depth, Mode, Style};
use crate::config::{self, ModelSettings, Settings};
use crate::platform::watch_termination_signals;
use crate::run::{self, BackendConfig, fetching};
use crate::session::WebScope;
use crate::web::{ProviderTable, WebClient, check_domain};

/// The value of `--search` that turns the web search off.
const NO_SERVICE: &str = "none";

/// The program with the settings that model and budget flags override.
pub(super) fn with_model_args<'a>(program: &Program<'a>, flags: &ModelArgs) -> Result<Program<'a>> {
    let mut settings = program.settings.clone();
    if flags.offline {
        settings.models.default = "rules".to_owned();
    }
    if let Some(model) = &flags.model {
        // A model named on the command line also replaces the models of single tiers.
        settings.models = ModelSettings {
            default: model.clone(),
            simple: String::new(),
            analytical: String::new(),
            complex: String::new(),
            ..settings.models
        };
    }
    let budget = &mut settings.budget;
    budget.max_cost_usd = flags.max_cost.unwrap_or(budget.max_cost_usd);
    budget.max_tokens = flags.max_tokens.unwrap_or(budget.max_tokens);
    budget.timeout_seconds = flags.timeout.unwrap_or(budget.timeout_seconds);
    let search_timeout = &mut settings.run.web_search_timeout_seconds;
    *search_timeout = flags.timeout.unwrap_or(*search_timeout);
    config::check_cost(budget.max_cost_usd)
        .context("--max-cost")
        .map_err(exit::usage)?;
    Ok(Program {
        settings,
        origins: program.origins.clone(),
        ..*program
    })
}

/// The mode and the depth of new sessions. A mode may force the depth.
pub(super) fn mode_and_depth(
    program: &Program<'_>,
    arguments: &TopicArgs,
) -> Result<(Mode, Depth)> {
    let run = &program.settings.run;
    let mode = arguments.mode.map_or(run.mode, Into::into);
    let named: Option<Depth> = arguments.depth.map(Into::into);
    let forced = mode.depth();
    if let (Some(named), Some(forced)) = (named, forced)
        && named != forced
    {
        return Err(exit::usage(anyhow!(
            "mode {mode} works at depth quick; leave out --depth, or choose --mode deep_research"
        )));
    }
    Ok((mode, forced.or(named).unwrap_or(run.depth)))
}

/// The search services and hosts of new sessions: those of `--search`; without that and without
/// documents, or in mode web_search, those of the settings.
pub(super) fn web_scope(
    program: &Program<'_>,
    arguments: &TopicArgs,
    mode: Mode,
) -> Result<WebScope> {
    let settings = &program.settings.search;
    let is_offline = arguments.model_args.offline;
    // Local documents replace the web: nothing is sent out unless `--search` is given.
    let search: Vec<String> = match &arguments.search {
        Some(names) => names.clone(),
        None if (arguments.docs.is_empty() || mode == Mode::WebSearch) && !is_offline => {
            fetching::comma_separated(&settings.services)
        }
        None => Vec::new(),
    };
    // Either may be meant: that the web is searched must not be a guess.
    if search.len() > 1 && search.iter().any(|name| name == NO_SERVICE) {
        return Err(exit::usage(anyhow!(
            "--search: {NO_SERVICE} cannot be combined with services; leave out one or the other"
        )));
    }
    let search: Vec<String> = search
        .into_iter()
        .filter(|name| name != NO_SERVICE)
        .collect();
    if mode == Mode::Simple && arguments.search.is_some() && !search.is_empty() {
        return Err(exit::usage(anyhow!(
            "--search: mode simple does not search the web; choose --mode web_search"
        )));
    }
    if search.is_empty() || mode == Mode::Simple {
        return Ok(WebScope::default());
    }
    // Checked before a session is written: a misspelled service is a usage error.
    let services = ProviderTable::load().map_err(exit::usage)?;
    services
        .select(&search, "")
        .context(if arguments.search.is_some() {
            "--search"
        } else {
            "search.services"
        })
        .map_err(exit::usage)?;
    let domains = if arguments.domains.is_empty() {
        fetching::comma_separated(&settings.domains)
    } else {
        arguments.domains.clone()
    };
    for domain in &domains {
        check_domain(domain)
            .context(if arguments.domains.is_empty() {
                "search.domains"
            } else {
                "--domains"
            })
            .map_err(exit::usage)?;
    }
    Ok(WebScope { search, domains })
}

/// The web client for sessions with these search services; `None` without any, or offline.
pub(super) fn web_client(
    program: &Program<'_>,
    search: &[String],
    is_offline: bool,
) -> Result<Option<Arc<WebClient>>> {
    if search.is_empty() || is_offline {
        return Ok(None);
    }
    let client = fetching::web_client(&program.settings, program.clock);
    client.map(Some).map_err(exit::usage)
}

/// The backend of the agents, from the settings; its models are printed as a remark.
pub(super) fn backend(program: &Program<'_>) -> Result<BackendConfig> {
    let backend = BackendConfig::from_settings(&program.settings).map_err(exit::usage)?;
    remark_backend(program.output, &backend);
    Ok(backend)
}

/// Prints the models of the backend, if any.
pub(super) fn remark_backend(output: &Output, backend: &BackendConfig) {
    if let Some(description) = backend.describe() {
        output.remark(&description);
    }
}

/// A flag that the first Ctrl-C sets; the second Ctrl-C ends the program.
pub(super) fn interruption() -> Result<Arc<AtomicBool>> {
    // The exit code of shells, 130: 128 plus the number of SIGINT, 2.
    let interrupted = Arc::new(AtomicBool::new(false));
    watch_termination_signals(&interrupted, Exit::Interrupted as i32)
        .context("failed to listen for Ctrl-C")?;
    Ok(interrupted)
}

/// The style of a report.
///
/// # Errors
/// When there is no such kind of report: that is found here, before anything is researched.
pub(super) fn report_style(settings: &Settings, arguments: &TopicArgs) -> Result<Style> {
    let style = arguments.style_args.style(&settings.report.style);
    if style.kind != Style::default().kind {
        let prompts = run::prompts(settings).map_err(exit::usage)?;
        prompts
            .require_report_kind(&style.kind)
            .map_err(exit::usage)?;
    }
    Ok(style)
}

//! Options that `run` and `batch` share, resolved against the settings: the model backend, the web
//! search and its client, and the signals that interrupt.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, anyhow};
use chrono::{SecondsFormat, TimeDelta};

use super::age::span;
use super::args::{AgeArgs, ModelArgs, StyleArgs};
use super::exit::{self, Exit};
use super::{Output, Program, terminal};
use crate::config::{self, ModelSettings};
use crate::model::Models;
use crate::pipeline::Interrupted;
use crate::platform::watch_termination_signals;
use crate::run::{BackendConfig, fetching};
use crate::web::WebClient;

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
            named_by: "--model".to_owned(),
            ..settings.models
        };
    }
    let budget = &mut settings.budget;
    budget.max_cost_usd = flags.max_cost.unwrap_or(budget.max_cost_usd);
    budget.max_tokens = flags.max_tokens.unwrap_or(budget.max_tokens);
    budget.timeout_seconds = flags.timeout.unwrap_or(budget.timeout_seconds);
    budget.has_timeout_flag = flags.timeout.is_some();
    let search_timeout = &mut settings.run.web_search_timeout_seconds;
    *search_timeout = flags.timeout.unwrap_or(*search_timeout);
    config::check_cost(budget.max_cost_usd)
        .context("--max-cost")
        .map_err(exit::usage)?;
    Ok(Program {
        settings,
        origins: program.origins.clone(),
        quotas: program.quotas.clone(),
        ..*program
    })
}

/// The program with the setting that the option of ages overrides.
///
/// # Errors
/// A usage error if it is no span of time.
pub(super) fn with_age_args<'a>(program: &Program<'a>, flags: &AgeArgs) -> Result<Program<'a>> {
    let mut settings = program.settings.clone();
    if let Some(text) = &flags.max_age {
        let seconds = span(text).context("--max-age").map_err(exit::usage)?;
        // 0 would mean none.
        let seconds = u64::try_from(seconds.num_seconds()).unwrap_or(0).max(1);
        settings.network.max_age_seconds = seconds;
    }
    Ok(Program {
        settings,
        origins: program.origins.clone(),
        quotas: program.quotas.clone(),
        ..*program
    })
}

/// The time before which what was read on the web is stale; `None` if it never is.
pub(super) fn fetched_since(program: &Program<'_>) -> Option<String> {
    let seconds = i64::try_from(program.settings.network.max_age_seconds).ok()?;
    let age = TimeDelta::try_seconds(seconds).filter(|age| !age.is_zero())?;
    let since = program.clock.now().checked_sub_signed(age)?;
    Some(since.to_rfc3339_opts(SecondsFormat::Secs, true))
}

/// The web client for sessions with these search services; `None` without any, or offline.
pub(super) fn web_client(
    program: &Program<'_>,
    search: &[String],
    is_offline: bool,
    interrupted: &Arc<AtomicBool>,
) -> Result<Option<Arc<WebClient>>> {
    if search.is_empty() || is_offline {
        return Ok(None);
    }
    let client = fetching::web_client(&program.settings, program.clock, &program.quotas);
    let client = client.map_err(exit::usage)?;
    Ok(Some(Arc::new(client.stopped_by(interrupted))))
}

/// The backend of the agents, from the settings; its models are printed as a remark.
pub(super) fn backend(program: &Program<'_>) -> Result<BackendConfig> {
    let backend = backend_in_reserve(program)?;
    remark_backend(program.output, &backend);
    Ok(backend)
}

/// The backend of the agents, from the settings, of which nothing is said yet: it may be that
/// there is nothing to answer.
pub(super) fn backend_in_reserve(program: &Program<'_>) -> Result<BackendConfig> {
    let backend = BackendConfig::from_settings(&program.settings).map_err(exit::usage)?;
    check_prices(program, &backend).map_err(exit::usage)?;
    Ok(backend)
}

/// The way out where a model cannot be asked.
const WITHOUT_MODEL: &str = "--offline goes without a model";

/// The backend of a session that has no journal yet, which could answer for a model without a key.
///
/// # Errors
/// A usage error also if the key of a model is not set, or nobody listens at its address.
pub(super) fn backend_with_keys(program: &Program<'_>) -> Result<BackendConfig> {
    let backend = BackendConfig::from_settings(&program.settings).map_err(exit::usage)?;
    if let Some(missing) = backend.models().and_then(Models::missing_key) {
        let missing = anyhow!("{missing}; {WITHOUT_MODEL}");
        return Err(exit::usage(missing));
    }
    if let Some(dead) = backend.models().and_then(Models::dead) {
        return Err(exit::usage(anyhow!("{dead}; {WITHOUT_MODEL}")));
    }
    check_prices(program, &backend).map_err(exit::usage)?;
    remark_backend(program.output, &backend);
    Ok(backend)
}

/// Refuses a limit of money for models whose calls cost nobody knows how much.
fn check_prices(program: &Program<'_>, backend: &BackendConfig) -> Result<()> {
    let usd = program.settings.budget.max_cost_usd;
    check_limit(backend, "--max-cost, budget.max_cost_usd", usd)
}

/// Refuses the limit of money of this name, if a price is not known.
pub(super) fn check_limit(backend: &BackendConfig, name: &str, usd: f64) -> Result<()> {
    let unkept = backend.unkept_limit(usd).map(|reason| {
        anyhow!(
            "{reason} ({name}): leave it out, limit the tokens with --max-tokens, or name the \
             price in config/prices.toml"
        )
    });
    unkept.map_or(Ok(()), Err)
}

/// Says which options have no effect without a model.
pub(super) fn remark_unused(output: &Output, style: &StyleArgs) {
    let unused = style.of_prose();
    if !unused.is_empty() {
        let names = unused.join(", ");
        let instead = if unused.contains(&"--report") {
            "; research export --kind prints it as a summary or a paper"
        } else {
            ""
        };
        output.remark(&format!(
            "no effect without a model, since the report quotes its sources: {names}{instead}"
        ));
    }
}

/// Prints the models of the backend, if any.
pub(super) fn remark_backend(output: &Output, backend: &BackendConfig) {
    if let Some(description) = backend.describe() {
        output.remark(&description);
    }
}

/// The acknowledgement of the first Ctrl-C.
const STOPPING: &str = "stopping: pages on their way are dropped, calls and searches under way are \
    finished; a second Ctrl-C or signal stops it now";

/// A flag that the first Ctrl-C sets, which is acknowledged at once; the second Ctrl-C ends the
/// program. `resume` is the command that goes on.
pub(super) fn interruption(output: Output, resume: String) -> Result<Arc<AtomicBool>> {
    // The exit code of shells, 130: 128 plus the number of SIGINT, 2.
    let interrupted = Arc::new(AtomicBool::new(false));
    let on_signal = move |is_first| {
        if is_first {
            output.remark(STOPPING);
            return;
        }
        terminal::clear_bars();
        output.error(&Interrupted.into(), Some(resume.clone()));
    };
    watch_termination_signals(&interrupted, Exit::Interrupted as i32, on_signal)
        .context("failed to listen for Ctrl-C")?;
    Ok(interrupted)
}

//! `research doctor`: checks settings, storage, locks, models, search services and helpers.

use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::path::Path;
use std::pin::pin;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use anyhow::{Context as _, Result, anyhow, bail};
use futures::executor::block_on;
use futures::future::{Either, select};
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::exit;
use super::help::Group;
use super::terminal::{colored, width};
use super::words::{count, money};
use super::{Action, Command, Exit, Output, Program};
use crate::config::{self, Settings};
use crate::extension::Extensions;
use crate::model::{Model, Models, Reply, Usage};
use crate::pipeline::{Disk, Lock};
use crate::read::Kinds;
use crate::run::{self, BackendConfig};
#[cfg(feature = "s3")]
use crate::store::SessionStore;
use crate::text::without_controls;
use crate::web::ProviderTable;

/// The name of a file of settings.
const SETTINGS: &str = "research.toml";

/// `research doctor`.
pub(super) const COMMAND: Command = Command {
    name: "doctor",
    about: "Check settings, storage, models and search services; calls each model once",
    group: Group::Setup,
    examples: &[("Check settings, models and services", "research doctor")],
    results: &[("doctor", || schema_for!(Vec<Check>))],
    define: Command::no_arguments,
    action: Action::Diagnosis(doctor),
};

/// The column in which the details of a check begin: after its mark and its name.
const DETAILS_COLUMN: usize = 16;

/// The result of a check.
#[derive(Serialize, JsonSchema)]
struct Check {
    name: &'static str,
    good: bool,
    #[serde(rename = "found")]
    details: String,
}

/// Runs all checks; fails if any of them does, since a run would fail too.
fn doctor(program: Result<Program<'_>>, output: &Output) -> Result<Exit> {
    let mut checks = vec![check("version", Ok(env!("CARGO_PKG_VERSION").to_owned()))];
    let mut exit = Exit::Complete;
    match program {
        Ok(program) => {
            checks.extend([
                check("settings", Ok(settings())),
                check("output", output_directory(program.output_dir())),
                check("model", models(&program)),
                #[cfg(feature = "s3")]
                check("store", store(&program)),
                #[cfg(feature = "browser")]
                check("browser", browser(&program.settings)),
            ]);
            checks.extend(prompts(&program.settings));
        }
        // What depends on them cannot be checked; the rest can.
        Err(error) => {
            exit = exit::of_error(&error);
            output.complaint(&format!("{error:#}"));
            // On a terminal both are in one place.
            let details = if output.json {
                error
            } else {
                anyhow!("invalid, as the message on standard error says")
            };
            checks.push(check("settings", Err(details)));
        }
    }
    checks.extend([
        check("lock", lock()),
        check("search", services()),
        check("documents", Ok(Kinds::built_in().labels())),
        check("readers", readers()),
    ]);
    checks.extend(extensions());
    if exit == Exit::Complete && checks.iter().any(|check| !check.good) {
        exit = Exit::Failed;
    }
    if output.json {
        output.value(&checks)?;
    } else {
        output.styled(
            &checks
                .iter()
                .map(|check| line(check, width()))
                .collect::<String>(),
        )?;
    }
    Ok(exit)
}

/// A check as a line, which is wrapped at a width, if there is one.
fn line(check: &Check, width: Option<usize>) -> String {
    let (color, mark) = if check.good {
        (AnsiColor::Green, "ok  ")
    } else {
        (AnsiColor::Red, "FAIL")
    };
    let mark = colored(mark, color);
    let details = without_controls(&check.details);
    let name = check.name;
    let indent = " ".repeat(DETAILS_COLUMN);
    let options = textwrap::Options::new(width.unwrap_or(usize::MAX))
        .initial_indent(&indent)
        .subsequent_indent(&indent);
    let details = textwrap::fill(&details, options);
    format!("{mark}  {name:<9} {}\n", details.trim_start())
}

fn check(name: &'static str, result: Result<String>) -> Check {
    match result {
        Ok(details) => Check {
            name,
            good: true,
            details,
        },
        Err(error) => Check {
            name,
            good: false,
            details: format!("{error:#}"),
        },
    }
}

/// Checks that the object store refuses to create an object twice.
#[cfg(feature = "s3")]
fn store(program: &Program<'_>) -> Result<String> {
    let url = &program.settings.store.url;
    if url.is_empty() {
        return Ok("none named: sessions are in the output directory alone".to_owned());
    }
    SessionStore::open(url)?.check()?;
    Ok(format!(
        "{url} creates an object once, and refuses to a second time"
    ))
}

/// Checks the models by a call to each.
fn models(program: &Program<'_>) -> Result<String> {
    let answers = BackendConfig::from_settings(&program.settings)?;
    let Some(models) = answers.models() else {
        return Ok("none found: the agents follow their rules, offline".to_owned());
    };
    let mut details = models.describe();
    // A model that serves several tiers is called, and paid for, once.
    for (name, (model, tiers)) in models.distinct() {
        let tiers = tiers
            .iter()
            .map(|tier| format!("{tier:?}").to_lowercase())
            .collect::<Vec<_>>()
            .join(", ");
        let start = Instant::now();
        let reply = pinged(models, model, &program.settings)
            .with_context(|| format!("{details}; {name} does not respond"))?;
        let Usage { input, output, .. } = reply.usage;
        let cost = model.price.is_known.then(|| model.price.cost(&reply.usage));
        let _ = write!(
            details,
            "; {name} ({tiers}) responded in {:.1} s: {}, {}, {}",
            start.elapsed().as_secs_f64(),
            count(input, "input token"),
            count(output, "output token"),
            money(cost)
        );
    }
    Ok(details)
}

/// The most seconds for which a reply to a few words is waited for: a server that sends a letter
/// now and then would be waited for as long as a whole run.
/// Long enough for a local server to load a model of some gigabytes. Chosen by hand.
const PING_SECONDS: u64 = 40;

/// The reply of a model, if it comes within the time limits of a ping, of a run, 0 for none, and
/// of silence.
fn pinged(models: &Models, model: &Model, settings: &Settings) -> Result<Reply> {
    let reply = pin!(models.ping(model));
    let of_run = NonZeroU64::new(settings.budget.timeout_seconds).map_or(u64::MAX, NonZeroU64::get);
    let of_silence = settings.models.reply_timeout_seconds;
    let seconds = PING_SECONDS.min(of_run).min(of_silence);
    let limit = pin!(models.sleep(Duration::from_secs(seconds)));
    match block_on(select(reply, limit)) {
        Either::Left((reply, _)) => Ok(reply?),
        Either::Right(_) => bail!("no whole reply within {}", count(seconds, "second")),
    }
}

/// The search services, and the missing settings of those that are not configured. No service is
/// called.
fn services() -> Result<String> {
    let services = ProviderTable::load()?;
    Ok(format!(
        "local documents with --docs; the web with --search: {}",
        services.describe()
    ))
}

/// The user's tools and sub-agents, and a check for each that cannot be used. Programs must be
/// there; MCP servers are started and must have the tool; no tool is run.
fn extensions() -> Vec<Check> {
    let (Extensions { tools, agents }, mut problems) = match Extensions::load_usable() {
        Err(error) => return vec![check("tools", Err(error))],
        Ok(loaded) => loaded,
    };
    let mut details = Vec::new();
    for tool in &tools {
        match block_on(tool.check()) {
            Ok(description) => details.push(description),
            Err(problem) => problems.push(problem),
        }
    }
    for agent in &agents {
        details.push(format!(
            "agent {} uses {}",
            agent.name,
            agent.tools.join(", ")
        ));
    }
    if details.is_empty() {
        details.push("none in your configuration (tools/NAME.toml, agents/NAME.toml)".to_owned());
    } else {
        details.push("for models, the rules use none".to_owned());
    }
    for folder in Extensions::untrusted_folders() {
        details.push(format!(
            "{} is not used, since the working directory may be somebody else's: set \
             RESEARCH_CONFIG if you trust it",
            folder.display()
        ));
    }
    let usable = check("tools", Ok(details.join("; ")));
    let broken = problems
        .into_iter()
        .map(|problem| check("tools", Err(problem)));
    std::iter::once(usable).chain(broken).collect()
}

/// The user's own prompts and kinds of report, and a check for each that cannot be used.
fn prompts(settings: &config::Settings) -> Vec<Check> {
    let (prompts, problems) = match run::usable_prompts(settings) {
        Err(error) => return vec![check("prompts", Err(error))],
        Ok(loaded) => loaded,
    };
    let own = prompts.names().filter(|(_, is_own)| *is_own);
    let own: Vec<&str> = own.map(|(name, _)| name).collect();
    let details = match &own[..] {
        [] => "the built-in ones".to_owned(),
        own => format!("the built-in ones, and your {}", own.join(", ")),
    };
    let broken = problems
        .into_iter()
        .map(|problem| check("prompts", Err(problem)));
    std::iter::once(check("prompts", Ok(details)))
        .chain(broken)
        .collect()
}

fn settings() -> String {
    let files: Vec<String> = config::existing_files()
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let mut details = "built-in defaults".to_owned();
    for file in files {
        let _ = write!(details, ", then {file}");
    }
    // Where people put it first; it is read from `config/` alone.
    if Path::new(SETTINGS).is_file() {
        let _ = write!(
            details,
            "; {SETTINGS} is not read here: move it to config/{SETTINGS} or name it in \
             RESEARCH_CONFIG"
        );
    }
    details
}

/// Writes a file to the output directory in the way of a session, and removes it.
fn output_directory(directory: &Path) -> Result<String> {
    let existed = directory.exists();
    Disk::default().create_directory(directory)?;
    let probe = directory.join(".doctor");
    Disk::default().write(&probe, b"probe\n")?;
    std::fs::remove_file(&probe)?;
    if !existed {
        // A check leaves nothing behind; the first run creates the directory.
        std::fs::remove_dir(directory)?;
    }
    Ok(format!(
        "files in {} can be written and flushed to disk",
        directory.display()
    ))
}

/// Checks that locks work: on some network file systems, they have no effect.
fn lock() -> Result<String> {
    // A new directory under a name that nobody can guess: in a directory for everybody, another
    // user may have made a link of a known name, or put something of value there.
    let directory = tempfile::Builder::new()
        .prefix("research-doctor-")
        .tempdir()
        .context("failed to make a directory for a lock")?;
    let path = directory.path();
    let is_locked = Lock::acquire(path, false, "").map(|_lock| Lock::is_locked(path));
    directory.close()?;
    anyhow::ensure!(
        is_locked?,
        "locks have no effect in {}",
        std::env::temp_dir().display()
    );
    Ok("a second run of a session is locked out".to_owned())
}

/// The child processes that read documents of foreign formats, of which one is started, and what
/// the kernel enforces on them; what it lacks is no failure.
fn readers() -> Result<String> {
    let children = run::children()?;
    let confinement = children.confinement().context("none can be started")?;
    let enforced = match (confinement.landlock, confinement.seccomp) {
        (true, true) => ", without files or network (Landlock, seccomp)",
        (false, true) => ", without files or network (seccomp; this kernel has no Landlock)",
        (true, false) => ", without files or network (Landlock; this kernel has no seccomp)",
        (false, false) => {
            "; this kernel has neither Landlock nor seccomp to take files and network from them"
        }
    };
    Ok(format!(
        "documents are read in child processes with limits of memory and time{enforced}"
    ))
}

/// The browser for pages rendered by scripts, which is started once; having none is no failure.
#[cfg(feature = "browser")]
fn browser(settings: &config::Settings) -> Result<String> {
    let Some(browser) = crate::web::Browser::find(&settings.network.browser) else {
        return Ok("none found: pages rendered by scripts stay empty; install Chromium".to_owned());
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(browser.try_out())?;
    let (program, sandbox) = (
        browser.program().display(),
        if browser.is_sandboxed() {
            ""
        } else {
            ", without its own sandbox because you are root; run as another user"
        },
    );
    Ok(format!(
        "{program} renders pages written by scripts{sandbox}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_wrapped_at_the_width_of_the_terminal() {
        let check = check("search", Ok("one of many services; ".repeat(20)));
        let shown = anstream::adapter::strip_str(&line(&check, Some(60))).to_string();
        assert!(shown.starts_with("ok    search    one of many"), "{shown}");
        assert!(shown.lines().all(|line| line.len() <= 60), "{shown}");
        let others = shown.lines().skip(1);
        assert!(others.clone().count() > 5);
        assert!(
            others
                .into_iter()
                .all(|line| line.starts_with(&" ".repeat(16)))
        );
        assert_eq!(line(&check, None).lines().count(), 1);
    }
}

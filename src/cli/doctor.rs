//! `research doctor`: what this program finds and can do here.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use futures::executor::block_on;
use serde::Serialize;

use super::calls::money;
use super::{Action, Command, Exit, Program};
use crate::config;
use crate::model::Usage;
use crate::pipeline::{Disk, Lock};
use crate::read::Kinds;
use crate::run::BackendConfig;
use crate::web::ProviderTable;

/// `research doctor`.
pub(super) const COMMAND: Command = Command {
    name: "doctor",
    about: "Check settings, storage, models and search services; calls each model once",
    define: Command::no_arguments,
    action: Action::WithSettings(|program, _| doctor(program)),
};

/// One thing that was checked.
#[derive(Serialize)]
struct Check {
    name: &'static str,
    good: bool,
    found: String,
}

/// Checks settings, the output directory, locks and who would answer; fails if something would keep
/// a run from working.
fn doctor(program: &Program<'_>) -> Result<Exit> {
    let checks = vec![
        check("version", Ok(env!("CARGO_PKG_VERSION").to_owned())),
        check("settings", Ok(settings())),
        check("output", output(program.output_dir())),
        check("lock", lock()),
        check("model", models(program)),
        check("search", services()),
        check("documents", Ok(Kinds::built_in().labels())),
        check("pdf", pdf()),
        #[cfg(feature = "browser")]
        check("browser", browser(&program.settings)),
    ];
    let good = checks.iter().all(|check| check.good);
    if program.output.json {
        program.output.value(&checks)?;
    } else {
        let line = |check: &Check| {
            let mark = if check.good { "ok  " } else { "FAIL" };
            format!("{mark}  {:<9} {}\n", check.name, check.found)
        };
        program
            .output
            .text(&checks.iter().map(line).collect::<String>())?;
    }
    Ok(if good { Exit::Complete } else { Exit::Failed })
}

fn check(name: &'static str, found: Result<String>) -> Check {
    match found {
        Ok(found) => Check {
            name,
            good: true,
            found,
        },
        Err(error) => Check {
            name,
            good: false,
            found: format!("{error:#}"),
        },
    }
}

/// What was found, and what each model says to a greeting.
fn models(program: &Program<'_>) -> Result<String> {
    let answers = BackendConfig::from_settings(&program.settings)?;
    let Some(models) = answers.models() else {
        return Ok("none found: the agents answer by their rules, offline".to_owned());
    };
    let mut found = models.describe();
    for (name, (model, tiers)) in models.distinct() {
        let tiers = tiers.iter().map(|tier| format!("{tier:?}").to_lowercase());
        let tiers = tiers.collect::<Vec<_>>().join(", ");
        let began = Instant::now();
        let reply = block_on(models.ping(model))
            .with_context(|| format!("{found}; {name} does not answer"))?;
        let Usage { input, output, .. } = reply.usage;
        let cost = model.price.is_known.then(|| model.price.cost(&reply.usage));
        found.push_str(&format!(
            "; {name} ({tiers}) answered in {:.1} s with {input} tokens in, {output} out, {}",
            began.elapsed().as_secs_f64(),
            money(cost)
        ));
    }
    Ok(found)
}

/// Where can be searched, and what the other services lack. None of them is asked.
fn services() -> Result<String> {
    let services = ProviderTable::load()?;
    Ok(format!(
        "local documents, named with --docs; with --search {}",
        services.describe()
    ))
}

fn settings() -> String {
    let files: Vec<String> = config::files()
        .iter()
        .filter(|(path, _)| path.is_file())
        .map(|(path, _)| path.display().to_string())
        .collect();
    if files.is_empty() {
        return "built-in defaults".to_owned();
    }
    format!("built-in defaults, then {}", files.join(", then "))
}

/// Writes a file as a session is written, where sessions are kept, and takes it away.
fn output(directory: &Path) -> Result<String> {
    let existed = directory.exists();
    Disk::default().create_directory(directory)?;
    let probe = directory.join(".doctor");
    Disk::default().write(&probe, b"probe\n")?;
    std::fs::remove_file(&probe)?;
    if !existed {
        // It is made again by the first run; a doctor leaves nothing behind.
        std::fs::remove_dir(directory)?;
    }
    Ok(format!(
        "{} can be written and flushed",
        directory.display()
    ))
}

/// Whether locks hold here: some network file systems only pretend.
fn lock() -> Result<String> {
    let directory = std::env::temp_dir().join(format!("research-doctor-{}", std::process::id()));
    Disk::default().create_directory(&directory)?;
    let held = Lock::acquire(&directory, false, "").map(|_lock| Lock::is_locked(&directory));
    std::fs::remove_dir_all(&directory)?;
    anyhow::ensure!(
        held?,
        "locks do not hold in {}",
        std::env::temp_dir().display()
    );
    Ok("held against a second run".to_owned())
}

fn pdf() -> Result<String> {
    let program = std::env::current_exe()?;
    Ok(format!(
        "read by {} as a child with limits",
        program.display()
    ))
}

/// The browser for pages that are written by scripts, tried; that there is none is no fault.
#[cfg(feature = "browser")]
fn browser(settings: &config::Settings) -> Result<String> {
    let Some(browser) = crate::web::Browser::find(&settings.network.browser) else {
        return Ok(
            "none found: pages that are written by scripts stay empty; install chromium".to_owned(),
        );
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(browser.try_out())?;
    let (program, sandbox) = (
        browser.program().display(),
        match browser.is_sandboxed() {
            true => "",
            false => ", without its own sandbox, since you are root; run it as another user",
        },
    );
    Ok(format!(
        "{program} shows pages that are written by scripts{sandbox}"
    ))
}

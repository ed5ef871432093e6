//! Candidates for shell completions: the sessions, search services, models and prompts of today.

use std::ffi::OsStr;

use clap::{Arg, ValueHint};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate};

use crate::config::Settings;
use crate::model;
use crate::run;
use crate::session;
use crate::stage::{PUBLICATION, STAGES};
use crate::text::without_controls;
use crate::web::PROVIDERS;

/// The number of sessions that are offered, the latest first (chosen by hand: more is no choice).
const MAX_SESSIONS: usize = 50;

/// An argument with candidates, by the name of its value.
pub(super) fn with_candidates(arg: Arg) -> Arg {
    let name = arg.get_value_names().and_then(<[_]>::first);
    match name.map(|name| name.as_str()) {
        Some("SESSION") => arg.add(ArgValueCompleter::new(sessions)),
        Some("SESSION_FILE") => arg.add(ArgValueCandidates::new(files)),
        Some("PROVIDER:MODEL") => arg.add(ArgValueCandidates::new(models)),
        Some("SERVICES") => arg.add(ArgValueCompleter::new(services)),
        Some("PROMPT") => arg.add(ArgValueCandidates::new(prompts)),
        Some("DIR") => arg.value_hint(ValueHint::DirPath),
        _ => arg,
    }
}

/// The sessions whose names begin with what is typed, with their topics.
fn sessions(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_str().unwrap_or_default();
    let settings = Settings::load();
    let directory = settings.map_or_else(|_| "research-output".into(), |own| own.run.output_dir);
    let ids = session::ids(&directory).unwrap_or_default();
    let ids = ids.iter().rev().filter(|id| id.starts_with(typed));
    let ids = ids.take(MAX_SESSIONS);
    let mut candidates: Vec<_> = ids
        .map(|id| {
            let topic = session::read(&directory.join(id)).ok();
            let topic = topic.map(|session| without_controls(&session.topic).into_owned());
            CompletionCandidate::new(id).help(topic.map(Into::into))
        })
        .collect();
    if "last".starts_with(typed) {
        candidates.push(CompletionCandidate::new("last"));
    }
    candidates
}

/// The report of a session and the files from which it was made.
fn files() -> Vec<CompletionCandidate> {
    let gates = STAGES.iter().map(|stage| stage.gate);
    let files = [PUBLICATION, session::FILE].into_iter().chain(gates);
    files.map(CompletionCandidate::new).collect()
}

/// The models that the providers are used with, and `rules` for none.
fn models() -> Vec<CompletionCandidate> {
    let mut names = vec!["rules".to_owned()];
    if let Ok(catalogue) = model::Catalogue::load() {
        for (provider, entry) in catalogue.providers() {
            for model in [&entry.simple, &entry.analytical, &entry.complex] {
                names.push(format!("{provider}:{model}"));
            }
        }
    }
    names.dedup();
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// The search services, after those that are typed already, with commas between.
fn services(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else {
        return Vec::new();
    };
    let before = typed.rfind(',').map_or("", |comma| &typed[..=comma]);
    let names = PROVIDERS.iter().map(|provider| provider.name);
    names
        .chain(["auto", "none"])
        .map(|name| format!("{before}{name}"))
        .filter(|name| name.starts_with(typed))
        .map(CompletionCandidate::new)
        .collect()
}

fn prompts() -> Vec<CompletionCandidate> {
    let settings = Settings::load().ok();
    let prompts = settings.and_then(|settings| run::prompts(&settings).ok());
    let names = prompts.iter().flat_map(|prompts| prompts.names());
    names
        .map(|(name, _)| CompletionCandidate::new(name))
        .collect()
}

//! `research update`: makes published reports again where what they were made from has changed, and
//! says claim by claim what is new, changed or gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::Result;
use clap::Args;
use futures::executor::block_on;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::args::{AgeArgs, ModelArgs, jobs};
use super::batch::default_jobs;
use super::command::SESSION_HELP;
use super::export::remark_edited;
use super::help::Group;
use super::resolve::{
    backend, fetched_since, interruption, web_client, with_age_args, with_model_args,
};
use super::run::run_engine;
use super::words::{count, truncated};
use super::{Action, Command, Exit, Program, arguments, exit, trust};
use crate::artifact::{Report, Session};
use crate::export::update::Update;
use crate::inspect;
use crate::pipeline::{
    Engine, ExternalChange, ExternalDigests, Next, Pipeline, Plan, Reason, Request,
};
use crate::run::{self, BackendConfig, Overrides, Shared};
use crate::session;
use crate::web::WebClient;

/// `research update`.
pub(super) const COMMAND: Command = Command {
    name: "update",
    about: "Make reports again whose sources have changed, and say what is new, changed or gone",
    group: Group::Research,
    examples: &[
        (
            "Print what is new in all reports, as Markdown",
            "research update --all --quiet",
        ),
        (
            "Say which reports would be made again, and why",
            "research update --all --dry-run",
        ),
    ],
    results: &[("update", || schema_for!(Vec<Entry>))],
    define: |command, _| UpdateArgs::augment_args(command).after_help(HELP),
    action: Action::WithSettings(|program, matches| update(program, &arguments(matches)?)),
};

const HELP: &str = "Nothing is printed to standard output while no report changes, so that cron \
    sends no mail. --all leaves out sessions without a published report. A file that `run -o` \
    wrote stays as it was: `run --resume SESSION -o FILE` writes it again.

Exit codes: 0 if every report says what it said before, also of documents that were renamed; 8 if \
    one has changed, or with --dry-run would be made again; otherwise that of the last failure, as \
    for `research run`.";

/// The longest topic of a heading, in characters.
const TOPIC_CHARACTERS: usize = 100;

#[derive(Debug, Args)]
struct UpdateArgs {
    #[arg(value_name = "SESSION", required_unless_present = "all", help = SESSION_HELP)]
    sessions: Vec<String>,

    /// All sessions with a published report
    #[arg(long, conflicts_with = "sessions")]
    all: bool,

    #[command(flatten)]
    model_args: ModelArgs,

    #[command(flatten)]
    age_args: AgeArgs,

    /// Show which reports would be made again, and why
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Read the documents of sessions outside of their surroundings, which they name by themselves
    #[arg(long)]
    trust_documents: bool,

    /// Wait for a session that is in use
    #[arg(long)]
    wait: bool,

    /// Number of sessions at a time; by default as many as topics of a batch
    #[arg(short, long, value_name = "N", value_parser = |text: &str| jobs(text, 1000))]
    jobs: Option<u16>,
}

/// What became of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    /// The report says what it said before.
    Unchanged,
    /// It says something else, or cites other sources.
    Changed,
    /// It would be made again.
    Outdated,
    /// It could not be made again; the last report is kept where nothing replaces it.
    Failed,
}

/// A session in the result.
#[derive(Serialize, JsonSchema)]
struct Entry {
    session: String,
    path: String,
    topic: String,
    outcome: Outcome,
    /// The first reason for which the report was made again, or the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    update: Option<Update>,
    /// `true` if documents have other names now, and nothing else has changed.
    #[serde(skip)]
    is_renamed_only: bool,
}

/// The environment that all sessions share.
struct Updater<'a> {
    program: &'a Program<'a>,
    arguments: &'a UpdateArgs,
    backend: BackendConfig,
    interrupted: Arc<AtomicBool>,
    external: ExternalDigests,
    shared: Shared,
    /// Made for the first session that searches the web.
    web: Mutex<Option<Arc<WebClient>>>,
    /// The number of sessions at a time: of several, none can show its progress by itself.
    jobs: usize,
}

fn update(program: &Program<'_>, arguments: &UpdateArgs) -> Result<Exit> {
    let paths = sessions(program, arguments)?;
    let program = &with_model_args(program, &arguments.model_args)?;
    let program = &with_age_args(program, &arguments.age_args)?;
    let jobs = arguments.jobs.map_or_else(default_jobs, usize::from);
    let updater = Updater {
        program,
        arguments,
        backend: backend(program)?,
        interrupted: interruption(*program.output, "run the same command again".to_owned())?,
        external: ExternalDigests::default(),
        shared: Shared::default(),
        web: Mutex::default(),
        jobs: jobs.min(paths.len()).max(1),
    };
    let (mut entries, mut code) = (Vec::new(), Exit::Complete);
    for (path, result) in paths.iter().zip(updater.update_all(&paths)) {
        let entry = match result {
            Some(Ok(entry)) => entry,
            // The others are no worse for it.
            Some(Err(error)) => {
                code = exit::of_error(&error);
                let problem = format!("{error:#}");
                let name = path.display().to_string();
                // Most errors name the session themselves.
                let complaint = if problem.contains(&name) {
                    problem.clone()
                } else {
                    format!("{name}: {problem}")
                };
                program.output.complaint(&complaint);
                failed(path, problem)
            }
            None => return Ok(Exit::Interrupted),
        };
        if code == Exit::Interrupted {
            return Ok(code);
        }
        entries.push(entry);
    }
    let is_news = |entry: &Entry| {
        let is_outdated = entry.outcome == Outcome::Outdated && !entry.is_renamed_only;
        entry.outcome == Outcome::Changed || is_outdated
    };
    if code == Exit::Complete && entries.iter().any(is_news) {
        code = Exit::Changed;
    }
    if program.output.json {
        program.output.value(&entries)?;
    } else {
        program.output.text(&markdown(&entries))?;
        program.output.remark(&summary(&entries));
    }
    Ok(code)
}

/// The directories of the sessions to be updated.
fn sessions(program: &Program<'_>, arguments: &UpdateArgs) -> Result<Vec<PathBuf>> {
    if !arguments.all {
        let named = arguments.sessions.iter();
        return named.map(|reference| program.find(reference)).collect();
    }
    program.published()
}

impl Updater<'_> {
    /// Updates sessions, several at a time. The results are in their order; there is none for a
    /// session that was not begun before an interruption.
    fn update_all(&self, paths: &[PathBuf]) -> Vec<Option<Result<Entry>>> {
        let (next, results) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(path) = paths.get(number) else {
                    return;
                };
                if self.interrupted.load(Ordering::SeqCst) {
                    return;
                }
                let result = self.update(path);
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                results.insert(number, result);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.jobs {
                scope.spawn(work);
            }
            work();
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let numbers = 0..paths.len();
        numbers.map(|number| results.remove(&number)).collect()
    }

    /// Runs what is left to do in the session at `path`.
    fn update(&self, path: &Path) -> Result<Entry> {
        let session = session::read(path)?;
        let pipeline = self.pipeline(path, &session)?;
        let request = Request {
            fetched_since: fetched_since(self.program),
            ..Request::default()
        };
        let engine = Engine {
            clock: self.program.clock,
            interrupted: self.interrupted.clone(),
            external: self.external.clone(),
            wait: self.arguments.wait,
            ..Engine::default()
        };
        let plan = engine.plan(path, &pipeline, &request)?;
        let entry = Entry {
            session: session.id.clone(),
            path: path.display().to_string(),
            topic: session.topic.clone(),
            outcome: Outcome::Unchanged,
            reason: None,
            update: None,
            is_renamed_only: is_renamed_only(&plan),
        };
        if plan.next == Next::Nothing && plan.complete {
            return Ok(entry);
        }
        let before = inspect::last_published(path);
        let cited = before.as_ref().map(locators).unwrap_or_default();
        if self.arguments.dry_run {
            return Ok(Entry {
                outcome: Outcome::Outdated,
                reason: reason(&plan, &cited),
                ..entry
            });
        }
        let unnamed = [path.to_owned()];
        trust::require_confirmed(self.program, &unnamed, self.arguments.trust_documents)?;
        remark_edited(self.program, path);
        if self.jobs == 1 {
            run_engine(self.program, path, &pipeline, &request, (engine, false))?;
        } else {
            block_on(run::execute(&engine, path, &pipeline, &request))?;
        }
        let changed = changed_documents(&plan);
        let is_as_before = |locator: &str| !locator.contains("://") && !changed.contains(locator);
        let before = before.map(|report| renamed(report, &plan));
        let update = inspect::last_published(path)
            .map(|after| Update::between(before.as_ref(), &after, is_as_before))
            .filter(|update| !update.is_empty());
        let renamed = reason(&plan, &cited).filter(|_| entry.is_renamed_only);
        self.remark(path, update.as_ref(), renamed);
        let news = update.as_ref().map(Update::locators).unwrap_or(cited);
        Ok(Entry {
            outcome: update
                .as_ref()
                .map_or(Outcome::Unchanged, |_| Outcome::Changed),
            reason: reason(&plan, &news),
            update,
            ..entry
        })
    }

    /// Remarks on an updated session: one of many that has changed, or one that says the same of
    /// documents that were renamed.
    fn remark(&self, path: &Path, update: Option<&Update>, renamed: Option<String>) {
        let (shown, is_one_of_many) = (path.display(), self.jobs > 1);
        let remark = match (update, renamed) {
            (Some(_), _) => is_one_of_many.then(|| format!("changed: {shown}")),
            (None, Some(renamed)) => Some(format!("{shown}: {renamed}; the report says the same")),
            // Of many reports, most say what they said before.
            (None, None) => {
                (is_one_of_many && self.program.verbose).then(|| format!("as before: {shown}"))
            }
        };
        if let Some(remark) = remark {
            self.program.output.remark(&remark);
        }
    }

    fn pipeline(&self, path: &Path, session: &Session) -> Result<Pipeline> {
        let web = self.web(session)?.filter(|_| !session.search.is_empty());
        let shared = Shared {
            web,
            ..self.shared.clone()
        };
        let (settings, overrides) = (&self.program.settings, Overrides::default());
        run::pipeline(path, session, settings, overrides, &self.backend, shared)
    }

    /// The client that all sessions share, made for the first that searches the web.
    fn web(&self, session: &Session) -> Result<Option<Arc<WebClient>>> {
        let mut web = self.web.lock().unwrap_or_else(PoisonError::into_inner);
        if web.is_none() {
            let is_offline = self.arguments.model_args.offline;
            *web = web_client(self.program, &session.search, is_offline, &self.interrupted)?;
        }
        Ok(web.clone())
    }
}

/// The documents that have changed, appeared or vanished, or were renamed.
fn external_changes(plan: &Plan) -> impl Iterator<Item = &ExternalChange> {
    let changes = plan.stages.iter().filter_map(|line| match &line.reason {
        Reason::ExternalChanges(changes) => Some(changes),
        _ => None,
    });
    changes.flatten()
}

/// The names of the documents that have changed, appeared or vanished.
fn changed_documents(plan: &Plan) -> BTreeSet<String> {
    let changes = external_changes(plan).filter(|change| !change.is_rename());
    changes.map(|change| change.name.clone()).collect()
}

/// `true` if nothing has changed but the names of documents.
fn is_renamed_only(plan: &Plan) -> bool {
    let mut changes = external_changes(plan).peekable();
    changes.peek().is_some() && changes.all(ExternalChange::is_rename)
}

/// A report whose sources have the names that their documents have now.
fn renamed(mut report: Report, plan: &Plan) -> Report {
    let gone = external_changes(plan).filter(|change| change.current.is_none());
    let names = gone.filter_map(|change| Some((change.name.as_str(), change.renamed.as_deref()?)));
    let names: BTreeMap<&str, &str> = names.collect();
    for reference in &mut report.references {
        if let Some(now) = names.get(reference.locator.as_str()) {
            (*now).clone_into(&mut reference.locator);
        }
    }
    report
}

/// The first reason for which a report is made again: of several files that have changed, one of
/// these locators, if there is one.
fn reason(plan: &Plan, locators: &BTreeSet<String>) -> Option<String> {
    let mut stages = plan.stages.iter();
    let open = stages.find(|line| line.reason != Reason::Fresh)?;
    let reason = match open.reason.clone() {
        Reason::ExternalChanges(mut changes) => {
            changes.sort_by_key(|change| !locators.contains(&change.name));
            Reason::ExternalChanges(changes)
        }
        reason => reason,
    };
    Some(reason.to_string())
}

/// The locators of the sources that a report cites.
fn locators(report: &Report) -> BTreeSet<String> {
    let references = report.references.iter();
    references
        .map(|reference| reference.locator.clone())
        .collect()
}

fn failed(path: &Path, problem: String) -> Entry {
    let session = session::read(path).ok();
    Entry {
        session: path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        path: path.display().to_string(),
        topic: session.map(|session| session.topic).unwrap_or_default(),
        outcome: Outcome::Failed,
        reason: Some(problem),
        update: None,
        is_renamed_only: false,
    }
}

/// A section for each report that has changed, or would be made again.
fn markdown(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        let topic = truncated(&entry.topic, TOPIC_CHARACTERS);
        let reason = entry.reason.as_deref().unwrap_or_default();
        match &entry.update {
            Some(update) => {
                let _ = writeln!(text, "## {topic}\n\n{}: {reason}.\n", entry.path);
                let _ = writeln!(text, "{}", update.markdown());
            }
            None if entry.outcome == Outcome::Outdated => {
                let _ = writeln!(text, "- {}: {reason}", entry.path);
            }
            None => {}
        }
    }
    text
}

fn summary(entries: &[Entry]) -> String {
    let number = |outcome| {
        entries
            .iter()
            .filter(|entry| entry.outcome == outcome)
            .count()
    };
    let parts = [
        (Outcome::Changed, "changed"),
        (Outcome::Outdated, "to be made again"),
        (Outcome::Unchanged, "as before"),
        (Outcome::Failed, "failed"),
    ];
    let parts = parts.map(|(outcome, words)| (number(outcome), words));
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, words)| format!("{number} {words}"))
        .collect();
    format!("{}: {}", count(entries.len(), "report"), parts.join(", "))
}

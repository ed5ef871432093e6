//! `research update`: makes published reports again where what they were made from has changed, and
//! says claim by claim what is new, changed or gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
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
    backend_in_reserve, fetched_since, interruption, remark_backend, web_client, with_age_args,
    with_model_args,
};
use super::run::{remark_waiting, run_engine};
use super::words::{count, truncated};
use super::{Action, Command, Exit, Program, arguments, exit, trust};
use crate::artifact::{Report, Session};
use crate::config::Origin;
use crate::export::update::Update;
use crate::inspect::{self, PresentTexts};
use crate::pipeline::{
    Engine, ExternalChange, ExternalDigests, Interrupted, Lock, Manifest, Next, Pipeline, Plan,
    Reason, Request, SUPERSEDED, holder,
};
use crate::read::Reader;
use crate::run::{self, BackendConfig, Baseline, Overrides, Shared};
use crate::session;
use crate::stage::PUBLICATION;
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
    sends no mail. An update that was interrupted is taken up by the next one, which has its news. \
    --all leaves out sessions that never had a report, and names them. A file that `run -o` wrote \
    stays as it was: `run --resume SESSION -o FILE` writes it again.

Exit codes: that of the last failure, as for `research run`; else 8 if a report has changed, or \
    with --dry-run would be made again; else 7 if --all left out a session on which a process \
    works; 0 if every report says what it said before, also of documents that were renamed. \
    Interrupted: 130.";

/// The longest topic of a heading, in characters.
const TOPIC_CHARACTERS: usize = 100;

#[derive(Debug, Args)]
struct UpdateArgs {
    #[arg(value_name = "SESSION", required_unless_present = "all", help = SESSION_HELP)]
    sessions: Vec<String>,

    /// All sessions that have or had a published report
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
    /// It has never had a report.
    LeftOut,
}

/// A session in the result.
#[derive(Serialize, JsonSchema)]
struct Entry {
    session: String,
    path: String,
    topic: String,
    outcome: Outcome,
    /// The first reason for which the report was made again or left out, or the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The claims that were changed by hand since they were checked, of a report that is as before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    altered: Vec<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    update: Option<Update>,
    /// `true` if documents have other names now, and nothing else has changed.
    #[serde(skip)]
    is_renamed_only: bool,
    /// `true` if its news are to be printed, or it has none after all.
    #[serde(skip)]
    has_baseline: bool,
}

/// The environment that all sessions share.
struct Updater<'a> {
    program: &'a Program<'a>,
    arguments: &'a UpdateArgs,
    backend: BackendConfig,
    /// Done once the models are named, as there is something to answer.
    is_backend_named: Once,
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
    let resume = resumption(program, arguments);
    let updater = Updater {
        program,
        arguments,
        backend: backend_in_reserve(program)?,
        is_backend_named: Once::new(),
        interrupted: interruption(*program.output, resume.clone())?,
        external: ExternalDigests::default(),
        shared: Shared::default(),
        web: Mutex::default(),
        jobs: jobs.min(paths.len()).max(1),
    };
    let results = updater.update_all(&paths);
    let is_interrupted = |result: &Option<Result<Entry>>| match result {
        Some(Err(error)) => error.is::<Interrupted>(),
        Some(Ok(_)) => false,
        None => true,
    };
    // What was made before has its baseline still: the next update prints its news.
    if results.iter().any(is_interrupted) {
        return Ok(program.output.error(&Interrupted.into(), Some(resume)));
    }
    let (mut entries, mut failure) = (Vec::new(), None);
    for (path, result) in paths.iter().zip(results.into_iter().flatten()) {
        let entry = result.unwrap_or_else(|error| {
            // The others are no worse for it.
            failure = Some(exit::of_error(&error));
            failed(path, format!("{error:#}"))
        });
        entries.push(entry);
    }
    for complaint in complaints(&entries) {
        program.output.complaint(&complaint);
    }
    print(program, &entries)?;
    for entry in entries.iter().filter(|entry| entry.has_baseline) {
        Baseline::remove(Path::new(&entry.path), program.clock)?;
    }
    Ok(failure.unwrap_or_else(|| exit_code(&entries)))
}

/// The exit code of an update without a failure.
fn exit_code(entries: &[Entry]) -> Exit {
    let is_news = |entry: &Entry| {
        let is_outdated = entry.outcome == Outcome::Outdated && !entry.is_renamed_only;
        entry.outcome == Outcome::Changed || is_outdated
    };
    // One that waits for an answer has no report that could be news: it is named, night by night.
    let is_in_use = |entry: &Entry| {
        entry.outcome == Outcome::LeftOut && Lock::is_locked(Path::new(&entry.path))
    };
    if entries.iter().any(is_news) {
        Exit::Changed
    } else if entries.iter().any(is_in_use) {
        Exit::InUse
    } else {
        Exit::Complete
    }
}

/// Prints what became of the sessions.
fn print(program: &Program<'_>, entries: &[Entry]) -> Result<()> {
    if program.output.json {
        program.output.value(&entries)?;
    } else {
        program.output.text(&markdown(entries))?;
    }
    for entry in entries {
        if entry.outcome == Outcome::LeftOut {
            let reason = entry.reason.as_deref().unwrap_or_default();
            let complaint = format!("left out: {}: {reason}", entry.path);
            program.output.complaint(&complaint);
        }
    }
    if !program.output.json {
        program.output.remark(&summary(entries));
    }
    Ok(())
}

/// A line for each error of the sessions that could not be updated: one for several sessions that
/// have the same one.
fn complaints(entries: &[Entry]) -> Vec<String> {
    let mut errors: Vec<(String, Vec<&Entry>)> = Vec::new();
    for entry in entries.iter().filter(|own| own.outcome == Outcome::Failed) {
        let problem = entry.reason.as_deref().unwrap_or_default();
        // Most errors name the session themselves.
        let problem = problem.replace(&entry.path, "");
        match errors.iter_mut().find(|(other, _)| *other == problem) {
            Some((_, sessions)) => sessions.push(entry),
            None => errors.push((problem, vec![entry])),
        }
    }
    let lines = errors.iter().filter_map(|(_, sessions)| {
        let (first, others) = sessions.split_first()?;
        let problem = first.reason.as_deref().unwrap_or_default();
        let line = if problem.contains(&first.path) {
            problem.to_owned()
        } else {
            format!("{}: {problem}", first.path)
        };
        let names: Vec<&str> = others.iter().map(|own| own.session.as_str()).collect();
        Some(match names.as_slice() {
            [] => line,
            [other] => format!("{line} (the same of {other})"),
            _ => format!("{line} (the same of {} other sessions)", names.len()),
        })
    });
    lines.collect()
}

/// The command that takes up an update.
fn resumption(program: &Program<'_>, arguments: &UpdateArgs) -> String {
    let is_typed = matches!(
        program.origins.get("run.output_dir"),
        Some(Origin::Option { .. })
    );
    let output_dir = is_typed.then(|| format!(" --output-dir {}", program.output_dir().display()));
    let sessions = arguments.sessions.iter().map(|name| format!(" {name}"));
    let max_age = arguments.age_args.max_age.iter();
    let options = [
        arguments.all.then(|| " --all".to_owned()),
        arguments
            .trust_documents
            .then(|| " --trust-documents".to_owned()),
        output_dir,
        Some(arguments.model_args.options().to_string()),
    ];
    let max_age = max_age.map(|age| format!(" --max-age {age}"));
    let words = sessions.chain(options.into_iter().flatten()).chain(max_age);
    format!("research update{}", words.collect::<String>())
}

/// The directories of the sessions to be updated.
fn sessions(program: &Program<'_>, arguments: &UpdateArgs) -> Result<Vec<PathBuf>> {
    if !arguments.all {
        let named = arguments.sessions.iter();
        return named.map(|reference| program.find(reference)).collect();
    }
    program.all_sessions()
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
        if self.arguments.all && !inspect::has_report(path) {
            return self.left_out(path, session);
        }
        let pipeline = self.pipeline(path, &session)?;
        let request = Request {
            fetched_since: fetched_since(self.program),
            ..Request::default()
        };
        let engine = self.engine();
        let plan = engine.plan(path, &pipeline, &request)?;
        let is_done = plan.next == Next::Nothing && plan.complete;
        let entry = Entry::of(path, session);
        if is_done && !Baseline::is_pending(path) {
            let mut altered = inspect::altered_report(path);
            let lost = inspect::lost_texts(path).map(|(files, _)| files);
            for claim in &altered {
                let named = format!("changed by hand, not checked: {}/{claim}", entry.path);
                self.program.output.complaint(&named);
            }
            for file in lost.into_iter().flatten() {
                let missing = file + ": missing";
                let named = format!("{}/{missing}", entry.path);
                self.program.output.complaint(&named);
                altered.push(missing);
            }
            return Ok(Entry { altered, ..entry });
        }
        if self.arguments.dry_run {
            let baseline = Baseline::read(path)?.unwrap_or_else(|| inspect::baseline(path));
            let changes = Changes::between(&baseline, &Manifest::default(), &plan);
            let reason = changes.reason(&plan, &locators(baseline.report.as_ref()));
            let is_missing = inspect::lacks_publication(path) && is_fresh(&plan);
            let missing = is_missing.then(|| format!("{PUBLICATION} is missing"));
            return Ok(Entry {
                outcome: Outcome::Outdated,
                reason: missing.or(Some(reason)),
                is_renamed_only: changes.is_renamed_only(),
                ..entry
            });
        }
        if !is_done {
            let unnamed = [path.to_owned()];
            trust::require_confirmed(self.program, &unnamed, self.arguments.trust_documents)?;
            remark_edited(self.program, path);
            self.remark_superseded(path, &plan.next);
            self.is_backend_named
                .call_once(|| remark_backend(self.program.output, &self.backend));
        }
        let baseline = match plan.next {
            // Nothing is made then but the error.
            Next::DocumentsGone | Next::Stop(_) => Baseline::default(),
            _ => self.begin(path)?,
        };
        if self.jobs == 1 {
            run_engine(self.program, path, &pipeline, &request, (engine, false))?;
        } else {
            block_on(run::execute(&engine, path, &pipeline, &request))?;
        }
        Ok(self.news(entry, &baseline, &plan))
    }

    /// Names the gates that were edited by hand and are made again from what has changed.
    fn remark_superseded(&self, path: &Path, next: &Next) {
        let Next::Supersede { files, .. } = next else {
            return;
        };
        let edited = inspect::edited_gates(path).into_iter();
        for name in edited.filter(|name| files.contains(name)) {
            let (file, superseded) = (path.join(&name), path.join(SUPERSEDED));
            self.program.output.complaint(&format!(
                "{} was edited by hand, and is made again from what has changed: your version \
                 stays in {}",
                file.display(),
                superseded.display()
            ));
        }
    }

    fn engine(&self) -> Engine {
        Engine {
            clock: self.program.clock,
            interrupted: self.interrupted.clone(),
            external: self.external.clone(),
            wait: self.arguments.wait,
            ..Engine::default()
        }
    }

    /// The entry of a session that never had a report.
    fn left_out(&self, path: &Path, session: Session) -> Result<Entry> {
        let status = inspect::summary(path, session.clone(), &self.program.settings)?;
        let reason = if Lock::is_locked(path) {
            format!("no report yet; in use by {}", holder(path))
        } else {
            let lead = status.hint.map(|hint| format!("; {hint}"));
            format!(
                "no report yet: {}{}",
                status.state,
                lead.unwrap_or_default()
            )
        };
        Ok(Entry {
            outcome: Outcome::LeftOut,
            reason: Some(reason),
            ..Entry::of(path, session)
        })
    }

    /// The baseline of the session at `path`, which is in its file from now on.
    fn begin(&self, path: &Path) -> Result<Baseline> {
        let since = self.program.clock.timestamp();
        let _lock = if self.arguments.wait {
            remark_waiting(self.program, path);
            let give_up = || self.interrupted.load(Ordering::SeqCst);
            Lock::acquire_or_give_up(path, &since, give_up)?.ok_or(Interrupted)?
        } else {
            Lock::acquire(path, false, &since)?
        };
        if let Some(baseline) = Baseline::read(path)? {
            return Ok(baseline);
        }
        let baseline = inspect::baseline(path);
        baseline.write(path)?;
        Ok(baseline)
    }

    /// The documents of the session at `path` as they are now, and their reader; `None` if there
    /// is no reader.
    fn present_texts(&self, path: &Path) -> Option<(PresentTexts, Reader)> {
        let reader = run::reader(&self.program.settings).ok()?;
        let session = session::read(path).ok()?;
        Some((PresentTexts::of(path, &session, &reader), reader))
    }

    /// The entry of a session that was made again by this plan, or before.
    fn news(&self, entry: Entry, baseline: &Baseline, plan: &Plan) -> Entry {
        let path = Path::new(&entry.path);
        let now = Manifest::read(path).ok().flatten().unwrap_or_default();
        let changes = Changes::between(baseline, &now, plan);
        let texts = self.present_texts(path);
        let before = baseline.report.clone();
        let before = before.map(|report| changes.renamed(report));
        let update = inspect::last_published(path)
            .map(|after| {
                let text_of = |locator: &str| {
                    let (texts, reader) = texts.as_ref()?;
                    texts.text(path, &after, reader, locator)
                };
                Update::between(before.as_ref(), &after, text_of)
            })
            .filter(|update| !update.is_empty());
        let is_renamed_only = changes.is_renamed_only();
        let cited = locators(baseline.report.as_ref());
        let renamed = is_renamed_only.then(|| changes.reason(plan, &cited));
        self.remark(path, update.as_ref(), renamed);
        let reason = match &update {
            Some(update) => changes.reason_of_news(plan, &update.locators(), &cited),
            None => changes.reason(plan, &cited),
        };
        Entry {
            outcome: update
                .as_ref()
                .map_or(Outcome::Unchanged, |_| Outcome::Changed),
            reason: Some(reason),
            update,
            is_renamed_only,
            has_baseline: true,
            ..entry
        }
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

/// `true` if no stage of a session has anything to do.
fn is_fresh(plan: &Plan) -> bool {
    let mut stages = plan.stages.iter();
    stages.all(|line| line.reason == Reason::Fresh)
}

/// The documents that are not as they were when the report of a baseline was made.
struct Changes {
    documents: Vec<ExternalChange>,
    /// `true` if there was no report before.
    is_first: bool,
}

impl Changes {
    /// Those of the documents `now`. Of a session that is older than manifests, or where the
    /// documents are not read yet, those that the plan has.
    fn between(baseline: &Baseline, now: &Manifest, plan: &Plan) -> Self {
        let planned = plan.stages.iter().filter_map(|line| match &line.reason {
            Reason::ExternalChanges(changes) => Some(changes),
            _ => None,
        });
        let documents = baseline.documents.as_ref();
        let read = documents.filter(|_| !now.files.is_empty());
        Self {
            documents: match read {
                Some(documents) => documents.changes(now),
                None => planned.flatten().cloned().collect(),
            },
            is_first: baseline.report.is_none(),
        }
    }

    /// `true` if nothing has changed but the names of documents.
    fn is_renamed_only(&self) -> bool {
        let mut documents = self.documents.iter();
        !self.documents.is_empty() && documents.all(ExternalChange::is_rename)
    }

    /// A report whose sources have the names that their documents have now.
    fn renamed(&self, mut report: Report) -> Report {
        let gone = self
            .documents
            .iter()
            .filter(|change| change.current.is_none());
        let names =
            gone.filter_map(|change| Some((change.name.as_str(), change.renamed.as_deref()?)));
        let names: BTreeMap<&str, &str> = names.collect();
        for reference in &mut report.references {
            if let Some(now) = names.get(reference.locator.as_str()) {
                (*now).clone_into(&mut reference.locator);
            }
        }
        report
    }

    /// The first reason for which a report is made again: of several files that have changed, one
    /// of these locators, if there is one.
    fn reason(&self, plan: &Plan, locators: &BTreeSet<String>) -> String {
        let mut stages = plan.stages.iter();
        let open = stages.find(|line| line.reason != Reason::Fresh);
        let open = open.map(|line| &line.reason);
        if is_of_files(open) && !self.documents.is_empty() {
            let mut changes = self.documents.clone();
            changes.sort_by_key(|change| !locators.contains(&change.name));
            return Reason::ExternalChanges(changes).to_string();
        }
        match open {
            Some(reason) if self.is_first || *reason != Reason::Missing => reason.to_string(),
            _ => "an earlier run was interrupted".to_owned(),
        }
    }

    /// The reason for the news of these locators: a file of theirs that has changed, else one that
    /// the report cites or cited, else that others shift what is quoted.
    fn reason_of_news(
        &self,
        plan: &Plan,
        news: &BTreeSet<String>,
        cited: &BTreeSet<String>,
    ) -> String {
        let has_changed = |locators: &BTreeSet<String>| {
            let mut changes = self.documents.iter();
            changes.any(|change| locators.contains(&change.name))
        };
        if self.documents.is_empty() || has_changed(news) {
            return self.reason(plan, news);
        }
        let reason = self.reason(plan, cited);
        if has_changed(cited) {
            return reason;
        }
        format!(
            "documents that it does not quote have changed, which shifts what it quotes: {reason}"
        )
    }
}

/// `true` if files outside of the session may be the reason for which a stage runs, or ran in a run
/// that was interrupted.
fn is_of_files(reason: Option<&Reason>) -> bool {
    let Some(reason) = reason else {
        return true;
    };
    matches!(
        reason,
        Reason::Missing | Reason::ExternalChanges(_) | Reason::Follows { .. }
    )
}

/// The locators of the sources that a report cites.
fn locators(report: Option<&Report>) -> BTreeSet<String> {
    let references = report.into_iter().flat_map(|report| &report.references);
    references
        .map(|reference| reference.locator.clone())
        .collect()
}

impl Entry {
    /// The entry of a session whose report is up to date.
    fn of(path: &Path, session: Session) -> Self {
        Self {
            session: session.id,
            path: path.display().to_string(),
            topic: session.topic,
            outcome: Outcome::Unchanged,
            reason: None,
            altered: Vec::new(),
            update: None,
            is_renamed_only: false,
            has_baseline: false,
        }
    }
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
        altered: Vec::new(),
        update: None,
        is_renamed_only: false,
        has_baseline: false,
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

/// The numbers of sessions by what became of them.
fn summary(entries: &[Entry]) -> String {
    let number = |outcome| {
        entries
            .iter()
            .filter(|entry| entry.outcome == outcome)
            .count()
    };
    let left_out = number(Outcome::LeftOut);
    let others = (left_out > 0).then(|| format!("{} left out", count(left_out, "session")));
    let reports = entries.len() - left_out;
    if reports == 0 {
        return others.unwrap_or_else(|| "there is no report to update".to_owned());
    }
    let parts = [
        (Outcome::Changed, "changed"),
        (Outcome::Outdated, "to be made again"),
        (Outcome::Unchanged, "as before"),
        (Outcome::Failed, "failed"),
    ];
    let parts = parts.map(|(outcome, words)| (number(outcome), words));
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts = parts.map(|(number, words)| format!("{number} {words}"));
    let parts: Vec<String> = parts.chain(others).collect();
    format!("{}: {}", count(reports, "report"), parts.join(", "))
}

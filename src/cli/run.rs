//! `research run`: researches a topic, or resumes a session.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, ensure};
use clap::Args;
use futures::executor::block_on;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::args::{TopicArgs, stage_names};
use super::exit::{self, Exit};
use super::help::{self, Group, REPORT, SESSION};
use super::output::resume_tip;
use super::progress::Progress;
use super::questions;
use super::resolve::{
    backend, backend_in_reserve, backend_with_keys, fetched_since, interruption, remark_backend,
    remark_unused, web_client, with_age_args, with_model_args,
};
use super::status::EndOfStream;
use super::target::{Target, TargetArgs};
use super::{Action, Cli, Command, Program, arguments, explain, export, trust};
use crate::artifact::Session;
use crate::artifact::session::State;
use crate::export::Format;
use crate::inspect::{self, Status};
use crate::model::{Fallbacks, ModelError};
use crate::pipeline::{
    BestRound, Engine, InputRequired, Lock, LogEntry, Outcome, Pipeline, Report, Reporter, Request,
    RunOptions, holder, last_options, score_text,
};
use crate::run::{self, BackendConfig, Overrides, Shared};
use crate::session::Opened;
use crate::stage::{Offline, PUBLICATION, STAGES, SearchForecast};
use crate::text::counted;
use crate::web::ProviderTable;

/// `research run`.
pub(super) const COMMAND: Command = Command {
    name: "run",
    about: "Research a topic, or resume a session",
    group: Group::Research,
    examples: &[
        (
            "Research a question over documents",
            "research run \"Do heat pumps work in old houses?\" --docs notes",
        ),
        (
            "On the web, with a limit of a dollar, into a file",
            "research run \"Do heat pumps work in old houses?\" --max-cost 1 -o report.html",
        ),
        (
            "See first what it would do and cost",
            "research run \"Do heat pumps work in old houses?\" --dry-run",
        ),
        (
            "Approve the plan before it is carried out",
            "research run \"Do heat pumps work in old houses?\" --approve-plan",
        ),
        (
            "Resume the last session, and write its report again",
            "research run --resume last --from write",
        ),
        (
            "Ask a follow-up question",
            "research run \"And with radiators?\" --follow last",
        ),
    ],
    results: &[("run", || schema_for!(Summary))],
    define,
    action: Action::WithSettings(|program, matches| run(program, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct RunArgs {
    #[command(flatten)]
    topic_args: TopicArgs,

    #[command(flatten)]
    target_args: TargetArgs,

    /// Rerun this stage and all stages after it; existing files are moved aside
    #[arg(
        help_heading = SESSION,
        long,
        value_name = "STAGE",
        conflicts_with = "force",
        value_parser = stage_names()
    )]
    from: Option<String>,

    /// Read the documents of a session outside of its surroundings, which it names by itself
    #[arg(help_heading = SESSION, long)]
    trust_documents: bool,

    /// Stop after the first plan, so that it can be edited; resume without this to carry it out
    #[arg(help_heading = SESSION, long)]
    approve_plan: bool,

    /// Answer to the clarifying questions, if the topic is not clear
    #[arg(help_heading = SESSION, long, value_name = "TEXT", conflicts_with = "no_clarify")]
    answer: Option<String>,

    /// Print the events as lines of JSON as they happen, and the result last
    #[arg(help_heading = REPORT, long, conflicts_with = "dry_run")]
    events: bool,

    /// Formats to write besides the published report
    #[arg(help_heading = REPORT, long, value_delimiter = ',', value_name = "FORMAT")]
    format: Vec<String>,

    /// Write the report to this file instead of standard output, in the format of its extension
    #[arg(
        help_heading = REPORT,
        short,
        long,
        value_name = "FILE",
        conflicts_with_all = ["until", "dry_run"]
    )]
    output: Option<PathBuf>,
}

fn define(command: clap::Command, cli: &Cli<'_>) -> clap::Command {
    let files: Vec<String> = export::beside_report(cli).map(Format::file_name).collect();
    let help = format!(
        "Formats to write besides {PUBLICATION}: {}",
        files.join(", ")
    );
    let command = RunArgs::augment_args(command).mut_arg("format", |format| {
        format.value_parser(cli.format_names()).help(help)
    });
    help::with_settings(command)
}

fn run(program: &Program<'_>, arguments: &RunArgs) -> Result<Exit> {
    let topic_args = &arguments.topic_args;
    let overrides = Overrides {
        approve_plan: arguments.approve_plan,
        ..topic_args.overrides().map_err(exit::usage)?
    };
    let program = &with_age_args(program, &topic_args.age_args)?;
    let request = topic_args.request(arguments.from.as_deref(), fetched_since(program));
    check(program, arguments, &request)?;
    let target = Target::new(program, &arguments.target_args, topic_args, overrides)?;
    let program = &with_model_args(program, &topic_args.model_args)?;
    let backend = backend_of(program, &target, topic_args)?;
    let is_offline = topic_args.model_args.offline;
    target.require_sources(backend.models().is_some(), is_offline)?;
    export::check_output(program, target.path(), arguments.output.as_deref())?;
    target.require_outside(export::output_file(arguments.output.as_deref()))?;
    let unnamed = target.not_named_here(&arguments.target_args)?;
    trust::require_confirmed(program, &unnamed, arguments.trust_documents)?;
    let is_new = matches!(target, Target::New { .. });
    // A new session is written only now: the usage errors above leave no directory behind.
    let (path, Opened { session, mut lock }) = target.open(topic_args.dry_run)?;
    if !topic_args.dry_run {
        trust::note_confirmed(program, &path, &session);
    }
    let forecast = backend.forecast(&program.settings, &session, &path)?;
    let shortage = explain::shortage(forecast.as_ref(), &program.settings.budget);
    if topic_args.dry_run {
        let shared = Shared::default();
        let pipeline = pipeline(program, (&path, &session), overrides, &backend, shared)?;
        let searches = search_forecast(program, &session, &backend, is_offline)?;
        let forecast = explain::RoundForecast {
            forecast,
            shortage,
            searches,
        };
        return explain::print(program, &path, &pipeline, &request, forecast);
    }
    if let Some(shortage) = shortage.filter(|_| is_new) {
        program.output.remark(&shortage);
    }
    let options = topic_args.model_args.options();
    let interrupted = interruption(*program.output, options.resumption(&path))?;
    let shared = Shared {
        web: web_client(program, &session.search, is_offline, &interrupted)?,
        ..Shared::default()
    };
    remark_on_session(program, &path, &options);
    remark_on_work(program, &path, &request, (&backend, is_new))?;
    let mut run = |request: &Request| {
        // A pipeline for each run: its time begins now, and the user's time does not count.
        let shared = shared.clone();
        let pipeline = pipeline(program, (&path, &session), overrides, &backend, shared)?;
        let engine = engine(program, interrupted.clone(), topic_args, lock.take());
        let how = (engine, arguments.events);
        run_engine(program, &path, &pipeline, request, how)
    };
    let outcome = run(&request).or_else(|error| {
        answer(program, &path, error, arguments.answer.as_deref())?;
        // What was to be made again has been moved aside by now.
        run(&Request {
            from: None,
            refresh: false,
            ..request.clone()
        })
    });
    match outcome {
        Ok(outcome) => report(program, &path, &outcome, arguments),
        Err(error) => Ok(report_error(program, &error, &path, options)),
    }
}

/// Says what of the documents `--frozen` ignores.
fn remark_frozen(program: &Program<'_>, path: &Path, request: &Request) -> Result<()> {
    if request.frozen
        && let Some(changes) = inspect::ignored_changes(path, &program.settings)?
    {
        let remark = format!("--frozen keeps what was read of the documents: {changes}");
        program.output.remark(&remark);
    }
    Ok(())
}

/// Says what of the documents `--frozen` ignores, and which models answer what is left to do in a
/// session that is not new, if anything is.
fn remark_on_work(
    program: &Program<'_>,
    path: &Path,
    request: &Request,
    (backend, is_new): (&BackendConfig, bool),
) -> Result<()> {
    remark_frozen(program, path, request)?;
    if is_new || backend.models().is_none() {
        return Ok(());
    }
    let is_plain = request.from.is_none() && !request.refresh && request.fetched_since.is_none();
    if !is_plain || inspect::published_round(path, &program.settings)?.is_none() {
        remark_backend(program.output, backend);
    }
    Ok(())
}

/// Remarks on a session some of whose files were edited, or whose last run named a model, where
/// this one names none: the rules, or another model, would go on with its work.
fn remark_on_session(program: &Program<'_>, path: &Path, options: &RunOptions) {
    export::remark_edited(program, path);
    if options.model.is_some() || options.offline || path.join(PUBLICATION).exists() {
        return;
    }
    let last = last_options(path).model;
    if let Some(model) = last.filter(|model| model != "rules") {
        program.output.remark(&format!(
            "the last run of this session named --model {model}, and this one names none"
        ));
    }
}

/// Answers the questions with which a run ended: by `--answer`, or by asking on a terminal.
///
/// # Errors
/// The error itself if there is no answer, or it is another one.
fn answer(
    program: &Program<'_>,
    path: &Path,
    error: anyhow::Error,
    given: Option<&str>,
) -> Result<()> {
    // A plan that waits for approval has no questions.
    let open = error.is::<InputRequired>().then(|| run::questions(path));
    let Some(questions) = open.flatten() else {
        return Err(error);
    };
    let typed = match given {
        Some(text) => Some(text.trim().to_owned()),
        None if questions::can_ask(program.output) => {
            let (mut input, mut output) = (io::stdin().lock(), io::stderr().lock());
            questions::ask(&questions, &mut input, &mut output)?
        }
        None => None,
    };
    match typed.filter(|text| !text.is_empty()) {
        Some(text) => run::answer(path, &text, program.clock),
        None => Err(error),
    }
}

/// Checks the formats, also that of the file, and the range of stages.
fn check(program: &Program<'_>, arguments: &RunArgs, request: &Request) -> Result<()> {
    for name in &arguments.format {
        program.cli.format(name)?;
    }
    program
        .cli
        .format_of_file(export::output_file(arguments.output.as_deref()))?;
    check_range(request).map_err(exit::usage)
}

/// Refuses `--from` a stage after that of `--until`: nothing would run, and look like a success.
fn check_range(request: &Request) -> Result<()> {
    let position = |name: &Option<String>| {
        let name = name.as_deref()?;
        STAGES.iter().position(|stage| stage.name == name)
    };
    if let (Some(from), Some(until)) = (position(&request.from), position(&request.until)) {
        ensure!(
            from <= until,
            "--from {} begins after --until {}: nothing would run",
            STAGES[from].name,
            STAGES[until].name
        );
    }
    Ok(())
}

fn pipeline(
    program: &Program<'_>,
    (path, session): (&PathBuf, &Session),
    overrides: Overrides,
    backend: &BackendConfig,
    shared: Shared,
) -> Result<Pipeline> {
    run::pipeline(path, session, &program.settings, overrides, backend, shared)
}

/// The backend of a run: of a replay, the journal of the session that is replayed.
fn backend_of(
    program: &Program<'_>,
    target: &Target,
    topic_args: &TopicArgs,
) -> Result<BackendConfig> {
    let backend = match target {
        Target::New {
            replay: Some(original),
            ..
        } => replay_backend(program, original),
        Target::New { .. } if !topic_args.dry_run => backend_with_keys(program),
        Target::New { .. } => backend(program),
        // Said once there is something to answer.
        Target::Existing(_) => backend_in_reserve(program),
    }?;
    if backend.models().is_none() {
        remark_unused(program.output, &topic_args.style_args);
    }
    Ok(backend)
}

/// A backend that answers from the journal of a session.
fn replay_backend(program: &Program<'_>, original: &Path) -> Result<BackendConfig> {
    let backend = BackendConfig::replay(original, &program.settings).map_err(exit::usage)?;
    remark_backend(program.output, &backend);
    Ok(backend)
}

/// The forecast of web searches; `None` if the web is not searched.
fn search_forecast(
    program: &Program<'_>,
    session: &Session,
    backend: &BackendConfig,
    is_offline: bool,
) -> Result<Option<SearchForecast>> {
    if session.search.is_empty() || is_offline {
        return Ok(None);
    }
    let services = ProviderTable::load().map_err(exit::usage)?;
    let expected = run::expected_searches(&program.settings, session, backend.models().is_some());
    SearchForecast::of(session, &services, expected).map_err(exit::usage)
}

/// Prints why a run stopped and how to resume it, if it can be resumed.
fn report_error(
    program: &Program<'_>,
    error: &anyhow::Error,
    path: &Path,
    options: RunOptions,
) -> Exit {
    let exit = exit::of_error(error);
    // Resuming does not help with usage errors and sessions in use.
    let can_resume = matches!(
        exit,
        Exit::Failed | Exit::Interrupted | Exit::NeedsClarification | Exit::Exhausted
    );
    let options = RunOptions {
        offline: options.offline && !error.is::<Offline>(),
        ..options
    };
    let resume = can_resume.then(|| to_resume(program, path, Some(options)));
    let without = RunOptions {
        offline: true,
        ..RunOptions::default()
    };
    let without = (can_resume && is_of_model(error)).then(|| without.resumption(path));
    let tips = [
        without.map(|command| format!("to go on without a model: {command}")),
        resume.flatten().map(|command| resume_tip(&command)),
    ];
    program
        .output
        .error_with(error, tips.into_iter().flatten().collect())
}

/// `true` if a run failed since the model does not answer.
fn is_of_model(error: &anyhow::Error) -> bool {
    error.downcast_ref::<ModelError>().is_some()
}

/// The command that resumes the session at `path`, with these options or those of its last run;
/// `None` if it would fail in the same way, and the error says what to do.
pub(super) fn to_resume(
    program: &Program<'_>,
    path: &Path,
    options: Option<RunOptions>,
) -> Option<String> {
    let status = inspect::status_with(path, &program.settings, options.clone()).ok()?;
    let plain = || options.unwrap_or_default().resumption(path);
    // Advice that is no command is in the error as well.
    let is_command = |hint: &String| hint.starts_with(&RunOptions::default().resumption(path));
    let hint = status.hint;
    let leads_on = status.state != State::Broken && hint.as_ref().is_none_or(is_command);
    leads_on.then(|| hint.unwrap_or_else(plain))
}

/// The engine of a run. The first Ctrl-C ends it at the next step, the second Ctrl-C immediately.
fn engine(
    program: &Program<'_>,
    interrupted: Arc<AtomicBool>,
    topic_args: &TopicArgs,
    lock: Option<Lock>,
) -> Engine {
    Engine {
        lock,
        clock: program.clock,
        interrupted,
        wait: topic_args.wait,
        options: topic_args.model_args.options(),
        ..Engine::default()
    }
}

/// Runs the engine and shows its progress.
pub(super) fn run_engine(
    program: &Program<'_>,
    path: &Path,
    pipeline: &Pipeline,
    request: &Request,
    (engine, as_json_lines): (Engine, bool),
) -> Result<Outcome> {
    if engine.wait && engine.lock.is_none() {
        remark_waiting(program, path);
    }
    if as_json_lines {
        let reporter = Some(json_lines(program));
        let engine = Engine { reporter, ..engine };
        return block_on(run::execute(&engine, path, pipeline, request));
    }
    let progress = Progress::new(*program.output, program.verbose);
    let engine = Engine {
        reporter: Some(progress.reporter(program.clock)),
        ..engine
    };
    // No `?` before `finish`: the progress line is removed before an error is printed.
    let outcome = block_on(run::execute(&engine, path, pipeline, request));
    progress.finish();
    outcome
}

/// Says which process is waited for, if one works in the session.
pub(super) fn remark_waiting(program: &Program<'_>, path: &Path) {
    if Lock::is_locked(path) {
        let remark = format!("waiting for {} in {}", holder(path), path.display());
        program.output.remark(&remark);
    }
}

/// The reporter that prints each event as a line of JSON, as in the event log. A reader that closes
/// the pipe does not stop the run.
fn json_lines(program: &Program<'_>) -> Reporter {
    let (output, clock) = (*program.output, program.clock);
    Arc::new(move |report| {
        if let Report::Session { event, .. } = *report {
            let (at, event) = (clock.timestamp(), event.clone());
            let _ = output.line(&LogEntry { at, event });
        }
    })
}

/// The outcome of a run, for other programs.
#[derive(Serialize, JsonSchema)]
struct Summary {
    /// The number of actions of the engine; 0 when there was nothing to do.
    done: usize,
    #[serde(rename = "session")]
    status: Status,
}

fn report(
    program: &Program<'_>,
    path: &Path,
    outcome: &Outcome,
    arguments: &RunArgs,
) -> Result<Exit> {
    // Only with a published report; a run that stopped early has none.
    if outcome.complete {
        export::write_beside(program, path, &arguments.format, outcome.actions > 0)?;
    }
    let strict = arguments.topic_args.strict;
    let target = export::output_file(arguments.output.as_deref());
    let as_json = program.output.json;
    // Also a report that is up to date: the user wants it here, whoever made it.
    if outcome.complete && (target.is_some() || !as_json) {
        export::write_published(program, path, target)?;
    }
    let status = if as_json {
        inspect::status_after(path, &program.settings, outcome)?
    } else {
        inspect::summary_after(path, outcome)?
    };
    let fallbacks = warn_of_rules(program, path, outcome.actions > 0 || strict);
    // Up to date, it was made as it is before: who gives it more time wants to know.
    if outcome.actions > 0 || arguments.topic_args.model_args.timeout.is_some() {
        warn_of_unread(program, path);
    }
    let lacks_texts = inspect::lost_texts(path).is_some();
    let exit = match (&outcome.best, outcome.complete) {
        // No evidence takes precedence over a low score, which results from it.
        _ if status.no_evidence => Exit::NoEvidence,
        // What the user wanted of the model, none of it did.
        _ if strict && fallbacks.is_some_and(Fallbacks::is_total) => Exit::Failed,
        (Some(best), true) if strict && (lacks_texts || is_doubtful(best, &status)) => {
            Exit::BelowThreshold
        }
        _ => Exit::Complete,
    };
    if as_json {
        let done = outcome.actions;
        let summary = Summary { done, status };
        if arguments.events {
            program.output.line(&EndOfStream { result: &summary })?;
        } else {
            program.output.value(&summary)?;
        }
        return Ok(exit);
    }
    program
        .output
        .remark(&remark(path, outcome, &status, lacks_texts));
    Ok(exit)
}

/// `true` if `--strict` is not content with a published report.
fn is_doubtful(best: &BestRound, status: &Status) -> bool {
    best.below_threshold || status.not_answered || !status.altered.is_empty()
}

/// Returns how often rules answered in place of a model whose answers could not be used, and warns
/// of it if that is news.
fn warn_of_rules(program: &Program<'_>, path: &Path, is_news: bool) -> Option<Fallbacks> {
    // A journal that cannot be read is an error of `research calls`.
    let fallbacks = Fallbacks::read(path).ok().flatten()?;
    if is_news {
        let shown = path.display();
        let warning = format!("{fallbacks}; research calls {shown} lists them");
        program.output.complaint(&warning);
    }
    Some(fallbacks)
}

/// Warns that documents were not read for want of time: what is up to date does not read them.
fn warn_of_unread(program: &Program<'_>, path: &Path) {
    let unread = inspect::out_of_time(path);
    if unread > 0 {
        let shown = path.display();
        let documents = counted(unread, "document");
        let was = if unread == 1 { "was" } else { "were" };
        program.output.complaint(&format!(
            "{documents} {was} not read, as the time of the run was used up; research run --resume \
             {shown} --from research --timeout SECONDS reads all"
        ));
    }
}

fn remark(path: &Path, outcome: &Outcome, status: &Status, lacks_texts: bool) -> String {
    let shown = path.display();
    if outcome.actions == 0 && lacks_texts {
        return format!("nothing was made again; what {shown} lacks is named above");
    }
    if outcome.actions == 0 {
        return format!("nothing to do: {shown} is up to date");
    }
    let report = format!("{shown}/{PUBLICATION}");
    if outcome.complete && status.without_sources {
        return format!("answered without sources, by the model alone: {report}");
    }
    let score = status.score.map_or(String::new(), |score| {
        format!(", score {}", score_text(score))
    });
    match (outcome.complete, status.no_evidence, status.below_threshold) {
        (true, true, _) => {
            let why = inspect::why_no_evidence(path);
            let separator = if why.ends_with('?') { " " } else { "; " };
            format!("no evidence found: {why}{separator}see {report}")
        }
        (true, ..) if !status.altered.is_empty() => format!(
            "complete, but with words that are not those of the sources: {report}, round {}{score}",
            outcome.round
        ),
        (true, ..) if status.not_answered => {
            format!(
                "not answered as asked: {report}, round {}{score}",
                outcome.round
            )
        }
        (true, _, true) => format!("below threshold: {report} is the best round{score}"),
        (true, ..) => format!("complete: {report}, round {}{score}", outcome.round),
        (false, ..) => format!("stopped as requested: {shown}, {}", status.state),
    }
}

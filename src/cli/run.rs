//! `research run`: a topic, or a session to go on with.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, anyhow};
use chrono::{DateTime, Utc};
use clap::Args as _;
use futures::executor::block_on;
use serde::Serialize;

use super::args::{ModelArgs, RunArgs, TopicArgs};
use super::exit::{self, Exit};
use super::progress::Progress;
use super::{Action, Cli, Command, Program, arguments, explain, export};
use crate::artifact::Session;
use crate::config::{self, ModelSettings};
use crate::export::Format;
use crate::inspect::{self, Status};
use crate::pipeline::{Clock, Disk, Engine, Lock, Outcome, Pipeline, Request, holder};
use crate::platform::watch_termination_signals;
use crate::run::{self, BackendConfig, Overrides, Shared, fetching};
use crate::session::{self, NewSession, WebScope};
use crate::stage::{PUBLICATION, SearchForecast};
use crate::web::{ProviderTable, WebClient, check_domain};

/// The name of no service: the web is not searched.
const NOWHERE: &str = "none";

/// `research run`.
pub(super) const COMMAND: Command = Command {
    name: "run",
    about: "Research a topic, or resume a session",
    define,
    action: Action::WithSettings(|program, matches| run(program, arguments(matches)?)),
};

fn define(command: clap::Command, cli: &Cli<'_>) -> clap::Command {
    let files: Vec<String> = export::beside_report(cli).map(Format::file_name).collect();
    let help = format!(
        "Formats to write besides {PUBLICATION}: {}",
        files.join(", ")
    );
    RunArgs::augment_args(command).mut_arg("format", |format| {
        format.value_parser(cli.format_names()).help(help)
    })
}

fn run(program: &Program<'_>, arguments: RunArgs) -> Result<Exit> {
    let overrides = arguments.topic_args.overrides().map_err(exit::usage)?;
    let request = arguments.topic_args.request(arguments.from.as_deref());
    let asked = Asking::new(program, &arguments, overrides)?;
    let program = &answering(program, &arguments.topic_args.model_args)?;
    let answers = match &asked {
        Asking::New {
            replay: Some(path), ..
        } => told(program, replayed(program, path)?),
        _ => answers(program)?,
    };
    if arguments.topic_args.dry_run {
        let (path, session) = asked.open(true)?;
        let settings = &program.settings;
        let shared = Shared::default();
        let pipeline = run::pipeline(&path, &session, settings, overrides, &answers, shared)?;
        let foreseen = explain::Foreseen {
            forecast: answers.forecast(&program.settings, session.depth),
            searches: searches(&session, arguments.topic_args.model_args.offline)?,
        };
        return explain::print(program, &path, &pipeline, &request, foreseen);
    }
    let (path, session) = asked.open(false)?;
    let is_offline = arguments.topic_args.model_args.offline;
    let shared = Shared {
        web: online(program, &session.search, is_offline)?,
        ..Shared::default()
    };
    let settings = &program.settings;
    let pipeline = run::pipeline(&path, &session, settings, overrides, &answers, shared)?;
    match drive(
        program,
        &path,
        &pipeline,
        &request,
        arguments.topic_args.wait,
    ) {
        Ok(outcome) => {
            if outcome.complete {
                export::write_beside(program, &path, &arguments.format, outcome.actions > 0)?;
            }
            report(program, &path, &outcome, arguments.topic_args.strict)
        }
        Err(error) => Ok(stopped(program, &error, &path)),
    }
}

/// The program with the settings that flags change.
pub(super) fn answering<'a>(program: &Program<'a>, flags: &ModelArgs) -> Result<Program<'a>> {
    let mut settings = program.settings.clone();
    if flags.offline {
        settings.models.default = "rules".to_owned();
    }
    if let Some(model) = &flags.model {
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
    config::check_cost(budget.max_cost_usd)
        .context("--max-cost")
        .map_err(exit::usage)?;
    Ok(Program {
        settings,
        ..*program
    })
}

/// Where the web is searched: where the person says; else, without documents, where the settings
/// say.
pub(super) fn web(program: &Program<'_>, terms: &TopicArgs) -> Result<WebScope> {
    let settings = &program.settings.search;
    let search = match &terms.search {
        Some(names) => names.clone(),
        None if terms.docs.is_empty() && !terms.model_args.offline => {
            fetching::comma_separated(&settings.services)
        }
        None => Vec::new(),
    };
    let search: Vec<String> = search.into_iter().filter(|name| name != NOWHERE).collect();
    if search.is_empty() {
        return Ok(WebScope::default());
    }
    let services = ProviderTable::load().map_err(exit::usage)?;
    services
        .select(&search, "")
        .context("--search")
        .map_err(exit::usage)?;
    let domains = match terms.domains.as_slice() {
        [] => fetching::comma_separated(&settings.domains),
        domains => domains.to_vec(),
    };
    for domain in &domains {
        check_domain(domain)
            .context("--domains")
            .map_err(exit::usage)?;
    }
    Ok(WebScope { search, domains })
}

/// The web for sessions that search it; nothing offline.
pub(super) fn online(
    program: &Program<'_>,
    search: &[String],
    is_offline: bool,
) -> Result<Option<Arc<WebClient>>> {
    if search.is_empty() || is_offline {
        return Ok(None);
    }
    let online = fetching::web_client(&program.settings, program.clock);
    online.map(Some).map_err(exit::usage)
}

/// What searching the web will take, where it will be searched.
fn searches(session: &Session, is_offline: bool) -> Result<Option<SearchForecast>> {
    if session.search.is_empty() || is_offline {
        return Ok(None);
    }
    let services = ProviderTable::load().map_err(exit::usage)?;
    SearchForecast::of(session, &services).map_err(exit::usage)
}

/// Who answers, said once.
pub(super) fn answers(program: &Program<'_>) -> Result<BackendConfig> {
    let answers = BackendConfig::from_settings(&program.settings).map_err(exit::usage)?;
    Ok(told(program, answers))
}

fn told(program: &Program<'_>, answers: BackendConfig) -> BackendConfig {
    if let Some(description) = answers.describe() {
        program.output.remark(&description);
    }
    answers
}

fn replayed(program: &Program<'_>, path: &Path) -> Result<BackendConfig> {
    BackendConfig::replay(path, &program.settings).map_err(exit::usage)
}

/// Says why a run stopped, and how it goes on if something was left to go on with.
fn stopped(program: &Program<'_>, error: &anyhow::Error, path: &Path) -> Exit {
    let exit = program.output.error(error);
    if matches!(
        exit,
        Exit::Failed | Exit::Interrupted | Exit::NeedsClarification | Exit::Exhausted
    ) {
        program.output.remark(&format!(
            "go on with: research run --resume {}",
            path.display()
        ));
    }
    exit
}

/// The session that the person means.
enum Asking {
    Existing(PathBuf),
    New {
        path: PathBuf,
        asked: Box<NewSession>,
        terms: session::ReviewTerms,
        /// The clock of the session's beginning.
        clock: Clock,
        /// The session whose journal answers.
        replay: Option<PathBuf>,
    },
}

impl Asking {
    fn new(program: &Program<'_>, arguments: &RunArgs, overrides: Overrides) -> Result<Self> {
        if let Some(reference) = &arguments.resume {
            return program.find(reference).map(Self::Existing);
        }
        if let Some(reference) = &arguments.replay {
            return Self::again(program, reference, arguments.session.as_deref());
        }
        let run = &program.settings.run;
        let mut asked = NewSession {
            topic: arguments.topic.clone().unwrap_or_default(),
            depth: arguments.topic_args.depth.map_or(run.depth, Into::into),
            documents: arguments.topic_args.docs.clone(),
            web: web(program, &arguments.topic_args)?,
        };
        let mut messages = Vec::new();
        if let Some(reference) = &arguments.follow {
            let followed = program.find(reference)?;
            messages = run::messages(&followed)?;
            if arguments.topic_args.search.is_none() {
                let session = session::read(&followed)?;
                asked.web = WebScope {
                    search: session.search,
                    domains: session.domains,
                };
            }
            asked.documents.extend(run::stored_sources(&followed));
        }
        let name = arguments.session.as_deref();
        let place = session::locate(program.output_dir(), &asked, name, program.clock)
            .map_err(exit::usage)?;
        if place.exists {
            let path = place.path.display();
            program
                .output
                .remark(&format!("going on with {path}, which asks the same"));
            return Ok(Self::Existing(place.path));
        }
        if asked.documents.is_empty() && asked.web.search.is_empty() {
            return Err(exit::usage(anyhow!(
                "there is nothing to search: name documents with --docs PATH, or services with --search"
            )));
        }
        let terms = session::ReviewTerms {
            threshold: overrides.threshold.unwrap_or(run.threshold),
            max_rounds: overrides.max_rounds.unwrap_or(run.max_rounds),
            clarify: !arguments.topic_args.no_clarify,
            owner: run.owner.clone(),
            messages,
        };
        Ok(Self::New {
            path: place.path,
            asked: Box::new(asked),
            terms,
            clock: program.clock,
            replay: None,
        })
    }

    /// A session like another one, under a name that is free.
    fn again(program: &Program<'_>, reference: &str, name: Option<&str>) -> Result<Self> {
        let of = program.find(reference)?;
        let session = session::read(&of)?;
        let free = |name: String| {
            let path = program.output_dir().join(name);
            (!path.exists()).then_some(path)
        };
        let path = match name {
            Some(name) => free(name.to_owned())
                .with_context(|| format!("there is a session {name} already"))
                .map_err(exit::usage)?,
            None => (1_u32..)
                .map(|number| match number {
                    1 => format!("{}-replay", session.id),
                    _ => format!("{}-replay-{number}", session.id),
                })
                .find_map(free)
                .context("no name is left for a replay")?,
        };
        let began = DateTime::parse_from_rfc3339(&session.started_at)
            .with_context(|| format!("{reference} does not say when it was begun"))?;
        Ok(Self::New {
            path,
            asked: Box::new(NewSession {
                topic: session.topic.clone(),
                depth: session.depth,
                documents: session::documents(&of, &session),
                web: WebScope {
                    search: session.search.clone(),
                    domains: session.domains.clone(),
                },
            }),
            terms: session::ReviewTerms {
                threshold: session.threshold,
                max_rounds: session.max_rounds,
                clarify: session.clarify,
                owner: session.owner,
                messages: session.messages,
            },
            clock: Clock::fixed(began.with_timezone(&Utc)),
            replay: Some(of),
        })
    }

    /// Reads the session; a new one is written, or in a dry run only drafted.
    fn open(self, dry_run: bool) -> Result<(PathBuf, Session)> {
        let session = match &self {
            Self::Existing(path) => session::read(path)?,
            Self::New {
                path,
                asked,
                terms,
                clock,
                ..
            } => {
                if dry_run {
                    session::draft(path, asked, terms, *clock)?
                } else {
                    session::open_or_create(path, asked, terms, &Disk::default(), *clock)?
                }
            }
        };
        let (Self::Existing(path) | Self::New { path, .. }) = self;
        Ok((path, session))
    }
}

/// Set by the first Ctrl-C; the second one ends the program.
pub(super) fn interruption() -> Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    watch_termination_signals(&interrupted, Exit::Interrupted as i32)
        .context("failed to listen for Ctrl-C")?;
    Ok(interrupted)
}

/// Runs the engine, showing progress. The first Ctrl-C ends it at the next step, the second one at
/// once.
fn drive(
    program: &Program<'_>,
    path: &Path,
    pipeline: &Pipeline,
    request: &Request,
    wait: bool,
) -> Result<Outcome> {
    let interrupted = interruption()?;
    if wait && Lock::is_locked(path) {
        let remark = format!("waiting for {} in {}", holder(path), path.display());
        program.output.remark(&remark);
    }
    let progress = Progress::new(*program.output, program.verbose);
    let engine = Engine {
        clock: program.clock,
        reporter: Some(progress.observer()),
        interrupted,
        wait,
        ..Engine::default()
    };
    let outcome = block_on(run::execute(&engine, path, pipeline, request));
    progress.finish();
    outcome
}

/// What a run came to, for other programs.
#[derive(Serialize)]
struct Summary {
    /// How many things were done; 0 when there was nothing to do.
    done: usize,
    #[serde(rename = "session")]
    status: Status,
}

fn report(program: &Program<'_>, path: &Path, outcome: &Outcome, strict: bool) -> Result<Exit> {
    let status = inspect::status_after(path, &program.settings, outcome)?;
    let exit = match (&outcome.best, outcome.complete) {
        _ if status.no_evidence => Exit::NoEvidence,
        (Some(best), true) if best.below_threshold && strict => Exit::BelowThreshold,
        _ => Exit::Complete,
    };
    if program.output.json {
        program.output.value(&Summary {
            done: outcome.actions,
            status,
        })?;
        return Ok(exit);
    }
    if outcome.complete && outcome.actions > 0 {
        program.output.text(&inspect::published_report(path)?)?;
    }
    program.output.remark(&remark(path, outcome, &status));
    Ok(exit)
}

fn remark(path: &Path, outcome: &Outcome, status: &Status) -> String {
    let path = path.display();
    if outcome.actions == 0 {
        return format!("nothing to do: {path} is up to date");
    }
    let score = status
        .score
        .map_or(String::new(), |score| format!(", score {score:.2}"));
    match (outcome.complete, status.no_evidence, status.below_threshold) {
        (true, true, _) => format!(
            "no evidence found: the documents are silent on this; see {path}/final_report.md"
        ),
        (true, _, true) => {
            format!("below threshold: {path}/final_report.md is the best round{score}")
        }
        (true, ..) => format!(
            "complete: {path}/final_report.md, round {}{score}",
            outcome.round
        ),
        (false, ..) => format!("stopped as asked: {path}, {}", status.state),
    }
}

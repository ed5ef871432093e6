//! `research run`: a topic, or a session to go on with.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, anyhow};
use futures::executor::block_on;
use serde::Serialize;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::args::Run;
use super::exit::{self, Exit};
use super::progress::Progress;
use super::{Program, explain, export};
use crate::artifact::Session;
use crate::pipeline::{Disk, Engine, Lock, Outcome, Pipeline, Request, holder};
use crate::run::{self, Overrides, Status};
use crate::session::{self, Asked, Terms};

/// Researches a topic, or goes on with a session.
pub(super) fn run(program: &Program<'_>, arguments: Run) -> Result<Exit> {
    let overrides = arguments.terms.overrides().map_err(exit::usage)?;
    let request = arguments.terms.request(arguments.from);
    let asked = Asking::new(program, &arguments, overrides)?;
    if arguments.terms.dry_run {
        let (path, session) = asked.look(program)?;
        let pipeline = run::pipeline(&path, &session, &program.settings, overrides)?;
        return explain::print(program, &path, &pipeline, &request);
    }
    let (path, session) = asked.open(program)?;
    let pipeline = run::pipeline(&path, &session, &program.settings, overrides)?;
    match drive(program, &path, &pipeline, &request, arguments.terms.wait) {
        Ok(outcome) => {
            if outcome.complete {
                export::beside(program, &path, &arguments.format, outcome.done > 0)?;
            }
            report(program, &path, &outcome, arguments.terms.strict)
        }
        Err(error) => Ok(stopped(program, &error, &path)),
    }
}

/// Says why a run stopped, and how it goes on if something was left to go on with.
fn stopped(program: &Program<'_>, error: &anyhow::Error, path: &Path) -> Exit {
    let exit = program.output.error(error);
    if matches!(
        exit,
        Exit::Failed | Exit::Interrupted | Exit::NeedsClarification
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
        asked: Asked,
        terms: Terms,
    },
}

impl Asking {
    fn new(program: &Program<'_>, arguments: &Run, overrides: Overrides) -> Result<Self> {
        if let Some(reference) = &arguments.resume {
            return program.find(reference).map(Self::Existing);
        }
        let run = &program.settings.run;
        let asked = Asked {
            topic: arguments.topic.clone().unwrap_or_default(),
            depth: arguments.terms.depth.map_or(run.depth, Into::into),
            documents: arguments.terms.docs.clone(),
        };
        let name = arguments.session.as_deref();
        let place = session::place(program.output_dir(), &asked, name, program.clock)
            .map_err(exit::usage)?;
        if place.exists {
            let path = place.path.display();
            program
                .output
                .remark(&format!("going on with {path}, which asks the same"));
            return Ok(Self::Existing(place.path));
        }
        if asked.documents.is_empty() {
            return Err(exit::usage(anyhow!(
                "there is nothing to search: name documents with --docs PATH"
            )));
        }
        let terms = Terms {
            threshold: overrides.threshold.unwrap_or(run.threshold),
            max_rounds: overrides.max_rounds.unwrap_or(run.max_rounds),
            clarify: !arguments.terms.no_clarify,
            owner: run.owner.clone(),
        };
        Ok(Self::New {
            path: place.path,
            asked,
            terms,
        })
    }

    /// Reads the session, or what it would be.
    fn look(self, program: &Program<'_>) -> Result<(PathBuf, Session)> {
        match self {
            Self::Existing(path) => Ok((path.clone(), session::read(&path)?)),
            Self::New { path, asked, terms } => {
                let session = session::draft(&path, &asked, &terms, program.clock)?;
                Ok((path, session))
            }
        }
    }

    /// Reads the session, or writes it.
    fn open(self, program: &Program<'_>) -> Result<(PathBuf, Session)> {
        match self {
            Self::Existing(path) => Ok((path.clone(), session::read(&path)?)),
            Self::New { path, asked, terms } => {
                let session =
                    session::open(&path, &asked, &terms, &Disk::default(), program.clock)?;
                Ok((path, session))
            }
        }
    }
}

/// Set by the first Ctrl-C; the second one ends the program.
pub(super) fn interruption() -> Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, interrupted.clone())
            .and_then(|_| flag::register(signal, interrupted.clone()))
            .context("failed to listen for Ctrl-C")?;
    }
    Ok(interrupted)
}

/// Runs the engine, showing progress. The first Ctrl-C ends it at the next step, the second one at once.
fn drive(
    program: &Program<'_>,
    path: &Path,
    pipeline: &Pipeline,
    request: &Request,
    wait: bool,
) -> Result<Outcome> {
    let interrupted = interruption()?;
    if wait && Lock::is_held(path) {
        let remark = format!("waiting for {} in {}", holder(path), path.display());
        program.output.remark(&remark);
    }
    let progress = Progress::new(program.output.quiet, program.verbose);
    let engine = Engine {
        clock: program.clock,
        observer: Some(progress.observer()),
        interrupted,
        wait,
        ..Engine::default()
    };
    let outcome = block_on(engine.run(path, pipeline, request));
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
    let status = run::status(path, &program.settings)?;
    let exit = match (&outcome.best, outcome.complete) {
        _ if status.no_evidence => Exit::NoEvidence,
        (Some(best), true) if best.below_threshold && strict => Exit::BelowThreshold,
        _ => Exit::Complete,
    };
    if program.output.json {
        program.output.value(&Summary {
            done: outcome.done,
            status,
        })?;
        return Ok(exit);
    }
    if outcome.complete && outcome.done > 0 {
        program.output.text(&run::published(path)?)?;
    }
    program.output.remark(&remark(path, outcome, &status));
    Ok(exit)
}

fn remark(path: &Path, outcome: &Outcome, status: &Status) -> String {
    let path = path.display();
    if outcome.done == 0 {
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

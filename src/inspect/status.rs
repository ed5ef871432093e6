//! The status of a session: its state, score and costs, computed from its files by a plan.

use std::path::{Component, Path, PathBuf};

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::decisions::with_quoted_first;
use super::edited::{altered_report, edited_files, lost_texts};
use super::no_evidence::why_no_evidence;
use super::running::{Running, running};
use super::spending::{Spending, Totals, forecast, spending};
use crate::artifact::report::ReportOutcome;
use crate::artifact::review::Criterion;
use crate::artifact::session::State;
use crate::artifact::{Report, Research, Review, Session};
use crate::config::Settings;
use crate::export::not_answered;
use crate::model::Forecast;
use crate::pipeline::{
    Engine, Event, Lock, Next, Outcome, Plan, Published, Reason, Request, RunOptions, last_event,
    last_options, score_text,
};
use crate::run::artifacts::content;
use crate::run::{self, BackendConfig, Overrides, Shared};
use crate::session;
use crate::stage::{self, NOT_ANSWERED, PUBLICATION, STAGES};

/// The status of a session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Status {
    /// The session's name.
    pub id: String,
    /// Its directory.
    pub path: String,
    /// The path of its report, once there is one that is up to date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// The topic.
    pub topic: String,
    /// Its state, computed from its files.
    pub state: State,
    /// The round that is published or being made.
    pub round: u32,
    /// The score of that round, 0 to 1, once reviewed.
    pub score: Option<f64>,
    /// `true` if the published round is below the threshold.
    pub below_threshold: bool,
    /// `true` if the documents are silent on the topic.
    pub no_evidence: bool,
    /// `true` if the report says in its first line that it does not answer the topic as asked.
    pub not_answered: bool,
    /// `true` if a model answered from its own knowledge.
    pub without_sources: bool,
    /// The time at which it was opened, RFC 3339.
    pub started_at: String,
    /// The process that works on it now, and its activity.
    pub running: Option<Running>,
    /// The first reason why the report is not up to date, if it is not; or what cost a report below
    /// the threshold most of its score, where more than its summary is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The error of the last run, if it failed, or of the file that cannot be read.
    pub problem: Option<String>,
    /// The question to the user with which the last run ended, if it did: for display only.
    pub waits_for: Option<String>,
    /// The files that were changed by hand, which has no effect on any other: those for people to
    /// read, plans whose steps were carried out, and texts that the report cites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edited: Vec<String>,
    /// The claims of the report that were changed by hand since they were checked, each with what
    /// differs: they are not the words of their sources any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub altered: Vec<String>,
    /// The documents that were not read: those that could not be, with the errors, and the files
    /// that were passed over, as their kind is not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_read: Vec<String>,
    /// The command, or else the advice, that leads on from this state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The totals of its model calls, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent: Option<Totals>,
    /// The number of tries of model calls besides that brought no reply, and may have been billed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub possibly_billed: Option<usize>,
    /// The forecast for a round, if there are model calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast: Option<Forecast>,
}

/// Plans the session at `path` and reads its status.
///
/// # Errors
/// When it cannot be read.
pub fn status(path: &Path, settings: &Settings) -> Result<Status> {
    status_with(path, settings, None)
}

/// The status of the session at `path`, as [`status`] reads it, whose hint repeats these options
/// instead of those that the log of the session has of its last run.
///
/// # Errors
/// When it cannot be read.
pub fn status_with(
    path: &Path,
    settings: &Settings,
    options: Option<RunOptions>,
) -> Result<Status> {
    let session = session::read(path)?;
    let plan = plan(path, &session, settings)?;
    status_by(path, session, settings, (&plan, options))
}

/// The status of the session at `path` without its spending, for lists: of a session with a
/// published report that no file of it contradicts, by the times of its files, nothing but two
/// small files is read. Documents are not compared then.
///
/// # Errors
/// When it cannot be read.
pub fn summary(path: &Path, session: Session, settings: &Settings) -> Result<Status> {
    let running = running(path);
    let published = Published::read_with_stamp(path).filter(|_| running.is_none());
    if let Some((published, stamp)) = published
        && let Some(outcome) = published.outcome.clone()
        && Published::is_newer_than(&stamp, path, &made_from())
        && path.join(PUBLICATION).exists()
    {
        return Ok(published_status(path, session, &published, &outcome));
    }
    let plan = plan(path, &session, settings)?;
    Ok(planned_status(path, session, &plan, running))
}

/// The same, with the documents compared, so that an outdated session is told from a complete one.
///
/// # Errors
/// When it cannot be read.
pub fn summary_with_documents(
    path: &Path,
    session: Session,
    settings: &Settings,
) -> Result<Status> {
    let plan = plan(path, &session, settings)?;
    Ok(planned_status(path, session, &plan, running(path)))
}

/// The files of a session that the publication depends on.
fn made_from() -> Vec<&'static str> {
    let gates = STAGES.iter().map(|stage| stage.gate);
    std::iter::once(session::FILE).chain(gates).collect()
}

/// The status of a session with this publication, from which nothing has changed.
fn published_status(path: &Path, session: Session, published: &Published, outcome: &str) -> Status {
    let is = |other: ReportOutcome| outcome == other.to_string();
    let no_evidence = is(ReportOutcome::NoEvidence);
    Status {
        state: complete(no_evidence),
        report: Some(publication(path)),
        round: published.round,
        score: published.score,
        below_threshold: published.below_threshold,
        no_evidence,
        not_answered: outcome == NOT_ANSWERED,
        without_sources: is(ReportOutcome::Direct),
        altered: altered_if(published.altered, path),
        ..Status::of(path, session)
    }
}

/// The altered claims of the session at `path`, if it has any: for lists, only then is more than
/// its two small files read.
fn altered_if(has_any: bool, path: &Path) -> Vec<String> {
    if has_any {
        altered_report(path)
    } else {
        Vec::new()
    }
}

/// The path of the published report.
fn publication(path: &Path) -> String {
    path.join(PUBLICATION).display().to_string()
}

/// The state of a session with a published report.
fn complete(no_evidence: bool) -> State {
    if no_evidence {
        State::NoEvidence
    } else {
        State::Complete
    }
}

/// The status of a session of which not even the parameters can be read.
pub fn unreadable(path: &Path, id: &str, problem: String) -> Status {
    Status {
        id: id.to_owned(),
        path: path.display().to_string(),
        state: State::Broken,
        problem: Some(problem),
        ..Status::default()
    }
}

/// The published round of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedRound {
    /// The number, from 1.
    pub number: u32,
    /// `true` if it is below the threshold.
    pub is_below_threshold: bool,
}

/// The published round of the session at `path`, if the session is complete. It needs none of the
/// records of calls and costs.
///
/// # Errors
/// When the session cannot be read.
pub fn published_round(path: &Path, settings: &Settings) -> Result<Option<PublishedRound>> {
    let plan = plan(path, &session::read(path)?, settings)?;
    let best = plan.best.as_ref();
    let published = PublishedRound {
        number: best.map_or(plan.round, |best| best.round),
        is_below_threshold: best.is_some_and(|best| best.below_threshold),
    };
    Ok(plan.complete.then_some(published))
}

pub(super) fn plan(path: &Path, session: &Session, settings: &Settings) -> Result<Plan> {
    let pipeline = run::pipeline(
        path,
        session,
        settings,
        Overrides::default(),
        &BackendConfig::default(),
        Shared::default(),
    )?;
    let plan = Engine::default().plan(path, &pipeline, &Request::default())?;
    Ok(with_quoted_first(path, plan))
}

/// `true` if nobody works on the session at `path` and its last run neither finished nor failed nor
/// waits for the user: it was interrupted or killed, or it never began.
///
/// # Errors
/// When the session cannot be read.
pub fn is_interrupted(path: &Path, settings: &Settings) -> Result<bool> {
    let is_over = matches!(
        last_event(path),
        Some(Event::RunFinished | Event::StageFailed { .. } | Event::StageWaits { .. })
    );
    // The log is advice: a session without a readable one is planned.
    let is_idle = !is_over && !Lock::is_locked(path);
    Ok(is_idle && !plan(path, &session::read(path)?, settings)?.complete)
}

/// Reads the status of the session at `path` after a run, by the last plan of that run.
///
/// # Errors
/// When it cannot be read.
pub fn status_after(path: &Path, settings: &Settings, outcome: &Outcome) -> Result<Status> {
    status_by(path, session::read(path)?, settings, (&outcome.plan, None))
}

/// Reads the status of the session at `path` after a run without its spending, as [`status_after`]
/// does.
///
/// # Errors
/// When it cannot be read.
pub fn summary_after(path: &Path, outcome: &Outcome) -> Result<Status> {
    let session = session::read(path)?;
    // Where nothing was done, the record of the publication says what the report would.
    let published = Published::read(path).filter(|_| outcome.complete && outcome.actions == 0);
    if let Some(published) = published
        && let Some(kind) = &published.outcome
    {
        return Ok(published_status(path, session, &published, kind));
    }
    Ok(planned_status(path, session, &outcome.plan, None))
}

fn status_by(
    path: &Path,
    session: Session,
    settings: &Settings,
    (plan, options): (&Plan, Option<RunOptions>),
) -> Result<Status> {
    let spending = spending(path)?;
    let research: Option<Research> = content(path, "research.json");
    let documents = research.as_ref().map(|research| &research.documents);
    let not_read = documents.map_or_else(Vec::new, |own| own.not_read(usize::MAX));
    // Without model calls there is no forecast.
    let research = research.filter(|_| !spending.calls.is_empty());
    let mut status = planned_status(path, session.clone(), plan, running(path));
    if status.state == State::NoEvidence {
        status.reason = Some(why_no_evidence(path));
    }
    note_lost_texts(path, &mut status);
    let options = options.unwrap_or_else(|| last_options(path));
    // Without it, what is left would be answered by another model, or by rules.
    let model = options.model.or_else(|| {
        let only = only_model(&spending).filter(|_| !options.offline);
        only.map(str::to_owned)
    });
    let options = RunOptions { model, ..options };
    if let Some(hint) = &mut status.hint {
        let options = match status.state {
            // What has ended is not to be repeated.
            State::BudgetEnded => options.without_budget(),
            _ => options,
        };
        let plain = RunOptions::default().resumption(path);
        *hint = hint.replacen(&plain, &options.resumption(path), 1);
    }
    Ok(Status {
        forecast: forecast(path, &session, research.as_ref(), &spending, settings),
        spent: (!spending.calls.is_empty()).then_some(spending.total),
        possibly_billed: Some(spending.possibly_billed).filter(|tries| *tries > 0),
        edited: edited_files(path),
        not_read,
        ..status
    })
}

/// Notes in the status of a session that has a report, or of which the last run failed, that texts
/// which it cites are missing: only what makes them again leads on.
fn note_lost_texts(path: &Path, status: &mut Status) {
    if !matches!(status.state, State::Complete | State::Failed) {
        return;
    }
    let Some((lost, again)) = lost_texts(path) else {
        return;
    };
    status.hint = Some(again);
    if status.state == State::Complete {
        status.state = State::Broken;
        status.problem = Some(format!("missing: {}", lost.join(", ")));
    }
}

/// The model of all calls of a session; `None` if there are several, or none.
fn only_model(spending: &Spending) -> Option<&str> {
    let mut models = spending.calls.iter().map(|call| call.model.as_str());
    let first = models.next()?;
    models.all(|model| model == first).then_some(first)
}

/// The score of a review below its threshold, and the criterion that costs most of it with the
/// counts behind it.
fn shortfall(review: &Review) -> Option<String> {
    let loss = |criterion: &Criterion| criterion.weight * (1.0 - criterion.score);
    let mut criteria: Vec<&Criterion> = review.criteria.iter().collect();
    criteria.sort_by(|one, other| loss(other).total_cmp(&loss(one)));
    let worst = criteria.first()?;
    let [own, threshold, score] = [review.score, review.threshold, worst.score].map(score_text);
    let (name, counts) = (&worst.name, &worst.reason);
    Some(format!(
        "the score {own} is below the threshold {threshold}, most of all for {name}, {score}: \
         {counts}"
    ))
}

/// The status of a session by its plan, without its spending.
fn planned_status(path: &Path, session: Session, plan: &Plan, running: Option<Running>) -> Status {
    let documents = session::documents(path, &session);
    // The best round may be an earlier one in `rounds/N/`; before any decision, the current files
    // are those of the current round.
    let best = plan.best.as_ref();
    let directory = best.map_or("", |best| best.directory.as_str());
    let review: Option<Review> = content(path, &format!("{directory}review.json"));
    let report: Option<Report> = content(path, &format!("{directory}report.json"));
    let outcome = report.as_ref().map(|report| report.outcome);
    let no_evidence = outcome == Some(ReportOutcome::NoEvidence);
    let answered = report.filter(|_| outcome == Some(ReportOutcome::Answered));
    let unanswered = answered.and_then(|report| not_answered(&report));
    let status = Status {
        round: best.map_or(plan.round, |best| best.round),
        score: review.as_ref().map(|review| review.score),
        below_threshold: best.is_some_and(|best| best.below_threshold),
        no_evidence,
        not_answered: unanswered.is_some(),
        without_sources: outcome == Some(ReportOutcome::Direct),
        altered: altered_report(path),
        ..Status::of(path, session)
    };
    if plan.complete {
        let state = complete(no_evidence);
        // No evidence explains the low score.
        let reason = review.filter(|_| status.below_threshold && !no_evidence);
        return Status {
            state,
            reason: unanswered.or_else(|| reason.as_ref().and_then(shortfall)),
            report: Some(publication(path)),
            running,
            ..status
        };
    }
    let reason = why_open(path, plan);
    if let Some(problem) = blocking(plan) {
        let (state, problem) = (State::Broken, Some(problem));
        return Status {
            state,
            problem,
            running,
            ..status
        };
    }
    let state = stage::state(STAGES, path, plan);
    if running.is_some() {
        // The first stage is under way before it has written anything.
        let is_first = state == State::Pending;
        return Status {
            state: if is_first { State::Researching } else { state },
            reason,
            running,
            ..status
        };
    }
    let (state, problem, waits_for) = stopped(path, state);
    let hint = match plan.next {
        Next::DocumentsGone => Some(without_documents(&documents)),
        _ => hint(path, state, problem.as_deref()),
    };
    Status {
        hint,
        state,
        reason: reason.filter(|_| state == State::Outdated),
        problem,
        waits_for,
        ..status
    }
}

/// The reason why a session is not complete: that of its first stage that runs, or the report that
/// is missing.
fn why_open(path: &Path, plan: &Plan) -> Option<String> {
    let open = plan.stages.iter().find(|line| line.reason != Reason::Fresh);
    let reason = open.map(|line| format!("{}: {}", line.gate, line.reason));
    let is_missing = || !path.join(PUBLICATION).exists();
    reason.or_else(|| is_missing().then(|| format!("{PUBLICATION} is missing")))
}

/// The advice for a session none of whose documents is left.
fn without_documents(documents: &[PathBuf]) -> String {
    let names = documents
        .iter()
        .map(|path| straight(path).display().to_string());
    let names: Vec<String> = names.collect();
    format!(
        "bring back {}, or name others in a new session: research run TOPIC --docs PATH",
        names.join(", ")
    )
}

/// A path without `..` behind a folder.
fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        let last = straight.components().next_back();
        let is_back = matches!(
            (last, part),
            (Some(Component::Normal(_)), Component::ParentDir)
        );
        if is_back {
            straight.pop();
        } else {
            straight.push(part);
        }
    }
    straight
}

/// The changes of documents of the session at `path` that `--frozen` ignores, if there are any.
///
/// # Errors
/// When the session cannot be read.
pub fn ignored_changes(path: &Path, settings: &Settings) -> Result<Option<String>> {
    let plan = plan(path, &session::read(path)?, settings)?;
    let reasons = plan.stages.iter().map(|line| &line.reason);
    let mut changes = reasons.filter(|reason| matches!(reason, Reason::ExternalChanges(_)));
    Ok(changes.next().map(ToString::to_string))
}

/// The problem with the file that cannot be read, if there is one.
fn blocking(plan: &Plan) -> Option<String> {
    match &plan.next {
        Next::Stop(problem) => Some(problem.to_string()),
        _ => None,
    }
}

/// The state in which the last run left a session that is not complete, its problem and its
/// question: by the event log, for display only. `state` is that of its files.
fn stopped(path: &Path, state: State) -> (State, Option<String>, Option<String>) {
    match last_event(path) {
        Some(Event::StageFailed {
            stage,
            problem,
            exhausted,
            unreadable,
        }) => {
            let state = if exhausted {
                State::BudgetEnded
            } else if unreadable {
                // To resume it would fail in the same way.
                State::Broken
            } else {
                State::Failed
            };
            (state, Some(format!("{stage}: {problem}")), None)
        }
        Some(Event::StageWaits { message, .. }) => (State::Waiting, None, Some(message)),
        None | Some(Event::RunFinished) if Published::read(path).is_some() => {
            (State::Outdated, None, None)
        }
        None | Some(Event::RunFinished) => (state, None, None),
        // A run that ends by itself says so: this one was stopped, or died.
        Some(_) => (State::Interrupted, None, None),
    }
}

/// The command that leads on from a state and its problem, for a state that does not end by itself.
fn hint(path: &Path, state: State, problem: Option<&str>) -> Option<String> {
    let resume = RunOptions::default().resumption(path);
    let is_of_time = problem.is_some_and(|problem| problem.contains("--timeout"));
    match state {
        State::Complete | State::NoEvidence | State::Broken => None,
        State::Waiting if run::questions(path).is_some() => {
            Some(format!("{resume} --answer \"TEXT\""))
        }
        State::BudgetEnded if is_of_time => Some(format!(
            "{resume}  # goes on without a limit of time, or give a larger --timeout"
        )),
        State::BudgetEnded => Some(format!(
            "{resume} --dry-run  # says how much money and how many tokens are enough"
        )),
        _ => Some(resume),
    }
}

impl Status {
    /// The status of a session of which nothing but the parameters is known.
    fn of(path: &Path, session: Session) -> Self {
        Self {
            id: session.id,
            path: path.display().to_string(),
            topic: session.topic,
            started_at: session.started_at,
            ..Self::default()
        }
    }
}

//! Wires settings into a pipeline, for one topic or many, and tells what a session has come to.

mod answers;
pub mod batch;
mod feed;
pub mod fetching;
mod finished;
mod follow;
mod list;
mod live;
mod record;
mod rendered;
mod spending;
mod work;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::artifact::report::ReportOutcome;
use crate::artifact::session::{Overview, State};
use crate::artifact::verification::Verdict;
use crate::artifact::{self, Artifact, Report, Research, Review, Session};
use crate::cite;
use crate::config::Settings;
use crate::model::Forecast;
use crate::pipeline::{
    Digest, Engine, Event, Pipeline, Request, read_events, read_file, read_text,
};
use crate::read::Reader;
use crate::session;
use crate::stage::{self, Context, Libraries, PUBLICATION, STAGES};
use crate::web::Online;

pub use answers::{Answers, prompts};
pub use follow::{messages, stored_sources};
pub use live::{Doing, Runner, Running, runners};
pub use rendered::rendered;
pub use spending::{Spending, Spent, Sum, spending};

/// What a run changes about a session's terms, for this run only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Overrides {
    /// The score from which a round is accepted, 0 to 1.
    pub threshold: Option<f64>,
    /// Rounds at most.
    pub max_rounds: Option<u32>,
    /// The coordinator may not ask back.
    pub no_clarify: bool,
}

/// The pipeline for the session at `path`.
///
/// # Errors
/// When this program's own path cannot be found, which reads PDFs as a child.
pub fn pipeline(
    path: &Path,
    session: &Session,
    settings: &Settings,
    overrides: Overrides,
    answers: &Answers,
) -> Result<Pipeline> {
    pipeline_with(path, session, settings, overrides, answers, None)
}

/// The same with the web, for sessions that search it.
///
/// # Errors
/// As [`pipeline`].
pub fn pipeline_with(
    path: &Path,
    session: &Session,
    settings: &Settings,
    overrides: Overrides,
    answers: &Answers,
    online: Option<Arc<Online>>,
) -> Result<Pipeline> {
    let shared = Shared {
        libraries: Libraries::default(),
        online,
    };
    pipeline_over(path, session, settings, overrides, shared, answers)
}

/// What the sessions of a process share.
#[derive(Clone, Default)]
struct Shared {
    libraries: Libraries,
    online: Option<Arc<Online>>,
}

/// The same, over documents that may have been read for other sessions.
fn pipeline_over(
    path: &Path,
    session: &Session,
    settings: &Settings,
    overrides: Overrides,
    shared: Shared,
    answers: &Answers,
) -> Result<Pipeline> {
    let context = Context {
        threshold: overrides.threshold.unwrap_or(session.threshold),
        max_rounds: overrides.max_rounds.unwrap_or(session.max_rounds),
        clarify: session.clarify && !overrides.no_clarify,
        documents: session::documents(path, session),
        settings: settings.clone(),
        reader: reader(settings)?,
        libraries: shared.libraries,
        online: shared.online,
        judge: answers.judge(session, settings)?,
    };
    Ok(stage::pipeline(STAGES, context))
}

/// The reader of documents within the limits of the settings.
///
/// # Errors
/// When this program's own path cannot be found, which reads PDFs as a child.
pub fn reader(settings: &Settings) -> Result<Reader> {
    let program = std::env::current_exe().context("failed to find this program's own path")?;
    Ok(Reader {
        max_bytes: settings.read.max_mebibytes.saturating_mul(1 << 20),
        pdf_timeout: std::time::Duration::from_secs(settings.read.pdf_timeout_seconds),
        ..Reader::new(program)
    })
}

/// What a session has come to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// The session's name.
    pub id: String,
    /// Its directory.
    pub path: String,
    /// What was asked.
    pub topic: String,
    /// Its state, computed from its files.
    pub state: State,
    /// The round that is published or being made.
    pub round: u32,
    /// The score of that round, 0 to 1, once reviewed.
    pub score: Option<f64>,
    /// Whether the published round is below the threshold.
    pub below_threshold: bool,
    /// Whether the documents are silent on the topic.
    pub no_evidence: bool,
    /// When it was opened, RFC 3339.
    pub started_at: String,
    /// What happens in it just now.
    pub running: Option<Running>,
    /// What the last run failed with, if it did: for display only.
    pub problem: Option<String>,
    /// What the last run asked a person for, if it ended so: for display only.
    pub waits_for: Option<String>,
    /// What models were asked for it, if they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent: Option<Sum>,
    /// What one round was to take, if models were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast: Option<Forecast>,
}

/// What the session at `path` has come to.
///
/// # Errors
/// When it cannot be read.
pub fn status(path: &Path, settings: &Settings) -> Result<Status> {
    let session = session::read(path)?;
    let overrides = Overrides::default();
    let pipeline = pipeline(path, &session, settings, overrides, &Answers::default())?;
    let plan = Engine::default().plan(path, &pipeline, &Request::default())?;
    let running = live::running(path);
    let last = read_events(path).pop();
    let last = last.filter(|_| running.is_none() && !plan.complete);
    let (problem, waits_for) = match last.map(|last| last.event) {
        Some(Event::StageFailed { stage, problem }) => (Some(format!("{stage}: {problem}")), None),
        Some(Event::StageWaits { message, .. }) => (None, Some(message)),
        _ => (None, None),
    };
    let directory = plan
        .best
        .as_ref()
        .map_or("", |best| best.directory.as_str());
    let review: Option<Review> = content(path, &format!("{directory}review.json"));
    let report: Option<Report> = content(path, &format!("{directory}report.json"));
    let asked = spending(path)?;
    let research: Option<Research> = match asked.calls.is_empty() {
        true => None,
        false => content(path, "research.json"),
    };
    Ok(Status {
        forecast: spending::forecast(&session, research.as_ref(), &asked, settings),
        spent: (!asked.calls.is_empty()).then_some(asked.total),
        state: match problem {
            Some(_) => State::Failed,
            None => stage::state(STAGES, path, &plan),
        },
        id: session.id,
        path: path.display().to_string(),
        topic: session.topic,
        round: plan.best.as_ref().map_or(plan.round, |best| best.round),
        score: review.map(|review| review.score),
        below_threshold: plan.best.as_ref().is_some_and(|best| best.below_threshold),
        no_evidence: report.is_some_and(|report| report.outcome == ReportOutcome::NoEvidence),
        started_at: session.started_at,
        running,
        problem,
        waits_for,
    })
}

/// The session at `path` as a whole.
///
/// # Errors
/// When it cannot be read.
pub fn overview(path: &Path, settings: &Settings) -> Result<Overview> {
    let status = status(path, settings)?;
    let completed_at = (status.state == State::Complete)
        .then(|| made_at(path, "review.json"))
        .flatten();
    Ok(Overview {
        research: content(path, "research.json"),
        analysis: content(path, "analysis.json"),
        report: content(path, "report.json"),
        id: status.id,
        topic: status.topic,
        status: status.state,
        round: status.round,
        started_at: status.started_at,
        completed_at,
    })
}

/// The published report of the session at `path`.
///
/// # Errors
/// When there is none yet.
pub fn published(path: &Path) -> Result<String> {
    let file = path.join(PUBLICATION);
    read_text(&file).with_context(|| format!("failed to read {}", file.display()))
}

fn content<T: DeserializeOwned>(path: &Path, name: &str) -> Option<T> {
    artifact_at(path, name).map(|artifact| artifact.content)
}

fn made_at(path: &Path, name: &str) -> Option<String> {
    artifact_at::<Review>(path, name).map(|artifact| artifact.made_at)
}

fn artifact_at<T: DeserializeOwned>(path: &Path, name: &str) -> Option<Artifact<T>> {
    artifact::parse(&read_file(&path.join(name)).ok()?).ok()
}

/// What [`verify`] found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Quotations checked.
    pub quotations: usize,
    /// Claims checked.
    pub claims: usize,
    /// Stored texts checked.
    pub sources: usize,
    /// What does not hold.
    pub problems: Vec<String>,
}

/// Checks every quotation of the session at `path` against its stored texts, and the texts against
/// their hashes. Offline; reads files only.
///
/// # Errors
/// When there is nothing to check yet, or a file cannot be read. What does not hold is in the
/// result.
pub fn verify(path: &Path) -> Result<Verified> {
    let research: Research = artifact_file(path, "research.json")?;
    let mut verified = Verified::default();
    let texts = stored_texts(path, &research, &mut verified);
    let text_of = |source: &str| texts.get(source).map(String::as_str);
    for passage in &research.passages {
        verified.quotations += 1;
        let held = match text_of(&passage.source) {
            Some(text) => cite::check_quote(
                &passage.source,
                text,
                passage.start,
                passage.end,
                &passage.quote,
            )
            .map_err(|problem| problem.to_string()),
            None => Err(format!("{} has no stored text", passage.source)),
        };
        if let Err(problem) = held {
            verified
                .problems
                .push(format!("research.json, {}: {problem}", passage.id));
        }
    }
    for name in reports(path) {
        let report: Report = artifact_file(path, &name)?;
        for claim in &report.claims {
            verified.claims += 1;
            verified.quotations += claim.citations.len();
            let found = cite::check_claim(claim, text_of);
            if found.verdict != Verdict::Supported {
                verified
                    .problems
                    .push(format!("{name}, {}: {}", found.claim, found.reason));
            }
        }
    }
    Ok(verified)
}

/// The stored texts of all sources whose text is what was read, by id.
fn stored_texts(
    path: &Path,
    research: &Research,
    verified: &mut Verified,
) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for source in &research.sources {
        verified.sources += 1;
        let name = format!("sources/{}.md", source.id);
        match read_text(&path.join(&name)) {
            Ok(text) => {
                let found = Digest::of(&text);
                if found != source.sha256 {
                    let (was, is) = (source.sha256.short(), found.short());
                    verified.problems.push(format!(
                        "{name} has changed since it was read: was {was}, is {is}"
                    ));
                }
                texts.insert(source.id.clone(), text);
            }
            Err(error) => verified
                .problems
                .push(format!("{name} cannot be read: {error}")),
        }
    }
    texts
}

/// The reports that a session holds: the current round's and those that were sent back.
fn reports(path: &Path) -> Vec<String> {
    let past = (1..).map(|round| format!("rounds/{round}/report.json"));
    let past = past.take_while(|name| path.join(name).exists());
    let current = Some("report.json".to_owned()).filter(|name| path.join(name).exists());
    past.chain(current).collect()
}

fn artifact_file<T: DeserializeOwned>(path: &Path, name: &str) -> Result<T> {
    let file = path.join(name);
    let Ok(bytes) = read_file(&file) else {
        bail!(
            "{} is not there yet: nothing can be verified",
            file.display()
        );
    };
    let artifact: Artifact<T> =
        artifact::parse(&bytes).with_context(|| format!("failed to read {}", file.display()))?;
    Ok(artifact.content)
}

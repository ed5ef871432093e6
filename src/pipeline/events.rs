//! Events and reporters. One enum, [`Event`], covers everything that happens in a session, and
//! feeds the event log, the progress display and other programs; a [`Report`] adds the jobs of a
//! batch.
//!
//! The log (`events.jsonl`) is informational: no decision reads it. An artifact is written before
//! its event, and a torn last line is cut off at the next start.

use std::convert::Infallible;
use std::fmt;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::score::score_text;
use super::session_files::read_file;
use super::{Clock, Digest, Disk, RunOptions};
use crate::platform::refuse_links;

/// The name of the event log in a session.
pub const EVENTS_FILE: &str = "events.jsonl";

/// Something that happened in a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A process acquired the session's lock and has something to do.
    RunStarted {
        /// The process id.
        pid: u32,
        /// The options that a command which resumes the session repeats.
        #[serde(default, skip_serializing_if = "RunOptions::is_empty")]
        options: RunOptions,
    },
    /// A stage began.
    StageStarted {
        /// The stage's name.
        stage: String,
        /// The round, from 1.
        round: u32,
        /// The reason why the stage runs.
        reason: String,
        /// Its number in the pipeline, from 1; 0 in logs of older versions.
        #[serde(default)]
        number: usize,
        /// The number of stages in the pipeline.
        #[serde(default)]
        stages: usize,
    },
    /// A stage reports its progress.
    Progress {
        /// The stage's name.
        stage: String,
        /// The work in progress, for display.
        message: String,
    },
    /// The topic was classified.
    Classified {
        /// The kind of answer that it asks for.
        kind: String,
        /// The depth of the research.
        depth: String,
    },
    /// There is a plan: a new one, or in a resumed run the one on disk.
    Planned {
        /// The number of the plan, from 1.
        plan: u32,
        /// Its steps, those of earlier plans included.
        steps: Vec<PlannedStep>,
    },
    /// A researcher began a step.
    StepStarted {
        /// The step.
        step: String,
        /// Its title.
        title: String,
    },
    /// A researcher takes a turn in a step.
    Turn {
        /// The step.
        step: String,
        /// What it does: `search`, `read`, `open`, `think`, or the name of a tool.
        action: String,
        /// The query, or the titles of what is read.
        subject: Vec<String>,
    },
    /// A turn is over.
    TurnFinished {
        /// The step.
        step: String,
        /// The number of new hits that it showed.
        hits: usize,
        /// The number of new passages that it showed.
        passages: usize,
    },
    /// A step has its finding.
    StepFinished {
        /// The step.
        step: String,
        /// The number of its searches.
        searches: usize,
        /// The number of pages that it read by itself.
        pages: usize,
        /// The number of its passages.
        passages: usize,
        /// `true` if an earlier run made the finding.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reused: bool,
    },
    /// A step failed; the others go on.
    StepFailed {
        /// The step.
        step: String,
        /// The error.
        problem: String,
    },
    /// A step is not needed any more.
    StepSkipped {
        /// The step.
        step: String,
    },
    /// A search service answered, or failed.
    Searched {
        /// The service.
        service: String,
        /// The query.
        query: String,
        /// The number of hits.
        hits: usize,
        /// Its price in US dollars.
        #[serde(default, skip_serializing_if = "is_zero")]
        cost_usd: f64,
        /// The error, if it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
    },
    /// A page was read, or could not be read.
    PageRead {
        /// Its title, or else its host.
        page: String,
        /// The error, if it could not be read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
    },
    /// A document is too long to be read whole.
    DocumentCut {
        /// What of it is not read.
        omission: String,
    },
    /// Documents were not read at all.
    DocumentsSkipped {
        /// Which, and why.
        remark: String,
    },
    /// A model answered an agent.
    Called {
        /// The agent.
        agent: String,
        /// The subject, such as a step of the plan; empty for an agent that has one subject only.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
        /// The number of tokens sent.
        input_tokens: u64,
        /// Of these, read from the provider's cache.
        #[serde(default, skip_serializing_if = "is_none")]
        cached_tokens: u64,
        /// The number of tokens generated.
        output_tokens: u64,
        /// The cost in US dollars; `None` if the price is unknown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost_usd: Option<f64>,
    },
    /// The reflector decided after a batch of steps.
    Reflected {
        /// The number of the plan.
        plan: u32,
        /// The decision.
        decision: String,
        /// The reasons.
        reasoning: String,
        /// The changes that the planner should make.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changes: Vec<String>,
    },
    /// The passages were analysed.
    Analyzed {
        /// The number of insights.
        insights: usize,
        /// The number of themes.
        themes: usize,
        /// The number of contradictions.
        contradictions: usize,
        /// The number of gaps.
        gaps: usize,
    },
    /// A sentence of the draft did not hold as it was first written.
    CitationCorrected {
        /// The sentence as it was first written.
        sentence: String,
        /// The change: `recited`, `rewritten`, `removed`.
        change: String,
        /// The reason.
        reason: String,
    },
    /// A claim in words of its own was checked against its passages.
    ClaimVerified {
        /// The claim.
        claim: String,
        /// The verdict.
        verdict: String,
        /// `true` if it states a number.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        numeric: bool,
    },
    /// The claims of the draft were checked against their passages.
    ClaimsVerified {
        /// The number of claims.
        claims: usize,
        /// Of these, supported.
        supported: usize,
    },
    /// The reviewer decided on the round.
    Reviewed {
        /// The decision.
        decision: String,
        /// The score, 0 to 1.
        score: f64,
    },
    /// A stage's gate is on disk.
    StageFinished {
        /// The stage's name.
        stage: String,
        /// The round, from 1.
        round: u32,
        /// The gate's digest.
        digest: Digest,
    },
    /// A stage failed; everything that it has gathered is preserved.
    StageFailed {
        /// The stage's name.
        stage: String,
        /// The error.
        problem: String,
        /// `true` if the budget or the time of the run is used up.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        exhausted: bool,
        /// `true` if a file of the session cannot be read; the error says what to do.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unreadable: bool,
    },
    /// A stage waits for the user; everything that it has gathered is preserved.
    StageWaits {
        /// The stage's name.
        stage: String,
        /// The question to the user.
        message: String,
    },
    /// Files were superseded: moved to `superseded/N` or `rounds/N`.
    #[serde(rename = "set_aside")]
    Superseded {
        /// The directory of the session that they were moved to.
        to: String,
        /// The reason.
        reason: String,
        /// The files.
        files: Vec<String>,
    },
    /// The report was published.
    Published {
        /// The file.
        file: String,
        /// The round whose report it is.
        round: u32,
        /// `true` if no round reached the threshold.
        below_threshold: bool,
    },
    /// A run crashed while a paid call was in flight. The call is repeated, and may be billed
    /// twice.
    PossiblyBilled {
        /// The call's file.
        file: String,
    },
    /// The run was interrupted and can be resumed.
    Interrupted,
    /// Nothing is left to do.
    RunFinished,
    /// The log cannot be written, so it may lack everything from here on. Reported once per run,
    /// and never logged.
    LogLost {
        /// The error.
        problem: String,
    },
}

/// A step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedStep {
    /// The step.
    pub step: String,
    /// Its title.
    pub title: String,
}

fn is_zero(usd: &f64) -> bool {
    *usd == 0.0
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

impl fmt::Display for Event {
    /// The event as a line for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.of_engine() {
            return f.write_str(&text);
        }
        f.write_str(&self.of_stage())
    }
}

impl Event {
    /// `true` if a stage reports it, `false` if the engine does.
    pub fn is_of_stage(&self) -> bool {
        self.of_engine().is_none()
    }

    /// The step of the plan that it is about.
    pub fn step(&self) -> Option<&str> {
        match self {
            Self::StepStarted { step, .. }
            | Self::Turn { step, .. }
            | Self::TurnFinished { step, .. }
            | Self::StepFinished { step, .. }
            | Self::StepFailed { step, .. }
            | Self::StepSkipped { step } => Some(step),
            _ => None,
        }
    }

    /// The text of an event of the engine; `None` for those of the stages.
    fn of_engine(&self) -> Option<String> {
        Some(match self {
            Self::RunStarted { .. } => "starting".to_owned(),
            Self::StageStarted {
                stage,
                round,
                reason,
                number,
                stages,
            } => {
                let stage = numbered_stage(stage, *number, *stages);
                format!("{stage}, round {round} ({reason})")
            }
            Self::StageFinished { stage, .. } => format!("{stage}: done"),
            Self::StageFailed { stage, problem, .. } => format!("{stage}: failed: {problem}"),
            Self::StageWaits { stage, message } => format!("{stage}: {message}"),
            Self::Superseded { to, reason, files } => {
                format!("moved {} to {to}: {reason}", files.join(", "))
            }
            Self::Published { file, round, .. } => format!("published {file} from round {round}"),
            Self::PossiblyBilled { file } => format!(
                "{file} was in flight when a run was killed: \
                it may have been billed, and is sent again"
            ),
            Self::Interrupted => "interrupted".to_owned(),
            Self::RunFinished => "finished".to_owned(),
            Self::LogLost { problem } => {
                format!("{problem}; the run continues, but its event log is incomplete")
            }
            _ => return None,
        })
    }

    fn of_stage(&self) -> String {
        match self {
            Self::Progress { stage, message } => format!("{stage}: {message}"),
            Self::Classified { kind, depth } => format!("{kind} question, {depth}"),
            Self::Planned { plan, steps } => {
                format!("plan {plan}: {}", number(steps.len(), "step"))
            }
            Self::StepStarted { step, title } => format!("step {step}: {title}"),
            Self::Turn {
                step,
                action,
                subject,
            } => format!("step {step}: {}", turn(action, subject)),
            Self::TurnFinished {
                step,
                hits,
                passages,
            } => format!(
                "step {step}: {} and {} shown",
                number(*hits, "hit"),
                number(*passages, "passage")
            ),
            Self::StepFinished { step, reused, .. } if *reused => {
                format!("step {step}: done by an earlier run")
            }
            Self::StepFinished { step, passages, .. } => {
                format!("step {step}: done, {}", number(*passages, "passage"))
            }
            Self::StepFailed { step, problem } => format!("step {step}: failed: {problem}"),
            Self::StepSkipped { step } => format!("step {step}: skipped"),
            Self::Reflected {
                decision,
                reasoning,
                ..
            } => format!("reflection: {decision}: {reasoning}"),
            Self::Reviewed { decision, score } => {
                format!("review: {decision}, score {}", score_text(*score))
            }
            _ => self.of_service(),
        }
    }

    /// The text of an event that reports figures.
    fn of_service(&self) -> String {
        match self {
            Self::Searched {
                service,
                query,
                hits,
                cost_usd,
                problem,
            } => match problem {
                Some(problem) => format!("{service}: “{query}” failed: {problem}"),
                None if *cost_usd > 0.0 => {
                    format!(
                        "{service}: “{query}”, {}, ${cost_usd:.3}",
                        number(*hits, "hit")
                    )
                }
                None => format!("{service}: “{query}”, {}", number(*hits, "hit")),
            },
            Self::PageRead { page, problem } => match problem {
                Some(problem) => format!("not read: {page}: {problem}"),
                None => format!("read {page}"),
            },
            Self::DocumentCut { omission } => format!("not read: {omission}"),
            Self::DocumentsSkipped { remark } => remark.clone(),
            Self::Called {
                agent,
                about,
                input_tokens,
                output_tokens,
                ..
            } => {
                let subject = [agent.as_str(), about].join(" ");
                let subject = subject.trim_end();
                format!("{subject}: {input_tokens} tokens in, {output_tokens} out")
            }
            Self::Analyzed {
                insights,
                contradictions,
                gaps,
                ..
            } => format!(
                "{}, {}, {}",
                number(*insights, "insight"),
                number(*contradictions, "contradiction"),
                number(*gaps, "gap")
            ),
            Self::CitationCorrected {
                sentence,
                change,
                reason,
            } => format!("{change}: “{sentence}” ({reason})"),
            Self::ClaimVerified { claim, verdict, .. } => format!("{claim}: {verdict}"),
            Self::ClaimsVerified { claims, supported } => {
                format!("{supported} of {} supported", number(*claims, "claim"))
            }
            _ => String::new(),
        }
    }
}

/// The name of a stage with its number: `stage 1 of 4: research`.
pub fn numbered_stage(name: &str, number: usize, stages: usize) -> String {
    match number {
        0 => name.to_owned(),
        number => format!("stage {number} of {stages}: {name}"),
    }
}

/// The text of a researcher's turn.
pub fn turn(action: &str, subject: &[String]) -> String {
    let subject = subject.join(", ");
    match action {
        "search" => format!("searching “{subject}”"),
        "read" => format!("reading {subject}"),
        "open" => format!("reading on in {subject}"),
        "think" => "thinking".to_owned(),
        tool => format!("{tool} {subject}").trim_end().to_owned(),
    }
}

fn number(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct LogEntry {
    /// The time, RFC 3339.
    pub at: String,
    /// The event.
    pub event: Event,
}

/// A message to a [`Reporter`]. Workers are numbered from 0. `J` is the result of a job of a batch;
/// a run of a single session has none.
#[derive(Debug)]
pub enum Report<'a, J = Infallible> {
    /// Something happened in a session.
    Session {
        /// The worker of a batch that works on the session; `None` in a single run.
        worker: Option<usize>,
        /// The event.
        event: &'a Event,
    },
    /// A worker began a job.
    JobStarted {
        /// The worker.
        worker: usize,
        /// The job's name, for display.
        name: &'a str,
    },
    /// A job is finished. These reports come in the order in which jobs finish.
    JobFinished {
        /// The worker; `None` if the job needed none.
        worker: Option<usize>,
        /// The number of jobs that are finished, this one included.
        finished: u64,
        /// The result.
        job: &'a J,
    },
    /// The same result again, in the order of the list of jobs.
    JobInOrder(&'a J),
}

impl<J> Clone for Report<'_, J> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<J> Copy for Report<'_, J> {}

/// Receives each report as it happens: the progress display, a server. Engine, run and batch share
/// it.
pub type Reporter<J = Infallible> = Arc<dyn Fn(&Report<'_, J>) + Send + Sync>;

/// The reporter of one worker: passes the events of its sessions on to the batch's `reporter`.
pub fn worker_reporter<J: 'static>(reporter: &Reporter<J>, worker: usize) -> Reporter {
    let reporter = Arc::clone(reporter);
    Arc::new(move |report| {
        // The batch itself reports the start and the end of jobs.
        if let Report::Session { event, .. } = *report {
            let worker = Some(worker);
            reporter(&Report::Session { worker, event });
        }
    })
}

/// The log of one session, and the reporter that sees each event first.
#[derive(Clone)]
pub struct EventLog {
    path: PathBuf,
    disk: Disk,
    clock: Clock,
    reporter: Option<Reporter>,
    /// `true` once the failure to write the log has been reported.
    is_lost: Arc<AtomicBool>,
}

impl EventLog {
    /// The log in `session`.
    pub fn new(session: &Path, disk: Disk, clock: Clock, reporter: Option<Reporter>) -> Self {
        Self {
            path: session.join(EVENTS_FILE),
            disk,
            clock,
            reporter,
            is_lost: Arc::default(),
        }
    }

    /// Reports the event, then appends one line in one write. A failure to append is reported once
    /// and does not stop the run: the artifact that the line is about is on disk.
    pub fn log(&self, event: Event) {
        // Reported first: the display does not depend on the disk.
        self.report(&event);
        if let Err(error) = self.append(event) {
            self.report_lost(&error);
        }
    }

    fn report(&self, event: &Event) {
        if let Some(reporter) = &self.reporter {
            let worker = None;
            reporter(&Report::Session { worker, event });
        }
    }

    fn report_lost(&self, error: &Error) {
        if !self.is_lost.swap(true, Ordering::SeqCst) {
            let problem = format!("{error:#}");
            self.report(&Event::LogLost { problem });
        }
    }

    fn append(&self, event: Event) -> Result<()> {
        let entry = LogEntry {
            at: self.clock.timestamp(),
            event,
        };
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        // A line torn by a full disk must not run into the next line, which reports the failure.
        self.disk.append(&self.path, &line).inspect_err(|_| {
            let _ = self.truncate_torn_line();
        })
    }

    /// Cuts off a last line that a crash left incomplete (crash recovery of the log); a failure is
    /// reported as in [`Self::log`].
    pub fn repair(&self) {
        if let Err(error) = self.truncate_torn_line() {
            self.report_lost(&error);
        }
    }

    fn truncate_torn_line(&self) -> Result<()> {
        // A missing log needs no repair; any other problem shows when the next line is appended.
        let Ok(bytes) = read_file(&self.path) else {
            return Ok(());
        };
        let length = complete_lines(&bytes).len();
        if length == bytes.len() {
            return Ok(());
        }
        refuse_links(OpenOptions::new().write(true))
            .open(&self.path)
            .and_then(|file| file.set_len(length as u64))
            .with_context(|| format!("failed to repair {}", self.path.display()))
    }
}

/// Reads a log while another process writes it.
pub struct EventReader {
    path: PathBuf,
    /// The number of bytes that were read: whole lines.
    position: usize,
}

impl EventReader {
    /// The reader of the log of `session`, from its beginning.
    pub fn new(session: &Path) -> Self {
        Self {
            path: session.join(EVENTS_FILE),
            position: 0,
        }
    }

    /// Returns the events that were logged since the last time. Lines of a newer program are
    /// skipped.
    pub fn read(&mut self) -> Vec<LogEntry> {
        let bytes = read_file(&self.path).unwrap_or_default();
        let new = bytes.get(self.position..).unwrap_or_default();
        let lines = complete_lines(new);
        self.position += lines.len();
        entries(lines)
    }
}

/// The events of a session, oldest first. A torn last line and lines of a newer program are
/// skipped.
pub fn read_events(session: &Path) -> Vec<LogEntry> {
    EventReader::new(session).read()
}

/// The last event of a session, for display.
pub fn last_event(session: &Path) -> Option<Event> {
    let bytes = read_file(&session.join(EVENTS_FILE)).ok()?;
    let mut lines = complete_lines(&bytes).rsplit(|byte| *byte == b'\n');
    let entry = lines.find_map(|line| serde_json::from_slice::<LogEntry>(line).ok());
    entry.map(|entry| entry.event)
}

/// The options of the last run of a session, for display.
pub fn last_options(session: &Path) -> RunOptions {
    let bytes = read_file(&session.join(EVENTS_FILE)).unwrap_or_default();
    let mut starts = complete_lines(&bytes)
        .rsplit(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<LogEntry>(line).ok())
        .filter_map(|entry| match entry.event {
            Event::RunStarted { options, .. } => Some(options),
            _ => None,
        });
    starts.next().unwrap_or_default()
}

fn entries(lines: &[u8]) -> Vec<LogEntry> {
    lines
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

/// The bytes up to and including the last newline.
fn complete_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    &bytes[..end.map_or(0, |position| position + 1)]
}

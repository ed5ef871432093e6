//! The screens: the question and the list, a session, its files, two rounds side by side.

use std::path::Path as FilePath;

use axum::extract::{Path, Query};
use axum::http::HeaderValue;
use axum::response::Response;
use minijinja::{Value, context};
use percent_encoding::utf8_percent_encode;
use serde::{Deserialize, Serialize};

use super::super::app::blocking;
use super::super::export::formats;
use super::super::files;
use super::super::forecast::{Explanation, explain};
use super::super::list::{Latest, ListParams, page};
use super::super::problem::Problem;
use super::super::sessions::{DiffParams, SessionView, compare};
use super::super::tenant::Tenant;
use super::knowledge::drawing;
use super::template::{PageProblem, render, serialized};
use crate::artifact::Research;
use crate::export::{Format, LINK_SEGMENT, html};
use crate::inspect::{self, ExportOptions, Rounds};
use crate::pipeline::{Digest, EVENTS_FILE, Event, Reason, read_events};
use crate::run::artifacts::content;
use crate::run::is_editable;

type Page = Result<Response, PageProblem>;

/// The maximum number of lines of a stage that are shown (chosen by hand: a screen or two).
const LINES: usize = 60;

/// The maximum number of sessions that one can be compared with (chosen by hand).
const OTHERS: usize = 30;

/// The report without the frame of its page.
const BODY: Format = Format {
    name: "html",
    render: |edition| Ok(html::body(edition).into_bytes()),
    ..html::FORMAT
};

/// The values of the form of a question, as it was sent.
#[derive(Debug, Clone, Serialize)]
pub(super) struct AskFields {
    pub(super) topic: String,
    pub(super) depth: String,
    pub(super) max_rounds: u32,
    pub(super) web: bool,
    pub(super) approve_plan: bool,
    pub(super) offline: bool,
}

/// `GET /`.
pub(crate) async fn home(app: Tenant, Query(params): Query<ListParams>) -> Page {
    blocking(move || home_page(&app, &params, None, None, None))
        .await
        .map_err(PageProblem)
}

/// The first screen; with a question that was sent, what it would take or why not.
pub(super) fn home_page(
    app: &Tenant,
    params: &ListParams,
    fields: Option<AskFields>,
    forecast: Option<Explanation>,
    problem: Option<String>,
) -> Result<Response, Problem> {
    let run = &app.settings.run;
    let fields = fields.unwrap_or_else(|| AskFields {
        topic: String::new(),
        depth: format!("{:?}", run.depth).to_lowercase(),
        max_rounds: run.max_rounds,
        web: app.documents.is_empty(),
        approve_plan: false,
        offline: false,
    });
    let documents = app.documents.iter().map(|path| path.display().to_string());
    render(
        "home.html",
        context! {
            ask => serialized(&fields),
            list => serialized(page(app, params)?),
            forecast => serialized(&forecast),
            documents => documents.collect::<Vec<_>>(),
            services => app.settings.search.services.as_str(),
            model => app.backend.describe(),
            owner => app.owner(),
            batches => serialized(inspect::running_batches(app.output_dir())),
            problem,
        },
    )
}

/// A stage of the last run, with what it reported.
#[derive(Debug, Serialize)]
struct StageLines {
    name: String,
    /// The reason why it ran again; empty if it was the first time.
    note: String,
    lines: Vec<StepLine>,
}

/// A step of a stage, or an event that is of none.
#[derive(Debug, Serialize)]
struct StepLine {
    step: Option<String>,
    text: String,
    /// What the step does, or came to.
    note: String,
}

/// The tree of the last run: its stages, their steps and other events.
fn tree(path: &FilePath) -> Vec<StageLines> {
    let mut stages: Vec<StageLines> = Vec::new();
    for entry in read_events(path) {
        match &entry.event {
            Event::RunStarted { .. } => stages.clear(),
            Event::StageStarted {
                stage,
                round,
                reason,
                ..
            } => stages.push(StageLines {
                name: format!("{stage}, round {round}"),
                // That it was not made before says nothing of a stage that runs.
                note: Some(reason.clone())
                    .filter(|reason| *reason != Reason::Missing.to_string())
                    .unwrap_or_default(),
                lines: Vec::new(),
            }),
            event if event.is_of_stage() => {
                if let Some(stage) = stages.last_mut() {
                    stage.add(event);
                }
            }
            _ => {}
        }
    }
    stages
}

impl StageLines {
    /// Adds a line, or a note to the line of its step.
    fn add(&mut self, event: &Event) {
        let text = event.to_string();
        let (step, text, note) = match event {
            Event::StepStarted { step, title } => (Some(step), title.clone(), String::new()),
            Event::StepFinished { step, .. }
            | Event::StepFailed { step, .. }
            | Event::StepSkipped { step }
            | Event::Turn { step, .. }
            | Event::TurnFinished { step, .. } => {
                let note = text
                    .split_once(": ")
                    .map_or(text.as_str(), |(_, note)| note);
                (Some(step), step.clone(), note.to_owned())
            }
            // The steps follow by themselves.
            Event::Planned { .. } => return,
            _ => (None, text, String::new()),
        };
        let mut lines = self.lines.iter_mut();
        match lines.find(|line| step.is_some() && line.step.as_ref() == step) {
            Some(line) => line.note = note,
            None => self.lines.push(StepLine {
                step: step.cloned(),
                text,
                note,
            }),
        }
        let surplus = self.lines.len().saturating_sub(LINES);
        self.lines.drain(..surplus);
    }
}

/// The values of a session that its progress shows, and whether it is under way.
fn progress_values(app: &Tenant, path: &FilePath) -> Result<(Value, bool), Problem> {
    let view = SessionView::of(app, path)?;
    let is_live = view.is_live(app, path);
    let values = context! {
        view => serialized(&view),
        steps => serialized(tree(path)),
        is_live,
    };
    Ok((values, is_live))
}

/// `GET /sessions/{id}/progress`: a part of the screen of a session.
pub(crate) async fn progress(app: Tenant, Path(id): Path<String>) -> Page {
    blocking(move || {
        let (values, is_live) = progress_values(&app, &app.session(&id)?.0)?;
        let mut response = render("progress.html", values)?;
        let live = HeaderValue::from_static(if is_live { "true" } else { "false" });
        response.headers_mut().insert("x-live", live);
        Ok(response)
    })
    .await
    .map_err(PageProblem)
}

/// `GET /sessions/{id}`.
pub(crate) async fn session(app: Tenant, Path(id): Path<String>) -> Page {
    blocking(move || session_page(&app, &id))
        .await
        .map_err(PageProblem)
}

fn session_page(app: &Tenant, id: &str) -> Result<Response, Problem> {
    let (path, own) = app.session(id)?;
    let log = std::fs::metadata(path.join(EVENTS_FILE));
    let (values, _) = progress_values(app, &path)?;
    let files = files::files(&path).into_iter().map(|file| file.name);
    let plans = files.filter(|name| name.starts_with("research/plan-") && is_editable(name));
    let others = Latest::read(app)?.sessions.into_iter();
    let others = others
        .map(|(_, session)| context! { id => session.id, topic => session.topic })
        .filter(|other| {
            other
                .get_attr("id")
                .is_ok_and(|other| other.as_str() != Some(id))
        });
    let report = report(app, &path);
    let formats: Vec<&str> = formats().map(|format| format.name).collect();
    render(
        "session.html",
        context! {
            base => base(id),
            position => log.map_or(0, |log| log.len()),
            plan => serialized(explain(app, &path, &own, false)?),
            plans => plans.collect::<Vec<_>>(),
            steps_of_plan => serialized(inspect::tasks(&path).tasks),
            is_own => app.queue.has(&path),
            sources => serialized(sources(&path)),
            knowledge => serialized(drawing(&path)),
            rounds => Rounds::of(&path, &app.settings)?.last(),
            formats => if report.is_some() { formats } else { Vec::new() },
            others => others.take(OTHERS).collect::<Vec<_>>(),
            report,
            ..values
        },
    )
}

/// The address of a session.
pub(super) fn base(id: &str) -> String {
    format!("/sessions/{}", utf8_percent_encode(id, LINK_SEGMENT))
}

/// The report of a session as HTML, if there is one that can be read.
fn report(app: &Tenant, path: &FilePath) -> Option<String> {
    let exported = inspect::export(path, &app.settings, &BODY, ExportOptions::default()).ok()?;
    String::from_utf8(exported.bytes).ok()
}

/// A source, for its line.
#[derive(Debug, Serialize)]
struct SourceLine {
    id: String,
    title: String,
    kind: String,
    credibility: String,
}

fn sources(path: &FilePath) -> Vec<SourceLine> {
    let research: Option<Research> = content(path, "research.json");
    let sources = research.into_iter().flat_map(|research| research.sources);
    let line = |source: crate::artifact::Source| SourceLine {
        credibility: format!("{:.2}", source.credibility.score),
        id: source.id,
        title: source.title,
        kind: source.kind,
    };
    sources.map(line).collect()
}

/// `GET /sessions/{id}/files`.
pub(crate) async fn files(app: Tenant, Path(id): Path<String>) -> Page {
    blocking(move || {
        let files = files::files(&app.session(&id)?.0);
        let files = serialized(files);
        render("files.html", context! { base => base(&id), id, files })
    })
    .await
    .map_err(PageProblem)
}

/// `GET /sessions/{id}/files/{name}`.
pub(crate) async fn file(app: Tenant, Path((id, name)): Path<(String, String)>) -> Page {
    blocking(move || {
        let (path, _) = app.session(&id)?;
        let bytes = files::file(&path, &name)?;
        file_page(
            &id,
            &name,
            &String::from_utf8_lossy(&bytes),
            &Digest::of(&bytes),
            None,
        )
    })
    .await
    .map_err(PageProblem)
}

/// A file for reading or editing; after an edit that was refused, with the text and the reason.
pub(super) fn file_page(
    id: &str,
    name: &str,
    text: &str,
    seen: &Digest,
    problem: Option<String>,
) -> Result<Response, Problem> {
    let (editable, seen) = (is_editable(name), seen.to_string());
    render(
        "file.html",
        context! { base => base(id), name, text, seen, editable, problem },
    )
}

/// The parameters of a comparison; an empty one is none, as forms send it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Compared {
    from: Option<u32>,
    to: Option<u32>,
    with: Option<String>,
}

/// `GET /sessions/{id}/diff`.
pub(crate) async fn diff(
    app: Tenant,
    Path(id): Path<String>,
    Query(params): Query<Compared>,
) -> Page {
    blocking(move || {
        let Compared { from, to, with } = params;
        let with = with.filter(|id| !id.is_empty());
        let params = DiffParams { from, to, with };
        let diff = serialized(compare(&app, &id, &params)?.difference());
        let with = params.with;
        render("diff.html", context! { base => base(&id), diff, with })
    })
    .await
    .map_err(PageProblem)
}

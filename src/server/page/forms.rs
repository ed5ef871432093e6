//! What the forms of the page do. Each ends in the screen of its session, so that a browser may
//! renew that without doing it again.

use axum::extract::Path;
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;

use super::super::app::blocking;
use super::super::ask::{Ask, RunTerms};
use super::super::files::replace;
use super::super::forecast::forecast_of;
use super::super::list::ListParams;
use super::super::problem::Problem;
use super::super::sessions::{answer_questions, approve_plan, cancel_run};
use super::super::tenant::Tenant;
use super::own_form::{OwnForm, Press};
use super::screens::{AskFields, base, file_page, home_page};
use super::template::PageProblem;
use crate::artifact::session::Depth;
use crate::pipeline::Digest;
use crate::run::fetching::comma_separated;

type Page = Result<Response, PageProblem>;

/// The form of a question.
#[derive(Debug, Deserialize)]
pub(crate) struct AskForm {
    topic: String,
    depth: Option<Depth>,
    max_rounds: Option<u32>,
    /// The session that it follows up.
    follow: Option<String>,
    web: Option<String>,
    approve_plan: Option<String>,
    offline: Option<String>,
    action: Option<String>,
}

/// `POST /ask`: starts the session of a question, or shows what it would take.
pub(crate) async fn ask(app: Tenant, OwnForm(form): OwnForm<AskForm>) -> Page {
    blocking(move || answer_form(&app, form))
        .await
        .map_err(PageProblem)
}

fn answer_form(app: &Tenant, form: AskForm) -> Result<Response, Problem> {
    let is_web = form.web.is_some();
    let ask = Ask {
        // Browsers end lines with CR LF.
        topic: form.topic.replace("\r\n", "\n").trim().to_owned(),
        depth: Some(form.depth.unwrap_or(app.settings.run.depth)),
        max_rounds: form.max_rounds,
        follow: form.follow,
        docs: is_web.then(Vec::new).filter(|_| app.documents.is_empty()),
        search: is_web.then(|| comma_separated(&app.settings.search.services)),
        approve_plan: form.approve_plan.is_some(),
        offline: form.offline.is_some(),
        ..Ask::default()
    };
    let fields = AskFields {
        topic: ask.topic.clone(),
        depth: format!("{:?}", ask.depth.unwrap_or(Depth::Auto)).to_lowercase(),
        max_rounds: ask.max_rounds.unwrap_or(app.settings.run.max_rounds),
        web: is_web,
        approve_plan: ask.approve_plan,
        offline: ask.offline,
    };
    let list = ListParams::default();
    if form.action.as_deref() == Some("forecast") {
        return match forecast_of(app, &ask) {
            Ok(forecast) => home_page(app, &list, Some(fields), Some(forecast), None),
            Err(problem) => refused(app, fields, problem),
        };
    }
    match app.start(&ask) {
        Ok(started) => Ok(Redirect::to(&base(&started.id)).into_response()),
        Err(problem) => refused(app, fields, problem),
    }
}

/// The form again, with what is wrong in it and the status of that.
fn refused(app: &Tenant, fields: AskFields, problem: Problem) -> Result<Response, Problem> {
    let status = problem.status();
    let list = ListParams::default();
    let page = home_page(app, &list, Some(fields), None, Some(problem.detail))?;
    Ok((status, page).into_response())
}

/// `POST /sessions/{id}/resume`.
pub(crate) async fn resume(
    app: Tenant,
    Path(id): Path<String>,
    OwnForm(Press {}): OwnForm<Press>,
) -> Page {
    to_session(id, move |id| {
        let (path, session) = app.session(id)?;
        let terms = RunTerms::of_session(&session, &app.settings);
        app.enqueue(path, session, terms).map(drop)
    })
    .await
}

/// `POST /sessions/{id}/cancel`.
pub(crate) async fn cancel(
    app: Tenant,
    Path(id): Path<String>,
    OwnForm(Press {}): OwnForm<Press>,
) -> Page {
    to_session(id, move |id| cancel_run(&app, id).map(drop)).await
}

/// `POST /sessions/{id}/approve`.
pub(crate) async fn approve(
    app: Tenant,
    Path(id): Path<String>,
    OwnForm(Press {}): OwnForm<Press>,
) -> Page {
    to_session(id, move |id| approve_plan(&app, id).map(drop)).await
}

/// The form of an answer to the questions of a session.
#[derive(Debug, Deserialize)]
pub(crate) struct AnswerForm {
    text: String,
}

/// `POST /sessions/{id}/answer`.
pub(crate) async fn answer(
    app: Tenant,
    Path(id): Path<String>,
    OwnForm(form): OwnForm<AnswerForm>,
) -> Page {
    to_session(id, move |id| {
        answer_questions(&app, id, &form.text).map(drop)
    })
    .await
}

/// Does something with a session, then shows it.
async fn to_session(
    id: String,
    work: impl FnOnce(&str) -> Result<(), Problem> + Send + 'static,
) -> Page {
    let location = base(&id);
    blocking(move || work(&id)).await.map_err(PageProblem)?;
    Ok(Redirect::to(&location).into_response())
}

/// The form of an edited file.
#[derive(Debug, Deserialize)]
pub(crate) struct FileForm {
    text: String,
    /// The digest of the file that was edited.
    seen: Digest,
    action: String,
}

/// `POST /sessions/{id}/files/{name}`: saves an edited file, and goes on with the session.
pub(crate) async fn save(
    app: Tenant,
    Path((id, name)): Path<(String, String)>,
    OwnForm(form): OwnForm<FileForm>,
) -> Page {
    blocking(move || {
        let (path, session) = app.session(&id)?;
        let text = form.text.replace("\r\n", "\n");
        if let Err(problem) = replace(&app, &path, &name, text.as_bytes(), &form.seen) {
            return file_page(&id, &name, &text, &form.seen, Some(problem.detail));
        }
        if form.action == "resume" {
            let terms = RunTerms::of_session(&session, &app.settings);
            app.enqueue(path, session, terms)?;
        }
        Ok(Redirect::to(&base(&id)).into_response())
    })
    .await
    .map_err(PageProblem)
}

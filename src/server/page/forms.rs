//! What the forms of the page do. Each ends in the screen of its session, so that a browser may
//! renew that without doing it again.

use std::sync::Arc;

use axum::extract::{Form, FromRequest, Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::super::app::{App, blocking};
use super::super::ask::{Ask, RunTerms};
use super::super::files::replace;
use super::super::forecast::forecast_of;
use super::super::guard::tells_origin;
use super::super::problem::Problem;
use super::super::sessions::{ListParams, answer_questions, approve_plan, cancel_run};
use super::screens::{AskFields, base, file_page, home_page};
use super::template::PageProblem;
use crate::artifact::session::Depth;
use crate::pipeline::Digest;
use crate::run::fetching::comma_separated;

type Page = Result<Response, PageProblem>;

/// A form that a page of this server sent, as the browser tells.
pub(crate) struct OwnForm<T>(T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for OwnForm<T> {
    type Rejection = PageProblem;

    async fn from_request(request: Request, state: &S) -> Result<Self, PageProblem> {
        // Any page can send a form. The guard has refused those of other origins, if the browser
        // told the origin; one that does not is too old.
        if !tells_origin(request.headers()) {
            let detail = "forms are taken from browsers that tell where they come from; programs \
                          use the routes under /v1";
            return Err(PageProblem(Problem::new(StatusCode::FORBIDDEN, detail)));
        }
        let form = Form::from_request(request, state).await;
        let form =
            form.map_err(|rejection| Problem::new(rejection.status(), rejection.body_text()));
        Ok(Self(form.map_err(PageProblem)?.0))
    }
}

/// The form of a question.
#[derive(Debug, Deserialize)]
pub(crate) struct AskForm {
    topic: String,
    depth: Depth,
    max_rounds: u32,
    web: Option<String>,
    approve_plan: Option<String>,
    offline: Option<String>,
    action: Option<String>,
}

/// `POST /ask`: starts the session of a question, or shows what it would take.
pub(crate) async fn ask(State(app): State<Arc<App>>, OwnForm(form): OwnForm<AskForm>) -> Page {
    blocking(move || answer_form(&app, form))
        .await
        .map_err(PageProblem)
}

fn answer_form(app: &Arc<App>, form: AskForm) -> Result<Response, Problem> {
    let is_web = form.web.is_some();
    let ask = Ask {
        // Browsers end lines with CR LF.
        topic: form.topic.replace("\r\n", "\n").trim().to_owned(),
        depth: Some(form.depth),
        max_rounds: Some(form.max_rounds),
        docs: is_web.then(Vec::new).filter(|_| app.documents.is_empty()),
        search: is_web.then(|| comma_separated(&app.settings.search.services)),
        approve_plan: form.approve_plan.is_some(),
        offline: form.offline.is_some(),
        ..Ask::default()
    };
    let asked = AskFields {
        topic: ask.topic.clone(),
        depth: format!("{:?}", form.depth).to_lowercase(),
        max_rounds: form.max_rounds,
        web: is_web,
        approve_plan: ask.approve_plan,
        offline: ask.offline,
    };
    let list = ListParams::default();
    if form.action.as_deref() == Some("forecast") {
        return match forecast_of(app, &ask) {
            Ok(forecast) => home_page(app, &list, Some(asked), Some(forecast), None),
            Err(problem) => home_page(app, &list, Some(asked), None, Some(problem.detail)),
        };
    }
    match start(app, &ask) {
        Ok(id) => Ok(Redirect::to(&base(&id)).into_response()),
        Err(problem) => home_page(app, &list, Some(asked), None, Some(problem.detail)),
    }
}

fn start(app: &Arc<App>, ask: &Ask) -> Result<String, Problem> {
    let prepared = app.prepare(ask)?;
    let session = app.open(&prepared)?;
    let id = session.id.clone();
    app.enqueue(prepared.location.path, session, prepared.terms)?;
    Ok(id)
}

/// A form without fields.
#[derive(Debug, Deserialize)]
pub(crate) struct Press {}

/// `POST /sessions/{id}/resume`.
pub(crate) async fn resume(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    OwnForm(Press {}): OwnForm<Press>,
) -> Page {
    to_session(id, move |id| {
        let (path, session) = app.session(id)?;
        app.enqueue(path, session, RunTerms::default()).map(drop)
    })
    .await
}

/// `POST /sessions/{id}/cancel`.
pub(crate) async fn cancel(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    OwnForm(Press {}): OwnForm<Press>,
) -> Page {
    to_session(id, move |id| cancel_run(&app, id).map(drop)).await
}

/// `POST /sessions/{id}/approve`.
pub(crate) async fn approve(
    State(app): State<Arc<App>>,
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
    State(app): State<Arc<App>>,
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
    let place = base(&id);
    blocking(move || work(&id)).await.map_err(PageProblem)?;
    Ok(Redirect::to(&place).into_response())
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
    State(app): State<Arc<App>>,
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
            app.enqueue(path, session, RunTerms::default())?;
        }
        Ok(Redirect::to(&base(&id)).into_response())
    })
    .await
    .map_err(PageProblem)
}

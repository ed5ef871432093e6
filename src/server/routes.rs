//! The table of routes, from which the router and the OpenAPI description derive.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, any, delete, get, post, put};
use axum::{Extension, Json, Router};
use schemars::{JsonSchema, SchemaGenerator};

use super::app::App;
use super::ask::Ask;
use super::guard::{guard, wants_page};
use super::problem::Problem;
use super::route::{Answer, Handler, Route, SchemaOf};
use super::{
    chat, demo, evidence, export, files, follow, forecast, list, mcp_http, openapi, page, sessions,
    workflow,
};
use crate::export::difference::Difference;
use crate::inspect::{Graph, Spending, Tasks, VerifyReport};

const fn json<T: JsonSchema>() -> Answer {
    Answer::Json(SchemaGenerator::subschema_for::<T>)
}

const fn body<T: JsonSchema>() -> Option<SchemaOf> {
    Some(SchemaGenerator::subschema_for::<T>)
}

const fn query<T: JsonSchema>() -> Option<SchemaOf> {
    Some(|schemas| T::json_schema(schemas))
}

/// A route that reads something, for others to differ from.
const READ: Route = Route {
    method: "GET",
    path: "",
    id: "",
    about: "",
    handler: MethodRouter::new,
    query: None,
    headers: &[],
    body: None,
    answer: Answer::Other(&["application/json"]),
    statuses: &[200],
    problems: &[404],
};

/// A route that does something with a session.
const ACT: Route = Route {
    method: "POST",
    answer: json::<sessions::SessionView>(),
    statuses: &[202],
    problems: &[404, 409, 415, 422, 503],
    ..READ
};

/// Every route.
pub(super) const ROUTES: &[Route] = &[
    Route {
        path: "/health",
        id: "health",
        about: "Whether the server runs, and its version",
        handler: || get(workflow::health),
        answer: json::<workflow::Health>(),
        problems: &[],
        ..READ
    },
    Route {
        path: "/ready",
        id: "ready",
        about: "Whether the server takes runs",
        handler: || get(workflow::ready),
        answer: json::<workflow::Ready>(),
        problems: &[503],
        ..READ
    },
    Route {
        path: "/metrics",
        id: "metrics",
        about: "Requests, runs, sessions, tokens and cost, for Prometheus",
        handler: || get(workflow::metrics),
        answer: Answer::Other(&["text/plain", "application/openmetrics-text"]),
        ..READ
    },
    Route {
        path: "/graph",
        id: "graph",
        about: "The pipeline as a graph",
        handler: || get(workflow::graph),
        answer: json::<Graph>(),
        problems: &[],
        ..READ
    },
    Route {
        path: "/run",
        id: "run",
        about: "Answer a question with a report, in one request",
        handler: || post(workflow::run),
        body: body::<workflow::RunRequest>(),
        answer: json::<workflow::RunReply>(),
        statuses: &[200],
        problems: &[402, 409, 415, 422, 502, 503, 504],
        ..ACT
    },
    Route {
        path: "/demo",
        id: "demo",
        about: "Answer a question over a WebSocket, state by state",
        handler: || get(demo::demo),
        headers: &[
            ("Connection", "Upgrade", true),
            ("Upgrade", "websocket", true),
            ("Sec-WebSocket-Version", "13", true),
            ("Sec-WebSocket-Key", "A nonce", true),
        ],
        statuses: &[101],
        problems: &[426],
        ..READ
    },
    Route {
        path: "/v1/models",
        id: "listModels",
        about: "The depths of research, as models of chat completions",
        handler: || get(chat::models),
        answer: json::<chat::Models>(),
        problems: &[],
        ..READ
    },
    Route {
        path: "/v1/models/{model}",
        id: "showModel",
        about: "A model of chat completions",
        handler: || get(chat::model),
        answer: json::<chat::Model>(),
        ..READ
    },
    Route {
        path: "/v1/chat/completions",
        id: "completeChat",
        about: "Answer a conversation with a report, in the protocol of OpenAI",
        handler: || post(chat::complete),
        body: body::<chat::ChatRequest>(),
        answer: Answer::Other(&["*/*"]),
        statuses: &[200],
        problems: &[402, 404, 409, 415, 422, 502, 503, 504],
        ..ACT
    },
    Route {
        path: "/v1/search",
        id: "searchDocuments",
        about: "The passages of the documents that answer a query best",
        handler: || get(evidence::search),
        query: query::<evidence::Search>(),
        answer: json::<evidence::Results>(),
        problems: &[422],
        ..READ
    },
    Route {
        path: "/v1/check",
        id: "checkClaim",
        about: "Whether passages support a claim, by the rules alone",
        handler: || post(evidence::check),
        body: body::<evidence::Claim>(),
        answer: json::<evidence::Verdict>(),
        statuses: &[200],
        problems: &[415, 422],
        ..ACT
    },
    Route {
        path: "/v1/sessions",
        id: "listSessions",
        about: "List the sessions, page by page",
        handler: || get(list::list),
        query: query::<list::ListParams>(),
        answer: json::<list::SessionList>(),
        problems: &[422],
        ..READ
    },
    Route {
        path: "/v1/sessions",
        id: "startSession",
        about: "Start the session of a question; the same question is the same session",
        handler: || post(sessions::start),
        body: body::<Ask>(),
        headers: &[(
            "Idempotency-Key",
            "Refused if it was used for another question",
            false,
        )],
        statuses: &[200, 201],
        ..ACT
    },
    Route {
        path: "/v1/forecasts",
        id: "forecast",
        about: "What a question would take, before anything is spent",
        handler: || post(forecast::forecast),
        body: body::<Ask>(),
        answer: json::<forecast::Explanation>(),
        statuses: &[200],
        problems: &[404, 415, 422],
        ..ACT
    },
    Route {
        path: "/v1/sessions/{id}",
        id: "showSession",
        about: "The state of a session",
        handler: || get(sessions::show),
        answer: json::<sessions::SessionView>(),
        ..READ
    },
    Route {
        method: "DELETE",
        path: "/v1/sessions/{id}",
        id: "removeSession",
        about: "Remove a session with all of its files",
        handler: || delete(sessions::remove),
        statuses: &[204],
        problems: &[404, 409],
        ..READ
    },
    Route {
        path: "/v1/sessions/{id}/tasks",
        id: "listTasks",
        about: "The steps of the plan of a session, with their agents and progress",
        handler: || get(sessions::tasks),
        answer: json::<Tasks>(),
        ..READ
    },
    Route {
        path: "/v1/sessions/{id}/sources/{source}",
        id: "readSource",
        about: "The words at a range of the text of a source, as it was read",
        handler: || get(evidence::source),
        query: query::<evidence::Range>(),
        answer: json::<evidence::SourcePassage>(),
        problems: &[404, 422],
        ..READ
    },
    Route {
        path: "/v1/sessions/{id}/plan",
        id: "explainSession",
        about: "What would run in a session, and why",
        handler: || get(forecast::plan),
        answer: json::<forecast::Explanation>(),
        ..READ
    },
    Route {
        path: "/v1/sessions/{id}/events",
        id: "followSession",
        about: "The events of a session as they happen, until nothing runs there",
        handler: || get(follow::events),
        query: query::<follow::EventParams>(),
        headers: &[("Last-Event-ID", "The event after which to begin", false)],
        answer: Answer::Other(&["text/event-stream"]),
        problems: &[404, 422],
        ..READ
    },
    Route {
        path: "/v1/sessions/{id}/resume",
        id: "resumeSession",
        about: "Go on with a session, or do a part of it again",
        handler: || post(sessions::resume),
        body: body::<sessions::Resume>(),
        ..ACT
    },
    Route {
        path: "/v1/sessions/{id}/approve",
        id: "approvePlan",
        about: "Carry out the plan that a session waits with",
        handler: || post(sessions::approve),
        body: body::<sessions::Nothing>(),
        ..ACT
    },
    Route {
        path: "/v1/sessions/{id}/answer",
        id: "answerQuestions",
        about: "Answer the questions that a session waits with",
        handler: || post(sessions::answer),
        body: body::<sessions::Answer>(),
        ..ACT
    },
    Route {
        path: "/v1/sessions/{id}/cancel",
        id: "cancelSession",
        about: "Stop the run of a session where it can be resumed",
        handler: || post(sessions::cancel),
        body: body::<sessions::Nothing>(),
        ..ACT
    },
    Route {
        path: "/v1/sessions/{id}/verification",
        id: "verifySession",
        about: "Check every quotation against the stored texts",
        handler: || get(sessions::verify),
        answer: json::<VerifyReport>(),
        problems: &[404, 409],
        ..READ
    },
    Route {
        path: "/v1/sessions/{id}/calls",
        id: "listCalls",
        about: "The model calls of a session with their cost",
        handler: || get(sessions::calls),
        answer: json::<Spending>(),
        ..READ
    },
    Route {
        path: "/v1/sessions/{id}/graph",
        id: "graphOfSession",
        about: "The pipeline with the state of a session",
        handler: || get(sessions::graph),
        answer: json::<Graph>(),
        ..READ
    },
    Route {
        path: "/v1/sessions/{id}/diff",
        id: "diffSession",
        about: "Compare two rounds of a session, or two sessions",
        handler: || get(sessions::diff),
        query: query::<sessions::DiffParams>(),
        answer: json::<Difference>(),
        problems: &[404, 409, 422],
        ..READ
    },
    Route {
        path: "/v1/sessions/{id}/export",
        id: "exportReport",
        about: "The report in an export format",
        handler: || get(export::export),
        query: query::<export::ExportParams>(),
        answer: Answer::Other(&["*/*"]),
        problems: &[404, 409, 422],
        ..READ
    },
    Route {
        path: "/v1/sessions/{id}/files",
        id: "listFiles",
        about: "List the files of a session",
        handler: || get(files::list),
        answer: json::<files::Files>(),
        ..READ
    },
    Route {
        path: "/v1/sessions/{id}/files/{*name}",
        id: "readFile",
        about: "Read a file of a session",
        handler: || get(files::read),
        headers: &[(
            "If-None-Match",
            "Answered with 304 if the file has this etag",
            false,
        )],
        answer: Answer::Other(&["*/*"]),
        statuses: &[200, 304],
        ..READ
    },
    Route {
        method: "PUT",
        path: "/v1/sessions/{id}/files/{*name}",
        id: "editFile",
        about: "Replace a file whose etag is that of If-Match; what depends on it is made again",
        handler: || put(files::edit),
        headers: &[(
            "If-Match",
            "The etag that the file had when it was read",
            true,
        )],
        answer: Answer::Other(&["*/*"]),
        statuses: &[204],
        problems: &[404, 409, 412, 422, 428],
        ..READ
    },
];

/// The routes that are not described: the description, and those of the page.
const PAGES: &[(&str, Handler)] = &[
    ("/openapi.json", || get(describe)),
    ("/", || get(page::home)),
    ("/ask", || post(page::ask)),
    ("/sign-in", || get(page::show_sign_in).post(page::sign_in)),
    ("/sign-out", || post(page::sign_out)),
    ("/assets/style.css", || get(page::style)),
    ("/assets/live.js", || get(page::script)),
    ("/sessions/{id}", || get(page::session)),
    ("/sessions/{id}/progress", || get(page::progress)),
    ("/sessions/{id}/resume", || post(page::resume)),
    ("/sessions/{id}/cancel", || post(page::cancel)),
    ("/sessions/{id}/approve", || post(page::approve)),
    ("/sessions/{id}/answer", || post(page::answer)),
    ("/sessions/{id}/diff", || get(page::diff)),
    ("/sessions/{id}/files", || get(page::files)),
    ("/sessions/{id}/files/{*name}", || {
        get(page::file).post(page::save)
    }),
];

/// `GET /openapi.json`.
async fn describe() -> Json<serde_json::Value> {
    Json(openapi::description(ROUTES))
}

/// The paths of all routes.
pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    let pages = PAGES.iter().map(|(path, _)| *path);
    ROUTES.iter().map(|route| route.path).chain(pages)
}

/// The answer at an address without a route: a page for a browser.
async fn nothing_here(headers: HeaderMap) -> Response {
    if wants_page(&headers) {
        let detail = "There is nothing at this address.";
        let problem = Problem::new(StatusCode::NOT_FOUND, detail);
        return page::PageProblem(problem).into_response();
    }
    let detail = "there is nothing here; GET /openapi.json describes what there is";
    Problem::new(StatusCode::NOT_FOUND, detail).into_response()
}

/// The router of all routes, behind the guard.
pub(super) fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        router = router.route(route.path, (route.handler)());
    }
    for (path, handler) in PAGES {
        router = router.route(path, handler());
    }
    router
        .fallback(nothing_here)
        .method_not_allowed_fallback(|| async {
            let detail = "this method does nothing here; the header allow lists those that do";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail)
        })
        .route("/mcp", any(mcp_http::serve))
        .layer(Extension(mcp_http::Connections::default()))
        // The guard has read the body, and has a limit of its own.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app.clone())
}

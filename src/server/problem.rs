//! Problem details (RFC 9457): the body of every answer that is an error.

use std::fmt::Display;

use anyhow::Error;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use crate::inspect::{NoSuchRound, NotThereYet, OnlyRound};
use crate::model::{BudgetExhausted, ModelError};
use crate::pipeline::{Busy, InputRequired, Interrupted};
use crate::read::ReadError;
use crate::run::InvalidQuestion;
use crate::stage;
use crate::text::without_controls;

/// An error, for programs and people (RFC 9457).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Problem {
    /// The kind of problem: always `about:blank`, which leaves it to the status.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The status in words.
    pub title: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// What failed and what to do, in a sentence.
    pub detail: String,
    /// The field of the request that is at fault, as a JSON pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
}

impl Problem {
    /// A problem with this status.
    pub(super) fn new(status: StatusCode, detail: impl Display) -> Self {
        Self {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or_default(),
            status: status.as_u16(),
            detail: without_controls(&detail.to_string()).into_owned(),
            pointer: None,
        }
    }

    /// The problem of a field of the request.
    pub(super) fn of_field(field: &str, detail: impl Display) -> Self {
        Self {
            pointer: Some(format!("/{field}")),
            ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
        }
    }

    /// The status of the answer.
    pub(super) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// A session that is not there, or not for this client: the two must not differ.
    pub(super) fn no_session() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "there is no such session; the list of sessions (GET /v1/sessions) names them",
        )
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        if let Some(invalid) = error.downcast_ref::<InvalidQuestion>() {
            let detail = format!("{:#}", invalid.problem);
            return match invalid.option {
                Some(field) => Self::of_field(field, detail),
                None => Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail),
            };
        }
        let status = if error.is::<Busy>() || error.is::<InputRequired>() {
            StatusCode::CONFLICT
        } else if error.is::<BudgetExhausted>() {
            StatusCode::PAYMENT_REQUIRED
        } else if stage::is_exhaustion(&error) {
            StatusCode::GATEWAY_TIMEOUT
        } else if error.is::<ModelError>() || stage::is_of_the_web(&error) {
            StatusCode::BAD_GATEWAY
        } else if error.is::<Interrupted>() {
            StatusCode::SERVICE_UNAVAILABLE
        } else if error.is::<NotThereYet>() || error.is::<OnlyRound>() {
            StatusCode::CONFLICT
        } else if error.is::<ReadError>() || error.is::<NoSuchRound>() {
            StatusCode::UNPROCESSABLE_ENTITY
        } else {
            StatusCode::INTERNAL_SERVER_ERROR
        };
        Self::new(status, format!("{error:#}"))
    }
}

impl From<InvalidQuestion> for Problem {
    fn from(error: InvalidQuestion) -> Self {
        Error::from(error).into()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, body).into_response();
        let json = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        if status == StatusCode::UPGRADE_REQUIRED {
            let protocol = HeaderValue::from_static("websocket");
            response.headers_mut().insert(header::UPGRADE, protocol);
        }
        if status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            let headers = response.headers_mut();
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        if matches!(
            status,
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
        ) {
            let seconds = HeaderValue::from_static("5");
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

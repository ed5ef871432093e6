//! What handlers take from a request, with problem details where it does not fit.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// The body of a request as JSON.
pub(super) struct JsonBody<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        // A form of another page cannot have this type without asking first (CORS), which is off.
        if !is_json(request.headers()) {
            let detail = "the body has to be JSON; send the header content-type: application/json";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
        }
        let bytes = body(request, state).await?;
        parse(&bytes).map(Self)
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// The bytes of a body, up to the limit of the server.
pub(super) async fn body<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Problem> {
    Bytes::from_request(request, state)
        .await
        .map_err(|rejection| Problem::new(rejection.status(), rejection.body_text()))
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        let problem = error.into_inner();
        if !problem.is_data() {
            return Problem::new(StatusCode::BAD_REQUEST, problem);
        }
        match path.as_str() {
            "." => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, problem),
            path => Problem::of_field(&path.replace('.', "/"), problem),
        }
    })?;
    deserializer
        .end()
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, error))?;
    Ok(value)
}

/// The parameters in the query of a request.
pub(super) struct Params<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        axum::extract::Query::try_from_uri(&parts.uri)
            .map(|query| Self(query.0))
            .map_err(|rejection| {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, rejection.body_text())
            })
    }
}

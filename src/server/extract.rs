//! What handlers take from a request, with problem details where it does not fit.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use super::problem::Problem;
use crate::text::in_plain_words;

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
    let parsed = parse_strictly(bytes);
    // The fields of a struct may come as a list, without their names.
    if parsed.is_ok() && !bytes.trim_ascii_start().starts_with(b"{") {
        let detail = "the body has to be a JSON object";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
    }
    // Most bodies have no such number, and are parsed once.
    match parsed {
        Err(problem) => match with_integers(bytes) {
            Some(bytes) => parse_strictly(&bytes),
            None => Err(problem),
        },
        parsed => parsed,
    }
}

/// A body with `2` for each `2.0`, which JSON Schema counts as an integer; `None` without any.
fn with_integers(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut body: Value = serde_json::from_slice(bytes).ok()?;
    (replace_integral(&mut body) > 0).then(|| body.to_string().into_bytes())
}

/// Replaces the floating-point numbers that are integers; returns how many there were.
fn replace_integral(value: &mut Value) -> usize {
    // Above 2^53 a floating-point number does not name one integer.
    const MAX: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => {
            let is_integer = |float: &f64| float.fract() == 0.0 && float.abs() <= MAX;
            let float = number.as_f64().filter(|_| number.is_f64());
            let Some(integer) = float.filter(is_integer) else {
                return 0;
            };
            *number = Number::from(integer as i64);
            1
        }
        Value::Array(list) => list.iter_mut().map(replace_integral).sum(),
        Value::Object(fields) => fields.values_mut().map(replace_integral).sum(),
        _ => 0,
    }
}

fn parse_strictly<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
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
            .map_err(|rejection| problem_of_parameter(&rejection.body_text()))
    }
}

/// The problem of a parameter, of which axum says "Failed to deserialize query string: limit: …".
fn problem_of_parameter(text: &str) -> Problem {
    let problem = text
        .rsplit_once("query string: ")
        .map_or(text, |(_, own)| own);
    let problem = in_plain_words(problem.to_owned());
    let named = problem.split_once(": ");
    match named.filter(|(name, _)| !name.contains(' ')) {
        Some((name, detail)) => Problem::of_field(name, format!("{name}: {detail}")),
        None => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, problem),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_body_is_an_object_whose_integers_may_have_a_fraction_of_zero() {
        let of = |text: &str| {
            let body = parse::<BTreeMap<String, u32>>(text.as_bytes());
            body.map_err(|problem| problem.status)
                .map(|body| body.into_values().collect::<Vec<_>>())
        };
        assert_eq!(of(r#" {"a": 1, "b": 2.0, "c": 3e0}"#), Ok(vec![1, 2, 3]));
        for refused in [r#"{"a": 2.5}"#, r#"{"a": -1.0}"#, r#"{"a": 1e99}"#, "[]"] {
            assert_eq!(of(refused), Err(422), "{refused}");
        }
        assert_eq!(of(r#"{"a": 2"#), Err(400));
        assert!(parse::<(u32,)>(b"[1]").is_err());
    }
}

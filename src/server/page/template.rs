//! The templates, and the policy under which a browser shows them.

use std::sync::OnceLock;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use data_encoding::HEXLOWER;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context, escape_formatter};
use percent_encoding::utf8_percent_encode;
use serde::Serialize;

use super::super::problem::Problem;
use crate::export::LINK_SEGMENT;
use crate::pipeline::score_text;
use crate::text::without_controls;

/// The templates by name.
const TEMPLATES: [(&str, &str); 13] = [
    ("base.html", include_str!("base.html")),
    ("home.html", include_str!("home.html")),
    ("session.html", include_str!("session.html")),
    ("report.html", include_str!("report.html")),
    ("more.html", include_str!("more.html")),
    ("progress.html", include_str!("progress.html")),
    ("state.html", include_str!("state.html")),
    ("steps.html", include_str!("steps.html")),
    ("file.html", include_str!("file.html")),
    ("files.html", include_str!("files.html")),
    ("diff.html", include_str!("diff.html")),
    ("problem.html", include_str!("problem.html")),
    ("sign-in.html", include_str!("sign-in.html")),
];

/// The number of random bytes in a nonce: 128 bits, as CSP recommends.
const NONCE_BYTES: usize = 16;

fn environment() -> &'static Environment<'static> {
    static ENVIRONMENT: OnceLock<Environment<'static>> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let mut environment = Environment::new();
        for (name, source) in TEMPLATES {
            // A test renders each; one that does not parse is missing when it is rendered.
            let _ = environment.add_template(name, source);
        }
        // What is escaped already, such as a text to be edited, is left as it is.
        environment.set_formatter(|out, state, value| match value.as_str() {
            // A slash needs no escape, and a link is copied as it is written.
            Some(text) if !value.is_safe() => {
                for (at, part) in without_controls(text).split('/').enumerate() {
                    out.write_str(if at > 0 { "/" } else { "" })?;
                    escape_formatter(out, state, &Value::from(part))?;
                }
                Ok(())
            }
            _ => escape_formatter(out, state, value),
        });
        environment.add_filter("money", |usd: Option<f64>| {
            usd.map_or_else(|| "unknown price".to_owned(), |usd| format!("${usd:.4}"))
        });
        environment.add_filter("score", |score: Option<f64>| {
            score.map_or("–".to_owned(), score_text)
        });
        environment.add_filter("urlencode", |text: String| {
            utf8_percent_encode(&text, LINK_SEGMENT).to_string()
        });
        environment.add_filter("day", |time: String| {
            time.split('T').next().unwrap_or_default().to_owned()
        });
        environment.add_filter("state", |state: String| {
            let mut words = state.to_lowercase().replace('_', " ");
            words.get_mut(..1).map(str::make_ascii_uppercase);
            words
        });
        environment.add_filter("truncate", |text: String, length: usize| {
            crate::text::truncate_with_ellipsis(&text, length).into_owned()
        });
        environment
    })
}

/// A problem as a page.
pub(crate) struct PageProblem(pub(crate) Problem);

impl<E: Into<Problem>> From<E> for PageProblem {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for PageProblem {
    fn into_response(self) -> Response {
        let status = self.0.status();
        let values = context! { problem => serialized(&self.0) };
        match render("problem.html", values) {
            Ok(mut page) => {
                *page.status_mut() = status;
                page
            }
            Err(problem) => problem.into_response(),
        }
    }
}

/// A value for a template.
pub(super) fn serialized(value: impl Serialize) -> Value {
    Value::from(Serde(value))
}

/// A template with values as an answer.
pub(super) fn render(name: &str, values: Value) -> Result<Response, Problem> {
    let nonce = nonce()?;
    let values =
        context! { nonce => nonce.as_str(), version => env!("CARGO_PKG_VERSION"), ..values };
    let template = environment().get_template(name);
    let text = template
        .and_then(|template| template.render(values))
        .map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error))?;
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; \
         connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'"
    );
    let mut response = Html(text).into_response();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

fn nonce() -> Result<String, Problem> {
    let mut bytes = [0; NONCE_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error))?;
    Ok(HEXLOWER.encode(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_parses() {
        for (name, source) in TEMPLATES {
            let mut environment = Environment::new();
            environment.add_template(name, source).unwrap();
            assert!(super::environment().get_template(name).is_ok(), "{name}");
        }
    }
}

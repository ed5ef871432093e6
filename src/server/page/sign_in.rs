//! Signing in: the browser of an owner holds a token in a cookie, which it sends with requests of
//! pages of this server alone, and which no script can read.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use minijinja::context;
use serde::Deserialize;

use super::super::app::App;
use super::super::identity::COOKIE;
use super::own_form::{OwnForm, Press};
use super::template::{PageProblem, render};

type Page = Result<Response, PageProblem>;

/// The form of a token.
#[derive(Debug, Deserialize)]
pub(crate) struct SignInForm {
    token: String,
}

/// `GET /sign-in`.
pub(crate) async fn show_sign_in() -> Page {
    Ok(render("sign-in.html", context! {})?)
}

/// `POST /sign-in`: leaves a valid token with the browser.
pub(crate) async fn sign_in(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    OwnForm(form): OwnForm<SignInForm>,
) -> Page {
    let token = form.token.trim();
    let owner = match &app.identity {
        Some(identity) => identity.check(token).await,
        None => None,
    };
    if owner.is_none() {
        let problem = "This token is not valid.";
        let mut page = render("sign-in.html", context! { problem })?;
        *page.status_mut() = StatusCode::UNAUTHORIZED;
        return Ok(page);
    }
    Ok(with_cookie(&headers, token))
}

/// `POST /sign-out`.
pub(crate) async fn sign_out(headers: HeaderMap, OwnForm(Press {}): OwnForm<Press>) -> Response {
    with_cookie(&headers, "; Max-Age=0")
}

/// Back to the first screen, with a cookie of this value.
fn with_cookie(headers: &HeaderMap, value: &str) -> Response {
    // A proxy in front may speak TLS for this server; the browser knows.
    let origin = headers.get(header::ORIGIN).map(|origin| origin.as_bytes());
    let is_encrypted = origin.is_some_and(|origin| origin.starts_with(b"https:"));
    let secure = if is_encrypted { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict{secure}");
    ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response()
}

//! The style and the script of the page. Nothing comes from anywhere else.

use axum::http::header;
use axum::response::{IntoResponse as _, Response};

use crate::export::html;

const SCRIPT: &str = include_str!("live.js");

const STYLE: &str = include_str!("page.css");

/// The version is in the address of both, so that a browser need not ask again.
const CACHE: (header::HeaderName, &str) = (header::CACHE_CONTROL, "max-age=86400, immutable");

/// `GET /assets/style.css`.
pub(crate) async fn style() -> Response {
    let kind = (header::CONTENT_TYPE, "text/css; charset=utf-8");
    ([kind, CACHE], format!("{}{STYLE}", html::STYLE)).into_response()
}

/// `GET /assets/live.js`.
pub(crate) async fn script() -> Response {
    let kind = (header::CONTENT_TYPE, "text/javascript; charset=utf-8");
    ([kind, CACHE], SCRIPT).into_response()
}

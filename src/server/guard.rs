//! The guard in front of every route: who may send a request at all, and the headers that keep a
//! browser from doing more with an answer than it should.
//!
//! A server on loopback is reached by every page that a browser shows. A page of another origin can
//! send requests here, and by DNS rebinding even under its own name. So the `Host` has to be a name
//! of this server, and whatever changes anything has to come from here or from no browser at all
//! (`Origin`, `Sec-Fetch-Site`). CORS is off: no other origin may read an answer.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use tokio::sync::OwnedSemaphorePermit;

use super::app::App;
use super::problem::Problem;
use super::rates::Client;
use super::{body, metrics};

/// The names of this machine itself.
const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The routes that need no token: they say nothing of any session.
const OPEN: [&str; 6] = [
    "/health",
    "/ready",
    "/openapi.json",
    SIGN_IN,
    "/assets/style.css",
    "/assets/live.js",
];

/// The page that takes a token.
const SIGN_IN: &str = "/sign-in";

/// The header in which browsers tell whether a page of the same origin sends a request.
const FETCH_SITE: &str = "sec-fetch-site";

/// Headers of every answer. The policy is that of answers that are no pages: nothing is loaded,
/// nothing runs, nobody frames them.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // With `no-referrer`, browsers send forms of this server with `Origin: null`.
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (header::CACHE_CONTROL, "no-cache"),
];

/// Refuses requests of strangers and more than the server can bear, and completes the headers.
pub(super) async fn guard(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let (method, route, began) = (
        request.method().clone(),
        metrics::route(&request),
        Instant::now(),
    );
    let mut response = match admit(&app, &mut request).await {
        Ok(_permit) => next.run(request).await,
        Err(problem) if problem.status == 401 && wants_page(request.headers()) => {
            Redirect::to(SIGN_IN).into_response()
        }
        Err(problem) => problem.into_response(),
    };
    let status = response.status();
    app.metrics
        .answered(&method, route, status, began.elapsed());
    for (name, value) in HEADERS {
        let headers = response.headers_mut();
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

/// The permit of a stream or a socket, to be held as long as it is open.
pub(super) fn stream_permit(app: &App) -> Result<OwnedSemaphorePermit, Problem> {
    let permit = app.streams.clone().try_acquire_owned();
    permit.map_err(|_| too_many_requests())
}

/// The problem of more requests than are answered at once, or more streams than are open at once.
fn too_many_requests() -> Problem {
    let detail = "too many requests at once; send the request again later";
    Problem::new(StatusCode::TOO_MANY_REQUESTS, detail)
}

/// The right to be answered, until it is dropped; the body of the request is in memory then.
async fn admit(app: &App, request: &mut Request) -> Result<OwnedSemaphorePermit, Problem> {
    refuse_strangers(app, request)?;
    let is_open = OPEN.contains(&request.uri().path());
    let owner = match app.identity.as_ref().filter(|_| !is_open) {
        Some(identity) => {
            // A request cannot be shared with other threads, its headers can.
            let headers = request.headers().clone();
            identity.owner(&headers).await.map(Some)
        }
        None => Ok(None),
    };
    let client = match &owner {
        Ok(Some(owner)) => Client::Owner(owner.0.clone()),
        _ => Client::Address(address(request)),
    };
    if !app.rates.admits(client, Instant::now()) {
        let detail = "too many requests in the last minute; send the request again later";
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, detail));
    }
    if let Some(owner) = owner? {
        request.extensions_mut().insert(owner);
    }
    let permit = app.requests.clone().try_acquire_owned();
    let permit = permit.map_err(|_| too_many_requests())?;
    body::read(request, &app.settings.server).await?;
    Ok(permit)
}

/// The address of the connection.
fn address(request: &Request) -> Option<IpAddr> {
    let connection = request.extensions().get::<ConnectInfo<SocketAddr>>();
    connection.map(|connection| connection.0.ip())
}

/// `true` if a browser asks for a page to show.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT);
    let accept = accept.and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.starts_with("text/html"))
}

/// Refuses requests to other names than those of this server, and changes by pages of others.
fn refuse_strangers(app: &App, request: &Request) -> Result<(), Problem> {
    let host = host(request).filter(|host| is_own(&app.hosts, host.host()));
    let Some(host) = host else {
        return Err(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "this server has another name; use its address, or add the name to server.hosts in \
             the settings",
        ));
    };
    // A page of another origin may open a WebSocket without asking first.
    let is_safe = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method())
        && !request.headers().contains_key(header::UPGRADE);
    if is_safe || is_same_origin(request.headers(), &host) {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::FORBIDDEN,
        "a page of another origin sent this request; nothing was changed",
    ))
}

/// The host that a request names; `None` if it names none, or several.
fn host(request: &Request) -> Option<Authority> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?.parse::<Authority>().ok()?;
    let is_only = hosts.next().is_none();
    // A request to a proxy names it in the URI as well.
    let is_same = request.uri().authority().is_none_or(|other| *other == host);
    Some(host).filter(|_| is_only && is_same)
}

fn is_own(hosts: &[String], name: &str) -> bool {
    let hosts = hosts.iter().map(String::as_str);
    LOCAL
        .into_iter()
        .chain(hosts)
        .any(|own| own.eq_ignore_ascii_case(name))
}

/// `true` if no browser sent the request, or a page of this server did.
fn is_same_origin(headers: &HeaderMap, host: &Authority) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    let is_own_site = text(FETCH_SITE).is_none_or(|site| matches!(site, "same-origin" | "none"));
    let is_own_origin = text(header::ORIGIN.as_str()).is_none_or(|origin| {
        let authority = origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"));
        authority.is_some_and(|authority| authority == host.as_str())
    });
    is_own_site && is_own_origin
}

/// `true` if a browser tells that a page of this server sent the request, which [`guard`] has
/// checked.
pub(super) fn tells_origin(headers: &HeaderMap) -> bool {
    headers.contains_key(header::ORIGIN) || headers.contains_key(FETCH_SITE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = list.iter().map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        });
        pairs.collect()
    }

    #[test]
    fn only_own_names_are_own() {
        let hosts = ["research.test".to_owned()];
        for name in [
            "localhost",
            "LOCALHOST",
            "127.0.0.1",
            "[::1]",
            "research.test",
        ] {
            assert!(is_own(&hosts, name), "{name}");
        }
        for name in ["evil.test", "localhost.evil.test", "127.0.0.1.nip.io", ""] {
            assert!(!is_own(&hosts, name), "{name}");
        }
    }

    #[test]
    fn a_page_of_another_origin_is_recognized() {
        let host = Authority::from_static("localhost:8731");
        let own: [&[(&str, &str)]; 4] = [
            &[],
            &[("origin", "http://localhost:8731")],
            &[("sec-fetch-site", "same-origin")],
            &[
                ("origin", "http://localhost:8731"),
                ("sec-fetch-site", "same-origin"),
            ],
        ];
        for list in own {
            assert!(is_same_origin(&headers(list), &host), "{list:?}");
        }
        let others: [&[(&str, &str)]; 6] = [
            &[("origin", "null")],
            &[("origin", "http://localhost:8732")],
            &[("origin", "http://evil.test")],
            &[("origin", "localhost:8731")],
            &[("sec-fetch-site", "same-site")],
            &[
                ("origin", "http://localhost:8731"),
                ("sec-fetch-site", "cross-site"),
            ],
        ];
        for list in others {
            assert!(!is_same_origin(&headers(list), &host), "{list:?}");
        }
    }
}

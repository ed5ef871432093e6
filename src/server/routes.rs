//! The table of routes, from which the router derives.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get, post};

use super::app::App;
use super::guard::guard;
use super::problem::Problem;
use super::workflow;

/// A route.
struct Route {
    path: &'static str,
    handler: fn() -> MethodRouter<Arc<App>>,
}

/// Every route.
const ROUTES: &[Route] = &[
    Route {
        path: "/health",
        handler: || get(workflow::health),
    },
    Route {
        path: "/ready",
        handler: || get(workflow::ready),
    },
    Route {
        path: "/run",
        handler: || post(workflow::run),
    },
    Route {
        path: "/graph",
        handler: || get(workflow::graph),
    },
];

/// The router of all routes, behind the guard.
pub(super) fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        router = router.route(route.path, (route.handler)());
    }
    let max_bytes = app.settings.server.max_kibibytes << 10;
    router
        .fallback(|| async {
            let detail = "there is nothing here; GET /openapi.json describes what there is";
            Problem::new(StatusCode::NOT_FOUND, detail)
        })
        .method_not_allowed_fallback(|| async {
            let detail = "this method does nothing here; the header allow lists those that do";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail)
        })
        .layer(DefaultBodyLimit::max(max_bytes))
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app.clone())
}

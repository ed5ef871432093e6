//! A route: what the router and the OpenAPI description need of it.

use std::sync::Arc;

use axum::routing::MethodRouter;
use schemars::{Schema, SchemaGenerator};

use super::app::App;

/// Makes the handlers of a path.
pub(super) type Handler = fn() -> MethodRouter<Arc<App>>;

/// The schema of a type, with the definitions that it needs.
pub(super) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// A route: one line of the table.
pub(super) struct Route {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    /// The name of the operation for generated clients.
    pub(super) id: &'static str,
    pub(super) about: &'static str,
    pub(super) handler: Handler,
    /// The parameters in the query, inlined.
    pub(super) query: Option<SchemaOf>,
    /// The headers that it reads: the name, its meaning, and whether it is required.
    pub(super) headers: &'static [(&'static str, &'static str, bool)],
    /// The body as JSON.
    pub(super) body: Option<SchemaOf>,
    pub(super) answer: Answer,
    /// The statuses of success.
    pub(super) statuses: &'static [u16],
    /// The statuses of problems besides those that every route has.
    pub(super) problems: &'static [u16],
}

/// The body of a successful answer.
pub(super) enum Answer {
    /// JSON of this type.
    Json(SchemaOf),
    /// Something else, of one of these media types.
    Other(&'static [&'static str]),
}

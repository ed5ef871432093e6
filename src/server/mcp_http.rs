//! The Model Context Protocol over HTTP (`/mcp`, the streamable transport), under the identity of
//! all other requests.
//!
//! Each tenant has connections of its own: the id of a connection of one owner is the id of nothing
//! for another.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Extension;
use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::mcp::Handler;
use super::tenant::Tenant;

/// The time after which a connection that nobody uses is closed: longer than any one call of a
/// model, during which a client that asked for no progress hears nothing (chosen by hand).
const KEEP_ALIVE: Duration = Duration::from_secs(3600);

type Service = StreamableHttpService<Handler, LocalSessionManager>;

/// The connections of all tenants, by their directories.
#[derive(Clone, Default)]
pub(super) struct Connections(Arc<Mutex<HashMap<PathBuf, Service>>>);

impl Connections {
    fn of(&self, tenant: &Tenant) -> Service {
        let mut services = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let directory = tenant.output_dir().to_owned();
        let service = services.entry(directory).or_insert_with(|| service(tenant));
        service.clone()
    }
}

fn service(tenant: &Tenant) -> Service {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(KEEP_ALIVE);
    // The guard has checked the host, by the names that the settings add.
    let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
    let (ended, mut is_ending) = (config.cancellation_token.clone(), tenant.is_ending.clone());
    tokio::spawn(async move {
        // The only error is that the sender is gone, which is the end as well.
        let _ = is_ending.wait_for(|is_ending| *is_ending).await;
        ended.cancel();
    });
    let tenant = tenant.clone();
    let handler = move || Ok(Handler::of(tenant.clone()));
    StreamableHttpService::new(handler, Arc::new(sessions), config)
}

/// `/mcp`, of whatever method.
pub(super) async fn serve(
    app: Tenant,
    Extension(connections): Extension<Connections>,
    request: Request,
) -> Response {
    let answer = connections.of(&app).handle(request).await;
    answer.map(Body::new).into_response()
}

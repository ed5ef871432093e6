//! What services are asked with now: their places and keys, and for one that gives a pass against its key, that pass.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{Fetcher, Provider, Services, Setup, WebError};

/// How long before its end a pass is no longer used.
const MARGIN: Duration = Duration::from_secs(60);

/// The way in to services.
pub(super) struct Access {
    fetcher: Arc<Fetcher>,
    services: Services,
    /// Reddit's, and until when it holds. It is written nowhere.
    pass: Mutex<Option<(String, Instant)>>,
}

impl Access {
    pub(super) fn new(fetcher: Arc<Fetcher>, services: Services) -> Self {
        Self {
            fetcher,
            services,
            pass: Mutex::default(),
        }
    }

    pub(super) fn services(&self) -> &Services {
        &self.services
    }

    /// What a service is asked with.
    ///
    /// # Errors
    /// When it gives no pass.
    pub(super) async fn setup(&self, service: Provider) -> Result<Setup, WebError> {
        let setup = self.services.setup(service);
        let Some(login) = service.login(&setup) else {
            return Ok(setup);
        };
        let mut pass = self.pass.lock().await;
        if let Some((key, until)) = &*pass
            && *until > Instant::now()
        {
            return Ok(setup.with_pass(key.clone()));
        }
        let url = login.url.clone();
        let reply = self.fetcher.ask_anew(&login).await;
        let reply = reply.map_err(|error| error.of_service(service.name()))?;
        let reply: Value = serde_json::from_slice(&reply).unwrap_or_default();
        let Some(key) = reply["access_token"].as_str() else {
            return Err(WebError::Unreadable {
                url: super::providers::bare(url),
                problem: format!("{} gives no pass; check its id and key", service.name()),
            });
        };
        let lasts = Duration::from_secs(reply["expires_in"].as_u64().unwrap_or_default());
        let lasts = lasts
            .min(Duration::from_secs(24 * 3600))
            .saturating_sub(MARGIN);
        *pass = Some((key.to_owned(), Instant::now() + lasts));
        Ok(setup.with_pass(key.to_owned()))
    }
}

//! What services are asked with now: their places and keys, and for one that gives a pass against
//! its key, that pass.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{Asked, Fetcher, Provider, Services, Setup, WebError};

/// How long before its end a pass is no longer used, and how long a refusal holds.
const MARGIN: Duration = Duration::from_secs(60);

/// No pass is believed to last longer.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// A pass or why there is none, and until when that holds.
type Pass = (Result<String, WebError>, Instant);

/// The way in to services.
pub(super) struct Access {
    fetcher: Arc<Fetcher>,
    services: Services,
    /// Reddit's. It is written nowhere.
    pass: Mutex<Option<Pass>>,
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
        let now = Instant::now();
        let known = pass.clone().filter(|(_, until)| *until > now);
        let known = match known {
            Some(known) => known,
            None => {
                let (given, lasts) = match self.log_in(service, &login).await {
                    Ok((key, lasts)) => (Ok(key), lasts.saturating_sub(MARGIN)),
                    Err(error) => (Err(error), MARGIN),
                };
                pass.insert((given, Instant::now() + lasts)).clone()
            }
        };
        Ok(setup.with_pass(known.0?))
    }

    /// A pass, and how long it lasts.
    async fn log_in(
        &self,
        service: Provider,
        login: &Asked,
    ) -> Result<(String, Duration), WebError> {
        let reply = self.fetcher.ask_anew(login).await;
        let reply = reply.map_err(|error| error.of_service(service.name()))?;
        let reply: Value = serde_json::from_slice(&reply).unwrap_or_default();
        let Some(key) = reply["access_token"].as_str() else {
            return Err(WebError::Unreadable {
                url: super::providers::bare(login.url.clone()),
                problem: format!("{} gives no pass; check its id and key", service.name()),
            });
        };
        let lasts = Duration::from_secs(reply["expires_in"].as_u64().unwrap_or_default());
        Ok((key.to_owned(), lasts.min(LONGEST)))
    }
}

//! Access tokens by OAuth 2 client credentials, cached in memory until shortly before they expire.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::config::ProviderTable;
use super::provider::{SearchProvider, ServiceConfig};
use crate::web::error::WebError;
use crate::web::fetch::Fetcher;
use crate::web::request::{ServiceRequest, redacted};

/// How long before its expiry a token is no longer used, and how long a refusal is remembered, so
/// that one refusal does not become one for each query. Chosen by hand.
const MARGIN: Duration = Duration::from_secs(60);

/// The longest lifetime of a token that is believed; Reddit's last a day.
const MAX_LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// An access token or the refusal of one, and until when that is used.
type Token = (Result<String, WebError>, Instant);

/// The configurations of all services, each with its access token where the service grants one.
pub(in crate::web) struct TokenCache {
    fetcher: Arc<Fetcher>,
    providers: ProviderTable,
    /// The tokens by service. They are written nowhere.
    tokens: Mutex<BTreeMap<&'static str, Token>>,
}

impl TokenCache {
    pub(in crate::web) fn new(fetcher: Arc<Fetcher>, providers: ProviderTable) -> Self {
        Self {
            fetcher,
            providers,
            tokens: Mutex::default(),
        }
    }

    pub(in crate::web) fn providers(&self) -> &ProviderTable {
        &self.providers
    }

    /// The configuration with which a service is asked, with an access token if it grants one.
    ///
    /// # Errors
    /// When it refuses the token.
    pub(in crate::web) async fn config(
        &self,
        provider: &'static SearchProvider,
    ) -> Result<ServiceConfig, WebError> {
        let config = self.providers.config(provider);
        let Some(login) = provider.login.and_then(|login| login(&config)) else {
            return Ok(config);
        };
        // Held while the token is requested, so that all who wait use one token.
        let mut tokens = self.tokens.lock().await;
        let cached = tokens
            .get(provider.name)
            .filter(|(_, until)| *until > Instant::now());
        let token = match cached {
            Some((token, _)) => token.clone(),
            None => {
                let (token, lifetime) = match self.request_token(provider, &login).await {
                    Ok((token, lifetime)) => (Ok(token), lifetime.saturating_sub(MARGIN)),
                    Err(error) => (Err(error), MARGIN),
                };
                tracing::debug!(
                    service = provider.name,
                    granted = token.is_ok(),
                    "access token requested"
                );
                tokens.insert(provider.name, (token.clone(), Instant::now() + lifetime));
                token
            }
        };
        Ok(config.with_access_token(token?))
    }

    /// A new access token, and its lifetime.
    async fn request_token(
        &self,
        provider: &SearchProvider,
        login: &ServiceRequest,
    ) -> Result<(String, Duration), WebError> {
        let reply = self
            .fetcher
            .ask_uncached(login)
            .await
            .map_err(|error| provider.error(error))?;
        let reply: Value = serde_json::from_slice(&reply).unwrap_or_default();
        let Some(token) = reply["access_token"].as_str() else {
            return Err(WebError::Unreadable {
                url: redacted(&login.url).into(),
                problem: format!(
                    "{} grants no access token; check its id and key",
                    provider.name
                ),
            });
        };
        // Without a lifetime (RFC 6749, section 5.1, only recommends it) a token serves once.
        let lifetime = Duration::from_secs(reply["expires_in"].as_u64().unwrap_or_default());
        Ok((token.to_owned(), lifetime.min(MAX_LIFETIME)))
    }
}

//! The keys that an issuer of tokens publishes (JWKS, RFC 7517). They are fetched when the first
//! token names one, and again for a key that is not known yet: issuers exchange their keys while
//! the server runs.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use tokio::sync::Mutex;
use url::Url;

use crate::pipeline::Clock;
use crate::web::{Fetcher, Limits, ServiceRequest, SystemLookup};

/// The age from which keys are fetched again, so that one that was revoked is not taken for longer:
/// that of the caches in front of Supabase.
const MAX_AGE: Duration = Duration::from_secs(600);

/// The least time between two fetches: tokens with invented keys must not become requests to the
/// issuer (chosen by hand).
const MIN_GAP: Duration = Duration::from_secs(5);

/// The limits of a fetch (chosen by hand): a set of keys has some KiB, and clients wait for it.
const MAX_BYTES: u64 = 256 << 10;
const TIMEOUT: Duration = Duration::from_secs(5);

/// A key, and the one algorithm that it verifies.
pub(super) struct Key {
    id: Option<String>,
    pub(super) algorithm: Algorithm,
    pub(super) key: DecodingKey,
}

/// The keys of an issuer.
pub(super) struct KeySet {
    fetcher: Fetcher,
    request: ServiceRequest,
    keys: RwLock<Fetched>,
    /// The time of the last fetch, whether or not it succeeded.
    tried: Mutex<Option<Instant>>,
}

/// The keys that were fetched last.
#[derive(Default)]
struct Fetched {
    keys: Vec<Arc<Key>>,
    at: Option<Instant>,
}

impl KeySet {
    /// The keys at an address, which are not fetched yet.
    ///
    /// # Errors
    /// When nothing can be fetched at all.
    pub(super) fn new(url: Url, clock: Clock) -> Result<Self> {
        let limits = Limits {
            max_bytes: MAX_BYTES,
            max_redirects: 0,
            timeout: TIMEOUT,
            retries: 0,
            gap: Duration::ZERO,
            ..Limits::default()
        };
        // Whoever wrote the settings chose the address, so it may be a private one.
        let fetcher = Fetcher::new(limits, Arc::new(SystemLookup), None, clock)?;
        Ok(Self {
            fetcher: fetcher.with_services([&url]),
            request: ServiceRequest::get(url),
            keys: RwLock::default(),
            tried: Mutex::default(),
        })
    }

    /// The key of this name; without a name, the only one.
    pub(super) async fn key(&self, id: Option<&str>) -> Option<Arc<Key>> {
        if let Some(key) = self.known(id, MAX_AGE) {
            return Some(key);
        }
        self.refresh().await;
        // Older keys stay good while their issuer cannot be reached.
        self.known(id, Duration::MAX)
    }

    fn known(&self, id: Option<&str>, max_age: Duration) -> Option<Arc<Key>> {
        let fetched = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        if fetched.at?.elapsed() > max_age {
            return None;
        }
        let mut keys = fetched.keys.iter();
        let key = match id {
            Some(id) => keys.find(|key| key.id.as_deref() == Some(id)),
            None => keys.next().filter(|_| fetched.keys.len() == 1),
        };
        key.cloned()
    }

    /// Fetches the keys, unless they were just now.
    async fn refresh(&self) {
        let mut tried = self.tried.lock().await;
        if tried.is_some_and(|tried| tried.elapsed() < MIN_GAP) {
            return;
        }
        *tried = Some(Instant::now());
        match self.fetch().await {
            Ok(keys) => {
                let mut fetched = self.keys.write().unwrap_or_else(PoisonError::into_inner);
                *fetched = Fetched {
                    keys,
                    at: Some(Instant::now()),
                };
            }
            Err(error) => tracing::warn!("the keys of tokens cannot be fetched: {error:#}"),
        }
    }

    async fn fetch(&self) -> Result<Vec<Arc<Key>>> {
        let response = self.fetcher.ask(&self.request).await?;
        let set: JwkSet = serde_json::from_slice(&response.body).context("no set of keys")?;
        let keys = set.keys.iter().filter_map(key);
        Ok(keys.map(Arc::new).collect())
    }
}

/// A key for signatures, with the algorithm of its kind. A symmetric key is none: whoever can read
/// it could sign.
fn key(jwk: &Jwk) -> Option<Key> {
    let algorithm = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(own) if own.curve == EllipticCurve::P256 => {
            Algorithm::ES256
        }
        AlgorithmParameters::OctetKeyPair(own) if own.curve == EllipticCurve::Ed25519 => {
            Algorithm::EdDSA
        }
        _ => return None,
    };
    let common = &jwk.common;
    let names_another = common
        .key_algorithm
        .is_some_and(|own| format!("{own:?}") != format!("{algorithm:?}"));
    let is_for_others = common
        .public_key_use
        .as_ref()
        .is_some_and(|own| *own != PublicKeyUse::Signature);
    if names_another || is_for_others {
        return None;
    }
    Some(Key {
        id: common.key_id.clone(),
        algorithm,
        key: DecodingKey::from_jwk(jwk).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_the_algorithm_of_its_kind_and_a_symmetric_one_is_none() {
        let of = |text: &str| key(&serde_json::from_str(text).unwrap()).map(|key| key.algorithm);
        let ec = r#""kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA""#;
        assert_eq!(of(&format!("{{{ec}}}")), Some(Algorithm::ES256));
        assert_eq!(
            of(&format!("{{{ec},\"alg\":\"ES256\"}}")),
            Some(Algorithm::ES256)
        );
        for none in [
            format!("{{{ec},\"alg\":\"ES384\"}}"),
            format!("{{{ec},\"use\":\"enc\"}}"),
            format!("{{{}}}", ec.replace("P-256", "P-384")),
            r#"{"kty":"oct","k":"AAAA"}"#.to_owned(),
            r#"{"kty":"oct","k":"AAAA","alg":"HS256"}"#.to_owned(),
        ] {
            assert_eq!(of(&none), None, "{none}");
        }
    }
}

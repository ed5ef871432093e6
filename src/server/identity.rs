//! Who sends a request: bearer tokens (JWT, RFC 7519), signed with a secret that the server shares
//! with whoever issues them (HS256), or with keys that the issuer publishes (JWKS), as Supabase and
//! other identity providers do.
//!
//! Each kind of key has one algorithm, so a token does not choose how it is checked. Whoever a
//! token names in `sub` owns the sessions that are started with it.

use anyhow::{Context as _, Result, ensure};
use axum::http::{HeaderMap, StatusCode, header};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use url::Url;

use super::jwks::KeySet;
use super::problem::Problem;
use super::signature;
use crate::config::{ServerSettings, variable};
use crate::pipeline::Clock;

/// The environment variable with the secret of tokens that are signed with one.
pub(super) const SECRET: &str = "RESEARCH_JWT_SECRET";

/// The name of the cookie in which a browser holds a token.
pub(super) const COOKIE: &str = "research_token";

/// The fewest bytes of a secret: those of the hash (RFC 7518, 3.2).
const MIN_SECRET_BYTES: usize = 32;

/// The longest token; those of Supabase have about one KiB.
const MAX_TOKEN_BYTES: usize = 8 << 10;

/// The longest name of an owner, in bytes.
const MAX_OWNER_BYTES: usize = 200;

/// What decides whether a token is valid.
pub(super) struct Identity {
    secret: Option<DecodingKey>,
    keys: Option<KeySet>,
    audience: String,
    issuer: String,
}

/// The claims that are read. The types are strict: a claim of another type refuses the token.
#[derive(Deserialize)]
struct Claims {
    sub: String,
    #[serde(rename = "exp")]
    _expires: u64,
    #[serde(rename = "nbf")]
    _not_before: Option<u64>,
}

/// The owner that a token names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owner(pub(super) String);

impl Identity {
    /// The identity by the settings and the environment; `None` if neither names a key.
    ///
    /// # Errors
    /// When the secret could be guessed, or an address cannot be used.
    pub(super) fn from_settings(settings: &ServerSettings, clock: Clock) -> Result<Option<Self>> {
        let project = variable("SUPABASE_URL");
        let base = project.map(|url| format!("{}/auth/v1", url.trim_end_matches('/')));
        // Supabase's own names stand in for what the settings leave out.
        let or = |own: &str, path: &str| match &base {
            Some(base) if own.is_empty() => format!("{base}{path}"),
            _ => own.to_owned(),
        };
        let is_supabase = base.is_some() && settings.audience.is_empty();
        let audience = is_supabase.then(|| "authenticated".to_owned());
        let identity = Self {
            secret: secret()?,
            keys: key_set(&or(&settings.jwks, "/.well-known/jwks.json"), clock)?,
            audience: audience.unwrap_or_else(|| settings.audience.clone()),
            issuer: or(&settings.issuer, ""),
        };
        ensure!(
            identity.keys.is_none() || !identity.audience.is_empty(),
            "whoever issues the tokens of server.jwks may issue them for other services too; set \
             server.audience to that of this server"
        );
        signature::install();
        let has_key = identity.secret.is_some() || identity.keys.is_some();
        Ok(has_key.then_some(identity))
    }

    /// The owner that the token of a request names.
    ///
    /// # Errors
    /// When there is no valid token. The reason is not given, so that nobody learns from it.
    pub(super) async fn owner(&self, headers: &HeaderMap) -> Result<Owner, Problem> {
        let owner = match bearer(headers).or_else(|| cookie(headers)) {
            Some(token) => self.check(token).await,
            None => None,
        };
        owner.ok_or_else(|| {
            let detail = "send a valid token: authorization: Bearer TOKEN";
            Problem::new(StatusCode::UNAUTHORIZED, detail)
        })
    }

    /// The owner that a token names; `None` if it is not valid.
    pub(super) async fn check(&self, token: &str) -> Option<Owner> {
        if token.len() > MAX_TOKEN_BYTES {
            return None;
        }
        let header = decode_header(token).ok()?;
        let claims = if header.alg == Algorithm::HS256 {
            self.claims(token, self.secret.as_ref()?, Algorithm::HS256)
        } else {
            let key = self.keys.as_ref()?.key(header.kid.as_deref()).await?;
            self.claims(token, &key.key, key.algorithm)
        }?;
        let is_name = (1..=MAX_OWNER_BYTES).contains(&claims.sub.len())
            && !claims.sub.contains(char::is_control);
        is_name.then_some(Owner(claims.sub))
    }

    fn claims(&self, token: &str, key: &DecodingKey, algorithm: Algorithm) -> Option<Claims> {
        let mut validation = Validation::new(algorithm);
        validation.validate_nbf = true;
        let mut required = vec!["exp", "sub"];
        validation.validate_aud = !self.audience.is_empty();
        if validation.validate_aud {
            validation.set_audience(&[&self.audience]);
            required.push("aud");
        }
        if !self.issuer.is_empty() {
            validation.set_issuer(&[&self.issuer]);
            required.push("iss");
        }
        validation.set_required_spec_claims(&required);
        decode(token, key, &validation)
            .ok()
            .map(|token| token.claims)
    }
}

/// The secret of the environment.
fn secret() -> Result<Option<DecodingKey>> {
    let secret = |name: &'static str| Some((name, variable(name)?));
    let Some((name, secret)) = secret(SECRET).or_else(|| secret("SUPABASE_JWT_SECRET")) else {
        return Ok(None);
    };
    ensure!(
        secret.len() >= MIN_SECRET_BYTES,
        "{name} has {} bytes, and could be guessed; use at least {MIN_SECRET_BYTES}",
        secret.len()
    );
    Ok(Some(DecodingKey::from_secret(secret.as_bytes())))
}

/// The keys at an address; `None` if it is empty.
fn key_set(address: &str, clock: Clock) -> Result<Option<KeySet>> {
    if address.is_empty() {
        return Ok(None);
    }
    let url: Url = address
        .parse()
        .with_context(|| format!("server.jwks is no address: {address}"))?;
    let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    ensure!(
        url.scheme() == "https" || is_local,
        "the keys at {address} could be exchanged on their way; use https"
    );
    KeySet::new(url, clock).map(Some)
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = text.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut pairs = cookies
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, token)| token)
}

//! The retry policy of the web: exponential back-off between attempts ([`with_backoff`]), unless
//! the server says in `Retry-After` how long to wait. The retry policy of model calls is
//! `retry_policy` in `agent/backend/exchange.rs`.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable as _};
use chrono::{DateTime, Utc};
use reqwest::header::{HeaderMap, RETRY_AFTER};

use super::error::WebError;
use super::limits::Limits;

/// A failed attempt, with the wait that the server asks for.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: WebError,
    pub(super) retry_after: Option<Duration>,
}

impl From<WebError> for Failure {
    fn from(error: WebError) -> Self {
        Self {
            error,
            retry_after: None,
        }
    }
}

/// Runs an attempt, and again up to `retries` times while its error is retryable.
pub(super) async fn with_backoff<T, F: Future<Output = Result<T, Failure>>>(
    limits: &Limits,
    retries: u32,
    is_retryable: impl Fn(&WebError) -> bool,
    attempt: impl FnMut() -> F,
) -> Result<T, WebError> {
    // Each wait is twice the one before. There is no jitter: a host's requests are spread by its
    // rate limiter already.
    let backoff = ExponentialBuilder::default()
        .with_min_delay(limits.retry_wait)
        .with_factor(2.0)
        .with_max_times(retries as usize);
    attempt
        .retry(backoff)
        .sleep(tokio::time::sleep)
        .when(|failure: &Failure| is_retryable(&failure.error))
        // The server knows better than any formula, but not beyond `max_wait`.
        .adjust(|failure: &Failure, wait| {
            wait.map(|wait| failure.retry_after.unwrap_or(wait).min(limits.max_wait))
        })
        .notify(|failure: &Failure, wait| {
            let wait_ms = wait.as_millis() as u64;
            tracing::debug!(error = %failure.error, wait_ms, "retry after back-off");
        })
        .await
        .map_err(|failure| failure.error)
}

/// The wait that a server asks for: `Retry-After` in seconds or as an HTTP date (RFC 9110, section
/// 10.2.3), or in milliseconds in the `retry-after-ms` of some providers of models. A date in the
/// past asks for none.
pub fn retry_after(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let header = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(milliseconds) = header("retry-after-ms").and_then(|text| text.parse().ok()) {
        return Some(Duration::from_millis(milliseconds));
    }
    let text = header(RETRY_AFTER.as_str())?;
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = DateTime::parse_from_rfc2822(text).ok()?;
    (date.with_timezone(&Utc) - now).to_std().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_read_in_seconds_milliseconds_and_as_a_date() {
        let now: DateTime<Utc> = "2026-03-01T10:00:00Z".parse().unwrap();
        for (name, value, milliseconds) in [
            ("retry-after", "3", Some(3000)),
            ("retry-after", " 1.5 ", Some(1500)),
            ("retry-after", "Sun, 01 Mar 2026 10:00:20 GMT", Some(20_000)),
            ("retry-after", "Sun, 01 Mar 2026 09:00:00 GMT", None),
            ("retry-after", "-1", None),
            ("retry-after", "NaN", None),
            ("retry-after", "1e300", None),
            ("retry-after", "soon", None),
            ("retry-after-ms", "250", Some(250)),
            ("x-other", "1", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            let wanted = milliseconds.map(Duration::from_millis);
            assert_eq!(retry_after(&headers, now), wanted, "{name}: {value}");
        }
    }
}

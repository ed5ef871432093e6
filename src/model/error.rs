//! The errors of a call, classified by the remedy: retry, wait, or give up.
//!
//! The retry policy itself, exponential back-off with jitter, is in `agent/backend/exchange.rs`; it
//! relies on [`ModelError::is_transient`] and [`ModelError::retry_after`].

use std::time::Duration;

/// The error of a call without a usable reply. The texts are redacted: they contain no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Too many requests: retry later.
    #[error("rate limit: {text}")]
    RateLimited {
        /// The provider's message.
        text: String,
        /// The waiting time that the provider requests.
        retry_after: Option<Duration>,
    },
    /// The provider is overloaded or broken: retry.
    #[error("provider not available: {text}")]
    Unavailable {
        /// The provider's message.
        text: String,
        /// The waiting time that the provider requests.
        retry_after: Option<Duration>,
    },
    /// No connection was made.
    #[error("no connection: {0}")]
    Unreachable(String),
    /// The connection broke before the reply was complete.
    #[error("connection lost: {0}")]
    ConnectionLost(String),
    /// No reply within the time limit.
    #[error("no reply: {0}")]
    Timeout(String),
    /// The reply does not follow the provider's protocol.
    #[error("malformed reply: {0}")]
    MalformedResponse(String),
    /// The account is empty: a retry changes nothing.
    #[error("account exhausted: {0}")]
    QuotaExceeded(String),
    /// The request is longer than the model's context window.
    #[error("request too long: {0}")]
    ContextTooLong(String),
    /// The variable of the key is not set: nothing is sent.
    #[error("{0} is not set; set it to the key of the provider")]
    MissingKey(String),
    /// The request was refused: a retry changes nothing.
    #[error("refused: {0}")]
    Refused(String),
}

/// The phrases in the errors of providers that distinguish an empty account from a rate limit, in
/// lower case.
const EXHAUSTED: [&str; 7] = [
    "insufficient_quota",
    "exceeded your current quota",
    "credit balance is too low",
    "billing_hard_limit",
    "insufficient balance",
    "insufficient credits",
    "payment required",
];

/// The phrases in the errors of providers for a request that exceeds the context window, in lower
/// case.
const TOO_LONG: [&str; 6] = [
    "exceed_context_size",
    "context_length_exceeded",
    "maximum context length",
    "prompt is too long",
    "exceeds the available context",
    "input token count",
];

impl ModelError {
    /// Classifies an HTTP status with the body and header that came with it; `text` is the message
    /// for people.
    pub(super) fn from_status(
        status: u16,
        body: &str,
        text: String,
        retry_after: Option<Duration>,
    ) -> Self {
        let lower = body.to_lowercase();
        // Providers use 400 and 429 for several errors: the text tells them apart.
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        // The order decides: an empty account may come with the status of a rate limit.
        match status {
            402 => Self::QuotaExceeded(text),
            400 | 403 | 429 if says(&EXHAUSTED) => Self::QuotaExceeded(text),
            400 | 413 | 422 if says(&TOO_LONG) => Self::ContextTooLong(text),
            429 => Self::RateLimited { text, retry_after },
            // Request Timeout, Conflict and Too Early (RFC 9110, RFC 8470) are transient, like
            // server errors.
            408 | 409 | 425 | 500..=599 => Self::Unavailable { text, retry_after },
            _ => Self::Refused(text),
        }
    }

    /// `true` if the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        !matches!(
            self,
            Self::QuotaExceeded(_)
                | Self::ContextTooLong(_)
                | Self::MissingKey(_)
                | Self::Refused(_)
        )
    }

    /// Returns the wait that the provider asks for.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Unavailable { retry_after, .. } => {
                *retry_after
            }
            _ => None,
        }
    }

    /// `true` if the provider may have worked on the request, and charge for it.
    pub fn may_be_billed(&self) -> bool {
        matches!(
            self,
            Self::ConnectionLost(_) | Self::Timeout(_) | Self::MalformedResponse(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, text: &str) -> ModelError {
        ModelError::from_status(status, text, text.to_owned(), None)
    }

    #[test]
    fn quota_exceeded_is_no_rate_limit() {
        assert!(matches!(
            of(429, "You exceeded your current quota"),
            ModelError::QuotaExceeded(_)
        ));
        assert!(matches!(
            of(400, "Your credit balance is too low"),
            ModelError::QuotaExceeded(_)
        ));
        assert!(matches!(of(402, ""), ModelError::QuotaExceeded(_)));
        assert!(matches!(
            of(429, "Rate limit reached for requests"),
            ModelError::RateLimited { .. }
        ));
    }

    #[test]
    fn transient_errors_are_retried_and_others_are_not() {
        assert!(matches!(
            of(400, "the request exceeds the available context size"),
            ModelError::ContextTooLong(_)
        ));
        assert!(!of(401, "invalid key").is_transient());
        assert!(of(503, "Loading model").is_transient());
        assert!(of(529, "overloaded_error").is_transient());
    }
}

//! How a call fails, and what can be done about it.

use std::time::Duration;

/// A call that brought no reply. The texts are cleared of keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Too many requests: to be sent again, later.
    #[error("rate limit: {text}")]
    RateLimited {
        /// What the provider says.
        text: String,
        /// How long it wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// The provider is not well: to be sent again.
    #[error("provider not available: {text}")]
    Unavailable {
        /// What it says.
        text: String,
        /// How long it wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// No connection was made.
    #[error("no connection: {0}")]
    Unreachable(String),
    /// The connection broke before the reply was whole.
    #[error("broken connection: {0}")]
    ConnectionLost(String),
    /// Nothing was heard for as long as a reply may take.
    #[error("no reply: {0}")]
    Timeout(String),
    /// The reply is none of the provider's kind.
    #[error("garbled reply: {0}")]
    MalformedResponse(String),
    /// The account is empty: asking again changes nothing.
    #[error("account exhausted: {0}")]
    QuotaExceeded(String),
    /// The request is longer than the model's context window.
    #[error("request too long: {0}")]
    ContextTooLong(String),
    /// The request was refused: asking again changes nothing.
    #[error("refused: {0}")]
    Refused(String),
}

/// Words by which providers tell an empty account from a rate limit.
const EXHAUSTED: [&str; 7] = [
    "insufficient_quota",
    "exceeded your current quota",
    "credit balance is too low",
    "billing_hard_limit",
    "insufficient balance",
    "insufficient credits",
    "payment required",
];

/// Words by which they say that a request does not fit.
const TOO_LONG: [&str; 6] = [
    "exceed_context_size",
    "context_length_exceeded",
    "maximum context length",
    "prompt is too long",
    "exceeds the available context",
    "input token count",
];

impl ModelError {
    /// The fault that a status and what came with it mean.
    pub(super) fn from_status(status: u16, text: String, retry_after: Option<Duration>) -> Self {
        let lower = text.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        match status {
            402 => Self::QuotaExceeded(text),
            400 | 403 | 429 if says(&EXHAUSTED) => Self::QuotaExceeded(text),
            400 | 413 | 422 if says(&TOO_LONG) => Self::ContextTooLong(text),
            429 => Self::RateLimited { text, retry_after },
            408 | 409 | 425 | 500..=599 => Self::Unavailable { text, retry_after },
            _ => Self::Refused(text),
        }
    }

    /// Whether the same request may well be answered later.
    pub fn is_transient(&self) -> bool {
        !matches!(
            self,
            Self::QuotaExceeded(_) | Self::ContextTooLong(_) | Self::Refused(_)
        )
    }

    /// How long the provider wants to be left alone.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Unavailable { retry_after, .. } => {
                *retry_after
            }
            _ => None,
        }
    }

    /// Whether the provider may have worked on the request, and ask for money.
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
        ModelError::from_status(status, text.to_owned(), None)
    }

    #[test]
    fn an_empty_account_is_no_rate_limit() {
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
    fn what_asking_again_cannot_change_is_told_apart() {
        assert!(matches!(
            of(400, "the request exceeds the available context size"),
            ModelError::ContextTooLong(_)
        ));
        assert!(!of(401, "invalid key").is_transient());
        assert!(of(503, "Loading model").is_transient());
        assert!(of(529, "overloaded_error").is_transient());
    }
}

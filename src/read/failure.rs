//! The failure of a parser, which the reader makes an error of the document.

use std::panic::{self, AssertUnwindSafe};

use serde::{Deserialize, Serialize};

/// The failure of a parser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Failure {
    /// The document holds, or inflates to, more than the reader's limit.
    TooLarge,
    /// It is binary data in the place of text.
    NotText,
    /// It takes more memory than its parser may have.
    OutOfMemory,
    /// The document is malformed; the problem completes "cannot read x: ".
    Broken(String),
    /// Its reader is gone; the problem completes "cannot read x: ". Another try may succeed.
    Lost(String),
}

impl From<String> for Failure {
    fn from(problem: String) -> Self {
        Self::Broken(problem)
    }
}

impl From<&str> for Failure {
    fn from(problem: &str) -> Self {
        Self::Broken(problem.to_owned())
    }
}

/// Runs a parser; its panic is a failure.
pub(super) fn caught<T>(parse: impl FnOnce() -> T) -> Result<T, Failure> {
    // What the parser has changed by then is not looked at again.
    panic::catch_unwind(AssertUnwindSafe(parse)).map_err(|_| {
        tracing::debug!("a parser panicked");
        "its parser gave up on it".into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_of_a_parser_is_a_failure() {
        let answer: Result<(), Failure> = caught(|| panic!("as some parsers do"));
        assert_eq!(answer, Err("its parser gave up on it".into()));
        assert_eq!(caught(|| 3), Ok(3));
    }
}

//! The two errors that end a run although nothing has failed.

/// The user or the system requested that the run stop. Everything gathered is preserved.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; everything so far is kept")]
pub struct Interrupted;

/// A stage cannot continue before the user has done something. Everything gathered is preserved.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InputRequired(pub String);

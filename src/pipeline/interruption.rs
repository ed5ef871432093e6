//! The two errors by which a run stops although nothing failed.

/// The person, or the system, requested the run to stop. Everything gathered is kept.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; everything so far is kept")]
pub struct Interrupted;

/// A stage cannot go on before a person has done something. Everything gathered is kept.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InputRequired(pub String);

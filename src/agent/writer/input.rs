//! The input of the writer.

use crate::artifact::{Analysis, Research};

/// The writer's input.
#[derive(Debug, Clone)]
pub struct WriterInput {
    /// The analysis of the findings.
    pub analysis: Analysis,
    /// The passages and their sources.
    pub research: Research,
}

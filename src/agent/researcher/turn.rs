//! The turns of a researcher: it searches, reads, thinks, and finally says what it found.

use super::input::ResearcherOutput;
use crate::extension::Arguments;

/// A turn of the researcher.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// What the researcher knows and what it misses, in its own words; empty by rule.
    pub thought: String,
    /// The answer as it is repeated to the model in the next turn.
    pub answer: String,
    /// What is done.
    pub action: Action,
}

/// What a researcher does in a turn.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// It searches the documents or a service of the web.
    Search {
        /// The query.
        query: String,
        /// The service; `None` for the documents, or without any for every service.
        service: Option<String>,
    },
    /// It reads hits of its searches.
    Read {
        /// The indices of the hits.
        hits: Vec<usize>,
    },
    /// It reads on in the document of a passage.
    Open {
        /// The index of the passage after which it reads on.
        passage: usize,
    },
    /// It runs a tool of the user's.
    Tool {
        /// The tool, one of those that it may run.
        name: String,
        /// The arguments, checked against their types.
        arguments: Arguments,
    },
    /// It only thinks.
    Think,
    /// It has found what there is.
    Finish(ResearcherOutput),
}

impl Turn {
    /// What was found, if the researcher finished.
    pub fn output(self) -> ResearcherOutput {
        match self.action {
            Action::Finish(output) => output,
            _ => ResearcherOutput::default(),
        }
    }
}

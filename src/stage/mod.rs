//! The stages, a file or folder each: their inputs, their agents, and the gates that they write.
//!
//! A stage reads gates, asks agents, and writes its own gate last. Intermediate work is written as
//! checkpoints, each a small gate of its own, so that crash recovery repeats nothing that was
//! finished. A stage is registered in [`STAGES`] alone: the pipeline, the graph, the names
//! that `--from` and `--until` take and the state of a session derive from it.

mod analysis;
mod bound_stage;
mod context;
mod definition;
mod event_text;
mod libraries;
mod past_rounds;
mod publish;
mod references;
mod research;
mod review;
mod sentences;
mod stage_run;
mod table;
mod write;

pub use bound_stage::is_exhaustion;
pub use context::Context;
pub use definition::{COMPLETE, Edge, SendsBack, StageInfo, edges, names, state};
pub use libraries::Libraries;
pub use publish::{NOT_ANSWERED, PUBLICATION};
pub use research::is_of_the_web;
pub use research::web::{ExpectedSearches, Offline, SearchForecast};
pub use stage_run::{StageRun, header};
pub use table::{STAGES, pipeline};

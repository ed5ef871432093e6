//! Inspects sessions without changing them: status, overview, spending, running processes, and the
//! check of every citation against the stored texts.

mod baseline;
mod comparison;
mod decisions;
mod edited;
mod graph;
mod no_evidence;
mod overview;
mod present;
mod publication;
mod rounds;
mod running;
mod spending;
mod status;
mod tasks;
mod verify;

pub use baseline::{baseline, has_report};
pub use comparison::{Comparison, OnlyRound};
pub use decisions::{ChangedInput, StageDecision, decisions, with_quoted_first};
pub use edited::{
    altered_report, edited_claims, edited_files, edited_gates, edited_renderings,
    lacks_publication, lost_texts,
};
pub use graph::{AgentNode, Edge, Graph, Node, graph};
pub use no_evidence::{out_of_time, why_no_evidence};
pub use overview::{is_published, last_published, overview, published_report, report};
pub use present::PresentTexts;
pub use publication::{ExportOptions, Exported, export};
pub use rounds::{NoSuchRound, NotThereYet, Round, Rounds};
pub use running::{Activity, BATCH_STATUS, Running, RunningBatch, running_batches};
pub use spending::{CallSummary, Spending, Totals, spending};
pub use status::{
    PublishedRound, Status, ignored_changes, is_interrupted, published_round, status, status_after,
    status_with, summary, summary_after, summary_with_documents, unreadable,
};
pub use tasks::{Task, Tasks, tasks};
pub use verify::{VerifyReport, verify};

//! Wires the settings into a pipeline: the model backend, the page fetcher and the document reader
//! of a process, and the constructor of the pipeline of a session.

pub mod artifacts;
mod backend;
mod baseline;
mod clarification;
mod edit;
mod execute;
pub mod fetching;
mod follow;
mod mode;
mod pipeline;
mod question;
mod reader;
mod render_prompt;

pub use backend::{BackendConfig, depth_shape, expected_searches, prompts, usable_prompts};
pub use baseline::Baseline;
pub use clarification::{answer, questions};
pub use edit::{EditRefused, edit, is_editable};
pub use execute::execute;
pub use follow::messages;
pub use pipeline::{Overrides, Shared, pipeline};
pub use question::{InvalidQuestion, Question};
pub use reader::{children, end_children, reader};
pub use render_prompt::render_prompt;

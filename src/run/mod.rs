//! Wires the settings into a pipeline: the model backend, the page fetcher and the document reader
//! of a process, and the constructor of the pipeline of a session.

pub mod artifacts;
mod backend;
mod execute;
pub mod fetching;
mod follow;
mod pipeline;
mod reader;
mod render_prompt;

pub use backend::{BackendConfig, depth_shape, prompts};
pub use execute::execute;
pub use follow::{messages, stored_sources};
pub use pipeline::{Overrides, Shared, pipeline};
pub use reader::reader;
pub use render_prompt::render_prompt;

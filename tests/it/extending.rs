//! Extending the program: a toy of each registrable kind is added through public items alone, and
//! everything that derives from its table sees it.

mod agent;
mod command;
mod export_format;
mod model_provider;
mod search_provider;
mod source_kind;
mod stage;

//! The page: plain HTML that works without script, made from the same answers as the API.
//!
//! Every text goes through the escaping of the templates, and the policy allows no script and no
//! style but those with the nonce of the answer: what a document or a session says runs nothing.

mod assets;
mod forms;
mod screens;
mod template;

pub(super) use assets::{script, style};
pub(super) use forms::{answer, approve, ask, cancel, resume, save};
pub(super) use screens::{diff, file, files, home, progress, session};

//! The page: plain HTML that works without script, made from the same answers as the API.
//!
//! Every text goes through the escaping of the templates, and the policy allows no script and no
//! style but those with the nonce of the answer: what a document or a session says runs nothing.

mod assets;
mod forms;
mod knowledge;
mod own_form;
mod screens;
mod sign_in;
mod template;

pub(super) use assets::{script, style};
pub(super) use forms::{answer, approve, ask, cancel, resume, save};
pub(super) use screens::{diff, file, files, home, progress, session};
pub(super) use sign_in::{show_sign_in, sign_in, sign_out};
pub(super) use template::PageProblem;

//! E-mail: single messages (EML) and mailboxes (mbox), as headed sections with sender, recipients
//! and date.

pub mod eml;
pub mod mbox;
mod message;

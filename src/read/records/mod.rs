//! Records, of CSV, JSON and spreadsheets: each becomes one sentence of fields that can be found
//! and quoted as a unit, or, where a field holds running text, a short article.

pub mod csv;
pub mod json;
mod layout;
pub(super) mod rows;
pub(super) mod writer;

//! Export formats: a finished session rendered as bytes. Pure: texts are passed in, nothing is read
//! or written.
//!
//! An [`Edition`] is the input: a round of a session and how much of it is exported. A [`Format`]
//! renders it; [`FORMATS`] registers every format. `outline` decides which parts a report has, once
//! for all formats that people read; [`json`] is for programs, and for the [`template`]s of users.
//! [`knowledge`] exports the graph of entities by itself, [`diagram`] any graph.

pub mod altered;
mod authors;
mod bibliography;
pub mod bibtex;
mod chart;
pub mod citation;
mod claim_group;
mod container;
pub mod csl;
pub mod csv;
pub mod diagram;
pub mod difference;
pub mod docx;
mod edition;
mod format;
mod headings;
pub mod html;
mod inline;
pub mod json;
pub mod knowledge;
pub mod markdown;
mod markup;
mod notices;
mod opinion;
mod outline;
mod paper;
mod passage;
pub mod pdf;
mod remark;
pub mod ris;
mod segment;
pub mod template;
pub mod update;

pub use edition::{BelowThreshold, Edition, Kind};
pub use format::{Format, Missing};
pub use markdown::LINK_SEGMENT;
pub use notices::{NOTICES, not_answered};

/// Every export format. The first one is the default of `research export`.
pub const FORMATS: &[Format] = &[
    markdown::FORMAT,
    html::FORMAT,
    docx::FORMAT,
    pdf::FORMAT,
    json::FORMAT,
    csv::FORMAT,
    bibtex::FORMAT,
    ris::FORMAT,
    csl::FORMAT,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::FORMATS;

    #[test]
    fn no_format_name_or_extension_is_registered_twice() {
        let mut seen = BTreeSet::new();
        for format in FORMATS {
            assert!(seen.insert(("name", format.name)), "{format:?}");
            // Formats of one extension would overwrite each other's file in a session directory.
            assert!(seen.insert(("extension", format.extension)), "{format:?}");
            assert!(!format.about.is_empty());
        }
    }
}

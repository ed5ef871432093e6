//! What each file of a session holds: one module per file, named after it.
//!
//! Every file but `session.json` is an [`Artifact`]: its version, how it came to be, when, and its
//! content. The types are the schemas ([`schema`]); unknown fields are errors, so that a slip in a
//! hand edit is found at its line. Nothing here reads or writes files.

pub mod analysis;
pub mod claims;
pub mod clarification;
pub mod classification;
pub mod collected;
pub mod documents;
pub mod links;
pub mod plan;
pub mod reflections;
pub mod report;
pub mod research;
pub mod review;
pub mod session;
pub mod source;
pub mod step;
pub mod verification;

use schemars::{JsonSchema, Schema, schema_for};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::pipeline::{Provenance, Version};

pub use analysis::Analysis;
pub use claims::Claims;
pub use clarification::Clarification;
pub use classification::Classification;
pub use collected::{Collected, Paid};
pub use documents::Documents;
pub use links::Links;
pub use plan::Plan;
pub use reflections::Reflection;
pub use report::Report;
pub use research::Research;
pub use review::Review;
pub use session::Session;
pub use source::Source;
pub use step::StepFinding;
pub use verification::Verification;

/// A file of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Artifact<T> {
    /// The version of this file's shape.
    pub version: Version<1>,
    /// How it came to be.
    pub provenance: Provenance,
    /// When, RFC 3339.
    pub made_at: String,
    /// What it says.
    pub content: T,
}

impl<T> Artifact<T> {
    /// An artifact made now.
    pub fn new(provenance: Provenance, made_at: String, content: T) -> Self {
        Self {
            version: Version,
            provenance,
            made_at,
            content,
        }
    }
}

/// Reads a file of a session.
///
/// # Errors
/// When the bytes are not complete JSON of this shape, with line and column.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(bytes)
}

/// The bytes of a file of a session: indented JSON, fields in the order of the type, and a final
/// newline.
///
/// # Errors
/// When a number is not finite; no type here holds one that is not.
pub fn to_bytes<T: Serialize>(file: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec_pretty(file)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The files that have a schema, by the name that [`schema`] takes.
pub const NAMES: [&str; 17] = [
    "session",
    "classification",
    "clarification",
    "documents",
    "plan",
    "web",
    "paid",
    "step",
    "reflections",
    "source",
    "research",
    "analysis",
    "claims",
    "verification",
    "links",
    "report",
    "review",
];

/// The JSON Schema of a file, by its name without `.json`; `None` for an unknown one. For
/// `reflections.jsonl` it is the schema of a line.
pub fn schema(name: &str) -> Option<Schema> {
    Some(match name {
        "session" => schema_for!(Session),
        "classification" => schema_for!(Artifact<Classification>),
        "clarification" => schema_for!(Artifact<Clarification>),
        "documents" => schema_for!(Artifact<Documents>),
        "plan" => schema_for!(Artifact<Plan>),
        "web" => schema_for!(Artifact<Collected>),
        "paid" => schema_for!(Paid),
        "step" => schema_for!(Artifact<StepFinding>),
        "reflections" => schema_for!(Artifact<Reflection>),
        "source" => schema_for!(Artifact<Source>),
        "research" => schema_for!(Artifact<Research>),
        "analysis" => schema_for!(Artifact<Analysis>),
        "claims" => schema_for!(Artifact<Claims>),
        "verification" => schema_for!(Artifact<Verification>),
        "links" => schema_for!(Artifact<Links>),
        "report" => schema_for!(Artifact<Report>),
        "review" => schema_for!(Artifact<Review>),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_file_has_a_schema() {
        for name in NAMES {
            assert!(schema(name).is_some(), "{name}");
        }
        assert!(schema("nothing").is_none());
    }
}

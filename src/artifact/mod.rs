//! Artifacts, the files of a session: one module per file, named after it.
//!
//! Every file but `session.json` is an [`Artifact`]: its version, its provenance, its time and its
//! content. The types are the schemas ([`schema`]); unknown fields are errors, so that a mistake
//! in a hand edit is reported with its line. One table, [`TABLE`], names each file with its type;
//! names, schemas and completions derive from it.

pub mod analysis;
pub mod background;
pub mod claims;
pub mod clarification;
pub mod classification;
pub mod collected;
pub mod documents;
pub mod links;
pub mod overview;
pub mod plan;
pub mod reflections;
pub mod report;
pub mod research;
pub mod review;
pub mod session;
pub mod social;
pub mod source;
pub mod step;
pub mod stored;
pub mod verification;

use schemars::{JsonSchema, Schema, schema_for};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::pipeline::{Manifest, Provenance, Version};

pub use analysis::Analysis;
pub use background::Background;
pub use claims::Claims;
pub use clarification::Clarification;
pub use classification::Classification;
pub use collected::{Collected, Paid};
pub use documents::Documents;
pub use links::Links;
pub use overview::Overview;
pub use plan::Plan;
pub use reflections::Reflection;
pub use report::Report;
pub use research::Research;
pub use review::Review;
pub use session::Session;
pub use social::Social;
pub use source::Source;
pub use step::StepFinding;
pub use verification::Verification;

/// A file of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Artifact<T> {
    /// The version of the file format.
    pub version: Version<1>,
    /// Its content, before all that only the engine reads.
    pub content: T,
    /// The time at which it was made, RFC 3339.
    pub made_at: String,
    /// Its provenance.
    pub provenance: Provenance,
}

impl<T> Artifact<T> {
    /// An artifact made now.
    pub fn new(provenance: Provenance, made_at: String, content: T) -> Self {
        Self {
            version: Version,
            content,
            made_at,
            provenance,
        }
    }
}

/// The largest file of values that is read from a session, in bytes; chosen by hand: some twenty
/// times the largest seen so far. Small values take some fifteen times their text in memory.
const MAX_BYTES: usize = 12 << 20;

/// Reads a file of a session.
///
/// # Errors
/// When the bytes are not complete JSON of this type, with line and column, or too many.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    if bytes.len() > MAX_BYTES {
        let limit = MAX_BYTES >> 20;
        return Err(serde::de::Error::custom(format!(
            "it is larger than the {limit} MiB that such a file of a session may have"
        )));
    }
    serde_json::from_slice(bytes)
}

/// The bytes of a file of a session: indented JSON, fields in the order of the type, and a final
/// newline.
///
/// # Errors
/// When a number is not finite, which no type here allows.
pub fn to_bytes<T: Serialize>(file: &T) -> Result<Vec<u8>, serde_json::Error> {
    // Indented, since users read and edit these files, and diffs of them stay small.
    let mut bytes = serde_json::to_vec_pretty(file)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// One line of [`TABLE`]: a file of a session, and the type of its content.
#[derive(Debug, Clone, Copy)]
pub struct FileType {
    /// The file's name without `.json`.
    pub name: &'static str,
    // A function, since a constant cannot contain a schema, which is built on the heap.
    schema: fn() -> Schema,
    /// Parses a file of this type; the error has line and column.
    pub check: fn(&[u8]) -> Result<(), serde_json::Error>,
}

impl FileType {
    /// The file `NAME.json`, which holds a `T`.
    pub const fn of<T: JsonSchema + DeserializeOwned>(name: &'static str) -> Self {
        Self {
            name,
            schema: || schema_for!(T),
            check: |bytes| parse::<T>(bytes).map(|_| ()),
        }
    }

    /// The JSON Schema of the file; of `reflections.jsonl`, that of a line.
    pub fn schema(&self) -> Schema {
        (self.schema)()
    }
}

/// All files of a session that have a schema, in the order in which they are written.
pub const TABLE: &[FileType] = &[
    // `Session`, `Manifest` and `Paid` are not results of a stage, so they have no provenance.
    FileType::of::<Session>("session"),
    FileType::of::<Manifest>("manifest"),
    FileType::of::<Artifact<Classification>>("classification"),
    FileType::of::<Artifact<Clarification>>("clarification"),
    FileType::of::<Artifact<Background>>("background"),
    FileType::of::<Artifact<Documents>>("documents"),
    FileType::of::<Artifact<Plan>>("plan"),
    FileType::of::<Artifact<Collected>>("web"),
    FileType::of::<Paid>("paid"),
    FileType::of::<Artifact<StepFinding>>("step"),
    FileType::of::<Artifact<Reflection>>("reflections"),
    FileType::of::<Artifact<Source>>("source"),
    FileType::of::<Artifact<Social>>("social"),
    FileType::of::<Artifact<Research>>("research"),
    FileType::of::<Artifact<Analysis>>("analysis"),
    FileType::of::<Artifact<Claims>>("claims"),
    FileType::of::<Artifact<Verification>>("verification"),
    FileType::of::<Artifact<Links>>("links"),
    FileType::of::<Artifact<Report>>("report"),
    FileType::of::<Artifact<Review>>("review"),
];

/// The names of [`TABLE`], as [`schema`] takes them.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|file| file.name)
}

/// The type of a file of a session that users may edit: of the gates, the plans and the questions.
/// `None` for files that record what happened, such as sources and calls.
pub fn editable(path: &str) -> Option<&'static FileType> {
    let stem = path.strip_suffix(".json")?;
    let name = match stem.strip_prefix("research/") {
        Some(plan) if plan.starts_with("plan-") => "plan",
        Some("clarification") => "clarification",
        Some(_) => return None,
        None => stem,
    };
    let is_editable = matches!(
        name,
        "plan" | "clarification" | "research" | "analysis" | "report" | "review"
    );
    let file_type = TABLE.iter().find(|file| file.name == name);
    file_type.filter(|_| is_editable && (name == stem) != stem.starts_with("research/"))
}

/// The JSON Schema of a file, by its name without `.json`; `None` for an unknown one.
pub fn schema(name: &str) -> Option<Schema> {
    let file = TABLE.iter().find(|file| file.name == name)?;
    Some(file.schema())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_names_each_file_once_with_a_schema_of_its_own_type() {
        let unique: BTreeSet<&str> = names().collect();
        assert_eq!(unique.len(), TABLE.len());
        let schemas: BTreeSet<String> = names()
            .map(|name| schema(name).unwrap().as_value().to_string())
            .collect();
        assert_eq!(schemas.len(), TABLE.len());
        assert!(schema("nothing").is_none());
    }
}

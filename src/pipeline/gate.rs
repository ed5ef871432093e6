//! Gates: the header of each artifact, with its provenance and recipe, and the reviewer's decision.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Digest;

/// The provenance of a gate: its stage, recipe and inputs. Every artifact carries it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The stage that wrote the file.
    pub stage: String,
    /// The round in which it was written, from 1.
    pub round: u32,
    /// The agents, the model, the prompts and the settings.
    pub recipe: Recipe,
    /// The input files, by path in the session, with their digests at that time. When one no longer
    /// matches, this file is stale.
    pub inputs: BTreeMap<String, Digest>,
}

/// Everything that a gate depends on besides its input files. A gate whose recipe has changed is
/// reported as outdated, and made again only on request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The agents of the stage, in order.
    pub agent: String,
    /// `rules`, or the model that answered.
    pub answered_by: String,
    /// Digest of the prompts of these agents.
    pub prompt: Digest,
    /// Digest of the settings that the stage reads.
    pub configuration: Digest,
}

impl Recipe {
    /// The differences between `self`, the recorded recipe, and the current recipe `now`, for
    /// display.
    pub fn differences(&self, now: &Recipe) -> Vec<String> {
        let mut differences = Vec::new();
        // Compared as displayed: twelve digits are enough to tell digests apart.
        let mut compare = |what: &str, then: &str, today: &str| {
            if then != today {
                differences.push(format!("{what} was {then}, is now {today}"));
            }
        };
        compare("agent", &self.agent, &now.agent);
        compare("answered by", &self.answered_by, &now.answered_by);
        compare("prompt", self.prompt.short(), now.prompt.short());
        compare(
            "configuration",
            self.configuration.short(),
            now.configuration.short(),
        );
        differences
    }
}

/// The part of a gate that the engine reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The gate's provenance.
    pub provenance: Provenance,
    /// The decision of the last stage's gate; `None` for the others.
    pub decision: Option<Decision>,
    /// The score behind the decision, 0 to 1.
    pub score: Option<f64>,
}

/// The decision of the last stage about the round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// The round is good enough.
    Accept,
    /// The round goes back to this stage.
    Revise {
        /// The name of the stage that runs again first.
        from: String,
    },
    /// The round is not good enough, but another round would not improve it: the best round is
    /// published as it is.
    Settle,
}

/// A gate that cannot be read. It is neither trusted nor deleted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}{location}: {problem}; fix the file, or run again with --from {stage}, which moves it aside",
    .path.display()
)]
pub struct Unreadable {
    /// The file.
    pub path: PathBuf,
    /// `:line:column`, or empty if the error has no position.
    pub location: String,
    /// The problem.
    pub problem: String,
    /// The stage to start from so that it is made again.
    pub stage: String,
}

impl Unreadable {
    /// An unreadable gate from the error of its parser.
    pub fn new(path: PathBuf, stage: &str, error: &serde_json::Error) -> Self {
        let location = match (error.line(), error.column()) {
            (0, _) => String::new(),
            (line, column) => format!(":{line}:{column}"),
        };
        // The parser appends the position to its message, where it would be a repetition.
        let text = error.to_string();
        let problem = text
            .rsplit_once(" at line ")
            .map_or(text.as_str(), |(problem, _)| problem);
        Self {
            path,
            location,
            problem: problem.to_owned(),
            stage: stage.to_owned(),
        }
    }

    /// The file, the place in it and the problem, without a remedy.
    pub fn summary(&self) -> String {
        format!("{}{}: {}", self.path.display(), self.location, self.problem)
    }
}

/// The version of a file format, the first field of every artifact: only `N` can be read; any other
/// version is an error, before the rest of the file is misread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Version<const N: u32>;

impl<const N: u32> Serialize for Version<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(N)
    }
}

impl<'de, const N: u32> Deserialize<'de> for Version<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            version if version == N => Ok(Self),
            version => Err(D::Error::custom(format!(
                "version {version} of this file is not known here (known: {N})"
            ))),
        }
    }
}

impl<const N: u32> JsonSchema for Version<N> {
    fn schema_name() -> Cow<'static, str> {
        format!("Version{N}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer",
            "const": N,
            "description": "The version of the file's shape."
        })
    }
}

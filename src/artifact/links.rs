//! `links.json`: whether what a draft cites is still at its address, as far as that was looked at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The addresses that were looked at again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// By source, in the order of first citation.
    pub checked: Vec<CheckedLink>,
}

/// One address that was looked at again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckedLink {
    /// The source.
    pub source: String,
    /// Its address.
    pub url: String,
    /// What is wrong with it; nothing if it was found, or if nobody can tell.
    pub dead: Option<DeadLink>,
}

/// A page that is no longer at its address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeadLink {
    /// When it was missed, RFC 3339.
    pub missed_at: String,
    /// How: what the server or the network said.
    pub problem: String,
    /// Where an archive has a copy, if one is known.
    pub archived: Option<String>,
}

impl Links {
    /// What is wrong with the address of a source.
    pub fn dead(&self, source: &str) -> Option<&DeadLink> {
        let mut checked = self.checked.iter();
        checked.find(|link| link.source == source)?.dead.as_ref()
    }
}

impl DeadLink {
    /// In a sentence.
    pub fn told(&self) -> String {
        let day = self.missed_at.split('T').next().unwrap_or_default();
        let copy = match &self.archived {
            Some(_) => "archived copy: ",
            None => "no archived copy is known",
        };
        format!(
            "no longer at this address on {day} ({}); {copy}",
            self.problem
        )
    }
}

//! `links.json`: the check of the addresses that a draft cites (link rot).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The addresses that were checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// One entry per source, in the order of first citation.
    pub checked: Vec<CheckedLink>,
}

/// One address that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckedLink {
    /// The source.
    pub source: String,
    /// Its address.
    pub url: String,
    /// The problem; `None` if the page exists, or if that is undecided.
    pub dead: Option<DeadLink>,
}

/// A page that is no longer at its address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeadLink {
    /// The time at which it was checked, RFC 3339.
    pub missed_at: String,
    /// The error of the server or the network.
    pub problem: String,
    /// The address of an archived copy, if there is one.
    pub archived: Option<String>,
}

impl Links {
    /// The problem with the address of a source, if there is one.
    pub fn dead(&self, source: &str) -> Option<&DeadLink> {
        let mut checked = self.checked.iter();
        checked.find(|link| link.source == source)?.dead.as_ref()
    }
}

impl DeadLink {
    /// A description in one sentence, to be followed by the address of the copy.
    pub fn describe(&self) -> String {
        // The date of an RFC 3339 time: readers do not need the hour.
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

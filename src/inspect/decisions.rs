//! The decisions of a plan on the stages of a session, with their reasons.

use std::collections::BTreeSet;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::artifact::Report;
use crate::pipeline::{Digest, ExternalChange, Next, Plan, Reason, StagePlan};
use crate::run::artifacts::content;

/// The decision on one stage.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StageDecision {
    /// The stage.
    pub stage: String,
    /// The file that it writes last.
    pub gate: String,
    /// `true` if it runs.
    pub runs: bool,
    /// The reason.
    pub reason: String,
    /// The input that changed since it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<ChangedInput>,
    /// The documents that have changed, appeared or vanished.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<ChangedInput>,
    /// The differences of prompts, models and settings since it ran.
    pub outdated: Vec<String>,
}

/// An input that changed, with the digests of both versions, where there is one.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChangedInput {
    /// The file.
    pub file: String,
    /// The digest that was read.
    pub was: Option<String>,
    /// The digest that it has now.
    pub is: Option<String>,
    /// The name that it has now, of a file that was renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_to: Option<String>,
}

/// A plan whose changed documents begin with those that the report of the session at `path` quotes:
/// the others may not matter to it.
pub fn with_quoted_first(path: &Path, mut plan: Plan) -> Plan {
    for line in &mut plan.stages {
        let before = line.reason.to_string();
        if let Reason::ExternalChanges(changes) = &mut line.reason
            && changes.len() > 1
        {
            let report: Option<Report> = content(path, "report.json");
            let references = report.map_or_else(Vec::new, |report| report.references);
            let quoted: BTreeSet<String> = references.into_iter().map(|own| own.locator).collect();
            changes.sort_by_key(|change| !quoted.contains(&change.name));
            if let Next::Supersede { reason, .. } = &mut plan.next {
                *reason = reason.replace(&before, &line.reason.to_string());
            }
        }
    }
    plan
}

/// The decisions of a plan.
pub fn decisions(plan: &Plan) -> Vec<StageDecision> {
    plan.stages.iter().map(decision).collect()
}

fn decision(line: &StagePlan) -> StageDecision {
    StageDecision {
        stage: line.stage.clone(),
        gate: line.gate.clone(),
        runs: !line.reason.skips(),
        reason: line.reason.to_string(),
        changed: match &line.reason {
            Reason::Stale {
                input,
                recorded,
                current,
            } => Some(ChangedInput {
                file: input.clone(),
                was: Some(recorded.to_string()),
                is: current.as_ref().map(ToString::to_string),
                renamed_to: None,
            }),
            _ => None,
        },
        documents: match &line.reason {
            Reason::ExternalChanges(changes) => {
                // The new name of a renamed file is told with the old one.
                let is_new_name = |own: &&ExternalChange| own.is_rename() && own.current.is_some();
                let named = changes.iter().filter(|own| !is_new_name(own));
                named.map(changed_document).collect()
            }
            _ => Vec::new(),
        },
        outdated: line.recipe_changes.clone(),
    }
}

fn changed_document(change: &ExternalChange) -> ChangedInput {
    let text = |digest: &Option<Digest>| digest.as_ref().map(ToString::to_string);
    ChangedInput {
        file: change.name.clone(),
        was: text(&change.recorded),
        is: text(
            change
                .renamed
                .as_ref()
                .map_or(&change.current, |_| &change.recorded),
        ),
        renamed_to: change.renamed.clone(),
    }
}

//! The table of stages, in which a stage is registered.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::bound_stage::BoundStage;
use super::context::Context;
use super::definition::StageInfo;
use super::publish::{PUBLICATION, publish};
use super::{analysis, research, review, write};
use crate::pipeline::{Pipeline, Stage};
use crate::search::index_folder;

/// The stages from a topic to a reviewed report, in order.
pub const STAGES: &[StageInfo] = &[research::INFO, analysis::INFO, write::INFO, review::INFO];

/// The name of the file with the digests of documents in the folder of their index.
const DIGESTS: &str = "digests.json";

/// The folder of the stored texts, into which reports link.
const SOURCES: &str = "sources";

/// Builds the pipeline of these stages, which ends in a published report.
pub fn pipeline(stages: &[StageInfo], context: Context) -> Pipeline {
    let context = Arc::new(context);
    Pipeline {
        stages: stages
            .iter()
            .map(|info| -> Box<dyn Stage> {
                Box::new(BoundStage {
                    recipe: OnceLock::new(),
                    info: *info,
                    context: context.clone(),
                })
            })
            .collect(),
        first_stage_of_round: stages
            .iter()
            .position(|stage| stage.starts_round)
            .unwrap_or_default(),
        max_rounds: context.max_rounds,
        publication: PUBLICATION,
        linked: &[SOURCES],
        publish: Box::new(publish),
        digests_outside: digests_outside(&context),
    }
}

/// The file beside the index of the documents that keeps their digests.
fn digests_outside(context: &Context) -> Option<PathBuf> {
    let roots = context.searched();
    let cache = context.settings.cache_dir().filter(|_| !roots.is_empty())?;
    Some(index_folder(&cache, &roots).ok()?.join(DIGESTS))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::agent::AGENTS;
    use crate::artifact;

    #[test]
    fn stage_names_and_gates_are_unique_and_every_gate_has_a_schema() {
        let mut taken = BTreeSet::new();
        for stage in STAGES {
            assert!(taken.insert(stage.name), "{} twice", stage.name);
            assert!(taken.insert(stage.gate), "{} twice", stage.gate);
            let stem = stage.gate.trim_end_matches(".json");
            assert!(
                artifact::schema(stem).is_some(),
                "{stem} has no line in artifact::schema"
            );
        }
    }

    #[test]
    fn one_stage_starts_a_round_and_only_the_last_sends_back_to_a_stage() {
        let starts = STAGES.iter().filter(|stage| stage.starts_round);
        assert_eq!(starts.count(), 1);
        let (last, others) = STAGES.split_last().unwrap();
        assert!(others.iter().all(|stage| stage.sends_back.is_empty()));
        for back in last.sends_back {
            assert!(others.iter().any(|stage| stage.name == back.to), "{back:?}");
        }
    }

    #[test]
    fn every_agent_is_used_by_a_stage() {
        for agent in AGENTS {
            let mut agents = STAGES.iter().flat_map(|stage| stage.agents);
            assert!(
                agents.any(|other| other.name == agent.name),
                "no stage uses the agent {}",
                agent.name
            );
        }
    }
}

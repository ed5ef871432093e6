//! Stage 2: what the findings add up to.

use std::sync::Arc;

use anyhow::Result;
use futures::future::BoxFuture;

use super::context::Context;
use super::definition::StageInfo;
use super::past_rounds::{notes, past_reviews};
use super::{header, load, write_gate};
use crate::agent::{AgentInfo, Analyst, AnalystInput};
use crate::artifact::Analysis;
use crate::artifact::session::State;
use crate::pipeline::{Header, PastRound, Recipe, Stage, Workspace};

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: "analysis",
    gate: "analysis.json",
    work: &[],
    agents: &[AgentInfo::of::<Analyst>()],
    state: State::Analyzing,
    starts_round: true,
    sends_back: &[],
    build: |context| Box::new(AnalysisStage(context)),
};

struct AnalysisStage(Arc<Context>);

impl Stage for AnalysisStage {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn gate(&self) -> &'static str {
        INFO.gate
    }

    fn intermediates(&self) -> &'static [&'static str] {
        INFO.work
    }

    fn renderings(&self) -> &'static [&'static str] {
        &[]
    }

    fn inputs(&self, past: &[PastRound]) -> Vec<String> {
        let research = "research.json".to_owned();
        std::iter::once(research)
            .chain(past_reviews(past))
            .collect()
    }

    fn recipe(&self) -> Recipe {
        self.0.judge.recipe(INFO.agents, &())
    }

    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error> {
        header::<Analysis>(bytes, |_| (None, None))
    }

    fn run<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let input = AnalystInput {
                research: load(workspace, "research", "research.json")?,
                notes: notes(workspace)?,
            };
            workspace
                .report_progress(self, format!("{} passages", input.research.passages.len()))?;
            let analysis = self.0.judge.ask::<Analyst>(workspace, self, &input).await?;
            write_gate(workspace, self, analysis)
        })
    }
}

//! Stage 2, analysis: the analyst groups the findings into themes, insights and contradictions.

use std::sync::Arc;

use anyhow::Result;
use futures::future::BoxFuture;

use super::context::Context;
use super::definition::StageInfo;
use super::past_rounds::{notes, past_reviews};
use super::research;
use super::stage_run::{StageRun, header};
use crate::agent::{AgentInfo, Analyst, AnalystInput};
use crate::artifact::Analysis;
use crate::artifact::session::State;
use crate::pipeline::{Header, PastRound, Recipe, Stage, Workspace};
use crate::text;

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: "analysis",
    gate: "analysis.json",
    intermediates: &[],
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
        INFO.intermediates
    }

    fn renderings(&self) -> &'static [&'static str] {
        &[]
    }

    fn inputs(&self, past: &[PastRound]) -> Vec<String> {
        let research = research::INFO.gate.to_owned();
        std::iter::once(research)
            .chain(past_reviews(past))
            .collect()
    }

    fn recipe(&self) -> Recipe {
        self.0.backend.recipe(INFO.agents, &())
    }

    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error> {
        header::<Analysis>(bytes, |_| (None, None))
    }

    fn run<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let run = StageRun::new(self, &self.0, workspace);
            let input = AnalystInput {
                research: run.load_gate(&research::INFO)?,
                notes: notes(workspace)?,
            };
            // Reported before the model is asked: its call may take minutes.
            run.progress(text::counted(input.research.passages.len(), "passage"))?;
            let analysis = run.ask::<Analyst>(&input).await?;
            run.write_gate(analysis)
        })
    }
}

//! Stage 2: what the findings add up to.

use std::sync::Arc;

use anyhow::Result;
use futures::future::BoxFuture;

use super::{Context, header, load, notes, past_reviews, write_gate};
use crate::agent::{AgentInfo, Analyst, AnalystInput};
use crate::artifact::Analysis;
use crate::pipeline::{Header, PastRound, Recipe, Stage, Workspace};

pub(super) const AGENTS: [AgentInfo; 1] = [AgentInfo::of::<Analyst>()];

pub(super) struct AnalysisStage(pub(super) Arc<Context>);

impl Stage for AnalysisStage {
    fn name(&self) -> &'static str {
        "analysis"
    }

    fn gate(&self) -> &'static str {
        "analysis.json"
    }

    fn work(&self) -> &'static [&'static str] {
        &[]
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
        self.0.judge.recipe(&AGENTS, &())
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
            workspace.tell(self, format!("{} passages", input.research.passages.len()))?;
            let analysis = self.0.judge.ask::<Analyst>(workspace, self, &input).await?;
            write_gate(workspace, self, analysis)
        })
    }
}

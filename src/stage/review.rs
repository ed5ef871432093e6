//! Stage 4: what the round is worth, and whether it goes back.

use std::sync::Arc;

use anyhow::Result;
use futures::future::BoxFuture;

use super::{Context, header, load, write_gate};
use crate::agent::{AgentInfo, Reviewer, ReviewerInput};
use crate::artifact::review::ReviewDecision;
use crate::artifact::{Report, Research, Review};
use crate::pipeline::{Decision, Header, PastRound, Recipe, Stage, Workspace};

pub(super) const AGENTS: [AgentInfo; 1] = [AgentInfo::of::<Reviewer>()];

pub(super) struct ReviewStage(pub(super) Arc<Context>);

impl Stage for ReviewStage {
    fn name(&self) -> &'static str {
        "review"
    }

    fn gate(&self) -> &'static str {
        "review.json"
    }

    fn work(&self) -> &'static [&'static str] {
        &[]
    }

    fn renderings(&self) -> &'static [&'static str] {
        &[]
    }

    fn inputs(&self, _past: &[PastRound]) -> Vec<String> {
        vec!["report.json".to_owned(), "research.json".to_owned()]
    }

    fn recipe(&self) -> Recipe {
        let weights = &self.0.settings.reviewer.weights;
        self.0.judge.recipe(&AGENTS, &(self.0.threshold, weights))
    }

    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error> {
        header::<Review>(bytes, |review| {
            let decision = match review.decision {
                ReviewDecision::Accept => Decision::Accept,
                ReviewDecision::Settle => Decision::Settle,
                ReviewDecision::Revise => Decision::Revise {
                    from: "analysis".to_owned(),
                },
                ReviewDecision::NeedsResearch => Decision::Revise {
                    from: "research".to_owned(),
                },
            };
            (Some(decision), Some(review.score))
        })
    }

    fn run<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let report: Report = load(workspace, "write", "report.json")?;
            let research: Research = load(workspace, "research", "research.json")?;
            let limits = self.0.settings.limits(research.depth);
            let input = ReviewerInput {
                wanted_claims: 2 * limits.min_steps,
                weights: self.0.settings.reviewer.weights,
                threshold: self.0.threshold,
                may_research: workspace.round() < self.0.max_rounds,
                report,
                research,
            };
            let review = self
                .0
                .judge
                .ask::<Reviewer>(workspace, self, &input)
                .await?;
            workspace.tell(self, format!("score {:.2}", review.score))?;
            write_gate(workspace, self, review)
        })
    }
}

//! Stage 4: what the round is worth, and whether it goes back.

use std::sync::Arc;

use anyhow::Result;
use futures::future::BoxFuture;

use super::context::Context;
use super::definition::{SendsBack, StageInfo};
use super::past_rounds::REVIEW;
use super::{analysis, header, load, research, write_gate};
use crate::agent::{AgentInfo, Reviewer, ReviewerInput};
use crate::artifact::review::ReviewDecision;
use crate::artifact::session::State;
use crate::artifact::{Report, Research, Review};
use crate::pipeline::{Decision, Header, PastRound, Recipe, Stage, Workspace};

/// The stage with which a round begins again when the report is to be revised.
const REVISE_FROM: &str = analysis::INFO.name;

/// The stage with which it begins again when more has to be gathered.
const RESEARCH_FROM: &str = research::INFO.name;

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: REVIEW,
    gate: "review.json",
    work: &[],
    agents: &[AgentInfo::of::<Reviewer>()],
    state: State::Reviewing,
    starts_round: false,
    sends_back: &[
        SendsBack {
            to: REVISE_FROM,
            when: "revise",
        },
        SendsBack {
            to: RESEARCH_FROM,
            when: "needs research",
        },
    ],
    build: |context| Box::new(ReviewStage(context)),
};

struct ReviewStage(Arc<Context>);

impl Stage for ReviewStage {
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

    fn inputs(&self, _past: &[PastRound]) -> Vec<String> {
        vec!["report.json".to_owned(), "research.json".to_owned()]
    }

    fn recipe(&self) -> Recipe {
        let weights = &self.0.settings.reviewer.weights;
        self.0
            .judge
            .recipe(INFO.agents, &(self.0.threshold, weights))
    }

    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error> {
        header::<Review>(bytes, |review| {
            let decision = match review.decision {
                ReviewDecision::Accept => Decision::Accept,
                ReviewDecision::Settle => Decision::Settle,
                ReviewDecision::Revise => Decision::Revise {
                    from: REVISE_FROM.to_owned(),
                },
                ReviewDecision::NeedsResearch => Decision::Revise {
                    from: RESEARCH_FROM.to_owned(),
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
            workspace.report_progress(self, format!("score {:.2}", review.score))?;
            write_gate(workspace, self, review)
        })
    }
}

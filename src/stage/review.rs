//! Stage 4, review: the reviewer scores the round's report, and decides whether it is published
//! or sent back.

use std::sync::Arc;

use anyhow::Result;
use futures::future::BoxFuture;

use super::context::Context;
use super::definition::{SendsBack, StageInfo};
use super::past_rounds::REVIEW;
use super::stage_run::{StageRun, header};
use super::{analysis, research, write};
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
    intermediates: &[],
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
        INFO.intermediates
    }

    fn renderings(&self) -> &'static [&'static str] {
        &[]
    }

    fn inputs(&self, _past: &[PastRound]) -> Vec<String> {
        [write::INFO.gate, research::INFO.gate]
            .map(str::to_owned)
            .into()
    }

    fn recipe(&self) -> Recipe {
        let weights = &self.0.settings.reviewer.weights;
        self.0
            .backend
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
            let run = StageRun::new(self, &self.0, workspace);
            let report: Report = run.load_gate(&write::INFO)?;
            let research: Research = run.load_gate(&research::INFO)?;
            let limits = self.0.settings.limits(research.depth);
            let input = ReviewerInput {
                // Two claims for each step that the depth demands (chosen by hand).
                wanted_claims: 2 * limits.min_steps,
                weights: self.0.settings.reviewer.weights,
                threshold: self.0.threshold,
                // In the last round nothing can be sent back any more.
                may_research: workspace.round() < self.0.max_rounds,
                report,
                research,
            };
            let review = run.ask::<Reviewer>(&input).await?;
            run.progress(format!("score {:.2}", review.score))?;
            run.write_gate(review)
        })
    }
}

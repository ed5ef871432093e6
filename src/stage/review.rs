//! The stage review: the reviewer scores the round's report, and decides whether it is published
//! or sent back.

use anyhow::Result;

use super::context::Context;
use super::definition::{SendsBack, StageInfo};
use super::event_text::serialized;
use super::past_rounds::REVIEW;
use super::stage_run::StageRun;
use super::{analysis, research, write};
use crate::agent::{AgentInfo, Reviewer, ReviewerInput};
use crate::artifact::review::ReviewDecision;
use crate::artifact::session::State;
use crate::artifact::{self, Artifact, Report, Research, Review};
use crate::export::altered;
use crate::pipeline::{Decision, Digest, Event, Header};

/// The stage with which a round begins again when the report is to be revised.
const REVISE_FROM: &str = analysis::INFO.name;

/// The stage with which it begins again when more has to be gathered.
const RESEARCH_FROM: &str = research::INFO.name;

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: REVIEW,
    gate: "review.json",
    intermediates: &[],
    renderings: &[],
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
    inputs: |_| {
        [write::INFO.gate, research::INFO.gate]
            .map(str::to_owned)
            .into()
    },
    external_files: |_| Ok(None),
    fetched: |_| None,
    configuration,
    check,
    run: |run| Box::pin(review(run)),
    render: |_| Ok(()),
};

fn configuration(context: &Context) -> Digest {
    Digest::of_value(&(context.threshold, &context.settings.reviewer.weights))
}

fn check(bytes: &[u8]) -> Result<Header, serde_json::Error> {
    let artifact: Artifact<Review> = artifact::parse(bytes)?;
    let review = artifact.content;
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
    Ok(Header {
        provenance: artifact.provenance,
        decision: Some(decision),
        score: Some(review.score),
    })
}

async fn review(run: StageRun<'_>) -> Result<()> {
    let (context, workspace) = (run.context, run.workspace);
    let report: Report = write::INFO.read_gate(workspace)?;
    let research: Research = research::INFO.read_gate(workspace)?;
    let limits = context.settings.limits(research.depth);
    let input = ReviewerInput {
        // Two claims for each step that the depth demands (chosen by hand).
        wanted_claims: 2 * limits.min_steps,
        weights: context.settings.reviewer.weights,
        threshold: context.threshold,
        // In the last round nothing can be sent back any more.
        may_research: workspace.round() < context.max_rounds,
        // What was changed by hand is not supported any more, whatever the verdict says.
        report: altered::marked(report, workspace.root()),
        research,
    };
    let review = run.ask::<Reviewer>(&input).await?;
    run.report(Event::Reviewed {
        decision: serialized(&review.decision),
        score: review.score,
    })?;
    run.write_gate(review)
}

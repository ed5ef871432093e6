//! The stage analysis: the analyst groups the findings into themes, insights and contradictions.

use std::collections::BTreeMap;

use anyhow::Result;

use super::definition::StageInfo;
use super::past_rounds::{notes, past_reviews};
use super::research;
use super::stage_run::{StageRun, header};
use crate::agent::{AgentInfo, Analyst, AnalystInput};
use crate::artifact::session::State;
use crate::artifact::{Analysis, Research};
use crate::pipeline::{Digest, Event, PastRound};
use crate::text;

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: "analysis",
    gate: "analysis.json",
    intermediates: &[],
    renderings: &[],
    agents: &[AgentInfo::of::<Analyst>()],
    state: State::Analyzing,
    starts_round: true,
    sends_back: &[],
    inputs,
    external_files: |_| Ok(None),
    fetched: |_| None,
    configuration: |_| Digest::of_value(&()),
    check: header::<Analysis>,
    run: |run| Box::pin(analyze(run)),
    render: |_| Ok(()),
};

fn inputs(past: &[PastRound]) -> Vec<String> {
    let research = research::INFO.gate.to_owned();
    std::iter::once(research)
        .chain(past_reviews(past))
        .collect()
}

async fn analyze(run: StageRun<'_>) -> Result<()> {
    let input = AnalystInput {
        research: research::INFO.read_gate(run.workspace)?,
        notes: notes(run.workspace)?,
    };
    // Reported before the call of the model, which may take minutes.
    run.progress(text::counted(input.research.passages.len(), "passage"))?;
    let mut analysis = run.ask::<Analyst>(&input).await?;
    run.report(Event::Analyzed {
        insights: analysis.insights.len(),
        themes: analysis.themes.len(),
        contradictions: analysis.contradictions.len(),
        gaps: analysis.gaps.len(),
    })?;
    quote(&mut analysis, &input.research);
    run.write_gate(analysis)
}

/// Sets the words of its passage beside the id in each insight.
fn quote(analysis: &mut Analysis, research: &Research) {
    let passages = research.passages.iter();
    let quotes: BTreeMap<&str, &str> = passages
        .map(|passage| (passage.id.as_str(), passage.quote.as_str()))
        .collect();
    for insight in &mut analysis.insights {
        let quote = quotes.get(insight.passage.as_str());
        insight.quote = quote.map(|quote| text::one_line(quote));
    }
}

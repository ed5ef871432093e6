//! Stage 3, write: the writer's draft, its verification against the stored texts, and the report
//! assembled from the claims that hold.

mod assembly;
mod links;
mod public_opinion;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};

use super::definition::StageInfo;
use super::stage_run::{StageRun, header};
use super::{analysis, research};
use crate::agent::{AgentInfo, Writer, WriterInput};
use crate::artifact::session::State;
use crate::artifact::{Claims, Report, Verification};
use crate::cite;
use crate::export::markdown;
use crate::model;
use crate::pipeline::{Digest, Event, PastRound, Workspace};
use assembly::Assembly;
use links::LINKS;

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: "write",
    gate: "report.json",
    intermediates: &[CLAIMS, VERIFICATION, LINKS],
    renderings: &[RENDERING],
    agents: &[AgentInfo::of::<Writer>()],
    state: State::Writing,
    starts_round: false,
    sends_back: &[],
    inputs,
    configuration: |_| Digest::of_value(&()),
    check: header::<Report>,
    run: |run| Box::pin(write(run)),
    render,
};

/// The checkpoint of the draft.
const CLAIMS: &str = "claims.json";

/// The checkpoint of its verification.
const VERIFICATION: &str = "verification.json";

/// The report as Markdown.
const RENDERING: &str = "report.md";

fn inputs(_past: &[PastRound]) -> Vec<String> {
    [analysis::INFO.gate, research::INFO.gate]
        .map(str::to_owned)
        .into()
}

async fn write(run: StageRun<'_>) -> Result<()> {
    let workspace = run.workspace;
    let input = WriterInput {
        analysis: analysis::INFO.read_gate(workspace)?,
        research: research::INFO.read_gate(workspace)?,
    };
    let ask = async || run.ask::<Writer>(&input).await;
    let draft: Claims = run.checkpoint(CLAIMS, &inputs(&[]), ask).await?;
    // Verification and link check depend on the draft alone: if the user edits it, both are made
    // anew.
    let of_draft = [CLAIMS.to_owned()];
    let verify = async || verify(workspace, &draft);
    let verification = run.checkpoint(VERIFICATION, &of_draft, verify).await?;
    run.report(Event::ClaimsVerified {
        claims: verification.summary.claims,
        supported: verification.summary.supported,
    })?;
    let links = links::check(run, &input.research, &draft, &of_draft).await?;
    let report = Assembly {
        draft: &draft,
        links: &links,
        verification: &verification,
        analysis: &input.analysis,
        research: &input.research,
        fallbacks: rule_fallbacks(workspace)?,
    };
    let mut report = report.report();
    if let Some(social) = &input.research.social {
        let first = report.references.len() + 1;
        let threads = social.threads.iter().map(|thread| thread.id.as_str());
        let texts = stored_texts(workspace, threads)?;
        report.public_opinion = Some(public_opinion::public_opinion(social, &texts, first));
    }
    run.write_gate(report)
}

fn render(workspace: &Workspace) -> Result<()> {
    let report: Report = INFO.read_gate(workspace)?;
    let text = markdown::render(&report, None);
    workspace.write(RENDERING, text.as_bytes())
}

/// Verifies the draft's claims against the texts stored in the session.
fn verify(workspace: &Workspace, draft: &Claims) -> Result<Verification> {
    let citations = draft.claims.iter().flat_map(|claim| &claim.citations);
    let sources: BTreeSet<&str> = citations.map(|citation| citation.source.as_str()).collect();
    let texts = stored_texts(workspace, sources)?;
    Ok(cite::check_claims(&draft.claims, |source| {
        texts.get(source).map(String::as_str)
    }))
}

/// Returns the stored texts of sources, by id; without those that are missing.
fn stored_texts<'a>(
    workspace: &Workspace,
    sources: impl IntoIterator<Item = &'a str>,
) -> Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for source in sources {
        let name = format!("sources/{source}.md");
        if let Some(bytes) = workspace.read(&name)? {
            let text = String::from_utf8(bytes).with_context(|| {
                format!("{} is not UTF-8", workspace.root().join(&name).display())
            })?;
            texts.insert(source.to_owned(), text);
        }
    }
    Ok(texts)
}

/// Returns sentences about the calls of this round whose answers were rejected for good, so that
/// the agent's rule has answered.
fn rule_fallbacks(workspace: &Workspace) -> Result<Vec<String>> {
    let round = workspace.round();
    let calls = model::calls(workspace.root())?;
    // Research comes before the rounds: its calls count in each of them.
    let of_round = calls
        .into_iter()
        .filter(|call| call.stage == research::INFO.name || call.round == round);
    let fallbacks = of_round.filter_map(|call| {
        let rejection = call.rejection.filter(|rejection| rejection.given_up)?;
        let about = if call.about.is_empty() {
            String::new()
        } else {
            format!(" on {}", call.about)
        };
        let agent = call.agent;
        let problem = rejection.problem.trim_end_matches('.');
        Some(format!(
            "The {agent}{about} was answered by rule, because the model's answer could not be \
             used: {problem}."
        ))
    });
    Ok(fallbacks.collect())
}

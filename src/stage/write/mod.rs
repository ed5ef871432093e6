//! The stage write: the writer's draft, its verification against the stored texts, and the report
//! assembled from the claims that hold.

mod assembly;
mod correction;
mod links;
mod missing;
mod prose;
mod public_opinion;
mod tables;
mod verification;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};

use super::definition::StageInfo;
use super::stage_run::{SESSION, StageRun, header};
use super::{analysis, research};
use crate::agent::{AgentInfo, Reviser, Verifier, Writer};
use crate::answering::Question;
use crate::artifact::session::{Session, State};
use crate::artifact::stored::required_text;
use crate::artifact::{self, Analysis, Claims, Report, Research};
use crate::export::{altered, markdown};
use crate::model::{self, Fallbacks, lenient};
use crate::pipeline::{Digest, Event, PastRound, Workspace};
use assembly::Assembly;
use links::LINKS;
use verification::Checker;

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: "write",
    gate: "report.json",
    intermediates: &[CLAIMS, VERIFICATION, LINKS],
    renderings: &[RENDERING],
    agents: &[
        AgentInfo::of::<Writer>(),
        AgentInfo::of::<Verifier>(),
        AgentInfo::of::<Reviser>(),
    ],
    state: State::Writing,
    starts_round: false,
    sends_back: &[],
    inputs,
    external_files: |_| Ok(None),
    fetched: |_| None,
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
    let analysis: Analysis = analysis::INFO.read_gate(workspace)?;
    let research: Research = research::INFO.read_gate(workspace)?;
    let bytes = workspace.read_required(SESSION)?;
    let session: Session =
        artifact::parse(&bytes).map_err(|error| run.unreadable(SESSION, &error))?;
    let draft = async || prose::draft(run, &session, &analysis, &research).await;
    let draft: Claims = run.checkpoint(CLAIMS, &inputs(&[]), draft).await?;
    let research = research.with_draft(&draft);
    // Verification and link check depend on the draft alone: if the user edits it, both are made
    // anew.
    let of_draft = [CLAIMS.to_owned()];
    let checker = Checker::new(run, &research);
    let texts = texts(workspace.root(), &draft, &research)?;
    let verify = async || checker.verify(&draft, &texts).await;
    let verification = run.checkpoint(VERIFICATION, &of_draft, verify).await?;
    run.report(Event::ClaimsVerified {
        claims: verification.summary.claims,
        supported: verification.summary.supported,
    })?;
    let links = links::check(run, &research, &draft, &of_draft).await?;
    let report = Assembly {
        draft: &draft,
        links: &links,
        verification: &verification,
        analysis: &analysis,
        research: &research,
        question: Question::parse(&research.topic),
        texts: &texts,
        language: &session.style.language,
        fallbacks: rule_fallbacks(workspace)?,
    };
    let mut report = report.report();
    report.tables = tables::tables(&research, &report.references, &texts);
    if let Some(social) = &research.social {
        let first = report.references.len() + 1;
        report.public_opinion = Some(public_opinion::public_opinion(social, &texts, first));
    }
    // Only now is the report whole.
    let by_rules = Fallbacks::read(workspace.root())?.map(Fallbacks::of_report);
    report.positions = markdown::positions(&report, by_rules.as_deref());
    run.write_gate(report)
}

/// Returns the stored texts of the sources that a draft cites and of the threads, by id.
///
/// # Errors
/// When one is missing: all that cites it would be left out of the report, as if it were not so.
fn texts(session: &Path, draft: &Claims, research: &Research) -> Result<BTreeMap<String, String>> {
    let citations = draft.claims.iter().flat_map(|claim| &claim.citations);
    let threads = research.social.iter().flat_map(|social| &social.threads);
    let ids: BTreeSet<&str> = citations
        .map(|citation| citation.source.as_str())
        .chain(threads.map(|thread| thread.id.as_str()))
        .collect();
    let texts = ids.into_iter().map(|id| {
        let text = required_text(session, id).context(
            "nothing can be checked without it; to make it again, resume with --from research",
        )?;
        Ok((id.to_owned(), text))
    });
    texts.collect()
}

fn render(workspace: &Workspace) -> Result<()> {
    let report: Report = INFO.read_gate(workspace)?;
    let report = altered::marked(report, workspace.root());
    let by_rules = Fallbacks::read(workspace.root())?.map(Fallbacks::of_report);
    let text = markdown::render(&report, None, by_rules.as_deref());
    workspace.write(RENDERING, text.as_bytes())
}

/// Returns the problem with an answer without what only its parser says of it.
fn for_readers(problem: &str) -> &str {
    let of_parser = [lenient::INVALID, lenient::UNFIT].into_iter();
    let mut of_parser = of_parser.filter(|beginning| problem.starts_with(beginning));
    of_parser.next().unwrap_or(problem).trim_end_matches('.')
}

/// Returns sentences about the calls of this round whose answers were rejected for good, so that
/// the agent's rule has answered: one for all calls of an agent with the same problem.
fn rule_fallbacks(workspace: &Workspace) -> Result<Vec<String>> {
    let round = workspace.round();
    let calls = model::calls(workspace.root())?;
    // Research comes before the rounds: its calls count in each of them.
    let of_round = calls
        .into_iter()
        .filter(|call| call.stage == research::INFO.name || call.round == round);
    let mut fallbacks: BTreeMap<(String, &str, String), Vec<String>> = BTreeMap::new();
    for call in of_round {
        let Some(rejection) = call.rejection.filter(|rejection| rejection.given_up) else {
            continue;
        };
        let reason = match call.reply {
            Some(_) => "the model's answer could not be used",
            None => "no answer was obtained",
        };
        let problem = for_readers(&rejection.problem).to_owned();
        let calls = fallbacks.entry((call.agent, reason, problem)).or_default();
        calls.push(call.about);
    }
    let sentences = fallbacks.iter().map(|((agent, reason, problem), abouts)| {
        let which = match abouts.as_slice() {
            [about] if about.is_empty() => "was answered by rule".to_owned(),
            [about] => format!("was answered by rule ({about})"),
            _ => format!("was answered by rule {} times", abouts.len()),
        };
        format!("The {agent} {which}, because {reason}: {problem}.")
    });
    Ok(sentences.collect())
}

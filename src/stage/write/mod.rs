//! Stage 3, write: the writer's draft, its verification against the stored texts, and the report
//! assembled from the claims that hold.

mod assembly;
mod links;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use futures::future::BoxFuture;

use super::context::Context;
use super::definition::StageInfo;
use super::stage_run::{StageRun, header, load};
use super::{analysis, research};
use crate::agent::{AgentInfo, Writer, WriterInput};
use crate::artifact::session::State;
use crate::artifact::{Claims, Report, Verification};
use crate::cite;
use crate::export::markdown;
use crate::model;
use crate::pipeline::{Header, PastRound, Recipe, Stage, Workspace};
use crate::text;
use assembly::Assembly;
use links::LINKS;

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: "write",
    gate: "report.json",
    intermediates: &[CLAIMS, VERIFICATION, LINKS],
    agents: &[AgentInfo::of::<Writer>()],
    state: State::Writing,
    starts_round: false,
    sends_back: &[],
    build: |context| Box::new(WriteStage(context)),
};

/// The checkpoint of the draft.
const CLAIMS: &str = "claims.json";

/// The checkpoint of its verification.
const VERIFICATION: &str = "verification.json";

/// The report as Markdown.
const RENDERING: &str = "report.md";

struct WriteStage(Arc<Context>);

impl Stage for WriteStage {
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
        &[RENDERING]
    }

    fn inputs(&self, _past: &[PastRound]) -> Vec<String> {
        [analysis::INFO.gate, research::INFO.gate]
            .map(str::to_owned)
            .into()
    }

    fn recipe(&self) -> Recipe {
        self.0.backend.recipe(INFO.agents, &())
    }

    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error> {
        header::<Report>(bytes, |_| (None, None))
    }

    fn run<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let run = StageRun::new(self, &self.0, workspace);
            let input = WriterInput {
                analysis: run.load_gate(&analysis::INFO)?,
                research: run.load_gate(&research::INFO)?,
            };
            let draft_inputs = self.inputs(&[]);
            let write = async || run.ask::<Writer>(&input).await;
            let draft: Claims = run.checkpoint(CLAIMS, &draft_inputs, write).await?;
            run.progress(text::counted(draft.claims.len(), "claim"))?;
            // Verification and link check depend on the draft alone: one that is edited by hand has
            // both made anew.
            let of_draft = [CLAIMS.to_owned()];
            let verify = async || verify(workspace, &draft);
            let verification = run.checkpoint(VERIFICATION, &of_draft, verify).await?;
            let links = links::check(run, &input.research, &draft, &of_draft).await?;
            let report = Assembly {
                draft: &draft,
                links: &links,
                verification: &verification,
                analysis: &input.analysis,
                research: &input.research,
                fallbacks: rule_fallbacks(workspace)?,
            };
            run.write_gate(report.report())
        })
    }

    fn render(&self, workspace: &Workspace) -> Result<()> {
        let report: Report = load(workspace, INFO.name, INFO.gate)?;
        let text = markdown::render(&report, None);
        workspace.write(RENDERING, text.as_bytes())
    }
}

/// Verifies the draft's claims against the texts stored in the session.
fn verify(workspace: &Workspace, draft: &Claims) -> Result<Verification> {
    let citations = draft.claims.iter().flat_map(|claim| &claim.citations);
    let sources: BTreeSet<&str> = citations.map(|one| one.source.as_str()).collect();
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for source in sources {
        let name = format!("sources/{source}.md");
        if let Some(bytes) = workspace.read(&name)? {
            let text = String::from_utf8(bytes).with_context(|| {
                format!("{} is not UTF-8", workspace.root().join(&name).display())
            })?;
            texts.insert(source, text);
        }
    }
    Ok(cite::check_claims(&draft.claims, |source| {
        texts.get(source).map(String::as_str)
    }))
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

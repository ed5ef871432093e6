//! Stage 3: the report. A draft, its check against the stored texts, and what of it holds.

mod links;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use futures::future::BoxFuture;

use super::context::Context;
use super::definition::StageInfo;
use super::{header, inner, load, research, write_gate};
use crate::agent::{AgentInfo, Writer, WriterInput};
use crate::artifact::claims::{Claim, DraftSection};
use crate::artifact::plan::StepStatus;
use crate::artifact::report::{Reference, ReportOutcome};
use crate::artifact::session::State;
use crate::artifact::verification::Verdict;
use crate::artifact::{self, Analysis, Artifact, Claims, Links, Report, Research, Verification};
use crate::cite;
use crate::export::markdown;
use crate::model;
use crate::pipeline::{Header, PastRound, Recipe, Stage, Workspace};
use crate::text;
use links::LINKS;

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: "write",
    gate: "report.json",
    work: &[CLAIMS, VERIFICATION, LINKS],
    agents: &[AgentInfo::of::<Writer>()],
    state: State::Writing,
    starts_round: false,
    sends_back: &[],
    build: |context| Box::new(WriteStage(context)),
};

const CLAIMS: &str = "claims.json";
const VERIFICATION: &str = "verification.json";
const RENDERING: &str = "report.md";

/// Failures that the limits name one by one; the rest is counted.
const NAMED_FAILURES: usize = 10;

/// A topic is not answered as asked if more than this share of it, by weight, is missing in every
/// claim; more may be missing if a source is named after a part of it. (Set on twenty questions
/// that a corpus of design documents answers, and ten that it does not.)
const MISSING: f64 = 0.2;
const MISSING_NAMED: f64 = 0.34;

struct WriteStage(Arc<Context>);

impl Stage for WriteStage {
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
        &[RENDERING]
    }

    fn inputs(&self, _past: &[PastRound]) -> Vec<String> {
        vec!["analysis.json".to_owned(), "research.json".to_owned()]
    }

    fn recipe(&self) -> Recipe {
        self.0.judge.recipe(INFO.agents, &())
    }

    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error> {
        header::<Report>(bytes, |_| (None, None))
    }

    fn run<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let input = WriterInput {
                analysis: load(workspace, "analysis", "analysis.json")?,
                research: load(workspace, "research", "research.json")?,
            };
            let judge = &self.0.judge;
            let write = async || judge.ask::<Writer>(workspace, self, &input).await;
            let draft: Claims = inner(workspace, self, CLAIMS, &self.inputs(&[]), write).await?;
            workspace.report_progress(self, format!("{} claims", draft.claims.len()))?;
            let check = async || verify(workspace, &draft);
            let checked = inner(workspace, self, VERIFICATION, &[CLAIMS.to_owned()], check).await?;
            let links = links::check(
                self,
                &self.0,
                workspace,
                &input.research,
                &draft,
                &[CLAIMS.to_owned()],
            )
            .await?;
            let report = Assembly {
                draft: &draft,
                links: &links,
                checked: &checked,
                analysis: &input.analysis,
                research: &input.research,
                unanswered: unanswered(workspace)?,
            };
            write_gate(workspace, self, report.report())
        })
    }

    fn render(&self, workspace: &Workspace) -> Result<()> {
        let report: Artifact<Report> = artifact::parse(&workspace.read_required(self.gate())?)?;
        workspace.write(
            RENDERING,
            markdown::render(&report.content, None).as_bytes(),
        )
    }
}

/// Checks the draft against the texts stored in the session.
fn verify(workspace: &Workspace, draft: &Claims) -> Result<Verification> {
    let cited = draft.claims.iter().flat_map(|claim| &claim.citations);
    let sources: BTreeSet<&str> = cited.map(|citation| citation.source.as_str()).collect();
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

/// The questions of this round that no model answered so that it could be used: then the agent's
/// rule has.
fn unanswered(workspace: &Workspace) -> Result<Vec<String>> {
    let calls = model::calls(workspace.root())?;
    let round = workspace.round();
    let of_round = calls
        .into_iter()
        .filter(|call| call.stage == research::INFO.name || call.round == round);
    let given_up = of_round.filter_map(|call| {
        let slip = call.rejection.filter(|slip| slip.given_up)?;
        let about = match call.about.is_empty() {
            true => String::new(),
            false => format!(" on {}", call.about),
        };
        let problem = slip.problem.trim_end_matches('.');
        let agent = call.agent;
        Some(format!("The {agent}{about} was answered by rule, because the model's answer could not be used: {problem}."))
    });
    Ok(given_up.collect())
}

/// Puts together what of a draft holds.
struct Assembly<'a> {
    draft: &'a Claims,
    links: &'a Links,
    checked: &'a Verification,
    analysis: &'a Analysis,
    research: &'a Research,
    /// What agents could not answer, in sentences.
    unanswered: Vec<String>,
}

impl Assembly<'_> {
    fn report(&self) -> Report {
        let held = self.held();
        let keep = |ids: &[String]| -> Vec<String> {
            ids.iter()
                .filter(|id| held.contains(id.as_str()))
                .cloned()
                .collect()
        };
        let sections: Vec<DraftSection> = self
            .draft
            .sections
            .iter()
            .map(|section| DraftSection {
                heading: section.heading.clone(),
                claims: keep(&section.claims),
            })
            .filter(|section| !section.claims.is_empty())
            .collect();
        let both = |one: &str, other: &str| held.contains(one) && held.contains(other);
        let disagreements = self
            .draft
            .disagreements
            .iter()
            .filter(|found| both(&found.one, &found.other));
        let claims: Vec<Claim> = self
            .draft
            .claims
            .iter()
            .filter(|claim| held.contains(claim.id.as_str()))
            .cloned()
            .collect();
        let references = self.references(&claims);
        Report {
            title: self.draft.title.clone(),
            topic: self.analysis.topic.clone(),
            outcome: if claims.is_empty() {
                ReportOutcome::NoEvidence
            } else {
                ReportOutcome::Answered
            },
            unanswered: self.unanswered(&claims),
            depth: self.research.depth,
            executive_summary: keep(&self.draft.summary),
            sections,
            disagreements: disagreements.cloned().collect(),
            open_questions: self.analysis.gaps.clone(),
            conclusion: self.conclusion(&claims),
            themes: self
                .analysis
                .themes
                .iter()
                .map(|theme| theme.phrase.clone())
                .collect(),
            verdicts: self.checked.verdicts.clone(),
            verification: self.checked.summary.clone(),
            limits: self.limits(references.len()),
            references,
            claims,
        }
    }

    /// The claims that are supported, by id. What is not is left out: a report never asks for
    /// trust.
    fn held(&self) -> BTreeSet<&str> {
        let verdicts = self.checked.verdicts.iter();
        let held = verdicts.filter(|found| found.verdict == Verdict::Supported);
        held.map(|found| found.claim.as_str()).collect()
    }

    /// The claims whose insight recommends something.
    fn conclusion(&self, claims: &[Claim]) -> Vec<String> {
        let wanted = &self.analysis.recommendations;
        let insights = self
            .analysis
            .insights
            .iter()
            .filter(|insight| wanted.contains(&insight.id));
        let passages: BTreeSet<&str> = insights.map(|insight| insight.passage.as_str()).collect();
        let rests = |claim: &&Claim| {
            claim
                .citations
                .iter()
                .any(|citation| passages.contains(citation.passage.as_str()))
        };
        claims
            .iter()
            .filter(rests)
            .map(|claim| claim.id.clone())
            .collect()
    }

    fn references(&self, claims: &[Claim]) -> Vec<Reference> {
        let mut references: Vec<Reference> = Vec::new();
        for citation in claims.iter().flat_map(|claim| &claim.citations) {
            if references
                .iter()
                .any(|reference| reference.source == citation.source)
            {
                continue;
            }
            if let Some(source) = self.research.source(&citation.source) {
                references.push(Reference {
                    number: references.len() + 1,
                    source: source.id.clone(),
                    title: source.title.clone(),
                    author: source.author.clone(),
                    date: source.date.clone(),
                    locator: source.locator.clone(),
                    dead: self.links.dead(&source.id).cloned(),
                });
            }
        }
        references
    }

    /// The words of the topic that are missing in the claim that holds most of it, the title of its
    /// source included; none if what is missing tells little.
    fn unanswered(&self, claims: &[Claim]) -> Vec<String> {
        let terms = &self.research.classification.terms;
        let weigh = |missing: &[&String]| -> f64 {
            let weights = missing
                .iter()
                .map(|term| self.research.documents.weight(term));
            weights.sum()
        };
        let missing = |claim: &Claim| -> Vec<&String> {
            let mut said = text::terms(&claim.text);
            for citation in &claim.citations {
                let source = self.research.source(&citation.source);
                said.extend(source.into_iter().flat_map(|one| text::terms(&one.title)));
            }
            let is_said = |term: &String| said.iter().any(|other| text::same_root(term, other));
            terms.iter().filter(|term| !is_said(term)).collect()
        };
        let all: Vec<&String> = terms.iter().collect();
        let mut titles = self
            .references(claims)
            .into_iter()
            .map(|one| text::terms(&one.title));
        let is_named = titles.any(|title| title.iter().any(|term| terms.contains(term)));
        let most = if is_named { MISSING_NAMED } else { MISSING };
        let least = claims
            .iter()
            .map(missing)
            .min_by(|a, b| weigh(a).total_cmp(&weigh(b)));
        let least = least.filter(|missing| weigh(missing) > most * weigh(&all));
        let words = least.unwrap_or_default().into_iter();
        words.map(|term| self.as_written(term).to_owned()).collect()
    }

    /// A term of the topic as the topic writes it.
    fn as_written<'a>(&'a self, term: &'a str) -> &'a str {
        let mut words = text::words(&self.research.topic);
        let found = words.find(|word| text::stem(&text::fold(word.text)) == term);
        found.map_or(term, |word| word.text)
    }

    /// What this research could not do, in sentences.
    fn limits(&self, quoted: usize) -> Vec<String> {
        let documents = &self.research.documents;
        let mut limits = vec![format!(
            "{} documents were searched, {quoted} are quoted. Sentences are quoted word for word; only headings are not.",
            documents.searched
        )];
        if quoted == 0 {
            let queries = self.research.search_queries.iter();
            let queries: Vec<_> = queries.map(|query| format!("“{query}”")).collect();
            limits.push(format!("Searched for: {}.", queries.join(", ")));
        }
        let absent = documents.terms.iter().filter(|term| term.documents == 0);
        let absent: Vec<_> = absent
            .map(|term| format!("“{}”", self.as_written(&term.term)))
            .collect();
        if !absent.is_empty() {
            limits.push(format!("No document mentions: {}.", absent.join(", ")));
        }
        for failure in documents.failures.iter().take(NAMED_FAILURES) {
            limits.push(format!("Not read: {}", failure.problem));
        }
        if documents.failures.len() > NAMED_FAILURES {
            limits.push(format!(
                "{} more documents could not be read.",
                documents.failures.len() - NAMED_FAILURES
            ));
        }
        let cited = self.links.checked.iter();
        for link in cited.filter(|link| link.dead.is_some()) {
            limits.push(format!(
                "{} is no longer at its address; its whole text is kept with this report as {}.",
                link.url, link.source
            ));
        }
        let failed = self.checked.summary.failed;
        if failed > 0 {
            limits.push(format!(
                "{failed} claims of the draft did not hold against their sources and were left out."
            ));
        }
        let skipped = self
            .research
            .plan
            .steps
            .iter()
            .filter(|step| step.status == StepStatus::Skipped);
        for step in skipped {
            limits.push(format!(
                "Not looked into: {}.",
                step.title.trim_start_matches("Research ")
            ));
        }
        limits.extend(self.research.limits.iter().cloned());
        limits.extend(self.unanswered.iter().cloned());
        limits
    }
}

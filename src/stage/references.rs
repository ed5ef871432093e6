//! The references within and between gates: an id that names nothing, or words that no passage has,
//! are an error of whoever edited the file. A gate that the program wrote has none.

use std::collections::BTreeSet;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::artifact::{self, Analysis, Artifact, Claims, Report, Research};
use crate::pipeline::{Unreadable, read_file};
use crate::text::one_line;

const RESEARCH: &str = "research.json";
const ANALYSIS: &str = "analysis.json";
const REPORT: &str = "report.json";
const CLAIMS: &str = "claims.json";

/// A reference to something that does not exist.
struct Dangling {
    id: String,
    problem: String,
}

/// Returns the first reference in the gate of a stage that names nothing.
pub(super) fn dangling(session: &Path, stage: &'static str, gate: &str) -> Option<Unreadable> {
    let dangling = match gate {
        RESEARCH => in_research(session),
        ANALYSIS => in_analysis(session),
        REPORT => in_report(session),
        _ => None,
    };
    let Dangling { id, problem } = dangling?;
    let path = session.join(gate);
    let text = String::from_utf8(read_file(&path).ok()?).ok()?;
    let quoted = format!("\"{id}\"");
    let line = text.lines().position(|line| line.contains(&quoted))?;
    Some(Unreadable {
        path,
        location: format!(":{}", line + 1),
        problem,
        stage: stage.to_owned(),
    })
}

/// The content of a gate; `None` if it cannot be read, which is another error.
fn content<T: DeserializeOwned>(session: &Path, gate: &str) -> Option<T> {
    let artifact: Artifact<T> = artifact::parse(&read_file(&session.join(gate)).ok()?).ok()?;
    Some(artifact.content)
}

/// The first of `ids` that is not among those that exist; `missing` says what there is none of:
/// `passage in research.json`.
fn first_missing<'a>(
    ids: impl IntoIterator<Item = &'a String>,
    existing: &BTreeSet<&str>,
    missing: &'static str,
) -> Option<Dangling> {
    let mut ids = ids.into_iter();
    let id = ids.find(|id| !existing.contains(id.as_str()))?.clone();
    let problem = format!("there is no {missing} {id:?}");
    Some(Dangling { id, problem })
}

const SOURCE: &str = "source in research.json";
const PASSAGE: &str = "passage in research.json";

fn sources(research: &Research) -> BTreeSet<&str> {
    let threads = research.social.iter().flat_map(|social| &social.threads);
    let sources = research.sources.iter().chain(threads);
    sources.map(|source| source.id.as_str()).collect()
}

fn passages(research: &Research) -> BTreeSet<&str> {
    let posts = research.social.iter().flat_map(|social| &social.posts);
    let posts = posts.map(|post| post.id.as_str());
    let passages = research.passages.iter().map(|passage| passage.id.as_str());
    passages.chain(posts).collect()
}

fn in_research(session: &Path) -> Option<Dangling> {
    let research: Research = content(session, RESEARCH)?;
    let named = research.passages.iter().map(|passage| &passage.source);
    let of_findings = research
        .findings
        .iter()
        .flat_map(|finding| &finding.passages);
    first_missing(named, &sources(&research), SOURCE)
        .or_else(|| first_missing(of_findings, &passages(&research), PASSAGE))
}

fn in_analysis(session: &Path) -> Option<Dangling> {
    let analysis: Analysis = content(session, ANALYSIS)?;
    let research: Research = content(session, RESEARCH)?;
    let insights = analysis.insights.iter();
    let of_insights = insights.clone().flat_map(|insight| {
        let others = insight.agreeing.iter().chain(&insight.further);
        std::iter::once(&insight.passage).chain(others)
    });
    let contradictions = analysis.contradictions.iter();
    let of_contradictions = contradictions.flat_map(|both| [&both.one, &both.other]);
    let named = of_insights.chain(of_contradictions);
    let ids: BTreeSet<&str> = insights.map(|insight| insight.id.as_str()).collect();
    let chosen = analysis.summary.iter().chain(&analysis.recommendations);
    let chosen = chosen.chain(&analysis.conclusion.insights);
    first_missing(named, &passages(&research), PASSAGE)
        .or_else(|| first_missing(chosen, &ids, "insight in this file"))
        .or_else(|| misquoted(&analysis, &research))
}

/// The first insight whose quotation was edited: it has the words of no passage.
fn misquoted(analysis: &Analysis, research: &Research) -> Option<Dangling> {
    // Words of another passage are those of the one whose id stood there before.
    let passages = research.passages.iter();
    let quotes: BTreeSet<String> = passages.map(|passage| one_line(&passage.quote)).collect();
    let mut insights = analysis.insights.iter();
    let edited = insights.find(|insight| {
        let quote = insight.quote.as_ref();
        quote.is_some_and(|quote| !quotes.contains(quote))
    })?;
    let problem = format!(
        "the quote of {} stands in no passage of research.json: a quotation cannot be changed, \
         but another \"passage\" can be named",
        edited.id
    );
    Some(Dangling {
        id: edited.id.clone(),
        problem,
    })
}

fn in_report(session: &Path) -> Option<Dangling> {
    let report: Report = content(session, REPORT)?;
    let research: Research = content(session, RESEARCH)?;
    let research = match content::<Claims>(session, CLAIMS) {
        Some(draft) => research.with_draft(&draft),
        None => research,
    };
    let citations = report.claims.iter().flat_map(|claim| &claim.citations);
    let ids: BTreeSet<&str> = report
        .claims
        .iter()
        .map(|claim| claim.id.as_str())
        .collect();
    let of_sections = report.sections.iter().flat_map(|section| &section.claims);
    let chosen = report.executive_summary.iter().chain(of_sections);
    let of_citations = citations.clone().map(|citation| &citation.source);
    let of_references = report.references.iter().map(|reference| &reference.source);
    let named = of_citations.chain(of_references);
    let quoted = citations.map(|citation| &citation.passage);
    first_missing(named, &sources(&research), SOURCE)
        .or_else(|| first_missing(quoted, &passages(&research), PASSAGE))
        .or_else(|| first_missing(chosen.chain(&report.conclusion), &ids, "claim in this file"))
}

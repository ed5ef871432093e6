//! Citation checks of a session, complete or not: every quotation against its byte range in the
//! stored text, every stored text against its hash. Offline and read-only.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::edited::{CLAIMS, edited_draft, edited_plans, edited_renderings, lacks_publication};
use crate::artifact::source::Passage;
use crate::artifact::stored::required_text;
use crate::artifact::verification::Verdict;
use crate::artifact::{Claims, Report, Research, Source};
use crate::cite::{self, SourceText};
use crate::export::altered;
use crate::pipeline::{Digest, RunOptions};
use crate::run::artifacts::{content, required_content};
use crate::stage::PUBLICATION;

/// The result of [`verify`]: the numbers of checks, and the failed checks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VerifyReport {
    /// The number of quotations checked.
    pub quotations: usize,
    /// The number of claims checked.
    pub claims: usize,
    /// The number of stored texts checked.
    pub sources: usize,
    /// The failed checks, one line each.
    pub problems: Vec<String>,
}

/// Checks every quotation of the session at `path` against its stored texts, and the texts against
/// their hashes.
///
/// # Errors
/// When there is nothing to check yet, or a file cannot be read. A failed check is no error, but a
/// line of the result.
pub fn verify(path: &Path) -> Result<VerifyReport> {
    let research: Research = required_content(path, "research.json")?;
    let research = with_drafts(path, research);
    let mut result = VerifyReport::default();
    let texts = stored_texts(path, &research, &mut result);
    for passage in &research.passages {
        result.quotations += 1;
        if let Err(problem) = check_passage(passage, &texts) {
            result
                .problems
                .push(format!("research.json, {}: {problem}", passage.id));
        }
    }
    for post in research.social.iter().flat_map(|social| &social.posts) {
        result.quotations += 1;
        let text = texts.get(&post.source).map(String::as_str);
        let check = cite::check_quote(
            &post.source,
            text.unwrap_or_default(),
            post.start,
            post.end,
            &post.quote,
        );
        if let Err(problem) = check {
            result
                .problems
                .push(format!("research.json, {}: {problem}", post.id));
        }
    }
    result.problems.extend(edited(path));
    for name in reports(path) {
        let report: Report = required_content(path, &name)?;
        for table in &report.tables {
            result.quotations += 1;
            let own = &table.citation;
            let text = texts
                .get(&own.source)
                .map(String::as_str)
                .unwrap_or_default();
            let check = cite::check_quote(&own.source, text, own.start, own.end, &own.quote);
            if let Err(problem) = check {
                let title = &table.title;
                result
                    .problems
                    .push(format!("{name}, the table {title:?}: {problem}"));
            }
        }
        let opinion = report.public_opinion.iter();
        let quoted = opinion.flat_map(|opinion| &opinion.quoted);
        for claim in report.claims.iter().chain(quoted.map(|own| &own.claim)) {
            result.claims += 1;
            // First each quotation of the claim, then its text against the quotations.
            result.quotations += claim.citations.len();
            let check = cite::check_claim(claim, |id| {
                let title = &stored_sources(&research)
                    .find(|source| source.id == id)?
                    .title;
                let text = texts.get(id)?;
                Some(SourceText { title, text })
            });
            let problem = (check.verdict != Verdict::Supported).then_some(check.reason);
            let altered = || altered::alteration(claim, &report.verdicts, &texts);
            let problem = problem.or_else(|| altered().map(|own| own.reason));
            let problem = problem.map(|problem| format!("{name}, {}: {problem}", check.claim));
            result.problems.extend(problem);
        }
        result.problems.extend(edited_draft(path, &name, &texts));
    }
    Ok(result)
}

/// A problem for each file for people to read, and for each plan, that was changed by hand, and for
/// a published report that is missing.
fn edited(path: &Path) -> impl Iterator<Item = String> {
    let names = edited_renderings(path).into_iter();
    let renderings = names.map(|name| {
        format!("{name} was changed by hand since it was made: its words are not checked")
    });
    let plans = edited_plans(path).into_iter().map(|(name, was, is)| {
        format!(
            "{name} has changed since its steps were carried out, which are as they were: was \
             {was}, is {is}"
        )
    });
    let missing = lacks_publication(path).then(|| {
        let resume = RunOptions::default().resumption(path);
        format!("{PUBLICATION} is missing; to make it again: {resume}")
    });
    renderings.chain(plans).chain(missing)
}

/// Returns the sources and threads whose texts are stored in the session.
fn stored_sources(research: &Research) -> impl Iterator<Item = &Source> {
    let threads = research.social.iter().flat_map(|social| &social.threads);
    research.sources.iter().chain(threads)
}

fn check_passage(passage: &Passage, texts: &BTreeMap<String, String>) -> Result<(), String> {
    let text = texts
        .get(&passage.source)
        .ok_or_else(|| format!("{} has no stored text", passage.source))?;
    cite::check_quote(
        &passage.source,
        text,
        passage.start,
        passage.end,
        &passage.quote,
    )
    .map_err(|problem| problem.to_string())
}

/// Reads the stored texts of all sources, by id; reports those that are missing or whose hash has
/// changed. Quotations are checked even against a changed text, so that each broken one is
/// reported.
fn stored_texts(
    path: &Path,
    research: &Research,
    result: &mut VerifyReport,
) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for source in stored_sources(research) {
        result.sources += 1;
        let name = format!("sources/{}.md", source.id);
        match required_text(path, &source.id) {
            Ok(text) => {
                // Byte ranges are only valid for the text that was hashed.
                let digest = Digest::of(&text);
                if digest != source.sha256 {
                    let (was, is) = (source.sha256.short(), digest.short());
                    result.problems.push(format!(
                        "{name} has changed since it was read: was {was}, is {is}"
                    ));
                }
                texts.insert(source.id.clone(), text);
            }
            Err(error) => result
                .problems
                .push(format!("{name} cannot be read: {error:#}")),
        }
    }
    texts
}

/// The research with what was searched for again for the sentences of each round.
fn with_drafts(path: &Path, research: Research) -> Research {
    let drafts = reports(path).into_iter();
    let drafts = drafts.map(|name| name.replace("report.json", CLAIMS));
    // A report without its draft cites the sources of the research alone.
    let drafts = drafts.filter_map(|name| content::<Claims>(path, &name));
    drafts.fold(research, |research, draft| research.with_draft(&draft))
}

/// The names of the report files of a session: those of earlier rounds, then the current one.
fn reports(path: &Path) -> Vec<String> {
    // Rounds are numbered without gaps: a round is superseded before the next one begins.
    let current = path.join("report.json").exists();
    (1..)
        .map(|round| format!("rounds/{round}/report.json"))
        .take_while(|name| path.join(name).exists())
        .chain(current.then(|| "report.json".to_owned()))
        .collect()
}

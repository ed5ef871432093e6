//! What was changed by hand since it was written or checked: files for people to read, and claims.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::de::IgnoredAny;

use crate::artifact::claims::Claim;
use crate::artifact::stored::{read_inside, unchanged_texts};
use crate::artifact::verification::{ClaimVerdict, Verdict};
use crate::artifact::{Artifact, Claims, Report, Research, Verification, parse};
use crate::export::altered;
use crate::pipeline::{Digest, Event, Published, RunOptions, Stamp, read_events};
use crate::run::artifacts::{artifact, content};
use crate::stage::{PUBLICATION, STAGES};

const REPORT: &str = "report.json";

/// The draft of a report.
pub(super) const CLAIMS: &str = "claims.json";

/// The gate of the research, the folder of the steps of its plans, and how their names begin.
const RESEARCH: &str = "research.json";
const STEPS: &str = "research/steps";
const PLANS: &str = "research/plan-";

/// The folder of the stored texts.
const SOURCES: &str = "sources";

/// The check of the draft.
const VERIFICATION: &str = "verification.json";

/// Returns the names of the files of the session at `path` that are made from others, and were
/// changed by hand since: such an edit has no effect on anything else.
pub fn edited_renderings(path: &Path) -> Vec<String> {
    let recorded = Published::read(path).map(|published| published.renderings);
    let is_edited = |name: &String, digest: &Digest| {
        let bytes = read_inside(path, name).ok().flatten();
        bytes.is_some_and(|bytes| Digest::of(bytes) != *digest)
    };
    let recorded = recorded.into_iter().flatten();
    let edited = recorded.filter(|(name, digest)| is_edited(name, digest));
    edited.map(|(name, _)| name).collect()
}

/// Returns the names of the plans of the session at `path` that were changed since their steps were
/// carried out, each with the digests of both versions: nothing carries them out again.
pub(super) fn edited_plans(path: &Path) -> Vec<(String, String, String)> {
    // Until the research is done, what is changed is carried out.
    if !path.join(RESEARCH).exists() {
        return Vec::new();
    }
    let files = fs::read_dir(path.join(STEPS)).into_iter().flatten();
    let names = files.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut digests = BTreeMap::new();
    let mut changed: Vec<(String, String, Digest)> = Vec::new();
    for name in names {
        let step = artifact::<IgnoredAny>(path, &format!("{STEPS}/{name}"));
        // Each step names the plan that it is of.
        let inputs = step.map(|step| step.provenance.inputs).unwrap_or_default();
        for (input, was) in inputs {
            let is_plan = input.starts_with(PLANS);
            let digest = digests.entry(input.clone()).or_insert_with(|| {
                let bytes = read_inside(path, &input).ok().flatten();
                bytes.filter(|_| is_plan).map(Digest::of)
            });
            if digest.as_ref().is_some_and(|is| *is != was) {
                changed.push((name.clone(), input, was));
            }
        }
    }
    if changed.is_empty() {
        return Vec::new();
    }
    // Steps that were left out when the plan was made again are of an earlier plan.
    let research: Option<Research> = content(path, RESEARCH);
    let steps = research.into_iter().flat_map(|own| own.plan.steps);
    let steps: BTreeSet<String> = steps.map(|step| format!("{}.json", step.id)).collect();
    changed.retain(|(name, ..)| steps.contains(name));
    let plans: BTreeMap<String, Digest> = changed
        .into_iter()
        .map(|(_, input, was)| (input, was))
        .collect();
    let lines = plans.into_iter().filter_map(|(input, was)| {
        let is = digests.get(&input)?.as_ref()?.short().to_owned();
        Some((input, was.short().to_owned(), is))
    });
    lines.collect()
}

/// Returns the names of all files of the session at `path` that were changed by hand, which has no
/// effect on any other: those for people to read, plans whose steps were carried out, and texts
/// that the report cites.
pub fn edited_files(path: &Path) -> Vec<String> {
    let plans = edited_plans(path).into_iter().map(|(name, ..)| name);
    let files = edited_renderings(path).into_iter().chain(plans);
    files.chain(edited_texts(path)).collect()
}

/// Returns the names of the gates of the session at `path` that were changed by hand since their
/// stages wrote them, by the log of its events: without one, no edit is seen.
pub fn edited_gates(path: &Path) -> Vec<String> {
    let mut digests = BTreeMap::new();
    for entry in read_events(path) {
        if let Event::StageFinished { stage, digest, .. } = entry.event {
            digests.insert(stage, digest);
        }
    }
    let is_edited = |gate: &str, digest: &Digest| {
        let bytes = read_inside(path, gate).ok().flatten();
        bytes.is_some_and(|bytes| Digest::of(bytes) != *digest)
    };
    let gates = STAGES.iter().filter_map(|stage| {
        let digest = digests.get(stage.name)?;
        is_edited(stage.gate, digest).then(|| stage.gate.to_owned())
    });
    gates.collect()
}

/// The names of the texts that the report cites and that are not what was read.
fn edited_texts(path: &Path) -> Vec<String> {
    if are_claims_as_published(path) {
        return Vec::new();
    }
    let report = content::<Report>(path, REPORT);
    let edited = report.map(|report| {
        let unchanged = unchanged_texts(path, &report);
        let ids = cited_ids(&report.claims).filter(|id| !unchanged.contains_key(*id));
        let files = ids.map(|id| format!("{SOURCES}/{id}.md"));
        // What is missing is another problem.
        let files = files.filter(|file| !matches!(read_inside(path, file), Ok(None)));
        files.collect::<BTreeSet<String>>().into_iter().collect()
    });
    edited.unwrap_or_default()
}

/// The sources of claims, by id.
fn cited_ids(claims: &[Claim]) -> impl Iterator<Item = &String> {
    let citations = claims.iter().flat_map(|claim| &claim.citations);
    citations.map(|citation| &citation.source)
}

/// Returns a line for each claim of the current report of the session at `path`, and of its draft,
/// that was changed by hand: the file, the claim, and what is wrong with it. Claims whose texts are
/// missing or were changed are left out: [`lost_texts`] and [`edited_files`] name those.
pub fn edited_claims(path: &Path) -> Vec<String> {
    let mut lines = altered_report(path);
    if !are_claims_as_published(path)
        && let Some(report) = content::<Report>(path, REPORT)
    {
        let texts = unchanged_texts(path, &report);
        lines.extend(edited_draft(path, REPORT, &texts));
    }
    lines
}

/// Returns the lines of [`edited_claims`] of the current report of the session at `path`, without
/// its draft.
pub fn altered_report(path: &Path) -> Vec<String> {
    // A report that was published with an altered claim has one still: the times say nothing.
    let was_altered = || Published::read(path).is_some_and(|published| published.altered);
    if are_claims_as_published(path) && !was_altered() {
        return Vec::new();
    }
    let Some(report) = content::<Report>(path, REPORT) else {
        return Vec::new();
    };
    let texts = unchanged_texts(path, &report);
    let is_checked = |claim: &Claim| {
        let mut citations = claim.citations.iter();
        citations.all(|citation| texts.contains_key(&citation.source))
    };
    let claims: Vec<Claim> = report.claims.into_iter().filter(is_checked).collect();
    altered_claims(REPORT, &claims, &report.verdicts, &texts)
}

/// `true` if the published report of the session at `path` was moved or removed by hand: a run that
/// makes it again moves the record of its publication, too.
pub fn lacks_publication(path: &Path) -> bool {
    Published::read(path).is_some() && !path.join(PUBLICATION).exists()
}

/// Returns the files of the session at `path` with the texts that its report cites, or the draft of
/// it, those that are missing, and the command that makes them again: without them nothing can be
/// checked.
pub fn lost_texts(path: &Path) -> Option<(Vec<String>, String)> {
    if are_claims_as_published(path) {
        return None;
    }
    // Until the report is made, its draft says what it will cite.
    let report = content::<Report>(path, REPORT).map(|report| report.claims);
    let draft = || content::<Claims>(path, CLAIMS).map(|draft| draft.claims);
    let claims = report.or_else(draft)?;
    let ids: BTreeSet<&String> = cited_ids(&claims).collect();
    let files = ids.into_iter().map(|id| format!("{SOURCES}/{id}.md"));
    let is_lost = |file: &String| matches!(read_inside(path, file), Ok(None));
    let lost: Vec<String> = files.filter(is_lost).collect();
    let again = RunOptions::default().resumption(path) + " --from research";
    (!lost.is_empty()).then_some((lost, again))
}

/// `true` if no claim, no verdict on one, and no stored text has changed since the session at
/// `path` was published, by the times of their files: much faster than comparing what they say.
fn are_claims_as_published(path: &Path) -> bool {
    let Some((_, published)) = Published::read_with_stamp(path) else {
        return false;
    };
    // Of a link the times are its own: what it leads to may be anywhere.
    let is_older = |file: &Path| {
        let data = fs::symlink_metadata(file);
        data.is_ok_and(|data| !data.is_symlink() && Stamp::from(&data).is_before(&published))
    };
    let sources = path.join(SOURCES);
    let files = [REPORT, CLAIMS, VERIFICATION];
    files.iter().all(|name| is_older(&path.join(name)))
        && is_older(&sources)
        && fs::read_dir(&sources)
            .is_ok_and(|mut texts| texts.all(|text| text.is_ok_and(|text| is_older(&text.path()))))
}

/// A line for each claim of a file that is not what was checked.
fn altered_claims(
    name: &str,
    claims: &[Claim],
    verdicts: &[ClaimVerdict],
    texts: &BTreeMap<String, String>,
) -> Vec<String> {
    let altered = claims.iter().filter_map(|claim| {
        let altered = altered::alteration(claim, verdicts, texts)?;
        Some(format!("{name}, {}: {}", claim.id, altered.reason))
    });
    altered.collect()
}

/// The problems of the draft of the report in the file `report` that was changed by hand since it
/// was checked: of each claim that held then, else of the file.
pub(super) fn edited_draft(
    path: &Path,
    report: &str,
    texts: &BTreeMap<String, String>,
) -> Vec<String> {
    let name = report.replace(REPORT, CLAIMS);
    let checked = report.replace(REPORT, VERIFICATION);
    let checked: Option<Artifact<Verification>> = artifact(path, &checked);
    let draft = read_inside(path, &name).ok().flatten();
    let (Some(checked), Some(draft)) = (checked, draft) else {
        return Vec::new();
    };
    let recorded = checked.provenance.inputs.get(CLAIMS);
    if recorded.is_none_or(|recorded| *recorded == Digest::of(&draft)) {
        return Vec::new();
    }
    let verdicts = checked.content.verdicts;
    let is_supported = |claim: &Claim| {
        let mut verdicts = verdicts.iter();
        verdicts.any(|own| own.claim == claim.id && own.verdict == Verdict::Supported)
    };
    let claims = parse::<Artifact<Claims>>(&draft).map(|draft| draft.content.claims);
    let claims = claims.unwrap_or_default().into_iter().filter(is_supported);
    let claims: Vec<Claim> = claims.collect();
    let mut problems = altered_claims(&name, &claims, &verdicts, texts);
    if problems.is_empty() {
        let was_made = "the report was made from what it said before";
        problems.push(format!(
            "{name} was changed by hand since it was checked: {was_made}"
        ));
    }
    problems
}

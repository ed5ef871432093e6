//! The claims of a report in printed order, those of one source together under its name.

use crate::artifact::Report;
use crate::artifact::claims::Claim;
use crate::artifact::report::Reference;
use crate::cite;

/// Consecutive claims that quote the same source, or a single claim.
pub(super) struct ClaimGroup<'a> {
    /// Title and year of the source that the claims quote word for word; `None` for a claim that is
    /// not worded as in a source.
    pub(super) attribution: Option<String>,
    pub(super) claims: Vec<&'a Claim>,
}

pub(super) fn claims<'a>(report: &'a Report, ids: &[String]) -> Vec<&'a Claim> {
    ids.iter().filter_map(|id| claim(report, id)).collect()
}

/// Claims in their order; consecutive quotations of one source form a group.
pub(super) fn claim_groups<'a>(report: &'a Report, ids: &[String]) -> Vec<ClaimGroup<'a>> {
    let mut groups: Vec<ClaimGroup<'a>> = Vec::new();
    for claim in claims(report, ids) {
        let attribution = attribution(report, claim);
        // Only adjacent claims form a group, since the claims must remain in the order of their
        // rank.
        match groups.last_mut() {
            Some(last) if attribution.is_some() && last.attribution == attribution => {
                last.claims.push(claim);
            }
            _ => groups.push(ClaimGroup {
                attribution,
                claims: vec![claim],
            }),
        }
    }
    groups
}

/// Title and year of the source that a claim quotes word for word, with the heading if the claim
/// needs it. Its first citation is the one it
/// quotes; the others say something similar.
pub(super) fn attribution(report: &Report, claim: &Claim) -> Option<String> {
    let citation = claim.citations.first()?;
    // A paraphrase, such as that of a model, must not appear under the name of the source.
    if !cite::is_printed(citation, &claim.text) {
        return None;
    }
    let source = report
        .references
        .iter()
        .find(|reference| reference.source == citation.source)?;
    let year = |own: &Reference| {
        own.date
            .as_deref()
            .and_then(|date| date.get(..4).map(str::to_owned))
    };
    let others = || {
        let others = report.references.iter();
        others.filter(|other| other.source != source.source && other.title == source.title)
    };
    // Two notes of one title and year are told apart by their days, or by where they lie.
    let date = if others().any(|other| other.date == source.date) {
        Some(source.locator.clone())
    } else if others().any(|other| year(other) == year(source)) {
        source.date.clone()
    } else {
        year(source)
    };
    // "Meeting of 4 March 2026" names its year itself.
    let date = date.filter(|date| !source.title.contains(date));
    let title = match date {
        Some(date) => format!("{} ({date})", source.title),
        None => source.title.clone(),
    };
    Some(match &claim.heading {
        Some(heading) if *heading != source.title => format!("{title}, {heading}"),
        _ => title,
    })
}

/// The claim of this id, if all its sources are among the references: no claim is shown that cannot
/// be traced.
pub(super) fn claim<'a>(report: &'a Report, id: &str) -> Option<&'a Claim> {
    let claim = report.claim(id)?;
    claim
        .citations
        .iter()
        .all(|citation| report.number_of(&citation.source).is_some())
        .then_some(claim)
}

//! Claims that were changed by hand. The one rule for all formats, for the review and for
//! `verify`: a quotation is the text of its source at its byte range, the words of a quoted claim
//! are those of its quotation, those of a written one the words that were checked. Where they are
//! not any more, the claim is marked, and not supported.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use crate::artifact::Report;
use crate::artifact::claims::Claim;
use crate::artifact::report::QUOTED;
use crate::artifact::stored::unchanged_texts;
use crate::artifact::verification::{ClaimVerdict, Verdict};
use crate::cite::{SourceText, check_citations, check_quote, is_printed, not_printed};

/// The marks behind the words of such a claim.
const NOT_QUOTED: &str = "[changed by hand: not the words of the source]";
const NOT_WRITTEN: &str = "[changed by hand]";

/// The mark of a claim whose source is not there any more as it was read.
const NOT_CHECKED: &str = "[not checked: its source is missing, or was changed]";

/// The sentence that replaces [`QUOTED`] where there are such marks.
const OTHERS_QUOTED: &str = "Sentences without a mark are quoted word for word.";

/// The difference between a claim and what was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alteration {
    /// The verdict on the claim as it is now.
    pub verdict: Verdict,
    /// The reason for it.
    pub reason: String,
    mark: &'static str,
}

/// Returns the alteration of a claim, given the stored texts of the sources by id; `None` if it is
/// what was checked.
pub fn alteration(
    claim: &Claim,
    verdicts: &[ClaimVerdict],
    texts: &BTreeMap<String, String>,
) -> Option<Alteration> {
    let of = |verdict, mark, reason: String| {
        Some(Alteration {
            verdict,
            reason,
            mark,
        })
    };
    let mut citations = claim.citations.iter();
    if let Some(missing) = citations.find(|own| !texts.contains_key(&own.source)) {
        let reason = format!("the text of {} is missing, or was changed", missing.source);
        return of(Verdict::Abstained, NOT_CHECKED, reason);
    }
    let source_of = |id: &str| {
        let text = texts.get(id)?;
        Some(SourceText { title: "", text })
    };
    if let Err(reason) = check_citations(claim, source_of) {
        return of(Verdict::Unsupported, NOT_QUOTED, reason);
    }
    if claim.is_written() {
        return rewritten(claim, verdicts)
            .and_then(|reason| of(Verdict::Abstained, NOT_WRITTEN, reason.to_owned()));
    }
    let first = claim.citations.first()?;
    if is_printed(first, &claim.text) {
        return None;
    }
    let reason = not_printed(first, &claim.text);
    of(Verdict::Unsupported, NOT_QUOTED, reason)
}

/// Returns `true` if a claim of a report is not what was checked, by the stored texts of its
/// session: not if it cannot be compared, as the text of its source is not what was read.
pub fn has_altered_claim(report: &Report, session: &Path) -> bool {
    let texts = unchanged_texts(session, report);
    let is_altered = |claim: &Claim| {
        alteration(claim, &report.verdicts, &texts).is_some_and(|own| own.mark != NOT_CHECKED)
    };
    report.claims.iter().any(is_altered)
}

/// Returns a report in Markdown with spaces in place of the marks of what was changed by hand: they
/// are no words of its sentences. Everything else stays at its place.
pub fn without_marks(markdown: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(markdown);
    for mark in [NOT_QUOTED, NOT_WRITTEN, NOT_CHECKED] {
        // In Markdown its brackets are escaped, in other formats they are not.
        let escaped = mark.replace('[', "\\[").replace(']', "\\]");
        for mark in [escaped.as_str(), mark] {
            if text.contains(mark) {
                text = text.replace(mark, &" ".repeat(mark.len())).into();
            }
        }
    }
    text
}

/// The reason why a claim in words of its own is not the one that was written, or judged.
fn rewritten(claim: &Claim, verdicts: &[ClaimVerdict]) -> Option<&'static str> {
    if claim.is_rewritten() {
        return Some("its sentence was changed by hand since it was written");
    }
    let verdict = verdicts.iter().find(|verdict| verdict.claim == claim.id)?;
    let judged = verdict.model.as_ref()?.sha256.as_ref()?;
    let is_other = *judged != claim.judged();
    is_other.then_some("the verdict of a model on it is on another text")
}

/// Returns the report with a mark at each claim and table that was changed by hand, and with the
/// verdict on what it says now, by the stored texts of its session.
pub fn marked(mut report: Report, session: &Path) -> Report {
    let texts = &unchanged_texts(session, &report);
    let verdicts = report.verdicts.clone();
    let posts = report.public_opinion.iter_mut();
    let posts = posts.flat_map(|opinion| &mut opinion.quoted);
    let claims = report.claims.iter_mut();
    let mut altered = 0;
    for claim in claims.chain(posts.map(|own| &mut own.claim)) {
        let Some(alteration) = alteration(claim, &verdicts, texts) else {
            continue;
        };
        altered += 1;
        claim.text = format!("{} {}", claim.text, alteration.mark);
        let mut verdicts = report.verdicts.iter_mut();
        if let Some(verdict) = verdicts.find(|verdict| verdict.claim == claim.id) {
            if verdict.verdict == Verdict::Supported {
                let summary = &mut report.verification;
                summary.supported = summary.supported.saturating_sub(1);
                summary.failed += 1;
            }
            *verdict = ClaimVerdict::of(claim, alteration.verdict, alteration.reason);
        }
    }
    for table in &mut report.tables {
        let own = &table.citation;
        let text = texts.get(&own.source).map_or("", String::as_str);
        if check_quote(&own.source, text, own.start, own.end, &own.quote).is_err() {
            altered += 1;
            table.title = format!("{} {NOT_QUOTED}", table.title);
        }
    }
    if altered > 0 {
        let are = if altered == 1 { "is" } else { "are" };
        let limit = format!(
            "{altered} of the sentences and tables above {are} not what was checked, and {are} \
             marked."
        );
        for limit in &mut report.limits {
            *limit = limit.replace(QUOTED, OTHERS_QUOTED);
        }
        report.limits.insert(0, limit);
    }
    report
}

//! Claims that were changed by hand: the words of a quoted claim are those of its quotation, those
//! of a written one the words that were checked; where they are not any more, what is printed says
//! so.

use std::borrow::Cow;

use crate::artifact::Report;
use crate::artifact::claims::Claim;
use crate::cite::as_sentence;

/// The marks behind the words of such a claim.
const NOT_QUOTED: &str = "[changed by hand: not the words of the source]";
const NOT_WRITTEN: &str = "[changed by hand]";

/// Returns the report with a mark at each claim that was changed by hand.
pub fn marked(report: &Report) -> Cow<'_, Report> {
    if report.claims.iter().all(|claim| mark(claim).is_none()) {
        return Cow::Borrowed(report);
    }
    let mut report = report.clone();
    for claim in &mut report.claims {
        if let Some(mark) = mark(claim) {
            claim.text = format!("{} {mark}", claim.text);
        }
    }
    Cow::Owned(report)
}

/// Returns the mark of a claim that was changed by hand.
fn mark(claim: &Claim) -> Option<&'static str> {
    let first = claim.citations.first();
    let is_quoted = || first.is_none_or(|first| as_sentence(&first.quote) == claim.text);
    if claim.is_written() {
        claim.is_rewritten().then_some(NOT_WRITTEN)
    } else {
        (!is_quoted()).then_some(NOT_QUOTED)
    }
}

//! Claims that were changed by hand: the words of a quoted claim are those of its quotation, and
//! where they are not any more, what is printed says so.

use std::borrow::Cow;

use crate::artifact::Report;
use crate::artifact::claims::Claim;
use crate::cite::as_sentence;

/// The mark behind the words of such a claim.
const MARK: &str = "[changed by hand: not the words of the source]";

/// Returns the report with a mark at each quoted claim whose words are not those of its quotation.
pub fn marked(report: &Report) -> Cow<'_, Report> {
    if !report.claims.iter().any(is_altered) {
        return Cow::Borrowed(report);
    }
    let mut report = report.clone();
    for claim in report.claims.iter_mut().filter(|claim| is_altered(claim)) {
        claim.text = format!("{} {MARK}", claim.text);
    }
    Cow::Owned(report)
}

fn is_altered(claim: &Claim) -> bool {
    let first = claim.citations.first();
    !claim.is_written() && first.is_some_and(|first| as_sentence(&first.quote) != claim.text)
}

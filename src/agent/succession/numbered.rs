//! Statements that a later document says do not hold any more: a numbered decision, "Decision 2 of
//! 10 March is reversed", or what it says is no longer so.

use std::collections::BTreeSet;

use super::super::edition::have_one_title;
use super::phrases::DatedSentence;
use super::preprint::replaces_preprint;
use crate::artifact::verification::Verdict;
use crate::cite;
use crate::text;

/// `true` if a sentence says that the numbered decision with which another one begins, or that
/// stands in the heading above it, does not hold any more.
pub(super) fn revokes(later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    let in_heading = || text::label_of_decision(earlier.heading?);
    let label = text::label_of_decision(earlier.text).or_else(in_heading);
    label.is_some_and(|label| revokes_numbered(&label, later, earlier))
        || ends(later, earlier)
        || replaces_preprint(later, earlier)
}

/// `true` if a sentence says that a decision of some number does not hold any more, and another one
/// states a numbered decision: only its own number ends that.
pub(super) fn is_other(later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    text::label_of_decision(earlier.text).is_some() && text::revokes_numbered_decision(later.text)
}

/// `true` if a sentence of a later document says that what another one states is no longer so:
/// "Dale is no longer the preferred site."
fn ends(later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    NoLonger::of(later).is_some_and(|own| own.ends(earlier, &text::terms(earlier.text)))
}

/// What a text says is no longer so.
pub(in crate::agent) struct NoLonger<'a> {
    date: &'a str,
    /// The sentences that say so, with their terms.
    sentences: Vec<(&'a str, BTreeSet<String>)>,
}

impl<'a> NoLonger<'a> {
    /// What a text of a dated document says is no longer so, if it says that of anything.
    pub(in crate::agent) fn of(text: DatedSentence<'a>) -> Option<Self> {
        let date = text.date.filter(|_| text::says_no_longer(text.text))?;
        let sentences = text::sentences(text.text, 0..text.text.len());
        let sentences = sentences.into_iter().map(|range| &text.text[range]);
        let sentences = sentences.filter(|own| text::says_no_longer(own));
        let with_terms = sentences.map(|own| (own, text::terms(own).into_iter().collect()));
        Some(Self {
            date,
            sentences: with_terms.collect(),
        })
    }

    /// `true` if that is what a sentence of an earlier document states, which has some terms.
    pub(in crate::agent) fn ends(&self, earlier: DatedSentence<'_>, terms: &[String]) -> bool {
        let is_later = |date: &str| self.date > date && !self.date.starts_with(date);
        if !earlier.date.is_some_and(is_later) || text::says_no_longer(earlier.text) {
            return false;
        }
        let stated: BTreeSet<&String> = terms.iter().collect();
        self.sentences.iter().any(|(own, terms)| {
            let shared = stated.iter().filter(|term| terms.contains(**term)).count();
            // More than half of the terms of the sentence with fewer.
            2 * shared > terms.len().min(stated.len())
                && cite::support(earlier.text, own).verdict == Verdict::Contradicted
        })
    }
}

/// `true` if a sentence says that the decision of a label, which another one states, does not hold
/// any more: the decision of the day that it names, or of the same series of documents.
pub(in crate::agent) fn revokes_numbered(
    label: &str,
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    let sentences = text::sentences(later.text, 0..later.text.len());
    let mut sentences = sentences.into_iter().map(|range| &later.text[range]);
    let Some(revoking) = sentences.find(|own| text::revokes_decision(own, label)) else {
        return false;
    };
    let dates = later.date.zip(earlier.date);
    let is_before = dates.is_some_and(|(later, earlier)| later < earlier);
    !is_before
        && match text::day_of_decision(revoking, label) {
            Some(day) => {
                let date = earlier.date.and_then(|date| date.get(5..10));
                date == Some(day.as_str()) || text::names_day(earlier.title, &day)
            }
            None => have_one_title(later.title, earlier.title),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_longer_so_ends_what_said_it() {
        let sentence = |text, date| DatedSentence {
            text,
            title: "Notes",
            date: Some(date),
            heading: None,
        };
        let earlier = sentence("Dale is the preferred site.", "2026-03-10");
        let later = sentence("Dale is no longer the preferred site.", "2026-04-21");
        assert!(ends(later, earlier) && !ends(earlier, later));
        let other = sentence("The mill is the preferred site.", "2026-03-10");
        assert!(!ends(later, other));
        assert!(!ends(sentence(later.text, "2026"), earlier));
    }

    #[test]
    fn a_decision_is_revoked_by_its_number_and_its_day() {
        let sentence = |text, title, date| DatedSentence {
            text,
            title,
            date: Some(date),
            heading: None,
        };
        let title = "Minutes of the allotment board, 4 May 2026";
        let decided = sentence("**Decision 2:** The gate is locked.", title, "2026-05-04");
        let later = |text| {
            sentence(
                text,
                "Minutes of the allotment board, 1 June 2026",
                "2026-06-01",
            )
        };
        for (text, expected) in [
            ("Decision 2 of 4 May is revoked.", true),
            ("Decision 2 no longer applies.", true),
            ("Decision 2 of 6 April is revoked.", false),
            ("Decision 3 is revoked.", false),
        ] {
            assert_eq!(revokes(later(text), decided), expected, "{text}");
            assert!(!revokes(decided, later(text)), "{text}");
        }
        let other = sentence(
            "Decision 2 is revoked.",
            "Minutes of the choir",
            "2026-06-01",
        );
        assert!(!revokes(other, decided));
    }
}

//! The remarks on claims and on sources that do not hold, in brackets beside them.

use super::outline::{Outline, ReferenceEntry};
use crate::artifact::claims::{Citation, Claim};

impl Outline<'_> {
    /// The remarks on a claim in brackets: by what it is superseded, beside what it is implausible.
    pub(super) fn remarks(&self, claim: &Claim) -> Vec<String> {
        let remarks = [self.correction(claim), self.implausibility(claim)];
        remarks.into_iter().flatten().collect()
    }

    /// The remarks on a claim and on its sources, each once.
    pub(super) fn all_remarks(&self, claim: &Claim) -> Vec<String> {
        let mut remarks = self.remarks(claim);
        let entries = claim.citations.iter();
        let entries = entries.filter_map(|citation| self.entry(&citation.source));
        for entry in entries {
            let of_source = self.remark_beside(claim, entry).map(str::to_owned);
            remarks.extend(of_source.filter(|remark| !remarks.contains(remark)));
        }
        remarks
    }

    /// The remark on a claim whose number is implausible beside that of other sources, in brackets.
    fn implausibility(&self, claim: &Claim) -> Option<String> {
        let mut pairs = self.implausible.iter();
        let (_, plausible) = pairs.find(|(own, _)| own.id == claim.id)?;
        let entries = plausible.citations.iter();
        let entries = entries.filter_map(|citation| self.entry(&citation.source));
        let mut entries: Vec<&ReferenceEntry<'_>> = entries.collect();
        entries.sort_by_key(|entry| entry.number);
        let labels = entries.iter().map(|entry| in_brackets(&entry.label));
        let mut labels: Vec<String> = labels.collect();
        let last = labels.pop()?;
        let beside = match labels.as_slice() {
            [] => last,
            others => format!("{} and {last}", others.join(", ")),
        };
        Some(format!("(implausible beside {beside})"))
    }

    /// The remark on a claim that a later source corrects, in brackets.
    fn correction(&self, claim: &Claim) -> Option<String> {
        let entry = self.entry(claim.superseded_by.as_deref()?)?;
        // The source may say itself by what it is superseded, beside its citation.
        let is_said = |citation: &Citation| {
            let own = self
                .entry(&citation.source)
                .and_then(|own| own.remark.as_deref());
            own.is_some_and(|remark| remark.starts_with("(superseded by"))
        };
        if claim.citations.iter().any(is_said) {
            return None;
        }
        let label = in_brackets(&entry.label);
        let date = entry.reference.date.as_deref().unwrap_or_default();
        // A label by author and year has the year.
        let year = date.split('-').next().unwrap_or_default();
        let date = if label.contains(year) { "" } else { date };
        let from = claim.superseded_from.as_deref().unwrap_or_default();
        let [date, from] = [(" of ", date), (" from ", from)].map(|(word, day)| match day {
            "" => String::new(),
            day => format!("{word}{day}"),
        });
        Some(format!("(superseded by {label}{date}{from})"))
    }

    /// The remark on a source of a claim that is not in force; `None` if another source of the
    /// claim is, so that what it says holds.
    pub(super) fn remark_beside<'e>(
        &self,
        claim: &Claim,
        entry: &'e ReferenceEntry<'_>,
    ) -> Option<&'e str> {
        let entries = claim.citations.iter();
        let mut entries = entries.filter_map(|citation| self.entry(&citation.source));
        let holds = entries.any(|own| own.remark.is_none());
        entry.remark.as_deref().filter(|_| !holds)
    }
}

/// The label of a source within round brackets: `[Author, 2024]` for `(Author, 2024)`.
fn in_brackets(label: &str) -> String {
    let inner = label
        .strip_prefix('(')
        .and_then(|own| own.strip_suffix(')'));
    inner.map_or_else(|| label.to_owned(), |inner| format!("[{inner}]"))
}

//! The difference that an update makes to a report, claim by claim, for its readers.

use std::collections::BTreeSet;
use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;
use similar::TextDiff;

use super::difference::{ComparedClaim, ComparedReference, ComparedTable, Side, compare};
use super::markdown::escape_markdown;
use super::outline::{NO_EVIDENCE, not_answered};
use crate::artifact::Report;
use crate::artifact::report::ReportOutcome;

/// The share of equal words from which two claims of the same source are one claim that has
/// changed. Chosen by hand: another figure in the same sentence passes, another sentence does not.
const SAME_CLAIM: f32 = 0.5;

/// The difference between a report and its successor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Update {
    /// The claims that the report makes for the first time.
    pub new: Vec<ComparedClaim>,
    /// The claims that it makes in other words or with other figures.
    pub changed: Vec<ChangedClaim>,
    /// The claims that it does not make any more.
    pub gone: Vec<ComparedClaim>,
    /// The claims that it does not make any more, though their documents are as they were: others
    /// have taken their places.
    pub unquoted: Vec<ComparedClaim>,
    /// The tables that it quotes for the first time.
    pub new_tables: Vec<ComparedTable>,
    /// The tables that it quotes as they are now.
    pub changed_tables: Vec<ComparedTable>,
    /// The tables that it does not quote any more.
    pub gone_tables: Vec<ComparedTable>,
    /// That the report answers its topic now and did not before, or the reverse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<ChangedNotice>,
    /// The number of claims that stand as before.
    pub unchanged: usize,
    /// The sources that it did not cite before.
    pub new_references: Vec<ComparedReference>,
    /// The sources that it does not cite any more.
    pub gone_references: Vec<ComparedReference>,
}

/// Why a report does not answer its topic as asked, before and after; absent where it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangedNotice {
    /// Why it did not before.
    pub before: Option<String>,
    /// Why it does not now.
    pub after: Option<String>,
}

impl ChangedNotice {
    /// `None` if both reports answer, both do not as asked, or both have no evidence.
    fn between(before: Option<&Report>, after: &Report) -> Option<Self> {
        let notice = |report: &Report| match report.outcome {
            ReportOutcome::NoEvidence => Some(NO_EVIDENCE.to_owned()),
            _ => not_answered(report).filter(|_| !report.claims.is_empty()),
        };
        let has_evidence = |notice: &Option<String>| {
            let reason = notice.as_deref();
            reason.map(|reason| reason != NO_EVIDENCE)
        };
        let (before, after) = (notice(before?), notice(after));
        (has_evidence(&before) != has_evidence(&after)).then_some(Self { before, after })
    }
}

/// A claim before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangedClaim {
    /// The claim as it was.
    pub before: ComparedClaim,
    /// The claim as it is.
    pub after: ComparedClaim,
}

impl Update {
    /// The difference between the report `before`, if there was one, and the report `after`;
    /// `is_as_before` tells the locators of documents that have not changed between the two.
    pub fn between(
        before: Option<&Report>,
        after: &Report,
        is_as_before: impl Fn(&str) -> bool,
    ) -> Self {
        let empty = Report {
            claims: Vec::new(),
            references: Vec::new(),
            tables: Vec::new(),
            ..after.clone()
        };
        let side = |report| Side {
            name: String::new(),
            report,
            review: None,
        };
        let difference = compare(&side(before.unwrap_or(&empty)), &side(after), &[]);
        let (mut new, mut gone) = (difference.claims.added, Vec::new());
        let mut changed = Vec::new();
        for before in difference.claims.removed {
            match counterpart(&before, &new) {
                Some(index) => changed.push(ChangedClaim {
                    after: new.remove(index),
                    before,
                }),
                None => gone.push(before),
            }
        }
        let (unquoted, gone) = gone
            .into_iter()
            .partition(|claim| is_as_before(&claim.locator));
        let is_same = |one: &ComparedTable, other: &ComparedTable| {
            one.title == other.title && one.locator == other.locator
        };
        let is_among = |table: &ComparedTable, tables: &[ComparedTable]| {
            tables.iter().any(|other| is_same(table, other))
        };
        let (added, removed) = (difference.tables.added, difference.tables.removed);
        let mut gone_tables = removed.clone();
        gone_tables.retain(|table| !is_among(table, &added));
        let (changed_tables, new_tables) = added
            .into_iter()
            .partition(|table| is_among(table, &removed));
        Self {
            new,
            changed,
            gone,
            unquoted,
            new_tables,
            changed_tables,
            gone_tables,
            notice: ChangedNotice::between(before, after),
            unchanged: difference.claims.unchanged.len(),
            new_references: difference.references.added,
            gone_references: difference.references.removed,
        }
    }

    /// `true` if the report says the same as before, from the same sources.
    pub fn is_empty(&self) -> bool {
        self.new.is_empty()
            && self.changed.is_empty()
            && self.gone.is_empty()
            && self.unquoted.is_empty()
            && self.new_tables.is_empty()
            && self.changed_tables.is_empty()
            && self.gone_tables.is_empty()
            && self.new_references.is_empty()
            && self.gone_references.is_empty()
            && self.notice.is_none()
    }

    /// The locators of the sources that make the difference: of the claims and tables in it, or if
    /// there are none, of the references.
    pub fn locators(&self) -> BTreeSet<String> {
        let claims = [&self.new, &self.gone, &self.unquoted];
        let claims = claims.into_iter().flatten();
        let pairs = self
            .changed
            .iter()
            .flat_map(|own| [&own.before, &own.after]);
        let tables = [&self.new_tables, &self.changed_tables, &self.gone_tables];
        let claims = claims.chain(pairs).map(|claim| &claim.locator);
        let tables = tables.into_iter().flatten().map(|table| &table.locator);
        let locators: BTreeSet<String> = claims.chain(tables).cloned().collect();
        if !locators.is_empty() {
            return locators;
        }
        let references = [&self.new_references, &self.gone_references];
        let references = references.into_iter().flatten();
        references
            .map(|reference| reference.locator.clone())
            .collect()
    }

    /// The difference as a list in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        if let Some(notice) = &self.notice {
            let of = |reason: &Option<String>| match reason {
                Some(reason) if reason == NO_EVIDENCE => "no evidence was found".to_owned(),
                Some(reason) => format!("not answered as asked: {}", escape_markdown(reason)),
                None => "answered".to_owned(),
            };
            let _ = writeln!(text, "- **was**: {}", of(&notice.before));
            let _ = writeln!(text, "- **is now**: {}", of(&notice.after));
        }
        let mut line = |what: &str, words: &str, locator: &str| {
            let (words, locator) = (escape_markdown(words), escape_markdown(locator));
            let _ = writeln!(text, "- **{what}**: {words} ({locator})");
        };
        for ChangedClaim { before, after } in &self.changed {
            line("was", &before.text, &before.locator);
            line("is now", &after.text, &after.locator);
        }
        for claim in &self.new {
            line("new", &claim.text, &claim.locator);
        }
        for claim in &self.gone {
            line("gone", &claim.text, &claim.locator);
        }
        for claim in &self.unquoted {
            line("no longer quoted", &claim.text, &claim.locator);
        }
        for (what, tables) in [
            ("new table", &self.new_tables),
            ("changed table", &self.changed_tables),
            ("table gone", &self.gone_tables),
        ] {
            for table in tables {
                line(what, &table.title, &table.locator);
            }
        }
        for reference in &self.new_references {
            line("new source", &reference.title, &reference.locator);
        }
        for reference in &self.gone_references {
            line("no longer a source", &reference.title, &reference.locator);
        }
        let claims = if self.unchanged == 1 {
            "1 claim stands".to_owned()
        } else {
            format!("{} claims stand", self.unchanged)
        };
        let _ = writeln!(text, "\n{claims} as before.");
        text
    }
}

/// The index of the claim of the same source that says most nearly the same, if any does.
fn counterpart(before: &ComparedClaim, claims: &[ComparedClaim]) -> Option<usize> {
    let likeness = |claim: &ComparedClaim| -> f32 {
        let same_source = claim.locator == before.locator;
        let ratio = || TextDiff::from_words(&before.text, &claim.text).ratio();
        if same_source { ratio() } else { 0.0 }
    };
    let likely = claims.iter().map(likeness).enumerate();
    let best = likely.max_by(|(_, one), (_, other)| one.total_cmp(other));
    best.filter(|(_, ratio)| *ratio >= SAME_CLAIM)
        .map(|(index, _)| index)
}

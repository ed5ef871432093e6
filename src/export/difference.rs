//! The differences between two rounds of a session, or between two sessions.
//!
//! Claims are matched by the locator of their source and their quotation, references by their
//! locator: ids are only unique within a report.

use std::collections::BTreeMap;
use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;
use similar::TextDiff;

use super::markdown;
use crate::artifact::claims::{Citation, Claim};
use crate::artifact::review::{Criterion, Note};
use crate::artifact::{Report, Review};
use crate::pipeline::score_text;
use crate::text::{one_line, without_controls};

/// Lines of context around a change in a unified diff.
const CONTEXT_LINES: usize = 3;

/// The share of equal words from which two claims of the same source are one claim that has
/// changed. Chosen by hand: another figure in the same sentence passes, another sentence does not.
pub(super) const SAME_CLAIM: f32 = 0.5;

/// One of the two sides of a comparison.
pub struct Side<'a> {
    /// The name of the side: `s, round 1`.
    pub name: String,
    /// Its report.
    pub report: &'a Report,
    /// Its review, if there is one.
    pub review: Option<&'a Review>,
}

/// The differences between two sides.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// The earlier side.
    pub from: String,
    /// The later side.
    pub to: String,
    /// The topics of both sides, if they differ.
    pub topics: Option<[String; 2]>,
    /// The total score.
    pub score: Change,
    /// The scores by criterion, in the order of the reviews.
    pub criteria: Vec<CriterionChange>,
    /// The notes of the reviews in between.
    pub notes: Vec<Note>,
    /// The claims.
    pub claims: Changes<ComparedClaim>,
    /// The references.
    pub references: Changes<ComparedReference>,
    /// The quoted tables.
    pub tables: Changes<ComparedTable>,
}

/// A score on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// The score before, if it was reviewed.
    pub from: Option<f64>,
    /// The score after, if it was reviewed.
    pub to: Option<f64>,
}

/// The score of a criterion on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CriterionChange {
    /// The criterion.
    pub name: String,
    /// Its score.
    pub score: Change,
    /// Its weight in the mean, in the later review that has it.
    pub weight: f64,
    /// The counts behind that score.
    pub reason: String,
}

/// The items on one side only, and the items on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Changes<T> {
    /// The items only after.
    pub added: Vec<T>,
    /// The items only before.
    pub removed: Vec<T>,
    /// The items before and after.
    #[serde(rename = "kept")]
    pub unchanged: Vec<T>,
    /// The items that say the same with other words or figures: of claims alone.
    pub changed: Vec<Changed<T>>,
}

/// An item before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Changed<T> {
    /// The item as it was.
    pub before: T,
    /// The item as it is.
    pub after: T,
}

impl<T> Changes<T> {
    /// `true` if there are no items on either side.
    fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.unchanged.is_empty()
    }
}

impl Changes<ComparedClaim> {
    /// The same, in which a claim that was removed and one that was added are one claim that has
    /// changed, if they say nearly the same of the same source.
    fn paired(mut self) -> Self {
        let likely = |before: &ComparedClaim| counterpart(before, &self.added);
        let mut pairs: Vec<(f32, ComparedClaim)> = Vec::new();
        let (mut removed, mut changed) = (Vec::new(), Vec::new());
        for before in std::mem::take(&mut self.removed) {
            match likely(&before) {
                Some((_, ratio)) => pairs.push((ratio, before)),
                None => removed.push(before),
            }
        }
        // The surest first: two claims may be like the same other one.
        pairs.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        for (_, before) in pairs {
            match counterpart(&before, &self.added) {
                Some((index, _)) => changed.push(Changed {
                    after: self.added.remove(index),
                    before,
                }),
                None => removed.push(before),
            }
        }
        Self {
            removed,
            changed,
            ..self
        }
    }
}

/// The index of the claim of the same source that says most nearly the same, if any does, and how
/// nearly.
pub(super) fn counterpart(
    before: &ComparedClaim,
    claims: &[ComparedClaim],
) -> Option<(usize, f32)> {
    let own = words(&before.text);
    let likeness = |claim: &ComparedClaim| -> f32 {
        let same_source = claim.locator == before.locator;
        let ratio = || TextDiff::from_slices(&own, &words(&claim.text)).ratio();
        if same_source { ratio() } else { 0.0 }
    };
    let likely = claims.iter().map(likeness).enumerate();
    let best = likely.max_by(|(_, one), (_, other)| one.total_cmp(other));
    best.filter(|(_, ratio)| *ratio >= SAME_CLAIM)
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// A claim with its best quotation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ComparedClaim {
    /// The sentence.
    pub text: String,
    /// The locator of its source.
    pub locator: String,
    /// First byte in the source's stored text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The position in the stored text, for people.
    #[serde(skip)]
    pub position: String,
    /// The text of that range.
    pub quote: String,
}

#[cfg(test)]
impl ComparedClaim {
    /// A claim that is its own quotation.
    pub(super) fn example(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            locator: "a.md".to_owned(),
            start: 0,
            end: 0,
            position: String::new(),
            quote: text.to_owned(),
        }
    }
}

/// A table of a source, word for word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ComparedTable {
    /// Its title.
    pub title: String,
    /// The locator of its source.
    pub locator: String,
    /// The table as it is written there.
    pub quote: String,
}

/// A reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ComparedReference {
    /// Its title.
    pub title: String,
    /// Its locator.
    pub locator: String,
}

/// Compares two reports; `between` are the reviews from the earlier to the later report.
pub fn compare(from: &Side<'_>, to: &Side<'_>, between: &[&Review]) -> Difference {
    let difference = compare_unpaired(from, to, between);
    Difference {
        claims: difference.claims.paired(),
        ..difference
    }
}

/// The same with each claim by itself: one that has changed is removed and added.
pub(super) fn compare_unpaired(from: &Side<'_>, to: &Side<'_>, between: &[&Review]) -> Difference {
    let (before, after) = (&from.report.topic, &to.report.topic);
    let notes = between.iter().flat_map(|review| &review.notes);
    Difference {
        from: from.name.clone(),
        to: to.name.clone(),
        topics: (before != after).then(|| [before.clone(), after.clone()]),
        score: Change {
            from: from.review.map(|review| review.score),
            to: to.review.map(|review| review.score),
        },
        criteria: criteria(from.review, to.review),
        notes: notes.cloned().collect(),
        claims: changes(claims(from.report), claims(to.report), |claim| {
            (claim.locator.clone(), claim.quote.clone())
        }),
        references: changes(
            references(from.report),
            references(to.report),
            |reference| reference.locator.clone(),
        ),
        tables: changes(tables(from.report), tables(to.report), |table| {
            (table.locator.clone(), table.quote.clone())
        }),
    }
}

fn criteria(from: Option<&Review>, to: Option<&Review>) -> Vec<CriterionChange> {
    let [before, after] =
        [from, to].map(|review| review.map_or(&[][..], |review| review.criteria.as_slice()));
    // The union of both: reviews by other versions may have other criteria.
    let mut names: Vec<&str> = Vec::new();
    for criterion in before.iter().chain(after) {
        if !names.contains(&criterion.name.as_str()) {
            names.push(&criterion.name);
        }
    }
    let changes = names.into_iter().filter_map(|name| {
        let of = |side: &'_ [Criterion]| side.iter().find(|own| own.name == name).cloned();
        let (from, to) = (of(before), of(after));
        let score = Change {
            from: from.as_ref().map(|own| own.score),
            to: to.as_ref().map(|own| own.score),
        };
        let Criterion { weight, reason, .. } = to.or(from)?;
        Some(CriterionChange {
            name: name.to_owned(),
            score,
            weight,
            reason,
        })
    });
    changes.collect()
}

fn claims(report: &Report) -> Vec<ComparedClaim> {
    report
        .claims
        .iter()
        .map(|claim| compared(report, claim))
        .collect()
}

fn compared(report: &Report, claim: &Claim) -> ComparedClaim {
    let best = claim.citations.first();
    ComparedClaim {
        text: claim.text.clone(),
        locator: best.map_or(String::new(), |best| locator(report, &best.source)),
        start: best.map_or(0, |best| best.start),
        end: best.map_or(0, |best| best.end),
        position: best.map_or(String::new(), Citation::position),
        quote: best.map_or(claim.text.clone(), |best| best.quote.clone()),
    }
}

/// The locator of a source that a report cites.
fn locator(report: &Report, source: &str) -> String {
    let mut references = report.references.iter();
    let reference = references.find(|reference| reference.source == source);
    reference.map_or(String::new(), |reference| reference.locator.clone())
}

fn tables(report: &Report) -> Vec<ComparedTable> {
    let tables = report.tables.iter().map(|table| ComparedTable {
        title: table.title.clone(),
        locator: locator(report, &table.citation.source),
        quote: table.citation.quote.clone(),
    });
    tables.collect()
}

fn references(report: &Report) -> Vec<ComparedReference> {
    report
        .references
        .iter()
        .map(|reference| ComparedReference {
            title: reference.title.clone(),
            locator: reference.locator.clone(),
        })
        .collect()
}

/// The items only in `from`, only in `to`, and in both, matched by `key`, in their order. Items of
/// one side with the same key count once.
fn changes<T, K: Ord>(from: Vec<T>, to: Vec<T>, key: impl Fn(&T) -> K) -> Changes<T> {
    // Keyed maps find the matches; the index restores the order of the reports afterwards.
    let mut before: BTreeMap<K, (usize, T)> = BTreeMap::new();
    for (index, item) in from.into_iter().enumerate() {
        before.entry(key(&item)).or_insert((index, item));
    }
    let (mut added, mut unchanged) = (BTreeMap::new(), BTreeMap::new());
    for (index, item) in to.into_iter().enumerate() {
        let key = key(&item);
        // A match is removed: the items that remain in `before` are on that side only.
        if before.remove(&key).is_some() {
            unchanged.insert(key, (index, item));
        } else if !unchanged.contains_key(&key) {
            added.entry(key).or_insert((index, item));
        }
    }
    Changes {
        added: in_order(added),
        removed: in_order(before),
        unchanged: in_order(unchanged),
        changed: Vec::new(),
    }
}

fn in_order<T, K>(items: BTreeMap<K, (usize, T)>) -> Vec<T> {
    let mut items: Vec<(usize, T)> = items.into_values().collect();
    items.sort_by_key(|(index, _)| *index);
    items.into_iter().map(|(_, item)| item).collect()
}

/// The differences as text for a terminal, without control characters of documents.
pub fn text(difference: &Difference) -> String {
    let Difference {
        from, to, score, ..
    } = difference;
    let mut text = format!("{} → {}\n", shown(from), shown(to));
    if let Some([before, after]) = &difference.topics {
        let _ = write!(
            text,
            "\ntopics\n  - {}\n  + {}\n",
            shown(before),
            shown(after)
        );
    }
    let width = difference
        .criteria
        .iter()
        .map(|criterion| criterion.name.chars().count());
    let width = width.max().unwrap_or(0).max("score".len());
    let _ = writeln!(
        text,
        "\n{:<width$}  {}",
        "score",
        scores(*score),
        width = width + 2
    );
    for criterion in &difference.criteria {
        let _ = writeln!(
            text,
            "  {:<width$}  {} (weight {}: {})",
            shown(&criterion.name),
            scores(criterion.score),
            criterion.weight,
            shown(&criterion.reason)
        );
    }
    if !difference.notes.is_empty() {
        text.push_str("\nreview notes in between\n");
        for note in &difference.notes {
            let _ = writeln!(text, "  {}: {}", shown(&note.criterion), shown(&note.text));
        }
    }
    list_changes(&mut text, "claims", &difference.claims, |claim| {
        let ComparedClaim {
            text,
            locator,
            position,
            ..
        } = claim;
        format!("{} [{}, {position}]", shown(text), shown(locator))
    });
    list_changes(
        &mut text,
        "references",
        &difference.references,
        |reference| {
            format!(
                "{} [{}]",
                shown(&reference.title),
                shown(&reference.locator)
            )
        },
    );
    if !difference.tables.is_empty() {
        list_changes(&mut text, "tables", &difference.tables, |table| {
            format!("{} [{}]", shown(&table.title), shown(&table.locator))
        });
    }
    text
}

/// Appends the counts of a list of changes and the items that differ.
fn list_changes<T>(
    text: &mut String,
    name: &str,
    changes: &Changes<T>,
    line: impl Fn(&T) -> String,
) {
    let Changes {
        added,
        removed,
        unchanged,
        changed,
    } = changes;
    let (more, less, same) = (added.len(), removed.len(), unchanged.len());
    let other = match changed.len() {
        0 => String::new(),
        other => format!("{other} changed, "),
    };
    let _ = writeln!(
        text,
        "\n{name}: {other}{more} added, {less} removed, {same} unchanged"
    );
    for Changed { before, after } in changed {
        let _ = writeln!(text, "  - was:    {}", line(before));
        let _ = writeln!(text, "  + is now: {}", line(after));
    }
    for item in removed {
        let _ = writeln!(text, "  - {}", line(item));
    }
    for item in added {
        let _ = writeln!(text, "  + {}", line(item));
    }
}

fn scores(change: Change) -> String {
    let shown = |score: Option<f64>| score.map_or("none".to_owned(), score_text);
    // Compared as printed: a change of less than 0.005 would read `0.50 → 0.50`.
    let (from, to) = (shown(change.from), shown(change.to));
    match (from.parse::<f64>(), to.parse::<f64>()) {
        _ if from == to => from,
        // The difference is that of the numbers as they are printed.
        (Ok(before), Ok(after)) => format!("{from} → {to} ({:+.2})", after - before),
        _ => format!("{from} → {to}"),
    }
}

/// A unified diff of the two reports as Markdown; empty if they are equal.
pub fn unified(from: &Side<'_>, to: &Side<'_>) -> String {
    let (before, after) = (
        markdown::render(from.report, None, None),
        markdown::render(to.report, None, None),
    );
    // Myers' O(ND) algorithm: a shortest edit script, that is, a longest common subsequence of
    // lines.
    let diff = TextDiff::from_lines(&before, &after);
    let mut unified = diff.unified_diff();
    unified.context_radius(CONTEXT_LINES);
    let unified = unified
        .header(&shown(&from.name), &shown(&to.name))
        .to_string();
    // Control characters are replaced after the comparison, so that a difference between two of
    // them is detected.
    unified
        .lines()
        .map(|line| format!("{}\n", without_controls(line)))
        .collect()
}

/// Text on one line, without control characters.
fn shown(text: &str) -> String {
    without_controls(&one_line(text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_in_order_and_deduplicated() {
        let changes = changes(vec![3, 1, 2, 1], vec![4, 2, 4, 3, 0, 3], |number| *number);
        assert_eq!(changes.removed, [1]);
        assert_eq!(changes.unchanged, [2, 3]);
        assert_eq!(changes.added, [4, 0]);
    }

    #[test]
    fn claims_that_differ_in_a_number_are_one_that_has_changed() {
        let claim = ComparedClaim::example;
        let changes = Changes {
            added: vec![
                claim("The fee is 30 euros a year."),
                claim("Dogs are allowed."),
            ],
            removed: vec![
                claim("The hall is closed."),
                claim("The fee is 20 euros a year."),
            ],
            unchanged: Vec::new(),
            changed: Vec::new(),
        };
        let paired = changes.paired();
        assert_eq!(paired.added, [claim("Dogs are allowed.")]);
        assert_eq!(paired.removed, [claim("The hall is closed.")]);
        assert_eq!(paired.changed.len(), 1);
        let mut text = String::new();
        list_changes(&mut text, "claims", &paired, |claim| claim.text.clone());
        assert!(text.contains("1 changed, 1 added, 1 removed"), "{text}");
        assert!(text.contains("+ is now: The fee is 30"), "{text}");
    }

    #[test]
    fn score_changes_are_signed() {
        let change = |from, to| scores(Change { from, to });
        assert_eq!(change(Some(0.5), Some(0.75)), "0.50 → 0.75 (+0.25)");
        assert_eq!(change(Some(1.0), Some(1.0)), "1.00");
        assert_eq!(change(Some(1.0), None), "1.00 → none");
        assert_eq!(change(Some(0.998), Some(0.874)), "0.99 → 0.87 (-0.12)");
        assert_eq!(change(Some(1.0), Some(0.874)), "1.00 → 0.87 (-0.13)");
        assert_eq!(change(Some(1.0), Some(0.996)), "1.00 → 0.99 (-0.01)");
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(shown("a\u{1b}[31m\nb"), "a\u{fffd}[31m b");
    }
}

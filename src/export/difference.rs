//! What changed between two rounds of a session, or between two sessions.
//!
//! A claim is the same if its source and its quotation are: ids are only names within a report. A
//! source is the same if it lies at the same place.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use similar::TextDiff;

use super::markdown;
use crate::artifact::claims::Claim;
use crate::artifact::report::Reference;
use crate::artifact::review::Note;
use crate::artifact::{Report, Review};

/// Lines around a change in a unified diff.
const UNCHANGED_LINES: usize = 3;

/// One of the two that are compared.
pub struct Side<'a> {
    /// What it is called: `s, round 1`.
    pub name: String,
    /// Its report.
    pub report: &'a Report,
    /// Its review, if it was made.
    pub review: Option<&'a Review>,
}

/// What changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The earlier side.
    pub from: String,
    /// The later side.
    pub to: String,
    /// What was asked, on either side, if it is not the same.
    pub topics: Option<[String; 2]>,
    /// The whole score.
    pub score: Change,
    /// The scores by criterion, in the order of the reviews.
    pub criteria: Vec<CriterionChange>,
    /// What the reviews in between asked for.
    pub notes: Vec<Note>,
    /// The claims.
    pub claims: Changes<ComparedClaim>,
    /// The references.
    pub references: Changes<ComparedReference>,
}

/// A score on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Change {
    /// Before, if it was reviewed.
    pub from: Option<f64>,
    /// After, if it was reviewed.
    pub to: Option<f64>,
}

/// The score of a criterion on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CriterionChange {
    /// The criterion.
    pub name: String,
    /// Its score.
    pub score: Change,
}

/// What is only on one side, and what is on both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changes<T> {
    /// Only after.
    pub added: Vec<T>,
    /// Only before.
    pub removed: Vec<T>,
    /// Before and after.
    pub kept: Vec<T>,
}

/// A claim with its best quotation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedClaim {
    /// The sentence.
    pub text: String,
    /// Where its source is.
    pub locator: String,
    /// First byte in the source's stored text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text of that range.
    pub quote: String,
}

/// A reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedReference {
    /// Its title.
    pub title: String,
    /// Where it is.
    pub locator: String,
}

/// Compares two reports; `between` are the reviews that led from one to the other.
pub fn compare(from: &Side<'_>, to: &Side<'_>, between: &[&Review]) -> Difference {
    let (one, other) = (&from.report.topic, &to.report.topic);
    let notes = between.iter().flat_map(|review| &review.notes);
    Difference {
        from: from.name.clone(),
        to: to.name.clone(),
        topics: (one != other).then(|| [one.clone(), other.clone()]),
        score: Change {
            from: from.review.map(|review| review.score),
            to: to.review.map(|review| review.score),
        },
        criteria: criteria(from.review, to.review),
        notes: notes.cloned().collect(),
        claims: changes(claims(from.report), claims(to.report), |claim| {
            (claim.locator.clone(), claim.quote.clone())
        }),
        references: changes(references(from.report), references(to.report), |found| {
            found.locator.clone()
        }),
    }
}

fn criteria(from: Option<&Review>, to: Option<&Review>) -> Vec<CriterionChange> {
    let all = |review: Option<&Review>| review.map_or(Vec::new(), |review| review.criteria.clone());
    let (before, after) = (all(from), all(to));
    let mut names: Vec<&str> = Vec::new();
    for criterion in before.iter().chain(&after) {
        if !names.contains(&criterion.name.as_str()) {
            names.push(&criterion.name);
        }
    }
    let score = |side: &[crate::artifact::review::Criterion], name: &str| {
        let mut side = side.iter();
        side.find(|criterion| criterion.name == name)
            .map(|criterion| criterion.score)
    };
    let changes = names.iter().map(|name| CriterionChange {
        name: (*name).to_owned(),
        score: Change {
            from: score(&before, name),
            to: score(&after, name),
        },
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
    let mut references = report.references.iter();
    let reference = best.and_then(|best| references.find(|found| found.source == best.source));
    ComparedClaim {
        text: claim.text.clone(),
        locator: reference.map_or(String::new(), |reference| reference.locator.clone()),
        start: best.map_or(0, |best| best.start),
        end: best.map_or(0, |best| best.end),
        quote: best.map_or(claim.text.clone(), |best| best.quote.clone()),
    }
}

fn references(report: &Report) -> Vec<ComparedReference> {
    let compared = |reference: &Reference| ComparedReference {
        title: reference.title.clone(),
        locator: reference.locator.clone(),
    };
    report.references.iter().map(compared).collect()
}

/// What is only in `from`, only in `to`, and in both, as `key` tells them apart. One key counts
/// once on each side.
fn changes<T, K: Ord>(from: Vec<T>, to: Vec<T>, key: impl Fn(&T) -> K) -> Changes<T> {
    let mut before: BTreeMap<K, (usize, T)> = BTreeMap::new();
    for (place, item) in from.into_iter().enumerate() {
        before.entry(key(&item)).or_insert((place, item));
    }
    let (mut added, mut kept) = (BTreeMap::new(), BTreeMap::new());
    for (place, item) in to.into_iter().enumerate() {
        let key = key(&item);
        if before.remove(&key).is_some() {
            kept.insert(key, (place, item));
        } else if !kept.contains_key(&key) {
            added.entry(key).or_insert((place, item));
        }
    }
    Changes {
        added: in_order(added),
        removed: in_order(before),
        kept: in_order(kept),
    }
}

fn in_order<T, K>(items: BTreeMap<K, (usize, T)>) -> Vec<T> {
    let mut items: Vec<(usize, T)> = items.into_values().collect();
    items.sort_by_key(|(place, _)| *place);
    items.into_iter().map(|(_, item)| item).collect()
}

/// A difference for people. Nothing that documents say can steer a terminal.
pub fn text(difference: &Difference) -> String {
    let Difference {
        from, to, score, ..
    } = difference;
    let mut text = format!("{} → {}\n", shown(from), shown(to));
    if let Some([one, other]) = &difference.topics {
        let _ = write!(text, "\ntopics\n  - {}\n  + {}\n", shown(one), shown(other));
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
            "  {:<width$}  {}",
            shown(&criterion.name),
            scores(criterion.score)
        );
    }
    if !difference.notes.is_empty() {
        text.push_str("\nnotes that led to it\n");
        for note in &difference.notes {
            let _ = writeln!(text, "  {}: {}", shown(&note.criterion), shown(&note.text));
        }
    }
    listed(&mut text, "claims", &difference.claims, |claim| {
        let ComparedClaim {
            text,
            locator,
            start,
            end,
            ..
        } = claim;
        format!(
            "{} [{}, bytes {start} to {end}]",
            shown(text),
            shown(locator)
        )
    });
    listed(
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
    text
}

fn listed<T>(text: &mut String, name: &str, changes: &Changes<T>, line: impl Fn(&T) -> String) {
    let Changes {
        added,
        removed,
        kept,
    } = changes;
    let (more, less, same) = (added.len(), removed.len(), kept.len());
    let _ = writeln!(text, "\n{name}: {more} added, {less} removed, {same} kept");
    for item in removed {
        let _ = writeln!(text, "  - {}", line(item));
    }
    for item in added {
        let _ = writeln!(text, "  + {}", line(item));
    }
}

fn scores(change: Change) -> String {
    let shown = |score: Option<f64>| score.map_or("none".to_owned(), |score| format!("{score:.2}"));
    let (from, to) = (shown(change.from), shown(change.to));
    match (change.from, change.to) {
        _ if from == to => from,
        (Some(before), Some(after)) => format!("{from} → {to} ({:+.2})", after - before),
        _ => format!("{from} → {to}"),
    }
}

/// A unified diff of the two reports as Markdown; empty if they read the same.
pub fn unified(from: &Side<'_>, to: &Side<'_>) -> String {
    let (before, after) = (
        markdown::render(from.report, None),
        markdown::render(to.report, None),
    );
    let diff = TextDiff::from_lines(&before, &after);
    let mut unified = diff.unified_diff();
    unified.context_radius(UNCHANGED_LINES);
    let unified = unified
        .header(&shown(&from.name), &shown(&to.name))
        .to_string();
    let lines = unified.lines().map(|line| format!("{}\n", harmless(line)));
    lines.collect()
}

/// Text on one line, harmless to a terminal.
fn shown(text: &str) -> String {
    harmless(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn harmless(text: &str) -> String {
    let harmless = |c: char| {
        if c.is_control() && c != '\t' {
            '\u{fffd}'
        } else {
            c
        }
    };
    text.chars().map(harmless).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_in_order_and_counted_once() {
        let found = changes(vec![3, 1, 2, 1], vec![4, 2, 4, 3, 0, 3], |number| *number);
        assert_eq!(found.removed, [1]);
        assert_eq!(found.kept, [2, 3]);
        assert_eq!(found.added, [4, 0]);
    }

    #[test]
    fn scores_say_how_they_moved() {
        let change = |from, to| scores(Change { from, to });
        assert_eq!(change(Some(0.5), Some(0.75)), "0.50 → 0.75 (+0.25)");
        assert_eq!(change(Some(1.0), Some(1.0)), "1.00");
        assert_eq!(change(Some(1.0), None), "1.00 → none");
    }

    #[test]
    fn terminals_are_not_steered() {
        assert_eq!(shown("a\u{1b}[31m\nb"), "a\u{fffd}[31m b");
    }
}

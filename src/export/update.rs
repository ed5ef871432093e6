//! The difference that an update makes to a report, claim by claim, for its readers.

use std::collections::BTreeSet;
use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;
use similar::TextDiff;

use super::difference::{
    Changes, ComparedClaim, ComparedReference, ComparedTable, Side, compare_unpaired, counterpart,
};
use super::markdown::escape_markdown;
use super::notices::{NO_EVIDENCE, not_answered};
use crate::artifact::Report;
use crate::artifact::report::ReportOutcome;
use crate::text::{blocks, one_line, sentences};

/// The share of equal words and spaces, numbers aside, from which a sentence of a document is one
/// that has changed. Chosen by hand: one word of seven may be another beside another figure.
const SAME_SENTENCE: f32 = 0.92;

/// The difference between a report and its successor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Update {
    /// The claims that the report makes for the first time.
    pub new: Vec<ComparedClaim>,
    /// The claims that it makes in other words or with other figures.
    pub changed: Vec<ChangedClaim>,
    /// The claims that it does not make any more, and whose sentences do not stand in their
    /// documents any more.
    pub gone: Vec<ComparedClaim>,
    /// The claims that it does not make any more, though their sentences stand in their documents
    /// as before: others have taken their places.
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
    /// `false` if the report does not quote it any more: it is the sentence of the document.
    pub is_quoted: bool,
}

impl Update {
    /// The difference between the report `before`, if there was one, and the report `after`;
    /// `text_of` gives the text of the document of a locator as it is now, `None` if it is gone.
    pub fn between(
        before: Option<&Report>,
        after: &Report,
        text_of: impl Fn(&str) -> Option<String>,
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
        let difference = compare_unpaired(&side(before.unwrap_or(&empty)), &side(after), &[]);
        let unchanged = difference.claims.unchanged.len();
        let claims = Self::of_claims(difference.claims, text_of);
        let (new, changed, gone, unquoted) = claims;
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
            unchanged,
            new_references: difference.references.added,
            gone_references: difference.references.removed,
        }
    }

    /// The claims of a difference that are new, changed, gone and not quoted any more. One whose
    /// sentence still stands in its document is not gone, whatever the report quotes now.
    fn of_claims(
        claims: Changes<ComparedClaim>,
        text_of: impl Fn(&str) -> Option<String>,
    ) -> (
        Vec<ComparedClaim>,
        Vec<ChangedClaim>,
        Vec<ComparedClaim>,
        Vec<ComparedClaim>,
    ) {
        let (mut new, mut changed) = (claims.added, Vec::new());
        let (mut gone, mut unquoted) = (Vec::new(), Vec::new());
        for before in claims.removed {
            let document = text_of(&before.locator);
            let quote = one_line(&before.quote);
            let stands = |document: &String| one_line(document).contains(&quote);
            if document.as_ref().is_some_and(stands) {
                unquoted.push(before);
                continue;
            }
            let now = document.and_then(|document| with_other_numbers(&before, &document));
            let same = |claim: &ComparedClaim| {
                let now = now.as_ref().filter(|now| now.locator == claim.locator);
                now.is_some_and(|now| one_line(&claim.quote).contains(&one_line(&now.quote)))
            };
            let quoted = new.iter().position(same);
            let likely = || counterpart(&before, &new).filter(|_| now.is_none());
            let likely = || likely().map(|(index, _)| index);
            let (after, is_quoted) = match (quoted.or_else(likely), now) {
                (Some(index), _) => (new.remove(index), true),
                (None, Some(now)) => (now, false),
                (None, None) => {
                    gone.push(before);
                    continue;
                }
            };
            changed.push(ChangedClaim {
                before,
                after,
                is_quoted,
            });
        }
        (new, changed, gone, unquoted)
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
        for change in &self.changed {
            let ChangedClaim { before, after, .. } = change;
            line("was", &before.text, &before.locator);
            let now = if change.is_quoted {
                "is now"
            } else {
                "is now, no longer quoted"
            };
            line(now, &after.text, &after.locator);
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

/// The sentence of a document that says what a claim said with other numbers, if there is one.
fn with_other_numbers(before: &ComparedClaim, document: &str) -> Option<ComparedClaim> {
    let masked = |text: &str| -> String {
        let word = |word: &str| {
            let is_number = word.contains(|c: char| c.is_ascii_digit());
            let is_of_number = |c: char| c.is_ascii_digit() || ".,".contains(c);
            if is_number {
                format!("0{}", word.replace(is_of_number, ""))
            } else {
                word.to_owned()
            }
        };
        let words: Vec<String> = text.split_whitespace().map(word).collect();
        words.join(" ")
    };
    let quote = masked(&before.quote);
    let blocks = blocks(document);
    let ranges = blocks
        .iter()
        .filter(|block| block.kind.is_prose())
        .flat_map(|block| sentences(document, block.range.clone()));
    let likely = ranges.filter_map(|range| {
        let sentence = document.get(range.clone())?;
        let ratio = TextDiff::from_words(&quote, masked(sentence)).ratio();
        (ratio >= SAME_SENTENCE).then_some((ratio, range))
    });
    let (_, range) = likely.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let quote = document.get(range.clone())?.to_owned();
    Some(ComparedClaim {
        text: one_line(&quote),
        locator: before.locator.clone(),
        start: range.start,
        end: range.end,
        position: String::new(),
        quote,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(text: &str) -> ComparedClaim {
        ComparedClaim::example(text)
    }

    #[test]
    fn sentence_that_stands_is_not_gone_and_a_changed_number_is_paired() {
        let document = "# Pumps\n\nPumps are quiet\nat night. The risk was lower (RR 0.80, 95% CI \
                        0.63 to 1.02; low certainty). The fee is 30 euros.\n";
        let removed = [
            "Pumps are quiet at night.",
            "The risk was lower (RR 0.72, 95% CI 0.55 to 0.94; moderate certainty).",
            "The fee is 20 euros.",
            "Dogs are not allowed in the hall.",
        ];
        let claims = Changes {
            added: vec![claim("The fee is 30 euros.")],
            removed: removed.map(claim).to_vec(),
            unchanged: Vec::new(),
            changed: Vec::new(),
        };
        let of = |_: &str| Some(document.to_owned());
        let (new, changed, gone, unquoted) = Update::of_claims(claims, of);
        assert_eq!(new, []);
        assert_eq!(unquoted, [claim(removed[0])]);
        assert_eq!(gone, [claim(removed[3])]);
        let pairs: Vec<(&str, bool)> = changed
            .iter()
            .map(|own| (own.after.text.as_str(), own.is_quoted))
            .collect();
        let risk = "The risk was lower (RR 0.80, 95% CI 0.63 to 1.02; low certainty).";
        assert_eq!(pairs, [(risk, false), ("The fee is 30 euros.", true)]);
    }

    #[test]
    fn claim_of_a_document_that_vanished_is_gone() {
        let claims = Changes {
            added: Vec::new(),
            removed: vec![claim("The fee is 20 euros.")],
            unchanged: Vec::new(),
            changed: Vec::new(),
        };
        let (.., gone, unquoted) = Update::of_claims(claims, |_| None);
        assert_eq!((gone.len(), unquoted.len()), (1, 0));
    }
}

//! The notices at the top of a report: warnings, and why it does not answer its topic as asked.

use super::BelowThreshold;
use crate::answering::DOUBT_THRESHOLD;
use crate::artifact::Report;
use crate::artifact::claims::Citation;
use crate::artifact::documents::meant;
use crate::artifact::report::{self, ReportOutcome};
use crate::artifact::source::Lifecycle;
use crate::pipeline::score_text;
use crate::text;

/// The share of a model's sentences above which a report warns that so many were removed (that of
/// the public design that the citation checks follow).
const REMOVED_SHARE: f64 = 0.2;

/// The titles of the notices at the head of a report.
pub const NOTICES: [&str; 10] = [
    BY_RULES,
    NO_EVIDENCE,
    NO_DISAGREEMENT,
    OPINIONS,
    DIRECT,
    BELOW_THRESHOLD,
    REMOVED,
    NOT_ANSWERED,
    PARTLY_ANSWERED,
    RESPELLED,
];
const BY_RULES: &str = "Rules answered.";
pub(super) const NO_EVIDENCE: &str = "No evidence was found.";
const NO_DISAGREEMENT: &str = "No disagreement was found.";
const OPINIONS: &str = "Only opinions were found.";
const DIRECT: &str = "Answered without sources.";
const BELOW_THRESHOLD: &str = "Low review score.";
const REMOVED: &str = "Many sentences did not hold.";
const PARTLY_ANSWERED: &str = "Partly answered.";
const RESPELLED: &str = "Another spelling was searched.";
pub(super) const NOT_ANSWERED: &str = "Not answered as asked.";

/// A warning at the top of the report.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Warning {
    /// Rules answered in place of a model, as this sentence counts.
    ByRules(String),
    NoEvidence,
    /// All documents were compared, and none contradicts another one.
    NoDisagreement,
    /// No document or page was read.
    NoDocuments,
    /// No document has a word of the topic, as in another language.
    NoWords,
    /// No claims, and the question whether words of the topic are misspelt.
    Misspelt(String),
    /// People's posts are all that was found.
    Opinions,
    /// The model answered from its own knowledge.
    Direct,
    /// No round reached the threshold; this one scored best and was published.
    BestRound(BelowThreshold),
    /// The review sent this round back.
    SentBack(BelowThreshold),
    /// This share of the sentences that a model wrote was removed.
    Removed(f64),
    /// No document has these names of the topic, which is answered without them; with the question
    /// whether others were meant.
    Unmentioned(String, Option<String>),
    /// Words that no document has were searched in another spelling, as these sentences say.
    Respelled(String),
}

impl Warning {
    pub(super) fn title(&self) -> &'static str {
        match self {
            Self::ByRules(_) => BY_RULES,
            Self::NoEvidence | Self::NoDocuments | Self::NoWords | Self::Misspelt(_) => NO_EVIDENCE,
            Self::NoDisagreement => NO_DISAGREEMENT,
            Self::Opinions => OPINIONS,
            Self::Direct => DIRECT,
            Self::BestRound(_) | Self::SentBack(_) => BELOW_THRESHOLD,
            Self::Removed(_) => REMOVED,
            Self::Unmentioned(..) => PARTLY_ANSWERED,
            Self::Respelled(_) => RESPELLED,
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::ByRules(sentences) | Self::Respelled(sentences) => sentences.clone(),
            Self::NoEvidence => "This report makes no claims.".to_owned(),
            Self::NoDisagreement => report::NO_DISAGREEMENT.to_owned(),
            Self::Misspelt(question) => format!("This report makes no claims. {question}"),
            Self::NoDocuments => {
                "This report makes no claims: no document or page was read.".to_owned()
            }
            Self::NoWords => "This report makes no claims: no document has a word of the topic. \
                              Documents in another language are searched with words of that \
                              language."
                .to_owned(),
            Self::Opinions => {
                "This report tells what people write, and claims no facts.".to_owned()
            }
            Self::Direct => "A language model answered from its own knowledge; nothing here was \
                             checked against a source."
                .to_owned(),
            Self::BestRound(BelowThreshold { score, threshold }) => format!(
                "Its review rates how well it answers at {}, where {threshold:.2} was wanted; \
                 no other round was rated higher.",
                score_text(*score)
            ),
            Self::SentBack(BelowThreshold { score, threshold }) => format!(
                "The review of this round rates how well it answers at {}, where {threshold:.2} \
                 was wanted.",
                score_text(*score)
            ),
            Self::Unmentioned(names, meant) => {
                let meant = meant.as_ref().map(|question| format!(" {question}"));
                let meant = meant.unwrap_or_default();
                format!("No document mentions {names}, so nothing quoted here is on that.{meant}")
            }
            Self::Removed(share) if *share >= 1.0 => "None of the sentences that the model wrote \
                is shown by the sources. The report quotes them instead."
                .to_owned(),
            Self::Removed(share) => format!(
                "{:.0} % of the sentences that the model wrote were removed, because the sources \
                 do not show them. What is left was checked in the same way.",
                share * 100.0
            ),
        }
    }
}

/// The warnings at the top of a report, with the one on its review.
pub(super) fn warnings(report: &Report, of_review: Option<Warning>) -> Vec<Warning> {
    match report.outcome {
        ReportOutcome::NoEvidence if report.searched == Some(0) => {
            vec![Warning::NoDocuments]
        }
        ReportOutcome::NoEvidence => vec![match meant(report.similar.iter()) {
            Some(question) => Warning::Misspelt(question),
            None if report.nearest.is_empty() => Warning::NoWords,
            None => Warning::NoEvidence,
        }],
        ReportOutcome::Opinions => vec![Warning::Opinions],
        ReportOutcome::Direct => vec![Warning::Direct],
        ReportOutcome::Answered => {
            let removed = report.removed.filter(|share| *share > REMOVED_SHARE);
            let removed = removed.map(Warning::Removed);
            let unmentioned = unmentioned_names(report);
            let spelling = respelled(report);
            let all = spelling.into_iter().chain(of_review);
            // Only who asks where the documents disagree is answered by nothing.
            let all = all.chain(report.claims.is_empty().then_some(Warning::NoDisagreement));
            all.chain(removed).chain(unmentioned).collect()
        }
    }
}

/// Why a report does not answer its topic as asked, in sentences: the terms of the topic which no
/// quoted sentence mentions together with the other terms, or that none clearly answers it, or one
/// of its questions; `None` if it does.
pub fn not_answered(report: &Report) -> Option<String> {
    let further: Vec<&String> = report.unanswered_questions.iter().collect();
    let further = enumerated(&further, "or").filter(|_| !report.claims.is_empty());
    let further = further.map(|own| format!("No sentence quoted here clearly answers {own}"));
    let sentences: Vec<String> = first_not_answered(report)
        .into_iter()
        .chain(further)
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// What is said of a report whose quotations may not answer.
const UNCLEAR: &str = "No sentence quoted here clearly answers it.";

/// The most words of a topic that are named as those which no quotation mentions.
const NAMED_WORDS: usize = 4;

/// Why a report does not answer its topic, or the first question of it.
fn first_not_answered(report: &Report) -> Option<String> {
    if report.unanswered.is_empty() && is_past(report) {
        return Some("What is quoted first is not in force any more.".to_owned());
    }
    if report.unanswered.is_empty() {
        let is_doubtful = report.confidence.is_some_and(|one| one < DOUBT_THRESHOLD);
        return (is_doubtful && !report.claims.is_empty()).then(|| UNCLEAR.to_owned());
    }
    let (absent, present): (Vec<&String>, Vec<&String>) = report
        .unanswered
        .iter()
        .partition(|word| report.unmentioned.contains(word));
    let absent = enumerated(&absent, "or").map(|words| format!("No document mentions {words}."));
    // Half of a long question names nothing that is missing.
    let is_short = present.len() <= NAMED_WORDS;
    let present = enumerated(&present, "and").map(|words| {
        if is_short {
            format!("No sentence quoted here mentions {words} together with the rest of the topic.")
        } else {
            UNCLEAR.to_owned()
        }
    });
    let question = meant(report.similar.iter());
    let sentences: Vec<String> = absent.into_iter().chain(question).chain(present).collect();
    Some(sentences.join(" "))
}

/// `true` if the summary quotes only documents that are not in force any more, though the topic
/// names no number or year of one.
fn is_past(report: &Report) -> bool {
    let is_in_force = |citation: &Citation| {
        let mut references = report.references.iter();
        let reference = references.find(|own| own.source == citation.source);
        let lifecycle = reference.and_then(|own| own.status.lifecycle);
        !lifecycle.is_some_and(Lifecycle::is_over)
    };
    let summary = &report.executive_summary;
    let claims = report.claims.iter().filter(|own| summary.contains(&own.id));
    let mut claims = claims.peekable();
    // What became of a document is answered by its own notice.
    let is_notice = claims
        .peek()
        .is_some_and(|first| text::ends_itself(&first.text));
    let mut citations = claims.flat_map(|own| &own.citations).peekable();
    citations.peek().is_some()
        && !is_notice
        && !report.topic.contains(|c: char| c.is_ascii_digit())
        && !citations.any(is_in_force)
}

/// A warning on words of the topic that were searched in another spelling; `None` without any.
fn respelled(report: &Report) -> Option<Warning> {
    let sentence = |(word, written): (&String, &String)| {
        // A stop word is not searched for: "the" for "teh".
        if text::terms(written).is_empty() {
            return format!("“{word}” was read as “{written}”.");
        }
        format!("No document has “{word}”: “{written}” was searched for in its place.")
    };
    let sentences: Vec<String> = report.respelled.iter().map(sentence).collect();
    (!sentences.is_empty()).then(|| Warning::Respelled(sentences.join(" ")))
}

/// A warning on names of the topic that no document mentions; `None` if there are none, or if the
/// topic is not answered anyway.
fn unmentioned_names(report: &Report) -> Option<Warning> {
    let names: Vec<&String> = report.unmentioned.iter().collect();
    let names = enumerated(&names, "or").filter(|_| report.unanswered.is_empty())?;
    Some(Warning::Unmentioned(names, meant(report.similar.iter())))
}

/// Words in quotation marks, the last after a conjunction; `None` without any.
fn enumerated(words: &[&String], conjunction: &str) -> Option<String> {
    let words: Vec<String> = words.iter().map(|word| format!("“{word}”")).collect();
    let (last, others) = words.split_last()?;
    Some(if others.is_empty() {
        last.clone()
    } else {
        format!("{} {conjunction} {last}", others.join(", "))
    })
}

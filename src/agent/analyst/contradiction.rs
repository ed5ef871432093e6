//! The comparison of passages of different sources: agreement, and contradictions.
//!
//! Sentences are compared pairwise by `cite`: a passage agrees with another if it restates all of
//! it; two contradict each other by the one value in which they differ. Which side is right is only
//! decided for a number that is implausible beside those of two other sources.

use std::collections::BTreeSet;

use super::super::edition;
use super::super::succession::{DatedSentence, corrected_number};
use super::denied::denied;
use super::reply::Reply;
use crate::answering::{AnswerType, Question};
use crate::artifact::Research;
use crate::artifact::analysis::{Contradiction, ContradictionKind};
use crate::artifact::source::{Lifecycle, Passage, Source, ordinal};
use crate::cite::{self, Contrast, QuestionSubject, Statement, Statements};
use crate::text;

/// The headings of design proposals (of RFCs, enhancement proposals, decision records), in lower
/// case: what such a document says is what it proposes.
const PROPOSAL_HEADINGS: &[&str] = &[
    "detailed design",
    "drawbacks",
    "alternatives",
    "rationale and alternatives",
    "unresolved questions",
    "guide-level explanation",
    "reference-level explanation",
    "rejected ideas",
    "rejected alternatives",
    "non-goals",
    "open issues",
];

/// The words of a title or a file name by which a document is a proposal.
pub(super) const PROPOSAL_WORDS: &[&str] = &[
    "rfc",
    "rfcs",
    "proposal",
    "proposals",
    "draft",
    "pep",
    "adr",
];

/// A passage, parsed once for all comparisons.
pub(super) struct ParsedPassage<'a> {
    passage: &'a Passage,
    statements: Statements,
    /// Its sentences without what they add at their end, where they do.
    main_clauses: Vec<Statement>,
    is_proposal: bool,
    source: Option<&'a Source>,
}

impl<'a> ParsedPassage<'a> {
    pub(super) fn of(passage: &'a Passage, research: &'a Research) -> Self {
        Self {
            statements: Statements::parse(&passage.quote),
            main_clauses: cite::main_statements(&passage.quote),
            is_proposal: is_proposal(passage, research),
            source: research.source(&passage.source),
            passage,
        }
    }

    fn is_of_other_source(&self, other: &Self) -> bool {
        self.passage.source != other.passage.source
    }

    /// `true` if a passage of another source states all that this one states.
    pub(super) fn is_restated_by(&self, other: &Self) -> bool {
        self.is_of_other_source(other) && self.statements.are_restated_by(&other.statements)
    }

    /// Its sentences, and behind them the main clauses of these.
    fn sentences(&self) -> impl Iterator<Item = &Statement> {
        self.statements.iter().chain(&self.main_clauses)
    }

    /// The contrast between a sentence of this passage and one of another source; `None` if there
    /// is none, or if it says nothing since one of the two documents is a proposal or applies no
    /// longer.
    fn contrast(
        &self,
        other: &Self,
        question: &Question,
        subject: &QuestionSubject,
    ) -> Option<Contrast> {
        // Two editions of one document say what was so at their times.
        let sources = self.source.zip(other.source);
        let are_editions = sources.is_some_and(|(own, other)| edition::are_editions(own, other));
        let is_proposal = self.is_proposal != other.is_proposal;
        let is_over = sources.is_some_and(|(own, other)| is_over(own) || is_over(other));
        if !self.is_of_other_source(other) || are_editions || is_proposal || is_over {
            return None;
        }
        let (own, others) = (self.sentences(), || other.sentences());
        let mut pairs = own.flat_map(|own| others().map(move |other| (own, other)));
        let is_compared = question.asks_for_disagreement();
        let asks_for_effect = question.answer_type == AnswerType::YesNo;
        let contrast_of = |own: &Statement, other: &Statement| {
            if is_compared {
                own.contrast_compared(other, subject)
            } else {
                let contrast = own.contrast_as_answers(other, subject);
                let is_asked = asks_for_effect && subject.is_answered_by(own, other);
                contrast.or_else(|| own.contrast_of_effects(other).filter(|_| is_asked))
            }
        };
        let mut contrast = pairs
            .find_map(|(own, other)| contrast_of(own, other))
            .or_else(|| self.contrast_of_replies(other, question))
            .or_else(|| self.contrast_of_correction(other))?;
        if self.is_proposal {
            contrast.kind = ContradictionKind::Proposal;
        }
        Some(contrast)
    }

    /// The contrast of a number and the one that the other passage says is right in its place: "It
    /// is 12, not 14."
    fn contrast_of_correction(&self, other: &Self) -> Option<Contrast> {
        let dated = |side: &Self| {
            let source = side.source?;
            Some(DatedSentence {
                text: &side.passage.quote,
                title: &source.title,
                date: source.date.as_deref(),
                heading: None,
            })
        };
        let (own, others) = (dated(self)?, dated(other)?);
        let [one, other] = corrected_number(own, others).or_else(|| {
            let [right, wrong] = corrected_number(others, own)?;
            Some([wrong, right])
        })?;
        Some(Contrast {
            kind: ContradictionKind::Number,
            one,
            other,
            unit: String::new(),
        })
    }

    /// The contrast of what the two say to a question that yes or no answers.
    fn contrast_of_replies(&self, other: &Self, question: &Question) -> Option<Contrast> {
        let reply = |side: &Self| Reply::of(question, side.passage);
        let (own, others) = reply(self).zip(reply(other))?;
        own.excludes(&others).then(|| Contrast {
            kind: ContradictionKind::Negation,
            one: own.word().to_owned(),
            other: others.word().to_owned(),
            unit: String::new(),
        })
    }
}

/// `true` for a document that applied once and does not any more.
fn is_over(source: &Source) -> bool {
    source.status.lifecycle.is_some_and(Lifecycle::is_over)
}

fn is_proposal(passage: &Passage, research: &Research) -> bool {
    let is_of_proposal = |heading: &String| {
        let heading = heading.trim().to_lowercase();
        PROPOSAL_HEADINGS.contains(&heading.as_str())
    };
    let names = research.source(&passage.source).is_some_and(|source| {
        [&source.title, &source.locator].into_iter().any(|name| {
            text::words(name).any(|word| PROPOSAL_WORDS.contains(&text::fold(word.text).as_str()))
        })
    });
    names || passage.headings.iter().any(is_of_proposal)
}

/// Finds all contradictions between passages that answer a topic, in the order of their ids.
pub(super) fn find<'a>(
    topic: &str,
    passages: impl Iterator<Item = &'a ParsedPassage<'a>>,
) -> Vec<Contradiction> {
    let question = Question::parse(topic);
    let subject = QuestionSubject::parse(&question.subject_words(), question.counted_word());
    // Ids sort by number: "P10" comes after "P9".
    let mut in_order: Vec<&ParsedPassage<'_>> = passages.collect();
    in_order.sort_by_key(|parsed| ordinal(&parsed.passage.id));
    let mut contradictions: Vec<Contradiction> = Vec::new();
    for (index, own) in in_order.iter().enumerate() {
        // Each unordered pair once: the comparison is symmetric.
        for other in &in_order[index + 1..] {
            let Some(contrast) = own.contrast(other, &question, &subject) else {
                continue;
            };
            let mut contradiction = contradiction(own, other, &contrast, &in_order);
            if is_yes_or_no(&contrast) {
                let quotes = [&*own.passage.quote, &*other.passage.quote];
                contradiction.denied = denied(quotes, &question);
            }
            // A third source that agrees with a side adds no further disagreement.
            let is_repeated = contradictions.iter().any(|earlier| {
                let sides = [&earlier.one, &earlier.other];
                earlier.kind == contradiction.kind
                    && (earlier.difference == contradiction.difference
                        || sides.contains(&&contradiction.one)
                            && sides.contains(&&contradiction.other))
                    && (sides.contains(&&contradiction.one)
                        || sides.contains(&&contradiction.other)
                        || earlier.settled_by.contains(&contradiction.one))
            });
            if !is_repeated {
                contradictions.push(contradiction);
            }
        }
    }
    contradictions
}

/// The contradiction of two passages. An implausible number comes second, if other sources settle
/// which it is.
fn contradiction(
    own: &ParsedPassage<'_>,
    other: &ParsedPassage<'_>,
    contrast: &Contrast,
    all: &[&ParsedPassage<'_>],
) -> Contradiction {
    let mut sides = [
        (own, contrast.one.as_str()),
        (other, contrast.other.as_str()),
    ];
    let mut settled_by = Vec::new();
    if contrast.kind == ContradictionKind::Implausible {
        let [agreeing, others] = [own, other].map(|side| restating(side, all));
        if others.len() > agreeing.len() {
            sides.reverse();
        }
        // As many on both sides settle nothing.
        if others.len() != agreeing.len() {
            settled_by = if others.len() > agreeing.len() {
                others
            } else {
                agreeing
            };
        }
    }
    let [(one, own), (other, others)] = sides;
    Contradiction {
        kind: contrast.kind,
        difference: difference(contrast, own, others, settled_by.len()),
        denied: String::new(),
        values: values(contrast, own, others),
        one: one.passage.id.clone(),
        other: other.passage.id.clone(),
        settled_by,
    }
}

/// The passages of further sources that restate a passage, one of each source.
fn restating(side: &ParsedPassage<'_>, all: &[&ParsedPassage<'_>]) -> Vec<String> {
    let mut sources = BTreeSet::new();
    all.iter()
        .filter(|other| side.is_restated_by(other))
        .filter(|other| sources.insert(&other.passage.source))
        .map(|other| other.passage.id.clone())
        .collect()
}

/// `true` if one side affirms what the other denies.
fn is_yes_or_no(contrast: &Contrast) -> bool {
    contrast.kind == ContradictionKind::Negation && matches!(&*contrast.one, "yes" | "no")
}

/// The values of both sides, if it is values that differ and none of them is implausible.
fn values(contrast: &Contrast, one: &str, other: &str) -> Option<[String; 2]> {
    let with_unit = |value: &str| match &*contrast.unit {
        // As it is written in English.
        sign @ ("£" | "$") => format!("{sign}{value}"),
        unit => format!("{value} {unit}").trim_end().to_owned(),
    };
    match contrast.kind {
        ContradictionKind::Number | ContradictionKind::Date | ContradictionKind::Name => {
            Some([one, other].map(with_unit))
        }
        _ => None,
    }
}

/// The difference for display.
fn difference(contrast: &Contrast, one: &str, other: &str, settled_by: usize) -> String {
    let against = match &*contrast.unit {
        sign @ ("£" | "$") => format!("{sign}{one} against {sign}{other}"),
        unit => format!("{one} against {other} {unit}"),
    };
    match contrast.kind {
        ContradictionKind::Implausible if settled_by > 0 => {
            let sources = match 1 + settled_by {
                2 => "two".to_owned(),
                3 => "three".to_owned(),
                more => more.to_string(),
            };
            format!("implausible: {other} beside {one} in {sources} other sources")
        }
        ContradictionKind::Implausible => {
            format!("implausible: {one} and {other}, a factor of ten or more apart")
        }
        ContradictionKind::Negation if is_yes_or_no(contrast) => {
            "one says so, the other says not".to_owned()
        }
        // A year is read as a date, not as a quantity.
        ContradictionKind::Date | ContradictionKind::Name => format!("{one} against {other}"),
        ContradictionKind::Proposal => format!("different proposals: {}", against.trim_end()),
        _ => against.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE: &str =
        "In 56 old houses, pumps reached a mean seasonal performance factor of 3.1.";
    const THIRTY: &str =
        "In 56 old houses, pumps reached a mean seasonal performance factor of 31.";

    fn passages(quotes: &[&str]) -> Vec<Passage> {
        let quotes = quotes.iter().enumerate();
        quotes
            .map(|(index, quote)| Passage {
                id: format!("P{}", index + 1),
                source: format!("S{}", index + 1),
                start: 0,
                end: quote.len(),
                line: None,
                page: None,
                quote: (*quote).to_owned(),
                columns: Vec::new(),
                headings: Vec::new(),
                relevance: 0.9,
            })
            .collect()
    }

    fn contradictions(passages: &[Passage], is_proposal: bool) -> Vec<Contradiction> {
        let parsed: Vec<ParsedPassage<'_>> = passages
            .iter()
            .map(|passage| ParsedPassage {
                passage,
                statements: Statements::parse(&passage.quote),
                main_clauses: cite::main_statements(&passage.quote),
                is_proposal,
                source: None,
            })
            .collect();
        find("radiators", parsed.iter())
    }

    #[test]
    fn two_other_sources_settle_an_implausible_number() {
        let contradictions = contradictions(&passages(&[THREE, THIRTY, THREE]), false);
        assert_eq!(contradictions.len(), 1, "{contradictions:?}");
        assert_eq!(
            contradictions[0].difference,
            "implausible: 31 beside 3.1 in two other sources"
        );
        assert_eq!(
            (
                contradictions[0].one.as_str(),
                contradictions[0].other.as_str()
            ),
            ("P1", "P2")
        );
        assert_eq!(contradictions[0].settled_by, ["P3"]);
    }

    #[test]
    fn one_source_against_one_settles_nothing() {
        let contradictions = contradictions(&passages(&[THIRTY, THREE]), false);
        assert_eq!(
            contradictions[0].difference,
            "implausible: 31 and 3.1, a factor of ten or more apart"
        );
        assert!(contradictions[0].settled_by.is_empty());
    }

    #[test]
    fn proposals_differ_and_do_not_contradict() {
        let quotes = [
            "About 60 % of old radiators have to be replaced in a house.",
            "About 20 % of old radiators have to be replaced in a house.",
        ];
        let contradictions = contradictions(&passages(&quotes), true);
        assert_eq!(contradictions[0].kind, ContradictionKind::Proposal);
        assert_eq!(
            contradictions[0].difference,
            "different proposals: 60 against 20 %"
        );
    }
}

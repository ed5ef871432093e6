//! The checks of what a model says about passages: that they are there, that they support its
//! words, that they agree, that they contradict each other.

use std::collections::BTreeMap;

use super::super::answer::{id, line};
use super::contradiction::{self, ParsedPassage};
use crate::artifact::Research;
use crate::artifact::analysis::{Contradiction, ContradictionKind};
use crate::artifact::source::Passage;
use crate::artifact::step::FoundStatement;
use crate::artifact::verification::Verdict;
use crate::cite::{self, Support};
use crate::text;

/// The least score by which a passage of another source supports a statement as a whole. At it, 76
/// of 100 claims of WiCE and 67 of Factcheck-GPT are fully supported (`benches/claims.rs`).
pub(super) const AGREEMENT: f64 = 0.8;

/// The least gain in the score of a statement by a passage that it needs besides others. Chosen by
/// hand.
const GAIN: f64 = 0.05;

/// The factors on the confidence in words that a passage supports in part, and that it does not:
/// the shares of claims with these verdicts that people called supported at least in part (0.57 and
/// 0.34, the mean of WiCE and Factcheck-GPT) relative to that of supported ones (0.77).
const PARTIAL: f64 = 0.75;
const UNSUPPORTED: f64 = 0.45;

/// The maximum length of a statement, in characters.
const STATEMENT_CHARACTERS: usize = 400;

/// The maximum length of a difference, in characters.
const DIFFERENCE_CHARACTERS: usize = 200;

/// The factor on the confidence in words with this verdict.
pub(super) fn certainty(verdict: Verdict) -> f64 {
    match verdict {
        Verdict::Supported => 1.0,
        Verdict::Partial => PARTIAL,
        _ => UNSUPPORTED,
    }
}

/// The passages that a model was shown, parsed once for all checks.
pub(super) struct Shown<'a> {
    topic: &'a str,
    passages: BTreeMap<&'a str, (&'a Passage, ParsedPassage<'a>)>,
}

/// Two sides of a contradiction, as a model names them.
pub(super) struct Sides<'a> {
    pub(super) subject: &'a str,
    pub(super) one: &'a str,
    pub(super) one_says: &'a str,
    pub(super) other: &'a str,
    pub(super) other_says: &'a str,
}

/// The passages behind a statement, by the part that each plays.
pub(super) struct Evidence<'a> {
    /// Those of other sources that say it by themselves.
    pub(super) agreeing: Vec<&'a Passage>,
    /// Those that say a part of it.
    pub(super) further: Vec<&'a Passage>,
    /// The support by the first passage and the further ones together.
    pub(super) support: Support,
}

impl<'a> Shown<'a> {
    pub(super) fn of(research: &'a Research, shown: &[&'a Passage]) -> Self {
        let parsed = shown.iter().map(|passage| {
            let parsed = ParsedPassage::of(passage, research);
            (passage.id.as_str(), (*passage, parsed))
        });
        Self {
            topic: &research.topic,
            passages: parsed.collect(),
        }
    }

    /// The passage that a model names, if it was shown.
    pub(super) fn passage(&self, named: &str) -> Option<&'a Passage> {
        let (passage, _) = self.passages.get(id('P', named)?.as_str())?;
        Some(passage)
    }

    /// The ids of all passages, for a model that named others.
    pub(super) fn ids(&self) -> String {
        self.passages.keys().copied().collect::<Vec<_>>().join(", ")
    }

    /// The passages that a model names, each once; what is no passage is left out.
    pub(super) fn named(&self, names: &[String], left_out: &mut Vec<String>) -> Vec<&'a Passage> {
        let mut passages: Vec<&Passage> = Vec::new();
        for name in names {
            match self.passage(name) {
                None => left_out.push(format!("left out {name:?}: there is no such passage")),
                Some(passage) if passages.iter().any(|other| other.id == passage.id) => {}
                Some(passage) => passages.push(passage),
            }
        }
        passages
    }

    /// The passages of other sources that restate a passage.
    pub(super) fn restating(&self, passage: &Passage) -> impl Iterator<Item = &'a Passage> {
        let own = self.passages.get(passage.id.as_str());
        self.passages.values().filter_map(move |(other, parsed)| {
            own.is_some_and(|(_, own)| own.is_restated_by(parsed))
                .then_some(*other)
        })
    }

    /// Checks the passages that a model names for a statement: which of them say it, and which are
    /// needed besides. The others are left out.
    pub(super) fn evidence(
        &self,
        statement: &str,
        first: &Passage,
        others: &[&'a Passage],
        left_out: &mut Vec<String>,
    ) -> Evidence<'a> {
        let mut quotes = first.quote.clone();
        let mut support = cite::support(statement, &quotes);
        let (mut agreeing, mut further): (Vec<&Passage>, Vec<&Passage>) = Default::default();
        for other in others {
            let joined = format!("{quotes}\n\n{}", other.quote);
            let together = cite::support(statement, &joined);
            if self.agrees(statement, first, other) {
                agreeing.push(other);
            } else if together.score >= support.score + GAIN {
                further.push(other);
                (quotes, support) = (joined, together);
            } else {
                let (one, own) = (&other.id, &first.id);
                left_out.push(format!(
                    "left out {one} beside {own}: it says something else"
                ));
            }
        }
        Evidence {
            agreeing,
            further,
            support,
        }
    }

    /// `true` if a passage is of another source than the first one, and says what that says, or
    /// what the statement says.
    fn agrees(&self, statement: &str, first: &Passage, other: &Passage) -> bool {
        if first.source == other.source {
            return false;
        }
        let says = |claim: &str| {
            let support = cite::support(claim, &other.quote);
            support.verdict == Verdict::Supported && support.score >= AGREEMENT
        };
        says(statement) || self.restating(first).any(|passage| passage.id == other.id)
    }

    /// The statement of a model, if its passages do not speak against it and say at least a part.
    pub(super) fn statement(
        &self,
        words: &str,
        names: &[String],
        left_out: &mut Vec<String>,
    ) -> Option<FoundStatement> {
        let text = line(words, STATEMENT_CHARACTERS);
        let passages = self.named(names, left_out);
        let quotes: Vec<&str> = passages.iter().map(|one| one.quote.as_str()).collect();
        let support = cite::support(&text, &quotes.join("\n\n"));
        if !matches!(support.verdict, Verdict::Supported | Verdict::Partial) {
            let reasons = support.reasons.join(", ");
            left_out.push(format!(
                "left out {text:?}: its passages do not say it ({reasons})"
            ));
            return None;
        }
        Some(FoundStatement {
            text,
            passages: passages.iter().map(|passage| passage.id.clone()).collect(),
        })
    }

    /// The contradiction that a model names, if it can be shown: by the comparison of the two
    /// passages, or since both speak of its subject and each says in its own words what the model
    /// says of it.
    pub(super) fn contradiction(&self, sides: &Sides<'_>) -> Option<Contradiction> {
        let of = |name: &str| self.passages.get(id('P', name)?.as_str());
        let ((one, own), (other, others)) = (of(sides.one)?, of(sides.other)?);
        if one.source == other.source {
            return None;
        }
        if let Some(contradiction) =
            contradiction::find(self.topic, [own, others].into_iter()).pop()
        {
            return Some(contradiction);
        }
        let speaks = |passage: &Passage, words: &str| {
            let (own, wanted) = (text::terms(&passage.quote), text::terms(words));
            !wanted.is_empty() && wanted.iter().all(|term| own.contains(term))
        };
        let is_shown = speaks(one, sides.subject)
            && speaks(other, sides.subject)
            && speaks(one, sides.one_says)
            && speaks(other, sides.other_says)
            && !speaks(other, sides.one_says)
            && !speaks(one, sides.other_says);
        let (one_says, other_says) = (sides.one_says, sides.other_says);
        let are_numbers = [one_says, other_says]
            .iter()
            .all(|side| side.contains(|c: char| c.is_ascii_digit()));
        let kind = if are_numbers {
            ContradictionKind::Number
        } else {
            ContradictionKind::Status
        };
        is_shown.then(|| Contradiction {
            kind,
            difference: line(
                &format!("{}: {one_says} against {other_says}", sides.subject),
                DIFFERENCE_CHARACTERS,
            ),
            denied: String::new(),
            values: None,
            one: one.id.clone(),
            other: other.id.clone(),
            settled_by: Vec::new(),
        })
    }

    /// The contradictions that the comparison of all passages finds.
    pub(super) fn contradictions(&self) -> Vec<Contradiction> {
        contradiction::find(self.topic, self.passages.values().map(|(_, parsed)| parsed))
    }
}

/// A statement as one line of bounded length.
pub(super) fn sentence(words: &str) -> String {
    line(words, STATEMENT_CHARACTERS)
}

//! The context of a sentence: its document, its headings, and the sentence before it.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::candidate::Candidate;
use super::input::{ResearcherInput, TopicDocument};
use super::quotation::{self, Run};
use super::taken_back;
use crate::answering::Question;
use crate::artifact::source::Lifecycle;
use crate::cite::Statement;
use crate::text;

/// The number of answers that are selected at least: as many as a summary has.
pub(super) const FEWEST: usize = 3;

/// The sentences of a researcher's input, with the question that they may answer.
pub(super) struct Context<'a> {
    pub(super) input: &'a ResearcherInput,
    pub(super) question: Question,
    /// The sections, by document and headings, whose status says that they do not apply any more:
    /// those of a log of decisions.
    over: BTreeSet<(usize, &'a [String])>,
    /// The shares of the question that sentences meet, which many rules ask for.
    shares_met: RefCell<HashMap<usize, f64>>,
    /// By candidate: what it states, parsed when it is first compared.
    statements: Vec<OnceCell<Box<Statement>>>,
    /// The first candidate of each section that has a heading.
    pub(super) sections: Vec<usize>,
    /// The candidates that another sentence takes back, each with that.
    taken_back: BTreeMap<usize, usize>,
}

/// The first candidate of each run of candidates of one document below the same headings, but for
/// those without any.
fn sections(candidates: &[Candidate]) -> Vec<usize> {
    let is_first = |index: &usize| {
        let own = &candidates[*index];
        let before = index.checked_sub(1).map(|before| &candidates[before]);
        let is_beside = |before: &Candidate| {
            (before.document, &before.headings) == (own.document, &own.headings)
        };
        !own.headings.is_empty() && !before.is_some_and(is_beside)
    };
    (0..candidates.len()).filter(is_first).collect()
}

impl<'a> Context<'a> {
    pub(super) fn new(input: &'a ResearcherInput) -> Self {
        let candidates = input.candidates.iter();
        let over = candidates.filter(|own| text::states_end(&own.sentence));
        Self {
            over: over.map(|own| (own.document, &*own.headings)).collect(),
            taken_back: taken_back::taken_back(input),
            input,
            question: Question::parse(&input.topic),
            shares_met: RefCell::default(),
            statements: vec![OnceCell::new(); input.candidates.len()],
            sections: sections(&input.candidates),
        }
    }

    /// What a sentence states.
    pub(super) fn statement(&self, index: usize) -> &Statement {
        self.statements[index].get_or_init(|| Box::new(Statement::parse(self.sentence(index))))
    }

    /// The sentence that takes another one back, if one does.
    pub(super) fn taken_back_by(&self, index: usize) -> Option<usize> {
        self.taken_back.get(&index).copied()
    }

    /// `true` if another sentence takes one back.
    pub(super) fn is_taken_back(&self, index: usize) -> bool {
        self.taken_back.contains_key(&index)
    }

    pub(super) fn sentence(&self, index: usize) -> &'a str {
        &self.input.candidates[index].sentence
    }

    pub(super) fn document(&self, index: usize) -> &'a TopicDocument {
        &self.input.documents[self.input.candidates[index].document]
    }

    /// The day from which a row holds, that of the entry of a feed or the record, or the date of
    /// the document of a sentence, or else the year in its title: of two price lists.
    pub(super) fn time(&self, index: usize) -> Option<&'a str> {
        self.input.time(index)
    }

    /// The heading right above a sentence.
    pub(super) fn heading(&self, index: usize) -> Option<&'a str> {
        let headings = &self.input.candidates[index].headings;
        headings.last().map(String::as_str)
    }

    /// `true` unless the document of a sentence, or its section, says that it does not apply any
    /// more, or not yet.
    pub(super) fn is_in_force(&self, index: usize) -> bool {
        let lifecycle = self.document(index).lifecycle;
        lifecycle.is_none_or(|own| own == Lifecycle::InForce) && !self.is_in_section_over(index)
    }

    /// `true` if the section of a sentence has a status that says that it does not apply any more.
    pub(super) fn is_in_section_over(&self, index: usize) -> bool {
        let candidate = &self.input.candidates[index];
        self.over
            .contains(&(candidate.document, &*candidate.headings))
    }

    /// The share of the question that a sentence meets with the headings above it and its title.
    pub(super) fn share_met(&self, index: usize) -> f64 {
        if let Some(share) = self.shares_met.borrow().get(&index) {
            return *share;
        }
        let candidate = &self.input.candidates[index];
        let above = candidate.headings.iter().map(String::as_str);
        let all = above.chain([&*candidate.sentence, &*self.document(index).title]);
        let share = self.question.share_met(&all.collect::<Vec<_>>().join("\n"));
        self.shares_met.borrow_mut().insert(index, share);
        share
    }

    /// The share of the question that the section of a sentence meets, with its headings and title:
    /// of the lines of a form, each says one thing of all.
    pub(super) fn share_met_in_section(&self, index: usize) -> f64 {
        let candidates = self.input.candidates.iter();
        let own = &self.input.candidates[index];
        let is_beside =
            |other: &&Candidate| other.document == own.document && other.headings == own.headings;
        let sentences = candidates.filter(is_beside).map(|other| &*other.sentence);
        let above = own.headings.iter().map(String::as_str);
        let all = sentences.chain(above).chain([&*self.document(index).title]);
        self.question.share_met(&all.collect::<Vec<_>>().join("\n"))
    }

    /// The number of terms of the question, but for the measure that it asks for, that a sentence
    /// meets with the headings above it, its title, and the sentence before it: "The elements were
    /// replaced. The invoice was £1,265." One more for a row of a table that is named by them, and
    /// for a word for what is done with the things that are counted.
    pub(super) fn things_met(&self, index: usize) -> f64 {
        let candidates = &self.input.candidates;
        let candidate = &candidates[index];
        let before = self
            .before(index)
            .map(|before| &*candidates[before].sentence);
        let above = candidate.headings.iter().map(String::as_str).chain(before);
        let all = above.chain([&*candidate.sentence, &*self.document(index).title]);
        let text = all.collect::<Vec<_>>().join("\n");
        let met = self.question.met(&text).into_iter();
        let met = met.filter(|term| !self.question.is_measure(term)).count();
        let is_row = self.question.is_named_in_row(&candidate.sentence);
        let has_deed = self.question.has_deed_of_count(&candidate.sentence);
        (met + usize::from(is_row) + usize::from(has_deed)) as f64
    }

    /// The sentence that amends another one, or says that it is no longer so, if one does.
    fn amended_by(&self, index: usize) -> Option<usize> {
        self.taken_back_by(index).filter(|by| {
            let sentence = self.sentence(*by);
            text::ChangedPart::of_any(sentence).is_some() || text::says_no_longer(sentence)
        })
    }

    /// The part of a run around one of its sentences that is amended as that is, or is not: what a
    /// later document replaces is not quoted together with what stays.
    pub(super) fn of_one_state(&self, run: Run, index: usize) -> Run {
        let is_amended = |own: usize| self.amended_by(own).is_some();
        let is_same = |other: &usize| is_amended(*other) == is_amended(index);
        let first = (run.first..=index).rev().take_while(is_same).last();
        let last = (index..=run.last).take_while(is_same).last();
        let first = first.unwrap_or(index);
        Run {
            first,
            last: last.unwrap_or(index),
            skip: if first == run.first { run.skip } else { 0 },
        }
    }

    /// The parts of a run that are in force, and in the place of one that is amended the sentence
    /// that amends it.
    pub(super) fn parts_in_force(&self, run: Run) -> Vec<Run> {
        let mut parts = Vec::new();
        let (mut first, mut skip) = (run.first, run.skip);
        while first <= run.last {
            let part = self.of_one_state(Run { first, skip, ..run }, first);
            (first, skip) = (part.last + 1, 0);
            parts.push(self.amended_by(part.first).map_or(part, Run::alone));
        }
        parts
    }

    /// The sentence before another one in its paragraph.
    pub(super) fn before(&self, index: usize) -> Option<usize> {
        let before = index.checked_sub(1)?;
        let run = Run {
            first: before,
            last: index,
            skip: 0,
        };
        quotation::is_in_paragraph(&self.input.candidates, run).then_some(before)
    }

    /// A sentence after the one that it depends on, with one right before or behind it in its
    /// section that says that an earlier decision is revoked.
    pub(super) fn with_revocation(&self, index: usize) -> String {
        let candidates = &self.input.candidates;
        let own = &candidates[index];
        let ends = |other: &usize| {
            candidates.get(*other).is_some_and(|other| {
                other.document == own.document
                    && other.headings == own.headings
                    && text::ends_decision(&other.sentence)
            })
        };
        let sentence = |index: Option<usize>| {
            let index = index.filter(ends);
            index.map_or("", |index| &*candidates[index].sentence)
        };
        let before = sentence(index.checked_sub(1));
        let next = sentence(Some(index + 1));
        format!("{before} {} {next}", self.in_context(index))
    }

    /// A sentence after the one that it depends on.
    pub(super) fn in_context(&self, index: usize) -> String {
        let candidates = &self.input.candidates;
        let run = quotation::around(candidates, index).filter(|run| run.last == index);
        let first = run.map_or(index, |run| run.first);
        let sentences = candidates[first..=index].iter();
        let sentences: Vec<&str> = sentences.map(|own| &*own.sentence).collect();
        sentences.join(" ")
    }
}

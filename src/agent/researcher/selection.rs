//! The selection of quotations for a step: documents first, then sentences by relevance, greedily
//! and without redundancy (the idea of MMR), then corroborating sentences of other documents.
//!
//! The thresholds were set by hand over the shipped example and the 648 Rust RFCs;
//! `benches/reports.rs` guards redundancy, documents for each claim and bad beginnings.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use foldhash::HashSet;

use super::super::answer::rounded;
use super::super::edition;
use super::super::similarity::{SIMILAR, repeats, shares};
use super::answers;
use super::context::Context;
use super::input::ResearcherInput;
use super::quotation::{self, Run, Selected};
use super::relevance::{MAIN_SHARE, Scorer};
use super::sequel::with_sequel;
use super::taken_back;
use crate::artifact::documents::LARGE_COLLECTION;
use crate::artifact::plan::Facet;
use crate::cite::Statement;
use crate::text::{self, NumbersInContext, TermCounts};

/// The least topicality of a document that is quoted (0.45 was set over the 648 RFCs; lower here,
/// for small collections).
const TOPICAL: f64 = 0.35;

/// The least topicality of a document with an entry in a chronicle, as a share of the best
/// document's.
const ENTRY_SHARE: f64 = 0.5;

/// The maximum number of quotations of the best document in a step. A report should not retell a
/// single document, but a single document may answer a narrow question.
const FROM_BEST: usize = 3;

/// The maximum number of quotations of any other document in a step.
const FROM_OTHER: usize = 2;

/// The maximum number of entries of a chronicle, as a multiple of the quotations of another step.
const ENTRIES_FACTOR: usize = 2;

/// The maximum number of corroborating quotations per selected quotation.
const CORROBORATING: usize = 3;

/// The maximum number of values of other editions per selected quotation.
const SUCCESSIVE: usize = 12;

/// The maximum number of other numbers of the same thing per selected quotation.
const RIVALS: usize = 2;

/// The maximum number of similar sentences that are compared with a quotation and with each other,
/// which is quadratic.
const COMPARED: usize = 40;

/// The least number of terms that a corroborating sentence has in common with the quotation.
const CORROBORATING_TERMS: usize = 3;

/// The least topicality of a document that is quoted, as a share of the best document's. It grows
/// with the logarithm of the size of the collection, since a larger one has more documents that
/// share words with the topic only by chance: 0.5 for a dozen, 0.67 for 648 (0.6 to 0.85 were tried
/// there).
fn topicality_share(documents: usize) -> f64 {
    (0.5 + 0.1 * (documents.max(1) as f64 / 12.0).log10()).clamp(0.4, 0.8)
}

/// A candidate with the run of sentences that would be quoted with it.
struct ScoredCandidate {
    index: usize,
    run: Run,
    relevance: f64,
}

/// The main documents: those that answer, if the subject is a question to a large collection, in
/// which others share words with it by chance; otherwise those nearly as topical as the best.
fn main_documents(context: &Context<'_>) -> BTreeSet<usize> {
    let input = context.input;
    let answering = if input.documents_searched >= LARGE_COLLECTION {
        answers::documents(context)
    } else {
        BTreeSet::new()
    };
    if !answering.is_empty() {
        return answering;
    }
    let topicalities = input.documents.iter().map(|document| document.topicality);
    let top = topicalities.fold(0.0, f64::max);
    let documents = input.documents.iter().enumerate();
    let main = documents.filter(|(_, document)| document.topicality >= MAIN_SHARE * top);
    main.map(|(number, _)| number).collect()
}

/// The selection of a step.
pub(super) struct Selection<'a> {
    input: &'a ResearcherInput,
    scorer: Scorer<'a>,
    /// The topicality from which a document is quoted.
    least_topicality: f64,
    /// By candidate: the counts of its terms, made when it is first compared.
    counts: Vec<OnceCell<TermCounts<'a>>>,
    /// By candidate: its numbers, found when they are first compared.
    numbers: Vec<OnceCell<NumbersInContext>>,
    context: &'a Context<'a>,
}

impl<'a> Selection<'a> {
    pub(super) fn new(context: &'a Context<'a>) -> Self {
        let input = context.input;
        let scorer = Scorer::new(input, main_documents(context));
        let share = match input.step.facet {
            Facet::Entries => ENTRY_SHARE,
            _ => topicality_share(input.documents_searched),
        };
        Self {
            least_topicality: TOPICAL.max(share * scorer.top),
            counts: vec![OnceCell::new(); input.candidates.len()],
            numbers: vec![OnceCell::new(); input.candidates.len()],
            context,
            scorer,
            input,
        }
    }

    /// The counts of the terms of a candidate.
    fn counts(&self, index: usize) -> &TermCounts<'a> {
        self.counts[index].get_or_init(|| TermCounts::of(&self.input.candidates[index].terms))
    }

    /// The numbers of a candidate.
    fn numbers(&self, index: usize) -> &NumbersInContext {
        self.numbers[index]
            .get_or_init(|| NumbersInContext::of(&self.input.candidates[index].sentence))
    }

    /// The selected quotations, each followed by those that corroborate it.
    pub(super) fn selected(&self) -> Vec<Selected> {
        let mut selected: Vec<ScoredCandidate> = Vec::new();
        for lead in self.leads() {
            if selected.iter().any(|quoted| overlap(quoted.run, lead.run)) {
                continue;
            }
            let mut corroborating = self.corroborating(&lead);
            let beside = std::iter::once(&lead).chain(&corroborating);
            let revocations: Vec<_> = beside.flat_map(|own| self.revocations(own)).collect();
            corroborating.extend(revocations);
            selected.push(lead);
            // A sentence that is already quoted corroborates nothing when it is quoted again.
            let new: Vec<ScoredCandidate> = corroborating
                .into_iter()
                .filter(|other| {
                    selected
                        .iter()
                        .all(|quoted| !overlap(quoted.run, other.run))
                })
                .collect();
            selected.extend(new);
        }
        selected
            .iter()
            .map(|scored| Selected {
                retrieval: 0,
                first: scored.run.first,
                last: scored.run.last,
                skip: scored.run.skip,
                relevance: rounded(scored.relevance),
            })
            .collect()
    }

    /// The quotations that are selected on their own merit: greedily by relevance, skipping those
    /// that repeat a selected one. This is MMR with a hard threshold ([`SIMILAR`]) in place of a
    /// penalty.
    fn leads(&self) -> Vec<ScoredCandidate> {
        if matches!(
            self.input.step.facet,
            Facet::Overview | Facet::Question | Facet::Side | Facet::Aspect
        ) {
            return self.answers();
        }
        let candidates = &self.input.candidates;
        let mut leads: Vec<ScoredCandidate> = Vec::new();
        let question = &self.context.question;
        let mut selected: Vec<(&TermCounts<'_>, &str)> = Vec::new();
        for mut scored in self.scored() {
            if leads.len() == self.limit() {
                break;
            }
            let candidate = &candidates[scored.index];
            let of_document = leads
                .iter()
                .filter(|lead| candidates[lead.index].document == candidate.document)
                .count();
            // Compared with the selected ones only, as in MMR, not with all other candidates.
            let counts = self.counts(scored.index);
            let is_redundant = selected.iter().any(|(lead, sentence)| {
                lead.cosine(counts) >= SIMILAR && repeats(question, sentence, &candidate.sentence)
            });
            if of_document >= self.limit_of(candidate.document) || is_redundant {
                continue;
            }
            scored.run = quotation::grown(candidates, scored.run);
            // Two quotations that nearly touch are joined; of two that overlap the first stays.
            let joined = leads.iter_mut().find_map(|lead| {
                let run = quotation::joined(candidates, lead.run, scored.run)?;
                Some((lead, run))
            });
            if let Some((lead, run)) = joined {
                lead.run = run;
            } else if !leads.iter().any(|lead| overlap(lead.run, scored.run)) {
                leads.push(scored);
                selected.push((counts, &candidate.sentence));
            }
        }
        leads
    }

    /// The answers as quotations: the relevance of the best is the confidence in it.
    fn answers(&self) -> Vec<ScoredCandidate> {
        answers::answers(self.context)
            .into_iter()
            .map(|answer| ScoredCandidate {
                index: answer.index,
                run: answer.run,
                relevance: answer.share * self.input.confidence,
            })
            .collect()
    }

    /// The maximum number of quotations of the step.
    fn limit(&self) -> usize {
        match self.input.step.facet {
            Facet::Entries => ENTRIES_FACTOR * self.input.limit,
            _ => self.input.limit,
        }
    }

    /// The maximum number of quotations of a document.
    fn limit_of(&self, document: usize) -> usize {
        match self.input.step.facet {
            Facet::Entries => 1,
            // `top` is the maximum of these numbers themselves, so that the comparison is exact.
            _ if self.input.documents[document].topicality >= self.scorer.top => FROM_BEST,
            _ => FROM_OTHER,
        }
    }

    /// The sentences that belong to the step, most relevant first, ties by position. Only documents
    /// on topic are quoted: a document that merely shares words with it answers nothing.
    fn scored(&self) -> Vec<ScoredCandidate> {
        let candidates = &self.input.candidates;
        let mut scored: Vec<ScoredCandidate> = (0..candidates.len())
            .filter_map(|index| {
                let number = candidates[index].document;
                let topicality = self.input.documents[number].topicality;
                if topicality < self.least_topicality && !self.scorer.is_main(number) {
                    return None;
                }
                let relevance = self.scorer.relevance(&candidates[index])?;
                let run = self.run(index)?;
                Some(ScoredCandidate {
                    index,
                    run,
                    relevance,
                })
            })
            .collect();
        scored.sort_by(|a, b| {
            b.relevance
                .total_cmp(&a.relevance)
                .then(a.index.cmp(&b.index))
        });
        scored
    }

    /// The run that is quoted for a candidate; `None` if it cannot be quoted.
    fn run(&self, index: usize) -> Option<Run> {
        let candidates = &self.input.candidates;
        // A question is a finding only of the step on open questions.
        let is_open_question = self.input.step.facet == Facet::Open
            && text::is_self_contained_question(&candidates[index].sentence);
        if is_open_question {
            return Some(Run::alone(index));
        }
        quotation::around(candidates, index)
    }

    /// The similar sentences of other documents that restate a quotation or contradict it, or that
    /// contradict each other; most similar first, at most one per document.
    fn corroborating(&self, lead: &ScoredCandidate) -> Vec<ScoredCandidate> {
        let candidates = &self.input.candidates;
        let lead_candidate = &candidates[lead.index];
        let counts = self.counts(lead.index);
        let terms: HashSet<&str> = lead_candidate.terms.iter().map(String::as_str).collect();
        let mut similar: Vec<(f64, usize)> = candidates
            .iter()
            .enumerate()
            .filter(|(_, other)| other.document != lead_candidate.document)
            // A cheap filter before the cosine: most pairs share few terms.
            .filter(|(_, other)| shares(&terms, &other.terms, CORROBORATING_TERMS))
            .map(|(index, _)| (counts.cosine(self.counts(index)), index))
            .filter(|(cosine, _)| *cosine >= SIMILAR)
            .collect();
        similar.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        similar.truncate(COMPARED);
        let statement = self.context.statement(lead.index);
        let others: Vec<(usize, &Statement)> = similar
            .iter()
            .map(|(_, index)| (*index, self.context.statement(*index)))
            .collect();
        let is_disputed = |index: usize, own: &Statement| {
            others.iter().any(|(other, statement)| {
                candidates[*other].document != candidates[index].document
                    && own.contrast(statement).is_some()
            })
        };
        let mut documents = BTreeSet::new();
        let mut corroborating: Vec<ScoredCandidate> = others
            .iter()
            .filter(|(index, other)| {
                statement.difference(other).is_none()
                    || statement.contrast(other).is_some()
                    || is_disputed(*index, other)
            })
            .filter_map(|(index, _)| {
                let run =
                    // The sentence alone: its context may say something else.
                    quotation::around(candidates, *index).filter(|run| run.first == run.last)?;
                documents
                    .insert(candidates[*index].document)
                    .then_some(ScoredCandidate {
                        index: *index,
                        run,
                        relevance: lead.relevance,
                    })
            })
            .take(CORROBORATING)
            .collect();
        let is_new = |own: &ScoredCandidate| {
            let mut others = corroborating.iter();
            others.all(|other| other.index != own.index)
        };
        let successive = self.successive(lead).into_iter();
        let others = successive.chain(self.rivals(lead));
        let others: Vec<_> = others.filter(is_new).collect();
        corroborating.extend(others);
        corroborating
    }

    /// The sentences of other documents that give another number of what a quotation gives one of,
    /// in the same words.
    fn rivals(&self, lead: &ScoredCandidate) -> Vec<ScoredCandidate> {
        let candidates = &self.input.candidates;
        let document = candidates[lead.index].document;
        let own = self.numbers(lead.index);
        let rivals = (0..candidates.len()).filter(|index| {
            candidates[*index].document != document && own.have_rivals(self.numbers(*index))
        });
        let rivals = rivals.map(|index| ScoredCandidate {
            index,
            run: Run::alone(index),
            relevance: lead.relevance,
        });
        rivals.take(RIVALS).collect()
    }

    /// The sentences of other documents that take back what a quotation says, or say that its
    /// number is under review.
    fn revocations(&self, lead: &ScoredCandidate) -> Vec<ScoredCandidate> {
        let candidates = &self.input.candidates;
        let quoted = lead.run.first..=lead.run.last;
        let by = |index| {
            let revised = taken_back::revised_by(self.input, index);
            self.context.taken_back_by(index).or(revised)
        };
        let by: BTreeSet<usize> = quoted.filter_map(by).collect();
        let revocation = |index| {
            let run = quotation::around(candidates, index).unwrap_or(Run::alone(index));
            ScoredCandidate {
                index,
                run: with_sequel(candidates, run, quotation::ANSWER_WORDS),
                relevance: lead.relevance,
            }
        };
        by.into_iter().map(revocation).collect()
    }

    /// The sentences of other editions of the document of a quotation that state the same with
    /// other numbers, one of each.
    fn successive(&self, lead: &ScoredCandidate) -> Vec<ScoredCandidate> {
        let candidates = &self.input.candidates;
        let lead_candidate = &candidates[lead.index];
        let documents = &self.input.documents;
        let title = documents[lead_candidate.document].title.as_str();
        let is_edition = |number: &usize| {
            *number != lead_candidate.document
                && edition::have_one_title(title, &documents[*number].title)
        };
        let editions = (0..documents.len()).filter(is_edition);
        let successive = editions.filter_map(|number| {
            let start = candidates.partition_point(|other| other.document < number);
            let own = candidates[start..].iter();
            let mut own = own.take_while(|other| other.document == number);
            let index = start
                + own.position(|other| {
                    let sentences = [&*lead_candidate.sentence, &*other.sentence];
                    text::differing_numbers(&sentences).is_some()
                })?;
            Some(ScoredCandidate {
                index,
                run: Run::alone(index),
                relevance: lead.relevance,
            })
        });
        successive.take(SUCCESSIVE).collect()
    }
}

/// `true` if two runs have a sentence in common.
fn overlap(run: Run, other: Run) -> bool {
    run.first <= other.last && other.first <= run.last
}

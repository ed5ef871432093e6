//! The selection of answers: the sentences that answer the subject as a question, as runs that can
//! be understood out of context.

use super::super::similarity::SIMILAR;
use super::aspect::Aspect;
use super::candidate::Candidate;
use super::input::ResearcherInput;
use super::quotation::{self, Run};
use super::style;
use crate::answering::Question;
use crate::artifact::plan::Facet;
use crate::text::{self, Quotability};

/// The number of answers that are selected at least: as many as a summary has.
const FEWEST: usize = 3;

/// The least score of an answer, as a share of the best one's.
const LEAST_SHARE: f64 = 0.5;

/// The loss of score of a sentence that reads badly by itself, such as a fragment or an
/// announcement of what follows. As much as the presence of the type of answer gains.
const UNQUOTABLE_LOSS: f64 = 1.0;

/// The weight of the topicality of a document, as a share of the best one's: in a collection of
/// long documents a sentence of another document that shares words with the question answers
/// another one. This and the weights below were set by hand, while reading reports on 648 design
/// documents; questions for a fact do without, by which the annotated questions were not changed.
const TOPICALITY_WEIGHT: f64 = 2.0;

/// The weight of a sentence in a summary or an abstract.
const SUMMARY_WEIGHT: f64 = 0.8;

/// The loss of a sentence in a section on something else, such as alternatives or prior art.
const EXCLUDED_LOSS: f64 = 1.2;

/// The weight of the cue of the aspect that the topic asks for.
const CUE_WEIGHT: f64 = 1.0;

/// The weight of the logarithm of the style factor.
const STYLE_WEIGHT: f64 = 1.5;

/// The maximum number of words of an answer with what leans on it.
const MAX_WORDS: usize = 60;

/// An answer: the number of its candidate, what is quoted of it, and its score as a share of the
/// best one's.
pub(super) struct Answer {
    pub(super) index: usize,
    pub(super) run: Run,
    pub(super) share: f64,
}

/// The answers of a step, best first.
pub(super) fn answers(input: &ResearcherInput) -> Vec<Answer> {
    let candidates = &input.candidates;
    let prior = Prior::new(input);
    let mut scored: Vec<(usize, f64)> = input
        .answers
        .iter()
        .filter(|(index, _)| is_statement(&candidates[*index].sentence))
        .map(|(index, score)| (*index, score + prior.of(&candidates[*index])))
        .collect();
    // Stable: ties keep the order of the ranking.
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    let best = scored.first().map_or(1.0, |(_, score)| score.max(1.0));
    let mut answers: Vec<Answer> = Vec::new();
    for (index, score) in scored {
        if answers.len() == input.limit.max(FEWEST) || score < LEAST_SHARE * best {
            break;
        }
        let is_quoted = |answer: &Answer| (answer.run.first..=answer.run.last).contains(&index);
        // A sentence that says the same again is corroboration, not another answer.
        let repeats = |answer: &Answer| {
            text::cosine(&candidates[answer.index].terms, &candidates[index].terms) >= SIMILAR
        };
        if answers
            .iter()
            .any(|answer| is_quoted(answer) || repeats(answer))
        {
            continue;
        }
        let run = quotation::grown_to(candidates, run(candidates, index, &answers), MAX_WORDS);
        let run = cut_before(run, index, &answers);
        answers.push(Answer {
            index,
            run,
            share: (score / best).clamp(0.0, 1.0),
        });
    }
    answers
}

/// `true` if a sentence ends as one: a line without an end is mostly a label or a title.
fn is_ended(sentence: &str) -> bool {
    let last = sentence
        .trim_end()
        .trim_end_matches(|c: char| !c.is_alphanumeric());
    last.len() < sentence.trim_end().len()
}

/// `true` if a sentence states something: it neither asks nor only announces what follows.
fn is_statement(sentence: &str) -> bool {
    !sentence.trim_end().ends_with([':', '?', '：', '？'])
}

/// What speaks for a sentence before its words are compared with the question: its document, its
/// section, its style.
struct Prior<'a> {
    input: &'a ResearcherInput,
    aspect: Aspect,
    is_factual: bool,
    /// The topicality of the best document.
    top: f64,
}

impl<'a> Prior<'a> {
    fn new(input: &'a ResearcherInput) -> Self {
        let topicalities = input.documents.iter().map(|document| document.topicality);
        Self {
            aspect: Aspect::of(input.requested_facet),
            is_factual: Question::parse(&input.topic).answer_type.is_factual(),
            top: topicalities.fold(f64::MIN_POSITIVE, f64::max),
            input,
        }
    }

    fn of(&self, candidate: &Candidate) -> f64 {
        let mut prior = match candidate.quotability() {
            Quotability::Unquotable if !is_ended(&candidate.sentence) => -2.0 * UNQUOTABLE_LOSS,
            Quotability::Unquotable => -UNQUOTABLE_LOSS,
            _ => 0.0,
        };
        // A fact may stand anywhere; what a thing is, or why, is told where it is the subject.
        if self.is_factual {
            return prior;
        }
        let headings: Vec<String> = candidate
            .headings
            .iter()
            .flat_map(|heading| text::terms(heading))
            .collect();
        let document = &self.input.documents[candidate.document];
        prior += TOPICALITY_WEIGHT * document.topicality / self.top;
        prior += STYLE_WEIGHT * style::factor(&candidate.sentence).ln();
        if candidate.is_summary() {
            prior += SUMMARY_WEIGHT;
        }
        if self.aspect.excludes(&headings) {
            prior -= EXCLUDED_LOSS;
        }
        if self.input.requested_facet != Facet::Overview {
            let cue = self.aspect.cue(&candidate.sentence, &headings, false);
            prior += CUE_WEIGHT * cue;
        }
        prior
    }
}

/// The run of an answer: the sentence, after the one before it if it depends on that and that is
/// not quoted yet. Unlike [`quotation::around`] it is never empty: an answer that leans on what is
/// not quoted still answers, and its source is named beside it.
fn run(candidates: &[Candidate], index: usize, answers: &[Answer]) -> Run {
    let alone = Run {
        first: index,
        last: index,
        skip: 0,
    };
    let run = quotation::around(candidates, index).unwrap_or(alone);
    let is_quoted = |answer: &Answer| answer.run.last >= run.first && answer.run.first <= index;
    if answers.iter().any(is_quoted) || quotation::words(candidates, run.first, index) > MAX_WORDS {
        alone
    } else {
        run
    }
}

/// A run without the sentences at its end that another answer quotes.
fn cut_before(run: Run, index: usize, answers: &[Answer]) -> Run {
    let next = answers
        .iter()
        .map(|answer| answer.run.first)
        .filter(|first| *first > index)
        .min();
    Run {
        last: next.map_or(run.last, |next| run.last.min(next - 1)),
        ..run
    }
}

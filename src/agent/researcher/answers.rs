//! The selection of answers: the sentences that answer the subject as a question, as runs that can
//! be understood out of context.

use super::super::similarity::SIMILAR;
use super::candidate::Candidate;
use super::input::ResearcherInput;
use super::quotation::{self, Run};
use crate::text::{self, Quotability};

/// The number of answers that are selected at least: as many as a summary has.
const FEWEST: usize = 3;

/// The least score of an answer, as a share of the best one's.
const LEAST_SHARE: f64 = 0.5;

/// The loss of score of a sentence that reads badly by itself, such as a fragment or an
/// announcement of what follows. As much as the presence of the type of answer gains.
const UNQUOTABLE_LOSS: f64 = 1.0;

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
    let mut scored: Vec<(usize, f64)> = input
        .answers
        .iter()
        .map(|(index, score)| (*index, score - loss(&candidates[*index])))
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
        if answers.iter().any(|answer| is_quoted(answer) || repeats(answer)) {
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

fn loss(candidate: &Candidate) -> f64 {
    match candidate.quotability() {
        Quotability::Unquotable => UNQUOTABLE_LOSS,
        _ => 0.0,
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

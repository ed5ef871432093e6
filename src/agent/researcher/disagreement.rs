//! Sentences of different documents that contradict each other, if that is what is asked for:
//! "Where do the papers disagree on spawning?"

use std::cmp::Reverse;

use foldhash::HashSet;

use super::super::edition;
use super::super::similarity::shares;
use super::candidate::ListPart;
use super::context::Context;
use super::quotation;
use super::taken_back;
use crate::agent::succession::corrected_number;
use crate::cite::{QuestionSubject, Statement};
use crate::text;

/// The maximum number of sentences that are compared with each other, which is quadratic: some
/// dozens of papers. Chosen by hand.
const COMPARED: usize = 3000;

/// The least number of terms that sentences which contradict each other share, and of those of
/// sentences that have no more: "Refunds were affected", "Refunds were not affected".
const SHARED_TERMS: usize = 3;
const SHARED_IF_SHORT: usize = 2;

/// The least share of the subject that is named by one of the two with its headings and title.
const LEAST_SHARE: f64 = 0.75;

/// The maximum number of disagreements.
const MAX_PAIRS: usize = 12;

/// The numbers of the sentences that contradict each other, in pairs, those that name most of the
/// subject first; none if that is not asked for, or if the contradictions cannot be recognised.
pub(super) fn sentences(context: &Context<'_>) -> Vec<usize> {
    if !context.question.asks_for_disagreement() {
        return Vec::new();
    }
    let compared = compared(context);
    let subject = subject(context);
    let mut pairs: Vec<(Reverse<u64>, [usize; 2])> = Vec::new();
    for (at, (own, share, statement)) in compared.iter().enumerate() {
        let terms: HashSet<&str> = terms(context, *own).collect();
        for (other, others, rival) in &compared[at + 1..] {
            // The cheap conditions first: the contrast aligns the words of both.
            if are_of_other_documents(context, *own, *other)
                && share_terms(&terms, &context.input.candidates[*other].terms)
                && statement.contrast_compared(rival, &subject).is_some()
            {
                // Shares are sums of weights: equal ones are told by whole thousandths.
                let share = (share.max(*others) * 1000.0).round() as u64;
                pairs.push((Reverse(share), [*own, *other]));
            }
        }
    }
    let is_on_all = context.question.asks_for_all_disagreements();
    let corrected = corrected(context).filter_map(|pair| {
        let shares = pair.map(|own| context.share_met(own));
        let share = shares[0].max(shares[1]);
        let is_on_subject = is_on_all || share >= LEAST_SHARE;
        is_on_subject.then_some((Reverse((share * 1000.0).round() as u64), pair))
    });
    pairs.extend(corrected);
    pairs.sort_unstable();
    distinct(&pairs)
}

/// The sentences with a number that another one says is wrong, each with that.
fn corrected<'a>(context: &'a Context<'_>) -> impl Iterator<Item = [usize; 2]> + 'a {
    let all = 0..context.input.candidates.len();
    let pairs = all.filter_map(|own| Some([own, context.taken_back_by(own)?]));
    pairs.filter(|[own, by]| {
        let dated = |index| taken_back::dated(context.input, index);
        are_of_other_documents(context, *own, *by)
            && corrected_number(dated(*by), dated(*own)).is_some()
    })
}

/// `true` if sentences of these terms may be about the same thing.
fn share_terms(terms: &HashSet<&str>, other: &[String]) -> bool {
    let shorter = terms.len().min(other.len());
    shares(terms, other, SHARED_TERMS.min(shorter.max(SHARED_IF_SHORT)))
}

/// `true` if that is asked for, and there are such sentences.
pub(super) fn is_answered(context: &Context<'_>) -> bool {
    !sentences(context).is_empty()
}

/// The sentences of the first pairs, of which none has a side that an earlier one has.
fn distinct(pairs: &[(Reverse<u64>, [usize; 2])]) -> Vec<usize> {
    let mut sentences: Vec<usize> = Vec::new();
    for (_, pair) in pairs {
        // Greedy: a sentence that contradicts two others shows its first contradiction alone.
        if pair.iter().all(|own| !sentences.contains(own)) {
            sentences.extend(pair);
        }
    }
    sentences.truncate(2 * MAX_PAIRS);
    sentences
}

/// The sentences on the subject that state something by themselves and are in force, with their
/// shares of the subject.
fn compared<'a>(context: &'a Context<'_>) -> Vec<(usize, f64, &'a Statement)> {
    let is_on_all = context.question.asks_for_all_disagreements();
    let share = |index: &usize| {
        if is_on_all {
            1.0
        } else {
            context.share_met(*index)
        }
    };
    let candidates = &context.input.candidates;
    (0..candidates.len())
        .filter(|index| context.is_in_force(*index) && is_alone(context, *index))
        .map(|index| (index, share(&index)))
        .filter(|(_, share)| *share >= LEAST_SHARE)
        .take(COMPARED)
        .map(|(index, share)| (index, share, context.statement(index)))
        .collect()
}

/// What the sentences have to be about; anything if the question names no subject.
fn subject(context: &Context<'_>) -> QuestionSubject {
    if context.question.asks_for_all_disagreements() {
        QuestionSubject::default()
    } else {
        QuestionSubject::parse(&context.question.subject_words(), "")
    }
}

/// `true` for a sentence that is quoted without others, or is short: what it contradicts stands
/// beside it.
fn is_alone(context: &Context<'_>, index: usize) -> bool {
    let candidate = &context.input.candidates[index];
    if candidate.list == ListPart::None && text::is_brief(&candidate.sentence) {
        return true;
    }
    let run = quotation::around(&context.input.candidates, index);
    run.is_some_and(|run| run.first == run.last)
}

fn terms<'a>(context: &Context<'a>, index: usize) -> impl Iterator<Item = &'a str> {
    let terms = context.input.candidates[index].terms.iter();
    terms.map(String::as_str)
}

/// `true` for sentences of two documents that are no editions of one: these say what was so at
/// their times.
fn are_of_other_documents(context: &Context<'_>, own: usize, other: usize) -> bool {
    let title = |index: usize| context.document(index).title.as_str();
    let document = |index: usize| context.input.candidates[index].document;
    document(own) != document(other) && !edition::have_one_title(title(own), title(other))
}

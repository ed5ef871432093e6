//! Numbered lists that answer as a whole, in their order: the steps of a procedure, since a step
//! alone, or two in another order, is none, the items that a question asks to list, and the causes
//! of what it asks the reason of.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use super::candidate::Candidate;
use super::context::{Context, FEWEST};
use super::quotation::{self, Run};
use crate::answering::AnswerType;
use crate::text::{self, tables::is_record};

/// The least number of steps.
const LEAST_STEPS: usize = 2;

/// The least share of the question that the headings above a list and what introduces it have:
/// less if one of the best sentences is a step. Chosen by hand.
const LEAST_SHARE: f64 = 0.6;
const LEAST_SHARE_OF_BEST: f64 = 0.3;

/// The maximum number of words of a quotation of steps: as many as a summary holds.
const MAX_WORDS: usize = 85;

/// The maximum number of quotations of a list.
const MAX_RUNS: usize = 3;

/// The quotations of the numbered list that answers a question for a procedure or for several
/// things, in its order; none if no list is on it.
pub(super) fn runs(context: &Context<'_>, scored: &[(usize, f64)]) -> Vec<Run> {
    let candidates = &context.input.candidates;
    let best: Vec<usize> = scored.iter().take(FEWEST).map(|own| own.0).collect();
    if let Some(causes) = causes(context, &best) {
        return parts(candidates, causes);
    }
    let asks_for_steps = context.question.asks_for_steps();
    if !asks_for_steps && !context.question.asks_for_items() {
        return Vec::new();
    }
    let lists = lists(candidates).into_iter().filter_map(|steps| {
        let mut introduction = introduction(candidates, *steps.start());
        // The title says which procedure it is, and a heading what items are.
        if !asks_for_steps {
            introduction = announcement(context, introduction)?;
        }
        let share = share_of_head(context, introduction);
        let rank = best.iter().position(|index| {
            steps.contains(index) || (introduction..*steps.start()).contains(index)
        });
        let least = rank.map_or(LEAST_SHARE, |_| LEAST_SHARE_OF_BEST);
        let is_in_force = context.is_in_force(introduction);
        let order = (is_in_force, share, Reverse(rank.unwrap_or(FEWEST)));
        (share >= least).then_some((order, introduction..=*steps.end()))
    });
    // The first of equals.
    let list = lists.reduce(|best, own| if own.0 > best.0 { own } else { best });
    list.map_or_else(Vec::new, |(_, list)| parts(candidates, list))
}

/// The numbered list under a heading for reasons, "Causes", of which the best sentence is an item,
/// if it is asked why something is: each is one of several.
fn causes(context: &Context<'_>, best: &[usize]) -> Option<RangeInclusive<usize>> {
    let question = &context.question;
    let best = best
        .first()
        .filter(|_| question.answer_type == AnswerType::Reason)?;
    let heading = context.heading(*best)?;
    let mut lists = lists(&context.input.candidates).into_iter();
    let list = lists.find(|list| list.contains(best));
    list.filter(|_| question.is_reason_heading(heading))
}

/// The numbered lists, each from its first step to its last.
fn lists(candidates: &[Candidate]) -> Vec<RangeInclusive<usize>> {
    let mut lists: Vec<RangeInclusive<usize>> = Vec::new();
    for (index, own) in candidates.iter().enumerate() {
        let Some(step) = own.step else { continue };
        let last = lists.last().filter(|last| {
            let before = &candidates[*last.end()];
            let follows = before.step == Some(step) || before.step.map(|own| own + 1) == Some(step);
            *last.end() + 1 == index && before.document == own.document && follows
        });
        match last.map(|last| *last.start()) {
            Some(first) => {
                lists.pop();
                lists.push(first..=index);
            }
            None if step == 1 => lists.push(index..=index),
            None => {}
        }
    }
    lists.retain(|list| candidates[*list.end()].step >= Some(LEAST_STEPS));
    lists
}

/// The maximum number of words of an introduction that leans on the sentence before it.
const SHORT: usize = 5;

/// The sentence that introduces the list with a first step, or else that step; the sentence before
/// a short one, "If it is not:", which says nothing by itself.
fn introduction(candidates: &[Candidate], first: usize) -> usize {
    let own = candidates[first].introduction(first).unwrap_or(first);
    let is_short = own < first && text::length_in_words(&candidates[own].sentence) <= SHORT;
    let before = own.checked_sub(1).filter(|before| {
        let before = &candidates[*before];
        let is_beside = before.paragraph == candidates[own].paragraph;
        is_short && is_beside && before.document == candidates[own].document
    });
    before.unwrap_or(own)
}

/// Where the quotation of a list begins of whose items the section says by a word of the question
/// what they are: by its heading, "Defects", or by the introduction or the sentence before it, "The
/// defects below have to be put right", which is then quoted, too.
fn announcement(context: &Context<'_>, introduction: usize) -> Option<usize> {
    let candidates = &context.input.candidates;
    let own = &candidates[introduction];
    let meets = |text: &str| !context.question.met(text).is_empty();
    let is_one = |index: &usize| {
        let sentence = &candidates[*index];
        let is_of_section = sentence.document == own.document && sentence.headings == own.headings;
        is_of_section && sentence.step.is_none() && meets(&sentence.sentence)
    };
    let before = introduction.checked_sub(1).into_iter();
    let sentence = std::iter::once(introduction).chain(before).find(is_one);
    let is_named = || own.headings.last().is_some_and(|heading| meets(heading));
    sentence.or_else(|| is_named().then_some(introduction))
}

/// The share of the question that is met by what is above a list: the title and the headings, and
/// the paragraph that introduces it.
fn share_of_head(context: &Context<'_>, introduction: usize) -> f64 {
    let candidates = &context.input.candidates;
    let own = &candidates[introduction];
    let before = candidates[..introduction].iter().rev();
    let before = before.take_while(|other| {
        (other.document, other.paragraph) == (own.document, own.paragraph) && own.step.is_none()
    });
    let above = own.headings.iter().map(String::as_str);
    let above = above.chain([&*context.document(introduction).title, &*own.sentence]);
    let head: Vec<&str> = above.chain(before.map(|own| &*own.sentence)).collect();
    context.question.share_met(&head.join("\n"))
}

/// The parts of a list or of a section that are quoted, each of as many whole steps or sentences as
/// fit; the row of a table is one by itself.
pub(super) fn parts(candidates: &[Candidate], list: RangeInclusive<usize>) -> Vec<Run> {
    let is_row = |index: usize| is_record(&candidates[index].sentence);
    let mut parts: Vec<Run> = Vec::new();
    for index in list {
        let last = parts.last_mut().filter(|own| {
            if is_row(index) || is_row(own.last) {
                return false;
            }
            let step = candidates[index].step;
            let is_of_step = step.is_some() && candidates[index - 1].step == step;
            is_of_step || quotation::words(candidates, own.first, index) <= MAX_WORDS
        });
        match last {
            Some(part) => part.last = index,
            None => parts.push(Run::alone(index)),
        }
    }
    parts.truncate(MAX_RUNS);
    parts
}

//! What corrects the answer that leads: a later sentence that says what is so in its place.

use std::cmp::Reverse;

use super::super::context::Context;
use super::rules::{AS_MUCH, COMPARED, Scored};
use crate::agent::succession::{
    DatedSentence, asks_for_edition, is_of_later_period, may_be_superseded, supersedes_fact,
};
use crate::answering::AnswerType;
use crate::text;

/// One that supersedes the best: of a series of minutes the last, of equals the best. A correction
/// has few words of what it corrects.
pub(super) fn correction(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let (best, _) = scored.first()?;
    // One that names what it corrects may have no word of the question itself.
    let is_compared = |(position, (index, _)): &(usize, &Scored)| {
        *position < COMPARED || text::replaced(context.sentence(*index)).is_some()
    };
    let compared = scored.iter().enumerate().filter(is_compared);
    let earlier = Earlier::new(context, *best);
    let later = compared.filter(|(_, (index, _))| is_superseded_by(context, &earlier, *index));
    latest_of(context, later)
}

/// If the next time of something, who is in a group or how much something is now is asked for, the
/// first of the latest document that says so: what a newsletter of April calls next is over in
/// June.
pub(super) fn latest(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let share = |index: usize| question.share_met(context.sentence(index));
    // Of one thing, each with its day: "The fund stood at 8,600 euros on 31 December 2023."
    let (best, _) = scored.first()?;
    let is_dated = |index: usize| question.is_state_in(context.sentence(index));
    let is_state =
        |index: usize| is_dated(*best) && is_dated(index) && share(index) >= share(*best);
    let tells = |index: usize| {
        let sentence = context.sentence(index);
        let above = context.input.candidates[index].headings.iter();
        let all: Vec<&str> = above.map(String::as_str).chain([sentence]).collect();
        question.is_next_in(sentence, &all.join("\n"))
            || question.is_membership_in(sentence)
            || is_state(index)
    };
    let telling = scored.iter().enumerate().filter(|(_, own)| tells(own.0));
    latest_of(context, telling)
}

/// If a day is asked for, the sentence of a later document that says that the day of the best
/// cannot be held; it may have no word of the question: "2024-12-15 cannot be held."
pub(super) fn given_up(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let (best, _) = scored
        .first()
        .filter(|_| context.question.answer_type == AnswerType::Date)?;
    let day = text::first_date(context.sentence(*best))?;
    let is_later = |index: usize| {
        let times = context.time(index).zip(context.time(*best));
        times.is_some_and(|(own, best)| own > best)
    };
    (0..context.input.candidates.len()).find(|index| {
        let sentence = context.sentence(*index);
        text::gives_up_plan(sentence) && text::names_day(sentence, &day) && is_later(*index)
    })
}

/// The position of the first of the latest document.
fn latest_of<'a>(
    context: &Context<'_>,
    scored: impl Iterator<Item = (usize, &'a Scored)>,
) -> Option<usize> {
    let latest = scored.max_by_key(|(position, own)| (context.time(own.0), Reverse(*position)));
    latest.map(|(position, _)| position)
}

/// A sentence that others are compared with, and what they all need of it.
struct Earlier {
    index: usize,
    /// The sentence in its context.
    text: String,
    /// `true` if it may be superseded at all.
    is_fact: bool,
}

impl Earlier {
    fn new(context: &Context<'_>, index: usize) -> Self {
        let text = context.in_context(index);
        Self {
            index,
            is_fact: may_be_superseded(&context.question, &text),
            text,
        }
    }
}

/// `true` if a later sentence says what is so in the place of an earlier one.
fn is_superseded_by(context: &Context<'_>, earlier: &Earlier, later: usize) -> bool {
    let Earlier {
        index: earlier,
        text,
        is_fact,
    } = earlier;
    let earlier = *earlier;
    let question = &context.question;
    let documents = [later, earlier].map(|index| context.document(index));
    // What was so in 2024 is not corrected by what is so in 2026.
    let [is_of_year, is_asked] = documents.map(|own| question.names_year_of(&own.title));
    let is_of_other = || asks_for_edition(question, &documents[1].title, &documents[0].title);
    if is_asked && !is_of_year || is_of_other() {
        return false;
    }
    let [is_later_in_force, is_earlier_in_force] =
        [later, earlier].map(|index| context.is_in_force(index));
    let answers_as_much = || {
        question.is_answered_by_type(context.sentence(later))
            && context.share_met(later) >= AS_MUCH * context.share_met(earlier)
    };
    if is_later_in_force && !is_earlier_in_force && answers_as_much() {
        return true;
    }
    if is_earlier_in_force && !is_later_in_force {
        return false;
    }
    let own = context.with_revocation(later);
    let texts = [own.as_str(), text];
    let times = [later, earlier].map(|index| context.time(index));
    let headings = [later, earlier].map(|index| context.heading(index));
    let dated = |at: usize| DatedSentence {
        text: texts[at],
        title: &documents[at].title,
        date: times[at],
        heading: headings[at],
    };
    *is_fact && supersedes_fact(question, dated(0), dated(1))
        || is_of_later_period(dated(0), dated(1)) && answers_as_much()
}

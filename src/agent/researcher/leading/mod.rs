//! The answer that leads: the rules by which another sentence than that of the best score comes
//! first.

mod correction;
mod paraphrase;
mod rules;

use super::candidate::Candidate;
use super::context::{Context, FEWEST};
use super::form::is_statement;
use super::rows;
use super::sections;
use crate::answering::AnswerType;
use crate::text::{self, Quotability};
use correction::{correction, given_up, latest};
use paraphrase::BY_PARAPHRASE;
use rules::{AS_MUCH, BY_FATE, BY_FORM, BY_QUESTION, REASON_SHARE, Rule, Scored, effect_size};

/// Applies the rules to answers, the best first.
pub(super) fn reorder(context: &Context<'_>, scored: &mut Vec<Scored>) {
    let apply = |rules: &[Rule], scored: &mut Vec<Scored>| {
        rules.iter().for_each(|rule| rule.apply(context, scored));
    };
    apply(BY_QUESTION, scored);
    insert_first(scored, effect_size(context, scored));
    apply(BY_PARAPHRASE, scored);
    insert_first(scored, table_row(context, scored));
    let sum = rows::sum(&context.input.candidates, &context.question, scored);
    insert_first(scored, sum);
    insert_first(scored, sections::reply(context));
    insert_first(scored, of_letter(context, scored));
    // What corrects the best sentence may be corrected itself.
    for _ in 0..FEWEST {
        let Some(position) = correction(context, scored) else {
            break;
        };
        scored[..=position].rotate_right(1);
    }
    insert_first(scored, given_up(context, scored));
    apply(&[Rule::Position(latest)], scored);
    apply(BY_FORM, scored);
    // Last, since the rules before may have brought what is in force to the top by its own words.
    insert_first(scored, in_successor(context, scored));
    insert_first(scored, under_reason(context, scored));
    insert_first(scored, cause(context));
    insert_first(scored, end_notice(context));
    BY_FATE.apply(context, scored);
    if context.question.answer_type == AnswerType::Comparison {
        let rows = rows::compared(&context.input.candidates, &context.question, scored);
        for row in rows.into_iter().rev() {
            insert_first(scored, Some(row));
        }
    }
    put_in_force_first(context, scored);
    put_before_older_mails(context, scored);
}

/// Puts the text of a mail that corrects a number before the older one below it that gives it.
fn put_before_older_mails(context: &Context<'_>, scored: &mut Vec<Scored>) {
    let by = |index: usize| {
        let by = context.taken_back_by(index)?;
        let documents = [by, index].map(|own| context.input.candidates[own].document);
        (documents[0] == documents[1]).then_some(by)
    };
    let mut ordered: Vec<Scored> = Vec::new();
    for (index, score) in scored.drain(..) {
        let newer = by(index).filter(|by| ordered.iter().all(|(own, _)| own != by));
        ordered.extend(newer.map(|by| (by, score)));
        if ordered.iter().all(|(own, _)| *own != index) {
            ordered.push((index, score));
        }
    }
    *scored = ordered;
}

/// Puts what holds before a decision that another document takes back: the first with most of what
/// that meets of the question, or else the sentence that takes it back. Who asks for what was
/// decided on its day gets that.
fn put_in_force_first(context: &Context<'_>, scored: &mut Vec<Scored>) {
    let Some((best, by)) = scored
        .first()
        .and_then(|(best, _)| Some((*best, context.taken_back_by(*best)?)))
    else {
        return;
    };
    let date = context.time(best).and_then(|date| date.get(5..10));
    if date.is_some_and(|day| text::names_day(&context.question.text, day)) {
        return;
    }
    // A mail has its own text above the older ones, and what is decided is what reverses.
    let documents = [by, best].map(|index| context.input.candidates[index].document);
    let is_by = documents[0] == documents[1] || context.question.asks_for_decision();
    let least = AS_MUCH * context.share_met(best);
    let holds =
        |(index, _): &Scored| !context.is_taken_back(*index) && context.share_met(*index) >= least;
    let position = scored.iter().position(|own| !is_by && holds(own));
    match position {
        Some(position) => scored[..=position].rotate_right(1),
        None => insert_first(scored, Some(by)),
    }
}

/// Puts a sentence first that may have no word of the question, and so be no answer by its score:
/// with that of the best.
fn insert_first(scored: &mut Vec<Scored>, index: Option<usize>) {
    if let Some((index, score)) = index.zip(scored.first().map(|own| own.1)) {
        scored.retain(|(other, _)| *other != index);
        scored.insert(0, (index, score));
    }
}

/// The row of a table that has all that the question names.
fn table_row(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    rows::leading_row(&context.input.candidates, &context.question, scored)
}

/// If the best is of a document that another one replaces, or refers to such a document, "RabbitMQ,
/// see ADR 7", the first sentence of the section of the same name in the one that replaces it: what
/// was decided in its place needs no word of the question.
fn in_successor(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let (best, _) = scored.first()?;
    let is_past = |index: usize| context.document(index).successor.is_some();
    let past = if is_past(*best) {
        *best
    } else {
        let sentence = context.sentence(*best);
        let mut others = scored.iter().map(|(index, _)| *index);
        others.find(|index| {
            is_past(*index) && text::refers_to(sentence, &context.document(*index).title)
        })?
    };
    let (candidates, documents) = (&context.input.candidates, &context.input.documents);
    let successor = context.document(past).successor?;
    let document = documents.iter().position(|own| own.index == successor)?;
    // Records of one series have the same sections: "Decision" answers what "Decision" did.
    let heading = candidates[past].headings.last()?;
    let name = text::without_number(heading);
    first_under(candidates, document, |own| {
        text::without_number(own) == name
    })
}

/// If the question names a thing by its letter, and the best is not of that, the first sentence
/// that gives what is asked for under a heading that names it: "We estimate 7.8 million pounds",
/// under "Option C: in house", for "What does option C cost?"
fn of_letter(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let is_named = |text: &str| question.is_of_letter(text) == Some(true);
    let is_below = |index: usize| context.heading(index).is_some_and(is_named);
    let (best, _) = scored.first()?;
    if is_below(*best) || is_named(context.sentence(*best)) {
        return None;
    }
    let gives = |index: &usize| is_below(*index) && question.has_type(context.sentence(*index));
    (0..context.input.candidates.len()).find(gives)
}

/// If a reason is asked for and the best gives none, the first sentence of the section on reasons
/// of its document: "Root cause".
fn under_reason(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let (best, _) = scored
        .first()
        .filter(|_| question.answer_type == AnswerType::Reason)?;
    let own = &context.input.candidates[*best];
    let is_reason = |heading: &str| question.is_reason_heading(heading);
    let stands_there = own.headings.last().is_some_and(|own| is_reason(own));
    if stands_there || question.has_type(&own.sentence) {
        return None;
    }
    let first = first_under(&context.input.candidates, own.document, is_reason);
    first.filter(|index| context.share_met(*index) >= REASON_SHARE)
}

/// If a reason is asked for, the sentence that says what caused the thing, "The reduction is driven
/// by three things", in the section that has the most of the question, if that is most of it: the
/// sentence itself names little more than the thing.
fn cause(context: &Context<'_>) -> Option<usize> {
    let causes = (0..context.input.candidates.len()).filter(|index| {
        let candidate = &context.input.candidates[*index];
        context.question.is_cause_in(&candidate.sentence)
            // One with a list of causes is long, and reads well by itself.
            && is_statement(&candidate.sentence)
    });
    let shares = causes.map(|index| (index, context.share_met_in_section(index)));
    let best = shares
        .filter(|(_, share)| *share >= AS_MUCH)
        .reduce(|best, own| if own.1 > best.1 { own } else { best });
    best.map(|(index, _)| index)
}

/// If it is asked why a document was withdrawn, the notice that it was with most of the question,
/// or else in the section with most of it: the reason stands behind it.
fn end_notice(context: &Context<'_>) -> Option<usize> {
    if !context.question.asks_why_ended() {
        return None;
    }
    let is_notice = |index: &usize| text::is_end_notice(context.sentence(*index));
    let notices: Vec<usize> = (0..context.input.candidates.len())
        .filter(is_notice)
        .collect();
    let with_most = |share: &dyn Fn(usize) -> f64| {
        let shares = notices.iter().map(|index| (*index, share(*index)));
        let best = shares
            .filter(|(_, share)| *share >= REASON_SHARE)
            .reduce(|best, own| if own.1 > best.1 { own } else { best });
        best.map(|(index, _)| index)
    };
    let in_section = |index| context.share_met_in_section(index);
    with_most(&|index| context.share_met(index)).or_else(|| with_most(&in_section))
}

/// The first sentence of a document that stands under some heading and reads by itself.
fn first_under(
    candidates: &[Candidate],
    document: usize,
    is_wanted: impl Fn(&str) -> bool,
) -> Option<usize> {
    candidates.iter().position(|own| {
        own.document == document
            && own
                .headings
                .last()
                .is_some_and(|heading| is_wanted(heading))
            && own.quotability() != Quotability::Unquotable
    })
}

//! The answer that leads: the rules by which another sentence than that of the best score comes
//! first.

use std::cmp::Reverse;

use super::super::succession::{
    DatedSentence, asks_for_edition, gives_time, is_of_later_period, may_be_superseded,
    supersedes_fact,
};
use super::candidate::Candidate;
use super::context::{Context, FEWEST};
use super::rows;
use super::sections;
use crate::answering::AnswerType;
use crate::artifact::documents::LARGE_COLLECTION;
use crate::cite::Statement;
use crate::text::tables::is_record;
use crate::text::{self, Quotability};

/// The number of best sentences among which a correction of the best is looked for: of a series of
/// minutes all say the same, and the last counts.
const COMPARED: usize = 40;

/// The number of terms of a question up to which a sentence has all of them by chance.
const FEW_TERMS: usize = 2;

/// The least share of the terms that a draft meets of a sentence in force that stands before it,
/// and a sentence with the measure that is asked for of the one that meets most.
const AS_MUCH: f64 = 0.75;

/// The least share of the terms of a question that a sentence with a reason has: the rest is in
/// what it is the reason for.
const REASON_SHARE: f64 = 0.5;

/// The share of the terms of a question above which a sentence has most of it.
const HALF: f64 = 0.5;

/// A sentence that may be an answer, by its index, and its score.
type Scored = (usize, f64);

/// A rule: the position of the sentence that comes first, if one does.
type Rule = fn(&Context<'_>, &[Scored]) -> Option<usize>;

/// Applies the rules to answers, the best first.
pub(super) fn reorder(context: &Context<'_>, scored: &mut Vec<Scored>) {
    let lead = |rules: &[Rule], scored: &mut Vec<Scored>| {
        for rule in rules {
            if let Some(position) = rule(context, scored) {
                scored[..=position].rotate_right(1);
            }
        }
    };
    lead(
        &[
            with_all,
            with_measure,
            with_change,
            with_people,
            with_holder,
            with_name,
            with_ability,
            with_rule,
            with_permission,
            with_ranked_thing,
            with_definition,
            with_kind,
            with_main_clause,
            with_case,
            with_object,
            on_place,
            with_rest,
            with_end,
            with_time,
        ],
        scored,
    );
    insert_first(scored, table_row(context, scored));
    insert_first(scored, sections::reply(context));
    // What corrects the best sentence may be corrected itself.
    for _ in 0..FEWEST {
        let Some(position) = correction(context, scored) else {
            break;
        };
        scored[..=position].rotate_right(1);
    }
    lead(
        &[latest, with_reason, on_age, with_role, with_owner],
        scored,
    );
    // Last, since the rules before may have brought what is in force to the top by its own words.
    insert_first(scored, in_successor(context, scored));
    insert_first(scored, under_reason(context, scored));
    lead(&[on_fate], scored);
    if context.question.answer_type == AnswerType::Comparison {
        let rows = rows::compared(&context.input.candidates, &context.question, scored);
        for row in rows.into_iter().rev() {
            insert_first(scored, Some(row));
        }
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

/// The first with the measure that is asked for, whatever other words of the question are beside
/// it: of those on the thing itself, which the sentence, its headings or the title name.
fn with_measure(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let is_open = |position: usize| {
        let sentence = context.sentence(scored[position].0);
        question.is_only_expected_in(sentence) || question.is_only_proposed_in(sentence)
    };
    let (open, settled): (Vec<(usize, f64)>, Vec<_>) = scored
        .iter()
        .enumerate()
        .filter(|(_, (index, _))| question.is_measured_in(context.sentence(*index)))
        .map(|(position, (index, _))| (position, context.things_met(*index)))
        .partition(|(position, _)| is_open(*position));
    let [most_open, most] =
        [&open, &settled].map(|measured| measured.iter().map(|(_, met)| *met).fold(0.0, f64::max));
    // What is only expected or proposed answers, if nothing else says as much of the thing.
    let (measured, most) = if most_open > most {
        (open, most_open)
    } else {
        (settled, most)
    };
    // A price of something else is no answer: "2,500 euros per claim".
    let unmeasured = scored
        .first()
        .map_or(0.0, |(best, _)| context.things_met(*best));
    if 2.0 * most <= unmeasured {
        return None;
    }
    let mut best = measured.iter().filter(|(_, met)| *met >= AS_MUCH * most);
    // What is in force first: it may be in other words than what it replaces.
    let applies = |index: usize| {
        let title = &context.document(index).title;
        context.is_in_force(index) || context.question.names_year_of(title)
    };
    let mut applying = best.clone();
    applying
        .find(|(position, _)| applies(scored[*position].0))
        .or_else(|| best.next())
        .map(|(position, _)| *position)
}

/// If a number of people is asked for and the best gives none, the first with one of others that
/// has as much of the question: "How many customers were affected?" "312 merchants were affected."
fn with_people(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let (best, _) = scored.first()?;
    let counts = |index: usize| question.counts_people_in(context.sentence(index));
    let has_most = |index: usize| context.share_met(index) >= AS_MUCH * context.share_met(*best);
    let mut others = scored.iter().take(COMPARED);
    let next = others.position(|(index, _)| counts(*index) && has_most(*index));
    next.filter(|_| !question.is_counted_in(context.sentence(*best)))
}

/// For a question for a fact of at least three terms, the first that has all of them by itself and
/// an answer of its type, if the best has not.
fn with_all(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let has_all = |index: usize| {
        let sentence = context.sentence(index);
        let candidate = &context.input.candidates[index];
        candidate.quotability() != Quotability::Unquotable
            && question.share_met(sentence) == 1.0
            && question.has_type(sentence)
            && question.is_answered_by_document(&context.document(index).title)
    };
    // Measured in English alone: in Spanish one more answer is lost by it than found.
    let is_english = question.is_english();
    let is_long = question.answer_type.is_factual() && question.terms.len() > FEW_TERMS;
    scored
        .first()
        .filter(|(best, _)| is_english && is_long && !has_all(*best))?;
    scored
        .iter()
        .take(COMPARED)
        .position(|(index, _)| has_all(*index))
}

/// If a number or a day is asked for as it is, the first that tells the change to it and has as
/// much of the question as the best: "What is our fee now?" "The fee of 48 euros is raised to 53."
fn with_change(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let (best, _) = scored
        .first()
        .filter(|(best, _)| question.asks_what_is() && !tells_change(context, *best))?;
    let is_older = |index: usize| {
        let times = context.time(index).zip(context.time(*best));
        times.is_some_and(|(own, best)| own < best)
    };
    let is_better = |(index, _): &Scored| {
        let sentence = context.sentence(*index);
        context.question.share_met(sentence) > 0.0
            && context.share_met(*index) >= context.share_met(*best)
            && !is_older(*index)
            && question.is_answered_by_type(sentence)
            && tells_change(context, *index)
    };
    scored.iter().take(COMPARED).position(is_better)
}

fn tells_change(context: &Context<'_>, index: usize) -> bool {
    Statement::parse(context.sentence(index)).tells_change()
}

/// If it is asked what happens in some case, "if it is late", and the best has no word for that,
/// the first that has, and as much of the question.
fn with_case(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let case = question
        .terms
        .last()
        .filter(|_| question.asks_what_happens())?;
    let names = |index: usize| question.met(context.sentence(index)).contains(&case);
    let (best, _) = scored.first().filter(|(best, _)| !names(*best))?;
    let tells = |(index, _): &Scored| {
        names(*index) && context.share_met(*index) >= context.share_met(*best)
    };
    scored.iter().take(COMPARED).position(tells)
}

/// If yes or no is asked and the best has none of the words that an answer cannot do without, the
/// first that has all of them: "Can I keep my old radiators?" "The other radiators can stay."
fn with_object(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let essential: Vec<_> = question.essential_terms().collect();
    let met = |index: usize| {
        let met = question.met(context.sentence(index));
        essential.iter().filter(|term| met.contains(term)).count()
    };
    let (best, _) = scored.first().filter(|_| {
        question.answer_type == AnswerType::YesNo && question.is_english() && !essential.is_empty()
    })?;
    let has_all = |(index, _): &Scored| {
        met(*index) == essential.len() && context.share_met(*index) >= context.share_met(*best)
    };
    let next = scored.iter().take(COMPARED).position(has_all);
    next.filter(|_| met(*best) == 0)
}

/// If it is asked who may do something and the best is a row of a table that says what somebody
/// does, the first that says what is allowed of as many of its things: "Audit of drug X; Who: Ann"
/// tells of nobody who may get it.
fn with_permission(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let is_rule = |index: usize| question.is_rule(context.sentence(index));
    let (best, _) = scored.first().filter(|(best, _)| {
        question.asks_who_may() && is_record(context.sentence(*best)) && !is_rule(*best)
    })?;
    let things = |index: usize| question.things_of_rule(context.sentence(index));
    let is_better = |(index, _): &Scored| is_rule(*index) && things(*index) >= things(*best);
    scored.iter().take(COMPARED).position(is_better)
}

/// If somebody is asked for and the best has only words of the clause that says when, "when the
/// risers fell over", the first with all words before that: "No other person was hurt."
fn with_main_clause(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let wanted = question.terms_of_main_clause()?;
    let (best, _) = scored
        .first()
        .filter(|_| question.answer_type == AnswerType::Person)?;
    let met = |index: usize| {
        let met = question.met(context.sentence(index));
        wanted.iter().filter(|term| met.contains(term)).count()
    };
    let has_type = question.has_type(context.sentence(*best));
    let next = scored
        .iter()
        .take(COMPARED)
        .position(|(index, _)| met(*index) == wanted.len());
    next.filter(|_| met(*best) == 0 && !has_type)
}

/// If it is asked whether something is allowed and the best tells what somebody did, the first that
/// says what is allowed of as much of the question.
fn with_rule(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let is_rule = |index: usize| question.is_rule(context.sentence(index));
    let is_told = |index: usize| {
        // "A heat pump can cool the house" is no rule, but an answer.
        is_rule(index) || question.tells_ability(context.sentence(index))
    };
    let (best, _) = scored
        .first()
        .filter(|(best, _)| question.asks_for_rule() && !is_told(*best))?;
    let things = |index: usize| question.things_of_rule(context.sentence(index));
    let is_better = |(index, _): &Scored| is_rule(*index) && things(*index) >= things(*best);
    scored.iter().take(COMPARED).position(is_better)
}

/// If it is asked whether something can be done and the best does not say so, the first that does
/// of as much of the question: "A heat pump can cool the house."
fn with_ability(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let tells = |index: usize| question.tells_ability(context.sentence(index));
    let is_rule =
        |index: usize| question.asks_for_rule() && question.is_rule(context.sentence(index));
    // In a large collection something can be done with anything.
    let is_large = context.input.documents_searched >= LARGE_COLLECTION;
    let (best, _) = scored
        .first()
        .filter(|(best, _)| !is_large && !tells(*best) && !is_rule(*best))?;
    let least = question.share_met(context.sentence(*best));
    let is_better = |(index, _): &Scored| {
        tells(*index) && question.share_met(context.sentence(*index)) >= least
    };
    scored.iter().take(COMPARED).position(is_better)
}

/// If a fact on somebody's thing is asked for and the best is on that of another, "the
/// electrician's bill" for "the roofer's bill", the first with an answer of its type that names the
/// owner itself, before it or above: "The roofer came in March. His invoice was £1,900."
fn with_owner(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let owners = question.owners();
    let (best, _) = scored.first().filter(|(best, _)| {
        question.answer_type.is_factual() && question.is_of_another_owner(context.sentence(*best))
    })?;
    let names_owners = |index: usize| {
        let before = context.before(index);
        let before = before.map_or("", |before| context.sentence(before));
        let headings = context.input.candidates[index].headings.join("\n");
        let text = [&headings, before, context.sentence(index)].join("\n");
        let met = question.met(&text);
        owners.iter().all(|owner| met.contains(owner))
    };
    let is_better = |(index, _): &Scored| {
        names_owners(*index)
            && !question.is_of_another_owner(context.sentence(*index))
            && question.has_type(context.sentence(*index))
            && context.things_met(*index) >= AS_MUCH * context.things_met(*best)
    };
    scored.iter().take(COMPARED).position(is_better)
}

/// If a fact on a thing of some rank is asked for, "the first heat pump", and the best is on
/// another, "the first ground source heat pump", the first with an answer on that thing.
fn with_ranked_thing(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let has_thing = |index: usize| question.has_ranked_thing(context.sentence(index));
    let (best, _) = scored
        .first()
        .filter(|(best, _)| question.answer_type.is_factual() && has_thing(*best) == Some(false))?;
    let is_better = |(index, _): &Scored| {
        has_thing(*index) == Some(true)
            && question.has_type(context.sentence(*index))
            && context.share_met(*index) >= AS_MUCH * context.share_met(*best)
    };
    scored.iter().take(COMPARED).position(is_better)
}

/// If it is asked what a thing is and the best does not say so, the first that defines it.
fn with_definition(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let defines = |index: usize| {
        let sentence = context.sentence(index);
        context.question.is_defined_in(sentence)
    };
    scored.first().filter(|(best, _)| !defines(*best))?;
    let mut compared = scored.iter().take(COMPARED);
    compared.position(|(index, _)| defines(*index))
}

/// If it is asked which thing of a kind is meant, the first that says so of the kind, "The
/// refrigerant is ammonia", and has as much of the question as the best.
fn with_kind(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let tells = |index: usize| context.question.is_told_by_kind(context.sentence(index));
    let (best, _) = scored.first().filter(|(best, _)| !tells(*best))?;
    let least = AS_MUCH * context.share_met(*best);
    let mut compared = scored.iter().take(COMPARED);
    compared.position(|(index, _)| tells(*index) && context.share_met(*index) >= least)
}

/// If it is asked who holds an office and the best does not tell, the first that does and has as
/// much of the question: not "Ann will look for a new distributor".
fn with_holder(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let (best, _) = scored
        .first()
        .filter(|(best, _)| !question.names_holder(context.sentence(*best)))?;
    let tells = |(index, _): &Scored| {
        let own = context.sentence(*index);
        question.names_holder(own)
            && question.has_type(own)
            && context.share_met(*index) >= AS_MUCH * context.share_met(*best)
    };
    scored.iter().take(COMPARED).position(tells)
}

/// If somebody is asked for and the best names nobody, the first that does and has as much of the
/// question: "Injured person: Ann Lee" for "Who got hurt in the cellar?"
fn with_name(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let names = |index: usize| question.has_type(context.sentence(index));
    let (best, _) = scored.first().filter(|(best, _)| {
        question.answer_type == AnswerType::Person && question.is_english() && !names(*best)
    })?;
    let tells = |(index, _): &Scored| {
        names(*index)
            && question.share_met(context.sentence(*index)) > 0.0
            && context.share_met(*index) >= context.share_met(*best)
    };
    scored.iter().take(COMPARED).position(tells)
}

/// If a place is asked for, the first that says where its subject is, and has as many words of the
/// question as the best: "Dogs are not allowed in the workshop" does not tell where it is.
fn on_place(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let is_place = question.answer_type == AnswerType::Location;
    let (best, _) = scored.first().filter(|_| is_place)?;
    let least = question.share_met(context.sentence(*best));
    let tells = |(index, _): &Scored| {
        let own = context.sentence(*index);
        // "The practice was founded in 1987. It is at 14 Tanner's Lane."
        let before = context.before(*index);
        let before = before.map_or("", |before| context.sentence(before));
        question.is_located_in(own) && question.share_met(own) >= least
            || question.is_located_by_pronoun(own) && question.share_met(before) >= least
    };
    scored.iter().take(COMPARED).position(tells)
}

/// For a question for a fact, the first with a word of the question that the title and the headings
/// of the best one do not have, if it has none itself: in the minutes of a committee, any sentence
/// on the committee does not tell who chairs it.
fn with_rest(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let (best, _) = scored.first().filter(|_| {
        question.answer_type.is_factual() || question.answer_type == AnswerType::YesNo
    })?;
    let above = context.input.candidates[*best].headings.iter();
    let above = above
        .map(String::as_str)
        .chain([&*context.document(*best).title]);
    let above = question.met(&above.collect::<Vec<_>>().join("\n"));
    let terms = question.terms.iter();
    let rest: Vec<_> = terms.filter(|term| !above.contains(term)).collect();
    let meets_rest = |sentence: &str| {
        let mut met = question.met(sentence).into_iter();
        met.any(|term| rest.contains(&term))
    };
    // A price needs no word for it, and one with most of the question says something of its own.
    let own = context.sentence(*best);
    let needs_none = question.is_measured_in(own) || question.share_met(own) > HALF;
    if rest.is_empty() || needs_none || meets_rest(context.sentence(*best)) {
        return None;
    }
    let is_better = |(index, _): &Scored| {
        let own = context.sentence(*index);
        meets_rest(own)
            && question.is_answered_by_type(own)
            && context.share_met(*index) >= AS_MUCH * context.share_met(*best)
    };
    scored.iter().take(COMPARED).position(is_better)
}

/// If a time is asked for and the best gives none, one of the next that does from its section:
/// "Hand over in the channel of the team. Shifts start Tuesday 10:00."
fn with_time(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let (best, _) = scored
        .first()
        .filter(|_| question.answer_type == AnswerType::Date)?;
    let own = &context.input.candidates[*best];
    let is_beside = |index: usize| {
        let other = &context.input.candidates[index];
        other.document == own.document && other.headings == own.headings
    };
    let tells = |(index, _): &Scored| {
        let sentence = context.sentence(*index);
        is_beside(*index)
            && question.has_type(sentence)
            && !question.met(sentence).is_empty()
            && context.share_met(*index) >= AS_MUCH * context.share_met(*best)
    };
    let next = scored.iter().take(COMPARED).position(tells);
    next.filter(|_| !question.has_type(&own.sentence))
}

/// If it is asked when something ends, and the best gives no day but a period, "six months'
/// notice", the first with a day that has as much of the question but its verb: "It runs to 30
/// June".
fn with_end(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let (best, _) = scored
        .first()
        .filter(|(best, _)| question.asks_when_it_ends() && !gives_time(context.sentence(*best)))?;
    let things = |index: usize| {
        let met = question.met(context.sentence(index)).into_iter();
        met.filter(|term| !question.is_verb_of_end(term)).count()
    };
    let tells = |(index, _): &Scored| {
        gives_time(context.sentence(*index)) && things(*index) >= things(*best).max(1)
    };
    scored.iter().take(COMPARED).position(tells)
}

/// One that supersedes the best: of a series of minutes the last, of equals the best. A correction
/// has few words of what it corrects.
fn correction(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
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
fn latest(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
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

/// The position of the first of the latest document.
fn latest_of<'a>(
    context: &Context<'_>,
    scored: impl Iterator<Item = (usize, &'a Scored)>,
) -> Option<usize> {
    let latest = scored.max_by_key(|(position, own)| (context.time(own.0), Reverse(*position)));
    latest.map(|(position, _)| position)
}

/// If a reason is asked for, the first that is labelled as one, in a section that has as much of
/// the question as a reason needs; if the best may give none, one of the next that does and has as
/// much itself.
fn with_reason(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let (best, _) = scored
        .first()
        .filter(|_| question.answer_type == AnswerType::Reason)?;
    let has_share = |index: usize| context.share_met(index) >= REASON_SHARE;
    let is_labelled = |(index, _): &Scored| {
        question.is_labelled_reason(context.sentence(*index))
            && context.share_met_in_section(*index) >= REASON_SHARE
    };
    let gives =
        |(index, _): &Scored| question.has_type(context.sentence(*index)) && has_share(*index);
    let labelled = scored.iter().position(is_labelled);
    labelled.or_else(|| {
        let is_open = !question.gives_reason(context.sentence(*best));
        let next = scored.iter().take(FEWEST).position(gives);
        next.filter(|_| is_open)
    })
}

/// If somebody is asked for, the first row of a table with the role that the question names.
fn with_role(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let is_role = |(index, _): &Scored| context.question.is_role_in(context.sentence(*index));
    scored.iter().take(COMPARED).position(is_role)
}

/// If it is asked what became of a document, the first that says it of its own.
fn on_fate(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let tells = |(index, _): &Scored| context.question.is_fate_in(context.sentence(*index));
    scored.iter().take(COMPARED).position(tells)
}

/// If somebody of an age is asked about, that on an age which has most of the question.
fn on_age(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let is_on_age = |index: usize| context.question.is_on_age(context.sentence(index));
    let compared = scored.iter().take(COMPARED).enumerate();
    let on_age = compared.filter(|(_, own)| is_on_age(own.0));
    let best = on_age.max_by(|(first, one), (second, other)| {
        let [one, other] = [one, other].map(|own| context.share_met(own.0));
        one.total_cmp(&other).then(second.cmp(first))
    });
    best.map(|(position, _)| position)
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

//! The rules by which another sentence than that of the best score leads: each knows of a kind of
//! question what the sentence that answers it has.

use super::super::context::{Context, FEWEST};
use crate::agent::succession::gives_time;
use crate::answering::{AnswerType, asks_for_effect_size, gives_effect_size, is_of_part};
use crate::artifact::documents::LARGE_COLLECTION;
use crate::text::tables::is_record;
use crate::text::{self, Quotability};

/// The number of best sentences among which one that answers better is looked for.
pub(super) const COMPARED: usize = 40;

/// The number of terms of a question up to which a sentence has all of them by chance.
const FEW_TERMS: usize = 2;

/// The least share of what the best sentence meets of a question that one which comes before it
/// meets.
pub(super) const AS_MUCH: f64 = 0.75;

/// The least share of the terms of a question that a sentence with a reason has: the rest is in
/// what it is the reason for.
pub(super) const REASON_SHARE: f64 = 0.5;

/// The share of the terms of a question above which a sentence has most of it.
const HALF: f64 = 0.5;

/// A sentence that may be an answer, by its index, and its score.
pub(super) type Scored = (usize, f64);

/// What brings another sentence to the top.
pub(super) enum Rule {
    /// If the best sentence leaves the question open, the first of the next that `gives` what is
    /// asked for; its index stands before that of the best.
    FirstThat {
        is_open: fn(&Context<'_>, usize) -> bool,
        gives: fn(&Context<'_>, usize, usize) -> bool,
    },
    /// The position of the sentence that comes first, if one does.
    Position(fn(&Context<'_>, &[Scored]) -> Option<usize>),
}

impl Rule {
    /// Brings a sentence to the top of others, the best first.
    pub(super) fn apply(&self, context: &Context<'_>, scored: &mut [Scored]) {
        let Some((best, _)) = scored.first().copied() else {
            return;
        };
        let position = match self {
            Self::FirstThat { is_open, gives } if is_open(context, best) => {
                let mut compared = scored.iter().take(COMPARED);
                compared.position(|(index, _)| gives(context, *index, best))
            }
            Self::FirstThat { .. } => None,
            Self::Position(position) => position(context, scored),
        };
        if let Some(position) = position {
            scored[..=position].rotate_right(1);
        }
    }
}

/// The rules for what the words of a question ask for, in the order in which they are applied: what
/// a later one brings to the top comes first.
pub(super) const BY_QUESTION: &[Rule] = &[
    // All terms of a longer question for a fact, and an answer of its type, by itself. Measured in
    // English alone: in Spanish one more answer is lost by it than found.
    Rule::FirstThat {
        is_open: |context, best| {
            let question = &context.question;
            let is_long = question.answer_type.is_factual() && question.terms.len() > FEW_TERMS;
            question.is_english() && is_long && !has_all(context, best)
        },
        gives: |context, index, _| has_all(context, index),
    },
    // A number, if one is asked for and the best has none.
    Rule::FirstThat {
        is_open: |context, best| {
            let question = &context.question;
            question.answer_type == AnswerType::Quantity
                && question.is_english()
                && !has_type(context, best)
        },
        gives: |context, index, best| {
            has_type(context, index) && has_share(context, index, best, 1.0)
        },
    },
    // What something does, and not another thing that is said of it: "What throughput does it
    // reach?" "It reaches 7,900 jobs/s."
    Rule::FirstThat {
        is_open: |context, best| {
            context.question.has_last_verb(context.sentence(best)) == Some(false)
        },
        gives: |context, index, best| {
            context.question.has_last_verb(context.sentence(index)) == Some(true)
                && has_type(context, index)
                && has_share(context, index, best, 1.0)
        },
    },
    // The size of what may also be counted: "How large does the table get?" "It grew to 19 GiB."
    Rule::FirstThat {
        is_open: |context, best| {
            context.question.has_size_in(context.sentence(best)) == Some(false)
        },
        gives: |context, index, best| {
            context.question.has_size_in(context.sentence(index)) == Some(true)
                && has_share(context, index, best, AS_MUCH)
        },
    },
    Rule::Position(with_measure),
    // The change to a number or a day that is asked for as it is: "What is our fee now?" "The fee
    // of 48 euros is raised to 53."
    Rule::FirstThat {
        is_open: |context, best| context.question.asks_what_is() && !tells_change(context, best),
        gives: |context, index, best| {
            let times = context.time(index).zip(context.time(best));
            let is_older = times.is_some_and(|(own, best)| own < best);
            own_share(context, index) > 0.0
                && has_share(context, index, best, 1.0)
                && !is_older
                && context
                    .question
                    .is_answered_by_type(context.sentence(index))
                && tells_change(context, index)
        },
    },
    // A number of people, also of others than the named: "How many customers were affected?" "312
    // merchants were affected."
    Rule::FirstThat {
        is_open: |context, best| !context.question.is_counted_in(context.sentence(best)),
        gives: |context, index, best| {
            context.question.counts_people_in(context.sentence(index))
                && has_share(context, index, best, AS_MUCH)
        },
    },
    // Who holds an office: not "Ann will look for a new distributor".
    Rule::FirstThat {
        is_open: |context, best| !context.question.names_holder(context.sentence(best)),
        gives: |context, index, best| {
            context.question.names_holder(context.sentence(index))
                && has_type(context, index)
                && has_share(context, index, best, AS_MUCH)
        },
    },
    // Somebody by name: "Injured person: Ann Lee" for "Who got hurt in the cellar?"
    Rule::FirstThat {
        is_open: |context, best| {
            let question = &context.question;
            question.answer_type == AnswerType::Person
                && question.is_english()
                && !has_type(context, best)
        },
        gives: |context, index, best| {
            has_type(context, index)
                && own_share(context, index) > 0.0
                && has_share(context, index, best, 1.0)
        },
    },
    // What something can do: "A heat pump can cool the house." In a large collection something can
    // be done with anything.
    Rule::FirstThat {
        is_open: |context, best| {
            let question = &context.question;
            let sentence = context.sentence(best);
            let is_rule = question.asks_for_rule() && question.is_rule(sentence);
            context.input.documents_searched < LARGE_COLLECTION
                && !question.tells_ability(sentence)
                && !is_rule
        },
        gives: |context, index, best| {
            context.question.tells_ability(context.sentence(index))
                && own_share(context, index) >= own_share(context, best)
        },
    },
    // What is allowed, and not what somebody did. "A heat pump can cool the house" is no rule, but
    // an answer.
    Rule::FirstThat {
        is_open: |context, best| {
            let (question, sentence) = (&context.question, context.sentence(best));
            let is_told = question.is_rule(sentence) || question.tells_ability(sentence);
            question.asks_for_rule() && !is_told
        },
        gives: is_rule_on_as_much,
    },
    // What has to be, and not what was measured: "Hot food must be served at 63 degrees."
    Rule::FirstThat {
        is_open: |context, best| {
            let question = &context.question;
            question.asks_what_must_be() && !question.is_rule(context.sentence(best))
        },
        gives: |context, index, best| {
            context.question.is_rule(context.sentence(index))
                && has_type(context, index)
                && has_share(context, index, best, AS_MUCH)
        },
    },
    // Who may do something, and not what else is said of the thing, nor the row of a table that
    // says what somebody does: "Audit of drug X; Who: Ann" tells of nobody who may get it.
    Rule::FirstThat {
        is_open: |context, best| {
            let question = &context.question;
            question.asks_who_may() && !question.is_permitted_in(context.sentence(best))
        },
        gives: |context, index, best| {
            context.question.is_permitted_in(context.sentence(index))
                && has_share(context, index, best, AS_MUCH)
        },
    },
    // The thing of the rank that is asked for, "the first heat pump", and not another one, "the
    // first ground source heat pump".
    Rule::FirstThat {
        is_open: |context, best| {
            let question = &context.question;
            let has_thing = question.has_ranked_thing(context.sentence(best));
            question.answer_type.is_factual() && has_thing == Some(false)
        },
        gives: |context, index, best| {
            context.question.has_ranked_thing(context.sentence(index)) == Some(true)
                && has_type(context, index)
                && has_share(context, index, best, AS_MUCH)
        },
    },
    // The definition of the thing.
    Rule::FirstThat {
        is_open: |context, best| !context.question.is_defined_in(context.sentence(best)),
        gives: |context, index, _| context.question.is_defined_in(context.sentence(index)),
    },
    // Which thing of a kind is meant: "The refrigerant is ammonia."
    Rule::FirstThat {
        is_open: |context, best| !context.question.is_told_by_kind(context.sentence(best)),
        gives: |context, index, best| {
            context.question.is_told_by_kind(context.sentence(index))
                && has_share(context, index, best, AS_MUCH)
        },
    },
    // All words of a question for somebody before the clause that says when, "when the risers fell
    // over", if the best has only words of that: "No other person was hurt."
    Rule::FirstThat {
        is_open: |context, best| {
            context.question.answer_type == AnswerType::Person
                && met_of_main_clause(context, best).is_some_and(|(met, _)| met == 0)
                && !has_type(context, best)
        },
        gives: |context, index, _| {
            let met = met_of_main_clause(context, index);
            met.is_some_and(|(met, all)| met == all)
        },
    },
    // The case in which it is asked what happens: "if it is late".
    Rule::FirstThat {
        is_open: |context, best| context.question.asks_what_happens() && !names_case(context, best),
        gives: |context, index, best| {
            names_case(context, index) && has_share(context, index, best, 1.0)
        },
    },
    // What is so without the thing: "What happens if T07 is left out?"
    Rule::FirstThat {
        is_open: |context, best| !context.question.is_without_in(context.sentence(best)),
        gives: |context, index, _| context.question.is_without_in(context.sentence(index)),
    },
    // The words that an answer of yes or no cannot do without: "Can I keep my old radiators?" "The
    // other radiators can stay."
    Rule::FirstThat {
        is_open: |context, best| {
            let question = &context.question;
            question.answer_type == AnswerType::YesNo
                && question.is_english()
                && question.essential_terms().next().is_some()
                && met_of_essential(context, best).0 == 0
        },
        gives: |context, index, best| {
            let (met, all) = met_of_essential(context, index);
            met == all && has_share(context, index, best, 1.0)
        },
    },
    // Where a subject is: "Dogs are not allowed in the workshop" does not tell where that is. "The
    // practice was founded in 1987. It is at 14 Tanner's Lane."
    Rule::FirstThat {
        is_open: |context, _| context.question.answer_type == AnswerType::Location,
        gives: |context, index, best| {
            let (question, sentence) = (&context.question, context.sentence(index));
            let least = own_share(context, best);
            let before = context.before(index).map(|before| context.sentence(before));
            question.is_located_in(sentence) && question.share_met(sentence) >= least
                || question.is_located_by_pronoun(sentence)
                    && question.share_met(before.unwrap_or_default()) >= least
        },
    },
    Rule::Position(with_rest),
    // The day on which something ends, and not a period, "six months' notice"; it may be in another
    // verb: "It runs to 30 June."
    Rule::FirstThat {
        is_open: |context, best| {
            context.question.asks_when_it_ends() && !gives_time(context.sentence(best))
        },
        gives: |context, index, best| {
            gives_time(context.sentence(index))
                && things_that_end(context, index) >= things_that_end(context, best).max(1)
        },
    },
    // A time from the section of the best: "Hand over in the channel of the team. Shifts start
    // Tuesday 10:00."
    Rule::FirstThat {
        is_open: |context, best| {
            context.question.answer_type == AnswerType::Date && !has_type(context, best)
        },
        gives: |context, index, best| {
            is_of_same_section(context, index, best)
                && has_type(context, index)
                && own_share(context, index) > 0.0
                && has_share(context, index, best, AS_MUCH)
        },
    },
    // What a section says of the year that is asked for, and not its general rule: "In 2025 the
    // closure under (1) runs to 20 April."
    Rule::FirstThat {
        is_open: |context, best| {
            let is_factual = context.question.answer_type.is_factual();
            is_factual && names_year(context, best) == Some(false)
        },
        gives: |context, index, best| {
            is_of_same_section(context, index, best)
                && names_year(context, index) == Some(true)
                && has_type(context, index)
                && !is_record(context.sentence(index))
        },
    },
    // The decision between two things, and not what is said of both: "Should it be a database or a
    // broker?" "We chose a broker."
    Rule::FirstThat {
        is_open: |context, best| context.question.is_left_open_in(context.sentence(best)),
        gives: |context, index, best| {
            context.question.is_decided_in(context.sentence(index)) == Some(true)
                && own_share(context, index) > 0.0
                && has_share(context, index, best, HALF)
        },
    },
    // What somebody does, and not that they were asked to: "Which site does Ann recommend?" "Ann
    // recommends Dale."
    Rule::FirstThat {
        is_open: |context, best| context.question.is_done_in(context.sentence(best)) == Some(false),
        gives: |context, index, best| {
            context.question.is_done_in(context.sentence(index)) == Some(true)
                && context.is_in_force(index)
                && has_share(context, index, best, HALF)
        },
    },
    // A procedure of the thing, if no list of steps is: not what another thing means.
    Rule::FirstThat {
        is_open: |context, best| {
            context.question.asks_for_steps() && own_share(context, best) == 0.0
        },
        gives: |context, index, best| {
            own_share(context, index) > 0.0 && has_share(context, index, best, AS_MUCH)
        },
    },
    // The least version of a thing: "It requires Postgres 14 or later."
    Rule::FirstThat {
        is_open: |context, best| {
            context.question.has_least_version(context.sentence(best)) == Some(false)
        },
        gives: |context, index, _| {
            context.question.has_least_version(context.sentence(index)) == Some(true)
        },
    },
];

/// The rules for what is applied when it is known which sentence is in force.
pub(super) const BY_FORM: &[Rule] = &[
    Rule::Position(with_reason),
    Rule::Position(on_age),
    // The row of a table with the role of somebody who is asked for.
    Rule::FirstThat {
        is_open: |_, _| true,
        gives: |context, index, _| context.question.is_role_in(context.sentence(index)),
    },
    // The thing of the owner who is named, and not "the electrician's bill" for "the roofer's
    // bill"; the owner may stand before it or above: "The roofer came in March. His invoice was
    // £1,900."
    Rule::FirstThat {
        is_open: |context, best| {
            let question = &context.question;
            question.answer_type.is_factual()
                && question.is_of_another_owner(context.sentence(best))
        },
        gives: |context, index, best| {
            names_owners(context, index)
                && !context
                    .question
                    .is_of_another_owner(context.sentence(index))
                && has_type(context, index)
                && context.things_met(index) >= AS_MUCH * context.things_met(best)
        },
    },
    // The amount of the thing that is named: "Enoxaparin: 40 mg" for "What is the dose of
    // enoxaparin?"
    Rule::FirstThat {
        is_open: |context, best| names_thing(context, best) == Some(false),
        gives: |context, index, _| {
            names_thing(context, index) == Some(true) && has_type(context, index)
        },
    },
];

/// The rule for what became of a document: the first sentence that says it of its own.
pub(super) const BY_FATE: Rule = Rule::FirstThat {
    is_open: |_, _| true,
    gives: |context, index, _| context.question.is_fate_in(context.sentence(index)),
};

/// `true` if a sentence meets at least this share of what the best meets of the question, each with
/// its headings and its title.
pub(super) fn has_share(context: &Context<'_>, index: usize, best: usize, least: f64) -> bool {
    context.share_met(index) >= least * context.share_met(best)
}

/// The share of the question that a sentence meets by itself.
pub(super) fn own_share(context: &Context<'_>, index: usize) -> f64 {
    context.question.share_met(context.sentence(index))
}

/// `true` if two sentences stand under the same headings of a document.
fn is_of_same_section(context: &Context<'_>, index: usize, other: usize) -> bool {
    let [own, other] = [index, other].map(|index| &context.input.candidates[index]);
    (&own.headings, own.document) == (&other.headings, other.document)
}

/// Whether a sentence names the one year of the question; `None` if that names none, or several.
fn names_year(context: &Context<'_>, index: usize) -> Option<bool> {
    let terms = context.question.terms.iter();
    let mut years = terms.filter(|term| text::is_year(&term.word));
    let year = years.next().filter(|_| years.next().is_none())?;
    let mut words = text::words(context.sentence(index));
    Some(words.any(|word| word.text == year.word))
}

/// `true` if a sentence has an answer of the type of the question.
pub(super) fn has_type(context: &Context<'_>, index: usize) -> bool {
    context.question.has_type(context.sentence(index))
}

/// Whether a sentence, with the heading above it and its title, names the thing of which an amount
/// is asked for; `None` if none is.
fn names_thing(context: &Context<'_>, index: usize) -> Option<bool> {
    let above = [
        context.heading(index).unwrap_or_default(),
        &context.document(index).title,
    ];
    let text = [above[0], above[1], context.sentence(index)].join("\n");
    context.question.names_thing_measured(&text)
}

/// `true` if a sentence has all terms of the question by itself, and an answer of its type.
fn has_all(context: &Context<'_>, index: usize) -> bool {
    let candidate = &context.input.candidates[index];
    candidate.quotability() != Quotability::Unquotable
        && own_share(context, index) == 1.0
        && has_type(context, index)
        && context
            .question
            .is_answered_by_document(&context.document(index).title)
}

fn tells_change(context: &Context<'_>, index: usize) -> bool {
    context.statement(index).tells_change()
}

/// `true` if a sentence says what is allowed of as many of the things as the best.
fn is_rule_on_as_much(context: &Context<'_>, index: usize, best: usize) -> bool {
    let question = &context.question;
    let things = |index: usize| question.things_of_rule(context.sentence(index));
    question.is_rule(context.sentence(index)) && things(index) >= things(best)
}

/// The number of terms before the clause that says when that a sentence meets, and of all of them.
fn met_of_main_clause(context: &Context<'_>, index: usize) -> Option<(usize, usize)> {
    let wanted = context.question.terms_of_main_clause()?;
    let met = context.question.met(context.sentence(index));
    let count = wanted.iter().filter(|term| met.contains(term)).count();
    Some((count, wanted.len()))
}

/// The number of terms that an answer cannot do without which a sentence meets, and of all of them.
fn met_of_essential(context: &Context<'_>, index: usize) -> (usize, usize) {
    let met = context.question.met(context.sentence(index));
    let essential = || context.question.essential_terms();
    let count = essential().filter(|term| met.contains(term)).count();
    (count, essential().count())
}

/// `true` if a sentence has a word for the case of the question, its last word.
fn names_case(context: &Context<'_>, index: usize) -> bool {
    let question = &context.question;
    let met = question.met(context.sentence(index));
    question
        .terms
        .last()
        .is_some_and(|case| met.contains(&case))
}

/// The number of terms of the question but for its verb, "end", that a sentence meets.
fn things_that_end(context: &Context<'_>, index: usize) -> usize {
    let question = &context.question;
    let met = question.met(context.sentence(index)).into_iter();
    met.filter(|term| !question.is_verb_of_end(term)).count()
}

/// `true` if a sentence, the one before it or its headings name all owners of the question.
fn names_owners(context: &Context<'_>, index: usize) -> bool {
    let before = context.before(index);
    let before = before.map_or("", |before| context.sentence(before));
    let headings = context.input.candidates[index].headings.join("\n");
    let text = [&headings, before, context.sentence(index)].join("\n");
    let met = context.question.met(&text);
    let owners = context.question.owners();
    owners.iter().all(|owner| met.contains(owner))
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
    // What names all that the question names comes before what only limits others: "below £145".
    let has_names = |position: &usize| names_all(context, scored[*position].0);
    let is_named = measured
        .iter()
        .any(|(position, met)| *met >= AS_MUCH * most && has_names(position));
    let mut best = measured
        .iter()
        .filter(|(position, met)| *met >= AS_MUCH * most && (!is_named || has_names(position)));
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

/// If the size of an effect is asked for, "and by how much?", and the best sentence does not give
/// one of the whole, the sentence of its document that does and has most of the question.
pub(super) fn effect_size(context: &Context<'_>, scored: &[Scored]) -> Option<usize> {
    let question = &context.question;
    let (best, _) = scored
        .first()
        .filter(|_| asks_for_effect_size(&context.input.research_topic))?;
    let gives = |index: usize| {
        let sentence = context.sentence(index);
        gives_effect_size(sentence, &question.text)
            && !is_of_part(sentence, question)
            && !is_record(sentence)
            && context.input.candidates[index].quotability() != Quotability::Unquotable
    };
    let document = context.input.candidates[*best].document;
    let sizes = (0..context.input.candidates.len()).filter(|index| {
        context.input.candidates[*index].document == document
            && gives(*index)
            && has_share(context, *index, *best, AS_MUCH)
    });
    let most = sizes.map(|index| (index, own_share(context, index)));
    // The first of equals.
    let most = most.reduce(|best, own| if own.1 > best.1 { own } else { best });
    most.filter(|_| !gives(*best)).map(|(index, _)| index)
}

/// `true` if a sentence, its headings and its title have all names of the question.
pub(super) fn names_all(context: &Context<'_>, index: usize) -> bool {
    let headings = context.input.candidates[index].headings.iter();
    let above = headings
        .map(String::as_str)
        .chain([&*context.document(index).title]);
    let all: Vec<&str> = above.chain([context.sentence(index)]).collect();
    let met = context.question.met(&all.join("\n"));
    let mut names = context.question.terms.iter().filter(|term| term.is_name);
    names.all(|name| met.contains(&name))
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
    let needs_none = question.is_measured_in(own)
        || question.is_permitted_in(own)
        || question.share_met(own) > HALF;
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

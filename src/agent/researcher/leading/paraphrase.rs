//! The rules for sentences that answer in other words than those of the question.

use super::super::context::Context;
use super::rules::{AS_MUCH, Rule, has_share, has_type, names_all};
use crate::answering::AnswerType;
use crate::text::tables::is_record;

/// The least share of what the best sentence meets of a question that one in other words meets: it
/// has the one word that tells. Chosen by hand.
const IN_OTHER_WORDS: f64 = 0.5;

/// The rules for answers in other words, in the order in which they are applied.
pub(super) const BY_PARAPHRASE: &[Rule] = &[
    // The case that a question is on, "in August", and not another one, beside it or with as much
    // of the question: "Services are at 10. In July and August they are at 9.30."
    Rule::FirstThat {
        is_open: |context, best| has_case(context, best) == Some(false),
        gives: |context, index, best| {
            let (question, sentence) = (&context.question, context.sentence(index));
            question.has_case_in(sentence) == Some(true)
                && question.is_answered_by_type(sentence)
                && !is_record(sentence)
                && (is_in_paragraph_of(context, index, best)
                    || has_share(context, index, best, AS_MUCH))
        },
    },
    // What a further question asks of a thing, "Who voted against it: the rule?", and not what else
    // is said of that.
    Rule::FirstThat {
        is_open: |context, best| {
            let sentence = context.sentence(best);
            context.question.has_further_words_in(sentence) == Some(false)
        },
        gives: |context, index, best| {
            let (question, sentence) = (&context.question, context.sentence(index));
            question.has_further_words_in(sentence) == Some(true)
                && question.is_answered_by_type(sentence)
                && (context.input.candidates[index].document
                    == context.input.candidates[best].document
                    || has_share(context, index, best, AS_MUCH))
        },
    },
    // The number of what somebody did who is named, and not that of somebody else.
    Rule::FirstThat {
        is_open: |context, best| {
            let question = &context.question;
            let counts =
                question.answer_type == AnswerType::Quantity && !question.is_counted_in("");
            counts && !names_all(context, best)
        },
        gives: |context, index, best| {
            names_all(context, index)
                && context.question.is_counted_in(context.sentence(index))
                && has_share(context, index, best, AS_MUCH)
        },
    },
    // The larger part of the thing, "most of the forest", and not of another one: "most of the
    // basin".
    Rule::FirstThat {
        is_open: |context, best| {
            context.question.has_larger_part_in(context.sentence(best)) == Some(false)
        },
        gives: |context, index, best| {
            context.question.has_larger_part_in(context.sentence(index)) == Some(true)
                && has_share(context, index, best, IN_OTHER_WORDS)
        },
    },
    // Who coined a word: "Who first used the word argon?"
    Rule::FirstThat {
        is_open: |context, best| {
            context.question.is_coined_in(context.sentence(best)) == Some(false)
        },
        gives: |context, index, _| {
            context.question.is_coined_in(context.sentence(index)) == Some(true)
                && has_type(context, index)
        },
    },
    // Who has the most of something: "Who is the leader in goals?" "Ann led the team with 11
    // goals."
    Rule::FirstThat {
        is_open: |context, best| {
            context.question.has_most_in(context.sentence(best)) == Some(false)
        },
        gives: |context, index, best| {
            context.question.has_most_in(context.sentence(index)) == Some(true)
                && has_type(context, index)
                && has_share(context, index, best, IN_OTHER_WORDS)
        },
    },
    // What is done most: "What do guests complain about most?" "The most frequent complaint is the
    // noise."
    Rule::FirstThat {
        is_open: |context, best| {
            context
                .question
                .has_most_frequent_in(context.sentence(best))
                == Some(false)
        },
        gives: |context, index, best| {
            context
                .question
                .has_most_frequent_in(context.sentence(index))
                == Some(true)
                && has_share(context, index, best, IN_OTHER_WORDS)
        },
    },
    // The number of pieces of what the sentence before names: "Their sales rose to 900 units."
    Rule::FirstThat {
        is_open: |context, best| {
            context.question.names_counted(context.sentence(best)) == Some(false)
        },
        gives: |context, index, _| {
            let before = context.before(index);
            before.is_some_and(|before| {
                let [own, before] = [index, before].map(|index| context.sentence(index));
                context.question.counts_pieces_in(own, before)
            })
        },
    },
];

/// Whether a sentence with its headings and its title has the case that a question is on; `None`
/// without one, and where other words tell it.
fn has_case(context: &Context<'_>, index: usize) -> Option<bool> {
    let question = &context.question;
    let is_told = matches!(
        question.answer_type,
        AnswerType::YesNo
            | AnswerType::Location
            | AnswerType::Reason
            | AnswerType::Manner
            | AnswerType::Definition
    );
    if is_told || question.is_permitted_in(context.sentence(index)) {
        return None;
    }
    let above = context.input.candidates[index].headings.iter();
    let above = above
        .map(String::as_str)
        .chain([&*context.document(index).title, context.sentence(index)]);
    question.has_case_in(&above.collect::<Vec<_>>().join("\n"))
}

/// `true` if two sentences stand in one paragraph.
fn is_in_paragraph_of(context: &Context<'_>, index: usize, other: usize) -> bool {
    let [own, other] = [index, other].map(|index| &context.input.candidates[index]);
    (own.paragraph, own.document) == (other.paragraph, other.document)
}

//! Questions inside a passage: one that yes or no answers states nothing, whatever its words.

use std::ops::Range;

use crate::answering::{AnswerType, Question};
use crate::text;

/// Marks and emphasis around a question or a reply.
const AROUND: [char; 6] = ['*', '_', '#', '"', '“', '”'];

/// A question inside a passage, and what stands below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cite) struct InnerQuestion {
    /// The sentence of the question.
    pub(in crate::cite) range: Range<usize>,
    /// What stands between it and the next question; empty at the end.
    pub(in crate::cite) reply: Range<usize>,
}

/// `true` for a text that ends with a question mark, whatever emphasis is around it.
pub(in crate::cite) fn is_question(text: &str) -> bool {
    text.trim().trim_end_matches(AROUND).ends_with(['?', '？'])
}

/// A question without its mark, its emphasis and its label.
pub(in crate::cite) fn bare(question: &str) -> &str {
    let question = question.trim();
    let question = &question[text::question_label(question)..];
    question.trim_matches(AROUND).trim_end_matches(['?', '？'])
}

/// A reply without its label.
pub(in crate::cite) fn without_reply_label(words: &str) -> &str {
    let words = words.trim_start();
    &words[text::reply_label(words)..]
}

/// `true` for a question that yes or no answers: "**Can I go?**".
pub fn asks_whether(question: &str) -> bool {
    is_question(question) && Question::parse(bare(question)).answer_type == AnswerType::YesNo
}

/// The questions of a passage that yes or no answers.
pub(in crate::cite) fn inner_questions(passage: &str) -> Vec<InnerQuestion> {
    if !passage.contains(['?', '？']) {
        return Vec::new();
    }
    let sentences = text::sentences(passage, 0..passage.len());
    let mut questions: Vec<Range<usize>> = sentences
        .into_iter()
        .filter(|range| is_question(&passage[range.clone()]))
        .map(|range| behind_reply(passage, range))
        .collect();
    questions.push(passage.len()..passage.len());
    let pairs = questions.windows(2).map(|pair| InnerQuestion {
        range: pair[0].clone(),
        reply: pair[0].end..pair[1].start,
    });
    pairs
        .filter(|own| asks_whether(&passage[own.range.clone()]))
        .collect()
}

/// A question without the reply to the one before it, "No. May I park there?", which reads like the
/// abbreviation of "number".
fn behind_reply(passage: &str, range: Range<usize>) -> Range<usize> {
    let sentence = &passage[range.clone()];
    let behind = sentence.rfind("No.").map(|at| at + "No.".len());
    let rest = behind.map_or(sentence, |at| sentence[at..].trim_start());
    let begins = rest.starts_with(|c: char| c.is_uppercase() || AROUND.contains(&c));
    if begins {
        range.end - rest.len()..range.end
    } else {
        range
    }
}

/// A passage with blanks in the place of its questions that yes or no answers, as long as it was.
pub(in crate::cite) fn without_questions(passage: &str, questions: &[InnerQuestion]) -> String {
    let mut rest = passage.to_owned();
    for own in questions {
        let blank = " ".repeat(own.range.len());
        rest.replace_range(own.range.clone(), &blank);
    }
    rest
}

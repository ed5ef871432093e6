//! Compound questions: several questions in one, "How loud is it, and what does it cost?". Each is
//! answered by itself: no sentence has the words of all of them.

use std::ops::Range;

use super::frame::{QUESTION_WORDS, is_frame_word, without_politeness};
use crate::text::{self, Language, Word};

/// The longest topic that is read as a compound question, in characters (chosen by hand): a longer
/// one is a document.
const MAX_CHARACTERS: usize = 400;

/// The question words with which a relative clause may begin as well: "those who live there and who
/// work there".
const RELATIVES: &[&str] = &["who", "when", "where", "which"];

/// Auxiliaries with which a question for yes or no begins.
const AUXILIARIES: &[&str] = &[
    "are", "can", "could", "did", "do", "does", "has", "have", "is", "may", "must", "should",
    "was", "were", "will", "would",
];

/// Words with which the subject of such a question begins.
const DETERMINERS: &[&str] = &[
    "a", "an", "he", "i", "it", "one", "she", "that", "the", "there", "these", "they", "this",
    "those", "we", "you",
];

/// Prepositions that stand before a question word, "since which release", or end a subject, "a
/// pump at night".
const PREPOSITIONS: &[&str] = &[
    "about", "after", "at", "before", "by", "during", "for", "from", "in", "on", "per", "since",
    "to", "under", "until", "with",
];

/// Pronouns for a thing that the question before names.
const ANAPHORS: &[&str] = &[
    "it", "its", "one", "ones", "that", "their", "them", "these", "they", "this", "those",
];

/// The number of content words from which a question may stand by itself.
const BY_ITSELF: usize = 2;

/// A question of a compound question after the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FurtherQuestion {
    /// The question as written, with a capital letter and a question mark.
    pub text: String,
    /// The question with the words of the first that it refers to: "what does the pump cost" for
    /// "what does it cost".
    pub in_full: String,
}

/// The questions of a compound question after the first; none of a simple one.
pub fn further_questions(topic: &str) -> Vec<FurtherQuestion> {
    let topic = without_politeness(topic);
    let parts = parts(topic);
    let Some((first, further)) = parts.split_first() else {
        return Vec::new();
    };
    let subject = subject(&topic[first.clone()]);
    let further = further.iter().filter_map(|range| {
        let text = &topic[range.clone()];
        Some(FurtherQuestion {
            text: written_out(text),
            in_full: in_full(text, &subject)?,
        })
    });
    further.collect()
}

/// A question with a capital letter and a question mark.
fn written_out(question: &str) -> String {
    let mut characters = question.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).chain(['?']).collect()
}

/// The first question of a compound question; all of a simple one.
pub(in crate::answering) fn first_question(question: &str) -> &str {
    match parts(question).first() {
        Some(first) => &question[first.clone()],
        None => question,
    }
}

/// The ranges of the questions of a compound question; none of a simple one.
fn parts(question: &str) -> Vec<Range<usize>> {
    if question.len() > MAX_CHARACTERS || Language::of_question(question) != Language::default() {
        return Vec::new();
    }
    let words: Vec<Word<'_>> = text::words(question).collect();
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for (at, word) in words.iter().enumerate() {
        let Some(end) = end_before(question, &words, at) else {
            continue;
        };
        let first = &question[start..end];
        // "Where and when was it?" is one question, and so is "Who was it, and why?"
        if content(first).any(|own| !is_frame_word(&own, None))
            && content(&question[word.range.start..]).next().is_some()
        {
            parts.push(start..end);
            start = word.range.start;
        }
    }
    if !parts.is_empty() {
        let last = question[start..].trim_end_matches(|c: char| c.is_whitespace() || c == '?');
        parts.push(start..start + last.len());
    }
    parts
}

/// The end of the question before the word at `at`, if another one begins there.
fn end_before(question: &str, words: &[Word<'_>], at: usize) -> Option<usize> {
    let between = |at: usize| &question[words[at - 1].range.end..words[at].range.start];
    let before = at.checked_sub(1)?;
    if between(at).contains('?') {
        return begins_question(words, at, true).then_some(words[before].range.end);
    }
    let last = before.checked_sub(1)?;
    let has_comma = between(before).trim() == ",";
    let is_joined =
        text::fold(words[before].text) == "and" && begins_question(words, at, has_comma);
    is_joined.then_some(words[last].range.end)
}

/// `true` if a question begins at a word: behind a comma or a question mark for anything, behind a
/// bare "and" for what cannot be a relative clause.
fn begins_question(words: &[Word<'_>], at: usize, is_set_off: bool) -> bool {
    let folded = |at: usize| {
        words
            .get(at)
            .map(|word| text::fold(word.text))
            .unwrap_or_default()
    };
    let (word, next) = (folded(at), folded(at + 1));
    let is = |list: &[&str], word: &str| list.contains(&word);
    if is(QUESTION_WORDS, &word) {
        let may_be_relative = is(RELATIVES, &word) && !is_set_off;
        return next != "to" && (!may_be_relative || is(AUXILIARIES, &next));
    }
    let is_whether = is(AUXILIARIES, &word) && is(DETERMINERS, &next);
    is_set_off && (is_whether || is(PREPOSITIONS, &word) && is(QUESTION_WORDS, &next))
}

/// The content words of a question, folded, without what stands for something else.
fn content(question: &str) -> impl Iterator<Item = String> {
    let words = text::words(question).map(|word| text::fold(word.text));
    words.filter(|word| !text::is_stop_word(word) && !ANAPHORS.contains(&word.as_str()))
}

/// The words of what a question is on: those between its auxiliary and the verb or the preposition
/// behind, "pump" in "How loud is a pump at night?", or else those before: "Which gas is used?"
fn subject(question: &str) -> String {
    let words: Vec<Word<'_>> = text::words(question).collect();
    let folded: Vec<String> = words.iter().map(|word| text::fold(word.text)).collect();
    let is = |list: &[&str], at: usize| list.contains(&folded[at].as_str());
    let all = 0..words.len();
    let auxiliary = all.clone().find(|at| is(AUXILIARIES, *at));
    let is_content = |at: &usize| !text::is_stop_word(&folded[*at]) && !is(QUESTION_WORDS, *at);
    let behind = auxiliary.map_or(0, |at| at + 1)..words.len();
    let clause = behind.take_while(|at| !is(PREPOSITIONS, *at));
    let mut subject: Vec<usize> = clause.filter(is_content).collect();
    let has_person =
        auxiliary.is_some_and(|at| folded.get(at + 1).is_some_and(|own| is_person(own)));
    let is_do = auxiliary.is_some_and(|at| matches!(folded[at].as_str(), "do" | "does" | "did"));
    let is_participle = |at: &usize| folded[*at].ends_with("ed");
    if has_person && !subject.is_empty() {
        // "May I compost citrus peel?"
        subject.remove(0);
    } else if is_do && subject.len() > 1 || subject.last().is_some_and(is_participle) {
        // The verb stands last: "What does a pump cost?"
        subject.pop();
    }
    if subject.is_empty() {
        subject = (0..auxiliary.unwrap_or(words.len()))
            .filter(is_content)
            .collect();
    }
    let subject: Vec<&str> = subject.into_iter().map(|at| words[at].text).collect();
    subject.join(" ")
}

/// `true` for a pronoun of a person.
fn is_person(folded: &str) -> bool {
    matches!(folded, "he" | "i" | "she" | "they" | "we" | "you")
}

/// A question with the subject of the first one in the place of a pronoun for it, or behind it if
/// the question says too little by itself. `None` if it refers to the first question as a whole,
/// "Do you deliver, and what does it cost?": what answers that is followed by what answers this.
fn in_full(question: &str, subject: &str) -> Option<String> {
    let anaphor = text::words(question).find(|word| ANAPHORS.contains(&&*text::fold(word.text)));
    if let Some(anaphor) = anaphor {
        let (before, after) = (
            &question[..anaphor.range.start],
            &question[anaphor.range.end..],
        );
        return (!subject.is_empty()).then(|| format!("{before}{subject}{after}"));
    }
    if content(question).count() < BY_ITSELF && !subject.is_empty() {
        // "How many have we, and how many do we need?"
        for counts in ["how many ", "how much "] {
            if let Some(rest) = question.strip_prefix(counts) {
                return Some(format!("{counts}{subject} {rest}"));
            }
        }
        return Some(format!("{question} {subject}"));
    }
    Some(question.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compound_question_is_divided_into_questions_that_stand_by_themselves() {
        for (topic, first, further) in [
            (
                "How loud is a heat pump at night, and what does one cost?",
                "How loud is a heat pump at night",
                "what does heat pump cost",
            ),
            (
                "What does a heat pump cost and how long does it last?",
                "What does a heat pump cost",
                "how long does heat pump last",
            ),
            (
                "How many lifeguards do we have and how many do we need?",
                "How many lifeguards do we have",
                "how many lifeguards do we need",
            ),
            (
                "Must insulation come first, and who pays subsidies?",
                "Must insulation come first",
                "who pays subsidies",
            ),
            (
                "Which gas is used, and may it be released?",
                "Which gas is used",
                "may gas be released",
            ),
            (
                "What is track_caller? Since which release is it stable?",
                "What is track_caller",
                "Since which release is track_caller stable",
            ),
            (
                "How do sort and sort_unstable differ, and why was the stable one kept?",
                "How do sort and sort_unstable differ",
                "why was the stable sort sort_unstable kept",
            ),
        ] {
            assert_eq!(first_question(topic), first);
            let questions = further_questions(topic);
            let in_full: Vec<&str> = questions.iter().map(|own| own.in_full.as_str()).collect();
            assert_eq!(in_full, [further], "{topic}");
        }
    }

    #[test]
    fn question_on_another_one_as_a_whole_is_answered_with_it() {
        let topic = "Do you deliver, and what does it cost?";
        assert_eq!(first_question(topic), "Do you deliver");
        assert_eq!(further_questions(topic), []);
        let topic = "May I compost citrus peel, and how long does it take?";
        let questions = further_questions(topic);
        assert_eq!(questions[0].in_full, "how long does citrus peel take");
        assert_eq!(questions[0].text, "How long does it take?");
    }

    #[test]
    fn simple_question_is_not_divided() {
        for topic in [
            "Where and when was the harvest?",
            "Who was replaced, and why?",
            "What do those who live there and who work there eat?",
            "What are the pros and what are the cons of insulation?",
            "How do I decide what to keep and what to throw away?",
            "How do plants and animals adapt?",
            "¿Cuánto cuesta, y cuánto dura?",
        ] {
            assert_eq!(further_questions(topic), [], "{topic}");
            assert_eq!(first_question(topic), topic);
        }
    }
}

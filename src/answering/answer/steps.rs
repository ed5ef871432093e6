//! Questions that a whole list answers: for a procedure, whose steps are told in their order, and
//! for several things.

use super::super::question::Question;
use super::super::question::answer_type::AnswerType;
use super::super::question::wording::Wording;
use crate::text;

/// Words for those who follow a procedure.
const SUBJECTS: &[&str] = &["i", "we", "you", "one", "they"];

/// Verbs before these words.
const AUXILIARIES: &[&str] = &[
    "do", "can", "could", "should", "must", "shall", "would", "may",
];

/// Phrases that ask for a procedure; a closed list, written by hand.
const PROCEDURES: &[&str] = &[
    "how to",
    "how is",
    "how are",
    "what to do",
    "which steps",
    "the steps",
    "the procedure",
    "to be done",
    "has to do",
];

/// Words between "what are" and the things that are asked for.
const DETERMINERS: &[&str] = &["the", "our", "its", "their"];

impl Wording {
    /// The words for the things that it asks for: "side effects" of "What are the side effects of
    /// it?"; by the plural.
    pub(in crate::answering) fn items(&self) -> Option<Vec<&str>> {
        let words = self.words();
        let rest = match words[..] {
            ["what", "are" | "were", determiner, ref rest @ ..]
                if DETERMINERS.contains(&determiner) =>
            {
                rest.iter().copied()
            }
            // "Which exceptions from the rule are there?"
            ["which" | "what", ref rest @ ..] if self.has(&["are there"]) => rest.iter().copied(),
            _ => return self.items_of_thing(),
        };
        let phrase: Vec<&str> = rest.take_while(|word| !text::is_stop_word(word)).collect();
        let is_several = phrase.last().is_some_and(|noun| is_plural(noun));
        is_several.then_some(phrase)
    }
}

impl Wording {
    /// The words for all things of some kind that a thing has: "assumptions" of "What assumptions
    /// does the budget make?", or "On which assumptions is it based?"; none if it asks for those of
    /// them that something was decided on.
    fn items_of_thing(&self) -> Option<Vec<&str>> {
        let words = self.words();
        let own = behind_preposition(&words);
        let (["which" | "what", rest @ ..], false) = (own, text::is_decision(&words.join(" ")))
        else {
            return None;
        };
        let noun = rest.iter().position(|word| text::is_stop_word(word))?;
        let has_preposition = own.len() < words.len();
        let is_verb = |word: &str| {
            matches!(word, "do" | "does" | "did")
                || has_preposition && matches!(word, "is" | "are" | "was" | "were")
        };
        let is_several = rest[..noun].last().is_some_and(|noun| is_plural(noun));
        (is_several && is_verb(rest[noun])).then(|| rest[..noun].to_vec())
    }
}

/// Prepositions before the word with which a question asks: "Under which conditions …?"
const PREPOSITIONS: &[&str] = &["at", "by", "for", "in", "on", "under", "with"];

/// The words of a question behind the preposition that it begins with.
fn behind_preposition<'a, 'w>(words: &'a [&'w str]) -> &'a [&'w str] {
    match words {
        [first, rest @ ..] if PREPOSITIONS.contains(first) => rest,
        _ => words,
    }
}

/// Plurals from Greek and Latin, which have no "s".
const FOREIGN_PLURALS: &[&str] = &["criteria", "media", "phenomena", "stimuli", "strata"];

fn is_plural(noun: &str) -> bool {
    (noun.ends_with('s') || FOREIGN_PLURALS.contains(&noun)) && !text::is_stop_word(noun)
}

impl Question {
    /// `true` if it asks for a procedure: "How do I restart the boiler?", "What must I do if …?",
    /// "What are the steps of …?"; in English alone.
    pub fn asks_for_steps(&self) -> bool {
        let words = self.wording.words();
        let is_subject =
            |auxiliary, person| AUXILIARIES.contains(&auxiliary) && SUBJECTS.contains(&person);
        let asks_how = matches!(
            words[..],
            ["how", auxiliary, person, ..] if is_subject(auxiliary, person)
        );
        let mut triples = words.windows(3);
        let asks_what = triples.any(|own| is_subject(own[0], own[1]) && own[2] == "do");
        self.is_english() && (asks_how || asks_what || self.wording.has(PROCEDURES))
    }

    /// `true` if it asks for several things: "Which defects does the lift have?", "What were the
    /// findings?"; by the plural in English alone.
    pub fn asks_for_items(&self) -> bool {
        let names_several = match *behind_preposition(&self.wording.words()) {
            ["which" | "what", noun, ..] if is_plural(noun) => true,
            _ => self.wording.items().is_some(),
        };
        self.answer_type == AnswerType::List || self.is_english() && names_several
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_procedure_is_asked_for() {
        for question in [
            "How do I restart the boiler?",
            "The pressure is too high, what should I do?",
            "What must we do if the standard is outside its limits?",
            "What are the steps of membrane filtration?",
            "How is the guard column replaced?",
        ] {
            assert!(Question::parse(question).asks_for_steps(), "{question}");
        }
        for (question, is_plural) in [
            ("Which defects does the lift have?", true),
            ("What were the main findings of the audit?", true),
            ("What are the opening hours?", true),
            ("What is the work of the auditors?", false),
            ("Which lift has defects?", false),
            ("What is a lift?", false),
            ("Under which conditions was the lift approved?", true),
            ("Which criteria does the lift meet?", true),
        ] {
            let question = Question::parse(question);
            assert_eq!(question.asks_for_items(), is_plural, "{}", question.text);
        }
        for question in [
            "How does a heat pump work?",
            "How much do we pay the cleaners?",
            "Do we pay the cleaners?",
        ] {
            assert!(!Question::parse(question).asks_for_steps(), "{question}");
        }
    }
}

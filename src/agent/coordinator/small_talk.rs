//! Small talk: topics that no source answers, because they ask for none: greetings, questions about
//! the program itself, and plain arithmetic.
//!
//! The lists are closed, so that a question about facts is never taken for small talk, whatever a
//! model says: a single word that is not in them makes a topic one for research.

use crate::text;

/// Words that greet, thank or address the program; one of them makes the other words small talk.
const ADDRESS: [&str; 28] = [
    "hello",
    "hi",
    "hey",
    "greetings",
    "thanks",
    "thank",
    "goodbye",
    "bye",
    "you",
    "your",
    "hallo",
    "danke",
    "du",
    "dein",
    "bonjour",
    "bonsoir",
    "salut",
    "merci",
    "tu",
    "vous",
    "hola",
    "gracias",
    "eres",
    "usted",
    "ciao",
    "grazie",
    "ola",
    "obrigado",
];

/// The other words of small talk.
const AROUND: [&str; 62] = [
    "good",
    "morning",
    "afternoon",
    "evening",
    "day",
    "night",
    "today",
    "there",
    "nice",
    "meet",
    "to",
    "please",
    "and",
    "who",
    "what",
    "whats",
    "how",
    "are",
    "is",
    "do",
    "doing",
    "can",
    "be",
    "name",
    "called",
    "for",
    "me",
    "help",
    "an",
    "a",
    "ai",
    "language",
    "model",
    "assistant",
    "bot",
    "human",
    "program",
    "very",
    "much",
    "so",
    "wer",
    "bist",
    "wie",
    "heisst",
    "geht",
    "es",
    "dir",
    "was",
    "kannst",
    "guten",
    "tag",
    "qui",
    "es-tu",
    "comment",
    "ca",
    "va",
    "quien",
    "como",
    "estas",
    "buenos",
    "dias",
    "world",
];

/// Words of a question that asks for a result.
const ASKING: [&str; 18] = [
    "what",
    "whats",
    "what's",
    "is",
    "how",
    "much",
    "calculate",
    "compute",
    "was",
    "ist",
    "wie",
    "viel",
    "combien",
    "font",
    "cuanto",
    "es",
    "the",
    "equals",
];

/// Operators, as signs and as words.
const OPERATORS: [&str; 16] = [
    "+",
    "-",
    "−",
    "*",
    "×",
    "/",
    "÷",
    "^",
    "%",
    "plus",
    "minus",
    "times",
    "divided",
    "multiplied",
    "over",
    "mod",
];

/// The maximum number of words of small talk (chosen by hand).
const MAX_WORDS: usize = 12;

/// `true` if a topic is small talk.
pub(super) fn is_small_talk(topic: &str) -> bool {
    is_arithmetic(topic) || is_address(topic)
}

/// `true` for a greeting, or a question about the program itself.
fn is_address(topic: &str) -> bool {
    let words = text::folded(topic);
    let is_in = |list: &[&str], word: &String| list.contains(&word.as_str());
    words.len() <= MAX_WORDS
        && words.iter().any(|word| is_in(&ADDRESS, word))
        && words
            .iter()
            .all(|word| is_in(&ADDRESS, word) || is_in(&AROUND, word))
}

/// `true` for numbers that operators join, and nothing but words that ask for the result.
fn is_arithmetic(topic: &str) -> bool {
    // `-` and `/` also stand in dates and in names such as 24/7: as operators they have spaces.
    let mut spaced = topic.to_lowercase();
    for sign in ["+", "*", "×", "÷", "^", "%", "(", ")", "="] {
        spaced = spaced.replace(sign, &format!(" {sign} "));
    }
    let (mut numbers, mut operators) = (0, 0);
    for token in spaced.split_whitespace() {
        let token = token.trim_end_matches(['?', '!', '.', ',', ':']);
        if token.parse::<f64>().is_ok_and(f64::is_finite) {
            numbers += 1;
        } else if OPERATORS.contains(&token) {
            operators += 1;
        } else if !(token.is_empty()
            || ASKING.contains(&token)
            || ["(", ")", "=", "by"].contains(&token))
        {
            return false;
        }
    }
    numbers >= 2 && operators >= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings_and_arithmetic_are_small_talk() {
        for topic in [
            "Hello, who are you?",
            "Hi!",
            "What is your name?",
            "Thank you very much!",
            "Guten Tag, wer bist du?",
            "What is 2 + 2?",
            "2+2=",
            "How much is 31 - 3.1?",
            "What is 7 times (3 plus 4)?",
        ] {
            assert!(is_small_talk(topic), "{topic}");
        }
    }

    #[test]
    fn questions_about_facts_are_not() {
        for topic in [
            "Do heat pumps work in old houses?",
            "What does a heat pump cost?",
            "What can you tell me about R290?",
            "What is a language model?",
            "What happened on 2026-11-21?",
            "What is 24/7?",
            "2026-11-21",
            "31",
            "C + +",
            "Is 2 + 2 always 4?",
            "Hello kitty",
            "热泵",
            "",
        ] {
            assert!(!is_small_talk(topic), "{topic}");
        }
    }
}

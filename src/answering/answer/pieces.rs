//! Numbers of pieces: "236,000 units" counts what the sentence before names.

use super::super::question::Question;
use super::super::question::answer_type::AnswerType;
use crate::text;

/// Words for one of any things, behind the number of them; a closed list, written by hand.
const PIECES: &[&str] = &[
    "copies",
    "einheiten",
    "ejemplares",
    "exemplare",
    "exemplaren",
    "pieces",
    "piezas",
    "stuck",
    "unidades",
    "units",
];

/// Words at the beginning of a sentence for what the one before names; a closed list, written by
/// hand.
const OF_THEM: &[&str] = &[
    "davon", "deren", "ihr", "ihre", "sie", "su", "sus", "their", "these", "they",
];

impl Question {
    /// `true` if it asks how many there are of a thing, and a sentence has a number of pieces of
    /// what the one before it names: "Cargo boats carry the growth. Their sales rose to 900 units."
    pub fn counts_pieces_in(&self, sentence: &str, before: &str) -> bool {
        let words = text::folded(sentence);
        let begins = words
            .first()
            .is_some_and(|first| OF_THEM.contains(&first.as_str()));
        let is_number_of = |pair: &[String]| {
            pair[0].starts_with(|c: char| c.is_ascii_digit()) && PIECES.contains(&pair[1].as_str())
        };
        begins && words.windows(2).any(is_number_of) && self.names_counted(before) == Some(true)
    }

    /// Whether a text names what it asks the number of; `None` if it counts nothing.
    pub fn names_counted(&self, text: &str) -> Option<bool> {
        let counted = self.counted.as_ref()?;
        let met = self.met(text);
        let asks = self.answer_type == AnswerType::Quantity;
        asks.then(|| met.iter().any(|term| term.stem == *counted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_those_of_what_the_sentence_before_names() {
        for (question, before, sentence, counts) in [
            (
                "Wie viele Motorsägen wurden 2025 verkauft?",
                "Der Handel lebt von Motorsägen.",
                "Ihr Absatz stieg auf 900 Stück.",
                true,
            ),
            (
                "Wie viele Motorsägen wurden 2025 verkauft?",
                "Der Handel lebt von Rasenmähern.",
                "Ihr Absatz stieg auf 900 Stück.",
                false,
            ),
            (
                "How many kettles were sold?",
                "Kettles carry the growth.",
                "Their sales rose to 900 units.",
                true,
            ),
        ] {
            let question = Question::parse(question);
            assert_eq!(
                question.counts_pieces_in(sentence, before),
                counts,
                "{before}"
            );
        }
    }
}

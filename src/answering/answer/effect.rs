//! The sizes of effects: questions for how large one is, and the sentences that give a size.

use super::super::question::Question;
use super::super::vocabulary::words_have;
use super::quantity::{DIFFERENCES, has_new_number, names_unit};
use crate::text;

/// Phrases that ask for the size of an effect, wherever they stand; a closed list, written by hand.
const ASKING: &[&str] = &["by how many", "by how much", "by what percentage"];

/// Words for an effect, of which one asks how large it is; a closed list, written by hand.
const EFFECTS: &[&str] = &[
    "benefit",
    "change",
    "decline",
    "decrease",
    "difference",
    "drop",
    "effect",
    "gain",
    "growth",
    "impact",
    "improvement",
    "increase",
    "reduction",
    "rise",
];

/// Measures of an effect beside those of differences; a closed list, written by hand.
const MEASURES: &[&str] = &[
    "basis points",
    "effect size",
    "hazard ratio",
    "mean difference",
    "odds ratio",
    "percentage points",
    "rate ratio",
    "relative risk",
    "risk difference",
    "risk ratio",
];

/// Words that say that something is so of a part alone; a closed list, written by hand.
const OF_PART: &[&str] = &[
    "confined to",
    "in the subgroup",
    "limited to",
    "only among",
    "only in",
    "restricted to",
    "subgroup of",
    "subgroups",
];

/// `true` if a question, or what it asks besides, asks how large an effect is: "Does it save heat,
/// and by how much?"
pub fn asks_for_effect_size(question: &str) -> bool {
    let words = text::folded(question);
    let of_effect = words.windows(2).any(|pair| {
        pair[0] == "how" && matches!(pair[1].as_str(), "big" | "great" | "large" | "strong")
    });
    let names_effect = || words.iter().any(|word| EFFECTS.contains(&word.as_str()));
    words_have(&words, ASKING) || of_effect && names_effect()
}

/// `true` if a sentence gives the size of an effect with a number that a question does not have.
pub fn gives_effect_size(sentence: &str, question: &str) -> bool {
    let lower = sentence.to_lowercase();
    let has_measure = names_unit(&lower, DIFFERENCES) || names_unit(&lower, MEASURES);
    has_measure && has_new_number(sentence, question)
}

/// `true` if a sentence says something of a part alone, and a question does not ask of one.
pub fn is_of_part(sentence: &str, question: &Question) -> bool {
    words_have(&text::folded(sentence), OF_PART) && !question.wording.has(OF_PART)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_of_an_effect_is_a_difference_in_numbers() {
        for (question, asks) in [
            ("Does the seal save heat, and by how much?", true),
            ("How large was the effect of the seal?", true),
            ("How large is the barn?", false),
            ("How much does the seal cost?", false),
        ] {
            assert_eq!(asks_for_effect_size(question), asks, "{question}");
        }
        for (sentence, gives) in [
            ("The seal lowered the loss by 12 percent.", true),
            ("The rate was 0.8 (rate ratio 0.7).", true),
            ("The seal lowered the loss.", false),
            ("The seal was fitted in 12 barns.", false),
        ] {
            assert_eq!(
                gives_effect_size(sentence, "By how much?"),
                gives,
                "{sentence}"
            );
        }
        let question = Question::parse("How large was the effect of the seal?");
        assert!(is_of_part(
            "It was confined to old barns (12 percent).",
            &question
        ));
    }
}

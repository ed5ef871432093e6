//! Questions for the literature on a subject: which documents there are, and not what one of them
//! says.

use super::wording::Wording;
use crate::text;

/// Nouns for what has been written on a subject.
const WRITINGS: &[&str] = &[
    "articles",
    "experiments",
    "investigations",
    "literature",
    "papers",
    "publications",
    "studies",
];

/// Nouns for what "any" asks for, among the next words: "Is there any published work on it?"
const CONTENTS: &[&str] = &["data", "information", "work"];
const NEXT_WORDS: usize = 3;

/// Participles of what is done with any subject of a study.
pub(in crate::answering) const STUDIED: &[&str] = &[
    "studied",
    "investigated",
    "examined",
    "discussed",
    "considered",
    "described",
    "presented",
    "analyzed",
    "analysed",
    "reviewed",
    "outlined",
    "surveyed",
];

/// Participles of what is done with a study itself.
pub(in crate::answering) const DONE: &[&str] = &[
    "made",
    "conducted",
    "performed",
    "obtained",
    "carried",
    "undertaken",
    "given",
    "derived",
    "developed",
    "compared",
    "measured",
    "calculated",
    "computed",
    "integrated",
    "solved",
    "reported",
    "included",
    "extended",
    "applied",
];

/// Nouns for a study and its means.
pub(in crate::answering) const STUDIES: &[&str] = &[
    "investigation",
    "investigations",
    "study",
    "studies",
    "analysis",
    "analyses",
    "test",
    "tests",
    "experiment",
    "experiments",
    "measurement",
    "measurements",
    "calculation",
    "calculations",
    "data",
    "solution",
    "solutions",
    "method",
    "expression",
    "expressions",
    "equation",
    "equations",
    "survey",
    "surveys",
    "results",
    "theory",
];

/// Words of any study of anything: "an analysis that accurately establishes the behaviour".
const GENERAL: &[&str] = &[
    "accurate",
    "accurately",
    "behavior",
    "behaviour",
    "determine",
    "determining",
    "due",
    "effect",
    "effects",
    "establish",
    "establishes",
    "influence",
    "nature",
    "problem",
    "problems",
];

/// `true` if a question asks which documents there are on a subject: "What papers are there on
/// flutter?", "Has anyone measured it?"
pub(in crate::answering) fn asks_for_documents(question: &Wording) -> bool {
    let words = question.words();
    let is_writing = |word: &&str| WRITINGS.contains(word);
    match words[..] {
        [
            "has" | "have",
            "anyone" | "anybody" | "someone" | "somebody",
            ..,
        ]
        | ["where", "can" | "could", "i" | "one" | "we", "find", ..] => true,
        ["is" | "are", "there", "any", ref rest @ ..] => {
            let mut next = rest.iter().take(NEXT_WORDS);
            next.any(|word| is_writing(word) || CONTENTS.contains(word))
        }
        ["has" | "have", .., "been", last] => STUDIED.contains(&last),
        ["what" | "which", ref rest @ ..]
            if rest.contains(&"available") || rest.contains(&"existing") =>
        {
            let mut subject = rest.iter();
            subject
                .any(|word| is_writing(word) || CONTENTS.contains(word) || STUDIES.contains(word))
        }
        [first, second, "on" | "about", ..] if is_writing(&second) => !text::is_stop_word(first),
        [first, .., last] => {
            let is_wanted =
                |pair: &[&str]| matches!(pair[0], "any" | "what" | "which") && is_writing(&pair[1]);
            is_writing(&first) || is_writing(&last) || words.windows(2).any(is_wanted)
        }
        _ => false,
    }
}

/// `true` for a folded word for a study, its means, or what is done with it: which documents there
/// are on a thing does not depend on the words with which they say that they are.
pub(in crate::answering) fn is_study_word(folded: &str) -> bool {
    let lists = [STUDIED, DONE, STUDIES, GENERAL];
    lists.iter().any(|words| words.contains(&folded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_for_the_literature_are_told_from_those_for_what_it_says() {
        for question in [
            "What papers are there on flutter?",
            "are there any papers dealing with sound in reacting gases",
            "Where can I find pressure data on swept cylinders?",
            "Has anyone measured the drag of a cube?",
            "has the effect of sweep on flutter been investigated",
            "experimental papers on jets",
            "Is there any information on boat-tails?",
            "what solutions are available for the stresses in shells",
        ] {
            assert!(asks_for_documents(&Wording::new(question)), "{question}");
        }
        for question in [
            "What do the papers say about flutter?",
            "Has the garden been opened?",
            "Are there any dogs in the park?",
            "Where can children swim?",
            "What rooms are available in May?",
            "Why were the papers delayed?",
            "Do papers on jets agree?",
        ] {
            assert!(!asks_for_documents(&Wording::new(question)), "{question}");
        }
    }
}

//! Questions for what documents disagree on: "Where do the papers disagree on spawning?"
//!
//! No sentence of one document answers such a question: two of different documents do. The lists
//! are closed, written by hand, in English and German.

use super::wording::Wording;

/// What documents and those who wrote them are called.
const DOCUMENTS: &[&str] = &[
    "articles",
    "authors",
    "documents",
    "experts",
    "files",
    "papers",
    "reports",
    "sources",
    "studies",
    "texts",
    "trials",
    "autoren",
    "berichte",
    "dokumente",
    "dokumenten",
    "papiere",
    "quellen",
    "studien",
    "unterlagen",
];

/// Verbs for what two of them do.
const VERBS: &[&str] = &[
    "agree",
    "agreeing",
    "conflict",
    "contradict",
    "disagree",
    "disagreeing",
    "widersprechen",
];

/// Nouns for it, which need no word for documents beside them.
const NOUNS: &[&str] = &[
    "contradictions",
    "disagreements",
    "discrepancies",
    "inconsistencies",
    "widersprüche",
];

/// Words beside them that name nothing.
const BESIDE: &[&str] = &["another", "each", "other", "one", "sich"];

/// First words of a question for the reason, the time or the people of a disagreement.
const OTHERS: &[&str] = &["how", "warum", "wer", "weshalb", "when", "who", "why"];

/// `true` if a question asks what documents disagree on, or whether they do.
pub(in crate::answering) fn asks_for_disagreement(question: &Wording) -> bool {
    let words = question.words();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let asks_otherwise = words.first().is_some_and(|first| OTHERS.contains(first));
    !asks_otherwise && (has(NOUNS) || has(VERBS) && has(DOCUMENTS))
}

/// `true` for a folded word that only asks for a disagreement.
pub(in crate::answering) fn is_word_for_disagreement(folded: &str) -> bool {
    let lists = [DOCUMENTS, VERBS, NOUNS, BESIDE];
    lists.iter().any(|words| words.contains(&folded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_for_disagreements_are_told_from_those_for_their_reasons() {
        for (question, expected) in [
            ("Where do the papers disagree on spawning?", true),
            (
                "On which points do the studies contradict each other?",
                true,
            ),
            ("Do the documents agree on the flow temperature?", true),
            ("What contradictions are there?", true),
            ("Worin widersprechen sich die Quellen?", true),
            ("Why do experts disagree about insulation?", false),
            ("Do the fishers agree with the association?", false),
            ("What do the papers say about spawning?", false),
        ] {
            let wording = Wording::new(question);
            assert_eq!(asks_for_disagreement(&wording), expected, "{question}");
        }
    }
}

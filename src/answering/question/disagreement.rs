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
    "guidelines",
    "letters",
    "minutes",
    "papers",
    "proposals",
    "reports",
    "sources",
    "standards",
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

/// What a document of one party is called, of which it is asked what it gets wrong.
const OF_PARTY: &[&str] = &[
    "advertisement",
    "announcement",
    "article",
    "brochure",
    "column",
    "document",
    "flyer",
    "headline",
    "leaflet",
    "letter",
    "newspaper",
    "pamphlet",
    "paper",
    "poster",
    "release",
    "report",
    "statement",
    "story",
    "summary",
    "text",
    "website",
];

/// Words with which it is asked what is wrong in such a document.
const WRONG: &[&str] = &[
    "get",
    "gets",
    "got",
    "misreport",
    "misrepresent",
    "misstate",
    "wrong",
];

/// `true` if a question asks what a document gets wrong, and so where others say something else:
/// "What does the leaflet get wrong about the mill?" What people get wrong may be told by one.
fn asks_what_is_wrong(words: &[&str]) -> bool {
    let Some(at) = words.iter().position(|word| OF_PARTY.contains(word)) else {
        return false;
    };
    let asks = matches!(words[0], "what" | "where" | "which");
    let gets_wrong = |pair: &[&str]| WRONG[..3].contains(&pair[0]) && pair[1] == "wrong";
    let behind = &words[at + 1..];
    let misstates = behind
        .first()
        .is_some_and(|verb| WRONG[3..6].contains(verb));
    asks && (misstates || behind.windows(2).take(1).any(gets_wrong))
}

/// `true` if a question asks what documents disagree on, or whether they do.
pub(in crate::answering) fn asks_for_disagreement(question: &Wording) -> bool {
    let words = question.words();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let asks_otherwise = words.first().is_some_and(|first| OTHERS.contains(first));
    !asks_otherwise && (has(NOUNS) || has(VERBS) && has(DOCUMENTS) || asks_what_is_wrong(&words))
}

/// `true` for a folded word that only asks for a disagreement.
pub(in crate::answering) fn is_word_for_disagreement(folded: &str) -> bool {
    let lists = [DOCUMENTS, VERBS, NOUNS, BESIDE, WRONG];
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
            ("What does the leaflet get wrong about the mill?", true),
            ("What did the press release misstate?", true),
            ("What did the team get wrong?", false),
            ("What is wrong with the article feed?", false),
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

//! The style of a sentence: the factors by which sentences to the reader, about the making of their
//! document, with hedges or in the first person count less.
//!
//! The lists are English; the factors were set by hand, while reading reports on 648 design
//! documents.

use std::collections::BTreeSet;

use crate::text;

/// The style factor of a sentence that addresses its reader.
const TO_READER: f64 = 0.6;

/// The style factor of a sentence about the making of its document.
const ON_PROCESS: f64 = 0.6;

/// The style factor of a sentence that hedges.
const HEDGED: f64 = 0.85;

/// The style factor of a sentence in the first person plural.
const FIRST_PERSON: f64 = 0.9;

const READER_WORDS: [&str; 3] = ["you", "your", "yourself"];
const FIRST_PERSON_WORDS: [&str; 3] = ["we", "our", "us"];
const HEDGES: [&str; 7] = [
    "might", "maybe", "perhaps", "possibly", "probably", "seems", "arguably",
];
const PROCESS_WORDS: [&str; 7] = [
    "discussion",
    "comment",
    "comments",
    "author",
    "pr",
    "issue",
    "draft",
];

/// The product of the factors that apply to a sentence, at most 1.
pub(super) fn factor(sentence: &str) -> f64 {
    let words: BTreeSet<String> = text::words(sentence)
        .map(|word| text::fold(word.text))
        .collect();
    [
        (READER_WORDS.as_slice(), TO_READER),
        (&PROCESS_WORDS, ON_PROCESS),
        (&HEDGES, HEDGED),
        (&FIRST_PERSON_WORDS, FIRST_PERSON),
    ]
    .into_iter()
    .filter(|(list, _)| list.iter().any(|word| words.contains(*word)))
    .map(|(_, penalty)| penalty)
    .product()
}

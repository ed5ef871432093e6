//! Informative passages: whether a passage says something by itself, or is debris of the layout: a
//! heading, a label, a line of a contents table, or the words before a list.

use std::hash::{DefaultHasher, Hasher};

use crate::text;

/// From this number of words on, a passage without a full stop says something: an item of a list.
/// Chosen by hand, as the other limits.
const MIN_WORDS: usize = 8;

/// The number of words from which a sentence says something.
const MIN_SENTENCE_WORDS: usize = 3;

/// The number of words below which a passage that ends with a colon is but the lead to a list.
const MIN_LEAD_WORDS: usize = 20;

/// The maximum number of words of a label in a header, and of its value.
const LABEL_WORDS: usize = 3;
const VALUE_WORDS: usize = 8;

/// `true` if a passage says something by itself.
pub(super) fn is_informative(passage: &str, title: &str) -> bool {
    let passage = without_addresses(passage);
    let passage = passage.trim();
    // The leaders of a contents table lead to a page number.
    if passage.contains(".....") || passage.contains(". . . ") || passage.lines().all(is_field) {
        return false;
    }
    // No more words are counted than decide.
    let has_words = |number| count(passage, number) == number;
    let end = passage.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']', '*', '_', '`']);
    if end.ends_with(':') {
        return has_words(MIN_LEAD_WORDS);
    }
    // A row of a table states something in few words.
    if end.ends_with(['|', '.', '!', '?', '…', '。', '！', '？', '।', '؟']) {
        return has_words(MIN_SENTENCE_WORDS);
    }
    has_words(MIN_WORDS) && words_hash(passage) != words_hash(title)
}

/// A hash of the letters and digits of a text, by which passages with the same words are
/// recognised.
pub(super) fn words_hash(text: &str) -> u64 {
    let mut letters = text.as_bytes().to_ascii_lowercase();
    letters.retain(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let mut hasher = DefaultHasher::new();
    // At once: a hasher is slow with single bytes.
    hasher.write(&letters);
    hasher.finish()
}

/// `true` for a line of a header, such as `Start Date: 2014-10-07`.
fn is_field(line: &str) -> bool {
    let is_sentence = line.trim_end().ends_with(['.', '!', '?']);
    line.split_once(':').is_some_and(|(label, value)| {
        !is_sentence
            && count(label, LABEL_WORDS + 1) <= LABEL_WORDS
            && count(value, VALUE_WORDS + 1) <= VALUE_WORDS
    })
}

/// The number of words of a text, counted up to a limit.
fn count(text: &str, limit: usize) -> usize {
    text::words(text).take(limit).count()
}

/// A text without the targets of Markdown links and without web addresses, whose parts are no
/// words.
fn without_addresses(text: &str) -> String {
    let mut rest = text;
    let mut stripped = String::with_capacity(text.len());
    while let Some((start, end)) = next_address(rest) {
        stripped.push_str(&rest[..start]);
        rest = &rest[end..];
    }
    stripped + rest
}

/// The bytes of the first address in a text.
fn next_address(text: &str) -> Option<(usize, usize)> {
    let link = text.find("](").map(|at| at + 1);
    let bare = ["https://", "http://"]
        .into_iter()
        .filter_map(|scheme| text.find(scheme));
    let start = link.into_iter().chain(bare).min()?;
    let length = match link {
        Some(link) if link == start => text[start..].find(')').map(|end| end + 1),
        _ => text[start..].find(|c: char| c.is_whitespace() || matches!(c, ')' | '>')),
    };
    Some((start, length.map_or(text.len(), |length| start + length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debris_is_told_from_sentences() {
        for passage in [
            "A bicycle has two wheels.",
            "It needs no fuel.",
            "热泵可以在旧房子里使用。",
            "**Type inference**: how much of what the compiler knows is shown to the reader",
            "Note: pumps are loud.",
            "no more than four of the radiators in a house of this age",
            "See [the guide](https://e.org/a) on radiators (\"in old houses\").",
        ] {
            assert!(is_informative(passage, "Pumps"), "{passage}");
        }
        for passage in [
            "Noise",
            "None.",
            "Start Date: 2014-10-07",
            "Feature Name: a_b\nStart Date: (fill me in with today's date)",
            "RFC PR: [rust-lang/rfcs#2094](https://github.com/rust-lang/rfcs/pull/2094)",
            "[the initiative](https://e.org/one/two/three/four/five/six/seven/eight/nine)",
            "Results of the benchmark: https://e.org/one/two/three/four/five/six",
            "The main drawbacks of this proposal are that:",
            "3 The long way of heat from the air into the rooms ........ 12",
            "",
        ] {
            assert!(!is_informative(passage, "Pumps"), "{passage}");
        }
        let title = "The long way of heat from the air into the rooms";
        assert!(!is_informative(&title.to_uppercase(), title));
    }
}

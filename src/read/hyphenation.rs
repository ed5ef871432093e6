//! Words that a plain text breaks at the ends of its lines, joined again: "kilo-" above "metres".

use std::borrow::Cow;

use foldhash::HashSet;

use crate::text::{fold, is_ordinary, is_stop_word, stem};

/// The fewest letters of each part: the "F" of "F-gas" is no part of a word.
const PART_LETTERS: usize = 2;

/// Words behind a hyphen that stands for the rest of a word: "heating- and cooling pumps".
const CONJUNCTIONS: &[&str] = &["and", "bis", "bzw", "oder", "or", "to", "und"];

/// A text in which each word that is broken at the end of a line stands in that line as a whole,
/// with its hyphen where it has one; the lines stay as many. A paragraph break breaks no word.
pub(super) fn joined(text: &str) -> Cow<'_, str> {
    if !text.contains("-\n") {
        return Cow::Borrowed(text);
    }
    let words = words_with_hyphens(text);
    let mut joined = String::with_capacity(text.len());
    let mut written = 0;
    for (at, _) in text.match_indices("-\n") {
        let (before, behind) = (&text[written.min(at)..at], &text[at + 2..]);
        let Some((left, indent, right)) = parts(before, behind) else {
            continue;
        };
        let end = at + 2 + indent + right.len();
        joined.push_str(&text[written..at]);
        if has_hyphen(left, right, &words) {
            joined.push('-');
        }
        joined.push_str(right);
        // What closes the word or the sentence stays with it.
        let close = text[end..].find(char::is_whitespace);
        let close = close.map_or(text.len(), |close| end + close);
        joined.push_str(&text[end..close]);
        joined.push('\n');
        let rest = &text[close..];
        written = text.len() - rest.strip_prefix([' ', '\n']).unwrap_or(rest).len();
    }
    joined.push_str(&text[written..]);
    Cow::Owned(joined)
}

/// The part of a word at the end of a line, the indentation of the next line, and the part at the
/// beginning of that.
fn parts<'a>(before: &'a str, behind: &'a str) -> Option<(&'a str, usize, &'a str)> {
    let left = &before[before.trim_end_matches(char::is_alphabetic).len()..];
    let line = behind.trim_start_matches([' ', '\t']);
    let rest = line.trim_start_matches(char::is_alphabetic);
    let right = &line[..line.len() - rest.len()];
    let is_lower = |part: &str| part.chars().skip(1).all(char::is_lowercase);
    let are_parts = [left, right]
        .iter()
        .all(|part| part.chars().count() >= PART_LETTERS && is_lower(part))
        && right.starts_with(char::is_lowercase)
        && !rest.starts_with(['-', '_', '/', '='])
        && !CONJUNCTIONS.contains(&right);
    // "state-of-the-" goes on as it is written.
    let is_compound = before[..before.len() - left.len()].ends_with(['-', '_', '/']);
    (are_parts && !is_compound).then_some((left, behind.len() - line.len(), right))
}

/// The words of a text within its lines, folded, those with hyphens as a whole.
fn words_with_hyphens(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    let words = words.filter(|word| !word.is_empty() && !word.ends_with('-'));
    words.map(fold).collect()
}

/// `true` if two parts are written with a hyphen: so they stand elsewhere in the text, or each is a
/// word and both together are none.
fn has_hyphen(left: &str, right: &str, words: &HashSet<String>) -> bool {
    let (with, without) = (format!("{left}-{right}"), format!("{left}{right}"));
    if words.contains(&fold(&with)) {
        return true;
    }
    let is_word = |word: &str| {
        let word = fold(word);
        words.contains(&word) || is_stop_word(&word) || is_ordinary(&stem(&word))
    };
    !is_word(&without) && is_word(left) && is_word(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_words_are_joined_and_compounds_keep_their_hyphens() {
        for (text, expected) in [
            (
                "It is 3 million kilo-\nmetres per year.\n",
                "It is 3 million kilometres\nper year.\n",
            ),
            (
                "The instal-\n  lation. It is new.\n",
                "The installation.\nIt is new.\n",
            ),
            (
                "This is a well-\nknown pump.\n",
                "This is a well-known\npump.\n",
            ),
            (
                "A xylo-phon plays. The xylo-\nphon is old.\n",
                "A xylo-phon plays. The xylo-phon\nis old.\n",
            ),
            ("The F-\ngas rules.\n", "The F-\ngas rules.\n"),
            ("Heiz-\nund Kühlpumpen\n", "Heiz-\nund Kühlpumpen\n"),
            ("- one-\n\ntwo\n", "- one-\n\ntwo\n"),
            ("-----\ntext\n", "-----\ntext\n"),
            ("the last kilo-\nmetre", "the last kilometre\n"),
            ("kilo-\nmetre-long\n", "kilo-\nmetre-long\n"),
        ] {
            assert_eq!(joined(text), expected, "{text}");
        }
    }
}

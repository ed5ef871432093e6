//! Words: tokenization (UAX #29), case and accent folding, a light English stemmer, stop words.
//!
//! The stemmer here serves comparisons of English sentences by the agents; the index stems each
//! language by Snowball (`search`). They differ on purpose: Snowball's English stemmer merges words
//! of different meanings, which a ranking tolerates and a comparison of claims does not.

use std::ops::Range;
use std::sync::LazyLock;

use foldhash::HashSet;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};
use unicode_segmentation::UnicodeSegmentation;

/// A word and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'a> {
    /// The word as written, or "email" for "e-mail".
    pub text: &'a str,
    /// Its byte range in the text.
    pub range: Range<usize>,
}

/// The longest first part of [`HYPHENATED`], in bytes: a cheap filter before the lookup.
const MAX_JOINED: usize = 2;

/// Words that are also written as two with a hyphen: the two, and the word.
const HYPHENATED: &[(&str, &str, &str)] = &[
    ("e", "mail", "email"),
    ("e", "mails", "emails"),
    ("wi", "fi", "wifi"),
];

/// The words of a text by the word boundaries of Unicode (UAX #29); in Chinese, every ideograph is
/// a word.
pub fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    // Line by line: no word crosses a line end, and the segmenter has a fast path for ASCII, which
    // a single non-ASCII letter would switch off for the whole text.
    text.split_inclusive('\n')
        .scan(0, |end, line| {
            let start = *end;
            *end += line.len();
            Some((start, line))
        })
        .flat_map(|(first, line)| {
            let mut words = line.unicode_word_indices().peekable();
            std::iter::from_fn(move || {
                let (start, mut text) = words.next()?;
                let mut end = start + text.len();
                if text.len() <= MAX_JOINED
                    && let Some((next, second)) = words.peek()
                    && let Some(joined) = joined(text, &line[end..*next], second)
                {
                    (text, end) = (joined, next + second.len());
                    words.next();
                }
                Some(Word {
                    text,
                    range: first + start..first + end,
                })
            })
        })
}

/// The word that two words with a hyphen between them are.
fn joined(first: &str, between: &str, second: &str) -> Option<&'static str> {
    if !matches!(between, "-" | "\u{2010}" | "\u{2011}") {
        return None;
    }
    let mut all = HYPHENATED.iter();
    let own =
        all.find(|own| own.0.eq_ignore_ascii_case(first) && own.1.eq_ignore_ascii_case(second));
    own.map(|own| own.2)
}

/// A word normalized for comparison: NFKC, lower case, accents stripped. Only combining marks of
/// Latin, Greek and Cyrillic (U+0300 to U+036F) are stripped; in other scripts such a mark can be a
/// vowel.
pub fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    // Most words are normalized already, which is shown faster than it is done.
    let lower = if is_nfkc_quick(word.chars()) == IsNormalized::Yes {
        word.to_lowercase()
    } else {
        word.nfkc().collect::<String>().to_lowercase()
    };
    let stripped: String = lower
        .nfd()
        // NFD separates letters from accents, so that the accents can be removed.
        .filter(|c| !('\u{300}'..='\u{36f}').contains(c))
        .map(|c| match c {
            '\u{2019}' => '\'',
            // Digits of Arabic and of Persian.
            '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}' => {
                char::from(b'0' + (u32::from(c) & 0xf) as u8)
            }
            other => other,
        })
        .collect();
    if is_nfc_quick(stripped.chars()) == IsNormalized::Yes {
        stripped
    } else {
        stripped.nfc().collect()
    }
}

/// The stem of a folded English word: without plural, possessive, -ed, -ing or final -e. Lighter
/// than Porter's algorithm, which merges "specialization" with "special". Words of other scripts
/// are returned as they are.
pub fn stem(folded: &str) -> String {
    let word = folded
        .strip_suffix("'s")
        .or_else(|| folded.strip_suffix('\''))
        .unwrap_or(folded);
    // The rules are for English words; words of up to three letters have no suffix to strip.
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) || is_unstemmed(word) {
        return word.to_owned();
    }
    let word = without_plural(word);
    let word = without_participle(&word);
    match word.strip_suffix('e') {
        Some(rest) if rest.len() >= 3 && !rest.ends_with('e') => rest.to_owned(),
        _ => word,
    }
}

/// `true` for a word whose ending only looks like an inflection; with the invariants of Snowball's
/// English stemmer, which stems the words of the index: "herring" is no form of "her".
fn is_unstemmed(word: &str) -> bool {
    matches!(
        word,
        "across"
            | "alias"
            | "always"
            | "atlas"
            | "bias"
            | "canning"
            | "canvas"
            | "earring"
            | "embed"
            | "herring"
            | "hundred"
            | "inning"
            | "lens"
            | "news"
            | "outing"
            | "perhaps"
            | "sacred"
            | "series"
            | "species"
    )
}

fn without_plural(word: &str) -> String {
    // The longer suffix first: "ies" also ends in "es" and "s".
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.len() >= 2) {
        return format!("{rest}y");
    }
    if let Some(rest) = word.strip_suffix("es") {
        let sibilant = ["ss", "x", "ch", "sh", "zz"]
            .iter()
            .any(|ending| rest.ends_with(ending));
        if sibilant || is_unstemmed(rest) {
            return rest.to_owned();
        }
    }
    // "class", "status" and "basis" are singular already.
    let singular = ["ss", "us", "is"]
        .iter()
        .any(|ending| word.ends_with(ending));
    match word.strip_suffix('s') {
        Some(rest) if rest.len() >= 3 && !singular => rest.to_owned(),
        _ => word.to_owned(),
    }
}

fn without_participle(word: &str) -> String {
    if is_unstemmed(word) || word.ends_with("eed") {
        return word.to_owned();
    }
    if let Some(rest) = word.strip_suffix("ied").filter(|rest| rest.len() >= 2) {
        return format!("{rest}y");
    }
    let Some(rest) = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed")) else {
        return word.to_owned();
    };
    // The condition `*v*` of Porter's algorithm: a stem contains a vowel.
    let vowel = rest.bytes().position(|byte| b"aeiouy".contains(&byte));
    match (rest.len(), vowel) {
        // "us-ing" is "use"; a rest without a vowel, as in "str-ing", is no stem.
        (2, Some(0)) => format!("{rest}e"),
        (3.., Some(_)) => undoubled(rest).to_owned(),
        _ => word.to_owned(),
    }
}

/// The stem without a consonant that is doubled before "-ing": "runn" becomes "run", but "call" and
/// "pass" do not change.
fn undoubled(word: &str) -> &str {
    match word.as_bytes() {
        [_, _, .., a, b] if a == b && !b"aeioulsz".contains(b) => &word[..word.len() - 1],
        _ => word,
    }
}

/// `true` if a folded English word is a stop word: an article, a preposition, an auxiliary, a
/// question word.
pub fn is_stop_word(folded: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| STOP_WORDS.iter().copied().collect());
    WORDS.contains(folded)
}

/// The words of a text, folded, in order.
pub fn folded(text: &str) -> Vec<String> {
    words(text).map(|word| fold(word.text)).collect()
}

/// The position of the first of some phrases, which are separated by commas, among folded words.
pub fn first_phrase(words: &[String], phrases: &str) -> Option<usize> {
    let positions = phrases.split(", ").filter_map(|own| phrase(words, own));
    positions.min()
}

/// The position of a phrase, whose words are separated by spaces, among folded words.
pub fn phrase(words: &[String], phrase: &str) -> Option<usize> {
    let (first, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
    let goes_on = |at: usize| {
        let mut behind = words[at + 1..].iter();
        let mut rest = rest.split(' ').filter(|own| !own.is_empty());
        rest.all(|own| behind.next().is_some_and(|word| word == own))
    };
    (0..words.len()).find(|at| words[*at] == first && goes_on(*at))
}

/// `true` if two stems are equal, or share a prefix of at least five letters and differ in at most
/// three: "hygien" and "hygienic". Both limits were chosen by hand.
pub fn same_root(left: &str, right: &str) -> bool {
    let shared = left
        .chars()
        .zip(right.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let longer = left.chars().count().max(right.chars().count());
    left == right || shared >= 5 && longer - shared <= 3
}

/// English stop words, sorted.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "after",
    "again",
    "all",
    "also",
    "although",
    "always",
    "am",
    "an",
    "and",
    "another",
    "any",
    "are",
    "aren't",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "between",
    "both",
    "but",
    "by",
    "can",
    "can't",
    "cannot",
    "could",
    "couldn't",
    "did",
    "didn't",
    "do",
    "does",
    "doesn't",
    "doing",
    "don't",
    "done",
    "during",
    "each",
    "either",
    "else",
    "etc",
    "even",
    "ever",
    "every",
    "few",
    "for",
    "from",
    "further",
    "get",
    "gets",
    "getting",
    "give",
    "given",
    "gives",
    "go",
    "goes",
    "going",
    "had",
    "hadn't",
    "has",
    "hasn't",
    "have",
    "haven't",
    "having",
    "he",
    "hence",
    "her",
    "here",
    "hers",
    "herself",
    "him",
    "himself",
    "his",
    "how",
    "however",
    "i",
    "i'd",
    "i'm",
    "i've",
    "if",
    "in",
    "instead",
    "into",
    "is",
    "isn't",
    "it",
    "it's",
    "its",
    "itself",
    "just",
    "let",
    "let's",
    "many",
    "may",
    "me",
    "might",
    "more",
    "most",
    "much",
    "must",
    "my",
    "myself",
    "neither",
    "no",
    "nor",
    "not",
    "of",
    "off",
    "often",
    "on",
    "once",
    "one",
    "only",
    "or",
    "other",
    "others",
    "otherwise",
    "our",
    "ours",
    "ourselves",
    "out",
    "over",
    "own",
    "per",
    "quite",
    "rather",
    "really",
    "same",
    "shall",
    "she",
    "should",
    "shouldn't",
    "since",
    "so",
    "some",
    "still",
    "such",
    "than",
    "that",
    "that's",
    "the",
    "their",
    "theirs",
    "them",
    "themselves",
    "then",
    "there",
    "there's",
    "therefore",
    "these",
    "they",
    "they're",
    "this",
    "those",
    "though",
    "through",
    "thus",
    "to",
    "too",
    "until",
    "up",
    "upon",
    "us",
    "very",
    "via",
    "was",
    "wasn't",
    "we",
    "we'll",
    "we're",
    "we've",
    "were",
    "weren't",
    "what",
    "what's",
    "when",
    "where",
    "whereas",
    "whether",
    "which",
    "while",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "within",
    "without",
    "won't",
    "would",
    "wouldn't",
    "yet",
    "you",
    "you'll",
    "you're",
    "your",
    "yours",
    "yourself",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_carry_their_ranges() {
        let text = "The naïve can't, 3.5 世界!";
        let texts: Vec<&str> = words(text).map(|word| word.text).collect();
        assert_eq!(texts, ["The", "naïve", "can't", "3.5", "世", "界"]);
        assert!(words(text).all(|word| &text[word.range.clone()] == word.text));
    }

    #[test]
    fn words_written_with_and_without_a_hyphen_are_the_same() {
        let texts = |text| words(text).map(|word| word.text).collect::<Vec<_>>();
        assert_eq!(
            texts("Wi-Fi, an E-mail; e-bike"),
            ["wifi", "an", "email", "e", "bike"]
        );
        assert_eq!(texts("wi fi e\nmail"), ["wi", "fi", "e", "mail"]);
        let ranges: Vec<_> = words("the Wi-Fi").map(|word| word.range).collect();
        assert_eq!(ranges, [0..3, 4..9]);
    }

    #[test]
    fn words_are_those_of_the_whole_text_by_unicode() {
        for text in [
            "",
            "\n\n",
            "one two\r\nthree",
            "caf\u{e9} l'eau\n\u{301}x 3.5\n,5 a\u{200d}\nb",
            "\u{1f1e6}\u{1f1e7}\n\u{1f1e8}",
            "a\u{b}b\u{2028}c\u{85}d",
        ] {
            let expected: Vec<_> = text.unicode_word_indices().collect();
            let actual: Vec<_> = words(text)
                .map(|word| (word.range.start, word.text))
                .collect();
            assert_eq!(actual, expected, "{text:?}");
        }
    }

    #[test]
    fn folding_unites_spellings_but_keeps_vowel_signs() {
        for (written, folded) in [
            ("Café", "cafe"),
            ("ﬁne", "fine"),
            ("ＡＢＣ", "abc"),
            ("İ", "i"),
            ("Don’t", "don't"),
            ("हिन्दी", "हिन्दी"),
            ("١٩٤٥", "1945"),
            ("한글", "한글"),
        ] {
            assert_eq!(fold(written), folded, "{written}");
        }
    }

    #[test]
    fn stems_unite_inflections_and_no_more() {
        for same in [
            &["closure", "closures"][..],
            &["make", "makes", "making"],
            &["run", "runs", "running"],
            &["query", "queries", "queried", "querying"],
            &["class", "classes"],
            &["use", "uses", "used", "using"],
            &["type", "types", "typed", "typing"],
            &["cache", "caches", "cached", "caching"],
            &["embed", "embedded", "embedding"],
            &["alias", "aliases"],
            &["call", "calls", "called", "calling"],
            &["user", "users", "user's"],
            &["herring", "herrings"],
        ] {
            let stems: Vec<String> = same.iter().map(|word| stem(word)).collect();
            assert!(
                stems.iter().all(|stem| *stem == stems[0]),
                "{same:?} {stems:?}"
            );
        }
        assert_ne!(stem("specialization"), stem("special"));
        assert_ne!(stem("herring"), stem("her"));
        assert_eq!(stem("added"), stem("add"));
        for alone in [
            "string", "need", "status", "basis", "free", "naïve", "世", "", "x86s", "'s",
        ] {
            let once = stem(alone);
            assert_eq!(stem(&once), once, "{alone}");
        }
    }

    #[test]
    fn words_of_one_root() {
        assert!(same_root("hygien", "hygienic") && same_root("rust", "rust"));
        assert!(!same_root("rust", "rusty") && !same_root("special", "specialization"));
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }
}

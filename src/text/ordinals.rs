//! German ordinals, which are written with a full stop that ends no sentence: "in der 8. Sitzung".

use super::words::{fold, is_stop_word};

/// `true` if a number with a full stop is a German ordinal: "am 27. Januar", "Ludwig XIV. und".
pub(super) fn is_ordinal(before: &str, word: &str, after: &str) -> bool {
    let number = word.strip_suffix('.').unwrap_or_default();
    let is_number = matches!(number.len(), 1 | 2) && number.bytes().all(|b| b.is_ascii_digit())
        || !number.is_empty() && number.bytes().all(|byte| b"IVXL".contains(&byte));
    let next = after.trim_start();
    // Without capital letters any sentence begins in lower case.
    let continues = next.starts_with(char::is_lowercase) && before.contains(char::is_uppercase);
    // "Minutes no. 61 (2024), 2. Mill Lane: …" names a heading of a document.
    let names_heading = || {
        before
            .trim_end()
            .strip_suffix(word)
            .is_some_and(|own| own.ends_with("), "))
    };
    let is_month = || AFTER_ORDINALS.iter().any(|noun| next.starts_with(noun));
    is_number
        && (continues
            || names_heading()
            || is_month()
            || is_between_article_and_noun(before, word, next))
}

/// `true` if a number stands between a German article and a noun, "in der 8. Sitzung", and not
/// before the next sentence: "am 8. Der Rat".
fn is_between_article_and_noun(before: &str, number: &str, next: &str) -> bool {
    let before = before.trim_end().strip_suffix(number).unwrap_or_default();
    let last = before
        .trim_end()
        .rsplit(|c: char| !c.is_alphabetic())
        .next();
    let next = next
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let is_article = last.is_some_and(|last| ARTICLES.contains(&fold(last).as_str()));
    let next_folded = fold(next);
    let begins = FIRST_WORDS.contains(&next_folded.as_str()) || is_stop_word(&next_folded);
    is_article && next.starts_with(char::is_uppercase) && !begins
}

/// German articles, alone or with a preposition, after which a number with a full stop is an
/// ordinal; a closed list, written by hand.
const ARTICLES: &[&str] = &[
    "am", "beim", "das", "dem", "den", "der", "des", "die", "ihre", "ihrer", "im", "ins", "jede",
    "jeden", "jeder", "jedes", "seine", "seiner", "vom", "zum", "zur",
];

/// German words with a capital that are no nouns, with which the next sentence begins; folded.
const FIRST_WORDS: &[&str] = &[
    "aber", "alle", "als", "am", "an", "auch", "auf", "aus", "bei", "bis", "da", "damit", "danach",
    "dann", "das", "dem", "den", "der", "des", "die", "dies", "diese", "dieser", "dieses", "doch",
    "ein", "eine", "einem", "einen", "einer", "er", "es", "fur", "ihr", "im", "in", "ist", "jede",
    "jeder", "kein", "keine", "mit", "nach", "nicht", "nur", "ob", "oder", "ohne", "seit", "sie",
    "sind", "so", "uber", "und", "unter", "vom", "von", "vor", "wann", "was", "wegen", "wenn",
    "wer", "wie", "wir", "wird", "zu", "zum", "zur",
];

/// The German nouns, or their first letters, that follow ordinals: months and centuries.
const AFTER_ORDINALS: &[&str] = &[
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai ",
    "Juni ",
    "Juli ",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
    "Jahrhundert",
];

//! The names of sessions: a slug of the topic and the first digits of the key's hash, such as
//! `do-heat-pumps-work-in-old-houses-3fa9c1`.
//!
//! The same key has the same name on any day and under any version of this program: the
//! compatibility decomposition of a letter never changes (the stability policy of Unicode).

use anyhow::{Result, ensure};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::pipeline::Digest;

/// Digits of the hash in a session's name; more are used where two topics share them.
pub(super) const HASH_DIGITS: usize = 6;

/// The longest slug, in bytes. Chosen by hand: half of a terminal's width.
const SLUG_BYTES: usize = 40;

/// The slug of a topic without a letter or digit of ASCII, even decomposed.
const NAMELESS: &str = "topic";

/// The name of the session of a topic, with this many digits of the hash of its key.
pub(super) fn derived(topic: &str, hash: &Digest, digits: usize) -> String {
    format!("{}-{}", slug(topic), &hash.as_str()[..digits])
}

/// The digits of the hash at the end of a name, if it ends in any.
pub(super) fn hash_digits(name: &str) -> Option<&str> {
    let (_, digits) = name.rsplit_once('-')?;
    let is_lower_hex = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    (digits.len() >= HASH_DIGITS && digits.bytes().all(is_lower_hex)).then_some(digits)
}

/// The first words of a topic in lower-case ASCII letters and digits, with hyphens in between. It
/// has no other character, whatever the topic holds, so it is safe as the part of a path.
fn slug(topic: &str) -> String {
    let mut plain = String::new();
    for letter in topic.nfkd().filter(|letter| !is_within_word(*letter)) {
        match latin(letter) {
            Some(letters) => plain.push_str(letters),
            None if letter.is_ascii_alphanumeric() => plain.push(letter.to_ascii_lowercase()),
            None => plain.push(' '),
        }
    }
    let mut slug = String::new();
    for word in plain.split_ascii_whitespace() {
        if slug.is_empty() {
            // A word is cut only if it alone is too long.
            slug.push_str(&word[..word.len().min(SLUG_BYTES)]);
        } else if slug.len() + 1 + word.len() <= SLUG_BYTES {
            slug.push('-');
            slug.push_str(word);
        } else {
            break;
        }
    }
    if slug.is_empty() {
        slug.push_str(NAMELESS);
    }
    slug
}

/// `true` for marks and apostrophes, which do not end a word.
fn is_within_word(letter: char) -> bool {
    is_combining_mark(letter) || matches!(letter, '\'' | '’')
}

/// The usual spelling of the Latin letters that Unicode does not decompose.
fn latin(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' | 'ẞ' => "ss",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        'ø' | 'Ø' => "o",
        'đ' | 'Đ' | 'ð' | 'Ð' => "d",
        'ł' | 'Ł' => "l",
        'þ' | 'Þ' => "th",
        'ı' => "i",
        _ => return None,
    })
}

/// Checks that a name is a plain path component.
///
/// # Errors
/// When it is none, or has another meaning.
pub fn check_name(name: &str) -> Result<()> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    ensure!(
        !name.is_empty()
            && name.len() <= 100
            && name.chars().all(fits)
            && !name.starts_with(['.', '-']),
        "the session name {name:?} cannot be used: at most 100 letters, digits, - _ and . are, \
         not beginning with . or -"
    );
    ensure!(
        name != "last",
        "the session name \"last\" is taken: it means the session started last"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_short_plain_words_of_any_topic() {
        for (topic, expected) in [
            (
                "Do heat pumps work in old houses?",
                "do-heat-pumps-work-in-old-houses",
            ),
            ("What's  new -- in C++ & Rust?", "whats-new-in-c-rust"),
            (
                "Wie laut ist eine Wärmepumpe?",
                "wie-laut-ist-eine-warmepumpe",
            ),
            ("Große Łódź ﬁne Ⅳ", "grosse-lodz-fine-iv"),
            ("../../etc/passwd\0\n", "etc-passwd"),
            ("-rf / .hidden", "rf-hidden"),
            ("ヒートポンプ", "topic"),
            ("", "topic"),
            ("\u{202e}\u{1b}[31m?", "31m"),
        ] {
            assert_eq!(slug(topic), expected, "{topic:?}");
        }
    }

    #[test]
    fn slugs_are_cut_between_words_and_a_long_word_within() {
        let words = slug(&"noise limits ".repeat(100_000));
        assert_eq!(words, "noise-limits-noise-limits-noise-limits");
        assert_eq!(slug(&"x".repeat(1 << 20)), "x".repeat(SLUG_BYTES));
        assert_eq!(slug(&"ß".repeat(99)), "s".repeat(SLUG_BYTES));
    }
}

//! Signs (symbols, operators) as the subject of a text: a quoted `?` is a token, and so is the
//! phrase "question mark".
//!
//! Texts on languages, formats and notations are full of signs, and queries ask for them by name. A
//! sign that serves only as punctuation is not a token.

use super::words::{self, Word};

/// The names of signs, mostly those of Unicode, in one or two words. Ambiguous names such as colon
/// and hash are left out.
const NAMES: &[(&str, &str, &str)] = &[
    ("", "ampersand", "&"),
    ("", "asterisk", "*"),
    ("", "semicolon", ";"),
    ("", "tilde", "~"),
    ("", "underscore", "_"),
    ("at", "sign", "@"),
    ("dollar", "sign", "$"),
    ("equal", "sign", "="),
    ("equals", "sign", "="),
    ("exclamation", "mark", "!"),
    ("exclamation", "point", "!"),
    ("minus", "sign", "-"),
    ("percent", "sign", "%"),
    ("plus", "sign", "+"),
    ("question", "mark", "?"),
];

/// The maximum length of a sign, in bytes, such as `..=`.
const MAX_SIGN_BYTES: usize = 3;

/// The words of a text in order, each followed by the sign that it names and the sign that is
/// quoted after it. The range of a named sign is that of its name.
pub fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut words = words::words(text);
    let mut before: Option<Word<'_>> = None;
    let (mut name, mut after_sign) = (None, None);
    // Where the gap before the next word begins.
    let mut gap = 0;
    std::iter::from_fn(move || {
        if let Some(sign) = name.take() {
            return Some(sign);
        }
        let word = match after_sign.take() {
            Some(word) => word,
            None => {
                let word = words.next();
                let next = word
                    .as_ref()
                    .map_or(text.len()..text.len(), |word| word.range.clone());
                let sign = quoted(text, gap..next.start);
                gap = next.end;
                if sign.is_some() {
                    after_sign = word;
                    return sign;
                }
                word?
            }
        };
        if may_name(word.text) {
            name = named(text, before.as_ref(), &word);
        }
        before = Some(word.clone());
        Some(word)
    })
}

/// `true` if a word begins like the last word of a name in `NAMES`: a cheap filter before the
/// lookup.
fn may_name(word: &str) -> bool {
    let [first, second, _, _, ..] = word.as_bytes() else {
        return false;
    };
    let beginning = [first, second].map(u8::to_ascii_lowercase);
    matches!(
        &beginning,
        b"am" | b"as" | b"ma" | b"po" | b"se" | b"si" | b"ti" | b"un"
    )
}

fn named<'a>(text: &'a str, before: Option<&Word<'a>>, word: &Word<'a>) -> Option<Word<'a>> {
    // Plurals too: "question marks".
    let last = word.text.strip_suffix('s').unwrap_or(word.text);
    let mut candidates = NAMES
        .iter()
        .filter(|(_, second, _)| second.eq_ignore_ascii_case(last));
    candidates.find_map(|(first, _, sign)| {
        let start = if first.is_empty() {
            word.range.start
        } else {
            let before = before.filter(|before| before.text.eq_ignore_ascii_case(first))?;
            let between = &text[before.range.end..word.range.start];
            [" ", "\n", "-", "_"]
                .contains(&between)
                .then_some(before.range.start)?
        };
        Some(Word {
            text: sign,
            range: start..word.range.end,
        })
    })
}

/// The signs between spaces and before a word, as in a query about the ? operator. In other texts
/// than queries they may be punctuation.
pub fn isolated(text: &str) -> impl Iterator<Item = &str> {
    let mut parts = text.split_whitespace().peekable();
    std::iter::from_fn(move || {
        let part = parts.next()?;
        Some((part, parts.peek().is_some()))
    })
    .filter(|(part, is_followed)| {
        *is_followed
            && part.len() <= MAX_SIGN_BYTES
            && part.bytes().all(|byte| byte.is_ascii_punctuation())
    })
    .map(|(part, _)| part)
}

/// The sign between quotation marks or backticks in a gap between words.
fn quoted(text: &str, gap: std::ops::Range<usize>) -> Option<Word<'_>> {
    // The shortest is two marks around one sign.
    if gap.len() < 3 {
        return None;
    }
    let bytes = text[gap.clone()].as_bytes();
    let is_mark = |byte: &u8| matches!(byte, b'`' | b'\'' | b'"');
    (0..bytes.len()).find_map(|open| {
        let mark = bytes.get(open).filter(|byte| is_mark(byte))?;
        let rest = &bytes[open + 1..];
        let is_sign = |byte: &&u8| byte.is_ascii_punctuation() && !is_mark(byte);
        let length = rest.iter().take_while(is_sign).count();
        let is_closed = (1..=MAX_SIGN_BYTES).contains(&length) && rest.get(length) == Some(mark);
        let start = gap.start + open + 1;
        is_closed.then(|| Word {
            text: &text[start..start + length],
            range: start..start + length,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_passes_the_filter() {
        for (first, second, sign) in NAMES {
            let name = format!("{first} {second}");
            assert!(words(&name).any(|word| word.text == *sign), "{name}");
        }
    }

    #[test]
    fn quoted_and_named_signs_are_tokens() {
        let of = |text: &str| {
            let words = words(text).map(|word| word.text.to_owned());
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            of("Why the question mark? No!"),
            "Why the question mark ? No"
        );
        assert_eq!(of("`?` or \"..=\" and `->`"), "? or ..= and ->");
        assert_eq!(
            of("Question-marks, ampersands"),
            "Question marks ? ampersands &"
        );
        assert_eq!(
            of("a question. Mark it, `x?`, \"so?\""),
            "a question Mark it x so"
        );
    }
}

//! Numbers as they are written outside of English: with spaces between groups of three digits, as
//! ISO 80000-1 has them, and with a decimal comma.

use super::gloss;
use crate::text::{self, Word};

/// The spaces between groups; a narrow no-break space does not even end a word.
const SPACES: [&str; 3] = [" ", "\u{a0}", "\u{2009}"];
const NARROW: char = '\u{202f}';

/// Words before a number that is a name or a day, so that the digits behind it begin another one:
/// "Table 2 150 rows", "on 12 May 300 boats".
const NAMED: &[&str] = &[
    "abb", "abs", "annex", "appendix", "art", "article", "artikel", "batch", "bed", "block", "box",
    "building", "bus", "chapter", "clause", "day", "fig", "figure", "floor", "gate", "group",
    "hall", "house", "item", "kapitel", "lane", "level", "line", "lot", "no", "note", "nr",
    "option", "page", "part", "phase", "platform", "plot", "pp", "question", "room", "route",
    "row", "rule", "section", "seite", "site", "stage", "step", "tab", "tabelle", "table", "team",
    "track", "train", "type", "unit", "version", "ward", "week", "year", "zone",
];

/// The digits of the number that begins at a word, with a decimal point and without spaces, and how
/// many words it is; `None` if that is how it is written.
pub(super) fn number(words: &[Word<'_>], at: usize, text: &str) -> Option<(String, usize)> {
    let word = words.get(at)?.text;
    let first = word.replace(NARROW, "");
    let is_named = |before: usize| {
        let folded = text::fold(words[before].text);
        // "020 794 600" is the number of a telephone.
        let is_digits = folded.bytes().all(|byte| byte.is_ascii_digit())
            && SPACES.contains(&&text[words[before].range.end..words[at].range.start]);
        // The row "A 12 300" of a table in plain text.
        let is_letter = words[before].text.len() == 1 && folded != "a";
        is_digits || is_letter || NAMED.contains(&&*folded) || text::MONTHS.contains(&&*folded)
    };
    let may_be_grouped = !at.checked_sub(1).is_some_and(is_named) && is_first_group(&first);
    let is_joined = first.len() < word.len() && first.bytes().all(|byte| byte.is_ascii_digit());
    let mut digits = first;
    let mut length = 1;
    while may_be_grouped
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && let Some(next) = words.get(at + length)
        && SPACES.contains(&&text[words[at + length - 1].range.end..next.range.start])
        && is_further_group(next.text)
    {
        digits.push_str(next.text);
        length += 1;
    }
    let pointed = with_point(&digits).or_else(|| thousands_of_german(&digits, text));
    (length > 1 || is_joined || pointed.is_some()).then(|| (pointed.unwrap_or(digits), length))
}

/// One to three digits, the first no zero.
fn is_first_group(word: &str) -> bool {
    word.len() <= 3 && !word.starts_with('0') && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Three digits, perhaps with decimals.
fn is_further_group(word: &str) -> bool {
    let (whole, decimals) = word.split_once([',', '.']).unwrap_or((word, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    whole.len() == 3 && is_number(whole) && is_number(decimals)
}

/// A number with a decimal comma with a point instead, and without the points between its groups:
/// "1.205,1". Three digits behind a comma are a group of English.
fn with_point(number: &str) -> Option<String> {
    let (whole, decimals) = number.split_once(',')?;
    let is_decimal = !decimals.is_empty()
        && decimals.len() != 3
        && decimals.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split('.');
    let is_first = groups
        .next()
        .is_some_and(|first| (1..=3).contains(&first.len()));
    let is_grouped = !whole.contains('.') || is_first && groups.all(|group| group.len() == 3);
    let is_number = whole
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    (is_decimal && is_grouped && is_number && whole.starts_with(|c: char| c.is_ascii_digit()))
        .then(|| format!("{}.{decimals}", whole.replace('.', "")))
}

/// A whole number with points between its groups, as German has them: "24.500". Elsewhere it is
/// one with three decimals.
fn thousands_of_german(number: &str, text: &str) -> Option<String> {
    let mut groups = number.split('.');
    let is_grouped = groups.next().is_some_and(is_first_group)
        && number.contains('.')
        && groups.all(|group| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit()));
    (is_grouped && gloss::has_free_order(text)).then(|| number.replace('.', ""))
}

#[cfg(test)]
mod tests {
    use super::super::digits::with_digits;

    #[test]
    fn numbers_with_spaces_and_decimal_commas_are_read_as_with_points() {
        for (written, read) in [
            ("24 500 t", "24500 t"),
            (
                "24\u{a0}500 and 1\u{202f}204\u{202f}000 t",
                "24500 and 1204000 t",
            ),
            ("27 977,4 t or 27 977.4 t", "27977.4 t or 27977.4 t"),
            ("from 21 400 to 23 100", "from 21400 to 23100"),
            ("3,5 % and 1.205,1 t", "3.5 % and 1205.1 t"),
            ("1,204 t, 3,5,7 and 2, 4", "1,204 t, 3,5,7 and 2, 4"),
            (
                "Der Ort hat mit allen 24.500 Einwohner",
                "the Ort hat with all 24500 Einwohner",
            ),
            ("it is 24.500 m", "it is 24.500 m"),
            ("in hall 12 300 seats", "in hall 12 300 seats"),
            ("in 2024 500 boats", "in 2024 500 boats"),
            (
                "Table 2 150 rows, May 12 300 boats",
                "Table 2 150 rows, May 12 300 boats",
            ),
            ("020 794 600, 12 34, 5 0001", "020 794 600, 12 34, 5 0001"),
        ] {
            assert_eq!(with_digits(written), read, "{written:?}");
        }
    }
}

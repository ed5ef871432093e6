//! Number words as digits, so that "twenty-five" is compared with 25, and "half of" with 50 %.

use std::ops::Range;

use super::{gloss, grouped, lexicon};
use crate::text::{self, Word};

/// Words of a scale that stay: the number before them is multiplied when quantities are read.
pub(super) const SCALES: [&str; 4] = ["thousand", "million", "billion", "trillion"];

/// Parts of a whole, one and several of them, with their per cent.
const FRACTIONS: &[(&str, &str, f64)] = &[
    ("half", "halves", 50.0),
    ("third", "thirds", 100.0 / 3.0),
    ("quarter", "quarters", 25.0),
    ("fifth", "fifths", 20.0),
    ("tenth", "tenths", 10.0),
];

/// A text with digits in place of number words: "7 years" for "seven years".
pub fn with_digits(text: &str) -> String {
    Digits::of(text).text
}

/// A sentence with digits in place of number words.
pub(in crate::cite) struct Digits<'a> {
    pub(in crate::cite) original: &'a str,
    pub(in crate::cite) text: String,
    /// The end of each replaced run of words, in `text` and in `original`.
    ends: Vec<(usize, usize)>,
    glosses: Vec<(&'static str, &'a str)>,
}

impl<'a> Digits<'a> {
    pub(in crate::cite) fn of(original: &'a str) -> Self {
        let words: Vec<Word<'_>> = text::words(original).collect();
        let folded: Vec<String> = words.iter().map(|word| text::fold(word.text)).collect();
        let folded: Vec<&str> = folded.iter().map(String::as_str).collect();
        let (mut text, mut ends) = (String::with_capacity(original.len()), Vec::new());
        let mut glosses = Vec::new();
        let (mut end, mut at) = (0, 0);
        while at < words.len() {
            let replaced = grouped::number(&words, at, original)
                .or_else(|| date(&words[at..]))
                .or_else(|| end_of_month(&folded, at))
                .or_else(|| interval(&folded, at))
                .or_else(|| fraction(&folded, at))
                .or_else(|| english_day(&folded, at))
                .or_else(|| number(&folded, at))
                .or_else(|| ordinal_day(&words[at..], original))
                .or_else(|| period(&words, at, original))
                .or_else(|| speed(&folded, at))
                .or_else(|| {
                    // "MIT" and "DER" are names.
                    let is_name = is_capitals(words[at].text);
                    let (english, length) = gloss::english(&folded, at).filter(|_| !is_name)?;
                    let written = words[at].range.start..words[at + length - 1].range.end;
                    glosses.push((english, &original[written]));
                    Some((english.to_owned(), length))
                });
            let Some((digits, length)) = replaced else {
                at += 1;
                continue;
            };
            text.push_str(&original[end..words[at].range.start]);
            text.push_str(&digits);
            at += length;
            end = words[at - 1].range.end;
            ends.push((text.len(), end));
        }
        text.push_str(&original[end..]);
        Self {
            original,
            text,
            ends,
            glosses,
        }
    }

    /// The English for words of another language, and these as they are written.
    pub(in crate::cite) fn glosses(&self) -> Vec<(&'static str, Box<str>)> {
        let glosses = self.glosses.iter();
        glosses
            .map(|(english, written)| (*english, Box::from(*written)))
            .collect()
    }

    /// The range of the original that a range of the text stands for.
    pub(in crate::cite) fn original(&self, range: Range<usize>) -> Range<usize> {
        let position = |at: usize| {
            let after = self.ends.partition_point(|(end, _)| *end <= at);
            let (text, original) = after.checked_sub(1).map_or((0, 0), |last| self.ends[last]);
            // Inside of a replaced word, which is of another length.
            self.original.floor_char_boundary(at - text + original)
        };
        position(range.start)..position(range.end)
    }
}

/// The day or the month of an ISO 8601 date as it is written in words, "14 June 2026" for
/// 2026-06-14 and "June 2026" for 2026-06, and how many words it is. The hour behind the T of a
/// date with a time is a word of its own: "14 June 2026 18" for 2026-06-14T18.
fn date(words: &[Word<'_>]) -> Option<(String, usize)> {
    let parts = [4, 2, 2];
    let is_part = |(word, length): &(&Word<'_>, usize)| {
        let digits = without_hour(word.text).0;
        digits.len() == *length && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_beside = |at: usize| at == 0 || words[at - 1].range.end + 1 == words[at].range.start;
    let parts = words.iter().zip(parts).enumerate();
    let length = parts
        .take_while(|(at, part)| is_beside(*at) && is_part(part))
        .count();
    let (year, month) = (
        words.first()?.text,
        words.get(1)?.text.parse::<usize>().ok()?,
    );
    let name = text::MONTHS.get(month.checked_sub(1)?)?;
    let (first, rest) = name.split_at(1);
    let name = first.to_uppercase() + rest;
    match length {
        3 => {
            let (day, hour) = without_hour(words[2].text);
            let hour = hour.map(|hour| format!(" {hour}")).unwrap_or_default();
            let day = day.trim_start_matches('0');
            Some((format!("{day} {name} {year}{hour}"), 3))
        }
        // "2010-11" may be two years, and is left as it is.
        2 if year
            .parse::<usize>()
            .is_ok_and(|year| year % 100 + 1 != month) =>
        {
            Some((format!("{name} {year}"), 2))
        }
        _ => None,
    }
}

/// The day of a date and the hour behind its T: 14 and 18 of "14T18".
fn without_hour(word: &str) -> (&str, Option<&str>) {
    let parts = word.split_once('T');
    let parts =
        parts.filter(|(_, hour)| hour.len() == 2 && hour.bytes().all(|byte| byte.is_ascii_digit()));
    parts.map_or((word, None), |(day, hour)| (day, Some(hour)))
}

/// The day of a month that is an English ordinal, without its ending: 6 for the word of "March
/// 6th" and of "6th March".
fn english_day(words: &[&str], at: usize) -> Option<(String, usize)> {
    let endings = ["st", "nd", "rd", "th"];
    let day = endings.iter().find_map(|end| words[at].strip_suffix(end))?;
    let is_day = day.parse().is_ok_and(|day: u8| (1..=31).contains(&day));
    let is_month = |at: usize| words.get(at).is_some_and(|own| text::MONTHS.contains(own));
    let is_before = is_month(at + 1) || words.get(at + 1) == Some(&"of") && is_month(at + 2);
    let is_of_month = is_before || at.checked_sub(1).is_some_and(is_month);
    (is_day && is_of_month).then(|| (day.to_owned(), 1))
}

/// `true` for a word of several letters that are all capitals.
fn is_capitals(word: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(char::is_uppercase)
}

/// The day of a month that is an ordinal, as in German, without its dot: "18 April" for
/// "18. April", and how many words it is.
fn ordinal_day(words: &[Word<'_>], sentence: &str) -> Option<(String, usize)> {
    let [day, month, ..] = words else {
        return None;
    };
    let is_day = day
        .text
        .parse::<u8>()
        .is_ok_and(|day| (1..=31).contains(&day));
    let is_ordinal = sentence.get(day.range.end..month.range.start) == Some(". ");
    let folded = text::fold(month.text);
    let name = gloss::english(&[&folded], 0).map_or(month.text, |(english, _)| english);
    let is_month = text::MONTHS.contains(&text::fold(name).as_str());
    (is_day && is_ordinal && is_month).then(|| (format!("{} {name}", day.text), 2))
}

/// Speeds in words; a closed list, written by hand.
const SPEEDS: [(&str, &str, &str); 6] = [
    ("kilometres", "hour", "km/h"),
    ("kilometers", "hour", "km/h"),
    ("km", "hour", "km/h"),
    ("metres", "second", "m/s"),
    ("meters", "second", "m/s"),
    ("miles", "hour", "mph"),
];

/// The sign of a speed that is written in words, "km/h" for "kilometres per hour", and how many
/// words it is.
fn speed(words: &[&str], at: usize) -> Option<(String, usize)> {
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let is_per = matches!(word(at + 1), "per" | "an" | "a");
    let mut speeds = SPEEDS.iter();
    let speed = speeds.find(|(unit, period, _)| word(at) == *unit && word(at + 2) == *period);
    speed
        .filter(|_| is_per)
        .map(|(.., sign)| ((*sign).to_owned(), 3))
}

/// Signs of periods behind a slash.
const PERIODS: [(&str, &str); 7] = [
    ("s", "second"),
    ("sec", "second"),
    ("min", "minute"),
    ("h", "hour"),
    ("hr", "hour"),
    ("hrs", "hour"),
    ("d", "day"),
];

/// The period of a rate of what is counted, in a word: "jobs/second" for "jobs/s". Those of units,
/// as in "km/h" and "MB/s", belong to them.
fn period(words: &[Word<'_>], at: usize, sentence: &str) -> Option<(String, usize)> {
    let (_, period) = PERIODS.iter().find(|(sign, _)| *sign == words[at].text)?;
    let before = &words[at.checked_sub(1)?];
    let is_word = before.text.len() > 2 && before.text.chars().all(char::is_lowercase);
    let is_noun = is_word || matches!(before.text, "m3" | "m³" | "l" | "ml" | "kg" | "t");
    let is_per = sentence.get(before.range.end..words[at].range.start) == Some("/");
    (is_noun && is_per).then(|| ((*period).to_owned(), 1))
}

/// The last days of the months.
const LAST_DAYS: [u8; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// Words before the end of a month that is the last day: "until the end of June".
const BEFORE_ENDS: [&str; 6] = ["until", "till", "to", "by", "through", "on"];

/// The last day of a month of which the end is named, "30 June" for "end of June", and how many
/// words it is.
fn end_of_month(words: &[&str], at: usize) -> Option<(String, usize)> {
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    if (word(at), word(at + 1)) != ("end", "of") {
        return None;
    }
    let before = |back: usize| at.checked_sub(back).map_or("", word);
    let lead = match before(1) {
        "the" => before(2),
        other => other,
    };
    let month = text::MONTHS.iter().position(|own| *own == word(at + 2))?;
    let year = word(at + 3).parse::<u16>().ok();
    let is_leap = month == 1 && year.is_some_and(|year| year.is_multiple_of(4));
    let day = LAST_DAYS[month] + u8::from(is_leap);
    let name = text::MONTHS[month];
    let (first, rest) = name.split_at(1);
    let named = format!("{day} {}{rest}", first.to_uppercase());
    BEFORE_ENDS.contains(&lead).then_some((named, 3))
}

/// The beginning of a period without a number, with its number: "every 1" of "every week" and of
/// "once a week".
fn interval(words: &[&str], at: usize) -> Option<(String, usize)> {
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let length = match (word(at), word(at + 1)) {
        ("once", "a" | "an" | "per" | "every" | "each") => 2,
        ("every" | "each", _) => 1,
        _ => return None,
    };
    let is_period = matches!(
        word(at + length),
        "second" | "minute" | "hour" | "day" | "week" | "month" | "year"
    );
    // "Every second Thursday" counts Thursdays.
    let next = word(at + length + 1);
    let is_ordinal = word(at + length) == "second" && !next.is_empty() && !text::is_stop_word(next);
    (is_period && !is_ordinal).then(|| ("every 1".to_owned(), length))
}

/// The digits of the number words that begin at a word, and how many words they are.
fn number(words: &[&str], at: usize) -> Option<(String, usize)> {
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    // "A" and "one" count before a scale only: they are more often an article and a pronoun.
    let is_one = matches!(word(at), "a" | "an" | "one");
    if is_one && SCALES.contains(&word(at + 1)) {
        return Some(("1".to_owned(), 1));
    }
    let digits = Some(word(at)).filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(digits) = digits.or((word(at) == "one").then_some("1"))
        && let Some((half, more)) = with_half(words, at + 1, digits)
    {
        return Some((half, 1 + more));
    }
    // "Once" at the beginning of a clause is a conjunction, "once the pump runs", and "at once" no
    // number.
    let follows_at = at.checked_sub(1).is_some_and(|before| word(before) == "at");
    if word(at) == "once"
        && !follows_at
        && matches!(
            word(at + 1),
            "" | "by" | "in" | "more" | "only" | "and" | "before" | "during" | "at"
        )
    {
        return Some(("1 times".to_owned(), 1));
    }
    if word(at) == "twice" {
        return Some(("2 times".to_owned(), 1));
    }
    let is_one = is_one && matches!(word(at + 1), "hundred" | "dozen");
    let (mut value, mut length) = if is_one {
        (1, 1)
    } else {
        below_hundred(word(at), word(at + 1))?
    };
    let factor = match word(at + length) {
        "hundred" => 100,
        "dozen" => 12,
        _ => 1,
    };
    value *= factor;
    length += usize::from(factor > 1);
    if factor == 100 {
        let and = usize::from(word(at + length) == "and");
        let rest = at + length + and;
        if let Some((tail, further)) = below_hundred(word(rest), word(rest + 1)) {
            value += tail;
            length += and + further;
        }
    }
    let digits = value.to_string();
    Some(
        with_half(words, at + length, &digits)
            .map_or((digits, length), |(digits, more)| (digits, length + more)),
    )
}

/// The digits of a number before "and a half", and the number of these words.
fn with_half(words: &[&str], after: usize, digits: &str) -> Option<(String, usize)> {
    let is_half = words.get(after..after + 3) == Some(&["and", "a", "half"]);
    is_half.then(|| (format!("{digits}.5"), 3))
}

/// The number below a hundred that one or two words say, and how many words it takes.
fn below_hundred(word: &str, next: &str) -> Option<(u32, usize)> {
    let value = |word: &str| lexicon::digits(word)?.parse::<u32>().ok();
    let tens = value(word)?;
    let ones = value(next).or((next == "one").then_some(1));
    let joined = ones.filter(|ones| tens >= 20 && *ones < 10);
    Some(joined.map_or((tens, 1), |ones| (tens + ones, 2)))
}

/// The per cent of a part of something, "half of" or "two thirds of", without the "of", and the
/// number of words.
fn fraction(words: &[&str], at: usize) -> Option<(String, usize)> {
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let counts = |word: &str| match word {
        "a" | "one" => Some(1),
        _ => lexicon::digits(word)?.parse::<u32>().ok(),
    };
    let (count, length) = counts(word(at)).map_or((1, 0), |count| (count, 1));
    let part = word(at + length);
    let of = word(at + length + 1);
    let (_, _, share) = FRACTIONS
        .iter()
        .find(|(one, several, _)| part == *one && count == 1 || part == *several && count > 1)?;
    // "The third of May" and "the second half of" are no shares.
    let is_share = match (length, part) {
        (0, "half") => {
            let before = at.checked_sub(1).map_or("", word);
            let is_ordinal = matches!(before, "first" | "second" | "other" | "latter" | "former");
            // "Half a day" is an amount.
            !is_ordinal && matches!(of, "of" | "the" | "all" | "its" | "their")
        }
        (0, _) => false,
        // "A third party" and "a third time" are none either.
        _ => count > 1 || of.is_empty() || text::is_stop_word(of),
    };
    let percent = f64::from(count) * share;
    is_share.then(|| (format!("{percent:.0} %"), length + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_words_are_digits() {
        for (words, digits) in [
            ("twenty-five people", "25 people"),
            ("Twenty five, three", "25, 3"),
            ("one hundred and five", "105"),
            ("a hundred or two dozen", "100 or 24"),
            ("two hundred thousand", "200 thousand"),
            ("a million, one by one", "1 million, one by one"),
            ("half of it, two thirds of it", "50 % of it, 67 % of it"),
            ("the second half of it", "the second half of it"),
            (
                "a third by cheque, a third party",
                "33 % by cheque, a third party",
            ),
            ("it pays twice", "it pays 2 times"),
            ("2026-06-14, 2026-06", "14 June 2026, June 2026"),
            (
                "am 18. April, am 8. März 2024",
                "am 18 April, am 8 March 2024",
            ),
            ("MIT built it mit DER", "MIT built it with DER"),
            ("2010-11, 2010-48", "2010-11, 2010-48"),
            ("80 kilometres per hour, 5 jobs/s", "80 km/h, 5 jobs/second"),
            (
                "it came once, half a day, at once",
                "it came once, half a day, at once",
            ),
            ("five and a half hours, one and a half", "5.5 hours, 1.5"),
            (
                "10 and a half years, one and a half-timbered",
                "10.5 years, 1.5-timbered",
            ),
        ] {
            assert_eq!(Digits::of(words).text, digits);
        }
        let digits = Digits::of("About twenty-five people came.");
        assert_eq!(digits.text, "About 25 people came.");
        let (original, at) = (digits.original, digits.text.find("25").unwrap());
        assert_eq!(&original[digits.original(at..at + 2)], "twenty-five");
        let at = digits.text.find("people").unwrap();
        assert_eq!(&original[digits.original(at..at + 6)], "people");
    }
}

//! Dates in texts: ISO 8601, and as people write them in English and German.

use std::borrow::Cow;

/// The first ISO 8601 date in a text, as far as it is given: a year, a month or a day, between 1000
/// and 2999.
pub fn iso_date(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let digits = |at: usize, count: usize| {
        let digits = bytes.get(at..at + count)?;
        digits
            .iter()
            .all(u8::is_ascii_digit)
            .then(|| text[at..at + count].parse::<u32>().ok())?
    };
    let ends = |at: usize| !bytes.get(at).is_some_and(u8::is_ascii_digit);
    let part = |at: usize, max: u32| {
        let dash = bytes.get(at) == Some(&b'-') && ends(at + 3);
        dash.then(|| digits(at + 1, 2))
            .flatten()
            .filter(|value| (1..=max).contains(value))
    };
    let start = (0..bytes.len()).find(|at| {
        // Not inside of a word or of a longer number.
        let free = *at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
        free && ends(at + 4) && digits(*at, 4).is_some_and(|year| (1000..3000).contains(&year))
    })?;
    // The precision ends at the first part that is no month or day.
    let length = match (part(start + 4, 12), part(start + 7, 31)) {
        (Some(_), Some(_)) => 10,
        (Some(_), None) => 7,
        _ => 4,
    };
    // All bytes of the date are ASCII, so that these are character boundaries.
    Some(text[start..start + length].to_owned())
}

/// A text whose German dates have no full stops, which end no part of a line: "3 Juli 2023" for
/// "3. Juli 2023", "2023-07-03" for "03.07.2023".
pub(super) fn plain_dates(text: &str) -> Cow<'_, str> {
    let mut plain = String::new();
    let mut written = 0;
    for (at, _) in text.match_indices('.') {
        let before = &text[..at];
        let day = &before[before.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
        if !matches!(day.len(), 1 | 2) || at < written {
            continue;
        }
        let behind = &text[at + 1..];
        let name = behind.trim_start();
        let name = name
            .split(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or_default();
        // "11. öffentlichen" is an ordinal, too.
        let is_ordinal = month(name).is_some() || name.starts_with(char::is_lowercase);
        if behind.starts_with(' ') && is_ordinal {
            plain.push_str(&text[written..at]);
            written = at + 1;
        } else if let Some((date, length)) = numbered_date(&text[at - day.len()..]) {
            plain.push_str(&text[written..at - day.len()]);
            plain.push_str(&date);
            written = at - day.len() + length;
        }
    }
    if written == 0 {
        return Cow::Borrowed(text);
    }
    plain.push_str(&text[written..]);
    Cow::Owned(plain)
}

/// The date with which a text begins in German numbers, "03.07.2023" or "3. 7. 2023", and its
/// length in bytes.
fn numbered_date(text: &str) -> Option<(String, usize)> {
    let (day, rest) = text.split_once('.')?;
    let (month, rest) = rest.split_once('.')?;
    let year = rest.trim_start().get(..4)?;
    let behind = &rest.trim_start()[4..];
    let [day, month, number] = [day, month.trim_start(), year].map(|own| own.parse::<u32>().ok());
    let (day, month, number) = (day?, month?, number?);
    let is_date = (1..=31).contains(&day)
        && (1..=12).contains(&month)
        && (1000..3000).contains(&number)
        && !behind.starts_with(|c: char| c.is_alphanumeric());
    let length = text.len() - behind.len();
    is_date.then(|| (format!("{number}-{month:02}-{day:02}"), length))
}

/// The first date in a text as people write it: `15-Sep-2006`, `March 12, 2020`, `May 2021`,
/// `3. Juli 2023` or `03.07.2023`, in English and German, as ISO 8601 as far as it is given; else
/// as [`iso_date`] does.
pub fn written_date(text: &str) -> Option<String> {
    let plain = plain_dates(text);
    let parts = plain.split([',', ';', ':', ')']).enumerate();
    let words = parts.flat_map(|(part, own)| {
        let words = own.split(|c: char| !c.is_alphanumeric());
        words.map(move |word| (part, word))
    });
    let words: Vec<(usize, &str)> = words.filter(|(_, word)| !word.is_empty()).collect();
    let named = words
        .iter()
        .enumerate()
        .find_map(|(at, (_, word))| Some((at, month(word)?)));
    let number = |at: usize| {
        let (_, word) = words.get(at)?;
        // `1st`, `2nd`, `3rd` and `4th`.
        word.trim_end_matches(char::is_alphabetic)
            .parse::<u32>()
            .ok()
    };
    let written = named.and_then(|(at, month)| {
        let years = [at + 1, at + 2].into_iter().filter_map(number);
        let year = years.into_iter().find(|year| (1000..3000).contains(year))?;
        // "Version 7, January 2025" is of no seventh of January.
        let before = at.checked_sub(1);
        let before = before.filter(|before| words[*before].0 == words[at].0);
        let before = before.and_then(number);
        let days = [before, number(at + 1)].into_iter().flatten();
        let day = days.into_iter().find(|day| (1..=31).contains(day));
        Some(match day {
            Some(day) => format!("{year}-{month:02}-{day:02}"),
            None => format!("{year}-{month:02}"),
        })
    });
    written.or_else(|| iso_date(&plain))
}

/// `true` if a text begins with the name of a month.
pub(super) fn begins_with_month(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphabetic()).next();
    first.is_some_and(|first| month(first).is_some())
}

/// The number of a month, from 1, by its name in English or German, or by the beginning of it.
pub(super) fn month(word: &str) -> Option<usize> {
    let word = crate::text::fold(word);
    let is_name = |month: &&str| word.len() >= 3 && month.starts_with(word.as_str());
    let position = |months: &[&str]| months.iter().position(&is_name);
    let position =
        position(&crate::text::MONTHS).or_else(|| position(&crate::text::GERMAN_MONTHS))?;
    Some(position + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_dates_are_read_to_their_precision() {
        for (text, date) in [
            ("2014-03-20", Some("2014-03-20")),
            ("on 2014-03-20T10:00Z", Some("2014-03-20")),
            ("2014-03", Some("2014-03")),
            ("March 2014", Some("2014")),
            ("2014-2015", Some("2014")),
            ("2014-13-40", Some("2014")),
            ("#12345", None),
            ("(fill me in)", None),
            ("٢٠١٤", None),
        ] {
            assert_eq!(iso_date(text).as_deref(), date, "{text}");
        }
    }

    #[test]
    fn dates_with_names_of_months_are_read() {
        for (text, date) in [
            ("15-Sep-2006", Some("2006-09-15")),
            ("Bus E12 (rev. 7, January 2025)", Some("2025-01")),
            ("March 12th, 2020", Some("2020-03-12")),
            ("3 June 2021", Some("2021-06-03")),
            ("Sept. 2019", Some("2019-09")),
            ("am 3. Juli 2023", Some("2023-07-03")),
            ("Stand: März 2023", Some("2023-03")),
            ("03.07.2023", Some("2023-07-03")),
            ("3. 7. 2023, 18 Uhr", Some("2023-07-03")),
            ("Version 13.14.2023", Some("2023")),
            ("2014-03-20", Some("2014-03-20")),
            ("2020", Some("2020")),
            ("May be soon", None),
            ("", None),
        ] {
            assert_eq!(written_date(text).as_deref(), date, "{text}");
        }
    }
}

//! Editions of one document, such as yearly reports: what they say holds for their times, so that
//! different numbers do not contradict each other.

use crate::artifact::source::Source;
use crate::text;

/// Words before the number of an edition in a title: "Edition 3".
const EDITIONS: &[&str] = &["edition", "version", "release", "revision", "issue"];

/// The time of an edition: its date, else its version, else the year or the version in its title,
/// as `2025`, `v2` or "Edition 3". Another number says nothing of a time: it may be that of a
/// product, a part or a chapter.
pub(super) fn time(source: &Source) -> Option<&str> {
    let version = || source.status.version.as_deref();
    let in_title = || in_title(&source.title);
    source.date.as_deref().or_else(version).or_else(in_title)
}

/// The year in a title.
pub(super) fn year_of_title(title: &str) -> Option<&str> {
    in_title(title).filter(|time| matches!(time.parse::<u16>(), Ok(1900..2100)))
}

fn in_title(title: &str) -> Option<&str> {
    let words: Vec<&str> = title.split_whitespace().collect();
    let bare = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        bare.to_lowercase()
    };
    let is_time = |at: usize| {
        let word = bare(words[at]);
        let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        let is_year = word.len() == 4 && matches!(word.parse::<u16>(), Ok(1900..2100));
        let is_version = word.strip_prefix('v').is_some_and(is_number);
        let is_counted = at > 0 && EDITIONS.contains(&bare(words[at - 1]).as_str());
        is_year || is_version || is_counted && is_number(&word)
    };
    let at = (0..words.len()).find(|at| is_time(*at))?;
    Some(words[at].trim_matches(|c: char| !c.is_alphanumeric()))
}

/// The least number of words that two titles share beside their numbers and months.
const LEAST_WORDS: usize = 2;

/// `true` if two titles are the same, but for their numbers and months.
pub(super) fn have_one_title(one: &str, other: &str) -> bool {
    let without_year = |title: &str| {
        let year = year_of_title(title)?;
        Some(title.replacen(year, "", 1))
    };
    let have_years = || without_year(one).is_some_and(|own| without_year(other) == Some(own));
    let have_dates = || without_date(one).is_some_and(|own| without_date(other) == Some(own));
    one == other || text::differing_numbers(&[one, other]).is_some() || have_years() || have_dates()
}

/// The words of a title with a date, without its numbers and months.
fn without_date(title: &str) -> Option<Vec<String>> {
    let words = text::folded(title);
    let is_of_date = |word: &&String| {
        let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
        has_digit || text::MONTHS.contains(&word.as_str())
    };
    let (date, rest): (Vec<&String>, Vec<&String>) = words.iter().partition(is_of_date);
    let is_title = !date.is_empty() && rest.len() >= LEAST_WORDS;
    is_title.then(|| rest.into_iter().cloned().collect())
}

/// `true` if two sources are editions of one document: of one title and of different times.
pub(super) fn are_editions(one: &Source, other: &Source) -> bool {
    let (own, others) = (time(one), time(other));
    own.is_some() && others.is_some() && own != others && have_one_title(&one.title, &other.title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_of_two_months_have_one_title() {
        let march = "Minutes of the depot committee, 11 March 2026";
        assert!(have_one_title(
            march,
            "Minutes of the depot committee, 13 May 2026"
        ));
        assert!(!have_one_title(march, "Minutes of the board, 13 May 2026"));
        assert!(!have_one_title(march, "Minutes of the depot committee"));
    }

    #[test]
    fn number_of_a_product_or_a_part_is_no_time() {
        for (title, time) in [
            ("Annual report 2025", Some("2025")),
            ("Report (2024)", Some("2024")),
            ("Manual v2.1", Some("v2.1")),
            ("Manual, edition 3", Some("3")),
            ("Model X 5", None),
            ("Manual part 2", None),
            ("KX-200", None),
        ] {
            assert_eq!(in_title(title), time, "{title}");
        }
    }
}

//! Days of a year that a text names in words or in digits: "17 June", "2025-06-17".

use super::numbers::{MONTHS, is_year};
use super::words::{fold, folded, words};

/// The first month and day, "06-17", that a text names in words: "17 June", "June 17".
pub fn first_day(text: &str) -> Option<String> {
    let folded = folded(text);
    folded.windows(2).find_map(day_of)
}

/// `true` if a text names a month and a day, "06-17": "17 June", "June 17", "2025-06-17".
pub fn names_day(text: &str, day: &str) -> bool {
    let folded = folded(text);
    let mut pairs = folded.windows(2);
    pairs.any(|pair| day_of(pair).as_deref() == Some(day)) || text.contains(&format!("-{day}"))
}

/// `true` if a text names a month: "June", "2025-06-17".
pub fn names_month(text: &str, month: &str) -> bool {
    let number = MONTHS.iter().position(|own| *own == month);
    let is_written = number.is_some_and(|at| text.contains(&format!("-{:02}-", at + 1)));
    is_written || words(text).any(|word| fold(word.text) == month)
}

/// The month and the day, "06-17", that two folded words name in either order.
pub(super) fn day_of(pair: &[String]) -> Option<String> {
    let [one, other] = pair else {
        return None;
    };
    let month = |word: &str| MONTHS.iter().position(|month| *month == word);
    let day = |word: &str| word.parse::<u8>().ok().filter(|day| (1..=31).contains(day));
    let day_first = day(one).zip(month(other));
    let (day, month) = day_first.or_else(|| day(other).zip(month(one)))?;
    Some(format!("{:02}-{day:02}", month + 1))
}

/// The month and the day, "06-17", of the first date in a text: "17 June", "2025-06-17".
pub fn first_date(text: &str) -> Option<String> {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut numbers = text.split(|c: char| !is_digit(c) && c != '-');
    let is_date = |own: &&str| {
        let parts: Vec<&str> = own.split('-').collect();
        matches!(parts[..], [year, month, day]
            if is_year(year) && month.len() == 2 && day.len() == 2)
    };
    let numeric = numbers.find(is_date).map(|own| own[5..].to_owned());
    numeric.or_else(|| first_day(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_written_in_words_or_in_digits() {
        for text in ["by 2024-12-15.", "by 15 December."] {
            assert_eq!(first_date(text).as_deref(), Some("12-15"), "{text}");
        }
    }
}

//! Editions of one document, such as yearly reports: what they say holds for their times, so that
//! different numbers do not contradict each other.

use crate::artifact::source::Source;
use crate::text;

/// The time of an edition: its date, else its version, else the first number of its title, such as
/// a year, or `v2`. That of a product, `KX-200`, is none.
pub(super) fn time(source: &Source) -> Option<&str> {
    let in_title = || {
        let mut words = source.title.split_whitespace();
        words.find(|word| {
            let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
            let number = word.strip_prefix(['v', 'V']).unwrap_or(word);
            number.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    let version = || source.status.version.as_deref();
    source.date.as_deref().or_else(version).or_else(in_title)
}

/// `true` if two titles are the same, but for their numbers.
pub(super) fn have_one_title(one: &str, other: &str) -> bool {
    one == other || text::differing_numbers(&[one, other]).is_some()
}

/// `true` if two sources are editions of one document: of one title and of different times.
pub(super) fn are_editions(one: &Source, other: &Source) -> bool {
    let (own, others) = (time(one), time(other));
    own.is_some() && others.is_some() && own != others && have_one_title(&one.title, &other.title)
}

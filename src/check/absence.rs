//! Absences: a record of a meeting that lists somebody among those who sent apologies contradicts
//! that they took part.

use super::sources::Source;
use super::takeover::full_names;
use crate::text;

/// The labels of lists of those who were not there, and words by which a claim says that somebody
/// was; closed lists, written by hand.
const AWAY: &[&str] = &["apologies", "apologies for absence", "absent", "excused"];
const THERE: &[&str] = &[
    "took part",
    "takes part",
    "attended",
    "attends",
    "participated",
    "was present",
    "were present",
    "was at the",
];

/// Why a line of a passage says that somebody of a claim was not at the meeting that the claim and
/// the title of the source name by its month or year.
pub(super) fn absence(claim: &str, source: &Source, words: &str) -> Option<String> {
    let claimed = text::folded(claim);
    let sentence = format!(" {} ", claimed.join(" "));
    let says = |words: &&str| sentence.contains(&format!(" {words} "));
    let is_denied = claimed
        .iter()
        .any(|word| matches!(word.as_str(), "not" | "nobody" | "no"));
    if is_denied || !THERE.iter().any(says) || !is_of(&claimed, &source.title) {
        return None;
    }
    let line = words.lines().find(|line| {
        let (label, names) = line.split_once(':').unwrap_or_default();
        let is_away = AWAY.contains(&text::folded(label).join(" ").as_str());
        let mut claimed = full_names(claim).into_iter();
        is_away && claimed.any(|name| names.contains(&claim[name]))
    })?;
    Some(format!(
        "the source has {:?}",
        text::truncate(line.trim(), 80)
    ))
}

/// `true` if a claim names a month or a year, and a title all that it names.
fn is_of(claimed: &[String], title: &str) -> bool {
    let title = text::folded(title);
    let is_time = |word: &&String| {
        text::MONTHS.contains(&word.as_str()) || word.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut times = claimed.iter().filter(is_time).peekable();
    times.peek().is_some() && times.all(|time| title.contains(time))
}

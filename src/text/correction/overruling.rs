//! Decisions and documents that are over, or that end earlier ones: "This replaces the decision of
//! 17 June", "WITHDRAWN 11 March 2024".

use std::sync::LazyLock;

use super::changed_part::{ChangedPart, OVERRULES};
use crate::text::days::day_of;
use crate::text::keywords::{Keywords, LazyKeywords, LazyPhrases, Phrases};
use crate::text::notice::is_notice;
use crate::text::numbers::{MONTHS, is_year};
use crate::text::words::{fold, folded, words};

/// The number of words behind a verb that overrules among which the day is: "the decision of 17
/// June".
const DAY_WORDS: usize = 8;

/// The verbs that overrule in the passive voice; what was decided stands before them.
pub(in crate::text) const OVERRULED: &str = "annulled, overridden, overruled, overturned, \
    replaced, rescinded, retracted, reversed, revoked, superseded, withdrawn";

/// The keywords of what is overruled, and of what overrules.
static OVERRULED_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(OVERRULED.split(", ")));
static OVERRULES_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(OVERRULES.split(", ")));

/// The month and the day, "06-17", of what a sentence says that it replaces: "This replaces the
/// decision of 17 June", "The decision of 17 June is revoked"; `None` if it says nothing of this
/// kind.
pub fn replaced_day(sentence: &str) -> Option<String> {
    if !OVERRULES_KEYWORDS.are_in(sentence) && !OVERRULED_KEYWORDS.are_in(sentence) {
        return None;
    }
    let folded = folded(sentence);
    let verb = |verbs: &str| {
        let is_verb = |word: &String| verbs.split(", ").any(|verb| verb == word);
        folded.iter().position(is_verb)
    };
    if let Some(at) = verb(OVERRULES) {
        let behind = &folded[at + 1..folded.len().min(at + 1 + DAY_WORDS)];
        return behind.windows(2).find_map(day_of);
    }
    let at = verb(OVERRULED).filter(|at| {
        let before = at.checked_sub(1).map(|before| folded[before].as_str());
        matches!(
            before,
            Some(
                "is" | "are"
                    | "was"
                    | "were"
                    | "been"
                    | "hereby"
                    | "herewith"
                    | "thereby"
                    | "therefore"
                    | "thus"
            )
        )
    })?;
    let decided = folded[..at].iter().position(|word| word == "decision")?;
    let behind = &folded[decided + 1..at.min(decided + 1 + DAY_WORDS)];
    behind.windows(2).find_map(day_of)
}

/// The month of what a sentence says that it replaces, in lower case: "This replaces the rate
/// agreed in January"; `None` if it names a day, or says nothing of this kind.
pub fn replaced_month(sentence: &str) -> Option<&'static str> {
    if !OVERRULES_KEYWORDS.are_in(sentence) {
        return None;
    }
    let folded = folded(sentence);
    let is_verb = |word: &String| OVERRULES.split(", ").any(|verb| verb == word);
    let at = folded.iter().position(is_verb)?;
    let behind = &folded[at + 1..folded.len().min(at + 1 + DAY_WORDS)];
    let of_month = |pair: &[String]| {
        let mut months = MONTHS.iter().copied();
        let month = months.find(|month| *month == pair[1]);
        month.filter(|_| matches!(pair[0].as_str(), "in" | "of" | "last"))
    };
    let month = behind.windows(2).find_map(of_month);
    month.filter(|_| replaced_day(sentence).is_none())
}

/// `true` for a notice that its document is over, "This proposal was withdrawn": it says nothing of
/// what other documents say.
pub fn ends_itself(sentence: &str) -> bool {
    if !OVERRULED_KEYWORDS.are_in(sentence) {
        return false;
    }
    let folded = folded(sentence);
    let is_ended =
        |pair: &[String]| pair[0] != "has" && OVERRULED.split(", ").any(|verb| verb == pair[1]);
    // "**Retraction notice (14 May 2020):** This article has been retracted."
    let words = sentence
        .rsplit_once(":** ")
        .map_or(sentence, |(_, words)| words);
    is_notice(words.trim_start()) && folded.windows(2).any(is_ended) || is_end_stamp(sentence)
}

/// `true` for a notice that a document is over, be it its own or that of those who retract it: "The
/// editors have withdrawn this article."
pub fn is_end_notice(sentence: &str) -> bool {
    if !OVERRULED_KEYWORDS.are_in(sentence) {
        return false;
    }
    let folded = folded(sentence);
    let ends_this = |own: &[String]| {
        let is_verb = OVERRULED.split(", ").any(|verb| verb == own[1]);
        matches!(own[0].as_str(), "has" | "have" | "hereby") && is_verb && own[2] == "this"
    };
    ends_itself(sentence) || folded.windows(3).any(ends_this)
}

/// The maximum number of words of a stamp.
const STAMP_WORDS: usize = 8;

/// `true` for the stamp of a document that is over: "WITHDRAWN 11 March 2024."
pub fn is_end_stamp(sentence: &str) -> bool {
    // Its first sentence, before what the notice says besides.
    let stamp = sentence.split_inclusive(['.', '!']).next();
    let folded = folded(stamp.unwrap_or_default());
    let Some((first, behind)) = folded.split_first() else {
        return false;
    };
    let is_day = |word: &String| is_year(word) || MONTHS.contains(&word.as_str());
    let is_told = matches!(behind.first().map(String::as_str), None | Some("by" | "on"));
    // A part of a document is "[replaced by 2024/1377]".
    let text = sentence.trim_start_matches(['*', '_', '>', ' ']);
    text.starts_with(char::is_alphabetic)
        && OVERRULED.split(", ").any(|verb| verb == first)
        && folded.len() <= STAMP_WORDS
        && (is_told || behind.iter().any(is_day))
}

/// `true` if a sentence says that what stands before it takes the place of an earlier decision, or
/// of a part of a document.
pub fn ends_decision(sentence: &str) -> bool {
    replaced_day(sentence).is_some() || ChangedPart::of(sentence).is_some()
}

/// Phrases with which a sentence says that something is so from its time on; a closed list, written
/// by hand.
static ONWARD: LazyPhrases = LazyLock::new(|| {
    Phrases::new("from now on, as of now, henceforth, with immediate effect, from this point on")
});

/// `true` if a sentence says that something is so from its time on: what another one said before is
/// no longer so.
pub fn is_onward(sentence: &str) -> bool {
    ONWARD.are_in(sentence)
}

/// The stages of a status after which what has it does not apply; a closed list, written by hand.
const ENDED: &str = "superseded, deprecated, obsolete, withdrawn, rejected, replaced, retired";

/// `true` for a line with a status that says that what has it does not apply any more: "Status:
/// superseded by D2".
pub fn states_end(line: &str) -> bool {
    let status = line
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .split_once(':')
        .filter(|(label, _)| fold(label.trim_matches(['*', ' '])) == "status");
    let first = status.and_then(|(_, value)| words(value).next());
    first.is_some_and(|word| ENDED.split(", ").any(|own| own == fold(word.text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_replaced_by_the_day_on_which_it_was_made() {
        for (sentence, day) in [
            ("This replaces the decision of 17 June.", Some("06-17")),
            (
                "The decision of 12 November to buy pumps is revoked.",
                Some("11-12"),
            ),
            ("The decision of 12 November was not easy.", None),
            ("The decision was revoked on 12 November.", None),
        ] {
            assert_eq!(replaced_day(sentence).as_deref(), day, "{sentence}");
        }
    }

    #[test]
    fn a_stamp_says_that_its_document_is_over() {
        assert!(ends_itself("WITHDRAWN 11 March 2024."));
        assert!(ends_itself("Superseded by the rules of June."));
        assert!(!ends_itself("[replaced by 2024/1377]"));
        assert!(!ends_itself("Withdrawn books are sold at the desk."));
        assert!(is_end_notice("The editors have withdrawn this paper."));
        assert!(!is_end_notice("The editors have withdrawn their offer."));
    }
}

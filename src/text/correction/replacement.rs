//! Sentences that say what was so before: "Bob is the lead in place of Ann."

use std::sync::LazyLock;

use super::changed_part::PARTS;
use super::misstatement::misstated;
use crate::text::keywords::{Keywords, LazyKeywords, longest_words};
use crate::text::numbers::MONTHS;
use crate::text::words::{fold, folded, is_stop_word, stem, words};

/// Phrases after which a sentence names what is no longer so, in English, German and Spanish; a
/// closed list, written by hand.
const BEFORE_OLD: &str = "instead of, in place of, rather than, replaces, replaced, succeeds, \
    succeeded, takes over from, took over from, is no longer, are no longer, anstelle von, \
    anstatt, an stelle von, ersetzt, nicht mehr, en lugar de, en vez de, sustituye a, reemplaza a";

/// Words before which a sentence names who no longer holds a role.
const AFTER_OLD: &str = "resigned, resigns, retired, retires, stepped down, steps down, \
    left office, leaves office, left the board, leaves the board, left the committee, \
    leaves the committee, was replaced by, were replaced by, is replaced by, was succeeded by, \
    is succeeded by";

/// Verbs of a change from one value to another: "shorten the time from 2 hours to 1 hour".
const CHANGES: &str = "change, changed, changes, move, moved, moves, shorten, shortened, shortens, \
    extend, extended, extends, raise, raised, raises, lower, lowered, lowers, increase, increased, \
    increases, reduce, reduced, reduces, cut, cuts, postpone, postponed, postpones";

/// The words of which a sentence that says what is no longer so has one, unless it is on a number
/// that its authors gave: the longest of each phrase, "not", which denies a value, and "from",
/// which follows a verb of a change.
static REPLACED_KEYWORDS: LazyKeywords = LazyLock::new(|| {
    let words = longest_words(BEFORE_OLD).chain(longest_words(AFTER_OLD));
    Keywords::new(words.chain(["not", "from"]))
});

/// The maximum number of words of a name, or of a value with its unit.
const NAME_WORDS: usize = 3;

/// The folded words for what a sentence says is no longer so: a name or a value; `None` if it says
/// nothing of this kind. What "had been raised" was so before something else happened, and need not
/// be so since.
pub fn replaced(sentence: &str) -> Option<Vec<String>> {
    if !REPLACED_KEYWORDS.are_in(sentence) && misstated(sentence).is_none() {
        return None;
    }
    let all: Vec<(String, bool)> = words(sentence)
        .map(|word| {
            let folded = fold(word.text);
            let before = sentence[..word.range.start].trim_end();
            // "This" of the next sentence is nobody's name.
            let begins = is_stop_word(&folded) && before.ends_with(['.', '!', '?']);
            let is_capital = word.text.starts_with(char::is_uppercase) && !begins;
            let is_number = word.text.starts_with(|c: char| c.is_ascii_digit());
            (folded, is_capital || is_number)
        })
        .collect();
    let find = |phrases: &str| {
        phrases.split(", ").find_map(|phrase| {
            let is_phrase =
                |own: &[(String, bool)]| own.iter().map(|(word, _)| word).eq(phrase.split(' '));
            let length = phrase.split(' ').count();
            let at = all.windows(length).position(is_phrase)?;
            Some((at, at + length))
        })
    };
    // What "could instead be" something else, is not.
    if ["had been", "could", "might"]
        .iter()
        .any(|words| find(words).is_some())
    {
        return None;
    }
    // "Was replaced by" has "replaced" in it, so the phrases after the old name come first.
    let old = if let Some((start, _)) = find(AFTER_OLD) {
        // "Paragraph 1 is replaced by the following" names no value.
        let before = start.checked_sub(2).map(|before| all[before].0.as_str());
        if before.is_some_and(|word| PARTS.contains(&word)) {
            return None;
        }
        let mut old = name(all[..start].iter().rev());
        old.reverse();
        old
    } else if let Some((start, end)) = find(BEFORE_OLD) {
        // What might be replaced, is not.
        let is_possible = start > 0 && matches!(&*all[start - 1].0, "be" | "may" | "can");
        if is_possible {
            return None;
        }
        name(all[end..].iter())
    } else if let Some(value) = denied(&all).or_else(|| unusable(&all)) {
        value
    } else if let Some((wrong, _)) = misstated(sentence) {
        folded(&sentence[wrong.range])
    } else {
        let from = all.iter().rposition(|(word, _)| word == "from")?;
        let is_change = |at: &usize| CHANGES.split(", ").any(|verb| verb == all[*at].0);
        let mut changes = (0..from).filter(is_change);
        changes.find_map(|verb| former_value(&all[verb + 1..]))?
    };
    (!old.is_empty()).then_some(old)
}

/// Verbs of what is not to be done with a number that is wrong; a closed list, written by hand.
const USES: [&str; 3] = ["use", "quote", "cite"];

static NOT_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(["not"]));

/// The number of words behind such a verb among which the number is. Chosen by hand.
const USED_WORDS: usize = 6;

/// The number that a sentence asks not to use: "9.4" of "do not use the thickness of 9.4 mm".
pub fn unusable_number(sentence: &str) -> Option<String> {
    if !NOT_KEYWORDS.are_in(sentence) {
        return None;
    }
    let words: Vec<(String, bool)> = words(sentence)
        .map(|word| (fold(word.text), false))
        .collect();
    unusable(&words)?.pop()
}

/// The number that these folded words ask not to use.
fn unusable(words: &[(String, bool)]) -> Option<Vec<String>> {
    let asks = |own: &[(String, bool)]| {
        own[0].0 == "do" && own[1].0 == "not" && USES.contains(&own[2].0.as_str())
    };
    let at = words.windows(3).position(asks)?;
    let mut behind = words[at + 3..].iter().take(USED_WORDS);
    let number = behind.find(|(word, _)| word.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(vec![number.0.clone()])
}

/// The words of the value between "from" and "to" behind a verb of change; `None` if it is none.
fn former_value(behind: &[(String, bool)]) -> Option<Vec<String>> {
    let from = behind
        .iter()
        .skip_while(|(word, _)| word != "from")
        .skip(1)
        .skip_while(|(word, _)| word == "the");
    let value: Vec<_> = from.take_while(|(word, _)| word != "to").collect();
    // "The first Tuesday" is a day, too, and so is "week 22".
    let is_numbered = value
        .get(1)
        .is_some_and(|(word, _)| word.starts_with(|c: char| c.is_ascii_digit()));
    let has_number = value.first().is_some_and(|(word, is_name)| {
        *is_name || is_numbered || ORDINALS.contains(&word.as_str()) && value.len() > 1
    });
    let is_value = has_number && value.len() <= NAME_WORDS && value.len() < behind.len();
    let words = value.into_iter().map(|(word, _)| word.clone());
    is_value.then(|| words.collect())
}

/// Words before a day of each month.
const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "last"];

/// Verbs with which what some pay or get is told.
const PAYING: &[&str] = &["get", "gets", "pay", "pays", "receive", "receives"];

/// `true` if a sentence tells what some pay instead of the rest, and another one is on none of
/// them: "Students pay 60 euros instead of 120" ends no other fee.
pub fn is_of_some_only(sentence: &str, other: &str) -> bool {
    let folded = |text| words(text).map(|word| fold(word.text)).collect::<Vec<_>>();
    let words = folded(sentence);
    let verb = words
        .iter()
        .position(|word| PAYING.contains(&word.as_str()));
    let stems: Vec<String> = folded(other).iter().map(|word| stem(word)).collect();
    verb.is_some_and(|verb| {
        let subject = words[..verb].iter().filter(|word| !is_stop_word(word));
        let mut subject = subject.peekable();
        subject.peek().is_some() && !subject.any(|word| stems.contains(&stem(word)))
    })
}

/// Words with which a sentence says that there is something no longer; a closed list, written by
/// hand.
const ABOLITIONS: &[&str] = &[
    "abolished",
    "discontinued",
    "no longer available",
    "no longer exists",
    "no longer issued",
    "no longer offered",
    "no longer sold",
    "scrapped",
    "withdrawn",
];

/// What may be withdrawn, and is no part of what it is for.
const WITHDRAWABLE: &[&str] = &[
    "approval",
    "decision",
    "licence",
    "license",
    "permission",
    "permit",
    "rule",
];

/// The folded words of what a sentence says there is no longer: "evening", "ticket" in "The evening
/// ticket is abolished", "record" in "The permission of 20 February to record is withdrawn".
pub fn abolished(sentence: &str) -> Option<Vec<String>> {
    let place_of = |phrase: &&str| sentence.match_indices(*phrase).next();
    let (at, _) = ABOLITIONS.iter().find_map(place_of)?;
    // A list of decisions is introduced by a colon.
    let clause = sentence[..at]
        .rsplit([':', ';', '.', ',', '•', '\n'])
        .next()?;
    let words = words(clause).map(|word| fold(word.text));
    let thing: Vec<String> = words.filter(|word| !is_stop_word(word)).collect();
    let is_permission = thing
        .first()
        .is_some_and(|own| WITHDRAWABLE.contains(&own.as_str()));
    let is_day = |word: &String| {
        word.starts_with(|c: char| c.is_ascii_digit()) || MONTHS.contains(&word.as_str())
    };
    let names = |word: &String| !WITHDRAWABLE.contains(&word.as_str()) && !is_day(word);
    let thing: Vec<String> = thing
        .into_iter()
        .filter(|own| !is_permission || names(own))
        .collect();
    (!thing.is_empty()).then_some(thing)
}

/// The value that a sentence denies after it gave another: "It is on 20 June, not on 27 June".
fn denied(words: &[(String, bool)]) -> Option<Vec<String>> {
    let is_number = |(word, _): &(String, bool)| word.starts_with(|c: char| c.is_ascii_digit());
    let not = words.iter().position(|(word, _)| word == "not")?;
    let (before, after) = words.split_at(not);
    let after = match after.get(1)?.0.as_str() {
        "on" | "at" | "in" => &after[2..],
        _ => &after[1..],
    };
    let is_value = before.iter().any(is_number) && after.first().is_some_and(is_number);
    let value = after
        .iter()
        .take_while(|(word, is_name)| *is_name || matches!(word.as_str(), "and" | "to"))
        .filter(|(_, is_name)| *is_name);
    is_value.then(|| value.map(|(word, _)| word.clone()).collect())
}

/// The name, or the number, with which words begin, after those that mean nothing by themselves.
fn name<'a>(words: impl Iterator<Item = &'a (String, bool)>) -> Vec<String> {
    let rest = words.skip_while(|(word, is_name)| !is_name && is_stop_word(word));
    let name = rest.take_while(|(_, is_name)| *is_name).take(NAME_WORDS);
    name.map(|(word, _)| word.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_of_the_next_sentence_is_not_what_is_replaced() {
        let sentence = "The call ends in the program, rather than in the `.so`. This means a leak.";
        assert_eq!(replaced(sentence), None);
    }

    #[test]
    fn what_is_replaced_is_named_before_or_after_the_word_for_it() {
        for (sentence, old) in [
            ("Since May Bob has been the lead in place of Ann.", "ann"),
            (
                "Mira Sand is the officer instead of Ines Kovac.",
                "ines kovac",
            ),
            ("Anna Lee replaces Peter Hahn as treasurer.", "peter hahn"),
            ("It is now open on Tuesday rather than Monday.", "monday"),
            (
                "The treasurer is no longer Peter Hahn but Anna Lee.",
                "peter hahn",
            ),
            ("Peter Hahn resigned as treasurer.", "peter hahn"),
            (
                "They shorten the time for reports from 2 hours to 1 hour from May.",
                "2 hours",
            ),
            ("It closes at 12:40 instead of 12:20.", "12 20"),
            (
                "It is on 20 and 21 June, not on 27 and 28 June.",
                "27 28 june",
            ),
        ] {
            let replaced = replaced(sentence).unwrap_or_default().join(" ");
            assert_eq!(replaced, old, "{sentence}");
        }
        for sentence in [
            "The filter may be replaced yearly.",
            "Bob is the lead.",
            "Replaces the policy of last year.",
            "It is open from 9 to 12.",
            "It is not 12 yet.",
        ] {
            assert_eq!(replaced(sentence), None, "{sentence}");
        }
    }
}

//! Sentences that say what was so before: "Bob is the lead in place of Ann."

use super::changed_part::{ChangedPart, OVERRULES, PARTS};
use super::misstatement::misstated;
use super::notice::is_notice;
use super::numbers::{MONTHS, is_year};
use super::words::{fold, folded, is_stop_word, stem, words};

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

/// The maximum number of words of a name, or of a value with its unit.
const NAME_WORDS: usize = 3;

/// The folded words for what a sentence says is no longer so: a name or a value; `None` if it says
/// nothing of this kind. What "had been raised" was so before something else happened, and need not
/// be so since.
pub fn replaced(sentence: &str) -> Option<Vec<String>> {
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

/// The number of words behind such a verb among which the number is. Chosen by hand.
const USED_WORDS: usize = 6;

/// The number that a sentence asks not to use: "9.4" of "do not use the thickness of 9.4 mm".
pub fn unusable_number(sentence: &str) -> Option<String> {
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

/// The number of words behind a verb that overrules among which the day is: "the decision of 17
/// June".
const DAY_WORDS: usize = 8;

/// The verbs that overrule in the passive voice; what was decided stands before them.
pub(super) const OVERRULED: &str = "annulled, overridden, overruled, overturned, replaced, \
    rescinded, retracted, reversed, revoked, superseded, withdrawn";

/// The month and the day, "06-17", of what a sentence says that it replaces: "This replaces the
/// decision of 17 June", "The decision of 17 June is revoked"; `None` if it says nothing of this
/// kind.
pub fn replaced_day(sentence: &str) -> Option<String> {
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
    let folded = folded(sentence);
    let is_ended =
        |pair: &[String]| pair[0] != "has" && OVERRULED.split(", ").any(|verb| verb == pair[1]);
    // "**Retraction notice (14 May 2020):** This article has been retracted."
    let words = sentence
        .rsplit_once(":** ")
        .map_or(sentence, |(_, words)| words);
    is_notice(words.trim_start()) && folded.windows(2).any(is_ended) || is_end_stamp(sentence)
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
const ONWARD: &str =
    "from now on, as of now, henceforth, with immediate effect, from this point on";

/// `true` if a sentence says that something is so from its time on: what another one said before is
/// no longer so.
pub fn is_onward(sentence: &str) -> bool {
    let folded = folded(sentence);
    let folded = format!(" {} ", folded.join(" "));
    let mut phrases = ONWARD.split(", ");
    phrases.any(|phrase| folded.contains(&format!(" {phrase} ")))
}

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

/// Whether a sentence is a reply that begins with "yes", or with "no": "No. Fares stay." but not
/// "No charge applies". `None` for any other sentence.
pub fn reply(sentence: &str) -> Option<bool> {
    let first = words(sentence).next()?;
    let rest = &sentence[first.range.end..];
    let is_reply = rest.trim().is_empty() || rest.starts_with([',', '.', ':', ';', '!']);
    match fold(first.text).as_str() {
        "yes" if is_reply => Some(true),
        "no" if is_reply => Some(false),
        _ => None,
    }
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

/// The maximum number of words of the name of a document in its title: "ADR 7".
const TITLE_WORDS: usize = 3;

/// `true` if a sentence names a document by the beginning of its title, which has a number: "see
/// ADR 7" of "ADR 7: RabbitMQ".
pub fn refers_to(sentence: &str, title: &str) -> bool {
    let name = title.split(':').next().unwrap_or_default();
    let is_short = name.len() < title.len() && words(name).count() <= TITLE_WORDS;
    let is_name = name.contains(|c: char| c.is_ascii_digit()) && name.contains(char::is_alphabetic);
    let mut places = sentence.match_indices(name);
    let is_whole = |(at, name): (usize, &str)| {
        let (before, behind) = (&sentence[..at], &sentence[at + name.len()..]);
        !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
    };
    is_short && is_name && places.any(is_whole)
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

/// Verbs with which a forecast is changed, what is forecast, and words of what is expected; closed
/// lists, written by hand.
const REVISIONS: &str = "cut, cuts, lift, lifted, lifts, lower, lowered, lowering, lowers, raise, \
    raised, raises, raising, reduce, reduced, reduces, revise, revised, revises, trim, trimmed";
const FORECASTS: &str = "estimate, estimates, expectation, expectations, forecast, forecasts, \
    guidance, outlook, prediction, projection, target, targets";
const EXPECTED: &str = "aim, aims, anticipate, estimate, expect, expected, expects, forecast, \
    forecasts, guidance, outlook, plan, predict, projection, target, targets";

/// The number of words behind a verb among which the forecast is: "lower our full-year forecast".
const FORECAST_WORDS: usize = 4;

/// `true` if a sentence changes a forecast: "We lower our forecast to 5 %".
pub fn revises_forecast(sentence: &str) -> bool {
    let folded = folded(sentence);
    let is_one_of = |list: &str, word: &String| list.split(", ").any(|own| own == word);
    let at = folded.iter().position(|word| is_one_of(REVISIONS, word));
    at.is_some_and(|at| {
        let mut behind = folded[at + 1..].iter().take(FORECAST_WORDS);
        behind.any(|word| is_one_of(FORECASTS, word))
    })
}

/// `true` if a sentence has a word of what is expected.
pub fn is_forecast(sentence: &str) -> bool {
    let mut words = words(sentence).map(|word| fold(word.text));
    words.any(|word| EXPECTED.split(", ").any(|own| own == word))
}

/// Words with which a sentence says that something said before was wrong; a closed list, written by
/// hand.
const ERRORS: &str = "the wrong, wrongly, in error, by mistake, misprint, erratum";

/// `true` if a sentence says that something said before was wrong, and then what is right: "We gave
/// the wrong winner: it was Ann."
pub fn admits_error(sentence: &str) -> bool {
    let folded = folded(sentence);
    let folded = format!(" {} ", folded.join(" "));
    let mut errors = ERRORS.split(", ");
    sentence.contains(": ") && errors.any(|error| folded.contains(&format!(" {error} ")))
}

/// `true` if a sentence says what is right, and what is not: "The correct fee is 12 euros, not 10."
pub fn rectifies(sentence: &str) -> bool {
    let folded = folded(sentence);
    let has = |own: &str| folded.iter().any(|word| word == own);
    (has("correct") || has("corrected")) && has("not") || misstated(sentence).is_some()
}

/// Words with which the sentence before is said to be wrong; a closed list, written by hand.
const WRONG: &str = "error, false, inaccurate, incorrect, mistake, mistaken, overestimate, \
    underestimate, untrue, wrong";

/// The maximum number of words of such a sentence. Chosen by hand.
const RETRACTION_WORDS: usize = 6;

/// `true` if a sentence says that the one before it is wrong: "That is wrong."
pub fn retracts_previous(sentence: &str) -> bool {
    let folded = folded(sentence);
    let begins = matches!(
        folded.first().map(String::as_str),
        Some("that" | "this" | "it" | "these" | "those" | "they")
    );
    let is_copula = |word: &String| matches!(word.as_str(), "is" | "was" | "are" | "were");
    begins
        && folded.len() <= RETRACTION_WORDS
        && folded.get(1).is_some_and(is_copula)
        && !folded.iter().any(|word| word == "not")
        && folded
            .iter()
            .any(|word| WRONG.split(", ").any(|own| own == word))
}

/// Participles of a day or a plan that stays; a closed list, written by hand.
const KEPT: &str = "held, kept, maintained, met, reached";

/// `true` if a sentence says that something cannot stay as planned: "10 May cannot be held".
pub fn gives_up_plan(sentence: &str) -> bool {
    let folded = folded(sentence);
    let is_negated = |at: usize| {
        let before = &folded[at.saturating_sub(2)..at];
        before
            .iter()
            .any(|word| matches!(word.as_str(), "cannot" | "not" | "can't" | "won't"))
    };
    let pairs = folded.windows(2).enumerate();
    let is_kept = |pair: &[String]| {
        pair[0] == "be" && KEPT.split(", ").any(|participle| participle == pair[1])
    };
    let mut plans = pairs.filter(|(_, pair)| is_kept(pair));
    plans.any(|(at, _)| is_negated(at))
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

/// Words with which a note begins that was added later; a closed list, written by hand.
const LATER: &str = "edit, edited, update, updated, correction, corrected, addendum";

/// `true` for a note on the sentence before it that was added later: "(Edit, May: it slipped.)"
pub fn is_later_note(sentence: &str) -> bool {
    let first = words(sentence).next();
    let is_later = first.is_some_and(|word| {
        let is_capital = word.text.starts_with(char::is_uppercase);
        is_capital && LATER.split(", ").any(|own| own == fold(word.text))
    });
    is_later && sentence.contains(": ")
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
    fn a_sentence_retracts_the_one_before_it() {
        assert!(retracts_previous("That is wrong."));
        assert!(retracts_previous("This was an underestimate."));
        assert!(!retracts_previous("That is not wrong."));
        assert!(!retracts_previous(
            "It was wrong to sell the mill in the year of the flood."
        ));
    }

    #[test]
    fn a_stamp_says_that_its_document_is_over() {
        assert!(ends_itself("WITHDRAWN 11 March 2024."));
        assert!(ends_itself("Superseded by the rules of June."));
        assert!(!ends_itself("[replaced by 2024/1377]"));
        assert!(!ends_itself("Withdrawn books are sold at the desk."));
    }

    #[test]
    fn a_day_that_cannot_be_held_is_given_up() {
        assert!(gives_up_plan("Olu says 2024-12-15 cannot be held."));
        assert!(!gives_up_plan(
            "The meeting cannot be moved, and will be held."
        ));
        assert_eq!(first_date("by 2024-12-15.").as_deref(), Some("12-15"));
        assert_eq!(first_date("by 15 December.").as_deref(), Some("12-15"));
    }

    #[test]
    fn an_error_is_admitted_before_what_is_right() {
        assert!(admits_error("We gave the wrong winner: it was Ann."));
        assert!(!admits_error("The wrong key was used."));
        assert!(!admits_error("The winner was: Ann."));
    }

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

//! Validity: what a sentence says was so before a change, and what it excepts. "The fee of £48 is
//! raised to £53" does not say that the fee is £48, and what is "accredited for all parameters with
//! the exception of lead" is not accredited for lead.

use std::ops::Range;

use super::lexicon::BE;
use crate::text;

/// How a sentence says a word or a number of its subject.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(in crate::cite) enum Validity {
    /// Of what was, or without a time.
    #[default]
    Open,
    /// As it is now.
    Now,
    /// As it was before a change that the sentence tells.
    Former,
    /// As what the rest is not said of.
    Excepted,
    /// As what somebody only asks for.
    Proposed,
    /// As what a change led to.
    Result,
}

impl Validity {
    /// `true` if a word of a claim, which may be negated, is said by one of a sentence.
    pub(in crate::cite) fn admits(self, is_negated: bool, own: Self) -> bool {
        match own {
            Self::Former => self != Self::Now || is_negated,
            Self::Excepted => self == Self::Excepted || is_negated,
            Self::Proposed => self == Self::Proposed,
            Self::Open | Self::Now | Self::Result => true,
        }
    }
}

/// A word of a sentence and the punctuation mark before it.
pub(in crate::cite) struct Part<'a> {
    pub(in crate::cite) word: &'a str,
    pub(in crate::cite) mark: Option<char>,
}

impl Part<'_> {
    fn is_number(&self) -> bool {
        self.word.starts_with(|c: char| c.is_ascii_digit())
    }

    /// `true` for a number that may be a year.
    fn is_year(&self) -> bool {
        let year = self.word.parse::<u16>();
        year.is_ok_and(|year| (1000..=2100).contains(&year))
    }
}

/// Phrases before what is no longer so.
const BEFORE_FORMER: &[&[&str]] = &[
    &["instead", "of"],
    &["in", "place", "of"],
    &["rather", "than"],
    &["replaces"],
    &["replacing"],
];

/// Words before a number of an older edition in brackets: "45 minutes (revision 3: 30 minutes)".
const EDITIONS: &[&str] = &["edition", "issue", "rev", "revision", "version"];

/// Words for what is of the time before.
const EARLIER: &[&str] = &["earlier", "former", "last", "old", "previous"];

/// The number of words from such a word to its verb.
const TO_VERB: usize = 3;

/// What somebody asks for with "to": "a motion to allow gas grills".
const PROPOSALS: &[&str] = &[
    "application",
    "attempt",
    "idea",
    "motion",
    "petition",
    "proposal",
    "request",
    "wish",
];

/// Verbs of a change from one value to another, by their beginnings.
const CHANGES: &[&str] = &[
    "adjust", "amend", "chang", "cut", "decreas", "drop", "expand", "extend", "fall", "fell",
    "grew", "grow", "increas", "lower", "mov", "postpon", "prolong", "rais", "reduc", "relocat",
    "renam", "rise", "rose", "shift", "shorten", "switch", "transfer",
];

/// Their endings.
const ENDINGS: &[&str] = &[
    "", "d", "e", "ed", "en", "es", "n", "ped", "red", "rs", "s", "t", "ting",
];

/// The number of words from such a verb to "from", and of a value with its unit or its date.
const TO_VALUE: usize = 8;
const VALUE_WORDS: usize = 6;

/// Words that end what belongs to a phrase, and words with which a sentence comes to the present.
const GOES_ON: &[&str] = &["and", "but", "while", "because", "since"];
const PRESENT: &[&str] = &["now", "since", "is", "are", "has", "have", "today", "but"];

/// Auxiliaries of what was.
const PAST: &[&str] = &["was", "were", "had"];

/// Words by which what was so has ended.
const ENDED_WITH: &[&str] = &[
    "until",
    "formerly",
    "previously",
    "originally",
    "initially",
    "before",
];

/// What ends a rule or an exception.
const WITHDRAWN: &[&str] = &[
    "abolished",
    "cancelled",
    "canceled",
    "dropped",
    "ended",
    "lifted",
    "repealed",
    "rescinded",
    "revoked",
    "scrapped",
    "withdrawn",
];

/// Phrases before what is excepted, if the rest is said of all.
const BEFORE_EXCEPTED: &[&[&str]] = &[
    &["with", "the", "exception", "of"],
    &["except", "for"],
    &["except"],
    &["excluding"],
    &["apart", "from"],
    &["other", "than"],
    &["but"],
];

/// Words for all, and for none, of which what is excepted is so.
const ALL: &[&str] = &[
    "all",
    "always",
    "any",
    "anybody",
    "anyone",
    "anything",
    "anywhere",
    "daily",
    "each",
    "entire",
    "every",
    "everybody",
    "everyone",
    "everything",
    "everywhere",
    "whole",
];
const NONE: &[&str] = &[
    "no", "nobody", "none", "not", "nothing", "never", "neither", "nowhere",
];

/// The ranges of the words of a sentence that are former or excepted.
pub(in crate::cite) fn spans(parts: &[Part<'_>]) -> Vec<(Range<usize>, Validity)> {
    let former = (0..parts.len()).flat_map(|at| {
        [
            given_up(parts, at),
            changed_from(parts, at),
            changed_to(parts, at),
            intended(parts, at),
            ended(parts, at),
            withdrawn(parts, at),
            of_edition(parts, at),
            in_brackets(parts, at),
            of_last_time(parts, at),
            no_longer(parts, at),
            until_then(parts, at),
        ]
    });
    let former = former.flatten().map(|range| (range, Validity::Former));
    let of = |range: fn(&[Part<'_>], usize) -> Option<Range<usize>>, validity| {
        let ranges = (0..parts.len()).filter_map(move |at| range(parts, at));
        ranges.map(move |range| (range, validity))
    };
    former
        .chain(of(excepted, Validity::Excepted))
        .chain(of(denied, Validity::Excepted))
        .chain(of(wrong, Validity::Excepted))
        .chain(of(proposed, Validity::Proposed))
        .chain(of(changed_into, Validity::Result))
        .chain(of(origin, Validity::Open))
        .collect()
}

/// `true` if a sentence tells what was so or was meant to be, and not what is so instead.
pub(in crate::cite) fn is_over(parts: &[Part<'_>]) -> bool {
    let is_end = |at: usize| intended(parts, at).or_else(|| ended(parts, at)).is_some();
    (0..parts.len()).any(is_end)
}

/// The end of what belongs to the words before a position: the next mark or conjunction.
fn end_of_phrase(parts: &[Part<'_>], start: usize) -> usize {
    let ends =
        |at: &usize| *at > start && parts[*at].mark.is_some() || GOES_ON.contains(&parts[*at].word);
    (start..parts.len()).find(ends).unwrap_or(parts.len())
}

/// `true` if words stand at a position.
fn stands_at(parts: &[Part<'_>], at: usize, words: &[&str]) -> bool {
    let own = parts.get(at..at + words.len());
    own.is_some_and(|own| own.iter().map(|part| part.word).eq(words.iter().copied()))
}

/// What something else takes the place of: "in May instead of in June".
fn given_up(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let mut phrases = BEFORE_FORMER.iter();
    let phrase = phrases.find(|phrase| stands_at(parts, at, phrase))?;
    value_at(parts, at + phrase.len())
}

/// What is denied beside what is so: "in May, not in June".
fn denied(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let is_not = parts[at].word == "not" && parts[at].mark == Some(',');
    // "It is late, not only long."
    let is_only = |next: &Part<'_>| matches!(next.word, "only" | "just" | "least" | "merely");
    let is_denial = is_not && !parts.get(at + 1).is_some_and(is_only);
    value_at(parts, at + 1).filter(|_| is_denial)
}

/// What is no longer so, beside what is: "in the attic, no longer in the cellar".
fn no_longer(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let is_over = stands_at(parts, at, &["no", "longer"]) && parts[at].mark == Some(',');
    value_at(parts, at + 2).filter(|_| is_over)
}

/// What is so up to a time that another sentence names: "Until then the office closes at noon."
fn until_then(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let is_until = stands_at(parts, at, &["until", "then"]);
    let begins = at == 0 || parts[at].mark.is_some();
    let ends = |own: &usize| parts[*own].mark == Some(';') || GOES_ON.contains(&parts[*own].word);
    let end = (at + 2..parts.len()).find(ends).unwrap_or(parts.len());
    (is_until && begins && at + 2 < end).then_some(at + 2..end)
}

/// The words of a value from a position on.
fn value_at(parts: &[Part<'_>], start: usize) -> Option<Range<usize>> {
    let end = end_of_phrase(parts, start).min(start + VALUE_WORDS);
    (start < end).then_some(start..end)
}

/// What brackets say of an older edition: "45 minutes (revision 3: 2.0 %, 30 minutes)".
fn of_edition(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let is_edition = parts[at].mark == Some('(')
        && EDITIONS.contains(&parts[at].word)
        && parts.get(at + 1).is_some_and(Part::is_number)
        && parts.get(at + 2).is_some_and(|own| own.mark == Some(':'));
    let end = (at + 2..parts.len()).find(|own| parts[*own].mark == Some(')'));
    is_edition.then(|| at + 2..end.unwrap_or(parts.len()))
}

/// What brackets say was so: "0.21 (formerly 0.26)", "5 minutes (was 30)".
fn in_brackets(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let word = parts[at].word;
    let is_past = PAST.contains(&word) || ENDED_WITH.contains(&word) || word == "earlier";
    let is_former = parts[at].mark == Some('(') && is_past;
    let end = (at + 1..parts.len()).find(|own| parts[*own].mark == Some(')'));
    let end = end.unwrap_or(parts.len());
    (is_former && at + 1 < end).then_some(at + 1..end)
}

/// What was so the last time: "the last rise was on 1 July 2023".
fn of_last_time(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let before = &parts[at.saturating_sub(TO_VERB)..at];
    let is_last = before.iter().any(|part| EARLIER.contains(&part.word));
    let is_past = PAST.contains(&parts[at].word) && is_last;
    value_at(parts, at + 1).filter(|_| is_past)
}

/// The verb of what is only asked for: "allow" in "a motion to allow gas grills".
fn proposed(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let is_proposal = PROPOSALS.contains(&parts[at].word)
        && parts.get(at + 1).is_some_and(|next| next.word == "to")
        && at + 2 < parts.len();
    is_proposal.then_some(at + 2..at + 3)
}

/// `true` for a form of a verb of change.
fn is_change(word: &str) -> bool {
    let mut rests = CHANGES.iter().filter_map(|stem| word.strip_prefix(stem));
    rests.any(|rest| ENDINGS.contains(&rest))
}

fn is_passive(parts: &[Part<'_>], verb: usize) -> bool {
    let before = &parts[verb.saturating_sub(2)..verb];
    before.iter().any(|part| BE.contains(&part.word))
}

/// The value from which something changes: "reduced from 240 to 180 tonnes".
fn changed_from(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    if !is_change(parts[at].word) {
        return None;
    }
    let near = (at + 1..parts.len()).take(TO_VALUE);
    let near = near.take_while(|own| parts[*own].mark.is_none());
    let from = near.into_iter().find(|own| parts[*own].word == "from")?;
    // "The trail extends from mile 3 to mile 10."
    let is_extent = from == at + 1 && parts[at].word.starts_with("exten");
    if is_extent && !is_passive(parts, at) {
        return None;
    }
    let value = (from + 1..parts.len()).take(VALUE_WORDS + 1);
    let to = value
        .take_while(|own| parts[*own].mark.is_none())
        .find(|own| parts[*own].word == "to")?;
    // What changes whenever something is done is still so before: "from red to blue when heated".
    let mut behind = parts[to..].iter().take_while(|own| own.mark.is_none());
    let is_conditional = behind.any(|own| matches!(own.word, "when" | "whenever" | "if"));
    (!is_conditional && to > from + 1 && to + 1 < parts.len()).then_some(from + 1..to)
}

/// The value that is changed to another one: "the fee of £48,200 is raised to £53,650".
fn changed_to(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let is_to = is_change(parts[at].word)
        && is_passive(parts, at)
        && parts.get(at + 1).is_some_and(|own| own.word == "to")
        && parts.get(at + 2).is_some_and(Part::is_number);
    let first = at.saturating_sub(TO_VALUE);
    let before = (first.max(1)..at).rev();
    let mut before = before.filter(|own| {
        let part = &parts[*own];
        let follows = matches!(parts[own - 1].word, "of" | "the" | "its" | "our");
        part.is_number() && follows && (!part.is_year() || part.mark.is_some())
    });
    let number = before.next().filter(|_| is_to)?;
    Some(number..number + 1)
}

/// The value to which something was changed: "the fee was raised from 40 euros to 45 euros".
fn changed_into(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let is_changed = is_change(parts[at].word) && is_passive(parts, at);
    let to = match changed_from(parts, at) {
        Some(from) => from.end,
        None => at + 1,
    };
    let is_to = parts.get(to).is_some_and(|own| own.word == "to");
    value_at(parts, to + 1).filter(|_| is_changed && is_to)
}

/// Where that of which something is said was before: "the tubes from shelf 3 are on shelf 1".
fn origin(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let end = end_of_phrase(parts, at + 1).min(at + 1 + VALUE_WORDS + 1);
    let is_from = at > 0 && parts[at].word == "from";
    let verb = (at + 2..end).find(|own| BE.contains(&parts[*own].word))?;
    is_from.then_some(at + 1..verb)
}

/// What was meant to be: "the contract was to end on 31 December".
fn intended(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let is_intent = matches!(parts[at].word, "was" | "were")
        && parts
            .get(at + 1)
            .is_some_and(|own| own.word == "to" && own.mark.is_none());
    let end = end_of_phrase(parts, at + 1);
    (is_intent && at + 2 < end).then_some(at + 2..end)
}

/// What was so until some time: "until May the interval was two hours".
fn ended(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    if !PAST.contains(&parts[at].word) {
        return None;
    }
    let is_new = |own: &usize| {
        parts[*own].mark == Some(';') || PRESENT.contains(&parts[*own].word) && *own != at
    };
    let start = (0..at).rev().find(is_new).map_or(0, |own| own + 1);
    let end = (at + 1..parts.len()).find(is_new).unwrap_or(parts.len());
    let is_time = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            || text::MONTHS.contains(&word)
            || text::WEEKDAYS.contains(&word)
            || matches!(word, "that" | "then" | "this")
    };
    let is_end = |own: &usize| {
        let word = parts[*own].word;
        let next = parts.get(own + 1).map_or("", |next| next.word);
        ENDED_WITH.contains(&word) && (word != "before" || is_time(next))
    };
    (start..end).any(|own| is_end(&own)).then_some(at + 1..end)
}

/// What a sentence goes on to say is withdrawn: "a team of two was allowed; that exception has been
/// withdrawn".
fn withdrawn(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let is_ended = WITHDRAWN.contains(&parts[at].word) && is_passive(parts, at);
    let start = (1..at).rev().find(|own| parts[*own].mark == Some(';'))?;
    let refers = matches!(
        parts[start].word,
        "that" | "this" | "these" | "those" | "it" | "they" | "both"
    );
    let is_denied = parts[start..at].iter().any(|own| NONE.contains(&own.word));
    (is_ended && refers && !is_denied).then_some(0..start)
}

/// Words for a number that was not right; a closed list, written by hand.
const WRONG: &[&str] = &["erroneous", "incorrect", "mistaken", "wrong"];

/// A number that a sentence calls wrong: "the result of May (9,200 jobs) was wrong".
fn wrong(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let is_wrong = WRONG.contains(&parts[at].word) && is_passive(parts, at);
    let start = (1..at).rev().find(|own| parts[*own].mark == Some(';'));
    let start = start.unwrap_or(0);
    let before = &parts[start..at];
    let is_denied = before.iter().any(|own| NONE.contains(&own.word));
    // "In 2024 the forecast was wrong" takes no number back.
    let is_value = |own: &Part<'_>| own.is_number() && !own.is_year();
    let number = before.iter().position(is_value)?;
    (is_wrong && !is_denied).then_some(start + number..at)
}

/// What is excepted of all: "every day except Mondays".
fn excepted(parts: &[Part<'_>], at: usize) -> Option<Range<usize>> {
    let phrase = BEFORE_EXCEPTED
        .iter()
        .find(|phrase| stands_at(parts, at, phrase))?;
    let has = |words: &[&str]| parts[..at].iter().any(|own| words.contains(&own.word));
    // "All but lead", and not "all agreed, but Ann left".
    let is_of_all = match phrase {
        [_, _, "exception", _] => true,
        ["but"] => at > 0 && ALL.contains(&parts[at - 1].word) && parts[at].mark.is_none(),
        _ => has(ALL),
    };
    let start = at + phrase.len();
    // "All of it except that it leaks."
    let is_clause = parts
        .get(start)
        .is_some_and(|own| matches!(own.word, "that" | "if" | "when" | "where" | "as"));
    let end = (start + 1..parts.len())
        .find(|own| parts[*own].mark.is_some() || matches!(parts[*own].word, "but" | "because"))
        .unwrap_or(parts.len());
    (is_of_all && !has(NONE) && !is_clause && start < parts.len()).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_changes_whenever_something_is_done_is_still_so() {
        assert_supported(&[
            (
                "Cobalt paper is blue.",
                "The colour of cobalt paper changes from blue to pink when it gets wet.",
                true,
            ),
            (
                "The fee is 5 euros.",
                "The fee was changed from 5 euros to 6 euros in May.",
                false,
            ),
        ]);
    }
}

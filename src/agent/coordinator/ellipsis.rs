//! Elliptic questions: "And for children?" names only what is other than in the question before,
//! and is that question with the new words in the place of the ones of the same form.

use std::ops::Range;

use crate::text::{self, Language, Word};

/// The beginnings of an elliptic question, in English, German, Spanish and French.
const BEGINNINGS: [&str; 7] = [
    "what about",
    "how about",
    "and",
    "und",
    "was ist mit",
    "y",
    "et",
];

/// The maximum number of words of what such a question names: more is a question of its own. Chosen
/// by hand.
const MAX_WORDS: usize = 5;

const PREPOSITIONS: &[&str] = &[
    "after", "at", "before", "between", "by", "during", "for", "from", "in", "near", "of", "on",
    "per", "since", "to", "under", "until", "with", "without",
];

const DETERMINERS: &[&str] = &["a", "an", "my", "our", "the", "your"];

/// Auxiliaries behind which the subject stands, and the verb behind that.
const AUXILIARIES: &[&str] = &[
    "can", "could", "did", "do", "does", "may", "might", "must", "shall", "should", "will", "would",
];

/// Forms of "be" and "have", which end a phrase as well.
const OTHER_VERBS: &[&str] = &["are", "had", "has", "have", "is", "was", "were"];

const QUESTION_WORDS: &[&str] = &[
    "how", "what", "when", "where", "which", "who", "whom", "why",
];

/// Words for what a thing does to another one, which stands behind "on".
const EFFECTS: &[&str] = &["effect", "effects", "impact", "impacts", "influence"];

/// Seasons and parts of a day.
const TIMES: &[&str] = &[
    "spring",
    "summer",
    "autumn",
    "fall",
    "winter",
    "morning",
    "afternoon",
    "evening",
    "night",
];

/// Years before or after the one of a question.
const OTHER_YEARS: &[(&str, i32)] = &[
    ("year before", -1),
    ("previous year", -1),
    ("preceding year", -1),
    ("year after", 1),
    ("following year", 1),
    ("next year", 1),
];

/// `true` if a topic names only what is other than in the question before: "What about 2023?"
pub(super) fn is_elliptic(topic: &str) -> bool {
    beginning(topic).is_some()
}

/// What a question names that says only what is other than in the one before: "the radiators" of
/// "And the radiators?"; `None` for any other, for one without a content word, and for a whole
/// question behind "and".
pub(super) fn named(topic: &str) -> Option<&str> {
    let named = behind_beginning(topic)?;
    let is_whole = whole_question(topic).is_some();
    (!is_whole && !text::terms(named).is_empty()).then_some(named)
}

/// The whole question behind the beginning of an elliptic one: "how much does it weigh?" of "And
/// how much does it weigh?"
pub(super) fn whole_question(topic: &str) -> Option<&str> {
    let named = behind_beginning(topic)?;
    let phrase = Phrase::new(named);
    let is_verb = |at: usize| phrase.is(AUXILIARIES, at) || phrase.is(OTHER_VERBS, at);
    // "And how many plums?" has no verb of its own.
    let has_verb = phrase.is(&["who"], 0) || (0..phrase.words.len()).any(is_verb);
    let begins = phrase.is(QUESTION_WORDS, 0) || is_verb(0);
    let is_whole = phrase.words.len() >= LEAST_QUESTION && has_verb && begins;
    is_whole.then_some(named)
}

/// The least number of words of a whole question: "who pays it".
const LEAST_QUESTION: usize = 3;

/// What stands behind the beginning of an elliptic question.
fn behind_beginning(topic: &str) -> Option<&str> {
    let rest = topic.get(beginning(topic)?..)?;
    Some(rest.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// The length of the beginning of an elliptic question.
fn beginning(topic: &str) -> Option<usize> {
    let lower = topic.to_lowercase();
    let begins = |begin: &&&str| {
        let rest = lower.strip_prefix(**begin);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    BEGINNINGS.iter().find(begins).map(|begin| begin.len())
}

/// A question with the words of an elliptic one in the place of those of the same form; `None` if
/// it is not certain which these are.
pub(super) fn in_full(topic: &str, question: &str) -> Option<String> {
    if let Some(year) = of_other_year(topic, question) {
        return Some(year);
    }
    let named = named(topic)?;
    let own = Phrase::new(named);
    let is_english = Language::of_question(question) == Language::default();
    if !is_english || own.words.is_empty() || own.words.len() > MAX_WORDS {
        return None;
    }
    let question = question.trim_end_matches(|c: char| c.is_whitespace() || c == '?');
    let earlier = Phrase::new(question);
    let full = own
        .as_count(&earlier)
        .or_else(|| own.as_circumstance(&earlier))
        .or_else(|| own.as_noun(&earlier))?;
    (full != question).then(|| format!("{full}?"))
}

/// The thing that a question is on, "the stone oven" in "How hot does the stone oven get?"; `None`
/// if it names none with an article, or it is not certain which.
pub(super) fn thing(question: &str) -> Option<&str> {
    let earlier = Phrase::new(question);
    let mut phrases = earlier.determined();
    let first = earlier.without_verb(phrases.next()?)?;
    phrases.next().is_none().then(|| earlier.text_of(first))
}

/// A question of the year before or after that of another one: "And the year before?"
fn of_other_year(topic: &str, question: &str) -> Option<String> {
    let words = text::folded(topic).join(" ");
    let by = OTHER_YEARS
        .iter()
        .find(|(phrase, _)| words.ends_with(phrase));
    let (_, by) = by.filter(|_| is_elliptic(topic))?;
    let year = only_year(question)?;
    let other = question[year.clone()].parse::<i32>().ok()? + by;
    Some(replaced(question, year, &other.to_string()))
}

/// The byte range of the only year that a text names.
pub(super) fn only_year(text: &str) -> Option<Range<usize>> {
    let is_year = |word: &text::Word<'_>| {
        let year = word.text.parse::<u16>().ok();
        word.text.len() == 4 && year.is_some_and(|year| (1800..2200).contains(&year))
    };
    let mut years = text::words(text).filter(is_year);
    years
        .next()
        .filter(|_| years.next().is_none())
        .map(|word| word.range)
}

fn replaced(text: &str, range: Range<usize>, by: &str) -> String {
    [&text[..range.start], by, &text[range.end..]].concat()
}

/// A text with its words.
struct Phrase<'a> {
    text: &'a str,
    words: Vec<Word<'a>>,
    folded: Vec<String>,
}

impl<'a> Phrase<'a> {
    fn new(text: &'a str) -> Self {
        let words: Vec<Word<'a>> = text::words(text).collect();
        let folded = words.iter().map(|word| text::fold(word.text)).collect();
        Self {
            text,
            words,
            folded,
        }
    }

    fn is(&self, list: &[&str], at: usize) -> bool {
        let word = self.folded.get(at);
        word.is_some_and(|word| list.contains(&word.as_str()))
    }

    /// `true` for a word that ends a phrase of nouns.
    fn ends_phrase(&self, at: usize) -> bool {
        let is_list = |list| self.is(list, at);
        [
            PREPOSITIONS,
            DETERMINERS,
            AUXILIARIES,
            OTHER_VERBS,
            QUESTION_WORDS,
        ]
        .into_iter()
        .any(is_list)
            || text::is_stop_word(&self.folded[at])
    }

    /// The positions of the content words from one on.
    fn phrase_from(&self, at: usize) -> Range<usize> {
        let rest = at..self.words.len();
        at..at + rest.take_while(|at| !self.ends_phrase(*at)).count()
    }

    /// The text with other words in the place of some of its own.
    fn with(&self, words: Range<usize>, by: &str) -> Option<String> {
        let first = self.words.get(words.start)?;
        let last = self.words.get(words.end.checked_sub(1)?)?;
        Some(replaced(self.text, first.range.start..last.range.end, by))
    }

    fn text_of(&self, words: Range<usize>) -> &'a str {
        let first = self.words.get(words.start).map_or(0, |own| own.range.start);
        let last = words
            .end
            .checked_sub(1)
            .and_then(|last| self.words.get(last));
        &self.text[first..last.map_or(first, |own| own.range.end)]
    }

    /// "How many cars" in the place of "How many passengers".
    fn as_count(&self, earlier: &Self) -> Option<String> {
        let is_count = |own: &Self| own.is(&["how"], 0) && own.is(&["many", "much"], 1);
        let all = self.phrase_from(2).end == self.words.len() && self.words.len() > 2;
        if !is_count(self) || !is_count(earlier) || !all {
            return None;
        }
        earlier.with(
            2..earlier.phrase_from(2).end,
            self.text_of(2..self.words.len()),
        )
    }

    /// "For children" in the place of "for adults", or behind all.
    fn as_circumstance(&self, earlier: &Self) -> Option<String> {
        if !self.is(PREPOSITIONS, 0) || self.is(&["of"], 0) || self.has_question_word() {
            return None;
        }
        let own = [self.folded[0].as_str()];
        let mut phrases = (1..earlier.words.len()).filter(|at| earlier.is(&own, *at));
        let Some(at) = phrases.next() else {
            let is_added = !self.is(&["in"], 0) || self.is_of_time();
            return is_added.then(|| format!("{} {}", earlier.text, self.text));
        };
        let start = at + 1 + usize::from(earlier.is(DETERMINERS, at + 1));
        let phrase = earlier.phrase_from(start);
        // "What does a ticket for adults cost?" ends with the verb.
        let has_auxiliary = (0..at).any(|at| earlier.is(AUXILIARIES, at));
        let ends_with_verb = has_auxiliary && phrase.len() > 1;
        let is_last = phrase.end == earlier.words.len();
        let end = phrase.end - usize::from(ends_with_verb && is_last);
        (phrases.next().is_none() && end > start)
            .then(|| earlier.with(at..end, self.text))
            .flatten()
    }

    /// `true` for a season, a month, a year or a part of a day: "in winter" asks the same of
    /// another time, where "in groundwater" may ask for something else.
    fn is_of_time(&self) -> bool {
        let is_time = |word: &String| {
            TIMES.contains(&word.as_str())
                || text::MONTHS.contains(&word.as_str())
                || text::is_year(word)
        };
        self.folded.iter().any(is_time)
    }

    fn has_question_word(&self) -> bool {
        (0..self.words.len()).any(|at| self.is(QUESTION_WORDS, at) || self.is(AUXILIARIES, at))
    }

    /// "The small hall" in the place of "the great hall", "keys" in that of "locks".
    fn as_noun(&self, earlier: &Self) -> Option<String> {
        let start = usize::from(self.is(DETERMINERS, 0));
        let last = self.words.len() - 1;
        if self.is(&["one", "ones"], last) {
            return self.as_other_one(earlier, start);
        }
        if self.phrase_from(start).end != self.words.len() || start > last {
            return None;
        }
        if start == 1 {
            return self.as_determined(earlier);
        }
        self.as_name(earlier)
            .or_else(|| self.as_counted(earlier))
            .or_else(|| self.as_plural(earlier))
    }

    /// "The small one" for "the great hall": its first word in the place of the one before a noun.
    fn as_other_one(&self, earlier: &Self, start: usize) -> Option<String> {
        let last = self.words.len().checked_sub(1)?;
        // "Air-source" is of two words.
        let count = last - start;
        let is_joined = count == 1 || self.text_of(start..last).matches('-').count() + 1 == count;
        let mut phrases = earlier.determined().filter(|own| own.len() > count + 1);
        let phrase = phrases.next().filter(|_| count > 0 && is_joined)?;
        if phrases.next().is_some() {
            return None;
        }
        earlier.with(
            phrase.start..phrase.start + 1 + count,
            self.text_of(0..last),
        )
    }

    /// The phrases that begin with a determiner, with it.
    fn determined(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = (0..self.words.len()).filter(|at| self.is(DETERMINERS, *at));
        let phrases = starts.map(|at| at..self.phrase_from(at + 1).end);
        phrases.filter(|phrase| phrase.len() > 1)
    }

    /// "The small hall" in the place of the phrase that ends with the same noun, or else of the
    /// only one, if it is known where that ends.
    fn as_determined(&self, earlier: &Self) -> Option<String> {
        let noun = self.folded.last()?;
        let phrases: Vec<Range<usize>> = earlier.determined().collect();
        let shared = phrases.iter().find_map(|phrase| {
            let at = phrase.clone().find(|at| earlier.folded[*at] == *noun)?;
            Some(phrase.start..at + 1)
        });
        // Of the office of something, the office is asked for: "the chair of the club".
        let is_of = phrases
            .first()
            .is_some_and(|first| earlier.is(&["of"], first.end));
        // Who bakes the bread need not bake the cakes, but may make them.
        let is_deed = |own: &Range<usize>| {
            let verb = own.start.checked_sub(1);
            earlier.is(&["who"], 0) && verb.is_some_and(|verb| !earlier.ends_phrase(verb))
        };
        // Of the effect of a thing on another, that on a third one is asked for.
        let affected = earlier.folded.iter().rposition(|word| word == "on");
        let is_effect = (0..earlier.words.len()).any(|at| earlier.is(EFFECTS, at));
        if let Some(on) = affected.filter(|_| is_effect && shared.is_none()) {
            return earlier.with(on + 1..earlier.words.len(), self.text);
        }
        let only = phrases.first().filter(|_| phrases.len() == 1 || is_of);
        let only = only.filter(|own| !is_deed(own));
        let phrase = shared.or_else(|| earlier.without_verb(only?.clone()))?;
        earlier.with(phrase, self.text)
    }

    /// A phrase without the verb at its end: "the crusher" in "When was the crusher installed?";
    /// `None` if it is not certain whether there is one: "When is the café open?"
    fn without_verb(&self, phrase: Range<usize>) -> Option<Range<usize>> {
        let before = phrase.start.checked_sub(1)?;
        let (last, is_last) = (phrase.end - 1, phrase.end == self.words.len());
        let is_participle = self.folded[last].ends_with("ed");
        if phrase.len() == 2 {
            Some(phrase)
        } else if self.is(AUXILIARIES, before) && is_last || is_participle {
            Some(phrase.start..last)
        } else if self.is(OTHER_VERBS, before) && is_last {
            None
        } else {
            Some(phrase)
        }
    }

    /// "Alba" in the place of the only other name.
    fn as_name(&self, earlier: &Self) -> Option<String> {
        let is_name = |own: &Self, at: usize| own.words[at].text.starts_with(char::is_uppercase);
        if !(0..self.words.len()).all(|at| is_name(self, at)) {
            return None;
        }
        let is_own = |at: usize| is_name(earlier, at) && !earlier.ends_phrase(at);
        let names = (1..earlier.words.len()).filter(|at| is_own(*at) && !is_own(at - 1));
        let names: Vec<usize> = names.collect();
        let [start] = names[..] else {
            return None;
        };
        let length = (start..earlier.words.len())
            .take_while(|at| is_own(*at))
            .count();
        earlier.with(start..start + length, self.text)
    }

    /// "Keys" in the place of what is counted: "How many locks", "How many tonnes of cherries".
    fn as_counted(&self, earlier: &Self) -> Option<String> {
        if !(earlier.is(&["how"], 0) && earlier.is(&["many", "much"], 1)) {
            return None;
        }
        let counted = earlier.phrase_from(2);
        let of_unit = earlier.phrase_from((counted.end + 1).min(earlier.words.len()));
        let is_unit = earlier.is(&["of"], counted.end) && !of_unit.is_empty();
        let counted = if is_unit { of_unit } else { counted };
        if counted.is_empty() {
            return None;
        }
        earlier.with(counted, self.text)
    }

    /// "Children" in the place of the only other plural without a determiner.
    fn as_plural(&self, earlier: &Self) -> Option<String> {
        let is_plural = |own: &Self, at: usize| {
            let word = own.folded[at].as_str();
            let is_regular = word.ends_with('s') && !word.ends_with("ss");
            is_regular || matches!(word, "children" | "men" | "people" | "women")
        };
        let is_own = self.words.len() == 1 && is_plural(self, 0);
        let is_bare = |at: &usize| {
            let before = at - 1;
            is_plural(earlier, *at)
                && !earlier.ends_phrase(*at)
                && !earlier.is(DETERMINERS, before)
                && !earlier.is(QUESTION_WORDS, before)
        };
        let plurals: Vec<usize> = (1..earlier.words.len()).filter(is_bare).collect();
        match plurals[..] {
            [at] if is_own => earlier.with(at..at + 1, self.text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_same_form_are_replaced() {
        for (question, topic, expected) in [
            (
                "How much is the fee for adults?",
                "And for children?",
                "How much is the fee for children?",
            ),
            (
                "What does a day ticket for adults cost?",
                "And for children?",
                "What does a day ticket for children cost?",
            ),
            (
                "When are the services?",
                "And in August?",
                "When are the services in August?",
            ),
            (
                "How many pears were sold in 2022?",
                "And how many plums?",
                "How many plums were sold in 2022?",
            ),
            (
                "How many tonnes of pears were sold?",
                "And plums?",
                "How many tonnes of plums were sold?",
            ),
            (
                "How many pears were sold in 2022?",
                "And the year before?",
                "How many pears were sold in 2021?",
            ),
        ] {
            assert_eq!(
                in_full(topic, question).as_deref(),
                Some(expected),
                "{topic}"
            );
        }
    }

    #[test]
    fn things_of_one_kind_are_replaced() {
        for (question, topic, expected) in [
            (
                "How hot does the stone oven get?",
                "What about the deck oven?",
                "How hot does the deck oven get?",
            ),
            (
                "When was the crusher installed?",
                "And the loader?",
                "When was the loader installed?",
            ),
            (
                "Who is the chair of the club?",
                "And the treasurer?",
                "Who is the treasurer of the club?",
            ),
            (
                "How much does the great hall cost?",
                "And the small one?",
                "How much does the small hall cost?",
            ),
            (
                "How much does an air-fed stove cost?",
                "And a gas-fed one?",
                "How much does a gas-fed stove cost?",
            ),
            (
                "Can I take my bicycle for free?",
                "What about my dog?",
                "Can I take my dog for free?",
            ),
            (
                "How much do adults pay?",
                "And children?",
                "How much do children pay?",
            ),
            (
                "When was Heron built?",
                "What about Otter?",
                "When was Otter built?",
            ),
        ] {
            assert_eq!(
                in_full(topic, question).as_deref(),
                Some(expected),
                "{topic}"
            );
        }
    }

    #[test]
    fn what_is_not_certain_stays_as_it_is() {
        for (question, topic) in [
            ("When is the café open?", "And the shop?"),
            ("Who bakes the bread?", "And cakes?"),
            ("Who bakes the bread?", "And the cakes?"),
            ("What did Ann say to Bo?", "And Cleo?"),
            (
                "How loud is the pump?",
                "And why does it hum at night in winter?",
            ),
            ("How loud is the pump?", "Who sells it?"),
        ] {
            assert_eq!(in_full(topic, question), None, "{topic}");
        }
    }
}

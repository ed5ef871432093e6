//! The thing that a question asks about, told from others of its kind: "the outdoor pool" from "the
//! indoor pool", 2024 from 2025, the head of a company from its "head lifeguard". The lists are
//! English and were written by hand.

use super::super::question::answer_type::AnswerType;
use super::super::question::{Question, QuestionTerm};
use super::super::vocabulary::{is_content_word, is_number_word};
use crate::text::{self, Language, Word};

/// Words before a noun that tell no thing of a kind from the others.
const GENERAL: &[&str] = &[
    "actual",
    "average",
    "basic",
    "best",
    "certain",
    "chief",
    "common",
    "complete",
    "current",
    "different",
    "entire",
    "exact",
    "first",
    "full",
    "general",
    "good",
    "highest",
    "important",
    "key",
    "largest",
    "least",
    "last",
    "latest",
    "lowest",
    "main",
    "major",
    "maximum",
    "mean",
    "minimum",
    "most",
    "new",
    "normal",
    "official",
    "original",
    "overall",
    "own",
    "primary",
    "real",
    "recommended",
    "specific",
    "total",
    "typical",
    "usual",
    "whole",
];

/// Forms of "do", behind whose subject a question has its verb, and prepositions of when and where.
const DO: [&str; 3] = ["do", "does", "did"];
const WHEN: [&str; 3] = ["in", "on", "at"];

/// `true` for the verb of a question with "do" that ends with it, but for when or where: "use" in
/// "How much gas did the school use in 2025?"
fn is_verb_at_end(words: &[Word<'_>], at: usize) -> bool {
    let is_one_of = |word: &Word<'_>, list: &[&str]| list.contains(&&*text::fold(word.text));
    let is_name = |word: &Word<'_>| !word.text.starts_with(char::is_lowercase);
    let asks = words[..at].iter().any(|word| is_one_of(word, &DO));
    let ends = match &words[at + 1..] {
        [] => true,
        [first, rest @ ..] => is_one_of(first, &WHEN) && rest.iter().all(is_name),
    };
    asks && ends
}

/// The one of these words that tells one thing of a kind from all others: "the main pool".
const MAIN: &str = "main";

/// Words before a noun that is said of any thing of its kind.
const OF_ANY: &[&str] = &["all", "another", "any", "each", "every", "no", "other"];

/// Forms of "be" before a participle, the number of words from one to the participle, words that
/// join clauses, and irregular participles of what is done to things.
const FORMS_OF_BE: &[&str] = &["is", "are", "was", "were", "been", "be"];
const VERB_WORDS: usize = 2;
const JOINS: &[&str] = &[
    "after", "and", "as", "because", "but", "since", "when", "where", "while",
];
const PARTICIPLES: &[&str] = &[
    "begun", "born", "bought", "broken", "built", "found", "given", "held", "laid", "lost", "made",
    "paid", "sent", "shut", "sold", "stolen", "taken", "written",
];

/// `true` for a folded word before a noun that tells no thing of a kind from the others.
pub(in crate::answering) fn is_general(word: &str) -> bool {
    GENERAL.contains(&word)
}

impl Question {
    /// `true` if a text, with the words of its headings and its title, is about another thing of
    /// the kind that is asked about, another year, or another office.
    pub fn is_of_another(&self, text: &str, above: &str) -> bool {
        self.language == Language::default()
            && (self.is_of_another_kind(text, above)
                || self.is_of_another_year(text, above)
                || self.is_of_another_office(text))
    }

    /// `true` if a text has the noun that is asked about, but each time behind another word than
    /// the question has, whose own word is nowhere.
    fn is_of_another_kind(&self, text: &str, above: &str) -> bool {
        self.kinds().into_iter().any(|(word, noun)| {
            let is_met = |text: &str| self.met(text).contains(&word);
            !is_met(text) && !is_met(above) && self.has_others(text, noun)
        })
    }

    /// `true` if it asks about the main one of a kind, and a text has others alone: "the teaching
    /// pool" where "the main pool" is asked about.
    pub fn is_of_others(&self, text: &str) -> bool {
        let words: Vec<Word<'_>> = text::words(&self.text).collect();
        let has_main = text::words(text).any(|word| text::fold(word.text) == MAIN);
        let mut pairs = words.windows(2);
        self.language == Language::default()
            && !has_main
            && pairs.any(|pair| {
                let noun = self.term_of(&pair[1]);
                text::fold(pair[0].text) == MAIN
                    && noun.is_some_and(|noun| self.has_others(text, noun))
            })
    }

    /// The words that tell what it asks about from others of its kind, each with the noun behind
    /// it: "outdoor" and "pool".
    pub fn kinds(&self) -> Vec<(&QuestionTerm, &QuestionTerm)> {
        let words: Vec<Word<'_>> = text::words(&self.text).collect();
        let pairs = words.windows(2).enumerate().filter_map(|(at, pair)| {
            let (word, noun) = self.term_of(&pair[0]).zip(self.term_of(&pair[1]))?;
            let is_kind = are_neighbours(&self.text, &pair[0], &pair[1])
                && !word.is_name
                && !noun.is_name
                && !is_general(&word.word)
                && !is_number_word(&word.word)
                && !is_verb_at_end(&words, at + 1);
            is_kind.then_some((word, noun))
        });
        pairs.collect()
    }

    /// `true` for a word behind an article: "cork" in "the cork supplier", no verb.
    pub fn is_behind_article(&self, term: &QuestionTerm) -> bool {
        let words = self.wording.words();
        let mut pairs = words.windows(2);
        pairs.any(|pair| matches!(pair[0], "a" | "an" | "the" | "our") && pair[1] == term.word)
    }

    /// `true` if a text has a noun, always right behind another content word.
    fn has_others(&self, text: &str, noun: &QuestionTerm) -> bool {
        let words: Vec<Word<'_>> = text::words(text).collect();
        let stem = |word: &Word<'_>| self.language.stem(word.text, &text::fold(word.text));
        let mut places = (0..words.len())
            .filter(|at| stem(&words[*at]) == noun.stem)
            .peekable();
        let is_other = |at: usize| {
            let before = at.checked_sub(1).map(|before| &words[before]);
            before.is_some_and(|before| {
                let folded = text::fold(before.text);
                let is_attribute = is_content_word(&folded, self.language)
                    && folded.starts_with(char::is_alphabetic)
                    && (folded == MAIN || !is_general(&folded));
                are_neighbours(text, before, &words[at])
                    && (is_attribute || OF_ANY.contains(&folded.as_str()))
            })
        };
        places.peek().is_some() && places.all(is_other)
    }

    /// `true` if it asks about one year, and a text is on others.
    fn is_of_another_year(&self, text: &str, above: &str) -> bool {
        years(text).next().is_some() && self.is_on_other_year(text, above)
    }

    /// `true` if it names a year that a title names.
    pub fn names_year_of(&self, title: &str) -> bool {
        years(title).any(|year| years(&self.text).any(|own| own == year))
    }

    /// `true` if it asks about one year, and a text without one stands below the heading of
    /// another: "A clean record in 2022".
    pub fn is_on_year_of(&self, text: &str, heading: &str) -> bool {
        years(text).next().is_none() && self.is_on_other_year(text, heading)
    }

    /// `true` if it asks about one year, and the title of a document and what it says name others.
    pub fn is_on_other_year(&self, text: &str, title: &str) -> bool {
        let question_years: Vec<&str> = years(&self.text).collect();
        let [question_year] = question_years[..] else {
            return false;
        };
        let mut own = years(title).chain(years(text)).peekable();
        self.answer_type != AnswerType::Date
            && own.peek().is_some()
            && own.all(|year| year != question_year)
    }

    /// `true` if it asks who holds an office, and a text only has a synonym of it before another
    /// noun: "head lifeguard" is no director.
    fn is_of_another_office(&self, text: &str) -> bool {
        let Some(office) = self.office() else {
            return false;
        };
        let words: Vec<Word<'_>> = text::words(text).collect();
        let stems: Vec<String> = words
            .iter()
            .map(|word| self.language.stem(word.text, &text::fold(word.text)))
            .collect();
        if stems.iter().any(|stem| text::same_root(stem, &office.stem)) {
            return false;
        }
        let mut places = (0..words.len())
            .filter(|at| office.synonyms.contain(&stems[*at]))
            .peekable();
        let is_attribute = |at: usize| {
            words.get(at + 1).is_some_and(|next| {
                are_neighbours(text, &words[at], next)
                    && next.text.starts_with(char::is_lowercase)
                    && is_content_word(&text::fold(next.text), self.language)
            })
        };
        places.peek().is_some() && places.all(is_attribute)
    }

    /// `true` if it asks when or where something was done to a thing, and a text only says that it
    /// was done to others: "When was the pool built?" of "a terrace is being built".
    pub fn is_done_to_another(&self, text: &str) -> bool {
        let asks = matches!(self.answer_type, AnswerType::Date | AnswerType::Location);
        let Some(deed) = self.deed().filter(|_| asks) else {
            return false;
        };
        let folded = text::folded(text);
        let mut places = (0..folded.len())
            .filter(|at| self.language.stem(&folded[*at], &folded[*at]) == deed.stem)
            .peekable();
        let is_own = |word: &String| {
            let stem = self.language.stem(word, word);
            self.terms.iter().any(|term| term.stem == stem)
        };
        let is_noun = |word: &String| {
            is_content_word(word, self.language)
                && !is_number_word(word)
                && word.starts_with(char::is_alphabetic)
        };
        let is_of_other = |at: usize| {
            let is_verb = |at: &usize| FORMS_OF_BE.contains(&folded[*at].as_str());
            let Some(verb) = (at.saturating_sub(VERB_WORDS)..at).find(is_verb) else {
                return false;
            };
            // "The roof of the hall was repaired": any word of its clause may be its subject.
            let clause = folded[..verb].iter().rev();
            let mut clause = clause.take_while(|word| !JOINS.contains(&word.as_str()));
            let is_other = verb
                .checked_sub(1)
                .is_some_and(|before| is_noun(&folded[before]));
            is_other && !clause.any(is_own)
        };
        places.peek().is_some() && places.all(is_of_other)
    }

    /// What was done in "When was the pool built?"
    fn deed(&self) -> Option<&QuestionTerm> {
        let words: Vec<Word<'_>> = text::words(&self.text).collect();
        let verb = text::fold(words.get(1)?.text);
        let is_passive = FORMS_OF_BE.contains(&verb.as_str());
        let deed = self.term_of(words.last()?)?;
        let is_done = deed.word.ends_with("ed") || PARTICIPLES.contains(&deed.word.as_str());
        let is_english = self.language == Language::default();
        (is_english && is_passive && is_done && self.terms.len() > 1).then_some(deed)
    }

    /// The office in "Who is the director of the company?"
    pub(in crate::answering) fn office(&self) -> Option<&QuestionTerm> {
        let words: Vec<Word<'_>> = text::words(&self.text).collect();
        let folded: Vec<String> = words.iter().map(|word| text::fold(word.text)).collect();
        let asks = matches!(folded.first().map(String::as_str), Some("who"))
            && matches!(folded.get(1).map(String::as_str), Some("is" | "was"))
            && matches!(folded.get(2).map(String::as_str), Some("the" | "our"));
        let is_preposition =
            |word: &String| matches!(word.as_str(), "of" | "in" | "for" | "at" | "on" | "to");
        let end = folded.iter().position(is_preposition);
        let phrase = words[..end.unwrap_or(words.len())].iter().skip(3);
        // "The cellar master now": of what is left, the last is the office.
        let term = phrase.rev().find_map(|word| self.term_of(word));
        term.filter(|term| asks && !term.is_name)
    }

    fn term_of(&self, word: &Word<'_>) -> Option<&QuestionTerm> {
        let folded = text::fold(word.text);
        self.terms.iter().find(|term| term.word == folded)
    }
}

/// `true` if only a space or a hyphen is between two words of a text: "v2/labels" are none.
fn are_neighbours(text: &str, one: &Word<'_>, other: &Word<'_>) -> bool {
    matches!(text.get(one.range.end..other.range.start), Some(" " | "-"))
}

/// The years in a text: numbers of four digits from 1000 to 2100.
fn years(text: &str) -> impl Iterator<Item = &str> {
    let words = text::words(text).map(|word| word.text);
    words.filter(|word| {
        word.len() == 4
            && word
                .parse()
                .is_ok_and(|year: u16| (1000..=2100).contains(&year))
    })
}

/// Words before the number by which one of many things is called; a closed list, written by hand.
const NUMBERED: &[&str] = &["number", "no", "nr"];

impl Question {
    /// `true` if it is on one of many things by its number, "radiator number 11", and a text has no
    /// such number: "11 kW" is an amount.
    pub fn is_for_another_number(&self, text: &str) -> bool {
        let words = text::folded(&self.text);
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let mut pairs = words.windows(2);
        let number = pairs
            .find(|pair| NUMBERED.contains(&pair[0].as_str()) && is_number(&pair[1]))
            .map(|pair| pair[1].as_str());
        number.is_some_and(|number| !is_called_by(text, number))
    }
}

/// `true` if a text has a number without a unit, or behind "#".
fn is_called_by(text: &str, number: &str) -> bool {
    let quantities = text::quantities(text);
    let mut bare = quantities.iter().filter(|own| own.unit.is_empty());
    bare.any(|own| text[own.range.clone()] == *number) || text.contains(&format!("#{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_by_its_number_is_not_an_amount() {
        let question = Question::parse("Should radiator number 11 stay?");
        assert!(question.is_for_another_number("The heat load is 11 kW."));
        assert!(!question.is_for_another_number("Radiator 11 stays."));
        assert!(!question.is_for_another_number("It is #11."));
        let plain = Question::parse("What is the number of radiators?");
        assert!(!plain.is_for_another_number("There are ten."));
    }

    #[test]
    fn what_was_done_to_another_thing_is_told_from_what_was_done_to_the_thing() {
        let terrace = "It is closed, because a new terrace is being built.";
        for (question, text, is_of_another) in [
            ("When was the pool built?", terrace, true),
            ("When was the terrace built?", terrace, false),
            ("When was the pool built?", "It was built in 1974.", false),
            (
                "When was the roof repaired?",
                "The roof of the hall was repaired in 2019.",
                false,
            ),
            (
                "When was the pool built?",
                "Built in 1974, it is old.",
                false,
            ),
            (
                "When was the pool built?",
                "The pool was last built on in 2009.",
                false,
            ),
        ] {
            let question = Question::parse(question);
            assert_eq!(question.is_done_to_another(text), is_of_another, "{text}");
        }
    }

    #[test]
    fn another_thing_of_the_kind_is_told_from_the_one_that_is_asked_about() {
        for (question, text, is_of_another) in [
            (
                "How long is the outdoor pool?",
                "The indoor pool is 50 metres long.",
                true,
            ),
            (
                "How long is the outdoor pool?",
                "The outdoor pool is 50 metres long.",
                false,
            ),
            (
                "How long is the outdoor pool?",
                "The pool is 50 metres long.",
                false,
            ),
            (
                "What is the chlorine value of the toddler pool?",
                "The chlorine value of the main pool is kept at 0.4 mg/l.",
                true,
            ),
            (
                "What is the useful life of the pump?",
                "The average life of the pump is 20 years.",
                false,
            ),
            (
                "What was the energy cost in 2024?",
                "The energy cost was 212,000 euros in 2025.",
                true,
            ),
            (
                "What was the energy cost in 2024?",
                "In 2024 it was 212,000 euros, in 2025 more.",
                false,
            ),
            (
                "Which ticket system do we use?",
                "Everybody uses a hardware key for every system.",
                true,
            ),
            (
                "Who is the director of the pool?",
                "Gwen Ashby is the head lifeguard of the pool.",
                true,
            ),
            (
                "Who is the director of the pool?",
                "Gwen Ashby is the head of the pool.",
                false,
            ),
        ] {
            let question = Question::parse(question);
            assert_eq!(question.is_of_another(text, ""), is_of_another, "{text}");
        }
        let question = Question::parse("How long is the outdoor pool?");
        assert!(!question.is_of_another("The big pool is 50 metres long.", "Outdoor area"));
    }
}

//! Phrases of an answer whose words stand together as in the question: "the first heat pump", "can
//! cool", "A hybrid system combines". The lists are English, closed and written by hand.

use super::super::question::answer_type::AnswerType;
use super::super::question::{Question, QuestionTerm};
use super::type_words::EVALUATIONS;
use crate::text::{self, folded};

/// Words before a thing that tell the one of its kind.
const RANKS: &[&str] = &[
    "first", "second", "third", "fourth", "last", "only", "best", "biggest", "cheapest", "fastest",
    "highest", "largest", "longest", "lowest", "newest", "oldest", "shortest", "smallest",
    "tallest", "worst", "youngest",
];

/// Words before what one can do, and the most words from one to its verb: "can also be cooled".
const ABILITY: &[&str] = &["can", "cannot", "can't", "could", "couldn't"];
const ABILITY_WORDS: usize = 3;

/// Words behind "is" with which it says what a thing is.
const AFTER_IS: &[&str] = &["a", "an", "any", "one", "the", "what", "when", "where"];

/// Verbs with which a sentence on any thing of a kind says what it is.
const DEFINING: &[&str] = &[
    "combines",
    "comprises",
    "consists",
    "contains",
    "converts",
    "denotes",
    "describes",
    "designates",
    "joins",
    "links",
    "means",
    "moves",
    "refers",
    "transfers",
    "transforms",
    "turns",
    "unites",
    "uses",
];

/// Words behind "by the" that name no one who did something, but when or where it was done.
const NOBODY: &[&str] = &[
    "beginning",
    "canal",
    "day",
    "deadline",
    "end",
    "hour",
    "lake",
    "middle",
    "minute",
    "month",
    "river",
    "road",
    "sea",
    "side",
    "start",
    "station",
    "time",
    "way",
    "week",
    "year",
];

/// A folded word without the sign of an owner, "roofer's"; `None` of any other.
fn owner(folded: &str) -> Option<&str> {
    folded
        .strip_suffix("'s")
        .or_else(|| folded.strip_suffix("’s"))
}

impl Question {
    /// Whether a sentence says that somebody does to something what a question asks of them, in
    /// the main clause: "Ann recommends Dale" for "Which site does Ann recommend?", and not "They
    /// asked Ann to recommend a site"; `None` if it asks nothing of the kind. In English alone.
    pub fn is_done_in(&self, sentence: &str) -> Option<bool> {
        let words = self.wording.words();
        let ["which" | "what" | "whom", .., subject, verb] = words[..] else {
            return None;
        };
        let does = |word: &&str| matches!(*word, "do" | "does" | "did");
        let does = words[..words.len() - 2].iter().any(does);
        let is_verb = !text::is_stop_word(verb) && !text::is_stop_word(subject);
        if !does || !is_verb || !self.is_english() {
            return None;
        }
        let stem = text::stem(verb);
        let said: Vec<text::Word<'_>> = text::words(sentence).collect();
        let does_it = |pair: &[text::Word<'_>]| {
            let [one, other] = [&pair[0], &pair[1]].map(|word| text::fold(word.text));
            let behind = sentence[pair[1].range.end..].trim_start();
            let goes_on = behind.starts_with(char::is_alphanumeric);
            one == subject && text::stem(&other) == stem && other != verb && goes_on
        };
        Some(said.windows(2).any(does_it))
    }

    /// The terms for those whose thing it asks about, each with that: "roofer" and "bill".
    fn owned(&self) -> Vec<(&QuestionTerm, &QuestionTerm)> {
        let words = self.wording.words();
        let term = |word: &str| self.terms.iter().find(|term| term.word == word);
        let pairs = words.windows(2).filter(|_| self.is_english());
        let pairs = pairs.filter_map(|pair| term(owner(pair[0])?).zip(term(pair[1])));
        pairs.collect()
    }

    /// The terms for those whose thing it asks about: "roofer" in "the roofer's bill".
    pub fn owners(&self) -> Vec<&QuestionTerm> {
        self.owned().into_iter().map(|(owner, _)| owner).collect()
    }

    /// `true` if it asks about somebody's thing, and a sentence is on that of another: "the
    /// electrician's bill" for "the roofer's bill".
    pub fn is_of_another_owner(&self, sentence: &str) -> bool {
        let words = folded(sentence);
        let stem = |word: &str| self.language.stem(word, word);
        self.owned().into_iter().any(|(own, thing)| {
            let is_owned =
                |pair: &[String]| owner(&pair[0]).is_some() && stem(&pair[1]) == thing.stem;
            !self.met(sentence).contains(&own) && words.windows(2).any(is_owned)
        })
    }

    /// `true` if it asks who did something, and a sentence says by whom that was done, in words for
    /// somebody: "was discovered under the bench by the caretaker".
    pub(in crate::answering) fn is_done_by_somebody(&self, sentence: &str) -> bool {
        let words = folded(sentence);
        let Some(deed) = self.terms.iter().find(|term| self.is_deed(term)) else {
            return false;
        };
        let is_done = |before: &[String]| {
            let is_be = |word: &String| matches!(word.as_str(), "is" | "are" | "was" | "were");
            let be = before.iter().position(is_be);
            be.is_some_and(|be| self.met(&before[be..].join(" ")).contains(&deed))
        };
        let is_somebody = |noun: &String| {
            noun.starts_with(char::is_alphabetic)
                && !NOBODY.contains(&noun.as_str())
                && !self.text.to_lowercase().contains(noun.as_str())
        };
        (0..words.len()).any(|at| match &words[at..] {
            [by, article, noun, ..] => {
                by == "by"
                    && matches!(article.as_str(), "a" | "an" | "our" | "the")
                    && is_somebody(noun)
                    && is_done(&words[..at])
            }
            _ => false,
        })
    }

    /// The stems of words.
    fn stems(&self, words: &[impl AsRef<str>]) -> Vec<String> {
        let words = words.iter().map(AsRef::as_ref);
        words.map(|word| self.language.stem(word, word)).collect()
    }

    /// The stems of the thing that it tells from others of its kind by its rank, with that: "first
    /// heat pump".
    fn ranked_thing(&self) -> Option<Vec<String>> {
        let words = self.wording.words();
        let at = words.iter().position(|word| RANKS.contains(word))?;
        let behind = words[at + 1..].iter();
        let behind = behind.take_while(|word| !text::is_stop_word(word)).count();
        (behind > 0 && self.is_english()).then(|| self.stems(&words[at..=at + behind]))
    }

    /// `true` if a sentence has the thing that it tells from others by its rank in the same words:
    /// "the first ground source heat pump" is not the first heat pump. `None` if it names none.
    pub fn has_ranked_thing(&self, sentence: &str) -> Option<bool> {
        let thing = self.ranked_thing()?;
        let words = self.stems(&folded(sentence));
        Some(words.windows(thing.len()).any(|own| *own == thing))
    }

    /// `true` if it asks whether something can be done, and a sentence says of what it names that
    /// it can, or cannot.
    pub fn tells_ability(&self, sentence: &str) -> bool {
        let question = self.wording.words();
        let asks = question.first() == Some(&"can")
            && self.answer_type == AnswerType::YesNo
            && self.is_english();
        let words = folded(sentence);
        let is_done = |at: usize| {
            let behind = words[at + 1..].iter().take(ABILITY_WORDS);
            let mut behind = behind.take_while(|word| *word != "not");
            behind.any(|word| !self.named_in(word).is_empty())
        };
        let mut able = words
            .iter()
            .enumerate()
            .filter(|(_, word)| ABILITY.contains(&word.as_str()));
        asks && able.any(|(at, _)| is_done(at))
    }

    /// `true` if it asks which thing of a kind is meant, and a sentence begins with the kind and
    /// says it: "The refrigerant is ammonia" for "Which refrigerant does the heat pump use?"
    pub fn is_told_by_kind(&self, sentence: &str) -> bool {
        let words = folded(sentence);
        let mut terms = self.terms.iter();
        let class = terms.find(|term| self.is_class(term));
        let (Some(class), [the, kind, is, next, ..]) = (class, words.as_slice()) else {
            return false;
        };
        let is_noun = !text::is_stop_word(next) && !next.ends_with("ed");
        the == "the"
            && self.language.stem(kind, kind) == class.stem
            && matches!(is.as_str(), "is" | "are" | "was" | "were")
            && is_noun
    }

    /// `true` if it asks what a thing is, and a sentence begins with any thing of the kind and says
    /// it: "A hybrid system combines …", but not "A hybrid system is a sensible solution".
    pub fn is_defined_in(&self, sentence: &str) -> bool {
        let words = folded(sentence);
        let (article, rest) = match words.as_slice() {
            [article, rest @ ..] if matches!(article.as_str(), "a" | "an") => (true, rest),
            all => (false, all),
        };
        let says = |behind: &[String]| match behind {
            [is, _, kind, ..] if is == "is" && EVALUATIONS.contains(&kind.as_str()) => false,
            [is, next, ..] if matches!(is.as_str(), "is" | "are") => {
                AFTER_IS.contains(&next.as_str())
            }
            [verb, _, ..] => article && DEFINING.contains(&verb.as_str()),
            _ => false,
        };
        self.answer_type == AnswerType::Definition
            && self.is_english()
            && self.behind_name(rest).is_some_and(says)
    }

    /// The words behind the thing that it asks about, at the beginning of others; the thing may be
    /// a narrower one: "hybrid heating system" for "hybrid system".
    fn behind_name<'a>(&self, words: &'a [String]) -> Option<&'a [String]> {
        let count = self.terms.len();
        let is_name = |words: &[String]| {
            let own = self.terms.iter().map(|term| &term.stem);
            count > 0 && own.eq(self.stems(words).iter())
        };
        let plain = || {
            let (name, behind) = words.split_at_checked(count)?;
            is_name(name).then_some(behind)
        };
        let narrower = || {
            let (name, behind) = words.split_at_checked(count + 1)?;
            let rest = [&name[..1], name.get(2..)?].concat();
            (count > 1 && is_name(&rest)).then_some(behind)
        };
        plain().or_else(narrower)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_is_said_to_be_one_thing() {
        let question = Question::parse("Which refrigerant does the heat pump use?");
        for (sentence, expected) in [
            ("The refrigerant is ammonia (R717).", true),
            ("The refrigerant is replaced every year.", false),
            ("The refrigerant leaks.", false),
            ("The pump is small.", false),
        ] {
            assert_eq!(question.is_told_by_kind(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn words_between_rank_and_thing_make_it_another() {
        let question = Question::parse("Who built the first heat pump?");
        let first = "The first heat pumps were built by Peter von Rittinger in 1856.";
        assert_eq!(question.has_ranked_thing(first), Some(true));
        let other = "Webber built the first ground source heat pump.";
        assert_eq!(question.has_ranked_thing(other), Some(false));
        let plain = Question::parse("Who built the heat pump?");
        assert_eq!(plain.has_ranked_thing(first), None);
    }

    #[test]
    fn bill_of_another_is_not_that_of_the_owner() {
        let question = Question::parse("What was the total of the roofer's bill?");
        assert!(question.is_of_another_owner("The total of the electrician's bill was £2,150."));
        assert!(!question.is_of_another_owner("The roofer's bill was £1,900."));
        assert!(!question.is_of_another_owner("His invoice of £1,900 has been paid."));
    }

    #[test]
    fn a_deed_is_done_by_somebody_without_a_name() {
        let question = Question::parse("Who found the wallet?");
        let by = "The wallet was discovered under the bench by the caretaker.";
        assert!(question.has_type(by));
        assert!(!question.has_type("The wallet was discovered by the end of the day."));
        assert!(!question.has_type("The wallet lay by the fence."));
    }

    #[test]
    fn verb_behind_can_tells_what_is_possible() {
        let question = Question::parse("Can a heat pump cool the house?");
        for (sentence, expected) in [
            ("A reversible heat pump can cool the house in summer.", true),
            ("A house cannot be cooled by radiators.", true),
            (
                "Brine heat pumps cool the house through the borehole.",
                false,
            ),
            ("Watering cans may be used at any time.", false),
        ] {
            assert_eq!(question.tells_ability(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn sentence_on_any_thing_of_the_kind_defines_it() {
        let question = Question::parse("What is a hybrid system?");
        for (sentence, expected) in [
            ("A hybrid system combines a boiler with a heat pump.", true),
            ("Hybrid systems are a bridge.", true),
            ("A hybrid system costs 12,000 euros.", false),
            ("The hybrid system of the town hall is new.", false),
            ("Hybrid systems are installed by two firms.", false),
        ] {
            assert_eq!(question.is_defined_in(sentence), expected, "{sentence}");
        }
    }
}

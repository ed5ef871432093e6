//! Answers in other words than the question: the larger part of a thing, who has the most of it,
//! and who coined a word.

use super::super::question::answer_type::AnswerType;
use super::super::question::{Question, QuestionTerm};
use crate::text::{self, Language};

/// Phrases for the larger part of what stands behind them, by language; none is a name.
const LARGER_PARTS: &[(&str, &[&str])] = &[
    (
        "en",
        &[
            "most of",
            "majority of",
            "bulk of",
            "greater part of",
            "larger part of",
            "largest part of",
        ],
    ),
    (
        "de",
        &[
            "große teil",
            "großte teil",
            "großten teil",
            "großer teil",
            "großteil",
            "mehrheit",
            "uberwiegende teil",
            "uberwiegenden teil",
        ],
    ),
    (
        "es",
        &[
            "mayor parte de",
            "mayor parte del",
            "mayoria de",
            "mayoria del",
            "grueso de",
        ],
    ),
];

/// The number of words behind such a phrase in which the thing is: "of the old pine forest".
const THING_WORDS: usize = 4;

/// Words for a word, by language, verbs of making one, and verbs of what else is done with it.
const WORDS: &[(&str, &[&str])] = &[
    ("en", &["expression", "name", "phrase", "term", "word"]),
    (
        "de",
        &[
            "ausdruck",
            "begriff",
            "bezeichnung",
            "name",
            "namen",
            "wort",
        ],
    ),
    ("es", &["expresion", "nombre", "palabra", "termino"]),
];
const COINED: &[(&str, &[&str])] = &[
    ("en", &["coin", "coined", "coins"]),
    ("de", &["gepragt", "pragte", "pragten"]),
    ("es", &["acuna", "acunado", "acuno"]),
];
const USED: &[(&str, &[&str])] = &[
    ("en", &["introduced", "invented", "use", "used"]),
    ("de", &["benutzte", "verwendete", "verwendet"]),
    ("es", &["empleo", "introdujo", "uso", "utilizo"]),
];

/// Words right before what somebody has the most of, by language.
const MOST: &[(&str, &[&str])] = &[("en", &["most"]), ("de", &["meisten"]), ("es", &["mas"])];

/// Words for being first among others, by language, and the prepositions between them and what is
/// counted: "led the team in goals", "with 11 goals".
const FIRST: &[(&str, &[&str])] = &[
    (
        "en",
        &["lead", "leader", "leading", "leads", "led", "topped"],
    ),
    (
        "de",
        &["fuhrend", "fuhrende", "fuhrender", "fuhrt", "fuhrte"],
    ),
    ("es", &["encabeza", "encabezo", "lider", "lidera", "lidero"]),
];
const COUNTED_BY: &[(&str, &[&str])] = &[
    ("en", &["in", "with", "for", "by"]),
    ("de", &["in", "bei", "mit", "an"]),
    ("es", &["en", "con", "de"]),
];

/// The largest number of words from one for being first to what is counted: "led all the teams of
/// the league in goals". Chosen by hand.
const FIRST_WORDS: usize = 8;

/// The largest number of words between "most" and the word for what is done most: "the most
/// frequent complaint", "they complain most". Chosen by hand.
const FREQUENT_WORDS: usize = 2;

/// Words before the last phrase of a question, which says on what or under which circumstances.
const BEFORE_LAST: &[&str] = &["at", "during", "for", "in", "on", "with", "without"];
const DETERMINERS: &[&str] = &["a", "an", "my", "our", "the", "your"];

/// The maximum number of words of that phrase. Chosen by hand.
const LAST_WORDS: usize = 3;

/// The phrases of a language in a table by language.
fn of_language(
    table: &'static [(&str, &'static [&'static str])],
    language: Language,
) -> &'static [&'static str] {
    let own = table.iter().find(|(code, _)| *code == language.code());
    own.map_or(&[], |(_, phrases)| phrases)
}

/// The positions behind the phrases for the larger part of something.
fn behind_larger_parts(words: &[String], language: Language) -> Vec<usize> {
    let phrases = of_language(LARGER_PARTS, language).iter();
    let ends = phrases.flat_map(|phrase| {
        let length = phrase.split(' ').count();
        let windows = words.windows(length).enumerate();
        let matched = windows.filter(move |(_, own)| own.iter().eq(phrase.split(' ')));
        matched.map(move |(at, _)| at + length)
    });
    ends.collect()
}

impl Question {
    /// The thing of which a text names the larger part, by its words: those before the next stop
    /// word. In Spanish the noun is the first.
    fn thing_in_parts<'a>(&self, words: &'a [String], at: usize) -> &'a [String] {
        let is_stop = |word: &&String| self.is_stop(word);
        let skipped = words[at..].iter().take_while(is_stop).count();
        let rest = &words[at + skipped..];
        let most = if self.language.code() == "es" {
            1
        } else {
            THING_WORDS
        };
        let length = rest
            .iter()
            .take(most)
            .take_while(|word| !self.is_stop(word));
        &rest[..length.count()]
    }

    /// Whether a sentence tells of the larger part of the thing of which the question does, "the
    /// majority of the trees" for "most of the trees", and not of another one, "most of the
    /// basin"; `None` if the question tells of no larger part.
    pub fn has_larger_part_in(&self, sentence: &str) -> Option<bool> {
        let own = text::folded(&self.text);
        let at = *behind_larger_parts(&own, self.language).first()?;
        let things = self.thing_in_parts(&own, at);
        let terms = self.terms.iter();
        let things: Vec<_> = terms.filter(|term| things.contains(&term.word)).collect();
        // A name tells one thing from others of its kind, which are no less named by it.
        let kinds = things.iter().any(|term| !term.is_name);
        let words = text::folded(sentence);
        let mut parts = behind_larger_parts(&words, self.language).into_iter();
        Some(parts.any(|at| {
            let met = self.met(&self.thing_in_parts(&words, at).join(" "));
            let mut things = things.iter().filter(|term| !kinds || !term.is_name);
            things.any(|term| met.contains(term))
        }))
    }

    /// Whether a sentence says who coined the word for which the question asks that, "Who first
    /// used the word pump?" "The name pump was coined by Ann"; `None` if it asks for nothing such.
    pub fn is_coined_in(&self, sentence: &str) -> Option<bool> {
        if self.answer_type != AnswerType::Person {
            return None;
        }
        let own = text::folded(&self.text);
        let [nouns, coined, used] =
            [WORDS, COINED, USED].map(|table| of_language(table, self.language));
        let has = |words: &[String], wanted: &[&str]| {
            words.iter().any(|word| wanted.contains(&word.as_str()))
        };
        let at = own.iter().position(|word| nouns.contains(&word.as_str()))?;
        let asks = has(&own, coined) || has(&own, used);
        let named: Vec<_> = self.met(&own[at + 1..].join(" "));
        if !asks || named.is_empty() {
            return None;
        }
        let words = text::folded(sentence);
        // "Coined" alone is of a word; other things are used and introduced as well.
        let is_coined = has(&words, coined) || has(&words, nouns) && has(&words, used);
        let met = self.met(sentence);
        Some(is_coined && named.iter().all(|term| met.contains(term)))
    }

    /// Whether a sentence has the case that a question is on: all terms of its last phrase, "in
    /// August", "for the lower field", or what it asks how much of; `None` without one, or if that
    /// has a number or a name, which need not be repeated.
    pub fn has_case_in(&self, sentence: &str) -> Option<bool> {
        let phrase = self.stuff().map(|term| vec![term]);
        let phrase = phrase.or_else(|| self.last_phrase())?;
        let is_telling = |term: &&QuestionTerm| {
            let is_month = text::MONTHS.contains(&term.word.as_str());
            let has_digit = term.word.contains(|c: char| c.is_ascii_digit());
            !has_digit && (!term.is_name || is_month) && term.word != "total"
        };
        let is_phrase = (1..=LAST_WORDS).contains(&phrase.len()) && phrase.iter().all(is_telling);
        is_phrase.then(|| {
            let met = self.met(sentence);
            phrase.iter().all(|term| met.contains(term))
        })
    }

    /// What a question asks how much of: "gravel" in "How much gravel was produced?"
    fn stuff(&self) -> Option<&QuestionTerm> {
        match self.wording.words()[..] {
            ["how", "much", stuff, ..] => self.terms.iter().find(|term| term.word == stuff),
            _ => None,
        }
    }

    /// The terms of the last phrase of an English question.
    fn last_phrase(&self) -> Option<Vec<&QuestionTerm>> {
        let words = self.wording.words();
        let is_determiner = |at: usize| DETERMINERS.contains(&words[at]);
        let is_preposition = |at: usize| BEFORE_LAST.contains(&words[at]);
        let start = (1..words.len()).rfind(|at| is_determiner(*at) || is_preposition(*at))?;
        let term = |word: &str| self.terms.iter().find(|term| term.word == word);
        // A thing without a preposition may go unnamed: "Who founded the studio?"
        if !self.is_english() || !is_preposition(start) && !is_preposition(start - 1) {
            return None;
        }
        words[start + 1..].iter().map(|word| term(word)).collect()
    }

    /// Whether a sentence has all words of a further question that is followed by the thing it is
    /// on, "voted against" in "Who voted against it: the new rule?"; `None` of any other question,
    /// and of one that has no words but for what is measured.
    pub fn has_further_words_in(&self, sentence: &str) -> Option<bool> {
        let (further, _) = self.text.split_once(": ")?;
        let words = text::folded(further);
        let is_pronoun = |word: &String| matches!(word.as_str(), "it" | "that" | "them" | "they");
        let is_own = |term: &&QuestionTerm| words.contains(&term.word) && !self.is_measure(term);
        let mut own = self.terms.iter().filter(is_own).peekable();
        let asks = words.iter().any(is_pronoun) && own.peek().is_some();
        asks.then(|| {
            let met = self.met(sentence);
            own.all(|term| met.contains(&term))
        })
    }

    /// Whether a sentence says who has the most of what the question asks that of, "Who got the
    /// most goals?", "Who is the leader in goals?", "Ann led the team with 11 goals"; `None` if it
    /// asks for nothing such.
    pub fn has_most_in(&self, sentence: &str) -> Option<bool> {
        if self.answer_type != AnswerType::Person {
            return None;
        }
        let counted = self.has_most_of(&text::folded(&self.text), None)?;
        let words = text::folded(sentence);
        Some(self.has_most_of(&words, Some(&counted)).is_some())
    }

    /// Whether a sentence says what is done most, by a noun or a form of the verb that the question
    /// ends with, "What do guests complain about most?", "The most frequent complaint is the
    /// noise"; `None` if it asks for nothing such.
    pub fn has_most_frequent_in(&self, sentence: &str) -> Option<bool> {
        let words = self.wording.words();
        let phrase = words
            .strip_suffix(&["most"])
            .or_else(|| words.strip_suffix(&["most", "often"]))
            .or_else(|| words.strip_suffix(&["most", "frequently"]))?;
        let verb = phrase.iter().rfind(|word| !text::is_stop_word(word))?;
        let stem = self.language.stem(verb, verb);
        let stated = text::folded(sentence);
        let is_done = |word: &String| text::same_root(&self.language.stem(word, word), &stem);
        let mut most = (0..stated.len()).filter(|at| stated[*at] == "most");
        Some(most.any(|at| {
            let around = at.saturating_sub(FREQUENT_WORDS)..(at + FREQUENT_WORDS + 1);
            let around = around.start..around.end.min(stated.len());
            stated[around].iter().any(is_done)
        }))
    }

    /// The stem of what some words say that somebody has the most of; the `wanted` one, if they
    /// say it of that.
    fn has_most_of(&self, words: &[String], wanted: Option<&str>) -> Option<String> {
        let most = of_language(MOST, self.language);
        let first = of_language(FIRST, self.language);
        (0..words.len()).find_map(|at| {
            let counted = if most.contains(&words[at].as_str()) {
                self.stems_of_phrase(&words[at + 1..])
            } else if first.contains(&words[at].as_str()) {
                self.counted_by_first(words, at)
            } else {
                Vec::new()
            };
            let mut counted = counted.into_iter();
            counted.find(|own| wanted.is_none_or(|wanted| wanted == own))
        })
    }

    /// The stems of the words before the next stop word.
    fn stems_of_phrase(&self, words: &[String]) -> Vec<String> {
        let phrase = words.iter().take(FIRST_WORDS);
        let phrase = phrase.take_while(|word| !self.is_stop(word));
        let nouns = phrase.filter(|word| word.starts_with(char::is_alphabetic));
        nouns.map(|word| self.language.stem(word, word)).collect()
    }

    /// The stems of what somebody is first in, by the word for that at a position: before it, "the
    /// goal leader", or behind a preposition: "led the team in goals".
    fn counted_by_first(&self, words: &[String], at: usize) -> Vec<String> {
        let by = of_language(COUNTED_BY, self.language);
        let behind = words[at + 1..].iter().take(FIRST_WORDS);
        let behind = behind.skip_while(|word| !by.contains(&word.as_str()));
        let behind: Vec<String> = behind
            .skip_while(|word| self.is_stop(word))
            .cloned()
            .collect();
        let before = at.checked_sub(1).map(|before| &words[before..at]);
        let before = before.filter(|_| self.is_english()).unwrap_or_default();
        let mut counted = self.stems_of_phrase(before);
        counted.extend(self.stems_of_phrase(&behind));
        counted
    }

    fn is_stop(&self, word: &str) -> bool {
        text::is_stop_word(word) || self.language.is_stop_word(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_part_is_of_the_thing_that_is_asked_about() {
        for (question, sentence, expected) in [
            (
                "Where does most of the pine forest stand?",
                "The bulk of the forest is in Alba.",
                Some(true),
            ),
            (
                "Where does most of the pine forest stand?",
                "Pine covers most of the valley.",
                Some(false),
            ),
            (
                "Where does the forest stand?",
                "Most of the forest is in Alba.",
                None,
            ),
            (
                "¿En qué valle está la mayor parte del bosque?",
                "La mayoría del bosque está en Alba.",
                Some(true),
            ),
            (
                "¿En qué valle está la mayor parte del bosque?",
                "El bosque cubre la mayor parte de la isla.",
                Some(false),
            ),
            (
                "In welchem Tal steht der größte Teil des Waldes?",
                "Der Großteil des Waldes steht in Alba.",
                Some(true),
            ),
        ] {
            let question = Question::parse(question);
            assert_eq!(
                question.has_larger_part_in(sentence),
                expected,
                "{sentence}"
            );
        }
    }

    #[test]
    fn last_phrase_tells_one_case_from_others() {
        for (question, sentence, expected) in [
            (
                "When are the services in August?",
                "They are at 9 in July and August.",
                Some(true),
            ),
            (
                "When are the services in August?",
                "Services are at 10.",
                Some(false),
            ),
            ("Who founded the studio?", "Ann founded the club.", None),
            (
                "What is planned for the lower field?",
                "Pears grow in the upper field.",
                Some(false),
            ),
            (
                "When was the crusher installed?",
                "It was installed in May.",
                None,
            ),
            ("Who led the team in 2015?", "Ann led the team.", None),
        ] {
            let question = Question::parse(question);
            assert_eq!(question.has_case_in(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn further_question_is_answered_by_its_own_words() {
        let question = Question::parse("Who voted against it: the new rule?");
        let answers = |sentence| question.has_further_words_in(sentence);
        assert_eq!(answers("Ann Lee voted against it."), Some(true));
        assert_eq!(
            answers("The board of Alba passed the new rule."),
            Some(false)
        );
        let question = Question::parse("How much did it cost: the roof?");
        assert_eq!(question.has_further_words_in("It was 9 euros."), None);
    }

    #[test]
    fn word_is_coined_by_who_first_used_it() {
        let question = Question::parse("Which chemist first used the word argon?");
        for (sentence, expected) in [
            ("The name argon was coined by Ann Lee in 1894.", true),
            ("Ann Lee introduced the term argon.", true),
            ("Argon is used by Bell in lamps.", false),
            ("Ann Lee coined the name helium.", false),
        ] {
            assert_eq!(
                question.is_coined_in(sentence),
                Some(expected),
                "{sentence}"
            );
        }
        assert_eq!(
            Question::parse("Who used the lamp first?").is_coined_in("Ann did."),
            None
        );
    }

    #[test]
    fn most_of_what_is_counted_is_told_by_who_leads() {
        for (question, sentence, expected) in [
            (
                "Who scored the most goals?",
                "Ann Lee led the team in goals with 11.",
                Some(true),
            ),
            (
                "Who scored the most goals?",
                "Bo led the league with a record nine goals.",
                Some(true),
            ),
            (
                "Who scored the most goals?",
                "Bo had 3 goals and led the team in passes.",
                Some(false),
            ),
            (
                "Who was the goal leader?",
                "Ann Lee scored the most goals.",
                Some(true),
            ),
            (
                "¿Quién fue el líder en goles?",
                "Ana lideró al equipo con 11 goles.",
                Some(true),
            ),
            ("Who scored in May?", "Ann scored the most goals.", None),
        ] {
            let question = Question::parse(question);
            assert_eq!(question.has_most_in(sentence), expected, "{sentence}");
        }
    }
}

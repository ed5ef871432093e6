//! The type of answer that a question asks for, and the test whether a sentence has one.
//!
//! The question words and the tests are English; in other languages only questions for numbers and
//! dates are recognised, and all others are of the type [`AnswerType::Open`], whose answers are
//! chosen by their words alone.

use std::collections::BTreeSet;

use crate::text::{self, Language};

/// The type of answer that a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerType {
    /// Yes or no: obligation, possibility, status.
    YesNo,
    /// A number: how many, how much, how long.
    Quantity,
    /// A date, a year or a period.
    Date,
    /// A person or an organisation.
    Person,
    /// A place.
    Place,
    /// What a thing is.
    Definition,
    /// A reason.
    Reason,
    /// A mechanism or a procedure.
    Manner,
    /// Two things side by side.
    Comparison,
    /// Several items.
    List,
    /// A topic of a few words that is no question: what the thing is, and what matters about it.
    Topic,
    /// Anything else; a topic that is no question.
    Open,
}

/// First words of a yes-or-no question.
const YES_NO_WORDS: &[&str] = &[
    "should", "shall", "do", "does", "did", "is", "are", "was", "were", "can", "could", "will",
    "would", "must", "may", "has", "have", "had", "am", "isn't", "aren't", "doesn't", "don't",
];

/// Words after "how" that ask for a quantity.
const QUANTITY_WORDS: &[&str] = &[
    "many",
    "much",
    "long",
    "far",
    "old",
    "tall",
    "high",
    "big",
    "large",
    "deep",
    "wide",
    "heavy",
    "fast",
    "often",
    "loud",
    "noisy",
    "hot",
    "cold",
    "expensive",
    "few",
    "late",
    "thick",
    "wet",
    "efficient",
    "cheap",
];

/// Nouns after "what" or "which" that ask for a quantity.
const QUANTITY_NOUNS: &[&str] = &[
    "percentage",
    "percent",
    "proportion",
    "number",
    "amount",
    "population",
    "price",
    "cost",
    "temperature",
    "length",
    "size",
    "distance",
    "speed",
    "rate",
    "age",
    "share",
    "fraction",
];

/// Nouns after "what" or "which" that ask for a date.
const DATE_NOUNS: &[&str] = &[
    "year", "years", "date", "day", "month", "century", "decade", "period", "era", "time",
];

/// Nouns after "what" or "which" that ask for a place.
const PLACE_NOUNS: &[&str] = &[
    "city",
    "country",
    "state",
    "place",
    "location",
    "region",
    "continent",
    "town",
    "village",
    "province",
    "county",
    "area",
    "street",
];

/// Nouns after "what" or "which" that ask for a person or an organisation.
const PERSON_NOUNS: &[&str] = &[
    "person",
    "man",
    "woman",
    "author",
    "scientist",
    "king",
    "queen",
    "president",
    "leader",
    "company",
    "organization",
    "organisation",
    "group",
    "team",
    "player",
    "artist",
    "philosopher",
];

/// Nouns after "what" or "which" that ask for a reason.
const REASON_NOUNS: &[&str] = &[
    "reason",
    "reasons",
    "caused",
    "causes",
    "cause",
    "motivation",
    "motivated",
];

/// Plural nouns after "which" or "what are the" that ask for a list.
const LIST_NOUNS: &[&str] = &[
    "approaches",
    "ways",
    "methods",
    "options",
    "alternatives",
    "types",
    "kinds",
    "examples",
    "advantages",
    "disadvantages",
    "drawbacks",
    "benefits",
    "risks",
    "steps",
    "reasons",
    "arguments",
    "features",
    "components",
    "techniques",
    "strategies",
    "causes",
    "effects",
    "problems",
    "challenges",
    "limitations",
    "requirements",
    "proposals",
    "changes",
    "uses",
];

impl AnswerType {
    /// The type that a question in a language asks for.
    pub(super) fn of(question: &str, language: Language) -> Self {
        if language != Language::default() || !question.is_ascii() {
            let foreign = of_foreign_words(question);
            if language != Language::default() || foreign != Self::Open {
                return foreign;
            }
        }
        let words: Vec<String> = text::words(question)
            .map(|word| text::fold(word.text))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
        if has(&[
            "compare",
            "versus",
            "vs",
            "difference",
            "differences",
            "differ",
        ]) {
            return Self::Comparison;
        }
        if words
            .first()
            .is_some_and(|first| YES_NO_WORDS.contains(first))
        {
            return Self::YesNo;
        }
        // The question word may be late: "The battle took place in what year?"
        let at = words.iter().position(|word| {
            matches!(
                *word,
                "how" | "what" | "which" | "who" | "whom" | "whose" | "when" | "where" | "why"
            )
        });
        match at {
            None if has(&["list"]) => Self::List,
            None if words.len() <= TOPIC_WORDS => Self::Topic,
            None => Self::Open,
            Some(at) => Self::of_question_word(words[at], &words[at + 1..]),
        }
    }

    fn of_question_word(word: &str, rest: &[&str]) -> Self {
        let next = rest.first().copied().unwrap_or_default();
        // "What was the population": the noun may follow a verb and an article.
        let nouns: Vec<&str> = rest
            .iter()
            .copied()
            .filter(|word| !text::is_stop_word(word))
            .take(1)
            .collect();
        let noun = nouns.first().copied().unwrap_or_default();
        match word {
            "how" if QUANTITY_WORDS.contains(&next) => Self::Quantity,
            "how" => Self::Manner,
            "when" => Self::Date,
            "who" | "whom" | "whose" => Self::Person,
            "where" => Self::Place,
            "why" => Self::Reason,
            _ if LIST_NOUNS.contains(&noun) => Self::List,
            _ if DATE_NOUNS.contains(&noun) => Self::Date,
            _ if QUANTITY_NOUNS.contains(&noun) => Self::Quantity,
            _ if PLACE_NOUNS.contains(&noun) => Self::Place,
            _ if PERSON_NOUNS.contains(&noun) => Self::Person,
            _ if REASON_NOUNS.contains(&noun) => Self::Reason,
            "what" if is_definition(next, rest) => Self::Definition,
            _ => Self::Open,
        }
    }

    /// `true` if a folded word of a question only names this type.
    pub(super) fn is_frame_word(self, folded: &str) -> bool {
        match self {
            Self::Date => DATE_NOUNS.contains(&folded),
            Self::Quantity => matches!(
                folded,
                "many" | "much" | "number" | "amount" | "far" | "long"
            ),
            Self::Place => matches!(folded, "place" | "location"),
            Self::Person => matches!(folded, "person"),
            Self::Reason => REASON_NOUNS.contains(&folded),
            Self::Manner => matches!(folded, "way" | "function" | "mechanism"),
            Self::List => LIST_NOUNS.contains(&folded),
            _ => false,
        }
    }

    /// `true` if the answer is a single fact.
    pub fn is_factual(self) -> bool {
        matches!(
            self,
            Self::Quantity | Self::Date | Self::Person | Self::Place
        )
    }

    /// `true` if the answer says what a thing is, so that it mostly begins with the thing.
    pub(super) fn is_about_thing(self) -> bool {
        matches!(self, Self::Definition | Self::Topic)
    }

    /// `true` if a sentence has a number with the unit that the question asks for.
    pub(super) fn has_expected_unit(self, sentence: &str, question: &str) -> bool {
        self == Self::Quantity
            && has_new_number(sentence, question)
            && expected_units(question).is_some_and(|units| {
                let lower = sentence.to_lowercase();
                units.iter().any(|unit| lower.contains(unit))
            })
    }

    /// `true` if the stems of the headings above a sentence say that it has answers of this type.
    pub(super) fn is_under_heading(self, headings: &[&str]) -> bool {
        let stems = match self {
            Self::Reason => REASON_HEADINGS,
            Self::Manner => MANNER_HEADINGS,
            _ => return false,
        };
        headings.iter().any(|heading| stems.contains(heading))
    }

    /// `true` if a sentence has an answer of this type that is not in the question.
    pub(super) fn is_in(self, sentence: &str, question: &str) -> bool {
        match self {
            Self::Quantity => match expected_units(question) {
                Some(_) => self.has_expected_unit(sentence, question),
                None => has_new_number(sentence, question),
            },
            Self::Date => has_new_date(sentence, question),
            Self::Person => new_names(sentence, question).next().is_some(),
            Self::Place => has_new_place(sentence, question),
            Self::Reason => has_phrase(sentence, REASONS),
            Self::Manner => has_phrase(sentence, MANNERS),
            Self::Definition => has_phrase(sentence, DEFINITIONS),
            Self::Comparison => has_phrase(sentence, COMPARISONS),
            Self::YesNo | Self::List | Self::Topic | Self::Open => false,
        }
    }
}

/// `true` if "what" with these words after it asks what a thing is: "What is a heat pump?", also
/// with a second question: "What is it and when …?"
fn is_definition(next: &str, rest: &[&str]) -> bool {
    let first = rest.iter().position(|word| *word == "and");
    let length = first.unwrap_or(rest.len());
    matches!(next, "is" | "are" | "was" | "were") && (2..=DEFINITION_WORDS).contains(&length)
}

/// The maximum number of words of a topic that is no question.
const TOPIC_WORDS: usize = 6;

/// The maximum number of words after "what" of a question that asks what a thing is.
const DEFINITION_WORDS: usize = 5;

/// Words that introduce a reason.
const REASONS: &[&str] = &[
    "because",
    "due to",
    "led to",
    "leads to",
    "to prevent",
    "to avoid",
    "in order to",
    "since",
    "as a result",
    "reason",
    "reasons",
    "caused",
    "causes",
    "owing to",
    "thanks to",
    "so that",
    "therefore",
    "motivated",
    "allows",
    "result of",
    "resulted",
];

/// Words that compare.
const COMPARISONS: &[&str] = &[
    "than",
    "whereas",
    "while",
    "compared",
    "unlike",
    "both",
    "versus",
    "instead",
    "difference",
];

/// Words that introduce a manner.
const MANNERS: &[&str] = &[
    "by",
    "through",
    "using",
    "via",
    "with the help of",
    "method",
    "process",
];

/// Words that introduce a definition.
const DEFINITIONS: &[&str] = &[
    "is a",
    "is an",
    "is the",
    "are a",
    "are the",
    "was a",
    "was an",
    "was the",
    "means",
    "refers to",
    "called",
    "known as",
    "defined as",
    "is",
    "are",
];

/// Number words.
const NUMBER_WORDS: &[&str] = &[
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fifteen",
    "sixteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "hundreds",
    "thousand",
    "thousands",
    "million",
    "billion",
    "half",
    "third",
    "quarter",
    "twice",
    "dozen",
    "dozens",
    "one",
    "none",
    "several",
];

const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

fn folded_words(text: &str) -> BTreeSet<String> {
    text::words(text)
        .map(|word| text::fold(word.text))
        .collect()
}

fn has_new_number(sentence: &str, question: &str) -> bool {
    let asked = folded_words(question);
    text::words(sentence)
        .map(|word| text::fold(word.text))
        .filter(|word| !asked.contains(word))
        .any(|word| {
            word.starts_with(|c: char| c.is_ascii_digit()) || NUMBER_WORDS.contains(&word.as_str())
        })
}

/// Phrases that ask for a quantity or a date in other languages: German, Spanish, French, Italian,
/// Portuguese, Dutch, Arabic, Chinese.
const FOREIGN: &[(AnswerType, &[&str])] = &[
    (
        AnswerType::Date,
        &[
            "wann ",
            "welchem jahr",
            "welches jahr",
            "cuándo",
            "qué año",
            "quand ",
            "quelle année",
            "quando ",
            "che anno",
            "que ano",
            "wanneer ",
            "welk jaar",
            "متى",
            "أي عام",
            "أي سنة",
            "哪一年",
            "哪年",
            "什么时候",
            "何时",
            "什么时间",
        ],
    ),
    (
        AnswerType::Quantity,
        &[
            "wie viel",
            "wieviel",
            "wie lang",
            "wie hoch",
            "wie groß",
            "cuánto",
            "cuánta",
            "combien",
            "quanto",
            "quanti",
            "quanta",
            "quante",
            "quantos",
            "quantas",
            "hoeveel",
            "كم ",
            "多少",
            "几个",
            "多长",
            "多大",
            "多久",
        ],
    ),
];

/// The type that the words of other languages ask for.
fn of_foreign_words(question: &str) -> AnswerType {
    let lower = question.to_lowercase();
    FOREIGN
        .iter()
        .find(|(_, phrases)| phrases.iter().any(|phrase| lower.contains(phrase)))
        .map_or(AnswerType::Open, |(answer_type, _)| *answer_type)
}

/// The units in which the words of a question ask for a quantity.
fn expected_units(question: &str) -> Option<&'static [&'static str]> {
    let asked = folded_words(question);
    UNITS
        .iter()
        .find(|(words, _)| words.iter().any(|word| asked.contains(*word)))
        .map(|(_, units)| *units)
}

/// Stems of headings above reasons.
const REASON_HEADINGS: &[&str] = &[
    "motiv",
    "rational",
    "reason",
    "background",
    "why",
    "benefit",
];

/// Stems of headings above mechanisms.
const MANNER_HEADINGS: &[&str] = &[
    "design",
    "explan",
    "guid",
    "mechan",
    "method",
    "procedur",
    "implement",
    "step",
];

/// Words of a question, and the units of its answer in lower case.
const UNITS: &[(&[&str], &[&str])] = &[
    (
        &["loud", "noisy", "quiet", "noise"],
        &["db", "decibel", "sone"],
    ),
    (
        &[
            "cost",
            "costs",
            "price",
            "expensive",
            "cheap",
            "pay",
            "paid",
            "money",
            "salary",
            "worth",
        ],
        &[
            "€", "$", "£", "euro", "dollar", "pound", "cent", "yen", "franc", "¥",
        ],
    ),
    (
        &["hot", "cold", "temperature"],
        &["°", "degree", "kelvin", " k "],
    ),
    (
        &["percentage", "percent", "proportion"],
        &["%", "percent", "per cent"],
    ),
];

fn has_new_date(sentence: &str, question: &str) -> bool {
    let asked = folded_words(question);
    text::words(sentence)
        .filter(|word| !asked.contains(&text::fold(word.text)))
        .any(|word| {
            let digits = word.text.trim_end_matches('s');
            let is_year =
                matches!(digits.len(), 3 | 4) && digits.bytes().all(|b| b.is_ascii_digit());
            let folded = text::fold(word.text);
            // "may" is mostly a verb.
            let is_month =
                MONTHS.contains(&folded.as_str()) && word.text.starts_with(char::is_uppercase);
            is_year
                || is_month
                || matches!(folded.as_str(), "century" | "centuries" | "bc" | "decade")
        })
}

/// The capitalised words of a sentence, without its first word, that the question does not have.
fn new_names<'a>(sentence: &'a str, question: &str) -> impl Iterator<Item = text::Word<'a>> {
    let asked = folded_words(question);
    let mut is_first = true;
    text::words(sentence).filter(move |word| {
        let is_name = word.text.starts_with(char::is_uppercase)
            && !std::mem::take(&mut is_first)
            && !text::is_stop_word(&text::fold(word.text));
        is_first = false;
        is_name && !asked.contains(&text::fold(word.text))
    })
}

fn has_new_place(sentence: &str, question: &str) -> bool {
    new_names(sentence, question).any(|name| {
        let before = sentence[..name.range.start].trim_end();
        let before = before.strip_suffix("the").unwrap_or(before).trim_end();
        let last = before.rsplit(' ').next().unwrap_or_default();
        matches!(
            last,
            "in" | "at" | "near" | "from" | "to" | "on" | "of" | "around" | "across" | "In" | "At"
        )
    })
}

fn has_phrase(sentence: &str, phrases: &[&str]) -> bool {
    let words: Vec<String> = text::words(sentence)
        .map(|word| text::fold(word.text))
        .collect();
    phrases.iter().any(|phrase| {
        let parts: Vec<&str> = phrase.split(' ').collect();
        words.windows(parts.len()).any(|window| window == parts)
    })
}

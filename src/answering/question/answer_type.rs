//! The type of answer that a question asks for. The question words are English; those of other
//! languages are in [`super::cues`].

use super::wording::Wording;
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
    Location,
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
    "warm",
    "cold",
    "cool",
    "expensive",
    "few",
    "late",
    "thick",
    "wet",
    "efficient",
    "cheap",
    "small",
    "short",
    "narrow",
    "broad",
    "steep",
    "shallow",
    "bright",
    "dense",
    "slow",
    "quickly",
    "soon",
    "frequent",
    "frequently",
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
    "fee",
    "fees",
    "fine",
    "salary",
    "wage",
    "rent",
    "charge",
    "budget",
    "income",
    "revenue",
    "capacity",
    "duration",
    "height",
    "width",
    "weight",
    "total",
    "sum",
];

/// Nouns after "what" or "which" that ask for a date.
const DATE_NOUNS: &[&str] = &[
    "year", "years", "date", "dates", "day", "days", "deadline", "month", "months", "century",
    "decade", "period", "era", "time",
];

/// Nouns after "what" or "which", with adjectives between, that ask for a version.
const VERSION_NOUNS: &[&str] = &["version", "edition", "release"];

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
    "address",
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
    "firm",
    "organization",
    "organisation",
    "group",
    "team",
    "player",
    "artist",
    "philosopher",
    "bank",
    "contractor",
    "insurer",
    "manufacturer",
    "supplier",
    "vendor",
];

/// Endings of nouns for those who do research, make or play something: "chemist", "musician".
const PROFESSIONS: &[&str] = &["ologist", "icist", "emist", "ician", "grapher", "searcher"];

/// `true` for a noun for somebody by what they do.
fn is_profession(noun: &str) -> bool {
    PROFESSIONS.iter().any(|ending| noun.ends_with(ending))
}

/// Nouns after "what" or "which" that ask for a reason.
pub(in crate::answering) const REASON_NOUNS: &[&str] = &[
    "reason",
    "reasons",
    "caused",
    "causes",
    "cause",
    "motivation",
    "motivated",
];

/// Nouns for a list of reasons in the words above it.
const LISTED_REASONS: &[&str] = &[
    "advantages",
    "benefits",
    "disadvantages",
    "downsides",
    "drawbacks",
    "flaws",
    "issues",
    "problems",
    "reasons",
    "shortcomings",
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
    "downsides",
    "shortcomings",
    "weaknesses",
    "upsides",
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
    pub(in crate::answering) fn of(question: &str, language: Language) -> Self {
        if language != Language::default() {
            return Self::Open;
        }
        let wording = Wording::new(question);
        let words = wording.words();
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
        // "When was it changed and why?" is answered by more than a date.
        let asks_more = words.ends_with(&["and", "why"]);
        match at {
            Some(_) if asks_more => Self::Reason,
            // "List the days on which it is closed."
            Some(at) if at > 2 && words[at] == "which" && DATE_NOUNS.contains(&words[at - 2]) => {
                Self::Date
            }
            None if has(&["list"]) => Self::List,
            None if words.len() <= TOPIC_WORDS => Self::Topic,
            None => Self::Open,
            Some(_) if wording.threshold().is_some() || wording.factor().is_some() => {
                Self::Quantity
            }
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
        let head = head_noun(rest);
        match word {
            "how" if QUANTITY_WORDS.contains(&next) => Self::Quantity,
            // "How has the number of members developed?"
            "how" if QUANTITY_NOUNS.contains(&noun) => Self::Quantity,
            "how" => Self::Manner,
            "when" => Self::Date,
            "who" | "whom" | "whose" => Self::Person,
            "where" => Self::Location,
            "why" => Self::Reason,
            _ if LIST_NOUNS.contains(&noun) => Self::List,
            _ if DATE_NOUNS.contains(&noun) => Self::Date,
            _ if QUANTITY_NOUNS.contains(&noun) || measures(word, next, rest) => Self::Quantity,
            _ if names_version(rest) || QUANTITY_NOUNS.contains(&head) => Self::Quantity,
            _ if names_value(rest) && is_definite(rest) => Self::Quantity,
            _ if head == "address" => Self::Location,
            _ if PLACE_NOUNS.contains(&noun) => Self::Location,
            _ if PERSON_NOUNS.contains(&noun) || is_profession(noun) => Self::Person,
            _ if REASON_NOUNS.contains(&noun) => Self::Reason,
            "what" if is_definition(next, rest) || asks_for_meaning(next, rest) => Self::Definition,
            _ => Self::Open,
        }
    }

    /// `true` if a folded word of a question only names this type.
    pub(in crate::answering) fn is_frame_word(self, folded: &str) -> bool {
        match self {
            Self::Date => DATE_NOUNS.contains(&folded),
            Self::Quantity => matches!(
                folded,
                "many"
                    | "much"
                    | "number"
                    | "amount"
                    | "far"
                    | "long"
                    | "version"
                    | "edition"
                    | "release"
                    | "develop"
                    | "developed"
                    | "evolved"
            ),
            Self::Location => matches!(folded, "place" | "location"),
            Self::Person => matches!(folded, "person" | "firm"),
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
            Self::Quantity | Self::Date | Self::Person | Self::Location
        )
    }

    /// `true` if a sentence can be told to have an answer of this type by single words: a number, a
    /// date, "because".
    pub fn is_told_by_words(self) -> bool {
        matches!(self, Self::Quantity | Self::Date | Self::Reason)
    }

    /// `true` if it takes a sentence to answer, not a value: a reason, a way, what a thing is.
    pub fn is_told_in_words(self) -> bool {
        matches!(self, Self::Reason | Self::Manner | Self::Definition)
    }

    /// `true` if a list with these words above it may answer: conditions, items, the parts of a
    /// topic, what is compared; as a reason, advantages or drawbacks.
    pub fn may_be_a_list(self, introduction: &str) -> bool {
        match self {
            Self::YesNo | Self::List | Self::Topic | Self::Open | Self::Comparison => true,
            Self::Reason => text::words(introduction)
                .any(|word| LISTED_REASONS.contains(&text::fold(word.text).as_str())),
            _ => false,
        }
    }

    /// `true` if the question is about a subject as a whole, whose name has to be met in one piece:
    /// "How does pattern matching work?".
    pub(in crate::answering) fn asks_of_subject(self) -> bool {
        !self.is_factual() && self != Self::Open
    }

    /// `true` if the answer says what a thing is, so that it mostly begins with the thing.
    pub(in crate::answering) fn is_about_thing(self) -> bool {
        matches!(self, Self::Definition | Self::Topic)
    }

    /// `true` if the stems of the headings above a sentence say that it has answers of this type.
    pub(in crate::answering) fn is_under_heading(self, headings: &[&str]) -> bool {
        let stems = match self {
            Self::Reason => REASON_HEADINGS,
            Self::Manner => MANNER_HEADINGS,
            _ => return false,
        };
        headings.iter().any(|heading| stems.contains(heading))
    }
}

/// `true` if "what" or "which" with these words after it asks for a measure: "What does it cost?",
/// "What flow temperature is needed?".
fn measures(word: &str, next: &str, rest: &[&str]) -> bool {
    let has_verb = rest.iter().any(|word| MEASURING_VERBS.contains(word));
    let is_auxiliary = matches!(next, "do" | "does" | "did" | "will" | "would" | "can");
    let second = rest.get(1).copied().unwrap_or_default();
    is_auxiliary && word == "what" && has_verb
        || !text::is_stop_word(next) && QUANTITY_NOUNS.contains(&second)
}

/// The noun that "what is the" with these words after it asks for: the last of the first phrase,
/// "fee" in "What is the late fee for books?"
fn head_noun<'a>(rest: &[&'a str]) -> &'a str {
    let mut words = rest.iter().skip_while(|word| text::is_stop_word(word));
    let phrase = words.by_ref().take_while(|word| !text::is_stop_word(word));
    phrase.last().copied().unwrap_or_default()
}

/// Nouns of "what is the" that ask for a value; without an article they ask for what that is.
const VALUES: &[&str] = &[
    "concentration",
    "consumption",
    "density",
    "deposit",
    "dosage",
    "dose",
    "frequency",
    "humidity",
    "intake",
    "limit",
    "margin",
    "maximum",
    "minimum",
    "moisture",
    "pressure",
    "profit",
    "ratio",
    "setpoint",
    "setting",
    "tariff",
    "threshold",
    "turnover",
    "viscosity",
    "voltage",
    "volume",
    "yield",
];

/// `true` if "what" or "which" with these words after it names a value: "What is the margin?",
/// "What is the set point of the dryer?"
fn names_value(rest: &[&str]) -> bool {
    VALUES.contains(&head_noun(rest))
        || rest
            .windows(2)
            .any(|pair| POINTS.contains(&[pair[0], pair[1]]))
}

/// Values that are points of a scale.
const POINTS: &[[&str; 2]] = &[
    ["boiling", "point"],
    ["dew", "point"],
    ["freezing", "point"],
    ["melting", "point"],
    ["set", "point"],
];

/// `true` if "what" with these words after it asks for one thing: "What is the margin?"
fn is_definite(rest: &[&str]) -> bool {
    matches!(
        rest,
        [
            "is" | "are" | "was" | "were",
            "the" | "our" | "its" | "their",
            ..
        ]
    )
}

/// The number of words after "what" or "which" among which a version is named.
const VERSION_WORDS: usize = 5;

/// `true` if "which" with these words after it asks for a version, whose name has a number: "From
/// which edition on …?", "What is the lowest compiler version that …?"
fn names_version(rest: &[&str]) -> bool {
    rest.iter()
        .enumerate()
        .take(VERSION_WORDS)
        .any(|(at, word)| {
            // "version control" is no version.
            let next = rest.get(at + 1).copied().unwrap_or("on");
            VERSION_NOUNS.contains(word) && (text::is_stop_word(next) || next.ends_with("ed"))
        })
}

/// Verbs after "what does it" that ask for a quantity.
const MEASURING_VERBS: &[&str] = &["cost", "weigh", "measure", "earn"];

/// `true` if "what" with these words after it asks what a thing is: "What is a heat pump?", also
/// with a second question, "What is it and when …?", or "in the context of" something.
fn is_definition(next: &str, rest: &[&str]) -> bool {
    let is_context = |own: &[&str]| own == ["in", "the", "context"];
    let context = rest.windows(3).position(is_context);
    let first = context.or(rest.iter().position(|word| *word == "and"));
    let length = first.unwrap_or(rest.len());
    matches!(next, "is" | "are" | "was" | "were") && (2..=DEFINITION_WORDS).contains(&length)
}

/// `true` if "what" with these words after it asks what a name means: "What does SoH stand for?"
fn asks_for_meaning(next: &str, rest: &[&str]) -> bool {
    matches!(next, "does" | "do") && matches!(rest, [.., "mean"] | [.., "stand", "for"])
}

/// The maximum number of words of a topic that is no question.
const TOPIC_WORDS: usize = 6;

/// The maximum number of words after "what" of a question that asks what a thing is.
const DEFINITION_WORDS: usize = 5;

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

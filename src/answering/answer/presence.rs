//! The tests whether a sentence has an answer of the type that a question asks for.

use std::sync::LazyLock;

use super::super::question::answer_type::AnswerType;
use super::super::question::cues::{Cues, items};
use super::super::question::frame;
use super::super::question::{NAMES_OF_DAYS, Question, QuestionTerm, THING_TERMS};
use super::super::vocabulary::words_have;
use super::dates::{
    gives_age, gives_hours, has_frequency, has_new_date, is_conditional, is_time, rules_case,
};
use super::ideographs;
use super::names::new_names;
use super::quantity::{
    DIFFERENCES, DURATIONS, MONEY, PEOPLE, counts, folded_words, has_compared_number,
    has_long_number, has_new_number, has_new_price, is_change, is_only_difference, names_unit,
};
use super::reasons::introduces_reason;
use super::type_words::{COMPARISONS, CONSEQUENCES, DEFINITIONS, EVALUATIONS, MANNERS, RULES};
use crate::text::{self, Keywords, Language, LazyKeywords, folded};

/// Stems of the words between two things that are compared.
const COMPARING: [&str; 3] = ["than", "compar", "versus"];
static COMPARING_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(COMPARING));

impl Question {
    /// `true` if a sentence has a number with the unit that it asks for, or one near the thing that
    /// is counted.
    pub(in crate::answering) fn has_unit(&self, sentence: &str) -> bool {
        self.answer_type == AnswerType::Quantity
            && match self.units() {
                Some(_) if self.wording.asks_for_least_age() => {
                    let says_age = words_have(&folded(sentence), &["age", "aged"]);
                    gives_age(sentence) || says_age && has_new_number(sentence, &self.text)
                }
                Some(_) if self.wording.asks_for_age() && gives_age(sentence) => true,
                Some(_) if self.wording.asks_for_frequency() => has_frequency(sentence),
                Some(units) => {
                    let lower = sentence.to_lowercase();
                    *units == *MONEY && has_new_price(sentence, &self.text)
                        || *units != *MONEY
                            && (names_unit(&lower, units)
                                || *units == *DIFFERENCES && has_compared_number(sentence, self))
                            && has_new_number(sentence, &self.text)
                            && (*units != *DURATIONS || self.has_duration_of_row(sentence))
                        || *units != *DURATIONS && self.is_measured_in_field(sentence)
                }
                None => counts(sentence, self) || is_change(sentence, self),
            }
    }

    /// `true` unless a sentence is a row of a table whose durations stand under labels of something
    /// else: "Warranty: 8 years" does not tell how long charging takes.
    fn has_duration_of_row(&self, sentence: &str) -> bool {
        const TIMES: [&str; 3] = ["time", "duration", "length"];
        let has_unit = |text: &str| names_unit(&text.to_lowercase(), DURATIONS);
        let is_time = |label: &str| {
            let words = folded_words(label);
            TIMES.iter().any(|time| words.contains(*time))
        };
        let mut fields = text::tables::record_fields(sentence);
        !text::tables::is_record(sentence)
            || fields.any(|(label, value)| {
                has_unit(label)
                    || has_unit(value) && (is_time(label) || !self.met(label).is_empty())
            })
    }

    /// `true` unless it asks who holds an office, and a sentence has no name near the word for it:
    /// "The landlord repairs the roof, which Ann regrets" names no landlord.
    pub fn names_holder(&self, sentence: &str) -> bool {
        let office = self.office();
        let deed = self.terms.iter().find(|term| self.is_deed(term));
        let Some(held) = office.or(deed) else {
            return true;
        };
        let words: Vec<text::Word<'_>> = text::words(sentence).collect();
        let names: Vec<usize> = new_names(sentence, &self.text)
            .filter(|name| !is_time(&text::fold(name.text)))
            .filter_map(|name| words.iter().position(|word| word.range == name.range))
            .collect();
        let is_office = |word: &text::Word<'_>| {
            let stem = self.language.stem(word.text, &text::fold(word.text));
            text::same_root(&stem, &held.stem) || held.synonyms.contain(&stem)
        };
        let mut offices = (0..words.len())
            .filter(|at| is_office(&words[*at]))
            .peekable();
        // "Ann will look for a new treasurer."
        let is_sought = |at: usize| {
            if names.contains(&(at + 1)) {
                return false;
            }
            let before = words[at.saturating_sub(SEEKING_DISTANCE)..at].iter();
            let before: Vec<String> = before.map(|word| text::fold(word.text)).collect();
            words_have(&before, SEEKING)
        };
        let is_near = |at: usize| {
            let mut names = names.iter();
            let is_named = names.any(|name| name.abs_diff(at) <= HOLDER_DISTANCE);
            // Who does something may be far from the word for it.
            !is_sought(at) && (is_named || office.is_none())
        };
        offices.peek().is_none() || offices.any(is_near)
    }

    /// `true` for the name of a thing that it asks about, "the Marlow depot", which is nobody.
    fn names_its_thing(&self, sentence: &str, name: &text::Word<'_>) -> bool {
        let (before, behind) = (&sentence[..name.range.start], &sentence[name.range.end..]);
        // "Tom orders the box."
        let before = text::words(before).last().map(|word| text::fold(word.text));
        if !before.is_some_and(|word| matches!(word.as_str(), "the" | "our" | "this")) {
            return false;
        }
        let next = text::words(behind).next();
        next.is_some_and(|next| {
            let stem = self.language.stem(next.text, &text::fold(next.text));
            let is_own = self
                .terms
                .iter()
                .any(|term| term.stem == stem && !term.is_name);
            is_own && behind[..next.range.start].trim().is_empty()
        })
    }

    /// `true` if it asks what something costs for somebody, whom a text does not name: "for
    /// children", "for dogs".
    pub fn is_for_others(&self, text: &str) -> bool {
        let [.., before, last] = self.wording.words()[..] else {
            return false;
        };
        let stem = self.language.stem(last, last);
        let is_plural = last.ends_with('s') && self.language == Language::default();
        let is_for_people = before == "for" && (is_plural || PEOPLE.contains(&stem.as_str()));
        let met = self.met(text);
        self.answer_type == AnswerType::Quantity
            && is_for_people
            && !met.iter().any(|term| term.stem == stem)
    }

    /// `true` if it asks who does something for a thing that a text does not name: "Who cooks for
    /// the summer party?"
    pub fn is_for_another_thing(&self, text: &str) -> bool {
        let words = self.wording.words();
        let purpose = words.iter().rposition(|word| *word == "for");
        let is_short = purpose.is_some_and(|at| words.len() - at <= LONGEST_PURPOSE);
        let last = words.last().copied().unwrap_or_default();
        let stem = self.language.stem(last, last);
        self.answer_type == AnswerType::Person
            && is_short
            && self.terms.iter().any(|term| term.stem == stem)
            && !self.met(text).iter().any(|term| term.stem == stem)
    }

    /// `true` unless it asks how many there are of a thing, and a sentence has no number near that.
    pub fn is_counted_in(&self, sentence: &str) -> bool {
        self.counted.is_none()
            || self.answer_type != AnswerType::Quantity
            || self.has_unit(sentence)
    }

    /// `true` if it asks whether something is worth while: "Is it sensible to …?"
    pub(in crate::answering) fn asks_for_evaluation(&self) -> bool {
        self.answer_type == AnswerType::YesNo && has_phrase(&self.text, EVALUATED)
    }

    /// `true` if a sentence compares two kinds of the thing that a question asks about, with all
    /// its terms that the sentence has on either side: "A large pump costs more than a small
    /// pump" does not tell what a pump costs. One that asks for a comparison asks for that.
    pub(in crate::answering) fn is_compared_with_itself(&self, sentence: &str) -> bool {
        if self.answer_type != AnswerType::Quantity || !COMPARING_KEYWORDS.are_in(sentence) {
            return false;
        }
        let stems: Vec<String> = text::words(sentence)
            .map(|word| self.language.stem(word.text, &text::fold(word.text)))
            .collect();
        let is_comparing = |stem: &String| COMPARING.contains(&stem.as_str());
        let Some(at) = stems.iter().position(is_comparing) else {
            return false;
        };
        let (before, after) = stems.split_at(at);
        let terms = self.terms.iter().filter(|term| after.contains(&term.stem));
        terms.filter(|term| before.contains(&term.stem)).count() >= THING_TERMS
    }

    /// `true` if it asks whether a thing is worth while, and a sentence is about a narrower kind of
    /// it, with a compound before its name: "a ground-source heat pump".
    pub(in crate::answering) fn is_of_narrower_thing(&self, sentence: &str) -> bool {
        let is_term = |word: &str| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            let stem = self.language.stem(word, &text::fold(word));
            self.terms.iter().any(|term| term.stem == stem)
        };
        let words: Vec<&str> = sentence.split_whitespace().collect();
        self.asks_for_evaluation()
            && words.windows(2).any(|pair| {
                pair[0].contains('-') && is_term(pair[1]) && !self.text.contains(pair[0])
            })
    }

    /// `true` if it asks for a measure, and a sentence has a number with its unit, "55 dB", or for
    /// a count, and a sentence has a number of the things: "64 members".
    pub fn is_measured_in(&self, sentence: &str) -> bool {
        // "How many people" is answered by members, visitors or any others, and by none.
        let is_counted = |stem: &String| !matches!(stem.as_str(), "peopl" | "person");
        let counts = self.counted.as_ref().is_some_and(is_counted);
        let is_number = self.wording.asks_for_number() && has_long_number(sentence)
            || self.wording.asks_for_price() && has_new_price(sentence, &self.text)
            || (counts || self.units().is_some()) && self.has_unit(sentence);
        is_number && self.has_rate(sentence)
    }

    /// `true` if it asks for a price without a word for it: "How much is a day ticket?"
    pub fn asks_for_price(&self) -> bool {
        self.wording.asks_for_price()
    }

    /// `true` if it asks how many there are of a thing, or how many of it one may have, and a
    /// sentence has the number of them: whose they are, and what one does with them, needs no word.
    pub fn counts_in(&self, sentence: &str) -> bool {
        let asks =
            self.wording.verb_of_what_one_may().is_some() || self.wording.asks_how_many_there_are();
        asks && self.counted.is_some() && self.is_measured_in(sentence)
    }

    /// `true` if it asks whether something is allowed or has to be done.
    pub fn asks_for_rule(&self) -> bool {
        let verb = self
            .wording
            .rule_word()
            .or_else(|| self.wording.verb_of_permission());
        self.answer_type == AnswerType::YesNo && verb.is_some()
    }

    /// `true` if it asks whether something is allowed, and a sentence that begins with "No" or is a
    /// rule has two things of it: "No deliveries by lorry before 7 a.m."
    pub fn is_ruled_in(&self, sentence: &str) -> bool {
        let is_prohibition = folded(sentence).first().is_some_and(|first| first == "no");
        self.asks_for_rule()
            && (is_prohibition || self.is_rule(sentence))
            && self.things_of_rule(sentence) >= THING_TERMS
    }

    /// `true` for the word with which it asks whether something is allowed, which a rule needs not.
    pub fn is_rule_word(&self, word: &str) -> bool {
        self.wording.rule_word().is_some_and(|own| own == word)
    }

    /// The number of its terms that a sentence meets, but for the verb of what one may do with
    /// them, which a rule needs not.
    pub fn things_of_rule(&self, sentence: &str) -> usize {
        let verb = self.wording.verb_of_permission();
        let met = self.met(sentence).into_iter();
        met.filter(|term| verb != Some(&term.word)).count()
    }

    /// `true` if it asks for an amount as it is now, and a sentence gives it on some day: of
    /// several days the last counts.
    pub fn is_state_in(&self, sentence: &str) -> bool {
        self.wording.asks_for_state()
            && has_new_number(sentence, &self.text)
            && has_new_date(sentence, &self.text)
    }

    /// `true` if it asks for a number or a day as it is, and not as it was.
    pub fn asks_what_is(&self) -> bool {
        let is_value = matches!(self.answer_type, AnswerType::Quantity | AnswerType::Date);
        is_value && !self.wording.has(&["was", "were", "did", "had", "before"])
    }

    /// `true` if a sentence says what may or must be done, and not what was done: "A grill was
    /// used, although that is forbidden".
    pub fn is_rule(&self, sentence: &str) -> bool {
        let words = folded(sentence);
        has_phrase(sentence, RULES) && !words_have(&words, &["was", "were", "had", "did"])
    }

    /// `true` if it asks what was decided.
    pub fn asks_for_decision(&self) -> bool {
        text::is_decision(&self.text) || self.wording.words().contains(&"decide")
    }

    /// `true` if the name of a row of a table, its first value, has no other words than the
    /// question: "Kind: Standard; Price: £28" for the price of a standard membership.
    pub fn is_named_in_row(&self, row: &str) -> bool {
        let mut fields = text::tables::record_fields(row);
        let name = fields.next().filter(|_| fields.next().is_some());
        let own = self.wording.words();
        let stems: Vec<String> = own
            .iter()
            .map(|word| self.language.stem(word, word))
            .collect();
        let is_own = |word: &String| stems.contains(&self.language.stem(word, word));
        name.is_some_and(|(_, name)| folded(name).iter().all(is_own))
    }

    /// `true` if it asks for somebody, and a row of a table gives the role that it names: "Name:
    /// Ann; Role: Volunteer coordinator".
    pub fn is_role_in(&self, row: &str) -> bool {
        let is_role = |label: &str| ROLE_LABELS.contains(&text::fold(label.trim()).as_str());
        let mut fields = text::tables::record_fields(row);
        let role = fields.find(|(label, _)| is_role(label));
        self.answer_type == AnswerType::Person
            && role.is_some_and(|(_, role)| self.met(role).len() == self.terms.len())
    }

    /// `true` if it asks for the members of a group, and a sentence lists who was there.
    pub fn is_membership_in(&self, sentence: &str) -> bool {
        self.wording.asks_for_members() && text::lists_attendance(sentence)
    }

    /// `true` if it asks about somebody of an age, and a sentence says of which age somebody is.
    pub fn is_on_age(&self, sentence: &str) -> bool {
        frame::age(&self.text).is_some() && gives_age(sentence)
    }

    /// `true` if it asks for the next time of something, and a text has a date and all that it asks
    /// about, but for words for days.
    pub fn is_next_in(&self, sentence: &str, with_headings: &str) -> bool {
        if self.answer_type != AnswerType::Date || !self.wording.asks_for_next() {
            return false;
        }
        let is_thing = |term: &&QuestionTerm| {
            let word = term.word.as_str();
            !NAMES_OF_DAYS.contains(&word) && !matches!(word, "next" | "upcoming" | "event")
        };
        let mut things = self.terms.iter().filter(is_thing).peekable();
        let met = self.met(with_headings);
        things.peek().is_some() && things.all(|term| met.contains(&term)) && self.has_type(sentence)
    }

    /// `true` if it asks for a place, and a sentence says of its subject that it is somewhere.
    pub fn is_located_in(&self, sentence: &str) -> bool {
        self.answer_type == AnswerType::Location && is_located(&folded(sentence), self)
    }

    /// `true` if it asks for a place, and a sentence says that "it" is somewhere.
    pub fn is_located_by_pronoun(&self, sentence: &str) -> bool {
        let words = folded(sentence);
        let is_pronoun = words
            .first()
            .is_some_and(|word| matches!(word.as_str(), "it" | "they"));
        let subject = self.subject().map(|subject| subject.word.clone());
        let words: Vec<String> = subject
            .into_iter()
            .chain(words.into_iter().skip(1))
            .collect();
        self.answer_type == AnswerType::Location && is_pronoun && is_located(&words, self)
    }

    /// `true` if a sentence names somebody whom it does not name, by a name that is not a common
    /// one, or by a role.
    pub fn names_somebody(&self, sentence: &str, is_common: impl Fn(&str) -> bool) -> bool {
        let is_day = |name: &text::Word<'_>| is_time(&text::fold(name.text));
        // "A COP of 4" is a thing.
        let is_kind = |name: &text::Word<'_>| {
            let before = sentence[..name.range.start].trim_end().to_lowercase();
            let is_acronym = name.text.bytes().all(|byte| byte.is_ascii_uppercase());
            is_acronym && (before.ends_with(" a") || before.ends_with(" an"))
        };
        let is_other = |name: text::Word<'_>| {
            !is_day(&name)
                && !is_kind(&name)
                && !self.names_its_thing(sentence, &name)
                && !is_common(name.text)
        };
        if text::tables::is_record(sentence) {
            return self.is_named_by_value(sentence) || has_new_role(sentence, &self.text);
        }
        new_names(sentence, &self.text).any(is_other)
            || has_new_role(sentence, &self.text)
            || self.is_done_by_somebody(sentence)
    }

    /// `true` if a value of a row of a table has a word with a capital that the question does not
    /// have; the labels of a table name nobody.
    fn is_named_by_value(&self, row: &str) -> bool {
        let own = self.wording.words();
        let is_new = |word: text::Word<'_>| {
            let folded = text::fold(word.text);
            let is_name = word.text.len() > 1 && word.text.starts_with(char::is_uppercase);
            is_name && !is_time(&folded) && !own.contains(&folded.as_str())
        };
        text::tables::record_fields(row).any(|(_, value)| text::words(value).any(is_new))
    }

    /// `true` if a sentence has an answer of the type that it asks for and that is not in it.
    pub fn has_type(&self, sentence: &str) -> bool {
        let text = &self.text;
        let has = |phrases: fn(&Cues) -> &'static str| {
            self.cues
                .is_some_and(|cues| cues.has_new(sentence, text, phrases(cues)))
        };
        match self.answer_type {
            AnswerType::Quantity if self.wording.asks_for_number() => has_long_number(sentence),
            AnswerType::Quantity => match self.units() {
                Some(_) => self.has_unit(sentence),
                None if is_only_difference(sentence, self) => false,
                None => has_new_number(sentence, text) || has(|cues| cues.numbers),
            },
            AnswerType::Date if self.wording.asks_for_hours() => gives_hours(sentence),
            // "Only if it has been installed by 30 June" says of no day that it was.
            AnswerType::Date if self.wording.asks_when_it_was() && is_conditional(sentence) => {
                false
            }
            AnswerType::Date => {
                has_new_date(sentence, text)
                    || has(|cues| cues.dates)
                    || rules_case(&self.wording, sentence)
            }
            AnswerType::Person if self.is_ideographic() => {
                ideographs::names_somebody(sentence, text)
            }
            AnswerType::Person => self.names_somebody(sentence, |_| false),
            AnswerType::Location if self.is_ideographic() => self.cues.is_some_and(|cues| {
                items(cues.prepositions).any(|own| ideographs::names(sentence, text, own))
            }),
            AnswerType::Location => {
                has_new_place(sentence, self)
                    || self.wording.asks_where_ruled() && is_bounded(sentence)
            }
            AnswerType::Reason => {
                introduces_reason(&text::folded(sentence)) || has(|cues| cues.reasons)
            }
            AnswerType::Manner => has_phrase(sentence, MANNERS),
            AnswerType::Definition => has_phrase(sentence, DEFINITIONS),
            AnswerType::Comparison => has_phrase(sentence, COMPARISONS),
            AnswerType::YesNo if frame::age(text).is_some() => gives_age(sentence),
            AnswerType::YesNo if self.wording.rule_word().is_some() => has_phrase(sentence, RULES),
            AnswerType::YesNo => self.asks_for_evaluation() && has_phrase(sentence, EVALUATIONS),
            AnswerType::Open => self.asks_what_happens() && has_phrase(sentence, CONSEQUENCES),
            AnswerType::List | AnswerType::Topic => false,
        }
    }
}

/// Labels of what somebody does.
const ROLE_LABELS: &[&str] = &[
    "duties",
    "duty",
    "function",
    "job",
    "job title",
    "office",
    "position",
    "role",
];

/// The most words of "for the summer party", at the end of a question.
const LONGEST_PURPOSE: usize = 4;

/// Words with which a question asks whether something is worth while.
const EVALUATED: &[&str] = &[
    "worth",
    "worthwhile",
    "worth it",
    "sensible",
    "reasonable",
    "advisable",
    "good idea",
    "make sense",
    "makes sense",
    "pay off",
    "recommended",
    "useful",
    "helpful",
    "beneficial",
];

/// The largest distance between an office and the name of its holder, in words. Chosen by hand.
const HOLDER_DISTANCE: usize = 8;

/// Phrases before an office that nobody holds yet, and the largest distance between the two.
const SEEKING: &[&str] = &[
    "look for",
    "looking for",
    "looks for",
    "seek",
    "seeking",
    "seeks",
    "search for",
    "searching for",
];
const SEEKING_DISTANCE: usize = 5;

/// Prepositions before a place.
const PREPOSITIONS: &str =
    "in, at, near, from, to, on, of, around, across, opposite, behind, beside, outside, above";

/// Nouns for places where things are kept and people meet: places without a name; a closed list.
const PLACES: &[&str] = &[
    "attic",
    "basement",
    "box",
    "boxes",
    "building",
    "cabinet",
    "canteen",
    "cellar",
    "corner",
    "cupboard",
    "desk",
    "drawer",
    "entrance",
    "floor",
    "folder",
    "fridge",
    "garage",
    "garden",
    "gate",
    "hall",
    "kitchen",
    "library",
    "locker",
    "lobby",
    "office",
    "reception",
    "room",
    "safe",
    "school",
    "shed",
    "shelf",
    "shelves",
    "shop",
    "store",
    "storeroom",
    "warehouse",
    "workshop",
    "yard",
];

/// Nouns for those who act: "Who approves it?" is answered by "the board".
const ROLES: &[&str] = &[
    "team",
    "teams",
    "committee",
    "council",
    "board",
    "group",
    "owner",
    "owners",
    "author",
    "authors",
    "manager",
    "director",
    "department",
    "maintainer",
    "maintainers",
    "staff",
    "member",
    "members",
    "organisation",
    "organization",
    "agency",
    "ministry",
    "government",
    "company",
];

/// `true` if a sentence has a noun for those who act that the question does not have.
fn has_new_role(sentence: &str, question: &str) -> bool {
    let question_words = folded_words(question);
    let mut words = text::words(sentence).map(|word| text::fold(word.text));
    words.any(|word| ROLES.contains(&word.as_str()) && !question_words.contains(&word))
}

fn has_new_place(sentence: &str, question: &Question) -> bool {
    let prepositions = question.cues.map_or(PREPOSITIONS, |cues| cues.prepositions);
    let question_words = question.wording.words();
    let words = folded(sentence);
    let is_place = |word: &String| PLACES.contains(&&**word) && !question_words.contains(&&**word);
    let position = words.iter().position(is_place);
    let is_after_preposition = |at: usize| {
        words[..at]
            .iter()
            .any(|word| items(prepositions).any(|own| own == word))
    };
    if position.is_some_and(is_after_preposition) || is_located(&words, question) {
        return true;
    }
    let mut names = new_names(sentence, &question.text);
    names.any(|name| {
        if is_time(&text::fold(name.text)) {
            return false;
        }
        let before = sentence[..name.range.start].trim_end();
        let before = before.strip_suffix("the").unwrap_or(before).trim_end();
        // "At 27 Canal Row".
        let before = before
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .trim_end();
        let last = before.rsplit(' ').next().unwrap_or_default();
        let last = text::fold(last);
        items(prepositions).any(|own| own == last)
    })
}

/// `true` if a sentence says where a rule holds: "is not allowed within an external block".
fn is_bounded(sentence: &str) -> bool {
    let words = folded(sentence);
    let is_bound = |word: &String| AT_PLACES.contains(&word.as_str()) || word == "within";
    let rule = words.iter().position(|word| RULES.contains(&word.as_str()));
    rule.is_some_and(|at| words[at..].iter().any(is_bound))
}

/// Words between a form of "be" and the preposition of a place.
const LOCATED: &[&str] = &["located", "situated", "based", "found", "now"];

/// Prepositions of places, in English.
const AT_PLACES: &[&str] = &[
    "at", "in", "on", "near", "behind", "opposite", "beside", "above", "by", "under", "outside",
    "inside", "between", "next",
];

/// `true` if a sentence says of the subject of a question that it is somewhere: "The shop is in the
/// old factory".
fn is_located(words: &[String], question: &Question) -> bool {
    let is_term = |word: &String| {
        let stem = question.language.stem(word, word);
        question.terms.iter().any(|term| term.stem == stem)
    };
    // "Where do they live?" "They live in one house."
    let of_question = question.wording.words();
    let asks_with_verb = matches!(of_question[..], [_, "do" | "does" | "did", ..]);
    let own_verb = question.terms.last().filter(|_| asks_with_verb);
    let is_own_verb =
        |word: &str| own_verb.is_some_and(|verb| verb.stem == question.language.stem(word, word));
    let verb = words.iter().position(|word| {
        matches!(word.as_str(), "is" | "are" | "was" | "were") || is_own_verb(word)
    });
    verb.is_some_and(|verb| {
        let (before, after) = words.split_at(verb);
        let mut after = after[1..]
            .iter()
            .skip_while(|word| LOCATED.contains(&word.as_str()) || !question.met(word).is_empty());
        let is_at = after
            .next()
            .is_some_and(|word| AT_PLACES.contains(&word.as_str()));
        // "It was built in 1991."
        let is_when = |word: &String| text::is_year(word) || is_time(word);
        before.last().is_some_and(is_term) && is_at && !after.next().is_some_and(is_when)
    })
}

fn has_phrase(sentence: &str, phrases: &[&str]) -> bool {
    words_have(&folded(sentence), phrases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_of_a_condition_is_not_when_something_was() {
        let question = Question::parse("When was the backflow valve installed?");
        for (sentence, expected) in [
            ("The backflow valve was installed on 6 May 2025.", true),
            (
                "It is covered only if a backflow valve has been installed by 30 June 2025.",
                false,
            ),
        ] {
            assert_eq!(question.has_type(sentence), expected, "{sentence}");
        }
        let future = Question::parse("When is the valve serviced?");
        assert!(future.has_type("If it rains, the valve is serviced on 3 June."));
    }

    #[test]
    fn place_of_a_thing_is_where_it_is_and_not_what_is_in_it() {
        let question = Question::parse("Where is the workshop?");
        for (sentence, expected) in [
            ("The workshop is at 27 Canal Row.", true),
            ("The workshop is in the old rope factory.", true),
            ("Before 2016 the workshop was located in a garage.", true),
            ("The workshop is by the sluice.", true),
            ("Dogs are not allowed in the workshop.", false),
            ("The workshop is closed on Sundays.", false),
            ("Children may be in the workshop only with an adult.", false),
        ] {
            assert_eq!(question.has_type(sentence), expected, "{sentence}");
        }
        let question = Question::parse("Where do the services live?");
        assert!(question.has_type("All services live in one repository."));
        assert!(!question.has_type("All services live long."));
    }

    #[test]
    fn measure_of_one_kind_against_another_is_none_of_the_thing() {
        let question = Question::parse("How much money can I save with a heat pump?");
        let own =
            "A ground-source heat pump saves 370 euros compared with an air-source heat pump.";
        let other = "A heat pump saves 630 euros compared with a boiler.";
        assert!(question.is_compared_with_itself(own));
        assert!(!question.is_compared_with_itself(other));
    }

    #[test]
    fn ages_are_bounds_of_years_of_people() {
        let question = Question::parse("Can my 12-year-old come?");
        let words: Vec<&str> = question.terms.iter().map(|own| own.word.as_str()).collect();
        assert_eq!(words, ["come", "children"]);
        for (sentence, expected) in [
            ("Children from 8 to 15 can come.", true),
            ("Anyone aged 16 or over can apply.", true),
            ("Children under 5 come free.", true),
            ("It is open from 10 to 4000 people.", false),
            ("Class 8 comes on Mondays.", false),
        ] {
            assert_eq!(question.is_on_age(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn hours_and_ages_are_no_years_of_events() {
        for (question, sentence, expected) in [
            (
                "When does the café open?",
                "The café reopened in 2019.",
                false,
            ),
            ("When does the café open?", "The café opens at 10:00.", true),
            (
                "When does the hall close?",
                "Day: Friday; Closes: 22:00.",
                true,
            ),
            (
                "When does the front desk close?",
                "From June, the front desk will no longer accept cash.",
                false,
            ),
            (
                "When does the pool open?",
                "The pool is open from May to September.",
                true,
            ),
            (
                "How old is Ann?",
                "The club elected Ann as manager from 1 March 2025.",
                false,
            ),
            ("How old is Ann?", "Ann is 43 years old.", true),
            ("How tall is Ann?", "Ann has set routes since 2016.", false),
        ] {
            let question = Question::parse(question);
            assert_eq!(question.has_type(sentence), expected, "{sentence}");
        }
        let question = Question::parse("How much is a day ticket for pensioners?");
        assert!(question.is_for_others("A day ticket for adults costs 16 euros."));
        assert!(!question.is_for_others("For pensioners it costs 9 euros."));
        let question = Question::parse("Who cooks for the summer party?");
        assert!(question.is_for_another_thing("Ann cooks for all in summer."));
        assert!(!question.is_for_another_thing("Ann cooks for the parties of the club."));
        assert!(!Question::parse("Who cooks in summer?").is_for_another_thing("Ann cooks."));
    }

    #[test]
    fn name_of_a_thing_that_is_asked_about_is_nobody() {
        let question = Question::parse("Who insures the depot?");
        assert!(question.has_type("The depot is insured with Alba Mutual."));
        assert!(!question.has_type("Decided: 28 chargers for the Marlow depot."));
        assert!(!question.has_type("As in RFC 12: • Making it • Using `Pin` of T."));
        let question = Question::parse("Who will order the box?");
        assert!(question.has_type("Tom orders the box."));
    }

    #[test]
    fn year_is_no_place() {
        let question = Question::parse("Where was the Swift built?");
        assert!(!question.has_type("The Swift was built in 1991 and carries 34 cars."));
        assert!(question.has_type("The Swift was built in the old yard."));
    }

    #[test]
    fn labels_of_a_table_name_nobody() {
        let question = Question::parse("Who built the Swift?");
        assert!(question.has_type("Boat: Swift; Built: 2011; Builder: Ann Lee."));
        assert!(!question.has_type("Boat: Swift; Type: eight; Built: 2011."));
    }

    #[test]
    fn a_place_needs_no_name() {
        let question = Question::parse("Where is the bread stored?");
        assert!(question.has_type("Bread is stored on the top shelf of the store room."));
        assert!(question.has_type("Bread is stored in Ghent."));
        assert!(!question.has_type("Bread is stored for two days."));
    }

    #[test]
    fn question_whether_a_thing_is_worth_while_is_answered_by_an_evaluation_of_it() {
        let question = Question::parse("Is a heat pump worth it in an old house in 2026?");
        assert!(question.has_type("A heat pump is usually cheaper to run."));
        assert!(!question.has_type("A heat pump has a compressor."));
        assert!(question.is_of_narrower_thing("A ground-source heat pump rarely pays off."));
        assert!(!question.is_of_narrower_thing("A heat pump rarely pays off."));
        assert!(question.terms.iter().all(|term| term.word != "2026"));
    }
}

//! Quantities as answers: numbers near what they count, and with the units that a question asks
//! for.

use std::collections::BTreeSet;

use super::super::question::amounts::CURRENCIES;
use super::super::question::answer_type::AnswerType;
use super::super::question::cues::{is_same_arabic, items};
use super::super::question::wording::Wording;
use super::super::question::{Question, QuestionTerm};
use super::super::vocabulary::{is_number_word, may_have_number};
use super::ideographs;
use crate::text::{self, Language};

/// The largest distance between a number and what it counts, in words.
const COUNT_DISTANCE: usize = 3;

/// `true` if a sentence has a number that the question does not have near what that counts: "How
/// many wheels" asks for a number near "wheels".
pub(in crate::answering) fn counts(sentence: &str, question: &Question) -> bool {
    let Some(counted) = &question.counted else {
        return false;
    };
    if question.is_ideographic() {
        return ideographs::counts(sentence, &question.text, counted);
    }
    // "How many people" is answered by members, residents or any others.
    let counts_people = is_anybody(counted);
    let term = question.terms.iter().find(|term| term.stem == *counted);
    let is_synonym = |stem: &str| term.is_some_and(|term| term.synonyms.contain(stem));
    is_amount_of(sentence, question, counted)
        || has_number_of(sentence, question, |stem| {
            stem == counted || counts_people && PEOPLE.contains(&stem) || is_synonym(stem)
        })
}

/// `true` for the stem of a word for people of any kind: the participants of a study may be its
/// residents or its patients.
fn is_anybody(stem: &str) -> bool {
    matches!(stem, "peopl" | "person" | "particip")
}

/// Words for how much there is of something.
const AMOUNTS: &[&str] = &["amount", "quantity", "volume", "weight"];

/// `true` if a sentence has a number that a question does not have, and is on how much there is of
/// a thing: "the amount of gravel is reduced from 240 to 180 tonnes".
fn is_amount_of(sentence: &str, question: &Question, thing: &str) -> bool {
    let words = text::folded(sentence);
    let is_amount = |own: &[String]| {
        AMOUNTS.contains(&own[0].as_str())
            && own[1] == "of"
            && question.language.stem(&own[2], &own[2]) == thing
    };
    words.windows(3).any(is_amount) && has_new_number(sentence, &question.text)
}

/// `true` if a sentence has a number that a question does not have near a word with such a stem.
fn has_number_of(sentence: &str, question: &Question, is_thing: impl Fn(&str) -> bool) -> bool {
    let question_words = question.wording.words();
    let is_numeral = |word: &str| match question.cues {
        Some(cues) => items(cues.numbers).any(|own| own == word || is_same_arabic(own, word)),
        None => is_number_word(word),
    };
    let words: Vec<text::Word<'_>> = text::words(sentence).collect();
    let folded: Vec<String> = words.iter().map(|word| text::fold(word.text)).collect();
    let counted = question.counted_word();
    let thing_at = |at: &usize| {
        is_thing(&question.language.stem(words[*at].text, &folded[*at]))
            || is_same_arabic(counted, &folded[*at])
    };
    let things: Vec<usize> = (0..words.len()).filter(thing_at).collect();
    (0..words.len()).any(|at| {
        let number = &folded[at];
        let is_number = number.starts_with(|c: char| c.is_ascii_digit()) || is_numeral(number);
        let is_age = at > 0 && AGES.contains(&folded[at - 1].as_str());
        // "Each member does two hours" counts hours.
        let next = folded.get(at + 1).map_or("", String::as_str);
        let counts_another = next.ends_with('s') && !text::is_stop_word(next);
        // "A five-time winner", "5 veces ganador" are no five winners.
        let counts_times = TIMES.contains(&next);
        // "300 euros on books" counts no books.
        let is_money = CURRENCIES.contains(&next) && !things.contains(&(at + 1));
        let is_near = |thing: &usize| {
            let between = &folded[at.min(*thing)..at.max(*thing)];
            distance(between, question.language) <= COUNT_DISTANCE
                && (*thing > at || !counts_another && !is_age)
        };
        // "Chickens may be kept, at most six of them."
        let stands_for_them = folded
            .get(at + 1..at + 3)
            .is_some_and(|own| own == ["of", "them"]);
        let is_near = |thing: &usize| is_near(thing) || stands_for_them && *thing < at;
        let is_of_other = is_time_of_day(sentence, &words[at]) || is_price(sentence, &words[at]);
        is_number
            && !is_of_other
            && !counts_times
            && !is_money
            && !question_words.contains(&&**number)
            && things.iter().any(is_near)
    })
}

/// Words behind the number of times that something was so, in English, German and Spanish.
const TIMES: &[&str] = &["mal", "time", "times", "veces"];

/// The distance over some folded words, the first of which counts. In other languages than English
/// stop words count for nothing: Romance ones have an article and a preposition before most nouns.
fn distance(words: &[String], language: Language) -> usize {
    let is_counted =
        |word: &&String| language == Language::default() || !language.is_stop_word(word);
    let further = words.iter().skip(1).filter(is_counted).count();
    further + usize::from(!words.is_empty())
}

/// `true` for a number of a time of the day, "09:00".
fn is_time_of_day(sentence: &str, number: &text::Word<'_>) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let (before, after) = (
        &sentence[..number.range.start],
        &sentence[number.range.end..],
    );
    let goes_on = after.strip_prefix(':');
    let began = before.strip_suffix(':');
    number.text.contains(':')
        || goes_on.is_some_and(|rest| rest.starts_with(is_digit))
        || began.is_some_and(|rest| rest.ends_with(is_digit))
}

/// `true` for an amount of money, "£40 per item", which counts no items.
fn is_price(sentence: &str, number: &text::Word<'_>) -> bool {
    sentence[..number.range.start].ends_with(['£', '$', '€', '¥'])
}

/// Words before an age, which is no number of people: "members under 18".
const AGES: &[&str] = &["under", "over", "aged", "above", "below", "age"];

/// `true` if a sentence has a number with the unit of a difference, "by 50 percent", and a question
/// asks for a change.
pub(in crate::answering) fn is_change(sentence: &str, question: &Question) -> bool {
    let lower = sentence.to_lowercase();
    question.wording.asks_for_change()
        && has_new_number(sentence, &question.text)
        && names_unit(&lower, DIFFERENCES)
}

/// The number of words behind a number among which is the comparative that it belongs to: "20 to 30
/// per cent lower".
const BEFORE_COMPARATIVE: usize = 4;

/// `true` if a sentence has a number before the comparative of a question, whose unit may be lost:
/// "How much lower is it?" "They are 20 to 30 lower".
pub(in crate::answering) fn has_compared_number(sentence: &str, question: &Question) -> bool {
    let Some(comparative) = question.wording.comparative() else {
        return false;
    };
    let words = text::folded(sentence);
    let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    let mut comparatives = (0..words.len()).filter(|at| words[*at] == comparative);
    comparatives.any(|at| {
        let before = &words[at.saturating_sub(BEFORE_COMPARATIVE)..at];
        before.iter().any(is_number)
    })
}

/// Words between "by" and the number of a difference: "by up to 12 %".
const ABOUT: &[&str] = &[
    "about", "almost", "another", "around", "nearly", "only", "over", "roughly", "some", "to", "up",
];

/// `true` if each number of a sentence says by how much something differs or changes, "by 12 %",
/// "38 % less", and a question asks for something else: how much it is.
pub(in crate::answering) fn is_only_difference(sentence: &str, question: &Question) -> bool {
    if question.wording.asks_for_difference() || question.wording.names_change() {
        return false;
    }
    let words: Vec<text::Word<'_>> = text::words(sentence).collect();
    let folded: Vec<String> = words.iter().map(|word| text::fold(word.text)).collect();
    let is_difference = |at: usize| {
        let behind = sentence[words[at].range.end..].trim_start();
        let is_share = ["%", "percent", "per cent", "times"]
            .iter()
            .any(|unit| behind.starts_with(unit));
        let mut before = folded[..at].iter().rev();
        let first = before.find(|word| !ABOUT.contains(&word.as_str()));
        let mut next = folded[at + 1..].iter();
        let next = next.find(|word| !matches!(word.as_str(), "percent" | "per" | "cent" | "times"));
        let is_less = |word: &String| {
            matches!(
                word.as_str(),
                "fewer" | "higher" | "less" | "lower" | "more"
            )
        };
        is_share && (first.is_some_and(|word| word == "by") || next.is_some_and(is_less))
    };
    let is_number = |at: &usize| folded[*at].starts_with(|c: char| c.is_ascii_digit());
    let mut numbers = (0..words.len()).filter(is_number).peekable();
    numbers.peek().is_some() && numbers.all(is_difference)
}

/// Words for people, stemmed.
pub(in crate::answering) const PEOPLE: &[&str] = &[
    "peopl", "person", "member", "repres", "employe", "worker", "user", "particip", "resid",
    "inhabit", "staff", "engin", "develop", "student", "visitor", "guest", "tenant", "passeng",
    "patient", "client", "custom", "pupil", "children", "adult", "attende", "merchant", "subscrib",
    "buyer", "seller", "volunt",
];

pub(in crate::answering) fn folded_words(text: &str) -> BTreeSet<String> {
    text::words(text)
        .map(|word| text::fold(word.text))
        .collect()
}

/// The number of words among which the auxiliary verb of a question is.
const AUXILIARY_WORDS: usize = 4;

/// `true` if a sentence has a number that a question does not have. The day or the year of a date
/// is no amount, nor is the number of an act, "[replaced by 2024/1377]", or a time in brackets.
pub(in crate::answering) fn has_new_number(sentence: &str, question: &str) -> bool {
    if !may_have_number(sentence) {
        return false;
    }
    let is_number =
        |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || is_number_word(word);
    let words: Vec<text::Word<'_>> = text::words(sentence).collect();
    let is_month = |word: &text::Word<'_>| {
        let folded = text::fold(word.text);
        text::MONTHS.contains(&folded.as_str())
    };
    let is_of_date = |at: usize| {
        let before = at.checked_sub(1).map(|before| &words[before]);
        words.get(at + 1).is_some_and(is_month)
            || text::is_year(words[at].text) && before.is_some_and(is_month)
    };
    let is_note = |word: &text::Word<'_>| {
        let before = &sentence[..word.range.start];
        before.rfind('[') > before.rfind(']')
    };
    let amounts = words.iter().enumerate().filter_map(|(at, word)| {
        let folded = text::fold(word.text);
        let is_amount = is_number(&folded) && !is_of_date(at) && !is_note(word);
        is_amount.then_some(folded)
    });
    let mut numbers = amounts.peekable();
    // Most sentences have none, and the question is split for the others alone.
    numbers.peek().is_some() && {
        let of_question = folded_words(question);
        numbers.any(|number| !of_question.contains(&number))
    }
}

impl Question {
    /// Whether a sentence has the verb at the end of a question for an amount, "reach" in "What
    /// throughput does it reach?"; `None` if there is none.
    pub fn has_last_verb(&self, sentence: &str) -> Option<bool> {
        let words = self.wording.words();
        let does = |word: &&str| matches!(*word, "do" | "does" | "did");
        let has_auxiliary = words.iter().take(AUXILIARY_WORDS).any(does);
        let last = self.terms.last()?;
        let is_verb = self.answer_type == AnswerType::Quantity
            && has_auxiliary
            && !last.is_name
            && words.last() == Some(&&*last.word);
        is_verb.then(|| self.met(sentence).contains(&last))
    }

    /// Whether a sentence has a number with a unit of size, if it asks how large something is; the
    /// answer may also count what it has, so a number without one is no less an answer.
    pub fn has_size_in(&self, sentence: &str) -> Option<bool> {
        let asks = ["large", "big"]
            .iter()
            .any(|size| self.wording.asks_how(size));
        let own = || has_new_number(sentence, &self.text);
        asks.then(|| names_unit(&sentence.to_lowercase(), SIZES) && own())
    }

    /// `true` for a term that only says what is measured, "cost", which its unit says as well.
    pub fn is_measure(&self, term: &QuestionTerm) -> bool {
        let mut words = UNITS.iter().flat_map(|(words, _)| *words);
        if term.word == "number" && self.wording.asks_for_number() {
            return true;
        }
        self.answer_type == AnswerType::Quantity && words.any(|word| *word == term.word)
    }

    /// `true` if a sentence meets all terms of it but those that only say what is measured, and at
    /// least one.
    pub fn lacks_only_measure(&self, sentence: &str) -> bool {
        let met = self.met(sentence);
        let mut terms = self.terms.iter();
        !met.is_empty() && terms.all(|term| met.contains(&term) || self.is_measure(term))
    }

    /// `true` if it asks for a number of people, and a sentence has one of any people: what the
    /// ones call customers is to the others merchants.
    pub fn counts_people_in(&self, sentence: &str) -> bool {
        let is_people = |stem: &str| PEOPLE.contains(&stem);
        let is_any = |stem: &str| is_anybody(stem) || matches!(stem, "custom" | "client" | "user");
        self.counted.as_deref().is_some_and(is_any) && has_number_of(sentence, self, is_people)
    }

    /// `true` if it asks what was, "did", and a sentence says what is expected.
    pub fn is_only_expected_in(&self, sentence: &str) -> bool {
        // "We accept the claim and will pay 14,620 euros" tells what they paid.
        let words = text::folded(sentence);
        let is_deed = |pair: &[String]| {
            matches!(pair[0].as_str(), "will" | "shall") && !self.named_in(&pair[1]).is_empty()
        };
        self.wording.words().contains(&"did")
            && !words.windows(2).any(is_deed)
            && folded_words(sentence)
                .iter()
                .any(|word| EXPECTED.contains(&word.as_str()))
    }

    /// `true` if a sentence denies what the question takes for granted: "may not serve for a year"
    /// does not tell "How long does a member serve?"
    pub fn is_denied_in(&self, sentence: &str) -> bool {
        const DENIALS: [&str; 3] = ["cannot", "never", "not"];
        let is_denial = |word: &str| DENIALS.contains(&text::fold(word).as_str());
        let words: Vec<&str> = text::words(sentence).map(|word| word.text).collect();
        let is_term = |word: &str| self.named_in(word).iter().any(|term| !term.is_name);
        let denies = |pair: &[&str]| is_denial(pair[0]) && is_term(pair[1]);
        words.windows(2).any(denies) && !text::words(&self.text).any(|word| is_denial(word.text))
    }

    /// `true` if it asks what is so, and a sentence only puts it forward: "Ann proposed to raise
    /// the fee to 38 euros".
    pub fn is_only_proposed_in(&self, sentence: &str) -> bool {
        text::is_proposal(sentence)
            && !text::words(&self.text).any(|word| text::is_proposing(&text::fold(word.text)))
    }

    /// `true` if it asks how many things somebody does something with, "How many buses did Lark
    /// deliver?", and a sentence has a word for that.
    pub fn has_deed_of_count(&self, sentence: &str) -> bool {
        self.wording
            .verb_of_count()
            .is_some_and(|verb| self.met(sentence).iter().any(|term| term.word == verb))
    }

    /// `true` unless it asks for the price of each of some things, "per MWh", and a sentence says
    /// nothing of each of these. A price for a period is told in other words, "yearly".
    pub(in crate::answering) fn has_rate(&self, sentence: &str) -> bool {
        const EACH: [&str; 6] = ["a", "an", "each", "every", "one", "per"];
        const SIGNS: [(&str, &[&str]); 2] = [
            (
                "squar",
                &["m2", "m²", "qm", "sqm", "sq", "ft2", "ft²", "km2", "km²"],
            ),
            ("cubic", &["m3", "m³", "cbm", "ft3", "ft³"]),
        ];
        let unit = self.wording.rate();
        let unit = unit
            .filter(|unit| !DURATIONS.contains(unit))
            .map(text::stem);
        unit.is_none_or(|unit| {
            let words = text::folded(sentence);
            let signs = SIGNS.iter().find(|(word, _)| *word == unit);
            let signs = signs.map_or(&[][..], |(_, signs)| *signs);
            let is_unit = |word: &str| text::stem(word) == unit || signs.contains(&word);
            let is_each = |pair: &[String]| EACH.contains(&&*pair[0]) && is_unit(&pair[1]);
            let lower = sentence.to_lowercase();
            let mut units = signs.iter().copied().chain([&*unit]);
            words.windows(2).any(is_each) || units.any(|own| lower.contains(&format!("/{own}")))
        })
    }

    /// `true` if it asks whether some amount is allowed, "Can the board spend 2,000 euros?", and a
    /// sentence says from or up to which one is: "Expenditure above 1,500 euros needs a decision".
    pub fn is_bounded_in(&self, sentence: &str) -> bool {
        self.answer_type == AnswerType::YesNo && {
            let asked_for = units_of_numbers(&self.text, self.language, false);
            let bounds = units_of_numbers(sentence, self.language, true);
            !asked_for.is_disjoint(&bounds)
        }
    }

    /// The numbers of a question whether some amount is allowed, if a sentence says from or up to
    /// which one is.
    pub(in crate::answering) fn amounts_bounded_in(
        &self,
        sentence: &str,
    ) -> impl Iterator<Item = &QuestionTerm> {
        let is_bounded = self.is_bounded_in(sentence);
        let is_number = |term: &&QuestionTerm| term.word.starts_with(|c: char| c.is_ascii_digit());
        self.terms
            .iter()
            .filter(move |term| is_bounded && is_number(term))
    }

    /// `true` for what one does with the things of which it asks how many one may have, "borrow" in
    /// "How many books can I borrow?": their number needs no word for it.
    pub fn is_done_with_counted(&self, term: &QuestionTerm) -> bool {
        self.wording.verb_of_what_one_may() == Some(&term.word)
    }
}

/// Words of what is expected.
const EXPECTED: &[&str] = &[
    "aim", "expect", "expected", "expects", "forecast", "plan", "planned", "plans", "target",
    "will",
];

/// The least number of digits of a number that names something: of a telephone, an account.
const NAMING_DIGITS: usize = 4;

/// `true` if a sentence has a number that may name something: "01947 555 0182".
pub(in crate::answering) fn has_long_number(sentence: &str) -> bool {
    let words = text::words(sentence).map(|word| word.text);
    // A separator of thousands is in an amount: "27,400".
    let mut numbers =
        words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(','));
    numbers.any(|word| word.bytes().filter(u8::is_ascii_digit).count() >= NAMING_DIGITS)
}

/// Words of a question that ask with "how long" for a time, and for no length.
const LASTING: &[&str] = &[
    "break",
    "contract",
    "course",
    "cycle",
    "cycles",
    "delay",
    "guarantee",
    "holiday",
    "holidays",
    "last",
    "lasts",
    "lease",
    "live",
    "meeting",
    "notice",
    "outage",
    "period",
    "session",
    "shift",
    "stay",
    "take",
    "takes",
    "term",
    "valid",
    "wait",
    "warranty",
];

/// Words right before a number that make it a bound: "above 1,500 euros", "at most 1,400 euros".
const BOUNDING: &[&str] = &[
    "above",
    "below",
    "beyond",
    "exceed",
    "exceeding",
    "exceeds",
    "from",
    "least",
    "maximum",
    "minimum",
    "most",
    "over",
    "than",
    "to",
    "under",
    "until",
];

/// The words behind numbers, as stems: "euro" in "2,000 euros". With `is_bound`, only those of
/// numbers that are bounds.
fn units_of_numbers(text: &str, language: Language, is_bound: bool) -> BTreeSet<String> {
    let words = text::folded(text);
    let units = words.windows(2).enumerate().filter(|(at, pair)| {
        let before = at.checked_sub(1).map_or("", |before| &words[before]);
        // A day of a month is no amount of it.
        let is_unit = !text::is_stop_word(&pair[1]) && !text::MONTHS.contains(&pair[1].as_str());
        pair[0].starts_with(|c: char| c.is_ascii_digit())
            && is_unit
            && (!is_bound || BOUNDING.contains(&before))
    });
    units
        .map(|(_, pair)| language.stem(&pair[1], &pair[1]))
        .collect()
}

impl Question {
    /// The units in which it asks for a quantity.
    pub(in crate::answering) fn units(&self) -> Option<&'static [&'static str]> {
        *self.units.get_or_init(|| expected_units(&self.wording))
    }
}

/// The units in which the words of a question ask for a quantity.
fn expected_units(wording: &Wording) -> Option<&'static [&'static str]> {
    let question_words = wording.words();
    let has = |verbs: &[&str]| verbs.iter().any(|verb| question_words.contains(verb));
    let lasts = has(LASTING);
    // "How long does somebody serve?", but not "How long is the river?"
    let does = wording.asks_how_long_somebody_does();
    if wording.asks_for_duration() && lasts || does || wording.asks_for_frequency() {
        return Some(DURATIONS);
    }
    if wording.asks_for_difference() {
        return Some(DIFFERENCES);
    }
    // "How many days do we have to pay?" asks for days, and "How far is it in minutes?" for these.
    if wording.counts_time_to_pay() || wording.unit_of_time().is_some() {
        return Some(DURATIONS);
    }
    if let Some((_, units)) = MEASURES
        .iter()
        .find(|(adjective, _)| wording.asks_how(adjective))
    {
        return Some(units);
    }
    UNITS
        .iter()
        .find(|(words, _)| words.iter().any(|word| question_words.contains(word)))
        .map(|(_, units)| *units)
}

/// A sentence in lower case without the words in which a "cent" is no money.
fn without_percent(sentence: &str) -> String {
    let lower = sentence.to_lowercase();
    lower.replace("percent", "%").replace("per cent", "%")
}

/// `true` if a sentence has an amount of money that a question does not have.
pub(in crate::answering) fn has_new_price(sentence: &str, question: &str) -> bool {
    let lower = without_percent(sentence);
    let has_money = || names_unit(&lower, MONEY) || is_priced(&lower) || is_stated_price(&lower);
    may_have_number(sentence) && has_money() && has_new_number(sentence, question)
}

/// Labels of prices in tables, whose values may be bare numbers.
const PRICES: &[&str] = &["cost", "fee", "price"];

/// `true` for a row in lower case with a number under such a label: "item: day pass; fee: 12".
fn is_priced(row: &str) -> bool {
    text::tables::record_fields(row).any(|(label, value)| {
        let is_price = PRICES.iter().any(|price| label.contains(price));
        (is_price || names_unit(label, MONEY)) && value.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The number of words from "price" to what the price is: "the price of herring was 9.40".
const PRICE_WORDS: usize = 6;

/// `true` for a sentence in lower case that says what a price is, in whatever money: "the price was
/// 9.40 a kilo".
fn is_stated_price(lower: &str) -> bool {
    let words: Vec<&str> = text::words(lower).map(|word| word.text).collect();
    let is_amount = |pair: &[&str]| {
        matches!(pair[0], "is" | "was" | "of") && pair[1].starts_with(|c: char| c.is_ascii_digit())
    };
    let mut prices = (0..words.len()).filter(|at| PRICES.contains(&words[*at]));
    prices.any(|at| {
        let behind = words[at + 1..].iter().copied().take(PRICE_WORDS);
        behind.collect::<Vec<_>>().windows(2).any(is_amount)
    })
}

/// `true` if a text in lower case has one of some units: not within a word, as "times" in
/// "sometimes".
pub(in crate::answering) fn names_unit(lower: &str, units: &[&str]) -> bool {
    let begins = |at: usize, unit: &str| {
        !unit.starts_with(char::is_alphabetic) || !lower[..at].ends_with(char::is_alphabetic)
    };
    units.iter().any(|unit| {
        let mut places = lower.match_indices(unit);
        places.any(|(at, _)| begins(at, unit))
    })
}

/// The units of durations in lower case.
pub(in crate::answering) const DURATIONS: &[&str] = &[
    "second", "minute", "hour", "day", "week", "month", "year", "decade", "centur",
];

/// The units of differences in lower case.
pub(in crate::answering) const DIFFERENCES: &[&str] = &[
    "%",
    "percent",
    "per cent",
    "times",
    "fold",
    "twofold",
    "threefold",
    "fourfold",
    "fivefold",
    "tenfold",
    "factor of",
    "half",
    "twice",
    // No "third-party".
    "a third",
    "one third",
    "one-third",
    "two thirds",
    "two-thirds",
    "a quarter",
    "one quarter",
    "three quarters",
    "magnitude",
];

/// Adjectives behind "how", and what stands beside the number of the answer in lower case.
const MEASURES: &[(&str, &[&str])] = &[
    (
        "old",
        &[
            "year",
            "aged",
            "born",
            "built",
            "founded",
            "since",
            "month",
            "week",
            "centur",
            "dates from",
        ],
    ),
    ("heavy", MASSES),
    ("deep", LENGTHS),
    ("far", LENGTHS),
    ("thick", LENGTHS),
    ("wide", LENGTHS),
    (
        "tall",
        &[
            " m ", " m.", " m,", "metre", "meter", "feet", "foot", " ft", " cm", "inch", "storey",
            "stories", "floors",
        ],
    ),
];

/// The units of length in lower case.
const LENGTHS: &[&str] = &[
    " m ", " m.", " m,", " m)", " cm", " mm", " km", " ft", "metre", "meter", "feet", "foot",
    "inch", "mile",
];

/// The units of size in lower case: of files, areas and volumes.
const SIZES: &[&str] = &[
    " kib", " mib", " gib", " tib", " kb", " mb", " gb", " tb", "byte", "m²", "m³", "square ",
    "cubic ", "hectare", "acre", "litre", "liter",
];

/// The units of mass in lower case.
const MASSES: &[&str] = &["kg", "kilo", "tonne", " lb", "gram", " stone"];

/// The units of money in lower case.
pub(in crate::answering) const MONEY: &[&str] = &[
    "€", " eur:", " eur ", "(eur", "$", "£", "euro ", "euro.", "euro,", "euro)", "euros", "dollar",
    "pound", "cents", "cent ", "yen", "franc", "¥", " gbp", "(gbp", " usd", "(usd", " chf", "(chf",
    "(kr)", "kroner", "kronor",
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
            "fee",
            "fees",
            "fine",
            "rent",
            "fare",
            "fares",
            "money",
            "salary",
            "worth",
            "earn",
            "earns",
            "wage",
            "wages",
        ],
        MONEY,
    ),
    (&["weigh", "weighs", "weight"], MASSES),
    (&["power"], &["kw", "watt", " mw", " w "]),
    (
        &["hot", "warm", "cold", "cool", "temperature"],
        &["°", "degrees", "kelvin", " k "],
    ),
    (&["fraction", "percentage", "percent", "proportion"], SHARES),
];

/// The units of shares of a whole: a fraction needs no sign.
const SHARES: &[&str] = &[
    "%",
    "percent",
    "per cent",
    "half of",
    "third of",
    "thirds of",
    "quarter of",
    "quarters of",
    "fifth of",
    "fifths of",
    "tenth of",
    "tenths of",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_is_told_by_a_fraction() {
        let question = Question::parse("What percentage of the pears does Alba grow?");
        assert!(question.has_unit("Alba grows over half of the pears."));
        assert!(question.has_unit("Alba grows two thirds of the pears."));
        assert!(!question.has_unit("Alba grows 40 pears."));
    }

    #[test]
    fn number_of_times_counts_nobody() {
        let question = Question::parse("How many winners were chosen?");
        assert!(counts("Four winners were chosen.", &question));
        assert!(!counts("The 5-time winner Ann was chosen.", &question));
        let question = Question::parse("How many books are there?");
        assert!(!counts("It spent 900 euros on books.", &question));
        assert!(counts("It has 900 books.", &question));
        let question = Question::parse("How many euros did it spend on books?");
        assert!(counts("It spent 900 euros on books.", &question));
    }

    #[test]
    fn unit_within_another_word_is_no_amount() {
        let slower = Question::parse("How much slower does the script start?");
        for (sentence, has) in [
            (
                "Two commands of third-party authors are sometimes kept.",
                false,
            ),
            ("It starts 3 times as slowly.", true),
            ("Its start takes a third longer, 40 ms.", true),
        ] {
            assert_eq!(slower.has_unit(sentence), has, "{sentence}");
        }
        let price = Question::parse("What does it cost?");
        assert!(!price.has_unit("A recent survey of 12 countries of Europe."));
        assert!(price.has_unit("It costs 12 euros."));
    }

    #[test]
    fn number_before_the_comparative_of_a_question_is_a_difference() {
        let lower = Question::parse("How much lower is the heating with the new data?");
        assert!(lower.has_unit("The rates with the new data are 20 to 30 lower."));
        assert!(!lower.has_unit("The rates of 1958 are compared; they are lower."));
    }

    #[test]
    fn word_for_a_degree_or_a_factor_only_frames_a_question() {
        let words = |question: &str| -> Vec<String> {
            let terms = Question::parse(question).terms.into_iter();
            terms.map(|term| term.word).collect()
        };
        let well = words("How well does the theory predict the pressure?");
        assert_eq!(well, ["theory", "predict", "pressure"]);
        let factor = Question::parse("By what factor can cooling delay transition?");
        assert_eq!(factor.answer_type, AnswerType::Quantity);
        assert!(factor.terms.iter().all(|term| term.word != "factor"));
    }

    #[test]
    fn limit_tells_about_any_amount_and_a_day_about_none() {
        let may = Question::parse("Can the board spend 2,000 euros on its own?");
        assert!(may.is_bounded_in("Expenditure above 1,500 euros needs a decision."));
        assert!(!may.is_bounded_in("The board spent 1,500 euros."));
        let day = Question::parse("Is the pool open on 14 July?");
        assert!(!day.is_bounded_in("The desk is closed from 3 July."));
    }
}

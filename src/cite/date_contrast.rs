//! The contrast of two dates: the one day, month, year or weekday in which two statements on the
//! same occasion differ.

use super::statement::figure::Figure;
use super::statement::{ContentWord, Statement};
use crate::text;

/// The stems of what happens once, so that two years of one exclude each other. This list and the
/// next are closed and were written by hand, for English.
const HAPPENS_ONCE: &[&str] = &[
    "assassinat",
    "birth",
    "born",
    "build",
    "built",
    "complet",
    "construct",
    "creat",
    "death",
    "demolish",
    "destroy",
    "die",
    "died",
    "discover",
    "dissolv",
    "divorc",
    "establish",
    "found",
    "inaugurat",
    "install",
    "introduc",
    "invent",
    "launch",
    "marry",
    "open",
    "patent",
    "premier",
    "publish",
    "sign",
];

/// The words for what ends once, and the stems of its end: a season ends in each year.
const AGREEMENTS: &[&str] = &[
    "agreement",
    "contract",
    "guarantee",
    "lease",
    "licence",
    "license",
    "loan",
    "mandate",
    "permit",
    "policy",
    "subscription",
    "tenancy",
    "term",
    "warranty",
];
const ENDS: &[&str] = &["end", "expir", "lapse", "terminat"];

/// The words before a date, by what they say of it: its beginning, its end. Any other word says
/// that it is the date itself.
const BEGINNINGS: &[&str] = &["from", "since", "after"];
const LIMITS: &[&str] = &["until", "till", "to", "by", "before", "through"];

/// What the word before a date says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Itself,
    Beginning,
    Limit,
}

/// The only date of a statement, as far as it says it.
pub(super) struct Date<'a> {
    weekday: Option<&'a ContentWord>,
    day: Option<&'a Figure>,
    month: Option<&'a ContentWord>,
    year: Option<&'a Figure>,
    role: Role,
}

impl<'a> Date<'a> {
    /// The date of a statement; `None` if it has none, or several.
    pub(super) fn of(statement: &'a Statement) -> Option<Self> {
        let figure = |unit: &'static str| {
            let figures = statement.figures.iter();
            at_most_one(figures.filter(move |figure| figure.unit == unit))
        };
        let word = |is_part: fn(&ContentWord) -> bool| {
            at_most_one(statement.words.iter().filter(move |word| is_part(word)))
        };
        let mut date = Self {
            weekday: word(is_weekday)?,
            day: figure("day")?,
            month: word(ContentWord::is_month)?,
            year: figure("year")?,
            role: Role::Itself,
        };
        let first = date.parts().next()?;
        date.role = role_before(statement, &first);
        Some(date)
    }

    /// Its parts as they are written, in the order of reading.
    fn parts(&self) -> impl Iterator<Item = String> {
        let word = |word: Option<&ContentWord>| word.map(|word| word.folded.clone());
        let digits = |figure: Option<&Figure>| figure.map(|figure| figure.digits.clone());
        let parts = [
            word(self.weekday),
            digits(self.day),
            word(self.month),
            digits(self.year),
        ];
        parts.into_iter().flatten()
    }

    /// `true` if the two say the same of their dates, which exclude each other.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        let differ = |one: Option<&ContentWord>, other: Option<&ContentWord>| {
            one.zip(other)
                .is_some_and(|(one, other)| one.stem != other.stem)
        };
        let is_other_day =
            (self.day.zip(other.day)).is_some_and(|(one, other)| one.value != other.value);
        self.role == other.role
            && (is_other_day
                || differ(self.month, other.month)
                || differ(self.weekday, other.weekday)
                || self.is_of_other_year(other))
    }

    /// `true` if both have a year, and not the same.
    pub(super) fn is_of_other_year(&self, other: &Self) -> bool {
        let years = self.year.zip(other.year);
        years.is_some_and(|(one, other)| one.value != other.value)
    }

    /// The date for display: "31 December 2025".
    pub(super) fn written(&self) -> String {
        let parts = self.parts().map(|part| {
            let mut chars = part.chars();
            let first = chars.next().map(char::to_uppercase);
            first.into_iter().flatten().chain(chars).collect::<String>()
        });
        parts.collect::<Vec<_>>().join(" ")
    }
}

/// The only item, if there is one; `None` for several.
fn at_most_one<T>(mut items: impl Iterator<Item = T>) -> Option<Option<T>> {
    let first = items.next();
    items.next().is_none().then_some(first)
}

/// What the word before the first part of a date says of it.
fn role_before(statement: &Statement, first: &str) -> Role {
    let tokens = statement.normal.split(' ');
    let before = tokens.clone().zip(tokens.skip(1));
    let before = before.filter(|(_, token)| *token == first);
    match before.map(|(before, _)| before).next() {
        Some(word) if BEGINNINGS.contains(&word) => Role::Beginning,
        Some(word) if LIMITS.contains(&word) => Role::Limit,
        _ => Role::Itself,
    }
}

/// `true` for the name of a day of the week.
pub(super) fn is_weekday(word: &ContentWord) -> bool {
    text::WEEKDAYS.contains(&word.folded.as_str())
}

/// `true` for a word of a date.
pub(super) fn is_of_date(word: &ContentWord) -> bool {
    word.is_month() || is_weekday(word)
}

/// `true` for a statement on what happens once.
pub(super) fn happens_once(statement: &Statement) -> bool {
    let has = |list: &[&str]| {
        let mut words = statement.words.iter();
        words.any(|word| list.contains(&&*word.stem) || list.contains(&&*word.folded))
    };
    has(HAPPENS_ONCE) || has(AGREEMENTS) && has(ENDS)
}

#[cfg(test)]
mod tests {
    use super::super::{QuestionSubject, Statement};
    use crate::artifact::analysis::ContradictionKind;

    fn dates(subject: &str, one: &str, other: &str) -> Option<(String, String)> {
        let [one, other] = [one, other].map(Statement::parse);
        let contrast = one.contrast_as_answers(&other, &QuestionSubject::parse(subject, ""))?;
        (contrast.kind == ContradictionKind::Date).then_some((contrast.one, contrast.other))
    }

    #[test]
    fn two_dates_of_one_occasion_exclude_each_other() {
        for (subject, one, other, differences) in [
            (
                "gas contract ends",
                "The gas contract ends on 31 December 2025.",
                "The gas contract ends on 31 March 2026.",
                Some(("31 December 2025", "31 March 2026")),
            ),
            (
                "boiler built",
                "The boiler was built in 1996.",
                "The boiler was built in 2001.",
                Some(("1996", "2001")),
            ),
            (
                "choir meets",
                "The choir meets on Tuesday at 17:00.",
                "The choir meets on Thursday at 17:00.",
                Some(("Tuesday", "Thursday")),
            ),
            (
                "pool open",
                "The pool is open from 1 May.",
                "The pool is open until 30 September.",
                None,
            ),
            (
                "season ends",
                "The season ends on 3 October 2025.",
                "The season ends on 4 October 2026.",
                None,
            ),
            (
                "trial WW-25 drilled",
                "10 October 2024: Trial WW-25 was drilled at a depth of 3 cm, with 320 seeds.",
                "Trial WW-25 was drilled on 3 October 2024 with eight varieties.",
                Some(("10 October 2024", "3 October 2024")),
            ),
            (
                "grant deadline",
                "The deadline for the grant is 31 March.",
                "The deadline for the grant is 30 April.",
                Some(("31 March", "30 April")),
            ),
        ] {
            let expected = differences.map(|(one, other)| (one.to_owned(), other.to_owned()));
            assert_eq!(dates(subject, one, other), expected, "{one}");
        }
    }
}

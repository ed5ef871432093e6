//! Tenures in the rows of tables, "From: May 1988; To: May 1996": which row holds in the year that
//! a question names, "Who was mayor in 1990?", or goes on, "Who is mayor now?".

use super::super::question::{Question, QuestionTerm};
use crate::text::{self, tables::record_fields};

/// Labels of columns with the first and with the last year of a tenure, and with both, folded;
/// closed lists, written by hand.
const FIRST: &[&str] = &[
    "appointed",
    "began",
    "begin",
    "elected",
    "from",
    "since",
    "start",
    "started",
    "beginn",
    "seit",
    "von",
];
const LAST: &[&str] = &["end", "ended", "left", "till", "to", "until", "bis", "ende"];
const BOTH: &[&str] = &[
    "in office",
    "period",
    "tenure",
    "term",
    "term of office",
    "years",
    "amtszeit",
    "jahre",
];

/// Words of a question for what is so at its time; a closed list, written by hand.
const NOW: &[&str] = &[
    "current",
    "currently",
    "now",
    "present",
    "today",
    "aktuell",
    "derzeit",
    "heute",
    "jetzt",
];

/// The years or the days between which something held, "1988" or "2026-07-20".
#[derive(Debug, Clone, PartialEq)]
struct Tenure {
    first: String,
    /// `None` if it goes on.
    last: Option<String>,
}

impl Tenure {
    /// The tenure that the row of a table gives.
    fn of(row: &str) -> Option<Self> {
        let fields: Vec<(String, Vec<String>)> = record_fields(row)
            .map(|(label, value)| (text::folded(label).join(" "), times(value)))
            .collect();
        let under = |labels: &[&str]| {
            let mut fields = fields.iter();
            fields.find(|(label, times)| labels.contains(&label.as_str()) && !times.is_empty())
        };
        if let Some((_, times)) = under(FIRST) {
            return Some(Self {
                first: times[0].clone(),
                last: under(LAST).map(|(_, times)| times[0].clone()),
            });
        }
        let (_, times) = under(BOTH)?;
        Some(Self {
            first: times[0].clone(),
            last: times.get(1).cloned(),
        })
    }

    fn contains(&self, time: &str) -> bool {
        // A year and a day are compared by their years.
        let is_at_most = |one: &str, other: &str| {
            let shared = one.len().min(other.len());
            one[..shared] <= other[..shared]
        };
        let last = self.last.as_ref();
        is_at_most(&self.first, time) && last.is_none_or(|last| is_at_most(time, last))
    }
}

/// The years that a text names, or the day.
fn times(text: &str) -> Vec<String> {
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    let years = numbers.filter(|number| text::is_year(number));
    let years: Vec<String> = years.map(str::to_owned).collect();
    match (years.as_slice(), text::first_date(text)) {
        ([year], Some(day)) => vec![format!("{year}-{day}")],
        _ => years,
    }
}

impl Question {
    /// `true` if the tenure that a row of a table gives has the year of the question, or goes on if
    /// the question is on what is so now; `None` if the question names no time or the row none.
    pub fn is_in_tenure_of(&self, row: &str) -> Option<bool> {
        let words = text::folded(&self.text);
        let is_now = || {
            let begins = |one: &str, other: &str| words.starts_with(&[one.into(), other.into()]);
            let mut now = words.iter();
            now.any(|word| NOW.contains(&word.as_str()))
                || begins("who", "is")
                || begins("wer", "ist")
        };
        match times(&self.text).as_slice() {
            [time] => Some(Tenure::of(row)?.contains(time)),
            [] if is_now() => Some(Tenure::of(row)?.last.is_none()),
            _ => None,
        }
    }

    /// The words of the question for its time, as terms, if the tenure of a row of a table has it.
    pub(super) fn time_in_tenure_of(&self, row: &str) -> impl Iterator<Item = &QuestionTerm> {
        let is_in = self.is_in_tenure_of(row) == Some(true);
        let terms = self.terms.iter();
        terms.filter(move |term| is_in && self.is_of_time(term))
    }

    /// `true` for a term that is a year, or a part of the day that the question names.
    pub fn is_of_time(&self, term: &QuestionTerm) -> bool {
        let has_day = || times(&self.text).iter().any(|time| time.contains('-'));
        let is_day = || {
            term.word
                .parse()
                .is_ok_and(|day: u8| (1..=31).contains(&day))
        };
        let is_month = || text::MONTHS.contains(&term.word.as_str());
        text::is_year(&term.word) || (is_day() || is_month()) && has_day()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_is_in_the_tenure_of_one_row() {
        let past = Question::parse("Who was mayor in 1990?");
        let now = Question::parse("Who is mayor now?");
        for (row, in_past, is_now) in [
            (
                "Mayor: Ann Lee; From: May 1988; To: May 1996.",
                Some(true),
                Some(false),
            ),
            (
                "Mayor: Bo Rask; From: May 1996; To: May 2004.",
                Some(false),
                Some(false),
            ),
            (
                "Mayor: Cy Dahl; From: 2004; Remark: in office.",
                Some(false),
                Some(true),
            ),
            ("Mayor: Ann Lee; Years: 1988–1996.", Some(true), Some(false)),
            ("Mayor: Ann Lee; Born: 1941.", None, None),
        ] {
            assert_eq!(past.is_in_tenure_of(row), in_past, "{row}");
            assert_eq!(now.is_in_tenure_of(row), is_now, "{row}");
        }
        let on_day = Question::parse("Who is on call on 28 July 2026?");
        for (row, is_in) in [
            ("From: 2026-07-06; To: 2026-07-13; On call: Ann Lee.", false),
            ("From: 2026-07-27; To: 2026-08-03; On call: Bo Rask.", true),
            ("From: 2026; On call: Cy Dahl.", true),
        ] {
            assert_eq!(on_day.is_in_tenure_of(row), Some(is_in), "{row}");
        }
        let other = Question::parse("Why did the mayor leave?");
        assert_eq!(other.is_in_tenure_of("Mayor: Ann Lee; From: 1988."), None);
    }
}

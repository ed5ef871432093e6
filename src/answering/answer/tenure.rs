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

/// The years between which something held.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Tenure {
    first: u16,
    /// `None` if it goes on.
    last: Option<u16>,
}

impl Tenure {
    /// The tenure that the row of a table gives.
    fn of(row: &str) -> Option<Self> {
        let fields: Vec<(String, Vec<u16>)> = record_fields(row)
            .map(|(label, value)| (text::folded(label).join(" "), years(value)))
            .collect();
        let under = |labels: &[&str]| {
            let mut fields = fields.iter();
            fields.find(|(label, years)| labels.contains(&label.as_str()) && !years.is_empty())
        };
        if let Some((_, years)) = under(FIRST) {
            return Some(Self {
                first: years[0],
                last: under(LAST).map(|(_, years)| years[0]),
            });
        }
        let (_, years) = under(BOTH)?;
        Some(Self {
            first: years[0],
            last: years.get(1).copied(),
        })
    }

    fn contains(self, year: u16) -> bool {
        self.first <= year && self.last.is_none_or(|last| year <= last)
    }
}

/// The years that a text names.
fn years(text: &str) -> Vec<u16> {
    let words = text::words(text).filter(|word| text::is_year(word.text));
    words.filter_map(|word| word.text.parse().ok()).collect()
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
        match years(&self.text).as_slice() {
            [year] => Some(Tenure::of(row)?.contains(*year)),
            [] if is_now() => Some(Tenure::of(row)?.last.is_none()),
            _ => None,
        }
    }

    /// The year of the question, as a term, if the tenure of a row of a table has it.
    pub(super) fn year_in_tenure_of(&self, row: &str) -> impl Iterator<Item = &QuestionTerm> {
        let is_in = self.is_in_tenure_of(row) == Some(true);
        let terms = self.terms.iter();
        terms.filter(move |term| is_in && text::is_year(&term.word))
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
        let other = Question::parse("Why did the mayor leave?");
        assert_eq!(other.is_in_tenure_of("Mayor: Ann Lee; From: 1988."), None);
    }
}

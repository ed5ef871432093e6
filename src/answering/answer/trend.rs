//! Trends: questions for how something changed over time, which a row of a table for each time
//! answers.

use super::super::question::Question;
use super::super::question::wording::Wording;
use super::column::{is_label_of_time, number_of_value};
use crate::text::{self, tables::record_fields};

/// Verbs of questions for a change over time; a closed list, written by hand.
const CHANGING: &[&str] = &[
    "change",
    "changed",
    "develop",
    "developed",
    "evolve",
    "evolved",
    "vary",
    "varied",
];

/// Phrases that ask for each time; a closed list, written by hand.
const EACH_TIME: &[&str] = &[
    "each month",
    "each quarter",
    "each year",
    "every month",
    "every quarter",
    "every year",
    "from year to year",
    "over the years",
    "over time",
    "trend in",
    "trend of",
    "year by year",
];

/// Words of a question for a number of something for each of another, which its column has "per"
/// for, or a sign.
const RATES: &[&str] = &["percentage", "proportion", "rate", "rates", "share"];
const PER: &[&str] = &["%", "per", "percent"];

impl Wording {
    /// The verb of a question for how something changed, which no value has: "change" in "How did
    /// the rent of the mill change?"
    pub(in crate::answering) fn verb_of_trend(&self) -> Option<&str> {
        let words = self.words();
        let asks_how = matches!(words[..], ["how", "did" | "has" | "have", ..]);
        let mut words = words.into_iter();
        words.find(|word| asks_how && CHANGING.contains(word))
    }
}

impl Question {
    /// `true` if it asks how something changed over time: "How did the rent of the mill change?"
    pub fn asks_over_time(&self) -> bool {
        let asks = self.wording.verb_of_trend().is_some() || self.wording.has(EACH_TIME);
        self.is_english() && asks
    }

    /// The time of a row of a table with a value of the thing that it names, at that time: "2021"
    /// of "Mill: Dale; Year: 2021; Rent: 900"; `None` of another thing, without a value, or of a
    /// year beyond those that it names.
    pub fn time_in_series<'a>(&self, row: &'a str) -> Option<&'a str> {
        let fields = || record_fields(row.trim_end_matches('.'));
        let (_, time) = fields().find(|(label, _)| is_label_of_time(label))?;
        let mut names = self.terms.iter().filter(|term| {
            let is_word = term.word.starts_with(char::is_alphabetic);
            term.is_name && is_word && !text::MONTHS.contains(&term.word.as_str())
        });
        let values: Vec<&str> = fields().map(|(_, value)| value).collect();
        let in_values = self.named_in(&values.join("\n"));
        let is_of_thing = names.next().is_some_and(|name| in_values.contains(&name))
            && names.all(|name| in_values.contains(&name));
        let asks_for_rate = self.wording.has(RATES);
        let has_value = fields().any(|(label, value)| {
            let words = text::folded(label);
            let is_rate = words.iter().any(|word| PER.contains(&word.as_str()));
            let is_asked_for = !self.met(label).is_empty() || asks_for_rate && is_rate;
            !is_label_of_time(label) && is_asked_for && number_of_value(value).is_some()
        });
        (is_of_thing && has_value && self.has_in_years(time)).then_some(time)
    }

    /// `true` unless it names two years or more, and a time is in none from the first to the last.
    fn has_in_years(&self, time: &str) -> bool {
        let years = |text: &str| -> Vec<u16> {
            let words = text::words(text).map(|word| word.text);
            let years = words.filter(|word| text::is_year(word));
            years.filter_map(|year| year.parse().ok()).collect()
        };
        let own = years(&self.text);
        let (Some(first), Some(last)) = (own.iter().min(), own.iter().max()) else {
            return true;
        };
        let mut of_row = years(time).into_iter().peekable();
        first == last
            || of_row.peek().is_none()
            || of_row.any(|own| (*first..=*last).contains(&own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_has_the_times_of_the_thing_that_is_named() {
        let question = Question::parse("How did the rent of Dale Mill change from 2020 to 2022?");
        assert!(question.asks_over_time());
        for (row, time) in [
            ("Mill: Dale Mill; Year: 2021; Rent: 900.", Some("2021")),
            ("Mill: Dale Mill; Year: 2024; Rent: 950.", None),
            ("Mill: Otter Mill; Year: 2021; Rent: 700.", None),
            ("Mill: Dale Mill; Year: 2021; Owner: Ann Lee.", None),
        ] {
            assert_eq!(question.time_in_series(row), time, "{row}");
        }
        let rate = Question::parse("What was the rate of accidents at Dale in each year?");
        assert!(rate.asks_over_time());
        let row = "Site: Dale; Year: 2021; Falls per 100 workers: 3.";
        assert_eq!(rate.time_in_series(row), Some("2021"));
        assert!(!Question::parse("Why did the rent change?").asks_over_time());
    }
}

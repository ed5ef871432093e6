//! What a question asks of a column of a table: its largest or its smallest value, "Which month had
//! the most complaints?", the values beyond a number, "Which wells have more than 50 mg/l?", or how
//! many there are in all.

use super::super::question::bound::Bound;
use super::super::question::{Question, QuestionTerm};
use super::super::vocabulary::words_have;
use crate::text::{self, Quantity, tables::record_fields};

/// The number that a value of a table is, with its unit; a date is none, nor a name with a number.
pub fn number_of_value(value: &str) -> Option<Quantity> {
    let value = value.trim_start();
    let amount = value.trim_start_matches(['-', '−', '+']);
    let digits = amount.trim_start_matches(['£', '$', '€', ' ']);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let first = text::quantities(amount).into_iter().next();
    let mut quantity = first.filter(|quantity| quantity.unit != "year")?;
    if value.starts_with(['-', '−']) {
        quantity.value = -quantity.value;
    }
    Some(quantity)
}

/// Labels of the column with the time; a closed list, written by hand.
const TIMES: &[&str] = &[
    "date", "month", "period", "quarter", "season", "week", "year",
];

/// `true` for the label of a column with a time: "Year".
pub(in crate::answering) fn is_label_of_time(label: &str) -> bool {
    TIMES.contains(&text::fold(label).as_str())
}

/// `true` for a letter or a number by which a thing is named.
fn is_letter(word: &str) -> bool {
    let is_capital = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    is_capital || !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

impl Question {
    /// If it names a thing by a letter or a number behind the label of a column, "at station B",
    /// and a row of a table has one there: whether the question names it.
    pub fn is_of_row(&self, row: &str) -> Option<bool> {
        let fields = record_fields(row).map(|(label, value)| {
            let value = text::words(value).next().map_or("", |word| word.text);
            (label.trim(), value)
        });
        let kinds = self.kinds_with_letters();
        self.is_named_letter(&kinds, fields)
    }

    /// If it names a thing by a letter or a number behind its kind, "option C", and a text has such
    /// things, "Option A: extend the contract": whether the question names one of them.
    pub fn is_of_letter(&self, text: &str) -> Option<bool> {
        let kinds = self.kinds_with_letters();
        if kinds.is_empty() {
            return None;
        }
        let words: Vec<&str> = text::words(text).map(|word| word.text).collect();
        self.is_named_letter(&kinds, words.windows(2).map(|pair| (pair[0], pair[1])))
    }

    /// The stems of the nouns before its letters and numbers: none in "in 2024" or "on 12 May".
    fn kinds_with_letters(&self) -> Vec<String> {
        let words: Vec<&str> = text::words(&self.text).map(|word| word.text).collect();
        let named = words.windows(2).filter(|pair| is_letter(pair[1]));
        let kinds = named.map(|pair| text::fold(pair[0]));
        let kinds =
            kinds.filter(|kind| !text::is_stop_word(kind) && text::bound_before(kind).is_none());
        kinds.map(|kind| text::stem(&kind)).collect()
    }

    /// Whether one of some things is named, each with the word behind its kind; `None` if none is
    /// of the kinds that the question names.
    fn is_named_letter<'a>(
        &self,
        kinds: &[String],
        pairs: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Option<bool> {
        let mut names = pairs
            .filter(|(kind, letter)| {
                is_letter(letter) && kinds.contains(&text::stem(&text::fold(kind)))
            })
            .map(|(_, letter)| letter)
            .peekable();
        names.peek()?;
        Some(names.any(|letter| text::words(&self.text).any(|word| word.text == letter)))
    }

    /// `true` if it asks for the largest value, `false` for the smallest; `None` for neither.
    pub fn asks_for_most(&self) -> Option<bool> {
        let words = text::words(&self.text).map(|word| text::fold(word.text));
        // Of two, the quieter is the quietest.
        let is_of_two = self.is_of_two();
        let superlative = |word: String| match word.strip_suffix("er") {
            Some(stem) if is_of_two => format!("{stem}est"),
            _ => word,
        };
        let mut extremes = words.filter_map(|word| text::extreme(&superlative(word)));
        let first = extremes.next()?;
        extremes.all(|own| own == first).then_some(first)
    }

    /// The label of the value in a row by which the thing that it asks for is the first or the
    /// last: "Weight" for "the lightest"; `None` if its superlative tells of no such value.
    pub fn label_of_degree<'a>(&self, row: &'a str) -> Option<&'a str> {
        let is_degree = |term: &&QuestionTerm| {
            let stem = term.word.strip_suffix("er").filter(|_| self.is_of_two());
            let superlative = stem.map(|stem| format!("{stem}est"));
            text::extreme(superlative.as_ref().unwrap_or(&term.word)).is_some()
        };
        let degree = self.terms.iter().find(is_degree)?;
        // The rows of a table of years are no such things.
        let (kind, _) = record_fields(row).next()?;
        if is_label_of_time(kind) && self.met(kind).is_empty() {
            return None;
        }
        let mut fields = record_fields(row);
        let has_it = |(label, value): &(&str, &str)| {
            number_of_value(value).is_some() && self.met(label).contains(&degree)
        };
        fields.find(has_it).map(|(label, _)| label)
    }

    /// `true` if it asks for one of two: "Which of the two is lighter?"
    fn is_of_two(&self) -> bool {
        self.wording.has(&["of the two", "of these two"])
    }

    /// `true` if it asks for the minimum or the maximum of something, and the label of a column has
    /// no word for that: "herring density" for "the minimum size of herring".
    pub fn limits_another(&self, label: &str) -> bool {
        let words = self.wording.words();
        let is_limit = |pair: &&[&str]| matches!(pair[0], "minimum" | "maximum");
        let limited = words.windows(2).find(is_limit).map(|pair| pair[1]);
        let limited = self.terms.iter().find(|term| Some(&*term.word) == limited);
        limited.is_some_and(|term| !self.met(label).contains(&term))
    }

    /// The label of the value in a row that it asks about: the one with most words of the question
    /// that are no years, above a number; of equals the first that names more than the things asked
    /// for, which may have numbers: "Which plot had the highest yield?"
    pub fn label_of_value<'a>(&self, row: &'a str) -> Option<&'a str> {
        let count = |terms: Vec<&QuestionTerm>| {
            let is_word = |term: &&&QuestionTerm| term.word.contains(char::is_alphabetic);
            terms.iter().filter(is_word).count()
        };
        let is_other = |label: &str| {
            let met = self.met(label);
            met.iter().any(|term| self.terms.first() != Some(*term))
        };
        let numbers = record_fields(row).filter(|(_, value)| number_of_value(value).is_some());
        let labels = numbers
            .map(|(label, _)| {
                let met = count(self.met(label));
                (label, (count(self.named_in(label)), met, is_other(label)))
            })
            .filter(|(_, (_, met, _))| *met > 0);
        let best = labels.reduce(|best, own| if own.1 > best.1 { own } else { best });
        best.map(|(label, _)| label)
    }

    /// `true` if a row of a table has a number under the measure that it asks for, whose unit is in
    /// the label or nowhere: "temperature c: 14.3".
    pub(in crate::answering) fn is_measured_in_field(&self, row: &str) -> bool {
        record_fields(row).any(|(label, value)| {
            let mut met = self.met(label).into_iter();
            number_of_value(value).is_some() && met.any(|term| self.is_measure(term))
        })
    }

    /// `true` if it asks how many of a thing there are, and of no part of them.
    pub fn counts_all(&self) -> bool {
        self.is_english() && self.wording.counts_all()
    }

    /// `true` if a sentence says that a number is of all there are: "64 containers in all".
    pub fn is_of_all(&self, sentence: &str) -> bool {
        const ALL: [&str; 6] = [
            "altogether",
            "in all",
            "in total",
            "overall",
            "total",
            "there are",
        ];
        words_have(&text::folded(sentence), &ALL)
    }

    /// `true` if it asks for things with a value beyond some number, in English.
    pub fn has_bound(&self) -> bool {
        self.bound.is_some()
    }

    /// The question without the number of its bound and the unit of that.
    #[must_use]
    pub fn without_limit(&self) -> Self {
        let mut rest = self.clone();
        if let Some(bound) = &self.bound {
            rest.terms.retain(|term| !self.is_of_limit(term, bound));
        }
        rest
    }

    /// `true` if a row of a table has a value within the bound of the question, `false` if the
    /// value is beyond it; `None` if the row has no such value, or the question no bound.
    pub fn is_within_bound(&self, row: &str) -> Option<bool> {
        let bound = self.bound.as_ref()?;
        let fields = record_fields(row).filter_map(|(label, value)| {
            let value = number_of_value(value)?;
            let at = self.last_term_in(label, bound)?;
            bound.is_comparable(label, &value).then_some((at, value))
        });
        // "Which rooms with seats for guests have a price below £50?"
        let (_, value) = fields.reduce(|best, own| if own.0 > best.0 { own } else { best })?;
        Some(bound.admits(value.value))
    }

    /// The terms of the question that a sentence needs no words for: the amount that is allowed up
    /// to some number; of a row of a table, the bound that it has a value within, the year that its
    /// tenure has, and "highest".
    pub fn terms_met_by_value(&self, sentence: &str) -> impl Iterator<Item = &QuestionTerm> {
        let is_of_column =
            self.asks_for_most().is_some() && self.label_of_value(sentence).is_some();
        let is_extreme = |term: &&QuestionTerm| text::extreme(&term.word).is_some();
        let extremes = self
            .terms
            .iter()
            .filter(move |term| is_of_column && is_extreme(term));
        self.amounts_bounded_in(sentence)
            .chain(self.terms_within_bound(sentence))
            .chain(self.time_in_tenure_of(sentence))
            .chain(extremes)
    }

    /// The terms of its bound, "50 mg/l", if a row of a table has a value within it.
    fn terms_within_bound(&self, row: &str) -> impl Iterator<Item = &QuestionTerm> {
        let is_within = self.is_within_bound(row) == Some(true);
        let bound = self.bound.as_ref().filter(|_| is_within);
        let terms = self.terms.iter();
        terms.filter(move |term| bound.is_some_and(|bound| self.is_of_limit(term, bound)))
    }

    /// `true` for the number and the unit of a bound.
    fn is_of_limit(&self, term: &QuestionTerm, bound: &Bound) -> bool {
        let limit = &self.text[bound.limit.range.clone()];
        text::words(limit).any(|word| word.text == term.written)
    }

    /// The position of the last term that the label of a column meets, but for those of the limit
    /// and, if there are others, the first: "Which rooms …" asks for no bound on their numbers.
    fn last_term_in(&self, label: &str, bound: &Bound) -> Option<usize> {
        let met = self.met(label);
        let is_other = |at: &usize| !self.is_of_limit(&self.terms[*at], bound);
        let mut others: Vec<usize> = (0..self.terms.len()).filter(is_other).collect();
        if others.len() > 1 {
            others.remove(0);
        }
        let mut others = others.into_iter().rev();
        others.find(|at| met.contains(&&self.terms[*at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_another_letter_is_of_another_thing() {
        let row = |station: &str| format!("Station: {station}; Depth: 5; Cells: 700");
        let question = Question::parse("How many cells were counted at station B?");
        assert_eq!(question.is_of_row(&row("A")), Some(false));
        assert_eq!(question.is_of_row(&row("B")), Some(true));
        let both = Question::parse("How many cells are at stations A and B?");
        assert_eq!(both.is_of_row(&row("A")), Some(true));
        assert_eq!(
            question.is_of_letter("Station A, in the harbour"),
            Some(false)
        );
        assert_eq!(question.is_of_letter("Station A and station B"), Some(true));
        assert_eq!(question.is_of_letter("Notes"), None);
        for topic in [
            "What was agreed on 12 May?",
            "Which are below 55 percent in 2024?",
        ] {
            for heading in [
                "Meeting on 14 June",
                "Sales in 2023",
                "Prices below 20 euros",
            ] {
                assert_eq!(
                    Question::parse(topic).is_of_letter(heading),
                    None,
                    "{heading}"
                );
            }
        }
        let plain = Question::parse("How many cells were counted at the station?");
        assert_eq!(plain.is_of_row(&row("A")), None);
    }

    #[test]
    fn values_have_their_sign() {
        let number = |value: &str| number_of_value(value).map(|own| own.value);
        assert_eq!(number("-5 °C"), Some(-5.0));
        assert_eq!(number("−5"), Some(-5.0));
        assert_eq!(number("£40"), Some(40.0));
        assert_eq!(number("2026-03-02"), None);
        assert_eq!(number("W-01"), None);
    }

    #[test]
    fn a_row_is_within_a_bound_by_the_column_that_the_question_names() {
        const ROW: &str = "Room: 101; Seats: 24; Price: £40; Area m²: 30.";
        for (question, is_within) in [
            ("Which rooms have more than 20 seats?", Some(true)),
            ("Which rooms have more than 24 seats?", Some(false)),
            ("Which rooms have at least 24 seats?", Some(true)),
            ("Which rooms have no more than 24 seats?", Some(true)),
            ("Which rooms have fewer than 24 seats?", Some(false)),
            ("Which rooms have a price below £50?", Some(true)),
            ("Which rooms have an area over 40 m²?", Some(false)),
            ("Which rooms cost less than £50?", Some(true)),
            ("Which rooms cost less than 30 pounds?", Some(false)),
            // Of another unit, without such a column, without a bound.
            ("Which rooms have a price below 50 kg?", None),
            ("Which rooms have more than 2 windows?", None),
            ("Which rooms have 24 seats?", None),
            ("Why have some rooms more than 20 seats?", None),
        ] {
            let parsed = Question::parse(question);
            assert_eq!(parsed.is_within_bound(ROW), is_within, "{question}");
        }
        const WELL: &str = "Well: W-05; Depth m: 6; Nitrate mg/l: 63.8; Sulphate mg/l: 61.";
        for (question, is_within) in [
            ("Which wells are less than 10 m deep?", true),
            ("Which wells have nitrate above 62 mg/l?", true),
            ("Which wells have more than 62 mg/l of sulphate?", false),
        ] {
            let parsed = Question::parse(question);
            assert_eq!(parsed.is_within_bound(WELL), Some(is_within), "{question}");
        }
    }
}

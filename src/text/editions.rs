//! Texts that differ in their numbers only: the titles of two editions of a document, and what they
//! say of one thing at two times.

use super::words::folded;

/// The least number of words without a digit that texts of which only numbers differ share.
const LEAST_WORDS: usize = 2;

/// The words of several texts, if all have the same words but for some with digits; each text by
/// the positions of its words. `None` if one has other words, or if all are the same.
pub fn differing_numbers(texts: &[&str]) -> Option<Vec<usize>> {
    let words: Vec<Vec<&str>> = texts
        .iter()
        .map(|text| text.split_whitespace().collect())
        .collect();
    let first = words.first()?;
    let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    if words.iter().any(|other| other.len() != first.len()) {
        return None;
    }
    let differ = |at: &usize| words.iter().any(|other| other[*at] != first[*at]);
    let positions: Vec<usize> = (0..first.len()).filter(differ).collect();
    let are_numbers = positions
        .iter()
        .all(|at| words.iter().all(|other| has_digit(other[*at])));
    let shared = first.iter().filter(|word| !has_digit(word)).count();
    (are_numbers && !positions.is_empty() && shared >= LEAST_WORDS).then_some(positions)
}

/// The words of a text at some positions, without the marks around them: "412", "3.1 / 20".
pub fn words_at(text: &str, positions: &[usize]) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_mark = |c: char| matches!(c, '.' | ',' | ';' | ':' | '(' | ')' | '"' | '“' | '”');
    let values = positions.iter().filter_map(|at| words.get(*at));
    let values: Vec<&str> = values.map(|word| word.trim_matches(is_mark)).collect();
    values.join(" / ")
}

/// A text with an ellipsis in place of the words at some positions.
pub fn without_words_at(text: &str, positions: &[usize]) -> String {
    let words = text.split_whitespace().enumerate().map(|(at, word)| {
        if !positions.contains(&at) {
            return word.to_owned();
        }
        // The full stop of the sentence stays, not that of a number.
        let end = word.trim_end_matches(['.', ',', ';', ':']).len();
        format!("…{}", &word[end..])
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Words of the title of a document that tells of a period; a closed list, written by hand.
const OF_PERIODS: &[&str] = &[
    "annual",
    "half-year",
    "monthly",
    "q1",
    "q2",
    "q3",
    "q4",
    "quarter",
    "quarterly",
    "results",
    "weekly",
    "yearly",
];

/// `true` if a document tells of a period by its title, "Quarterly update Q1 2026", "Harvest report
/// 2023": what it says of that stays so, whatever the next one says.
pub fn is_of_period(title: &str) -> bool {
    let folded = folded(title);
    let has = |is: &dyn Fn(&str) -> bool| folded.iter().any(|word| is(word));
    let is_year = |word: &str| matches!(word.parse::<u16>(), Ok(1900..2100));
    has(&|word| OF_PERIODS.contains(&word)) || has(&|word| word == "report") && has(&is_year)
}

/// The number of words behind two numbers by which they are of one thing. Chosen by hand.
const BEHIND_NUMBERS: usize = 6;

/// The numbers of a sentence that have enough words behind them to say what they are of.
#[derive(Debug, Clone, Default)]
pub struct NumbersInContext(Vec<NumberInContext>);

/// A number, and the folded words behind it.
#[derive(Debug, Clone)]
struct NumberInContext {
    number: String,
    behind: Vec<String>,
}

impl NumbersInContext {
    /// The numbers of a sentence.
    pub fn of(sentence: &str) -> Self {
        // Most sentences have no number.
        if !sentence.contains(|c: char| c.is_ascii_digit()) {
            return Self::default();
        }
        let words = folded(sentence);
        let is_number = |at: &usize| words[*at].starts_with(|c: char| c.is_ascii_digit());
        let in_context = |at: usize| {
            Some(NumberInContext {
                number: words[at].clone(),
                behind: words.get(at + 1..=at + BEHIND_NUMBERS)?.to_vec(),
            })
        };
        let numbers = (0..words.len()).filter(is_number);
        Self(numbers.filter_map(in_context).collect())
    }

    /// `true` if another sentence has different numbers before the same words: "more than 80 NTU
    /// above the upstream value" and "more than 60 NTU above the upstream value".
    pub fn have_rivals(&self, other: &Self) -> bool {
        self.0.iter().any(|own| {
            let others = other.0.iter();
            let mut same = others.filter(|other| other.behind == own.behind).peekable();
            same.peek().is_some() && same.all(|other| other.number != own.number)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_of_editions_differ() {
        let (one, other) = ("It has 412 members.", "It has 4,550 members.");
        assert_eq!(differing_numbers(&[one, other]), Some(vec![2]));
        assert_eq!(words_at(other, &[2]), "4,550");
        assert_eq!(without_words_at(one, &[2]), "It has … members.");
        assert_eq!(without_words_at("It rose to 4.5.", &[3]), "It rose to ….");
        for other in ["It has many members.", "It had 412 members.", one, ""] {
            assert_eq!(differing_numbers(&[one, other]), None, "{other}");
        }
        assert!(differing_numbers(&["Report 2021", "Report 2022"]).is_none());
        assert!(differing_numbers(&["Annual report 2021", "Annual report 2022"]).is_some());
        assert!(differing_numbers(&[]).is_none());
    }

    #[test]
    fn a_report_of_a_period_is_told_from_a_handbook() {
        assert!(is_of_period("Quarterly update Q1 2026"));
        assert!(is_of_period("Annual report 2025"));
        assert!(!is_of_period("Minutes of 11 March 2026"));
        assert!(!is_of_period("Handbook 2025"));
    }
}

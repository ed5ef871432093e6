//! Spans of time: a sentence that gives both ends of one, "begins on 1 March 2022 and runs until
//! 28 February 2030", says when it begins and when it ends, in months and units that exclude each
//! other elsewhere.

use super::super::alignment::has_word;
use super::super::statement::Statement;
use super::super::statement::figure::Figure;
use crate::text;

/// Stems of words for the end of a span.
const ENDING: &[&str] = &[
    "ceas", "clos", "close", "conclud", "end", "expir", "finish", "stop",
];

/// Words before the end of a span.
const UNTIL: &[&str] = &["until", "till", "through"];

/// Stems of months and of units of time.
const TIMES: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "minut",
    "hour", "day", "week", "month", "year",
];

/// `true` if a sentence says what the stem of a word of a claim says, though it has another word of
/// its class: the month or unit itself, also in "monthly", or "until" for the end.
pub(super) fn says(claim: &Statement, own: &Statement, stem: &str) -> bool {
    if ENDING.contains(&stem) {
        return ends_as(claim, own);
    }
    let mut tokens = own.normal.split(' ');
    let is_of_stem = |token: &str| {
        let token_stem = text::stem(token);
        token_stem == stem || token_stem.strip_suffix("ly") == Some(stem)
    };
    let is_time = TIMES.contains(&stem);
    is_time && (tokens.any(is_of_stem) || own.words.iter().any(|word| word.stem == stem))
}

/// `true` if a sentence has "until" before all days, years and months of a claim.
fn ends_as(claim: &Statement, own: &Statement) -> bool {
    let mut tokens = own.normal.split(' ');
    let Some(until) = tokens.position(|token| UNTIL.contains(&token)) else {
        return false;
    };
    let behind = own.words.partition_point(|word| word.position < until);
    let is_end = |figure: &Figure| {
        let mut ends = own.figures.iter().filter(|one| one.at >= behind);
        ends.any(|one| figure.is_said_by(one))
    };
    let mut months = claim.words.iter().filter(|word| word.is_month());
    let mut times = claim
        .figures
        .iter()
        .filter(|own| matches!(own.unit.as_str(), "day" | "year"));
    times.all(is_end) && months.all(|month| has_word(&own.words[behind..], month))
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn both_ends_of_a_span_are_told_by_its_sentence() {
        let lease = "The lease begins on 1 March 2022 and runs for eight years, until 28 February \
                     2030.";
        let rent = "The monthly rent is 4,200 euros plus VAT, due on the third working day of each \
                    month.";
        let opens = "The shop opens in March.";
        for (claim, passage, verdict) in [
            (
                "The lease ends on 28 February 2030.",
                lease,
                Verdict::Supported,
            ),
            (
                "The lease ends on 28 March 2030.",
                lease,
                Verdict::Contradicted,
            ),
            (
                "The lease ends on 1 March 2022.",
                lease,
                Verdict::Contradicted,
            ),
            (
                "The lease of Hall 4 ends on 28 February 2030.",
                lease,
                Verdict::Partial,
            ),
            ("The rent is 4,200 euros a month.", rent, Verdict::Supported),
            (
                "The rent is 4,200 euros a week.",
                rent,
                Verdict::Contradicted,
            ),
            ("The shop closes in March.", opens, Verdict::Contradicted),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim}: {support:?}");
        }
    }
}

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

/// `true` if one of two statements denies what is before and after a span, and the other one says
/// what is within the same span: "Not before 7 am or after 9 pm", "Trade is from 7 am to 9 pm".
pub(super) fn are_one(one: &Statement, other: &Statement) -> bool {
    let is_within = |outside: &Statement, within: &Statement| {
        let [before, after] = bounds(outside, ["before", "after"]);
        let [from, to] = bounds(within, ["from", "to"]);
        let have_ends = before.is_some() && after.is_some() && before == from && after == to;
        have_ends && outside.negations == 1 && within.negations == 0
    };
    is_within(one, other) || is_within(other, one)
}

/// The ends of a span behind two prepositions, each of which a statement has once.
fn bounds<'a>(statement: &'a Statement, words: [&str; 2]) -> [Option<Vec<&'a str>>; 2] {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    words.map(|word| {
        let mut marked = (0..tokens.len()).filter(|at| tokens[*at] == word);
        let at = marked.next().filter(|_| marked.next().is_none())?;
        bound(statement, &tokens[at + 1..])
    })
}

/// The end of a span behind its preposition: its number, and the word behind that if it is a month
/// or a half of the day.
fn bound<'a>(statement: &Statement, behind: &[&'a str]) -> Option<Vec<&'a str>> {
    let is_given = |token: &str| statement.figures.iter().any(|own| own.digits == token);
    let number = behind.first().filter(|token| is_given(token))?;
    let is_half = |token: &str| matches!(token, "am" | "pm") || text::MONTHS.contains(&token);
    let half = behind.get(1).filter(|token| is_half(token));
    Some([number].into_iter().chain(half).copied().collect())
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

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

    #[test]
    fn what_is_denied_outside_of_a_span_is_said_within_it() {
        let gate = "The gate is not open before 7 am or after 9 pm.";
        let goods = "No deliveries are accepted before 7 am or after 9 pm.";
        assert_supported(&[
            ("The gate is open from 7 am to 9 pm.", gate, true),
            ("The gate is open from 7 am to 10 pm.", gate, false),
            ("The gate is open from 9 pm to 7 am.", gate, false),
            ("The gate is open before 7 am.", gate, false),
            ("Deliveries are accepted from 7 am to 9 pm.", goods, true),
            ("Deliveries are accepted from 6 am to 9 pm.", goods, false),
        ]);
        let within = support(gate, "The gate is open from 7 am to 9 pm.");
        assert_ne!(within.verdict, Verdict::Contradicted, "{within:?}");
    }
}

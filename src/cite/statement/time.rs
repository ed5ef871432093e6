//! Time in quantities: times of day, "12:40", durations of several units, "3 hours and 10 minutes",
//! and the periods of rates, "an hour" in "40,000 orders an hour".

use crate::text::{self, Quantity};

/// Each unit of a duration, the smaller one that may follow it, and how many of that it has.
const PARTS: &[(&str, &str, f64)] = &[
    ("years", "months", 12.0),
    ("weeks", "days", 7.0),
    ("days", "h", 24.0),
    ("h", "min", 60.0),
    ("min", "s", 60.0),
];

/// The periods of rates: each its noun and the words that say "every such period".
const PERIODS: &[(&str, &[&str])] = &[
    ("second", &[]),
    ("minute", &[]),
    ("hour", &["hourly"]),
    ("day", &["daily"]),
    ("week", &["weekly"]),
    ("month", &["monthly"]),
    ("quarter", &["quarterly"]),
    ("year", &["yearly", "annually", "annum"]),
];

/// The unit of a time of day, whose value is in minutes since midnight.
pub(in crate::cite) const OF_DAY: &str = "time of day";

/// The number of words between a number and its period that name what is counted.
const COUNTED: usize = 3;

/// The quantities of a sentence with the hours and minutes of each time of day as one.
pub(in crate::cite) fn of_day(sentence: &str, quantities: Vec<Quantity>) -> Vec<Quantity> {
    let mut joined: Vec<Quantity> = Vec::with_capacity(quantities.len());
    for quantity in quantities {
        let time = joined
            .last()
            .and_then(|hours| time_of_day(sentence, hours, &quantity));
        match (time, joined.last_mut()) {
            (Some(time), Some(last)) => *last = time,
            _ => joined.push(quantity),
        }
    }
    joined
}

/// The time of day of two numbers with a colon between: "12:40".
fn time_of_day(sentence: &str, hours: &Quantity, minutes: &Quantity) -> Option<Quantity> {
    let digits = sentence.get(minutes.range.start..)?.bytes();
    let is_time = sentence.get(hours.range.end..minutes.range.start) == Some(":")
        && digits.take_while(u8::is_ascii_digit).count() == 2
        && hours.unit.is_empty()
        && matches!(minutes.unit.as_str(), "" | "h")
        && (0.0..=24.0).contains(&hours.value)
        && (0.0..60.0).contains(&minutes.value);
    is_time.then(|| Quantity {
        value: hours.value * 60.0 + minutes.value,
        unit: OF_DAY.to_owned(),
        range: hours.range.start..minutes.range.end,
    })
}

/// The quantities of a sentence with the parts of each duration added up, in its smallest unit.
pub(in crate::cite) fn durations(sentence: &str, quantities: Vec<Quantity>) -> Vec<Quantity> {
    let mut joined: Vec<Quantity> = Vec::with_capacity(quantities.len());
    for quantity in quantities {
        match joined.last_mut() {
            Some(last) => match sum(sentence, last, &quantity) {
                Some(sum) => *last = sum,
                None => joined.push(quantity),
            },
            None => joined.push(quantity),
        }
    }
    joined
}

/// The sum of two quantities that are parts of one duration.
fn sum(sentence: &str, large: &Quantity, small: &Quantity) -> Option<Quantity> {
    let between = sentence.get(large.range.end..small.range.start)?;
    let is_joined = matches!(between.trim(), "" | "and" | "," | ", and");
    let (_, _, factor) = PARTS
        .iter()
        .find(|(one, other, _)| *one == large.unit && *other == small.unit)?;
    // "Between 1 hour and 90 minutes" names two durations.
    let is_part = is_joined && (0.0..*factor).contains(&small.value);
    is_part.then(|| Quantity {
        value: large.value * factor + small.value,
        unit: small.unit.clone(),
        range: large.range.start..small.range.end,
    })
}

/// The period that the words after a number give it for; `None` if they give none.
pub(in crate::cite) fn period(after: &str) -> Option<&'static str> {
    let mut end = 0;
    let mut is_each = false;
    for word in text::words(after).take(COUNTED + 2) {
        let gap = after.get(end..word.range.start)?;
        let is_slash = gap.trim() == "/";
        let is_end = !is_slash && !gap.chars().all(|c| matches!(c, ' ' | '\n' | '-'));
        if is_each && word.text == "1" {
            // "Every week" is read as "every 1 week".
            end = word.range.end;
            continue;
        }
        if is_end || word.text.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let folded = text::fold(word.text);
        let entry = PERIODS.iter().find(|(noun, adverbs)| {
            (is_each || is_slash) && *noun == folded || adverbs.contains(&folded.as_str())
        });
        if let Some((noun, _)) = entry {
            return Some(noun);
        }
        is_each = matches!(folded.as_str(), "per" | "a" | "an" | "each" | "every");
        end = word.range.end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn parts_of_a_duration_are_added_up() {
        for (sentence, sums) in [
            ("It takes 3 hours and 10 minutes.", &[(190.0, "min")][..]),
            ("It takes 1 h 30 min 20 s.", &[(5420.0, "s")]),
            ("It takes 1 year and 6 months.", &[(18.0, "months")]),
            (
                "It takes 1 hour and 90 minutes.",
                &[(1.0, "h"), (90.0, "min")],
            ),
            (
                "It takes 3 hours, or 10 minutes.",
                &[(3.0, "h"), (10.0, "min")],
            ),
            (
                "It takes 10 minutes and 3 hours.",
                &[(10.0, "min"), (3.0, "h")],
            ),
        ] {
            let quantities = durations(sentence, text::quantities(sentence));
            let values: Vec<(f64, &str)> = quantities
                .iter()
                .map(|own| (own.value, own.unit.as_str()))
                .collect();
            assert_eq!(values, sums, "{sentence}");
        }
    }

    #[test]
    fn the_period_of_a_rate_is_what_follows_its_number() {
        for (after, expected) in [
            (" orders an hour.", Some("hour")),
            (" new orders per day", Some("day")),
            ("/month", Some("month")),
            (" monthly", Some("month")),
            (" each year, not a month", Some("year")),
            (" a month, 240 a year", Some("month")),
            (", once a year", None),
            (" to 20 euros a month", None),
            (" orders in the hour", None),
            ("", None),
        ] {
            assert_eq!(period(after), expected, "{after}");
        }
    }

    #[test]
    fn a_rate_for_another_period_is_contradicted() {
        let orders = "The queue handles 40,000 orders a day, up to 3,000 an hour.";
        let prices = "The plan costs 20 euros a month, 240 euros a year.";
        for (claim, passage, verdict) in [
            (
                "The queue handles 40,000 orders an hour.",
                orders,
                Verdict::Contradicted,
            ),
            (
                "The queue handles 40,000 orders per day.",
                orders,
                Verdict::Supported,
            ),
            (
                "The queue handles up to 3,000 orders an hour.",
                orders,
                Verdict::Supported,
            ),
            (
                "The plan costs 20 euros a year.",
                prices,
                Verdict::Contradicted,
            ),
            (
                "The plan costs 240 euros yearly.",
                prices,
                Verdict::Supported,
            ),
            (
                "The plan costs 20 euros monthly.",
                prices,
                Verdict::Supported,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }

    #[test]
    fn a_duration_is_not_that_of_another_unit_and_is_more_than_a_lower_bound() {
        let halt = "The line stood still for five and a half hours.";
        let limit = "The press is not suitable for loads of more than 15 %.";
        for (claim, passage, verdict) in [
            (
                "The line stood still for five days.",
                halt,
                Verdict::Contradicted,
            ),
            (
                "The line stood still for more than five hours.",
                halt,
                Verdict::Supported,
            ),
            (
                "The line stood still for more than six hours.",
                halt,
                Verdict::Contradicted,
            ),
            (
                "The lamp has a warranty of two years.",
                "The warranty of the lamp is 24 months.",
                Verdict::Supported,
            ),
            (
                "Members may borrow it for 21 days.",
                "Members may borrow it for three weeks.",
                Verdict::Supported,
            ),
            // 20 is more than 15.
            (
                "The press is not suitable for loads of 20 %.",
                limit,
                Verdict::Partial,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }

    #[test]
    fn a_duration_is_the_same_in_other_units() {
        let passage = "The trip takes 3 hours and 10 minutes.";
        for (claim, passage, verdict) in [
            ("The trip takes 190 minutes.", passage, Verdict::Supported),
            (
                "The trip takes 200 minutes.",
                passage,
                Verdict::Contradicted,
            ),
            (
                "The trip takes 1.5 hours.",
                "The trip takes 90 minutes.",
                Verdict::Supported,
            ),
            (
                "The lease runs for 18 months.",
                "The lease runs for 1 year and 6 months.",
                Verdict::Supported,
            ),
            (
                "The trip takes 90 hours.",
                "The trip takes 90 minutes.",
                Verdict::Contradicted,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }

    #[test]
    fn a_time_of_day_is_one_value_and_may_is_a_month() {
        let rule = "The rule takes effect on 1 March 2025. The delivery is planned for 28 April \
                    2025.";
        let lunch = "The guest arrived at 12:20.";
        for (claim, passage, reason) in [
            (
                "The rule takes effect on 1 May 2025.",
                rule,
                "\"May\" against \"march\"",
            ),
            (
                "The delivery is planned for May 2025.",
                rule,
                "\"May\" against \"april\"",
            ),
            ("The guest arrived at 12:40.", lunch, "12:40 against 12:20"),
        ] {
            let support = support(claim, passage);
            assert_eq!(
                support.verdict,
                Verdict::Contradicted,
                "{claim} {support:?}"
            );
            assert_eq!(support.reasons[0], reason, "{claim}");
        }
        for (claim, passage) in [
            ("The rule takes effect on 1 March 2025.", rule),
            ("The delivery is planned for April 2025.", rule),
            (
                "The guest came at 12:20.",
                "The guest came to the hotel at 12:20.",
            ),
            (
                "The rule holds from May 2024.",
                "The rule holds from 3 May 2024.",
            ),
            ("May 2024 was warm.", "It was warm in May 2024."),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, Verdict::Supported, "{claim} {support:?}");
        }
    }
}

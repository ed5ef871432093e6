//! Spans of time and ages, as users write and read them: `30d`, `3 h`.

use anyhow::{Result, anyhow};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

/// The units of a span, with their seconds; a year has 365 days.
const UNITS: [(&str, i64); 6] = [
    ("y", 365 * 86_400),
    ("w", 7 * 86_400),
    ("d", 86_400),
    ("h", 3600),
    ("m", 60),
    ("s", 1),
];

/// The span of a text such as `30d` or `12h`.
///
/// # Errors
/// When it is none.
pub(super) fn span(text: &str) -> Result<TimeDelta> {
    let parsed = UNITS.iter().find_map(|(unit, seconds)| {
        let number: u32 = text.strip_suffix(unit)?.trim().parse().ok()?;
        TimeDelta::try_seconds(i64::from(number).checked_mul(*seconds)?)
    });
    parsed.ok_or_else(|| {
        anyhow!(
            "{text:?} is not a span of time such as 30d: a number and s, m (minutes), h, d, w or y"
        )
    })
}

/// The moment that a text means: so long ago, or the beginning of a day such as `2026-11-21`.
///
/// # Errors
/// When it is neither.
pub(super) fn moment(text: &str, now: DateTime<Utc>) -> Result<DateTime<Utc>> {
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Ok(day.and_time(chrono::NaiveTime::MIN).and_utc());
    }
    let moment = span(text).map(|span| now.checked_sub_signed(span));
    let problem = |error| anyhow!("{error}, nor a day such as 2026-11-21");
    moment
        .map_err(problem)?
        .ok_or_else(|| anyhow!("{text} is before the beginning of time"))
}

/// The time since a moment in its largest unit, such as `3 h`; empty if the moment is no time.
pub(super) fn age(moment: &str, now: DateTime<Utc>) -> String {
    let Ok(moment) = DateTime::parse_from_rfc3339(moment) else {
        return String::new();
    };
    let seconds = (now - moment.with_timezone(&Utc)).num_seconds();
    let whole = |(unit, length): &(&str, i64)| {
        let number = seconds / length;
        // Weeks are not counted: 10 d says more than 1 w.
        (number > 0 && *unit != "w").then(|| format!("{number} {unit}"))
    };
    UNITS
        .iter()
        .find_map(whole)
        .unwrap_or_else(|| "now".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::parse_from_rfc3339("2026-11-21T12:00:00Z")
            .unwrap()
            .to_utc()
    }

    #[test]
    fn spans_and_days_are_moments() {
        let at = |text| moment(text, now()).map(|moment| moment.to_rfc3339()).ok();
        assert_eq!(at("2d").as_deref(), Some("2026-11-19T12:00:00+00:00"));
        assert_eq!(at("90m").as_deref(), Some("2026-11-21T10:30:00+00:00"));
        assert_eq!(
            at("2026-11-01").as_deref(),
            Some("2026-11-01T00:00:00+00:00")
        );
        for text in [
            "",
            "d",
            "-1d",
            "1 fortnight",
            "1e9y",
            "4294967295y",
            "2026-13-01",
            "é",
        ] {
            assert_eq!(at(text), None, "{text}");
        }
    }

    #[test]
    fn ages_are_in_their_largest_unit() {
        let since = |moment: &str| age(moment, now());
        assert_eq!(since("2026-11-21T11:59:59Z"), "1 s");
        assert_eq!(since("2026-11-21T09:00:00Z"), "3 h");
        assert_eq!(since("2026-11-01T09:00:00Z"), "20 d");
        assert_eq!(since("2024-11-01T09:00:00Z"), "2 y");
        assert_eq!(since("2026-11-22T09:00:00Z"), "now");
        assert_eq!(since("yesterday"), "");
    }
}

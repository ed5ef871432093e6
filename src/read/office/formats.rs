//! The number formats of spreadsheets (ECMA-376, 18.8.30): a number as the text that a cell shows.
//! Dates are shown as ISO 8601, whatever their order in the format.

use chrono::{NaiveDate, TimeDelta};

/// The most decimals that are shown; a cell shows at most thirty, of which fifteen are digits of a
/// number.
const MAX_DECIMALS: usize = 15;

/// Numbers from this on have more digits than they are exact to.
const MAX_EXACT: f64 = 1e15;

/// The way a cell shows a number.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Format {
    /// The number itself.
    #[default]
    General,
    /// A date, a time of the day or a duration, or both.
    Time { has_day: bool, has_time: bool },
    /// A number with so many decimals at least and at most.
    Number {
        decimals: (usize, usize),
        has_thousands: bool,
        is_percent: bool,
        prefix: String,
        suffix: String,
    },
}

impl Format {
    /// The format of a number that is built into all programs (ECMA-376, 18.8.30).
    pub(super) fn built_in(id: usize) -> Self {
        Self::parsed(match id {
            1 => "0",
            2 => "0.00",
            3 | 37 | 38 | 41 | 42 => "#,##0",
            4 | 39 | 40 | 43 | 44 => "#,##0.00",
            9 => "0%",
            10 => "0.00%",
            14..=17 | 27..=31 | 36 | 50..=58 => "yyyy-mm-dd",
            18..=21 | 32..=35 | 45..=47 => "hh:mm",
            22 => "yyyy-mm-dd hh:mm",
            _ => "General",
        })
    }

    /// The format that a code such as `#,##0.00 "kg"` stands for.
    pub(super) fn parsed(code: &str) -> Self {
        let parts = Code::of(code);
        let (pattern, prefix) = (parts.pattern, parts.prefix.trim_start().to_owned());
        let suffix = parts.suffix.trim_end().to_owned();
        if pattern.eq_ignore_ascii_case("general") {
            return Self::General;
        }
        let lower = pattern.to_ascii_lowercase();
        let has = |letters: &str| lower.contains(|c| letters.contains(c));
        let is_number = has("0#");
        if has("yd") || has("hs") || has("m") && !is_number {
            let has_time = has("hs");
            // `m` is a month beside days and years, and minutes beside hours and seconds.
            let has_day = has("yd") || !has_time;
            return Self::Time { has_day, has_time };
        }
        let digits = pattern.trim_matches(|c| !matches!(c, '0' | '#' | '?' | '.' | ','));
        // A comma at the end divides by a thousand; fractions and exponents are shown as decimals.
        let is_plain = digits.chars().all(|c| "0#?.,".contains(c)) && !digits.ends_with(',');
        if !is_number || !is_plain {
            return Self::General;
        }
        let decimals = digits.split_once('.').map_or("", |(_, decimals)| decimals);
        let least = decimals.chars().filter(|c| *c == '0').count();
        Self::Number {
            decimals: (least.min(MAX_DECIMALS), decimals.len().min(MAX_DECIMALS)),
            has_thousands: digits.contains(','),
            is_percent: pattern.contains('%'),
            prefix,
            suffix,
        }
    }

    /// A number as it is shown; the days of dates count from 1900, or from 1904.
    pub(super) fn shown(&self, number: f64, is_from_1904: bool) -> String {
        match self {
            Self::General => general(number),
            Self::Time { has_day, has_time } => {
                let shown = if *has_day {
                    date(number, *has_time, is_from_1904)
                } else {
                    duration(number)
                };
                shown.unwrap_or_else(|| general(number))
            }
            Self::Number { .. } if number.abs() >= MAX_EXACT || !number.is_finite() => {
                general(number)
            }
            Self::Number {
                decimals,
                has_thousands,
                is_percent,
                prefix,
                suffix,
            } => {
                let number = if *is_percent { number * 100.0 } else { number };
                let digits = rounded(number.abs(), *decimals);
                let digits = if *has_thousands {
                    thousands(&digits)
                } else {
                    digits
                };
                let is_zero = !digits.contains(|c: char| ('1'..='9').contains(&c));
                let sign = if number < 0.0 && !is_zero { "-" } else { "" };
                let percent = if *is_percent { "%" } else { "" };
                format!("{sign}{prefix}{digits}{percent}{suffix}")
            }
        }
    }
}

/// The parts of the first section of a format code, which is for positive numbers.
#[derive(Default)]
struct Code {
    /// The placeholders.
    pattern: String,
    /// The literal text before and after them.
    prefix: String,
    suffix: String,
}

impl Code {
    fn of(code: &str) -> Self {
        let mut parts = Self::default();
        let mut characters = code.chars();
        while let Some(c) = characters.next() {
            match c {
                ';' => break,
                '"' => {
                    let literal: String = characters.by_ref().take_while(|c| *c != '"').collect();
                    parts.literal(&literal);
                }
                '\\' => parts.literal(&characters.next().map(String::from).unwrap_or_default()),
                // A space as wide as the next character, and a fill of it.
                '_' | '*' => drop(characters.next()),
                '[' => {
                    let inner: String = characters.by_ref().take_while(|c| *c != ']').collect();
                    parts.bracketed(&inner);
                }
                ' ' | '$' | '€' | '£' | '¥' => parts.literal(&c.to_string()),
                c => parts.pattern.push(c),
            }
        }
        parts
    }

    /// A currency such as `$€-407`, elapsed hours such as `h`, or a color or condition.
    fn bracketed(&mut self, inner: &str) {
        if let Some(currency) = inner.strip_prefix('$') {
            let symbol = currency.split('-').next().unwrap_or_default().to_owned();
            self.literal(&symbol);
        } else if inner
            .chars()
            .all(|c| "hms".contains(c.to_ascii_lowercase()))
        {
            self.pattern.push_str(inner);
        }
    }

    fn literal(&mut self, text: &str) {
        if self.pattern.contains(['0', '#', '?']) {
            self.suffix.push_str(text);
        } else {
            self.prefix.push_str(text);
        }
    }
}

/// A number with fifteen significant digits, as spreadsheet programs have.
fn general(number: f64) -> String {
    let exact = format!("{number:.14e}").parse().unwrap_or(number);
    // Very large and small ones would be rows of zeros.
    if exact != 0.0 && !(1e-9..MAX_EXACT).contains(&f64::abs(exact)) {
        return format!("{exact:e}");
    }
    exact.to_string()
}

/// A number with so many decimals at least and at most.
fn rounded(number: f64, (least, most): (usize, usize)) -> String {
    let mut digits = format!("{number:.most$}");
    for _ in least..most {
        if !digits.ends_with('0') {
            break;
        }
        digits.pop();
    }
    digits.trim_end_matches('.').to_owned()
}

/// Digits with a comma before each three of them.
fn thousands(digits: &str) -> String {
    let (whole, decimals) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + decimals
}

/// The date at a number of days; none beyond the calendar.
fn date(days: f64, has_time: bool, is_from_1904: bool) -> Option<String> {
    // The days of 1900 are counted as if it had a 29th of February: from March on, this is day 0.
    let (year, month, day) = if is_from_1904 {
        (1904, 1, 1)
    } else {
        (1899, 12, 30)
    };
    let start = NaiveDate::from_ymd_opt(year, month, day)?.and_hms_opt(0, 0, 0)?;
    let time = start.checked_add_signed(TimeDelta::try_seconds(seconds(days)?)?)?;
    let pattern = if has_time {
        "%Y-%m-%d %H:%M"
    } else {
        "%Y-%m-%d"
    };
    Some(time.format(pattern).to_string())
}

/// Hours, minutes and, if there are any, seconds.
fn duration(days: f64) -> Option<String> {
    let seconds = seconds(days)?;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let text = format!("{hours}:{minutes:02}");
    Some(if rest == 0 {
        text
    } else {
        format!("{text}:{rest:02}")
    })
}

/// The seconds of a number of days, if they are of this calendar (to the year 9999).
fn seconds(days: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    (0.0..3e6)
        .contains(&days)
        .then(|| (days * 86_400.0).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_their_formats_say() {
        for (code, number, text) in [
            ("General", 0.1 + 0.2, "0.3"),
            ("General", 1e300, "1e300"),
            ("General", -12.50, "-12.5"),
            ("0.00", 3.456, "3.46"),
            ("#,##0", 1_234_567.4, "1,234,567"),
            (
                "#,##0.00\\ [$€-407];[Red]\\-#,##0.00",
                -1234.5,
                "-1,234.50 €",
            ),
            ("\"$\"#,##0_);(\"$\"#,##0)", 12.0, "$12"),
            ("$0.##", 2.5, "$2.5"),
            ("0.0%", 0.1234, "12.3%"),
            ("0 \"kg\"", 80.0, "80 kg"),
            ("0.00E+00", 12345.0, "12345"),
            ("# ?/?", 0.5, "0.5"),
            ("#,##0,", 12345.0, "12345"),
            ("@", 7.0, "7"),
            ("0", -0.2, "0"),
            ("dd/mm/yyyy", 43957.0, "2020-05-06"),
            (
                "[$-409]d\\-mmm\\-yy h:mm AM/PM",
                43957.4375,
                "2020-05-06 10:30",
            ),
            ("mmm", 43957.0, "2020-05-06"),
            ("[h]:mm", 1.5, "36:00"),
            ("h:mm:ss", 0.4375, "10:30"),
            ("yyyy", -1.0, "-1"),
            ("", 5.0, "5"),
        ] {
            assert_eq!(Format::parsed(code).shown(number, false), text, "{code}");
        }
        assert_eq!(Format::built_in(14).shown(0.0, true), "1904-01-01");
        assert_eq!(Format::built_in(4).shown(f64::NAN, false), "NaN");
    }
}

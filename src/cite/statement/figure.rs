//! Figures: the numbers of a statement, each with its unit, its bound and its period.

use std::ops::Range;

use super::digits::{Digits, SCALES};
use super::lexicon;
use super::time;
use super::validity::Validity;
use crate::text;

/// The factor up to which a number is the one that a lower bound was stated for. Chosen by hand: a
/// larger one is more often that of something else.
const NEAR_BOUND: f64 = 2.0;

/// The share of a percentage by which another one is about as much. Chosen by hand.
const NEAR_SHARE: f64 = 0.05;

/// The unit of the time from one event to the next: "every 2 weeks".
const INTERVAL: &str = "interval";

/// The mean length of a month in seconds: a twelfth of 365.25 days.
const MONTH_SECONDS: f64 = 2_629_800.0;

/// The bound that a number is given with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cite) enum Bound {
    /// The value itself.
    None,
    /// "more than", "at least".
    Lower,
    /// "less than", "up to".
    Upper,
}

impl Bound {
    /// `true` if two numbers are bounded from the two sides.
    fn is_opposite(self, other: Self) -> bool {
        self != other && self != Self::None && other != Self::None
    }
}

/// A number of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::cite) struct Figure {
    /// The value in the base unit.
    pub(in crate::cite) value: f64,
    /// The value in the unit that it is written with.
    pub(in crate::cite) count: f64,
    /// The base unit, `year` for a calendar year, [`time::OF_DAY`] for 12:40, "" for none.
    pub(in crate::cite) unit: String,
    /// The number as it is written, with its unit.
    pub(in crate::cite) written: String,
    /// The value as it is written, without its unit.
    pub(in crate::cite) digits: String,
    /// The unit as it is shown, "" for none.
    pub(in crate::cite) written_unit: String,
    /// The number of content words before it.
    pub(in crate::cite) at: usize,
    /// The bound.
    pub(in crate::cite) bound: Bound,
    /// For a time, whether something begins or ends with it: "since 2019", "until 2019".
    pub(in crate::cite) limit: Bound,
    /// What it is per, behind a slash: "kg" of "6.4 ng/kg"; "" for none.
    per: String,
    /// The period of a rate: "hour" for "40,000 orders an hour".
    pub(in crate::cite) period: Option<&'static str>,
    /// `true` if it is denied in favour of another number: "12" in "not 12 but 14".
    pub(in crate::cite) is_denied: bool,
    /// Of what time it is said.
    pub(in crate::cite) validity: Validity,
    /// `true` for "about".
    pub(in crate::cite) is_approximate: bool,
    /// `true` for a difference: "by 250".
    pub(in crate::cite) is_difference: bool,
    /// `true` for an end of a change: "from 1,850 to 2,100".
    pub(in crate::cite) is_end: bool,
    /// `true` if its unit is that of the label before it: "Price EUR: 5.80".
    has_unit_of_label: bool,
    /// `true` for a duration that a label makes an interval: "Interval: 12 hours".
    is_labelled_interval: bool,
    /// `true` if the thing that it counts follows it: "27 names".
    counts: bool,
    /// The byte range of number and unit in the sentence.
    pub(in crate::cite) range: Range<usize>,
}

impl Figure {
    pub(in crate::cite) fn of(sentence: &Digits<'_>, quantity: &text::Quantity, at: usize) -> Self {
        let range = sentence.original(quantity.range.clone());
        let sentence = sentence.text.as_str();
        let (unit, factor) = base_unit(&quantity.unit);
        let written = &sentence[quantity.range.clone()];
        let before = &sentence[..quantity.range.start];
        let digits = written.trim_matches(|c: char| !c.is_ascii_digit() && c != '-' && c != '−');
        let after = &sentence[quantity.range.end..];
        let unit = time_unit(digits, unit, before, after).unwrap_or(unit);
        let (unit, factor) = interval(before, unit, factor).unwrap_or((unit, factor));
        Self {
            value: quantity.value * factor,
            count: quantity.value,
            unit: unit.to_owned(),
            written: written.to_owned(),
            digits: digits.to_owned(),
            written_unit: match quantity.unit.as_str() {
                time::OF_DAY => String::new(),
                unit => unit.to_owned(),
            },
            at,
            bound: bound(before, after),
            limit: limit(unit, before),
            per: per(after),
            period: time::period(after),
            is_denied: false,
            validity: Validity::Open,
            is_approximate: is_approximate(before),
            is_difference: ends_with_word(before, "by"),
            is_end: ends_with_word(before, "to") || ends_with_word(before, "from"),
            has_unit_of_label: before.trim_end().ends_with(':') && !quantity.unit.is_empty(),
            is_labelled_interval: unit == INTERVAL
                && is_label_of_interval(&text::fold(before.trim_end())),
            counts: counts(after),
            range,
        }
    }

    /// `true` if another number has the same value and unit.
    pub(in crate::cite) fn equals(&self, other: &Self) -> bool {
        // Conversions of units round in the last bits.
        let tolerance = 1e-9 * self.value.abs().max(other.value.abs());
        self.unit == other.unit
            && self.is_denied == other.is_denied
            && (self.value - other.value).abs() <= tolerance
            && !self.is_per_other(other)
    }

    /// `true` if both are per something, and not per the same: "6.4 ng/g" and "6.4 ng/kg".
    fn is_per_other(&self, other: &Self) -> bool {
        !self.per.is_empty() && !other.per.is_empty() && self.per != other.per
    }

    /// `true` if the thing that it counts follows it: "27 names".
    pub(in crate::cite) fn counts(&self) -> bool {
        self.counts && self.unit.is_empty()
    }

    /// The value with its unit, as a reason shows it.
    pub(in crate::cite) fn shown(&self) -> String {
        if self.unit == INTERVAL {
            let unit = self.written_unit.as_str();
            return match self.digits.as_str() {
                "1" => format!("every {}", unit.trim_end_matches('s')),
                digits => format!("every {digits} {unit}"),
            };
        }
        let unit = Some(self.written_unit.as_str()).filter(|unit| *unit != "year");
        let scale = self.words().find(|word| SCALES.contains(&word.as_str()));
        let per = format!("/{}", self.per);
        let unit = unit.map(|unit| [unit, if self.per.is_empty() { "" } else { &per }].concat());
        let parts = [
            Some(self.digits.as_str()),
            scale.as_deref(),
            unit.as_deref(),
        ];
        let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
        parts.collect::<Vec<&str>>().join(" ")
    }

    /// The value with its unit and its bound: "above 2.3".
    pub(in crate::cite) fn shown_with_bound(&self) -> String {
        let bound = match (self.bound, self.limit) {
            (Bound::Lower, _) => "above ",
            (Bound::Upper, _) => "below ",
            (_, Bound::Lower) => "from ",
            (_, Bound::Upper) => "until ",
            _ => "",
        };
        format!("{bound}{}", self.shown())
    }

    /// The words that it is written with, folded: its unit, "million".
    pub(in crate::cite) fn words(&self) -> impl Iterator<Item = String> {
        let words = text::words(&self.written).map(|word| text::fold(word.text));
        words.filter(|word| word.starts_with(char::is_alphabetic))
    }

    /// `true` if another number has the same value, as a whole or as written, whatever its unit.
    pub(in crate::cite) fn has_value_of(&self, other: &Self) -> bool {
        self.value.total_cmp(&other.value).is_eq() || self.count.total_cmp(&other.count).is_eq()
    }

    /// `true` if another number says this one: the same in its unit or in none, or a more precise
    /// one.
    pub(in crate::cite) fn is_said_by(&self, other: &Self) -> bool {
        // A table gives units in its headings, but a share is no count, and a day no length.
        let is_bare = |figure: &Self| match figure.unit.as_str() {
            "" => !figure.counts,
            unit => unit == "year",
        };
        let is_kind = |figure: &Self| {
            matches!(
                figure.unit.as_str(),
                "%" | "€" | "$" | "£" | "day" | time::OF_DAY
            )
        };
        let is_unit_of_table = |bare: &Self, figure: &Self| {
            is_bare(bare) && (!is_kind(figure) || figure.has_unit_of_label)
        };
        let is_either_bare = is_unit_of_table(self, other) || is_unit_of_table(other, self);
        // "60 degrees" are of the scale that the reader is used to.
        let is_plain = |one: &Self, other: &Self| one.unit == "°" && other.unit.starts_with('°');
        let is_either_bare = is_either_bare || is_plain(self, other) || is_plain(other, self);
        // Its row says "12 hours" of "Interval: 12 hours".
        let is_interval = |one: &Self, other: &Self| {
            one.is_labelled_interval && one.written_unit == other.written_unit
        };
        let is_either_bare = is_either_bare || is_interval(self, other) || is_interval(other, self);
        self.is_denied == other.is_denied
            && !self.is_per_other(other)
            && self.validity.admits(false, other.validity)
            && (self.equals(other)
                || self.has_value_of(other) && is_either_bare
                || self.unit == other.unit && (self.rounds(other) || self.is_bound_of(other)))
    }

    /// `true` for a year, a day of a month or a time of day, which is no size.
    pub(in crate::cite) fn is_date(&self) -> bool {
        matches!(self.unit.as_str(), "year" | "day" | time::OF_DAY)
    }

    /// `true` if this number is a lower bound of another one, and near it: "more than 5 hours" for
    /// 5.5 hours.
    fn is_bound_of(&self, other: &Self) -> bool {
        self.bound == Bound::Lower
            && other.bound == Bound::None
            && !self.is_date()
            && self.value < other.value
            && other.value <= NEAR_BOUND * self.value
    }

    /// `true` if a number is in the range that another one bounds: 20 for "more than 15". It does
    /// not stand in the place of that.
    pub(in crate::cite) fn is_in_range_of(&self, other: &Self) -> bool {
        self.bound == Bound::None
            && match other.bound {
                Bound::None => false,
                Bound::Lower => self.value > other.value,
                Bound::Upper => self.value < other.value,
            }
    }

    /// `true` if a number is outside of the range that another one of its unit bounds: 10 for "more
    /// than 15".
    pub(in crate::cite) fn is_beyond(&self, other: &Self) -> bool {
        self.bound == Bound::None
            && self.unit == other.unit
            && match other.bound {
                Bound::None => false,
                Bound::Lower => self.value <= other.value,
                Bound::Upper => self.value > other.value,
            }
    }

    /// `true` if this number is another one rounded: 3.1 or about 3 for 3.14.
    fn rounds(&self, fine: &Self) -> bool {
        let digits = |figure: &Self| {
            let digits = figure.digits.chars().filter(char::is_ascii_digit);
            let digits: String = digits.collect();
            digits.trim_matches('0').len()
        };
        // A code such as 555-0110 has no value, and a count below a thousand is exact unless it
        // says "about".
        let is_code = |figure: &Self| {
            let zeros = figure.digits.strip_prefix('0');
            zeros.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let is_count = self.unit.is_empty() && fine.value < 1000.0 && !fine.digits.contains('.');
        if is_code(self) || is_code(fine) || is_count && !self.is_approximate {
            return false;
        }
        // Chosen by hand: "about 60 %" for 62 %, and 3.1 for 3.14.
        let least = if self.is_approximate { 0.1 } else { 0.02 };
        let difference = (self.value - fine.value).abs();
        // "About two thirds", which is read as 67 %, for 65 %.
        if self.is_approximate && self.unit == "%" && difference <= NEAR_SHARE * fine.value.abs() {
            return true;
        }
        !self.is_date() && digits(self) < digits(fine) && difference <= least * fine.value.abs()
    }

    /// `true` if another number is this one rounded, or the reverse: 3.1 and 3.14.
    pub(in crate::cite) fn is_rounded(&self, other: &Self) -> bool {
        let larger = self.value.abs().max(other.value.abs());
        let difference = (self.value - other.value).abs();
        let rounds = |rough: &Self, fine: &Self| {
            let decimals = rough
                .digits
                .split_once('.')
                .map_or(0, |(_, tail)| tail.len());
            let places = i32::try_from(decimals).unwrap_or(i32::MAX).min(9);
            let factor = 10_f64.powi(places);
            fine.digits.len() > rough.digits.len()
                && ((fine.value * factor).round() / factor - rough.value).abs() < 1e-9
        };
        rounds(self, other)
            || rounds(other, self)
            // A tenth: what "about" covers, chosen by hand.
            || (self.is_approximate || other.is_approximate) && difference < 0.1 * larger
    }
}

/// `true` if a noun follows a number, and no word that may stand behind a number without a unit.
fn counts(after: &str) -> bool {
    let next = after.strip_prefix(' ').unwrap_or_default();
    let end = next
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(next.len());
    end > 1 && !text::is_stop_word(&text::fold(&next[..end]))
}

/// Words of the label of a field with the time from one event to the next: "Interval: 24 months";
/// a closed list, written by hand.
const INTERVAL_LABELS: &[&str] = &["interval", "intervals", "frequency", "cycle", "every"];

/// `true` if a text ends with the label of a field with such a time.
fn is_label_of_interval(before: &str) -> bool {
    let label = before.strip_suffix(':').unwrap_or_default();
    let label = label.rsplit([';', '.', '\n']).next().unwrap_or_default();
    text::words(label).any(|word| INTERVAL_LABELS.contains(&word.text))
}

/// The unit of a duration after "every" or such a label, and its factor to seconds; `None` for any
/// other number.
fn interval(before: &str, unit: &str, factor: f64) -> Option<(&'static str, f64)> {
    let before = text::fold(before.trim_end());
    let is_interval =
        before.ends_with("every") || before.ends_with("each") || is_label_of_interval(&before);
    match unit {
        _ if !is_interval => None,
        "s" => Some((INTERVAL, factor)),
        "months" => Some((INTERVAL, factor * MONTH_SECONDS)),
        _ => None,
    }
}

/// The unit `year` or `day` of a number that is part of a date: "in 1530", "the 1960s", "June 23".
fn time_unit(digits: &str, unit: &str, before: &str, after: &str) -> Option<&'static str> {
    const BEFORE_YEARS: [&str; 14] = [
        "in", "since", "from", "until", "by", "before", "after", "during", "to", "till", "circa",
        "of", "the", "and",
    ];
    let near = last_words(before);
    let word = near
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let is_year = digits.len() == 4
        && digits
            .parse()
            .is_ok_and(|year: u16| (1000..=2100).contains(&year));
    let is_decade = unit == "s" && !after.starts_with(' ') && near.ends_with("the");
    let is_month = |word: &str| word == "may" || lexicon::month(word).is_some();
    let is_dated = unit.is_empty()
        && (BEFORE_YEARS.contains(&word) || is_month(word) || near.ends_with(['(', ',', '–', '-']));
    if is_year && (is_decade || is_dated) {
        return Some("year");
    }
    // In a row of a table, a date of its own may follow a number: "185, 2025-01-01".
    let next = Some(after_days(after)).filter(|next| next.starts_with(char::is_alphabetic));
    let is_before_month = next.is_some_and(|next| is_month(&text::fold(next)));
    let is_of_month = digits.parse().is_ok_and(|day: u8| (1..=31).contains(&day));
    let is_day = unit.is_empty() && is_of_month && (is_month(word) || is_before_month);
    is_day.then_some("day")
}

/// The first word behind a number that is neither one more day nor joins it: "June" behind the 27
/// of "27 and 28 June".
fn after_days(after: &str) -> &str {
    let is_day = |word: &str| word.parse().is_ok_and(|day: u8| (1..=31).contains(&day));
    let mut end = 0;
    for word in text::words(after) {
        let gap = &after[end..word.range.start];
        if !gap
            .chars()
            .all(|c| matches!(c, ' ' | '\n' | ',' | '-' | '–'))
        {
            break;
        }
        if !is_day(word.text) && !matches!(word.text, "and" | "or" | "to") {
            return word.text;
        }
        end = word.range.end;
    }
    ""
}

/// Words behind what a text got wrong, before what is right.
const READ: &[&str] = &[" should read ", " should have read ", " must read "];

/// The maximum number of bytes between a number and these words. Chosen by hand.
const TO_READ: usize = 30;

/// The numbers that are denied in favour of another one: for each, where its "not" and where the
/// number begins. A number that is denied alone negates its sentence.
pub(in crate::cite) fn denied(
    sentence: &str,
    quantities: &[text::Quantity],
) -> Vec<(usize, usize)> {
    let not = |quantity: &text::Quantity| {
        let before = sentence[..quantity.range.start].trim_end();
        // "3 euros instead of 2" denies the 2, and no word.
        if ["instead of", "in place of", "rather than"]
            .iter()
            .any(|own| before.ends_with(own))
        {
            return Some((sentence.len(), quantity.range.start));
        }
        // So does "'2 kg of salt' should read '3 kg of salt'".
        let behind = &sentence[quantity.range.end..];
        let read = READ.iter().filter_map(|own| behind.find(own)).min();
        if read.is_some_and(|read| read <= TO_READ) {
            return Some((sentence.len(), quantity.range.start));
        }
        let rest = ["on", "in", "at", "for"]
            .iter()
            .find_map(|preposition| before.strip_suffix(&format!(" {preposition}")));
        let before = rest.unwrap_or(before).trim_end();
        let start = before.len().checked_sub("not".len())?;
        let is_not = before.get(start..)?.eq_ignore_ascii_case("not");
        let is_word = before[..start].ends_with([' ', '\n', '(', ',']) || start == 0;
        (is_not && is_word).then_some((start, quantity.range.start))
    };
    let negations: Vec<_> = quantities.iter().map(|own| (own, not(own))).collect();
    let is_in_favour = |denied: &text::Quantity| {
        let mut others = negations.iter().filter(|(_, not)| not.is_none());
        others.any(|(own, _)| {
            own.unit == denied.unit
                || own.unit.is_empty()
                || denied.unit.is_empty() && own.unit != "year"
        })
    };
    let denied = negations.iter().filter(|(own, _)| is_in_favour(own));
    denied.filter_map(|(_, not)| *not).collect()
}

/// The number of characters behind a number that may bound it.
const AFTER: usize = 16;

/// The bound of a number, from the words around it.
fn bound(before: &str, after: &str) -> Bound {
    let before = last_words(before);
    let words = text::bound_before(without_approximation(&before));
    let after = text::truncate(after.trim_start(), AFTER).to_lowercase();
    let is_above = words.map(|words| words.is_above);
    let is_any = |phrases: &[&str]| {
        let mut phrases = phrases.iter();
        phrases.any(|phrase| after.starts_with(phrase))
    };
    if is_above == Some(false)
        || is_any(&["or less", "at the latest"])
        || before.ends_with("at the latest")
    {
        Bound::Upper
    } else if is_above == Some(true)
        || is_any(&["or more", "and more", "at the earliest"])
        || before.ends_with("at the earliest")
    {
        Bound::Lower
    } else {
        Bound::None
    }
}

/// Words before the time with which something begins, and before that with which it ends.
const BEGINNINGS: [&str; 3] = ["from", "since", "as of"];
const ENDS: [&str; 3] = ["until", "till", "up to"];

/// The limit that a time is, by its unit and what stands before it.
fn limit(unit: &str, before: &str) -> Bound {
    let is_time = matches!(unit, "year" | "day" | time::OF_DAY);
    let before = last_words(before);
    let ends = |words: &[&str]| words.iter().any(|word| ends_with_word(&before, word));
    match (is_time && ends(&BEGINNINGS), is_time && ends(&ENDS)) {
        (true, _) => Bound::Lower,
        (_, true) => Bound::Upper,
        _ => Bound::None,
    }
}

/// What a number is per, behind its unit: "kg" of "/kg".
fn per(after: &str) -> String {
    // "Resolution 8/4" is per nothing.
    let per = after
        .strip_prefix('/')
        .filter(|per| per.starts_with(char::is_alphabetic));
    let per = per.unwrap_or_default();
    let letters = |c: char| c.is_alphanumeric() || matches!(c, '³' | '²');
    per.chars().take_while(|c| letters(*c)).collect()
}

/// `true` if a word stands right before a number.
fn ends_with_word(before: &str, word: &str) -> bool {
    let rest = before.trim_end().strip_suffix(word);
    rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
}

/// Words by which a number is near the value.
const APPROXIMATIONS: [&str; 7] = [
    "about",
    "around",
    "approximately",
    "roughly",
    "nearly",
    "almost",
    "some",
];

fn is_approximate(before: &str) -> bool {
    let before = last_words(before);
    APPROXIMATIONS.iter().any(|word| before.ends_with(word))
}

/// What stands before a number without an approximation between a bound and the number: "above" of
/// "above about".
fn without_approximation(before: &str) -> &str {
    let mut words = APPROXIMATIONS.iter();
    let rest = words.find_map(|word| before.strip_suffix(word)?.strip_suffix(' '));
    rest.map_or(before, str::trim_end)
}

/// The last characters before a number, in lower case.
fn last_words(before: &str) -> String {
    // Longer than any bound; looking further back would make the reading quadratic.
    let from = before.floor_char_boundary(before.len().saturating_sub(30));
    before[from..].trim_end().to_lowercase()
}

/// The base unit of a unit, and the factor to it.
fn base_unit(unit: &str) -> (&str, f64) {
    const UNITS: &[(&str, &str, f64)] = &[
        ("Wh", "Wh", 1.0),
        ("kWh", "Wh", 1e3),
        ("MWh", "Wh", 1e6),
        ("GWh", "Wh", 1e9),
        ("TWh", "Wh", 1e12),
        ("kW", "W", 1e3),
        ("MW", "W", 1e6),
        ("GW", "W", 1e9),
        ("kJ", "J", 1e3),
        ("MJ", "J", 1e6),
        ("kHz", "Hz", 1e3),
        ("MHz", "Hz", 1e6),
        ("GHz", "Hz", 1e9),
        ("nm", "m", 1e-9),
        ("µm", "m", 1e-6),
        ("mm", "m", 1e-3),
        ("cm", "m", 1e-2),
        ("km", "m", 1e3),
        ("pg", "g", 1e-12),
        ("ng", "g", 1e-9),
        ("µg", "g", 1e-6),
        ("mg", "g", 1e-3),
        ("kg", "g", 1e3),
        ("t", "g", 1e6),
        ("ml", "l", 1e-3),
        ("cl", "l", 1e-2),
        ("dl", "l", 1e-1),
        ("hl", "l", 1e2),
        ("ns", "s", 1e-9),
        ("µs", "s", 1e-6),
        ("ms", "s", 1e-3),
        ("min", "s", 60.0),
        ("h", "s", 3600.0),
        ("days", "s", 86_400.0),
        ("weeks", "s", 604_800.0),
        ("years", "months", 12.0),
        ("hPa", "Pa", 1e2),
        ("kPa", "Pa", 1e3),
        ("MPa", "Pa", 1e6),
        ("MN", "kN", 1e3),
        ("mA", "A", 1e-3),
        ("mV", "V", 1e-3),
        ("kV", "V", 1e3),
        ("MVA", "kVA", 1e3),
        ("mSv", "µSv", 1e3),
        ("kBq", "Bq", 1e3),
    ];
    let conversion = UNITS.iter().find(|(written, _, _)| *written == unit);
    conversion.map_or((unit, 1.0), |(_, base, factor)| (*base, *factor))
}

/// The numbers of each side that the other does not say, paired one to one.
pub(in crate::cite) fn unpaired<'a>(
    claim: &'a [Figure],
    own: &'a [Figure],
) -> (Vec<&'a Figure>, Vec<&'a Figure>) {
    let mut free: Vec<&Figure> = own.iter().collect();
    let mut missing = Vec::new();
    for figure in claim {
        match free.iter().position(|other| figure.is_said_by(other)) {
            Some(at) => drop(free.remove(at)),
            None => missing.push(figure),
        }
    }
    // A number that is said twice may stand there once.
    missing.retain(|figure| !free.is_empty() || !own.iter().any(|one| figure.is_said_by(one)));
    (missing, free)
}

/// A number of a claim with the same number of a sentence that bounds it from the other side, if
/// all that the sentence says of this number does: "cheaper above 2.3" says the contrary of
/// "cheaper below 2.3".
pub(in crate::cite) fn turned<'a>(
    claim: &'a [Figure],
    own: &'a [Figure],
) -> Option<(&'a Figure, &'a Figure)> {
    claim.iter().find_map(|figure| {
        let mut same = own.iter().filter(|other| figure.equals(other));
        let first = same.next()?;
        let is_opposite = |other: &Figure| {
            figure.bound.is_opposite(other.bound) || figure.limit.is_opposite(other.limit)
        };
        (is_opposite(first) && same.all(is_opposite)).then_some((figure, first))
    })
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn what_is_so_above_a_number_is_not_said_of_less() {
        let above = "A pump is cheap to run as soon as the factor is above about 2.3.";
        let limit = "The trailer carries no more than about 300 kg of coal.";
        for (claim, passage, verdict) in [
            (
                "The tank holds at least 80 litres.",
                "The tank holds at most 80 litres.",
                Verdict::Contradicted,
            ),
            (
                "The contract applies from 2025.",
                "The contract applies until 2025.",
                Verdict::Contradicted,
            ),
            (
                "The contract applies until 2025.",
                "The contract applies until 2025, and then it ends.",
                Verdict::Supported,
            ),
            (
                "The value was 6.4 ng/g.",
                "The value was 6.4 ng/kg.",
                Verdict::Contradicted,
            ),
            (
                "A bridge is planned for 2028 at the latest.",
                "A bridge was estimated at 4.1 million euros and is planned for 2028 at the \
                 earliest.",
                Verdict::Contradicted,
            ),
            (
                "A pump is cheap to run as soon as the factor is above about 2.3.",
                above,
                Verdict::Supported,
            ),
            (
                "A pump is cheap to run as soon as the factor is below about 2.3.",
                above,
                Verdict::Contradicted,
            ),
            (
                "A pump is cheap to run if the factor is under 2.3.",
                above,
                Verdict::Contradicted,
            ),
            (
                "The trailer carries at most 300 kg of coal.",
                limit,
                Verdict::Supported,
            ),
            (
                "There are four primes between the squares of primes smaller than 2.",
                "There are four primes between the squares of primes greater than 2.",
                Verdict::Contradicted,
            ),
            (
                "The trailer carries more than 300 kg of coal.",
                limit,
                Verdict::Contradicted,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }

    #[test]
    fn the_opposite_on_the_other_side_of_a_number_is_no_contradiction() {
        let above = "A pump is cheaper to run than a boiler if the factor is above 2.3.";
        let turned = "A pump is more expensive to run than a boiler if the factor is below 2.3.";
        let verdict = support(turned, above).verdict;
        assert_ne!(verdict, Verdict::Contradicted);
    }
}

//! Quantities: the numbers of a text with their normalized units, so that two statements about the
//! same thing can be compared.
//!
//! Units are not converted into each other. Number words ("three"), versions (1.2.3) and decimal
//! commas (3,5) are ignored.

use std::ops::Range;

/// The days of the week in English, folded.
pub const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// The months in English, folded.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The months in German, folded.
pub const GERMAN_MONTHS: [&str; 12] = [
    "januar",
    "februar",
    "marz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
];

/// A number with its unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// The value, with thousand, million, billion and trillion multiplied in.
    pub value: f64,
    /// The normalized unit: `%`, `°C`, `kWh`, `€`, `years` for a duration; `year` for a calendar
    /// year; "" if there is none.
    pub unit: String,
    /// The byte range of number and unit.
    pub range: Range<usize>,
}

/// The quantities of a text in order.
pub fn quantities(text: &str) -> Vec<Quantity> {
    let mut quantities = Vec::new();
    let mut position = 0;
    while let Some(start) = text[position..]
        .find(|c: char| c.is_ascii_digit())
        .map(|at| position + at)
    {
        let end = start + token_length(&text[start..]);
        position = end;
        if is_calendar_date(&text[start..end], &text[..start], &text[end..]) {
            // The month and the day of an ISO 8601 date are not quantities.
            position = text[end..]
                .find(|c: char| !(c.is_ascii_digit() || c == '-'))
                .map_or(text.len(), |at| end + at);
        }
        if let Some(quantity) = quantity_at(text, start, end) {
            position = position.max(quantity.range.end);
            quantities.push(quantity);
        }
    }
    share_units(text, &mut quantities);
    quantities
}

/// The length of the token that begins with a digit: digits, and the points and commas between
/// them.
fn token_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let inside = |at: usize| match bytes[at] {
        b'.' | b',' => bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
        byte => byte.is_ascii_digit(),
    };
    (0..bytes.len())
        .find(|at| !inside(*at))
        .unwrap_or(bytes.len())
}

/// `true` for the digits of an identifier such as "kestrel-03": behind letters and a hyphen, with a
/// zero before them.
fn is_serial_number(token: &str, before: &str) -> bool {
    let is_padded = token.len() > 1 && token.starts_with('0') && !token.contains('.');
    let name = before.strip_suffix('-');
    is_padded && name.is_some_and(|name| name.ends_with(char::is_alphabetic))
}

fn quantity_at(text: &str, start: usize, end: usize) -> Option<Quantity> {
    let (before, after) = (&text[..start], &text[end..]);
    // The digits are part of an identifier, a path, an issue number or a version.
    if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '#' | '/' | '.' | '\\'))
    {
        return None;
    }
    let token = &text[start..end];
    if is_serial_number(token, before) {
        return None;
    }
    if is_calendar_date(token, before, after) {
        return calendar_year(token, start);
    }
    if let Some(value) = end_of_years(token, before) {
        return Some(Quantity {
            value,
            unit: "year".to_owned(),
            range: start..end,
        });
    }
    let mut value = number(token)?;
    let (mut from, mut to) = (start, end);
    if let Some(sign) = sign(before) {
        value = -value;
        from -= sign;
    }
    let currency = unit_before(&text[..from]);
    let currency = currency.filter(|(_, length)| *length > 0 || !is_lettered(text, from));
    let (scale, scale_length) = match magnitude(after) {
        (_, 0) if currency.is_some() => short_magnitude(after),
        magnitude => magnitude,
    };
    value *= scale;
    to += scale_length;
    if scale_length == 0 && currency.is_some_and(|(_, length)| length == 0) {
        value *= scale_of_label(&text[..from]);
    }
    // In the label "Rent 2024 GBP:" the number is a year, and its currency that of the value.
    let is_in_label = is_year(token)
        && CURRENCIES.iter().any(|(code, _)| {
            let rest = after
                .strip_prefix(' ')
                .and_then(|rest| rest.strip_prefix(code));
            rest.is_some_and(|rest| rest.starts_with(':'))
        });
    let unit = unit_after(&text[to..]).filter(|_| !is_in_label);
    // "3D" and "5th" are words, not quantities.
    if unit.is_none() && after.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let unit = match (unit, currency) {
        (Some((unit, length)), _) => {
            to += length;
            unit
        }
        (None, Some((unit, length))) => {
            from -= length;
            unit
        }
        // Without sign, scale and unit, four digits in the range of years are taken as a year.
        _ if is_year(token) && from == start && to == end => "year",
        _ => "",
    };
    value.is_finite().then(|| Quantity {
        value,
        unit: unit.to_owned(),
        range: from..to,
    })
}

/// The value of digits with commas between groups of three and at most one decimal point; `None`
/// for anything else.
fn number(token: &str) -> Option<f64> {
    let (whole, fraction) = token.split_once('.').unwrap_or((token, ""));
    if fraction.contains(['.', ',']) {
        return None;
    }
    let mut groups = whole.split(',');
    let first = groups.next()?.len();
    let grouped = whole.contains(',');
    if grouped && !((1..=3).contains(&first) && groups.all(|group| group.len() == 3)) {
        return None;
    }
    token.replace(',', "").parse().ok()
}

/// `true` for a number of four digits that is more often a year than a count: 1900 to 2100.
pub fn is_year(token: &str) -> bool {
    token.len() == 4
        && token
            .parse()
            // Chosen by hand: other numbers of four digits are more often counts than years.
            .is_ok_and(|year: u16| (1900..=2100).contains(&year))
}

/// `true` if the four digits are the year of an ISO 8601 date such as 2014-03-20 or 2014-03.
fn is_calendar_date(token: &str, before: &str, after: &str) -> bool {
    let bytes = after.as_bytes();
    is_year(token)
        && !before.ends_with('-')
        && matches!(bytes, [b'-', a, b, ..] if a.is_ascii_digit() && b.is_ascii_digit())
        && !bytes.get(3).is_some_and(u8::is_ascii_alphanumeric)
}

/// The year that two digits after a year and a dash are, "2018–19"; `None` for any other token.
fn end_of_years(token: &str, before: &str) -> Option<f64> {
    let first = before.strip_suffix(['-', '–'])?;
    let digits = first.get(first.len().checked_sub(4)?..)?;
    let is_first = is_year(digits) && !first[..first.len() - 4].ends_with(char::is_alphanumeric);
    let (first, last): (u16, u16) = (digits.parse().ok()?, token.parse().ok()?);
    let is_end = is_first && token.len() == 2 && last > first % 100;
    is_end.then(|| f64::from(first / 100 * 100 + last))
}

fn calendar_year(token: &str, start: usize) -> Option<Quantity> {
    let value = token.parse().ok()?;
    Some(Quantity {
        value,
        unit: "year".to_owned(),
        range: start..start + token.len(),
    })
}

/// The length of a minus sign that belongs to the number, which is the case if no word precedes it.
fn sign(before: &str) -> Option<usize> {
    let sign = before
        .chars()
        .next_back()
        .filter(|c| matches!(c, '-' | '\u{2212}'))?;
    let earlier = &before[..before.len() - sign.len_utf8()];
    // After a word or a digit it is a hyphen or the dash of a range.
    let is_minus = earlier.is_empty()
        || earlier.ends_with(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '~'));
    is_minus.then(|| sign.len_utf8())
}

/// `true` if the label that ends at a byte ends with a letter, and another label of a text has
/// another letter in its place, which is no unit: "Option B:" beside "Option A:".
fn is_lettered(text: &str, end: usize) -> bool {
    let label = text[..end].trim_end().strip_suffix(':');
    let label = label.and_then(|own| own.rsplit([';', '\n', '|']).next());
    let Some((name, letter)) = label.and_then(|own| own.trim_start().rsplit_once(' ')) else {
        return false;
    };
    let is_letter = letter.len() == 1 && letter.starts_with(|c: char| c.is_ascii_uppercase());
    is_letter
        && ('A'..='Z').any(|other| {
            let beside = format!("{name} {other}:");
            !letter.starts_with(other) && text.contains(&beside)
        })
}

fn unit_before(before: &str) -> Option<(&'static str, usize)> {
    let trimmed = before.strip_suffix([' ', '\u{a0}']).unwrap_or(before);
    let mut units = CURRENCIES.iter().map(|(_, unit)| *unit);
    if let Some(unit) = units.find(|unit| trimmed.ends_with(unit)) {
        return Some((unit, before.len() - trimmed.len() + unit.len()));
    }
    if let Some((code, unit)) = CURRENCIES
        .iter()
        .find(|(code, _)| ends_with_code(trimmed, code))
    {
        return Some((unit, before.len() - trimmed.len() + code.len()));
    }
    // The label of a field gives the unit of its value, and is no part of it: "Price EUR: 5.80",
    // "Price (€): 5.80", "Price GBP members: 5.80".
    let label = trimmed.strip_suffix(':')?;
    let label = label.rsplit([';', '\n', '|']).next().unwrap_or(label);
    // "Clearance (ml/min): 30", as in "30 ml/min".
    let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')');
    let last = label.trim_end_matches(is_end).rsplit(is_end).next();
    let numerator = last.and_then(|last| {
        let (unit, per) = last.split_once('/')?;
        // "Teachers (m/f): 12" are no metres.
        unit_of(unit).filter(|_| unit_of(per).is_some() || is_volume(per))
    });
    let words = label.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '_' | '/'));
    let currency = words.clone().find_map(|word| {
        let is_named =
            |(code, unit): &&(&str, &str)| word.eq_ignore_ascii_case(code) || word == *unit;
        let (_, unit) = CURRENCIES.iter().find(is_named)?;
        Some((*unit, 0))
    });
    // "Weight t: 44.0": only behind a word that says what is measured.
    let is_word = |word: &&str| !word.is_empty();
    let spelled = spelled_unit(&words.clone().filter(is_word).collect::<Vec<_>>());
    let spelled = spelled.or(numerator);
    currency.or(spelled.map(|unit| (unit, 0))).or_else(|| {
        let words: Vec<&str> = words.filter(is_word).collect();
        let symbol = |word: &str| UNIT_SYMBOLS.iter().find(|(written, _)| *written == word);
        let (last, before) = words.split_last()?;
        // "Phosphate mg/l", "phosphate_mg_l": milligrams, and not litres.
        let first = before.last().filter(|_| before.len() > 1);
        let per = first
            .and_then(|own| symbol(own))
            .filter(|_| is_volume(last));
        let (_, unit) = per.or_else(|| symbol(last))?;
        (!before.is_empty()).then_some((*unit, 0))
    })
}

/// The factor that a label gives, the last one of a text: "Plan, thousand EUR: 460"; 1 without one.
pub fn scale_of_label(before: &str) -> f64 {
    let label = before.trim_end().rsplit([';', '\n', '|']).next();
    let words = label
        .unwrap_or_default()
        .split(|c: char| !c.is_alphabetic());
    let scale = |word: &str| match word.to_lowercase().as_str() {
        "thousand" | "thousands" => Some(1e3),
        "million" | "millions" => Some(1e6),
        _ => None,
    };
    words.rev().find_map(scale).unwrap_or(1.0)
}

/// `true` if a text ends with the code of a currency as a word.
fn ends_with_code(text: &str, code: &str) -> bool {
    let before = text.strip_suffix(code);
    before.is_some_and(|before| !before.ends_with(char::is_alphanumeric))
}

/// `true` for a unit of volume as the denominator of a concentration.
fn is_volume(word: &str) -> bool {
    matches!(word, "l" | "L" | "ml" | "m3" | "m³")
}

/// The unit that the words of a label spell out: "Weight in tonnes"; or its last word, if that is a
/// currency, "Cost euros".
fn spelled_unit(label: &[&str]) -> Option<&'static str> {
    let unit = |word: &str| {
        let word = word.to_lowercase();
        let (_, unit) = UNIT_WORDS.iter().find(|(written, _)| *written == word)?;
        Some(*unit)
    };
    let is_currency = |own: &&str| CURRENCIES.iter().any(|(_, unit)| unit == own);
    match label {
        // "Moisture pct" and "pct within 24h", as tables of measurements have it.
        [first, .., last] if is_percent(first) || is_percent(last) => Some("%"),
        [.., before, last] if before.eq_ignore_ascii_case("in") => unit(last),
        [.., last] => unit(last).filter(is_currency),
        _ => None,
    }
}

fn is_percent(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "pct" | "percent")
}

/// Currencies: their codes (ISO 4217), and the units of amounts in them.
const CURRENCIES: &[(&str, &str)] = &[("EUR", "€"), ("USD", "$"), ("GBP", "£"), ("JPY", "¥")];

/// The factor of a following word such as "million", and its length in bytes.
fn magnitude(after: &str) -> (f64, usize) {
    let (gap, word) = next_word(after);
    let factor = match word.to_ascii_lowercase().as_str() {
        "thousand" => 1e3,
        "million" | "mio" | "mn" => 1e6,
        "billion" | "bn" => 1e9,
        "trillion" => 1e12,
        _ => return (1.0, 0),
    };
    (factor, gap + word.len())
}

/// The factor of a letter right after an amount of money, "£30m", and its length in bytes.
fn short_magnitude(after: &str) -> (f64, usize) {
    let (gap, word) = next_word(after);
    match word {
        "k" | "K" if gap == 0 => (1e3, 1),
        "m" | "M" if gap == 0 => (1e6, 1),
        "b" | "B" if gap == 0 => (1e9, 1),
        _ => (1.0, 0),
    }
}

/// The unit that follows, and the length in bytes of it and the gap before it.
fn unit_after(after: &str) -> Option<(&'static str, usize)> {
    let (gap, word) = next_word(after);
    let (second_gap, second) = next_word(&after[gap + word.len()..]);
    // Pairs first: "degrees" alone is a unit too, and the shorter match.
    let both = format!("{word} {second}").to_lowercase();
    let pair = PAIRS.iter().find(|(written, _)| *written == both);
    if let Some((_, unit)) = pair {
        return Some((unit, gap + word.len() + second_gap + second.len()));
    }
    // "kWh/km" is "kWh per kilometre": what it is per is no part of the unit in either.
    let (numerator, _) = word.split_once('/').unwrap_or((word, ""));
    let known = |word: &str| Some((unit_of(word)?, gap + word.len()));
    known(word).or_else(|| known(numerator))
}

/// The unit of a word or of a symbol.
fn unit_of(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    let spelled = UNIT_WORDS.iter().find(|(written, _)| *written == lower);
    let symbol = || UNIT_SYMBOLS.iter().find(|(written, _)| *written == word);
    spelled.or_else(symbol).map(|(_, unit)| *unit)
}

/// The maximum length of a word that is read as a unit; chosen by hand, longer than any unit below.
const MAX_UNIT_BYTES: usize = 24;

/// The length of the gap and the word after it: letters, or a sign that is a unit. The gap is at
/// most one space or hyphen.
fn next_word(text: &str) -> (usize, &str) {
    let gap = text
        .chars()
        .next()
        .filter(|c| matches!(c, ' ' | '\n' | '-' | '\u{a0}' | '\u{202f}'))
        .map_or(0, char::len_utf8);
    let rest = &text[gap..];
    let sign = rest
        .chars()
        .next()
        .filter(|c| matches!(c, '%' | '€' | '$' | '£' | '¥' | '℃' | '℉'));
    if let Some(sign) = sign {
        let length = sign.len_utf8();
        // In "$7–$10" the second sign belongs to the number after it.
        let is_of_next = rest[length..].starts_with(|c: char| c.is_ascii_digit());
        return (gap, if is_of_next { "" } else { &rest[..length] });
    }
    let letter =
        |c: char| c.is_alphabetic() || matches!(c, '°' | 'µ' | 'μ' | 'Ω' | '/' | '²' | '³');
    let end = rest
        .char_indices()
        // Bounded, so that hostile text of one long word is not read again for every number.
        .take_while(|(at, c)| *at <= MAX_UNIT_BYTES && letter(*c))
        .last();
    let end = end.map_or(0, |(at, c)| at + c.len_utf8());
    (
        gap,
        if end > MAX_UNIT_BYTES {
            ""
        } else {
            &rest[..end]
        },
    )
}

/// Copies the unit of the end of a range to its beginning: in "10–20 %" and "3 to 5 kW" it belongs
/// to both numbers.
fn share_units(text: &str, quantities: &mut [Quantity]) {
    for at in 1..quantities.len() {
        let gap = quantities[at - 1].range.end..quantities[at].range.start;
        let between = text.get(gap).unwrap_or_default();
        let is_range = matches!(
            between,
            "-" | "–" | " - " | " – " | " to " | " and " | " or "
        );
        let unit = &quantities[at].unit;
        // The unit of a label is that of both numbers: "Weight t: 3 to 5".
        let label = text
            .get(..quantities[at - 1].range.start)
            .unwrap_or_default();
        let is_of_label = label.trim_end().ends_with(':') && unit.is_empty();
        let of_label = quantities[at - 1].unit.clone();
        if is_range && is_of_label && !matches!(of_label.as_str(), "" | "year") {
            quantities[at].unit = of_label;
            continue;
        }
        // A year is never shared: in "3 to 2020" the first number is no year.
        if is_range && quantities[at - 1].unit.is_empty() && !matches!(unit.as_str(), "" | "year") {
            quantities[at - 1].unit = unit.clone();
        }
    }
}

/// Units of two words, in lower case.
const PAIRS: &[(&str, &str)] = &[
    ("degrees celsius", "°C"),
    ("degrees fahrenheit", "°F"),
    ("degree celsius", "°C"),
    ("degree fahrenheit", "°F"),
    ("degrees c", "°C"),
    ("degrees f", "°F"),
    ("per cent", "%"),
    ("percentage points", "pp"),
    ("percentage point", "pp"),
    ("kilowatt hours", "kWh"),
    ("kilowatt hour", "kWh"),
    ("square metres", "m²"),
    ("square meters", "m²"),
    ("cubic metres", "m³"),
    ("cubic meters", "m³"),
    ("cubic metre", "m³"),
    ("square kilometres", "km²"),
    ("square kilometers", "km²"),
    ("square miles", "sq mi"),
    ("sq mi", "sq mi"),
];

/// Units as words, in lower case.
const UNIT_WORDS: &[(&str, &str)] = &[
    ("%", "%"),
    ("percent", "%"),
    ("pct", "%"),
    ("degrees", "°"),
    ("degree", "°"),
    ("kelvin", "K"),
    ("watt", "W"),
    ("watts", "W"),
    ("kilowatt", "kW"),
    ("kilowatts", "kW"),
    ("megawatt", "MW"),
    ("megawatts", "MW"),
    ("decibel", "dB"),
    ("decibels", "dB"),
    ("euro", "€"),
    ("euros", "€"),
    ("eur", "€"),
    ("dollar", "$"),
    ("dollars", "$"),
    ("usd", "$"),
    ("gbp", "£"),
    ("pound", "£"),
    ("pounds", "£"),
    ("metre", "m"),
    ("metres", "m"),
    ("meter", "m"),
    ("meters", "m"),
    ("kilometres", "km"),
    ("kilometers", "km"),
    ("mile", "mi"),
    ("miles", "mi"),
    ("feet", "ft"),
    ("mph", "mph"),
    ("litre", "l"),
    ("litres", "l"),
    ("liters", "l"),
    ("gram", "g"),
    ("grams", "g"),
    ("kilogram", "kg"),
    ("kilograms", "kg"),
    ("picogram", "pg"),
    ("picograms", "pg"),
    ("nanogram", "ng"),
    ("nanograms", "ng"),
    ("microgram", "µg"),
    ("micrograms", "µg"),
    ("milligram", "mg"),
    ("milligrams", "mg"),
    ("hectare", "ha"),
    ("hectares", "ha"),
    ("tonne", "t"),
    ("tonnes", "t"),
    ("byte", "B"),
    ("bytes", "B"),
    ("bit", "bit"),
    ("bits", "bit"),
    ("millisecond", "ms"),
    ("milliseconds", "ms"),
    ("second", "s"),
    ("seconds", "s"),
    ("minute", "min"),
    ("minutes", "min"),
    ("hour", "h"),
    ("hours", "h"),
    ("day", "days"),
    ("days", "days"),
    ("week", "weeks"),
    ("weeks", "weeks"),
    ("month", "months"),
    ("months", "months"),
    ("year", "years"),
    ("years", "years"),
];

/// Units as symbols, whose case matters.
const UNIT_SYMBOLS: &[(&str, &str)] = &[
    ("°", "°"),
    ("°C", "°C"),
    ("℃", "°C"),
    ("°F", "°F"),
    ("℉", "°F"),
    ("K", "K"),
    ("W", "W"),
    ("kW", "kW"),
    ("MW", "MW"),
    ("GW", "GW"),
    ("Wh", "Wh"),
    ("kWh", "kWh"),
    ("MWh", "MWh"),
    ("GWh", "GWh"),
    ("TWh", "TWh"),
    ("J", "J"),
    ("kJ", "kJ"),
    ("MJ", "MJ"),
    ("V", "V"),
    ("A", "A"),
    ("Hz", "Hz"),
    ("kHz", "kHz"),
    ("MHz", "MHz"),
    ("GHz", "GHz"),
    ("dB", "dB"),
    ("dBA", "dB(A)"),
    ("€", "€"),
    ("$", "$"),
    ("£", "£"),
    ("¥", "¥"),
    ("nm", "nm"),
    ("µm", "µm"),
    ("μm", "µm"),
    ("mm", "mm"),
    ("cm", "cm"),
    ("m", "m"),
    ("km", "km"),
    ("m²", "m²"),
    ("km²", "km²"),
    ("mi", "mi"),
    ("ft", "ft"),
    ("m³", "m³"),
    ("l", "l"),
    ("ml", "ml"),
    ("cl", "cl"),
    ("dl", "dl"),
    ("hl", "hl"),
    ("pg", "pg"),
    ("ng", "ng"),
    ("µg", "µg"),
    ("μg", "µg"),
    ("mg", "mg"),
    ("g", "g"),
    ("kg", "kg"),
    ("t", "t"),
    ("Pa", "Pa"),
    ("hPa", "hPa"),
    ("kPa", "kPa"),
    ("MPa", "MPa"),
    ("kN", "kN"),
    ("MN", "MN"),
    ("mA", "mA"),
    ("mV", "mV"),
    ("kV", "kV"),
    ("kVA", "kVA"),
    ("MVA", "MVA"),
    ("ppm", "ppm"),
    ("ppb", "ppb"),
    ("µSv", "µSv"),
    ("μSv", "µSv"),
    ("mSv", "mSv"),
    ("Bq", "Bq"),
    ("kBq", "kBq"),
    ("mmol", "mmol"),
    ("ha", "ha"),
    ("bar", "bar"),
    ("B", "B"),
    ("kB", "kB"),
    ("KB", "kB"),
    ("KiB", "KiB"),
    ("MB", "MB"),
    ("MiB", "MiB"),
    ("GB", "GB"),
    ("GiB", "GiB"),
    ("TB", "TB"),
    ("ns", "ns"),
    ("µs", "µs"),
    ("μs", "µs"),
    ("ms", "ms"),
    ("s", "s"),
    ("min", "min"),
    ("h", "h"),
    ("km/h", "km/h"),
    ("m/s", "m/s"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(f64, String)> {
        quantities(text)
            .into_iter()
            .map(|quantity| (quantity.value, quantity.unit))
            .collect()
    }

    #[test]
    fn numbers_are_read_with_their_units() {
        for (text, value, unit) in [
            ("it fell by 12.5 %.", 12.5, "%"),
            ("12% of users", 12.0, "%"),
            ("7 per cent", 7.0, "%"),
            ("1,234,567 people", 1_234_567.0, ""),
            ("at -15 °C", -15.0, "°C"),
            ("at −15°C", -15.0, "°C"),
            ("20 degrees Celsius", 20.0, "°C"),
            ("a 9 kW pump", 9.0, "kW"),
            ("a 9-kW pump", 9.0, "kW"),
            ("4,000 kWh a year", 4000.0, "kWh"),
            ("35 dB", 35.0, "dB"),
            ("$3.5 million", 3_500_000.0, "$"),
            ("€ 12", 12.0, "€"),
            ("12 euros", 12.0, "€"),
            ("12\u{a0}€", 12.0, "€"),
            ("in 1999,", 1999.0, "year"),
            ("for 3 years", 3.0, "years"),
            ("2,000", 2000.0, ""),
            ("on 2014-03-20", 2014.0, "year"),
            ("Rent 2024 GBP: none", 2024.0, "year"),
            ("cost euros: 6850", 6850.0, "€"),
            ("pct of beds in use: 82.6", 82.6, "%"),
        ] {
            let quantities = seen(text);
            assert_eq!(quantities.len(), 1, "{text} {quantities:?}");
            assert!(
                (quantities[0].0 - value).abs() < 1e-9 && quantities[0].1 == unit,
                "{text} {quantities:?}"
            );
        }
    }

    #[test]
    fn versions_names_and_identifiers_are_no_quantities() {
        for text in [
            "1.2.3",
            "x86_64",
            "RFC#1234",
            "u32",
            "2nd",
            "10.0.0.1",
            "",
            "v2",
            "1,23",
            "kestrel-03",
        ] {
            assert!(seen(text).is_empty(), "{text} {:?}", seen(text));
        }
    }

    #[test]
    fn a_range_shares_its_unit_and_ranges_cover_number_and_unit() {
        assert_eq!(
            seen("10–20 %"),
            [(10.0, "%".to_owned()), (20.0, "%".to_owned())]
        );
        let millilitres = |value: f64| (value, "ml".to_owned());
        assert_eq!(
            seen("Clearance (ml/min): 30 to 59"),
            [millilitres(30.0), millilitres(59.0)]
        );
        assert_eq!(seen("Teachers (m/f): 12"), [(12.0, String::new())]);
        let thousands = [(460_000.0, "€".to_owned())];
        assert_eq!(seen("Item: salt; Plan thousand EUR: 460"), thousands);
        assert_eq!(seen("Plan: EUR 460 thousand"), thousands);
        let dollars = |value: f64| (value, "$".to_owned());
        assert_eq!(
            seen("about $7,000-$10,000"),
            [dollars(7000.0), dollars(10_000.0)]
        );
        let year = |value: f64| (value, "year".to_owned());
        assert_eq!(seen("in 2018–19"), [year(2018.0), year(2019.0)]);
        let text = "costs $3.5 million in 2020";
        let ranges: Vec<&str> = quantities(text)
            .iter()
            .map(|quantity| &text[quantity.range.clone()])
            .collect();
        assert_eq!(ranges, ["$3.5 million", "2020"]);
    }

    #[test]
    fn hostile_digits_are_read_in_one_pass() {
        for text in [
            "9".repeat(1_000_000),
            "1,".repeat(300_000),
            "1 ".repeat(300_000),
            "1.".repeat(300_000),
        ] {
            let _ = quantities(&text);
        }
        let letters = format!("1 {} ", "k".repeat(100_000)).repeat(3);
        assert_eq!(seen(&letters).len(), 3);
        assert_eq!(seen("约 5 °C。٣").len(), 1);
    }
}

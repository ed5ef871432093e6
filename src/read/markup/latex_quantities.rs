//! Numbers and quantities of LaTeX's package siunitx as text: `\qty{8.9}{\tonne\per\hectare}` is
//! "8.9 t/ha", `\SIrange{10}{20}{kg}` is "10 to 20 kg".

/// The maximum length of an argument.
const MAX_ARGUMENT_BYTES: usize = 1000;

/// The commands, with the number of arguments that are numbers, and whether a unit follows them.
const COMMANDS: &[(&str, usize, bool)] = &[
    ("num", 1, false),
    ("numrange", 2, false),
    ("numlist", 1, false),
    ("ang", 1, false),
    ("SI", 1, true),
    ("SIrange", 2, true),
    ("SIlist", 1, true),
    ("qty", 1, true),
    ("qtyrange", 2, true),
    ("qtylist", 1, true),
    ("si", 0, true),
    ("unit", 0, true),
];

/// The prefixes of units, from the manual of siunitx, as the two tables below.
const PREFIXES: &[(&str, &str)] = &[
    ("pico", "p"),
    ("nano", "n"),
    ("micro", "µ"),
    ("milli", "m"),
    ("centi", "c"),
    ("deci", "d"),
    ("deca", "da"),
    ("hecto", "h"),
    ("kilo", "k"),
    ("mega", "M"),
    ("giga", "G"),
    ("tera", "T"),
    ("peta", "P"),
];

const UNITS: &[(&str, &str)] = &[
    ("ampere", "A"),
    ("arcminute", "′"),
    ("arcsecond", "″"),
    ("astronomicalunit", "au"),
    ("bar", "bar"),
    ("becquerel", "Bq"),
    ("bel", "B"),
    ("bit", "bit"),
    ("byte", "B"),
    ("candela", "cd"),
    ("celsius", "°C"),
    ("coulomb", "C"),
    ("dalton", "Da"),
    ("day", "d"),
    ("decibel", "dB"),
    ("degree", "°"),
    ("degreeCelsius", "°C"),
    ("electronvolt", "eV"),
    ("farad", "F"),
    ("gram", "g"),
    ("gray", "Gy"),
    ("hectare", "ha"),
    ("henry", "H"),
    ("hertz", "Hz"),
    ("hour", "h"),
    ("joule", "J"),
    ("kelvin", "K"),
    ("kilogram", "kg"),
    ("liter", "l"),
    ("litre", "l"),
    ("lumen", "lm"),
    ("lux", "lx"),
    ("meter", "m"),
    ("metre", "m"),
    ("minute", "min"),
    ("mole", "mol"),
    ("newton", "N"),
    ("ohm", "Ω"),
    ("pascal", "Pa"),
    ("percent", "%"),
    ("radian", "rad"),
    ("second", "s"),
    ("siemens", "S"),
    ("sievert", "Sv"),
    ("steradian", "sr"),
    ("tesla", "T"),
    ("tonne", "t"),
    ("volt", "V"),
    ("watt", "W"),
    ("weber", "Wb"),
    // Abbreviations that the package defines.
    ("cm", "cm"),
    ("dm", "dm"),
    ("g", "g"),
    ("kg", "kg"),
    ("kHz", "kHz"),
    ("km", "km"),
    ("kWh", "kWh"),
    ("m", "m"),
    ("mg", "mg"),
    ("mm", "mm"),
    ("mol", "mol"),
    ("ms", "ms"),
    ("s", "s"),
    ("um", "µm"),
];

/// What is written behind a unit, by commands before it or behind it.
const POWERS: &[(&str, &str)] = &[
    ("square", "²"),
    ("squared", "²"),
    ("cubic", "³"),
    ("cubed", "³"),
];

/// The text of a command and the length of its arguments, which are next in `rest`; `None` if it is
/// none of the package, or has not all of its arguments.
pub(super) fn read(name: &str, rest: &str) -> Option<(String, usize)> {
    let (_, numbers, has_unit) = COMMANDS.iter().find(|(own, _, _)| *own == name)?;
    let mut at = 0;
    let mut arguments = Vec::new();
    while arguments.len() < numbers + usize::from(*has_unit) {
        let (argument, end) = argument(&rest[at..])?;
        arguments.push(argument);
        at += end;
    }
    let unit = has_unit.then(|| arguments.pop()).flatten();
    let mut text = arguments
        .iter()
        .map(|own| number(own))
        .collect::<Vec<_>>()
        .join(" to ");
    if name == "ang" {
        text.push('°');
    }
    let unit = unit.map(unit_text).unwrap_or_default();
    if !text.is_empty() && !unit.is_empty() {
        text.push(' ');
    }
    Some((text + &unit, at))
}

/// The argument in braces that is next, behind an optional one in brackets, and where it ends.
fn argument(rest: &str) -> Option<(&str, usize)> {
    let mut at = rest.len() - rest.trim_start_matches(' ').len();
    if rest[at..].starts_with('[') {
        at += rest[at..].find(']')? + 1;
    }
    let inner = rest[at..].strip_prefix('{')?;
    let mut depth = 1;
    let end = inner.bytes().take(MAX_ARGUMENT_BYTES).position(|byte| {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        depth == 0
    })?;
    Some((&inner[..end], at + end + 2))
}

/// A number, or several with semicolons between.
fn number(argument: &str) -> String {
    let items: Vec<String> = argument
        .split(';')
        .map(|item| item.trim().replace("\\pm", "±").replace("+-", "±"))
        .filter(|item| !item.is_empty())
        .collect();
    match items.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => items.concat(),
    }
}

/// A unit, of commands or as it is printed.
fn unit_text(argument: &str) -> String {
    let mut text = String::new();
    let mut rest = argument.trim();
    // Between the commands of one unit stands nothing; a power may stand before its unit.
    let (mut is_per, mut is_prefixed, mut power) = (false, false, "");
    while let Some(first) = rest.chars().next() {
        let (name, end) = token(rest, first);
        rest = &rest[end..];
        let of = |table: &[(&str, &'static str)]| {
            let row = table.iter().find(|(own, _)| *own == name);
            row.map(|(_, sign)| *sign)
        };
        if first != '\\' {
            text.extend(printed(first));
        } else if name == "per" {
            is_per = true;
        } else if let Some(sign) = of(POWERS) {
            let is_behind = name.ends_with("ed");
            text.push_str(if is_behind { sign } else { "" });
            power = if is_behind { "" } else { sign };
        } else {
            let prefix = of(PREFIXES);
            let separator = match (is_prefixed, is_per, text.is_empty()) {
                (true, _, _) | (false, false, true) => "",
                (false, true, _) => "/",
                (false, false, false) => " ",
            };
            text.push_str(separator);
            text.push_str(prefix.or_else(|| of(UNITS)).unwrap_or(name));
            is_prefixed = prefix.is_some();
            if !is_prefixed {
                text.push_str(std::mem::take(&mut power));
            }
            is_per = false;
        }
    }
    text
}

/// A character of a unit that is no command.
fn printed(character: char) -> Option<char> {
    match character {
        '{' | '}' => None,
        '.' | '~' => Some(' '),
        other => Some(other),
    }
}

/// The name of the command that is next, or nothing for another character, and where it ends.
fn token(rest: &str, first: char) -> (&str, usize) {
    if first != '\\' {
        return ("", first.len_utf8());
    }
    let letters = rest[1..].bytes().take_while(u8::is_ascii_alphabetic);
    let sign = rest[1..].chars().next().map_or(0, char::len_utf8);
    let length = match letters.count() {
        0 => sign,
        letters => letters,
    };
    (&rest[1..=length], 1 + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_written_with_their_units() {
        for (name, arguments, text) in [
            ("SI", r"{40}{\degreeCelsius} rest", "40 °C"),
            ("qty", r"{8.9}{\tonne\per\hectare}", "8.9 t/ha"),
            ("SIrange", "{10}{20}{kg/ha}", "10 to 20 kg/ha"),
            ("qty", r"{12}{\percent}", "12 %"),
            ("SI", r"[per-mode=symbol]{3}{\kilo\watt\hour}", "3 kW h"),
            ("qtylist", r"{1;2;3}{\cubic\metre}", "1, 2 and 3 m³"),
            ("num", "{20 +- 1}", "20 ± 1"),
            ("unit", r"{\metre\per\second\squared}", "m/s²"),
            ("ang", "{45}", "45°"),
        ] {
            let read = read(name, arguments);
            assert_eq!(read.map(|(text, _)| text).as_deref(), Some(text), "{name}");
        }
        assert_eq!(
            read("SI", r"{40}{\degreeCelsius} rest").map(|read| read.1),
            Some(20)
        );
        assert_eq!(read("SI", "{40} alone"), None);
        assert_eq!(read("emph", "{x}"), None);
    }
}

//! Formulas of LaTeX in a line of text, as this text: `$25^{\circ}$C` is "25 °C", `H$_2$O` is
//! "H2O", `$5 \pm 1$` is "5 ± 1".
//!
//! Prose has numbers, units and signs in formulas, since LaTeX sets them in no other way. A formula
//! proper, which speaks of variables alone or has anything that is not known here, stays LaTeX.

use super::latex_commands as commands;
use super::latex_quantities as quantities;

/// The longest formula that is read as text, in bytes; chosen by hand. A longer one is no number.
const MAX_BYTES: usize = 200;

/// Commands of which the argument is text, or upright, as units are.
const UPRIGHT: &[&str] = &[
    "mathrm",
    "text",
    "textrm",
    "textnormal",
    "textup",
    "mathsf",
    "mbox",
    "hbox",
    "operatorname",
    "ce",
];

/// Commands that change nothing about the text that follows.
const NOTHING: &[&str] = &[
    "left",
    "right",
    "big",
    "Big",
    "displaystyle",
    "textstyle",
    "rm",
    "limits",
    "!",
];

/// Relations and operators, which stand between spaces: the commands that the standard classes of
/// LaTeX have for what prose says of numbers. The list is closed.
const OPERATORS: &[(&str, &str)] = &[
    ("approx", "≈"),
    ("simeq", "≃"),
    ("sim", "∼"),
    ("cong", "≅"),
    ("equiv", "≡"),
    ("propto", "∝"),
    ("leq", "≤"),
    ("le", "≤"),
    ("leqslant", "≤"),
    ("geq", "≥"),
    ("ge", "≥"),
    ("geqslant", "≥"),
    ("neq", "≠"),
    ("ne", "≠"),
    ("lt", "<"),
    ("gt", ">"),
    ("ll", "≪"),
    ("gg", "≫"),
    ("lesssim", "≲"),
    ("gtrsim", "≳"),
    ("pm", "±"),
    ("mp", "∓"),
    ("times", "×"),
    ("div", "÷"),
    ("cdot", "·"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("longrightarrow", "→"),
    ("leftarrow", "←"),
    ("Rightarrow", "⇒"),
    ("leftrightarrow", "↔"),
    ("rightleftharpoons", "⇌"),
];

/// Operators that belong to the number behind them where nothing stands before.
const BEFORE_NUMBERS: [&str; 4] = ["±", "∓", "×", "∼"];

/// Letters and signs that stand for themselves, and the spaces of formulas: likewise.
const LETTERS: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    // The prefix of units.
    ("mu", "µ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("varphi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("infty", "∞"),
    ("circ", "°"),
    ("celsius", "°C"),
    ("ohm", "Ω"),
    ("micro", "µ"),
    ("percent", "%"),
    ("prime", "′"),
    ("%", "%"),
    ("$", "$"),
    ("&", "&"),
    ("#", "#"),
    (",", " "),
    (";", " "),
    (":", " "),
    (" ", " "),
];

/// The digits and signs that Unicode has as superscripts, in pairs.
const SUPERSCRIPTS: [&str; 2] = ["0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"];

/// The text of a formula, between the text before it and what comes after it; `None` for a formula
/// that is to stay one.
pub(super) fn text(formula: &str, before: &str, after: &str) -> Option<String> {
    if formula.len() > MAX_BYTES {
        return None;
    }
    if is_name(formula) {
        return Some(formula.to_owned());
    }
    let mut reading = Reading::default();
    reading.read(formula, Font::Italic)?;
    let is_text = reading.has_number || !reading.has_variable;
    let text = with_spaced_degrees(reading.out.trim(), before, after);
    (is_text && !text.is_empty()).then_some(text)
}

/// `true` for an abbreviation in capitals, which is the name of a quantity and no product of
/// variables: `SSB`.
pub(super) fn is_name(formula: &str) -> bool {
    formula.len() > 1 && formula.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// The text with a space between a number and the degrees of a scale of temperatures; an angle has
/// none.
fn with_spaced_degrees(text: &str, before: &str, after: &str) -> String {
    let Some((number, rest)) = text.split_once('°') else {
        return text.to_owned();
    };
    let number = number.trim_end();
    let is_number = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
    let follows_number = is_number(number) || number.is_empty() && is_number(before);
    let is_of_scale = is_scale(rest) || rest.is_empty() && is_scale(after);
    let space = if follows_number && is_of_scale {
        " "
    } else {
        ""
    };
    format!("{number}{space}°{}", rest.trim_start())
}

/// Returns `true` where the letter of a scale of temperatures comes next.
fn is_scale(rest: &str) -> bool {
    let mut characters = rest.trim_start().chars();
    matches!(characters.next(), Some('C' | 'F'))
        && !characters.next().is_some_and(char::is_alphanumeric)
}

/// The font of letters: italic ones are variables, upright ones units and words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Font {
    Italic,
    Upright,
}

/// The text of a formula as far as it is read.
#[derive(Default)]
struct Reading {
    out: String,
    has_number: bool,
    has_variable: bool,
    /// `true` behind an operator, which has a space before what it is applied to.
    is_after_operator: bool,
}

impl Reading {
    /// Reads a formula or a group of one; `None` if it has what is not known.
    fn read(&mut self, formula: &str, font: Font) -> Option<()> {
        let mut rest = formula;
        while let Some(first) = rest.chars().next() {
            let after = &rest[first.len_utf8()..];
            rest = match first {
                '\\' => self.command(after)?,
                '^' | '_' => {
                    let (script, after) = argument(after)?;
                    self.script(first, script)?;
                    after
                }
                '{' => {
                    let (group, after) = argument(rest)?;
                    self.read(group, font)?;
                    after
                }
                '}' | '&' | '#' | '$' => return None,
                '=' | '<' | '>' => {
                    self.operator(&first.to_string());
                    after
                }
                '~' => {
                    self.space();
                    after
                }
                c if c.is_whitespace() => {
                    // Formulas ignore it, but between a number and a word it is no mistake.
                    self.space();
                    after
                }
                c => {
                    self.character(c, font);
                    after
                }
            };
        }
        Some(())
    }

    /// Reads a command, and returns what follows it.
    fn command<'a>(&mut self, rest: &'a str) -> Option<&'a str> {
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = if letters > 0 {
            letters
        } else {
            rest.chars().next()?.len_utf8()
        };
        let (name, after) = rest.split_at(length);
        let of = |table: &[(&str, &'static str)]| {
            let row = table.iter().find(|(own, _)| *own == name);
            row.map(|(_, sign)| *sign)
        };
        if let Some((quantity, end)) = quantities::read(name, after) {
            self.has_number |= quantity.contains(|c: char| c.is_ascii_digit());
            self.push(&quantity);
            return Some(&after[end..]);
        }
        if UPRIGHT.contains(&name) {
            let (group, after) = argument(after.trim_start())?;
            self.read(group, Font::Upright)?;
            return Some(after);
        }
        if let Some(sign) = of(OPERATORS) {
            self.operator(sign);
        } else if let Some(sign) = of(LETTERS).or_else(|| commands::sign(name)) {
            let is_space = sign.trim().is_empty();
            if is_space {
                self.space();
            } else {
                self.push(sign);
            }
            // White space after the name of a command belongs to the name.
            let is_named = letters > 0 && !is_space;
            return Some(if is_named { after.trim_start() } else { after });
        } else if !NOTHING.contains(&name) {
            return None;
        }
        Some(after)
    }

    /// Writes a letter, a digit or a mark.
    fn character(&mut self, c: char, font: Font) {
        self.has_number |= c.is_ascii_digit();
        self.has_variable |= c.is_alphabetic() && font == Font::Italic;
        self.push(c.encode_utf8(&mut [0; 4]));
    }

    fn push(&mut self, text: &str) {
        if std::mem::take(&mut self.is_after_operator) {
            self.space();
        }
        self.out.push_str(text);
    }

    fn space(&mut self) {
        let is_sign = BEFORE_NUMBERS.contains(&self.out.as_str());
        if !self.out.is_empty() && !is_sign && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
    }

    /// Writes an operator. One of signs that has nothing before it belongs to what follows.
    fn operator(&mut self, sign: &str) {
        let is_sign = self.out.is_empty() && BEFORE_NUMBERS.contains(&sign);
        self.is_after_operator = false;
        self.space();
        self.out.push_str(sign);
        self.is_after_operator = !is_sign;
    }

    /// Writes a superscript or a subscript. `None` for one that plain text does not have.
    fn script(&mut self, mark: char, script: &str) -> Option<()> {
        let mut inner = Self::default();
        inner.read(script, Font::Italic)?;
        let script = inner.out.trim();
        if mark == '_' {
            self.subscript(script, !inner.has_variable);
            return Some(());
        }
        if ["°", "′", "″"].contains(&script) {
            self.out.truncate(self.out.trim_end().len());
            self.out.push_str(script);
            return Some(());
        }
        let [plain, raised] = SUPERSCRIPTS;
        let written: Option<String> = script
            .chars()
            .map(|c| {
                let at = plain.chars().position(|own| own == c)?;
                raised.chars().nth(at)
            })
            .collect();
        self.out.push_str(&written?);
        Some(())
    }

    /// Writes a subscript: the number of atoms as chemists type it, and an upright word as people
    /// type names, "Tmax"; anything else behind a mark.
    fn subscript(&mut self, script: &str, is_upright: bool) {
        let is_number = script.bytes().all(|byte| byte.is_ascii_digit());
        let base = self.out.chars().next_back();
        let is_atom = base.is_none_or(|c| c.is_uppercase() || c == ')');
        let is_letter = base.is_some_and(char::is_alphabetic);
        let is_word = script.len() > 1 && script.chars().all(char::is_alphabetic);
        // Indices are of one letter or two, "x_{ij}": "B_{lim}" is a word that is set as one.
        let is_set_as_word = is_upright || script.len() > 2 && script.is_ascii();
        if is_number && is_atom || is_set_as_word && is_word && is_letter {
            // Of a formula that names a substance or a quantity, the letters are no variables.
            self.has_variable = false;
        } else {
            self.has_variable = true;
            self.out.push('_');
        }
        self.out.push_str(script);
    }
}

/// The argument that is next, in braces or a single token, and what follows it.
fn argument(rest: &str) -> Option<(&str, &str)> {
    let rest = rest.trim_start();
    let first = rest.chars().next()?;
    if first == '\\' {
        let letters = rest[1..].bytes().take_while(u8::is_ascii_alphabetic);
        let end = 1 + letters.count().max(rest[1..].chars().next()?.len_utf8());
        // With the argument that it has itself.
        let length = group_length(&rest[end..]).unwrap_or(0);
        return Some(rest.split_at(end + length));
    }
    if first != '{' {
        return Some(rest.split_at(first.len_utf8()));
    }
    let length = group_length(rest)?;
    Some((&rest[1..length - 1], &rest[length..]))
}

/// The length of the group in braces that is next.
fn group_length(rest: &str) -> Option<usize> {
    let mut depth = 0;
    let is_last = |byte: u8| {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        depth == 0
    };
    let end = rest
        .starts_with('{')
        .then(|| rest.bytes().position(is_last))?;
    Some(end? + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_units_and_signs_are_text() {
        for (formula, expected) in [
            (r"5 \pm 1", "5 ± 1"),
            (r"5\pm1", "5 ± 1"),
            (r"\pm 5", "±5"),
            (r"\approx 40", "≈ 40"),
            (r"\leq", "≤"),
            ("<5", "< 5"),
            ("-5", "-5"),
            (r"10\,000", "10 000"),
            ("1{,}5", "1,5"),
            (r"3 \times 10^{-3}", "3 × 10⁻³"),
            (r"95\%", "95%"),
            (r"\mu", "µ"),
            (r"\Delta T = 5", "ΔT = 5"),
            (r"\mathrm{kg/m^3}", "kg/m³"),
            (r"4\,\mathrm{m}\Omega", "4 mΩ"),
            (r"25^{\circ}\mathrm{C}", "25 °C"),
            (r"25\,^\circ\text{C}", "25 °C"),
            (r"45^\circ", "45°"),
            ("_2", "2"),
            (r"\mathrm{H_2O}", "H2O"),
            ("CO_2", "CO2"),
            (r"n = 40", "n = 40"),
            (r"T_\mathrm{max} = 45\,^\circ\mathrm{C}", "Tmax = 45 °C"),
            (r"B_{\mathrm{lim}}", "Blim"),
            ("B_{lim}", "Blim"),
            ("SSB", "SSB"),
            (r"\SI{5}{\volt}", "5 V"),
        ] {
            let read = text(formula, "", "");
            assert_eq!(read.as_deref(), Some(expected), "{formula}");
        }
    }

    #[test]
    fn degrees_stand_apart_from_their_number_where_a_scale_follows() {
        for (formula, before, after, expected) in [
            (r"^\circ", "25 ", "C.", "°"),
            (r"^{\circ}", "25", "C.", " °"),
            (r"25^\circ", "at ", "C,", "25 °"),
            (r"45^\circ", "at ", "Celsius", "45°"),
            (r"45^\circ", "at ", "", "45°"),
        ] {
            let read = text(formula, before, after);
            assert_eq!(read.as_deref(), Some(expected), "{before}{formula}{after}");
        }
    }

    #[test]
    fn formulas_proper_stay_formulas() {
        for formula in [
            "x",
            "x_1",
            "x_{ij}",
            "",
            r"\frac{a}{2}",
            r"\sum_{i=1}^n i",
            "2^n",
            "{5",
            "5}",
            r"\\",
        ] {
            assert_eq!(text(formula, "", ""), None, "{formula}");
        }
        assert_eq!(text(&"{".repeat(MAX_BYTES), "", ""), None);
        assert_eq!(text(&"5".repeat(MAX_BYTES + 1), "", ""), None);
    }
}

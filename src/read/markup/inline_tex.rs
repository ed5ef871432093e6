//! Formulas of TeX in Markdown and plain text, as their text: "$B_{\mathrm{lim}}$" is "Blim",
//! "$\geq 5$ \%" is "≥ 5 %". Prices, code and formulas proper stay as they are, and so do lines.

use super::latex_formulas;

/// The longest formula, in bytes. Chosen by hand: a longer one is no number or name.
const MAX_BYTES: usize = 80;

/// A text in which the formulas of each line, outside of code, are what LaTeX would print of them.
pub(in crate::read) fn formulas_as_text(text: String) -> String {
    // Most documents have none.
    if !text.contains('$') {
        return text;
    }
    let mut read = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(own), Some(mark)) if own == mark => fence = None,
            _ => {}
        }
        let is_code = fence.is_some() || mark.is_some() || line.starts_with(['\t']);
        if is_code || line.starts_with("    ") || !line.contains('$') {
            read.push_str(line);
        } else {
            push_line(&mut read, line);
        }
    }
    read
}

/// Adds a line with its formulas as text.
fn push_line(read: &mut String, line: &str) {
    let mut rest = line;
    let mut is_code = false;
    while let Some(at) = rest.find(['$', '`']) {
        let (before, behind) = rest.split_at(at);
        read.push_str(before);
        is_code ^= behind.starts_with('`');
        let is_escaped = before.ends_with('\\');
        let formula = formula(behind).filter(|_| !is_code && !is_escaped && is_free(read));
        let text = formula.and_then(|formula| {
            let after = &behind[formula.len() + 2..];
            text_of(formula, read, after)
        });
        if let (Some(formula), Some(text)) = (formula, text) {
            read.push_str(&text);
            rest = &behind[formula.len() + 2..];
            // The per cent sign behind a number is escaped as in TeX.
            let spaces = rest.len() - rest.trim_start_matches([' ', '~']).len();
            if let Some(after) = rest[spaces..].strip_prefix("\\%") {
                read.push_str(if spaces > 0 { " %" } else { "%" });
                rest = after;
            }
        } else {
            // Two dollar signs are those of a formula apart from the text.
            let length = if behind.starts_with("$$") { 2 } else { 1 };
            read.push_str(&behind[..length]);
            rest = &behind[length..];
        }
    }
    read.push_str(rest);
}

/// `true` if a formula may begin behind a text: "US$5" is a price.
fn is_free(before: &str) -> bool {
    !before.ends_with(|c: char| c.is_alphanumeric() || c == '$')
}

/// The formula between the dollar sign with which a text begins and the next one, as Pandoc has it:
/// without white space inside of these, and with no letter or digit behind them.
fn formula(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('$')?;
    let window = &inside[..inside.floor_char_boundary(MAX_BYTES + 1)];
    let mut ends = window.match_indices('$').map(|(at, _)| at);
    let end = ends.find(|at| !window[..*at].ends_with('\\'))?;
    let formula = &inside[..end];
    let behind = inside[end + 1..].chars().next();
    let is_tight = !formula.is_empty() && formula.trim() == formula;
    let is_closed = !behind.is_some_and(|c| c.is_alphanumeric() || c == '$');
    (is_tight && is_closed && !formula.contains('`')).then_some(formula)
}

/// The text of a formula; `None` for what may be no formula, or is one proper.
fn text_of(formula: &str, before: &str, after: &str) -> Option<String> {
    let has_sign = formula.contains(['\\', '_', '^', '{']);
    let is_relation = formula.starts_with(char::is_alphabetic) && formula.contains(['=', '<', '>']);
    let is_number = formula
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.,".contains(&byte));
    // "$5 and 6$" are two prices.
    let is_prose = formula
        .split(' ')
        .any(|word| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
    let may_be = has_sign || is_relation || is_number || latex_formulas::is_name(formula);
    if !may_be || is_prose {
        return None;
    }
    latex_formulas::text(formula, before, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_of_numbers_and_names_are_text() {
        for (text, expected) in [
            ("The $SSB$ is low.", "The SSB is low."),
            (r"below $B_{\mathrm{lim}}$,", "below Blim,"),
            (r"below $B_{lim}$.", "below Blim."),
            (r"was $\geq 5$ \% of it", "was ≥ 5 % of it"),
            (r"was $5$\%.", "was 5%."),
            (r"$F_{\mathrm{msy}} = 0.31$", "Fmsy = 0.31"),
            (r"**$26\,000$ t** ($\pm 5$)", "**26 000 t** (±5)"),
        ] {
            assert_eq!(formulas_as_text(text.to_owned()), expected);
        }
    }

    #[test]
    fn prices_code_and_formulas_proper_stay() {
        for text in [
            "It costs $5 and $6.",
            "It costs $5/$6 or US$5_a$.",
            "from $5 to 6$ and $5 or 6_a$",
            "Set `$A_{1}$ and $B_{lim}$` here.",
            "```sh\necho $A_{lim}$\n```\n",
            "    echo $A_{lim}$\n",
            r"\$B_{lim}$ and $x$ and $\frac{a}{2}$",
            "$$B_{lim}$$",
            "$HOME/$USER and $PATH",
        ] {
            assert_eq!(formulas_as_text(text.to_owned()), text);
        }
        let hostile = "$a_{".repeat(20_000);
        assert_eq!(formulas_as_text(hostile.clone()), hostile);
    }
}

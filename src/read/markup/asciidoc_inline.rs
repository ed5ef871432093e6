//! The inline markup of AsciiDoc as Markdown: formatting, macros, references and attributes.

use std::collections::HashMap;

use super::inline::{Scanner, is_space, is_word, scan};

/// The limit on the text that replaces an attribute, in bytes; chosen by hand, so that attributes
/// that hold each other do not grow without bound.
const MAX_VALUE_BYTES: usize = 1_000;

/// The longest name of an attribute or a macro, in bytes; chosen by hand.
const MAX_NAME_BYTES: usize = 60;

/// Formatting at the boundaries of words, and the marks of Markdown; marked text is text.
const FORMATTING: &[(char, &str, &str)] = &[('*', "*", "**"), ('_', "_", "*"), ('#', "#", "")];

/// Formatting anywhere, for parts of words.
const UNCONSTRAINED: &[(&str, &str)] = &[("**", "**"), ("__", "*"), ("##", "")];

/// Attributes that every document has.
const PREDEFINED: &[(&str, &str)] = &[
    ("nbsp", "\u{a0}"),
    ("sp", " "),
    ("empty", ""),
    ("blank", ""),
    ("plus", "+"),
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("asterisk", "*"),
    ("caret", "^"),
    ("tilde", "~"),
    ("hash", "#"),
    ("startsb", "["),
    ("endsb", "]"),
    ("vbar", "|"),
    ("backslash", "\\"),
    ("apos", "'"),
    ("quot", "\""),
    ("lsquo", "‘"),
    ("rsquo", "’"),
    ("ldquo", "“"),
    ("rdquo", "”"),
    ("deg", "°"),
    ("cpp", "C++"),
    ("two-colons", "::"),
    ("two-semicolons", ";;"),
    ("zwsp", ""),
    ("wj", ""),
];

/// Macros of which nothing is text.
const LEFT_OUT: &[&str] = &[
    "footnote",
    "footnoteref",
    "image",
    "icon",
    "indexterm",
    "anchor",
    "bibitem",
    "comment",
];

/// Macros of which the text in brackets is a formula.
const FORMULAS: &[&str] = &["stem", "latexmath", "asciimath"];

/// The inline markup of a document.
#[derive(Default)]
pub(super) struct Inline {
    /// The values of attributes, by name.
    attributes: HashMap<String, String>,
}

impl Inline {
    /// Defines an attribute.
    pub(super) fn define(&mut self, name: &str, value: &str) {
        if value.len() <= MAX_VALUE_BYTES {
            self.attributes
                .insert(name.to_lowercase(), value.to_owned());
        }
    }

    /// Text with inline markup as Markdown.
    pub(super) fn to_markdown(&self, text: &str) -> String {
        scan(text, |scanner, rest, first| match first {
            '`' => self.code(scanner, rest),
            '+' => passthrough(scanner, rest),
            '*' | '_' | '#' => formatting(scanner, rest, first),
            '"' | '\'' => quotation(scanner, rest),
            '{' => self.attribute(scanner, rest),
            '<' => reference(scanner, rest),
            '[' => anchor(scanner, rest),
            '(' => index_term(scanner, rest),
            '-' => dash(scanner, rest),
            '\\' => escape(scanner, rest),
            'a'..='z' => self.named_macro(scanner, rest),
            _ => false,
        })
    }

    /// Reads a reference to an attribute; one that is not known stays.
    fn attribute(&self, scanner: &mut Scanner<'_>, rest: &str) -> bool {
        let name = name_before(&rest[1..], b'}');
        let value = name.and_then(|name| {
            let predefined = PREDEFINED.iter().find(|(own, _)| *own == name);
            let predefined = predefined.map(|(_, value)| *value);
            let defined = self.attributes.get(&name.to_lowercase());
            Some((name, defined.map(String::as_str).or(predefined)?))
        });
        let Some((name, value)) = value else {
            return false;
        };
        scanner.push(value);
        scanner.skip(name.len() + 2);
        true
    }

    /// Reads a macro such as `kbd:[Ctrl]`, or an address with a text in brackets after it.
    fn named_macro(&self, scanner: &mut Scanner<'_>, rest: &str) -> bool {
        // A footnote follows a word without a space.
        let is_free = !is_word(scanner.before()) || rest.starts_with("footnote");
        let Some(name) = name_before(rest, b':').filter(|_| is_free) else {
            return false;
        };
        let is_target =
            |byte: &u8| !byte.is_ascii_whitespace() && !matches!(byte, b'[' | b'<' | b'>');
        let target = &rest.as_bytes()[name.len() + 1..];
        let length = target
            .iter()
            .take(2_000)
            .take_while(|byte| is_target(byte))
            .count();
        let open = name.len() + 1 + length;
        let is_macro =
            rest.as_bytes().get(open) == Some(&b'[') && !rest[name.len() + 1..].starts_with(':');
        let end = if is_macro {
            scanner.end(open, "]", |before, _| before != Some('\\'))
        } else {
            None
        };
        let Some(end) = end else { return false };
        let (target, text) = (&rest[name.len() + 1..open], &rest[open + 1..end]);
        // Attributes come after the text: `text,window=_blank` or `"text",role=x`.
        let is_address = target.starts_with("//");
        let shown = text.split(",window=").next().unwrap_or_default();
        let shown = shown.split(",role=").next().unwrap_or_default();
        let shown = shown.trim_matches('"').trim_end_matches('^');
        // The text has no bracket that closes, so that no macro in it is read again.
        let shown = self.to_markdown(shown);
        match name {
            _ if LEFT_OUT.contains(&name) => scanner.trim_end(),
            _ if FORMULAS.contains(&name) => scanner.push(&format!("${text}$")),
            "menu" => scanner.push(&format!("{target} > {text}")),
            _ if is_address && shown.is_empty() => scanner.push(&rest[..open]),
            "link" | "xref" | "mailto" if shown.is_empty() => {
                scanner.push(target.trim_start_matches('#'));
            }
            "link" | "xref" | "mailto" | "kbd" | "btn" | "pass" => scanner.push(&shown),
            _ if is_address => scanner.push(&shown),
            _ => return false,
        }
        scanner.skip(end + 1);
        true
    }

    /// Reads text in backticks, also behind plus signs, which keep it as it is.
    fn code(&self, scanner: &mut Scanner<'_>, rest: &str) -> bool {
        let (mark, is_free): (&str, bool) = if rest.starts_with("``") {
            ("``", true)
        } else {
            (
                "`",
                !is_word(scanner.before()) && !is_space(rest[1..].chars().next()),
            )
        };
        // An apostrophe may be typed as a backtick before it.
        let is_quote = scanner.before() == Some('"') || rest.starts_with("`\"");
        if !is_free || is_quote {
            return false;
        }
        let end = match mark {
            "``" => scanner.end(3, "``", |_, _| true),
            _ => scanner.end(2, "`", may_end),
        };
        let Some(end) = end else { return false };
        let code = &rest[mark.len()..end];
        let inner = code
            .strip_prefix('+')
            .and_then(|code| code.strip_suffix('+'));
        match inner.filter(|_| !code.starts_with("++")) {
            Some(verbatim) => scanner.push_code(verbatim),
            None => scanner.push_code(&self.resolved(&without_passthrough(code))),
        }
        scanner.skip(end + mark.len());
        true
    }

    /// The code with the values of attributes.
    fn resolved(&self, code: &str) -> String {
        let mut scanner = Scanner::new(code);
        loop {
            let rest = scanner.rest();
            if rest.is_empty() {
                return scanner.finish();
            }
            if !(rest.starts_with('{') && self.attribute(&mut scanner, rest)) {
                scanner.copy();
            }
        }
    }
}

/// The name that a text begins with, if this character follows it.
fn name_before(text: &str, close: u8) -> Option<&str> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let length = text
        .bytes()
        .take(MAX_NAME_BYTES)
        .take_while(is_name)
        .count();
    (length > 0 && text.as_bytes().get(length) == Some(&close)).then(|| &text[..length])
}

/// Returns `true` where formatting may begin: after no character of a word, and before no white
/// space.
fn may_begin(before: Option<char>, after: Option<char>) -> bool {
    !is_word(before) && !matches!(before, Some(':' | ';' | '}')) && !is_space(after)
}

/// Returns `true` where formatting may end: after no white space, and before no character of a
/// word.
fn may_end(before: Option<char>, after: Option<char>) -> bool {
    !is_space(before) && !is_word(after)
}

/// Code without the plus signs around what is shown as it is.
fn without_passthrough(code: &str) -> String {
    let is_paired = code.matches("++").count().is_multiple_of(2);
    if is_paired {
        code.replace("++", "")
    } else {
        code.to_owned()
    }
}

/// Reads text between plus signs, which is shown as it is.
fn passthrough(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let mark = ["+++", "++", "+"]
        .into_iter()
        .find(|mark| rest.starts_with(mark));
    let mark = mark.unwrap_or("+");
    let after = rest[mark.len()..].chars().next();
    if mark == "+" && !may_begin(scanner.before(), after) {
        return false;
    }
    let end = match mark {
        "+" => scanner.end(2, mark, may_end),
        _ => scanner.end(mark.len() + 1, mark, |_, _| true),
    };
    let Some(end) = end else { return false };
    // Between three of them stands HTML.
    if mark != "+++" {
        scanner.push(&rest[mark.len()..end]);
    }
    scanner.skip(end + mark.len());
    true
}

fn formatting(scanner: &mut Scanner<'_>, rest: &str, first: char) -> bool {
    let twice = UNCONSTRAINED
        .iter()
        .find(|(mark, _)| rest.starts_with(mark));
    if let Some((mark, with)) = twice {
        let end = scanner.end(3, mark, |_, _| true);
        return end.is_some_and(|end| scanner.emphasize(2, end, with));
    }
    if !may_begin(scanner.before(), rest[1..].chars().next()) {
        return false;
    }
    let Some((_, mark, with)) = FORMATTING.iter().find(|(own, ..)| *own == first) else {
        return false;
    };
    let end = scanner.end(2, mark, may_end);
    end.is_some_and(|end| scanner.emphasize(1, end, with))
}

/// Reads text in typographic quotation marks: between `"` and a backtick, and the same reversed.
fn quotation(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let marks = [("\"`", "`\"", "“", "”"), ("'`", "`'", "‘", "’")];
    let pair = marks.into_iter().find(|(open, ..)| rest.starts_with(open));
    let Some((_, close, left, right)) = pair else {
        return false;
    };
    let Some(end) = scanner.end(3, close, |before, _| !is_space(before)) else {
        return false;
    };
    scanner.push(left);
    scanner.push(&rest[2..end]);
    scanner.push(right);
    scanner.skip(end + 2);
    true
}

/// Reads a cross reference as its text, or as what it refers to: `<<target,text>>`.
fn reference(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    if !rest.starts_with("<<") {
        return false;
    }
    let Some(end) = scanner.end(2, ">>", |_, _| true) else {
        return false;
    };
    let content = &rest[2..end];
    let shown = content.split_once(',').map_or(content, |(_, text)| text);
    let shown = shown.trim().trim_start_matches(['#', '_']);
    scanner.push(&shown.replace('_', " "));
    scanner.skip(end + 2);
    true
}

/// Leaves out an anchor, and the attributes of the formatted text after them: `[.role]#text#`.
fn anchor(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let close = if rest.starts_with("[[") { "]]" } else { "]" };
    let is_role = rest.starts_with("[.") || rest.starts_with("[#");
    if close == "]" && !is_role {
        return false;
    }
    let Some(end) = scanner.end(2, close, |_, _| true) else {
        return false;
    };
    let after = end + close.len();
    if close == "]" && !rest[after..].starts_with(['#', '`', '*', '_']) {
        return false;
    }
    scanner.skip(after);
    true
}

/// Reads a term of the index: `((shown))`, or `(((left out)))`.
fn index_term(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    if !rest.starts_with("((") {
        return false;
    }
    let is_hidden = rest.starts_with("(((");
    let close = if is_hidden { ")))" } else { "))" };
    let Some(end) = scanner.end(close.len(), close, |_, _| true) else {
        return false;
    };
    if !is_hidden {
        scanner.push(&rest[2..end]);
    }
    scanner.skip(end + close.len());
    true
}

/// Reads two hyphens between words as a dash.
fn dash(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let is_dash = rest.starts_with("--") && !rest.starts_with("---");
    let (before, after) = (
        scanner.before(),
        rest.get(2..).and_then(|rest| rest.chars().next()),
    );
    let is_apart = is_space(before) && is_space(after);
    let is_between = is_word(before) && is_word(after);
    if !is_dash || !(is_apart || is_between) || before == Some('-') {
        return false;
    }
    scanner.push("—");
    scanner.skip(2);
    true
}

/// Leaves out a backslash before markup.
fn escape(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let next = rest[1..].chars().next();
    if !next.is_some_and(|c| "*_`#+{<[(\\'\"".contains(c) || c.is_ascii_lowercase()) {
        return false;
    }
    let is_macro = next.is_some_and(|c| c.is_ascii_lowercase());
    match next {
        _ if is_macro && name_before(&rest[1..], b':').is_none() => scanner.push("\\"),
        // These begin markup in Markdown, too, where the same escape is understood.
        Some('*' | '`') => scanner.push("\\"),
        _ => {}
    }
    scanner.skip(1);
    scanner.copy();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_markup_is_read() {
        let mut inline = Inline::default();
        inline.define("name", "value");
        for (asciidoc, markdown) in [
            ("a *b c* and _d_.", "a **b c** and *d*."),
            (
                "un**bold**ed and #marked# [.red]#text#",
                "un**bold**ed and marked text",
            ),
            ("use `a<b>` or `+x*y*+`.", "use `a<b>` or `x*y*`."),
            ("a_b_c 2*3*4", "a_b_c 2*3*4"),
            (
                "https://e.org[the site] https://e.org[]",
                "the site https://e.org",
            ),
            ("`++[++a++]++` `1 {plus} 2`", "`[a]` `1 + 2`"),
            ("`a ++{++b}` https://e.org[x++#++1]", "`a {b}` x#1"),
            ("link:x.html[text,window=_blank] xref:a[A]", "text A"),
            ("See <<_the_part>> or <<x,this>>.", "See the part or this."),
            ("Saidfootnote:[Not this.].footnote:[x] So.", "Said. So."),
            ("[[id]]text ((term))(((hidden, x)))", "text term"),
            ("a -- b {name} {unknown} {plus}", "a — b value {unknown} +"),
            ("\"`quoted`\" kbd:[Ctrl] stem:[x^2]", "“quoted” Ctrl $x^2$"),
            (
                "\\*not bold* std::mem::swap[0]",
                "\\*not bold* std::mem::swap[0]",
            ),
        ] {
            assert_eq!(inline.to_markdown(asciidoc), markdown, "{asciidoc}");
        }
    }
}

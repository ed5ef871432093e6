//! The inline markup of Org as Markdown: emphasis, code, links, footnotes, entities.

use super::inline::{Scanner, is_space, is_word, scan};

/// The marks of emphasis, and those of Markdown; underlined and struck text is text.
const EMPHASIS: &[(char, &str, &str)] = &[
    ('*', "*", "**"),
    ('/', "/", "*"),
    ('_', "_", ""),
    ('+', "+", ""),
];

/// Entities that stand for signs in prose.
const ENTITIES: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("pi", "π"),
    ("sigma", "σ"),
    ("omega", "ω"),
    ("Delta", "Δ"),
    ("to", "→"),
    ("rarr", "→"),
    ("larr", "←"),
    ("times", "×"),
    ("le", "≤"),
    ("ge", "≥"),
    ("ne", "≠"),
    ("plusmn", "±"),
    ("approx", "≈"),
    ("infin", "∞"),
    ("deg", "°"),
    ("nbsp", "\u{a0}"),
    ("ndash", "–"),
    ("mdash", "—"),
    ("hellip", "…"),
    ("dots", "…"),
    ("auml", "ä"),
    ("ouml", "ö"),
    ("uuml", "ü"),
    ("szlig", "ß"),
    ("eacute", "é"),
    ("copy", "©"),
    ("euro", "€"),
    ("pound", "£"),
    ("sect", "§"),
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("under", "_"),
    ("ast", "*"),
];

/// The longest address in angle brackets, in bytes; chosen by hand.
const MAX_ADDRESS_BYTES: usize = 2_000;

/// The longest text after a date, such as ` Wed 10:00 +1w`, in characters; chosen by hand.
const MAX_TIME_CHARACTERS: usize = 40;

/// Text with inline markup as Markdown.
pub(super) fn to_markdown(text: &str) -> String {
    scan(text, |scanner, rest, first| match first {
        '=' | '~' => code(scanner, rest),
        '*' | '/' | '_' | '+' => emphasis(scanner, rest, first),
        '[' => bracket(scanner, rest),
        '<' => angle(scanner, rest),
        '\\' => backslash(scanner, rest),
        '{' => left_out(scanner, rest, "{{{", "}}}"),
        '@' => left_out(scanner, rest, "@@", "@@"),
        's' => source(scanner, rest),
        '$' => formula(scanner, rest),
        _ => false,
    })
}

/// Returns `true` where markup may begin (Org syntax, 12.2): after white space or an opening sign.
fn may_begin(before: Option<char>, after: Option<char>) -> bool {
    let is_before = is_space(before) || before.is_some_and(|c| "-—('\"{[*/_+".contains(c));
    is_before && !is_space(after)
}

/// Returns `true` where markup may end: after no white space, and before it or a closing sign.
fn may_end(before: Option<char>, after: Option<char>) -> bool {
    let is_after = is_space(after) || after.is_some_and(|c| "-—.,;:!?'\")}[]*/_+…".contains(c));
    !is_space(before) && is_after
}

fn code(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let mark = if rest.starts_with('=') { "=" } else { "~" };
    if !may_begin(scanner.before(), rest[1..].chars().next()) {
        return false;
    }
    let Some(end) = scanner.end(2, mark, may_end) else {
        return false;
    };
    scanner.push_code(&rest[1..end]);
    scanner.skip(end + 1);
    true
}

fn emphasis(scanner: &mut Scanner<'_>, rest: &str, first: char) -> bool {
    if !may_begin(scanner.before(), rest[1..].chars().next()) {
        return false;
    }
    let Some((_, mark, with)) = EMPHASIS.iter().find(|(own, ..)| *own == first) else {
        return false;
    };
    let Some(end) = scanner.end(2, mark, may_end) else {
        return false;
    };
    scanner.emphasize(1, end, with)
}

/// Reads a link, a footnote, a citation or a date in brackets.
fn bracket(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    if rest.starts_with("[[") {
        return link(scanner, rest);
    }
    let is_reference = ["[fn:", "[cite:", "[cite/"]
        .iter()
        .any(|mark| rest.starts_with(mark));
    if is_reference {
        scanner.trim_end();
        return left_out(scanner, rest, "[", "]");
    }
    date(scanner, rest, ']')
}

/// Reads a link as its description, or as its target; a picture is left out.
fn link(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let Some(end) = scanner.end(2, "]]", |_, _| true) else {
        return false;
    };
    let content = &rest[2..end];
    let (target, description) = content.split_once("][").unwrap_or((content, content));
    let is_picture = [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"]
        .iter()
        .any(|extension| target.ends_with(extension));
    if description != content || !is_picture {
        let shown = description.trim_start_matches("file:");
        let is_target = description == content;
        let shown = shown.trim_start_matches(|c| is_target && matches!(c, '*' | '#'));
        let code = shown
            .strip_prefix(['=', '~'])
            .and_then(|code| code.strip_suffix(['=', '~']));
        match code {
            Some(code) => scanner.push_code(code),
            None => scanner.push(shown),
        }
    }
    scanner.skip(end + 2);
    true
}

/// Reads a target, which is left out, a link without description, or a date.
fn angle(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    if rest.starts_with("<<") {
        return left_out(scanner, rest, "<<", ">>");
    }
    let length = rest.bytes().take(MAX_ADDRESS_BYTES);
    let end = length
        .take_while(|byte| !matches!(byte, b' ' | b'>'))
        .count();
    if rest.starts_with("<http") && rest[end..].starts_with('>') {
        scanner.push(&rest[1..end]);
        scanner.skip(end + 1);
        return true;
    }
    date(scanner, rest, '>')
}

/// Reads a date such as `2020-05-06 Wed 10:00` in brackets.
fn date(scanner: &mut Scanner<'_>, rest: &str, close: char) -> bool {
    let is_date = |date: &&str| {
        date.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
    };
    let Some(date) = rest.get(1..11).filter(is_date) else {
        return false;
    };
    let time: usize = rest[11..]
        .chars()
        .take(MAX_TIME_CHARACTERS)
        .take_while(|c| *c != close)
        .map(char::len_utf8)
        .sum();
    if !rest[11 + time..].starts_with(close) {
        return false;
    }
    scanner.push(date);
    scanner.skip(12 + time);
    true
}

/// Reads an entity, a line break or a formula.
fn backslash(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    if rest.starts_with("\\(") {
        let Some(end) = scanner.end(2, "\\)", |_, _| true) else {
            return false;
        };
        scanner.push(&format!("${}$", rest[2..end].trim()));
        scanner.skip(end + 2);
        return true;
    }
    if rest.starts_with("\\\\") {
        scanner.skip(2);
        return true;
    }
    let name = rest[1..].split(|c: char| !c.is_ascii_alphabetic()).next();
    let name = name.unwrap_or_default();
    let Some((_, sign)) = ENTITIES.iter().find(|(own, _)| *own == name) else {
        return false;
    };
    scanner.push(sign);
    let braces = if rest[1 + name.len()..].starts_with("{}") {
        2
    } else {
        0
    };
    scanner.skip(1 + name.len() + braces);
    true
}

/// Copies a formula as it is.
fn formula(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let is_free = !is_word(scanner.before()) && !is_space(rest[1..].chars().next());
    if !is_free || rest.starts_with("$$") {
        return false;
    }
    let Some(end) = scanner.end(2, "$", |before, after| !is_space(before) && !is_word(after))
    else {
        return false;
    };
    scanner.push(&rest[..=end]);
    scanner.skip(end + 1);
    true
}

/// Leaves out what is between two marks.
fn left_out(scanner: &mut Scanner<'_>, rest: &str, begin: &'static str, end: &'static str) -> bool {
    if !rest.starts_with(begin) {
        return false;
    }
    let Some(offset) = scanner.end(begin.len(), end, |_, _| true) else {
        return false;
    };
    scanner.skip(offset + end.len());
    true
}

/// Reads code in a language: `src_rust[:exports code]{let x;}`.
fn source(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    if !rest.starts_with("src_") || is_word(scanner.before()) {
        return false;
    }
    let is_head = |byte: &u8| !matches!(byte, b' ' | b'\n' | b'{');
    let head = rest.bytes().take_while(is_head).count();
    if !rest[head..].starts_with('{') {
        return false;
    }
    let Some(end) = scanner.end(head, "}", |_, _| true) else {
        return false;
    };
    scanner.push_code(&rest[head + 1..end]);
    scanner.skip(end + 1);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_markup_is_read() {
        for (org, markdown) in [
            ("a *b c* and /d/.", "a **b c** and *d*."),
            ("*b /i/ b*", "**b *i* b**"),
            ("a _u_ +s+ b", "a u s b"),
            ("use =a<b>= or ~x_y~.", "use `a<b>` or `x_y`."),
            ("a*b*c and 2/3 or 4/5", "a*b*c and 2/3 or 4/5"),
            ("See [[https://e.org][the site]].", "See the site."),
            ("See [[https://e.org]].", "See https://e.org."),
            ("Said[fn:1] so[fn:: inline].", "Said so."),
            ("Shown [cite:@doe2020].", "Shown."),
            (
                "On <2020-05-06 Wed> or [2020-05-07].",
                "On 2020-05-06 or 2020-05-07.",
            ),
            ("a <<target>>b {{{macro(x)}}}c", "a b c"),
            ("\\alpha{} \\to x \\unknown", "α → x \\unknown"),
            ("$x^2$ and \\(y\\) for $5", "$x^2$ and $y$ for $5"),
            (
                "src_sh[:a b]{ls} and array[i]",
                "src_sh[:a b]{ls} and array[i]",
            ),
            ("src_sh{ls} too", "`ls` too"),
        ] {
            assert_eq!(to_markdown(org), markdown, "{org}");
        }
    }
}

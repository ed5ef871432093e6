//! The inline markup of reStructuredText as Markdown: roles, literals, references and
//! substitutions.

use std::collections::HashMap;

use super::fields::MAX_NAME_BYTES;
use super::inline::{Scanner, is_space, is_word, scan};

/// Roles of which the text is code.
const CODE_ROLES: &[&str] = &[
    "code",
    "literal",
    "samp",
    "file",
    "code-block",
    "kbd",
    "command",
];

/// Roles that cite an entry of a bibliography, or add one to an index alone.
const REFERENCE_ROLES: &[&str] = &["cite", "footcite", "citep", "citet", "raw-html", "raw"];

/// Roles that name a function or method, which Sphinx shows with parentheses.
const FUNCTION_ROLES: &[&str] = &["func", "meth"];

/// The longest literal in a link, with its address, in bytes; chosen by hand.
const MAX_LITERAL_BYTES: usize = 500;

/// The inline markup of a document.
#[derive(Default)]
pub(super) struct Inline {
    /// The texts of `.. |name| replace:: text`, by name.
    substitutions: HashMap<String, String>,
}

impl Inline {
    /// The inline markup of a document with the substitutions that it defines anywhere.
    pub(super) fn with_substitutions(text: &str) -> Self {
        let mut substitutions = HashMap::new();
        for line in text.lines() {
            if let Some((name, directive)) = substitution(line.trim_start()) {
                let replaced = directive.strip_prefix("replace::").map(str::trim);
                let text = replaced.unwrap_or_default();
                // Inline markup in it is read here, so that no substitution leads to another one.
                let text = Self::default().to_markdown(text);
                substitutions.insert(name.to_owned(), text);
            }
        }
        Self { substitutions }
    }

    /// Text with inline markup as Markdown.
    pub(super) fn to_markdown(&self, text: &str) -> String {
        scan(text, |scanner, rest, first| match first {
            '\\' => escape(scanner, rest),
            '`' => self.backtick(scanner, rest),
            ':' => role_before(scanner, rest),
            '*' => emphasis(scanner, rest),
            '|' => self.substitute(scanner, rest),
            '[' => footnote_reference(scanner, rest),
            '_' => target_or_reference(scanner, rest),
            _ => false,
        })
    }

    /// Reads a literal, a reference, or text with a role.
    fn backtick(&self, scanner: &mut Scanner<'_>, rest: &str) -> bool {
        if !may_begin(scanner.before(), rest[1..].chars().next()) {
            return false;
        }
        if rest.starts_with("```") && literal_link(scanner, rest) {
            return true;
        }
        if rest.starts_with("``") {
            let Some(end) = scanner.end(3, "``", may_end) else {
                return false;
            };
            // A backtick before the end belongs to the literal.
            let end = end + usize::from(rest[end + 2..].starts_with('`'));
            scanner.push_code(rest[2..end].trim());
            scanner.skip(end + 2);
            return true;
        }
        let Some(end) = scanner.end(1, "`", may_close) else {
            return false;
        };
        let (content, after) = (&rest[1..end], &rest[end + 1..]);
        let underscores = after.len() - after.trim_start_matches('_').len();
        let role = role(after);
        match role {
            Some(role) => push_role(scanner, role, content),
            None => scanner.push(&unescaped(title(content).0)),
        }
        let suffix = role.map_or(underscores.min(2), |role| role.len() + 2);
        scanner.skip(end + 1 + suffix);
        true
    }

    /// Reads a reference to a substitution.
    fn substitute(&self, scanner: &mut Scanner<'_>, rest: &str) -> bool {
        if !may_begin(scanner.before(), rest[1..].chars().next()) {
            return false;
        }
        let Some(end) = scanner.end(1, "|", |before, after| {
            !is_space(before) && (after == Some('_') || may_end(before, after))
        }) else {
            return false;
        };
        let name = &rest[1..end];
        // What is not defined here, such as `|release|`, is defined by whoever builds the document.
        let text = self.substitutions.get(name).map_or(name, String::as_str);
        scanner.push(text);
        let after = &rest[end + 1..];
        let underscores = after.len() - after.trim_start_matches('_').len();
        scanner.skip(end + 1 + underscores.min(2));
        true
    }
}

/// The name and the directive of a substitution definition: `.. |name| replace:: text`.
fn substitution(line: &str) -> Option<(&str, &str)> {
    let (name, directive) = line.strip_prefix(".. |")?.split_once('|')?;
    Some((name, directive.trim()))
}

/// Returns `true` where inline markup may begin: after white space or an opening sign, and before
/// no white space.
fn may_begin(before: Option<char>, after: Option<char>) -> bool {
    let is_free = !is_word(before) && !matches!(before, Some('`' | '*' | '_' | '|' | '.' | ','));
    is_free && !is_space(after)
}

/// Returns `true` where inline markup may end: before no character of a word, and after no white
/// space.
fn may_end(before: Option<char>, after: Option<char>) -> bool {
    !is_space(before) && !is_word(after)
}

/// Returns `true` where a reference or text with a role may end.
fn may_close(before: Option<char>, _: Option<char>) -> bool {
    !is_space(before) && before != Some('\\')
}

/// Reads a backslash: it escapes a character, or joins words if that is white space.
fn escape(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    match rest[1..].chars().next() {
        Some(c) if c.is_whitespace() => scanner.skip(1 + c.len_utf8()),
        // These begin markup in Markdown, too, where the same escape is understood.
        Some('*' | '`') => {
            scanner.push(&rest[..2]);
            scanner.skip(2);
        }
        Some(_) => {
            scanner.skip(1);
            scanner.copy();
        }
        None => scanner.skip(1),
    }
    true
}

/// The text without the backslashes of escapes.
fn unescaped(text: &str) -> String {
    let mut characters = text.chars();
    let mut plain = String::with_capacity(text.len());
    while let Some(c) = characters.next() {
        match c {
            '\\' => plain.extend(characters.next().filter(|c| !c.is_whitespace())),
            _ => plain.push(c),
        }
    }
    plain
}

/// The name of a role that a text begins with: `pep` of `:pep:`.
fn role(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(':')?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:+".contains(byte);
    let length = rest
        .bytes()
        .take(MAX_NAME_BYTES)
        .take_while(is_part)
        .count();
    let name = rest[..length].strip_suffix(':')?;
    // `text`:: ends in the mark of a literal block.
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.ends_with(':');
    is_name.then_some(name)
}

/// Reads a link of which the text is a literal, as converters write it: three backticks, code, two
/// backticks, and ` <target>` with the end of a reference.
fn literal_link(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let Some(end) = scanner.end(3, ">`_", |_, _| true) else {
        return false;
    };
    let code = rest[3..end]
        .get(..MAX_LITERAL_BYTES.min(end - 3))
        .unwrap_or_default();
    let Some((code, _)) = code
        .split_once("`` <")
        .filter(|(code, _)| !code.contains('`'))
    else {
        return false;
    };
    scanner.push_code(code);
    let is_anonymous = rest[end + 3..].starts_with('_');
    scanner.skip(end + 3 + usize::from(is_anonymous));
    true
}

/// Reads text behind its role: `:pep:` and `8` in backticks.
fn role_before(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let Some(name) = role(rest) else { return false };
    let start = name.len() + 2;
    if !rest[start..].starts_with('`') || is_word(scanner.before()) {
        return false;
    }
    let Some(end) = scanner.end(start + 1, "`", may_close) else {
        return false;
    };
    push_role(scanner, name, &rest[start + 1..end]);
    scanner.skip(end + 1);
    true
}

/// Writes text in a role as prose names it.
fn push_role(scanner: &mut Scanner<'_>, role: &str, content: &str) {
    // The domain of a role of Sphinx, such as `py` of `py:class`, does not count.
    let name = role.rsplit(':').next().unwrap_or(role);
    let (text, target) = title(content);
    let text = unescaped(text);
    match name {
        _ if REFERENCE_ROLES
            .iter()
            .any(|one| role.split(':').any(|part| part == *one)) =>
        {
            scanner.trim_end();
        }
        "math" => scanner.push(&format!("${content}$")),
        "sup" | "superscript" => scanner.push(&format!("^{text}")),
        _ if CODE_ROLES.contains(&name) => scanner.push_code(&text),
        "pep" | "rfc" if target.is_none() => {
            let number = text.split('#').next().unwrap_or_default();
            scanner.push(&format!("{} {number}", name.to_uppercase()));
        }
        _ if target.is_some() => scanner.push(&text),
        _ => {
            let shown = text.trim_start_matches('!');
            let shown = match shown.strip_prefix('~') {
                Some(path) => path.rsplit('.').next().unwrap_or(path),
                None => shown,
            };
            scanner.push(shown);
            if FUNCTION_ROLES.contains(&name) && !shown.ends_with(')') {
                scanner.push("()");
            }
        }
    }
}

/// The text and the target of `text <target>`; without text the target is the text.
fn title(content: &str) -> (&str, Option<&str>) {
    let split = content
        .strip_suffix('>')
        .and_then(|content| content.rsplit_once('<'));
    match split {
        Some((text, target)) if text.trim().is_empty() => (target, Some(target)),
        Some((text, target)) => (text.trim(), Some(target)),
        None => (content, None),
    }
}

/// Copies emphasis, whose marks are those of Markdown.
fn emphasis(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let mark = if rest.starts_with("**") { "**" } else { "*" };
    if !may_begin(scanner.before(), rest[mark.len()..].chars().next()) {
        return false;
    }
    let Some(end) = scanner.end(mark.len() + 1, mark, may_end) else {
        return false;
    };
    scanner.emphasize(mark.len(), end, mark)
}

/// Leaves out a reference to a footnote or an entry of a bibliography: `[1]_`.
fn footnote_reference(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    let end = rest[1..].find(|c: char| !(c.is_alphanumeric() || "-_.:#*".contains(c)));
    let is_reference = end.is_some_and(|end| end > 0 && rest[end + 1..].starts_with("]_"));
    let Some(end) = end.filter(|_| is_reference) else {
        return false;
    };
    scanner.trim_end();
    scanner.skip(end + 3);
    true
}

/// Leaves out the underscore after a word that refers to a target, and the one before a target in
/// backticks.
fn target_or_reference(scanner: &mut Scanner<'_>, rest: &str) -> bool {
    if rest.starts_with("_`") && !is_word(scanner.before()) {
        let Some(end) = scanner.end(2, "`", may_close) else {
            return false;
        };
        scanner.push(&unescaped(&rest[2..end]));
        scanner.skip(end + 1);
        return true;
    }
    let underscores = if rest.starts_with("__") { 2 } else { 1 };
    let is_end = !is_word(rest[underscores..].chars().next());
    if is_end && scanner.before().is_some_and(char::is_alphanumeric) && scanner.is_after_name() {
        scanner.skip(underscores);
        return true;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_markup_is_read() {
        let inline = Inline::with_substitutions(".. |v| replace:: *1.2*\n");
        for (rst, markdown) in [
            ("See :pep:`8` and :rfc:`2822#x`.", "See PEP 8 and RFC 2822."),
            (
                ":class:`~a.B` :func:`open` :ref:`text <t>`",
                "B open() text",
            ),
            (":py:meth:`!x.y` `plain`:sub: `x`", "x.y() plain x"),
            ("use ``a<b>`` or ``c``'s", "use `a<b>` or `c`'s"),
            (
                "`links <https://e.org>`_ and `named`_ and word_.",
                "links and named and word.",
            ),
            (
                "`anonymous <x>`__ __init__ a_b snake_case",
                "anonymous __init__ a_b snake_case",
            ),
            ("```code`` <https://e.org>`__ too", "`code` too"),
            (
                "*emphasis* **strong** 2*3 \\*args",
                "*emphasis* **strong** 2*3 \\*args",
            ),
            ("|v| |other| a | b", "*1.2* other a | b"),
            ("Said [1]_ so [#x]_ [CIT2002]_, list[0]", "Said so, list[0]"),
            ("thi\\ s is _`target`", "this is target"),
            (":math:`x_1` :sup:`2` :kbd:`C-x`", "$x_1$ ^2 `C-x`"),
            ("never ``closed and `open", "never ``closed and `open"),
        ] {
            assert_eq!(inline.to_markdown(rst), markdown, "{rst}");
        }
    }
}

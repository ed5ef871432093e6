//! A scanner of inline markup: it copies text, searches the ends of what begins in it, and writes
//! Markdown.

use std::collections::BTreeMap;

/// Text that is scanned from its beginning to its end, and what became of it.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    out: String,
    /// The place of the next end of each mark that was searched, `usize::MAX` if there is none: no
    /// part of the text is searched twice for a mark, so that the whole scan takes linear time.
    next_ends: BTreeMap<&'static str, usize>,
    /// The ends of open emphasis: their places, lengths and what is written there.
    ends: BTreeMap<usize, (usize, &'static str)>,
}

/// Scans a text: `read` reads the markup that begins with a character, or returns `false`, and the
/// character is copied.
pub(super) fn scan<'a>(
    text: &'a str,
    mut read: impl FnMut(&mut Scanner<'a>, &'a str, char) -> bool,
) -> String {
    let mut scanner = Scanner::new(text);
    loop {
        let rest = scanner.rest();
        let Some(first) = rest.chars().next() else {
            return scanner.finish();
        };
        if !read(&mut scanner, rest, first) {
            scanner.copy();
        }
    }
}

impl<'a> Scanner<'a> {
    /// A scanner at the beginning of a text.
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            out: String::with_capacity(text.len()),
            next_ends: BTreeMap::new(),
            ends: BTreeMap::new(),
        }
    }

    /// The text that was not scanned yet. An end of emphasis that is next is written first.
    pub(super) fn rest(&mut self) -> &'a str {
        while let Some((length, mark)) = self.ends.remove(&self.at) {
            self.out.push_str(mark);
            self.at += length;
        }
        &self.text[self.at..]
    }

    /// The character before the rest.
    pub(super) fn before(&self) -> Option<char> {
        self.text[..self.at].chars().next_back()
    }

    /// Returns `true` after a word that begins with a letter or digit: not after `__init`.
    pub(super) fn is_after_name(&self) -> bool {
        let scanned = &self.text[..self.at];
        let word = scanned
            .rsplit(|c: char| !(c.is_alphanumeric() || c == '_'))
            .next();
        word.is_some_and(|word| word.starts_with(char::is_alphanumeric))
    }

    /// Copies the next character.
    pub(super) fn copy(&mut self) {
        if let Some(c) = self.text[self.at..].chars().next() {
            self.out.push(c);
            self.at += c.len_utf8();
        }
    }

    /// Leaves out bytes of the rest, which end at the boundary of a character.
    pub(super) fn skip(&mut self, bytes: usize) {
        let after = self.at + bytes;
        // What ends inside of what is left out would never be met.
        let passed: Vec<usize> = self.ends.range(self.at..after).map(|(at, _)| *at).collect();
        for end in passed {
            if let Some((_, mark)) = self.ends.remove(&end) {
                self.out.push_str(mark);
            }
        }
        self.at = after;
    }

    /// Writes text.
    pub(super) fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes a code span.
    pub(super) fn push_code(&mut self, code: &str) {
        self.out.push_str(&code_span(code));
    }

    /// Removes the space before something that is left out, such as a reference to a footnote.
    pub(super) fn trim_end(&mut self) {
        self.out.truncate(self.out.trim_end().len());
    }

    /// Finds the first end mark at or after a place in the rest at which a condition on the text
    /// before and after it holds. The condition has to be the same wherever this mark is searched.
    pub(super) fn end(
        &mut self,
        from: usize,
        mark: &'static str,
        is_end: impl Fn(Option<char>, Option<char>) -> bool,
    ) -> Option<usize> {
        let mut start = self.at + from;
        // What is counted in bytes of ASCII may end inside of another character.
        while start < self.text.len() && !self.text.is_char_boundary(start) {
            start += 1;
        }
        let known = self.next_ends.get(mark).copied().filter(|at| *at >= start);
        let end = known.unwrap_or_else(|| {
            let searched = self.text.get(start..).unwrap_or_default();
            let mut matches = searched.match_indices(mark).map(|(at, _)| start + at);
            let end = matches.find(|at| {
                let after = self.text[at + mark.len()..].chars().next();
                is_end(self.text[..*at].chars().next_back(), after)
            });
            end.unwrap_or(usize::MAX)
        });
        self.next_ends.insert(mark, end);
        (end < usize::MAX).then(|| end - self.at)
    }

    /// Begins emphasis: leaves out its first mark, writes the mark of Markdown, and will do the
    /// same at the end, which is that many bytes into the rest. Marks inside are read. Returns
    /// `false` if other emphasis ends there.
    pub(super) fn emphasize(&mut self, opening: usize, end: usize, with: &'static str) -> bool {
        let position = self.at + end;
        let is_free = !self.ends.contains_key(&position);
        if is_free {
            self.ends.insert(position, (opening, with));
            self.out.push_str(with);
            self.at += opening;
        }
        is_free
    }

    /// What was written.
    pub(super) fn finish(mut self) -> String {
        self.rest();
        self.out
    }
}

/// Code between as many backticks as it takes (CommonMark, 6.1).
pub(super) fn code_span(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let space = if code.starts_with('`') || code.ends_with('`') {
        " "
    } else {
        ""
    };
    if code.trim().is_empty() {
        return code.to_owned();
    }
    format!("{ticks}{space}{code}{space}{ticks}")
}

/// Returns `true` for a character of a word, of any script.
pub(super) fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Returns `true` for white space and for the end of a text.
pub(super) fn is_space(c: Option<char>) -> bool {
    c.is_none_or(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_is_searched_once() {
        for text in ["*a ".repeat(200_000), "*a ".repeat(200_000) + "a*"] {
            let mut scanner = Scanner::new(&text);
            while !scanner.rest().is_empty() {
                scanner.end(1, "*", |before, _| !is_space(before));
                scanner.copy();
            }
            assert_eq!(scanner.finish(), text);
        }
    }

    #[test]
    fn code_span_has_enough_backticks() {
        assert_eq!(code_span("a"), "`a`");
        assert_eq!(code_span("a`b"), "``a`b``");
        assert_eq!(code_span("`"), "`` ` ``");
    }
}

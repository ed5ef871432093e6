//! A cursor over the lines of a document, or of a block in it, and their indentation.

/// The limit on blocks inside of blocks, chosen by hand; what people write stays below ten.
pub(super) const MAX_DEPTH: usize = 32;

/// Lines that are read from the first to the last.
pub(super) struct Lines<'a> {
    lines: Vec<&'a str>,
    at: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a text.
    pub(super) fn of(text: &'a str) -> Self {
        text.lines().collect::<Vec<_>>().into()
    }

    /// The next line.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.peek_at(0)
    }

    /// The line that many lines after the next one.
    pub(super) fn peek_at(&self, offset: usize) -> Option<&'a str> {
        self.lines.get(self.at + offset).copied()
    }

    /// Reads the next line.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        let line = self.peek()?;
        self.at += 1;
        Some(line)
    }

    /// Reads that many lines, or as many as are left.
    pub(super) fn take(&mut self, count: usize) -> &[&'a str] {
        let start = self.at;
        self.at = (start + count).min(self.lines.len());
        &self.lines[start..self.at]
    }

    /// Reads the empty lines that are next.
    pub(super) fn skip_blank(&mut self) {
        self.take_while(is_blank);
    }

    /// Reads the lines that are next as long as they meet a condition.
    pub(super) fn take_while(&mut self, mut condition: impl FnMut(&str) -> bool) -> Vec<&'a str> {
        let rest = &self.lines[self.at..];
        let taken: Vec<&str> = rest
            .iter()
            .copied()
            .take_while(|line| condition(line))
            .collect();
        self.at += taken.len();
        taken
    }

    /// Reads the lines before one that ends a block, and that one too; all if there is none.
    pub(super) fn until(&mut self, is_end: impl Fn(&str) -> bool) -> Vec<&'a str> {
        let taken = self.take_while(|line| !is_end(line));
        self.next();
        taken
    }

    /// Reads the lines that are next and are indented at least so far, with the empty lines between
    /// and after them. Returns them without their common indentation.
    pub(super) fn indented(&mut self, least: usize) -> Vec<&'a str> {
        let mut block = self.take_while(|line| is_blank(line) || indentation(line) >= least);
        while block.last().is_some_and(|line| is_blank(line)) {
            block.pop();
        }
        dedented(&block)
    }
}

impl<'a> From<Vec<&'a str>> for Lines<'a> {
    fn from(lines: Vec<&'a str>) -> Self {
        Self { lines, at: 0 }
    }
}

/// Returns `true` for a line of nothing but white space.
pub(super) fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// The white space in ASCII at the beginning of a line, in bytes.
pub(super) fn indentation(line: &str) -> usize {
    line.bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// The lines without the indentation that all of them have.
pub(super) fn dedented<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let filled = lines.iter().filter(|line| !is_blank(line));
    let common = filled.map(|line| indentation(line)).min().unwrap_or(0);
    lines
        .iter()
        .map(|line| line.get(common..).unwrap_or_default())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indented_block_ends_before_a_line_that_is_not() {
        let mut lines = Lines::of("  a\n\n    b\n\nc\nd\n");
        assert_eq!(lines.indented(1), ["a", "", "  b"]);
        assert_eq!(lines.until(|line| line == "d"), ["c"]);
        assert_eq!(lines.next(), None);
        assert!(lines.indented(0).is_empty());
    }
}

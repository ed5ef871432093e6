//! The lines of a tree as they are drawn: each fits the width of the terminal, also after that was
//! changed.

use std::io::Write as _;
use std::time::Duration;

use indicatif::HumanDuration;
use textwrap::core::display_width;

/// The columns that stay free at the end of a line: some terminals begin a new one behind a full
/// line.
const FREE: usize = 1;

/// The columns of the spinner before the first line.
const SPINNER: usize = 2;

/// Lines, and how they were drawn last.
#[derive(Debug, Default)]
pub(super) struct TreeLines {
    pub(super) lines: Vec<String>,
    /// The number of lines on the screen.
    drawn: usize,
    /// The width of the terminal at that time.
    width: usize,
}

impl TreeLines {
    /// The text to be drawn on a terminal of some width. If that has changed, what is on the screen
    /// is removed first: the terminal has broken it into other lines.
    pub(super) fn text(&mut self, elapsed: Duration, width: usize) -> String {
        if width != self.width && self.drawn > 0 {
            // A failure is ignored: there is nowhere to report it.
            let _ = std::io::stderr().write_all(self.removal(width).as_bytes());
        }
        let room = width.saturating_sub(FREE);
        let elapsed = format!("{:#}", HumanDuration(elapsed));
        let lines = self.lines.iter().enumerate().map(|(number, line)| {
            if number == 0 {
                let room = room.saturating_sub(SPINNER + elapsed.len() + 2);
                format!("{}  {elapsed}", fitted(line, room))
            } else {
                fitted(line, room)
            }
        });
        let lines: Vec<String> = lines.collect();
        (self.drawn, self.width) = (lines.len(), width);
        lines.join("\n")
    }

    /// The codes that remove the lines from a terminal whose width has changed, and leave the
    /// cursor where the last of as many lines would end: from there the bar removes its own. It
    /// fills each line with spaces and ends none, so that to the terminal they are one long line.
    fn removal(&self, width: usize) -> String {
        let rows = (self.drawn * self.width).div_ceil(width.max(1));
        let down = "\n".repeat(self.drawn.saturating_sub(1));
        match rows.saturating_sub(1) {
            0 => format!("\r\x1b[J{down}"),
            up => format!("\r\x1b[{up}A\x1b[J{down}"),
        }
    }
}

/// A line that fits a number of columns: the last words are left out, for an ellipsis.
pub(super) fn fitted(line: &str, columns: usize) -> String {
    if display_width(line) <= columns {
        return line.to_owned();
    }
    let mut fitted = line;
    while let Some((before, _)) = fitted.trim_end().rsplit_once(' ') {
        fitted = before.trim_end();
        if display_width(fitted) + 2 <= columns {
            return format!("{fitted} …");
        }
    }
    let mut width = 0;
    let fits = |c: &char| {
        width += display_width(c.encode_utf8(&mut [0; 4]));
        width < columns
    };
    let beginning: String = line.chars().take_while(fits).collect();
    format!("{}…", beginning.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_end_with_a_word_and_an_ellipsis() {
        assert_eq!(
            fitted("stage 1 of 4: research", 40),
            "stage 1 of 4: research"
        );
        assert_eq!(fitted("stage 1 of 4: research", 18), "stage 1 of 4: …");
        assert_eq!(fitted("  ✓ 1-overview: done", 6), "  ✓ …");
        assert_eq!(fitted("researching", 6), "resea…");
    }

    #[test]
    fn lines_fit_the_width_and_those_of_another_width_are_removed() {
        let mut lines = TreeLines {
            lines: vec![
                "stage 1 of 4: research in documents".to_owned(),
                "  ✓ done".to_owned(),
            ],
            ..TreeLines::default()
        };
        let text = lines.text(Duration::from_secs(5), 30);
        assert_eq!(text, "stage 1 of 4: …  5s\n  ✓ done");
        assert_eq!(lines.removal(10), "\r\x1b[5A\x1b[J\n");
        assert_eq!(lines.removal(60), "\r\x1b[J\n");
    }
}

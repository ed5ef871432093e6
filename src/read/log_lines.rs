//! Logs and records of a chat: texts in which each entry begins with its time.

/// The fewest entries of a log; chosen by hand.
const ENTRIES: usize = 3;

/// The beginnings of an entry, with zeros for digits.
const TIMES: [&str; 5] = ["0000-00-00", "00.00.0000", "00/00/0000", "00:00", "0:00"];

/// The characters before a time.
const OPENING: [char; 4] = ['[', '(', '<', ' '];

/// A log with its entries as paragraphs; `None` for any other text. Lines that begin with no time,
/// such as those of a stack trace, belong to the entry before.
pub(super) fn with_paragraphs(text: &str) -> Option<String> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let entries = lines().filter(|line| begins_entry(line)).count();
    // A timeline in a report has more lines without a time than a log has.
    if entries < ENTRIES
        || 2 * entries < lines().count()
        || !lines().next().is_some_and(begins_entry)
    {
        return None;
    }
    let mut log = String::with_capacity(text.len() + entries);
    for line in text.lines() {
        log.push_str(if begins_entry(line) && !log.is_empty() {
            "\n"
        } else {
            ""
        });
        log.push_str(line);
        log.push('\n');
    }
    Some(log)
}

fn begins_entry(line: &str) -> bool {
    let digits_as_zeros = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let line = line.trim_start_matches(OPENING);
    let shape: String = line.chars().take(10).map(digits_as_zeros).collect();
    TIMES.iter().any(|time| shape.starts_with(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_a_log_are_paragraphs() {
        for (text, log) in [
            (
                "[07:12] ann: is it the disk?\n[07:15] bob: no\n  at main\n[07:20] bob: closing\n",
                Some(
                    "[07:12] ann: is it the disk?\n\n[07:15] bob: no\n  at main\n\n\
                     [07:20] bob: closing\n",
                ),
            ),
            (
                "2026-05-04 a\n2026-05-04 b\n\n2026-05-05 c",
                Some("2026-05-04 a\n\n2026-05-04 b\n\n\n2026-05-05 c\n"),
            ),
            ("Timeline\n07:12 start\n07:15 end\n07:20 closed\n", None),
            ("07:12 start\n07:15 end\n", None),
            ("It rains.\nIt snows.\n", None),
        ] {
            assert_eq!(with_paragraphs(text).as_deref(), log, "{text}");
        }
    }
}

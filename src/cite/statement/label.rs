//! Labels of lines: "Absent:" in "Absent: Dana Cole" is a part of what the line says.

use std::ops::Range;

/// The maximum number of words before the colon of a line that are its label: "Place and date:".
const LABEL_WORDS: usize = 3;

/// The parts of a sentence at lines with a label, such as "Absent: Dana Cole", each of which is a
/// statement.
pub(in crate::cite) fn labelled_lines(passage: &str, sentence: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = sentence.start;
    for (at, _) in passage[sentence.clone()].match_indices('\n') {
        let at = sentence.start + at;
        let line = passage[at + 1..sentence.end].lines().next();
        if line.is_some_and(|line| label_end(line) > 0) {
            parts.push(start..at);
            start = at + 1;
        }
    }
    parts.push(start..sentence.end);
    parts
}

/// The end of the label of a line, "Absent:" in "Absent: Dana Cole"; 0 if it has none.
pub(in crate::cite) fn label_end(line: &str) -> usize {
    let Some((label, rest)) = line.split_once(": ") else {
        return 0;
    };
    let is_label = label.starts_with(char::is_uppercase)
        && label.split(' ').count() <= LABEL_WORDS
        && label
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, ' ' | '-'))
        && !rest.trim().is_empty();
    if is_label { label.len() } else { 0 }
}

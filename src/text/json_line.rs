//! Problems of lines of JSON, for the person who wrote them.

use super::truncate::truncate;

/// The characters that are shown of each end of a long problem: serde_json names the whole value,
/// and at the end what it expected.
const SHOWN: usize = 80;

/// What is wrong with a line of JSON, with the column: serde_json ends its messages with a position
/// in lines, which is that within this one line.
pub fn json_line_problem(error: &serde_json::Error) -> String {
    let column = error.column();
    if error.is_eof() {
        return format!("its JSON ends in the middle (column {column})");
    }
    let message = error.to_string();
    let problem = message.rsplit_once(" at line ");
    let problem = problem.map_or(message.as_str(), |(problem, _)| problem);
    format!("{} (column {column})", without_middle(problem))
}

/// A text with an ellipsis in the place of what is between its ends, if it is long.
fn without_middle(text: &str) -> String {
    let first = truncate(text, SHOWN);
    let last = text.ceil_char_boundary(text.len().saturating_sub(SHOWN));
    if last <= first.len() {
        return text.to_owned();
    }
    format!("{first} … {}", &text[last..])
}

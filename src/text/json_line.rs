//! Problems of lines of JSON, for the person who wrote them.

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
    format!("{problem} (column {column})")
}

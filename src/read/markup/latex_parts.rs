//! The parts of a document of LaTeX, found before it is scanned: the preamble, the body, and the
//! sections that occur in it.

/// The preamble and the body; a text without `\begin{document}` is all body.
pub(super) fn parts(text: &str) -> (&str, &str) {
    const BEGIN: &str = "\\begin{document}";
    let is_code = |at: &usize| {
        let line = text[..*at].rsplit('\n').next().unwrap_or_default();
        !line.contains('%')
    };
    let begin = text.match_indices(BEGIN).map(|(at, _)| at).find(is_code);
    let (preamble, body) = match begin {
        Some(at) => (&text[..at], &text[at + BEGIN.len()..]),
        None => ("", text),
    };
    let end = body.rfind("\\end{document}").unwrap_or(body.len());
    (preamble, &body[..end])
}

/// Returns `true` for a text with a section of this name: `\part`, but not `\partial`.
pub(super) fn has_section(text: &str, name: &str) -> bool {
    let command = format!("\\{name}");
    let mut places = text.match_indices(&command);
    places.any(|(at, _)| text[at + command.len()..].starts_with(['{', '*', '[']))
}

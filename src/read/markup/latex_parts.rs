//! The parts of a document of LaTeX: the preamble, the body, and the sections that occur in it,
//! found before it is scanned, and the arguments of citations.

/// The longest argument that is taken as it is, such as an address, in bytes; chosen by hand.
const MAX_RAW_BYTES: usize = 2_000;

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

/// The length of what is between the bracket with which a text begins and the one that closes it.
pub(super) fn raw_length(text: &str, close: char) -> Option<usize> {
    let raw = text.bytes().take(MAX_RAW_BYTES);
    let length = raw.skip(1).position(|byte| byte == close as u8)?;
    let is_paragraph = !text[1..=length].contains("\n\n");
    is_paragraph.then_some(length)
}

/// The keys of a citation by the arguments with which a text begins, "[doe2020, roe2021]", and the
/// length of these; `None` without keys.
pub(super) fn citation(text: &str) -> Option<(String, usize)> {
    let is_key = |c: char| c.is_alphanumeric() || " ,:;.-_/+'".contains(c);
    let mut at = 0;
    // "[see][p. 2]" before the keys.
    while text[at..].starts_with('[') {
        at += raw_length(&text[at..], ']')? + 2;
    }
    let rest = &text[at..];
    let length = raw_length(rest, '}').filter(|_| rest.starts_with('{'))?;
    let keys = &rest[1..=length];
    if keys.trim().is_empty() || !keys.chars().all(is_key) {
        return None;
    }
    let keys: Vec<&str> = keys.split(',').map(str::trim).collect();
    Some((format!("[{}]", keys.join(", ")), at + length + 2))
}

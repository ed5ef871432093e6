//! Text on one line, and text truncated to a number of characters.

use std::borrow::Cow;

/// The text on one line: trimmed, with every run of white space replaced by one space.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// The first `limit` characters of a text.
pub fn truncate(text: &str, limit: usize) -> &str {
    // No character is shorter than a byte.
    if text.len() <= limit {
        return text;
    }
    match text.char_indices().nth(limit) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// A text of at most `limit` characters: a longer text is truncated, with an ellipsis as the last
/// character.
pub fn truncate_with_ellipsis(text: &str, limit: usize) -> Cow<'_, str> {
    if truncate(text, limit).len() == text.len() {
        return text.into();
    }
    let start = truncate(text, limit.saturating_sub(1));
    format!("{}…", start.trim_end()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_collapses_white_space() {
        for (text, line) in [
            ("", ""),
            (" \n\t", ""),
            ("one", "one"),
            ("  one\r\n two\u{a0}three ", "one two three"),
        ] {
            assert_eq!(one_line(text), line);
        }
    }

    #[test]
    fn truncate_counts_characters_and_keeps_them_whole() {
        for (text, limit, start, ellipsis) in [
            ("", 3, "", ""),
            ("bees", 4, "bees", "bees"),
            ("bees", 3, "bee", "be…"),
            ("a bee", 3, "a b", "a…"),
            ("żółć", 2, "żó", "ż…"),
            ("蜜蜂会飞", 3, "蜜蜂会", "蜜蜂…"),
            ("bees", 0, "", "…"),
        ] {
            assert_eq!(truncate(text, limit), start);
            assert_eq!(truncate_with_ellipsis(text, limit), ellipsis);
        }
    }
}

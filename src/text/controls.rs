//! Control characters in text that is shown.

use std::borrow::Cow;

/// Replaces control characters except line feeds and tabs: documents and foreign sessions could
/// send escape sequences to a terminal with them (terminal injection).
pub fn without_controls(text: &str) -> Cow<'_, str> {
    let is_unsafe = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if text.contains(is_unsafe) {
        Cow::Owned(text.replace(is_unsafe, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_replaced_but_for_line_feeds_and_tabs() {
        let shown = without_controls("a\u{1b}[2J\r\u{9b}\u{7f}b\n\tc");
        assert_eq!(shown, "a\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}b\n\tc");
        assert!(matches!(without_controls("ä\n"), Cow::Borrowed(_)));
    }
}

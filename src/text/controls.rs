//! Control characters in text that is shown.

use std::borrow::Cow;

/// `true` for a character that makes text look like another one: a control character except line
/// feed and tab, which may begin an escape sequence of a terminal (terminal injection); an
/// override, embedding or isolate of the writing direction, which reorders what is shown
/// (CVE-2021-42574); or one that is invisible: tag characters, spaces without width, word joiners,
/// byte order marks and the Arabic letter mark.
pub fn is_deceptive(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        '\u{e0000}'..='\u{e007f}' => true,
        '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{61c}' => true,
        _ => c.is_control(),
    }
}

/// Replaces deceptive characters: documents, servers and foreign sessions may contain them.
pub fn without_controls(text: &str) -> Cow<'_, str> {
    if text.contains(is_deceptive) {
        Cow::Owned(text.replace(is_deceptive, "\u{fffd}"))
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

    #[test]
    fn characters_that_reorder_or_hide_text_are_replaced() {
        let shown = without_controls("a\u{202e}b\u{2066}c\u{e0041}d");
        assert_eq!(shown, "a\u{fffd}b\u{fffd}c\u{fffd}d");
        // Text from right to left needs none of them; its marks and joiners stay.
        let hebrew = "שלום\u{200f}, می\u{200c}خواهم";
        assert!(matches!(without_controls(hebrew), Cow::Borrowed(_)));
    }
}

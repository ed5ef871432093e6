//! Headings that are sentences: notices on the document that they stand in.

/// The least number of words of a heading that is a notice. Chosen by hand.
const NOTICE_WORDS: usize = 5;

/// `true` for a heading that is a sentence on its document, "This RFC was previously approved, but
/// later withdrawn": it is quoted, and names no section.
pub fn is_notice(heading: &str) -> bool {
    let mut words = heading.split_whitespace();
    let is_this = words.next() == Some("This");
    let has_verb = words
        .clone()
        .take(3)
        .any(|word| matches!(word, "is" | "was" | "has"));
    is_this && has_verb && words.count() + 1 >= NOTICE_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_on_its_document_is_a_notice() {
        assert!(is_notice(
            "This RFC was previously approved, but later withdrawn"
        ));
        assert!(is_notice("This document is no longer maintained"));
        assert!(!is_notice("This is how"));
        assert!(!is_notice("Why this was decided as it was"));
        assert!(!is_notice("This week in numbers and what follows"));
    }
}

//! Formatting for people: counts with the right plural, truncated lines, amounts of money.

use crate::text::{one_line, truncate_with_ellipsis, without_controls};

/// A count and its noun: `1 topic`, `4 topics`.
pub(super) fn count(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    // All counted nouns in `y` have a consonant before it: query, entry.
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// Text on one line, without control characters, cut to `limit` characters with an ellipsis.
pub(super) fn truncated(text: &str, limit: usize) -> String {
    truncate_with_ellipsis(&without_controls(&one_line(text)), limit).into_owned()
}

/// An amount of US dollars; a placeholder if the price is unknown.
pub(super) fn money(usd: Option<f64>) -> String {
    usd.map_or_else(|| "unknown price".to_owned(), |usd| format!("${usd:.4}"))
}

/// A number of bytes.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_the_right_plural() {
        assert_eq!(count(1_usize, "topic"), "1 topic");
        assert_eq!(count(0_u64, "topic"), "0 topics");
        assert_eq!(count(2_u32, "query"), "2 queries");
        assert_eq!(count(1_u32, "query"), "1 query");
    }

    #[test]
    fn long_text_is_truncated_with_an_ellipsis() {
        assert_eq!(truncated("one\n two", 7), "one two");
        assert_eq!(truncated("one\n two", 6), "one t…");
    }
}

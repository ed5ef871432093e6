//! Counts with their nouns: "1 page", "2 pages", "3 queries".

/// Returns a count with its noun, which is given in the singular.
///
/// It follows the rule for regular English nouns, which suffices for the nouns in this program.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        return format!("1 {noun}");
    }
    match noun.strip_suffix('y') {
        // After a vowel the `y` stays: "day", "days".
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_follow_the_count() {
        for (count, noun, expected) in [
            (0, "page", "0 pages"),
            (1, "query", "1 query"),
            (2, "query", "2 queries"),
            (3, "day", "3 days"),
        ] {
            assert_eq!(counted(count, noun), expected);
        }
    }
}

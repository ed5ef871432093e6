//! Exceptions: what a sentence takes back of the permission right before it, "Unopened goods may be
//! returned. Chilled goods are not taken back."
//!
//! The lists are English, closed, and were written by hand.

use crate::text;

/// Words with which something is permitted.
const PERMISSIONS: &[&str] = &["allowed", "can", "could", "may", "permitted"];

/// Words with which a permission is limited.
const LIMITS: &[&str] = &["cannot", "except", "never", "no", "not", "only", "unless"];

/// `true` if a sentence permits something without a limit of its own, and the next one has one.
pub(super) fn is_limited_by(permission: &str, next: &str) -> bool {
    let has = |sentence: &str, list: &[&str]| {
        let mut words = text::words(sentence);
        words.any(|word| list.contains(&text::fold(word.text).as_str()))
    };
    has(permission, PERMISSIONS) && !has(permission, LIMITS) && has(next, LIMITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permission_is_limited_by_what_stands_behind_it() {
        let permission = "Unopened goods may be returned within 14 days.";
        assert!(is_limited_by(
            permission,
            "Chilled goods are not taken back."
        ));
        assert!(!is_limited_by(permission, "A form is at the desk."));
        let limited = "Goods may be returned only within 14 days.";
        assert!(!is_limited_by(limited, "Chilled goods are not taken back."));
    }
}

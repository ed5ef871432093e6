//! The field of a row in which a value stands that another sentence says is no longer so.

use crate::text;

/// `true` unless the other sentence is the row of a table in which the old words stand in a column
/// that the later one does not speak of: "8 seconds instead of 30" says nothing of "Week: 30".
pub(super) fn is_of_column(later: &str, earlier: &str, old: &[String]) -> bool {
    let words = |text: &str| -> Vec<String> {
        text::words(text)
            .map(|word| text::stem(&text::fold(word.text)))
            .collect()
    };
    let said = words(later);
    let mut fields = text::tables::record_fields(earlier).peekable();
    let is_no_row = fields.peek().is_none();
    is_no_row
        || fields.any(|(label, value)| {
            let value = words(value);
            let has_old = old.iter().all(|word| value.contains(&text::stem(word)));
            has_old && words(label).iter().any(|word| said.contains(word))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_number_is_that_of_its_column() {
        let later = "The timeout is 8 seconds instead of 30 seconds.";
        let old = ["30".to_owned()];
        assert!(!is_of_column(later, "Week: 30; primary: Ann Hale.", &old));
        assert!(is_of_column(
            later,
            "Service: mail; timeouts (s): 30.",
            &old
        ));
        assert!(is_of_column(later, "It waits 30 seconds.", &old));
    }
}

//! Positions in a text as editors count them.

/// The line of a byte of a text, from 1.
pub fn line_number(text: &str, at: usize) -> usize {
    text[..text.floor_char_boundary(at)].matches('\n').count() + 1
}

/// The line of a byte of a text and its column in characters, from 1.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before[line_start..].chars().count() + 1;
    (line_number(text, at), column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_are_counted_from_one_in_characters() {
        let text = "Wärme\nist gut";
        for (at, expected) in [
            (0, (1, 1)),
            (3, (1, 3)),
            (6, (1, 6)),
            (7, (2, 1)),
            (99, (2, 8)),
        ] {
            assert_eq!(line_and_column(text, at), expected, "{at}");
        }
    }
}

//! Problems of numbers in plain words.

/// The problems of the parsers of numbers, which are those of Rust's standard library, in plain
/// words. A closed list, written by hand.
const PROBLEMS: &[(&str, &str)] = &[
    ("invalid digit found in string", "not a whole number from 0"),
    ("cannot parse integer from empty string", "no number"),
    ("number too large to fit in target type", "too large"),
    ("invalid float literal", "not a number"),
    ("cannot parse float from empty string", "no number"),
];

/// The text of an error with the problems of numbers in plain words.
pub fn in_plain_words(text: String) -> String {
    let replaced = PROBLEMS.iter();
    replaced.fold(text, |text, (problem, words)| text.replace(problem, words))
}

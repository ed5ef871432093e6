//! Acronyms of the phrases of a question: who asks for "two-factor authentication" or the "final
//! comment period" is answered by "2FA" and "FCP", and who asks for "32-bit" by "32bit".
//!
//! An acronym is read off the initials of words that follow one another, as in the matching of
//! short forms to long ones by Schwartz and Hearst ("A Simple Algorithm for Identifying
//! Abbreviation Definitions", 2003), without a definition in the text.

use std::ops::RangeInclusive;

use crate::text;

/// The numbers of words of a phrase with an acronym. Two letters that are no stop word are hardly
/// ever a word: "UB", "PR".
const PHRASE_WORDS: RangeInclusive<usize> = 2..=5;

/// Numerals, which acronyms write as digits.
const NUMERALS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
];

/// The acronyms of the phrases of a question, and its hyphenated words as one, folded, each with
/// the folded words of its phrase.
pub(in crate::answering) fn of_phrases(question: &str) -> Vec<(String, Vec<String>)> {
    let mut acronyms: Vec<_> = question.split_whitespace().filter_map(joined).collect();
    for words in phrases(question) {
        for length in PHRASE_WORDS {
            let phrases = words.windows(length);
            acronyms.extend(phrases.map(|phrase| (acronym(phrase), phrase.to_vec())));
        }
    }
    acronyms
}

/// A word with a hyphen written as one, "32bit" for "32-bit", with the parts of it.
fn joined(word: &str) -> Option<(String, Vec<String>)> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let parts: Vec<String> = word.split('-').map(text::fold).collect();
    (parts.len() == 2).then(|| (parts.concat(), parts))
}

/// The runs of content words with nothing but a space or a hyphen between them.
fn phrases(question: &str) -> Vec<Vec<String>> {
    let mut phrases = vec![Vec::new()];
    let mut end = 0;
    for word in text::words(question) {
        let between = &question[end..word.range.start];
        let is_apart = !matches!(between, "" | " " | "-");
        end = word.range.end;
        if is_apart {
            phrases.push(Vec::new());
        }
        for part in word.text.split('-') {
            let folded = text::fold(part);
            let is_part = NUMERALS.contains(&folded.as_str()) || !text::is_stop_word(&folded);
            match phrases.last_mut() {
                Some(last) if is_part && !folded.is_empty() => last.push(folded),
                _ => phrases.push(Vec::new()),
            }
        }
    }
    phrases
}

/// The initials of a phrase, and digits for its numerals.
fn acronym(phrase: &[String]) -> String {
    let initial = |word: &String| match NUMERALS.iter().position(|own| own == word) {
        Some(number) => char::from_digit(u32::try_from(number).unwrap_or(0) + 1, 10),
        None => word.chars().next(),
    };
    phrase.iter().filter_map(initial).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acronyms_are_the_initials_of_words_side_by_side() {
        let has = |question: &str, acronym: &str| {
            of_phrases(question).iter().any(|(own, _)| own == acronym)
        };
        assert!(has("Is two-factor authentication required?", "2fa"));
        assert!(has("How long is the final comment period?", "fcp"));
        assert!(has("Is undefined behaviour detected?", "ub"));
        assert!(!has("Is the period final, or the comment?", "fcp"));
        assert!(has("Which 32-bit targets are there?", "32bit"));
        assert!(!has("How does it work?", "hdi"));
    }
}

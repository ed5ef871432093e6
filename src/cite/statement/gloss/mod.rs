//! Words of other languages as the English ones, so that bounds, numbers, units of time and
//! directions are compared in them as in English: "mindestens drei Tage" as "at least 3 days".
//!
//! Closed lists, written by hand, one file per language. No word in them is an English one, so the
//! language of a sentence need not be known.

use std::sync::LazyLock;

use foldhash::{HashMap, HashMapExt as _};

use crate::text;

/// The lists: words and phrases, a comma between them, and the English for all of them.
const LISTS: [&str; 3] = [
    include_str!("de.txt"),
    include_str!("es.txt"),
    include_str!("fr.txt"),
];

/// The greatest number of words of a phrase.
const LONGEST: usize = 3;

/// German prepositions that are an amount, the end of a change or a time before a number.
const BEFORE_NUMBERS: [(&str, &str); 6] = [
    ("um", "by"),
    ("auf", "to"),
    ("von", "from"),
    ("ab", "from"),
    ("vor", "before"),
    ("nach", "after"),
];

/// Words behind a number that make a time of day of it, or a span of time: "um 14 Uhr", "vor 3
/// Jahren" is three years ago.
const OF_TIME: [&str; 9] = [
    "uhr", "minuten", "stunden", "tagen", "wochen", "monaten", "jahren", "jahre", "mal",
];

/// German words that begin no noun and stand in most sentences, folded; a closed list, written by
/// hand.
const GERMAN: &[&str] = &[
    "als", "am", "auch", "auf", "aus", "bei", "betragt", "dass", "das", "dem", "den", "der", "des",
    "die", "ein", "eine", "einem", "einen", "einer", "es", "fur", "hat", "haben", "ich", "im",
    "ist", "kostet", "liegt", "mit", "nicht", "sich", "sie", "sind", "und", "von", "war", "wir",
    "wird", "wurde", "wurden", "zu", "zum", "zur",
];

/// The least number of them in a sentence in German.
const GERMAN_WORDS: usize = 2;

/// `true` for a sentence in a language in which who does something may stand behind the verb: "Am
/// Montag stimmte der Rat zu".
pub(super) fn has_free_order(sentence: &str) -> bool {
    let words = text::words(sentence).map(|word| text::fold(word.text));
    let words = words.filter(|word| GERMAN.contains(&word.as_str()));
    words.take(GERMAN_WORDS).count() == GERMAN_WORDS
}

/// The English for the words that begin at one of a sentence, folded, and how many they are.
pub(super) fn english(words: &[&str], at: usize) -> Option<(&'static str, usize)> {
    static PHRASES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let mut phrases = HashMap::new();
        // As English ones are written: "March".
        let months = text::MONTHS.map(|month| month[..1].to_uppercase() + &month[1..]);
        let german = text::GERMAN_MONTHS.map(str::to_owned);
        phrases.extend(german.into_iter().zip(months));
        for line in LISTS.iter().flat_map(|list| list.lines()) {
            let Some((words, english)) = line.split_once(" = ").filter(|_| !line.starts_with('#'))
            else {
                continue;
            };
            phrases.extend(
                words
                    .split(", ")
                    .map(|words| (text::fold(words), english.to_owned())),
            );
        }
        phrases
    });
    before_number(words, at).or_else(|| {
        let lengths = (1..=LONGEST.min(words.len() - at)).rev();
        let mut phrases = lengths.map(|length| (length, words[at..at + length].join(" ")));
        phrases.find_map(|(length, phrase)| Some((PHRASES.get(&phrase)?.as_str(), length)))
    })
}

/// The English for a preposition before a number that is no time of day or span of time.
fn before_number(words: &[&str], at: usize) -> Option<(&'static str, usize)> {
    let is_number = |at: usize| {
        let word = words.get(at).copied().unwrap_or_default();
        word.starts_with(|c: char| c.is_ascii_digit())
    };
    let (_, english) = BEFORE_NUMBERS.iter().find(|(own, _)| *own == words[at])?;
    let mut behind = words.iter().skip(at + 2).take(2);
    let is_time = behind.any(|word| OF_TIME.contains(word));
    (is_number(at + 1) && !is_time).then_some((*english, 1))
}

#[cfg(test)]
mod tests {
    use super::super::digits::with_digits;

    #[test]
    fn bounds_numbers_and_directions_of_other_languages_are_read() {
        for (own, english) in [
            ("mindestens drei Tage", "at least 3 days"),
            ("von 148 auf 157 Euro", "from 148 to 157 Euro"),
            ("um 14 Uhr, um 157 Euro", "um 14 Uhr, by 157 Euro"),
            ("al menos 3 semanas", "at least 3 weeks"),
            ("au plus 5 jours", "at most 5 days"),
            ("118 Milliarden", "118 billion"),
            ("In the museum, once a day", "In the museum, every 1 day"),
        ] {
            assert_eq!(with_digits(own), english);
        }
    }
}

//! How common an English word is.

use std::sync::LazyLock;

use foldhash::HashMap;

/// Stems of common words, one class a line, the most common first: at least 320, 80, 20 and 5
/// occurrences in SemCor by the counts of WordNet 3.1 (`index.sense`; Copyright 2011 by Princeton
/// University, WordNet 3.0 license), those of all words of a stem together. Stop words are left
/// out.
const COMMON_WORDS: &str = include_str!("common_words.txt");

/// Prefixes and suffixes with which an ordinary word makes another one, which is hardly counted:
/// "unplug", "cheapest"; closed lists, written by hand.
const PREFIXES: [&str; 3] = ["un", "re", "mis"];
const SUFFIXES: [&str; 4] = ["est", "er", "ly", "ness"];

/// The class of a stem, from 0 for the most common words; `None` for one that is rare.
pub fn class_of_common(stem: &str) -> Option<usize> {
    static CLASSES: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
        let classes = COMMON_WORDS.lines().enumerate();
        classes
            .flat_map(|(class, stems)| stems.split(' ').map(move |stem| (stem, class)))
            .collect()
    });
    CLASSES.get(stem).copied()
}

/// `true` for the stem of a word that is common in English, or made of one that is.
pub fn is_ordinary(stem: &str) -> bool {
    let is_common = |stem: &str| class_of_common(stem).is_some();
    let without_prefix = PREFIXES.iter().filter_map(|own| stem.strip_prefix(own));
    let without_suffix = SUFFIXES.iter().filter_map(|own| stem.strip_suffix(own));
    is_common(stem)
        || without_prefix.into_iter().any(is_common)
        || without_suffix.into_iter().any(|base| {
            let single = &base[..base.len() - base.chars().next_back().map_or(0, char::len_utf8)];
            // "Hott" and "heavi", as they are before their endings.
            let is_doubled = single.ends_with(|last: char| base.ends_with(last));
            is_common(base)
                || is_doubled && is_common(single)
                || base.ends_with('i') && is_common(&format!("{single}y"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::stem;

    #[test]
    fn ordinary_words_are_common_or_made_of_one() {
        for (word, expected) in [
            ("cable", true),
            ("slow", true),
            ("tracks", true),
            ("location", true),
            ("cheapest", true),
            ("hottest", true),
            ("heaviest", true),
            ("unplug", true),
            ("tresurer", false),
            ("klin", false),
            ("lindebad", false),
            ("halloween", false),
        ] {
            assert_eq!(is_ordinary(&stem(word)), expected, "{word}");
        }
        assert_eq!(class_of_common("way"), Some(0));
        assert_eq!(class_of_common("kiln"), None);
    }
}

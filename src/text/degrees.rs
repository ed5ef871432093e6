//! Degrees: superlatives, the words for the largest and the smallest of several, and the words by
//! which a number is a bound. English; closed lists, written by hand.

/// Superlatives without an ending of their own; "first" and "last" are as often a place in a row.
const IRREGULAR: [&str; 4] = ["best", "worst", "most", "least"];

/// The number of letters from which a word in "-est" may be a superlative: "oldest".
const LETTERS: usize = 6;

/// Words that end like a superlative.
const LIKE_SUPERLATIVES: &str = "arrest bequest budapest conquest contest digest earnest ernest \
                                 everest forest harvest honest infest inquest interest invest \
                                 manifest midwest modest northwest priest protest request \
                                 southwest suggest tempest";

/// Superlatives that tell which one of a row is meant, as "last" does, and say nothing of it.
const OF_A_ROW: [&str; 2] = ["latest", "nearest"];

/// Words for the largest of several, and for the smallest.
const MOST: &[&str] = &[
    "most",
    "highest",
    "largest",
    "biggest",
    "greatest",
    "maximum",
    "longest",
    "heaviest",
    "dearest",
    "costliest",
    "deepest",
    "hottest",
    "oldest",
    "tallest",
    "warmest",
    "widest",
    "thickest",
    "loudest",
    "strongest",
];
const LEAST: &[&str] = &[
    "least",
    "fewest",
    "lowest",
    "smallest",
    "minimum",
    "shortest",
    "lightest",
    "cheapest",
    "coldest",
    "youngest",
    "quietest",
    "narrowest",
    "thinnest",
    "weakest",
];

/// The words by which a number is a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoundWords {
    /// The words before the number: "at least".
    pub phrase: &'static str,
    /// `true` if values above the number are meant.
    pub is_above: bool,
    /// `true` if the number itself is meant too.
    pub is_included: bool,
}

/// The words of bounds, with `true` if values above the number are meant, and if the number itself
/// is. "No more than" stands before its end, "more than".
const BOUNDS: &[(&str, bool, bool)] = &[
    ("no less than", true, true),
    ("not less than", true, true),
    ("at least", true, true),
    ("minimum of", true, true),
    ("no more than", false, true),
    ("not more than", false, true),
    ("not exceed", false, true),
    ("at most", false, true),
    ("up to", false, true),
    ("as many as", false, true),
    ("as much as", false, true),
    ("maximum of", false, true),
    ("more than", true, false),
    ("greater than", true, false),
    ("higher than", true, false),
    ("larger than", true, false),
    ("longer than", true, false),
    ("heavier than", true, false),
    ("older than", true, false),
    ("over", true, false),
    ("above", true, false),
    ("exceed", true, false),
    ("exceeds", true, false),
    ("exceeded", true, false),
    ("exceeding", true, false),
    ("less than", false, false),
    ("fewer than", false, false),
    ("lower than", false, false),
    ("smaller than", false, false),
    ("shorter than", false, false),
    ("lighter than", false, false),
    ("younger than", false, false),
    ("cheaper than", false, false),
    ("under", false, false),
    ("below", false, false),
];

/// `true` if a folded word has the ending of a superlative: "cheapest", "latest".
pub fn ends_as_superlative(folded: &str) -> bool {
    folded.len() >= LETTERS
        && folded.ends_with("est")
        && !LIKE_SUPERLATIVES.split(' ').any(|own| own == folded)
}

/// `true` if a folded word is a superlative of a quality by its ending: "cheapest".
pub fn is_regular_superlative(folded: &str) -> bool {
    ends_as_superlative(folded) && !OF_A_ROW.contains(&folded)
}

/// `true` if a folded word is a superlative of a quality: "best", "cheapest".
pub fn is_superlative(folded: &str) -> bool {
    IRREGULAR.contains(&folded) || is_regular_superlative(folded)
}

/// `true` if a folded word is for the largest of several, `false` if for the smallest; `None` for
/// any other word.
pub fn extreme(folded: &str) -> Option<bool> {
    let is_most = MOST.contains(&folded);
    (is_most || LEAST.contains(&folded)).then_some(is_most)
}

/// `true` for a folded word of a bound: "least" of "at least", "latest" of "at the latest".
pub fn is_of_bound(folded: &str) -> bool {
    let mut phrases = BOUNDS.iter().map(|(phrase, ..)| phrase.split(' '));
    matches!(folded, "latest" | "earliest") || phrases.any(|mut own| own.any(|own| own == folded))
}

/// The words of a bound at the end of what stands before a number, in lower case.
pub fn bound_before(before: &str) -> Option<BoundWords> {
    let ends = |phrase: &str| {
        let rest = before.strip_suffix(phrase);
        rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    };
    let (phrase, is_above, is_included) = *BOUNDS.iter().find(|(phrase, ..)| ends(phrase))?;
    Some(BoundWords {
        phrase,
        is_above,
        is_included,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn superlatives_are_known_by_their_ending() {
        for (word, is_of_quality, is_ending) in [
            ("cheapest", true, true),
            ("best", true, false),
            ("nearest", false, true),
            ("guest", false, false),
            ("interest", false, false),
        ] {
            assert_eq!(is_superlative(word), is_of_quality, "{word}");
            assert_eq!(ends_as_superlative(word), is_ending, "{word}");
        }
        assert_eq!(extreme("oldest"), Some(true));
        assert_eq!(extreme("youngest"), Some(false));
        assert_eq!(extreme("quietest"), Some(false));
        assert_eq!(extreme("nearest"), None);
    }

    #[test]
    fn a_bound_is_told_by_its_longest_words() {
        for (before, is_above, is_included) in [
            ("it holds no more than", false, true),
            ("it holds more than", true, false),
            ("it weighs no less than", true, true),
            ("it must not exceed", false, true),
            ("those under", false, false),
        ] {
            let bound = bound_before(before).unwrap();
            assert_eq!((bound.is_above, bound.is_included), (is_above, is_included));
        }
        assert_eq!(bound_before("the moreover"), None);
    }
}

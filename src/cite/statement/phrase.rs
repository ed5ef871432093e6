//! Phrases: what a word stands between, by which two sentences have it in one place.

use super::{ContentWord, Statement};
use crate::text;

/// The words before and after a word as they are compared, "" at the ends of the statement.
pub(in crate::cite) fn neighbours<'a>(
    statement: &'a Statement,
    word: &ContentWord,
) -> [&'a str; 2] {
    let words: Vec<&str> = statement.normal.split(' ').collect();
    let at = words.iter().position(|own| *own == word.folded);
    let near = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or_default();
    [
        near(at.and_then(|at| at.checked_sub(1))),
        near(at.map(|at| at + 1)),
    ]
}

/// The stems of the words between which a modifier stands in a noun phrase: "chief" and "officer".
pub(in crate::cite) fn phrase<'a>(
    statement: &'a Statement,
    modifier: &ContentWord,
) -> Option<[&'a str; 2]> {
    let mut phrases = statement.words.windows(3);
    phrases.find_map(|words| {
        let [before, own, after] = words else {
            return None;
        };
        // One space or hyphen apart: a comma would end the phrase.
        let is_phrase = own.range == modifier.range
            && before.range.end + 1 == own.range.start
            && own.range.end + 1 == after.range.start;
        is_phrase.then_some([before.stem.as_str(), after.stem.as_str()])
    })
}

/// The preposition and the article before a noun that nothing else belongs to: "in the" of "In the
/// condenser, the vapour cools."
pub(in crate::cite) fn adverbial<'a>(
    statement: &'a Statement,
    noun: &ContentWord,
) -> Option<[&'a str; 2]> {
    let words: Vec<&str> = statement.normal.split(' ').collect();
    let (before, after) = words.split_at_checked(noun.position)?;
    let [.., preposition, article] = before else {
        return None;
    };
    let is_whole = after.get(1).is_none_or(|next| text::is_stop_word(next));
    let is_adverbial = text::is_stop_word(preposition) && matches!(*article, "the" | "a" | "an");
    (is_adverbial && is_whole).then_some([*preposition, *article])
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn another_adverbial_noun_that_the_passage_uses_elsewhere_is_not_supported() {
        let cycle = "In the evaporator, the liquid boils. In the condenser, the hot vapour gives \
                     its heat to the water.";
        assert_supported(&[
            (
                "In the evaporator, the hot vapour gives its heat to the water.",
                cycle,
                false,
            ),
            (
                "In the condenser, the hot vapour gives its heat to the water.",
                cycle,
                true,
            ),
        ]);
    }
}

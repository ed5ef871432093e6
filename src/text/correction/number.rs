//! Numbers that a newer text says an older one gives wrongly: "The limit is 80 g/l, not 90".

use super::misstatement::{asks_not_to_use, misstated};
use crate::text::numbers::{Quantity, quantities};
use crate::text::words::{first_phrase, fold, folded, is_stop_word, words};

/// The quantity that a sentence says is right, and the number that it says is not: "80 g/l, not
/// 90", "We wrote 90 g/l; the correct figure is 80 g/l".
fn denied_number(sentence: &str) -> Option<(Quantity, f64)> {
    if let Some((wrong, right)) = misstated(sentence) {
        return Some((right, wrong.value));
    }
    let (before, behind) = sentence.split_once(", not ")?;
    let wrong = quantities(behind).into_iter().next()?;
    let is_first = behind.starts_with(|c: char| c.is_ascii_digit());
    let right = quantities(before).into_iter().next_back()?;
    (is_first && !right.unit.is_empty()).then_some((right, wrong.value))
}

/// `true` if a sentence says which number is wrong, and another one gives that number with other
/// units alone: "80 g/l, not 90" is on no 90 mmHg.
pub fn denies_other_unit(sentence: &str, other: &str) -> bool {
    denied_number(sentence).is_some_and(|(right, wrong)| {
        let stated = quantities(other);
        let is_wrong = |own: &&Quantity| own.value.total_cmp(&wrong).is_eq();
        let mut same = stated.iter().filter(is_wrong).peekable();
        let has_other_unit = |own: &Quantity| {
            // The unit may be one that is not known.
            let mut behind = words(&other[own.range.end..]);
            let next = behind.next().map(|word| word.text);
            let is_unit = |word: &str| word.starts_with(char::is_alphabetic) && !is_stop_word(word);
            own.unit != right.unit && (!own.unit.is_empty() || next.is_some_and(is_unit))
        };
        same.peek().is_some() && same.all(has_other_unit)
    })
}

/// Words for a number that does not hold; a closed list, written by hand.
const WRONG: &str = "is wrong, was wrong, were wrong, are wrong, is incorrect, was incorrect, \
    was a mistake, is a mistake, was an error, is an error, war falsch, ist falsch";

/// `true` if a newer sentence says that the number of an older one is wrong, "The threshold is
/// 80 g/l, not 90", "The figure of 1 in 200 was wrong", or asks not to use what it says.
pub fn corrects(newer: &str, older: &str) -> bool {
    let is_denied = denied_number(newer).is_some_and(|(right, wrong)| {
        let stated = quantities(older);
        let has = |value: f64| {
            let mut same = stated.iter().filter(|own| own.unit == right.unit);
            same.any(|own| own.value.total_cmp(&value).is_eq())
        };
        has(wrong) && !has(right.value)
    });
    is_denied || asks_not_to_use(newer, older) || {
        let (said, stated) = (folded(newer), numbers(older));
        let at = first_phrase(&said, WRONG);
        let named = at.map(|at| {
            let before = said[..at].iter();
            before.filter(|word| is_number(word)).collect::<Vec<_>>()
        });
        named.is_some_and(|named| {
            !named.is_empty() && named.iter().all(|number| stated.contains(*number))
        })
    }
}

/// The folded numbers of a text.
fn numbers(text: &str) -> Vec<String> {
    let words = words(text).map(|word| fold(word.text));
    words.filter(|word| is_number(word)).collect()
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_corrected_by_what_names_it() {
        let older = "Open the valve only below 90 kPa.";
        assert!(corrects("The limit is 80 kPa, not 90.", older));
        assert!(!corrects("The limit is 80 °C, not 90.", older));
        assert!(!corrects("The limit is 90 kPa, not 80.", older));
        assert!(denies_other_unit("The limit is 80 °C, not 90.", older));
        assert!(!denies_other_unit("The limit is 80 kPa, not 90.", older));
        assert!(denies_other_unit(
            "It is 80 g/l, not 90.",
            "It fell to 90 mmHg."
        ));
        assert!(corrects("The 90 that I gave you was wrong.", older));
        assert!(!corrects("The 70 that I gave you was wrong.", older));
    }
}

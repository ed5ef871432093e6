//! Titles of works inside of a sentence: "the song We Never Sleep Again" denies nothing.

use crate::text;

/// The least number of content words without a capital in a sentence that is no title itself.
/// Chosen by hand: a headline may have one by mistake.
const PLAIN: usize = 2;

/// `true` for a word with a capital between two others with one, none of them the first, in a
/// sentence with other words that have none.
pub(super) fn is_inside(words: &[&str], index: usize) -> bool {
    let has_capital = |at: usize| {
        let word = words.get(at);
        word.is_some_and(|own| own.starts_with(char::is_uppercase))
    };
    let is_run = index > 1 && (index - 1..=index + 1).all(has_capital);
    let is_plain =
        |own: &&&str| own.starts_with(char::is_lowercase) && !text::is_stop_word(&text::fold(own));
    // Of a word in capitals alone, the stress is on it: "Dogs MUST NOT Enter".
    let has_small = words[index].contains(char::is_lowercase);
    is_run && has_small && words.iter().filter(is_plain).count() >= PLAIN
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn a_title_denies_nothing() {
        let museum = "The museum bought the painting of the lake with the title Birds Do Not Sing \
                      in 1990.";
        for (claim, verdict) in [
            (
                "The museum bought the painting of the lake in 1990.",
                Verdict::Supported,
            ),
            (
                "The museum did not buy the painting of the lake in 1990.",
                Verdict::Contradicted,
            ),
        ] {
            assert_eq!(support(claim, museum).verdict, verdict, "{claim}");
        }
    }
}

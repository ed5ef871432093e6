//! Takeovers: somebody else has, from a day on, what a claim says that one has: "From 1 July Ann
//! Lee keeps the second set of keys."

use std::ops::Range;
use std::rc::Rc;

use super::outcome::Match;
use super::sources::Source;
use crate::artifact::verification::Verdict;
use crate::cite;
use crate::text;

/// The number of passages of a document that are looked at. Chosen by hand.
const PASSAGES: usize = 3;

/// Verbs of what one has at a time; a closed list, written by hand.
const HOLDING: [&str; 11] = [
    "is", "has", "chairs", "heads", "holds", "keeps", "leads", "looks", "manages", "runs", "owns",
];

/// The sentence of a later document by which somebody else has from a day on what a claim says that
/// one has.
pub(super) fn takeover(claim: &str, other: &Rc<Source>) -> Option<Match> {
    let [name] = &full_names(claim)[..] else {
        return None;
    };
    let folded = text::words(claim).map(|word| text::fold(word.text));
    let folded: Vec<String> = folded.collect();
    let is_held = folded.iter().any(|word| HOLDING.contains(&word.as_str()));
    // "The" thing is one, which somebody else cannot have as well.
    if !is_held || !folded.iter().any(|word| word == "the") {
        return None;
    }
    let is_said =
        |claim: &str, words: &str| cite::support(claim, words).verdict == Verdict::Supported;
    let gives_other = |words: &str| {
        let names = full_names(words).into_iter().map(|own| &words[own]);
        let mut others = names.filter(|own| *own != &claim[name.clone()]);
        others.any(|other| {
            let renamed = [&claim[..name.start], other, &claim[name.end..]].concat();
            is_said(&renamed, words)
        })
    };
    let passages = other.passages.best(claim, PASSAGES).into_iter();
    let mut sentences =
        passages.flat_map(|passage| text::sentences(&other.text, passage.range.clone()));
    let sentence = sentences.find(|range| {
        let words = &other.text[range.clone()];
        let begins = text::is_onward(words) || text::is_from_day(words);
        begins && gives_other(words) && !is_said(claim, words)
    })?;
    other.matching(&sentence)
}

/// The byte ranges of the names of at least two words in a row: "Ann Lee".
pub(super) fn full_names(text: &str) -> Vec<Range<usize>> {
    let is_name = |word: &text::Word<'_>| {
        let folded = text::fold(word.text);
        word.text.starts_with(char::is_uppercase)
            && !text::is_stop_word(&folded)
            && !text::MONTHS.contains(&folded.as_str())
    };
    let words: Vec<text::Word<'_>> = text::words(text).collect();
    let runs = words.chunk_by(|one, other| {
        is_name(one) && is_name(other) && other.range.start == one.range.end + 1
    });
    let runs = runs.filter(|run| run.len() > 1);
    runs.map(|run| run[0].range.start..run[run.len() - 1].range.end)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_names_have_two_words() {
        let text = "From 1 July 2026 Ruth Keane keeps the keys of the Old Mill, and Ann helps.";
        let names: Vec<&str> = full_names(text).into_iter().map(|own| &text[own]).collect();
        assert_eq!(names, ["Ruth Keane", "Old Mill"]);
    }
}

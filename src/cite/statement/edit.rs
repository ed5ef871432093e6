//! Edits: the words that a claim puts into a sentence which it otherwise repeats, word for word.
//!
//! Where most words stand in the same order, a word-level diff (Myers, by `similar`) shows in which
//! place a word was put, which the comparison of content words does not.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::lexicon::{self, Qualifier};

/// The least share of the words of a claim that stand in the sentence in the same order, if the
/// claim repeats it. Chosen by hand: a paraphrase stays below.
const REPEATED: f64 = 0.8;

/// The words that stand in the places of others.
struct Edit<'a> {
    added: &'a [&'a str],
    removed: &'a [&'a str],
}

/// A claim beside a sentence that it repeats but for edits.
pub(in crate::cite) struct Edits<'a>(Vec<Edit<'a>>);

impl<'a> Edits<'a> {
    /// The edits of a sentence that make the claim of it; `None` if the claim does not repeat it.
    pub(in crate::cite) fn of(claim: &'a [&'a str], sentence: &'a [&'a str]) -> Option<Self> {
        let operations = capture_diff_slices(Algorithm::Myers, sentence, claim);
        let edits = operations.iter().filter(|one| one.tag() != DiffTag::Equal);
        let edits: Vec<Edit<'a>> = edits
            .map(|one| {
                let of = |words: &'a [&'a str], range: Range<usize>| &words[range];
                Edit {
                    added: of(claim, one.new_range()),
                    removed: of(sentence, one.old_range()),
                }
            })
            .collect();
        let added: usize = edits.iter().map(|edit| edit.added.len()).sum();
        let is_repeated = (claim.len() - added) as f64 >= REPEATED * claim.len() as f64;
        is_repeated.then_some(Self(edits))
    }

    /// A word that makes the claim absolute, where the sentence has no word of its class.
    pub(in crate::cite) fn absolute(&self) -> Option<&'a str> {
        let is_removed = |class: Qualifier| {
            let mut removed = self.0.iter().flat_map(|edit| edit.removed);
            removed.any(|word| lexicon::absolute(word).is_some_and(|(own, _)| own == class))
        };
        let mut added = self.0.iter().flat_map(|edit| edit.added);
        added
            .find(|word| {
                let class = lexicon::absolute(word).filter(|(_, makes)| *makes);
                class.is_some_and(|(class, _)| !is_removed(class))
            })
            .copied()
    }

    /// A whole number in the place of another: that of the claim and that of the sentence.
    pub(in crate::cite) fn number(&self) -> Option<(String, String)> {
        self.0.iter().find_map(|edit| {
            let ([own], [other]) = (edit.added, edit.removed) else {
                return None;
            };
            let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
            let is_changed = is_number(own) && is_number(other);
            is_changed.then(|| ((*own).to_owned(), (*other).to_owned()))
        })
    }

    /// A sign in the place of another, or where the other has nothing: that of the claim and that
    /// of the sentence.
    pub(in crate::cite) fn sign(&self) -> Option<(String, String)> {
        self.0.iter().find_map(|edit| {
            let is_sign = |word: &&&str| {
                let mut signs = word.chars();
                signs.all(|c| super::is_sign(c) || is_relation(c))
            };
            let own = edit.added.iter().find(is_sign).copied();
            let other = edit.removed.iter().find(is_sign).copied();
            let is_changed = match (own, other) {
                (Some(own), Some(other)) => own != other,
                // Beside other words, a sign belongs to what only one of the two says; and one of a
                // unit may be a word of the other.
                (Some(sign), None) | (None, Some(sign)) => {
                    let is_alone = edit.added.len() + edit.removed.len() == 1;
                    is_alone && sign.chars().all(is_relation)
                }
                (None, None) => false,
            };
            is_changed.then(|| {
                let written = |sign: Option<&str>| sign.unwrap_or_default().to_owned();
                (written(own), written(other))
            })
        })
    }
}

/// `true` for the sign of a comparison or of an operation, which is no unit.
fn is_relation(c: char) -> bool {
    "<>≤≥=≠±+−×÷#".contains(c)
}

//! What is taken back: a later document says that something is no longer so, or that a numbered
//! decision does not hold any more, and a document takes a number back that it also gives, as a
//! mail does above the older one that it quotes: "The threshold is 80 g/l, not 90."

use std::ops::Range;
use std::rc::Rc;

use super::outcome::Match;
use super::sources::Source;
use crate::artifact::verification::Verdict;
use crate::cite;
use crate::text;

/// The number of passages of a document that are looked at. Chosen by hand.
const PASSAGES: usize = 3;

/// The number of characters at the beginning of a document in which its day is.
const HEAD: usize = 400;

/// The size beyond which a document is not searched for a correction, since each claim with a
/// number does. Chosen by hand.
pub(super) const MAX_BYTES: usize = 1 << 18;

/// The sentence of a document by which what a claim says is no longer so: "Dale is no longer the
/// preferred site."
pub(super) fn ended(claim: &str, other: &Rc<Source>) -> Option<Match> {
    let denies = |range: &Range<usize>| {
        let words = &other.text[range.clone()];
        // "It is no longer recommended" ends "It is recommended after surgery", too.
        text::without_no_longer(words).is_some_and(|before| {
            let says = |claim: &str, words: &str| {
                cite::support(claim, words).verdict == Verdict::Supported
            };
            let is_removed = words.contains(" removed from ")
                && cite::support(claim, words).verdict == Verdict::Contradicted;
            is_removed || !says(claim, words) && (says(claim, &before) || says(&before, claim))
        })
    };
    other.matching(&sentences_near(claim, other).find(denies)?)
}

/// The sentence of a document by which the numbered decision at a byte of another one does not hold
/// any more: "Decision 2 of 10 March is reversed."
pub(super) fn revoked_decision(
    claim: &str,
    (own, byte): (&Source, usize),
    other: &Rc<Source>,
) -> Option<Match> {
    let start = own.text.get(..byte)?.rfind('\n').map_or(0, |at| at + 1);
    let label = text::label_of_decision(own.text[start..].lines().next()?)?;
    let head = [&own.title, text::truncate(&own.text, HEAD)].join(" ");
    let revokes = |range: &Range<usize>| {
        let sentence = &other.text[range.clone()];
        // Each meeting numbers its decisions anew: where a day is named, it tells which is meant.
        let day = text::day_of_decision(sentence, &label);
        text::revokes_decision(sentence, &label)
            && day.is_none_or(|day| text::names_day(&head, &day))
    };
    let ranges = text::sentences(&other.text, 0..other.text.len());
    let sentence = ranges.into_iter().find(revokes)?;
    // What revokes it may say the claim again.
    let words = &other.text[sentence.clone()];
    let is_same = cite::support(claim, words).verdict == Verdict::Supported;
    other.matching(&sentence).filter(|_| !is_same)
}

/// The sentence of a document, elsewhere than at a byte, that says that a number of a claim is
/// wrong or is another one. It has a word of the claim, or its title has.
pub(super) fn corrected_number(claim: &str, own: &Rc<Source>, byte: usize) -> Option<Match> {
    let claim = &cite::with_digits(claim);
    let has_number = claim.contains(|c: char| c.is_ascii_digit());
    if !has_number || own.text.len() > MAX_BYTES {
        return None;
    }
    let ranges = text::sentences(&own.text, 0..own.text.len());
    let corrects = |range: &Range<usize>| {
        let sentence = &own.text[range.clone()];
        !range.contains(&byte)
            && text::corrects(sentence, claim)
            && shares_word(claim, &[sentence, &own.title])
    };
    own.matching(&ranges.into_iter().find(corrects)?)
}

/// The sentence near a claim in another document that says that the claim, or its number, is wrong:
/// "We wrote 18 euros; the correct figure is 12 euros." It has another word of the claim, or the
/// one before it has, or its title.
pub(super) fn corrected_elsewhere(claim: &str, other: &Rc<Source>) -> Option<Match> {
    let claim = &cite::with_digits(claim);
    let mut rest = claim.clone();
    for quantity in text::quantities(claim).iter().rev() {
        rest.replace_range(quantity.range.clone(), "");
    }
    let mut before = 0;
    let corrects = |range: &Range<usize>| {
        let sentence = &other.text[range.clone()];
        let near = &other.text[before.min(range.start)..range.end];
        before = range.start;
        text::corrects(sentence, claim) && shares_word(&rest, &[near, &other.title])
    };
    let sentence = sentences_near(claim, other).find(corrects)?;
    other.matching(&sentence)
}

/// The sentence of a notice that corrects a document, "Correction to incident 5", which says
/// otherwise what a claim repeats from that document.
pub(super) fn corrected_by_notice(claim: &str, own: &Source, other: &Rc<Source>) -> Option<Match> {
    if !text::is_correction_of(&other.title, &own.title) || other.text.len() > MAX_BYTES {
        return None;
    }
    let ranges = text::sentences(&other.text, 0..other.text.len()).into_iter();
    let mut otherwise =
        ranges.filter(|range| text::says_otherwise(&other.text[range.clone()], claim));
    other.matching(&otherwise.next()?)
}

/// `true` if a claim has a word that means something in common with some texts, beside numbers.
fn shares_word(claim: &str, texts: &[&str]) -> bool {
    let is_word = |word: &String| {
        !text::is_stop_word(word) && !word.contains(|c: char| c.is_ascii_digit()) && word.len() > 2
    };
    let said: Vec<String> = texts.iter().flat_map(|own| text::folded(own)).collect();
    let mut claimed = text::folded(claim).into_iter().filter(is_word);
    claimed.any(|word| said.contains(&word))
}

/// The sentences of the passages of a document that are nearest to a claim.
fn sentences_near(claim: &str, source: &Source) -> impl Iterator<Item = Range<usize>> {
    let passages = source.passages.best(claim, PASSAGES).into_iter();
    passages.flat_map(|passage| text::sentences(&source.text, passage.range.clone()))
}

//! What is taken back: a later document says that something is no longer so, or that a numbered
//! decision does not hold any more, and a document takes a number back that it also gives, as a
//! mail does above the older one that it quotes: "The threshold is 80 g/l, not 90."

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use super::outcome::Match;
use super::sources::Source;
use crate::artifact::verification::Verdict;
use crate::cite;
use crate::text;

/// The number of passages of a document that are looked at. Chosen by hand.
const PASSAGES: usize = 3;

/// Words of which a document with a correction has one, and the size beyond which a document is not
/// searched for one, since each claim with a number does. Chosen by hand.
const CORRECTING: [&str; 5] = [", not ", "wrong", "incorrect", "mistaken", "falsch"];
const MAX_BYTES: usize = 1 << 18;

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
    let revokes = |range: &Range<usize>| text::revokes_decision(&other.text[range.clone()], &label);
    let ranges = text::sentences(&other.text, 0..other.text.len());
    let sentence = ranges.into_iter().find(revokes)?;
    // What revokes it may say the claim again.
    let words = &other.text[sentence.clone()];
    let is_same = cite::support(claim, words).verdict == Verdict::Supported;
    other.matching(&sentence).filter(|_| !is_same)
}

/// The sentence of a document, elsewhere than at a byte, that gives another number of the unit of a
/// claim and says that it is not the claim's, or that says that the numbers of the claim are wrong.
/// It has a word of the claim, or its title has.
pub(super) fn corrected_number(claim: &str, own: &Rc<Source>, byte: usize) -> Option<Match> {
    let claimed = text::quantities(&cite::with_digits(claim));
    let numbers = numbers(claim);
    let may_correct = || CORRECTING.iter().any(|word| own.text.contains(word));
    if numbers.is_empty() || own.text.len() > MAX_BYTES || !may_correct() {
        return None;
    }
    let ranges = text::sentences(&own.text, 0..own.text.len());
    let corrects = |range: &Range<usize>| {
        let sentence = &own.text[range.clone()];
        let is_denied = || {
            text::denied_number(sentence).is_some_and(|(right, wrong)| {
                claimed.iter().any(|one: &text::Quantity| {
                    one.unit == right.unit && one.value.total_cmp(&wrong).is_eq()
                })
            })
        };
        let is_wrong = || says_wrong(sentence) && numbers.is_subset(&self::numbers(sentence));
        !range.contains(&byte)
            && (is_denied() || is_wrong())
            && shares_word(claim, &[sentence, &own.title])
    };
    own.matching(&ranges.into_iter().find(corrects)?)
}

/// `true` if a sentence says that something was wrong.
fn says_wrong(sentence: &str) -> bool {
    let words = text::folded(sentence);
    let is_wrong = |word: &str| matches!(word, "wrong" | "incorrect" | "mistaken" | "falsch");
    words
        .windows(2)
        .any(|pair| is_wrong(&pair[1]) && pair[0] != "not")
}

/// The words of a text with digits.
fn numbers(text: &str) -> BTreeSet<String> {
    let words = text::folded(text).into_iter();
    let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    words.filter(is_number).collect()
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

//! Handovers: a later document by which somebody else holds the office that a claim gives to one.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use super::outcome::{CheckedSentence, Finding, Match};
use super::sources::{Source, Sources};
use crate::answering;
use crate::text;

/// The number of passages of a document that are looked at: that on an election has the office.
/// Chosen by hand.
const PASSAGES: usize = 3;

/// Verbs that give an office to somebody: "The chair is Ann."
const HOLDING: [&str; 3] = ["is", "are", "has"];

/// Words before an office that make it no other one: "the new chair".
const BEFORE_OFFICE: [&str; 4] = ["new", "next", "our", "interim"];

/// An office that a claim gives to somebody.
struct Holder {
    /// The words of their name, folded.
    names: BTreeSet<String>,
    /// The words of the office, stemmed.
    office: BTreeSet<String>,
}

impl Holder {
    /// The office that a claim gives, "The chair of the choir is Ann Lee"; `None` if it says
    /// anything else.
    fn of(claim: &str) -> Option<Self> {
        let words: Vec<text::Word<'_>> = text::words(claim).collect();
        let mut is_held = false;
        let (mut names, mut office) = (BTreeSet::new(), BTreeSet::new());
        for word in &words {
            let folded = text::fold(word.text);
            is_held |= HOLDING.contains(&folded.as_str());
            // "The chair of the society" in the papers of one.
            if text::is_stop_word(&folded) || answering::is_owner(&folded) {
                continue;
            }
            if word.text.starts_with(char::is_uppercase) {
                names.insert(folded);
            } else {
                office.insert(text::stem(&folded));
            }
        }
        let has_both = !names.is_empty() && !office.is_empty();
        (is_held && has_both && office.len() <= OFFICE_WORDS).then_some(Self { names, office })
    }

    /// `true` if a sentence gives the office to somebody else, where the words around it may name
    /// what it is an office of.
    fn is_succeeded_in(&self, sentence: &str, around: &BTreeSet<String>) -> bool {
        let appointed = text::appointed(sentence);
        text::appoints(sentence)
            && !appointed.is_empty()
            && !appointed.iter().any(|name| self.names.contains(name))
            && self.names_office(sentence)
            && self.office.iter().all(|word| around.contains(word))
    }

    /// `true` if a sentence has a word of the office, and not with another word before it, "deputy
    /// chair", or of something else, "chair of the finance committee".
    fn names_office(&self, sentence: &str) -> bool {
        let words: Vec<text::Word<'_>> = text::words(sentence).collect();
        let folded: Vec<String> = words.iter().map(|word| text::fold(word.text)).collect();
        let is_own = |at: usize| self.office.contains(&text::stem(&folded[at]));
        let is_plain = |at: usize| {
            text::is_stop_word(&folded[at])
                || is_own(at)
                || words[at].text.starts_with(char::is_uppercase)
                || BEFORE_OFFICE.contains(&folded[at].as_str())
                || text::appoints(words[at].text)
        };
        (0..words.len()).filter(|at| is_own(*at)).any(|at| {
            let is_other = at > 0 && !is_plain(at - 1);
            let is_of = folded.get(at + 1).is_some_and(|word| word == "of");
            let mut behind = (at + 2..words.len()).filter(|at| !text::is_stop_word(&folded[*at]));
            !is_other && (!is_of || behind.next().is_none_or(is_own))
        })
    }
}

/// The most words of an office: "chair of the choir society".
const OFFICE_WORDS: usize = 4;

/// The sentence of a later document by which somebody else takes the office that a claim gives.
pub(super) fn handover(claim: &str, own: &Source, other: &Rc<Source>) -> Option<Match> {
    let dates = own.date.as_ref().zip(other.date.as_ref());
    if dates.is_none_or(|(own, other)| other <= own) {
        return None;
    }
    let holder = Holder::of(claim)?;
    let passages = other.passages.best(claim, PASSAGES).into_iter();
    let range = passages.flat_map(|passage| {
        let mut around = stems(&other.text[passage.range.clone()]);
        around.extend(stems(&other.title));
        let sentences = text::sentences(&other.text, passage.range.clone());
        let succeeding = sentences
            .into_iter()
            .find(|range| holder.is_succeeded_in(&other.text[range.clone()], &around));
        succeeding.into_iter()
    });
    other.matching(&range.into_iter().next()?)
}

/// The number of documents in which a successor is looked for. Chosen by hand.
const DOCUMENTS: usize = 8;

/// Verbs of who gives up an office; a closed list, written by hand.
const LEAVING: [&str; 6] = [
    "retires", "retired", "resigns", "resigned", "leaves", "left",
];

/// The sentence of a document by which somebody else takes the office that a claim gives to one
/// who, by the same passage, leaves: "Ann retires in May. Bea takes over as chair." Of a claim on
/// which no document is definite.
pub(super) fn successor(
    claim: &str,
    sentence: &CheckedSentence,
    sources: &mut Sources<'_>,
) -> Option<Match> {
    let is_open = matches!(
        sentence.verdict,
        Finding::Partial | Finding::Unsupported | Finding::Uncited
    );
    if !is_open || !sentence.citations.is_empty() {
        return None;
    }
    let holder = Holder::of(claim)?;
    let sources = sources.nearest(claim, DOCUMENTS);
    let mut sources = sources.iter().filter(|own| !own.status.is_not_in_force());
    sources.find_map(|source| {
        let passages = source.passages.best(claim, PASSAGES).into_iter();
        let mut successors = passages.filter_map(|passage| {
            let sentences = text::sentences(&source.text, passage.range.clone());
            let around = stems(&source.text[passage.range.clone()]);
            let leaves = |range: &Range<usize>| {
                let words = text::words(&source.text[range.clone()]);
                let words: Vec<String> = words.map(|word| text::fold(word.text)).collect();
                holder.names.iter().all(|name| words.contains(name))
                    && words.iter().any(|word| LEAVING.contains(&word.as_str()))
            };
            let left = sentences.iter().position(leaves)?;
            let mut behind = sentences.into_iter().skip(left + 1);
            behind.find(|range| holder.is_succeeded_in(&source.text[range.clone()], &around))
        });
        source.matching(&successors.next()?)
    })
}

/// The stems of the words of a text.
fn stems(text: &str) -> BTreeSet<String> {
    let words = text::words(text).map(|word| text::stem(&text::fold(word.text)));
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn office_is_taken_by_somebody_else() {
        let around: BTreeSet<String> = ["chair", "choir"].map(str::to_owned).into();
        let succeeded = |claim: &str, sentence: &str| {
            Holder::of(claim).is_some_and(|own| own.is_succeeded_in(sentence, &around))
        };
        let claim = "The chair of the choir is Margaret Holt.";
        for (sentence, expected) in [
            ("Thomas Reiter was elected chair with 36 votes.", true),
            ("The meeting elected Thomas Reiter as the new chair.", true),
            ("Margaret Holt was elected chair again.", false),
            ("Thomas Reiter was elected deputy chair.", false),
            (
                "Thomas Reiter was elected chair of the finance committee.",
                false,
            ),
            ("Thomas Reiter opened the meeting for the chair.", false),
        ] {
            assert_eq!(succeeded(claim, sentence), expected, "{sentence}");
        }
        let elected = "Thomas Reiter was elected chair.";
        assert!(!succeeded("The choir met in March.", elected));
        assert!(!succeeded("Margaret Holt was the chair.", elected));
    }
}

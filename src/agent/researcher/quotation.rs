//! Quotations as runs of sentences: the part of a paragraph that is quoted, so that it can be
//! understood out of context.
//!
//! A sentence that depends on the previous sentence is quoted together with it, and so is a
//! following sentence that begins with "It …" or "But …"; a connective at the beginning is left
//! out. (With single sentences, a quarter of the quotations could not be understood by themselves.)

use super::candidate::{Candidate, ListPart};
use crate::text::{self, Quotability};

/// The maximum number of words of a run, so that it can be read at a glance. Chosen by hand.
const MAX_WORDS: usize = 90;

/// The maximum number of words of an answer with what leans on it.
pub(super) const ANSWER_WORDS: usize = 60;

/// The maximum number of sentences of a run. Chosen by hand.
const MAX_SENTENCES: usize = 4;

/// Consecutive sentences of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    /// The index of the first candidate.
    pub(super) first: usize,
    /// The index of the last candidate.
    pub(super) last: usize,
    /// Bytes of the first that are left out: a connective.
    pub(super) skip: usize,
}

impl Run {
    /// A sentence alone.
    pub(super) fn alone(index: usize) -> Self {
        Self {
            first: index,
            last: index,
            skip: 0,
        }
    }
}

/// Consecutive candidates of a paragraph that are selected as a single quotation.
#[derive(Debug, Clone, PartialEq)]
pub struct Selected {
    /// The index of the retrieval that the candidates are of: 0 for that of the step itself.
    pub retrieval: usize,
    /// The index of the first candidate.
    pub first: usize,
    /// The index of the last candidate.
    pub last: usize,
    /// Bytes at the beginning of the first that are left out: a connective.
    pub skip: usize,
    /// The relevance, 0 to 1, rounded to three places.
    pub relevance: f64,
}

/// The sentences that would be quoted for a candidate: it alone, or with those around it that it
/// needs; `None` if it cannot be quoted.
pub fn quotable(candidates: &[Candidate], index: usize) -> Option<Selected> {
    let run = grown(candidates, around(candidates, index)?);
    Some(Selected {
        retrieval: 0,
        first: run.first,
        last: run.last,
        skip: run.skip,
        relevance: 0.0,
    })
}

/// The run that ends with a sentence: the sentence alone, or with the previous sentence if it
/// depends on that; an item of a list after the introduction of the list, an introduction before
/// its first items. `None` if it cannot be quoted.
pub(super) fn around(candidates: &[Candidate], index: usize) -> Option<Run> {
    match candidates[index].list {
        ListPart::Introduction(items) => with_items(candidates, index, items),
        ListPart::Item(after) if after > FAR && stands_alone(&candidates[index]) => {
            around_sentence(candidates, index)
        }
        ListPart::Item(after) => with_introduction(candidates, index, after)
            .or_else(|| around_sentence(candidates, index)),
        ListPart::None => around_sentence(candidates, index),
    }
}

/// The number of sentences from the introduction of a list beyond which an item that can stands
/// alone: with all that is between them it would be the last of many.
const FAR: usize = 2;

/// The maximum number of words of the label of an item.
const LABEL_WORDS: usize = 4;

/// `true` for an item that says by a label what it is on, "Deploys: any weekday, never on Friday.",
/// or is a sentence by itself, "The price is 4.85 euros per kg."
fn stands_alone(item: &Candidate) -> bool {
    let label = item.sentence.split_once(": ").map(|(label, _)| label);
    let is_label = |label: &str| label.split_whitespace().count() <= LABEL_WORDS;
    let is_whole = || item.quotability() == Quotability::SelfContained;
    !item.is_condition
        && item.sentence.ends_with('.')
        && (label.is_some_and(is_label) || is_whole())
}

/// [`around`] without regard to lists.
fn around_sentence(candidates: &[Candidate], index: usize) -> Option<Run> {
    let run = |first: usize, skip: usize| Run {
        first,
        last: index,
        skip,
    };
    match candidates[index].quotability() {
        Quotability::SelfContained => Some(run(index, 0)),
        Quotability::SelfContainedFrom(skip) => Some(run(index, skip)),
        Quotability::Unquotable => None,
        Quotability::NeedsPrevious => {
            let before = index.checked_sub(1)?;
            if !same_paragraph(candidates, before, index) {
                return None;
            }
            match candidates[before].quotability() {
                Quotability::SelfContained => Some(run(before, 0)),
                Quotability::SelfContainedFrom(skip) => Some(run(before, skip)),
                // A longer chain of dependent sentences reads like half a paragraph.
                Quotability::NeedsPrevious if begins_with_others(&candidates[index].sentence) => {
                    let first = before.checked_sub(1)?;
                    let is_whole = same_paragraph(candidates, first, index)
                        && candidates[first].quotability() == Quotability::SelfContained
                        && words(candidates, first, index) <= MAX_WORDS;
                    is_whole.then(|| run(first, 0))
                }
                Quotability::NeedsPrevious | Quotability::Unquotable => None,
            }
        }
    }
}

/// `true` for "No other person was hurt", which tells of those before it.
fn begins_with_others(sentence: &str) -> bool {
    let mut words = text::words(sentence).map(|word| text::fold(word.text));
    matches!(words.next().as_deref(), Some("no" | "all" | "the"))
        && matches!(words.next().as_deref(), Some("other" | "others"))
}

/// An introduction with as many items as fit, at least one; with the sentence before it, if it
/// depends on that.
fn with_items(candidates: &[Candidate], introduction: usize, items: usize) -> Option<Run> {
    let run = around_sentence(candidates, introduction)?;
    let last = last_item(candidates, run.first, introduction, items, MAX_WORDS)?;
    Some(Run { last, ..run })
}

/// The last of the items after an introduction up to which a run from `first` has at most so many
/// words; `None` if not even the first item fits.
fn last_item(
    candidates: &[Candidate],
    first: usize,
    introduction: usize,
    items: usize,
    words_limit: usize,
) -> Option<usize> {
    (introduction + 1..=introduction + items)
        .take_while(|last| words(candidates, first, *last) <= words_limit)
        .last()
}

/// A run with as many items as fit of the list that its last sentence introduces; `None` if not
/// even the first fits, since what only announces a list says nothing.
pub(super) fn with_list(candidates: &[Candidate], run: Run, words_limit: usize) -> Option<Run> {
    let last = match candidates[run.last].list {
        ListPart::Introduction(items) => {
            last_item(candidates, run.first, run.last, items, words_limit)
        }
        _ => (!text::introduces(&candidates[run.last].sentence)).then_some(run.last),
    };
    last.map(|last| Run { last, ..run })
}

/// A run that quotes the introduction of a list and some of its items, with as many of the others
/// as fit: three tiers are not told by one.
pub(super) fn with_more_items(candidates: &[Candidate], run: Run) -> Run {
    let introduction = candidates[run.last].introduction(run.last);
    let Some(introduction) = introduction.filter(|own| *own >= run.first) else {
        return run;
    };
    let ListPart::Introduction(items) = candidates[introduction].list else {
        return run;
    };
    let last = last_item(candidates, run.first, introduction, items, MAX_WORDS);
    Run {
        last: last.unwrap_or(run.last).max(run.last),
        ..run
    }
}

/// An item with the introduction of its list and the items between them, if they fit.
pub(super) fn with_introduction(
    candidates: &[Candidate],
    item: usize,
    after: usize,
) -> Option<Run> {
    let run = around_sentence(candidates, item.checked_sub(after)?)?;
    (words(candidates, run.first, item) <= MAX_WORDS).then_some(Run { last: item, ..run })
}

/// A run extended by the sentences after it that depend on it.
pub(super) fn grown(candidates: &[Candidate], run: Run) -> Run {
    grown_to(candidates, run, MAX_WORDS)
}

/// [`grown`] to at most so many words.
pub(super) fn grown_to(candidates: &[Candidate], run: Run, words_limit: usize) -> Run {
    let mut run = run;
    while run.last - run.first + 1 < MAX_SENTENCES
        && run.last + 1 < candidates.len()
        && same_paragraph(candidates, run.last, run.last + 1)
        && candidates[run.last + 1].quotability() == Quotability::NeedsPrevious
        && words(candidates, run.first, run.last + 1) <= words_limit
    {
        let longer = Run {
            last: run.last + 1,
            ..run
        };
        let Some(whole) = with_list(candidates, longer, words_limit) else {
            break;
        };
        run = whole;
    }
    run
}

/// The maximum number of sentences after a run that explain it. Of two, one and none, two have most
/// of the expected answers to 234 questions over large collections.
const EXPLAINING: usize = 2;

/// A run extended by the sentences of its paragraph after it, to at most so many words.
pub(super) fn with_following(candidates: &[Candidate], run: Run, words_limit: usize) -> Run {
    let fits = |last: &usize| {
        let next = &candidates[*last];
        same_paragraph(candidates, run.last, *last)
            && next.quotability() != Quotability::Unquotable
            && !text::introduces(&next.sentence)
            && words(candidates, run.first, *last) <= words_limit
    };
    // Up to the first that does not fit: what is left out between two sentences would be missed.
    let following = run.last + 1..candidates.len();
    let last = following.take(EXPLAINING).take_while(fits).last();
    Run {
        last: last.unwrap_or(run.last),
        ..run
    }
}

/// Two runs of a paragraph joined into one, if at most one sentence is between them and this
/// sentence can be quoted.
pub(super) fn joined(candidates: &[Candidate], run: Run, other: Run) -> Option<Run> {
    let (early, late) = if run.first <= other.first {
        (run, other)
    } else {
        (other, run)
    };
    let last = late.last.max(early.last);
    // The sentence between them is quoted as well, so it must be quotable.
    let is_near = late.first <= early.last + 2;
    let is_quotable = (early.last + 1..late.first)
        .all(|between| candidates[between].quotability() != Quotability::Unquotable);
    let fits = same_paragraph(candidates, early.first, last)
        && words(candidates, early.first, last) <= MAX_WORDS;
    (is_near && is_quotable && fits).then_some(Run {
        first: early.first,
        last,
        skip: early.skip,
    })
}

/// `true` if two candidates, and so all between them, are in the same paragraph.
fn same_paragraph(candidates: &[Candidate], first: usize, last: usize) -> bool {
    let (first, last) = (&candidates[first], &candidates[last]);
    first.document == last.document && first.paragraph == last.paragraph
}

/// `true` if a run ends in the paragraph in which it begins.
pub(super) fn is_in_paragraph(candidates: &[Candidate], run: Run) -> bool {
    run.last < candidates.len() && same_paragraph(candidates, run.first, run.last)
}

/// `true` if a run ends under the headings under which it begins.
pub(super) fn is_in_section(candidates: &[Candidate], run: Run) -> bool {
    candidates.get(run.last).is_some_and(|last| {
        let first = &candidates[run.first];
        first.document == last.document && first.headings == last.headings
    })
}

/// The number of words of consecutive candidates.
pub(super) fn words(candidates: &[Candidate], first: usize, last: usize) -> usize {
    candidates[first..=last]
        .iter()
        .map(|candidate| text::length_in_words(&candidate.sentence))
        .sum()
}

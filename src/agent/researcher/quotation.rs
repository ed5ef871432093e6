//! Runs of sentences: what of a paragraph is quoted, so that it is understood out of its place.
//!
//! A sentence that leans on the one before takes that one along; one that is followed by "It …" or
//! "But …" takes that along; a connective at the beginning is left out. (A prototype that quoted
//! single sentences had a quarter of bad beginnings.)

use super::candidate::Candidate;
use crate::text::Quotability;

/// Words of a run at most: what a reader takes in one quotation.
const MOST_WORDS: usize = 90;

/// Sentences of a run at most.
const MOST_SENTENCES: usize = 4;

/// Consecutive sentences of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    /// The first candidate.
    pub(super) first: usize,
    /// The last one.
    pub(super) last: usize,
    /// Bytes of the first that are left out: a connective.
    pub(super) skip: usize,
}

/// The run that begins at a sentence, or one before it if it leans on that; none if it cannot be
/// quoted.
pub(super) fn around(candidates: &[Candidate], place: usize) -> Option<Run> {
    let run = |first: usize, skip: usize| Run {
        first,
        last: place,
        skip,
    };
    match candidates[place].quotability() {
        Quotability::SelfContained => Some(run(place, 0)),
        Quotability::SelfContainedFrom(skip) => Some(run(place, skip)),
        Quotability::Unquotable => None,
        Quotability::NeedsPrevious => {
            let before = place.checked_sub(1)?;
            if !are_neighbours(candidates, before, place) {
                return None;
            }
            match candidates[before].quotability() {
                Quotability::SelfContained => Some(run(before, 0)),
                Quotability::SelfContainedFrom(skip) => Some(run(before, skip)),
                Quotability::NeedsPrevious | Quotability::Unquotable => None,
            }
        }
    }
}

/// A run with what follows it and leans on it.
pub(super) fn grown(candidates: &[Candidate], run: Run) -> Run {
    let mut run = run;
    while run.last - run.first + 1 < MOST_SENTENCES
        && run.last + 1 < candidates.len()
        && are_neighbours(candidates, run.last, run.last + 1)
        && candidates[run.last + 1].quotability() == Quotability::NeedsPrevious
        && words(candidates, run.first, run.last + 1) <= MOST_WORDS
    {
        run.last += 1;
    }
    run
}

/// Two runs of one paragraph as one, if at most one sentence stands between them, and that one
/// reads on.
pub(super) fn joined(candidates: &[Candidate], one: Run, other: Run) -> Option<Run> {
    let (early, late) = if one.first <= other.first {
        (one, other)
    } else {
        (other, one)
    };
    let last = late.last.max(early.last);
    let is_near = late.first <= early.last + 2;
    let reads_on = (early.last + 1..late.first)
        .all(|between| candidates[between].quotability() != Quotability::Unquotable);
    let fits = are_neighbours(candidates, early.first, last)
        && words(candidates, early.first, last) <= MOST_WORDS;
    (is_near && reads_on && fits).then_some(Run {
        first: early.first,
        last,
        skip: early.skip,
    })
}

/// Whether all sentences from one to the other are of one paragraph.
fn are_neighbours(candidates: &[Candidate], first: usize, last: usize) -> bool {
    let (first, last) = (&candidates[first], &candidates[last]);
    first.document == last.document && first.paragraph == last.paragraph
}

fn words(candidates: &[Candidate], first: usize, last: usize) -> usize {
    candidates[first..=last]
        .iter()
        .map(|candidate| candidate.sentence.split_whitespace().count())
        .sum()
}

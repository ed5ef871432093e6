//! The transcript of a step: what its searches and its reading have shown so far, and the turns
//! that the researcher has taken. It only grows, so that the prompt of each turn begins with that
//! of the turn before, and a provider's cache of prefixes serves it.

use std::ops::Range;

use super::quotation::Selected;

/// The transcript of a step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transcript {
    /// The names of what can be searched; the first is searched if none is named.
    pub services: Vec<String>,
    /// All hits that were shown, numbered from 1 in this order.
    pub hits: Vec<ShownHit>,
    /// All passages that were shown, numbered from 1 in this order.
    pub passages: Vec<ShownPassage>,
    /// What the planned searches showed, then what each turn showed.
    pub observations: Vec<Observation>,
    /// The researcher's answers, one fewer than the observations.
    pub answers: Vec<String>,
    /// The turns that are left.
    pub left: TurnsLeft,
}

/// A hit of a search that can be read.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownHit {
    /// The title of the page or document.
    pub title: String,
    /// Its date.
    pub date: Option<String>,
    /// The service's excerpt.
    pub snippet: Option<String>,
    /// The service that listed it.
    pub service: String,
}

/// A passage that can be quoted.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownPassage {
    /// The title of its document, and the headings above it.
    pub headings: Vec<String>,
    /// Its words.
    pub text: String,
    /// Where it is.
    pub quotation: Selected,
}

/// What a turn showed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observation {
    /// The outcome in words, such as "Nothing new was found."
    pub outcome: String,
    /// The new hits, by index.
    pub hits: Range<usize>,
    /// The new passages, by index, best first.
    pub passages: Range<usize>,
    /// The turns that were left after it.
    pub left: TurnsLeft,
}

/// The turns that a researcher has left in a step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnsLeft {
    /// Searches.
    pub searches: usize,
    /// Tool calls altogether.
    pub calls: usize,
    /// The reason why the researcher has to finish now, if it has to.
    pub finish_because: Option<String>,
}

impl Transcript {
    /// The indices of the passages of an observation that are in a prompt with room for this many
    /// of all: of each observation the same share, the best of it.
    pub(super) fn shown(&self, observation: &Observation, items: usize) -> Range<usize> {
        let all = self.passages.len().max(1);
        let own = observation.passages.clone();
        let room = (own.len() * items.min(all)).div_ceil(all);
        own.start..(own.start + room).min(own.end)
    }

    /// The passages in a prompt with room for so many.
    pub(super) fn all_shown(&self, items: usize) -> Vec<&ShownPassage> {
        let observations = self.observations.iter();
        observations
            .flat_map(|observation| self.shown(observation, items))
            .filter_map(|index| self.passages.get(index))
            .collect()
    }

    /// The passage of this number, if it is in a prompt with room for so many.
    pub(super) fn passage(&self, number: usize, items: usize) -> Option<&ShownPassage> {
        let index = number.checked_sub(1)?;
        self.observations
            .iter()
            .any(|observation| self.shown(observation, items).contains(&index))
            .then(|| self.passages.get(index))?
    }
}

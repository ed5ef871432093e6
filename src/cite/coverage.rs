//! The coverage of a claim by sentences: which of them say which of its words and numbers.

use std::ops::Range;

use super::alignment::{SAME_WORD, similarity};
use super::restatement::Statements;
use super::statement::{ContentWord, Figure, Statement};
use crate::artifact::analysis::ContradictionKind;

/// The number of sentences that may support a claim together.
const SENTENCES: usize = 3;

/// The maximum number of missing words that the reasons name.
const NAMED: usize = 3;

/// The weight of a number in the coverage of a claim.
const NUMBER_WEIGHT: f64 = 1.0;

/// A sentence of one of the passages.
pub(super) struct Sentence<'a> {
    pub(super) passage: usize,
    pub(super) range: &'a Range<usize>,
    pub(super) statement: &'a Statement,
}

/// The number of measures of the logistic model.
pub const MEASURES: usize = 6;

/// A sentence of a passage that supports a part of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The index of the passage.
    pub passage: usize,
    /// The byte range of the sentence in the passage.
    pub range: Range<usize>,
    /// The byte ranges of the claim that this sentence says and no better one, in order.
    pub claim: Vec<Range<usize>>,
}

/// What a claim says, item by item.
enum Item<'a> {
    Word(&'a ContentWord),
    Figure(&'a Figure),
}

impl Item<'_> {
    fn weight(&self) -> f64 {
        match self {
            Self::Word(word) => word.weight,
            Self::Figure(_) => NUMBER_WEIGHT,
        }
    }

    fn is_name(&self) -> bool {
        matches!(self, Self::Word(word) if word.is_name)
    }

    /// The degree to which a statement says it.
    fn value(&self, statement: &Statement) -> f64 {
        match self {
            Self::Word(word) => {
                let words = statement.words.iter();
                words
                    .map(|other| similarity(word, other))
                    .fold(0.0, f64::max)
            }
            Self::Figure(figure) => {
                let mut figures = statement.figures.iter();
                f64::from(u8::from(figures.any(|other| figure.equals(other))))
            }
        }
    }

    fn missing(&self) -> String {
        match self {
            Self::Word(word) if word.is_name => format!("the name {:?} is missing", word.folded),
            Self::Word(word) => format!("{:?} is missing", word.folded),
            Self::Figure(figure) => format!("the number {} is missing", figure.written.trim()),
        }
    }
}

/// What the chosen sentences cover of a claim.
pub(super) struct Coverage<'a> {
    claim: &'a Statements,
    sentences: &'a [Sentence<'a>],
    items: Vec<Item<'a>>,
    /// The byte range of each item in the claim.
    ranges: Vec<Range<usize>>,
    /// For each sentence, the degree to which it says each item.
    values: Vec<Vec<f64>>,
    /// The indices of the chosen sentences, best first.
    chosen: Vec<usize>,
    /// For each item, the degree to which the chosen sentences say it.
    covered: Vec<f64>,
    /// The share that the best sentence covers by itself.
    best: f64,
}

impl<'a> Coverage<'a> {
    pub(super) fn of(claim: &'a Statements, sentences: &'a [Sentence<'a>]) -> Self {
        let (mut items, mut ranges) = (Vec::new(), Vec::new());
        for (at, own) in &claim.statements {
            let within = |range: &Range<usize>| at.start + range.start..at.start + range.end;
            ranges.extend(own.words.iter().map(|word| within(&word.range)));
            items.extend(own.words.iter().map(Item::Word));
            ranges.extend(own.figures.iter().map(|figure| within(&figure.range)));
            items.extend(own.figures.iter().map(Item::Figure));
        }
        let values = sentences.iter().map(|sentence| {
            let values = items.iter().map(|item| item.value(sentence.statement));
            values.collect()
        });
        let mut coverage = Self {
            claim,
            sentences,
            values: values.collect(),
            chosen: Vec::new(),
            covered: vec![0.0; items.len()],
            best: 0.0,
            items,
            ranges,
        };
        coverage.choose();
        coverage
    }

    /// Chooses sentences greedily by what they add.
    fn choose(&mut self) {
        for _ in 0..SENTENCES {
            let gain = |index: usize| {
                let mut covered = self.covered.clone();
                raise(&mut covered, &self.values[index]);
                self.share(&covered, |_| true) - self.share(&self.covered, |_| true)
            };
            let gains = (0..self.values.len()).map(|index| (gain(index), index));
            let best = gains.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            let Some((_, index)) = best.filter(|(gain, _)| *gain > 0.0) else {
                return;
            };
            raise(&mut self.covered, &self.values[index]);
            self.chosen.push(index);
            if self.chosen.len() == 1 {
                self.best = self.share(&self.covered, |_| true);
            }
        }
    }

    /// The share of the weight of some items that is covered, 1 if there are none of them.
    fn share(&self, covered: &[f64], is_counted: impl Fn(&Item<'_>) -> bool) -> f64 {
        let (mut all, mut sum) = (0.0, 0.0);
        for (item, value) in self.items.iter().zip(covered) {
            if is_counted(item) {
                all += item.weight();
                sum += item.weight() * value;
            }
        }
        if all > 0.0 { sum / all } else { 1.0 }
    }

    /// The measures of the logistic model, as [`Support`] lists them.
    pub(super) fn measures(&self) -> [f64; MEASURES] {
        let mut anywhere = vec![0.0; self.items.len()];
        for own in &self.values {
            raise(&mut anywhere, own);
        }
        let missing = self.items.iter().zip(&self.covered);
        let heaviest = missing
            .filter(|(_, value)| **value < SAME_WORD)
            .map(|(item, _)| item.weight())
            .fold(0.0, f64::max);
        [
            self.share(&self.covered, |_| true),
            self.share(&anywhere, |_| true),
            self.best,
            self.share(&self.covered, |item| matches!(item, Item::Figure(_))),
            self.share(&self.covered, |item| item.is_name()),
            heaviest,
        ]
    }

    /// The contrast of a claim of one sentence with a chosen sentence, in words.
    pub(super) fn contrast(&self) -> Option<String> {
        let [(_, claim)] = self.claim.statements.as_slice() else {
            return None;
        };
        let chosen = self
            .chosen
            .iter()
            .filter_map(|index| self.sentences.get(*index));
        let mut chosen = chosen.filter_map(|own| claim.contrast(own.statement));
        let contrast = chosen.next()?;
        Some(match contrast.kind {
            ContradictionKind::Negation => "only one of the two negates it".to_owned(),
            _ => {
                let text = format!(
                    "{} against {} {}",
                    contrast.one, contrast.other, contrast.unit
                );
                text.trim_end().to_owned()
            }
        })
    }

    /// The heaviest items that are missing, in words.
    pub(super) fn missing(&self) -> Vec<String> {
        let items = self.items.iter().zip(&self.covered);
        let mut missing: Vec<&Item<'_>> = items
            .filter(|(_, value)| **value < SAME_WORD)
            .map(|(item, _)| item)
            .collect();
        // Stable: of equal weight the first in the claim.
        missing.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
        missing
            .iter()
            .take(NAMED)
            .map(|item| item.missing())
            .collect()
    }

    /// The chosen sentences, each with the ranges of the claim that it says best.
    pub(super) fn matches(&self) -> Vec<Match> {
        let mut matches: Vec<Match> = Vec::new();
        for index in &self.chosen {
            matches.push(Match {
                passage: self.sentences[*index].passage,
                range: self.sentences[*index].range.clone(),
                claim: Vec::new(),
            });
        }
        for (item, range) in self.ranges.iter().enumerate() {
            let values = self.chosen.iter().map(|index| self.values[*index][item]);
            let best = values
                .enumerate()
                .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
            let Some((place, _)) = best.filter(|(_, value)| *value >= SAME_WORD) else {
                continue;
            };
            matches[place].claim.push(range.clone());
        }
        matches
    }

    /// The ranges of the items that the chosen sentences do not say.
    pub(super) fn unsupported(&self) -> Vec<Range<usize>> {
        let ranges = self.ranges.iter().zip(&self.covered);
        ranges
            .filter(|(_, value)| **value < SAME_WORD)
            .map(|(range, _)| range.clone())
            .collect()
    }
}

/// Raises each value to the other one, if that is higher.
fn raise(values: &mut [f64], others: &[f64]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value = value.max(*other);
    }
}

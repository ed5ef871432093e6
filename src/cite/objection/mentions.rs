//! Mentions: the numbers and the names of a statement, each with the words near it, by which two of
//! them in each other's places are recognised.

use std::collections::BTreeSet;

use super::super::statement::{ContentWord, Statement};
use super::roles;

/// The number of words on either side that are near a mention.
pub(super) const NEAR: usize = 3;

/// The unit of the name of a month, which has no place in common with other names.
const MONTH: &str = "month";

/// A number or a name, and the words near it, by the side on which they are.
pub(super) struct Mention<'a> {
    pub(super) key: String,
    /// The unit of a number, "" for a name that is no month.
    pub(super) unit: &'a str,
    /// Its place in the statement.
    pub(super) at: usize,
    pub(super) is_number: bool,
    /// `true` after "by".
    pub(super) is_agent: bool,
    near: BTreeSet<(bool, &'a str)>,
}

impl Mention<'_> {
    pub(super) fn shared(&self, other: &Self) -> usize {
        self.near.intersection(&other.near).count()
    }
}

/// The numbers and the names of a statement.
pub(super) struct Mentions<'a>(Vec<Mention<'a>>);

impl<'a> Mentions<'a> {
    pub(super) fn of(statement: &'a Statement, named: &BTreeSet<&str>) -> Self {
        let near = |from: usize, to: usize| {
            let words = |words: &'a [ContentWord], side: bool| {
                let stems = words.iter().map(move |word| (side, word.stem.as_str()));
                stems.collect::<Vec<_>>()
            };
            let before = words(&statement.words[from.saturating_sub(NEAR)..from], false);
            let until = (to + NEAR).min(statement.words.len());
            let after = words(&statement.words[to..until], true);
            before.into_iter().chain(after).collect()
        };
        let figures = statement.figures.iter().map(|figure| Mention {
            key: format!("{} {}", figure.value, figure.unit),
            unit: &figure.unit,
            at: figure.range.start,
            is_number: true,
            is_agent: false,
            near: near(figure.at, figure.at),
        });
        let names = statement.words.iter().enumerate();
        let names = names
            .filter(|(_, word)| named.contains(word.stem.as_str()))
            .map(|(at, word)| Mention {
                key: word.stem.clone(),
                unit: if word.is_month() { MONTH } else { "" },
                at: word.range.start,
                is_number: word.stem.contains(|c: char| c.is_ascii_digit()),
                is_agent: roles::is_after_by(statement, at),
                near: near(at, at + 1),
            });
        Self(figures.chain(names).collect())
    }

    /// The place of the same number or name, if it is there once.
    pub(super) fn only(&self, mention: &Mention<'_>) -> Option<&Mention<'a>> {
        let mut same = self.0.iter().filter(|own| own.key == mention.key);
        same.next().filter(|_| same.next().is_none())
    }

    /// The pairs of two numbers or of two names, each of which is there once.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&Mention<'a>, &Mention<'a>)> {
        let places = self.0.iter().enumerate();
        places.flat_map(move |(at, one)| {
            let others = self.0[at + 1..].iter();
            // 180 litres and the 17th of a month have no place in common.
            let others = others
                .filter(move |other| other.is_number == one.is_number && other.unit == one.unit);
            others
                .filter(move |other| self.only(one).is_some() && self.only(other).is_some())
                .map(move |other| (one, other))
        })
    }
}

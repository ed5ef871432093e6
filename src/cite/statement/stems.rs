//! The words of a statement as stems, with their counts, and back.

use std::collections::BTreeMap;

use super::Statement;
use super::figure::Figure;
use super::{lexicon, vote};
use crate::text;

/// The first word of a statement with this stem.
pub(in crate::cite) fn as_written(statement: &Statement, stem: &str) -> String {
    let mut words = statement.normal.split(' ');
    let word = words.find(|word| read_in(statement, word) == stem);
    word.unwrap_or(stem).to_owned()
}

/// The stem of a word of a statement. Of a motion, "lost" is read as "rejected".
fn read_in(statement: &Statement, word: &str) -> String {
    let is_of_motion = vote::reading(word).is_some();
    let mut words = statement.words.iter().filter(|_| is_of_motion);
    let read = words.find(|own| own.folded == word);
    let stem = || text::stem(lexicon::base(word).unwrap_or(word));
    read.map_or_else(stem, |own| own.stem.clone())
}

/// Stems, with their counts.
pub(in crate::cite) type Stems = BTreeMap<String, usize>;

/// The stems of all words of a statement but those of its quantities.
pub(in crate::cite) fn stems(statement: &Statement) -> Stems {
    let mut stems = Stems::new();
    // The modal verb is no month.
    for word in statement.normal.split(' ').filter(|word| *word != "may") {
        *stems.entry(read_in(statement, word)).or_default() += 1;
    }
    // Units are compared with their numbers: 90 minutes are 1.5 hours.
    for word in statement.figures.iter().flat_map(Figure::words) {
        if let Some(count) = stems.get_mut(&text::stem(&word)) {
            *count = count.saturating_sub(1);
        }
    }
    stems.retain(|_, count| *count > 0);
    stems
}

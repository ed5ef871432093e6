//! Content words: the words of a statement that say something by themselves.

use std::ops::Range;

use super::lexicon;
use super::validity::Validity;

/// A content word of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::cite) struct ContentWord {
    /// The word as it is compared: folded, or the first letters of a month.
    pub(in crate::cite) folded: String,
    /// Its stem; a name with digits has none but itself.
    pub(in crate::cite) stem: String,
    /// Its entry in the lexicon.
    pub(in crate::cite) entry: lexicon::Entry,
    /// A name: a capitalised word inside a sentence, an acronym, an identifier, code.
    pub(in crate::cite) is_name: bool,
    /// Its weight in the coverage of a statement, 0 to 1.
    pub(in crate::cite) weight: f64,
    /// `true` if a negation applies to it.
    pub(in crate::cite) is_negated: bool,
    /// `true` if it is the first word that a negation applies to.
    pub(in crate::cite) heads_negation: bool,
    /// Of what time it is said, or whether the rest is said of all but it.
    pub(in crate::cite) validity: Validity,
    /// `true` if a hyphen joins it to the word before.
    pub(in crate::cite) follows_hyphen: bool,
    /// Its index among the words and signs of [`Statement::normal`].
    pub(in crate::cite) position: usize,
    /// `true` if a punctuation mark is between it and the content word before.
    pub(in crate::cite) follows_mark: bool,
    /// `true` right after a form of "be".
    pub(in crate::cite) follows_be: bool,
    /// `true` right after a form of "be", or after another content word, as a verb is.
    pub(in crate::cite) is_predicate: bool,
    /// The index of the word before the bracket in which it stands: that of "Ann" in "Ann (chair)".
    pub(in crate::cite) holder: Option<usize>,
    /// The initials of the names in a row that it is one of: "us" for "United States".
    pub(in crate::cite) initials: String,
    /// Its byte range in the sentence.
    pub(in crate::cite) range: Range<usize>,
}

impl ContentWord {
    /// `true` for the name of a month.
    pub(in crate::cite) fn is_month(&self) -> bool {
        let mut months = lexicon::months().chain(["may"]);
        self.is_name && months.any(|month| month.starts_with(&self.stem))
    }

    /// `true` if a statement means the same without it.
    pub(in crate::cite) fn is_light(&self) -> bool {
        !self.is_name && lexicon::is_light(&self.folded)
    }
}

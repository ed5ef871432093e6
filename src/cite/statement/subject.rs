//! Subjects: what a clause says something of. There is no parser: a subject is what stands before
//! the verb, and its head is the last noun before the first preposition; where that cannot be told,
//! there is none.

use super::super::alignment::{SAME_WORD, has_word, similarity};
use super::figure::Figure;
use super::lexicon::{self, BE};
use super::verb::{ADVERBS, is_auxiliary, is_verb};
use super::{ContentWord, Statement};

/// Words that begin what a noun is of, or what it is restricted by.
const COMPLEMENTS: &[&str] = &[
    "of", "in", "on", "at", "from", "for", "with", "without", "over", "under", "above", "below",
    "between", "near", "behind", "who", "that", "which", "whose", "to", "by", "aged",
];

/// Words of an amount, of which the noun follows "of".
const AMOUNTS: &[&str] = &[
    "all", "any", "each", "few", "half", "many", "most", "none", "one", "part", "several", "some",
    "two", "three", "four", "both",
];

/// Words before a noun that say which one it is.
const DETERMINERS: &[&str] = &[
    "the", "this", "that", "these", "those", "my", "our", "your", "his", "her", "its", "their",
    "a", "an", "some", "many", "most", "several", "few", "no", "both",
];

/// Words that stand for a subject that was named before.
const PRONOUNS: &[&str] = &[
    "he", "she", "it", "they", "this", "these", "that", "those", "both", "which", "who", "one",
];

/// Words with which a clause begins.
const CONJUNCTIONS: &[&str] = &["and", "but", "while", "whereas", "so", "yet"];

/// What stands before the verb of a statement.
pub(in crate::cite) struct Subject<'a> {
    pub(in crate::cite) words: &'a [ContentWord],
    pub(in crate::cite) numbers: &'a [Figure],
    /// Its words before the verb, function words included.
    pub(in crate::cite) tokens: Vec<&'a str>,
}

impl<'a> Subject<'a> {
    /// The subject of a statement; `None` if its verb cannot be told by its form.
    pub(in crate::cite) fn of(statement: &'a Statement) -> Option<Self> {
        let auxiliary = auxiliary(statement);
        let verb = verb(statement, auxiliary.is_some()).map(|word| word.position);
        let end = auxiliary.into_iter().chain(verb).min()?;
        Some(Self::before(statement, end))
    }

    /// The subject of the verb of another statement in this one.
    pub(in crate::cite) fn of_verb(statement: &'a Statement, verb: &ContentWord) -> Option<Self> {
        let mut words = statement.words.iter();
        let same = words.find(|own| similarity(verb, own) >= SAME_WORD)?;
        let auxiliary = auxiliary(statement).filter(|at| *at < same.position);
        let end = auxiliary.unwrap_or(same.position);
        Some(Self::before(statement, end))
    }

    /// All of a statement, to look for words of a subject in it.
    pub(in crate::cite) fn whole(statement: &'a Statement) -> Self {
        Self::before(statement, usize::MAX)
    }

    fn before(statement: &'a Statement, end: usize) -> Self {
        let count = statement.words.partition_point(|word| word.position < end);
        let numbers = statement.figures.partition_point(|own| own.at <= count);
        Self {
            words: &statement.words[..count],
            numbers: &statement.figures[..numbers],
            tokens: statement.normal.split(' ').take(end).collect(),
        }
    }

    /// The index of the noun that the clause is about; `None` if it cannot be told: behind an
    /// introduction, beside an apposition.
    pub(in crate::cite) fn head(&self) -> Option<usize> {
        let mut tokens = self.tokens.iter();
        let first = tokens.find(|token| !CONJUNCTIONS.contains(token))?;
        let is_apart = self.words.iter().skip(1).any(|word| word.follows_mark);
        if is_apart || COMPLEMENTS.contains(first) || PRONOUNS.contains(first) {
            return None;
        }
        let is_amount = |token: &&str| {
            AMOUNTS.contains(token) || token.starts_with(|c: char| c.is_ascii_digit())
        };
        let of = self.tokens.iter().position(|token| *token == "of");
        let is_partitive = of.is_some_and(|of| self.tokens[..of].iter().any(is_amount));
        let from = of.filter(|_| is_partitive).map_or(0, |of| of + 1);
        let mut ends = (from..self.tokens.len()).skip(1);
        let end = ends.find(|at| COMPLEMENTS.contains(&self.tokens[*at]));
        let end = end.unwrap_or(self.tokens.len());
        let last = self.words.partition_point(|word| word.position < end);
        let head = last.checked_sub(1)?;
        (self.words[head].position >= from).then_some(head)
    }

    /// `true` for a plural that does not say which: "students", and not "the students".
    pub(in crate::cite) fn is_generic(&self, head: usize) -> bool {
        let word = &self.words[head];
        let before = &self.tokens[..word.position.min(self.tokens.len())];
        let is_plural = has_plural_ending(&word.folded) || lexicon::base(&word.folded).is_some();
        is_plural && !word.is_name && !before.iter().any(|own| DETERMINERS.contains(own))
    }

    pub(in crate::cite) fn has_word(&self, word: &ContentWord) -> bool {
        word.is_light() || has_word(self.words, word)
    }

    /// The first word or number that another subject lacks, as it is shown.
    pub(in crate::cite) fn missing_in(&self, other: &Self) -> Option<String> {
        let mut words = self.words.iter().filter(|word| !other.has_word(word));
        let numbers = self.numbers.iter();
        let mut numbers = numbers.filter(|own| !other.numbers.iter().any(|one| one.equals(own)));
        let word = words.next().map(|word| word.folded.clone());
        word.or_else(|| numbers.next().map(Figure::shown))
    }
}

/// `true` for a word that stands for a subject that was named before.
pub(in crate::cite) fn is_pronoun(token: &str) -> bool {
    PRONOUNS.contains(&token)
}

/// `true` for a folded word that ends like a plural, and not like "mass", "analysis" or "virus".
fn has_plural_ending(folded: &str) -> bool {
    let is_singular = ["ss", "is", "us"].iter().any(|end| folded.ends_with(end));
    folded.ends_with('s') && !is_singular
}

/// The place of the first auxiliary of a statement.
fn auxiliary(statement: &Statement) -> Option<usize> {
    let mut tokens = statement.normal.split(' ');
    tokens.position(|token| {
        BE.contains(&token) || is_auxiliary(token) || matches!(token, "need" | "needs")
    })
}

/// The verb of a statement, by its form: a past form; of a statement without an auxiliary, also a
/// present one behind a noun of the other number, "the boiler follows", "students pay".
fn verb(statement: &Statement, has_auxiliary: bool) -> Option<&ContentWord> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let mut words = statement.words.iter();
    let past = words.find(|word| is_verb(statement, word));
    let is_present = |pair: &&[ContentWord]| {
        let [noun, verb] = [&pair[0], &pair[1]];
        let is_plural = |word: &ContentWord| {
            has_plural_ending(&word.folded) || lexicon::base(&word.folded).is_some()
        };
        let between = tokens.get(noun.position + 1..verb.position);
        let is_next = between.is_some_and(|own| own.iter().all(|token| ADVERBS.contains(token)));
        is_next && !verb.is_name && is_plural(noun) != is_plural(verb)
    };
    let pairs = statement.words.windows(2);
    let present = pairs
        .filter(|_| !has_auxiliary)
        .find(|pair| is_present(pair));
    let verbs = past.into_iter().chain(present.map(|pair| &pair[1]));
    verbs.min_by_key(|word| word.position)
}

/// The word that says what a statement says of its subject: behind an auxiliary, or the verb.
pub(in crate::cite) fn predicate_of(statement: &Statement) -> Option<&ContentWord> {
    let auxiliary = auxiliary(statement);
    let verb = verb(statement, auxiliary.is_some());
    let behind = auxiliary.and_then(|at| {
        let mut pairs = statement.words.iter().zip(statement.words.iter().skip(1));
        let first = statement.words.iter().find(|own| own.position > at)?;
        // "Is consistently ranked" says of its subject that it is ranked.
        let next = pairs.find(|(own, next)| {
            own.position == first.position
                && own.folded.ends_with("ly")
                && next.position == own.position + 1
                && !next.follows_mark
        });
        Some(next.map_or(first, |(_, next)| next))
    });
    // "They were, by their own account, towed back."
    let behind = behind.filter(|own| !own.follows_mark);
    match (auxiliary, verb) {
        (Some(at), Some(verb)) if verb.position < at => Some(verb),
        (Some(_), _) => behind,
        (None, verb) => verb,
    }
}

/// `true` if a form of "be" stands somewhere before a word.
pub(in crate::cite) fn is_passive(statement: &Statement, word: &ContentWord) -> bool {
    let mut before = statement.normal.split(' ').take(word.position);
    before.any(|token| BE.contains(&token))
}

/// `true` if a statement has a subject of its own.
pub(in crate::cite) fn has_own(statement: &Statement) -> bool {
    let first = statement.normal.split(' ').next().unwrap_or_default();
    let is_named = Subject::of(statement).is_some_and(|own| !own.words.is_empty());
    is_named || PRONOUNS.contains(&first) && Subject::of(statement).is_some()
}

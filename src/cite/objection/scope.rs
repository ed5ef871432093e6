//! Scope: whether a claim speaks of more than its sources do. "All employees" is wider than
//! "everybody who works in the warehouse", "the quietest pump" than "a quiet pump", and "the head
//! lifeguard" than "the lifeguard".

use std::collections::BTreeSet;

use super::super::coverage::Coverage;
use super::super::restatement::Difference;
use super::super::statement::lexicon::Qualifier;
use super::super::statement::{Absolute, ContentWord, Statement};
use crate::text;

/// The number of content words on either side of an absolute word that it may be of.
const NEAR: usize = 3;

/// The number of words after a universal word in which a relative clause restricts it.
const RESTRICTION: usize = 3;

/// The word by which a claim is wider than all sentences of its evidence.
pub(super) fn difference(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let superlative = superlative(coverage, claim).map(|word| word.folded.clone());
    let word = superlative
        .or_else(|| Some(universal(coverage, claim)?.word.clone()))
        .or_else(|| Some(rank(coverage, claim)?.folded.clone()))
        .or_else(|| vouched(coverage, claim))?;
    Some(Difference::Addition(word))
}

/// Words before an office that make it another one; a closed list, written by hand.
const RANKS: &[&str] = &[
    "acting",
    "assistant",
    "associate",
    "chief",
    "deputy",
    "head",
    "honorary",
    "interim",
    "junior",
    "senior",
    "vice",
];

/// The rank before an office that a claim gives somebody, where the sentences that say the rest
/// have the office without it.
fn rank<'a>(coverage: &Coverage<'_>, claim: &'a Statement) -> Option<&'a ContentWord> {
    let chosen: Vec<&Statement> = coverage
        .chosen()
        .iter()
        .map(|at| coverage.sentence(*at))
        .collect();
    let pairs = claim.words.windows(2);
    let mut ranks = pairs.filter_map(|pair| {
        let is_rank = RANKS.contains(&pair[0].folded.as_str());
        let is_before = pair[1].position == pair[0].position + 1 && !pair[1].is_name;
        (is_rank && is_before).then_some((&pair[0], &pair[1]))
    });
    let rank = ranks.find(|(rank, office)| {
        let has = |word: &ContentWord| {
            let mut words = chosen.iter().flat_map(|own| &own.words);
            words.any(|own| own.stem == word.stem)
        };
        has(office) && !has(rank)
    });
    rank.map(|(rank, _)| rank)
}

/// Verbs of who vouches for a claim, and the number of words of the name before one.
const VOUCHES: &[&str] = &[
    "confirm",
    "confirms",
    "confirmed",
    "proves",
    "proved",
    "shows",
    "showed",
    "states",
    "stated",
];
const VOUCHER: usize = 6;

/// Who vouches for a claim, "as the study confirms", where nothing speaks of them.
fn vouched(coverage: &Coverage<'_>, claim: &Statement) -> Option<String> {
    let tokens: Vec<&str> = claim.normal.split(' ').collect();
    let verb = tokens.iter().rposition(|token| VOUCHES.contains(token))?;
    let start = verb.saturating_sub(VOUCHER);
    let as_ = start
        + tokens[start..verb]
            .iter()
            .rposition(|token| *token == "as")?;
    let names: Vec<&ContentWord> = claim
        .words
        .iter()
        .filter(|word| (as_ + 1..verb).contains(&word.position))
        .collect();
    let is_unsaid = !names.is_empty() && names.iter().all(|word| !coverage.says(word));
    is_unsaid.then(|| tokens[as_..=verb].join(" "))
}

/// "All" or "the whole" in a claim, where no sentence has a universal word, or only one that a
/// relative clause restricts.
fn universal<'a>(coverage: &Coverage<'_>, claim: &'a Statement) -> Option<&'a Absolute> {
    let is_universal = |own: &&Absolute| own.class == Qualifier::All;
    let mut universal = claim.absolutes.iter().filter(is_universal);
    let is_said = |sentence: &Statement| {
        let mut own = sentence.absolutes.iter().filter(is_universal);
        own.any(|own| !is_restricted(own, sentence, claim))
    };
    universal.find(|own| own.makes && !coverage.sentences().any(is_said))
}

/// A superlative of a claim, where its evidence has none that may stand for it.
fn superlative<'a>(coverage: &Coverage<'_>, claim: &'a Statement) -> Option<&'a ContentWord> {
    let mut superlatives = claim
        .words
        .iter()
        .filter(|word| is_superlative(claim, word));
    superlatives.find(|word| {
        let says = |sentence: &Statement| {
            let mut words = sentence.words.iter();
            let is_same = |own: &ContentWord| {
                own.folded == word.folded
                    || text::ends_as_superlative(&own.folded) && own.folded != "latest"
            };
            words.any(is_same) || sentence.normal.split(' ').any(|own| own == "most")
        };
        !coverage.sentences().any(says)
    })
}

/// `true` for a superlative after "the" or a possessive.
pub(super) fn is_superlative(statement: &Statement, word: &ContentWord) -> bool {
    let before: Vec<&str> = statement.normal.split(' ').take(word.position).collect();
    let is_definite = match before.as_slice() {
        // "One of the largest" says less.
        [.., "of", _] | ["among", _] | [.., "among", _] => false,
        [.., own] => matches!(*own, "the" | "its" | "their" | "his" | "her") || own.ends_with("'s"),
        [] => false,
    };
    is_definite && !word.is_name && text::ends_as_superlative(&word.folded)
}

/// `true` if a relative clause restricts a universal word to what a claim does not name:
/// "everybody who works in the warehouse".
pub(super) fn is_restricted(own: &Absolute, sentence: &Statement, claim: &Statement) -> bool {
    let tokens: Vec<&str> = sentence.normal.split(' ').collect();
    let Some(at) = tokens.iter().position(|token| *token == own.word) else {
        return false;
    };
    let mut after = tokens.iter().enumerate().skip(at + 1).take(RESTRICTION);
    let relative = after.find(|(_, token)| matches!(**token, "who" | "that" | "which" | "whose"));
    let Some((relative, _)) = relative.filter(|_| own.class == Qualifier::All) else {
        return false;
    };
    let mut clause = sentence
        .words
        .iter()
        .filter(|word| word.position > relative);
    let first = clause.next();
    first.is_some_and(|first| {
        let mut words = claim.words.iter();
        !words.any(|word| word.stem == first.stem || text::same_root(&word.stem, &first.stem))
    })
}

impl Absolute {
    /// The stems of the content words on either side of it.
    pub(super) fn near<'a>(&self, statement: &'a Statement) -> BTreeSet<&'a str> {
        self.stems(statement, NEAR)
    }

    /// The stems of the content words after it, which are what a negation negates.
    pub(super) fn negated<'a>(&self, statement: &'a Statement) -> BTreeSet<&'a str> {
        self.stems(statement, 0)
    }

    /// The stems of so many content words before it, and of those after it.
    fn stems<'a>(&self, statement: &'a Statement, before: usize) -> BTreeSet<&'a str> {
        let words = &statement.words;
        let until = (self.at + NEAR).min(words.len());
        let near = &words[self.at.saturating_sub(before).min(until)..until];
        near.iter().map(|word| word.stem.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn a_wider_scope_than_that_of_the_source_is_not_supported() {
        let rule = "Ear protection is mandatory for everybody who works at the presses.";
        let pump = "The pump is a quiet pump for workshops. The market has many pumps.";
        for (claim, passage, is_supported) in [
            (
                "Ear protection is mandatory for all employees.",
                rule,
                false,
            ),
            (
                "Ear protection is mandatory for all who work at the presses.",
                rule,
                true,
            ),
            ("The pump is the quietest pump on the market.", pump, false),
            (
                "The fire damaged the whole stock of hall 2.",
                "The fire damaged a part of the stock of hall 2.",
                false,
            ),
            (
                "Nadia Sommer is the head lifeguard.",
                "Lifeguard Nadia Sommer was with her within one minute.",
                false,
            ),
            (
                "Nadia Sommer is the head lifeguard.",
                "The head lifeguard is Nadia Sommer.",
                true,
            ),
            (
                "The new pumps use 41 % less electricity, as the energy study confirms.",
                "According to our calculation, the new pumps use 41 % less electricity.",
                false,
            ),
            (
                "The council unanimously approved the purchase of two pumps.",
                "The council approved the purchase of two pumps with 17 votes to 3.",
                false,
            ),
            (
                "The council unanimously approved the purchase of two pumps.",
                "The council approved the purchase of two pumps with all votes.",
                true,
            ),
            (
                "Hall 2 is the largest hall in Ghent.",
                "No hall in Ghent is bigger: hall 2 is its biggest hall.",
                true,
            ),
        ] {
            let support = support(claim, passage);
            let is_accepted = support.verdict == Verdict::Supported;
            assert_eq!(is_accepted, is_supported, "{claim} {support:?}");
        }
    }
}

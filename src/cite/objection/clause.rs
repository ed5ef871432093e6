//! Clauses: a sentence that says "rose" of one thing and "fell" of another has the words of both
//! claims that exchange them.

use super::super::alignment::{Alignment, has_word};
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon;
use super::super::statement::{ContentWord, Statement};
use crate::text;

/// The words that begin a clause with a subject of its own.
const SUBORDINATORS: &[&str] = &[
    "because", "although", "though", "while", "whereas", "when", "whenever", "after", "before",
    "since", "if", "unless", "until", "but", "so", "which", "as",
];

/// The words that begin a clause which adds to the sentence before it, and takes nothing back.
const ADDITIONS: &[&str] = &[
    "as",
    "which",
    "who",
    "while",
    "whereas",
    "although",
    "though",
    "because",
    "since",
    "after",
    "compared",
    "up",
    "down",
    "according",
    "more",
    "fewer",
    "less",
];

/// The least number of words of a main clause: fewer introduce what follows them.
const MAIN_WORDS: usize = 4;

/// The main clauses of the sentences of a passage that have more than that, as statements.
pub fn main_statements(passage: &str) -> Vec<Statement> {
    let sentences = text::sentences(passage, 0..passage.len()).into_iter();
    let sentences = sentences.filter_map(|range| passage.get(range));
    let clauses = sentences.filter_map(|sentence| {
        let main = main_clause(sentence);
        (main.len() < sentence.len()).then(|| Statement::parse(main))
    });
    clauses.collect()
}

/// A sentence without a clause at its end that adds to it: "It had 3,140 members" of "It had 3,140
/// members, 210 more than a year before".
pub(super) fn main_clause(sentence: &str) -> &str {
    let is_addition = |rest: &str| {
        let mut words = rest.split_whitespace();
        let first = words.next().map(text::fold).unwrap_or_default();
        let is_number = first.starts_with(|c: char| c.is_ascii_digit());
        let word = if is_number {
            words.next().map(text::fold)
        } else {
            Some(first)
        };
        // "…, the chair told the meeting": who says it.
        let is_told = rest
            .split_whitespace()
            .any(|word| matches!(word, "told" | "said" | "says"));
        is_told || word.is_some_and(|word| ADDITIONS.contains(&word.as_str()))
    };
    let mut ends = sentence.match_indices(", ");
    let end = ends.find(|(at, comma)| {
        let is_long = sentence[..*at].split_whitespace().count() >= MAIN_WORDS;
        is_long && is_addition(&sentence[at + comma.len()..])
    });
    end.map_or(sentence, |(at, _)| &sentence[..at])
}

/// The two clauses of a sentence that begins with the one it is subordinate to, if both name
/// somebody or something: "While Bea is away, Ann takes the bookings"; empty for any other.
pub(in crate::cite) fn clauses(sentence: &str) -> Vec<&str> {
    let has_name = |clause: &&str| {
        let mut words = clause.split_whitespace();
        // The first word of the sentence has a capital in any case.
        let first = words.next().is_some_and(|word| {
            !sentence.starts_with(word) && word.starts_with(char::is_uppercase)
        });
        let is_long = clause.split_whitespace().count() >= MAIN_WORDS;
        is_long && (first || words.any(|word| word.starts_with(char::is_uppercase)))
    };
    let clauses: Vec<&str> = sentence.split(", ").filter(has_name).collect();
    let first = sentence.split_whitespace().next().map(text::fold);
    let is_subordinate = first.is_some_and(|first| SUBORDINATORS.contains(&first.as_str()));
    if clauses.len() == 2 && is_subordinate {
        clauses
    } else {
        Vec::new()
    }
}

/// The last clause of a sentence that begins with one which it depends on: "everybody gathers on
/// the field" of "When the alarm sounds, everybody gathers on the field".
pub(super) fn last_clause(sentence: &str) -> Option<&str> {
    let first = text::fold(sentence.split_whitespace().next()?);
    let (_, last) = sentence.rsplit_once(", ")?;
    let is_long = last.split_whitespace().count() >= MAIN_WORDS;
    (is_long && SUBORDINATORS.contains(&first.as_str())).then_some(last)
}

/// A predicate of the claim that the sentence gives to the subject of another clause, where it says
/// the opposite of the claim's subject: "Spending rose" for "Spending fell because prices rose."
pub(super) fn exchanged(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let starts = starts(own);
    if starts.is_empty() || !self::starts(claim).is_empty() {
        return None;
    }
    let clause = |word: &ContentWord| starts.partition_point(|start| *start <= word.position);
    let pairs: Vec<(usize, usize)> = there.pairs().collect();
    pairs.iter().find_map(|(one, other)| {
        let (word, predicate) = (&claim.words[*one], &own.words[*other]);
        let mut subject = pairs.iter().filter(|(before, _)| before < one).peekable();
        subject.peek()?;
        let mut clauses = subject.map(|(_, at)| clause(&own.words[*at]));
        let first = clauses.next()?;
        // Two months are the ends of one span, and "inside" and "outside" are of two things.
        let is_other = word.is_month() || lexicon::side(&word.folded).is_some();
        if first == clause(predicate) || is_other || !clauses.all(|at| at == first) {
            return None;
        }
        let mut beside = own.words.iter().filter(|beside| clause(beside) == first);
        let opposite = beside.find(|beside| {
            beside.is_negated == word.is_negated
                && !has_word(&claim.words, beside)
                && lexicon::exclude((&word.stem, word.entry), (&beside.stem, beside.entry))
        })?;
        let (word, opposite) = (word.folded.clone(), opposite.folded.clone());
        Some(Objection::contradiction(Difference::Opposite(
            word, opposite,
        )))
    })
}

/// `true` if the clause in which a word of the sentence stands has a word of the claim: "fell" in
/// "Revenue was up, while profit fell" says nothing of revenue.
pub(super) fn is_of_claim(there: &Alignment<'_>, word: &ContentWord) -> bool {
    let starts = starts(there.other);
    let clause = |word: &ContentWord| starts.partition_point(|start| *start <= word.position);
    let mut shared = there.pairs();
    shared.any(|(_, at)| clause(&there.other.words[at]) == clause(word))
}

/// The places of the words that begin a clause, in order.
fn starts(statement: &Statement) -> Vec<usize> {
    let words = statement.normal.split(' ').enumerate();
    words
        .filter(|(_, word)| SUBORDINATORS.contains(word))
        .map(|(position, _)| position)
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn main_clause_ends_before_what_adds_to_it() {
        for (sentence, main) in [
            (
                "At the end of 2024 it had 31,400 members, as its report shows.",
                "At the end of 2024 it had 31,400 members",
            ),
            (
                "It had 3,140 active members, 210 more than before.",
                "It had 3,140 active members",
            ),
            (
                "Books, games and films are lent, if paid for.",
                "Books, games and films are lent, if paid for.",
            ),
            (
                "The waiting list has 270 names, the chair, Ann, told the meeting.",
                "The waiting list has 270 names",
            ),
            (
                "In May, as agreed, it closed.",
                "In May, as agreed, it closed.",
            ),
        ] {
            assert_eq!(super::main_clause(sentence), main);
        }
    }

    #[test]
    fn predicate_of_another_clause_is_not_that_of_the_claim() {
        let fell = "Spending on media fell because the price of energy rose.";
        for (claim, passage, verdict) in [
            ("Spending on media rose.", fell, Verdict::Contradicted),
            (
                "Spending on media rose in 2024.",
                fell,
                Verdict::Contradicted,
            ),
            ("The price of energy fell.", fell, Verdict::Contradicted),
            ("Spending on media fell.", fell, Verdict::Supported),
            ("The price of energy rose.", fell, Verdict::Supported),
            (
                "The bridge is closed.",
                "The bridge is open although the road is closed.",
                Verdict::Contradicted,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }
}

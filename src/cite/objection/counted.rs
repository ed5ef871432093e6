//! What a number counts: the noun behind it. "412 members and six paid employees, of whom four are
//! mechanics" has all words of "four paid employees".

use std::ops::Range;

use super::super::alignment::has_word;
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::figure::{Bound, Figure};
use super::super::statement::lexicon::Qualifier;
use super::super::statement::verb::is_verb;
use super::super::statement::{ContentWord, Statement};
use super::exchange;
use super::necessity;

/// The largest number of words and numbers of a claim whose numbers are judged: longer ones count
/// in too many other words. Chosen by hand.
const SHORT: usize = 10;

/// The maximum number of words between a number and the noun that it counts: "six paid employees".
const ATTRIBUTES: usize = 2;

/// The share that is all.
const ALL_PERCENT: f64 = 100.0;

/// The number of words before a noun among which the "of" of its share is: "of the".
const OF: usize = 2;

/// Words before a noun that say little of it.
const GENERAL: &[&str] = &[
    "new",
    "total",
    "whole",
    "further",
    "additional",
    "other",
    "different",
];

/// The objection to a number of a claim that the sentences with it give as an end of a change, or,
/// if it is short, for something else or only as a bound.
pub(super) fn objection(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Objection> {
    let is_short = items.len() <= SHORT;
    claim.figures.iter().find_map(|figure| {
        let stating: Vec<(&Statement, &Figure)> = coverage
            .sentences()
            .flat_map(|own| own.figures.iter().map(move |other| (own, other)))
            .filter(|(_, other)| figure.is_said_by(other))
            .collect();
        if stating.is_empty() {
            return None;
        }
        let of_short = || {
            bound(claim, figure, &stating)
                .or_else(|| whole(claim, figure, &stating))
                .or_else(|| of_field(claim, figure, &stating))
                .or_else(|| of_another(coverage, claim, figure, &stating))
        };
        end(figure, &stating).or_else(|| is_short.then(of_short).flatten())
    })
}

/// "It may not exceed 600" for "it is 600".
fn bound(
    claim: &Statement,
    figure: &Figure,
    stating: &[(&Statement, &Figure)],
) -> Option<Objection> {
    // What may take "up to 7 days" may take 7.
    let is_duration = matches!(figure.unit.as_str(), "s" | "months");
    let is_bounded =
        |other: &Figure| !is_duration && other.bound != Bound::None && figure.bound == Bound::None;
    let are_bounds = stating
        .iter()
        .all(|(own, other)| is_bounded(other) && !necessity::is_limit(claim, own));
    are_bounds.then(|| Objection::doubt(Difference::Qualifier))
}

/// "From 1,850 to 2,100" for "by 2,100".
fn end(figure: &Figure, stating: &[(&Statement, &Figure)]) -> Option<Objection> {
    let are_ends = stating.iter().all(|(_, other)| other.is_end);
    (figure.is_difference && are_ends).then(|| Objection::doubt(Difference::Qualifier))
}

/// What a claim says of all of a kind, and its sentence of a share or a number of them: "all
/// radiators" for "20 % of radiators"; the word of the claim, and the share.
pub(super) fn share_of_all(claim: &Statement, own: &Statement) -> Option<(String, String)> {
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let mut all = claim
        .absolutes
        .iter()
        .filter(|own| own.makes && own.class == Qualifier::All);
    all.find_map(|all| {
        let noun = claim.words.get(all.at)?;
        let share = own.figures.iter().find(|figure| {
            let counted = own
                .words
                .get(figure.at)
                .filter(|word| word.stem == noun.stem);
            let is_share = figure.unit == "%" && figure.count < ALL_PERCENT;
            counted.is_some_and(|word| {
                let before = &tokens[..word.position.min(tokens.len())];
                let is_of = before.iter().rev().take(OF).any(|token| *token == "of");
                is_share && is_of || figure.unit.is_empty() && is_part(own, figure, word)
            })
        })?;
        let is_bound = share.bound == Bound::Lower || !claim.figures.is_empty();
        (!is_bound).then(|| (all.word.clone(), share.shown()))
    })
}

/// The field of another name in a record: "Price members: 130; Price non-members: 165".
fn of_field(
    claim: &Statement,
    figure: &Figure,
    stating: &[(&Statement, &Figure)],
) -> Option<Objection> {
    // "7,900 jobs with batch 50" names both fields, each beside its number.
    let is_beside = |word: &ContentWord| {
        let distance = |own: &Figure| own.range.start.abs_diff(word.range.start);
        let nearest = claim.figures.iter().min_by_key(|own| distance(own));
        nearest.is_none_or(|own| own.range == figure.range)
    };
    let mut words = stating.iter().map(|(own, other)| {
        let label = label(own, other).filter(|_| !other.is_date())?;
        // The year behind "19 February" has no field of its own.
        let figures = own.figures.iter().filter(|figure| !figure.is_date());
        let mut others = figures.filter(|figure| figure.at != other.at);
        others.find_map(|figure| {
            let mut words = self::label(own, figure)?.iter();
            let is_own = |word: &ContentWord| label.iter().any(|own| own.stem == word.stem);
            let is_claimed = |word: &ContentWord| {
                let mut words = claim.words.iter();
                words.any(|own| own.stem == word.stem && is_beside(own))
            };
            words.find(|word| is_claimed(word) && !is_own(word))
        })
    });
    let word = words.next()??;
    words
        .all(|word| word.is_some())
        .then(|| Objection::doubt(Difference::Binding(word.folded.clone())))
}

/// The label of a number in a record: the words in a row before it, from a mark on.
fn label<'a>(statement: &'a Statement, figure: &Figure) -> Option<&'a [ContentWord]> {
    let before = statement.words.get(..figure.at)?;
    let start = before.iter().rposition(|word| word.follows_mark)?;
    let label = &before[start..];
    let is_joined = label.last()?.range.end + 2 == figure.range.start;
    is_joined.then_some(label)
}

/// Another noun behind the number, or another number before the noun.
fn of_another(
    coverage: &Coverage<'_>,
    claim: &Statement,
    figure: &Figure,
    stating: &[(&Statement, &Figure)],
) -> Option<Objection> {
    let counted = counted(claim, figure)?;
    let noun = counted.last()?;
    let is_said = |word: &&ContentWord| stating.iter().any(|(own, _)| has_word(&own.words, word));
    let is_general = |word: &ContentWord| {
        let has_digit = word.folded.contains(|c: char| c.is_ascii_digit());
        let is_joined = has_digit || word.follows_hyphen;
        is_joined || word.is_light() || GENERAL.contains(&&*word.folded)
    };
    let mut missing = counted.iter().filter(|word| !is_general(word));
    if let Some(word) = missing.find(|word| !is_said(word)) {
        return Some(Objection::doubt(Difference::Word(word.folded.clone())));
    }
    let counts = |statement: &Statement, other: &Figure| {
        self::counted(statement, other).is_some_and(|own| has_word(own, noun))
    };
    // "It repaired 3,455" counts what its verb is said of.
    let follows_verb = |own: &Statement, other: &Figure| {
        let before = other.at.checked_sub(1).and_then(|at| own.words.get(at));
        before.is_some_and(|word| {
            word.range.end + 1 == other.range.start && has_word(&claim.words, word)
        })
    };
    let is_counted = |(own, other): &(&Statement, &Figure)| {
        counts(own, other)
            || other.period.is_some()
            || follows_verb(own, other)
            || exchange::is_of_vote(own, other)
    };
    if stating.iter().any(is_counted) {
        return None;
    }
    let mut all = coverage
        .sentences()
        .flat_map(|own| own.figures.iter().map(move |other| (own, other)));
    let instead = all.find(|(own, other)| {
        let is_now = figure.validity.admits(false, other.validity);
        is_now && !figure.equals(other) && counts(own, other)
    });
    let (_, instead) = instead?;
    let difference = Difference::Number(figure.shown(), Some(instead.shown()));
    Some(Objection::contradiction(difference))
}

/// `true` if two bare numbers count different nouns: "six wheels", "64 members".
pub(super) fn count_different_things(
    (claim, figure): (&Statement, &Figure),
    (own, other): (&Statement, &Figure),
) -> bool {
    match (counted(claim, figure), counted(own, other)) {
        (Some(one), Some(two)) => !one.iter().any(|word| has_word(two, word)),
        _ => false,
    }
}

/// Words between "of" and the number or the noun of a whole.
const OF_WHOLE: &[&str] = &["the", "all", "these", "those", "its", "their", "our"];

/// `true` if a number counts a part of what this noun names: "15 of the 56 houses", "44 of the
/// houses".
fn is_part(statement: &Statement, figure: &Figure, noun: &ContentWord) -> bool {
    let tokens: Vec<&str> = statement.normal.split(' ').take(noun.position).collect();
    let is_number = |token: &&str| token.starts_with(|c: char| c.is_ascii_digit());
    let without = |tokens: &'_ [&str], is_left_out: &dyn Fn(&&str) -> bool| {
        let is_last = tokens.last().is_some_and(is_left_out);
        tokens.len() - usize::from(is_last)
    };
    let rest = &tokens[..without(&tokens, &is_number)];
    let rest = &rest[..without(rest, &|token| OF_WHOLE.contains(token))];
    matches!(rest, [.., number, "of"] if *number == figure.digits)
}

/// The number of a part of which a number is the whole: 15 for the 56 of "15 of the 56 houses".
fn part_of<'a>(statement: &'a Statement, whole: &Figure) -> Option<&'a Figure> {
    let noun = counted(statement, whole)?.first()?;
    let mut parts = statement.figures.iter().filter(|own| own.at == whole.at);
    parts.find(|own| own.range.end < whole.range.start && is_part(statement, own, noun))
}

/// "In 56 houses" for "in 15 of the 56 houses".
fn whole(
    claim: &Statement,
    figure: &Figure,
    stating: &[(&Statement, &Figure)],
) -> Option<Objection> {
    let mut parts = stating.iter().map(|(own, other)| part_of(own, other));
    let part = parts.next()??;
    let is_said = claim.figures.iter().any(|own| own.is_said_by(part));
    let is_whole = parts.all(|part| part.is_some()) && !is_said;
    is_whole.then(|| Objection::doubt(Difference::Binding(figure.shown())))
}

/// What stands behind a year, which counts nothing.
const ERAS: &[&str] = &["ad", "bc", "bce", "ce"];

/// The words that a bare number counts: those in a row right behind it, or behind what it is a part
/// of, up to the first that is no attribute; `None` if there are none, or it has a unit.
fn counted<'a>(statement: &'a Statement, figure: &Figure) -> Option<&'a [ContentWord]> {
    if !figure.unit.is_empty() {
        return None;
    }
    let behind = statement.words.get(figure.at..)?;
    let first = behind.first().filter(|own| !ERAS.contains(&&*own.folded))?;
    let is_next = first.range.start <= figure.range.end + 1;
    if !is_next && !is_part(statement, figure, first) || first.follows_mark {
        return None;
    }
    let in_row = behind.windows(2).take(ATTRIBUTES).take_while(|pair| {
        pair[0].range.end + 1 == pair[1].range.start
            && !pair[1].follows_mark
            && !is_verb(statement, &pair[1])
    });
    Some(&behind[..=in_row.count()])
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

    #[test]
    fn numbers_of_several_fields_are_each_those_of_their_labels() {
        let rows = "version: 1.4.2; batch: 50; jobs/s: 9,200\n\nversion: 2.0.0; batch: 1; jobs/s: \
                    3,105";
        let rate = "The queue reaches 3,100 jobs/s, and the peak is 870 jobs/s.";
        assert_supported(&[
            ("Version 2.0.0 has 3,105 jobs/s with batch 1.", rows, true),
            ("Version 2.0.0 has 9,200 jobs/s with batch 50.", rows, false),
            ("Version 2.0.0 has 1 job/s with batch 3,105.", rows, false),
            ("The peak is 870 jobs per second.", rate, true),
            ("The peak is 870 jobs/h.", rate, false),
        ]);
    }

    #[test]
    fn a_number_contradicts_one_of_the_same_noun() {
        let studio = "Today there are 64 members and two kilns.";
        for (claim, passage, verdict) in [
            (
                "All six wheels are new today.",
                studio,
                Verdict::Unsupported,
            ),
            ("Today there are 60 members.", studio, Verdict::Contradicted),
            (
                "Today there are three wheels and two kilns.",
                studio,
                Verdict::Unsupported,
            ),
        ] {
            let support = support(claim, passage);
            let is_contradicted = support.verdict == Verdict::Contradicted;
            let expected = verdict == Verdict::Contradicted;
            assert_eq!(is_contradicted, expected, "{claim} {support:?}");
        }
    }

    #[test]
    fn a_number_counts_the_noun_behind_it() {
        let staff = "At the end of 2025 the cooperative had 412 members and six paid employees, of \
                     whom four are mechanics.";
        let theft = "On 17 January 2026 three e-bikes were stolen from the yard.";
        let cameras = "The board installs two cameras; the cost may not exceed 600 pounds.";
        assert_supported(&[
            ("The cooperative has six paid employees.", staff, true),
            ("The cooperative has six employees.", staff, true),
            ("The cooperative has 412 members.", staff, true),
            ("The cooperative has four paid employees.", staff, false),
            ("The cooperative has four members.", staff, false),
            ("The cooperative has 412 employees.", staff, false),
            (
                "Three e-bikes were stolen from the yard in January 2026.",
                theft,
                true,
            ),
            ("Three lawn mowers were stolen from the yard.", theft, false),
            ("The cameras cost 600 pounds.", cameras, false),
            (
                "The cost of the cameras may not exceed 600 pounds.",
                cameras,
                true,
            ),
            ("Three cargo bikes were stolen from the yard.", theft, false),
            (
                "The rent rises by 2,100 pounds.",
                "The landlord raises the rent from 1,850 to 2,100 pounds; the rent rises in May.",
                false,
            ),
            (
                "The workshop repaired 3,455 bicycles in 2024.",
                "In 2025 the workshop repaired 3,870 bicycles, more than in 2024, when it repaired \
                 3,455.",
                true,
            ),
            (
                "A service costs 165 pounds for non-members.",
                "Service: Service; Price GBP members: 130; Price GBP non-members: 165.",
                true,
            ),
            (
                "A service costs 130 pounds for non-members.",
                "Service: Service; Price GBP members: 130; Price GBP non-members: 165.",
                false,
            ),
        ]);
    }

    #[test]
    fn a_date_has_no_field_and_an_era_is_not_counted() {
        let born = "ARDEN, Marcus, jurist, born in Halden, 19 February, 1784; died in Arle, 6 \
                    February, 1864.";
        let iron = "Iron was smelted in Arle c. 500 BCE. Traders came to the town in 676 BCE.";
        for (claim, passage) in [
            ("Marcus Arden was born on 19 February 1784.", born),
            ("Iron was smelted in Arle around 500 BCE.", iron),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, Verdict::Supported, "{claim} {support:?}");
        }
    }
}

//! Values: which number belongs to which name. "Ghent 12, Bern 15" gives each its own; a claim that
//! exchanges them has all the words and numbers of its source.

use std::collections::BTreeSet;

use super::super::alignment::has_word;
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::figure::Figure;
use super::super::statement::validity::Validity;
use super::super::statement::{ContentWord, Statement};
use super::binding;

/// The maximum number of content words between a name and its number. Chosen by hand.
const REACH: usize = 8;

/// The maximum number of bytes between a number and its year behind it: "58,420 visits in 2024".
const BEHIND: usize = 12;

/// The largest number of words and numbers of a claim whose numbers are judged: in a longer one,
/// the nearest name is often another. Chosen by hand.
const SHORT: usize = 14;

/// A number and the words of the name that it belongs to: "Brandt", "TC-300".
struct Value<'a> {
    owner: &'a [ContentWord],
    figure: &'a Figure,
}

impl Value<'_> {
    /// `true` if two names have a word in common.
    fn has_owner_of(&self, other: &Value<'_>) -> bool {
        let mut words = self.owner.iter();
        words.any(|word| other.owner.iter().any(|own| own.stem == word.stem))
    }
}

/// A number of the claim that its sources give to another name, and to this name another number.
pub(super) fn objection(coverage: &Coverage<'_>) -> Option<Objection> {
    let claims = coverage.statements();
    let claims = claims.filter(|(_, items)| items.len() <= SHORT);
    let claims: Vec<&Statement> = claims.map(|(claim, _)| claim).collect();
    let owners: BTreeSet<&str> = claims
        .iter()
        .copied()
        .chain(coverage.sentences())
        .flat_map(owners_of)
        .collect();
    let own: Vec<Value<'_>> = coverage
        .sentences()
        .flat_map(|sentence| values(sentence, &owners))
        .collect();
    let mut claimed = claims.iter().flat_map(|claim| values(claim, &owners));
    let of_names = claimed.find_map(|value| {
        let of_unit = own
            .iter()
            .filter(|other| other.figure.unit == value.figure.unit);
        let (of_owner, of_others): (Vec<&Value<'_>>, Vec<&Value<'_>>) =
            of_unit.partition(|other| other.has_owner_of(&value));
        let is_said = |other: &&&Value<'_>| value.figure.is_said_by(other.figure);
        let other = of_owner.first()?;
        let is_exchanged = of_others.iter().any(|other| is_said(&other))
            && !of_owner.iter().any(|own| is_said(&own));
        let difference = Difference::Number(value.figure.shown(), Some(other.figure.shown()));
        is_exchanged.then(|| Objection::contradiction(difference))
    });
    of_names.or_else(|| {
        let chosen = || coverage.chosen().iter().map(|at| coverage.sentence(*at));
        let mut claims = claims.iter();
        claims.find_map(|claim| {
            let mut objections = chosen().filter_map(|own| {
                let exchanged = exchanged(claim, own).or_else(|| of_another_year(claim, own));
                exchanged.or_else(|| in_another_case(claim, own))
            });
            objections.next()
        })
    })
}

/// A number of the claim that its sentence gives to another thing of a list, and to this thing,
/// later, another number: "Repairs are covered for six months, bicycles for one year."
fn exchanged(claim: &Statement, own: &Statement) -> Option<Objection> {
    // What was so before a change is no part of a list.
    let is_open = |own: &Figure| own.validity != Validity::Former;
    let given = parts(own).filter(|(_, own)| is_open(own));
    let given: Vec<(&[ContentWord], &Figure)> = given.collect();
    let is_list = given.len() > 1 && given.iter().all(|(words, _)| !words.is_empty());
    let mut claimed = parts(claim).filter(|_| is_list);
    claimed.find_map(|(words, figure)| {
        let of_unit = given.iter().filter(|(_, other)| other.unit == figure.unit);
        let of_unit: Vec<&(&[ContentWord], &Figure)> = of_unit.collect();
        let at = of_unit
            .iter()
            .position(|(_, other)| figure.is_said_by(other))?;
        let (own_words, _) = of_unit[at];
        // What stands before it may be the subject of all: "It costs 20 € a month, 240 € a year."
        let from = if leads(own) { 0 } else { at + 1 };
        let other = of_unit[from..].iter().find(|(other, own)| {
            let is_other = !figure.is_said_by(own);
            let mut heavy = words.iter().filter(|word| !word.is_light());
            is_other && heavy.any(|word| has_word(other, word) && !has_word(own_words, word))
        })?;
        let mut own_words = own_words.iter().filter(|word| !word.is_light());
        let is_of_own = own_words.any(|word| !has_word(words, word));
        let difference = Difference::Number(figure.shown(), Some(other.1.shown()));
        is_of_own.then(|| Objection::doubt(difference))
    })
}

/// A number of the claim that its sentence gives for another year, and for this year another
/// number: "58,420 visits in 2024, after 51,730 in 2023".
fn of_another_year(claim: &Statement, own: &Statement) -> Option<Objection> {
    let given: Vec<(&Figure, &Figure)> = by_year(own).collect();
    by_year(claim).find_map(|(figure, year)| {
        let is_said = |other: &Figure| figure.is_said_by(other);
        let is_year = |other: &Figure| other.equals(year);
        let (_, other_year) = given.iter().find(|(other, _)| is_said(other))?;
        let of_year = given.iter().find(|(_, own)| is_year(own));
        if of_year.is_none() && !is_year(other_year) && !own.figures.iter().any(is_year) {
            return Some(Objection::doubt(Difference::Binding(year.shown())));
        }
        let (other, _) = given
            .iter()
            .find(|(other, own)| is_year(own) && !is_said(other))?;
        let is_given = given.iter().any(|(own, at)| is_said(own) && is_year(at));
        let difference = Difference::Number(figure.shown(), Some(other.shown()));
        (!is_year(other_year) && !is_given).then(|| Objection::contradiction(difference))
    })
}

/// Words before another value of the same thing, and before the case that it is for.
const ALTERNATIVES: &[&str] = &["or", "but"];
const CASES: &[&str] = &[
    "at", "during", "for", "if", "in", "on", "under", "when", "with", "within", "without",
];

/// A number of the claim for a case for which its sentence gives another one: "10 days in winter"
/// for "10 days, or 15 days in winter".
fn in_another_case(claim: &Statement, own: &Statement) -> Option<Objection> {
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let is_number = |at: &usize| tokens[*at].starts_with(|c: char| c.is_ascii_digit());
    let numbers: Vec<usize> = (0..tokens.len()).filter(is_number).collect();
    let is_alternative = |at: &usize| {
        ALTERNATIVES.contains(&tokens[*at]) && (at + 1..at + 3).any(|next| numbers.contains(&next))
    };
    let or = (0..tokens.len()).rev().find(is_alternative)?;
    let before = numbers.partition_point(|at| *at < or);
    let (given, others) = own.figures.split_at_checked(before)?;
    let last = *numbers.last()?;
    let case = (last + 1..tokens.len()).find(|at| CASES.contains(&tokens[*at]))?;
    // The unit is written with each: "10 or 15 days" are of one case.
    let has_unit = given
        .last()
        .is_some_and(|own| own.written.trim() != own.digits);
    let is_between = |word: &ContentWord| {
        let first = numbers[before.saturating_sub(1)];
        (first..or).contains(&word.position)
    };
    if own.figures.len() != numbers.len() || !has_unit || own.words.iter().any(is_between) {
        return None;
    }
    let mut of_case = own.words.iter().filter(|word| word.position > case);
    let is_of_case = of_case.any(|word| !word.is_light() && has_word(&claim.words, word));
    let other = others
        .first()
        .filter(|_| is_of_case && claim.negations == 0)?;
    let says = |figures: &[Figure], one: &Figure| figures.iter().any(|own| one.is_said_by(own));
    let mut claimed = claim.figures.iter().filter(|own| own.unit == other.unit);
    let figure = claimed.find(|own| says(given, own) && !says(others, own))?;
    let difference = Difference::Number(figure.shown(), Some(other.shown()));
    Some(Objection::contradiction(difference))
}

/// The numbers of a statement that are no dates, each with its year: right behind it, "51,730 in
/// 2023", or else the last before it, or the only one.
fn by_year(statement: &Statement) -> impl Iterator<Item = (&Figure, &Figure)> {
    let years = || statement.figures.iter().filter(|own| own.unit == "year");
    let figures = statement.figures.iter().filter(|own| !own.is_date());
    figures.filter_map(move |figure| {
        let behind = years().find(|year| {
            let gap = year.range.start.checked_sub(figure.range.end);
            gap.is_some_and(|gap| gap <= BEHIND)
        });
        let before = || years().rfind(|year| year.range.end <= figure.range.start);
        let only = || years().next().filter(|_| years().count() == 1);
        Some((figure, behind.or_else(before).or_else(only)?))
    })
}

/// `true` if the numbers of a list stand before their things: "28 days for books, 14 days for
/// films".
fn leads(statement: &Statement) -> bool {
    let mut sizes = statement.figures.iter().filter(is_size);
    let last = sizes.next_back();
    let after = last.and_then(|figure| statement.words.get(figure.at..));
    let is_followed = after.is_some_and(|after| after.iter().any(|word| !word.is_light()));
    // In a record the label stands before its value.
    is_followed && !statement.is_record
}

/// `true` for a number with a unit that is no date.
fn is_size(figure: &&Figure) -> bool {
    !figure.is_date() && !figure.unit.is_empty()
}

/// The numbers of a statement with a unit, each with the words of the thing that has it: those
/// since the number before it, "bicycles for one year", or, if words follow the last number, those
/// up to the next one, "28 days for books".
fn parts(statement: &Statement) -> impl Iterator<Item = (&[ContentWord], &Figure)> {
    let sizes: Vec<&Figure> = statement.figures.iter().filter(is_size).collect();
    let end = statement.words.len();
    let leads = leads(statement);
    let starts = sizes.iter().map(|figure| figure.at);
    let bounds: Vec<usize> = if leads {
        starts.chain([end]).collect()
    } else {
        [0].into_iter().chain(starts).collect()
    };
    sizes.into_iter().enumerate().map(move |(index, figure)| {
        let own = statement.words.get(bounds[index]..bounds[index + 1]);
        (own.unwrap_or_default(), figure)
    })
}

/// The stems of the names of a statement, and of the labels of its kinds: "ground" in
/// "ground-source".
fn owners_of(statement: &Statement) -> impl Iterator<Item = &str> {
    let is_owner = |word: &&ContentWord| word.is_name && !word.is_month();
    let names = statement.words.iter().filter(is_owner);
    let labels = binding::hyphenated(statement);
    names.chain(labels).map(|word| word.stem.as_str())
}

/// The numbers of a statement that stand near a name, each with the nearest one: before it, or
/// after it if the first number stands before all names.
fn values<'a>(statement: &'a Statement, owners: &BTreeSet<&str>) -> Vec<Value<'a>> {
    let words = &statement.words;
    let is_owner = |at: &usize| owners.contains(words[*at].stem.as_str());
    // A bare number may count anything that is near.
    let figures = statement.figures.iter();
    let figures = figures.filter(|own| !own.is_date() && !own.unit.is_empty());
    let first_owner = (0..words.len()).find(is_owner);
    let values = figures.clone().filter_map(|figure| {
        let of_unit = figures.clone().filter(|own| own.unit == figure.unit);
        let at = if first_owner < of_unit.map(|own| own.at).min() {
            let from = figure.at.saturating_sub(REACH + 1);
            (from..figure.at).rev().find(is_owner)
        } else {
            let to = (figure.at + 2).min(words.len());
            (figure.at..to).find(is_owner)
        };
        let last = at?;
        let is_joined = |at: &usize| {
            let [own, next] = [&words[*at], &words[at + 1]];
            let is_next = own.position + 1 == next.position && !next.follows_mark;
            own.is_name && next.is_name && is_next
        };
        let first = (0..last).rev().take_while(is_joined).last();
        Some(Value {
            owner: &words[first.unwrap_or(last)..=last],
            figure,
        })
    });
    values.collect()
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

    #[test]
    fn value_of_a_list_is_that_of_the_thing_behind_it() {
        let loans = "The loan period is 28 days for books, 14 days for magazines.";
        let row = "Name: Paul Novak; Role: Deputy; Telephone: 555-0112.";
        assert_supported(&[
            ("The loan period for books is four weeks.", loans, true),
            ("The loan period for books is two weeks.", loans, false),
            ("The loan period for books is two weeks.", loans, false),
            // One digit off is no rounding.
            ("Paul Novak has the telephone number 555-0110.", row, false),
        ]);
    }

    #[test]
    fn value_of_a_case_is_not_that_of_all_others() {
        let trough = "The target trough is 10 to 15 mg/l, or 15 to 20 mg/l in endocarditis.";
        assert_supported(&[
            ("The target trough is 10 to 15 mg/l.", trough, true),
            (
                "The trough target in endocarditis is 15 to 20 mg/l.",
                trough,
                true,
            ),
            (
                "The trough target in endocarditis is 10 to 15 mg/l.",
                trough,
                false,
            ),
            (
                "The loan in winter is for 10 days.",
                "The loan is for 10 days, but for 15 days in winter.",
                false,
            ),
        ]);
    }

    #[test]
    fn a_number_belongs_to_the_thing_of_a_list() {
        let warranty = "Repairs are covered for six months, second-hand bicycles for twelve \
                        months.";
        let visits = "In 2024 the hall counted 58,420 visits, after 51,730 in 2023.";
        let income = "Repairs brought in 148,000 pounds, courses 11,200 pounds, and the sale of \
                      bicycles 35,500 pounds.";
        assert_supported(&[
            ("Repairs are covered for six months.", warranty, true),
            (
                "Second-hand bicycles are covered for twelve months.",
                warranty,
                true,
            ),
            (
                "Repairs are covered for twelve months and second-hand bicycles for six months.",
                warranty,
                false,
            ),
            ("Repairs brought in 148,000 pounds.", income, true),
            ("Courses brought in 11,200 pounds.", income, true),
            ("Courses brought in 148,000 pounds.", income, false),
            ("The hall counted 58,420 visits in 2023.", visits, false),
            (
                "Staff cost about two thirds of all spending.",
                "Staff cost 65 percent of all spending.",
                true,
            ),
            (
                "In 2024, the hall sold 412 tickets for concerts.",
                "Report of 2024. The hall sold 412 tickets for concerts in all of 2023.",
                false,
            ),
        ]);
    }

    #[test]
    fn number_of_another_model_contradicts() {
        let offers = "Three offers were compared: Kestrel K340 (38,400 euros), Brandt TC-300 \
                      (31,900 euros) and Ostara 5 (44,000 euros).";
        for (claim, verdict) in [
            ("The Brandt costs 38,400 euros.", Verdict::Contradicted),
            ("The Brandt costs 31,900 euros.", Verdict::Supported),
            ("The Kestrel K340 costs 38,400 euros.", Verdict::Supported),
        ] {
            assert_eq!(support(claim, offers).verdict, verdict, "{claim}");
        }
    }

    #[test]
    fn a_number_belongs_to_the_name_beside_it() {
        let offers = "Three firms made offers: Lindner 18,400 euros, Marbach 21,900 euros, \
                      Wendt 16,750 euros.";
        let ovens =
            "The board bought the Lindner oven because it reaches 85 °C and the Wendt only 65 °C.";
        let pumps = "An air-source pump costs about 25,000 euros. A ground-source pump costs about \
                     40,000 euros.";
        assert_supported(&[
            (
                "Lindner offered 21,900 euros and Marbach 18,400 euros.",
                offers,
                false,
            ),
            ("The Lindner offer was 16,750 euros.", offers, false),
            (
                "The Wendt oven was bought because it reaches 85 °C.",
                ovens,
                false,
            ),
            (
                "A ground-source pump costs about 25,000 euros and an air-source pump about \
                 40,000 euros.",
                pumps,
                false,
            ),
            (
                "Lindner offered 18,400 euros and Marbach 21,900 euros.",
                offers,
                true,
            ),
            ("The offer of Wendt was 16,750 euros.", offers, true),
            (
                "The Lindner oven was bought because it reaches 85 °C.",
                ovens,
                true,
            ),
            (
                "A ground-source pump costs about 40,000 euros and an air-source pump about \
                 25,000 euros.",
                pumps,
                true,
            ),
        ]);
    }

    #[test]
    fn a_size_belongs_to_the_kind_that_it_is_given_for() {
        let prices = "Ticket: Adult day ticket; Price EUR: 5.80.\n\n\
                      Ticket: Child day ticket; Price EUR: 3.20.";
        let pools = "The indoor pool is 25 metres long. The filters are washed every week. The \
                     open day is on 2026-06-14.";
        let in_words = "Ticket: Adult day ticket; Price in euros: 16.00.";
        assert_supported(&[
            ("An adult day ticket costs 16 euros.", in_words, true),
            ("An adult day ticket costs 14 euros.", in_words, false),
            ("An adult day ticket costs 16 dollars.", in_words, false),
            ("An adult day ticket costs 5.80 euros.", prices, true),
            ("Adult day ticket, 5.80", prices, true),
            ("A child day ticket costs 5.80 euros.", prices, false),
            ("An adult day ticket costs 5.80 dollars.", prices, false),
            ("The indoor pool is 25 metres long.", pools, true),
            ("The outdoor pool is 25 metres long.", pools, false),
            ("The filters are washed once a week.", pools, true),
            ("The filters are washed every day.", pools, false),
            ("The filters are washed every two weeks.", pools, false),
            ("The open day is on 14 June 2026.", pools, true),
            ("The open day is on 15 June 2026.", pools, false),
        ]);
    }
}

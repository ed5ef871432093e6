//! Numbers that are names: "Fields 4 and 5", "Room 2", "Plots 1–3" say which things of a kind are
//! meant. What a sentence says of Fields 1 to 3 it does not say of Fields 4 and 5, though another
//! sentence has these numbers.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::alignment::has_word;
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::figure::Figure;
use super::super::statement::{ContentWord, Statement};

/// The largest number of things that a range of numbers names. Chosen by hand.
const LARGEST_RANGE: u32 = 1000;

/// The maximum number of digits of a number that is a name.
const DIGITS: usize = 4;

/// The bytes between two numbers of a list, ", ": with others, such as those of a dash, the numbers
/// are a range.
const COMMA: usize = 2;

/// Words that end a sentence by which something has nothing of what was said; a closed list,
/// written by hand.
const NOTHING: &[&str] = &["none", "nothing"];

/// Things of a kind by their numbers: "Fields 4 and 5".
struct Numbered<'a> {
    noun: &'a ContentWord,
    numbers: BTreeSet<u32>,
    /// The byte range of the numbers in the sentence.
    figures: Range<usize>,
    /// The words, folded.
    written: String,
}

/// The objection to a claim on numbered things, of which the evidence says a number, or most words
/// of a claim without one, of things of other numbers alone.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let claimed = numbered(claim);
    if claim.negations > 0 || claim.is_question {
        return None;
    }
    claimed.iter().find_map(|things| {
        // A claim on things of one kind in two places compares them: its words are of both.
        let of_kind = claimed.iter().filter(|own| own.is_of_kind_of(things));
        if of_kind.count() > 1 {
            return None;
        }
        let sentences: Vec<(&Statement, Vec<Numbered<'_>>)> = coverage
            .sentences()
            .map(|own| {
                let mut all = numbered(own);
                all.retain(|other| other.is_of_kind_of(things));
                (own, all)
            })
            .collect();
        // Without these numbers beside its noun a sentence may still be on the things themselves.
        let (others, rest): (Vec<_>, Vec<_>) = sentences
            .iter()
            .partition(|(_, own)| !own.is_empty() && !things.are_in(own));
        let is_only_of_others = |has: &dyn Fn(&Statement) -> bool| {
            others.iter().any(|(own, _)| has(own)) && !rest.iter().any(|(own, _)| has(own))
        };
        let is_figure_of_others = |figure: &Figure| {
            let is_said = |own: &Figure| figure.is_said_by(own);
            is_only_of_others(&|own| own.figures.iter().any(is_said))
        };
        let mut figures = claim
            .figures
            .iter()
            .filter(|own| !things.has(own))
            .peekable();
        let words = claim.words.iter().filter(|word| !word.is_light());
        let (of_others, said): (Vec<&ContentWord>, Vec<&ContentWord>) =
            words.partition(|word| is_only_of_others(&|own| has_word(&own.words, word)));
        // The verb may stand in the sentence on the others alone.
        let is_misbound = match figures.peek() {
            Some(_) => figures.any(is_figure_of_others),
            None => of_others.len() > said.len(),
        };
        let (_, other) = others.first().filter(|_| is_misbound)?;
        let is_denied = |own: &Statement| {
            let last = own.normal.rsplit(' ').next();
            last.is_some_and(|last| NOTHING.contains(&last))
        };
        if rest
            .iter()
            .any(|(own, all)| things.are_in(all) && is_denied(own))
        {
            return Some(Objection::contradiction(Difference::Negation));
        }
        let written = other.first().map(|own| own.written.clone());
        let difference = Difference::Number(things.written.clone(), written);
        Some(Objection::doubt(difference))
    })
}

impl Numbered<'_> {
    fn is_of_kind_of(&self, other: &Self) -> bool {
        self.noun.stem == other.noun.stem
    }

    /// `true` if others have all of its numbers.
    fn are_in(&self, others: &[Self]) -> bool {
        let has = |number: &u32| others.iter().any(|own| own.numbers.contains(number));
        self.numbers.iter().all(has)
    }

    /// `true` if a number is one of its own.
    fn has(&self, figure: &Figure) -> bool {
        self.figures.contains(&figure.range.start)
    }
}

/// The numbered things of a statement.
fn numbered(statement: &Statement) -> Vec<Numbered<'_>> {
    let words = statement.words.iter();
    words
        .filter_map(|word| numbered_by(statement, word))
        .collect()
}

/// The things that a noun and the numbers right behind it name. A common noun in the middle of a
/// sentence does so with several numbers only: "in winter 12 people" counts people.
fn numbered_by<'a>(statement: &'a Statement, noun: &'a ContentWord) -> Option<Numbered<'a>> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let number = |at: usize| {
        let token = tokens.get(at).filter(|token| token.len() <= DIGITS)?;
        token.parse::<u32>().ok()
    };
    let figure = |at: usize, from: usize| {
        let mut figures = statement.figures.iter();
        let figure = figures.find(|own| own.range.start >= from && own.digits == tokens[at]);
        figure.filter(|own| own.unit.is_empty())
    };
    let is_noun = noun.folded.chars().all(char::is_alphabetic) && !noun.is_month();
    let mut at = noun.position + 1;
    let mut last = number(at).filter(|_| is_noun)?;
    let first = figure(at, noun.range.end).filter(|own| own.at > 0)?;
    let (mut range, mut numbers) = (first.range.clone(), BTreeSet::from([last]));
    loop {
        let joint = tokens.get(at + 1).copied().unwrap_or_default();
        let is_joint = matches!(joint, "to" | "through" | "and" | "or");
        let next = at + 1 + usize::from(is_joint);
        let Some((value, own)) = number(next).zip(figure(next, range.end)) else {
            break;
        };
        let is_dash = !is_joint && own.range.start - range.end != COMMA;
        let is_range = (is_dash || matches!(joint, "to" | "through")) && last < value;
        let from = if is_range { last + 1 } else { value };
        numbers.extend((from..=value).take(LARGEST_RANGE as usize));
        (at, last, range) = (next, value, range.start..own.range.end);
    }
    let is_named = noun.is_name || noun.position == 0 || numbers.len() > 1;
    is_named.then(|| Numbered {
        noun,
        numbers,
        figures: range,
        written: tokens[noun.position..=at].join(" "),
    })
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    const SULPHUR: &str = "Decision: 20 kg/ha of sulphur are given with the first dressing on \
                           Fields 1 to 3. Fields 4 and 5 receive none.";

    fn verdict(claim: &str, passage: &str) -> Verdict {
        support(claim, passage).verdict
    }

    #[test]
    fn what_is_said_of_other_numbers_of_a_thing_is_not_said() {
        for claim in [
            "Fields 4 and 5 receive 20 kg/ha of sulphur.",
            "20 kg/ha of sulphur are given with the first dressing on Fields 4 and 5.",
        ] {
            assert_eq!(verdict(claim, SULPHUR), Verdict::Contradicted, "{claim}");
        }
        let claim = "20 kg/ha of sulphur are given with the first dressing on Fields 1 to 3.";
        assert_eq!(verdict(claim, SULPHUR), Verdict::Supported);
        let rooms = "The carpet of rooms 2 to 4 is cleaned every week. Rooms 5 and 6 are tiled.";
        let claim = "The carpet of rooms 5 and 6 is cleaned every week.";
        assert_ne!(verdict(claim, rooms), Verdict::Supported);
        let plots = "Plots 1–3 are sown with 320 seeds. Plots 4, 5 and 7 are sown with 380 seeds.";
        for (claim, is_supported) in [
            ("Plots 4, 5 and 7 are sown with 320 seeds.", false),
            ("Plots 1–3 are sown with 320 seeds.", true),
            ("Plots 1 to 3 are sown with 320 seeds.", true),
        ] {
            let is_so = verdict(claim, plots) == Verdict::Supported;
            assert_eq!(is_so, is_supported, "{claim}");
        }
    }
}

//! Numbers that a newer text says an older one gives wrongly: "The limit is 80 g/l, not 90".

use std::sync::LazyLock;

use super::misstatement::{asks_not_to_use, is_of_authors, may_tell_statement, misstated};
use crate::text::keywords::{Keywords, LazyKeywords};
use crate::text::numbers::{Quantity, is_year, quantities};
use crate::text::tables::record_fields;
use crate::text::terms::terms;
use crate::text::words::{first_phrase, fold, folded, is_stop_word, words};

/// A number that a sentence says is wrong.
struct Denied {
    wrong: Quantity,
    right: Quantity,
    /// `true` if its authors say so of what they said: of what, is mostly said before.
    is_of_authors: bool,
}

impl Denied {
    /// The unit of both numbers, "" without one.
    fn unit(&self) -> &str {
        if self.right.unit.is_empty() {
            &self.wrong.unit
        } else {
            &self.right.unit
        }
    }

    fn new(wrong: Quantity, right: Quantity) -> Option<Self> {
        let have_unit = wrong.unit == right.unit || wrong.unit.is_empty() || right.unit.is_empty();
        // "381,000 in 2025, not 412,000" denies no year.
        let have_unit = have_unit && (wrong.unit == "year") == (right.unit == "year");
        let is_other = wrong.value.total_cmp(&right.value).is_ne();
        (have_unit && is_other).then_some(Self {
            wrong,
            right,
            is_of_authors: false,
        })
    }
}

/// Phrases between a number and the one that takes its place; a closed list, written by hand.
const READ_AS: [&str; 6] = [
    " should read ",
    " should have read ",
    " must read ",
    " is corrected to ",
    " was corrected to ",
    " muss heißen ",
];

/// What stands between a number and the wrong one.
const NOT: &str = ", not ";

/// The maximum number of characters between "not" and the number: "up to". Chosen by hand.
const BEFORE_DENIED: usize = 12;

/// Words behind a number with which it is that of something else.
const COMPARED: [&str; 3] = ["as", "like", "wie"];

/// `false` for a text that neither denies nor corrects a number, nor says that its authors gave
/// one: it does not say, with what stands behind it either, that one is wrong.
pub fn may_deny_number(text: &str) -> bool {
    DENIAL_KEYWORDS.are_in(text) || may_tell_statement(text)
}

/// The keywords of a denial and of a correction.
static DENIAL_KEYWORDS: LazyKeywords =
    LazyLock::new(|| Keywords::new(READ_AS.iter().copied().chain([NOT])));

/// The numbers that a sentence says are wrong: "80 g/l, not 90", "90 g/l should read 80 g/l", "We
/// wrote 90 g/l; the correct figure is 80 g/l".
fn denied_numbers(sentence: &str) -> Vec<Denied> {
    if !may_deny_number(sentence) {
        return Vec::new();
    }
    let misstated = misstated(sentence);
    let numbers = quantities(sentence);
    let before = |at: usize| numbers.iter().rev().filter(move |own| own.range.end <= at);
    let behind = |at: usize| numbers.iter().find(move |own| own.range.start >= at);
    let misstated = misstated.map(|(wrong, right)| Denied {
        is_of_authors: is_of_authors(&sentence[..wrong.range.start]),
        wrong,
        right,
    });
    let denials = sentence.match_indices(NOT).filter_map(|(at, denial)| {
        let end = at + denial.len();
        let wrong = behind(end).filter(|own| own.range.start - end <= BEFORE_DENIED)?;
        // "Not 5 euros as in the old town" compares two things.
        let next = words(&sentence[wrong.range.end..]).next();
        if next.is_some_and(|next| COMPARED.contains(&fold(next.text).as_str())) {
            return None;
        }
        let is_of_kind = |own: &&Quantity| (own.unit == "year") == (wrong.unit == "year");
        let right = before(at).find(is_of_kind)?;
        Denied::new(wrong.clone(), right.clone())
    });
    let phrases = READ_AS.iter().flat_map(|own| sentence.match_indices(own));
    let read_as = phrases.filter_map(|(at, phrase)| {
        let right = behind(at + phrase.len())?;
        Denied::new(before(at).next()?.clone(), right.clone())
    });
    misstated
        .into_iter()
        .chain(denials)
        .chain(read_as)
        .collect()
}

/// `true` if a sentence may say that a number of another one is wrong.
pub fn denies_number(sentence: &str) -> bool {
    !denied_numbers(sentence).is_empty()
}

/// `true` if a sentence says which number is wrong, and another one gives that number with other
/// units alone: "80 g/l, not 90" is on no 90 mmHg.
pub fn denies_other_unit(sentence: &str, other: &str) -> bool {
    let of_unit = |own: &Denied| !own.unit().is_empty();
    denied_numbers(sentence)
        .into_iter()
        .find(of_unit)
        .is_some_and(|denied| {
            let stated = quantities(other);
            let is_wrong = |own: &&Quantity| own.value.total_cmp(&denied.wrong.value).is_eq();
            let mut same = stated.iter().filter(is_wrong).peekable();
            let has_other_unit = |own: &Quantity| {
                // The unit may be one that is not known.
                let mut behind = words(&other[own.range.end..]);
                let next = behind.next().map(|word| word.text);
                let is_unit =
                    |word: &str| word.starts_with(char::is_alphabetic) && !is_stop_word(word);
                own.unit != denied.unit() && (!own.unit.is_empty() || next.is_some_and(is_unit))
            };
            same.peek().is_some() && same.all(has_other_unit)
        })
}

/// The least number without a unit that is rarely of two things, and the number of terms that two
/// sentences on it share. Chosen by hand.
const TELLING: f64 = 1000.0;
const SHARED_TERMS: usize = 2;

/// The number of a sentence that another one says is wrong. One without a unit has to be of
/// the same thing by the words around it; fewer do where the first sentence is of a notice on the
/// document of the other.
fn denied(newer: &str, older: &str, is_of_notice: bool) -> Option<Denied> {
    let stated = quantities(older);
    denied_numbers(newer).into_iter().find(|denied| {
        let unit = denied.unit();
        let has = |value: f64| {
            let mut same = stated.iter().filter(|own| own.unit == unit);
            same.any(|own| own.value.total_cmp(&value).is_eq())
        };
        let is_of_thing = || {
            let [said, stated] = [newer, older].map(terms_around);
            let shared = stated.iter().filter(|term| said.contains(term)).count();
            let is_subject = subject(older).is_some_and(|term| said.contains(&term));
            if is_of_notice {
                denied.wrong.value >= TELLING || is_subject || shared >= SHARED_TERMS
            } else {
                shared >= SHARED_TERMS && (denied.wrong.value >= TELLING || is_subject)
            }
        };
        has(denied.wrong.value)
            && !has(denied.right.value)
            && (is_of_notice || !are_of_two_things(newer, older))
            && !are_of_two_years(newer, older)
            && (!matches!(unit, "" | "year") || denied.is_of_authors || is_of_thing())
    })
}

/// `true` if two sentences say the like of two things: "The tunnel is 160 metres long, not 190" of
/// no "The bridge is 190 metres long". All their terms but the first are the same.
fn are_of_two_things(newer: &str, older: &str) -> bool {
    let [said, stated] = [newer, older].map(terms_around);
    match (&said[..], &stated[..]) {
        ([one, said @ ..], [other, stated @ ..]) => {
            let is_alike = !said.is_empty() && said.len() == stated.len();
            one != other && is_alike && said.iter().all(|term| stated.contains(term))
        }
        _ => false,
    }
}

/// `true` if two sentences name years, and none in common.
fn are_of_two_years(newer: &str, older: &str) -> bool {
    let years = |text: &str| -> Vec<String> {
        let mut numbers = numbers(text);
        numbers.retain(|number| is_year(number));
        numbers
    };
    let (said, stated) = (years(newer), years(older));
    !said.is_empty() && !stated.is_empty() && !stated.iter().any(|year| said.contains(year))
}

/// `true` if a sentence says that a number of another one is wrong, [`corrected_number`].
pub(super) fn denies(newer: &str, older: &str, is_of_notice: bool) -> bool {
    denied(newer, older, is_of_notice).is_some()
}

/// The number that a sentence says is right, and the wrong one that another one gives, as written:
/// "80" and "90" by "80 g/l, not 90". The sentence may be of a notice on the document of the other.
pub fn corrected_number(newer: &str, older: &str, is_of_notice: bool) -> Option<[String; 2]> {
    let denied = denied(newer, older, is_of_notice)?;
    let written = |own: &Quantity| newer[own.range.clone()].to_owned();
    Some([written(&denied.right), written(&denied.wrong)])
}

/// The number of terms that two sentences share beside their numbers and the units of these.
pub fn shared_beside_numbers(one: &str, other: &str) -> usize {
    let [one, other] = [one, other].map(terms_around);
    one.iter().filter(|term| other.contains(term)).count()
}

/// The terms of a sentence without its numbers and their units.
fn terms_around(sentence: &str) -> Vec<String> {
    let mut rest = sentence.to_owned();
    for quantity in quantities(sentence).iter().rev() {
        rest.replace_range(quantity.range.clone(), " ");
    }
    let mut terms = terms(&rest);
    terms.retain(|term| !is_number(term));
    terms
}

/// The first term of a sentence, of a row of a table that of its first value.
fn subject(sentence: &str) -> Option<String> {
    let first = record_fields(sentence).next().map(|(_, value)| value);
    terms_around(first.unwrap_or(sentence)).into_iter().next()
}

/// Words for a number that does not hold; a closed list, written by hand.
const WRONG: &str = "is wrong, was wrong, were wrong, are wrong, is incorrect, was incorrect, \
    was a mistake, is a mistake, was an error, is an error, war falsch, ist falsch";

/// `true` if a newer sentence says that the number of an older one is wrong, "The threshold is
/// 80 g/l, not 90", "The figure of 1 in 200 was wrong", or asks not to use what it says.
pub fn corrects(newer: &str, older: &str) -> bool {
    denies(newer, older, false) || asks_not_to_use(newer, older) || {
        let (said, stated) = (folded(newer), numbers(older));
        let at = first_phrase(&said, WRONG);
        let named = at.map(|at| {
            let before = said[..at].iter();
            before.filter(|word| is_number(word)).collect::<Vec<_>>()
        });
        named.is_some_and(|named| {
            // "The flight of 1969 was a mistake" names no number that is wrong.
            !named.iter().all(|number| is_year(number))
                && named.iter().all(|number| stated.contains(*number))
        })
    }
}

/// The folded numbers of a text.
fn numbers(text: &str) -> Vec<String> {
    let words = words(text).map(|word| fold(word.text));
    words.filter(|word| is_number(word)).collect()
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_corrected_by_what_names_it() {
        let older = "Open the valve only below 90 kPa.";
        assert!(corrects("The limit is 80 kPa, not 90.", older));
        assert!(!corrects("The limit is 80 °C, not 90.", older));
        assert!(!corrects("The limit is 90 kPa, not 80.", older));
        assert!(denies_other_unit("The limit is 80 °C, not 90.", older));
        assert!(!denies_other_unit("The limit is 80 kPa, not 90.", older));
        assert!(denies_other_unit(
            "It is 80 g/l, not 90.",
            "It fell to 90 mmHg."
        ));
        let sold = "Lind sold 41,200 bicycles in 2025, more than before.";
        let right = "Lind sold 38,100 bicycles in the year 2025, not 41,200.";
        assert!(corrects(right, sold));
        assert!(!corrects(right, "The mill in Ghent ground 41,200 tonnes."));
        let tunnel = "The tunnel is 160 metres long, not 190 metres.";
        assert!(!corrects(tunnel, "The bridge is 190 metres long."));
        assert!(corrects(
            tunnel,
            "The tunnel under the harbour is 190 metres long."
        ));
        let ticket = "A ticket costs 4 euros, not 5 euros as in the old town.";
        assert!(!corrects(
            ticket,
            "A ticket for the old town costs 5 euros."
        ));
        let revenue = "The mill earned 64 million euros in 2025, not 61 million euros.";
        assert!(!corrects(
            revenue,
            "The mill earned 61 million euros in 2024."
        ));
        assert!(corrects(
            revenue,
            "In 2025 the mill earned 61 million euros."
        ));
        let falls = "Falls occurred in 3, not 9, members of the first group.";
        assert!(corrects(falls, "Falls occurred in 9 members of the group."));
        assert!(!corrects(
            falls,
            "Colds occurred in 9 members of the group."
        ));
        assert!(!corrects(
            "It opened in 2025, not 2024.",
            "It sold 2024 cars."
        ));
        let dose = "In the Methods, 4,000 IU should read 1,000 IU.";
        assert!(!corrects(dose, "They took 4,000 IU of it daily."));
        assert!(denies(dose, "They took 4,000 IU of it daily.", true));
        assert!(!denies(dose, "They took 1,000 IU, and not 4,000 IU.", true));
        assert!(corrects("The 90 that I gave you was wrong.", older));
        assert!(!corrects("The 70 that I gave you was wrong.", older));
    }
}

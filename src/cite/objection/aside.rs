//! Asides: what a sentence says of another name than the claim does. "Elected Ann against Bob" says
//! of Bob that he was not elected, and in "she succeeded Bob, who led it until 2023" Bob led it.

use super::super::alignment::has_word;
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::figure::Figure;
use super::super::statement::{ContentWord, Statement};

/// Words right before a name of which the verb of the sentence does not hold.
const EXCLUDING: &[&str] = &["against", "unlike", "except", "without"];

/// The same of two words.
const EXCLUDING_PAIRS: &[[&str; 2]] = &[
    ["instead", "of"],
    ["rather", "than"],
    ["other", "than"],
    ["place", "of"],
];

/// The objection to a claim that says of one name what its sentence says of another.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let item = chosen.find_map(|own| {
        excluded(coverage, claim, own)
            .or_else(|| of_relative_clause(coverage, claim, own))
            .or_else(|| other_side(claim, own))
    });
    item.map(|item| Objection::doubt(Difference::Binding(item)))
}

/// A name of the claim that its sentence excludes, where it says the same of a name that the claim
/// does not have.
fn excluded(coverage: &Coverage<'_>, claim: &Statement, own: &Statement) -> Option<String> {
    let is_other = |word: &&ContentWord| is_name(word) && !has_word(&claim.words, word);
    if !own.words.iter().any(|word| is_other(&word)) {
        return None;
    }
    let mut names = claim.words.iter().filter(|word| is_name(word));
    let name = names.find(|name| {
        let is_excluded = |statement: &Statement| {
            let same = |at: &usize| has_word(std::slice::from_ref(&statement.words[*at]), name);
            let mut places = (0..statement.words.len()).filter(same).peekable();
            places.peek().is_some() && places.all(|at| is_behind_exclusion(statement, at))
        };
        is_excluded(own)
            && !is_excluded(claim)
            && !coverage.sentences().any(|other| {
                has_word(&other.words, name) && !is_excluded(other) && shares_verb(claim, other)
            })
    })?;
    Some(name.folded.clone())
}

/// `true` if another sentence has a word of the claim that is no name.
fn shares_verb(claim: &Statement, other: &Statement) -> bool {
    let mut words = claim.words.iter().filter(|word| !is_name(word));
    words.any(|word| has_word(&other.words, word))
}

/// `true` if the row of names that a word is in follows a word of exclusion.
fn is_behind_exclusion(statement: &Statement, at: usize) -> bool {
    let first = row_before(statement, at);
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let before = &tokens[..statement.words[first].position];
    match before {
        // "Elected with 52 votes against 20 for Bob".
        [.., "against", _, "for"] => true,
        [.., one, other] if EXCLUDING_PAIRS.contains(&[*one, *other]) => true,
        [.., one] => EXCLUDING.contains(one),
        [] => false,
    }
}

/// The first word of the row of names that a word ends or is in.
fn row_before(statement: &Statement, at: usize) -> usize {
    let words = &statement.words;
    let mut first = at;
    while first > 0
        && is_name(&words[first - 1])
        && words[first - 1].position + 1 == words[first].position
        && !words[first].follows_mark
    {
        first -= 1;
    }
    first
}

/// A number of the claim that stands in a relative clause on a name that the claim does not have.
fn of_relative_clause(
    coverage: &Coverage<'_>,
    claim: &Statement,
    own: &Statement,
) -> Option<String> {
    let who = own.normal.split(' ').position(|token| token == "who")?;
    let start = own.words.partition_point(|word| word.position < who);
    let holder = own.words.get(start.checked_sub(1)?)?;
    let is_clause = is_name(holder) && holder.position + 1 == who;
    let has_names = claim.words.iter().any(is_name);
    if !is_clause || !has_names || has_word(&claim.words, holder) {
        return None;
    }
    let is_inside = |figure: &&Figure| {
        let in_clause = |other: &Figure| other.at >= start && figure.equals(other);
        own.figures.iter().any(in_clause)
    };
    let is_outside = |figure: &Figure| {
        let equals = |other: &Figure| figure.equals(other);
        coverage.sentences().any(|sentence| {
            let is_own = std::ptr::eq(sentence, own);
            let mut figures = sentence.figures.iter();
            figures.any(|other| equals(other) && !(is_own && other.at >= start))
        })
    };
    let mut figures = claim.figures.iter().filter(is_inside);
    let figure = figures.find(|figure| !is_outside(figure))?;
    Some(figure.shown())
}

/// A word that the claim has behind "for" or "with", and its sentence behind "against" or
/// "without".
fn other_side(claim: &Statement, own: &Statement) -> Option<String> {
    const SIDES: [[&str; 2]; 2] = [["for", "against"], ["with", "without"]];
    let before = |statement: &Statement, position: usize| -> Option<String> {
        let tokens: Vec<&str> = statement.normal.split(' ').collect();
        let mut before = tokens.get(..position)?.iter().rev();
        let side = before.find(|token| !matches!(**token, "a" | "an" | "the" | "any"))?;
        Some((*side).to_owned())
    };
    let is_turned = |word: &&ContentWord| {
        let mut others = own.words.iter().filter(|other| other.stem == word.stem);
        others.any(|other| {
            let sides = [before(claim, word.position), before(own, other.position)];
            let [Some(one), Some(other)] = &sides else {
                return false;
            };
            let turned = |[a, b]: &[&str; 2]| one == a && other == b || one == b && other == a;
            SIDES.iter().any(turned)
        })
    };
    let word = claim.words.iter().find(is_turned)?;
    Some(word.folded.clone())
}

fn is_name(word: &ContentWord) -> bool {
    word.is_name && !word.is_month()
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_holds_of_one_name_does_not_of_the_other() {
        let election = "In 2023 the members elected Ruth Adler with 88 to 41 votes against Colin \
                        Marsh.";
        let people = "Ruth Adler has chaired the club since March 2023. She succeeded Colin \
                      Marsh, who had been chair from 2014 to 2023.";
        assert_supported(&[
            ("In 2023 the members elected Ruth Adler.", election, true),
            ("In 2023 the members elected Colin Marsh.", election, false),
            (
                "In 2023 the members elected Colin Marsh with 88 to 41 votes.",
                election,
                false,
            ),
            (
                "Ruth Adler won with 88 to 41 votes against Colin Marsh.",
                "Ruth Adler won with 88 to 41 votes against Colin Marsh.",
                true,
            ),
            (
                "Colin Marsh was elected chair.",
                "Ruth Adler was elected chair with 52 votes against 20 for Colin Marsh.",
                false,
            ),
            (
                "The meeting voted 49 to 31 for admitting dogs.",
                "The meeting voted 49 to 31 against admitting dogs.",
                false,
            ),
            (
                "Passes can be paused without a doctor's note.",
                "Passes can be paused with a doctor's note.",
                false,
            ),
            ("Ruth Adler was chair from 2014 to 2023.", people, false),
            ("Colin Marsh was chair from 2014 to 2023.", people, true),
            (
                "Ruth Adler has chaired the club since March 2023.",
                people,
                true,
            ),
        ]);
    }
}

//! Groups: which of the values that a sentence gives to several groups a claim is on.

use super::alignment::{SAME_WORD, similarity};
use super::statement::Statement;
use super::statement::coordination::Part;
use super::statement::figure::Figure;

/// The number of a claim that a sentence gives to the group which the claim names, and which may
/// have its unit from the value before: "14 euros in town, 11 in the suburbs".
pub(super) fn given<'a>(claim: &'a Statement, own: &Statement) -> Option<&'a Figure> {
    let figures = (0..claim.figures.len()).map(Part::Figure);
    let cell: Vec<Part> = (0..claim.words.len())
        .map(Part::Word)
        .chain(figures)
        .collect();
    let says = |part: &Part| cell.iter().any(|one| is_said(claim, *one, own, *part));
    own.coordinations.iter().find_map(|list| {
        let mut named = list.iter().filter(|own| own.group.iter().any(says));
        let member = named.next().filter(|_| named.next().is_none())?;
        let mut claimed = (0..claim.figures.len()).map(Part::Figure);
        let figure = claimed.find(|figure| is_said(claim, *figure, own, member.value))?;
        match figure {
            Part::Figure(figure) => claim.figures.get(figure),
            Part::Word(_) => None,
        }
    })
}

/// `true` if a word or a number of a claim is one of its sentence.
pub(super) fn is_said(claim: &Statement, one: Part, own: &Statement, other: Part) -> bool {
    match (one, other) {
        (Part::Word(one), Part::Word(other)) => {
            similarity(&claim.words[one], &own.words[other]) >= SAME_WORD
        }
        (Part::Figure(one), Part::Figure(other)) => {
            let (one, other) = (&claim.figures[one], &own.figures[other]);
            let is_said = one.is_said_by(other) || has_same_number(one, other);
            is_said && one.bound == other.bound
        }
        _ => false,
    }
}

/// `true` if two figures have one number; the second of two may leave out its unit.
pub(super) fn has_same_number(one: &Figure, other: &Figure) -> bool {
    let is_unit = one.unit == other.unit || other.unit.is_empty() || one.unit.is_empty();
    one.digits == other.digits && is_unit
}

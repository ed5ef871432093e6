//! Bounds: on which side of a number something is said. "Cheaper above 2.3" says the contrary of
//! "cheaper below 2.3".

use super::figure::{Bound, Figure};
use super::statement::Statement;

/// A number of a claim with the same number of a sentence that bounds it from the other side, if
/// all that the sentence says of this number does.
pub(super) fn turned<'a>(
    claim: &'a Statement,
    own: &'a Statement,
) -> Option<(&'a Figure, &'a Figure)> {
    claim.figures.iter().find_map(|figure| {
        let mut same = own.figures.iter().filter(|other| figure.equals(other));
        let first = same.next()?;
        let is_opposite = |other: &Figure| {
            let bounds = (figure.bound, other.bound);
            matches!(
                bounds,
                (Bound::Lower, Bound::Upper) | (Bound::Upper, Bound::Lower)
            )
        };
        (is_opposite(first) && same.all(is_opposite)).then_some((figure, first))
    })
}

/// A number with its bound.
pub(super) fn shown(figure: &Figure) -> String {
    let bound = match figure.bound {
        Bound::None => "",
        Bound::Lower => "above ",
        Bound::Upper => "below ",
    };
    format!("{bound}{}", figure.shown())
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn what_is_so_above_a_number_is_not_said_of_less() {
        let above = "A pump is cheap to run as soon as the factor is above about 2.3.";
        let limit = "The trailer carries no more than about 300 kg of coal.";
        for (claim, passage, verdict) in [
            (
                "A pump is cheap to run as soon as the factor is above about 2.3.",
                above,
                Verdict::Supported,
            ),
            (
                "A pump is cheap to run as soon as the factor is below about 2.3.",
                above,
                Verdict::Contradicted,
            ),
            (
                "A pump is cheap to run if the factor is under 2.3.",
                above,
                Verdict::Contradicted,
            ),
            (
                "The trailer carries at most 300 kg of coal.",
                limit,
                Verdict::Supported,
            ),
            (
                "The trailer carries more than 300 kg of coal.",
                limit,
                Verdict::Contradicted,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }

    #[test]
    fn the_opposite_on_the_other_side_of_a_number_is_no_contradiction() {
        let above = "A pump is cheaper to run than a boiler if the factor is above 2.3.";
        let turned = "A pump is more expensive to run than a boiler if the factor is below 2.3.";
        let verdict = support(turned, above).verdict;
        assert_ne!(verdict, Verdict::Contradicted);
    }
}

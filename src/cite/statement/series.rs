//! Series: "in two doses" is what a sentence says that lists the two, "2 t in autumn and 2 t in
//! spring", though it has no number 2.

use super::Statement;
use super::figure::Figure;

/// The numbers of parts that a sentence lists.
const PARTS: std::ops::RangeInclusive<usize> = 2..=9;

/// The numbers of a claim by which it counts the parts of a series that a sentence lists.
pub(in crate::cite) fn counted<'a>(
    claim: &'a Statement,
    own: &'a Statement,
) -> impl Iterator<Item = &'a Figure> {
    let counts = claim.figures.iter();
    let counts = counts.filter_map(|figure| Some((figure, parts(claim, figure)?)));
    counts
        .filter(|(figure, parts)| {
            lists_the_same(claim, figure, *parts, own)
                || !lists(claim, figure) && is_series(own, *parts)
        })
        .map(|(figure, _)| figure)
}

/// The number of parts in which something is done: 2 for "in two doses".
fn parts(statement: &Statement, figure: &Figure) -> Option<usize> {
    let parts = figure.digits.parse().ok();
    let parts = parts.filter(|parts| figure.unit.is_empty() && PARTS.contains(parts))?;
    let noun = statement.words.get(figure.at)?;
    let tokens: Vec<&str> = statement.normal.split(' ').take(noun.position).collect();
    let is_in = tokens.ends_with(&["in", &figure.digits]);
    (is_in && noun.folded.ends_with('s')).then_some(parts)
}

/// The sizes behind a number, of the unit of the first of them.
fn sizes_behind<'a>(statement: &'a Statement, count: &'a Figure) -> Vec<&'a Figure> {
    let behind = |own: &&Figure| own.range.start > count.range.start && is_size(own);
    let sizes: Vec<&Figure> = statement.figures.iter().filter(behind).collect();
    let unit = sizes.first().map(|first| first.unit.as_str());
    let of_unit = sizes.into_iter().filter(|own| Some(&*own.unit) == unit);
    of_unit.collect()
}

fn is_size(figure: &Figure) -> bool {
    !figure.unit.is_empty() && !figure.is_date()
}

/// `true` if a claim lists sizes itself behind the number of them.
fn lists(claim: &Statement, count: &Figure) -> bool {
    !sizes_behind(claim, count).is_empty()
}

/// `true` if a claim lists as many sizes as it says, and a sentence has all of them.
fn lists_the_same(claim: &Statement, count: &Figure, parts: usize, own: &Statement) -> bool {
    let sizes = sizes_behind(claim, count);
    let is_said = |size: &Figure| own.figures.iter().any(|other| size.is_said_by(other));
    let is_listed = |other: &&Figure| sizes.iter().any(|size| size.is_said_by(other));
    sizes.len() == parts
        && sizes.iter().all(|size| is_said(size))
        && own.figures.iter().filter(is_listed).count() >= parts
}

/// `true` if a sentence gives as many sizes of one unit, and no more, the last behind an "and".
fn is_series(own: &Statement, parts: usize) -> bool {
    let sizes: Vec<&Figure> = own.figures.iter().filter(|own| is_size(own)).collect();
    let [.., before, last] = &sizes[..] else {
        return false;
    };
    let is_of_unit = sizes.iter().all(|size| size.unit == last.unit);
    let position = |at: usize| own.words.get(at).map(|word| word.position);
    let from = before.at.checked_sub(1).and_then(position).unwrap_or(0);
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let end = position(last.at).unwrap_or(tokens.len());
    let is_joined = tokens[from..end].contains(&"and");
    sizes.len() == parts && is_of_unit && is_joined
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn parts_that_a_sentence_lists_are_counted() {
        let split = "No more than 3 t/ha should be given at a time, so the lime of Field 4 is \
                     split: 3 t/ha in 2024 and 1 t/ha in 2026.";
        let doses = "The lime is given in doses of 2 t in autumn and 2 t in spring.";
        assert_supported(&[
            (
                "Field 4 gets its lime in two parts, 3 t/ha in 2024 and 1 t/ha in 2026.",
                split,
                true,
            ),
            (
                "Field 4 gets its lime in three parts, 3 t/ha in 2024 and 1 t/ha in 2026.",
                split,
                false,
            ),
            ("The lime is given in two doses.", doses, true),
            ("The lime is given in three doses.", doses, false),
            (
                "The lime is given in two years.",
                "The lime is given.",
                false,
            ),
        ]);
    }
}

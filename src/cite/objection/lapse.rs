//! Lapses: what a claim says of now, and its sentence of the time before a change, or of what it
//! excepts.

use super::super::alignment::Alignment;
use super::super::restatement::{Difference, Objection};
use super::super::statement::ContentWord;
use super::super::statement::figure::Figure;
use super::super::statement::validity::Validity;

/// A number or a word of a claim that its sentence says as it was before a change, or excepts.
pub(super) fn objection(there: &Alignment<'_>) -> Option<Objection> {
    number(there).or_else(|| word(there))
}

/// A number of a claim that its sentence says as it was before a change, and in no other place.
fn number(there: &Alignment<'_>) -> Option<Objection> {
    // "The fee is no longer 5 euros" is what it says.
    if there.tells_of_change() {
        return None;
    }
    let own = || there.other.figures.iter();
    let mut figures = there.one.figures.iter();
    let figure = figures.find(|figure| {
        let mut same = own().filter(|other| figure.equals(other)).peekable();
        let is_former = |other: &Figure| !figure.validity.admits(false, other.validity);
        same.peek().is_some() && same.all(is_former) && !own().any(|other| figure.is_said_by(other))
    })?;
    let number = figure.written.trim().to_owned();
    Some(Objection::contradiction(Difference::Former(number)))
}

/// A word of a claim that its sentence says as it was before a change, or excepts.
fn word(there: &Alignment<'_>) -> Option<Objection> {
    there.pairs().find_map(|(one, other)| {
        let (word, own) = (&there.one.words[one], &there.other.words[other]);
        // "On the trail dogs are not allowed" denies what is excepted, too.
        let is_excepted = own.validity == Validity::Excepted && there.one.negations % 2 == 1;
        if word.validity.admits(word.is_negated, own.validity)
            || is_excepted
            || says_too(there, own.validity, one)
        {
            return None;
        }
        Some(lapsed(word.folded.clone(), own.validity))
    })
}

/// The objection to a word that a sentence says in this way.
fn lapsed(word: String, validity: Validity) -> Objection {
    match validity {
        Validity::Excepted => Objection::contradiction(Difference::Exception(word)),
        Validity::Proposed => Objection::contradiction(Difference::Proposal(word)),
        _ => Objection::contradiction(Difference::Former(word)),
    }
}

/// A number or a word of a claim that its best sentence has not, and another one only as it was
/// before a change, or as what is excepted or asked for: "once per shift; this replaces the weekly
/// inspection".
pub(super) fn beside(best: &Alignment<'_>, other: &Alignment<'_>) -> Option<Objection> {
    let is_lacking = |one: usize| !best.pairs().any(|(own, _)| own == one);
    let word = other.pairs().find_map(|(one, at)| {
        let (word, own) = (&other.one.words[one], &other.other.words[at]);
        let is_admitted = word.validity.admits(word.is_negated, own.validity);
        let is_lapsed = is_lacking(one) && !is_admitted && !says_too(other, own.validity, one);
        is_lapsed.then(|| lapsed(word.folded.clone(), own.validity))
    });
    word.or_else(|| {
        let is_there = |figure: &Figure| {
            let mut figures = best.other.figures.iter();
            figures.any(|own| figure.equals(own))
        };
        number(other).filter(|_| !other.one.figures.iter().any(is_there))
    })
}

/// `true` for a word of a claim that its sentence says in such a way.
pub(super) fn is_lapsed(there: &Alignment<'_>, word: &ContentWord) -> bool {
    there.pairs().any(|(one, other)| {
        let own = there.other.words[other].validity;
        std::ptr::eq(&there.one.words[one], word) && !word.validity.admits(word.is_negated, own)
    })
}

/// `true` if a claim denies what its sentence excepts: "not accredited for lead".
pub(super) fn denies_exception(there: &Alignment<'_>) -> bool {
    there.pairs().any(|(one, other)| {
        let (word, own) = (&there.one.words[one], &there.other.words[other]);
        // What both except is no other negation of the claim.
        let is_excepted = |word: &ContentWord| word.validity == Validity::Excepted;
        word.is_negated && is_excepted(own) && !is_excepted(word)
    })
}

/// `true` if the sentence says a word of the claim in another place as well.
fn says_too(there: &Alignment<'_>, validity: Validity, one: usize) -> bool {
    let word = &there.one.words[one];
    let mut words = there.other.words.iter();
    words.any(|own| own.stem == word.stem && own.validity != validity)
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::tests::assert_supported;

    #[test]
    fn value_before_a_change_is_not_that_of_now() {
        let fee = "The fixed fee of £48,200 is raised to £53,650.";
        let gravel = "The amount of gravel is reduced from 240 tonnes to 180 tonnes, and the \
                      second riffle is moved 25 m downstream.";
        let report = "The final report is due on 26 February 2027 instead of 30 November 2026.";
        let contract = "The contract was to end on 31 December 2026. It now ends on 31 March 2027.";
        let price = "The fee was £100 before June; since then it has been £120.";
        let desk = "From 8 June the desk is in the corridor, no longer in the attic office.";
        let hours = "Until then the workshop closes at 13:00 on Saturday.";
        let office = "The office moved from Leeds to York in 2024.";
        let team = "In version 2 a team of two was allowed on small streams; that exception has \
                    been withdrawn.";
        assert_supported(&[
            ("The fixed fee is £48,200.", fee, false),
            ("The fixed fee is £53,650.", fee, true),
            ("The fixed fee was £48,200.", fee, true),
            (
                "The fixed fee is raised from £48,200 to £53,650.",
                fee,
                true,
            ),
            ("The amount of gravel is 240 tonnes.", gravel, false),
            ("The amount of gravel is 180 tonnes.", gravel, true),
            (
                "The final report is due on 30 November 2026.",
                report,
                false,
            ),
            ("The final report is due on 26 February 2027.", report, true),
            (
                "The final report is due on 26 February 2027, not on 30 November 2026.",
                report,
                true,
            ),
            ("The contract ends on 31 December 2026.", contract, false),
            ("The contract ends on 31 March 2027.", contract, true),
            ("The fee is £100.", price, false),
            ("The fee is £120.", price, true),
            ("The desk is in the attic office.", desk, false),
            ("The desk was in the attic office.", desk, true),
            (
                "The dose before therapy is 5 mg.",
                "The dose before therapy is lowered from 5 mg to 2 mg.",
                false,
            ),
            ("The desk is no longer in the attic office.", desk, true),
            ("The desk is in the corridor.", desk, true),
            ("On Saturday the workshop closes at 13:00.", hours, false),
            ("The office is in Leeds.", office, false),
            ("The office is in York.", office, true),
            ("A team of two is allowed on small streams.", team, false),
            (
                "Sales were 3 million in 2019.",
                "Sales rose from 3 million in 2019 to 5 million in 2020.",
                true,
            ),
            (
                "The shop is open until 5 p.m.",
                "The shop is open from 9 a.m. to 5 p.m.",
                true,
            ),
        ]);
    }

    #[test]
    fn what_was_moved_is_named_by_where_it_was() {
        let tubes = "Ann moved the tubes from shelf 3 to shelf 1.";
        let keys = "The keys were moved from the cellar to the attic.";
        assert_supported(&[
            ("The tubes from shelf 3 are now on shelf 1.", tubes, true),
            ("The tubes from shelf 1 are now on shelf 3.", tubes, false),
            ("The tubes from shelf 3 are on shelf 3.", tubes, false),
            ("The tubes are on shelf 3.", tubes, false),
            ("The keys from the cellar are in the attic.", keys, true),
            ("The keys are in the cellar.", keys, false),
        ]);
    }

    #[test]
    fn what_is_excepted_is_not_so() {
        let laboratory = "The laboratory is accredited for all parameters with the exception of \
                          eDNA.";
        let museum = "The museum is open every day except Mondays.";
        assert_supported(&[
            ("The laboratory is accredited for eDNA.", laboratory, false),
            (
                "The laboratory is not accredited for eDNA.",
                laboratory,
                true,
            ),
            (
                "The laboratory is accredited for lead.",
                "The laboratory is accredited for everything but lead.",
                false,
            ),
            ("The museum is open on Mondays.", museum, false),
            (museum, museum, true),
            (
                "Dogs are allowed in the garden.",
                "Dogs are allowed everywhere other than in the garden.",
                false,
            ),
        ]);
    }

    #[test]
    fn what_both_except_is_no_other_negation() {
        assert_supported(&[(
            "Only the receipt of aid is not considered, not land bought from the state.",
            "Only the receipt of aid is considered, not land bought from the state.",
            false,
        )]);
    }

    #[test]
    fn what_is_excepted_may_be_denied_before_its_negation() {
        let dogs = "Hunde sind auf allen Wegen erlaubt, ausgenommen auf dem Lehrpfad.";
        let verdict = |claim| crate::cite::support(claim, dogs).verdict;
        let denied = verdict("Hunde sind auf dem Lehrpfad nicht erlaubt.");
        assert_ne!(denied, Verdict::Contradicted);
        let allowed = verdict("Hunde sind auf dem Lehrpfad erlaubt.");
        assert_eq!(allowed, Verdict::Contradicted);
    }
}

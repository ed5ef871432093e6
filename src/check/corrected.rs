//! Corrections: a claim that a document contradicts by a number, and another document corrects that
//! number: "The correct consumption is 421,600 kWh, not 412,000 kWh."

use std::ops::Range;

use super::evidence::{Candidate, candidates_of};
use super::outcome::{CheckedSentence, Finding, Match};
use super::rivals::superseding;
use super::sources::Sources;
use crate::artifact::verification::Verdict;
use crate::cite::{self, Support};
use crate::text;

/// The number of documents that are looked at, the nearest to the claim first. Chosen by hand.
const DOCUMENTS: usize = 8;

/// The number of passages of such a document that are looked at. Chosen by hand.
const PASSAGES: usize = 3;

/// The words of another document in force that change what contradicts a claim to what it says, and
/// the support of the claim by what is so then.
pub(super) fn correction(
    claim: &str,
    sentence: &CheckedSentence,
    sources: &mut Sources<'_>,
) -> Option<(Match, Support)> {
    let best = sentence.best.as_ref()?;
    if sentence.verdict != Finding::Contradicted || !sentence.citations.is_empty() {
        return None;
    }
    let nearest = sources.nearest(claim, DOCUMENTS);
    let all = sources.all();
    let own = all.iter().find(|source| source.name == best.source)?;
    let mut others = nearest
        .iter()
        .filter(|other| other.name != own.name && !other.status.is_not_in_force());
    others.find_map(|other| {
        let changing = superseding(&best.text, (own, best.start), other)?;
        let is_said = |own: &Support| matches!(own.verdict, Verdict::Supported | Verdict::Partial);
        let changed = changed(&best.text, claim, &changing.text);
        let changed = changed
            .map(|changed| cite::support(claim, &changed))
            .filter(is_said);
        // What corrects several numbers at once says the claim itself.
        let Some(support) = changed else {
            let own = candidates_of(claim, 0, other, PASSAGES);
            let says_numbers = |own: &Candidate| {
                let [.., numbers, _] = own.support.measures;
                is_said(&own.support) && numbers == 0.0
            };
            let said = own.into_iter().find(says_numbers)?;
            return Some((other.matching(&said.sentence()?)?, said.support));
        };
        Some((changing, support))
    })
}

/// A sentence with the number of a claim in the place of its own, if a third one gives the former
/// for the latter.
fn changed(sentence: &str, claim: &str, changing: &str) -> Option<String> {
    let lacks =
        |text: &str, number: &str| !numbers(text).iter().any(|own| &text[own.clone()] == number);
    let of_claim = numbers(claim);
    let mut missing = of_claim
        .iter()
        .filter(|own| lacks(sentence, &claim[(*own).clone()]));
    let (new, None) = (missing.next()?, missing.next()) else {
        return None;
    };
    let value = &claim[new.clone()];
    // The day of the old number is none of the new one.
    let is_of_change = of_claim
        .iter()
        .all(|own| !lacks(changing, &claim[own.clone()]));
    let mut months = text::MONTHS
        .iter()
        .filter(|month| text::names_month(claim, month));
    if !is_of_change || !months.all(|month| text::names_month(changing, month)) {
        return None;
    }
    let unit = unit(claim, new);
    let own = numbers(sentence).into_iter();
    let own = own.filter(|own| lacks(claim, &sentence[own.clone()]));
    let own: Vec<Range<usize>> = own
        .filter(|own| self::unit(sentence, own) == unit)
        .collect();
    let is_named = |own: &&Range<usize>| !lacks(changing, &sentence[(*own).clone()]);
    let old = match &own[..] {
        [old] => old,
        own => {
            let mut named = own.iter().filter(is_named);
            let old = named.next().filter(|_| named.next().is_none());
            old?
        }
    };
    Some([&sentence[..old.start], value, &sentence[old.end..]].concat())
}

/// The unit of a number of a text: the sign before it, or else the word behind it, folded.
fn unit(text: &str, number: &Range<usize>) -> String {
    let sign = text[..number.start].chars().next_back();
    let sign = sign.filter(|sign| matches!(sign, '£' | '$' | '€'));
    let next = text::words(&text[number.end..]).next();
    let next = || next.map(|word| text::fold(word.text));
    sign.map(String::from).or_else(next).unwrap_or_default()
}

/// The byte ranges of the numbers of a text.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let words = text::words(text);
    let numbers = words.filter(|word| word.text.starts_with(|c: char| c.is_ascii_digit()));
    numbers.map(|word| word.range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_that_is_corrected_is_changed() {
        let report = "In 2025 it used 412,000 kWh of gas and 138,500 kWh of electricity.";
        let mail = "The correct gas consumption for 2025 is 421,600 kWh, not 412,000 kWh.";
        let claim = "In 2025 it used 421,600 kWh of gas.";
        let expected = report.replace("412,000", "421,600");
        assert_eq!(changed(report, claim, mail), Some(expected));
        assert_eq!(changed(report, "In 2025 it used 9 kWh of gas.", mail), None);
        let fee = "From 1 May clubs pay £32 per hour.";
        let minutes = "The rate for clubs is therefore set at £36 from 1 April.";
        let expected = fee.replace("32", "36");
        assert_eq!(
            changed(fee, "Clubs pay £36 per hour.", minutes),
            Some(expected)
        );
        let dated = "From 1 May clubs pay £36 per hour.";
        assert_eq!(changed(fee, dated, minutes), None);
    }
}

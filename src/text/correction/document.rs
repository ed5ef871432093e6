//! Notices that correct a whole document: "Correction to incident 5: delayed letters".

use crate::text::quantities;
use crate::text::terms::terms;
use crate::text::words::folded;

/// Words of the title of such a notice, in English and German; a closed list, written by hand.
const NOTICES: &[&str] = &[
    "correction",
    "corrections",
    "corrigendum",
    "erratum",
    "errata",
    "berichtigung",
    "korrektur",
    "richtigstellung",
];

/// Words that deny; a closed list, written by hand.
const DENIALS: &[&str] = &[
    "no", "not", "never", "none", "cannot", "kein", "keine", "keinen", "nicht", "nie",
];

/// The share of the terms of an old sentence that a new one has which says otherwise, in tenths.
/// Chosen by hand.
const SHARED_TENTHS: usize = 6;

/// `true` if a title says that its document corrects the one of another title.
pub fn is_correction_of(title: &str, other: &str) -> bool {
    let words = folded(title);
    let is_notice = words.iter().any(|word| NOTICES.contains(&word.as_str()));
    let (own, others) = (terms(title), terms(other));
    let corrects = |word: &String| NOTICES.contains(&word.as_str());
    is_notice
        && !others.is_empty()
        && others.iter().all(|term| own.contains(term))
        && !folded(other).iter().any(corrects)
}

/// `true` if a sentence of such a notice says otherwise what another sentence says: most of its
/// words, with another number or the opposite.
pub fn says_otherwise(newer: &str, older: &str) -> bool {
    let is_word = |term: &String| !term.contains(|c: char| c.is_ascii_digit());
    let (own, old) = (terms(newer), terms(older));
    let old: Vec<&String> = old.iter().filter(|term| is_word(term)).collect();
    let shared = old.iter().filter(|term| own.contains(term)).count();
    let is_denied = |text: &str| {
        let mut words = folded(text).into_iter();
        words.any(|word| DENIALS.contains(&word.as_str()))
    };
    let values = |text: &str| -> Vec<f64> {
        quantities(text)
            .into_iter()
            .map(|quantity| quantity.value)
            .collect()
    };
    let (said, stated) = (values(newer), values(older));
    let has_other = !said.is_empty() && stated.iter().any(|value| !said.contains(value));
    !old.is_empty()
        && 10 * shared >= SHARED_TENTHS * old.len()
        && (has_other || stated.is_empty() && is_denied(newer) != is_denied(older))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_corrects_the_document_whose_title_it_has() {
        let title = "Correction to incident 5: delayed letters";
        assert!(is_correction_of(title, "Incident 5: delayed letters"));
        assert!(!is_correction_of(title, "Incident 6: lost parcels"));
        assert!(!is_correction_of("Incident 5: delayed letters", title));
    }

    #[test]
    fn another_number_or_the_opposite_is_said_otherwise() {
        for (newer, older, is_otherwise) in [
            (
                "Returns were affected as well.",
                "Returns were not affected.",
                true,
            ),
            (
                "About 460 offices were affected.",
                "About 300 offices were affected.",
                true,
            ),
            (
                "The cause was not a broken belt.",
                "The cause was a broken belt.",
                true,
            ),
            (
                "About 300 offices were affected.",
                "About 300 offices were affected.",
                false,
            ),
            ("It lasted until noon.", "No letters were lost.", false),
        ] {
            assert_eq!(says_otherwise(newer, older), is_otherwise, "{newer}");
        }
    }
}

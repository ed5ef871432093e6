//! Notices that correct a whole document: "Correction to incident 5: delayed letters".

use std::sync::LazyLock;

use super::number::denies;
use crate::text::keywords::{Keywords, LazyKeywords};
use crate::text::numbers::{MONTHS, quantities};
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

static NOTICE_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(NOTICES.iter().copied()));

/// Words that deny; a closed list, written by hand.
const DENIALS: &[&str] = &[
    "no", "not", "never", "none", "cannot", "kein", "keine", "keinen", "nicht", "nie",
];

/// The share of the terms of an old sentence that a new one has which says otherwise, in tenths.
/// Chosen by hand.
const SHARED_TENTHS: usize = 6;

/// `true` if a title is that of a notice that corrects something.
pub fn is_correction(title: &str) -> bool {
    let has_notice = || {
        let mut words = folded(title).into_iter();
        words.any(|word| NOTICES.contains(&word.as_str()))
    };
    NOTICE_KEYWORDS.are_in(title) && has_notice()
}

/// `true` if a title says that its document corrects the one of another title.
pub fn is_correction_of(title: &str, other: &str) -> bool {
    if !is_correction(title) {
        return false;
    }
    let (own, others) = (terms(title), terms(other));
    !others.is_empty() && others.iter().all(|term| own.contains(term)) && !is_correction(other)
}

/// The least number of terms by which the title of a notice names a document. Chosen by hand.
const NAMING_TERMS: usize = 4;

/// `true` if a title says that its document corrects one that it names, and not the one of another
/// title: "Correction to the press release of 10 May" names none.
pub fn corrects_another(title: &str, other: &str) -> bool {
    if !is_correction(title) {
        return false;
    }
    let is_name = |word: &String| {
        let is_day = word.starts_with(|c: char| c.is_ascii_digit());
        !is_day && !NOTICES.contains(&word.as_str()) && !MONTHS.contains(&word.as_str())
    };
    let named: Vec<String> = folded(title).into_iter().filter(is_name).collect();
    let named = terms(&named.join(" "));
    let others = terms(other);
    let shared = named.iter().filter(|term| others.contains(term)).count();
    named.len() >= NAMING_TERMS && 2 * shared < named.len()
}

/// `true` if a sentence of such a notice says otherwise what another sentence says: that its number
/// is wrong, or most of its words with another number or the opposite.
pub fn says_otherwise(newer: &str, older: &str) -> bool {
    if denies(newer, older, true) {
        return true;
    }
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
        let erratum = "Erratum: Tea and sleep in the houses of Ghent";
        assert!(corrects_another(erratum, "The harvest of rye"));
        assert!(!corrects_another(
            erratum,
            "Tea and sleep in the houses of Ghent"
        ));
        assert!(!corrects_another(
            "Correction to the letter of 10 May 2026",
            "Rye"
        ));
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

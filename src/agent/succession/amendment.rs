//! Amendments: documents whose titles say that they change another one.

use super::phrases::{DatedSentence, meets_all, share_most, shares_half};
use crate::answering::{AnswerType, Question};
use crate::text::{self, folded};

/// Words for a document that changes another one; a closed list, written by hand.
const AMENDMENTS: &[&str] = &["addendum", "amendment", "rider", "supplement", "variation"];

/// Verbs of the title of such a document, right before what it changes.
const AMENDING: [&str; 2] = ["amending", "amends"];

/// `true` if a sentence of an amendment answers what one of the document that it changes does: "The
/// supervisor is Ann Berg", under "Amendment No. 2 to the cleaning contract", of "The supervisor is
/// Carl Dean".
pub(super) fn amends_document(
    question: &Question,
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    is_amendment_of(later.title, earlier.title)
        && shares_half(question, later.text, earlier.text)
        && question.is_answered_by_type(later.text)
        && are_of_one_clause(question, later, earlier)
}

/// `true` if a sentence of an amendment is on what another one states, and not only on some other
/// clause of the same contract: it names the old value, or has most of its words, or names somebody
/// else for all that is asked.
fn are_of_one_clause(
    question: &Question,
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    let stated = folded(earlier.text);
    match text::replaced(later.text) {
        Some(old) => old.iter().all(|word| stated.contains(word)),
        None if question.answer_type == AnswerType::Person => {
            let with_title = [later.text, later.title].join("\n");
            meets_all(question, earlier.text, &question.met(&with_title))
        }
        None => {
            share_most(later.text, earlier.text)
                && text::terms(later.text) != text::terms(earlier.text)
        }
    }
}

/// `true` if a title names an amendment to what another one names, or has the number of.
pub(in crate::agent) fn is_amendment_of(title: &str, other: &str) -> bool {
    let words = folded(title);
    let is_change = words.iter().any(|word| word == "change");
    let is_kind = |word: &String| {
        AMENDMENTS.contains(&word.as_str()) || is_change && matches!(&**word, "note" | "notice")
    };
    let to = words.iter().position(is_kind).and_then(|kind| {
        let to = words[kind..].iter().position(|word| word == "to")?;
        Some(kind + to)
    });
    let is_verb = |word: &String| AMENDING.contains(&word.as_str());
    let to = to.or_else(|| words.iter().position(is_verb));
    let amended = to.map(|to| text::terms(&words[to..].join(" ")));
    let named = text::terms(other);
    let is_named = |amended: &Vec<String>| {
        named.iter().all(|term| amended.contains(term))
            || identifiers(other).any(|own| identifiers(title).any(|other| own == other))
    };
    !named.is_empty() && amended.is_some_and(|amended| is_named(&amended))
}

/// The numbers by which documents are cited in a title: "SOP-PH-012", "SB-2024-07", "2019/412".
fn identifiers(title: &str) -> impl Iterator<Item = &str> {
    let words = title.split_whitespace();
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.filter(|word| {
        let has = |is: fn(char) -> bool| word.contains(is);
        has(|c| c.is_ascii_digit())
            && (has(|c| c == '-') && has(|c| c.is_ascii_uppercase()) || has(|c| c == '/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amendment_names_what_it_changes() {
        let contract = "Cleaning contract";
        let amendment = "AMENDMENT No. 2 TO THE CLEANING CONTRACT OF 3 JUNE 2024";
        assert!(is_amendment_of(amendment, contract));
        assert!(!is_amendment_of(contract, amendment));
        assert!(!is_amendment_of(amendment, "Lift maintenance contract"));
        let procedure = "Cold chain procedure (SOP-PH-012), version 3";
        let note = "Change note to SOP-PH-012 version 3";
        assert!(is_amendment_of(note, procedure));
        assert!(!is_amendment_of(
            note,
            "Controlled drugs procedure (SOP-PH-020)"
        ));
        let act = "Act 2031/7 amending Act 2024/12 on dogs";
        assert!(is_amendment_of(act, "Act 2024/12 on dogs in parks"));
        assert!(!is_amendment_of(act, "Act 2024/13 on cats"));
        assert!(!is_amendment_of(
            "Our answer to the cleaning contract",
            contract
        ));
    }
}

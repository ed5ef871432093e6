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

/// Phrases behind a clause that give its new text, in English and German; a closed list, written by
/// hand.
const NEW_TEXTS: [&str; 10] = [
    "is replaced by",
    "is replaced with",
    "is amended to read",
    "is amended as follows",
    "shall read",
    "shall be replaced by",
    "now reads",
    "is deleted and replaced",
    "erhalt folgende fassung",
    "wird wie folgt gefasst",
];

/// Words before the number of a clause.
const CLAUSES: [&str; 8] = [
    "article",
    "clause",
    "paragraph",
    "rule",
    "section",
    "artikel",
    "paragraf",
    "ziffer",
];

/// `true` if a title names an amendment.
pub fn names_amendment(title: &str) -> bool {
    folded(title)
        .iter()
        .any(|word| AMENDMENTS.contains(&word.as_str()))
}

/// `true` if a sentence gives a clause of another document a new text.
pub(in crate::agent) fn gives_new_text(sentence: &str) -> bool {
    clause_with_new_text(sentence).is_some()
}

/// `true` if a sentence of an amendment gives the new text of the clause in which another one
/// stands: "§ 2 is replaced by: …"
pub(in crate::agent) fn replaces_clause(
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    let is_earlier = later
        .date
        .zip(earlier.date)
        .is_some_and(|(one, other)| one < other);
    let Some(number) = clause_with_new_text(later.text).filter(|_| !is_earlier) else {
        return false;
    };
    let own = clause_of(earlier.text).or_else(|| clause_of(earlier.heading?));
    own.is_some_and(|own| own == number) && is_amendment_of(later.title, earlier.title)
}

/// The number of the clause to which a sentence gives a new text; none of one in which only some
/// words are others: "In § 3, six is replaced by eight."
fn clause_with_new_text(sentence: &str) -> Option<String> {
    let words = folded(sentence);
    let at = NEW_TEXTS
        .iter()
        .find_map(|phrase| text::phrase(&words, phrase))?;
    let number = words.get(at.checked_sub(1)?)?;
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    let mut before = words[..at - 1].iter().rev();
    let before = before.find(|word| !CLAUSES.contains(&word.as_str()));
    let is_part = before.is_some_and(|word| word == "in" || word == "of");
    (is_number && !is_part).then(|| number.clone())
}

/// The number of the clause at the beginning of a text: "§ 2 Trading hours", "Clause 2".
fn clause_of(text: &str) -> Option<String> {
    let words = folded(text);
    let is_named = words
        .first()
        .is_some_and(|word| CLAUSES.contains(&word.as_str()));
    let number = words.get(usize::from(is_named))?;
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    let is_marked = is_named || text.trim_start().starts_with('§');
    (is_number && is_marked).then(|| number.clone())
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
pub fn is_amendment_of(title: &str, other: &str) -> bool {
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
    let Some(amended) = to.map(|to| text::terms(&words[to..].join(" "))) else {
        return false;
    };
    let named = text::terms(other);
    let has_identifier =
        || identifiers(other).any(|own| identifiers(title).any(|other| own == other));
    !named.is_empty() && (named.iter().all(|term| amended.contains(term)) || has_identifier())
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
    fn clause_with_a_new_text_is_replaced() {
        let dated = |text, title, date| DatedSentence {
            text,
            title,
            date: Some(date),
            heading: None,
        };
        let old = |text| dated(text, "By-law on the harbour", "2015-04-02");
        let new = |text| dated(text, "Amendment to the by-law on the harbour", "2022-09-15");
        let hours = new("1. § 2 is replaced by: \"The gate is open from 8:00 to 15:00.\"");
        assert!(replaces_clause(
            hours,
            old("§ 2 Gate hours are from 7:00 to 14:00.")
        ));
        assert!(!replaces_clause(
            hours,
            old("§ 3 Boats are at most six metres long.")
        ));
        assert!(!replaces_clause(
            hours,
            dated("§ 2 It is shut.", "By-law on dogs", "2015-04-02")
        ));
        let part = new("In § 3, \"six\" is replaced by \"eight\".");
        assert!(!replaces_clause(
            part,
            old("§ 3 Boats are at most six metres long.")
        ));
    }

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

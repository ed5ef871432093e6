//! Signatures: the name below a mail says of nobody what the mail says of others.

use super::super::alignment::has_word;
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::{ContentWord, Statement};
use super::giving::is_person;

/// The words by which somebody speaks of himself.
const FIRST_PERSON: &[&str] = &["i", "me", "my", "mine", "we", "us", "our"];

/// The stems of words before a signature; a closed list, written by hand.
const SIGN_OFFS: &[&str] = &[
    "best", "wish", "regard", "kind", "kindest", "warm", "sincer", "faithful", "cheer", "thank",
    "greet", "sender",
];

/// The largest number of words of a signature.
const SIGNATURE: usize = 6;

/// The doubt of a claim whose name only a signature has, where the sentences that say the rest do
/// not speak of who writes them.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let chosen = || coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let mut others = chosen().filter(|own| !is_signature(own)).peekable();
    others.peek()?;
    let is_first_person = |token: &str| FIRST_PERSON.contains(&token);
    if others.any(|own| own.normal.split(' ').any(is_first_person)) {
        return None;
    }
    let name = claim
        .words
        .iter()
        .filter(|word| is_person(word))
        .find(|name| {
            let mut saying = coverage
                .sentences()
                .filter(|own| has_word(&own.words, name));
            let is_of_signature = saying.next().is_some_and(is_signature);
            is_of_signature && saying.all(is_signature)
        })?;
    Some(Objection::doubt(Difference::Binding(name.folded.clone())))
}

/// `true` for the name of who writes, perhaps behind "Best wishes" or "From:".
fn is_signature(own: &Statement) -> bool {
    let is_part = |word: &ContentWord| word.is_name || SIGN_OFFS.contains(&word.stem.as_str());
    let has_sign_off = own
        .words
        .iter()
        .any(|word| SIGN_OFFS.contains(&word.stem.as_str()));
    let is_from = own.normal.starts_with("from ");
    let is_short = own.words.len() <= SIGNATURE && own.figures.is_empty();
    is_short && (has_sign_off || is_from) && own.words.iter().all(is_part)
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn a_signature_says_of_nobody_what_the_mail_says_of_others() {
        let mail =
            "Dear all,\n\nThe key of the tool shed hangs at the gate.\n\nBest wishes,\nHenry";
        let claim = "Henry hangs the key of the tool shed at the gate.";
        assert_eq!(support(claim, mail).verdict, Verdict::Partial);
    }
}

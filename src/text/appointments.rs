//! Sentences that say who takes an office: "Ann was elected chair with 36 votes."

use std::sync::LazyLock;

use super::keywords::{LazyPhrases, Phrases};
use super::numbers::MONTHS;
use super::words::{first_phrase, fold, folded, words};

/// Words with which somebody takes an office; a closed list, written by hand.
const APPOINTMENTS: &str = "appointed, appoints, elected, elects, hired, succeeds, succeeded, \
    takes over, took over, takes office, took office, becomes, became";
static APPOINTING: LazyPhrases = LazyLock::new(|| Phrases::new(APPOINTMENTS));

/// Words with which somebody holds an office.
const HOLDINGS: &str = "has been, is";

/// Auxiliaries before a verb in the passive voice or the perfect.
const AUXILIARIES: [&str; 6] = ["was", "is", "were", "are", "has", "been"];

/// Titles before a name.
const TITLES: [&str; 4] = ["mr", "mrs", "ms", "dr"];

/// Pronouns for who was named before.
const PRONOUNS: [&str; 3] = ["he", "she", "they"];

/// `true` if a sentence says that somebody takes an office: who is re-elected holds it already.
pub fn appoints(sentence: &str) -> bool {
    if !APPOINTING.may_be_in(sentence) {
        return false;
    }
    let words = folded(sentence);
    let is_again = |at: usize| at > 0 && words[at - 1] == "re";
    let first = (0..words.len()).filter(|at| !is_again(*at));
    let first: Vec<String> = first.map(|at| words[at].clone()).collect();
    first_phrase(&first, APPOINTMENTS).is_some()
}

/// `true` if a sentence says since when somebody holds an office: "Ann has been the caretaker since
/// May".
pub fn holds_since(sentence: &str) -> bool {
    let words = folded(sentence);
    let holds = first_phrase(&words, HOLDINGS);
    holds.is_some_and(|at| words[at..].iter().any(|word| word == "since"))
        || holds_from(&words).is_some()
}

/// Verbs of who has a thing or an office, and the number of first words among which its month is.
const KEEPINGS: &str = "keeps, holds, looks after, takes care of, is, has";
const DAY_WORDS: usize = 4;

/// The position of the verb in a sentence that says from when somebody holds something: "From
/// 1 July 2026 Ann Berg keeps the keys".
fn holds_from(words: &[String]) -> Option<usize> {
    let begins = words.first().is_some_and(|first| first == "from");
    let mut day = words.iter().take(DAY_WORDS);
    let is_dated = begins && day.any(|word| MONTHS.contains(&word.as_str()));
    first_phrase(words, KEEPINGS).filter(|_| is_dated)
}

/// The folded names of who takes or holds an office: those right behind "appointed", or else those
/// before the word for it; none if a sentence names nobody.
pub fn appointed(sentence: &str) -> Vec<String> {
    let words: Vec<&str> = words(sentence).map(|word| word.text).collect();
    let folded = folded(sentence);
    let verb = first_phrase(&folded, APPOINTMENTS)
        .or_else(|| first_phrase(&folded, HOLDINGS))
        .or_else(|| holds_from(&folded));
    let Some(at) = verb else {
        return Vec::new();
    };
    let is_name = |word: &&&str| {
        word.starts_with(char::is_uppercase) && !TITLES.contains(&fold(word).as_str())
    };
    let behind: Vec<&&str> = words[at + 1..].iter().take_while(is_name).collect();
    let names = if behind.is_empty() {
        // "Ann was elected", "Ann has been elected".
        let before = words[..at].iter().rev();
        let before = before.skip_while(|word| AUXILIARIES.contains(&fold(word).as_str()));
        before.take_while(is_name).collect()
    } else {
        behind
    };
    let names: Vec<String> = names.into_iter().map(|name| fold(name)).collect();
    if names.iter().any(|name| PRONOUNS.contains(&name.as_str())) {
        // "Bea is now the secretary. She takes over …"
        return words
            .iter()
            .take_while(is_name)
            .map(|name| fold(name))
            .collect();
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_re_elected_takes_no_office_and_who_is_elected_beside_does() {
        assert!(!appoints("Ms Yilmaz was re-elected to the board."));
        assert!(appoints("Ann was re-elected, and Bob was elected."));
    }

    #[test]
    fn who_takes_an_office_is_named_before_or_behind_the_verb() {
        for (sentence, names) in [
            (
                "Ann Lee was elected chair with 36 votes; Bob received 8.",
                vec!["lee", "ann"],
            ),
            ("The meeting elected Ann Lee as chair.", vec!["ann", "lee"]),
            ("Ann Lee becomes chair.", vec!["lee", "ann"]),
            ("The chair opened the meeting.", vec![]),
        ] {
            assert_eq!(appointed(sentence), names, "{sentence}");
        }
    }
}

//! Pronouns that begin a sentence, read as the subject of the sentence before: "The sauna was shut.
//! It was repaired in May." says that the sauna was repaired. Only the subject is taken, which most
//! such pronouns stand for (parallelism: Kameyama, "Recognizing Referential Links", 1997), and only
//! where nothing else near can be meant.

use super::lexicon::BE;
use super::subject::Subject;
use super::{ContentWord, Statement};
use crate::text;

/// The maximum number of words of a subject that is read in the place of a pronoun.
const SUBJECT_WORDS: usize = 6;

/// The number of words among which "it" is seen to stand for nothing: "It is likely that".
const EXPLETIVE_WORDS: usize = 7;

/// Verbs with which "it" mostly stands for nothing.
const EXPLETIVE_VERBS: &[&str] = &["takes", "took", "seems", "seemed", "appears", "follows"];

/// Words after a verb that begin an object, which the pronoun may stand for as well.
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "this", "that", "its", "their", "his", "her", "our", "my", "each", "every",
    "one", "two", "three", "some", "any", "no", "all",
];

/// What stands between two clauses.
const CLAUSES: &[&str] = &["; ", ", and ", ", but ", ", while ", ": "];

/// Reads the sentences of a passage in order.
#[derive(Debug, Default)]
pub(in crate::cite) struct Antecedent {
    /// The words of the last subject; `None` if nothing can be told.
    subject: Option<String>,
    is_plural: bool,
    /// What the last sentence counts, if that is one thing: "318 stops".
    counted: Option<String>,
}

/// What stands for the things that the sentence before counts.
const OF_THESE: &[&str] = &["Of these, ", "Of these ", "Of them, ", "Of those, "];

impl Antecedent {
    /// Forgets what was named: at a new paragraph, a heading, an item of a list.
    pub(in crate::cite) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The sentence with its first pronoun replaced; `None` if it begins with none, or what it
    /// stands for cannot be told.
    pub(in crate::cite) fn resolve(&self, sentence: &str) -> Option<String> {
        let of_these = OF_THESE.iter().find_map(|own| sentence.strip_prefix(own));
        if let Some(rest) = of_these {
            let counted = self.counted.as_ref()?;
            return Some(format!("Of the {counted}, {rest}"));
        }
        let subject = self.subject.as_ref()?;
        let (pronoun, rest) = sentence.split_once(' ')?;
        let is_plural = match pronoun {
            "It" if is_expletive(rest) => return None,
            "It" | "He" | "She" => false,
            "They" => true,
            _ => return None,
        };
        (is_plural == self.is_plural).then(|| format!("{subject} {rest}"))
    }

    /// Notes the subject of a sentence that was read as it stands.
    pub(in crate::cite) fn note(&mut self, sentence: &str, statement: &Statement) {
        self.forget();
        self.counted = counted(sentence, statement);
        // Of two clauses either may have what the pronoun stands for.
        if CLAUSES.iter().any(|mark| sentence.contains(mark)) {
            return;
        }
        let Some(subject) = Subject::of(statement) else {
            return;
        };
        let Some(head) = subject.head() else {
            return;
        };
        let last = &subject.words[subject.words.len() - 1];
        let is_short = subject.tokens.len() <= SUBJECT_WORDS;
        let words = sentence.get(..last.range.end).filter(|_| is_short);
        let has_object = has_object(statement, subject.tokens.len());
        self.subject = words.filter(|_| !has_object).map(str::to_owned);
        let head = &subject.words[head];
        self.is_plural = subject.tokens.contains(&"and")
            || head.folded.ends_with('s') && !head.folded.ends_with("ss") && !head.is_name;
    }
}

/// The number and the noun of what a sentence counts, if it has one such number.
fn counted(sentence: &str, statement: &Statement) -> Option<String> {
    let mut counts = statement.figures.iter().filter(|own| own.counts());
    let (figure, None) = (counts.next()?, counts.next()) else {
        return None;
    };
    let number = sentence.get(figure.range.clone())?;
    let noun = text::words(&sentence[figure.range.end..]).next()?;
    Some(format!("{} {}", number.trim_end(), noun.text))
}

/// `true` if "it" stands for nothing: "It is likely that", "It takes a week to".
fn is_expletive(rest: &str) -> bool {
    let mut words = rest.split(' ').take(EXPLETIVE_WORDS);
    let verb = words.next().unwrap_or_default();
    let is_open = BE.contains(&verb) || EXPLETIVE_VERBS.contains(&verb);
    EXPLETIVE_VERBS.contains(&verb)
        || is_open && words.any(|word| matches!(word, "that" | "to" | "whether" | "who"))
}

/// `true` if an object follows the verb at a place: a noun of its own, which no preposition stands
/// before. What follows a form of "be" is the subject itself.
fn has_object(statement: &Statement, verb: usize) -> bool {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let mut behind = tokens.iter().skip(verb);
    let is_copula = behind.next().is_some_and(|own| BE.contains(own));
    let mut names = statement.words.iter();
    let is_time = |word: &ContentWord| {
        word.is_month() || text::WEEKDAYS.contains(&word.folded.trim_end_matches('s'))
    };
    let has_name = names.any(|word| word.position > verb && word.is_name && !is_time(word));
    let has_noun = behind.take(3).any(|own| DETERMINERS.contains(own));
    !is_copula && (has_noun || has_name)
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn a_pronoun_says_it_of_the_subject_of_the_sentence_before() {
        let sauna =
            "The sauna has been shut for a month. It was repaired in May. It is open again.";
        let stops = "The city has 318 stops. Of these, 187 are accessible and 57 are steep.";
        let tram = "The tram does not stop at the mill on Sundays. It stops there on weekdays.";
        let keys = "The keys are stored in the office. They are numbered.";
        let likely = "The bridge was closed. It is likely that the road will be widened.";
        assert_supported(&[
            ("Of the 318 stops, 187 are accessible.", stops, true),
            ("Of the 318 stops, 57 are steep.", stops, true),
            ("Of the 318 stops, 57 are accessible.", stops, false),
            ("Of the 310 stops, 187 are accessible.", stops, false),
            ("The sauna was repaired.", sauna, true),
            ("The sauna was repaired in May.", sauna, true),
            ("The sauna is open again.", sauna, true),
            ("The tram stops there on weekdays.", tram, true),
            ("The keys are numbered.", keys, true),
            ("It was repaired in May.", sauna, true),
            ("The office is numbered.", keys, false),
            ("The bridge is likely.", likely, false),
        ]);
    }
}

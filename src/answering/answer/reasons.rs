//! Reasons: whether a text gives one, and of what.

use super::super::question::Question;
use super::super::question::answer_type::{AnswerType, REASON_NOUNS};
use super::super::vocabulary::words_have;
use crate::text::{self, Language, folded};

impl Question {
    /// `true` if a text may give a reason, be it by a word that introduces other things as well:
    /// "to keep it dry", "so it was sold". In a language without such words any text may.
    pub fn gives_reason(&self, text: &str) -> bool {
        if let Some(cues) = self.cues {
            return cues.reasons.is_empty() || cues.has_new(text, &self.text, cues.reasons);
        }
        let words = folded(text);
        let is_purpose = |pair: &[String]| pair[0] == "to" && !text::is_stop_word(&pair[1]);
        self.language != Language::default()
            || introduces_reason(&words)
            || words_have(&words, POSSIBLE_REASONS)
            || words.windows(2).any(is_purpose)
    }

    /// `true` if it asks for a reason, and a sentence is labelled as one, "Cause: the gate was
    /// open", or is a row of a table with one, "Option: lime; Why not: too dear".
    pub fn is_labelled_reason(&self, sentence: &str) -> bool {
        let is_label = |label: &str| {
            let label = text::fold(label);
            REASON_NOUNS.contains(&label.as_str()) || label.starts_with("why")
        };
        let label = sentence.split_once(": ").map(|(label, _)| label);
        let mut fields = text::tables::record_fields(sentence);
        self.answer_type == AnswerType::Reason
            && (label.is_some_and(is_label) || fields.any(|(label, _)| is_label(label)))
    }

    /// `true` if it asks for a reason, and a sentence says what caused the thing it asks about:
    /// "The reduction is driven by three things" for "Why was the catch reduced?"
    pub fn is_cause_in(&self, sentence: &str) -> bool {
        if self.answer_type != AnswerType::Reason {
            return false;
        }
        let words = folded(sentence);
        let is_copula = |word: &String| matches!(word.as_str(), "is" | "are" | "was" | "were");
        let copula = words.iter().take(SUBJECT_WORDS).position(is_copula);
        copula.is_some_and(|at| {
            let behind = &words[at + 1..];
            let mut causes = CAUSES.split(", ");
            let is_caused = causes.any(|cause| text::phrase(behind, cause) == Some(0));
            let subject = words[..at].join(" ");
            is_caused && self.met(&subject).iter().any(|term| !term.is_name)
        })
    }

    /// `true` for a heading above reasons: "Root cause", "Why".
    pub fn is_reason_heading(&self, heading: &str) -> bool {
        let words = folded(heading);
        let is_noun = |word: &String| {
            let lists = [REASON_NOUNS, REASON_HEADINGS];
            lists.iter().any(|list| list.contains(&word.as_str()))
        };
        words.first().is_some_and(|word| word == "why") || words.last().is_some_and(is_noun)
    }

    /// `true` if it asks for a reason, and a sentence gives one that is about what it names: "Why
    /// did we leave Acme?" "…, because Acme had no stock."
    pub fn is_reason_of_name(&self, sentence: &str) -> bool {
        let words = folded(sentence);
        let because = words.iter().position(|word| word == "because");
        let about = because.map(|at| words[at + 1..].iter().take(REASON_WORDS));
        let mut about = about.into_iter().flatten();
        let mut names = self.terms.iter().filter(|term| term.is_name);
        self.answer_type == AnswerType::Reason
            && about.any(|word| names.any(|name| name.word == *word))
    }
}

/// Nouns of headings above reasons, beside those that ask for them.
const REASON_HEADINGS: &[&str] = &["background", "rationale"];

/// What stands behind the subject of a sentence that says what caused it; a closed list, written by
/// hand.
const CAUSES: &str = "driven by, caused by, due to, explained by, because of, a result of, \
    a consequence of, the result of, the consequence of";

/// The number of words among which the subject of such a sentence ends.
const SUBJECT_WORDS: usize = 6;

/// The number of words after "because" among which its subject is.
const REASON_WORDS: usize = 3;

/// `true` if some folded words have one that introduces a reason. "Since" does not before a time:
/// "Since January eight batteries were replaced."
pub(in crate::answering) fn introduces_reason(words: &[String]) -> bool {
    let is_time = |word: &str| {
        text::MONTHS.contains(&word)
            || text::WEEKDAYS.contains(&word)
            || matches!(word, "then" | "last")
            || word.starts_with(|c: char| c.is_ascii_digit())
    };
    let is_reason = |pair: &[String]| pair[0] == "since" && !is_time(&pair[1]);
    words_have(words, REASONS) || words.windows(2).any(is_reason)
}

/// Words that introduce a reason, whatever is behind them.
const REASONS: &[&str] = &[
    "because",
    "due to",
    "led to",
    "leads to",
    "to prevent",
    "to avoid",
    "in order to",
    "as a result",
    "reason",
    "reasons",
    "cause",
    "caused",
    "causes",
    "owing to",
    "thanks to",
    "so that",
    "therefore",
    "motivated",
    "allows",
    "result of",
    "resulted",
    "that is why",
    "this is why",
    "which is why",
];

/// Words that introduce a reason among other things, and those of headings above reasons.
const POSSIBLE_REASONS: &[&str] = &[
    "complained",
    "enough",
    "error",
    "errors",
    "instead",
    "makes",
    "means",
    "mistake",
    "motivation",
    "need",
    "needed",
    "needs",
    "otherwise",
    "problem",
    "problems",
    "rationale",
    "risk",
    "so",
    "too",
    "unless",
    "unlike",
    "why",
    "without",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_of_what_stands_behind_its_cue_or_of_its_row() {
        let question = Question::parse("Why did we leave Otter?");
        assert!(question.is_reason_of_name("Events were lost, because Otter had no replay."));
        assert!(!question.is_reason_of_name("Otter stayed, because we like it."));
        let question = Question::parse("Why didn't we pick Puffin?");
        assert!(question.is_labelled_reason("Option: Puffin; Why not: nobody has run it."));
        assert!(!question.is_labelled_reason("Option: Puffin; Cost: high."));
        let question = Question::parse("Why was the catch reduced?");
        assert!(question.is_cause_in("The reduction is driven by three things: rain and age."));
        assert!(!question.is_cause_in("The delay is driven by three things."));
        assert!(question.is_reason_heading("Root cause"));
        assert!(question.is_reason_heading("Why we moved"));
        assert!(!question.is_reason_heading("Timeline"));
    }
}

//! A question: its content words, and the type of its answer.

use super::answer_type::AnswerType;
use super::frame::is_frame_word;
use super::synonyms::{self, Groups};
use super::vocabulary::{Vocabulary, is_content_word, is_ideograph};
use crate::text::{self, Language};

/// The maximum number of terms of a question: a whole document may be passed as a topic.
const MAX_TERMS: usize = 40;

/// A question, or a topic that is not phrased as one.
#[derive(Debug, Clone)]
pub struct Question {
    /// The question as written.
    pub text: String,
    /// The type of its answer.
    pub answer_type: AnswerType,
    /// Its language.
    pub language: Language,
    /// Its content words, each once, in order, without those that only frame it.
    pub terms: Vec<QuestionTerm>,
}

/// A content word of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionTerm {
    /// The word as written.
    pub written: String,
    /// The word, folded.
    pub word: String,
    /// Its stem.
    pub stem: String,
    /// `true` if it is a name, a number, or part of one.
    pub is_name: bool,
    /// The groups of synonyms that it belongs to.
    pub(super) synonyms: Groups,
}

impl Question {
    /// Parses a question.
    pub fn parse(question: &str) -> Self {
        let language = Language::of_question(question);
        let answer_type = AnswerType::of(question, language);
        let all = content_words(question, language);
        let is_frame = |term: &QuestionTerm| {
            !term.is_name && (is_frame_word(&term.word) || answer_type.is_frame_word(&term.word))
        };
        let content: Vec<QuestionTerm> =
            all.iter().filter(|term| !is_frame(term)).cloned().collect();
        // A question of frame words alone ("What does it mean?") keeps them.
        let mut terms = if content.is_empty() { all } else { content };
        terms.truncate(MAX_TERMS);
        Self {
            text: question.to_owned(),
            answer_type,
            language,
            terms,
        }
    }
}

impl Question {
    /// `true` if it is written in ideographs, whose terms are pairs of them.
    pub fn is_ideographic(&self) -> bool {
        text::words(&self.text).any(|word| is_ideograph(word.text))
    }
}

/// The content words of a question, each once.
fn content_words(question: &str, language: Language) -> Vec<QuestionTerm> {
    let mut terms: Vec<QuestionTerm> = Vec::new();
    let mut push = |written: &str, word: String, stem: String, is_name: bool| {
        if !terms.iter().any(|term| term.stem == stem) {
            terms.push(QuestionTerm {
                written: written.to_owned(),
                synonyms: synonyms::groups(&stem),
                word,
                stem,
                is_name,
            });
        }
    };
    if text::words(question).any(|word| is_ideograph(word.text)) {
        let mut vocabulary = Vocabulary::default();
        for token in vocabulary.tokens(question, language) {
            if let Some(entry) = vocabulary.entry(token) {
                push(&entry.word, entry.word.to_string(), entry.stem.to_string(), false);
            }
        }
        return terms;
    }
    // Capitals say something only if not every word has one, as in a title.
    let capitalised = |word: &str| word.starts_with(char::is_uppercase);
    let words: Vec<_> = text::words(question).collect();
    let is_title = words.len() > 3 && words.iter().all(|word| capitalised(word.text));
    for (number, word) in words.iter().enumerate() {
        let folded = text::fold(word.text);
        if !is_content_word(&folded, language) {
            continue;
        }
        let has_digit = folded.bytes().any(|byte| byte.is_ascii_digit());
        let is_name = has_digit
            || capitalised(word.text) && number > 0 && !is_title && language != german();
        let stem = language.stem(word.text, &folded);
        push(word.text, folded, stem, is_name);
    }
    terms
}

/// German, in which every noun has a capital.
fn german() -> Language {
    Language::of_code("de")
}

//! A question: its content words, and the type of its answer.

pub(super) mod acronyms;
pub(super) mod amounts;
pub(super) mod answer_type;
pub(super) mod arabic;
pub(super) mod bound;
pub(super) mod compared;
pub(super) mod compound;
pub(super) mod cues;
pub(super) mod disagreement;
pub(super) mod fate;
pub(super) mod frame;
pub(super) mod identifiers;
pub(super) mod literature;
pub(super) mod release;
pub(super) mod synonyms;
pub(super) mod wording;

use std::ops::Range;
use std::sync::OnceLock;

use super::vocabulary::{Vocabulary, is_content_word, is_ideograph, part_of_date};
use crate::text::{self, Language};
use answer_type::AnswerType;
use bound::Bound;
use compared::ComparedTexts;
use compound::first_question;
use cues::Cues;
use disagreement::{asks_for_disagreement, is_word_for_disagreement};
use fate::is_word_for_fate;
use frame::{is_document_word, is_frame_word};
use literature::is_study_word;
use synonyms::{Groups, of_quarter};
use wording::Wording;

/// The maximum number of terms of a question: a whole document may be passed as a topic.
const MAX_TERMS: usize = 40;

/// Nouns for a time that are also parts of the names of events.
pub(in crate::answering) const NAMES_OF_DAYS: &[&str] =
    &["day", "month", "century", "decade", "period", "era"];

/// The number of terms that name a thing at least, such as "heat pump".
pub(in crate::answering) const THING_TERMS: usize = 2;

/// A question, or a topic that is not phrased as one.
#[derive(Debug, Clone)]
pub struct Question {
    /// The question as written.
    pub text: String,
    /// Its folded words, in order.
    pub(in crate::answering) wording: Wording,
    /// The type of its answer.
    pub answer_type: AnswerType,
    /// Its language.
    pub language: Language,
    /// The cues of its language, if that is not English.
    pub(in crate::answering) cues: Option<&'static Cues>,
    /// The stem of what is counted, if it asks how many.
    pub(in crate::answering) counted: Option<String>,
    /// The units in which it asks for a quantity, once they are known.
    pub(in crate::answering) units: OnceLock<Option<&'static [&'static str]>>,
    /// The number beyond which a value has to be, if it asks for things with such a value.
    pub(in crate::answering) bound: Option<Bound>,
    /// `true` if it asks what became of a document.
    pub(in crate::answering) asks_for_fate: bool,
    /// Its content words, each once, in order, without those that only frame it.
    pub terms: Vec<QuestionTerm>,
    /// The ranges in the terms of a name and of another name for the same, which stands behind it
    /// in parentheses: "London (eu-west-2)".
    pub(in crate::answering) names_twice: Option<[Range<usize>; 2]>,
    /// The texts that it was compared with.
    pub(in crate::answering) compared: ComparedTexts,
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
    pub(in crate::answering) synonyms: Groups,
    /// The acronyms of the phrases that it is a word of, folded.
    pub(in crate::answering) acronyms: Vec<String>,
    /// `true` for the focus of the question: "Which king" is answered by a name, with or without
    /// the word "king".
    pub(in crate::answering) is_focus: bool,
}

impl Question {
    /// Parses a question.
    pub fn parse(question: &str) -> Self {
        let question = first_question(frame::without_politeness(question));
        let question = &*frame::without_contractions(question);
        let language = Language::of_question(question);
        let cues = Cues::of(question, language);
        let answer_type = cues
            .map(|cues| cues.answer_type(question))
            .filter(|answer_type| *answer_type != AnswerType::Open)
            .unwrap_or_else(|| AnswerType::of(question, language));
        let unframed = cues.map(|cues| cues.without_frame(question));
        let mut terms = content_words(unframed.as_deref().unwrap_or(question), language, false);
        if let Some((age, range)) = frame::age(question) {
            replace_age(&mut terms, age, &question[range], language);
        }
        if let Some(focus) = cues::focus(question, cues).map(text::fold)
            && terms.len() > 1
        {
            for term in &mut terms {
                term.is_focus = !term.is_name && focus.starts_with(&term.word);
            }
        }
        let wording = Wording::new(question);
        remove_framing(&mut terms, &wording, answer_type);
        // Its words, "less than", only frame the question.
        let bound = Bound::of(question, language);
        let phrase = bound.as_ref().map_or("", |bound| bound.words.phrase);
        terms.retain(|term| !phrase.split(' ').any(|word| word == term.word));
        let asks_for_fate = fate::asks_for_fate(question, language);
        if asks_for_fate {
            without_words_for_fate(&mut terms);
        }
        if asks_for_disagreement(&wording) {
            terms.retain(|term| !is_word_for_disagreement(&term.word));
        }
        with_lifespan(&mut terms, &wording, language);
        with_finding(&mut terms, language);
        if language == Language::default() {
            with_acronyms(&mut terms, question);
        }
        with_quarter(&mut terms, question);
        // A question of frame words alone ("What does it mean?") keeps them.
        if terms.is_empty() {
            terms = content_words(question, language, true);
        }
        terms.truncate(MAX_TERMS);
        let counted = cues::counted(question).map(text::fold);
        let counted = terms
            .iter()
            .find(|term| Some(&term.word) == counted.as_ref());
        Self {
            counted: counted.map(|term| term.stem.clone()),
            units: OnceLock::new(),
            bound,
            asks_for_fate,
            names_twice: names_twice(question, &terms),
            text: question.to_owned(),
            wording,
            answer_type,
            language,
            cues,
            terms,
            compared: ComparedTexts::default(),
        }
    }
}

impl Question {
    /// The question without the name of a document in it, by its other words.
    #[must_use]
    pub fn without_name(self, rest: &str) -> Self {
        let mut other = Self::parse(rest);
        if self.asks_for_fate {
            without_words_for_fate(&mut other.terms);
        }
        Self {
            terms: other.terms,
            names_twice: other.names_twice,
            compared: ComparedTexts::default(),
            ..self
        }
    }

    /// The question without the names that are common in a collection, and so tell no sentence of
    /// it from another: "Rust" among the proposals for Rust. With no other term it stays as it is.
    #[must_use]
    pub fn without_common_names(mut self, is_common: impl Fn(&str) -> bool) -> Self {
        let is_left = |term: &&QuestionTerm| !term.is_name || !is_common(&term.stem);
        let left: Vec<QuestionTerm> = self.terms.iter().filter(is_left).cloned().collect();
        // The ranges of a name given twice are those of all terms.
        if !left.is_empty() && self.names_twice.is_none() {
            self.terms = left;
            self.compared = ComparedTexts::default();
        }
        self
    }

    /// `true` if it asks for nothing but the content of a document as a whole, whose name was
    /// taken out of it: "What does … propose?".
    pub fn asks_for_content(&self) -> bool {
        self.terms.iter().all(|term| is_document_word(&term.word))
    }

    /// `true` if it asks which documents there are on a subject, and not what one of them says.
    pub fn asks_for_documents(&self) -> bool {
        literature::asks_for_documents(&self.wording)
    }

    /// `true` if it asks what documents disagree on, or whether they do.
    pub fn asks_for_disagreement(&self) -> bool {
        asks_for_disagreement(&self.wording)
    }

    /// `true` for a folded word that only says that it asks so.
    pub fn is_word_for_disagreement(&self, folded: &str) -> bool {
        self.asks_for_disagreement() && is_word_for_disagreement(folded)
    }

    /// `true` if it asks so of all that the documents say, and names no subject.
    pub fn asks_for_all_disagreements(&self) -> bool {
        let mut terms = self.terms.iter();
        self.asks_for_disagreement() && terms.all(|term| is_word_for_disagreement(&term.word))
    }

    /// `true` if it asks what became of a document, or which one replaced it.
    pub fn asks_what_became(&self) -> bool {
        self.asks_for_fate
    }

    /// `true` if it asks why a document does not apply any more: "Why was the draft withdrawn?"
    pub fn asks_why_ended(&self) -> bool {
        self.answer_type == AnswerType::Reason && self.wording.has(fate::ENDED)
    }

    /// `true` if it asks what became of a document, and a sentence says it of its own.
    pub fn is_fate_in(&self, sentence: &str) -> bool {
        self.fate(sentence) == 1.0
    }

    /// The degree to which a sentence says what became of its document, 0 to 1; 0 if that is not
    /// asked for.
    pub(in crate::answering) fn fate(&self, sentence: &str) -> f64 {
        if self.asks_for_fate {
            fate::degree(sentence)
        } else {
            0.0
        }
    }

    /// `true` if it asks for what follows, which no row of values tells: "What happens if …?"
    pub fn asks_what_happens(&self) -> bool {
        self.wording.words().starts_with(&["what", "happens"])
    }

    /// `true` if it is in English, or in a language that was not recognised.
    pub fn is_english(&self) -> bool {
        self.language == Language::default()
    }

    /// `true` if it is written in ideographs, whose terms are pairs of them.
    pub fn is_ideographic(&self) -> bool {
        text::words(&self.text).any(|word| is_ideograph(word.text))
    }
}

/// Removes the terms that only ask for the fate of a document, unless there are no others.
fn without_words_for_fate(terms: &mut Vec<QuestionTerm>) {
    if terms.iter().any(|term| !is_word_for_fate(&term.word)) {
        terms.retain(|term| !is_word_for_fate(&term.word));
    }
}

/// Removes the terms that only frame a question of this type.
fn remove_framing(terms: &mut Vec<QuestionTerm>, wording: &Wording, answer_type: AnswerType) {
    // "What day" asks for a date, "When is the open day?" for that of a thing.
    let asks_when = wording.words().first() == Some(&"when");
    terms.retain(|term| {
        let is_frame = answer_type.is_frame_word(&term.word);
        term.is_name || !is_frame || asks_when && NAMES_OF_DAYS.contains(&term.word.as_str())
    });
    remove_word(terms, wording.measured(), 1);
    // Beside further words, "in summer", it keeps sentences on them alone from being the best.
    if let Some(rule_word) = wording.rule_word()
        && terms.len() == 2
    {
        terms.retain(|term| term.word != rule_word);
    }
    terms.retain(|term| !wording.is_sign(&term.word));
    if literature::asks_for_documents(wording)
        && terms
            .iter()
            .filter(|term| !is_study_word(&term.word))
            .count()
            >= THING_TERMS
    {
        terms.retain(|term| !is_study_word(&term.word));
    }
    let framing = [
        wording.year_of_asking(),
        wording.empty_word(),
        // "State of the stock" is told by whatever is said of it.
        wording
            .words()
            .starts_with(&["state", "of", "the"])
            .then_some("state"),
        wording.verb_of_use(),
        wording.verb_of_need(),
        wording.verb_of_most(),
        wording.verb_of_phase(),
        wording.threshold(),
        wording.empty_subject(),
        wording.noun_of_taking_place(),
        wording.verb_of_holding(),
        wording.currency(),
        wording.factor(),
        wording.times(),
        wording.degree(),
    ];
    for framing in framing {
        // What is left has to name a thing.
        remove_word(terms, framing, THING_TERMS);
    }
    // "What does SoH mean?" is answered by what it is.
    if answer_type == AnswerType::Definition && terms.len() > 1 {
        terms.retain(|term| !matches!(term.word.as_str(), "mean" | "stand"));
    }
    // What is next is told by its date.
    if answer_type == AnswerType::Date && wording.asks_for_next() && terms.len() > 1 {
        terms.retain(|term| !matches!(term.word.as_str(), "next" | "upcoming"));
    }
    let owner = wording.owner();
    let framing = [
        wording.asks_for_least_age().then_some("old"),
        wording.verb_of_getting(),
        wording.verb_of_permitted_use(),
        owner.filter(|_| answer_type == AnswerType::Person),
    ];
    for framing in framing {
        remove_word(terms, framing, 1);
    }
}

/// Removes a word from the terms, if at least some number of them is left.
fn remove_word(terms: &mut Vec<QuestionTerm>, word: Option<&str>, least: usize) {
    let is_other = |term: &QuestionTerm| word.is_some_and(|word| term.word != word);
    if terms.iter().filter(|term| is_other(term)).count() >= least {
        terms.retain(is_other);
    }
}

/// `true` for a name of letters with digits and hyphens, "eu-west-2", or in capitals alone, "WHO".
fn is_identifier(name: &str) -> bool {
    let has = |is: fn(char) -> bool| name.contains(is);
    let is_code = has(|c| c == '-') && has(|c| c.is_ascii_digit()) && has(char::is_alphabetic);
    let is_acronym = name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase());
    !has(char::is_whitespace) && (is_code || is_acronym)
}

/// The ranges in the terms of a name and of another name in parentheses right behind it.
fn names_twice(question: &str, terms: &[QuestionTerm]) -> Option<[Range<usize>; 2]> {
    let (before, rest) = question.split_once(" (")?;
    let (inner, _) = rest.split_once(')')?;
    // "Springfield (Illinois)" and "Fiesta (2019)" tell one from others of the name.
    if !is_identifier(inner) {
        return None;
    }
    let range_of = |words: &[&str]| {
        let is_of = |term: &QuestionTerm| term.is_name && words.contains(&term.written.as_str());
        let start = terms.iter().position(is_of)?;
        let count = terms[start..].iter().take_while(|term| is_of(term)).count();
        Some(start..start + count)
    };
    let words = |text| -> Vec<&str> { text::words(text).map(|word| word.text).collect() };
    let is_name = |word: &&&str| word.starts_with(char::is_uppercase);
    let before = words(before);
    let names = before.iter().rev().take_while(is_name).count();
    let own = range_of(&before[before.len() - names..])?;
    let other = range_of(&words(inner))?;
    (own.end == other.start).then_some([own, other])
}

/// Lets "found" match what is discovered, and not what is established, which is "founded".
fn with_finding(terms: &mut [QuestionTerm], language: Language) {
    let is_found = |term: &&mut QuestionTerm| term.word == "found";
    for term in terms.iter_mut().filter(is_found) {
        if language == Language::default() {
            term.synonyms = Groups::of("find", "en");
        }
    }
}

/// Lets the verb of a question for how long something lasts match what that is called.
fn with_lifespan(terms: &mut [QuestionTerm], wording: &Wording, language: Language) {
    if wording.asks_for_duration() {
        for term in terms {
            if matches!(term.word.as_str(), "last" | "lasts" | "lasted") {
                term.synonyms = Groups::of(&language.stem("lifespan", "lifespan"), "en");
            }
        }
    }
}

/// Lets the words of a phrase be met by its acronym.
fn with_acronyms(terms: &mut [QuestionTerm], question: &str) {
    for (acronym, phrase) in acronyms::of_phrases(question) {
        let is_part = |term: &QuestionTerm| {
            let mut parts = term.word.split('-');
            parts.all(|part| phrase.iter().any(|word| word == part))
        };
        for term in terms.iter_mut().filter(|term| is_part(term)) {
            term.acronyms.push(acronym.clone());
        }
    }
}

/// Lets a quarter of a year be met by its months: "the second quarter" by "April-June". The word
/// "quarter" is then no term of its own.
fn with_quarter(terms: &mut Vec<QuestionTerm>, question: &str) {
    let words = text::folded(question);
    let is_named = |word: &str| {
        let mut pairs = words.windows(2);
        word.starts_with('q') || pairs.any(|pair| pair[0] == word && pair[1] == "quarter")
    };
    let mut has_quarter = false;
    for term in terms.iter_mut().filter(|term| is_named(&term.word)) {
        if let Some(groups) = of_quarter(&term.word) {
            (term.synonyms, term.is_name, has_quarter) = (groups, true, true);
        }
    }
    if has_quarter && terms.len() > THING_TERMS {
        terms.retain(|term| term.word != "quarter");
    }
}

/// The age of majority in most countries.
const OF_AGE: u32 = 18;

/// Replaces the words for an age by one for people of that age, since an answer is on all of these:
/// "my 12-year-old" is a child.
fn replace_age(terms: &mut Vec<QuestionTerm>, age: u32, words: &str, language: Language) {
    let of_age = text::folded(words);
    terms.retain(|term| !of_age.contains(&term.word));
    let people = if age < OF_AGE { "children" } else { "adults" };
    for term in content_words(people, language, false) {
        if terms.iter().all(|own| own.stem != term.stem) {
            terms.push(term);
        }
    }
}

/// Adds a term, unless one with its stem is there: as written, folded, and its stem.
fn push_term(
    terms: &mut Vec<QuestionTerm>,
    (written, word, stem): (&str, String, String),
    synonyms: Groups,
    is_name: bool,
) {
    if !terms.iter().any(|term| term.stem == stem) {
        terms.push(QuestionTerm {
            written: written.to_owned(),
            synonyms,
            word,
            stem,
            is_name,
            is_focus: false,
            acronyms: Vec::new(),
        });
    }
}

/// The content words of a question in ideographs.
fn ideographic_terms(question: &str, language: Language) -> Vec<QuestionTerm> {
    let mut terms = Vec::new();
    let mut vocabulary = Vocabulary::default();
    for token in vocabulary.tokens(question, language) {
        if let Some(entry) = vocabulary.entry(token) {
            let (word, stem) = (entry.word.to_string(), entry.stem.to_string());
            let synonyms = synonyms(&word, &stem, "zh");
            // Words in other letters are names, and so are numbers.
            let is_name = word.chars().all(|c| c.is_ascii_alphanumeric());
            push_term(&mut terms, (&entry.word, word, stem), synonyms, is_name);
        }
    }
    terms
}

/// The content words of a question, each once, without or with those that only frame it.
fn content_words(question: &str, language: Language, with_frame: bool) -> Vec<QuestionTerm> {
    let mut terms: Vec<QuestionTerm> = Vec::new();
    let code = language.code();
    if text::words(question).any(|word| is_ideograph(word.text)) {
        return ideographic_terms(question, language);
    }
    let mut push = |names: (&str, String, String), synonyms, is_name| {
        push_term(&mut terms, names, synonyms, is_name);
    };
    // Capitals say something only if not every word has one, as in a title.
    let capitalised = |word: &str| word.starts_with(char::is_uppercase);
    let words: Vec<_> = text::signs::words(question).collect();
    let is_title = words.len() > 3 && words.iter().all(|word| capitalised(word.text));
    let named = sign_names(&words);
    let mut end = 0;
    for (number, word) in words.iter().enumerate() {
        let folded = text::fold(word.text);
        // "Staircase D's consumption" is of staircase D.
        let owner = folded.strip_suffix("'s").or(folded.strip_suffix("’s"));
        let folded = owner.map(str::to_owned).unwrap_or(folded);
        if !word.text.contains(char::is_alphanumeric) {
            let synonyms = synonyms(&folded, &folded, code);
            push((word.text, folded.clone(), folded), synonyms, true);
            continue;
        }
        // The first word of a sentence is capitalised in any case.
        let between = &question[std::mem::replace(&mut end, word.range.end)..word.range.start];
        let is_first = word.range.start == 0 || between.contains(['.', '?', '!', ':', '"', '“']);
        let next = words.get(number + 1).map(|next| text::fold(next.text));
        let has_digit = folded.bytes().any(|byte| byte.is_ascii_digit());
        let before = number.checked_sub(1).map(|before| &words[before]);
        let of_date = part_of_date(before, word, words.get(number + 1));
        if let Some(part) = of_date {
            let stem = language.stem(part, part);
            let synonyms = synonyms(part, &stem, code);
            push((word.text, part.to_owned(), stem), synonyms, true);
            continue;
        }
        let is_name = has_digit
            || capitalised(word.text) && !is_first && !is_title && language != german()
            || is_in_identifier(question, word);
        let is_frame =
            !is_name && is_frame_word(&folded, next.as_deref()) || frame::is_title(&folded);
        let is_in_name = named
            .iter()
            .any(|name| name.start <= word.range.start && word.range.end <= name.end);
        let folded_before = before.map(|before| text::fold(before.text));
        let is_norm = frame::is_norm(folded_before.as_deref(), &folded, next.as_deref());
        // "The offside rule" alone is what is asked about.
        let is_norm = is_norm && names_something(&words[..number.saturating_sub(1)], language);
        let is_frame = is_frame || !is_name && is_norm || begins_path(question, word);
        if is_in_name || is_frame && !with_frame || !is_content_word(&folded, language) {
            continue;
        }
        let stem = language.stem(word.text, &folded);
        // "Meeting the quota" is no meeting.
        let is_verb = folded.ends_with("ing") && next.as_deref().is_some_and(is_determiner);
        let synonyms = if is_verb {
            Groups::default()
        } else {
            synonyms(&folded, &stem, code)
        };
        push((word.text, folded, stem), synonyms, is_name);
    }
    terms
}

/// `true` if one of the words of a question is no stop word and does not only frame it.
fn names_something(words: &[text::Word<'_>], language: Language) -> bool {
    let mut words = words.iter().map(|word| text::fold(word.text));
    words.any(|word| is_content_word(&word, language) && !is_frame_word(&word, None))
}

/// `true` for the root of a path of three names or more, "std" in "std::thread::scope", which texts
/// leave out.
fn begins_path(question: &str, word: &text::Word<'_>) -> bool {
    let (before, after) = (&question[..word.range.start], &question[word.range.end..]);
    let path = after
        .split(|c: char| c.is_whitespace() || matches!(c, '`' | '(' | '?'))
        .next();
    let path = path.unwrap_or_default();
    path.starts_with("::") && path.matches("::").count() > 1 && !before.ends_with("::")
}

/// `true` for a folded word before a noun, which makes "-ing" before it a verb.
fn is_determiner(folded: &str) -> bool {
    matches!(
        folded,
        "the" | "a" | "an" | "our" | "its" | "their" | "this" | "that" | "these" | "all" | "any"
    )
}

/// `true` for a part of an identifier of letters and numbers that hyphens join, "us-east-1".
fn is_in_identifier(question: &str, word: &text::Word<'_>) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let (before, after) = question.split_at(word.range.start);
    let before = before.len() - before.trim_end_matches(is_part).len();
    let after = after.len() - after.trim_start_matches(is_part).len();
    let whole = &question[word.range.start - before..word.range.start + after];
    let last = whole.rsplit_once('-').map_or("", |(_, last)| last);
    whole.starts_with(|c: char| c.is_ascii_lowercase())
        && !last.is_empty()
        && last.bytes().all(|byte| byte.is_ascii_digit())
}

/// The groups of synonyms of a word in a language by its code, or in Arabic by its script.
fn synonyms(word: &str, stem: &str, code: &str) -> Groups {
    if arabic::is_arabic(word) {
        Groups::of(arabic::verb(&arabic::light_stem(word)), "ar")
    } else {
        Groups::of(stem, code)
    }
}

/// The ranges of the names of signs, such as "question mark": the sign is the word.
fn sign_names(words: &[text::Word<'_>]) -> Vec<Range<usize>> {
    words
        .iter()
        .filter(|word| !word.text.contains(char::is_alphanumeric))
        .map(|word| word.range.clone())
        .collect()
}

impl Question {
    /// `true` if names have capitals that tell them from other words: not in German, whose nouns
    /// all have one, and not in a script without capitals.
    pub(in crate::answering) fn tells_names(&self) -> bool {
        self.language != german() && self.text.contains(char::is_uppercase)
    }
}

/// German, in which every noun has a capital.
fn german() -> Language {
    Language::of_code("de")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(question: &str) -> Vec<String> {
        let terms = Question::parse(question).terms;
        terms.into_iter().map(|term| term.word).collect()
    }

    #[test]
    fn the_currency_of_an_amount_is_no_term() {
        let words = |question: &str| -> Vec<String> {
            let terms = Question::parse(question).terms.into_iter();
            terms.map(|term| term.word).collect()
        };
        let with = words("What does a heat pump cost in euros after subsidy?");
        assert_eq!(with, words("What does a heat pump cost after subsidy?"));
        assert!(words("Who pays in euros?").contains(&"euros".to_owned()));
    }

    #[test]
    fn a_date_is_asked_for_by_its_month_however_it_is_written() {
        let met = |question: &str, sentence: &str| {
            let question = Question::parse(question);
            let met = question.met(sentence).into_iter();
            met.map(|term| term.word.clone()).collect::<Vec<_>>()
        };
        let row = "Month: 2025-05; Complaints: 7.";
        let question = "How many complaints came in May 2025?";
        assert_eq!(met(question, row), ["complaints", "may", "2025"]);
        assert_eq!(
            met("Who was trained on 4 March 2025?", "Date: 2025-03-04"),
            ["4", "march", "2025"]
        );
        assert_eq!(
            words("May visitors bring cake?"),
            ["visitors", "bring", "cake"]
        );
        assert_eq!(words("Who's in charge of purchasing?"), ["purchasing"]);
    }

    #[test]
    fn owner_is_the_term_and_not_its_genitive() {
        let words = words("Why is staircase D's consumption so large?");
        assert!(words.iter().all(|word| !word.contains('\'')), "{words:?}");
    }

    #[test]
    fn frame_words_are_no_terms_unless_nothing_else_is() {
        assert_eq!(words("Tell me about heat pumps"), ["heat", "pumps"]);
        assert_eq!(
            words("Do they work in old houses? Explain briefly"),
            ["old", "houses"]
        );
        assert_eq!(words("What kind of bird sings?"), ["bird", "sings"]);
        assert_eq!(words("Should there be a never type?"), ["never", "type"]);
        assert_eq!(
            words("Why was the question mark operator added?"),
            ["?", "operator", "added"]
        );
        assert_eq!(words("How does it work?"), ["work"]);
        assert_eq!(
            words("What if a thread inside std::thread::scope panics?"),
            ["thread", "scope", "panics"]
        );
        assert_eq!(
            words("Wie laut ist eine Wärmepumpe?"),
            ["laut", "warmepumpe"]
        );
        assert_eq!(words("热泵好"), ["热泵", "泵好"]);
        assert_eq!(words("谁发明了热泵？"), ["发明", "热泵"]);
        assert_eq!(words("¿Cuántas bombas hay?"), ["bombas"]);
        assert_eq!(
            words("Wer hat wie viele Pumpen gebaut?"),
            ["pumpen", "gebaut"]
        );
        assert!(words("?").is_empty());
    }

    #[test]
    fn class_that_the_answer_is_one_of_is_the_focus() {
        let focus = |question: &str| -> Vec<String> {
            let terms = Question::parse(question).terms.into_iter();
            let terms = terms.filter(|term| term.is_focus);
            terms.map(|term| term.word).collect()
        };
        assert_eq!(focus("Which king signed the treaty?"), ["king"]);
        assert_eq!(focus("¿Qué tribu temían los romanos?"), ["tribu"]);
        assert_eq!(focus("Welches Volk fürchteten die Römer?"), ["volk"]);
        assert_eq!(focus("哪位国王签署了条约？"), ["国王"]);
        assert!(focus("¿Qué causó el incendio?").is_empty());
        assert!(focus("Who signed the treaty?").is_empty());
    }

    #[test]
    fn an_answer_cannot_do_without_what_is_measured_or_counted() {
        for (question, expected) in [
            ("How much does a driver earn in Alba?", vec!["earn"]),
            ("How many buses run?", vec!["buses"]),
        ] {
            let question = Question::parse(question);
            let essential = question.essential_terms();
            let words: Vec<&str> = essential.map(|term| term.word.as_str()).collect();
            assert_eq!(words, expected);
        }
    }

    #[test]
    fn a_quarter_is_met_by_its_months_and_a_verb_by_no_noun() {
        let met = |question: &str, text: &str| {
            let question = Question::parse(question);
            let met = question.met(text).into_iter();
            met.map(|term| term.word.clone()).collect::<Vec<_>>()
        };
        let second = "What were the sales of Lark in the second quarter?";
        assert_eq!(met(second, "Report April-June"), ["second"]);
        assert!(met(second, "Report January-March").is_empty());
        let question = "What were the sales of Lark in Q1?";
        assert_eq!(met(question, "Report January-March"), ["q1"]);
        assert!(met("Who came second in May?", "In April").is_empty());
        assert!(met("What is the fine for not meeting the quota?", "Minutes").is_empty());
    }

    #[test]
    fn pairs_with_a_particle_are_no_words() {
        assert_eq!(words("热泵的噪音"), ["热泵", "噪音"]);
    }

    #[test]
    fn type_of_the_answer_follows_from_the_question_words() {
        for (question, expected) in [
            ("How many wheels has it?", AnswerType::Quantity),
            ("What is the late fee for books?", AnswerType::Quantity),
            ("What is the address of the shop?", AnswerType::Location),
            (
                "How has the number of members developed?",
                AnswerType::Quantity,
            ),
            ("The battle took place in what year?", AnswerType::Date),
            ("Who wrote it?", AnswerType::Person),
            ("In what city was it?", AnswerType::Location),
            ("From which edition on is it so?", AnswerType::Quantity),
            (
                "What is the lowest compiler version that builds it?",
                AnswerType::Quantity,
            ),
            ("Which version control system is used?", AnswerType::Open),
            ("Why is it so?", AnswerType::Reason),
            ("How does it move?", AnswerType::Manner),
            (
                "What is a heat pump and when does it make sense?",
                AnswerType::Definition,
            ),
            ("Is it safe?", AnswerType::YesNo),
            ("R290 vs R32", AnswerType::Comparison),
            ("What are the drawbacks of it?", AnswerType::List),
            ("heat pumps", AnswerType::Topic),
            ("Wann wurde die Stadt gegründet?", AnswerType::Date),
            ("Wem gehört sie, seit wann?", AnswerType::Person),
            ("¿Dónde está?", AnswerType::Location),
            ("这座城市是哪一年建立的？", AnswerType::Date),
            ("لماذا توقفت؟", AnswerType::Reason),
        ] {
            assert_eq!(
                Question::parse(question).answer_type,
                expected,
                "{question}"
            );
        }
    }
}

//! The certainty of answers: whether the selected quotations answer the subject as a question.

use std::collections::BTreeSet;

use super::super::succession::{decides_otherwise, gives_new_text, gives_time};
use super::candidate::Candidate;
use super::context::{Context, FEWEST};
use super::disagreement;
use super::input::{ResearcherInput, TopicDocument};
use super::quotation::Selected;
use super::{rows, sections};
use crate::answering::{AnswerType, DOUBT_THRESHOLD, Question, QuestionTerm};
use crate::artifact::documents::LARGE_COLLECTION;
use crate::text;

/// Below this topicality a document of a large collection is on another subject. Of eight such
/// reports to sixty questions readers found one that answers.
const ON_TOPIC: f64 = 0.5;

/// The confidence of the ranking from which the document of a large collection does not matter:
/// of ten such reports among 120 readers found eight that answer at least in part.
const CERTAIN: f64 = 0.97;

/// The share of the subject that a title has to cover, so that its document is on it in any case.
const NAMED: f64 = 0.6;

/// The share of a short question's terms up to which an answer that has no more is doubtful. Of
/// longer questions a half is often said in other words.
const HALF: f64 = 0.5;

/// The share of a longer question for a fact up to which an answer that has no more is doubtful.
const THIRD: f64 = 1.0 / 3.0;

/// The least share of the terms of the first answer that one which names somebody has.
const AS_MUCH: f64 = 0.75;

/// The margin in the ranking from which the first answer leads clearly, and below which it is one
/// of many that share some words with the question. In a large collection the margin goes with the
/// grades of readers (rank correlation 0.61 over 60 reports), the confidence of the ranking hardly
/// (0.18). Set by hand over 234 questions whose answers are known.
const CLEAR_MARGIN: f64 = 1.75;
const NARROW_MARGIN: f64 = 1.25;

/// The confidence of the ranking from which a clear margin counts: sentences on another subject
/// may lead by as much.
const CLEAR_CONFIDENCE: f64 = 0.8;

/// The number of terms of a short question.
const SHORT_QUESTION: usize = 2;

/// The number of terms of a long question, and the confidence of the ranking that is sure of it.
const LONG_QUESTION: usize = 4;
const SURE: f64 = 0.85;

/// The least number of documents that have a term, and the third of all, so that it is common.
const COMMON_DOCUMENTS: usize = 3;

/// The least length of a name that has to be mentioned, in bytes: shorter ones are abbreviations.
const LEAST_NAME: usize = 4;

/// The factor of the confidence in a doubtful answer: enough for a doubt, not for silence.
const DOUBTFUL: f64 = 0.65;

/// Words for the period that something is paid for, which make no other kind of it.
const OF_PERIODS: [&str; 6] = [
    "annual",
    "yearly",
    "quarterly",
    "monthly",
    "weekly",
    "daily",
];

/// Words for the period that a price is for.
const PERIODS: [&str; 4] = ["day", "week", "month", "year"];

/// Words that ask for what all rows come to; a closed list, written by hand.
const SUMS: [&str; 5] = ["total", "altogether", "combined", "sum", "average"];

/// The confidence in the selected quotations, 0 to 1: that of the ranking, which goes by the words
/// of the question, less where they are in doubt. Where the first answers by its form, whatever its
/// words, there is no doubt.
pub(super) fn confidence(context: &Context<'_>, selected: &[Selected]) -> f64 {
    let (input, question) = (context.input, &context.question);
    let Some(first) = selected.first() else {
        return input.confidence;
    };
    let answer = Answer {
        input,
        question,
        selected,
        first,
    };
    if input.documents_searched >= LARGE_COLLECTION && question.asks_for_documents() {
        return answer.share_of_nearest_document();
    }
    if question.asks_for_disagreement() {
        // One document alone says nothing of it.
        return if disagreement::is_answered(context) {
            input.confidence.max(SURE)
        } else {
            input.confidence.min(DOUBT_THRESHOLD) * DOUBTFUL
        };
    }
    // An amendment or a correction has the words of what it replaces below it, and need not repeat
    // them.
    let corrects = |second| text::corrects(&answer.words_of(first), &answer.words_of(second));
    let is_new =
        || gives_new_text(&answer.words_of(first)) || selected.get(1).is_some_and(corrects);
    let is_amended = || is_new() && answer.is_met_by_leading();
    if answer.is_fate_of_document() || answer.is_by_value() || answer.is_reply() || is_amended() {
        input.confidence.max(SURE)
    } else if answer.is_topic_covered() || answer.is_stated_cause() || answer.is_named_section() {
        input.confidence.max(DOUBT_THRESHOLD)
    } else if answer.is_doubtful() {
        input.confidence * DOUBTFUL
    } else if answer.answers_by_form() {
        input.confidence.max(DOUBT_THRESHOLD)
    } else {
        input.confidence
    }
}

/// The selected quotations as an answer to a question.
struct Answer<'a> {
    input: &'a ResearcherInput,
    question: &'a Question,
    selected: &'a [Selected],
    /// The first of them.
    first: &'a Selected,
}

impl Answer<'_> {
    /// The share of a question for documents that the nearest one meets: no sentence has to answer.
    fn share_of_nearest_document(&self) -> f64 {
        let shares = self
            .selected
            .iter()
            .map(|own| self.question.share_met(&self.with_paragraph(own)));
        let share = shares.fold(0.0, f64::max);
        if share >= AS_MUCH {
            share
        } else {
            share.min(DOUBT_THRESHOLD) * DOUBTFUL
        }
    }

    /// `true` if the first quotation says what became of its document, which is what is asked for,
    /// and the document is on the subject.
    fn is_fate_of_document(&self) -> bool {
        let document = self.document();
        let is_on_topic = self.input.share_named(document) >= HALF
            || self.input.on_question(document) >= ON_TOPIC;
        is_on_topic && self.question.is_fate_in(&self.words_of(self.first))
    }

    /// `true` if the first quotation is the row of a table with the most of what is asked for, one
    /// with a value beyond the number of the question, one with the time of the question in its
    /// tenure, or one that shows whether something is so of all.
    fn is_by_value(&self) -> bool {
        let question = self.question;
        let asks_for_value = question.has_bound() || question.asks_for_most().is_some();
        asks_for_value && self.is_singled_out(self.first)
            || rows::is_by_form(&self.input.candidates, question, self.first.first)
    }

    /// `true` if the first quotation stands below a heading that asks for the same: a reply.
    fn is_reply(&self) -> bool {
        let heading = self.input.candidates[self.first.first].headings.last();
        heading.is_some_and(|heading| {
            self.question.is_asked_in(heading) && self.question.share_met(heading) == 1.0
        })
    }

    /// `true` if the first quotation is labelled as the reason that is asked for or gives it of
    /// what the question names, counts what one may have, bounds an amount, is the one row of a
    /// table that the question names, stands in the place of what has its words, or has them all.
    fn answers_by_form(&self) -> bool {
        let words = self.words_of(self.first);
        // Their own words may be few of the question's, by which the ranking is sure or not.
        self.gives_reason_of(&words)
            || self.question.counts_in(&words)
            || self.question.is_bounded_in(&words)
            || self.question.is_ruled_in(&words)
            || self.is_singled_out(self.first)
            || self.is_overruling()
            || self.says_all()
    }

    /// `true` if the first quotation says what caused the thing, or that a document was withdrawn,
    /// in a section that has most of the question: it was chosen for both.
    fn is_stated_cause(&self) -> bool {
        let first = &self.input.candidates[self.first.first].sentence;
        self.question.is_cause_in(&self.words_of(self.first))
            || self.question.asks_why_ended() && text::is_end_notice(first)
    }

    /// `true` if the first quotation stands in a section that the question asks for.
    fn is_named_section(&self) -> bool {
        let headings = &self.input.candidates[self.first.first].headings;
        let has_all = || self.question.share_met(&self.with_headings(self.first)) == 1.0;
        sections::is_asked_for(self.question, headings, has_all)
    }

    /// `true` if a topic that asks nothing is on what a small collection says: the quotations have
    /// all its words together.
    fn is_topic_covered(&self) -> bool {
        let all: Vec<String> = self
            .selected
            .iter()
            .map(|own| self.with_headings(own))
            .collect();
        let is_topic = matches!(
            self.question.answer_type,
            AnswerType::Topic | AnswerType::Open
        ) && !self.question.text.trim_end().ends_with('?');
        is_topic
            && self.input.documents_searched < LARGE_COLLECTION
            && self.question.share_met(&all.join("\n")) == 1.0
    }

    /// `true` if the first quotation has all words of a longer question, and a fact of its type.
    fn says_all(&self) -> bool {
        let words = self.words_of(self.first);
        self.question.answer_type.is_factual()
            && self.question.terms.len() > SHORT_QUESTION
            && self.question.share_met(&words) == 1.0
            && self.has_fact(self.first)
    }

    /// `true` if the quotations may not answer. In a large collection sentences on another subject
    /// share words with any question: there the words of the first answer decide only if it does
    /// not lead clearly. (The margin predicts query performance by the dispersion of scores.)
    fn is_doubtful(&self) -> bool {
        self.is_on_something_else()
            || self.lacks_name()
            || self.is_met_in_part()
            || self.is_definition_of_another()
            || !self.leads_clearly() && self.is_doubtful_by_words()
    }

    /// `true` if the words of the quotations leave it open whether they answer: they do not mention
    /// what the question is about, or give no reason or no fact where that is asked for.
    fn is_doubtful_by_words(&self) -> bool {
        let is_beside = || !self.is_on_subject() || self.lacks_holder();
        let lacks_type = if self.question.answer_type.is_factual() {
            // A fact may stand anywhere.
            !self.has_leading_fact()
        } else {
            self.is_of_another(self.first) || self.is_beside_topic()
        };
        lacks_type || self.lacks_reason() || is_beside() && !self.is_surely_met()
    }

    /// `true` if, in a large collection, the first quotation is one of many that share words with
    /// the question, of a document on another subject, or compares nothing where that is asked for.
    fn is_beside_topic(&self) -> bool {
        if self.input.documents_searched < LARGE_COLLECTION {
            return false;
        }
        let document = self.document();
        let is_on_topic = self.input.share_named(document) >= NAMED
            || self.input.on_question(document) >= ON_TOPIC
            || self.input.confidence >= CERTAIN;
        let run = &self.input.candidates[self.first.first..=self.first.last];
        let compares = |own: &Candidate| self.question.is_compared_in(&own.sentence);
        let is_narrow = self
            .input
            .margin
            .is_some_and(|margin| margin < NARROW_MARGIN);
        is_narrow || !is_on_topic || !run.iter().any(compares)
    }

    /// `true` if the first quotation meets no more than half of a short question, and what it lacks
    /// is not near it either. Each side of a comparison is quoted by itself.
    fn is_met_in_part(&self) -> bool {
        let first = self.first;
        self.question.terms.len() <= SHORT_QUESTION
            && self.question.answer_type != AnswerType::Comparison
            && self.share_met(first) <= HALF
            && !self.question.counts_in(&self.words_of(first))
            && !self.is_singled_out(first)
            && !self.lacks_only_common_terms(first)
            && !self.is_met_nearby()
            && !self.is_only_here()
            && !self.is_overruling()
    }

    /// `true` if a definition is asked for and the first quotation is on another thing: however
    /// clearly it leads, it defines nothing.
    fn is_definition_of_another(&self) -> bool {
        self.question.answer_type == AnswerType::Definition && self.is_of_another(self.first)
    }

    /// `true` if the first quotation is of another document than the one that is named, on others
    /// than those that a question asks about, or on another thing, or has less than what is asked
    /// for.
    fn is_on_something_else(&self) -> bool {
        let (question, first) = (self.question, self.first);
        let words = self.words_of(first);
        !question.is_answered_by_document(&self.document().title)
            || question.is_for_others(&self.with_headings(first))
            || question.is_for_another_thing(&self.leading_words())
            || question.is_for_another_number(&self.leading_words())
            || question.is_done_to_another(&words)
            || self.is_measured_of_another(first)
            || self.is_other_row(first)
            || self.is_part_of_sum(first)
            || self.is_in_other_document(first)
            || question.is_missed_by(&words, &self.with_paragraph(first))
            || question.asks_more_than_study(&self.input.candidates[first.first].sentence)
    }

    /// The document of the first quotation.
    fn document(&self) -> &TopicDocument {
        &self.input.documents[self.input.candidates[self.first.first].document]
    }

    /// `true` if a quotation is the row of a table that a question singles out, and all names and
    /// numbers of the question stand in it or above it.
    fn is_singled_out(&self, selected: &Selected) -> bool {
        let text = self.with_headings(selected);
        let mut met = self.question.met(&text);
        met.extend(self.question.terms_met_by_value(&self.words_of(selected)));
        let mut names = self.question.terms.iter().filter(|term| term.is_name);
        // The maximum dose of another medicine is no answer.
        let has_holder = self
            .question
            .holder_of_property()
            .is_none_or(|holder| met.contains(&holder) || self.is_common(&holder.word));
        has_holder
            && names.all(|name| met.contains(&name))
            && rows::is_singled_out(&self.input.candidates, self.question, selected.first)
    }

    /// `true` if words are labelled as the reason of the question, or give one of what it names.
    fn gives_reason_of(&self, words: &str) -> bool {
        self.question.is_reason_of_name(words)
            || self.question.is_labelled_reason(words) && !self.question.met(words).is_empty()
    }

    /// `true` if the ranking is sure of the first answer, and in a large collection no other
    /// sentence comes near it: it may say the words of the question in others.
    fn leads_clearly(&self) -> bool {
        self.input.documents_searched >= LARGE_COLLECTION
            && self.input.confidence >= CLEAR_CONFIDENCE
            && self
                .input
                .margin
                .is_some_and(|margin| margin >= CLEAR_MARGIN)
    }

    /// `true` if a leading quotation has the fact that is asked for, of the thing itself, and the
    /// first has more than a third of a longer question.
    fn has_leading_fact(&self) -> bool {
        let first = self.first;
        let is_met_in_third = self.question.terms.len() > SHORT_QUESTION
            && self.share_met(first) <= THIRD
            && !self.question.counts_in(&self.words_of(first))
            && !self.is_met_around();
        // Somebody who is named elsewhere is another, and so is a place.
        let least = match self.question.answer_type {
            AnswerType::Location | AnswerType::Person => AS_MUCH * self.share_met(first),
            _ => 0.0,
        };
        // A number is of what it stands beside: "a false alarm costs us 180 euros" tells no price
        // of a humidifier.
        let is_of_subject = |own: &Selected| {
            let is_thing = |term: &&QuestionTerm| !self.question.is_measure(term);
            let mut met = self.question.met(&self.with_paragraph(own)).into_iter();
            self.question.answer_type != AnswerType::Quantity
                || !self.question.terms.iter().any(|term| is_thing(&term))
                || met.any(|term| is_thing(&term))
                || self.question.counts_in(&self.words_of(own))
        };
        let tells = |own: &Selected| {
            self.has_fact(own)
                && !self.is_measured_beside(own)
                && is_of_subject(own)
                && !self.is_of_another(own)
                && !self.counts_only(own)
                && self.share_met(own) >= least
        };
        let has_type = || self.selected.iter().take(FEWEST).any(tells);
        // A row needs no preposition before its city, but a name for somebody.
        let asks_who = self.question.answer_type == AnswerType::Person;
        let is_row = || self.is_singled_out(first) && !self.is_of_another(first);
        !is_met_in_third && (has_type() || !asks_who && is_row())
    }

    /// `true` if the leading quotations of the document of the first have all words of a question.
    fn is_met_around(&self) -> bool {
        let document = |own: &Selected| self.input.candidates[own.first].document;
        let leading = self.selected.iter().take(FEWEST);
        let beside = leading.filter(|own| document(own) == document(self.first));
        let texts: Vec<String> = beside.map(|own| self.words_of(own)).collect();
        self.question.share_met(&texts.join("\n")) == 1.0
    }

    /// `true` if a number of people or things is asked for, and a quotation has one of them, but
    /// with its paragraph nothing else of the question: "We need six people for the cloakroom".
    fn counts_only(&self, selected: &Selected) -> bool {
        let counted = self.question.counted_word();
        let text = self.with_paragraph(selected);
        let mut met = self.question.met(&text).into_iter();
        self.question.answer_type == AnswerType::Quantity
            && !counted.is_empty()
            && !self.question.counts_in(&self.words_of(selected))
            && self.question.terms.len() > SHORT_QUESTION
            && met.all(|term| term.word == text::fold(counted))
    }

    /// `true` if a quotation is on another thing of the kind.
    fn is_of_another(&self, selected: &Selected) -> bool {
        let (text, above) = (self.words_of(selected), self.words_above(selected));
        self.question.is_of_another(&text, &above)
    }

    /// `true` if a quotation is a row, and others have more of what the question names. One that
    /// asks for several things is answered by several rows.
    fn is_other_row(&self, selected: &Selected) -> bool {
        let asks_for_several = matches!(
            self.question.answer_type,
            AnswerType::List | AnswerType::Comparison | AnswerType::Topic
        );
        selected.first == selected.last
            && !asks_for_several
            && rows::is_outdone(&self.input.candidates, self.question, selected.first)
    }

    /// `true` if a fact on a thing of some kind is asked for, "the cork supplier", and only another
    /// document has a word for the kind.
    fn is_in_other_document(&self, selected: &Selected) -> bool {
        let number = self.input.candidates[selected.first].document;
        let has = |own: &Candidate, term: &QuestionTerm| {
            let above = own
                .headings
                .iter()
                .any(|heading| self.question.met(heading).contains(&term));
            above || self.question.met(&own.sentence).contains(&term)
        };
        let is_elsewhere = |term: &QuestionTerm| {
            let is_own = |own: &&Candidate| own.document == number;
            let candidates = || self.input.candidates.iter();
            // What another document replaces may be in other words.
            let is_in_force =
                |own: &&Candidate| self.input.documents[own.document].successor.is_none();
            let mut others = candidates().filter(|own| !is_own(own) && is_in_force(own));
            let title = &self.input.documents[number].title;
            !self.question.met(title).contains(&term)
                && others.any(|own| own.terms.contains(&term.stem))
                && !candidates().filter(is_own).any(|own| has(own, term))
        };
        // The unit of a price says it as well: "60 euros a year".
        let is_kind = |term: &QuestionTerm| {
            self.question.is_behind_article(term) && !OF_PERIODS.contains(&term.word.as_str())
        };
        let kinds = self.question.kinds();
        self.question.answer_type.is_factual()
            && kinds
                .iter()
                .any(|(term, _)| is_kind(term) && is_elsewhere(term))
    }

    /// `true` if a question asks for the sum or the mean of something, or how many there are, and a
    /// quotation is a row of a table that does not say that it is one.
    fn is_part_of_sum(&self, selected: &Selected) -> bool {
        let asks = |text: &str| {
            let mut words = text::words(text).map(|word| text::fold(word.text));
            words.any(|word| SUMS.contains(&word.as_str()))
        };
        let row = self.words_of(selected);
        let (candidates, question) = (&self.input.candidates, self.question);
        let counts_all = || rows::is_one_of_several(candidates, question, selected.first);
        text::tables::is_record(&row)
            && (asks(&question.text) || question.counts_all() && counts_all())
            && !asks(&self.with_headings(selected))
    }

    /// `true` if a leading quotation is on what a question asks about. What many documents name
    /// need not be named again, but what has a price.
    fn is_on_subject(&self) -> bool {
        let mut leading = self.selected.iter().take(FEWEST);
        let may_be_common = |own: &QuestionTerm| {
            self.question.answer_type.is_factual() && !self.question.asks_for_price()
                || own.is_name && self.input.documents_searched >= LARGE_COLLECTION
        };
        let mut subject = self.question.subject().into_iter();
        leading.any(|own| self.question.is_on_subject(&self.with_headings(own)))
            || subject.any(|own| may_be_common(own) && self.is_common(&own.word))
            || self.question.counts_in(&self.words_of(self.first))
    }

    /// `true` if a question names "Apple", whom neither the leading quotations nor what is around
    /// them mentions: they are on others. A small collection may leave its subject unnamed.
    fn lacks_name(&self) -> bool {
        let is_word =
            |word: &str| word.len() >= LEAST_NAME && word.chars().all(char::is_alphabetic);
        let is_telling = |term: &&QuestionTerm| {
            term.is_name
                && (is_word(&term.word) || text::is_year(&term.word))
                && !self.is_common(&term.word)
        };
        let mut names = self.question.terms.iter().filter(is_telling).peekable();
        if self.input.documents_searched < LARGE_COLLECTION || names.peek().is_none() {
            return false;
        }
        let leading = self.selected.iter().take(FEWEST);
        let around: Vec<String> = leading
            .map(|own| {
                let document = &self.input.documents[self.input.candidates[own.first].document];
                let above = self.with_headings(own);
                let date = document.date.as_deref().unwrap_or_default();
                let beside = self.with_paragraph(own);
                [document.title.as_str(), date, &above, &beside].join("\n")
            })
            .collect();
        let met = self.question.met(&around.join("\n"));
        names.any(|name| !met.contains(&name))
    }

    /// `true` if a property of something is asked for, "the uncertainty of lead", and no leading
    /// quotation mentions that, nor what stands around it: the property is another one's.
    fn lacks_holder(&self) -> bool {
        self.question.holder_of_property().is_some_and(|holder| {
            let mut leading = self.selected.iter().take(FEWEST).enumerate();
            let mentions = |(number, own): (usize, &Selected)| {
                let is_around = number == 0
                    && self
                        .question
                        .met(&self.with_paragraph(own))
                        .contains(&holder);
                let mut run = self.input.candidates[own.first..=own.last].iter();
                run.any(|own| {
                    let met = self.question.met(&own.sentence);
                    // What else is said of it, "Do not give both", tells nothing of the property.
                    met.iter().any(|term| *term != holder)
                        && (is_around || met.contains(&holder))
                        && !self.question.is_property_of_another(&own.sentence)
                })
            };
            !self.is_common(&holder.word) && !leading.any(mentions)
        })
    }

    /// `true` if the ranking is sure of a long question, most of which the leading quotations have.
    fn is_surely_met(&self) -> bool {
        let is_mentioned = |subject: &QuestionTerm| {
            let mut candidates = self.input.candidates.iter();
            candidates.any(|own| own.terms.contains(&subject.stem))
        };
        self.question.terms.len() >= LONG_QUESTION
            && self.input.confidence >= SURE
            && (self.question.answer_type.is_factual()
                || self.question.subject().is_none_or(is_mentioned))
            && self.question.share_met(&self.leading_words()) > HALF
    }

    /// `true` if a sentence of a quotation has the fact that is asked for.
    fn has_fact(&self, selected: &Selected) -> bool {
        let run = &self.input.candidates[selected.first..=selected.last];
        // "Rust" is nobody among the proposals for Rust.
        let is_common = |name: &str| {
            let name = name.trim_end_matches("'s").trim_end_matches("’s");
            self.input.documents_searched >= LARGE_COLLECTION && self.is_common(name)
        };
        let names = |sentence: &str| {
            self.question.answer_type != AnswerType::Person
                || !self.question.is_english()
                || self.question.names_somebody(sentence, is_common)
        };
        run.iter().any(|own| {
            self.question.is_answered_by_type(&own.sentence)
                && names(&own.sentence)
                && self.question.is_counted_in(&own.sentence)
                && self.question.names_holder(&own.sentence)
        })
    }

    /// `true` for a word of many documents.
    fn is_common(&self, word: &str) -> bool {
        let stem = text::stem(word);
        let candidates = self.input.candidates.iter();
        let with_term = candidates.filter(|own| own.terms.contains(&stem));
        let documents: BTreeSet<usize> = with_term.map(|own| own.document).collect();
        documents.len() >= COMMON_DOCUMENTS && 3 * documents.len() >= self.input.documents.len()
    }

    /// `true` if what something costs is asked, and a quotation has less than half of what it is
    /// of, also with the rest of its paragraph.
    fn is_measured_of_another(&self, selected: &Selected) -> bool {
        let text = self.with_paragraph(selected);
        let met = self.question.met(&text);
        let is_thing = |term: &&QuestionTerm| {
            let is_unneeded = self.question.is_done_with_counted(term) && !met.contains(term);
            !self.question.is_measure(term) && !is_unneeded
        };
        let things: Vec<&QuestionTerm> = self.question.terms.iter().filter(is_thing).collect();
        let count = things.iter().filter(|term| met.contains(term)).count();
        self.question.is_measured_in(&self.words_of(selected)) && 2 * count < things.len()
    }

    /// `true` if what something costs is asked, or the like, the first quotation gives no such
    /// number, and another one that of something with no more than half of what the question names.
    fn is_measured_beside(&self, selected: &Selected) -> bool {
        let met = self.question.met(&self.with_headings(selected));
        let terms = self.question.terms.iter();
        let things: Vec<_> = terms
            .filter(|term| !self.question.is_measure(term) && !PERIODS.contains(&&*term.word))
            .collect();
        let count = things.iter().filter(|term| met.contains(term)).count();
        selected != self.first
            && self.question.is_measured_in(&self.words_of(selected))
            && !self.question.is_measured_in(&self.words_of(self.first))
            && 2 * count <= things.len()
    }

    /// `true` if a quotation lacks no other terms of a question for a person or a day than those
    /// that many of the documents have, and answers it by its type: "the studio" in the papers of a
    /// studio; or no other than the class that the answer is one of.
    fn lacks_only_common_terms(&self, selected: &Selected) -> bool {
        let text = self.with_headings(selected);
        let met = self.question.met(&text);
        let mut lacking = self
            .question
            .terms
            .iter()
            .filter(|term| !met.contains(term));
        matches!(
            self.question.answer_type,
            AnswerType::Person | AnswerType::Date
        ) && !met.is_empty()
            && self.question.has_type(&self.words_of(selected))
            && lacking.all(|term| !term.is_name && self.is_common(&term.word))
            || self.lacks_only_class(selected)
    }

    /// `true` if a quotation lacks nothing of a question but the word for the class that the answer
    /// is one of, and its document has that: "Athletics is offered" for "Which sports are offered?"
    fn lacks_only_class(&self, selected: &Selected) -> bool {
        let met = self.question.met(&self.with_headings(selected));
        let number = self.input.candidates[selected.first].document;
        let own = self
            .input
            .candidates
            .iter()
            .filter(|own| own.document == number);
        let has = |term: &QuestionTerm| {
            let mut own = own.clone();
            own.any(|own| self.question.met(&own.sentence).contains(&term))
        };
        let mut lacking = self
            .question
            .terms
            .iter()
            .filter(|term| !met.contains(term));
        !met.is_empty() && lacking.all(|term| self.question.is_class(term) && has(term))
    }

    /// `true` if a reason is asked for, and none is given.
    fn lacks_reason(&self) -> bool {
        let gives_reason = |own: &Selected| {
            let words = self.words_of(own);
            // What else is said of somebody is no reason for what is asked.
            let mut met = self.question.met(&words).into_iter();
            met.any(|term| !term.is_name)
                && self.question.has_type(&words)
                && self.share_met(own) >= HALF
        };
        self.question.answer_type == AnswerType::Reason
            && !self.question.gives_reason(&self.with_headings(self.first))
            && !self.selected.iter().take(FEWEST).any(gives_reason)
    }

    /// `true` if what the first quotation lacks of the question is near it: if yes or no is asked,
    /// in its paragraph, "Cash is not accepted. You can pay by card."; beside a reason, in the
    /// quotations after it, "That is why we never sweep. Floors are mopped, never swept."
    fn is_met_nearby(&self) -> bool {
        let first = self.first;
        let words = self.words_of(first);
        if self.gives_reason_of(&words) {
            return true;
        }
        let nearby = match self.question.answer_type {
            AnswerType::YesNo => self.with_paragraph(first),
            AnswerType::Reason
                if self.question.has_type(&words) && !self.question.met(&words).is_empty() =>
            {
                self.leading_words()
            }
            _ => return false,
        };
        self.question.share_met(&nearby) == 1.0
    }

    /// `true` if no other document has the words of the question that the first quotation has, and
    /// its document has those that it lacks: "The warranty is 24 months" in the one on the chamber.
    fn is_only_here(&self) -> bool {
        let met = self.question.met(&self.with_headings(self.first));
        let number = self.input.candidates[self.first.first].document;
        let has = |is_own: bool, term: &QuestionTerm| {
            let mut candidates = self.input.candidates.iter();
            candidates
                .any(|own| (own.document == number) == is_own && own.terms.contains(&term.stem))
        };
        let mut terms = self.question.terms.iter();
        !met.is_empty()
            && terms.all(|term| {
                if met.contains(&term) {
                    !has(false, term)
                } else {
                    has(true, term)
                }
            })
    }

    /// `true` if the first quotation says that it replaces what was said on another day, "This
    /// replaces the decision of 17 June", that a day cannot be held, or that what was decided
    /// before is not so, "scarves instead of robes", or is of a document that replaces another one,
    /// and what it lacks of the question is in the quotations after it.
    fn is_overruling(&self) -> bool {
        let first = self.first;
        let own = self.input.documents[self.input.candidates[first.first].document].index;
        let mut documents = self.input.documents.iter();
        let words = self.words_of(first);
        let replaces = text::replaced_day(&words).is_some()
            || text::gives_up_plan(&words)
            || decides_otherwise(self.question, &words)
            || documents.any(|other| other.successor == Some(own));
        replaces && self.is_met_by_leading()
    }

    /// `true` if the leading quotations have all of the question.
    fn is_met_by_leading(&self) -> bool {
        self.question.share_met(&self.leading_words()) == 1.0
    }

    /// The share of the terms of a question that a quotation meets with its headings and its title.
    /// A price says by its unit that it is one, and a day needs no word for an end.
    fn share_met(&self, selected: &Selected) -> f64 {
        let met = self.question.met(&self.with_headings(selected));
        let words = self.words_of(selected);
        let is_measured = self.question.is_measured_in(&words);
        // The day of an end needs no word for it: "It is extended to 30 June".
        let is_end = self.question.asks_when_it_ends() && gives_time(&words);
        let is_met = |term: &&QuestionTerm| {
            met.contains(term)
                || is_measured && self.question.is_measure(term)
                || is_end && self.question.is_verb_of_end(term)
        };
        let count = self.question.terms.iter().filter(is_met).count();
        count as f64 / self.question.terms.len().max(1) as f64
    }

    /// The words of the paragraphs of a quotation, of the headings above it and of its title.
    fn with_paragraph(&self, selected: &Selected) -> String {
        // An item of a list is a paragraph of its own.
        let [first, last] = [selected.first, selected.last].map(|at| &self.input.candidates[at]);
        let candidates = self.input.candidates.iter();
        let paragraph = candidates.filter(|own| {
            own.document == first.document
                && (first.paragraph..=last.paragraph).contains(&own.paragraph)
        });
        let above = self.words_above(selected);
        let sentences = paragraph.map(|own| &*own.sentence);
        sentences
            .chain([above.as_str()])
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The words of the leading quotations, with their headings and titles.
    fn leading_words(&self) -> String {
        let leading = self.selected.iter().take(FEWEST);
        let all: Vec<String> = leading.map(|own| self.with_headings(own)).collect();
        all.join("\n")
    }

    /// The words of a selected quotation, of the headings above it and of its title.
    fn with_headings(&self, selected: &Selected) -> String {
        [self.words_of(selected), self.words_above(selected)].join("\n")
    }

    /// The words of a selected quotation.
    fn words_of(&self, selected: &Selected) -> String {
        let run = &self.input.candidates[selected.first..=selected.last];
        let sentences: Vec<&str> = run.iter().map(|own| &*own.sentence).collect();
        sentences.join("\n")
    }

    /// The words of the headings above a selected quotation and of its title.
    fn words_above(&self, selected: &Selected) -> String {
        let first = &self.input.candidates[selected.first];
        let headings = first.headings.iter().map(String::as_str);
        let title = self.input.documents[first.document].title.as_str();
        let all: Vec<&str> = headings.chain([title]).collect();
        all.join("\n")
    }
}

//! The certainty of answers: whether the selected quotations answer the subject as a question.

use std::collections::BTreeSet;

use super::super::succession::{decides_otherwise, gives_time};
use super::candidate::Candidate;
use super::context::FEWEST;
use super::input::ResearcherInput;
use super::quotation::Selected;
use super::rows;
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

/// The confidence in the selected quotations, 0 to 1: that of the ranking, which goes by the words
/// of the question, less where they are in doubt. Where the first answers by its form, whatever its
/// words, there is no doubt.
pub(super) fn confidence(input: &ResearcherInput, selected: &[Selected]) -> f64 {
    let question = Question::parse(&input.topic);
    if input.documents_searched >= LARGE_COLLECTION && question.asks_for_documents() {
        // The ranking is sure or not of a sentence that answers, and none has to.
        let shares = selected
            .iter()
            .map(|own| question.share_met(&with_paragraph(input, own)));
        let share = shares.fold(0.0, f64::max);
        return if share >= AS_MUCH {
            share
        } else {
            share.min(DOUBT_THRESHOLD) * DOUBTFUL
        };
    }
    if is_fate_of_document(input, &question, selected) || is_by_value(input, &question, selected) {
        return input.confidence.max(SURE);
    }
    match certainty(input, &question, selected) {
        1.0 if answers_by_form(input, &question, selected) => input.confidence.max(DOUBT_THRESHOLD),
        certainty => input.confidence * certainty,
    }
}

/// `true` if the first quotation says what became of its document, which is what is asked for, and
/// the document is on the subject.
fn is_fate_of_document(
    input: &ResearcherInput,
    question: &Question,
    selected: &[Selected],
) -> bool {
    selected.first().is_some_and(|first| {
        let document = &input.documents[input.candidates[first.first].document];
        let is_on_topic =
            input.share_named(document) >= HALF || input.on_question(document) >= ON_TOPIC;
        is_on_topic && question.is_fate_in(&words_of(input, first))
    })
}

/// `true` if the first quotation is the row of a table with the most of what is asked for, or one
/// with a value beyond the number of the question.
fn is_by_value(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> bool {
    let asks_for_value = question.has_bound() || question.asks_for_most().is_some();
    let first = selected.first().filter(|_| asks_for_value);
    first.is_some_and(|first| is_singled_out(input, question, first))
}

/// `true` if the first quotation is labelled as the reason that is asked for or gives it of what
/// the question names, counts what one may have, bounds an amount, is the one row of a table that
/// the question names, or stands in the place of what has its words.
fn answers_by_form(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> bool {
    selected.first().is_some_and(|first| {
        let words = words_of(input, first);
        // Their own words may be few of the question's, by which the ranking is sure or not.
        gives_reason_of(question, &words)
            || question.counts_in(&words)
            || question.is_bounded_in(&words)
            || question.is_ruled_in(&words)
            || is_singled_out(input, question, first)
            || is_overruling(input, question, selected)
    })
}

/// `true` if a quotation is the row of a table that a question singles out, and all names and
/// numbers of the question stand in it or above it.
fn is_singled_out(input: &ResearcherInput, question: &Question, selected: &Selected) -> bool {
    let text = with_headings(input, selected);
    let mut met = question.met(&text);
    met.extend(question.terms_met_by_value(&words_of(input, selected)));
    let mut names = question.terms.iter().filter(|term| term.is_name);
    // The maximum dose of another medicine is no answer.
    let has_holder = question
        .holder_of_property()
        .is_none_or(|holder| met.contains(&holder) || is_common(input, &holder.word));
    has_holder
        && names.all(|name| met.contains(&name))
        && rows::is_singled_out(&input.candidates, question, selected.first)
}

/// `true` if words are labelled as the reason that is asked for, and have a word of the question,
/// or give a reason of what it names.
fn gives_reason_of(question: &Question, words: &str) -> bool {
    question.is_reason_of_name(words)
        || question.is_labelled_reason(words) && !question.met(words).is_empty()
}

/// The factor of the confidence in the selected quotations. Nothing is answered by quotations that
/// do not mention what the question is about. A question for a fact is answered by
/// none that has no answer of its type: "when", by one without a date; a short question by
/// none that has no more than half of its words.
///
/// In a large collection sentences of documents on another subject share words with any question:
/// the margin of the first answer decides, its document, and whether it compares what is to be
/// compared. A fact may stand anywhere.
fn certainty(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> f64 {
    let title = |selected: &Selected| {
        let candidate = &input.candidates[selected.first];
        &input.documents[candidate.document].title
    };
    if selected
        .first()
        .is_some_and(|first| !question.is_answered_by_document(title(first)))
    {
        return DOUBTFUL;
    }
    let Some(first) = selected.first() else {
        return 1.0;
    };
    let is_beside =
        !is_on_subject(input, question, selected) || lacks_holder(input, question, selected);
    // A predictor of query performance by the dispersion of scores, as in the ranking: words that
    // are missing tell less than it does.
    let is_clear = leads_clearly(input);
    if is_beside && !is_clear && !is_surely_met(input, question, selected)
        || lacks_name(input, question, selected)
    {
        return DOUBTFUL;
    }
    // Each side of a comparison is quoted by itself.
    let is_comparison = question.answer_type == AnswerType::Comparison;
    let is_short = question.terms.len() <= SHORT_QUESTION && !is_comparison;
    let is_met_in_part = || {
        share_met(input, question, first) <= HALF
            && !question.counts_in(&words_of(input, first))
            && !is_singled_out(input, question, first)
            && !lacks_only_common_terms(input, question, first)
            && !is_met_nearby(input, question, selected)
            && !is_overruling(input, question, selected)
    };
    if is_short && is_met_in_part() || !is_clear && lacks_reason(input, question, selected) {
        return DOUBTFUL;
    }
    if is_on_something_else(input, question, selected) {
        return DOUBTFUL;
    }
    if question.answer_type.is_factual() {
        let is_certain = is_clear || has_leading_fact(input, question, selected);
        return if is_certain { 1.0 } else { DOUBTFUL };
    }
    // However clearly it leads, the definition of another thing defines nothing.
    let is_definition = question.answer_type == AnswerType::Definition;
    if (is_definition || !is_clear) && is_of_another(input, question, first) {
        return DOUBTFUL;
    }
    if input.documents_searched < LARGE_COLLECTION || is_clear {
        return 1.0;
    }
    let is_narrow = input.margin.is_some_and(|margin| margin < NARROW_MARGIN);
    let run = &input.candidates[first.first..=first.last];
    let document = &input.documents[run[0].document];
    let is_on_topic =
        input.share_named(document) >= NAMED || input.on_question(document) >= ON_TOPIC;
    let compares = run
        .iter()
        .any(|sentence| question.is_compared_in(&sentence.sentence));
    if !is_narrow && compares && (is_on_topic || input.confidence >= CERTAIN) {
        1.0
    } else {
        DOUBTFUL
    }
}

/// `true` if the first quotation is on others than those that a question asks about, or on another
/// thing, or has less than what is asked for.
fn is_on_something_else(
    input: &ResearcherInput,
    question: &Question,
    selected: &[Selected],
) -> bool {
    let first = &selected[0];
    question.is_for_others(&with_headings(input, first))
        || question.is_for_another_thing(&leading_words(input, selected))
        || question.is_done_to_another(&words_of(input, first))
        || is_measured_of_another(input, question, first)
        || is_other_row(input, question, first)
        || is_part_of_sum(input, question, first)
        || is_in_other_document(input, question, first)
        || question.is_missed_by(&words_of(input, first), &with_paragraph(input, first))
        || question.asks_more_than_study(&input.candidates[first.first].sentence)
}

/// `true` if the ranking is sure of the first answer, and in a large collection no other sentence
/// comes near it: it may say the words of the question in others.
fn leads_clearly(input: &ResearcherInput) -> bool {
    input.documents_searched >= LARGE_COLLECTION
        && input.confidence >= CLEAR_CONFIDENCE
        && input.margin.is_some_and(|margin| margin >= CLEAR_MARGIN)
}

/// `true` if a leading quotation has the fact that a question asks for, of the thing itself, and
/// the first has more than a third of a longer question.
fn has_leading_fact(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> bool {
    let first = &selected[0];
    let is_met_in_third = question.terms.len() > SHORT_QUESTION
        && share_met(input, question, first) <= THIRD
        && !question.counts_in(&words_of(input, first))
        && !is_met_around(input, question, selected);
    let is_of_another = |own: &Selected| is_of_another(input, question, own);
    // Somebody who is named elsewhere is another.
    let least = match question.answer_type {
        AnswerType::Person => AS_MUCH * share_met(input, question, first),
        _ => 0.0,
    };
    // A number is of what it stands beside: "a false alarm costs us 180 euros" tells no price of a
    // humidifier.
    let is_of_subject = |own: &Selected| {
        let is_thing = |term: &&QuestionTerm| !question.is_measure(term);
        let mut met = question.met(&with_paragraph(input, own)).into_iter();
        question.answer_type != AnswerType::Quantity
            || !question.terms.iter().any(|term| is_thing(&term))
            || met.any(|term| is_thing(&term))
            || question.counts_in(&words_of(input, own))
    };
    let tells = |own: &Selected| {
        has_fact(input, question, own)
            && is_of_subject(own)
            && !is_of_another(own)
            && !counts_only(input, question, own)
            && share_met(input, question, own) >= least
    };
    let has_type = || selected.iter().take(FEWEST).any(tells);
    // A row needs no preposition before its city.
    let is_row = || is_singled_out(input, question, first) && !is_of_another(first);
    !is_met_in_third && (has_type() || is_row())
}

/// `true` if the leading quotations of the document of the first have all words of a question: what
/// it tells may be in one sentence, and when that was in the next.
fn is_met_around(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> bool {
    let document = |own: &Selected| input.candidates[own.first].document;
    let leading = selected.iter().take(FEWEST);
    let beside = leading.filter(|own| document(own) == document(&selected[0]));
    let texts: Vec<String> = beside.map(|own| words_of(input, own)).collect();
    question.share_met(&texts.join("\n")) == 1.0
}

/// `true` if a number of people or things is asked for, and a quotation has one of them, but with
/// its paragraph nothing else of the question: "We need six people for the cloakroom".
fn counts_only(input: &ResearcherInput, question: &Question, selected: &Selected) -> bool {
    let counted = question.counted_word();
    let text = with_paragraph(input, selected);
    let mut met = question.met(&text).into_iter();
    question.answer_type == AnswerType::Quantity
        && !counted.is_empty()
        && !question.counts_in(&words_of(input, selected))
        && question.terms.len() > SHORT_QUESTION
        && met.all(|term| term.word == text::fold(counted))
}

/// `true` if a quotation is on another thing of the kind that a question asks about.
fn is_of_another(input: &ResearcherInput, question: &Question, selected: &Selected) -> bool {
    let (text, above) = (words_of(input, selected), words_above(input, selected));
    question.is_of_another(&text, &above)
}

/// `true` if a quotation is a row of a table, and other rows have more of what the question names.
/// One that asks for several things is answered by several rows.
fn is_other_row(input: &ResearcherInput, question: &Question, selected: &Selected) -> bool {
    let asks_for_several = matches!(
        question.answer_type,
        AnswerType::List | AnswerType::Comparison | AnswerType::Topic
    );
    selected.first == selected.last
        && !asks_for_several
        && rows::is_outdone(&input.candidates, question, selected.first)
}

/// `true` if a fact on a thing of some kind is asked for, "the cork supplier", and the document of
/// a quotation has no word for the kind, which another document has.
fn is_in_other_document(input: &ResearcherInput, question: &Question, selected: &Selected) -> bool {
    let number = input.candidates[selected.first].document;
    let has = |own: &Candidate, term: &QuestionTerm| {
        let above = own
            .headings
            .iter()
            .any(|heading| question.met(heading).contains(&term));
        above || question.met(&own.sentence).contains(&term)
    };
    let is_elsewhere = |term: &QuestionTerm| {
        let is_own = |own: &&Candidate| own.document == number;
        let candidates = || input.candidates.iter();
        // What another document replaces may be in other words.
        let is_in_force = |own: &&Candidate| input.documents[own.document].successor.is_none();
        let mut others = candidates().filter(|own| !is_own(own) && is_in_force(own));
        let title = &input.documents[number].title;
        !question.met(title).contains(&term)
            && others.any(|own| own.terms.contains(&term.stem))
            && !candidates().filter(is_own).any(|own| has(own, term))
    };
    // The unit of a price says it as well: "60 euros a year".
    let is_kind = |term: &QuestionTerm| {
        question.is_behind_article(term) && !OF_PERIODS.contains(&term.word.as_str())
    };
    let kinds = question.kinds();
    question.answer_type.is_factual()
        && kinds
            .iter()
            .any(|(term, _)| is_kind(term) && is_elsewhere(term))
}

/// Words for the period that something is paid for, which make no other kind of it.
const OF_PERIODS: [&str; 6] = [
    "annual",
    "yearly",
    "quarterly",
    "monthly",
    "weekly",
    "daily",
];

/// Words that ask for what all rows come to; a closed list, written by hand.
const SUMS: [&str; 5] = ["total", "altogether", "combined", "sum", "average"];

/// `true` if a question asks for the sum or the mean of something, and a quotation is a row of a
/// table that does not say that it is one.
fn is_part_of_sum(input: &ResearcherInput, question: &Question, selected: &Selected) -> bool {
    let asks = |text: &str| {
        let mut words = text::words(text).map(|word| text::fold(word.text));
        words.any(|word| SUMS.contains(&word.as_str()))
    };
    let row = words_of(input, selected);
    asks(&question.text) && text::tables::is_record(&row) && !asks(&with_headings(input, selected))
}

/// `true` if a leading quotation is on what a question asks about. What many of the documents name,
/// such as the place that they are of, need not be named again, but what has a price.
fn is_on_subject(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> bool {
    let mut leading = selected.iter().take(FEWEST);
    let is_common = |own: &QuestionTerm| is_common(input, &own.word);
    let may_be_common = |own: &QuestionTerm| {
        question.answer_type.is_factual() && !question.asks_for_price()
            || own.is_name && input.documents_searched >= LARGE_COLLECTION
    };
    let mut subject = question.subject().into_iter();
    leading.any(|own| question.is_on_subject(&with_headings(input, own)))
        || subject.any(|own| may_be_common(own) && is_common(own))
        || question.counts_in(&words_of(input, &selected[0]))
}

/// `true` if a question names somebody or something, "Apple", that neither the leading quotations
/// nor what stands around them mentions: they are on others of the kind. In a small collection the
/// subject may go without its name.
fn lacks_name(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> bool {
    let is_word = |word: &str| word.len() >= LEAST_NAME && word.chars().all(char::is_alphabetic);
    let is_telling = |term: &&QuestionTerm| {
        term.is_name
            && (is_word(&term.word) || text::is_year(&term.word))
            && !is_common(input, &term.word)
    };
    let mut names = question.terms.iter().filter(is_telling).peekable();
    if input.documents_searched < LARGE_COLLECTION || names.peek().is_none() {
        return false;
    }
    let leading = selected.iter().take(FEWEST);
    let around: Vec<String> = leading
        .map(|own| {
            let document = &input.documents[input.candidates[own.first].document];
            let above = with_headings(input, own);
            let date = document.date.as_deref().unwrap_or_default();
            let beside = with_paragraph(input, own);
            [document.title.as_str(), date, &above, &beside].join("\n")
        })
        .collect();
    let met = question.met(&around.join("\n"));
    names.any(|name| !met.contains(&name))
}

/// `true` if a property of something is asked for, "the uncertainty of lead", and no leading
/// quotation mentions that, nor what stands around it: the property is another one's.
fn lacks_holder(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> bool {
    question.holder_of_property().is_some_and(|holder| {
        let mut leading = selected.iter().take(FEWEST).enumerate();
        let mentions = |(number, own): (usize, &Selected)| {
            let is_around =
                number == 0 && question.met(&with_paragraph(input, own)).contains(&holder);
            let mut run = input.candidates[own.first..=own.last].iter();
            run.any(|own| {
                let met = question.met(&own.sentence);
                // What else is said of it, "Do not give both", tells nothing of the property.
                met.iter().any(|term| *term != holder)
                    && (is_around || met.contains(&holder))
                    && !question.is_property_of_another(&own.sentence)
            })
        };
        !is_common(input, &holder.word) && !leading.any(mentions)
    })
}

/// `true` if the ranking is sure of a long question, most of whose words the leading quotations
/// have: it may name its subject in another word. What no document mentions explains nothing.
fn is_surely_met(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> bool {
    let is_mentioned = |subject: &QuestionTerm| {
        let mut candidates = input.candidates.iter();
        candidates.any(|own| own.terms.contains(&subject.stem))
    };
    question.terms.len() >= LONG_QUESTION
        && input.confidence >= SURE
        && (question.answer_type.is_factual() || question.subject().is_none_or(is_mentioned))
        && question.share_met(&leading_words(input, selected)) > HALF
}

/// `true` if a sentence of a quotation has the fact that is asked for.
fn has_fact(input: &ResearcherInput, question: &Question, selected: &Selected) -> bool {
    let run = &input.candidates[selected.first..=selected.last];
    // "Rust" is nobody among the proposals for Rust.
    let is_common = |name: &str| {
        let name = name.trim_end_matches("'s").trim_end_matches("’s");
        input.documents_searched >= LARGE_COLLECTION && is_common(input, name)
    };
    let names = |sentence: &str| {
        question.answer_type != AnswerType::Person
            || !question.is_english()
            || question.names_somebody(sentence, is_common)
    };
    run.iter().any(|own| {
        question.is_answered_by_type(&own.sentence)
            && names(&own.sentence)
            && question.is_counted_in(&own.sentence)
            && question.names_holder(&own.sentence)
    })
}

/// `true` for a word that many of the documents have.
fn is_common(input: &ResearcherInput, word: &str) -> bool {
    let stem = text::stem(word);
    let candidates = input.candidates.iter();
    let with_term = candidates.filter(|own| own.terms.contains(&stem));
    let documents: BTreeSet<usize> = with_term.map(|own| own.document).collect();
    documents.len() >= COMMON_DOCUMENTS && 3 * documents.len() >= input.documents.len()
}

/// `true` if what something costs is asked, and a quotation has less than half of what it is of,
/// also with the rest of its paragraph.
fn is_measured_of_another(
    input: &ResearcherInput,
    question: &Question,
    selected: &Selected,
) -> bool {
    let text = with_paragraph(input, selected);
    let met = question.met(&text);
    let is_thing = |term: &&QuestionTerm| {
        let is_unneeded = question.is_done_with_counted(term) && !met.contains(term);
        !question.is_measure(term) && !is_unneeded
    };
    let things: Vec<&QuestionTerm> = question.terms.iter().filter(is_thing).collect();
    let count = things.iter().filter(|term| met.contains(term)).count();
    question.is_measured_in(&words_of(input, selected)) && 2 * count < things.len()
}

/// `true` if a quotation lacks no other terms of a question for a person or a day than those that
/// many of the documents have, and answers it by its type: "the studio" in the papers of a studio;
/// or no other than the class that the answer is one of.
fn lacks_only_common_terms(
    input: &ResearcherInput,
    question: &Question,
    selected: &Selected,
) -> bool {
    let text = with_headings(input, selected);
    let met = question.met(&text);
    let mut lacking = question.terms.iter().filter(|term| !met.contains(term));
    matches!(question.answer_type, AnswerType::Person | AnswerType::Date)
        && !met.is_empty()
        && question.has_type(&words_of(input, selected))
        && lacking.all(|term| !term.is_name && is_common(input, &term.word))
        || lacks_only_class(input, question, selected)
}

/// `true` if a quotation lacks nothing of a question but the word for the class that the answer is
/// one of, and its document has that: "Athletics is offered" for "Which sports are offered?"
fn lacks_only_class(input: &ResearcherInput, question: &Question, selected: &Selected) -> bool {
    let met = question.met(&with_headings(input, selected));
    let number = input.candidates[selected.first].document;
    let own = input.candidates.iter().filter(|own| own.document == number);
    let has = |term: &QuestionTerm| {
        let mut own = own.clone();
        own.any(|own| question.met(&own.sentence).contains(&term))
    };
    let mut lacking = question.terms.iter().filter(|term| !met.contains(term));
    !met.is_empty() && lacking.all(|term| question.is_class(term) && has(term))
}

/// `true` if a reason is asked for, and no leading quotation gives one.
fn lacks_reason(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> bool {
    let gives_reason = |own: &Selected| {
        let words = words_of(input, own);
        // What else is said of somebody is no reason for what is asked.
        let mut met = question.met(&words).into_iter();
        met.any(|term| !term.is_name)
            && question.has_type(&words)
            && share_met(input, question, own) >= HALF
    };
    question.answer_type == AnswerType::Reason
        && !question.gives_reason(&with_headings(input, &selected[0]))
        && !selected.iter().take(FEWEST).any(gives_reason)
}

/// `true` if what the first quotation lacks of the question is near it: if yes or no is asked, in
/// its paragraph, "Cash is not accepted. You can pay by card."; beside a reason, in the quotations
/// after it, "That is why we never sweep. Floors are mopped, never swept."
fn is_met_nearby(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> bool {
    let first = &selected[0];
    let words = words_of(input, first);
    if gives_reason_of(question, &words) {
        return true;
    }
    let nearby = match question.answer_type {
        AnswerType::YesNo => with_paragraph(input, first),
        AnswerType::Reason if question.has_type(&words) && !question.met(&words).is_empty() => {
            leading_words(input, selected)
        }
        _ => return false,
    };
    question.share_met(&nearby) == 1.0
}

/// `true` if the first quotation says that it replaces what was said on another day, "This replaces
/// the decision of 17 June", or what was decided before, "scarves instead of robes", or is of a
/// document that replaces another one, and what it lacks of the question is in the quotations after
/// it.
fn is_overruling(input: &ResearcherInput, question: &Question, selected: &[Selected]) -> bool {
    let first = &selected[0];
    let own = input.documents[input.candidates[first.first].document].index;
    let mut documents = input.documents.iter();
    let words = words_of(input, first);
    let replaces = text::replaced_day(&words).is_some()
        || decides_otherwise(question, &words)
        || documents.any(|other| other.successor == Some(own));
    replaces && question.share_met(&leading_words(input, selected)) == 1.0
}

/// The share of the terms of a question that a quotation meets with its headings and its title. A
/// price says by its unit that it is one, and a day needs no word for an end.
fn share_met(input: &ResearcherInput, question: &Question, selected: &Selected) -> f64 {
    let met = question.met(&with_headings(input, selected));
    let words = words_of(input, selected);
    let is_measured = question.is_measured_in(&words);
    // The day of an end needs no word for it: "It is extended to 30 June".
    let is_end = question.asks_when_it_ends() && gives_time(&words);
    let is_met = |term: &&QuestionTerm| {
        met.contains(term)
            || is_measured && question.is_measure(term)
            || is_end && question.is_verb_of_end(term)
    };
    let count = question.terms.iter().filter(is_met).count();
    count as f64 / question.terms.len().max(1) as f64
}

/// The words of the paragraphs of a selected quotation, of the headings above it and of its title.
fn with_paragraph(input: &ResearcherInput, selected: &Selected) -> String {
    // An item of a list is a paragraph of its own.
    let [first, last] = [selected.first, selected.last].map(|at| &input.candidates[at]);
    let candidates = input.candidates.iter();
    let paragraph = candidates.filter(|own| {
        own.document == first.document
            && (first.paragraph..=last.paragraph).contains(&own.paragraph)
    });
    let above = words_above(input, selected);
    let sentences = paragraph.map(|own| &*own.sentence);
    sentences
        .chain([above.as_str()])
        .collect::<Vec<_>>()
        .join("\n")
}

/// The words of the leading quotations, of the headings above them and of their titles.
fn leading_words(input: &ResearcherInput, selected: &[Selected]) -> String {
    let leading = selected.iter().take(FEWEST);
    let all: Vec<String> = leading.map(|own| with_headings(input, own)).collect();
    all.join("\n")
}

/// The words of a selected quotation, of the headings above it and of its title.
fn with_headings(input: &ResearcherInput, selected: &Selected) -> String {
    [words_of(input, selected), words_above(input, selected)].join("\n")
}

/// The words of a selected quotation.
fn words_of(input: &ResearcherInput, selected: &Selected) -> String {
    let run = &input.candidates[selected.first..=selected.last];
    let sentences: Vec<&str> = run.iter().map(|own| &*own.sentence).collect();
    sentences.join("\n")
}

/// The words of the headings above a selected quotation and of its title.
fn words_above(input: &ResearcherInput, selected: &Selected) -> String {
    let first = &input.candidates[selected.first];
    let headings = first.headings.iter().map(String::as_str);
    let title = input.documents[first.document].title.as_str();
    let all: Vec<&str> = headings.chain([title]).collect();
    all.join("\n")
}

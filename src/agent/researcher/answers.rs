//! The selection of answers: the sentences that answer the subject as a question, as runs that can
//! be understood out of context.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::super::similarity::{self, SIMILAR};
use super::super::succession::goes_on;
use super::aspect::Aspect;
use super::candidate::{Candidate, ListPart};
use super::context::{Context, FEWEST};
use super::disagreement;
use super::exception::{exception, is_limited_by};
use super::form::{
    is_ended, is_fragment, is_plain_caption, is_row, is_statement, is_unwanted_header,
    is_wanted_header,
};
use super::input::ResearcherInput;
use super::leading;
use super::quotation::{self, ANSWER_WORDS, Run};
use super::relevance::MAIN_SHARE;
use super::rows;
use super::sections;
use super::sequel::with_sequel;
use super::steps;
use super::style;
use super::taken_back;
use crate::answering::AnswerType;
use crate::artifact::documents::LARGE_COLLECTION;
use crate::artifact::plan::Facet;
use crate::artifact::source::Lifecycle;
use crate::text::{self, Quotability};

/// The least score of an answer, as a share of the best one's.
const LEAST_SHARE: f64 = 0.5;

/// The least share of the question, beside that of the first answer, of one to a question for a
/// fact beyond those of a summary: what has less only fills the report. Chosen by hand.
const LEAST_MET: f64 = 0.6;

/// The loss of score of a sentence that reads badly by itself, such as a fragment or an
/// announcement of what follows. Half as much as the presence of the type of answer gains.
const UNQUOTABLE_LOSS: f64 = 0.5;

/// The loss of a sentence that reads badly for its length alone.
const LENGTH_LOSS: f64 = 0.3;

/// The loss of an item of a list of conditions: "It needs 65 °C" is not so under "It fits if:".
const CONDITION_LOSS: f64 = 3.0;

/// The loss of an exception, which says nothing without its rule, "Exception: members over 75.",
/// of another option than the one that was taken, "An alternative would be …", and of a denial for
/// a question that takes the denied for granted.
const EXCEPTION_LOSS: f64 = 2.0;

/// The loss of a sentence on an example, which is no rule.
const EXAMPLE_LOSS: f64 = 1.0;

/// The loss of a sentence of a document that another one replaces, or that does not apply any more.
const SUPERSEDED_LOSS: f64 = 1.5;

/// The loss of a list as the answer to a question that no list answers, such as "why".
const LIST_LOSS: f64 = 1.5;

/// The weight of a list of what the question counts: "the three tiers". Chosen by hand.
const ENUMERATION_WEIGHT: f64 = 3.0;

/// The weight of what says that something is not known, if that is asked for: as much as a list of
/// what is counted.
const UNKNOWN_WEIGHT: f64 = 3.0;

/// The weight of the topicality of a document, as a share of the best one's: in a collection of
/// long documents a sentence of another document that shares words with the question answers
/// another one. This and the weights below were set by hand, while reading reports on 648 design
/// documents; those of topicality, style and unquotable sentences by the share of the expected
/// answers to 234 questions that is quoted. Questions for a fact do without.
const TOPICALITY_WEIGHT: f64 = 1.0;

/// The least topicality of the document of a further answer, as a share of that of the first, in a
/// large collection.
const BESIDE_SHARE: f64 = 0.7;

/// The weight of a sentence in a summary or an abstract.
const SUMMARY_WEIGHT: f64 = 0.8;

/// The weight of the first sentence of the summary of a main document, which says what the document
/// as a whole says on its subject; more if the title names all that is asked.
const LEAD_WEIGHT: f64 = 1.2;

/// The weight of a sentence in the section that is asked for by its name, and of a line of the
/// header that is asked for, whatever its style.
const REQUESTED_SECTION_WEIGHT: f64 = 4.0;

/// The loss of a sentence in a section on something else, such as alternatives or prior art.
const EXCLUDED_LOSS: f64 = 2.5;

/// The weight of the cue of the aspect that the topic asks for.
const CUE_WEIGHT: f64 = 1.0;

/// The loss of a row of a table as the answer to a question that values do not answer, such as
/// "why".
const ROW_LOSS: f64 = 1.5;

/// The weight of the logarithm of the style factor.
const STYLE_WEIGHT: f64 = 0.7;

/// The maximum number of sentences from one on a subject to what was decided of it.
const FURTHER: usize = 2;

/// The maximum number of documents in the answer to a question that asks for documents, and of rows
/// in the answer to one with a bound.
const LISTED_DOCUMENTS: usize = 6;
const LISTED_ROWS: usize = 12;

/// An answer: the number of its candidate, what is quoted of it, and its score as a share of the
/// best one's.
pub(super) struct Answer {
    pub(super) index: usize,
    pub(super) run: Run,
    pub(super) share: f64,
}

impl Answer {
    /// A part of a list that answers as a whole.
    fn of_whole(run: Run) -> Self {
        Self {
            index: run.first,
            run,
            share: 1.0,
        }
    }
}

/// The answers of a step, best first.
pub(super) fn answers(context: &Context<'_>) -> Vec<Answer> {
    let input = context.input;
    let candidates = &input.candidates;
    let prior = Prior::new(context);
    let (scored, best) = prior.ordered();
    if prior.lists_documents() {
        return prior.of_documents(&scored);
    }
    let by_form = by_form(context, &scored);
    if !by_form.is_empty() {
        return by_form.into_iter().map(Answer::of_whole).collect();
    }
    let whole = prior.whole(&scored);
    let whole = whole.into_iter();
    let whole = whole.flat_map(|run| context.parts_in_force(run));
    let mut answers: Vec<Answer> = whole.map(Answer::of_whole).collect();
    for (index, score) in scored {
        let is_weak = !answers.is_empty() && score < LEAST_SHARE * best;
        if answers.len() >= input.limit.max(FEWEST) || is_weak {
            break;
        }
        if prior.is_beside(answers.first(), index)
            || prior.is_other_row(answers.first(), index)
            || prior.is_filler(&answers, index)
            || prior.is_replied_to(&answers, index)
        {
            continue;
        }
        let is_quoted = |answer: &Answer| (answer.run.first..=answer.run.last).contains(&index);
        // A sentence that says the same again is corroboration, not another answer.
        let repeats = |answer: &Answer| {
            let (answer, own) = (&candidates[answer.index], &candidates[index]);
            text::cosine(&answer.terms, &own.terms) >= SIMILAR
                && similarity::repeats(&context.question, &answer.sentence, &own.sentence)
        };
        if answers.iter().any(is_quoted) {
            continue;
        }
        let repeated = answers.iter().position(repeats);
        let is_list = |index: usize| candidates[index].introduces_list();
        let shorter = repeated.filter(|own| is_list(index) && !is_list(answers[*own].index));
        if let Some(repeated) = shorter {
            // With its items it says more.
            answers[repeated].index = index;
            answers[repeated].run = run(candidates, index, &answers[..repeated]);
        }
        if repeated.is_some() {
            continue;
        }
        let run = prior.run(index, &answers);
        // What only announces a list says nothing without an item of it.
        if run.last == index && candidates[index].introduces_list() {
            continue;
        }
        answers.push(Answer {
            index,
            run,
            share: if answers.is_empty() {
                1.0
            } else {
                (score / best).clamp(0.0, 1.0)
            },
        });
        // A rule without its exception is a wrong answer.
        let exception = exception(candidates, run).filter(|_| answers.len() == 1);
        answers.extend(exception.map(Run::alone).map(Answer::of_whole));
    }
    answers
}

/// What answers by its form, whatever its words: sentences that contradict each other, if that is
/// asked for, the rows of a table with a value that is asked for, or the section on a release.
fn by_form(context: &Context<'_>, scored: &[(usize, f64)]) -> Vec<Run> {
    let release = sections::section_of_release(context);
    if !release.is_empty() {
        return release;
    }
    let mut answers = disagreement::sentences(context);
    if answers.is_empty() {
        answers = rows::wanted(&context.input.candidates, &context.question, scored);
        answers.truncate(LISTED_ROWS);
    }
    answers.into_iter().map(Run::alone).collect()
}

/// `true` if there is what answers by its form.
pub(super) fn are_by_form(context: &Context<'_>) -> bool {
    !by_form(context, &[]).is_empty()
}

/// The numbers of the documents that answer, by their answers, if the subject is a question.
pub(super) fn documents(context: &Context<'_>) -> BTreeSet<usize> {
    let is_topic = context.question.answer_type == AnswerType::Topic;
    let answers = if is_topic {
        Vec::new()
    } else {
        answers(context)
    };
    let documents = answers
        .iter()
        .map(|answer| context.input.candidates[answer.index].document);
    documents.collect()
}

/// The least share of a question that a heading which asks it too has.
const SAME_QUESTION: f64 = 0.5;

/// `true` if a sentence is the title of its document, which heads a plain text as a line of words,
/// perhaps with further such lines below it or a letterhead above.
fn is_title(input: &ResearcherInput, index: usize) -> bool {
    let candidate = &input.candidates[index];
    let title = input.documents[candidate.document].title.as_str();
    let lines = candidate.sentence.split_once(title);
    lines.is_some_and(|(above, below)| {
        let is_above = above.is_empty() || above.ends_with('\n') && !is_ended(above);
        let is_below = below.is_empty() || below.starts_with('\n') && !is_ended(below);
        is_above && is_below
    })
}

/// What speaks for a sentence before its words are compared with the question: its document, its
/// section, its style.
struct Prior<'a> {
    context: &'a Context<'a>,
    aspect: Aspect,
    is_factual: bool,
    /// The topicality of the best document.
    top: f64,
    /// Whether the first answer is the row of a table that the question singles out, once it was
    /// looked for.
    is_singled_out: OnceCell<bool>,
}

impl<'a> Prior<'a> {
    /// `true` unless a reply is one to another question than that of the topic: "No" below "Will
    /// fares go up?" does not tell whether one may bring a bicycle.
    fn is_reply_to_question(&self, candidate: &Candidate) -> bool {
        let question = &self.context.question;
        let heading = candidate.headings.last();
        let mut questions = heading.into_iter().filter(|heading| heading.ends_with('?'));
        let is_same = |heading: &String| question.share_met(heading) >= SAME_QUESTION;
        question.answer_type == AnswerType::YesNo && questions.all(is_same)
    }

    /// `true` for an exception, another option than the one that was taken, and a denial of what
    /// the question takes for granted.
    fn is_beside_answer(&self, sentence: &str) -> bool {
        text::is_exception(sentence)
            || text::names_alternative(sentence) && !self.aspect.is_on_options()
            || self.context.question.is_left_out_in(sentence)
            || self.is_factual && self.context.question.is_denied_in(sentence)
    }

    fn new(context: &'a Context<'a>) -> Self {
        let input = context.input;
        let topicalities = input
            .documents
            .iter()
            .map(|document| input.on_question(document));
        Self {
            aspect: Aspect::of(input.requested_facet),
            is_factual: context.question.answer_type.is_factual(),
            top: topicalities.fold(f64::MIN_POSITIVE, f64::max),
            is_singled_out: OnceCell::new(),
            context,
        }
    }

    /// The sentences that may be answers, best first, with their scores, and the best score.
    fn ordered(&self) -> (Vec<(usize, f64)>, f64) {
        let candidates = &self.context.input.candidates;
        let mut scored: Vec<(usize, f64)> = self
            .context
            .input
            .answers
            .iter()
            .filter(|(index, _)| {
                let is_statement = is_statement(&candidates[*index].sentence)
                    || candidates[*index].introduces_list();
                let question = &self.context.question;
                let is_header = is_unwanted_header(&candidates[*index].sentence, question);
                let is_row = is_row(&candidates[*index].sentence)
                    && (question.asks_what_happens()
                        || question.is_of_row(&candidates[*index].sentence) == Some(false));
                let mut headings = candidates[*index].headings.iter();
                // "Article 5 does not apply", under "Article 7", is on article 5.
                let is_of_other = headings.any(|own| question.is_of_letter(own) == Some(false))
                    && question.is_of_letter(&candidates[*index].sentence) != Some(true);
                let is_statement =
                    is_statement && !is_header && !is_row && !is_title(self.context.input, *index);
                let is_caption = text::run_in_heading(&candidates[*index].sentence).is_some()
                    || is_plain_caption(candidates, *index)
                    || is_fragment(&candidates[*index]);
                !is_caption
                    && !candidates[*index].gives_orders()
                    && !is_of_other
                    && (is_statement || self.is_requested(*index))
            })
            .map(|(index, score)| (*index, score + self.of(*index)))
            .collect();
        // Stable: ties keep the order of the ranking.
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        let best = scored.first().map_or(1.0, |(_, score)| score.max(1.0));
        leading::reorder(self.context, &mut scored);
        (scored, best)
    }

    /// `true` if a sentence is of a document further off the topic than that of the first answer.
    fn is_beside(&self, first: Option<&Answer>, index: usize) -> bool {
        let degree = |index: usize| self.context.input.on_question(self.context.document(index));
        !self.is_factual
            && self.context.input.documents_searched >= LARGE_COLLECTION
            && first.is_some_and(|first| degree(index) < BESIDE_SHARE * degree(first.index))
    }

    /// `true` for a sentence with much less of a question for a fact than the first answer, if
    /// there are as many as a summary has.
    fn is_filler(&self, answers: &[Answer], index: usize) -> bool {
        let share = |index: usize| self.context.share_met(index);
        let first = answers.first().filter(|_| answers.len() >= FEWEST);
        self.is_factual && first.is_some_and(|first| share(index) < LEAST_MET * share(first.index))
    }

    /// `true` for a row of a table with less of the question than the row that answers it first:
    /// that of another day, of another person, or than another row, if a sentence answers first.
    /// One that asks for several things is answered by all but those that have something else in
    /// the place of what it names.
    fn is_other_row(&self, first: Option<&Answer>, index: usize) -> bool {
        let sentence = |index: usize| &*self.context.input.candidates[index].sentence;
        let is_own_row = is_row(sentence(index));
        let asks_for_several = matches!(
            self.context.question.answer_type,
            AnswerType::List | AnswerType::Comparison | AnswerType::Topic
        );
        let share = |index: usize| self.context.share_met(index);
        let question = &self.context.question;
        let first = first.map(|first| first.index);
        let candidates = &self.context.input.candidates;
        if first.is_some_and(|first| is_own_row && !is_row(sentence(first))) {
            return rows::is_outdone(candidates, question, index);
        }
        let first = first.filter(|first| is_own_row && is_row(sentence(*first)));
        let is_in = |index: usize| question.is_in_tenure_of(sentence(index));
        first.is_some_and(|first| {
            if is_in(first) == Some(true) && is_in(index) == Some(false) {
                return true;
            }
            let is_singled_out = || {
                let own = &self.is_singled_out;
                *own.get_or_init(|| rows::is_singled_out(candidates, question, first))
            };
            if rows::is_denied(question, sentence(index), sentence(first))
                || !asks_for_several && is_singled_out()
            {
                true
            } else if asks_for_several {
                rows::has_other_value(question, sentence(first), sentence(index))
            } else {
                share(index) < share(first)
            }
        })
    }

    /// `true` for a sentence of an older mail that a quoted one of the newer mail takes back.
    fn is_replied_to(&self, answers: &[Answer], index: usize) -> bool {
        let candidates = &self.context.input.candidates;
        let by = self.context.taken_back_by(index);
        let by = by.filter(|by| candidates[*by].document == candidates[index].document);
        by.is_some_and(|by| {
            let is_quoted = |own: &Answer| (own.run.first..=own.run.last).contains(&by);
            answers.iter().any(is_quoted)
        })
    }

    /// `true` if the answer is a list of documents.
    fn lists_documents(&self) -> bool {
        self.context.input.documents_searched >= LARGE_COLLECTION
            && self.context.question.asks_for_documents()
    }

    /// What answers as a whole: the section that is asked for by its usual name, the steps of a
    /// procedure, the sections or the section of the things that are asked for; none if nothing
    /// does.
    fn whole(&self, scored: &[(usize, f64)]) -> Vec<Run> {
        let context = self.context;
        let wholes: [&dyn Fn() -> Vec<Run>; 4] = [
            &|| sections::named_section(context),
            // A section of that name is nearer than a numbered list on the rest of the question.
            &|| sections::section_of_items(context),
            &|| steps::runs(context, scored),
            &|| sections::subsections(context),
        ];
        let mut runs = wholes.iter().map(|whole| whole());
        runs.find(|runs| !runs.is_empty()).unwrap_or_default()
    }

    /// The sentence with most of the question of each of the documents that are most on it; of
    /// several the first, which mostly says what the document is on.
    fn of_documents(&self, scored: &[(usize, f64)]) -> Vec<Answer> {
        let candidates = &self.context.input.candidates;
        let mut sentences: Vec<usize> = scored.iter().map(|(index, _)| *index).collect();
        let question = &self.context.question;
        let met = |index: &usize| question.met(&candidates[*index].sentence).len();
        sentences.sort_by_cached_key(|index| (Reverse(met(index)), *index));
        let mut documents = BTreeSet::new();
        sentences.retain(|index| documents.insert(candidates[*index].document));
        let degree = |index: usize| self.context.input.on_question(self.context.document(index));
        sentences.sort_by(|a, b| degree(*b).total_cmp(&degree(*a)));
        let top = sentences.first().map_or(1.0, |first| degree(*first));
        let answer = |index: usize| Answer {
            index,
            run: run(candidates, index, &[]),
            share: degree(index) / top.max(f64::MIN_POSITIVE),
        };
        let listed = sentences.into_iter().take(LISTED_DOCUMENTS);
        listed.map(answer).collect()
    }

    /// What is quoted of an answer beside others: the sentence with what it needs around it.
    fn run(&self, index: usize, answers: &[Answer]) -> Run {
        let candidates = &self.context.input.candidates;
        let run = self.with_subject(run(candidates, index, answers), answers);
        let mut run = self.with_revocation(run, answers);
        // A row of a table says all by itself.
        let is_row = is_row(&candidates[index].sentence);
        if !is_row {
            run = self.decided(self.continued(quotation::grown_to(candidates, run, ANSWER_WORDS)));
            run = with_sequel(candidates, run, ANSWER_WORDS);
        }
        if !self.is_factual {
            run = quotation::with_more_items(candidates, run);
        }
        // The long documents of a large collection explain a thing in several sentences.
        let is_large = self.context.input.documents_searched >= LARGE_COLLECTION;
        if !is_row && !self.is_factual && is_large {
            run = quotation::with_following(candidates, run, ANSWER_WORDS);
        }
        if self.context.is_taken_back(run.first) {
            run = taken_back::with_label(candidates, run, ANSWER_WORDS);
        }
        let run = self.context.of_one_state(run, index);
        cut_before(run, index, answers)
    }

    /// `true` for the first sentence under a heading.
    fn begins_section(&self, index: usize) -> bool {
        let candidates = &self.context.input.candidates;
        let candidate = &candidates[index];
        let is_first = index.checked_sub(1).is_none_or(|before| {
            let before = &candidates[before];
            (before.document, before.paragraph) != (candidate.document, candidate.paragraph)
        });
        is_first && candidate.paragraph_in_section == 0
    }

    /// `true` in a section whose name is all that is asked for: "What are the open points?" is
    /// answered by whatever is under "Open points"; and for a line of the header that is asked for,
    /// of the document whose title the question names.
    fn is_requested(&self, index: usize) -> bool {
        let candidate = &self.context.input.candidates[index];
        let heading = candidate.headings.last();
        let title = &self.context.document(index).title;
        let is_named = heading.is_some_and(|own| self.context.question.is_named_by(own, title));
        // Not all of a section tells when something is.
        is_named
            && self
                .context
                .question
                .is_answered_by_type(&candidate.sentence)
            || self.context.question.asks_for_field(&candidate.sentence)
                && self.context.question.names_document(title)
    }

    /// A run with the sentence before it, if that has a word of the question and the run has none,
    /// "The elements were replaced. The invoice was £1,265.", or refers to it and lacks that word:
    /// "The roofer came in March. His invoice was £1,900."
    fn with_subject(&self, run: Run, answers: &[Answer]) -> Run {
        let candidates = &self.context.input.candidates;
        let Some(first) = self.context.before(run.first) else {
            return run;
        };
        let longer = Run {
            first,
            last: run.last,
            skip: 0,
        };
        let question = &self.context.question;
        let met = |index: usize| {
            let met = question.met(&candidates[index].sentence).into_iter();
            let met = met.filter(|term| !question.is_measure(term));
            met.map(|term| &term.stem).collect::<BTreeSet<_>>()
        };
        let own: BTreeSet<_> = (run.first..=run.last).flat_map(met).collect();
        let refers = text::refers_back(&candidates[run.first].sentence);
        let is_new = if refers {
            !met(first).is_subset(&own)
        } else {
            own.is_empty() && !met(first).is_empty()
        };
        let is_wanted = is_new
            && candidates[first].quotability() != Quotability::Unquotable
            && !text::refers_back(&candidates[first].sentence)
            && !answers
                .iter()
                .any(|answer| (answer.run.first..=answer.run.last).contains(&first))
            && quotation::words(candidates, first, run.last) <= ANSWER_WORDS;
        if is_wanted { longer } else { run }
    }

    /// A run with the sentence before it, if that says that an earlier decision is revoked: "The
    /// decision of 14 March is revoked. New decision: …"
    fn with_revocation(&self, run: Run, answers: &[Answer]) -> Run {
        let candidates = &self.context.input.candidates;
        let ends = |before: &usize| {
            let is_quoted = |answer: &Answer| (answer.run.first..=answer.run.last).contains(before);
            text::ends_decision(&candidates[*before].sentence)
                && !answers.iter().any(is_quoted)
                && quotation::words(candidates, *before, run.last) <= ANSWER_WORDS
        };
        let before = self.context.before(run.first).filter(ends);
        before.map_or(run, |first| Run {
            first,
            skip: 0,
            ..run
        })
    }

    /// A run with the sentence after it, if that has an answer of the type that is asked for and no
    /// sentence of the run has: a number that stands one sentence later; what the thing is that the
    /// run names; or what was noted on it later.
    fn continued(&self, run: Run) -> Run {
        let candidates = &self.context.input.candidates;
        let answers = |index: usize| self.context.question.has_type(&candidates[index].sentence);
        let longer = Run {
            last: run.last + 1,
            ..run
        };
        if !quotation::is_in_paragraph(candidates, longer) {
            return run;
        }
        let is_wanted = match self.context.question.answer_type {
            AnswerType::Definition => text::refers_back(&candidates[longer.last].sentence),
            AnswerType::Person => {
                let sentence = |index: usize| &*candidates[index].sentence;
                goes_on(sentence(run.last), sentence(longer.last))
            }
            AnswerType::YesNo => {
                let sentence = |index: usize| &*candidates[index].sentence;
                is_limited_by(sentence(run.last), sentence(longer.last))
            }
            own if own.is_told_by_words() => {
                !(run.first..=run.last).any(answers) && answers(longer.last)
            }
            _ => false,
        };
        let is_quotable = candidates[longer.last].quotability() != Quotability::Unquotable;
        // A note in brackets reads badly by itself, and corrects what it stands behind; "This
        // replaces section 5 of the rules" says what is over.
        let next = &candidates[longer.last].sentence;
        // "Until May it was two hours." "It is one hour."
        let is_over = || self.context.statement(run.last).is_over();
        let is_note = text::is_later_note(next) || text::ends_decision(next) || is_over();
        let is_wanted = (is_wanted && is_quotable || is_note)
            && quotation::words(candidates, longer.first, longer.last) <= ANSWER_WORDS;
        let whole = || quotation::with_list(candidates, longer, ANSWER_WORDS);
        is_wanted.then(whole).flatten().unwrap_or(run)
    }

    /// If it is asked what was decided, or a run tells what was put forward, a run with the
    /// sentences behind it up to one that says what came of it: "The matter was taken up again. A
    /// study was commissioned. No decision was taken."
    fn decided(&self, run: Run) -> Run {
        let candidates = &self.context.input.candidates;
        let decides = |index: usize| text::is_decision(&candidates[index].sentence);
        let is_open = |index: usize| text::puts_forward(&candidates[index].sentence);
        let is_wanted =
            self.context.question.asks_for_decision() || (run.first..=run.last).any(is_open);
        if !is_wanted || (run.first..=run.last).any(decides) {
            return run;
        }
        let longer = (run.last + 1..=run.last + FURTHER).map(|last| Run { last, ..run });
        let fits = |own: &Run| {
            quotation::is_in_section(candidates, *own)
                && quotation::words(candidates, own.first, own.last) <= ANSWER_WORDS
        };
        let mut longer = longer.take_while(fits);
        longer.find(|own| decides(own.last)).unwrap_or(run)
    }

    /// `true` for an item of a list that is quoted with its introduction.
    fn is_introduced(&self, index: usize) -> bool {
        let candidates = &self.context.input.candidates;
        match candidates[index].list {
            ListPart::Item(after) => {
                quotation::with_introduction(candidates, index, after).is_some()
            }
            _ => false,
        }
    }

    /// `true` for a sentence of a document that another one replaces, or, if a year is asked for,
    /// of one on another year.
    fn is_past(&self, index: usize) -> bool {
        let (document, question) = (self.context.document(index), &self.context.question);
        let is_over = matches!(
            document.lifecycle,
            Some(Lifecycle::Obsolete | Lifecycle::Superseded)
        );
        let sentence = &self.context.input.candidates[index].sentence;
        let heading = self.context.heading(index).unwrap_or_default();
        question.is_on_other_year(sentence, &document.title)
            || question.is_on_year_of(sentence, heading)
            || self.context.is_in_section_over(index)
            || self.context.is_taken_back(index)
            || is_over && !question.names_year_of(&document.title)
    }

    /// `true` if it is asked what was decided, and a sentence says that this is still open.
    fn is_still_open(&self, sentence: &str) -> bool {
        let question = &self.context.question;
        let is_open = text::is_undecided(sentence) && !text::is_undecided(&question.text);
        is_open && question.asks_for_decision()
    }

    /// `true` unless a reason is asked for and a sentence gives none: a summary mostly begins with
    /// what is done, which the question knows.
    fn may_lead(&self, sentence: &str) -> bool {
        let question = &self.context.question;
        question.answer_type != AnswerType::Reason || question.has_type(sentence)
    }

    /// What speaks for a sentence by its part in a list.
    fn of_list(&self, index: usize) -> f64 {
        let candidate = &self.context.input.candidates[index];
        let (question, sentence) = (&self.context.question, &candidate.sentence);
        let mut prior = 0.0;
        if candidate.introduces_list() {
            if !question.answer_type.may_be_a_list(sentence) {
                prior -= LIST_LOSS;
            }
            if question.is_enumerated_in(sentence) {
                prior += ENUMERATION_WEIGHT;
            }
        }
        if candidate.is_condition {
            prior -= if self.is_introduced(index) {
                UNQUOTABLE_LOSS
            } else {
                CONDITION_LOSS
            };
        }
        prior
    }

    fn of(&self, index: usize) -> f64 {
        let candidate = &self.context.input.candidates[index];
        if self.is_requested(index) {
            return REQUESTED_SECTION_WEIGHT;
        }
        let mut prior = match candidate.quotability() {
            Quotability::Unquotable
                if is_wanted_header(&candidate.sentence, &self.context.question) =>
            {
                0.0
            }
            Quotability::Unquotable if !is_ended(&candidate.sentence) => -2.0 * UNQUOTABLE_LOSS,
            Quotability::Unquotable if text::is_too_long(&candidate.sentence) => -LENGTH_LOSS,
            Quotability::Unquotable => -UNQUOTABLE_LOSS,
            _ => 0.0,
        };
        if self.is_beside_answer(&candidate.sentence) {
            prior -= EXCEPTION_LOSS;
        }
        if candidate.sentence.contains(" the example ") {
            prior -= EXAMPLE_LOSS;
        }
        if text::reply(&candidate.sentence).is_some() && !self.is_reply_to_question(candidate) {
            prior -= UNQUOTABLE_LOSS;
        }
        prior += self.of_list(index);
        prior += UNKNOWN_WEIGHT * self.context.question.unknown_in(&candidate.sentence);
        if self.context.question.answer_type.is_told_in_words() && is_row(&candidate.sentence) {
            prior -= ROW_LOSS;
        }
        if self.is_past(index) || self.is_still_open(&candidate.sentence) {
            prior -= SUPERSEDED_LOSS;
        }
        // A fact may stand anywhere; what a thing is, or why, is told where it is the subject.
        if self.is_factual {
            return prior;
        }
        // It leans on a sentence that cannot be quoted beside it; a short one needs none.
        let is_dangling = candidate.quotability() == Quotability::NeedsPrevious
            && text::refers_back(&candidate.sentence)
            && quotation::around(&self.context.input.candidates, index).is_none();
        if is_dangling {
            prior -= UNQUOTABLE_LOSS;
        }
        let headings = &candidate.heading_terms;
        let document = &self.context.input.documents[candidate.document];
        prior += TOPICALITY_WEIGHT * self.context.input.on_question(document) / self.top;
        prior += STYLE_WEIGHT * style::factor(&candidate.sentence).ln();
        if candidate.is_summary() {
            prior += SUMMARY_WEIGHT;
        }
        let is_main = self.context.input.on_question(document) >= MAIN_SHARE * self.top;
        if is_main
            && candidate.is_summary()
            && self.begins_section(index)
            && self.may_lead(&candidate.sentence)
        {
            let named = self.context.input.share_named(document);
            prior += LEAD_WEIGHT * (1.0 + 3.0 * named * named);
        }
        if self.aspect.excludes(headings) || self.aspect.is_other_option(headings) {
            prior -= EXCLUDED_LOSS;
        }
        if self.context.input.requested_facet != Facet::Overview {
            let cue = self.aspect.cue(candidate, false);
            prior += CUE_WEIGHT * cue;
        }
        prior
    }
}

/// The run of an answer: the sentence, after the one before it if it depends on that and that is
/// not quoted yet. Unlike [`quotation::around`] it is never empty: an answer that leans on what is
/// not quoted still answers, and its source is named beside it.
fn run(candidates: &[Candidate], index: usize, answers: &[Answer]) -> Run {
    let alone = Run::alone(index);
    let run = quotation::around(candidates, index).unwrap_or(alone);
    let is_quoted = |answer: &Answer| answer.run.last >= run.first && answer.run.first <= index;
    // A list has a limit of its own.
    let is_list = candidates[index].list != ListPart::None;
    let fits = is_list || quotation::words(candidates, run.first, index) <= ANSWER_WORDS;
    if answers.iter().any(is_quoted) || !fits {
        alone
    } else {
        run
    }
}

/// A run without the sentences at its end that another answer quotes.
fn cut_before(run: Run, index: usize, answers: &[Answer]) -> Run {
    let next = answers
        .iter()
        .map(|answer| answer.run.first)
        .filter(|first| *first > index)
        .min();
    Run {
        last: next.map_or(run.last, |next| run.last.min(next - 1)),
        ..run
    }
}

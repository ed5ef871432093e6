//! Answers: what a question asks for, and which sentences of documents answer it. Pure functions of
//! their arguments, without I/O.
//!
//! [`Question::parse`] tells the content words of a question from those that only frame it, and the
//! type of its answer. [`Ranker::rank`] orders sentences by how well they answer: a linear model
//! over lexical features (`ranking/features`), of which the evidence is the words first and the
//! type of the answer second. [`Ranking::confidence`] is the probability that the best of them
//! answers, by which a report is silent, or says first that it may not answer.
//!
//! `question/` parses what is asked, `answer/` has the tests whether a sentence has it, one file a
//! kind of answer, and `ranking/` the features and their weights.
//!
//! Sentence embeddings were weighed and not taken. Added to these features with weights learnt on
//! the other half, all-MiniLM-L6-v2 puts the answer of 612 questions of XQuAD first in 74.8 %
//! (76.0 % with the sentences around) instead of 74.2 %, and that of 54 everyday questions to three
//! collections in 21 as before, at 7.6 ms of CPU a sentence; a static table of 128 dimensions made
//! of it (4 MB) gains 1 point there and loses 1 to 3 of the 54.

mod answer;
mod question;
mod ranking;
mod vocabulary;

pub use answer::check::header_field;
pub use answer::column::number_of_value;
pub use answer::effect::{asks_for_effect_size, gives_effect_size, is_of_part};
pub use question::answer_type::AnswerType;
pub use question::compound::{FurtherQuestion, further_questions};
pub use question::frame::is_owner;
pub use question::release::{is_of_release, names_release};
pub(crate) use question::synonyms::are_near_synonyms;
pub use question::{Question, QuestionTerm};
pub use ranking::collection::{DocumentInput, Section, SentenceInput};
pub use ranking::confidence::{DOUBT_THRESHOLD, SILENCE_THRESHOLD};
pub use ranking::{Ranked, Ranker, Ranking};
pub use vocabulary::{Token, Vocabulary};

//! Text analysis: Markdown blocks, sentences, words, terms, quantities, similarity. Pure functions
//! of their arguments, without I/O.
//!
//! Every range is a range of bytes into the text that was passed in and falls on character
//! boundaries.

pub mod appointments;
mod block;
pub mod blocks;
mod common;
pub mod controls;
mod correction;
pub mod correspondence;
mod days;
mod decisions;
pub mod degrees;
pub mod editions;
mod fences;
mod forecasts;
pub mod headings;
mod json_line;
mod keywords;
pub mod language;
pub mod notice;
pub mod numbers;
mod older_mail;
mod ordinals;
mod organisations;
mod paragraphs;
mod parse_errors;
pub mod plurals;
pub mod position;
pub mod proposals;
mod questions;
pub mod quotability;
pub mod sentences;
pub mod signs;
pub mod similarity;
pub mod tables;
pub mod terms;
pub mod truncate;
mod verbs;
pub mod words;

pub use appointments::{appointed, appoints, holds_since};
pub use block::{Block, BlockKind, item_number};
pub use blocks::{blocks, first_heading, has_too_many_marks, is_summary_heading};
pub use common::{class_of_common, is_ordinary};
pub use controls::{is_deceptive, without_controls};
pub use correction::{
    ChangedPart, abolished, admits_error, announces_revision, asks_not_to_use,
    asks_not_to_use_statement, corrected_number, corrects, corrects_another, denies_number,
    denies_other_unit, ends_decision, ends_itself, gives_up_plan, is_correction, is_correction_of,
    is_end_notice, is_end_stamp, is_later_note, is_of_some_only, is_onward, may_deny_number,
    may_retract, misstated, rectifies, replaced, replaced_day, replaced_month, retracts_previous,
    says_otherwise, shared_beside_numbers, states_end, unusable_number,
};
pub use correspondence::{
    is_byline, is_contact_line, is_dateline, is_header_line, is_mail_header, is_publication_note,
    lists_attendance, signatures,
};
pub use days::{first_date, first_day, names_day, names_month};
pub use decisions::{
    day_of_decision, label_of_decision, revokes_decision, revokes_numbered_decision,
    says_no_longer, without_no_longer,
};
pub use degrees::{
    BoundWords, bound_before, ends_as_superlative, extreme, is_of_bound, is_regular_superlative,
    is_superlative,
};
pub use editions::{NumbersInContext, differing_numbers, is_of_period, without_words_at, words_at};
pub use forecasts::{is_forecast, revises_forecast};
pub use headings::{
    day_of_heading, heading_of_change, refers_to, run_in_heading, tells_apart, without_number,
};
pub use json_line::json_line_problem;
pub use keywords::{Keywords, LazyKeywords, LazyPhrases, Phrases};
pub use language::{Language, is_stop_ideograph};
pub use notice::is_notice;
pub use numbers::{GERMAN_MONTHS, MONTHS, Quantity, WEEKDAYS, is_year, quantities, scale_of_label};
pub use older_mail::{age_of_mail, has_older_mail};
pub use organisations::{is_name_of_organisation, is_organisation};
pub use paragraphs::paragraphs;
pub use parse_errors::in_plain_words;
pub use plurals::counted;
pub use position::{line_and_column, line_number};
pub use proposals::{
    decides_from, is_decision, is_from_day, is_proposal, is_proposing, is_tally, is_undecided,
    moves, puts_forward,
};
pub use questions::{question_label, reply, reply_label, without_reply_label};
pub use quotability::{
    Quotability, introduces, is_aside, is_brief, is_exception, is_self_contained,
    is_self_contained_question, is_too_long, length_in_words, names_alternative, names_only_a_kind,
    quotability, refers_back, with_capital,
};
pub use sentences::{prose, sentences, with_full_stop};
pub use similarity::{TermCounts, cosine, overlap};
pub use tables::{Table, tables};
pub use terms::{TermCache, contains_phrase, terms, terms_of};
pub use truncate::{one_line, truncate, truncate_with_ellipsis};
pub use verbs::has_separable_verb;
pub use words::{Word, first_phrase, fold, folded, is_stop_word, phrase, same_root, stem, words};

//! Corrections: what a text says is wrong, replaced or no longer so, in itself or in another one.
//!
//! | what is said | example | |
//! |---|---|---|
//! | a name or a value is replaced | "Bob is the lead in place of Ann" | [`replaced`] |
//! | a part of a document is changed | "In Article 5, paragraph 1 is deleted" | [`ChangedPart`] |
//! | its authors gave a wrong number | "We wrote 18; the correct figure is 12" | [`misstated`] |
//! | a number of an older text is wrong | "80 g/l, not 90", "90 should read 80" | [`corrects`] |
//! | a statement is not to be used | "Do not use the sentence on pumps" | [`asks_not_to_use`] |
//! | a decision is overruled | "This replaces the decision of 17 June" | [`replaced_day`] |
//! | what is before it is wrong | "That is wrong" | [`retracts_previous`] |
//! | a notice corrects a document | "Correction to incident 5" | [`is_correction_of`] |

mod changed_part;
mod document;
mod misstatement;
mod number;
mod overruling;
mod replacement;
mod retraction;

pub use changed_part::ChangedPart;
pub use document::{corrects_another, is_correction, is_correction_of, says_otherwise};
pub use misstatement::{asks_not_to_use, asks_not_to_use_statement, misstated};
pub use number::{
    corrected_number, corrects, denies_number, denies_other_unit, may_deny_number,
    shared_beside_numbers,
};
pub(super) use overruling::OVERRULED;
pub use overruling::{
    ends_decision, ends_itself, is_end_notice, is_end_stamp, is_onward, replaced_day,
    replaced_month, states_end,
};
pub use replacement::{abolished, is_of_some_only, replaced, unusable_number};
pub use retraction::{
    admits_error, announces_revision, gives_up_plan, is_later_note, may_retract, rectifies,
    retracts_previous,
};

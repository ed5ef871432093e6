//! Questions for those who may do something.

use super::answer_type::AnswerType;
use super::question::Question;
use crate::text::folded;

impl Question {
    /// `true` if it asks who may do or have something: "Who may use the van?"
    pub fn asks_who_may(&self) -> bool {
        let words = folded(&self.text);
        let may = words.get(1).map_or("", String::as_str);
        self.answer_type == AnswerType::Person
            && words.first().is_some_and(|word| word == "who")
            && matches!(may, "may" | "can" | "must")
    }
}

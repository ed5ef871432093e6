//! Questions for those who may do something.

use super::super::question::Question;
use super::super::question::answer_type::AnswerType;

impl Question {
    /// `true` if it asks who may do or have something: "Who may use the van?"
    pub fn asks_who_may(&self) -> bool {
        let words = self.wording.words();
        self.answer_type == AnswerType::Person
            && matches!(words[..], ["who", "may" | "can" | "must", ..])
    }
}

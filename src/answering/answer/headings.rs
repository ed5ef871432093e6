//! Headings that name what a question asks for, so that the section below them answers.

use super::super::question::Question;
use super::super::question::synonyms::Groups;
use super::super::question::wording::{AUXILIARIES, Wording};
use crate::text::{self, Language};

impl Question {
    /// `true` if a heading is the name of the things that it asks for: "Risks" for "What are the
    /// risks of the heat pump?", or a synonym of each of its words; in English alone.
    pub fn has_items_below(&self, heading: &str) -> bool {
        let items = self.wording.items().filter(|_| self.is_english());
        let language = Language::default();
        let stems = |words: &str| -> Vec<String> {
            let words = text::folded(words).into_iter();
            let words = words.filter(|word| !text::is_stop_word(word));
            words.map(|word| language.stem(&word, &word)).collect()
        };
        let are_same = |(item, own): (&String, &String)| {
            item == own || Groups::of(item, language.code()).contain(own)
        };
        items.is_some_and(|items| {
            let items = items.join(" ");
            let (names, own) = (stems(&items), stems(heading));
            let are_synonyms = names.len() == own.len() && names.iter().zip(&own).all(are_same);
            text::terms(&items) == text::terms(heading) || are_synonyms && !own.is_empty()
        })
    }

    /// `true` if it asks what nobody has decided or answered yet: "What is still open?"
    pub fn asks_what_is_open(&self) -> bool {
        let words = self.wording.words();
        let asks = matches!(words.first(), Some(&("what" | "which")));
        asks && self.is_english() && self.wording.has(LEFT_OPEN)
    }

    /// `true` if a heading is a question that it asks, in fewer words: "How long does it take?" for
    /// "How long does it take to get the subsidy?"
    pub fn is_asked_in(&self, heading: &str) -> bool {
        let terms = text::terms(&self.text);
        let heading_terms = text::terms(heading);
        heading.trim_end().ends_with('?')
            && asking_words(&self.wording) == asking_words(&Wording::new(heading))
            && !heading_terms.is_empty()
            && heading_terms.iter().all(|term| terms.contains(term))
    }
}

/// Phrases for what is not settled; a closed list, written by hand.
const LEFT_OPEN: &[&str] = &[
    "left open",
    "remain open",
    "remains open",
    "remain unresolved",
    "remains unresolved",
    "still open",
    "still unresolved",
];

/// The words with which a question asks: "how long", "what", "how" of "How do I apply?"
fn asking_words(question: &Wording) -> Vec<String> {
    let words = match question.words()[..] {
        ["how", auxiliary, ..] if AUXILIARIES.contains(&auxiliary) => vec!["how"],
        ["how", adjective, ..] => vec!["how", adjective],
        [first, ..] => vec![first],
        [] => Vec::new(),
    };
    words.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_names_what_is_asked_for() {
        let question = Question::parse("What are the side effects of the drug?");
        assert!(question.has_items_below("Side effects"));
        assert!(!question.has_items_below("Effects on the side"));
        assert!(!question.has_items_below("Other effects"));
        let question = Question::parse("Which exceptions from the lead rule are there?");
        assert!(question.has_items_below("Exemptions"));
        for (question, heading) in [
            (
                "What are the selection criteria of the fund?",
                "Selection criteria",
            ),
            ("What assumptions does the budget rest on?", "Assumptions"),
            ("On which assumptions is the budget based?", "3 Assumptions"),
        ] {
            let heading = text::without_number(heading);
            assert!(
                Question::parse(question).has_items_below(&heading),
                "{question}"
            );
        }
        let question = Question::parse("Which assumptions did the board reject as rejected?");
        assert!(!question.has_items_below("Assumptions"));
        let question = Question::parse("How long does it take to get the subsidy?");
        assert!(question.is_asked_in("How long does it take?"));
        for other in ["How do I get it?", "How much is the subsidy?", "How long"] {
            assert!(!question.is_asked_in(other), "{other}");
        }
    }
}

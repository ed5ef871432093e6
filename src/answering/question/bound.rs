//! The bound of a question: the number beyond which a value has to be, "more than 50 mg/l".

use crate::text::{self, BoundWords, Language, Quantity, folded};

/// The first words of a question for the things of which something is so.
const FOR_THINGS: &[&str] = &["which", "what", "who", "list", "name", "show"];

/// The number beyond which a value has to be.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::answering) struct Bound {
    pub(in crate::answering) words: BoundWords,
    pub(in crate::answering) limit: Quantity,
}

impl Bound {
    /// The first bound in an English question for things, by the words before a number.
    pub(in crate::answering) fn of(question: &str, language: Language) -> Option<Self> {
        let first = text::words(question).next()?;
        let is_for_things = FOR_THINGS.contains(&text::fold(first.text).as_str());
        let mut limits = text::quantities(question)
            .into_iter()
            .filter(|limit| limit.unit != "year" && is_for_things);
        limits
            .find_map(|limit| {
                let before = folded(&question[..limit.range.start]).join(" ");
                let words = text::bound_before(&before)?;
                Some(Self { words, limit })
            })
            .filter(|_| language == Language::default())
    }

    pub(in crate::answering) fn admits(&self, value: f64) -> bool {
        let limit = self.limit.value;
        self.words.is_included && value == limit
            || if self.words.is_above {
                value > limit
            } else {
                value < limit
            }
    }

    /// `true` unless a value has another unit than the limit, by itself or by the label of its
    /// column.
    pub(in crate::answering) fn is_comparable(&self, label: &str, value: &Quantity) -> bool {
        let unit = &self.limit.unit;
        let own = if value.unit.is_empty() {
            unit_of_label(label)
        } else {
            value.unit.clone()
        };
        unit.is_empty() || own.is_empty() || own == *unit
    }
}

/// The unit at the end of a label, "Nitrate (mg/l)"; empty if there is none.
fn unit_of_label(label: &str) -> String {
    let last = label.split_whitespace().last().unwrap_or_default();
    let last = last.trim_matches(['(', ')', '[', ']', ',']);
    let quantities = text::quantities(&format!("2 {last}"));
    let first = quantities.into_iter().next();
    first.map_or_else(String::new, |quantity| quantity.unit)
}

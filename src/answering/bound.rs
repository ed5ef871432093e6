//! The bound of a question: the number beyond which a value has to be, "more than 50 mg/l".

use super::vocabulary::folded;
use crate::text::{self, Language, Quantity};

/// Words before the number of a bound, with `true` if values above it are meant, and if the number
/// itself is; a closed list, written by hand. "No more than" stands before its end, "more than".
pub(super) const BOUNDS: &[(&str, bool, bool)] = &[
    ("no less than", true, true),
    ("not less than", true, true),
    ("at least", true, true),
    ("no more than", false, true),
    ("not more than", false, true),
    ("at most", false, true),
    ("up to", false, true),
    ("more than", true, false),
    ("greater than", true, false),
    ("higher than", true, false),
    ("larger than", true, false),
    ("longer than", true, false),
    ("heavier than", true, false),
    ("older than", true, false),
    ("over", true, false),
    ("above", true, false),
    ("exceed", true, false),
    ("exceeds", true, false),
    ("exceeded", true, false),
    ("exceeding", true, false),
    ("less than", false, false),
    ("fewer than", false, false),
    ("lower than", false, false),
    ("smaller than", false, false),
    ("shorter than", false, false),
    ("lighter than", false, false),
    ("younger than", false, false),
    ("cheaper than", false, false),
    ("under", false, false),
    ("below", false, false),
];

/// The first words of a question for the things of which something is so.
const FOR_THINGS: &[&str] = &["which", "what", "who", "list", "name", "show"];

/// The number beyond which a value has to be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bound {
    /// The words before the number: "at least".
    pub(super) phrase: &'static str,
    is_above: bool,
    /// `true` if the number itself is within the bound.
    is_included: bool,
    pub(super) limit: Quantity,
}

impl Bound {
    /// The first bound in an English question for things, by the words before a number.
    pub(super) fn of(question: &str, language: Language) -> Option<Self> {
        let first = text::words(question).next()?;
        let is_for_things = FOR_THINGS.contains(&text::fold(first.text).as_str());
        let mut limits = text::quantities(question)
            .into_iter()
            .filter(|limit| limit.unit != "year" && is_for_things);
        limits
            .find_map(|limit| {
                let before = folded(&question[..limit.range.start]).join(" ");
                let ends = |phrase: &str| {
                    let rest = before.strip_suffix(phrase);
                    rest.is_some_and(|rest| rest.ends_with(' '))
                };
                let bound = BOUNDS.iter().find(|(phrase, ..)| ends(phrase))?;
                let (phrase, is_above, is_included) = *bound;
                Some(Self {
                    phrase,
                    is_above,
                    is_included,
                    limit,
                })
            })
            .filter(|_| language == Language::default())
    }

    pub(super) fn admits(&self, value: f64) -> bool {
        let limit = self.limit.value;
        self.is_included && value == limit
            || if self.is_above {
                value > limit
            } else {
                value < limit
            }
    }

    /// `true` unless a value has another unit than the limit, by itself or by the label of its
    /// column.
    pub(super) fn is_comparable(&self, label: &str, value: &Quantity) -> bool {
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

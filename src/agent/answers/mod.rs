//! The model's side of each agent, one file each: what it is shown, the shape of its answer, and
//! what of it is accepted.
//!
//! A model's word is never taken for what can be looked up: ids must exist, quotations must stand
//! in their passages, limits are kept by code. What cannot be accepted is named, so that the model
//! can be asked again.

mod analyst;
mod coordinator;
mod planner;
mod reflector;
mod researcher;
mod reviewer;
mod writer;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::Value as Context;

use super::Agent;

pub(super) use researcher::SHOWN;

/// An agent that a model can answer for.
pub trait Answering: Agent {
    /// What the model answers.
    type Answer: DeserializeOwned + JsonSchema;
    /// Where its reply is cut off, thinking aside: well above what a sound answer takes.
    const OUTPUT_TOKENS: u32;

    /// What it is asked about, where an agent is asked several times in a round.
    fn about(_input: &Self::Input) -> String {
        String::new()
    }

    /// Passages that it can be shown: fewer are, if they do not fit.
    fn items(_input: &Self::Input) -> usize {
        0
    }

    /// Whether there is anything to judge: of nothing, the rule judges as well.
    fn is_question(_input: &Self::Input) -> bool {
        true
    }

    /// What its prompt is made from, with so many passages.
    fn context(input: &Self::Input, items: usize) -> Context;

    /// The output that an answer means. What was left out of it is added to `left_out`.
    ///
    /// # Errors
    /// Why it cannot be accepted, in words that the model can act on.
    fn accept(
        input: &Self::Input,
        items: usize,
        answer: Self::Answer,
        left_out: &mut Vec<String>,
    ) -> Result<Self::Output, String>;
}

/// The schema of an answer in the few words that all providers know.
pub fn schema<T: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    plain(&mut schema);
    schema
}

/// Takes away what says nothing to a model, and what some providers refuse.
fn plain(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_schema = fields.contains_key("type") || fields.contains_key("$schema");
            if is_schema {
                for word in [
                    "$schema", "title", "format", "default", "minimum", "maximum",
                ] {
                    // A property may be called so.
                    if fields.get(word).is_some_and(|found| !found.is_object()) {
                        fields.shift_remove(word);
                    }
                }
            }
            fields.values_mut().for_each(plain);
        }
        Value::Array(values) => values.iter_mut().for_each(plain),
        _ => {}
    }
}

/// A model's words as one line of at most so many characters.
fn line(text: &str, most: usize) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= most {
        return words;
    }
    let start: String = words.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

/// A share as a model gives it, between 0 and 1.
fn share(score: f64) -> f64 {
    if score.is_finite() {
        super::rounded(score.clamp(0.0, 1.0))
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Analyst, Coordinator, Planner, Reflector, Researcher, Reviewer, Writer};
    use super::*;

    fn assert_plain<A: Answering>() {
        let schema = schema::<A::Answer>();
        let text = schema.to_string();
        assert_eq!(schema["type"], "object", "{text}");
        for word in ["$ref", "$schema", "\"format\"", "$defs"] {
            assert!(!text.contains(word), "{}: {word} in {text}", A::NAME);
        }
    }

    #[test]
    fn schemas_hold_nothing_that_a_provider_may_not_know() {
        assert_plain::<Coordinator>();
        assert_plain::<Planner>();
        assert_plain::<Researcher>();
        assert_plain::<Reflector>();
        assert_plain::<Analyst>();
        assert_plain::<Writer>();
        assert_plain::<Reviewer>();
    }
}

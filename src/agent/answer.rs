//! Helpers for the answers of models: their JSON schema, texts of one line, scores in range.

use crate::text::{one_line, truncate_with_ellipsis};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The schema of an answer in the few words that all providers know.
pub(super) fn schema<T: JsonSchema>() -> Value {
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
pub(super) fn line(text: &str, most: usize) -> String {
    truncate_with_ellipsis(&one_line(text), most).into_owned()
}

/// A share as a model gives it, between 0 and 1.
pub(super) fn clamped_score(score: f64) -> f64 {
    if score.is_finite() {
        rounded(score.clamp(0.0, 1.0))
    } else {
        0.0
    }
}

/// Rounds a score to three places, so that it reads well in a file.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::super::{
        Analyst, Coordinator, ModelAgent, Planner, Reflector, Researcher, Reviewer, Writer,
    };
    use super::*;

    fn assert_plain<A: ModelAgent>() {
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

    #[test]
    fn long_lines_are_truncated_with_an_ellipsis() {
        assert_eq!(line("a\n b", 120), "a b");
        assert_eq!(line(&"word ".repeat(100), 120).chars().count(), 120);
    }
}

//! Helpers for the answers of models: their JSON schema, texts of one line, scores in range.

use crate::text::{one_line, truncate_with_ellipsis, words};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The JSON schema of an answer, in the subset that all providers accept.
pub(super) fn schema<T: JsonSchema>() -> Value {
    let settings =
        // References (`$ref`) are inlined: not every provider resolves them.
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    simplify(&mut schema);
    schema
}

/// Removes keywords that mean nothing to a model or that some providers refuse.
fn simplify(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_schema = fields.contains_key("type") || fields.contains_key("$schema");
            if is_schema {
                for word in [
                    "$schema", "title", "format", "default", "minimum", "maximum",
                ] {
                    // A property may have the name of a keyword, such as "title"; it is an object.
                    if fields.get(word).is_some_and(|value| !value.is_object()) {
                        fields.shift_remove(word);
                    }
                }
            }
            fields.values_mut().for_each(simplify);
        }
        Value::Array(values) => values.iter_mut().for_each(simplify),
        _ => {}
    }
}

/// A text as one line of at most this many characters, with an ellipsis if it was longer.
pub(super) fn line(text: &str, limit: usize) -> String {
    truncate_with_ellipsis(&one_line(text), limit).into_owned()
}

/// The first id with this letter in what a model wrote for one: `P2` in "P2 of S1, Overview".
pub(super) fn id(letter: char, text: &str) -> Option<String> {
    words(text).find_map(|word| {
        let digits = word
            .text
            .strip_prefix([letter, letter.to_ascii_lowercase()])?;
        let number: usize = digits.parse().ok()?;
        Some(format!("{letter}{number}"))
    })
}

/// A score that a model gave, clamped to 0 to 1 and rounded.
pub(super) fn clamped_score(score: f64) -> f64 {
    // A model may write anything that JSON can hold; a clamped NaN would still be NaN.
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
        Analyst, Background, Coordinator, ModelAgent, Planner, Reflector, Researcher, Reviewer,
        Writer,
    };
    use super::*;

    fn assert_simple<A: ModelAgent>() {
        let schema = schema::<A::Answer>();
        let text = schema.to_string();
        assert_eq!(schema["type"], "object", "{text}");
        for word in ["$ref", "$schema", "\"format\"", "$defs"] {
            assert!(!text.contains(word), "{}: {word} in {text}", A::NAME);
        }
    }

    #[test]
    fn answer_schemas_use_only_what_all_providers_accept() {
        assert_simple::<Coordinator>();
        assert_simple::<Background>();
        assert_simple::<Planner>();
        assert_simple::<Researcher>();
        assert_simple::<Reflector>();
        assert_simple::<Analyst>();
        assert_simple::<Writer>();
        assert_simple::<Reviewer>();
    }

    #[test]
    fn ids_are_read_whatever_is_around_them() {
        for (text, expected) in [
            ("P2", Some("P2")),
            ("P2 of S1, Research Overview", Some("P2")),
            ("[p12], P3", Some("P12")),
            ("PEP 703 (P4)", Some("P4")),
            ("<<<P07", Some("P7")),
            ("the second one", None),
            ("P-2", None),
            ("P99999999999999999999999", None),
        ] {
            assert_eq!(id('P', text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn long_lines_are_truncated_with_an_ellipsis() {
        assert_eq!(line("a\n b", 120), "a b");
        assert_eq!(line(&"word ".repeat(100), 120).chars().count(), 120);
    }
}

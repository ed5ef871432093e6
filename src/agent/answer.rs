//! Helpers for the answers of models: their JSON schema, texts of one line, scores in range.

use crate::text::{one_line, truncate_with_ellipsis, words};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// The JSON schema of an answer, fitted to its input, in the subset that all providers accept.
pub(super) fn schema<T: JsonSchema>(fit: impl FnOnce(&mut Value)) -> Value {
    let settings =
        // References (`$ref`) are inlined: not every provider resolves them.
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    fit(&mut schema);
    simplify(&mut schema);
    schema
}

/// Removes keywords that mean nothing to a model or that some providers refuse.
fn simplify(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            // A field with a default may be missing in an answer, but every provider that enforces
            // schemas wants all of them named.
            if let Some(Value::Object(properties)) = fields.get("properties") {
                let names = properties.keys().cloned().map(Value::String).collect();
                fields.insert("required".to_owned(), Value::Array(names));
            }
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

/// The grammar of a schema: it without descriptions, which stand in the shape already. A hosted
/// provider writes the schema into the prompt and bills it; a local server makes a grammar of it,
/// which knows no descriptions.
pub(super) fn grammar(mut schema: Value) -> Value {
    without_descriptions(&mut schema);
    schema
}

fn without_descriptions(schema: &mut Value) {
    let named: Vec<Value> = alternatives(schema).into_iter().map(Value::from).collect();
    let Value::Object(fields) = schema else {
        return;
    };
    fields.shift_remove("description");
    if fields.shift_remove("oneOf").is_some() {
        fields.insert("type".to_owned(), Value::from("string"));
        fields.insert("enum".to_owned(), Value::Array(named));
    }
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        properties.values_mut().for_each(without_descriptions);
    }
    if let Some(items) = fields.get_mut("items") {
        without_descriptions(items);
    }
}

/// The shape of an answer as an example with comments, which takes half the tokens of its schema:
/// the values are placeholders, alternatives are separated by `|`.
pub(super) fn shape(schema: &Value) -> String {
    let mut text = String::new();
    write_shape(schema, 0, &mut text);
    text
}

fn write_shape(schema: &Value, depth: usize, text: &mut String) {
    let alternatives = alternatives(schema);
    if !alternatives.is_empty() {
        text.push_str(&format!("\"{}\"", alternatives.join("|")));
        return;
    }
    match schema["type"].as_str() {
        Some("object") => {
            let indent = "  ".repeat(depth);
            text.push_str("{\n");
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                text.push_str(&format!("{indent}  \"{name}\": "));
                write_shape(property, depth + 1, text);
                text.push(',');
                let description = property["description"].as_str().map(one_line);
                let limit = property["maxItems"].as_u64();
                let limit = limit.map(|limit| format!("At most {limit}."));
                let comment: Vec<String> = description.into_iter().chain(limit).collect();
                if !comment.is_empty() {
                    text.push_str(&format!(" // {}", comment.join(" ")));
                }
                text.push('\n');
            }
            text.push_str(&format!("{indent}}}"));
        }
        Some("array") => {
            text.push('[');
            write_shape(&schema["items"], depth, text);
            text.push(']');
        }
        Some("integer") => text.push('0'),
        Some("number") => text.push_str("0.0"),
        Some("boolean") => text.push_str("false"),
        _ => text.push_str("\"…\""),
    }
}

/// The values that a schema allows by name.
fn alternatives(schema: &Value) -> Vec<&str> {
    let named = schema["enum"].as_array().into_iter().flatten();
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    let named = named.chain(variants.map(|variant| &variant["const"]));
    named.filter_map(Value::as_str).collect()
}

/// Numbers of things in a prompt, as a model writes them: 3, "3", "P3 of S1", or a list of such.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transparent)]
pub(super) struct Numbers(pub(super) Vec<usize>);

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut numbers = Vec::new();
        match Value::deserialize(deserializer)? {
            Value::Array(values) => numbers.extend(values.iter().filter_map(number_in)),
            value => numbers.extend(number_in(&value)),
        }
        Ok(Self(numbers))
    }
}

fn number_in(value: &Value) -> Option<usize> {
    match value {
        Value::Number(number) => usize::try_from(number.as_u64()?).ok(),
        Value::String(text) => number(text),
        _ => None,
    }
}

/// The first number in a text: small models write an id with words around it.
pub(super) fn number(text: &str) -> Option<usize> {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit());
    digits[..end.unwrap_or(digits.len())].parse().ok()
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
        Social, Verifier,
    };
    use super::*;

    fn assert_simple<A: ModelAgent>() {
        let schema = schema::<A::Answer>(|_| ());
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
        assert_simple::<Social>();
        assert_simple::<Analyst>();
        assert_simple::<Verifier>();
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
    fn shape_is_an_example_with_comments() {
        let schema = serde_json::json!({
            "type": "object",
            "properties": {
                "kind": {"oneOf": [{"const": "one"}, {"const": "two"}], "description": "Its kind."},
                "steps": {"type": "array", "maxItems": 3, "items": {
                    "type": "object", "properties": {"number": {"type": "integer"}},
                }},
            },
        });
        let expected = [
            "{",
            "  \"kind\": \"one|two\", // Its kind.",
            "  \"steps\": [{",
            "    \"number\": 0,",
            "  }], // At most 3.",
            "}",
        ];
        assert_eq!(shape(&schema), expected.join("\n"));
    }

    #[test]
    fn numbers_are_read_with_the_words_around_them() {
        for (written, read) in [
            ("[1, \"P2 of S1\", \"passage 3\"]", vec![1, 2, 3]),
            ("4", vec![4]),
            ("\"P5\"", vec![5]),
            ("null", vec![]),
            ("[\"none\", -1, 99999999999999999999]", vec![]),
        ] {
            let numbers: Numbers = serde_json::from_str(written).unwrap();
            assert_eq!(numbers.0, read, "{written}");
        }
    }

    #[test]
    fn long_lines_are_truncated_with_an_ellipsis() {
        assert_eq!(line("a\n b", 120), "a b");
        assert_eq!(line(&"word ".repeat(100), 120).chars().count(), 120);
    }
}

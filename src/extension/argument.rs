//! The arguments of a tool: their types, and the check of what a model gives against them.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

use super::NAME;

/// The maximum length of a text, in characters (chosen by hand: a paragraph; it becomes a part of
/// the locator of the source).
const TEXT: usize = 1000;

/// The arguments of a call, in the order of their definition.
pub type Arguments = Map<String, Value>;

/// An argument of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// The name.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub argument_type: ArgumentType,
    /// Its meaning, as the model reads it.
    #[serde(default)]
    pub description: String,
    /// `true` if it must be given.
    #[serde(default)]
    pub required: bool,
    /// The values of an enum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

/// The type of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentType {
    /// Any text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// One of several words.
    Enum,
}

impl Argument {
    /// Checks the definition.
    pub(super) fn check(&self) -> Result<()> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        ensure!(
            (1..=NAME).contains(&self.name.len()) && self.name.chars().all(is_plain),
            "the name {:?} must be made of at most {NAME} letters, digits, - and _",
            self.name
        );
        let is_enum = self.argument_type == ArgumentType::Enum;
        ensure!(
            is_enum != self.values.is_empty(),
            "the argument {:?}: an enum has values, and no other type has",
            self.name
        );
        Ok(())
    }

    /// The value as the type wants it, read leniently: small models write numbers as texts.
    ///
    /// # Errors
    /// The reason in words that a model can act on.
    pub(super) fn value(&self, given: &Value) -> Result<Value, String> {
        let text = match given {
            Value::String(text) => text.trim().to_owned(),
            Value::Object(_) | Value::Array(_) => String::new(),
            scalar => scalar.to_string(),
        };
        let value = match self.argument_type {
            ArgumentType::Text if given.is_object() || given.is_array() => None,
            ArgumentType::Text if text.chars().count() > TEXT => {
                return Err(format!("{} is longer than {TEXT} characters", self.name));
            }
            ArgumentType::Text => Some(Value::String(text)),
            ArgumentType::Integer => integer(&text).map(Value::from),
            ArgumentType::Number => number(&text).map(Value::Number),
            ArgumentType::Boolean => text.to_lowercase().parse::<bool>().ok().map(Value::Bool),
            ArgumentType::Enum => {
                let mut values = self.values.iter();
                let same = values.find(|value| value.eq_ignore_ascii_case(&text));
                same.cloned().map(Value::String)
            }
        };
        value.ok_or_else(|| format!("{} must be {}", self.name, self.kind()))
    }

    /// The type in words.
    fn kind(&self) -> String {
        match self.argument_type {
            ArgumentType::Text => "a text".to_owned(),
            ArgumentType::Integer => "a whole number".to_owned(),
            ArgumentType::Number => "a number".to_owned(),
            ArgumentType::Boolean => "true or false".to_owned(),
            ArgumentType::Enum => format!("one of {}", self.values.join(", ")),
        }
    }
}

fn integer(text: &str) -> Option<i64> {
    // "3.0" is a whole number too.
    let whole = text.trim_end_matches('0').strip_suffix('.');
    text.parse().ok().or_else(|| whole?.parse().ok())
}

/// A number of JSON, with the digits that were given: an integer stays one.
fn number(text: &str) -> Option<Number> {
    match text.parse::<i64>() {
        Ok(integer) => Some(integer.into()),
        Err(_) => Number::from_f64(text.parse().ok()?),
    }
}

/// The arguments of a call, checked against their definitions; what is not defined is dropped.
///
/// # Errors
/// The reason in words that a model can act on.
pub(super) fn checked(
    defined: &[Argument],
    given: &Map<String, Value>,
) -> Result<Arguments, String> {
    let mut arguments = Arguments::new();
    for argument in defined {
        let is_blank = |value: &&Value| value.is_null() || value.as_str() == Some("");
        match given.get(&argument.name).filter(|value| !is_blank(value)) {
            Some(value) => {
                arguments.insert(argument.name.clone(), argument.value(value)?);
            }
            None if argument.required => {
                return Err(format!("the argument {} is missing", argument.name));
            }
            None => {}
        }
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn argument(argument_type: ArgumentType) -> Argument {
        Argument {
            name: "a".to_owned(),
            argument_type,
            description: String::new(),
            required: true,
            values: vec!["km".to_owned(), "mile".to_owned()],
        }
    }

    #[test]
    fn values_are_read_leniently_and_checked() {
        use ArgumentType::{Boolean, Enum, Integer, Number, Text};
        for (argument_type, given, expected) in [
            (
                Text,
                json!("; rm -rf / $(id)"),
                Some(json!("; rm -rf / $(id)")),
            ),
            (Text, json!(3), Some(json!("3"))),
            (Text, json!({"a": 1}), None),
            (Text, json!("x".repeat(TEXT + 1)), None),
            (Integer, json!("12"), Some(json!(12))),
            (Integer, json!(3.0), Some(json!(3))),
            (Integer, json!(3.5), None),
            (Integer, json!([1]), None),
            (Number, json!("2.5"), Some(json!(2.5))),
            (Number, json!("NaN"), None),
            (Number, json!(7), Some(json!(7))),
            (Boolean, json!("True"), Some(json!(true))),
            (Boolean, json!("perhaps"), None),
            (Enum, json!("KM"), Some(json!("km"))),
            (Enum, json!("yard"), None),
        ] {
            let value = argument(argument_type).value(&given);
            assert_eq!(value.ok(), expected, "{given}");
        }
    }

    #[test]
    fn undefined_arguments_are_dropped_and_missing_ones_named() {
        let defined = [argument(ArgumentType::Integer)];
        let given = |value: Value| value.as_object().cloned().unwrap_or_default();
        let both = given(json!({"b": "x", "a": "1"}));
        assert_eq!(
            Value::Object(checked(&defined, &both).unwrap()),
            json!({"a": 1})
        );
        let missing = checked(&defined, &given(json!({"a": null}))).unwrap_err();
        assert_eq!(missing, "the argument a is missing");
    }
}

//! The user's tools in a researcher's turn: how they are described, and the check of a call. A
//! model names a tool that it was granted and gives it values; it never writes a command.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use super::{Action, ResearcherInput};
use crate::extension::{Argument, ArgumentType, BUILT_IN, ToolInterface};

/// The arguments of a call as a model writes them: an object, an object in a text, or a list of
/// names with values.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub(super) struct GivenArguments(Map<String, Value>);

impl GivenArguments {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'de> Deserialize<'de> for GivenArguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = match Value::deserialize(deserializer)? {
            Value::String(text) => serde_json::from_str(&text).unwrap_or_default(),
            given => given,
        };
        Ok(Self(match given {
            Value::Object(fields) => fields,
            Value::Array(pairs) => pairs.iter().filter_map(pair).collect(),
            _ => Map::new(),
        }))
    }
}

fn pair(given: &Value) -> Option<(String, Value)> {
    let name = given.get("name")?.as_str()?;
    Some((name.to_owned(), given.get("value")?.clone()))
}

/// The actions that a researcher may take, by name.
pub(super) fn actions(input: &ResearcherInput) -> Vec<&'static str> {
    let is_granted = |action: &&'static str| {
        let agent = input.agent.as_ref();
        agent.is_none_or(|agent| agent.may_use(action))
    };
    let tool = (!input.tools.is_empty()).then_some("tool");
    let built_in = BUILT_IN.into_iter().filter(is_granted);
    built_in.chain(tool).chain(["finish"]).collect()
}

/// Takes from the schema of a turn what is not granted, and adds the arguments of the tools.
pub(super) fn fit_schema(input: &ResearcherInput, schema: &mut Value) {
    let Some(properties) = schema["properties"].as_object_mut() else {
        return;
    };
    if let Some(action) = properties.get_mut("action") {
        action["enum"] = json!(actions(input));
    }
    if input.tools.is_empty() {
        properties.shift_remove("tool");
        properties.shift_remove("arguments");
        return;
    }
    let mut arguments = Map::new();
    for argument in input.tools.iter().flat_map(|tool| &tool.arguments) {
        let same = arguments.get(&argument.name);
        let own = property(argument);
        // Tools that mean different things by a name share a text, which is read leniently.
        let property = match same {
            Some(other) if *other != own => json!({"type": "string"}),
            _ => own,
        };
        arguments.insert(argument.name.clone(), property);
    }
    if let Some(own) = properties.get_mut("arguments") {
        *own = json!({
            "description": own["description"],
            "type": "object",
            "properties": arguments,
            "additionalProperties": false,
        });
    }
}

fn property(argument: &Argument) -> Value {
    match argument.argument_type {
        ArgumentType::Text => json!({"type": "string"}),
        ArgumentType::Integer => json!({"type": "integer"}),
        ArgumentType::Number => json!({"type": "number"}),
        ArgumentType::Boolean => json!({"type": "boolean"}),
        ArgumentType::Enum => json!({"type": "string", "enum": argument.values}),
    }
}

/// A tool as the prompt describes it.
pub(super) fn described(tool: &ToolInterface) -> Value {
    let arguments = tool.arguments.iter().map(|argument| {
        let values = argument.values.join("|");
        let parts = [
            format!("{:?}", argument.argument_type).to_lowercase(),
            values,
            if argument.required { "required" } else { "" }.to_owned(),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let name = format!("{} ({})", argument.name, parts.join(", "));
        match argument.description.trim() {
            "" => name,
            description => format!("{name}: {description}"),
        }
    });
    json!({
        "name": tool.name,
        "description": tool.description.trim(),
        "arguments": arguments.collect::<Vec<_>>(),
    })
}

/// The call of a tool that the researcher was granted.
///
/// # Errors
/// The reason for its rejection, in words that the model can act on.
pub(super) fn action(
    input: &ResearcherInput,
    name: &str,
    given: &GivenArguments,
) -> Result<Action, String> {
    let name = name.trim();
    let tool = match input.tools.as_slice() {
        // The only one need not be named.
        [only] if name.is_empty() => Some(only),
        tools => tools.iter().find(|tool| tool.name == name),
    };
    let Some(tool) = tool else {
        let names: Vec<&str> = input.tools.iter().map(|tool| tool.name.as_str()).collect();
        let names = names.join(", ");
        return Err(format!("there is no tool {name:?}; there are {names}"));
    };
    let checked = tool.checked(&given.0);
    let arguments = checked.map_err(|problem| format!("{}: {problem}", tool.name))?;
    Ok(Action::Tool {
        name: tool.name.clone(),
        arguments,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_in_every_form_that_models_write() {
        let expected = GivenArguments(Map::from_iter([("a".to_owned(), json!(1))]));
        for written in [
            "{\"a\": 1}",
            "\"{\\\"a\\\": 1}\"",
            "[{\"name\": \"a\", \"value\": 1}]",
        ] {
            let given: GivenArguments = serde_json::from_str(written).unwrap();
            assert_eq!(given, expected, "{written}");
        }
        for empty in ["null", "\"a 1\"", "[1]", "7"] {
            let given: GivenArguments = serde_json::from_str(empty).unwrap();
            assert!(given.is_empty(), "{empty}");
        }
    }
}

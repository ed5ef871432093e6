//! The OpenAPI description, made from the table of routes. The schemas are those of the types
//! themselves, by the crate that describes session files as well, so none is written twice.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::problem::Problem;
use super::route::{Answer, Route};

/// The schemas of what is read, where fields with a default may be missing, and of what is written,
/// where those may be missing that are left out when they are empty.
struct Schemas {
    read: SchemaGenerator,
    written: SchemaGenerator,
}

impl Schemas {
    fn new() -> Self {
        let mut settings = SchemaSettings::draft2020_12();
        settings.definitions_path = "/components/schemas".into();
        Self {
            read: settings.clone().into_generator(),
            written: settings.for_serialize().into_generator(),
        }
    }

    /// All definitions. Of a type that is both read and written, the one that demands less.
    fn definitions(mut self) -> Map<String, Value> {
        let mut definitions = self.written.take_definitions(true);
        definitions.extend(self.read.take_definitions(true));
        definitions
    }
}

/// The description of all routes.
pub(super) fn description(routes: &[Route]) -> Value {
    let mut schemas = Schemas::new();
    let mut paths = Map::new();
    let problem = schemas.written.subschema_for::<Problem>();
    for route in routes {
        let path = route.path.replace("{*", "{");
        let methods = paths.entry(path).or_insert_with(|| json!({}));
        methods[route.method.to_lowercase()] = operation(route, &mut schemas, &problem);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "research",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Make for research: the sessions of `research serve`.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas.definitions(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
            },
        },
        // A server on this machine may need none.
        "security": [{"token": []}, {}],
    })
}

fn operation(route: &Route, schemas: &mut Schemas, problem: &Schema) -> Value {
    let mut parameters = path_parameters(route.path);
    if let Some(query) = route.query {
        parameters.extend(query_parameters(query(&mut schemas.read).as_value()));
    }
    for (name, about, required) in route.headers {
        parameters.push(json!({
            "name": name, "in": "header", "required": required, "description": about,
            "schema": {"type": "string"},
        }));
    }
    let mut responses = Map::new();
    for status in route.statuses {
        let mut response = json!({"description": "Success"});
        if !matches!(status, 101 | 204 | 304) {
            response["content"] = content(&route.answer, &mut schemas.written);
        }
        responses.insert(status.to_string(), response);
    }
    for status in route
        .problems
        .iter()
        .chain(&[400, 401, 403, 408, 413, 421, 429, 500])
    {
        let content = json!({"application/problem+json": {"schema": problem}});
        let response = json!({"description": "Problem", "content": content});
        responses.insert(status.to_string(), response);
    }
    let mut operation = json!({
        "operationId": route.id,
        "summary": route.about,
        "parameters": parameters,
        "responses": responses,
    });
    if let Some(body) = route.body {
        let content = json!({"application/json": {"schema": body(&mut schemas.read)}});
        operation["requestBody"] = json!({"required": true, "content": content});
    } else if route.method == "PUT" {
        let content = json!({"application/octet-stream": {}});
        operation["requestBody"] = json!({"required": true, "content": content});
    }
    operation
}

fn content(answer: &Answer, schemas: &mut SchemaGenerator) -> Value {
    match answer {
        Answer::Json(schema) => json!({"application/json": {"schema": schema(schemas)}}),
        Answer::Other(kinds) => kinds.iter().map(|kind| (*kind, json!({}))).collect(),
    }
}

fn path_parameters(path: &str) -> Vec<Value> {
    let names = path
        .split('{')
        .skip(1)
        .filter_map(|part| part.split('}').next());
    let parameter = |name: &str| {
        let name = name.trim_start_matches('*');
        json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}})
    };
    names.map(parameter).collect()
}

/// A parameter for each property of the schema of an object.
fn query_parameters(schema: &Value) -> Vec<Value> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let parameter = |(name, schema): (&String, &Value)| {
        let mut schema = schema.clone();
        let about = schema
            .as_object_mut()
            .and_then(|own| own.remove("description"));
        let required = required.contains(&name.as_str());
        json!({
            "name": name, "in": "query", "required": required, "description": about,
            "schema": schema,
        })
    };
    properties.map(parameter).collect()
}

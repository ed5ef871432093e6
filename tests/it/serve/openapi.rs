//! The OpenAPI description: that of the server, checked in, and true.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::Serving;
use crate::harness::{Scratch, parsed};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/openapi.json");

#[test]
fn the_description_that_is_checked_in_is_that_of_the_server() {
    let text = format!("{:#}\n", research::server::openapi());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(Path::new(PATH).parent().unwrap()).unwrap();
        fs::write(PATH, &text).unwrap();
    }
    let file = fs::read_to_string(PATH).unwrap_or_default();
    assert!(
        file == text,
        "docs/openapi.json is out of date: make golden"
    );
    let scratch = Scratch::new();
    let server = Serving::start(&scratch, &[], &[]);
    assert_eq!(server.get("/openapi.json").json(), parsed(&text));
}

/// Every reference in a value.
fn references<'a>(value: &'a Value, into: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(object) => {
            into.extend(object.get("$ref").and_then(Value::as_str));
            object.values().for_each(|value| references(value, into));
        }
        Value::Array(list) => list.iter().for_each(|value| references(value, into)),
        _ => {}
    }
}

#[test]
fn operations_have_names_of_their_own_and_references_lead_somewhere() {
    let description = research::server::openapi();
    assert_eq!(description["openapi"], "3.1.0");
    let mut names = BTreeSet::new();
    let paths = description["paths"].as_object().unwrap();
    for (path, methods) in paths {
        for operation in methods.as_object().unwrap().values() {
            let name = operation["operationId"].as_str().unwrap();
            assert!(names.insert(name.to_owned()), "{name}");
            let declared = operation["parameters"].as_array().unwrap().iter();
            let in_path = declared.filter(|one| one["in"] == "path").count();
            assert_eq!(in_path, path.matches('{').count(), "{path}");
        }
    }
    assert!(names.len() > 15, "{names:?}");
    let mut used = BTreeSet::new();
    references(&description, &mut used);
    for reference in used {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(description.pointer(pointer).is_some(), "{reference}");
    }
}

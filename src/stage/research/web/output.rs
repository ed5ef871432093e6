//! What a tool of the user's returned, as a document: JSON or text.

use std::path::Path;

use serde_json::{Map, Value};

use crate::extension::Arguments;
use crate::read::{Document, Reader};
use crate::text::{is_deceptive, one_line, truncate_with_ellipsis};

/// The maximum length of a title, in characters (chosen by hand).
const TITLE: usize = 100;

/// Returns the document in the output of a tool.
///
/// # Errors
/// The problem in words, when there is no text in it.
pub(super) fn document_of(
    reader: &Reader,
    tool: &str,
    arguments: &Arguments,
    output: Vec<u8>,
) -> Result<Document, String> {
    // A JSON string is its text, and a number or a word alone is as good as a text.
    let (extension, bytes) = match serde_json::from_slice(&output) {
        Ok(Value::Object(object)) => ("json", records(object).to_string().into_bytes()),
        Ok(Value::Array(_)) => ("json", output),
        Ok(Value::String(text)) => ("txt", text.into_bytes()),
        _ => ("txt", output),
    };
    if bytes.trim_ascii().is_empty() {
        return Err(format!("the tool {tool} returned nothing"));
    }
    let name = Path::new(tool).with_extension(extension);
    let unreadable =
        |problem: String| format!("what the tool {tool} returned is not text: {problem}");
    let kind = reader.kinds.by_extension(&name);
    let kind = kind.ok_or_else(|| unreadable(format!("{extension} is not read")))?;
    let read = reader.read_bytes(&name, kind, &bytes, None);
    let document = read.map_err(|error| unreadable(error.to_string()))?;
    Ok(Document {
        title: title(tool, arguments),
        ..document
    })
}

/// The records of an object: as services reply with a list of objects and a few words about it, the
/// words are the first record, and the members of each list are the others.
fn records(object: Map<String, Value>) -> Value {
    let (mut words, mut records) = (Map::new(), Vec::new());
    for (name, value) in object {
        match value {
            Value::Array(list) if list.iter().all(Value::is_object) => records.extend(list),
            value => drop(words.insert(name, value)),
        }
    }
    if !words.is_empty() {
        records.insert(0, Value::Object(words));
    }
    Value::Array(records)
}

/// The tool and the values that it was given.
fn title(tool: &str, arguments: &Arguments) -> String {
    let values = arguments.values().map(|value| match value.as_str() {
        Some(text) => one_line(&text.replace(is_deceptive, "")),
        None => value.to_string(),
    });
    let values: Vec<String> = values.collect();
    let title = if values.is_empty() {
        tool.to_owned()
    } else {
        format!("{tool}: {}", values.join(", "))
    };
    truncate_with_ellipsis(&title, TITLE).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_and_text_are_documents_and_anything_else_is_a_problem() {
        let reader = Reader::in_process();
        let arguments = Arguments::from_iter([("text".to_owned(), json!("a\nb"))]);
        let read = |output: &[u8]| document_of(&reader, "count", &arguments, output.to_vec());
        let object = read(b"{\"words\": 12, \"of\": \"a text\"}").unwrap();
        assert_eq!(object.title, "count: a b");
        assert!(
            object.text.contains("Words: 12; of: a text."),
            "{}",
            object.text
        );
        let reply =
            b"{\n \"total\": 2,\n \"hits\": [\n {\"text\": \"One.\"}, {\"text\": \"Two.\"}\n]}";
        let list = read(reply).unwrap().text;
        let at = |words: &str| {
            list.find(words)
                .unwrap_or_else(|| panic!("{words}: {list}"))
        };
        assert!(at("otal: 2") < at("ext: One.") && at("ext: One.") < at("ext: Two."));
        assert_eq!(
            read(b"\"It has 12 words.\"").unwrap().text,
            "It has 12 words.\n"
        );
        assert_eq!(read(b"12 words\n").unwrap().text, "12 words\n");
        for broken in [&b"{\"words\": "[..], b"[[[[["] {
            assert!(read(broken).is_ok(), "text that only looks like JSON");
        }
        assert_eq!(read(b" \n").unwrap_err(), "the tool count returned nothing");
        assert!(read(b"a\0b").unwrap_err().contains("is not text"));
    }
}

//! Lists of JSON objects: JSON lines (one object a line), and an array of objects. Each object is a
//! record; what is nested in it is flattened, `a.b: c`.
//!
//! Objects are flattened while they are parsed, so that no tree of them is built.

use std::fmt;
use std::rc::Rc;

use serde::de::{
    Deserialize as _, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::rows::readable;
use super::writer::{MAX_FIELDS, Record, RecordWriter};
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::{charset, metadata};

/// The limit on nesting; what is deeper is left out. Chosen by hand.
const MAX_DEPTH: usize = 8;

/// JSON lines, and JSON that is an array of objects: the clean text is the objects as records.
pub static KIND: SourceKind = SourceKind {
    name: "json",
    label: "JSON lines",
    extensions: &["jsonl", "ndjson"],
    shared_extensions: &["json"],
    media_types: &["application/jsonl", "application/x-ndjson"],
    signature: Signature::Opening(opens_as_list),
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "give it as an array of objects, or with one object a line and the name .jsonl",
    read,
};

/// Returns `true` if bytes begin with an array of objects.
fn opens_as_list(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let rest = bytes.trim_ascii_start().strip_prefix(b"[");
    let rest = rest.and_then(|rest| rest.trim_ascii_start().strip_prefix(b"{"));
    rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
}

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let title = metadata::name_as_title(input.path);
    let text = input.text()?;
    let text = to_markdown(&title, &text);
    Ok(input.document(title, text.map_err(|problem| input.malformed(problem))?))
}

fn to_markdown(title: &str, text: &str) -> Result<String, String> {
    let mut out = MarkdownWriter::default();
    let mut records = RecordWriter::new(&mut out, 1);
    records.heading(title);
    let mut list = List { records, others: 0 };
    if text.trim_start().starts_with('[') {
        list.array(text)?;
    } else {
        list.lines(text);
    }
    let others = list.others;
    let records = list.records.finish();
    if records == 0 {
        return Err("it is no list of JSON objects".into());
    }
    if others > 0 {
        let all = records + others;
        out.paragraph(&format!(
            "[Left out as no JSON objects: {others} of {all}.]"
        ));
    }
    Ok(out.finish())
}

/// The objects of a file as they are read.
struct List<'o> {
    records: RecordWriter<'o>,
    /// The number of those that are no objects.
    others: usize,
}

impl List<'_> {
    fn lines(&mut self, text: &str) {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let mut record = Record::new();
            let mut parser = serde_json::Deserializer::from_str(line);
            let parsed = Flattened::of(&mut record).deserialize(&mut parser);
            // A damaged line does not take the others with it.
            if parsed.and_then(|()| parser.end()).is_err() {
                record.clear();
            }
            self.add(record);
        }
    }

    fn array(&mut self, text: &str) -> Result<(), String> {
        let mut parser = serde_json::Deserializer::from_str(text);
        let parsed = parser.deserialize_seq(&mut *self);
        parsed
            .and_then(|()| parser.end())
            .map_err(|error| format!("its JSON is broken ({error})"))
    }

    fn add(&mut self, record: Record) {
        // A value without a name is no object.
        if record.iter().all(|(name, _)| name.is_empty()) {
            self.others += 1;
        } else {
            self.records.push(record);
        }
    }
}

impl<'de> Visitor<'de> for &mut List<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let mut record = Record::new();
        while values
            .next_element_seed(Flattened::of(&mut record))?
            .is_some()
        {
            self.add(std::mem::take(&mut record));
        }
        Ok(())
    }
}

/// A JSON value that becomes fields of a record while it is parsed.
struct Flattened<'r> {
    record: &'r mut Record,
    /// The names on the way to the value, joined by full stops.
    path: Rc<str>,
    depth: usize,
}

impl<'r> Flattened<'r> {
    fn of(record: &'r mut Record) -> Self {
        Self {
            record,
            path: "".into(),
            depth: 0,
        }
    }

    fn inner(&mut self, path: Rc<str>) -> Flattened<'_> {
        Flattened {
            record: self.record,
            path,
            depth: self.depth + 1,
        }
    }

    /// Adds a value; to that of the same name, if there is one, as of an array.
    fn add<E>(self, value: &str) -> Result<(), E> {
        // Strings may contain what the text of the file did not: escaped control characters.
        let value = charset::normalise(value);
        let value = value.trim_end();
        let mut known = self.record.iter_mut().rev();
        if let Some((_, known)) = known.find(|(name, _)| *name == self.path) {
            known.push_str(", ");
            known.push_str(value);
        } else if self.record.len() <= MAX_FIELDS {
            self.record.push((self.path, value.to_owned()));
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Flattened<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.depth > MAX_DEPTH {
            return IgnoredAny::deserialize(deserializer).map(|_| ());
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Flattened<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.add(if value { "true" } else { "false" })
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.add(&value.to_string())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.add(&value.to_string())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.add(&value.to_string())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.add(value)
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut values: A) -> Result<(), A::Error> {
        let path = Rc::clone(&self.path);
        while values
            .next_element_seed(self.inner(Rc::clone(&path)))?
            .is_some()
        {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            let name = readable(&charset::normalise(&name));
            let path = match &*self.path {
                "" => name,
                path => format!("{path}.{name}").into(),
            };
            fields.next_value_seed(self.inner(path))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, ReadError> {
        let input = Input::of_bytes(&KIND, "pumps.jsonl", text.as_bytes(), 1_000_000);
        super::read(&input).map(|document| document.text)
    }

    #[test]
    fn objects_are_flattened_into_records() {
        let line = r#"{"name": "X2", "size": {"width_cm": 30, "deep": true}, "tags": ["a", "b"],
            "by": [{"name": "Ann"}, {"name": "Bob"}], "none": null, "share": 0.5}"#;
        let item = "- Name: X2; size.width cm: 30; size.deep: true; tags: a, b; by.name: Ann, Bob; \
            share: 0.5.\n";
        let line = line.replace('\n', "");
        assert_eq!(
            read(&format!("{line}\n\n{line}\nno\n[1]\n")).unwrap(),
            format!("# Pumps\n\n{item}{item}\n[Left out as no JSON objects: 2 of 4.]\n")
        );
        let array = format!("[\n  {line},\n  {line}\n]");
        assert_eq!(read(&array).unwrap(), format!("# Pumps\n\n{item}{item}"));
        assert!(opens_as_list(array.as_bytes()));
        assert!(!opens_as_list(b"{\"a\": 1}") && !opens_as_list(b"[1, 2]"));
    }

    #[test]
    fn abstracts_read_like_articles() {
        let text = read(
            "{\"_id\": \"7\", \"title\": \"On wings\", \"text\": \"The lift of a wing in a \
             slipstream was measured, and it differs from theory by no more than a tenth of \
             it.\\n\\nMore\\u0000 is \\ud83d\\ude00 needed.\"}\n",
        );
        assert_eq!(
            text.unwrap(),
            "# Pumps\n\n## On wings\n\n- Id: 7\n\nThe lift of a wing in a slipstream was \
             measured, and it differs from theory by no more than a tenth of it.\n\nMore is 😀 \
             needed.\n"
        );
    }

    #[test]
    fn hostile_json_is_refused_or_cut() {
        for (text, problem) in [
            ("[1, 2]", "no list of JSON objects"),
            ("{\"a\":", "no list of JSON objects"),
            ("[{\"a\": 1}, {", "its JSON is broken"),
            (&"[".repeat(200_000), "its JSON is broken"),
            (&"{\"a\":".repeat(200_000), "no list of JSON objects"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
        let deep = format!("{}1{}", "{\"a\":".repeat(50), "}".repeat(50));
        assert_eq!(
            read(&format!("{{\"b\": 2, \"d\": 3, \"c\": {deep}}}")).unwrap(),
            "# Pumps\n\n- B: 2; d: 3.\n"
        );
        let many: Vec<String> = (0..5000).map(|n| format!("\"k{n}\": {n}")).collect();
        let text = read(&format!("{{{}}}", many.join(","))).unwrap();
        assert!(text.ends_with("[Fields after the first 1000 of a record are left out.]\n"));
    }
}

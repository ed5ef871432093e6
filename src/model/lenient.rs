//! Lenient JSON parsing: from the text of a reply to a typed answer, by a ladder of repairs.
//!
//! Size and nesting are capped first: the library that repairs JSON recurses, and overflows the
//! stack on deep nesting. Then thinking and fences are stripped, the JSON is parsed strictly, then
//! repaired, and its fields are checked. Each repair is returned, so that it can be recorded.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// The longest reply that is parsed, in bytes (chosen by hand).
const MAX_BYTES: usize = 4 << 20;

/// The deepest nesting that is parsed; no answer here nests more than six levels (chosen by hand).
const MAX_DEPTH: usize = 64;

/// The beginning of the problem with a reply that is no JSON, as its parser describes it further.
pub const INVALID: &str = "the reply was not valid JSON";
/// The same of JSON without the fields that were asked for.
pub const UNFIT: &str = "the JSON does not fit";

/// An answer, and the repairs that were needed to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed<T> {
    /// The answer.
    pub answer: T,
    /// The repairs, in order.
    pub repairs: Vec<String>,
}

/// Parses an answer.
///
/// # Errors
/// The problem, worded so that the model can correct it.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<Parsed<T>, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("the reply is longer than {MAX_BYTES} bytes"));
    }
    let mut repairs = Vec::new();
    let text = without_thinking(text, &mut repairs)?;
    let text = without_fences(text, &mut repairs);
    if text.trim().is_empty() {
        return Err("the reply is empty".to_owned());
    }
    if nesting(text) > MAX_DEPTH {
        return Err(format!(
            "the reply is nested more than {MAX_DEPTH} levels deep"
        ));
    }
    // Strict first: most replies are valid, and no repair may change a valid reply.
    let strict = match serde_json::from_str::<Value>(text.trim()) {
        Ok(value) => return typed(value).map(|answer| Parsed { answer, repairs }),
        Err(error) => error,
    };
    let Some(start) = text.find('{') else {
        return Err("the reply holds no JSON object".to_owned());
    };
    let inner = &text[start..];
    if let Some(end) = inner.rfind('}')
        && let Ok(value) = serde_json::from_str::<Value>(&inner[..=end])
    {
        repairs.push("took the JSON out of the words around it".to_owned());
        return typed(value).map(|answer| Parsed { answer, repairs });
    }
    let mut problem = format!("{INVALID}: {strict}");
    // Of 1,826 generated damaged replies of 30 kinds, llm_json repaired 314, and jsonrepair alone
    // another 44. A reading of 15 of these 44 showed that about 13 were garbled or had lost a
    // field, so jsonrepair was dropped.
    let options = llm_json::RepairOptions::default();
    let repaired = llm_json::repair_json(inner, &options).ok();
    if let Some(value) = repaired.and_then(|text| serde_json::from_str(&text).ok()) {
        match typed(value) {
            Ok(answer) => {
                repairs.push(format!("repaired the JSON with llm_json: {strict}"));
                return Ok(Parsed { answer, repairs });
            }
            Err(other) => problem = format!("{problem}; after repair {other}"),
        }
    }
    Err(problem)
}

/// Reads a reply of plain text: strips thinking and a fence around the whole of it.
///
/// # Errors
/// The problem, worded so that the model can correct it.
pub fn plain(text: &str) -> Result<Parsed<String>, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("the reply is longer than {MAX_BYTES} bytes"));
    }
    let mut repairs = Vec::new();
    let text = without_thinking(text, &mut repairs)?.trim();
    let inside = text
        .strip_prefix("```")
        .and_then(|rest| rest.split_once('\n'))
        .map(|(_, rest)| rest.trim_end().trim_end_matches('`'));
    if inside.is_some() {
        repairs.push("stripped the fences".to_owned());
    }
    let text = inside.unwrap_or(text).trim();
    if text.is_empty() {
        return Err("the reply is empty".to_owned());
    }
    Ok(Parsed {
        answer: text.to_owned(),
        repairs,
    })
}

fn typed<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    let value = match value {
        Value::Object(_) => value,
        other => {
            return Err(format!(
                "the reply must be one JSON object, it is {}",
                kind(&other)
            ));
        }
    };
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        match path.as_str() {
            // The path of serde_path_to_error for the root.
            "." => format!("{UNFIT}: {}", error.inner()),
            _ => format!("{UNFIT} at {path}: {}", error.inner()),
        }
    })
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Strips the thinking of a model before its answer, marked by tags.
fn without_thinking<'a>(text: &'a str, repairs: &mut Vec<String>) -> Result<&'a str, String> {
    for (open, close) in [("<think>", "</think>"), ("<thinking>", "</thinking>")] {
        if let Some(at) = text.rfind(close) {
            repairs.push("stripped the thinking".to_owned());
            return Ok(&text[at + close.len()..]);
        }
        if text.trim_start().starts_with(open) {
            return Err("the reply ends before its thinking does".to_owned());
        }
    }
    Ok(text)
}

/// Returns the content of the first Markdown fence that contains an object, if the text itself does
/// not start with one.
fn without_fences<'a>(text: &'a str, repairs: &mut Vec<String>) -> &'a str {
    if text.trim_start().starts_with('{') {
        return text;
    }
    let Some((_, rest)) = text.split_once("```") else {
        return text;
    };
    let inside = rest.split_once('\n').map_or(rest, |(label, inside)| {
        // The rest of the line after the fence is a label such as `json`, unless it is content.
        if label.trim().chars().all(char::is_alphanumeric) {
            inside
        } else {
            rest
        }
    });
    let inside = inside
        .rsplit_once("```")
        .map_or(inside, |(inside, _)| inside);
    if inside.trim_start().starts_with('{') {
        repairs.push("stripped the fences".to_owned());
        inside
    } else {
        text
    }
}

/// Returns the depth of the nesting of brackets outside of strings.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    // A quote that is never closed must not hide the brackets after it: then all of them are
    // counted.
    if in_string {
        let opened = text.bytes().filter(|byte| matches!(byte, b'{' | b'['));
        return deepest.max(opened.count());
    }
    deepest
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Answer {
        words: Vec<String>,
        count: u32,
    }

    fn read(text: &str) -> Result<Parsed<Answer>, String> {
        parse(text)
    }

    fn expected() -> Answer {
        Answer {
            words: vec!["a".to_owned(), "b".to_owned()],
            count: 2,
        }
    }

    #[test]
    fn each_repair_parses_what_the_one_before_could_not() {
        for (text, repairs) in [
            (r#"{"words":["a","b"],"count":2,"more":true}"#, 0),
            ("<think>{hm</think>{\"words\":[\"a\",\"b\"],\"count\":2}", 1),
            ("```json\n{\"words\":[\"a\",\"b\"],\"count\":2}\n```", 1),
            (
                "Here:\n```\n{\"words\":[\"a\",\"b\"],\"count\":2}\n```\nGood?",
                1,
            ),
            (r#"Sure! {"words":["a","b"],"count":2} Anything else?"#, 1),
            (r#"{"words":["a","b",],"count":2,}"#, 1),
            (r#"{words:['a','b'],count:2}"#, 1),
            (r#"{"words":["a","b"],"count":2"#, 1),
        ] {
            let parsed = read(text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            assert_eq!(parsed.answer, expected(), "{text}");
            assert_eq!(
                parsed.repairs.len(),
                repairs,
                "{text}: {:?}",
                parsed.repairs
            );
        }
    }

    #[test]
    fn problems_name_the_field() {
        for (text, named) in [
            ("", "empty"),
            ("I cannot say.", "no JSON object"),
            ("[1]", "one JSON object"),
            (r#"{"words":["a"]}"#, "count"),
            (r#"{"words":["a", 5],"count":2}"#, "words[1]"),
            ("<think>let me see", "thinking"),
        ] {
            let problem = read(text).unwrap_err();
            assert!(problem.contains(named), "{text}: {problem}");
        }
    }

    #[test]
    fn deep_nesting_and_length_are_refused_before_any_repair() {
        let deep = format!("{{\"words\":{}", "[".repeat(100_000));
        assert!(read(&deep).unwrap_err().contains("nested"));
        let hidden = format!("{{\"words\":\"{}", "[".repeat(100_000));
        assert!(read(&hidden).unwrap_err().contains("nested"));
        let long = "x".repeat(MAX_BYTES + 1);
        assert!(read(&long).unwrap_err().contains("longer"));
    }
}

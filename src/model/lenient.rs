//! From a reply's text to a typed answer, one rung after another.
//!
//! Size and nesting are capped first: the libraries that repair JSON overflow the stack on what is
//! nested deeply. Then thinking and fences are stripped, the JSON is read as it is, then as it can
//! be repaired, and its fields are checked. What had to be done is said, so that it can be written
//! down.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// The longest reply that is looked at, in bytes.
const LONGEST: usize = 4 << 20;

/// The deepest nesting; no answer here nests more than six levels.
const DEEPEST: usize = 64;

/// An answer, and what had to be done to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed<T> {
    /// The answer.
    pub answer: T,
    /// What was done, in order.
    pub repairs: Vec<String>,
}

/// Reads an answer.
///
/// # Errors
/// The problem, in words that the model can act on.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<Parsed<T>, String> {
    if text.len() > LONGEST {
        return Err(format!("the reply is longer than {LONGEST} bytes"));
    }
    let mut repairs = Vec::new();
    let text = without_thinking(text, &mut repairs)?;
    let text = without_fences(text, &mut repairs);
    if text.trim().is_empty() {
        return Err("the reply is empty".to_owned());
    }
    if nesting(text) > DEEPEST {
        return Err(format!(
            "the reply is nested more than {DEEPEST} levels deep"
        ));
    }
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
    let mut problem = format!("the reply is not valid JSON: {strict}");
    for (library, repair) in REPAIRERS {
        let Some(value) = repair(inner).and_then(|text| serde_json::from_str(&text).ok()) else {
            continue;
        };
        match typed(value) {
            Ok(answer) => {
                repairs.push(format!("repaired the JSON with {library}: {strict}"));
                return Ok(Parsed { answer, repairs });
            }
            Err(other) => problem = format!("{problem}; after repair {other}"),
        }
    }
    Err(problem)
}

type Repairer = (&'static str, fn(&str) -> Option<String>);

/// The first never made an invalid text of 1,084 damaged ones; the second mends what it gives up
/// on.
const REPAIRERS: [Repairer; 2] = [("llm_json", by_llm_json), ("jsonrepair", by_jsonrepair)];

fn by_llm_json(text: &str) -> Option<String> {
    llm_json::repair_json(text, &llm_json::RepairOptions::default()).ok()
}

fn by_jsonrepair(text: &str) -> Option<String> {
    jsonrepair::repair_to_string(text, &jsonrepair::Options::default()).ok()
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
            "." => format!("the JSON does not fit: {}", error.inner()),
            _ => format!("the JSON does not fit at {path}: {}", error.inner()),
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

/// What a model thought aloud stands before its answer, between tags.
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

/// The inside of the first fence that holds an object, if the text itself is none.
fn without_fences<'a>(text: &'a str, repairs: &mut Vec<String>) -> &'a str {
    if text.trim_start().starts_with('{') {
        return text;
    }
    let Some((_, rest)) = text.split_once("```") else {
        return text;
    };
    let inside = rest.split_once('\n').map_or(rest, |(label, inside)| {
        match label.trim().chars().all(char::is_alphanumeric) {
            true => inside,
            false => rest,
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

/// How deeply brackets nest outside of strings.
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
    // A quote that is never closed must not hide what stands behind it.
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
    fn each_rung_reads_what_the_one_before_could_not() {
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
    fn problems_are_named() {
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
    fn what_is_nested_deeply_or_long_is_refused_before_anything_else() {
        let deep = format!("{{\"words\":{}", "[".repeat(100_000));
        assert!(read(&deep).unwrap_err().contains("nested"));
        let hidden = format!("{{\"words\":\"{}", "[".repeat(100_000));
        assert!(read(&hidden).unwrap_err().contains("nested"));
        let long = "x".repeat(LONGEST + 1);
        assert!(read(&long).unwrap_err().contains("longer"));
    }
}

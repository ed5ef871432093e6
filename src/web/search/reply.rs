//! Parsing of services' replies: JSON values into plain text, dates and lists of hits.

use dom_query::Document;
use serde_json::Value;

use crate::text::{one_line, truncate};
use crate::web::hit::WebHit;

/// The longest text of a hit that is read, in characters. Titles and lists of authors are shorter;
/// the limit bounds how deep the markup in one can nest.
const TEXT_CHARACTERS: usize = 2000;

/// A reply as JSON.
pub fn json(reply: &[u8]) -> Option<Value> {
    serde_json::from_slice(reply).ok()
}

/// The list of hits in a reply, each parsed by `parse`.
pub fn list(value: &Value, parse: impl Fn(&Value) -> WebHit) -> Option<Vec<WebHit>> {
    Some(value.as_array()?.iter().map(parse).collect())
}

/// A string of a reply as plain text; empty if it is missing.
pub fn text(value: &Value) -> String {
    plain(value.as_str().unwrap_or_default())
}

/// A string or number of a reply as plain text; `None` if it is missing or blank.
pub fn optional(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(plain(text)),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A string of a reply that is not escaped as HTML, as it is; `None` if it is missing or blank.
pub(super) fn verbatim(value: &Value) -> Option<String> {
    let text = value.as_str().map(str::trim);
    text.filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The names in a list of authors, joined by commas; `None` if there are none.
pub(super) fn authors(list: &Value, name: impl Fn(&Value) -> String) -> Option<String> {
    let names: Vec<String> = list
        .as_array()?
        .iter()
        .map(name)
        .filter(|name| !name.is_empty())
        .collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The text of an HTML fragment on one line: without the tags that services set around the words of
/// the query, and with its entities decoded.
pub(super) fn plain(html: &str) -> String {
    let html = truncate(html, TEXT_CHARACTERS);
    // A tree is only built where there may be tags: most texts hold none.
    if html.contains('<') {
        return one_line(&Document::fragment(html).text());
    }
    one_line(&html_escape::decode_html_entities(html))
}

/// The tags with which a paragraph of an HTML fragment begins or ends.
const BLOCK_TAGS: [&str; 14] = [
    "<p",
    "</p",
    "<br",
    "<li",
    "<pre",
    "</pre",
    "<blockquote",
    "</blockquote",
    "<ul",
    "</ul",
    "<ol",
    "</ol",
    "<h",
    "</h",
];

/// The paragraphs of an HTML fragment as plain text, each on one line.
pub(super) fn paragraphs(html: &Value) -> Vec<String> {
    let html = html.as_str().unwrap_or_default();
    let is_block = |at: &usize| {
        let rest = &html.as_bytes()[*at..];
        BLOCK_TAGS.iter().any(|tag| {
            let (start, end) = rest.split_at(tag.len().min(rest.len()));
            let ends = !end.first().is_some_and(u8::is_ascii_lowercase);
            start.eq_ignore_ascii_case(tag.as_bytes()) && ends
        })
    };
    let tags = html.match_indices('<').map(|(at, _)| at).filter(is_block);
    let mut parts = Vec::new();
    let mut start = 0;
    for end in tags.chain([html.len()]) {
        parts.push(plain(&html[start..end]));
        start = end;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The date of a Unix timestamp in seconds, as `2020-05-06`.
pub(super) fn date_of(seconds: &Value) -> Option<String> {
    let seconds = seconds
        .as_i64()
        .or_else(|| seconds.as_f64().map(|seconds| seconds as i64))?;
    let moment = chrono::DateTime::from_timestamp(seconds, 0)?;
    // Longer is a year beyond 9999, which nothing is from.
    Some(moment.format("%Y-%m-%d").to_string()).filter(|date| date.len() == 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_dropped_and_html_entities_are_decoded() {
        for (html, wanted) in [
            ("On <b>heat</b> &amp; cold", "On heat & cold"),
            (
                "Caf\u{e9}&nbsp;&#8217;s &eacute;t&#xe9; &quot;x&quot;",
                "Caf\u{e9} \u{2019}s \u{e9}t\u{e9} \"x\"",
            ),
            ("if a < b and c > d", "if a < b and c > d"),
            ("&lt;b&gt; is a tag", "<b> is a tag"),
            (" two\n lines ", "two lines"),
            ("", ""),
        ] {
            assert_eq!(plain(html), wanted);
        }
        let fragment =
            Value::from("A &gt; b<p>Two <i>it</i><pre><code>x &lt; y</code></pre><ul><li>z");
        assert_eq!(paragraphs(&fragment), ["A > b", "Two it", "x < y", "z"]);
        let nested = "<i>".repeat(1 << 20);
        assert_eq!(plain(&nested), "");
    }
}

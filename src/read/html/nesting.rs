//! How deep a page of HTML would nest, told from its tags before it is parsed: parsers take time
//! and memory by the number of tags times their depth, and what walks the result takes stack by its
//! depth.
//!
//! Refuses to build anything. Where it errs it errs upwards: elements that are left open count
//! until the end of the page.

/// The most that tags times depth may come to. The longest single-page standards come to about 15
/// million; 100,000 nested elements, which took 44 s to parse, to 10 billion.
const MAX_TAGS_TIMES_DEPTH: usize = 50_000_000;

/// Elements without content.
const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// Elements that close each other, so that leaving them open does not nest them.
const SELF_CLOSED: &[&str] = &[
    "body", "colgroup", "dd", "dt", "head", "html", "li", "optgroup", "option", "p", "rp", "rt",
    "tbody", "td", "tfoot", "th", "thead", "tr",
];

/// Elements whose formatting goes on after the element around them has ended.
const FORMATTING: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// Elements that an end tag inside cannot reach out of.
const BARRIERS: &[&str] = &[
    "applet",
    "button",
    "caption",
    "foreignobject",
    "marquee",
    "math",
    "object",
    "select",
    "svg",
    "table",
    "template",
];

/// Elements whose content is text up to their end tag.
const RAW: &[&str] = &[
    "iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp",
];

/// Whether a page nests so deep, for its number of tags, that it should not be parsed.
pub fn is_too_deep(html: &str) -> bool {
    let mut open: Vec<String> = Vec::new();
    let mut tags = 0_usize;
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let Some(tag) = Tag::read(rest) else {
            rest = &rest[1..];
            continue;
        };
        rest = &rest[tag.length..];
        tags += 1;
        if tag.closes {
            close(&mut open, &tag.name);
        } else if RAW.contains(&tag.name.as_str()) && !in_drawing(&open) {
            rest = after_raw(rest, &tag.name);
        } else if nests(&tag, &open) {
            open.push(tag.name);
        }
        if tags.saturating_mul(open.len()) > MAX_TAGS_TIMES_DEPTH {
            return true;
        }
    }
    false
}

/// Whether an element of a name has no content and no end.
pub(in crate::read) fn is_void(name: &str) -> bool {
    VOID.contains(&name)
}

fn nests(tag: &Tag, open: &[String]) -> bool {
    let name = tag.name.as_str();
    !(name.is_empty()
        || is_void(name)
        || SELF_CLOSED.contains(&name)
        || tag.self_closing && in_drawing(open))
}

/// Whether the innermost barrier is a drawing or formula, where `<x/>` is a whole element.
fn in_drawing(open: &[String]) -> bool {
    let innermost = open
        .iter()
        .rev()
        .find(|name| BARRIERS.contains(&name.as_str()));
    innermost.is_some_and(|name| name == "svg" || name == "math")
}

/// Closes the nearest element of a name and what is inside it, but for formatting, which outlives
/// its surroundings.
fn close(open: &mut Vec<String>, name: &str) {
    let reached = open
        .iter()
        .rposition(|other| other == name || BARRIERS.contains(&other.as_str()));
    let Some(at) = reached.filter(|at| open[*at] == name) else {
        return;
    };
    let inside = open.split_off(at);
    let formatting = FORMATTING.contains(&name);
    open.extend(
        inside
            .into_iter()
            .skip(1)
            .filter(|other| formatting || FORMATTING.contains(&other.as_str())),
    );
}

/// What follows the end of an element that holds text only.
fn after_raw<'a>(rest: &'a str, name: &str) -> &'a str {
    let ends = rest.match_indices("</").find(|(at, _)| {
        let found = rest.as_bytes().get(at + 2..at + 2 + name.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
    });
    ends.map_or("", |(at, _)| &rest[at..])
}

/// A tag, or a comment, which has no name.
struct Tag {
    name: String,
    closes: bool,
    self_closing: bool,
    length: usize,
}

impl Tag {
    /// The tag at the beginning of a text, if a parser would see one there.
    fn read(text: &str) -> Option<Tag> {
        if text.starts_with("<!") || text.starts_with("<?") {
            return Some(Tag {
                name: String::new(),
                closes: false,
                self_closing: false,
                length: comment_length(text),
            });
        }
        let closes = text.starts_with("</");
        let start = if closes { 2 } else { 1 };
        let inner = text[start..]
            .chars()
            .next()
            .filter(char::is_ascii_alphabetic)
            .map(|_| &text[start..])?;
        let length = inner
            .find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))
            .unwrap_or(inner.len());
        let name = inner[..length].to_ascii_lowercase();
        let end = start + length + attributes_length(&inner[length..]);
        Some(Tag {
            name,
            closes,
            self_closing: text[..end].ends_with("/>"),
            length: end,
        })
    }
}

fn comment_length(text: &str) -> usize {
    let Some(inner) = text.strip_prefix("<!--") else {
        return text.find('>').map_or(text.len(), |at| at + 1);
    };
    if inner.starts_with('>') || inner.starts_with("->") {
        return text.len() - inner.len() + 1;
    }
    let end = inner.match_indices("--").find_map(|(at, _)| {
        let after = &inner[at + 2..];
        let close = if after.starts_with('>') { 1 } else { 2 };
        (after.starts_with('>') || after.starts_with("!>")).then_some(at + 2 + close)
    });
    end.or_else(|| inner.find("-->").map(|at| at + 3))
        .map_or(text.len(), |end| end + 4)
}

/// The bytes up to the end of a tag; a `>` in a quoted value does not end it.
fn attributes_length(text: &str) -> usize {
    let mut quote = None;
    let mut value_begins = false;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') if value_begins => quote = Some(byte),
            _ => {}
        }
        value_begins = byte == b'=' || value_begins && byte.is_ascii_whitespace();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_pages_are_told_whatever_hides_their_depth() {
        for unit in [
            "<div>",
            "<ul><li>",
            "<table><tr><td>",
            "<div a='</div>'>",
            "<div><!-- </div> -->",
            "<div><!--></div>",
            "<div><script></div></script>",
            "<div><marquee></div></marquee>",
            "<b><div></b>",
            "<p><font a=1></p>",
            "<div/>",
            "<svg><foreignObject><div/>",
        ] {
            let deep = is_too_deep(&unit.repeat(20_000));
            let hidden = unit == "<div><!--></div>";
            assert_eq!(deep, !hidden, "{unit}");
        }
    }

    #[test]
    fn long_pages_are_not_deep() {
        for unit in [
            "<p>one<br><li>two",
            "<div><p><b>x</b></p></div>",
            "<div><b><i>crossed</b></i></div>",
            "<svg><path d='1'/><g><path/></g></svg>",
            "<!-- <div> --><script>if (a<b) '<div>'</script>",
            "a < b <",
            "<div><span></div>",
            "<div title=\"a > b\"></div>",
        ] {
            assert!(!is_too_deep(&unit.repeat(50_000)), "{unit}");
        }
        assert!(!is_too_deep(&"<".repeat(1_000_000)));
        assert!(!is_too_deep(&"<!--".repeat(250_000)));
    }
}

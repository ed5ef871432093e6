//! The limit on the attributes of an element of HTML, checked before the page is parsed: the parser
//! looks for duplicates, which takes the square of their number.

/// The limit, chosen by hand: people write up to some dozens, and words after a `<` that is none of
/// HTML are attributes up to the next `>`.
const MAX_ATTRIBUTES: usize = 1000;

/// Elements whose content is text, in which a `<` begins no tag.
const RAW_TEXT: [&str; 4] = ["script", "style", "textarea", "title"];

/// Refuses HTML with an element of too many attributes.
///
/// # Errors
/// When there is one.
pub(super) fn check(html: &str) -> Result<(), String> {
    let bytes = html.as_bytes();
    let mut at = 0;
    while let Some(open) = find(bytes, at, b"<") {
        at = open + 1;
        if bytes[at..].starts_with(b"!--") {
            at = find(bytes, at, b"-->").map_or(bytes.len(), |end| end + 3);
            continue;
        }
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let name = token(bytes, at);
        let (end, attributes) = tag(bytes, name.end);
        if attributes > MAX_ATTRIBUTES {
            return Err(format!(
                "it has an element with more than {MAX_ATTRIBUTES} attributes"
            ));
        }
        let name = &html[name];
        let raw = RAW_TEXT.iter().find(|own| own.eq_ignore_ascii_case(name));
        at = raw.map_or(end, |element| end_of_raw_text(bytes, end, element));
    }
    Ok(())
}

/// The end of a tag and the number of its attributes, from after its name (HTML, section 13.2.5).
fn tag(bytes: &[u8], start: usize) -> (usize, usize) {
    let (mut at, mut attributes) = (start, 0);
    loop {
        at += count(bytes, at, |byte| byte.is_ascii_whitespace() || byte == b'/');
        match bytes.get(at) {
            None => return (at, attributes),
            Some(b'>') => return (at + 1, attributes),
            Some(_) => attributes += 1,
        }
        // A name may begin with `=`.
        at = token(bytes, at + 1).end;
        let equals = at + count(bytes, at, |byte| byte.is_ascii_whitespace());
        if bytes.get(equals) == Some(&b'=') {
            at = value_end(bytes, equals + 1);
        }
    }
}

/// The end of the value of an attribute.
fn value_end(bytes: &[u8], after_equals: usize) -> usize {
    let start = after_equals + count(bytes, after_equals, |byte| byte.is_ascii_whitespace());
    match bytes.get(start) {
        Some(quote @ (b'"' | b'\'')) => {
            find(bytes, start + 1, &[*quote]).map_or(bytes.len(), |end| end + 1)
        }
        _ => {
            start
                + count(bytes, start, |byte| {
                    !byte.is_ascii_whitespace() && byte != b'>'
                })
        }
    }
}

/// The name of an element or an attribute.
fn token(bytes: &[u8], start: usize) -> std::ops::Range<usize> {
    let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'=');
    start..start + count(bytes, start, |byte| !ends(byte))
}

/// The number of bytes from `start` that are such.
fn count(bytes: &[u8], start: usize, is_such: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    rest.iter().take_while(|byte| is_such(**byte)).count()
}

/// The start of the first occurrence from `start`.
fn find(bytes: &[u8], start: usize, needle: &[u8]) -> Option<usize> {
    let rest = bytes.get(start..)?;
    let position = rest.windows(needle.len()).position(|own| own == needle);
    position.map(|position| start + position)
}

/// The start of the end tag of an element with raw text.
fn end_of_raw_text(bytes: &[u8], start: usize, element: &str) -> usize {
    let mut at = start;
    while let Some(open) = find(bytes, at, b"</") {
        let name = bytes.get(open + 2..open + 2 + element.len());
        if name.is_some_and(|name| name.eq_ignore_ascii_case(element.as_bytes())) {
            return open;
        }
        at = open + 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_element_with_too_many_attributes_is_refused() {
        let many = "a=1 b='2 > 1' c ".repeat(700);
        assert!(check(&format!("<p {many}>text</p>")).is_err());
        assert!(check(&format!("<p {many}")).is_err());
        for page in [
            format!("<p title=\"{many}\" d='{many}'>text</p>"),
            format!("<!-- <p {many} --><p>text</p>"),
            format!("<script>if (1 <b {many}) it's</script><p>text</p>"),
            format!("<STYLE><p {many}</sTyle><p>text</p>"),
            format!("1 < {many} and <1 {many} and </p {many}>"),
            "<p a=1 b=2>".repeat(2000),
            "<".repeat(1 << 20),
            "<!--<p".to_owned(),
        ] {
            assert_eq!(check(&page), Ok(()), "{page:.60}");
        }
    }
}

//! A pull parser of XML with limits on depth and attributes, over `quick-xml`.
//!
//! No tree is built, and no entity that a document declares is expanded or fetched (no billion
//! laughs, no XXE): what is not predefined stays a name.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

/// The limit on nesting, chosen by hand; what people write stays below 100.
const MAX_DEPTH: usize = 512;

/// The limit on the attributes of an element, chosen by hand: finding duplicates takes the square
/// of their number.
const MAX_ATTRIBUTES: usize = 256;

/// A token of XML. Names are without their namespace prefix.
pub(super) enum Piece<'a> {
    /// A start tag; an empty element is one with its end tag.
    Open(Element<'a>),
    /// Text, with character references resolved.
    Text(Cow<'a, str>),
    /// A reference to an entity that is not one of the five predefined ones, by name.
    Entity(String),
    /// The end tag of the innermost element.
    Close(String),
}

/// The start tag of an element.
pub(super) struct Element<'a>(BytesStart<'a>);

impl Element<'_> {
    /// The name without prefix.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// The value of an attribute, by its name without prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.attributes()
            .find_map(|(own, value)| (own == name).then_some(value))
    }

    /// The attributes, by their names without prefixes.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (&str, String)> {
        let mut attributes = self.0.attributes();
        attributes.with_checks(false);
        attributes.flatten().filter_map(|one| {
            let value = one.normalized_value(XmlVersion::Implicit1_0).ok()?;
            Some((one.key.local_name().into_inner(), value.into_owned()))
        })
    }

    fn is_crowded(&self) -> bool {
        let mut attributes = self.0.attributes();
        attributes.with_checks(false);
        attributes.take(MAX_ATTRIBUTES + 1).count() > MAX_ATTRIBUTES
    }
}

/// The parser: the tokens of an XML text, one after the other, and the stack of open elements.
pub(super) struct Pieces<'a> {
    reader: Reader<&'a [u8]>,
    open: Vec<String>,
}

impl<'a> Pieces<'a> {
    /// A parser at the beginning of a text.
    pub(super) fn of(text: &'a str) -> Self {
        // White space before the XML declaration is not well-formed (XML 1.0, 2.8), but is sent.
        let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        // `<a/>` gives a start and an end tag, so that callers need not know empty elements; a bare
        // `&` is text, as people write it.
        config.expand_empty_elements = true;
        config.allow_dangling_amp = true;
        Self {
            reader,
            open: Vec::new(),
        }
    }

    /// The next token; none at the end.
    ///
    /// # Errors
    /// When the text is not XML, ends too early or goes beyond a limit.
    pub(super) fn next(&mut self) -> Result<Option<Piece<'a>>, String> {
        loop {
            let event = self.reader.read_event();
            let piece = match event.map_err(|error| format!("its XML is broken ({error})"))? {
                Event::Start(start) => Piece::Open(self.opened(Element(start))?),
                Event::End(_) => Piece::Close(self.open.pop().unwrap_or_default()),
                Event::Text(text) => Piece::Text(text.xml10_content()),
                Event::CData(text) => Piece::Text(text.xml10_content()),
                Event::GeneralRef(name) => match name.resolve_char_ref() {
                    Ok(Some(c)) => Piece::Text(c.to_string().into()),
                    Ok(None) => entity(&name),
                    // A reference to no character, such as `&#0;`, is replaced as invalid bytes
                    // are.
                    Err(_) => Piece::Text("\u{fffd}".into()),
                },
                Event::Eof if self.open.is_empty() => return Ok(None),
                Event::Eof => return Err("its XML ends too early".to_owned()),
                // Comments, processing instructions and the DTD hold no text; entities that the DTD
                // declares are never expanded.
                _ => continue,
            };
            return Ok(Some(piece));
        }
    }

    fn opened(&mut self, element: Element<'a>) -> Result<Element<'a>, String> {
        if self.open.len() >= MAX_DEPTH {
            return Err(format!("its XML nests deeper than {MAX_DEPTH}"));
        }
        if element.is_crowded() {
            return Err(format!(
                "its XML has an element with more than {MAX_ATTRIBUTES} attributes"
            ));
        }
        self.open.push(element.name().to_owned());
        Ok(element)
    }

    /// The name of an open element: 0 for the innermost, 1 for the one around it; empty where there
    /// is none.
    pub(super) fn around(&self, levels: usize) -> &str {
        let index = self.open.len().checked_sub(levels + 1);
        index.map_or("", |index| self.open[index].as_str())
    }

    /// Skips the rest of the innermost element.
    ///
    /// # Errors
    /// As [`Pieces::next`].
    pub(super) fn skip(&mut self) -> Result<(), String> {
        // The innermost element is on the stack, so that its own end tag ends the loop.
        let depth = self.open.len();
        while self.open.len() >= depth && self.next()?.is_some() {}
        Ok(())
    }
}

fn entity(name: &str) -> Piece<'static> {
    match resolve_predefined_entity(name) {
        Some(text) => Piece::Text(text.into()),
        None => Piece::Entity(name.to_owned()),
    }
}

/// The names and texts of the elements of some names, in their order: the values of a metadata
/// file.
///
/// # Errors
/// As [`Pieces::next`].
pub(super) fn texts(xml: &str, names: &[&str]) -> Result<Vec<(String, String)>, String> {
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut pieces = Pieces::of(xml);
    while let Some(piece) = pieces.next()? {
        match piece {
            Piece::Open(element) if names.contains(&element.name()) => {
                texts.push((element.name().to_owned(), String::new()));
            }
            Piece::Text(text) => {
                // Text of inner elements belongs to another element, or to none.
                if let Some((_, value)) = texts
                    .last_mut()
                    .filter(|(name, _)| name == pieces.around(0))
                {
                    value.push_str(&text);
                }
            }
            _ => {}
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(xml: &str) -> Result<String, String> {
        let mut pieces = Pieces::of(xml);
        let mut seen = String::new();
        while let Some(piece) = pieces.next()? {
            match piece {
                Piece::Open(element) => seen += &format!("<{}>", element.name()),
                Piece::Text(text) => seen += &text,
                Piece::Entity(name) => seen += &format!("[{name}]"),
                Piece::Close(name) => seen += &format!("</{name}>"),
            }
        }
        Ok(seen)
    }

    #[test]
    fn xml_tokens_come_in_order_with_references_resolved() {
        let xml = "\u{feff} <?xml version='1.0'?><!-- no --><a x:b='1 &amp; 2'><w:c/>3 &lt; \
            4&#33;<![CDATA[<5>]]>&nbsp;</a>";
        assert_eq!(read(xml).unwrap(), "<a><c></c>3 < 4!<5>[nbsp]</a>");
        let mut pieces = Pieces::of(xml);
        let Ok(Some(Piece::Open(element))) = pieces.next() else {
            panic!("no element")
        };
        assert_eq!(element.attribute("b").as_deref(), Some("1 & 2"));
        assert_eq!(element.attribute("c"), None);
        assert_eq!((pieces.around(0), pieces.around(1)), ("a", ""));
        pieces.skip().unwrap();
        assert!(pieces.next().unwrap().is_none());
    }

    #[test]
    fn hostile_xml_billion_laughs_and_xxe_are_harmless() {
        let laughs: String = (1..20)
            .map(|level| {
                format!(
                    "<!ENTITY l{level} '{}'>",
                    format!("&l{};", level - 1).repeat(10)
                )
            })
            .collect();
        let bomb = format!(
            "<!DOCTYPE a [<!ENTITY l0 'ha'>{laughs}<!ENTITY x SYSTEM 'file:///etc/passwd'>]>\
             <a>&l19;&x;</a>"
        );
        assert_eq!(read(&bomb).unwrap(), "<a>[l19][x]</a>");
        for (xml, problem) in [
            ("<a>".repeat(100_000), "nests deeper than 512"),
            (format!("<a {}/>", "b='' ".repeat(300)), "more than 256"),
            ("<a><b>".to_owned(), "ends too early"),
            ("<a></b>".to_owned(), "broken"),
            ("<a".to_owned(), "broken"),
        ] {
            let error = read(&xml).unwrap_err();
            assert!(error.contains(problem), "{problem}: {error}");
        }
        assert_eq!(
            read("<a>&#0;&#x110000; & b</a>").unwrap(),
            "<a>\u{fffd}\u{fffd} & b</a>"
        );
    }

    #[test]
    fn texts_of_elements_are_read_by_name() {
        let xml = "<p><d:title>On <i>x</i>heat</d:title><title/><other>no</other></p>";
        let titles = texts(xml, &["title"]).unwrap();
        let titles: Vec<&str> = titles.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(titles, ["On heat", ""]);
    }
}

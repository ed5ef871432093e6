//! Writes HTML so that text stays text: names of elements and attributes are words of this program,
//! everything else is escaped. There is no way to write a text of a document unescaped.

use std::fmt::Write;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// Attributes of an element.
pub(super) type Attributes<'a> = &'a [(&'static str, &'a str)];

/// HTML under way.
#[derive(Default)]
pub(super) struct Markup {
    html: String,
}

/// Stands before a sentence that is read as Markdown, so that nothing in it begins a block.
const GUARD: &str = "x ";

impl Markup {
    pub(super) fn finish(self) -> String {
        self.html
    }

    /// Words of this program, as they are.
    pub(super) fn own(&mut self, html: &'static str) {
        self.html.push_str(html);
    }

    pub(super) fn open(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.html.push('<');
        self.html.push_str(name);
        for (attribute, value) in attributes {
            let _ = write!(self.html, " {attribute}=\"");
            self.text(value);
            self.html.push('"');
        }
        self.html.push('>');
    }

    pub(super) fn close(&mut self, name: &'static str) {
        let _ = write!(self.html, "</{name}>");
    }

    /// An element that holds only text.
    pub(super) fn element(&mut self, name: &'static str, attributes: Attributes<'_>, text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close(name);
    }

    /// Text of whatever origin, shown as it is.
    pub(super) fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '"' => self.html.push_str("&quot;"),
                '\'' => self.html.push_str("&#39;"),
                // A parser of HTML would turn it into a line feed.
                '\r' => self.html.push_str("&#13;"),
                '\n' | '\t' => self.html.push(character),
                _ if character.is_control() => self.html.push('\u{fffd}'),
                _ => self.html.push(character),
            }
        }
    }

    /// A sentence of a document, whose code, emphasis and links are shown as such, the links
    /// without where they lead.
    pub(super) fn sentence(&mut self, text: &str) {
        let line: Vec<&str> = text.split_whitespace().collect();
        let source = format!("{GUARD}{}", line.join(" "));
        let mut is_first = true;
        for event in Parser::new(&source) {
            match event {
                Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                    let text: &str = &text;
                    let guarded = text.strip_prefix(GUARD).or(text.strip_prefix('x'));
                    self.text(guarded.filter(|_| is_first).unwrap_or(text));
                    is_first = false;
                }
                Event::Code(code) => self.element("code", &[], &code),
                Event::Start(Tag::Emphasis) => self.open("em", &[]),
                Event::End(TagEnd::Emphasis) => self.close("em"),
                Event::Start(Tag::Strong) => self.open("strong", &[]),
                Event::End(TagEnd::Strong) => self.close("strong"),
                Event::SoftBreak | Event::HardBreak => self.text(" "),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(text: &str) -> String {
        let mut markup = Markup::default();
        markup.sentence(text);
        markup.finish()
    }

    #[test]
    fn everything_is_escaped() {
        let mut markup = Markup::default();
        markup.open("a", &[("title", "\"><img onerror='x'>")]);
        markup.text("<script>&\u{1b}\0\r\n");
        markup.close("a");
        assert_eq!(
            markup.finish(),
            "<a title=\"&quot;&gt;&lt;img onerror=&#39;x&#39;&gt;\">&lt;script&gt;&amp;\u{fffd}\u{fffd}&#13;\n</a>"
        );
    }

    #[test]
    fn sentences_show_code_and_emphasis_and_obey_nothing() {
        for (text, shown) in [
            (
                "a `Vec<T>` of *T*",
                "a <code>Vec&lt;T&gt;</code> of <em>T</em>",
            ),
            ("**bold** x", "<strong>bold</strong> x"),
            ("<b onclick=x>y</b>", "&lt;b onclick=x&gt;y&lt;/b&gt;"),
            ("[here](javascript:alert)", "here"),
            ("![pic](http://evil.example/x.png) y", "pic y"),
            ("&lt;script&gt;", "&lt;script&gt;"),
            ("# 1. > - no block", "# 1. &gt; - no block"),
            ("1. one", "1. one"),
            ("x marks", "x marks"),
            ("an ` open * one", "an ` open * one"),
            ("two\n\n# lines", "two # lines"),
            ("", ""),
        ] {
            assert_eq!(sentence(text), shown, "{text}");
        }
    }
}

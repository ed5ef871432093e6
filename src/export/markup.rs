//! A writer of HTML and XML that escapes by type: names of elements and attributes and raw markup
//! are string literals of this program (`&'static str`), every other string is escaped. There is no
//! way to write text of a document unescaped.

use std::fmt::Write;

use super::chart::Chart;
use super::inline::Inline;
use crate::text::is_deceptive;

/// Attributes of an element.
pub(super) type Attributes<'a> = &'a [(&'static str, &'a str)];

/// HTML being written.
#[derive(Default)]
pub(super) struct Markup {
    html: String,
}

impl Markup {
    /// The HTML.
    pub(super) fn finish(self) -> String {
        self.html
    }

    /// Writes a literal of this program unescaped.
    pub(super) fn raw(&mut self, html: &'static str) {
        self.html.push_str(html);
    }

    /// Writes a chart.
    pub(super) fn chart(&mut self, chart: &Chart) {
        self.html.push_str(chart.svg());
    }

    /// Writes a start tag.
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

    /// Writes an end tag.
    pub(super) fn close(&mut self, name: &'static str) {
        let _ = write!(self.html, "</{name}>");
    }

    /// Writes an element that contains only text.
    pub(super) fn element(&mut self, name: &'static str, attributes: Attributes<'_>, text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close(name);
    }

    /// Writes text of any origin, escaped.
    pub(super) fn text(&mut self, text: &str) {
        // The same five characters in text and in attribute values, which are always in double
        // quotes.
        for character in text.chars() {
            match character {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '"' => self.html.push_str("&quot;"),
                '\'' => self.html.push_str("&#39;"),
                // An HTML parser normalizes a bare carriage return to a line feed.
                '\r' => self.html.push_str("&#13;"),
                '\n' | '\t' => self.html.push(character),
                // Other control characters are invalid in HTML, and may form escape sequences in a
                // terminal; and no text reorders what stands around it.
                _ if is_deceptive(character) => self.html.push('\u{fffd}'),
                // No characters by XML 1.0, section 2.2.
                '\u{fffe}' | '\u{ffff}' => self.html.push('\u{fffd}'),
                _ => self.html.push(character),
            }
        }
    }

    /// Writes a sentence of a document, or the lines of a list, with its inline Markdown.
    pub(super) fn runs(&mut self, runs: &[Inline]) {
        for run in runs {
            self.raw(if run.is_break { "<br>" } else { "" });
            let elements = [
                ("strong", run.is_strong),
                ("em", run.is_emphasis),
                ("code", run.is_code),
            ];
            let elements = elements.into_iter().filter(|(_, applies)| *applies);
            elements.clone().for_each(|(name, _)| self.open(name, &[]));
            self.text(&run.text);
            elements.rev().for_each(|(name, _)| self.close(name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::inline;
    use super::*;

    fn sentence(text: &str) -> String {
        let mut markup = Markup::default();
        markup.runs(&inline::runs(text));
        markup.finish()
    }

    #[test]
    fn html_is_escaped_in_text_and_attributes() {
        let mut markup = Markup::default();
        markup.open("a", &[("title", "\"><img onerror='x'>")]);
        markup.text("<script>&\u{1b}\0\u{ffff}\r\n");
        markup.close("a");
        assert_eq!(
            markup.finish(),
            "<a title=\"&quot;&gt;&lt;img onerror=&#39;x&#39;&gt;\">\
            &lt;script&gt;&amp;\u{fffd}\u{fffd}\u{fffd}&#13;\n</a>"
        );
    }

    #[test]
    fn inline_markdown_renders_code_and_emphasis_but_no_links() {
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

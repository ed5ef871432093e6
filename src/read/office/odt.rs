//! ODT (OpenDocument text): headings, paragraphs, lists and tables as Markdown. Footnotes,
//! comments, tracked deletions and tables of contents are left out.

use std::collections::{BTreeSet, HashMap};

use super::odf;
use super::opc::Properties;
use super::zip::Archive;
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;
use crate::read::failure::Failure;
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::xml::{Element, Piece, Pieces};
use crate::read::{charset, metadata};
use crate::text;

/// ODT (OpenDocument): the clean text is the paragraphs as Markdown.
pub static KIND: SourceKind = SourceKind {
    name: "odt",
    label: "ODT",
    extensions: &["odt"],
    shared_extensions: &[],
    media_types: &["application/vnd.oasis.opendocument.text"],
    signature: Signature::Magic(is_odt),
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "save it again in a word processor, or as text",
    read,
};

fn is_odt(bytes: &[u8]) -> bool {
    odf::is_document(bytes, "text")
}

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let (about, text) = extract(&input.bytes()?).map_err(|failure| input.failure(failure))?;
    let text = charset::normalise(&text);
    let title = about.title.or_else(|| text::first_heading(&text));
    let title = title.unwrap_or_else(|| metadata::name_as_title(input.path));
    Ok(metadata::with_top_lines_first(Document {
        author: about.author,
        date: about.date.filter(|date| metadata::fits_title(date, &title)),
        language: about.language,
        ..input.document(title, text)
    }))
}

fn extract(bytes: &[u8]) -> Result<(Properties, String), Failure> {
    let mut archive = Archive::open(bytes)?;
    let about = odf::properties(&mut archive)?;
    let mut styles = Styles::default();
    if let Some(xml) = archive.text("styles.xml")? {
        styles.read(&xml)?;
    }
    let xml = odf::content(&mut archive)?;
    // Those of the document itself, which refer to those of `styles.xml`.
    styles.read(&xml)?;
    let mut body = Body::new(&styles);
    body.read(&xml)?;
    Ok((about, body.out.finish()))
}

/// The styles that decide what a paragraph is.
#[derive(Default)]
struct Styles {
    /// The style that a style inherits from.
    parents: HashMap<String, String>,
    /// The styles of lists and their levels, from 1, at which items are numbered.
    numbered: BTreeSet<(String, usize)>,
}

impl Styles {
    fn read(&mut self, xml: &str) -> Result<(), String> {
        let mut pieces = Pieces::of(xml);
        let mut list = String::new();
        while let Some(piece) = pieces.next()? {
            let Piece::Open(element) = piece else {
                continue;
            };
            let own = |name| element.attribute(name).unwrap_or_default();
            match element.name() {
                "body" => return Ok(()),
                "style" if own("family") == "paragraph" => {
                    self.parents.insert(own("name"), own("parent-style-name"));
                }
                "list-style" => list = own("name"),
                "list-level-style-number" if !own("num-format").is_empty() => {
                    let level = odf::number(&element, "level").unwrap_or(1);
                    self.numbered.insert((list.clone(), level));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns `true` for the style of the title, or one that was made of it directly.
    fn is_title(&self, style: &str) -> bool {
        style == "Title"
            || self
                .parents
                .get(style)
                .is_some_and(|parent| parent == "Title")
    }
}

/// A list that is open.
struct List {
    style: String,
    /// The number of its items so far.
    count: usize,
    /// `true` before the first paragraph of an item.
    is_fresh: bool,
}

/// A paragraph or heading that is open.
struct Paragraph {
    words: String,
    /// The level of a heading, from 1.
    heading: Option<usize>,
}

/// The body of a document as it is read.
struct Body<'a> {
    styles: &'a Styles,
    out: MarkdownWriter,
    /// The stack of open paragraphs: a text box has some inside of another.
    paragraphs: Vec<Paragraph>,
    lists: Vec<List>,
    /// The nesting depth of tables. The text of inner ones belongs to the outer cell.
    tables: usize,
    rows: Vec<Vec<String>>,
}

impl<'a> Body<'a> {
    fn new(styles: &'a Styles) -> Self {
        Self {
            styles,
            out: MarkdownWriter::default(),
            paragraphs: Vec::new(),
            lists: Vec::new(),
            tables: 0,
            rows: Vec::new(),
        }
    }

    fn read(&mut self, xml: &str) -> Result<(), Failure> {
        let mut pieces = Pieces::of(xml);
        while let Some(piece) = pieces.next()? {
            match piece {
                Piece::Open(element) if odf::is_skipped(&element) => pieces.skip()?,
                Piece::Open(element) => self.open(&element),
                Piece::Text(words) => self.add(&words),
                Piece::Entity(name) => self.add(&format!("&{name};")),
                Piece::Close(name) => self.close(&name),
            }
        }
        Ok(())
    }

    fn open(&mut self, element: &Element<'_>) {
        let own = |name| element.attribute(name).unwrap_or_default();
        match element.name() {
            "h" => self.begin(Some(odf::number(element, "outline-level").unwrap_or(1))),
            "p" => self.begin(self.styles.is_title(&own("style-name")).then_some(1)),
            "list" => {
                // An inner list without a style has that of the outer one.
                let style = element.attribute("style-name");
                let outer = || self.lists.last().map(|list| list.style.clone());
                self.lists.push(List {
                    style: style.or_else(outer).unwrap_or_default(),
                    count: 0,
                    is_fresh: false,
                });
            }
            "list-item" => {
                if let Some(list) = self.lists.last_mut() {
                    list.is_fresh = true;
                }
            }
            "table" => self.tables += 1,
            "table-row" if self.tables == 1 => self.rows.push(Vec::new()),
            "table-cell" | "covered-table-cell" if self.tables == 1 => {
                if let Some(row) = self.rows.last_mut() {
                    row.push(String::new());
                }
            }
            _ => {
                if let Some(space) = odf::space(element) {
                    self.add(&space);
                }
            }
        }
    }

    fn begin(&mut self, heading: Option<usize>) {
        self.paragraphs.push(Paragraph {
            words: String::new(),
            heading,
        });
    }

    fn add(&mut self, words: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.words.push_str(words);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "h" | "p" => {
                if let Some(paragraph) = self.paragraphs.pop() {
                    self.write(&paragraph);
                }
            }
            "list" => drop(self.lists.pop()),
            "table" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    self.out.table(&std::mem::take(&mut self.rows));
                }
            }
            _ => {}
        }
    }

    /// Writes a paragraph as cell, heading, item or paragraph.
    fn write(&mut self, paragraph: &Paragraph) {
        let words = paragraph.words.trim();
        if words.is_empty() {
            return;
        }
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) {
            cell.push(' ');
            cell.push_str(words);
            return;
        }
        if let Some(level) = paragraph.heading {
            return self.out.heading(level, words);
        }
        let depth = self.lists.len();
        let Some(list) = self.lists.last_mut().filter(|list| list.is_fresh) else {
            return self.out.paragraph(words);
        };
        list.is_fresh = false;
        list.count += 1;
        let is_numbered = self.styles.numbered.contains(&(list.style.clone(), depth));
        let mark = if is_numbered {
            format!("{}.", list.count)
        } else {
            "-".to_owned()
        };
        self.out.item(depth - 1, &mark, words);
    }
}

#[cfg(test)]
mod tests {
    use super::super::zip::tests::zipped;
    use super::*;

    const META: &str = "<m><meta:initial-creator>Ann B</meta:initial-creator><dc:creator>Bob\
        </dc:creator><dc:date>2020-05-06T01:02:03</dc:date><dc:language>en-GB</dc:language></m>";

    fn read(body: &str) -> Result<Document, ReadError> {
        let content = format!(
            "<office:document-content><office:automatic-styles>\
             <style:style style:name='P1' style:family='paragraph' \
             style:parent-style-name='Title'/>\
             <text:list-style style:name='L1'><text:list-level-style-number text:level='1' \
             style:num-format='1'/><text:list-level-style-bullet text:level='2'/></text:list-style>\
             </office:automatic-styles><office:body>{body}</office:body></office:document-content>"
        );
        let bytes = zipped(&[("meta.xml", META), ("content.xml", &content)]);
        super::read(&Input::of_bytes(&KIND, "my-text.odt", &bytes, 1_000_000))
    }

    #[test]
    fn headings_lists_and_tables_become_markdown() {
        let item =
            |words: &str| format!("<text:list-item><text:p>{words}</text:p></text:list-item>");
        let inner = format!("<text:list>{}</text:list>", item("inner"));
        let cell =
            |words: &str| format!("<table:table-cell><text:p>{words}</text:p></table:table-cell>");
        let document = read(&format!(
            "<text:p text:style-name='P1'>On heat</text:p>\
             <text:h text:outline-level='2'>Pumps</text:h>\
             <text:p>A<text:s text:c='3'/>pump<text:note><text:p>no</text:p></text:note> is \
             <text:span>quiet</text:span>.\
             <office:annotation><text:p>no</text:p></office:annotation></text:p>\
             <text:list text:style-name='L1'>{}<text:list-item><text:p>two</text:p>{inner}\
             </text:list-item></text:list><table:table><table:table-row>{}{}</table:table-row>\
             </table:table><draw:frame><svg:desc>no</svg:desc></draw:frame>",
            item("one"),
            cell("a"),
            cell("b"),
        ));
        let document = document.unwrap();
        assert_eq!(document.title, "On heat");
        assert_eq!(document.author.as_deref(), Some("Ann B"));
        assert_eq!(document.date.as_deref(), Some("2020-05-06"));
        assert_eq!(document.language.as_deref(), Some("en"));
        assert_eq!(
            document.text,
            "# On heat\n\n## Pumps\n\nA pump is quiet.\n\n1. one\n2. two\n    - inner\n\n\
             | a | b |\n| --- | --- |\n"
        );
    }

    #[test]
    fn damaged_and_hostile_texts_are_errors() {
        let bytes = zipped(&[("mimetype", "application/vnd.oasis.opendocument.text")]);
        assert_eq!(is_odt(&bytes), bytes[8] == 0);
        let input = Input::of_bytes(&KIND, "a.odt", &bytes, 1000);
        let error = super::read(&input).unwrap_err().to_string();
        assert!(error.contains("content.xml"), "{error}");
        for (body, problem) in [
            ("<text:p>", "broken"),
            (&"<text:list>".repeat(1000), "nests deeper"),
        ] {
            let error = read(body).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
        let bomb = format!(
            "<text:p>{}</text:p>",
            "<text:s text:c='99999999'/>x".repeat(1000)
        );
        assert!(read(&bomb).unwrap().text.len() < 10_000);
    }
}

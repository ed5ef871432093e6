//! `word/document.xml`: the blocks of a report as paragraphs and tables.

use super::super::markup::Markup;
use super::super::paper::{Block, Entry, Paper, Run};

/// The width of the text on A4 with margins of 25 mm, in twentieths of a point.
const WIDTH: usize = 9070;
const HEAD: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n",
    "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" ",
    "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><w:body>\n"
);

/// The page: A4, margins of 25 mm.
const END: &str = concat!(
    "<w:sectPr><w:footerReference w:type=\"default\" r:id=\"footer\"/>",
    "<w:pgSz w:w=\"11906\" w:h=\"16838\"/><w:pgMar w:top=\"1418\" w:right=\"1418\" ",
    "w:bottom=\"1418\" w:left=\"1418\" w:header=\"709\" w:footer=\"709\" w:gutter=\"0\"/>",
    "</w:sectPr></w:body></w:document>"
);

/// The id of the relationship of a link, counted from 0.
pub(super) fn link_id(number: usize) -> String {
    format!("link{}", number + 1)
}

/// The document, and the URLs that it links to in the order of their ids.
pub(super) fn document(paper: &Paper) -> (String, Vec<String>) {
    let mut writer = Writer::default();
    writer.xml.raw(HEAD);
    let line = |text: &str| [Run::plain(text)];
    writer.paragraph("Title", &line(&paper.title));
    for text in paper.subtitle.iter().chain([&paper.about]) {
        writer.paragraph("Subtitle", &line(text));
    }
    for block in &paper.blocks {
        writer.block(block);
    }
    writer.paragraph("Colophon", &line(&paper.colophon));
    writer.xml.raw(END);
    (writer.xml.finish(), writer.links)
}

#[derive(Default)]
struct Writer {
    xml: Markup,
    links: Vec<String>,
    /// The number of headings of level 1 so far, if contents lead to them.
    headings: Option<usize>,
}

/// The beginning of a field that a program fills with the headings of level 1, without the numbers
/// of their pages; until it does, the entries stand there that are written here.
const CONTENTS: &str = concat!(
    "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>",
    "<w:r><w:instrText xml:space=\"preserve\"> TOC \\o \"1-1\" \\n \\h \\z </w:instrText></w:r>",
    "<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>"
);
const CONTENTS_END: &str = "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";

impl Writer {
    fn block(&mut self, block: &Block) {
        match block {
            Block::Note { runs } => self.paragraph("Note", runs),
            Block::Contents { title, headings } => self.contents(title, headings),
            Block::Heading { level: 1, text } => self.heading(text),
            Block::Heading { text, .. } => self.paragraph("Heading2", &[Run::plain(text)]),
            Block::Paragraph { runs } => self.paragraph("Normal", runs),
            Block::Items { items } => {
                items
                    .iter()
                    .for_each(|runs| self.paragraph("ListBullet", runs));
            }
            Block::Sides { sides } => {
                self.table("SidesTable", &[50, 50], |writer| {
                    for both in sides.chunks(2) {
                        // A row has as many cells as the table has columns.
                        let both = [both[0].as_slice(), both.get(1).map_or(&[], Vec::as_slice)];
                        writer.row("<w:tr><w:trPr><w:cantSplit/></w:trPr>", &both, &[50, 50]);
                    }
                });
            }
            Block::Table { widths, head, rows } => self.table("ReportTable", widths, |writer| {
                let head: Vec<[Run; 1]> = head.iter().map(|name| [Run::plain(name)]).collect();
                // Repeated on each page that the table goes on.
                let start = "<w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>";
                writer.row(start, &head, widths);
                for row in rows {
                    writer.row("<w:tr><w:trPr><w:cantSplit/></w:trPr>", row, widths);
                }
            }),
            Block::References { numbered, entries } => {
                entries
                    .iter()
                    .for_each(|entry| self.reference(entry, *numbered));
            }
        }
    }

    /// A heading of level 1, with a bookmark to which the contents lead.
    fn heading(&mut self, text: &str) {
        let Some(number) = self.headings else {
            return self.paragraph("Heading1", &[Run::plain(text)]);
        };
        self.headings = Some(number + 1);
        // Ids are unique among all bookmarks: references count from 1.
        let (id, name) = (format!("9{number:04}"), part(number));
        self.xml
            .raw("<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr>");
        let attributes = [("w:id", id.as_str()), ("w:name", &name)];
        self.xml.element("w:bookmarkStart", &attributes, "");
        self.run(&Run::plain(text));
        self.xml.element("w:bookmarkEnd", &[("w:id", &id)], "");
        self.xml.raw("</w:p>\n");
    }

    fn contents(&mut self, title: &str, headings: &[String]) {
        self.headings = Some(1);
        self.paragraph("ContentsTitle", &[Run::plain(title)]);
        for (index, text) in headings.iter().enumerate() {
            self.xml
                .raw("<w:p><w:pPr><w:pStyle w:val=\"TOC1\"/></w:pPr>");
            self.xml.raw(if index == 0 { CONTENTS } else { "" });
            let anchor = part(index + 1);
            let attributes = [("w:anchor", anchor.as_str()), ("w:history", "1")];
            self.xml.open("w:hyperlink", &attributes);
            self.styled(&Run::plain(text), None);
            self.xml.close("w:hyperlink");
            let is_last = index + 1 == headings.len();
            self.xml.raw(if is_last { CONTENTS_END } else { "" });
            self.xml.raw("</w:p>\n");
        }
    }

    fn paragraph(&mut self, style: &'static str, runs: &[Run]) {
        self.xml.raw("<w:p><w:pPr>");
        self.xml.element("w:pStyle", &[("w:val", style)], "");
        self.xml.raw("</w:pPr>");
        runs.iter().for_each(|run| self.run(run));
        self.xml.raw("</w:p>\n");
    }

    /// An entry of the references, with a bookmark to which its marks lead.
    fn reference(&mut self, entry: &Entry, is_numbered: bool) {
        self.xml
            .raw("<w:p><w:pPr><w:pStyle w:val=\"Bibliography\"/>");
        if is_numbered {
            self.xml
                .raw("<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"2\"/></w:numPr>");
        }
        self.xml.raw("</w:pPr>");
        let (id, name) = (entry.number.to_string(), bookmark(entry.number));
        let attributes = [("w:id", id.as_str()), ("w:name", &name)];
        self.xml.element("w:bookmarkStart", &attributes, "");
        entry.runs.iter().for_each(|run| self.run(run));
        self.xml.element("w:bookmarkEnd", &[("w:id", &id)], "");
        self.xml.raw("</w:p>\n");
    }

    fn run(&mut self, run: &Run) {
        if let Some(number) = run.reference {
            let anchor = bookmark(number);
            let attributes = [("w:anchor", anchor.as_str()), ("w:history", "1")];
            self.xml.open("w:hyperlink", &attributes);
            self.styled(run, Some("CitationMark"));
            self.xml.close("w:hyperlink");
        } else if let Some(url) = &run.url {
            let number = self.links.iter().position(|own| own == url);
            let number = number.unwrap_or_else(|| {
                self.links.push(url.clone());
                self.links.len() - 1
            });
            let id = link_id(number);
            self.xml
                .open("w:hyperlink", &[("r:id", &id), ("w:history", "1")]);
            self.styled(run, Some("Hyperlink"));
            self.xml.close("w:hyperlink");
        } else {
            self.styled(run, run.code.then_some("Code"));
        }
    }

    /// The properties stand in the order of the schema, which Word insists on.
    fn styled(&mut self, run: &Run, style: Option<&'static str>) {
        self.xml.raw("<w:r><w:rPr>");
        if let Some(style) = style {
            self.xml.element("w:rStyle", &[("w:val", style)], "");
        }
        for (applies, property) in [
            (run.bold, "<w:b/>"),
            (run.italic, "<w:i/>"),
            (run.superscript, "<w:vertAlign w:val=\"superscript\"/>"),
        ] {
            self.xml.raw(if applies { property } else { "" });
        }
        self.xml.raw("</w:rPr>");
        self.xml.raw(if run.is_break { "<w:br/>" } else { "" });
        self.xml
            .element("w:t", &[("xml:space", "preserve")], &run.text);
        self.xml.raw("</w:r>");
    }

    fn table(&mut self, style: &'static str, columns: &[usize], rows: impl FnOnce(&mut Self)) {
        self.xml.raw("<w:tbl><w:tblPr>");
        self.xml.element("w:tblStyle", &[("w:val", style)], "");
        self.xml.raw(
            "<w:tblW w:w=\"5000\" w:type=\"pct\"/><w:tblLayout w:type=\"fixed\"/>\
             <w:tblLook w:val=\"0020\" w:firstRow=\"1\"/></w:tblPr><w:tblGrid>",
        );
        for column in columns {
            self.xml
                .element("w:gridCol", &[("w:w", &width(*column))], "");
        }
        self.xml.raw("</w:tblGrid>\n");
        rows(self);
        self.xml.raw("</w:tbl>\n");
        // Without a paragraph between them, two tables become one.
        self.paragraph("TableGap", &[]);
    }

    fn row<R: AsRef<[Run]>>(&mut self, start: &'static str, cells: &[R], columns: &[usize]) {
        self.xml.raw(start);
        for (cell, column) in cells.iter().zip(columns) {
            self.xml.raw("<w:tc><w:tcPr>");
            let attributes = [("w:w", width(*column)), ("w:type", "dxa".to_owned())];
            let attributes = attributes
                .each_ref()
                .map(|(name, value)| (*name, value.as_str()));
            self.xml.element("w:tcW", &attributes, "");
            self.xml.raw("</w:tcPr>");
            self.paragraph("TableText", cell.as_ref());
            self.xml.raw("</w:tc>");
        }
        self.xml.raw("</w:tr>\n");
    }
}

/// The name of the bookmark of a heading, by its number.
fn part(number: usize) -> String {
    format!("part_{number}")
}

fn bookmark(number: usize) -> String {
    format!("reference_{number}")
}

fn width(hundredths: usize) -> String {
    (WIDTH * hundredths / 100).to_string()
}

//! PPTX (Office Open XML, PresentationML): a heading for each slide, its text as items, its notes
//! as paragraphs. Hidden slides, slide numbers, headers and footers are left out.

use super::opc::{self, Properties};
use super::zip::Archive;
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;
use crate::read::failure::Failure;
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::xml::{Element, Piece, Pieces};
use crate::read::{charset, metadata};
use crate::text;

/// The main part, where no relationship names another one.
const MAIN_PART: &str = "ppt/presentation.xml";

/// The deepest level of a paragraph on a slide (ECMA-376, 21.1.2.2.7).
const MAX_LEVEL: usize = 8;

/// Elements that are skipped with their content: fallbacks of drawings for old programs, fields
/// such as the slide number, and names and descriptions of pictures.
const SKIPPED: &[&str] = &["Fallback", "fld", "extLst"];

/// PPTX (Office Open XML): the clean text is the slides as Markdown.
pub static KIND: SourceKind = SourceKind {
    name: "pptx",
    label: "PPTX",
    extensions: &["pptx"],
    shared_extensions: &[],
    media_types: &["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
    signature: Signature::Magic(is_pptx),
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "save it again in a presentation program, or as PDF",
    read,
};

/// Returns `true` for a package with the parts of a presentation.
fn is_pptx(bytes: &[u8]) -> bool {
    opc::is_package(bytes, "ppt/")
}

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let (about, text) = extract(&input.bytes()?).map_err(|failure| input.failure(failure))?;
    let text = charset::normalise(&text);
    // What programs call a presentation of which nobody thought of a title.
    let title = about
        .title
        .filter(|title| title != "PowerPoint Presentation");
    let title = title.or_else(|| text::first_heading(&text));
    let title = title.unwrap_or_else(|| metadata::name_as_title(input.path));
    Ok(Document {
        author: about.author,
        date: about.date.filter(|date| metadata::fits_title(date, &title)),
        language: about.language.as_deref().and_then(metadata::language_code),
        ..input.document(title, text)
    })
}

fn extract(bytes: &[u8]) -> Result<(Properties, String), Failure> {
    let mut archive = Archive::open(bytes)?;
    let main = opc::main_part(&mut archive, MAIN_PART)?;
    let xml = archive
        .text(&main)?
        .ok_or_else(|| format!("its part {main:?} with the slides is missing"))?;
    let about = opc::core_properties(&mut archive)?;
    let parts = opc::relationships(&mut archive, &main)?;
    let mut out = MarkdownWriter::default();
    for (number, id) in slide_ids(&xml)?.iter().enumerate() {
        let Some(part) = parts.get(id).map(|one| &one.target) else {
            continue;
        };
        if let Some(slide) = Slide::of(&mut archive, part)? {
            slide.write(number + 1, &mut out);
        }
    }
    Ok((about, out.finish()))
}

/// The relationships of the slides in their order.
fn slide_ids(xml: &str) -> Result<Vec<String>, String> {
    let mut pieces = Pieces::of(xml);
    let mut ids = Vec::new();
    while let Some(piece) = pieces.next()? {
        if let Piece::Open(element) = piece
            && element.name() == "sldId"
        {
            // Two attributes are called `id`; that of the relationship comes last.
            let own = element.attributes().filter(|(name, _)| *name == "id");
            ids.extend(own.map(|(_, id)| id).last());
        }
    }
    Ok(ids)
}

/// The text of a slide.
#[derive(Default)]
struct Slide {
    title: String,
    body: Vec<Block>,
    notes: Vec<String>,
}

/// A block of a slide.
enum Block {
    /// A paragraph at a level from 0.
    Item(usize, String),
    Table(Vec<Vec<String>>),
}

impl Slide {
    /// Reads a slide and its notes; none for a hidden one.
    fn of(archive: &mut Archive<'_>, part: &str) -> Result<Option<Self>, Failure> {
        let mut slide = Self::default();
        let Some(xml) = archive.text(part)? else {
            return Ok(None);
        };
        let mut shapes = Shapes::default();
        shapes.read(&xml)?;
        if shapes.is_hidden {
            return Ok(None);
        }
        slide.title = shapes.title;
        slide.body = shapes.body;
        let mut related = opc::relationships(archive, part)?.into_values();
        let notes = related.find(|one| one.kind == "notesSlide");
        if let Some(notes) = notes
            && let Some(xml) = archive.text(&notes.target)?
        {
            let mut shapes = Shapes::default();
            shapes.read(&xml)?;
            slide.notes = shapes.body.into_iter().filter_map(Block::words).collect();
        }
        Ok(Some(slide))
    }

    fn write(self, number: usize, out: &mut MarkdownWriter) {
        if self.title.trim().is_empty() {
            out.heading(1, &format!("Slide {number}"));
        } else {
            out.heading(1, &self.title);
        }
        for block in &self.body {
            match block {
                Block::Item(level, words) => out.item(*level, "-", words),
                Block::Table(rows) => out.table(rows),
            }
        }
        for words in &self.notes {
            out.paragraph(words);
        }
    }
}

impl Block {
    fn words(self) -> Option<String> {
        match self {
            Self::Item(_, words) => Some(words),
            Self::Table(_) => None,
        }
    }
}

/// The shapes of a slide or of its notes as they are read.
#[derive(Default)]
struct Shapes {
    title: String,
    body: Vec<Block>,
    /// The role of the current shape: the type of its placeholder.
    role: String,
    /// The words and the level of the current paragraph.
    paragraph: Option<(String, usize)>,
    rows: Vec<Vec<String>>,
    is_hidden: bool,
}

impl Shapes {
    fn read(&mut self, xml: &str) -> Result<(), String> {
        let mut pieces = Pieces::of(xml);
        while let Some(piece) = pieces.next()? {
            match piece {
                Piece::Open(element) if SKIPPED.contains(&element.name()) => pieces.skip()?,
                Piece::Open(element) => self.open(&element, pieces.around(1)),
                Piece::Text(words) if pieces.around(0) == "t" => self.add(&words),
                Piece::Entity(name) if pieces.around(0) == "t" => self.add(&format!("&{name};")),
                Piece::Close(name) => self.close(&name),
                Piece::Text(_) | Piece::Entity(_) => {}
            }
        }
        Ok(())
    }

    fn open(&mut self, element: &Element<'_>, around: &str) {
        match (element.name(), around) {
            ("sld", _) => self.is_hidden = element.attribute("show").is_some_and(|it| it == "0"),
            ("sp" | "graphicFrame", _) => self.role.clear(),
            ("ph", "nvPr") => self.role = element.attribute("type").unwrap_or_default(),
            ("tr", "tbl") => self.rows.push(Vec::new()),
            ("tc", "tr") => {
                if let Some(row) = self.rows.last_mut() {
                    row.push(String::new());
                }
            }
            ("p", "txBody") => self.paragraph = Some((String::new(), 0)),
            ("pPr", "p") => {
                let level = element
                    .attribute("lvl")
                    .and_then(|level| level.parse().ok());
                if let Some((_, own)) = &mut self.paragraph {
                    *own = level.unwrap_or(0).min(MAX_LEVEL);
                }
            }
            ("br" | "tab", _) => self.add(" "),
            _ => {}
        }
    }

    fn add(&mut self, words: &str) {
        if let Some((paragraph, _)) = &mut self.paragraph {
            paragraph.push_str(words);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" => {
                if let Some((words, level)) = self.paragraph.take()
                    && !words.trim().is_empty()
                {
                    self.end_paragraph(words, level);
                }
            }
            "tbl" => {
                let rows = std::mem::take(&mut self.rows);
                self.body.push(Block::Table(rows));
            }
            _ => {}
        }
    }

    fn end_paragraph(&mut self, words: String, level: usize) {
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) {
            cell.push_str(&words);
            cell.push(' ');
            return;
        }
        match self.role.as_str() {
            "title" | "ctrTitle" => {
                self.title.push_str(&words);
                self.title.push(' ');
            }
            // The date, the footer, the header and the number of the slide; its picture in notes.
            "dt" | "ftr" | "hdr" | "sldNum" | "sldImg" => {}
            _ => self.body.push(Block::Item(level, words)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::zip::tests::zipped;
    use super::*;

    fn paragraph(level: usize, words: &str) -> String {
        format!("<a:p><a:pPr lvl='{level}'/><a:r><a:t>{words}</a:t></a:r></a:p>")
    }

    fn shape(role: &str, paragraphs: &str) -> String {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr><p:ph type='{role}'/></p:nvPr></p:nvSpPr>\
             <p:txBody>{paragraphs}</p:txBody></p:sp>"
        )
    }

    fn read(slides: [&str; 2]) -> Result<Document, ReadError> {
        let slides = slides.map(|shapes| format!("<p:sld><p:cSld>{shapes}</p:cSld></p:sld>"));
        let notes = [
            shape("sldImg", ""),
            shape("body", &paragraph(0, "Say it.")),
            shape("sldNum", &paragraph(0, "1")),
        ];
        let notes = format!("<p:notes>{}</p:notes>", notes.concat());
        let bytes = zipped(&[
            (
                "ppt/presentation.xml",
                "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='r2'/><p:sldId id='257' \
                 r:id='r1'/><p:sldId id='9' r:id='r9'/></p:sldIdLst></p:presentation>",
            ),
            (
                "ppt/_rels/presentation.xml.rels",
                "<Relationships><Relationship Id='r1' Type='x/slide' Target='slides/s1.xml'/>\
                 <Relationship Id='r2' Type='x/slide' Target='slides/s2.xml'/></Relationships>",
            ),
            (
                "ppt/slides/_rels/s1.xml.rels",
                "<Relationships><Relationship Id='r1' Type='x/notesSlide' \
                 Target='../notesSlides/n1.xml'/></Relationships>",
            ),
            ("ppt/notesSlides/n1.xml", &notes),
            ("ppt/slides/s1.xml", &slides[0]),
            ("ppt/slides/s2.xml", &slides[1]),
        ]);
        super::read(&Input::of_bytes(&KIND, "my-talk.pptx", &bytes, 1_000_000))
    }

    #[test]
    fn slides_become_headings_items_tables_and_notes() {
        let body = [
            paragraph(0, "Pumps are"),
            paragraph(1, "quiet &amp; small."),
        ]
        .concat();
        let cell = |words| format!("<a:tc><a:txBody>{}</a:txBody></a:tc>", paragraph(0, words));
        let table = format!(
            "<p:graphicFrame><a:tbl><a:tr>{}{}</a:tr></a:tbl></p:graphicFrame>",
            cell("a"),
            cell("b")
        );
        let one = [
            shape("body", &body),
            shape("title", &paragraph(0, "Heat")),
            shape("sldNum", &paragraph(0, "2")),
            table,
        ];
        let document = read([&one.concat(), &shape("", &paragraph(0, "First."))]).unwrap();
        assert_eq!(document.title, "Slide 1");
        assert_eq!(
            document.text,
            "# Slide 1\n\n- First.\n\n# Heat\n\n- Pumps are\n    - quiet & small.\n\n\
             | a | b |\n| --- | --- |\n\nSay it.\n"
        );
    }

    #[test]
    fn damaged_presentations_are_errors() {
        let bytes = zipped(&[("ppt/x", "")]);
        let input = Input::of_bytes(&KIND, "a.pptx", &bytes, 1000);
        let error = super::read(&input).unwrap_err().to_string();
        assert!(error.contains("ppt/presentation.xml"), "{error}");
        let error = read([&"<a>".repeat(1000), ""]).unwrap_err().to_string();
        assert!(error.contains("nests deeper"), "{error}");
    }
}

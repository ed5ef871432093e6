//! XLSX (Office Open XML, SpreadsheetML): a heading for each sheet, and its rows as records. Values
//! are those that the cells show; formulas, hidden sheets and errors such as `#N/A` are left out.

use std::rc::Rc;

use super::formats::Format;
use super::opc::{self, Properties};
use super::zip::Archive;
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;
use crate::read::failure::Failure;
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::records::rows::{MAX_COLUMNS, Row, RowWriter};
use crate::read::xml::{Element, Piece, Pieces};
use crate::read::{charset, metadata};

/// The main part, where no relationship names another one.
const MAIN_PART: &str = "xl/workbook.xml";

/// Elements that are skipped with their content: formulas, and readings of East Asian words.
const SKIPPED: &[&str] = &["f", "rPh", "extLst"];

/// XLSX (Office Open XML): the clean text is the rows of the sheets as records.
pub static KIND: SourceKind = SourceKind {
    name: "xlsx",
    label: "XLSX",
    extensions: &["xlsx", "xlsm"],
    shared_extensions: &[],
    media_types: &["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    signature: Signature::Magic(is_xlsx),
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "save it again in a spreadsheet program, or as CSV",
    read,
};

/// Returns `true` for a package with the parts of a workbook.
fn is_xlsx(bytes: &[u8]) -> bool {
    opc::is_package(bytes, "xl/")
}

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let (about, text) = extract(&input.bytes()?).map_err(|failure| input.failure(failure))?;
    // The names of sheets say little of the whole.
    let title = about.title;
    let title = title.unwrap_or_else(|| metadata::name_as_title(input.path));
    Ok(Document {
        author: about.author,
        date: about.date.filter(|date| metadata::fits_title(date, &title)),
        language: about.language.as_deref().and_then(metadata::language_code),
        ..input.document(title, charset::normalise(&text))
    })
}

fn extract(bytes: &[u8]) -> Result<(Properties, String), Failure> {
    let mut archive = Archive::open(bytes)?;
    let main = opc::main_part(&mut archive, MAIN_PART)?;
    let xml = archive
        .text(&main)?
        .ok_or_else(|| format!("its part {main:?} with the sheets is missing"))?;
    let about = opc::core_properties(&mut archive)?;
    let parts = opc::relationships(&mut archive, &main)?;
    let mut book = Workbook::of(&xml)?;
    for part in parts.values() {
        match part.kind.as_str() {
            "sharedStrings" => {
                book.read_strings(&archive.text(&part.target)?.unwrap_or_default())?
            }
            "styles" => book.read_styles(&archive.text(&part.target)?.unwrap_or_default())?,
            _ => {}
        }
    }
    let mut out = MarkdownWriter::default();
    for (name, id) in &book.sheets {
        // Charts and macros have sheets of other kinds.
        let part = parts.get(id).filter(|part| part.kind == "worksheet");
        let Some(part) = part else { continue };
        if let Some(xml) = archive.text(&part.target)? {
            let mut table = RowWriter::new(&mut out, name);
            book.read_sheet(&xml, |row| table.push(row))?;
            table.finish();
        }
    }
    Ok((about, out.finish()))
}

/// What the sheets of a workbook share.
#[derive(Default)]
struct Workbook {
    /// The names and the relationships of the sheets that are shown.
    sheets: Vec<(String, String)>,
    is_from_1904: bool,
    strings: Vec<Rc<str>>,
    /// The formats of cells, by the number of their style.
    formats: Vec<Rc<Format>>,
}

impl Workbook {
    fn of(xml: &str) -> Result<Self, String> {
        let mut book = Self::default();
        let mut pieces = Pieces::of(xml);
        while let Some(piece) = pieces.next()? {
            let Piece::Open(element) = piece else {
                continue;
            };
            let own = |name| element.attribute(name).unwrap_or_default();
            match element.name() {
                "workbookPr" => {
                    book.is_from_1904 = matches!(own("date1904").as_str(), "1" | "true");
                }
                "sheet" if !own("state").to_lowercase().contains("hidden") => {
                    book.sheets.push((own("name"), own("id")));
                }
                _ => {}
            }
        }
        Ok(book)
    }

    /// Reads the strings that cells refer to by number.
    fn read_strings(&mut self, xml: &str) -> Result<(), String> {
        let mut pieces = Pieces::of(xml);
        let mut text = String::new();
        while let Some(piece) = pieces.next()? {
            match piece {
                Piece::Open(element) if SKIPPED.contains(&element.name()) => pieces.skip()?,
                Piece::Text(words) if pieces.around(0) == "t" => text.push_str(&words),
                Piece::Close(name) if name == "si" => {
                    self.strings.push(std::mem::take(&mut text).into());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the number formats of the styles of cells.
    fn read_styles(&mut self, xml: &str) -> Result<(), String> {
        let mut pieces = Pieces::of(xml);
        let mut own = std::collections::HashMap::new();
        while let Some(piece) = pieces.next()? {
            let Piece::Open(element) = piece else {
                continue;
            };
            let id = element.attribute("numFmtId");
            let id: usize = id.and_then(|id| id.parse().ok()).unwrap_or_default();
            match (element.name(), pieces.around(1)) {
                ("numFmt", "numFmts") => {
                    let code = element.attribute("formatCode").unwrap_or_default();
                    own.insert(id, Rc::new(Format::parsed(&code)));
                }
                ("xf", "cellXfs") => {
                    let built_in = || Rc::new(Format::built_in(id));
                    self.formats
                        .push(own.get(&id).map_or_else(built_in, Rc::clone));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Hands on the rows of a sheet.
    fn read_sheet(&self, xml: &str, mut push: impl FnMut(Row)) -> Result<(), String> {
        let mut pieces = Pieces::of(xml);
        let (mut row, mut cell) = (Row::new(), Cell::default());
        while let Some(piece) = pieces.next()? {
            match piece {
                Piece::Open(element) if SKIPPED.contains(&element.name()) => pieces.skip()?,
                Piece::Open(element) if element.name() == "c" => cell.begin(&element),
                Piece::Text(text) if matches!(pieces.around(0), "v" | "t") => cell.text += &text,
                Piece::Close(name) if name == "c" => {
                    let text = self.shown(&cell);
                    if cell.column < MAX_COLUMNS && !text.is_empty() {
                        row.push((cell.column, text));
                    }
                    cell.column += 1;
                }
                Piece::Close(name) if name == "row" => {
                    push(std::mem::take(&mut row));
                    cell.column = 0;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The text that a cell shows.
    fn shown(&self, cell: &Cell) -> String {
        let text = cell.text.trim();
        match cell.kind.as_str() {
            "s" => {
                let number = text.parse::<usize>().ok();
                let string = number.and_then(|number| self.strings.get(number));
                string.map_or_else(String::new, |string| string.to_string())
            }
            "b" => (if text == "1" { "TRUE" } else { "FALSE" }).to_owned(),
            "e" => String::new(),
            "str" | "inlineStr" | "d" => text.to_owned(),
            _ => match (text.parse(), self.formats.get(cell.style)) {
                (Ok(number), Some(format)) => format.shown(number, self.is_from_1904),
                (Ok(number), None) => Format::General.shown(number, self.is_from_1904),
                (Err(_), _) => text.to_owned(),
            },
        }
    }
}

/// A cell that is being read.
#[derive(Default)]
struct Cell {
    /// Its column, from 0; that after the last one where it does not say.
    column: usize,
    /// The type of its value.
    kind: String,
    style: usize,
    text: String,
}

impl Cell {
    fn begin(&mut self, element: &Element<'_>) {
        let reference = element.attribute("r");
        self.column = reference
            .and_then(|reference| column(&reference))
            .unwrap_or(self.column);
        self.kind = element.attribute("t").unwrap_or_default();
        let style = element.attribute("s").and_then(|style| style.parse().ok());
        self.style = style.unwrap_or_default();
        self.text.clear();
    }
}

/// The column, from 0, of a reference such as `AB12`.
fn column(reference: &str) -> Option<usize> {
    let letters = reference.bytes().take_while(u8::is_ascii_uppercase);
    // Three letters are enough for the last column, `XFD`.
    let number = letters.take(4).fold(0, |number, letter| {
        number * 26 + usize::from(letter - b'A') + 1
    });
    number.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::super::zip::tests::zipped;
    use super::*;

    const STYLES: &str = "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='0.00\" €\"'/>\
        </numFmts><cellStyleXfs><xf numFmtId='9'/></cellStyleXfs><cellXfs><xf numFmtId='0'/>\
        <xf numFmtId='14'/><xf numFmtId='164'/></cellXfs></styleSheet>";

    const STRINGS: &str = "<sst><si><t>model</t></si><si><r><t>X</t></r><r><t>2</t></r>\
        <rPh><t>no</t></rPh></si></sst>";

    fn read(sheet: &str) -> Result<Document, ReadError> {
        let relation = |id: &str, kind: &str, target: &str| {
            format!("<Relationship Id='{id}' Type='x/{kind}' Target='{target}'/>")
        };
        let relations = [
            relation("r1", "worksheet", "sheets/s1.xml"),
            relation("r2", "worksheet", "/xl/sheets/s1.xml"),
            relation("r3", "styles", "styles.xml"),
            relation("r4", "sharedStrings", "sharedStrings.xml"),
        ];
        let relations = format!("<Relationships>{}</Relationships>", relations.concat());
        let sheet = format!("<worksheet><sheetData>{sheet}</sheetData></worksheet>");
        let bytes = zipped(&[
            (
                "xl/workbook.xml",
                "<workbook><sheets><sheet name='Pumps' r:id='r1'/><sheet name='Secret' \
                 state='veryHidden' r:id='r2'/></sheets></workbook>",
            ),
            ("xl/_rels/workbook.xml.rels", &relations),
            ("xl/styles.xml", STYLES),
            ("xl/sharedStrings.xml", STRINGS),
            ("xl/sheets/s1.xml", &sheet),
        ]);
        super::read(&Input::of_bytes(
            &KIND,
            "price-list.xlsx",
            &bytes,
            1_000_000,
        ))
    }

    #[test]
    fn rows_become_records_with_the_values_that_are_shown() {
        let document = read(
            "<row><c r='A1' t='inlineStr'><is><t>Prices of 2020</t></is></c></row>\
             <row><c r='A2' t='s'><v>0</v></c><c r='C2' t='str'><v>price</v></c>\
             <c t='str'><v>since</v></c><c t='str'><v>left</v></c></row>\
             <row><c r='A3' t='s'><v>1</v></c><c r='B3' t='e'><v>#N/A</v></c>\
             <c r='C3' s='2'><f>1+2</f><v>300</v></c><c s='1'><v>43957</v></c>\
             <c><v>0.30000000000000004</v></c><c t='b'><v>1</v></c></row>\
             <row><c r='A4' t='s'><v>99</v></c><c r='C4'><v>5</v></c></row>",
        );
        let document = document.unwrap();
        assert_eq!(document.title, "Price list");
        assert_eq!(
            document.text,
            "# Pumps\n\n## Prices of 2020\n\n- Model: X2; price: 300.00 €; since: 2020-05-06; \
             left: 0.3; column 6: TRUE.\n- Price: 5.\n"
        );
    }

    #[test]
    fn hostile_sheets_are_read_or_refused() {
        let far = "<row><c r='XFD1'><v>1</v></c><c r='ZZZZ1'><v>2</v></c></row>".repeat(100);
        let text = read(&far).unwrap().text;
        assert!(text.starts_with("# Pumps\n\n- 1\n- 1\n"), "{text}");
        for (sheet, problem) in [("<row>", "broken"), (&"<c>".repeat(1000), "nests deeper")] {
            let error = read(sheet).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
        let empty = read("").unwrap().text;
        assert_eq!(empty, "");
        assert_eq!(
            ["A1", "Z1", "AA3", "XFD1", "1"].map(column),
            [Some(0), Some(25), Some(26), Some(16_383), None]
        );
    }
}

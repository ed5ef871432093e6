//! ODS (OpenDocument spreadsheets): a heading for each sheet, and its rows as records. Values are
//! those that the cells show.

use super::odf;
use super::opc::Properties;
use super::zip::Archive;
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;
use crate::read::failure::Failure;
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::records::rows::{MAX_COLUMNS, Row, RowWriter};
use crate::read::xml::{Element, Piece, Pieces};
use crate::read::{charset, metadata};

/// ODS (OpenDocument): the clean text is the rows of the sheets as records.
pub static KIND: SourceKind = SourceKind {
    name: "ods",
    label: "ODS",
    extensions: &["ods"],
    shared_extensions: &[],
    media_types: &["application/vnd.oasis.opendocument.spreadsheet"],
    signature: Signature::Magic(is_ods),
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "save it again in a spreadsheet program, or as CSV",
    read,
};

fn is_ods(bytes: &[u8]) -> bool {
    odf::is_document(bytes, "spreadsheet")
}

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let (about, text) = extract(&input.bytes()?).map_err(|failure| input.failure(failure))?;
    let title = about.title;
    let title = title.unwrap_or_else(|| metadata::name_as_title(input.path));
    Ok(Document {
        author: about.author,
        date: about.date.filter(|date| metadata::fits_title(date, &title)),
        language: about.language,
        ..input.document(title, charset::normalise(&text))
    })
}

fn extract(bytes: &[u8]) -> Result<(Properties, String), Failure> {
    let mut archive = Archive::open(bytes)?;
    let about = odf::properties(&mut archive)?;
    let xml = odf::content(&mut archive)?;
    let mut out = MarkdownWriter::default();
    let mut pieces = Pieces::of(&xml);
    while let Some(piece) = pieces.next()? {
        if let Piece::Open(element) = piece
            && element.name() == "table"
        {
            let name = element.attribute("name").unwrap_or_default();
            let mut table = RowWriter::new(&mut out, &name);
            Sheet::default().read(&mut pieces, |row| table.push(row))?;
            table.finish();
        }
    }
    Ok((about, out.finish()))
}

/// The maximum number of times that a repeated row or cell is written: a sheet can repeat one up to
/// its end, which says nothing more, and 400 bytes would become as much text as memory holds.
const MAX_REPETITIONS: usize = 100;

/// A sheet as it is read.
#[derive(Default)]
struct Sheet {
    row: Row,
    /// The number of times that the row occurs.
    rows: usize,
    /// The next column, from 0.
    column: usize,
    /// The number of cells that the current one stands for.
    cells: usize,
    text: String,
}

impl Sheet {
    /// Hands on the rows up to the end of the sheet.
    fn read(mut self, pieces: &mut Pieces<'_>, mut push: impl FnMut(Row)) -> Result<(), Failure> {
        while let Some(piece) = pieces.next()? {
            match piece {
                Piece::Open(element) if odf::is_skipped(&element) => pieces.skip()?,
                Piece::Open(element) => self.open(&element),
                Piece::Text(words) if self.cells > 0 => self.text += &words,
                Piece::Entity(name) if self.cells > 0 => self.text += &format!("&{name};"),
                Piece::Text(_) | Piece::Entity(_) => {}
                Piece::Close(name) => match name.as_str() {
                    "p" => self.text.push(' '),
                    "table-cell" | "covered-table-cell" => self.end_cell(),
                    "table-row" => {
                        let row = std::mem::take(&mut self.row);
                        // The rows down to the end of a sheet are one that is repeated and empty.
                        let times = if row.is_empty() { 0 } else { self.rows };
                        let times = times.min(MAX_REPETITIONS);
                        (0..times).for_each(|_| push(row.clone()));
                    }
                    "table" => return Ok(()),
                    _ => {}
                },
            }
        }
        Ok(())
    }

    fn open(&mut self, element: &Element<'_>) {
        match element.name() {
            "table-row" => {
                self.rows = odf::number(element, "number-rows-repeated").unwrap_or(1);
                self.column = 0;
            }
            "table-cell" | "covered-table-cell" => {
                self.cells = odf::number(element, "number-columns-repeated").unwrap_or(1);
                self.text.clear();
            }
            _ => {
                if let Some(space) = odf::space(element) {
                    self.text += &space;
                }
            }
        }
    }

    fn end_cell(&mut self) {
        let text = self.text.trim();
        let cells = std::mem::take(&mut self.cells);
        let end = self.column.saturating_add(cells).min(MAX_COLUMNS);
        if !text.is_empty() {
            for column in (self.column..end).take(MAX_REPETITIONS) {
                self.row.push((column, text.to_owned()));
            }
        }
        self.column = end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::zip::tests::zipped;
    use super::*;

    fn read(sheets: &str) -> Result<Document, ReadError> {
        let content =
            format!("<office:body><office:spreadsheet>{sheets}</office:spreadsheet></office:body>");
        let bytes = zipped(&[("content.xml", &content)]);
        super::read(&Input::of_bytes(&KIND, "price-list.ods", &bytes, 1_000_000))
    }

    fn cell(attributes: &str, words: &str) -> String {
        format!("<table:table-cell {attributes}><text:p>{words}</text:p></table:table-cell>")
    }

    #[test]
    fn rows_become_records_with_the_values_that_are_shown() {
        let head = [cell("", "model"), cell("", "price"), cell("", "weight")].concat();
        let row = [
            cell("", "X<text:s/>2"),
            cell(
                "table:number-columns-repeated='2' office:value='3'",
                "3.00 €",
            ),
            "<table:table-cell table:number-columns-repeated='16000'/>".to_owned(),
        ];
        let document = read(&format!(
            "<table:table table:name='Pumps'><table:table-row>{head}</table:table-row>\
             <table:table-row table:number-rows-repeated='2'>{}</table:table-row>\
             <table:table-row table:number-rows-repeated='1048000'><table:table-cell/>\
             </table:table-row></table:table><table:table table:name='Empty'/>",
            row.concat()
        ));
        let document = document.unwrap();
        assert_eq!(document.title, "Price list");
        let item = "- Model: X 2; price: 3.00 €; weight: 3.00 €.\n";
        assert_eq!(document.text, format!("# Pumps\n\n{item}{item}"));
    }

    #[test]
    fn a_row_that_is_repeated_without_end_is_written_some_times() {
        let row = "<table:table-row table:number-rows-repeated='18446744073709551615'>";
        let document = read(&format!(
            "<table:table table:name='T'><table:table-row>{}</table:table-row>{row}{}\
             </table:table-row></table:table>",
            cell("", "name"),
            cell("", "x")
        ));
        let text = document.unwrap().text;
        assert_eq!(text.matches("- x\n").count(), MAX_REPETITIONS, "{text}");
    }
}

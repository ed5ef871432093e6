//! CSV and TSV: each row as a record, whose fields are named by the header row. The delimiter is
//! found by trying: comma, semicolon, tab or bar.

use csv::{ReaderBuilder, StringRecord};

use super::rows::{MAX_COLUMNS, Row, RowWriter};
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::metadata;

/// The delimiters that are tried, the likeliest first.
const DELIMITERS: &[u8] = b",;\t|";

/// The number of rows that each delimiter is tried on; chosen by hand.
const TRIED_ROWS: usize = 50;

/// CSV and TSV: the clean text is the rows as records.
pub static KIND: SourceKind = SourceKind {
    name: "csv",
    label: "CSV",
    extensions: &["csv", "tsv", "tab"],
    shared_extensions: &[],
    media_types: &["text/csv", "text/tab-separated-values"],
    signature: Signature::None,
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "save it again as CSV in UTF-8",
    read,
};

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let title = metadata::name_as_title(input.path);
    let text = input.text()?;
    let text = to_markdown(&title, &text);
    Ok(input.document(title, text.map_err(|problem| input.malformed(problem))?))
}

fn to_markdown(title: &str, text: &str) -> Result<String, String> {
    // Spreadsheet programs may state the delimiter in a line of its own.
    let stated = text
        .strip_prefix("sep=")
        .and_then(|rest| rest.split_once('\n'))
        .and_then(|(delimiter, rest)| Some((*delimiter.as_bytes().first()?, rest)));
    let (delimiter, text) = stated.unwrap_or_else(|| (delimiter(text), text));
    let mut out = MarkdownWriter::default();
    let mut table = RowWriter::new(&mut out, title);
    let mut reader = reader(text, delimiter);
    let mut record = StringRecord::new();
    while reader
        .read_record(&mut record)
        .map_err(|error| error.to_string())?
    {
        table.push(row(&record));
    }
    let rows = table.finish();
    if rows == 0 {
        return Err("it has no rows".into());
    }
    Ok(out.finish())
}

fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes())
}

fn row(record: &StringRecord) -> Row {
    let cells = record.iter().take(MAX_COLUMNS).enumerate();
    cells
        .filter(|(_, cell)| !cell.is_empty())
        .map(|(column, cell)| (column, cell.to_owned()))
        .collect()
}

/// The delimiter by which the most rows have as many columns as most others, and more than one.
fn delimiter(text: &str) -> u8 {
    let score = |delimiter: u8| {
        let rows = reader(text, delimiter).into_records().take(TRIED_ROWS);
        let mut widths: Vec<usize> = rows.flatten().map(|row| row.len()).collect();
        widths.sort_unstable();
        let width = widths.get(widths.len() / 2).copied().unwrap_or_default();
        let alike = widths.iter().filter(|own| **own == width).count();
        if width > 1 { (alike, width) } else { (0, 0) }
    };
    // The last of equals is chosen: the likeliest.
    let likeliest_last = DELIMITERS.iter().copied().rev();
    likeliest_last
        .max_by_key(|delimiter| score(*delimiter))
        .unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<String, ReadError> {
        let input = Input::of_bytes(&KIND, "heat-pumps.csv", bytes, 1_000_000);
        super::read(&input).map(|document| document.text)
    }

    #[test]
    fn delimiter_quotes_and_character_set_are_found() {
        for bytes in [
            &b"model,price,note\nX2,300,\"quiet, \"\"small\"\"\"\nX3,250,\n"[..],
            b"\xef\xbb\xbfmodel;price;note\r\nX2;300;quiet, \"small\"\r\nX3;250;\r\n",
            b"model\tprice\tnote\nX2\t300\tquiet, \"small\"\nX3\t250\n",
            b"sep=|\nmodel|price|note\nX2|300|quiet, \"small\"\nX3|250|\n",
        ] {
            assert_eq!(
                read(bytes).unwrap(),
                "# Heat pumps\n\n- Model: X2; price: 300; note: quiet, \"small\".\n- Model: X3; \
                 price: 250.\n"
            );
        }
        let western = b"Stadt;Land\nK\xf6ln am Rhein;Nordrhein-Westfalen\nM\xfcnchen;Bayern\n";
        assert!(
            read(western)
                .unwrap()
                .contains("- Stadt: Köln am Rhein; Land")
        );
    }

    #[test]
    fn hostile_tables_are_read_or_refused() {
        let wide = ",".repeat(900_000);
        let quote = format!("a,b\n\"{}", "x,y\n".repeat(100_000));
        for text in [&wide[..], "\n\n", ",\n,\n"] {
            let error = read(text.as_bytes()).unwrap_err().to_string();
            assert!(
                error.contains("has no rows") && error.contains("heat-pumps.csv"),
                "{error}"
            );
        }
        assert!(
            read(quote.as_bytes())
                .unwrap()
                .starts_with("# Heat pumps\n")
        );
        assert!(matches!(read(b"a,b\0"), Err(ReadError::NotText { .. })));
    }
}

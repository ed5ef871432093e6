//! DOCX (Office Open XML, WordprocessingML): the paragraphs as Markdown, and the core properties as
//! metadata.
//!
//! Text that a reader of the document does not see is left out: tracked deletions, hidden text,
//! comments, field codes. So are headers and footers; footnotes and endnotes come last.
//!
//! The paragraphs are read here and not by `docx-rs`: version 0.4.22 reads no footnotes, endnotes
//! and formulas, and brings second copies of `quick-xml` and `zip`.

use std::collections::HashMap;

use super::opc::{self, Properties, Relationship};
use super::styles::{Listed, MAX_LEVEL, Mark, Styles, number, outline_heading};
use super::zip::Archive;
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;
use crate::read::failure::Failure;
use crate::read::html::formulas;
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::xml::{Element, Piece, Pieces};
use crate::read::{charset, metadata};
use crate::text;

/// The main part, where no relationship names another one.
const MAIN_PART: &str = "word/document.xml";

/// The maximum number of columns that a cell spans: the 63 of Word and one more.
const MAX_SPAN: usize = 64;

/// Elements that are skipped with their content: tracked deletions and moves, earlier formatting,
/// fallbacks of drawings for old programs, field codes, and ruby annotations.
const SKIPPED: &[&str] = &[
    "del",
    "moveFrom",
    "pPrChange",
    "rPrChange",
    "sectPrChange",
    "tblPrChange",
    "Fallback",
    "instrText",
    "delText",
    "sdtPr",
    "rt",
];

/// DOCX (Office Open XML): the clean text is the paragraphs as Markdown.
pub static KIND: SourceKind = SourceKind {
    name: "docx",
    label: "DOCX",
    extensions: &["docx"],
    shared_extensions: &[],
    media_types: &["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    signature: Signature::Magic(is_docx),
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "save it again in a word processor, or as text",
    read,
};

/// Returns `true` for a package with the parts of a word processor's document.
fn is_docx(bytes: &[u8]) -> bool {
    opc::is_package(bytes, "word/")
}

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let (about, text) =
        extract(&input.bytes()?, input.keeps_links).map_err(|failure| input.failure(failure))?;
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

/// The metadata and the text of a DOCX.
fn extract(bytes: &[u8], keeps_links: bool) -> Result<(Properties, String), Failure> {
    let mut archive = Archive::open(bytes)?;
    let main = opc::main_part(&mut archive, MAIN_PART)?;
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut styles = Styles::default();
    if let Some(xml) = archive.text(&format!("{folder}/styles.xml"))? {
        styles.read_styles(&xml)?;
    }
    if let Some(xml) = archive.text(&format!("{folder}/numbering.xml"))? {
        styles.read_lists(&xml)?;
    }
    let mut about = opc::core_properties(&mut archive)?;
    let language = about.language.or_else(|| styles.language.clone());
    about.language = language.as_deref().and_then(metadata::language_code);
    let xml = archive
        .text(&main)?
        .ok_or_else(|| format!("its part {main:?} with the words is missing"))?;
    // Styles and numbering are read before the body, which refers to them.
    let mut body = Body::new(&styles);
    let links = |archive: &mut Archive<'_>, part: &str| {
        let links = keeps_links.then(|| opc::relationships(archive, part));
        links.transpose()
    };
    body.links = links(&mut archive, &main)?;
    body.read(&xml)?;
    for notes in ["footnotes", "endnotes"] {
        let part = format!("{folder}/{notes}.xml");
        if let Some(xml) = archive.text(&part)? {
            body.links = links(&mut archive, &part)?;
            body.read(&xml)?;
        }
    }
    Ok((about, body.out.finish()))
}

/// A paragraph that is being read.
#[derive(Default)]
struct Paragraph {
    words: String,
    style: String,
    outline: Option<usize>,
    listed: Listed,
    /// `true` in a run with hidden text.
    is_hidden: bool,
    /// `true` in a run with superscript.
    is_superscript: bool,
    /// `true` in a link to another place of the document, where links are kept.
    is_reference: bool,
    /// `true` if the run before was superscript.
    was_superscript: bool,
    /// The start offsets in `words` of the parts of formulas (OMML) that are open.
    parts: Vec<usize>,
    /// The closing delimiters of the brackets of formulas that are open.
    closers: Vec<String>,
}

/// The body of a document as it is read, element by element.
struct Body<'a> {
    styles: &'a Styles,
    out: MarkdownWriter,
    /// The stack of open paragraphs: a text box has some inside of another.
    paragraphs: Vec<Paragraph>,
    /// The nesting depth of tables. The text of inner ones belongs to the outer cell.
    tables: usize,
    rows: Vec<Vec<String>>,
    /// The number of further columns that the current cell spans.
    spanned: usize,
    /// The counters of each list, by level.
    counts: HashMap<String, [usize; MAX_LEVEL + 1]>,
    /// The relationships of the part, by id, if links and notes are kept.
    links: Option<HashMap<String, Relationship>>,
    /// The addresses of the links that are open.
    addresses: Vec<String>,
    /// The label of the note that is being read.
    note: Option<String>,
}

impl<'a> Body<'a> {
    fn new(styles: &'a Styles) -> Self {
        Self {
            styles,
            out: MarkdownWriter::default(),
            paragraphs: Vec::new(),
            tables: 0,
            rows: Vec::new(),
            spanned: 0,
            counts: HashMap::new(),
            links: None,
            addresses: Vec::new(),
            note: None,
        }
    }

    fn read(&mut self, xml: &str) -> Result<(), Failure> {
        let mut pieces = Pieces::of(xml);
        while let Some(piece) = pieces.next()? {
            match piece {
                // Only `w:t` and `m:t` hold text; other white space is the layout of the XML.
                Piece::Open(element) if SKIPPED.contains(&element.name()) => pieces.skip()?,
                Piece::Open(element) => self.open(&element, &pieces),
                Piece::Text(words) if pieces.around(0) == "t" => self.add(&words),
                Piece::Entity(name) if pieces.around(0) == "t" => self.add(&format!("&{name};")),
                Piece::Close(name) => self.close(&name),
                Piece::Text(_) | Piece::Entity(_) => {}
            }
        }
        Ok(())
    }

    fn open(&mut self, element: &Element<'_>, pieces: &Pieces<'_>) {
        match element.name() {
            "p" => self.paragraphs.push(Paragraph::default()),
            "tbl" => self.tables += 1,
            "tr" if self.tables == 1 => self.rows.push(Vec::new()),
            "tc" if self.tables == 1 => {
                if let Some(row) = self.rows.last_mut() {
                    row.push(String::new());
                }
            }
            // A cell that spans columns, and a row that begins further right than the others.
            "gridSpan" if self.tables == 1 && pieces.around(2) == "tc" => {
                self.spanned = number(element).unwrap_or_default().saturating_sub(1);
            }
            "gridBefore" if self.tables == 1 && pieces.around(2) == "tr" => {
                self.add_cells(number(element).unwrap_or_default());
            }
            "hyperlink" | "footnoteReference" | "endnoteReference" | "footnote" | "endnote"
                if self.links.is_some() =>
            {
                self.open_link(element);
            }
            _ => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.open(element, [pieces.around(1), pieces.around(2)]);
                }
            }
        }
    }

    /// A link, a reference to a note, or a note, where these are kept.
    fn open_link(&mut self, element: &Element<'_>) {
        let id = element.attribute("id").unwrap_or_default();
        let label = |kind: &str| format!("{kind}{id}");
        match (element.name(), self.paragraphs.last_mut()) {
            ("footnote", _) => self.note = Some(label("f")),
            ("endnote", _) => self.note = Some(label("e")),
            ("hyperlink", Some(paragraph)) => {
                let links = self.links.as_ref();
                let target = links
                    .and_then(|links| links.get(&id))
                    .map(|link| &link.target);
                // An address in Markdown ends at a bracket or a blank.
                let address = target.map_or(String::new(), |target| {
                    let encoded = target.replace(' ', "%20").replace('(', "%28");
                    encoded.replace(')', "%29")
                });
                if !address.is_empty() {
                    paragraph.words.push('[');
                }
                // A number that links to another place of the text is a mark, also behind a year.
                paragraph.is_reference = address.is_empty();
                self.addresses.push(address);
            }
            ("footnoteReference", Some(paragraph)) => {
                paragraph.words += &format!("[^{}]", label("f"));
            }
            ("endnoteReference", Some(paragraph)) => {
                paragraph.words += &format!("[^{}]", label("e"));
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" => {
                if let Some(paragraph) = self.paragraphs.pop() {
                    self.write_paragraph(&paragraph);
                }
            }
            "tc" if self.tables == 1 => {
                let spanned = std::mem::take(&mut self.spanned);
                self.add_cells(spanned);
            }
            "tbl" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    self.out.table(&std::mem::take(&mut self.rows));
                }
            }
            "hyperlink" if self.links.is_some() => {
                let address = self.addresses.pop().filter(|address| !address.is_empty());
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.is_reference = false;
                }
                if let (Some(address), Some(paragraph)) = (address, self.paragraphs.last_mut()) {
                    paragraph.words += &format!("]({address})");
                }
            }
            "footnote" | "endnote" => self.note = None,
            // OMML: numerator, denominator, superscript, and delimiter (brackets).
            "num" | "den" | "sup" | "d" => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.close_part(name);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, words: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut()
            && !paragraph.is_hidden
        {
            paragraph.add(words, self.links.is_some());
        }
    }

    /// Adds empty cells to a row, so that the cells after a span are below their own heads.
    fn add_cells(&mut self, count: usize) {
        let count = count.min(MAX_SPAN - 1);
        if let Some(row) = self.rows.last_mut() {
            row.resize(row.len() + count, String::new());
        }
    }

    /// Writes a paragraph as cell, heading, item or paragraph.
    fn write_paragraph(&mut self, paragraph: &Paragraph) {
        let words = paragraph.words.trim();
        if words.is_empty() || self.styles.is_contents(&paragraph.style) {
            return;
        }
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) {
            cell.push(' ');
            cell.push_str(words);
            return;
        }
        if let Some(label) = &self.note {
            return self.out.footnote(label, words);
        }
        // Direct formatting overrides the style, as in a word processor.
        let outline = paragraph.outline.and_then(outline_heading);
        if let Some(level) = outline.or_else(|| self.styles.heading(&paragraph.style)) {
            return self.out.heading(level, words);
        }
        let from_style = self.styles.listed(&paragraph.style);
        let list = paragraph.listed.list.clone().or(from_style.list);
        // The number 0 takes a paragraph out of the list of its style.
        match list.filter(|list| list != "0") {
            Some(list) => {
                let level = paragraph.listed.level.or(from_style.level);
                self.item(&list, level.unwrap_or_default().min(MAX_LEVEL), words);
            }
            None => self.out.paragraph(words),
        }
    }

    fn item(&mut self, list: &str, level: usize, words: &str) {
        match self.styles.mark(list, level) {
            Mark::Bullet => self.out.item(level, "-", words),
            Mark::Nothing => self.out.paragraph(words),
            Mark::Number => {
                let counts = self.counts.entry(list.to_owned()).or_default();
                counts[level] += 1;
                // A higher level starts the lower ones anew.
                counts[level + 1..].fill(0);
                let mark = format!("{}.", counts[level]);
                self.out.item(level, &mark, words);
            }
        }
    }
}

impl Paragraph {
    /// Applies an element inside of the paragraph, given the names of the two elements around it.
    fn open(&mut self, element: &Element<'_>, around: [&str; 2]) {
        match (element.name(), around) {
            ("pStyle", ["pPr", _]) => self.style = element.attribute("val").unwrap_or_default(),
            ("outlineLvl", ["pPr", _]) => self.outline = number(element),
            ("numId", ["numPr", _]) => self.listed.list = element.attribute("val"),
            ("ilvl", ["numPr", _]) => self.listed.level = number(element),
            // A new run has the formatting of the paragraph until its own properties say otherwise.
            ("r", _) => (self.is_hidden, self.is_superscript) = (false, false),
            ("vertAlign", ["rPr", "r"]) => {
                self.is_superscript = element.attribute("val").as_deref() == Some("superscript");
            }
            ("num" | "den" | "sup", _) => self.parts.push(self.words.len()),
            ("d", _) => {
                self.words.push('(');
                self.closers.push(")".to_owned());
            }
            // The properties of brackets come after their start tag, which wrote the default ones.
            ("begChr", ["dPr", _]) if self.words.ends_with('(') => {
                self.words.pop();
                self.words += &element.attribute("val").unwrap_or_default();
            }
            ("endChr", ["dPr", _]) => {
                self.closers.pop();
                self.closers
                    .push(element.attribute("val").unwrap_or_default());
            }
            // A toggle property (ECMA-376, 17.7.3): without a value it is on.
            ("vanish", ["rPr", "r"]) => {
                let value = element.attribute("val");
                self.is_hidden = !matches!(value.as_deref(), Some("0" | "false" | "off"));
            }
            ("tab" | "br" | "cr" | "ptab", ["r", _]) => self.words.push(' '),
            ("noBreakHyphen", ["r", _]) => self.words.push('-'),
            _ => {}
        }
    }

    fn add(&mut self, words: &str, keeps_marks: bool) {
        let (first, before) = (words.chars().next(), self.words.chars().next_back());
        let is_of_list = |c: char| c.is_ascii_digit() || ", -–".contains(c);
        let is_number = first.is_some_and(|c| c.is_ascii_digit()) && words.chars().all(is_of_list);
        let is_mark = self.is_reference || !is_unit(&self.words);
        if keeps_marks && self.is_superscript && is_number && is_mark {
            // One number may be split into several runs.
            let is_continued = self.was_superscript && self.words.ends_with(']');
            self.words
                .truncate(self.words.len() - usize::from(is_continued));
            self.words.push_str(if is_continued { "" } else { "[" });
            self.words.push_str(words);
            self.words.push(']');
            self.was_superscript = true;
            return;
        }
        // One superscript may be split into several runs: only the first begins a power.
        if self.is_superscript && !self.was_superscript && formulas::is_power(first, before) {
            self.words.push('^');
        }
        self.was_superscript = self.is_superscript;
        self.words.push_str(words);
    }

    /// Linearizes a part of a formula (OMML) at its end: `1/2`, `x^2`, `(a + b)/c`.
    fn close_part(&mut self, name: &str) {
        if name == "d" {
            self.words += &self.closers.pop().unwrap_or_default();
            return;
        }
        let Some(begin) = self.parts.pop() else {
            return;
        };
        let part = self.words.split_off(begin);
        let part = part.trim();
        match name {
            _ if part.is_empty() => return,
            "den" => self.words.push('/'),
            "sup" => self.words.push('^'),
            // A mixed number needs a space: one and a half is not eleven halves.
            _ if self.words.ends_with(|c: char| c.is_numeric()) => self.words.push(' '),
            _ => {}
        }
        let bare = part.trim_start_matches(['-', '−']);
        let is_one = bare
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | ','));
        // The first closing bracket must be the last character: `(a)(b)` is no bracketed whole.
        let is_bracketed = bare.starts_with('(') && bare.find(')') == Some(bare.len() - 1);
        if is_one || is_bracketed {
            self.words.push_str(part);
        } else {
            self.words += &format!("({part})");
        }
    }
}

/// `true` if a superscript number after these words is a power: after a digit, or after one or two
/// letters, as in `m²`.
fn is_unit(words: &str) -> bool {
    let word = words.rsplit(|c: char| !c.is_alphanumeric()).next();
    let word = word.unwrap_or_default();
    word.ends_with(char::is_numeric) || (1..=2).contains(&word.chars().count())
}

#[cfg(test)]
mod tests {
    use super::super::opc::CONTENT_TYPES;
    use super::super::zip::tests::zipped;
    use super::*;

    const STYLES: &str = "<w:styles><w:style w:styleId='H1'><w:name w:val='heading 1'/></w:style>\
        <w:style w:styleId='T1'><w:name w:val='toc 1'/></w:style></w:styles>";

    const NUMBERING: &str = "<w:numbering><w:abstractNum w:abstractNumId='0'><w:lvl><w:numFmt \
        w:val='decimal'/></w:lvl>\
        <w:lvl><w:numFmt w:val='bullet'/></w:lvl></w:abstractNum>\
        <w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num></w:numbering>";

    fn read(body: &str) -> Result<Document, ReadError> {
        let body = format!("<w:document><w:body>{body}</w:body></w:document>");
        read_parts(&[
            ("word/document.xml", body.as_str()),
            ("word/styles.xml", STYLES),
            ("word/numbering.xml", NUMBERING),
        ])
    }

    fn read_parts(parts: &[(&str, &str)]) -> Result<Document, ReadError> {
        let bytes = zipped(parts);
        let input = Input::of_bytes(&KIND, "/x/my-report.docx", &bytes, 1_000_000);
        super::read(&input)
    }

    fn styled(style: &str, words: &str) -> String {
        format!(
            "<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr><w:r><w:t>{words}</w:t></w:r></w:p>"
        )
    }

    fn item(level: usize, words: &str) -> String {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='1'/></w:numPr></w:pPr>\
             <w:r><w:t>{words}</w:t></w:r></w:p>"
        )
    }

    #[test]
    fn docx_headings_lists_and_tables_become_markdown() {
        let cell = |words: &str| format!("<w:tc>{}</w:tc>", styled("", words));
        let body = [
            styled("T1", "On heat 1"),
            styled("H1", "On heat"),
            styled("", "Pumps &amp; heat."),
            item(0, "first"),
            item(1, "inner"),
            item(0, "second"),
            format!(
                "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
                cell("Kind"),
                cell("Factor"),
                cell("air"),
                cell("<w:br/>3")
            ),
        ];
        let document = read(&body.concat()).unwrap();
        assert_eq!(
            document.text,
            "# On heat\n\nPumps & heat.\n\n1. first\n    - inner\n2. second\n\n\
             | Kind | Factor |\n| --- | --- |\n| air | 3 |\n"
        );
        assert_eq!((document.title.as_str(), document.kind), ("On heat", &KIND));
    }

    #[test]
    fn docx_cells_that_span_columns_keep_others_below_their_heads() {
        let cell = |about: &str, words: &str| {
            format!("<w:tc><w:tcPr>{about}</w:tcPr>{}</w:tc>", styled("", words))
        };
        let wide = cell("<w:gridSpan w:val='2'/>", "Kind");
        let body = format!(
            "<w:tbl><w:tr>{wide}{}</w:tr><w:tr><w:trPr><w:gridBefore w:val='1'/>\
             </w:trPr>{}{}</w:tr>\
             <w:tr>{}</w:tr></w:tbl>",
            cell(
                "<w:tcPrChange><w:tcPr><w:gridSpan w:val='9'/></w:tcPr></w:tcPrChange>",
                "Factor"
            ),
            cell("", "air"),
            cell("", "3"),
            cell("<w:gridSpan w:val='99999999999'/>", "all"),
        );
        let text = read(&body).unwrap().text;
        let rows: Vec<&str> = text.lines().collect();
        assert!(rows[0].starts_with("| Kind |  | Factor |"), "{text}");
        assert_eq!(rows[2], "|  | air | 3 |");
        assert_eq!(rows[3], format!("| all |{}", "  |".repeat(MAX_SPAN - 1)));
    }

    #[test]
    fn docx_deleted_and_hidden_text_is_left_out() {
        let document = read(
            "<w:p><w:pPr><w:tabs><w:tab/></w:tabs><w:pPrChange><w:pPr><w:pStyle w:val='H1'/>\
             </w:pPr></w:pPrChange></w:pPr>\
             <w:r><w:t>One</w:t><w:tab/><w:t>two</w:t></w:r><w:del><w:r><w:delText>gone</w:delText>\
             </w:r></w:del>\
             <w:moveFrom><w:r><w:t>away</w:t></w:r></w:moveFrom><w:ins><w:r><w:t \
             xml:space='preserve'> three</w:t></w:r></w:ins>\
             <w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r>\
             <w:instrText>PAGE</w:instrText></w:r>\
             <w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>In a box.</w:t>\
             </w:r></w:p></w:txbxContent>\
             </mc:Choice><mc:Fallback><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></mc:Fallback>\
             </mc:AlternateContent></w:r>\
             <w:r><w:t> four</w:t></w:r></w:p>",
        );
        assert_eq!(document.unwrap().text, "In a box.\n\nOne two three four\n");
    }

    #[test]
    fn docx_powers_fractions_and_ruby_keep_their_value() {
        let run = |words: &str| format!("<w:r><w:t>{words}</w:t></w:r>");
        let raised = |words: &str| {
            format!(
                "<w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>{words}</w:t></w:r>"
            )
        };
        let math = |words: &str| format!("<m:r><m:t>{words}</m:t></m:r>");
        let over = |one: &str, other: &str| {
            format!("<m:f><m:fPr/><m:num>{one}</m:num><m:den>{other}</m:den></m:f>")
        };
        let power = |base: &str, power: &str| {
            format!(
                "<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>",
                math(base),
                math(power)
            )
        };
        for (words, text) in [
            (
                run("10") + &raised("1") + &raised("2") + &run("m") + &raised("2"),
                "10^12m^2",
            ),
            (
                run("s") + &raised("−1") + &run(", 1") + &raised("st"),
                "s^−1, 1st",
            ),
            (over(&math("1"), &math("2")), "1/2"),
            (math("1") + &over(&math("1"), &math("2")), "1 1/2"),
            (over(&math("a + b"), &power("x", "2")), "(a + b)/(x^2)"),
            (power("e", "n − 1") + &power("y", ""), "e^(n − 1)y"),
            (
                format!(
                    "<w:r><w:ruby><w:rt>{}</w:rt><w:rubyBase>{}</w:rubyBase></w:ruby></w:r>",
                    run("かん"),
                    run("漢")
                ),
                "漢",
            ),
        ] {
            let document = read(&format!("<w:p>{words}</w:p>")).unwrap();
            assert_eq!(document.text, format!("{text}\n"));
        }
    }

    #[test]
    fn docx_links_notes_and_marks_are_kept_where_a_report_is_read() {
        let body = "<w:document><w:p><w:hyperlink r:id='r1'><w:r><w:t>Costs</w:t></w:r>\
            </w:hyperlink><w:r><w:t>, warm</w:t><w:footnoteReference w:id='2'/></w:r><w:r><w:t>, \
            cold</w:t></w:r><w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>1</w:t>\
            </w:r></w:p></w:document>";
        let rels = "<Relationships><Relationship Id='r1' Type='x/hyperlink' \
            Target='http://a.b/c' TargetMode='External'/></Relationships>";
        let notes = "<w:footnotes><w:footnote w:id='2'><w:p><w:r><w:t>A note.</w:t></w:r></w:p>\
            </w:footnote></w:footnotes>";
        let bytes = zipped(&[
            ("word/document.xml", body),
            ("word/_rels/document.xml.rels", rels),
            ("word/footnotes.xml", notes),
        ]);
        let mut input = Input::of_bytes(&KIND, "a.docx", &bytes, 10_000);
        assert_eq!(
            super::read(&input).unwrap().text,
            "Costs, warm, cold^1\n\nA note.\n"
        );
        input.keeps_links = true;
        assert_eq!(
            super::read(&input).unwrap().text,
            "[Costs](http://a.b/c), warm[^f2], cold[1]\n\n[^f2]: A note.\n"
        );
    }

    #[test]
    fn docx_core_properties_give_metadata() {
        let core = "<cp:coreProperties><dc:title>Heat  pumps</dc:title><dc:creator>Ann \
            B</dc:creator>\
            <dcterms:created>2013-12-23T23:15:00Z</dcterms:created>\
            <dcterms:modified>2021-05-06T01:02:03Z</dcterms:modified>\
            <dc:language>de-CH</dc:language></cp:coreProperties>";
        let rels = "<Relationships><Relationship Type='http://x/officeDocument' \
            Target='/word/document2.xml'/></Relationships>";
        let notes = "<w:footnotes><w:footnote><w:p><w:r><w:footnoteRef/><w:t> A note.</w:t></w:r>\
            </w:p></w:footnote></w:footnotes>";
        let body = styled("", "Words.");
        let document = read_parts(&[
            ("_rels/.rels", rels),
            ("docProps/core.xml", core),
            ("word/document2.xml", body.as_str()),
            ("word/footnotes.xml", notes),
        ]);
        let document = document.unwrap();
        assert_eq!(document.title, "Heat pumps");
        assert_eq!(document.text, "Words.\n\nA note.\n");
        assert_eq!(document.author.as_deref(), Some("Ann B"));
        assert_eq!(document.date.as_deref(), Some("2021-05-06"));
        assert_eq!(document.language.as_deref(), Some("de"));
        assert_eq!(read(&body).unwrap().title, "My report");
    }

    #[test]
    fn docx_is_recognised_by_the_parts_of_its_archive() {
        let docx = zipped(&[(CONTENT_TYPES, ""), (MAIN_PART, "")]);
        let sheet = zipped(&[(CONTENT_TYPES, ""), ("xl/workbook.xml", "")]);
        assert!(is_docx(&docx) && !is_docx(&sheet));
        assert!(!is_docx(&docx[..40]) && !is_docx(b"PK"));
    }

    #[test]
    fn hostile_docx_is_an_error() {
        let error_of = |parts: &[(&str, &str)]| read_parts(parts).unwrap_err().to_string();
        let missing = error_of(&[("word/styles.xml", STYLES)]);
        assert!(
            missing.contains("my-report.docx") && missing.contains("document.xml"),
            "{missing}"
        );
        let deep = error_of(&[("word/document.xml", &"<w:p>".repeat(100_000))]);
        assert!(deep.contains("nests deeper"), "{deep}");
        let cut = error_of(&[("word/document.xml", "<w:document><w:p>")]);
        assert!(cut.contains("ends too early"), "{cut}");
        let plain = Input::of_bytes(&KIND, "a.docx", b"no archive", 100);
        let plain = super::read(&plain).unwrap_err();
        assert!(plain.to_string().contains("not a complete zip"), "{plain}");
        let odd = "<w:t>a</w:t><w:tc/><w:tr/></w:x>";
        assert!(read(odd).is_err());
        let odd = "<w:t>a</w:t><w:tbl><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tbl>";
        assert_eq!(read(odd).unwrap().text, "b\n");
    }
}

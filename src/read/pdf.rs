//! PDF: the text is extracted, and its lines are rejoined to paragraphs.
//!
//! The parser panics, recurses and allocates as the file says, so that foreign files are read in a
//! child process.

use pdf_extract::{
    Dictionary, LoadOptions, MediaBox, Object, ObjectId, OutputDev, OutputError, PlainTextOutput,
    Transform,
};

use super::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use super::error::ReadError;
use super::{charset, metadata, plain};
use crate::artifact::source::PageStarts;
use crate::text::one_line;

/// The most pages whose beginnings are recorded; chosen by hand, far above any book: a file may say
/// that it has millions.
const MAX_PAGES: usize = 20_000;

/// PDF: the clean text is plain, its paragraphs rejoined from lines.
pub static KIND: SourceKind = SourceKind {
    name: "pdf",
    label: "PDF",
    extensions: &["pdf"],
    shared_extensions: &[],
    media_types: &["application/pdf"],
    signature: Signature::Magic(|bytes| bytes.starts_with(b"%PDF-")),
    markup: Markup::Plain,
    isolation: Isolation::SlowProcess,
    remedy: "convert it to text, for example with pdftotext",
    read,
};

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let raw = extracted(&input.bytes()?).map_err(|error| input.malformed(error.to_string()))?;
    if raw.len() as u64 > input.max_bytes {
        return Err(input.too_large());
    }
    let (text, pages) = clean(&raw);
    Ok(metadata::with_top_lines_first(Document {
        pages,
        ..input.document(plain::title(input.path, &text), text)
    }))
}

/// The text of a PDF, with a form feed after each page.
fn extracted(bytes: &[u8]) -> Result<String, OutputError> {
    let options = LoadOptions::with_filter(with_text);
    let mut pdf = pdf_extract::Document::load_mem_with_options(bytes, options)?;
    if pdf.is_encrypted() {
        // The empty user password opens files that are only protected against changes (ISO 32000-1,
        // 7.6).
        pdf.decrypt("")?;
    }
    let mut text = String::new();
    let mut pages = Pages(PlainTextOutput::new(&mut text));
    pdf_extract::output_doc(&pdf, &mut pages)?;
    Ok(text)
}

/// An object as it is loaded: none that says nothing of the text, and of an image no bytes. In a
/// large manual they are most of the memory.
///
/// The parser takes what an object stream holds from the result, and all else from `object`: also
/// streams, which are in no other.
fn with_text(id: ObjectId, object: &mut Object) -> Option<(ObjectId, Object)> {
    match object {
        Object::Dictionary(dictionary) if is_apart_from_text(dictionary) => None,
        Object::Stream(stream) => {
            if has_name(&stream.dict, b"Subtype", b"Image") {
                // One byte: a stream without any is read once more.
                stream.content = vec![0];
            }
            Some((id, Object::Null))
        }
        _ => Some((id, object.clone())),
    }
}

/// `true` for an annotation and for an element of the structure tree (ISO 32000-1, 12.5 and
/// 14.7.2), of which the type may be left out.
fn is_apart_from_text(object: &Dictionary) -> bool {
    let is_element = !object.has(b"Type") && object.has(b"S") && object.has(b"P");
    is_element
        || has_name(object, b"Type", b"StructElem")
        || has_name(object, b"Type", b"Annot")
        || has_name(object, b"Subtype", b"Link")
}

fn has_name(object: &Dictionary, key: &[u8], name: &[u8]) -> bool {
    let own = object.get(key).and_then(Object::as_name);
    own.is_ok_and(|own| own == name)
}

/// The parser's plain text, which by itself does not say where a page ends.
struct Pages<'a>(PlainTextOutput<&'a mut String>);

impl OutputDev for Pages<'_> {
    fn begin_page(
        &mut self,
        number: u32,
        media: &MediaBox,
        art: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.0.begin_page(number, media, art)
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        // A form feed, as pdftotext writes one after each page.
        let position = Transform::identity();
        self.0.output_character(&position, 0.0, 0.0, 0.0, "\u{c}")
    }

    fn output_character(
        &mut self,
        position: &Transform,
        width: f64,
        spacing: f64,
        font_size: f64,
        character: &str,
    ) -> Result<(), OutputError> {
        self.0
            .output_character(position, width, spacing, font_size, character)
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.0.begin_word()
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        self.0.end_word()
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        self.0.end_line()
    }
}

/// The raw text of a PDF, with a form feed after each page, as paragraphs of one line each with
/// blank lines between: lines joined, hyphenation undone, page numbers removed. With it, where the
/// pages begin in it.
pub fn clean(raw: &str) -> (String, PageStarts) {
    let mut text = Paragraphs::default();
    let mut starts = Vec::new();
    for page in raw.strip_suffix('\u{c}').unwrap_or(raw).split('\u{c}') {
        let mut lines = lines_of_page(page).into_iter();
        let first = lines.by_ref().find(|line| !line.is_empty());
        // The text of a page may go on with the last sentence of the one before.
        starts.push(first.map_or(text.text.len(), |line| text.add(&line)));
        for line in lines {
            text.add(&line);
        }
    }
    if starts.len() > MAX_PAGES {
        starts.clear();
    }
    text.text.push('\n');
    (text.text, PageStarts(starts.into()))
}

/// The lines of a PDF that are rejoined to paragraphs.
#[derive(Default)]
struct Paragraphs {
    text: String,
    /// `true` if the last paragraph may go on.
    is_open: bool,
    /// The width of its widest line, in characters.
    widest: usize,
}

impl Paragraphs {
    /// Adds a line, or with an empty one a gap. Returns where the line begins.
    fn add(&mut self, line: &str) -> usize {
        if line.is_empty() {
            self.is_open = false;
            return self.text.len();
        }
        let width = line.chars().count();
        if !self.text.is_empty() && continues(&self.text, line, self.is_open) {
            join(&mut self.text, line);
        } else {
            let gap = if self.text.is_empty() { "" } else { "\n\n" };
            self.text.extend([gap, line]);
            self.widest = 0;
        }
        self.widest = self.widest.max(width);
        // A line that ends a sentence and is much shorter than the widest of its paragraph is taken
        // for the last one. The factor of 0.7 is chosen by hand, for ragged right margins.
        let is_last = ends_sentence(&self.text) && width * 10 < self.widest * 7;
        self.is_open = !is_last;
        self.text.len() - line.len()
    }
}

/// The lines of a page and a blank one. A page number is removed at the top and at the foot only:
/// anywhere else such a line may be a year or the cell of a table.
fn lines_of_page(page: &str) -> Vec<String> {
    let text = charset::normalise(&without_ligatures(page));
    let mut lines: Vec<String> = text.lines().map(one_line).collect();
    let first = lines.iter().position(|line| !line.is_empty());
    let last = lines.iter().rposition(|line| !line.is_empty());
    for end in [first, last] {
        if let Some(line) = end.and_then(|end| lines.get_mut(end))
            && is_page_number(line)
        {
            line.clear();
        }
    }
    lines.push(String::new());
    lines
}

/// Takes ligatures apart. Unicode's compatibility decomposition (NFKC) would change more: `²`.
fn without_ligatures(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            'ﬀ' => text.push_str("ff"),
            'ﬁ' => text.push_str("fi"),
            'ﬂ' => text.push_str("fl"),
            'ﬃ' => text.push_str("ffi"),
            'ﬄ' => text.push_str("ffl"),
            _ => text.push(c),
        }
    }
    text
}

/// Returns `true` if a line continues a paragraph: it follows without a gap, or the gap is inside a
/// sentence, as at the end of a page.
fn continues(last: &str, line: &str, open: bool) -> bool {
    let begins_item = line.starts_with(['•', '▪', '‣', '◦', '●']);
    let mid_sentence = !ends_sentence(last) && line.starts_with(char::is_lowercase);
    !begins_item && (open || mid_sentence)
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '’', '»', ')', ']'])
        .ends_with(['.', '!', '?', ':', '。', '！', '？', '؟'])
}

/// Joins a line to a paragraph. A hyphen at a line end between two lower-case letters is taken for
/// hyphenation; no dictionary is asked.
fn join(paragraph: &mut String, line: &str) {
    // U+2010 is the hyphen proper; U+00AD, the soft hyphen, is shown at line ends only.
    let is_hyphenated = paragraph
        .strip_suffix(['-', '\u{2010}', '\u{ad}'])
        .is_some_and(|word| word.ends_with(char::is_lowercase));
    if is_hyphenated && line.starts_with(char::is_lowercase) {
        paragraph.pop();
    } else if !(ends_ideographic(paragraph) && line.starts_with(is_ideographic)) {
        paragraph.push(' ');
    }
    paragraph.push_str(line);
}

fn ends_ideographic(text: &str) -> bool {
    text.ends_with(is_ideographic)
}

/// Returns `true` for ideographs, kana and their punctuation, which are written without spaces, so
/// that a line end between them is none. Hangul, which has spaces, is not among them.
fn is_ideographic(c: char) -> bool {
    // CJK punctuation and kana; ideographs; compatibility ideographs; full-width forms.
    matches!(
        c,
        '\u{3000}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff00}'..='\u{ffef}'
    )
}

/// Returns `true` for a line such as `12`, `- 12 -`, `Page 3` or `Page 3 of 10`.
fn is_page_number(line: &str) -> bool {
    // Four digits and twenty characters are chosen by hand.
    let mut digits = false;
    let bare = line.split(' ').all(|word| {
        let word = word.trim_matches(['-', '–', '—', '|', '/', '.', '[', ']']);
        let number = !word.is_empty()
            && word.len() <= 4
            && word
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'/');
        digits |= number;
        number || word.is_empty() || word.eq_ignore_ascii_case("page") || word == "of"
    });
    bare && digits && line.len() <= 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_rejoined_to_paragraphs() {
        let raw = "Heat pumps\n\nA heat pump moves heat and needs elec-\ntricity for it. It is\n\
            quiet.\nThe next paragraph began\nhere.\n\x0c\n- 12 -\n\nand a sentence that goes on \
            over a page,\n\nPage 3 of 10\n\x0c\nends here.\n• one\n• two\n";
        assert_eq!(
            clean(raw).0,
            "Heat pumps\n\nA heat pump moves heat and needs electricity for it. It is quiet.\n\n\
             The next paragraph began here.\n\nand a sentence that goes on over a page, ends \
             here.\n\n• one\n\n• two\n"
        );
        assert_eq!(
            clean("Non-\nEnglish well\n日本\n語\n").0,
            "Non- English well 日本語\n"
        );
        assert_eq!(clean("a deﬁned ﬂow").0, "a defined flow\n");
        assert_eq!(clean("").0, "\n");
    }

    #[test]
    fn numbers_inside_of_a_page_are_not_page_numbers() {
        assert_eq!(
            clean(
                "7\nA chronicle.\n\n2014\n\nThe first pump.\n\n8\n\u{c}9\n\u{c}\u{c}The end.\n\n\
                 2015\n\nNo pump."
            )
            .0,
            "A chronicle.\n\n2014\n\nThe first pump.\n\nThe end.\n\n2015\n\nNo pump.\n"
        );
    }

    #[test]
    fn pages_begin_at_their_first_words_even_within_a_sentence_or_a_word() {
        let raw = "One pump.\n\n1\n\x0c2\n\x0cIt needs elec-\n3\n\x0ctricity and\n\x0cwater.\n\x0c";
        let (text, pages) = clean(raw);
        assert_eq!(text, "One pump.\n\nIt needs electricity and water.\n");
        let of = |words: &str| pages.page(text.find(words).unwrap());
        for (words, page) in [
            ("One", 1),
            ("It needs", 3),
            ("elec", 3),
            ("tricity", 4),
            ("and", 4),
            ("water", 5),
        ] {
            assert_eq!(of(words), Some(page), "{words}: {pages:?}");
        }
        assert_eq!(pages.0.len(), 5);
        assert!(clean(&"a\x0c".repeat(MAX_PAGES + 1)).1.is_empty());
    }

    #[test]
    fn page_numbers_are_distinguished_from_other_numbers() {
        for line in ["12", "- 12 -", "Page 3", "3 / 10", "page 3 of 10", "[4]"] {
            assert!(is_page_number(line), "{line}");
        }
        for line in ["12345", "3 of hearts", "page", "1.5 kW", "2014-03-20"] {
            assert!(!is_page_number(line), "{line}");
        }
    }

    #[test]
    fn a_large_text_is_cleaned_in_linear_time() {
        assert_eq!(clean(&"word ".repeat(200_000)).0.len(), 1_000_000);
        assert!(clean(&"lower case line\n".repeat(60_000)).0.len() > 900_000);
    }
}

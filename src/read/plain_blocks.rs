//! Plain text inside of a document, such as the body of an e-mail or a field of a record, as blocks
//! of Markdown: paragraphs, items, quotations and fenced code.

use super::markdown_writer::MarkdownWriter;

/// The fence of code.
const FENCE: &str = "```";

/// The treatment of what a text quotes from others, in lines that begin with `>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoted {
    /// As quotations.
    Included,
    /// Left out, with the line that introduces it.
    LeftOut,
}

/// A line by its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Blank,
    Words,
    Item,
    Quote,
    Code,
}

/// Writes plain text as blocks.
pub(super) fn write(text: &str, quoted: Quoted, out: &mut MarkdownWriter) {
    let mut block = String::new();
    let mut kind = Line::Blank;
    for line in text.lines().chain([""]) {
        let is_fence = line.trim_start().starts_with(FENCE);
        let (next, words) = match (kind, is_fence) {
            (Line::Code, true) => (Line::Blank, ""),
            (Line::Code, false) => (Line::Code, line),
            (_, true) => (Line::Code, ""),
            (_, false) => classified(line),
        };
        // Lines of words continue an item.
        let continues =
            next == kind && next != Line::Item || (kind, next) == (Line::Item, Line::Words);
        if !continues {
            let introduces =
                (kind, next) == (Line::Words, Line::Quote) && block.trim_end().ends_with(':');
            let is_left_out = quoted == Quoted::LeftOut && (kind == Line::Quote || introduces);
            if !is_left_out {
                write_block(kind, &block, out);
            }
            block.clear();
            kind = next;
        }
        block.push_str(words);
        block.push('\n');
    }
    // Code may have no closing fence.
    write_block(kind, &block, out);
}

fn write_block(kind: Line, block: &str, out: &mut MarkdownWriter) {
    match kind {
        Line::Blank => {}
        Line::Words => out.paragraph(block),
        Line::Item => out.item(0, "-", block),
        Line::Quote => out.quote(block),
        Line::Code => out.code("", block),
    }
}

fn classified(line: &str) -> (Line, &str) {
    let words = line.trim();
    // A quotation of a quotation is a quotation.
    if words.starts_with('>') {
        let inner = words.trim_start_matches(['>', ' ', '\t']);
        let is_blank = inner.is_empty();
        return (if is_blank { Line::Blank } else { Line::Quote }, inner);
    }
    let item = ["- ", "* ", "• "]
        .iter()
        .find_map(|mark| words.strip_prefix(mark));
    match item {
        Some(item) => (Line::Item, item),
        None if words.contains(char::is_alphanumeric) => (Line::Words, words),
        // Lines of dashes and the like part paragraphs.
        None => (Line::Blank, words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_paragraphs_items_and_quotations() {
        let text = "Dear all,\r\n\r\nthe pump\r\nis quiet.\r\n- one\r\n  more\r\n* two\r\n\r\n\
            Ann wrote:\r\n> Is it\r\n>> quiet?\r\n>\r\n> Yes?\r\nNo.\r\n-----\r\n\
            ```\r\na\r\n  b\r\n";
        for (quoted, quotes) in [
            (
                Quoted::Included,
                "Ann wrote:\n\n> Is it quiet?\n\n> Yes?\n\n",
            ),
            (Quoted::LeftOut, ""),
        ] {
            let mut out = MarkdownWriter::default();
            write(text, quoted, &mut out);
            assert_eq!(
                out.finish(),
                format!(
                    "Dear all,\n\nthe pump is quiet.\n\n- one more\n- two\n\n{quotes}No.\n\n\
                     ```\na\n  b\n```\n"
                )
            );
        }
    }
}

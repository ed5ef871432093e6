//! A message (RFC 5322, MIME) as Markdown: its subject as a heading, an item with sender,
//! recipients and date, and its text. Attachments are named and not read.

use mail_parser::{Address, Message, MimeHeaders as _, PartType};

use crate::read::html;
use crate::read::markdown_writer::MarkdownWriter;
use crate::text::one_line;

/// The number of recipients that are named; chosen by hand.
const MAX_RECIPIENTS: usize = 8;

/// The line that begins the signature of a message (RFC 3676, 4.3), without its space.
const SIGNATURE: &str = "--";

/// The treatment of what a message quotes from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoted {
    /// As quotations.
    Kept,
    /// Left out, with the line that introduces it.
    LeftOut,
}

/// The subject; none where there is no word in it.
pub(super) fn subject(message: &Message<'_>) -> Option<String> {
    let subject = one_line(message.subject()?);
    (!subject.is_empty()).then_some(subject)
}

/// The names of the senders, or their addresses where they have none.
pub(super) fn author(message: &Message<'_>) -> Option<String> {
    let senders = message.from()?.iter();
    let names: Vec<String> = senders
        .filter_map(|sender| sender.name().or(sender.address()))
        .map(one_line)
        .collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The day on which it was sent, `2020-05-06`.
pub(super) fn day(message: &Message<'_>) -> Option<String> {
    let date = message.date().filter(|date| date.is_valid())?;
    Some(format!(
        "{:04}-{:02}-{:02}",
        date.year, date.month, date.day
    ))
}

/// Writes a message under a heading of a level.
///
/// # Errors
/// When its HTML nests too deep.
pub(super) fn write(
    message: &Message<'_>,
    level: usize,
    quoted: Quoted,
    out: &mut MarkdownWriter,
) -> Result<(), String> {
    out.heading(
        level,
        &subject(message).unwrap_or_else(|| "No subject".to_owned()),
    );
    out.item(0, "-", &envelope(message));
    // The parts to be shown as text: HTML only where there is no plain text.
    for part in message.text_bodies() {
        match &part.body {
            PartType::Text(text) => write_plain(text, quoted, out),
            PartType::Html(page) => out.markdown(&html::email_markdown(page, level)?),
            _ => {}
        }
    }
    for attachment in message.attachments() {
        if let Some(name) = attachment.attachment_name() {
            out.item(0, "-", &format!("Attachment: {name}"));
        }
    }
    Ok(())
}

/// Sender, recipients and time of a message as a record.
fn envelope(message: &Message<'_>) -> String {
    let time = day(message).zip(message.date());
    let time = time.map(|(day, time)| format!("{day} {:02}:{:02}", time.hour, time.minute));
    let fields = [
        ("from", message.from().and_then(addresses)),
        ("to", message.to().and_then(addresses)),
        ("cc", message.cc().and_then(addresses)),
        ("date", time),
    ];
    let fields: Vec<String> = fields
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}: {}", value?)))
        .collect();
    let mut text = fields.join("; ");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
        text.push('.');
    }
    text
}

/// The names of some people, each with the address.
fn addresses(people: &Address<'_>) -> Option<String> {
    let all = people.iter().count();
    let shown = people.iter().take(MAX_RECIPIENTS);
    let mut names: Vec<String> = shown
        .filter_map(|person| match (person.name(), person.address()) {
            // In round brackets, as angle brackets would be a tag of HTML.
            (Some(name), Some(address)) if name != address => Some(format!("{name} ({address})")),
            (name, address) => name.or(address).map(str::to_owned),
        })
        .collect();
    if all > MAX_RECIPIENTS {
        names.push(format!("and {} others", all - MAX_RECIPIENTS));
    }
    (!names.is_empty()).then(|| names.join(", "))
}

/// A line of plain text by its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Blank,
    Words,
    Item,
    Quote,
}

/// Writes plain text: paragraphs, items and quotations, up to the signature.
fn write_plain(text: &str, quoted: Quoted, out: &mut MarkdownWriter) {
    let mut block = String::new();
    let mut kind = Line::Blank;
    let lines = text.lines().take_while(|line| line.trim_end() != SIGNATURE);
    for line in lines.chain([""]) {
        let (next, words) = classified(line);
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
}

fn write_block(kind: Line, block: &str, out: &mut MarkdownWriter) {
    match kind {
        Line::Blank => {}
        Line::Words => out.paragraph(block),
        Line::Item => out.item(0, "-", block),
        Line::Quote => out.quote(block),
    }
}

fn classified(line: &str) -> (Line, &str) {
    let words = line.trim();
    // A quotation of a quotation is a quotation.
    if words.starts_with('>') {
        let inner = words.trim_start_matches(['>', ' ', '\t']);
        return (
            if inner.is_empty() {
                Line::Blank
            } else {
                Line::Quote
            },
            inner,
        );
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
            Ann wrote:\r\n> Is it\r\n>> quiet?\r\n>\r\n> Yes?\r\nNo.\r\n-----\r\n-- \r\nBob\r\n";
        for (quoted, quotes) in [
            (Quoted::Kept, "Ann wrote:\n\n> Is it quiet?\n\n> Yes?\n\n"),
            (Quoted::LeftOut, ""),
        ] {
            let mut out = MarkdownWriter::default();
            write_plain(text, quoted, &mut out);
            assert_eq!(
                out.finish(),
                format!("Dear all,\n\nthe pump is quiet.\n\n- one more\n- two\n\n{quotes}No.\n")
            );
        }
    }
}

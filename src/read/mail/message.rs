//! A message (RFC 5322, MIME) as Markdown: its subject as a heading, an item with sender,
//! recipients and date, and its text. Attachments are named and not read.

use std::borrow::Cow;

use mail_parser::{Address, Message, MimeHeaders as _, PartType};

use crate::read::charset;
use crate::read::html;
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::plain_blocks::{self, Quoted};
use crate::text::one_line;

/// The number of recipients that are named; chosen by hand.
const MAX_RECIPIENTS: usize = 8;

/// The line that begins the signature of a message (RFC 3676, 4.3), without its space.
const SIGNATURE: &str = "--";

/// The bytes of a message with the text that has no declared character set in UTF-8: its headers,
/// or all of it if none is declared. Old mail programs sent such text as it was.
pub(super) fn legible(bytes: &[u8]) -> Cow<'_, [u8]> {
    if std::str::from_utf8(bytes).is_ok() {
        return bytes.into();
    }
    let lower = bytes.to_ascii_lowercase();
    let find = |mark: &[u8]| lower.windows(mark.len()).position(|window| window == mark);
    let headers = find(b"\r\n\r\n").or_else(|| find(b"\n\n"));
    let is_declared = find(b"charset").is_some();
    let end = headers.filter(|_| is_declared).unwrap_or(bytes.len());
    let mut text = charset::decode(&bytes[..end], false)
        .into_owned()
        .into_bytes();
    text.extend_from_slice(&bytes[end..]);
    text.into()
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
            PartType::Text(text) => plain_blocks::write(without_signature(text), quoted, out),
            PartType::Html(page) => out.markdown(&html::fragment_to_markdown(page, level)?),
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

/// The text of a message before its signature.
fn without_signature(text: &str) -> &str {
    let is_signature = |line: &str| line.trim_end() == SIGNATURE;
    let lines = text.split_inclusive('\n');
    let length: usize = lines
        .take_while(|line| !is_signature(line))
        .map(str::len)
        .sum();
    &text[..length]
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

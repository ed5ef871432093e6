//! Mbox: a mailbox in one file, message after message. What a message quotes is left out, as it
//! is mostly of another message in the same mailbox.

use std::panic;

use mail_parser::MessageParser;
use mail_parser::mailbox::mbox::MessageIterator;

use super::message;
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;
use crate::read::failure::Failure;
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::plain_blocks::Quoted;
use crate::read::{charset, metadata};

/// Mailboxes: the clean text is a section for each message.
pub static KIND: SourceKind = SourceKind {
    name: "mbox",
    label: "mbox",
    extensions: &["mbox"],
    shared_extensions: &[],
    media_types: &["application/mbox"],
    signature: Signature::None,
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "export it again from a mail program",
    read,
};

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let title = metadata::name_as_title(input.path);
    let text = extract(&title, &input.bytes()?);
    let text = text.map_err(|failure| input.failure(failure))?;
    Ok(input.document(title, charset::normalise(&text)))
}

fn extract(title: &str, bytes: &[u8]) -> Result<String, Failure> {
    let mut out = MarkdownWriter::default();
    out.heading(1, title);
    let parser = MessageParser::default();
    let (mut all, mut damaged) = (0, 0);
    for one in MessageIterator::new(bytes) {
        let one = one.map_err(|error| error.to_string())?;
        let bytes = message::legible(one.contents());
        all += 1;
        // A message that the parser panics on does not take the others with it.
        let message = panic::catch_unwind(|| parser.parse(&*bytes));
        let message = message.unwrap_or_default();
        let written = message.map(|one| message::write(&one, 2, Quoted::LeftOut, &mut out));
        damaged += usize::from(written.is_none_or(|written| written.is_err()));
    }
    if all == damaged {
        return Err("it holds no messages".into());
    }
    if damaged > 0 {
        out.paragraph(&format!(
            "[Left out as damaged: {damaged} of {all} messages.]"
        ));
    }
    Ok(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Document, ReadError> {
        super::read(&Input::of_bytes(
            &KIND,
            "pump-list.mbox",
            text.as_bytes(),
            1_000_000,
        ))
    }

    #[test]
    fn each_message_has_its_section() {
        let document = read(
            "From ann@e.org Wed May  6 10:30:00 2020\nFrom: Ann <ann@e.org>\nSubject: Noise\n\
             Date: Wed, 6 May 2020 10:30:00 +0000\n\nIs it quiet?\n>From there it is.\n\n\
             From bob@e.org Wed May  6 11:30:00 2020\nFrom: bob@e.org\nSubject: Re: Noise\n\n\
             Ann wrote:\n> Is it quiet?\n\nIt is.\n-- \nBob\n",
        );
        let document = document.unwrap();
        assert_eq!(document.title, "Pump list");
        assert_eq!(
            document.text,
            "# Pump list\n\n## Noise\n\n- From: Ann (ann@e.org); date: 2020-05-06 10:30.\n\n\
             Is it quiet? From there it is.\n\n## Re: Noise\n\n- From: bob@e.org.\n\nIt is.\n"
        );
        let deep = format!(
            "From a Wed May  6 10:30:00 2020\nSubject: x\nContent-Type: text/html\n\n{}\n\n\
             From a Wed May  6 10:30:00 2020\nSubject: y\n\nIt is quiet.\n",
            "<div>".repeat(2_000)
        );
        let text = read(&deep).unwrap().text;
        assert!(text.contains("It is quiet.\n\n[Left out as damaged: 1 of 2 messages.]\n"));
        let error = read("no mailbox\n").unwrap_err().to_string();
        assert!(
            error.contains("mbox pump-list.mbox: it holds no messages"),
            "{error}"
        );
    }
}

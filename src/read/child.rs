//! The child process that reads documents: it confines itself, then answers one request after the
//! other until its standard input ends, which is at the latest when its parent does.

use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use super::document::{Document, Input};
use super::error::ReadError;
use super::extent;
use super::failure::{Failure, caught};
use super::pool::LARGEST_MEMORY;
use super::protocol::{self, Answer, CleanText, MAX_REQUEST_BYTES, Request};
use super::reader::STACK_BYTES;
use crate::platform::{self, Confinement, Duplex};

/// Runs this process as a reader of documents; it returns when its standard input ends.
///
/// # Errors
/// When standard input is no stream in both directions, or what comes is no request.
pub fn serve_documents() -> io::Result<()> {
    platform::limit_this_process(LARGEST_MEMORY + STACK_BYTES as u64);
    let mut stream = platform::standard_duplex()?;
    let (sender, jobs) = mpsc::channel();
    let mut answers = stream.try_clone()?;
    let parser = move || {
        let confinement = platform::confine_this_thread();
        // An error means that nobody listens any more.
        let _ = answer_all(&confinement, &jobs, &mut answers);
    };
    thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(parser)?;
    platform::confine_this_thread();
    // Read by a thread of its own, so that the process ends with its parent even while it parses.
    loop {
        let request: Request = match protocol::receive(&mut stream, MAX_REQUEST_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            request => request?,
        };
        let memory_bytes = request.memory_bytes.saturating_add(STACK_BYTES as u64);
        platform::limit_next_work(memory_bytes, request.processor_seconds);
        let bytes = protocol::receive_bytes(&mut stream, request.max_bytes)?;
        if sender.send((request, bytes)).is_err() {
            return Ok(());
        }
    }
}

fn answer_all(
    confinement: &Confinement,
    jobs: &Receiver<(Request, Vec<u8>)>,
    stream: &mut Duplex,
) -> io::Result<()> {
    protocol::send(stream, confinement)?;
    for (request, bytes) in jobs {
        protocol::send(stream, &answer(&request, &bytes))?;
    }
    Ok(())
}

fn answer(request: &Request, bytes: &[u8]) -> Answer {
    let input = Input {
        path: Path::new(&request.name),
        kind: request.kind,
        contents: Some(bytes),
        charset: request.charset.as_deref(),
        max_bytes: request.max_bytes,
        keeps_links: request.keeps_links,
    };
    let document = caught(|| (request.kind.read)(&input))?;
    let mut document = document.map_err(Failure::from)?;
    extent::limit(&mut document);
    Ok(document.into())
}

impl From<Document> for CleanText {
    fn from(document: Document) -> Self {
        Self {
            title: document.title,
            text: document.text,
            kind: document.kind,
            author: document.author,
            date: document.date,
            language: document.language,
            url: document.url,
            pages: document.pages,
            is_cut: document.is_cut,
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::TooLarge { .. } => Self::TooLarge,
            ReadError::NotText { .. } => Self::NotText,
            ReadError::OutOfMemory { .. } => Self::OutOfMemory,
            ReadError::Malformed { problem, .. } => Self::Broken(problem),
            other => Self::Broken(other.to_string()),
        }
    }
}

//! The protocol between this program and the child processes that read documents for it: frames,
//! each a length and as many bytes, over a stream in both directions. The child says first how it
//! is confined, then answers each request, which is a frame of its own and one of the document's
//! bytes.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::document::Kind;
use super::failure::Failure;
use crate::artifact::source::PageStarts;

/// The argument with which the program runs as such a child.
pub const CHILD_COMMAND: &str = "__reader";

/// The longest request without the document's bytes; chosen by hand, for long names.
pub(super) const MAX_REQUEST_BYTES: u64 = 64 * 1024;

/// A document to be read, whose bytes follow.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// The name that its bytes came under.
    pub(super) name: String,
    /// The kind that it is read as.
    pub(super) kind: Kind,
    /// The character set that its sender states.
    pub(super) charset: Option<String>,
    /// The most that is inflated out of it, and the largest text, in bytes.
    pub(super) max_bytes: u64,
    /// `true` to keep links, footnotes and superscripts.
    pub(super) keeps_links: bool,
    /// The memory that its parser may take.
    pub(super) memory_bytes: u64,
    /// The processor time that the child may have taken when it is read, since its start.
    pub(super) processor_seconds: u64,
}

/// A document as it was read; of what it was asked for, the sender knows the rest.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CleanText {
    /// The title.
    pub(super) title: String,
    /// The clean text.
    pub(super) text: String,
    /// The kind that it was read as: plain text for Markdown that is none.
    pub(super) kind: Kind,
    /// The author or authors.
    pub(super) author: Option<String>,
    /// The date in ISO 8601.
    pub(super) date: Option<String>,
    /// The language.
    pub(super) language: Option<String>,
    /// The canonical address.
    pub(super) url: Option<String>,
    /// Where its pages begin.
    pub(super) pages: PageStarts,
    /// `true` if more text follows.
    pub(super) is_cut: bool,
}

/// The answer to a request.
pub(super) type Answer = Result<CleanText, Failure>;

/// Writes a frame with a value.
pub(super) fn send<T: Serialize>(stream: &mut impl Write, value: &T) -> io::Result<()> {
    send_bytes(
        stream,
        &postcard::to_stdvec(value).map_err(io::Error::other)?,
    )
}

/// Writes a frame with bytes.
pub(super) fn send_bytes(stream: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(&(bytes.len() as u64).to_le_bytes())?;
    stream.write_all(bytes)
}

/// Reads a frame with a value of at most so many bytes.
pub(super) fn receive<T: DeserializeOwned>(stream: &mut impl Read, limit: u64) -> io::Result<T> {
    let bytes = receive_bytes(stream, limit)?;
    postcard::from_bytes(&bytes).map_err(io::Error::other)
}

/// Reads a frame of at most so many bytes.
pub(super) fn receive_bytes(stream: &mut impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    stream.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > limit {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    // Its pages are the system's until they are written to, whatever length the other side states.
    let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_end_where_they_began_and_are_no_longer_than_allowed() {
        let mut stream = Vec::new();
        let failure = Failure::Broken("of no use".to_owned());
        send(&mut stream, &Answer::Err(failure.clone())).unwrap();
        send_bytes(&mut stream, b"bytes").unwrap();
        let mut rest = &stream[..];
        let received: Answer = receive(&mut rest, 100).unwrap();
        assert_eq!(received.unwrap_err(), failure);
        assert!(receive_bytes(&mut &rest[..], 4).is_err());
        assert_eq!(receive_bytes(&mut rest, 5).unwrap(), b"bytes");
        assert!(receive_bytes(&mut rest, 5).is_err());
        assert!(receive::<Answer>(&mut &stream[..16], 100).is_err());
    }
}

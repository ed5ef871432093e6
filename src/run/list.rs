//! A list of topics, read a line at a time: a topic a line, or a line of JSON with options.

use std::io::{BufRead, Read};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;

use crate::artifact::session::Depth;
use crate::config;

/// The longest line: a topic of the longest kind, and room for its options.
const LONGEST_LINE: u64 = 2 << 20;

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// What a line asks for, beyond what the batch asks for all.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    /// What to research.
    pub topic: String,
    /// Documents to read, instead of those of the batch.
    #[serde(default)]
    pub docs: Option<Vec<PathBuf>>,
    /// How much to do.
    #[serde(default)]
    pub depth: Option<Depth>,
    /// The score from which a round is accepted, 0 to 1.
    #[serde(default)]
    pub threshold: Option<f64>,
    /// Rounds at most.
    #[serde(default)]
    pub max_rounds: Option<u32>,
    /// The name of the session.
    #[serde(default)]
    pub session: Option<String>,
}

/// A line that is not empty and no comment.
#[derive(Debug)]
pub struct Item {
    /// Its number, from 1.
    pub line: u64,
    /// What it says.
    pub text: String,
    /// What it asks for, or why that cannot be made out.
    pub wish: Result<Wish>,
}

/// Reads a list.
pub struct List<R> {
    reader: R,
    line: u64,
    /// The line, kept to spare an allocation.
    bytes: Vec<u8>,
}

impl<R: BufRead> List<R> {
    /// A list from where `reader` stands.
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            line: 0,
            bytes: Vec::new(),
        }
    }

    /// How many items there are from here on.
    ///
    /// # Errors
    /// When the list cannot be read on.
    pub fn count(mut self) -> Result<u64> {
        let mut count = 0;
        while self.line()? {
            count += 1;
        }
        Ok(count)
    }

    /// The next item; `None` at the end.
    ///
    /// # Errors
    /// When the list cannot be read on.
    pub fn item(&mut self) -> Result<Option<Item>> {
        if !self.line()? {
            return Ok(None);
        }
        let line = self.line;
        let (text, wish) = match std::str::from_utf8(self.bytes.trim_ascii()) {
            Ok(text) => (text.trim().to_owned(), wish(text.trim())),
            Err(_) => {
                let text = String::from_utf8_lossy(&self.bytes).trim().to_owned();
                (text, Err(anyhow::anyhow!("is not UTF-8")))
            }
        };
        let wish = wish.with_context(|| format!("line {line}"));
        Ok(Some(Item { line, text, wish }))
    }

    /// Reads up to the next line that is an item; whether there is one.
    fn line(&mut self) -> Result<bool> {
        loop {
            self.bytes.clear();
            let mut limited = (&mut self.reader).take(LONGEST_LINE);
            let read = limited.read_until(b'\n', &mut self.bytes);
            if read.context("failed to read the list")? == 0 {
                return Ok(false);
            }
            self.line += 1;
            if self.bytes.len() as u64 == LONGEST_LINE && self.bytes.last() != Some(&b'\n') {
                bail!("line {} is longer than {LONGEST_LINE} bytes", self.line);
            }
            // Spreadsheets and editors put a byte order mark before the first line.
            if self.line == 1 && self.bytes.starts_with(MARK) {
                self.bytes.drain(..MARK.len());
            }
            let text = self.bytes.trim_ascii();
            if !text.is_empty() && !text.starts_with(b"#") {
                return Ok(true);
            }
        }
    }
}

fn wish(text: &str) -> Result<Wish> {
    if !text.starts_with('{') {
        return Ok(Wish {
            topic: text.to_owned(),
            ..Wish::default()
        });
    }
    let wish: Wish = serde_json::from_str(text).map_err(|error| {
        let column = error.column();
        let text = error.to_string();
        let problem = text.rsplit_once(" at line ");
        let problem = problem.map_or(text.as_str(), |(problem, _)| problem);
        anyhow::anyhow!("{problem} (column {column})")
    })?;
    ensure!(!wish.topic.trim().is_empty(), "the topic is empty");
    if let Some(threshold) = wish.threshold {
        config::check_threshold(threshold)?;
    }
    if let Some(rounds) = wish.max_rounds {
        config::check_rounds(rounds)?;
    }
    Ok(wish)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &[u8]) -> Vec<Item> {
        let mut list = List::new(text);
        std::iter::from_fn(|| list.item().unwrap()).collect()
    }

    #[test]
    fn topics_are_lines_and_lines_of_json() {
        let text = "\u{feff}bees\r\n\n  # not this\n  wasps and # hornets \n{\"topic\": \"ants\", \"depth\": \"deep\"}";
        let items = items(text.as_bytes());
        let seen: Vec<_> = items
            .iter()
            .map(|item| (item.line, item.wish.as_ref().unwrap().topic.as_str()))
            .collect();
        assert_eq!(seen, [(1, "bees"), (4, "wasps and # hornets"), (5, "ants")]);
        assert_eq!(items[2].wish.as_ref().unwrap().depth, Some(Depth::Deep));
    }

    #[test]
    fn a_line_that_cannot_be_used_is_named_and_stops_no_other() {
        for (line, expected) in [
            (
                &b"{\"topic\": \"a\", \"dept\": 1}"[..],
                "unknown field `dept`",
            ),
            (b"{\"topic\": \"a\"", "EOF"),
            (b"{\"topic\": 1}", "invalid type"),
            (b"{}", "missing field `topic`"),
            (b"{\"topic\": \" \"}", "empty"),
            (
                b"{\"topic\": \"a\", \"threshold\": 7}",
                "not between 0 and 1",
            ),
            (
                b"{\"topic\": \"a\", \"max_rounds\": 0}",
                "not between 1 and 100",
            ),
            (b"caf\xe9", "UTF-8"),
        ] {
            let text = [b"one\n", line, b"\ntwo\n"].concat();
            let items = items(&text);
            assert_eq!(items.len(), 3);
            let problem = format!("{:#}", items[1].wish.as_ref().unwrap_err());
            assert!(problem.starts_with("line 2: "), "{problem}");
            assert!(problem.contains(expected), "{problem}");
            assert!(items[2].wish.is_ok());
        }
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let text = vec![b'x'; 3 << 20];
        let error = List::new(&text[..]).item().unwrap_err();
        assert!(error.to_string().contains("longer than"), "{error}");
    }
}

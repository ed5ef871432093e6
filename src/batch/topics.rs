//! A list of topics, read line by line: each line is a topic, or JSON with options.

use std::io::{BufRead, Read};
use std::path::PathBuf;

use anyhow::{Context as _, Error, Result, anyhow, bail, ensure};
use foldhash::{HashMap, HashMapExt as _};
use serde::{Deserialize, Serialize};

use crate::artifact::session::{Depth, Mode};
use crate::config;
use crate::pipeline::Digest;
use crate::text::json_line_problem;

/// The length limit of a line, in bytes: the longest topic allowed, and room for its options.
const MAX_LINE_BYTES: u64 = 2 << 20;

/// The byte order mark in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The line before front matter, and the one behind it.
const FRONT_MATTER: &[u8] = b"---";

/// `true` for a line of one mark over and over, as a thematic break of Markdown is and the line
/// below a heading.
fn is_rule(line: &[u8]) -> bool {
    let mut marks = line.iter().filter(|byte| !byte.is_ascii_whitespace());
    let first = marks.next().filter(|mark| b"-*_=".contains(mark));
    first.is_some_and(|first| line.len() > 1 && marks.all(|mark| mark == first))
}

/// `true` for a line such as `title: Pumps`, whose name is one word.
fn is_field(line: &[u8]) -> bool {
    let mut parts = line.splitn(2, |byte| *byte == b':');
    let name = parts.next().unwrap_or_default();
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let value = parts.next();
    let ends_name = value.is_some_and(|value| value.is_empty() || value.starts_with(b" "));
    ends_name && !name.is_empty() && name.iter().all(is_of_name)
}

/// A topic and its options, which override those of the batch.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TopicSpec {
    /// The topic.
    pub topic: String,
    /// The documents to read, instead of those of the batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub docs: Option<Vec<PathBuf>>,
    /// The mode of research.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// The depth of the research.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Depth>,
    /// The score from which a round is accepted, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// The maximum number of rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_rounds: Option<u32>,
    /// The name of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// A line of the list that is neither empty nor a comment.
#[derive(Debug)]
pub struct TopicLine {
    /// Its number, from 1.
    pub line: u64,
    /// The parsed line, or the line that cannot be parsed.
    pub spec: Result<TopicSpec, InvalidLine>,
}

/// A line that cannot be parsed.
#[derive(Debug)]
pub struct InvalidLine {
    /// Its text.
    pub text: String,
    /// The reason.
    pub error: Error,
}

impl From<InvalidLine> for Error {
    fn from(line: InvalidLine) -> Self {
        line.error
    }
}

impl TopicLine {
    /// Parses the bytes of a line.
    pub fn parse(line: u64, bytes: &[u8]) -> Self {
        let parsed = std::str::from_utf8(bytes).map_err(|_| anyhow!("is not UTF-8"));
        let spec = parsed.and_then(|text| parse(text.trim()));
        Self {
            line,
            spec: spec.map_err(|error| InvalidLine {
                text: String::from_utf8_lossy(bytes).trim().to_owned(),
                error,
            }),
        }
    }
}

/// Reads a list of topics.
pub struct TopicList<R> {
    reader: R,
    line: u64,
    /// The buffer of the line, reused to save an allocation per line.
    bytes: Vec<u8>,
    /// Within the front matter, `true` behind its first field.
    front_matter: Option<bool>,
    /// The sessions that lines name, by hashes, so that a long list takes little memory: the line
    /// that names each first, and what it is for.
    named: HashMap<u64, (u64, u64)>,
}

impl<R: BufRead> TopicList<R> {
    /// Reads a list from the current position of `reader`.
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            line: 0,
            bytes: Vec::new(),
            front_matter: None,
            named: HashMap::new(),
        }
    }

    /// Counts the topics from here on.
    ///
    /// # Errors
    /// When the list cannot be read on.
    pub fn count(mut self) -> Result<u64> {
        let mut count = 0;
        while self.read_line()? {
            count += 1;
        }
        Ok(count)
    }

    /// The next topic; `None` at the end.
    ///
    /// # Errors
    /// When the list cannot be read on.
    pub fn next_line(&mut self) -> Result<Option<TopicLine>> {
        if !self.read_line()? {
            return Ok(None);
        }
        let line = self.line;
        let spec = TopicLine::parse(line, &self.bytes).spec;
        let spec = spec.and_then(|spec| match self.other_of_name(&spec) {
            Some(error) => Err(InvalidLine {
                text: String::from_utf8_lossy(self.bytes.trim_ascii()).into_owned(),
                error,
            }),
            None => Ok(spec),
        });
        let spec = spec.map_err(|InvalidLine { text, error }| InvalidLine {
            text,
            error: error.context(format!("line {line}")),
        });
        Ok(Some(TopicLine { line, spec }))
    }

    /// Why a topic cannot have the session that it names: an earlier line names it for another one.
    /// `None` if nothing is wrong; the same line twice is a duplicate.
    fn other_of_name(&mut self, spec: &TopicSpec) -> Option<Error> {
        let name = spec.session.as_ref()?;
        let own = Digest::of_value(&TopicSpec {
            // Neither is of the session.
            threshold: None,
            max_rounds: None,
            ..spec.clone()
        })
        .leading_u64();
        let key = Digest::of_value(name).leading_u64();
        let (line, first) = self.named.entry(key).or_insert((self.line, own));
        (*first != own).then(|| {
            anyhow!(
                "line {line} names the session {name} too, for another topic, documents, mode or \
                 depth; give one of the two another name"
            )
        })
    }

    /// `true` if the line that was read last has a topic: it is neither empty nor a comment, as a
    /// heading in Markdown is, nor a rule, nor of the front matter that a list may begin with.
    fn has_topic(&mut self) -> bool {
        let text = self.bytes.trim_ascii();
        if is_rule(text) {
            let begins = self.line == 1 && text == FRONT_MATTER;
            self.front_matter = begins.then_some(false);
            return false;
        }
        if text.is_empty() || text.starts_with(b"#") {
            return false;
        }
        let Some(has_field) = self.front_matter else {
            return true;
        };
        // The items of a list behind a field, and what is indented, are its value.
        let is_value = has_field && self.bytes.starts_with(b"- ") || self.bytes.starts_with(b" ");
        self.front_matter = (is_value || is_field(text)).then_some(true);
        self.front_matter.is_none()
    }

    /// Reads up to the next line with a topic; returns `false` at the end of the list.
    fn read_line(&mut self) -> Result<bool> {
        loop {
            self.bytes.clear();
            let mut limited = (&mut self.reader).take(MAX_LINE_BYTES);
            let read = limited.read_until(b'\n', &mut self.bytes);
            if read.context("failed to read the list")? == 0 {
                return Ok(false);
            }
            self.line += 1;
            // A full buffer without a line end: the rest of the line is not read, so that a list
            // without line ends does not fill memory.
            if self.bytes.len() as u64 == MAX_LINE_BYTES && self.bytes.last() != Some(&b'\n') {
                bail!("line {} is longer than {MAX_LINE_BYTES} bytes", self.line);
            }
            // Spreadsheets and editors put a byte order mark before the first line.
            if self.line == 1 && self.bytes.starts_with(BYTE_ORDER_MARK) {
                self.bytes.drain(..BYTE_ORDER_MARK.len());
            }
            if self.has_topic() {
                return Ok(true);
            }
        }
    }
}

/// The names of the column of topics in the header of a table; a closed list, written by hand.
const COLUMNS: &[&str] = &["frage", "query", "question", "thema", "topic"];

/// `true` for the first line of a table with a column of topics: "topic,depth".
pub fn is_header_of_table(line: &str) -> bool {
    let mut names = line.split([',', ';', '\t']);
    names.any(|name| {
        let name = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\u{feff}'));
        COLUMNS.contains(&name.trim_end_matches('s').to_lowercase().as_str())
    })
}

fn parse(text: &str) -> Result<TopicSpec> {
    // "[Draft] bees" is a topic.
    let array = text.strip_prefix('[').map(str::trim_start);
    ensure!(
        array.is_none_or(|rest| !rest.is_empty() && !rest.starts_with(['{', '"'])),
        "it begins a JSON array; write one topic or one JSON object a line, without brackets and \
         commas"
    );
    // A brace marks JSON; a topic that begins with a brace must itself be written as JSON.
    if !text.starts_with('{') {
        // The rules of a table.
        let mut bytes = text.bytes();
        let is_rule = text.len() > 1
            && bytes.all(|byte| byte.is_ascii_punctuation() || byte.is_ascii_whitespace());
        ensure!(
            !is_rule,
            "it has no word; write one topic a line, in a plain text file"
        );
        return Ok(TopicSpec {
            topic: text.to_owned(),
            ..TopicSpec::default()
        });
    }
    let spec: TopicSpec = serde_json::from_str(text).map_err(|error| {
        let problem = json_line_problem(&error);
        if error.is_data() {
            return anyhow!(problem);
        }
        anyhow!(
            "{problem}; write a topic as one JSON object in one line, without a comma behind it"
        )
    })?;
    ensure!(!spec.topic.trim().is_empty(), "the topic is empty");
    if let Some(threshold) = spec.threshold {
        config::check_threshold(threshold)?;
    }
    if let Some(rounds) = spec.max_rounds {
        config::check_rounds(rounds)?;
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<TopicLine> {
        let mut list = TopicList::new(text);
        std::iter::from_fn(|| list.next_line().unwrap()).collect()
    }

    #[test]
    fn topic_list_reads_plain_lines_and_json_lines() {
        let text = "\u{feff}bees\r\n\n  # not this\n  wasps and # hornets \n\
                    {\"topic\": \"ants\", \"depth\": \"deep\"}";
        let lines = lines(text.as_bytes());
        let seen: Vec<_> = lines
            .iter()
            .map(|line| (line.line, line.spec.as_ref().unwrap().topic.as_str()))
            .collect();
        assert_eq!(seen, [(1, "bees"), (4, "wasps and # hornets"), (5, "ants")]);
        assert_eq!(lines[2].spec.as_ref().unwrap().depth, Some(Depth::Deep));
    }

    #[test]
    fn rules_and_front_matter_of_a_list_in_markdown_are_no_topics() {
        let front = "---\ntitle: Pumps\ntags:\n- old\n  - new\n---\n";
        for (text, topics) in [
            ("# List\n\n---\nbees\n***\n* * *\nants: why?\n___", 2),
            ("List\n====\nbees\n----", 2),
            (&format!("{front}bees\nants: why?\n- wasps"), 3),
            ("---\n- bees\n- ants", 2),
            ("---\ntitle: Pumps\nWhat is a bee?\nants: why?", 2),
            ("-\n--x", 2),
        ] {
            assert_eq!(lines(text.as_bytes()).len(), topics, "{text}");
            let counted = TopicList::new(text.as_bytes()).count().unwrap();
            assert_eq!(counted, topics as u64, "{text}");
        }
        let table = lines(b"| a | b |\n|---|---|\n");
        assert!(table[1].spec.is_err());
    }

    #[test]
    fn topic_list_names_a_malformed_line_and_reads_on() {
        for (line, expected) in [
            (
                &b"{\"topic\": \"a\", \"dept\": 1}"[..],
                "unknown field `dept`",
            ),
            (b"{\"topic\": \"a\"", "ends in the middle"),
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
            (
                b"[\"Who owns it?\", \"Who is mayor?\"]",
                "begins a JSON array",
            ),
            (b"[ {\"topic\": \"a\"}]", "begins a JSON array"),
        ] {
            let text = [b"one\n", line, b"\ntwo\n"].concat();
            let lines = lines(&text);
            assert_eq!(lines.len(), 3);
            let problem = format!("{:#}", lines[1].spec.as_ref().unwrap_err().error);
            assert!(problem.starts_with("line 2: "), "{problem}");
            assert!(problem.contains(expected), "{problem}");
            assert!(lines[2].spec.is_ok());
        }
    }

    #[test]
    fn first_line_of_a_table_is_its_header() {
        for (line, is_header) in [
            ("topic,depth", true),
            ("\"Topic\";\"Depth\"", true),
            ("question", true),
            ("Who owns the plant, and since when?", false),
            ("pumps,boilers", false),
        ] {
            assert_eq!(is_header_of_table(line), is_header, "{line}");
        }
    }

    #[test]
    fn topic_list_limits_the_length_of_a_line() {
        let text = vec![b'x'; 3 << 20];
        let error = TopicList::new(&text[..]).next_line().unwrap_err();
        assert!(error.to_string().contains("longer than"), "{error}");
    }
}

//! Aliases: the names a document goes by, for entity linking.

use std::path::Path;

use crate::read::{Document, metadata};
use crate::text::{self, Block, BlockKind};

/// The longest alias, in words.
pub(in crate::search) const ALIAS_WORDS: usize = 12;

/// A subject ends within this many bytes of its sentence. Chosen by hand.
const SUBJECT_BYTES: usize = 120;

/// The maximum number of words of a subject. Chosen by hand.
const SUBJECT_WORDS: usize = 6;

/// The keys by which a name leads to a document: its title, its first heading, the subject of its
/// first sentence and its file's name, each also without a final remark in brackets.
pub(in crate::search) fn keys(document: &Document, blocks: &[Block], locator: &str) -> Vec<String> {
    let first = |kind| {
        let block = blocks.iter().find(|block| block.kind == kind)?;
        Some(&document.text[block.range.clone()])
    };
    let file = metadata::name_as_title(Path::new(locator));
    // Which of several documents with one name is meant is decided when a query comes.
    let names = [
        Some(document.title.as_str()),
        first(BlockKind::Heading),
        first(BlockKind::Paragraph).and_then(subject),
        Some(file.as_str()),
    ];
    let mut keys: Vec<String> = Vec::new();
    for name in names.into_iter().flatten() {
        let short = name.rsplit_once('(').filter(|_| name.ends_with(')'));
        keys.extend(key(name));
        keys.extend(short.and_then(|(short, _)| key(short)));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The key of a name: its words as names compare, with blanks between; `None` for a name that is
/// too long, or of stop words and numbers only.
fn key(name: &str) -> Option<String> {
    let words: Vec<String> = text::words(name).map(|word| normalise(word.text)).collect();
    let names_something =
        |word: &String| !text::is_stop_word(word) && word.chars().any(char::is_alphabetic);
    let is_name = words.len() <= ALIAS_WORDS && words.iter().any(names_something);
    is_name.then(|| words.join(" "))
}

/// A word of a name as names compare: folded, without a possessive.
pub(in crate::search) fn normalise(word: &str) -> String {
    let mut folded = text::fold(word);
    if folded.ends_with("'s") {
        folded.truncate(folded.len() - 2);
    }
    folded
}

/// The subject of a first sentence that introduces it, as in "Honey (a food) is sweet".
fn subject(paragraph: &str) -> Option<&str> {
    let start = &paragraph[..paragraph.floor_char_boundary(SUBJECT_BYTES)];
    let ends = ["(", ",", ";", ":", " is ", " was ", " are ", " were "];
    let end = ends.iter().filter_map(|end| start.find(end)).min()?;
    let subject = start[..end].trim();
    let article = ["The ", "A ", "An "];
    // "The pump (a machine) …" goes by "pump".
    let subject = article
        .iter()
        .find_map(|article| subject.strip_prefix(article))
        .unwrap_or(subject);
    let words = text::words(subject).count();
    let is_name = subject.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    (is_name && (1..=SUBJECT_WORDS).contains(&words)).then_some(subject)
}

//! Aliases: the names a document goes by, for entity linking.

use std::path::Path;

use crate::read::Document;
use crate::read::designation::{self, Designation};
use crate::read::metadata;
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
    keys.extend(numbers(document, locator));
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The keys for a number within a series of documents, by the header, the title and the file's name
/// (`RFC PR: rust-lang/rfcs#2094`, `PEP 3105 – Make print a function`, `adr-012-queues.md`), and
/// the title that the header or the rest of the title gives it.
///
/// A file such as `0012-queues.md` whose document names no series has the key of the number alone,
/// which leads to it from a number in any series.
fn numbers(document: &Document, locator: &str) -> Vec<String> {
    let stem = Path::new(locator).file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    let header = designation::designation(&document.text);
    let (titled, rest) = designation::leading_designation(&document.title).unzip();
    let named = designation::leading_designation(&stem).map(|(named, _)| named);
    let numbered = designation::leading_number(&stem).map(|(number, _)| number);
    let mut designations: Vec<Designation> =
        [header, titled, named].into_iter().flatten().collect();
    let title = header.and_then(|_| metadata::top_value(&document.text, &["title"]));
    let mut keys: Vec<String> = title.into_iter().chain(rest).filter_map(key).collect();
    match (numbered, designations.first()) {
        (Some(number), Some(first)) => designations.push(Designation { number, ..*first }),
        (Some(number), None) => keys.push(number_key(None, number)),
        (None, _) => {}
    }
    keys.extend(
        designations
            .iter()
            .map(|one| number_key(Some(one.series), one.number)),
    );
    keys
}

/// The key for a number, in a series or in any. It begins with a sign that no word does: only a
/// series and a number lead to it, and no number by itself.
pub(in crate::search) fn number_key(series: Option<&str>, number: u64) -> String {
    format!("#{} {number}", series.unwrap_or_default())
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

/// A word of a name as names compare: folded, without a possessive or leading zeros.
pub(in crate::search) fn normalise(word: &str) -> String {
    normalise_folded(text::fold(word))
}

/// [`normalise`] of a word that is folded already.
pub(in crate::search) fn normalise_folded(mut folded: String) -> String {
    if folded.ends_with("'s") {
        folded.truncate(folded.len() - 2);
    }
    // Numbers compare by value: RFC 0002 is RFC 2.
    if folded.starts_with('0') && folded.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = folded.trim_start_matches('0');
        return if number.is_empty() { "0" } else { number }.to_owned();
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

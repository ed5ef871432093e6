//! Which documents a question names, and which documents those mention.
//!
//! A question about two things that are described in different documents shares words with the
//! first only; the second is found through its name in the text of the first. Refuses to know what
//! a name is of.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::index::Index;
use super::language::Language;
use super::question::{Question, plain};
use crate::read::{Document, metadata};
use crate::text::{self, Block, BlockKind};

/// The longest name, in words.
const NAME_WORDS: usize = 12;

/// A name that more documents share is a kind of document, such as "introduction".
const SHARED: usize = 10;

/// From this weight of BM25 on, a single word in a question without capitals is rare enough to be a
/// name.
const RARE: f64 = 5.0;

/// A subject ends within this many bytes of its sentence.
const SUBJECT_BYTES: usize = 120;
/// The longest subject, in words.
const SUBJECT_WORDS: usize = 6;

/// Documents that a named document leads to.
const MENTIONS: usize = 4;

/// Words of a document that are searched for names.
const SEARCHED_WORDS: usize = 20_000;

/// How near to a mention a word of the question counts, in words.
const NEAR: usize = 6;

/// Words that begin alike to this many characters count nearly as the same.
const ALIKE_CHARACTERS: usize = 5;
const ALIKE: f64 = 0.8;

/// The names a document goes by: its title, its first heading, and the subject of its first
/// sentence.
pub(super) fn aliases(document: &Document, blocks: &[Block]) -> Vec<String> {
    let first = |kind| {
        let block = blocks.iter().find(|block| block.kind == kind)?;
        Some(&document.text[block.range.clone()])
    };
    let subject = first(BlockKind::Paragraph).and_then(subject);
    let mut found = vec![document.title.clone()];
    for alias in first(BlockKind::Heading).into_iter().chain(subject) {
        if !found.iter().any(|known| known == alias) {
            found.push(alias.to_owned());
        }
    }
    found
}

/// The subject of a first sentence that introduces it, as in "Honey (a food) is sweet".
fn subject(paragraph: &str) -> Option<&str> {
    let start = &paragraph[..paragraph.floor_char_boundary(SUBJECT_BYTES)];
    let ends = ["(", ",", ";", ":", " is ", " was ", " are ", " were "];
    let end = ends.iter().filter_map(|end| start.find(end)).min()?;
    let subject = start[..end].trim();
    let article = ["The ", "A ", "An "];
    let subject = article
        .iter()
        .find_map(|article| subject.strip_prefix(article))
        .unwrap_or(subject);
    let words = text::words(subject).count();
    let is_name = subject.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    (is_name && (1..=SUBJECT_WORDS).contains(&words)).then_some(subject)
}

/// All names and who goes by them.
#[derive(Default)]
pub(super) struct Names {
    documents: HashMap<String, Vec<usize>>,
    /// The longest name that begins with a word, in words.
    longest: HashMap<String, usize>,
}

/// A document that a question names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) document: usize,
    /// Its name's place among the words of the question.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A document that a text mentions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mention {
    pub(super) document: usize,
    pub(super) score: f64,
}

impl Names {
    /// Takes in the names of a document.
    pub(super) fn add(&mut self, document: usize, locator: &str, aliases: &[String]) {
        let file = metadata::name_as_title(Path::new(locator));
        for alias in aliases.iter().chain([&file]) {
            self.add_one(document, alias);
            if let Some((short, _)) = alias.rsplit_once('(').filter(|_| alias.ends_with(')')) {
                self.add_one(document, short);
            }
        }
    }

    fn add_one(&mut self, document: usize, alias: &str) {
        let words: Vec<String> = text::words(alias).map(|word| plain(word.text)).collect();
        let says =
            |word: &String| !text::is_stop_word(word) && word.chars().any(char::is_alphabetic);
        let Some(first) = words
            .first()
            .filter(|_| words.len() <= NAME_WORDS && words.iter().any(says))
        else {
            return;
        };
        let longest = self.longest.entry(first.clone()).or_default();
        *longest = words.len().max(*longest);
        let documents = self.documents.entry(words.join(" ")).or_default();
        if documents.last() != Some(&document) {
            documents.push(document);
        }
    }

    /// The documents of the longest name that begins with these words, and its length in words.
    fn longest_at(&self, words: &[impl AsRef<str>], most: usize) -> Option<(&[usize], usize)> {
        let most = most
            .min(*self.longest.get(words.first()?.as_ref())?)
            .min(words.len());
        (1..=most).rev().find_map(|length| {
            let parts: Vec<&str> = words[..length].iter().map(AsRef::as_ref).collect();
            let documents = self.documents.get(&parts.join(" "))?;
            (documents.len() <= SHARED).then_some((documents.as_slice(), length))
        })
    }

    /// The documents that a question names, in its order; of several with one name, the one with
    /// the best score.
    pub(super) fn links(&self, question: &Question, index: &Index, scores: &[f64]) -> Vec<Link> {
        let words: Vec<&str> = question
            .words
            .iter()
            .map(|word| word.plain.as_str())
            .collect();
        let mut spans = Vec::new();
        for start in 0..words.len() {
            let mut most = words.len();
            while let Some((documents, length)) = self.longest_at(&words[start..], most) {
                if length > 1 || is_word_a_name(question, start, index) {
                    spans.push((length, start, documents));
                    break;
                }
                most = length - 1;
            }
        }
        spans.sort_by_key(|(length, start, _)| (std::cmp::Reverse(*length), *start));
        let mut links: Vec<Link> = Vec::new();
        for (length, start, documents) in spans {
            let end = start + length;
            let is_free = links
                .iter()
                .all(|link| end <= link.start || link.end <= start);
            if let Some(document) = best_of(documents, scores).filter(|_| is_free) {
                links.push(Link {
                    document,
                    start,
                    end,
                });
            }
        }
        links.sort_by_key(|link| link.start);
        let mut seen = Vec::new();
        links.retain(|link| {
            let is_new = !seen.contains(&link.document);
            seen.push(link.document);
            is_new
        });
        links
    }

    /// The documents that a text mentions, best first: those named near to words of the question
    /// (`stems`), then those named early.
    pub(super) fn mentions(
        &self,
        own: usize,
        (text, language): (&str, Language),
        stems: &[&str],
        scores: &[f64],
    ) -> Vec<Mention> {
        let written: Vec<&str> = text::words(text)
            .take(SEARCHED_WORDS)
            .map(|word| word.text)
            .collect();
        let words: Vec<String> = written.iter().map(|word| plain(word)).collect();
        let mut best: BTreeMap<usize, f64> = BTreeMap::new();
        let mut start = 0;
        while start < words.len() {
            let is_capitalised =
                written[start].starts_with(|c: char| c.is_uppercase() || c.is_numeric());
            let found = self
                .longest_at(&words[start..], NAME_WORDS)
                .filter(|_| is_capitalised);
            let Some((documents, length)) = found else {
                start += 1;
                continue;
            };
            if let Some(document) = best_of(documents, scores).filter(|found| *found != own) {
                let near = nearness(&written, start..start + length, stems, language);
                let early = 1.0 - start as f64 / words.len() as f64;
                let score = best.entry(document).or_default();
                *score = score.max(near + 0.25 * early);
            }
            start += length;
        }
        let mut mentions: Vec<Mention> = best
            .into_iter()
            .map(|(document, score)| Mention { document, score })
            .collect();
        mentions.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.document.cmp(&b.document))
        });
        mentions.truncate(MENTIONS);
        mentions
    }
}

/// A single word is a name if it is capitalised as one, or is rare in a question without capitals.
fn is_word_a_name(question: &Question, place: usize, index: &Index) -> bool {
    let word = &question.words[place];
    let mut terms = word.stems.iter().filter_map(|stem| index.term(stem));
    if question.is_lower_case() {
        terms.any(|term| index.idf(term) >= RARE)
    } else {
        // The first word is capitalised in any case.
        word.is_capitalised() && (place > 0 || terms.any(|term| index.is_name(term)))
    }
}

fn best_of(documents: &[usize], scores: &[f64]) -> Option<usize> {
    let better = |a: &&usize, b: &&usize| scores[**a].total_cmp(&scores[**b]).then(b.cmp(a));
    documents.iter().max_by(better).copied()
}

/// How near the words of the question stand to a name in a text: 1 for the same word beside it,
/// less with each word between and for a word that only begins alike.
fn nearness(
    written: &[&str],
    name: std::ops::Range<usize>,
    stems: &[&str],
    language: Language,
) -> f64 {
    let before =
        (1..=NEAR).filter_map(|distance| Some((distance, name.start.checked_sub(distance)?)));
    let after = (1..=NEAR).map(|distance| (distance, name.end + distance - 1));
    let mut best: f64 = 0.0;
    for (distance, place) in before.chain(after) {
        let Some(stem) = written.get(place).and_then(|word| language.term(word)) else {
            continue;
        };
        let matched = stems
            .iter()
            .map(|asked| alike(asked, &stem))
            .fold(0.0, f64::max);
        best = best.max(matched * (1.0 - 0.5 * distance as f64 / (NEAR + 1) as f64));
    }
    best
}

fn alike(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    if common >= ALIKE_CHARACTERS {
        ALIKE
    } else {
        0.0
    }
}

//! Entity linking: which documents a query names by their aliases, and which documents those
//! mention.
//!
//! A query about two things that are described in different documents shares words with the first
//! only; the second is found through its name in the text of the first. The longest match wins.

use std::collections::BTreeMap;

use super::{Query, QueryWord};
use crate::read::designation::{self, Designation};
use crate::search::index::Index;
use crate::search::index::aliases::{ALIAS_WORDS, normalise, number_key};
use crate::search::index::analyzer::Term;
use crate::text::{self, Language};

/// An alias that more documents share names a kind of document, such as "introduction".
const MAX_SHARING: usize = 10;

/// From this idf on, a single word in a query without capitals is rare enough to be a name.
const RARE_IDF: f64 = 5.0;

/// The words between a series and a number: "RFC no. 2119".
const NUMBER_WORDS: &[&str] = &["no", "nr", "number", "pr"];

/// Words of a name that its alias may not have.
const SMALL_WORDS: &[&str] = &["the", "a", "an", "of", "from", "on"];

/// The mentions that a named document leads to, at most.
const MAX_MENTIONS: usize = 4;

/// The first words of a document that are searched for mentions.
const SEARCHED_WORDS: usize = 20_000;

/// The window around a mention in which a word of the query counts, in words.
const WINDOW: usize = 6;

/// Words with a common prefix of so many characters count as similar. Set by a prototype on
/// questions over two documents each.
const PREFIX_CHARACTERS: usize = 5;

/// The similarity of two words with a common prefix; set likewise. That of equal words is 1.
const PREFIX_MATCH: f64 = 0.8;

/// The loss of proximity over the whole window: a word at its end counts little more than half.
/// Chosen by hand.
const DISTANCE_DISCOUNT: f64 = 0.5;

/// The weight of a mention's position, beside a proximity of at most 1: among mentions that have no
/// word of the query near, the first wins. Chosen by hand.
const POSITION_WEIGHT: f64 = 0.25;

/// An upper bound of [`Mention::score`]: proximity and position are each at most 1.
pub(in crate::search) const MENTION_SCORE_BOUND: f64 = 1.0 + POSITION_WEIGHT;

/// A document that a query names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct Link {
    pub(in crate::search) document: usize,
    /// The words of the query that are its name.
    pub(in crate::search) start: usize,
    pub(in crate::search) end: usize,
}

/// A document that a text mentions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::search) struct Mention {
    pub(in crate::search) document: usize,
    /// From its proximity to words of the query and its position; below [`MENTION_SCORE_BOUND`].
    pub(in crate::search) score: f64,
}

/// The documents of the longest alias that begins with these words, of at most `limit` words, and
/// its length in words.
fn longest_match(
    index: &Index,
    words: &[impl AsRef<str>],
    limit: usize,
) -> Option<(Vec<usize>, usize)> {
    let mut key = String::new();
    let mut ends = Vec::new();
    for word in words.iter().take(limit) {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word.as_ref());
        if !index.begins_name(&key) {
            break;
        }
        ends.push(key.len());
    }
    ends.iter().enumerate().rev().find_map(|(before, end)| {
        let documents = index.documents_named(&key[..*end], MAX_SHARING)?;
        Some((documents, before + 1))
    })
}

/// The words of a query that name a document by its number in a series, and the documents that they
/// may mean.
pub(in crate::search) struct Citation {
    pub(in crate::search) start: usize,
    pub(in crate::search) end: usize,
    pub(in crate::search) documents: Vec<usize>,
}

/// The documents that a query names by number, as in `RFC 2094`, `ADR-12` or `pep8`.
pub(in crate::search) fn citations(query: &Query, index: &Index) -> Vec<Citation> {
    let words: Vec<&str> = query
        .words
        .iter()
        .map(|word| word.normalised.as_str())
        .collect();
    let citation = |start: usize| {
        let (designation, length) = designation(&words[start..])?;
        Some(Citation {
            start,
            end: start + length,
            documents: numbered(index, designation)?,
        })
    };
    (0..words.len()).filter_map(citation).collect()
}

/// The documents of a number in a series.
fn numbered(index: &Index, Designation { series, number }: Designation) -> Option<Vec<usize>> {
    let find = |series| index.documents_named(&number_key(series, number), MAX_SHARING);
    find(Some(series)).or_else(|| find(None))
}

/// The only document that goes by a name as a whole, which is a designation or an alias; an alias
/// may do without the small words of the name: "the policy of 2025" is "Policy (2025)".
pub(in crate::search) fn document_of_name(index: &Index, name: &str) -> Option<usize> {
    let words: Vec<String> = text::words(name)
        .take(ALIAS_WORDS)
        .map(|word| normalise(word.text))
        .collect();
    let parts: Vec<&str> = words.iter().map(String::as_str).collect();
    let documents = match designation(&parts) {
        Some((designation, length)) if length == parts.len() => numbered(index, designation),
        _ => index
            .documents_named(&parts.join(" "), MAX_SHARING)
            .or_else(|| {
                let content = parts.iter().filter(|part| !SMALL_WORDS.contains(part));
                let content: Vec<&str> = content.copied().collect();
                index.documents_named(&content.join(" "), MAX_SHARING)
            }),
    };
    documents.filter(|documents| documents.len() == 1)?.pop()
}

/// The designation that words begin with, and its length in words.
fn designation(words: &[&str]) -> Option<(Designation, usize)> {
    let (first, rest) = words.split_first()?;
    if let Some((designation, "")) = designation::leading_designation(first) {
        return Some((designation, 1));
    }
    let series = designation::series(first)?;
    let fillers = rest.iter().take_while(|word| NUMBER_WORDS.contains(word));
    let fillers = fillers.count();
    let number = rest.get(fillers)?.parse().ok()?;
    Some((Designation { series, number }, fillers + 2))
}

/// The terms of the words by which a query names documents by number: they say which document is
/// meant, and nothing of what is asked about it.
pub(in crate::search) fn citation_terms(query: &Query, index: &Index) -> Vec<Term> {
    citations(query, index)
        .iter()
        .flat_map(|citation| &query.words[citation.start..citation.end])
        .flat_map(|word| index.contained(&word.terms))
        .collect()
}

/// The documents that a query names, in its order; of several with one name, the one with the best
/// score.
pub(in crate::search) fn links(query: &Query, index: &Index, scores: &[f64]) -> Vec<Link> {
    let words: Vec<&str> = query
        .words
        .iter()
        .map(|word| word.normalised.as_str())
        .collect();
    let mut spans: Vec<(usize, usize, Vec<usize>)> = citations(query, index)
        .into_iter()
        .map(|one| (one.end - one.start, one.start, one.documents))
        .collect();
    for start in 0..words.len() {
        let mut limit = ALIAS_WORDS;
        while let Some((documents, length)) = longest_match(index, &words[start..], limit) {
            if length > 1 || is_word_a_name(query, start, index) {
                spans.push((length, start, documents));
                break;
            }
            limit = length - 1;
        }
    }
    // Longest names first; a name within another is no name of its own.
    spans.sort_by_key(|(length, start, _)| (std::cmp::Reverse(*length), *start));
    let mut links: Vec<Link> = Vec::new();
    for (length, start, documents) in spans {
        let end = start + length;
        let is_free = links
            .iter()
            .all(|link| end <= link.start || link.end <= start);
        if let Some(document) = best_of(&documents, scores).filter(|_| is_free) {
            links.push(Link {
                document,
                start,
                end,
            });
        }
    }
    // A document that is named twice counts where it is named first.
    links.sort_by_key(|link| link.start);
    let mut linked = Vec::new();
    links.retain(|link| {
        let is_new = !linked.contains(&link.document);
        linked.push(link.document);
        is_new
    });
    links
}

/// The documents that a text mentions, best first: those named near words of the query (`stems`),
/// then those named early.
pub(in crate::search) fn mentions(
    index: &Index,
    document: usize,
    (text, language): (&str, Language),
    stems: &[String],
    scores: &[f64],
) -> Vec<Mention> {
    let written: Vec<&str> = text::words(text)
        .take(SEARCHED_WORDS)
        .map(|word| word.text)
        .collect();
    let words: Vec<String> = written.iter().map(|word| normalise(word)).collect();
    let mut best: BTreeMap<usize, f64> = BTreeMap::new();
    let mut start = 0;
    while start < words.len() {
        let is_capitalised =
            written[start].starts_with(|c: char| c.is_uppercase() || c.is_numeric());
        let matched = is_capitalised
            .then(|| longest_match(index, &words[start..], ALIAS_WORDS))
            .flatten();
        let Some((documents, length)) = matched else {
            start += 1;
            continue;
        };
        if let Some(other) = best_of(&documents, scores).filter(|other| *other != document) {
            // Proximity to words of the query, as "directed by" is near the director's name.
            let near = nearness(&written, start..start + length, stems, language);
            let early = 1.0 - start as f64 / words.len() as f64;
            let score = best.entry(other).or_default();
            *score = score.max(near + POSITION_WEIGHT * early);
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
    mentions.truncate(MAX_MENTIONS);
    mentions
}

/// A single word is a name if it is capitalised as one, or is rare in a query without capitals.
fn is_word_a_name(query: &Query, number: usize, index: &Index) -> bool {
    let word: &QueryWord = &query.words[number];
    let mut terms = index.contained(&word.terms);
    if query.is_lower_case() {
        terms.any(|term| index.idf(term) >= RARE_IDF)
    } else {
        // The first word is capitalised in any case.
        word.is_capitalised() && (number > 0 || terms.any(|term| index.is_name(term)))
    }
}

fn best_of(documents: &[usize], scores: &[f64]) -> Option<usize> {
    let better = |a: &&usize, b: &&usize| scores[**a].total_cmp(&scores[**b]).then(b.cmp(a));
    documents.iter().max_by(better).copied()
}

/// The proximity of the words of the query to a name in a text: 0.93 for the same word right beside
/// it (distance 1 of the window), less for each word between and for a word that only has a common
/// prefix, 0 without any in the window.
fn nearness(
    written: &[&str],
    name: std::ops::Range<usize>,
    stems: &[String],
    language: Language,
) -> f64 {
    let before =
        (1..=WINDOW).filter_map(|distance| Some((distance, name.start.checked_sub(distance)?)));
    let after = (1..=WINDOW).map(|distance| (distance, name.end + distance - 1));
    let mut best: f64 = 0.0;
    for (distance, number) in before.chain(after) {
        let Some(stem) = written.get(number).and_then(|word| language.term(word)) else {
            continue;
        };
        let matched = stems
            .iter()
            .map(|wanted| similarity(wanted, &stem))
            .fold(0.0, f64::max);
        best =
            best.max(matched * (1.0 - DISTANCE_DISCOUNT * distance as f64 / (WINDOW + 1) as f64));
    }
    best
}

fn similarity(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    if common >= PREFIX_CHARACTERS {
        PREFIX_MATCH
    } else {
        0.0
    }
}

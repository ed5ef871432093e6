//! Mentions: the names, acronyms, versions, identifiers, titles and terms in a sentence, by their
//! form alone. A rule of this kind is precise for names and finds few of the other entities.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::contradiction::PROPOSAL_WORDS;
use super::theme;
use crate::artifact::Research;
use crate::artifact::analysis::EntityKind;
use crate::text;

/// The maximum number of common terms.
const CONCEPTS: usize = 24;

/// The maximum number of words of a common term.
const CONCEPT_WORDS: usize = 3;

/// The maximum length of an identifier in code, in characters: more is a statement.
const CODE_CHARACTERS: usize = 40;

/// The number of words from which a sentence of mostly capitalised ones is a title: capitals tell
/// nothing in it.
const TITLE_WORDS: usize = 4;

/// An entity in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) range: Range<usize>,
    pub(super) name: String,
    pub(super) kind: EntityKind,
}

/// The form by which two names are the same: their stems.
pub(super) fn key(name: &str) -> String {
    let stems: Vec<String> = tokens(name).into_iter().map(|token| token.stem).collect();
    stems.join(" ")
}

/// What is known of all passages before the first sentence is read.
pub(super) struct Vocabulary<'a> {
    /// The stems of common terms that several passages use.
    concepts: BTreeSet<Vec<String>>,
    /// The words that are capitalised inside of a sentence somewhere.
    proper: BTreeSet<String>,
    titles: Vec<&'a str>,
}

struct Token<'a> {
    text: &'a str,
    folded: String,
    stem: String,
    range: Range<usize>,
}

impl Token<'_> {
    /// `true` for a word that may be a name: capitalised, and not a stop word or a month.
    fn is_capital(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
            && self.text.chars().nth(1).is_some()
            && !text::is_stop_word(&self.folded)
            && !text::MONTHS.contains(&self.folded.as_str())
    }

    /// `true` for an acronym or an identifier: `GIL`, `R290`, `CPython`.
    fn is_acronymic(&self) -> bool {
        let capitals = self.text.chars().filter(|c| c.is_uppercase()).count();
        capitals >= 2 || capitals == 1 && self.text.contains(|c: char| c.is_ascii_digit())
    }

    fn is_number(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_digit())
    }
}

impl<'a> Vocabulary<'a> {
    pub(super) fn of(research: &'a Research) -> Self {
        let mut users: BTreeMap<Vec<String>, BTreeSet<&str>> = BTreeMap::new();
        let mut proper = BTreeSet::new();
        for passage in &research.passages {
            for phrase in theme::phrases(&passage.quote) {
                let stems: Vec<String> = phrase.split(' ').map(text::stem).collect();
                users.entry(stems).or_default().insert(&passage.id);
            }
            for range in text::sentences(&passage.quote, 0..passage.quote.len()) {
                let sentence = &passage.quote[range];
                let tokens = tokens(sentence);
                if !is_title(&tokens) {
                    let inside = tokens.iter().skip(1).filter(|token| token.is_capital());
                    proper.extend(inside.map(|token| token.folded.clone()));
                }
            }
        }
        users.retain(|_, all| all.len() > 1);
        // "Heat pump shrink" is the much more frequent "heat pump" with a verb.
        let is_longer = |stems: &Vec<String>, all: usize| {
            let mut shorter = stems.windows(stems.len() - 1);
            shorter.any(|part| users.get(part).is_some_and(|more| more.len() > 2 * all))
        };
        let mut concepts: Vec<_> = users
            .iter()
            .filter(|(stems, all)| !is_longer(stems, all.len()))
            .collect();
        // Stable: ties stay in alphabetical order.
        concepts.sort_by_key(|(_, all)| std::cmp::Reverse(all.len()));
        concepts.truncate(CONCEPTS);
        let titles = research.sources.iter().map(|source| source.title.as_str());
        Self {
            concepts: concepts
                .into_iter()
                .map(|(stems, _)| stems.clone())
                .collect(),
            proper,
            titles: titles.filter(|title| title.contains(' ')).collect(),
        }
    }

    /// The mentions in a sentence in order; none overlaps another.
    pub(super) fn mentions(&self, sentence: &str) -> Vec<Mention> {
        let tokens = tokens(sentence);
        let candidates = code(sentence)
            .into_iter()
            .chain(self.documents(sentence))
            .chain(self.names(sentence, &tokens))
            .chain(self.terms(sentence, &tokens))
            .chain(years(sentence, &tokens));
        let mut mentions: Vec<Mention> = Vec::new();
        for mention in candidates {
            let is_free = mentions.iter().all(|other| {
                mention.range.end <= other.range.start || other.range.end <= mention.range.start
            });
            if is_free {
                mentions.push(mention);
            }
        }
        mentions.sort_by_key(|mention| mention.range.start);
        mentions
    }

    /// Titles of sources, as they are written.
    fn documents(&self, sentence: &str) -> Vec<Mention> {
        let documents = self.titles.iter().filter_map(|title| {
            let start = sentence.find(title)?;
            let range = start..start + title.len();
            is_word(sentence, &range).then(|| mention(sentence, range, EntityKind::Document))
        });
        documents.collect()
    }

    /// Runs of capitalised words, with the number after them.
    fn names(&self, sentence: &str, tokens: &[Token<'_>]) -> Vec<Mention> {
        let mut names = Vec::new();
        if is_title(tokens) {
            return names;
        }
        let mut next = 0;
        while next < tokens.len() {
            let first = next;
            next += 1;
            if !self.begins_name(sentence, tokens, first) {
                continue;
            }
            while next < tokens.len() && continues_name(sentence, tokens, next) {
                next += 1;
            }
            let last = &tokens[next - 1];
            // "RFC" by itself is a kind of document, and names none.
            if next - first == 1 && PROPOSAL_WORDS.contains(&last.folded.as_str()) {
                continue;
            }
            let range = tokens[first].range.start..last.range.end;
            let kind = if last.is_number() {
                EntityKind::Version
            } else if next - first == 1 && !last.text.contains(char::is_lowercase) {
                EntityKind::Acronym
            } else {
                EntityKind::Name
            };
            names.push(mention(sentence, range, kind));
        }
        names
    }

    fn begins_name(&self, sentence: &str, tokens: &[Token<'_>], index: usize) -> bool {
        let token = &tokens[index];
        let before = index.checked_sub(1).map(|before| &tokens[before]);
        // "20 GB" is a unit, and what begins a sentence is capitalised anyway.
        let is_unit =
            before.is_some_and(|before| before.is_number() && joins(sentence, before, token));
        let is_initial = sentence[..token.range.start]
            .trim_end()
            .ends_with([':', '"', '“'])
            || before.is_none();
        token.is_capital()
            && !is_unit
            && (!is_initial || token.is_acronymic() || self.proper.contains(&token.folded))
    }

    /// Common terms that several passages use, the longest first.
    fn terms(&self, sentence: &str, tokens: &[Token<'_>]) -> Vec<Mention> {
        let mut terms = Vec::new();
        for length in (2..=CONCEPT_WORDS).rev() {
            for window in tokens.windows(length) {
                let stems: Vec<String> = window.iter().map(|token| token.stem.clone()).collect();
                let is_joined = window
                    .windows(2)
                    .all(|pair| joins(sentence, &pair[0], &pair[1]));
                if let (true, [first, .., last]) =
                    (is_joined && self.concepts.contains(&stems), window)
                {
                    let range = first.range.start..last.range.end;
                    let mut term = mention(sentence, range, EntityKind::Concept);
                    term.name = text::fold(&term.name);
                    terms.push(term);
                }
            }
        }
        terms
    }
}

/// The words that an acronym in brackets stands for: "global interpreter lock (GIL)".
pub(super) fn expansion(sentence: &str, acronym: &Mention) -> Option<Mention> {
    let before = sentence[..acronym.range.start].strip_suffix('(')?;
    let tokens = tokens(before);
    let letters: Vec<char> = acronym.name.to_lowercase().chars().collect();
    let words = tokens.get(tokens.len().checked_sub(letters.len())?..)?;
    let initials = words.iter().filter_map(|word| word.folded.chars().next());
    let is_expansion = acronym.kind == EntityKind::Acronym && initials.eq(letters.iter().copied());
    let range = words.first()?.range.start..words.last()?.range.end;
    is_expansion.then(|| mention(sentence, range, EntityKind::Concept))
}

fn mention(sentence: &str, range: Range<usize>, kind: EntityKind) -> Mention {
    let name = text::one_line(&sentence[range.clone()]);
    let possessive = name.strip_suffix("'s").or(name.strip_suffix("’s"));
    Mention {
        name: possessive.unwrap_or(&name).to_owned(),
        range,
        kind,
    }
}

/// The identifiers between backticks.
fn code(sentence: &str) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let mut ticks = sentence.match_indices('`').map(|(at, _)| at);
    while let (Some(open), Some(close)) = (ticks.next(), ticks.next()) {
        let inside = open + 1..close;
        let name = sentence[inside.clone()].trim();
        let is_identifier = name.chars().any(char::is_alphabetic)
            && !name.contains(char::is_whitespace)
            && name.chars().count() <= CODE_CHARACTERS;
        if is_identifier {
            mentions.push(mention(sentence, inside, EntityKind::Code));
        }
    }
    mentions
}

/// The years after "in" or "since".
fn years(sentence: &str, tokens: &[Token<'_>]) -> Vec<Mention> {
    let years = tokens.windows(2).filter_map(|pair| {
        let [before, year] = pair else { return None };
        let is_dated = matches!(before.folded.as_str(), "in" | "since");
        let number: u16 = year.text.parse().ok()?;
        let is_year = year.text.len() == 4 && (1000..=2100).contains(&number);
        (is_dated && is_year).then(|| mention(sentence, year.range.clone(), EntityKind::Date))
    });
    years.collect()
}

/// `true` if the word at an index goes on with a name: another capitalised word, or a number that
/// counts nothing, as in "Python 3.13" and "PEP 703".
fn continues_name(sentence: &str, tokens: &[Token<'_>], index: usize) -> bool {
    let (before, token) = (&tokens[index - 1], &tokens[index]);
    if !joins(sentence, before, token) {
        return false;
    }
    let counts = tokens
        .get(index + 1)
        .is_some_and(|after| joins(sentence, token, after) && !text::is_stop_word(&after.folded));
    let is_label = token.is_number()
        && !before.is_number()
        && (token.text.contains('.') || before.is_acronymic() || !counts);
    token.is_capital() || is_label
}

/// `true` if only white space or a hyphen is between two words.
fn joins(sentence: &str, one: &Token<'_>, next: &Token<'_>) -> bool {
    let gap = &sentence[one.range.end..next.range.start];
    gap == "-" || !gap.is_empty() && gap.chars().all(char::is_whitespace)
}

/// `true` if most words of a sentence are capitalised.
fn is_title(tokens: &[Token<'_>]) -> bool {
    let long: Vec<bool> = tokens
        .iter()
        .filter(|token| token.text.chars().nth(3).is_some() && !token.is_number())
        .map(|token| token.text.starts_with(char::is_uppercase))
        .collect();
    let capitals = long.iter().filter(|is_capital| **is_capital).count();
    long.len() >= TITLE_WORDS && 2 * capitals > long.len()
}

/// `true` if no letter or digit touches a range.
fn is_word(text: &str, range: &Range<usize>) -> bool {
    !text[..range.start].ends_with(char::is_alphanumeric)
        && !text[range.end..].starts_with(char::is_alphanumeric)
}

fn tokens(sentence: &str) -> Vec<Token<'_>> {
    text::words(sentence)
        .map(|word| {
            let folded = text::fold(word.text);
            Token {
                text: word.text,
                stem: text::stem(&folded),
                folded,
                range: word.range,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentions(sentence: &str) -> Vec<(String, EntityKind)> {
        let vocabulary = Vocabulary {
            concepts: [vec!["heat".to_owned(), "pump".to_owned()]].into(),
            proper: ["python".to_owned()].into(),
            titles: vec!["Structural Pattern Matching"],
        };
        let mentions = vocabulary.mentions(sentence);
        mentions
            .into_iter()
            .map(|one| (one.name, one.kind))
            .collect()
    }

    #[test]
    fn names_are_found_by_their_form() {
        use EntityKind::{Acronym, Code, Concept, Date, Document, Name, Version};
        for (sentence, expected) in [
            (
                "PEP 703 makes the GIL optional.",
                vec![("PEP 703", Version), ("GIL", Acronym)],
            ),
            ("Owners of a house ask.", vec![]),
            ("Python is older.", vec![("Python", Name)]),
            (
                "As the RFC says, Python's GIL is.",
                vec![("Python's GIL", Name)],
            ),
            ("It is Python’s.", vec![("Python", Name)]),
            (
                "In Python 3.13 the `--disable-gil` flag and Guido van Rossum met 50 people.",
                vec![
                    ("Python 3.13", Version),
                    ("--disable-gil", Code),
                    ("Guido", Name),
                    ("Rossum", Name),
                ],
            ),
            (
                "Heat\npumps need 20 GB in May.",
                vec![("heat pumps", Concept)],
            ),
            ("It was added in 2014, not 20145.", vec![("2014", Date)]),
            (
                "See Structural Pattern Matching for more.",
                vec![("Structural Pattern Matching", Document)],
            ),
            ("The Road To A Better Standard Library", vec![]),
            ("", vec![]),
            ("` `` ` “”", vec![]),
        ] {
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(name, kind)| (name.to_owned(), kind))
                .collect();
            assert_eq!(mentions(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn an_acronym_in_brackets_stands_for_the_words_before_it() {
        for (sentence, expected) in [
            (
                "The global interpreter lock (GIL) is old.",
                Some("global interpreter lock"),
            ),
            ("The interpreter (GIL) is old.", None),
            ("(GIL) is old.", None),
        ] {
            let start = sentence.find("GIL").unwrap();
            let acronym = mention(sentence, start..start + 3, EntityKind::Acronym);
            let expansion = expansion(sentence, &acronym).map(|mention| mention.name);
            assert_eq!(expansion.as_deref(), expected, "{sentence}");
        }
    }
}

//! The themes: noun phrases that several sources use.
//!
//! Without a tagger, a phrase is taken for a noun phrase by its place: right after an article or a
//! preposition, and before a stop word or a punctuation mark, as in RAKE (Rose et al., "Automatic
//! keyword extraction from individual documents", 2010).

use std::collections::{BTreeMap, BTreeSet};

use crate::artifact::Research;
use crate::artifact::analysis::{Insight, Theme};
use crate::text;

/// The maximum number of themes.
const THEMES: usize = 6;

/// The number of themes from which they are given: one or two phrases that documents share by
/// chance tell nothing. Chosen by hand.
const FEWEST: usize = 3;

/// The maximum number of words of a theme.
const MAX_WORDS: usize = 3;

/// The words right before a noun phrase.
const BEFORE: &[&str] = &[
    "a", "an", "the", "of", "in", "on", "with", "without", "by", "for", "from", "no", "each",
    "every", "its", "their", "at", "between", "into", "than", "per", "via",
];

/// Stems that make no term: verbs that look like plurals, and nouns and adjectives that say little.
const VAGUE: &[&str] = &[
    "work",
    "run",
    "need",
    "use",
    "make",
    "move",
    "take",
    "becom",
    "requir",
    "allow",
    "provid",
    "depend",
    "mean",
    "contain",
    "return",
    "propos",
    "remain",
    "reach",
    "deliver",
    "caus",
    "fall",
    "rise",
    "come",
    "show",
    "help",
    "stay",
    "lead",
    "say",
    "cas",
    "case",
    "way",
    "exampl",
    "time",
    "thing",
    "lot",
    "number",
    "part",
    "kind",
    "type",
    "form",
    "new",
    "good",
    "old",
    "different",
    "first",
    "second",
    "last",
    "next",
    "certain",
    "general",
    "typical",
    "follow",
    "present",
    "previous",
    "current",
    "exist",
    "possibl",
    "main",
    "major",
    "important",
    "simpl",
    "similar",
    "various",
    "several",
    "multipl",
    "two",
    "three",
    "four",
    "five",
    "rfc",
    "paper",
    "proposal",
    "squar",
    "section",
    "point",
    "order",
    "result",
    "great",
    "large",
    "small",
    "high",
    "low",
    "year",
    "day",
    "long",
    "term",
    "page",
    "note",
    "already",
    "like",
    "squar",
    "world",
];

/// The noun phrases that at least two sources use and that are no part of the topic, by their
/// number of sources, then alphabetically.
pub(super) fn themes(research: &Research, insights: &[Insight]) -> Vec<Theme> {
    let topic = text::terms(&research.topic);
    // Grouped by stems, so that "buffer tank" and "buffer tanks" are one theme; it is named by the
    // form that is alphabetically first.
    let mut users: BTreeMap<Vec<String>, (String, BTreeSet<String>)> = BTreeMap::new();
    for insight in insights {
        for id in std::iter::once(&insight.passage).chain(&insight.agreeing) {
            let Some(passage) = research.passage(id) else {
                continue;
            };
            for phrase in phrases(&passage.quote) {
                let stems: Vec<String> = phrase.split(' ').map(text::stem).collect();
                if stems.iter().any(|stem| topic.contains(stem)) {
                    continue;
                }
                let (form, sources) = users.entry(stems).or_default();
                sources.insert(passage.source.clone());
                if form.is_empty() || phrase < *form {
                    *form = phrase;
                }
            }
        }
    }
    let mut themes: Vec<Theme> = users
        .into_values()
        .filter(|(_, sources)| sources.len() > 1)
        .map(|(phrase, sources)| Theme {
            phrase,
            sources: sources.into_iter().collect(),
        })
        .collect();
    // A stable sort of what a map yields: ties stay in alphabetical order of their stems.
    themes.sort_by_key(|theme| std::cmp::Reverse(theme.sources.len()));
    themes.truncate(if themes.len() < FEWEST { 0 } else { THEMES });
    themes
}

/// The noun phrases of a quotation, as they are written, in lower case.
pub(super) fn phrases(quote: &str) -> BTreeSet<String> {
    let prose = text::prose(quote);
    let mut phrases = BTreeSet::new();
    // The words of the run of content words that is being read, and whether it begins as a phrase.
    let mut run: Vec<String> = Vec::new();
    let mut is_begun = false;
    let mut end = 0;
    for word in text::words(&prose) {
        let is_joined = prose[end..word.range.start].chars().all(|c| c == ' ');
        end = word.range.end;
        let folded = text::fold(word.text);
        if !is_joined {
            phrases.extend(phrase(&run, is_begun));
            run.clear();
            is_begun = false;
        }
        if text::is_stop_word(&folded) {
            phrases.extend(phrase(&run, is_begun));
            run.clear();
            is_begun = BEFORE.contains(&folded.as_str());
        } else {
            run.push(folded);
        }
    }
    phrases.extend(phrase(&run, is_begun));
    phrases
}

/// A run of content words as a phrase, if it reads as a term.
fn phrase(run: &[String], is_begun: bool) -> Option<String> {
    let is_term_word = |word: &String| {
        word.chars().count() > 2
            && word.chars().all(char::is_alphabetic)
            && !word.ends_with("ly")
            && !word.ends_with("ed")
            && !VAGUE.contains(&text::stem(word).as_str())
    };
    let is_term = is_begun && (2..=MAX_WORDS).contains(&run.len()) && run.iter().all(is_term_word);
    is_term.then(|| run.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_noun_phrases() {
        let phrases = |text: &str| phrases(text).into_iter().collect::<Vec<_>>();
        assert_eq!(
            phrases("A heat pump needs a buffer tank, and the flow temperature is low."),
            ["buffer tank", "flow temperature"]
        );
        assert!(phrases("The pump works. Quickly insulated houses cool.").is_empty());
        assert_eq!(
            phrases("It is fixed by the seasonal performance factor."),
            ["seasonal performance factor"]
        );
    }
}

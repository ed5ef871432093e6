//! Parts of documents that a sentence says are changed: "In Article 5, paragraph 1 is replaced".

use std::sync::LazyLock;

use crate::text::keywords::{Keywords, LazyKeywords};
use crate::text::words::{fold, folded, is_stop_word, words};

/// Verbs with which a decision ends one of another day; a closed list, written by hand.
pub(super) const OVERRULES: &str = "replaces, supersedes, overrules, overrides, overturns, \
    reverses, revokes, rescinds, withdraws, annuls";

/// Words for a part of a document that has a number.
pub(super) const PARTS: &[&str] = &[
    "section",
    "article",
    "clause",
    "paragraph",
    "chapter",
    "rule",
];

static PART_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(PARTS.iter().copied()));

/// Further verbs with which a decision changes a part of a document, in both voices.
const AMENDS: &[&str] = &["amends", "changes", "modifies", "repeals", "revises"];
const AMENDED: &[&str] = &[
    "amended", "changed", "modified", "repealed", "replaced", "revised", "deleted",
];

/// The words behind the number of a part among which is the name of its document.
const DOCUMENT_WORDS: usize = 4;

/// Words for what is in such a part, and ordinals; closed lists, written by hand.
const INNER: [&str; 2] = ["paragraph", "subparagraph"];
const SENTENCE: &str = "sentence";
const ORDINALS: [&str; 10] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
];

/// Words for the end of a part; the same.
const ENDED: [&str; 4] = ["deleted", "omitted", "repealed", "removed"];

/// A part of a document that a sentence says is changed.
#[derive(Debug, PartialEq, Eq)]
pub struct ChangedPart {
    /// Its number: "5", "3.2".
    pub number: String,
    /// The number of its paragraph that is changed alone: 1 in "In Article 5, paragraph 1 is
    /// replaced".
    pub paragraph: Option<usize>,
    /// The same of its sentence, or that of the paragraph: 2 in "In Article 7, the second sentence
    /// is deleted".
    pub sentence: Option<usize>,
    /// `true` if there is no such part any more.
    pub is_ended: bool,
    /// The folded words that name its document: "house", "rules".
    pub document: Vec<String>,
}

impl ChangedPart {
    /// `false` for a text none of whose sentences names a part.
    pub fn may_be_in(text: &str) -> bool {
        PART_KEYWORDS.are_in(text)
    }

    /// The part that a sentence says is changed: "This replaces the second sentence of section 5 of
    /// the house rules", "The rule on dogs in section 3 of the house rules is amended"; `None` if
    /// it names none, or not of which document.
    pub fn of(sentence: &str) -> Option<Self> {
        Self::of_any(sentence).filter(|own| !own.document.is_empty())
    }

    /// The same for a sentence that need not name the document: "Clause 2 is changed as follows".
    pub fn of_any(sentence: &str) -> Option<Self> {
        if !Self::may_be_in(sentence) {
            return None;
        }
        let folded = folded(sentence);
        let is_part = |pair: &[String]| {
            PARTS.contains(&pair[0].as_str()) && pair[1].starts_with(|c: char| c.is_ascii_digit())
        };
        // "Paragraph 1 of Article 5" is of the article.
        let is_outer = |pair: &[String]| is_part(pair) && !INNER.contains(&pair[0].as_str());
        let mut pairs = folded.windows(2);
        let at = pairs.position(is_outer);
        let at = at.or_else(|| folded.windows(2).position(is_part))?;
        let (before, behind) = (&folded[..at], &folded[at + 2..]);
        let amends = |word: &String| {
            AMENDS.contains(&word.as_str()) || OVERRULES.split(", ").any(|verb| verb == word)
        };
        let is_amended = |pair: &[String]| {
            matches!(
                pair[0].as_str(),
                "is" | "are" | "was" | "were" | "hereby" | "be"
            ) && AMENDED.contains(&pair[1].as_str())
        };
        // "Clause 5: the limit is raised to 40 euros", in a document that changes another one.
        let is_heading = at == 0 && {
            let number = words(sentence).nth(1);
            number.is_some_and(|number| sentence[number.range.end..].starts_with(": "))
        };
        if !is_heading && !before.iter().any(amends) && !behind.windows(2).any(is_amended) {
            return None;
        }
        // What follows a colon is the new text, which has its own parts.
        let start = words(sentence).nth(at).map_or(0, |word| word.range.start);
        let end = sentence[start..]
            .find(':')
            .map_or(sentence.len(), |colon| start + colon);
        let of_clause = &folded[..words(&sentence[..end]).count().min(folded.len())];
        let of_part = |at: &usize| INNER.contains(&of_clause[*at].as_str());
        let numbers = (0..of_clause.len()).filter(of_part);
        let mut numbers = numbers.filter(|own| *own != at);
        let ended = |word: &String| ENDED.contains(&word.as_str());
        let of = behind.first().is_some_and(|word| word == "of");
        let name = behind.iter().skip(1).filter(|_| of).take(DOCUMENT_WORDS);
        let name = name.skip_while(|word| is_stop_word(word));
        let document: Vec<String> = name
            .take_while(|word| !is_stop_word(word))
            .cloned()
            .collect();
        let number = folded[at + 1].trim_end_matches('.').to_owned();
        Some(Self {
            number,
            paragraph: numbers.find_map(|at| counted(of_clause, at)),
            sentence: of_clause
                .iter()
                .position(|word| word == SENTENCE)
                .and_then(|at| counted(of_clause, at)),
            is_ended: of_clause.iter().any(ended),
            document,
        })
    }

    /// `true` if this is only a part of the part with its number.
    pub fn is_inner(&self) -> bool {
        self.paragraph.is_some() || self.sentence.is_some()
    }

    /// `true` if the part has a paragraph and a sentence of these numbers in it, as far as it names
    /// such ones.
    pub fn has(&self, paragraph: Option<usize>, sentence: usize) -> bool {
        self.paragraph.is_none_or(|own| Some(own) == paragraph)
            && self.sentence.is_none_or(|own| own == sentence)
    }

    /// `true` if this is the part of a document under a heading: "5. Laundry", "Section 5: Laundry"
    /// in the "House Rules of the Linden Court".
    pub fn is_under(&self, heading: &str, title: &str) -> bool {
        let mut heading = words(heading).map(|word| fold(word.text));
        let first = heading.find(|word| !PARTS.contains(&word.as_str()));
        let title = folded(title);
        first.is_some_and(|own| own == self.number)
            && self.document.iter().all(|word| title.contains(word))
    }
}

/// The number of a word for a part: behind it, "paragraph 2", or before it, "the second sentence".
fn counted(words: &[String], at: usize) -> Option<usize> {
    let behind = words
        .get(at + 1)
        .and_then(|own| own.trim_matches(['(', ')']).parse().ok());
    behind.or_else(|| {
        let before = words.get(at.checked_sub(1)?)?;
        let ordinal = ORDINALS.iter().position(|own| own == before)?;
        Some(ordinal + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_of_a_part_is_named_by_its_number() {
        for (sentence, expected) in [
            (
                "In Article 5, paragraph 1 is replaced by the following: \"See paragraph 3.\"",
                Some(("5", Some(1), None, false)),
            ),
            (
                "Paragraph 3 of Article 5 is deleted.",
                Some(("5", Some(3), None, true)),
            ),
            (
                "In Article 7, the second sentence is deleted.",
                Some(("7", None, Some(2), true)),
            ),
            (
                "Paragraph 5.3 is amended.",
                Some(("5.3", None, None, false)),
            ),
            ("Article 5 has three paragraphs.", None),
        ] {
            let part = ChangedPart::of_any(sentence);
            let part = part.as_ref().map(|own| {
                (
                    own.number.as_str(),
                    own.paragraph,
                    own.sentence,
                    own.is_ended,
                )
            });
            assert_eq!(part, expected, "{sentence}");
        }
    }
}

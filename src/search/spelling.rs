//! Spelling: the word of the documents that one which none of them has may be a misspelling of.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::Library;
use crate::text::{self, Language};

/// The letters of a term from which on one typing error in it is recognised, and two. Chosen by
/// hand: shorter ones are one letter away from too many others.
const ONE_ERROR: usize = 4;
const TWO_ERRORS: usize = 8;

/// The letters of a word from which on it is searched in another spelling without asking. Chosen by
/// hand: a shorter one is more often a rare word, "fell" beside "falls".
const CORRECTED: usize = 6;

/// The letters of a term that a compound is taken to have as a part, and the number of documents in
/// other languages that are compared. Chosen by hand: a shorter one is in many words by chance.
const PART_LETTERS: usize = 5;
const COMPARED: usize = 500;

/// Stop words that are typed with two letters exchanged, and of which no word comes in this way:
/// "own" and "won", "does" and "dose" are both meant. A closed list, written by hand, in English,
/// German and Spanish.
const TRANSPOSED: &[&str] = &[
    "and", "have", "that", "the", "their", "this", "what", "when", "where", "which", "with",
    "would", "und", "nicht", "wann", "welche", "para", "donde",
];

/// A term is rare in a collection if no more than this part of its documents have it, or so many.
/// Chosen by hand.
const RARE_SHARE: usize = 4;
const RARE: usize = 2;

/// The number of similar terms whose words are looked for in a document. Chosen by hand.
const CANDIDATES: usize = 8;

impl Library {
    /// `true` if a document may be in the language of a question: English counts as one of them,
    /// and a question without a stop word has no certain language.
    pub fn has_language_of(&self, question: &str) -> bool {
        let language = Language::of_question(question);
        let is_stop_word = |word: text::Word<'_>| language.is_stop_word(&text::fold(word.text));
        self.languages.contains(&language) || !text::words(question).any(is_stop_word)
    }

    /// The numbers of documents in languages other than that of a question, by the English name of
    /// the language. The words of the question are not those of these documents; none where it may
    /// as well be in theirs: "do" is a word of English and of Portuguese.
    pub fn other_languages(&self, question: &str) -> BTreeMap<String, usize> {
        let own = Language::of_question(question);
        let words = text::folded(question);
        let stop_words = |language: Language| {
            let is_stop_word = |word: &&String| language.is_stop_word(word);
            words.iter().filter(is_stop_word).count()
        };
        let mut languages = BTreeMap::new();
        let certain = stop_words(own);
        let others = self.documents.iter().map(|document| document.language);
        for language in others.filter(|language| *language != own) {
            *languages.entry(language).or_default() += 1;
        }
        // A question without a stop word has no certain language.
        languages.retain(|language, _| certain > 0 && stop_words(*language) < certain);
        let named = languages.into_iter();
        named
            .map(|(language, count)| (language.name().to_owned(), count))
            .collect()
    }

    /// Those of [`Self::other_languages`] that are near a question: they have one of its terms, a
    /// name or a word of both languages, or a compound with one, "Luftfilter" for "filters".
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn near_languages(&self, question: &str) -> Result<BTreeMap<String, usize>> {
        let others = self.other_languages(question);
        let mut near: BTreeMap<String, usize> = BTreeMap::new();
        let mut terms = text::terms(question);
        // A year is a word of every language, and a word of most documents, such as the name of a
        // town, is of every subject.
        let is_rare = |term: &str| {
            self.document_frequency(term) <= (self.documents.len() / RARE_SHARE).max(RARE)
        };
        terms.retain(|term| !term.contains(|c: char| c.is_ascii_digit()) && is_rare(term));
        let parts: Vec<&String> = terms
            .iter()
            .filter(|own| own.len() >= PART_LETTERS)
            .collect();
        let documents = self.documents.iter().enumerate();
        let foreign = documents.filter(|(_, own)| others.contains_key(own.language.name()));
        for (number, document) in foreign.take(COMPARED) {
            let has_compound = || -> Result<bool> {
                let words = self.index.frequencies(number)?;
                Ok(words.into_iter().any(|(term, _)| {
                    let word = self.index.text_of(term);
                    // The index has the stems of its language: "luftfilt".
                    let stems = parts.iter().map(|part| document.language.stem(part, part));
                    stems.into_iter().any(|stem| word.contains(stem.as_str()))
                }))
            };
            if terms.iter().any(|term| self.holds(number, term)) || has_compound()? {
                *near.entry(document.language.name().to_owned()).or_default() += 1;
            }
        }
        Ok(near)
    }

    /// The word of the documents that a term which none of them contains may be a misspelling of:
    /// one with the same first letter and one typing error, or two in a longer term; the nearest,
    /// then the most frequent one. Two words of theirs that were written as one, "heatpump", are
    /// returned with a space. An ordinary word of English is written as it was meant. `term` is a
    /// stem, as of [`crate::text::terms()`].
    pub fn similar_word(&self, term: &str) -> Option<String> {
        let nearest = || self.nearest_word(term).filter(|_| !text::is_ordinary(term));
        nearest().or_else(|| self.two_words(term))
    }

    /// The two words of the documents that a term consists of.
    fn two_words(&self, term: &str) -> Option<String> {
        let is_known = |part: &str| self.document_frequency(&text::stem(part)) > 0;
        if !term.is_ascii() || is_known(term) {
            return None;
        }
        let mut parts = (ONE_ERROR..term.len()).map(|at| term.split_at(at));
        let (first, second) = parts.find(|(first, second)| {
            second.len() >= ONE_ERROR && is_known(first) && is_known(second)
        })?;
        Some(format!("{first} {second}"))
    }

    /// How the documents write a word that none of them has: "heat pump" for "heatpump",
    /// "electricity" for "elecricty", "the" for "teh". Only a longer word in lower case is
    /// corrected, and no letter of it is replaced: a name or a term that no document has must not
    /// become another one, as "adsorption" would become "absorption".
    pub fn respelled(&self, word: &str) -> Option<String> {
        let folded = text::fold(word);
        let term = text::stem(&folded);
        let is_lower_case = word.chars().all(char::is_lowercase);
        if self.document_frequency(&term) > 0 {
            return None;
        }
        let is_long = folded.chars().count() >= CORRECTED;
        let corrected = || {
            let similar = self.nearest_word(&term).filter(|_| is_long);
            let similar =
                similar.filter(|other| is_without_replacement(&folded, &text::fold(other)));
            let word = self.transposed(&folded).or(similar);
            word.filter(|_| !text::is_ordinary(&term))
        };
        let apart = self.written_apart(&term);
        apart.or_else(|| is_lower_case.then(corrected).flatten())
    }

    /// The stop word of the documents' languages that a word is with two letters exchanged, of
    /// [`TRANSPOSED`].
    fn transposed(&self, folded: &str) -> Option<String> {
        let letters: Vec<char> = folded.chars().collect();
        let swapped = (1..letters.len()).map(|at| {
            let mut letters = letters.clone();
            letters.swap(at - 1, at);
            letters.into_iter().collect()
        });
        let mut words = swapped.filter(|word: &String| TRANSPOSED.contains(&word.as_str()));
        words.find(|word: &String| {
            let mut languages = self.languages.iter();
            word != folded && languages.any(|language| language.is_stop_word(word))
        })
    }

    /// The two words of a term that no document has as one, if a document that is found by them has
    /// them side by side: "heat pump" of "heatpump".
    fn written_apart(&self, term: &str) -> Option<String> {
        let words = self.two_words(term)?;
        let hits = self.search(&words, CANDIDATES).ok()?;
        let (first, second) = words.split_once(' ')?;
        let has_both = |text: &str| {
            let folded = text::folded(text);
            folded
                .windows(2)
                .any(|pair| pair[0] == first && pair[1].starts_with(second))
        };
        let is_side_by_side = |hit: &super::Hit| {
            let content = self.content(hit.document).ok();
            content.is_some_and(|content| has_both(&content.text))
        };
        hits.iter().any(is_side_by_side).then_some(words)
    }

    fn nearest_word(&self, term: &str) -> Option<String> {
        let first = term.chars().next().filter(|first| first.is_alphabetic())?;
        let errors = match term.chars().count() {
            TWO_ERRORS.. => 2,
            ONE_ERROR.. => 1,
            _ => return None,
        };
        if !term.chars().all(char::is_alphabetic) || self.document_frequency(term) > 0 {
            return None;
        }
        // The index has the stems of each language, which are compared with those of the term.
        let languages = self.languages.iter();
        let own: BTreeSet<String> = languages
            .flat_map(|language| language.terms_of(term))
            .collect();
        let mut similar: Vec<(usize, String)> = Vec::new();
        self.index.visit_terms(first, |other| {
            let distances = own.iter().map(|own| distance_of_stem(own, other, errors));
            let distance = distances.min().filter(|distance| *distance <= errors);
            if let Some(distance) = distance.filter(|_| other.chars().all(char::is_alphabetic)) {
                similar.push((distance, other.to_owned()));
            }
        });
        similar.sort_by_cached_key(|(distance, other)| {
            let frequency = self
                .index
                .term(other)
                .map(|term| self.index.frequency(term));
            (*distance, Reverse(frequency), other.clone())
        });
        similar.dedup();
        // The stems of other languages are shorter: "dron" is near "drop", "drone" is not.
        let candidates = similar.iter().take(CANDIDATES);
        let words = candidates.filter_map(|(_, other)| self.nearest_written(term, other));
        let near = words.filter(|(distance, _)| *distance <= errors);
        near.min_by_key(|(distance, _)| *distance)
            .map(|(_, word)| word)
    }

    /// Of the words that count as the term `other` of the index, in the first document that has
    /// one, the word whose stem is nearest to `term`, in lower case, with its distance.
    fn nearest_written(&self, term: &str, other: &str) -> Option<(usize, String)> {
        let first = other.chars().next()?;
        let other = self.index.term(other)?;
        let content = self.content(self.index.first_document(other)?).ok()?;
        let words = text::words(&content.text).filter_map(|word| {
            let folded = text::fold(word.text);
            let stem = text::stem(&folded);
            let is_other = folded.starts_with(first) && self.terms(&stem).contains(&other);
            is_other.then(|| (strsim::osa_distance(term, &stem), word.text.to_lowercase()))
        });
        words.min_by_key(|(distance, _)| *distance)
    }
}

/// `true` if letters were left out, added or exchanged between two words, but none replaced: those
/// of the shorter one are all in the longer one.
fn is_without_replacement(one: &str, other: &str) -> bool {
    let (shorter, longer) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let mut letters: Vec<char> = longer.chars().collect();
    shorter.chars().all(|letter| {
        let at = letters.iter().position(|other| *other == letter);
        at.map(|at| letters.swap_remove(at)).is_some()
    })
}

/// The distance of a word from a stem of the index (optimal string alignment), or of a beginning of
/// the word about as long as the stem, since an index's stem may lack a long ending: "electr" for
/// "electricity". Distances above `errors` are not exact.
fn distance_of_stem(word: &str, stem: &str, errors: usize) -> usize {
    let (typed, letters) = (word.chars().count(), stem.chars().count());
    let shortest = letters.saturating_sub(errors).max(ONE_ERROR.min(typed));
    let beginnings = shortest..=typed.min(letters + errors);
    let distance = |length: usize| {
        let beginning: String = word.chars().take(length).collect();
        strsim::osa_distance(&beginning, stem)
    };
    beginnings.map(distance).min().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Reader;

    #[test]
    fn documents_in_another_language_are_near_by_a_word_of_the_question() {
        let folder = tempfile::tempdir().unwrap();
        let english = "# Fans\n\nThe air filters of the fans are changed in every year.\n";
        let near = "# Wartung\n\nDie Luftfilter werden alle drei Monate von dem Wart gewechselt, \
                    und er schreibt es in das Buch der Anlage.\n";
        let far = "# Garten\n\nDie Hecke wird im Herbst von dem Wart geschnitten, und \
                   das Laub wird auf dem Kompost gesammelt.\n";
        for (name, text) in [("a.md", english), ("b.md", near), ("c.md", far)] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let roots = [folder.path().to_owned()];
        let library = Library::open(&roots, &Reader::in_process(), None).unwrap();
        let question = "How often are the air filters of the fans changed?";
        let german = |count| BTreeMap::from([("German".to_owned(), count)]);
        assert_eq!(library.other_languages(question), german(2));
        assert_eq!(library.near_languages(question).unwrap(), german(1));
    }

    #[test]
    fn words_with_typing_errors_have_a_similar_one_in_the_documents() {
        let folder = tempfile::tempdir().unwrap();
        let text = "# Club\n\nGwil is the treasurer of the club. Memberships are cheap. The kiln \
                    is fired on Monday.\n";
        std::fs::write(folder.path().join("a.md"), text).unwrap();
        let roots = [folder.path().to_owned()];
        let library = Library::open(&roots, &Reader::in_process(), None).unwrap();
        for (word, expected) in [
            ("tresurer", Some("treasurer")),
            ("membrship", Some("memberships")),
            ("klin", Some("kiln")),
            // What is there is no misspelling, and short words are too near to others.
            ("treasurers", None),
            ("si", None),
            ("halloween", None),
            ("clubkiln", Some("club kiln")),
            // An ordinary word that is near to one: "cheap", "club".
            ("cheat", None),
            ("clue", None),
        ] {
            let similar = library.similar_word(&text::stem(word));
            assert_eq!(similar.as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn words_with_typing_errors_are_written_as_the_documents_do() {
        let folder = tempfile::tempdir().unwrap();
        let text = "# Power\n\nThe electric grid loses electricity. Maier keeps the heat pump of \
                    the station.\n";
        std::fs::write(folder.path().join("a.md"), text).unwrap();
        let roots = [folder.path().to_owned()];
        let library = Library::open(&roots, &Reader::in_process(), None).unwrap();
        for (word, expected) in [
            ("elecricty", Some("electricity")),
            ("staiton", Some("station")),
            ("heatpump", Some("heat pump")),
            ("teh", Some("the")),
            // Another name is not a misspelled one, nor a word with another letter, a short or an
            // ordinary one.
            ("Meier", None),
            ("Elecricty", None),
            ("electrocity", None),
            ("hept", None),
            ("loser", None),
            ("station", None),
        ] {
            assert_eq!(library.respelled(word).as_deref(), expected, "{word}");
        }
    }
}

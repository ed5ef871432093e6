//! Attributions: the end of a sentence that names the author of its source, "in the field trial of
//! Berg", which no passage of that source says.

use std::rc::Rc;

use super::sources::Source;
use crate::text;

/// The number of characters at the beginning of a document in which its authors are.
const HEAD: usize = 400;

/// The greatest number of words of such an end, as of "in the field trial of Berg and Lee". Chosen
/// by hand.
const WORDS: usize = 8;

/// Words before the title or the kind of a source, and before its author.
const BEGINNINGS: [&str; 3] = [" in the ", " according to ", " by the "];
const BEFORE_AUTHORS: [&str; 3] = ["of", "by", "to"];

/// A sentence up to the end by which it names its source, without its full stop; `None` if it has
/// no such end.
pub(super) fn without_attribution<'t>(
    sentence: &'t str,
    sources: &[Rc<Source>],
) -> Option<&'t str> {
    let places = BEGINNINGS.iter().filter_map(|own| sentence.rfind(own));
    let at = places.max()?;
    let words: Vec<text::Word<'_>> = text::words(&sentence[at..]).collect();
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    let first = words.iter().position(|word| is_name(word.text))?;
    let before = first.checked_sub(1).map(|before| words[before].text)?;
    let names = words[first..].iter().map(|word| word.text);
    let names: Vec<&str> = names
        .filter(|word| !matches!(*word, "and" | "et" | "al"))
        .collect();
    let is_short = words.len() <= WORDS && BEFORE_AUTHORS.contains(&before);
    let is_of_source = |source: &&Rc<Source>| {
        let head = [&source.title, text::truncate(&source.text, HEAD)].join(" ");
        let own: Vec<&str> = text::words(&head).map(|word| word.text).collect();
        names.iter().all(|name| is_name(name) && own.contains(name))
    };
    let is_attributed = is_short && sources.iter().any(|source| is_of_source(&source));
    is_attributed.then(|| sentence[..at].trim_end_matches([',', ' ']))
}

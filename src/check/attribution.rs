//! Attributions: the end of a sentence that names the author of its source, "in the field trial of
//! Berg", which no passage of that source says, and the name of a study that only its title has.

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

/// The least number of letters of the name of a study: fewer are a unit or a quantity.
const NAME_LETTERS: usize = 4;

/// Prepositions before the name of a study, and words behind it.
const BEFORE_NAME: [&str; 8] = ["in", "of", "by", "from", "for", "the", "der", "die"];
const BEHIND_NAME: [&str; 5] = ["trial", "study", "survey", "cohort", "studie"];

/// A claim with blanks in the place of the name of the study that its source is, "In HARROW, 640
/// trees were pruned", so that the byte ranges stay. `None` if the title has no such name, or the
/// passage says of which study it speaks.
pub(super) fn without_own_name(claim: &str, title: &str, passage: &str) -> Option<String> {
    let words: Vec<text::Word<'_>> = text::words(claim).collect();
    let said: Vec<text::Word<'_>> = text::words(passage).collect();
    let of_title = |name: &str| text::words(title).any(|word| word.text == name);
    let is_own = |word: &text::Word<'_>| is_study(word.text) && of_title(word.text);
    let at = words.iter().position(is_own)?;
    let is_in = |list: &[&str], at: usize| {
        let word = words.get(at).map(|word| text::fold(word.text));
        word.is_some_and(|word| list.contains(&word.as_str()))
    };
    let first = (0..at)
        .rev()
        .take_while(|before| is_in(&BEFORE_NAME, *before));
    let first = first.last().unwrap_or(at);
    let last = at + usize::from(is_in(&BEHIND_NAME, at + 1));
    let names_study = said.windows(2).any(|pair| {
        BEFORE_NAME.contains(&text::fold(pair[0].text).as_str()) && is_study(pair[1].text)
    });
    let is_said = names_study || said.iter().any(|word| word.text == words[at].text);
    let range = words[first].range.start..words[last].range.end;
    let blank = " ".repeat(range.len());
    (!is_said).then(|| [&claim[..range.start], &blank, &claim[range.end..]].concat())
}

/// `true` for a word that may name a study: in capitals, perhaps with digits.
fn is_study(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic());
    letters.count() >= NAME_LETTERS && !word.contains(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::without_own_name;

    #[test]
    fn the_name_of_a_study_in_its_title_is_blanked() {
        let title = "HARROW: pruning of old trees";
        let rest = |claim, passage| {
            let rest = without_own_name(claim, title, passage);
            rest.map(|rest| rest.trim_start_matches([' ', ',']).to_owned())
        };
        let passage = "We pruned 640 trees.";
        let expected = Some("640 trees were pruned.".to_owned());
        assert_eq!(rest("In HARROW, 640 trees were pruned.", passage), expected);
        assert_eq!(
            rest("In the HARROW trial, 640 trees were pruned.", passage),
            expected
        );
        assert_eq!(rest("In PLOUGH, 640 trees were pruned.", passage), None);
        let other = "In PLOUGH we pruned 640 trees.";
        assert_eq!(rest("In HARROW, 640 trees were pruned.", other), None);
    }
}

//! Forms of German verbs with a separable prefix, whose parts a sentence may set apart:
//! "ausgesetzt", "aussetzen", "auszusetzen", "setzt … aus".

use super::sentences;
use super::words::{self, fold};

/// The separable prefixes of German verbs, folded, a longer one before its beginning; a closed
/// class of the grammar.
const PREFIXES: &[&str] = &[
    "zuruck", "zusammen", "weiter", "wieder", "nieder", "herauf", "heraus", "herein", "hinaus",
    "hinein", "vorbei", "nach", "fest", "fort", "teil", "statt", "auf", "aus", "bei", "ein", "her",
    "hin", "los", "mit", "vor", "weg", "ab", "an", "zu",
];

/// The endings of the persons and tenses of a weak verb, a longer one before its end.
const ENDINGS: &[&str] = &[
    "test", "tet", "ten", "est", "te", "en", "et", "st", "e", "t", "n",
];

/// The fewest letters of the stem of a verb: "setz". Chosen by hand.
const STEM_LETTERS: usize = 3;

/// The stem of a form of a verb, without its prefix: "setz" of "setzen", "setzt", "gesetzt".
fn stem(form: &str) -> Option<&str> {
    let inner = form.strip_prefix("ge").or_else(|| form.strip_prefix("zu"));
    let inner = inner.filter(|inner| inner.len() > STEM_LETTERS);
    let form = inner.unwrap_or(form);
    let ending = ENDINGS.iter().find(|ending| form.ends_with(**ending))?;
    let stem = &form[..form.len() - ending.len()];
    (stem.len() >= STEM_LETTERS).then_some(stem)
}

/// The prefix and the stem of a folded form in one word.
fn parts(form: &str) -> Option<(&'static str, &str)> {
    let prefix = PREFIXES.iter().find(|prefix| form.starts_with(**prefix))?;
    Some((prefix, stem(&form[prefix.len()..])?))
}

/// `true` if a text in German has a form of the same separable verb as a folded word, in one word
/// or, in one sentence, its stem with the prefix behind it.
pub fn has_separable_verb(text: &str, word: &str) -> bool {
    let Some((prefix, own)) = parts(word) else {
        return false;
    };
    // A sentence without the stem has no form of it: most are not split into words.
    let ranges = sentences::sentences(text, 0..text.len()).into_iter();
    let mut sentences = ranges.map(|range| fold(&text[range]));
    sentences.any(|sentence| {
        if !sentence.contains(own) {
            return false;
        }
        let words: Vec<&str> = words::words(&sentence).map(|word| word.text).collect();
        let is_whole = |word: &&str| parts(word) == Some((prefix, own));
        let apart = words.iter().position(|word| stem(word) == Some(own));
        words.iter().any(is_whole) || apart.is_some_and(|verb| words[verb + 1..].contains(&prefix))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_separable_verb_are_one_verb() {
        for (text, word, expected) in [
            ("Den Kurs müssen wir aussetzen.", "ausgesetzt", true),
            ("Der Verein setzt den Kurs bis Mai aus.", "ausgesetzt", true),
            ("Wir bitten Sie, den Kurs auszusetzen.", "ausgesetzt", true),
            ("Der Kurs wurde ausgesetzt.", "aussetzen", true),
            ("Er setzt sich. Das Licht ist aus.", "ausgesetzt", false),
            ("Den Kurs müssen wir einsetzen.", "ausgesetzt", false),
            ("Der Kurs wurde verlängert.", "verlängern", false),
        ] {
            assert_eq!(has_separable_verb(text, word), expected, "{text}");
        }
    }
}

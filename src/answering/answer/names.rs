//! Names in sentences, told by their capitals.

use super::quantity::folded_words;
use crate::text;

/// The capitalised words of a sentence, without its first word, that the question does not have.
pub(super) fn new_names<'a>(
    sentence: &'a str,
    question: &str,
) -> impl Iterator<Item = text::Word<'a>> {
    let question_words = folded_words(question);
    let mut is_first = !begins_with_name(sentence);
    text::words(sentence).filter(move |word| {
        let before = sentence[..word.range.start].trim_end();
        is_first |= before.ends_with('•');
        // "FV4" is a tank, "T" and "`Pin`" are in code, "RFC 12" is a document.
        let behind = sentence[word.range.end..].trim_start();
        let is_code = word.text.len() == 1
            || sentence[..word.range.start].ends_with('`')
            || behind.starts_with(|c: char| c.is_ascii_digit())
                && word.text.chars().all(char::is_uppercase);
        let is_name = word.text.starts_with(char::is_uppercase)
            && !is_code
            && !word.text.ends_with(|c: char| c.is_ascii_digit())
            && !std::mem::take(&mut is_first)
            && !text::is_stop_word(&text::fold(word.text));
        is_first = false;
        is_name && !question_words.contains(&text::fold(word.text))
    })
}

/// `true` if the capital of the first word of a sentence is that of a name: a single thing without
/// an article before its verb, "Tom orders …", and no abstract one, "Insulation takes …".
fn begins_with_name(sentence: &str) -> bool {
    let mut words = text::words(sentence).map(|word| word.text);
    let (Some(first), Some(next)) = (words.next(), words.next()) else {
        return false;
    };
    let is_verb = SINGULAR_VERBS.contains(&next)
        || IRREGULAR_PASTS.contains(&next)
        || next.len() > 3 && (next.ends_with("ed") || next.ends_with('s'));
    let is_common = COMMON_ENDINGS.iter().any(|ending| first.ends_with(ending));
    is_verb && !is_common && first.len() > 2 && next.starts_with(char::is_lowercase)
}

/// Verbs after a single thing.
const SINGULAR_VERBS: &[&str] = &["is", "was", "has"];

/// Past tenses of what people do that do not end in "ed".
const IRREGULAR_PASTS: &[&str] = &[
    "bought", "brought", "built", "chose", "did", "drew", "drove", "felt", "found", "gave", "got",
    "heard", "knew", "led", "left", "lent", "lost", "made", "met", "paid", "read", "rode", "said",
    "sang", "saw", "sent", "sold", "spoke", "swam", "taught", "thought", "told", "took", "won",
    "wore", "wrote",
];

/// Endings of words for things, of which one speaks without an article.
const COMMON_ENDINGS: &[&str] = &[
    "s", "ing", "ion", "ment", "ness", "ity", "ism", "ance", "ence", "ship", "age", "ure", "er",
];

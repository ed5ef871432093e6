//! Verbs, recognised by their form and their neighbours: there is no parser, so that many are not.

use std::sync::LazyLock;

use foldhash::HashSet;

pub(in crate::cite) use super::lexicon::is_past_form;
use super::lexicon::{self, BE};
use super::{ContentWord, Statement};
use crate::text;

/// Auxiliary verbs, besides forms of "be".
const AUXILIARIES: &[&str] = &[
    "has", "have", "had", "do", "does", "did", "will", "would", "shall", "should", "may", "might",
    "can", "could", "must",
];

/// Auxiliary verbs of what was.
const PAST: &[&str] = &["was", "were", "had", "did", "didn"];

/// Other words right before a verb: pronouns for its subject, and the negation.
const PRONOUNS: &[&str] = &[
    "not", "he", "she", "it", "they", "we", "who", "which", "that",
];

/// The words that begin an object, and follow no plural noun.
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "its", "their", "his", "her", "all", "every", "each", "no",
];

/// Adverbs that may stand between an auxiliary and its verb.
pub(in crate::cite) const ADVERBS: &[&str] = &["still", "also", "now", "already", "always"];

/// Prepositions that say something by themselves, and so are no stop words.
const PREPOSITIONS: &[&str] = &[
    "below", "above", "beneath", "beside", "behind", "along", "across", "around", "near", "inside",
    "outside", "beyond", "past",
];

/// Verbs that carry what the words beside them say: that something is, happens, has a size or is
/// told. Other words of a source may say as much.
const CARRIERS: &str = "\
    cost amount total reach attain achieve measure weigh last take contain include \
    comprise consist feature possess own occur happen situate locate base use make give \
    offer state say report note mention describe explain indicate show find call know \
    remain stay continue keep provide get do set put need require come go rank stand lie \
    run hold have begin start end finish become involve apply concern relate see serve \
    work belong lead tell allow help try want choose select decide plan schedule \
    receive bring turn meet ask add create produce carry perform conduct publish release \
    write develop design build store price count record register employ welcome";

/// `true` for a word that stands where a verb does and has the form of one: "has died", "replaced",
/// "will replace", "chairs the".
pub(in crate::cite) fn is_verb(statement: &Statement, word: &ContentWord) -> bool {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let mut before = tokens.iter().take(word.position);
    let before = before.rfind(|token| !ADVERBS.contains(token));
    let Some(before) = before.filter(|_| !word.is_name && !word.follows_hyphen) else {
        return false;
    };
    let after = tokens.get(word.position + 1);
    let is_auxiliary = AUXILIARIES.contains(before) || PRONOUNS.contains(before);
    let follows_subject = is_auxiliary || BE.contains(before) || !text::is_stop_word(before);
    // "Chairs the" is no plural, and "replace the" after "will" no noun.
    let has_object = after.is_some_and(|after| DETERMINERS.contains(after));
    let is_present = has_object
        && (is_auxiliary || !text::is_stop_word(before) && word.folded.ends_with('s'))
        && !PREPOSITIONS.contains(&word.folded.as_str())
        && !lexicon::is_particle(&word.folded);
    // "A pump that is oversized": what a relative clause adds has more words for the same.
    let is_relative = word.position > 1
        && BE.contains(before)
        && matches!(tokens[word.position - 2], "that" | "which" | "who");
    let is_past = is_past_form(&word.folded) && follows_subject && !is_relative;
    is_past || is_present && !word.follows_mark
}

/// `true` for an auxiliary verb other than a form of "be": "has", "will", "did".
pub(in crate::cite) fn is_auxiliary(token: &str) -> bool {
    AUXILIARIES.contains(&token)
}

/// `true` for an auxiliary verb that says what was: "was", "had", "did".
pub(in crate::cite) fn is_past_auxiliary(token: &str) -> bool {
    PAST.contains(&token)
}

/// `true` if a verb, by its folded form, carries what the words beside it say.
pub(in crate::cite) fn is_carrier(folded: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> =
        LazyLock::new(|| CARRIERS.split(' ').map(text::stem).collect());
    STEMS.contains(&text::stem(lexicon::base(folded).unwrap_or(folded)))
}

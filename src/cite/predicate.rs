//! Predicates: whether the sources say what a claim says that somebody did, or that happened. That
//! they say the rest shows little: "a patient died after dinner" has its patient and its dinner.
//!
//! There is no parser. A verb is recognised by its form and its neighbours, so that many are not.

use std::ops::Range;
use std::sync::LazyLock;

use foldhash::HashSet;

use super::coverage::Coverage;
use super::lexicon::{self, Qualifier};
use super::restatement::{Difference, Objection};
use super::statement::{BE, ContentWord, Statement};
use crate::text;

/// The largest number of words and numbers of a claim of which one sentence has to say the verb; of
/// a longer one, what its dates leave has to be less. Chosen by hand.
const SHORT: usize = 7;

/// The words right before a verb, besides its subject and forms of "be".
const AUXILIARIES: &[&str] = &[
    "has", "have", "had", "will", "would", "shall", "should", "may", "might", "can", "could",
    "must", "not", "he", "she", "it", "they", "we", "who", "which", "that",
];

/// The words that begin an object, and follow no plural noun.
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "its", "their", "his", "her", "all", "every", "each", "no",
];

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

/// Irregular plurals, which are no forms of verbs.
const IRREGULAR_PLURALS: &str = "analyses bacteria children crises criteria feet geese halves \
                                 hypotheses indices knives lives loaves matrices men mice people \
                                 selves shelves teeth theses thieves wives wolves women phenomena";

/// The objection to a short claim whose verb no sentence of the evidence says.
pub(super) fn objection(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Objection> {
    let days = claim.figures.iter().filter(|figure| figure.is_date());
    let months = claim.words.iter().filter(|word| word.is_month());
    let dates = days.count() + months.count();
    if items.len() > SHORT && items.len().saturating_sub(dates) >= SHORT {
        return None;
    }
    let mut verbs = claim.words.iter().filter(|word| is_verb(claim, word));
    // Two numbers show themselves which way one becomes the other.
    let is_shown = |verb: &ContentWord| claim.figures.len() > 1 && lexicon::is_change(&verb.stem);
    let verb = verbs.find(|verb| {
        let is_missing = !is_carrier(&verb.folded) && !is_shown(verb) && !coverage.says(verb);
        // The opposite may be turned by its condition: "refused, unless" is "accepted, if".
        let opposes = |other: &ContentWord| {
            let (one, other) = ((&*verb.stem, verb.entry), (&*other.stem, other.entry));
            lexicon::are_opposite(one, other)
        };
        is_missing
            && !coverage.sentences().any(|own| {
                let is_conditional = own.qualifiers.contains_key(&Qualifier::Hypothesis)
                    || claim.qualifiers.contains_key(&Qualifier::Hypothesis);
                is_conditional && own.words.iter().any(opposes)
            })
    })?;
    Some(Objection::doubt(Difference::Word(verb.folded.clone())))
}

/// `true` for a word that stands where a verb does and has the form of one: "has died", "replaced",
/// "will replace", "chairs the".
pub(super) fn is_verb(statement: &Statement, word: &ContentWord) -> bool {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let before = word.position.checked_sub(1).and_then(|at| tokens.get(at));
    let Some(before) = before.filter(|_| !word.is_name && !word.follows_hyphen) else {
        return false;
    };
    let after = tokens.get(word.position + 1);
    let is_auxiliary = AUXILIARIES.contains(before);
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

/// `true` if a verb, by its folded form, carries what the words beside it say.
pub(super) fn is_carrier(folded: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> =
        LazyLock::new(|| CARRIERS.split(' ').map(text::stem).collect());
    STEMS.contains(&text::stem(lexicon::base(folded).unwrap_or(folded)))
}

/// `true` for a folded word that is the past form of a verb.
fn is_past_form(folded: &str) -> bool {
    let is_plural = || IRREGULAR_PLURALS.split(' ').any(|word| word == folded);
    folded.len() > 4 && folded.ends_with("ed") || lexicon::base(folded).is_some() && !is_plural()
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_nothing_says_that_somebody_did_is_not_supported() {
        let meal =
            "On 4 March a guest in room 12 ate a roll with nuts. She left the clinic on 7 March.";
        let drinks =
            "The board decided to offer oat drink in addition to soy drink from June 2024.";
        let teams = "The core team works with several teams for the compiler and the documents.";
        assert_supported(&[
            ("A guest in room 12 died after eating nuts.", meal, false),
            ("Oat drink replaced soy drink in June 2024.", drinks, false),
            ("The teams will replace the core team.", teams, false),
            ("A guest in room 12 ate nuts.", meal, true),
            ("The guest left the clinic on 7 March.", meal, true),
            ("The board offers oat drink from June 2024.", drinks, true),
            (
                "The core team cooperates with several teams for the compiler.",
                "The core team cooperates with several teams for the compiler and the documents.",
                true,
            ),
        ]);
    }
}

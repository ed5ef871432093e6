//! Predicates: whether the sources say what a claim says that somebody did, or that happened. That
//! they say the rest shows little: "a patient died after dinner" has its patient and its dinner.

use std::ops::Range;

use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon::{self, Qualifier};
use super::super::statement::subject::{Subject, is_pronoun, predicate_of};
use super::super::statement::verb::{is_carrier, is_verb};
use super::super::statement::{ContentWord, Statement};
use crate::text;

/// The largest number of words and numbers of a claim of which one sentence has to say the verb; of
/// a longer one, what its dates leave has to be less. Chosen by hand.
const SHORT: usize = 7;

/// Words behind a verb for which there are others: "because of", "for"; and those that only join a
/// thing to its kind or to where it is: "is a type of sand", "are found in fields". A closed list,
/// written by hand.
const SAID_OTHERWISE: &[&str] = &[
    "due", "favour", "against", "able", "unable", "found", "type", "kind", "sort", "branch",
    "form", "example", "reason", "refers", "refer", "referred",
];

/// The number of words before a verb among which its auxiliaries are: "may not be".
const AUXILIARIES: usize = 3;

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
    let compared = claim.than.and_then(|than| claim.words[..than].last());
    // A superlative has rules of its own.
    let is_said_otherwise = |word: &&ContentWord| {
        let word = word.folded.as_str();
        // A title has words that say nothing by themselves: "All You Need".
        lexicon::is_particle(word)
            || lexicon::is_of_now(word)
            || text::ends_as_superlative(word)
            || SAID_OTHERWISE.contains(&word)
    };
    if let Some(word) = missing_subject(coverage, claim) {
        return Some(Objection::doubt(Difference::Word(word)));
    }
    let predicates = predicate_of(claim).into_iter().chain(compared);
    let predicates = predicates.filter(|word| !is_said_otherwise(word));
    // Behind a relative clause, too: "Food that was frozen may be used".
    let is_verb = |word: &&ContentWord| is_verb(claim, word) || is_permitted(claim, word);
    let verbs = claim.words.iter().filter(is_verb);
    let mut verbs = verbs.chain(predicates);
    // Two numbers show themselves which way one becomes the other.
    let is_shown = |verb: &ContentWord| claim.figures.len() > 1 && lexicon::is_change(&verb.stem);
    let verb = verbs.find(|verb| {
        let carries = is_carrier(&verb.folded) && !is_permitted_anew(coverage, claim, verb);
        let is_missing = !carries && !is_shown(verb) && !coverage.says(verb);
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

/// Words that permit, closed lists, written by hand: of a claim right before what it permits, and
/// of any sentence.
const PERMITTING: &[&str] = &["may", "can", "allowed", "permitted"];
const ALSO_PERMITTING: &[&str] = &[
    "able", "allow", "allows", "could", "enable", "enables", "entitled", "free", "lets", "might",
    "option", "optional", "permit", "permits", "possible", "suitable", "unless", "welcome",
];

/// `true` for a word behind one that permits: "may be used", "can still be given".
fn is_permitted(claim: &Statement, word: &ContentWord) -> bool {
    let from = word.position.saturating_sub(AUXILIARIES);
    let mut before = claim.normal.split(' ').take(word.position).skip(from);
    before.any(|token| PERMITTING.contains(&token))
}

/// `true` if a claim permits to do something, and no sentence of the evidence permits anything:
/// what may be done is all that it says, "frozen food may be used" for "frozen food is destroyed".
fn is_permitted_anew(coverage: &Coverage<'_>, claim: &Statement, verb: &ContentWord) -> bool {
    let permits = |own: &Statement| {
        let mut tokens = own.normal.split(' ');
        tokens.any(|token| PERMITTING.contains(&token) || ALSO_PERMITTING.contains(&token))
    };
    is_permitted(claim, verb) && !coverage.sentences().any(permits)
}

/// What a claim is about, if no sentence of the evidence names it, by a pronoun or otherwise:
/// "Vandalism is covered by the contract" for "The contract covers the lifts".
fn missing_subject(coverage: &Coverage<'_>, claim: &Statement) -> Option<String> {
    let subject = Subject::of(claim)?;
    let head = &subject.words[subject.head()?];
    let is_named = head.is_light() || lexicon::qualifier(&head.folded).is_some();
    let has_pronoun = |own: &Statement| own.normal.split(' ').any(is_pronoun);
    let is_said = is_named || coverage.says(head) || coverage.sentences().any(has_pronoun);
    (!is_said).then(|| head.folded.clone())
}

/// `true` if the subject of a claim is a name, and the evidence says no word or number of what the
/// claim says of it.
pub(in crate::cite) fn is_subject_alone_said(coverage: &Coverage<'_>) -> bool {
    let claims: Vec<&Statement> = coverage.statements().map(|(claim, _)| claim).collect();
    let [claim] = &claims[..] else {
        return false;
    };
    predicate_of(claim).is_some_and(|predicate| {
        let is_before = |word: &&ContentWord| word.position < predicate.position;
        let (subject, rest): (Vec<_>, Vec<_>) = claim.words.iter().partition(is_before);
        // The first word of a sentence has a capital whatever it is.
        let is_name = subject.last().is_some_and(|word| word.is_name);
        let says = |word: &&ContentWord| !word.is_light() && coverage.says(word);
        is_name && claim.figures.is_empty() && !rest.iter().any(says)
    })
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

    #[test]
    fn a_claim_of_which_the_subject_alone_is_said_is_not_supported_in_part() {
        let passage = "Present: Ruth Ammann, Peter Lind. Excused: Tomas Kolar";
        for (claim, verdict) in [
            ("Tomas Kolar asked for a drone.", Verdict::Unsupported),
            ("Tomas Kolar was excused.", Verdict::Supported),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }

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

    #[test]
    fn what_is_permitted_is_not_said_by_what_becomes_of_it() {
        let frost = "Any freezing below 0 °C means that insulin is destroyed.";
        assert_supported(&[
            ("Frozen insulin may be used again.", frost, false),
            ("Insulin that was frozen may be used again.", frost, false),
            ("Insulin that was frozen can still be used.", frost, false),
            (
                "The hall may be used by clubs.",
                "Clubs are welcome in the hall.",
                true,
            ),
        ]);
    }

    #[test]
    fn a_subject_that_nothing_names_is_not_said_by_the_rest() {
        let contract = "The lift contract covers the three lifts of the house.";
        assert_supported(&[
            (
                "Vandalism is covered by the lift contract.",
                contract,
                false,
            ),
            (
                "The lifts are covered by the lift contract.",
                contract,
                true,
            ),
            (
                "The sauna was repaired.",
                "The sauna has been shut for a month. It was repaired in May.",
                true,
            ),
        ]);
    }

    #[test]
    fn a_verb_that_is_missing_is_not_said_by_what_is_beside_it() {
        assert_supported(&[
            (
                "The treatment cures back pain.",
                "The authors suggest that the treatment might help some people with back pain.",
                false,
            ),
            (
                "The author lives in Dublin.",
                "The author grew up in Dublin, where most of her novels are set.",
                false,
            ),
            (
                "The new drug works better than aspirin.",
                "Patients given the new drug had fewer complaints than those given aspirin.",
                false,
            ),
            (
                "The author lives in Dublin.",
                "The author lives in Dublin with her children.",
                true,
            ),
        ]);
    }

    #[test]
    fn a_word_that_joins_a_thing_to_its_kind_or_its_home_has_others() {
        assert_supported(&[
            (
                "Halden Hall is consistently ranked as one of the best halls of the county.",
                "In 2022 Halden Hall was ranked as the best of the halls of the county.",
                true,
            ),
            (
                "Fine sand is a type of quartz sand.",
                "Fine sand is quartz sand of small grains.",
                true,
            ),
            (
                "Sea lavender is found in salt marshes.",
                "Habitat: Sea lavender grows in salt marshes.",
                true,
            ),
        ]);
    }
}

//! Reserved rights: what only some may do, others may not: "Only a pharmacist may release it"; and
//! what a sentence denies of one thing in a clause without a verb, "but pianos may not".

use super::super::alignment::{Alignment, has_word};
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon::BE;
use super::super::statement::subject::is_pronoun;
use super::super::statement::{ContentWord, Statement};
use crate::text;

/// Auxiliaries of what somebody may do.
const MAY: &[&str] = &["can", "may"];

/// Auxiliaries with which a clause without a verb ends: "but pianos may not".
const ELLIPTIC: &[&str] = &[
    "are", "can", "do", "does", "has", "have", "is", "may", "must", "should", "will",
];

/// The maximum number of words of who alone may do something.
const HOLDER: usize = 6;

/// The number of words behind "may" among which "be" is: "may only be".
const AUXILIARIES: usize = 2;

/// What a claim permits to somebody, and its sentence to others alone; or what its sentence denies
/// in a clause without a verb.
pub(super) fn objection(there: &Alignment<'_>) -> Option<Objection> {
    if there.one.negations > 0 || there.one.is_question || there.other.is_question {
        return None;
    }
    reserved(there)
        .or_else(|| excluded(there))
        .or_else(|| listed_with(there))
}

/// The content words of a statement whose positions are in a range.
fn words(statement: &Statement, range: std::ops::Range<usize>) -> Vec<&ContentWord> {
    let words = statement.words.iter();
    let words = words.filter(|word| range.contains(&word.position) && !word.is_light());
    words.collect()
}

/// "Any technician may release it" for "Only a pharmacist may release it".
fn reserved(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let only = tokens.iter().position(|token| *token == "only")?;
    let may = tokens.iter().skip(only + 1).take(HOLDER);
    let may = only + 1 + may.into_iter().position(|token| MAY.contains(token))?;
    let holders = words(own, only + 1..may);
    let rest = words(own, may + 1..tokens.len());
    let claimed: Vec<&str> = claim.normal.split(' ').collect();
    let permits = claimed.iter().position(|token| MAY.contains(token))?;
    let by = claimed.iter().position(|token| *token == "by");
    let mut next = claimed.iter().skip(permits + 1).take(AUXILIARIES);
    let is_passive = next.any(|next| BE.contains(next));
    let range = match by.filter(|by| is_passive && *by > permits) {
        Some(by) => by + 1..claimed.len(),
        None if is_passive => return None,
        None => 0..permits,
    };
    let agents = words(claim, range.clone());
    let has_pronoun = claimed[range].iter().any(|token| is_pronoun(token));
    let names_holder = holders.iter().any(|word| has_word(&claim.words, word));
    let are_others = !agents.is_empty() && !names_holder;
    // It has to be the same deed, of the same thing.
    let is_same = !rest.is_empty() && rest.iter().all(|word| has_word(&claim.words, word));
    let is_reserved =
        are_others && is_same && !holders.is_empty() && !has_pronoun && own.negations == 0;
    let agent = agents.last()?.folded.clone();
    let holder = holders.last()?.folded.clone();
    is_reserved.then(|| Objection::contradiction(Difference::Opposite(agent, holder)))
}

/// Words that join what a claim lists.
const LISTING: &[&str] = &["and", "or", "oder", "sowie", "und"];
const ONLY: &[&str] = &["only", "nur"];

/// The number of words before what alone is meant among which "only" is: "only for the".
const TO_ONLY: usize = 3;

/// The maximum number of letters of a German preposition or article: "für", "den".
const PARTICLE: usize = 3;

/// "Open to pupils and guests" for "open to pupils only": what a claim lists beside that of which
/// its sentence says "only".
fn listed_with(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let claimed: Vec<&str> = claim.normal.split(' ').collect();
    let is_alone = |word: &ContentWord| {
        let before = &tokens[word.position.saturating_sub(TO_ONLY)..word.position];
        let only = before.iter().rposition(|token| ONLY.contains(token));
        let is_particle = |token: &&str| text::is_stop_word(token) || token.len() <= PARTICLE;
        let is_joined = |at: usize| before[at + 1..].iter().all(is_particle);
        tokens.get(word.position + 1) == Some(&"only") || only.is_some_and(is_joined)
    };
    let pairs = || {
        there
            .pairs()
            .map(|(one, other)| (&claim.words[one], &own.words[other]))
    };
    let (alone, other) = pairs().find_map(|(word, alone)| {
        let next = claim
            .words
            .iter()
            .find(|next| next.position > word.position)?;
        let is_listed = claimed[word.position + 1..next.position]
            .iter()
            .any(|token| LISTING.contains(token));
        (is_listed && is_alone(alone)).then_some((alone, next))
    })?;
    // Behind a mark the sentence goes on to what the other is: "; the loft is let".
    let mut said = own.words.iter().filter(|word| word.stem == other.stem);
    let is_apart = said.all(|word| {
        let between = alone.position + 1..=word.position;
        let mut marked = own
            .words
            .iter()
            .filter(|own| between.contains(&own.position));
        marked.any(|own| own.follows_mark)
    });
    let is_same = pairs().count() >= 2
        && own.negations == 0
        && !claimed.iter().any(|token| ONLY.contains(token));
    let difference = Difference::Exception(other.folded.clone());
    (is_apart && is_same).then(|| Objection::contradiction(difference))
}

/// "Pianos may be borrowed" for "Instruments may be borrowed, but pianos may not".
fn excluded(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let [before @ .., auxiliary, "not"] = tokens.as_slice() else {
        return None;
    };
    let but = before.iter().rposition(|token| *token == "but")?;
    let excepted = words(own, but + 1..before.len());
    let stated = words(own, 0..but);
    let claimed: Vec<&str> = claim.normal.split(' ').collect();
    let at = claimed.iter().position(|token| token == auxiliary)?;
    let subject = words(claim, 0..at);
    let deeds = words(claim, at..claimed.len());
    let has =
        |words: &[&ContentWord], word: &ContentWord| words.iter().any(|own| own.stem == word.stem);
    let is_of_excepted = !excepted.is_empty()
        && excepted.iter().all(|word| has(&subject, word))
        && ELLIPTIC.contains(auxiliary);
    let is_same = !deeds.is_empty() && deeds.iter().all(|word| has(&stated, word));
    (is_of_excepted && is_same && own.negations == 1)
        .then(|| Objection::contradiction(Difference::Negation))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_is_so_of_one_only_is_not_so_of_what_is_listed_with_it() {
        let trial = "The ferry is approved for cars only; lorries are postponed.";
        let pool = "Only members may use the pool.";
        assert_supported(&[
            ("The ferry is approved for cars.", trial, true),
            ("The ferry is approved for cars and lorries.", trial, false),
            ("Members and guests may use the pool.", pool, false),
            ("Members may use the pool.", pool, true),
        ]);
    }

    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn what_only_some_may_do_others_may_not() {
        let release = "Only a pharmacist may release quarantined stock.";
        let loans = "Stock may be borrowed from the Trent Hospital, but controlled drugs may not.";
        for (claim, passage, verdict) in [
            (
                "Quarantined stock may be released by any senior technician.",
                release,
                Verdict::Contradicted,
            ),
            (
                "A technician may release quarantined stock.",
                release,
                Verdict::Contradicted,
            ),
            (
                "Quarantined stock may be released by a pharmacist.",
                release,
                Verdict::Supported,
            ),
            (
                "Quarantined stock may only be released by a pharmacist.",
                release,
                Verdict::Supported,
            ),
            (
                "Controlled drugs may be borrowed from the Trent Hospital.",
                loans,
                Verdict::Contradicted,
            ),
            (
                "Stock may be borrowed from the Trent Hospital.",
                loans,
                Verdict::Supported,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }
}
